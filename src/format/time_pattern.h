#pragma once
/*
 * format/time_pattern.h - dates and times by a pattern of the user (dateFormat, timestampFormat), in Spark's letters
 *
 * y u year, M L month (text from three letters on), d day, D day of the year, H k h K hour, m minute, s second, S fraction, a half of the day,
 * E weekday (read over), X x Z O offset, z V zone id, 'text', [optional]. A number is as wide as its letters say, or one to
 * two digits for a single letter.
 */
#include "format/format.h"
#include "format/local_zone.h"

typedef struct TimePattern TimePattern;

/* Lives in arena. Fails as CONFIG when a letter is unknown. */
int time_pattern_new(Arena *arena, const char *text, const TimePattern **out, SiltErr *err);
/* Patterns of the options; NULL where none is given. */
int time_patterns_of(const FormatOptions *options, Arena *arena, const TimePattern **date, const TimePattern **timestamp,
                     const TimePattern **ntz, SiltErr *err);

/* False if the text, all of it, is not of the pattern. */
bool time_pattern_date(const TimePattern *pattern, Str text, int32_t *days);
bool time_pattern_timestamp(const TimePattern *pattern, Str text, const LocalZone *zone, int64_t *us);
bool time_pattern_ntz(const TimePattern *pattern, Str text, int64_t *us);
