/* sql/functions_avro.c - from_avro, to_avro, schema_of_avro */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "duck/avro_plan.h"
#include "duck/avro_write.h"
#include "duck/registry.h"
#include "sql/analyze.h"

/* Texts of the printed call. */
typedef struct AvroCall {
    const char *written, *reader, *mode; /* mode NULL: none is given */
    RegistrySettings settings;
    int registry; /* its number in this process; 0: none is asked, and all is written with `written` */
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

/* ---- options ---- */

#define CONFLUENT "confluent.schema.registry."

static bool is_registrys(const char *key)
{
    return !strncasecmp(key, CONFLUENT, strlen(CONFLUENT));
}

/* Where the value of an option of the registry goes; NULL: there is none such. */
static const char **registry_option(RegistrySettings *s, const char *key)
{
    const struct {
        const char *name, **place;
    } options[] = {
        {"basic.auth.user.info", &s->user_info},       {"bearer.auth.token", &s->token}, {"ssl.ca.location", &s->ca},
        {"ssl.certificate.location", &s->certificate}, {"ssl.key.location", &s->key},
    };

    for (size_t i = 0; is_registrys(key) && i < sizeof options / sizeof *options; i++)
        if (!strcasecmp(key + strlen(CONFLUENT), options[i].name))
            return options[i].place;
    return NULL;
}

/* Where credentials come from: only one answer is known to each. */
static bool is_credentials_source(const char *key, const char *value)
{
    return (!strcasecmp(key, CONFLUENT "basic.auth.credentials.source") && !strcasecmp(value, "USER_INFO")) ||
           (!strcasecmp(key, CONFLUENT "bearer.auth.credentials.source") && !strcasecmp(value, "STATIC_TOKEN"));
}

/* A failure that is not of the types, at the argument. */
static void fail_at_argument(SqlCall *call, const Expr *argument, const SiltErr *err)
{
    SiltErr placed = *err;

    if (!placed.line)
        silt_place(&placed, argument->pos);
    sql_errors_add(call->analyzer->errors, &placed);
}

static bool take_secret(SqlCall *call, const Expr *argument, const char *text, const char **out)
{
    const SqlCatalog *catalog = call->analyzer->catalog;
    SiltErr err = {0};

    *out = text;
    if (!catalog || !catalog->secret || catalog->secret(catalog->self, sql_call_arena(call), text, argument->pos, out, &err) == 0)
        return true;
    fail_at_argument(call, argument, &err);
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
        const char **secret = key && o->settings.url ? registry_option(&o->settings, key) : NULL;

        if (secret && value) {
            if (!take_secret(call, map->args[i + 1], value, secret))
                return false;
            continue;
        }
        if (key && o->settings.url && value && is_credentials_source(key, value))
            continue;
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
                   !(!strcasecmp(key, "enableStableIdentifiersForUnionType") && !strcasecmp(value, "false")) &&
                   !(o->settings.url && !strcasecmp(key, "avroSchemaEvolutionMode") && !strcasecmp(value, "none"))) {
            if (is_registrys(key)) /* its value may be a secret */
                sql_call_fail(call, "UNSUPPORTED_FEATURE.AVRO_OPTION", "%s does not know the option %s%s", name, key,
                              o->settings.url ? "" : " where no registry is given");
            else
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

/* ---- from_avro ---- */

/* from_avro(value, 'subject', 'http://registry'[, options]), as Databricks has it: what values are read with is the newest schema of the
 * subject, unless avroSchema says it. */
static const Type *from_registry_type(SqlCall *call, AvroCall *o)
{
    Expr *e = call->expr;
    const Expr *address = e->args[2];
    const char *subject = sql_constant_text(call->analyzer, e->args[1]), *given = sql_constant_text(call->analyzer, address);
    const AvroType *reader = NULL;
    const RegistrySchema *newest;
    SiltErr err = {0};

    if (!subject || !given)
        return sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT",
                             "subject and registry of from_avro must be constant strings");
    if (!take_secret(call, address, given, &o->settings.url))
        return NULL;
    if (registry_check_url(o->settings.url, "the registry of from_avro", &err) < 0) {
        fail_at_argument(call, address, &err);
        return NULL;
    }
    if (!take_options(call, 3, o, &reader))
        return NULL;
    Registry *registry = registry_open(&o->settings);
    o->registry = registry_number(registry);
    if (!reader) {
        int r = registry_newest(registry, subject, (RegistryStop){0}, &newest, &err);
        if (r == REGISTRY_NONE)
            silt_fail(&err, SILT_CONFIG, "the schema registry has no subject \"%s\"", subject);
        else if (r == 0 && !newest->type)
            r = silt_fail(&err, SILT_CONFIG, "the newest schema of subject \"%s\" cannot be read with: %s", subject, newest->refusal);
        if (r) {
            if (!err.hint[0])
                silt_hint(
                    &err,
                    "With map('avroSchema', '{\"type\": \"record\", ...}') as options it is not asked what the values are read with.");
            fail_at_argument(call, address, &err);
            return NULL;
        }
        reader = newest->type;
        o->reader = newest->text;
        if (call->analyzer->catalog && call->analyzer->catalog->depends)
            call->analyzer->catalog->depends(call->analyzer->catalog->self, str_of(newest->text));
    }
    e->arg_count = 1;
    return type_of(call, reader);
}

static const Type *from_avro_type(SqlCall *call)
{
    AvroCall *o = ARENA_NEW(sql_call_arena(call), AvroCall);
    const AvroType *written, *reader = NULL;
    Expr *e = call->expr;

    *o = (AvroCall){.reader = ""};
    e->extra = o;
    e->nullable = true;
    if (e->arg_count > 2 && e->args[2]->type && e->args[2]->type->kind == TYPE_STRING)
        return from_registry_type(call, o);
    if (!take_schema(call, 1, &o->written, &written) || !take_options(call, 2, o, &reader))
        return NULL;
    e->arg_count = 1;
    return type_of(call, reader ? reader : written);
}

static void put_texts(StrBuf *out, const char *const *texts, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, ", ");
        sql_duck_text(out, str_of(texts[i]));
    }
}

static void from_avro_print(StrBuf *out, const Expr *call)
{
    const AvroCall *o = call->extra;
    const char *const texts[] = {o->written, o->reader, o->mode ? o->mode : "FAILFAST"};

    sql_duck_template(out, o->registry ? "\"silt_from_avro_registry:$T\"($1" : "\"silt_from_avro:$T\"($1", call);
    if (o->registry)
        str_buf_printf(out, ", %d", o->registry);
    put_texts(out, texts + (o->registry != 0), 3 - (o->registry != 0));
    sql_duck_template(out, ", $pos)", call);
}

/* A value that cannot be decoded is set aside where a registry is asked and no mode is given. */
static bool from_avro_keep(StrBuf *out, const Expr *call, const char *origin)
{
    const AvroCall *o = call->extra;

    if (!o || !o->registry || o->mode)
        return false;
    if (out) {
        sql_duck_template(out, "silt_avro_registry_keeps($1", call);
        str_buf_printf(out, ", %d", o->registry);
        put_texts(out, &o->reader, 1);
        str_buf_printf(out, ", %s.silt_source, %s.silt_position", origin, origin);
        sql_duck_template(out, ", $pos)", call);
    }
    return true;
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
    {"from_avro", "binary, string [, any, any] ->", NULL, FN_MAY_FAIL | FN_NULLABLE, from_avro_type, from_avro_print,
     .keep = from_avro_keep},
    {"schema_of_avro", "string [, any] ->", NULL, 0, schema_of_avro_type, schema_of_avro_print},
    {"to_avro", "any [, string] ->", NULL, FN_MAY_FAIL, to_avro_type, to_avro_print},
    {NULL},
};
