/* sql/functions_datasketch.c - sketches of Apache DataSketches kept as BINARY: HLL, theta, KLL */
#include <stdio.h>
#include <string.h>

#include "duck/sketch.h"
#include "sql/analyze.h"
#include "sql/constant.h"

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
static bool constant_size(SqlCall *call, const Expr *e, int64_t *out)
{
    while (e->kind == EXPR_CAST && (e->implicit || e->args[0]->kind == EXPR_LITERAL))
        e = e->args[0];
    Constant c = sql__constant(call->analyzer, e);

    *out = c.whole;
    return c.kind == CONSTANT_WHOLE || c.kind == CONSTANT_NULL;
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
    if (!constant_size(call, e->args[arg], &value)) {
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

/* kll_..._bigint, _float, _double */
static SketchKllKind kll_kind(const Expr *call)
{
    const char *last = strrchr(call->function->name, '_');

    return !strcmp(last, "_bigint") ? SKETCH_KLL_LONG : !strcmp(last, "_float") ? SKETCH_KLL_FLOAT : SKETCH_KLL_DOUBLE;
}

static const Type *kll_value_type(const Expr *call)
{
    static const TypeKind kinds[] = {TYPE_LONG, TYPE_FLOAT, TYPE_DOUBLE};

    return type_simple(kinds[kll_kind(call)]);
}

/* k of an aggregate: extra becomes it, 0 where it is left out. */
static bool kll_size(SqlCall *call)
{
    Expr *e = call->expr;
    int *k = ARENA_NEW(sql_call_arena(call), int);
    int64_t value;

    e->extra = k;
    if (e->arg_count < 2)
        return true;
    if (e->args[1]->type->kind == TYPE_VOID) {
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_NULL", "the k of %s must not be NULL", e->function->name);
        return false;
    }
    if (!takes(call, 1, TYPE_INT))
        return false;
    if (!constant_size(call, e->args[1], &value)) {
        sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the k of %s must be a constant", e->function->name);
        return false;
    }
    if (value < SKETCH_KLL_K_LEAST || value > SKETCH_KLL_K_MOST) {
        sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "the k of %s is from %d to %d, not %lld", e->function->name, SKETCH_KLL_K_LEAST,
                      SKETCH_KLL_K_MOST, (long long)value);
        return false;
    }
    *k = (int)value;
    return true;
}

/* kll_sketch_agg_<type>(x [, k]) */
static const Type *kll_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type, *value = kll_value_type(e);
    bool fits = value->kind == TYPE_LONG ? type_is_integral(t) : t->kind == TYPE_FLOAT || (t->kind == TYPE_DOUBLE && value->kind == TYPE_DOUBLE);

    if (!fits && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s takes %s, not %s", e->function->name,
                             value->kind == TYPE_LONG    ? "integers"
                             : value->kind == TYPE_FLOAT ? "FLOAT"
                                                         : "FLOAT and DOUBLE",
                             sql__type_name(call->analyzer, t));
    if (t->kind != value->kind)
        sql_call_cast(call, 0, value);
    return kll_size(call) ? type_simple(TYPE_BINARY) : NULL;
}

static const Type *kll_merge_agg_type(SqlCall *call)
{
    return takes_binary(call, 0) && kll_size(call) ? type_simple(TYPE_BINARY) : NULL;
}

static int kll_k(const Expr *call)
{
    int k = *(const int *)call->extra;

    return k > 0 ? k : SKETCH_KLL_K_DEFAULT;
}

static void kll_print(StrBuf *out, const Expr *call)
{
    char text[96];

    snprintf(text, sizeof text, "coalesce(silt_kll_of_values(list($&$1)$n, %d), silt_kll_empty(%d))", kll_k(call), kll_k(call));
    sql_duck_template(out, text, call);
}

static void kll_merge_agg_print(StrBuf *out, const Expr *call)
{
    char text[128];

    snprintf(text, sizeof text, "coalesce(silt_kll_of_sketches(list($&$1)$n, %d, %d, $pos), silt_kll_empty(%d))", (int)kll_kind(call), *(const int *)call->extra, kll_k(call));
    sql_duck_template(out, text, call);
}

/* What is asked for is one value of this type or an array of them, and a constant; then so is what comes out. */
static const Type *kll_asked(SqlCall *call, const Type *asked, const Type *result)
{
    Expr *e = call->expr;
    Arena *arena = sql_call_arena(call);
    bool several = e->args[1]->type->kind == TYPE_ARRAY;

    if (!e->args[1]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "what %s is asked for must be a constant", e->function->name);
    if (!sql_call_cast(call, 1, several ? type_array(arena, asked, true) : asked))
        return NULL;
    return several ? type_array(arena, result, false) : result;
}

static const Type *kll_quantile_type(SqlCall *call)
{
    return kll_asked(call, type_simple(TYPE_DOUBLE), kll_value_type(call->expr));
}

static const Type *kll_rank_type(SqlCall *call)
{
    return kll_asked(call, kll_value_type(call->expr), type_simple(TYPE_DOUBLE));
}

static void kll_function_print(StrBuf *out, const Expr *call)
{
    static const struct {
        const char *name, *text;
    } functions[] = {
        {"kll_sketch_get_n_", "silt_kll_count($1, %d, $pos)"},
        {"kll_sketch_merge_", "silt_kll_union($1, %d, $2, $pos)"},
        {"kll_sketch_to_string_", "silt_kll_text($1, %d, $pos)"},
        {"kll_sketch_get_quantile_", "\"silt_kll_quantile:$T\"($1, %d, $2, $pos)"},
        {"kll_sketch_get_rank_", "\"silt_kll_rank:$T\"($1, %d, $2, $pos)"},
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strncmp(call->function->name, functions[i].name, strlen(functions[i].name))) {
            silt_auto(str_buf_fini) StrBuf text = {0};
            const char *kind = strstr(functions[i].text, "%d");
            str_buf_printf(&text, "%.*s%d%s", (int)(kind - functions[i].text), functions[i].text, (int)kll_kind(call), kind + 2);
            sql_duck_template(out, str_buf_text(&text), call);
            return;
        }
}

#define KLL(type)                                                                                                                          \
    {"kll_sketch_agg_" type, "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, kll_type, kll_print},                                     \
        {"kll_merge_agg_" type, "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL, kll_merge_agg_type, kll_merge_agg_print}, \
        {"kll_sketch_get_n_" type, "binary -> bigint", NULL, FN_MAY_FAIL, NULL, kll_function_print},                                       \
        {"kll_sketch_merge_" type, "binary, binary -> binary", NULL, FN_MAY_FAIL, NULL, kll_function_print},                               \
        {"kll_sketch_to_string_" type, "binary -> string", NULL, FN_MAY_FAIL, NULL, kll_function_print},                                   \
        {"kll_sketch_get_quantile_" type, "binary, any ->", NULL, FN_MAY_FAIL, kll_quantile_type, kll_function_print},                     \
        {"kll_sketch_get_rank_" type, "binary, any ->", NULL, FN_MAY_FAIL, kll_rank_type, kll_function_print}

const SqlFunction sql_functions_datasketch[] = {
    KLL("bigint"), KLL("float"), KLL("double"),
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
