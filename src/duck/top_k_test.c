/* duck/top_k_test.c - the table of frequent items, Spark's hashes, sketches of the Java edition read and written */
#include "duck/print.h"
#include "duck/parse.h"
#include "duck/top_k.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
/* after those */
#include <cmocka.h>

static void from_hex(const char *hex, StrBuf *out)
{
    for (; *hex; hex += 2) {
        char digits[3] = {hex[0], hex[1], 0};
        str_buf_putc(out, (char)strtol(digits, NULL, 16));
    }
}

static void add_long(Frequent *table, int64_t value, int64_t count)
{
    silt_auto(str_buf_fini) StrBuf bytes = {0};
    const Type *type = type_simple(TYPE_LONG);
    TopKItem item = {.whole = value};

    top_k_item_write(&bytes, type, &item);
    frequent_add(table, str_buf_view(&bytes), top_k_item_hash(type, &item), count);
}

static int64_t long_of(const FrequentItem *item)
{
    Str rest = item->bytes;
    TopKItem value;

    assert_true(top_k_item_read(type_simple(TYPE_LONG), &rest, &value));
    return (int64_t)value.whole;
}

/* What Spark 4.2 gives for Decimal(...).hashCode, digits that need no, one and two words, fractions that are a DOUBLE and that are none. */
static void decimals_have_the_hash_of_scala(void **state)
{
    static const struct {
        const char *text;
        int scale;
        int32_t hash;
    } cases[] = {
        {"1.50", 2, 1069547520}, {"1.5", 1, 1069547520}, {"2", 0, 2}, {"2.00", 2, 2}, {"0.1", 1, -1507852285}, {"-7.125", 3, -1058799616},
        {"12345678901234567890.5", 1, 1692944643}, {"99999999999999999999999", 0, 1292092898}, {"9223372036854775808", 0, INT32_MIN},
        {"-3000000000", 0, -1294967297}, {"12345678901234567.89", 2, 2060728859}, {"0.000000000000000001234567890123456789", 36, 1296358252},
        {"123456789.123456789123", 12, 1411654945},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TopKItem item = {0};
        assert_int_equal(parse_decimal(str_of(cases[i].text), 38, cases[i].scale, &item.whole), 0);
        assert_int_equal(top_k_item_hash(type_decimal(38, cases[i].scale), &item), cases[i].hash);
    }
}

static void strings_have_the_hash_of_java(void **state)
{
    TopKItem same = {.text = STR("AaAa")}, too = {.text = STR("BBBB")}, pair = {.text = STR("\xf0\x9f\x98\x80")}, none = {.text = STR("")};
    const Type *type = type_simple(TYPE_STRING);

    assert_int_equal(top_k_item_hash(type, &same), top_k_item_hash(type, &too));
    assert_int_equal(top_k_item_hash(type, &pair), 31 * 0xd83d + 0xde00);
    assert_int_equal(top_k_item_hash(type, &none), 0);
}

static void a_table_that_is_not_full_counts_exactly(void **state)
{
    Frequent *table = frequent_new(FREQUENT_LG_UNBOUNDED, FREQUENT_LG_LEAST);
    enum { VALUES = 5000 };
    FrequentItem items[VALUES];

    for (int round = 0; round < 3; round++)
        for (int i = 0; i < VALUES; i++)
            add_long(table, (int64_t)i * INT32_MAX, i + 1);
    assert_int_equal(frequent_size(table), VALUES);
    assert_int_equal(frequent_offset(table), 0);
    assert_int_equal(frequent_ranked(table, items), VALUES);
    for (int i = 0; i < VALUES; i++) {
        assert_int_equal(items[i].count, 3 * (VALUES - i));
        assert_int_equal(long_of(&items[i]), (int64_t)(VALUES - i - 1) * INT32_MAX);
    }
    frequent_free(table);
}

/* Every count is within the offset of the truth, and every item that is frequent enough is there. */
static void a_full_table_keeps_its_promise(void **state)
{
    enum { VALUES = 4000 };
    Frequent *table = frequent_new(7, FREQUENT_LG_LEAST);
    FrequentItem items[96];
    int64_t truth[VALUES] = {0}, weight = 0;
    uint32_t random = 1;

    for (int i = 0; i < 100000; i++) {
        random = random * 1664525u + 1013904223u;
        int value = (int)((uint64_t)(random >> 8) * (random >> 8) % VALUES) % (1 + i % VALUES);
        truth[value]++;
        weight++;
        add_long(table, value, 1);
    }
    assert_true(frequent_size(table) <= 96);
    assert_int_equal(frequent_weight(table), weight);
    frequent_in_slots(table, items);
    int64_t offset = frequent_offset(table);
    assert_true(offset > 0 && offset <= weight * 7 / 2 / 128);
    for (uint64_t i = 0; i < frequent_size(table); i++) {
        int64_t real = truth[long_of(&items[i])];
        assert_true(items[i].count <= real && real <= items[i].count + offset);
        truth[long_of(&items[i])] = 0;
    }
    for (int i = 0; i < VALUES; i++)
        assert_true(truth[i] <= offset);
    frequent_free(table);
}

/* What Spark 4.2 wrote for the types of items. */
static const struct {
    const char *type, *hex;
} written[] = {
    {"int", "04010A0E0300000002000000000000000300000000000000000000000000000001000000000000000200000000000000090100000009020000000000000000000001"},
    {"int", "01010A04030500000000000000000000"},
    {"string", "04010A04030000000300000000000000040000000000000000000000000000000100000000000000010000000000000002000000000000000200000062630A00000064C3A9E282ACF09F988001000000610000000000000000"},
    {"boolean", "04010A040300000002000000000000000300000000000000000000000000000002000000000000000100000000000000010000000000000000"},
    {"tinyint", "04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000002FE02010000000000000000"},
    {"smallint", "04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000"},
    {"bigint", "04010A040300000002000000000000000200000000000000000000000000000001000000000000000100000000000000FEFFFFFFFFFFFFFF01000000000000000000000000000000"},
    {"float", "04010A040300000002000000000000000200000000000000000000000000000001000000000000000100000000000000060000C03F06000000C00000000000000000"},
    {"double", "04010A040300000002000000000000000200000000000000000000000000000001000000000000000100000000000000000000000000F83F00000000000000C00000000000000000"},
    {"date", "04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000009BBF1FFFF09564700000000000000000000"},
    {"timestamp", "04010A040300000001000000000000000100000000000000000000000000000001000000000000000040FAC1089B05000000000000000000"},
    {"timestamp_ntz", "04010A040300000001000000000000000100000000000000000000000000000001000000000000000040FAC1089B05000000000000000000"},
    {"decimal(3,1)", "04010A040300000002000000000000000200000000000000000000000000000001000000000000000100000000000000090F000000091FFFFFFF0000000000000000"},
    {"decimal(12,3)", "04010A040300000002000000000000000200000000000000000000000000000001000000000000000100000000000000DC050000000000003CF6FFFFFFFFFFFF0000000000000000"},
    {"decimal(38,10)", "04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000010000000FF123B1A8199614AD2C571926BE8D20005000000037E11D6000000000000000000"},
};

static void sketches_of_spark_are_read_and_written(void **state)
{
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        silt_auto(str_buf_fini) StrBuf bytes = {0}, again = {0};
        silt_auto(arena_freep) Arena *arena = arena_new();
        const Type *type;
        SiltErr err = {0};
        Frequent *table;
        int64_t nulls;

        assert_int_equal(type_parse_ddl(arena, str_of(written[i].type), true, &type, &err), 0);
        from_hex(written[i].hex, &bytes);
        assert_true(top_k_read(type, str_buf_view(&bytes), &table, &nulls));
        top_k_write(&again, type, table, nulls);
        assert_true(str_equal(str_buf_view(&bytes), str_buf_view(&again)));
        frequent_free(table);
    }
}

/* Cut anywhere, or another byte anywhere: refused, or read as a sketch that is written as it was read. */
static void damaged_sketches_are_refused(void **state)
{
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        silt_auto(str_buf_fini) StrBuf bytes = {0};
        silt_auto(arena_freep) Arena *arena = arena_new();
        const Type *type;
        SiltErr err = {0};
        Frequent *table;
        int64_t nulls;

        assert_int_equal(type_parse_ddl(arena, str_of(written[i].type), true, &type, &err), 0);
        from_hex(written[i].hex, &bytes);
        for (size_t size = 0; size < bytes.size; size++)
            assert_false(top_k_read(type, (Str){bytes.ptr, size}, &table, &nulls));
        for (size_t at = 0; at < bytes.size; at++)
            for (int bit = 0; bit < 8; bit++) {
                bytes.ptr[at] = (char)(bytes.ptr[at] ^ 1 << bit);
                if (top_k_read(type, str_buf_view(&bytes), &table, &nulls))
                    frequent_free(table);
                bytes.ptr[at] = (char)(bytes.ptr[at] ^ 1 << bit);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_have_the_hash_of_scala),
        cmocka_unit_test(strings_have_the_hash_of_java),
        cmocka_unit_test(a_table_that_is_not_full_counts_exactly),
        cmocka_unit_test(a_full_table_keeps_its_promise),
        cmocka_unit_test(sketches_of_spark_are_read_and_written),
        cmocka_unit_test(damaged_sketches_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
