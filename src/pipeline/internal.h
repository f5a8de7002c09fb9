#pragma once
/* pipeline/internal.h - what the files behind pipeline.h share */
#include <stdatomic.h>
#include "pipeline/analysis.h"
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
    bool broken; /* opened with errors: only its texts may be asked for */
    atomic_bool stop;
    _Atomic(IoWatch *) watch;
};

AnalysisOptions pipeline__analysis_options(const Pipeline *pipeline);
