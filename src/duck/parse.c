/* duck/parse.c - text to values, exactly as Spark's CAST from STRING accepts it in ANSI mode */
#include "duck/parse.h"

#include "duck/calendar.h"
#include "duck/digits.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return (unsigned char)c <= 0x20 || c == 0x7f;
}

static Str trim(Str text)
{
    while (text.size && is_blank(*text.ptr)) {
        text.ptr++;
        text.size--;
    }
    while (text.size && is_blank(text.ptr[text.size - 1]))
        text.size--;
    return text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(Str text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (str_is_nocase(text, words[i]))
            return true;
    return false;
}

bool parse_boolean(Str text, bool *out)
{
    static const char *const yes[] = {"t", "true", "y", "yes", "1"}, *const no[] = {"f", "false", "n", "no", "0"};
    text = trim(text);
    *out = is_one_of(text, yes, 5);
    return *out || is_one_of(text, no, 5);
}

bool parse_integer(Str text, int64_t min, int64_t max, int64_t *out)
{
    text = trim(text);
    if (text.size && *text.ptr == '+') {
        text.ptr++;
        text.size--;
        if (text.size == 0 || !is_digit(*text.ptr))
            return false;
    }
    return str_to_int64(text, out) && *out >= min && *out <= max;
}

/* ---- floating point ---- */

/* What Java's parseDouble takes, but for blanks: sign, digits with a point, exponent, suffix f or d; or hexadecimal with p. */
static bool is_java_number(const char *p)
{
    p += *p == '+' || *p == '-';
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    p += hex ? 2 : 0;
    int digits = 0;
    for (bool point = false; (hex ? isxdigit((unsigned char)*p) : is_digit(*p)) || (*p == '.' && !point); p++) {
        point |= *p == '.';
        digits += *p != '.';
    }
    if (digits == 0)
        return false;
    if (hex ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        if (!is_digit(*p))
            return false;
        while (is_digit(*p))
            p++;
    } else if (hex) {
        return false;
    }
    p += *p == 'f' || *p == 'F' || *p == 'd' || *p == 'D';
    return *p == 0;
}

/*
 * Plain numbers of at most 15 digits: mantissa and power of ten are exact doubles, so one operation gives the nearest result. False:
 * anything else, right or wrong.
 */
static bool parse_plain_double(Str text, double *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = text.ptr, *end = text.ptr + text.size;
    bool negative = p < end && *p == '-';
    p += negative;
    int64_t mantissa = 0;
    int digits = 0, fraction = 0;
    for (bool point = false; p < end; p++) {
        if (*p == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(*p) || digits == 15)
            return false;
        mantissa = mantissa * 10 + (*p - '0');
        digits++;
        fraction += point;
    }
    if (digits == 0)
        return false;
    double value = (double)mantissa / powers[fraction];
    *out = negative ? -value : value;
    return true;
}

static bool parse_floating(Str text, bool single, double *out)
{
    static const char *const infinite[] = {"infinity", "inf", "+infinity", "+inf"}, *const negative[] = {"-infinity", "-inf"};
    text = trim(text);
    if (!single && parse_plain_double(text, out))
        return true;
    if (is_one_of(text, infinite, 4) || is_one_of(text, negative, 2)) {
        *out = *text.ptr == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (str_is_nocase(text, "nan") || str_is(text, "+NaN") || str_is(text, "-NaN")) {
        *out = NAN;
        return true;
    }
    char on_stack[64];
    char *copy = text.size < sizeof on_stack ? on_stack : silt_alloc(text.size + 1);
    memcpy(copy, text.size ? text.ptr : "", text.size);
    copy[text.size] = 0;
    bool fits = strlen(copy) == text.size && is_java_number(copy);
    if (fits)
        *out = single ? (double)strtof(copy, NULL) : strtod(copy, NULL); /* stops at the suffix */
    if (copy != on_stack)
        free(copy);
    return fits;
}

bool parse_double(Str text, double *out)
{
    return parse_floating(text, false, out);
}

bool parse_float(Str text, float *out)
{
    double value;
    if (!parse_floating(text, true, &value))
        return false;
    *out = (float)value;
    return true;
}

/* ---- decimals ---- */

__int128 decimal_power(int exponent)
{
    static const int64_t powers[] = {1,
                                     10,
                                     100,
                                     1000,
                                     10000,
                                     100000,
                                     1000000,
                                     10000000,
                                     100000000,
                                     1000000000,
                                     10000000000,
                                     100000000000,
                                     1000000000000,
                                     10000000000000,
                                     100000000000000,
                                     1000000000000000,
                                     10000000000000000,
                                     100000000000000000,
                                     1000000000000000000};
    silt_assert(exponent >= 0 && exponent <= 38);
    if (exponent <= 18)
        return powers[exponent];
    if (exponent <= 36)
        return (__int128)powers[18] * powers[exponent - 18];
    return (__int128)powers[18] * powers[18] * powers[exponent - 36];
}

static bool fits_precision(__int128 value, int precision)
{
    __int128 limit = decimal_power(precision);
    return value < limit && value > -limit;
}

bool decimal_rescale(__int128 value, int from_scale, int precision, int scale, __int128 *out)
{
    if (scale >= from_scale) {
        if (scale - from_scale > 38)
            return value == 0 && (*out = 0, true);
        if (__builtin_mul_overflow(value, decimal_power(scale - from_scale), &value))
            return false;
    } else {
        if (from_scale - scale > 38)
            value = 0;
        else {
            __int128 unit = decimal_power(from_scale - scale), rest = value % unit;
            value /= unit;
            if (rest >= unit - rest && rest > 0)
                value++;
            else if (-rest >= unit + rest && rest < 0)
                value--;
        }
    }
    *out = value;
    return fits_precision(value, precision);
}

static int parse_plain_decimal(Str text, int precision, int scale, __int128 *out)
{
    text = trim(text);
    const char *p = text.ptr, *end = text.ptr + text.size;
    bool negative = p < end && *p == '-', point = false;
    p += p < end && (*p == '-' || *p == '+');

    /* first the shape: where the digits are, and the exponent */
    const char *digits = p;
    int64_t digit_count = 0, fraction = 0, exponent = 0;
    for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        digit_count++;
        fraction += point;
    }
    const char *digits_end = p;
    if (digit_count == 0)
        return PARSE_MALFORMED;
    if (p < end && (*p == 'e' || *p == 'E')) {
        bool down = ++p < end && *p == '-';
        p += p < end && (*p == '-' || *p == '+');
        if (p == end || end - p > 10)
            return PARSE_MALFORMED;
        for (; p < end && is_digit(*p); p++)
            exponent = exponent * 10 + (*p - '0');
        exponent = down ? -exponent : exponent;
        if (exponent > INT32_MAX || exponent < -INT32_MAX)
            return PARSE_MALFORMED;
    }
    if (p != end)
        return PARSE_MALFORMED;

    /* then its digits down to the scale, and the one after, which rounds */
    int64_t wanted = digit_count - fraction + exponent + scale; /* digits that stay */
    __int128 value = 0;
    const __int128 room = decimal_power(37); /* one more digit fits below it */
    bool round_up = false;
    int64_t index = 0;
    for (const char *d = digits; d < digits_end; d++) {
        if (*d == '.')
            continue;
        if (index < wanted) {
            if (value >= room)
                return PARSE_OUT_OF_RANGE;
            value = value * 10 + (*d - '0');
        } else if (index == wanted) {
            round_up = *d >= '5';
        }
        index++;
    }
    if (value == 0 && !round_up) {
        *out = 0;
        return 0;
    }
    for (; index < wanted; index++) {
        if (value >= room)
            return PARSE_OUT_OF_RANGE;
        value *= 10;
    }
    value += round_up;
    if (!fits_precision(value, precision))
        return PARSE_OUT_OF_RANGE;
    *out = negative ? -value : value;
    return 0;
}

/* The digits of other scripts that Java's numbers know (those of the first 65,536 code points) as 0 to 9. False: there are none. */
static bool ascii_digits(Str text, StrBuf *out)
{
    static const uint16_t zeros[] = {0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
                                     0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
                                     0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10};
    bool found = false;
    for (size_t i = 0; i < text.size;) {
        const unsigned char *c = (const unsigned char *)text.ptr + i;
        size_t size = c[0] < 0x80 ? 1 : c[0] < 0xE0 ? 2 : 3;
        int digit = -1;
        if (i + size > text.size)
            return false;
        uint32_t code = size == 1 ? c[0] : size == 2 ? (c[0] & 0x1Fu) << 6 | (c[1] & 0x3Fu) : (c[0] & 0xFu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu);
        for (size_t k = 0; k < sizeof zeros / sizeof *zeros && size > 1; k++)
            if (code >= zeros[k] && code < zeros[k] + 10u)
                digit = (int)(code - zeros[k]);
        if (size > 1 && digit < 0)
            return false;
        found |= digit >= 0;
        str_buf_putc(out, digit < 0 ? (char)code : (char)('0' + digit));
        i += size;
    }
    return found;
}

int parse_decimal(Str text, int precision, int scale, __int128 *out)
{
    int r = parse_plain_decimal(text, precision, scale, out);
    if (r != PARSE_MALFORMED)
        return r;
    silt_auto(str_buf_fini) StrBuf plain = {0};
    return ascii_digits(text, &plain) ? parse_plain_decimal(str_buf_view(&plain), precision, scale, out) : PARSE_MALFORMED;
}

int64_t decimal_seconds_to_us(__int128 unscaled, int scale)
{
    enum { JAVA_DIGITS = 34 };
    int digits = 0;

    for (__int128 rest = unscaled; rest; rest /= 10)
        digits++;
    if (digits > JAVA_DIGITS) {
        __int128 unit = decimal_power(digits - JAVA_DIGITS), left = unscaled % unit, twice = (left < 0 ? -left : left) * 2;

        unscaled /= unit;
        if (twice > unit || (twice == unit && unscaled % 2))
            unscaled += left < 0 ? -1 : 1;
        scale -= digits - JAVA_DIGITS;
    }
    if (scale > 6)
        return (int64_t)(uint64_t)(unsigned __int128)(unscaled / decimal_power(scale - 6));
    uint64_t us = (uint64_t)(unsigned __int128)unscaled;

    for (int i = scale; i < 6; i++)
        us *= 10;
    return (int64_t)us;
}

/* ---- dates ---- */

bool parse_date(Str text, int32_t *out)
{
    text = trim(text);
    const char *p = text.ptr, *end = text.ptr + text.size;
    if (p == end)
        return false;
    int sign = *p == '-' ? -1 : 1;
    p += *p == '-' || *p == '+';
    int segments[3] = {1, 1, 1}, segment = 0, value = 0, digits = 0;
    for (; p < end && *p != ' ' && *p != 'T'; p++) {
        if (segment < 2 && *p == '-') {
            if (segment == 0 ? digits < 4 : digits == 0)
                return false;
            segments[segment++] = value;
            value = digits = 0;
        } else {
            if (!is_digit(*p) || digits == (segment == 0 ? 7 : 2))
                return false;
            value = value * 10 + (*p - '0');
            digits++;
        }
    }
    if ((segment == 0 ? digits < 4 : digits == 0) || (segment < 2 && p < end))
        return false;
    segments[segment] = value;
    int64_t year = (int64_t)sign * segments[0];
    if (segments[1] < 1 || segments[1] > 12 || segments[2] < 1 || segments[2] > calendar_month_days(year, segments[1]))
        return false;
    int64_t days = calendar_days(year, segments[1], segments[2]);
    *out = (int32_t)days;
    return days == *out;
}

/* ---- timestamps ---- */

enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, FRACTION, ZONE, SEGMENTS };

static bool digits_fit(int segment, int digits)
{
    switch (segment) {
    case YEAR:
        return digits >= 4 && digits <= 6;
    case FRACTION: /* more than six are cut off */
        return true;
    case ZONE:
        return digits == 0;
    default:
        return digits == 1 || digits == 2;
    }
}

/* Walks over the text once; `segment` is what the digits belong to. As Spark, the zone may follow the seconds only. */
bool parse_timestamp(Str text, ParsedTimestamp *out)
{
    bool starts_with_t = text.size && *text.ptr == 'T';
    text = trim(text);
    const char *p = text.ptr, *end = text.ptr + text.size;
    *out = (ParsedTimestamp){0};
    if (p == end)
        return false;
    int sign = *p == '-' ? -1 : *p == '+' ? 1 : 0;
    p += sign != 0;
    int segments[SEGMENTS] = {1, 1, 1}, segment = YEAR, value = 0, digits = 0;
    if (starts_with_t) {
        out->just_time = true;
        segment = HOUR;
        p++;
    }
    for (; p < end; p++) {
        if (is_digit(*p)) {
            if (segment != FRACTION && digits == 6)
                return false;
            if (segment != FRACTION || digits < 6)
                value = value * 10 + (*p - '0');
            digits++;
            continue;
        }
        int next = segment + 1;
        if (segment <= MONTH) {
            if (segment == YEAR && *p == ':' && !sign) {
                out->just_time = true;
                segment = HOUR;
                next = MINUTE;
            } else if (*p != '-') {
                return false;
            }
        } else if (segment == DAY) {
            if (*p != ' ' && *p != 'T')
                return false;
        } else if (segment <= MINUTE) {
            if (*p != ':')
                return false;
        } else if (segment == FRACTION || *p != '.') { /* SECOND or FRACTION: what follows is a zone */
            next = ZONE;
            out->zone = trim((Str){p, (size_t)(end - p)});
        }
        if (!digits_fit(segment, digits))
            return false;
        while (segment == FRACTION && digits < 6) {
            value *= 10;
            digits++;
        }
        segments[segment] = value;
        value = digits = 0;
        segment = next;
        if (segment == ZONE)
            break;
    }
    if (!digits_fit(segment, digits))
        return false;
    while (segment == FRACTION && digits < 6) {
        value *= 10;
        digits++;
    }
    if (segment != ZONE)
        segments[segment] = value;

    int64_t year = sign < 0 ? -segments[YEAR] : segments[YEAR];
    if (segments[MONTH] < 1 || segments[MONTH] > 12 || segments[DAY] < 1 || segments[DAY] > calendar_month_days(year, segments[MONTH]))
        return false;
    if (segments[HOUR] > 23 || segments[MINUTE] > 59 || segments[SECOND] > 59)
        return false;
    int64_t days = out->just_time ? 0 : calendar_days(year, segments[MONTH], segments[DAY]);
    int64_t of_day = (segments[HOUR] * 3600 + segments[MINUTE] * 60 + segments[SECOND]) * INT64_C(1000000) + segments[FRACTION];
    return !__builtin_mul_overflow(days, DAY_US, &out->local_us) && !__builtin_add_overflow(out->local_us, of_day, &out->local_us);
}

/* Eight bytes at once: digits, and what stands between them, are told by one look. */
bool parse_utc(Str text, int64_t *out)
{
    uint64_t date, hours, seconds = 0, fraction = 0;
    if (text.size < 20 || text.size > 27 || text.ptr[text.size - 1] != 'Z')
        return false;
    memcpy(&date, text.ptr, 8);         /* yyyy-mm- */
    memcpy(&hours, text.ptr + 8, 8);    /* ddThh:mm */
    memcpy(&seconds, text.ptr + 16, 4); /* :ss. or :ssZ */
    date ^= UINT64_C(0x2D30302D30303030);
    hours ^= UINT64_C(0x30303A3030543030);
    seconds ^= text.size > 20 ? UINT64_C(0x2E30303A) : UINT64_C(0x5A30303A);
    /* what is no digit must be zero now: adding 15 shows it */
    const uint64_t over = (date | (date + UINT64_C(0x0F06060F06060606))) | (hours | (hours + UINT64_C(0x06060F06060F0606))) |
                          (seconds | (seconds + UINT64_C(0x0F06060F)));
    if (over & UINT64_C(0xF0F0F0F0F0F0F0F0))
        return false;
    date = date * 10 + (date >> 8); /* each byte with the one behind it: tens and ones */
    hours = hours * 10 + (hours >> 8);
    seconds = seconds * 10 + (seconds >> 8);
    int year = (int)(date & 0xFF) * 100 + (int)(date >> 16 & 0xFF), month = (int)(date >> 40 & 0xFF), day = (int)(hours & 0xFF);
    int hour = (int)(hours >> 24 & 0xFF), minute = (int)(hours >> 48 & 0xFF), second = (int)(seconds >> 8 & 0xFF);
    if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || day < 1 || day > calendar_month_days(year, month))
        return false;
    if (text.size > 20) {
        static const uint32_t micros[] = {0, 100000, 10000, 1000, 100, 10, 1};
        size_t places = text.size - 21;
        if (!places)
            return false;
        memcpy(&fraction, text.ptr + text.size - 9, 8); /* its digits are the last ones */
        fraction = (fraction ^ DIGITS_ZERO) >> (64 - 8 * places) << (64 - 8 * places);
        if (!digits_all(fraction))
            return false;
        fraction = digits_sum(fraction) * micros[places];
    }
    *out = (calendar_days(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second) * 1000000 + (int64_t)fraction;
    return true;
}

bool parse_time_of_day(Str text, int64_t *us)
{
    enum { HALF_DAY_HOURS = 12 };
    const int64_t hour_us = INT64_C(3600000000);
    ParsedTimestamp parsed;
    text = trim(text);
    char half = 0; /* A of AM, P of PM */
    if (text.size > 2 && (text.ptr[text.size - 1] | 0x20) == 'm')
        half = (char)(text.ptr[text.size - 2] & ~0x20);
    if (half == 'A' || half == 'P')
        text.size -= 2;
    else
        half = 0;
    if (!parse_timestamp(text, &parsed) || !parsed.just_time || parsed.zone.size)
        return false;
    *us = parsed.local_us;
    if (half) {
        int64_t hour = parsed.local_us / hour_us;
        if (hour < 1 || hour > HALF_DAY_HOURS)
            return false;
        *us = parsed.local_us % hour_us + (hour % HALF_DAY_HOURS + (half == 'P' ? HALF_DAY_HOURS : 0)) * hour_us;
    }
    return true;
}
