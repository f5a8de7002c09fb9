/*
 * sql/analyze_pipe.c - query |> operator becomes the query that it stands for
 *
 * Before anything of it is analyzed, and only by moving parts of the tree. The input is a relation of the new SELECT:
 *
 *   - what FROM, TABLE, VALUES or |> AS name stays as it is, so its names stay in reach;
 *   - any other query stands in parentheses, and its columns are also found by the tables they came from (keeps_names).
 */
#include <string.h>

#include "sql/analyze.h"

static Relation *subquery(Analyzer *a, Query *query, bool keeps_names)
{
    Relation *r = ARENA_NEW(a->arena, Relation);

    r->kind = REL_QUERY;
    r->pos = query->pos;
    r->query = query;
    r->keeps_names = keeps_names;
    return r;
}

static Relation *input(Analyzer *a, Query *left)
{
    if (left->kind == QUERY_PIPE && left->pipe == PIPE_AS)
        sql__pipe(a, left);
    if (left->kind == QUERY_TABLE || left->kind == QUERY_VALUES)
        return left->from;
    return left->bare ? left->from : subquery(a, left, true);
}

static Expr *star(Analyzer *a, SiltPos pos)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    e->kind = EXPR_STAR;
    e->pos = pos;
    e->name.pos = pos;
    return e;
}

/* * and then these. */
static void star_before(Analyzer *a, Query *q, Expr *all)
{
    SelectItem *items = ARENA_ARRAY(a->arena, SelectItem, q->item_count + 1);

    items[0] = (SelectItem){.expr = all, .alias_pos = all->pos};
    if (q->item_count)
        memcpy(items + 1, q->items, sizeof *items * (size_t)q->item_count);
    q->items = items;
    q->item_count++;
}

/* Each assignment sees what the ones before it made: a SELECT of its own, all but the last below this one. */
static void assign(Analyzer *a, Query *q)
{
    for (int i = 0; i < q->item_count; i++)
        for (int k = 0; k < i; k++)
            if (!strcasecmp(q->items[i].alias, q->items[k].alias))
                sql__error(a, q->items[i].alias_pos, "_LEGACY_ERROR_TEMP_0035", "|> SET names column \"%s\" twice", q->items[i].alias);
    SelectItem *items = q->items;
    int count = q->item_count;

    q->items = NULL;
    q->item_count = 0;
    for (int i = 0; i < count; i++) {
        Query *next = i == count - 1 ? q : ARENA_NEW(a->arena, Query);
        Expr *all = star(a, items[i].alias_pos);

        all->except = ARENA_NEW(a->arena, SqlName);
        *all->except = (SqlName){.parts = ARENA_ARRAY(a->arena, const char *, 1), .count = 1, .pos = items[i].alias_pos};
        all->except->parts[0] = items[i].alias;
        all->except_count = 1;
        all->args = ARENA_ARRAY(a->arena, Expr *, 1);
        all->args[0] = items[i].expr;
        all->arg_count = 1;
        if (next != q) {
            *next = (Query){.kind = QUERY_SELECT, .pos = items[i].alias_pos, .piped = true, .pipe = PIPE_SET, .from = q->from};
            q->from = subquery(a, next, true);
        }
        star_before(a, next, all);
    }
}

/* The keys, then the aggregates. */
static void aggregate(Analyzer *a, Query *q)
{
    int keys = q->group_item_count ? q->group_item_count : q->group_count;
    SelectItem *items = ARENA_ARRAY(a->arena, SelectItem, keys + q->item_count + 1);

    for (int i = 0; i < keys; i++) {
        items[i] = q->group_item_count ? q->group_items[i] : (SelectItem){.expr = q->group_by[i], .alias_pos = q->group_by[i]->pos};
        items[i].expr = sql__clone(a, items[i].expr);
    }
    if (q->item_count)
        memcpy(items + keys, q->items, sizeof *items * (size_t)q->item_count);
    if (q->group_item_count) {
        q->group_by = ARENA_ARRAY(a->arena, Expr *, keys);
        q->group_count = keys;
        for (int i = 0; i < keys; i++)
            q->group_by[i] = q->group_items[i].expr;
    }
    q->items = items;
    q->pipe_keys = keys;
    q->item_count += keys;
}

static void sample(Analyzer *a, Query *q)
{
    Query *all = ARENA_NEW(a->arena, Query);

    *all = (Query){.kind = QUERY_SELECT, .pos = q->pos, .from = q->from};
    star_before(a, all, star(a, q->pos));
    q->from = subquery(a, all, true);
    q->from->sample = q->sample;
}

void sql__pipe(Analyzer *a, Query *q)
{
    Relation *from = q->pipe == PIPE_UNION ? NULL : input(a, q->left);

    q->piped = true;
    if (q->pipe == PIPE_UNION) {
        q->kind = QUERY_SET;
        return;
    }
    q->kind = QUERY_SELECT;
    q->left = NULL;
    if (q->pipe == PIPE_RELATION) {
        Relation *innermost = q->from;

        while (innermost->left)
            innermost = innermost->left;
        innermost->left = from;
    } else {
        q->from = from;
    }
    switch (q->pipe) {
    case PIPE_SELECT:
        return;
    case PIPE_SET:
        assign(a, q);
        return;
    case PIPE_AGGREGATE:
        aggregate(a, q);
        return;
    case PIPE_DROP: {
        Expr *all = star(a, q->pos);

        all->except = q->pipe_names;
        all->except_count = q->pipe_name_count;
        star_before(a, q, all);
        return;
    }
    case PIPE_AS: { /* FROM (SELECT * FROM input) AS name */
        Query *all = ARENA_NEW(a->arena, Query);

        *all = (Query){.kind = QUERY_SELECT, .pos = q->pos, .from = q->from};
        star_before(a, all, star(a, q->pos));
        q->from = subquery(a, all, false);
        q->from->alias = q->pipe_names->parts[0];
        q->bare = true;
        break;
    }
    case PIPE_SAMPLE:
        sample(a, q);
        break;
    default:
        break;
    }
    star_before(a, q, star(a, q->pos));
}
