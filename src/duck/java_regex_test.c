/* duck/java_regex_test.c - against what Java answered, see testdata/java_regex.txt */
#include "duck/java_regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void put_plain(StrBuf *out, const char *text)
{
    static const char letters[] = "tnr0", values[] = "\t\n\r";
    str_buf_puts(out, "");
    str_buf_reserve(out, 1);
    for (; *text; text++) {
        const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;
        str_buf_putc(out, letter ? values[letter - letters] : *text);
        text += letter != NULL;
    }
}

static void put_escaped(StrBuf *out, Str text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.ptr[i];
        const char *name = c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\t' ? "\\t" : c == 0 ? "\\0" : NULL;
        if (name)
            str_buf_puts(out, name);
        else
            str_buf_putc(out, c);
    }
}

static void put_matches(StrBuf *out, const char *pattern, const char *text)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf plain = {0};
    const JavaRegex *regex;
    JavaMatch match = {0};
    SiltErr err;
    int r = 0;
    if (java_regex_new(arena, str_of(pattern), &regex, &err) < 0) {
        str_buf_puts(out, "error");
        return;
    }
    put_plain(&plain, text);
    Str view = str_buf_view(&plain);
    for (size_t at = 0; at <= view.size && (r = java_regex_find(regex, view, at, &match, &err)) == 1; at = java_match_next(&match, view)) {
        str_buf_putc(out, '[');
        for (int i = 0; i <= java_regex_group_count(regex); i++) {
            if (i)
                str_buf_putc(out, '|');
            if (match.groups[2 * i] < 0)
                str_buf_putc(out, '~');
            else
                put_escaped(out, java_match_group(&match, view, i));
        }
        str_buf_putc(out, ']');
    }
    if (r < 0)
        str_buf_puts(out, err.message);
    java_match_fini(&match);
}

static void patterns_match_what_java_matches(void **state)
{
    FILE *file = fopen(getenv("SILT_REGEX_CASES"), "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    int count = 0;
    (void)state;
    assert_non_null(file);
    while ((size = getline(&line, &capacity, file)) > 0) {
        if (*line == '#')
            continue;
        line[size - 1] = 0;
        char *text = strchr(line, 1), *expected = strchr(text + 1, 1);
        *text++ = *expected++ = 0;
        silt_auto(str_buf_fini) StrBuf got = {0};
        put_matches(&got, line, text);
        if (strcmp(str_buf_text(&got), expected) != 0)
            fail_msg("%s over \"%s\"\n  gave     %s\n  expected %s", line, text, str_buf_text(&got), expected);
        count++;
    }
    free(line);
    fclose(file);
    assert_true(count > 1000);
}

static void a_pattern_that_never_ends_is_given_up(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const JavaRegex *regex;
    JavaMatch match = {0};
    SiltErr err;
    (void)state;
    assert_int_equal(java_regex_new(arena, STR("(a+)+b"), &regex, &err), 0);
    assert_true(java_regex_find(regex, STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), 0, &match, &err) < 0);
    assert_int_equal(err.kind, SILT_INPUT);
    java_match_fini(&match);
}

/* Whatever the time goes into: it is counted. */
static void all_work_is_steps(void **state)
{
    static const char *const patterns[] = {"a{50000}b", "(a+)(?:\\1)*?b", "(?<=a{30000})b", "(?:a?)*+b", "(?i)(A+)\\1b"};
    silt_auto(str_buf_fini) StrBuf text = {0};
    (void)state;
    for (int i = 0; i < 40000; i++)
        str_buf_putc(&text, 'a');
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        const JavaRegex *regex;
        JavaMatch match = {.steps_max = 1000 * 1000};
        SiltErr err;
        assert_int_equal(java_regex_new(arena, str_of(patterns[i]), &regex, &err), 0);
        if (java_regex_find(regex, str_buf_view(&text), 0, &match, &err) >= 0)
            fail_msg("%s: %lld steps", patterns[i], (long long)match.steps);
        java_match_fini(&match);
    }
}

static void a_pattern_is_made_in_bounded_time_and_memory(void **state)
{
    static const char *const large[] = {"(ab){0,2000000000}", "(ab){2000000000}", "(?:(?:ab){300}){400}", "(?:a|b){0,99999}{0,99999}"};
    static const char *const small[] = {"(?:){2000000000}", "(?:(?:){2000000000}){2000000000}", "(?:(?:(?:){9}){2000000000}b){2}", "a{2000000000}"};
    SiltErr err;
    const JavaRegex *regex;
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        assert_true(java_regex_new(arena, str_of(large[i]), &regex, &err) < 0);
        assert_string_equal(err.message, "the pattern is too large");
    }
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        if (java_regex_new(arena, str_of(small[i]), &regex, &err) < 0)
            fail_msg("%s: %s", small[i], err.message);
    }
}

static void what_is_not_supported_is_refused_by_name(void **state)
{
    static const char *const patterns[] = {"\\X", "\\G", "\\p{IsLatin}", "\\p{InGreek}", "(?U)a", "\\b{g}", "\\N{DIGIT ONE}"};
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        const JavaRegex *regex;
        SiltErr err;
        assert_true(java_regex_new(arena, str_of(patterns[i]), &regex, &err) < 0);
        assert_non_null(strstr(err.message, "not supported"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_what_java_matches),
        cmocka_unit_test(a_pattern_that_never_ends_is_given_up),
        cmocka_unit_test(all_work_is_steps),
        cmocka_unit_test(a_pattern_is_made_in_bounded_time_and_memory),
        cmocka_unit_test(what_is_not_supported_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
