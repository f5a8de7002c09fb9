/*
 * duck/fn_percentile.c - which of n sorted values Spark's percentile_approx takes
 *
 * Spark keeps a summary after Greenwald and Khanna ("Space-Efficient Online Computation of Quantile Summaries", 2001): samples, each with g, by how many
 * ranks it lies above the sample before at least, and delta, by how many more at most. Values enter it in sorted loads of 50,000, and samples are merged where the
 * error allows it. Of values that come in ascending order the summary depends on their number alone. So positions stand for the values here, and
 * list_select(list_sort(list(x)), silt_percentile_positions(count(x), percentages, accuracy)) takes them: one answer, in whatever order the rows come.
 *
 *   Q1  The answer is Spark's (in one partition) up to 50,000 values, since a load is sorted, and beyond for values in ascending order.
 *   Q2  The rank of the answer is off by at most n / accuracy.
 */
#include "duck/fn_text.h"

#include <math.h>
#include <stdlib.h>

enum { LOAD = 50000, MERGE_FROM = 10000 };

typedef struct Sample {
    int64_t position; /* from 1 */
    int64_t g, delta;
} Sample;

typedef struct Summary {
    Sample *samples; /* owned */
    int64_t count, capacity;
    int64_t values, accuracy; /* what it was made for */
} Summary;

static void add_load(Summary *s, int64_t first, int64_t until)
{
    double error = 1.0 / (double)s->accuracy;

    if (s->count + until - first > s->capacity) {
        s->capacity = s->count + until - first;
        s->samples = realloc(s->samples, (size_t)s->capacity * sizeof *s->samples);
        silt_assert(s->samples);
    }
    for (int64_t at = first; at < until; at++) {
        bool sure = !s->count || at == until - 1; /* the least and the greatest so far */

        s->samples[s->count++] = (Sample){at + 1, 1, sure ? 0 : (int64_t)floor(2 * error * (double)(at + 1))};
    }
}

/* From the greatest down, a sample goes into the one above it while both together stay within the error; the least and the greatest remain. */
static void merge_samples(Summary *s, int64_t values)
{
    double most = 2 * (1.0 / (double)s->accuracy) * (double)values;
    int64_t to = s->count - 1;
    Sample above = s->samples[to];

    for (int64_t i = s->count - 2; i >= 1; i--) {
        Sample sample = s->samples[i];

        if ((double)(sample.g + above.g + above.delta) < most) {
            above.g += sample.g;
        } else {
            s->samples[to--] = above;
            above = sample;
        }
    }
    s->samples[to] = above;
    if (s->count > 1)
        s->samples[--to] = s->samples[0];
    s->count -= to;
    memmove(s->samples, s->samples + to, (size_t)s->count * sizeof *s->samples);
}

static void summarize(Summary *s, int64_t values, int64_t accuracy)
{
    bool merged = false;

    if (s->values == values && s->accuracy == accuracy)
        return;
    s->count = 0;
    s->values = values;
    s->accuracy = accuracy;
    for (int64_t at = 0; at < values; at += LOAD) {
        int64_t until = at + LOAD < values ? at + LOAD : values;

        add_load(s, at, until);
        merged = until - at == LOAD && s->count >= MERGE_FROM;
        if (merged)
            merge_samples(s, until);
    }
    if (!merged)
        merge_samples(s, values);
}

static int64_t position_of(const Summary *s, double percentage)
{
    double error = 1.0 / (double)s->accuracy;
    int64_t rank = (int64_t)ceil(percentage * (double)s->values), least = 0, widest = 0;

    if (percentage <= error)
        return s->samples[0].position;
    if (percentage >= 1 - error)
        return s->samples[s->count - 1].position;
    for (int64_t i = 0; i < s->count; i++)
        widest = s->samples[i].g + s->samples[i].delta > widest ? s->samples[i].g + s->samples[i].delta : widest;
    for (int64_t i = 0; i < s->count - 1; i++) {
        least += s->samples[i].g;
        if (least + s->samples[i].delta - widest / 2 <= rank && rank <= least + widest / 2)
            return s->samples[i].position;
    }
    return s->samples[s->count - 1].position;
}

static int percentile_positions(FnCall *call, const Column *args, Column *out, int rows)
{
    Summary s = {0};
    uint64_t used = 0;

    FN_ROWS(row, out, rows)
    {
        ChunkList percentages = ((const ChunkList *)args[1].data)[row];

        if (long_at(&args[0], row) == 0) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        summarize(&s, long_at(&args[0], row), long_at(&args[2], row));
        column_list_reserve(out, used + percentages.length);
        ((ChunkList *)out->data)[row] = (ChunkList){used, percentages.length};
        for (uint64_t i = 0; i < percentages.length; i++)
            ((int64_t *)out->children[0].data)[used++] = position_of(&s, ((const double *)args[1].children[0].data)[percentages.offset + i]);
    }
    free(s.samples);
    return 0;
}

const DuckFunction fn_percentile[] = {
    {.name = "silt_percentile_positions", .args = "bigint, array<double>, bigint", .result = "array<bigint>", .eval = percentile_positions},
    {0},
};
