/* duck/variant_schema_test.c - the least type that holds VARIANTs; what Spark says of many more stands in tests/differential */
#include "duck/variant_schema.h"

#include "duck/json_node.h"
#include "duck/variant_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add_json(VariantSchema *schema, const char *json)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    silt_auto(str_buf_fini) StrBuf metadata = {0};
    Node *node = node_read(arena, str_of(json), NODE_STRICT);

    assert_non_null(node);
    assert_int_equal(variant_put_json(&writer, node), VARIANT_TAKEN);
    variant_writer_metadata(&writer, &metadata);
    assert_true(variant_schema_add(schema, &(Variant){str_buf_view(&metadata), str_buf_view(&writer.value)}));
}

static const struct {
    const char *values[4], *type;
} groups[] = {
    {{NULL}, "VOID"},
    {{"null", "null"}, "VOID"},
    {{"1", "2.5"}, "DECIMAL(21,1)"},
    {{"2.5", "0.125", "1e3"}, "DOUBLE"},
    {{"12345678901234567890123456789.5", "0.12345678901"}, "DOUBLE"},
    {{"{\"b\":1}", "{\"a\":[1,null]}", "null", "{\"a\":[\"x\"],\"b\":2}"}, "OBJECT<a: ARRAY<VARIANT>, b: BIGINT>"},
    {{"[]", "[]"}, "ARRAY<VOID>"},
    {{"[{\"a b\":true}]", "[{\"`\":{}}]"}, "ARRAY<OBJECT<````: OBJECT<>, `a b`: BOOLEAN>>"},
    {{"{\"a\":1}", "[1]", "{\"a\":{\"b\":2}}"}, "VARIANT"},
    {{"{\"a\":1}", "{\"a\":{\"b\":2}}", "{\"a\":1}"}, "OBJECT<a: VARIANT>"},
};

/* One after the other in every order that begins elsewhere, and each by itself and then merged. */
static void the_order_of_values_does_not_matter(void **state)
{
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        int count = 0;

        while (count < 4 && groups[g].values[count])
            count++;
        for (int first = 0; first < (count ? count : 1); first++) {
            silt_auto(variant_schema_fini) VariantSchema added = {0}, merged = {0};
            silt_auto(str_buf_fini) StrBuf one = {0}, other = {0};

            for (int i = 0; i < count; i++) {
                silt_auto(variant_schema_fini) VariantSchema part = {0};

                add_json(&added, groups[g].values[(first + i) % count]);
                add_json(&part, groups[g].values[(first + count - i) % count]);
                variant_schema_merge(&merged, &part);
            }
            variant_schema_print(&one, &added);
            variant_schema_print(&other, &merged);
            assert_string_equal(str_buf_text(&one), groups[g].type);
            assert_string_equal(str_buf_text(&other), groups[g].type);
        }
    }
}

/* Each object names the next one twice: 2^40 values. */
static void values_that_lie_in_each_other_are_no_variant(void **state)
{
    static const char object[] = {2, 2, 0, 0, 0, 0, 0}; /* two fields, both name 0, both at offset 0 */
    silt_auto(str_buf_fini) StrBuf value = {0};
    silt_auto(variant_schema_fini) VariantSchema schema = {0};

    for (int i = 0; i < 40; i++)
        str_buf_add(&value, object, sizeof object);
    str_buf_putc(&value, 0);
    assert_false(variant_schema_add(&schema, &(Variant){{"\1\1\0\1k", 5}, str_buf_view(&value)}));
}

static void cut_bytes_are_no_variant(void **state)
{
    static const char text[] = {6 << 2 | 1, 'a', 'b', 'c', 'd', 'e', 'f'};

    for (size_t size = 0; size <= sizeof text; size++) {
        silt_auto(variant_schema_fini) VariantSchema schema = {0};

        assert_int_equal(variant_schema_add(&schema, &(Variant){{"\1\0\0", 3}, {text, size}}), size == sizeof text);
    }
}

/* 4 bytes hold nine digits. */
static void a_decimal_with_too_many_digits_is_no_variant(void **state)
{
    static const char most[] = {8 << 2, 9, (char)0xFF, (char)0xC9, (char)0x9A, 0x3B}, more[] = {8 << 2, 0, 0, (char)0xCA, (char)0x9A, 0x3B};
    silt_auto(variant_schema_fini) VariantSchema schema = {0};
    silt_auto(str_buf_fini) StrBuf text = {0};

    assert_true(variant_schema_add(&schema, &(Variant){{"\1\0\0", 3}, {most, sizeof most}})); /* 0.999999999 */
    assert_false(variant_schema_add(&schema, &(Variant){{"\1\0\0", 3}, {more, sizeof more}})); /* 1000000000 */
    variant_schema_print(&text, &schema);
    assert_string_equal(str_buf_text(&text), "DECIMAL(9,9)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_values_does_not_matter),
        cmocka_unit_test(values_that_lie_in_each_other_are_no_variant),
        cmocka_unit_test(cut_bytes_are_no_variant),
        cmocka_unit_test(a_decimal_with_too_many_digits_is_no_variant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
