/* duck/fn_interval.c - lengths of time: between two times, of their parts */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/print.h"

/* Whole months from one local time to another, as Java's ChronoUnit.MONTHS counts. */
static int months_whole(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t from = long_at(&args[0], row), to = long_at(&args[1], row);
        int64_t day_a = floor_div(from, DAY_US), day_b = floor_div(to, DAY_US);
        CivilDate a = calendar_date(day_a), b = calendar_date(day_b);
        int64_t whole = (b.year - a.year) * 12 + b.month - a.month;
        int64_t in_month_a = from - (day_a - a.day) * DAY_US, in_month_b = to - (day_b - b.day) * DAY_US;

        if (whole > 0 && in_month_b < in_month_a)
            whole--;
        else if (whole < 0 && in_month_b > in_month_a)
            whole++;
        ((int64_t *)out->data)[row] = whole;
    }
    return 0;
}

/* Years, months, weeks, days, hours, minutes, then seconds with six digits. False: a part does not fit. */
static bool interval_of(const Column *args, int row, ChunkInterval *out)
{
    int64_t months = (int64_t)int_at(&args[0], row) * 12 + int_at(&args[1], row), days = (int64_t)int_at(&args[2], row) * 7 + int_at(&args[3], row);
    __int128 us = (__int128)int_at(&args[4], row) * INT64_C(3600000000) + (__int128)int_at(&args[5], row) * 60000000 + decimal_value(&args[6], (uint64_t)row);

    *out = (ChunkInterval){.months = (int32_t)months, .days = (int32_t)days, .us = (int64_t)us};
    return out->months == months && out->days == days && out->us == us;
}

static int make_interval(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    if (!interval_of(args, row, (ChunkInterval *)out->data + row))
        return fn_fail(call, row, "ARITHMETIC_OVERFLOW", "the parts make no INTERVAL: its months and days are an INT each, its rest a BIGINT of microseconds");
    return 0;
}

static int try_make_interval(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    if (!interval_of(args, row, (ChunkInterval *)out->data + row))
        column_set_null(out, (uint64_t)row);
    return 0;
}

#define INTERVAL_PARTS "int, int, int, int, int, int, decimal(18,6)"

const DuckFunction fn_interval[] = {
    {.name = "silt_make_interval", .args = INTERVAL_PARTS, .result = "interval", .flags = FN_FAILS, .eval = make_interval},
    {.name = "silt_try_make_interval", .args = INTERVAL_PARTS, .result = "interval", .eval = try_make_interval},
    {.name = "silt_months_whole", .args = "timestamp_ntz, timestamp_ntz", .result = "bigint", .eval = months_whole},
    {0},
};
