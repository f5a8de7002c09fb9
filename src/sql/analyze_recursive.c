/*
 * sql/analyze_recursive.c - WITH RECURSIVE: what is one, and where it may name itself
 *
 * The definition is `anchor UNION ALL step`. The step may read itself anywhere but below an aggregation or a window function
 * and on the side of an outer join that may be missing, since it sees only the rows of the round before.
 */
#include <string.h>

#include "sql/analyze.h"

bool sql__is_recursive(const Query *q)
{
    return q->kind == QUERY_SET && q->set_op == SET_UNION && !q->with_count && !q->limit && !q->offset && !q->order_count;
}

typedef struct Search {
    const Relation *definition;
    bool found;     /* it is named here */
    bool misplaced; /* where it may not be */
} Search;

static void search_query(const Query *q, Search *s);

static void search_expr(Expr **slot, void *arg)
{
    Search *s = arg;

    if ((*slot)->query)
        search_query((*slot)->query, s);
    sql__each_child(*slot, search_expr, arg);
}

static bool search_relation(Relation *r, Search *s)
{
    Search below = {.definition = s->definition};

    if (!r)
        return false;
    if (r->kind == REL_TABLE && r->extra == s->definition) {
        below.found = true;
    } else if (r->kind == REL_JOIN) {
        bool left = search_relation(r->left, &below), right = search_relation(r->right, &below);

        if ((left && (r->join == JOIN_RIGHT || r->join == JOIN_FULL)) ||
            (right && (r->join == JOIN_LEFT || r->join == JOIN_FULL || r->join == JOIN_LEFT_SEMI || r->join == JOIN_LEFT_ANTI)))
            below.misplaced = true;
    } else if (r->query) {
        search_query(r->query, &below);
    }
    s->found = s->found || below.found;
    s->misplaced = s->misplaced || below.misplaced;
    return below.found;
}

static bool has_window(const Expr *e)
{
    return e->window != NULL;
}

static void search_query(const Query *q, Search *s)
{
    const QueryInfo *info = q->extra;
    Search below = {.definition = s->definition};

    if (q->kind == QUERY_SET) {
        search_query(q->left, &below);
        search_query(q->right, &below);
    } else {
        bool window = false;

        search_relation(q->from, &below);
        for (int i = 0; i < q->item_count && q->kind == QUERY_SELECT; i++) {
            search_expr(&q->items[i].expr, &below);
            window = window || sql__any(q->items[i].expr, has_window);
        }
        Expr *where = q->where;

        if (where)
            search_expr(&where, &below);
        if (below.found && ((info && info->aggregate && q->kind == QUERY_SELECT) || window))
            below.misplaced = true;
    }
    s->found = s->found || below.found;
    s->misplaced = s->misplaced || below.misplaced;
}

bool sql__check_recursive(Analyzer *a, const Query *q, const Relation *definition, bool *recursive)
{
    Search s = {.definition = definition};

    search_query(q->right, &s);
    *recursive = s.found;
    if (!s.found)
        return true;
    if (!q->set_all) {
        sql__error(a, q->pos, "UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE", "a recursive query is joined by UNION ALL, not UNION");
        return false;
    }
    if (s.misplaced) {
        sql__error(a, q->right->pos, "INVALID_RECURSIVE_REFERENCE.PLACE",
                   "a recursive query may not read itself below an aggregate or window function, nor on the side of an outer join that may be missing");
        return false;
    }
    for (int i = 0; i < q->left->column_count && i < q->right->column_count; i++)
        if (!type_equal(q->left->column_types[i], q->right->column_types[i], false)) {
            sql__error(a, q->right->pos, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE", "column %d of a recursive query begins as %s and goes on as %s", i + 1,
                       sql__type_name(a, q->left->column_types[i]), sql__type_name(a, q->right->column_types[i]));
            sql__hint(a, "Cast it in one of the two parts.");
            return false;
        }
    return true;
}
