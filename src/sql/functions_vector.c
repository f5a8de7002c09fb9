/* sql/functions_vector.c - arrays of FLOAT as vectors */
#include "sql/analyze.h"

/* Spark casts nothing here: an array of anything else, also NULL, is refused. */
static bool is_vector(SqlCall *call, int arg)
{
    const Type *t = call->expr->args[arg]->type;

    if (t->kind == TYPE_ARRAY && t->element->kind == TYPE_FLOAT)
        return true;
    sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of %s must be an ARRAY<FLOAT>, not %s", arg + 1, call->expr->function->name,
                  sql__type_name(call->analyzer, t));
    return false;
}

static const Type *vector_of(SqlCall *call)
{
    return type_array(sql_call_arena(call), type_simple(TYPE_FLOAT), false);
}

static const Type *pair_type(SqlCall *call)
{
    call->expr->nullable = true;
    return is_vector(call, 0) && is_vector(call, 1) ? type_simple(TYPE_FLOAT) : NULL;
}

/* f(vector [, degree]) */
static bool with_degree(SqlCall *call)
{
    Expr *e = call->expr;

    if (!is_vector(call, 0))
        return false;
    e->nullable = true;
    if (e->arg_count == 1 || e->args[1]->type->kind == TYPE_FLOAT)
        return true;
    sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the degree of %s is a FLOAT, as in 2.0F, not %s", e->function->name,
                  sql__type_name(call->analyzer, e->args[1]->type));
    return false;
}

static const Type *norm_type(SqlCall *call)
{
    return with_degree(call) ? type_simple(TYPE_FLOAT) : NULL;
}

static const Type *normalize_type(SqlCall *call)
{
    return with_degree(call) ? vector_of(call) : NULL;
}

static void norm_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count == 1 ? "silt_vector_norm($1, CAST(2 AS FLOAT), $pos)" : "silt_vector_norm($1, $2, $pos)", call);
}

static void normalize_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count == 1 ? "silt_vector_normalize($1, CAST(2 AS FLOAT), $pos)" : "silt_vector_normalize($1, $2, $pos)", call);
}

static const Type *group_type(SqlCall *call)
{
    return is_vector(call, 0) ? vector_of(call) : NULL;
}

const SqlFunction sql_functions_vector[] = {
    {"vector_cosine_similarity", "any, any ->", "silt_vector_cosine($1, $2, $pos)", FN_MAY_FAIL, pair_type, NULL},
    {"vector_inner_product", "any, any ->", "silt_vector_product($1, $2, $pos)", FN_MAY_FAIL, pair_type, NULL},
    {"vector_l2_distance", "any, any ->", "silt_vector_distance($1, $2, $pos)", FN_MAY_FAIL, pair_type, NULL},
    {"vector_norm", "any [, any] ->", NULL, FN_MAY_FAIL, norm_type, norm_print},
    {"vector_normalize", "any [, any] ->", NULL, FN_MAY_FAIL, normalize_type, normalize_print},
    {"vector_sum", "any ->", "silt_floats(silt_vector_sum($&$1, $pos)$f)", FN_AGGREGATE | FN_MAY_FAIL, group_type, NULL},
    {"vector_avg", "any ->", "silt_floats(silt_vector_avg($&$1, $pos)$f)", FN_AGGREGATE | FN_MAY_FAIL, group_type, NULL},
    {NULL},
};
