/* base/arena.c - blocks that double in size, freed together */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 4096, BLOCK_BYTES_MAX = 1 << 20 };

typedef struct Block {
    struct Block *older;
    size_t size, used;
    _Alignas(16) unsigned char bytes[];
} Block;

struct Arena {
    Block *block;
    size_t total;
};

static Block *block_new(size_t size, Block *older)
{
    Block *block = malloc(sizeof *block + size);
    silt_assert(block != NULL);
    block->older = older;
    block->size = size;
    block->used = 0;
    return block;
}

Arena *arena_new(void)
{
    Arena *arena = silt_alloc(sizeof *arena);
    arena->block = block_new(FIRST_BLOCK_BYTES, NULL);
    return arena;
}

void arena_reset(Arena *arena)
{
    while (arena->block->older) {
        Block *block = arena->block;
        arena->block = block->older;
        free(block);
    }
    arena->block->used = 0;
    arena->total = 0;
}

void arena_free(Arena *arena)
{
    if (!arena)
        return;
    arena_reset(arena);
    free(arena->block);
    free(arena);
}

void arena_freep(Arena **arena)
{
    arena_free(*arena);
    *arena = NULL;
}

void *arena_alloc(Arena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    Block *block = arena->block;
    if (block->size - block->used < size) {
        size_t next = block->size * 2 < BLOCK_BYTES_MAX ? block->size * 2 : BLOCK_BYTES_MAX;
        block = arena->block = block_new(next > size ? next : size, block);
    }
    void *ptr = block->bytes + block->used;
    block->used += size;
    arena->total += size;
    return memset(ptr, 0, size);
}

char *arena_strndup(Arena *arena, const char *text, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    if (size)
        memcpy(copy, text, size);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

Str arena_str(Arena *arena, Str text)
{
    return (Str){arena_strndup(arena, text.ptr, text.size), text.size};
}

char *arena_printf(Arena *arena, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    silt_assert(fmt != NULL); /* gcc believes it may be, under -fsanitize */
    int size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    silt_assert(size >= 0);
    char *text = arena_alloc(arena, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, fmt, again);
    va_end(again);
    return text;
}

size_t arena_size(const Arena *arena)
{
    return arena->total;
}
