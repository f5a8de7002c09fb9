/* sql/equal.c - are two trees the same, but for positions, spelling of literals and what the analyzer added? */
#include <string.h>

#include "sql/sql.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_texts(const char *const *a, int a_count, const char *const *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        if (!same_text(a[i], b[i]))
            return false;
    }
    return true;
}

static bool same_name(SqlName a, SqlName b)
{
    return same_texts(a.parts, a.count, b.parts, b.count);
}

static bool same_names(const SqlName *a, int a_count, const SqlName *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        if (!same_name(a[i], b[i]))
            return false;
    }
    return true;
}

static bool same_exprs(Expr *const *a, int a_count, Expr *const *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        if (!sql_expr_equal(a[i], b[i]))
            return false;
    }
    return true;
}

static bool same_sort(const SortItem *a, int a_count, const SortItem *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        if (a[i].descending != b[i].descending || a[i].nulls_first != b[i].nulls_first || !sql_expr_equal(a[i].expr, b[i].expr))
            return false;
    }
    return true;
}

static bool same_window(const WindowSpec *a, const WindowSpec *b)
{
    if (!a || !b)
        return a == b;
    if (a->name || b->name)
        return same_text(a->name, b->name);
    return same_exprs(a->partition_by, a->partition_count, b->partition_by, b->partition_count) &&
           same_sort(a->order_by, a->order_count, b->order_by, b->order_count) && a->frame_given == b->frame_given &&
           (!a->frame_given || (a->frame_rows == b->frame_rows && a->start == b->start && a->end == b->end &&
                                sql_expr_equal(a->start_offset, b->start_offset) && sql_expr_equal(a->end_offset, b->end_offset)));
}

static bool same_type(const Type *a, const Type *b)
{
    return a == b || (a && b && type_equal(a, b, true));
}

static bool same_literal(const Expr *a, const Expr *b)
{
    return same_type(a->type, b->type) && str_equal(a->literal, b->literal) && a->literal_int == b->literal_int &&
           !memcmp(&a->literal_double, &b->literal_double, sizeof a->literal_double);
}

static bool same_units(const Expr *a, const Expr *b)
{
    for (int i = 0; i <= a->arg_count; i++) {
        if (!same_text(a->units[i], b->units[i]))
            return false;
    }
    return true;
}

bool sql_expr_equal(const Expr *a, const Expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || !same_text(a->op, b->op))
        return false;
    if (a->kind == EXPR_LITERAL)
        return same_literal(a, b);
    if (!same_exprs(a->args, a->arg_count, b->args, b->arg_count) || (a->kind == EXPR_INTERVAL && !same_units(a, b)))
        return false;
    return same_name(a->name, b->name) && same_text(a->text, b->text) && a->negated == b->negated && a->distinct == b->distinct &&
           a->ignore_nulls == b->ignore_nulls && same_text(a->quantifier, b->quantifier) && same_type(a->cast_type, b->cast_type) &&
           sql_query_equal(a->query, b->query) && sql_expr_equal(a->filter, b->filter) &&
           same_sort(a->order_by, a->order_count, b->order_by, b->order_count) && same_window(a->window, b->window) &&
           same_texts(a->parameters, a->parameter_count, b->parameters, b->parameter_count) && sql_expr_equal(a->operand, b->operand) &&
           sql_expr_equal(a->otherwise, b->otherwise) && sql_expr_equal(a->escape, b->escape) &&
           same_names(a->except, a->except_count, b->except, b->except_count);
}

static bool same_options(const SqlOption *a, int a_count, const SqlOption *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        if (!same_text(a[i].key, b[i].key) || !same_text(a[i].value, b[i].value))
            return false;
    }
    return true;
}

static bool same_items(const SelectItem *a, int a_count, const SelectItem *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        const SelectItem *x = &a[i], *y = &b[i];
        if (!sql_expr_equal(x->expr, y->expr) || !same_text(x->alias, y->alias) ||
            !same_texts(x->multi_alias, x->multi_alias_count, y->multi_alias, y->multi_alias_count))
            return false;
    }
    return true;
}

static bool same_sample(const Sample *a, const Sample *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && same_text(a->percent, b->percent) && sql_expr_equal(a->rows, b->rows) && a->bucket == b->bucket && a->buckets == b->buckets &&
           a->seed_given == b->seed_given && a->seed == b->seed;
}

static bool same_pivot(const Pivot *a, const Pivot *b)
{
    if (!a || !b)
        return a == b;
    return same_items(a->aggregates, a->aggregate_count, b->aggregates, b->aggregate_count) && same_items(a->values, a->value_count, b->values, b->value_count) &&
           same_exprs(a->columns, a->column_count, b->columns, b->column_count);
}

static bool same_unpivot(const Unpivot *a, const Unpivot *b)
{
    if (!a || !b)
        return a == b;
    if (a->include_nulls != b->include_nulls || a->several != b->several || !same_text(a->name_column, b->name_column) ||
        !same_texts(a->values, a->value_count, b->values, b->value_count) || a->group_count != b->group_count)
        return false;
    for (int i = 0; i < a->group_count; i++) {
        const UnpivotGroup *x = &a->groups[i], *y = &b->groups[i];
        if (!same_exprs(x->columns, x->column_count, y->columns, y->column_count) || !same_text(x->alias, y->alias))
            return false;
    }
    return true;
}

static bool same_relation(const Relation *a, const Relation *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind)
        return false;
    if (a->kind == REL_JOIN)
        return a->join == b->join && a->natural == b->natural && a->comma == b->comma && sql_expr_equal(a->on, b->on) &&
               same_texts(a->using_columns, a->using_count, b->using_columns, b->using_count) && same_relation(a->left, b->left) &&
               same_relation(a->right, b->right);
    if (a->kind > REL_JOIN)
        return same_pivot(a->pivot, b->pivot) && same_unpivot(a->unpivot, b->unpivot) && same_text(a->alias, b->alias) && same_relation(a->left, b->left);
    return same_name(a->name, b->name) && same_exprs(a->args, a->arg_count, b->args, b->arg_count) && same_name(a->table_arg, b->table_arg) &&
           sql_query_equal(a->query, b->query) && same_sample(a->sample, b->sample) && a->stream == b->stream &&
           same_options(a->options, a->option_count, b->options, b->option_count) &&
           sql_expr_equal(a->version_as_of, b->version_as_of) && sql_expr_equal(a->timestamp_as_of, b->timestamp_as_of) &&
           sql_expr_equal(a->watermark, b->watermark) && sql_expr_equal(a->watermark_delay, b->watermark_delay) &&
           same_text(a->watermark_name, b->watermark_name) && same_exprs(a->dedup, a->dedup_count, b->dedup, b->dedup_count) &&
           a->dedup_within_watermark == b->dedup_within_watermark && same_text(a->alias, b->alias) &&
           same_texts(a->column_aliases, a->column_alias_count, b->column_aliases, b->column_alias_count) && a->lateral == b->lateral &&
           a->view == b->view && a->outer_view == b->outer_view;
}

static bool same_grouping(const Query *a, const Query *b)
{
    if (a->grouping != b->grouping || !same_exprs(a->group_by, a->group_count, b->group_by, b->group_count) ||
        a->grouping_set_count != b->grouping_set_count)
        return false;
    for (int i = 0; i < a->grouping_set_count; i++) {
        if (!same_exprs(a->grouping_sets[i], a->grouping_set_sizes[i], b->grouping_sets[i], b->grouping_set_sizes[i]))
            return false;
    }
    return true;
}

static bool same_with(const Query *a, const Query *b)
{
    if (a->with_count != b->with_count || a->recursive != b->recursive || a->window_count != b->window_count)
        return false;
    for (int i = 0; i < a->with_count; i++) {
        const CommonTable *x = &a->with[i], *y = &b->with[i];
        if (!same_text(x->name, y->name) || !same_texts(x->columns, x->column_count, y->columns, y->column_count) || x->level_max != y->level_max ||
            !sql_query_equal(x->query, y->query))
            return false;
    }
    for (int i = 0; i < a->window_count; i++) {
        if (!same_text(a->windows[i].name, b->windows[i].name) || !same_window(a->windows[i].spec, b->windows[i].spec))
            return false;
    }
    return true;
}

static bool same_pipe(const Query *a, const Query *b)
{
    return a->pipe == b->pipe && a->left->bare == b->left->bare && same_names(a->pipe_names, a->pipe_name_count, b->pipe_names, b->pipe_name_count) &&
           same_items(a->group_items, a->group_item_count, b->group_items, b->group_item_count) && same_sample(a->sample, b->sample);
}

bool sql_query_equal(const Query *a, const Query *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && (a->kind != QUERY_PIPE || same_pipe(a, b)) && a->distinct == b->distinct && same_with(a, b) &&
           same_items(a->items, a->item_count, b->items, b->item_count) && same_relation(a->from, b->from) &&
           sql_expr_equal(a->where, b->where) && same_grouping(a, b) && sql_expr_equal(a->having, b->having) &&
           sql_expr_equal(a->qualify, b->qualify) && a->set_op == b->set_op && a->set_all == b->set_all && a->set_by_name == b->set_by_name &&
           sql_query_equal(a->left, b->left) && sql_query_equal(a->right, b->right) && a->order_by_all == b->order_by_all &&
           same_sort(a->order_by, a->order_count, b->order_by, b->order_count) &&
           same_sort(a->sort_items, a->sort_count, b->sort_items, b->sort_count) &&
           same_exprs(a->distribute_by, a->distribute_count, b->distribute_by, b->distribute_count) && sql_expr_equal(a->limit, b->limit) &&
           sql_expr_equal(a->offset, b->offset);
}
