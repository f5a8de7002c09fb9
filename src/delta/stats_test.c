/* delta/stats_test.c - statistics, partition texts, values and pruning */
#include <math.h>

#include "delta/delta_test.h"
#include "delta/internal.h"

/* ---- add.stats of written files ---- */

static const char *stats_of(World *w, const Create *create, const char *select)
{
    static int table_number;
    const char *path = arena_printf(w->arena, "/stats%d", table_number++);
    DeltaTable *table = create_table(w, path, create);
    append(w, table, select);
    const DeltaCommit *commit;
    SiltErr err;
    OK(delta_commit_read(table, 1, w->arena, &commit, &err));
    assert_int_equal(commit->add_count, 1);
    delta_table_free(table);
    return commit->adds[0].stats;
}

static void bounds_follow_delta_s_rules_by_type(void **state)
{
    World *w = *state;
    static const struct {
        const char *columns, *select, *stats;
    } cases[] = {
        {"a INT, b STRING", "SELECT * FROM (VALUES (3, 'x'), (NULL, 'abc'), (-1, NULL)) t(c1, c2)",
         "{\"numRecords\":3,\"minValues\":{\"a\":-1,\"b\":\"abc\"},\"maxValues\":{\"a\":3,\"b\":\"x\"},\"nullCount\":{\"a\":1,\"b\":1}}"},
        {"a BOOLEAN, b BINARY", "SELECT true AS c1, 'x'::BLOB AS c2",
         "{\"numRecords\":1,\"minValues\":{},\"maxValues\":{},\"nullCount\":{\"a\":0,\"b\":0}}"},
        {"a DECIMAL(38,18)", "SELECT 12345678901234567890.123456789012345678::DECIMAL(38,18) AS c1",
         "{\"numRecords\":1,\"minValues\":{\"a\":12345678901234567890.123456789012345678},\"maxValues\":{\"a\":12345678901234567890."
         "123456789012345678},"
         "\"nullCount\":{\"a\":0}}"},
        {"a TIMESTAMP",
         "SELECT * FROM (VALUES (TIMESTAMPTZ '2026-01-01 00:00:00.000400Z'), (TIMESTAMPTZ '2026-01-01 00:00:00.000900Z')) t(c1)",
         "{\"numRecords\":2,\"minValues\":{\"a\":\"2026-01-01T00:00:00.000Z\"},\"maxValues\":{\"a\":\"2026-01-01T00:00:00.001Z\"},"
         "\"nullCount\":{\"a\":0}}"},
        {"a TIMESTAMP", "SELECT TIMESTAMPTZ '1969-12-31 23:59:59.999999Z' AS c1",
         "{\"numRecords\":1,\"minValues\":{\"a\":\"1969-12-31T23:59:59.999Z\"},\"maxValues\":{\"a\":\"1970-01-01T00:00:00.000Z\"},"
         "\"nullCount\":{\"a\":0}}"},
        {"a DATE", "SELECT * FROM (VALUES (DATE '1582-10-04'), (DATE '9999-12-31')) t(c1)",
         "{\"numRecords\":2,\"minValues\":{\"a\":\"1582-10-04\"},\"maxValues\":{\"a\":\"9999-12-31\"},\"nullCount\":{\"a\":0}}"},
        {"a DATE", "SELECT * FROM (VALUES (DATE '0044-03-15 (BC)'), (DATE '2026-01-01')) t(c1)",
         "{\"numRecords\":2,\"minValues\":{},\"maxValues\":{\"a\":\"2026-01-01\"},\"nullCount\":{\"a\":0}}"},
        {"a DOUBLE, b FLOAT", "SELECT * FROM (VALUES (1.5::DOUBLE, 0.1::FLOAT), (-2::DOUBLE, 1e20::FLOAT)) t(c1, c2)",
         "{\"numRecords\":2,\"minValues\":{\"a\":-2.0,\"b\":0.1},\"maxValues\":{\"a\":1.5,\"b\":1e+20},\"nullCount\":{\"a\":0,\"b\":0}}"},
        {"a DOUBLE", "SELECT * FROM (VALUES (1::DOUBLE), ('nan'::DOUBLE)) t(c1)",
         "{\"numRecords\":2,\"minValues\":{},\"maxValues\":{},\"nullCount\":{\"a\":0}}"},
        {"a DOUBLE", "SELECT * FROM (VALUES (1::DOUBLE), ('inf'::DOUBLE)) t(c1)",
         "{\"numRecords\":2,\"minValues\":{\"a\":1.0},\"maxValues\":{},\"nullCount\":{\"a\":0}}"},
        {"a INT, s STRUCT<x: INT, t: STRUCT<y: STRING>>, l ARRAY<INT>", "SELECT 1 AS c1, {'x': 2, 't': {'y': 'z'}} AS c2, [1, NULL] AS c3",
         "{\"numRecords\":1,\"minValues\":{\"a\":1,\"s\":{\"x\":2,\"t\":{\"y\":\"z\"}}},\"maxValues\":{\"a\":1,\"s\":{\"x\":2,\"t\":{\"y\":"
         "\"z\"}}},"
         "\"nullCount\":{\"a\":0,\"s\":{\"x\":0,\"t\":{\"y\":0}}}}"},
        {"a STRING", "SELECT NULL::VARCHAR AS c1", "{\"numRecords\":1,\"minValues\":{},\"maxValues\":{},\"nullCount\":{\"a\":1}}"},
        {"a STRING", "SELECT * FROM (VALUES ('a' || chr(0) || 'b'), ('a')) t(c1)",
         "{\"numRecords\":2,\"minValues\":{},\"maxValues\":{},\"nullCount\":{\"a\":0}}"},
        {"a STRING", "SELECT '\"\\' || chr(10) AS c1",
         "{\"numRecords\":1,\"minValues\":{\"a\":\"\\\"\\\\\\n\"},\"maxValues\":{\"a\":\"\\\"\\\\\\n\"},\"nullCount\":{\"a\":0}}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(stats_of(w, &(Create){.columns = cases[i].columns}, cases[i].select), cases[i].stats);
}

/* The string bound alone, by the folder's own function over made-up statistics. */
static const char *bound(World *w, const char *text, bool is_max)
{
    silt_auto(str_buf_fini) StrBuf out = {0};
    DeltaMetadata metadata = {.schema = ddl(w, "a STRING")};
    DuckColumnStats stats = {.path = "a", .has_bounds = true, .min = text, .max = text, .null_count = 0};
    DuckWrittenFile file = {.rows = 1, .stats = &stats, .stats_count = 1};
    StatsOptions options = delta__stats_options(&metadata);
    const Json *json;
    SiltErr err;
    delta__stats_print(&out, &metadata, &options, false, &file);
    OK(json_parse(w->arena, str_buf_view(&out), &json, &err));
    return json_cstr(json_get(json_get(json, is_max ? "maxValues" : "minValues"), "a"), NULL);
}

#define X32   "abcdefghijklmnopqrstuvwxyz012345"
#define SMILE "\xf0\x9f\x98\x80" /* two UTF-16 units */
#define LAST  "\xf4\x8f\xbf\xbf" /* U+10FFFF */

static void strings_are_cut_at_32_units_and_stay_bounds(void **state)
{
    World *w = *state;
    assert_string_equal(bound(w, X32, true), X32);
    assert_string_equal(bound(w, X32 "z", false), X32);
    assert_string_equal(bound(w, X32 "z", true), X32 "\x7f");
    assert_string_equal(bound(w, X32 "\xc3\xa9", true), X32 LAST);
    assert_string_equal(bound(w, X32 "\x7f", true), X32 LAST);
    assert_string_equal(bound(w, X32 LAST "a", true), X32 LAST "\x7f");
    assert_string_equal(bound(w, X32 LAST, true), X32 LAST);
    /* 31 units and a pair: the pair is not split */
    assert_string_equal(bound(w, "abcdefghijklmnopqrstuvwxyz01234" SMILE "zz", false), "abcdefghijklmnopqrstuvwxyz01234");
    assert_string_equal(bound(w, "abcdefghijklmnopqrstuvwxyz01234" SMILE "zz", true), "abcdefghijklmnopqrstuvwxyz01234" LAST);
    /* nothing but U+10FFFF for more than twice the length: no bound */
    char endless[4 * 40 + 1] = "";
    for (int i = 0; i < 40; i++)
        strcat(endless, LAST);
    assert_null(bound(w, endless, true));
}

static void which_columns_have_statistics_is_a_property(void **state)
{
    World *w = *state;
    const char *select = "SELECT 1 AS c1, {'x': 2, 'y': 3} AS c2, 4 AS c3";
    const char *columns = "a INT, s STRUCT<x: INT, y: INT>, b INT";
    assert_string_equal(stats_of(w, &(Create){.columns = columns, .properties = {{"delta.dataSkippingNumIndexedCols", "2"}}}, select),
                        "{\"numRecords\":1,\"minValues\":{\"a\":1,\"s\":{\"x\":2}},\"maxValues\":{\"a\":1,\"s\":{\"x\":2}},\"nullCount\":{"
                        "\"a\":0,\"s\":{\"x\":0}}}");
    assert_string_equal(stats_of(w, &(Create){.columns = columns, .properties = {{"delta.dataSkippingStatsColumns", "S.y, `b`"}}}, select),
                        "{\"numRecords\":1,\"minValues\":{\"s\":{\"y\":3},\"b\":4},\"maxValues\":{\"s\":{\"y\":3},\"b\":4},\"nullCount\":{"
                        "\"s\":{\"y\":0},\"b\":0}}");
    assert_string_equal(stats_of(w, &(Create){.columns = columns, .properties = {{"delta.dataSkippingNumIndexedCols", "0"}}}, select),
                        "{\"numRecords\":1,\"minValues\":{\"s\":{}},\"maxValues\":{\"s\":{}},\"nullCount\":{\"s\":{}}}");
}

static void a_table_with_deletion_vectors_says_that_bounds_are_tight(void **state)
{
    World *w = *state;
    assert_string_equal(
        stats_of(w, &(Create){.columns = "a INT", .properties = {{"delta.enableDeletionVectors", "true"}}}, "SELECT 1 AS c1"),
        "{\"numRecords\":1,\"minValues\":{\"a\":1},\"maxValues\":{\"a\":1},\"nullCount\":{\"a\":0},\"tightBounds\":true}");
}

/* ---- values ---- */

static void timestamps_are_read_in_every_form_of_the_protocol(void **state)
{
    static const struct {
        const char *text;
        int64_t micros;
    } cases[] = {
        {"2026-01-01 10:00:00", 1767261600000000},
        {"2026-01-01T10:00:00.000000Z", 1767261600000000},
        {"2026-01-01 10:00:00.123456", 1767261600123456},
        {"2026-01-01T10:00:00.1+01:00", 1767258000100000},
        {"2026-01-01 10:00:00+00", 1767261600000000},
        {"2026-01-01T10:00:00-0530", 1767281400000000},
        {"1969-12-31 23:59:59.999999", -1},
        {"-9999-01-01 00:00:00", -377705116800000000},
        {"+10000-01-01 00:00:00", 253402300800000000},
        {"2026-01-01", 1767225600000000},
        {"2026-01-01 10:00:00.1234569", 1767261600123456},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t micros;
        assert_true(delta__timestamp_parse(str_of(cases[i].text), &micros, NULL));
        assert_int_equal(micros, cases[i].micros);
    }
    static const char *const wrong[] = {"",          "2026-13-01",          "2026-02-29", "2026-01-01 24:00", "2026-01-01 10:00:60", "2026-01-01 10:00:00 x",
                                        "yesterday", "2026-01-01 10:00:00."};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t micros;
        assert_false(delta__timestamp_parse(str_of(wrong[i]), &micros, NULL));
    }
}

static void decimals_are_compared_exactly(void **state)
{
    const Type *type = type_decimal(38, 2);
    DeltaValue a = delta__value_parse(type, STR("123456789012345678901234567890123456.78")),
               b = delta__value_parse(type, STR("123456789012345678901234567890123456.79"));
    assert_int_equal(a.kind, VALUE_DECIMAL);
    assert_int_equal(delta__value_compare(&a, &b), -1);
    a = delta__value_parse(type, STR("1.5E2"));
    b = delta__value_parse(type, STR("150"));
    assert_int_equal(delta__value_compare(&a, &b), 0);
    assert_int_equal(delta__value_parse(type, STR("0.001")).kind, VALUE_NONE); /* not a value of the type: proves nothing */
}

/* ---- pruning ---- */

static int64_t kept(World *w, DeltaTable *table, int field, DeltaCompare compare, const char *value)
{
    const DeltaFile *const *files, *const *left;
    int64_t count, left_count;
    SiltErr err;
    DeltaPredicate predicate = {field, compare, str_of(value)};
    OK(delta_snapshot_files(delta_table_snapshot(table), &files, &count, &err));
    delta_prune(delta_table_snapshot(table), &predicate, 1, files, count, w->arena, &left, &left_count);
    return left_count;
}

static void files_are_dropped_only_on_proof(void **state)
{
    World *w = *state;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, s STRING, p DATE", .partition_by = {"p"}});
    append(w, table, "SELECT range AS c1, 'a' || range AS c2, DATE '2026-01-01' AS c3 FROM range(10)");
    append(w, table, "SELECT range + 10 AS c1, NULL::VARCHAR AS c2, DATE '2026-01-02' AS c3 FROM range(10)");
    append(w, table, "SELECT range + 20 AS c1, 'z' AS c2, NULL::DATE AS c3 FROM range(10)");
    assert_int_equal(kept(w, table, 0, DELTA_EQUAL, "12"), 1);
    assert_int_equal(kept(w, table, 0, DELTA_LESS, "10"), 1);
    assert_int_equal(kept(w, table, 0, DELTA_LESS_EQUAL, "10"), 2);
    assert_int_equal(kept(w, table, 0, DELTA_GREATER, "19"), 1);
    assert_int_equal(kept(w, table, 0, DELTA_GREATER_EQUAL, "19"), 2);
    assert_int_equal(kept(w, table, 0, DELTA_EQUAL, "no number"), 3);
    assert_int_equal(kept(w, table, 1, DELTA_IS_NULL, ""), 1);
    assert_int_equal(kept(w, table, 1, DELTA_IS_NOT_NULL, ""), 2);
    assert_int_equal(kept(w, table, 1, DELTA_EQUAL, "a5"), 1);
    assert_int_equal(kept(w, table, 2, DELTA_EQUAL, "2026-01-02"), 1);
    assert_int_equal(kept(w, table, 2, DELTA_LESS, "2026-01-02"), 1);
    assert_int_equal(kept(w, table, 2, DELTA_IS_NULL, ""), 1);
    assert_int_equal(kept(w, table, 2, DELTA_IS_NOT_NULL, ""), 2);
    DeltaPredicate predicate = {0, DELTA_EQUAL, STR("12")};
    assert_string_equal(ask(w, delta_table_snapshot(table), &predicate, 1, "count(*) || ' ' || count(*) FILTER (c1 = 12)"), "10 1");
    delta_table_free(table);
}

/* One file of a table made by hand, with these statistics; is it kept? */
static bool keeps(World *w, const char *type, const char *stats, DeltaCompare compare, const char *value)
{
    DeltaFile file = {.path = "f", .name = "f", .stats = stats};
    const DeltaFile *files[] = {&file}, *const * left;
    int64_t count;
    DeltaMetadata metadata = {.schema = ddl(w, arena_printf(w->arena, "c %s", type))};
    DeltaSnapshot snapshot = {.metadata = &metadata};
    DeltaPredicate predicate = {0, compare, str_of(value)};
    delta_prune(&snapshot, &predicate, 1, files, 1, w->arena, &left, &count);
    return count == 1;
}

static void foreign_statistics_are_not_trusted_too_far(void **state)
{
    World *w = *state;
    const char *millis =
        "{\"numRecords\":2,\"minValues\":{\"c\":\"2026-01-01T00:00:00.000Z\"},\"maxValues\":{\"c\":\"2026-01-01T00:00:00.000Z\"}}";
    assert_true(keeps(w, "TIMESTAMP", millis, DELTA_GREATER, "2026-01-01T00:00:00.000500Z"));
    assert_false(keeps(w, "TIMESTAMP", millis, DELTA_GREATER, "2026-01-01T00:00:00.000999Z"));
    /* of files that were written before the column's type became wider */
    const char *days = "{\"numRecords\":2,\"minValues\":{\"c\":\"2026-01-01\"},\"maxValues\":{\"c\":\"2026-01-31\"},\"nullCount\":{\"c\":0}}";
    assert_true(keeps(w, "TIMESTAMP_NTZ", days, DELTA_EQUAL, "2026-01-31"));
    assert_false(keeps(w, "TIMESTAMP_NTZ", days, DELTA_GREATER, "2026-01-31T00:00:01"));
    assert_false(keeps(w, "TIMESTAMP_NTZ", days, DELTA_LESS, "2026-01-01"));
    const char *wholes = "{\"numRecords\":2,\"minValues\":{\"c\":-5},\"maxValues\":{\"c\":2147483647},\"nullCount\":{\"c\":0}}";
    assert_true(keeps(w, "DECIMAL(12,2)", wholes, DELTA_EQUAL, "2147483647.00"));
    assert_false(keeps(w, "DECIMAL(12,2)", wholes, DELTA_EQUAL, "2147483647.01"));
    assert_false(keeps(w, "BIGINT", wholes, DELTA_EQUAL, "3000000000"));
    const char *numbers = "{\"numRecords\":2,\"minValues\":{\"c\":1.0},\"maxValues\":{\"c\":3.0},\"nullCount\":{\"c\":0}}";
    assert_true(keeps(w, "DOUBLE", numbers, DELTA_GREATER, "5")); /* a NaN may hide */
    assert_true(keeps(w, "DOUBLE", numbers, DELTA_EQUAL, "NaN"));
    assert_false(keeps(w, "DOUBLE", numbers, DELTA_EQUAL, "5"));
    assert_false(keeps(w, "DOUBLE", numbers, DELTA_LESS, "0.5"));
    static const char *const nothing[] = {NULL,
                                          "",
                                          "{}",
                                          "not json",
                                          "{\"minValues\":{\"c\":null},\"maxValues\":{\"c\":null}}",
                                          "{\"minValues\":{\"c\":\"x\"},\"maxValues\":{\"c\":[1]}}",
                                          "{\"numRecords\":null,\"nullCount\":{}}"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        for (int compare = DELTA_EQUAL; compare <= DELTA_IS_NOT_NULL; compare++)
            assert_true(keeps(w, "BIGINT", nothing[i], (DeltaCompare)compare, "5"));
    const char *exact = "{\"minValues\":{\"c\":12345678901234567890.12},\"maxValues\":{\"c\":12345678901234567890.12}}";
    assert_true(keeps(w, "DECIMAL(38,2)", exact, DELTA_EQUAL, "12345678901234567890.12"));
    assert_false(keeps(w, "DECIMAL(38,2)", exact, DELTA_EQUAL, "12345678901234567890.13"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(bounds_follow_delta_s_rules_by_type),
        MEMORY_TEST(strings_are_cut_at_32_units_and_stay_bounds),
        MEMORY_TEST(which_columns_have_statistics_is_a_property),
        MEMORY_TEST(a_table_with_deletion_vectors_says_that_bounds_are_tight),
        cmocka_unit_test(timestamps_are_read_in_every_form_of_the_protocol),
        cmocka_unit_test(decimals_are_compared_exactly),
        MEMORY_TEST(files_are_dropped_only_on_proof),
        MEMORY_TEST(foreign_statistics_are_not_trusted_too_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
