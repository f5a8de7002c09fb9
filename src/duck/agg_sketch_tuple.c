/* duck/agg_sketch_tuple.c - tuple_sketch_agg_<kind>, tuple_union_agg_<kind>, tuple_intersection_agg_<kind> */
#include "duck/functions.h"
#include "duck/sketch.h"

#include <string.h>

typedef struct Tuple {
    SketchTuple *sketch; /* NULL: no row yet */
    int32_t kind, mode, lg_k;
} Tuple;

static int32_t number_at(const Column *args, int arg, int row)
{
    return ((const int32_t *)args[arg].data)[row];
}

static void begin(Tuple *tuple, int32_t kind, int32_t mode, int32_t lg_k)
{
    tuple->kind = kind;
    tuple->mode = mode;
    tuple->lg_k = lg_k;
    tuple->sketch = sketch_tuple_new((SketchTupleKind)kind, (SketchTupleMode)mode, lg_k);
}

/* The items of an array as one run of bytes, a NULL as 0. */
static void add_list(SketchTuple *sketch, const Column *key, int row, SketchTupleValue value)
{
    const ChunkList *list = (const ChunkList *)key->data + row;
    const Column *items = &key->children[0];
    size_t size = items->type->kind == TYPE_INT ? sizeof(int32_t) : sizeof(int64_t);
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    str_buf_add(&bytes, (const char *)items->data + list->offset * size, list->length * size);
    for (uint64_t i = 0; i < list->length; i++)
        if (column_is_null(items, list->offset + i))
            memset(bytes.ptr + i * size, 0, size);
    sketch_tuple_add_bytes(sketch, bytes.ptr, bytes.size, value);
}

/* Key, number, mode, lg_k; the type of the number says the kind. */
static int sketch_update(AggCall *call, void *state, const Column *args, int row)
{
    Tuple *tuple = state;
    const Column *key = &args[0], *number = &args[1];
    SketchTupleValue value;

    if (!tuple->sketch)
        begin(tuple, number->type->kind == TYPE_INT ? SKETCH_TUPLE_INTEGER : SKETCH_TUPLE_DOUBLE, number_at(args, 2, row), number_at(args, 3, row));
    if (column_is_null(key, (uint64_t)row) || column_is_null(number, (uint64_t)row))
        return 0;
    if (tuple->kind == SKETCH_TUPLE_INTEGER)
        value.of_integer = ((const int32_t *)number->data)[row];
    else
        value.of_double = ((const double *)number->data)[row];
    if (key->type->kind == TYPE_LONG) {
        sketch_tuple_add_long(tuple->sketch, ((const int64_t *)key->data)[row], value);
    } else if (key->type->kind == TYPE_DOUBLE) {
        sketch_tuple_add_double(tuple->sketch, ((const double *)key->data)[row], value);
    } else if (key->type->kind == TYPE_ARRAY) {
        add_list(tuple->sketch, key, row, value);
    } else {
        Str bytes = chunk_string((const ChunkString *)key->data + row);
        sketch_tuple_add_bytes(tuple->sketch, bytes.ptr, bytes.size, value);
    }
    return 0;
}

static int read_sketch(AggCall *call, const Column *args, int row, SketchTuple **out)
{
    Str bytes = chunk_string((const ChunkString *)args[0].data + row);

    int r = sketch_tuple_read((SketchTupleKind)number_at(args, 1, row), (SketchTupleMode)number_at(args, 2, row), bytes.ptr, bytes.size, out);
    return r == 0 ? 0 : agg_fail(call, agg_pos(call, row), sketch_tuple_code(r), "these %zu bytes are no tuple sketch with such numbers", bytes.size);
}

/* Sketch, kind, mode, lg_k. */
static int union_update(AggCall *call, void *state, const Column *args, int row)
{
    Tuple *tuple = state;
    SketchTuple *read;

    if (read_sketch(call, args, row, &read) < 0)
        return -1;
    if (!tuple->sketch)
        begin(tuple, number_at(args, 1, row), number_at(args, 2, row), number_at(args, 3, row));
    sketch_tuple_unite(tuple->sketch, read);
    sketch_tuple_free(read);
    return 0;
}

static void unite(void *into, void *from)
{
    Tuple *a = into;
    const Tuple *b = from;

    if (!b->sketch)
        return;
    if (!a->sketch)
        begin(a, b->kind, b->mode, b->lg_k);
    sketch_tuple_unite(a->sketch, b->sketch);
}

/* Sketch, kind, mode. */
static int intersection_update(AggCall *call, void *state, const Column *args, int row)
{
    Tuple *tuple = state;
    SketchTuple *read;

    if (read_sketch(call, args, row, &read) < 0)
        return -1;
    if (!tuple->sketch) {
        tuple->sketch = read;
        return 0;
    }
    sketch_tuple_intersect(tuple->sketch, read);
    sketch_tuple_free(read);
    return 0;
}

static void intersect(void *into, void *from)
{
    Tuple *a = into;
    const Tuple *b = from;

    if (!b->sketch)
        return;
    if (a->sketch)
        sketch_tuple_intersect(a->sketch, b->sketch);
    else
        a->sketch = sketch_tuple_copy(b->sketch); /* a window combines one state into several */
}

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Tuple *tuple = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!tuple->sketch) {
        column_set_null(out, row);
        return 0;
    }
    sketch_tuple_write(tuple->sketch, put, &bytes);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

static void destroy(void *state)
{
    sketch_tuple_free(((Tuple *)state)->sketch);
}

#define SKETCH(sql_name, takes, flag, how, join)                                                                                           \
    {.name = sql_name, .args = takes, .result = "binary", .flags = flag, .state_size = sizeof(Tuple), .update = how, .combine = join, .finish = finish, .destroy = destroy}

const DuckAggregate agg_sketch_tuple[] = {
    SKETCH("silt_tuple_sketch", "any, any, int, int", FN_NULLS, sketch_update, unite),
    SKETCH("silt_tuple_unite", "binary, int, int, int", FN_FAILS, union_update, unite),
    SKETCH("silt_tuple_intersect", "binary, int, int", FN_FAILS, intersection_update, intersect),
    {0},
};
