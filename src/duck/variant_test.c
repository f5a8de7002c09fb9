/* duck/variant_test.c - bytes as Spark writes them, and as nobody should */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "duck/variant.h"

/* names: none */
static const uint8_t no_names[] = {0x01, 0x00, 0x00};
/* names: "a", "bc" */
static const uint8_t two_names[] = {0x01, 0x02, 0x00, 0x01, 0x03, 'a', 'b', 'c'};

static void expect(const uint8_t *names, size_t names_size, const uint8_t *value, size_t size, const char *want)
{
    StrBuf out = {0};

    bool good = variant_json(&out, (Str){(const char *)names, names_size}, (Str){(const char *)value, size}, NULL);
    if (want) {
        assert_true(good);
        assert_string_equal(str_buf_text(&out), want);
    } else {
        assert_false(good);
        assert_string_equal(str_buf_text(&out), "");
    }
    str_buf_fini(&out);
}

#define EXPECT(names, want, ...)                                                                                                           \
    do {                                                                                                                                   \
        const uint8_t bytes[] = {__VA_ARGS__};                                                                                             \
        expect(names, sizeof(names), bytes, sizeof(bytes), want);                                                                          \
    } while (0)

static void primitives_are_exact(void **state)
{
    (void)state;
    EXPECT(no_names, "null", 0x00);
    EXPECT(no_names, "true", 0x04);
    EXPECT(no_names, "false", 0x08);
    EXPECT(no_names, "-1", 0x0c, 0xff);
    EXPECT(no_names, "-32768", 0x10, 0x00, 0x80);
    EXPECT(no_names, "9223372036854775807", 0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
    EXPECT(no_names, "1.5", 0x1c, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f);
    EXPECT(no_names, "-12.3", 0x20, 3, 0xf4, 0xcf, 0xff, 0xff); /* no zeros at the end, as Spark */
    EXPECT(no_names, "100", 0x20, 1, 0xe8, 0x03, 0, 0);
    EXPECT(no_names, "-12.34", 0x20, 2, 0x2e, 0xfb, 0xff, 0xff);
    EXPECT(no_names, "1.5", 0x28, 1, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    EXPECT(no_names, "\"1970-01-02\"", 0x2c, 1, 0, 0, 0);
    EXPECT(no_names, "\"1970-01-01 00:00:00.000001+00:00\"", 0x30, 1, 0, 0, 0, 0, 0, 0, 0);
    EXPECT(no_names, "\"1969-12-31 23:59:59.999999\"", 0x34, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
    EXPECT(no_names, "\"AP8Q\"", 0x3c, 3, 0, 0, 0, 0x00, 0xff, 0x10);
    EXPECT(no_names, "\"hi\"", 0x40, 2, 0, 0, 0, 'h', 'i');
    EXPECT(no_names, "\"h\\\"\"", 0x09, 'h', '"');
    EXPECT(no_names, "\"\"", 0x01);
}

static void objects_and_arrays_nest(void **state)
{
    (void)state;
    EXPECT(no_names, "[]", 0x03, 0, 0);
    EXPECT(no_names, "[1,null]", 0x03, 2, 0, 2, 3, 0x0c, 1, 0x00);
    EXPECT(two_names, "{}", 0x02, 0, 0);
    EXPECT(two_names, "{\"a\":1,\"bc\":[true]}", 0x02, 2, 0, 1, 0, 2, 7, 0x0c, 1, 0x03, 1, 0, 1, 0x04);
    /* the value of the second name lies first */
    EXPECT(two_names, "{\"a\":2,\"bc\":1}", 0x02, 2, 0, 1, 2, 0, 4, 0x0c, 1, 0x0c, 2);
}

static void bytes_that_are_no_variant_are_told_apart(void **state)
{
    static const uint8_t version_two[] = {0x02, 0x00, 0x00};
    static const uint8_t names_cut[] = {0x01, 0x02, 0x00, 0x01};

    (void)state;
    expect(no_names, sizeof(no_names), NULL, 0, NULL);
    EXPECT(version_two, NULL, 0x00);
    EXPECT(names_cut, NULL, 0x00);
    EXPECT(no_names, NULL, 0xfc);                              /* no such type */
    EXPECT(no_names, NULL, 0x18, 1, 2);                        /* cut */
    EXPECT(no_names, NULL, 0x40, 0xff, 0xff, 0xff, 0xff, 'h'); /* longer than there is */
    EXPECT(no_names, NULL, 0x03, 2, 0, 9, 3, 0x0c, 1, 0x00);   /* offsets that fall */
    EXPECT(two_names, NULL, 0x02, 1, 7, 0, 1, 0x00);           /* no such name */
    EXPECT(two_names, NULL, 0x02, 1, 0, 9, 1, 0x00);           /* begins behind the end */
    EXPECT(no_names, NULL, 0x13, 0xff, 0xff, 0xff, 0xff);      /* count without offsets */
}

static void nesting_has_a_limit(void **state)
{
    enum { DEPTH = 5000 };
    static uint8_t bytes[DEPTH * 4 + 1];

    (void)state;
    /* an object whose value is itself: the offset 0 leads into the value area, which begins with the same object again */
    for (int i = 0; i < DEPTH; i++)
        memcpy(bytes + i * 4, (const uint8_t[]){0x03, 1, 0, 1}, 4);
    expect(no_names, sizeof(no_names), bytes, sizeof(bytes), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_are_exact),
        cmocka_unit_test(objects_and_arrays_nest),
        cmocka_unit_test(bytes_that_are_no_variant_are_told_apart),
        cmocka_unit_test(nesting_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
