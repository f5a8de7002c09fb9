/* duck/agg_sketch_kll.c - kll_sketch_agg_<type>, kll_merge_agg_<type> */
#include "duck/functions.h"
#include "duck/sketch.h"

typedef struct Kll {
    SketchKll *sketch; /* NULL: no row yet */
    int64_t pos;
    SketchKllKind kind;
    int32_t k;
    bool fixed, damaged; /* k was asked for; two sketches do not go together */
} Kll;

static void start(Kll *kll, SketchKllKind kind, int32_t k)
{
    kll->kind = kind;
    kll->k = k;
    kll->sketch = sketch_kll_new(kind, k);
}

/* Value, k; the type of the value says the kind. */
static int sketch_update(AggCall *call, void *state, const Column *args, int row)
{
    Kll *kll = state;
    const Column *value = &args[0];
    TypeKind type = value->type->kind;

    if (!kll->sketch)
        start(kll, type == TYPE_LONG ? SKETCH_KLL_LONG : type == TYPE_FLOAT ? SKETCH_KLL_FLOAT : SKETCH_KLL_DOUBLE, ((const int32_t *)args[1].data)[row]);
    if (column_is_null(value, (uint64_t)row))
        return 0;
    SketchKllValue added = {0};
    if (type == TYPE_LONG)
        added.of_long = ((const int64_t *)value->data)[row];
    else if (type == TYPE_FLOAT)
        added.of_float = ((const float *)value->data)[row];
    else
        added.of_double = ((const double *)value->data)[row];
    sketch_kll_add(kll->sketch, added);
    return 0;
}

/* Without a k that was asked for the largest counts, whichever comes first. */
static void merge(Kll *kll, const SketchKll *from, int32_t k)
{
    if (k > kll->k && !kll->fixed) {
        SketchKll *small = kll->sketch;
        start(kll, kll->kind, k);
        kll->damaged |= sketch_kll_merge(kll->sketch, small) != 0;
        sketch_kll_free(small);
    }
    kll->damaged |= sketch_kll_merge(kll->sketch, from) != 0;
}

static int refuse(AggCall *call, const Kll *kll)
{
    return agg_fail(call, kll->pos, "KLL_INVALID_INPUT_SKETCH_BUFFER", "these bytes are no KLL sketch of such values");
}

/* Sketch, kind, k or 0. */
static int merge_update(AggCall *call, void *state, const Column *args, int row)
{
    Kll *kll = state;
    Str bytes = chunk_string((const ChunkString *)args[0].data + row);
    SketchKllKind kind = (SketchKllKind)((const int32_t *)args[1].data)[row];
    int32_t k = ((const int32_t *)args[2].data)[row];
    SketchKllSummary summary;
    SketchKll *read;

    kll->pos = agg_pos(call, row);
    if (sketch_kll_read(kind, bytes.ptr, bytes.size, &read) != 0)
        return refuse(call, kll);
    sketch_kll_summary(read, &summary);
    if (!kll->sketch) {
        kll->fixed = k > 0;
        start(kll, kind, kll->fixed ? k : summary.k);
    }
    merge(kll, read, summary.k);
    sketch_kll_free(read);
    return kll->damaged ? refuse(call, kll) : 0;
}

/* Copies, since a window combines one state into several. */
static void combine(void *into, void *from)
{
    Kll *a = into;
    const Kll *b = from;

    if (!b->sketch)
        return;
    if (!a->sketch) {
        a->fixed = b->fixed;
        a->pos = b->pos;
        start(a, b->kind, b->k);
    }
    a->damaged |= b->damaged;
    merge(a, b->sketch, b->k);
}

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Kll *kll = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!kll->sketch) {
        column_set_null(out, row);
        return 0;
    }
    if (kll->damaged)
        return refuse(call, kll);
    sketch_kll_write(kll->sketch, put, &bytes);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

static void destroy(void *state)
{
    sketch_kll_free(((Kll *)state)->sketch);
}

#define SKETCH(sql_name, takes, flag, how)                                                                                                 \
    {.name = sql_name, .args = takes, .result = "binary", .flags = flag, .state_size = sizeof(Kll), .update = how, .combine = combine, .finish = finish, .destroy = destroy}

const DuckAggregate agg_sketch_kll[] = {
    SKETCH("silt_kll_sketch", "any, int", FN_NULLS, sketch_update),
    SKETCH("silt_kll_merge", "binary, int, int", FN_FAILS, merge_update),
    {0},
};
