/*
 * format/avro_message.c - Avro values of messages: each is one datum, with the number of its schema in front of it or without
 *
 * Confluent's wire format is a byte 0, the number of the schema that the datum was written with (four bytes, the big end first), the datum. Without
 * numbers all were written with one schema.
 *
 *   M1  A datum is read with the schema that it was written with, whatever came before it.
 *   M2  That a schema could not be asked for fails the read: no message is set aside for it.
 *   M3  A datum fills its message: bytes behind it mean that it is another schema's.
 */
#include "format/avro.h"

#include "duck/avro_value.h"
#include "duck/column_put.h"
#include "format/avro_rows.h"

#include <stdlib.h>
#include <string.h>

/* One schema that messages were written with. */
typedef struct Writer {
    uint32_t number;
    AvroRows *rows;      /* NULL: its messages cannot be read */
    const char *refusal; /* why */
} Writer;

typedef struct MessageDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena;
    FormatCounts counts;
    FormatBlock block;
    uint32_t given_next;
    AvroPlace *place;
    Writer *writers;
    int writer_count, writer_capacity;
    Writer *last; /* of the message before */
    Chunk *chunk;
    Str record; /* the current one */
    int64_t position;
} MessageDecoder;

enum { ROW_MADE, ROW_NONE, HEAD = 5 };

/* ---- schemas ---- */

/* How the rows of one schema are made; what does not resolve is a refusal of its messages. */
static void compile(MessageDecoder *d, const AvroType *written, Writer *writer)
{
    const AvroType *reader = d->options->avro_reader, *record = avro_as_record(d->arena, written);
    SiltErr err = {0};

    if (reader && (written->kind == AVRO_RECORD) != (d->options->avro_is_record))
        writer->refusal = arena_printf(d->arena, "it was written as %s, which cannot be read as a %s", avro_type_text(written, d->arena),
                                       d->options->avro_is_record ? "record" : "value that is none");
    else if (avro_rows_new(d->arena, record, reader, d->target, d->place, &writer->rows, &err) < 0)
        writer->refusal = arena_strdup(d->arena, err.message);
}

static int find_writer(MessageDecoder *d, uint32_t number, Writer **out, SiltErr *err)
{
    const FormatSchemas *schemas = d->options->avro_schemas;
    const AvroType *written = d->options->avro_written;
    Writer writer = {.number = number};

    for (int i = 0; i < d->writer_count; i++)
        if (d->writers[i].number == number) {
            *out = &d->writers[i];
            return 0;
        }
    int r = schemas ? schemas->find(schemas->self, number, d->arena, &written, &writer.refusal, err) : 0;
    if (r < 0)
        return r;
    if (r == 0)
        compile(d, written, &writer);
    ARENA_PUSH(d->arena, d->writers, d->writer_count, d->writer_capacity, writer);
    *out = &d->writers[d->writer_count - 1];
    return 0;
}

/* The datum of the current record, and who wrote it: 0, *refusal is why there is none; < 0. */
static int take_head(MessageDecoder *d, Str *datum, Writer **out, const char **refusal, SiltErr *err)
{
    uint32_t number = 0;

    *datum = d->record;
    if (d->options->avro_schemas) {
        const unsigned char *p = (const unsigned char *)d->record.ptr;
        if (d->record.size < HEAD) {
            *refusal = "shorter than the number of its schema";
            return 0;
        }
        if (p[0] != 0) {
            *refusal = arena_printf(d->arena, "it begins with the byte %d, and the wire format of the schema registry with 0", p[0]);
            return 0;
        }
        number = (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 8 | p[4];
        *datum = (Str){d->record.ptr + HEAD, d->record.size - HEAD};
    }
    if (!d->last || d->last->number != number)
        SILT_TRY(find_writer(d, number, &d->last, err));
    *out = d->last;
    *refusal = d->last->refusal;
    return 0;
}

/* ---- rows ---- */

static int put_bad(MessageDecoder *d, const char *reason, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->position,
                           .length = d->block.unusable ? d->block.unusable_length : (int64_t)d->record.size,
                           .reason = reason,
                           .bytes = d->record};

    return d->sink.put && d->sink.put(d->sink.self, &bad, err) < 0 ? -1 : ROW_NONE;
}

static void put_rescued(MessageDecoder *d, uint64_t row, Str text)
{
    Column *column = chunk_column_mut(d->chunk, d->target->rescued_column);

    if (!text.ptr) {
        column_set_null(column, row);
        return;
    }
    column_set_valid(column, row);
    column_set_string(column, row, text.ptr, text.size);
}

static int put_nulls(MessageDecoder *d, uint64_t row)
{
    for (int i = 0; i < d->target->schema->field_count; i++)
        avro_set_null(chunk_column_mut(d->chunk, i), row);
    if (d->target->rescued_column >= 0)
        put_rescued(d, row, (Str){0});
    return ROW_MADE;
}

static int bad_record(MessageDecoder *d, uint64_t row, const char *reason, SiltErr *err)
{
    if (d->options->mode == FORMAT_MODE_FAIL)
        return format_refuse(&d->block, d->position, reason, err);
    if (d->options->mode == FORMAT_MODE_PERMISSIVE) { /* makes a row, so it is not counted as undecodable (F1) */
        d->counts.misfit_fields += d->target->schema->field_count;
        return put_nulls(d, row);
    }
    d->counts.undecodable++;
    return put_bad(d, reason, err);
}

/* A field that does not fit its column is NULL, but for the modes that say otherwise. */
static int misfit(MessageDecoder *d, SiltErr *err)
{
    static const char reason[] = "a field that does not fit its type";

    if (d->options->mode == FORMAT_MODE_FAIL)
        return format_refuse(&d->block, d->position, reason, err);
    if (d->options->mode != FORMAT_MODE_DROP)
        return ROW_MADE;
    avro_place_undo(d->place);
    d->counts.dropped++;
    return put_bad(d, reason, err);
}

/* The next record into this row. ROW_MADE, ROW_NONE, or < 0. */
static int next_row(MessageDecoder *d, uint64_t row, SiltErr *err)
{
    const FormatGiven *given = &d->block.given[d->given_next];
    const char *start = d->given_next ? d->block.ptr + given[-1].end + 1 : d->block.ptr, *refusal = NULL;
    AvroRow made;
    Writer *writer = NULL;
    Str datum, rescued = {0};

    d->given_next++;
    d->position = given->position;
    d->record = (Str){start, (size_t)(d->block.ptr + given->end - start)};
    d->counts.records++;
    if (d->block.unusable)
        return bad_record(d, row, d->block.unusable, err);
    if (given->is_null)
        return put_nulls(d, row);
    SILT_TRY(take_head(d, &datum, &writer, &refusal, err));
    if (refusal)
        return bad_record(d, row, refusal, err);
    if (!avro_rows_put(writer->rows, d->chunk, &datum, row, &made))
        return bad_record(d, row, made.refusal, err);
    if (datum.size) {
        avro_place_undo(d->place);
        return bad_record(d, row, "bytes behind the value", err);
    }
    d->counts.misfit_fields += made.misfits;
    d->counts.unknown_fields += made.unknowns;
    if (d->target->rescued_column >= 0) {
        avro_rows_rescued(writer->rows, NULL, &rescued);
        put_rescued(d, row, rescued);
    }
    return made.misfits ? misfit(d, err) : ROW_MADE;
}

/* ---- FormatOps ---- */

int avro_message_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    (void)err;
    Arena *arena = arena_new();
    MessageDecoder *d = ARENA_NEW(arena, MessageDecoder);

    *d = (MessageDecoder){.options = options, .target = target, .arena = arena, .place = avro_place_new(arena, target->schema)};
    if (sink)
        d->sink = *sink;
    *out = (FormatDecoder *)d;
    return 0;
}

void avro_message_free(FormatDecoder *decoder)
{
    MessageDecoder *d = (MessageDecoder *)decoder;

    if (!d)
        return;
    for (int i = 0; i < d->writer_count; i++)
        avro_rows_free(d->writers[i].rows);
    chunk_unref(d->chunk);
    arena_free(d->arena);
}

void avro_message_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    MessageDecoder *d = (MessageDecoder *)decoder;

    silt_assert(block->given);
    d->block = *block;
    d->given_next = 0;
}

int avro_message_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    MessageDecoder *d = (MessageDecoder *)decoder;
    uint64_t row = 0;

    *out = NULL;
    *rows = 0;
    if (!d->chunk) { /* else the one that the last block left empty */
        d->chunk = chunk_new(d->target->types, d->target->column_count);
        avro_rows_bind(d->place, d->chunk);
    }
    while (row < CHUNK_ROWS_MAX && d->given_next < d->block.given_count) {
        int made = next_row(d, row, err);
        if (made < 0) {
            chunk_unrefp(&d->chunk);
            return -1;
        }
        if (made == ROW_NONE)
            continue;
        chunk_origins_mut(d->chunk)[row] = (ChunkOrigin){d->block.source, d->position};
        row++;
    }
    if (row == 0)
        return 0;
    avro_rows_settle(d->place);
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *avro_message_counts(const FormatDecoder *decoder)
{
    return &((const MessageDecoder *)decoder)->counts;
}
