/*
 * sql/print_duck.c - an analyzed query as DuckDB text
 *
 *   P1  Names are generated: relation r<id>, its columns c1..cn; output columns c1..cn. The user's names never reach DuckDB, except for
 *       fields of structs, which are part of their type.
 *   P2  The types of the output columns are exactly those of the analyzer.
 *   P3  NULLS FIRST or LAST is always printed, and so are frames, escapes, and whatever else has a default.
 */
#include "sql/print_duck.h"

#include <stdio.h>
#include <string.h>

#include "duck/quote.h"
#include "sql/analyze.h"

_Thread_local DuckPrint sql__duck;

static void relation(StrBuf *out, const Relation *r);

static void alias(StrBuf *out, const Relation *r)
{
    str_buf_printf(out, " AS r%d", r->id);
}

static void alias_columns(StrBuf *out, int count)
{
    str_buf_putc(out, '(');
    for (int i = 0; i < count; i++)
        str_buf_printf(out, i ? ", c%d" : "c%d", i + 1);
    str_buf_putc(out, ')');
}

static void values(StrBuf *out, const Relation *r)
{
    str_buf_puts(out, "(VALUES ");
    for (int i = 0; i < r->arg_count; i++) {
        str_buf_puts(out, i ? ", (" : "(");
        for (int k = 0; k < r->args[i]->arg_count; k++) {
            if (k)
                str_buf_puts(out, ", ");
            sql_duck_expr(out, r->args[i]->args[k]);
        }
        str_buf_putc(out, ')');
    }
    str_buf_putc(out, ')');
    alias(out, r);
    alias_columns(out, r->column_count);
}

static void range(StrBuf *out, const Relation *r)
{
    str_buf_puts(out, "range(");
    for (int i = 0; i < r->arg_count && i < 3; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql_duck_expr(out, r->args[i]);
    }
    str_buf_putc(out, ')');
    alias(out, r);
    alias_columns(out, 1);
}

/* A join with a generator: the columns to the left, handed on, and one unnest for each generated column (they run in step). */
static void generator(StrBuf *out, const Relation *r)
{
    const Expr *call = r->extra;

    str_buf_puts(out, "(SELECT ");
    for (int i = 0; i < r->column_count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        if (i < r->arg_count)
            sql_duck_expr(out, r->args[i]);
        else
            sql__duck_generated(out, call, i - r->arg_count);
        str_buf_printf(out, " AS c%d", i + 1);
    }
    if (r->left) {
        str_buf_puts(out, " FROM ");
        relation(out, r->left);
    }
    if (r->on) { /* the WHERE of the query whose select list generates */
        str_buf_puts(out, " WHERE ");
        sql__duck_condition(out, r->on);
    }
    str_buf_putc(out, ')');
    alias(out, r);
}

/* (SELECT r2.* FROM u AS r2 WHERE condition) AS r2: the rows of one side that fit, or of the left one that have such a row beside them */
static void fitting_rows(StrBuf *out, const Relation *r, const Relation *asked)
{
    str_buf_printf(out, "(SELECT r%d.* FROM ", asked->id);
    relation(out, asked);
    str_buf_puts(out, " WHERE ");
    if (r->join == JOIN_LEFT_SEMI || r->join == JOIN_LEFT_ANTI) {
        str_buf_puts(out, r->join == JOIN_LEFT_SEMI ? "EXISTS (SELECT 1 FROM " : "NOT EXISTS (SELECT 1 FROM ");
        relation(out, r->right);
        str_buf_puts(out, " WHERE ");
        sql__duck_condition(out, r->on);
        str_buf_putc(out, ')');
    } else {
        sql__duck_condition(out, r->on);
    }
    str_buf_putc(out, ')');
    alias(out, asked);
}

static void join_row_by_row(StrBuf *out, const Relation *r)
{
    if (r->join == JOIN_LEFT_SEMI || r->join == JOIN_LEFT_ANTI) {
        fitting_rows(out, r, r->left);
        return;
    }
    bool left = r->join == JOIN_LEFT;

    str_buf_putc(out, '(');
    relation(out, left ? r->left : r->right);
    str_buf_puts(out, " LEFT JOIN LATERAL ");
    fitting_rows(out, r, left ? r->right : r->left);
    str_buf_puts(out, " ON true)");
}

static void join(StrBuf *out, const Relation *r)
{
    static const char *const words[] = {
        [JOIN_INNER] = " JOIN ", [JOIN_LEFT] = " LEFT JOIN ", [JOIN_RIGHT] = " RIGHT JOIN ", [JOIN_FULL] = " FULL JOIN ",
        [JOIN_CROSS] = " CROSS JOIN ", [JOIN_LEFT_SEMI] = " SEMI JOIN ", [JOIN_LEFT_ANTI] = " ANTI JOIN ",
    };
    bool cross = r->join == JOIN_CROSS || (r->join == JOIN_INNER && !r->on);

    str_buf_putc(out, '(');
    relation(out, r->left);
    str_buf_puts(out, cross && !r->on ? " CROSS JOIN " : r->join == JOIN_CROSS ? " JOIN " : words[r->join]);
    if (r->right->lateral)
        str_buf_puts(out, "LATERAL ");
    relation(out, r->right);
    if (r->on) {
        str_buf_puts(out, " ON ");
        sql__duck_condition(out, r->on);
    } else if (!cross) {
        str_buf_puts(out, " ON true");
    }
    str_buf_putc(out, ')');
}

static void relation(StrBuf *out, const Relation *r)
{
    if (r->kind == REL_JOIN) {
        if (r->extra)
            generator(out, r);
        else if (r->row_by_row)
            join_row_by_row(out, r);
        else
            join(out, r);
        return;
    }
    if (r->kind == REL_VALUES) {
        values(out, r);
        return;
    }
    if (r->kind == REL_TABLE && r->extra) { /* inside of its own recursive definition */
        const Relation *rec = r->extra;
        const QueryInfo *info = rec->extra;

        str_buf_puts(out, "(SELECT ");
        for (int i = 0; i < r->column_count; i++)
            str_buf_printf(out, i ? ", c%d" : "c%d", i + 1);
        str_buf_printf(out, " FROM %s)", info->recursive_name);
        alias(out, r);
        return;
    }
    if (r->query) {
        str_buf_putc(out, '(');
        sql__duck_query(out, r->query);
        str_buf_putc(out, ')');
        alias(out, r);
        return;
    }
    if (r->resolved) {
        str_buf_puts(out, sql__duck.options->relation_sql(sql__duck.options->self, r->resolved));
        alias(out, r);
        return;
    }
    range(out, r);
}

/* Can two values of the type be equal and not the same? -0.0 and 0.0; maps whose keys come in another order. */
static bool has_forms(const Type *type)
{
    switch (type->kind) {
    case TYPE_MAP:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return true;
    case TYPE_ARRAY:
        return has_forms(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (has_forms(type->fields[i].type))
                return true;
        return false;
    default:
        return false;
    }
}

/* A value, given as text, in the one form of all that are equal to it: zeros without a sign (a sum makes them so), keys of maps in order. */
static void one_form(StrBuf *out, const Type *type, const char *value)
{
    silt_auto(str_buf_fini) StrBuf element = {0};
    bool map = type->kind == TYPE_MAP;

    if (!has_forms(type)) {
        str_buf_puts(out, value);
        return;
    }
    if (type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE) {
        str_buf_printf(out, type->kind == TYPE_FLOAT ? "(%s + CAST(0 AS FLOAT))" : "(%s + CAST(0 AS DOUBLE))", value);
        return;
    }
    if (map && !has_forms(type->element)) {
        str_buf_printf(out, "map_from_entries(list_sort(map_entries(%s)))", value);
        return;
    }
    int lambda = ++sql__duck.next_name;

    if (type->kind == TYPE_STRUCT) {
        str_buf_printf(out, "list_extract(list_transform([%s], lambda e%d: CASE WHEN e%d IS NULL THEN NULL ELSE struct_pack(", value, lambda, lambda);
        for (int i = 0; i < type->field_count; i++) {
            str_buf_puts(out, i ? ", " : "");
            quote_name(out, type->fields[i].name);
            str_buf_puts(out, " := ");
            str_buf_clear(&element);
            str_buf_printf(&element, "struct_extract_at(e%d, %d)", lambda, i + 1);
            one_form(out, type->fields[i].type, str_buf_text(&element));
        }
        str_buf_puts(out, ") END), 1)");
        return;
    }
    if (map)
        str_buf_printf(out, "map_from_entries(list_sort(list_transform(map_entries(%s), lambda e%d: {'key': e%d.key, 'value': ", value, lambda, lambda);
    else
        str_buf_printf(out, "list_transform(%s, lambda e%d: ", value, lambda);
    str_buf_printf(&element, map ? "e%d.value" : "e%d", lambda);
    one_form(out, type->element, str_buf_text(&element));
    str_buf_puts(out, map ? "})))" : ")");
}

/* What rows are grouped by: equal values are one. */
static void group_key(StrBuf *out, const Expr *key)
{
    silt_auto(str_buf_fini) StrBuf value = {0};

    sql_duck_expr(&value, key);
    one_form(out, key->type, str_buf_text(&value));
}

/* A key with a collation, of which a group may have several spellings. */
static void one_of_group(StrBuf *out, const Expr *key)
{
    str_buf_puts(out, "first(");
    sql_duck_expr(out, key);
    str_buf_putc(out, ')');
}

/* A side of a set operation that keeps one of equal rows. */
static void set_side(StrBuf *out, const Query *side, bool all)
{
    bool forms = false;

    for (int i = 0; i < side->column_count && !all; i++)
        forms = forms || has_forms(side->column_types[i]);
    if (!forms) {
        sql__duck_query(out, side);
        return;
    }
    str_buf_puts(out, "SELECT ");
    for (int i = 0; i < side->column_count; i++) {
        char column[32];

        snprintf(column, sizeof column, "silt_side.c%d", i + 1);
        str_buf_puts(out, i ? ", " : "");
        one_form(out, side->column_types[i], column);
        str_buf_printf(out, " AS c%d", i + 1);
    }
    str_buf_puts(out, " FROM (");
    sql__duck_query(out, side);
    str_buf_puts(out, ") AS silt_side");
    alias_columns(out, side->column_count);
}

static void group_clause(StrBuf *out, const QueryInfo *info)
{
    if (info->set_count) {
        str_buf_puts(out, " GROUP BY GROUPING SETS (");
        for (int i = 0; i < info->set_count; i++) {
            str_buf_puts(out, i ? ", (" : "(");
            for (int k = 0; k < info->set_sizes[i]; k++) {
                if (k)
                    str_buf_puts(out, ", ");
                str_buf_printf(out, "%d", info->sets[i][k] + 1); /* by place, as below: a constant would be taken for one */
            }
            str_buf_putc(out, ')');
        }
        str_buf_puts(out, ") HAVING count(*) > 0"); /* of no rows Spark makes no groups, the empty set neither */
        return;
    }
    for (int i = 0; i < info->key_count; i++) {
        str_buf_puts(out, i ? ", " : " GROUP BY ");
        if (info->session == i + 1)
            str_buf_puts(out, "silt_number");
        else if (type_has_collation(info->keys[i]->type))
            sql__duck_compared(out, info->keys[i]);
        else
            str_buf_printf(out, "%d", i + 1);
    }
}

/* ---- rows that are set aside ---- */

/* Calls whose condition stands in front of the select list: those that are computed for each row. */
typedef struct Kept {
    StrBuf *out;
    const char *origin;
    const char *texts[16]; /* conditions so far, in arena: no two are the same */
    int count;
    Arena *arena;
} Kept;

/* Does the function compute all its arguments for each row? */
static bool is_eager(const SqlFunction *function)
{
    static const char *const lazy[] = {"coalesce", "decode", "if", "iff", "ifnull", "nullif", "nvl", "nvl2"};

    for (size_t i = 0; i < sizeof lazy / sizeof *lazy; i++)
        if (!function || !strcmp(function->name, lazy[i]))
            return false;
    return true;
}

static void add_kept(Kept *kept, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    call->function->keep(&text, call, kept->origin);
    for (int i = 0; i < kept->count; i++)
        if (!strcmp(kept->texts[i], str_buf_text(&text)))
            return;
    if (kept->count < (int)(sizeof kept->texts / sizeof *kept->texts))
        kept->texts[kept->count++] = arena_strdup(kept->arena, str_buf_text(&text));
}

/* kept->out NULL: only asked whether there are any. */
static bool find_kept(Kept *kept, const Expr *e)
{
    bool found = false;
    bool opaque = e->kind == EXPR_CASE || e->kind == EXPR_LAMBDA || e->kind == EXPR_SUBQUERY || e->kind == EXPR_EXISTS ||
                  e->kind == EXPR_IN || (e->kind == EXPR_BINARY && (!strcmp(e->op, "AND") || !strcmp(e->op, "OR")));

    if (opaque || (e->kind == EXPR_CALL && !is_eager(e->function)))
        return false;
    if (e->kind == EXPR_CALL && e->function->keep && e->function->keep(NULL, e, NULL)) {
        if (kept->out)
            add_kept(kept, e);
        found = true;
    }
    for (int i = 0; i < e->arg_count; i++)
        found |= e->args[i] && find_kept(kept, e->args[i]);
    return found;
}

bool sql_query_sets_aside(const Query *query)
{
    bool found = false;

    for (; query && sql_query_has_origin(query); query = query->from->query) {
        Kept kept = {0};
        for (int i = 0; i < query->item_count; i++)
            found |= find_kept(&kept, query->items[i].expr);
    }
    return found;
}

/* WHERE of a query whose rows may be set aside: its own condition first. False: none can be. */
static bool kept_where(StrBuf *out, const Query *q)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Kept kept = {.out = out, .arena = arena, .origin = arena_printf(arena, "r%d", q->from->id)};

    for (int i = 0; i < q->item_count; i++)
        find_kept(&kept, q->items[i].expr);
    if (!kept.count)
        return false;
    str_buf_puts(out, " WHERE CASE WHEN NOT coalesce(");
    if (q->where)
        sql__duck_condition(out, q->where);
    else
        str_buf_puts(out, "true");
    str_buf_puts(out, ", false) THEN false");
    for (int i = 0; i < kept.count; i++)
        str_buf_printf(out, " WHEN NOT %s THEN false", kept.texts[i]);
    str_buf_puts(out, " ELSE true END");
    return true;
}

static void from_where(StrBuf *out, const Query *q, bool origin)
{
    if (q->from) {
        str_buf_puts(out, " FROM ");
        relation(out, q->from);
    }
    if (origin && sql__duck.options->set_aside && kept_where(out, q))
        return;
    if (q->where) {
        str_buf_puts(out, " WHERE ");
        sql__duck_condition(out, q->where);
    }
}

/* "PARTITION BY" all keys but the session, for the window functions that find sessions. */
static void session_partition(StrBuf *out, const QueryInfo *info)
{
    for (int i = 0, n = 0; i < info->key_count; i++)
        if (i != info->session - 1)
            str_buf_printf(out, "%ssilt_key%d", n++ ? ", " : "PARTITION BY ", i + 1);
}

/*
 * FROM and WHERE of an aggregation by sessions: rows with the number of their session in their group, as silt_number. A session goes on as
 * long as a row starts no later than the latest end before it. Columns keep their names, since each relation becomes a struct of its name.
 */
static void session_from(StrBuf *out, const Query *q, const QueryInfo *info)
{
    str_buf_puts(out, " FROM (SELECT *, count(CASE WHEN silt_new THEN 1 END) OVER (");
    session_partition(out, info);
    str_buf_puts(out, " ORDER BY silt_session.start) AS silt_number FROM (SELECT *, coalesce(silt_session.start > max(silt_session.\"end\") OVER (");
    session_partition(out, info);
    str_buf_puts(out, " ORDER BY silt_session.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS silt_new FROM (SELECT ");
    for (int i = 0; i < info->session_column_count; i++) {
        const Expr *e = info->session_columns[i];
        int id = e->relation->id;
        bool first = !i || info->session_columns[i - 1]->relation != e->relation;
        bool last = i == info->session_column_count - 1 || info->session_columns[i + 1]->relation != e->relation;

        str_buf_printf(out, first ? "struct_pack(c%d := " : ", c%d := ", e->column + 1);
        str_buf_printf(out, "r%d.c%d", id, e->column + 1);
        if (last)
            str_buf_printf(out, ") AS r%d, ", id);
    }
    for (int i = 0; i < info->key_count; i++) {
        group_key(out, info->keys[i]);
        if (i == info->session - 1)
            str_buf_puts(out, " AS silt_session");
        else
            str_buf_printf(out, " AS silt_key%d", i + 1);
        str_buf_puts(out, i == info->key_count - 1 ? "" : ", ");
    }
    from_where(out, q, false);
    str_buf_puts(out, ")))");
}

/* The inner query of an aggregation: keys, then aggregates. */
static void aggregate(StrBuf *out, const Query *q, const QueryInfo *info)
{
    int n = 0;

    str_buf_puts(out, " FROM (SELECT ");
    for (int i = 0; i < info->key_count; i++, n++) {
        if (n)
            str_buf_puts(out, ", ");
        if (info->session == i + 1)
            str_buf_puts(out, "struct_pack(\"start\" := min(silt_session.start), \"end\" := max(silt_session.\"end\"))");
        else if (type_has_collation(info->keys[i]->type))
            one_of_group(out, info->keys[i]);
        else
            group_key(out, info->keys[i]);
        str_buf_printf(out, " AS c%d", n + 1);
    }
    for (int i = 0; i < info->aggregate_count; i++, n++) {
        if (n)
            str_buf_puts(out, ", ");
        sql_duck_expr(out, info->aggregates[i]);
        str_buf_printf(out, " AS c%d", n + 1);
    }
    if (!n)
        str_buf_puts(out, "count(*) AS c0");
    if (info->session)
        session_from(out, q, info);
    else
        from_where(out, q, false);
    group_clause(out, info);
    str_buf_putc(out, ')');
    alias(out, info->aggregate);
}

void sql__duck_sort(StrBuf *out, const SortItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        if (items[i].expr->kind == EXPR_LITERAL)
            str_buf_puts(out, "NULL"); /* a constant orders nothing, and a number would be a position */
        else
            sql__duck_key(out, items[i].expr);
        str_buf_puts(out, items[i].descending ? " DESC" : " ASC");
        str_buf_puts(out, items[i].nulls_first ? " NULLS FIRST" : " NULLS LAST");
    }
}

/*
 * The expression that a column of ORDER BY is sorted by, and where it must be written out. DuckDB takes a column that it sorts by from its sort keys, where
 * -0.0 is 0.0; sorted by x + 0, x itself stays what it is. NULL: the column has no expression here that may be computed twice.
 */
static const Expr *signed_zeros(const Query *q, const QueryInfo *info, int i)
{
    int column = info->order_output[i];
    const Expr *e = q->order_by[i].expr;

    if (column >= 0)
        e = q->kind == QUERY_SELECT && !q->distinct && column < q->item_count ? q->items[column].expr : NULL;
    return e && e->type && (e->type->kind == TYPE_DOUBLE || e->type->kind == TYPE_FLOAT) && e->kind != EXPR_LITERAL && e->deterministic ? e : NULL;
}

static void order_limit(StrBuf *out, const Query *q, const QueryInfo *info)
{
    if (q->order_count) {
        str_buf_puts(out, " ORDER BY ");
        for (int i = 0; i < q->order_count; i++) {
            if (i)
                str_buf_puts(out, ", ");
            const Expr *zeros = signed_zeros(q, info, i);

            if (zeros) {
                str_buf_putc(out, '(');
                sql_duck_expr(out, zeros);
                str_buf_printf(out, " + CAST('0' AS DOUBLE)) %s %s", q->order_by[i].descending ? "DESC" : "ASC", q->order_by[i].nulls_first ? "NULLS FIRST" : "NULLS LAST");
                continue;
            }
            if (info->order_output[i] >= 0) {
                const Type *type = q->order_by[i].expr->type;

                silt_auto(str_buf_fini) StrBuf column = {0}, key = {0};

                str_buf_printf(&column, "c%d", info->order_output[i] + 1);
                if (type)
                    sql__duck_keyed(&key, type, str_buf_text(&column), q->order_by[i].expr->pos);
                str_buf_printf(out, type && sql__is_nested(type) ? "silt_sort_key(%s) %s %s" : "%s %s %s", type ? str_buf_text(&key) : str_buf_text(&column),
                               q->order_by[i].descending ? "DESC" : "ASC", q->order_by[i].nulls_first ? "NULLS FIRST" : "NULLS LAST");
                continue;
            }
            sql__duck_sort(out, &q->order_by[i], 1);
        }
    }
    if (q->limit && !(q->limit->kind == EXPR_LITERAL && q->limit->type->kind == TYPE_VOID)) {
        str_buf_puts(out, " LIMIT ");
        sql_duck_expr(out, q->limit);
    }
    if (q->offset) {
        str_buf_puts(out, " OFFSET ");
        sql_duck_expr(out, q->offset);
    }
}

static bool is_null_literal(const Expr *e)
{
    return e->kind == EXPR_LITERAL && e->type && e->type->kind == TYPE_VOID;
}

/* An expression over NULL may fold to a NULL without a type: then the type is said again. */
static void output_expr(StrBuf *out, Expr *e)
{
    bool typed = e->type->kind != TYPE_VOID && sql__any(e, is_null_literal);

    if (typed)
        str_buf_puts(out, "CAST(");
    sql_duck_expr(out, e);
    if (typed) {
        str_buf_puts(out, " AS ");
        sql_duck_type(out, e->type);
        str_buf_putc(out, ')');
    }
}

static void select_query(StrBuf *out, const Query *q)
{
    const QueryInfo *info = q->extra;

    str_buf_puts(out, q->distinct ? "SELECT DISTINCT " : "SELECT ");
    if (q->distinct && sql__any_collation(q)) {
        str_buf_puts(out, "ON (");
        for (int i = 0; i < q->item_count; i++) {
            str_buf_puts(out, i ? ", " : "");
            (type_has_collation(q->items[i].expr->type) ? sql__duck_compared : group_key)(out, q->items[i].expr);
        }
        str_buf_puts(out, ") ");
    }
    for (int i = 0; i < q->item_count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        if (q->distinct && has_forms(q->items[i].expr->type))
            group_key(out, q->items[i].expr);
        else
            output_expr(out, q->items[i].expr);
        str_buf_printf(out, " AS c%d", i + 1);
    }
    bool origin = sql__duck.origin == q;
    if (origin) {
        str_buf_printf(out, ", r%d.silt_source AS silt_source, r%d.silt_position AS silt_position", q->from->id, q->from->id);
        sql__duck.origin = q->from->query;
    }
    if (info->aggregate) {
        aggregate(out, q, info);
        if (q->having) {
            str_buf_puts(out, " WHERE ");
            sql__duck_condition(out, q->having);
        }
    } else {
        from_where(out, q, origin);
    }
    if (q->qualify) {
        str_buf_puts(out, " QUALIFY ");
        sql__duck_condition(out, q->qualify);
    }
    order_limit(out, q, info);
}

static void set_query(StrBuf *out, const Query *q)
{
    static const char *const words[] = {[SET_UNION] = " UNION ", [SET_INTERSECT] = " INTERSECT ", [SET_EXCEPT] = " EXCEPT "};
    const QueryInfo *info = q->extra;

    if (info->recursive_name) {
        /* level: the round that made a row. Each round tests it over all rows that it reads, so that a query without an end fails. */
        str_buf_printf(out, "WITH RECURSIVE %s(", info->recursive_name);
        for (int i = 0; i < q->column_count; i++)
            str_buf_printf(out, "c%d, ", i + 1);
        str_buf_puts(out, "level) AS ((SELECT *, 0::BIGINT FROM (");
        sql__duck_query(out, q->left);
        str_buf_printf(out, ")) UNION ALL (SELECT *, (SELECT max(level) + 1 FROM %s WHERE silt_recursion(level, %lld::BIGINT, ", info->recursive_name,
                       (long long)info->level_max);
        sql_duck_pos(out, q->right->pos);
        str_buf_puts(out, ")) FROM (");
        sql__duck_query(out, q->right);
        str_buf_puts(out, "))) SELECT ");
        for (int i = 0; i < q->column_count; i++)
            str_buf_printf(out, i ? ", c%d" : "c%d", i + 1);
        str_buf_printf(out, " FROM %s", info->recursive_name);
        return;
    }
    bool wrap = q->order_count || q->limit || q->offset;

    if (wrap)
        str_buf_puts(out, "SELECT * FROM (");
    if (!q->set_all && sql__any_collation(q)) {
        sql__duck_collated_set(out, q);
    } else {
        str_buf_putc(out, '(');
        set_side(out, q->left, q->set_all);
        str_buf_putc(out, ')');
        str_buf_puts(out, words[q->set_op]);
        str_buf_puts(out, q->set_all ? "ALL (" : "(");
        set_side(out, q->right, q->set_all);
        str_buf_putc(out, ')');
    }
    if (wrap) {
        str_buf_printf(out, ") AS r%d", info->aggregate ? info->aggregate->id : 0);
        order_limit(out, q, info);
    }
}

void sql__duck_query(StrBuf *out, const Query *q)
{
    const QueryInfo *info = q->extra;

    switch (q->kind) {
    case QUERY_SELECT:
        select_query(out, q);
        return;
    case QUERY_SET:
        set_query(out, q);
        return;
    case QUERY_VALUES:
    case QUERY_TABLE:
        str_buf_puts(out, "SELECT * FROM (SELECT ");
        for (int i = 0; i < q->column_count; i++)
            str_buf_printf(out, i ? ", r%d.c%d" : "r%d.c%d", q->from->id, i + 1);
        str_buf_puts(out, " FROM ");
        relation(out, q->from);
        str_buf_printf(out, ") AS r%d", info->aggregate ? info->aggregate->id : 0);
        alias_columns(out, q->column_count);
        order_limit(out, q, info);
        return;
    case QUERY_PIPE: /* none is left after analysis */
        silt_assert(false);
    }
}

bool sql_query_has_origin(const Query *query)
{
    for (; query; query = query->from->query) {
        const QueryInfo *info = query->extra;
        const Relation *from = query->from;
        if (query->kind != QUERY_SELECT || query->distinct || info->aggregate || !from || from->kind == REL_JOIN || from->kind == REL_VALUES)
            return false;
        if (!from->query)
            return from->resolved && !from->extra;
    }
    return false;
}

void sql_print_duck_query(StrBuf *out, const Query *query, const SqlPrintOptions *options)
{
    silt_assert(!options->origins || sql_query_has_origin(query));
    sql__duck = (DuckPrint){.options = options, .file = query->pos.file, .origin = options->origins ? query : NULL};
    sql__duck_query(out, query);
    sql__duck = (DuckPrint){0};
}

void sql_print_duck_expr(StrBuf *out, const Expr *expr, const char *prefix)
{
    sql__duck = (DuckPrint){.prefix = prefix};
    sql_duck_expr(out, expr);
    sql__duck = (DuckPrint){0};
}
