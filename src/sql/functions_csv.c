/* sql/functions_csv.c - CSV in a column, and its schema */
#include "duck/csv_style.h"
#include "sql/analyze.h"

/* Names and values by turns, as they were given: the functions read them again by csv_style.h. */
typedef struct CsvOptions {
    const char **texts;
    int count;
    CsvStyle style;
} CsvOptions;

/* The options at args[arg], looked at and taken off; NULL with an error recorded. */
static const CsvOptions *csv_options(SqlCall *call, int arg, bool writing)
{
    Arena *arena = sql_call_arena(call);
    CsvOptions *o = ARENA_NEW(arena, CsvOptions);
    const Expr *map;
    SiltErr err;
    int r = 0;

    if (!sql_call_options(call, arg, &map))
        return NULL;
    o->texts = ARENA_ARRAY(arena, const char *, map ? map->arg_count + 1 : 1);
    csv_style_init(&o->style, writing);
    for (int i = 0; map && r == 0 && i + 1 < map->arg_count; i += 2) {
        const char *key, *value;

        if (!sql_call_option(call, map, i, &key, &value))
            return NULL;
        o->texts[o->count++] = key;
        o->texts[o->count++] = value;
        r = csv_style_set(&o->style, arena, str_of(key), str_of(value), &err);
    }
    if (r == 0)
        r = csv_style_finish(&o->style, writing, &err);
    if (r < 0)
        sql_call_fail(call, err.code, "%s: %s", call->expr->function->name, err.message);
    return r < 0 ? NULL : o;
}

static void options_print(StrBuf *out, const CsvOptions *o)
{
    for (int i = 0; i < o->count; i++) {
        str_buf_puts(out, ", ");
        sql_duck_text(out, str_of(o->texts[i]));
    }
}

static const Type *from_csv_type(SqlCall *call)
{
    Expr *e = call->expr;
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

        if (kind == TYPE_ARRAY || kind == TYPE_MAP || kind == TYPE_STRUCT || kind == TYPE_VARIANT || kind == TYPE_TIME)
            return sql_call_fail(call, "UNSUPPORTED_FEATURE.CSV_TYPE", "from_csv does not make %s", sql__type_name(call->analyzer, t->fields[i].type));
        fields[i] = t->fields[i];
        fields[i].nullable = true;
    }
    const CsvOptions *options = csv_options(call, 2, false);

    if (!options)
        return NULL;
    for (int i = 0; i < t->field_count; i++)
        if (str_is(options->style.corrupt, t->fields[i].name) && t->fields[i].type->kind != TYPE_STRING)
            return sql_call_fail(call, "INVALID_CORRUPT_RECORD_TYPE", "the field \"%s\", which takes records that do not fit, must be STRING, not %s", t->fields[i].name,
                                 sql__type_name(call->analyzer, t->fields[i].type));
    e->arg_count = 1;
    e->extra = (void *)options;
    return type_struct(sql_call_arena(call), fields, t->field_count);
}

static void from_csv_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, "\"silt_from_csv:$T\"($1", call);
    options_print(out, call->extra);
    sql_duck_template(out, ", $pos)", call);
}

static const Type *to_csv_type(SqlCall *call)
{
    const CsvOptions *options = csv_options(call, 1, true);
    Expr *e = call->expr;

    if (!options)
        return NULL;
    e->extra = (void *)options;
    e->nullable = true;
    const Type *plain = sql__intervals_as_text(sql_call_arena(call), e->args[0]->type);

    if (plain)
        sql__cast(call->analyzer, &e->args[0], plain);
    return type_simple(TYPE_STRING);
}

static void to_csv_print(StrBuf *out, const Expr *call)
{
    if (call->args[0]->type->kind == TYPE_VOID) {
        str_buf_puts(out, "CAST(NULL AS VARCHAR)");
        return;
    }
    sql_duck_template(out, "silt_to_csv($1", call);
    options_print(out, call->extra);
    str_buf_putc(out, ')');
}

static const Type *schema_of_csv_type(SqlCall *call)
{
    if (!call->expr->args[0]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the text of %s must be a constant", call->expr->function->name);
    call->expr->extra = (void *)csv_options(call, 1, false);
    return call->expr->extra ? type_simple(TYPE_STRING) : NULL;
}

static void schema_of_csv_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, "silt_schema_of_csv($1", call);
    options_print(out, call->extra);
    sql_duck_template(out, ", $pos)", call);
}

const SqlFunction sql_functions_csv[] = {
    {"from_csv", "string, string [, map] ->", NULL, FN_MAY_FAIL, from_csv_type, from_csv_print},
    {"to_csv", "struct [, map] ->", NULL, 0, to_csv_type, to_csv_print},
    {"schema_of_csv", "string [, map] ->", NULL, FN_MAY_FAIL, schema_of_csv_type, schema_of_csv_print},
    {NULL},
};
