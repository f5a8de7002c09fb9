/* duck/functions_test.c - what the functions in C answer, see testdata/functions.txt */
#include "duck/duck_test.h"

static void functions_answer_what_spark_answers(void **state)
{
    Fixture *f = *state;
    FILE *file = fopen(getenv("SILT_FUNCTION_CASES"), "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    int count = 0, wrong = 0;
    assert_non_null(file);
    while ((size = getline(&line, &capacity, file)) > 0) {
        char *arrow = strstr(line, " => ");
        line[size - 1] = 0;
        if (*line == '#' || !arrow)
            continue;
        *arrow = 0;
        SiltErr err = {0};
        const char *got = ask(f, arena_printf(f->arena, "SELECT CAST(%s AS VARCHAR)", line), &err);
        if (strcmp(got, arrow + 4) != 0) {
            print_error("%s\n  gave     %s\n  expected %s\n  (%s)\n", line, got, arrow + 4, err.message);
            wrong++;
        }
        count++;
    }
    free(line);
    fclose(file);
    assert_true(count > 150);
    assert_int_equal(wrong, 0);
}

static void a_pattern_may_change_from_row_to_row(void **state)
{
    check(*state, "SELECT CAST(silt_regexp_extract('a1', p, 0, 0) AS VARCHAR) FROM (VALUES ('[a-z]'), ('\\d'), ('x'), (NULL)) t(p)",
          "a\n1\n\nNULL");
    check(*state,
          "SELECT CAST(silt_date_format(TIMESTAMPTZ '2026-01-02 00:00:00+00', p, 0) AS VARCHAR) FROM (VALUES ('yyyy'), ('dd')) t(p)",
          "2026\n02");
}

/* A constant pattern is only looked at where a row asks for it. */
static void a_wrong_pattern_harms_nobody_who_does_not_ask(void **state)
{
    check(*state, "SELECT CAST(count(silt_rlike(s, '(', 0)) AS VARCHAR) FROM (VALUES ('a')) t(s) WHERE s = 'b'", "0");
}

static void times_follow_the_zone_of_the_session(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    assert_int_equal(duck_session_set_time_zone(f->session, "Europe/Berlin", &err), 0);
    check(f, "SELECT silt_date_format(TIMESTAMPTZ '2026-07-01 12:00:00+00', 'HH:mm VV XXX', 0)", "14:00 Europe/Berlin +02:00");
    check(f, "SELECT silt_local_shift(TIMESTAMPTZ '2026-10-25 00:59:59.999999+00') || ' ' || silt_local_shift(TIMESTAMPTZ '2026-10-25 01:00:00+00')",
          "7200000000 3600000000");
    check(f, "SELECT CAST(epoch_us(silt_parse_timestamp_as('2026-03-29 02:30', 'yyyy-MM-dd HH:mm', 0)) AS VARCHAR)", "1774747800000000");
    check(f, "SELECT CAST(epoch_us(silt_make_timestamp(2026, 10, 25, 2, 30, CAST(0 AS DECIMAL(16,6)), 0)) AS VARCHAR)", "1792888200000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(functions_answer_what_spark_answers),
        FIXTURE_TEST(a_pattern_may_change_from_row_to_row),
        FIXTURE_TEST(a_wrong_pattern_harms_nobody_who_does_not_ask),
        FIXTURE_TEST(times_follow_the_zone_of_the_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
