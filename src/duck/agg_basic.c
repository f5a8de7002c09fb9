/* duck/agg_basic.c - aggregates whose results or failures differ from DuckDB's */
#include "duck/functions.h"

/* sum of integers as BIGINT, failing when the total does not fit; DuckDB's own is a HUGEINT. */
typedef struct LongSum {
    FnStateInt128 total;
    int64_t pos;
    bool seen;
} LongSum;

static int long_sum_update(AggCall *call, void *state, const Column *args, int row)
{
    LongSum *sum = state;
    sum->total += ((const int64_t *)args[0].data)[row];
    sum->pos = agg_pos(call, row);
    sum->seen = true;
    return 0;
}

static void long_sum_combine(void *into, void *from)
{
    LongSum *sum = into;
    const LongSum *other = from;
    sum->total += other->total;
    if (!sum->seen)
        sum->pos = other->pos;
    sum->seen |= other->seen;
}

static int long_sum_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const LongSum *sum = state;
    if (!sum->seen)
        column_set_null(out, row);
    else if (sum->total != (int64_t)sum->total)
        return agg_fail(call, sum->pos, "ARITHMETIC_OVERFLOW", "the sum does not fit a bigint");
    else
        ((int64_t *)out->data)[row] = (int64_t)sum->total;
    return 0;
}

const DuckAggregate agg_basic[] = {
    {.name = "silt_sum_long",
     .args = "long",
     .result = "long",
     .flags = FN_FAILS,
     .state_size = sizeof(LongSum),
     .update = long_sum_update,
     .combine = long_sum_combine,
     .finish = long_sum_finish},
    {0},
};
