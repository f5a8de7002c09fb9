/*
 * duck/fn_cast.c - "silt_cast:<type>"(value, pos) and "silt_try_cast:<type>"(value): Spark's CAST in ANSI mode
 *
 * The pair of types chooses the family once, when the statement is prepared. A value whose type DuckDB does not tell (intervals are
 * INTEGER or BIGINT to it) needs its type in the name too: "silt_cast:interval day to second->string"(value, pos).
 * Where DuckDB's own CAST does the same and cannot fail (widening integers, integers to double), a printer uses that.
 */
#include "duck/fn_cast.h"

#include "duck/parse.h"
#include "duck/print.h"

#include <string.h>

typedef int (*Eval)(FnCall *call, const Column *args, Column *out, int rows);

static bool is_interval(const Type *type)
{
    return type->kind == TYPE_INTERVAL_YM || type->kind == TYPE_INTERVAL_DT;
}

static bool is_day_like(const Type *type)
{
    return type->kind == TYPE_DATE || type->kind == TYPE_TIMESTAMP || type->kind == TYPE_TIMESTAMP_NTZ;
}

/* ---- small families ---- */

static int to_same(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str bytes = chunk_string((const ChunkString *)args[0].data + row);
        column_set_string(out, (uint64_t)row, bytes.ptr, bytes.size);
    }
    return 0;
}

/* In the type's last unit: months or years, or microseconds in a day, hour, minute or second. */
static int64_t interval_unit(const Type *type)
{
    static const int64_t time_units[] = {INT64_C(86400000000), INT64_C(3600000000), 60000000, 1000000};
    return type->kind == TYPE_INTERVAL_YM ? (type->to_unit == 0 ? 12 : 1) : time_units[type->to_unit];
}

static int64_t load_integer(const Column *column, int row)
{
    switch (column->type->kind) {
    case TYPE_BYTE:
        return ((const int8_t *)column->data)[row];
    case TYPE_SHORT:
        return ((const int16_t *)column->data)[row];
    case TYPE_INT:
    case TYPE_INTERVAL_YM:
        return ((const int32_t *)column->data)[row];
    default:
        return ((const int64_t *)column->data)[row];
    }
}

static bool store_integer(Column *column, int row, int64_t value)
{
    switch (column->type->kind) {
    case TYPE_BYTE:
        return ((int8_t *)column->data)[row] = (int8_t)value, value == (int8_t)value;
    case TYPE_SHORT:
        return ((int16_t *)column->data)[row] = (int16_t)value, value == (int16_t)value;
    case TYPE_INT:
    case TYPE_INTERVAL_YM:
        return ((int32_t *)column->data)[row] = (int32_t)value, value == (int32_t)value;
    default:
        ((int64_t *)column->data)[row] = value;
        return true;
    }
}

static int fail_or_null(FnCall *call, Column *out, int row)
{
    if (call->function->flags & FN_FAILS) {
        silt_auto(str_buf_fini) StrBuf type = {0};
        type_print(&type, out->type);
        return fn_fail(call, row, out->type->kind == TYPE_DECIMAL ? "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION" : "CAST_OVERFLOW", "the value does not fit %s", type.ptr);
    }
    column_set_null(out, (uint64_t)row);
    return 0;
}

/* Whole units to an interval and back; another interval is cut down to the units of the new one. */
static int integer_and_interval(FnCall *call, const Column *args, Column *out, int rows)
{
    bool from_interval = is_interval(args[0].type), to_interval = is_interval(out->type);
    int64_t unit = interval_unit(to_interval ? out->type : args[0].type);
    FN_ROWS(row, out, rows)
    {
        int64_t from = load_integer(&args[0], row), value = from / unit;
        bool fits = true;
        if (from_interval && to_interval)
            value = from - from % unit;
        else if (to_interval)
            fits = !__builtin_mul_overflow(from, unit, &value);
        if (!(fits && store_integer(out, row, value)))
            SILT_TRY(fail_or_null(call, out, row));
    }
    return 0;
}

/* Seconds keep their fraction, other units are whole. */
static int decimal_and_interval(FnCall *call, const Column *args, Column *out, int rows)
{
    bool to_interval = is_interval(out->type);
    const Type *interval = to_interval ? out->type : args[0].type;
    int64_t unit = interval_unit(interval);
    bool seconds = interval->kind == TYPE_INTERVAL_DT && interval->to_unit == 3;
    FN_ROWS(row, out, rows)
    {
        __int128 value;
        bool fits;
        if (to_interval) {
            fits = !__builtin_mul_overflow(decimal_value(&args[0], (uint64_t)row), (__int128)unit, &value) &&
                   decimal_rescale(value, args[0].type->scale, 38, 0, &value) && value == (int64_t)value &&
                   store_integer(out, row, (int64_t)value);
        } else {
            int64_t from = load_integer(&args[0], row);
            fits = decimal_rescale(seconds ? from : from / unit, seconds ? 6 : 0, out->type->precision, out->type->scale, &value);
            if (fits)
                decimal_put(out, (uint64_t)row, value);
        }
        if (!fits)
            SILT_TRY(fail_or_null(call, out, row));
    }
    return 0;
}

static int all_null(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call, (void)args;
    FN_ROWS(row, out, rows)
    column_set_null(out, (uint64_t)row);
    return 0;
}

/* ---- choosing ---- */

static bool number_like(const Type *type)
{
    return type_is_numeric(type) || type->kind == TYPE_BOOLEAN || type->kind == TYPE_TIMESTAMP;
}

static Eval choose(const Type *from, const Type *to)
{
    if (from->kind == TYPE_VOID)
        return all_null;
    if (to->kind == TYPE_STRING)
        return from->kind == TYPE_STRING ? to_same : fn_cast_string;
    if (from->kind == TYPE_STRING) {
        if (to->kind == TYPE_BINARY)
            return to_same;
        bool parsed = type_is_numeric(to) || to->kind == TYPE_BOOLEAN || is_day_like(to) || is_interval(to) || to->kind == TYPE_INTERVAL || to->kind == TYPE_TIME;
        return parsed ? fn_cast_text : NULL;
    }
    if (is_day_like(from) && is_day_like(to))
        return fn_cast_zone;
    if (number_like(from) && number_like(to))
        return fn_cast_number;
    if (is_interval(from) && is_interval(to))
        return from->kind == to->kind ? integer_and_interval : NULL;
    if ((is_interval(from) && type_is_integral(to)) || (type_is_integral(from) && is_interval(to)))
        return integer_and_interval;
    if ((is_interval(from) && to->kind == TYPE_DECIMAL) || (from->kind == TYPE_DECIMAL && is_interval(to)))
        return decimal_and_interval;
    return NULL;
}

static int prepare(FnCall *call, SiltErr *err)
{
    Eval *eval = ARENA_NEW(call->arena, Eval);
    *eval = choose(call->arg_types[0], call->result_type);
    call->data = eval;
    if (*eval)
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot cast %s to %s", type_text(call->arena, call->arg_types[0]),
              type_text(call->arena, call->result_type));
    return silt_code(err, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION");
}

static int cast(FnCall *call, const Column *args, Column *out, int rows)
{
    return (*(Eval *)call->data)(call, args, out, rows);
}

const DuckFunction fn_cast[] = {
    {.name = "silt_cast", .args = "any", .flags = FN_FAILS, .eval = cast, .prepare = prepare},
    {.name = "silt_try_cast",
     .args = "any",
     .flags = FN_VOLATILE,
     .eval = cast,
     .prepare = prepare}, /* '03:04' as timestamp asks the clock */
    {0},
};
