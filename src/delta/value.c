/*
 * delta/value.c - typed values out of text: partition values, statistics, predicates
 *
 *   V1  What cannot be read exactly is VALUE_NONE, which proves nothing. Never a guess, never through a double.
 */
#include "delta/internal.h"

#include "duck/calendar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_number(Str *text, int digits_min, int digits_max, int64_t *out)
{
    int64_t value = 0;
    int count = 0;
    while (count < digits_max && (size_t)count < text->size && text->ptr[count] >= '0' && text->ptr[count] <= '9')
        value = value * 10 + (text->ptr[count++] - '0');
    if (count < digits_min)
        return false;
    text->ptr += count;
    text->size -= (size_t)count;
    *out = value;
    return true;
}

static bool take(Str *text, char c)
{
    if (!text->size || text->ptr[0] != c)
        return false;
    text->ptr++;
    text->size--;
    return true;
}

/* yyyy-MM-dd with a year of 4 to 7 digits and a sign */
static bool take_date(Str *text, int64_t *days)
{
    int64_t year, month, day;
    bool negative = take(text, '-');
    if (!negative)
        take(text, '+');
    if (!take_number(text, 4, 7, &year) || !take(text, '-') || !take_number(text, 1, 2, &month) || !take(text, '-') ||
        !take_number(text, 1, 2, &day))
        return false;
    if (negative)
        year = -year;
    if (month < 1 || month > 12 || day < 1 || day > calendar_month_days(year, (int)month))
        return false;
    *days = calendar_days(year, (int)month, (int)day);
    return true;
}

bool delta__timestamp_parse(Str text, int64_t *micros, bool *has_zone)
{
    int64_t days, hour = 0, minute = 0, second = 0, fraction = 0, offset = 0;
    bool zone = false;

    if (!take_date(&text, &days))
        return false;
    if (text.size && (take(&text, ' ') || take(&text, 'T'))) {
        if (!take_number(&text, 1, 2, &hour) || !take(&text, ':') || !take_number(&text, 1, 2, &minute))
            return false;
        if (take(&text, ':')) {
            if (!take_number(&text, 1, 2, &second))
                return false;
            if (take(&text, '.')) {
                int digits = 0;
                while (text.size && text.ptr[0] >= '0' && text.ptr[0] <= '9') {
                    if (digits < 6)
                        fraction = fraction * 10 + (text.ptr[0] - '0');
                    digits++;
                    text.ptr++;
                    text.size--;
                }
                if (!digits)
                    return false;
                for (; digits < 6; digits++)
                    fraction *= 10;
            }
        }
        if (take(&text, 'Z') || str_is(text, "UTC")) {
            zone = true;
            if (text.size == 3)
                text.size = 0;
        } else if (text.size && (text.ptr[0] == '+' || text.ptr[0] == '-')) {
            bool west = text.ptr[0] == '-';
            int64_t zone_hour, zone_minute = 0;
            text.ptr++;
            text.size--;
            if (!take_number(&text, 2, 2, &zone_hour))
                return false;
            if (text.size) {
                take(&text, ':');
                if (!take_number(&text, 2, 2, &zone_minute))
                    return false;
            }
            offset = (zone_hour * 60 + zone_minute) * (west ? -1 : 1);
            zone = true;
        }
    }
    if (text.size || hour > 23 || minute > 59 || second > 59)
        return false;
    *micros = ((days * 24 + hour) * 60 + minute - offset) * 60000000 + second * 1000000 + fraction;
    if (has_zone)
        *has_zone = zone;
    return true;
}

/* Decimal text, with an exponent too, as an integer of units 10^-scale. False when it is not exactly one. */
static bool parse_decimal(Str text, int scale, __int128 *out)
{
    const __int128 limit = (__int128)10000000000000000000u * 10000000000000000000u; /* 10^38 */
    __int128 value = 0;
    int fraction = 0;
    int64_t exponent = 0;
    bool seen_point = false, seen_digit = false;
    bool negative = take(&text, '-');
    if (!negative)
        take(&text, '+');
    while (text.size) {
        char c = text.ptr[0];
        if (c >= '0' && c <= '9') {
            if (value >= limit / 10)
                return false;
            value = value * 10 + (c - '0');
            fraction += seen_point;
            seen_digit = true;
        } else if (c == '.' && !seen_point) {
            seen_point = true;
        } else {
            break;
        }
        text.ptr++;
        text.size--;
    }
    if (!seen_digit)
        return false;
    if (text.size && (text.ptr[0] == 'e' || text.ptr[0] == 'E')) {
        text.ptr++;
        text.size--;
        take(&text, '+');
        if (!str_to_int64(text, &exponent) || exponent > 100 || exponent < -100)
            return false;
        text.size = 0;
    }
    if (text.size)
        return false;
    int64_t shift = scale - fraction + exponent;
    for (; shift > 0; shift--) {
        if (value >= limit / 10)
            return false;
        value *= 10;
    }
    for (; shift < 0; shift++) {
        if (value % 10)
            return false;
        value /= 10;
    }
    *out = negative ? -value : value;
    return true;
}

static bool parse_double(Str text, double *out)
{
    char buffer[64], *end;
    if (!text.size || text.size >= sizeof buffer)
        return false;
    if (str_is_nocase(text, "nan")) {
        *out = NAN;
        return true;
    }
    if (str_is_nocase(text, "infinity") || str_is_nocase(text, "inf") || str_is_nocase(text, "+infinity")) {
        *out = INFINITY;
        return true;
    }
    if (str_is_nocase(text, "-infinity") || str_is_nocase(text, "-inf")) {
        *out = -INFINITY;
        return true;
    }
    if (!strchr("0123456789+-.", text.ptr[0]))
        return false;
    memcpy(buffer, text.ptr, text.size);
    buffer[text.size] = 0;
    *out = strtod(buffer, &end);
    return *end == 0;
}

DeltaValue delta__value_parse(const Type *type, Str text)
{
    const DeltaValue none = {VALUE_NONE};
    DeltaValue value = none;
    __int128 whole;
    switch (type->kind) {
    case TYPE_BOOLEAN:
        value.integer = str_is_nocase(text, "true");
        if (!value.integer && !str_is_nocase(text, "false"))
            return none;
        value.kind = VALUE_INTEGER;
        return value;
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        if (!parse_decimal(text, 0, &whole) || whole > INT64_MAX || whole < INT64_MIN)
            return none;
        value.integer = (int64_t)whole;
        value.kind = VALUE_INTEGER;
        return value;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        if (!parse_double(text, &value.real))
            return none;
        if (type->kind == TYPE_FLOAT)
            value.real = (float)value.real; /* "0.1" of a FLOAT is the float, so compare it as one */
        value.kind = VALUE_DOUBLE;
        return value;
    case TYPE_DECIMAL:
        if (!parse_decimal(text, type->scale, &value.decimal))
            return none;
        value.kind = VALUE_DECIMAL;
        return value;
    case TYPE_DATE:
        if (!take_date(&text, &value.integer) || text.size)
            return none;
        value.kind = VALUE_INTEGER;
        return value;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        if (!delta__timestamp_parse(text, &value.integer, NULL))
            return none;
        value.kind = VALUE_INTEGER;
        return value;
    case TYPE_STRING:
        value.text = text;
        value.kind = VALUE_STRING;
        return value;
    default:
        return none;
    }
}

int delta__value_compare(const DeltaValue *a, const DeltaValue *b)
{
    silt_assert(a->kind == b->kind && a->kind != VALUE_NONE);
    switch (a->kind) {
    case VALUE_INTEGER:
        return a->integer < b->integer ? -1 : a->integer > b->integer;
    case VALUE_DOUBLE: /* NaN is the largest; the zeros are equal */
        if (isnan(a->real) || isnan(b->real))
            return !!isnan(a->real) - !!isnan(b->real);
        return a->real < b->real ? -1 : a->real > b->real;
    case VALUE_DECIMAL:
        return a->decimal < b->decimal ? -1 : a->decimal > b->decimal;
    default: {
        size_t size = a->text.size < b->text.size ? a->text.size : b->text.size;
        int order = size ? memcmp(a->text.ptr, b->text.ptr, size) : 0;
        if (order)
            return order < 0 ? -1 : 1;
        return a->text.size < b->text.size ? -1 : a->text.size > b->text.size;
    }
    }
}
