/*
 * format/json_decode.c - blocks of JSON to chunks of rows: what becomes of good records, and of bad ones in each mode
 *
 * A record goes straight into columns (json_row.h).
 */
#include "duck/column_put.h"
#include "format/json_format.h"
#include "format/json_records.h"
#include "format/json_row.h"

#include <string.h>

typedef struct JsonDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena;
    JsonRecords records;
    JsonRow row;
    FormatBlock block;
    FormatLines lines; /* of the block */
    FormatCounts counts;
    Chunk *chunk;
} JsonDecoder;

enum { ROW_MADE, ROW_NONE };

static int put_bad(JsonDecoder *d, const char *reason, SiltErr *err)
{
    const JsonRecords *r = &d->records;
    FormatBadRecord record = {
        .source = d->block.source,
        .position = json_records_position(r),
        .length = d->block.unusable ? d->block.unusable_length : (int64_t)r->record.size,
        .reason = reason,
        .bytes = r->record,
    };
    record.line = format_line(&d->block, &d->lines, record.position);
    return d->sink.put ? d->sink.put(d->sink.self, &record, err) : 0;
}

static void set_corrupt(JsonDecoder *d, uint64_t row, bool is)
{
    if (d->target->corrupt_column < 0)
        return;
    JsonPlace *node = &d->row.root.children[d->target->corrupt_column];
    Str text = is ? json_records_line(&d->records) : (Str){0};
    if (!is) {
        json_place_set_null(node, row);
    } else if (utf8_valid(text)) {
        column_set_valid(node->column, row);
        column_set_string(node->column, row, text.ptr, text.size);
    } else {
        StrBuf repaired = {0};
        for (const char *p = text.ptr, *end = p + text.size; p < end;) {
            int size = utf8_length(p, end);
            if (size > 0)
                str_buf_add(&repaired, p, (size_t)size);
            else
                str_buf_puts(&repaired, "\xEF\xBF\xBD");
            p += size > 0 ? size : 1;
        }
        column_set_valid(node->column, row);
        column_set_string(node->column, row, str_buf_text(&repaired), repaired.size);
        str_buf_fini(&repaired);
    }
}

static void put_nulls(JsonDecoder *d, uint64_t row)
{
    json_row_clear(&d->row);
    for (int i = 0; i < d->row.root.child_count; i++)
        json_place_set_null(&d->row.root.children[i], row);
}

/* A record that is no JSON. ROW_MADE (PERMISSIVE), ROW_NONE, or < 0. */
static int bad_record(JsonDecoder *d, uint64_t row, SiltErr *err)
{
    const char *reason = d->records.reason ? d->records.reason : "not JSON";
    json_row_clear(&d->row);
    switch (d->options->mode) {
    case FORMAT_MODE_FAIL:
        return format_refuse(&d->block, json_records_position(&d->records), reason, err);
    case FORMAT_MODE_PERMISSIVE: /* makes a row, so it is not counted as undecodable (F1) */
        d->counts.misfit_fields += d->row.root.child_count;
        put_nulls(d, row);
        set_corrupt(d, row, true);
        return ROW_MADE;
    default:
        d->counts.undecodable++;
        return put_bad(d, reason, err) < 0 ? -1 : ROW_NONE;
    }
}

/* The next record into this row. ROW_MADE, ROW_NONE, or < 0; *end at the end of the block. */
static int next_row(JsonDecoder *d, uint64_t row, bool *end, SiltErr *err)
{
    JsonRecords *r = &d->records;
    switch (json_records_next(r)) {
    case JSON_RECORD_END:
        *end = true;
        return ROW_NONE;
    case JSON_RECORD_BAD:
        d->counts.records++;
        return bad_record(d, row, err);
    case JSON_RECORD_NULL:
        d->counts.records++;
        put_nulls(d, row);
        return ROW_MADE;
    default:
        break;
    }
    d->counts.records++;
    while (!json_records_done(r, json_row_put(&d->row, row)))
        if (!json_records_retry(r))
            return bad_record(d, row, err);
    d->counts.misfit_fields += d->row.misfits;
    d->counts.unknown_fields += d->row.unknowns;
    if (d->row.misfits) {
        if (d->options->mode == FORMAT_MODE_FAIL)
            return format_refuse(&d->block, json_records_position(r), "a field that does not fit its type", err);
        if (d->options->mode == FORMAT_MODE_DROP) {
            d->counts.dropped++;
            return put_bad(d, "a field that does not fit its type", err) < 0 ? -1 : ROW_NONE;
        }
    }
    set_corrupt(d, row, d->row.misfits > 0);
    return ROW_MADE;
}

static void put_rescued(JsonDecoder *d, uint64_t row)
{
    Column *column = chunk_column_mut(d->chunk, d->target->rescued_column);
    if (d->row.rescue.any) {
        Str text = rescue_finish(&d->row.rescue, d->block.given ? NULL : d->block.source_name);
        column_set_valid(column, row);
        column_set_string(column, row, text.ptr, text.size);
    } else {
        column_set_null(column, row);
    }
}

/* ---- FormatOps ---- */

int json_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    Arena *arena = arena_new();
    JsonDecoder *d = ARENA_NEW(arena, JsonDecoder);
    d->arena = arena;
    d->options = options;
    d->target = target;
    if (sink)
        d->sink = *sink;
    json_records_init(&d->records, options);
    int r = json_row_init(&d->row, options, target, &d->records.walk, arena, err);
    if (r < 0) {
        json_decoder_free((FormatDecoder *)d);
        return r;
    }
    *out = (FormatDecoder *)d;
    return 0;
}

void json_decoder_free(FormatDecoder *decoder)
{
    JsonDecoder *d = (JsonDecoder *)decoder;
    if (!d)
        return;
    json_records_fini(&d->records);
    json_row_fini(&d->row);
    chunk_unref(d->chunk);
    arena_free(d->arena);
}

void json_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    JsonDecoder *d = (JsonDecoder *)decoder;
    d->block = *block;
    d->lines = (FormatLines){0};
    if (!block->unusable)
        json_records_begin(&d->records, block);
}

/* A block that is one bad record. */
static int unusable_block(JsonDecoder *d, SiltErr *err)
{
    JsonRecords *r = &d->records;
    r->text = r->record = (Str){d->block.ptr, d->block.size};
    r->position = d->block.position;
    r->reason = d->block.unusable;
    r->given = d->block.given;
    r->given_next = 1;
    d->counts.records++;
    int made = bad_record(d, 0, err);
    d->block.unusable = NULL;
    d->block.size = 0;
    json_records_begin(r, &d->block);
    r->given_next = r->given_count; /* passed */
    return made;
}

int json_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    JsonDecoder *d = (JsonDecoder *)decoder;
    *out = NULL;
    *rows = 0;
    if (!d->chunk) { /* else the one that the last block left empty */
        d->chunk = chunk_new(d->target->types, d->target->column_count);
        for (int i = 0; i < d->row.root.child_count; i++)
            json_place_bind(&d->row.root.children[i], chunk_column_mut(d->chunk, i));
    }
    ChunkOrigin *origins = chunk_origins_mut(d->chunk);
    uint64_t row = 0;
    bool end = false;
    while (row < CHUNK_ROWS_MAX && !end) {
        int made = d->block.unusable ? unusable_block(d, err) : next_row(d, row, &end, err);
        if (made < 0) {
            chunk_unrefp(&d->chunk);
            return -1;
        }
        if (made == ROW_NONE)
            continue;
        origins[row].source = d->block.source;
        origins[row].position = json_records_position(&d->records);
        if (d->row.rescue_wanted)
            put_rescued(d, row);
        row++;
    }
    d->counts.repaired = d->records.walk.repaired;
    if (row == 0)
        return 0;
    for (int i = 0; i < d->row.root.child_count; i++) {
        JsonPlace *node = &d->row.root.children[i];
        json_place_settle(node);
        if (!node->needed && i != d->target->corrupt_column)
            for (uint64_t at = 0; at < row; at++)
                json_place_set_null(node, at);
    }
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *json_decoder_counts(const FormatDecoder *decoder)
{
    return &((const JsonDecoder *)decoder)->counts;
}

const FormatInference *json_decoder_unknown(const FormatDecoder *decoder)
{
    const JsonDecoder *d = (const JsonDecoder *)decoder;
    return d->row.has_unknown ? d->row.unknown : NULL;
}
