#pragma once
/* format/decode_test.h - text in, rows out as text, for the tests of the formats; include after cmocka.h */
#include "duck/variant.h"
#include "format/infer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bench {
    Arena *arena;
    FormatOptions options;
    const FormatOps *format;
    const Type *schema;
    FormatTarget target;
    StrBuf out;  /* a line a row: fields joined by |, then what was rescued behind a tab */
    StrBuf bad;  /* a line a dead letter: position reason: text */
    FormatCounts counts;
    SiltErr err;
    int result;
    bool rescue;
    const char *widened; /* schema with what was met, when collect */
    bool collect;
    FormatWider wider; /* with collect */
} Bench;

static int bench_set_up(void **state)
{
    Bench *b = silt_alloc(sizeof *b);
    b->arena = arena_new();
    b->format = &format_json;
    format_options_init(&b->options);
    *state = b;
    return 0;
}

static int bench_tear_down(void **state)
{
    Bench *b = *state;
    arena_free(b->arena);
    str_buf_fini(&b->out);
    str_buf_fini(&b->bad);
    free(b);
    return 0;
}

static void print_value(StrBuf *out, const Column *column, uint64_t row)
{
    const Type *type = column->type;
    if (column_is_null(column, row)) {
        str_buf_puts(out, "NULL");
        return;
    }
    switch (type->kind) {
    case TYPE_BOOLEAN:
        str_buf_puts(out, ((uint8_t *)column->data)[row] ? "true" : "false");
        break;
    case TYPE_BYTE:
        str_buf_printf(out, "%d", ((int8_t *)column->data)[row]);
        break;
    case TYPE_SHORT:
        str_buf_printf(out, "%d", ((int16_t *)column->data)[row]);
        break;
    case TYPE_INT:
    case TYPE_DATE:
        str_buf_printf(out, "%d", ((int32_t *)column->data)[row]);
        break;
    case TYPE_LONG:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        str_buf_printf(out, "%lld", (long long)((int64_t *)column->data)[row]);
        break;
    case TYPE_FLOAT:
        str_buf_printf(out, "%.9g", (double)((float *)column->data)[row]);
        break;
    case TYPE_DOUBLE:
        str_buf_printf(out, "%.17g", ((double *)column->data)[row]);
        break;
    case TYPE_DECIMAL: {
        __int128 v = type->precision <= 4    ? ((int16_t *)column->data)[row]
                     : type->precision <= 9  ? ((int32_t *)column->data)[row]
                     : type->precision <= 18 ? ((int64_t *)column->data)[row]
                                             : ((__int128 *)column->data)[row];
        char digits[64];
        int at = 63;
        digits[at] = 0;
        bool negative = v < 0;
        int count = 0;
        while (v != 0 || count <= type->scale) {
            int d = (int)(v % 10);
            digits[--at] = (char)('0' + (d < 0 ? -d : d));
            v /= 10;
            if (++count == type->scale)
                digits[--at] = '.';
        }
        str_buf_printf(out, "%s%s", negative ? "-" : "", digits + at);
        break;
    }
    case TYPE_STRING: {
        str_buf_str(out, chunk_string(&((ChunkString *)column->data)[row]));
        break;
    }
    case TYPE_BINARY: {
        Str bytes = chunk_string(&((ChunkString *)column->data)[row]);
        for (size_t i = 0; i < bytes.size; i++)
            str_buf_printf(out, "%02x", (unsigned char)bytes.ptr[i]);
        break;
    }
    case TYPE_VARIANT:
        if (!variant_json(out, chunk_string((const ChunkString *)column->children[0].data + row),
                          chunk_string((const ChunkString *)column->children[1].data + row), NULL))
            str_buf_puts(out, "no variant");
        return;
    case TYPE_ARRAY:
    case TYPE_MAP: {
        ChunkList list = ((ChunkList *)column->data)[row];
        str_buf_putc(out, type->kind == TYPE_ARRAY ? '[' : '<');
        for (uint64_t i = 0; i < list.length; i++) {
            if (i)
                str_buf_putc(out, ',');
            print_value(out, &column->children[0], list.offset + i);
            if (type->kind == TYPE_MAP) {
                str_buf_putc(out, '=');
                print_value(out, &column->children[1], list.offset + i);
            }
        }
        str_buf_putc(out, type->kind == TYPE_ARRAY ? ']' : '>');
        break;
    }
    case TYPE_STRUCT:
        str_buf_putc(out, '{');
        for (int i = 0; i < column->child_count; i++) {
            if (i)
                str_buf_putc(out, ',');
            print_value(out, &column->children[i], row);
        }
        str_buf_putc(out, '}');
        break;
    default:
        str_buf_puts(out, "?");
    }
}

static int bench_put_bad(void *self, const FormatBadRecord *record, SiltErr *err)
{
    Bench *b = self;
    (void)err;
    str_buf_printf(&b->bad, "%lld+%lld %s: ", (long long)record->position, (long long)record->length, record->reason);
    str_buf_str(&b->bad, record->bytes.size > 100 ? (Str){record->bytes.ptr, 100} : record->bytes);
    str_buf_putc(&b->bad, '\n');
    return 0;
}

/* A decoder for b->schema, with the columns that b asks for; NULL: b->result says why not. */
static FormatDecoder *bench_decoder(Bench *b, const FormatSink *sink)
{
    str_buf_clear(&b->out);
    str_buf_clear(&b->bad);
    Arena *arena = b->arena;
    SiltErr *err = &b->err;
    if (b->format->check && b->format->check(&b->options, arena, err) < 0)
        fail_msg("%s", err->message);
    int fields = b->schema->field_count;
    const Type **types = ARENA_ARRAY(arena, const Type *, fields + 1);
    for (int i = 0; i < fields; i++)
        types[i] = b->schema->fields[i].type;
    types[fields] = type_simple(TYPE_STRING);
    b->target.schema = b->schema;
    b->target.types = types;
    b->target.column_count = fields + b->rescue;
    b->target.rescued_column = b->rescue ? fields : -1;
    b->target.collect_unknown = b->collect;
    b->target.wider = b->wider;
    b->target.corrupt_column = -1;
    for (int i = 0; i < fields; i++)
        if (strcmp(b->schema->fields[i].name, "_corrupt_record") == 0)
            b->target.corrupt_column = i;
    FormatDecoder *decoder = NULL;
    b->result = b->format->decoder_new(&b->options, &b->target, sink, &decoder, err);
    return b->result < 0 ? NULL : decoder;
}

/* The rows of a block, printed behind those that are there. */
static void bench_decode_block(Bench *b, FormatDecoder *decoder, const FormatBlock *block)
{
    int fields = b->schema->field_count;
    b->format->decoder_begin(decoder, block);
    for (;;) {
        Chunk *chunk;
        int rows;
        b->result = b->format->decoder_next(decoder, &chunk, &rows, &b->err);
        if (b->result < 0 || !chunk)
            break;
        chunk_seal(chunk, rows);
        for (int row = 0; row < rows; row++) {
            assert_int_equal(chunk_origins(chunk)[row].source, 3);
            if (block->given)
                str_buf_printf(&b->out, "%lld: ", (long long)chunk_origins(chunk)[row].position);
            for (int c = 0; c < fields; c++) {
                if (c)
                    str_buf_putc(&b->out, '|');
                print_value(&b->out, chunk_column(chunk, c), (uint64_t)row);
            }
            if (b->rescue && !column_is_null(chunk_column(chunk, fields), (uint64_t)row)) {
                str_buf_putc(&b->out, '\t');
                print_value(&b->out, chunk_column(chunk, fields), (uint64_t)row);
            }
            str_buf_putc(&b->out, '\n');
        }
        chunk_unref(chunk);
    }
}

/* Decode text cut into blocks of at most block_size bytes where records allow it. rows: count of lines in b->out. */
static void bench_decode_cut(Bench *b, Str text, size_t block_size)
{
    Arena *arena = b->arena;
    SiltErr *err = &b->err;
    FormatSink sink = {b, bench_put_bad};
    FormatDecoder *decoder = bench_decoder(b, &sink);
    if (!decoder)
        return;
    const void *head = NULL;
    FormatCut cut = {0};
    size_t at = 0, size = block_size;
    char *buffer = NULL;
    while (b->result == 0) {
        size_t left = text.size - at;
        if (size > left)
            size = left;
        bool end = size == left;
        FormatBlock block = {.source = 3, .source_name = "file:///in/a", .position = (int64_t)at};
        free(buffer);
        buffer = silt_alloc(size + FORMAT_PADDING + 1);
        memcpy(buffer, text.ptr + at, size);
        size_t consumed = 0;
        if (b->format->head && !head) {
            int r = b->format->head(&b->options, b->schema, arena, (Str){buffer, size}, end, &head, &consumed, err);
            if (r < 0) {
                b->result = r;
                break;
            }
            if (r == FORMAT_MORE) {
                size += block_size;
                continue;
            }
            if (consumed) {
                at += consumed;
                size = block_size;
                continue;
            }
        }
        size_t whole = b->format->cut(&b->options, &cut, (Str){buffer, size}, end, false);
        if (!whole && !end) {
            size += block_size;
            continue;
        }
        if (!whole) {
            if (str_trim((Str){buffer, size}).size == 0 && !cut.complaint)
                break;
            block.unusable = cut.complaint ? cut.complaint : "cut";
            block.unusable_length = (int64_t)size;
            whole = size;
        }
        memset(buffer + whole, 0, FORMAT_PADDING);
        block.ptr = buffer;
        block.size = whole;
        block.head = head;
        bench_decode_block(b, decoder, &block);
        at += whole;
        size = block_size;
        if (block.unusable)
            break;
    }
    free(buffer);
    b->counts = *b->format->decoder_counts(decoder);
    const FormatInference *unknown = b->format->decoder_unknown(decoder);
    b->widened = NULL;
    if (unknown)
        b->widened = type_text(arena, schema_widen(b->schema, unknown, &b->options, b->wider, arena, b->format == &format_json));
    b->format->decoder_free(decoder);
    if (b->result == 0)
        assert_int_equal(b->counts.records, b->counts.rows + b->counts.dropped + b->counts.undecodable); /* F1 */
}

static const Type *bench_ddl(Bench *b, const char *ddl)
{
    const Type *type;
    if (type_parse_ddl(b->arena, str_of(ddl), false, &type, &b->err) < 0)
        fail_msg("%s: %s", ddl, b->err.message);
    return type;
}

/* Decode in one block, and again in small ones: the same must come out (F3). */
static inline const char *bench_decode(Bench *b, const char *ddl, Str text)
{
    b->schema = bench_ddl(b, ddl);
    bench_decode_cut(b, text, 5);
    char *rows = silt_strdup(str_buf_text(&b->out)), *bad = silt_strdup(str_buf_text(&b->bad));
    int result = b->result;
    bench_decode_cut(b, text, text.size + 1);
    assert_int_equal(b->result, result);
    if (result == 0) {
        assert_string_equal(str_buf_text(&b->out), rows);
        assert_string_equal(str_buf_text(&b->bad), bad);
    }
    free(rows);
    free(bad);
    if (b->result < 0)
        return b->err.message;
    return str_buf_text(&b->out);
}

/* Type that is inferred from text. */
static inline const char *bench_infer(Bench *b, Str text)
{
    if (b->format->check && b->format->check(&b->options, b->arena, &b->err) < 0)
        fail_msg("%s", b->err.message);
    FormatInference *inference = inference_new();
    char *buffer = silt_alloc(text.size + FORMAT_PADDING);
    memcpy(buffer, text.ptr, text.size);
    FormatBlock block = {.ptr = buffer, .size = text.size};
    size_t consumed = 0;
    if (b->format->head)
        assert_int_equal(b->format->head(&b->options, NULL, b->arena, text, true, &block.head, &consumed, &b->err), 0);
    block.ptr += consumed;
    block.size -= consumed;
    block.position = (int64_t)consumed;
    assert_int_equal(b->format->infer(&b->options, inference, &block, &b->err), 0);
    const char *out = type_text(b->arena, inference_schema(inference, &b->options, b->arena, b->format == &format_json));
    free(buffer);
    inference_free(inference);
    return out;
}
