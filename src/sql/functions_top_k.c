/* sql/functions_top_k.c - approx_top_k, and its sketches: accumulated, combined, asked */
#include <stdio.h>
#include <string.h>

#include "duck/top_k.h"
#include "sql/analyze.h"
#include "sql/constant.h"

enum { STATE_FIELDS = 4 };

/* Arguments of one call; in extra. */
typedef struct TopK {
    int k, tracked; /* tracked of approx_top_k_combine: 0 where it is left out */
} TopK;

/* A constant INT above 0, also one that is cast to it, at args[arg], which may be left out. False with an error recorded. */
static bool takes_count(SqlCall *call, int arg, const char *what, int *out)
{
    Expr *e = call->expr;
    const char *name = e->function->name;

    if (arg >= e->arg_count)
        return true;
    const Type *t = e->args[arg]->type;
    if (!type_is_numeric(t) && t->kind != TYPE_STRING && t->kind != TYPE_VOID) {
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s of %s is an INT, not %s", what, name, sql__type_name(call->analyzer, t));
        return false;
    }
    if (!e->args[arg]->constant) {
        sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "%s of %s must be a constant", what, name);
        return false;
    }
    if (t->kind != TYPE_INT && t->kind != TYPE_VOID && !sql_call_cast(call, arg, type_simple(TYPE_INT)))
        return false;
    Constant c = t->kind == TYPE_VOID ? (Constant){.kind = CONSTANT_NULL} : sql__constant(call->analyzer, e->args[arg]);
    if (c.kind == CONSTANT_WHOLE && c.whole > 0) {
        *out = (int)c.whole;
        return true;
    }
    if (c.kind == CONSTANT_WHOLE)
        sql_call_fail(call, "APPROX_TOP_K_NON_POSITIVE_ARG", "%s of %s must be above 0, not %lld", what, name, (long long)c.whole);
    else if (c.kind == CONSTANT_NULL)
        sql_call_fail(call, "APPROX_TOP_K_NULL_ARG", "%s of %s must not be NULL", what, name);
    else if (c.kind == CONSTANT_FAILS)
        sql_call_fail(call, c.code, "%s of %s cannot be computed", what, name);
    else
        sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "%s of %s must be a constant that is known when the query is read", what, name);
    return false;
}

static bool takes_tracked(SqlCall *call, int arg, int *out)
{
    if (!takes_count(call, arg, "maxItemsTracked", out))
        return false;
    if (*out > TOP_K_ITEMS_MOST) {
        sql_call_fail(call, "APPROX_TOP_K_MAX_ITEMS_TRACKED_EXCEEDS_LIMIT", "maxItemsTracked of %s must not be above %d", call->expr->function->name, TOP_K_ITEMS_MOST);
        return false;
    }
    return true;
}

static TopK *top_k_new(SqlCall *call, int tracked)
{
    TopK *self = ARENA_NEW(sql_call_arena(call), TopK);

    *self = (TopK){TOP_K_DEFAULT, tracked};
    call->expr->extra = self;
    return self;
}

static bool counts(SqlCall *call)
{
    const Expr *e = call->expr;

    if (top_k_counts(e->args[0]->type))
        return true;
    sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "%s counts numbers, BOOLEAN, STRING, DATE and timestamps, not %s", e->function->name,
                  sql__type_name(call->analyzer, e->args[0]->type));
    return false;
}

static const Type *result_type(SqlCall *call, const Type *item)
{
    TypeField fields[] = {{.name = "item", .type = item, .nullable = true}, {.name = "count", .type = type_simple(TYPE_LONG)}};

    return type_array(sql_call_arena(call), type_struct(sql_call_arena(call), fields, 2), false);
}

static const Type *state_type(SqlCall *call, const Type *item)
{
    TypeField fields[STATE_FIELDS] = {{.name = "sketch", .type = type_simple(TYPE_BINARY)},
                                      {.name = "maxItemsTracked", .type = type_simple(TYPE_INT)},
                                      {.name = "itemDataType", .type = item, .nullable = true},
                                      {.name = "itemDataTypeDDL", .type = type_simple(TYPE_STRING)}};

    return type_struct(sql_call_arena(call), fields, STATE_FIELDS);
}

/* approx_top_k(x [, k [, tracked]]) */
static const Type *top_k_type(SqlCall *call)
{
    TopK *self = top_k_new(call, TOP_K_ITEMS_DEFAULT);

    if (!counts(call) || !takes_count(call, 1, "k", &self->k) || !takes_tracked(call, 2, &self->tracked))
        return NULL;
    if (self->k > self->tracked)
        return sql_call_fail(call, "APPROX_TOP_K_MAX_ITEMS_TRACKED_LESS_THAN_K", "k of approx_top_k must not be above maxItemsTracked: %d is above %d", self->k, self->tracked);
    return result_type(call, call->expr->args[0]->type);
}

static void top_k_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "\"silt_top_k:$T\"(silt_top_k_ranked($&$1, %d)$f)", ((const TopK *)call->extra)->k);
    sql_duck_template(out, text, call);
}

/* approx_top_k_accumulate(x [, tracked]) */
static const Type *accumulate_type(SqlCall *call)
{
    TopK *self = top_k_new(call, TOP_K_ITEMS_DEFAULT);

    return counts(call) && takes_tracked(call, 1, &self->tracked) ? state_type(call, call->expr->args[0]->type) : NULL;
}

static void accumulate_print(StrBuf *out, const Expr *call)
{
    int tracked = ((const TopK *)call->extra)->tracked;
    silt_auto(str_buf_fini) StrBuf ddl = {0};
    char text[128];

    snprintf(text, sizeof text, "struct_pack(\"sketch\" := coalesce(silt_top_k_sketch($&$1, %d)$f, silt_top_k_empty(%d)), ", tracked, tracked);
    sql_duck_template(out, text, call);
    str_buf_printf(out, "\"maxItemsTracked\" := %d, \"itemDataType\" := CAST(NULL AS ", tracked);
    sql_duck_type(out, call->args[0]->type);
    str_buf_puts(out, "), \"itemDataTypeDDL\" := ");
    top_k_put_ddl(&ddl, call->args[0]->type);
    sql_duck_text(out, str_buf_view(&ddl));
    str_buf_puts(out, ")");
}

/* A sketch with what belongs to it: its fields count by their places, whatever their names. The type of its items; NULL with an error recorded. */
static const Type *takes_state(SqlCall *call)
{
    const Expr *e = call->expr;
    const Type *t = e->args[0]->type;
    static const TypeKind kinds[STATE_FIELDS] = {TYPE_BINARY, TYPE_INT, TYPE_VOID, TYPE_STRING};

    if (t->kind != TYPE_STRUCT && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s takes what approx_top_k_accumulate gives, not %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    bool fits = t->kind == TYPE_STRUCT && t->field_count == STATE_FIELDS && top_k_counts(t->fields[2].type);
    for (int i = 0; fits && i < STATE_FIELDS; i++)
        fits = kinds[i] == TYPE_VOID || t->fields[i].type->kind == kinds[i];
    if (!fits)
        return sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT",
                             "%s takes what approx_top_k_accumulate gives: sketch BINARY, maxItemsTracked INT, itemDataType of a type that is counted, itemDataTypeDDL STRING; not %s",
                             e->function->name, sql__type_name(call->analyzer, t));
    return t->fields[2].type;
}

/* approx_top_k_combine(state [, tracked]) */
static const Type *combine_type(SqlCall *call)
{
    TopK *self = top_k_new(call, 0);
    const Type *item = takes_state(call);

    return item && takes_tracked(call, 1, &self->tracked) ? state_type(call, item) : NULL;
}

static void combine_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "\"silt_top_k_combine:$T\"(list($&$1)$f, %d, $pos)", ((const TopK *)call->extra)->tracked);
    sql_duck_template(out, text, call);
}

/* approx_top_k_estimate(state [, k]) */
static const Type *estimate_type(SqlCall *call)
{
    TopK *self = top_k_new(call, 0);
    const Type *item = takes_state(call);

    return item && takes_count(call, 1, "k", &self->k) ? result_type(call, item) : NULL;
}

static void estimate_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "\"silt_top_k_estimate:$T\"($1, %d, $pos)", ((const TopK *)call->extra)->k);
    sql_duck_template(out, text, call);
}

const SqlFunction sql_functions_top_k[] = {
    {"approx_top_k", "any [, any, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, top_k_type, top_k_print},
    {"approx_top_k_accumulate", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, accumulate_type, accumulate_print},
    {"approx_top_k_combine", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL, combine_type, combine_print},
    {"approx_top_k_estimate", "any [, any] ->", NULL, FN_NOT_NULL | FN_MAY_FAIL, estimate_type, estimate_print},
    {NULL},
};
