/*
 * duck/agg_bitmap.c - Spark's bitmaps of 32,768 bits in 4,096 bytes: bit p is bit p % 8 of byte p / 8
 *
 * A state holds its bytes on the heap once it has seen a row. A group without any has an empty bitmap, of AND a full one: as in Spark.
 */
#include "duck/functions.h"

#include <stdlib.h>
#include <string.h>

enum { BITMAP_BYTES = 4096, BITMAP_BITS = 8 * BITMAP_BYTES };

typedef struct Bitmap {
    unsigned char *bytes; /* NULL: no row yet */
} Bitmap;

static unsigned char *bytes_of(Bitmap *bitmap, int fill)
{
    if (!bitmap->bytes) {
        bitmap->bytes = silt_alloc(BITMAP_BYTES);
        memset(bitmap->bytes, fill, BITMAP_BYTES);
    }
    return bitmap->bytes;
}

static int construct(AggCall *call, void *state, const Column *args, int row)
{
    int64_t position = ((const int64_t *)args[0].data)[row];
    if (position < 0 || position >= BITMAP_BITS)
        return agg_fail(call, agg_pos(call, row), "INVALID_BITMAP_POSITION", "position %lld is not one of a bitmap's, which are 0 to %d", (long long)position,
                        BITMAP_BITS - 1);
    bytes_of(state, 0)[position / 8] |= (unsigned char)(1u << position % 8);
    return 0;
}

/* Bytes behind the first 4,096 do not count. */
static Str cut(const Column *args, int row)
{
    Str bytes = chunk_string((const ChunkString *)args[0].data + row);
    return (Str){bytes.ptr, bytes.size < BITMAP_BYTES ? bytes.size : BITMAP_BYTES};
}

static int or_update(AggCall *call, void *state, const Column *args, int row)
{
    Str bytes = cut(args, row);
    unsigned char *all = bytes_of(state, 0);
    for (size_t i = 0; i < bytes.size; i++)
        all[i] |= (unsigned char)bytes.ptr[i];
    return 0;
}

/* A shorter bitmap ends with zeros. */
static int and_update(AggCall *call, void *state, const Column *args, int row)
{
    Str bytes = cut(args, row);
    unsigned char *all = bytes_of(state, 0xff);
    for (size_t i = 0; i < BITMAP_BYTES; i++)
        all[i] &= i < bytes.size ? (unsigned char)bytes.ptr[i] : 0;
    return 0;
}

static void or_combine(void *into, void *from)
{
    const Bitmap *other = from;
    if (!other->bytes)
        return;
    unsigned char *all = bytes_of(into, 0);
    for (size_t i = 0; i < BITMAP_BYTES; i++)
        all[i] |= other->bytes[i];
}

static void and_combine(void *into, void *from)
{
    const Bitmap *other = from;
    if (!other->bytes)
        return;
    unsigned char *all = bytes_of(into, 0xff);
    for (size_t i = 0; i < BITMAP_BYTES; i++)
        all[i] &= other->bytes[i];
}

static int or_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    column_set_string(out, row, (const char *)bytes_of(state, 0), BITMAP_BYTES);
    return 0;
}

static int and_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    column_set_string(out, row, (const char *)bytes_of(state, 0xff), BITMAP_BYTES);
    return 0;
}

static void destroy(void *state)
{
    free(((Bitmap *)state)->bytes);
}

#define BITMAP(sql_name, takes, flag, how, join, end)                                                                                      \
    {.name = sql_name, .args = takes, .result = "binary", .flags = flag, .state_size = sizeof(Bitmap), .update = how, .combine = join, .finish = end, .destroy = destroy}

const DuckAggregate agg_bitmap[] = {
    BITMAP("silt_bitmap_construct", "long", FN_FAILS, construct, or_combine, or_finish),
    BITMAP("silt_bitmap_or", "binary", 0, or_update, or_combine, or_finish),
    BITMAP("silt_bitmap_and", "binary", 0, and_update, and_combine, and_finish),
    {0},
};
