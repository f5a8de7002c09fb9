/* sql/functions_percentile.c - exact percentiles of numbers and of intervals */
#include <string.h>

#include "sql/analyze.h"

static bool is_interval(const Type *t)
{
    return t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT;
}

/* Between two values lies one of any unit. */
static const Type *whole_interval(const Type *t)
{
    return t->kind == TYPE_INTERVAL_YM ? type_interval_ym(0, 1) : type_interval_dt(0, 3);
}

/* What Spark computes of a value: numbers are DOUBLE. NULL with an error recorded. */
static const Type *value_type(SqlCall *call, Expr **slot)
{
    const Type *t = (*slot)->type;

    if (is_interval(t))
        return whole_interval(t);
    if (!type_is_numeric(t) && t->kind != TYPE_STRING && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs numbers or intervals, not %s", call->expr->function->name,
                             sql__type_name(call->analyzer, t));
    sql__cast(call->analyzer, slot, type_simple(TYPE_DOUBLE));
    return type_simple(TYPE_DOUBLE);
}

/* A DOUBLE as a value of the type: Java's cast, which drops what is behind the point and stops at the ends. */
static void print_value(StrBuf *out, const char *text, const Type *type)
{
    if (type->kind == TYPE_INTERVAL_YM)
        str_buf_printf(out, "CAST(trunc(%s) AS INTEGER)", text);
    else if (type->kind == TYPE_INTERVAL_DT)
        str_buf_printf(out, "silt_double_to_long(%s)", text);
    else
        str_buf_puts(out, text);
}

const Type *sql__of_percentages(SqlCall *call, const Type *value)
{
    Expr *e = call->expr;
    const Type *p = e->args[1]->type;

    if (p->kind == TYPE_ARRAY && p->element->kind == TYPE_VOID) { /* array() asks for nothing */
        e->args[1] = sql__null(call->analyzer, e->args[1]->pos);
        sql__cast(call->analyzer, &e->args[1], type_simple(TYPE_DOUBLE));
        return type_array(sql_call_arena(call), value, false);
    }
    if (p->kind == TYPE_ARRAY) {
        sql_call_cast(call, 1, type_array(sql_call_arena(call), type_simple(TYPE_DOUBLE), false));
        return type_array(sql_call_arena(call), value, false);
    }
    return sql_call_cast(call, 1, type_simple(TYPE_DOUBLE)) ? value : NULL;
}

/* percentile(x, percentages [, frequency]) */
static const Type *percentile_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *value;

    if (!is_interval(e->args[0]->type) && !type_is_numeric(e->args[0]->type) && e->args[0]->type->kind != TYPE_STRING && e->args[0]->type->kind != TYPE_VOID)
        return value_type(call, &e->args[0]);
    if (!sql__check_percentage(call, &e->args[1]))
        return NULL;
    if (e->arg_count > 2 && !type_is_integral(e->args[2]->type) && e->args[2]->type->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the frequency of percentile is a whole number, not %s",
                             sql__type_name(call->analyzer, e->args[2]->type));
    if (e->arg_count > 2)
        sql__cast(call->analyzer, &e->args[2], type_simple(TYPE_LONG));
    value = value_type(call, &e->args[0]);
    return value ? sql__of_percentages(call, value) : NULL;
}

static void percentile_print(StrBuf *out, const Expr *call)
{
    bool several = call->type->kind == TYPE_ARRAY, weighted = call->arg_count > 2;
    const Type *type = several ? call->type->element : call->type;
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (several && call->args[1]->type->kind != TYPE_ARRAY) { /* of array() there is nothing to compute */
        sql_duck_template(out, "CAST(any_value(NULL)$f AS $type)", call);
        return;
    }
    if (weighted)
        sql_duck_template(&text, several ? "silt_weighted_percentiles(silt_weighted($&CAST($1 AS DOUBLE), $3, $pos)$f, $2)"
                                         : "list_extract(silt_weighted_percentiles(silt_weighted($&CAST($1 AS DOUBLE), $3, $pos)$f, [$2]), 1)", call);
    else
        sql_duck_template(&text, "quantile_cont($&CAST($1 AS DOUBLE), $2)$f", call);
    if (!several || type->kind == TYPE_DOUBLE) {
        print_value(out, str_buf_text(&text), type);
        return;
    }
    str_buf_printf(out, "list_transform(%s, lambda v: ", str_buf_text(&text));
    print_value(out, "v", type);
    str_buf_putc(out, ')');
}

static const Type *median_type(SqlCall *call)
{
    return value_type(call, &call->expr->args[0]);
}

static void median_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    sql_duck_template(&text, "quantile_cont($&CAST($1 AS DOUBLE), 0.5)$f", call);
    print_value(out, str_buf_text(&text), call->type);
}

/* percentile_cont(p) WITHIN GROUP (ORDER BY x) */
static const Type *within_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (e->order_count != 1)
        return sql_call_fail(call, "INVALID_WITHIN_GROUP_EXPRESSION.WITHIN_GROUP_MISSING", "%s needs WITHIN GROUP (ORDER BY ...)", e->function->name);
    if (!e->order_by[0].expr->type)
        return NULL;
    return value_type(call, &e->order_by[0].expr);
}

static void within_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    str_buf_puts(&text, !strcmp(call->function->name, "percentile_cont") ? "quantile_cont(CAST(" : "quantile_disc(CAST(");
    sql_duck_expr(&text, call->order_by[0].expr);
    sql_duck_template(&text, call->order_by[0].descending ? " AS DOUBLE), 1.0 - $1)$f" : " AS DOUBLE), $1)$f", call);
    print_value(out, str_buf_text(&text), call->type);
}

const SqlFunction sql_functions_percentile[] = {
    {"percentile", "any, any [, any] ->", NULL, FN_AGGREGATE | FN_MAY_FAIL, percentile_type, percentile_print},
    {"percentile_cont", "double ->", NULL, FN_AGGREGATE, within_type, within_print},
    {"percentile_disc", "double ->", NULL, FN_AGGREGATE, within_type, within_print},
    {"median", "any ->", NULL, FN_AGGREGATE, median_type, median_print},
    {NULL},
};
