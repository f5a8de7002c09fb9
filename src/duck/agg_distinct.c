/*
 * duck/agg_distinct.c - approx_count_distinct: HyperLogLog++ with the hash, the registers and the estimate of Spark, so that the numbers agree
 *
 * The algorithm is that of "HyperLogLog in Practice" (Heule, Nunkesser, Hall, 2013); its appendix has the tables of hll_tables.h. Spark
 * does not use the paper's sparse form. The second argument is the number of bits that choose a register: 4 or more.
 */
#include "duck/functions.h"
#include "duck/hash_value.h"
#include "duck/hll_tables.h"

#include <math.h>
#include <stdlib.h>

enum { HASH_SEED = 42, NEIGHBOURS = 6, BITS_LEAST = 4, BITS_CORRECTED = 18 };

typedef struct Registers {
    uint8_t *ranks; /* 1 << bits, the longest run of zeros + 1 of each; NULL: no row yet */
    int32_t bits;
} Registers;

static int update(AggCall *call, void *state, const Column *args, int row)
{
    Registers *r = state;
    if (!r->ranks) {
        r->bits = ((const int32_t *)args[1].data)[row];
        r->ranks = silt_alloc((size_t)1 << r->bits);
    }
    uint64_t hash = hash_xx64(HASH_SEED, &args[0], (uint64_t)row), rest = hash << r->bits | UINT64_C(1) << (r->bits - 1);
    uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1), *at = &r->ranks[hash >> (64 - r->bits)];
    if (rank > *at)
        *at = rank;
    return 0;
}

static void combine(void *into, void *from)
{
    Registers *a = into;
    const Registers *b = from;
    if (!b->ranks)
        return;
    if (!a->ranks) {
        a->bits = b->bits;
        a->ranks = silt_alloc((size_t)1 << a->bits);
    }
    for (size_t i = 0; i < (size_t)1 << a->bits; i++)
        if (b->ranks[i] > a->ranks[i])
            a->ranks[i] = b->ranks[i];
}

static double distance(double x, double y)
{
    return (x - y) * (x - y);
}

/* The mean bias of the six estimates of the table that are nearest. */
static double bias_of(int bits, double estimate)
{
    const HllTable *table = &hll_tables[bits - BITS_LEAST];
    int low = 0, high = table->count;
    while (low < high) { /* the first that is not below the estimate */
        int middle = (low + high) / 2;
        if (table->estimates[middle] < estimate)
            low = middle + 1;
        else
            high = middle;
    }
    low = low - NEIGHBOURS + 1 > 0 ? low - NEIGHBOURS + 1 : 0;
    high = low + NEIGHBOURS < table->count ? low + NEIGHBOURS : table->count;
    while (high < table->count && distance(estimate, table->estimates[high]) < distance(estimate, table->estimates[low])) {
        low++;
        high++;
    }
    double sum = 0;
    for (int i = low; i < high; i++)
        sum += table->biases[i];
    return sum / (high - low);
}

static double alpha_of(int bits, double count)
{
    return bits == 4 ? 0.673 : bits == 5 ? 0.697 : bits == 6 ? 0.709 : 0.7213 / (1 + 1.079 / count);
}

static double estimate_of(const Registers *r)
{
    double count = (double)((size_t)1 << r->bits), inverse = 0, zeros = 0;
    for (size_t i = 0; i < (size_t)1 << r->bits; i++) {
        inverse += 1.0 / (double)(UINT64_C(1) << r->ranks[i]);
        zeros += r->ranks[i] == 0;
    }
    bool corrected = r->bits <= BITS_CORRECTED;
    double raw = alpha_of(r->bits, count) * count * count / inverse;
    if (zeros > 0) {
        double linear = count * log(count / zeros);
        if ((corrected && linear <= hll_tables[r->bits - BITS_LEAST].linear_max) || raw <= 2.5 * count)
            return linear;
    }
    return corrected && raw < 5 * count ? raw - bias_of(r->bits, raw) : raw;
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Registers *r = state;
    ((int64_t *)out->data)[row] = r->ranks ? (int64_t)floor(estimate_of(r) + 0.5) : 0;
    return 0;
}

static void destroy(void *state)
{
    free(((Registers *)state)->ranks);
}

const DuckAggregate agg_distinct[] = {
    {.name = "silt_approx_distinct",
     .args = "any, int",
     .result = "bigint",
     .state_size = sizeof(Registers),
     .update = update,
     .combine = combine,
     .finish = finish,
     .destroy = destroy},
    {0},
};
