/* duck/variant_writer_test.c - every kind of value written and read again, alone and nested; bytes that were damaged harm nobody */
#include "duck/variant_writer.h"

#include "base/arena.h"
#include "duck/json_node.h"
#include "duck/variant.h"
#include "duck/variant_value.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Sample {
    VariantKind kind;
    int64_t whole;
    double number;
    __int128 unscaled;
    int scale;
    const char *text;
    size_t size; /* of the text; of all the value's bytes where there is no text and it is not 0 */
} Sample;

#define POW18 INT64_C(1000000000000000000)

static char long_text[70000];

static const Sample samples[] = {
    {VARIANT_KIND_NULL, .size = 1},
    {VARIANT_KIND_BOOLEAN, .whole = 0, .size = 1},
    {VARIANT_KIND_BOOLEAN, .whole = 1, .size = 1},
    {VARIANT_KIND_LONG, .whole = 0, .size = 2},
    {VARIANT_KIND_LONG, .whole = INT8_MAX, .size = 2},
    {VARIANT_KIND_LONG, .whole = INT8_MIN, .size = 2},
    {VARIANT_KIND_LONG, .whole = INT8_MAX + 1, .size = 3},
    {VARIANT_KIND_LONG, .whole = INT8_MIN - 1, .size = 3},
    {VARIANT_KIND_LONG, .whole = INT16_MAX, .size = 3},
    {VARIANT_KIND_LONG, .whole = INT16_MIN, .size = 3},
    {VARIANT_KIND_LONG, .whole = INT16_MAX + 1, .size = 5},
    {VARIANT_KIND_LONG, .whole = INT16_MIN - 1, .size = 5},
    {VARIANT_KIND_LONG, .whole = INT32_MAX, .size = 5},
    {VARIANT_KIND_LONG, .whole = INT32_MIN, .size = 5},
    {VARIANT_KIND_LONG, .whole = INT64_C(2147483648), .size = 9},
    {VARIANT_KIND_LONG, .whole = INT64_C(-2147483649), .size = 9},
    {VARIANT_KIND_LONG, .whole = INT64_MAX, .size = 9},
    {VARIANT_KIND_LONG, .whole = INT64_MIN, .size = 9},
    {VARIANT_KIND_DOUBLE, .number = 0.1, .size = 9},
    {VARIANT_KIND_DOUBLE, .number = -0.0, .size = 9},
    {VARIANT_KIND_DOUBLE, .number = DBL_MAX, .size = 9},
    {VARIANT_KIND_DOUBLE, .number = -INFINITY, .size = 9},
    {VARIANT_KIND_FLOAT, .number = 0.5, .size = 5},
    {VARIANT_KIND_FLOAT, .number = FLT_MAX, .size = 5},
    {VARIANT_KIND_DECIMAL, .unscaled = 0, .scale = 0, .size = 6},
    {VARIANT_KIND_DECIMAL, .unscaled = 0, .scale = 38, .size = 18},
    {VARIANT_KIND_DECIMAL, .unscaled = 999999999, .scale = 9, .size = 6},
    {VARIANT_KIND_DECIMAL, .unscaled = -999999999, .scale = 2, .size = 6},
    {VARIANT_KIND_DECIMAL, .unscaled = 1000000000, .scale = 2, .size = 10},
    {VARIANT_KIND_DECIMAL, .unscaled = 1, .scale = 10, .size = 10},
    {VARIANT_KIND_DECIMAL, .unscaled = POW18 - 1, .scale = 18, .size = 10},
    {VARIANT_KIND_DECIMAL, .unscaled = 1 - POW18, .scale = 0, .size = 10},
    {VARIANT_KIND_DECIMAL, .unscaled = POW18, .scale = 0, .size = 18},
    {VARIANT_KIND_DECIMAL, .unscaled = (__int128)POW18 * POW18 * 100 - 1, .scale = 38, .size = 18},
    {VARIANT_KIND_DECIMAL, .unscaled = 1 - (__int128)POW18 * POW18 * 100, .scale = 0, .size = 18},
    {VARIANT_KIND_DATE, .whole = 0, .size = 5},
    {VARIANT_KIND_DATE, .whole = -719162, .size = 5},
    {VARIANT_KIND_TIMESTAMP, .whole = 1767323045000001, .size = 9},
    {VARIANT_KIND_TIMESTAMP_NTZ, .whole = -1, .size = 9},
    {VARIANT_KIND_BINARY, .text = "\0\xff", .size = 2},
    {VARIANT_KIND_BINARY, .text = "", .size = 0},
    {VARIANT_KIND_STRING, .text = "", .size = 0},
    {VARIANT_KIND_STRING, .text = long_text, .size = 63}, /* the longest of the short form */
    {VARIANT_KIND_STRING, .text = long_text, .size = 64},
    {VARIANT_KIND_STRING, .text = long_text, .size = sizeof long_text},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void put(StrBuf *out, const Sample *s)
{
    switch (s->kind) {
    case VARIANT_KIND_NULL:
        variant_put_null(out);
        return;
    case VARIANT_KIND_BOOLEAN:
        variant_put_boolean(out, s->whole);
        return;
    case VARIANT_KIND_LONG:
        variant_put_long(out, s->whole);
        return;
    case VARIANT_KIND_DOUBLE:
        variant_put_double(out, s->number);
        return;
    case VARIANT_KIND_FLOAT:
        variant_put_float(out, (float)s->number);
        return;
    case VARIANT_KIND_DECIMAL:
        variant_put_decimal(out, s->unscaled, s->scale);
        return;
    case VARIANT_KIND_DATE:
        variant_put_date(out, (int32_t)s->whole);
        return;
    case VARIANT_KIND_TIMESTAMP:
    case VARIANT_KIND_TIMESTAMP_NTZ:
        variant_put_timestamp(out, s->whole, s->kind == VARIANT_KIND_TIMESTAMP_NTZ);
        return;
    case VARIANT_KIND_BINARY:
        variant_put_binary(out, (Str){s->text, s->size});
        return;
    default:
        variant_put_text(out, (Str){s->text, s->size});
    }
}

static void check(const Variant *variant, const Sample *s)
{
    VariantScalar is;
    assert_int_equal(variant_read(variant, &is), s->kind);
    assert_int_equal(is.whole, s->whole);
    assert_memory_equal(&is.number, &s->number, sizeof is.number); /* -0.0 too */
    assert_true(is.unscaled == s->unscaled);
    assert_int_equal(is.scale, s->scale);
    if (s->text) {
        assert_int_equal(is.text.size, s->size);
        assert_memory_equal(is.text.ptr, s->text, s->size);
    } else {
        assert_int_equal(variant_size(variant), s->size);
    }
}

static Variant written(const VariantWriter *w, StrBuf *metadata)
{
    str_buf_clear(metadata);
    variant_writer_metadata(w, metadata);
    return (Variant){str_buf_view(metadata), str_buf_view(&w->value)};
}

static void every_kind_of_scalar_comes_back(void **state)
{
    silt_auto(variant_writer_fini) VariantWriter w = {0};
    silt_auto(str_buf_fini) StrBuf metadata = {0}, json = {0};
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        variant_writer_clear(&w);
        put(&w.value, &samples[i]);
        Variant variant = written(&w, &metadata);
        check(&variant, &samples[i]);
        assert_int_equal(variant_size(&variant), w.value.size);
        assert_true(variant_json(&json, variant.metadata, variant.value, NULL));
    }
}

/* All samples as items of an array and as fields of an object in it, so often that counts, offsets and ids take every size. */
static void containers_of_every_size_come_back(void **state)
{
    static const int sizes[] = {0, 1, 2, 255, 256, 257, 3000, 70000};
    silt_auto(variant_writer_fini) VariantWriter w = {0};
    silt_auto(str_buf_fini) StrBuf metadata = {0}, name = {0};
    (void)state;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        int count = sizes[size];
        variant_writer_clear(&w);
        VariantOpen array = variant_open(&w);
        variant_item(&w);
        VariantOpen object = variant_open(&w);
        for (int i = count; i-- > 0;) { /* names in falling order: they are sorted */
            str_buf_clear(&name);
            str_buf_printf(&name, "n%06d", i);
            variant_name(&w, str_buf_view(&name));
            put(&w.value, &samples[i % (SAMPLES - 1)]);
        }
        assert_true(variant_close_object(&w, object));
        for (int i = 0; i < count; i++) {
            variant_item(&w);
            put(&w.value, &samples[i % (SAMPLES - 1)]);
        }
        variant_close_array(&w, array);
        Variant all = written(&w, &metadata), first, item;
        assert_int_equal(variant_size(&all), w.value.size);
        assert_int_equal(variant_count(&all), count + 1);
        assert_true(variant_at(&all, 0, NULL, &first));
        assert_int_equal(variant_count(&first), count);
        for (int i = 0; i < count; i++) {
            Str is;
            assert_true(variant_at(&all, i + 1, NULL, &item));
            check(&item, &samples[i % (SAMPLES - 1)]);
            assert_true(variant_at(&first, i, &is, &item));
            check(&item, &samples[i % (SAMPLES - 1)]);
            str_buf_clear(&name);
            str_buf_printf(&name, "n%06d", i);
            assert_true(str_equal(is, str_buf_view(&name)));
        }
        assert_false(variant_at(&all, count + 1, NULL, &item));
    }
}

static void a_name_that_is_there_twice_is_told(void **state)
{
    silt_auto(variant_writer_fini) VariantWriter w = {0};
    (void)state;
    for (int apart = 0; apart < 100; apart += 33) {
        variant_writer_clear(&w);
        VariantOpen outer = variant_open(&w), inner;
        variant_name(&w, STR("same"));
        inner = variant_open(&w);
        variant_name(&w, STR("same")); /* in another object it is no second */
        variant_put_null(&w.value);
        assert_true(variant_close_object(&w, inner));
        for (int i = 0; i < apart; i++) {
            char name[16];
            snprintf(name, sizeof name, "%c%d", 'a' + i % 26, i);
            variant_name(&w, str_of(name));
            variant_put_null(&w.value);
        }
        variant_name(&w, STR("same"));
        variant_put_null(&w.value);
        assert_false(variant_close_object(&w, outer));
        assert_true(str_is(variant_twice(&w), "same"));
    }
}

/* The bytes that Spark 4.2 makes of the same text. */
static void the_bytes_are_those_of_spark(void **state)
{
    static const char text[] = "{\"b\":1,\"a\":{\"b\":[true,null,300],\"c\":1.50}}";
    static const uint8_t metadata[] = {0x01, 3, 0, 1, 2, 3, 'b', 'a', 'c'};
    static const uint8_t value[] = {0x02, 2, 1, 0, 2, 0, 26, 0x0c, 1,                         /* {a, b}; the value of b */
                                    0x02, 2, 0, 2, 0, 11, 17,                                 /* a: {b, c} */
                                    0x03, 3, 0, 1, 2, 5, 0x04, 0x00, 0x10, 0x2c, 1,           /* [true, null, 300] */
                                    0x20, 2, 150, 0, 0, 0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(variant_writer_fini) VariantWriter w = {0};
    silt_auto(str_buf_fini) StrBuf bytes = {0};
    (void)state;
    assert_int_equal(variant_put_json(&w, node_read(arena, str_of(text), NODE_STRICT)), VARIANT_TAKEN);
    Variant variant = written(&w, &bytes);
    assert_int_equal(variant.metadata.size, sizeof metadata);
    assert_memory_equal(variant.metadata.ptr, metadata, sizeof metadata);
    assert_int_equal(variant.value.size, sizeof value);
    assert_memory_equal(variant.value.ptr, value, sizeof value);
}

/* Reading what was damaged is an answer or a refusal, and stays inside of copies that have no byte to spare. */
static void damage_is_refused_or_read_within_its_bounds(void **state)
{
    silt_auto(variant_writer_fini) VariantWriter w = {0};
    silt_auto(str_buf_fini) StrBuf metadata = {0}, json = {0};
    uint32_t random = 12345;
    int refused = 0;
    (void)state;
    VariantOpen object = variant_open(&w);
    for (int i = 0; i < SAMPLES - 1; i++) {
        char name[8];
        snprintf(name, sizeof name, "n%d", i);
        variant_name(&w, str_of(name));
        VariantOpen array = variant_open(&w);
        variant_item(&w);
        put(&w.value, &samples[i]);
        variant_close_array(&w, array);
    }
    assert_true(variant_close_object(&w, object));
    Variant whole = written(&w, &metadata);
    for (int round = 0; round < 20000; round++) {
        char *copies[2];
        size_t sizes[2];
        for (int part = 0; part < 2; part++) {
            Str from = part ? whole.value : whole.metadata;
            random = random * 1103515245u + 12345u;
            sizes[part] = random >> 16 & 1 ? from.size : (random >> 8) % (from.size + 1);
            copies[part] = malloc(sizes[part] ? sizes[part] : 1);
            memcpy(copies[part], from.ptr, sizes[part]);
            for (int change = 0; change < 3 && sizes[part]; change++) {
                random = random * 1103515245u + 12345u;
                copies[part][(random >> 8) % (change ? sizes[part] : sizes[part] < 100 ? sizes[part] : 100)] ^= (char)(random >> 24);
            }
        }
        str_buf_clear(&json);
        refused += !variant_json(&json, (Str){copies[0], sizes[0]}, (Str){copies[1], sizes[1]}, NULL);
        free(copies[0]);
        free(copies[1]);
    }
    assert_true(refused > 10000);
}

int main(void)
{
    memset(long_text, 'x', sizeof long_text);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_scalar_comes_back),
        cmocka_unit_test(containers_of_every_size_come_back),
        cmocka_unit_test(a_name_that_is_there_twice_is_told),
        cmocka_unit_test(the_bytes_are_those_of_spark),
        cmocka_unit_test(damage_is_refused_or_read_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
