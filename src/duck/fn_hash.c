/* duck/fn_hash.c - hashes with the bits that Spark gives: hash (Murmur3), xxhash64, crc32, sha2 */
#include "duck/fn_text.h"
#include "duck/hash_value.h"
#include "duck/print.h"

#include <math.h>

/* ---- Murmur3, 32 bits ---- */

static uint32_t rotate32(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static uint32_t murmur_mix(uint32_t hash, uint32_t word)
{
    word = rotate32(word * 0xcc9e2d51, 15) * 0x1b873593;
    return rotate32(hash ^ word, 13) * 5 + 0xe6546b64;
}

static uint32_t murmur_end(uint32_t hash, uint32_t size)
{
    hash ^= size;
    hash = (hash ^ hash >> 16) * 0x85ebca6b;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35;
    return hash ^ hash >> 16;
}

static uint64_t murmur_int(uint64_t seed, uint32_t value)
{
    return murmur_end(murmur_mix((uint32_t)seed, value), 4);
}

static uint64_t murmur_long(uint64_t seed, uint64_t value)
{
    return murmur_end(murmur_mix(murmur_mix((uint32_t)seed, (uint32_t)value), (uint32_t)(value >> 32)), 8);
}

static uint32_t little32(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Spark's own: bytes behind the last whole word are mixed one by one, signed. */
static uint64_t murmur_bytes(uint64_t seed, Str bytes)
{
    uint32_t hash = (uint32_t)seed;
    size_t i = 0;
    for (; i + 4 <= bytes.size; i += 4)
        hash = murmur_mix(hash, little32(bytes.ptr + i));
    for (; i < bytes.size; i++)
        hash = murmur_mix(hash, (uint32_t)(int32_t)(signed char)bytes.ptr[i]);
    return murmur_end(hash, (uint32_t)bytes.size);
}

/* ---- xxHash, 64 bits ---- */

#define XX1 UINT64_C(0x9E3779B185EBCA87)
#define XX2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define XX3 UINT64_C(0x165667B19E3779F9)
#define XX4 UINT64_C(0x85EBCA77C2B2AE63)
#define XX5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate64(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t little64(const char *p)
{
    return little32(p) | (uint64_t)little32(p + 4) << 32;
}

static uint64_t xx_round(uint64_t lane, uint64_t word)
{
    return rotate64(lane + word * XX2, 31) * XX1;
}

static uint64_t xx_bytes(uint64_t seed, Str bytes)
{
    const char *p = bytes.ptr, *end = p + bytes.size;
    uint64_t hash = seed + XX5;
    if (bytes.size >= 32) {
        uint64_t lanes[4] = {seed + XX1 + XX2, seed + XX2, seed, seed - XX1};
        for (; end - p >= 32; p += 32)
            for (int i = 0; i < 4; i++)
                lanes[i] = xx_round(lanes[i], little64(p + 8 * i));
        hash = rotate64(lanes[0], 1) + rotate64(lanes[1], 7) + rotate64(lanes[2], 12) + rotate64(lanes[3], 18);
        for (int i = 0; i < 4; i++)
            hash = (hash ^ xx_round(0, lanes[i])) * XX1 + XX4;
    }
    hash += bytes.size;
    for (; end - p >= 8; p += 8)
        hash = rotate64(hash ^ xx_round(0, little64(p)), 27) * XX1 + XX4;
    if (end - p >= 4) {
        hash = rotate64(hash ^ little32(p) * XX1, 23) * XX2 + XX3;
        p += 4;
    }
    for (; p < end; p++)
        hash = rotate64(hash ^ (unsigned char)*p * XX5, 11) * XX1;
    hash = (hash ^ hash >> 33) * XX2;
    hash = (hash ^ hash >> 29) * XX3;
    return hash ^ hash >> 32;
}

static uint64_t xx_int(uint64_t seed, uint32_t value)
{
    char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (char)(value >> 8 * i);
    return xx_bytes(seed, (Str){bytes, sizeof bytes});
}

static uint64_t xx_long(uint64_t seed, uint64_t value)
{
    char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(value >> 8 * i);
    return xx_bytes(seed, (Str){bytes, sizeof bytes});
}

/* ---- any value ---- */

typedef struct Hasher {
    uint64_t (*of_int)(uint64_t seed, uint32_t value);
    uint64_t (*of_long)(uint64_t seed, uint64_t value);
    uint64_t (*of_bytes)(uint64_t seed, Str bytes);
} Hasher;

static const Hasher murmur = {murmur_int, murmur_long, murmur_bytes};
static const Hasher xx = {xx_int, xx_long, xx_bytes};

/* A wide decimal hashes as Java's BigInteger.toByteArray: as few big-endian bytes as keep the sign. */
static uint64_t hash_wide(const Hasher *h, uint64_t seed, __int128 value)
{
    char bytes[16];
    int size = 1;
    while (size < 16 && (value >> (8 * size - 1)) != (value < 0 ? -1 : 0))
        size++;
    for (int i = 0; i < size; i++)
        bytes[i] = (char)(value >> 8 * (size - 1 - i));
    return h->of_bytes(seed, (Str){bytes, (size_t)size});
}

static uint64_t hash_double(const Hasher *h, uint64_t seed, double value)
{
    uint64_t bits;
    if (value == 0)
        value = 0; /* no -0.0 */
    if (isnan(value))
        return h->of_long(seed, UINT64_C(0x7ff8000000000000));
    memcpy(&bits, &value, sizeof bits);
    return h->of_long(seed, bits);
}

static uint64_t hash_float(const Hasher *h, uint64_t seed, float value)
{
    uint32_t bits;
    if (value == 0)
        value = 0;
    if (isnan(value))
        return h->of_int(seed, 0x7fc00000);
    memcpy(&bits, &value, sizeof bits);
    return h->of_int(seed, bits);
}

/* NULL leaves the seed as it is; what holds several values hands the hash from one to the next. */
static uint64_t hash_value(const Hasher *h, uint64_t seed, const Column *column, uint64_t row)
{
    const Type *type = column->type;
    if (type->kind == TYPE_VOID || column_is_null(column, row))
        return seed;
    switch (type->kind) {
    case TYPE_BOOLEAN:
        return h->of_int(seed, ((const uint8_t *)column->data)[row]);
    case TYPE_BYTE:
        return h->of_int(seed, (uint32_t)(int32_t)((const int8_t *)column->data)[row]);
    case TYPE_SHORT:
        return h->of_int(seed, (uint32_t)(int32_t)((const int16_t *)column->data)[row]);
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return h->of_int(seed, ((const uint32_t *)column->data)[row]);
    case TYPE_FLOAT:
        return hash_float(h, seed, ((const float *)column->data)[row]);
    case TYPE_DOUBLE:
        return hash_double(h, seed, ((const double *)column->data)[row]);
    case TYPE_DECIMAL:
        if (type->precision <= 18)
            return h->of_long(seed, (uint64_t)(int64_t)decimal_value(column, row));
        return hash_wide(h, seed, decimal_value(column, row));
    case TYPE_STRING:
    case TYPE_BINARY:
        return h->of_bytes(seed, chunk_string((const ChunkString *)column->data + row));
    case TYPE_TIME: /* Spark counts nanoseconds */
        return h->of_long(seed, ((const uint64_t *)column->data)[row] * 1000);
    case TYPE_INTERVAL: {
        const ChunkInterval *interval = (const ChunkInterval *)column->data + row;
        return h->of_int(h->of_int(h->of_long(seed, (uint64_t)interval->us), (uint32_t)interval->days), (uint32_t)interval->months);
    }
    case TYPE_ARRAY:
    case TYPE_MAP: {
        ChunkList list = ((const ChunkList *)column->data)[row];
        for (uint64_t i = list.offset; i < list.offset + list.length; i++)
            for (int c = 0; c < column->child_count; c++)
                seed = hash_value(h, seed, &column->children[c], i);
        return seed;
    }
    case TYPE_STRUCT:
        for (int c = 0; c < column->child_count; c++)
            seed = hash_value(h, seed, &column->children[c], row);
        return seed;
    default:
        return h->of_long(seed, ((const uint64_t *)column->data)[row]);
    }
}

uint64_t hash_xx64(uint64_t seed, const Column *column, uint64_t row)
{
    return hash_value(&xx, seed, column, row);
}

uint32_t hash_murmur3(uint32_t seed, Str bytes)
{
    return (uint32_t)murmur_bytes(seed, bytes);
}

enum { SEED = 42 };

static int no_variant(FnCall *call, SiltErr *err)
{
    for (int i = 0; i < call->arg_count; i++)
        if (call->arg_types[i]->kind == TYPE_VARIANT)
            return silt_fail(err, SILT_CONFIG, "a VARIANT has no hash");
    return 0;
}

static int hash(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        uint64_t seed = SEED;
        for (int i = 0; i < call->arg_count; i++)
            seed = hash_value(&murmur, seed, &args[i], (uint64_t)row);
        ((int32_t *)out->data)[row] = (int32_t)(uint32_t)seed;
    }
    return 0;
}

static int xxhash64(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        uint64_t seed = SEED;
        for (int i = 0; i < call->arg_count; i++)
            seed = hash_value(&xx, seed, &args[i], (uint64_t)row);
        ((int64_t *)out->data)[row] = (int64_t)seed;
    }
    return 0;
}

/* ---- checksums ---- */

static int crc32(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str bytes = text_at(&args[0], row);
        uint32_t crc = UINT32_MAX;
        for (size_t i = 0; i < bytes.size; i++) {
            crc ^= (unsigned char)bytes.ptr[i];
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
        }
        ((int64_t *)out->data)[row] = (int64_t)(crc ^ UINT32_MAX);
    }
    return 0;
}

/*
 * SHA-2 (FIPS 180-4). Its constants are the first bits of the fractions of roots of the first primes: cube roots for the rounds, of
 * which the 32-bit functions use the upper halves.
 */
static const uint64_t sha_round[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019,
    0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3,
    0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65, 0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b, 0xa2bfe8a14cf10364, 0xa81a664bbc423001,
    0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb,
    0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c, 0xd186b8c721c0c207,
    0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a,
    0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

typedef struct Sha2 {
    int bits;
    bool wide;
    uint64_t start[8];
} Sha2;

static const Sha2 sha2_kinds[] = {
    {224, false, {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4}},
    {256, false, {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}},
    {384,
     true,
     {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
      0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4}},
    {512,
     true,
     {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}},
};

/* Words are 64 bits wide in memory; the 32-bit functions mask and turn within 32. */
static uint64_t turn(uint64_t x, int by, bool wide)
{
    return wide ? x >> by | x << (64 - by) : (uint32_t)(x >> by | x << (32 - by));
}

static void sha2_block(const Sha2 *kind, uint64_t state[8], const unsigned char *block)
{
    bool wide = kind->wide;
    int rounds = wide ? 80 : 64, word_size = wide ? 8 : 4;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX, w[80], s[8];
    for (int i = 0; i < 16; i++) {
        w[i] = 0;
        for (int b = 0; b < word_size; b++)
            w[i] = w[i] << 8 | block[i * word_size + b];
    }
    for (int i = 16; i < rounds; i++) {
        uint64_t a = w[i - 15], b = w[i - 2];
        uint64_t s0 = wide ? turn(a, 1, true) ^ turn(a, 8, true) ^ a >> 7 : turn(a, 7, false) ^ turn(a, 18, false) ^ a >> 3;
        uint64_t s1 = wide ? turn(b, 19, true) ^ turn(b, 61, true) ^ b >> 6 : turn(b, 17, false) ^ turn(b, 19, false) ^ b >> 10;
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & mask;
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < rounds; i++) {
        uint64_t e = s[4], a = s[0];
        uint64_t s1 =
            wide ? turn(e, 14, true) ^ turn(e, 18, true) ^ turn(e, 41, true) : turn(e, 6, false) ^ turn(e, 11, false) ^ turn(e, 25, false);
        uint64_t s0 =
            wide ? turn(a, 28, true) ^ turn(a, 34, true) ^ turn(a, 39, true) : turn(a, 2, false) ^ turn(a, 13, false) ^ turn(a, 22, false);
        uint64_t t1 = s[7] + s1 + ((e & s[5]) ^ (~e & s[6])) + (wide ? sha_round[i] : sha_round[i] >> 32) + w[i];
        uint64_t t2 = s0 + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] = (s[4] + t1) & mask;
        s[0] = (t1 + t2) & mask;
    }
    for (int i = 0; i < 8; i++)
        state[i] = (state[i] + s[i]) & mask;
}

static void put_sha2(StrBuf *out, const Sha2 *kind, Str bytes)
{
    size_t block = kind->wide ? 128 : 64, length_size = block / 8, at = 0;
    uint64_t state[8];
    unsigned char tail[256] = {0};
    memcpy(state, kind->start, sizeof state);
    for (; bytes.size - at >= block; at += block)
        sha2_block(kind, state, (const unsigned char *)bytes.ptr + at);
    size_t rest = bytes.size - at, tail_size = rest + 1 + length_size <= block ? block : 2 * block;
    if (rest)
        memcpy(tail, bytes.ptr + at, rest);
    tail[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        tail[tail_size - 1 - (size_t)i] = (unsigned char)((uint64_t)bytes.size * 8 >> 8 * i);
    for (at = 0; at < tail_size; at += block)
        sha2_block(kind, state, tail + at);
    int digits = kind->bits / 4;
    for (int i = 0; digits > 0; i++, digits -= kind->wide ? 16 : 8)
        str_buf_printf(out, kind->wide ? "%016llx" : "%08llx", (unsigned long long)state[i]);
}

/* sha2(bytes, bits); bits of 0 mean 256, others than there are give NULL. */
static int sha2(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int bits = int_at(&args[1], row);
        const Sha2 *kind = NULL;
        for (size_t i = 0; i < sizeof sha2_kinds / sizeof *sha2_kinds; i++)
            if (sha2_kinds[i].bits == (bits ? bits : 256))
                kind = &sha2_kinds[i];
        if (!kind) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        str_buf_clear(call->scratch);
        put_sha2(call->scratch, kind, text_at(&args[0], row));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_hash[] = {
    {.name = "silt_hash", .args = "any...", .result = "int", .flags = FN_NULLS, .eval = hash, .prepare = no_variant},
    {.name = "silt_xxhash64", .args = "any...", .result = "bigint", .flags = FN_NULLS, .eval = xxhash64, .prepare = no_variant},
    {.name = "silt_crc32", .args = "binary", .result = "bigint", .eval = crc32},
    {.name = "silt_sha2", .args = "binary, int", .result = "string", .eval = sha2},
    {0},
};
