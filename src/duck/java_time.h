#pragma once
/*
 * duck/java_time.h - datetime patterns as Spark takes them: java.time's DateTimeFormatter, strict, English, with Spark's bans
 *
 * y u year, G era, M L month, d day, D day of the year, Q q quarter, E weekday, F week of the month, a half of the day, H k K h hour,
 * m minute, s second, S fraction, V zone id, z zone name, O X x Z offset, 'text', [optional].
 */
#include "base/arena.h"
#include "base/err.h"
#include "duck/zone.h"

typedef struct JavaTime JavaTime; /* immutable, shared by threads */

/* Lives in arena. Fails as CONFIG with Spark's error class in err->code. parsing: the pattern is to read texts, which E, F, Q cannot. */
int java_time_new(Arena *arena, Str pattern, bool parsing, const JavaTime **out, SiltErr *err);

/* Append a time; zone_name as the user gave it. False: the name of this zone (letter z) is not known. */
bool java_time_format(StrBuf *out, const JavaTime *format, int64_t local_us, int32_t offset_seconds, const char *zone_name);

/* What a text said. */
typedef struct JavaTimeParts {
    int64_t local_us;
    bool has_offset; /* offset_seconds counts */
    int32_t offset_seconds;
    Str zone; /* a zone's name, in the text; empty: none */
} JavaTimeParts;

/* All of the text must fit. NULL, or what is wrong; *at is the byte where. */
const char *java_time_parse(const JavaTime *format, Str text, JavaTimeParts *out, size_t *at);
