/* duck/agg_decimal.c - sums of decimals that could pass 38 digits: exact, and failing when the total does not fit */
#include "duck/functions.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <string.h>

/* States are aligned to 8 bytes: the total is kept in two halves of 64 bits and read by memcpy. */
typedef struct DecimalSum {
    int64_t total[2];
    int64_t pos;
    bool seen, overflow; /* of 128 bits */
} DecimalSum;

static void add(DecimalSum *sum, __int128 value)
{
    __int128 total;

    memcpy(&total, sum->total, sizeof total);
    sum->overflow |= __builtin_add_overflow(total, value, &total);
    memcpy(sum->total, &total, sizeof total);
}

static int update(AggCall *call, void *state, const Column *args, int row)
{
    DecimalSum *sum = state;

    add(sum, decimal_value(&args[0], (uint64_t)row));
    sum->pos = agg_pos(call, row);
    sum->seen = true;
    return 0;
}

static void combine(void *into, void *from)
{
    DecimalSum *sum = into;
    const DecimalSum *other = from;
    __int128 total;

    memcpy(&total, other->total, sizeof total);
    add(sum, total);
    if (!sum->seen)
        sum->pos = other->pos;
    sum->seen |= other->seen;
    sum->overflow |= other->overflow;
}

static bool fits(const DecimalSum *sum, const Type *type, __int128 *total)
{
    __int128 limit = decimal_power(type->precision);

    memcpy(total, sum->total, sizeof *total);
    return sum->seen && !sum->overflow && *total < limit && *total > -limit;
}

static int try_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    __int128 total;

    if (fits(state, out->type, &total))
        decimal_put(out, row, total);
    else
        column_set_null(out, row);
    return 0;
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const DecimalSum *sum = state;
    __int128 total;

    if (!sum->seen)
        column_set_null(out, row);
    else if (!fits(sum, out->type, &total))
        return agg_fail(call, sum->pos, "ARITHMETIC_OVERFLOW", "the sum does not fit decimal(%d,%d)", out->type->precision, out->type->scale);
    else
        decimal_put(out, row, total);
    return 0;
}

const DuckAggregate agg_decimal[] = {
    {.name = "silt_try_sum_decimal", .args = "any", .state_size = sizeof(DecimalSum), .update = update, .combine = combine, .finish = try_finish},
    {.name = "silt_sum_decimal", .args = "any", .flags = FN_FAILS, .state_size = sizeof(DecimalSum), .update = update, .combine = combine, .finish = finish},
    {0},
};
