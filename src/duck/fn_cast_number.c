/*
 * duck/fn_cast_number.c - CAST between numbers, booleans and timestamps
 *
 * Where DuckDB rounds, Spark cuts off; decimals are rounded half up by both.
 */
#include "duck/fn_cast.h"

#include "duck/calendar.h"
#include "duck/internal.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <math.h>
#include <stdlib.h>

typedef enum Outcome { DONE, OVERFLOW, INVALID, NULLED } Outcome;

/* A number on its way: exact (unscaled, scale) or floating. */
typedef struct Number {
    bool floating;
    double value;
    __int128 unscaled;
    int scale;
} Number;

static Number load(const Column *column, uint64_t row)
{
    const void *data = column->data;
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        return (Number){.unscaled = ((const uint8_t *)data)[row] != 0};
    case TYPE_BYTE:
        return (Number){.unscaled = ((const int8_t *)data)[row]};
    case TYPE_SHORT:
        return (Number){.unscaled = ((const int16_t *)data)[row]};
    case TYPE_INT:
        return (Number){.unscaled = ((const int32_t *)data)[row]};
    case TYPE_LONG:
        return (Number){.unscaled = ((const int64_t *)data)[row]};
    case TYPE_FLOAT:
        return (Number){.floating = true, .value = (double)((const float *)data)[row]};
    case TYPE_DOUBLE:
        return (Number){.floating = true, .value = ((const double *)data)[row]};
    default:
        return (Number){.unscaled = decimal_value(column, row), .scale = column->type->scale};
    }
}

/* The nearest double: exact steps where both parts are exact, else by way of the text. */
static double to_floating(const Number *n)
{
    if (n->floating)
        return n->value;
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    __int128 limit = (__int128)1 << 53;
    if (n->scale == 0 || (n->scale <= 22 && n->unscaled < limit && n->unscaled > -limit))
        return (double)n->unscaled / powers[n->scale];
    silt_auto(str_buf_fini) StrBuf text = {0};
    print_decimal(&text, n->unscaled, n->scale);
    return strtod(text.ptr, NULL);
}

static Outcome to_integer(const Number *n, int64_t min, int64_t max, int64_t *out)
{
    if (n->floating) { /* Spark compares as double, where the greatest long is 2^63: that value itself is cut down */
        if (!(floor(n->value) <= (double)max && ceil(n->value) >= (double)min))
            return OVERFLOW;
        *out = n->value >= 0x1p63 ? INT64_MAX : (int64_t)n->value;
        return DONE;
    }
    __int128 whole = n->unscaled / decimal_power(n->scale);
    *out = (int64_t)whole;
    return whole >= min && whole <= max ? DONE : OVERFLOW;
}

static Outcome to_decimal(const Number *n, const Type *type, __int128 *out)
{
    if (!n->floating)
        return decimal_rescale(n->unscaled, n->scale, type->precision, type->scale, out) ? DONE : OVERFLOW;
    if (!isfinite(n->value))
        return NULLED; /* as Spark, also in ANSI mode */
    silt_auto(str_buf_fini) StrBuf text = {0};
    print_double(&text, n->value);
    return parse_decimal(str_buf_view(&text), type->precision, type->scale, out) == 0 ? DONE : OVERFLOW;
}

/* Seconds, with fractions, to microseconds. */
static Outcome to_timestamp(const Column *from, const Number *n, int64_t *out)
{
    if (n->floating)
        return isfinite(n->value) ? to_integer(&(Number){.floating = true, .value = n->value * 1e6}, INT64_MIN, INT64_MAX, out) : INVALID;
    if (from->type->kind == TYPE_DECIMAL) {
        *out = decimal_seconds_to_us(n->unscaled, n->scale);
        return DONE;
    }
    __int128 us = n->unscaled * 1000000; /* integers stick at the ends */

    *out = us > INT64_MAX ? INT64_MAX : us < INT64_MIN ? INT64_MIN : (int64_t)us;
    return DONE;
}

static Number load_timestamp(const Column *column, uint64_t row, const Type *target)
{
    int64_t us = ((const int64_t *)column->data)[row];
    if (type_is_integral(target))
        return (Number){.unscaled = floor_div(us, 1000000)};
    if (target->kind == TYPE_DECIMAL)
        return (Number){.unscaled = us, .scale = 6};
    return (Number){.floating = true, .value = (double)us / 1e6};
}

static Outcome convert(const Column *from, Column *out, uint64_t row)
{
    const Type *type = out->type;
    Number n = from->type->kind == TYPE_TIMESTAMP ? load_timestamp(from, row, type) : load(from, row);
    int64_t integer = 0;
    __int128 decimal = 0;
    Outcome outcome = DONE;
    switch (type->kind) {
    case TYPE_BOOLEAN:
        ((uint8_t *)out->data)[row] = n.floating ? n.value != 0 : n.unscaled != 0;
        break;
    case TYPE_BYTE:
        outcome = to_integer(&n, INT8_MIN, INT8_MAX, &integer);
        ((int8_t *)out->data)[row] = (int8_t)integer;
        break;
    case TYPE_SHORT:
        outcome = to_integer(&n, INT16_MIN, INT16_MAX, &integer);
        ((int16_t *)out->data)[row] = (int16_t)integer;
        break;
    case TYPE_INT:
        outcome = to_integer(&n, INT32_MIN, INT32_MAX, &integer);
        ((int32_t *)out->data)[row] = (int32_t)integer;
        break;
    case TYPE_LONG:
        outcome = to_integer(&n, INT64_MIN, INT64_MAX, &integer);
        ((int64_t *)out->data)[row] = integer;
        break;
    case TYPE_FLOAT:
        ((float *)out->data)[row] = n.floating || n.scale ? (float)to_floating(&n) : (float)n.unscaled;
        break;
    case TYPE_DOUBLE:
        ((double *)out->data)[row] = to_floating(&n);
        break;
    case TYPE_DECIMAL:
        outcome = to_decimal(&n, type, &decimal);
        decimal_put(out, row, decimal);
        break;
    default:
        outcome = to_timestamp(from, &n, &integer);
        ((int64_t *)out->data)[row] = integer;
        break;
    }
    return outcome;
}

/* The value as Spark's messages show it: with the suffix of its type. */
static void show(StrBuf *out, const Column *column, uint64_t row)
{
    static const char suffixes[TYPE_STRUCT + 1][3] = {[TYPE_BYTE] = "Y", [TYPE_SHORT] = "S", [TYPE_LONG] = "L", [TYPE_DOUBLE] = "D"};
    value_print(out, column, row, NULL);
    if (str_buf_text(out)[0] != 'N' && str_buf_text(out)[0] != 'I')
        str_buf_puts(out, suffixes[column->type->kind]);
}

int fn_cast_number(FnCall *call, const Column *args, Column *out, int rows)
{
    bool fails = call->function->flags & FN_FAILS;
    FN_ROWS(row, out, rows)
    {
        Outcome outcome = convert(&args[0], out, (uint64_t)row);
        if (__builtin_expect(outcome == DONE, 1))
            continue;
        if (outcome == NULLED || !fails) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        silt_auto(str_buf_fini) StrBuf from = {0}, to = {0};
        str_buf_clear(call->scratch);
        show(call->scratch, &args[0], (uint64_t)row);
        type_print(&from, args[0].type);
        type_print(&to, out->type);
        const char *code = out->type->kind == TYPE_DECIMAL ? "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"
                           : outcome == OVERFLOW           ? "CAST_OVERFLOW"
                                                           : "CAST_INVALID_INPUT";
        return fn_fail(call, row, code, "%s (%s) does not fit %s", call->scratch->ptr, from.ptr, to.ptr);
    }
    return 0;
}

/* ---- dates and timestamps by the session's zone ---- */

int fn_cast_zone(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, "INVALID_CONF_VALUE.TIME_ZONE", "%s", err.message);
    TypeKind from = args[0].type->kind, to = out->type->kind;
    FN_ROWS(row, out, rows)
    {
        int64_t local_us; /* by way of local time; from and to TIMESTAMP_NTZ is no step */
        if (from == TYPE_DATE)
            local_us = ((const int32_t *)args[0].data)[row] * DAY_US;
        else
            local_us = ((const int64_t *)args[0].data)[row];
        if (from == TYPE_TIMESTAMP)
            local_us = zone_to_local_us(zone, local_us);
        if (to == TYPE_DATE)
            ((int32_t *)out->data)[row] = (int32_t)floor_div(local_us, DAY_US);
        else
            ((int64_t *)out->data)[row] = to == TYPE_TIMESTAMP ? zone_to_utc_us(zone, local_us) : local_us;
    }
    return 0;
}
