/*
 * duck/agg_weighted.c - percentile(x, percentage, frequency): each value counts as often as its frequency says
 *
 * The aggregate gives the sorted values with the number of values up to each, as bytes; silt_weighted_percentiles takes the percentages from them.
 */
#include <math.h>
#include <stdlib.h>

#include "duck/fn_text.h"

typedef struct Weighted {
    double value;
    int64_t count; /* of the value; in the bytes: up to and with it */
} Weighted;

typedef struct Values {
    Weighted *at; /* owned, in no order */
    int64_t count, capacity;
} Values;

static void reserve(Values *v, int64_t count)
{
    if (count <= v->capacity)
        return;
    v->capacity = count < 8 ? 8 : count * 2;
    v->at = silt_realloc(v->at, (size_t)v->capacity * sizeof *v->at);
}

static int update(AggCall *call, void *state, const Column *args, int row)
{
    Values *v = state;
    int64_t often = ((const int64_t *)args[1].data)[row];

    if (often < 0)
        return agg_fail(call, agg_pos(call, row), "NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION", "a frequency of percentile is %lld, below 0", (long long)often);
    if (!often)
        return 0;
    reserve(v, v->count + 1);
    v->at[v->count++] = (Weighted){((const double *)args[0].data)[row], often};
    return 0;
}

static void combine(void *into, void *from)
{
    Values *a = into;
    const Values *b = from;

    if (!b->count)
        return;
    reserve(a, a->count + b->count);
    memcpy(a->at + a->count, b->at, (size_t)b->count * sizeof *b->at);
    a->count += b->count;
}

/* NaN is the greatest. */
static int by_value(const void *x, const void *y)
{
    double a = ((const Weighted *)x)->value, b = ((const Weighted *)y)->value;

    if (isnan(a) || isnan(b))
        return (int)isnan(a) - (int)isnan(b);
    return (a > b) - (a < b);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Values *v = state;
    int64_t sum = 0;

    (void)call;
    if (!v->count) {
        column_set_null(out, row);
        return 0;
    }
    Weighted *sorted = silt_realloc(NULL, (size_t)v->count * sizeof *sorted);

    memcpy(sorted, v->at, (size_t)v->count * sizeof *sorted);
    qsort(sorted, (size_t)v->count, sizeof *sorted, by_value);
    for (int64_t i = 0; i < v->count; i++) {
        sum += sorted[i].count;
        sorted[i].count = sum;
    }
    column_set_string(out, row, (const char *)sorted, (size_t)v->count * sizeof *sorted);
    free(sorted);
    return 0;
}

static void destroy(void *state)
{
    free(((Values *)state)->at);
}

/* Value number `position`, from 0. */
static double value_at(Str bytes, int64_t position)
{
    int64_t low = 0, high = (int64_t)(bytes.size / sizeof(Weighted)) - 1;
    Weighted one;

    while (low < high) {
        int64_t middle = (low + high) / 2;

        memcpy(&one, bytes.ptr + (size_t)middle * sizeof one, sizeof one);
        if (one.count > position)
            high = middle;
        else
            low = middle + 1;
    }
    memcpy(&one, bytes.ptr + (size_t)low * sizeof one, sizeof one);
    return one.value;
}

static double percentile(Str bytes, double percentage)
{
    Weighted last;

    memcpy(&last, bytes.ptr + bytes.size - sizeof last, sizeof last);
    double position = (double)(last.count - 1) * percentage, lower = floor(position), upper = ceil(position);
    double a = value_at(bytes, (int64_t)lower), b = value_at(bytes, (int64_t)upper);

    return lower == upper || a == b ? a : (upper - position) * a + (position - lower) * b;
}

static int percentiles(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t used = 0;

    (void)call;
    FN_ROWS(row, out, rows)
    {
        ChunkList wanted = ((const ChunkList *)args[1].data)[row];

        column_list_reserve(out, used + wanted.length);
        for (uint64_t i = 0; i < wanted.length; i++)
            ((double *)out->children[0].data)[used + i] = percentile(text_at(&args[0], row), ((const double *)args[1].children[0].data)[wanted.offset + i]);
        ((ChunkList *)out->data)[row] = (ChunkList){used, wanted.length};
        used += wanted.length;
    }
    return 0;
}

const DuckFunction fn_weighted[] = {
    {.name = "silt_weighted_percentiles", .args = "binary, array<double>", .result = "array<double>", .eval = percentiles},
    {0},
};

const DuckAggregate agg_weighted[] = {
    {.name = "silt_weighted",
     .args = "double, bigint",
     .result = "binary",
     .flags = FN_FAILS,
     .state_size = sizeof(Values),
     .update = update,
     .combine = combine,
     .finish = finish,
     .destroy = destroy},
    {0},
};
