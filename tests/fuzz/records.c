/*
 * tests/fuzz/records.c - bytes of others as JSON and CSV records
 *
 * The first byte chooses format and options, the rest is the file. Each input is decoded in one block and in small ones; the two
 * must agree on rows and on bad records, and records = rows + bad ones (F1, F3). Its schema is inferred too, and then
 * decoded by that. The same bytes are also taken for messages that some byte separates: each one row or one bad record (F4), in whatever block.
 */
#include "format/infer.h"
#include "fuzz.h"

typedef struct Outcome {
    uint64_t rows_hash, bad_hash;
    FormatCounts counts;
} Outcome;

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

static int put_bad(void *self, const FormatBadRecord *record, SiltErr *err)
{
    Outcome *out = self;
    (void)err;
    mix(&out->bad_hash, &record->position, sizeof record->position);
    mix(&out->bad_hash, record->reason, strlen(record->reason));
    mix(&out->bad_hash, record->bytes.ptr, record->bytes.size);
    return 0;
}

static void hash_column(uint64_t *hash, const Column *column, uint64_t row)
{
    static const uint8_t sizes[] = {[TYPE_BOOLEAN] = 1, [TYPE_BYTE] = 1, [TYPE_SHORT] = 2, [TYPE_INT] = 4, [TYPE_LONG] = 8, [TYPE_FLOAT] = 4,
                                    [TYPE_DOUBLE] = 8, [TYPE_DATE] = 4, [TYPE_TIMESTAMP] = 8, [TYPE_TIMESTAMP_NTZ] = 8};
    TypeKind kind = column->type->kind;
    bool null = column_is_null(column, row);
    mix(hash, &null, 1);
    if (null || kind == TYPE_VOID)
        return;
    if (kind == TYPE_STRING || kind == TYPE_BINARY) {
        Str text = chunk_string(&((ChunkString *)column->data)[row]);
        if (kind == TYPE_STRING)
            silt_assert(utf8_valid(text));
        mix(hash, text.ptr, text.size);
    } else if (kind == TYPE_ARRAY || kind == TYPE_MAP) {
        ChunkList list = ((ChunkList *)column->data)[row];
        mix(hash, &list.length, sizeof list.length);
        for (uint64_t i = 0; i < list.length; i++)
            for (int c = 0; c < column->child_count; c++)
                hash_column(hash, &column->children[c], list.offset + i);
    } else if (kind == TYPE_STRUCT) {
        for (int c = 0; c < column->child_count; c++)
            hash_column(hash, &column->children[c], row);
    } else if (kind == TYPE_DECIMAL) {
        int p = column->type->precision;
        size_t size = p <= 4 ? 2 : p <= 9 ? 4 : p <= 18 ? 8 : 16;
        mix(hash, (char *)column->data + size * row, size);
    } else {
        mix(hash, (char *)column->data + sizes[kind] * row, sizes[kind]);
    }
}

static const Outcome nothing = {.rows_hash = 14695981039346656037u, .bad_hash = 14695981039346656037u};

/* NULL: not of this schema. */
static FormatDecoder *new_decoder(const FormatOps *format, const FormatOptions *options, const Type *schema, Arena *arena, Outcome *out)
{
    int fields = schema->field_count;
    const Type **types = ARENA_ARRAY(arena, const Type *, fields + 1);
    FormatTarget *target = ARENA_NEW(arena, FormatTarget);
    FormatDecoder *decoder;
    SiltErr err;
    for (int i = 0; i < fields; i++)
        types[i] = schema->fields[i].type;
    types[fields] = type_simple(TYPE_STRING);
    *target = (FormatTarget){.schema = schema, .rescued_column = fields, .corrupt_column = -1, .collect_unknown = true, .types = types, .column_count = fields + 1};
    return format->decoder_new(options, target, &(FormatSink){out, put_bad}, &decoder, &err) < 0 ? NULL : decoder;
}

static void decode_block(const FormatOps *format, FormatDecoder *decoder, const FormatBlock *block, int columns, Outcome *out)
{
    SiltErr err;
    format->decoder_begin(decoder, block);
    for (;;) {
        Chunk *chunk;
        int rows;
        if (format->decoder_next(decoder, &chunk, &rows, &err) < 0)
            abort();
        if (!chunk)
            break;
        chunk_seal(chunk, rows);
        for (int row = 0; row < rows; row++) {
            mix(&out->rows_hash, &chunk_origins(chunk)[row].position, sizeof(int64_t));
            for (int c = 0; c < columns; c++)
                hash_column(&out->rows_hash, chunk_column(chunk, c), (uint64_t)row);
        }
        chunk_unref(chunk);
    }
}

/* Messages that `separator` ends, so many in a block; one that is only a 0 is a NULL. */
static Outcome decode_given(const FormatOps *format, const FormatOptions *options, const Type *schema, Arena *arena, Str text, char separator, int together)
{
    Outcome out = nothing;
    FormatDecoder *decoder = new_decoder(format, options, schema, arena, &out);
    FormatGiven *given = ARENA_ARRAY(arena, FormatGiven, together);
    const char *at = text.ptr, *end = at + text.size;
    int64_t count = 0;
    if (!decoder)
        return out;
    while (at < end) {
        char *buffer = malloc(text.size + 1 + FORMAT_PADDING), *put = buffer; /* the separator of the last one may be missing */
        int held = 0;
        for (; at < end && held < together; held++, count++) {
            const char *stop = memchr(at, separator, (size_t)(end - at));
            size_t size = (size_t)((stop ? stop : end) - at);
            bool is_null = size == 1 && !*at;
            memcpy(put, at, is_null ? 0 : size);
            put += is_null ? 0 : size;
            given[held] = (FormatGiven){count * 3, (uint32_t)(put - buffer), is_null};
            *put++ = '\n';
            at = stop ? stop + 1 : end;
        }
        size_t used = (size_t)(put - buffer);
        buffer = realloc(buffer, used + FORMAT_PADDING); /* exactly: the sanitizer sees what lies behind */
        memset(buffer + used, 0, FORMAT_PADDING);
        FormatBlock block = {.ptr = buffer, .size = used, .source_name = "t-0", .given = given, .given_count = (uint32_t)held};
        size_t consumed;
        SiltErr err;
        if (format->head && format->head(options, schema, arena, STR(""), true, &block.head, &consumed, &err) < 0)
            abort();
        decode_block(format, decoder, &block, schema->field_count + 1, &out);
        free(buffer);
    }
    out.counts = *format->decoder_counts(decoder);
    silt_assert(out.counts.records == count && out.counts.rows + out.counts.undecodable == count); /* F4 */
    format->decoder_free(decoder);
    return out;
}

static void messages(const FormatOps *format, const FormatOptions *options, const Type *schema, Arena *arena, Str text)
{
    char separator = text.size ? text.ptr[text.size - 1] : 0;
    int count = 1;
    for (size_t i = 0; i < text.size; i++)
        count += text.ptr[i] == separator;
    Outcome a = decode_given(format, options, schema, arena, text, separator, count);
    Outcome b = decode_given(format, options, schema, arena, text, separator, count < 40 ? 1 : count / 20);
    silt_assert(a.rows_hash == b.rows_hash); /* F3 */
    silt_assert(a.bad_hash == b.bad_hash);
}

static Outcome decode(const FormatOps *format, const FormatOptions *options, const Type *schema, Arena *arena, Str text, size_t step)
{
    Outcome out = nothing;
    FormatDecoder *decoder = new_decoder(format, options, schema, arena, &out);
    SiltErr err;
    if (!decoder)
        return out;
    FormatCut cut = {0};
    const void *head = NULL;
    size_t at = 0, size = step;
    bool over = false;
    while (!over) {
        size_t left = text.size - at;
        if (size > left)
            size = left;
        bool end = size == left;
        char *buffer = malloc(size + FORMAT_PADDING); /* exactly: the sanitizer sees what lies behind */
        memcpy(buffer, text.ptr + at, size);
        memset(buffer + size, 0, FORMAT_PADDING);
        FormatBlock block = {.ptr = buffer, .source_name = "file:///f", .position = (int64_t)at, .head = head};
        size_t consumed = 0;
        int r = format->head && !head ? format->head(options, schema, arena, (Str){buffer, size}, end, &head, &consumed, &err) : 0;
        if (r < 0) {
            free(buffer);
            break;
        }
        if (r == FORMAT_MORE || consumed) {
            at += consumed;
            size = consumed ? step : size + step;
            free(buffer);
            continue;
        }
        block.head = head;
        size_t whole = format->cut(options, &cut, (Str){buffer, size}, end, false);
        silt_assert(whole <= size);
        if (!whole && !end) {
            size += step;
            free(buffer);
            continue;
        }
        if (!whole) {
            over = true;
            if (str_trim((Str){buffer, size}).size == 0 && !cut.complaint) {
                free(buffer);
                break;
            }
            block.unusable = cut.complaint ? cut.complaint : "cut";
            whole = size;
        }
        memset(buffer + whole, 0, size + FORMAT_PADDING - whole);
        block.size = whole;
        decode_block(format, decoder, &block, schema->field_count + 1, &out);
        at += whole;
        size = step;
        free(buffer);
    }
    out.counts = *format->decoder_counts(decoder);
    silt_assert(out.counts.records == out.counts.rows + out.counts.undecodable); /* F1 */
    const FormatInference *unknown = format->decoder_unknown(decoder);
    if (unknown)
        schema_widen(schema, unknown, options, NULL, arena, true);
    format->decoder_free(decoder);
    return out;
}

static void both_ways(const FormatOps *format, const FormatOptions *options, const Type *schema, Arena *arena, Str text)
{
    size_t step = text.size < 200 ? 7 : text.size / 29; /* a block costs a chunk, which takes far longer than its bytes */
    Outcome a = decode(format, options, schema, arena, text, text.size + 1), b = decode(format, options, schema, arena, text, step);
    silt_assert(a.counts.records == b.counts.records);
    silt_assert(a.rows_hash == b.rows_hash); /* F3 */
    silt_assert(a.bad_hash == b.bad_hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ddl[] = {
        "a BIGINT, b STRING, c DOUBLE, d DECIMAL(20,3), e TIMESTAMP, f ARRAY<INT>, g STRUCT<x: INT, y: ARRAY<STRUCT<z: STRING>>>, h MAP<STRING, INT>, i DATE, j BINARY, k BOOLEAN",
        "a BIGINT, b STRING, c DOUBLE, d DECIMAL(20,3), e TIMESTAMP, i DATE, k BOOLEAN, l TINYINT, m FLOAT",
    };
    if (size < 1)
        return 0;
    unsigned choice = data[0];
    const FormatOps *format = choice & 1 ? &format_csv : &format_json;
    Str text = {(const char *)data + 1, size - 1};
    Arena *arena = arena_new();
    SiltErr err;
    FormatOptions options;
    format_options_init(&options);
    options.multi_line = choice & 2 && format == &format_json;
    options.header = choice & 4;
    options.allow_comments = choice & 8;
    options.allow_unquoted_names = choice & 16;
    options.allow_control_chars = choice & 32;
    options.ignore_leading_space = options.ignore_trailing_space = choice & 64;
    if (choice & 128)
        options.sep = "||";
    const Type *schema;
    if (format->check(&options, arena, &err) == 0 && type_parse_ddl(arena, str_of(ddl[choice & 1]), false, &schema, &err) == 0)
        both_ways(format, &options, schema, arena, text);
    FormatOptions lines = options;
    lines.multi_line = lines.header = false;
    if (format->check(&lines, arena, &err) == 0 && type_parse_ddl(arena, str_of(ddl[choice & 1]), false, &schema, &err) == 0)
        messages(format, &lines, schema, arena, text);

    FormatInference *inference = inference_new();
    char *buffer = malloc(text.size + FORMAT_PADDING);
    memcpy(buffer, text.ptr, text.size);
    memset(buffer + text.size, 0, FORMAT_PADDING);
    FormatBlock block = {.ptr = buffer, .size = text.size};
    size_t consumed = 0;
    if (!format->head || format->head(&options, NULL, arena, (Str){buffer, text.size}, true, &block.head, &consumed, &err) == 0) {
        block.ptr += consumed;
        block.size -= consumed;
        block.position = (int64_t)consumed;
        format->infer(&options, inference, &block, &err);
        schema = inference_schema(inference, &options, arena, format == &format_json);
        if (schema->field_count > 0 && schema->field_count < 100)
            both_ways(format, &options, schema, arena, text);
    }
    free(buffer);
    inference_free(inference);
    arena_free(arena);
    return 0;
}
