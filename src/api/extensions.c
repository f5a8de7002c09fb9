/* api/extensions.c - functions, sources and sinks of a program, checked when they are added and copied */
#include "api/extensions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "api/internal.h"
#include "duck/type.h"

struct SiltExtensions {
    Arena *arena;
    PipelineExtensions all; /* its arrays are the three below */
    const SiltFunction **functions;
    const SiltSource **sources;
    const SiltSink **sinks;
    int function_capacity, source_capacity, sink_capacity;
};

SiltExtensions *silt_extensions_new(void)
{
    SiltExtensions *extensions = silt_alloc(sizeof *extensions);

    extensions->arena = arena_new();
    return extensions;
}

void silt_extensions_free(SiltExtensions *extensions)
{
    if (!extensions)
        return;
    arena_free(extensions->arena);
    free(extensions);
}

const PipelineExtensions *api__extensions(const SiltExtensions *extensions)
{
    return extensions ? &extensions->all : NULL;
}

/* ---- checks ---- */

static int check_name(const char *what, const char *name, SiltErr *err)
{
    size_t size = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;

    if (size && !name[size] && strchr("0123456789", name[0]) == NULL)
        return 0;
    silt_fail(err, SILT_CONFIG, "\"%s\" cannot be the name of a %s", name ? name : "", what);
    return silt_hint(err, "Names have lower case letters, digits and _, and begin with none of the digits.");
}

static int check_callback(const char *what, const char *name, bool given, const char *callback, SiltErr *err)
{
    return given ? 0 : silt_fail(err, SILT_CONFIG, "%s \"%s\" has no callback \"%s\"", what, name, callback);
}

static int taken(const char *what, const char *name, SiltErr *err)
{
    return silt_fail(err, SILT_CONFIG, "there is a %s \"%s\" already", what, name);
}

static int check_type(Arena *arena, const SiltFunction *function, const char *text, const char *of, SiltErr *err)
{
    const Type *type;

    if (!text || type_parse_ddl(arena, str_of(text), true, &type, err) < 0)
        return silt_fail(err, SILT_CONFIG, "function \"%s\": the type of %s, \"%s\", cannot be read", function->name, of, text ? text : "");
    return 0;
}

/* ---- functions ---- */

static int check_function(const SiltExtensions *extensions, const SiltFunction *function, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    SILT_TRY(check_name("function", function->name, err));
    SILT_TRY(check_callback("function", function->name, function->call, "call", err));
    if (sql_function_find(function->name)) {
        silt_fail(err, SILT_CONFIG, "\"%s\" is a function of Silt's own", function->name);
        return silt_hint(err, "Give it a name that SQL does not know yet.");
    }
    for (int i = 0; i < extensions->all.function_count; i++)
        if (!strcmp(extensions->functions[i]->name, function->name))
            return taken("function", function->name, err);
    for (int i = 0; i < function->argument_count; i++)
        SILT_TRY(check_type(arena, function, function->argument_types[i], arena_printf(arena, "argument %d", i + 1), err));
    return check_type(arena, function, function->result_type, "its result", err);
}

SiltStatus silt_extensions_add_function(SiltExtensions *extensions, const SiltFunction *function, SiltProblems **problems)
{
    Arena *arena = extensions->arena;
    SiltErr err;

    *problems = NULL;
    if (check_function(extensions, function, &err) < 0)
        return api__fail(problems, &err, false, NULL, NULL);
    SiltFunction *copy = ARENA_NEW(arena, SiltFunction);
    const char **types = ARENA_ARRAY(arena, const char *, function->argument_count + 1);
    for (int i = 0; i < function->argument_count; i++)
        types[i] = arena_strdup(arena, function->argument_types[i]);
    *copy = *function;
    copy->name = arena_strdup(arena, function->name);
    copy->argument_types = types;
    copy->result_type = arena_strdup(arena, function->result_type);
    ARENA_PUSH(arena, extensions->functions, extensions->all.function_count, extensions->function_capacity, copy);
    extensions->all.functions = extensions->functions;
    return SILT_DONE;
}

/* ---- sources and sinks ---- */

static int check_source(const SiltExtensions *extensions, const SiltSource *source, SiltErr *err)
{
    SILT_TRY(check_name("source", source->name, err));
    SILT_TRY(check_callback("source", source->name, source->open, "open", err));
    SILT_TRY(check_callback("source", source->name, source->latest, "latest", err));
    SILT_TRY(check_callback("source", source->name, source->read, "read", err));
    if (!strcmp(source->name, "read_files") || sql_function_find(source->name))
        return silt_fail(err, SILT_CONFIG, "\"%s\" is a function of Silt's own", source->name);
    for (int i = 0; i < extensions->all.source_count; i++)
        if (!strcmp(extensions->sources[i]->name, source->name))
            return taken("source", source->name, err);
    return 0;
}

SiltStatus silt_extensions_add_source(SiltExtensions *extensions, const SiltSource *source, SiltProblems **problems)
{
    Arena *arena = extensions->arena;
    SiltErr err;

    *problems = NULL;
    if (check_source(extensions, source, &err) < 0)
        return api__fail(problems, &err, false, NULL, NULL);
    SiltSource *copy = ARENA_NEW(arena, SiltSource);
    *copy = *source;
    copy->name = arena_strdup(arena, source->name);
    ARENA_PUSH(arena, extensions->sources, extensions->all.source_count, extensions->source_capacity, copy);
    extensions->all.sources = extensions->sources;
    return SILT_DONE;
}

static int check_sink(const SiltExtensions *extensions, const SiltSink *sink, SiltErr *err)
{
    SinkContext none = {0};

    SILT_TRY(check_name("sink", sink->name, err));
    SILT_TRY(check_callback("sink", sink->name, sink->batch, "batch", err));
    if (sink_known(&none, sink->name))
        return silt_fail(err, SILT_CONFIG, "\"%s\" is a kind of sink of Silt's own", sink->name);
    for (int i = 0; i < extensions->all.sink_count; i++)
        if (!strcmp(extensions->sinks[i]->name, sink->name))
            return taken("sink", sink->name, err);
    return 0;
}

SiltStatus silt_extensions_add_sink(SiltExtensions *extensions, const SiltSink *sink, SiltProblems **problems)
{
    Arena *arena = extensions->arena;
    SiltErr err;

    *problems = NULL;
    if (check_sink(extensions, sink, &err) < 0)
        return api__fail(problems, &err, false, NULL, NULL);
    SiltSink *copy = ARENA_NEW(arena, SiltSink);
    *copy = *sink;
    copy->name = arena_strdup(arena, sink->name);
    ARENA_PUSH(arena, extensions->sinks, extensions->all.sink_count, extensions->sink_capacity, copy);
    extensions->all.sinks = extensions->sinks;
    return SILT_DONE;
}
