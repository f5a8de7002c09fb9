/*
 * source/kafka_read.c - the records of a batch, partition by partition, as chunks
 *
 * Rows come in the order of topic, partition and offset, whatever the broker sends first: a batch that is read again gives the same rows in the
 * same order. While one partition is read, the next ones are fetched already. What is fetched beyond the end of a batch waits in its cursor
 * for the next batch.
 */
#include "source/kafka_internal.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 3 };

typedef struct Range {
    KafkaPosition begin;
    int64_t end;
    KafkaCursor *cursor; /* NULL: not begun, or done */
    bool is_read;        /* records of it were fetched for this batch, or before it */
} Range;

typedef struct Reading {
    Source *source;
    Range *ranges; /* sorted; parts of the batch are numbered like them */
    int count, current;
    bool *used; /* columns that somebody looks at; NULL: all */
    KafkaWait wait;
    KafkaRecord *records; /* those that become the next chunk */
    int waiting;          /* records of the current cursor that were not taken yet */
    int64_t row_count;
    bool begun, ended;       /* topics were compared before the first record, and behind the last */
    SourcePart *parts;       /* of the batch */
    KafkaDecode *decode;     /* NULL: values are not decoded, or nothing was read yet */
    FormatSink sink;
} Reading;

/* ---- cursors ---- */

/* The cursor of a partition that stands at its offset. One that stands elsewhere is closed. */
static KafkaCursor *take_kept(KafkaSource *kafka, const KafkaPosition *at)
{
    for (int i = 0; i < kafka->kept_count; i++) {
        KafkaCursor *cursor = kafka->kept[i];
        if (!kafka_cursor_is_of(cursor, at->topic, at->partition))
            continue;
        kafka->kept[i] = kafka->kept[--kafka->kept_count];
        if (kafka_cursor_position(cursor) == at->offset)
            return cursor;
        kafka_cursor_close(cursor);
        return NULL;
    }
    return NULL;
}

static void keep_or_close(KafkaSource *kafka, KafkaCursor *cursor)
{
    if (kafka->streaming && kafka->kept_count < KAFKA_KEPT_MAX)
        kafka->kept[kafka->kept_count++] = cursor;
    else
        kafka_cursor_close(cursor);
}

void kafka__close_cursors(KafkaSource *kafka)
{
    while (kafka->kept_count)
        kafka_cursor_close(kafka->kept[--kafka->kept_count]);
}

static int begin_range(KafkaSource *kafka, Range *range, SiltErr *err)
{
    KafkaClient *client;

    range->is_read = true;
    range->cursor = take_kept(kafka, &range->begin);
    if (range->cursor)
        return 0;
    SILT_TRY(kafka__client(kafka, &client, err));
    return kafka_cursor_open(client, range->begin.topic, range->begin.partition, range->begin.offset, &range->cursor, err);
}

/* What of the range is gone, as of now: 0 with *there, the first record that is kept, or KAFKA_GONE; TRANSIENT when it is all there again. */
static int look_at_loss(Reading *reading, const Range *range, int outcome, KafkaPosition *there, SiltErr *err)
{
    KafkaSource *kafka = reading->source->self;
    KafkaWait wait = kafka__ask_wait(reading->source);
    KafkaPosition behind = range->begin;
    KafkaClient *client;

    *there = range->begin;
    SILT_TRY(kafka__client(kafka, &client, err));
    SILT_TRY(kafka_client_offsets(client, &(KafkaPositions){there, 1, 1}, KAFKA_EARLIEST, &wait, err));
    SILT_TRY(kafka_client_offsets(client, &(KafkaPositions){&behind, 1, 1}, KAFKA_LATEST, &wait, err));
    int64_t wanted = kafka_cursor_position(range->cursor);
    if (there->offset != KAFKA_GONE && (outcome == KAFKA_MISSING || (there->offset <= wanted && wanted <= behind.offset)))
        return silt_fail(err, SILT_TRANSIENT, "topic \"%s\", partition %d: the broker refused offset %lld for the moment", there->topic, there->partition, (long long)wanted);
    return 0;
}

/*
 * Fail, or go on with the first record that is there. Of a log that was made anew nothing belongs to this range: the next plan begins it from its
 * first record.
 */
static int go_on_behind_loss(Reading *reading, Range *range, int outcome, SiltErr *err)
{
    KafkaSource *kafka = reading->source->self;
    int64_t wanted = kafka_cursor_position(range->cursor);
    KafkaPosition there;

    SILT_TRY(look_at_loss(reading, range, outcome, &there, err));
    SILT_TRY(kafka__lost_range(reading->source, &there, wanted, range->end, false, err));
    kafka_cursor_close(range->cursor);
    range->cursor = NULL;
    range->begin.offset = there.offset > wanted && there.offset < range->end ? there.offset : range->end;
    return range->begin.offset < range->end ? begin_range(kafka, range, err) : 0;
}

/* More records of the current range: 0; at its end the next range is the current one, and there may be none. */
static int fetch(Reading *reading, SiltErr *err)
{
    KafkaSource *kafka = reading->source->self;
    Range *range = &reading->ranges[reading->current];

    for (int i = reading->current; i < reading->count && i <= reading->current + AHEAD; i++)
        if (!reading->ranges[i].cursor && reading->ranges[i].begin.offset < reading->ranges[i].end)
            SILT_TRY(begin_range(kafka, &reading->ranges[i], err));
    if (range->cursor) {
        int r = kafka_cursor_read(range->cursor, range->end, &reading->wait, &reading->waiting, err);
        if (r > 0)
            return go_on_behind_loss(reading, range, r, err);
        if (r < 0 || reading->waiting)
            return r;
        keep_or_close(kafka, range->cursor);
        range->cursor = NULL;
    }
    reading->current++;
    return 0;
}

/* ---- topics that were made anew (kafka_anew.c) ---- */

/* Which of the topics that are to be read (that were: behind them) are others than those of the plan. */
static int find_anew(const Reading *reading, bool behind, Arena *arena, KafkaTopics *anew, SiltErr *err)
{
    KafkaTopics topics = {0};

    for (int i = 0; i < reading->count; i++)
        if (behind ? reading->ranges[i].is_read : reading->ranges[i].begin.offset < reading->ranges[i].end)
            kafka_topics_set(arena, &topics, reading->ranges[i].begin.topic, NULL);
    return kafka__compare_topics(reading->source, &topics, arena, anew, err);
}

/* A batch that an earlier process has planned: nothing of a topic made anew belongs to it. The next plan begins the new one from its first record. */
static int begin_reading(Reading *reading, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaPositions positions = {0};
    KafkaTopics anew;

    if (!kafka__is_doubtful(reading->source))
        return 0;
    SILT_TRY(find_anew(reading, false, arena, &anew, err));
    if (anew.count)
        kafka__close_cursors(reading->source->self);
    for (int i = 0; i < reading->count; i++)
        kafka_positions_add(arena, &positions, reading->ranges[i].begin.topic, reading->ranges[i].begin.partition, reading->ranges[i].begin.offset);
    for (int i = 0; i < anew.count; i++)
        SILT_TRY(kafka__lost_topic(reading->source, &anew.items[i], &positions, err));
    for (int i = 0; i < reading->count; i++)
        if (kafka_topics_find(&anew, reading->ranges[i].begin.topic))
            reading->ranges[i].begin.offset = reading->ranges[i].end;
    return 0;
}

/* N3: what was read may be another topic's than was planned. Then it is not sealed; when the batch is read again, it begins with that. */
static int end_reading(Reading *reading, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaTopics anew;

    SILT_TRY(find_anew(reading, true, arena, &anew, err));
    if (!anew.count)
        return 0;
    return silt_fail(err, SILT_TRANSIENT, "topic \"%s\" was made anew while it was read", anew.items[0].name);
}

/* ---- rows ---- */

/* Rows of records as they are. */
static Chunk *make_chunk(const Reading *reading, int rows)
{
    const SourceSchema *schema = &reading->source->schema;
    Chunk *chunk = chunk_new(schema->types, schema->column_count);
    ChunkOrigin *origins = chunk_origins_mut(chunk);
    Column *columns[KAFKA_COLUMNS] = {0};

    for (int c = 0; c < schema->column_count; c++)
        if (!reading->used || reading->used[c])
            columns[c] = chunk_column_mut(chunk, c);
    kafka__put_columns(columns, &reading->ranges[reading->current].begin, reading->records, rows);
    for (int i = 0; i < rows; i++)
        origins[i] = (ChunkOrigin){reading->current, reading->records[i].offset};
    chunk_seal(chunk, rows);
    return chunk;
}

/* Take the next records of a partition: 0 with how many in *count, 0 of them at the end of the batch. */
static int take(Reading *reading, int *count, SiltErr *err)
{
    *count = 0;
    if (!reading->begun)
        SILT_TRY(begin_reading(reading, err));
    reading->begun = true;
    while (!reading->waiting && reading->current < reading->count)
        SILT_TRY(fetch(reading, err));
    if (!reading->waiting) {
        bool at_end = !reading->ended;
        reading->ended = true;
        return at_end ? end_reading(reading, err) : 0;
    }
    *count = kafka_cursor_take(reading->ranges[reading->current].cursor, reading->records, CHUNK_ROWS_MAX);
    reading->waiting -= *count;
    SourcePart *part = &reading->parts[reading->current];
    part->records += *count;
    for (int i = 0; i < *count; i++)
        part->bytes += (int64_t)(reading->records[i].key.size + reading->records[i].value.size);
    return 0;
}

static int next_chunk(void *self, Chunk **out, SiltErr *err)
{
    Reading *reading = self;
    int rows;

    *out = NULL;
    SILT_TRY(take(reading, &rows, err));
    if (rows)
        *out = make_chunk(reading, rows);
    reading->row_count += rows;
    return 0;
}

/* With a format: those that cannot be decoded make no row, so that there may be none of what was taken. */
static int next_decoded(void *self, Chunk **out, SiltErr *err)
{
    Reading *reading = self;
    int count;

    *out = NULL;
    if (!reading->decode)
        SILT_TRY(kafka__decode_new(reading->source, reading->used, &reading->sink, &reading->decode, err));
    for (;;) {
        SILT_TRY(kafka__decode_next(reading->decode, out, err));
        if (*out)
            return 0;
        SILT_TRY(take(reading, &count, err));
        if (!count)
            return 0;
        kafka__decode_begin(reading->decode, &reading->parts[reading->current], reading->current, reading->records, count);
    }
}

static void project(void *self, const bool *used)
{
    Reading *reading = self;
    size_t size = (size_t)reading->source->schema.column_count;

    reading->used = silt_alloc(size);
    memcpy(reading->used, used, size);
}

/* ---- the batch ---- */

static void add_range(SourceBatch *batch, const KafkaPosition *begin, int64_t end)
{
    Reading *reading = batch->self;
    Range *range = &reading->ranges[reading->count++];

    *range = (Range){.begin = *begin, .end = end};
    range->begin.topic = arena_strdup(batch->arena, begin->topic);
    if (begin->offset > end) /* a log that was made anew: all of it */
        range->begin.offset = 0;
    batch->parts[batch->part_count++] = (SourcePart){.name = arena_printf(batch->arena, "%s-%d", begin->topic, begin->partition),
                                                     .topic = range->begin.topic, .partition = begin->partition, .size_bytes = -1};
}

void kafka__open(Source *source, const KafkaPositions *from, const KafkaPositions *to, const char *fingerprint, const SourceReadOptions *read, SourceBatch **out)
{
    const KafkaSource *kafka = source->self;
    Arena *arena = arena_new();
    SourceBatch *batch = ARENA_NEW(arena, SourceBatch);
    Reading *reading = ARENA_NEW(arena, Reading);

    *batch = (SourceBatch){.source = source, .arena = arena, .self = reading, .fingerprint = arena_strdup(arena, fingerprint)};
    batch->parts = ARENA_ARRAY(arena, SourcePart, to->count + 1);
    *reading = (Reading){.source = source, .ranges = ARENA_ARRAY(arena, Range, to->count + 1), .records = ARENA_ARRAY(arena, KafkaRecord, CHUNK_ROWS_MAX)};
    reading->parts = batch->parts;
    reading->sink = read->sink;
    reading->wait = kafka__wait(source, kafka->o.poll_timeout_ms);
    for (int i = 0; i < to->count; i++)
        if (from->items[i].offset != to->items[i].offset)
            add_range(batch, &from->items[i], to->items[i].offset);
    batch->reader = (ChunkReader){.self = reading, .next = kafka->format.ops ? next_decoded : next_chunk, .project = project, .rows_estimate = -1};
    *out = batch;
}

void kafka__batch_close(SourceBatch *batch)
{
    Reading *reading = batch->self;

    for (int i = 0; i < reading->count; i++)
        if (reading->ranges[i].cursor)
            kafka_cursor_close(reading->ranges[i].cursor);
    kafka__decode_free(reading->decode);
    free(reading->used);
}

FormatCounts kafka__batch_counts(const SourceBatch *batch)
{
    const Reading *reading = batch->self;

    return reading->decode ? kafka__decode_counts(reading->decode) : (FormatCounts){.records = reading->row_count, .rows = reading->row_count};
}
