#pragma once
/* io/testing.h - what the tests of this folder share; include after cmocka.h */
#include "io/internal.h"
#include "io/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct World {
    Io *io;
    Arena *arena;
    StrBuf scratch;   /* a real directory, gone afterwards */
    const char *root; /* where the tests write */
} World;

static inline World *world_new(bool real)
{
    World *w = silt_alloc(sizeof *w);
    w->arena = arena_new();
    assert_int_equal(io__local_temporary_directory(&w->scratch), 0);
    w->io = real ? io_new_local() : io_new_memory(w->scratch.ptr, 1);
    w->root = real ? arena_printf(w->arena, "%s/root", w->scratch.ptr) : "/root";
    return w;
}

static inline void world_free(World *w)
{
    io_free(w->io);
    io__local_remove_tree(w->scratch.ptr);
    str_buf_fini(&w->scratch);
    arena_free(w->arena);
    free(w);
}

static inline const char *at(World *w, const char *name)
{
    return arena_printf(w->arena, "%s/%s", w->root, name);
}

/* A file on the real disk, for io_put_files. */
static inline const char *local_file(World *w, const char *name, const char *content)
{
    const char *path = arena_printf(w->arena, "%s/%s", w->scratch.ptr, name);
    assert_int_equal(io__local_write(path, str_of(content)), 0);
    return path;
}

/* The content of path, "(absent)" or "(failed)". */
static inline const char *content_of(World *w, const char *path)
{
    Str content;
    int r = io_read(w->io, path, w->arena, &content, NULL);
    return r == IO_ABSENT ? "(absent)" : r < 0 ? "(failed)" : content.ptr;
}

/* What the latest call said; pass &failure in assert_ok. */
static SiltErr failure;

#define assert_ok(call)                                                                                                                    \
    do {                                                                                                                                   \
        failure.message[0] = '\0';                                                                                                         \
        int ok_r = (call);                                                                                                                 \
        if (ok_r != 0)                                                                                                                     \
            fail_msg("%s: %d %s", #call, ok_r, failure.message);                                                                           \
    } while (0)
