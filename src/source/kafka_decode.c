/*
 * source/kafka_decode.c - values of records through a format, straight into typed columns
 *
 * The values of as many records as fit are put one behind the other into a block, so that a decoder has much to work on at once; the format is told
 * where each ends. A value beyond maxRecordSize is a block of its own that cannot be used.
 */
#include "source/gunzip.h"
#include "source/kafka_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 512 * 1024, KEPT_OF_LONG = 64 * 1024 };

struct KafkaDecode {
    Source *source;
    FormatDecoder *decoder;
    Arena *arena;
    FormatTarget target;
    const void *head; /* CSV */
    FormatSink sink;  /* of who reads */
    bool metadata;    /* somebody looks at it */
    Gunzip *gunzip;   /* NULL: values are as they are */
    char *text;       /* of the block */
    size_t capacity;
    FormatGiven given[CHUNK_ROWS_MAX];
    bool in_block;
    const SourcePart *part;
    int32_t number;
    const KafkaRecord *records;
    int count, next; /* next: of the first that was in no block yet */
    KafkaRecord rows[CHUNK_ROWS_MAX]; /* of _metadata: those that became rows */
};

/* The record at an offset, which is there. */
static const KafkaRecord *record_at(const KafkaDecode *d, int64_t offset)
{
    int low = 0, high = d->count - 1;

    while (low < high) {
        int middle = low + (high - low) / 2;
        if (d->records[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    silt_assert(d->records[low].offset == offset);
    return &d->records[low];
}

/* A dead letter has the record as it came, not the block's bytes of it. */
static int put_bad(void *self, const FormatBadRecord *bad, SiltErr *err)
{
    const KafkaDecode *d = self;
    const KafkaRecord *record = record_at(d, bad->position);
    FormatMessage message = {.key = record->key};
    FormatBadRecord whole = *bad;

    message.has_timestamp = !__builtin_mul_overflow(record->timestamp_ms, INT64_C(1000), &message.timestamp_us);
    whole.bytes = record->value;
    whole.length = (int64_t)record->value.size;
    whole.message = &message;
    return d->sink.put(d->sink.self, &whole, err);
}

int kafka__decode_new(Source *source, const bool *used, const FormatSink *sink, KafkaDecode **out, SiltErr *err)
{
    const KafkaSource *kafka = source->self;
    const KafkaFormat *format = &kafka->format;
    KafkaDecode *d = silt_alloc(sizeof *d);
    FormatSink own = {d, put_bad};
    size_t consumed;
    int r = 0;

    d->source = source;
    d->arena = arena_new();
    d->sink = *sink;
    d->gunzip = kafka->o.compression == KAFKA_GZIP ? gunzip_new() : NULL;
    d->metadata = !used || used[format->metadata_column];
    d->target = (FormatTarget){.schema = format->data,
                               .rescued_column = format->rescued_column,
                               .corrupt_column = format_corrupt_column(&format->options, format->data),
                               .types = source->schema.types,
                               .column_count = source->schema.column_count};
    if (format_may_skip(&format->options, &d->target))
        d->target.needed = used;
    if (format->ops->head)
        r = format->ops->head(&format->options, format->data, d->arena, STR(""), true, &d->head, &consumed, err);
    if (r == 0)
        r = format->ops->decoder_new(&format->options, &d->target, sink->put ? &own : NULL, &d->decoder, err);
    if (r < 0) {
        kafka__decode_free(d);
        return r;
    }
    *out = d;
    return 0;
}

void kafka__decode_free(KafkaDecode *d)
{
    if (!d)
        return;
    const KafkaSource *kafka = d->source->self;
    kafka->format.ops->decoder_free(d->decoder);
    arena_free(d->arena);
    gunzip_free(d->gunzip);
    free(d->text);
    free(d);
}

void kafka__decode_begin(KafkaDecode *d, const SourcePart *part, int32_t number, const KafkaRecord *records, int count)
{
    silt_assert(!d->in_block && d->next == d->count && count <= CHUNK_ROWS_MAX);
    d->part = part;
    d->number = number;
    d->records = records;
    d->count = count;
    d->next = 0;
}

static void make_room(KafkaDecode *d, size_t size)
{
    if (d->capacity >= size + FORMAT_PADDING)
        return;
    d->capacity = size + size / 2 + FORMAT_PADDING;
    d->text = silt_realloc(d->text, d->capacity);
}

/* What a record holds, borrowed until the next call; NULL, or why it cannot be used. */
static const char *value_of(KafkaDecode *d, const KafkaRecord *record, Str *value)
{
    const KafkaSource *kafka = d->source->self;
    size_t most = (size_t)kafka->format.options.record_bytes_max;

    *value = record->value;
    if (value->size > most)
        return "a record longer than maxRecordSize";
    if (!d->gunzip || !value->ptr)
        return NULL;
    switch (gunzip(d->gunzip, record->value, most, value)) {
    case GUNZIP_OK:
        return NULL;
    case GUNZIP_LONG:
        return "a record longer than maxRecordSize";
    default:
        return "a value that is no gzip, or damaged";
    }
}

/* Records from d->next on, at least one, into the block. */
static void fill_block(KafkaDecode *d, FormatBlock *block)
{
    size_t size = 0;
    uint32_t held = 0;

    while (d->next < d->count) {
        const KafkaRecord *record = &d->records[d->next];
        Str value;
        const char *unusable = value_of(d, record, &value);
        if (held && (unusable || size + value.size > BLOCK_SIZE))
            break;
        size_t taken = unusable && value.size > KEPT_OF_LONG ? KEPT_OF_LONG : value.size;
        make_room(d, size + taken + 1);
        if (taken)
            memcpy(d->text + size, value.ptr, taken);
        size += taken;
        d->given[held++] = (FormatGiven){record->offset, (uint32_t)size, !record->value.ptr};
        d->text[size++] = '\n';
        d->next++;
        if (unusable) {
            block->unusable = unusable;
            block->unusable_length = (int64_t)record->value.size;
            size--;
            break;
        }
    }
    memset(d->text + size, 0, FORMAT_PADDING);
    block->ptr = d->text;
    block->size = size;
    block->given = d->given;
    block->given_count = held;
}

static void begin_block(KafkaDecode *d)
{
    const KafkaSource *kafka = d->source->self;
    FormatBlock block = {.source = d->number, .source_name = d->part->name, .head = d->head};

    fill_block(d, &block);
    kafka->format.ops->decoder_begin(d->decoder, &block);
    d->in_block = true;
}

/* The records that these rows were made of, into _metadata. */
static void put_metadata(KafkaDecode *d, Chunk *chunk, int rows)
{
    const KafkaSource *kafka = d->source->self;
    const ChunkOrigin *origins = chunk_origins_mut(chunk);
    Column *metadata = chunk_column_mut(chunk, kafka->format.metadata_column), *columns[KAFKA_COLUMNS] = {0};
    KafkaPosition partition = {.topic = d->part->topic, .partition = d->part->partition};
    const KafkaRecord *record = d->records;

    for (int i = 0; i < rows; i++) {
        while (record->offset != origins[i].position)
            record++;
        d->rows[i] = *record;
    }
    for (int c = 0, field = 0; c < KAFKA_COLUMNS && field < metadata->child_count; c++)
        if (c != KAFKA_VALUE)
            columns[c] = &metadata->children[field++];
    kafka__put_columns(columns, &partition, d->rows, rows);
}

int kafka__decode_next(KafkaDecode *d, Chunk **out, SiltErr *err)
{
    const KafkaSource *kafka = d->source->self;
    int rows;

    for (*out = NULL;;) {
        if (!d->in_block && d->next == d->count)
            return 0;
        if (!d->in_block)
            begin_block(d);
        SILT_TRY(kafka->format.ops->decoder_next(d->decoder, out, &rows, err));
        if (*out)
            break;
        d->in_block = false;
    }
    if (d->metadata)
        put_metadata(d, *out, rows);
    chunk_seal(*out, rows);
    return 0;
}

FormatCounts kafka__decode_counts(const KafkaDecode *d)
{
    const KafkaSource *kafka = d->source->self;

    return *kafka->format.ops->decoder_counts(d->decoder);
}
