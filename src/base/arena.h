#pragma once
/* base/arena.h - memory that dies together: of a statement, a micro-batch, a pipeline */
#include "base/err.h"
#include "base/str.h"

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL allowed */
void arena_freep(Arena **arena);
/* Forget everything, keep the first block for reuse. */
void arena_reset(Arena *arena);
/* Zeroed, aligned for any type; lives until arena_reset or arena_free. Never NULL. Not thread safe. */
void *arena_alloc(Arena *arena, size_t size);
char *arena_strdup(Arena *arena, const char *text); /* NULL gives NULL */
char *arena_strndup(Arena *arena, const char *text, size_t size);
char *arena_printf(Arena *arena, const char *fmt, ...) SILT_PRINTF(2, 3);
/* A copy of the bytes with a NUL behind them. */
Str arena_str(Arena *arena, Str text);
/* Bytes handed out since new or reset. */
size_t arena_size(const Arena *arena);

#define ARENA_NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, count) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(count)))

/*
 * Append to a growing array of pointers or structs kept in an arena: items, count and capacity are lvalues.
 * Old storage stays in the arena until it dies, so total waste is at most the final size.
 */
#define ARENA_PUSH(arena, items, count, capacity, item)                                             \
    do {                                                                                            \
        if ((count) == (capacity)) {                                                                \
            (capacity) = (capacity) ? (capacity) * 2 : 8;                                           \
            __typeof__(items) push_new = arena_alloc((arena), sizeof *(items) * (size_t)(capacity)); \
            if (count)                                                                              \
                __builtin_memcpy((void *)push_new, (const void *)(items), sizeof *(items) * (size_t)(count)); \
            (items) = push_new;                                                                     \
        }                                                                                           \
        (items)[(count)++] = (item);                                                                \
    } while (0)
