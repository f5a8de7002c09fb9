#pragma once
/* duck/calendar.h - days and civil dates of the proleptic Gregorian calendar, for any year that fits an int64 of days */
#include <stdbool.h>
#include <stdint.h>

typedef struct CivilDate {
    int64_t year;
    int month, day; /* from 1 */
} CivilDate;

enum { DAY_SECONDS = 86400 };
#define DAY_US INT64_C(86400000000)

static inline bool calendar_is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static inline int calendar_month_days(int64_t year, int month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && calendar_is_leap(year) ? 29 : days[month - 1];
}

static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* A time of any size in the day that it falls on: microseconds since its start. *days counts from 1970-01-01. */
static inline int64_t calendar_split(int64_t us, int64_t *days)
{
    int64_t rest = us % DAY_US;
    *days = floor_div(us, DAY_US);
    return rest < 0 ? rest + DAY_US : rest;
}

/* Days since 1970-01-01. Years are counted from March, so that the leap day comes last. */
static inline int64_t calendar_days(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = floor_div(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static inline CivilDate calendar_date(int64_t days)
{
    days += 719468;
    int64_t era = floor_div(days, 146097);
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int month_from_march = (int)((5 * day_of_year + 2) / 153);
    int month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    return (CivilDate){year_of_era + era * 400 + (month <= 2), month, (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1)};
}

/* The same day of another month, or its last where it has no such day. */
static inline int64_t calendar_add_months(int64_t days, int64_t months)
{
    CivilDate date = calendar_date(days);
    int64_t month = date.year * 12 + date.month - 1 + months, year = floor_div(month, 12);
    int last = calendar_month_days(year, (int)(month - year * 12) + 1);
    return calendar_days(year, (int)(month - year * 12) + 1, date.day < last ? date.day : last);
}
