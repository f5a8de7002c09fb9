/* duck/fn_sketch.c - functions of sketches: HLL and theta */
#include "duck/functions.h"
#include "duck/sketch.h"

#include <math.h>

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

/* As Java's Math.round: half up, and the largest BIGINT where it does not fit. */
static int64_t rounded(double estimate)
{
    return estimate + 0.5 >= 0x1p63 ? INT64_MAX : (int64_t)floor(estimate + 0.5);
}

static void set_hll(FnCall *call, const SketchHll *sketch, Column *out, int row)
{
    str_buf_clear(call->scratch);
    sketch_hll_write(sketch, put, call->scratch);
    column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
}

/* The sketch at args[arg]; < 0 with the failure. */
static int read_hll(FnCall *call, const Column *args, int arg, int row, SketchHll **out)
{
    Str bytes = chunk_string((const ChunkString *)args[arg].data + row);

    if (sketch_hll_read(bytes.ptr, bytes.size, out) == 0)
        return 0;
    return fn_fail(call, row, "HLL_INVALID_INPUT_SKETCH_BUFFER", "these %zu bytes are no HLL sketch", bytes.size);
}

static int hll_empty(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchHll *sketch = sketch_hll_new(((const int32_t *)args[0].data)[row]);
        set_hll(call, sketch, out, row);
        sketch_hll_free(sketch);
    }
    return 0;
}

static int hll_estimate(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchHll *sketch;
        if (read_hll(call, args, 0, row, &sketch) < 0)
            return -1;
        ((int64_t *)out->data)[row] = rounded(sketch_hll_estimate(sketch));
        sketch_hll_free(sketch);
    }
    return 0;
}

/* Two sketches, whether their sizes may differ. */
static int hll_unite(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchHll *sketch, *other;
        int r = 0;
        if (read_hll(call, args, 0, row, &sketch) < 0)
            return -1;
        if (read_hll(call, args, 1, row, &other) < 0) {
            sketch_hll_free(sketch);
            return -1;
        }
        if (!((const bool *)args[2].data)[row] && sketch_hll_lg_k(sketch) != sketch_hll_lg_k(other)) {
            r = fn_fail(call, row, "HLL_UNION_DIFFERENT_LG_K", "sketches of 2^%d and 2^%d registers are united only where that is allowed: hll_union(a, b, true)",
                        sketch_hll_lg_k(sketch), sketch_hll_lg_k(other));
        } else {
            sketch_hll_unite(sketch, other);
            set_hll(call, sketch, out, row);
        }
        sketch_hll_free(sketch);
        sketch_hll_free(other);
        if (r < 0)
            return r;
    }
    return 0;
}

static int read_theta(FnCall *call, const Column *args, int arg, int row, SketchTheta **out)
{
    Str bytes = chunk_string((const ChunkString *)args[arg].data + row);

    int r = sketch_theta_read(bytes.ptr, bytes.size, out);
    return r == 0 ? 0 : fn_fail(call, row, sketch_theta_code(r), "these %zu bytes are no theta sketch", bytes.size);
}

static void set_theta(FnCall *call, const SketchTheta *sketch, Column *out, int row)
{
    str_buf_clear(call->scratch);
    sketch_theta_write(sketch, put, call->scratch);
    column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
}

static int theta_empty(FnCall *call, const Column *args, Column *out, int rows)
{
    SketchTheta *sketch = sketch_theta_new(SKETCH_THETA_LG_K_DEFAULT);

    FN_ROWS(row, out, rows)
        set_theta(call, sketch, out, row);
    sketch_theta_free(sketch);
    return 0;
}

static int theta_estimate(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchTheta *sketch;
        if (read_theta(call, args, 0, row, &sketch) < 0)
            return -1;
        ((int64_t *)out->data)[row] = rounded(sketch_theta_estimate(sketch));
        sketch_theta_free(sketch);
    }
    return 0;
}

typedef void ThetaOperation(SketchTheta **sketch, const SketchTheta *other, int lg_k);

static void theta_unite(SketchTheta **sketch, const SketchTheta *other, int lg_k)
{
    SketchTheta *all = sketch_theta_new(lg_k);

    sketch_theta_unite(all, *sketch);
    sketch_theta_unite(all, other);
    sketch_theta_free(*sketch);
    *sketch = all;
}

static void theta_intersect(SketchTheta **sketch, const SketchTheta *other, int lg_k)
{
    sketch_theta_intersect(*sketch, other);
}

static void theta_subtract(SketchTheta **sketch, const SketchTheta *other, int lg_k)
{
    sketch_theta_subtract(*sketch, other);
}

static int theta_operation(FnCall *call, const Column *args, Column *out, int row, int lg_k, ThetaOperation *how)
{
    SketchTheta *sketch, *other;

    if (read_theta(call, args, 0, row, &sketch) < 0)
        return -1;
    if (read_theta(call, args, 1, row, &other) < 0) {
        sketch_theta_free(sketch);
        return -1;
    }
    how(&sketch, other, lg_k);
    set_theta(call, sketch, out, row);
    sketch_theta_free(sketch);
    sketch_theta_free(other);
    return 0;
}

/* Two sketches, the logarithm of how many hashes are kept. */
static int theta_union(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int32_t lg_k = ((const int32_t *)args[2].data)[row];
        if (lg_k < SKETCH_THETA_LG_K_LEAST || lg_k > SKETCH_THETA_LG_K_MOST)
            return fn_fail(call, row, "SKETCH_INVALID_LG_NOM_ENTRIES", "the size of a theta sketch is a power of 2, from %d to %d, not %d", SKETCH_THETA_LG_K_LEAST,
                           SKETCH_THETA_LG_K_MOST, lg_k);
        SILT_TRY(theta_operation(call, args, out, row, lg_k, theta_unite));
    }
    return 0;
}

static int theta_intersection(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
        SILT_TRY(theta_operation(call, args, out, row, 0, theta_intersect));
    return 0;
}

static int theta_difference(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
        SILT_TRY(theta_operation(call, args, out, row, 0, theta_subtract));
    return 0;
}

/* What an aggregate of sketches gave; of none there is no intersection. */
static int theta_intersected(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        if (column_is_null(&args[0], (uint64_t)row))
            return fn_fail(call, row, "THETA_INVALID_INPUT_SKETCH_BUFFER", "there is no intersection of no sketches");
        Str bytes = column_text(&args[0], (uint64_t)row);
        column_set_string(out, (uint64_t)row, bytes.ptr, bytes.size);
    }
    return 0;
}

const DuckFunction fn_sketch[] = {
    {.name = "silt_hll_empty", .args = "int", .result = "binary", .eval = hll_empty},
    {.name = "silt_hll_estimate", .args = "binary", .result = "long", .flags = FN_FAILS, .eval = hll_estimate},
    {.name = "silt_hll_union", .args = "binary, binary, boolean", .result = "binary", .flags = FN_FAILS, .eval = hll_unite},
    {.name = "silt_theta_empty", .args = "", .result = "binary", .eval = theta_empty},
    {.name = "silt_theta_estimate", .args = "binary", .result = "long", .flags = FN_FAILS, .eval = theta_estimate},
    {.name = "silt_theta_union", .args = "binary, binary, int", .result = "binary", .flags = FN_FAILS, .eval = theta_union},
    {.name = "silt_theta_intersection", .args = "binary, binary", .result = "binary", .flags = FN_FAILS, .eval = theta_intersection},
    {.name = "silt_theta_difference", .args = "binary, binary", .result = "binary", .flags = FN_FAILS, .eval = theta_difference},
    {.name = "silt_theta_intersected", .args = "binary", .result = "binary", .flags = FN_FAILS | FN_NULLS, .eval = theta_intersected},
    {0},
};
