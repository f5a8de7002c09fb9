/* duck/fn_interval.c - lengths of time: between two times, of their parts */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <math.h>

/* Whole months from one local time to another, as Java's ChronoUnit.MONTHS counts. */
static int months_whole(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t from = long_at(&args[0], row), to = long_at(&args[1], row);
        int64_t day_a = floor_div(from, DAY_US), day_b = floor_div(to, DAY_US);
        CivilDate a = calendar_date(day_a), b = calendar_date(day_b);
        int64_t whole = (b.year - a.year) * 12 + b.month - a.month;
        int64_t in_month_a = from - (day_a - a.day) * DAY_US, in_month_b = to - (day_b - b.day) * DAY_US;

        if (whole > 0 && in_month_b < in_month_a)
            whole--;
        else if (whole < 0 && in_month_b > in_month_a)
            whole++;
        ((int64_t *)out->data)[row] = whole;
    }
    return 0;
}

/* Years, months, weeks, days, hours, minutes, then seconds with six digits. False: a part does not fit. */
static bool interval_of(const Column *args, int row, ChunkInterval *out)
{
    int64_t months = (int64_t)int_at(&args[0], row) * 12 + int_at(&args[1], row), days = (int64_t)int_at(&args[2], row) * 7 + int_at(&args[3], row);
    __int128 us = (__int128)int_at(&args[4], row) * INT64_C(3600000000) + (__int128)int_at(&args[5], row) * 60000000 + decimal_value(&args[6], (uint64_t)row);

    *out = (ChunkInterval){.months = (int32_t)months, .days = (int32_t)days, .us = (int64_t)us};
    return out->months == months && out->days == days && out->us == us;
}

/* Of a product that does not fit Java keeps the lowest 64 bits. */
static int wrapped_seconds(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    ((int64_t *)out->data)[row] = (int64_t)((uint64_t)long_at(&args[0], row) * 1000000);
    return 0;
}

/* Fractions of microseconds are cut off; what does not fit sticks at the ends. */
static int double_seconds(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        double seconds = ((const double *)args[0].data)[row], us = seconds * 1e6;

        if (!isfinite(seconds))
            column_set_null(out, (uint64_t)row);
        else
            ((int64_t *)out->data)[row] = us >= 0x1p63 ? INT64_MAX : us < -0x1p63 ? INT64_MIN : (int64_t)us;
    }
    return 0;
}

static int make_interval(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    if (!interval_of(args, row, (ChunkInterval *)out->data + row))
        return fn_fail(call, row, "ARITHMETIC_OVERFLOW", "the parts make no INTERVAL: its months and days are an INT each, its rest a BIGINT of microseconds");
    return 0;
}

static int try_make_interval(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    if (!interval_of(args, row, (ChunkInterval *)out->data + row))
        column_set_null(out, (uint64_t)row);
    return 0;
}

/* ---- times and divided by numbers: "silt_interval_multiply:<interval>"(interval, number, pos) ---- */

typedef enum Scaled { SCALED, SCALED_BY_ZERO, SCALED_TOO_FAR } Scaled;

/* Half away from zero, as Java's HALF_UP. */
static bool round_double(double value, int64_t *out)
{
    double near = rint(value);

    if (fabs(value - near) == 0.5)
        near = value + copysign(0.5, value);
    if (!(near >= -0x1p63 && near < 0x1p63))
        return false;
    *out = (int64_t)near;
    return true;
}

static bool divide_half_up(__int128 value, __int128 by, int64_t *out)
{
    __int128 whole = value / by, rest = value % by;
    __int128 left = rest < 0 ? -rest : rest, half = by < 0 ? -by : by;

    if (left >= half - left)
        whole += (value < 0) != (by < 0) ? -1 : 1;
    *out = (int64_t)whole;
    return *out == whole;
}

static int64_t whole_at(const Column *column, int row)
{
    switch (column->type->kind) {
    case TYPE_BYTE:
        return ((const int8_t *)column->data)[row];
    case TYPE_SHORT:
        return ((const int16_t *)column->data)[row];
    case TYPE_LONG:
        return long_at(column, row);
    default:
        return int_at(column, row);
    }
}

/* x * y / by, half away from zero, where the product needs up to 192 bits; y and by are below 2^127. False: it does not fit. */
static bool multiply_divide_half_up(int64_t x, __int128 y, __int128 by, int64_t *out)
{
    bool negative = (x < 0) ^ (y < 0) ^ (by < 0);
    uint64_t a = x < 0 ? -(uint64_t)x : (uint64_t)x;
    unsigned __int128 b = y < 0 ? -(unsigned __int128)y : (unsigned __int128)y, c = by < 0 ? -(unsigned __int128)by : (unsigned __int128)by;
    unsigned __int128 low = (unsigned __int128)a * (uint64_t)b, high = (unsigned __int128)a * (uint64_t)(b >> 64) + (uint64_t)(low >> 64);
    uint64_t words[] = {(uint64_t)(high >> 64), (uint64_t)high, (uint64_t)low};
    unsigned __int128 whole = 0, rest = 0;

    for (int bit = 0; bit < 192; bit++) { /* rest < c < 2^127 */
        rest = rest << 1 | (words[bit / 64] >> (63 - bit % 64) & 1);
        if (whole >> 64)
            return false;
        whole <<= 1;
        if (rest >= c) {
            rest -= c;
            whole |= 1;
        }
    }
    whole += rest >= c - rest;
    if (whole > (unsigned __int128)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? -(uint64_t)whole : (uint64_t)whole);
    return true;
}

static Scaled scale_by_decimal(int64_t x, __int128 by, int scale, bool divide, int64_t *out)
{
    __int128 unit = decimal_power(scale), times = divide ? unit : by, over = divide ? by : unit, product;
    bool fits = __builtin_mul_overflow((__int128)x, times, &product) ? multiply_divide_half_up(x, times, over, out) : divide_half_up(product, over, out);

    return fits ? SCALED : SCALED_TOO_FAR;
}

static Scaled scale_interval(FnCall *call, const Column *args, Column *out, int row, bool divide)
{
    bool months = call->result_type->kind == TYPE_INTERVAL_YM;
    int64_t x = months ? int_at(&args[0], row) : long_at(&args[0], row), r = 0;
    const Column *number = &args[1];
    TypeKind kind = number->type->kind;
    Scaled done;

    if (kind == TYPE_DOUBLE || kind == TYPE_FLOAT) {
        double by = kind == TYPE_DOUBLE ? ((const double *)number->data)[row] : (double)((const float *)number->data)[row];

        if (divide && by == 0)
            return SCALED_BY_ZERO;
        done = round_double(divide ? (double)x / by : (double)x * by, &r) ? SCALED : SCALED_TOO_FAR;
    } else {
        bool decimal = kind == TYPE_DECIMAL;
        __int128 by = decimal ? decimal_value(number, (uint64_t)row) : whole_at(number, row);

        if (divide && !by)
            return SCALED_BY_ZERO;
        done = scale_by_decimal(x, by, decimal ? number->type->scale : 0, divide, &r);
    }
    if (done != SCALED)
        return done;
    if (!months) {
        ((int64_t *)out->data)[row] = r;
        return SCALED;
    }
    ((int32_t *)out->data)[row] = (int32_t)r;
    return r == (int32_t)r ? SCALED : SCALED_TOO_FAR;
}

static int scale_or_fail(FnCall *call, const Column *args, Column *out, int rows, bool divide)
{
    FN_ROWS(row, out, rows) {
        Scaled done = scale_interval(call, args, out, row, divide);

        if (done == SCALED_BY_ZERO)
            return fn_fail(call, row, "INTERVAL_DIVIDED_BY_ZERO", "division of an interval by zero");
        if (done == SCALED_TOO_FAR)
            return fn_fail(call, row, "ARITHMETIC_OVERFLOW", "the result does not fit an interval");
    }
    return 0;
}

static int scale_or_null(FnCall *call, const Column *args, Column *out, int rows, bool divide)
{
    FN_ROWS(row, out, rows)
    if (scale_interval(call, args, out, row, divide) != SCALED)
        column_set_null(out, (uint64_t)row);
    return 0;
}

static int multiply(FnCall *call, const Column *args, Column *out, int rows)
{
    return scale_or_fail(call, args, out, rows, false);
}

static int divide(FnCall *call, const Column *args, Column *out, int rows)
{
    return scale_or_fail(call, args, out, rows, true);
}

static int try_multiply(FnCall *call, const Column *args, Column *out, int rows)
{
    return scale_or_null(call, args, out, rows, false);
}

static int try_divide(FnCall *call, const Column *args, Column *out, int rows)
{
    return scale_or_null(call, args, out, rows, true);
}

#define INTERVAL_PARTS "int, int, int, int, int, int, decimal(18,6)"

const DuckFunction fn_interval[] = {
    {.name = "silt_make_interval", .args = INTERVAL_PARTS, .result = "interval", .flags = FN_FAILS, .eval = make_interval},
    {.name = "silt_try_make_interval", .args = INTERVAL_PARTS, .result = "interval", .eval = try_make_interval},
    {.name = "silt_wrapped_seconds", .args = "bigint", .result = "timestamp", .eval = wrapped_seconds},
    {.name = "silt_double_seconds", .args = "double", .result = "timestamp", .eval = double_seconds},
    {.name = "silt_interval_multiply", .args = "any, any", .flags = FN_FAILS, .eval = multiply},
    {.name = "silt_interval_divide", .args = "any, any", .flags = FN_FAILS, .eval = divide},
    {.name = "silt_try_interval_multiply", .args = "any, any", .eval = try_multiply},
    {.name = "silt_try_interval_divide", .args = "any, any", .eval = try_divide},
    {.name = "silt_months_whole", .args = "timestamp_ntz, timestamp_ntz", .result = "bigint", .eval = months_whole},
    {0},
};
