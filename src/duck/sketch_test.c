/* duck/sketch_test.c - sketches: bytes of the Java edition, all orders alike, damaged ones refused */
#include "base/str.h"
#include "duck/sketch.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
/* after those */
#include <cmocka.h>

static void put(void *to, const char *bytes, size_t size)
{
    str_buf_add(to, bytes, size);
}

static void from_hex(const char *hex, StrBuf *out)
{
    for (; *hex; hex += 2) {
        char digits[3] = {hex[0], hex[1], 0};
        str_buf_putc(out, (char)strtol(digits, NULL, 16));
    }
}

static void to_hex(const StrBuf *bytes, StrBuf *out)
{
    for (size_t i = 0; i < bytes->size; i++)
        str_buf_printf(out, "%02X", (unsigned char)bytes->ptr[i]);
}

static SketchHll *hll_from_hex(const char *hex)
{
    silt_auto(str_buf_fini) StrBuf bytes = {0};
    SketchHll *sketch = NULL;

    from_hex(hex, &bytes);
    assert_int_equal(sketch_hll_read(bytes.ptr, bytes.size, &sketch), 0);
    return sketch;
}

static void assert_hll(const SketchHll *sketch, const char *hex)
{
    silt_auto(str_buf_fini) StrBuf bytes = {0}, text = {0};

    sketch_hll_write(sketch, put, &bytes);
    to_hex(&bytes, &text);
    assert_string_equal(str_buf_text(&text), hex);
}

/* Sketches that the Java edition wrote in each of its forms, what it makes of them with 8 bits a register, and its estimate. */
static void hll_of_every_form_are_read(void **state)
{
    static const struct {
        const char *bytes, *as_8;
        long estimate;
    } cases[] = {
        {"0201070403080300CBD7C2042BF2FB06862FF90D", "0201070403000308CBD7C2042BF2FB06862FF90D0000000000000000000000000000000000000000", 3},
        {"03010708050800010A00000081BC5D06862FF90DCBD7C204C1E91705D216730734A2610E75816607FC2D420A7B65E6082BF2FB06", NULL, 10},
        {"03010708050000010A0000000000000081BC5D0600000000000000000000000000000000862FF90D00000000000000000000000000000000CBD7C20400000000000000000000000000000000C1E91705"
         "00000000D21673070000000034A2610E7581660700000000000000000000000000000000FC2D420A7B65E6082BF2FB06000000000000000000000000",
         "03010708050000090A0000000000000081BC5D0600000000000000000000000000000000862FF90D00000000000000000000000000000000CBD7C20400000000000000000000000000000000C1E91705"
         "00000000D21673070000000034A2610E7581660700000000000000000000000000000000FC2D420A7B65E6082BF2FB06000000000000000000000000",
         10},
        {"0A01070400080F02B30A699142A03041000000000008233F000000000000000001000000000000002441371123133310",
         "0A0107040000000AB30A699142A03041000000000008233F0000000000000000000000000000000013111013161210101211121012120F10", 1089603},
        {"0A01070400000006ABF2EFB89CA791400000000000A0CA3F00000000000000000000000000000000486120C8611CC561184A711C00",
         "0A0107040000000AABF2EFB89CA791400000000000A0CA3F000000000000000000000000000000000805060808070607050706060A050707", 1130},
        {"0A01070402080102296539CC713848400000000002600B40000000000000000005000000010000004301502200332F300C000048",
         "0A0107040000000A296539CC713848400000000002600B400000000000000000000000000000000004050201010603030101040412030104", 48},
        {"0A01070402000102296539CC713848400000000002600B40000000000000000005000000010000004301502200332F300C000048000000000000000000000000", NULL, 48},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SketchHll *sketch = hll_from_hex(cases[i].bytes);
        assert_int_equal(lround(sketch_hll_estimate(sketch)), cases[i].estimate);
        if (cases[i].as_8)
            assert_hll(sketch, cases[i].as_8);
        sketch_hll_free(sketch);
    }
}

static void write_of(int lg_k, int count, int step, int parts, StrBuf *out)
{
    SketchHll *all = sketch_hll_new(lg_k);

    for (int part = 0; part < parts; part++) {
        SketchHll *sketch = sketch_hll_new(lg_k);
        for (int i = part; i < count; i += parts)
            sketch_hll_add_long(sketch, (int64_t)i * step % count); /* step and count have no common divisor: each once */
        sketch_hll_unite(all, sketch);
        sketch_hll_free(sketch);
    }
    sketch_hll_write_unordered(all, put, out);
    sketch_hll_free(all);
}

static void the_order_of_values_leaves_no_trace(void **state)
{
    static const int counts[] = {5, 20, 80, 101, 400, 5003}, sizes[] = {4, 7, 8, 10, 12};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            silt_auto(str_buf_fini) StrBuf first = {0}, again = {0}, parts = {0};
            write_of(sizes[s], counts[c], 1, 1, &first);
            write_of(sizes[s], counts[c], counts[c] - 1, 1, &again);
            write_of(sizes[s], counts[c], 3, 7, &parts);
            assert_true(str_equal(str_buf_view(&first), str_buf_view(&again)));
            assert_true(str_equal(str_buf_view(&first), str_buf_view(&parts)));
        }
}

static SketchHll *counted(int lg_k, int from, int to)
{
    SketchHll *sketch = sketch_hll_new(lg_k);

    for (int i = from; i < to; i++)
        sketch_hll_add_long(sketch, i);
    return sketch;
}

/* Spark's union of ids 500..1499 in 2^5 registers and 0..999 in 2^4, either way round. */
static void sketches_of_two_sizes_unite_in_the_smaller(void **state)
{
    for (int round = 0; round < 2; round++) {
        SketchHll *large = counted(5, 500, 1500), *small = counted(4, 0, 1000), *into = round ? large : small;
        sketch_hll_unite(into, round ? small : large);
        assert_int_equal(sketch_hll_lg_k(into), 4);
        assert_hll(into, "0A0107040010050A0000000000000000000000000050C23F000000000000000001000000000000000A05060808070608060807070A060B07");
        assert_int_equal(lround(sketch_hll_estimate(into)), 1204);
        sketch_hll_free(large);
        sketch_hll_free(small);
    }
}

static void a_sketch_alone_keeps_the_estimate_that_it_came_with(void **state)
{
    const char *bytes = "0A0107050000000A09A829B0941B90400000000000E8E53F000000000000000000000000000000000605060808070505050705060A04070708050508080506070406060405050606";
    SketchHll *sketch = hll_from_hex(bytes), *none = sketch_hll_new(5);
    silt_auto(str_buf_fini) StrBuf written = {0}, text = {0};

    sketch_hll_unite(none, sketch);
    sketch_hll_write_unordered(none, put, &written);
    to_hex(&written, &text);
    assert_string_equal(str_buf_text(&text), bytes);
    assert_int_equal(lround(sketch_hll_estimate(none)), 1031);
    sketch_hll_free(sketch);
    sketch_hll_free(none);
}

/* Cut at each place, and each bit flipped: an outcome, or a sketch that can be used. */
static void damaged_bytes_do_no_harm(void **state)
{
    static const struct {
        int lg_k, count;
    } cases[] = {{4, 0}, {4, 3}, {8, 10}, {12, 20}, {4, 1000}, {7, 200}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        silt_auto(str_buf_fini) StrBuf good = {0};
        SketchHll *sketch = counted(cases[c].lg_k, 0, cases[c].count), *read;
        sketch_hll_write_unordered(sketch, put, &good);
        for (size_t size = 0; size < good.size; size++) {
            char *cut = malloc(size + !size); /* of just this size, so that a byte too much is seen */
            memcpy(cut, good.ptr, size);
            if (sketch_hll_read(cut, size, &read) == 0) {
                assert_true(cases[c].count < 8); /* empty places of a list may be missing */
                sketch_hll_free(read);
            }
            free(cut);
        }
        for (size_t bit = 0; bit < good.size * 8; bit++) {
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
            if (sketch_hll_read(good.ptr, good.size, &read) == 0) {
                double estimate = sketch_hll_estimate(read);
                assert_true(estimate >= 0 && isfinite(estimate));
                sketch_hll_unite(read, sketch);
                sketch_hll_unite(sketch, read);
                sketch_hll_free(read);
                sketch_hll_free(sketch);
                sketch = counted(cases[c].lg_k, 0, cases[c].count);
            }
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
        }
        sketch_hll_free(sketch);
    }
}

static SketchTheta *theta_counted(int lg_k, int from, int to, int step)
{
    SketchTheta *sketch = sketch_theta_new(lg_k);

    for (int i = 0; i < to - from; i++)
        sketch_theta_add_long(sketch, from + (int64_t)i * step % (to - from));
    return sketch;
}

static void assert_same_theta(const SketchTheta *a, const SketchTheta *b)
{
    silt_auto(str_buf_fini) StrBuf x = {0}, y = {0};

    sketch_theta_write(a, put, &x);
    sketch_theta_write(b, put, &y);
    assert_true(str_equal(str_buf_view(&x), str_buf_view(&y)));
}

static void theta_of_any_order_and_parts_is_the_same(void **state)
{
    static const int counts[] = {1, 5, 17, 101, 5003}, sizes[] = {4, 5, 8, 12};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int half = counts[c] / 2;
            SketchTheta *once = theta_counted(sizes[s], 0, counts[c], 1), *back = theta_counted(sizes[s], 0, counts[c], counts[c] > 1 ? counts[c] - 1 : 1);
            SketchTheta *low = theta_counted(sizes[s], 0, half, 1), *high = theta_counted(sizes[s], half, counts[c], 1);
            assert_same_theta(once, back);
            sketch_theta_unite(low, high);
            assert_same_theta(once, low);
            sketch_theta_unite(low, back);
            assert_same_theta(once, low);
            sketch_theta_free(once);
            sketch_theta_free(back);
            sketch_theta_free(low);
            sketch_theta_free(high);
        }
}

static void thetas_are_sets(void **state)
{
    SketchTheta *a = theta_counted(12, 0, 100, 1), *b = theta_counted(12, 60, 150, 1), *both = sketch_theta_copy(a), *first = sketch_theta_copy(a);

    sketch_theta_intersect(both, b);
    assert_true(sketch_theta_estimate(both) == 40);
    sketch_theta_subtract(first, b);
    assert_true(sketch_theta_estimate(first) == 60);
    sketch_theta_unite(a, b);
    assert_true(sketch_theta_estimate(a) == 150);
    sketch_theta_subtract(first, a);
    assert_true(sketch_theta_estimate(first) == 0);
    sketch_theta_free(a);
    sketch_theta_free(b);
    sketch_theta_free(both);
    sketch_theta_free(first);
}

static void damaged_theta_does_no_harm(void **state)
{
    static const int counts[] = {0, 1, 3, 40, 500};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        silt_auto(str_buf_fini) StrBuf good = {0};
        SketchTheta *sketch = theta_counted(5, 0, counts[c], 1), *read;
        sketch_theta_write(sketch, put, &good);
        for (size_t size = 0; size < good.size; size++) {
            char *cut = malloc(size + !size);
            memcpy(cut, good.ptr, size);
            assert_int_equal(sketch_theta_read(cut, size, &read), SKETCH_DAMAGED);
            free(cut);
        }
        for (size_t bit = 0; bit < good.size * 8; bit++) {
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
            if (sketch_theta_read(good.ptr, good.size, &read) == 0) {
                double estimate = sketch_theta_estimate(read);
                assert_true(estimate >= 0 && isfinite(estimate));
                sketch_theta_unite(sketch, read);
                sketch_theta_intersect(read, sketch);
                sketch_theta_subtract(read, sketch);
                sketch_theta_free(read);
            }
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
        }
        sketch_theta_free(sketch);
    }
}

static SketchTuple *tuple_counted(SketchTupleMode mode, int lg_k, int from, int to, int step)
{
    SketchTuple *sketch = sketch_tuple_new(SKETCH_TUPLE_INTEGER, mode, lg_k);

    for (int i = 0; i < to - from; i++) {
        int key = from + (int)((int64_t)i * step % (to - from));
        sketch_tuple_add_long(sketch, key, (SketchTupleValue){.of_integer = key % 7});
        sketch_tuple_add_long(sketch, key, (SketchTupleValue){.of_integer = 3});
    }
    return sketch;
}

/* Sketches of Spark 4.2: of no rows, of one, of nothing in common, and with more keys than it holds. */
static void tuples_of_spark_are_read(void **state)
{
    static const struct {
        const char *bytes;
        double estimate;
        int64_t sum;
        bool same; /* as it is written: Spark has several in the order of its table */
    } cases[] = {
        {"01030901000ECC93", 0, 0, true},
        {"01030901000ACC9315F97DCBBD86A1050400008000", 1, INT32_MIN + INT64_C(4), true},
        {"02030901000ACC930000000000000000", 0, 0, true},
        {"03030901000ACC931000000000000000B6F28E894F5F722140DE2EE1C9DB3D0804000000023EBADCA36F6FB6200E00000002E2DACF9FCDEABE041500000002C397FC1281709D1E0200000002E56B61EEC880"
         "44200000000002698BB991B86857080800000002CA0361AAE7339F1526000000026DA916BC4A66611E0F000000024FF24DE0BC0CAE1C1700000002919DF55CF66FBA111A000000029BA3841106DDC91B1600"
         "00000215F97DCBBD86A1050100000002FB38798913248F010B0000000223A55B381AFD741F0C00000002BD3273724691CC140500000002FE162113FB98BC100600000002",
         61.23, 208, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        silt_auto(str_buf_fini) StrBuf bytes = {0}, written = {0}, text = {0};
        SketchTuple *sketch;
        from_hex(cases[i].bytes, &bytes);
        assert_int_equal(sketch_tuple_read(SKETCH_TUPLE_INTEGER, SKETCH_TUPLE_SUM, bytes.ptr, bytes.size, &sketch), 0);
        assert_true(fabs(sketch_tuple_estimate(sketch) - cases[i].estimate) < 0.01);
        assert_int_equal(sketch_tuple_summary_integer(sketch, SKETCH_TUPLE_SUM), cases[i].sum);
        sketch_tuple_write(sketch, put, &written);
        assert_int_equal(written.size, bytes.size);
        to_hex(&written, &text);
        if (cases[i].same)
            assert_string_equal(str_buf_text(&text), cases[i].bytes);
        sketch_tuple_free(sketch);
    }
}

static void the_order_of_rows_leaves_no_trace_in_a_tuple(void **state)
{
    static const int counts[] = {1, 5, 33, 1000, 5003}, sizes[] = {4, 5, 8, 12};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            silt_auto(str_buf_fini) StrBuf once = {0}, back = {0}, parts = {0};
            SketchTuple *a = tuple_counted(SKETCH_TUPLE_MAX, sizes[s], 0, counts[c], 1);
            SketchTuple *b = tuple_counted(SKETCH_TUPLE_MAX, sizes[s], 0, counts[c], counts[c] - 1 + (counts[c] == 1));
            SketchTuple *all = sketch_tuple_new(SKETCH_TUPLE_INTEGER, SKETCH_TUPLE_MAX, sizes[s]), *low = tuple_counted(SKETCH_TUPLE_MAX, sizes[s], 0, counts[c] / 2 + 1, 1);
            SketchTuple *high = tuple_counted(SKETCH_TUPLE_MAX, sizes[s], counts[c] / 3, counts[c], 1);
            sketch_tuple_write(a, put, &once);
            sketch_tuple_write(b, put, &back);
            assert_true(str_equal(str_buf_view(&once), str_buf_view(&back)));
            sketch_tuple_unite(all, high);
            sketch_tuple_unite(all, low);
            sketch_tuple_write(all, put, &parts);
            assert_true(str_equal(str_buf_view(&once), str_buf_view(&parts)));
            sketch_tuple_free(a);
            sketch_tuple_free(b);
            sketch_tuple_free(all);
            sketch_tuple_free(low);
            sketch_tuple_free(high);
        }
}

static void tuples_are_sets_with_numbers(void **state)
{
    SketchTuple *a = tuple_counted(SKETCH_TUPLE_SUM, 12, 0, 100, 1), *b = tuple_counted(SKETCH_TUPLE_SUM, 12, 60, 150, 1);
    SketchTuple *both = sketch_tuple_copy(a), *first = sketch_tuple_copy(a);
    int64_t sum_both = 0, sum_first = 0;

    for (int key = 0; key < 100; key++)
        *(key < 60 ? &sum_first : &sum_both) += key % 7 + 3;
    sketch_tuple_intersect(both, b);
    assert_true(sketch_tuple_estimate(both) == 40);
    assert_int_equal(sketch_tuple_summary_integer(both, SKETCH_TUPLE_SUM), 2 * sum_both);
    sketch_tuple_subtract(first, b);
    assert_true(sketch_tuple_estimate(first) == 60);
    assert_int_equal(sketch_tuple_summary_integer(first, SKETCH_TUPLE_SUM), sum_first);
    assert_int_equal(sketch_tuple_summary_integer(first, SKETCH_TUPLE_ALWAYS_ONE), 60);
    sketch_tuple_unite(a, b);
    assert_true(sketch_tuple_estimate(a) == 150);
    assert_int_equal(sketch_tuple_summary_integer(a, SKETCH_TUPLE_MAX), 2 * 9);
    sketch_tuple_free(a);
    sketch_tuple_free(b);
    sketch_tuple_free(both);
    sketch_tuple_free(first);
}

static void damaged_tuples_do_no_harm(void **state)
{
    static const int counts[] = {0, 1, 3, 40, 200};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        silt_auto(str_buf_fini) StrBuf good = {0};
        SketchTuple *sketch = tuple_counted(SKETCH_TUPLE_MIN, 5, 0, counts[c], 1), *read;
        sketch_tuple_write(sketch, put, &good);
        for (size_t size = 0; size < good.size; size++) {
            char *cut = malloc(size + !size);
            memcpy(cut, good.ptr, size);
            assert_int_equal(sketch_tuple_read(SKETCH_TUPLE_INTEGER, SKETCH_TUPLE_MIN, cut, size, &read), SKETCH_DAMAGED);
            free(cut);
        }
        for (size_t bit = 0; bit < good.size * 8; bit++) {
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
            if (sketch_tuple_read(SKETCH_TUPLE_INTEGER, SKETCH_TUPLE_MIN, good.ptr, good.size, &read) == 0) {
                double estimate = sketch_tuple_estimate(read);
                assert_true(estimate >= 0 && isfinite(estimate));
                sketch_tuple_unite(sketch, read);
                sketch_tuple_intersect(read, sketch);
                sketch_tuple_subtract(read, sketch);
                sketch_tuple_free(read);
            }
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
        }
        sketch_tuple_free(sketch);
    }
}

static SketchKll *kll_counted(int k, int count, int step)
{
    SketchKll *sketch = sketch_kll_new(SKETCH_KLL_LONG, k);

    for (int i = 0; i < count; i++)
        sketch_kll_add(sketch, (SketchKllValue){.of_long = (int64_t)i * step % count});
    return sketch;
}

static void kll_within_k_is_the_same_for_all_orders(void **state)
{
    silt_auto(str_buf_fini) StrBuf once = {0}, back = {0};
    SketchKll *a = kll_counted(50, 37, 1), *b = kll_counted(50, 37, 36);

    sketch_kll_write(a, put, &once);
    sketch_kll_write(b, put, &back);
    assert_true(str_equal(str_buf_view(&once), str_buf_view(&back)));
    sketch_kll_free(a);
    sketch_kll_free(b);
}

static void kll_beyond_k_is_the_same_for_the_same_order(void **state)
{
    silt_auto(str_buf_fini) StrBuf once = {0}, again = {0};
    SketchKll *a = kll_counted(50, 10007, 5), *more = kll_counted(20, 1009, 3), *other = NULL, *b;

    sketch_kll_merge(a, more);
    sketch_kll_write(a, put, &once);
    other = kll_counted(8, 500, 1); /* whatever else goes on in between */
    b = kll_counted(50, 10007, 5);
    sketch_kll_merge(b, more);
    sketch_kll_write(b, put, &again);
    assert_true(str_equal(str_buf_view(&once), str_buf_view(&again)));
    sketch_kll_free(a);
    sketch_kll_free(b);
    sketch_kll_free(more);
    sketch_kll_free(other);
}

/* 1.33 hundredths is the error of one in a hundred for k = 200; three times that is not met by chance. */
static void kll_beyond_k_is_near(void **state)
{
    SketchKll *all = kll_counted(200, 100003, 7), *more = kll_counted(200, 100003, 1);
    SketchKllSummary summary;

    assert_int_equal(sketch_kll_merge(all, more), 0);
    sketch_kll_summary(all, &summary);
    assert_int_equal(summary.values, 200006);
    assert_true(summary.levels > 5 && summary.retained < 1000);
    assert_int_equal(summary.least.of_long, 0);
    assert_int_equal(summary.greatest.of_long, 100002);
    for (int i = 0; i <= 10; i++) {
        assert_true(fabs((double)sketch_kll_quantile(all, i / 10.0).of_long / 100002 - i / 10.0) < 0.04);
        assert_true(fabs(sketch_kll_rank(all, (SketchKllValue){.of_long = i * 10000}) - i / 10.0) < 0.04);
    }
    sketch_kll_free(all);
    sketch_kll_free(more);
}

static void damaged_kll_does_no_harm(void **state)
{
    static const int counts[] = {0, 1, 5, 9, 300};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        silt_auto(str_buf_fini) StrBuf good = {0};
        SketchKll *sketch = kll_counted(8, counts[c], 1), *read;
        sketch_kll_write(sketch, put, &good);
        for (size_t size = 0; size < good.size; size++) {
            char *cut = malloc(size + !size);
            memcpy(cut, good.ptr, size);
            assert_int_equal(sketch_kll_read(SKETCH_KLL_LONG, cut, size, &read), SKETCH_DAMAGED);
            free(cut);
        }
        for (size_t bit = 0; bit < good.size * 8; bit++) {
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
            if (sketch_kll_read(SKETCH_KLL_LONG, good.ptr, good.size, &read) == 0) {
                SketchKll *into = kll_counted(10, 100, 1);
                sketch_kll_merge(into, read);
                sketch_kll_free(into);
                sketch_kll_free(read);
            }
            good.ptr[bit / 8] ^= (char)(1 << bit % 8);
        }
        sketch_kll_free(sketch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hll_of_every_form_are_read),
        cmocka_unit_test(the_order_of_values_leaves_no_trace),
        cmocka_unit_test(sketches_of_two_sizes_unite_in_the_smaller),
        cmocka_unit_test(a_sketch_alone_keeps_the_estimate_that_it_came_with),
        cmocka_unit_test(damaged_bytes_do_no_harm),
        cmocka_unit_test(theta_of_any_order_and_parts_is_the_same),
        cmocka_unit_test(thetas_are_sets),
        cmocka_unit_test(damaged_theta_does_no_harm),
        cmocka_unit_test(tuples_of_spark_are_read),
        cmocka_unit_test(the_order_of_rows_leaves_no_trace_in_a_tuple),
        cmocka_unit_test(tuples_are_sets_with_numbers),
        cmocka_unit_test(damaged_tuples_do_no_harm),
        cmocka_unit_test(kll_within_k_is_the_same_for_all_orders),
        cmocka_unit_test(kll_beyond_k_is_the_same_for_the_same_order),
        cmocka_unit_test(kll_beyond_k_is_near),
        cmocka_unit_test(damaged_kll_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
