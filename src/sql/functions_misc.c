/* sql/functions_misc.c - conditions, NULLs, comparison, the session, hashes, generators */
#include <string.h>

#include "sql/analyze.h"

static const Type *unify_type(SqlCall *call)
{
    const Type *t = sql_call_unify(call, 0);
    Expr *e = call->expr;

    if (t && (!strcmp(e->function->name, "greatest") || !strcmp(e->function->name, "least")) && !sql__orderable(t) && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "%s cannot order values of type %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    /* NULL only if all may be */
    bool all = true;

    for (int i = 0; i < e->arg_count; i++)
        all = all && e->args[i]->nullable;
    e->nullable = all;
    return t;
}

static const Type *if_type(SqlCall *call)
{
    const Type *t = sql_call_unify(call, 1);

    call->expr->nullable = call->expr->args[1]->nullable || call->expr->args[2]->nullable;
    return t;
}

static const Type *nullif_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type, *common = sql__wider(call->analyzer, t, e->args[1]->type);

    if (!common || (!sql__orderable(common) && common->kind != TYPE_VOID))
        return sql_call_fail(call, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "cannot compare %s with %s", sql__type_name(call->analyzer, t),
                             sql__type_name(call->analyzer, e->args[1]->type));
    /* CASE WHEN a = b THEN NULL ELSE a END: only the comparison takes the common type */
    Expr *left = sql__clone(call->analyzer, e->args[0]);

    sql__cast(call->analyzer, &left, common);
    sql__cast(call->analyzer, &e->args[1], common);
    Expr **args = ARENA_ARRAY(sql_call_arena(call), Expr *, 3);

    args[0] = e->args[0];
    args[1] = e->args[1];
    args[2] = left;
    e->args = args;
    e->arg_count = 3;
    e->nullable = true;
    return t;
}

static const Type *typeof_type(SqlCall *call)
{
    Expr *e = call->expr;

    e->text = type_text(sql_call_arena(call), e->args[0]->type);
    return type_simple(TYPE_STRING);
}

static void typeof_print(StrBuf *out, const Expr *call)
{
    sql_duck_text(out, str_of(call->text));
}

static const Type *nanvl_type(SqlCall *call)
{
    const Type *t = sql_call_unify(call, 0);

    if (t && t->kind != TYPE_DOUBLE && t->kind != TYPE_FLOAT) {
        t = type_simple(TYPE_DOUBLE);
        sql_call_cast(call, 0, t);
        sql_call_cast(call, 1, t);
    }
    return t;
}

/* Clones keep their types, so sharing an argument twice is fine for the printer. */
static const Type *zone_type(SqlCall *call)
{
    const SqlSettings *settings = call->analyzer->settings;

    call->expr->text = settings && settings->time_zone ? settings->time_zone : "UTC";
    return type_simple(TYPE_STRING);
}

static const Type *generator_type(SqlCall *call)
{
    return sql_call_fail(call, "UNSUPPORTED_GENERATOR", "%s may stand only by itself in a select list or in LATERAL VIEW", call->expr->function->name);
}

static const Type *raise_type(SqlCall *call)
{
    call->expr->nullable = true;
    return type_simple(TYPE_VOID);
}

const SqlFunction sql_functions_misc[] = {
    {"coalesce", "any... ->", "coalesce($*)", 0, unify_type, NULL},
    {"nvl", "any, any ->", "coalesce($*)", 0, unify_type, NULL},
    {"ifnull", "any, any ->", "coalesce($*)", 0, unify_type, NULL},
    {"if", "boolean, any, any ->", "CASE WHEN $1 THEN $2 ELSE $3 END", 0, if_type, NULL},
    {"nvl2", "any, any, any ->", "CASE WHEN $1 IS NOT NULL THEN $2 ELSE $3 END", 0, if_type, NULL},
    {"nullif", "any, any ->", "CASE WHEN $3 = $2 THEN NULL ELSE $1 END", 0, nullif_type, NULL},
    {"nullifzero", "number -> #1", "CASE WHEN $1 = 0 THEN NULL ELSE $1 END", FN_NULLABLE, NULL, NULL},
    {"zeroifnull", "void -> int", "0", FN_NOT_NULL, NULL, NULL},
    {"zeroifnull", "number -> #1", "coalesce($1, CAST(0 AS $type))", FN_NOT_NULL, NULL, NULL},
    {"isnull", "any -> boolean", "($1 IS NULL)", FN_NOT_NULL, NULL, NULL},
    {"isnotnull", "any -> boolean", "($1 IS NOT NULL)", FN_NOT_NULL, NULL, NULL},
    {"isnan", "double -> boolean", "coalesce(isnan($1), false)", FN_NOT_NULL, NULL, NULL},
    {"nanvl", "number, number ->", "CASE WHEN isnan($1) THEN $2 ELSE $1 END", 0, nanvl_type, NULL},
    {"greatest", "any, any... ->", "greatest($*)", 0, unify_type, NULL},
    {"least", "any, any... ->", "least($*)", 0, unify_type, NULL},
    {"equal_null", "T, T -> boolean", "($1 IS NOT DISTINCT FROM $2)", FN_NOT_NULL, NULL, NULL},
    {"typeof", "any ->", NULL, FN_NOT_NULL, typeof_type, typeof_print},
    {"current_timestamp", "-> timestamp", "silt_now()", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"now", "-> timestamp", "silt_now()", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"current_date", "-> date", "CAST(silt_now() AS DATE)", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"curdate", "-> date", "CAST(silt_now() AS DATE)", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"localtimestamp", "-> timestamp_ntz", "CAST(silt_now() AS TIMESTAMP)", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"current_timezone", "->", NULL, FN_NOT_NULL, zone_type, typeof_print},
    {"rand", "[bigint] -> double", "random()", FN_RANDOM | FN_NOT_NULL, NULL, NULL},
    {"random", "[bigint] -> double", "random()", FN_RANDOM | FN_NOT_NULL, NULL, NULL},
    {"uuid", "-> string", "CAST(uuid() AS VARCHAR)", FN_RANDOM | FN_NOT_NULL, NULL, NULL},
    {"raise_error", "string ->", "silt_raise_error($1, $pos)", FN_MAY_FAIL | FN_RANDOM, raise_type, NULL},
    {"assert_true", "boolean [, string] ->", "silt_assert_true($*, $pos)", FN_MAY_FAIL | FN_RANDOM, raise_type, NULL},
    {"hash", "any... -> int", "silt_hash($*)", FN_NOT_NULL, NULL, NULL},
    {"xxhash64", "any... -> bigint", "silt_xxhash64($*)", FN_NOT_NULL, NULL, NULL},

    {"explode", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"explode_outer", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"posexplode", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"posexplode_outer", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"inline", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"inline_outer", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"stack", "any... -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {NULL},
};
