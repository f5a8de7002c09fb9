#pragma once
/* format/time_pattern.h - dates and times by a pattern of the user (dateFormat, timestampFormat), in Spark's letters: duck/java_time.h */
#include "duck/java_time.h"
#include "format/format.h"
#include "duck/zone.h"

/* Patterns of the options; NULL where none is given. In arena. Fails as CONFIG with the option's name. */
int time_patterns_of(const FormatOptions *options, Arena *arena, const JavaTime **date, const JavaTime **timestamp, const JavaTime **ntz,
                     SiltErr *err);

/* False if the text, all of it, is not of the pattern. */
bool time_pattern_date(const JavaTime *pattern, Str text, int32_t *days);
/* Text without a zone is in `zone`. */
bool time_pattern_timestamp(const JavaTime *pattern, Str text, const Zone *zone, int64_t *us);
bool time_pattern_ntz(const JavaTime *pattern, Str text, int64_t *us);
