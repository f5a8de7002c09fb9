/* duck/lines.c - texts kept in memory, to be read by DuckDB as one column of strings */
#include "duck/lines.h"
#include <stdlib.h>

void duck_lines_add(DuckLines *lines, Str text)
{
    if (lines->count == lines->capacity) {
        lines->capacity = lines->capacity ? lines->capacity * 2 : 64;
        lines->items = silt_realloc(lines->items, (size_t)lines->capacity * sizeof *lines->items);
    }
    lines->items[lines->count++] = arena_str(lines->arena, text);
}

void duck_lines_fini(DuckLines *lines)
{
    free(lines->items);
}

static int lines_next(void *self, Chunk **out, SiltErr *err)
{
    DuckLines *lines = self;
    const Type *type = type_simple(TYPE_STRING);
    int rows = 0;

    (void)err;
    *out = NULL;
    if (lines->next == lines->count)
        return 0;
    Chunk *chunk = chunk_new(&type, 1);
    Column *column = chunk_column_mut(chunk, 0);
    for (; rows < CHUNK_ROWS_MAX && lines->next < lines->count; rows++, lines->next++)
        column_set_string(column, (uint64_t)rows, lines->items[lines->next].ptr, lines->items[lines->next].size);
    chunk_seal(chunk, rows);
    *out = chunk;
    return 0;
}

ChunkReader duck_lines_reader(DuckLines *lines)
{
    lines->next = 0;
    return (ChunkReader){.self = lines, .next = lines_next, .rows_estimate = lines->count};
}
