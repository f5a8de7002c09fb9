/* sql/functions_xml.c - XPath over XML in a column */
#include <string.h>

#include "sql/analyze.h"

/* Spark casts nothing to a text here. False with an error recorded. */
static bool is_text(SqlCall *call, int arg)
{
    const Expr *e = call->expr->args[arg];

    while (e->kind == EXPR_CAST && e->implicit)
        e = e->args[0];
    if (e->type->kind == TYPE_STRING || e->type->kind == TYPE_VOID)
        return true;
    sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of %s must be STRING, not %s", arg + 1,
                  call->expr->function->name, sql__type_name(call->analyzer, e->type));
    return false;
}

static const Type *xpath_type(SqlCall *call)
{
    static const struct {
        const char *name;
        TypeKind kind;
    } results[] = {{"xpath_boolean", TYPE_BOOLEAN}, {"xpath_double", TYPE_DOUBLE}, {"xpath_number", TYPE_DOUBLE},
                   {"xpath_float", TYPE_FLOAT},     {"xpath_int", TYPE_INT},       {"xpath_long", TYPE_LONG},
                   {"xpath_short", TYPE_SHORT},     {"xpath_string", TYPE_STRING}};
    const char *name = call->expr->function->name;

    if (!is_text(call, 0) || !is_text(call, 1))
        return NULL;
    if (!call->expr->args[1]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the expression of %s must be a constant", name);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (!strcmp(name, results[i].name))
            return type_simple(results[i].kind);
    return type_array(sql_call_arena(call), type_simple(TYPE_STRING), true);
}

const SqlFunction sql_functions_xml[] = {
    {"xpath", "string, string ->", "silt_xpath($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_boolean", "string, string ->", "silt_xpath_boolean($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_double", "string, string ->", "silt_xpath_double($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_number", "string, string ->", "silt_xpath_double($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_float", "string, string ->", "silt_xpath_float($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_int", "string, string ->", "silt_xpath_int($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_long", "string, string ->", "silt_xpath_long($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_short", "string, string ->", "silt_xpath_short($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {"xpath_string", "string, string ->", "silt_xpath_string($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, xpath_type, NULL},
    {NULL},
};
