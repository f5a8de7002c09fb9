/* sql/functions_sketch.c - aggregates that estimate or summarize: distinct values, percentiles, histograms, sketches, bitmaps */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/analyze.h"
#include "sql/constant.h"

enum { REGISTER_BITS_LEAST = 4, REGISTER_BITS_MAX = 24, ACCURACY_DEFAULT = 10000 };

/* approx_count_distinct(x [, error]): extra becomes the number of bits that choose a register */
static const Type *distinct_type(SqlCall *call)
{
    Expr *e = call->expr;
    double error = 0.05;
    int *bits = ARENA_NEW(sql_call_arena(call), int);

    if (e->args[0]->type->kind == TYPE_VARIANT)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s does not take a VARIANT", e->function->name);
    if (e->arg_count > 1) {
        const Expr *given = e->args[1];

        if (given->kind != EXPR_LITERAL || (given->type->kind != TYPE_DOUBLE && given->type->kind != TYPE_DECIMAL))
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the error of %s is a number such as 0.05", e->function->name);
        error = given->type->kind == TYPE_DOUBLE ? given->literal_double : strtod(arena_strndup(sql_call_arena(call), given->literal.ptr, given->literal.size), NULL);
    }
    *bits = error > 0 ? (int)fmin(ceil(2 * log(1.106 / error) / log(2)), 100) : 100;
    if (*bits < REGISTER_BITS_LEAST || *bits > REGISTER_BITS_MAX)
        return sql_call_fail(call, "FAILED_FUNCTION_CALL", "the error of %s must be from 0.0003 to 0.39", e->function->name);
    e->extra = bits;
    return type_simple(TYPE_LONG);
}

static void distinct_print(StrBuf *out, const Expr *call)
{
    char text[64];

    snprintf(text, sizeof text, "silt_approx_distinct($&$1, %d)$f", *(const int *)call->extra);
    sql_duck_template(out, text, call);
}

/* Bitmaps are BINARY and nothing that casts to it. */
static const Type *bitmap_type(SqlCall *call)
{
    const Expr *e = call->expr;

    if (e->args[0]->type->kind != TYPE_BINARY)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s takes BINARY, not %s", e->function->name,
                             sql__type_name(call->analyzer, e->args[0]->type));
    return type_simple(TYPE_BINARY);
}

/* The value of a constant number behind casts; false: it is none, or not as plain. */
static bool constant_number(SqlCall *call, const Expr *e, double *out)
{
    while (e->kind == EXPR_CAST)
        e = e->args[0];
    if (e->kind != EXPR_LITERAL) {
        Constant c = sql__constant(call->analyzer, e);

        *out = c.kind == CONSTANT_WHOLE ? (double)c.whole : c.number;
        return c.kind == CONSTANT_WHOLE || c.kind == CONSTANT_NUMBER;
    }
    if (type_is_integral(e->type))
        *out = (double)e->literal_int;
    else if (e->type->kind == TYPE_DECIMAL || e->type->kind == TYPE_STRING)
        *out = strtod(arena_strndup(sql_call_arena(call), e->literal.ptr, e->literal.size), NULL);
    else if (e->type->kind == TYPE_DOUBLE || e->type->kind == TYPE_FLOAT)
        *out = e->literal_double;
    else
        return false;
    return true;
}

bool sql__check_percentage(SqlCall *call, Expr **slot)
{
    const char *name = call->expr->function->name;
    Expr *e = *slot;
    double value;

    if (e->type->kind == TYPE_VOID) {
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_NULL", "the percentage of %s must not be NULL", name);
        return false;
    }
    if (e->kind == EXPR_CALL && !strcasecmp(e->name.parts[0], "array")) {
        bool plain = e->arg_count > 0;

        for (int i = 0; i < e->arg_count; i++) {
            if (e->args[i]->nullable) {
                sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the percentages of %s must not be NULL", name);
                return false;
            }
            if (!sql__check_percentage(call, &e->args[i]))
                return false;
            plain = plain && e->args[i]->type->kind == TYPE_DOUBLE;
        }
        if (plain)
            e->type = type_array(sql_call_arena(call), type_simple(TYPE_DOUBLE), false);
        return true;
    }
    if (!constant_number(call, e, &value))
        return true;
    if (!(value >= 0 && value <= 1)) {
        sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the percentage of %s must be from 0 to 1", name);
        return false;
    }
    Expr *number = ARENA_NEW(sql_call_arena(call), Expr);

    *number = (Expr){.kind = EXPR_LITERAL, .pos = e->pos, .type = type_simple(TYPE_DOUBLE), .literal_double = value, .constant = true, .deterministic = true};
    *slot = number;
    return true;
}

static const Type *percentile_approx_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;
    bool other = t->kind == TYPE_DATE || t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ || t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT;
    double accuracy = 1;

    if (!type_is_numeric(t) && t->kind != TYPE_STRING && t->kind != TYPE_VOID && !other)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs numbers, not %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    if (!e->args[1]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the percentage of %s must be a constant", e->function->name);
    if (!sql__check_percentage(call, &e->args[1]))
        return NULL;
    if (e->arg_count > 2 && constant_number(call, e->args[2], &accuracy) && !(accuracy > 0 && accuracy <= INT32_MAX))
        return sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the accuracy of %s must be from 1 to %d", e->function->name, INT32_MAX);
    if (!type_is_numeric(t) && !other)
        sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
    return sql__of_percentages(call, e->args[0]->type);
}

/*
 * percentile_approx: positions in the sorted values (duck/fn_percentile.c). Spark keeps all values as DOUBLE, of which a BIGINT beyond 2^53 is not the
 * same when it comes back.
 */
static void percentile_approx_print(StrBuf *out, const Expr *call)
{
    bool several = call->args[1]->type->kind == TYPE_ARRAY, wide = call->args[0]->type->kind == TYPE_LONG;

    if (call->type->kind == TYPE_ARRAY && !several) {
        sql_duck_template(out, "CAST(any_value(NULL)$f AS $type)", call); /* of array() there is nothing to compute */
        return;
    }
    str_buf_puts(out, several ? "" : "list_extract(");
    str_buf_puts(out, wide ? "list_transform(" : "");
    sql_duck_template(out, wide ? "list_select(list_sort(list($&CAST($1 AS DOUBLE))$n, 'ASC')" : "list_select(list_sort(list($&$1)$n, 'ASC')", call);
    sql_duck_template(out, several ? ", silt_percentile_positions(count($&$1)$n, $2, " : ", silt_percentile_positions(count($&$1)$n, [$2], ", call);
    if (call->arg_count > 2)
        sql_duck_expr(out, call->args[2]);
    else
        str_buf_printf(out, "CAST(%d AS BIGINT)", ACCURACY_DEFAULT);
    str_buf_puts(out, "))");
    if (wide)
        str_buf_puts(out, ", lambda v: CASE WHEN v >= 9223372036854775808.0 THEN 9223372036854775807 ELSE CAST(v AS BIGINT) END)");
    str_buf_puts(out, several ? "" : ", 1)");
}

/* A constant argument of this type, within the bounds; false with an error recorded. */
static bool constant_in(SqlCall *call, int arg, const char *what, bool whole, double low, bool low_fits, double high, double *out)
{
    Expr *e = call->expr->args[arg];
    const char *name = call->expr->function->name;
    bool fits = whole ? type_is_integral(e->type) : e->type->kind == TYPE_DOUBLE;

    if (!fits && e->type->kind != TYPE_VOID)
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the %s of %s is %s, not %s", what, name, whole ? "an INT" : "a DOUBLE, as in 0.5D",
                      sql__type_name(call->analyzer, e->type));
    else if (e->type->kind == TYPE_VOID)
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_NULL", "the %s of %s must not be NULL", what, name);
    else if (!e->constant || !constant_number(call, e, out))
        sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the %s of %s must be a constant", what, name);
    else if (*out < low || (*out == low && !low_fits) || *out > high)
        sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the %s of %s is out of range", what, name);
    else
        return true;
    return false;
}

enum { COUNTERS_MAX = 1 << 26 };

typedef struct CountMinShape {
    int depth, width, seed;
} CountMinShape;

/* count_min_sketch(x, eps, confidence, seed) */
static const Type *count_min_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;
    CountMinShape *shape = ARENA_NEW(sql_call_arena(call), CountMinShape);
    double eps, confidence, seed;

    if (!type_is_integral(t) && t->kind != TYPE_STRING && t->kind != TYPE_BINARY)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "count_min_sketch counts integers, STRING and BINARY, not %s",
                             sql__type_name(call->analyzer, t));
    if (!constant_in(call, 1, "eps", false, 0, false, HUGE_VAL, &eps) || !constant_in(call, 2, "confidence", false, 0, false, 1, &confidence) ||
        !constant_in(call, 3, "seed", true, -HUGE_VAL, true, HUGE_VAL, &seed))
        return NULL;
    double width = ceil(2 / eps), depth = ceil(-log(1 - confidence) / log(2));

    if (!(width * depth <= COUNTERS_MAX))
        return sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "a sketch of this eps and confidence takes more than %d counters", COUNTERS_MAX);
    int64_t whole_seed = sql__constant(call->analyzer, e->args[3]).whole;

    *shape = (CountMinShape){(int)depth, (int)width, (int)(uint32_t)whole_seed}; /* of a BIGINT the lower half, as in Spark */
    e->extra = shape;
    return type_simple(TYPE_BINARY);
}

static void count_min_print(StrBuf *out, const Expr *call)
{
    const CountMinShape *s = call->extra;
    char text[160];

    snprintf(text, sizeof text, "coalesce(silt_count_min($&$1, %d, %d, %d)$f, silt_count_min_empty(%d, %d, %d))", s->depth, s->width, s->seed, s->depth, s->width,
             s->seed);
    sql_duck_template(out, text, call);
}

/* histogram_numeric(x, bins) */
static const Type *histogram_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;
    bool other = t->kind == TYPE_DATE || t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ || t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT;
    double most;

    if (!type_is_numeric(t) && !other && t->kind != TYPE_STRING && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "histogram_numeric takes numbers, times and intervals, not %s",
                             sql__type_name(call->analyzer, t));
    if (!constant_in(call, 1, "number of bins", true, 2, true, INT32_MAX, &most) || !sql_call_cast(call, 1, type_simple(TYPE_INT)))
        return NULL;
    if (t->kind == TYPE_STRING || t->kind == TYPE_VOID) {
        sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
        t = type_simple(TYPE_DOUBLE);
    }
    TypeField fields[2] = {{.name = "x", .type = t, .nullable = true}, {.name = "y", .type = type_simple(TYPE_DOUBLE), .nullable = true}};

    return type_array(sql_call_arena(call), type_struct(sql_call_arena(call), fields, 2), true);
}

/* Times count as what they are stored as; centres are cut back to whole ones. */
static void histogram_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->args[0]->type;
    const char *number = "CAST($1 AS DOUBLE)", *centre;

    switch (t->kind) {
    case TYPE_DATE:
        number = "CAST($1 - DATE '1970-01-01' AS DOUBLE)";
        centre = "(DATE '1970-01-01' + CAST(trunc(b.x) AS INTEGER))";
        break;
    case TYPE_TIMESTAMP:
        number = "CAST(epoch_us($1) AS DOUBLE)";
        centre = "make_timestamptz(CAST(trunc(b.x) AS BIGINT))";
        break;
    case TYPE_TIMESTAMP_NTZ:
        number = "CAST(epoch_us($1) AS DOUBLE)";
        centre = "make_timestamp(CAST(trunc(b.x) AS BIGINT))";
        break;
    case TYPE_DOUBLE:
        centre = "b.x";
        break;
    case TYPE_FLOAT:
        centre = "CAST(b.x AS FLOAT)";
        break;
    case TYPE_DECIMAL:
        number = "\"silt_cast:double\"($1, $pos)";
        centre = "\"silt_cast:$T1\"(b.x, $pos)";
        break;
    default:
        centre = "CAST(trunc(b.x) AS $type1)";
    }
    silt_auto(str_buf_fini) StrBuf text = {0};

    str_buf_printf(&text, "list_transform(silt_histogram_bins(silt_histogram($&%s, $2)$f), lambda b: struct_pack(x := ", number);
    const char *type = strstr(centre, "$type1");

    if (type) {
        str_buf_printf(&text, "%.*s", (int)(type - centre), centre);
        sql_duck_type(&text, t);
        str_buf_puts(&text, type + 6);
    } else {
        str_buf_puts(&text, centre);
    }
    str_buf_puts(&text, ", y := b.y))");
    sql_duck_template(out, str_buf_text(&text), call);
}

const SqlFunction sql_functions_sketch[] = {
    {"percentile_approx", "any, any [, bigint] ->", NULL, FN_AGGREGATE, percentile_approx_type, percentile_approx_print},
    {"approx_percentile", "any, any [, bigint] ->", NULL, FN_AGGREGATE, percentile_approx_type, percentile_approx_print},
    {"bitmap_construct_agg", "bigint -> binary", "silt_bitmap_construct($&$1, $pos)$f", FN_AGGREGATE | FN_MAY_FAIL | FN_NOT_NULL, NULL, NULL},
    {"bitmap_or_agg", "any ->", "silt_bitmap_or($&$1)$f", FN_AGGREGATE | FN_NOT_NULL, bitmap_type, NULL},
    {"bitmap_and_agg", "any ->", "silt_bitmap_and($&$1)$f", FN_AGGREGATE | FN_NOT_NULL, bitmap_type, NULL},
    {"approx_count_distinct", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, distinct_type, distinct_print},
    {"count_min_sketch", "any, any, any, any ->", NULL, FN_AGGREGATE | FN_NOT_NULL, count_min_type, count_min_print},
    {"histogram_numeric", "any, any ->", NULL, FN_AGGREGATE | FN_MAY_FAIL, histogram_type, histogram_print},
    {NULL},
};
