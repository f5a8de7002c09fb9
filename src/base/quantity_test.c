/* base/quantity_test.c - time spans and sizes */
#include "base/quantity.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void intervals_are_read(void **state)
{
    static const struct {
        const char *text;
        int64_t us;
    } good[] = {{"5 minutes", 300000000}, {"1 second", 1000000}, {"500 milliseconds", 500000}, {"1 hour 30 minutes", 5400000000}, {"10s", 10000000},
                {"interval 2 days", 172800000000}, {"0 seconds", 0}, {"1.5 seconds", 1500000},
                {"90d", 7776000000000}, {"2 hrs", 7200000000}, {"7 days", 604800000000}};
    static const char *const bad[] = {"", "5", "minutes", "5 parsecs", "-1 second", "5 minutes and", "1 month", "10 ms x"};
    int64_t us;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(quantity_interval(str_of(good[i].text), &us));
        assert_int_equal(us, good[i].us);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(quantity_interval(str_of(bad[i]), &us));
}

static void sizes_are_read(void **state)
{
    int64_t bytes;

    (void)state;
    assert_true(quantity_size(STR("1GB"), &bytes));
    assert_int_equal(bytes, INT64_C(1) << 30);
    assert_true(quantity_size(STR("512 mb"), &bytes));
    assert_int_equal(bytes, INT64_C(512) << 20);
    assert_true(quantity_size(STR("64k"), &bytes));
    assert_int_equal(bytes, 65536);
    assert_true(quantity_size(STR("1024"), &bytes));
    assert_int_equal(bytes, 1024);
    assert_true(quantity_size(STR("10b"), &bytes));
    assert_int_equal(bytes, 10);
    assert_true(quantity_size(STR("1 tb"), &bytes));
    assert_int_equal(bytes, INT64_C(1) << 40);
    assert_false(quantity_size(STR("1 apple"), &bytes));
    assert_false(quantity_size(STR("-1"), &bytes));
    assert_false(quantity_size(STR("GB"), &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_read),
        cmocka_unit_test(sizes_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
