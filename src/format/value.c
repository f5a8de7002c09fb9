/*
 * format/value.c - text to typed values in one exact step
 *
 * No function here goes through a type that cannot hold the value: integers and decimals are built digit by digit with
 * checks, floats by a correctly rounding conversion, instants with floor division.
 */
#include "format/value.h"

#include "duck/calendar.h"
#include "duck/parse.h"
#include "format/json_scan.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool value_integer(Str text, int64_t min, int64_t max, int64_t *out)
{
    const char *p = text.ptr, *end = p + text.size;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    if (p == end)
        return false;
    uint64_t value = 0;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, (unsigned)(*p - '0'), &value))
            return false;
    }
    if (value > (uint64_t)INT64_MAX + negative)
        return false;
    int64_t is = negative ? (int64_t)(0 - value) : (int64_t)value;
    if (is < min || is > max)
        return false;
    *out = is;
    return true;
}

bool value_decimal(Str text, int precision, int scale, bool exact, __int128 *out)
{
    const char *p = text.ptr, *end = p + text.size;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    /* first look: where digits, point and exponent are */
    const char *digits = p, *point = NULL;
    int count = 0;
    for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.')
            point = p;
        else
            count++;
    }
    if (count == 0)
        return false;
    int64_t exponent = 0;
    const char *digits_end = p;
    if (p < end) {
        if (*p != 'e' && *p != 'E')
            return false;
        p++;
        if (!value_integer((Str){p, (size_t)(end - p)}, -1000000, 1000000, &exponent))
            return false;
    }
    /* number = digits * 10^(exponent - fraction); wanted: unscaled = number * 10^scale */
    int64_t fraction = point ? digits_end - point - 1 : 0;
    int64_t shift = exponent - fraction + scale; /* powers of ten still to multiply with */
    static const __int128 ten38 = (__int128)10000000000000000000ull * 10000000000000000000ull; /* 10^38 */
    __int128 value = 0;
    int64_t left = count + shift; /* digits of the text that are kept; the rest is beyond the scale */
    bool round_up = false;
    int64_t seen = 0;
    for (const char *q = digits; q < digits_end; q++) {
        if (*q == '.')
            continue;
        int digit = *q - '0';
        if (seen < left) {
            if (value >= ten38 / 10 + 1)
                return false;
            value = value * 10 + digit;
        } else {
            if (exact && digit)
                return false;
            if (seen == left && digit >= 5)
                round_up = true;
        }
        seen++;
    }
    for (int64_t i = count; i < left; i++) {
        if (value == 0)
            break;
        if (value >= ten38 / 10 + 1)
            return false;
        value *= 10;
    }
    if (round_up)
        value++;
    __int128 limit = 1;
    for (int i = 0; i < precision; i++)
        limit *= 10;
    if (value >= limit)
        return false;
    *out = negative ? -value : value;
    return true;
}

void value_store_decimal(void *data, uint64_t row, int precision, __int128 unscaled)
{
    if (precision <= 4)
        ((int16_t *)data)[row] = (int16_t)unscaled;
    else if (precision <= 9)
        ((int32_t *)data)[row] = (int32_t)unscaled;
    else if (precision <= 18)
        ((int64_t *)data)[row] = (int64_t)unscaled;
    else
        ((__int128 *)data)[row] = unscaled;
}

bool value_is_number(Str text, bool leading_zeros, bool *integral)
{
    const char *p = text.ptr, *end = p + text.size;
    *integral = true;
    if (p < end && *p == '-')
        p++;
    const char *digits = p;
    while (p < end && is_digit(*p))
        p++;
    if (p == digits || (!leading_zeros && *digits == '0' && p - digits > 1))
        return false;
    if (p < end && *p == '.') {
        *integral = false;
        digits = ++p;
        while (p < end && is_digit(*p))
            p++;
        if (p == digits)
            return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        *integral = false;
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        digits = p;
        while (p < end && is_digit(*p))
            p++;
        if (p == digits)
            return false;
    }
    return p == end;
}

/* Significant digits of an integral text without leading and trailing zeros; zeros cut off are counted in *trailing. */
static bool is_exact(Str text, double value)
{
    /* integers up to 2^53 are; beyond, the double (an integer then) must print to the same digits */
    __int128 is;
    if (!value_decimal(text, 38, 0, true, &is))
        return false; /* more than 38 digits: say no, it is kept as text */
    if (value >= 1.7e38 || value <= -1.7e38)
        return false;
    return (__int128)value == is;
}

double value_double(Str text, bool *exact)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = text.ptr, *end = p + text.size;
    bool negative = *p == '-';
    p += negative || *p == '+';
    /* up to 2^53 and a power of ten that is a double: one correctly rounded operation gives the nearest double */
    uint64_t mantissa = 0;
    int fraction = 0, digits = 0;
    bool point = false, simple = true, integral = true;
    for (; p < end; p++) {
        if (is_digit(*p)) {
            mantissa = mantissa * 10 + (unsigned)(*p - '0');
            fraction += point;
            if (++digits > 18) {
                simple = false;
                break;
            }
        } else if (*p == '.' && !point) {
            point = true;
            integral = false;
        } else {
            simple = false;
            break;
        }
    }
    if (simple && mantissa <= (1ull << 53) && fraction <= 22) {
        if (exact)
            *exact = true;
        double value = (double)mantissa / powers[fraction];
        return negative ? -value : value;
    }
    for (p = text.ptr; p < end; p++)
        if (*p == '.' || *p == 'e' || *p == 'E')
            integral = false;
    const char *start = text.ptr + (*text.ptr == '+');
    double value = json_text_double(start, end);
    if (exact)
        *exact = !integral || is_exact(text, value);
    return value;
}

float value_float(Str text, bool *exact)
{
    const char *start = text.ptr + (*text.ptr == '+'), *end = text.ptr + text.size;
    float value = json_text_float(start, end);
    if (exact) {
        bool integral = true;
        for (const char *p = text.ptr; p < end; p++)
            if (*p == '.' || *p == 'e' || *p == 'E')
                integral = false;
        *exact = !integral || is_exact(text, (double)value);
    }
    return value;
}

/* ---- date and time ---- */

bool value_date(Str text, int32_t *out)
{
    return parse_date(text, out);
}

bool value_timestamp(Str text, const Zone *zone, int64_t *out)
{
    if (parse_utc(text, out))
        return true;
    ParsedTimestamp parsed;
    if (!parse_timestamp(text, &parsed) || parsed.just_time)
        return false;
    if (parsed.local_us > INT64_MAX - 2 * DAY_US || parsed.local_us < INT64_MIN + 2 * DAY_US) /* a zone could lead out */
        return false;
    if (parsed.zone.size > 0 && !(zone = zone_find(parsed.zone)))
        return false;
    *out = zone_to_utc_us(zone, parsed.local_us);
    return true;
}

bool value_timestamp_ntz(Str text, int64_t *out)
{
    ParsedTimestamp parsed;
    if (!parse_timestamp(text, &parsed) || parsed.just_time || parsed.zone.size > 0)
        return false;
    *out = parsed.local_us;
    return true;
}

/* ---- the rest ---- */

bool value_base64(Str text, StrBuf *out)
{
    size_t start = out->size;
    uint32_t bits = 0;
    int count = 0, padding = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.ptr[i];
        int v;
        if (c >= 'A' && c <= 'Z')
            v = c - 'A';
        else if (c >= 'a' && c <= 'z')
            v = c - 'a' + 26;
        else if (is_digit(c))
            v = c - '0' + 52;
        else if (c == '+')
            v = 62;
        else if (c == '/')
            v = 63;
        else if (c == '=') {
            padding++;
            continue;
        } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        else
            goto bad;
        if (padding)
            goto bad;
        bits = bits << 6 | (unsigned)v;
        if (++count == 4) {
            char bytes[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
            str_buf_add(out, bytes, 3);
            bits = 0;
            count = 0;
        }
    }
    if (count == 0 && padding == 0)
        return true;
    if (count == 2 && padding == 2) {
        str_buf_putc(out, (char)(bits >> 4));
        return true;
    }
    if (count == 3 && padding == 1) {
        char bytes[2] = {(char)(bits >> 10), (char)(bits >> 2)};
        str_buf_add(out, bytes, 2);
        return true;
    }
bad:
    out->size = start;
    return false;
}

bool value_boolean(Str text, bool any_case, bool *out)
{
    if (any_case ? str_is_nocase(text, "true") : str_is(text, "true"))
        *out = true;
    else if (any_case ? str_is_nocase(text, "false") : str_is(text, "false"))
        *out = false;
    else
        return false;
    return true;
}
