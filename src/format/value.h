#pragma once
/*
 * format/value.h - text to typed values in one exact step, by Spark's rules
 *
 * Each function takes the whole text and returns false when it does not fit; *out is then untouched.
 */
#include "base/str.h"
#include "duck/type.h"
#include "duck/zone.h"

/* Optional sign, digits; nothing else. */
bool value_integer(Str text, int64_t min, int64_t max, int64_t *out);

/*
 * A decimal number with optional fraction and exponent into an unscaled integer of this precision and scale. Digits beyond
 * the scale: refused when `exact` (unless they are zeros), else rounded half up.
 */
bool value_decimal(Str text, int precision, int scale, bool exact, __int128 *out);

/* Is this text a JSON number? *integral: without fraction and exponent. leading_zeros: 007 is fine. */
bool value_is_number(Str text, bool leading_zeros, bool *integral);
/* A text that value_is_number: nearest double or float. *exact (NULL allowed) is false if an integral text is not that very number. */
double value_double(Str text, bool *exact);
float value_float(Str text, bool *exact);

/* As Spark's cast: yyyy[-m[m][-d[d][ T anything]]], blanks around ignored. Days since 1970-01-01. */
bool value_date(Str text, int32_t *out);
/*
 * As Spark's cast: date, then [T ]h[h]:m[m][:s[s][.f*]] and a zone id; text without zone is in `zone`. A time without date is
 * refused (Spark takes today's, which would not be the same at a replay). Microseconds.
 */
bool value_timestamp(Str text, const Zone *zone, int64_t *out);
/* As value_timestamp, and a zone in the text is refused. */
bool value_timestamp_ntz(Str text, int64_t *out);

/* Base64 with padding, line breaks and blanks skipped. Appends. */
bool value_base64(Str text, StrBuf *out);

/* true or false; without case when any_case. */
bool value_boolean(Str text, bool any_case, bool *out);

/* Write a decimal's unscaled value in the physical form of its precision. */
void value_store_decimal(void *data, uint64_t row, int precision, __int128 unscaled);
