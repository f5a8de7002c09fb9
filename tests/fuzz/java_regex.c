/*
 * tests/fuzz/java_regex.c - any bytes as a regular expression, over any text
 *
 * Input: the pattern up to a line feed, the text. All matches are found: they lie in the text, on whole code points, one behind the other. A pattern
 * that goes back for ever is given up after a number of steps, and each step takes a bounded time: libFuzzer ends an input that takes too long.
 */
#include "duck/java_regex.h"
#include "fuzz.h"

enum { STEPS = 200 * 1000 };

/* Not inside of a code point. */
static bool is_edge(Str text, int64_t at)
{
    return at == (int64_t)text.size || ((unsigned char)text.ptr[at] & 0xC0) != 0x80;
}

static void find_all(const JavaRegex *regex, Str text)
{
    JavaMatch match = {.steps_max = STEPS};
    SiltErr err;
    int r = 0;
    for (size_t at = 0; at <= text.size && (r = java_regex_find(regex, text, at, &match, &err)) == 1;) {
        for (int i = 0; i <= java_regex_group_count(regex); i++) {
            int64_t start = match.groups[2 * i], end = match.groups[2 * i + 1];
            if (start < 0)
                continue; /* took no part */
            silt_assert(start <= end && end <= (int64_t)text.size);
            silt_assert(is_edge(text, start) && is_edge(text, end));
        }
        silt_assert(match.groups[0] >= (int64_t)at);
        size_t next = java_match_next(&match, text);
        silt_assert(next > at || match.groups[1] > match.groups[0]);
        silt_assert(next >= at);
        at = next;
    }
    silt_assert(r >= 0 || (err.kind == SILT_INPUT && err.message[0]));
    java_match_fini(&match);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    Str pattern = fuzz_line(&text);
    if (!utf8_valid(pattern) || !utf8_valid(text)) /* both come from SQL strings */
        return 0;
    silt_auto(arena_freep) Arena *arena = arena_new();
    const JavaRegex *regex;
    SiltErr err;
    if (java_regex_new(arena, pattern, &regex, &err) < 0) {
        silt_assert(err.kind == SILT_CONFIG && err.message[0]);
        return 0;
    }
    char *copy = malloc(text.size + 1);
    memcpy(copy, text.ptr, text.size);
    find_all(regex, (Str){copy, text.size});
    free(copy);
    return 0;
}
