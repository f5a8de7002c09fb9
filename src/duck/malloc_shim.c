/*
 * duck/malloc_shim.c - DuckDB's allocator by malloc, in sanitizer builds only
 *
 * DuckDB brings an allocator of its own, so the address sanitizer does not see its vectors overrun. These four entry points are all
 * that DuckDB calls of it; linked first, they take its place and the allocator stays out of the program.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *duckdb_je_malloc(size_t size);
void *duckdb_je_realloc(void *ptr, size_t size);
void duckdb_je_free(void *ptr);
int duckdb_je_mallctl(const char *name, void *old, size_t *old_size, void *new, size_t new_size);

void *duckdb_je_malloc(size_t size)
{
    return malloc(size);
}

void *duckdb_je_realloc(void *ptr, size_t size)
{
    return realloc(ptr, size);
}

void duckdb_je_free(void *ptr)
{
    free(ptr);
}

/* Every setting is taken, every question answered with 0. */
int duckdb_je_mallctl(const char *name, void *old, size_t *old_size, void *new, size_t new_size)
{
    (void)name, (void)new, (void)new_size;
    if (old && old_size)
        memset(old, 0, *old_size);
    return 0;
}
