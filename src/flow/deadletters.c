/*
 * flow/deadletters.c - records that a reader could not decode, kept until their batch writes them to <t>_dead_letters
 *
 * A batch may be nothing but such records, and of any size. Up to MEMORY_BYTES_MAX are kept in memory, what comes more goes to a file below the
 * staging folder, without a name of its own: it is gone with the process. Of each record the first RECORD_BYTES_MAX bytes.
 *
 * One record: struct head, then file (or topic), reason, bytes and key.
 */
#include "flow/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RECORD_BYTES_MAX = 1 << 20,
    MEMORY_BYTES_MAX = 8 << 20,
    CHUNK_BYTES_MAX = 8 << 20,
    GROUP_BYTES_MAX = 64 << 20, /* rows that the Parquet writer holds */
};

struct head {
    int64_t position, line; /* of a message: its offset, 0 */
    int64_t timestamp_us;
    uint32_t place_size, reason_size, record_size, key_size;
    int32_t partition;
    bool has_place, is_message, has_timestamp, has_key;
};

struct DeadLetters {
    pthread_mutex_t lock; /* decoders run side by side */
    Io *io;
    const char *directory;
    Arena *arena; /* sinks, and what a reader gives out */
    StrBuf memory;
    int spill; /* -1: none yet */
    int64_t count, spilled_bytes, bytes;
    /* reading */
    int64_t read_bytes; /* of the file and the memory, as if they were one */
    char *piece;        /* of the file */
    size_t piece_size, piece_at;
};

/* What a source's decoders are given: lives in the arena of the dead letters. */
typedef struct LetterSink {
    DeadLetters *dead;
    const BatchInput *input;
} LetterSink;

DeadLetters *flow__dead_letters_new(Io *io, const char *directory)
{
    DeadLetters *dead = silt_alloc(sizeof *dead);

    pthread_mutex_init(&dead->lock, NULL);
    dead->io = io;
    dead->directory = directory;
    dead->arena = arena_new();
    dead->spill = -1;
    return dead;
}

void flow__dead_letters_clear(DeadLetters *dead)
{
    arena_reset(dead->arena);
    str_buf_clear(&dead->memory);
    free(dead->piece);
    dead->piece = NULL;
    if (dead->spill >= 0)
        close(dead->spill);
    dead->spill = -1;
    dead->count = dead->spilled_bytes = dead->bytes = 0;
}

void flow__dead_letters_free(DeadLetters *dead)
{
    if (!dead)
        return;
    flow__dead_letters_clear(dead);
    str_buf_fini(&dead->memory);
    pthread_mutex_destroy(&dead->lock);
    arena_free(dead->arena);
    free(dead);
}

int64_t flow__dead_letters_count(const DeadLetters *dead)
{
    return dead->count;
}

/* ---- in ---- */

static int open_spill(DeadLetters *dead, SiltErr *err)
{
    const char *directory;

    SILT_TRY(io_staging_directory(dead->io, dead->directory, dead->arena, &directory, err));
    const char *path = arena_printf(dead->arena, "%s/records", directory);
    dead->spill = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (dead->spill < 0)
        return silt_fail_errno(err, errno, "could not create \"%s\"", path);
    unlink(path);
    return 0;
}

static int spill(DeadLetters *dead, SiltErr *err)
{
    const char *at = str_buf_text(&dead->memory);
    size_t left = dead->memory.size;

    if (dead->spill < 0)
        SILT_TRY(open_spill(dead, err));
    while (left) {
        ssize_t done = write(dead->spill, at, left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return silt_fail_errno(err, errno, "could not set records aside in \"%s\"", dead->directory);
        at += done;
        left -= (size_t)done;
    }
    dead->spilled_bytes += (int64_t)dead->memory.size;
    str_buf_clear(&dead->memory);
    return 0;
}

static size_t text_size(const struct head *head)
{
    return (size_t)head->place_size + head->reason_size + head->record_size + head->key_size;
}

static int keep(DeadLetters *dead, const struct head *head, const char *place, const FormatBadRecord *record, SiltErr *err)
{
    size_t size = sizeof *head + text_size(head);

    if (dead->memory.size && dead->memory.size + size > MEMORY_BYTES_MAX)
        SILT_TRY(spill(dead, err));
    str_buf_add(&dead->memory, (const char *)head, sizeof *head);
    str_buf_add(&dead->memory, place ? place : "", head->place_size);
    str_buf_add(&dead->memory, record->reason, head->reason_size);
    str_buf_add(&dead->memory, record->bytes.ptr, head->record_size);
    str_buf_add(&dead->memory, head->key_size ? record->message->key.ptr : "", head->key_size);
    dead->count++;
    dead->bytes += (int64_t)size;
    return 0;
}

static uint32_t kept_size(Str bytes)
{
    return bytes.size > RECORD_BYTES_MAX ? RECORD_BYTES_MAX : (uint32_t)bytes.size;
}

static int put_record(void *self, const FormatBadRecord *record, SiltErr *err)
{
    const LetterSink *sink = self;
    DeadLetters *dead = sink->dead;
    int part_count = 0;
    const SourcePart *parts = sink->input->source ? source_batch_parts(sink->input->source, &part_count) : NULL;
    const SourcePart *part = record->source >= 0 && record->source < part_count ? &parts[record->source] : NULL;
    const char *place = !part ? NULL : part->topic ? part->topic : part->name;
    const FormatMessage *message = record->message;
    struct head head;

    memset(&head, 0, sizeof head); /* padding goes to the file */
    head.position = record->position;
    head.line = record->line;
    head.has_place = place != NULL;
    head.place_size = place ? (uint32_t)strlen(place) : 0;
    head.reason_size = (uint32_t)strlen(record->reason);
    head.record_size = kept_size(record->bytes);
    if (message) {
        head.is_message = true;
        head.partition = part ? part->partition : 0;
        head.timestamp_us = message->timestamp_us;
        head.has_timestamp = message->has_timestamp;
        head.has_key = message->key.ptr != NULL;
        head.key_size = kept_size(message->key);
    }
    pthread_mutex_lock(&dead->lock);
    int r = keep(dead, &head, place, record, err);
    pthread_mutex_unlock(&dead->lock);
    return r;
}

FormatSink flow__dead_letters_sink(DeadLetters *dead, const BatchInput *input)
{
    LetterSink *sink = ARENA_NEW(dead->arena, LetterSink);

    *sink = (LetterSink){dead, input};
    return (FormatSink){sink, put_record};
}

/* ---- out ---- */

static int read_exactly(DeadLetters *dead, int64_t offset, char *out, size_t size, SiltErr *err)
{
    while (size) {
        ssize_t got = pread(dead->spill, out, size, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return silt_fail_errno(err, errno, "could not read the records set aside in \"%s\"", dead->directory);
        if (got == 0)
            return silt_fail(err, SILT_CORRUPT, "the file of records set aside in \"%s\" is too short", dead->directory);
        out += got;
        offset += got;
        size -= (size_t)got;
    }
    return 0;
}

/* The next size bytes, which lie in the file whole or in memory whole: records are spilled whole. *out until the next call. */
static int take(DeadLetters *dead, size_t size, const char **out, SiltErr *err)
{
    int64_t at = dead->read_bytes;

    dead->read_bytes += (int64_t)size;
    if (at >= dead->spilled_bytes) {
        silt_assert((size_t)(at - dead->spilled_bytes) + size <= dead->memory.size);
        *out = str_buf_text(&dead->memory) + (at - dead->spilled_bytes);
        return 0;
    }
    if (dead->piece_at + size > dead->piece_size) { /* the next piece of the file begins here */
        size_t capacity = 2 * RECORD_BYTES_MAX + (1 << 20); /* more than any record and key: names and reasons are short */
        silt_assert(size <= capacity);
        if (!dead->piece)
            dead->piece = silt_alloc(capacity);
        dead->piece_size = (int64_t)capacity < dead->spilled_bytes - at ? capacity : (size_t)(dead->spilled_bytes - at);
        silt_assert(size <= dead->piece_size);
        SILT_TRY(read_exactly(dead, at, dead->piece, dead->piece_size, err));
        dead->piece_at = 0;
    }
    *out = dead->piece + dead->piece_at;
    dead->piece_at += size;
    return 0;
}

static void put_text(Chunk *chunk, int column, int row, bool given, Str text)
{
    Column *c = chunk_column_mut(chunk, column);

    if (given && utf8_valid(text))
        column_set_string(c, (uint64_t)row, text.ptr, text.size);
    else
        column_set_null(c, (uint64_t)row);
}

static void put_bytes(Chunk *chunk, int column, int row, bool given, Str bytes)
{
    Column *c = chunk_column_mut(chunk, column);

    if (given)
        column_set_string(c, (uint64_t)row, bytes.ptr, bytes.size);
    else
        column_set_null(c, (uint64_t)row);
}

static void put_number(Chunk *chunk, int column, int row, bool given, int64_t number)
{
    Column *c = chunk_column_mut(chunk, column);

    if (!given)
        column_set_null(c, (uint64_t)row);
    else if (c->type->kind == TYPE_INT)
        ((int32_t *)c->data)[row] = (int32_t)number;
    else
        ((int64_t *)c->data)[row] = number;
}

/* The columns of a file are NULL for a message, and the other way round. */
static void put_row(Chunk *chunk, int row, const struct head *head, const char *text)
{
    Str place = {text, head->place_size}, reason = {place.ptr + place.size, head->reason_size}, record = {reason.ptr + reason.size, head->record_size};
    bool is_message = head->is_message;

    put_text(chunk, 0, row, head->has_place && !is_message, place);
    put_number(chunk, 1, row, !is_message, head->position);
    put_number(chunk, 2, row, !is_message, head->line);
    put_text(chunk, 3, row, true, reason);
    put_bytes(chunk, 4, row, true, record);
    put_text(chunk, 5, row, head->has_place && is_message, place);
    put_number(chunk, 6, row, is_message, head->partition);
    put_number(chunk, 7, row, is_message, head->position);
    put_number(chunk, 8, row, head->has_timestamp, head->timestamp_us);
    put_bytes(chunk, 9, row, head->has_key, (Str){record.ptr + record.size, head->key_size});
}

static int next_rows(void *self, Chunk **out, SiltErr *err)
{
    DeadLetters *dead = self;
    const Type *text_type = type_simple(TYPE_STRING), *number = type_simple(TYPE_LONG), *bytes = type_simple(TYPE_BINARY);
    const Type *types[DEAD_COLUMNS] = {text_type, number, number, text_type, bytes, text_type, type_simple(TYPE_INT), number, type_simple(TYPE_TIMESTAMP), bytes};
    int64_t end = dead->spilled_bytes + (int64_t)dead->memory.size, begin = dead->read_bytes;
    int rows = 0, r = 0;

    *out = NULL;
    if (dead->read_bytes == end)
        return 0;
    Chunk *chunk = chunk_new(types, DEAD_COLUMNS);
    for (; rows < CHUNK_ROWS_MAX && dead->read_bytes < end && dead->read_bytes - begin < CHUNK_BYTES_MAX; rows++) {
        struct head head;
        const char *text = NULL;
        if ((r = take(dead, sizeof head, &text, err)) < 0)
            break;
        memcpy(&head, text, sizeof head);
        if ((r = take(dead, text_size(&head), &text, err)) < 0)
            break;
        put_row(chunk, rows, &head, text);
    }
    chunk_seal(chunk, rows);
    if (r < 0)
        chunk_unref(chunk);
    else
        *out = chunk;
    return r;
}

ChunkReader flow__dead_letters_read(DeadLetters *dead, int64_t *row_group_rows)
{
    dead->read_bytes = 0;
    dead->piece_at = dead->piece_size = 0;
    *row_group_rows = 0;
    if (dead->bytes > GROUP_BYTES_MAX) {
        int64_t rows = GROUP_BYTES_MAX / (dead->bytes / dead->count + 1);
        *row_group_rows = rows < CHUNK_ROWS_MAX ? CHUNK_ROWS_MAX : rows / CHUNK_ROWS_MAX * CHUNK_ROWS_MAX;
    }
    return (ChunkReader){.self = dead, .next = next_rows, .rows_estimate = dead->count};
}
