/* duck/fn_datetime.c - dates and times: patterns, parts put together, months between */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/java_time.h"
#include "duck/print.h"

#include <math.h>
#include <strings.h>

/* ---- patterns: argument 1; a constant one is read once per statement, a wrong one fails when a row is asked ---- */

typedef struct ConstantFormat {
    const JavaTime *format; /* NULL: wrong, see err */
    SiltErr err;
} ConstantFormat;

typedef struct Formatter {
    FnCall *call;
    const Column *patterns;
    bool parsing;
    Arena *arena;
    Str pattern; /* in arena */
    const JavaTime *format;
    const Zone *zone;
} Formatter;

static void prepare_format(FnCall *call, bool parsing)
{
    const Column *pattern = &call->constants[1];
    if (!pattern->type || column_is_null(pattern, 0))
        return;
    ConstantFormat *constant = ARENA_NEW(call->arena, ConstantFormat);
    if (java_time_new(call->arena, text_at(pattern, 0), parsing, &constant->format, &constant->err) < 0)
        constant->format = NULL;
    call->data = constant;
}

static int prepare_writing(FnCall *call, SiltErr *err)
{
    (void)err;
    prepare_format(call, false);
    return 0;
}

static int prepare_reading(FnCall *call, SiltErr *err)
{
    (void)err;
    prepare_format(call, true);
    return 0;
}

static int formatter_init(Formatter *formatter, FnCall *call, const Column *args, bool parsing)
{
    SiltErr err;
    *formatter = (Formatter){.call = call, .patterns = &args[1], .parsing = parsing};
    formatter->zone = duck__session_zone(call->session, &err);
    return formatter->zone ? 0 : fn_fail(call, 0, err.code, "%s", err.message);
}

/* The format of this row in formatter->format. */
static int formatter_aim(Formatter *formatter, int row)
{
    const ConstantFormat *constant = formatter->call->data;
    SiltErr err;
    if (constant) {
        formatter->format = constant->format;
        return constant->format ? 0 : fn_fail(formatter->call, row, constant->err.code, "%s", constant->err.message);
    }
    Str pattern = text_at(formatter->patterns, row);
    if (formatter->format && str_equal(pattern, formatter->pattern))
        return 0;
    if (formatter->arena)
        arena_reset(formatter->arena);
    else
        formatter->arena = arena_new();
    formatter->pattern = arena_str(formatter->arena, pattern);
    formatter->format = NULL;
    if (java_time_new(formatter->arena, formatter->pattern, formatter->parsing, &formatter->format, &err) < 0)
        return fn_fail(formatter->call, row, err.code, "%s", err.message);
    return 0;
}

/* ---- writing ---- */

static int date_format(FnCall *call, const Column *args, Column *out, int rows)
{
    Formatter f;
    int r = formatter_init(&f, call, args, false);
    const char *name = call->session->time_zone ? call->session->time_zone : "UTC";
    if (r < 0)
        return r;
    FN_ROWS(row, out, rows)
    {
        if ((r = formatter_aim(&f, row)) < 0)
            break;
        int64_t utc_us = long_at(&args[0], row);
        str_buf_clear(call->scratch);
        if (!java_time_format(call->scratch, f.format, zone_to_local_us(f.zone, utc_us), zone_offset_seconds(f.zone, utc_us), name)) {
            r = fn_fail(call, row, "UNSUPPORTED_FEATURE.TIME_ZONE_NAME",
                        "the short name of the time zone %s (pattern letter z) is not known; use VV, O or X", name);
            break;
        }
        text_put_buf(out, row, call->scratch);
    }
    arena_free(f.arena);
    return r;
}

/* ---- reading ---- */

typedef enum Target { TO_DATE, TO_TIMESTAMP, TO_NTZ, TO_TIME } Target;

/* Microseconds of what was read, by the zone that the text or else the session gives. False: no such zone. */
static bool as_utc(const Formatter *f, const JavaTimeParts *parts, int64_t *us)
{
    const Zone *zone = f->zone;
    SiltErr err;
    if (parts->has_offset) {
        *us = parts->local_us - parts->offset_seconds * INT64_C(1000000);
        return true;
    }
    if (parts->zone.size && !(zone = duck__zone_by_name(parts->zone, &err)))
        return false;
    *us = zone_to_utc_us(zone, parts->local_us);
    return true;
}

static int parse_as(FnCall *call, const Column *args, Column *out, int rows, Target target, bool null)
{
    Formatter f;
    int r = formatter_init(&f, call, args, true);
    if (r < 0)
        return r;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        JavaTimeParts parts;
        size_t at;
        int64_t us = 0;
        if ((r = formatter_aim(&f, row)) < 0) {
            if (target != TO_TIME || !null)
                break;
            column_set_null(out, (uint64_t)row); /* to try_to_time a wrong pattern is a text that does not fit */
            r = 0;
            continue;
        }
        const char *wrong = java_time_parse(f.format, text, &parts, &at);
        if (!wrong && target == TO_NTZ)
            us = parts.local_us;
        else if (!wrong && target == TO_TIME)
            us = parts.local_us - floor_div(parts.local_us, DAY_US) * DAY_US;
        else if (!wrong && !as_utc(&f, &parts, &us))
            wrong = "there is no such time zone";
        if (wrong && null) {
            column_set_null(out, (uint64_t)row);
        } else if (wrong) {
            r = fn_fail(call, row, target == TO_TIME ? "CANNOT_PARSE_TIME" : "CANNOT_PARSE_TIMESTAMP", "\"%.*s\" cannot be read by the pattern \"%.*s\": %s (character %zu)",
                        FN_SHOW(text), FN_SHOW(text_at(&args[1], row)), wrong, at + 1);
            break;
        } else if (target == TO_DATE) {
            ((int32_t *)out->data)[row] = (int32_t)floor_div(zone_to_local_us(f.zone, us), DAY_US);
        } else {
            ((int64_t *)out->data)[row] = us;
        }
    }
    arena_free(f.arena);
    return r;
}

#define PARSER(name, target, null)                                                                                                         \
    static int name(FnCall *call, const Column *args, Column *out, int rows)                                                               \
    {                                                                                                                                      \
        return parse_as(call, args, out, rows, target, null);                                                                              \
    }

PARSER(parse_date, TO_DATE, false)
PARSER(parse_timestamp, TO_TIMESTAMP, false)
PARSER(parse_ntz, TO_NTZ, false)
PARSER(parse_time, TO_TIME, false)
PARSER(try_parse_date, TO_DATE, true)
PARSER(try_parse_timestamp, TO_TIMESTAMP, true)
PARSER(try_parse_ntz, TO_NTZ, true)
PARSER(try_parse_time, TO_TIME, true)

/* ---- parts put together ---- */

/* NULL, or what is wrong. */
static const char *days_of(int64_t year, int64_t month, int64_t day, int64_t *days)
{
    if (year < -290000 || year > 294000)
        return "the year is out of range";
    if (month < 1 || month > 12)
        return "the month must be 1 to 12";
    if (day < 1 || day > calendar_month_days(year, (int)month))
        return "the month does not have this day";
    *days = calendar_days(year, (int)month, (int)day);
    return NULL;
}

static int make_date(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t year = int_at(&args[0], row), month = int_at(&args[1], row), day = int_at(&args[2], row), days = 0;
        const char *wrong = days_of(year, month, day, &days);
        if (wrong)
            return fn_fail(call, row, "DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "there is no date %lld-%lld-%lld: %s",
                           (long long)year, (long long)month, (long long)day, wrong);
        ((int32_t *)out->data)[row] = (int32_t)days;
    }
    return 0;
}

/* Local microseconds of year, month, day, hour, minute, seconds (decimal(16,6)); a full 60 seconds are the next minute. */
static const char *local_of(const Column *args, int row, int64_t *us)
{
    int64_t days = 0, hour = int_at(&args[3], row), minute = int_at(&args[4], row),
            second_us = (int64_t)decimal_value(&args[5], (uint64_t)row);
    const char *wrong = days_of(int_at(&args[0], row), int_at(&args[1], row), int_at(&args[2], row), &days);
    if (wrong)
        return wrong;
    if (hour < 0 || hour > 23)
        return "the hour must be 0 to 23";
    if (minute < 0 || minute > 59)
        return "the minute must be 0 to 59";
    if (second_us < 0 || second_us > 60000000)
        return "the second must be 0 to 60";
    *us = days * DAY_US + (hour * 60 + minute) * INT64_C(60000000) + second_us;
    return NULL;
}

static int make_timestamp_or(FnCall *call, const Column *args, Column *out, int rows, bool ntz, bool null)
{
    SiltErr err;
    const Zone *zone = ntz ? NULL : duck__session_zone(call->session, &err);
    if (!ntz && !zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        int64_t us = 0;
        const char *wrong = local_of(args, row, &us);
        if (!wrong && call->arg_count > 6 && !(zone = duck__zone_by_name(text_at(&args[6], row), &err))) {
            if (!null)
                return fn_fail(call, row, "INVALID_TIMEZONE", "there is no time zone \"%.*s\"", FN_SHOW(text_at(&args[6], row)));
            wrong = "";
        }
        if (wrong && null)
            column_set_null(out, (uint64_t)row);
        else if (wrong)
            return fn_fail(call, row, "DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "this is no time: %s", wrong);
        ((int64_t *)out->data)[row] = ntz || wrong ? us : zone_to_utc_us(zone, us);
    }
    return 0;
}

static int make_timestamp(FnCall *call, const Column *args, Column *out, int rows)
{
    return make_timestamp_or(call, args, out, rows, false, false);
}

static int make_timestamp_ntz(FnCall *call, const Column *args, Column *out, int rows)
{
    return make_timestamp_or(call, args, out, rows, true, false);
}

static int try_make_timestamp(FnCall *call, const Column *args, Column *out, int rows)
{
    return make_timestamp_or(call, args, out, rows, false, true);
}

static int try_make_timestamp_ntz(FnCall *call, const Column *args, Column *out, int rows)
{
    return make_timestamp_or(call, args, out, rows, true, true);
}

/* ---- the calendar ---- */

static int weekday_of(Str name) /* Monday: 0; -1: none */
{
    static const char *const names[] = {"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"};
    for (int i = 0; i < 7; i++)
        if ((name.size == 2 || name.size == 3 || name.size == strlen(names[i])) && strncasecmp(name.ptr, names[i], name.size) == 0)
            return i;
    return -1;
}

static int next_day(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str name = text_at(&args[1], row);
        int weekday = weekday_of(name);
        int64_t days = int_at(&args[0], row);
        if (weekday < 0)
            return fn_fail(call, row, "ILLEGAL_DAY_OF_WEEK", "\"%.*s\" is no day of the week", FN_SHOW(name));
        int64_t today = ((days + 3) % 7 + 7) % 7, ahead = (weekday - today + 7) % 7;
        ((int32_t *)out->data)[row] = (int32_t)(days + (ahead ? ahead : 7));
    }
    return 0;
}

/* How far the session's clocks are ahead of UTC at an instant: DuckDB's date_part('timezone', ..) takes 0.7 us for it. */
static int local_shift(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        ((int64_t *)out->data)[row] = zone_offset_seconds(zone, long_at(&args[0], row)) * INT64_C(1000000);
    }
    return 0;
}

/* Equal days of the month, or both the last, count whole months; else a month has 31 days. */
static int months_between(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        CivilDate date[2];
        int64_t seconds[2];
        bool last[2];
        for (int i = 0; i < 2; i++) {
            int64_t utc_us = long_at(&args[i], row), days = floor_div(zone_to_local_us(zone, utc_us), DAY_US);
            date[i] = calendar_date(days);
            last[i] = date[i].day == calendar_month_days(date[i].year, date[i].month);
            seconds[i] = floor_div(utc_us - zone_to_utc_us(zone, days * DAY_US), 1000000);
        }
        double months = (double)((date[0].year - date[1].year) * 12 + date[0].month - date[1].month);
        if (date[0].day != date[1].day && !(last[0] && last[1])) {
            int64_t rest = (int64_t)(date[0].day - date[1].day) * DAY_SECONDS + seconds[0] - seconds[1];
            months += (double)rest / (31.0 * DAY_SECONDS);
            if (((const uint8_t *)args[2].data)[row])
                months = floor(months * 1e8 + 0.5) / 1e8;
        }
        ((double *)out->data)[row] = months;
    }
    return 0;
}

/* The zone that argument `arg` names in this row. */
static int zone_at(FnCall *call, const Column *args, int arg, int row, const Zone **zone)
{
    SiltErr err;
    Str name = text_at(&args[arg], row);
    *zone = duck__zone_by_name(name, &err);
    return *zone ? 0 : fn_fail(call, row, "INVALID_TIMEZONE", "there is no time zone \"%.*s\"", FN_SHOW(name));
}

/* The local time in a zone, read as if it were UTC; and back. */
static int from_utc(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        const Zone *zone;
        SILT_TRY(zone_at(call, args, 1, row, &zone));
        ((int64_t *)out->data)[row] = zone_to_local_us(zone, long_at(&args[0], row));
    }
    return 0;
}

static int to_utc(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        const Zone *zone;
        SILT_TRY(zone_at(call, args, 1, row, &zone));
        ((int64_t *)out->data)[row] = zone_to_utc_us(zone, long_at(&args[0], row));
    }
    return 0;
}

/* silt_convert_timezone(from, to, local time) */
static int convert_timezone(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        const Zone *from, *to;
        SILT_TRY(zone_at(call, args, 0, row, &from));
        SILT_TRY(zone_at(call, args, 1, row, &to));
        ((int64_t *)out->data)[row] = zone_to_local_us(to, zone_to_utc_us(from, long_at(&args[2], row)));
    }
    return 0;
}

static int64_t add_months(int64_t local_us, int64_t months)
{
    int64_t days, us = calendar_split(local_us, &days);
    return calendar_add_months(days, months) * DAY_US + us;
}

/* A local time as Java moves a ZonedDateTime to it: of an hour that comes twice, the one with the offset that it had before. */
static int64_t moved_to_local(const Zone *zone, int64_t local_us, int32_t offset_seconds)
{
    int64_t us;
    if (!__builtin_sub_overflow(local_us, offset_seconds * INT64_C(1000000), &us) && zone_offset_seconds(zone, us) == offset_seconds)
        return us;
    return zone_to_utc_us(zone, local_us);
}

/* Years that microseconds can tell, with room for an offset. */
static bool months_fit(int64_t local_us, int64_t months)
{
    enum { YEAR_LEAST = -290307, YEAR_MOST = 294246 };
    int64_t days, year;
    calendar_split(local_us, &days);
    year = calendar_date(days).year + months / 12;
    return year > YEAR_LEAST && year < YEAR_MOST;
}

/* silt_add_months(time, months): by the calendar of the session's zone */
static int add_months_to_time(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        int64_t us = long_at(&args[0], row), months = int_at(&args[1], row), local = zone_to_local_us(zone, us);
        if (!months_fit(local, months))
            return fn_fail(call, row, "DATETIME_OVERFLOW", "%lld months lead out of the range of TIMESTAMP", (long long)months);
        ((int64_t *)out->data)[row] = months ? moved_to_local(zone, add_months(local, months), zone_offset_seconds(zone, us)) : us;
    }
    return 0;
}

enum { SEQUENCE_MAX = 100 * 1000 * 1000 };

/* Both ends included; zone NULL: local times, else instants by its calendar. */
static int sequence_by_months(FnCall *call, const Column *args, Column *out, int rows, const Zone *zone)
{
    uint64_t used = 0;
    FN_ROWS(row, out, rows)
    {
        int64_t from = long_at(&args[0], row), to = long_at(&args[1], row), step = int_at(&args[2], row);
        int64_t local = zone ? zone_to_local_us(zone, from) : from;
        int32_t offset = zone ? zone_offset_seconds(zone, from) : 0;
        uint64_t start = used;
        if (from != to && (step == 0 || (step > 0) != (to > from)))
            return fn_fail(call, row, "_LEGACY_ERROR_TEMP_3239",
                           "a sequence in steps of %lld months does not lead from its start to its end", (long long)step);
        for (int64_t i = 0;; i++) {
            int64_t us = zone && i ? moved_to_local(zone, add_months(local, i * step), offset) : zone ? from : add_months(from, i * step);
            if ((step >= 0 && us > to) || (step < 0 && us < to))
                break;
            if (i == SEQUENCE_MAX)
                return fn_fail(call, row, "COLLECTION_SIZE_LIMIT_EXCEEDED.FUNCTION", "this sequence would have more than %d elements",
                               SEQUENCE_MAX);
            column_list_reserve(out, used + 1);
            ((int64_t *)out->children[0].data)[used++] = us;
            if (from == to)
                break;
        }
        ((ChunkList *)out->data)[row] = (ChunkList){start, used - start};
    }
    return 0;
}

/* silt_sequence_months(from, to, months): local microseconds */
static int sequence_months(FnCall *call, const Column *args, Column *out, int rows)
{
    return sequence_by_months(call, args, out, rows, NULL);
}

/* silt_sequence_month_times(from, to, months): microseconds UTC */
static int sequence_month_times(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    return zone ? sequence_by_months(call, args, out, rows, zone) : fn_fail(call, 0, err.code, "%s", err.message);
}

/*
 * Instants from `from` to `to`, both ends included, or their dates. The whole days of the step go by the calendar of the zone, the rest is exact; each
 * element is that many steps from the start.
 */
static int put_sequence(FnCall *call, Column *out, int row, uint64_t *used, const Zone *zone, int64_t from, int64_t to, int64_t step, bool dates)
{
    int64_t days = step / DAY_US, rest = step % DAY_US, local = zone_to_local_us(zone, from);
    int32_t offset = zone_offset_seconds(zone, from);
    uint64_t start = *used;
    if (dates && !days)
        return fn_fail(call, row, "_LEGACY_ERROR_TEMP_3242", "a sequence of dates needs a step of a day or more");
    if (from != to && (step == 0 || (step > 0) != (to > from)))
        return fn_fail(call, row, "_LEGACY_ERROR_TEMP_3239", "a sequence in steps of %lld microseconds does not lead from its start to its end",
                       (long long)step);
    for (int64_t i = 0;; i++) {
        int64_t whole, part, moved, us;
        if (__builtin_mul_overflow(i, days * DAY_US, &whole) || __builtin_mul_overflow(i, rest, &part) || __builtin_add_overflow(local, whole, &moved) ||
            __builtin_add_overflow(days && i ? moved_to_local(zone, moved, offset) : from, part, &us) || (step >= 0 && us > to) || (step < 0 && us < to))
            break;
        if (i == SEQUENCE_MAX)
            return fn_fail(call, row, "COLLECTION_SIZE_LIMIT_EXCEEDED.FUNCTION", "this sequence would have more than %d elements", SEQUENCE_MAX);
        column_list_reserve(out, *used + 1);
        ((int64_t *)out->children[0].data)[(*used)++] = dates ? floor_div(zone_to_local_us(zone, us), DAY_US) : us;
        if (from == to)
            break;
    }
    ((ChunkList *)out->data)[row] = (ChunkList){start, *used - start};
    return 0;
}

/* silt_sequence_times(from, to, step) of microseconds UTC, silt_sequence_dates(from, to, step) of days; the step in microseconds */
static int sequence_by_days(FnCall *call, const Column *args, Column *out, int rows, bool dates)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    uint64_t used = 0;
    FN_ROWS(row, out, rows)
    {
        int64_t ends[2];
        for (int i = 0; i < 2; i++)
            ends[i] = dates ? zone_to_utc_us(zone, int_at(&args[i], row) * DAY_US) : long_at(&args[i], row);
        SILT_TRY(put_sequence(call, out, row, &used, zone, ends[0], ends[1], long_at(&args[2], row), dates));
    }
    return 0;
}

static int sequence_times(FnCall *call, const Column *args, Column *out, int rows)
{
    return sequence_by_days(call, args, out, rows, false);
}

static int sequence_dates(FnCall *call, const Column *args, Column *out, int rows)
{
    return sequence_by_days(call, args, out, rows, true);
}

#define READER(sql_name, type, flag, fn)                                                                                                   \
    {                                                                                                                                      \
        .name = sql_name, .args = "string, string", .result = type, .flags = flag, .eval = fn, .prepare = prepare_reading                  \
    }

const DuckFunction fn_datetime[] = {
    {.name = "silt_date_format",
     .args = "timestamp, string",
     .result = "string",
     .flags = FN_FAILS | FN_VOLATILE,
     .eval = date_format,
     .prepare = prepare_writing},
    READER("silt_parse_date_as", "date", FN_FAILS, parse_date),
    READER("silt_parse_timestamp_as", "timestamp", FN_FAILS, parse_timestamp),
    READER("silt_parse_timestamp_ntz_as", "timestamp_ntz", FN_FAILS, parse_ntz),
    READER("silt_parse_time_as", "time", FN_FAILS, parse_time),
    /* these may fail too: on a wrong pattern; then the position is not known */
    READER("silt_try_parse_date_as", "date", FN_VOLATILE, try_parse_date),
    READER("silt_try_parse_timestamp_as", "timestamp", FN_VOLATILE, try_parse_timestamp),
    READER("silt_try_parse_timestamp_ntz_as", "timestamp_ntz", FN_VOLATILE, try_parse_ntz),
    READER("silt_try_parse_time_as", "time", FN_VOLATILE, try_parse_time),
    {.name = "silt_make_date", .args = "int, int, int", .result = "date", .flags = FN_FAILS, .eval = make_date},
    {.name = "silt_make_timestamp",
     .args = "int, int, int, int, int, decimal(16,6)",
     .result = "timestamp",
     .flags = FN_FAILS,
     .eval = make_timestamp},
    {.name = "silt_make_timestamp_in",
     .args = "int, int, int, int, int, decimal(16,6), string",
     .result = "timestamp",
     .flags = FN_FAILS,
     .eval = make_timestamp},
    {.name = "silt_make_timestamp_ntz",
     .args = "int, int, int, int, int, decimal(16,6)",
     .result = "timestamp_ntz",
     .flags = FN_FAILS,
     .eval = make_timestamp_ntz},
    {.name = "silt_try_make_timestamp",
     .args = "int, int, int, int, int, decimal(16,6)",
     .result = "timestamp",
     .flags = FN_VOLATILE,
     .eval = try_make_timestamp},
    {.name = "silt_try_make_timestamp_in",
     .args = "int, int, int, int, int, decimal(16,6), string",
     .result = "timestamp",
     .flags = FN_VOLATILE,
     .eval = try_make_timestamp},
    {.name = "silt_try_make_timestamp_ntz",
     .args = "int, int, int, int, int, decimal(16,6)",
     .result = "timestamp_ntz",
     .eval = try_make_timestamp_ntz},
    {.name = "silt_add_months", .args = "timestamp, int", .result = "timestamp", .flags = FN_FAILS, .eval = add_months_to_time},
    {.name = "silt_sequence_month_times", .args = "bigint, bigint, int", .result = "array<bigint>", .flags = FN_FAILS, .eval = sequence_month_times},
    {.name = "silt_sequence_times", .args = "bigint, bigint, bigint", .result = "array<bigint>", .flags = FN_FAILS, .eval = sequence_times},
    {.name = "silt_sequence_dates", .args = "int, int, bigint", .result = "array<bigint>", .flags = FN_FAILS, .eval = sequence_dates},
    {.name = "silt_sequence_months", .args = "bigint, bigint, int", .result = "array<bigint>", .flags = FN_FAILS, .eval = sequence_months},
    {.name = "silt_from_utc", .args = "timestamp, string", .result = "timestamp", .flags = FN_FAILS, .eval = from_utc},
    {.name = "silt_to_utc", .args = "timestamp, string", .result = "timestamp", .flags = FN_FAILS, .eval = to_utc},
    {.name = "silt_convert_timezone",
     .args = "string, string, timestamp_ntz",
     .result = "timestamp_ntz",
     .flags = FN_FAILS,
     .eval = convert_timezone},
    {.name = "silt_local_shift", .args = "timestamp", .result = "bigint", .eval = local_shift},
    {.name = "silt_next_day", .args = "date, string", .result = "date", .flags = FN_FAILS, .eval = next_day},
    {.name = "silt_months_between",
     .args = "timestamp, timestamp, boolean",
     .result = "double",
     .flags = FN_VOLATILE,
     .eval = months_between},
    {0},
};
