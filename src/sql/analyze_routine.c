/*
 * sql/analyze_routine.c - functions that users define in SQL, and session variables
 *
 * A call is replaced by the function's body, a fresh tree each time, whose parameters are the arguments cast to their types; nobody
 * behind the analyzer meets such a call. A variable is replaced by its value.
 *
 *   U1  Names in a body mean the body's own relations first, then its parameters, then session variables: never what surrounds the call.
 *   U2  An argument that gives another value each time is computed once a call, however often the body names it.
 *   U3  A function does not reach itself, and a query holds at most ROUTINE_CALLS_MAX bodies: expansion ends.
 */
#include <string.h>

#include "sql/analyze.h"

enum { ROUTINE_CALLS_MAX = 20000 };

/* ---- finding ---- */

/* NULL: no such function, or it could not be read (then with an error, and *failed). */
static const Statement *find_routine(Analyzer *a, const SqlName *name, SiltPos pos, bool *failed)
{
    const Statement *found = NULL;
    SiltErr err = {0};

    *failed = false;
    if (name->count != 1 || !a->catalog || !a->catalog->routine)
        return NULL;
    for (const RoutineCall *call = a->routine; call; call = call->outer)
        if (!strcasecmp(call->name, name->parts[0])) {
            sql__error(a, pos, "CYCLIC_FUNCTION_REFERENCE", "function \"%s\" calls itself%s", name->parts[0], call == a->routine ? "" : " by way of others");
            sql__hint(a, "A function cannot be recursive; WITH RECURSIVE is.");
            *failed = true;
            return NULL;
        }
    int r = a->catalog->routine(a->catalog->self, name->parts[0], &found, &err);
    if (r < 0) {
        sql_errors_add(a->errors, &err);
        *failed = true;
    }
    if (r == 0 && ++a->routine_calls > ROUTINE_CALLS_MAX) {
        if (a->routine_calls == ROUTINE_CALLS_MAX + 1)
            sql__error(a, pos, "FAILED_TO_PARSE_TOO_COMPLEX", "this query calls SQL functions more than %d times, counting those that they call", ROUTINE_CALLS_MAX);
        *failed = true;
    }
    return r == 0 && !*failed ? found : NULL;
}

/* ---- arguments ---- */

static bool wrong_count(Analyzer *a, const Statement *f, SiltPos pos, int given)
{
    int most = f->routine->parameter_count, least = 0;

    while (least < most && !f->routine->parameters[least].fallback)
        least++;
    const char *takes = least == most ? sql__text(a, "%d", most) : sql__text(a, "%d to %d", least, most);
    sql__error(a, pos, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s takes %s argument%s, not %d", f->name.parts[0], takes, !strcmp(takes, "1") ? "" : "s", given);
    return false;
}

/* One expression a parameter, defaults included, none analyzed yet. False with an error recorded. */
static bool place_arguments(Analyzer *a, const Statement *f, SiltPos pos, Expr *const *args, int count, Expr **out)
{
    const Routine *routine = f->routine;
    const char **names = ARENA_ARRAY(a->arena, const char *, routine->parameter_count + 1);
    bool named = false;

    for (int i = 0; i < routine->parameter_count; i++)
        names[i] = routine->parameters[i].name;
    for (int i = 0; i < count; i++)
        named = named || args[i]->kind == EXPR_NAMED_ARG;
    if (!named && count > routine->parameter_count)
        return wrong_count(a, f, pos, count);
    if (!sql__place_arguments(a, f->name.parts[0], names, routine->parameter_count, args, count, out))
        return false;
    for (int i = 0; i < routine->parameter_count; i++) {
        if (!out[i])
            out[i] = routine->parameters[i].fallback;
        if (out[i])
            continue;
        if (!named)
            return wrong_count(a, f, pos, count);
        sql__error(a, pos, "REQUIRED_PARAMETER_NOT_FOUND", "%s needs its parameter \"%s\"", f->name.parts[0], names[i]);
        return false;
    }
    return true;
}

/* Spark casts arguments and results as CAST does, not only where it would by itself. */
static bool cast_explicitly(Analyzer *a, Expr **slot, const Type *type, const char *what)
{
    if (!sql__cast_allowed((*slot)->type, type, false)) {
        sql__error(a, (*slot)->pos, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "cannot cast %s to %s, the type of %s", sql__type_name(a, (*slot)->type),
                   sql__type_name(a, type), what);
        return false;
    }
    sql__cast(a, slot, type);
    return true;
}

/* Analyze the arguments where they stand, and defaults where they see no columns. False with an error recorded. */
static bool analyze_arguments(Analyzer *a, Scope *scope, const Statement *f, Expr **args)
{
    const Routine *routine = f->routine;
    Scope empty = {.clause = "a default of a function", .no_aggregate = true, .no_window = true};
    bool ok = true;

    for (int i = 0; i < routine->parameter_count; i++) {
        const Parameter *parameter = &routine->parameters[i];
        sql__expr(a, args[i] == parameter->fallback ? &empty : scope, &args[i]);
        ok = ok && args[i]->type;
    }
    for (int i = 0; ok && i < routine->parameter_count; i++) {
        const Parameter *parameter = &routine->parameters[i];
        ok = cast_explicitly(a, &args[i], parameter->type, sql__text(a, "parameter \"%s\" of %s", parameter->name, f->name.parts[0]));
    }
    return ok;
}

static void add_parameters(Analyzer *a, Scope *scope, const Statement *f, Expr *const *args)
{
    for (int i = 0; i < f->routine->parameter_count; i++) {
        const Parameter *parameter = &f->routine->parameters[i];
        ScopeColumn column = {.name = parameter->name, .alias = f->name.parts[0], .type = parameter->type, .nullable = args[i]->nullable, .expr = args[i],
                              .hidden = true, .parameter = true};
        ARENA_PUSH(a->arena, scope->columns, scope->count, scope->capacity, column);
    }
}

/* ---- bodies ---- */

static bool is_aggregate_name(const Expr *e)
{
    const SqlFunction *f = e->kind == EXPR_CALL && e->name.count == 1 ? sql_function_find(e->name.parts[0]) : NULL;

    return f && (f->flags & (FN_AGGREGATE | FN_WINDOW | FN_GENERATOR));
}

/* SELECT x: as Spark does it, just x. */
static Expr *simple_body(Expr *body)
{
    while (body->kind == EXPR_SUBQUERY) {
        const Query *q = body->query;

        if (q->kind != QUERY_SELECT || q->from || q->where || q->having || q->qualify || q->group_count || q->grouping != GROUP_PLAIN || q->grouping_set_count ||
            q->with_count || q->limit || q->offset || q->item_count != 1 || q->items[0].expr->kind == EXPR_STAR || q->order_count ||
            sql__any(q->items[0].expr, is_aggregate_name))
            break;
        body = q->items[0].expr;
    }
    return body;
}

static int tree_height(Expr *e);

static void higher_child(Expr **slot, void *arg)
{
    int *most = arg, height = tree_height(*slot);

    *most = height > *most ? height : *most;
}

static int tree_height(Expr *e)
{
    int most = 0;

    sql__each_child(e, higher_child, &most);
    return most + 1;
}

/* The errors of a body say whose it is: the call may stand in another file. */
static void name_errors(Analyzer *a, int before, const char *name)
{
    for (int i = before; i < a->errors->count; i++)
        silt_context(&a->errors->items[i], "in function \"%s\": ", name);
}

static int lambda_depth(const Scope *scope)
{
    int depth = 0;

    for (const LambdaScope *l = scope->lambdas; l; l = l->outer)
        depth++;
    return depth;
}

/* Lambdas around the call are not seen in the body, but keep their names. */
static void hide_lambdas(Analyzer *a, Scope *body, int depth)
{
    for (int i = 0; i < depth; i++) {
        LambdaScope *empty = ARENA_NEW(a->arena, LambdaScope);

        *empty = (LambdaScope){.outer = body->lambdas};
        body->lambdas = empty;
    }
}

/* U2: names the arguments that must be computed once as parameters of lambdas around the body, from depth on. */
static int bind_once(Analyzer *a, const Statement *f, Expr **args, int depth, Expr **once)
{
    int count = 0;

    for (int i = 0; i < f->routine->parameter_count; i++) {
        if (args[i]->deterministic)
            continue;
        Expr *variable = ARENA_NEW(a->arena, Expr);

        *variable = (Expr){.kind = EXPR_COLUMN, .pos = args[i]->pos, .name = args[i]->name, .text = sql__text(a, "x%d_1", depth + count), .type = args[i]->type,
                           .nullable = args[i]->nullable, .deterministic = true};
        variable->name.parts = ARENA_ARRAY(a->arena, const char *, 1);
        variable->name.parts[0] = f->routine->parameters[i].name;
        variable->name.count = 1;
        once[count++] = args[i];
        args[i] = variable;
    }
    return count;
}

/* transform(array(value), x -> body)[0], where body names x by its printed name already. */
static bool let(Analyzer *a, Scope *scope, int depth, Expr *value, Expr **body)
{
    Scope around = *scope;
    Expr *array = sql__call_new(a, value->pos, "array", 1), *call = sql__call_new(a, value->pos, "transform", 2), *first = ARENA_NEW(a->arena, Expr);
    Expr *lambda = ARENA_NEW(a->arena, Expr);
    const Type *type = (*body)->type;

    around.lambdas = NULL;
    hide_lambdas(a, &around, depth);
    array->args[0] = value;
    *lambda = (Expr){.kind = EXPR_LAMBDA, .pos = value->pos, .parameter_count = 1, .arg_count = 1};
    lambda->parameters = ARENA_ARRAY(a->arena, const char *, 1);
    lambda->parameters[0] = ""; /* nothing finds it by name */
    lambda->args = ARENA_ARRAY(a->arena, Expr *, 1);
    lambda->args[0] = *body;
    call->args[0] = array;
    call->args[1] = lambda;
    *first = (Expr){.kind = EXPR_SUBSCRIPT, .pos = value->pos, .arg_count = 2};
    first->args = ARENA_ARRAY(a->arena, Expr *, 2);
    first->args[0] = call;
    first->args[1] = sql__literal_int(a, value->pos, 0);
    sql__expr(a, &around, &first);
    *body = first;
    if (first->type)
        first->type = type;
    return first->type;
}

bool sql__routine_call(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;
    bool failed;
    const Statement *f = find_routine(a, &e->name, e->pos, &failed);

    if (!f)
        return failed;
    const Routine *routine = f->routine;
    const char *name = f->name.parts[0];

    if (routine->is_table) {
        sql__error(a, e->pos, "NOT_A_SCALAR_FUNCTION", "%s is a table function: it stands in FROM", name);
        return true;
    }
    if (e->window || e->distinct || e->filter || e->order_count || e->ignore_nulls) {
        sql__error(a, e->pos, e->window ? "UNSUPPORTED_EXPR_FOR_WINDOW" : "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "%s is no aggregate function, so %s does not fit",
                   name, e->window ? "OVER" : e->distinct ? "DISTINCT" : e->filter ? "FILTER" : e->order_count ? "WITHIN GROUP" : "IGNORE NULLS");
        return true;
    }
    Expr **args = ARENA_ARRAY(a->arena, Expr *, routine->parameter_count + 1), **once = ARENA_ARRAY(a->arena, Expr *, routine->parameter_count + 1);
    if (!place_arguments(a, f, e->pos, e->args, e->arg_count, args) || !analyze_arguments(a, scope, f, args))
        return true;

    RoutineCall call = {a->routine, name};
    Scope body_scope = {.routine = true, .no_aggregate = true, .no_window = true};
    int depth = lambda_depth(scope), before = a->errors->count, once_count = bind_once(a, f, args, depth, once);
    Expr *body = simple_body(routine->body);

    hide_lambdas(a, &body_scope, depth + once_count);
    add_parameters(a, &body_scope, f, args);
    a->routine = &call;
    sql__expr(a, &body_scope, &body);
    a->routine = call.outer;
    bool ok = body->type && (!routine->returns || cast_explicitly(a, &body, routine->returns, "the function's result"));
    for (int i = once_count - 1; ok && i >= 0; i--)
        ok = let(a, scope, depth + i, once[i], &body);
    if (ok && tree_height(body) > SQL_DEPTH_MAX)
        sql__error(a, e->pos, "FAILED_TO_PARSE_TOO_COMPLEX", "expressions are nested more than %d deep here", SQL_DEPTH_MAX);
    name_errors(a, before, name);
    if (ok && a->errors->count == before)
        *slot = body;
    return true;
}

/* ---- table functions ---- */

static int most_uses(const Scope *scope, Expr *const *args)
{
    int most = 0;

    for (int i = 0; i < scope->count; i++)
        if (!args[i]->deterministic && scope->columns[i].uses > most)
            most = scope->columns[i].uses;
    return most;
}

/* The body with the declared types, which becomes the relation's query. */
static bool typed_body(Analyzer *a, const Statement *f, Query **body)
{
    Query *q = *body;

    if (!f->column_count)
        return q->column_count;
    if (q->column_count != f->column_count) {
        if (q->column_count)
            sql__error(a, q->pos, "USER_DEFINED_FUNCTIONS.RETURN_COLUMN_COUNT_MISMATCH", "the body has %d column%s, RETURNS TABLE names %d", q->column_count,
                       q->column_count == 1 ? "" : "s", f->column_count);
        return false;
    }
    const Type **types = ARENA_ARRAY(a->arena, const Type *, f->column_count);

    for (int i = 0; i < f->column_count; i++) {
        types[i] = f->columns[i].type;
        if (!sql__cast_allowed(q->column_types[i], types[i], false)) {
            sql__error(a, q->pos, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "column %d of the body is %s, which cannot be cast to %s, the type of \"%s\"", i + 1,
                       sql__type_name(a, q->column_types[i]), sql__type_name(a, types[i]), f->columns[i].name);
            return false;
        }
    }
    *body = sql__query_cast(a, q, types);
    return true;
}

bool sql__routine_table(Analyzer *a, Scope *scope, Relation *r)
{
    bool failed;
    const Statement *f = find_routine(a, &r->name, r->pos, &failed);

    scope->broken = scope->broken || failed;
    if (!f)
        return failed;
    const Routine *routine = f->routine;
    const char *name = f->name.parts[0];
    Scope outside = {.outer = scope->outer, .ctes = scope->ctes, .clause = "the arguments of a table function", .no_aggregate = true, .no_window = true};
    Scope body_scope = {0};
    Expr **args = ARENA_ARRAY(a->arena, Expr *, routine->parameter_count + 1);

    if (!routine->is_table)
        sql__error(a, r->pos, "NOT_A_TABLE_FUNCTION", "%s makes a value, not rows", name);
    if (!routine->is_table || !place_arguments(a, f, r->pos, r->args, r->arg_count, args) || !analyze_arguments(a, r->lateral ? scope : &outside, f, args)) {
        scope->broken = true;
        return true;
    }
    RoutineCall call = {a->routine, name};
    Query *body = f->query;
    int before = a->errors->count;

    add_parameters(a, &body_scope, f, args);
    a->routine = &call;
    sql__query(a, body, &body_scope, NULL);
    a->routine = call.outer;
    bool ok = typed_body(a, f, &body);
    name_errors(a, before, name);
    if (ok && most_uses(&body_scope, args) > 1) {
        sql__error(a, r->pos, "UNSUPPORTED_FEATURE", "cannot give %s a value that changes with each call: it reads it more than once", name);
        sql__hint(a, "Compute the value in a subquery of its own, and join with LATERAL %s(..).", name);
        ok = false;
    }
    if (!ok) {
        scope->broken = true;
        return true;
    }
    r->kind = REL_QUERY;
    r->query = body;
    r->args = NULL;
    r->arg_count = 0;
    if (!r->alias)
        r->alias = name;
    if (!r->column_alias_count && f->column_count) {
        r->column_aliases = ARENA_ARRAY(a->arena, const char *, f->column_count);
        r->column_alias_count = f->column_count;
        for (int i = 0; i < f->column_count; i++)
            r->column_aliases[i] = f->columns[i].name;
    }
    sql__add_query_relation(a, scope, r);
    return true;
}

/* ---- CREATE FUNCTION ---- */

static void check_parameters(Analyzer *a, const Statement *f)
{
    const Routine *routine = f->routine;
    const char *name = f->name.parts[f->name.count - 1];

    for (int i = 0; i < routine->parameter_count; i++) {
        const Parameter *parameter = &routine->parameters[i];
        for (int j = 0; j < i; j++)
            if (!strcasecmp(parameter->name, routine->parameters[j].name))
                sql__error(a, parameter->pos, "DUPLICATE_ROUTINE_PARAMETER_NAMES", "function \"%s\" has two parameters \"%s\"", name, parameter->name);
        if (i && !parameter->fallback && routine->parameters[i - 1].fallback)
            sql__error(a, parameter->pos, "USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_PARAMETER_POSITION",
                       "parameter \"%s\" needs a DEFAULT too, since it stands behind one that has one", parameter->name);
    }
    for (int i = 0; i < f->column_count; i++)
        for (int j = 0; j < i; j++)
            if (!strcasecmp(f->columns[i].name, f->columns[j].name))
                sql__error(a, f->columns[i].pos, "DUPLICATE_ROUTINE_RETURNS_COLUMNS", "function \"%s\" returns two columns \"%s\"", name, f->columns[i].name);
}

static bool is_subquery(const Expr *e)
{
    return e->query;
}

static void check_defaults(Analyzer *a, const Statement *f)
{
    for (int i = 0; i < f->routine->parameter_count; i++) {
        const Parameter *parameter = &f->routine->parameters[i];
        Scope empty = {.clause = "a default of a function", .no_aggregate = true, .no_window = true};
        Expr *value = parameter->fallback;

        if (!value)
            continue;
        if (sql__any(value, is_subquery)) {
            sql__error(a, value->pos, "USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_EXPRESSION", "the DEFAULT of \"%s\" may not hold a subquery", parameter->name);
            continue;
        }
        sql__expr(a, &empty, &value);
        if (value->type)
            cast_explicitly(a, &value, parameter->type, sql__text(a, "parameter \"%s\"", parameter->name));
    }
}

int sql_check_function(Arena *arena, const Statement *f, const SqlCatalog *catalog, const SqlSettings *settings, SqlErrors *errors)
{
    Analyzer a = {.arena = arena, .catalog = catalog, .settings = settings, .errors = errors};
    const Routine *routine = f->routine;
    RoutineCall call = {NULL, f->name.parts[f->name.count - 1]};
    Relation *parameters = sql__new_relation(&a, f->name.pos, routine->parameter_count);
    Scope scope = {0};
    int before = errors->count;

    if (sql_function_find(call.name) || sql__is_type_name(call.name) || !strcasecmp(call.name, "range")) {
        sql__error(&a, f->name.pos, "ROUTINE_ALREADY_EXISTS", "there is a built-in function \"%s\" already", call.name);
        sql__hint(&a, "Give yours another name.");
        return -1;
    }
    check_parameters(&a, f);
    check_defaults(&a, f);
    int body_errors = errors->count;
    for (int i = 0; i < routine->parameter_count; i++) {
        parameters->column_names[i] = routine->parameters[i].name;
        parameters->column_types[i] = routine->parameters[i].type;
        parameters->column_nullable[i] = true;
    }
    sql__scope_add(&a, &scope, parameters, NULL, f->name.parts[f->name.count - 1], 0);
    a.routine = &call;
    if (errors->count == before && routine->is_table) {
        Query *body = f->query;

        sql__query(&a, body, &scope, NULL);
        typed_body(&a, f, &body);
    } else if (errors->count == before) {
        Expr *body = simple_body(routine->body);

        scope.routine = scope.no_aggregate = scope.no_window = true;
        sql__expr(&a, &scope, &body);
        if (body->type && routine->returns)
            cast_explicitly(&a, &body, routine->returns, "the function's result");
    }
    name_errors(&a, body_errors, call.name);
    if (errors->count == before && routine->is_table && !f->query->column_count)
        sql__error(&a, f->query->pos, "INTERNAL_ERROR", "this query could not be understood");
    sql__close_constants(&a);
    return sql__sort_errors(errors, before);
}

/* ---- variables ---- */

/* v, session.v, system.session.v: how many parts of the name are the variable's; 0: it names none. */
static int variable_parts(const SqlName *name)
{
    if (name->count >= 3 && !strcasecmp(name->parts[0], "system") && !strcasecmp(name->parts[1], "session"))
        return 3;
    return name->count >= 2 && !strcasecmp(name->parts[0], "session") ? 2 : 1;
}

bool sql__bind_variable(Analyzer *a, Expr **slot)
{
    Expr *e = *slot;
    SqlName name = e->name;
    int parts = variable_parts(&name);
    const Expr *value = a->catalog && a->catalog->variable ? a->catalog->variable(a->catalog->self, name.parts[parts - 1]) : NULL;

    if (!value && parts == 2 && a->catalog && a->catalog->variable) { /* a variable called session */
        parts = 1;
        value = a->catalog->variable(a->catalog->self, name.parts[0]);
    }
    if (!value)
        return false;
    *slot = sql__clone(a, value);
    (*slot)->pos = e->pos;
    sql__take_fields(a, slot, &name, parts);
    return true;
}
