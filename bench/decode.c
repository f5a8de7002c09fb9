/*
 * bench/decode.c - a measuring tool: JSON lines to chunks, on one thread, from memory; nothing is written
 *
 *   decode SCHEMA FILE [PASSES]     a line: bytes, rows, passes and CPU nanoseconds of each pass, the shortest first
 *
 * What is timed is what a worker of the file source does with blocks that are in memory: cut them at the end of records, decode them with a column for
 * rescued data, let go of the chunks. CPU time of the thread, so that others on the machine cost only what they push out of the caches.
 */
#include "base/arena.h"
#include "format/format.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK_SIZE = 512 * 1024 /* what the file source gives to a worker (source/blocks.c) */, PASSES = 9 };

static int64_t cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int decode_block(FormatDecoder *decoder, const FormatBlock *block, int64_t *rows, SiltErr *err)
{
    Chunk *chunk = NULL;
    int count;

    format_json.decoder_begin(decoder, block);
    do {
        SILT_TRY(format_json.decoder_next(decoder, &chunk, &count, err));
        if (!chunk)
            break;
        chunk_seal(chunk, count);
        *rows += count;
        chunk_unref(chunk);
    } while (true);
    return 0;
}

/* One pass over the whole text. */
static int decode_text(const FormatOptions *options, FormatDecoder *decoder, Str text, int64_t *rows, SiltErr *err)
{
    FormatCut cut = {0};

    for (size_t at = 0; at < text.size;) {
        size_t left = text.size - at, size = left < BLOCK_SIZE ? left : BLOCK_SIZE;
        size_t whole = format_json.cut(options, &cut, (Str){text.ptr + at, size}, size == left, false);
        if (!whole)
            return silt_fail(err, SILT_CONFIG, "a record of the input is longer than a block, or cut off");
        FormatBlock block = {.ptr = text.ptr + at, .size = whole, .position = (int64_t)at};
        SILT_TRY(decode_block(decoder, &block, rows, err));
        memset(&cut, 0, sizeof cut); /* the next block begins with a record */
        at += whole;
    }
    return 0;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int measure(Arena *arena, const char *ddl, Str text, int passes, SiltErr *err)
{
    FormatOptions options;
    FormatDecoder *decoder;
    const Type *schema;
    int64_t *spent = ARENA_ARRAY(arena, int64_t, passes), rows = 0;

    format_options_init(&options);
    SILT_TRY(format_json.check(&options, arena, err));
    SILT_TRY(type_parse_ddl(arena, str_of(ddl), false, &schema, err));
    const Type **types = ARENA_ARRAY(arena, const Type *, schema->field_count + 1);
    for (int i = 0; i < schema->field_count; i++)
        types[i] = schema->fields[i].type;
    types[schema->field_count] = type_simple(TYPE_STRING); /* rescued data */
    FormatTarget target = {.schema = schema, .types = types, .column_count = schema->field_count + 1, .rescued_column = schema->field_count, .corrupt_column = -1};
    SILT_TRY(format_json.decoder_new(&options, &target, NULL, &decoder, err));
    int r = 0;
    for (int pass = 0; r == 0 && pass < passes; pass++) {
        int64_t begin = cpu_ns();
        rows = 0;
        r = decode_text(&options, decoder, text, &rows, err);
        spent[pass] = cpu_ns() - begin;
    }
    FormatCounts counts = *format_json.decoder_counts(decoder);
    format_json.decoder_free(decoder);
    if (r == 0 && (counts.undecodable || counts.misfit_fields || counts.unknown_fields))
        r = silt_fail(err, SILT_CONFIG, "the input does not fit the schema: what is measured would not be decoding");
    if (r < 0)
        return r;
    qsort(spent, (size_t)passes, sizeof *spent, by_size);
    printf("%zu %lld %d", text.size, (long long)rows, passes);
    for (int i = 0; i < passes; i++)
        printf(" %lld", (long long)spent[i]);
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    int passes = argc > 3 ? atoi(argv[3]) : PASSES;
    Io *io = io_new_local();
    SiltErr err;
    Str file;

    if (argc < 3 || passes < 1) {
        fprintf(stderr, "usage: decode SCHEMA FILE [PASSES]\n");
        return 2;
    }
    int r = io_read(io, argv[2], arena, &file, &err);
    if (r == IO_ABSENT)
        r = silt_fail(&err, SILT_CONFIG, "there is no \"%s\"", argv[2]);
    if (r == 0) {
        char *text = arena_alloc(arena, file.size + FORMAT_PADDING);
        memcpy(text, file.ptr, file.size);
        r = measure(arena, argv[1], (Str){text, file.size}, passes, &err);
    }
    io_free(io);
    if (r < 0)
        fprintf(stderr, "decode: %s\n", err.message);
    return r < 0;
}
