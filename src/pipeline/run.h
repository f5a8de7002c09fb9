#pragma once
/* pipeline/run.h - one update of a project: which flows, in which order, side by side, tried again, reported */
#include "pipeline/analysis.h"
#include "pipeline/pipeline.h"

typedef struct RunWorld {
    Io *io;
    DuckEngine *engine;
    Arena *arena;             /* of the run */
    const PipelineSpec *spec;
    const Graph *graph;
    Analysis *analysis;
    const atomic_bool *stop;
    _Atomic(IoWatch *) *watch; /* set while a continuous run waits */
    int threads;              /* 0: as configured; 1: in this thread */
} RunWorld;

PipelineOutcome run_update(const RunWorld *world, const PipelineRunOptions *options, SqlErrors *errors);
