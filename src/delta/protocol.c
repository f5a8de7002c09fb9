/*
 * delta/protocol.c - table features: what is known, what is done for reading and for writing, what a schema needs
 *
 *   F1  A feature that is not in the table below is unknown and refused by name.
 *   F2  A known feature that is not (yet) carried out is refused by name where it is active: listed for readers that must act on
 *       its listing, else when properties or schema use it.
 *   F3  A protocol never goes down; the step to writer 7 lists all that the old number implied.
 */
#include "delta/internal.h"
#include "delta/mapping.h"

#include <stdio.h>
#include <string.h>

typedef bool (*ActiveFn)(const DeltaMetadata *metadata);

typedef struct Feature {
    const char *name;
    int legacy_reader, legacy_writer; /* smallest old versions that imply it; 0: only by name */
    bool for_readers;                 /* stands in readerFeatures too */
    ActiveFn unread;                  /* true: this program cannot read such a table; NULL: it always can */
    ActiveFn unwritten;               /* the same for writing */
    bool tolerates_upgrade;           /* a concurrent commit may go past its enablement */
} Feature;

static bool property_is(const DeltaMetadata *metadata, const char *key, const char *value)
{
    const char *text = delta__property(metadata->configuration, metadata->configuration_count, key);
    return text && strcasecmp(text, value) == 0;
}

static bool has_property_prefix(const DeltaMetadata *metadata, const char *prefix)
{
    for (int i = 0; i < metadata->configuration_count; i++)
        if (strncasecmp(metadata->configuration[i].key, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* Does any field, nested ones included, satisfy the test? */
static bool any_field(const Type *type, bool (*test)(const TypeField *field, const void *arg), const void *arg)
{
    if (type->kind == TYPE_ARRAY)
        return any_field(type->element, test, arg);
    if (type->kind == TYPE_MAP)
        return any_field(type->key, test, arg) || any_field(type->element, test, arg);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (test(&type->fields[i], arg) || any_field(type->fields[i].type, test, arg))
            return true;
    return false;
}

/* Keys are compared within their quotes: a metadata object is short and its keys are never escaped. */
static bool field_has_key(const TypeField *field, const void *key)
{
    return field->metadata_json && strstr(field->metadata_json, key) != NULL;
}

static bool contains_kind(const Type *type, TypeKind kind)
{
    if (type->kind == kind)
        return true;
    if (type->kind == TYPE_ARRAY)
        return contains_kind(type->element, kind);
    if (type->kind == TYPE_MAP)
        return contains_kind(type->key, kind) || contains_kind(type->element, kind);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (contains_kind(type->fields[i].type, kind))
            return true;
    return false;
}

static bool always(const DeltaMetadata *metadata)
{
    (void)metadata;
    return true;
}

static bool has_invariants(const DeltaMetadata *metadata)
{
    return any_field(metadata->schema, field_has_key, "\"delta.invariants\"");
}

static bool has_constraints(const DeltaMetadata *metadata)
{
    return has_property_prefix(metadata, "delta.constraints.");
}

static bool has_generated(const DeltaMetadata *metadata)
{
    return any_field(metadata->schema, field_has_key, "\"delta.generationExpression\"");
}

static bool has_identity(const DeltaMetadata *metadata)
{
    return any_field(metadata->schema, field_has_key, "\"delta.identity.");
}

static bool has_defaults(const DeltaMetadata *metadata)
{
    return any_field(metadata->schema, field_has_key, "\"CURRENT_DEFAULT\"");
}

static bool has_collations(const DeltaMetadata *metadata)
{
    return any_field(metadata->schema, field_has_key, "\"__COLLATIONS\"");
}

static bool rows_tracked(const DeltaMetadata *metadata)
{
    return !property_is(metadata, "delta.rowTrackingSuspended", "true");
}

static const Feature features[] = {
    {"appendOnly", 0, 2, false, NULL, NULL, true},
    {"invariants", 0, 2, false, NULL, has_invariants, false},
    {"checkConstraints", 0, 3, false, NULL, has_constraints, false},
    {"changeDataFeed", 0, 4, false, NULL, NULL, true}, /* appends and whole-file removes need no cdc files */
    {"generatedColumns", 0, 4, false, NULL, has_generated, false},
    {"columnMapping", 2, 5, true, NULL, NULL, true},
    {"identityColumns", 0, 6, false, NULL, has_identity, false},
    {"deletionVectors", 0, 0, true, NULL, NULL, true}, /* reading a file that has one is refused by the scan */
    {"timestampNtz", 0, 0, true, NULL, NULL, true},
    {"timestampWithoutTimezone", 0, 0, true, NULL, NULL, true},
    {"v2Checkpoint", 0, 0, true, NULL, NULL, true},
    {"vacuumProtocolCheck", 0, 0, true, NULL, NULL, true},
    {"rowTracking", 0, 0, false, NULL, rows_tracked, true},
    {"domainMetadata", 0, 0, false, NULL, NULL, true},
    {"clustering", 0, 0, false, NULL, always, false},
    {"inCommitTimestamp", 0, 0, false, NULL, NULL, true},
    {"inCommitTimestamp-preview", 0, 0, false, NULL, always, true},
    {"allowColumnDefaults", 0, 0, false, NULL, has_defaults, false},
    {"typeWidening", 0, 0, true, NULL, NULL, false},
    {"typeWidening-preview", 0, 0, true, NULL, NULL, false},
    {"variantType", 0, 0, true, NULL, NULL, false},
    {"variantType-preview", 0, 0, true, NULL, NULL, false},
    {"variantShredding", 0, 0, true, NULL, NULL, false}, /* files may be shredded; none has to be */
    {"variantShredding-preview", 0, 0, true, NULL, NULL, false},
    {"catalogManaged", 0, 0, true, always, always, true},
    {"catalogOwned-preview", 0, 0, true, always, always, true},
    {"coordinatedCommits-preview", 0, 0, false, always, always, false},
    {"icebergCompatV1", 0, 0, false, NULL, always, true},
    {"icebergCompatV2", 0, 0, false, NULL, always, true},
    {"icebergCompatV3", 0, 0, false, NULL, always, true},
    {"icebergWriterCompatV1", 0, 0, false, NULL, always, true},
    {"icebergWriterCompatV3", 0, 0, false, NULL, always, true},
    {"checkpointProtection", 0, 0, false, NULL, NULL, false}, /* binds log cleanup, which is not done here */
    {"materializePartitionColumns", 0, 0, false, NULL, always, false},
    {"columnMappingUsageTracking", 0, 0, false, NULL, always, false},
    {"collations", 0, 0, false, NULL, has_collations, false},
};
enum { FEATURE_COUNT = sizeof features / sizeof *features };

static const Feature *find_feature(const char *name)
{
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (strcmp(features[i].name, name) == 0)
            return &features[i];
    return NULL;
}

static bool list_has(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool delta__protocol_has(const DeltaProtocol *protocol, const char *name)
{
    const Feature *feature = find_feature(name);
    if (protocol->min_writer >= 7)
        return list_has(protocol->writer_features, protocol->writer_feature_count, name) ||
               list_has(protocol->reader_features, protocol->reader_feature_count, name);
    return feature && feature->legacy_writer && protocol->min_writer >= feature->legacy_writer;
}

bool delta__feature_tolerates_upgrade(const char *name)
{
    const Feature *feature = find_feature(name);
    return feature && feature->tolerates_upgrade;
}

int delta__protocol_feature_names(Arena *arena, const DeltaProtocol *protocol, const char ***out)
{
    const char **names = ARENA_ARRAY(arena, const char *, FEATURE_COUNT + protocol->reader_feature_count + protocol->writer_feature_count);
    int count = 0;
    if (protocol->min_writer < 7)
        for (int i = 0; i < FEATURE_COUNT; i++)
            if (features[i].legacy_writer && features[i].legacy_writer <= protocol->min_writer)
                names[count++] = features[i].name;
    for (int i = 0; i < protocol->writer_feature_count; i++)
        names[count++] = protocol->writer_features[i];
    for (int i = 0; i < protocol->reader_feature_count; i++)
        if (!list_has(names, count, protocol->reader_features[i]))
            names[count++] = protocol->reader_features[i];
    *out = names;
    return count;
}

bool delta__protocol_equal(const DeltaProtocol *a, const DeltaProtocol *b)
{
    if (a->min_reader != b->min_reader || a->min_writer != b->min_writer || a->reader_feature_count != b->reader_feature_count ||
        a->writer_feature_count != b->writer_feature_count)
        return false;
    for (int i = 0; i < a->reader_feature_count; i++)
        if (!list_has(b->reader_features, b->reader_feature_count, a->reader_features[i]))
            return false;
    for (int i = 0; i < a->writer_feature_count; i++)
        if (!list_has(b->writer_features, b->writer_feature_count, a->writer_features[i]))
            return false;
    return true;
}

/* ---- refusing ---- */

static void add_name(StrBuf *list, const char *name)
{
    if (list->size)
        str_buf_puts(list, ", ");
    str_buf_puts(list, name);
}

int delta__protocol_readable(const DeltaProtocol *protocol, const DeltaMetadata *metadata, const char *what, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf refused = {0};

    if (protocol->min_reader > 3) {
        silt_fail(err, SILT_CONFIG, "cannot read \"%s\": its protocol asks for minReaderVersion %d, and the highest that is known is 3",
                  what, protocol->min_reader);
        return silt_code(err, "DELTA_INVALID_PROTOCOL_VERSION");
    }
    if (protocol->min_reader == 3)
        for (int i = 0; i < protocol->reader_feature_count; i++) {
            const Feature *feature = find_feature(protocol->reader_features[i]);
            if (!feature || !feature->for_readers || (feature->unread && feature->unread(metadata)))
                add_name(&refused, protocol->reader_features[i]);
        }
    if (protocol->min_writer >= 7) /* writer-only features that still forbid access by path */
        for (int i = 0; i < protocol->writer_feature_count; i++) {
            const Feature *feature = find_feature(protocol->writer_features[i]);
            if (feature && !feature->for_readers && feature->unread && feature->unread(metadata))
                add_name(&refused, protocol->writer_features[i]);
        }
    if (!refused.size) {
        bool widened = delta__protocol_has(protocol, "typeWidening") || delta__protocol_has(protocol, "typeWidening-preview");
        return widened ? delta__widening_readable(metadata, what, err) : 0;
    }
    silt_fail(err, SILT_CONFIG, "cannot read \"%s\": the table needs reader features that are not supported: %s", what,
              str_buf_text(&refused));
    return silt_code(err, "DELTA_UNSUPPORTED_FEATURES_FOR_READ");
}

int delta__protocol_writable(const DeltaProtocol *protocol, const DeltaMetadata *metadata, const char *what, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf refused = {0};

    SILT_TRY(delta__protocol_readable(protocol, metadata, what, err));
    if (protocol->min_writer > 7) {
        silt_fail(err, SILT_CONFIG, "cannot write to \"%s\": its protocol asks for minWriterVersion %d, and the highest that is known is 7",
                  what, protocol->min_writer);
        return silt_code(err, "DELTA_INVALID_PROTOCOL_VERSION");
    }
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (delta__protocol_has(protocol, features[i].name) && features[i].unwritten && features[i].unwritten(metadata))
            add_name(&refused, features[i].name);
    for (int i = 0; protocol->min_writer >= 7 && i < protocol->writer_feature_count; i++)
        if (!find_feature(protocol->writer_features[i]))
            add_name(&refused, protocol->writer_features[i]);
    if (!refused.size)
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot write to \"%s\": the table needs writer features that are not supported: %s", what,
              str_buf_text(&refused));
    return silt_code(err, "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE");
}

/* ---- what a table needs ---- */

/* Features that the metadata uses, in order of the table above. */
static int used_features(const DeltaMetadata *metadata, const char **names)
{
    int count = 0;
    if (property_is(metadata, "delta.enableChangeDataFeed", "true"))
        names[count++] = "changeDataFeed";
    if (property_is(metadata, "delta.enableDeletionVectors", "true"))
        names[count++] = "deletionVectors";
    if (delta_mapping_on(metadata))
        names[count++] = "columnMapping";
    if (contains_kind(metadata->schema, TYPE_TIMESTAMP_NTZ))
        names[count++] = "timestampNtz";
    if (property_is(metadata, "delta.checkpointPolicy", "v2"))
        names[count++] = "v2Checkpoint";
    if (property_is(metadata, "delta.enableInCommitTimestamps", "true"))
        names[count++] = "inCommitTimestamp";
    if (property_is(metadata, "delta.enableTypeWidening", "true"))
        names[count++] = "typeWidening";
    if (contains_kind(metadata->schema, TYPE_VARIANT))
        names[count++] = "variantType";
    return count;
}

static bool already_covered(const DeltaProtocol *protocol, const char *name)
{
    char preview[64];
    snprintf(preview, sizeof preview, "%s-preview", name);
    return delta__protocol_has(protocol, name) || (protocol->min_writer >= 7 && delta__protocol_has(protocol, preview));
}

const DeltaProtocol *delta__protocol_for(Arena *arena, const DeltaProtocol *base, const DeltaMetadata *metadata)
{
    const char *used[FEATURE_COUNT];
    int used_count = used_features(metadata, used);
    DeltaProtocol *protocol = ARENA_NEW(arena, DeltaProtocol);
    *protocol = base ? *base : (DeltaProtocol){.min_reader = 1, .min_writer = 2};

    int legacy_writer = protocol->min_writer, legacy_reader = protocol->min_reader;
    bool by_name = protocol->min_writer >= 7;
    for (int i = 0; i < used_count; i++) {
        const Feature *feature = find_feature(used[i]);
        if (already_covered(protocol, used[i]))
            continue;
        if (!feature->legacy_writer)
            by_name = true;
        else if (feature->legacy_writer > legacy_writer)
            legacy_writer = feature->legacy_writer;
        if (feature->legacy_reader > legacy_reader)
            legacy_reader = feature->legacy_reader;
    }
    if (!by_name) {
        protocol->min_writer = legacy_writer;
        protocol->min_reader = legacy_reader;
        return protocol;
    }

    /* F3: all that the number so far implied, then what is new */
    const char **writer = ARENA_ARRAY(arena, const char *, FEATURE_COUNT + protocol->writer_feature_count);
    const char **reader = ARENA_ARRAY(arena, const char *, FEATURE_COUNT + protocol->reader_feature_count);
    int writer_count = 0, reader_count = 0;
    bool needs_reader = protocol->min_reader >= 3;
    if (protocol->min_writer < 7) {
        for (int i = 0; i < FEATURE_COUNT; i++)
            if (features[i].legacy_writer && features[i].legacy_writer <= protocol->min_writer)
                writer[writer_count++] = features[i].name;
    } else {
        for (int i = 0; i < protocol->writer_feature_count; i++)
            writer[writer_count++] = protocol->writer_features[i];
    }
    for (int i = 0; i < protocol->reader_feature_count; i++)
        reader[reader_count++] = protocol->reader_features[i];
    for (int i = 0; i < used_count; i++) {
        if (already_covered(protocol, used[i]))
            continue;
        writer[writer_count++] = used[i];
        if (find_feature(used[i])->for_readers)
            needs_reader = true;
    }
    if (needs_reader) /* each feature that readers must know stands in both lists */
        for (int i = 0; i < writer_count; i++) {
            const Feature *feature = find_feature(writer[i]);
            if (feature && feature->for_readers && !list_has(reader, reader_count, writer[i]) &&
                (protocol->min_reader >= 3 || !feature->legacy_reader || protocol->min_reader >= feature->legacy_reader))
                reader[reader_count++] = writer[i];
        }
    protocol->min_writer = 7;
    protocol->min_reader = needs_reader ? 3 : protocol->min_reader;
    protocol->writer_features = writer;
    protocol->writer_feature_count = writer_count;
    protocol->reader_features = reader;
    protocol->reader_feature_count = needs_reader ? reader_count : 0;
    return protocol;
}
