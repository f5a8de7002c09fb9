/* flow/statement.c - what statements that write to a table once, INSERT and COPY INTO, have in common */
#include "flow/internal.h"

int flow__statement_open(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;

    SILT_TRY(flow__open_target(flow, err));
    SILT_TRY(target_sync(flow->env.io, flow->target, err));
    batch->timestamp_ms = io_now_us(flow->env.io) / 1000;
    batch->limit_left = -1;
    batch->logged_us = batch->started_us = batch->planned_us = io_monotonic_us(flow->env.io);
    return 0;
}

int flow__statement_run(Batch *batch, SiltErr *err)
{
    return flow__run_whole(batch, flow__analyze, err);
}
