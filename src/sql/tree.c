/* sql/tree.c - walking, copying and comparing expression trees */
#include <string.h>

#include "sql/analyze.h"

static void each_sort(SortItem *items, int count, void (*visit)(Expr **, void *), void *arg)
{
    for (int i = 0; i < count; i++)
        visit(&items[i].expr, arg);
}

void sql__each_child(Expr *e, void (*visit)(Expr **slot, void *arg), void *arg)
{
    if (e->operand)
        visit(&e->operand, arg);
    for (int i = 0; i < e->arg_count; i++)
        visit(&e->args[i], arg);
    if (e->otherwise)
        visit(&e->otherwise, arg);
    if (e->escape)
        visit(&e->escape, arg);
    if (e->filter)
        visit(&e->filter, arg);
    each_sort(e->order_by, e->order_count, visit, arg);
    if (e->window) {
        for (int i = 0; i < e->window->partition_count; i++)
            visit(&e->window->partition_by[i], arg);
        each_sort(e->window->order_by, e->window->order_count, visit, arg);
        if (e->window->start_offset)
            visit(&e->window->start_offset, arg);
        if (e->window->end_offset)
            visit(&e->window->end_offset, arg);
    }
}

static void clone_child(Expr **slot, void *arg)
{
    *slot = sql__clone(arg, *slot);
}

Expr *sql__clone(Analyzer *a, const Expr *from)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    *e = *from;
    if (e->arg_count) {
        e->args = ARENA_ARRAY(a->arena, Expr *, e->arg_count);
        memcpy(e->args, from->args, sizeof(Expr *) * (size_t)e->arg_count);
    }
    if (e->order_count) {
        e->order_by = ARENA_ARRAY(a->arena, SortItem, e->order_count);
        memcpy(e->order_by, from->order_by, sizeof(SortItem) * (size_t)e->order_count);
    }
    if (e->window) {
        WindowSpec *w = ARENA_NEW(a->arena, WindowSpec);

        *w = *from->window;
        if (w->partition_count) {
            w->partition_by = ARENA_ARRAY(a->arena, Expr *, w->partition_count);
            memcpy(w->partition_by, from->window->partition_by, sizeof(Expr *) * (size_t)w->partition_count);
        }
        if (w->order_count) {
            w->order_by = ARENA_ARRAY(a->arena, SortItem, w->order_count);
            memcpy(w->order_by, from->window->order_by, sizeof(SortItem) * (size_t)w->order_count);
        }
        e->window = w;
    }
    sql__each_child(e, clone_child, a);
    return e;
}

static bool same_text(const char *x, const char *y)
{
    return x == y || (x && y && !strcmp(x, y));
}

static bool same_opt(const Expr *x, const Expr *y)
{
    return x == y || (x && y && sql__same(x, y));
}

static bool same_window(const WindowSpec *x, const WindowSpec *y)
{
    if (x == y)
        return true;
    if (!x || !y || x->partition_count != y->partition_count || x->order_count != y->order_count || x->frame_given != y->frame_given ||
        x->frame_rows != y->frame_rows || x->start != y->start || x->end != y->end)
        return false;
    for (int i = 0; i < x->partition_count; i++)
        if (!sql__same(x->partition_by[i], y->partition_by[i]))
            return false;
    for (int i = 0; i < x->order_count; i++)
        if (!sql__same(x->order_by[i].expr, y->order_by[i].expr) || x->order_by[i].descending != y->order_by[i].descending ||
            x->order_by[i].nulls_first != y->order_by[i].nulls_first)
            return false;
    return same_opt(x->start_offset, y->start_offset) && same_opt(x->end_offset, y->end_offset);
}

bool sql__same(const Expr *x, const Expr *y)
{
    if (x == y)
        return true;
    if (x->kind != y->kind || x->arg_count != y->arg_count || x->negated != y->negated || x->distinct != y->distinct ||
        x->ignore_nulls != y->ignore_nulls || x->order_count != y->order_count || x->query != y->query)
        return false;
    if (!x->type != !y->type || (x->type && !type_equal(x->type, y->type, false)))
        return false;
    if (x->kind == EXPR_COLUMN)
        return x->relation == y->relation && x->column == y->column && (x->relation || same_text(x->text, y->text));
    if (!same_text(x->op, y->op) || !same_text(x->quantifier, y->quantifier))
        return false;
    if (x->kind == EXPR_LITERAL)
        return str_equal(x->literal, y->literal) && x->literal_int == y->literal_int &&
               !memcmp(&x->literal_double, &y->literal_double, sizeof(double));
    if (x->kind == EXPR_CALL && (x->function != y->function || (!x->function && (x->name.count != y->name.count ||
                                 strcasecmp(x->name.parts[0], y->name.parts[0])))))
        return false;
    if ((x->kind == EXPR_FIELD || x->kind == EXPR_ALIASED || x->kind == EXPR_PATH) && !same_text(x->text, y->text))
        return false;
    if (x->kind == EXPR_FIELD && x->column != y->column)
        return false;
    if (x->kind == EXPR_LAMBDA && x->parameter_count != y->parameter_count)
        return false;
    for (int i = 0; i < x->arg_count; i++)
        if (!sql__same(x->args[i], y->args[i]))
            return false;
    for (int i = 0; i < x->order_count; i++)
        if (!sql__same(x->order_by[i].expr, y->order_by[i].expr) || x->order_by[i].descending != y->order_by[i].descending)
            return false;
    return same_opt(x->operand, y->operand) && same_opt(x->otherwise, y->otherwise) && same_opt(x->escape, y->escape) &&
           same_opt(x->filter, y->filter) && same_window(x->window, y->window);
}

struct any {
    bool (*test)(const Expr *);
    bool found;
};

static void any_visit(Expr **slot, void *arg)
{
    struct any *any = arg;

    if (any->found)
        return;
    if (any->test(*slot))
        any->found = true;
    else
        sql__each_child(*slot, any_visit, any);
}

bool sql__any(Expr *expr, bool (*test)(const Expr *expr))
{
    struct any any = {test, false};

    any_visit(&expr, &any);
    return any.found;
}

bool sql__is_outer(const Expr *expr)
{
    return expr->kind == EXPR_COLUMN && expr->outer_level;
}

Expr *sql__column(Analyzer *a, Relation *relation, int column, SiltPos pos)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    e->kind = EXPR_COLUMN;
    e->pos = pos;
    e->name.parts = ARENA_ARRAY(a->arena, const char *, 1);
    e->name.parts[0] = relation->column_names[column] ? relation->column_names[column] : "";
    e->name.count = 1;
    e->relation = relation;
    e->column = column;
    e->type = sql__bound(a->arena, relation->column_types[column], COLLATION_IMPLICIT);
    e->nullable = relation->column_nullable[column];
    e->deterministic = true;
    return e;
}

Expr *sql__call_new(Analyzer *a, SiltPos pos, const char *name, int arg_count)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    e->kind = EXPR_CALL;
    e->pos = pos;
    e->name.parts = ARENA_ARRAY(a->arena, const char *, 1);
    e->name.parts[0] = name;
    e->name.count = 1;
    e->name.pos = pos;
    e->args = ARENA_ARRAY(a->arena, Expr *, arg_count ? arg_count : 1);
    e->arg_count = arg_count;
    e->deterministic = true;
    return e;
}

static Expr *literal(Analyzer *a, SiltPos pos, TypeKind kind)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    e->kind = EXPR_LITERAL;
    e->pos = pos;
    e->type = type_simple(kind);
    e->constant = e->deterministic = true;
    return e;
}

Expr *sql__literal_int(Analyzer *a, SiltPos pos, int64_t value)
{
    Expr *e = literal(a, pos, TYPE_INT);

    e->literal_int = value;
    return e;
}

Expr *sql__literal_text(Analyzer *a, SiltPos pos, const char *text)
{
    Expr *e = literal(a, pos, TYPE_STRING);

    e->literal = str_of(text);
    return e;
}

Expr *sql__null(Analyzer *a, SiltPos pos)
{
    Expr *e = literal(a, pos, TYPE_VOID);

    e->nullable = true;
    return e;
}
