/* delta/metadata.c - what a schema, a partitioning and properties must satisfy before they enter a log */
#include "delta/internal.h"
#include "delta/mapping.h"

#include <stdlib.h>
#include <string.h>

/* Properties that Delta knows, in its spelling. A `delta.` key that is not here is refused, as by Spark. */
static const char *const known_properties[] = {
    "delta.appendOnly",
    "delta.autoOptimize.autoCompact",
    "delta.autoOptimize.optimizeWrite",
    "delta.checkpoint.writeStatsAsJson",
    "delta.checkpoint.writeStatsAsStruct",
    "delta.checkpointInterval",
    "delta.checkpointPolicy",
    "delta.checkpointRetentionDuration",
    "delta.columnMapping.maxColumnId",
    "delta.columnMapping.mode",
    "delta.compatibility.symlinkFormatManifest.enabled",
    "delta.dataSkippingNumIndexedCols",
    "delta.dataSkippingStatsColumns",
    "delta.dataSkippingStringPrefixLength",
    "delta.deletedFileRetentionDuration",
    "delta.enableChangeDataFeed",
    "delta.enableDeletionVectors",
    "delta.enableExpiredLogCleanup",
    "delta.enableFullRetentionRollback",
    "delta.enableIcebergCompatV1",
    "delta.enableIcebergCompatV2",
    "delta.enableInCommitTimestamps",
    "delta.enableRowTracking",
    "delta.enableTypeWidening",
    "delta.enableVariantShredding",
    "delta.isolationLevel",
    "delta.logRetentionDuration",
    "delta.minReaderVersion",
    "delta.minWriterVersion",
    "delta.parquet.compression.codec",
    "delta.parquet.format.version",
    "delta.randomPrefixLength",
    "delta.randomizeFilePrefixes",
    "delta.sampleRetentionDuration",
    "delta.setTransactionRetentionDuration",
    "delta.targetFileSize",
    "delta.tuneFileSizesForRewrites",
    "delta.universalFormat.enabledFormats",
};
enum { KNOWN_COUNT = sizeof known_properties / sizeof *known_properties };

/* Known ones that ask for work which is not done here. Values that mean "off" are fine. */
static const struct {
    const char *key, *off;
} refused_properties[] = {
    {"delta.enableRowTracking", "false"},      {"delta.enableIcebergCompatV1", "false"},
    {"delta.enableIcebergCompatV2", "false"}, {"delta.enableVariantShredding", "false"}, {"delta.minReaderVersion", "1"},
    {"delta.minWriterVersion", "2"},          {"delta.isolationLevel", "Serializable"},  {"delta.universalFormat.enabledFormats", ""},
};

int delta_property_check(DeltaProperty *property, SiltErr *err)
{
    if (strncasecmp(property->key, "delta.", 6) != 0)
        return 0;
    const char *known = NULL;
    for (int i = 0; i < KNOWN_COUNT && !known; i++)
        if (strcasecmp(property->key, known_properties[i]) == 0)
            known = known_properties[i];
    if (!known) {
        const char *near = str_nearest(str_of(property->key), known_properties, KNOWN_COUNT);
        silt_fail(err, SILT_CONFIG, "unknown table property \"%s\"", property->key);
        if (near)
            silt_hint(err, "Did you mean \"%s\"? Properties of your own must not begin with \"delta.\".", near);
        else if (strncasecmp(property->key, "delta.constraints.", 18) == 0 || strncasecmp(property->key, "delta.feature.", 14) == 0)
            silt_hint(err, "Constraints and table features cannot be set as properties in this version.");
        else
            silt_hint(err, "Properties of your own must not begin with \"delta.\".");
        return silt_code(err, "DELTA_UNKNOWN_CONFIGURATION");
    }
    property->key = known;
    for (size_t i = 0; i < sizeof refused_properties / sizeof *refused_properties; i++)
        if (strcmp(known, refused_properties[i].key) == 0 && property->value && strcasecmp(property->value, refused_properties[i].off) != 0)
            return silt_fail(err, SILT_CONFIG, "table property \"%s\" = '%s' is not supported in this version", known, property->value);
    int64_t number;
    if (strcmp(known, "delta.columnMapping.mode") == 0 &&
        (!property->value || (strcasecmp(property->value, "none") && strcasecmp(property->value, "name") && strcasecmp(property->value, "id")))) {
        silt_fail(err, SILT_CONFIG, "table property \"%s\" is none, name or id, not '%s'", known, property->value ? property->value : "NULL");
        return silt_code(err, "DELTA_INVALID_CONFIGURATION_VALUE");
    }
    if (strcmp(known, "delta.checkpointInterval") == 0 &&
        (!property->value || !str_to_int64(str_of(property->value), &number) || number < 1)) {
        silt_fail(err, SILT_CONFIG, "table property \"%s\" needs a number above 0, not '%s'", known,
                  property->value ? property->value : "NULL");
        return silt_code(err, "DELTA_INVALID_CONFIGURATION_VALUE");
    }
    return 0;
}

static bool same_property(const DeltaMetadata *base, const DeltaProperty *property)
{
    if (!base)
        return false;
    const char *value = delta__property(base->configuration, base->configuration_count, property->key);
    return value && property->value && strcmp(value, property->value) == 0;
}

/* ---- schema ---- */

static int check_type(const Type *type, const char *column, bool top, bool mapped, SiltErr *err);

/* mapped: names in SQL are not those in files, and may have any character. */
static int check_fields(const Type *type, bool mapped, SiltErr *err)
{
    for (int i = 0; i < type->field_count; i++) {
        const TypeField *field = &type->fields[i];
        if (!*field->name || (!mapped && strpbrk(field->name, " ,;{}()\n\t="))) {
            silt_fail(err, SILT_CONFIG,
                      "cannot make a column named \"%s\": a Delta table allows none of the characters ' ,;{}()\\n\\t=' in names",
                      field->name);
            silt_hint(err, "Give the column another name with AS, or the table the property 'delta.columnMapping.mode' = 'name'.");
            return silt_code(err, "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES");
        }
        for (int j = 0; j < i; j++)
            if (strcasecmp(type->fields[j].name, field->name) == 0) {
                silt_fail(err, SILT_CONFIG, "there are two columns named \"%s\" (case does not count)", field->name);
                return silt_code(err, "DELTA_DUPLICATE_COLUMNS_FOUND");
            }
        SILT_TRY(check_type(field->type, field->name, false, mapped, err));
    }
    return 0;
}

static int check_type(const Type *type, const char *column, bool top, bool mapped, SiltErr *err)
{
    switch (type->kind) {
    case TYPE_STRUCT:
        if (!top && !type->field_count) {
            silt_fail(err, SILT_CONFIG, "column \"%s\" is a struct without fields, which a Parquet file cannot hold", column);
            return silt_code(err, "DELTA_UNSUPPORTED_DATA_TYPES");
        }
        return check_fields(type, mapped, err);
    case TYPE_ARRAY:
        return check_type(type->element, column, false, mapped, err);
    case TYPE_MAP:
        SILT_TRY(check_type(type->key, column, false, mapped, err));
        return check_type(type->element, column, false, mapped, err);
    case TYPE_VOID:
    case TYPE_TIME:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
    case TYPE_INTERVAL: {
        silt_auto(str_buf_fini) StrBuf text = {0};
        type_print(&text, type);
        silt_fail(err, SILT_CONFIG, "column \"%s\" has type %s, which a Delta table cannot hold", column, str_buf_text(&text));
        silt_hint(err, "Cast the column to another type.");
        return silt_code(err, "DELTA_UNSUPPORTED_DATA_TYPES");
    }
    default:
        return 0;
    }
}

bool delta_type_may_partition(const Type *type)
{
    return type->kind != TYPE_ARRAY && type->kind != TYPE_MAP && type->kind != TYPE_STRUCT && type->kind != TYPE_VARIANT && type->kind != TYPE_BINARY;
}

static int check_partitioning(const DeltaMetadata *metadata, SiltErr *err)
{
    const Type *schema = metadata->schema;
    for (int i = 0; i < metadata->partition_count; i++) {
        const char *name = metadata->partition_columns[i];
        int index = type_field_index(schema, name, NULL);
        if (index < 0) {
            silt_fail(err, SILT_CONFIG, "partition column \"%s\" is not a column of the table", name);
            return silt_code(err, "DELTA_PARTITION_COLUMN_NOT_FOUND");
        }
        for (int j = 0; j < i; j++)
            if (strcasecmp(metadata->partition_columns[j], name) == 0)
                return silt_fail(err, SILT_CONFIG, "partition column \"%s\" is named twice", name);
        if (!delta_type_may_partition(schema->fields[index].type)) {
            silt_auto(str_buf_fini) StrBuf text = {0};
            type_print(&text, schema->fields[index].type);
            silt_fail(err, SILT_CONFIG, "column \"%s\" of type %s cannot be a partition column", name, str_buf_text(&text));
            return silt_code(err, "DELTA_INVALID_PARTITION_COLUMN_TYPE");
        }
    }
    if (metadata->partition_count && metadata->partition_count == schema->field_count) {
        silt_fail(err, SILT_CONFIG, "all columns of the table are partition columns; at least one must not be");
        return silt_code(err, "DELTA_CANNOT_USE_ALL_COLUMNS_FOR_PARTITION");
    }
    return 0;
}

/* Partition columns get the spelling of the schema: readers compare by case. */
static void spell_partitions(Arena *arena, DeltaMetadata *metadata)
{
    const char **names = ARENA_ARRAY(arena, const char *, metadata->partition_count + 1);
    for (int i = 0; i < metadata->partition_count; i++)
        names[i] = metadata->schema->fields[type_field_index(metadata->schema, metadata->partition_columns[i], NULL)].name;
    metadata->partition_columns = names;
}

int delta__metadata_check(Arena *arena, const DeltaMetadata *base, DeltaMetadata *metadata, SiltErr *err)
{
    silt_assert(metadata->schema && metadata->schema->kind == TYPE_STRUCT);
    if (!base || !type_equal(base->schema, metadata->schema, true))
        SILT_TRY(check_type(metadata->schema, "", true, delta_mapping_on(metadata), err));
    SILT_TRY(check_partitioning(metadata, err));
    spell_partitions(arena, metadata);

    DeltaProperty *properties = ARENA_ARRAY(arena, DeltaProperty, metadata->configuration_count + 1);
    for (int i = 0; i < metadata->configuration_count; i++) {
        properties[i] = metadata->configuration[i];
        if (!same_property(base, &properties[i]))
            SILT_TRY(delta_property_check(&properties[i], err));
    }
    metadata->configuration = properties;
    return 0;
}
