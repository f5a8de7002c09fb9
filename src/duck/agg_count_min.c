/*
 * duck/agg_count_min.c - count_min_sketch: rows of counters, in each of which a value counts at one place
 *
 * The bytes are Spark's (org.apache.spark.util.sketch, version 1), big-endian: version INT, rows seen LONG, depth INT, width INT, a factor LONG
 * for each row, then the counters LONG row by row. Numbers take their place by the row's factor, texts and bytes by Murmur3.
 */
#include "duck/functions.h"
#include "duck/hash_value.h"
#include "duck/java_random.h"

#include <stdlib.h>
#include <string.h>

typedef struct CountMin {
    int64_t *factors; /* depth, then depth * width counters; NULL: no row yet */
    int64_t total;
    int32_t depth, width;
} CountMin;

static int64_t *counters(const CountMin *sketch)
{
    return sketch->factors + sketch->depth;
}

static void start(CountMin *sketch, int32_t depth, int32_t width, int32_t seed)
{
    uint64_t random = java_random_start(seed);

    sketch->depth = depth;
    sketch->width = width;
    sketch->factors = silt_alloc(((size_t)depth + (size_t)depth * (size_t)width) * sizeof(int64_t));
    for (int i = 0; i < depth; i++)
        do
            sketch->factors[i] = java_random_next(&random, 31);
        while (sketch->factors[i] == INT32_MAX); /* below INT32_MAX */
}

static int32_t place_of_number(int64_t factor, int64_t value, int32_t width)
{
    int64_t hash = (int64_t)((uint64_t)factor * (uint64_t)value);
    hash = (int64_t)((uint64_t)hash + (uint64_t)(hash >> 32)) & INT32_MAX; /* modulo 2^31 - 1, nearly */
    return (int32_t)hash % width;
}

static int64_t number_at(const Column *column, int row)
{
    switch (column->type->kind) {
    case TYPE_BYTE:
        return ((const int8_t *)column->data)[row];
    case TYPE_SHORT:
        return ((const int16_t *)column->data)[row];
    case TYPE_INT:
        return ((const int32_t *)column->data)[row];
    default:
        return ((const int64_t *)column->data)[row];
    }
}

/* Value, depth, width, seed; a NULL value only tells that there is a group. */
static int update(AggCall *call, void *state, const Column *args, int row)
{
    CountMin *sketch = state;
    const Column *value = &args[0];

    if (!sketch->factors)
        start(sketch, ((const int32_t *)args[1].data)[row], ((const int32_t *)args[2].data)[row], ((const int32_t *)args[3].data)[row]);
    if (column_is_null(value, (uint64_t)row))
        return 0;
    sketch->total++;
    if (value->type->kind != TYPE_STRING && value->type->kind != TYPE_BINARY) {
        for (int i = 0; i < sketch->depth; i++)
            counters(sketch)[(size_t)i * (size_t)sketch->width + (size_t)place_of_number(sketch->factors[i], number_at(value, row), sketch->width)]++;
        return 0;
    }
    Str bytes = chunk_string((const ChunkString *)value->data + row);
    uint32_t first = hash_murmur3(0, bytes), second = hash_murmur3(first, bytes);
    for (int i = 0; i < sketch->depth; i++)
        counters(sketch)[(size_t)i * (size_t)sketch->width + (size_t)abs((int32_t)(first + (uint32_t)i * second) % sketch->width)]++;
    return 0;
}

static size_t words(const CountMin *sketch)
{
    return (size_t)sketch->depth + (size_t)sketch->depth * (size_t)sketch->width;
}

/* Copies, since a window combines one state into several. */
static void combine(void *into, void *from)
{
    CountMin *a = into;
    const CountMin *b = from;

    if (!b->factors)
        return;
    if (!a->factors) {
        *a = *b;
        a->factors = silt_alloc(words(b) * sizeof(int64_t));
        memcpy(a->factors, b->factors, words(b) * sizeof(int64_t));
        return;
    }
    a->total += b->total;
    for (size_t i = 0; i < (size_t)a->depth * (size_t)a->width; i++)
        counters(a)[i] += counters(b)[i];
}

static void put_big(StrBuf *out, int64_t value, int size)
{
    for (int i = size - 1; i >= 0; i--)
        str_buf_putc(out, (char)((uint64_t)value >> 8 * i));
}

static void put_sketch(StrBuf *out, const CountMin *sketch)
{
    put_big(out, 1, 4);
    put_big(out, sketch->total, 8);
    put_big(out, sketch->depth, 4);
    put_big(out, sketch->width, 4);
    for (size_t i = 0; i < words(sketch); i++)
        put_big(out, sketch->factors[i], 8);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const CountMin *sketch = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!sketch->factors) {
        column_set_null(out, row);
        return 0;
    }
    put_sketch(&bytes, sketch);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

static void destroy(void *state)
{
    free(((CountMin *)state)->factors);
}

/* Of no rows: depth, width, seed. */
static int empty(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        CountMin sketch = {0};
        start(&sketch, ((const int32_t *)args[0].data)[row], ((const int32_t *)args[1].data)[row], ((const int32_t *)args[2].data)[row]);
        str_buf_clear(call->scratch);
        put_sketch(call->scratch, &sketch);
        column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
        free(sketch.factors);
    }
    return 0;
}

const DuckFunction fn_count_min[] = {
    {.name = "silt_count_min_empty", .args = "int, int, int", .result = "binary", .eval = empty},
    {0},
};

const DuckAggregate agg_count_min[] = {
    {.name = "silt_count_min",
     .args = "any, int, int, int",
     .result = "binary",
     .flags = FN_NULLS,
     .state_size = sizeof(CountMin),
     .update = update,
     .combine = combine,
     .finish = finish,
     .destroy = destroy},
    {0},
};
