/* sql/functions_variant.c - VARIANT: made of JSON, looked into by paths */
#include <string.h>

#include "sql/analyze.h"

static const Type *variant_type(SqlCall *call)
{
    return type_simple(TYPE_VARIANT);
}

/* variant_get(v, path [, type]): the type is a constant text */
static const Type *get_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = type_simple(TYPE_VARIANT);
    SiltErr err;

    if (e->args[0]->type->kind != TYPE_VARIANT && e->args[0]->type->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s looks into a VARIANT, not %s", e->function->name,
                             sql__type_name(call->analyzer, e->args[0]->type));
    if (!sql_call_cast(call, 1, type_simple(TYPE_STRING)))
        return NULL;
    if (e->arg_count > 2) {
        const char *text = sql_constant_text(call->analyzer, e->args[2]);

        if (!text)
            return sql_call_fail(call, "NON_FOLDABLE_ARGUMENT", "the type of %s must be a constant string", e->function->name);
        if (type_parse_ddl(sql_call_arena(call), str_of(text), true, &t, &err) < 0)
            return sql_call_fail(call, "PARSE_SYNTAX_ERROR", "the type \"%s\" cannot be read: %s", text, err.message);
        e->arg_count = 2;
    }
    e->nullable = true;
    return t;
}

static void get_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    sql_duck_template(out, try_it ? "\"silt_try_variant_get:$T\"($1, $2)" : "\"silt_variant_get:$T\"($1, $2, $pos)", call);
}

static bool holds_void(const Type *t)
{
    switch (t->kind) {
    case TYPE_ARRAY:
        return holds_void(t->element);
    case TYPE_MAP:
        return holds_void(t->key) || holds_void(t->element);
    case TYPE_STRUCT:
        for (int i = 0; i < t->field_count; i++)
            if (holds_void(t->fields[i].type))
                return true;
        return false;
    default:
        return t->kind == TYPE_VOID;
    }
}

static const Type *object_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if ((t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY && t->kind != TYPE_MAP) || holds_void(t))
        return sql_call_fail(call, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "to_variant_object takes a STRUCT, an ARRAY or a MAP, not %s",
                             sql__type_name(call->analyzer, t));
    return type_simple(TYPE_VARIANT);
}

/* Nothing is cast to VARIANT here. */
static const Type *schemas_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (e->args[0]->type->kind != TYPE_VARIANT && e->args[0]->type->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s takes a VARIANT, not %s", e->function->name,
                             sql__type_name(call->analyzer, e->args[0]->type));
    sql__cast(call->analyzer, &e->args[0], type_simple(TYPE_VARIANT));
    return type_simple(TYPE_STRING);
}

static const Type *validity_type(SqlCall *call)
{
    return schemas_type(call) ? type_simple(TYPE_BOOLEAN) : NULL;
}

static const Type *explode_type(SqlCall *call)
{
    return sql_call_fail(call, "UNSUPPORTED_GENERATOR", "%s may stand only in FROM or in LATERAL VIEW", call->expr->function->name);
}

const SqlFunction sql_functions_variant[] = {
    {"variant_explode", "any -> void", NULL, FN_GENERATOR, explode_type, NULL},
    {"variant_explode_outer", "any -> void", NULL, FN_GENERATOR, explode_type, NULL},
    {"parse_json", "string ->", "silt_parse_json($1, $pos)", FN_MAY_FAIL, variant_type, NULL},
    {"try_parse_json", "string ->", "silt_try_parse_json($1)", FN_NULLABLE, variant_type, NULL},
    {"variant_get", "any, string [, string] ->", NULL, FN_MAY_FAIL | FN_NULLABLE, get_type, get_print},
    {"try_variant_get", "any, string [, string] ->", NULL, FN_NULLABLE, get_type, get_print},
    {"is_variant_null", "variant -> boolean", "silt_is_variant_null($1)", FN_NOT_NULL, NULL, NULL},
    {"schema_of_variant", "variant -> string", "silt_schema_of_variant($1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"schema_of_variant_agg", "any ->", "silt_schema_of_variants($&$1, $pos)$f", FN_AGGREGATE | FN_MAY_FAIL | FN_NOT_NULL, schemas_type, NULL},
    {"is_valid_variant", "any ->", "silt_is_valid_variant($1)", 0, validity_type, NULL},
    {"to_variant_object", "any ->", "silt_to_variant($1, $pos)", FN_MAY_FAIL, object_type, NULL},
    {NULL},
};
