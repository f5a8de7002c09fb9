/*
 * duck/zone.c - tables of a zone's changes of offset
 *
 * A table holds all changes from 1800 to 2100, found by looking at every day, then every hour, minute and second of a day with a change.
 * Later years repeat an earlier year of the same shape (leap or not, weekday of January 1st), which is how the rules are written.
 */
#include "duck/zone.h"

#include "duck/calendar.h"
#include "duck/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_YEAR = 1800, LAST_YEAR = 2100 /* not included */, REPEATED_YEARS = 28 };

struct Zone {
    Zone *next;
    char *name;
    bool unknown;
    int count;        /* changes */
    int64_t *utc;     /* second of each change */
    int64_t *local;   /* first local second, by the clock that shows more, from which the new offset holds */
    int32_t *offsets; /* count + 1: before the first change, then after each */
};

/* ---- looking up ---- */

/* Seconds to take off a time after the table's end, so that it lands in a year of the same shape. */
static int64_t shift_into_table(int64_t seconds)
{
    static const int64_t day = DAY_SECONDS;
    int64_t year = calendar_date(floor_div(seconds, day)).year;
    if (year < LAST_YEAR)
        return 0;
    int64_t first_day = calendar_days(year, 1, 1);
    for (int64_t like = LAST_YEAR - REPEATED_YEARS;; like++) {
        int64_t like_first_day = calendar_days(like, 1, 1);
        silt_assert(like < LAST_YEAR);
        if (calendar_is_leap(like) == calendar_is_leap(year) && (first_day - like_first_day) % 7 == 0)
            return (first_day - like_first_day) * day;
    }
}

/* How many of the changes are at or before `seconds`. */
static int changes_until(const int64_t *changes, int count, int64_t seconds)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (changes[middle] <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int32_t offset_by(const Zone *zone, const int64_t *changes, int64_t us)
{
    if (zone->count == 0)
        return zone->offsets[0];
    int64_t seconds = floor_div(us, 1000000);
    return zone->offsets[changes_until(changes, zone->count, seconds - shift_into_table(seconds))];
}

int32_t zone_offset_seconds(const Zone *zone, int64_t utc_us)
{
    return offset_by(zone, zone->utc, utc_us);
}

int64_t zone_to_local_us(const Zone *zone, int64_t utc_us)
{
    return utc_us + (int64_t)offset_by(zone, zone->utc, utc_us) * 1000000;
}

int64_t zone_to_utc_us(const Zone *zone, int64_t local_us)
{
    return local_us - (int64_t)offset_by(zone, zone->local, local_us) * 1000000;
}

/* ---- offsets as text ---- */

static bool take_digits(Str *text, int digits_max, int *out)
{
    int count = 0;
    for (*out = 0; count < digits_max && text->size && isdigit((unsigned char)*text->ptr); count++) {
        *out = *out * 10 + (*text->ptr - '0');
        text->ptr++;
        text->size--;
    }
    return count > 0;
}

static bool take_char(Str *text, char c)
{
    if (text->size == 0 || *text->ptr != c)
        return false;
    text->ptr++;
    text->size--;
    return true;
}

bool zone_parse_offset(Str text, int *offset_seconds)
{
    static const char *const names[] = {"Z", "UTC", "GMT", "UT"};
    *offset_seconds = 0;
    for (int i = 0; i < 4; i++)
        if (str_is(text, names[i]))
            return true;
    for (int i = 1; i < 4; i++)
        if (str_starts(text, names[i])) {
            size_t size = strlen(names[i]);
            text = (Str){text.ptr + size, text.size - size};
            break;
        }
    int sign = take_char(&text, '-') ? -1 : take_char(&text, '+') ? 1 : 0;
    if (sign == 0)
        return false;
    int hours, minutes = 0, seconds = 0;
    if (!take_digits(&text, 2, &hours))
        return false;
    bool colon = take_char(&text, ':'); /* without colons every part has two digits */
    if (text.size || colon) {
        size_t before = text.size;
        if (!take_digits(&text, 2, &minutes) || (!colon && before - text.size != 2))
            return false;
        if (text.size) {
            if (colon && !take_char(&text, ':'))
                return false;
            if (text.size != 2 || !take_digits(&text, 2, &seconds))
                return false;
        }
    }
    int total = hours * 3600 + minutes * 60 + seconds;
    *offset_seconds = sign * total;
    return text.size == 0 && minutes < 60 && seconds < 60 && total <= 18 * 3600;
}

/* ---- making ---- */

static Zone *zone_new(Str name, int count)
{
    Zone *zone = silt_alloc(sizeof *zone);
    zone->name = silt_alloc(name.size + 1);
    memcpy(zone->name, name.ptr, name.size);
    zone->count = count;
    zone->utc = silt_alloc((size_t)(count + 1) * sizeof *zone->utc);
    zone->local = silt_alloc((size_t)(count + 1) * sizeof *zone->local);
    zone->offsets = silt_alloc((size_t)(count + 1) * sizeof *zone->offsets);
    return zone;
}

/* Rows: second of a change, offset before, offset after; ordered. */
static const char changes_sql[] =
    "WITH d AS (SELECT s, %1$s AS o FROM range(%2$lld, %3$lld, 86400) t(s)), "
    "dc AS (SELECT s - 86400 AS b FROM (SELECT s, o, lag(o) OVER (ORDER BY s) AS p FROM d) WHERE o <> p), "
    "h AS (SELECT b, s, %1$s AS o FROM (SELECT b, unnest(range(b, b + 86401, 3600)) AS s FROM dc)), "
    "hc AS (SELECT s - 3600 AS b FROM (SELECT s, o, lag(o) OVER (PARTITION BY b ORDER BY s) AS p FROM h) WHERE o <> p), "
    "m AS (SELECT b, s, %1$s AS o FROM (SELECT b, unnest(range(b, b + 3601, 60)) AS s FROM hc)), "
    "mc AS (SELECT s - 60 AS b FROM (SELECT s, o, lag(o) OVER (PARTITION BY b ORDER BY s) AS p FROM m) WHERE o <> p), "
    "c AS (SELECT b, s, %1$s AS o FROM (SELECT b, unnest(range(b, b + 61)) AS s FROM mc)) "
    "SELECT s, p::INTEGER, o::INTEGER FROM (SELECT s, o, lag(o) OVER (PARTITION BY b ORDER BY s) AS p FROM c) WHERE o <> p ORDER BY s";

static void fill_changes(Zone *zone, duckdb_result *result, int32_t first_offset)
{
    int row = 0;
    zone->offsets[0] = first_offset;
    for (duckdb_data_chunk chunk; (chunk = duckdb_fetch_chunk(*result)) != NULL; duckdb_destroy_data_chunk(&chunk)) {
        const int64_t *at = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        const int32_t *before = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
        const int32_t *after = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 2));
        for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++, row++) {
            zone->utc[row] = at[i];
            zone->local[row] = at[i] + (before[i] > after[i] ? before[i] : after[i]);
            zone->offsets[row + 1] = after[i];
        }
    }
    silt_assert(row == zone->count);
}

static int query(duckdb_connection connection, const char *sql, duckdb_result *result, SiltErr *err)
{
    if (duckdb_query(connection, sql, result) == DuckDBSuccess)
        return 0;
    int r = duck__fail(err, duckdb_result_error_type(result), duckdb_result_error(result), NULL);
    duckdb_destroy_result(result);
    return r;
}

static int load_changes(duckdb_connection connection, Str name, Zone **out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf offset = {0}, sql = {0};
    str_buf_printf(&offset, "(epoch_us(timezone('%.*s', make_timestamptz(s * 1000000))) // 1000000 - s)", (int)name.size, name.ptr);
    int64_t first = calendar_days(FIRST_YEAR, 1, 1) * DAY_SECONDS, last = calendar_days(LAST_YEAR, 1, 1) * DAY_SECONDS;

    duckdb_result result;
    str_buf_printf(&sql, "SELECT %s::INTEGER FROM (SELECT %lld AS s)", str_buf_text(&offset), (long long)first);
    SILT_TRY(query(connection, sql.ptr, &result, err));
    duckdb_data_chunk chunk = duckdb_fetch_chunk(result);
    int32_t first_offset = *(const int32_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    duckdb_destroy_data_chunk(&chunk);
    duckdb_destroy_result(&result);

    str_buf_clear(&sql);
    str_buf_printf(&sql, changes_sql, str_buf_text(&offset), (long long)first, (long long)last);
    SILT_TRY(query(connection, sql.ptr, &result, err));
    *out = zone_new(name, (int)duckdb_row_count(&result));
    fill_changes(*out, &result, first_offset);
    duckdb_destroy_result(&result);
    return 0;
}

int zone_load(void *database, Str name, Zone **out, SiltErr *err)
{
    int offset;
    if (zone_parse_offset(name, &offset)) {
        *out = zone_new(name, 0);
        (*out)->offsets[0] = offset;
        return 0;
    }
    bool plain = name.size > 0 && name.size < 64;
    for (size_t i = 0; plain && i < name.size; i++)
        plain = isalnum((unsigned char)name.ptr[i]) || strchr("_/+-", name.ptr[i]);
    int r = -1;
    if (plain) {
        SiltErr inner;
        duckdb_connection connection;
        silt_assert(duckdb_connect(database, &connection) == DuckDBSuccess);
        r = load_changes(connection, name, out, &inner);
        duckdb_disconnect(&connection);
    }
    if (r < 0)
        return silt_fail(err, SILT_CONFIG, "time zone \"%.*s\" is not known", (int)(name.size < 64 ? name.size : 64), name.ptr);
    return 0;
}

Zone *zone_unknown(Str name)
{
    Zone *zone = zone_new(name, 0);
    zone->unknown = true;
    return zone;
}

bool zone_is_known(const Zone *zone)
{
    return !zone->unknown;
}

const Zone *zones_find(const Zone *zones, Str name)
{
    while (zones && !str_is(name, zones->name))
        zones = zones->next;
    return zones;
}

void zones_add(Zone **zones, Zone *zone)
{
    zone->next = *zones;
    *zones = zone;
}

void zones_free(Zone *zones)
{
    while (zones) {
        Zone *next = zones->next;
        free(zones->name);
        free(zones->utc);
        free(zones->local);
        free(zones->offsets);
        free(zones);
        zones = next;
    }
}
