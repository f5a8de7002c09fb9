/*
 * duck/fn_decimal.c - decimal arithmetic with Spark's results: exact, then rounded half up to the type in the name
 *
 * "silt_decimal_divide:decimal(23,13)"(a, b, pos). Intermediate values have up to 77 digits: 256 bits, sign and magnitude.
 */
#include "duck/column_put.h"
#include "duck/functions.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 U128;
typedef struct U256 {
    U128 high, low;
} U256;

static U256 multiply(U128 a, U128 b)
{
    U128 mask = UINT64_MAX;
    U128 al = a & mask, ah = a >> 64, bl = b & mask, bh = b >> 64;
    U128 ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
    U128 middle = (ll >> 64) + (lh & mask) + (hl & mask);

    return (U256){hh + (lh >> 64) + (hl >> 64) + (middle >> 64), (middle << 64) | (ll & mask)};
}

static bool less(U256 a, U256 b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static U256 subtract(U256 a, U256 b)
{
    return (U256){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static U256 add(U256 a, U256 b)
{
    U128 low = a.low + b.low;

    return (U256){a.high + b.high + (low < a.low), low};
}

/* Quotient and rest; the divisor is not zero. */
static U256 divide(U256 n, U256 d, U256 *rest)
{
    U256 q = {0, 0}, r = {0, 0};

    if (!n.high && !d.high) {
        *rest = (U256){0, n.low % d.low};
        return (U256){0, n.low / d.low};
    }
    for (int i = 255; i >= 0; i--) {
        r = (U256){r.high << 1 | r.low >> 127, r.low << 1};
        r.low |= (i >= 128 ? n.high >> (i - 128) : n.low >> i) & 1;
        if (!less(r, d)) {
            r = subtract(r, d);
            if (i >= 128)
                q.high |= (U128)1 << (i - 128);
            else
                q.low |= (U128)1 << i;
        }
    }
    *rest = r;
    return q;
}

static U128 power(int exponent)
{
    return (U128)decimal_power(exponent);
}

/* value * 10^by; by is at most 38, so it fits */
static U256 scale_up(U128 value, int by)
{
    return multiply(value, power(by));
}

/* value * 10^by for a by up to 76; false if that has more than 256 bits. */
static bool scale_far_up(U128 value, int by, U256 *out)
{
    if (by <= 38) {
        *out = scale_up(value, by);
        return true;
    }
    U256 once = scale_up(value, 38), low = multiply(once.low, power(by - 38)), high = multiply(once.high, power(by - 38));

    *out = (U256){low.high + high.low, low.low};
    return !high.high && out->high >= low.high;
}

static U256 round_half_up(U256 n, U256 d)
{
    U256 rest, q = divide(n, d, &rest);
    U256 twice = add(rest, rest);

    if (!less(twice, d))
        q = add(q, (U256){0, 1});
    return q;
}

static U128 magnitude(__int128 v)
{
    return v < 0 ? -(U128)v : (U128)v;
}

typedef enum Outcome { DONE, OVERFLOW, BY_ZERO, REST_BY_ZERO } Outcome;

static Outcome store(Column *out, int row, U256 value, bool negative)
{
    if (value.high || value.low >= power(out->type->precision == 38 ? 38 : out->type->precision))
        return OVERFLOW;
    decimal_put(out, (uint64_t)row, negative ? -(__int128)value.low : (__int128)value.low);
    return DONE;
}

static Outcome add_row(const Column *a, const Column *b, Column *out, int row, bool minus)
{
    int sa = a->type->scale, sb = b->type->scale, s = sa > sb ? sa : sb, to = out->type->scale;
    __int128 x = decimal_value(a, (uint64_t)row), y = decimal_value(b, (uint64_t)row);
    U256 mx = scale_up(magnitude(x), s - sa), my = scale_up(magnitude(y), s - sb), r;
    bool nx = x < 0, ny = (y < 0) != minus, negative = nx;

    if (nx == ny) {
        r = add(mx, my);
    } else if (less(mx, my)) {
        r = subtract(my, mx);
        negative = ny;
    } else {
        r = subtract(mx, my);
    }
    if (to < s)
        r = round_half_up(r, (U256){0, power(s - to)});
    return store(out, row, r, negative);
}

static Outcome multiply_row(const Column *a, const Column *b, Column *out, int row)
{
    __int128 x = decimal_value(a, (uint64_t)row), y = decimal_value(b, (uint64_t)row);
    U256 r = multiply(magnitude(x), magnitude(y));
    int drop = a->type->scale + b->type->scale - out->type->scale;

    if (drop > 38)
        r = round_half_up(r, multiply(power(38), power(drop - 38)));
    else if (drop > 0)
        r = round_half_up(r, (U256){0, power(drop)});
    return store(out, row, r, (x < 0) != (y < 0));
}

static Outcome divide_row(const Column *a, const Column *b, Column *out, int row)
{
    __int128 x = decimal_value(a, (uint64_t)row), y = decimal_value(b, (uint64_t)row);
    int up = out->type->scale - a->type->scale + b->type->scale;

    if (!y)
        return BY_ZERO;
    U256 n = {0, magnitude(x)}, d = {0, magnitude(y)};

    if (up < 0)
        d = scale_up(magnitude(y), -up);
    else if (!scale_far_up(magnitude(x), up, &n))
        return OVERFLOW; /* 2^256 over a divisor of 38 digits still has more than 38 */
    return store(out, row, round_half_up(n, d), (x < 0) != (y < 0));
}

static Outcome rest_row(const Column *a, const Column *b, Column *out, int row, bool positive)
{
    int sa = a->type->scale, sb = b->type->scale, s = sa > sb ? sa : sb, to = out->type->scale;
    __int128 x = decimal_value(a, (uint64_t)row), y = decimal_value(b, (uint64_t)row);

    if (!y)
        return REST_BY_ZERO;
    U256 d = scale_up(magnitude(y), s - sb), r;

    divide(scale_up(magnitude(x), s - sa), d, &r);
    bool negative = x < 0;

    if (positive && negative && (r.high || r.low)) {
        /* the rest of (r + b) by b */
        if (y > 0)
            r = subtract(d, r), negative = false;
    }
    if (to < s)
        r = round_half_up(r, (U256){0, power(s - to)});
    return store(out, row, r, negative);
}

static Outcome whole_row(const Column *a, const Column *b, Column *out, int row)
{
    int sa = a->type->scale, sb = b->type->scale, s = sa > sb ? sa : sb;
    __int128 x = decimal_value(a, (uint64_t)row), y = decimal_value(b, (uint64_t)row);
    U256 rest;

    if (!y)
        return BY_ZERO;
    U256 q = divide(scale_up(magnitude(x), s - sa), scale_up(magnitude(y), s - sb), &rest);

    if (q.high || q.low >= power(38))
        return OVERFLOW; /* no DECIMAL, which the quotient is before it becomes a BIGINT */
    uint64_t low = (uint64_t)q.low; /* of one that does not fit Java keeps the lowest 64 bits */

    ((int64_t *)out->data)[row] = (int64_t)((x < 0) != (y < 0) ? -low : low);
    return DONE;
}

static int fault(FnCall *call, int row, Outcome o)
{
    silt_auto(str_buf_fini) StrBuf type = {0};

    if (o == BY_ZERO)
        return fn_fail(call, row, "DIVIDE_BY_ZERO", "division by zero");
    if (o == REST_BY_ZERO)
        return fn_fail(call, row, "REMAINDER_BY_ZERO", "remainder of a division by zero");
    type_print(&type, call->result_type);
    return fn_fail(call, row, "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "the result does not fit %s", str_buf_text(&type));
}

#define DECIMAL_OP(name, row_result)                                               \
    static int name(FnCall *call, const Column *args, Column *out, int rows)       \
    {                                                                              \
        FN_ROWS(row, out, rows) {                                                  \
            Outcome o = row_result;                                                \
            if (__builtin_expect(o != DONE, 0))                                    \
                return fault(call, row, o);                                        \
        }                                                                          \
        return 0;                                                                  \
    }                                                                              \
    static int try_##name(FnCall *call, const Column *args, Column *out, int rows) \
    {                                                                              \
        FN_ROWS(row, out, rows)                                                    \
            if (row_result != DONE)                                                \
                column_set_null(out, (uint64_t)row);                               \
        return 0;                                                                  \
    }

DECIMAL_OP(decimal_add, add_row(&args[0], &args[1], out, row, false))
DECIMAL_OP(decimal_subtract, add_row(&args[0], &args[1], out, row, true))
DECIMAL_OP(decimal_multiply, multiply_row(&args[0], &args[1], out, row))
DECIMAL_OP(decimal_divide, divide_row(&args[0], &args[1], out, row))
DECIMAL_OP(decimal_mod, rest_row(&args[0], &args[1], out, row, false))
DECIMAL_OP(decimal_pmod, rest_row(&args[0], &args[1], out, row, true))
DECIMAL_OP(decimal_div, whole_row(&args[0], &args[1], out, row))

/* ---- rounding: "silt_round:<type>"(x, scale, 'up' | 'even' | 'ceil' | 'floor', pos) ---- */

/* value / 10^drop by mode; drop >= 0 */
static __int128 rounded(__int128 value, int drop, char mode)
{
    if (drop > 38)
        return mode == 'c' ? value > 0 : mode == 'f' ? -(value < 0) : 0;
    __int128 unit = decimal_power(drop), q = value / unit, rest = value % unit;

    if (!rest)
        return q;
    int sign = value < 0 ? -1 : 1;

    switch (mode) {
    case 'c':
        return q + (value > 0);
    case 'f':
        return q - (value < 0);
    default: {
        __int128 twice = (rest < 0 ? -rest : rest);
        bool above = twice > unit - twice, half = twice == unit - twice;

        return above || (half && (mode == 'u' || q % 2 != 0)) ? q + sign : q;
    }
    }
}

/* The digits of the shortest text of x, and where the point stands: |x| = 0.d1d2.. * 10^point */
static int shortest_digits(double x, bool single, char digits[20], int *point)
{
    char text[40];

    for (int precision = 0; precision <= 16; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, fabs(x));
        if (single ? strtof(text, NULL) == (float)fabs(x) : strtod(text, NULL) == fabs(x))
            break;
    }
    int n = 0;

    for (char *c = text; *c && *c != 'e'; c++)
        if (*c != '.')
            digits[n++] = *c;
    *point = atoi(strchr(text, 'e') + 1) + 1;
    return n;
}

static double round_floating(double x, bool single, int64_t scale, char mode)
{
    char digits[20], text[64];
    int point, n;

    if (!isfinite(x) || x == 0)
        return x;
    n = shortest_digits(x, single, digits, &point);
    int64_t keep = point + scale; /* digits that stay */

    if (keep >= n)
        return x;
    if (keep < 0)
        return x < 0 ? -0.0 : 0.0;
    __int128 unscaled = 0;

    for (int i = 0; i < n; i++)
        unscaled = unscaled * 10 + (digits[i] - '0');
    if (x < 0)
        unscaled = -unscaled;
    unscaled = rounded(unscaled, (int)(n - keep), mode);
    snprintf(text, sizeof text, "%s%llue%lld", unscaled < 0 ? "-" : "", (unsigned long long)(unscaled < 0 ? -unscaled : unscaled), (long long)-scale);
    return single ? (double)strtof(text, NULL) : strtod(text, NULL);
}

static int64_t integer_value(const Column *column, int row)
{
    switch (column->type->kind) {
    case TYPE_BYTE:
        return ((const int8_t *)column->data)[row];
    case TYPE_SHORT:
        return ((const int16_t *)column->data)[row];
    case TYPE_INT:
        return ((const int32_t *)column->data)[row];
    default:
        return ((const int64_t *)column->data)[row];
    }
}

static int round_number(FnCall *call, const Column *args, Column *out, int rows)
{
    TypeKind kind = call->arg_types[0]->kind;

    FN_ROWS(row, out, rows) {
        int64_t scale = ((const int32_t *)args[1].data)[row];
        char mode = chunk_string((const ChunkString *)args[2].data + row).ptr[0];

        if (kind == TYPE_DECIMAL) {
            int from = args[0].type->scale;
            __int128 v = decimal_value(&args[0], (uint64_t)row);

            if (scale < from)
                v = rounded(v, (int)(from - scale), mode);
            else
                scale = from;
            /* v now has `scale`; the type has out->scale >= scale */
            int up = out->type->scale - (int)scale;

            if (up > 38 || magnitude(v) >= power(out->type->precision) / power(up)) {
                if (v)
                    return fault(call, row, OVERFLOW);
            }
            decimal_put(out, (uint64_t)row, v * decimal_power(up > 38 ? 0 : up));
        } else if (kind == TYPE_DOUBLE || kind == TYPE_FLOAT) {
            double x = kind == TYPE_DOUBLE ? ((const double *)args[0].data)[row] : (double)((const float *)args[0].data)[row];

            if (out->type->kind == TYPE_LONG) {
                x = mode == 'c' ? ceil(x) : floor(x);
                ((int64_t *)out->data)[row] = isnan(x) ? 0 : x >= 9223372036854775807.0 ? INT64_MAX : x <= -9223372036854775808.0 ? INT64_MIN : (int64_t)x;
                continue;
            }
            x = round_floating(x, kind == TYPE_FLOAT, scale, mode);
            if (kind == TYPE_DOUBLE)
                ((double *)out->data)[row] = x;
            else
                ((float *)out->data)[row] = (float)x;
        } else {
            __int128 v = integer_value(&args[0], row);

            if (scale < 0)
                v = scale < -38 ? 0 : rounded(v, (int)-scale, mode) * decimal_power((int)-scale);
            if (!column_set_whole(out, (uint64_t)row, v))
                return fn_fail(call, row, "ARITHMETIC_OVERFLOW", "the rounded number does not fit its type");
        }
    }
    return 0;
}

#define FAILING(sql_name, fn) {.name = sql_name, .args = "any, any", .flags = FN_FAILS, .eval = fn}
#define TRYING(sql_name, fn) {.name = sql_name, .args = "any, any", .eval = fn}

const DuckFunction fn_decimal[] = {
    FAILING("silt_decimal_add", decimal_add),
    FAILING("silt_decimal_subtract", decimal_subtract),
    FAILING("silt_decimal_multiply", decimal_multiply),
    FAILING("silt_decimal_divide", decimal_divide),
    FAILING("silt_decimal_mod", decimal_mod),
    FAILING("silt_decimal_pmod", decimal_pmod),
    FAILING("silt_decimal_div", decimal_div),
    TRYING("silt_try_decimal_add", try_decimal_add),
    TRYING("silt_try_decimal_subtract", try_decimal_subtract),
    TRYING("silt_try_decimal_multiply", try_decimal_multiply),
    TRYING("silt_try_decimal_divide", try_decimal_divide),
    TRYING("silt_try_decimal_mod", try_decimal_mod),
    TRYING("silt_try_decimal_pmod", try_decimal_pmod),
    TRYING("silt_try_decimal_div", try_decimal_div),
    {.name = "silt_round", .args = "any, int, string", .flags = FN_FAILS, .eval = round_number},
    {0},
};
