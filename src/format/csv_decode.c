/*
 * format/csv_decode.c - CSV records into columns, and what a sample of them says about types
 *
 * Columns are matched by the names of the file's own head, so files of one folder may have their columns in any order.
 * Values are read by Spark's rules (UnivocityParser): a bare empty field is NULL, a quoted one is the empty text; numbers are taken
 * from text, exactly.
 */
#include "duck/column_put.h"
#include "duck/zone.h"
#include "format/csv_format.h"
#include "format/csv_text.h"
#include "format/infer.h"
#include "format/json_scan.h"
#include "format/rescue.h"
#include "format/time_pattern.h"
#include "format/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CsvDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena;
    CsvText text;
    Str null_value, empty_value;
    const Zone *zone;
    const JavaTime *date_pattern, *timestamp_pattern, *ntz_pattern;
    FormatBlock block;
    FormatLines lines; /* of the block */
    const CsvHead *head;
    const char *next, *end; /* of the block */
    uint32_t given_next;    /* given records: the next of them */
    bool utf8;              /* the whole block is */
    Chunk *chunk;
    Column **columns; /* of the schema's fields */
    uint64_t *stamp, record; /* per field: the record that set it last */
    StrBuf scratch;
    Rescue rescue;
    bool rescue_wanted, exact;
    int64_t misfits, unknowns;
    FormatCounts counts;
    FormatInference *unknown;
    bool has_unknown;
} CsvDecoder;

int csv_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    Arena *arena = arena_new();
    CsvDecoder *d = ARENA_NEW(arena, CsvDecoder);
    d->arena = arena;
    d->options = options;
    d->target = target;
    if (sink)
        d->sink = *sink;
    csv_text_init(&d->text, options);
    d->null_value = str_of(options->null_value);
    d->empty_value = str_of(options->empty_value);
    int r = 0;
    for (int i = 0; r == 0 && i < target->schema->field_count; i++) {
        const Type *type = target->schema->fields[i].type;
        if (type->kind >= TYPE_TIME)
            r = silt_fail(err, SILT_CONFIG, "cannot read CSV into column \"%s\" of type %s", target->schema->fields[i].name, type_text(arena, type));
    }
    d->zone = zone_find(str_of(options->time_zone ? options->time_zone : "UTC"));
    if (r == 0 && !d->zone)
        r = silt_fail(err, SILT_CONFIG, "unknown time zone \"%s\"", options->time_zone);
    if (r == 0)
        r = time_patterns_of(options, arena, &d->date_pattern, &d->timestamp_pattern, &d->ntz_pattern, err);
    if (r < 0) {
        arena_free(arena);
        return r;
    }
    d->columns = ARENA_ARRAY(arena, Column *, target->schema->field_count + 1);
    d->stamp = ARENA_ARRAY(arena, uint64_t, target->schema->field_count + 1);
    d->rescue_wanted = d->exact = target->rescued_column >= 0;
    if (target->collect_unknown)
        d->unknown = inference_new();
    *out = (FormatDecoder *)d;
    return 0;
}

void csv_decoder_free(FormatDecoder *decoder)
{
    CsvDecoder *d = (CsvDecoder *)decoder;
    if (!d)
        return;
    rescue_fini(&d->rescue);
    str_buf_fini(&d->scratch);
    inference_free(d->unknown);
    chunk_unref(d->chunk);
    arena_free(d->arena);
}

void csv_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    CsvDecoder *d = (CsvDecoder *)decoder;
    d->block = *block;
    d->lines = (FormatLines){0};
    d->head = block->head;
    d->next = block->ptr;
    d->end = block->ptr + block->size;
    d->given_next = block->unusable != NULL;
    d->utf8 = json_utf8_valid(block->ptr, block->size);
}

/* ---- one field ---- */

/* A number as Java's parsers take it: a sign, digits, a point at either end, an exponent. */
static bool is_java_number(Str text)
{
    const char *p = text.ptr, *end = p + text.size;
    p += p < end && (*p == '-' || *p == '+');
    int digits = 0;
    bool point = false;
    for (; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !point)); p++) {
        point |= *p == '.';
        digits += *p != '.';
    }
    if (!digits)
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < end && (*p == '-' || *p == '+');
        const char *exponent = p;
        while (p < end && *p >= '0' && *p <= '9')
            p++;
        if (p == exponent)
            return false;
    }
    return p == end;
}

static bool put_float(CsvDecoder *d, Column *column, uint64_t row, Str text, bool single)
{
    double value;
    bool exact = true;
    if (str_is(text, d->options->nan_value))
        value = NAN;
    else if (str_is(text, d->options->positive_inf) || str_is(text, "Infinity"))
        value = INFINITY;
    else if (str_is(text, d->options->negative_inf) || str_is(text, "-Infinity"))
        value = -INFINITY;
    else if (!is_java_number(text))
        return false;
    else
        value = single ? (double)value_float(text, d->exact ? &exact : NULL) : value_double(text, d->exact ? &exact : NULL);
    if (!exact)
        return false;
    if (single)
        ((float *)column->data)[row] = (float)value;
    else
        ((double *)column->data)[row] = value;
    return true;
}

static bool put_integer(Column *column, uint64_t row, Str text, int64_t min, int64_t max, size_t size)
{
    int64_t value;
    if (!value_integer(text, min, max, &value))
        return false;
    switch (size) {
    case 1:
        ((int8_t *)column->data)[row] = (int8_t)value;
        break;
    case 2:
        ((int16_t *)column->data)[row] = (int16_t)value;
        break;
    case 4:
        ((int32_t *)column->data)[row] = (int32_t)value;
        break;
    default:
        ((int64_t *)column->data)[row] = value;
    }
    return true;
}

static bool put_decimal(CsvDecoder *d, const Type *type, Column *column, uint64_t row, Str text)
{
    char plain[64];
    if (memchr(text.ptr, ',', text.size)) { /* as Spark: grouping commas are dropped */
        size_t size = 0;
        for (size_t i = 0; i < text.size; i++) {
            if (text.ptr[i] == ',')
                continue;
            if (size == sizeof plain)
                return false;
            plain[size++] = text.ptr[i];
        }
        text = (Str){plain, size};
    }
    __int128 value;
    if (!value_decimal(text, type->precision, type->scale, d->exact, &value))
        return false;
    value_store_decimal(column->data, row, type->precision, value);
    return true;
}

static bool put_time(CsvDecoder *d, TypeKind kind, Column *column, uint64_t row, Str text)
{
    int32_t days;
    int64_t us;
    if (kind == TYPE_DATE) {
        if (!(d->date_pattern ? time_pattern_date(d->date_pattern, text, &days) : value_date(text, &days)))
            return false;
        ((int32_t *)column->data)[row] = days;
        return true;
    }
    bool fits = kind == TYPE_TIMESTAMP
                    ? (d->timestamp_pattern ? time_pattern_timestamp(d->timestamp_pattern, text, d->zone, &us) : value_timestamp(text, d->zone, &us))
                    : (d->ntz_pattern ? time_pattern_ntz(d->ntz_pattern, text, &us) : value_timestamp_ntz(text, &us));
    if (fits)
        ((int64_t *)column->data)[row] = us;
    return fits;
}

/* False: the text does not fit the type. */
static bool put_text(CsvDecoder *d, const Type *type, Column *column, uint64_t row, Str text)
{
    bool truth;
    switch (type->kind) {
    case TYPE_STRING:
    case TYPE_BINARY:
        column_set_string(column, row, text.ptr, text.size);
        return true;
    case TYPE_BOOLEAN:
        if (!value_boolean(text, true, &truth))
            return false;
        ((uint8_t *)column->data)[row] = truth;
        return true;
    case TYPE_BYTE:
        return put_integer(column, row, text, INT8_MIN, INT8_MAX, 1);
    case TYPE_SHORT:
        return put_integer(column, row, text, INT16_MIN, INT16_MAX, 2);
    case TYPE_INT:
        return put_integer(column, row, text, INT32_MIN, INT32_MAX, 4);
    case TYPE_LONG:
        return put_integer(column, row, text, INT64_MIN, INT64_MAX, 8);
    case TYPE_FLOAT:
        return put_float(d, column, row, text, true);
    case TYPE_DOUBLE:
        return put_float(d, column, row, text, false);
    case TYPE_DECIMAL:
        return put_decimal(d, type, column, row, text);
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return put_time(d, type->kind, column, row, text);
    default:
        return false; /* VOID */
    }
}

/* NULL, or its text with what empty quotes stand for. */
static bool is_null_field(const FormatOptions *options, CsvField *field)
{
    if (field->text.size == 0) {
        if (!field->quoted)
            return true;
        field->text = str_of(options->empty_value);
        return false;
    }
    Str null_value = str_of(options->null_value);
    return null_value.size > 0 && str_equal(field->text, null_value);
}

static void rescue_field(CsvDecoder *d, const char *name, Str text)
{
    if (d->rescue_wanted) {
        Str path = str_of(name);
        rescue_put_text(&d->rescue, &path, 1, text);
    }
}

static void note_text(Shape *shape, Str text, const FormatOptions *options)
{
    bool integral, truth;
    if (value_is_number(text, false, &integral))
        shape_note_number(shape, text, integral);
    else if (value_boolean(text, true, &truth))
        shape_note(shape, SHAPE_BOOLEAN);
    else
        shape_note_text(shape, text, options, true);
}

static void put_unknown(CsvDecoder *d, int index, CsvField *field)
{
    char number[24];
    const char *name = number;
    if (index < d->head->count)
        name = d->head->names[index];
    else
        snprintf(number, sizeof number, "_c%d", index);
    if (is_null_field(d->options, field))
        return;
    d->unknowns++;
    rescue_field(d, name, field->text);
    bool named = d->head->positional || index < d->head->count; /* more fields than the head has names are no new columns */
    Shape *shape = d->unknown && named ? shape_member(d->unknown, &d->unknown->root, str_of(name)) : NULL;
    if (shape) {
        note_text(shape, field->text, d->options);
        d->has_unknown = true;
    }
}

/* The column of the field at an index; -1: none. The column of corrupt records has no field. */
static int column_of(const CsvDecoder *d, int index)
{
    int corrupt = d->target->corrupt_column;
    if (d->head->positional) {
        index += corrupt >= 0 && index >= corrupt;
        return index < d->target->schema->field_count ? index : -1;
    }
    int at = index < d->head->count ? d->head->fields[index] : -1;
    return at == corrupt ? -1 : at;
}

static void put_field(CsvDecoder *d, int index, CsvField *field, uint64_t row)
{
    const Type *schema = d->target->schema;
    int at = column_of(d, index);
    if (at < 0) {
        put_unknown(d, index, field);
        return;
    }
    if (d->target->needed && !d->target->needed[at])
        return;
    Column *column = d->columns[at];
    d->stamp[at] = d->record;
    TypeKind kind = schema->fields[at].type->kind;
    bool nothing = field->text.size == 0 && kind != TYPE_STRING && kind != TYPE_BINARY; /* "" is a text; for a number it is none, as in Spark */
    if (is_null_field(d->options, field) || nothing) {
        column_set_null(column, row);
    } else if (put_text(d, schema->fields[at].type, column, row, field->text)) {
        column_set_valid(column, row);
    } else {
        column_set_null(column, row);
        d->misfits++;
        rescue_field(d, schema->fields[at].name, field->text);
        Shape *shape = d->unknown && d->target->wider ? shape_member(d->unknown, &d->unknown->root, str_of(schema->fields[at].name)) : NULL;
        if (shape) {
            note_text(shape, field->text, d->options);
            d->has_unknown = true;
        }
    }
}

/* ---- records to rows ---- */

enum { ROW_MADE, ROW_NONE };

static int64_t record_position(const CsvDecoder *d, Str record)
{
    return d->block.given ? d->block.given[d->given_next - 1].position : d->block.position + (record.ptr - d->block.ptr);
}

static int put_bad(CsvDecoder *d, Str record, const char *reason, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = record_position(d, record),
                           .length = d->block.unusable ? d->block.unusable_length : (int64_t)record.size,
                           .line = format_line(&d->block, &d->lines, record_position(d, record)),
                           .reason = reason,
                           .bytes = record};
    return d->sink.put ? d->sink.put(d->sink.self, &bad, err) : 0;
}

static void set_corrupt(CsvDecoder *d, uint64_t row, Str record, bool is)
{
    if (d->target->corrupt_column < 0)
        return;
    Column *column = d->columns[d->target->corrupt_column];
    if (!is || !json_utf8_valid(record.ptr, record.size)) {
        column_set_null(column, row);
        return;
    }
    column_set_valid(column, row);
    column_set_string(column, row, record.ptr, record.size);
}

static void put_nulls(CsvDecoder *d, uint64_t row)
{
    if (d->rescue.any)
        rescue_clear(&d->rescue);
    for (int i = 0; i < d->target->schema->field_count; i++)
        column_set_null(d->columns[i], row);
}

static int bad_record(CsvDecoder *d, uint64_t row, Str record, const char *reason, SiltErr *err)
{
    if (d->rescue.any)
        rescue_clear(&d->rescue);
    switch (d->options->mode) {
    case FORMAT_MODE_FAIL:
        return format_refuse(&d->block, record_position(d, record), reason, err);
    case FORMAT_MODE_PERMISSIVE: /* makes a row, so it is not counted as undecodable (F1) */
        d->counts.misfit_fields += d->target->schema->field_count;
        put_nulls(d, row);
        set_corrupt(d, row, record, true);
        return ROW_MADE;
    default:
        d->counts.undecodable++;
        return put_bad(d, record, reason, err) < 0 ? -1 : ROW_NONE;
    }
}

static int put_record(CsvDecoder *d, uint64_t row, Str record, SiltErr *err)
{
    const Type *schema = d->target->schema;
    const char *p = record.ptr, *end = p + record.size;
    CsvField field = {0};
    int count = 0;
    d->record++;
    d->misfits = d->unknowns = 0;
    if (d->rescue.any)
        rescue_clear(&d->rescue);
    while (!field.last) {
        csv_field(&d->text, &p, end, &field, &d->scratch);
        if (count == d->options->columns_max)
            return bad_record(d, row, record, "more fields than maxColumns", err);
        if (d->options->chars_per_column_max >= 0 && (int64_t)field.text.size > d->options->chars_per_column_max)
            return bad_record(d, row, record, "a field longer than maxCharsPerColumn", err);
        put_field(d, count++, &field, row);
    }
    for (int i = 0; i < schema->field_count; i++)
        if (d->stamp[i] != d->record)
            column_set_null(d->columns[i], row);
    int width = d->head->positional ? schema->field_count - (d->target->corrupt_column >= 0) : d->head->count;
    bool ragged = count != width;
    d->misfits += ragged;
    d->counts.misfit_fields += d->misfits;
    d->counts.unknown_fields += d->unknowns;
    if (d->misfits) {
        const char *reason = ragged ? "more or fewer fields than there are columns" : "a field that does not fit its type";
        if (d->options->mode == FORMAT_MODE_FAIL)
            return format_refuse(&d->block, record_position(d, record), reason, err);
        if (d->options->mode == FORMAT_MODE_DROP) {
            d->counts.dropped++;
            return put_bad(d, record, reason, err) < 0 ? -1 : ROW_NONE;
        }
    }
    set_corrupt(d, row, record, d->misfits > 0);
    return ROW_MADE;
}

static Str without_line_end(const CsvText *text, const char *start, const char *end)
{
    size_t size = text->line.size;
    if (size) {
        bool ends = (size_t)(end - start) >= size && memcmp(end - size, text->line.ptr, size) == 0;
        return (Str){start, (size_t)(end - start) - (ends ? size : 0)};
    }
    if (end > start && end[-1] == '\n')
        end--;
    if (end > start && end[-1] == '\r')
        end--;
    return (Str){start, (size_t)(end - start)};
}

/* The next of records that are given: one record is what it has to hold. */
static int next_given(CsvDecoder *d, uint64_t row, Str *record, bool *over, SiltErr *err)
{
    *over = d->given_next == d->block.given_count;
    if (*over)
        return ROW_NONE;
    const FormatGiven *given = &d->block.given[d->given_next++];
    const char *start = d->next, *stop = d->block.ptr + given->end;
    d->next = stop + 1;
    d->counts.records++;
    *record = (Str){start, (size_t)(stop - start)};
    if (given->is_null) {
        put_nulls(d, row);
        return ROW_MADE;
    }
    if (!d->utf8 && !json_utf8_valid(start, record->size))
        return bad_record(d, row, *record, "bytes that are not UTF-8", err);
    const char *first = csv_skip_empty(&d->text, start, stop);
    if (first == stop)
        return bad_record(d, row, *record, "an empty record", err);
    bool open;
    const char *end = csv_record_end(&d->text, first, stop, &open);
    if (open)
        return bad_record(d, row, *record, "a quote is not closed", err);
    if (csv_skip_empty(&d->text, end, stop) != stop)
        return bad_record(d, row, *record, "more than one record", err);
    return put_record(d, row, without_line_end(&d->text, first, end), err);
}

/* The record at d->next. */
static int next_row(CsvDecoder *d, uint64_t row, Str *record, bool *over, SiltErr *err)
{
    if (d->block.unusable) {
        *record = (Str){d->block.ptr, d->block.size};
        d->next = d->end;
        d->counts.records++;
        int made = bad_record(d, row, *record, d->block.unusable, err);
        d->block.unusable = NULL;
        return made;
    }
    if (d->block.given)
        return next_given(d, row, record, over, err);
    const char *p = csv_skip_empty(&d->text, d->next, d->end);
    if (p == d->end) {
        d->next = d->end;
        *over = true;
        return ROW_NONE;
    }
    d->next = csv_record_end(&d->text, p, d->end, NULL);
    *record = without_line_end(&d->text, p, d->next);
    d->counts.records++;
    if (!d->utf8 && !json_utf8_valid(record->ptr, record->size))
        return bad_record(d, row, *record, "bytes that are not UTF-8", err);
    return put_record(d, row, *record, err);
}

int csv_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    CsvDecoder *d = (CsvDecoder *)decoder;
    int fields = d->target->schema->field_count;
    *out = NULL;
    *rows = 0;
    if (!d->chunk) { /* else the one that the last block left empty */
        d->chunk = chunk_new(d->target->types, d->target->column_count);
        for (int i = 0; i < fields; i++)
            d->columns[i] = chunk_column_mut(d->chunk, i);
    }
    ChunkOrigin *origins = chunk_origins_mut(d->chunk);
    Column *rescued = d->rescue_wanted ? chunk_column_mut(d->chunk, d->target->rescued_column) : NULL;
    uint64_t row = 0;
    bool over = false;
    while (row < CHUNK_ROWS_MAX && !over) {
        Str record = {0};
        int made = next_row(d, row, &record, &over, err);
        if (made < 0)
            return -1;
        if (made == ROW_NONE)
            continue;
        origins[row] = (ChunkOrigin){d->block.source, record_position(d, record)};
        if (rescued && d->rescue.any) {
            Str text = rescue_finish(&d->rescue, d->block.given ? NULL : d->block.source_name);
            column_set_valid(rescued, row);
            column_set_string(rescued, row, text.ptr, text.size);
        } else if (rescued) {
            column_set_null(rescued, row);
        }
        row++;
    }
    if (row == 0)
        return 0;
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *csv_decoder_counts(const FormatDecoder *decoder)
{
    return &((const CsvDecoder *)decoder)->counts;
}

const FormatInference *csv_decoder_unknown(const FormatDecoder *decoder)
{
    const CsvDecoder *d = (const CsvDecoder *)decoder;
    return d->has_unknown ? d->unknown : NULL;
}

/* ---- inference ---- */

int csv_infer(const FormatOptions *options, FormatInference *inference, const FormatBlock *block, SiltErr *err)
{
    (void)err;
    CsvText text;
    csv_text_init(&text, options);
    const CsvHead *head = block->head;
    silt_auto(str_buf_fini) StrBuf scratch = {0};
    for (int i = 0; i < head->count; i++) { /* a column without a value is one */
        Shape *shape = shape_member(inference, &inference->root, str_of(head->names[i]));
        if (shape)
            shape_note(shape, SHAPE_NULL);
    }
    if (block->unusable)
        return 0;
    const char *p = block->ptr, *end = p + block->size;
    while (inference->records_left > 0 && (p = csv_skip_empty(&text, p, end)) < end) {
        const char *stop = csv_record_end(&text, p, end, NULL);
        Str record = without_line_end(&text, p, stop);
        const char *q = record.ptr;
        inference->records_left--;
        p = stop;
        if (!json_utf8_valid(record.ptr, record.size))
            continue;
        inference->records++;
        CsvField field = {0};
        for (int i = 0; !field.last; i++) {
            csv_field(&text, &q, record.ptr + record.size, &field, &scratch);
            char number[24];
            snprintf(number, sizeof number, "_c%d", i);
            if (!head->positional && i >= head->count)
                continue;
            Shape *shape = shape_member(inference, &inference->root, str_of(head->positional ? number : head->names[i]));
            if (!shape)
                continue;
            if (is_null_field(options, &field))
                shape_note(shape, SHAPE_NULL);
            else
                note_text(shape, field.text, options);
        }
    }
    return 0;
}
