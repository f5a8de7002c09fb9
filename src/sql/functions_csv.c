/* sql/functions_csv.c - CSV in a column, and the schemas of texts */
#include <string.h>

#include "sql/analyze.h"

typedef struct CsvOptions {
    const char *separator, *null_text, *mode, *timestamp_format, *date_format;
} CsvOptions;

/* False with an error recorded. */
static bool csv_options(SqlCall *call, int arg, CsvOptions *o)
{
    Expr *e = call->expr;

    *o = (CsvOptions){.separator = ",", .null_text = "", .mode = "PERMISSIVE", .timestamp_format = "", .date_format = ""};
    const Expr *map;

    if (!sql_call_options(call, arg, &map))
        return false;
    for (int i = 0; map && i + 1 < map->arg_count; i += 2) {
        const char *key, *value;

        if (!sql_call_option(call, map, i, &key, &value))
            return false;
        if (!strcasecmp(key, "sep") || !strcasecmp(key, "delimiter")) {
            o->separator = value;
        } else if (!strcasecmp(key, "timestampFormat") && !strcmp(e->function->name, "from_csv")) {
            o->timestamp_format = value;
        } else if (!strcasecmp(key, "dateFormat") && !strcmp(e->function->name, "from_csv")) {
            o->date_format = value;
        } else if (!strcasecmp(key, "nullValue")) {
            o->null_text = value;
        } else if (!strcasecmp(key, "mode") && (!strcasecmp(value, "PERMISSIVE") || !strcasecmp(value, "FAILFAST"))) {
            o->mode = value;
        } else {
            sql_call_fail(call, !strcasecmp(key, "mode") ? "PARSE_MODE_UNSUPPORTED" : "UNSUPPORTED_FEATURE.CSV_OPTION", "%s does not know the option %s = \"%s\"",
                          e->function->name, key, value);
            return false;
        }
    }
    if (strlen(o->separator) == 1)
        return true;
    sql_call_fail(call, "INVALID_DELIMITER_VALUE", "the separator of %s must be one ASCII character, not \"%s\"", e->function->name, o->separator);
    return false;
}

static const Type *from_csv_type(SqlCall *call)
{
    Expr *e = call->expr;
    CsvOptions *options = ARENA_NEW(sql_call_arena(call), CsvOptions);
    const char *schema = sql_constant_text(call->analyzer, e->args[1]);
    const Type *t;
    SiltErr err;

    if (!schema)
        return sql_call_fail(call, "INVALID_SCHEMA.NON_STRING_LITERAL", "the schema of from_csv must be a constant string");
    if (type_parse_ddl(sql_call_arena(call), str_of(schema), true, &t, &err) < 0)
        return sql_call_fail(call, "INVALID_SCHEMA.PARSE_ERROR", "the schema of from_csv cannot be read: %s", err.message);
    if (t->kind != TYPE_STRUCT)
        return sql_call_fail(call, "INVALID_SCHEMA.NON_STRUCT_TYPE", "from_csv makes a STRUCT, not %s", sql__type_name(call->analyzer, t));
    TypeField *fields = ARENA_ARRAY(sql_call_arena(call), TypeField, t->field_count + 1);

    for (int i = 0; i < t->field_count; i++) {
        TypeKind kind = t->fields[i].type->kind;

        if (kind == TYPE_ARRAY || kind == TYPE_MAP || kind == TYPE_STRUCT || kind >= TYPE_INTERVAL_YM || kind == TYPE_BINARY || kind == TYPE_TIME)
            return sql_call_fail(call, "UNSUPPORTED_FEATURE.CSV_TYPE", "from_csv does not make %s", sql__type_name(call->analyzer, t->fields[i].type));
        fields[i] = t->fields[i];
        fields[i].nullable = true;
    }
    if (!csv_options(call, 2, options))
        return NULL;
    e->arg_count = 1;
    e->extra = options;
    return type_struct(sql_call_arena(call), fields, t->field_count);
}

static void option_texts(StrBuf *out, const char *const *texts, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, ", ");
        sql_duck_text(out, str_of(texts[i]));
    }
}

static void from_csv_print(StrBuf *out, const Expr *call)
{
    const CsvOptions *o = call->extra;

    sql_duck_template(out, "\"silt_from_csv:$T\"($1", call);
    option_texts(out, (const char *[]){o->separator, o->null_text, o->mode, o->timestamp_format, o->date_format}, 5);
    sql_duck_template(out, ", $pos)", call);
}

static const Type *to_csv_type(SqlCall *call)
{
    CsvOptions *options = ARENA_NEW(sql_call_arena(call), CsvOptions);

    if (!csv_options(call, 1, options))
        return NULL;
    call->expr->extra = options;
    return type_simple(TYPE_STRING);
}

static void to_csv_print(StrBuf *out, const Expr *call)
{
    const CsvOptions *o = call->extra;

    sql_duck_template(out, "silt_to_csv($1", call);
    option_texts(out, (const char *[]){o->separator, o->null_text}, 2);
    str_buf_putc(out, ')');
}

static const Type *schema_of_csv_type(SqlCall *call)
{
    if (!call->expr->args[0]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the text of %s must be a constant", call->expr->function->name);
    return to_csv_type(call);
}

static void schema_of_csv_print(StrBuf *out, const Expr *call)
{
    const CsvOptions *o = call->extra;

    sql_duck_template(out, "silt_schema_of_csv($1", call);
    option_texts(out, &o->separator, 1);
    sql_duck_template(out, ", $pos)", call);
}

static const Type *schema_of_json_type(SqlCall *call)
{
    if (!call->expr->args[0]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the text of schema_of_json must be a constant");
    return type_simple(TYPE_STRING);
}

const SqlFunction sql_functions_csv[] = {
    {"from_csv", "string, string [, map] ->", NULL, FN_MAY_FAIL, from_csv_type, from_csv_print},
    {"to_csv", "struct [, map] ->", NULL, 0, to_csv_type, to_csv_print},
    {"schema_of_csv", "string [, map] ->", NULL, FN_MAY_FAIL, schema_of_csv_type, schema_of_csv_print},
    {"schema_of_json", "string ->", "silt_schema_of_json($1, $pos)", FN_MAY_FAIL, schema_of_json_type, NULL},
    {NULL},
};
