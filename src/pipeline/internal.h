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
/*
 * The table that a statement writes to, into want: name, path, pos; verb: for messages. 0, or -1 with errors: no Delta table, a view, or a table of the
 * pipeline while managed_writes is not set.
 */
int pipeline__written_table(const PipelineSession *session, const SqlName *name, const char *verb, bool managed_writes, TargetWant *want, SqlErrors *errors);
/* One more error; -1. */
int pipeline__fail(SqlErrors *errors, const SiltErr *err);
/* FlowEnv.busy of statements; self: the session. */
void pipeline__session_busy(void *self, DuckSession *duck);
/* As pipeline_session_query; the files of sources that `loaded` (taken over, NULL: none) holds are left out. */
int pipeline__session_query(PipelineSession *session, Query *query, LoadedFiles *loaded, PipelineResult **out, SqlErrors *errors);
