#pragma once
/*
 * duck/parse.h - text to values, exactly as Spark's CAST from STRING accepts it in ANSI mode
 *
 * Each gives false when the text is malformed or does not fit. Blanks and control characters at both ends are ignored.
 */
#include "base/str.h"
#include "duck/chunk.h"
#include "duck/zone.h"

bool parse_boolean(Str text, bool *out);                              /* t true y yes 1, f false n no 0, any case */
bool parse_integer(Str text, int64_t min, int64_t max, int64_t *out); /* no fraction, no exponent */
bool parse_double(Str text, double *out);                             /* also 1d, .5, 0x1p3, inf, NaN */
bool parse_float(Str text, float *out);
bool parse_date(Str text, int32_t *out); /* 2026, 2026-1, 2026-1-2, 2026-1-2 and anything after a blank or T */

enum { PARSE_MALFORMED = 1, PARSE_OUT_OF_RANGE = 2 };
/* The unscaled value, rounded half up to scale. 0, PARSE_MALFORMED or PARSE_OUT_OF_RANGE. */
int parse_decimal(Str text, int precision, int scale, __int128 *out);
/* Change the scale, rounding half away from zero. False when the result does not fit the precision. */
bool decimal_rescale(__int128 value, int from_scale, int precision, int scale, __int128 *out);
__int128 decimal_power(int exponent); /* 10^exponent, 0..38 */
/*
 * A decimal of seconds as microseconds: Java multiplies with 34 digits (half even), cuts off what is behind the point, and keeps the lowest 64 bits
 * of what is left.
 */
int64_t decimal_seconds_to_us(__int128 unscaled, int scale);

/* What a timestamp's text holds. */
typedef struct ParsedTimestamp {
    int64_t local_us;
    Str zone;       /* as written after the seconds; empty: none */
    bool just_time; /* no date: local_us is the time of some day */
} ParsedTimestamp;

/* The zone's name is not checked here. */
bool parse_timestamp(Str text, ParsedTimestamp *out);
/* The form of it that machines write, yyyy-mm-ddThh:mm:ss[.f{1,6}]Z, and no other: microseconds in UTC. Quick. */
bool parse_utc(Str text, int64_t *out);

bool parse_time_of_day(Str text, int64_t *us); /* 1:2, 01:02:03.4; digits behind the sixth are cut off */

/* An interval of this type (INTERVAL_YM: months, INTERVAL_DT: microseconds): 1-2, 1 02:03:04.5, or INTERVAL '1' DAY. */
bool parse_interval(Str text, const Type *type, int64_t *out);
/* 1 year 2 days -3.5 seconds */
bool parse_calendar_interval(Str text, ChunkInterval *out);
/* An interval of the column's type, whichever it is, into this row of it. False: the text is none. */
bool parse_interval_put(Str text, const Column *out, uint64_t row);
