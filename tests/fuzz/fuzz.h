#pragma once
/* tests/fuzz/fuzz.h - what the targets share */
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cut off what stands before the first line feed; all of it when there is none. */
static inline Str fuzz_line(Str *rest)
{
    const char *feed = rest->size ? memchr(rest->ptr, '\n', rest->size) : NULL;
    Str line = {rest->ptr, feed ? (size_t)(feed - rest->ptr) : rest->size};
    size_t skip = line.size + (feed != NULL);
    *rest = (Str){rest->ptr + skip, rest->size - skip};
    return line;
}

/* The first bytes as a number; *rest goes on behind them. Missing ones are 0. */
static inline uint64_t fuzz_number(Str *rest, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes && rest->size; i++) {
        number = number << 8 | (unsigned char)*rest->ptr;
        *rest = (Str){rest->ptr + 1, rest->size - 1};
    }
    return number;
}

/*
 * Files from an input: each begins with a line "@@name". Calls put for each until it returns false; what stands before the first is passed over. Names
 * are plain and stay in their folder.
 */
static inline void fuzz_files(Str rest, bool (*put)(void *self, const char *name, Str content), void *self)
{
    const char *end = rest.ptr + rest.size, *at = rest.size ? memmem(rest.ptr, rest.size, "@@", 2) : NULL;
    while (at) {
        Str content = {at + 2, (size_t)(end - at) - 2};
        Str line = fuzz_line(&content);
        const char *next = content.size ? memmem(content.ptr, content.size, "\n@@", 3) : NULL;
        char name[128];
        bool plain = line.size > 0 && line.size < sizeof name && line.ptr[0] != '/' && !memmem(line.ptr, line.size, "..", 2);
        for (size_t i = 0; i < line.size; i++)
            plain = plain && line.ptr[i] > ' ' && line.ptr[i] < 127;
        if (next)
            content.size = (size_t)(next - content.ptr);
        if (plain) {
            snprintf(name, sizeof name, "%.*s", (int)line.size, line.ptr);
            if (!put(self, name, content))
                return;
        }
        at = next ? next + 1 : NULL;
    }
}

/* What must be the same, with both texts when it is not. */
static inline void fuzz_same(const char *what, Str a, Str b)
{
    if (str_equal(a, b))
        return;
    fprintf(stderr, "%s:\n  %.*s\n  %.*s\n", what, (int)a.size, a.ptr, (int)b.size, b.ptr);
    abort();
}
