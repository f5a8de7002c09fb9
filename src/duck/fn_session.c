/* duck/fn_session.c - functions that look at or change their session: the batch's clock, counters of expectations, what a copy has to know
 */
#include "duck/functions.h"
#include "duck/internal.h"

#include <string.h>

static int now(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)args;
    if (!call->session->now_set)
        return fn_fail(call, 0, "INTERNAL_ERROR", "the clock of the session is not set");
    int64_t *data = out->data;
    for (int row = 0; row < rows; row++)
        data[row] = call->session->now_us;
    return 0;
}

/* The counter must be a constant, so that there is room for it before anything runs. */
static int prepare_counter(FnCall *call, SiltErr *err)
{
    const Column *counter = &call->constants[0];
    if (!counter->type || column_is_null(counter, 0))
        return silt_fail(err, SILT_CONFIG, "%s needs a constant counter", call->function->name);
    duck__reserve_counter(call->session, *(const int32_t *)counter->data);
    return 0;
}

/* Count over all rows, then add once: several threads may run one query. */
static void count_rows(const FnCall *call, const Column *condition, int64_t passed, int rows)
{
    int64_t nulls = 0;
    for (int row = 0; passed < rows && row < rows; row++)
        nulls += column_is_null(condition, (uint64_t)row);
    DuckCounter *counter = &call->session->counters[*(const int32_t *)call->constants[0].data];
    __atomic_fetch_add(&counter->passed, passed, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counter->failed, rows - passed, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counter->nulls, nulls, __ATOMIC_RELAXED);
}

static bool is_true(const Column *condition, int row)
{
    return !column_is_null(condition, (uint64_t)row) && ((const uint8_t *)condition->data)[row];
}

static int pass(FnCall *call, const Column *args, Column *out, int rows)
{
    int64_t passed = 0;
    for (int row = 0; row < rows; row++) {
        bool holds = is_true(&args[1], row);
        ((uint8_t *)out->data)[row] = holds;
        passed += holds;
    }
    count_rows(call, &args[1], passed, rows);
    return 0;
}

static int fail_unless(FnCall *call, const Column *args, Column *out, int rows)
{
    int64_t passed = 0;
    int first_failed = -1;
    for (int row = 0; row < rows; row++) {
        bool holds = is_true(&args[1], row);
        ((uint8_t *)out->data)[row] = true;
        passed += holds;
        if (!holds && first_failed < 0)
            first_failed = row;
    }
    count_rows(call, &args[1], passed, rows);
    if (first_failed < 0)
        return 0;
    Str message =
        column_is_null(&args[2], (uint64_t)first_failed) ? STR("") : chunk_string((const ChunkString *)args[2].data + first_failed);
    return fn_fail(call, first_failed, "EXPECTATION_FAILED", "%.*s", FN_SHOW(message));
}

/* Whether -0.0 is among these rows, at any depth. */
static bool has_negative_zero(const Column *column, uint64_t from, uint64_t count)
{
    switch (column->type->kind) {
    case TYPE_FLOAT: /* the sign bit alone is set */
        for (uint64_t row = from; row < from + count; row++)
            if (((const uint32_t *)column->data)[row] == UINT32_C(1) << 31 && !column_is_null(column, row))
                return true;
        return false;
    case TYPE_DOUBLE:
        for (uint64_t row = from; row < from + count; row++)
            if (((const uint64_t *)column->data)[row] == UINT64_C(1) << 63 && !column_is_null(column, row))
                return true;
        return false;
    case TYPE_STRUCT:
        for (int i = 0; i < column->child_count; i++)
            if (has_negative_zero(&column->children[i], from, count))
                return true;
        return false;
    case TYPE_ARRAY:
    case TYPE_MAP:
        for (uint64_t row = from; row < from + count; row++) {
            if (column_is_null(column, row))
                continue;
            ChunkList list = ((const ChunkList *)column->data)[row];
            for (int i = 0; i < column->child_count; i++)
                if (has_negative_zero(&column->children[i], list.offset, list.length))
                    return true;
        }
        return false;
    default:
        return false;
    }
}

/* Always true; remembers in the session whether it has seen a -0.0. */
static int see_zeros(FnCall *call, const Column *args, Column *out, int rows)
{
    memset(out->data, true, (size_t)rows);
    for (int i = 0; i < call->arg_count; i++)
        if (has_negative_zero(&args[i], 0, (uint64_t)rows))
            __atomic_store_n(&call->session->negative_zero, true, __ATOMIC_RELAXED);
    return 0;
}

const DuckFunction fn_session[] = {
    {.name = "silt_now", .args = "", .result = "timestamp", .flags = FN_VOLATILE, .eval = now},
    {.name = "silt_pass",
     .args = "int, boolean",
     .result = "boolean",
     .flags = FN_VOLATILE | FN_NULLS,
     .eval = pass,
     .prepare = prepare_counter},
    {.name = "silt_fail_unless",
     .args = "int, boolean, string",
     .result = "boolean",
     .flags = FN_FAILS | FN_NULLS,
     .eval = fail_unless,
     .prepare = prepare_counter},
    {.name = "silt_see_zeros", .args = "any...", .result = "boolean", .flags = FN_VOLATILE | FN_NULLS, .eval = see_zeros},
    {0},
};
