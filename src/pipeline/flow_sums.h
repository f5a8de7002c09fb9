#pragma once
/* pipeline/flow_sums.h - what the batches of a flow have done since it was last told */
#include "flow/flow.h"

/* Begins zeroed. */
typedef struct FlowSums {
    int64_t batches, last_batch;
    int64_t input_rows, output_rows, output_bytes, refused_rows, undecodable_rows;
    FlowExpected *expectations; /* those of the target's statement: always the same */
    int expectation_count;
    StrBuf json; /* Structured Streaming's record of the last batch */
} FlowSums;

/* One more batch. The names of the expectations are kept in arena, which lives as long as sums. */
void flow_sums_add(FlowSums *sums, Arena *arena, const FlowProgress *progress);
/* All numbers begin at 0 again. */
void flow_sums_reset(FlowSums *sums);
void flow_sums_fini(FlowSums *sums);
