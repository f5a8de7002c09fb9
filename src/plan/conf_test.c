/* plan/conf_test.c - settings are honoured, refused or ignored, and their values read */
#include "plan/conf.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const SiltPos nowhere = {"spec.yml", 3, 5, 0};

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
        cmocka_unit_test(a_setting_that_changes_results_is_refused),
        cmocka_unit_test(another_engines_setting_is_ignored),
        cmocka_unit_test(a_misspelt_silt_setting_names_the_nearest),
        cmocka_unit_test(a_copy_does_not_touch_the_original),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
