/*
 * sql/print_duck_expr.c - analyzed expressions as DuckDB text
 *
 *   E1  Every text is closed (a call, or in parentheses), so that it can stand anywhere.
 *   E2  What may fail is asked of a silt_ function that carries the position, never of an operator of DuckDB that would fail
 *       without one.
 */
#include <string.h>

#include "duck/session.h"
#include "sql/analyze.h"
#include "sql/print_duck.h"

void sql_duck_text(StrBuf *out, Str text)
{
    bool zero = memchr(text.ptr ? text.ptr : "", 0, text.size) != NULL;

    str_buf_puts(out, zero ? "('" : "'");
    for (size_t i = 0; i < text.size; i++) {
        if (text.ptr[i] == '\'')
            str_buf_puts(out, "''");
        else if (!text.ptr[i])
            str_buf_puts(out, "' || chr(0) || '");
        else
            str_buf_putc(out, text.ptr[i]);
    }
    str_buf_puts(out, zero ? "')" : "'");
}

int64_t sql__duck_packed(SiltPos pos)
{
    if (sql__duck.file && pos.file && !strcmp(sql__duck.file, pos.file))
        pos.file = NULL; /* the session knows it */
    return duck_pos_pack(pos);
}

void sql_duck_pos(StrBuf *out, SiltPos pos)
{
    str_buf_printf(out, "%lld", (long long)sql__duck_packed(pos));
}

void sql_duck_type(StrBuf *out, const Type *type)
{
    type_print_duck(out, type);
}

/* ---- literals ---- */

void sql__duck_literal(StrBuf *out, const Expr *e)
{
    switch (e->type->kind) {
    case TYPE_VOID:
        str_buf_puts(out, "NULL");
        return;
    case TYPE_BOOLEAN:
        str_buf_puts(out, e->literal_int ? "true" : "false");
        return;
    case TYPE_INT:
    case TYPE_INTERVAL_YM:
        str_buf_printf(out, e->literal_int < 0 ? "CAST(%lld AS INTEGER)" : "%lld", (long long)e->literal_int);
        return;
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_LONG:
    case TYPE_INTERVAL_DT:
        str_buf_printf(out, "CAST(%lld AS %s)", (long long)e->literal_int,
                       e->type->kind == TYPE_BYTE ? "TINYINT" : e->type->kind == TYPE_SHORT ? "SMALLINT" : "BIGINT");
        return;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        str_buf_printf(out, "CAST('%.17g' AS %s)", e->literal_double, e->type->kind == TYPE_FLOAT ? "FLOAT" : "DOUBLE");
        return;
    case TYPE_DECIMAL:
        str_buf_printf(out, "CAST('%.*s' AS DECIMAL(%d,%d))", (int)e->literal.size, e->literal.ptr, e->type->precision, e->type->scale);
        return;
    case TYPE_BINARY:
        str_buf_puts(out, "CAST('");
        for (size_t i = 0; i < e->literal.size; i++)
            str_buf_printf(out, "\\x%02X", (unsigned char)e->literal.ptr[i]);
        str_buf_puts(out, "' AS BLOB)");
        return;
    case TYPE_DATE:
        str_buf_printf(out, "(DATE '1970-01-01' + CAST(%lld AS INTEGER))", (long long)e->literal_int);
        return;
    case TYPE_TIMESTAMP:
        str_buf_printf(out, "make_timestamptz(CAST(%lld AS BIGINT))", (long long)e->literal_int);
        return;
    case TYPE_TIMESTAMP_NTZ:
        str_buf_printf(out, "make_timestamp(CAST(%lld AS BIGINT))", (long long)e->literal_int);
        return;
    case TYPE_TIME:
        str_buf_printf(out, "(TIME '00:00:00' + to_microseconds(CAST(%lld AS BIGINT)))", (long long)e->literal_int);
        return;
    default:
        sql_duck_text(out, e->literal);
    }
}

/* ---- what may fail ---- */

static bool is_number(const Type *t)
{
    return type_is_numeric(t) && t->kind != TYPE_DOUBLE && t->kind != TYPE_FLOAT;
}

bool sql__is_nonzero_literal(const Expr *e)
{
    while (e->kind == EXPR_CAST && e->implicit)
        e = e->args[0];
    return e->kind == EXPR_LITERAL && ((type_is_integral(e->type) && e->literal_int != 0 && e->literal_int != -1) ||
                                       ((e->type->kind == TYPE_DOUBLE || e->type->kind == TYPE_FLOAT) && e->literal_double != 0));
}

static bool fails_here(const Expr *e)
{
    if (e->kind == EXPR_CAST)
        return !e->extra && strcmp(e->op, "TRY_CAST") != 0 && sql__cast_fails(e->args[0]->type, e->cast_type);
    if (e->kind == EXPR_BINARY && e->type->kind != TYPE_BOOLEAN) {
        if (*e->op == '/' || *e->op == '%' || *e->op == 'D')
            return !sql__is_nonzero_literal(e->args[1]) || e->type->kind == TYPE_DECIMAL;
        return is_number(e->type) || e->type->kind == TYPE_INTERVAL_DT || e->type->kind == TYPE_INTERVAL_YM ||
               (e->type->kind == TYPE_TIMESTAMP && e->args[1]->type->kind == TYPE_INTERVAL_YM);
    }
    if (e->kind == EXPR_UNARY)
        return *e->op == '-' && type_is_integral(e->type);
    if (e->kind == EXPR_CALL)
        return e->function->flags & FN_MAY_FAIL;
    return e->kind == EXPR_SUBSCRIPT && e->args[0]->type->kind == TYPE_ARRAY;
}

bool sql__may_fail(const Expr *e)
{
    return sql__any((Expr *)(uintptr_t)e, fails_here);
}

/* ---- what is ordered ---- */

void sql__duck_ordered(StrBuf *out, const Expr *e)
{
    bool nested = e->type && sql__is_nested(e->type);

    str_buf_puts(out, nested ? "silt_sort_key(" : "");
    sql__duck_compared(out, e);
    str_buf_puts(out, nested ? ")" : "");
}

void sql__duck_key(StrBuf *out, const Expr *e)
{
    bool floating = e->type && (e->type->kind == TYPE_FLOAT || e->type->kind == TYPE_DOUBLE) && e->deterministic;

    str_buf_puts(out, floating ? "(" : "");
    sql__duck_ordered(out, e);
    str_buf_puts(out, !floating ? "" : e->type->kind == TYPE_FLOAT ? " + CAST(0 AS FLOAT))" : " + CAST(0 AS DOUBLE))");
}

void sql__duck_sorted(StrBuf *out, const char *list, const char *order)
{
    str_buf_printf(out, "list_transform(list_sort(list_transform(%s, lambda x: CASE WHEN x IS NULL THEN NULL ELSE struct_pack(k := silt_sort_key(x), v := x) END), %s), ", list,
                   order);
    str_buf_puts(out, "lambda x: struct_extract_at(x, 2))");
}

/* ---- other forms ---- */

void sql__duck_list(StrBuf *out, Expr *const *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql_duck_expr(out, items[i]);
    }
}

static void case_when(StrBuf *out, const Expr *e)
{
    str_buf_puts(out, "CASE");
    if (e->operand) {
        str_buf_putc(out, ' ');
        sql__duck_compared(out, e->operand);
    }
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        str_buf_puts(out, " WHEN ");
        (e->operand ? sql__duck_compared : sql_duck_expr)(out, e->args[i]);
        str_buf_puts(out, " THEN ");
        sql_duck_expr(out, e->args[i + 1]);
    }
    if (e->otherwise) {
        str_buf_puts(out, " ELSE ");
        sql_duck_expr(out, e->otherwise);
    }
    str_buf_puts(out, " END");
}

static void field(StrBuf *out, const Expr *e)
{
    if (e->args[0]->type->kind == TYPE_ARRAY) {
        int id = ++sql__duck.next_name;

        str_buf_puts(out, "list_transform(");
        sql_duck_expr(out, e->args[0]);
        str_buf_printf(out, ", lambda e%d: struct_extract_at(e%d, %d))", id, id, e->column + 1);
        return;
    }
    str_buf_puts(out, "struct_extract_at(");
    sql_duck_expr(out, e->args[0]);
    str_buf_printf(out, ", %d)", e->column + 1);
}

static void subscript(StrBuf *out, const Expr *e)
{
    if (e->args[0]->type->kind == TYPE_MAP) {
        str_buf_puts(out, "map_extract_value(");
        sql__duck_list(out, e->args, 2);
        str_buf_putc(out, ')');
        return;
    }
    str_buf_puts(out, "list_extract(");
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, ", silt_array_index(len(");
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, "), ");
    sql_duck_expr(out, e->args[1]);
    str_buf_puts(out, ", ");
    sql_duck_pos(out, e->pos);
    str_buf_puts(out, "))");
}

static void row(StrBuf *out, const Expr *e)
{
    str_buf_puts(out, "struct_pack(");
    for (int i = 0; i < e->arg_count; i++) {
        str_buf_printf(out, i ? ", col%d := " : "col%d := ", i + 1);
        sql_duck_expr(out, e->args[i]);
    }
    str_buf_putc(out, ')');
}

/* ---- all of them ---- */

void sql_duck_expr(StrBuf *out, const Expr *e)
{
    if (sql__duck_hoisted(out, e))
        return;
    switch (e->kind) {
    case EXPR_LITERAL:
        sql__duck_literal(out, e);
        return;
    case EXPR_COLUMN:
        if (!e->relation)
            str_buf_puts(out, e->text);
        else if (!e->relation->id)
            str_buf_printf(out, "%sc%d", sql__duck.prefix ? sql__duck.prefix : "", e->column + 1);
        else
            str_buf_printf(out, "r%d.c%d", e->relation->id, e->column + 1);
        return;
    case EXPR_CALL:
        sql__duck_call(out, e);
        return;
    case EXPR_UNARY:
        sql__duck_unary(out, e);
        return;
    case EXPR_BINARY:
        sql__duck_binary(out, e);
        return;
    case EXPR_IS:
        sql__duck_is(out, e);
        return;
    case EXPR_BETWEEN:
        str_buf_puts(out, e->negated ? "(NOT (" : "((");
        sql__duck_ordered(out, e->args[0]);
        str_buf_puts(out, " BETWEEN ");
        sql__duck_ordered(out, e->args[1]);
        str_buf_puts(out, " AND ");
        sql__duck_ordered(out, e->args[2]);
        str_buf_puts(out, "))");
        return;
    case EXPR_IN:
        if (e->query && e->nullable) { /* Spark asks whether such a row exists, and gives no NULL */
            str_buf_puts(out, "coalesce(");
            sql__duck_in(out, e);
            str_buf_puts(out, ", false)");
            return;
        }
        sql__duck_in(out, e);
        return;
    case EXPR_LIKE:
        sql__duck_like(out, e);
        return;
    case EXPR_CASE:
        case_when(out, e);
        return;
    case EXPR_CAST:
        sql__duck_cast(out, e);
        return;
    case EXPR_SUBQUERY:
        str_buf_putc(out, '(');
        sql__duck_query(out, e->query);
        str_buf_putc(out, ')');
        return;
    case EXPR_EXISTS:
        str_buf_puts(out, e->negated ? "(NOT EXISTS (" : "(EXISTS (");
        sql__duck_query(out, e->query);
        str_buf_puts(out, "))");
        return;
    case EXPR_LAMBDA: {
        const char *const *names = e->extra;

        str_buf_puts(out, "lambda ");
        for (int i = 0; i < e->parameter_count && names[i]; i++)
            str_buf_printf(out, i ? ", %s" : "%s", names[i]);
        str_buf_puts(out, ": ");
        sql_duck_expr(out, e->args[0]);
        return;
    }
    case EXPR_SUBSCRIPT:
        subscript(out, e);
        return;
    case EXPR_FIELD:
        field(out, e);
        return;
    case EXPR_ROW:
        row(out, e);
        return;
    case EXPR_ALIASED:
        sql_duck_expr(out, e->args[0]);
        return;
    case EXPR_STAR:
    case EXPR_EXTRACT:
    case EXPR_INTERVAL:
    case EXPR_PATH:
    case EXPR_NAMED_ARG:
    case EXPR_PARAM_DEFAULT:
        silt_assert(!"the analyzer replaces or refuses these");
    }
}
