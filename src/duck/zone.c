/*
 * duck/zone.c - tables of a zone's changes of offset
 *
 * A table holds all changes from 1800 to 2100, found by looking at every day, then every hour, minute and second of a day with a change.
 * Later years repeat an earlier year of the same shape (leap or not, weekday of January 1st), which is how the rules are written.
 *
 *   Z1  A zone and its table never change once made and live as long as the process. A table is made when a time is first converted,
 *       since that takes tens of milliseconds and most runs have no need of it.
 *   Z2  ICU is asked through a DuckDB of its own, which calls back into nothing: so it may be asked, and waited for, from anywhere.
 */
#include "duck/zone.h"

#include "duck/calendar.h"
#include "duck/internal.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_YEAR = 1800, LAST_YEAR = 2100 /* not included */, REPEATED_YEARS = 28 };

typedef struct Changes {
    int count;
    int64_t *utc;     /* second of each change */
    int64_t *local;   /* first local second, by the clock that shows more, from which the new offset holds */
    int32_t *offsets; /* count + 1: before the first change, then after each */
} Changes;

struct Zone {
    Zone *next;
    char *name;
    _Atomic(const Changes *) changes; /* NULL until a time is first converted */
};

static const Changes *load_changes(const Zone *zone);

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

static int32_t offset_at(const Zone *zone, bool local, int64_t us)
{
    const Changes *changes = atomic_load_explicit(&zone->changes, memory_order_acquire);
    if (!changes)
        changes = load_changes(zone);
    if (changes->count == 0)
        return changes->offsets[0];
    int64_t seconds = floor_div(us, 1000000);
    return changes->offsets[changes_until(local ? changes->local : changes->utc, changes->count, seconds - shift_into_table(seconds))];
}

int32_t zone_offset_seconds(const Zone *zone, int64_t utc_us)
{
    return offset_at(zone, false, utc_us);
}

/* Held at the ends of what microseconds can tell. */
static int64_t moved(int64_t us, int32_t seconds)
{
    int64_t sum;
    return __builtin_add_overflow(us, (int64_t)seconds * 1000000, &sum) ? (seconds < 0 ? INT64_MIN : INT64_MAX) : sum;
}

int64_t zone_to_local_us(const Zone *zone, int64_t utc_us)
{
    return moved(utc_us, offset_at(zone, false, utc_us));
}

int64_t zone_to_utc_us(const Zone *zone, int64_t local_us)
{
    return moved(local_us, -offset_at(zone, true, local_us));
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows, and the making of tables */
static Zone *zones;                                      /* those that were asked for */
static duckdb_database database;                         /* of icu; kept as long as the process */
static duckdb_connection icu;                            /* NULL until a zone is first asked for by name */
static char **names;                                     /* that ICU knows, sorted bytewise */
static int name_count;

static void query(const char *sql, duckdb_result *result)
{
    silt_assert(duckdb_query(icu, sql, result) == DuckDBSuccess); /* constant texts over known names: only memory can be missing */
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void open_icu(void)
{
    duckdb_config config;
    silt_assert(duckdb_create_config(&config) == DuckDBSuccess);
    silt_assert(duckdb_set_config(config, "threads", "1") == DuckDBSuccess);
    silt_assert(duckdb_open_ext(NULL, &database, config, NULL) == DuckDBSuccess);
    duckdb_destroy_config(&config);
    silt_assert(duckdb_connect(database, &icu) == DuckDBSuccess);

    duckdb_result result;
    query("SELECT DISTINCT name FROM pg_timezone_names()", &result);
    names = silt_alloc((size_t)duckdb_row_count(&result) * sizeof *names);
    for (duckdb_data_chunk chunk; (chunk = duckdb_fetch_chunk(result)) != NULL; duckdb_destroy_data_chunk(&chunk)) {
        duckdb_string_t *items = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++) {
            size_t size = duckdb_string_t_length(items[i]);
            names[name_count] = silt_alloc(size + 1);
            memcpy(names[name_count++], duckdb_string_t_data(&items[i]), size);
        }
    }
    duckdb_destroy_result(&result);
    qsort(names, (size_t)name_count, sizeof *names, compare_names);
}

static Changes *changes_new(int count)
{
    Changes *changes = silt_alloc(sizeof *changes);
    changes->count = count;
    changes->utc = silt_alloc((size_t)count * sizeof *changes->utc);
    changes->local = silt_alloc((size_t)count * sizeof *changes->local);
    changes->offsets = silt_alloc((size_t)(count + 1) * sizeof *changes->offsets);
    return changes;
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

static void fill_changes(Changes *changes, duckdb_result *result)
{
    int row = 0;
    for (duckdb_data_chunk chunk; (chunk = duckdb_fetch_chunk(*result)) != NULL; duckdb_destroy_data_chunk(&chunk)) {
        const int64_t *at = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        const int32_t *before = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
        const int32_t *after = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 2));
        for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++, row++) {
            changes->utc[row] = at[i];
            changes->local[row] = at[i] + (before[i] > after[i] ? before[i] : after[i]);
            changes->offsets[row + 1] = after[i];
        }
    }
    silt_assert(row == changes->count);
}

static const Changes *ask_changes(const char *name)
{
    silt_auto(str_buf_fini) StrBuf offset = {0}, sql = {0};
    str_buf_printf(&offset, "(epoch_us(timezone('%s', make_timestamptz(s * 1000000))) // 1000000 - s)", name);
    int64_t first = calendar_days(FIRST_YEAR, 1, 1) * DAY_SECONDS, last = calendar_days(LAST_YEAR, 1, 1) * DAY_SECONDS;

    duckdb_result result;
    str_buf_printf(&sql, "SELECT %s::INTEGER FROM (SELECT %lld AS s)", str_buf_text(&offset), (long long)first);
    query(sql.ptr, &result);
    duckdb_data_chunk chunk = duckdb_fetch_chunk(result);
    int32_t first_offset = *(const int32_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    duckdb_destroy_data_chunk(&chunk);
    duckdb_destroy_result(&result);

    str_buf_clear(&sql);
    str_buf_printf(&sql, changes_sql, str_buf_text(&offset), (long long)first, (long long)last);
    query(sql.ptr, &result);
    Changes *changes = changes_new((int)duckdb_row_count(&result));
    changes->offsets[0] = first_offset;
    fill_changes(changes, &result);
    duckdb_destroy_result(&result);
    return changes;
}

/* The table of a zone that has none yet (Z1). */
static const Changes *load_changes(const Zone *zone)
{
    pthread_mutex_lock(&lock);
    const Changes *changes = atomic_load_explicit(&zone->changes, memory_order_relaxed);
    if (!changes) {
        changes = ask_changes(zone->name);
        atomic_store_explicit(&((Zone *)zone)->changes, changes, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return changes;
}

/* Add a zone that was not asked for yet; NULL: there is none of this name. */
static Zone *add_zone(Str name)
{
    Changes *changes = NULL;
    char text[64] = "", *key = text;
    int offset;
    if (zone_parse_offset(name, &offset)) {
        changes = changes_new(0);
        changes->offsets[0] = offset;
    } else {
        if (name.size >= sizeof text || memchr(name.ptr, 0, name.size))
            return NULL;
        memcpy(text, name.ptr, name.size);
        if (!icu)
            open_icu();
        if (!bsearch(&key, names, (size_t)name_count, sizeof *names, compare_names))
            return NULL;
    }
    Zone *zone = silt_alloc(sizeof *zone);
    zone->name = silt_alloc(name.size + 1);
    memcpy(zone->name, name.ptr, name.size);
    atomic_init(&zone->changes, changes);
    zone->next = zones;
    return zones = zone;
}

const Zone *zone_find(Str name)
{
    if (name.size == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    Zone *zone = zones;
    while (zone && !str_is(name, zone->name))
        zone = zone->next;
    if (!zone)
        zone = add_zone(name);
    pthread_mutex_unlock(&lock);
    return zone;
}

int zone_check(const char *name, SiltErr *err)
{
    int offset_seconds;
    if (!zone_parse_offset(str_of(name), &offset_seconds)) {
        if (zone_find(str_of(name)))
            return 0;
        silt_fail(err, SILT_CONFIG, "time zone \"%s\" is not known", name);
        silt_code(err, "INVALID_CONF_VALUE.TIME_ZONE");
        return silt_hint(err, "Use a name such as Europe/Berlin or an offset in hours such as +02:00.");
    }
    if (offset_seconds % 3600 == 0 && offset_seconds >= -12 * 3600 && offset_seconds <= 14 * 3600)
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot use the offset \"%s\" as time zone: only whole hours from -12 to +14", name);
    return silt_hint(err, "Use the name of a zone, such as Asia/Kolkata.");
}
