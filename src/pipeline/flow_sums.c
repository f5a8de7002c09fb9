/*
 * pipeline/flow_sums.c - adding up the numbers of batches
 */
#include "pipeline/flow_sums.h"

void flow_sums_add(FlowSums *sums, Arena *arena, const FlowProgress *progress)
{
    if (!sums->expectations) { /* those of the target's statement: always the same */
        sums->expectations = ARENA_ARRAY(arena, FlowExpected, progress->expectation_count + 1);
        sums->expectation_count = progress->expectation_count;
        for (int i = 0; i < progress->expectation_count; i++)
            sums->expectations[i] = (FlowExpected){.name = arena_strdup(arena, progress->expectations[i].name)};
    }
    silt_assert(sums->expectation_count == progress->expectation_count);
    for (int i = 0; i < progress->expectation_count; i++) {
        sums->expectations[i].passed += progress->expectations[i].passed;
        sums->expectations[i].failed += progress->expectations[i].failed;
    }
    sums->batches++;
    sums->last_batch = progress->batch_id;
    sums->input_rows += progress->input_rows;
    sums->output_rows += progress->output_rows;
    sums->output_bytes += progress->output_bytes;
    sums->refused_rows += progress->refused_rows;
    sums->undecodable_rows += progress->reading.undecodable;
    str_buf_clear(&sums->json);
    str_buf_puts(&sums->json, progress->json);
}

void flow_sums_reset(FlowSums *sums)
{
    for (int i = 0; i < sums->expectation_count; i++)
        sums->expectations[i].passed = sums->expectations[i].failed = 0;
    str_buf_clear(&sums->json);
    *sums = (FlowSums){.expectations = sums->expectations, .expectation_count = sums->expectation_count, .json = sums->json};
}

void flow_sums_fini(FlowSums *sums)
{
    str_buf_fini(&sums->json);
}
