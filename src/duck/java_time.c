/*
 * duck/java_time.c - see java_time.h
 *
 * A pattern becomes a list of items. Numbers side by side share their digits as in Java: the first of a run may be of any width,
 * and leaves as many digits as the fixed ones behind it need.
 */
#include "duck/java_time.h"

#include "duck/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum SignStyle { NOT_NEGATIVE, NORMAL, EXCEEDS_PAD } SignStyle;
typedef enum ItemKind { ITEM_TEXT, ITEM_NUMBER, ITEM_FRACTION, ITEM_NAME, ITEM_ZONE, ITEM_OFFSET, ITEM_OPEN, ITEM_CLOSE } ItemKind;

typedef struct Item {
    ItemKind kind;
    char letter;
    int count; /* letters */
    int min, max;
    SignStyle sign;
    bool fixed;     /* NUMBER: stands right behind another number */
    int subsequent; /* NUMBER: digits that the fixed ones behind it need */
    Str text;
    int close; /* OPEN: index of its CLOSE */
} Item;

struct JavaTime {
    Item *items;
    int count, capacity;
};

static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};
static const char *const weekdays[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

/* ---- pattern to items ---- */

/* Whether java.text.SimpleDateFormat, Spark's former one, takes the pattern: then Spark asks which of the two is meant. */
static bool is_legacy_pattern(Str pattern)
{
    bool quoted = false;
    for (size_t i = 0; i < pattern.size; i++) {
        char c = pattern.ptr[i];
        if (c == '\'')
            quoted = !quoted;
        else if (!quoted && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && !strchr("GyYMLwWDdFEuaHkKhmsSzZX", c))
            return false;
    }
    return !quoted;
}

static int fail_pattern(Str pattern, const char *code, const char *what, char letter, SiltErr *err)
{
    if (is_legacy_pattern(pattern))
        code = "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION";
    silt_fail(err, SILT_CONFIG, letter ? "the datetime pattern \"%.*s\" is wrong: %s: %c" : "the datetime pattern \"%.*s\" is wrong: %s",
              (int)(pattern.size < 200 ? pattern.size : 200), pattern.ptr, what, letter);
    silt_code(err, code);
    return -1;
}

static Item number(char letter, int count, int min, int max, SignStyle sign)
{
    return (Item){.kind = ITEM_NUMBER, .letter = letter, .count = count, .min = min, .max = max, .sign = sign};
}

static const char unknown_letter[] = "unknown letter";

/* NULL, or what is wrong. */
static const char *item_of(char letter, int count, Item *item)
{
    static const char too_many[] = "too many pattern letters";
    *item = (Item){.letter = letter, .count = count};
    switch (letter) {
    case 'u':
    case 'y':
        if (count > 6)
            return too_many;
        *item = count == 2  ? number(letter, count, 2, 2, NOT_NEGATIVE)
                : count < 4 ? number(letter, count, count, 19, NORMAL)
                            : number(letter, count, count, 19, EXCEEDS_PAD);
        return NULL;
    case 'M':
    case 'L':
    case 'Q':
    case 'q':
        if (count > 4)
            return too_many;
        if (count > 2)
            item->kind = ITEM_NAME;
        else
            *item = number(letter, count, count, count == 1 ? 19 : 2, count == 1 ? NORMAL : NOT_NEGATIVE);
        return NULL;
    case 'G':
    case 'E':
        item->kind = ITEM_NAME;
        return count > 4 ? too_many : NULL;
    case 'a':
        item->kind = ITEM_NAME;
        return count > 1 ? too_many : NULL;
    case 'D':
        *item = count == 1 ? number(letter, count, 1, 19, NORMAL) : number(letter, count, count, 3, NOT_NEGATIVE);
        return count > 3 ? too_many : NULL;
    case 'F':
        *item = number(letter, count, 1, 19, NORMAL);
        return count > 1 ? too_many : NULL;
    case 'd':
    case 'H':
    case 'k':
    case 'K':
    case 'h':
    case 'm':
    case 's':
        *item = count == 1 ? number(letter, count, 1, 19, NORMAL) : number(letter, count, 2, 2, NOT_NEGATIVE);
        return count > 2 ? too_many : NULL;
    case 'S': /* when read: as many digits or fewer */
        item->kind = ITEM_FRACTION;
        return count > 9 ? too_many : NULL;
    case 'V':
        item->kind = ITEM_ZONE;
        return count != 2 ? "V must be given twice" : NULL;
    case 'z':
        item->kind = ITEM_ZONE;
        return count > 4 ? too_many : NULL;
    case 'O':
        item->kind = ITEM_OFFSET;
        return count != 1 && count != 4 ? "O must be given once or four times" : NULL;
    case 'X':
    case 'x':
    case 'Z':
        item->kind = ITEM_OFFSET;
        return count > 5 ? too_many : NULL;
    default:
        return unknown_letter;
    }
}

/* Put an item behind the last one; numbers that touch are told of each other. run: index of the first of the numbers, or -1. */
static void add_item(Arena *arena, JavaTime *format, Item item, int *run)
{
    bool fixed_width = item.kind == ITEM_NUMBER && item.min == item.max && item.sign == NOT_NEGATIVE;
    if (item.kind != ITEM_NUMBER) { /* a fraction, too, is no number of a fixed width */
        *run = -1;
    } else if (*run >= 0 && fixed_width) {
        format->items[*run].subsequent += item.max;
        item.fixed = true;
    } else {
        if (*run >= 0)
            format->items[*run].fixed = true;
        *run = format->count;
    }
    ARENA_PUSH(arena, format->items, format->count, format->capacity, item);
}

int java_time_new(Arena *arena, Str pattern, bool parsing, const JavaTime **out, SiltErr *err)
{
    static const char illegal[] = "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER", length[] = "INVALID_DATETIME_PATTERN.LENGTH";
    enum { NESTED_MAX = 16 };
    JavaTime *format = ARENA_NEW(arena, JavaTime);
    int open[NESTED_MAX], depth = 0, run = -1;
    /* Letters that are banned anywhere are named before other mistakes, those of weeks before all. */
    bool quoted = false;
    for (size_t i = 0; i < pattern.size; i++) {
        char c = pattern.ptr[i];
        quoted ^= c == '\'';
        if (!quoted && c && strchr("YWwuec", c))
            return fail_pattern(pattern, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN",
                                "week-based letters are not supported", c, err);
    }
    quoted = false;
    for (size_t i = 0; i < pattern.size; i++) {
        char c = pattern.ptr[i];
        quoted ^= c == '\'';
        if (!quoted && c && (strchr("ABnNp", c) || (parsing && strchr("EFqQ", c))))
            return fail_pattern(pattern, illegal, "illegal letter", c, err);
    }
    for (size_t i = 0; i < pattern.size;) {
        char c = pattern.ptr[i];
        Item item = {0};
        if (c == '\'') {
            StrBuf text = {0};
            bool closed = false;
            if (i + 1 < pattern.size && pattern.ptr[i + 1] == '\'') {
                str_buf_putc(&text, '\'');
                closed = true;
                i += 2;
            }
            for (i += !closed; i < pattern.size && !closed; i++) {
                if (pattern.ptr[i] != '\'') {
                    str_buf_putc(&text, pattern.ptr[i]);
                } else if (i + 1 < pattern.size && pattern.ptr[i + 1] == '\'') {
                    str_buf_putc(&text, '\'');
                    i++;
                } else {
                    closed = true;
                }
            }
            item.text = arena_str(arena, str_buf_view(&text));
            str_buf_fini(&text);
            if (!closed)
                return fail_pattern(pattern, illegal, "a quote is not closed", 0, err);
        } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            int count = 0;
            for (; i < pattern.size && pattern.ptr[i] == c; i++)
                count++;
            const char *wrong = item_of(c, count, &item);
            if (wrong)
                return fail_pattern(pattern, wrong == unknown_letter ? illegal : length, wrong, c, err);
        } else if (c == '[') {
            item.kind = ITEM_OPEN;
            if (depth == NESTED_MAX)
                return fail_pattern(pattern, illegal, "optional sections nest too deep", 0, err);
            open[depth++] = format->count;
            i++;
        } else if (c == ']') {
            item.kind = ITEM_CLOSE;
            if (depth == 0)
                return fail_pattern(pattern, illegal, "a ] has no [", 0, err);
            format->items[open[--depth]].close = format->count;
            i++;
        } else if (c == '{' || c == '}' || c == '#') {
            return fail_pattern(pattern, illegal, "reserved character", c, err);
        } else {
            item.text = arena_str(arena, (Str){pattern.ptr + i++, 1});
        }
        add_item(arena, format, item, &run);
    }
    if (depth) { /* what is left open ends at the end */
        while (depth) {
            format->items[open[--depth]].close = format->count;
            add_item(arena, format, (Item){.kind = ITEM_CLOSE}, &run);
        }
    }
    *out = format;
    return 0;
}

/* ---- writing ---- */

typedef struct Clock {
    CivilDate date;
    int64_t days, us; /* of the day */
} Clock;

static Clock clock_of(int64_t local_us)
{
    int64_t days, us = calendar_split(local_us, &days);
    return (Clock){.date = calendar_date(days), .days = days, .us = us};
}

static int day_of_year(const Clock *clock)
{
    return (int)(clock->days - calendar_days(clock->date.year, 1, 1)) + 1;
}

static int64_t field_value(const Clock *clock, char letter)
{
    int64_t hour = clock->us / (3600 * INT64_C(1000000));
    switch (letter) {
    case 'u':
        return clock->date.year;
    case 'y': /* Spark reads it as u; with G it is the year of the era, see put_number */
        return clock->date.year;
    case 'M':
    case 'L':
        return clock->date.month;
    case 'Q':
    case 'q':
        return (clock->date.month + 2) / 3;
    case 'd':
        return clock->date.day;
    case 'D':
        return day_of_year(clock);
    case 'F':
        return (clock->date.day - 1) % 7 + 1;
    case 'H':
        return hour;
    case 'k':
        return hour ? hour : 24;
    case 'K':
        return hour % 12;
    case 'h':
        return hour % 12 ? hour % 12 : 12;
    case 'm':
        return clock->us / 60000000 % 60;
    default:
        return clock->us / 1000000 % 60;
    }
}

static void put_number(StrBuf *out, const Item *item, int64_t value, bool with_era)
{
    char digits[24];
    if (item->letter == 'y' && with_era && value <= 0)
        value = 1 - value;
    if ((item->letter == 'y' || item->letter == 'u') && item->count == 2) {
        str_buf_printf(out, "%02d", (int)(llabs(value) % 100));
        return;
    }
    snprintf(digits, sizeof digits, "%lld", llabs(value));
    int width = (int)strlen(digits);
    if (value < 0)
        str_buf_putc(out, '-');
    else if (item->sign == EXCEEDS_PAD && width > item->min)
        str_buf_putc(out, '+');
    for (; width < item->min; width++)
        str_buf_putc(out, '0');
    str_buf_puts(out, digits);
}

static void put_name(StrBuf *out, const Item *item, const Clock *clock)
{
    static const char *const ordinals[] = {"1st", "2nd", "3rd", "4th"};
    int quarter = (clock->date.month + 2) / 3;
    const char *name;
    switch (item->letter) {
    case 'G':
        str_buf_puts(out, item->count == 4 ? (clock->date.year > 0 ? "Anno Domini" : "Before Christ") : clock->date.year > 0 ? "AD" : "BC");
        return;
    case 'a':
        str_buf_puts(out, clock->us < DAY_US / 2 ? "AM" : "PM");
        return;
    case 'Q':
    case 'q':
        if (item->count == 3)
            str_buf_printf(out, "Q%d", quarter);
        else
            str_buf_printf(out, "%s quarter", ordinals[quarter - 1]);
        return;
    case 'E':
        name = weekdays[((clock->days + 3) % 7 + 7) % 7];
        break;
    default:
        name = months[clock->date.month - 1];
    }
    str_buf_add(out, name, item->count == 4 ? strlen(name) : 3);
}

static void put_offset(StrBuf *out, const Item *item, int32_t offset)
{
    int hours = abs(offset) / 3600, minutes = abs(offset) / 60 % 60, seconds = abs(offset) % 60;
    char sign = offset < 0 ? '-' : '+', letter = item->letter;
    int count = item->count;
    if (letter == 'O' || (letter == 'Z' && count == 4)) {
        str_buf_puts(out, "GMT");
        if (!offset)
            return;
        if (letter == 'O' && count == 1)
            str_buf_printf(out, minutes || seconds ? "%c%d:%02d" : "%c%d", sign, hours, minutes);
        else
            str_buf_printf(out, "%c%02d:%02d", sign, hours, minutes);
        if (seconds)
            str_buf_printf(out, ":%02d", seconds);
        return;
    }
    if (count <= 3 || (letter == 'Z' && count < 5)) /* not written */
        seconds = 0;
    if (!hours && !minutes && !seconds) {
        if (letter == 'X' || (letter == 'Z' && count == 5)) {
            str_buf_putc(out, 'Z');
            return;
        }
        sign = '+';
    }
    if (letter == 'Z')
        count = count == 5 ? 5 : 2;
    const char *colon = count == 3 || count == 5 ? ":" : "";
    str_buf_printf(out, "%c%02d", sign, hours);
    if (count > 1 || minutes)
        str_buf_printf(out, "%s%02d", colon, minutes);
    if (count > 3 && seconds)
        str_buf_printf(out, "%s%02d", colon, seconds);
}

static bool put_zone(StrBuf *out, const Item *item, int32_t offset, const char *name)
{
    static const char *const utc[] = {"UTC", "Etc/UTC", "Z", "Zulu", "Universal", "Etc/UCT"};
    if (item->letter == 'V') {
        str_buf_puts(out, name);
        return true;
    }
    for (size_t i = 0; i < sizeof utc / sizeof *utc; i++)
        if (strcmp(name, utc[i]) == 0) {
            str_buf_puts(out, item->count == 4 ? "Coordinated Universal Time" : "UTC");
            return true;
        }
    if (strcmp(name, "GMT") == 0 || strcmp(name, "Etc/GMT") == 0) {
        str_buf_puts(out, item->count == 4 ? "Greenwich Mean Time" : "GMT");
        return true;
    }
    if (*name == '+' || *name == '-') {
        str_buf_puts(out, name);
        return true;
    }
    (void)offset;
    return false;
}

bool java_time_format(StrBuf *out, const JavaTime *format, int64_t local_us, int32_t offset_seconds, const char *zone_name)
{
    Clock clock = clock_of(local_us);
    bool with_era = false;
    for (int i = 0; i < format->count; i++)
        with_era |= format->items[i].kind == ITEM_NAME && format->items[i].letter == 'G';
    for (int i = 0; i < format->count; i++) {
        const Item *item = &format->items[i];
        switch (item->kind) {
        case ITEM_TEXT:
            str_buf_str(out, item->text);
            break;
        case ITEM_NUMBER:
            put_number(out, item, field_value(&clock, item->letter), with_era);
            break;
        case ITEM_FRACTION: {
            char digits[16];
            snprintf(digits, sizeof digits, "%06lld000", (long long)(clock.us % 1000000));
            str_buf_add(out, digits, (size_t)item->count);
            break;
        }
        case ITEM_NAME:
            put_name(out, item, &clock);
            break;
        case ITEM_OFFSET:
            put_offset(out, item, offset_seconds);
            break;
        case ITEM_ZONE:
            if (!put_zone(out, item, offset_seconds, zone_name))
                return false;
            break;
        default:
            break;
        }
    }
    return true;
}

/* ---- reading ---- */

enum { UNSET = INT32_MIN };

typedef struct Fields {
    int64_t year, month, day, day_of_year, hour, hour_24, hour_half, hour_12, half, minute, second;
    int64_t nanos;
    int64_t era; /* 1: AD, 0: BC */
    JavaTimeParts *parts;
} Fields;

static int64_t *field_of(Fields *fields, char letter)
{
    switch (letter) {
    case 'u':
    case 'y':
        return &fields->year;
    case 'M':
    case 'L':
        return &fields->month;
    case 'd':
        return &fields->day;
    case 'D':
        return &fields->day_of_year;
    case 'H':
        return &fields->hour;
    case 'k':
        return &fields->hour_24;
    case 'K':
        return &fields->hour_half;
    case 'h':
        return &fields->hour_12;
    case 'm':
        return &fields->minute;
    default:
        return &fields->second;
    }
}

/* A field given twice must say the same. */
static bool set_field(int64_t *field, int64_t value)
{
    if (*field != UNSET && *field != value)
        return false;
    *field = value;
    return true;
}

static bool is_digit(Str text, size_t at)
{
    return at < text.size && text.ptr[at] >= '0' && text.ptr[at] <= '9';
}

/* Digits by Java's rules, see NumberPrinterParser there. */
static bool read_number(const Item *item, Str text, size_t *at, int64_t *out)
{
    size_t start = *at;
    bool plus = start < text.size && text.ptr[start] == '+', minus = start < text.size && text.ptr[start] == '-';
    if ((plus && item->sign != EXCEEDS_PAD) || (minus && item->sign == NOT_NEGATIVE))
        return false;
    start += plus || minus;
    int digits = 0, most = item->max + item->subsequent, take;
    while (digits < most && is_digit(text, start + (size_t)digits))
        digits++;
    take = digits;
    if (item->subsequent > 0) {
        take = digits - item->subsequent > item->min ? digits - item->subsequent : item->min;
        if (take > digits)
            return false;
    }
    if (item->fixed && take > item->min && item->min == item->max)
        take = item->min;
    if (take < item->min || take > 18 || take == 0)
        return false;
    int64_t value = 0;
    for (int i = 0; i < take; i++)
        value = value * 10 + (text.ptr[start + (size_t)i] - '0');
    if (item->sign == EXCEEDS_PAD && (plus ? take <= item->min : !minus && take > item->min))
        return false;
    if (minus && value == 0)
        return false;
    if ((item->letter == 'y' || item->letter == 'u') && item->count == 2)
        value += 2000;
    *out = minus ? -value : value;
    *at = start + (size_t)take;
    return true;
}

static bool read_name(Str text, size_t *at, const char *name, size_t size)
{
    if (text.size - *at < size || strncasecmp(text.ptr + *at, name, size) != 0)
        return false;
    *at += size;
    return true;
}

static bool read_named_item(const Item *item, Str text, size_t *at, Fields *fields)
{
    if (item->letter == 'a') {
        int64_t half = read_name(text, at, "AM", 2) ? 0 : read_name(text, at, "PM", 2) ? 1 : UNSET;
        return half != UNSET && set_field(&fields->half, half);
    }
    if (item->letter == 'G') {
        int64_t era = read_name(text, at, item->count == 4 ? "Anno Domini" : "AD", item->count == 4 ? 11 : 2)     ? 1
                      : read_name(text, at, item->count == 4 ? "Before Christ" : "BC", item->count == 4 ? 13 : 2) ? 0
                                                                                                                  : UNSET;
        return era != UNSET && set_field(&fields->era, era);
    }
    for (int month = 1; month <= 12; month++)
        if (read_name(text, at, months[month - 1], item->count == 4 ? strlen(months[month - 1]) : 3))
            return set_field(&fields->month, month);
    return false;
}

/* An offset given twice must say the same. */
static bool set_offset(JavaTimeParts *parts, int32_t seconds)
{
    if (parts->has_offset && parts->offset_seconds != seconds)
        return false;
    parts->has_offset = true;
    parts->offset_seconds = seconds;
    return true;
}

/* [+-]hh[[:]mm[[:]ss]] of exactly the item's form. */
static bool read_offset(const Item *item, Str text, size_t *at, JavaTimeParts *parts)
{
    int count = item->count;
    char letter = item->letter;
    size_t p = *at;
    bool localized = letter == 'O' || (letter == 'Z' && count == 4);
    if (localized) {
        if (!read_name(text, &p, "GMT", 3))
            return false;
        if (p >= text.size || (text.ptr[p] != '+' && text.ptr[p] != '-')) {
            *at = p;
            return set_offset(parts, 0);
        }
    } else if (letter == 'X' || (letter == 'Z' && count == 5)) {
        if (read_name(text, at, "Z", 1))
            return set_offset(parts, 0);
    }
    if (letter == 'Z')
        count = count == 5 ? 5 : count == 4 ? 3 : 2;
    if (letter == 'O')
        count = 3;
    if (p >= text.size || (text.ptr[p] != '+' && text.ptr[p] != '-'))
        return false;
    int sign = text.ptr[p++] == '-' ? -1 : 1, numbers[3] = {0, 0, 0};
    bool colon = count == 3 || count == 5;
    int least = item->count == 1 && letter != 'Z' ? 1 : 2, most = count > 3 || localized ? 3 : 2;
    for (int i = 0; i < most; i++) {
        size_t q = p + (i && colon);
        if (i && colon && (p >= text.size || text.ptr[p] != ':'))
            q = text.size;
        if (!is_digit(text, q) || (!is_digit(text, q + 1) && !(letter == 'O' && item->count == 1 && i == 0))) {
            if (i < least)
                return false;
            break;
        }
        numbers[i] = text.ptr[q] - '0';
        p = q + 1;
        if (is_digit(text, p))
            numbers[i] = numbers[i] * 10 + (text.ptr[p++] - '0');
    }
    int seconds = numbers[0] * 3600 + numbers[1] * 60 + numbers[2];
    if (numbers[1] > 59 || numbers[2] > 59 || seconds > 18 * 3600)
        return false;
    *at = p;
    return set_offset(parts, sign * seconds);
}

static bool is_zone_character(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("+-:/_", c));
}

static bool read_zone(Str text, size_t *at, JavaTimeParts *parts)
{
    size_t end = *at;
    while (end < text.size && is_zone_character(text.ptr[end]))
        end++;
    if (end == *at)
        return false;
    parts->zone = (Str){text.ptr + *at, end - *at};
    *at = end;
    return true;
}

static bool read_items(const JavaTime *format, int from, int until, Str text, size_t *at, Fields *fields)
{
    for (int i = from; i < until; i++) {
        const Item *item = &format->items[i];
        bool fits = true;
        int64_t value;
        switch (item->kind) {
        case ITEM_TEXT:
            fits = read_name(text, at, item->text.ptr, item->text.size);
            break;
        case ITEM_NUMBER:
            fits = read_number(item, text, at, &value) && set_field(field_of(fields, item->letter), value);
            break;
        case ITEM_FRACTION: {
            int digits = 0;
            value = 0;
            for (; digits < item->count && is_digit(text, *at); digits++, (*at)++)
                value = value * 10 + (text.ptr[*at] - '0');
            fits = digits > 0;
            for (; digits < 9; digits++)
                value *= 10;
            fits = fits && set_field(&fields->nanos, value);
            break;
        }
        case ITEM_NAME:
            fits = read_named_item(item, text, at, fields);
            break;
        case ITEM_OFFSET:
            fits = read_offset(item, text, at, fields->parts);
            break;
        case ITEM_ZONE:
            fits = read_zone(text, at, fields->parts);
            break;
        case ITEM_OPEN: {
            Fields before = *fields;
            JavaTimeParts parts = *fields->parts;
            size_t start = *at;
            if (!read_items(format, i + 1, item->close, text, at, fields)) {
                *fields = before;
                *fields->parts = parts;
                *at = start;
            }
            i = item->close;
            break;
        }
        case ITEM_CLOSE:
            break;
        }
        if (!fits)
            return false;
    }
    return true;
}

static bool within(int64_t value, int64_t low, int64_t high)
{
    return value == UNSET || (value >= low && value <= high);
}

/* The hour of the day from whatever was given; without a half of the day it is the morning. */
static bool resolve_hour(const Fields *f, int64_t *hour)
{
    if (!within(f->hour, 0, 23) || !within(f->hour_24, 1, 24) || !within(f->hour_half, 0, 11) || !within(f->hour_12, 1, 12))
        return false;
    int64_t half_hour = f->hour_half != UNSET ? f->hour_half : f->hour_12 != UNSET ? f->hour_12 % 12 : UNSET;
    int64_t by_half = half_hour == UNSET ? UNSET : half_hour + (f->half == 1 ? 12 : 0),
            by_24 = f->hour_24 == UNSET ? UNSET : f->hour_24 % 24;
    int64_t given[] = {f->hour, by_24, by_half};
    *hour = UNSET;
    for (int i = 0; i < 3; i++) {
        if (given[i] == UNSET)
            continue;
        if (*hour != UNSET && *hour != given[i])
            return false;
        *hour = given[i];
    }
    if (*hour != UNSET && half_hour == UNSET && f->half != UNSET && *hour / 12 != f->half)
        return false;
    if (*hour == UNSET)
        *hour = f->half == 1 ? 12 : 0;
    return true;
}

static const char *resolve(Fields *f)
{
    int64_t hour, days, year = f->year == UNSET ? 1970 : f->year;
    if (f->era != UNSET) {
        if (year < 1)
            return "the year of an era must be 1 or more";
        year = f->era ? year : 1 - year;
    }
    if (year < -290000 || year > 294000)
        return "the year is out of range";
    if (!within(f->month, 1, 12) || !within(f->day, 1, 31) || !within(f->minute, 0, 59) || !within(f->second, 0, 59) ||
        !resolve_hour(f, &hour))
        return "a field is out of range";
    if (f->day_of_year != UNSET) {
        if (f->day_of_year < 1 || f->day_of_year > 365 + calendar_is_leap(year))
            return "the day of the year is out of range";
        days = calendar_days(year, 1, 1) + f->day_of_year - 1;
        CivilDate date = calendar_date(days);
        if ((f->month != UNSET && f->month != date.month) || (f->day != UNSET && f->day != date.day))
            return "the day of the year is another one";
    } else {
        int month = f->month == UNSET ? 1 : (int)f->month, day = f->day == UNSET ? 1 : (int)f->day;
        if (day > calendar_month_days(year, month))
            return "the month does not have this day";
        days = calendar_days(year, month, day);
    }
    int64_t seconds = (hour * 60 + (f->minute == UNSET ? 0 : f->minute)) * 60 + (f->second == UNSET ? 0 : f->second);
    f->parts->local_us = days * DAY_US + seconds * 1000000 + (f->nanos == UNSET ? 0 : f->nanos / 1000);
    return NULL;
}

const char *java_time_parse(const JavaTime *format, Str text, JavaTimeParts *out, size_t *at)
{
    Fields fields = {.year = UNSET,
                     .month = UNSET,
                     .day = UNSET,
                     .day_of_year = UNSET,
                     .hour = UNSET,
                     .hour_24 = UNSET,
                     .hour_half = UNSET,
                     .hour_12 = UNSET,
                     .half = UNSET,
                     .minute = UNSET,
                     .second = UNSET,
                     .era = UNSET,
                     .nanos = UNSET,
                     .parts = out};
    *out = (JavaTimeParts){0};
    *at = 0;
    if (!read_items(format, 0, format->count, text, at, &fields))
        return "it does not fit the pattern";
    if (*at < text.size)
        return "it goes on behind the pattern's end";
    return resolve(&fields);
}
