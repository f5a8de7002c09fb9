/*
 * sql/analyze_items.c - the select list: what * stands for, and generators in it
 *
 * A generator becomes a join in FROM. Where the query aggregates too, it aggregates first: it becomes a subquery whose columns the generator reads.
 */
#include <string.h>

#include "sql/analyze.h"

typedef struct Items {
    SelectItem *items;
    int count, capacity;
} Items;

static void push(Analyzer *a, Items *out, SelectItem item)
{
    ARENA_PUSH(a->arena, out->items, out->count, out->capacity, item);
}

/* ---- * ---- */

static bool star_means(const ScopeColumn *c, const SqlName *q)
{
    if (!q->count)
        return true;
    if (q->count == 1)
        return c->alias && !strcasecmp(c->alias, q->parts[0]);
    if (!c->table || c->table->count < q->count)
        return q->count == 2 && c->table && c->table->count == 1 && !strcasecmp(q->parts[0], "default") && !strcasecmp(c->table->parts[0], q->parts[1]);
    for (int i = 0; i < q->count; i++)
        if (strcasecmp(c->table->parts[c->table->count - 1 - i], q->parts[q->count - 1 - i]))
            return false;
    return true;
}

static bool star_shows(const ScopeColumn *c, const SqlName *q)
{
    return (q->count ? !c->hidden || c->qualified_only : !c->hidden) && star_means(c, q);
}

/* ---- * EXCEPT ---- */

/* One name of EXCEPT: parts[0..column] are a column's, what follows are fields of it. */
typedef struct Left {
    const SqlName *name;
    int column; /* index of the column's own part; -1: it names none, or (struct.*) its first part is a field's */
    bool seen;
} Left;

static Left find_left(const Scope *scope, const Expr *star, const SqlName *name)
{
    Left left = {.name = name, .column = -1};

    for (int q = name->count - 1 < 3 ? name->count - 1 : 3; q >= 0 && left.column < 0; q--)
        for (int i = 0; i < scope->count && left.column < 0; i++)
            if (star_shows(&scope->columns[i], &star->name) && sql__names_column(&scope->columns[i], name, q))
                left.column = q;
    return left;
}

static bool names_field(const SqlName *name, int part, const char *field)
{
    return part < name->count && !strcasecmp(name->parts[part], field);
}

/* The struct without the fields that lefts[..] name below `part`; picks: which of them are about this struct. NULL with an error recorded. */
static Expr *without_fields(Analyzer *a, Scope *scope, Expr *base, Left *lefts, const bool *picks, int count, int depth)
{
    const Type *type = base->type;
    Expr **args;
    int kept = 0;

    if (type->kind != TYPE_STRUCT)
        return base; /* nothing is seen: the caller says so */
    args = ARENA_ARRAY(a->arena, Expr *, type->field_count * 2 + 1);
    for (int f = 0; f < type->field_count; f++) {
        bool *inner = ARENA_ARRAY(a->arena, bool, count), drop = false, deeper = false;
        Expr *field = ARENA_NEW(a->arena, Expr);

        for (int i = 0; i < count; i++) {
            int part = lefts[i].column + depth;

            if (!picks[i] || !names_field(lefts[i].name, part, type->fields[f].name))
                continue;
            inner[i] = part + 1 < lefts[i].name->count;
            deeper = deeper || inner[i];
            drop = drop || !inner[i];
            lefts[i].seen = lefts[i].seen || !inner[i];
        }
        if (drop)
            continue;
        *field = (Expr){.kind = EXPR_FIELD, .pos = base->pos, .text = type->fields[f].name, .arg_count = 1, .args = ARENA_ARRAY(a->arena, Expr *, 1)};
        field->args[0] = sql__clone(a, base);
        sql__expr(a, scope, &field);
        args[kept++] = sql__literal_text(a, base->pos, type->fields[f].name);
        args[kept++] = deeper ? without_fields(a, scope, field, lefts, inner, count, depth + 1) : field;
    }
    Expr *call = sql__call_new(a, base->pos, "named_struct", kept);

    memcpy(call->args, args, sizeof *args * (size_t)kept);
    if (base->nullable) { /* NULL stays NULL */
        Expr *test = ARENA_NEW(a->arena, Expr), *both = sql__call_new(a, base->pos, "if", 3);

        *test = (Expr){.kind = EXPR_IS, .pos = base->pos, .op = "NULL", .arg_count = 1, .args = ARENA_ARRAY(a->arena, Expr *, 1)};
        test->args[0] = sql__clone(a, base);
        both->args[0] = test;
        both->args[1] = sql__null(a, base->pos);
        both->args[2] = call;
        call = both;
    }
    sql__expr(a, scope, &call);
    return call;
}

static void check_left(Analyzer *a, const Scope *scope, const Expr *star, const Left *lefts)
{
    for (int i = 0; i < star->except_count; i++)
        for (int k = 0; k < i; k++) {
            const SqlName *x = &star->except[i], *y = &star->except[k];
            int shorter = x->count < y->count ? x->count : y->count, same = 0;

            while (same < shorter && !strcasecmp(x->parts[same], y->parts[same]))
                same++;
            if (same == shorter) {
                sql__error(a, x->pos, "EXCEPT_OVERLAPPING_COLUMNS", "EXCEPT names column \"%s\" twice", sql__name_text(a, x));
                return;
            }
        }
    for (int i = 0; i < star->except_count; i++)
        if (!lefts[i].seen && !scope->broken)
            sql__error(a, star->except[i].pos.line ? star->except[i].pos : star->pos, "UNRESOLVED_COLUMN.WITH_SUGGESTION", "no column \"%s\" to %s",
                       sql__name_text(a, &star->except[i]), star->arg_count ? "set" : "leave out");
}

/* struct.*; names of EXCEPT are those of its fields. */
static void expand_struct(Analyzer *a, Scope *scope, Expr *star, Left *lefts, Items *out)
{
    Expr *base = ARENA_NEW(a->arena, Expr);
    int except = star->except_count;

    *base = (Expr){.kind = EXPR_COLUMN, .pos = star->pos, .name = star->name};
    sql__expr(a, scope, &base);
    if (!base->type)
        return;
    if (base->type->kind != TYPE_STRUCT) {
        sql__error(a, star->pos, "CANNOT_RESOLVE_STAR_EXPAND", "\"%s\" is neither a table here nor a STRUCT, so it has no .*", star->name.parts[0]);
        return;
    }
    for (int i = 0; i < base->type->field_count; i++) {
        const TypeField *field = &base->type->fields[i];
        bool *picks = ARENA_ARRAY(a->arena, bool, except + 1), whole = false, fields = false;
        Expr *f = ARENA_NEW(a->arena, Expr);

        for (int k = 0; k < except; k++) {
            picks[k] = names_field(lefts[k].name, 0, field->name);
            if (picks[k] && lefts[k].name->count == 1)
                whole = lefts[k].seen = true;
            fields = fields || picks[k];
        }
        if (whole)
            continue;
        *f = (Expr){.kind = EXPR_FIELD, .pos = star->pos, .text = field->name, .arg_count = 1, .column = i, .type = field->type, .deterministic = true};
        f->args = ARENA_ARRAY(a->arena, Expr *, 1);
        f->args[0] = sql__clone(a, base);
        f->nullable = base->nullable || field->nullable;
        if (fields)
            f = without_fields(a, scope, f, lefts, picks, except, 2);
        push(a, out, (SelectItem){.expr = f, .output_name = field->name});
    }
    check_left(a, scope, star, lefts);
}

static void expand_star(Analyzer *a, Scope *scope, Expr *star, Items *out)
{
    const bool *left_out = star->extra; /* by position: of PIVOT */
    int position = 0, set = 0, except = star->except_count;
    Left *lefts = ARENA_ARRAY(a->arena, Left, except + 1);
    bool any = false;

    for (int i = 0; i < except; i++)
        lefts[i] = find_left(scope, star, &star->except[i]);
    for (int i = 0; i < scope->count; i++) {
        ScopeColumn *c = &scope->columns[i];
        bool *picks = ARENA_ARRAY(a->arena, bool, except + 1), whole = false, fields = false;

        if (!star_shows(c, &star->name))
            continue;
        any = true;
        if (left_out && left_out[position++])
            continue;
        for (int k = 0; k < except; k++) {
            picks[k] = lefts[k].column >= 0 && sql__names_column(c, lefts[k].name, lefts[k].column);
            if (picks[k] && lefts[k].column + 1 == lefts[k].name->count)
                whole = lefts[k].seen = true;
            fields = fields || picks[k];
        }
        if (whole) {
            if (star->arg_count && set++)
                sql__error(a, star->pos, "AMBIGUOUS_REFERENCE", "column \"%s\" is ambiguous: more than one column of that name is in reach", c->name);
            else if (star->arg_count) /* |> SET */
                push(a, out, (SelectItem){.expr = sql__clone(a, star->args[0]), .output_name = c->name});
            continue;
        }
        Expr *e = c->expr ? sql__clone(a, c->expr) : sql__column(a, c->relation, c->column, star->pos);

        e->nullable = c->nullable;
        e->pos = star->pos;
        if (fields)
            e = without_fields(a, scope, e, lefts, picks, except, 1);
        push(a, out, (SelectItem){.expr = e, .output_name = c->name});
    }
    if (!any && star->name.count && !scope->broken) {
        expand_struct(a, scope, star, lefts, out);
        return;
    }
    if (!any && !scope->count && !scope->broken)
        sql__error(a, star->pos, "INVALID_USAGE_OF_STAR_OR_REGEX", "* needs a FROM clause");
    check_left(a, scope, star, lefts);
}

/* As a field of struct(...) it keeps the column's name, though it is no column any more. */
static Expr *named(Analyzer *a, const Expr *call, SelectItem item)
{
    if (item.expr->kind != EXPR_CALL || call->name.count != 1 || strcasecmp(call->name.parts[0], "struct") != 0)
        return item.expr;
    Expr *e = ARENA_NEW(a->arena, Expr);

    *e = (Expr){.kind = EXPR_ALIASED, .pos = item.expr->pos, .text = item.output_name, .arg_count = 1, .args = ARENA_ARRAY(a->arena, Expr *, 1)};
    e->args[0] = item.expr;
    return e;
}

void sql__expand_stars(Analyzer *a, Scope *scope, Expr *e)
{
    Expr **args = NULL;
    int count = 0, capacity = 0;

    for (int i = 0; i < e->arg_count; i++) {
        Items columns = {0};

        if (e->args[i]->kind != EXPR_STAR) {
            ARENA_PUSH(a->arena, args, count, capacity, e->args[i]);
            continue;
        }
        expand_star(a, scope, e->args[i], &columns);
        for (int k = 0; k < columns.count; k++)
            ARENA_PUSH(a->arena, args, count, capacity, named(a, e, columns.items[k]));
    }
    e->args = args;
    e->arg_count = count;
}

/* ---- generators ---- */

static const SqlFunction *generator_of(const Expr *e)
{
    const SqlFunction *f = e->kind == EXPR_CALL && e->name.count == 1 ? sql_function_find(e->name.parts[0]) : NULL;

    return f && (f->flags & FN_GENERATOR) ? f : NULL;
}

void sql__into_generator(Query *q, Relation *join)
{
    q->from = join;
    join->on = q->where;
    q->where = NULL;
}

static bool is_aggregate_call(const Expr *e)
{
    const SqlFunction *f = e->kind == EXPR_CALL && e->name.count == 1 && !e->window ? sql_function_find(e->name.parts[0]) : NULL;

    return f && (f->flags & FN_AGGREGATE);
}

static Expr *inner_column(Analyzer *a, SiltPos pos, const char *name)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    *e = (Expr){.kind = EXPR_COLUMN, .pos = pos, .name = {.parts = ARENA_ARRAY(a->arena, const char *, 1), .count = 1, .pos = pos}};
    e->name.parts[0] = name;
    return e;
}

/* Another column of the inner query, known outside by a name that no user writes. */
static Expr *hand_on(Analyzer *a, Items *inner, Relation *from, SelectItem item, int at)
{
    const char *name = sql__text(a, " %d", at);

    inner->items[at] = item;
    from->column_aliases[at] = name;
    return inner_column(a, item.expr->pos, name);
}

void sql__generate_last(Analyzer *a, Query *q)
{
    bool generates = false, aggregates = q->group_count || q->grouping != GROUP_PLAIN || q->grouping_set_count || q->having;
    int columns = q->item_count;

    for (int i = 0; i < q->item_count; i++) {
        const SqlFunction *f = generator_of(q->items[i].expr);

        if (q->items[i].expr->kind == EXPR_STAR && aggregates)
            return; /* an error of its own */
        generates = generates || f;
        columns += f ? q->items[i].expr->arg_count : 0;
        aggregates = aggregates || sql__any(q->items[i].expr, is_aggregate_call);
    }
    if (!generates || !aggregates)
        return;
    Query *inner = ARENA_NEW(a->arena, Query);
    Relation *from = ARENA_NEW(a->arena, Relation);
    Items items = {.items = ARENA_ARRAY(a->arena, SelectItem, columns)};
    int next = q->item_count; /* behind the columns that GROUP BY may count */

    *inner = *q;
    *from = (Relation){.kind = REL_QUERY, .pos = q->pos, .query = inner, .column_aliases = ARENA_ARRAY(a->arena, const char *, columns)};
    for (int i = 0; i < q->item_count; i++) {
        SelectItem *item = &q->items[i];
        Expr *call = item->expr;

        if (!generator_of(call)) {
            const char *name = item->alias ? item->alias : sql__auto_name(a, call);

            item->expr = hand_on(a, &items, from, *item, i);
            item->alias = name;
            continue;
        }
        Expr *copy = sql__clone(a, call);

        for (int k = 0; k < call->arg_count; k++) {
            Expr **slot = copy->args[k]->kind == EXPR_NAMED_ARG ? &copy->args[k]->args[0] : &copy->args[k];

            if ((*slot)->kind != EXPR_LITERAL) /* a constant stays one, for those that ask for it */
                *slot = hand_on(a, &items, from, (SelectItem){.expr = *slot}, k ? next++ : i);
        }
        if (!items.items[i].expr) /* GROUP BY counts this column too */
            hand_on(a, &items, from, (SelectItem){.expr = sql__literal_int(a, call->pos, 1)}, i);
        item->expr = copy;
    }
    from->column_alias_count = inner->item_count = next;
    inner->items = items.items;
    inner->distinct = false;
    inner->with = NULL;
    inner->with_count = inner->order_count = 0;
    inner->limit = inner->offset = inner->qualify = NULL;
    inner->extra = NULL;
    *q = (Query){.kind = QUERY_SELECT, .pos = q->pos, .with = q->with, .with_count = q->with_count, .recursive = q->recursive, .distinct = q->distinct, .items = q->items,
                 .item_count = q->item_count, .from = from, .qualify = q->qualify, .order_by = q->order_by, .order_count = q->order_count,
                 .order_by_all = q->order_by_all, .limit = q->limit, .offset = q->offset, .keeps_names = q->keeps_names, .extra = q->extra};
}

/* The columns that a generator of the select list has added to the scope. */
typedef struct Generated {
    int first, count;
} Generated;

/* explode(..) in a select list becomes a join with that generator. */
static Generated expand_generator(Analyzer *a, Scope *scope, Query *q, const SelectItem *item)
{
    Expr *call = item->expr;
    Relation *join = ARENA_NEW(a->arena, Relation), *r = ARENA_NEW(a->arena, Relation);
    int before = q->from ? scope->count : 0;

    if (sql__table_only(generator_of(call))) {
        sql__not_scalar(a, call);
        scope->broken = true;
        return (Generated){0, 0};
    }

    *r = (Relation){.kind = REL_FUNCTION, .pos = call->pos, .name = call->name, .args = call->args, .arg_count = call->arg_count, .lateral = true};
    r->outer_view = strlen(call->name.parts[0]) > 6 && !strcasecmp(call->name.parts[0] + strlen(call->name.parts[0]) - 6, "_outer");
    *join = (Relation){.kind = REL_JOIN, .pos = call->pos, .left = q->from, .right = r};
    if (!sql__generator_relation(a, scope, join))
        return (Generated){0, 0};
    sql__into_generator(q, join);
    int count = join->column_count - before;

    if ((item->multi_alias_count && item->multi_alias_count != count) || (item->alias && count != 1)) {
        sql__error(a, call->pos, "UDTF_ALIAS_NUMBER_MISMATCH", "%s makes %d columns, but %d names are given", call->name.parts[0], count,
                   item->alias ? 1 : item->multi_alias_count);
        return (Generated){0, 0};
    }
    for (int i = 0; i < count; i++)
        scope->columns[before + i].hidden = true; /* FROM's * does not show it */
    return (Generated){before, count};
}

void sql__select_list(Analyzer *a, Scope *scope, Query *q)
{
    Items out = {0};
    Generated *generated = ARENA_ARRAY(a->arena, Generated, q->item_count + 1);

    /* generators first, since they change what the others are read from; each is joined to what those before it have made */
    for (int i = 0; i < q->item_count; i++)
        if (generator_of(q->items[i].expr))
            generated[i] = expand_generator(a, scope, q, &q->items[i]);
    for (int i = 0; i < q->item_count; i++) {
        SelectItem *item = &q->items[i];

        if (item->expr->kind == EXPR_STAR) {
            expand_star(a, scope, item->expr, &out);
            continue;
        }
        if (!generator_of(item->expr)) {
            SelectItem copy = *item;

            copy.output_name = copy.alias ? copy.alias : sql__auto_name(a, copy.expr);
            push(a, &out, copy);
        }
        for (int k = 0; k < generated[i].count; k++) {
            const ScopeColumn *c = &scope->columns[generated[i].first + k];
            SelectItem column = {.expr = sql__column(a, c->relation, c->column, item->expr->pos)};

            column.alias = item->alias ? item->alias : item->multi_alias_count ? item->multi_alias[k] : NULL;
            column.output_name = column.alias ? column.alias : c->name;
            push(a, &out, column);
        }
    }
    q->items = out.items;
    q->item_count = out.count;
    scope->query = q;
    for (int i = 0; i < q->item_count; i++) {
        scope->alias_count = i;
        sql__expr(a, scope, &q->items[i].expr);
    }
    scope->alias_count = q->item_count;
}
