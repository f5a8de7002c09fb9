/*
 * sql/analyze_window.c - windows of event time: the columns that they make, and the rows that are in none
 *
 * A tumbling window is a function of a row's time. With a sliding window a row is joined with all windows that hold it. A session is made
 * by the rows of one group together: each row alone has the session from its time to its time plus the gap, those that touch are merged
 * (print_duck.c), and the merged one is the key that everything above the aggregation sees.
 */
#include <string.h>

#include "sql/analyze.h"

static bool is_call(const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && e->name.count == 1 && !e->window && !strcasecmp(e->name.parts[0], name);
}

static bool is_window(const Expr *e)
{
    return is_call(e, "window");
}

bool sql__is_session(const Expr *e)
{
    return is_call(e, "session_window") && e->type;
}

/* A column of FROM wins over the window of that name. */
static bool has_column(const Scope *scope, const char *name)
{
    for (int i = 0; i < scope->count; i++)
        if (!scope->columns[i].qualified_only && !strcasecmp(scope->columns[i].name, name))
            return true;
    return false;
}

static void find_raw_window(Expr **slot, void *arg)
{
    Expr **found = arg;

    if (!*found && is_window(*slot) && (*slot)->arg_count >= 3)
        *found = *slot;
    if (*slot)
        sql__each_child(*slot, find_raw_window, arg);
}

/* silt_windows of the same arguments; NULL with an error recorded. */
static Expr *windows_call(Analyzer *a, Scope *scope, const Expr *raw)
{
    Expr *call = sql__clone(a, raw);

    call->name.parts = ARENA_ARRAY(a->arena, const char *, 1);
    call->name.parts[0] = "silt_windows";
    sql__call(a, scope, &call);
    return call->type ? call : NULL;
}

/* window(time, length, slide): each row is joined with the windows that hold its time. */
void sql__sliding_window(Analyzer *a, Scope *scope, Query *q)
{
    Expr *raw = NULL;

    for (int i = 0; i < q->group_count; i++)
        find_raw_window(&q->group_by[i], &raw);
    for (int i = 0; i < q->item_count; i++)
        find_raw_window(&q->items[i].expr, &raw);
    if (!raw || scope->broken)
        return;
    Expr *all = windows_call(a, scope, raw);

    if (!all)
        return;
    const int64_t *spec = all->extra;

    if (spec[0] == spec[1])
        return; /* tumbling after all */
    Relation *join = ARENA_NEW(a->arena, Relation), *r = ARENA_NEW(a->arena, Relation);

    *r = (Relation){.kind = REL_FUNCTION, .pos = raw->pos, .lateral = true, .arg_count = 1};
    r->name = (SqlName){.parts = ARENA_ARRAY(a->arena, const char *, 1), .count = 1, .pos = raw->pos};
    r->name.parts[0] = "explode";
    r->args = ARENA_ARRAY(a->arena, Expr *, 1);
    r->args[0] = all;
    *join = (Relation){.kind = REL_JOIN, .pos = raw->pos, .left = q->from, .right = r};
    if (!sql__generator_relation(a, scope, join))
        return;
    sql__into_generator(q, join);
    int last = scope->count - 1;

    scope->columns[last].name = has_column(scope, "window") ? "" : "window";
    scope->columns[last].hidden = true;
    scope->sliding_column = sql__column(a, join, last, raw->pos);
    scope->sliding = windows_call(a, scope, raw); /* over the join's columns: what later calls are compared with */
}

/* GROUP BY window(..) makes a column `window` that the other clauses may name; session_window(..) likewise. */
void sql__window_columns(Analyzer *a, Scope *scope, Query *q)
{
    for (int i = 0; i < q->group_count; i++) {
        Expr **slot = &q->group_by[i];

        bool session = is_call(*slot, "session_window");

        if (!is_window(*slot) && !session)
            continue;
        sql__group_expr(a, scope, q, slot);
        if (!(*slot)->type) {
            scope->broken = true; /* its column is not missed as well */
        } else if ((session || !scope->sliding_column) && !has_column(scope, (*slot)->name.parts[0])) {
            ScopeColumn column = {.name = session ? "session_window" : "window", .type = (*slot)->type, .nullable = (*slot)->nullable, .expr = *slot, .hidden = true};

            ARENA_PUSH(a->arena, scope->columns, scope->count, scope->capacity, column);
        }
    }
}

typedef struct FindWindow {
    Analyzer *a;
    Expr *found;
} FindWindow;

/* The first window; another beside a session would need a row for each pair of them. */
static void find_window(Expr **slot, void *arg)
{
    FindWindow *f = arg;
    Expr *e = *slot;

    if ((is_window(e) || sql__is_session(e)) && e->type) {
        if (f->found && !sql__same(f->found, e) && (sql__is_session(e) || sql__is_session(f->found)))
            sql__error(f->a, e->pos, "UNSUPPORTED_FEATURE.SEVERAL_WINDOWS", "a query may use one window only where it uses session_window");
        f->found = f->found ? f->found : e;
    }
    sql__each_child(e, find_window, arg);
}

/* A row without a time is in no window, and one whose gap is not positive in no session: Spark leaves it out. */
void sql__window_filter(Analyzer *a, Query *q)
{
    FindWindow f = {.a = a};

    for (int i = 0; i < q->item_count; i++)
        find_window(&q->items[i].expr, &f);
    for (int i = 0; i < q->group_count; i++)
        find_window(&q->group_by[i], &f);
    bool session = f.found && sql__is_session(f.found);

    if (!f.found || (!session && !f.found->args[0]->nullable))
        return;
    Expr *test = ARENA_NEW(a->arena, Expr);

    *test = (Expr){.kind = EXPR_IS, .pos = f.found->pos, .op = "NULL", .negated = true, .arg_count = 1, .type = type_simple(TYPE_BOOLEAN), .deterministic = true};
    test->args = ARENA_ARRAY(a->arena, Expr *, 1);
    test->args[0] = sql__clone(a, session ? f.found : f.found->args[0]);
    if (q->where) {
        Expr *both = ARENA_NEW(a->arena, Expr);

        *both = (Expr){.kind = EXPR_BINARY, .pos = q->where->pos, .op = "AND", .arg_count = 2, .type = test->type, .deterministic = q->where->deterministic};
        both->args = ARENA_ARRAY(a->arena, Expr *, 2);
        both->args[0] = q->where;
        both->args[1] = test;
        test = both;
    }
    q->where = test;
}
