/*
 * sql/analyze.c - the analyzer's front: queries and their clauses
 *
 * Order of work in a SELECT: WITH, FROM, WHERE, select list (each item may use the aliases before it), GROUP BY, HAVING,
 * QUALIFY, ORDER BY; then, if it aggregates, analyze_group.c splits it into an inner query of keys and aggregates and an
 * outer one over their columns. Files: analyze_from.c relations, analyze_window.c windows of event time, analyze_expr.c expressions, analyze_op.c operators,
 * analyze_call.c functions, coercion.c types.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/analyze.h"

const char *sql__text(Analyzer *a, const char *fmt, ...)
{
    char text[2048];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return arena_strdup(a->arena, text);
}

void sql__error(Analyzer *a, SiltPos pos, const char *code, const char *fmt, ...)
{
    SiltErr err = {0};
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    silt_fail_at(&err, SILT_CONFIG, pos, "%s", text);
    silt_code(&err, code);
    sql_errors_add(a->errors, &err);
}

void sql__hint(Analyzer *a, const char *fmt, ...)
{
    char text[700];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    silt_hint(&a->errors->items[a->errors->count - 1], "%s", text);
}

QueryInfo *sql__info(Analyzer *a, Query *query)
{
    if (!query->extra)
        query->extra = ARENA_NEW(a->arena, QueryInfo);
    return query->extra;
}

/* Spark's class for what DISTINCT and UNION cannot compare. */
static const char *no_set_of(const Type *type)
{
    return sql__holds(type, TYPE_VARIANT) && !sql__holds(type, TYPE_MAP) ? "UNSUPPORTED_FEATURE.SET_OPERATION_ON_VARIANT_TYPE"
                                                                         : "UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE";
}

static void set_columns(Analyzer *a, Query *q, int count)
{
    q->column_count = count;
    q->column_names = ARENA_ARRAY(a->arena, const char *, count + 1);
    q->column_types = ARENA_ARRAY(a->arena, const Type *, count + 1);
    q->column_nullable = ARENA_ARRAY(a->arena, bool, count + 1);
}

/* ---- GROUP BY ---- */

static bool has_aggregate(const Expr *e)
{
    return e->kind == EXPR_CALL && e->function && (e->function->flags & FN_AGGREGATE) && !e->window;
}

/* sum(x) OVER (..) */
static bool is_aggregate_over(const Expr *e)
{
    return e->kind == EXPR_CALL && e->window && e->function && (e->function->flags & FN_AGGREGATE);
}

static bool is_window(const Expr *e)
{
    return e->kind == EXPR_CALL && e->window;
}

/* False with an error recorded: a window function cannot be grouped by. */
static bool no_window(Analyzer *a, const Expr *e)
{
    if (!sql__any((Expr *)(uintptr_t)e, is_window))
        return true;
    sql__error(a, e->pos, "UNSUPPORTED_EXPR_FOR_OPERATOR", "a window function may not stand in GROUP BY");
    sql__hint(a, "Compute it in a subquery, and group by its column.");
    return false;
}

void sql__group_expr(Analyzer *a, Scope *scope, Query *q, Expr **slot)
{
    Expr *e = *slot;

    if (e->kind == EXPR_LITERAL && e->type && e->type->kind == TYPE_INT) {
        if (e->literal_int < 1 || e->literal_int > q->item_count) {
            sql__error(a, e->pos, "GROUP_BY_POS_OUT_OF_RANGE", "GROUP BY position %lld is not in the select list, which has %d columns", (long long)e->literal_int,
                       q->item_count);
            e->type = NULL; /* nothing is said about columns that are not grouped */
            return;
        }
        Expr *item = q->items[e->literal_int - 1].expr;

        if (!item->type)
            return;
        if (sql__any(item, has_aggregate)) {
            sql__error(a, e->pos, "GROUP_BY_POS_AGGREGATE", "GROUP BY position %lld is an aggregate function", (long long)e->literal_int);
            return;
        }
        if (no_window(a, item))
            *slot = sql__clone(a, item);
        return;
    }
    scope->clause = "GROUP BY";
    scope->no_aggregate = scope->no_window = true;
    sql__expr(a, scope, slot);
    scope->no_aggregate = scope->no_window = false;
    scope->clause = NULL;
    e = *slot;
    if (e->type && sql__any(e, has_aggregate))
        sql__error(a, e->pos, "GROUP_BY_AGGREGATE", "an aggregate function may not stand in GROUP BY");
    else if (e->type && !sql__groups(e->type))
        sql__error(a, e->pos, "GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE", "values of type %s cannot be grouped", sql__type_name(a, e->type));
}

static void group_by(Analyzer *a, Scope *scope, Query *q)
{
    if (q->grouping == GROUP_ALL) {
        int capacity = 0;

        q->group_by = NULL;
        q->group_count = 0;
        for (int i = 0; i < q->item_count; i++) {
            Expr *e = q->items[i].expr;

            if (!e->type || sql__any(e, has_aggregate) || sql__any(e, is_aggregate_over) || !no_window(a, e))
                continue;
            ARENA_PUSH(a->arena, q->group_by, q->group_count, capacity, sql__clone(a, e));
            if (!sql__groups(e->type))
                sql__error(a, e->pos, "GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE", "values of type %s cannot be grouped", sql__type_name(a, e->type));
        }
        return;
    }
    for (int i = 0; i < q->group_count; i++)
        sql__group_expr(a, scope, q, &q->group_by[i]);
    for (int i = 0; i < q->grouping_set_count; i++)
        for (int k = 0; k < q->grouping_set_sizes[i]; k++)
            sql__group_expr(a, scope, q, &q->grouping_sets[i][k]);
}

/* ---- ORDER BY, LIMIT ---- */

void sql__sort_items(Analyzer *a, Scope *scope, SortItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        sql__expr(a, scope, &items[i].expr);
        const Type *t = items[i].expr->type;

        if (t && !sql__orderable(t) && t->kind != TYPE_VOID)
            sql__error(a, items[i].expr->pos, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "values of type %s cannot be ordered", sql__type_name(a, t));
    }
}

static void order_by(Analyzer *a, Scope *scope, Query *q)
{
    if (q->order_by_all) {
        SortItem item = q->order_by[0];

        q->order_by = ARENA_ARRAY(a->arena, SortItem, q->item_count);
        q->order_count = q->item_count;
        for (int i = 0; i < q->item_count; i++) {
            q->order_by[i] = item;
            q->order_by[i].expr = sql__clone(a, q->items[i].expr);
        }
        return;
    }
    scope->aliases_first = true;
    for (int i = 0; i < q->order_count; i++) {
        Expr *e = q->order_by[i].expr;

        if (e->kind == EXPR_LITERAL && e->type && e->type->kind == TYPE_INT) {
            if (e->literal_int < 1 || e->literal_int > q->item_count)
                sql__error(a, e->pos, "ORDER_BY_POS_OUT_OF_RANGE", "ORDER BY position %lld is not in the select list, which has %d columns",
                           (long long)e->literal_int, q->item_count);
            else
                q->order_by[i].expr = sql__clone(a, q->items[e->literal_int - 1].expr);
        }
        sql__sort_items(a, scope, &q->order_by[i], 1);
    }
    scope->aliases_first = false;
}

static void find_column(Expr **slot, void *arg)
{
    const Expr **found = arg;

    if (!*found && (*slot)->kind == EXPR_COLUMN)
        *found = *slot;
    sql__each_child(*slot, find_column, arg);
}

/* Does a column of the query, or of its FROM, have this name? */
static bool shows(const Scope *scope, const Query *q, const char *name)
{
    for (int i = 0; scope && i < scope->count; i++)
        if (scope->columns[i].name && !strcasecmp(scope->columns[i].name, name))
            return true;
    for (int i = 0; i < q->item_count; i++)
        if (q->items[i].alias && !strcasecmp(q->items[i].alias, name))
            return true;
    for (int i = 0; i < q->column_count; i++)
        if (q->column_names[i] && !strcasecmp(q->column_names[i], name))
            return true;
    return false;
}

/* LIMIT or OFFSET of a query, which may not use its columns. scope: of its FROM; NULL: none */
static void limit(Analyzer *a, const Scope *scope, const Query *q, Expr **slot, const char *clause)
{
    Scope empty = {.clause = clause, .no_aggregate = true, .no_window = true};

    if (!*slot)
        return;
    const Expr *column = NULL;

    find_column(slot, &column);
    if (column && shows(scope, q, column->name.parts[column->name.count - 1])) {
        sql__error(a, column->pos, "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE", "%s needs a constant", clause);
        return;
    }
    sql__expr(a, &empty, slot);
    Expr *e = *slot;

    if (!e->type)
        return;
    if (!e->constant)
        sql__error(a, e->pos, "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE", "%s needs a constant", clause);
    else if (!type_is_integral(e->type) && e->type->kind != TYPE_VOID)
        sql__error(a, e->pos, "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE", "%s needs an integer, not %s", clause, sql__type_name(a, e->type));
    else if (e->kind == EXPR_LITERAL && e->type->kind != TYPE_VOID && e->literal_int < 0)
        sql__error(a, e->pos, "INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE", "%s may not be negative", clause);
}

/* Which output column each ORDER BY item is, so that it prints as c<n>. */
static void match_order(Analyzer *a, Query *q)
{
    QueryInfo *info = sql__info(a, q);

    info->order_output = ARENA_ARRAY(a->arena, int, q->order_count + 1);
    for (int i = 0; i < q->order_count; i++) {
        info->order_output[i] = -1;
        for (int k = 0; k < q->item_count && q->order_by[i].expr->type; k++)
            if (q->items[k].expr->type && sql__same(q->order_by[i].expr, q->items[k].expr)) {
                info->order_output[i] = k;
                break;
            }
        if (q->distinct && info->order_output[i] < 0 && q->order_by[i].expr->type)
            sql__error(a, q->order_by[i].expr->pos, "UNRESOLVED_COLUMN.WITH_SUGGESTION", "with DISTINCT, ORDER BY may only name columns of the select list");
    }
}

/* ---- kinds of queries ---- */

/* |> AGGREGATE .. GROUP BY 2: the second column of the input */
static void pipe_ordinals(Analyzer *a, const Scope *scope, Query *q)
{
    for (int i = 0; i < q->group_count && i < q->pipe_keys; i++) {
        const Expr *e = q->group_by[i];
        int shown = 0;

        if (e->kind != EXPR_LITERAL || e->type->kind != TYPE_INT || scope->broken)
            continue;
        for (int k = 0; k < scope->count; k++) {
            const ScopeColumn *c = &scope->columns[k];

            if (c->hidden || ++shown != e->literal_int)
                continue;
            q->group_by[i] = c->expr ? sql__clone(a, c->expr) : sql__column(a, c->relation, c->column, e->pos);
            q->items[i].expr = sql__clone(a, q->group_by[i]);
            q->items[i].alias = q->items[i].alias ? q->items[i].alias : c->name;
        }
        if (e->literal_int < 1 || e->literal_int > shown)
            sql__error(a, e->pos, "GROUP_BY_POS_OUT_OF_RANGE", "GROUP BY position %lld is not in the input, which has %d columns", (long long)e->literal_int, shown);
    }
}

static void check_aggregates(Analyzer *a, const Query *q)
{
    for (int i = q->pipe_keys; i < q->item_count; i++)
        if (q->items[i].expr->type && !sql__any(q->items[i].expr, has_aggregate))
            sql__error(a, q->items[i].expr->pos, "PIPE_OPERATOR_AGGREGATE_EXPRESSION_CONTAINS_NO_AGGREGATE_FUNCTION",
                       "|> AGGREGATE needs an aggregate function here");
}

/* By which table's names the columns of the select list were found, for a relation around it that keeps them in reach. */
static void origins(Analyzer *a, const Scope *scope, Query *q)
{
    ScopeColumn *all = ARENA_ARRAY(a->arena, ScopeColumn, q->item_count + 1);

    for (int i = 0; i < q->item_count; i++) {
        const Expr *e = q->items[i].expr;

        for (int k = 0; k < scope->count && e->kind == EXPR_COLUMN && e->relation && !q->items[i].alias; k++)
            if (scope->columns[k].relation == e->relation && scope->columns[k].column == e->column && !scope->columns[k].expr) {
                all[i] = scope->columns[k];
                break;
            }
    }
    sql__info(a, q)->origins = all;
}

static void select_query(Analyzer *a, Query *q, Scope *outer, CteScope *ctes)
{
    sql__generate_last(a, q);
    Scope scope = {.outer = outer, .ctes = ctes, .windows = q->windows, .window_count = q->window_count};
    bool aggregate;

    if (q->from) {
        sql__relation(a, &scope, q->from);
        q->streaming = q->from->streaming;
    }
    if (q->where) {
        scope.no_aggregate = scope.no_window = true;
        sql__condition(a, &scope, &q->where, "WHERE");
        scope.no_aggregate = scope.no_window = false;
    }
    sql__sliding_window(a, &scope, q);
    sql__window_columns(a, &scope, q);
    if (q->piped && q->pipe == PIPE_AGGREGATE)
        pipe_ordinals(a, &scope, q);
    bool no_aggregate = q->piped && q->pipe == PIPE_EXTEND;

    scope.no_aggregate = no_aggregate;
    scope.clause = no_aggregate ? "|> EXTEND" : NULL;
    int before = a->errors->count;
    sql__select_list(a, &scope, q);
    if (!q->item_count && a->errors->count == before && !scope.broken)
        sql__error(a, q->pos, "UNSUPPORTED_FEATURE", "no column is left: a query without columns is not supported");
    scope.no_aggregate = false;
    scope.clause = NULL;
    if (q->piped && q->pipe == PIPE_AGGREGATE)
        check_aggregates(a, q);
    if (q->keeps_names && !scope.broken)
        origins(a, &scope, q);
    group_by(a, &scope, q);
    scope.aliases_first = true;
    if (q->having)
        sql__condition(a, &scope, &q->having, "HAVING");
    if (q->qualify) {
        sql__condition(a, &scope, &q->qualify, "QUALIFY");
        if (q->qualify->type && !scope.saw_window)
            sql__error(a, q->qualify->pos, "QUALIFY_REQUIRES_WINDOW_FUNCTION", "QUALIFY needs a window function, in it or in the select list");
    }
    scope.aliases_first = false;
    order_by(a, &scope, q);
    if (!q->group_count && !scope.saw_aggregate)
        sql__check_sorted(a, &scope, q);
    limit(a, &scope, q, &q->limit, "LIMIT");
    limit(a, &scope, q, &q->offset, "OFFSET");
    sql__window_filter(a, q);
    aggregate = scope.saw_aggregate || q->group_count || q->grouping != GROUP_PLAIN || q->grouping_set_count || q->having;
    if (aggregate && !scope.broken)
        sql__aggregate(a, &scope, q);
    match_order(a, q);

    set_columns(a, q, q->item_count);
    bool ok = !scope.broken && q->item_count;

    for (int i = 0; i < q->item_count; i++) {
        SelectItem *item = &q->items[i];

        q->column_names[i] = item->output_name;
        q->column_types[i] = item->expr->type;
        q->column_nullable[i] = item->expr->nullable;
        ok = ok && item->expr->type;
        if (q->distinct && item->expr->type && !sql__orderable(item->expr->type) && item->expr->type->kind != TYPE_VOID)
            sql__error(a, item->expr->pos, no_set_of(item->expr->type), "DISTINCT cannot compare values of type %s",
                       sql__type_name(a, item->expr->type));
        else if (q->distinct && item->expr->type && item->expr->type->kind != TYPE_STRING)
            sql__refuse_collation(a, item->expr->pos, item->expr->type, "DISTINCT");
    }
    if (!ok)
        q->column_count = 0;
}

enum { RECURSION_LEVEL_MAX = 100 }; /* spark.sql.cteRecursionLevelLimit */

static const char *set_name(const Query *q)
{
    return q->set_op == SET_UNION ? "UNION" : q->set_op == SET_INTERSECT ? "INTERSECT" : "EXCEPT";
}

static void set_query(Analyzer *a, Query *q, Scope *outer, CteScope *ctes, CteScope *recursive)
{
    Query *l = q->left, *r;

    if (recursive)
        recursive->closed = true;
    sql__query(a, l, outer, recursive ? recursive : ctes);
    if (recursive && l->column_count) {
        /* the second part sees the columns of the first */
        Relation *rec = sql__new_relation(a, q->pos, l->column_count);

        for (int i = 0; i < l->column_count; i++) {
            rec->column_names[i] = i < recursive->table->column_count ? recursive->table->columns[i] : l->column_names[i];
            rec->column_types[i] = l->column_types[i];
            rec->column_nullable[i] = true;
        }
        recursive->recursive = rec;
        sql__info(a, q)->recursive_name = sql__text(a, "w%d", rec->id);
        sql__info(a, q)->level_max = recursive->table->level_max >= 0 ? recursive->table->level_max : RECURSION_LEVEL_MAX;
        rec->extra = sql__info(a, q);
        ctes = recursive;
    }
    sql__query(a, q->right, outer, ctes);
    r = q->right;
    if (!l->column_count || !r->column_count)
        return;
    if (q->set_by_name) {
        sql__error(a, q->pos, "UNSUPPORTED_FEATURE.SET_BY_NAME", "%s BY NAME is not supported", set_name(q));
        return;
    }
    if (l->column_count != r->column_count) {
        sql__error(a, r->pos, "NUM_COLUMNS_MISMATCH", "%s needs as many columns on both sides, but there are %d and %d", set_name(q), l->column_count,
                   r->column_count);
        return;
    }
    bool names_itself = false;

    if (recursive && !sql__check_recursive(a, q, recursive->recursive, &names_itself))
        return;
    if (!names_itself) { /* WITH RECURSIVE of one that is not */
        sql__info(a, q)->recursive_name = NULL;
        recursive = NULL;
    }
    const Type **types = ARENA_ARRAY(a->arena, const Type *, l->column_count);

    for (int i = 0; i < l->column_count; i++) {
        types[i] = recursive ? l->column_types[i] : sql__wider(a, l->column_types[i], r->column_types[i]);
        if (!types[i] || sql__collations_differ(l->column_types[i], r->column_types[i]) || (recursive && !sql__wider(a, l->column_types[i], r->column_types[i]))) {
            sql__error(a, r->pos, "INCOMPATIBLE_COLUMN_TYPE", "column %d of %s is %s on the left and %s on the right", i + 1, set_name(q),
                       sql__type_name(a, l->column_types[i]), sql__type_name(a, r->column_types[i]));
            return;
        }
        if ((q->set_op != SET_UNION || !q->set_all) && !sql__orderable(types[i]) && types[i]->kind != TYPE_VOID) {
            sql__error(a, q->pos, no_set_of(types[i]), "%s cannot compare values of type %s", set_name(q),
                       sql__type_name(a, types[i]));
            return;
        }
        if (!(q->set_op == SET_UNION && q->set_all) && (types[i]->kind != TYPE_STRING || q->set_all) && sql__refuse_collation(a, q->pos, types[i], set_name(q)))
            return;
    }
    q->left = sql__query_cast(a, l, types);
    q->right = sql__query_cast(a, r, types);
    set_columns(a, q, l->column_count);
    for (int i = 0; i < l->column_count; i++) {
        q->column_names[i] = l->column_names[i];
        q->column_types[i] = types[i];
        q->column_nullable[i] = l->column_nullable[i] || (q->set_op == SET_UNION && r->column_nullable[i]);
    }
    q->streaming = l->streaming || r->streaming;
}

/* ORDER BY of a set operation or VALUES: over its output columns, as relation info->aggregate. */
static void order_output(Analyzer *a, Query *q)
{
    Scope scope = {0};
    Relation *out;
    QueryInfo *info = sql__info(a, q);

    if (!q->order_count || !q->column_count)
        return;
    out = sql__new_relation(a, q->pos, q->column_count);
    for (int i = 0; i < q->column_count; i++) {
        out->column_names[i] = q->column_names[i];
        out->column_types[i] = q->column_types[i];
        out->column_nullable[i] = q->column_nullable[i];
    }
    sql__scope_add(a, &scope, out, NULL, NULL, 0);
    q->items = ARENA_ARRAY(a->arena, SelectItem, q->column_count);
    q->item_count = q->column_count;
    for (int i = 0; i < q->column_count; i++)
        q->items[i] = (SelectItem){.expr = sql__column(a, out, i, q->pos), .output_name = q->column_names[i]};
    scope.query = q;
    order_by(a, &scope, q);
    match_order(a, q);
    info->aggregate = out;
}

static void values_query(Analyzer *a, Query *q, Scope *outer, CteScope *ctes)
{
    Scope scope = {.outer = outer, .ctes = ctes};

    sql__relation(a, &scope, q->from);
    if (scope.broken)
        return;
    int shown = 0;

    for (int i = 0; i < scope.count; i++)
        shown += !scope.columns[i].hidden;
    set_columns(a, q, shown);
    for (int i = 0; i < shown; i++) {
        q->column_names[i] = scope.columns[i].name;
        q->column_types[i] = scope.columns[i].type;
        q->column_nullable[i] = scope.columns[i].nullable;
    }
    q->streaming = q->from->streaming;
}

void sql__query(Analyzer *a, Query *q, Scope *outer, CteScope *ctes)
{
    if (q->column_count || (q->extra && q->kind != QUERY_SET))
        return; /* a CTE or view that was met before */
    if (++a->depth > SQL_DEPTH_MAX) {
        sql__error(a, q->pos, "FAILED_TO_PARSE_TOO_COMPLEX", "queries are nested more than %d deep here", SQL_DEPTH_MAX);
        a->depth--;
        return;
    }
    sql__info(a, q);
    for (int i = 0; i < q->with_count; i++) {
        CteScope *cte = ARENA_NEW(a->arena, CteScope);
        Query *body = q->with[i].query;

        *cte = (CteScope){.outer = ctes, .table = &q->with[i], .query = body};
        for (int k = 0; k < i; k++)
            if (!strcasecmp(q->with[i].name, q->with[k].name))
                sql__error(a, q->with[i].pos, "DUPLICATED_CTE_NAMES", "WITH names \"%s\" twice", q->with[i].name);
        if (q->recursive && sql__is_recursive(body) && !body->column_count) {
            sql__info(a, body);
            set_query(a, body, outer, ctes, cte);
            cte->recursive = NULL;
        } else {
            cte->closed = q->recursive;
            sql__query(a, body, outer, q->recursive ? cte : ctes);
        }
        cte->closed = false;
        if (body->column_count && q->with[i].column_count && q->with[i].column_count != body->column_count)
            sql__error(a, q->with[i].pos, "ASSIGNMENT_ARITY_MISMATCH", "\"%s\" names %d columns, its query has %d", q->with[i].name,
                       q->with[i].column_count, body->column_count);
        ctes = cte;
    }
    if (q->kind == QUERY_PIPE)
        sql__pipe(a, q);
    switch (q->kind) {
    case QUERY_PIPE:
    case QUERY_SELECT:
        select_query(a, q, outer, ctes);
        break;
    case QUERY_SET:
        set_query(a, q, outer, ctes, NULL);
        order_output(a, q);
        break;
    case QUERY_VALUES:
    case QUERY_TABLE:
        values_query(a, q, outer, ctes);
        order_output(a, q);
        break;
    }
    if (q->kind != QUERY_SELECT) {
        limit(a, NULL, q, &q->limit, "LIMIT");
        limit(a, NULL, q, &q->offset, "OFFSET");
    }
    a->depth--;
}

/* ---- entry points ---- */

static int by_position(const void *x, const void *y)
{
    const SiltErr *a = x, *b = y;

    if (strcmp(a->file, b->file))
        return strcmp(a->file, b->file);
    return a->line != b->line ? a->line - b->line : a->column - b->column;
}

int sql__sort_errors(SqlErrors *errors, int before)
{
    if (errors->count > before)
        qsort(errors->items + before, (size_t)(errors->count - before), sizeof *errors->items, by_position);
    return errors->count > before ? -1 : 0;
}

int sql_analyze_query(Arena *arena, Query *query, const SqlCatalog *catalog, const SqlSettings *settings, SqlErrors *errors)
{
    Analyzer a = {.arena = arena, .catalog = catalog, .settings = settings, .errors = errors};
    int before = errors->count;

    sql__query(&a, query, NULL, NULL);
    if (errors->count == before && !query->column_count)
        sql__error(&a, query->pos, "INTERNAL_ERROR", "this query could not be understood");
    sql__close_constants(&a);
    return sql__sort_errors(errors, before);
}

static bool is_subquery(const Expr *e)
{
    return e->query != NULL;
}

/* False with an error recorded: what is asked of one row has no subquery. */
static bool no_subquery(Analyzer *a, Expr *e)
{
    if (!sql__any(e, is_subquery))
        return true;
    sql__error(a, e->pos, "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY", "a subquery may not stand in an expression over one row");
    sql__hint(a, "Ask for it in the query: as a column, or by a join.");
    return false;
}

int sql_analyze_expr(Arena *arena, Expr *expr, const char *const *names, const Type *const *types, const bool *nullable, int count,
                     const SqlCatalog *catalog, const SqlSettings *settings, SqlErrors *errors)
{
    Analyzer a = {.arena = arena, .catalog = catalog, .settings = settings, .errors = errors};
    Scope scope = {.no_aggregate = true, .no_window = true, .clause = "an expression over one row"};
    Relation *r = sql__new_relation(&a, expr->pos, count);
    int before = errors->count;
    Expr *root = expr;

    r->id = 0; /* prints with the caller's prefix */
    for (int i = 0; i < count; i++) {
        r->column_names[i] = names[i];
        r->column_types[i] = types[i];
        r->column_nullable[i] = nullable ? nullable[i] : true;
    }
    sql__scope_add(&a, &scope, r, NULL, NULL, 0);
    if (no_subquery(&a, root)) {
        sql__expr(&a, &scope, &root);
        if (errors->count == before)
            no_subquery(&a, root); /* that a function has brought */
    }
    if (root != expr) /* the caller keeps its pointer */
        *expr = *root;
    sql__close_constants(&a);
    return sql__sort_errors(errors, before);
}
