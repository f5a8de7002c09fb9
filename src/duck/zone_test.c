/* duck/zone_test.c - zones by name, the hours around their changes, and the calendar */
#include "duck/zone.h"

#include "duck/calendar.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SECOND INT64_C(1000000)
#define HOUR   (3600 * SECOND)
/* 2026-03-29 and 2026-10-25, 00:00 UTC: in Berlin the clocks change at 01:00 UTC of these days */
#define TO_SUMMER (20541 * 24 * HOUR)
#define TO_WINTER (20751 * 24 * HOUR)

static int offset_of(const char *name, int64_t utc_us)
{
    const Zone *zone = zone_find(str_of(name));
    assert_non_null(zone);
    return zone_offset_seconds(zone, utc_us);
}

static void an_offset_is_a_zone(void **state)
{
    static const struct {
        const char *name;
        int seconds;
    } cases[] = {
        {"Z", 0},        {"UTC", 0},          {"GMT", 0},         {"+2", 7200},
        {"+02", 7200},   {"+0230", 9000},     {"-05:30", -19800}, {"+02:00:30", 7230},
        {"UTC+2", 7200}, {"GMT-1:30", -5400}, {"+18:00", 64800},  {"+2:0", 7200}, /* Spark adds the zeros */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(offset_of(cases[i].name, 0), cases[i].seconds);
}

static void a_name_counts_as_java_spells_it(void **state)
{
    static const char *const unknown[] = {"", "+19:00", "+18:01", "Europe/Nowhere", "europe/berlin", "utc", "Europe/Berlin'", "../UTC"};
    assert_int_equal(offset_of("America/Los_Angeles", 0), -8 * 3600);
    assert_int_equal(offset_of("PST", 0), -8 * 3600);
    assert_int_equal(offset_of("Etc/GMT+5", 0), -5 * 3600);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_null(zone_find(str_of(unknown[i])));
}

static void a_skipped_hour_is_as_much_later(void **state)
{
    const Zone *berlin = zone_find(STR("Europe/Berlin"));
    assert_int_equal(zone_to_utc_us(berlin, TO_SUMMER + 2 * HOUR - 1), TO_SUMMER + HOUR - 1);
    assert_int_equal(zone_to_utc_us(berlin, TO_SUMMER + 2 * HOUR + HOUR / 2), TO_SUMMER + HOUR + HOUR / 2); /* 02:30 is 03:30 */
    assert_int_equal(zone_to_utc_us(berlin, TO_SUMMER + 3 * HOUR), TO_SUMMER + HOUR);
}

static void of_an_hour_that_comes_twice_the_first_counts(void **state)
{
    const Zone *berlin = zone_find(STR("Europe/Berlin"));
    assert_int_equal(zone_to_local_us(berlin, TO_WINTER + HOUR / 2), TO_WINTER + 2 * HOUR + HOUR / 2);
    assert_int_equal(zone_to_local_us(berlin, TO_WINTER + HOUR + HOUR / 2), TO_WINTER + 2 * HOUR + HOUR / 2);
    assert_int_equal(zone_to_utc_us(berlin, TO_WINTER + 2 * HOUR + HOUR / 2), TO_WINTER + HOUR / 2);
    assert_int_equal(zone_to_utc_us(berlin, TO_WINTER + 3 * HOUR), TO_WINTER + 2 * HOUR);
}

static void rules_go_on_behind_the_table(void **state)
{
    int64_t day = 24 * HOUR, july_2537 = 207290 * day, december_2537 = 207443 * day;
    assert_int_equal(offset_of("Europe/Berlin", july_2537), 7200);
    assert_int_equal(offset_of("Europe/Berlin", december_2537), 3600);
    assert_int_equal(offset_of("Europe/Berlin", INT64_C(-4611686018427387904)), 53 * 60 + 28); /* local mean time */
}

static void *find_and_ask(void *arg)
{
    const Zone *zone = zone_find(STR("Australia/Lord_Howe"));
    return zone && zone_offset_seconds(zone, 0) == 36000 ? (void *)zone : NULL;
}

static void threads_share_a_zone(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_and_ask, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *zone;
        pthread_join(threads[i], &zone);
        assert_ptr_equal(zone, zone_find(STR("Australia/Lord_Howe")));
    }
}

static void days_and_dates_are_inverse(void **state)
{
    for (int64_t days = -5000000; days < 5000000; days += 997) {
        CivilDate date = calendar_date(days);
        assert_true(date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= calendar_month_days(date.year, date.month));
        assert_int_equal(calendar_days(date.year, date.month, date.day), days);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offset_is_a_zone),
        cmocka_unit_test(a_name_counts_as_java_spells_it),
        cmocka_unit_test(a_skipped_hour_is_as_much_later),
        cmocka_unit_test(of_an_hour_that_comes_twice_the_first_counts),
        cmocka_unit_test(rules_go_on_behind_the_table),
        cmocka_unit_test(threads_share_a_zone),
        cmocka_unit_test(days_and_dates_are_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
