/*
 * plan/conf.c - the table of settings: which keys exist, which values Silt can honour
 *
 * Rows with CONF_ONLY name the values under which Silt's results are Spark's; any other value would change results silently, so
 * it is refused. Keys under `spark.` that are in no row cannot change a result and are ignored with a word in the log; keys under
 * `silt.` that are in no row are mistakes.
 */
#include "plan/conf.h"
#include "base/quantity.h"
#include "duck/zone.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum ConfType {
    CONF_TEXT,
    CONF_BOOLEAN,
    CONF_INTEGER, /* 0 or more */
    CONF_INTERVAL,
    CONF_SIZE,
    CONF_ZONE,
    CONF_CHOICE, /* of `values`: each is honoured */
    CONF_ONLY,   /* of `values`: what Silt does; others are refused */
} ConfType;

struct conf_key {
    const char *key;
    ConfType type;
    const char *values; /* parted by '|', compared without case */
    bool property;      /* may also be given in TBLPROPERTIES */
};

static const struct conf_key conf_keys[] = {
    {"silt.continuous", CONF_BOOLEAN, NULL, false},
    {"silt.deadLetters", CONF_CHOICE, "table|count|spark", true},
    {"silt.quarantine", CONF_CHOICE, "table|count", true},
    {"silt.lateRows", CONF_CHOICE, "table|count", true},
    {"silt.events", CONF_CHOICE, "table|off", false},
    {"silt.events.retention", CONF_INTERVAL, NULL, false},
    {"silt.freshness", CONF_INTERVAL, NULL, true},
    {"silt.idleTimeout", CONF_INTERVAL, NULL, true},
    {"silt.maxEventTimeSkew", CONF_INTERVAL, NULL, true},
    {"silt.memory", CONF_SIZE, NULL, false},
    {"silt.threads", CONF_INTEGER, NULL, false},
    {"silt.outputMode", CONF_CHOICE, "append|update|complete", true},

    {"spark.sql.session.timeZone", CONF_ZONE, NULL, false},
    {"spark.sql.timeType.enabled", CONF_BOOLEAN, NULL, false},
    {"spark.sql.warehouse.dir", CONF_TEXT, NULL, false},
    {"spark.sql.shuffle.partitions", CONF_INTEGER, NULL, false},
    {"spark.sql.streaming.minBatchesToRetain", CONF_INTEGER, NULL, false},
    {"spark.sql.streaming.multipleWatermarkPolicy", CONF_CHOICE, "min|max", false},
    {"spark.sql.pipelines.maxFlowRetryAttempts", CONF_INTEGER, NULL, false},
    {"spark.sql.pipelines.execution.maxConcurrentFlows", CONF_INTEGER, NULL, false},
    {"spark.sql.pipelines.execution.watchdog.minRetryTime", CONF_INTERVAL, NULL, false},
    {"spark.sql.pipelines.execution.watchdog.maxRetryTime", CONF_INTERVAL, NULL, false},
    {"spark.sql.parquet.compression.codec", CONF_ONLY, "snappy|zstd", false},
    {"spark.sql.sources.default", CONF_ONLY, "delta", false},

    /* what changes results: only the value under which Silt computes */
    {"spark.sql.ansi.enabled", CONF_ONLY, "true", false},
    {"spark.sql.ansi.doubleQuotedIdentifiers", CONF_ONLY, "false", false},
    {"spark.sql.ansi.enforceReservedKeywords", CONF_ONLY, "false", false},
    {"spark.sql.ansi.relationPrecedence", CONF_ONLY, "false", false},
    {"spark.sql.caseSensitive", CONF_ONLY, "false", false},
    {"spark.sql.storeAssignmentPolicy", CONF_ONLY, "ANSI", false},
    {"spark.sql.mapKeyDedupPolicy", CONF_ONLY, "EXCEPTION", false},
    {"spark.sql.timestampType", CONF_ONLY, "TIMESTAMP_LTZ", false},
    {"spark.sql.decimalOperations.allowPrecisionLoss", CONF_ONLY, "true", false},
    {"spark.sql.crossJoin.enabled", CONF_ONLY, "true", false},
    {"spark.sql.groupByOrdinal", CONF_ONLY, "true", false},
    {"spark.sql.orderByOrdinal", CONF_ONLY, "true", false},
    {"spark.sql.groupByAliases", CONF_ONLY, "true", false},
    {"spark.sql.columnNameOfCorruptRecord", CONF_ONLY, "_corrupt_record", false},
    {"spark.sql.jsonGenerator.ignoreNullFields", CONF_ONLY, "true", false},
    {"spark.sql.json.enablePartialResults", CONF_ONLY, "true", false},
    {"spark.sql.files.ignoreCorruptFiles", CONF_ONLY, "false", false},
    {"spark.sql.files.ignoreMissingFiles", CONF_ONLY, "false", false},
    {"spark.sql.parser.quotedRegexColumnNames", CONF_ONLY, "false", false},
    {"spark.sql.sources.partitionColumnTypeInference.enabled", CONF_ONLY, "true", false},
    {"spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", CONF_ONLY, "false", false},
    {"spark.sql.streaming.statefulOperator.checkCorrectness.enabled", CONF_ONLY, "true", false},
    {"spark.sql.legacy.timeParserPolicy", CONF_ONLY, "CORRECTED|EXCEPTION", false},
    {"spark.sql.legacy.parquet.datetimeRebaseModeInRead", CONF_ONLY, "CORRECTED|EXCEPTION", false},
    {"spark.sql.legacy.parquet.datetimeRebaseModeInWrite", CONF_ONLY, "CORRECTED|EXCEPTION", false},
};
enum { CONF_KEYS = sizeof conf_keys / sizeof conf_keys[0] };

/* ---- the list ---- */

Conf *conf_copy(Arena *arena, const Conf *conf)
{
    Conf *copy = ARENA_NEW(arena, Conf);

    copy->arena = arena;
    for (int i = 0; conf && i < conf->count; i++)
        ARENA_PUSH(arena, copy->entries, copy->count, copy->capacity, conf->entries[i]);
    return copy;
}

void conf_set(Conf *conf, const char *key, const char *value, SiltPos pos)
{
    for (int i = 0; i < conf->count; i++) {
        if (!strcmp(conf->entries[i].key, key)) {
            conf->entries[i].value = value;
            conf->entries[i].pos = pos;
            return;
        }
    }
    ConfEntry entry = {key, value, pos};
    ARENA_PUSH(conf->arena, conf->entries, conf->count, conf->capacity, entry);
}

const ConfEntry *conf_entry(const Conf *conf, const char *key)
{
    for (int i = 0; conf && i < conf->count; i++)
        if (!strcmp(conf->entries[i].key, key))
            return &conf->entries[i];
    return NULL;
}

const char *conf_get(const Conf *conf, const char *key)
{
    const ConfEntry *entry = conf_entry(conf, key);
    return entry ? entry->value : NULL;
}

/* ---- values ---- */

static bool one_of(const char *values, Str value)
{
    while (*values) {
        size_t size = strcspn(values, "|");
        if (size == value.size && !strncasecmp(values, value.ptr, size))
            return true;
        values += size + (values[size] == '|');
    }
    return false;
}

/* `"a", "b" or "c"` */
static void list_values(StrBuf *out, const char *values)
{
    while (*values) {
        size_t size = strcspn(values, "|");
        const char *rest = values + size + (values[size] == '|');
        str_buf_printf(out, "%s\"%.*s\"", !out->size ? "" : *rest ? ", " : " or ", (int)size, values);
        values = rest;
    }
}

static bool zone_shape(Str value)
{
    if (!value.size || value.size > 64)
        return false;
    for (size_t i = 0; i < value.size; i++)
        if (!isalnum((unsigned char)value.ptr[i]) && !strchr("/_+-:", value.ptr[i]))
            return false;
    return true;
}

static int check_value(const struct conf_key *row, const char *value, SiltPos pos, SiltErr *err)
{
    Str text = str_of(value);
    int64_t number;
    const char *want = NULL;

    switch (row->type) {
    case CONF_TEXT:
        return 0;
    case CONF_BOOLEAN:
        want = one_of("true|false", text) ? NULL : "\"true\" or \"false\"";
        break;
    case CONF_INTEGER:
        want = str_to_int64(str_trim(text), &number) && number >= 0 ? NULL : "a whole number, 0 or more";
        break;
    case CONF_INTERVAL:
        want = quantity_interval(text, &number) ? NULL : "an interval such as \"5 minutes\"";
        break;
    case CONF_SIZE:
        want = quantity_size(text, &number) ? NULL : "a size such as \"512MB\" or \"1GB\"";
        break;
    case CONF_ZONE:
        want = zone_shape(text) ? NULL : "a time zone such as \"Europe/Berlin\" or \"+02:00\"";
        SiltErr inner;
        if (want || zone_check(value, &inner) == 0)
            break;
        silt_fail_at(err, inner.kind, pos, "%s", inner.message);
        if (inner.code[0])
            silt_code(err, inner.code);
        return silt_hint(err, "%s", inner.hint);
    case CONF_CHOICE:
    case CONF_ONLY:
        if (!one_of(row->values, text)) {
            silt_auto(str_buf_fini) StrBuf values = {0};
            list_values(&values, row->values);
            if (row->type == CONF_ONLY) {
                silt_fail_at(err, SILT_CONFIG, pos, "cannot run with %s = \"%s\"", row->key, value);
                return silt_hint(err, "It would change results, and Silt computes only with %s. Remove the setting.", str_buf_text(&values));
            }
            silt_fail_at(err, SILT_CONFIG, pos, "value \"%s\" of \"%s\" is none of its values", value, row->key);
            return silt_hint(err, "Write %s.", str_buf_text(&values));
        }
        return 0;
    }
    if (!want)
        return 0;
    silt_fail_at(err, SILT_CONFIG, pos, "value \"%s\" of \"%s\" cannot be read", value, row->key);
    silt_code(err, "INVALID_CONF_VALUE.TYPE_MISMATCH");
    return silt_hint(err, "It should be %s.", want);
}

static const struct conf_key *find_key(const char *key)
{
    for (int i = 0; i < CONF_KEYS; i++)
        if (!strcmp(conf_keys[i].key, key))
            return &conf_keys[i];
    return NULL;
}

const char *conf_default(Arena *arena, const char *key)
{
    const struct conf_key *row = find_key(key);

    if (row && row->type == CONF_ZONE)
        return "UTC";
    return row && row->type == CONF_ONLY ? arena_strndup(arena, row->values, strcspn(row->values, "|")) : NULL;
}

const char *conf_known(Arena *arena, int index, const char **takes)
{
    static const char *const words[] = {[CONF_TEXT] = "a text", [CONF_BOOLEAN] = "true or false", [CONF_INTEGER] = "a whole number, 0 or more",
                                        [CONF_INTERVAL] = "an interval", [CONF_SIZE] = "a size", [CONF_ZONE] = "a time zone"};
    if (index >= CONF_KEYS)
        return NULL;
    const struct conf_key *row = &conf_keys[index];
    *takes = !row->values ? words[row->type] : arena_printf(arena, row->type == CONF_ONLY ? "only %s" : "%s", row->values);
    for (char *bar = row->values ? strchr(*takes, '|') : NULL; bar; bar = strchr(bar, '|'))
        *bar = ' ';
    return row->key;
}

static int unknown_key(const char *key, bool property, SiltPos pos, SiltErr *err)
{
    const char *names[CONF_KEYS];
    int count = 0;

    for (int i = 0; i < CONF_KEYS; i++)
        if (str_starts(str_of(conf_keys[i].key), "silt.") && (!property || conf_keys[i].property))
            names[count++] = conf_keys[i].key;
    silt_fail_at(err, SILT_CONFIG, pos, "unknown %s \"%s\"", property ? "table property" : "configuration key", key);
    const char *nearest = str_nearest(str_of(key), names, count);
    return nearest ? silt_hint(err, "Did you mean \"%s\"?", nearest) : -1;
}

int conf_check(const char *key, const char *value, SiltPos pos, SiltErr *err)
{
    const struct conf_key *row = find_key(key);

    if (row)
        return check_value(row, value, pos, err);
    if (str_starts(str_of(key), "silt."))
        return unknown_key(key, false, pos, err);
    /* every legacy switch brings back other results, unless it is turned off */
    if (str_starts(str_of(key), "spark.sql.legacy.") && !str_is_nocase(str_of(value), "false")) {
        silt_fail_at(err, SILT_CONFIG, pos, "cannot run with %s = \"%s\"", key, value);
        return silt_hint(err, "Silt has none of Spark's legacy behaviours. Remove the setting.");
    }
    return CONF_IGNORED;
}

int conf_check_property(const char *key, const char *value, SiltPos pos, SiltErr *err)
{
    if (!str_starts(str_of(key), "silt."))
        return CONF_IGNORED;
    const struct conf_key *row = find_key(key);
    if (!row || !row->property)
        return unknown_key(key, true, pos, err);
    return check_value(row, value, pos, err);
}

/* ---- typed readings ---- */

bool conf_bool(const Conf *conf, const char *key, bool fallback)
{
    const char *value = conf_get(conf, key);
    return value ? str_is_nocase(str_of(value), "true") : fallback;
}

int64_t conf_int(const Conf *conf, const char *key, int64_t fallback)
{
    const char *value = conf_get(conf, key);
    int64_t number;
    return value && str_to_int64(str_trim(str_of(value)), &number) ? number : fallback;
}

int64_t conf_interval_us(const Conf *conf, const char *key, int64_t fallback_us)
{
    const char *value = conf_get(conf, key);
    int64_t us;
    return value && quantity_interval(str_of(value), &us) ? us : fallback_us;
}

int64_t conf_size_bytes(const Conf *conf, const char *key, int64_t fallback_bytes)
{
    const char *value = conf_get(conf, key);
    int64_t bytes;
    return value && quantity_size(str_of(value), &bytes) ? bytes : fallback_bytes;
}

SqlSettings conf_sql_settings(const Conf *conf)
{
    const char *zone = conf_get(conf, "spark.sql.session.timeZone");
    return (SqlSettings){.time_zone = zone ? zone : "UTC", .ansi = true, .case_sensitive = false, .time_type = conf_bool(conf, "spark.sql.timeType.enabled", false)};
}
