/* format/time_pattern.c - see time_pattern.h */
#include "format/time_pattern.h"

#include "duck/calendar.h"

#include <string.h>
#include <strings.h>

typedef struct Item {
    char letter; /* 0: literal text; '[' and ']': optional section */
    int width;
    Str text;
    int close; /* '[': index of its ']' */
} Item;

struct TimePattern {
    Item *items;
    int count, capacity;
};

static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};
static const char *const weekdays[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

int time_pattern_new(Arena *arena, const char *text, const TimePattern **out, SiltErr *err)
{
    TimePattern *pattern = ARENA_NEW(arena, TimePattern);
    int open[16], depth = 0;
    for (const char *p = text; *p;) {
        Item item = {0};
        char c = *p;
        if (c == '\'') {
            const char *end = p[1] == '\'' ? p + 1 : strchr(p + 1, '\'');
            if (!end)
                return silt_fail(err, SILT_CONFIG, "pattern \"%s\": a quote is not closed", text);
            item.text = p[1] == '\'' ? STR("'") : (Str){p + 1, (size_t)(end - p - 1)};
            p = end + 1;
        } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            if (!strchr("yuMLdDHkhKmsSaEXxZOzV", c)) {
                silt_fail(err, SILT_CONFIG, "pattern \"%s\": cannot read the letter %c", text, c);
                return silt_hint(err, "Text stands in single quotes: 'T'.");
            }
            item.letter = c;
            while (*p == c) {
                item.width++;
                p++;
            }
        } else if (c == '[' || c == ']') {
            item.letter = c;
            if (c == '[') {
                if (depth == 16)
                    return silt_fail(err, SILT_CONFIG, "pattern \"%s\": too many optional sections in one another", text);
                open[depth++] = pattern->count;
            } else {
                if (depth == 0)
                    return silt_fail(err, SILT_CONFIG, "pattern \"%s\": ] without [", text);
                pattern->items[open[--depth]].close = pattern->count;
            }
            p++;
        } else {
            item.text = (Str){p++, 1};
        }
        if (item.text.size)
            item.text = arena_str(arena, item.text);
        ARENA_PUSH(arena, pattern->items, pattern->count, pattern->capacity, item);
    }
    if (depth > 0)
        return silt_fail(err, SILT_CONFIG, "pattern \"%s\": [ without ]", text);
    *out = pattern;
    return 0;
}

int time_patterns_of(const FormatOptions *options, Arena *arena, const TimePattern **date, const TimePattern **timestamp,
                     const TimePattern **ntz, SiltErr *err)
{
    *date = *timestamp = *ntz = NULL;
    if (options->date_format)
        SILT_TRY(time_pattern_new(arena, options->date_format, date, err));
    if (options->timestamp_format)
        SILT_TRY(time_pattern_new(arena, options->timestamp_format, timestamp, err));
    if (options->timestamp_ntz_format)
        SILT_TRY(time_pattern_new(arena, options->timestamp_ntz_format, ntz, err));
    return 0;
}

typedef struct Parsed {
    int64_t year, month, day, day_of_year, hour, half_hour, minute, second, micros;
    int half; /* 0 AM, 1 PM, -1 not given */
    Str zone; /* ptr NULL: none */
} Parsed;

static bool take_digits(const char **p, const char *end, int min, int max, int64_t *out)
{
    int64_t value = 0;
    int count = 0;
    while (*p < end && count < max && **p >= '0' && **p <= '9') {
        value = value * 10 + (*(*p)++ - '0');
        count++;
    }
    *out = value;
    return count >= min;
}

/* A name of the list, in full or (short_width) its first three letters, without case. */
static bool take_name(const char **p, const char *end, const char *const *names, int count, bool full, int64_t *index)
{
    for (int i = 0; i < count; i++) {
        size_t size = full ? strlen(names[i]) : 3;
        if ((size_t)(end - *p) >= size && strncasecmp(*p, names[i], size) == 0) {
            *p += size;
            *index = i;
            return true;
        }
    }
    return false;
}

static bool take_zone(const char **p, const char *end, const Item *item, Parsed *out)
{
    const char *start = *p;
    const char *q = start;
    if (item->letter == 'z' || item->letter == 'V' || item->letter == 'O') {
        while (q < end && ((*q >= 'a' && *q <= 'z') || (*q >= 'A' && *q <= 'Z') || (*q >= '0' && *q <= '9') || strchr("_/+-:", *q)))
            q++;
    } else if (q < end && *q == 'Z' && (item->letter == 'X' || (item->letter == 'Z' && item->width == 5))) {
        q++;
    } else if (q < end && (*q == '+' || *q == '-')) {
        q++;
        while (q < end && ((*q >= '0' && *q <= '9') || *q == ':'))
            q++;
    }
    if (q == start)
        return false;
    out->zone = (Str){start, (size_t)(q - start)};
    *p = q;
    return true;
}

static bool take_items(const TimePattern *pattern, int from, int to, const char **p, const char *end, Parsed *out)
{
    for (int i = from; i < to; i++) {
        const Item *item = &pattern->items[i];
        int width = item->width;
        bool adjacent = i + 1 < to && pattern->items[i + 1].letter && strchr("yuMLdDHkhKmsS", pattern->items[i + 1].letter);
        int most = width == 1 ? 2 : width;
        int64_t value = 0;
        switch (item->letter) {
        case 0:
            if ((size_t)(end - *p) < item->text.size || memcmp(*p, item->text.ptr, item->text.size) != 0)
                return false;
            *p += item->text.size;
            break;
        case '[': {
            const char *before = *p;
            Parsed saved = *out;
            if (!take_items(pattern, i + 1, item->close, p, end, out)) {
                *p = before;
                *out = saved;
            }
            i = item->close;
            break;
        }
        case 'y':
        case 'u': {
            bool negative = *p < end && **p == '-' && item->letter == 'u';
            *p += negative;
            if (!take_digits(p, end, width == 2 ? 2 : width, width == 2 ? 2 : adjacent ? width : 6, &value))
                return false;
            out->year = width == 2 ? 2000 + value : negative ? -value : value;
            break;
        }
        case 'M':
        case 'L':
            if (width >= 3) {
                if (!take_name(p, end, months, 12, width >= 4, &value))
                    return false;
                value++;
            } else if (!take_digits(p, end, width, most, &value))
                return false;
            out->month = value;
            break;
        case 'd':
            if (!take_digits(p, end, width, most, &out->day))
                return false;
            break;
        case 'D':
            if (!take_digits(p, end, width, 3, &out->day_of_year))
                return false;
            break;
        case 'H':
        case 'k':
            if (!take_digits(p, end, width, most, &out->hour))
                return false;
            if (item->letter == 'k' && out->hour == 24)
                out->hour = 0;
            break;
        case 'h':
        case 'K':
            if (!take_digits(p, end, width, most, &out->half_hour) || out->half_hour > 12)
                return false;
            out->half_hour %= 12;
            out->hour = -1;
            break;
        case 'm':
            if (!take_digits(p, end, width, most, &out->minute))
                return false;
            break;
        case 's':
            if (!take_digits(p, end, width, most, &out->second))
                return false;
            break;
        case 'S': {
            const char *start = *p;
            if (!take_digits(p, end, width, width, &value))
                return false;
            int digits = (int)(*p - start);
            for (; digits < 6; digits++)
                value *= 10;
            for (; digits > 6; digits--)
                value /= 10;
            out->micros = value;
            break;
        }
        case 'a':
            if (end - *p < 2 || (strncasecmp(*p, "AM", 2) != 0 && strncasecmp(*p, "PM", 2) != 0))
                return false;
            out->half = **p == 'P' || **p == 'p';
            *p += 2;
            break;
        case 'E':
            if (!take_name(p, end, weekdays, 7, width >= 4, &value))
                return false;
            break;
        case ']':
            break;
        default:
            if (!take_zone(p, end, item, out))
                return false;
        }
    }
    return true;
}

static bool parse(const TimePattern *pattern, Str text, int64_t *local_us, Str *zone)
{
    Parsed parsed = {.year = 1970, .month = 1, .day = 1, .half = -1};
    const char *p = text.ptr, *end = p + text.size;
    if (!take_items(pattern, 0, pattern->count, &p, end, &parsed) || p != end)
        return false;
    if (parsed.hour == -1)
        parsed.hour = parsed.half_hour + (parsed.half == 1 ? 12 : 0);
    if (parsed.hour > 23 || parsed.minute > 59 || parsed.second > 59)
        return false;
    int64_t days;
    if (parsed.day_of_year) {
        if (parsed.day_of_year > 365 + calendar_is_leap(parsed.year))
            return false;
        days = calendar_days(parsed.year, 1, 1) + parsed.day_of_year - 1;
    } else {
        if (parsed.month < 1 || parsed.month > 12 || parsed.day < 1 || parsed.day > calendar_month_days(parsed.year, (int)parsed.month))
            return false;
        days = calendar_days(parsed.year, (int)parsed.month, (int)parsed.day);
    }
    if (days > INT64_C(106000000) || days < -INT64_C(106000000)) /* beyond what microseconds hold */
        return false;
    *local_us = (days * 86400 + parsed.hour * 3600 + parsed.minute * 60 + parsed.second) * 1000000 + parsed.micros;
    *zone = parsed.zone;
    return true;
}

bool time_pattern_date(const TimePattern *pattern, Str text, int32_t *days)
{
    int64_t us;
    Str zone;
    if (!parse(pattern, text, &us, &zone))
        return false;
    *days = (int32_t)floor_div(us, DAY_US);
    return true;
}

bool time_pattern_timestamp(const TimePattern *pattern, Str text, const LocalZone *zone, int64_t *us)
{
    int64_t local;
    Str id;
    if (!parse(pattern, text, &local, &id))
        return false;
    if (id.ptr && !(zone = local_zone_find(id)))
        return false;
    int64_t seconds = floor_div(local, 1000000);
    *us = local_zone_to_utc(zone, seconds) * 1000000 + (local - seconds * 1000000);
    return true;
}

bool time_pattern_ntz(const TimePattern *pattern, Str text, int64_t *us)
{
    Str id;
    int64_t local;
    if (!parse(pattern, text, &local, &id) || id.ptr)
        return false;
    *us = local;
    return true;
}
