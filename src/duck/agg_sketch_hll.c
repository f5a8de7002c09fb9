/*
 * duck/agg_sketch_hll.c - hll_sketch_agg, hll_union_agg
 *
 * A group's sketch is written in the one form for all orders of its rows. A union of sketches with other sizes has the smallest.
 */
#include "duck/functions.h"
#include "duck/sketch.h"

typedef struct Hll {
    SketchHll *sketch; /* NULL: no row yet */
    int64_t pos;
    int32_t lg_k, other_lg_k; /* of a union: the first, and one that differs; 0: none */
    bool any_size;            /* of a union: they may differ */
} Hll;

/* Value, lg_k. */
static int sketch_update(AggCall *call, void *state, const Column *args, int row)
{
    Hll *hll = state;
    const Column *value = &args[0];

    if (!hll->sketch)
        hll->sketch = sketch_hll_new(((const int32_t *)args[1].data)[row]);
    if (column_is_null(value, (uint64_t)row))
        return 0;
    if (value->type->kind == TYPE_LONG) {
        sketch_hll_add_long(hll->sketch, ((const int64_t *)value->data)[row]);
        return 0;
    }
    Str bytes = chunk_string((const ChunkString *)value->data + row);
    sketch_hll_add_bytes(hll->sketch, bytes.ptr, bytes.size);
    return 0;
}

static int different(AggCall *call, const Hll *hll)
{
    return agg_fail(call, hll->pos, "HLL_UNION_DIFFERENT_LG_K", "sketches of 2^%d and 2^%d registers are united only where that is allowed: hll_union_agg(x, true)",
                    hll->lg_k, hll->other_lg_k);
}

static void note_size(Hll *hll, int lg_k)
{
    if (!hll->lg_k)
        hll->lg_k = lg_k;
    else if (lg_k != hll->lg_k && !hll->any_size && !hll->other_lg_k)
        hll->other_lg_k = lg_k;
}

/* Sketch, whether sizes may differ. */
static int union_update(AggCall *call, void *state, const Column *args, int row)
{
    Hll *hll = state;
    Str bytes = chunk_string((const ChunkString *)args[0].data + row);
    SketchHll *sketch;

    hll->pos = agg_pos(call, row);
    hll->any_size = ((const bool *)args[1].data)[row];
    if (sketch_hll_read(bytes.ptr, bytes.size, &sketch) != 0)
        return agg_fail(call, hll->pos, "HLL_INVALID_INPUT_SKETCH_BUFFER", "these %zu bytes are no HLL sketch", bytes.size);
    note_size(hll, sketch_hll_lg_k(sketch));
    if (!hll->sketch) {
        hll->sketch = sketch;
    } else {
        sketch_hll_unite(hll->sketch, sketch);
        sketch_hll_free(sketch);
    }
    return hll->other_lg_k ? different(call, hll) : 0;
}

static void combine(void *into, void *from)
{
    Hll *a = into;
    const Hll *b = from;

    if (!b->sketch)
        return;
    if (!a->sketch) {
        *a = *b;
        a->sketch = sketch_hll_new(sketch_hll_lg_k(b->sketch)); /* a window combines one state into several */
    } else {
        note_size(a, b->lg_k);
    }
    sketch_hll_unite(a->sketch, b->sketch);
}

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Hll *hll = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!hll->sketch) {
        column_set_null(out, row);
        return 0;
    }
    if (hll->other_lg_k)
        return different(call, hll);
    sketch_hll_write_unordered(hll->sketch, put, &bytes);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

static void destroy(void *state)
{
    sketch_hll_free(((Hll *)state)->sketch);
}

#define SKETCH(sql_name, takes, flag, how)                                                                                                 \
    {.name = sql_name, .args = takes, .result = "binary", .flags = flag, .state_size = sizeof(Hll), .update = how, .combine = combine, .finish = finish, .destroy = destroy}

const DuckAggregate agg_sketch_hll[] = {
    SKETCH("silt_hll_sketch", "any, int", FN_NULLS, sketch_update),
    SKETCH("silt_hll_unite", "binary, boolean", FN_FAILS, union_update),
    {0},
};
