/* format/time_pattern.c - see time_pattern.h */
#include "format/time_pattern.h"

#include "duck/calendar.h"
#include "format/value.h"

static int make(const char *option, const char *text, Arena *arena, const JavaTime **out, SiltErr *err)
{
    *out = NULL;
    if (text && java_time_new(arena, str_of(text), true, out, err) < 0)
        return silt_context(err, "%s: ", option);
    return 0;
}

int time_patterns_of(const FormatOptions *options, Arena *arena, const JavaTime **date, const JavaTime **timestamp, const JavaTime **ntz,
                     SiltErr *err)
{
    SILT_TRY(make("dateFormat", options->date_format, arena, date, err));
    SILT_TRY(make("timestampFormat", options->timestamp_format, arena, timestamp, err));
    return make("timestampNTZFormat", options->timestamp_ntz_format, arena, ntz, err);
}

static bool parse(const JavaTime *pattern, Str text, JavaTimeParts *parts)
{
    size_t at;
    *parts = (JavaTimeParts){0};
    return java_time_parse(pattern, text, parts, &at) == NULL;
}

bool time_pattern_date(const JavaTime *pattern, Str text, int32_t *days)
{
    JavaTimeParts parts;
    if (!parse(pattern, text, &parts))
        return false;
    *days = (int32_t)floor_div(parts.local_us, DAY_US);
    return true;
}

bool time_pattern_timestamp(const JavaTime *pattern, Str text, const Zone *zone, int64_t *us)
{
    JavaTimeParts parts;
    if (!parse(pattern, text, &parts))
        return false;
    if (parts.has_offset)
        return !__builtin_sub_overflow(parts.local_us, parts.offset_seconds * INT64_C(1000000), us);
    if (parts.zone.size > 0 && !(zone = zone_find(parts.zone)))
        return false;
    if (parts.local_us > INT64_MAX - 2 * DAY_US || parts.local_us < INT64_MIN + 2 * DAY_US) /* a zone could lead out */
        return false;
    *us = zone_to_utc_us(zone, parts.local_us);
    return true;
}

bool time_pattern_ntz(const JavaTime *pattern, Str text, int64_t *us)
{
    JavaTimeParts parts;
    if (!parse(pattern, text, &parts) || parts.has_offset || parts.zone.size > 0)
        return false;
    *us = parts.local_us;
    return true;
}
