/*
 * duck/agg_interval.c - the average of intervals, which are INTEGER (months) or BIGINT (microseconds): an exact sum that must fit the type, over the count,
 * halves away from 0
 */
#include "duck/functions.h"

typedef struct Total {
    FnStateInt128 sum;
    int64_t count, pos;
} Total;

static int update(AggCall *call, void *state, const Column *args, int row)
{
    Total *t = state;

    t->sum += ((const int64_t *)args[0].data)[row];
    t->count++;
    t->pos = agg_pos(call, row);
    return 0;
}

static int try_update(AggCall *call, void *state, const Column *args, int row)
{
    Total *t = state;

    (void)call;
    t->sum += ((const int64_t *)args[0].data)[row];
    t->count++;
    return 0;
}

static void combine(void *into, void *from)
{
    Total *a = into;
    const Total *b = from;

    a->sum += b->sum;
    if (!a->count)
        a->pos = b->pos;
    a->count += b->count;
}

/* False: the sum does not fit the type. */
static bool put_average(const Total *t, Column *out, uint64_t row)
{
    bool months = out->type->kind == TYPE_INT;

    if (!t->count) {
        column_set_null(out, row);
        return true;
    }
    if (months ? t->sum != (int32_t)t->sum : t->sum != (int64_t)t->sum)
        return false;
    int64_t sum = (int64_t)t->sum, average = sum / t->count, rest = sum % t->count;

    if ((rest < 0 ? -rest : rest) >= t->count - (rest < 0 ? -rest : rest))
        average += sum < 0 ? -1 : 1;
    if (months)
        ((int32_t *)out->data)[row] = (int32_t)average;
    else
        ((int64_t *)out->data)[row] = average;
    return true;
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Total *t = state;

    return put_average(t, out, row) ? 0 : agg_fail(call, t->pos, "INTERVAL_ARITHMETIC_OVERFLOW.WITH_SUGGESTION", "the sum of the intervals does not fit their type");
}

static int try_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    (void)call;
    if (!put_average(state, out, row))
        column_set_null(out, row);
    return 0;
}

const DuckAggregate agg_interval[] = {
    {.name = "silt_avg_interval", .args = "bigint", .flags = FN_FAILS, .state_size = sizeof(Total), .update = update, .combine = combine, .finish = finish},
    {.name = "silt_try_avg_interval", .args = "bigint", .state_size = sizeof(Total), .update = try_update, .combine = combine, .finish = try_finish},
    {0},
};
