/*
 * tests/fuzz/sql_parse.c - any bytes as an SQL file
 *
 * Errors have a place, statements print as text that parses to the same tree and prints the same again: sql__check_text().
 */
#include "fuzz.h"
#include "sql/testing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new();
    const char *wrong = sql__check_text(arena, (Str){(const char *)data, size});
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
    arena_free(arena);
    return 0;
}
