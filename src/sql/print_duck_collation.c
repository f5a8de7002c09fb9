/*
 * sql/print_duck_collation.c - strings where they are compared: the keys of their collation in their place
 *
 * Whatever compares values prints them by sql__duck_compared, or by sql__duck_ordered where ARRAYs and STRUCTs are ordered too. Rows that are one by their keys show one of
 * their values, the first that came: as in Spark, nothing else settles which.
 */
#include <string.h>

#include "duck/collation.h"
#include "duck/quote.h"
#include "sql/analyze.h"
#include "sql/print_duck.h"

void sql__duck_keyed(StrBuf *out, const Type *type, const char *value, SiltPos pos)
{
    silt_auto(str_buf_fini) StrBuf part = {0};

    if (!type_has_collation(type)) {
        str_buf_puts(out, value);
        return;
    }
    if (type->kind == TYPE_STRING) {
        collation_print_key(out, type->collation, value, sql__duck_packed(pos));
        return;
    }
    silt_assert(type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT); /* maps are not compared */
    int lambda = ++sql__duck.next_name;

    if (type->kind == TYPE_ARRAY) {
        str_buf_printf(&part, "e%d", lambda);
        str_buf_printf(out, "list_transform(%s, lambda e%d: ", value, lambda);
        sql__duck_keyed(out, type->element, str_buf_text(&part), pos);
        str_buf_putc(out, ')');
        return;
    }
    str_buf_printf(out, "list_extract(list_transform([%s], lambda e%d: CASE WHEN e%d IS NULL THEN NULL ELSE struct_pack(", value, lambda, lambda);
    for (int i = 0; i < type->field_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        quote_name(out, type->fields[i].name);
        str_buf_puts(out, " := ");
        str_buf_clear(&part);
        str_buf_printf(&part, "struct_extract_at(e%d, %d)", lambda, i + 1);
        sql__duck_keyed(out, type->fields[i].type, str_buf_text(&part), pos);
    }
    str_buf_puts(out, ") END), 1)");
}

static bool is_subquery(const Expr *e)
{
    return e->query;
}

void sql__duck_compared(StrBuf *out, const Expr *e)
{
    silt_auto(str_buf_fini) StrBuf value = {0}, name = {0};

    if (!e->type || !type_has_collation(e->type)) {
        sql_duck_expr(out, e);
        return;
    }
    sql_duck_expr(&value, e);
    if (!sql__any((Expr *)(uintptr_t)e, is_subquery)) {
        sql__duck_keyed(out, e->type, str_buf_text(&value), e->pos);
        return;
    }
    int lambda = ++sql__duck.next_name; /* DuckDB does not tell a function in C the type of an argument that holds a subquery */

    str_buf_printf(&name, "e%d", lambda);
    str_buf_printf(out, "list_extract(list_transform([%s], lambda e%d: ", str_buf_text(&value), lambda);
    sql__duck_keyed(out, e->type, str_buf_text(&name), e->pos);
    str_buf_puts(out, "), 1)");
}

void sql__duck_compared_list(StrBuf *out, Expr *const *items, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        sql__duck_compared(out, items[i]);
    }
}

bool sql__any_collation(const Query *query)
{
    for (int i = 0; i < query->column_count; i++)
        if (type_has_collation(query->column_types[i]))
            return true;
    return false;
}

/* The keys of the columns c1.. of a relation of that name. */
static void column_keys(StrBuf *out, const Query *query, const char *relation)
{
    silt_auto(str_buf_fini) StrBuf column = {0};

    for (int i = 0; i < query->column_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        str_buf_clear(&column);
        str_buf_printf(&column, "%s.c%d", relation, i + 1);
        sql__duck_keyed(out, query->column_types[i], str_buf_text(&column), query->pos);
    }
}

static void column_names(StrBuf *out, const Query *query, const char *prefix)
{
    for (int i = 0; i < query->column_count; i++)
        str_buf_printf(out, i ? ", %sc%d" : "%sc%d", prefix, i + 1);
}

void sql__duck_keys_of(StrBuf *out, const Query *query)
{
    str_buf_puts(out, "SELECT ");
    column_keys(out, query, "silt_keys");
    str_buf_puts(out, " FROM (");
    sql__duck_query(out, query);
    str_buf_puts(out, ") AS silt_keys(");
    column_names(out, query, "");
    str_buf_putc(out, ')');
}

/* UNION of both sides one after the other; INTERSECT and EXCEPT of rows of the left side that have such a row on the right one, or have none. */
void sql__duck_collated_set(StrBuf *out, const Query *q)
{
    str_buf_puts(out, "SELECT DISTINCT ON (");
    column_keys(out, q, "silt_left");
    str_buf_puts(out, ") ");
    column_names(out, q, "silt_left.");
    str_buf_puts(out, " FROM (");
    if (q->set_op == SET_UNION) {
        str_buf_putc(out, '(');
        sql__duck_query(out, q->left);
        str_buf_puts(out, ") UNION ALL (");
        sql__duck_query(out, q->right);
        str_buf_putc(out, ')');
    } else {
        sql__duck_query(out, q->left);
    }
    str_buf_puts(out, ") AS silt_left(");
    column_names(out, q, "");
    str_buf_putc(out, ')');
    if (q->set_op == SET_UNION)
        return;
    str_buf_puts(out, q->set_op == SET_INTERSECT ? " SEMI JOIN (" : " ANTI JOIN (");
    sql__duck_keys_of(out, q->right);
    str_buf_puts(out, ") AS silt_right(");
    column_names(out, q, "");
    str_buf_puts(out, ") ON ");
    for (int i = 0; i < q->column_count; i++) {
        silt_auto(str_buf_fini) StrBuf column = {0};

        str_buf_printf(&column, "silt_left.c%d", i + 1);
        str_buf_puts(out, i ? " AND " : "");
        sql__duck_keyed(out, q->column_types[i], str_buf_text(&column), q->pos);
        str_buf_printf(out, " IS NOT DISTINCT FROM silt_right.c%d", i + 1);
    }
}

/* ---- functions ---- */

static const struct {
    const char *name, *text; /* as in the function table; $k1 is the key of $1 */
} collated[] = {
    {"min", "arg_min($1, $k1)$f"},
    {"max", "arg_max($1, $k1)$f"},
    {"min_by", "arg_min_null($1, $k2)$f"},
    {"max_by", "arg_max_null($1, $k2)$f"},
    {"nullif", "CASE WHEN $k3 = $k2 THEN NULL ELSE $1 END"},
    {"equal_null", "($k1 IS NOT DISTINCT FROM $k2)"},
    {"contains", "(silt_lower_find($1, $2) > 0)"},
    {"startswith", "silt_lower_starts($1, $2)"},
    {"endswith", "silt_lower_ends($1, $2)"},
    {"instr", "silt_lower_find($1, $2)"},
    {"locate", "silt_lower_find($2, $1)"},
    {"position", "silt_lower_find($2, $1)"},
};

/* The first of the greatest or least values that are not NULL. */
static void extreme(StrBuf *out, const Expr *call, bool greatest)
{
    int lambda = ++sql__duck.next_name;

    str_buf_puts(out, "struct_extract_at(list_extract(list_sort(list_filter([");
    for (int i = 0; i < call->arg_count; i++) {
        str_buf_puts(out, i ? ", struct_pack(k := " : "struct_pack(k := ");
        sql__duck_compared(out, call->args[i]);
        str_buf_printf(out, ", i := %d, v := ", greatest ? -i : i);
        sql_duck_expr(out, call->args[i]);
        str_buf_putc(out, ')');
    }
    str_buf_printf(out, "], lambda e%d: struct_extract_at(e%d, 1) IS NOT NULL), '%s'), 1), 3)", lambda, lambda, greatest ? "DESC" : "ASC");
}

bool sql__duck_collated_call(StrBuf *out, const Expr *call)
{
    const char *name = call->function->name;
    bool any = false;

    for (int i = 0; i < call->arg_count; i++)
        any = any || (call->args[i]->type && type_has_collation(call->args[i]->type));
    if (!any)
        return false;
    if (!strcmp(name, "greatest") || !strcmp(name, "least")) {
        extreme(out, call, *name == 'g');
        return true;
    }
    if (!strcmp(name, "count") && call->distinct) {
        sql_duck_template(out, "count(DISTINCT $k1)$f", call);
        return true;
    }
    for (size_t i = 0; i < sizeof collated / sizeof *collated; i++)
        if (!strcmp(name, collated[i].name)) {
            sql_duck_template(out, collated[i].text, call);
            return true;
        }
    return false;
}
