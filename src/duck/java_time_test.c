/* duck/java_time_test.c - against what Java answered, see testdata/java_time.txt */
#include "duck/java_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* UTC, +05:30, -03:00 and Europe/Berlin in winter: what the cases use. */
static int32_t offset_of(Str zone)
{
    int offset = 0;
    if (str_is(zone, "Europe/Berlin"))
        return 3600;
    assert_true(zone_parse_offset(zone, &offset));
    return offset;
}

static void put_time(StrBuf *out, const JavaTime *format, const char *us, const char *zone)
{
    int32_t offset = offset_of(str_of(zone));
    assert_true(java_time_format(out, format, atoll(us) + offset * INT64_C(1000000), offset, zone));
}

static void put_parsed(StrBuf *out, const JavaTime *format, const char *text)
{
    JavaTimeParts parts;
    size_t at;
    if (java_time_parse(format, str_of(text), &parts, &at)) {
        str_buf_puts(out, "error");
        return;
    }
    int32_t offset = parts.has_offset ? parts.offset_seconds : parts.zone.size ? offset_of(parts.zone) : 0;
    str_buf_printf(out, "%lld", (long long)(parts.local_us - offset * INT64_C(1000000)));
}

static void times_read_and_write_as_in_java(void **state)
{
    FILE *file = fopen(getenv("SILT_TIME_CASES"), "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    int count = 0;
    (void)state;
    assert_non_null(file);
    while ((size = getline(&line, &capacity, file)) > 0) {
        char *fields[5] = {line};
        if (*line == '#')
            continue;
        line[size - 1] = 0;
        for (int i = 1; i < 5; i++) {
            fields[i] = strchr(fields[i - 1], '\t');
            assert_non_null(fields[i]);
            *fields[i]++ = 0;
        }
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_auto(str_buf_fini) StrBuf got = {0};
        const JavaTime *format;
        SiltErr err;
        bool parsing = *fields[0] == 'P';
        if (java_time_new(arena, str_of(fields[1]), parsing, &format, &err) < 0)
            str_buf_puts(&got, "error");
        else if (parsing)
            put_parsed(&got, format, fields[2]);
        else
            put_time(&got, format, fields[2], fields[3]);
        if (strcmp(str_buf_text(&got), fields[4]) != 0)
            fail_msg("%s \"%s\" of %s\n  gave     %s\n  expected %s", fields[0], fields[1], fields[2], str_buf_text(&got), fields[4]);
        count++;
    }
    free(line);
    fclose(file);
    assert_true(count > 1000);
}

static void banned_letters_have_sparks_error_classes(void **state)
{
    static const char *const cases[][2] = {
        {"n", "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER"},
        {"YYYY", "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION"},
        {"e", "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN"},
        {"qqqqq", "INVALID_DATETIME_PATTERN.LENGTH"},
        {"i", "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER"},
        {"yyyy #", "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        const JavaTime *format;
        SiltErr err;
        assert_true(java_time_new(arena, str_of(cases[i][0]), false, &format, &err) < 0);
        assert_string_equal(err.code, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_read_and_write_as_in_java),
        cmocka_unit_test(banned_letters_have_sparks_error_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
