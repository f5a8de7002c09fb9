#pragma once
/*
 * duck/number_format.h - number formats of to_char and to_number: [MI|S] [$] digits and separators [.|D digits] [PR|MI|S], upper or lower case
 *
 * 9 is a digit or a blank, 0 a digit; a run of them that begins with 0 has all its digits. "," or G separates thousands.
 */
#include "base/str.h"

enum { NUMBER_DIGITS_MAX = 38, NUMBER_GROUPS_MAX = 38 };

typedef enum NumberSign { SIGN_NONE, SIGN_PLUS_MINUS, SIGN_MINUS } NumberSign;

typedef struct NumberGroup {
    int digits;
    bool all; /* has all its digits: begins with 0 */
} NumberGroup;

typedef struct NumberFormat {
    NumberSign before, after;
    bool dollar, brackets, point;
    NumberGroup groups[NUMBER_GROUPS_MAX]; /* before the point, between separators */
    int group_count;
    int whole, fraction; /* digits before and behind the point */
} NumberFormat;

/* NULL, or Spark's class for what is wrong with the format. */
const char *number_format_parse(Str text, NumberFormat *out);
/* Append a decimal in plain notation ("-12.50"); what does not fit is shown by #. */
void number_format_put(StrBuf *out, const NumberFormat *format, Str decimal);
/* The number as an integer of format->fraction places. False: the text is not of this format. */
bool number_format_read(const NumberFormat *format, Str text, __int128 *out);
