/*
 * duck/agg_moments.c - variance, skewness, kurtosis, covariance, correlation, step by step as Spark computes them, so that the last bit agrees
 *
 * DuckDB's own fail where a value is infinite or NaN; these give NaN.
 */
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

/*
 * Spark's aggregate ends with merging the state into an empty one. That changes nothing but where a square overflows: then it is NaN.
 */
static Moments merged(void *state)
{
    Moments m = {0};

    combine(&m, state);
    return m;
}

static int skewness(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Moments whole = merged(state), *m = &whole;

    if (m->n == 0 || m->m2 == 0)
        column_set_null(out, row);
    else
        ((double *)out->data)[row] = sqrt(m->n) * m->m3 / sqrt(m->m2 * m->m2 * m->m2);
    return 0;
}

static int kurtosis(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Moments whole = merged(state), *m = &whole;

    if (m->n == 0 || m->m2 == 0)
        column_set_null(out, row);
    else
        ((double *)out->data)[row] = m->n * m->m4 / (m->m2 * m->m2) - 3;
    return 0;
}

static int put_or_null(Column *out, uint64_t row, bool known, double value)
{
    if (known)
        ((double *)out->data)[row] = isnan(value) ? (double)NAN : value; /* one NaN, whatever its sign */
    else
        column_set_null(out, row);
    return 0;
}

/* m2 over n - less; NULL for fewer than 1 + less values. */
static bool variance(const Moments *m, int less, double *out)
{
    *out = m->n > less ? m->m2 / (m->n - less) : 0;
    return m->n > less;
}

#define VARIANCE(name, less, expression)                                                                                                   \
    static int name(AggCall *call, void *state, Column *out, uint64_t row)                                                                 \
    {                                                                                                                                      \
        double v;                                                                                                                          \
        const Moments whole = merged(state);                                                                                               \
        bool known = variance(&whole, less, &v);                                                                                            \
                                                                                                                                           \
        return put_or_null(out, row, known, expression);                                                                                   \
    }

VARIANCE(var_samp, 1, v)
VARIANCE(var_pop, 0, v)
VARIANCE(stddev_samp, 1, sqrt(v))
VARIANCE(stddev_pop, 0, sqrt(v))

/* ---- two columns ---- */

typedef struct Pairs {
    double n, x_avg, y_avg, c, x_m, y_m;
} Pairs;

static int pairs_update(AggCall *call, void *state, const Column *args, int row)
{
    Pairs *p = state;
    double x = ((const double *)args[0].data)[row], y = ((const double *)args[1].data)[row], dx = x - p->x_avg, dy = y - p->y_avg;

    p->n += 1;
    p->x_avg += dx / p->n;
    p->y_avg += dy / p->n;
    p->c += dx * (y - p->y_avg);
    p->x_m += dx * (x - p->x_avg);
    p->y_m += dy * (y - p->y_avg);
    return 0;
}

static void pairs_combine(void *into, void *from)
{
    Pairs *a = into;
    const Pairs *b = from;
    double n = a->n + b->n, dx = b->x_avg - a->x_avg, dy = b->y_avg - a->y_avg;

    if (n == 0)
        return;
    a->c += b->c + dx * (dy / n) * a->n * b->n;
    a->x_m += b->x_m + dx * (dx / n) * a->n * b->n;
    a->y_m += b->y_m + dy * (dy / n) * a->n * b->n;
    a->x_avg += dx / n * b->n;
    a->y_avg += dy / n * b->n;
    a->n = n;
}

static Pairs pairs_merged(void *state)
{
    Pairs p = {0};

    pairs_combine(&p, state);
    return p;
}

static int covar_samp(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->n > 1, p->c / (p->n - 1));
}

static int covar_pop(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->n > 0, p->c / p->n);
}

/* With the position of the call, since it fails where all values of a column are the same. */
typedef struct CorrPairs {
    Pairs pairs;
    int64_t pos;
} CorrPairs;

static int corr_update(AggCall *call, void *state, const Column *args, int row)
{
    CorrPairs *c = state;
    c->pos = agg_pos(call, row);
    return pairs_update(call, &c->pairs, args, row);
}

static void corr_combine(void *into, void *from)
{
    CorrPairs *a = into;
    const CorrPairs *b = from;
    if (a->pairs.n == 0)
        a->pos = b->pos;
    pairs_combine(into, from);
}

static int corr(AggCall *call, void *state, Column *out, uint64_t row)
{
    const CorrPairs *c = state;
    const Pairs whole = pairs_merged(state), *p = &whole;
    double by = sqrt(p->x_m * p->y_m);
    if (p->n > 1 && by == 0)
        return agg_fail(call, c->pos, "DIVIDE_BY_ZERO", "division by zero: all values of one column are the same, which has no correlation");
    return put_or_null(out, row, p->n > 1, p->c / by);
}

/*
 * Regressions of the first column, y, on the second: x_m is the sum of squares of the first here, y_m that of the second. One row is enough where its
 * value is infinite or its square: the sum is NaN then, not 0.
 */

static int regr_slope(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->y_m != 0, p->c / p->y_m);
}

static int regr_intercept(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->y_m != 0, p->x_avg - p->c / p->y_m * p->y_avg);
}

static int regr_r2(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->y_m != 0, p->x_m == 0 ? 1 : p->c * p->c / (p->x_m * p->y_m));
}

static int regr_sxx(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->n > 0, p->y_m);
}

static int regr_sxy(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->n > 0, p->c);
}

static int regr_syy(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Pairs whole = pairs_merged(state), *p = &whole;
    return put_or_null(out, row, p->n > 0, p->x_m);
}

#define OF_ONE(sql_name, fn)                                                                                                               \
    {.name = sql_name, .args = "double", .result = "double", .state_size = sizeof(Moments), .update = update, .combine = combine, .finish = fn}
#define OF_TWO(sql_name, fn)                                                                                                               \
    {.name = sql_name, .args = "double, double", .result = "double", .state_size = sizeof(Pairs), .update = pairs_update, .combine = pairs_combine, .finish = fn}

const DuckAggregate agg_moments[] = {
    OF_ONE("silt_var_samp", var_samp),
    OF_ONE("silt_var_pop", var_pop),
    OF_ONE("silt_stddev_samp", stddev_samp),
    OF_ONE("silt_stddev_pop", stddev_pop),
    OF_TWO("silt_covar_samp", covar_samp),
    OF_TWO("silt_covar_pop", covar_pop),
    {.name = "silt_corr", .args = "double, double", .result = "double", .flags = FN_FAILS, .state_size = sizeof(CorrPairs), .update = corr_update, .combine = corr_combine, .finish = corr},
    OF_TWO("silt_regr_slope", regr_slope),
    OF_TWO("silt_regr_intercept", regr_intercept),
    OF_TWO("silt_regr_r2", regr_r2),
    OF_TWO("silt_regr_sxx", regr_sxx),
    OF_TWO("silt_regr_sxy", regr_sxy),
    OF_TWO("silt_regr_syy", regr_syy),
    {.name = "silt_skewness", .args = "double", .result = "double", .state_size = sizeof(Moments), .update = update, .combine = combine, .finish = skewness},
    {.name = "silt_kurtosis", .args = "double", .result = "double", .state_size = sizeof(Moments), .update = update, .combine = combine, .finish = kurtosis},
    {0},
};
