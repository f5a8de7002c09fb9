/* sql/print_duck_operator.c - arithmetic, comparisons and logic */
#include <string.h>

#include "sql/analyze.h"
#include "sql/print_duck.h"

static void infix(StrBuf *out, const Expr *e, const char *op)
{
    str_buf_putc(out, '(');
    sql__duck_compared(out, e->args[0]);
    str_buf_printf(out, " %s ", op);
    sql__duck_compared(out, e->args[1]);
    str_buf_putc(out, ')');
}

/* "name:type"(args.., pos) */
static void typed_call(StrBuf *out, const char *name, const Expr *e)
{
    str_buf_printf(out, "\"%s:", name);
    type_print_in_name(out, e->type);
    str_buf_puts(out, "\"(");
    for (int i = 0; i < e->arg_count; i++) {
        sql_duck_expr(out, e->args[i]);
        str_buf_puts(out, ", ");
    }
    sql_duck_pos(out, e->pos);
    str_buf_putc(out, ')');
}

static void as_decimal(StrBuf *out, const Expr *e, int precision, int scale)
{
    if (e->type->precision == precision && e->type->scale == scale) {
        sql_duck_expr(out, e);
        return;
    }
    str_buf_puts(out, "CAST(");
    sql_duck_expr(out, e);
    str_buf_printf(out, " AS DECIMAL(%d,%d))", precision, scale);
}

/*
 * DuckDB's result of two decimals of at most 18 digits has no more than 18 either, and fails on a longer value: one of them is made longer first,
 * where the exact result may be.
 */
enum { NARROW_DIGITS = 18 };

static void decimal_op(StrBuf *out, const Expr *e)
{
    const Type *l = e->args[0]->type, *r = e->args[1]->type;
    int scale = l->scale > r->scale ? l->scale : r->scale;
    int whole = l->precision - l->scale > r->precision - r->scale ? l->precision - l->scale : r->precision - r->scale;
    int digits = whole + scale;

    switch (*e->op) {
    case '+':
    case '-':
        if (digits < 38) { /* exact: DuckDB adds one digit to equal types */
            bool narrow = digits == NARROW_DIGITS;
            str_buf_puts(out, narrow ? "CAST((" : "(");
            as_decimal(out, e->args[0], digits + narrow, scale);
            str_buf_printf(out, " %s ", e->op);
            as_decimal(out, e->args[1], digits, scale);
            str_buf_putc(out, ')');
            if (narrow)
                str_buf_printf(out, " AS DECIMAL(%d,%d))", digits + 1, scale);
            return;
        }
        typed_call(out, *e->op == '+' ? "silt_decimal_add" : "silt_decimal_subtract", e);
        return;
    case '*':
        if (l->precision + r->precision < 38) {
            bool narrow = l->precision <= NARROW_DIGITS && r->precision <= NARROW_DIGITS && l->precision + r->precision > NARROW_DIGITS;
            str_buf_puts(out, "CAST((");
            as_decimal(out, e->args[0], narrow ? NARROW_DIGITS + 1 : l->precision, l->scale);
            str_buf_puts(out, " * ");
            sql_duck_expr(out, e->args[1]);
            str_buf_printf(out, ") AS DECIMAL(%d,%d))", e->type->precision, e->type->scale);
            return;
        }
        typed_call(out, "silt_decimal_multiply", e);
        return;
    case '/':
        typed_call(out, "silt_decimal_divide", e);
        return;
    case '%':
        typed_call(out, "silt_decimal_mod", e);
        return;
    default:
        typed_call(out, "silt_decimal_div", e);
    }
}

static bool is_stamp(const Type *t)
{
    return t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ;
}

/* A day-time interval as DuckDB's: whole days follow the calendar of the session's zone, the rest is exact. */
void sql__duck_interval(StrBuf *out, const Expr *i, bool minus)
{
    const char *sign = minus ? "-" : "";

    if (i->type->kind == TYPE_INTERVAL_YM) {
        str_buf_printf(out, "to_months(%s", sign);
        sql_duck_expr(out, i);
        str_buf_putc(out, ')');
    } else if (i->type->kind == TYPE_INTERVAL) {
        str_buf_printf(out, "(%s", sign);
        sql_duck_expr(out, i);
        str_buf_putc(out, ')');
    } else if (i->kind == EXPR_LITERAL) {
        int64_t v = minus ? -i->literal_int : i->literal_int;

        str_buf_printf(out, "(to_days(CAST(%lld AS INTEGER)) + to_microseconds(CAST(%lld AS BIGINT)))", (long long)(v / 86400000000),
                       (long long)(v % 86400000000));
    } else {
        str_buf_printf(out, "(to_days(CAST(%s(", sign);
        sql_duck_expr(out, i);
        str_buf_printf(out, " // 86400000000) AS INTEGER)) + to_microseconds(%s(", sign);
        sql_duck_expr(out, i);
        str_buf_puts(out, " % 86400000000)))");
    }
}

/* True if it was printed: operators of dates, times and intervals. */
static bool temporal(StrBuf *out, const Expr *e)
{
    const Expr *l = e->args[0], *r = e->args[1];
    bool minus = *e->op == '-';

    if (l->type->kind == TYPE_DATE && type_is_integral(r->type)) {
        infix(out, e, e->op);
        return true;
    }
    if (l->type->kind == TYPE_DATE && r->type->kind == TYPE_DATE) {
        str_buf_puts(out, "(CAST(");
        infix(out, e, "-");
        str_buf_puts(out, " AS BIGINT) * CAST(86400000000 AS BIGINT))");
        return true;
    }
    if (l->type->kind == TYPE_TIME && r->type->kind == TYPE_INTERVAL_DT) {
        str_buf_puts(out, "silt_time_add(");
        sql_duck_expr(out, l);
        str_buf_puts(out, minus ? ", -" : ", ");
        sql_duck_expr(out, r);
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return true;
    }
    if ((is_stamp(l->type) && is_stamp(r->type)) || (l->type->kind == TYPE_TIME && r->type->kind == TYPE_TIME)) {
        str_buf_puts(out, "(epoch_us(");
        sql_duck_expr(out, l);
        str_buf_puts(out, ") - epoch_us(");
        sql_duck_expr(out, r);
        str_buf_puts(out, "))");
        return true;
    }
    if (l->type->kind == TYPE_TIMESTAMP && r->type->kind == TYPE_INTERVAL_YM) { /* of an hour that comes twice DuckDB takes the second */
        str_buf_puts(out, "silt_add_months(");
        sql_duck_expr(out, l);
        str_buf_puts(out, minus ? ", -" : ", ");
        sql_duck_expr(out, r);
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return true;
    }
    if (is_stamp(l->type) || l->type->kind == TYPE_DATE) {
        if (l->type->kind == TYPE_DATE)
            str_buf_puts(out, "CAST(");
        str_buf_putc(out, '(');
        sql_duck_expr(out, l);
        str_buf_puts(out, " + ");
        sql__duck_interval(out, r, minus);
        str_buf_puts(out, l->type->kind == TYPE_DATE ? ") AS DATE)" : ")");
        return true;
    }
    if (l->type->kind != TYPE_INTERVAL_DT && l->type->kind != TYPE_INTERVAL_YM && l->type->kind != TYPE_INTERVAL)
        return false;
    if ((*e->op == '+' || minus) && l->type->kind != TYPE_INTERVAL) {
        str_buf_printf(out, "\"silt_%s:%s\"(", minus ? "subtract" : "add", l->type->kind == TYPE_INTERVAL_YM ? "int" : "bigint");
        sql__duck_list(out, e->args, 2);
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return true;
    }
    if (*e->op == '+' || minus) {
        infix(out, e, e->op);
        return true;
    }
    if (*e->op == '*' && type_is_integral(r->type)) {
        bool days = l->type->kind == TYPE_INTERVAL_DT;

        str_buf_puts(out, days ? "\"silt_multiply:bigint\"(" : "\"silt_multiply:int\"(");
        sql_duck_expr(out, l);
        str_buf_puts(out, ", CAST(");
        sql_duck_expr(out, r);
        str_buf_puts(out, days ? " AS BIGINT), " : " AS INTEGER), ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return true;
    }
    typed_call(out, *e->op == '/' ? "silt_interval_divide" : "silt_interval_multiply", e);
    return true;
}

static void arithmetic(StrBuf *out, const Expr *e)
{
    bool floating = e->type->kind == TYPE_DOUBLE || e->type->kind == TYPE_FLOAT;

    if (temporal(out, e))
        return;
    if (e->args[0]->type->kind == TYPE_DECIMAL) {
        decimal_op(out, e);
        return;
    }
    switch (*e->op) {
    case '+':
        floating ? infix(out, e, "+") : typed_call(out, "silt_add", e);
        return;
    case '-':
        floating ? infix(out, e, "-") : typed_call(out, "silt_subtract", e);
        return;
    case '*':
        floating ? infix(out, e, "*") : typed_call(out, "silt_multiply", e);
        return;
    case '/':
        sql__is_nonzero_literal(e->args[1]) ? infix(out, e, "/") : typed_call(out, "silt_divide", e);
        return;
    case '%':
        sql__is_nonzero_literal(e->args[1]) ? infix(out, e, "%") : typed_call(out, "silt_mod", e);
        return;
    default:
        sql__is_nonzero_literal(e->args[1]) ? infix(out, e, "//") : typed_call(out, "silt_div", e);
    }
}

static void logical(StrBuf *out, const Expr *e)
{
    bool is_and = !strcmp(e->op, "AND");

    if (!sql__may_fail(e->args[1])) {
        infix(out, e, e->op);
        return;
    }
    /* the right side is not asked where the left one settles it */
    str_buf_puts(out, "CASE WHEN ");
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, is_and ? " = false THEN false ELSE " : " THEN true ELSE ");
    infix(out, e, e->op);
    str_buf_puts(out, " END");
}

void sql__duck_binary(StrBuf *out, const Expr *e)
{
    const char *op = e->op;

    if (!strcmp(op, "AND") || !strcmp(op, "OR"))
        logical(out, e);
    else if (!strcmp(op, "<=>"))
        infix(out, e, "IS NOT DISTINCT FROM");
    else if (*op == '=')
        infix(out, e, op);
    else if (*op == '<' || *op == '>') {
        str_buf_putc(out, '(');
        sql__duck_ordered(out, e->args[0]);
        str_buf_printf(out, " %s ", op);
        sql__duck_ordered(out, e->args[1]);
        str_buf_putc(out, ')');
    }
    else if (*op == '^') {
        str_buf_puts(out, "xor(");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, ", ");
        sql_duck_expr(out, e->args[1]);
        str_buf_putc(out, ')');
    } else if (*op == '&' || *op == '|')
        infix(out, e, op);
    else
        arithmetic(out, e);
}

void sql__duck_unary(StrBuf *out, const Expr *e)
{
    if (!strcmp(e->op, "NOT") && e->args[0]->kind == EXPR_IN && e->args[0]->query) { /* is NOT IN */
        Expr in = *e->args[0];

        in.negated = !in.negated;
        sql_duck_expr(out, &in);
        return;
    }
    if (*e->op == '-' && type_is_integral(e->type)) {
        typed_call(out, "silt_negate", e);
        return;
    }
    str_buf_printf(out, !strcmp(e->op, "NOT") ? "(NOT " : *e->op == '-' ? "(- " : *e->op == '~' ? "(~ " : "(");
    sql_duck_expr(out, e->args[0]);
    str_buf_putc(out, ')');
}
