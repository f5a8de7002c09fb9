/*
 * duck/fn_random.c - random values with a seed: the sequences that Spark has in its first partition
 *
 * With a constant seed a call gives one value of its sequence after the other, from the start again at each run of the statement; which row
 * gets which value is a matter of the order in which rows pass. With a seed that is computed for each row, a value is the first of its sequence.
 */
#include "duck/fn_text.h"
#include "duck/hash_value.h"
#include "duck/internal.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- generators ---- */

enum { TWISTER_SIZE = 624, TWISTER_MIDDLE = 397 };

/* Spark's XORShiftRandom for numbers and text; the Mersenne Twister (Matsumoto, Nishimura) of commons-math for shuffles and UUIDs. */
typedef struct Generator {
    uint64_t seed;
    double spare; /* the second of a pair of normal values */
    bool has_spare;
    uint32_t twister[TWISTER_SIZE];
    int twisted;
    uint64_t used; /* elements of the lists of this vector so far */
} Generator;

static uint64_t spread(int64_t seed)
{
    enum { ARRAY_SEED = 0x3c074a61 }; /* Scala's for arrays */
    char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)((uint64_t)seed >> (56 - 8 * i));
    uint32_t low = hash_murmur3(ARRAY_SEED, (Str){bytes, 8});
    return (uint64_t)hash_murmur3(low, (Str){bytes, 8}) << 32 | low;
}

static uint32_t next_bits(Generator *g, int bits)
{
    uint64_t next = g->seed ^ g->seed << 21;
    next ^= next >> 35;
    next ^= next << 4;
    g->seed = next;
    return (uint32_t)(next & ((UINT64_C(1) << bits) - 1));
}

static double next_double(Generator *g)
{
    uint64_t high = (uint64_t)next_bits(g, 26) << 27;
    return (double)(high + next_bits(g, 27)) * 0x1p-53;
}

/* Marsaglia's polar method, as java.util.Random has it. */
static double next_normal(Generator *g)
{
    double x, y, s;
    if (g->has_spare) {
        g->has_spare = false;
        return g->spare;
    }
    do {
        x = 2 * next_double(g) - 1;
        y = 2 * next_double(g) - 1;
        s = x * x + y * y;
    } while (s >= 1 || s == 0);
    double factor = sqrt(-2 * log(s) / s);
    g->spare = y * factor;
    g->has_spare = true;
    return x * factor;
}

static void twister_start(Generator *g, int64_t seed)
{
    uint32_t *t = g->twister, key[2] = {(uint32_t)((uint64_t)seed >> 32), (uint32_t)seed};
    int i = 1, k = 0;

    t[0] = 19650218;
    for (int n = 1; n < TWISTER_SIZE; n++)
        t[n] = 1812433253u * (t[n - 1] ^ t[n - 1] >> 30) + (uint32_t)n;
    for (int n = 0; n < TWISTER_SIZE; n++) {
        t[i] = (t[i] ^ (t[i - 1] ^ t[i - 1] >> 30) * 1664525u) + key[k] + (uint32_t)k;
        k = !k;
        if (++i == TWISTER_SIZE) {
            t[0] = t[TWISTER_SIZE - 1];
            i = 1;
        }
    }
    for (int n = 1; n < TWISTER_SIZE; n++) {
        t[i] = (t[i] ^ (t[i - 1] ^ t[i - 1] >> 30) * 1566083941u) - (uint32_t)i;
        if (++i == TWISTER_SIZE) {
            t[0] = t[TWISTER_SIZE - 1];
            i = 1;
        }
    }
    t[0] = UINT32_C(1) << 31;
    g->twisted = TWISTER_SIZE;
}

static uint32_t twister_next(Generator *g)
{
    uint32_t *t = g->twister;
    if (g->twisted == TWISTER_SIZE) {
        for (int i = 0; i < TWISTER_SIZE; i++) {
            uint32_t y = (t[i] & UINT32_C(1) << 31) | (t[(i + 1) % TWISTER_SIZE] & 0x7fffffff);
            t[i] = t[(i + TWISTER_MIDDLE) % TWISTER_SIZE] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
        }
        g->twisted = 0;
    }
    uint32_t y = t[g->twisted++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680;
    y ^= y << 15 & 0xefc60000;
    return y ^ y >> 18;
}

static uint64_t twister_next64(Generator *g)
{
    uint64_t high = (uint64_t)twister_next(g) << 32;
    return high | twister_next(g);
}

/* 0 to below - 1, evenly. */
static uint32_t twister_below(Generator *g, uint32_t below)
{
    if ((below & -below) == below)
        return (uint32_t)((uint64_t)below * (twister_next(g) >> 1) >> 31);
    for (;;) {
        uint32_t bits = twister_next(g) >> 1, value = bits % below;
        if (bits - value + (below - 1) <= INT32_MAX)
            return value;
    }
}

/* ---- sequences of a call ---- */

typedef struct Sequence {
    pthread_mutex_t lock;
    int64_t execution; /* of the session, in which it was begun */
    Generator generator;
} Sequence;

static void start(Generator *g, int64_t seed, bool twister)
{
    g->seed = spread(seed);
    g->has_spare = false;
    if (twister)
        twister_start(g, seed);
}

/* The seed is the last argument. */
static int prepare(FnCall *call, SiltErr *err)
{
    (void)err;
    if (!call->constants[call->arg_count - 1].type)
        return 0;
    Sequence *sequence = silt_alloc(sizeof *sequence);
    sequence->execution = -1;
    pthread_mutex_init(&sequence->lock, NULL);
    call->data = sequence;
    return 0;
}

static void release(void *data)
{
    if (data)
        pthread_mutex_destroy(&((Sequence *)data)->lock);
    free(data);
}

typedef void (*Put)(FnCall *call, Generator *g, const Column *args, Column *out, int row);

static int each_row(FnCall *call, const Column *args, Column *out, int rows, Put put, bool twister)
{
    const Column *seed = &args[call->arg_count - 1];
    Sequence *sequence = call->data;
    if (!sequence) {
        Generator generator = {.used = 0};
        FN_ROWS(row, out, rows)
        {
            start(&generator, long_at(seed, row), twister);
            put(call, &generator, args, out, row);
        }
        return 0;
    }
    pthread_mutex_lock(&sequence->lock);
    if (rows && sequence->execution != call->session->execution) {
        start(&sequence->generator, long_at(seed, 0), twister);
        sequence->execution = call->session->execution;
    }
    sequence->generator.used = 0;
    FN_ROWS(row, out, rows)
    put(call, &sequence->generator, args, out, row);
    pthread_mutex_unlock(&sequence->lock);
    return 0;
}

/* ---- values ---- */

static void put_double(FnCall *call, Generator *g, const Column *args, Column *out, int row)
{
    ((double *)out->data)[row] = next_double(g);
}

static void put_normal(FnCall *call, Generator *g, const Column *args, Column *out, int row)
{
    ((double *)out->data)[row] = next_normal(g);
}

/* Length, seed: digits and letters. */
static void put_text(FnCall *call, Generator *g, const Column *args, Column *out, int row)
{
    str_buf_clear(call->scratch);
    for (int32_t i = int_at(&args[0], row); i > 0; i--) {
        int v = abs((int32_t)next_bits(g, 32) % 62);
        str_buf_putc(call->scratch, (char)(v < 10 ? '0' + v : v < 36 ? 'a' + v - 10 : 'A' + v - 36));
    }
    text_put_buf(out, row, call->scratch);
}

static void put_uuid(FnCall *call, Generator *g, const Column *args, Column *out, int row)
{
    uint64_t high = (twister_next64(g) & UINT64_C(0xFFFFFFFFFFFF0FFF)) | 0x4000;
    uint64_t low = (twister_next64(g) | UINT64_C(1) << 63) & UINT64_C(0xBFFFFFFFFFFFFFFF);
    char text[40];
    snprintf(text, sizeof text, "%08llx-%04llx-%04llx-%04llx-%012llx", (unsigned long long)(high >> 32), (unsigned long long)(high >> 16 & 0xffff),
             (unsigned long long)(high & 0xffff), (unsigned long long)(low >> 48), (unsigned long long)(low & 0xffffffffffff));
    text_put(out, row, str_of(text));
}

/* Length, seed: the numbers 1 to length in the order of the shuffle. */
static void put_order(FnCall *call, Generator *g, const Column *args, Column *out, int row)
{
    int32_t length = int_at(&args[0], row);
    uint64_t offset = g->used;

    g->used += (uint64_t)length;
    column_list_reserve(out, g->used);
    int32_t *order = (int32_t *)out->children[0].data + offset;
    for (int32_t i = 0; i < length; i++) { /* Fisher-Yates, inside-out */
        uint32_t other = twister_below(g, (uint32_t)i + 1);
        order[i] = order[other];
        order[other] = i + 1;
    }
    ((ChunkList *)out->data)[row] = (ChunkList){offset, (uint64_t)length};
}

#define RANDOM(fn, put, twister)                                                                                                           \
    static int fn(FnCall *call, const Column *args, Column *out, int rows)                                                                 \
    {                                                                                                                                      \
        return each_row(call, args, out, rows, put, twister);                                                                              \
    }

RANDOM(rand_double, put_double, false)
RANDOM(rand_normal, put_normal, false)
RANDOM(rand_text, put_text, false)
RANDOM(rand_uuid, put_uuid, true)
RANDOM(rand_order, put_order, true)

#define SEEDED(sql_name, takes, gives, fn)                                                                                                 \
    {.name = sql_name, .args = takes, .result = gives, .flags = FN_VOLATILE, .eval = fn, .prepare = prepare, .release = release}

const DuckFunction fn_random[] = {
    SEEDED("silt_rand", "bigint", "double", rand_double),
    SEEDED("silt_randn", "bigint", "double", rand_normal),
    SEEDED("silt_rand_text", "int, bigint", "string", rand_text),
    SEEDED("silt_rand_uuid", "bigint", "string", rand_uuid),
    SEEDED("silt_rand_order", "int, bigint", "array<int>", rand_order),
    {0},
};
