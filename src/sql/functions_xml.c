/* sql/functions_xml.c - XML in a column, its schema, and XPath over it */
#include <string.h>

#include "duck/xml_style.h"
#include "duck/xml_take.h"
#include "duck/xml_write.h"
#include "sql/analyze.h"

/* The argument as the user wrote it. */
static const Expr *given(const Expr *e)
{
    while (e->kind == EXPR_CAST && e->implicit)
        e = e->args[0];
    return e;
}

/* Spark casts nothing to a text here. False with an error recorded. */
static bool is_text(SqlCall *call, int arg)
{
    const Expr *e = given(call->expr->args[arg]);

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

/* ---- from_xml, schema_of_xml, to_xml ---- */

/* Names and values by turns, as they were given: the functions read them again by xml_style.h. */
typedef struct XmlOptions {
    const char **texts;
    int count;
    XmlStyle style;
} XmlOptions;

/* The options at args[arg], looked at and taken off; NULL with an error recorded. */
static const XmlOptions *xml_options(SqlCall *call, int arg)
{
    Arena *arena = sql_call_arena(call);
    XmlOptions *o = ARENA_NEW(arena, XmlOptions);
    const Expr *map;
    SiltErr err;
    int r = 0;

    if (!sql_call_options(call, arg, &map))
        return NULL;
    o->texts = ARENA_ARRAY(arena, const char *, map ? map->arg_count + 1 : 1);
    xml_style_init(&o->style);
    for (int i = 0; map && r == 0 && i + 1 < map->arg_count; i += 2) {
        const char *key, *value;

        if (!sql_call_option(call, map, i, &key, &value))
            return NULL;
        o->texts[o->count++] = key;
        o->texts[o->count++] = value;
        r = xml_style_set(&o->style, str_of(key), str_of(value), &err);
    }
    if (r == 0)
        r = xml_style_finish(&o->style, &err);
    if (r < 0)
        sql_call_fail(call, err.code, "%s: %s", call->expr->function->name, err.message);
    return r < 0 ? NULL : o;
}

static void call_print(StrBuf *out, const Expr *call, const char *begin)
{
    const XmlOptions *o = call->extra;

    sql_duck_template(out, begin, call);
    for (int i = 0; i < o->count; i++) {
        str_buf_puts(out, ", ");
        sql_duck_text(out, str_of(o->texts[i]));
    }
    sql_duck_template(out, ", $pos)", call);
}

static bool has_char(const Type *type)
{
    if (type->kind == TYPE_MAP || type->kind == TYPE_ARRAY)
        return has_char(type->element);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (type->fields[i].metadata_json || has_char(type->fields[i].type))
            return true;
    return false;
}

/* Names of maps are texts, at all depths. */
static bool maps_have_names(const Type *type)
{
    if (type->kind == TYPE_MAP && type->key->kind != TYPE_STRING)
        return false;
    if (type->kind == TYPE_MAP || type->kind == TYPE_ARRAY)
        return maps_have_names(type->element);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (!maps_have_names(type->fields[i].type))
            return false;
    return true;
}

static const Type *from_xml_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *schema, *why;
    const Type *t;
    SiltErr err;

    if (!is_text(call, 0))
        return NULL;
    schema = given(e->args[1])->type->kind == TYPE_STRING ? sql_constant_text(call->analyzer, e->args[1]) : NULL;
    if (!schema)
        return sql_call_fail(call, "INVALID_SCHEMA.NON_STRING_LITERAL", "the schema of from_xml must be a constant string");
    if (!str_trim(str_of(schema)).size)
        return sql_call_fail(call, "PARSE_EMPTY_STATEMENT", "the schema of from_xml is empty");
    if (type_parse_ddl(sql_call_arena(call), str_of(schema), true, &t, &err) < 0)
        return sql_call_fail(call, "PARSE_SYNTAX_ERROR", "the schema of from_xml cannot be read: %s", err.message);
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_VARIANT)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_XML_SCHEMA", "from_xml makes a STRUCT, not %s",
                             sql__type_name(call->analyzer, t));
    if (has_char(t))
        return sql_call_fail(call, "UNSUPPORTED_CHAR_OR_VARCHAR_AS_STRING", "CHAR and VARCHAR have no place in the schema of from_xml");
    if (!maps_have_names(t))
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_XML_MAP_KEY_TYPE", "the keys of a MAP that from_xml makes are STRINGs");
    if (!xml_take_fits(sql_call_arena(call), t, &why))
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.XML_TYPE", "from_xml does not make %s", why);
    const XmlOptions *options = xml_options(call, 2);

    if (!options)
        return NULL;
    for (int i = 0; i < t->field_count; i++) {
        if (!str_is(options->style.corrupt, t->fields[i].name))
            continue;
        if (t->fields[i].type->kind != TYPE_STRING)
            return sql_call_fail(call, "INVALID_CORRUPT_RECORD_TYPE",
                                 "the field \"%s\", which takes records that do not fit, must be STRING, not %s", t->fields[i].name,
                                 sql__type_name(call->analyzer, t->fields[i].type));
        if (i + 1 < t->field_count)
            return sql_call_fail(
                call, "UNSUPPORTED_FEATURE.XML_CORRUPT_RECORD",
                "the field \"%s\", which takes records that do not fit, must be the last one: Spark loses the fields behind it",
                t->fields[i].name);
    }
    e->arg_count = 1;
    e->extra = (void *)options;
    return type_copy_nullable(sql_call_arena(call), t);
}

static void from_xml_print(StrBuf *out, const Expr *call)
{
    call_print(out, call, "\"silt_from_xml:$T\"($1");
}

static const Type *schema_of_xml_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!is_text(call, 0))
        return NULL;
    if (!e->args[0]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the text of schema_of_xml must be a constant");
    if (!sql_constant_text(call->analyzer, e->args[0]))
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_NULL", "the text of schema_of_xml is NULL");
    e->extra = (void *)xml_options(call, 1);
    return e->extra ? type_simple(TYPE_STRING) : NULL;
}

static void schema_of_xml_print(StrBuf *out, const Expr *call)
{
    call_print(out, call, "silt_schema_of_xml($1");
}

static const Type *to_xml_type(SqlCall *call)
{
    const XmlOptions *options = xml_options(call, 1);
    Expr *e = call->expr;
    const char *why;

    if (!options)
        return NULL;
    if (!options->style.attribute_prefix.size)
        return sql_call_fail(call, "INVALID_PARAMETER_VALUE", "to_xml: the attributePrefix has at least one character");
    if (e->args[0]->type->kind == TYPE_STRUCT && !xml_write_fits(sql_call_arena(call), &options->style, e->args[0]->type, &why))
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.XML_TYPE", "to_xml does not write %s", why);
    e->extra = (void *)options;
    return type_simple(TYPE_STRING);
}

static void to_xml_print(StrBuf *out, const Expr *call)
{
    if (call->args[0]->type->kind == TYPE_VOID)
        str_buf_puts(out, "CAST(NULL AS VARCHAR)");
    else
        call_print(out, call, "silt_to_xml($1");
}

const SqlFunction sql_functions_xml[] = {
    {"from_xml", "string, string [, any] ->", NULL, FN_MAY_FAIL | FN_NULLABLE, from_xml_type, from_xml_print},
    {"schema_of_xml", "string [, any] ->", NULL, FN_MAY_FAIL, schema_of_xml_type, schema_of_xml_print},
    {"to_xml", "struct [, any] ->", NULL, FN_MAY_FAIL, to_xml_type, to_xml_print},
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
