/* duck/parse_interval.c - text to intervals, as Spark's CAST from STRING accepts it */
#include "duck/parse.h"

#include <string.h>

/* What is left to read. */
typedef struct Rest {
    const char *p, *end;
} Rest;

static bool take(Rest *rest, char c)
{
    if (rest->p == rest->end || *rest->p != c)
        return false;
    rest->p++;
    return true;
}

static void skip_blanks(Rest *rest)
{
    while (rest->p < rest->end && (*rest->p == ' ' || (*rest->p >= '\t' && *rest->p <= '\r')))
        rest->p++;
}

static bool take_word(Rest *rest, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(rest->end - rest->p) < size || !str_is_nocase((Str){rest->p, size}, word))
        return false;
    rest->p += size;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool take_digits(Rest *rest, int digits_max, int64_t *out)
{
    int digits = 0;
    for (*out = 0; rest->p < rest->end && is_digit(*rest->p); rest->p++) {
        if (++digits > digits_max)
            return false;
        *out = *out * 10 + (*rest->p - '0');
    }
    return digits > 0;
}

/* ".5" as microseconds; more than six digits are cut off, more than nine refused. */
static bool take_fraction(Rest *rest, int64_t *us)
{
    *us = 0;
    if (!take(rest, '.'))
        return true;
    int digits = 0;
    for (; rest->p < rest->end && is_digit(*rest->p); rest->p++)
        if (++digits <= 6)
            *us = *us * 10 + (*rest->p - '0');
    for (int i = digits; i < 6; i++)
        *us *= 10;
    return digits >= 1 && digits <= 9;
}

static int take_sign(Rest *rest)
{
    return take(rest, '-') ? -1 : (take(rest, '+'), 1);
}

enum { LEADING_DIGITS_MAX = 18 };

/* y-m, y or m: in months */
static bool year_month_body(Rest *rest, const Type *type, __int128 *out)
{
    int64_t first, second = 0;
    if (!take_digits(rest, LEADING_DIGITS_MAX, &first))
        return false;
    if (type->from_unit != type->to_unit && (!take(rest, '-') || !take_digits(rest, 2, &second) || second > 11))
        return false;
    *out = (__int128)first * (type->from_unit == 0 ? 12 : 1) + second;
    return true;
}

/* d h:m:s.f, as much of it as the type has: in microseconds */
static bool day_time_body(Rest *rest, const Type *type, __int128 *out)
{
    static const int64_t units[] = {INT64_C(86400000000), INT64_C(3600000000), 60000000, 1000000};
    static const int64_t greatest[] = {0, 23, 59, 59};
    *out = 0;
    for (int unit = type->from_unit; unit <= type->to_unit; unit++) {
        bool leads = unit == type->from_unit;
        int64_t value;
        if (!leads && !take(rest, unit == 1 ? ' ' : ':'))
            return false;
        if (!take_digits(rest, leads ? LEADING_DIGITS_MAX : 2, &value) || (!leads && value > greatest[unit]))
            return false;
        *out += (__int128)value * units[unit];
    }
    int64_t us = 0;
    if (type->to_unit == 3 && !take_fraction(rest, &us))
        return false;
    *out += us;
    return true;
}

static bool take_units(Rest *rest, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    type_print(&text, type); /* "interval day to second" */
    for (const char *word = strchr(text.ptr, ' '); word; word = strchr(word, ' ')) {
        char unit[16];
        size_t size = strcspn(++word, " ");
        memcpy(unit, word, size);
        unit[size] = 0;
        skip_blanks(rest);
        if (!take_word(rest, unit))
            return false;
    }
    return true;
}

bool parse_interval(Str text, const Type *type, int64_t *out)
{
    text = str_trim(text);
    Rest rest = {text.ptr, text.ptr + text.size};
    bool full = take_word(&rest, "interval"); /* INTERVAL '1' DAY */
    int sign = 1;
    if (full) {
        skip_blanks(&rest);
        sign = take_sign(&rest);
        if (!take(&rest, '\''))
            return false;
    }
    sign *= take_sign(&rest);
    __int128 value;
    if (!(type->kind == TYPE_INTERVAL_YM ? year_month_body(&rest, type, &value) : day_time_body(&rest, type, &value)))
        return false;
    if (full && (!take(&rest, '\'') || !take_units(&rest, type)))
        return false;
    value *= sign;
    *out = (int64_t)value;
    return rest.p == rest.end && value == *out && (type->kind == TYPE_INTERVAL_DT || value == (int32_t)value);
}

bool parse_calendar_interval(Str text, ChunkInterval *out)
{
    static const struct {
        const char *name;
        int64_t months, days, us;
    } units[] = {
        {"year", 12, 0, 0},
        {"month", 1, 0, 0},
        {"week", 0, 7, 0},
        {"day", 0, 1, 0},
        {"hour", 0, 0, INT64_C(3600000000)},
        {"minute", 0, 0, 60000000},
        {"second", 0, 0, 1000000},
        {"millisecond", 0, 0, 1000},
        {"microsecond", 0, 0, 1},
    };
    text = str_trim(text);
    Rest rest = {text.ptr, text.ptr + text.size};
    if (take_word(&rest, "interval"))
        skip_blanks(&rest);
    __int128 months = 0, days = 0, us = 0;
    int parts = 0;
    for (; rest.p < rest.end; parts++) {
        int sign = take_sign(&rest);
        skip_blanks(&rest);
        int64_t whole = 0, fraction;
        bool leads = rest.p < rest.end && *rest.p != '.';
        if ((leads && !take_digits(&rest, LEADING_DIGITS_MAX, &whole)))
            return false;
        bool has_fraction = rest.p < rest.end && *rest.p == '.';
        if (!take_fraction(&rest, &fraction) || (!leads && !has_fraction))
            return false;
        const char *before = rest.p;
        skip_blanks(&rest);
        if (rest.p == before)
            return false;
        const char *word = rest.p;
        while (rest.p<rest.end && * rest.p> ' ')
            rest.p++;
        Str name = {word, (size_t)(rest.p - word)};
        if (name.size > 1 && (name.ptr[name.size - 1] | 0x20) == 's')
            name.size--;
        size_t unit = 0, count = sizeof units / sizeof *units;
        while (unit < count && !str_is_nocase(name, units[unit].name))
            unit++;
        if (unit == count || (has_fraction && units[unit].us != 1000000))
            return false;
        months += (__int128)sign * whole * units[unit].months;
        days += (__int128)sign * whole * units[unit].days;
        us += sign * ((__int128)whole * units[unit].us + fraction);
        skip_blanks(&rest);
    }
    *out = (ChunkInterval){(int32_t)months, (int32_t)days, (int64_t)us};
    return parts > 0 && months == out->months && days == out->days && us == out->us;
}

bool parse_interval_put(Str text, const Column *out, uint64_t row)
{
    int64_t value;

    if (out->type->kind == TYPE_INTERVAL)
        return parse_calendar_interval(text, &((ChunkInterval *)out->data)[row]);
    if (!parse_interval(text, out->type, &value))
        return false;
    if (out->type->kind == TYPE_INTERVAL_YM)
        ((int32_t *)out->data)[row] = (int32_t)value;
    else
        ((int64_t *)out->data)[row] = value;
    return true;
}
