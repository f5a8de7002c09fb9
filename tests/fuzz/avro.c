/*
 * tests/fuzz/avro.c - bytes of others as an Avro container file
 *
 * A file is read by the schema that it says itself, and by
 * another one with rescued data. Nothing may crash or read outside; records = rows + bad ones (F1), and after a failure the decoder goes on
 * and comes to an end.
 */
#include "format/infer.h"
#include "fuzz.h"

static void decode(const FormatOptions *options, const Type *schema, const void *head, Arena *arena, const char *bytes, size_t size, size_t start)
{
    int fields = schema->field_count;
    const Type **types = ARENA_ARRAY(arena, const Type *, fields + 1);
    for (int i = 0; i < fields; i++)
        types[i] = schema->fields[i].type;
    types[fields] = type_simple(TYPE_STRING);
    FormatTarget target = {.schema = schema, .rescued_column = fields, .corrupt_column = -1, .collect_unknown = true, .types = types, .column_count = fields + 1};
    FormatDecoder *decoder;
    FormatCut cut = {0};
    SiltErr err;
    if (format_avro.decoder_new(options, &target, NULL, &decoder, &err) < 0)
        return;
    size_t whole = format_avro.cut(options, &cut, (Str){bytes + start, size - start}, true, false);
    silt_assert(whole <= size - start);
    char *buffer = malloc(whole + FORMAT_PADDING); /* exactly: the sanitizer sees what lies behind */
    memcpy(buffer, bytes + start, whole);
    memset(buffer + whole, 0, FORMAT_PADDING);
    FormatBlock block = {.ptr = buffer, .size = whole, .source_name = "file:///f", .position = (int64_t)start, .head = head};
    format_avro.decoder_begin(decoder, &block);
    int failures = 0;
    for (;;) {
        Chunk *chunk;
        int rows;
        if (format_avro.decoder_next(decoder, &chunk, &rows, &err) < 0) {
            silt_assert(failures++ <= (int)whole); /* each costs a block at least */
            continue;
        }
        if (!chunk)
            break;
        chunk_seal(chunk, rows);
        chunk_unref(chunk);
    }
    const FormatCounts *counts = format_avro.decoder_counts(decoder);
    silt_assert(counts->records == counts->rows + counts->undecodable + counts->dropped); /* F1 */
    format_avro.decoder_free(decoder);
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new();
    FormatOptions options;
    const void *head = NULL;
    size_t consumed = 0;
    SiltErr err;
    format_options_init(&options);
    options.record_bytes_max = 1 << 20;
    format_avro.check(&options, arena, &err);
    char *copy = malloc(size + FORMAT_PADDING);
    memcpy(copy, data, size);
    memset(copy + size, 0, FORMAT_PADDING);
    if (format_avro.head(&options, NULL, arena, (Str){copy, size}, true, &head, &consumed, &err) == 0 && head) {
        const Type *own = format_avro.schema(&options, head), *other; /* NULL: an empty file, which has no blocks */
        if (own && own->field_count < 100)
            decode(&options, own, head, arena, copy, size, consumed);
        if (own && type_parse_ddl(arena, STR("id INT, name STRING, a ARRAY<STRING>, s STRUCT<x: DOUBLE>, m MAP<STRING, INT>"), false, &other, &err) == 0)
            decode(&options, other, head, arena, copy, size, consumed);
    }
    free(copy);
    arena_free(arena);
    return 0;
}
