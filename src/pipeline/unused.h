#pragma once
/* pipeline/unused.h - tables that were made and never written to */
#include "pipeline/graph.h"
#include "delta/table.h"
#include "pipeline/spec.h"

/*
 * Did a crash come between making, or emptying, a streaming table and its first batch? The table has no row, and no flow of it has begun a batch with
 * its checkpoint. Then nothing holds the table to the shape that it has: types that were inferred may have become others since.
 */
bool table_is_unused(const DeltaEnv *env, const PipelineSpec *spec, const Dataset *dataset);
