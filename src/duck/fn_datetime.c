/*
 * duck/fn_datetime.c - dates and times by pattern, from parts, and between calendars
 *
 * Patterns are Java's (DateTimeFormatter), as far as Spark 4 allows them; both directions share one reading of the pattern. Parsing is
 * strict: the whole text, two digits for "dd", no 30th of February.
 */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/print.h"
#include "duck/zone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- patterns ---- */

enum { PATTERN_PARTS_MAX = 64 };

typedef struct PatternPart {
    char letter; /* 0: literal text */
    int count;
    Str text;
} PatternPart;

typedef struct Pattern {
    PatternPart parts[PATTERN_PARTS_MAX];
    int count;
    char literal[256]; /* text of quoted parts, quotes undone */
    const char *code, *problem; /* NULL: a good pattern */
    char letter;                /* that is wrong */
} Pattern;

static bool pattern_fail(Pattern *p, const char *code, const char *problem, char letter)
{
    p->code = code;
    p->problem = problem;
    p->letter = letter;
    return false;
}

static bool pattern_read(Pattern *p, Str text)
{
    size_t used = 0;

    p->count = 0;
    p->code = NULL;
    for (size_t i = 0; i < text.size;) {
        if (p->count == PATTERN_PARTS_MAX || used + text.size - i > sizeof p->literal)
            return pattern_fail(p, "INVALID_DATETIME_PATTERN.LENGTH", "is too long", 0);
        PatternPart *part = &p->parts[p->count++];
        char c = text.ptr[i];

        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            size_t from = i;

            while (i < text.size && text.ptr[i] == c)
                i++;
            *part = (PatternPart){.letter = c, .count = (int)(i - from)};
            if (strchr("YwWuec", c))
                return pattern_fail(p, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN", "holds a week-based letter, which is not allowed:", c);
            if (!strchr("GyMLdDQqEahHkKmsSVzOXxZF", c))
                return pattern_fail(p, "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER", "holds a letter without a meaning:", c);
            int most = strchr("dhHkKmsF", c) ? 2 : c == 'D' ? 3 : c == 'S' ? 9 : c == 'y' ? 6 : strchr("ZXx", c) ? 5 : c == 'V' ? 2 : c == 'a' ? 1 : 4;

            if (part->count > most || (c == 'V' && part->count != 2) || (c == 'O' && part->count != 1 && part->count != 4))
                return pattern_fail(p, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION", "repeats a letter too often:", c);
            continue;
        }
        *part = (PatternPart){.text = {p->literal + used, 0}};
        if (c == '[' || c == ']' || c == '#' || c == '{' || c == '}')
            return pattern_fail(p, "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER", "holds a reserved character:", c);
        if (c != '\'') {
            p->literal[used++] = c;
            i++;
        } else if (i + 1 < text.size && text.ptr[i + 1] == '\'') {
            p->literal[used++] = '\'';
            i += 2;
        } else {
            for (i++; i < text.size; i++) {
                if (text.ptr[i] == '\'') {
                    if (i + 1 >= text.size || text.ptr[i + 1] != '\'')
                        break;
                    i++;
                }
                p->literal[used++] = text.ptr[i];
            }
            if (i >= text.size)
                return pattern_fail(p, "INVALID_DATETIME_PATTERN", "has a quote that does not end", '\'');
            i++;
        }
        part->text.size = (size_t)(p->literal + used - part->text.ptr);
    }
    return true;
}

static int pattern_error(FnCall *call, int row, const Pattern *p, Str text)
{
    return fn_fail(call, row, p->code, "the date pattern \"%.*s\" %s %.1s", FN_SHOW(text), p->problem, p->letter ? &p->letter : "");
}

/* ---- words ---- */

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"};
static const char *const days[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

/* ---- formatting ---- */

typedef struct Moment {
    CivilDate date;
    int64_t days;
    int hour, minute, second, micro;
    int32_t offset;
} Moment;

static Moment moment_of(int64_t us, const Zone *zone)
{
    Moment m;

    m.offset = zone ? zone_offset_seconds(zone, us) : 0;
    us += (int64_t)m.offset * 1000000;
    m.days = floor_div(us, DAY_US);
    int64_t rest = us - m.days * DAY_US;

    m.date = calendar_date(m.days);
    m.micro = (int)(rest % 1000000);
    rest /= 1000000;
    m.second = (int)(rest % 60);
    m.minute = (int)(rest / 60 % 60);
    m.hour = (int)(rest / 3600);
    return m;
}

static void put_offset(StrBuf *out, int32_t offset, int count, bool z, bool colon)
{
    int32_t a = offset < 0 ? -offset : offset;

    if (!offset && z) {
        str_buf_putc(out, 'Z');
        return;
    }
    str_buf_printf(out, "%c%02d", offset < 0 ? '-' : '+', a / 3600);
    if (count > 1 || a / 60 % 60)
        str_buf_printf(out, colon ? ":%02d" : "%02d", a / 60 % 60);
    if (count >= 4 && a % 60)
        str_buf_printf(out, colon ? ":%02d" : "%02d", a % 60);
}

static bool put_part(StrBuf *out, const PatternPart *p, const Moment *m, const char *zone_name)
{
    int n = p->count, month = m->date.month;
    const char *day = days[((m->days + 3) % 7 + 7) % 7];
    int value = 0;

    switch (p->letter) {
    case 0:
        str_buf_str(out, p->text);
        return true;
    case 'G':
        str_buf_puts(out, n == 4 ? (m->date.year > 0 ? "Anno Domini" : "Before Christ") : m->date.year > 0 ? "AD" : "BC");
        return true;
    case 'y': {
        int64_t year = m->date.year > 0 ? m->date.year : 1 - m->date.year;

        if (n == 2)
            str_buf_printf(out, "%02d", (int)(year % 100));
        else
            str_buf_printf(out, "%s%0*lld", n >= 4 && year > 9999 ? "+" : "", n, (long long)year);
        return true;
    }
    case 'M':
    case 'L':
        if (n <= 2)
            str_buf_printf(out, "%0*d", n, month);
        else
            str_buf_printf(out, n == 3 ? "%.3s" : "%s", months[month - 1]);
        return true;
    case 'Q':
    case 'q': {
        static const char *const ordinals[] = {"1st", "2nd", "3rd", "4th"};
        int q = (month - 1) / 3;

        if (n <= 2)
            str_buf_printf(out, "%0*d", n, q + 1);
        else if (n == 3)
            str_buf_printf(out, "Q%d", q + 1);
        else
            str_buf_printf(out, "%s quarter", ordinals[q]);
        return true;
    }
    case 'E':
        str_buf_printf(out, n <= 3 ? "%.3s" : "%s", day);
        return true;
    case 'a':
        str_buf_puts(out, m->hour < 12 ? "AM" : "PM");
        return true;
    case 'd':
        value = m->date.day;
        break;
    case 'D':
        value = (int)(m->days - calendar_days(m->date.year, 1, 1)) + 1;
        break;
    case 'F':
        value = (m->date.day - 1) % 7 + 1;
        break;
    case 'h':
        value = m->hour % 12 ? m->hour % 12 : 12;
        break;
    case 'K':
        value = m->hour % 12;
        break;
    case 'H':
        value = m->hour;
        break;
    case 'k':
        value = m->hour ? m->hour : 24;
        break;
    case 'm':
        value = m->minute;
        break;
    case 's':
        value = m->second;
        break;
    case 'S': {
        char digits[16];

        snprintf(digits, sizeof digits, "%06d000", m->micro);
        str_buf_add(out, digits, (size_t)n);
        return true;
    }
    case 'V':
        str_buf_puts(out, zone_name);
        return true;
    case 'z':
        if (strcmp(zone_name, "UTC") && strcmp(zone_name, "Etc/UTC"))
            return false; /* names like CEST are not known here */
        str_buf_puts(out, n == 4 ? "Coordinated Universal Time" : "UTC");
        return true;
    case 'O':
        str_buf_puts(out, "GMT");
        if (m->offset)
            n == 1 ? str_buf_printf(out, m->offset % 3600 ? "%+d:%02d" : "%+d", m->offset / 3600, (m->offset < 0 ? -m->offset : m->offset) / 60 % 60)
                   : put_offset(out, m->offset, 3, false, true);
        return true;
    case 'X':
        put_offset(out, m->offset, n, true, n == 3 || n == 5);
        return true;
    case 'x':
        put_offset(out, m->offset, n, false, n == 3 || n == 5);
        return true;
    case 'Z':
        if (n == 4) {
            str_buf_puts(out, "GMT");
            if (m->offset)
                put_offset(out, m->offset, 3, false, true);
        } else {
            put_offset(out, m->offset, n == 5 ? 5 : 2, n == 5, n == 5);
        }
        return true;
    }
    str_buf_printf(out, "%0*d", n, value);
    return true;
}

/* The pattern of this row, read again only when it changes. */
static const Pattern *pattern_at(Pattern *p, Str *last, const Column *column, int row)
{
    Str text = text_at(column, row);

    if (!last->ptr || !str_equal(*last, text)) {
        pattern_read(p, text);
        *last = text;
    }
    return p;
}

static int date_format(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    const char *zone_name = call->session && call->session->time_zone ? call->session->time_zone : "UTC";
    Pattern pattern;
    Str last = {0};

    if (!zone)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    FN_ROWS(row, out, rows) {
        const Pattern *p = pattern_at(&pattern, &last, &args[1], row);

        if (p->code)
            return pattern_error(call, row, p, text_at(&args[1], row));
        Moment m = moment_of(((const int64_t *)args[0].data)[row], zone);

        str_buf_clear(call->scratch);
        for (int i = 0; i < p->count; i++)
            if (!put_part(call->scratch, &p->parts[i], &m, zone_name))
                return fn_fail(call, row, "UNSUPPORTED_FEATURE.ZONE_NAME", "names of time zones (pattern letter z) are known for UTC only");
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- parsing ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Width that a numeric part takes when something numeric follows it without a gap; 0: as many as there are. */
static int fixed_width(const PatternPart *p)
{
    return p->letter && strchr("MLdDQqhHkKmsF", p->letter) && p->count == 2 ? 2 : p->letter == 'y' && p->count == 2 ? 2 : 0;
}

static bool is_numeric_part(const PatternPart *p)
{
    return p->letter && (strchr("ydDhHkKmsSF", p->letter) || (strchr("MLQq", p->letter) && p->count <= 2));
}

static bool take_number(const char **c, const char *end, int least, int most, int64_t *out)
{
    int n = 0;

    for (*out = 0; *c < end && is_digit(**c) && n < most; n++, (*c)++)
        *out = *out * 10 + (**c - '0');
    return n >= least;
}

static bool take_word(const char **c, const char *end, const char *const *words, int count, bool whole, int *index)
{
    for (int i = 0; i < count; i++) {
        size_t size = whole ? strlen(words[i]) : 3;

        if ((size_t)(end - *c) >= size && !strncasecmp(*c, words[i], size)) {
            *c += size;
            *index = i;
            return true;
        }
    }
    return false;
}

typedef struct Parsed {
    int64_t year, month, day, hour, hour12, minute, second, micro, day_of_year;
    int half; /* 0 AM, 1 PM, -1 none */
    bool zoned;
    Str zone; /* text of the zone */
} Parsed;

static bool parse_part(const PatternPart *p, const PatternPart *next, int next_count, const char **c, const char *end, Parsed *out)
{
    int reserved = 0, n = p->count, index;
    int64_t value = 0;

    if (!p->letter) {
        if ((size_t)(end - *c) < p->text.size || memcmp(*c, p->text.ptr, p->text.size))
            return false;
        *c += p->text.size;
        return true;
    }
    for (int i = 0; i < next_count && is_numeric_part(&next[i]) && fixed_width(&next[i]); i++)
        reserved += fixed_width(&next[i]);
    if (is_numeric_part(p)) {
        int width = fixed_width(p), digits = 0;

        while (*c + digits < end && is_digit((*c)[digits]))
            digits++;
        int most = width ? width : reserved ? digits - reserved : p->letter == 'y' ? 9 : p->letter == 'S' ? n : 9;
        bool negative = p->letter == 'y' && n != 2 && *c < end && **c == '-';

        if (negative)
            (*c)++;
        const char *from = *c;
        if (!take_number(c, end, width ? width : p->letter == 'y' ? n : 1, most, &value))
            return false;
        if (negative)
            value = -value;
        if (p->letter == 'S')
            for (long i = *c - from; i < 6; i++)
                value *= 10;
        if (p->letter == 'S')
            for (long i = *c - from; i > 6; i--)
                value /= 10;
    }
    switch (p->letter) {
    case 'y':
        out->year = n == 2 ? 2000 + value : value;
        return true;
    case 'M':
    case 'L':
        if (n > 2) {
            if (!take_word(c, end, months, 12, n == 4, &index))
                return false;
            value = index + 1;
        }
        out->month = value;
        return true;
    case 'd':
        out->day = value;
        return true;
    case 'D':
        out->day_of_year = value;
        return true;
    case 'E':
        return take_word(c, end, days, 7, n == 4, &index);
    case 'a':
        if (end - *c < 2 || (strncasecmp(*c, "AM", 2) && strncasecmp(*c, "PM", 2)))
            return false;
        out->half = (**c | 0x20) == 'p';
        *c += 2;
        return true;
    case 'h':
        out->hour12 = value % 12;
        return value >= 1 && value <= 12;
    case 'K':
        out->hour12 = value;
        return value <= 11;
    case 'H':
        out->hour = value;
        return value <= 23;
    case 'k':
        out->hour = value % 24;
        return value >= 1 && value <= 24;
    case 'm':
        out->minute = value;
        return value <= 59;
    case 's':
        out->second = value;
        return value <= 59;
    case 'S':
        out->micro = value;
        return true;
    case 'V':
    case 'z':
    case 'O':
    case 'X':
    case 'x':
    case 'Z': {
        const char *from = *c;

        while (*c < end && (is_digit(**c) || (((**c) | 0x20) >= 'a' && ((**c) | 0x20) <= 'z') || strchr("+-:/_", **c)))
            (*c)++;
        out->zone = (Str){from, (size_t)(*c - from)};
        out->zoned = true;
        return *c > from;
    }
    case 'G':
        if (end - *c < 2 || strncasecmp(*c, "AD", 2))
            return false;
        *c += 2;
        return true;
    default:
        return false;
    }
}

static bool parse_by(const Pattern *p, Str text, Parsed *out, int64_t *local_us)
{
    const char *c = text.ptr, *end = text.ptr + text.size;

    *out = (Parsed){.year = 1970, .month = 1, .day = 1, .half = -1, .hour12 = -1};
    for (int i = 0; i < p->count; i++)
        if (!parse_part(&p->parts[i], &p->parts[i + 1], p->count - i - 1, &c, end, out))
            return false;
    if (c != end || out->month < 1 || out->month > 12 || out->day < 1 || out->day > calendar_month_days(out->year, (int)out->month))
        return false;
    if (out->hour12 >= 0) {
        if (out->half < 0)
            return false;
        out->hour = out->hour12 + 12 * out->half;
    }
    int64_t day = calendar_days(out->year, (int)out->month, (int)out->day);

    if (out->day_of_year) {
        if (out->day_of_year > (calendar_is_leap(out->year) ? 366 : 365))
            return false;
        day = calendar_days(out->year, 1, 1) + out->day_of_year - 1;
    }
    *local_us = day * DAY_US + ((out->hour * 60 + out->minute) * 60 + out->second) * 1000000 + out->micro;
    return true;
}

/* To the type of out; the zone in the text wins over the session's. */
static int parse_as(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *session = duck__session_zone(call->session, &err);
    bool fails = call->function->flags & FN_FAILS;
    Pattern pattern;
    Str last = {0};

    if (!session)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    FN_ROWS(row, out, rows) {
        const Pattern *p = pattern_at(&pattern, &last, &args[1], row);
        Str text = text_at(&args[0], row);
        Parsed parsed;
        int64_t us = 0;

        if (p->code && fails)
            return pattern_error(call, row, p, text_at(&args[1], row));
        bool ok = !p->code && parse_by(p, text, &parsed, &us);

        if (ok && out->type->kind == TYPE_TIMESTAMP) {
            const Zone *zone = parsed.zoned ? duck__zone_by_name(call->session, parsed.zone, &err) : session;

            ok = zone != NULL;
            us = zone ? zone_to_utc_us(zone, us) : 0;
        }
        if (!ok && fails)
            return fn_fail(call, row, "CANNOT_PARSE_TIMESTAMP", "\"%.*s\" does not fit the pattern \"%.*s\"", FN_SHOW(text), FN_SHOW(text_at(&args[1], row)));
        if (!ok)
            column_set_null(out, (uint64_t)row);
        else if (out->type->kind == TYPE_DATE)
            ((int32_t *)out->data)[row] = (int32_t)floor_div(us, DAY_US);
        else
            ((int64_t *)out->data)[row] = us;
    }
    return 0;
}

/* ---- from parts ---- */

static int make_date(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        int year = int_at(&args[0], row), month = int_at(&args[1], row), day = int_at(&args[2], row);

        if (month < 1 || month > 12 || day < 1 || day > calendar_month_days(year, month))
            return fn_fail(call, row, "DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "there is no day %d-%d-%d", year, month, day);
        ((int32_t *)out->data)[row] = (int32_t)calendar_days(year, month, day);
    }
    return 0;
}

static int make_timestamp(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *session = duck__session_zone(call->session, &err);
    bool fails = call->function->flags & FN_FAILS;

    if (!session)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    FN_ROWS(row, out, rows) {
        int year = int_at(&args[0], row), month = int_at(&args[1], row), day = int_at(&args[2], row);
        int hour = int_at(&args[3], row), minute = int_at(&args[4], row);
        int64_t us = (int64_t)decimal_value(&args[5], (uint64_t)row); /* seconds with six decimals */
        const Zone *zone = session;

        bool ok = month >= 1 && month <= 12 && day >= 1 && day <= calendar_month_days(year, month) && hour >= 0 && hour <= 23 && minute >= 0 &&
                  minute <= 59 && us >= 0 && us <= 60000000;

        if (ok && call->arg_count > 6)
            ok = (zone = duck__zone_by_name(call->session, text_at(&args[6], row), &err)) != NULL;
        if (!ok && fails)
            return fn_fail(call, row, "DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "these parts make no timestamp: %d-%d-%d %d:%d", year, month, day, hour,
                           minute);
        if (!ok) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        int64_t local = calendar_days(year, month, day) * DAY_US + (int64_t)(hour * 60 + minute) * 60000000 + us;

        ((int64_t *)out->data)[row] = out->type->kind == TYPE_TIMESTAMP ? zone_to_utc_us(zone, local) : local;
    }
    return 0;
}

/* ---- calendars ---- */

static int months_between(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);

    if (!zone)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    FN_ROWS(row, out, rows) {
        Moment a = moment_of(((const int64_t *)args[0].data)[row], zone), b = moment_of(((const int64_t *)args[1].data)[row], zone);
        double whole = (double)((a.date.year - b.date.year) * 12 + a.date.month - b.date.month), result = whole;
        bool last_a = a.date.day == calendar_month_days(a.date.year, a.date.month), last_b = b.date.day == calendar_month_days(b.date.year, b.date.month);

        if (a.date.day != b.date.day && !(last_a && last_b)) {
            int64_t sa = (a.hour * 60 + a.minute) * 60 + a.second, sb = (b.hour * 60 + b.minute) * 60 + b.second;
            double rest = (double)((a.date.day - b.date.day) * DAY_SECONDS + sa - sb);

            result = whole + rest / (31.0 * DAY_SECONDS);
            if (((const uint8_t *)args[2].data)[row])
                result = round(result * 1e8) / 1e8;
        }
        ((double *)out->data)[row] = result;
    }
    return 0;
}

/* Whole months from one local time to another, as Java's ChronoUnit.MONTHS counts. */
static int months_whole(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        int64_t from = ((const int64_t *)args[0].data)[row], to = ((const int64_t *)args[1].data)[row];
        Moment a = moment_of(from, NULL), b = moment_of(to, NULL);
        int64_t whole = (b.date.year - a.date.year) * 12 + b.date.month - a.date.month;
        int64_t left_a = from - (a.days - a.date.day) * DAY_US, left_b = to - (b.days - b.date.day) * DAY_US;

        if (whole > 0 && left_b < left_a)
            whole--;
        else if (whole < 0 && left_b > left_a)
            whole++;
        ((int64_t *)out->data)[row] = whole;
    }
    return 0;
}

static int next_day(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        Str name = text_at(&args[1], row);
        int wanted = -1;

        for (int i = 0; i < 7; i++) /* two letters, three, or all */
            if ((name.size == 2 || name.size == 3 || name.size == strlen(days[i])) && !strncasecmp(name.ptr, days[i], name.size))
                wanted = i;
        if (wanted < 0)
            return fn_fail(call, row, "ILLEGAL_DAY_OF_WEEK", "\"%.*s\" is no day of the week", FN_SHOW(name));
        int32_t day = int_at(&args[0], row);
        int today = ((day + 3) % 7 + 7) % 7;

        ((int32_t *)out->data)[row] = day + ((wanted - today + 6) % 7) + 1;
    }
    return 0;
}

#define PARTS "int, int, int, int, int, decimal(16,6)"

const DuckFunction fn_datetime[] = {
    {.name = "silt_date_format", .args = "timestamp, string", .result = "string", .flags = FN_FAILS, .eval = date_format},
    {.name = "silt_parse_timestamp_as", .args = "string, string", .result = "timestamp", .flags = FN_FAILS, .eval = parse_as},
    {.name = "silt_parse_timestamp_ntz_as", .args = "string, string", .result = "timestamp_ntz", .flags = FN_FAILS, .eval = parse_as},
    {.name = "silt_parse_date_as", .args = "string, string", .result = "date", .flags = FN_FAILS, .eval = parse_as},
    {.name = "silt_try_parse_timestamp_as", .args = "string, string", .result = "timestamp", .flags = FN_VOLATILE, .eval = parse_as},
    {.name = "silt_try_parse_timestamp_ntz_as", .args = "string, string", .result = "timestamp_ntz", .eval = parse_as},
    {.name = "silt_try_parse_date_as", .args = "string, string", .result = "date", .eval = parse_as},
    {.name = "silt_make_date", .args = "int, int, int", .result = "date", .flags = FN_FAILS, .eval = make_date},
    {.name = "silt_make_timestamp", .args = PARTS, .result = "timestamp", .flags = FN_FAILS, .eval = make_timestamp},
    {.name = "silt_make_timestamp_in", .args = PARTS ", string", .result = "timestamp", .flags = FN_FAILS, .eval = make_timestamp},
    {.name = "silt_make_timestamp_ntz", .args = PARTS, .result = "timestamp_ntz", .flags = FN_FAILS, .eval = make_timestamp},
    {.name = "silt_try_make_timestamp", .args = PARTS, .result = "timestamp", .flags = FN_VOLATILE, .eval = make_timestamp},
    {.name = "silt_try_make_timestamp_in", .args = PARTS ", string", .result = "timestamp", .flags = FN_VOLATILE, .eval = make_timestamp},
    {.name = "silt_months_between", .args = "timestamp, timestamp, boolean", .result = "double", .flags = FN_VOLATILE, .eval = months_between},
    {.name = "silt_months_whole", .args = "timestamp_ntz, timestamp_ntz", .result = "bigint", .eval = months_whole},
    {.name = "silt_next_day", .args = "date, string", .result = "date", .flags = FN_FAILS, .eval = next_day},
    {0},
};
