/*
 * duck/fn_bucket.c - time_bucket: the last of the steps from an origin that is not behind a time
 *
 * Steps of months, and the whole days of other steps, are those of the calendar in the zone of the times: a day with a change of the clock has 23 or 25 hours.
 */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/zone.h"

#define MONTHS_MAX (12 * INT64_C(600000)) /* more than there are between two timestamps */

typedef struct Steps {
    const Zone *zone;
    int64_t origin; /* microseconds UTC */
    int64_t days, us, months; /* one step: whole days and the rest, or months */
} Steps;

/* As Java: a local time that is there twice is taken with the offset of the origin, if that is one of the two; one that is not there is moved by the gap. */
static bool to_utc(const Steps *s, int64_t local, int64_t *out)
{
    int64_t offset = (int64_t)zone_offset_seconds(s->zone, s->origin) * 1000000, same;

    if (__builtin_sub_overflow(local, offset, &same))
        return false;
    *out = zone_to_local_us(s->zone, same) == local ? same : zone_to_utc_us(s->zone, local);
    return *out > INT64_MIN && *out < INT64_MAX; /* where a zone stops */
}

/* Step number n; false: beyond what a timestamp can tell. */
static bool step(const Steps *s, int64_t n, int64_t *out)
{
    int64_t local = zone_to_local_us(s->zone, s->origin), rest = 0, move;

    if (s->months) {
        int64_t days, us = calendar_split(local, &days);

        if (__builtin_mul_overflow(n, s->months, &move) || move > MONTHS_MAX || move < -MONTHS_MAX || __builtin_mul_overflow(calendar_add_months(days, move), DAY_US, &local) ||
            __builtin_add_overflow(local, us, &local))
            return false;
    } else {
        if (__builtin_mul_overflow(n, s->days * DAY_US + s->us, &move))
            return false;
        rest = move % DAY_US;
        if (__builtin_add_overflow(local, move - rest, &local))
            return false;
    }
    return to_utc(s, local, out) && !__builtin_add_overflow(*out, rest, out);
}

/* Where the calendar does not matter. */
static bool plain_bucket(const Steps *s, int64_t us, int64_t *out)
{
    int64_t since, from;

    return !__builtin_sub_overflow(us, s->origin, &since) && !__builtin_mul_overflow(floor_div(since, s->us), s->us, &from) && !__builtin_add_overflow(s->origin, from, out);
}

static int64_t month_number(const Zone *zone, int64_t us)
{
    int64_t days;

    calendar_split(zone_to_local_us(zone, us), &days);
    CivilDate date = calendar_date(days);

    return date.year * 12 + date.month;
}

static bool bucket(const Steps *s, int64_t us, int64_t *out)
{
    int64_t since, n, next;

    if (s->months) {
        n = floor_div(month_number(s->zone, us) - month_number(s->zone, s->origin), s->months);
        return step(s, n, out) && (*out <= us || step(s, n - 1, out));
    }
    if (!s->days)
        return plain_bucket(s, us, out);
    if (__builtin_sub_overflow(us, s->origin, &since))
        return false;
    n = floor_div(since, s->days * DAY_US + s->us);
    if (!step(s, n, out))
        return false;
    if (*out > us)
        return step(s, n - 1, out);
    if (!step(s, n + 1, &next))
        return false;
    *out = next <= us ? next : *out;
    return true;
}

/* (step, time, origin) */
static int buckets(FnCall *call, const Column *args, Column *out, int rows, bool months, bool local)
{
    SiltErr err;
    Steps s = {.zone = local ? duck__session_zone(call->session, &err) : zone_find(STR("UTC"))};

    if (!s.zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        if (months)
            s.months = int_at(&args[0], row);
        s.days = months ? 0 : long_at(&args[0], row) / DAY_US;
        s.us = months ? 0 : s.days ? long_at(&args[0], row) % DAY_US : long_at(&args[0], row);
        s.origin = long_at(&args[2], row);
        if (s.months <= 0 && s.days <= 0 && s.us <= 0)
            return fn_fail(call, row, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the buckets of time_bucket must be longer than 0");
        if (!bucket(&s, long_at(&args[1], row), (int64_t *)out->data + row))
            return fn_fail(call, row, "ARITHMETIC_OVERFLOW", "the bucket of this time begins beyond what a timestamp can tell");
    }
    return 0;
}

static int of_time(FnCall *call, const Column *args, Column *out, int rows)
{
    return buckets(call, args, out, rows, false, true);
}

static int of_time_ntz(FnCall *call, const Column *args, Column *out, int rows)
{
    return buckets(call, args, out, rows, false, false);
}

static int of_months(FnCall *call, const Column *args, Column *out, int rows)
{
    return buckets(call, args, out, rows, true, true);
}

static int of_months_ntz(FnCall *call, const Column *args, Column *out, int rows)
{
    return buckets(call, args, out, rows, true, false);
}

const DuckFunction fn_bucket[] = {
    {.name = "silt_time_bucket", .args = "bigint, timestamp, timestamp", .result = "timestamp", .flags = FN_FAILS, .eval = of_time},
    {.name = "silt_time_bucket_ntz", .args = "bigint, timestamp_ntz, timestamp_ntz", .result = "timestamp_ntz", .flags = FN_FAILS, .eval = of_time_ntz},
    {.name = "silt_time_bucket_months", .args = "int, timestamp, timestamp", .result = "timestamp", .flags = FN_FAILS, .eval = of_months},
    {.name = "silt_time_bucket_months_ntz", .args = "int, timestamp_ntz, timestamp_ntz", .result = "timestamp_ntz", .flags = FN_FAILS, .eval = of_months_ntz},
    {0},
};
