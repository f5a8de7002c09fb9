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
    Flow *flow = batch->flow;

    do {
        batch->input_count = flow->query->input_count;
        batch->inputs = ARENA_ARRAY(batch->arena, BatchInput, batch->input_count + 1);
        for (int i = 0; i < batch->input_count; i++)
            batch->inputs[i] = (BatchInput){.input = flow->query->inputs[i], .version = -1, .counter = -1};
        SILT_TRY(flow__batch_run(batch, err));
        if (batch->drift)
            SILT_TRY(flow__analyze(flow, err));
    } while (batch->drift);
    return 0;
}
