/*
 * tests/fuzz/java_time.c - any bytes as a datetime pattern, and as a text to be read by it
 *
 * Input: 8 bytes of a time, 3 of an offset, the pattern up to a line feed, the text. A pattern is refused with Spark's error class. What a pattern
 * prints is UTF-8 where the pattern is; where the same pattern reads it, and its fields are kept apart, the time it read prints the same again.
 */
#include "duck/java_time.h"
#include "fuzz.h"

enum { YEAR_US_MAX = 290000 }; /* years around 1970 */

static const char *const zones[] = {"UTC", "Europe/Berlin", "+01:00", "GMT"};

static void check_parts(const JavaTimeParts *parts, Str text)
{
    silt_assert(!parts->zone.size || (parts->zone.ptr >= text.ptr && parts->zone.ptr + parts->zone.size <= text.ptr + text.size));
    silt_assert(!parts->has_offset || (parts->offset_seconds > -19 * 3600 && parts->offset_seconds < 19 * 3600));
}

/*
 * Is there something between any two fields, so that none can read what belongs to another? Names of zones and offsets go on with signs and colons. A day
 * of the year without a year says nothing.
 */
static bool keeps_apart(Str pattern)
{
    char field = 0;
    bool quoted = false, day_of_year = false, year = false, zone = false;
    for (size_t i = 0; i < pattern.size; i++) {
        char c = pattern.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        quoted ^= c == '\'';
        if ((c >= '0' && c <= '9') || (zone && c && strchr("+-:/_'", c)))
            return false;
        if (c != '[' && c != ']')
            zone = !quoted && c && strchr("VzOxXZ", c);
        if (quoted || !letter) {
            field = c == '[' || c == ']' ? (field ? '[' : 0) : 0;
            continue;
        }
        if (field && c != field)
            return false;
        field = c;
        day_of_year |= c == 'D';
        year |= c == 'y' || c == 'u';
    }
    return year || !day_of_year;
}

static void print_and_read(const JavaTime *print, const JavaTime *read, int64_t local_us, int32_t offset, const char *zone, Str pattern)
{
    silt_auto(str_buf_fini) StrBuf text = {0}, again = {0};
    JavaTimeParts parts;
    size_t at;
    if (!java_time_format(&text, print, local_us, offset, zone))
        return;
    Str printed = str_buf_view(&text);
    if (utf8_valid(pattern))
        silt_assert(utf8_valid(printed));
    if (!read || java_time_parse(read, printed, &parts, &at))
        return;
    check_parts(&parts, printed);
    silt_auto(str_buf_fini) StrBuf name = {0};
    str_buf_str(&name, parts.zone);
    if (!keeps_apart(pattern))
        return;
    if (java_time_format(&again, print, parts.local_us, parts.has_offset ? parts.offset_seconds : offset, parts.zone.size ? str_buf_text(&name) : zone))
        fuzz_same("read and printed again", printed, str_buf_view(&again)); /* else what was read is no zone: "UTC-7" of "z-y" */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data, size};
    int64_t local_us = (int64_t)fuzz_number(&rest, 8) % (YEAR_US_MAX * INT64_C(31556952000000));
    int32_t offset = (int32_t)(fuzz_number(&rest, 3) % (36 * 3600 + 1)) - 18 * 3600;
    Str pattern = fuzz_line(&rest);
    silt_auto(arena_freep) Arena *arena = arena_new();
    const JavaTime *print = NULL, *read = NULL;
    SiltErr err;
    if (java_time_new(arena, pattern, false, &print, &err) < 0) {
        silt_assert(err.kind == SILT_CONFIG && err.code[0]);
        silt_assert(java_time_new(arena, pattern, true, &read, &err) < 0); /* reading is stricter */
        return 0;
    }
    if (java_time_new(arena, pattern, true, &read, &err) < 0) {
        silt_assert(err.kind == SILT_CONFIG && err.code[0]);
        read = NULL;
    }
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        print_and_read(print, read, local_us, offset, zones[i], pattern);
    if (read) {
        JavaTimeParts parts;
        size_t at;
        char *text = malloc(rest.size + 1); /* exactly: the sanitizer sees what lies behind */
        memcpy(text, rest.ptr, rest.size);
        const char *wrong = java_time_parse(read, (Str){text, rest.size}, &parts, &at);
        silt_assert(at <= rest.size);
        check_parts(&parts, (Str){text, rest.size});
        silt_auto(str_buf_fini) StrBuf out = {0};
        if (!wrong)
            java_time_format(&out, print, parts.local_us, parts.offset_seconds, "UTC");
        free(text);
    }
    return 0;
}
