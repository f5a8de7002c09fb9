/*
 * sql/print_duck_expr.c - analyzed expressions as DuckDB text
 *
 *   E1  Every text is closed (a call, or in parentheses), so that it can stand anywhere.
 *   E2  What may fail is asked of a silt_ function that carries the position, never of an operator of DuckDB that would fail
 *       without one.
 */
#include <math.h>
#include <stdio.h>
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

void sql_duck_pos(StrBuf *out, SiltPos pos)
{
    if (sql__duck.file && pos.file && !strcmp(sql__duck.file, pos.file))
        pos.file = NULL; /* the session knows it */
    str_buf_printf(out, "%lld", (long long)duck_pos_pack(pos));
}

void sql_duck_type(StrBuf *out, const Type *type)
{
    type_print_duck(out, type);
}

/* ---- literals ---- */

static void literal(StrBuf *out, const Expr *e)
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

static bool nonzero_literal(const Expr *e)
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
            return !nonzero_literal(e->args[1]) || e->type->kind == TYPE_DECIMAL;
        return is_number(e->type) || e->type->kind == TYPE_INTERVAL_DT || e->type->kind == TYPE_INTERVAL_YM;
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

static void in_list(StrBuf *out, const Expr *e);
static void list(StrBuf *out, Expr *const *items, int count);

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
        in_list(out, e); /* NULL counts as false already, and DuckDB makes a join of it */
    else
        sql_duck_expr(out, e);
}

/* ---- operators ---- */

static void infix(StrBuf *out, const Expr *e, const char *op)
{
    str_buf_putc(out, '(');
    sql_duck_expr(out, e->args[0]);
    str_buf_printf(out, " %s ", op);
    sql_duck_expr(out, e->args[1]);
    str_buf_putc(out, ')');
}

/* "name:type"(args.., pos) */
static void typed_call(StrBuf *out, const char *name, const Expr *e)
{
    str_buf_printf(out, "\"%s:", name);
    type_print(out, e->type);
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
static void duck_interval(StrBuf *out, const Expr *i, bool minus)
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
    if (is_stamp(l->type) || l->type->kind == TYPE_DATE) {
        if (l->type->kind == TYPE_DATE)
            str_buf_puts(out, "CAST(");
        str_buf_putc(out, '(');
        sql_duck_expr(out, l);
        str_buf_puts(out, " + ");
        duck_interval(out, r, minus);
        str_buf_puts(out, l->type->kind == TYPE_DATE ? ") AS DATE)" : ")");
        return true;
    }
    if (l->type->kind != TYPE_INTERVAL_DT && l->type->kind != TYPE_INTERVAL_YM && l->type->kind != TYPE_INTERVAL)
        return false;
    if ((*e->op == '+' || minus) && l->type->kind != TYPE_INTERVAL) {
        str_buf_printf(out, "\"silt_%s:%s\"(", minus ? "subtract" : "add", l->type->kind == TYPE_INTERVAL_YM ? "int" : "bigint");
        list(out, e->args, 2);
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
        nonzero_literal(e->args[1]) ? infix(out, e, "/") : typed_call(out, "silt_divide", e);
        return;
    case '%':
        nonzero_literal(e->args[1]) ? infix(out, e, "%") : typed_call(out, "silt_mod", e);
        return;
    default:
        nonzero_literal(e->args[1]) ? infix(out, e, "//") : typed_call(out, "silt_div", e);
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

void sql__duck_ordered(StrBuf *out, const Expr *e)
{
    bool nested = e->type && sql__is_nested(e->type);

    str_buf_puts(out, nested ? "silt_sort_key(" : "");
    sql_duck_expr(out, e);
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

static void binary(StrBuf *out, const Expr *e)
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

static void unary(StrBuf *out, const Expr *e)
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

/* ---- casts ---- */

static bool same_in_duck(const Type *x, const Type *y)
{
    return type_equal(x, y, false);
}

/* Casts that DuckDB does exactly as Spark does. */
static bool duck_casts(const Type *from, const Type *to)
{
    TypeKind f = from->kind, t = to->kind;

    if (f == TYPE_VOID)
        return true;
    if (type_is_integral(from) && (type_is_integral(to) || t == TYPE_FLOAT || t == TYPE_DOUBLE || t == TYPE_STRING || t == TYPE_BOOLEAN))
        return t == TYPE_STRING || t == TYPE_BOOLEAN || t == TYPE_FLOAT || t == TYPE_DOUBLE || !sql__cast_fails(from, to);
    if (t == TYPE_DECIMAL && (type_is_integral(from) || (f == TYPE_DECIMAL && from->scale <= to->scale)))
        return !sql__cast_fails(from, to);
    if (f == TYPE_FLOAT && t == TYPE_DOUBLE)
        return true;
    if (f == TYPE_BOOLEAN)
        return type_is_numeric(to) && t != TYPE_DECIMAL;
    if (f == TYPE_DATE && (t == TYPE_TIMESTAMP_NTZ || t == TYPE_STRING))
        return t == TYPE_TIMESTAMP_NTZ;
    if (f == TYPE_TIMESTAMP_NTZ && t == TYPE_DATE)
        return true;
    return false;
}

static void cast_struct(StrBuf *out, const Expr *e)
{
    const Type *from = e->args[0]->type, *to = e->type;

    str_buf_puts(out, "CASE WHEN ");
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, " IS NULL THEN NULL ELSE struct_pack(");
    for (int i = 0; i < to->field_count; i++) {
        Expr field = {.kind = EXPR_FIELD, .pos = e->pos, .text = from->fields[i].name, .args = e->args, .arg_count = 1, .column = i,
                      .type = from->fields[i].type};
        Expr *arg = &field;
        Expr cast = {.kind = EXPR_CAST, .pos = e->pos, .op = e->op, .args = &arg, .arg_count = 1, .cast_type = to->fields[i].type,
                     .type = to->fields[i].type};

        if (i)
            str_buf_puts(out, ", ");
        str_buf_putc(out, '"');
        for (const char *c = to->fields[i].name; *c; c++)
            str_buf_printf(out, *c == '"' ? "\"\"" : "%c", *c);
        str_buf_puts(out, "\" := ");
        sql_duck_expr(out, &cast);
    }
    str_buf_puts(out, ") END");
}

static void cast_array(StrBuf *out, const Expr *e)
{
    char name[24];
    Expr item = {.kind = EXPR_COLUMN, .pos = e->pos, .text = name, .type = e->args[0]->type->element};
    Expr *arg = &item;
    Expr cast = {.kind = EXPR_CAST, .pos = e->pos, .op = e->op, .args = &arg, .arg_count = 1, .cast_type = e->type->element, .type = e->type->element};

    snprintf(name, sizeof name, "e%d", ++sql__duck.next_name);
    str_buf_puts(out, "list_transform(");
    sql_duck_expr(out, e->args[0]);
    str_buf_printf(out, ", lambda %s: ", name);
    sql_duck_expr(out, &cast);
    str_buf_putc(out, ')');
}

static void cast_map(StrBuf *out, const Expr *e)
{
    const Type *from = e->args[0]->type;
    char name[24];
    Expr entry = {.kind = EXPR_COLUMN, .pos = e->pos, .text = name};
    Expr *entry_arg = &entry;
    Type entry_type = {.kind = TYPE_STRUCT};
    Expr key = {.kind = EXPR_FIELD, .pos = e->pos, .text = "key", .args = &entry_arg, .arg_count = 1, .type = from->key};
    Expr value = {.kind = EXPR_FIELD, .pos = e->pos, .text = "value", .args = &entry_arg, .arg_count = 1, .column = 1, .type = from->element};
    Expr *key_arg = &key, *value_arg = &value;
    Expr key_cast = {.kind = EXPR_CAST, .pos = e->pos, .op = e->op, .args = &key_arg, .arg_count = 1, .cast_type = e->type->key, .type = e->type->key};
    Expr value_cast = {.kind = EXPR_CAST, .pos = e->pos, .op = e->op, .args = &value_arg, .arg_count = 1, .cast_type = e->type->element,
                       .type = e->type->element};

    entry.type = &entry_type;
    snprintf(name, sizeof name, "e%d", ++sql__duck.next_name);
    str_buf_puts(out, "map_from_entries(list_transform(map_entries(");
    sql_duck_expr(out, e->args[0]);
    str_buf_printf(out, "), lambda %s: struct_pack(k := ", name);
    sql_duck_expr(out, &key_cast);
    str_buf_puts(out, ", v := ");
    sql_duck_expr(out, &value_cast);
    str_buf_puts(out, ")))");
}

static bool holds_interval(const Type *t)
{
    if (t->kind == TYPE_ARRAY)
        return holds_interval(t->element);
    if (t->kind == TYPE_MAP)
        return holds_interval(t->key) || holds_interval(t->element);
    for (int i = 0; t->kind == TYPE_STRUCT && i < t->field_count; i++)
        if (holds_interval(t->fields[i].type))
            return true;
    return t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT;
}

/* "silt_cast:<type>"(value, pos), see duck/fn_cast.c; the value between `before` and `after`. Intervals are plain integers to DuckDB, so their type goes into the name. */
static void cast_by_function(StrBuf *out, const Expr *e, const char *before, const char *after)
{
    const Type *from = e->args[0]->type;
    bool try_cast = e->op && !strcmp(e->op, "TRY_CAST");

    str_buf_puts(out, try_cast ? "\"silt_try_cast:" : "\"silt_cast:");
    if (holds_interval(from)) {
        type_print(out, from);
        str_buf_puts(out, "->");
    }
    type_print(out, e->type);
    str_buf_printf(out, "\"(%s", before);
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, after);
    if (!try_cast) {
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
    }
    str_buf_putc(out, ')');
}

void sql_duck_cut_time(StrBuf *out, const char *time, int precision)
{
    int unit_us = 1;

    for (int i = precision; i < 6; i++)
        unit_us *= 10;
    if (unit_us == 1)
        str_buf_puts(out, time);
    else
        str_buf_printf(out, "(TIME '00:00:00' + to_microseconds(epoch_us(%s) // %d * %d))", time, unit_us, unit_us);
}

/* TIME to TIME(p), or to seconds. */
static void cast_time(StrBuf *out, const Expr *e)
{
    if (e->type->kind == TYPE_TIME) {
        silt_auto(str_buf_fini) StrBuf time = {0};

        sql_duck_expr(&time, e->args[0]);
        sql_duck_cut_time(out, str_buf_text(&time), e->type->precision < e->args[0]->type->precision ? e->type->precision : 6);
    } else if (e->type->kind == TYPE_DECIMAL) {
        cast_by_function(out, e, "CAST(CAST(epoch_us(", ") AS DECIMAL(14,0)) * CAST('0.000001' AS DECIMAL(6,6)) AS DECIMAL(14,6))");
    } else {
        cast_by_function(out, e, "epoch_us(", ") // 1000000");
    }
}

static void cast(StrBuf *out, const Expr *e)
{
    const Type *from = e->args[0]->type, *to = e->type;

    if (e->extra) { /* of constant text: known already */
        literal(out, e->extra);
        return;
    }
    if (same_in_duck(from, to)) {
        sql_duck_expr(out, e->args[0]);
        return;
    }
    if (to->kind == TYPE_VARIANT && from->kind != TYPE_VOID) {
        str_buf_puts(out, "silt_to_variant(");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, ", ");
        sql_duck_pos(out, e->pos);
        str_buf_putc(out, ')');
        return;
    }
    if (from->kind == TYPE_VARIANT) {
        bool try_it = e->op && !strcmp(e->op, "TRY_CAST");

        str_buf_puts(out, try_it ? "\"silt_try_variant_get:" : "\"silt_variant_get:");
        type_print(out, to);
        str_buf_puts(out, "\"(");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, ", '$'");
        if (!try_it) {
            str_buf_puts(out, ", ");
            sql_duck_pos(out, e->pos);
        }
        str_buf_putc(out, ')');
        return;
    }
    if (e->args[0]->kind == EXPR_LITERAL && type_is_integral(from) && (type_is_integral(to)) && !sql__cast_fails(from, to)) {
        Expr lit = *e->args[0];

        lit.type = to;
        literal(out, &lit);
        return;
    }
    if (from->kind == to->kind && from->kind == TYPE_STRUCT) {
        cast_struct(out, e);
        return;
    }
    if (from->kind == to->kind && from->kind == TYPE_ARRAY && from->element->kind != TYPE_VOID) {
        cast_array(out, e);
        return;
    }
    if (from->kind == to->kind && from->kind == TYPE_MAP) {
        cast_map(out, e);
        return;
    }
    if (from->kind == to->kind && (from->kind == TYPE_INTERVAL_YM || from->kind == TYPE_INTERVAL_DT) && from->to_unit == to->to_unit) {
        sql_duck_expr(out, e->args[0]);
        return;
    }
    if (duck_casts(from, to) || (from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY)) {
        str_buf_puts(out, "CAST(");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, " AS ");
        sql_duck_type(out, to);
        str_buf_putc(out, ')');
        return;
    }
    if (from->kind == TYPE_TIME && to->kind != TYPE_STRING)
        cast_time(out, e);
    else
        cast_by_function(out, e, "", "");
}

/* ---- other forms ---- */

static void list(StrBuf *out, Expr *const *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql_duck_expr(out, items[i]);
    }
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

static void like(StrBuf *out, const Expr *e)
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

static void is_test(StrBuf *out, const Expr *e)
{
    str_buf_putc(out, '(');
    sql_duck_expr(out, e->args[0]);
    if (!strcmp(e->op, "NULL") || !strcmp(e->op, "UNKNOWN"))
        str_buf_puts(out, e->negated ? " IS NOT NULL)" : " IS NULL)");
    else if (!strcmp(e->op, "DISTINCT")) {
        str_buf_puts(out, e->negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ");
        sql_duck_expr(out, e->args[1]);
        str_buf_putc(out, ')');
    } else {
        str_buf_printf(out, " IS %sDISTINCT FROM %s)", e->negated ? "" : "NOT ", !strcmp(e->op, "TRUE") ? "true" : "false");
    }
}

static void case_when(StrBuf *out, const Expr *e)
{
    str_buf_puts(out, "CASE");
    if (e->operand) {
        str_buf_putc(out, ' ');
        sql_duck_expr(out, e->operand);
    }
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        str_buf_puts(out, " WHEN ");
        sql_duck_expr(out, e->args[i]);
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
        list(out, e->args, 2);
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

/* Values that may fail, one after the other as Spark asks for them: those behind the first that is equal are not. */
static void in_turn(StrBuf *out, const Expr *e)
{
    str_buf_puts(out, e->negated ? "(NOT CASE WHEN " : "(CASE WHEN ");
    sql_duck_expr(out, e->args[0]);
    str_buf_puts(out, " IS NULL THEN NULL");
    for (int i = 1; i < e->arg_count; i++) {
        str_buf_puts(out, " WHEN ");
        sql_duck_expr(out, e->args[0]);
        str_buf_puts(out, " = ");
        sql_duck_expr(out, e->args[i]);
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
    sql__duck_query(out, e->query);
    str_buf_puts(out, ") AS silt_in(");
    for (int i = 0; i < row->arg_count; i++)
        str_buf_printf(out, i ? ", silt_in%d" : "silt_in%d", i + 1);
    str_buf_puts(out, ") WHERE (");
    for (int i = 0; i < row->arg_count; i++) {
        str_buf_puts(out, i ? " AND " : "");
        sql_duck_expr(out, row->args[i]);
        str_buf_printf(out, " = silt_in.silt_in%d", i + 1);
    }
    str_buf_puts(out, ") IS DISTINCT FROM false))");
}

static void in_list(StrBuf *out, const Expr *e)
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
        list(out, e->args[0]->args, e->args[0]->arg_count);
        str_buf_putc(out, ')');
    } else {
        sql_duck_expr(out, e->query && e->args[0]->kind == EXPR_ROW ? e->args[0]->args[0] : e->args[0]);
    }
    str_buf_puts(out, " IN (");
    if (e->query)
        sql__duck_query(out, e->query);
    else
        list(out, e->args + 1, e->arg_count - 1);
    str_buf_puts(out, ")))");
}

/* ---- calls ---- */

static void bound(StrBuf *out, FrameBound b, const Expr *offset)
{
    switch (b) {
    case FRAME_UNBOUNDED_PRECEDING:
        str_buf_puts(out, "UNBOUNDED PRECEDING");
        return;
    case FRAME_UNBOUNDED_FOLLOWING:
        str_buf_puts(out, "UNBOUNDED FOLLOWING");
        return;
    case FRAME_CURRENT:
        str_buf_puts(out, "CURRENT ROW");
        return;
    default:
        if (offset->type->kind == TYPE_INTERVAL_DT || offset->type->kind == TYPE_INTERVAL_YM)
            duck_interval(out, offset, false);
        else
            sql_duck_expr(out, offset);
        str_buf_puts(out, b == FRAME_PRECEDING ? " PRECEDING" : " FOLLOWING");
    }
}

/* Is each row's frame its whole partition? */
static bool whole_partition(const WindowSpec *w)
{
    if (!w->frame_given)
        return !w->order_count;
    bool ends = w->end == FRAME_UNBOUNDED_FOLLOWING || (w->end == FRAME_CURRENT && !w->frame_rows && !w->order_count);
    return ends && (w->start == FRAME_UNBOUNDED_PRECEDING || (w->start == FRAME_CURRENT && !w->frame_rows && !w->order_count));
}

static bool is_aggregate_in_c(const SqlFunction *f)
{
    return (f->flags & FN_AGGREGATE) && (f->print || strstr(f->duck, "silt_"));
}

static void window(StrBuf *out, const Expr *call, bool framed)
{
    const WindowSpec *w = call->window;
    str_buf_puts(out, " OVER (");
    if (w->partition_count) {
        for (int i = 0; i < w->partition_count; i++) {
            str_buf_puts(out, i ? ", " : "PARTITION BY ");
            (sql__is_nested(w->partition_by[i]->type) ? sql_duck_expr : sql__duck_key)(out, w->partition_by[i]);
        }
    }
    if (w->order_count) {
        str_buf_puts(out, w->partition_count ? " ORDER BY " : "ORDER BY ");
        sql__duck_sort(out, w->order_by, w->order_count);
    }
    if (is_aggregate_in_c(call->function) && whole_partition(w)) {
        /* DuckDB computes such a frame once, and hands an aggregate in C fewer states than rows: so it is told of a frame as wide as any partition */
        str_buf_puts(out, " ROWS BETWEEN 1099511627776 PRECEDING AND 1099511627776 FOLLOWING");
    } else if (framed && w->frame_given) {
        str_buf_puts(out, w->frame_rows ? " ROWS BETWEEN " : " RANGE BETWEEN ");
        bound(out, w->start, w->start_offset);
        str_buf_puts(out, " AND ");
        bound(out, w->end, w->end_offset);
    }
    str_buf_putc(out, ')');
}

static void filter_over(StrBuf *out, const Expr *call)
{
    if (call->filter) {
        str_buf_puts(out, " FILTER (WHERE ");
        sql__duck_condition(out, call->filter);
        str_buf_putc(out, ')');
    }
    if (call->window)
        window(out, call, !(call->function->flags & FN_ORDERED));
}

void sql_duck_template(StrBuf *out, const char *text, const Expr *call)
{
    bool placed = false;

    for (const char *p = text; *p; p++) {
        if (*p != '$') {
            str_buf_putc(out, *p);
            continue;
        }
        p++;
        if (!strncmp(p, "pos", 3)) {
            sql_duck_pos(out, call->pos);
            p += 2;
        } else if (!strncmp(p, "type", 4)) {
            sql_duck_type(out, call->type);
            p += 3;
        } else if (*p == 'T') {
            const Type *t = p[1] >= '1' && p[1] <= '9' ? call->args[p[1] - '1']->type : call->type;

            type_print(out, t);
            p += p[1] >= '1' && p[1] <= '9';
        } else if (*p >= '1' && *p <= '9' && p[1] == '*') {
            if (*p - '1' < call->arg_count)
                list(out, call->args + (*p - '1'), call->arg_count - (*p - '1'));
            p++;
        } else if (*p >= '1' && *p <= '9') {
            silt_assert(*p - '1' < call->arg_count); /* a template names an argument that the signature does not have */
            sql_duck_expr(out, call->args[*p - '1']);
        } else if (*p == '*') {
            list(out, call->args, call->arg_count);
        } else if (*p == '&') {
            str_buf_puts(out, call->distinct ? "DISTINCT " : "");
        } else if (*p == 'i') {
            str_buf_puts(out, call->ignore_nulls ? " IGNORE NULLS" : "");
        } else if (*p == 'o') {
            str_buf_puts(out, call->order_count ? " ORDER BY " : "");
            sql__duck_sort(out, call->order_by, call->order_count);
        } else if (*p == 'n') { /* the call's own FILTER and OVER, over rows where the first argument is not NULL */
            str_buf_puts(out, " FILTER (WHERE ");
            sql_duck_expr(out, call->args[0]);
            str_buf_puts(out, " IS NOT NULL");
            if (call->filter) {
                str_buf_puts(out, " AND ");
                sql__duck_condition(out, call->filter);
            }
            str_buf_putc(out, ')');
            if (call->window)
                window(out, call, true);
            placed = true;
        } else if (*p == 'f') {
            filter_over(out, call);
            placed = true;
        } else {
            str_buf_putc(out, *p);
        }
    }
    if (!placed)
        filter_over(out, call);
}

static void call_expr(StrBuf *out, const Expr *e)
{
    if (e->function->print)
        e->function->print(out, e);
    else
        sql_duck_template(out, e->function->duck, e);
}

/* ---- subqueries among the arguments of functions ---- */

enum { HOISTED_MAX = 16 };

/*
 * DuckDB does not tell a function in C the type of an argument that holds a subquery. So the subqueries, IN and EXISTS too, of an expression that
 * computes are taken out of it: list_transform([{'s1': (subquery)}], lambda h: expression with h.s1)[1]. Window functions go with them, since a
 * lambda may hold none.
 */
typedef struct Hoisted {
    const Expr *items[HOISTED_MAX];
    int count, lambda;
    bool subquery; /* is any of them one? */
    bool many;     /* too many: the expression is left as it is */
} Hoisted;

static _Thread_local const Hoisted *hoisted; /* of the expression that is being printed */

static void find_subqueries(Expr **slot, void *arg)
{
    Hoisted *h = arg;

    bool subquery = (*slot)->query;

    if (!subquery && !(*slot)->window) {
        sql__each_child(*slot, find_subqueries, arg);
        return;
    }
    h->subquery = h->subquery || subquery;
    if (h->count == HOISTED_MAX)
        h->many = true;
    else
        h->items[h->count++] = *slot;
}

static bool hoist(StrBuf *out, const Expr *e)
{
    bool computes = e->kind == EXPR_CALL || e->kind == EXPR_CAST || e->kind == EXPR_EXTRACT || e->kind == EXPR_LIKE ||
                    ((e->kind == EXPR_UNARY || e->kind == EXPR_BINARY) && e->type->kind != TYPE_BOOLEAN); /* DuckDB itself compares */
    Hoisted h = {.count = 0};
    Expr *root = (Expr *)e;

    if (!computes || hoisted || (e->function && e->function->flags & (FN_AGGREGATE | FN_WINDOW)))
        return false;
    find_subqueries(&root, &h);
    if (!h.subquery || h.many)
        return false;
    h.lambda = ++sql__duck.next_name;
    str_buf_puts(out, "list_transform([{");
    for (int i = 0; i < h.count; i++) {
        str_buf_printf(out, i ? ", 's%d': " : "'s%d': ", i + 1);
        sql_duck_expr(out, h.items[i]);
    }
    str_buf_printf(out, "}], lambda e%d: ", h.lambda);
    hoisted = &h;
    sql_duck_expr(out, e);
    hoisted = NULL;
    str_buf_puts(out, ")[1]");
    return true;
}

static bool hoisted_before(StrBuf *out, const Expr *e)
{
    for (int i = 0; hoisted && i < hoisted->count; i++)
        if (hoisted->items[i] == e) {
            str_buf_printf(out, "e%d.s%d", hoisted->lambda, i + 1);
            return true;
        }
    return false;
}

void sql_duck_expr(StrBuf *out, const Expr *e)
{
    if (((e->query || e->window) && hoisted_before(out, e)) || hoist(out, e))
        return;
    switch (e->kind) {
    case EXPR_LITERAL:
        literal(out, e);
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
        call_expr(out, e);
        return;
    case EXPR_UNARY:
        unary(out, e);
        return;
    case EXPR_BINARY:
        binary(out, e);
        return;
    case EXPR_IS:
        is_test(out, e);
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
            in_list(out, e);
            str_buf_puts(out, ", false)");
            return;
        }
        in_list(out, e);
        return;
    case EXPR_LIKE:
        like(out, e);
        return;
    case EXPR_CASE:
        case_when(out, e);
        return;
    case EXPR_CAST:
        cast(out, e);
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

/* ---- generators ---- */

static void unnest_outer(StrBuf *out, const Expr *call, const char *of)
{
    /* an empty or NULL array gives one NULL where the row is to be kept */
    if (call->negated) {
        str_buf_printf(out, "unnest(CASE WHEN len(%s) > 0 THEN %s ELSE [NULL] END)", of, of);
        return;
    }
    str_buf_printf(out, "unnest(%s)", of);
}

void sql__duck_generated(StrBuf *out, const Expr *call, int column)
{
    silt_auto(str_buf_fini) StrBuf array = {0}, of = {0};
    const char *name = call->function->name;

    if (!strcmp(name, "stack")) {
        int rows = (int)call->args[0]->literal_int, values = call->arg_count - 1, width = (values + rows - 1) / rows;

        str_buf_puts(out, "unnest([");
        for (int i = 0; i < rows; i++) {
            int at = 1 + i * width + column;

            if (i)
                str_buf_puts(out, ", ");
            if (at < call->arg_count)
                sql_duck_expr(out, call->args[at]);
            else
                str_buf_puts(out, "NULL");
        }
        str_buf_puts(out, "])");
        return;
    }
    if (!strcmp(name, "json_tuple")) {
        str_buf_puts(out, "unnest([silt_json_field(");
        sql_duck_expr(out, call->args[0]);
        str_buf_puts(out, ", ");
        sql_duck_expr(out, call->args[column + 1]);
        str_buf_puts(out, ")])");
        return;
    }
    bool variant = !strncmp(name, "variant_explode", 15);

    str_buf_puts(&array, variant ? "silt_variant_entries(" : "");
    sql_duck_expr(&array, call->args[0]);
    if (variant) {
        str_buf_puts(&array, ", ");
        sql_duck_pos(&array, call->pos);
        str_buf_putc(&array, ')');
    }
    bool map = call->args[0]->type->kind == TYPE_MAP, positions = !strncmp(name, "pos", 3);

    if (positions && column == 0) {
        str_buf_printf(&of, map ? "CAST(range(len(map_keys(%s))) AS INTEGER[])" : "CAST(range(len(%s)) AS INTEGER[])", str_buf_text(&array));
        unnest_outer(out, call, str_buf_text(&of));
        return;
    }
    column -= positions;
    if (map) {
        str_buf_printf(&of, column ? "map_values(%s)" : "map_keys(%s)", str_buf_text(&array));
        unnest_outer(out, call, str_buf_text(&of));
    } else if (variant || !strncmp(name, "inline", 6)) {
        str_buf_puts(out, "struct_extract_at(");
        unnest_outer(out, call, str_buf_text(&array));
        str_buf_printf(out, ", %d)", column + 1);
    } else {
        unnest_outer(out, call, str_buf_text(&array));
    }
}
