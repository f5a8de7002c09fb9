/*
 * sql/analyze_pivot.c - TABLESAMPLE, PIVOT and UNPIVOT as the queries that they stand for
 *
 *   t TABLESAMPLE (..)    (SELECT * FROM t WHERE rand() < f), or with LIMIT
 *   t PIVOT (..)          (SELECT others, CASE WHEN count_if(c <=> v) > 0 THEN sum(x) FILTER (WHERE c <=> v) END, .. FROM t GROUP BY others)
 *   t UNPIVOT (..)        (SELECT others, g.* FROM t LATERAL VIEW inline(array(named_struct(name, 'x', value, x), ..)) g WHERE values are not NULL)
 *
 * What others are is known only when the input is analyzed; so it is, as a query of its own, and then stands in FROM of the new one.
 */
#include <stdlib.h>
#include <string.h>

#include "sql/analyze.h"
#include "sql/fold.h"

/* ---- building trees ---- */

static Expr *node(Analyzer *a, ExprKind kind, SiltPos pos, int arg_count)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    e->kind = kind;
    e->pos = pos;
    e->name.pos = pos;
    e->arg_count = arg_count;
    e->args = ARENA_ARRAY(a->arena, Expr *, arg_count + 1);
    return e;
}

static Expr *binary(Analyzer *a, const char *op, Expr *left, Expr *right)
{
    Expr *e = node(a, EXPR_BINARY, left->pos, 2);

    e->op = op;
    e->args[0] = left;
    e->args[1] = right;
    return e;
}

static Expr *named(Analyzer *a, SiltPos pos, const char *table, const char *column)
{
    Expr *e = node(a, EXPR_COLUMN, pos, 0);

    e->name.count = table ? 2 : 1;
    e->name.parts = ARENA_ARRAY(a->arena, const char *, 2);
    e->name.parts[0] = table ? table : column;
    e->name.parts[1] = column;
    return e;
}

static Expr *literal_double(Analyzer *a, SiltPos pos, double value)
{
    Expr *e = node(a, EXPR_LITERAL, pos, 0);

    e->type = type_simple(TYPE_DOUBLE);
    e->literal_double = value;
    e->constant = e->deterministic = true;
    return e;
}

static Query *select_from(Analyzer *a, SiltPos pos, Relation *from, int items_max)
{
    Query *q = ARENA_NEW(a->arena, Query);

    q->kind = QUERY_SELECT;
    q->pos = pos;
    q->from = from;
    q->items = ARENA_ARRAY(a->arena, SelectItem, items_max + 1);
    q->items[0] = (SelectItem){.expr = node(a, EXPR_STAR, pos, 0), .alias_pos = pos};
    q->item_count = 1;
    return q;
}

static void become_query(Relation *r, Query *query)
{
    r->kind = REL_QUERY;
    r->query = query;
    r->keeps_names = !r->alias;
    r->left = NULL;
    r->pivot = NULL;
    r->unpivot = NULL;
}

/* ---- TABLESAMPLE ---- */

void sql__sample(Analyzer *a, Relation *r)
{
    const Sample *s = r->sample;
    Relation *inner = ARENA_NEW(a->arena, Relation);

    *inner = *r;
    inner->sample = NULL;
    inner->alias = NULL;
    inner->column_aliases = NULL;
    inner->column_alias_count = 0;
    inner->lateral = false;
    inner->keeps_names = inner->keeps_names || !r->alias;
    *r = (Relation){.kind = REL_QUERY, .pos = r->pos, .alias = r->alias, .alias_pos = r->alias_pos, .column_aliases = r->column_aliases,
                    .column_alias_count = r->column_alias_count, .lateral = r->lateral, .keeps_names = !r->alias};
    r->query = select_from(a, s->pos, inner, 1);
    if (s->kind == SAMPLE_ROWS) {
        r->query->limit = s->rows;
        return;
    }
    double fraction = s->kind == SAMPLE_PERCENT ? strtod(s->percent, NULL) / 100 : (double)s->bucket / (double)s->buckets;

    if (!(fraction >= 0 && fraction <= 1)) {
        sql__error(a, s->pos, "_LEGACY_ERROR_TEMP_0064", "TABLESAMPLE takes from 0 to 100 percent, not %g", fraction * 100);
    } else if (fraction > 0 && fraction < 1 && s->seed_given) {
        sql__error(a, s->pos, "UNSUPPORTED_FEATURE", "REPEATABLE is not supported: which rows Spark takes depends on its partitions");
        sql__hint(a, "Take rows by a hash of a key, as in WHERE pmod(xxhash64(id), 100) < 10.");
    } else if (fraction < 1) {
        r->query->where = binary(a, "<", sql__call_new(a, s->pos, "rand", 0), literal_double(a, s->pos, fraction));
    }
}

/* ---- the input of PIVOT and UNPIVOT ---- */

typedef struct Input {
    Relation *relation; /* (SELECT * FROM left), analyzed */
    Scope scope;        /* its columns */
    bool *used;         /* by position: columns that the clause reads, which others are not */
} Input;

static bool analyze_input(Analyzer *a, Scope *scope, Relation *r, Input *out)
{
    *out = (Input){.relation = ARENA_NEW(a->arena, Relation), .scope = {.outer = scope->outer, .ctes = scope->ctes, .no_window = true, .clause = "PIVOT or UNPIVOT"}};
    *out->relation = (Relation){.kind = REL_QUERY, .pos = r->pos, .keeps_names = true};
    out->relation->query = select_from(a, r->pos, r->left, 1);
    sql__relation(a, &out->scope, out->relation);
    out->used = ARENA_ARRAY(a->arena, bool, out->scope.count + 1);
    return !out->scope.broken;
}

static void mark_used(Expr **slot, void *arg)
{
    Input *in = arg;

    if ((*slot)->kind == EXPR_COLUMN && (*slot)->relation == in->relation)
        in->used[(*slot)->column] = true;
    sql__each_child(*slot, mark_used, arg);
}

/* A copy, analyzed over the input: what it reads is used. NULL: with an error. */
static Expr *look(Analyzer *a, Input *in, const Expr *e)
{
    Expr *copy = sql__clone(a, e);

    sql__expr(a, &in->scope, &copy);
    if (!copy->type)
        return NULL;
    mark_used(&copy, in);
    return copy;
}

/* All columns of the input that the clause did not use: the first item, *, of the query. */
static void keep_others(Analyzer *a, const Input *in, Query *q, int more)
{
    bool *left_out = ARENA_ARRAY(a->arena, bool, in->scope.count + more + 1);

    memcpy(left_out, in->used, sizeof(bool) * (size_t)in->scope.count);
    q->items[0].expr->extra = left_out;
}

/* ---- PIVOT ---- */

static bool is_aggregate(const Expr *e)
{
    return e->kind == EXPR_CALL && e->function && (e->function->flags & FN_AGGREGATE) && !e->window;
}

/* Columns stand inside of aggregates only. */
static bool only_aggregates(const Expr *e)
{
    if (is_aggregate(e))
        return true;
    if (e->kind == EXPR_COLUMN)
        return false;
    for (int i = 0; i < e->arg_count; i++)
        if (!only_aggregates(e->args[i]))
            return false;
    return true;
}

/* Types whose value Spark picks by the pivot value behind the aggregation (PivotFirst): there count of no rows is NULL. */
static bool is_picked(const Type *type)
{
    return type_is_integral(type) || type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE || type->kind == TYPE_DECIMAL || type->kind == TYPE_BOOLEAN;
}

/* A value's name is its text; NULL where that would have to be computed. */
static const char *value_text(Analyzer *a, const Expr *e)
{
    if (e->kind == EXPR_ROW) {
        const char *text = "{";

        for (int i = 0; i < e->arg_count; i++) {
            const char *part = value_text(a, e->args[i]);

            if (!part)
                return NULL;
            text = sql__text(a, i ? "%s, %s" : "%s%s", text, part);
        }
        return sql__text(a, "%s}", text);
    }
    if (e->kind != EXPR_LITERAL || !e->type) {
        silt_auto(str_buf_fini) StrBuf text = {0};
        int64_t number;

        if (sql__fold_int(e, &number))
            return sql__text(a, "%lld", (long long)number);
        return sql__fold_text(e, &text) ? arena_strdup(a->arena, str_buf_text(&text)) : NULL;
    }
    switch (e->type->kind) {
    case TYPE_VOID:
        return "null";
    case TYPE_BOOLEAN:
        return e->literal_int ? "true" : "false";
    case TYPE_STRING:
    case TYPE_DECIMAL:
    case TYPE_DATE:
        return arena_strndup(a->arena, e->literal.ptr, e->literal.size);
    default:
        return type_is_integral(e->type) ? sql__text(a, "%lld", (long long)e->literal_int) : NULL;
    }
}

typedef struct Condition {
    Analyzer *a;
    const Expr *test;
    bool picked;
} Condition;

/* Each aggregate of a tree (not analyzed; `like` is it analyzed) reads only the rows that pass the test. */
static void restrict_to(Condition *c, Expr *e, const Expr *like)
{
    if (is_aggregate(like)) {
        Expr *test = sql__clone(c->a, c->test);

        e->filter = e->filter ? binary(c->a, "AND", e->filter, test) : test;
        if (!c->picked && (!strcmp(like->function->name, "first") || !strcmp(like->function->name, "last")))
            e->ignore_nulls = true;
        return;
    }
    for (int i = 0; i < e->arg_count && i < like->arg_count; i++)
        restrict_to(c, e->args[i], like->args[i]);
}

static Expr *value_test(Analyzer *a, const Pivot *pivot, Expr *const *columns, const Expr *value)
{
    Expr *test = NULL;

    for (int i = 0; i < pivot->column_count; i++) {
        Expr *cast = node(a, EXPR_CAST, value->pos, 1);

        cast->op = "CAST";
        cast->cast_type = columns[i]->type;
        cast->args[0] = sql__clone(a, pivot->column_count > 1 ? value->args[i] : value);
        Expr *same = binary(a, "<=>", sql__clone(a, pivot->columns[i]), cast);

        test = test ? binary(a, "AND", test, same) : same;
    }
    return test;
}

static Expr *picked(Analyzer *a, Expr *aggregate, const Expr *test)
{
    Expr *e = node(a, EXPR_CASE, aggregate->pos, 2), *count = sql__call_new(a, aggregate->pos, "count_if", 1);

    count->args[0] = sql__clone(a, test);
    e->args[0] = binary(a, ">", count, sql__literal_int(a, aggregate->pos, 0));
    e->args[1] = aggregate;
    return e;
}

static bool check_value(Analyzer *a, Input *in, const Pivot *pivot, Expr *const *columns, const Expr *value)
{
    Expr *copy = sql__clone(a, value);
    int width = pivot->column_count > 1 ? value->arg_count : 1;

    if (pivot->column_count > 1 && (value->kind != EXPR_ROW || value->arg_count != pivot->column_count)) {
        sql__error(a, value->pos, "PIVOT_VALUE_DATA_TYPE_MISMATCH", "PIVOT has %d columns, so each value is a row of so many", pivot->column_count);
        return false;
    }
    sql__expr(a, &in->scope, &copy);
    if (!copy->type)
        return false;
    for (int i = 0; i < width; i++) {
        const Expr *part = pivot->column_count > 1 ? copy->args[i] : copy;

        if (!part->constant) {
            sql__error(a, part->pos, "NON_LITERAL_PIVOT_VALUES", "a value of PIVOT must be a constant");
            return false;
        }
        if (!sql__cast_allowed(part->type, columns[i]->type, false)) {
            sql__error(a, part->pos, "PIVOT_VALUE_DATA_TYPE_MISMATCH", "this value of PIVOT is %s, its column %s", sql__type_name(a, part->type),
                       sql__type_name(a, columns[i]->type));
            return false;
        }
    }
    return true;
}

bool sql__pivot(Analyzer *a, Scope *scope, Relation *r)
{
    const Pivot *pivot = r->pivot;
    Input in;

    if (!analyze_input(a, scope, r, &in))
        return false;
    Expr **columns = ARENA_ARRAY(a->arena, Expr *, pivot->column_count), **aggregates = ARENA_ARRAY(a->arena, Expr *, pivot->aggregate_count);
    bool all_picked = true;

    for (int i = 0; i < pivot->column_count; i++) {
        columns[i] = look(a, &in, pivot->columns[i]);
        if (!columns[i])
            return false;
        if (!sql__orderable(columns[i]->type)) {
            sql__error(a, columns[i]->pos, "INCOMPARABLE_PIVOT_COLUMN", "values of type %s cannot be compared", sql__type_name(a, columns[i]->type));
            return false;
        }
    }
    for (int i = 0; i < pivot->aggregate_count; i++) {
        aggregates[i] = look(a, &in, pivot->aggregates[i].expr);
        if (!aggregates[i])
            return false;
        if (!only_aggregates(aggregates[i])) {
            sql__error(a, aggregates[i]->pos, "_LEGACY_ERROR_TEMP_1006", "PIVOT needs an aggregate function here");
            return false;
        }
        all_picked = all_picked && is_picked(aggregates[i]->type);
    }
    Query *q = select_from(a, r->pos, in.relation, pivot->value_count * pivot->aggregate_count);

    q->grouping = GROUP_ALL;
    keep_others(a, &in, q, 0);
    for (int v = 0; v < pivot->value_count; v++) {
        const SelectItem *value = &pivot->values[v];

        if (!check_value(a, &in, pivot, columns, value->expr))
            return false;
        const char *name = value->alias ? value->alias : value_text(a, value->expr);

        if (!name) {
            sql__error(a, value->expr->pos, "UNSUPPORTED_FEATURE", "this computed value of PIVOT is not supported without a name");
            sql__hint(a, "Write the value itself, or give it a name with AS.");
            return false;
        }
        Condition c = {a, value_test(a, pivot, columns, value->expr), all_picked};

        for (int i = 0; i < pivot->aggregate_count; i++) {
            const SelectItem *item = &pivot->aggregates[i];
            Expr *e = sql__clone(a, item->expr);
            const char *suffix = pivot->aggregate_count == 1 ? NULL : item->alias ? item->alias : sql__auto_name(a, item->expr);

            restrict_to(&c, e, aggregates[i]);
            q->items[q->item_count++] = (SelectItem){.expr = all_picked ? picked(a, e, c.test) : e, .alias = suffix ? sql__text(a, "%s_%s", name, suffix) : name,
                                                     .alias_pos = value->alias_pos};
        }
    }
    become_query(r, q);
    return true;
}

/* ---- UNPIVOT ---- */

static const char generated[] = " unpivot"; /* how the query itself calls its generated columns: no name of the user's */

static bool check_groups(Analyzer *a, Input *in, const Unpivot *u, const Type **types)
{
    for (int g = 0; g < u->group_count; g++) {
        const UnpivotGroup *group = &u->groups[g];

        if (group->column_count != u->value_count) {
            sql__error(a, group->pos, "UNPIVOT_VALUE_SIZE_MISMATCH", "UNPIVOT has %d value columns, but %d columns stand here", u->value_count, group->column_count);
            return false;
        }
        for (int i = 0; i < group->column_count; i++) {
            Expr *column = look(a, in, group->columns[i]);

            if (!column)
                return false;
            if (column->kind != EXPR_COLUMN) {
                sql__error(a, column->pos, "UNPIVOT_REQUIRES_ATTRIBUTES", "UNPIVOT takes columns, not expressions over them");
                sql__hint(a, "Make it a column in a subquery that UNPIVOT reads.");
                return false;
            }
            const Type *wider = types[i] ? sql__wider(a, types[i], column->type) : column->type;

            /* texts are not taken for numbers here */
            if (types[i] && types[i]->kind != column->type->kind && (types[i]->kind == TYPE_STRING || column->type->kind == TYPE_STRING) &&
                types[i]->kind != TYPE_VOID && column->type->kind != TYPE_VOID)
                wider = NULL;

            if (!wider) {
                sql__error(a, column->pos, "UNPIVOT_VALUE_DATA_TYPE_MISMATCH", "the values of one column need a common type, but %s and %s have none",
                           sql__type_name(a, types[i]), sql__type_name(a, column->type));
                return false;
            }
            types[i] = wider;
        }
    }
    return true;
}

static const char *group_name(Analyzer *a, const UnpivotGroup *group)
{
    const char *name = group->alias;

    for (int i = 0; !group->alias && i < group->column_count; i++) {
        const SqlName *column = &group->columns[i]->name;
        const char *last = column->parts[column->count - 1];

        name = name ? sql__text(a, "%s_%s", name, last) : last;
    }
    return name;
}

static Expr *group_row(Analyzer *a, const Unpivot *u, const UnpivotGroup *group, const Type *const *types)
{
    Expr *row = sql__call_new(a, group->pos, "named_struct", 2 + 2 * u->value_count);

    row->args[0] = sql__literal_text(a, group->pos, "n");
    row->args[1] = sql__literal_text(a, group->pos, group_name(a, group));
    for (int i = 0; i < u->value_count; i++) {
        Expr *cast = node(a, EXPR_CAST, group->pos, 1);

        cast->op = "CAST";
        cast->cast_type = types[i];
        cast->args[0] = sql__clone(a, group->columns[i]);
        row->args[2 + 2 * i] = sql__literal_text(a, group->pos, sql__text(a, "v%d", i + 1));
        row->args[3 + 2 * i] = types[i]->kind == TYPE_VOID ? cast->args[0] : cast;
    }
    return row;
}

bool sql__unpivot(Analyzer *a, Scope *scope, Relation *r)
{
    const Unpivot *u = r->unpivot;
    const Type **types = ARENA_ARRAY(a->arena, const Type *, u->value_count);
    Input in;

    if (!analyze_input(a, scope, r, &in) || !check_groups(a, &in, u, types))
        return false;
    Expr *rows = sql__call_new(a, r->pos, "array", u->group_count);
    Relation *view = ARENA_NEW(a->arena, Relation), *join = ARENA_NEW(a->arena, Relation);

    for (int g = 0; g < u->group_count; g++)
        rows->args[g] = group_row(a, u, &u->groups[g], types);
    *view = (Relation){.kind = REL_FUNCTION, .pos = r->pos, .arg_count = 1, .lateral = true, .alias = generated, .alias_pos = r->pos};
    view->name = sql__call_new(a, r->pos, "inline", 0)->name;
    view->args = ARENA_ARRAY(a->arena, Expr *, 1);
    view->args[0] = rows;
    view->column_alias_count = u->value_count + 1;
    view->column_aliases = ARENA_ARRAY(a->arena, const char *, view->column_alias_count);
    view->column_aliases[0] = u->name_column;
    memcpy(view->column_aliases + 1, u->values, sizeof(char *) * (size_t)u->value_count);
    *join = (Relation){.kind = REL_JOIN, .pos = r->pos, .join = JOIN_CROSS, .left = in.relation, .right = view};
    Query *q = select_from(a, r->pos, join, 1);

    keep_others(a, &in, q, u->value_count + 1);
    for (int i = 0; i < u->value_count && !u->include_nulls; i++) {
        Expr *given = node(a, EXPR_IS, r->pos, 1);

        given->op = "NULL";
        given->negated = true;
        given->args[0] = named(a, r->pos, generated, u->values[i]);
        q->where = q->where ? binary(a, "OR", q->where, given) : given;
    }
    become_query(r, q);
    return true;
}
