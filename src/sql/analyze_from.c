/*
 * sql/analyze_from.c - relations: tables, views, functions, VALUES, joins; each adds its columns to the scope
 *
 *   F1  Every column in a scope names the relation that prints it (r<id>.c<n>) or an expression over such columns.
 *   F2  A join with a generator (LATERAL VIEW, explode in a select list) is itself a relation: it hands on the columns to its
 *       left and adds the generated ones.
 */
#include <stdio.h>
#include <string.h>

#include "sql/analyze.h"

Relation *sql__new_relation(Analyzer *a, SiltPos pos, int count)
{
    Relation *r = ARENA_NEW(a->arena, Relation);

    r->kind = REL_QUERY;
    r->pos = pos;
    r->id = ++a->next_id;
    r->column_names = ARENA_ARRAY(a->arena, const char *, count + 1);
    r->column_types = ARENA_ARRAY(a->arena, const Type *, count + 1);
    r->column_nullable = ARENA_ARRAY(a->arena, bool, count + 1);
    r->column_count = count;
    return r;
}

static void give_columns(Analyzer *a, Relation *r, const char *const *names, const Type *const *types, const bool *nullable, int count)
{
    r->id = ++a->next_id;
    r->column_names = ARENA_ARRAY(a->arena, const char *, count + 1);
    r->column_types = ARENA_ARRAY(a->arena, const Type *, count + 1);
    r->column_nullable = ARENA_ARRAY(a->arena, bool, count + 1);
    r->column_count = count;
    for (int i = 0; i < count; i++) {
        r->column_names[i] = names[i];
        r->column_types[i] = types[i];
        r->column_nullable[i] = nullable[i];
    }
}

static void push_column(Analyzer *a, Scope *scope, ScopeColumn column)
{
    ARENA_PUSH(a->arena, scope->columns, scope->count, scope->capacity, column);
}

void sql__scope_add(Analyzer *a, Scope *scope, Relation *r, const SqlName *table, const char *alias, int hidden_count)
{
    for (int i = 0; i < r->column_count; i++)
        push_column(a, scope, (ScopeColumn){.name = r->column_names[i],
                                            .table = r->alias ? NULL : table,
                                            .alias = r->alias ? r->alias : alias,
                                            .type = r->column_types[i],
                                            .nullable = r->column_nullable[i],
                                            .relation = r,
                                            .column = i,
                                            .hidden = i >= r->column_count - hidden_count});
}

/* t(a, b): new names for all columns that show. */
static void rename_columns(Analyzer *a, Relation *r, int hidden_count)
{
    if (!r->column_alias_count)
        return;
    if (r->column_alias_count != r->column_count - hidden_count) {
        sql__error(a, r->alias_pos.line ? r->alias_pos : r->pos, r->kind == REL_VALUES ? "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH" : "NUM_COLUMNS_MISMATCH", "%d column names for %d columns", r->column_alias_count,
                   r->column_count - hidden_count);
        return;
    }
    for (int i = 0; i < r->column_alias_count; i++)
        r->column_names[i] = r->column_aliases[i];
}

static void query_relation(Analyzer *a, Scope *scope, Relation *r, const Query *q, const SqlName *table, const char *alias)
{
    give_columns(a, r, q->column_names, q->column_types, q->column_nullable, q->column_count);
    r->streaming = q->streaming;
    rename_columns(a, r, 0);
    sql__scope_add(a, scope, r, table, alias, 0);
}

void sql__add_query_relation(Analyzer *a, Scope *scope, Relation *r)
{
    query_relation(a, scope, r, r->query, NULL, NULL);
}

static CteScope *find_cte(Scope *scope, const SqlName *name)
{
    if (name->count != 1)
        return NULL;
    for (CteScope *c = scope->ctes; c; c = c->outer)
        if (!strcasecmp(c->table->name, name->parts[0]))
            return c;
    return NULL;
}

static void no_table(Analyzer *a, Relation *r)
{
    const char *last = r->name.parts[r->name.count - 1], *names[512];
    const char *text = r->name.parts[0];
    int count = a->catalog && a->catalog->names ? a->catalog->names(a->catalog->self, names, 512) : 0;
    const char *near = str_nearest(str_of(last), names, count);

    for (int i = 1; i < r->name.count; i++)
        text = sql__text(a, "%s.%s", text, r->name.parts[i]);
    if (r->kind == REL_FUNCTION && r->lateral && r->name.count == 1 && sql_function_find(text)) {
        sql__error(a, r->pos, "UNSUPPORTED_GENERATOR.NOT_GENERATOR", "%s makes a value, not rows", text);
        return;
    }
    if (r->kind == REL_FUNCTION) {
        sql__error(a, r->pos, "UNRESOLVABLE_TABLE_VALUED_FUNCTION", "no table function \"%s\"", text);
        return;
    }
    sql__error(a, r->pos, "TABLE_OR_VIEW_NOT_FOUND", "no table or view \"%s\"", text);
    if (near)
        sql__hint(a, "did you mean \"%s\"?", near);
}

static void use_resolved(Analyzer *a, Scope *scope, Relation *r, SqlRelation *s)
{
    const char *last = r->kind == REL_TABLE ? r->name.parts[r->name.count - 1] : NULL;

    r->resolved = s;
    if (s->view) {
        if (a->view_depth >= SQL_VIEW_DEPTH_MAX) {
            sql__error(a, r->pos, "VIEW_EXCEED_MAX_NESTED_DEPTH", "views are nested more than %d deep here", SQL_VIEW_DEPTH_MAX);
            scope->broken = true;
            return;
        }
        a->view_depth++;
        sql__query(a, s->view, NULL, NULL);
        a->view_depth--;
        r->query = s->view;
        if (!s->view->column_count)
            scope->broken = true;
        query_relation(a, scope, r, s->view, &r->name, last);
        r->streaming = s->view->streaming;
        return;
    }
    give_columns(a, r, s->column_names, s->column_types, s->column_nullable, s->column_count);
    r->streaming = s->streaming;
    rename_columns(a, r, s->hidden_count);
    sql__scope_add(a, scope, r, r->kind == REL_TABLE ? &r->name : NULL, last, s->hidden_count);
}

static void table(Analyzer *a, Scope *scope, Relation *r)
{
    CteScope *cte = find_cte(scope, &r->name);

    if (cte) {
        const Query *q = cte->query;

        if (cte->closed && !cte->recursive) {
            sql__error(a, r->pos, "INVALID_RECURSIVE_CTE", "\"%s\" names itself, but is not of the form: first query UNION ALL query that reads it", cte->table->name);
            scope->broken = true;
            return;
        }
        if (cte->recursive) {
            Relation *rec = cte->recursive;

            give_columns(a, r, rec->column_names, rec->column_types, rec->column_nullable, rec->column_count);
            r->extra = rec;
            rename_columns(a, r, 0);
            sql__scope_add(a, scope, r, NULL, cte->table->name, 0);
            return;
        }
        r->query = cte->query;
        if (!q->column_count)
            scope->broken = true;
        const char **names = q->column_count ? ARENA_ARRAY(a->arena, const char *, q->column_count) : NULL;

        for (int i = 0; i < q->column_count; i++)
            names[i] = i < cte->table->column_count ? cte->table->columns[i] : q->column_names[i];
        give_columns(a, r, names, q->column_types, q->column_nullable, q->column_count);
        r->streaming = q->streaming;
        rename_columns(a, r, 0);
        sql__scope_add(a, scope, r, NULL, cte->table->name, 0);
        return;
    }
    SqlRelation *s = NULL;
    SiltErr err = {0};
    int code = a->catalog && a->catalog->resolve ? a->catalog->resolve(a->catalog->self, r, &s, &err) : SQL_NO_TABLE;

    if (code == 0) {
        use_resolved(a, scope, r, s);
        return;
    }
    scope->broken = true;
    if (code == SQL_NO_TABLE)
        no_table(a, r);
    else {
        if (!err.line) {
            SiltErr at = err;

            silt_fail_at(&at, err.kind, r->pos, "%s", err.message);
            snprintf(at.hint, sizeof at.hint, "%s", err.hint);
            snprintf(at.code, sizeof at.code, "%s", err.code);
            err = at;
        }
        sql_errors_add(a->errors, &err);
    }
}

static bool is_column(const Expr *e)
{
    return e->kind == EXPR_COLUMN;
}

/* range([start,] end [, step [, partitions]]) */
static bool range(Analyzer *a, Scope *scope, Relation *r)
{
    static const char *const names[] = {"id"};
    const bool not_null = false;

    if (r->name.count != 1 || strcasecmp(r->name.parts[0], "range"))
        return false;
    if (r->arg_count < 1 || r->arg_count > 4) {
        sql__error(a, r->pos, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "range takes 1 to 4 arguments, not %d", r->arg_count);
        scope->broken = true;
        return true;
    }
    Scope empty = {.clause = "the arguments of range", .no_aggregate = true, .no_window = true};

    for (int i = 0; i < r->arg_count; i++) {
        if (r->lateral && sql__any(r->args[i], is_column)) {
            sql__error(a, r->args[i]->pos, "NON_FOLDABLE_ARGUMENT", "range takes constants, no columns");
            continue;
        }
        sql__expr(a, &empty, &r->args[i]);
        if (r->args[i]->type && (r->args[i]->type->kind == TYPE_VOID || !sql__may_cast(r->args[i]->type, type_simple(TYPE_LONG))))
            sql__error(a, r->args[i]->pos, "UNEXPECTED_INPUT_TYPE", "range takes integers, not %s", sql__type_name(a, r->args[i]->type));
        else if (r->args[i]->type)
            sql__cast(a, &r->args[i], type_simple(TYPE_LONG));
    }
    give_columns(a, r, names, (const Type *[]){type_simple(TYPE_LONG)}, &not_null, 1);
    rename_columns(a, r, 0);
    sql__scope_add(a, scope, r, NULL, NULL, 0);
    return true;
}

static const SqlFunction *generator(const Relation *r)
{
    const SqlFunction *f = r->kind == REL_FUNCTION && r->name.count == 1 ? sql_function_find(r->name.parts[0]) : NULL;

    return f && (f->flags & FN_GENERATOR) ? f : NULL;
}

static void function(Analyzer *a, Scope *scope, Relation *r)
{
    if (range(a, scope, r) || sql__routine_table(a, scope, r))
        return;
    if (generator(r)) {
        /* a join with nothing to its left */
        Relation *call = ARENA_NEW(a->arena, Relation);

        *call = *r;
        *r = (Relation){.kind = REL_JOIN, .pos = call->pos, .right = call, .alias = call->alias};
        sql__generator_relation(a, scope, r);
        return;
    }
    if (r->table_arg.count && (r->name.count != 1 || (strcasecmp(r->name.parts[0], "event_log") && strcasecmp(r->name.parts[0], "cloud_files_state")))) {
        sql__error(a, r->pos, NULL, "this function takes no table");
        sql__hint(a, "event_log(TABLE(t)) and cloud_files_state(TABLE(t)) do.");
        scope->broken = true;
        return;
    }
    Scope empty = {.clause = "the arguments of a table function", .no_aggregate = true, .no_window = true};

    for (int i = 0; i < r->arg_count; i++)
        sql__expr(a, &empty, r->args[i]->kind == EXPR_NAMED_ARG ? &r->args[i]->args[0] : &r->args[i]);
    table(a, scope, r);
}

const char sql__not_in_values[] = "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE";

/* Is the value known when VALUES is read? False with an error recorded. */
static bool check_cell(Analyzer *a, Expr *cell)
{
    if (!cell->type)
        return false;
    if (cell->deterministic && !sql__any(cell, sql__is_outer))
        return true;
    sql__error(a, cell->pos, sql__not_in_values, "the values of VALUES are constants, %s", cell->deterministic ? "not columns of a query around it" : "not chance");
    sql__hint(a, "Use SELECT .. UNION ALL SELECT .., which may compute anything.");
    return false;
}

/* A text beside another type, on any level: in VALUES neither becomes the other. */
static bool mixes_text(const Type *x, const Type *y)
{
    if (x->kind == TYPE_VOID || y->kind == TYPE_VOID)
        return false;
    if (x->kind == TYPE_ARRAY && y->kind == TYPE_ARRAY)
        return mixes_text(x->element, y->element);
    if (x->kind == TYPE_MAP && y->kind == TYPE_MAP)
        return mixes_text(x->key, y->key) || mixes_text(x->element, y->element);
    if (x->kind == TYPE_STRUCT && y->kind == TYPE_STRUCT && x->field_count == y->field_count) {
        for (int i = 0; i < x->field_count; i++)
            if (mixes_text(x->fields[i].type, y->fields[i].type))
                return true;
        return false;
    }
    return (x->kind == TYPE_STRING) != (y->kind == TYPE_STRING);
}

static void values(Analyzer *a, Scope *scope, Relation *r)
{
    Scope row_scope = {.outer = scope->outer, .ctes = scope->ctes, .clause = "VALUES", .no_aggregate = true, .no_window = true};
    int width = -1;
    bool ok = true;

    for (int i = 0; i < r->arg_count; i++) {
        Expr *row = r->args[i];

        if (row->kind != EXPR_ROW) {
            /* VALUES 1, 2: a row of one column each */
            Expr *wrapped = ARENA_NEW(a->arena, Expr);

            *wrapped = (Expr){.kind = EXPR_ROW, .pos = row->pos, .arg_count = 1};
            wrapped->args = ARENA_ARRAY(a->arena, Expr *, 1);
            wrapped->args[0] = row;
            r->args[i] = row = wrapped;
        }
        if (width >= 0 && row->arg_count != width) {
            sql__error(a, row->pos, "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH", "this row has %d values, the first one has %d", row->arg_count, width);
            ok = false;
        }
        width = width < 0 ? row->arg_count : width;
        for (int k = 0; k < row->arg_count; k++) {
            sql__expr(a, &row_scope, &row->args[k]);
            ok = check_cell(a, row->args[k]) && ok;
        }
    }
    if (!ok || width <= 0) {
        scope->broken = true;
        return;
    }
    const char **names = ARENA_ARRAY(a->arena, const char *, width);
    const Type **types = ARENA_ARRAY(a->arena, const Type *, width);
    bool *nullable = ARENA_ARRAY(a->arena, bool, width);

    for (int k = 0; k < width; k++) {
        names[k] = sql__text(a, "col%d", k + 1);
        types[k] = type_simple(TYPE_VOID);
        for (int i = 0; i < r->arg_count; i++) {
            Expr *cell = r->args[i]->args[k];
            const Type *next = mixes_text(types[k], cell->type) || sql__collations_differ(types[k], cell->type) ? NULL : sql__wider(a, types[k], cell->type);

            if (!next) {
                sql__error(a, cell->pos, "INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE",
                           "the values of column %d need one common type, but %s and %s have none", k + 1, sql__type_name(a, types[k]),
                           sql__type_name(a, cell->type));
                scope->broken = true;
                return;
            }
            types[k] = next;
            nullable[k] = nullable[k] || cell->nullable;
        }
        for (int i = 0; i < r->arg_count; i++)
            sql__cast(a, &r->args[i]->args[k], types[k]);
    }
    give_columns(a, r, names, types, nullable, width);
    rename_columns(a, r, 0);
    sql__scope_add(a, scope, r, NULL, NULL, 0);
}

/* ---- joins ---- */

static int find_using(Analyzer *a, Scope *scope, int from, int to, const char *name, SiltPos pos, const char *side)
{
    int found = -1;

    for (int i = from; i < to; i++) {
        if (scope->columns[i].qualified_only || !scope->columns[i].name || strcasecmp(scope->columns[i].name, name))
            continue;
        found = i;
        break; /* of two columns of one name Spark takes the first */
    }
    if (found < 0)
        sql__error(a, pos, "UNRESOLVED_USING_COLUMN_FOR_JOIN", "no column \"%s\" on the %s side of this join", name, side);
    return found;
}

static Expr *scope_column(Analyzer *a, const ScopeColumn *c, SiltPos pos)
{
    Expr *e = c->expr ? sql__clone(a, c->expr) : sql__column(a, c->relation, c->column, pos);

    e->nullable = c->nullable;
    return e;
}

static Expr *binary(Analyzer *a, SiltPos pos, const char *op, Expr *l, Expr *r)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    *e = (Expr){.kind = EXPR_BINARY, .pos = pos, .op = op, .arg_count = 2, .deterministic = true};
    e->args = ARENA_ARRAY(a->arena, Expr *, 2);
    e->args[0] = l;
    e->args[1] = r;
    e->type = type_simple(TYPE_BOOLEAN);
    e->nullable = l->nullable || r->nullable;
    return e;
}

static void using_join(Analyzer *a, Scope *scope, Relation *r, int start, int middle)
{
    int end = scope->count;
    ScopeColumn *merged = ARENA_ARRAY(a->arena, ScopeColumn, r->using_count + 1);
    bool *used = ARENA_ARRAY(a->arena, bool, end + 1);
    int merged_count = 0;

    for (int u = 0; u < r->using_count; u++) {
        int l = find_using(a, scope, start, middle, r->using_columns[u], r->pos, "left");
        int k = find_using(a, scope, middle, end, r->using_columns[u], r->pos, "right");

        if (l < 0 || k < 0) {
            scope->broken = true;
            continue;
        }
        ScopeColumn *left = &scope->columns[l], *right = &scope->columns[k];
        const Type *l_type = sql__bound(a->arena, left->type, COLLATION_IMPLICIT), *r_type = sql__bound(a->arena, right->type, COLLATION_IMPLICIT);
        const Type *t = sql__wider(a, l_type, r_type);

        if (!t) {
            sql__error(a, r->pos, sql__no_common(l_type, r_type, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"), "cannot join \"%s\" of %s with one of %s", left->name,
                       sql__type_name(a, left->type), sql__type_name(a, right->type));
            scope->broken = true;
            continue;
        }
        if (!sql__check_comparable(a, r->pos, t)) {
            scope->broken = true;
            continue;
        }
        Expr *le = scope_column(a, left, r->pos), *re = scope_column(a, right, r->pos);
        ScopeColumn out = {.name = left->name};

        sql__cast(a, &le, t);
        sql__cast(a, &re, t);
        Expr *equal = binary(a, r->pos, "=", le, re);

        r->on = r->on ? binary(a, r->pos, "AND", r->on, equal) : equal;
        if (r->join == JOIN_FULL) {
            Expr *both = sql__call_new(a, r->pos, "coalesce", 2);

            both->args[0] = sql__clone(a, le);
            both->args[1] = sql__clone(a, re);
            sql__call(a, scope, &both);
            both->nullable = left->nullable || right->nullable;
            out.expr = both;
            out.type = t;
            out.nullable = both->nullable;
        } else {
            const ScopeColumn *from = r->join == JOIN_RIGHT ? right : left;

            out = *from;
            out.name = left->name;
            out.alias = NULL;
            out.table = NULL;
        }
        merged[merged_count++] = out;
        used[l] = used[k] = true;
    }
    /* merged columns first, then the rest; the sides stay in reach as t.c */
    ScopeColumn *old = scope->columns;
    int old_count = scope->count;

    scope->columns = NULL;
    scope->count = scope->capacity = 0;
    for (int i = 0; i < start; i++)
        push_column(a, scope, old[i]);
    for (int i = 0; i < merged_count; i++)
        push_column(a, scope, merged[i]);
    for (int i = start; i < old_count; i++) {
        ScopeColumn c = old[i];

        if (used[i])
            c.hidden = c.qualified_only = true;
        push_column(a, scope, c);
    }
}

static void natural(Analyzer *a, Scope *scope, Relation *r, int start, int middle)
{
    int capacity = 0;

    for (int i = start; i < middle; i++)
        for (int k = middle; k < scope->count; k++)
            if (!scope->columns[i].hidden && !scope->columns[k].hidden && scope->columns[i].name && scope->columns[k].name &&
                !strcasecmp(scope->columns[i].name, scope->columns[k].name)) {
                ARENA_PUSH(a->arena, r->using_columns, r->using_count, capacity, scope->columns[i].name);
                break;
            }
}

static void check_lateral(Analyzer *a, Scope *scope, const Relation *r)
{
    if (!r->right->lateral)
        return;
    if (r->natural)
        sql__error(a, r->pos, "INCOMPATIBLE_JOIN_TYPES", "a LATERAL join cannot be NATURAL");
    else if (r->using_count)
        sql__error(a, r->pos, "UNSUPPORTED_FEATURE.LATERAL_JOIN_USING", "a LATERAL join takes ON, not USING");
    else if (r->join != JOIN_INNER && r->join != JOIN_CROSS && r->join != JOIN_LEFT)
        sql__error(a, r->pos, "INVALID_LATERAL_JOIN_TYPE", "a LATERAL join is INNER, CROSS or LEFT");
    else
        return;
    scope->broken = true;
}

/* f(..) as LATERAL (SELECT * FROM f(..)), so that a condition may follow it. */
static void as_subquery(Analyzer *a, Relation *r)
{
    Relation *call = ARENA_NEW(a->arena, Relation);
    Query *q = ARENA_NEW(a->arena, Query);
    Expr *star = ARENA_NEW(a->arena, Expr);

    *call = *r;
    call->lateral = false;
    *star = (Expr){.kind = EXPR_STAR, .pos = r->pos};
    *q = (Query){.kind = QUERY_SELECT, .pos = r->pos, .from = call, .item_count = 1, .items = ARENA_ARRAY(a->arena, SelectItem, 1)};
    q->items[0] = (SelectItem){.expr = star, .alias_pos = r->pos};
    *r = (Relation){.kind = REL_QUERY, .pos = r->pos, .query = q, .lateral = true, .alias = r->alias, .alias_pos = r->alias_pos, .keeps_names = !r->alias};
}

static void find_beyond_join(Expr **slot, void *arg)
{
    const Expr **found = arg;

    if (!*found && ((*slot)->query || ((*slot)->kind == EXPR_COLUMN && (*slot)->outer_level)))
        *found = *slot;
    sql__each_child(*slot, find_beyond_join, arg);
}

/* DuckDB joins outer only by what stands in the rows of both sides. Else the rows of one side are asked for each of the other, where that side is one relation. */
static void check_outer_on(Analyzer *a, Relation *r)
{
    const Relation *asked = r->join == JOIN_LEFT ? r->right : r->left;
    const Expr *found = NULL;

    if (r->join == JOIN_INNER || r->join == JOIN_CROSS)
        return;
    find_beyond_join(&r->on, &found);
    if (!found)
        return;
    if (r->join != JOIN_FULL && asked->kind != REL_JOIN) {
        r->row_by_row = true;
        return;
    }
    sql__error(a, found->pos, "UNSUPPORTED_FEATURE", found->query ? "cannot run an outer, semi or anti join with a subquery in its condition yet"
                                                                  : "cannot run an outer, semi or anti join whose condition names a column of the query around it yet");
    sql__hint(a, found->query ? "Compute it in a subquery that stands in FROM, as a column of the side that it is about." : "Filter the side that may be missing in a subquery of its own.");
}

static void join(Analyzer *a, Scope *scope, Relation *r)
{
    int start = scope->count;

    sql__relation(a, scope, r->left);
    check_lateral(a, scope, r);
    if (generator(r->right) && r->on)
        as_subquery(a, r->right);
    if (generator(r->right)) {
        sql__generator_relation(a, scope, r);
        return;
    }
    int middle = scope->count;

    sql__relation(a, scope, r->right);
    r->streaming = r->left->streaming || r->right->streaming;
    if (scope->broken)
        return;
    for (int i = start; i < scope->count; i++)
        if (i < middle ? r->join == JOIN_RIGHT || r->join == JOIN_FULL : r->join == JOIN_LEFT || r->join == JOIN_FULL)
            scope->columns[i].nullable = true;
    if (r->natural)
        natural(a, scope, r, start, middle);
    if (r->on) {
        Scope on = *scope;

        /* ON sees both sides of this join only */
        on.columns = scope->columns + start;
        on.count = scope->count - start;
        on.capacity = on.count;
        on.query = NULL;
        on.no_aggregate = on.no_window = true;
        sql__condition(a, &on, &r->on, "ON");
        check_outer_on(a, r);
    }
    int left_columns = middle - start;

    if (r->using_count)
        using_join(a, scope, r, start, middle);
    if (r->join == JOIN_LEFT_SEMI || r->join == JOIN_LEFT_ANTI) {
        /* nothing of the right side shows */
        int n = start + (r->using_count ? 0 : left_columns);

        if (r->using_count) {
            for (int i = start; i < scope->count; i++) {
                ScopeColumn c = scope->columns[i];
                bool of_right = false;

                for (int k = 0; k < r->right->column_count && c.relation == r->right; k++)
                    of_right = true;
                if (!of_right)
                    scope->columns[n++] = c;
            }
        }
        scope->count = n;
    }
}

/* ---- generators ---- */

const char sql__in_generator[] = "the arguments of a generator";

bool sql__generator_relation(Analyzer *a, Scope *scope, Relation *join)
{
    Relation *r = join->right;
    bool ok = sql__take_names(a, r->name.parts[0], &r->args, &r->arg_count);
    Expr *call = sql__call_new(a, r->pos, r->name.parts[0], r->arg_count);

    scope->broken = scope->broken || !ok;
    if (scope->broken)
        return false;
    call->function = sql_function_find(r->name.parts[0]);
    if (r->view && sql__table_only(call->function)) {
        sql__error(a, r->pos, "ROUTINE_NOT_FOUND", "%s is a table function, which LATERAL VIEW does not take", call->function->name);
        sql__hint(a, "Write FROM t, LATERAL %s(..) AS e.", call->function->name);
        scope->broken = true;
        return false;
    }
    const char *clause = scope->clause;
    bool no_aggregate = scope->no_aggregate;

    scope->clause = sql__in_generator;
    scope->no_aggregate = true;
    for (int i = 0; i < r->arg_count; i++) {
        call->args[i] = r->args[i];
        sql__expr(a, scope, &call->args[i]);
        ok = ok && call->args[i]->type;
    }
    scope->clause = clause;
    scope->no_aggregate = no_aggregate;
    if (!ok) {
        scope->broken = true;
        return false;
    }
    /* Spark drops rows without elements also in LEFT JOIN LATERAL f(..), unless there is an ON */
    bool outer = r->outer_view || str_ends(str_of(call->function->name), "_outer");
    const char **names;
    const Type **types;
    bool *nullable;
    int count = sql__generator_columns(a, call, &names, &types, &nullable, outer);

    if (count < 0) {
        scope->broken = true;
        return false;
    }
    if (r->column_alias_count && r->column_alias_count != count) {
        sql__error(a, r->pos, join->left ? "UDTF_ALIAS_NUMBER_MISMATCH" : "NUM_TABLE_VALUE_ALIASES_MISMATCH", "%s makes %d columns, %d names are given", call->function->name, count, r->column_alias_count);
        scope->broken = true;
        return false;
    }
    int left_count = join->left ? scope->count : 0; /* `FROM explode(..)` has no columns before it */

    join->id = ++a->next_id;
    join->column_count = left_count + count;
    join->column_names = ARENA_ARRAY(a->arena, const char *, join->column_count);
    join->column_types = ARENA_ARRAY(a->arena, const Type *, join->column_count);
    join->column_nullable = ARENA_ARRAY(a->arena, bool, join->column_count);
    join->streaming = join->left && join->left->streaming;
    /* hand on what is to the left: args of the join are its output expressions */
    join->args = ARENA_ARRAY(a->arena, Expr *, left_count + 1);
    join->arg_count = left_count;
    for (int i = 0; i < left_count; i++) {
        ScopeColumn *c = &scope->columns[i];

        join->args[i] = scope_column(a, c, r->pos);
        join->column_names[i] = c->name;
        join->column_types[i] = c->type;
        join->column_nullable[i] = c->nullable;
        c->relation = join;
        c->column = i;
        c->expr = NULL;
    }
    for (int i = 0; i < count; i++) {
        int at = left_count + i;

        join->column_names[at] = r->column_alias_count ? r->column_aliases[i] : names[i];
        join->column_types[at] = types[i];
        join->column_nullable[at] = nullable[i];
        push_column(a, scope, (ScopeColumn){.name = join->column_names[at], .alias = r->alias, .type = types[i], .nullable = nullable[i],
                                            .relation = join, .column = at});
    }
    call->negated = outer; /* read by the printer: keep the row when nothing is generated */
    r->extra = call;
    join->extra = call;
    return true;
}

static void inner_query(Analyzer *a, Scope *scope, Relation *r)
{
    int before = scope->count;

    r->query->keeps_names = r->query->keeps_names || r->keeps_names;
    sql__query(a, r->query, r->lateral ? scope : scope->outer, scope->ctes);
    if (!r->query->column_count)
        scope->broken = true;
    query_relation(a, scope, r, r->query, NULL, NULL);
    const QueryInfo *info = r->query->extra;

    for (int i = before; i < scope->count && r->keeps_names && !r->alias && info->origins; i++) {
        scope->columns[i].table = info->origins[i - before].table;
        scope->columns[i].alias = info->origins[i - before].alias;
    }
}

void sql__relation(Analyzer *a, Scope *scope, Relation *r)
{
    if (r->sample)
        sql__sample(a, r);
    if (++a->depth > SQL_DEPTH_MAX) {
        sql__error(a, r->pos, "FAILED_TO_PARSE_TOO_COMPLEX", "relations are nested more than %d deep here", SQL_DEPTH_MAX);
        scope->broken = true;
        a->depth--;
        return;
    }
    switch (r->kind) {
    case REL_TABLE:
        table(a, scope, r);
        break;
    case REL_FUNCTION:
        function(a, scope, r);
        break;
    case REL_PIVOT:
    case REL_UNPIVOT:
        if (!(r->kind == REL_PIVOT ? sql__pivot(a, scope, r) : sql__unpivot(a, scope, r))) {
            scope->broken = true;
            break;
        }
        inner_query(a, scope, r);
        break;
    case REL_QUERY:
        inner_query(a, scope, r);
        break;
    case REL_VALUES:
        values(a, scope, r);
        break;
    case REL_JOIN:
        join(a, scope, r);
        break;
    }
    a->depth--;
}
