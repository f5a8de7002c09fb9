/*
 * source/kafka_avro.c - Avro values of records: what they were written with, and what they are read with
 *
 *   schema (Avro)              all values were written with it, without a number in front
 *   schemaRegistryAddress      each value names what it was written with (Confluent's wire format), and is read as avroSchema, else schema (Avro, or columns), else
 *                              the newest schema of the subject says, as it was when the stream began: that is kept with the checkpoint
 */
#include "source/kafka_internal.h"

#include "duck/avro_plan.h"

#include <ctype.h>
#include <string.h>

#define AT(field) offsetof(KafkaFormat, field)
#define CONFLUENT "confluent.schema.registry."

static const OptionRow avro_options[] = {
    {"schemaRegistryAddress", OPTION_SECRET, AT(registry_settings.url), 0, NULL, NULL, "of a schema registry: values have the number of their schema in front"},
    {"schema.registry.url", OPTION_SECRET, AT(registry_settings.url), 0, NULL, NULL, "the same, as Confluent's clients call it"},
    {"schemaRegistrySubject", OPTION_TEXT, AT(subject), 0, NULL, NULL, "whose newest schema says the columns; <topic>-value"},
    {CONFLUENT "basic.auth.credentials.source", OPTION_TEXT, AT(credentials), 0, "USER_INFO", NULL, "USER_INFO"},
    {CONFLUENT "basic.auth.user.info", OPTION_SECRET, AT(registry_settings.user_info), 0, NULL, NULL, "name:password"},
    {CONFLUENT "bearer.auth.credentials.source", OPTION_TEXT, AT(credentials), 0, "STATIC_TOKEN", NULL, "STATIC_TOKEN"},
    {CONFLUENT "bearer.auth.token", OPTION_SECRET, AT(registry_settings.token), 0, NULL, NULL, "a token instead of name and password"},
    {CONFLUENT "ssl.ca.location", OPTION_TEXT, AT(registry_settings.ca), 0, NULL, NULL, "PEM file of the authorities that its certificate may be of"},
    {CONFLUENT "ssl.certificate.location", OPTION_TEXT, AT(registry_settings.certificate), 0, NULL, NULL, "PEM file of our own certificate"},
    {CONFLUENT "ssl.key.location", OPTION_TEXT, AT(registry_settings.key), 0, NULL, NULL, "PEM file of its key"},
    {0},
};

const OptionRow *const kafka__avro_options = avro_options;

/* Is this text an Avro schema, and no list of columns? */
static bool is_avro(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return *text == '{' || *text == '[' || *text == '"';
}

static int parse_schema(Source *source, const SqlOption *option, const AvroType **out, SiltErr *err)
{
    SiltErr inner = {0};

    if (avro_type_parse(source->arena, str_of(option->value), out, &inner) == 0 && avro_check_defaults(source->arena, *out, &inner) == 0)
        return 0;
    return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s cannot be used: %s", option->key, inner.message);
}

/* ---- the registry ---- */

static RegistryStop stop_of(const Source *source)
{
    return (RegistryStop){source->stop.asked, source->stop.self};
}

static int find_schema(void *self, uint32_t number, Arena *arena, const AvroType **out, const char **why, SiltErr *err)
{
    const Source *source = self;
    const KafkaSource *kafka = source->self;
    const RegistrySchema *schema;

    int r = registry_find(kafka->format.registry, number, stop_of(source), &schema, err);
    if (r == REGISTRY_NONE)
        *why = arena_printf(arena, "the schema registry has no schema of the number %u", number);
    if (r)
        return r < 0 ? r : FORMAT_NO_SCHEMA;
    *why = schema->refusal;
    *out = schema->type;
    return schema->type ? 0 : FORMAT_NO_SCHEMA;
}

/* The subject by its name, or by the only topic's. */
static int find_subject(Source *source, SiltPos pos, const char **out, SiltErr *err)
{
    const KafkaSource *kafka = source->self;

    *out = kafka->format.subject;
    if (*out)
        return 0;
    if (kafka->topic_count == 1) {
        *out = arena_printf(source->arena, "%s-value", kafka->topics[0]);
        return 0;
    }
    silt_fail_at(err, SILT_CONFIG, pos, "which schema says the columns is not known: more than one topic is read");
    return silt_hint(err, "Give schemaRegistrySubject => 'topic-value', or avroSchema, or schema => 'id BIGINT, name STRING'.");
}

/* What an earlier run has kept: 0; KEPT_OTHER, it is of another subject. */
enum { KEPT_OTHER = 1 };
static int take_kept(Source *source, const char *kept, const char *subject, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaFormat *format = &kafka->format;
    const Json *json;

    if (json_parse(source->arena, str_of(kept), &json, err) < 0)
        return silt_fail(err, SILT_CORRUPT, "the Avro schema that is kept with the checkpoint cannot be read");
    if (strcmp(json_cstr(json_get(json, "subject"), ""), subject) != 0)
        return KEPT_OTHER;
    format->kept = arena_strdup(source->arena, kept);
    return registry_know(format->registry, json_cstr(json_get(json, "registry"), ""), (uint32_t)json_int(json_get(json, "number"), 0),
                         json_cstr(json_get(json, "schema"), ""), &format->newest, err);
}

static int find_newest(Source *source, const char *kept, SiltPos pos, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaFormat *format = &kafka->format;
    const char *subject;

    SILT_TRY(find_subject(source, pos, &subject, err));
    if (kept) {
        int r = take_kept(source, kept, subject, err);
        if (r != KEPT_OTHER)
            return r;
    }
    format->subject = subject;
    int r = registry_newest(format->registry, subject, stop_of(source), &format->newest, err);
    if (r == REGISTRY_NONE) {
        silt_fail_at(err, SILT_CONFIG, pos, "the schema registry has no subject \"%s\"", subject);
        return silt_hint(err, "schemaRegistrySubject names another one; schema => 'id BIGINT, name STRING' or avroSchema needs none.");
    }
    if (r < 0)
        return silt_place(err, pos);
    if (!format->newest->type)
        return silt_fail_at(err, SILT_CONFIG, pos, "the newest schema of subject \"%s\" cannot be read with: %s", subject, format->newest->refusal);
    return 0;
}

const char *kafka__schema_text(const Source *source, Arena *arena)
{
    const KafkaFormat *format = &((const KafkaSource *)source->self)->format;
    silt_auto(str_buf_fini) StrBuf out = {0};

    if (format->kept || !format->newest)
        return format->kept ? arena_strdup(arena, format->kept) : NULL;
    str_buf_printf(&out, "{\"registry\":\"%s\",\"subject\":", registry_mark(format->registry));
    json_put_str(&out, str_of(format->subject));
    str_buf_printf(&out, ",\"number\":%u,\"schema\":", format->newest->number);
    json_put_str(&out, str_of(format->newest->text));
    str_buf_putc(&out, '}');
    return arena_strdup(arena, str_buf_text(&out));
}

/* ---- both ---- */

static int check_address(const KafkaFormat *format, const SqlOption *option, SiltErr *err)
{
    return registry_check_url(format->registry_settings.url, option->key, err) < 0 ? silt_place(err, option->value_pos) : 0;
}

/* An option that asks for a registry, and there is none. */
static int check_alone(const Arguments *arguments, SiltErr *err)
{
    for (const OptionRow *row = avro_options; row->name; row++) {
        const SqlOption *option = arguments_find(arguments, row->name);
        if (option)
            return silt_fail_at(err, SILT_CONFIG, option->pos, "%s is for a schema registry, and schemaRegistryAddress is not given", option->key);
    }
    return 0;
}

static int settle_alone(Source *source, const Arguments *arguments, const SqlOption *schema, const AvroType *reader, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    FormatOptions *options = &kafka->format.options;

    SILT_TRY(check_alone(arguments, err));
    if (!schema || !is_avro(schema->value)) {
        silt_fail_at(err, SILT_CONFIG, schema ? schema->value_pos : arguments_find(arguments, "format")->value_pos, "what values of format avro were written with is not known");
        return silt_hint(err, "Give schemaRegistryAddress => 'http://registry:8081', or the Avro schema: schema => '{\"type\": \"record\", ...}'.");
    }
    SILT_TRY(parse_schema(source, schema, &options->avro_written, err));
    const AvroType *columns = reader ? reader : avro_as_record(source->arena, options->avro_written);
    options->avro_columns = avro_type_spark(columns, source->arena);
    return 0;
}

static int settle_registry(Source *source, const SqlOption *address, const SqlOption *schema, const AvroType **reader, const char *kept, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaFormat *format = &kafka->format;

    SILT_TRY(check_address(format, address, err));
    format->registry = registry_open(&format->registry_settings);
    format->schemas = (FormatSchemas){source, find_schema};
    format->options.avro_schemas = &format->schemas;
    if (*reader || schema)
        return 0;
    SILT_TRY(find_newest(source, kept, address->value_pos, err));
    *reader = format->newest->type;
    return 0;
}

int kafka__settle_avro(Source *source, const Arguments *arguments, const char *kept, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    FormatOptions *options = &kafka->format.options;
    const SqlOption *schema = arguments_find(arguments, "schema"), *given = arguments_find(arguments, "avroSchema"), *address = arguments_find(arguments, "schemaRegistryAddress");
    const AvroType *reader = NULL;

    if (!address)
        address = arguments_find(arguments, "schema.registry.url");
    if (address && schema && given)
        return silt_fail_at(err, SILT_CONFIG, given->pos, "schema and avroSchema both say what values are read with");
    if (given || (address && schema && is_avro(schema->value)))
        SILT_TRY(parse_schema(source, given ? given : schema, &reader, err));
    if (address)
        SILT_TRY(settle_registry(source, address, schema, &reader, kept, err));
    if (reader) {
        options->avro_is_record = reader->kind == AVRO_RECORD;
        options->avro_reader = avro_as_record(source->arena, reader);
        options->avro_columns = avro_type_spark(options->avro_reader, source->arena);
    }
    return address ? 0 : settle_alone(source, arguments, schema, options->avro_reader, err);
}
