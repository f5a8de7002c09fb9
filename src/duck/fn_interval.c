/* duck/fn_interval.c - lengths of time between two times */
#include "duck/calendar.h"
#include "duck/fn_text.h"

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

const DuckFunction fn_interval[] = {
    {.name = "silt_months_whole", .args = "timestamp_ntz, timestamp_ntz", .result = "bigint", .eval = months_whole},
    {0},
};
