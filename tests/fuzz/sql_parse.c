/*
 * tests/fuzz/sql_parse.c - any bytes as an SQL file
 *
 * For clang's libFuzzer: `CC=clang meson setup build-fuzz && ninja -C build-fuzz src/sql/fuzz_sql_parse`, then
 * `build-fuzz/src/sql/fuzz_sql_parse corpus/ -dict=tests/fuzz/sql.dict`. What must hold for every input is sql__check_text().
 */
#include "sql/testing.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
