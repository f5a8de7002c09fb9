/* source/gunzip.c - see gunzip.h */
#include "source/gunzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/err.h"

enum { FIRST_ROOM = 64 * 1024, GZIP_ONLY = 15 + 16 /* of inflateInit2 */ };

struct Gunzip {
    z_stream zlib;
    char *text;
    size_t capacity;
};

Gunzip *gunzip_new(void)
{
    Gunzip *g = silt_alloc(sizeof *g);

    silt_assert(inflateInit2(&g->zlib, GZIP_ONLY) == Z_OK);
    return g;
}

void gunzip_free(Gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->zlib);
    free(g->text);
    free(g);
}

/* Room for more of it, at most for one byte beyond `most`. */
static void make_room(Gunzip *g, size_t most)
{
    size_t wanted = g->capacity ? g->capacity * 2 : FIRST_ROOM;

    g->capacity = wanted < most + 1 ? wanted : most + 1;
    g->text = silt_realloc(g->text, g->capacity);
}

GunzipResult gunzip(Gunzip *g, Str bytes, size_t most, Str *out)
{
    size_t size = 0;
    int r = Z_STREAM_END;

    g->zlib.next_in = (Bytef *)(uintptr_t)bytes.ptr;
    g->zlib.avail_in = (uInt)bytes.size;
    if (!bytes.size)
        return GUNZIP_BROKEN;
    while (r != Z_STREAM_END || g->zlib.avail_in) {
        if (r == Z_STREAM_END) /* the first, or another member */
            inflateReset(&g->zlib);
        if (size == g->capacity)
            make_room(g, most);
        g->zlib.next_out = (Bytef *)g->text + size;
        g->zlib.avail_out = (uInt)(g->capacity - size);
        r = inflate(&g->zlib, Z_NO_FLUSH);
        size = g->capacity - g->zlib.avail_out;
        if (size > most)
            return GUNZIP_LONG;
        if (r != Z_STREAM_END && (r != Z_OK || (!g->zlib.avail_in && g->zlib.avail_out)))
            return GUNZIP_BROKEN;
    }
    *out = (Str){g->text, size};
    return GUNZIP_OK;
}
