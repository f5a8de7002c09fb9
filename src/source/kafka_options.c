/* source/kafka_options.c - the options of read_kafka(...), and its columns */
#include "source/kafka_internal.h"

#include <string.h>
#include <strings.h>

#define AT(field) offsetof(KafkaOptions, field)
#define EVOLUTIONS "none|rescue|addNewColumns|addNewColumnsWithTypeWidening|failOnNewColumns"
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, NULL, why}

static const OptionRow kafka_options[] = {
    {"bootstrapServers", OPTION_SECRET, AT(servers), 0, NULL, NULL, "brokers to begin with: host:port, host:port"},
    {"kafka.bootstrap.servers", OPTION_SECRET, AT(servers), 0, NULL, NULL, "the same, as Spark calls it"},
    {"subscribe", OPTION_TEXT, AT(subscribe), 0, NULL, NULL, "topics, with commas between"},
    {"subscribePattern", OPTION_TEXT, AT(pattern), 0, NULL, NULL, "regular expression that whole topic names match; new topics are found"},
    {"assign", OPTION_TEXT, AT(assign), 0, NULL, NULL, "partitions, as {\"topic\":[0,1]}"},
    {"startingOffsets", OPTION_TEXT, AT(starting), 0, NULL, NULL, "earliest, latest, or {\"topic\":{\"0\":23,\"1\":-2}}; latest for a stream, earliest for a batch"},
    {"startingTimestamp", OPTION_COUNT, AT(starting_ms), 0, NULL, NULL, "begin with the first record at or after it: milliseconds since 1970"},
    {"startingOffsetsByTimestamp", OPTION_TEXT, AT(starting_times), 0, NULL, NULL, "the same for each partition, as {\"topic\":{\"0\":1700000000000}}"},
    {"startingOffsetsByTimestampStrategy", OPTION_CHOICE, AT(starting_strategy), 0, "error|latest", "error", "what a time behind the last record means"},
    {"endingOffsets", OPTION_TEXT, AT(ending), 0, NULL, NULL, "of a batch: latest, or {\"topic\":{\"0\":50,\"1\":-1}}"},
    {"endingTimestamp", OPTION_COUNT, AT(ending_ms), 0, NULL, NULL, "of a batch: end before the first record at or after it"},
    {"endingOffsetsByTimestamp", OPTION_TEXT, AT(ending_times), 0, NULL, NULL, "the same for each partition"},
    {"maxOffsetsPerTrigger", OPTION_COUNT, AT(offsets_max), 1, NULL, "9223372036854775807", "offsets a batch, shared by partitions as they have more"},
    {"minOffsetsPerTrigger", OPTION_COUNT, AT(offsets_min), 1, NULL, NULL, "a continuous run waits for that many, or maxTriggerDelay"},
    {"maxTriggerDelay", OPTION_DURATION, AT(delay_us), 0, NULL, "15m", "how long at most"},
    {"failOnDataLoss", OPTION_BOOL, AT(fail_on_loss), 0, NULL, "true", "offsets that are gone stop the flow; false: they are passed over, with a warning"},
    {"includeHeaders", OPTION_BOOL, AT(include_headers), 0, NULL, "false", "a column headers"},
    {"commitOffsets", OPTION_BOOL, AT(commit_offsets), 0, NULL, "true", "what a stream has read is shown to the brokers as offsets of a consumer group"},
    {"groupId", OPTION_TEXT, AT(group_id), 0, NULL, NULL, "that group; silt-<flow>-<8 digits of its query id> otherwise"},
    {"kafka.group.id", OPTION_TEXT, AT(group_id), 0, NULL, NULL, "the same, as Spark calls it"},
    {"groupIdPrefix", OPTION_TEXT, AT(group_prefix), 0, NULL, "silt", "how the name of that group begins"},
    {"format", OPTION_TEXT, AT(format), 0, NULL, NULL, "json, csv, text, avro or protobuf: values are decoded to columns; without it they are bytes"},
    {"schema", OPTION_TEXT, AT(schema), 0, NULL, NULL, "the columns of a value, as in CREATE TABLE; or the Avro schema that values were written with"},
    {"compression", OPTION_CHOICE, AT(compression), 0, "none|gzip", "none", "what values themselves are packed with, besides what Kafka does to its batches"},
    {"schemaEvolutionMode", OPTION_CHOICE, AT(evolution), 0, EVOLUTIONS, "none", "what becomes of fields that the schema lacks: none or rescue"},
    {"kafkaConsumer.pollTimeoutMs", OPTION_COUNT, AT(poll_timeout_ms), 1, NULL, "120000", "how long records may take to come"},
    IGNORED("minPartitions", "a partition is read by one thread"),
    IGNORED("maxRecordsPerPartition", "a partition is read by one thread"),
    IGNORED("fetchOffset.numRetries", "questions are repeated until the time for them is over"),
    IGNORED("fetchOffset.retryIntervalMs", "questions are repeated until the time for them is over"),
    IGNORED("kafkaConsumer.fetchOffsetTimeout", "questions are repeated until the time for them is over"),
    {0},
};

/* A setting of the client: `kafka.` in front of it. */
static bool is_setting(const char *key)
{
    return !strncasecmp(key, "kafka.", 6) && strcasecmp(key, "kafka.bootstrap.servers") != 0 && strcasecmp(key, "kafka.group.id") != 0;
}

static int take_setting(Source *source, const SqlOption *option, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    const char *value;

    SILT_TRY(source_secret_expand(kafka->io, source->arena, option->value, option->value_pos, &value, err));
    if (!strcasecmp(option->key, "kafka.default.api.timeout.ms") && (!str_to_int64(str_of(value), &kafka->ask_ms) || kafka->ask_ms < 1))
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "\"%s\" is a number of milliseconds above 0, but found \"%s\"", option->key, value);
    return kafka_settings_add(source->arena, &kafka->settings, option->key + 6, value, option->pos, err);
}

static int without_format(const SqlOption *option, SiltErr *err)
{
    silt_fail_at(err, SILT_CONFIG, option->pos, "%s says how values are decoded, and there is no format", option->key);
    return silt_hint(err, "Add format => 'json' and a schema. Without a format a value is its bytes.");
}

static int take_options(Source *source, const Arguments *arguments, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    OptionTable tables[5] = {{kafka_options, &kafka->o}, {0}};

    option_defaults(tables, source->arena);
    format_options_init(&kafka->format.options);
    kafka__format_tables(kafka, tables + 1);
    for (int i = 0; i < arguments->count; i++) {
        const SqlOption *option = &arguments->options[i];
        if (!kafka->format.ops && kafka__is_format_option(option->key))
            return without_format(option, err);
        SILT_TRY(is_setting(option->key) ? take_setting(source, option, err) : arguments_set(arguments, option, tables, kafka->io, source->arena, err));
    }
    arguments_note_ignored(arguments, tables, source);
    return 0;
}

/* ---- which topics ---- */

static bool has_topic(const KafkaSource *kafka, Str name)
{
    for (int i = 0; i < kafka->topic_count; i++)
        if (str_is(name, kafka->topics[i]))
            return true;
    return false;
}

static int take_topics(Source *source, const Arguments *arguments, SiltErr *err)
{
    static const char *const names[] = {"subscribe", "subscribePattern", "assign"};
    KafkaSource *kafka = source->self;
    const SqlOption *given = NULL;
    int capacity = 0;

    for (int i = 0; i < 3; i++) {
        const SqlOption *option = arguments_find(arguments, names[i]);
        if (option && given)
            return silt_fail_at(err, SILT_CONFIG, option->pos, "read_kafka takes one of subscribe, subscribePattern and assign, but found %s and %s", given->key, option->key);
        given = option ? option : given;
    }
    if (!given) {
        silt_fail_at(err, SILT_CONFIG, kafka->pos, "read_kafka needs to know which topics");
        return silt_hint(err, "Give one of subscribe => 'topic', subscribePattern => 'orders_.*' and assign => '{\"topic\":[0,1]}'.");
    }
    kafka->topics_pos = given->value_pos;
    if (kafka->o.assign)
        return kafka_assigned_parse(source->arena, str_of(kafka->o.assign), &kafka->assigned, err) < 0 ? silt_place(err, given->value_pos) : 0;
    if (kafka->o.pattern)
        return java_regex_new(source->arena, str_of(arena_printf(source->arena, "\\A(?:%s)\\z", kafka->o.pattern)), &kafka->regex, err) < 0 ? silt_place(err, given->value_pos) : 0;
    for (const char *at = kafka->o.subscribe; *at;) {
        size_t size = strcspn(at, ",");
        Str name = str_trim((Str){at, size});
        if (name.size && !has_topic(kafka, name))
            ARENA_PUSH(source->arena, kafka->topics, kafka->topic_count, capacity, arena_str(source->arena, name).ptr);
        at += size + (at[size] == ',');
    }
    if (!kafka->topic_count)
        return silt_fail_at(err, SILT_CONFIG, given->value_pos, "subscribe names no topic");
    return 0;
}

/* ---- where to begin and to end ---- */

static int take_offsets(Source *source, const SqlOption *option, bool begin, KafkaBound *out, SiltErr *err)
{
    const char *refused = begin ? "latest" : "earliest";
    const KafkaSource *kafka = source->self;

    out->kind = KAFKA_AT_OFFSET;
    if (!strcasecmp(option->value, refused) && !kafka->streaming)
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s of a batch cannot be %s: there would be nothing to read", option->key, refused);
    if (!strcasecmp(option->value, "earliest") || !strcasecmp(option->value, "latest")) {
        out->all = strcasecmp(option->value, "earliest") ? KAFKA_LATEST : KAFKA_EARLIEST;
        return 0;
    }
    out->each = true;
    if (kafka_positions_parse(source->arena, str_of(option->value), &out->positions, err) < 0) {
        silt_place(err, option->value_pos);
        return silt_hint(err, "%s", begin ? "'earliest', 'latest' or a JSON object: -2 means earliest, -1 latest." : "'latest' or a JSON object: -1 means latest.");
    }
    for (int i = 0; i < out->positions.count; i++) {
        int64_t offset = out->positions.items[i].offset;
        if (offset < (begin ? KAFKA_EARLIEST : KAFKA_LATEST) || (begin && !kafka->streaming && offset == KAFKA_LATEST))
            return silt_fail_at(err, SILT_CONFIG, option->value_pos, "offset %lld of topic \"%s\", partition %d, cannot be used for %s", (long long)offset,
                                out->positions.items[i].topic, out->positions.items[i].partition, option->key);
    }
    return 0;
}

/* One end: a time for all beats a time for each, which beats offsets (Spark's order). */
static int take_bound(Source *source, const Arguments *arguments, bool begin, KafkaBound *out, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    const SqlOption *time = arguments_find(arguments, begin ? "startingTimestamp" : "endingTimestamp");
    const SqlOption *times = arguments_find(arguments, begin ? "startingOffsetsByTimestamp" : "endingOffsetsByTimestamp");
    const SqlOption *offsets = arguments_find(arguments, begin ? "startingOffsets" : "endingOffsets"), *given = time ? time : times ? times : offsets;

    *out = (KafkaBound){.all = begin && !kafka->streaming ? KAFKA_EARLIEST : KAFKA_LATEST, .latest_if_none = !begin, .option = begin ? "startingOffsets" : "endingOffsets"};
    if (!given)
        return 0;
    if (!begin && kafka->streaming) {
        silt_fail_at(err, SILT_CONFIG, given->pos, "%s is for a batch: a stream has no end", given->key);
        return silt_hint(err, "Leave it out, or leave STREAM out.");
    }
    out->pos = given->value_pos;
    out->option = given->key;
    if (begin)
        out->latest_if_none = kafka->o.starting_strategy == KAFKA_BEHIND_LATEST;
    if (given == offsets)
        return take_offsets(source, offsets, begin, out, err);
    out->kind = KAFKA_AT_TIME;
    if (given == time) {
        out->all = begin ? kafka->o.starting_ms : kafka->o.ending_ms;
        return 0;
    }
    out->each = true;
    if (kafka_positions_parse(source->arena, str_of(given->value), &out->positions, err) < 0)
        return silt_place(err, given->value_pos);
    return 0;
}

/* ---- columns ---- */

static void set_schema(Source *source)
{
    KafkaSource *kafka = source->self;
    SourceSchema *schema = &source->schema;
    int count = KAFKA_HEADERS + kafka->o.include_headers;

    schema->column_count = count;
    schema->names = ARENA_ARRAY(source->arena, const char *, count);
    schema->types = ARENA_ARRAY(source->arena, const Type *, count);
    schema->nullable = ARENA_ARRAY(source->arena, bool, count);
    for (int i = 0; i < count; i++) {
        schema->names[i] = kafka__column_name(i);
        schema->types[i] = kafka__column_type(i, source->arena);
        schema->nullable[i] = true; /* as Spark has them */
    }
}

/* As the option says; NULL: no option does. */
static const char *describe_topics(const Arguments *arguments)
{
    static const char *const names[] = {"subscribe", "subscribePattern", "assign"};
    const SqlOption *option = NULL;

    for (int i = 0; i < 3 && !option; i++)
        option = arguments_find(arguments, names[i]);
    return option ? option->value : NULL;
}

static int take_servers(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    if (!kafka->o.servers) {
        silt_fail_at(err, SILT_CONFIG, kafka->pos, "read_kafka needs the brokers' addresses");
        return silt_hint(err, "Give bootstrapServers => 'host:9092'.");
    }
    SILT_TRY(kafka_settings_add(source->arena, &kafka->settings, "bootstrap.servers", kafka->o.servers, kafka->pos, err));
    return kafka_settings_complete(source->arena, &kafka->settings, err);
}

int kafka__parse(Source *source, const SourceContext *context, const Relation *relation, SiltErr *err)
{
    static const ArgumentsForm form = {.reader = "read_kafka"};
    KafkaSource *kafka = source->self;
    Arguments arguments;

    kafka->pos = relation->pos;
    kafka->io = context->io;
    kafka->streaming = relation->stream;
    SILT_TRY(arguments_read(source->arena, relation, &form, &arguments, err));
    const char *topics = describe_topics(&arguments);
    source->name = arena_printf(source->arena, "read_kafka('%s')", topics ? topics : "");
    SILT_TRY(kafka__find_format(source, &arguments, err));
    SILT_TRY(take_options(source, &arguments, err));
    SILT_TRY(take_servers(source, err));
    SILT_TRY(take_topics(source, &arguments, err));
    SILT_TRY(take_bound(source, &arguments, true, &kafka->from, err));
    SILT_TRY(take_bound(source, &arguments, false, &kafka->to, err));
    SILT_TRY(kafka__settle_format(source, context, &arguments, err));
    /* Spark: KafkaV2[Subscribe[t]] */
    source->description = arena_printf(source->arena, "KafkaV2[%s[%s]]", kafka->o.subscribe ? "Subscribe" : kafka->o.pattern ? "SubscribePattern" : "Assign",
                                       topics);
    if (kafka->format.ops)
        kafka__set_format_schema(source);
    else
        set_schema(source);
    return 0;
}
