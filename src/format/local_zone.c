/*
 * format/local_zone.c - time zones from the system's TZif files (RFC 8536)
 *
 * A zone is a fixed offset, or sorted transitions with the offset that holds from each on, and behind the last one the rule
 * of the file's footer (a POSIX TZ text such as CET-1CEST,M3.5.0,M10.5.0/3). Zones are loaded once and never freed.
 */
#include "format/local_zone.h"

#include "duck/calendar.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When a rule of the footer switches: day of the year, or month/week/weekday, and the second of the day. */
typedef struct RuleDay {
    char kind; /* 'M' month.week.day, 'J' day 1..365 without Feb 29, 'N' day 0..365 */
    int month, week, day;
    int seconds;
} RuleDay;

struct LocalZone {
    char *id;
    LocalZone *next;
    int count;
    int64_t *at;   /* transitions, UTC seconds */
    int32_t *offset; /* from at[i] on */
    int32_t first; /* before at[0] */
    bool has_rule, has_summer;
    int32_t standard, summer;
    RuleDay to_summer, to_standard;
};

static pthread_mutex_t zones_lock = PTHREAD_MUTEX_INITIALIZER;
static LocalZone *zones;

/* ---- the footer's rule ---- */

static const char *skip_name(const char *p)
{
    if (*p == '<') {
        const char *end = strchr(p, '>');
        return end ? end + 1 : NULL;
    }
    const char *start = p;
    while ((*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z'))
        p++;
    return p - start >= 3 ? p : NULL;
}

/* [+-]h[h][:mm[:ss]] */
static const char *parse_time(const char *p, int *seconds)
{
    int sign = 1, part[3] = {0};
    if (*p == '+' || *p == '-')
        sign = *p++ == '-' ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        if (*p < '0' || *p > '9')
            return NULL;
        while (*p >= '0' && *p <= '9' && part[i] < 1000)
            part[i] = part[i] * 10 + (*p++ - '0');
        if (*p != ':' || i == 2)
            break;
        p++;
    }
    *seconds = sign * (part[0] * 3600 + part[1] * 60 + part[2]);
    return p;
}

static const char *parse_day(const char *p, RuleDay *day)
{
    char *end;
    *day = (RuleDay){.kind = 'N', .seconds = 7200};
    if (*p == 'M') {
        day->kind = 'M';
        day->month = (int)strtol(p + 1, &end, 10);
        if (*end != '.')
            return NULL;
        day->week = (int)strtol(end + 1, &end, 10);
        if (*end != '.')
            return NULL;
        day->day = (int)strtol(end + 1, &end, 10);
        if (day->month < 1 || day->month > 12 || day->week < 1 || day->week > 5 || day->day < 0 || day->day > 6)
            return NULL;
    } else {
        if (*p == 'J') {
            day->kind = 'J';
            p++;
        }
        day->day = (int)strtol(p, &end, 10);
        if (end == p)
            return NULL;
    }
    p = end;
    return *p == '/' ? parse_time(p + 1, &day->seconds) : p;
}

static void parse_rule(LocalZone *zone, const char *text)
{
    int west = 0;
    const char *p = skip_name(text);
    if (!p || !(p = parse_time(p, &west)))
        return;
    zone->standard = -west;
    zone->has_rule = true;
    if (!*p)
        return;
    if (!(p = skip_name(p)))
        return;
    zone->summer = zone->standard + 3600;
    if (*p && *p != ',') {
        if (!(p = parse_time(p, &west)))
            return;
        zone->summer = -west;
    }
    if (*p != ',' || !(p = parse_day(p + 1, &zone->to_summer)) || *p != ',' || !parse_day(p + 1, &zone->to_standard))
        return;
    zone->has_summer = true;
}

/* Second since 1970, in the wall clock that the rule speaks in, of the switch in a year. */
static int64_t rule_second(const RuleDay *rule, int64_t year)
{
    int64_t day;
    if (rule->kind == 'M') {
        int64_t first = calendar_days(year, rule->month, 1);
        int weekday = (int)(((first + 4) % 7 + 7) % 7);
        int length = calendar_month_days(year, rule->month);
        int in_month = (rule->day - weekday + 7) % 7 + (rule->week - 1) * 7;
        if (in_month >= length)
            in_month -= 7;
        day = first + in_month;
    } else {
        day = calendar_days(year, 1, 1) + (rule->kind == 'J' ? rule->day - 1 + (calendar_is_leap(year) && rule->day >= 60) : rule->day);
    }
    return day * 86400 + rule->seconds;
}

static int rule_offset(const LocalZone *zone, int64_t utc)
{
    if (!zone->has_summer)
        return zone->standard;
    int64_t local = utc + zone->standard;
    int64_t year = calendar_date(floor_div(local, 86400)).year;
    int64_t to_summer = rule_second(&zone->to_summer, year) - zone->standard;
    int64_t to_standard = rule_second(&zone->to_standard, year) - zone->summer;
    bool summer = to_summer < to_standard ? utc >= to_summer && utc < to_standard : utc >= to_summer || utc < to_standard;
    return summer ? zone->summer : zone->standard;
}

/* ---- files ---- */

static int64_t big_endian(const unsigned char *p, int size)
{
    uint64_t v = 0;
    for (int i = 0; i < size; i++)
        v = v << 8 | p[i];
    return size == 4 ? (int64_t)(int32_t)(uint32_t)v : (int64_t)v;
}

static bool parse_file(LocalZone *zone, const unsigned char *data, size_t size)
{
    if (size < 44 || memcmp(data, "TZif", 4) != 0 || data[4] < '2')
        return false;
    size_t pos = 0;
    for (int block = 0; block < 2; block++) { /* the first block is for 32-bit readers */
        if (pos + 44 > size || memcmp(data + pos, "TZif", 4) != 0)
            return false;
        int time_size = block ? 8 : 4;
        size_t count[6]; /* isutc, isstd, leap, time, type, char */
        for (int i = 0; i < 6; i++)
            count[i] = (size_t)big_endian(data + pos + 20 + 4 * i, 4);
        for (int i = 0; i < 6; i++)
            if (count[i] > 100000)
                return false;
        pos += 44;
        size_t length = count[3] * (size_t)time_size + count[3] + count[4] * 6 + count[5] + count[2] * (size_t)(time_size + 4) + count[1] + count[0];
        if (pos + length > size)
            return false;
        if (block == 1) {
            const unsigned char *times = data + pos, *kinds = times + count[3] * 8, *types = kinds + count[3];
            if (count[4] == 0)
                return false;
            zone->count = (int)count[3];
            zone->at = silt_alloc(sizeof *zone->at * (count[3] + 1));
            zone->offset = silt_alloc(sizeof *zone->offset * (count[3] + 1));
            zone->first = (int32_t)big_endian(types, 4);
            for (size_t i = 0; i < count[3]; i++) {
                if (kinds[i] >= count[4])
                    return false;
                zone->at[i] = big_endian(times + i * 8, 8);
                zone->offset[i] = (int32_t)big_endian(types + kinds[i] * 6, 4);
            }
        }
        pos += length;
    }
    if (pos < size && data[pos] == '\n') {
        const unsigned char *end = memchr(data + pos + 1, '\n', size - pos - 1);
        if (end) {
            char footer[256] = "";
            size_t length = (size_t)(end - (data + pos + 1));
            if (length < sizeof footer) {
                memcpy(footer, data + pos + 1, length);
                parse_rule(zone, footer);
            }
        }
    }
    return true;
}

static bool load_file(LocalZone *zone, const char *id)
{
    /* an id is words of letters, digits, _ + - parted by slashes: no path leads out */
    if (!*id || id[0] == '/' || strstr(id, "..") || strstr(id, "//"))
        return false;
    for (const char *p = id; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("_+-/", *p)))
            return false;
    const char *directory = getenv("TZDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory ? directory : "/usr/share/zoneinfo", id);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t capacity = 1 << 20;
    unsigned char *data = silt_alloc(capacity);
    size_t size = fread(data, 1, capacity, file);
    fclose(file);
    bool good = parse_file(zone, data, size);
    free(data);
    return good;
}

/* ---- ids ---- */

/* [+-]h, hh, hhmm, hh:mm, hhmmss, hh:mm:ss up to 18 hours */
static bool parse_offset(Str id, int *seconds)
{
    if (id.size < 2 || (id.ptr[0] != '+' && id.ptr[0] != '-'))
        return false;
    int sign = id.ptr[0] == '-' ? -1 : 1;
    int digits[6], count = 0;
    bool colons = memchr(id.ptr, ':', id.size) != NULL;
    int run = 0;
    for (size_t i = 1; i < id.size; i++) {
        char c = id.ptr[i];
        if (c == ':') {
            if (run == 0 || run > 2)
                return false;
            if (run == 1) { /* +2:00 */
                if (count != 1)
                    return false;
                digits[1] = digits[0];
                digits[0] = 0;
                count = 2;
            }
            run = 0;
        } else if (c >= '0' && c <= '9' && count < 6) {
            digits[count++] = c - '0';
            run++;
        } else {
            return false;
        }
    }
    if (count == 1 && !colons) {
        digits[1] = digits[0];
        digits[0] = 0;
        count = 2;
    }
    if (count != 2 && count != 4 && count != 6)
        return false;
    int part[3] = {0};
    for (int i = 0; i < count / 2; i++)
        part[i] = digits[i * 2] * 10 + digits[i * 2 + 1];
    if (part[1] > 59 || part[2] > 59)
        return false;
    int total = part[0] * 3600 + part[1] * 60 + part[2];
    if (total > 18 * 3600)
        return false;
    *seconds = sign * total;
    return true;
}

static bool load(LocalZone *zone, Str id)
{
    if (str_is(id, "Z") || str_is(id, "UTC") || str_is(id, "GMT") || str_is(id, "UT") || str_is(id, "Etc/UTC"))
        return true;
    int seconds;
    Str rest = id;
    if (str_starts(id, "UTC") || str_starts(id, "GMT"))
        rest = (Str){id.ptr + 3, id.size - 3};
    else if (str_starts(id, "UT"))
        rest = (Str){id.ptr + 2, id.size - 2};
    if (parse_offset(rest, &seconds)) {
        zone->first = seconds;
        return true;
    }
    return load_file(zone, zone->id);
}

const LocalZone *local_zone_find(Str id)
{
    if (id.size == 0 || id.size > 100)
        return NULL;
    pthread_mutex_lock(&zones_lock);
    LocalZone *zone = zones;
    while (zone && !str_is(id, zone->id))
        zone = zone->next;
    if (!zone) {
        zone = silt_alloc(sizeof *zone);
        zone->id = silt_alloc(id.size + 1);
        memcpy(zone->id, id.ptr, id.size);
        if (load(zone, id)) {
            zone->next = zones;
            zones = zone;
        } else {
            free(zone->id);
            free(zone->at);
            free(zone->offset);
            free(zone);
            zone = NULL;
        }
    }
    pthread_mutex_unlock(&zones_lock);
    return zone;
}

int local_zone_offset(const LocalZone *zone, int64_t utc_seconds)
{
    if (zone->count == 0 || utc_seconds < zone->at[0])
        return zone->count == 0 && zone->has_rule ? rule_offset(zone, utc_seconds) : zone->first;
    if (utc_seconds >= zone->at[zone->count - 1])
        return zone->has_rule ? rule_offset(zone, utc_seconds) : zone->offset[zone->count - 1];
    int low = 0, high = zone->count - 1; /* at[low] <= utc < at[high] */
    while (high - low > 1) {
        int mid = (low + high) / 2;
        if (zone->at[mid] <= utc_seconds)
            low = mid;
        else
            high = mid;
    }
    return zone->offset[low];
}

int64_t local_zone_to_utc(const LocalZone *zone, int64_t local_seconds)
{
    if (zone->count == 0 && !zone->has_rule)
        return local_seconds - zone->first;
    int before = local_zone_offset(zone, local_seconds - 86400), after = local_zone_offset(zone, local_seconds + 86400);
    if (before != after) {
        if (local_zone_offset(zone, local_seconds - before) == before)
            return local_seconds - before; /* before the switch, or the first of two */
        if (local_zone_offset(zone, local_seconds - after) == after)
            return local_seconds - after;
    }
    return local_seconds - before; /* no switch near, or a skipped time: as much later */
}
