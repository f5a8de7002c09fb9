/* duck/agg_moments.c - skewness and kurtosis of a population, step by step as Spark computes them, so that the last bit agrees */
#include "duck/functions.h"

#include <math.h>

typedef struct Moments {
    double n, avg, m2, m3, m4;
} Moments;

static int update(AggCall *call, void *state, const Column *args, int row)
{
    Moments *m = state;
    double x = ((const double *)args[0].data)[row], n = m->n + 1, delta = x - m->avg, step = delta / n;
    double delta2 = delta * delta, step2 = step * step;

    m->n = n;
    m->avg += step;
    m->m2 += delta * (delta - step);
    m->m3 += -3 * step * m->m2 + delta * (delta2 - step2);
    m->m4 += -4 * step * m->m3 - 6 * step2 * m->m2 + delta * (delta * delta2 - step * step2);
    return 0;
}

static void combine(void *into, void *from)
{
    Moments *a = into;
    const Moments *b = from;
    double n = a->n + b->n, delta = b->avg - a->avg, step = n == 0 ? 0 : delta / n, n1 = a->n, n2 = b->n;

    if (n == 0)
        return;
    double m2 = a->m2 + b->m2 + delta * step * n1 * n2;
    double m3 = a->m3 + b->m3 + step * step * delta * n1 * n2 * (n1 - n2) + 3 * step * (n1 * b->m2 - n2 * a->m2);
    double m4 = a->m4 + b->m4 + step * step * step * delta * n1 * n2 * (n1 * n1 - n1 * n2 + n2 * n2) +
                6 * step * step * (n1 * n1 * b->m2 + n2 * n2 * a->m2) + 4 * step * (n1 * b->m3 - n2 * a->m3);

    *a = (Moments){n, a->avg + step * n2, m2, m3, m4};
}

static int skewness(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Moments *m = state;

    if (m->n == 0 || m->m2 == 0)
        column_set_null(out, row);
    else
        ((double *)out->data)[row] = sqrt(m->n) * m->m3 / sqrt(m->m2 * m->m2 * m->m2);
    return 0;
}

static int kurtosis(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Moments *m = state;

    if (m->n == 0 || m->m2 == 0)
        column_set_null(out, row);
    else
        ((double *)out->data)[row] = m->n * m->m4 / (m->m2 * m->m2) - 3;
    return 0;
}

const DuckAggregate agg_moments[] = {
    {.name = "silt_skewness", .args = "double", .result = "double", .state_size = sizeof(Moments), .update = update, .combine = combine, .finish = skewness},
    {.name = "silt_kurtosis", .args = "double", .result = "double", .state_size = sizeof(Moments), .update = update, .combine = combine, .finish = kurtosis},
    {0},
};
