/* format/quick_test.c - the quick ways give what the exact ones give, take what is usual, and leave everything else alone */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "duck/parse.h"
#include "format/json_quick.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* The text as it stands in a block: others behind it, which must not matter. */
static Str place(char buffer[FORMAT_PADDING * 2], const char *text, uint64_t *seed)
{
    static const char around[] = ",}]. 0\":";
    for (int i = 0; i < FORMAT_PADDING * 2; i++)
        buffer[i] = around[next_random(seed) % 8];
    memcpy(buffer, text, strlen(text));
    return (Str){buffer, strlen(text)};
}

/* Now and then another byte in place of one. */
static void damage(char *text, uint64_t *seed)
{
    static const char bytes[] = "0123456789-+.eE:TZ /\x7f\x80\xff\x01";
    if (*text && next_random(seed) % 2)
        text[next_random(seed) % strlen(text)] = bytes[next_random(seed) % (sizeof bytes - 1)];
}

static bool is_plain_number(Str text, bool *integral)
{
    return value_is_number(text, false, integral);
}

static void whole_numbers(void **state)
{
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        char text[64], buffer[FORMAT_PADDING * 2];
        int64_t is = (int64_t)next_random(&seed) >> next_random(&seed) % 64, got, want;
        snprintf(text, sizeof text, "%lld", (long long)is);
        bool usual = strlen(text) - (*text == '-') <= 16;
        Str at = place(buffer, text, &seed);
        assert_int_equal(json_quick_integer(at.ptr, at.size, &got), usual);
        if (usual)
            assert_int_equal(got, is);
        damage(text, &seed);
        at = place(buffer, text, &seed);
        bool integral;
        if (json_quick_integer(at.ptr, at.size, &got)) {
            assert_true(is_plain_number(at, &integral) && integral);
            assert_true(value_integer(at, INT64_MIN, INT64_MAX, &want));
            assert_int_equal(got, want);
        }
    }
}

static void doubles(void **state)
{
    static const char *const kept[] = {"0", "-0", "0.0", "-0.0", "1.5", "-0.1", "123456789012345", "12345678.9", "1234567.12345678", "0.00000000000001", "1.", ".5", "-.5", "-",
                                       "1..5", "1.2.3", "01.5", "1e5", "1.5e3", "9007199254740993", "", "1.-5", "--1", "+1"};
    uint64_t seed = 2;
    for (int i = 0; i < 200000; i++) {
        char text[64], buffer[FORMAT_PADDING * 2];
        if (i < (int)(sizeof kept / sizeof kept[0]))
            strcpy(text, kept[i]);
        else
            snprintf(text, sizeof text, "%.*f", (int)(next_random(&seed) % 9), (double)((int64_t)next_random(&seed) >> next_random(&seed) % 64) / 1000);
        Str at = place(buffer, text, &seed);
        bool integral;
        double got, want;
        const char *point = strchr(text, '.');
        if (is_plain_number(at, &integral) && at.size <= 15 && !strpbrk(text, "eE") && (!point || point - text < 8))
            assert_true(json_quick_double(at.ptr, at.size, &got));
        for (int step = 0; step < 2; step++) {
            if (json_quick_double(at.ptr, at.size, &got)) {
                assert_true(is_plain_number(at, &integral));
                want = strtod(text, NULL);
                assert_memory_equal(&got, &want, sizeof got);
            }
            damage(text, &seed);
            at = place(buffer, text, &seed);
        }
    }
}

static void instants(void **state)
{
    uint64_t seed = 3;
    for (int i = 0; i < 200000; i++) {
        char text[80], buffer[FORMAT_PADDING * 2];
        int places = (int)(next_random(&seed) % 7);
        int size = snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", (int)(next_random(&seed) % 10000), (int)(next_random(&seed) % 14),
                            (int)(next_random(&seed) % 33), (int)(next_random(&seed) % 25), (int)(next_random(&seed) % 61), (int)(next_random(&seed) % 61));
        snprintf(text + size, sizeof text - (size_t)size, "%s%.*sZ", places ? "." : "", places, &"907102360000"[next_random(&seed) % 6]);
        for (int step = 0; step < 2; step++) {
            Str at = place(buffer, text, &seed);
            ParsedTimestamp parsed;
            int64_t got;
            bool exact = parse_timestamp(at, &parsed) && !parsed.just_time && str_is(parsed.zone, "Z"), quick = parse_utc(at, &got);
            if (step == 0)
                assert_int_equal(quick, exact);
            if (quick) {
                assert_true(exact);
                assert_int_equal(got, parsed.local_us);
            }
            damage(text, &seed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(doubles),
        cmocka_unit_test(instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
