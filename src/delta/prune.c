/*
 * delta/prune.c - which files a predicate needs
 *
 *   PR1  A file is dropped only on proof. A statistic that is missing, null, of another type or unreadable proves nothing.
 *   PR2  Maxima of timestamps may have lost their microseconds: they stand for up to 999 more.
 *   PR3  NaN is above every number and may be missing in a maximum: a maximum of FLOAT or DOUBLE never drops a file for > or >=.
 */
#include "delta/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "delta/internal.h"
#include "delta/mapping.h"

struct wanted {
    const DeltaPredicate *predicate;
    const TypeField *field;
    const char *name; /* in statistics and partition values */
    DeltaValue value;
    int partition; /* index among partition columns, or -1 */
    bool usable;
};

struct bounds {
    DeltaValue min, max;      /* VALUE_NONE: unknown */
    int64_t null_count, rows; /* < 0: unknown */
};

static DeltaValue bound_value(const Type *type, const Json *json)
{
    switch (json_kind(json)) {
    case JSON_STRING:
        return delta__value_parse(type, json_str(json, ""));
    case JSON_NUMBER:
        return type->kind == TYPE_STRING ? (DeltaValue){VALUE_NONE} : delta__value_parse(type, json_number_text(json));
    default:
        return (DeltaValue){VALUE_NONE};
    }
}

static const Json *stat_of(const Json *stats, const char *part, const char *column)
{
    return json_get(json_get(stats, part), column);
}

static struct bounds bounds_of(const Json *stats, const TypeField *field, const char *name)
{
    struct bounds b = {
        .min = bound_value(field->type, stat_of(stats, "minValues", name)),
        .max = bound_value(field->type, stat_of(stats, "maxValues", name)),
        .null_count = json_int(stat_of(stats, "nullCount", name), -1),
        .rows = json_int(json_get(stats, "numRecords"), -1),
    };
    bool is_time = field->type->kind == TYPE_TIMESTAMP || field->type->kind == TYPE_TIMESTAMP_NTZ;
    if (is_time && b.max.kind == VALUE_INTEGER && b.max.integer % 1000 == 0) /* PR2 */
        b.max.integer = b.max.integer > INT64_MAX - 999 ? INT64_MAX : b.max.integer + 999;
    return b;
}

/* Proof that no row satisfies the predicate. */
static bool excludes(const struct wanted *w, const struct bounds *b)
{
    bool all_null = b->rows >= 0 && b->null_count == b->rows;
    bool is_real = w->value.kind == VALUE_DOUBLE;
    bool is_nan = is_real && isnan(w->value.real);
    bool has_min = b->min.kind != VALUE_NONE && b->min.kind == w->value.kind;
    bool has_max = b->max.kind != VALUE_NONE && b->max.kind == w->value.kind;

    switch (w->predicate->compare) {
    case DELTA_IS_NULL:
        return b->null_count == 0;
    case DELTA_IS_NOT_NULL:
        return all_null;
    case DELTA_EQUAL:
        return all_null || (has_min && !is_nan && delta__value_compare(&b->min, &w->value) > 0) ||
               (has_max && !is_nan && delta__value_compare(&b->max, &w->value) < 0);
    case DELTA_LESS:
        return all_null || (has_min && !is_nan && delta__value_compare(&b->min, &w->value) >= 0);
    case DELTA_LESS_EQUAL:
        return all_null || (has_min && !is_nan && delta__value_compare(&b->min, &w->value) > 0);
    case DELTA_GREATER:
        return all_null || (has_max && !is_real && delta__value_compare(&b->max, &w->value) <= 0);
    case DELTA_GREATER_EQUAL:
        return all_null || (has_max && !is_real && delta__value_compare(&b->max, &w->value) < 0);
    }
    return false;
}

/* A partition column has one value in the whole file: that is both bounds, and exact. */
static bool partition_excludes(const struct wanted *w, const DeltaFile *file)
{
    const char *text = delta__partition_value(file, w->name);
    if (text && !*text)
        return false; /* '' is NULL to some writers */
    bool is_null = !text;
    if (w->predicate->compare == DELTA_IS_NULL || w->predicate->compare == DELTA_IS_NOT_NULL)
        return is_null != (w->predicate->compare == DELTA_IS_NULL);
    if (is_null)
        return true;
    DeltaValue value = delta__value_parse(w->field->type, str_of(text));
    if (value.kind == VALUE_NONE || value.kind != w->value.kind)
        return false;
    int order = delta__value_compare(&value, &w->value);
    switch (w->predicate->compare) {
    case DELTA_EQUAL:
        return order != 0;
    case DELTA_LESS:
        return order >= 0;
    case DELTA_LESS_EQUAL:
        return order > 0;
    case DELTA_GREATER:
        return order <= 0;
    case DELTA_GREATER_EQUAL:
        return order < 0;
    default:
        return false;
    }
}

static bool is_dropped(const struct wanted *wanted, int count, const DeltaFile *file, Arena *scratch)
{
    const Json *stats = NULL;
    bool parsed = false;
    for (int i = 0; i < count; i++) {
        const struct wanted *w = &wanted[i];
        if (!w->usable)
            continue;
        if (w->partition >= 0) {
            if (partition_excludes(w, file))
                return true;
            continue;
        }
        if (!parsed && file->stats && json_parse(scratch, str_of(file->stats), &stats, NULL) < 0)
            stats = NULL;
        parsed = true;
        if (!stats)
            continue;
        struct bounds b = bounds_of(stats, w->field, w->name);
        if (excludes(w, &b))
            return true;
    }
    return false;
}

void delta_prune(const DeltaSnapshot *snapshot, const DeltaPredicate *predicates, int predicate_count, const DeltaFile *const *files,
                 int64_t count, Arena *arena, const DeltaFile *const **kept, int64_t *kept_count)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    const Type *schema = snapshot->metadata->schema;
    struct wanted *wanted = ARENA_ARRAY(arena, struct wanted, predicate_count + 1);
    const DeltaFile **list = ARENA_ARRAY(arena, const DeltaFile *, count + 1);
    int64_t used = 0;

    for (int i = 0; i < predicate_count; i++) {
        const DeltaPredicate *p = &predicates[i];
        struct wanted *w = &wanted[i];
        bool by_value = p->compare != DELTA_IS_NULL && p->compare != DELTA_IS_NOT_NULL;
        *w = (struct wanted){
            .predicate = p,
            .field = &schema->fields[p->field],
            .name = delta_mapping_name(arena, snapshot->metadata, &schema->fields[p->field]),
            .partition = delta_snapshot_partition_index(snapshot, p->field),
        };
        if (by_value)
            w->value = delta__value_parse(w->field->type, p->value);
        w->usable = !by_value || w->value.kind != VALUE_NONE;
        TypeKind kind = w->field->type->kind;
        if (kind == TYPE_ARRAY || kind == TYPE_MAP || kind == TYPE_STRUCT || kind == TYPE_VARIANT)
            w->usable = false; /* writers differ on what they count as null in them */
        /* texts of a FLOAT are no bounds of the DOUBLE that it was widened to */
        if (kind == TYPE_DOUBLE && w->field->metadata_json && strstr(w->field->metadata_json, "\"delta.typeChanges\""))
            w->usable = false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!is_dropped(wanted, predicate_count, files[i], scratch))
            list[used++] = files[i];
        if (arena_size(scratch) > 1 << 20)
            arena_reset(scratch);
    }
    *kept = list;
    *kept_count = used;
}
