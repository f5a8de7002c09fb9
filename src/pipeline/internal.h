#pragma once
/* pipeline/internal.h - what the files behind pipeline.h share */
#include <stdatomic.h>
#include "pipeline/analysis.h"
#include "pipeline/defined.h"
#include "pipeline/pipeline.h"

struct Pipeline {
    Io *io;
    Arena *arena;
    DuckEngine *engine;
    bool own_engine;
    PipelineSpec *spec; /* NULL: an empty project */
    Graph *graph;
    const char *directory, *warehouse;
    int threads;
    PipelineExtensions extensions;
    ExtensionFunctions functions; /* of the extensions */
    bool broken; /* opened with errors: only its texts may be asked for */
    atomic_bool stop;
    _Atomic(IoWatch *) watch;
};

struct PipelineSession {
    Pipeline *pipeline;
    Arena *arena;
    Analysis *analysis;
    Conf *conf;
    const char *schema;
    Defined defined;
    _Atomic(DuckSession *) duck; /* opened by the first query */
    _Atomic(DuckSession *) busy; /* of a statement that writes, while it runs */
    bool watched;                /* queries are to tell how far they have come */
};

AnalysisOptions pipeline__analysis_options(const Pipeline *pipeline);
/* The settings and names in force in a session. */
GraphScope pipeline__session_scope(const PipelineSession *session);
/* As pipeline_session_query; the files of sources that `loaded` (taken over, NULL: none) holds are left out. */
int pipeline__session_query(PipelineSession *session, Query *query, LoadedFiles *loaded, PipelineResult **out, SqlErrors *errors);
