/* duck/fn_time.c - TIME: made of numbers and of text */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/parse.h"
#include "duck/print.h"

/* Hour, minute, seconds with six digits. */
static int make_time(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t hour = int_at(&args[0], row), minute = int_at(&args[1], row), second_us = (int64_t)decimal_value(&args[2], (uint64_t)row);
        const char *wrong = hour < 0 || hour > 23             ? "the hour must be 0 to 23"
                            : minute < 0 || minute > 59       ? "the minute must be 0 to 59"
                            : second_us < 0 || second_us >= 60000000 ? "the second must be 0 to 59.999999"
                                                              : NULL;
        if (wrong)
            return fn_fail(call, row, "DATETIME_FIELD_OUT_OF_BOUNDS.WITHOUT_SUGGESTION", "there is no such TIME: %s", wrong);
        ((int64_t *)out->data)[row] = (hour * 60 + minute) * INT64_C(60000000) + second_us;
    }
    return 0;
}

/* Microseconds since midnight. */
static int time_of_us(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t us = long_at(&args[0], row);
        if (us < 0 || us >= DAY_US)
            return fn_fail(call, row, "DATETIME_FIELD_OUT_OF_BOUNDS.WITHOUT_SUGGESTION", "a day has no %lld microseconds since midnight", (long long)us);
        ((int64_t *)out->data)[row] = us;
    }
    return 0;
}

/* A time and an interval in microseconds: the sum must be of the same day. */
static int time_add(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t us;
        if (__builtin_add_overflow(long_at(&args[0], row), long_at(&args[1], row), &us) || us < 0 || us >= DAY_US)
            return fn_fail(call, row, "DATETIME_OVERFLOW", "the interval leads out of the day of the TIME");
        ((int64_t *)out->data)[row] = us;
    }
    return 0;
}

static int time_of_text(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    if (!parse_time_of_day(text_at(&args[0], row), (int64_t *)out->data + row))
        return fn_fail(call, row, "CANNOT_PARSE_TIME", "\"%.*s\" is no TIME", FN_SHOW(text_at(&args[0], row)));
    return 0;
}

static int try_time_of_text(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    if (!parse_time_of_day(text_at(&args[0], row), (int64_t *)out->data + row))
        column_set_null(out, (uint64_t)row);
    return 0;
}

const DuckFunction fn_time[] = {
    {.name = "silt_make_time", .args = "int, int, decimal(16,6)", .result = "time", .flags = FN_FAILS, .eval = make_time},
    {.name = "silt_time_of_us", .args = "bigint", .result = "time", .flags = FN_FAILS, .eval = time_of_us},
    {.name = "silt_time_add", .args = "time, bigint", .result = "time", .flags = FN_FAILS, .eval = time_add},
    {.name = "silt_parse_time", .args = "string", .result = "time", .flags = FN_FAILS, .eval = time_of_text},
    {.name = "silt_try_parse_time", .args = "string", .result = "time", .eval = try_time_of_text},
    {0},
};
