/*
 * duck/fn_sketch_kll.c - functions of KLL sketches; the second argument is the kind of their values (SketchKllKind)
 *
 * A sketch beyond k values depends on the order in which they come. So the aggregates are functions of lists here, which are put in order first: the same
 * rows give the same sketch.
 */
#include "duck/functions.h"
#include "duck/print.h"
#include "duck/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static SketchKllKind kind_of(const Column *args, int row)
{
    return (SketchKllKind)((const int32_t *)args[1].data)[row];
}

static int refuse(FnCall *call, int row)
{
    return fn_fail(call, row, "KLL_INVALID_INPUT_SKETCH_BUFFER", "these bytes are no KLL sketch of such values");
}

static int read_kll(FnCall *call, const Column *args, int arg, int row, SketchKll **out)
{
    Str bytes = chunk_string((const ChunkString *)args[arg].data + row);

    return sketch_kll_read(kind_of(args, row), bytes.ptr, bytes.size, out) == 0 ? 0 : refuse(call, row);
}

/* The same, with values in it. */
static int read_filled(FnCall *call, const Column *args, int row, SketchKll **out)
{
    SketchKllSummary summary;

    SILT_TRY(read_kll(call, args, 0, row, out));
    sketch_kll_summary(*out, &summary);
    if (summary.values > 0)
        return 0;
    sketch_kll_free(*out);
    return fn_fail(call, row, "KLL_INVALID_INPUT_SKETCH_BUFFER", "a KLL sketch without values has no ranks");
}

static void set_kll(FnCall *call, const SketchKll *sketch, Column *out, int row)
{
    str_buf_clear(call->scratch);
    sketch_kll_write(sketch, put, call->scratch);
    column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
}

/* k */
static int kll_empty(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchKll *sketch = sketch_kll_new(SKETCH_KLL_LONG, ((const int32_t *)args[0].data)[row]); /* no kind shows */
        set_kll(call, sketch, out, row);
        sketch_kll_free(sketch);
    }
    return 0;
}

static int kll_count(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchKll *sketch;
        SketchKllSummary summary;
        SILT_TRY(read_kll(call, args, 0, row, &sketch));
        sketch_kll_summary(sketch, &summary);
        sketch_kll_free(sketch);
        ((int64_t *)out->data)[row] = summary.values;
    }
    return 0;
}

/* Sketch, kind, sketch. */
static int kll_union(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchKll *sketch, *other;
        SILT_TRY(read_kll(call, args, 0, row, &sketch));
        if (read_kll(call, args, 2, row, &other) < 0) {
            sketch_kll_free(sketch);
            return -1;
        }
        int r = sketch_kll_merge(sketch, other);
        if (r == 0)
            set_kll(call, sketch, out, row);
        sketch_kll_free(sketch);
        sketch_kll_free(other);
        if (r != 0)
            return refuse(call, row);
    }
    return 0;
}

static void print_value(StrBuf *out, SketchKllKind kind, SketchKllValue value)
{
    if (kind == SKETCH_KLL_LONG)
        str_buf_printf(out, "%lld", (long long)value.of_long);
    else if (kind == SKETCH_KLL_FLOAT)
        print_float(out, value.of_float);
    else
        print_double(out, value.of_double);
}

/* The text of the Java edition, to the blank. */
static void print_summary(StrBuf *out, SketchKllKind kind, const SketchKllSummary *s)
{
    static const char *const names[] = {"Longs", "Floats", "Doubles"};

    str_buf_printf(out, "\n### KllKll%sSketch Summary:\n", names[kind]);
    str_buf_printf(out, "   K                      : %d\n", s->k);
    str_buf_printf(out, "   Dynamic min K          : %d\n", s->least_k);
    str_buf_printf(out, "   M                      : %d\n", s->m);
    str_buf_printf(out, "   N                      : %lld\n", (long long)s->values);
    str_buf_printf(out, "   Epsilon                : %.3f%%\n", 100 * 2.296 / pow(s->least_k, 0.9723));
    str_buf_printf(out, "   Epsilon PMF            : %.3f%%\n", 100 * 2.446 / pow(s->least_k, 0.9433));
    str_buf_printf(out, "   Empty                  : %s\n", s->values == 0 ? "true" : "false");
    str_buf_printf(out, "   Estimation Mode        : %s\n", s->levels > 1 ? "true" : "false");
    str_buf_printf(out, "   Levels                 : %d\n", s->levels);
    str_buf_puts(out, "   Level 0 Sorted         : false\n");
    str_buf_printf(out, "   Capacity Items         : %d\n", s->capacity);
    str_buf_printf(out, "   Retained Items         : %d\n", s->retained);
    str_buf_printf(out, "   Free Space             : %d\n", s->capacity - s->retained);
    str_buf_puts(out, "   ReadOnly               : false\n");
    str_buf_printf(out, "   Updatable Storage Bytes: %zu\n", s->bytes_unpacked);
    str_buf_printf(out, "   Compact Storage Bytes  : %zu\n", s->bytes);
    for (int i = 0; i < 2; i++) {
        str_buf_printf(out, "   %s Item               : ", i == 0 ? "Min" : "Max");
        if (s->values == 0)
            str_buf_puts(out, "NaN");
        else
            print_value(out, kind, i == 0 ? s->least : s->greatest);
        str_buf_puts(out, "\n");
    }
    str_buf_puts(out, "### End sketch summary\n");
}

static int kll_text(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchKll *sketch;
        SketchKllSummary summary;
        SILT_TRY(read_kll(call, args, 0, row, &sketch));
        sketch_kll_summary(sketch, &summary);
        sketch_kll_free(sketch);
        str_buf_clear(call->scratch);
        print_summary(call->scratch, kind_of(args, row), &summary);
        column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
    }
    return 0;
}

static void set_value(Column *out, uint64_t row, SketchKllKind kind, SketchKllValue value)
{
    if (kind == SKETCH_KLL_LONG)
        ((int64_t *)out->data)[row] = value.of_long;
    else if (kind == SKETCH_KLL_FLOAT)
        ((float *)out->data)[row] = value.of_float;
    else
        ((double *)out->data)[row] = value.of_double;
}

/* A NULL in an array is 0, as in Spark. */
static SketchKllValue value_at(const Column *column, uint64_t row)
{
    SketchKllValue value = {0};

    if (column_is_null(column, row))
        return value;
    if (column->type->kind == TYPE_LONG)
        value.of_long = ((const int64_t *)column->data)[row];
    else if (column->type->kind == TYPE_FLOAT)
        value.of_float = ((const float *)column->data)[row];
    else
        value.of_double = ((const double *)column->data)[row];
    return value;
}

static int by_long(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

/* -0.0 before 0.0, NaN anywhere: it is not counted. */
static int by_double(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return a == b ? signbit(b) - signbit(a) : (a > b) - (a < b);
}

static int by_bytes(const void *x, const void *y)
{
    const Str *a = x, *b = y;
    int order = memcmp(a->ptr, b->ptr, a->size < b->size ? a->size : b->size);

    return order ? order : (a->size > b->size) - (a->size < b->size);
}

static SketchKll *of_longs(const int64_t *values, uint64_t count, int k)
{
    SketchKll *sketch = sketch_kll_new(SKETCH_KLL_LONG, k);
    int64_t *sorted = silt_alloc(count * sizeof *sorted + 1);

    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_long);
    for (uint64_t i = 0; i < count; i++)
        sketch_kll_add(sketch, (SketchKllValue){.of_long = sorted[i]});
    free(sorted);
    return sketch;
}

static SketchKll *of_doubles(const Column *values, uint64_t first, uint64_t count, int k)
{
    bool single = values->type->kind == TYPE_FLOAT;
    SketchKll *sketch = sketch_kll_new(single ? SKETCH_KLL_FLOAT : SKETCH_KLL_DOUBLE, k);
    double *sorted = silt_alloc(count * sizeof *sorted + 1);
    uint64_t numbers = 0;

    for (uint64_t i = first; i < first + count; i++) {
        double value = single ? (double)((const float *)values->data)[i] : ((const double *)values->data)[i];
        if (!isnan(value))
            sorted[numbers++] = value;
    }
    qsort(sorted, numbers, sizeof *sorted, by_double);
    for (uint64_t i = 0; i < numbers; i++)
        sketch_kll_add(sketch, single ? (SketchKllValue){.of_float = (float)sorted[i]} : (SketchKllValue){.of_double = sorted[i]});
    free(sorted);
    return sketch;
}

/* A list without NULLs, k; the type of the items says the kind. */
static int kll_of_values(FnCall *call, const Column *args, Column *out, int rows)
{
    const Column *values = &args[0].children[0];

    FN_ROWS(row, out, rows)
    {
        ChunkList list = ((const ChunkList *)args[0].data)[row];
        int32_t k = ((const int32_t *)args[1].data)[row];
        SketchKll *sketch = values->type->kind == TYPE_LONG ? of_longs((const int64_t *)values->data + list.offset, list.length, k)
                                                            : of_doubles(values, list.offset, list.length, k);
        set_kll(call, sketch, out, row);
        sketch_kll_free(sketch);
    }
    return 0;
}

/* Sketches in order, merged into one of k, or of the largest k among them. < 0 with the failure. */
static int merge_all(FnCall *call, const Str *sketches, uint64_t count, SketchKllKind kind, int k, int row, Column *out)
{
    SketchKll **read = silt_alloc(count * sizeof *read + 1), *all;
    SketchKllSummary summary;
    uint64_t good = 0;
    int most = 0, r = 0;

    for (; r == 0 && good < count; good += r == 0) {
        r = sketch_kll_read(kind, sketches[good].ptr, sketches[good].size, &read[good]);
        if (r == 0) {
            sketch_kll_summary(read[good], &summary);
            most = summary.k > most ? summary.k : most;
        }
    }
    all = sketch_kll_new(kind, k > 0 ? k : most > 0 ? most : SKETCH_KLL_K_DEFAULT);
    for (uint64_t i = 0; i < good; i++) {
        r = r == 0 ? sketch_kll_merge(all, read[i]) : r;
        sketch_kll_free(read[i]);
    }
    if (r == 0)
        set_kll(call, all, out, row);
    sketch_kll_free(all);
    free(read);
    return r == 0 ? 0 : refuse(call, row);
}

/* A list of sketches without NULLs, kind, k or 0. */
static int kll_of_sketches(FnCall *call, const Column *args, Column *out, int rows)
{
    const ChunkString *bytes = args[0].children[0].data;

    FN_ROWS(row, out, rows)
    {
        ChunkList list = ((const ChunkList *)args[0].data)[row];
        Str *sorted = silt_alloc(list.length * sizeof *sorted + 1);
        for (uint64_t i = 0; i < list.length; i++)
            sorted[i] = chunk_string(&bytes[list.offset + i]);
        qsort(sorted, list.length, sizeof *sorted, by_bytes);
        int r = merge_all(call, sorted, list.length, kind_of(args, row), ((const int32_t *)args[2].data)[row], row, out);
        free(sorted);
        SILT_TRY(r);
    }
    return 0;
}

typedef int KllAnswer(FnCall *call, const SketchKll *sketch, SketchKllKind kind, int row, const Column *asked, uint64_t at, Column *out, uint64_t to);

static int answer_quantile(FnCall *call, const SketchKll *sketch, SketchKllKind kind, int row, const Column *asked, uint64_t at, Column *out, uint64_t to)
{
    double share = value_at(asked, at).of_double;

    if (share < 0 || share > 1)
        return fn_fail(call, row, "KLL_SKETCH_INVALID_QUANTILE_RANGE", "a share of all values is from 0 to 1");
    set_value(out, to, kind, sketch_kll_quantile(sketch, isnan(share) ? 0 : share));
    return 0;
}

static int answer_rank(FnCall *call, const SketchKll *sketch, SketchKllKind kind, int row, const Column *asked, uint64_t at, Column *out, uint64_t to)
{
    SketchKllValue value = value_at(asked, at);

    if ((kind == SKETCH_KLL_FLOAT && isnan(value.of_float)) || (kind == SKETCH_KLL_DOUBLE && isnan(value.of_double)))
        return fn_fail(call, row, "KLL_INVALID_INPUT_SKETCH_BUFFER", "NaN has no rank");
    ((double *)out->data)[to] = sketch_kll_rank(sketch, value);
    return 0;
}

/* Sketch, kind, what is asked: one, or an array. */
static int answer(FnCall *call, const Column *args, Column *out, int rows, KllAnswer *how)
{
    const Column *asked = &args[2];
    uint64_t used = 0;

    FN_ROWS(row, out, rows)
    {
        SketchKll *sketch;
        int r = 0;
        SILT_TRY(read_filled(call, args, row, &sketch));
        if (asked->type->kind != TYPE_ARRAY) {
            r = how(call, sketch, kind_of(args, row), row, asked, (uint64_t)row, out, (uint64_t)row);
        } else {
            ChunkList list = ((const ChunkList *)asked->data)[row];
            column_list_reserve(out, used + list.length);
            ((ChunkList *)out->data)[row] = (ChunkList){used, list.length};
            for (uint64_t i = 0; r == 0 && i < list.length; i++)
                r = how(call, sketch, kind_of(args, row), row, &asked->children[0], list.offset + i, &out->children[0], used++);
        }
        sketch_kll_free(sketch);
        SILT_TRY(r);
    }
    return 0;
}

static int kll_quantile(FnCall *call, const Column *args, Column *out, int rows)
{
    return answer(call, args, out, rows, answer_quantile);
}

static int kll_rank(FnCall *call, const Column *args, Column *out, int rows)
{
    return answer(call, args, out, rows, answer_rank);
}

#define KLL(sql_name, takes, gives, how)                                                                                                   \
    {.name = sql_name, .args = takes, .result = gives, .flags = FN_FAILS, .eval = how}

const DuckFunction fn_sketch_kll[] = {
    {.name = "silt_kll_empty", .args = "int", .result = "binary", .eval = kll_empty},
    {.name = "silt_kll_of_values", .args = "any, int", .result = "binary", .eval = kll_of_values},
    KLL("silt_kll_of_sketches", "array<binary>, int, int", "binary", kll_of_sketches),
    KLL("silt_kll_count", "binary, int", "long", kll_count),
    KLL("silt_kll_union", "binary, int, binary", "binary", kll_union),
    KLL("silt_kll_text", "binary, int", "string", kll_text),
    KLL("silt_kll_quantile", "binary, int, any", NULL, kll_quantile),
    KLL("silt_kll_rank", "binary, int, any", NULL, kll_rank),
    {0},
};
