/* sql/functions_avro.c - from_avro, to_avro, schema_of_avro */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "duck/avro_plan.h"
#include "duck/avro_write.h"
#include "sql/analyze.h"

/* Texts of the printed call. */
typedef struct AvroCall {
    const char *written, *reader, *mode;
} AvroCall;

static bool is_null(const Expr *e)
{
    while (e->kind == EXPR_CAST && e->implicit)
        e = e->args[0];
    return e->type && e->type->kind == TYPE_VOID;
}

/* The constant text at args[arg], parsed. False with an error recorded. */
static bool take_schema(SqlCall *call, int arg, const char **text, const AvroType **out)
{
    static const char *const places[] = {"first", "second"};
    SiltErr err = {0};

    *text = sql_constant_text(call->analyzer, call->expr->args[arg]);
    if (!*text && !call->expr->args[arg]->constant) {
        sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "the %s argument of %s must be a constant string, an Avro schema as JSON", places[arg],
                      call->expr->function->name);
        return false;
    }
    if (*text && avro_type_parse(sql_call_arena(call), str_of(*text), out, &err) == 0 && avro_check_defaults(sql_call_arena(call), *out, &err) == 0)
        return true;
    sql_call_fail(call, "INVALID_SCHEMA.PARSE_ERROR", "the Avro schema of %s cannot be read: %s", call->expr->function->name, *text ? err.message : "it is NULL");
    return false;
}

/* The options of from_avro and schema_of_avro; *reader is what avroSchema says. False with an error recorded. */
static bool take_options(SqlCall *call, int arg, AvroCall *o, const AvroType **reader)
{
    const char *name = call->expr->function->name;
    const Expr *map;
    SiltErr err = {0};

    if (call->expr->arg_count > arg && is_null(call->expr->args[arg]))
        call->expr->arg_count = arg;
    if (!sql_call_options(call, arg, &map))
        return false;
    for (int i = 0; map && i + 1 < map->arg_count; i += 2) {
        const char *key = sql_constant_text(call->analyzer, map->args[i]), *value = sql_constant_text(call->analyzer, map->args[i + 1]);

        if (!key || !value) {
            sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "the options of %s must be constant strings", name);
            return false;
        }
        if (!strcasecmp(key, "mode") && !strcasecmp(value, "DROPMALFORMED")) {
            sql_call_fail(call, "PARSE_MODE_UNSUPPORTED", "%s does not know the mode DROPMALFORMED: it is PERMISSIVE or FAILFAST", name);
            return false;
        }
        if (!strcasecmp(key, "mode")) {
            o->mode = !strcasecmp(value, "FAILFAST") ? "FAILFAST" : "PERMISSIVE"; /* which any other word is for Spark */
        } else if (!strcasecmp(key, "avroSchema")) {
            o->reader = value;
            if (avro_type_parse(sql_call_arena(call), str_of(value), reader, &err) < 0 || avro_check_defaults(sql_call_arena(call), *reader, &err) < 0) {
                sql_call_fail(call, "INVALID_SCHEMA.PARSE_ERROR", "the avroSchema of %s cannot be read: %s", name, err.message);
                return false;
            }
        } else if (strcasecmp(key, "datetimeRebaseMode") != 0 && !(!strcasecmp(key, "recursiveFieldMaxDepth") && !strcmp(value, "-1")) &&
                   !(!strcasecmp(key, "enableStableIdentifiersForUnionType") && !strcasecmp(value, "false"))) {
            sql_call_fail(call, "UNSUPPORTED_FEATURE.AVRO_OPTION", "%s does not know the option %s = \"%s\"", name, key, value);
            return false;
        }
    }
    return true;
}

static const Type *type_of(SqlCall *call, const AvroType *type)
{
    const Type *t = avro_type_spark(type, sql_call_arena(call));

    return t ? t : type_simple(TYPE_VOID);
}

static const Type *from_avro_type(SqlCall *call)
{
    AvroCall *o = ARENA_NEW(sql_call_arena(call), AvroCall);
    const AvroType *written, *reader = NULL;
    Expr *e = call->expr;

    *o = (AvroCall){.reader = "", .mode = "FAILFAST"};
    if (e->arg_count > 2 && e->args[2]->type && e->args[2]->type->kind == TYPE_STRING)
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.AVRO_OPTION",
                             "from_avro asks no schema registry; read_kafka(..., format => 'avro', schemaRegistryAddress => '...') does, and makes columns of the values");
    if (!take_schema(call, 1, &o->written, &written) || !take_options(call, 2, o, &reader))
        return NULL;
    e->arg_count = 1;
    e->extra = o;
    e->nullable = true;
    return type_of(call, reader ? reader : written);
}

static void from_avro_print(StrBuf *out, const Expr *call)
{
    const AvroCall *o = call->extra;
    const char *const texts[] = {o->written, o->reader, o->mode};

    sql_duck_template(out, "\"silt_from_avro:$T\"($1", call);
    for (int i = 0; i < 3; i++) {
        str_buf_puts(out, ", ");
        sql_duck_text(out, str_of(texts[i]));
    }
    sql_duck_template(out, ", $pos)", call);
}

static const Type *to_avro_type(SqlCall *call)
{
    AvroCall *o = ARENA_NEW(sql_call_arena(call), AvroCall);
    Arena *arena = sql_call_arena(call);
    silt_auto(str_buf_fini) StrBuf text = {0};
    Expr *e = call->expr;
    const AvroType *to;
    AvroWrite *write;
    SiltErr err = {0};

    if (e->arg_count > 1 && is_null(e->args[1]))
        e->arg_count = 1;
    if (e->arg_count > 1) {
        if (!take_schema(call, 1, &o->written, &to))
            return NULL;
    } else if (avro_schema_put(&text, e->args[0]->type, e->args[0]->nullable, &err) < 0 || avro_type_parse(arena, str_buf_view(&text), &to, &err) < 0) {
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "to_avro: %s", err.message);
    } else {
        o->written = arena_strdup(arena, str_buf_text(&text));
    }
    if (avro_write_new(arena, e->args[0]->type, to, &write, &err) < 0)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "to_avro: %s", err.message);
    e->arg_count = 1;
    e->extra = o;
    return type_simple(TYPE_BINARY);
}

static void to_avro_print(StrBuf *out, const Expr *call)
{
    const AvroCall *o = call->extra;

    sql_duck_template(out, "silt_to_avro($1, ", call);
    sql_duck_text(out, str_of(o->written));
    sql_duck_template(out, ", $pos)", call);
}

/* ---- schema_of_avro ---- */

static bool may_be_null(const AvroType *type)
{
    for (int i = 0; type->kind == AVRO_UNION && i < type->count; i++)
        if (type->children[i]->kind == AVRO_NULL)
            return true;
    return type->kind == AVRO_NULL;
}

/* A type as Spark writes it, with what cannot be NULL. */
static void put_type(StrBuf *out, const AvroType *type, Arena *arena)
{
    int only = type->kind == AVRO_UNION ? avro_only_branch(type) : -1, member = 0;

    if (only >= 0) {
        put_type(out, type->children[only], arena);
    } else if (type->kind == AVRO_ARRAY || type->kind == AVRO_MAP) {
        str_buf_puts(out, type->kind == AVRO_ARRAY ? "ARRAY<" : "MAP<STRING, ");
        put_type(out, type->children[0], arena);
        str_buf_putc(out, '>');
    } else if (type->kind == AVRO_RECORD || avro_is_struct_union(type)) {
        str_buf_puts(out, "STRUCT<");
        for (int i = 0; i < type->count; i++) {
            const AvroType *field = type->children[i];
            if (type->kind == AVRO_UNION && field->kind == AVRO_NULL)
                continue;
            str_buf_puts(out, member ? ", " : "");
            if (type->kind == AVRO_UNION)
                str_buf_printf(out, "member%d: ", member);
            else
                str_buf_printf(out, "%s: ", type->names[i]);
            member++;
            put_type(out, field, arena);
            if (type->kind == AVRO_RECORD && !may_be_null(field))
                str_buf_puts(out, " NOT NULL");
        }
        str_buf_putc(out, '>');
    } else {
        const Type *t = avro_type_spark(type, arena);
        for (const char *p = t ? type_text(arena, t) : "void"; *p; p++)
            str_buf_putc(out, (char)toupper((unsigned char)*p));
    }
}

static const Type *schema_of_avro_type(SqlCall *call)
{
    AvroCall *o = ARENA_NEW(sql_call_arena(call), AvroCall);
    silt_auto(str_buf_fini) StrBuf text = {0};
    const AvroType *written, *reader = NULL;

    if (!take_schema(call, 0, &o->written, &written) || !take_options(call, 1, o, &reader))
        return NULL;
    put_type(&text, reader ? reader : written, sql_call_arena(call));
    o->written = arena_strdup(sql_call_arena(call), str_buf_text(&text));
    call->expr->extra = o;
    return type_simple(TYPE_STRING);
}

static void schema_of_avro_print(StrBuf *out, const Expr *call)
{
    const AvroCall *o = call->extra;

    sql_duck_text(out, str_of(o->written));
}

const SqlFunction sql_functions_avro[] = {
    {"from_avro", "binary, string [, any, any] ->", NULL, FN_MAY_FAIL | FN_NULLABLE, from_avro_type, from_avro_print},
    {"schema_of_avro", "string [, any] ->", NULL, 0, schema_of_avro_type, schema_of_avro_print},
    {"to_avro", "any [, string] ->", NULL, FN_MAY_FAIL, to_avro_type, to_avro_print},
    {NULL},
};
