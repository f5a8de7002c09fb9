/* sql/functions_aggregate.c - aggregate and window functions */
#include <string.h>

#include "sql/analyze.h"
#include "sql/constant.h"

static const Type *sum_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    switch (t->kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        sql_call_cast(call, 0, type_simple(TYPE_LONG));
        return type_simple(TYPE_LONG);
    case TYPE_DECIMAL:
        return sql__decimal_bounded(t->precision + 10, t->scale);
    case TYPE_INTERVAL_YM:
        return type_interval_ym(t->from_unit, t->to_unit);
    case TYPE_INTERVAL_DT:
        return type_interval_dt(t->from_unit, t->to_unit);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
    case TYPE_STRING:
    case TYPE_VOID:
        sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
        return type_simple(TYPE_DOUBLE);
    default:
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs numbers, not %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    }
}

static const Type *avg_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (t->kind == TYPE_DECIMAL)
        return sql__decimal_adjusted(t->precision + 4 > 38 ? 38 : t->precision + 4, t->scale + 4 > 38 ? 38 : t->scale + 4);
    if (t->kind == TYPE_INTERVAL_YM)
        return type_interval_ym(0, 1);
    if (t->kind == TYPE_INTERVAL_DT)
        return type_interval_dt(0, 3);
    if (!type_is_numeric(t) && t->kind != TYPE_STRING && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs numbers, not %s", call->expr->function->name,
                             sql__type_name(call->analyzer, t));
    sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
    return type_simple(TYPE_DOUBLE);
}

static bool is_try(const Expr *call)
{
    return !strncmp(call->function->name, "try_", 4);
}

static void sum_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->type;

    if (t->kind == TYPE_DOUBLE)
        sql_duck_template(out, "sum($&$1)$f", call);
    else if (t->kind == TYPE_DECIMAL && t->precision == 38) /* the database's own sum does not notice 39 digits */
        sql_duck_template(out, is_try(call) ? "\"silt_try_sum_decimal:$T\"($&$1)$f" : "\"silt_sum_decimal:$T\"($&$1, $pos)$f", call);
    else if (t->kind == TYPE_DECIMAL)
        sql_duck_template(out, is_try(call) ? "TRY_CAST(sum($&$1)$f AS $type)" : "CAST(sum($&$1)$f AS $type)", call);
    else if (is_try(call))
        sql_duck_template(out, "TRY_CAST(sum($&$1)$f AS $type)", call);
    else if (t->kind == TYPE_INTERVAL_YM)
        sql_duck_template(out, "\"silt_cast:int\"(silt_sum_long($&CAST($1 AS BIGINT), $pos)$f, $pos)", call);
    else
        sql_duck_template(out, "silt_sum_long($&$1, $pos)$f", call);
}

enum { AVG_SUM_DIGITS = 10 }; /* that Spark's sum has more than what is averaged */

static void avg_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->type;

    if (t->kind == TYPE_DOUBLE)
        sql_duck_template(out, "avg($&$1)$f", call);
    else if (t->kind == TYPE_DECIMAL) {
        int precision = call->args[0]->type->precision, scale = call->args[0]->type->scale;
        bool may_pass = precision + AVG_SUM_DIGITS > 38; /* what is left for the sum, which the database does not notice */

        str_buf_printf(out, "\"silt_%sdecimal_divide:", is_try(call) ? "try_" : "");
        type_print(out, t);
        str_buf_puts(out, "\"(");
        if (may_pass)
            str_buf_printf(out, "\"silt_%ssum_decimal:decimal(38,%d)\"", is_try(call) ? "try_" : "", scale);
        sql_duck_template(out, !may_pass ? "sum($&$1)$f" : is_try(call) ? "($&$1)$f" : "($&$1, $pos)$f", call);
        sql_duck_template(out, is_try(call) ? ", CAST(count($&$1)$f AS DECIMAL(20,0)))" : ", CAST(count($&$1)$f AS DECIMAL(20,0)), $pos)", call);
    } else if (t->kind == TYPE_INTERVAL_YM) {
        sql_duck_template(out, is_try(call) ? "\"silt_try_avg_interval:int\"($&CAST($1 AS BIGINT))$f" : "\"silt_avg_interval:int\"($&CAST($1 AS BIGINT), $pos)$f", call);
    } else {
        sql_duck_template(out, is_try(call) ? "\"silt_try_avg_interval:bigint\"($&$1)$f" : "\"silt_avg_interval:bigint\"($&$1, $pos)$f", call);
    }
}

static void count_print(StrBuf *out, const Expr *call)
{
    if (call->arg_count == 1 && call->args[0]->kind == EXPR_LITERAL && call->args[0]->type->kind != TYPE_VOID && !call->distinct) {
        sql_duck_template(out, "count(*)$f", call);
    } else if (call->arg_count == 1) {
        sql_duck_template(out, "count($&$1)$f", call);
    } else {
        /* rows where no argument is NULL */
        str_buf_puts(out, call->distinct ? "count(DISTINCT CASE WHEN " : "count(CASE WHEN ");
        for (int i = 0; i < call->arg_count; i++) {
            str_buf_puts(out, i ? " AND " : "");
            sql_duck_expr(out, call->args[i]);
            str_buf_puts(out, " IS NOT NULL");
        }
        sql_duck_template(out, " THEN row($*) END)$f", call);
    }
}

static const Type *count_type(SqlCall *call)
{
    if (!call->expr->arg_count)
        return sql_call_fail(call, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "count needs an argument: count(*) counts rows");
    return type_simple(TYPE_LONG);
}

static const Type *list_type(SqlCall *call)
{
    return type_array(sql_call_arena(call), call->expr->args[0]->type, false);
}

/* first(x [, ignoreNulls]) */
static const Type *first_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (e->arg_count == 2) {
        if (e->args[1]->kind != EXPR_LITERAL || e->args[1]->type->kind != TYPE_BOOLEAN)
            return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the second argument of %s must be true or false", e->function->name);
        e->ignore_nulls = e->ignore_nulls || e->args[1]->literal_int;
        e->arg_count = 1;
    }
    return e->args[0]->type;
}

static void first_print(StrBuf *out, const Expr *call)
{
    bool last = !strncmp(call->function->name, "last", 4);

    if (call->window)
        sql_duck_template(out, last ? "last_value($1$i)$f" : "first_value($1$i)$f", call);
    else if (call->ignore_nulls)
        sql_duck_template(out, last ? "last($1)$n" : "first($1)$n", call);
    else
        sql_duck_template(out, last ? "last($1)$f" : "first($1)$f", call);
}

static const Type *by_type(SqlCall *call)
{
    if (!sql__orderable(call->expr->args[1]->type))
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "%s cannot order by %s", call->expr->function->name,
                             sql__type_name(call->analyzer, call->expr->args[1]->type));
    return call->expr->args[0]->type;
}

static const Type *lag_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (e->arg_count > 1 && !sql_call_cast(call, 1, type_simple(TYPE_INT)))
        return NULL;
    if (e->arg_count > 2) {
        const Type *t = sql__wider(call->analyzer, e->args[0]->type, e->args[2]->type);

        if (!t)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the default of %s must be of the type of its argument", e->function->name);
        sql__cast(call->analyzer, &e->args[0], t);
        sql__cast(call->analyzer, &e->args[2], t);
    }
    e->nullable = true;
    return e->args[0]->type;
}

static void lag_print(StrBuf *out, const Expr *call)
{
    str_buf_puts(out, call->function->name);
    sql_duck_template(out, "($*$i)$f", call);
}

/* mode(x [, deterministic]) or mode() WITHIN GROUP (ORDER BY x): of the most frequent values the first in that order, else any. */
static const Type *mode_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!e->arg_count && e->order_count != 1)
        return sql_call_fail(call, "INVALID_WITHIN_GROUP_EXPRESSION.WITHIN_GROUP_MISSING", "mode needs an argument or WITHIN GROUP (ORDER BY ...)");
    if (e->arg_count && e->order_count)
        return sql_call_fail(call, "INVALID_WITHIN_GROUP_EXPRESSION.WRONG_NUM_ORDERINGS", "mode takes an argument or WITHIN GROUP, not both");
    if (e->arg_count == 2) {
        Constant ordered = sql__constant(call->analyzer, e->args[1]);

        if (ordered.kind != CONSTANT_TRUTH)
            return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the second argument of mode must be true or false");
        if (ordered.whole) {
            e->order_by = ARENA_NEW(sql_call_arena(call), SortItem);
            e->order_by[0] = (SortItem){.expr = sql__clone(call->analyzer, e->args[0])};
            e->order_count = 1;
        }
        e->arg_count = 1;
    } else if (!e->arg_count) {
        e->args = ARENA_ARRAY(sql_call_arena(call), Expr *, 1);
        e->args[0] = sql__clone(call->analyzer, e->order_by[0].expr);
        e->arg_count = 1;
    }
    return e->args[0]->type;
}

static const Type *listagg_type(SqlCall *call)
{
    Expr *e = call->expr;
    bool binary = e->args[0]->type->kind == TYPE_BINARY;
    const Type *type = type_simple(binary ? TYPE_BINARY : TYPE_STRING);

    if (e->window && e->order_count)
        return sql_call_fail(call, "INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC", "%s has one order, of WITHIN GROUP or of OVER, not both", e->function->name);
    if (e->distinct && (e->order_count > 1 || (e->order_count && !sql__same(e->order_by[0].expr, e->args[0]))))
        return sql_call_fail(call, "INVALID_WITHIN_GROUP_EXPRESSION.MISMATCH_WITH_DISTINCT_INPUT", "with DISTINCT, %s may only be ordered by what it joins",
                             e->function->name);
    if (e->arg_count > 1) {
        const Type *t = e->args[1]->type;

        if (!e->args[1]->constant)
            return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "what %s puts between must be a constant", e->function->name);
        if (t->kind != TYPE_VOID && (t->kind == TYPE_BINARY) != binary)
            return sql_call_fail(call, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "%s needs one type, but %s and %s are two", e->function->name,
                                 sql__type_name(call->analyzer, e->args[0]->type), sql__type_name(call->analyzer, t));
        if (!sql_call_cast(call, 1, type))
            return NULL;
    }
    return sql_call_cast(call, 0, type) ? type : NULL;
}

static void listagg_print(StrBuf *out, const Expr *call)
{
    if (call->type->kind == TYPE_BINARY) /* by way of digits, since the database joins texts only */
        sql_duck_template(out, call->arg_count > 1 ? "unhex(string_agg($&hex($1), coalesce(hex($2), '')$o)$f)" : "unhex(string_agg($&hex($1), ''$o)$f)", call);
    else
        sql_duck_template(out, call->arg_count > 1 ? "string_agg($&$1, coalesce($2, '')$o)$f" : "string_agg($&$1, ''$o)$f", call);
}

static const Type *grouping_id_type(SqlCall *call)
{
    return type_simple(TYPE_LONG);
}

static const Type *nth_type(SqlCall *call)
{
    int64_t n;

    if (!sql_constant_int(call->analyzer, call->expr->args[1], &n) || n < 1)
        return sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "nth_value counts from a constant of 1 or more");
    call->expr->nullable = true;
    return call->expr->args[0]->type;
}

const SqlFunction sql_functions_aggregate[] = {
    {"count", "any... -> bigint", NULL, FN_AGGREGATE | FN_NOT_NULL, count_type, count_print},
    {"sum", "any ->", NULL, FN_AGGREGATE | FN_MAY_FAIL, sum_type, sum_print},
    {"try_sum", "any ->", NULL, FN_AGGREGATE, sum_type, sum_print},
    {"avg", "any ->", NULL, FN_AGGREGATE | FN_MAY_FAIL, avg_type, avg_print},
    {"mean", "any ->", NULL, FN_AGGREGATE | FN_MAY_FAIL, avg_type, avg_print},
    {"try_avg", "any ->", NULL, FN_AGGREGATE, avg_type, avg_print},
    {"min", "nested -> #1", "arg_min($1, silt_sort_key($1))$f", FN_AGGREGATE, NULL, NULL},
    {"min", "orderable -> #1", "min($1)$f", FN_AGGREGATE, NULL, NULL},
    {"max", "nested -> #1", "arg_max($1, silt_sort_key($1))$f", FN_AGGREGATE, NULL, NULL},
    {"max", "orderable -> #1", "max($1)$f", FN_AGGREGATE, NULL, NULL},
    {"min_by", "any, nested ->", "arg_min_null($1, silt_sort_key($2))$f", FN_AGGREGATE, by_type, NULL},
    {"min_by", "any, any ->", "arg_min_null($1, $2)$f", FN_AGGREGATE, by_type, NULL},
    {"max_by", "any, nested ->", "arg_max_null($1, silt_sort_key($2))$f", FN_AGGREGATE, by_type, NULL},
    {"max_by", "any, any ->", "arg_max_null($1, $2)$f", FN_AGGREGATE, by_type, NULL},
    {"first", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, first_type, first_print},
    {"first_value", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, first_type, first_print},
    {"any_value", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, first_type, first_print},
    {"last", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, first_type, first_print},
    {"last_value", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, first_type, first_print},
    {"collect_list", "any ->", "coalesce(list($&$1)$n, [])", FN_AGGREGATE | FN_NOT_NULL | FN_ORDER_SENSITIVE, list_type, NULL},
    {"array_agg", "any ->", "coalesce(list($&$1)$n, [])", FN_AGGREGATE | FN_NOT_NULL | FN_ORDER_SENSITIVE, list_type, NULL},
    {"collect_set", "double ->", "coalesce(list_transform(list_sort(list(DISTINCT $1)$n), lambda x: x + CAST(0 AS DOUBLE)), [])", /* -0.0 is 0.0 */
     FN_AGGREGATE | FN_NOT_NULL | FN_ORDER_SENSITIVE, list_type, NULL},
    {"collect_set", "float ->", "coalesce(list_transform(list_sort(list(DISTINCT $1)$n), lambda x: x + CAST(0 AS FLOAT)), [])",
     FN_AGGREGATE | FN_NOT_NULL | FN_ORDER_SENSITIVE, list_type, NULL},
    {"collect_set", "any ->", "coalesce(list_sort(list(DISTINCT $1)$n), [])", FN_AGGREGATE | FN_NOT_NULL | FN_ORDER_SENSITIVE, list_type, NULL},
    {"count_if", "boolean -> bigint", "count(CASE WHEN $1 THEN 1 END)$f", FN_AGGREGATE | FN_NOT_NULL, NULL, NULL},
    {"bool_and", "boolean -> boolean", "bool_and($1)$f", FN_AGGREGATE, NULL, NULL},
    {"every", "boolean -> boolean", "bool_and($1)$f", FN_AGGREGATE, NULL, NULL},
    {"bool_or", "boolean -> boolean", "bool_or($1)$f", FN_AGGREGATE, NULL, NULL},
    {"some", "boolean -> boolean", "bool_or($1)$f", FN_AGGREGATE, NULL, NULL},
    {"any", "boolean -> boolean", "bool_or($1)$f", FN_AGGREGATE, NULL, NULL},
    {"bit_and", "integral -> #1", "bit_and($1)$f", FN_AGGREGATE, NULL, NULL},
    {"bit_or", "integral -> #1", "bit_or($1)$f", FN_AGGREGATE, NULL, NULL},
    {"bit_xor", "integral -> #1", "bit_xor($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"stddev", "double -> double", "silt_stddev_samp($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"std", "double -> double", "silt_stddev_samp($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"stddev_samp", "double -> double", "silt_stddev_samp($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"stddev_pop", "double -> double", "silt_stddev_pop($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"variance", "double -> double", "silt_var_samp($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"var_samp", "double -> double", "silt_var_samp($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"var_pop", "double -> double", "silt_var_pop($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"covar_samp", "double, double -> double", "silt_covar_samp($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"covar_pop", "double, double -> double", "silt_covar_pop($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"corr", "double, double -> double", "silt_corr($1, $2, $pos)$f", FN_AGGREGATE | FN_MAY_FAIL, NULL, NULL},
    {"skewness", "double -> double", "silt_skewness($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"kurtosis", "double -> double", "silt_kurtosis($&$1)$f", FN_AGGREGATE, NULL, NULL},
    {"mode", "[any, any] ->", "mode($1$o)$f", FN_AGGREGATE, mode_type, NULL},
    {"regr_slope", "double, double -> double", "silt_regr_slope($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_intercept", "double, double -> double", "silt_regr_intercept($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_r2", "double, double -> double", "silt_regr_r2($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_avgx", "double, double -> double", "regr_avgx($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_avgy", "double, double -> double", "regr_avgy($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_sxx", "double, double -> double", "silt_regr_sxx($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_sxy", "double, double -> double", "silt_regr_sxy($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_syy", "double, double -> double", "silt_regr_syy($1, $2)$f", FN_AGGREGATE, NULL, NULL},
    {"regr_count", "double, double -> bigint", "CAST(regr_count($1, $2)$f AS BIGINT)", FN_AGGREGATE | FN_NOT_NULL, NULL, NULL},
    {"listagg", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, listagg_type, listagg_print},
    {"string_agg", "any [, any] ->", NULL, FN_AGGREGATE | FN_ORDER_SENSITIVE, listagg_type, listagg_print},
    {"grouping", "any -> tinyint", "CAST(grouping($1) AS TINYINT)", FN_AGGREGATE | FN_NOT_NULL, NULL, NULL},
    {"grouping_id", "[any...] ->", "CAST(grouping($*) AS BIGINT)", FN_AGGREGATE | FN_NOT_NULL, grouping_id_type, NULL},

    {"row_number", " -> int", "CAST(row_number()$f AS INTEGER)", FN_WINDOW | FN_ORDERED | FN_NOT_NULL, NULL, NULL},
    {"rank", " -> int", "CAST(rank()$f AS INTEGER)", FN_WINDOW | FN_ORDERED | FN_NOT_NULL, NULL, NULL},
    {"dense_rank", " -> int", "CAST(dense_rank()$f AS INTEGER)", FN_WINDOW | FN_ORDERED | FN_NOT_NULL, NULL, NULL},
    {"percent_rank", " -> double", "percent_rank()$f", FN_WINDOW | FN_ORDERED | FN_NOT_NULL, NULL, NULL},
    {"cume_dist", " -> double", "cume_dist()$f", FN_WINDOW | FN_ORDERED | FN_NOT_NULL, NULL, NULL},
    {"ntile", "int -> int", "CAST(ntile($1)$f AS INTEGER)", FN_WINDOW | FN_ORDERED | FN_NOT_NULL, NULL, NULL},
    {"lag", "any [, any, any] ->", NULL, FN_WINDOW | FN_ORDERED, lag_type, lag_print},
    {"lead", "any [, any, any] ->", NULL, FN_WINDOW | FN_ORDERED, lag_type, lag_print},
    {"nth_value", "any, int ->", "nth_value($1, $2$i)$f", FN_WINDOW, nth_type, NULL},
    {NULL},
};
