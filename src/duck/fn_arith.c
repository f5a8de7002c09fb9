/*
 * duck/fn_arith.c - integer and floating arithmetic that fails as Spark's does in ANSI mode
 *
 * "silt_add:int"(a, b, pos) and its like: both arguments and the result have the type in the name. "silt_try_add:int"(a, b) gives NULL
 * where the other fails. Plain loops over vectors: the checked operation costs little more than the plain one.
 */
#include "duck/functions.h"

#include <math.h>
#include <string.h>

typedef enum Fault { FINE, OVERFLOW, BY_ZERO, REST_BY_ZERO } Fault;

static int fault(FnCall *call, int row, Fault f)
{
    if (f == BY_ZERO)
        return fn_fail(call, row, "DIVIDE_BY_ZERO", "division by zero");
    if (f == REST_BY_ZERO)
        return fn_fail(call, row, "REMAINDER_BY_ZERO", "remainder of a division by zero");
    silt_auto(str_buf_fini) StrBuf type = {0};
    bool small = call->arg_count > 1 && (call->result_type->kind == TYPE_BYTE || call->result_type->kind == TYPE_SHORT);

    type_print(&type, call->result_type);
    return fn_fail(call, row, small ? "BINARY_ARITHMETIC_OVERFLOW" : "ARITHMETIC_OVERFLOW", "the result does not fit %s", str_buf_text(&type));
}

#define ADD(T, a, b, r) (__builtin_add_overflow(a, b, r) ? OVERFLOW : FINE)
#define SUBTRACT(T, a, b, r) (__builtin_sub_overflow(a, b, r) ? OVERFLOW : FINE)
#define MULTIPLY(T, a, b, r) (__builtin_mul_overflow(a, b, r) ? OVERFLOW : FINE)
#define MOD(T, a, b, r) ((b) == 0 ? REST_BY_ZERO : (*(r) = (T)((b) == -1 ? 0 : (a) % (b)), FINE))
#define PMOD(T, a, b, r) ((b) == 0 ? REST_BY_ZERO : (*(r) = pmod_##T(a, b), FINE))
#define DIV(T, a, b, r) ((b) == 0 ? BY_ZERO : (b) == -1 ? SUBTRACT(T, (T)0, a, r) : (*(r) = (T)((a) / (b)), FINE))

#define PMOD_OF(T)                                                                 \
    static T pmod_##T(T a, T b)                                                    \
    {                                                                              \
        T r = (T)(b == -1 ? 0 : a % b);                                            \
        return (T)(r < 0 ? (__int128)(r + (__int128)b) % (__int128)b : r);         \
    }
PMOD_OF(int8_t)
PMOD_OF(int16_t)
PMOD_OF(int32_t)
PMOD_OF(int64_t)

/* One loop per width; on_fault is what a faulty row does. */
#define LOOP(T, OP, on_fault)                                                      \
    do {                                                                           \
        const T *x = args[0].data, *y = args[1].data;                              \
        T *z = out->data;                                                          \
        FN_ROWS(row, out, rows) {                                                  \
            Fault f = OP(T, x[row], y[row], &z[row]);                              \
            if (__builtin_expect(f != FINE, 0))                                    \
                on_fault;                                                          \
        }                                                                          \
    } while (0)

#define WIDTHS(OP, on_fault)                                                       \
    switch (call->result_type->kind) {                                             \
    case TYPE_BYTE:                                                                \
        LOOP(int8_t, OP, on_fault);                                                \
        break;                                                                     \
    case TYPE_SHORT:                                                               \
        LOOP(int16_t, OP, on_fault);                                               \
        break;                                                                     \
    case TYPE_INT:                                                                 \
        LOOP(int32_t, OP, on_fault);                                               \
        break;                                                                     \
    case TYPE_LONG:                                                                \
        LOOP(int64_t, OP, on_fault);                                               \
        break;                                                                     \
    default:                                                                       \
        silt_assert(!"an integer type");                                           \
    }

#define INTEGER_OP(name, OP)                                                       \
    static int name(FnCall *call, const Column *args, Column *out, int rows)       \
    {                                                                              \
        WIDTHS(OP, return fault(call, row, f))                                     \
        return 0;                                                                  \
    }                                                                              \
    static int try_##name(FnCall *call, const Column *args, Column *out, int rows) \
    {                                                                              \
        WIDTHS(OP, column_set_null(out, (uint64_t)row))                            \
        return 0;                                                                  \
    }

INTEGER_OP(add, ADD)
INTEGER_OP(subtract, SUBTRACT)
INTEGER_OP(multiply, MULTIPLY)
INTEGER_OP(integer_mod, MOD)
INTEGER_OP(integer_pmod, PMOD)
INTEGER_OP(divide_whole, DIV)

/* ---- floating ---- */

static double positive_mod(double a, double b)
{
    double r = fmod(a, b);

    return r < 0 ? fmod(r + b, b) : r;
}

#define FLOATING(T, zero, expression)                                                    \
    do {                                                                           \
        const T *x = args[0].data, *y = args[1].data;                              \
        T *z = out->data;                                                          \
        FN_ROWS(row, out, rows) {                                                  \
            if (y[row] == 0)                                                       \
                return fault(call, row, zero);                                     \
            z[row] = (T)(expression);                                              \
        }                                                                          \
        return 0;                                                                  \
    } while (0)

static int divide(FnCall *call, const Column *args, Column *out, int rows)
{
    if (call->result_type->kind == TYPE_FLOAT)
        FLOATING(float, BY_ZERO, x[row] / y[row]);
    FLOATING(double, BY_ZERO, x[row] / y[row]);
}

static int mod(FnCall *call, const Column *args, Column *out, int rows)
{
    if (call->result_type->kind == TYPE_FLOAT)
        FLOATING(float, REST_BY_ZERO, fmodf(x[row], y[row]));
    if (call->result_type->kind == TYPE_DOUBLE)
        FLOATING(double, REST_BY_ZERO, fmod(x[row], y[row]));
    return integer_mod(call, args, out, rows);
}

static int pmod(FnCall *call, const Column *args, Column *out, int rows)
{
    if (call->result_type->kind == TYPE_FLOAT)
        FLOATING(float, REST_BY_ZERO, positive_mod(x[row], y[row]));
    if (call->result_type->kind == TYPE_DOUBLE)
        FLOATING(double, REST_BY_ZERO, positive_mod(x[row], y[row]));
    return integer_pmod(call, args, out, rows);
}

/* ---- one argument ---- */

#define UNARY(T, expression)                                                       \
    do {                                                                           \
        const T *x = args[0].data;                                                 \
        T *z = out->data;                                                          \
        FN_ROWS(row, out, rows) {                                                  \
            if (__builtin_sub_overflow((T)0, x[row], &z[row]))                     \
                return fault(call, row, OVERFLOW);                                 \
            z[row] = (T)(expression);                                              \
        }                                                                          \
    } while (0)

#define UNARY_OP(name, expression)                                                 \
    static int name(FnCall *call, const Column *args, Column *out, int rows)       \
    {                                                                              \
        switch (call->result_type->kind) {                                         \
        case TYPE_BYTE:                                                            \
            UNARY(int8_t, expression);                                             \
            break;                                                                 \
        case TYPE_SHORT:                                                           \
            UNARY(int16_t, expression);                                            \
            break;                                                                 \
        case TYPE_INT:                                                             \
            UNARY(int32_t, expression);                                            \
            break;                                                                 \
        default:                                                                   \
            UNARY(int64_t, expression);                                            \
        }                                                                          \
        return 0;                                                                  \
    }

UNARY_OP(negate, z[row])
UNARY_OP(absolute, x[row] < 0 ? z[row] : x[row])

/* ---- shifts: the count is taken modulo the width, as in Java ---- */

#define SHIFT(name, T, expression)                                                 \
    static int name(FnCall *call, const Column *args, Column *out, int rows)       \
    {                                                                              \
        const T *x = args[0].data;                                                 \
        const int32_t *count = args[1].data;                                       \
        T *z = out->data;                                                          \
        FN_ROWS(row, out, rows) {                                                  \
            int by = count[row] & ((int)sizeof(T) * 8 - 1);                        \
            z[row] = (T)(expression);                                              \
        }                                                                          \
        return 0;                                                                  \
    }
SHIFT(shift_left_int, int32_t, (uint32_t)x[row] << by)
SHIFT(shift_left_long, int64_t, (uint64_t)x[row] << by)
SHIFT(shift_right_int, int32_t, x[row] >> by)
SHIFT(shift_right_long, int64_t, x[row] >> by)
SHIFT(shift_right_unsigned_int, int32_t, (uint32_t)x[row] >> by)
SHIFT(shift_right_unsigned_long, int64_t, (uint64_t)x[row] >> by)

static int floor_divide(FnCall *call, const Column *args, Column *out, int rows)
{
    const int64_t *x = args[0].data, *y = args[1].data;
    int64_t *z = out->data;

    FN_ROWS(row, out, rows)
        z[row] = x[row] / y[row] - (x[row] % y[row] != 0 && (x[row] < 0) != (y[row] < 0));
    return 0;
}

/* By way of long double: the library's own is off by a bit for 27. */
/* ---- an index into an array, made DuckDB's (from 1) ---- */

static int array_index(FnCall *call, const Column *args, Column *out, int rows)
{
    const int64_t *size = args[0].data, *index = args[1].data;
    int64_t *z = out->data;

    FN_ROWS(row, out, rows) {
        if (index[row] < 0 || index[row] >= size[row])
            return fn_fail(call, row, "INVALID_ARRAY_INDEX", "index %lld is outside of an array of %lld elements", (long long)index[row],
                           (long long)size[row]);
        z[row] = index[row] + 1;
    }
    return 0;
}

static int element_index(FnCall *call, const Column *args, Column *out, int rows)
{
    const int64_t *size = args[0].data;
    const int32_t *index = args[1].data;
    int64_t *z = out->data;

    FN_ROWS(row, out, rows) {
        if (!index[row])
            return fn_fail(call, row, "INVALID_INDEX_OF_ZERO", "element_at counts from 1, or from the end with -1");
        if (index[row] > size[row] || -(int64_t)index[row] > size[row])
            return fn_fail(call, row, "INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "index %d is outside of an array of %lld elements", (int)index[row],
                           (long long)size[row]);
        z[row] = index[row];
    }
    return 0;
}

static int elt_index(FnCall *call, const Column *args, Column *out, int rows)
{
    const int32_t *size = args[0].data, *index = args[1].data;

    FN_ROWS(row, out, rows) {
        if (index[row] < 1 || index[row] > size[row])
            return fn_fail(call, row, "INVALID_ARRAY_INDEX", "elt has %d values, the one with number %d does not exist", (int)size[row], (int)index[row]);
        ((int64_t *)out->data)[row] = index[row];
    }
    return 0;
}

static int try_element_index(FnCall *call, const Column *args, Column *out, int rows)
{
    const int32_t *index = args[0].data;

    FN_ROWS(row, out, rows) {
        if (!index[row])
            return fn_fail(call, row, "INVALID_INDEX_OF_ZERO", "try_element_at counts from 1, or from the end with -1");
        ((int64_t *)out->data)[row] = index[row];
    }
    return 0;
}

/* Always true, or a failure. */
static int same_size(FnCall *call, const Column *args, Column *out, int rows)
{
    const int64_t *keys = args[0].data, *values = args[1].data;

    FN_ROWS(row, out, rows) {
        if (keys[row] != values[row])
            return fn_fail(call, row, "_LEGACY_ERROR_TEMP_2128", "a map cannot be made of %lld keys and %lld values", (long long)keys[row], (long long)values[row]);
        ((uint8_t *)out->data)[row] = 1;
    }
    return 0;
}

static int raise_error(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        bool null = column_is_null(&args[0], (uint64_t)row);
        Str text = null ? STR("null") : chunk_string((const ChunkString *)args[0].data + row);

        return fn_fail(call, row, "USER_RAISED_EXCEPTION", "%.*s", FN_SHOW(text));
    }
    return 0;
}

/* May this row of a recursive query be read once more? Always true, or it fails. */
static int recursion(FnCall *call, const Column *args, Column *out, int rows)
{
    const int64_t *level = args[0].data, *most = args[1].data;

    FN_ROWS(row, out, rows)
    {
        if (level[row] >= most[row])
            return fn_fail(call, row, "RECURSION_LEVEL_LIMIT_EXCEEDED", "this recursive query goes on after %lld rounds; MAX RECURSION LEVEL allows more",
                           (long long)most[row]);
        ((uint8_t *)out->data)[row] = true;
    }
    return 0;
}

static int assert_true(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        if (column_is_null(&args[0], (uint64_t)row) || !((const uint8_t *)args[0].data)[row]) {
            Str text = call->arg_count > 1 && !column_is_null(&args[1], (uint64_t)row) ? chunk_string((const ChunkString *)args[1].data + row)
                                                                                       : STR("the condition is not true");

            return fn_fail(call, row, "USER_RAISED_EXCEPTION", "%.*s", FN_SHOW(text));
        }
        column_set_null(out, (uint64_t)row);
    }
    return 0;
}

#define TYPED(sql_name, fn) {.name = sql_name, .args = "any, any", .flags = FN_FAILS, .eval = fn}
#define TRYING(sql_name, fn) {.name = sql_name, .args = "any, any", .eval = fn}

const DuckFunction fn_arith[] = {
    TYPED("silt_add", add),
    TYPED("silt_subtract", subtract),
    TYPED("silt_multiply", multiply),
    TYPED("silt_div", divide_whole),
    TYPED("silt_divide", divide),
    TYPED("silt_mod", mod),
    TYPED("silt_pmod", pmod),
    TRYING("silt_try_add", try_add),
    TRYING("silt_try_subtract", try_subtract),
    TRYING("silt_try_multiply", try_multiply),
    TRYING("silt_try_div", try_divide_whole),
    TRYING("silt_try_mod", try_integer_mod),
    TRYING("silt_try_pmod", try_integer_pmod),
    {.name = "silt_negate", .args = "any", .flags = FN_FAILS, .eval = negate},
    {.name = "silt_abs", .args = "any", .flags = FN_FAILS, .eval = absolute},
    {.name = "silt_shift_left_int", .args = "int, int", .result = "int", .eval = shift_left_int},
    {.name = "silt_shift_left_long", .args = "bigint, int", .result = "bigint", .eval = shift_left_long},
    {.name = "silt_shift_right_int", .args = "int, int", .result = "int", .eval = shift_right_int},
    {.name = "silt_shift_right_long", .args = "bigint, int", .result = "bigint", .eval = shift_right_long},
    {.name = "silt_shift_right_unsigned_int", .args = "int, int", .result = "int", .eval = shift_right_unsigned_int},
    {.name = "silt_shift_right_unsigned_long", .args = "bigint, int", .result = "bigint", .eval = shift_right_unsigned_long},
    {.name = "silt_floor_div", .args = "bigint, bigint", .result = "bigint", .eval = floor_divide},
    {.name = "silt_array_index", .args = "bigint, bigint", .result = "bigint", .flags = FN_FAILS, .eval = array_index},
    {.name = "silt_same_size", .args = "bigint, bigint", .result = "boolean", .flags = FN_FAILS, .eval = same_size},
    {.name = "silt_elt_index", .args = "int, int", .result = "bigint", .flags = FN_FAILS, .eval = elt_index},
    {.name = "silt_try_element_index", .args = "int", .result = "bigint", .flags = FN_FAILS, .eval = try_element_index},
    {.name = "silt_element_index", .args = "bigint, int", .result = "bigint", .flags = FN_FAILS, .eval = element_index},
    {.name = "silt_recursion", .args = "bigint, bigint", .result = "boolean", .flags = FN_FAILS, .eval = recursion},
    {.name = "silt_raise_error", .args = "string", .result = "int", .flags = FN_FAILS | FN_NULLS, .eval = raise_error},
    {.name = "silt_assert_true", .args = "boolean, any...", .result = "int", .flags = FN_FAILS | FN_NULLS, .eval = assert_true},
    {0},
};
