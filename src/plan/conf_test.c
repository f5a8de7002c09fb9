/* plan/conf_test.c - settings are honoured, refused or ignored, and their values read */
#include "plan/conf.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const SiltPos nowhere = {"spec.yml", 3, 5, 0};

static void intervals_are_read(void **state)
{
    static const struct {
        const char *text;
        int64_t us;
    } good[] = {{"5 minutes", 300000000}, {"1 second", 1000000}, {"500 milliseconds", 500000}, {"1 hour 30 minutes", 5400000000}, {"10s", 10000000},
                {"interval 2 days", 172800000000}, {"0 seconds", 0}, {"1.5 seconds", 1500000}};
    static const char *const bad[] = {"", "5", "minutes", "5 parsecs", "-1 second", "5 minutes and", "1 month"};
    int64_t us;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(conf_parse_interval(str_of(good[i].text), &us));
        assert_int_equal(us, good[i].us);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(conf_parse_interval(str_of(bad[i]), &us));
}

static void sizes_are_read(void **state)
{
    int64_t bytes;

    (void)state;
    assert_true(conf_parse_size(STR("1GB"), &bytes));
    assert_int_equal(bytes, INT64_C(1) << 30);
    assert_true(conf_parse_size(STR("512 mb"), &bytes));
    assert_int_equal(bytes, INT64_C(512) << 20);
    assert_true(conf_parse_size(STR("64k"), &bytes));
    assert_int_equal(bytes, 65536);
    assert_true(conf_parse_size(STR("1024"), &bytes));
    assert_int_equal(bytes, 1024);
    assert_false(conf_parse_size(STR("1 apple"), &bytes));
    assert_false(conf_parse_size(STR("GB"), &bytes));
}

static void a_setting_that_changes_results_is_refused(void **state)
{
    SiltErr err;

    (void)state;
    assert_int_equal(conf_check("spark.sql.ansi.enabled", "true", nowhere, &err), 0);
    assert_int_equal(conf_check("spark.sql.ansi.enabled", "false", nowhere, &err), -1);
    assert_int_equal(err.line, 3);
    assert_int_equal(conf_check("spark.sql.caseSensitive", "true", nowhere, &err), -1);
    assert_int_equal(conf_check("spark.sql.legacy.anything", "true", nowhere, &err), -1);
    assert_int_equal(conf_check("spark.sql.legacy.anything", "false", nowhere, &err), CONF_IGNORED);
}

static void another_engines_setting_is_ignored(void **state)
{
    SiltErr err;

    (void)state;
    assert_int_equal(conf_check("spark.executor.memory", "4g", nowhere, &err), CONF_IGNORED);
    assert_int_equal(conf_check("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension", nowhere, &err), CONF_IGNORED);
}

static void a_misspelt_silt_setting_names_the_nearest(void **state)
{
    SiltErr err;

    (void)state;
    assert_int_equal(conf_check("silt.freshnes", "1 second", nowhere, &err), -1);
    assert_non_null(strstr(err.hint, "silt.freshness"));
    assert_int_equal(conf_check("silt.deadLetters", "nowhere", nowhere, &err), -1);
    assert_non_null(strstr(err.hint, "\"table\""));
    assert_int_equal(conf_check_property("silt.memory", "1GB", nowhere, &err), -1);
    assert_int_equal(conf_check_property("delta.appendOnly", "true", nowhere, &err), CONF_IGNORED);
}

static void a_copy_does_not_touch_the_original(void **state)
{
    Arena *arena = arena_new();
    Conf *first = conf_copy(arena, NULL), *second;

    (void)state;
    conf_set(first, "a", "1", nowhere);
    second = conf_copy(arena, first);
    conf_set(second, "a", "2", nowhere);
    conf_set(second, "b", "3", nowhere);
    assert_string_equal(conf_get(first, "a"), "1");
    assert_string_equal(conf_get(second, "a"), "2");
    assert_null(conf_get(first, "b"));
    assert_int_equal(conf_int(second, "b", 0), 3);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_read),
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(a_setting_that_changes_results_is_refused),
        cmocka_unit_test(another_engines_setting_is_ignored),
        cmocka_unit_test(a_misspelt_silt_setting_names_the_nearest),
        cmocka_unit_test(a_copy_does_not_touch_the_original),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
