/*
 * format/text_format.c - lines of text and whole files as rows
 *
 * A line is what stands between line ends: \n, \r\n or \r, or the text of lineSep. An empty line is a row. A file is a row even when it is empty.
 */
#include "format/text_format.h"

#include "format/json_scan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- schemas: the same for all files ---- */

static Arena *schema_arena; /* for ever */
static const Type *text_type, *binary_type;

static void make_schemas(void)
{
    schema_arena = arena_new();
    TypeField value = {.name = "value", .type = type_simple(TYPE_STRING), .nullable = true};
    text_type = type_struct(schema_arena, &value, 1);
    const TypeField fields[] = {
        {.name = "path", .type = type_simple(TYPE_STRING), .nullable = true},
        {.name = "modificationTime", .type = type_simple(TYPE_TIMESTAMP), .nullable = true},
        {.name = "length", .type = type_simple(TYPE_LONG), .nullable = true},
        {.name = "content", .type = type_simple(TYPE_BINARY), .nullable = true},
    };
    binary_type = type_struct(schema_arena, fields, 4);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

const Type *text_schema(const FormatOptions *options, const void *head)
{
    (void)options, (void)head;
    pthread_once(&once, make_schemas);
    return text_type;
}

const Type *binary_schema(const FormatOptions *options, const void *head)
{
    (void)options, (void)head;
    pthread_once(&once, make_schemas);
    return binary_type;
}

/* ---- cutting ---- */

bool text_whole(const FormatOptions *options)
{
    return options->whole_text;
}

bool binary_whole(const FormatOptions *options)
{
    (void)options;
    return true;
}

size_t binary_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first)
{
    (void)options, (void)state, (void)first;
    return at_end ? bytes.size : 0;
}

static Str line_sep(const FormatOptions *options)
{
    return options->line_sep ? str_of(options->line_sep) : (Str){0};
}

/* The line end at or behind p: its first byte, and *behind. NULL: there is none. A \r at the very end is one only if `at_end`. */
static const char *find_line_end(Str sep, const char *p, const char *end, bool at_end, const char **behind)
{
    if (sep.size) {
        const char *found = p < end ? memmem(p, (size_t)(end - p), sep.ptr, sep.size) : NULL;
        *behind = found ? found + sep.size : NULL;
        return found;
    }
    for (; p < end; p++) {
        if (*p == '\n') {
            *behind = p + 1;
            return p;
        }
        if (*p == '\r' && (at_end || p + 1 < end)) {
            *behind = p + (p + 1 < end && p[1] == '\n' ? 2 : 1);
            return p;
        }
    }
    return NULL;
}

size_t text_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first)
{
    Str sep = line_sep(options);
    if (at_end && !first)
        return bytes.size;
    if (options->whole_text)
        return at_end ? bytes.size : 0;
    const char *start = bytes.ptr, *end = start + bytes.size, *behind;
    if (first) {
        if (find_line_end(sep, start, end, at_end, &behind))
            return (size_t)(behind - start);
        return at_end ? bytes.size : 0;
    }
    size_t back = sep.size ? sep.size - 1 : 1; /* a line end may have begun before */
    size_t from = state->seen > back ? state->seen - back : 0, done = 0;
    if (sep.size) {
        for (const char *p = start + from; find_line_end(sep, p, end, at_end, &behind); p = behind)
            done = (size_t)(behind - start);
    } else {
        const char *last = bytes.size > from ? memrchr(start + from, '\n', bytes.size - from) : NULL;
        if (last)
            done = (size_t)(last - start) + 1;
        else /* lines that end with \r */
            for (const char *p = start + from; find_line_end(sep, p, end, false, &behind); p = behind)
                done = (size_t)(behind - start);
    }
    state->seen = bytes.size - done;
    return done;
}

/* ---- rows ---- */

typedef struct TextDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    bool binary;
    FormatCounts counts;
    FormatBlock block;
    FormatLines lines; /* of the block */
    const char *next, *end;
    uint32_t given_next; /* given records: the next of them */
    bool done; /* a whole file: its row was made */
    Chunk *chunk;
} TextDecoder;

static int make(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, bool binary, FormatDecoder **out, SiltErr *err)
{
    for (int i = 0; i < target->schema->field_count; i++) {
        const TypeField *field = &target->schema->fields[i];
        const Type *schema = binary ? binary_schema(NULL, NULL) : text_schema(NULL, NULL);
        int at = type_field_index(schema, field->name, NULL);
        if (at < 0 || !type_equal(schema->fields[at].type, field->type, false))
            return silt_fail(err, SILT_CONFIG, "the format %s has no column \"%s\" of this type: it gives %s", binary ? "binaryFile" : "text", field->name,
                             binary ? "path STRING, modificationTime TIMESTAMP, length BIGINT, content BINARY" : "value STRING");
    }
    TextDecoder *d = silt_alloc(sizeof *d);
    *d = (TextDecoder){.options = options, .target = target, .binary = binary};
    if (sink)
        d->sink = *sink;
    *out = (FormatDecoder *)d;
    return 0;
}

int text_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    return make(options, target, sink, false, out, err);
}

int binary_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    return make(options, target, sink, true, out, err);
}

void text_decoder_free(FormatDecoder *decoder)
{
    TextDecoder *d = (TextDecoder *)decoder;
    if (!d)
        return;
    chunk_unref(d->chunk);
    free(d);
}

void text_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    TextDecoder *d = (TextDecoder *)decoder;
    d->block = *block;
    d->lines = (FormatLines){0};
    d->next = block->ptr;
    d->end = block->ptr + block->size;
    d->given_next = block->unusable != NULL;
    if (!d->binary && !block->given && block->position == 0 && block->size >= 3 && memcmp(block->ptr, "\xEF\xBB\xBF", 3) == 0)
        d->next += 3;
    d->done = false;
}

static int64_t position_of(const TextDecoder *d, Str record)
{
    return d->block.given ? d->block.given[d->given_next - 1].position : d->block.position + (record.ptr - d->block.ptr);
}

static int put_bad(TextDecoder *d, Str record, const char *reason, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = position_of(d, record),
                           .length = d->block.unusable ? d->block.unusable_length : (int64_t)record.size,
                           .line = format_line(&d->block, &d->lines, position_of(d, record)),
                           .reason = reason,
                           .bytes = record};
    if (d->options->mode == FORMAT_MODE_FAIL)
        return format_refuse(&d->block, bad.position, reason, err);
    d->counts.undecodable++;
    return d->sink.put ? d->sink.put(d->sink.self, &bad, err) : 0;
}

/* record.ptr NULL: a row of NULLs. */
static void put_row(TextDecoder *d, int row, Str record)
{
    const Type *schema = d->target->schema;
    for (int i = 0; i < schema->field_count; i++) {
        Column *column = chunk_column_mut(d->chunk, i);
        const char *name = schema->fields[i].name;
        if (!record.ptr || (d->target->needed && !d->target->needed[i]))
            column_set_null(column, (uint64_t)row);
        else if (!d->binary || strcasecmp(name, "content") == 0)
            column_set_string(column, (uint64_t)row, record.ptr, record.size);
        else if (strcasecmp(name, "path") == 0)
            column_set_string(column, (uint64_t)row, d->block.source_name, strlen(d->block.source_name));
        else if (strcasecmp(name, "length") == 0)
            ((int64_t *)column->data)[row] = (int64_t)record.size;
        else
            ((int64_t *)column->data)[row] = d->block.modified_ms * 1000;
    }
    if (d->target->rescued_column >= 0)
        column_set_null(chunk_column_mut(d->chunk, d->target->rescued_column), (uint64_t)row);
    chunk_origins_mut(d->chunk)[row] = (ChunkOrigin){d->block.source, position_of(d, record)};
}

/* The next record of the block; false: there is none. */
static bool next_record(TextDecoder *d, Str *out)
{
    if (d->block.given) {
        if (d->given_next == d->block.given_count)
            return false;
        const FormatGiven *given = &d->block.given[d->given_next++];
        const char *stop = d->block.ptr + given->end;
        *out = given->is_null ? (Str){0} : (Str){d->next, (size_t)(stop - d->next)};
        d->next = stop + 1;
        return true;
    }
    if (d->binary || d->options->whole_text) {
        if (d->done)
            return false;
        d->done = true;
        *out = (Str){d->next, (size_t)(d->end - d->next)};
        d->next = d->end;
        return true;
    }
    if (d->next == d->end)
        return false;
    const char *behind, *stop = find_line_end(line_sep(d->options), d->next, d->end, true, &behind);
    *out = (Str){d->next, (size_t)((stop ? stop : d->end) - d->next)};
    d->next = stop ? behind : d->end;
    return true;
}

int text_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    TextDecoder *d = (TextDecoder *)decoder;
    int row = 0;
    Str record;
    *out = NULL;
    *rows = 0;
    if (d->block.unusable) {
        if (!d->done) {
            d->counts.records++;
            SILT_TRY(put_bad(d, (Str){d->block.ptr, d->block.size}, d->block.unusable, err));
        }
        d->done = true;
        return 0;
    }
    if (!d->chunk)
        d->chunk = chunk_new(d->target->types, d->target->column_count);
    while (row < CHUNK_ROWS_MAX && next_record(d, &record)) {
        d->counts.records++;
        if (!d->binary && !json_utf8_valid(record.ptr, record.size))
            SILT_TRY(put_bad(d, record, "bytes that are not UTF-8", err));
        else
            put_row(d, row++, record);
    }
    if (row == 0)
        return 0;
    d->counts.rows += row;
    *out = d->chunk;
    *rows = row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *text_decoder_counts(const FormatDecoder *decoder)
{
    return &((const TextDecoder *)decoder)->counts;
}
