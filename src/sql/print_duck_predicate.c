/* sql/print_duck_predicate.c - what is true or not: conditions, LIKE, IS, IN */
#include <string.h>

#include "sql/analyze.h"
#include "sql/print_duck.h"

void sql__duck_condition(StrBuf *out, const Expr *e)
{
    if (e->kind == EXPR_BINARY && !strcmp(e->op, "AND")) {
        str_buf_putc(out, '(');
        sql__duck_condition(out, e->args[0]);
        str_buf_puts(out, " AND ");
        if (sql__may_fail(e->args[1])) {
            /* the left side twice: once to be pushed down, once to guard */
            str_buf_puts(out, "CASE WHEN ");
            sql__duck_condition(out, e->args[0]);
            str_buf_puts(out, " THEN ");
            sql__duck_condition(out, e->args[1]);
            str_buf_puts(out, " ELSE false END");
        } else {
            sql__duck_condition(out, e->args[1]);
        }
        str_buf_putc(out, ')');
        return;
    }
    if (e->kind == EXPR_IN && e->query)
        sql__duck_in(out, e); /* NULL counts as false already, and DuckDB makes a join of it */
    else
        sql_duck_expr(out, e);
}

static void like_one(StrBuf *out, const Expr *e, const Expr *pattern)
{
    if (!strcmp(e->op, "RLIKE")) {
        str_buf_puts(out, "silt_rlike(");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, ", ");
        sql_duck_expr(out, pattern);
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return;
    }
    char escape = e->escape ? *e->escape->literal.ptr : '\\';

    if (pattern->kind != EXPR_LITERAL) { /* a pattern that only the row knows may be malformed */
        str_buf_puts(out, *e->op == 'I' ? "silt_ilike(" : "silt_like(");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, ", ");
        sql_duck_expr(out, pattern);
        str_buf_puts(out, ", ");
        sql_duck_text(out, (Str){&escape, 1});
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return;
    }
    bool plain = pattern->kind == EXPR_LITERAL && !memchr(pattern->literal.ptr ? pattern->literal.ptr : "", escape, pattern->literal.size);

    str_buf_putc(out, '(');
    sql_duck_expr(out, e->args[0]);
    str_buf_printf(out, " %s ", e->op);
    sql_duck_expr(out, pattern);
    if (!plain)
        str_buf_printf(out, escape == '\'' ? " ESCAPE ''''" : " ESCAPE '%c'", escape);
    str_buf_putc(out, ')');
}

void sql__duck_like(StrBuf *out, const Expr *e)
{
    bool all = e->quantifier && !strcmp(e->quantifier, "ALL");

    if (e->negated)
        str_buf_puts(out, "(NOT ");
    str_buf_putc(out, '(');
    for (int i = 1; i < e->arg_count; i++) {
        if (i > 1)
            str_buf_puts(out, all != e->negated || !e->quantifier ? " AND " : " OR ");
        like_one(out, e, e->args[i]);
    }
    str_buf_puts(out, e->negated ? "))" : ")");
}

void sql__duck_is(StrBuf *out, const Expr *e)
{
    str_buf_putc(out, '(');
    (!strcmp(e->op, "DISTINCT") ? sql__duck_compared : sql_duck_expr)(out, e->args[0]);
    if (!strcmp(e->op, "NULL") || !strcmp(e->op, "UNKNOWN"))
        str_buf_puts(out, e->negated ? " IS NOT NULL)" : " IS NULL)");
    else if (!strcmp(e->op, "DISTINCT")) {
        str_buf_puts(out, e->negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ");
        sql__duck_compared(out, e->args[1]);
        str_buf_putc(out, ')');
    } else {
        str_buf_printf(out, " IS %sDISTINCT FROM %s)", e->negated ? "" : "NOT ", !strcmp(e->op, "TRUE") ? "true" : "false");
    }
}

/* Values that may fail, one after the other as Spark asks for them: those behind the first that is equal are not. */
static void in_turn(StrBuf *out, const Expr *e)
{
    str_buf_puts(out, e->negated ? "(NOT CASE WHEN " : "(CASE WHEN ");
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, " IS NULL THEN NULL");
    for (int i = 1; i < e->arg_count; i++) {
        str_buf_puts(out, " WHEN ");
        sql__duck_compared(out, e->args[0]);
        str_buf_puts(out, " = ");
        sql__duck_compared(out, e->args[i]);
        str_buf_puts(out, " THEN true");
    }
    for (int i = 1; i < e->arg_count; i++) {
        if (!e->args[i]->nullable)
            continue;
        str_buf_puts(out, " WHEN ");
        sql_duck_expr(out, e->args[i]);
        str_buf_puts(out, " IS NULL THEN NULL");
    }
    str_buf_puts(out, " ELSE false END)");
}

/*
 * (a, b) NOT IN (query): no row of the query is equal, or may be for its NULLs. DuckDB's own gives NULL for every row as soon as there is one NULL
 * on the other side.
 */
static void row_not_in(StrBuf *out, const Expr *e)
{
    const Expr *row = e->args[0];

    str_buf_puts(out, "(NOT EXISTS (SELECT 1 FROM (");
    (sql__any_collation(e->query) ? sql__duck_keys_of : sql__duck_query)(out, e->query);
    str_buf_puts(out, ") AS silt_in(");
    for (int i = 0; i < row->arg_count; i++)
        str_buf_printf(out, i ? ", silt_in%d" : "silt_in%d", i + 1);
    str_buf_puts(out, ") WHERE (");
    for (int i = 0; i < row->arg_count; i++) {
        str_buf_puts(out, i ? " AND " : "");
        sql__duck_compared(out, row->args[i]);
        str_buf_printf(out, " = silt_in.silt_in%d", i + 1);
    }
    str_buf_puts(out, ") IS DISTINCT FROM false))");
}

void sql__duck_in(StrBuf *out, const Expr *e)
{
    bool fails = false;

    if (e->negated && e->query && e->query->column_count > 1) {
        row_not_in(out, e);
        return;
    }
    for (int i = 1; !e->query && i < e->arg_count; i++)
        fails = fails || sql__may_fail(e->args[i]);
    if (fails) {
        in_turn(out, e);
        return;
    }
    str_buf_puts(out, e->negated ? "(NOT (" : "((");
    if (e->query && e->query->column_count > 1) {
        str_buf_putc(out, '(');
        sql__duck_compared_list(out, e->args[0]->args, e->args[0]->arg_count);
        str_buf_putc(out, ')');
    } else {
        sql__duck_compared(out, e->query && e->args[0]->kind == EXPR_ROW ? e->args[0]->args[0] : e->args[0]);
    }
    str_buf_puts(out, " IN (");
    if (e->query)
        (sql__any_collation(e->query) ? sql__duck_keys_of : sql__duck_query)(out, e->query);
    else
        sql__duck_compared_list(out, e->args + 1, e->arg_count - 1);
    str_buf_puts(out, ")))");
}
