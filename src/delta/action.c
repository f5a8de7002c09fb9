/* delta/action.c - the actions of the log, from JSON */
#include "delta/internal.h"

#include <limits.h>
#include <string.h>

/* ---- the head: what wins when actions are replayed in order ---- */

void delta__head_txn(Head *head, const DeltaTxnVersion *txn)
{
    for (int i = 0; i < head->txn_count; i++)
        if (strcmp(head->txns[i].app_id, txn->app_id) == 0) {
            head->txns[i].version = txn->version;
            head->txns[i].last_updated_ms = txn->last_updated_ms;
            return;
        }
    DeltaTxnVersion copy = {arena_strdup(head->arena, txn->app_id), txn->version, txn->last_updated_ms};
    ARENA_PUSH(head->arena, head->txns, head->txn_count, head->txn_capacity, copy);
}

void delta__head_domain(Head *head, const char *domain, const char *configuration)
{
    for (int i = 0; i < head->domain_count; i++)
        if (strcmp(head->domains[i].domain, domain) == 0) {
            head->domains[i].configuration = arena_strdup(head->arena, configuration);
            return;
        }
    DeltaDomain copy = {arena_strdup(head->arena, domain), arena_strdup(head->arena, configuration)};
    ARENA_PUSH(head->arena, head->domains, head->domain_count, head->domain_capacity, copy);
}

/* ---- from JSON ---- */

int delta__no_nul(Str text, const char *member, const char *action, SiltErr *err)
{
    if (!memchr(text.ptr, 0, text.size))
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot read the character NUL (U+0000) in \"%s\" of an action \"%s\"", member, action);
    return silt_hint(err, "Another program wrote it, into a partition value, a path or a property. No folder and no option can hold it; let that program write another value.");
}

static int check_texts(const Json *json, const char *member, const char *action, SiltErr *err)
{
    if (json_kind(json) == JSON_STRING)
        return delta__no_nul(json_str(json, ""), member, action, err);
    for (int i = 0; i < json_size(json); i++) {
        if (json_kind(json) == JSON_OBJECT)
            SILT_TRY(delta__no_nul(json_member_key(json, i), member, action, err));
        SILT_TRY(check_texts(json_kind(json) == JSON_OBJECT ? json_member_value(json, i) : json_at(json, i), member, action, err));
    }
    return 0;
}

int delta__check_nul(const Json *body, Str text, const char *action, SiltErr *err)
{
    static const char escaped[] = "\\u0000";
    if (!memmem(text.ptr, text.size, escaped, sizeof escaped - 1)) /* JSON has no other way to write it */
        return 0;
    for (int i = 0; i < json_size(body); i++)
        SILT_TRY(check_texts(json_member_value(body, i), json_member_key(body, i).ptr, action, err));
    return 0;
}

static const char *copy_text(Arena *arena, const Json *json)
{
    return json_kind(json) == JSON_STRING ? arena_str(arena, json_str(json, "")).ptr : NULL;
}

static const char *copy_json(Arena *arena, const Json *json)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    if (json_is_null(json))
        return NULL;
    json_put(&text, json);
    return arena_str(arena, str_buf_view(&text)).ptr;
}

static const char **parse_names(Arena *arena, const Json *json, int *count)
{
    *count = json_size(json);
    if (!*count)
        return NULL;
    const char **names = ARENA_ARRAY(arena, const char *, *count);
    for (int i = 0; i < *count; i++) {
        names[i] = copy_text(arena, json_at(json, i));
        if (!names[i])
            names[i] = "";
    }
    return names;
}

DeltaProperty *delta__parse_properties(Arena *arena, const Json *json, int *count)
{
    *count = json_kind(json) == JSON_OBJECT ? json_size(json) : 0;
    if (!*count)
        return NULL;
    DeltaProperty *properties = ARENA_ARRAY(arena, DeltaProperty, *count);
    for (int i = 0; i < *count; i++) {
        properties[i].key = arena_str(arena, json_member_key(json, i)).ptr;
        properties[i].value = copy_text(arena, json_member_value(json, i));
    }
    return properties;
}

int delta__parse_protocol(Arena *arena, const Json *json, const DeltaProtocol **out, SiltErr *err)
{
    DeltaProtocol *protocol = ARENA_NEW(arena, DeltaProtocol);
    int64_t reader = json_int(json_get(json, "minReaderVersion"), -1), writer = json_int(json_get(json, "minWriterVersion"), -1);
    if (reader < 0 || writer < 0)
        return silt_fail(err, SILT_CORRUPT, "the protocol action lacks minReaderVersion or minWriterVersion");
    protocol->min_reader = reader < INT_MAX ? (int)reader : INT_MAX; /* whoever asks refuses it */
    protocol->min_writer = writer < INT_MAX ? (int)writer : INT_MAX;
    protocol->reader_features = parse_names(arena, json_get(json, "readerFeatures"), &protocol->reader_feature_count);
    protocol->writer_features = parse_names(arena, json_get(json, "writerFeatures"), &protocol->writer_feature_count);
    *out = protocol;
    return 0;
}

int delta__parse_metadata(Arena *arena, const Json *json, const DeltaMetadata **out, SiltErr *err)
{
    DeltaMetadata *metadata = ARENA_NEW(arena, DeltaMetadata);
    metadata->id = copy_text(arena, json_get(json, "id"));
    metadata->name = copy_text(arena, json_get(json, "name"));
    metadata->description = copy_text(arena, json_get(json, "description"));
    metadata->partition_columns = parse_names(arena, json_get(json, "partitionColumns"), &metadata->partition_count);
    metadata->configuration = delta__parse_properties(arena, json_get(json, "configuration"), &metadata->configuration_count);
    metadata->created_ms = json_int(json_get(json, "createdTime"), 0);
    const char *provider = json_cstr(json_get(json_get(json, "format"), "provider"), "parquet");
    if (strcmp(provider, "parquet") != 0)
        return silt_fail(err, SILT_CONFIG, "the table's data files have format \"%s\"; a Delta table holds parquet", provider);
    const Json *schema = json_get(json, "schemaString");
    if (!metadata->id)
        return silt_fail(err, SILT_CORRUPT, "the metaData action lacks id");
    if (json_is_null(schema)) /* to Spark a table without columns */
        metadata->schema = type_struct(arena, NULL, 0);
    else if (type_from_json(arena, json_str(schema, ""), &metadata->schema, err) < 0)
        return silt_context(err, "schema of the table: ");
    if (metadata->schema->kind != TYPE_STRUCT)
        return silt_fail(err, SILT_CORRUPT, "schema of the table: not a struct");
    for (int i = 0; i < metadata->schema->field_count; i++)
        if (type_has_empty_struct(metadata->schema->fields[i].type)) {
            silt_fail(err, SILT_CONFIG, "column \"%s\" of the table has a struct without fields, which is not supported", metadata->schema->fields[i].name);
            return silt_code(err, "UNSUPPORTED_DATATYPE");
        }
    for (int i = 0; i < metadata->partition_count; i++)
        if (type_field_index(metadata->schema, metadata->partition_columns[i], NULL) < 0)
            return silt_fail(err, SILT_CORRUPT, "partition column \"%s\" is not in the table's schema", metadata->partition_columns[i]);
    *out = metadata;
    return 0;
}

void delta__parse_txn(Arena *arena, const Json *json, DeltaTxnVersion *out)
{
    const char *app_id = copy_text(arena, json_get(json, "appId"));
    *out = (DeltaTxnVersion){app_id ? app_id : "", json_int(json_get(json, "version"), -1), json_int(json_get(json, "lastUpdated"), -1)};
}

const DeltaVector *delta__parse_vector(Arena *arena, const Json *json)
{
    if (json_kind(json) != JSON_OBJECT || json_is_null(json_get(json, "storageType")))
        return NULL;
    DeltaVector *vector = ARENA_NEW(arena, DeltaVector);
    vector->storage = json_cstr(json_get(json, "storageType"), "?")[0];
    vector->path_or_inline = copy_text(arena, json_get(json, "pathOrInlineDv"));
    if (!vector->path_or_inline)
        vector->path_or_inline = "";
    vector->offset = json_int(json_get(json, "offset"), -1);
    vector->size_bytes = json_int(json_get(json, "sizeInBytes"), -1);
    vector->cardinality = json_int(json_get(json, "cardinality"), -1);
    return vector;
}

static int parse_add(Arena *arena, const char *root, const Json *json, DeltaFile *out, SiltErr *err)
{
    const Json *path = json_get(json, "path");
    if (json_kind(path) != JSON_STRING)
        return silt_fail(err, SILT_CORRUPT, "an add action lacks path");
    *out = (DeltaFile){
        .path = copy_text(arena, path),
        .name = delta__path_name(arena, root, json_str(path, "")),
        .size_bytes = json_int(json_get(json, "size"), -1),
        .modified_ms = json_int(json_get(json, "modificationTime"), 0),
        .data_change = json_bool(json_get(json, "dataChange"), true),
        .stats = copy_text(arena, json_get(json, "stats")),
        .tags = copy_json(arena, json_get(json, "tags")),
        .vector = delta__parse_vector(arena, json_get(json, "deletionVector")),
        .base_row_id = json_int(json_get(json, "baseRowId"), -1),
        .row_commit_version = json_int(json_get(json, "defaultRowCommitVersion"), -1),
        .clustering_provider = copy_text(arena, json_get(json, "clusteringProvider")),
    };
    out->partition_values = delta__parse_properties(arena, json_get(json, "partitionValues"), &out->partition_count);
    return 0;
}

static int parse_remove(Arena *arena, const char *root, const Json *json, DeltaRemove *out, SiltErr *err)
{
    const Json *path = json_get(json, "path");
    if (json_kind(path) != JSON_STRING)
        return silt_fail(err, SILT_CORRUPT, "a remove action lacks path");
    *out = (DeltaRemove){
        .path = copy_text(arena, path),
        .name = delta__path_name(arena, root, json_str(path, "")),
        .data_change = json_bool(json_get(json, "dataChange"), true),
        .size_bytes = json_int(json_get(json, "size"), -1),
        .deletion_ms = json_int(json_get(json, "deletionTimestamp"), -1),
        .vector = delta__parse_vector(arena, json_get(json, "deletionVector")),
        .base_row_id = json_int(json_get(json, "baseRowId"), -1),
        .row_commit_version = json_int(json_get(json, "defaultRowCommitVersion"), -1),
        .has_partition_values = json_kind(json_get(json, "partitionValues")) == JSON_OBJECT,
    };
    out->partition_values = delta__parse_properties(arena, json_get(json, "partitionValues"), &out->partition_count);
    return 0;
}

/* State while one commit is read; each line adds to it. */
struct parse {
    Arena *arena;
    const char *root;
    DeltaCommit *commit;
    int add_capacity, remove_capacity, txn_capacity, domain_capacity;
};

static int parse_action(struct parse *p, const Json *action, Str line, SiltErr *err)
{
    DeltaCommit *commit = p->commit;
    for (int i = 0; i < json_size(action); i++) {
        Str kind = json_member_key(action, i);
        const Json *body = json_member_value(action, i);
        if (json_kind(body) != JSON_OBJECT)
            continue;
        if (!str_is(kind, "commitInfo")) /* which is kept as JSON */
            SILT_TRY(delta__check_nul(body, line, kind.ptr, err));
        if (str_is(kind, "add")) {
            DeltaFile file;
            SILT_TRY(parse_add(p->arena, p->root, body, &file, err));
            ARENA_PUSH(p->arena, commit->adds, commit->add_count, p->add_capacity, file);
        } else if (str_is(kind, "remove")) {
            DeltaRemove file;
            SILT_TRY(parse_remove(p->arena, p->root, body, &file, err));
            ARENA_PUSH(p->arena, commit->removes, commit->remove_count, p->remove_capacity, file);
        } else if (str_is(kind, "txn")) {
            DeltaTxnVersion txn;
            delta__parse_txn(p->arena, body, &txn);
            ARENA_PUSH(p->arena, commit->txns, commit->txn_count, p->txn_capacity, txn);
        } else if (str_is(kind, "metaData")) {
            SILT_TRY(delta__parse_metadata(p->arena, body, &commit->metadata, err));
        } else if (str_is(kind, "protocol")) {
            SILT_TRY(delta__parse_protocol(p->arena, body, &commit->protocol, err));
        } else if (str_is(kind, "domainMetadata")) {
            DeltaDomain domain = {copy_text(p->arena, json_get(body, "domain")), NULL};
            if (!domain.domain)
                return silt_fail(err, SILT_CORRUPT, "a domainMetadata action lacks domain");
            if (!json_bool(json_get(body, "removed"), false)) {
                domain.configuration = copy_text(p->arena, json_get(body, "configuration"));
                if (!domain.configuration)
                    domain.configuration = "";
            }
            ARENA_PUSH(p->arena, commit->domains, commit->domain_count, p->domain_capacity, domain);
        } else if (str_is(kind, "cdc")) {
            commit->cdc_count++;
        } else if (str_is(kind, "commitInfo")) {
            commit->has_commit_info = true;
            commit->operation = copy_text(p->arena, json_get(body, "operation"));
            commit->txn_id = copy_text(p->arena, json_get(body, "txnId"));
            commit->is_blind_append = json_bool(json_get(body, "isBlindAppend"), false);
            commit->in_commit_ms = json_int(json_get(body, "inCommitTimestamp"), -1);
            commit->commit_info = copy_json(p->arena, body);
        }
        /* anything else is for readers that know it */
    }
    return 0;
}

int delta__parse_commit(Arena *arena, const char *root, Str text, const char *what, int64_t version, DeltaCommit *out, SiltErr *err)
{
    *out = (DeltaCommit){.version = version, .timestamp_ms = -1, .in_commit_ms = -1};
    struct parse p = {.arena = arena, .root = root, .commit = out};
    Arena *scratch = arena_new();
    int r = 0, line_number = 0, action_count = 0;
    while (text.size && r == 0) {
        const char *newline = memchr(text.ptr, '\n', text.size);
        Str line = {text.ptr, newline ? (size_t)(newline - text.ptr) : text.size};
        size_t skip = line.size + (newline ? 1 : 0);
        text.ptr += skip;
        text.size -= skip;
        line_number++;
        line = str_trim(line);
        if (!line.size)
            continue;
        const Json *action;
        r = json_parse(scratch, line, &action, err);
        if (r == 0 && json_kind(action) != JSON_OBJECT)
            r = silt_fail(err, SILT_CORRUPT, "not a JSON object");
        if (r == 0)
            r = parse_action(&p, action, line, err);
        action_count++;
        if (arena_size(scratch) > 1 << 20)
            arena_reset(scratch);
    }
    arena_free(scratch);
    if (r == 0 && !action_count) {
        r = silt_fail(err, SILT_CORRUPT, "the file is empty");
        line_number = 0;
    }
    if (r < 0) {
        if (err && err->kind != SILT_CONFIG)
            err->kind = SILT_CORRUPT;
        silt_context(err, "commit %lld (%s), line %d: ", (long long)version, what, line_number);
        if (err && err->kind == SILT_CORRUPT && version > 0)
            silt_hint(err,
                      "The file is empty or cut off, or its writer made a mistake. Versions up to %lld can still be read by naming the "
                      "version. If "
                      "the writer confirms that its commit did not succeed, moving the file away brings the table back to version %lld.",
                      (long long)version - 1, (long long)version - 1);
        return -1;
    }
    if (out->in_commit_ms >= 0)
        out->timestamp_ms = out->in_commit_ms;
    return 0;
}
