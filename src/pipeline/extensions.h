#pragma once
/* pipeline/extensions.h - functions, sources and sinks of the program that Silt is a part of */
#include "duck/functions.h"
#include "sink/sink.h"
#include "sql/functions.h"

/* What was added by silt_extensions_add_..., all checked. Borrowed while a pipeline lives. */
typedef struct PipelineExtensions {
    const struct SiltFunction *const *functions;
    int function_count;
    const struct SiltSource *const *sources;
    int source_count;
    const struct SiltSink *const *sinks;
    int sink_count;
} PipelineExtensions;

static inline SinkContext extensions_sinks(const PipelineExtensions *extensions, Io *io)
{
    return (SinkContext){.io = io, .extensions = extensions->sinks, .extension_count = extensions->sink_count};
}

/* The functions as rows for the analyzer (the last has name NULL) and for the engine, in arena. */
typedef struct ExtensionFunctions {
    const SqlFunction *sql;
    const DuckFunction *const *duck;
} ExtensionFunctions;
ExtensionFunctions extensions_functions(Arena *arena, const PipelineExtensions *extensions);
