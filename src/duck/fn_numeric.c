/* duck/fn_numeric.c - numbers where DuckDB refuses what Java computes, or rounds otherwise */
#include "duck/fn_text.h"
#include "duck/java_math.h"

#include <math.h>
#include <stdlib.h>

/* ---- one double, as Java's Math ---- */

#define ON_DOUBLE(name, expression)                                                                                                        \
    static int name(FnCall *call, const Column *args, Column *out, int rows)                                                               \
    {                                                                                                                                      \
        const double *in = args[0].data;                                                                                                   \
        (void)call;                                                                                                                        \
        FN_ROWS(row, out, rows)                                                                                                            \
        {                                                                                                                                  \
            double x = in[row];                                                                                                            \
            ((double *)out->data)[row] = (expression);                                                                                     \
        }                                                                                                                                  \
        return 0;                                                                                                                          \
    }

ON_DOUBLE(cube_root, java_cbrt(x))
ON_DOUBLE(square_root, x < 0 ? (double)NAN : sqrt(x))
ON_DOUBLE(exponential_minus_one, java_expm1(x))
ON_DOUBLE(logarithm_of_one_more, java_log1p(x))
ON_DOUBLE(decimal_logarithm, java_log10(x))
ON_DOUBLE(sign, x > 0 ? 1.0 : x < 0 ? -1.0 : x)
ON_DOUBLE(sine, sin(x))
ON_DOUBLE(cosine, cos(x))
ON_DOUBLE(tangent, tan(x))
ON_DOUBLE(cotangent, 1 / tan(x))
ON_DOUBLE(secant, 1 / cos(x))
ON_DOUBLE(cosecant, 1 / sin(x))
ON_DOUBLE(arc_sine, java_asin(x))
ON_DOUBLE(arc_cosine, java_acos(x))
ON_DOUBLE(arc_tangent, java_atan(x))
ON_DOUBLE(hyperbolic_sine, java_sinh(x))
ON_DOUBLE(hyperbolic_cosine, java_cosh(x))
ON_DOUBLE(hyperbolic_tangent, java_tanh(x))
ON_DOUBLE(area_sine, java_asinh(x))
ON_DOUBLE(area_cosine, java_acosh(x))
ON_DOUBLE(area_tangent, java_atanh(x))
ON_DOUBLE(nearest_integer, rint(x))
/* degrees and radians multiply by a rounded constant */
ON_DOUBLE(degrees, x * 57.29577951308232)
ON_DOUBLE(radians, x * 0.017453292519943295)

ON_DOUBLE(exponential, java_exp(x))
ON_DOUBLE(logarithm, java_log(x))

#define ON_DOUBLES(name, expression)                                                                                                       \
    static int name(FnCall *call, const Column *args, Column *out, int rows)                                                               \
    {                                                                                                                                      \
        const double *left = args[0].data, *right = args[1].data;                                                                          \
        (void)call;                                                                                                                        \
        FN_ROWS(row, out, rows)                                                                                                            \
        {                                                                                                                                  \
            double x = left[row], y = right[row];                                                                                          \
            ((double *)out->data)[row] = (expression);                                                                                     \
        }                                                                                                                                  \
        return 0;                                                                                                                          \
    }

ON_DOUBLES(hypotenuse, java_hypot(x, y))
ON_DOUBLES(power, java_pow(x, y))
ON_DOUBLES(angle, java_atan2(x + 0.0, y + 0.0)) /* Spark knows no -0 here */

/* Java's cast: what is behind the point is dropped, what is too large is the largest. */
static int double_to_long(FnCall *call, const Column *args, Column *out, int rows)
{
    const double *in = args[0].data;
    (void)call;
    FN_ROWS(row, out, rows)
    ((int64_t *)out->data)[row] = isnan(in[row]) ? 0 : in[row] >= 0x1p63 ? INT64_MAX : in[row] <= -0x1p63 ? INT64_MIN : (int64_t)in[row];
    return 0;
}

static int width_bucket(FnCall *call, const Column *args, Column *out, int rows)
{
    const double *value = args[0].data, *low = args[1].data, *high = args[2].data;
    (void)call;
    FN_ROWS(row, out, rows)
    {
        double v = value[row], a = low[row], b = high[row];
        int64_t count = long_at(&args[3], row), bucket;
        if (count <= 0 || count == INT64_MAX || isnan(v) || a == b || !isfinite(a) || !isfinite(b)) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        double lower = fmin(a, b), upper = fmax(a, b);
        if (a <= b)
            bucket = v < lower ? 0 : v >= upper ? count + 1 : (int64_t)(count * (v - lower) / (upper - lower)) + 1;
        else
            bucket = v > upper ? 0 : v <= lower ? count + 1 : (int64_t)(count * (upper - v) / (upper - lower)) + 1;
        ((int64_t *)out->data)[row] = bucket;
    }
    return 0;
}

/* ---- integers ---- */

static int factorial(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        int32_t n = int_at(&args[0], row);
        int64_t product = 1;
        if (n < 0 || n > 20) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        for (int32_t i = 2; i <= n; i++)
            product *= i;
        ((int64_t *)out->data)[row] = product;
    }
    return 0;
}

static int bin(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        uint64_t value = (uint64_t)long_at(&args[0], row);
        char digits[64], *p = digits + sizeof digits;
        do
            *--p = (char)('0' + (value & 1));
        while (value >>= 1);
        text_put(out, row, (Str){p, (size_t)(digits + sizeof digits - p)});
    }
    return 0;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/* conv(text, from, to): a negative base to means signed; digits end at the first that is none; what is too large is all ones. */
static int convert_base(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = str_trim(text_at(&args[0], row));
        int from = int_at(&args[1], row), to = int_at(&args[2], row);
        if (from < 2 || from > 36 || abs(to) < 2 || abs(to) > 36 || text.size == 0) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        bool negative = text.ptr[0] == '-', overflow = false;
        uint64_t value = 0;
        size_t i = negative;
        for (; i < text.size && digit_of(text.ptr[i]) < from && !overflow; i++)
            overflow = __builtin_mul_overflow(value, (uint64_t)from, &value) ||
                       __builtin_add_overflow(value, (uint64_t)digit_of(text.ptr[i]), &value);
        if (overflow)
            return fn_fail(call, row, "ARITHMETIC_OVERFLOW", "\"%.*s\" does not fit 64 bits", FN_SHOW(text));
        if (negative && to > 0)
            value = (int64_t)value < 0 ? UINT64_MAX : (uint64_t) - (int64_t)value;
        if (to < 0 && (int64_t)value < 0) {
            value = (uint64_t) - (int64_t)value;
            negative = true;
        }
        char digits[66], *p = digits + sizeof digits;
        uint64_t base = (uint64_t)abs(to);
        do
            *--p = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % base];
        while (value /= base);
        if (negative && to < 0)
            *--p = '-';
        text_put(out, row, (Str){p, (size_t)(digits + sizeof digits - p)});
    }
    return 0;
}

/* What a comparator gave: NULL is no answer. */
static int compared(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        if (column_is_null(&args[0], (uint64_t)row))
            return fn_fail(call, row, "COMPARATOR_RETURNS_NULL", "the comparator gave NULL");
        ((int32_t *)out->data)[row] = int_at(&args[0], row);
    }
    return 0;
}

static int bit_count(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    ((int32_t *)out->data)[row] = __builtin_popcountll((unsigned long long)long_at(&args[0], row));
    return 0;
}

static int bit_get(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int at = int_at(&args[1], row);
        if (at < 0 || at >= int_at(&args[2], row))
            return fn_fail(call, row, "INVALID_PARAMETER_VALUE.BIT_POSITION_RANGE", "bit %d does not exist: the value has bits 0 to %d", at, int_at(&args[2], row) - 1);
        ((int8_t *)out->data)[row] = (int8_t)(long_at(&args[0], row) >> at & 1);
    }
    return 0;
}

const DuckFunction fn_numeric[] = {
    {.name = "silt_compared", .args = "int", .result = "int", .flags = FN_FAILS | FN_NULLS, .eval = compared},
    {.name = "silt_bit_count", .args = "bigint", .result = "int", .eval = bit_count},
    {.name = "silt_bit_get", .args = "bigint, int, int", .result = "tinyint", .flags = FN_FAILS, .eval = bit_get},
    {.name = "silt_cbrt", .args = "double", .result = "double", .eval = cube_root},
    {.name = "silt_sqrt", .args = "double", .result = "double", .eval = square_root},
    {.name = "silt_exp", .args = "double", .result = "double", .eval = exponential},
    {.name = "silt_log", .args = "double", .result = "double", .eval = logarithm},
    {.name = "silt_expm1", .args = "double", .result = "double", .eval = exponential_minus_one},
    {.name = "silt_sign", .args = "double", .result = "double", .eval = sign},
    {.name = "silt_log1p", .args = "double", .result = "double", .eval = logarithm_of_one_more},
    {.name = "silt_sin", .args = "double", .result = "double", .eval = sine},
    {.name = "silt_cos", .args = "double", .result = "double", .eval = cosine},
    {.name = "silt_tan", .args = "double", .result = "double", .eval = tangent},
    {.name = "silt_cot", .args = "double", .result = "double", .eval = cotangent},
    {.name = "silt_sec", .args = "double", .result = "double", .eval = secant},
    {.name = "silt_csc", .args = "double", .result = "double", .eval = cosecant},
    {.name = "silt_asin", .args = "double", .result = "double", .eval = arc_sine},
    {.name = "silt_acos", .args = "double", .result = "double", .eval = arc_cosine},
    {.name = "silt_asinh", .args = "double", .result = "double", .eval = area_sine},
    {.name = "silt_acosh", .args = "double", .result = "double", .eval = area_cosine},
    {.name = "silt_atanh", .args = "double", .result = "double", .eval = area_tangent},
    {.name = "silt_rint", .args = "double", .result = "double", .eval = nearest_integer},
    {.name = "silt_degrees", .args = "double", .result = "double", .eval = degrees},
    {.name = "silt_radians", .args = "double", .result = "double", .eval = radians},
    {.name = "silt_log10", .args = "double", .result = "double", .eval = decimal_logarithm},
    {.name = "silt_atan", .args = "double", .result = "double", .eval = arc_tangent},
    {.name = "silt_sinh", .args = "double", .result = "double", .eval = hyperbolic_sine},
    {.name = "silt_cosh", .args = "double", .result = "double", .eval = hyperbolic_cosine},
    {.name = "silt_tanh", .args = "double", .result = "double", .eval = hyperbolic_tangent},
    {.name = "silt_pow", .args = "double, double", .result = "double", .eval = power},
    {.name = "silt_atan2", .args = "double, double", .result = "double", .eval = angle},
    {.name = "silt_hypot", .args = "double, double", .result = "double", .eval = hypotenuse},
    {.name = "silt_double_to_long", .args = "double", .result = "bigint", .eval = double_to_long},
    {.name = "silt_width_bucket", .args = "double, double, double, bigint", .result = "bigint", .eval = width_bucket},
    {.name = "silt_factorial", .args = "int", .result = "bigint", .eval = factorial},
    {.name = "silt_bin", .args = "bigint", .result = "string", .eval = bin},
    {.name = "silt_conv", .args = "string, int, int", .result = "string", .eval = convert_base},
    {0},
};
