/*
 * delta/txn.c - one change of a table: what it is to do, action by action. txn_commit.c makes a version of the log of it.
 */
#include "delta/txn_internal.h"

#include "delta/mapping.h"

#include <stdlib.h>
#include <string.h>

#define MAPPING_MODE "delta.columnMapping.mode"
#define MAPPING_MAX_ID "delta.columnMapping.maxColumnId"

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

/* ---- removing ---- */

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

/* ---- what the commit says of itself ---- */

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
