/* plan/walk.c - one traversal of the tree, for all who look for something in it */
#include "plan/walk.h"

static void walk_sort(const WalkVisitor *v, SortItem *items, int count)
{
    for (int i = 0; i < count; i++)
        walk_expr(v, items[i].expr);
}

static void walk_exprs(const WalkVisitor *v, Expr **exprs, int count)
{
    for (int i = 0; i < count; i++)
        walk_expr(v, exprs[i]);
}

static void walk_items(const WalkVisitor *v, SelectItem *items, int count)
{
    for (int i = 0; i < count; i++)
        walk_expr(v, items[i].expr);
}

static void walk_window(const WalkVisitor *v, WindowSpec *window)
{
    if (!window)
        return;
    walk_exprs(v, window->partition_by, window->partition_count);
    walk_sort(v, window->order_by, window->order_count);
    walk_expr(v, window->start_offset);
    walk_expr(v, window->end_offset);
}

void walk_expr(const WalkVisitor *v, Expr *expr)
{
    if (!expr || (v->expr && !v->expr(v->self, expr)))
        return;
    walk_exprs(v, expr->args, expr->arg_count);
    walk_query(v, expr->query);
    walk_expr(v, expr->filter);
    walk_sort(v, expr->order_by, expr->order_count);
    walk_window(v, expr->window);
    walk_expr(v, expr->operand);
    walk_expr(v, expr->otherwise);
    walk_expr(v, expr->escape);
}

void walk_relation(const WalkVisitor *v, Relation *relation)
{
    if (!relation || (v->relation && !v->relation(v->self, relation)))
        return;
    walk_exprs(v, relation->args, relation->arg_count);
    walk_query(v, relation->query);
    walk_expr(v, relation->version_as_of);
    walk_expr(v, relation->timestamp_as_of);
    walk_expr(v, relation->watermark);
    walk_expr(v, relation->watermark_delay);
    walk_exprs(v, relation->dedup, relation->dedup_count);
    walk_relation(v, relation->left);
    walk_relation(v, relation->right);
    walk_expr(v, relation->on);
    if (relation->pivot) {
        walk_items(v, relation->pivot->aggregates, relation->pivot->aggregate_count);
        walk_items(v, relation->pivot->values, relation->pivot->value_count);
        walk_exprs(v, relation->pivot->columns, relation->pivot->column_count);
    }
    if (relation->unpivot)
        for (int i = 0; i < relation->unpivot->group_count; i++)
            walk_exprs(v, relation->unpivot->groups[i].columns, relation->unpivot->groups[i].column_count);
}

static void walk_children(const WalkVisitor *v, Query *query)
{
    for (int i = 0; i < query->with_count; i++)
        walk_query(v, query->with[i].query);
    walk_items(v, query->items, query->item_count);
    walk_items(v, query->group_items, query->group_item_count);
    walk_relation(v, query->from);
    walk_expr(v, query->where);
    walk_exprs(v, query->group_by, query->group_count);
    walk_expr(v, query->having);
    walk_expr(v, query->qualify);
    for (int i = 0; i < query->window_count; i++)
        walk_window(v, query->windows[i].spec);
    walk_query(v, query->left);
    walk_query(v, query->right);
    walk_sort(v, query->order_by, query->order_count);
    walk_sort(v, query->sort_items, query->sort_count);
    walk_exprs(v, query->distribute_by, query->distribute_count);
    walk_expr(v, query->limit);
    walk_expr(v, query->offset);
}

void walk_query(const WalkVisitor *v, Query *query)
{
    if (!query)
        return;
    if (!v->query || v->query(v->self, query))
        walk_children(v, query);
    if (v->query_end)
        v->query_end(v->self, query);
}
