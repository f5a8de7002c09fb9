/*
 * duck/agg_histogram.c - histogram_numeric: up to so many bins, the two nearest of which become one when there is one too many
 *
 * After Ben-Haim and Tom-Tov, "A streaming parallel decision tree algorithm" (2010); ties are broken by the random sequence that Spark
 * uses, so that rows in the same order give the same bins. The aggregate gives the bins as bytes, pairs of centre and height, since a
 * list of structs is easier made by a function of its own.
 */
#include "duck/fn_text.h"
#include "duck/java_random.h"

#include <stdlib.h>
#include <string.h>

enum { TIE_SEED = 31183 };

typedef struct Bin {
    double x, y;
} Bin;

typedef struct Histogram {
    Bin *bins; /* ascending; NULL: no row yet */
    uint64_t random;
    int32_t count, capacity, most;
} Histogram;

static void reserve(Histogram *h, int32_t count)
{
    if (count <= h->capacity)
        return;
    h->capacity = count * 2;
    h->bins = silt_realloc(h->bins, (size_t)h->capacity * sizeof *h->bins);
}

static void remove_bin(Histogram *h, int32_t at)
{
    memmove(h->bins + at, h->bins + at + 1, (size_t)(h->count - at - 1) * sizeof *h->bins);
    h->count--;
}

static void trim(Histogram *h)
{
    while (h->count > h->most) {
        double least = h->bins[1].x - h->bins[0].x;
        int32_t at = 0, ties = 1;

        for (int32_t i = 1; i < h->count - 1; i++) {
            double gap = h->bins[i + 1].x - h->bins[i].x;
            if (gap < least) {
                least = gap;
                at = i;
                ties = 1;
            } else if (gap == least && java_random_double(&h->random) <= 1.0 / ++ties) {
                at = i;
            }
        }
        Bin *bin = &h->bins[at], *next = bin + 1;
        double height = bin->y + next->y;

        bin->x *= bin->y / height;
        bin->x += next->x / height * next->y;
        bin->y = height;
        remove_bin(h, at + 1);
    }
}

static void add(Histogram *h, double value)
{
    int32_t at = 0;

    for (int32_t low = 0, high = h->count; low < high;) {
        at = (low + high) / 2;
        if (h->bins[at].x > value)
            high = at;
        else if (h->bins[at].x < value)
            low = ++at;
        else
            break;
    }
    if (at < h->count && h->bins[at].x == value) {
        h->bins[at].y++;
        return;
    }
    reserve(h, h->count + 1);
    memmove(h->bins + at + 1, h->bins + at, (size_t)(h->count - at) * sizeof *h->bins);
    h->bins[at] = (Bin){value, 1};
    h->count++;
    trim(h);
}

static int update(AggCall *call, void *state, const Column *args, int row)
{
    Histogram *h = state;

    if (!h->bins) {
        h->most = int_at(&args[1], row);
        h->random = java_random_start(TIE_SEED);
    }
    add(h, ((const double *)args[0].data)[row]);
    return 0;
}

/* Ascending, NaN last, as Java's Double.compare; of two zeros the negative first. */
static int by_centre(const void *a, const void *b)
{
    double x = ((const Bin *)a)->x, y = ((const Bin *)b)->x;

    if (x < y || x > y)
        return x < y ? -1 : 1;
    return (x != x) - (y != y);
}

/* Copies, since a window combines one state into several. */
static void combine(void *into, void *from)
{
    Histogram *a = into;
    const Histogram *b = from;

    if (!b->bins)
        return;
    if (!a->bins)
        *a = (Histogram){.most = b->most, .random = b->random};
    reserve(a, a->count + b->count);
    memcpy(a->bins + a->count, b->bins, (size_t)b->count * sizeof *b->bins);
    a->count += b->count;
    qsort(a->bins, (size_t)a->count, sizeof *a->bins, by_centre);
    trim(a);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Histogram *h = state;

    if (!h->bins)
        column_set_null(out, row);
    else
        column_set_string(out, row, (const char *)h->bins, (size_t)h->count * sizeof *h->bins);
    return 0;
}

static void destroy(void *state)
{
    free(((Histogram *)state)->bins);
}

/* The bytes of an aggregate as a list. */
static int bins(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t used = 0;

    FN_ROWS(row, out, rows)
    {
        Str bytes = text_at(&args[0], row);
        uint64_t count = bytes.size / sizeof(Bin);

        column_list_reserve(out, used + count);
        for (uint64_t i = 0; i < count; i++) {
            Bin bin;

            memcpy(&bin, bytes.ptr + i * sizeof bin, sizeof bin);
            ((double *)out->children[0].children[0].data)[used + i] = bin.x;
            ((double *)out->children[0].children[1].data)[used + i] = bin.y;
        }
        ((ChunkList *)out->data)[row] = (ChunkList){used, count};
        used += count;
    }
    return 0;
}

const DuckFunction fn_histogram[] = {
    {.name = "silt_histogram_bins", .args = "binary", .result = "array<struct<x:double,y:double>>", .eval = bins},
    {0},
};

const DuckAggregate agg_histogram[] = {
    {.name = "silt_histogram",
     .args = "double, int",
     .result = "binary",
     .state_size = sizeof(Histogram),
     .update = update,
     .combine = combine,
     .finish = finish,
     .destroy = destroy},
    {0},
};
