/* duck/variant_value_test.c - values built and read again; bytes cut or changed harm nobody */
#include "duck/variant_value.h"

#include "base/arena.h"
#include "duck/json_node.h"
#include "duck/variant.h"
#include "duck/variant_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const documents[] = {
    "null",
    "true",
    "-1",
    "300",
    "70000",
    "9223372036854775807",
    "92233720368547758070",
    "1.50",
    "-0.001",
    "1.25e-7",
    "\"x\"",
    "\"a text that is too long for the short form, since it has more than sixty-three bytes in all\"",
    "[]",
    "{}",
    "[1,\"two\",[3.5,null],{\"four\":false}]",
    "{\"b\":1,\"a\":{\"b\":[true],\"c\":\"é\"}}",
};

typedef struct Built {
    StrBuf metadata, value;
} Built;

static void build(Arena *arena, const char *text, Built *built)
{
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    *built = (Built){0};
    const Node *node = node_read(arena, str_of(text), NODE_STRICT);
    assert_non_null(node);
    assert_int_equal(variant_put_json(&writer, node), VARIANT_TAKEN);
    variant_writer_metadata(&writer, &built->metadata);
    str_buf_str(&built->value, str_buf_view(&writer.value));
}

static void built_fini(Built *built)
{
    str_buf_fini(&built->metadata);
    str_buf_fini(&built->value);
}

/* Everything that can be asked of a value. */
static void walk(const Variant *variant, int depth)
{
    VariantScalar scalar;
    Variant item;
    Str name;
    if (variant_read(variant, &scalar) == VARIANT_KIND_STRING)
        assert_true((size_t)(scalar.text.ptr - variant->value.ptr) + scalar.text.size <= variant->value.size);
    assert_true(variant_size(variant) <= variant->value.size);
    for (int64_t i = 0, count = variant_count(variant); i < count && i < 100 && depth < 20; i++)
        if (variant_at(variant, i, &name, &item))
            walk(&item, depth + 1);
    variant_field(variant, STR("b"), &item);
}

static void what_was_built_reads_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_auto(str_buf_fini) StrBuf json = {0};
        Built built, again;
        build(arena, documents[i], &built);
        Variant variant = {str_buf_view(&built.metadata), str_buf_view(&built.value)};
        assert_int_equal(variant_size(&variant), variant.value.size);
        assert_true(variant_json(&json, variant.metadata, variant.value, NULL));
        build(arena, str_buf_text(&json), &again);
        str_buf_clear(&json);
        assert_true(variant_json(&json, str_buf_view(&again.metadata), str_buf_view(&again.value), NULL));
        silt_auto(str_buf_fini) StrBuf first = {0};
        assert_true(variant_json(&first, variant.metadata, variant.value, NULL));
        assert_string_equal(str_buf_text(&json), str_buf_text(&first));
        built_fini(&built);
        built_fini(&again);
    }
}

static void fields_are_found_and_listed_by_name(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Built built;
    Variant item;
    VariantScalar scalar;
    Str name;
    (void)state;
    build(arena, "{\"z\":1,\"a\":2,\"m\":3}", &built);
    Variant variant = {str_buf_view(&built.metadata), str_buf_view(&built.value)};
    assert_int_equal(variant_field(&variant, STR("m"), &item), VARIANT_FOUND);
    assert_int_equal(variant_read(&item, &scalar), VARIANT_KIND_LONG);
    assert_int_equal(scalar.whole, 3);
    assert_int_equal(variant_field(&variant, STR("y"), &item), VARIANT_ABSENT);
    assert_int_equal(variant_item_at(&variant, 0, &item), VARIANT_ABSENT);
    variant.metadata.size--;
    assert_int_equal(variant_field(&variant, STR("m"), &item), VARIANT_BROKEN);
    variant.metadata.size++;
    assert_true(variant_at(&variant, 0, &name, &item));
    assert_true(str_is(name, "a"));
    built_fini(&built);
}

/* Copies without a byte to spare, so that a sanitizer sees any read behind the end. */
static void cut_and_changed_bytes_are_read_within_their_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        Built built;
        build(arena, documents[i], &built);
        for (size_t size = 0; size <= built.value.size; size++) {
            char *value = malloc(size ? size : 1), *metadata = malloc(built.metadata.size);
            memcpy(value, built.value.ptr, size);
            memcpy(metadata, built.metadata.ptr, built.metadata.size);
            walk(&(Variant){{metadata, built.metadata.size}, {value, size}}, 0);
            for (size_t at = 0; at < size && size == built.value.size; at++)
                for (int bit = 0; bit < 8; bit++) {
                    value[at] ^= (char)(1 << bit);
                    walk(&(Variant){{metadata, built.metadata.size}, {value, size}}, 0);
                    value[at] ^= (char)(1 << bit);
                }
            for (size_t at = 0; at < built.metadata.size && size == built.value.size; at++) {
                metadata[at] ^= (char)0x55;
                walk(&(Variant){{metadata, built.metadata.size}, {value, size}}, 0);
                metadata[at] ^= (char)0x55;
            }
            free(value);
            free(metadata);
        }
        built_fini(&built);
    }
}

/* Each object names the next one twice: printed in full it would be 2^40 values. */
static void values_that_lie_in_each_other_are_no_variant(void **state)
{
    static const char object[] = {2, 2, 0, 0, 0, 0, 0}; /* two fields, both name 0, both at offset 0 */
    silt_auto(str_buf_fini) StrBuf value = {0}, json = {0};
    (void)state;
    for (int i = 0; i < 40; i++)
        str_buf_add(&value, object, sizeof object);
    str_buf_putc(&value, 0);
    assert_false(variant_json(&json, (Str){"\1\1\0\1k", 5}, str_buf_view(&value), NULL));
    str_buf_clear(&json);
    assert_true(variant_json(&json, (Str){"\1\1\0\1k", 5}, (Str){value.ptr + value.size - 8, 8}, NULL));
    assert_string_equal(str_buf_text(&json), "{\"k\":null,\"k\":null}");
}

static void times_at_the_ends_of_their_range(void **state)
{
    const char least[] = {12 << 2, 0, 0, 0, 0, 0, 0, 0, (char)0x80}, most[] = {12 << 2, -1, -1, -1, -1, -1, -1, -1, 0x7F};
    silt_auto(str_buf_fini) StrBuf json = {0};
    const Zone *zone = zone_find(STR("+02:00")), *west = zone_find(STR("-02:00"));
    (void)state;
    assert_true(variant_json(&json, (Str){"\1\0\0", 3}, (Str){least, sizeof least}, west));
    assert_true(variant_json(&json, (Str){"\1\0\0", 3}, (Str){most, sizeof most}, zone));
    assert_string_equal(str_buf_text(&json), "\"-290308-12-21 19:59:05.224192-02:00\"\"+294247-01-10 04:00:54.775807+02:00\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_built_reads_the_same),
        cmocka_unit_test(fields_are_found_and_listed_by_name),
        cmocka_unit_test(values_that_lie_in_each_other_are_no_variant),
        cmocka_unit_test(times_at_the_ends_of_their_range),
        cmocka_unit_test(cut_and_changed_bytes_are_read_within_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
