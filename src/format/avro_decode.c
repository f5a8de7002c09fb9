/*
 * format/avro_decode.c - Avro object container files: blocks of records into chunks
 *
 *   V1  A block is decoded whole or the read fails with the file's name: bytes that are out of step cannot be told from records.
 *   V2  A row's position is that of its block in the file.
 */
#include "format/avro_block.h"

#include "duck/column_put.h"
#include "format/avro_rows.h"
#include "format/infer.h"

#include <string.h>

typedef struct AvroDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena;
    FormatCounts counts;
    FormatBlock block;
    const AvroHead *head;
    Arena *rows_arena;
    AvroPlace *place; /* of the columns */
    AvroRows *rows;  /* of the head's schema; NULL: an empty file, or unresolved */
    bool unresolved; /* the file's schema and the reader's do not go together: failure says why */
    const Type *met; /* STRUCT: all that the files' schemas have */
    Arena *met_arena;
    Chunk *chunk;
    /* In the format block */
    const char *next, *end;
    /* In the Avro block */
    Str records;
    int64_t left;     /* of them */
    int64_t position; /* of the Avro block */
    StrBuf bytes;     /* decompressed */
    bool failed;      /* behind the rows of the last chunk */
    SiltErr failure;
} AvroDecoder;

static int broken(AvroDecoder *d, const char *what, SiltErr *err)
{
    return silt_fail(err, SILT_INPUT, "could not read the Avro block at byte %lld of %s: %s", (long long)d->position, d->block.source_name, what);
}

/* ---- records ---- */

/* ROW_MADE, ROW_NONE, < 0 */
enum { ROW_MADE, ROW_NONE };

static int drop(AvroDecoder *d, Str record, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->position,
                           .length = (int64_t)record.size,
                           .reason = "a field that does not fit its type",
                           .bytes = record};

    d->counts.dropped++;
    return d->sink.put && d->sink.put(d->sink.self, &bad, err) < 0 ? -1 : ROW_NONE;
}

static int next_row(AvroDecoder *d, uint64_t at, SiltErr *err)
{
    const char *start = d->records.ptr;
    AvroRow row;

    d->left--;
    if (!avro_rows_put(d->rows, d->chunk, &d->records, at, &row)) {
        d->left = 0; /* where the next record begins is not known: the rest of the block is lost */
        return broken(d, row.refusal, err);
    }
    d->counts.records++;
    d->counts.misfit_fields += row.misfits;
    d->counts.unknown_fields += row.unknowns;
    if (!row.misfits)
        return ROW_MADE;
    if (d->options->mode == FORMAT_MODE_FAIL) {
        broken(d, "a field that does not fit its type", err);
        return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
    }
    return d->options->mode == FORMAT_MODE_DROP ? drop(d, (Str){start, (size_t)(d->records.ptr - start)}, err) : ROW_MADE;
}

/* ---- blocks ---- */

/* The next Avro block of the format block: 1, 0 at the end, < 0. */
static int next_block(AvroDecoder *d, SiltErr *err)
{
    if (d->next == d->end)
        return 0;
    const char *p = d->next;
    int64_t count, size;
    d->position = d->block.position + (p - d->block.ptr);
    d->next = d->end; /* until it is known where the next one begins */
    silt_assert(avro_long(&p, d->end, &count) && avro_long(&p, d->end, &size) && size <= d->end - p - 16); /* cut has seen it */
    if (count < 0)
        return broken(d, "a number of records below zero", err);
    if (memcmp(p + size, d->head->sync, 16) != 0)
        return broken(d, "the marker behind it is not that of the file", err);
    d->next = p + size + 16;
    const char *wrong = avro_unpack(d->head->codec, (Str){p, (size_t)size}, d->options->record_bytes_max, &d->bytes, &d->records);
    if (wrong)
        return broken(d, wrong, err);
    if (count > (int64_t)d->records.size && d->head->type->count > 0)
        return broken(d, "more records than bytes", err);
    d->left = count;
    return 1;
}

/* ---- FormatOps ---- */

int avro_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    (void)err;
    Arena *arena = arena_new();
    AvroDecoder *d = ARENA_NEW(arena, AvroDecoder);
    *d = (AvroDecoder){.options = options, .target = target, .arena = arena};
    d->place = avro_place_new(arena, target->schema);
    if (sink)
        d->sink = *sink;
    *out = (FormatDecoder *)d;
    return 0;
}

void avro_decoder_free(FormatDecoder *decoder)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    if (!d)
        return;
    str_buf_fini(&d->bytes);
    avro_rows_free(d->rows);
    chunk_unref(d->chunk);
    arena_free(d->rows_arena);
    arena_free(d->met_arena);
    arena_free(d->arena);
}

/* Rows as the block's file has them. */
static void take_schema(AvroDecoder *d)
{
    avro_rows_free(d->rows);
    d->rows = NULL;
    if (!d->rows_arena)
        d->rows_arena = arena_new();
    arena_reset(d->rows_arena);
    d->unresolved = d->head->type && avro_rows_new(d->rows_arena, d->head->type, d->options->avro_reader, d->target, d->place, &d->rows, &d->failure) < 0;
}

void avro_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    d->block = *block;
    d->next = block->ptr;
    d->end = block->ptr + block->size;
    d->left = 0;
    if (block->unusable || d->head == block->head)
        return;
    d->head = block->head;
    take_schema(d);
    if (d->target->collect_unknown) {
        if (!d->met_arena)
            d->met_arena = arena_new();
        d->met = d->met ? schema_add(d->met, d->head->schema, d->target->wider, d->met_arena) : type_copy(d->met_arena, d->head->schema);
    }
}

static void put_rescued(AvroDecoder *d, uint64_t row)
{
    Column *column = chunk_column_mut(d->chunk, d->target->rescued_column);
    Str text;

    if (!avro_rows_rescued(d->rows, d->block.source_name, &text)) {
        column_set_null(column, row);
        return;
    }
    column_set_valid(column, row);
    column_set_string(column, row, text.ptr, text.size);
}

static int put_unusable(AvroDecoder *d, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->block.position,
                           .length = d->block.unusable_length,
                           .reason = d->block.unusable,
                           .bytes = {d->block.ptr, d->block.size}};
    d->position = d->block.position;
    d->next = d->end;
    if (d->options->mode == FORMAT_MODE_FAIL)
        return broken(d, d->block.unusable, err);
    d->block.unusable = NULL;
    d->counts.records++;
    d->counts.undecodable++;
    return d->sink.put ? d->sink.put(d->sink.self, &bad, err) : 0;
}

/* A failure: at once, or behind the rows that were read before it. Called again, the decoder goes on with the next Avro block. */
static int fail(AvroDecoder *d, uint64_t rows, const SiltErr *failure, SiltErr *err)
{
    d->failed = rows > 0;
    if (d->failed) {
        d->failure = *failure;
        return 0;
    }
    if (err)
        *err = *failure;
    return -1;
}

int avro_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    uint64_t row = 0;
    SiltErr failure = {0};
    *out = NULL;
    *rows = 0;
    if (d->failed)
        return fail(d, 0, &d->failure, err);
    if (d->unresolved && d->next < d->end && !d->block.unusable) {
        d->next = d->end;
        if (err)
            *err = d->failure;
        silt_context(err, "%s: ", d->block.source_name);
        return -1;
    }
    if (d->block.unusable)
        SILT_TRY(put_unusable(d, err));
    while (row < CHUNK_ROWS_MAX) {
        if (d->left == 0) {
            int r = next_block(d, &failure);
            if (r < 0 && fail(d, row, &failure, err) < 0)
                return -1;
            if (r <= 0)
                break;
            continue;
        }
        if (!d->chunk) {
            d->chunk = chunk_new(d->target->types, d->target->column_count);
            avro_rows_bind(d->place, d->chunk);
        }
        int made = next_row(d, row, &failure);
        if (made < 0 && fail(d, row, &failure, err) < 0)
            return -1;
        if (made < 0)
            break;
        if (made == ROW_NONE)
            continue;
        chunk_origins_mut(d->chunk)[row] = (ChunkOrigin){d->block.source, d->position};
        if (d->target->rescued_column >= 0)
            put_rescued(d, row);
        row++;
    }
    if (row == 0) {
        chunk_unrefp(&d->chunk);
        return 0;
    }
    avro_rows_settle(d->place);
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *avro_decoder_counts(const FormatDecoder *decoder)
{
    return &((const AvroDecoder *)decoder)->counts;
}

const Type *avro_decoder_met(const FormatDecoder *decoder)
{
    return ((const AvroDecoder *)decoder)->met;
}
