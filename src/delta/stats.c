/*
 * delta/stats.c - what a data file's statistics and partition values look like in the log
 *
 *   ST1  A bound that is written is true: no value of the file lies outside. What cannot be said exactly is left out.
 *   ST2  The text is JSON: no NaN, no infinity; decimals keep every digit.
 */
#include "delta/internal.h"
#include "delta/mapping.h"

#include "duck/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

StatsOptions delta__stats_options(const DeltaMetadata *metadata)
{
    StatsOptions options = {.columns_max = 32, .string_prefix = 32};
    int64_t value;
    const char *text = delta__property(metadata->configuration, metadata->configuration_count, "delta.dataSkippingNumIndexedCols");
    if (text && str_to_int64(str_of(text), &value) && value >= -1 && value <= INT32_MAX)
        options.columns_max = (int)value;
    text = delta__property(metadata->configuration, metadata->configuration_count, "delta.dataSkippingStringPrefixLength");
    if (text && str_to_int64(str_of(text), &value) && value > 0 && value <= 1 << 20)
        options.string_prefix = (int)value;
    options.columns = delta__property(metadata->configuration, metadata->configuration_count, "delta.dataSkippingStatsColumns");
    return options;
}

/* ---- texts of DuckDB ---- */

/* DuckDB marks years before 1 with "(BC)" behind the date: 0044-03-15 (BC) is the year -43. */
static bool parse_duck_time(Str text, int64_t *micros)
{
    static const char mark[] = " (BC)";
    char buffer[64], plain[80];
    if (text.size >= sizeof buffer)
        return false;
    memcpy(buffer, text.ptr, text.size);
    buffer[text.size] = 0;
    char *bc = strstr(buffer, mark);
    if (!bc)
        return delta__timestamp_parse(text, micros, NULL);
    char *rest;
    long year = strtol(buffer, &rest, 10);
    if (year < 1 || rest > bc)
        return false;
    int size = snprintf(plain, sizeof plain, "-%04ld%.*s%s", year - 1, (int)(bc - rest), rest, bc + sizeof mark - 1);
    return delta__timestamp_parse((Str){plain, (size_t)size}, micros, NULL);
}

static void put_date(StrBuf *out, int64_t days)
{
    CivilDate date = calendar_date(days);
    if (date.year < 0)
        str_buf_printf(out, "-%04lld-%02d-%02d", (long long)-date.year, date.month, date.day);
    else
        str_buf_printf(out, "%s%04lld-%02d-%02d", date.year > 9999 ? "+" : "", (long long)date.year, date.month, date.day);
}

static void put_clock(StrBuf *out, char separator, int64_t micros_of_day, int digits)
{
    int64_t seconds = micros_of_day / 1000000, fraction = micros_of_day % 1000000;
    str_buf_printf(out, "%c%02d:%02d:%02d", separator, (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (digits == 3)
        str_buf_printf(out, ".%03d", (int)(fraction / 1000));
    else if (digits == 6)
        str_buf_printf(out, ".%06d", (int)fraction);
}

/* DuckDB leaves out the zero before the point where a decimal has no whole digits; JSON and other readers want it. */
static void put_number(StrBuf *out, const char *value)
{
    if (*value == '-')
        str_buf_putc(out, *value++);
    if (*value == '.')
        str_buf_putc(out, '0');
    str_buf_puts(out, value);
}

const char *delta__partition_text(Arena *arena, const Type *type, const char *value)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    int64_t micros;

    if (!value || !*value)
        return NULL; /* '' and null are one partition, as in Spark */
    switch (type->kind) {
    case TYPE_DECIMAL:
        put_number(&text, value);
        return arena_str(arena, str_buf_view(&text)).ptr;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        if (strcmp(value, "nan") == 0 || strcmp(value, "-nan") == 0)
            return "NaN";
        if (strcmp(value, "inf") == 0)
            return "Infinity";
        if (strcmp(value, "-inf") == 0)
            return "-Infinity";
        return arena_strdup(arena, value);
    case TYPE_DATE:
        if (!parse_duck_time(str_of(value), &micros))
            return arena_strdup(arena, value);
        put_date(&text, floor_div(micros, 86400000000));
        return arena_str(arena, str_buf_view(&text)).ptr;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ: {
        bool zoned = type->kind == TYPE_TIMESTAMP;
        if (!parse_duck_time(str_of(value), &micros))
            return arena_strdup(arena, value);
        int64_t days = floor_div(micros, 86400000000), of_day = micros - days * 86400000000;
        put_date(&text, days);
        put_clock(&text, zoned ? 'T' : ' ', of_day, zoned || of_day % 1000000 ? 6 : 0);
        if (zoned)
            str_buf_putc(&text, 'Z');
        return arena_str(arena, str_buf_view(&text)).ptr;
    }
    default:
        return arena_strdup(arena, value);
    }
}

/* ---- bounds ---- */

/* Code point at ptr of valid UTF-8. */
static uint32_t code_point(const char *ptr, int length)
{
    const unsigned char *p = (const unsigned char *)ptr;
    switch (length) {
    case 1:
        return p[0];
    case 2:
        return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
    case 3:
        return (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
    default:
        return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 | (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3f);
    }
}

/*
 * The string cut to `prefix` UTF-16 units, made a bound: a minimum is just cut, a maximum gets a tie-breaker that is above
 * whatever was cut off. False when there is none.
 */
static bool cut_string(Str text, int prefix, bool is_max, StrBuf *out)
{
    const char *at = text.ptr, *end = text.ptr + text.size;
    int units = 0;
    while (at < end) {
        int length = utf8_length(at, end);
        if (!length)
            return false;
        int width = length == 4 ? 2 : 1;
        if (units + width > prefix) {
            uint32_t next = code_point(at, length);
            if (!is_max)
                break;
            if (next != 0x10ffff) {
                str_buf_add(out, text.ptr, (size_t)(at - text.ptr));
                utf8_put(out, next < 0x7f ? 0x7f : 0x10ffff);
                return true;
            }
            if (units + width > prefix * 2)
                return false;
        }
        units += width;
        at += length;
    }
    str_buf_add(out, text.ptr, (size_t)(at - text.ptr));
    return true;
}

/* One bound as JSON; nothing is added when it has to be left out. */
static void put_bound(StrBuf *out, const Type *type, const char *value, bool is_max, const StatsOptions *options)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    Str raw = str_of(value);
    int64_t micros;

    switch (type->kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_DECIMAL:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        if (raw.size && strspn(value, "0123456789+-.eE") == raw.size) /* ST2: inf and nan fall out here */
            put_number(out, value);
        return;
    case TYPE_DATE:
        if (!parse_duck_time(raw, &micros))
            return;
        put_date(&text, floor_div(micros, 86400000000));
        if (text.size == 10) /* years 0000 to 9999: readers differ on others */
            json_put_str(out, str_buf_view(&text));
        return;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ: {
        if (!parse_duck_time(raw, &micros))
            return;
        int64_t millis = floor_div(micros, 1000);
        if (is_max && micros > millis * 1000)
            millis++; /* readers that do not add the lost microseconds stay right */
        int64_t days = floor_div(millis, 86400000);
        put_date(&text, days);
        if (text.size != 10)
            return;
        put_clock(&text, 'T', (millis - days * 86400000) * 1000, 3);
        if (type->kind == TYPE_TIMESTAMP)
            str_buf_putc(&text, 'Z');
        json_put_str(out, str_buf_view(&text));
        return;
    }
    case TYPE_STRING:
        if (utf8_valid(raw) && cut_string(raw, options->string_prefix, is_max, &text))
            json_put_str(out, str_buf_view(&text));
        return;
    default: /* BOOLEAN, BINARY, VARIANT and nested types have no bounds */
        return;
    }
}

/* ---- the object ---- */

enum part { MIN_VALUES, MAX_VALUES, NULL_COUNT };

struct walk {
    const DeltaMetadata *metadata;
    const StatsOptions *options;
    const DuckWrittenFile *file;
    Arena *arena;
    StrBuf path;   /* of the current field, as in DuckColumnStats: names in the file */
    StrBuf dotted; /* the same with dots */
    int leaf;      /* leaves seen so far */
    enum part part;
};

static const DuckColumnStats *find_stats(const DuckWrittenFile *file, const char *path)
{
    for (int i = 0; i < file->stats_count; i++)
        if (strcmp(file->stats[i].path, path) == 0)
            return &file->stats[i];
    return NULL;
}

/* Is the field, or a struct that holds it, in the comma separated list? */
static bool listed(const char *list, const char *dotted)
{
    size_t size = strlen(dotted);
    while (*list) {
        const char *comma = strchr(list, ',');
        Str item = str_trim((Str){list, comma ? (size_t)(comma - list) : strlen(list)});
        char name[512];
        size_t used = 0;
        for (size_t i = 0; i < item.size && used < sizeof name - 1; i++)
            if (item.ptr[i] != '`')
                name[used++] = item.ptr[i];
        name[used] = 0;
        if (used && used <= size && strncasecmp(name, dotted, used) == 0 && (dotted[used] == 0 || dotted[used] == '.'))
            return true;
        if (!comma)
            break;
        list = comma + 1;
    }
    return false;
}

static bool is_indexed(struct walk *walk)
{
    int leaf = walk->leaf++;
    if (walk->options->columns)
        return listed(walk->options->columns, str_buf_text(&walk->dotted));
    return walk->options->columns_max < 0 || leaf < walk->options->columns_max;
}

static void put_leaf(struct walk *walk, JsonWriter *w, const TypeField *field, const char *name)
{
    silt_auto(str_buf_fini) StrBuf bound = {0};
    const DuckColumnStats *stats = find_stats(walk->file, str_buf_text(&walk->path));
    if (!stats)
        return;
    if (walk->part == NULL_COUNT) {
        if (stats->null_count < 0)
            return;
        json_key(w, name);
        json_integer(w, stats->null_count);
        return;
    }
    bool is_max = walk->part == MAX_VALUES;
    bool is_real = field->type->kind == TYPE_FLOAT || field->type->kind == TYPE_DOUBLE;
    if (!stats->has_bounds || (is_real && stats->has_nan))
        return; /* NaN is above everything and hides from the bounds */
    const char *text = is_max ? stats->max : stats->min;
    if (!text)
        return;
    put_bound(&bound, field->type, text, is_max, walk->options);
    if (!bound.size)
        return;
    json_key(w, name);
    json_raw(w, str_buf_view(&bound));
}

static bool is_partition(const DeltaMetadata *metadata, const char *name)
{
    for (int i = 0; i < metadata->partition_count; i++)
        if (strcasecmp(metadata->partition_columns[i], name) == 0)
            return true;
    return false;
}

static void put_fields(struct walk *walk, JsonWriter *w, const Type *type, bool top)
{
    for (int i = 0; i < type->field_count; i++) {
        const TypeField *field = &type->fields[i];
        const char *name = delta_mapping_name(walk->arena, walk->metadata, field);
        size_t path_size = walk->path.size, dotted_size = walk->dotted.size;
        if (top && is_partition(walk->metadata, field->name))
            continue;
        if (!top) {
            str_buf_putc(&walk->path, '\x1f');
            str_buf_putc(&walk->dotted, '.');
        }
        str_buf_puts(&walk->path, name);
        str_buf_puts(&walk->dotted, field->name);
        if (field->type->kind == TYPE_STRUCT) {
            json_key(w, name);
            json_object(w);
            put_fields(walk, w, field->type, false);
            json_object_end(w);
        } else if (is_indexed(walk)) {
            put_leaf(walk, w, field, name);
        }
        walk->path.size = path_size;
        walk->dotted.size = dotted_size;
        if (walk->path.ptr)
            walk->path.ptr[path_size] = 0;
        if (walk->dotted.ptr)
            walk->dotted.ptr[dotted_size] = 0;
    }
}

void delta__stats_print(StrBuf *out, const DeltaMetadata *metadata, const StatsOptions *options, bool tight_bounds,
                        const DuckWrittenFile *file)
{
    static const char *const keys[] = {"minValues", "maxValues", "nullCount"};
    silt_auto(arena_freep) Arena *arena = arena_new();
    struct walk walk = {.metadata = metadata, .options = options, .file = file, .arena = arena};
    JsonWriter w = {.out = out};

    json_object(&w);
    json_member_int(&w, "numRecords", file->rows);
    for (int part = MIN_VALUES; part <= NULL_COUNT; part++) {
        walk.part = (enum part)part;
        walk.leaf = 0;
        json_key(&w, keys[part]);
        json_object(&w);
        put_fields(&walk, &w, metadata->schema, true);
        json_object_end(&w);
    }
    if (tight_bounds)
        json_member_bool(&w, "tightBounds", true);
    json_object_end(&w);
    str_buf_fini(&walk.path);
    str_buf_fini(&walk.dotted);
}
