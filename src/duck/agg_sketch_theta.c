/* duck/agg_sketch_theta.c - theta_sketch_agg, theta_union_agg, theta_intersection_agg */
#include "duck/functions.h"
#include "duck/sketch.h"

#include <string.h>

typedef struct Theta {
    SketchTheta *sketch; /* NULL: no row yet */
    int32_t lg_k;
} Theta;

/* The items as one run of bytes, a NULL as 0. */
static void add_list(SketchTheta *sketch, const Column *value, int row)
{
    const ChunkList *list = (const ChunkList *)value->data + row;
    const Column *items = &value->children[0];
    size_t size = items->type->kind == TYPE_INT ? sizeof(int32_t) : sizeof(int64_t);
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    str_buf_add(&bytes, (const char *)items->data + list->offset * size, list->length * size);
    for (uint64_t i = 0; i < list->length; i++)
        if (column_is_null(items, list->offset + i))
            memset(bytes.ptr + i * size, 0, size);
    sketch_theta_add_bytes(sketch, bytes.ptr, bytes.size);
}

/* Value, lg_k. */
static int sketch_update(AggCall *call, void *state, const Column *args, int row)
{
    Theta *theta = state;
    const Column *value = &args[0];

    if (!theta->sketch) {
        theta->lg_k = ((const int32_t *)args[1].data)[row];
        theta->sketch = sketch_theta_new(theta->lg_k);
    }
    if (column_is_null(value, (uint64_t)row))
        return 0;
    if (value->type->kind == TYPE_LONG) {
        sketch_theta_add_long(theta->sketch, ((const int64_t *)value->data)[row]);
    } else if (value->type->kind == TYPE_DOUBLE) {
        sketch_theta_add_double(theta->sketch, ((const double *)value->data)[row]);
    } else if (value->type->kind == TYPE_ARRAY) {
        add_list(theta->sketch, value, row);
    } else {
        Str bytes = chunk_string((const ChunkString *)value->data + row);
        sketch_theta_add_bytes(theta->sketch, bytes.ptr, bytes.size);
    }
    return 0;
}

static int read_sketch(AggCall *call, const Column *args, int row, SketchTheta **out)
{
    Str bytes = chunk_string((const ChunkString *)args[0].data + row);

    int r = sketch_theta_read(bytes.ptr, bytes.size, out);
    return r == 0 ? 0 : agg_fail(call, agg_pos(call, row), sketch_theta_code(r), "these %zu bytes are no theta sketch", bytes.size);
}

/* Sketch, lg_k. */
static int union_update(AggCall *call, void *state, const Column *args, int row)
{
    Theta *theta = state;
    SketchTheta *read;

    if (read_sketch(call, args, row, &read) < 0)
        return -1;
    if (!theta->sketch) {
        theta->lg_k = ((const int32_t *)args[1].data)[row];
        theta->sketch = sketch_theta_new(theta->lg_k);
    }
    sketch_theta_unite(theta->sketch, read);
    sketch_theta_free(read);
    return 0;
}

static void unite(void *into, void *from)
{
    Theta *a = into;
    const Theta *b = from;

    if (!b->sketch)
        return;
    if (!a->sketch) {
        a->lg_k = b->lg_k;
        a->sketch = sketch_theta_new(a->lg_k);
    }
    sketch_theta_unite(a->sketch, b->sketch);
}

static int intersection_update(AggCall *call, void *state, const Column *args, int row)
{
    Theta *theta = state;
    SketchTheta *read;

    if (read_sketch(call, args, row, &read) < 0)
        return -1;
    if (!theta->sketch) {
        theta->sketch = read;
        return 0;
    }
    sketch_theta_intersect(theta->sketch, read);
    sketch_theta_free(read);
    return 0;
}

static void intersect(void *into, void *from)
{
    Theta *a = into;
    const Theta *b = from;

    if (!b->sketch)
        return;
    if (a->sketch)
        sketch_theta_intersect(a->sketch, b->sketch);
    else
        a->sketch = sketch_theta_copy(b->sketch); /* a window combines one state into several */
}

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Theta *theta = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!theta->sketch) {
        column_set_null(out, row);
        return 0;
    }
    sketch_theta_write(theta->sketch, put, &bytes);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

static void destroy(void *state)
{
    sketch_theta_free(((Theta *)state)->sketch);
}

#define SKETCH(sql_name, takes, flag, how, join)                                                                                           \
    {.name = sql_name, .args = takes, .result = "binary", .flags = flag, .state_size = sizeof(Theta), .update = how, .combine = join, .finish = finish, .destroy = destroy}

const DuckAggregate agg_sketch_theta[] = {
    SKETCH("silt_theta_sketch", "any, int", FN_NULLS, sketch_update, unite),
    SKETCH("silt_theta_unite", "binary, int", FN_FAILS, union_update, unite),
    SKETCH("silt_theta_intersect", "binary", FN_FAILS, intersection_update, intersect),
    {0},
};
