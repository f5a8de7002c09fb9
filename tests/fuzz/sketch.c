/*
 * tests/fuzz/sketch.c - bytes that stand for a sketch
 *
 * What is taken for a sketch has an estimate, unites with itself and others, and what is written of it is read again
 * with the same estimate and writes the same.
 */
#include "duck/sketch.h"
#include "duck/top_k.h"

#include "fuzz.h"

#include <math.h>

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static void hll(Str bytes)
{
    silt_auto(str_buf_fini) StrBuf written = {0}, again = {0};
    SketchHll *sketch, *other, *small = sketch_hll_new(SKETCH_HLL_LG_K_LEAST);

    if (sketch_hll_read(bytes.ptr, bytes.size, &sketch) == 0) {
        double estimate = sketch_hll_estimate(sketch);
        silt_assert(estimate >= 0 && isfinite(estimate));
        sketch_hll_write(sketch, put, &written);
        silt_assert(sketch_hll_read(written.ptr, written.size, &other) == 0);
        silt_assert(sketch_hll_estimate(other) == estimate);
        sketch_hll_write(other, put, &again);
        fuzz_same("written twice", str_buf_view(&written), str_buf_view(&again));
        sketch_hll_unite(other, sketch);
        sketch_hll_add_long(other, 1);
        sketch_hll_unite(small, other);
        sketch_hll_unite(sketch, small);
        str_buf_clear(&written);
        sketch_hll_write_unordered(sketch, put, &written);
        sketch_hll_free(other);
        silt_assert(sketch_hll_read(written.ptr, written.size, &other) == 0);
        sketch_hll_free(other);
        sketch_hll_free(sketch);
    }
    sketch_hll_free(small);
}

static void theta(Str bytes)
{
    silt_auto(str_buf_fini) StrBuf written = {0}, again = {0};
    SketchTheta *sketch, *other, *small = sketch_theta_new(SKETCH_THETA_LG_K_LEAST);

    if (sketch_theta_read(bytes.ptr, bytes.size, &sketch) == 0) {
        double estimate = sketch_theta_estimate(sketch);
        silt_assert(estimate >= 0 && isfinite(estimate));
        sketch_theta_write(sketch, put, &written);
        silt_assert(sketch_theta_read(written.ptr, written.size, &other) == 0);
        silt_assert(sketch_theta_estimate(other) == estimate);
        sketch_theta_write(other, put, &again);
        fuzz_same("written twice", str_buf_view(&written), str_buf_view(&again));
        sketch_theta_intersect(other, sketch);
        silt_assert(sketch_theta_estimate(other) == estimate);
        sketch_theta_add_long(small, 1);
        sketch_theta_unite(small, other);
        sketch_theta_subtract(other, small);
        sketch_theta_intersect(other, small);
        silt_assert(sketch_theta_estimate(other) == 0);
        str_buf_clear(&written);
        sketch_theta_write(small, put, &written);
        sketch_theta_free(other);
        silt_assert(sketch_theta_read(written.ptr, written.size, &other) == 0);
        sketch_theta_free(other);
        sketch_theta_free(sketch);
    }
    sketch_theta_free(small);
}

static void kll(Str bytes, SketchKllKind kind)
{
    silt_auto(str_buf_fini) StrBuf written = {0}, again = {0};
    SketchKllSummary summary;
    SketchKll *sketch, *other, *small = sketch_kll_new(kind, SKETCH_KLL_K_LEAST);

    if (sketch_kll_read(kind, bytes.ptr, bytes.size, &sketch) == 0) {
        sketch_kll_summary(sketch, &summary);
        sketch_kll_write(sketch, put, &written);
        silt_assert(written.size == summary.bytes && sketch_kll_read(kind, written.ptr, written.size, &other) == 0);
        sketch_kll_write(other, put, &again);
        fuzz_same("written twice", str_buf_view(&written), str_buf_view(&again));
        if (summary.values > 0) {
            double rank = sketch_kll_rank(sketch, sketch_kll_quantile(sketch, 0.5));
            silt_assert(rank > 0 && rank <= 1);
            silt_assert(sketch_kll_rank(sketch, summary.greatest) == 1);
        }
        int64_t values = summary.values;
        if (sketch_kll_merge(small, sketch) == 0 && sketch_kll_merge(small, other) == 0) {
            sketch_kll_summary(small, &summary);
            silt_assert(summary.values == 2 * values);
        }
        if (sketch_kll_merge(other, small) == 0)
            for (int i = 0; i < 20; i++)
                sketch_kll_add(other, (SketchKllValue){.of_long = i});
        sketch_kll_free(other);
        sketch_kll_free(sketch);
    }
    sketch_kll_free(small);
}

static void tuple(Str bytes, SketchTupleKind kind, SketchTupleMode mode)
{
    silt_auto(str_buf_fini) StrBuf written = {0}, again = {0};
    SketchTuple *sketch, *other, *small = sketch_tuple_new(kind, mode, SKETCH_THETA_LG_K_LEAST);

    if (sketch_tuple_read(kind, mode, bytes.ptr, bytes.size, &sketch) == 0) {
        double estimate = sketch_tuple_estimate(sketch);
        silt_assert(estimate >= 0 && isfinite(estimate));
        sketch_tuple_write(sketch, put, &written);
        silt_assert(sketch_tuple_read(kind, mode, written.ptr, written.size, &other) == 0);
        silt_assert(sketch_tuple_estimate(other) == estimate && sketch_tuple_theta(other) == sketch_tuple_theta(sketch));
        sketch_tuple_write(other, put, &again);
        fuzz_same("written twice", str_buf_view(&written), str_buf_view(&again));
        sketch_tuple_intersect(other, sketch);
        silt_assert(sketch_tuple_estimate(other) == estimate);
        sketch_tuple_add_long(small, 1, (SketchTupleValue){0});
        sketch_tuple_unite(small, other);
        sketch_tuple_subtract(other, small);
        sketch_tuple_intersect(other, small);
        silt_assert(sketch_tuple_estimate(other) == 0);
        sketch_tuple_free(other);
        str_buf_clear(&written);
        sketch_tuple_write(small, put, &written);
        silt_assert(sketch_tuple_read(kind, mode, written.ptr, written.size, &other) == 0);
        sketch_tuple_free(other);
        sketch_tuple_free(sketch);
    }
    sketch_tuple_free(small);
}

static void top_k(Str bytes, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf written = {0}, again = {0};
    Frequent *table, *other, *small = frequent_new(FREQUENT_LG_LEAST, FREQUENT_LG_LEAST);
    int64_t nulls, same;

    if (top_k_read(type, bytes, &table, &nulls)) {
        FrequentItem *items = silt_alloc(frequent_size(table) * sizeof *items + 1);
        silt_assert(frequent_ranked(table, items) <= frequent_size(table));
        free(items);
        top_k_write(&written, type, table, nulls);
        silt_assert(top_k_read(type, str_buf_view(&written), &other, &same) && same == nulls);
        top_k_write(&again, type, other, same);
        silt_assert(again.size == written.size);
        if (frequent_weight(table) <= INT64_MAX / 2) {
            frequent_merge(small, table);
            frequent_merge(small, other);
            silt_assert(frequent_weight(small) == 2 * frequent_weight(table));
        }
        str_buf_clear(&written);
        top_k_write(&written, type, small, 0);
        frequent_free(other);
        silt_assert(top_k_read(type, str_buf_view(&written), &other, &same));
        frequent_free(other);
        frequent_free(table);
    }
    frequent_free(small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hll((Str){(const char *)data, size});
    theta((Str){(const char *)data, size});
    for (int kind = SKETCH_KLL_LONG; kind <= SKETCH_KLL_DOUBLE; kind++)
        kll((Str){(const char *)data, size}, (SketchKllKind)kind);
    for (int mode = SKETCH_TUPLE_SUM; mode <= SKETCH_TUPLE_ALWAYS_ONE; mode++) {
        tuple((Str){(const char *)data, size}, SKETCH_TUPLE_INTEGER, (SketchTupleMode)mode);
        tuple((Str){(const char *)data, size}, SKETCH_TUPLE_DOUBLE, (SketchTupleMode)mode);
    }
    static const TypeKind kinds[] = {TYPE_BOOLEAN, TYPE_INT, TYPE_LONG, TYPE_FLOAT, TYPE_STRING};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        top_k((Str){(const char *)data, size}, type_simple(kinds[i]));
    top_k((Str){(const char *)data, size}, type_decimal(30, 4));
    return 0;
}
