/* sql/functions_datasketch.c - sketches of Apache DataSketches kept as BINARY: HLL, theta */
#include <stdio.h>

#include "duck/sketch.h"
#include "sql/analyze.h"
#include "sql/fold.h"

/* Sketches and their sizes are not cast: Spark takes just this type, or NULL. False with an error recorded. */
static bool takes(SqlCall *call, int arg, TypeKind kind)
{
    const Expr *e = call->expr;
    const Type *t = e->args[arg]->type;

    if (t->kind == kind)
        return true;
    if (t->kind == TYPE_VOID)
        return sql_call_cast(call, arg, type_simple(kind));
    sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of %s is %s, not %s", arg + 1, e->function->name,
                  sql__type_name(call->analyzer, type_simple(kind)), sql__type_name(call->analyzer, t));
    return false;
}

static bool takes_binary(SqlCall *call, int arg)
{
    return arg >= call->expr->arg_count || takes(call, arg, TYPE_BINARY);
}

/* Value of a constant INT of an aggregate, NULL being 0; false: it is none. */
static bool constant_size(const Expr *e, int64_t *out)
{
    while (e->kind == EXPR_CAST)
        e = e->args[0];
    *out = 0;
    return e->type->kind == TYPE_VOID || (e->constant && sql__fold_int(e, out));
}

/* The logarithm of a size at args[arg], a constant from least to most; left out it is as it was. False with an error recorded. */
static bool takes_size(SqlCall *call, int arg, const char *not_constant, const char *not_fitting, int least, int most, int *out)
{
    Expr *e = call->expr;
    int64_t value;

    if (arg >= e->arg_count)
        return true;
    if (!takes(call, arg, TYPE_INT))
        return false;
    if (!constant_size(e->args[arg], &value)) {
        sql_call_fail(call, not_constant, "the size of %s must be a constant", e->function->name);
        return false;
    }
    if (value < least || value > most) {
        sql_call_fail(call, not_fitting, "the size of %s is a power of 2, from %d to %d, not %lld", e->function->name, least, most, (long long)value);
        return false;
    }
    *out = (int)value;
    return true;
}

/* hll_sketch_agg(x [, lg_k]): extra becomes lg_k */
static const Type *hll_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;
    int *lg_k = ARENA_NEW(sql_call_arena(call), int);

    if (t->kind != TYPE_INT && t->kind != TYPE_LONG && t->kind != TYPE_STRING && t->kind != TYPE_BINARY && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s counts INT, BIGINT, STRING and BINARY, not %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    if ((t->kind == TYPE_INT || t->kind == TYPE_VOID) && !sql_call_cast(call, 0, type_simple(TYPE_LONG)))
        return NULL;
    *lg_k = SKETCH_HLL_LG_K_DEFAULT;
    if (!takes_size(call, 1, "HLL_K_MUST_BE_CONSTANT", "HLL_INVALID_LG_K", SKETCH_HLL_LG_K_LEAST, SKETCH_HLL_LG_K_MOST, lg_k))
        return NULL;
    e->extra = lg_k;
    return type_simple(TYPE_BINARY);
}

static const Type *estimate_type(SqlCall *call)
{
    return takes_binary(call, 0) ? type_simple(TYPE_LONG) : NULL;
}

static const Type *hll_union_type(SqlCall *call)
{
    if (!takes_binary(call, 0) || !takes_binary(call, 1) || (call->expr->arg_count > 2 && !takes(call, 2, TYPE_BOOLEAN)))
        return NULL;
    return type_simple(TYPE_BINARY);
}

/* hll_union_agg(x [, any_size]) */
static const Type *hll_union_agg_type(SqlCall *call)
{
    const Expr *e = call->expr;

    if (!takes_binary(call, 0) || (e->arg_count > 1 && !takes(call, 1, TYPE_BOOLEAN)))
        return NULL;
    if (e->arg_count > 1 && !e->args[1]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "whether the sketches of %s may have different sizes must be a constant", e->function->name);
    return type_simple(TYPE_BINARY);
}

static void hll_print(StrBuf *out, const Expr *call)
{
    char text[96];
    int lg_k = *(const int *)call->extra;

    snprintf(text, sizeof text, "coalesce(silt_hll_sketch($&$1, %d)$f, silt_hll_empty(%d))", lg_k, lg_k);
    sql_duck_template(out, text, call);
}

static void hll_union_agg_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "coalesce(silt_hll_unite($&$1, %s, $pos)$f, silt_hll_empty(%d))", call->arg_count > 1 ? "coalesce($2, false)" : "false", SKETCH_HLL_LG_K_DEFAULT);
    sql_duck_template(out, text, call);
}

static void hll_union_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count > 2 ? "silt_hll_union($1, $2, $3, $pos)" : "silt_hll_union($1, $2, false, $pos)", call);
}

static bool theta_size(SqlCall *call, int arg, int **out)
{
    *out = ARENA_NEW(sql_call_arena(call), int);
    **out = SKETCH_THETA_LG_K_DEFAULT;
    return takes_size(call, arg, "THETA_LG_NOM_ENTRIES_MUST_BE_CONSTANT", "SKETCH_INVALID_LG_NOM_ENTRIES", SKETCH_THETA_LG_K_LEAST, SKETCH_THETA_LG_K_MOST, *out);
}

/* theta_sketch_agg(x [, lg_k]): extra becomes lg_k */
static const Type *theta_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;
    bool list = t->kind == TYPE_ARRAY && (t->element->kind == TYPE_INT || t->element->kind == TYPE_LONG);
    int *lg_k;

    if (t->kind == TYPE_INT || t->kind == TYPE_VOID)
        sql_call_cast(call, 0, type_simple(TYPE_LONG));
    else if (t->kind == TYPE_FLOAT)
        sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
    else if (t->kind != TYPE_LONG && t->kind != TYPE_DOUBLE && t->kind != TYPE_STRING && t->kind != TYPE_BINARY && !list)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                             "%s counts INT, BIGINT, FLOAT, DOUBLE, STRING, BINARY and arrays of INT or BIGINT, not %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    if (!theta_size(call, 1, &lg_k))
        return NULL;
    e->extra = lg_k;
    return type_simple(TYPE_BINARY);
}

static const Type *theta_union_agg_type(SqlCall *call)
{
    int *lg_k;

    if (!takes_binary(call, 0) || !theta_size(call, 1, &lg_k))
        return NULL;
    call->expr->extra = lg_k;
    return type_simple(TYPE_BINARY);
}

static const Type *theta_intersection_agg_type(SqlCall *call)
{
    return takes_binary(call, 0) ? type_simple(TYPE_BINARY) : NULL;
}

static const Type *theta_operation_type(SqlCall *call)
{
    if (!takes_binary(call, 0) || !takes_binary(call, 1) || (call->expr->arg_count > 2 && !takes(call, 2, TYPE_INT)))
        return NULL;
    return type_simple(TYPE_BINARY);
}

static void theta_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "coalesce(silt_theta_sketch($&$1, %d)$f, silt_theta_empty())", *(const int *)call->extra);
    sql_duck_template(out, text, call);
}

static void theta_union_agg_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "coalesce(silt_theta_unite($&$1, %d, $pos)$f, silt_theta_empty())", *(const int *)call->extra);
    sql_duck_template(out, text, call);
}

static void theta_union_print(StrBuf *out, const Expr *call)
{
    char text[64];

    snprintf(text, sizeof text, "silt_theta_union($1, $2, %d, $pos)", SKETCH_THETA_LG_K_DEFAULT);
    sql_duck_template(out, call->arg_count > 2 ? "silt_theta_union($1, $2, $3, $pos)" : text, call);
}

const SqlFunction sql_functions_datasketch[] = {
    {"hll_sketch_agg", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, hll_type, hll_print},
    {"hll_sketch_estimate", "any ->", "silt_hll_estimate($1, $pos)", FN_MAY_FAIL, estimate_type, NULL},
    {"hll_union", "any, any [, any] ->", NULL, FN_MAY_FAIL, hll_union_type, hll_union_print},
    {"hll_union_agg", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL, hll_union_agg_type, hll_union_agg_print},
    {"theta_sketch_agg", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, theta_type, theta_print},
    {"theta_sketch_estimate", "any ->", "silt_theta_estimate($1, $pos)", FN_MAY_FAIL, estimate_type, NULL},
    {"theta_union_agg", "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL, theta_union_agg_type, theta_union_agg_print},
    {"theta_intersection_agg", "any ->", "silt_theta_intersected(silt_theta_intersect($&$1, $pos)$f, $pos)", FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL,
     theta_intersection_agg_type, NULL},
    {"theta_union", "any, any [, any] ->", NULL, FN_MAY_FAIL, theta_operation_type, theta_union_print},
    {"theta_intersection", "any, any ->", "silt_theta_intersection($1, $2, $pos)", FN_MAY_FAIL, theta_operation_type, NULL},
    {"theta_difference", "any, any ->", "silt_theta_difference($1, $2, $pos)", FN_MAY_FAIL, theta_operation_type, NULL},
    {NULL},
};
