/*
 * duck/java_math_test.c - against the results of Java's StrictMath
 *
 * Each function is asked for 20,000 arguments of one sequence, and the bits of all results go into one number (FNV-1a by words), which Java 17 has made in the
 * same way: xorshift64 from 88172645463325252; by turns its bits as a double, its upper 53 bits as a number from -1 to 1, and that times 800 and times 16.
 */
#include "duck/java_math.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    uint64_t hash;
} functions[] = {
    {"exp", java_exp, NULL, UINT64_C(0x1de262c462d5b80)},       {"expm1", java_expm1, NULL, UINT64_C(0x245cdec3689625ed)},
    {"log", java_log, NULL, UINT64_C(0x495c5254d6aac0d9)},      {"log10", java_log10, NULL, UINT64_C(0xc624f20508907b86)},
    {"log1p", java_log1p, NULL, UINT64_C(0x4c5cbd3fac43ebeb)},  {"pow", NULL, java_pow, UINT64_C(0x6e75966c9ffdcc2b)},
    {"cbrt", java_cbrt, NULL, UINT64_C(0xd4540f17a7e41196)},    {"hypot", NULL, java_hypot, UINT64_C(0x7a76d852d08da254)},
    {"asin", java_asin, NULL, UINT64_C(0x3bc8107f0bd2cd7d)},    {"acos", java_acos, NULL, UINT64_C(0x267437588580a7f6)},
    {"atan", java_atan, NULL, UINT64_C(0xab7071d447b507f2)},    {"atan2", NULL, java_atan2, UINT64_C(0x2cdbeaf895fd0762)},
    {"sinh", java_sinh, NULL, UINT64_C(0x4aabad6f2ab10b12)},    {"cosh", java_cosh, NULL, UINT64_C(0x6432f0253eb9fd6d)},
    {"tanh", java_tanh, NULL, UINT64_C(0xa9bac17838d50272)},
};

static double next(uint64_t *state, int turn)
{
    uint64_t s = *state;
    double raw;

    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    *state = s;
    memcpy(&raw, &s, sizeof raw);
    double part = (double)((int64_t)s >> 11) * 0x1p-52;

    return turn % 4 == 0 ? raw : turn % 4 == 1 ? part : turn % 4 == 2 ? part * 800 : part * 16;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? UINT64_C(0x7FF8000000000000) : bits;
}

static void every_result_has_the_bits_of_java(void **state)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        uint64_t sequence = UINT64_C(88172645463325252), hash = UINT64_C(0xcbf29ce484222325);

        for (int i = 0; i < 20000; i++) {
            double x = next(&sequence, i), y = next(&sequence, i / 4);

            hash = (hash ^ bits_of(functions[f].one ? functions[f].one(x) : functions[f].two(x, y))) * UINT64_C(0x100000001b3);
        }
        if (hash != functions[f].hash)
            fail_msg("%s has other bits than Java", functions[f].name);
    }
}

static void ends_and_signs_are_kept(void **state)
{
    static const struct {
        double x, y, pow, atan2;
    } cases[] = {
        {0.0, -1, HUGE_VAL, 3.141592653589793},  {-0.0, -1, -HUGE_VAL, -3.141592653589793},
        {-0.0, 3, -0.0, -0.0},                   {-HUGE_VAL, 3, -HUGE_VAL, -1.5707963267948966},
        {-HUGE_VAL, 0.5, HUGE_VAL, -1.5707963267948966}, {1, HUGE_VAL, (double)NAN, 0.0},
        {(double)NAN, 0, 1, (double)NAN},        {-1, HUGE_VAL, (double)NAN, -0.0},
        {HUGE_VAL, -HUGE_VAL, 0, 2.356194490192345}, {2, -1074, 0x1p-1074, 3.1397304583494283},
        {2, -1075, 0, 3.1397321906200713},        {0x1p-1074, -1, HUGE_VAL, 3.141592653589793},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(bits_of(java_pow(cases[i].x, cases[i].y)), bits_of(cases[i].pow));
        assert_int_equal(bits_of(java_atan2(cases[i].x, cases[i].y)), bits_of(cases[i].atan2));
    }
    assert_int_equal(bits_of(java_cbrt(-0x1p-1074)), bits_of(-0x1p-358));
    assert_int_equal(bits_of(java_hypot(0x1p-1074, 0x1.8p-1073)), bits_of(0x1p-1074 * 3));
    assert_int_equal(bits_of(java_sinh(-0.0)), bits_of(-0.0));
    assert_int_equal(bits_of(java_cosh(-HUGE_VAL)), bits_of(HUGE_VAL));
    assert_int_equal(bits_of(java_asin(1)), bits_of(1.5707963267948966));
    assert_int_equal(bits_of(java_acos(-1)), bits_of(3.141592653589793));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_has_the_bits_of_java),
        cmocka_unit_test(ends_and_signs_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
