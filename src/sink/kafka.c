/*
 * sink/kafka.c - topics as targets: each row is a record, each batch a transaction
 *
 * Columns are Spark's: value, and if wanted key, headers, topic, partition. A flow is known to the broker by its query id: as transactional id, and as
 * the group whose offsets mark the batches that are there (sink/kafka_producer.h). So a copy of its checkpoint that runs elsewhere fences it, and a
 * full refresh, which makes a new query id, writes everything again.
 */
#include "sink/kafka.h"

#include "format/option.h"
#include "sink/kafka_producer.h"
#include "source/arguments.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct KafkaSinkOptions {
    const char *servers;
    const char *topic; /* NULL: a column says it */
    bool exactly_once;
} KafkaSinkOptions;

#define AT(field) offsetof(KafkaSinkOptions, field)

static const OptionRow kafka_options[] = {
    {"kafka.bootstrap.servers", OPTION_SECRET, AT(servers), 0, NULL, NULL, "brokers to begin with: host:port, host:port"},
    {"bootstrapServers", OPTION_SECRET, AT(servers), 0, NULL, NULL, "the same"},
    {"topic", OPTION_TEXT, AT(topic), 0, NULL, NULL, "where all rows go, whatever a column topic says"},
    {"exactlyOnce", OPTION_BOOL, AT(exactly_once), 0, NULL, "true", "a transaction a batch; false: a batch that is tried again after a failure may be there twice"},
    {"includeHeaders", OPTION_IGNORED, 0, 0, NULL, NULL, "a column headers is written when there is one"},
    {0},
};

typedef struct KafkaSink {
    KafkaSinkOptions o;
    KafkaSettings settings; /* not complete: who writes is known with the first batch */
    KafkaProducer *producer; /* NULL: to be opened by the next batch */
} KafkaSink;

/* ---- what the statement says ---- */

/* A setting of the client: `kafka.` in front of it. */
static bool is_setting(const char *key)
{
    return !strncasecmp(key, "kafka.", 6) && strcasecmp(key, "kafka.bootstrap.servers") != 0;
}

static int take_setting(KafkaSink *kafka, Io *io, Arena *arena, const SqlOption *option, SiltErr *err)
{
    const char *value;

    SILT_TRY(source_secret_expand(io, arena, option->value, option->value_pos, &value, err));
    return kafka_settings_add(arena, &kafka->settings, option->key + 6, value, option->value_pos, err);
}

static int read_options(KafkaSink *kafka, Io *io, Arena *arena, const SinkWant *want, SiltErr *err)
{
    const OptionTable tables[] = {{kafka_options, &kafka->o}, {0}};
    Arguments arguments = {.reader = "a Kafka sink", .options = want->options, .count = want->option_count};

    option_defaults(tables, arena);
    for (int i = 0; i < want->option_count; i++) {
        const SqlOption *option = &want->options[i];
        SILT_TRY(is_setting(option->key) ? take_setting(kafka, io, arena, option, err) : arguments_set(&arguments, option, tables, io, arena, err));
    }
    if (!kafka->o.servers) {
        silt_fail_at(err, SILT_CONFIG, want->pos, "sink \"%s\" needs the brokers' addresses", want->name);
        return silt_hint(err, "Add OPTIONS ('kafka.bootstrap.servers' = 'host:9092', 'topic' = '...').");
    }
    return kafka_settings_add(arena, &kafka->settings, "bootstrap.servers", kafka->o.servers, want->pos, err);
}

/* The settings of a producer that is called `id`. */
static int settings_for(const KafkaSink *kafka, Arena *arena, const char *id, KafkaSettings *out, SiltErr *err)
{
    *out = (KafkaSettings){ARENA_ARRAY(arena, KafkaSetting, kafka->settings.count + 1), kafka->settings.count, kafka->settings.count + 1};
    if (kafka->settings.count)
        memcpy(out->items, kafka->settings.items, sizeof *out->items * (size_t)kafka->settings.count); /* with positions, for messages */
    return kafka_settings_complete_producer(arena, out, kafka->o.exactly_once ? id : NULL, err);
}

/* ---- columns ---- */

enum { VALUE, KEY, HEADERS, TOPIC, PARTITION, COLUMNS };

static const char *const column_names[COLUMNS] = {"value", "key", "headers", "topic", "partition"};
static const char *const column_types[COLUMNS] = {"STRING or BINARY", "STRING or BINARY", "ARRAY<STRUCT<key: STRING, value: BINARY>>", "STRING", "INT"};

typedef struct Columns {
    int at[COLUMNS]; /* < 0: there is none */
} Columns;

static bool has_kind(const Type *type, int column)
{
    switch (column) {
    case VALUE:
    case KEY:
        return type->kind == TYPE_STRING || type->kind == TYPE_BINARY;
    case TOPIC:
        return type->kind == TYPE_STRING;
    case PARTITION:
        return type->kind == TYPE_INT;
    default: {
        const Type *header = type->kind == TYPE_ARRAY ? type->element : NULL;
        return header && header->kind == TYPE_STRUCT && header->field_count == 2 && header->fields[0].type->kind == TYPE_STRING &&
               header->fields[1].type->kind == TYPE_BINARY;
    }
    }
}

static int refuse_column(const char *sink, SiltPos pos, const char *name, SiltErr *err)
{
    silt_fail_at(err, SILT_CONFIG, pos, "a Kafka sink has no place for column \"%s\" of the flow into \"%s\"", name, sink);
    return silt_hint(err, "Columns are value, key, headers, topic and partition: put the others into value, as in to_json(struct(*)) AS value.");
}

static int find_columns(const SinkColumns *given, const char *sink, SiltPos pos, bool topic_given, Columns *out, SiltErr *err)
{
    for (int c = 0; c < COLUMNS; c++)
        out->at[c] = -1;
    for (int i = 0; i < given->count; i++) {
        int c = 0;
        while (c < COLUMNS && strcasecmp(column_names[c], given->names[i]) != 0)
            c++;
        if (c == COLUMNS)
            return refuse_column(sink, pos, given->names[i], err);
        if (!has_kind(given->types[i], c)) {
            StrBuf type = {0};
            type_print(&type, given->types[i]);
            silt_fail_at(err, SILT_CONFIG, pos, "column \"%s\" of a Kafka sink is %s, not %s", column_names[c], column_types[c], str_buf_text(&type));
            str_buf_fini(&type);
            return silt_hint(err, c <= KEY ? "Make text of it: to_json(...), or CAST(... AS STRING)." : "Cast it.");
        }
        out->at[c] = i;
    }
    if (out->at[VALUE] < 0) {
        silt_fail_at(err, SILT_CONFIG, pos, "the flow into \"%s\" has no column \"value\"", sink);
        return silt_hint(err, "Name what is to be sent, as in SELECT to_json(struct(*)) AS value.");
    }
    if (out->at[TOPIC] < 0 && !topic_given) {
        silt_fail_at(err, SILT_CONFIG, pos, "nothing says to which topic the rows of \"%s\" go", sink);
        return silt_hint(err, "Add the option 'topic' = '...', or a column `topic`.");
    }
    return 0;
}

static int kafka_check(const SinkContext *context, const SinkWant *want, const SinkColumns *columns, Arena *arena, SiltErr *err)
{
    KafkaSink kafka = {0};
    KafkaSettings settings;
    Columns found;

    SILT_TRY(read_options(&kafka, context->io, arena, want, err));
    SILT_TRY(settings_for(&kafka, arena, "silt", &settings, err));
    return find_columns(columns, want->name, want->pos, kafka.o.topic != NULL, &found, err);
}

/* ---- a batch ---- */

/* The topics that a batch has written to, sorted. */
typedef struct Topics {
    const char **names;
    int count, capacity;
} Topics;

/* The same text, ended by a NUL, that lives as long as the batch. */
static const char *keep_topic(Arena *arena, Topics *topics, Str name)
{
    int low = 0, high = topics->count;

    while (low < high) {
        int middle = (low + high) / 2;
        int order = strncmp(topics->names[middle], name.ptr, name.size);
        if (order == 0 && topics->names[middle][name.size])
            order = 1;
        if (order == 0)
            return topics->names[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    ARENA_PUSH(arena, topics->names, topics->count, topics->capacity, NULL);
    memmove(topics->names + low + 1, topics->names + low, sizeof *topics->names * (size_t)(topics->count - 1 - low));
    return topics->names[low] = arena_strndup(arena, name.ptr, name.size);
}

typedef struct Writing {
    Sink *sink;
    const SinkBatch *batch;
    Columns columns;
    Arena *arena;
    Topics topics;
    bool begun;
    KafkaMessageHeader *headers;
    int header_capacity;
} Writing;

static Str text_or_null(const Chunk *chunk, int column, uint64_t row)
{
    if (column < 0 || column_is_null(chunk_column(chunk, column), row))
        return (Str){0};
    Str text = column_text(chunk_column(chunk, column), row);
    return text.ptr ? text : str_of(""); /* nothing is not NULL */
}

static int take_topic(Writing *w, const Chunk *chunk, uint64_t row, const char **out, SiltErr *err)
{
    const KafkaSink *kafka = w->sink->self;
    Str name = kafka->o.topic ? str_of(kafka->o.topic) : text_or_null(chunk, w->columns.at[TOPIC], row);

    if (!name.size) {
        silt_fail_at(err, SILT_CONFIG, w->sink->pos, "a row of the flow into \"%s\" has no topic", w->sink->name);
        return silt_hint(err, "Fill it in, as in coalesce(topic, 'others') AS topic, or give the option 'topic'.");
    }
    *out = keep_topic(w->arena, &w->topics, name);
    return 0;
}

static int take_partition(Writing *w, const Chunk *chunk, uint64_t row, int32_t *out, SiltErr *err)
{
    int at = w->columns.at[PARTITION];

    *out = -1;
    if (at < 0 || column_is_null(chunk_column(chunk, at), row))
        return 0;
    *out = ((const int32_t *)chunk_column(chunk, at)->data)[row];
    if (*out < 0)
        return silt_fail_at(err, SILT_CONFIG, w->sink->pos, "a row of the flow into \"%s\" has the partition %d", w->sink->name, *out);
    return 0;
}

static int take_headers(Writing *w, const Chunk *chunk, uint64_t row, KafkaMessage *record, SiltErr *err)
{
    int at = w->columns.at[HEADERS];
    const Column *list = at < 0 ? NULL : chunk_column(chunk, at);

    if (!list || column_is_null(list, row))
        return 0;
    ChunkList range = ((const ChunkList *)list->data)[row];
    const Column *header = &list->children[0], *name = &header->children[0], *value = &header->children[1];
    for (uint64_t i = range.offset; i < range.offset + range.length; i++) {
        if (column_is_null(header, i) || column_is_null(name, i)) {
            silt_fail_at(err, SILT_CONFIG, w->sink->pos, "a row of the flow into \"%s\" has a header without a key", w->sink->name);
            return silt_hint(err, "Leave such headers out: filter(headers, h -> h.key IS NOT NULL).");
        }
        Str key = column_text(name, i);
        KafkaMessageHeader made = {arena_strndup(w->arena, key.ptr, key.size), column_text(value, i)};
        if (!column_is_null(value, i) && !made.value.ptr)
            made.value = str_of("");
        ARENA_PUSH(w->arena, w->headers, record->header_count, w->header_capacity, made);
    }
    record->headers = w->headers;
    return 0;
}

/* With the first record: is the batch there already? 1: yes. */
static int begin(Writing *w, const char *topic, SiltErr *err)
{
    KafkaSink *kafka = w->sink->self;
    bool opened = false, there = false;

    if (!kafka->producer) {
        const char *id = arena_printf(w->arena, "silt-%s", w->batch->query_id);
        KafkaSettings settings;
        SILT_TRY(settings_for(kafka, w->arena, id, &settings, err));
        SILT_TRY(kafka_producer_open(&settings, kafka->o.exactly_once ? id : NULL, &kafka->producer, err));
        opened = true;
    }
    if (opened) /* what this producer has written itself it knows */
        SILT_TRY(kafka_producer_has(kafka->producer, topic, w->batch->id, &there, err));
    if (there)
        return 1;
    w->begun = true;
    return kafka_producer_begin(kafka->producer, err);
}

static int put_row(Writing *w, const Chunk *chunk, uint64_t row, SiltErr *err)
{
    KafkaSink *kafka = w->sink->self;
    KafkaMessage record = {.key = text_or_null(chunk, w->columns.at[KEY], row), .value = text_or_null(chunk, w->columns.at[VALUE], row)};

    SILT_TRY(take_topic(w, chunk, row, &record.topic, err));
    SILT_TRY(take_partition(w, chunk, row, &record.partition, err));
    SILT_TRY(take_headers(w, chunk, row, &record, err));
    if (!w->begun) {
        int r = begin(w, record.topic, err);
        if (r)
            return r;
    }
    return kafka_producer_put(kafka->producer, &record, err);
}

/* 1: the batch is there already. */
static int put_rows(Writing *w, ChunkReader *rows, SiltErr *err)
{
    for (;;) {
        silt_auto(chunk_unrefp) Chunk *chunk = NULL;
        SILT_TRY(rows->next(rows->self, &chunk, err));
        if (!chunk)
            return 0;
        for (int i = 0; i < chunk_row_count(chunk); i++) {
            int r = put_row(w, chunk, (uint64_t)i, err);
            if (r)
                return r;
        }
    }
}

static int write_batch(Writing *w, ChunkReader *rows, SiltErr *err)
{
    KafkaSink *kafka = w->sink->self;
    SinkColumns columns = {w->batch->names, w->batch->types, w->batch->column_count};

    SILT_TRY(find_columns(&columns, w->sink->name, w->sink->pos, kafka->o.topic != NULL, &w->columns, err));
    int r = put_rows(w, rows, err);
    if (r < 0)
        return r;
    return r == 0 && w->begun ? kafka_producer_commit(kafka->producer, w->topics.names, w->topics.count, w->batch->id, err) : 0;
}

static int kafka_batch(Sink *sink, const SinkBatch *batch, ChunkReader *rows, SiltErr *err)
{
    KafkaSink *kafka = sink->self;
    Writing writing = {.sink = sink, .batch = batch, .arena = arena_new()};
    int r = write_batch(&writing, rows, err);

    if (r < 0) { /* the next one asks the broker what has become of it */
        kafka_producer_close(kafka->producer);
        kafka->producer = NULL;
        if (!err->line)
            silt_place(err, sink->pos);
    }
    arena_free(writing.arena);
    return r;
}

/* ---- a sink ---- */

static bool kafka_knows(const SinkContext *context, const char *kind)
{
    (void)context;
    return !strcasecmp(kind, "kafka");
}

static int kafka_open(Sink *sink, const SinkContext *context, const SinkWant *want, SiltErr *err)
{
    KafkaSink *kafka = sink->self = ARENA_NEW(sink->arena, KafkaSink);

    return read_options(kafka, context->io, sink->arena, want, err);
}

static void kafka_close(Sink *sink)
{
    KafkaSink *kafka = sink->self;

    if (kafka)
        kafka_producer_close(kafka->producer);
}

const SinkOps sink_kafka = {
    .name = "kafka",
    .summary = "topics of Kafka: a record a row, a transaction a batch",
    .knows = kafka_knows,
    .check = kafka_check,
    .open = kafka_open,
    .batch = kafka_batch,
    .close = kafka_close,
};
