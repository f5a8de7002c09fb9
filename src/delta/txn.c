/*
 * delta/txn.c - one change of a table, from collected actions to one version of the log
 *
 *   X1  A version is made by put-if-absent only; what another writer put is never touched.
 *   X2  An attempt that ended without a clear answer is settled by the txnId in the log, never by trying again blindly.
 *   X3  The first line is commitInfo, and isBlindAppend in it is true exactly when nothing was read and nothing removed.
 */
#include "delta/txn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/uri.h"
#include "delta/internal.h"
#include "delta/mapping.h"

#ifndef SILT_VERSION
#define SILT_VERSION "0"
#endif

#define MAPPING_MODE "delta.columnMapping.mode"
#define MAPPING_MAX_ID "delta.columnMapping.maxColumnId"

enum {
    ATTEMPTS_MAX = 10000,     /* lost races; each means that another writer got on */
    ATTEMPTS_EAGER = 3,       /* lost races before we wait between attempts */
    CHECKPOINT_INTERVAL = 10, /* as Spark */
};

struct DeltaTxn {
    DeltaTable *table;
    const DeltaSnapshot *base; /* NULL: a new table */
    Arena *arena;
    const DeltaMetadata *metadata; /* after the commit; NULL: none yet */
    bool metadata_changed;

    DeltaFile *adds;
    int add_count, add_capacity;
    int64_t rows, size_bytes;
    const DeltaFile *const *removes; /* of the base snapshot */
    int64_t remove_count;
    bool reads_table;
    bool replaces;   /* all files of before go */
    bool rearranges; /* the same rows in other files */

    DeltaTxnVersion *txns;
    int txn_count, txn_capacity;
    const char *operation;
    DeltaProperty *parameters;
    int parameter_count, parameter_capacity;
    DeltaProperty *metrics;
    int metric_count, metric_capacity;
    Str read_sources;
    char txn_id[37];
};

int delta_txn_begin(DeltaTable *table, DeltaTxn **out, SiltErr *err)
{
    const DeltaSnapshot *base = delta_table_snapshot(table);
    if (base)
        SILT_TRY(delta__protocol_writable(base->protocol, base->metadata, table->root, err));
    DeltaTxn *txn = silt_alloc(sizeof *txn);
    txn->table = table;
    txn->arena = arena_new();
    if (base) {
        txn->base = delta_snapshot_ref(base);
        txn->metadata = base->metadata;
    }
    txn->operation = "WRITE";
    io_uuid(table->env.io, txn->txn_id);
    *out = txn;
    return 0;
}

void delta_txn_free(DeltaTxn *txn)
{
    if (!txn)
        return;
    delta_snapshot_unref(txn->base);
    arena_free(txn->arena);
    free(txn);
}

void delta_txn_freep(DeltaTxn **txn)
{
    delta_txn_free(*txn);
}

const DeltaSnapshot *delta_txn_snapshot(const DeltaTxn *txn)
{
    return txn->base;
}

const DeltaMetadata *delta_txn_metadata(const DeltaTxn *txn)
{
    return txn->metadata;
}

/* ---- metadata ---- */

/* With column mapping: ids and physical names for fields that have none (M1, M2 of mapping.h). base NULL: a new table. */
static int map_columns(DeltaTxn *txn, const DeltaMetadata *base, DeltaMetadata *made, SiltErr *err)
{
    Arena *arena = txn->arena;
    const char *was = base ? delta__property(base->configuration, base->configuration_count, MAPPING_MODE) : NULL;
    const char *is = delta__property(made->configuration, made->configuration_count, MAPPING_MODE);
    int64_t max_id = base ? delta_mapping_max_id(base) : 0;
    int at = 0;

    if (base && strcasecmp(was ? was : "none", is ? is : "none") != 0 && (delta_mapping_on(base) || strcasecmp(is, "name") != 0)) {
        silt_fail(err, SILT_CONFIG, "column mapping of \"%s\" cannot be changed from '%s' to '%s'", txn->table->root, was ? was : "none",
                  is ? is : "none");
        silt_code(err, "DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE");
        return silt_hint(err, "A table that has none can be given 'name'.");
    }
    if (!delta_mapping_on(made))
        return 0;
    made->schema = delta_mapping_assign(arena, txn->table->env.io, base ? base->schema : NULL, made->schema, &max_id);
    DeltaProperty *properties = ARENA_ARRAY(arena, DeltaProperty, made->configuration_count + 1);
    for (; at < made->configuration_count && strcmp(made->configuration[at].key, MAPPING_MAX_ID) != 0; at++)
        ;
    for (int i = 0; i < made->configuration_count; i++)
        properties[i] = made->configuration[i];
    properties[at] = (DeltaProperty){MAPPING_MAX_ID, arena_printf(arena, "%lld", (long long)max_id)};
    made->configuration_count += at == made->configuration_count;
    made->configuration = properties;
    return 0;
}

int delta_txn_create(DeltaTxn *txn, const DeltaMetadata *metadata, SiltErr *err)
{
    silt_assert(!txn->base);
    DeltaMetadata made = *metadata;
    char id[37];
    if (!made.id) {
        io_uuid(txn->table->env.io, id);
        made.id = id;
    }
    if (!made.created_ms)
        made.created_ms = io_now_us(txn->table->env.io) / 1000;
    SILT_TRY(delta__metadata_check(txn->arena, NULL, &made, err));
    SILT_TRY(map_columns(txn, NULL, &made, err));
    txn->metadata = delta__metadata_copy(txn->arena, &made);
    txn->metadata_changed = true;
    if (strcmp(txn->operation, "WRITE") == 0)
        txn->operation = "CREATE TABLE";
    return 0;
}

static int set_metadata(DeltaTxn *txn, const DeltaMetadata *metadata, bool mapped, SiltErr *err)
{
    silt_assert(txn->metadata);
    DeltaMetadata made = *metadata;
    made.id = txn->metadata->id;
    made.created_ms = txn->metadata->created_ms;
    SILT_TRY(delta__metadata_check(txn->arena, txn->metadata, &made, err));
    if (!mapped)
        SILT_TRY(map_columns(txn, txn->metadata, &made, err));
    txn->metadata = delta__metadata_copy(txn->arena, &made);
    txn->metadata_changed = true;
    return 0;
}

int delta_txn_set_metadata(DeltaTxn *txn, const DeltaMetadata *metadata, SiltErr *err)
{
    return set_metadata(txn, metadata, false, err);
}

int delta__txn_set_mapped(DeltaTxn *txn, const DeltaMetadata *metadata, SiltErr *err)
{
    return set_metadata(txn, metadata, true, err);
}

int delta_txn_add_columns(DeltaTxn *txn, const TypeField *fields, int field_count, SiltErr *err)
{
    silt_assert(txn->metadata);
    const Type *schema = txn->metadata->schema;
    TypeField *all = ARENA_ARRAY(txn->arena, TypeField, schema->field_count + field_count);
    for (int i = 0; i < schema->field_count; i++)
        all[i] = schema->fields[i];
    for (int i = 0; i < field_count; i++) {
        if (!fields[i].nullable) {
            silt_fail(err, SILT_CONFIG, "cannot add column \"%s\" as NOT NULL: the rows that are there have no value for it",
                      fields[i].name);
            return silt_code(err, "DELTA_ADD_NOT_NULL_COLUMN");
        }
        all[schema->field_count + i] = fields[i];
    }
    DeltaMetadata made = *txn->metadata;
    made.schema = type_struct(txn->arena, all, schema->field_count + field_count);
    if (strcmp(txn->operation, "WRITE") == 0)
        txn->operation = "ADD COLUMNS";
    return delta_txn_set_metadata(txn, &made, err);
}

/* ---- files ---- */

static const TypeField *partition_field(const DeltaMetadata *metadata, int index)
{
    return &metadata->schema->fields[type_field_index(metadata->schema, metadata->partition_columns[index], NULL)];
}

/* A folder of two characters by chance: names and values of columns do not show in folders where the columns are mapped, as with Spark. */
static void random_folder(DeltaTxn *txn, StrBuf *folder)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    uint8_t chance[2];

    io_random(txn->table->env.io, chance, sizeof chance);
    for (int i = 0; i < 2; i++)
        str_buf_putc(folder, characters[chance[i] % (sizeof characters - 1)]);
    str_buf_putc(folder, '/');
}

/* Rows with NULL in a column or a field of a struct that is NOT NULL; as in Spark a field is NULL too where its struct is. path: of the struct. */
static int check_fields_not_null(const DeltaTxn *txn, const DuckWrittenFile *file, const Type *type, const char *path, const char *shown, SiltErr *err)
{
    for (int i = 0; i < type->field_count; i++) {
        const TypeField *field = &type->fields[i];
        const char *at = arena_printf(txn->arena, "%s%s", path, delta_mapping_name(txn->arena, txn->metadata, field));
        const char *name = arena_printf(txn->arena, "%s%s", shown, field->name);
        if (field->type->kind == TYPE_STRUCT)
            SILT_TRY(check_fields_not_null(txn, file, field->type, arena_printf(txn->arena, "%s\x1f", at), arena_printf(txn->arena, "%s.", name), err));
        if (field->nullable || field->type->kind >= TYPE_VARIANT) /* whoever made the rows answers for these: a file does not tell */
            continue;
        for (int j = 0; j < file->stats_count; j++)
            if (strcmp(file->stats[j].path, at) == 0 && file->stats[j].null_count > 0) {
                silt_fail(err, SILT_INPUT, "column \"%s\" of \"%s\" is NOT NULL, and %lld rows have NULL in it", name, txn->table->root,
                          (long long)file->stats[j].null_count);
                return silt_code(err, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED");
            }
    }
    return 0;
}

/* Partition values of a written file, and the folders that they make (P3), to the end of folder. */
static int partition_of(DeltaTxn *txn, const DuckWrittenFile *written, DeltaFile *file, StrBuf *folder, SiltErr *err)
{
    const DeltaMetadata *metadata = txn->metadata;
    enum { NAME_BYTES_MAX = 255 }; /* of one folder, on the usual file systems */
    bool too_long = false;

    file->partition_count = metadata->partition_count;
    if (metadata->partition_count)
        file->partition_values = ARENA_ARRAY(txn->arena, DeltaProperty, metadata->partition_count);
    for (int i = 0; i < metadata->partition_count; i++) {
        const TypeField *field = partition_field(metadata, i);
        const char *value = delta__partition_text(txn->arena, field->type, written->partition_values[i]);
        if (!value && !field->nullable) {
            silt_fail(err, SILT_INPUT, "partition column \"%s\" of \"%s\" is NOT NULL, and there are rows with NULL or '' in it",
                      metadata->partition_columns[i], txn->table->root);
            return silt_code(err, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED");
        }
        file->partition_values[i] = (DeltaProperty){delta_mapping_name(txn->arena, metadata, field), value};
        Str text = str_of(value);
        size_t before = folder->size;
        partition_folder(folder, str_of(metadata->partition_columns[i]), value ? &text : NULL);
        too_long |= folder->size - before > NAME_BYTES_MAX;
        str_buf_putc(folder, '/');
    }
    if (delta_mapping_on(metadata)) {
        str_buf_clear(folder);
        random_folder(txn, folder);
    } else if (too_long) { /* the value counts, not the folder: any place in the table is right */
        str_buf_clear(folder);
        str_buf_puts(folder, "long/");
    }
    return 0;
}

int delta_txn_add_files(DeltaTxn *txn, const DuckWrittenFile *files, int file_count, const char *compression, SiltErr *err)
{
    silt_assert(txn->metadata);
    silt_auto(arena_freep) Arena *scratch = arena_new();
    silt_auto(str_buf_fini) StrBuf name = {0};
    silt_auto(str_buf_fini) StrBuf stats = {0};
    const DeltaMetadata *metadata = txn->metadata;
    StatsOptions options = delta__stats_options(metadata);
    bool plain = !compression || strcmp(compression, "uncompressed") == 0;
    bool tight_bounds = txn->base && delta__protocol_has(txn->base->protocol, "deletionVectors");
    int64_t now_ms = io_now_us(txn->table->env.io) / 1000;

    if (!file_count)
        return 0;
    IoPutFile *puts = ARENA_ARRAY(scratch, IoPutFile, file_count);
    for (int i = 0; i < file_count; i++) {
        DeltaFile file = {
            .size_bytes = files[i].size_bytes, .modified_ms = now_ms, .data_change = !txn->rearranges, .base_row_id = -1, .row_commit_version = -1};
        char uuid[37];
        SILT_TRY(check_fields_not_null(txn, &files[i], metadata->schema, "", "", err));
        str_buf_clear(&name);
        SILT_TRY(partition_of(txn, &files[i], &file, &name, err));
        io_uuid(txn->table->env.io, uuid);
        str_buf_printf(&name, "part-%05d-%s%cc000%s%s.parquet", txn->add_count, uuid, metadata->partition_count ? '.' : '-',
                       plain ? "" : ".", plain ? "" : compression);
        file.name = arena_str(txn->arena, str_buf_view(&name)).ptr;
        file.path = delta__path_encode(txn->arena, str_buf_view(&name));
        str_buf_clear(&stats);
        delta__stats_print(&stats, metadata, &options, tight_bounds, &files[i]);
        file.stats = arena_str(txn->arena, str_buf_view(&stats)).ptr;
        puts[i] = (IoPutFile){files[i].local_path, delta_file_path(scratch, txn->table, &file)};
        ARENA_PUSH(txn->arena, txn->adds, txn->add_count, txn->add_capacity, file);
        txn->rows += files[i].rows;
        txn->size_bytes += files[i].size_bytes;
    }
    return io_put_files(txn->table->env.io, puts, file_count, err);
}

/* Rows are going to be removed: may they? */
static int check_removable(const DeltaTxn *txn, SiltErr *err)
{
    const char *append_only = delta_snapshot_property(txn->base, "delta.appendOnly");

    if (txn->remove_count && !txn->rearranges && append_only && strcasecmp(append_only, "true") == 0) {
        silt_fail(err, SILT_CONFIG, "\"%s\" allows appends only (delta.appendOnly), so its rows cannot be replaced", txn->table->root);
        return silt_code(err, "DELTA_CANNOT_MODIFY_APPEND_ONLY");
    }
    return 0;
}

void delta_txn_read_all(DeltaTxn *txn)
{
    txn->reads_table = true;
}

int delta_txn_remove_all(DeltaTxn *txn, SiltErr *err)
{
    if (!txn->base)
        return 0;
    SILT_TRY(delta_snapshot_files(txn->base, &txn->removes, &txn->remove_count, err));
    txn->reads_table = true;
    txn->replaces = true;
    return check_removable(txn, err);
}

int delta_txn_remove_files(DeltaTxn *txn, const DeltaFile *const *files, int64_t count, SiltErr *err)
{
    silt_assert(txn->base && !txn->remove_count);
    txn->removes = files;
    txn->remove_count = count;
    return check_removable(txn, err);
}

void delta_txn_rearrange(DeltaTxn *txn)
{
    silt_assert(!txn->add_count && !txn->remove_count);
    txn->rearranges = true;
}

void delta_txn_set_txn(DeltaTxn *txn, const char *app_id, int64_t version)
{
    DeltaTxnVersion action = {arena_strdup(txn->arena, app_id), version, io_now_us(txn->table->env.io) / 1000};
    ARENA_PUSH(txn->arena, txn->txns, txn->txn_count, txn->txn_capacity, action);
}

void delta_txn_operation(DeltaTxn *txn, const char *operation)
{
    txn->operation = arena_strdup(txn->arena, operation);
}

void delta_txn_parameter(DeltaTxn *txn, const char *key, const char *value)
{
    DeltaProperty parameter = {arena_strdup(txn->arena, key), arena_strdup(txn->arena, value)};
    ARENA_PUSH(txn->arena, txn->parameters, txn->parameter_count, txn->parameter_capacity, parameter);
}

void delta_txn_metric(DeltaTxn *txn, const char *key, int64_t value)
{
    DeltaProperty metric = {arena_strdup(txn->arena, key), arena_printf(txn->arena, "%lld", (long long)value)};
    ARENA_PUSH(txn->arena, txn->metrics, txn->metric_count, txn->metric_capacity, metric);
}

void delta_txn_read_sources(DeltaTxn *txn, Str json)
{
    txn->read_sources = arena_str(txn->arena, json);
}

/* ---- the text of a commit ---- */

static int64_t removed_bytes(const DeltaTxn *txn)
{
    int64_t total = 0;
    for (int64_t i = 0; i < txn->remove_count; i++)
        total += txn->removes[i]->size_bytes > 0 ? txn->removes[i]->size_bytes : 0;
    return total;
}

static void put_metric(JsonWriter *w, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    json_member(w, key, text);
}

/* Spark's metrics of the same operation: all are texts. */
static void print_metrics(const DeltaTxn *txn, JsonWriter *w)
{
    bool streaming = strcmp(txn->operation, "STREAMING UPDATE") == 0;
    json_object(w);
    if (streaming) {
        put_metric(w, "numRemovedFiles", txn->remove_count);
        put_metric(w, "numAddedFiles", txn->add_count);
    } else if (txn->add_count || txn->remove_count || strcmp(txn->operation, "WRITE") == 0) {
        put_metric(w, "numFiles", txn->add_count);
        if (txn->reads_table) {
            put_metric(w, "numRemovedFiles", txn->remove_count);
            put_metric(w, "numRemovedBytes", removed_bytes(txn));
        }
    }
    if (streaming || txn->add_count || txn->remove_count || strcmp(txn->operation, "WRITE") == 0) {
        put_metric(w, "numOutputRows", txn->rows);
        put_metric(w, "numOutputBytes", txn->size_bytes);
    }
    for (int i = 0; i < txn->metric_count; i++)
        json_member(w, txn->metrics[i].key, txn->metrics[i].value);
    json_object_end(w);
}

static bool is_blind(const DeltaTxn *txn)
{
    return !txn->reads_table && !txn->remove_count;
}

static void print_commit_info(const DeltaTxn *txn, JsonWriter *w, int64_t now_ms, int64_t in_commit_ms)
{
    json_object(w);
    if (in_commit_ms >= 0)
        json_member_int(w, "inCommitTimestamp", in_commit_ms);
    json_member_int(w, "timestamp", now_ms);
    json_member(w, "operation", txn->operation);
    json_key(w, "operationParameters");
    delta__print_properties(w, txn->parameters, txn->parameter_count);
    if (txn->base)
        json_member_int(w, "readVersion", txn->base->version);
    json_member(w, "isolationLevel", "Serializable");
    json_member_bool(w, "isBlindAppend", is_blind(txn));
    json_key(w, "operationMetrics");
    print_metrics(txn, w);
    json_member(w, "engineInfo", "Silt/" SILT_VERSION);
    json_member(w, "txnId", txn->txn_id);
    if (txn->read_sources.size) {
        json_key(w, "readSources");
        json_raw(w, txn->read_sources);
    }
    json_object_end(w);
}

/* One action on its own line: `print` writes the object below its name. */
#define LINE(text, name, print)                                                                                                            \
    do {                                                                                                                                   \
        JsonWriter w = {.out = text};                                                                                                      \
        json_object(&w);                                                                                                                   \
        json_key(&w, name);                                                                                                                \
        print;                                                                                                                             \
        json_object_end(&w);                                                                                                               \
        str_buf_putc(text, '\n');                                                                                                          \
    } while (0)

static void print_commit(const DeltaTxn *txn, const DeltaProtocol *protocol, int64_t now_ms, int64_t in_commit_ms, StrBuf *out)
{
    LINE(out, "commitInfo", print_commit_info(txn, &w, now_ms, in_commit_ms));
    if (txn->metadata_changed)
        LINE(out, "metaData", delta__print_metadata(&w, txn->metadata));
    if (protocol)
        LINE(out, "protocol", delta__print_protocol(&w, protocol));
    for (int i = 0; i < txn->txn_count; i++)
        LINE(out, "txn", delta__print_txn(&w, &txn->txns[i]));
    for (int64_t i = 0; i < txn->remove_count; i++)
        LINE(out, "remove", delta__print_remove(&w, txn->removes[i], !txn->rearranges, now_ms));
    for (int i = 0; i < txn->add_count; i++)
        LINE(out, "add", delta__print_add(&w, &txn->adds[i], txn->adds[i].data_change));
}

/* ---- committing ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static DeltaIntent intent_of(DeltaTxn *txn, const DeltaProtocol *protocol)
{
    DeltaIntent intent = {
        .changes_protocol = protocol != NULL,
        .changes_metadata = txn->metadata_changed,
        .reads_table = txn->reads_table,
        .is_blind_append = is_blind(txn),
        .only_rearranges = txn->rearranges,
        .removed_count = (int)txn->remove_count,
        .app_id_count = txn->txn_count,
    };
    if (txn->txn_count)
        intent.app_ids = ARENA_ARRAY(txn->arena, const char *, txn->txn_count);
    for (int i = 0; i < txn->txn_count; i++)
        intent.app_ids[i] = txn->txns[i].app_id;
    if (txn->remove_count) {
        intent.removed = ARENA_ARRAY(txn->arena, const char *, txn->remove_count);
        for (int64_t i = 0; i < txn->remove_count; i++)
            intent.removed[i] = txn->removes[i]->name;
        qsort(intent.removed, (size_t)txn->remove_count, sizeof *intent.removed, compare_names);
    }
    return intent;
}

static bool uses_in_commit_times(const DeltaMetadata *metadata)
{
    const char *on = delta__property(metadata->configuration, metadata->configuration_count, "delta.enableInCommitTimestamps");
    return on && strcasecmp(on, "true") == 0;
}

/* Apply a commit to the handle when it is the next one; a handle that was refreshed meanwhile has it already. */
static int apply(DeltaTable *table, const DeltaCommit *commit, SiltErr *err)
{
    int64_t newest = table->newest ? table->newest->head.version : -1;
    if (commit->version <= newest)
        return 0;
    silt_assert(commit->version == newest + 1);
    return delta__table_applied(table, commit, err);
}

/* What became of an attempt. */
enum { WON = 0, LOST = 1 };

/*
 * X2: the version exists, or the store gave no clear answer. Read it: ours (WON), another's (LOST, *winner in arena), not
 * there (< 0, as `failure` says), or unreadable (< 0, unknown).
 */
static int settle(DeltaTxn *txn, int64_t version, Str content, bool unclear, const SiltErr *failure, Arena *arena,
                  const DeltaCommit **winner, SiltErr *err)
{
    DeltaTable *table = txn->table;
    int r = delta_commit_read(table, version, arena, winner, err);
    if (r == DELTA_ABSENT && unclear) {
        if (err)
            *err = *failure;
        return silt_context(err, "could not commit version %lld of \"%s\": ", (long long)version, table->root);
    }
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the store of \"%s\" says that version %lld exists and that it does not", table->root,
                         (long long)version);
    if (r < 0) {
        if (err)
            err->kind = SILT_TRANSIENT;
        return unclear ? silt_context(err, "it is unknown whether version %lld of \"%s\" was committed: ", (long long)version, table->root)
                       : silt_context(err, "could not read the commit that came before ours: ");
    }
    if (!(*winner)->txn_id || strcmp((*winner)->txn_id, txn->txn_id) != 0)
        return LOST;
    if (unclear) { /* it is there, but a power cut might still take it: what follows is built on it */
        r = io_sync(table->env.io, delta__commit_path(arena, table, version), err);
        if (r == IO_ABSENT)
            r = silt_fail(err, SILT_TRANSIENT, "it is gone");
        if (r < 0)
            return silt_context(err, "version %lld of \"%s\" was committed, but it is unknown whether durably: ", (long long)version, table->root);
    }
    return WON;
}

/* All commits that came before ours since `version`, each asked whether it allows ours. *version is then free. */
static int pass_winners(DeltaTxn *txn, const DeltaIntent *intent, const DeltaCommit *first, int64_t *version,
                        const DeltaProtocol **protocol, const DeltaMetadata **metadata, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const DeltaCommit *winner = first;
    for (;;) {
        int r = delta__conflict(intent, winner, *protocol, err);
        if (r)
            return r;
        if (winner->protocol)
            *protocol = delta__protocol_copy(txn->arena, winner->protocol);
        if (winner->metadata)
            *metadata = delta__metadata_copy(txn->arena, winner->metadata);
        SILT_TRY(apply(txn->table, winner, err));
        ++*version;
        arena_reset(arena);
        r = delta_commit_read(txn->table, *version, arena, &winner, err);
        if (r == DELTA_ABSENT)
            return 0;
        SILT_TRY(r);
    }
}

static void checkpoint_if_due(DeltaTable *table, int64_t version)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    const char *text = delta_snapshot_property(snapshot, "delta.checkpointInterval");
    int64_t interval = table->env.checkpoint_interval ? table->env.checkpoint_interval : CHECKPOINT_INTERVAL;
    SiltErr err;

    if (text && (!str_to_int64(str_of(text), &interval) || interval < 1))
        interval = CHECKPOINT_INTERVAL;
    if (interval < 1 || version == 0 || version % interval != 0 || snapshot->version != version)
        return;
    if (delta__checkpoint_write(snapshot, &err) < 0)
        delta__warn(table, "could not write the checkpoint of version %lld of \"%s\": %s", (long long)version, table->root, err.message);
}

static int won(DeltaTxn *txn, int64_t version, Str content, int64_t now_ms, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    DeltaCommit commit;
    SILT_TRY(delta__parse_commit(arena, txn->table->root, content, "just committed", version, &commit, err));
    if (commit.timestamp_ms < 0)
        commit.timestamp_ms = now_ms;
    SILT_TRY(apply(txn->table, &commit, err));
    checkpoint_if_due(txn->table, version);
    return 0;
}

static void back_off(Io *io, int attempt)
{
    if (attempt < ATTEMPTS_EAGER)
        return;
    uint8_t chance;
    io_random(io, &chance, sizeof chance);
    io_sleep_ms(io, 1 + chance % (attempt < 16 ? 4 * attempt : 64));
}

/* The preview notes the version of each change, which readers of that time look for; it is not known before the commit has won. */
static int check_preview(const DeltaTxn *txn, SiltErr *err)
{
    if (!txn->base || !txn->metadata_changed || txn->replaces || delta__only_widened(txn->metadata->schema, txn->base->metadata->schema) ||
        !delta__protocol_has(txn->base->protocol, "typeWidening-preview") || delta__protocol_has(txn->base->protocol, "typeWidening"))
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot change types of columns of \"%s\": the table has the feature typeWidening-preview, not typeWidening", txn->table->root);
    silt_code(err, "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE");
    return silt_hint(err, "With Spark: ALTER TABLE .. DROP FEATURE `typeWidening-preview`, and then set delta.enableTypeWidening again.");
}

int delta_txn_commit(DeltaTxn *txn, int64_t *version, SiltErr *err)
{
    DeltaTable *table = txn->table;
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *scratch = arena_new();

    silt_assert(txn->metadata);
    silt_assert(!txn->base || txn->replaces || delta__only_widened(txn->base->metadata->schema, txn->metadata->schema));
    SILT_TRY(check_preview(txn, err));
    const DeltaProtocol *base_protocol = txn->base ? txn->base->protocol : NULL;
    const DeltaProtocol *needed = txn->metadata_changed ? delta__protocol_for(txn->arena, base_protocol, txn->metadata) : base_protocol;
    SILT_TRY(delta__protocol_writable(needed, txn->metadata, table->root, err));
    const DeltaProtocol *change = base_protocol && delta__protocol_equal(base_protocol, needed) ? NULL : needed;
    DeltaIntent intent = intent_of(txn, change);

    int64_t next = txn->base ? txn->base->version + 1 : 0;
    const DeltaProtocol *protocol = needed; /* in force before ours; moves on over winners */
    const DeltaMetadata *metadata = txn->metadata;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        SiltErr failure;
        const DeltaCommit *winner;
        int64_t now_ms = io_now_us(table->env.io) / 1000, in_commit_ms = -1;
        if (uses_in_commit_times(metadata)) {
            int64_t previous = table->newest ? table->newest->head.timestamp_ms : -1;
            in_commit_ms = now_ms > previous ? now_ms : previous + 1;
        }
        str_buf_clear(&text);
        print_commit(txn, change, now_ms, in_commit_ms, &text);

        int r = io_put_if_absent(table->env.io, delta__commit_path(scratch, table, next), str_buf_view(&text), &failure);
        if (r != 0)
            r = settle(txn, next, str_buf_view(&text), r < 0, &failure, scratch, &winner, err);
        if (r < 0)
            return r;
        if (r == WON) {
            *version = next;
            return won(txn, next, str_buf_view(&text), now_ms, err);
        }
        if (!txn->base) {
            silt_fail(err, SILT_TRANSIENT, "another writer made the table \"%s\" first", table->root);
            silt_code(err, "DELTA_METADATA_CHANGED");
            return DELTA_CONFLICT;
        }
        r = pass_winners(txn, &intent, winner, &next, &protocol, &metadata, err);
        if (r)
            return r;
        SILT_TRY(delta__protocol_writable(protocol, metadata, table->root, err));
        arena_reset(scratch);
        back_off(table->env.io, attempt);
    }
    return silt_fail(err, SILT_TRANSIENT, "lost the race to commit to \"%s\" %d times", table->root, ATTEMPTS_MAX);
}
