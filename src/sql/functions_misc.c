/* sql/functions_misc.c - conditions, NULLs, comparison, the session, hashes, generators */
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "duck/json_style.h"
#include "sql/analyze.h"
#include "sql/print_duck.h"

static const Type *unify_type(SqlCall *call)
{
    Expr *e = call->expr;
    bool extreme = !strcmp(e->function->name, "greatest") || !strcmp(e->function->name, "least"), texts = false, others = false;

    for (int i = 0; extreme && i < e->arg_count; i++) {
        texts = texts || e->args[i]->type->kind == TYPE_STRING;
        others = others || (e->args[i]->type->kind != TYPE_STRING && e->args[i]->type->kind != TYPE_VOID);
    }
    if (texts && others) /* these alone do not make numbers of text */
        return sql_call_fail(call, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "%s needs values of one type, not STRING beside others", e->function->name);
    const Type *t = sql_call_unify(call, 0);

    if (t && extreme && !sql__orderable(t) && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "%s cannot order values of type %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    /* NULL only if all may be */
    bool all = true;

    for (int i = 0; i < e->arg_count; i++)
        all = all && e->args[i]->nullable;
    e->nullable = all;
    return t;
}

static void extreme_print(StrBuf *out, const Expr *call)
{
    bool greatest = *call->function->name == 'g';

    if (!sql__is_nested(call->type)) {
        sql_duck_template(out, greatest ? "greatest($*)" : "least($*)", call);
        return;
    }
    silt_auto(str_buf_fini) StrBuf values = {0};

    sql_duck_template(&values, "list_filter([$*], lambda x: x IS NOT NULL)", call);
    str_buf_puts(out, "list_extract(");
    sql__duck_sorted(out, str_buf_text(&values), greatest ? "'DESC', 'NULLS LAST'" : "'ASC', 'NULLS LAST'");
    str_buf_puts(out, ", 1)");
}

/* nvl(x, 0) */
static const Type *zero_if_null_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *given = e->args[0]->type, *t = sql__wider(call->analyzer, given, type_simple(TYPE_INT));

    if (!t)
        return sql_call_fail(call, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "zeroifnull needs a number, not %s", sql__type_name(call->analyzer, given));
    sql__cast(call->analyzer, &e->args[0], t);
    return t;
}

/* nvl2(x, a, b) */
static const Type *nvl2_type(SqlCall *call)
{
    const Type *t = sql_call_unify(call, 1);

    call->expr->nullable = call->expr->args[1]->nullable || call->expr->args[2]->nullable;
    return t;
}

static const Type *if_type(SqlCall *call)
{
    const Expr *e = call->expr;
    const Type *condition = e->args[0]->type;
    bool fits = condition->kind == TYPE_BOOLEAN || (condition->kind == TYPE_VOID && sql__wider(call->analyzer, e->args[1]->type, e->args[2]->type));

    if (!fits) /* of a NULL beside branches without a common type, too, Spark says this */
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the condition of if must be a BOOLEAN, not %s", sql__type_name(call->analyzer, condition));
    return sql_call_cast(call, 0, type_simple(TYPE_BOOLEAN)) ? nvl2_type(call) : NULL;
}

static const Type *nullif_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type, *common = sql__wider(call->analyzer, t, e->args[1]->type);

    if (!common || (!sql__orderable(common) && common->kind != TYPE_VOID))
        return sql_call_fail(call, sql__no_common(t, e->args[1]->type, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"), "cannot compare %s with %s", sql__type_name(call->analyzer, t),
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

/* nullif(x, 0) */
static const Type *null_if_zero_type(SqlCall *call)
{
    Expr *e = call->expr, **args = ARENA_ARRAY(sql_call_arena(call), Expr *, 2);

    args[0] = e->args[0];
    args[1] = sql__literal_int(call->analyzer, e->pos, 0);
    e->args = args;
    e->arg_count = 2;
    return nullif_type(call);
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

static const Type *catalog_type(SqlCall *call)
{
    const SqlSettings *settings = call->analyzer->settings;

    call->expr->text = settings && settings->catalog ? settings->catalog : "spark_catalog";
    return type_simple(TYPE_STRING);
}

static const Type *schema_type(SqlCall *call)
{
    const SqlSettings *settings = call->analyzer->settings;

    call->expr->text = settings && settings->schema ? settings->schema : "default";
    return type_simple(TYPE_STRING);
}

/* Who runs the process, as the system knows them; their number where it knows no name. */
static const Type *user_type(SqlCall *call)
{
    struct passwd entry, *found = NULL;
    char buffer[4096];

    getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &found);
    call->expr->text = found ? arena_strdup(sql_call_arena(call), found->pw_name) : sql__text(call->analyzer, "%u", (unsigned)geteuid());
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

/* ---- JSON ---- */

/* Names and values by turns, as they were given: the functions read them again by json_style.h. */
typedef struct JsonOptions {
    const char **texts;
    int count;
    JsonStyle style;
} JsonOptions;

/* The options at args[arg], looked at and taken off; NULL with an error recorded. */
static const JsonOptions *json_options(SqlCall *call, int arg)
{
    Arena *arena = sql_call_arena(call);
    JsonOptions *o = ARENA_NEW(arena, JsonOptions);
    const Expr *map;

    if (!sql_call_options(call, arg, &map))
        return NULL;
    o->texts = ARENA_ARRAY(arena, const char *, map ? map->arg_count + 1 : 1);
    json_style_init(&o->style);
    for (int i = 0; map && i + 1 < map->arg_count; i += 2) {
        const char *key, *value;
        SiltErr err;

        if (!sql_call_option(call, map, i, &key, &value))
            return NULL;
        o->texts[o->count++] = key;
        o->texts[o->count++] = value;
        if (json_style_set(&o->style, str_of(key), str_of(value), &err) < 0) {
            sql_call_fail(call, err.code, "%s: %s", call->expr->function->name, err.message);
            return NULL;
        }
    }
    return o;
}

static void json_options_print(StrBuf *out, const JsonOptions *o)
{
    for (int i = 0; i < o->count; i++) {
        str_buf_puts(out, ", ");
        sql_duck_text(out, str_of(o->texts[i]));
    }
}

static const Type *schema_of_json_type(SqlCall *call)
{
    if (!call->expr->args[0]->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the text of schema_of_json must be a constant");
    const JsonOptions *options = json_options(call, 1);

    if (!options)
        return NULL;
    if (options->style.decimals)
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.JSON_OPTION", "schema_of_json does not do prefersDecimal yet");
    call->expr->extra = (void *)options;
    return type_simple(TYPE_STRING);
}

static void schema_of_json_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, "silt_schema_of_json($1", call);
    json_options_print(out, call->extra);
    sql_duck_template(out, ", $pos)", call);
}

/* Types that from_json can make; all nullable. */
static const Type *json_type(SqlCall *call, const Type *t)
{
    Arena *arena = sql_call_arena(call);

    switch (t->kind) {
    case TYPE_TIME:
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.JSON_TYPE", "from_json does not make %s yet", sql__type_name(call->analyzer, t));
    case TYPE_ARRAY: {
        const Type *element = json_type(call, t->element);

        return element ? type_array(arena, element, true) : NULL;
    }
    case TYPE_MAP: {
        const Type *value = json_type(call, t->element);

        if (t->key->kind != TYPE_STRING)
            return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_JSON_MAP_KEY_TYPE", "the keys of a map from JSON are STRING, not %s", sql__type_name(call->analyzer, t->key));
        return value ? type_map(arena, t->key, value, true) : NULL;
    }
    case TYPE_STRUCT: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, t->field_count + 1);

        for (int i = 0; i < t->field_count; i++) {
            fields[i] = t->fields[i];
            fields[i].nullable = true;
            fields[i].type = json_type(call, t->fields[i].type);
            if (!fields[i].type)
                return NULL;
        }
        return type_struct(arena, fields, t->field_count);
    }
    default:
        return t;
    }
}

static const Type *from_json_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *schema = sql_constant_text(call->analyzer, e->args[1]);
    const Type *t;
    SiltErr err;

    if (!schema)
        return sql_call_fail(call, "INVALID_SCHEMA.NON_STRING_LITERAL", "the schema of from_json must be a constant string");
    if (type_parse_ddl(sql_call_arena(call), str_of(schema), true, &t, &err) < 0)
        return sql_call_fail(call, "INVALID_SCHEMA.PARSE_ERROR", "the schema of from_json cannot be read: %s", err.message);
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY && t->kind != TYPE_MAP && t->kind != TYPE_VARIANT)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_JSON_SCHEMA", "from_json makes a STRUCT, an ARRAY or a MAP, not %s",
                             sql__type_name(call->analyzer, t));
    const JsonOptions *options = json_options(call, 2);

    if (!options)
        return NULL;
    for (int i = 0; t->kind == TYPE_STRUCT && i < t->field_count; i++)
        if (str_is(options->style.corrupt, t->fields[i].name) && t->fields[i].type->kind != TYPE_STRING)
            return sql_call_fail(call, "INVALID_CORRUPT_RECORD_TYPE", "the field \"%s\", which takes records that do not fit, must be STRING, not %s",
                                 t->fields[i].name, sql__type_name(call->analyzer, t->fields[i].type));
    e->arg_count = 1;
    e->extra = (void *)options;
    e->nullable = true;
    return json_type(call, t);
}

/* Bytes that are cast only to be read are read as they are: no text column in between (duck/fn_from_json.c, R2). */
static void from_json_print(StrBuf *out, const Expr *call)
{
    const Expr *text = call->args[0];
    bool bytes = text->kind == EXPR_CAST && !text->extra && text->type->kind == TYPE_STRING && text->args[0]->type->kind == TYPE_BINARY;

    sql_duck_template(out, bytes ? "\"silt_from_json_bytes:$T\"(" : "\"silt_from_json:$T\"(", call);
    sql_duck_expr(out, bytes ? text->args[0] : text);
    json_options_print(out, call->extra);
    sql_duck_template(out, ", $pos)", call);
}

const Type *sql__intervals_as_text(Arena *arena, const Type *t)
{
    switch (t->kind) {
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return type_simple(TYPE_STRING);
    case TYPE_ARRAY: {
        const Type *element = sql__intervals_as_text(arena, t->element);

        return element ? type_array(arena, element, t->element_nullable) : NULL;
    }
    case TYPE_MAP: {
        const Type *value = sql__intervals_as_text(arena, t->element); /* keys are written as the numbers that they are */

        return value ? type_map(arena, t->key, value, t->element_nullable) : NULL;
    }
    case TYPE_STRUCT: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, t->field_count + 1);
        bool changed = false;

        for (int i = 0; i < t->field_count; i++) {
            const Type *field = sql__intervals_as_text(arena, t->fields[i].type);

            fields[i] = t->fields[i];
            fields[i].type = field ? field : t->fields[i].type;
            changed = changed || field;
        }
        return changed ? type_struct(arena, fields, t->field_count) : NULL;
    }
    default:
        return NULL;
    }
}

static const Type *to_json_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    if (t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY && t->kind != TYPE_MAP && t->kind != TYPE_VARIANT)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_JSON_SCHEMA", "to_json writes a STRUCT, an ARRAY or a MAP, not %s",
                             sql__type_name(call->analyzer, t));
    const JsonOptions *options = json_options(call, 1);

    if (!options)
        return NULL;
    const Type *plain = sql__intervals_as_text(sql_call_arena(call), t);

    if (plain)
        sql__cast(call->analyzer, &e->args[0], plain);
    e->extra = (void *)options;
    return type_simple(TYPE_STRING);
}

static void to_json_print(StrBuf *out, const Expr *call)
{
    if (call->args[0]->type->kind == TYPE_VARIANT) {
        sql_duck_template(out, "silt_variant_json($1, $pos)", call);
        return;
    }
    sql_duck_template(out, "silt_to_json($1", call);
    json_options_print(out, call->extra);
    str_buf_putc(out, ')');
}

const SqlFunction sql_functions_misc[] = {
    {"coalesce", "any... ->", "coalesce($*)", 0, unify_type, NULL},
    {"nvl", "any, any ->", "coalesce($*)", 0, unify_type, NULL},
    {"ifnull", "any, any ->", "coalesce($*)", 0, unify_type, NULL},
    {"if", "any, any, any ->", "CASE WHEN $1 THEN $2 ELSE $3 END", 0, if_type, NULL},
    {"nvl2", "any, any, any ->", "CASE WHEN $1 IS NOT NULL THEN $2 ELSE $3 END", 0, nvl2_type, NULL},
    {"nullif", "any, any ->", "CASE WHEN $3 = $2 THEN NULL ELSE $1 END", 0, nullif_type, NULL},
    {"nullifzero", "any ->", "CASE WHEN $3 = $2 THEN NULL ELSE $1 END", 0, null_if_zero_type, NULL},
    {"zeroifnull", "any ->", "coalesce($1, CAST(0 AS $type))", FN_NOT_NULL, zero_if_null_type, NULL},
    {"isnull", "any -> boolean", "($1 IS NULL)", FN_NOT_NULL, NULL, NULL},
    {"isnotnull", "any -> boolean", "($1 IS NOT NULL)", FN_NOT_NULL, NULL, NULL},
    {"isnan", "double -> boolean", "coalesce(isnan($1), false)", FN_NOT_NULL, NULL, NULL},
    {"nanvl", "number, number ->", "CASE WHEN isnan($1) THEN $2 ELSE $1 END", 0, nanvl_type, NULL},
    {"greatest", "any, any... ->", NULL, 0, unify_type, extreme_print},
    {"least", "any, any... ->", NULL, 0, unify_type, extreme_print},
    {"equal_null", "T, T -> boolean", "($1 IS NOT DISTINCT FROM $2)", FN_NOT_NULL, NULL, NULL},
    {"typeof", "any ->", NULL, FN_NOT_NULL, typeof_type, typeof_print},
    {"current_timestamp", "-> timestamp", "silt_now()", FN_CLOCK | FN_NOT_NULL | FN_BARE, NULL, NULL},
    {"now", "-> timestamp", "silt_now()", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"current_date", "-> date", "CAST(silt_now() AS DATE)", FN_CLOCK | FN_NOT_NULL | FN_BARE, NULL, NULL},
    {"curdate", "-> date", "CAST(silt_now() AS DATE)", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"localtimestamp", "-> timestamp_ntz", "CAST(silt_now() AS TIMESTAMP)", FN_CLOCK | FN_NOT_NULL, NULL, NULL},
    {"current_catalog", "->", NULL, FN_NOT_NULL, catalog_type, typeof_print},
    {"current_database", "->", NULL, FN_NOT_NULL, schema_type, typeof_print},
    {"current_schema", "->", NULL, FN_NOT_NULL, schema_type, typeof_print},
    {"current_user", "->", NULL, FN_NOT_NULL | FN_BARE, user_type, typeof_print},
    {"session_user", "->", NULL, FN_NOT_NULL | FN_BARE, user_type, typeof_print},
    {"user", "->", NULL, FN_NOT_NULL | FN_BARE, user_type, typeof_print},
    {"current_timezone", "->", NULL, FN_NOT_NULL, zone_type, typeof_print},
    {"raise_error", "string ->", "silt_raise_error($1, $pos)", FN_MAY_FAIL | FN_RANDOM, raise_type, NULL},
    {"assert_true", "boolean [, string] ->", "silt_assert_true($*, $pos)", FN_MAY_FAIL | FN_RANDOM, raise_type, NULL},
    {"hash", "any... -> int", "silt_hash($*)", FN_NOT_NULL, NULL, NULL},
    {"xxhash64", "any... -> bigint", "silt_xxhash64($*)", FN_NOT_NULL, NULL, NULL},

    {"get_json_object", "string, string -> string", "silt_get_json_object($1, $2)", FN_NULLABLE, NULL, NULL},
    {"json_array_length", "string -> int", "silt_json_array_length($1)", FN_NULLABLE, NULL, NULL},
    {"json_object_keys", "string -> string[]", "silt_json_object_keys($1)", FN_NULLABLE, NULL, NULL},
    {"from_json", "string, any [, any] ->", NULL, FN_MAY_FAIL | FN_NULLABLE, from_json_type, from_json_print},
    {"schema_of_json", "string [, map] ->", NULL, FN_MAY_FAIL, schema_of_json_type, schema_of_json_print},
    {"to_json", "any [, any] ->", NULL, 0, to_json_type, to_json_print},

    {"explode", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"explode_outer", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"posexplode", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"posexplode_outer", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"inline", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"inline_outer", "any -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"json_tuple", "any, any... -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {"stack", "any... -> void", NULL, FN_GENERATOR, generator_type, NULL},
    {NULL},
};
