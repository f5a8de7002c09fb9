/* delta/action_print.c - the actions of the log, to JSON */
#include "delta/internal.h"

void delta__print_properties(JsonWriter *w, const DeltaProperty *properties, int count)
{
    json_object(w);
    for (int i = 0; i < count; i++)
        json_member(w, properties[i].key, properties[i].value);
    json_object_end(w);
}

static void print_names(JsonWriter *w, const char *key, const char *const *names, int count)
{
    json_key(w, key);
    json_array(w);
    for (int i = 0; i < count; i++)
        json_text(w, names[i]);
    json_array_end(w);
}

void delta__print_protocol(JsonWriter *w, const DeltaProtocol *protocol)
{
    json_object(w);
    json_member_int(w, "minReaderVersion", protocol->min_reader);
    json_member_int(w, "minWriterVersion", protocol->min_writer);
    if (protocol->min_reader >= 3)
        print_names(w, "readerFeatures", protocol->reader_features, protocol->reader_feature_count);
    if (protocol->min_writer >= 7)
        print_names(w, "writerFeatures", protocol->writer_features, protocol->writer_feature_count);
    json_object_end(w);
}

void delta__print_metadata(JsonWriter *w, const DeltaMetadata *metadata)
{
    silt_auto(str_buf_fini) StrBuf schema = {0};
    type_to_json(&schema, metadata->schema);

    json_object(w);
    json_member(w, "id", metadata->id);
    if (metadata->name)
        json_member(w, "name", metadata->name);
    if (metadata->description)
        json_member(w, "description", metadata->description);
    json_key(w, "format");
    json_raw(w, STR("{\"provider\":\"parquet\",\"options\":{}}"));
    json_key(w, "schemaString");
    json_text_str(w, str_buf_view(&schema));
    print_names(w, "partitionColumns", metadata->partition_columns, metadata->partition_count);
    json_key(w, "configuration");
    delta__print_properties(w, metadata->configuration, metadata->configuration_count);
    if (metadata->created_ms)
        json_member_int(w, "createdTime", metadata->created_ms);
    json_object_end(w);
}

void delta__print_vector(JsonWriter *w, const DeltaVector *vector)
{
    char storage[2] = {vector->storage, 0};
    json_object(w);
    json_member(w, "storageType", storage);
    json_member(w, "pathOrInlineDv", vector->path_or_inline);
    if (vector->offset >= 0)
        json_member_int(w, "offset", vector->offset);
    json_member_int(w, "sizeInBytes", vector->size_bytes);
    json_member_int(w, "cardinality", vector->cardinality);
    json_object_end(w);
}

void delta__print_txn(JsonWriter *w, const DeltaTxnVersion *txn)
{
    json_object(w);
    json_member(w, "appId", txn->app_id);
    json_member_int(w, "version", txn->version);
    if (txn->last_updated_ms >= 0)
        json_member_int(w, "lastUpdated", txn->last_updated_ms);
    json_object_end(w);
}

void delta__print_domain(JsonWriter *w, const DeltaDomain *domain)
{
    json_object(w);
    json_member(w, "domain", domain->domain);
    json_member(w, "configuration", domain->configuration);
    json_member_bool(w, "removed", false);
    json_object_end(w);
}

static void print_file_tail(JsonWriter *w, const char *tags, const DeltaVector *vector, int64_t base_row_id, int64_t row_commit_version)
{
    if (tags) {
        json_key(w, "tags");
        json_raw(w, str_of(tags));
    }
    if (vector) {
        json_key(w, "deletionVector");
        delta__print_vector(w, vector);
    }
    if (base_row_id >= 0)
        json_member_int(w, "baseRowId", base_row_id);
    if (row_commit_version >= 0)
        json_member_int(w, "defaultRowCommitVersion", row_commit_version);
}

void delta__print_add(JsonWriter *w, const DeltaFile *file, bool data_change)
{
    json_object(w);
    json_member(w, "path", file->path);
    json_key(w, "partitionValues");
    delta__print_properties(w, file->partition_values, file->partition_count);
    json_member_int(w, "size", file->size_bytes);
    json_member_int(w, "modificationTime", file->modified_ms);
    json_member_bool(w, "dataChange", data_change);
    print_file_tail(w, file->tags, file->vector, file->base_row_id, file->row_commit_version);
    if (file->clustering_provider)
        json_member(w, "clusteringProvider", file->clustering_provider);
    if (file->stats)
        json_member(w, "stats", file->stats);
    json_object_end(w);
}

void delta__print_remove(JsonWriter *w, const DeltaFile *file, bool data_change, int64_t deletion_ms)
{
    json_object(w);
    json_member(w, "path", file->path);
    json_member_int(w, "deletionTimestamp", deletion_ms);
    json_member_bool(w, "dataChange", data_change);
    json_member_bool(w, "extendedFileMetadata", true);
    json_key(w, "partitionValues");
    delta__print_properties(w, file->partition_values, file->partition_count);
    json_member_int(w, "size", file->size_bytes);
    print_file_tail(w, file->tags, file->vector, file->base_row_id, file->row_commit_version);
    if (file->stats)
        json_member(w, "stats", file->stats);
    json_object_end(w);
}

void delta__print_tombstone(JsonWriter *w, const DeltaRemove *file)
{
    json_object(w);
    json_member(w, "path", file->path);
    if (file->deletion_ms >= 0)
        json_member_int(w, "deletionTimestamp", file->deletion_ms);
    json_member_bool(w, "dataChange", false);
    json_member_bool(w, "extendedFileMetadata", file->has_partition_values && file->size_bytes >= 0);
    if (file->has_partition_values) {
        json_key(w, "partitionValues");
        delta__print_properties(w, file->partition_values, file->partition_count);
    }
    if (file->size_bytes >= 0)
        json_member_int(w, "size", file->size_bytes);
    print_file_tail(w, NULL, file->vector, file->base_row_id, file->row_commit_version);
    json_object_end(w);
}
