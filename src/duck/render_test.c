/* duck/render_test.c - values as exact JSON */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "duck/render.h"

/* A chunk of one column with one row, not NULL. */
static Chunk *one(const Type *const *type)
{
    return chunk_new(type, 1);
}

static void expect(Chunk *chunk, const char *want)
{
    StrBuf out = {0};

    chunk_seal(chunk, 1);
    render_json(&out, chunk_column(chunk, 0), 0, NULL);
    assert_string_equal(str_buf_text(&out), want);
    str_buf_fini(&out);
    chunk_unref(chunk);
}

#define EXPECT(kind_of_type, c_type, value, want)                                                                                          \
    do {                                                                                                                                   \
        const Type *type = type_simple(kind_of_type);                                                                                      \
        Chunk *chunk = one(&type);                                                                                                         \
        ((c_type *)chunk_column_mut(chunk, 0)->data)[0] = (value);                                                                         \
        expect(chunk, want);                                                                                                               \
    } while (0)

static void numbers_are_exact(void **state)
{
    (void)state;
    EXPECT(TYPE_LONG, int64_t, INT64_MIN, "-9223372036854775808");
    EXPECT(TYPE_DOUBLE, double, 0.1 + 0.2, "0.30000000000000004");
    EXPECT(TYPE_DOUBLE, double, -0.0, "-0.0");
    EXPECT(TYPE_DOUBLE, double, NAN, "\"NaN\"");
    EXPECT(TYPE_DOUBLE, double, -INFINITY, "\"-Infinity\"");
    EXPECT(TYPE_FLOAT, float, 1.1f, "1.1");
    const Type *type = type_decimal(38, 2);
    Chunk *chunk = one(&type);
    ((__int128 *)chunk_column_mut(chunk, 0)->data)[0] = -150;
    expect(chunk, "-1.50");
}

static void times_are_iso_with_six_digits(void **state)
{
    (void)state;
    EXPECT(TYPE_DATE, int32_t, -1, "\"1969-12-31\"");
    EXPECT(TYPE_TIMESTAMP, int64_t, -500000, "\"1969-12-31T23:59:59.500000Z\"");
    EXPECT(TYPE_TIMESTAMP_NTZ, int64_t, INT64_C(253402300799999999), "\"9999-12-31T23:59:59.999999\"");
    EXPECT(TYPE_TIMESTAMP, int64_t, INT64_C(-62135596800000000), "\"0001-01-01T00:00:00.000000Z\"");
}

static void text_is_escaped_and_binary_is_base64(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *want;
    } binaries[] = {{"", 0, "\"\""},
                    {"\x00", 1, "\"AA==\""},
                    {"\x00\xff", 2, "\"AP8=\""},
                    {"\x00\xff\x10", 3, "\"AP8Q\""},
                    {"\x00\xff\x10z", 4, "\"AP8Qeg==\""}};

    (void)state;
    const Type *type = type_simple(TYPE_STRING);
    Chunk *chunk = one(&type);
    column_set_string(chunk_column_mut(chunk, 0), 0, "a\"\\\n\x01é", 7);
    expect(chunk, "\"a\\\"\\\\\\n\\u0001é\"");
    type = type_simple(TYPE_BINARY);
    for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++) {
        chunk = one(&type);
        column_set_string(chunk_column_mut(chunk, 0), 0, binaries[i].bytes, binaries[i].size);
        expect(chunk, binaries[i].want);
    }
}

static void keys_of_maps_are_texts(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Type *type = type_map(arena, type_simple(TYPE_DATE), type_array(arena, type_simple(TYPE_INT), true), true);
    Chunk *chunk = one(&type);
    Column *map = chunk_column_mut(chunk, 0);
    column_list_reserve(map, 2);
    ((ChunkList *)map->data)[0] = (ChunkList){0, 2};
    ((int32_t *)map->children[0].data)[0] = 0;
    ((int32_t *)map->children[0].data)[1] = 1;
    column_list_reserve(&map->children[1], 2);
    ((ChunkList *)map->children[1].data)[0] = (ChunkList){0, 2};
    ((int32_t *)map->children[1].children[0].data)[0] = 7;
    column_set_null(&map->children[1].children[0], 1);
    column_set_null(&map->children[1], 1);
    expect(chunk, "{\"1970-01-01\":[7,null],\"1970-01-02\":null}");

    type = type_map(arena, type_simple(TYPE_INT), type_simple(TYPE_BOOLEAN), true);
    chunk = one(&type);
    map = chunk_column_mut(chunk, 0);
    column_list_reserve(map, 1);
    ((ChunkList *)map->data)[0] = (ChunkList){0, 1};
    ((int32_t *)map->children[0].data)[0] = 5;
    ((uint8_t *)map->children[1].data)[0] = 1;
    expect(chunk, "{\"5\":true}");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(times_are_iso_with_six_digits),
        cmocka_unit_test(text_is_escaped_and_binary_is_base64),
        cmocka_unit_test(keys_of_maps_are_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
