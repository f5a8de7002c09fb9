/*
 * duck/fn_hash.c - hash() and xxhash64() bit for bit as Spark's: Murmur3 (32 bits) and XXH64, both seeded with 42, folded over the arguments
 *
 * NULL leaves the hash as it is. Text is hashed by its bytes; the last one to three bytes of Murmur3 each on their own, as Spark does.
 */
#include "duck/fn_text.h"
#include "duck/print.h"

#include <math.h>
#include <string.h>

typedef struct Hasher {
    uint64_t (*hash_int)(uint32_t value, uint64_t seed);
    uint64_t (*hash_long)(uint64_t value, uint64_t seed);
    uint64_t (*hash_bytes)(const unsigned char *bytes, size_t size, uint64_t seed);
} Hasher;

/* ---- Murmur3 ---- */

static uint32_t rotate32(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static uint32_t mix_k(uint32_t k)
{
    return rotate32(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

static uint32_t mix_h(uint32_t h, uint32_t k)
{
    return rotate32(h ^ mix_k(k), 13) * 5 + 0xe6546b64u;
}

static uint32_t finish32(uint32_t h, uint32_t size)
{
    h ^= size;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static uint64_t murmur_int(uint32_t value, uint64_t seed)
{
    return finish32(mix_h((uint32_t)seed, value), 4);
}

static uint64_t murmur_long(uint64_t value, uint64_t seed)
{
    return finish32(mix_h(mix_h((uint32_t)seed, (uint32_t)value), (uint32_t)(value >> 32)), 8);
}

static uint64_t murmur_bytes(const unsigned char *bytes, size_t size, uint64_t seed)
{
    uint32_t h = (uint32_t)seed, word;
    size_t i = 0;

    for (; i + 4 <= size; i += 4) {
        memcpy(&word, bytes + i, 4);
        h = mix_h(h, word);
    }
    for (; i < size; i++)
        h = mix_h(h, (uint32_t)(int32_t)(int8_t)bytes[i]);
    return finish32(h, (uint32_t)size);
}

/* ---- XXH64 ---- */

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate64(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t finish64(uint64_t h)
{
    h = (h ^ h >> 33) * PRIME_2;
    h = (h ^ h >> 29) * PRIME_3;
    return h ^ h >> 32;
}

static uint64_t xx_int(uint32_t value, uint64_t seed)
{
    uint64_t h = seed + PRIME_5 + 4;

    h ^= (uint64_t)value * PRIME_1;
    return finish64(rotate64(h, 23) * PRIME_2 + PRIME_3);
}

static uint64_t xx_long(uint64_t value, uint64_t seed)
{
    uint64_t h = seed + PRIME_5 + 8;

    h ^= rotate64(value * PRIME_2, 31) * PRIME_1;
    return finish64(rotate64(h, 27) * PRIME_1 + PRIME_4);
}

static uint64_t xx_bytes(const unsigned char *bytes, size_t size, uint64_t seed)
{
    uint64_t h, word;
    uint32_t half;
    size_t i = 0;

    if (size >= 32) {
        uint64_t v[4] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};

        for (; i + 32 <= size; i += 32)
            for (int k = 0; k < 4; k++) {
                memcpy(&word, bytes + i + 8 * k, 8);
                v[k] = rotate64(v[k] + word * PRIME_2, 31) * PRIME_1;
            }
        h = rotate64(v[0], 1) + rotate64(v[1], 7) + rotate64(v[2], 12) + rotate64(v[3], 18);
        for (int k = 0; k < 4; k++)
            h = (h ^ rotate64(v[k] * PRIME_2, 31) * PRIME_1) * PRIME_1 + PRIME_4;
    } else {
        h = seed + PRIME_5;
    }
    h += size;
    for (; i + 8 <= size; i += 8) {
        memcpy(&word, bytes + i, 8);
        h = rotate64(h ^ rotate64(word * PRIME_2, 31) * PRIME_1, 27) * PRIME_1 + PRIME_4;
    }
    if (i + 4 <= size) {
        memcpy(&half, bytes + i, 4);
        h = rotate64(h ^ (uint64_t)half * PRIME_1, 23) * PRIME_2 + PRIME_3;
        i += 4;
    }
    for (; i < size; i++)
        h = rotate64(h ^ bytes[i] * PRIME_5, 11) * PRIME_1;
    return finish64(h);
}

static const Hasher murmur = {murmur_int, murmur_long, murmur_bytes}, xx = {xx_int, xx_long, xx_bytes};

/* ---- values ---- */

/* A decimal beyond 18 digits: the bytes of its two's complement, shortest form, most significant first, as Java's BigInteger. */
static uint64_t hash_big(const Hasher *h, __int128 value, uint64_t seed)
{
    unsigned char bytes[16];
    size_t first = 0;

    for (int i = 0; i < 16; i++)
        bytes[15 - i] = (unsigned char)((unsigned __int128)value >> (8 * i));
    while (first < 15 && ((bytes[first] == 0 && bytes[first + 1] < 0x80) || (bytes[first] == 0xff && bytes[first + 1] >= 0x80)))
        first++;
    return h->hash_bytes(bytes + first, 16 - first, seed);
}

static uint64_t hash_value(const Hasher *h, const Column *column, uint64_t row, uint64_t seed)
{
    const void *data = column->data;

    if (column->type->kind == TYPE_VOID || column_is_null(column, row))
        return seed;
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        return h->hash_int(((const uint8_t *)data)[row] != 0, seed);
    case TYPE_BYTE:
        return h->hash_int((uint32_t)(int32_t)((const int8_t *)data)[row], seed);
    case TYPE_SHORT:
        return h->hash_int((uint32_t)(int32_t)((const int16_t *)data)[row], seed);
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return h->hash_int((uint32_t)((const int32_t *)data)[row], seed);
    case TYPE_FLOAT: {
        float x = ((const float *)data)[row];
        uint32_t bits;

        x = x == 0 ? 0 : isnan(x) ? __builtin_nanf("") : x;
        memcpy(&bits, &x, sizeof bits);
        return h->hash_int(bits, seed);
    }
    case TYPE_DOUBLE: {
        double x = ((const double *)data)[row];
        uint64_t bits;

        x = x == 0 ? 0 : isnan(x) ? __builtin_nan("") : x;
        memcpy(&bits, &x, sizeof bits);
        return h->hash_long(bits, seed);
    }
    case TYPE_DECIMAL: {
        __int128 value = decimal_value(column, row);

        return column->type->precision <= 18 ? h->hash_long((uint64_t)(int64_t)value, seed) : hash_big(h, value, seed);
    }
    case TYPE_STRING:
    case TYPE_BINARY: {
        Str text = chunk_string((const ChunkString *)data + row);

        return h->hash_bytes((const unsigned char *)text.ptr, text.size, seed);
    }
    case TYPE_ARRAY:
    case TYPE_MAP: {
        ChunkList list = ((const ChunkList *)data)[row];

        for (uint64_t n = 0; n < list.length; n++)
            for (int c = 0; c < column->child_count; c++)
                seed = hash_value(h, &column->children[c], list.offset + n, seed);
        return seed;
    }
    case TYPE_STRUCT:
    case TYPE_VARIANT:
        for (int c = 0; c < column->child_count; c++)
            seed = hash_value(h, &column->children[c], row, seed);
        return seed;
    default:
        return h->hash_long((uint64_t)((const int64_t *)data)[row], seed);
    }
}

static int hash(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        uint64_t seed = 42;

        for (int i = 0; i < call->arg_count; i++)
            seed = hash_value(&murmur, &args[i], (uint64_t)row, seed);
        ((int32_t *)out->data)[row] = (int32_t)(uint32_t)seed;
    }
    return 0;
}

static int xxhash64(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        uint64_t seed = 42;

        for (int i = 0; i < call->arg_count; i++)
            seed = hash_value(&xx, &args[i], (uint64_t)row, seed);
        ((int64_t *)out->data)[row] = (int64_t)seed;
    }
    return 0;
}

static int crc32_of(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        Str text = text_at(&args[0], row);
        uint32_t crc = ~0u;

        for (size_t i = 0; i < text.size; i++) {
            crc ^= (unsigned char)text.ptr[i];
            for (int bit = 0; bit < 8; bit++)
                crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
        ((int64_t *)out->data)[row] = (int64_t)(uint32_t)~crc;
    }
    return 0;
}

const DuckFunction fn_hash[] = {
    {.name = "silt_hash", .args = "any...", .result = "int", .flags = FN_NULLS, .eval = hash},
    {.name = "silt_xxhash64", .args = "any...", .result = "bigint", .flags = FN_NULLS, .eval = xxhash64},
    {.name = "silt_crc32", .args = "binary", .result = "bigint", .eval = crc32_of},
    {0},
};
