/* sql/print_duck_cast.c - casts: as DuckDB does them where it does what Spark does, else by functions of ours */
#include <stdio.h>
#include <string.h>

#include "sql/analyze.h"
#include "sql/print_duck.h"

static bool same_in_duck(const Type *x, const Type *y)
{
    return type_equal(x, y, false) || (x->kind == TYPE_STRING && y->kind == TYPE_STRING);
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
    type_print_in_name(out, e->type->kind == TYPE_STRING ? type_simple(TYPE_STRING) : e->type);
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

void sql__duck_cast(StrBuf *out, const Expr *e)
{
    const Type *from = e->args[0]->type, *to = e->type;

    if (e->extra) { /* of constant text: known already */
        sql__duck_literal(out, e->extra);
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
        type_print_in_name(out, to->kind == TYPE_STRING ? type_simple(TYPE_STRING) : to);
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
        sql__duck_literal(out, &lit);
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
