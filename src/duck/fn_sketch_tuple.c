/*
 * duck/fn_sketch_tuple.c - functions of tuple sketches; `kind` is that of their numbers (SketchTupleKind), `mode` how two become one (SketchTupleMode)
 *
 * The second of two sketches may be a theta sketch: `theta` says so.
 */
#include "duck/functions.h"
#include "duck/sketch.h"

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static void set_tuple(FnCall *call, const SketchTuple *sketch, Column *out, int row)
{
    str_buf_clear(call->scratch);
    sketch_tuple_write(sketch, put, call->scratch);
    column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
}

static int32_t number_at(const Column *args, int arg, int row)
{
    return ((const int32_t *)args[arg].data)[row];
}

static int read_tuple(FnCall *call, const Column *args, int arg, int row, SketchTupleKind kind, SketchTupleMode mode, SketchTuple **out)
{
    Str bytes = chunk_string((const ChunkString *)args[arg].data + row);

    int r = sketch_tuple_read(kind, mode, bytes.ptr, bytes.size, out);
    return r == 0 ? 0 : fn_fail(call, row, sketch_tuple_code(r), "these %zu bytes are no tuple sketch with such numbers", bytes.size);
}

static int read_theta(FnCall *call, const Column *args, int arg, int row, SketchTupleKind kind, SketchTupleMode mode, SketchTuple **out)
{
    Str bytes = chunk_string((const ChunkString *)args[arg].data + row);
    SketchTheta *theta;

    int r = sketch_theta_read(bytes.ptr, bytes.size, &theta);
    if (r != 0)
        return fn_fail(call, row, sketch_theta_code(r), "these %zu bytes are no theta sketch", bytes.size);
    *out = sketch_tuple_of_theta(kind, mode, theta);
    sketch_theta_free(theta);
    return 0;
}

static int tuple_empty(FnCall *call, const Column *args, Column *out, int rows)
{
    SketchTuple *sketch = sketch_tuple_new(SKETCH_TUPLE_INTEGER, SKETCH_TUPLE_SUM, SKETCH_THETA_LG_K_DEFAULT); /* nothing of them shows */

    FN_ROWS(row, out, rows)
        set_tuple(call, sketch, out, row);
    sketch_tuple_free(sketch);
    return 0;
}

typedef double TupleAnswer(const SketchTuple *sketch);

/* Sketch, kind. */
static int answer(FnCall *call, const Column *args, Column *out, int rows, TupleAnswer *how)
{
    FN_ROWS(row, out, rows)
    {
        SketchTuple *sketch;
        SILT_TRY(read_tuple(call, args, 0, row, (SketchTupleKind)number_at(args, 1, row), SKETCH_TUPLE_SUM, &sketch));
        ((double *)out->data)[row] = how(sketch);
        sketch_tuple_free(sketch);
    }
    return 0;
}

static int tuple_estimate(FnCall *call, const Column *args, Column *out, int rows)
{
    return answer(call, args, out, rows, sketch_tuple_estimate);
}

static int tuple_theta(FnCall *call, const Column *args, Column *out, int rows)
{
    return answer(call, args, out, rows, sketch_tuple_theta);
}

/* Sketch, mode; the result's type says the kind. */
static int tuple_summary(FnCall *call, const Column *args, Column *out, int rows)
{
    bool whole = out->type->kind == TYPE_LONG;

    FN_ROWS(row, out, rows)
    {
        SketchTupleMode mode = (SketchTupleMode)number_at(args, 1, row);
        SketchTuple *sketch;
        SILT_TRY(read_tuple(call, args, 0, row, whole ? SKETCH_TUPLE_INTEGER : SKETCH_TUPLE_DOUBLE, mode, &sketch));
        if (whole)
            ((int64_t *)out->data)[row] = sketch_tuple_summary_integer(sketch, mode);
        else
            ((double *)out->data)[row] = sketch_tuple_summary_double(sketch, mode);
        sketch_tuple_free(sketch);
    }
    return 0;
}

/* Two sketches, kind, mode, theta. < 0 with the failure; else both are the caller's. */
static int read_two(FnCall *call, const Column *args, int row, SketchTuple **sketch, SketchTuple **other)
{
    SketchTupleKind kind = (SketchTupleKind)number_at(args, 2, row);
    SketchTupleMode mode = (SketchTupleMode)number_at(args, 3, row);

    SILT_TRY(read_tuple(call, args, 0, row, kind, mode, sketch));
    int r = ((const bool *)args[4].data)[row] ? read_theta(call, args, 1, row, kind, mode, other) : read_tuple(call, args, 1, row, kind, mode, other);
    if (r < 0)
        sketch_tuple_free(*sketch);
    return r;
}

/* And lg_k. */
static int tuple_union(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        SketchTuple *sketch, *other;
        SILT_TRY(read_two(call, args, row, &sketch, &other));
        SketchTuple *all = sketch_tuple_new((SketchTupleKind)number_at(args, 2, row), (SketchTupleMode)number_at(args, 3, row), number_at(args, 5, row));
        sketch_tuple_unite(all, sketch);
        sketch_tuple_unite(all, other);
        set_tuple(call, all, out, row);
        sketch_tuple_free(sketch);
        sketch_tuple_free(other);
        sketch_tuple_free(all);
    }
    return 0;
}

typedef void TupleOperation(SketchTuple *sketch, const SketchTuple *from);

static int operation(FnCall *call, const Column *args, Column *out, int rows, TupleOperation *how)
{
    FN_ROWS(row, out, rows)
    {
        SketchTuple *sketch, *other;
        SILT_TRY(read_two(call, args, row, &sketch, &other));
        how(sketch, other);
        set_tuple(call, sketch, out, row);
        sketch_tuple_free(sketch);
        sketch_tuple_free(other);
    }
    return 0;
}

static int tuple_intersection(FnCall *call, const Column *args, Column *out, int rows)
{
    return operation(call, args, out, rows, sketch_tuple_intersect);
}

static int tuple_difference(FnCall *call, const Column *args, Column *out, int rows)
{
    return operation(call, args, out, rows, sketch_tuple_subtract);
}

/* What an aggregate of sketches gave; of none there is no intersection. */
static int tuple_intersected(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        if (column_is_null(&args[0], (uint64_t)row))
            return fn_fail(call, row, "TUPLE_INVALID_INPUT_SKETCH_BUFFER", "there is no intersection of no sketches");
        Str bytes = column_text(&args[0], (uint64_t)row);
        column_set_string(out, (uint64_t)row, bytes.ptr, bytes.size);
    }
    return 0;
}

#define TUPLE(sql_name, takes, gives, how) {.name = sql_name, .args = takes, .result = gives, .flags = FN_FAILS, .eval = how}

const DuckFunction fn_sketch_tuple[] = {
    {.name = "silt_tuple_empty", .args = "", .result = "binary", .eval = tuple_empty},
    TUPLE("silt_tuple_estimate", "binary, int", "double", tuple_estimate),
    TUPLE("silt_tuple_theta", "binary, int", "double", tuple_theta),
    TUPLE("silt_tuple_summary", "binary, int", NULL, tuple_summary),
    TUPLE("silt_tuple_union", "binary, binary, int, int, boolean, int", "binary", tuple_union),
    TUPLE("silt_tuple_intersection", "binary, binary, int, int, boolean", "binary", tuple_intersection),
    TUPLE("silt_tuple_difference", "binary, binary, int, int, boolean", "binary", tuple_difference),
    {.name = "silt_tuple_intersected", .args = "binary", .result = "binary", .flags = FN_FAILS | FN_NULLS, .eval = tuple_intersected},
    {0},
};
