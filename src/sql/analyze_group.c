/*
 * sql/analyze_group.c - aggregation: a SELECT is split in two
 *
 * The inner query computes the keys and each distinct aggregate once (columns c1..ck, then the aggregates) as relation
 * info->aggregate; every expression above it (select list, HAVING, QUALIFY, ORDER BY) is rewritten to read these columns.
 *
 *   G1  After rewriting, nothing above the inner query refers to the relations of FROM.
 */
#include <string.h>

#include "sql/analyze.h"

typedef struct Rewrite {
    Analyzer *a;
    Scope *scope;
    Query *query;
    QueryInfo *info;
    int capacity;
    bool complained;
} Rewrite;

static void rewrite(Expr **slot, void *arg);

static bool in_scope(const Scope *scope, const Relation *relation)
{
    for (int i = 0; i < scope->count; i++)
        if (scope->columns[i].relation == relation)
            return true;
    return false;
}

static int add_column(Rewrite *w, Expr *e)
{
    Relation *g = w->info->aggregate;

    if (g->column_count == w->capacity) {
        int wanted = w->capacity * 2 + 8;
        const char **names = ARENA_ARRAY(w->a->arena, const char *, wanted);
        const Type **types = ARENA_ARRAY(w->a->arena, const Type *, wanted);
        bool *nullable = ARENA_ARRAY(w->a->arena, bool, wanted);

        if (g->column_count) {
            memcpy(names, g->column_names, sizeof *names * (size_t)g->column_count);
            memcpy(types, g->column_types, sizeof *types * (size_t)g->column_count);
            memcpy(nullable, g->column_nullable, sizeof *nullable * (size_t)g->column_count);
        }
        g->column_names = names;
        g->column_types = types;
        g->column_nullable = nullable;
        w->capacity = wanted;
    }
    g->column_names[g->column_count] = e->kind == EXPR_COLUMN ? e->name.parts[e->name.count - 1] : "";
    g->column_types[g->column_count] = e->type;
    g->column_nullable[g->column_count] = e->nullable;
    return g->column_count++;
}

static bool is_aggregate(const Expr *e)
{
    return e->kind == EXPR_CALL && e->function && (e->function->flags & FN_AGGREGATE) && !e->window;
}

static int find_key(const QueryInfo *info, const Expr *e)
{
    for (int i = 0; i < info->key_count; i++)
        if (sql__same(info->keys[i], e))
            return i;
    return -1;
}

static bool is_grouping(const Expr *e)
{
    return e->function && (!strcmp(e->function->name, "grouping") || !strcmp(e->function->name, "grouping_id"));
}

static void check_grouping(Rewrite *w, Expr *e)
{
    if (!w->query->grouping_set_count && w->query->grouping == GROUP_PLAIN) {
        sql__error(w->a, e->pos, "UNSUPPORTED_GROUPING_EXPRESSION", "%s needs GROUPING SETS, ROLLUP or CUBE", e->function->name);
        return;
    }
    if (!e->arg_count) {
        e->args = w->info->keys;
        e->arg_count = w->info->key_count;
        return;
    }
    bool id = !strcmp(e->function->name, "grouping_id"), all = e->arg_count == w->info->key_count;

    for (int i = 0; id && all && i < e->arg_count; i++)
        all = sql__same(e->args[i], w->info->keys[i]);
    if (id && !all) {
        sql__error(w->a, e->pos, "GROUPING_ID_COLUMN_MISMATCH", "grouping_id takes all grouping columns in their order, or nothing");
        return;
    }
    for (int i = 0; i < e->arg_count; i++) {
        int key = find_key(w->info, e->args[i]);

        if (key >= 0 && !sql__orderable(e->args[i]->type))
            sql__error(w->a, e->args[i]->pos, "UNSUPPORTED_FEATURE", "%s of a MAP is not supported", e->function->name);
        else if (key >= 0)
            e->args[i] = w->info->keys[key]; /* to the letter, places in the text included: DuckDB compares them */
        else
            sql__error(w->a, e->args[i]->pos, "GROUPING_COLUMN_MISMATCH", "this is not one of the grouping columns");
    }
}

static void walk_query(Query *q, void (*visit)(Expr **, void *), void *arg);

static void walk_relation(Relation *r, void (*visit)(Expr **, void *), void *arg)
{
    if (!r)
        return;
    for (int i = 0; i < r->arg_count; i++)
        visit(&r->args[i], arg);
    if (r->query)
        walk_query(r->query, visit, arg);
    walk_relation(r->left, visit, arg);
    if (r->right && r->kind == REL_JOIN && r->extra) {
        Expr *call = r->extra;

        visit(&call, arg);
    } else {
        walk_relation(r->right, visit, arg);
    }
    if (r->on)
        visit(&r->on, arg);
}

static void walk_query(Query *q, void (*visit)(Expr **, void *), void *arg)
{
    QueryInfo *info = q->extra;

    if (q->kind == QUERY_SET) {
        walk_query(q->left, visit, arg);
        walk_query(q->right, visit, arg);
        return;
    }
    walk_relation(q->from, visit, arg);
    if (q->where)
        visit(&q->where, arg);
    for (int i = 0; i < q->item_count && q->kind == QUERY_SELECT; i++)
        visit(&q->items[i].expr, arg);
    if (q->having)
        visit(&q->having, arg);
    if (q->qualify)
        visit(&q->qualify, arg);
    for (int i = 0; i < q->order_count; i++)
        visit(&q->order_by[i].expr, arg);
    for (int i = 0; info && i < info->key_count; i++)
        visit(&info->keys[i], arg);
    for (int i = 0; info && i < info->aggregate_count; i++)
        visit(&info->aggregates[i], arg);
}

/* Outer references of a subquery to this level's relations become references to the inner query's columns. */
static void rewrite_subquery(Expr **slot, void *arg)
{
    Rewrite *w = arg;
    Expr *e = *slot;
    int key = find_key(w->info, e);

    if (key >= 0) {
        Expr *column = sql__column(w->a, w->info->aggregate, key, e->pos);

        column->outer_level = e->outer_level;
        *slot = column;
        return;
    }
    bool aggregate = is_aggregate(e) && e->outer_level; /* the argument of an SQL function whose body is a subquery */

    if (aggregate || (e->kind == EXPR_COLUMN && e->relation && in_scope(w->scope, e->relation))) {
        rewrite(slot, arg); /* a column: says that it is missing */
        return;
    }
    sql__each_child(e, rewrite_subquery, arg);
    if (e->query)
        walk_query(e->query, rewrite_subquery, arg);
}

static void rewrite(Expr **slot, void *arg)
{
    Rewrite *w = arg;
    Expr *e = *slot;

    if (!e->type)
        return;
    int key = find_key(w->info, e);

    if (key >= 0) {
        *slot = sql__column(w->a, w->info->aggregate, key, e->pos);
        return;
    }
    if (is_aggregate(e)) {
        int at = 0;

        if (is_grouping(e))
            check_grouping(w, e);
        while (at < w->info->aggregate_count && !sql__same(w->info->aggregates[at], e))
            at++;
        if (at == w->info->aggregate_count) {
            ARENA_PUSH(w->a->arena, w->info->aggregates, w->info->aggregate_count, w->info->aggregate_capacity, e);
            add_column(w, e);
        }
        *slot = sql__column(w->a, w->info->aggregate, w->info->key_count + at, e->pos);
        return;
    }
    if (e->kind == EXPR_COLUMN && e->relation && e->relation != w->info->aggregate && in_scope(w->scope, e->relation)) {
        if (w->query->grouping == GROUP_ALL && !w->info->key_count)
            sql__error(w->a, e->pos, "UNRESOLVED_ALL_IN_GROUP_BY", "GROUP BY ALL cannot group by \"%s\", which stands beside an aggregate function in one expression",
                       e->name.parts[e->name.count - 1]);
        else if (w->info->key_count)
            sql__error(w->a, e->pos, "MISSING_AGGREGATION", "column \"%s\" is neither in GROUP BY nor inside an aggregate function",
                       e->name.parts[e->name.count - 1]);
        else
            sql__error(w->a, e->pos, "MISSING_GROUP_BY", "column \"%s\" stands beside an aggregate function without GROUP BY",
                       e->name.parts[e->name.count - 1]);
        sql__hint(w->a, "Add it to GROUP BY, or use any_value(%s) if any row's value will do.", e->name.parts[e->name.count - 1]);
        return;
    }
    if (e->kind == EXPR_CALL && e->function && !strcmp(e->function->name, "window_time")) {
        sql__error(w->a, e->pos, "MISSING_AGGREGATION", "window_time takes the window that a query below has made, not one of the same GROUP BY");
        sql__hint(w->a, "Put the aggregation into a subquery, or take window.end - INTERVAL '0.000001' SECOND.");
        return;
    }
    sql__each_child(e, rewrite, arg);
    if (e->query)
        walk_query(e->query, rewrite_subquery, arg);
}

/* ---- sessions ---- */

typedef struct Reads {
    Analyzer *a;
    const Scope *scope;
    QueryInfo *info;
    int capacity;
} Reads;

static void find_reads(Expr **slot, void *arg)
{
    Reads *r = arg;
    const Expr *e = *slot;

    if (e->kind == EXPR_COLUMN && e->relation && in_scope(r->scope, e->relation)) {
        const Expr **all = r->info->session_columns;
        int count = r->info->session_column_count, at = count;

        for (int i = 0; i < count; i++) {
            if (all[i]->relation == e->relation && all[i]->column == e->column)
                return;
            at = all[i]->relation == e->relation ? i + 1 : at;
        }
        ARENA_PUSH(r->a->arena, all, count, r->capacity, e);
        memmove(all + at + 1, all + at, sizeof *all * (size_t)(count - 1 - at));
        all[at] = e;
        r->info->session_columns = all;
        r->info->session_column_count = count;
        return;
    }
    sql__each_child(*slot, find_reads, arg);
    if (e->query)
        walk_query(e->query, find_reads, arg);
}

/* Which key is a session, and what is read beside it: rows are numbered by their session before they are grouped. */
static void find_session(Rewrite *w)
{
    QueryInfo *info = w->info;
    Reads reads = {.a = w->a, .scope = w->scope, .info = info};

    for (int i = 0; i < info->key_count && !info->session; i++)
        if (sql__is_session(info->keys[i]))
            info->session = i + 1;
    if (!info->session)
        return;
    if (info->set_count)
        sql__error(w->a, info->keys[info->session - 1]->pos, "UNSUPPORTED_FEATURE.SESSION_WINDOW_WITH_GROUPING_SETS",
                   "session_window does not go with GROUPING SETS, ROLLUP and CUBE");
    for (int i = 0; i < info->key_count; i++)
        find_reads(&info->keys[i], &reads);
    for (int i = 0; i < info->aggregate_count; i++)
        find_reads(&info->aggregates[i], &reads);
}

/* ---- keys and sets ---- */

static int key_index(Analyzer *a, QueryInfo *info, Expr *e)
{
    int at = find_key(info, e);

    if (at >= 0)
        return at;
    info->keys[info->key_count] = e;
    return info->key_count++;
}

static bool grouping_sets(Analyzer *a, Query *q, QueryInfo *info)
{
    int n = info->key_count;

    if (q->grouping == GROUP_ROLLUP) {
        info->set_count = n + 1;
        info->sets = ARENA_ARRAY(a->arena, int *, info->set_count);
        info->set_sizes = ARENA_ARRAY(a->arena, int, info->set_count);
        for (int i = 0; i <= n; i++) {
            info->set_sizes[i] = n - i;
            info->sets[i] = ARENA_ARRAY(a->arena, int, n + 1);
            for (int k = 0; k < n - i; k++)
                info->sets[i][k] = k;
        }
    } else if (q->grouping == GROUP_CUBE) {
        if (n > 12) {
            sql__error(a, q->pos, "GROUPING_SIZE_LIMIT_EXCEEDED", "CUBE takes at most 12 expressions, not %d", n);
            return false;
        }
        info->set_count = 1 << n;
        info->sets = ARENA_ARRAY(a->arena, int *, info->set_count);
        info->set_sizes = ARENA_ARRAY(a->arena, int, info->set_count);
        for (int i = 0; i < info->set_count; i++) {
            info->sets[i] = ARENA_ARRAY(a->arena, int, n + 1);
            for (int k = 0; k < n; k++)
                if (!(i >> k & 1))
                    info->sets[i][info->set_sizes[i]++] = k;
        }
    } else if (q->grouping_set_count) {
        info->set_count = q->grouping_set_count;
        info->sets = ARENA_ARRAY(a->arena, int *, info->set_count);
        info->set_sizes = q->grouping_set_sizes;
        for (int i = 0; i < info->set_count; i++) {
            info->sets[i] = ARENA_ARRAY(a->arena, int, info->set_sizes[i] + 1);
            for (int k = 0; k < info->set_sizes[i]; k++)
                info->sets[i][k] = find_key(info, q->grouping_sets[i][k]);
        }
    }
    return true;
}

void sql__aggregate(Analyzer *a, Scope *scope, Query *q)
{
    QueryInfo *info = sql__info(a, q);
    Rewrite w = {.a = a, .scope = scope, .query = q, .info = info};
    int most = q->group_count;

    for (int i = 0; i < q->group_count; i++)
        if (!q->group_by[i]->type)
            return;
    for (int i = 0; i < q->grouping_set_count; i++)
        most += q->grouping_set_sizes[i];
    info->keys = ARENA_ARRAY(a->arena, Expr *, most + 1);
    for (int i = 0; i < q->group_count; i++)
        key_index(a, info, sql__clone(a, q->group_by[i]));
    for (int i = 0; i < q->grouping_set_count; i++)
        for (int k = 0; k < q->grouping_set_sizes[i]; k++) {
            if (!q->grouping_sets[i][k]->type)
                return;
            key_index(a, info, sql__clone(a, q->grouping_sets[i][k]));
        }
    if (!grouping_sets(a, q, info))
        return;
    info->aggregate = sql__new_relation(a, q->pos, 0);
    for (int i = 0; i < info->key_count; i++) {
        int at = add_column(&w, info->keys[i]);

        if (info->set_count)
            info->aggregate->column_nullable[at] = true;
    }
    /* items, then what reads them; each subtree is rewritten once, as all are copies of their own */
    for (int i = 0; i < q->item_count; i++) {
        if (q->items[i].expr->type && sql__any(q->items[i].expr, sql__is_outer)) {
            sql__error(a, q->items[i].expr->pos, "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE",
                       "a column of the query around stands in the select list of a subquery that aggregates");
            sql__hint(a, "Use it around the subquery, or in WHERE and HAVING.");
            return;
        }
        rewrite(&q->items[i].expr, &w);
    }
    if (q->having)
        rewrite(&q->having, &w);
    if (q->qualify)
        rewrite(&q->qualify, &w);
    for (int i = 0; i < q->order_count; i++)
        rewrite(&q->order_by[i].expr, &w);
    find_session(&w);
    for (int i = 0; i < info->key_count; i++)
        if (info->set_count || info->session || info->keys[i]->type->kind != TYPE_STRING)
            sql__refuse_collation(a, info->keys[i]->pos, info->keys[i]->type, info->set_count ? "GROUP BY with grouping sets" : info->session ? "GROUP BY with a session" : "GROUP BY");
}

/* ---- the data relations of a query ---- */

typedef struct Relations {
    Arena *arena;
    SqlRelation **items;
    int count, capacity;
} Relations;

static void collect_expr(Expr **slot, void *arg);
static void collect_query(const Query *q, Relations *out);

static void collect_relation(const Relation *r, Relations *out)
{
    if (!r)
        return;
    for (int i = 0; i < r->arg_count; i++)
        collect_expr(&r->args[i], out);
    if (r->resolved && !r->resolved->view)
        ARENA_PUSH(out->arena, out->items, out->count, out->capacity, r->resolved);
    if (r->query)
        collect_query(r->query, out);
    collect_relation(r->left, out);
    if (r->right && !(r->kind == REL_JOIN && r->extra))
        collect_relation(r->right, out);
    if (r->on) {
        Expr *on = r->on;

        collect_expr(&on, out);
    }
}

static void collect_expr(Expr **slot, void *arg)
{
    sql__each_child(*slot, collect_expr, arg);
    if ((*slot)->query)
        collect_query((*slot)->query, arg);
}

static void collect_query(const Query *q, Relations *out)
{
    const QueryInfo *info = q->extra;

    if (q->kind == QUERY_SET) {
        collect_query(q->left, out);
        collect_query(q->right, out);
        return;
    }
    collect_relation(q->from, out);
    Expr *parts[] = {q->where, q->having, q->qualify};

    for (int i = 0; i < 3; i++)
        if (parts[i])
            collect_expr(&parts[i], out);
    for (int i = 0; i < q->item_count; i++)
        collect_expr(&q->items[i].expr, out);
    for (int i = 0; i < q->order_count; i++)
        collect_expr(&q->order_by[i].expr, out);
    for (int i = 0; info && i < info->key_count; i++)
        collect_expr(&info->keys[i], out);
    for (int i = 0; info && i < info->aggregate_count; i++)
        collect_expr(&info->aggregates[i], out);
}

int sql_query_relations(const Query *query, Arena *arena, SqlRelation ***out)
{
    Relations all = {.arena = arena};
    int unique = 0;

    collect_query(query, &all);
    for (int i = 0; i < all.count; i++) {
        bool seen = false;

        for (int k = 0; k < unique; k++)
            seen = seen || all.items[k] == all.items[i];
        if (!seen)
            all.items[unique++] = all.items[i];
    }
    *out = all.items;
    return unique;
}
