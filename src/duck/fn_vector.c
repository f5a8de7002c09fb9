/*
 * duck/fn_vector.c - arrays of FLOAT as vectors: products, distances, norms, sums
 *
 * Spark adds the terms of eight elements first and then that to the sum so far, all in FLOAT; so do these, since the last bits depend on it. A vector with a NULL
 * has no result, and an aggregate leaves it out.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "duck/fn_text.h"

enum { AT_ONCE = 8 };

typedef struct Vector {
    const float *at;
    int64_t size;
    bool whole; /* without a NULL */
} Vector;

static Vector vector_at(const Column *column, int row)
{
    const ChunkList *list = (const ChunkList *)column->data + row;
    const Column *child = &column->children[0];
    Vector v = {(const float *)child->data + list->offset, (int64_t)list->length, true};

    for (uint64_t i = 0; i < list->length && v.whole; i++)
        v.whole = !column_is_null(child, list->offset + i);
    return v;
}

/* A sum of terms, one for each element. */
#define SUM(name, term)                                                                                                                    \
    static float name(const float *a, const float *b, int64_t size)                                                                        \
    {                                                                                                                                      \
        float sum = 0;                                                                                                                     \
        int64_t i = 0;                                                                                                                     \
        for (; i < size / AT_ONCE * AT_ONCE; i += AT_ONCE) {                                                                               \
            float part = term(a[i], b[i]);                                                                                                 \
            for (int k = 1; k < AT_ONCE; k++)                                                                                              \
                part += term(a[i + k], b[i + k]);                                                                                          \
            sum += part;                                                                                                                   \
        }                                                                                                                                  \
        for (; i < size; i++)                                                                                                              \
            sum += term(a[i], b[i]);                                                                                                       \
        return sum;                                                                                                                        \
    }

#define PRODUCT(x, y) ((x) * (y))
#define SQUARED_DIFFERENCE(x, y) (((x) - (y)) * ((x) - (y)))
#define SIZE(x, y) fabsf(x)

SUM(sum_of_products, PRODUCT)
SUM(sum_of_squared_differences, SQUARED_DIFFERENCE)
SUM(sum_of_sizes, SIZE)

static float root(float x)
{
    return (float)sqrt(x);
}

/* False: a vector is 0, or nearly. */
static bool cosine(const Vector *a, const Vector *b, float *out)
{
    float norms = root(sum_of_products(a->at, a->at, a->size) * sum_of_products(b->at, b->at, b->size));

    *out = sum_of_products(a->at, b->at, a->size) / norms;
    return !(norms < FLT_MIN);
}

static bool inner_product(const Vector *a, const Vector *b, float *out)
{
    *out = sum_of_products(a->at, b->at, a->size);
    return true;
}

static bool distance(const Vector *a, const Vector *b, float *out)
{
    *out = root(sum_of_squared_differences(a->at, b->at, a->size));
    return true;
}

static int of_two(FnCall *call, const Column *args, Column *out, int rows, bool (*compute)(const Vector *, const Vector *, float *))
{
    FN_ROWS(row, out, rows)
    {
        Vector a = vector_at(&args[0], row), b = vector_at(&args[1], row);

        if (a.size != b.size)
            return fn_fail(call, row, "VECTOR_DIMENSION_MISMATCH", "one vector has %lld elements, the other %lld", (long long)a.size, (long long)b.size);
        if (!a.whole || !b.whole || !compute(&a, &b, (float *)out->data + row))
            column_set_null(out, (uint64_t)row);
    }
    return 0;
}

static int cosines(FnCall *call, const Column *args, Column *out, int rows)
{
    return of_two(call, args, out, rows, cosine);
}

static int inner_products(FnCall *call, const Column *args, Column *out, int rows)
{
    return of_two(call, args, out, rows, inner_product);
}

static int distances(FnCall *call, const Column *args, Column *out, int rows)
{
    return of_two(call, args, out, rows, distance);
}

/* ---- norms ---- */

static float largest(const float *a, int64_t size)
{
    float most = 0;

    for (int64_t i = 0; i < size; i++)
        if (fabsf(a[i]) > most) /* NaN is not */
            most = fabsf(a[i]);
    return most;
}

static float norm(const Vector *v, float degree)
{
    return degree == 1 ? sum_of_sizes(v->at, v->at, v->size) : degree == 2 ? root(sum_of_products(v->at, v->at, v->size)) : largest(v->at, v->size);
}

static int check_degree(FnCall *call, int row, float degree)
{
    if (degree == 1 || degree == 2 || degree == (float)INFINITY)
        return 0;
    return fn_fail(call, row, "INVALID_VECTOR_NORM_DEGREE", "the degree of a norm is 1.0, 2.0 or infinity, not %g", (double)degree);
}

static int norms(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Vector v = vector_at(&args[0], row);
        float degree = ((const float *)args[1].data)[row];

        SILT_TRY(check_degree(call, row, degree));
        if (v.whole)
            ((float *)out->data)[row] = norm(&v, degree);
        else
            column_set_null(out, (uint64_t)row);
    }
    return 0;
}

static int normalize(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t used = 0;

    FN_ROWS(row, out, rows)
    {
        Vector v = vector_at(&args[0], row);
        float degree = ((const float *)args[1].data)[row], by = 0;

        SILT_TRY(check_degree(call, row, degree));
        if (v.whole)
            by = norm(&v, degree);
        if (!v.whole || (v.size && by < FLT_MIN)) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        column_list_reserve(out, used + (uint64_t)v.size);
        float *to = (float *)out->children[0].data + used;

        for (int64_t i = 0; i < v.size; i++)
            to[i] = v.at[i] / by;
        ((ChunkList *)out->data)[row] = (ChunkList){used, (uint64_t)v.size};
        used += (uint64_t)v.size;
    }
    return 0;
}

/* The bytes of an aggregate as a list. */
static int floats(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t used = 0;

    FN_ROWS(row, out, rows)
    {
        Str bytes = text_at(&args[0], row);
        uint64_t count = bytes.size / sizeof(float);

        column_list_reserve(out, used + count);
        if (count)
            memcpy((float *)out->children[0].data + used, bytes.ptr, bytes.size);
        ((ChunkList *)out->data)[row] = (ChunkList){used, count};
        used += count;
    }
    return 0;
}

#define OF_TWO(sql_name, fn)                                                                                                               \
    {                                                                                                                                      \
        .name = sql_name, .args = "array<float>, array<float>", .result = "float", .flags = FN_FAILS, .eval = fn                          \
    }

const DuckFunction fn_vector[] = {
    OF_TWO("silt_vector_cosine", cosines),
    OF_TWO("silt_vector_product", inner_products),
    OF_TWO("silt_vector_distance", distances),
    {.name = "silt_vector_norm", .args = "array<float>, float", .result = "float", .flags = FN_FAILS, .eval = norms},
    {.name = "silt_vector_normalize", .args = "array<float>, float", .result = "array<float>", .flags = FN_FAILS, .eval = normalize},
    {.name = "silt_floats", .args = "binary", .result = "array<float>", .eval = floats},
    {0},
};

/* ---- sum and mean of the vectors of a group, as bytes; all must have one size ---- */

typedef struct Total {
    float *at; /* NULL: no vector yet, or one of size 0 */
    int64_t size, count, pos;
    int64_t other_size; /* of the first vector that did not fit, if `unfit` */
    bool unfit;
} Total;

static void begin(Total *t, const float *at, int64_t size, int64_t count)
{
    t->size = size;
    t->count = count;
    if (!size)
        return;
    t->at = silt_realloc(NULL, (size_t)size * sizeof *at);
    memcpy(t->at, at, (size_t)size * sizeof *at);
}

static bool fits(Total *t, int64_t size)
{
    if (t->size == size)
        return true;
    if (!t->unfit)
        t->other_size = size;
    t->unfit = true;
    return false;
}

static int take(AggCall *call, void *state, const Column *args, int row, bool mean)
{
    Total *t = state;
    Vector v = vector_at(&args[0], row);

    if (!v.whole)
        return 0;
    t->pos = agg_pos(call, row);
    if (!t->count) {
        begin(t, v.at, v.size, 1);
        return 0;
    }
    if (!fits(t, v.size))
        return 0;
    float part = 1.0f / (float)++t->count;

    for (int64_t i = 0; i < v.size; i++)
        t->at[i] += mean ? (v.at[i] - t->at[i]) * part : v.at[i];
    return 0;
}

static void merge(void *into, void *from, bool mean)
{
    Total *a = into;
    const Total *b = from;

    if (!b->count)
        return;
    if (!a->count) {
        begin(a, b->at, b->size, b->count);
        a->pos = b->pos;
        a->unfit = b->unfit;
        a->other_size = b->other_size;
        return;
    }
    if (b->unfit && !a->unfit) {
        a->unfit = true;
        a->other_size = b->other_size;
    }
    if (!fits(a, b->size))
        return;
    float total = (float)(a->count + b->count), left = (float)a->count / total, right = (float)b->count / total;

    for (int64_t i = 0; i < a->size; i++)
        a->at[i] = mean ? a->at[i] * left + b->at[i] * right : a->at[i] + b->at[i];
    a->count += b->count;
}

static int sum_update(AggCall *call, void *state, const Column *args, int row)
{
    return take(call, state, args, row, false);
}

static int mean_update(AggCall *call, void *state, const Column *args, int row)
{
    return take(call, state, args, row, true);
}

static void sum_combine(void *into, void *from)
{
    merge(into, from, false);
}

static void mean_combine(void *into, void *from)
{
    merge(into, from, true);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Total *t = state;

    if (t->unfit)
        return agg_fail(call, t->pos, "VECTOR_DIMENSION_MISMATCH", "a vector of the group has %lld elements, another %lld", (long long)t->size, (long long)t->other_size);
    if (t->count)
        column_set_string(out, row, t->at ? (const char *)t->at : "", (size_t)t->size * sizeof *t->at);
    else
        column_set_null(out, row);
    return 0;
}

static void destroy(void *state)
{
    free(((Total *)state)->at);
}

#define OF_GROUP(sql_name, add, merging)                                                                                                   \
    {                                                                                                                                      \
        .name = sql_name, .args = "array<float>", .result = "binary", .flags = FN_FAILS, .state_size = sizeof(Total), .update = add, .combine = merging,         \
        .finish = finish, .destroy = destroy                                                                                               \
    }

const DuckAggregate agg_vector[] = {
    OF_GROUP("silt_vector_sum", sum_update, sum_combine),
    OF_GROUP("silt_vector_avg", mean_update, mean_combine),
    {0},
};
