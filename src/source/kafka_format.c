/* source/kafka_format.c - what values of records are decoded by: format, its options, and the columns that come of it */
#include "source/kafka_internal.h"

#include "source/given.h"

#include <string.h>
#include <strings.h>

#define AT(field) offsetof(FormatOptions, field)
#define LATER(name, help) {name, OPTION_LATER, 0, 0, NULL, NULL, help}
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, NULL, why}
#define INFERRED(name) LATER(name, "The columns of values are those of schema: they are not inferred.")

/* Options of formats that have another meaning for values, or none. */
static const OptionRow value_options[] = {
    {"encoding", OPTION_TEXT, AT(encoding), 0, "UTF-8|UTF8", NULL, "of text"},
    {"charset", OPTION_TEXT, AT(encoding), 0, "UTF-8|UTF8", NULL, "the same as encoding"},
    LATER("header", "A value is one record, and columns are those of schema, by their position."),
    LATER("skipRows", "A value is one record."),
    LATER("comment", "A value is one record: a comment would be lost without a word. Leave such rows out in the query."),
    LATER("lineSep", "A value is one record, whatever line ends it has."),
    IGNORED("multiLine", "a value is one record, whatever line ends it has"),
    IGNORED("wholetext", "a value is one row, whatever line ends it has"),
    IGNORED("enforceSchema", "columns are those of schema, by their position"),
    INFERRED("schemaHints"),
    INFERRED("inferColumnTypes"),
    INFERRED("inferSchema"),
    INFERRED("primitivesAsString"),
    INFERRED("prefersDecimal"),
    INFERRED("inferTimestamp"),
    INFERRED("dropFieldIfAllNull"),
    {0},
};

static const FormatOps *const value_formats[] = {&format_json, &format_csv, &format_text, &format_avro_message, &format_protobuf_message};
enum { VALUE_FORMATS = sizeof value_formats / sizeof value_formats[0] };

int kafka__find_format(Source *source, const Arguments *arguments, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    const SqlOption *given = arguments_find(arguments, "format");

    for (int i = 0; given && i < VALUE_FORMATS; i++)
        if (!strcasecmp(given->value, value_formats[i]->name))
            kafka->format.ops = value_formats[i];
    if (!given || kafka->format.ops)
        return 0;
    silt_fail_at(err, SILT_CONFIG, given->value_pos, "cannot decode values of format \"%s\"", given->value);
    return silt_hint(err, "json, csv, text, avro and protobuf are known. Without a format a value is its bytes.");
}

void kafka__format_tables(KafkaSource *kafka, OptionTable *out)
{
    out[0] = (OptionTable){kafka->format.ops ? value_options : NULL, &kafka->format.options};
    out[1] = (OptionTable){kafka->format.ops ? kafka->format.ops->options : NULL, &kafka->format.options};
    out[2] = (OptionTable){kafka->format.ops == &format_avro_message ? kafka__avro_options : NULL, &kafka->format};
    out[3] = (OptionTable){0};
}

bool kafka__is_format_option(const char *key)
{
    FormatOptions unused;
    KafkaFormat unused_format;

    if (!strcasecmp(key, "schema") || !strcasecmp(key, "schemaEvolutionMode") || !strcasecmp(key, "compression"))
        return true;
    for (int i = 0; i < VALUE_FORMATS; i++)
        if (option_row((const OptionTable[]){{value_options, &unused}, {value_formats[i]->options, &unused}, {0}}, key, NULL))
            return true;
    return option_row((const OptionTable[]){{kafka__avro_options, &unused_format}, {0}}, key, NULL) != NULL;
}

static const char *rescued_name(const KafkaSource *kafka)
{
    const char *given = kafka->format.options.rescued_data_column;

    return given ? (*given ? given : NULL) : kafka->o.evolution == KAFKA_EVOLVE_RESCUE ? "_rescued_data" : NULL;
}

static int check_evolution(const KafkaSource *kafka, const Arguments *arguments, SiltErr *err)
{
    const SqlOption *option = arguments_find(arguments, "schemaEvolutionMode");
    bool named = kafka->format.options.rescued_data_column && *kafka->format.options.rescued_data_column;

    if (kafka->o.evolution >= KAFKA_EVOLVE_OTHER) {
        silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s is for an inferred schema: the columns of values are those of schema", option->value);
        return silt_hint(err, "schemaEvolutionMode => 'rescue' keeps fields that the schema lacks; 'none' leaves them out.");
    }
    if (kafka->o.evolution == KAFKA_EVOLVE_RESCUE && !kafka->format.ops->decoder_unknown && kafka->format.ops != &format_avro_message)
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "values of format %s have no fields to rescue", kafka->format.ops->name);
    if (kafka->o.evolution == KAFKA_EVOLVE_RESCUE && kafka->format.options.rescued_data_column && !named)
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "schemaEvolutionMode => 'rescue' needs a column, and rescuedDataColumn is empty");
    return 0;
}

/* The columns of a value: what schema says, or what the format always has. */
static int find_data(Source *source, const Arguments *arguments, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaFormat *format = &kafka->format;
    const SqlOption *schema = arguments_find(arguments, "schema"), *single = arguments_find(arguments, "singleVariantColumn");
    SiltPos pos = schema ? schema->value_pos : single ? single->value_pos : arguments_find(arguments, "format")->value_pos;

    if (kafka->o.schema && !format->options.avro_columns) {
        SILT_TRY(given_parse(source->arena, "schema", kafka->o.schema, kafka->o.schema, pos, &format->data, err));
    } else if (single) {
        TypeField field = {.name = format->options.single_variant_column, .type = type_simple(TYPE_VARIANT), .nullable = true};
        format->data = type_struct(source->arena, &field, 1);
    } else if (format->ops->schema) { /* text has always the same */
        format->data = format->ops->schema(&format->options, NULL);
    } else {
        silt_fail_at(err, SILT_CONFIG, pos, "format => '%s' needs a schema: columns of values are not inferred", format->ops->name);
        return silt_hint(err, "Say what values hold: schema => 'id BIGINT, name STRING'. What a schema lacks is kept with rescuedDataColumn => '_rescued_data'.");
    }
    SILT_TRY(given_check_names(source, format->data, rescued_name(kafka), pos, err));
    return given_check_types(format->ops, &format->options, format->data, pos, err);
}

int kafka__settle_format(Source *source, const SourceContext *context, const Arguments *arguments, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaFormat *format = &kafka->format;

    if (!format->ops)
        return 0;
    if (!format->options.time_zone)
        format->options.time_zone = arena_strdup(source->arena, context->time_zone ? context->time_zone : "UTC");
    if (format->ops->check && format->ops->check(&format->options, source->arena, err) < 0)
        return err && err->line == 0 ? silt_place(err, arguments_find(arguments, "format")->pos) : -1;
    SILT_TRY(check_evolution(kafka, arguments, err));
    if (format->ops == &format_avro_message)
        SILT_TRY(kafka__settle_avro(source, arguments, context->schema_text, err));
    if (format->ops == &format_protobuf_message)
        SILT_TRY(kafka__settle_protobuf(source, context, arguments, err));
    return find_data(source, arguments, err);
}

static const Type *metadata_type(const KafkaSource *kafka, Arena *arena)
{
    TypeField fields[KAFKA_COLUMNS];
    int count = 0;

    for (int c = 0; c < KAFKA_COLUMNS; c++)
        if (c != KAFKA_VALUE && (c != KAFKA_HEADERS || kafka->o.include_headers))
            fields[count++] = (TypeField){.name = kafka__column_name(c), .type = kafka__column_type(c, arena), .nullable = true};
    return type_struct(arena, fields, count);
}

static void add_column(SourceSchema *schema, const char *name, const Type *type, bool nullable)
{
    schema->names[schema->column_count] = name;
    schema->types[schema->column_count] = type;
    schema->nullable[schema->column_count++] = nullable;
}

void kafka__set_format_schema(Source *source)
{
    KafkaSource *kafka = source->self;
    KafkaFormat *format = &kafka->format;
    const char *rescued = rescued_name(kafka);
    int most = format->data->field_count + 2;

    source->schema = (SourceSchema){.names = ARENA_ARRAY(source->arena, const char *, most),
                                    .types = ARENA_ARRAY(source->arena, const Type *, most),
                                    .nullable = ARENA_ARRAY(source->arena, bool, most),
                                    .hidden_count = 1};
    for (int i = 0; i < format->data->field_count; i++)
        add_column(&source->schema, format->data->fields[i].name, format->data->fields[i].type, true);
    format->rescued_column = rescued ? source->schema.column_count : -1;
    if (rescued)
        add_column(&source->schema, rescued, type_simple(TYPE_STRING), true);
    format->metadata_column = source->schema.column_count;
    add_column(&source->schema, "_metadata", metadata_type(kafka, source->arena), false);
}
