/* duck/fn_sketch.c - functions of sketches: HLL */
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

const DuckFunction fn_sketch[] = {
    {.name = "silt_hll_empty", .args = "int", .result = "binary", .eval = hll_empty},
    {.name = "silt_hll_estimate", .args = "binary", .result = "long", .flags = FN_FAILS, .eval = hll_estimate},
    {.name = "silt_hll_union", .args = "binary, binary, boolean", .result = "binary", .flags = FN_FAILS, .eval = hll_unite},
    {0},
};
