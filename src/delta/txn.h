#pragma once
/*
 * delta/txn.h - one change of a table: collect actions, then commit them as one version or not at all
 *
 *   delta_table_refresh(table)                 what is there
 *   delta_txn_begin(table, &txn)               on the table's newest snapshot; on none: the table is made
 *   delta_txn_create / _add_columns / _add_files / _remove_all / _set_txn / _parameter ...
 *   delta_txn_commit(txn, &version)            put-if-absent, stepping over other writers' commits where the rules allow it
 *
 * Files enter the table's folder before the commit and are invisible until then; a crash in between leaves them unlisted.
 */
#include "delta/table.h"

typedef struct DeltaTxn DeltaTxn;

/* Never fails for a reason of the log. CONFIG for a table with a feature that is not supported for writing (named). */
int delta_txn_begin(DeltaTable *table, DeltaTxn **out, SiltErr *err);
void delta_txn_free(DeltaTxn *txn); /* NULL allowed; without commit: nothing has happened, but for unlisted files */
void delta_txn_freep(DeltaTxn **txn);
/* What the transaction is based on; NULL for a new table. */
const DeltaSnapshot *delta_txn_snapshot(const DeltaTxn *txn);
/* As it will be after the commit: the schema to write files with. NULL before delta_txn_create of a new table. */
const DeltaMetadata *delta_txn_metadata(const DeltaTxn *txn);

/*
 * Make the table. id and created_ms are made up where missing; everything is copied. CONFIG: column names that Delta
 * refuses (` ,;{}()\n\t=` or the same but for case), an unknown `delta.` property, a partition column that is missing or
 * nested, only partition columns, a type that Delta has not.
 */
int delta_txn_create(DeltaTxn *txn, const DeltaMetadata *metadata, SiltErr *err);
/* Replace schema, description, or properties of an existing table; id and created_ms stay. The same checks. */
int delta_txn_set_metadata(DeltaTxn *txn, const DeltaMetadata *metadata, SiltErr *err);
/* Add columns at the end; they must be nullable. fields are copied. */
int delta_txn_add_columns(DeltaTxn *txn, const TypeField *fields, int field_count, SiltErr *err);

/*
 * The same for one column, or for a field within structs: path names it from the top, count >= 1 names, compared without case. Errors are CONFIG:
 * no such struct, a name that is there already; renaming and dropping need column mapping (the files keep the old name), dropping also
 * that it is no partition column and not the last one.
 */
int delta_txn_add_column(DeltaTxn *txn, const char *const *path, int count, const TypeField *field, SiltErr *err); /* path: of the struct; 0: the table */
int delta_txn_rename_column(DeltaTxn *txn, const char *const *path, int count, const char *name, SiltErr *err);
int delta_txn_drop_column(DeltaTxn *txn, const char *const *path, int count, SiltErr *err);
/*
 * Give it a wider type (delta/widening.h); nothing where it has that type. path may lead into arrays and maps: element, key, value. CONFIG, code
 * DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP: the table has no delta.enableTypeWidening, or the type is no wider one.
 */
int delta_txn_change_type(DeltaTxn *txn, const char *const *path, int count, const Type *type, SiltErr *err);

/*
 * Move files that duck_session_copy() wrote into the table's folder, under Spark's names, and list them with statistics.
 * The copy's partition columns must be the table's, in order, and its other columns named as the table's.
 */
int delta_txn_add_files(DeltaTxn *txn, const DuckWrittenFile *files, int file_count, const char *compression, SiltErr *err);
/* Replace the whole content: all files of the base snapshot are removed, the whole table counts as read. */
int delta_txn_remove_all(DeltaTxn *txn, SiltErr *err);
/* What is written was made from the table's own rows: another writer's change of them is a conflict. */
void delta_txn_read_all(DeltaTxn *txn);
/* Take these files of the base snapshot out; the array and what it points to must live as long as the snapshot. Not with remove_all. */
int delta_txn_remove_files(DeltaTxn *txn, const DeltaFile *const *files, int64_t count, SiltErr *err);
/*
 * The same rows in other files: every add and remove says dataChange = false, so that streams over the table pass the commit by. Call it before
 * the files are added and removed. The caller answers for the rows being the same.
 */
void delta_txn_rearrange(DeltaTxn *txn);
/* Application `app_id` has done `version` with this commit. Conflicts with any other commit of the same app_id. */
void delta_txn_set_txn(DeltaTxn *txn, const char *app_id, int64_t version);

/* commitInfo: operation ("STREAMING UPDATE", "WRITE", "CREATE TABLE", ...), parameters and metrics, in order of the calls. */
void delta_txn_operation(DeltaTxn *txn, const char *operation);
void delta_txn_parameter(DeltaTxn *txn, const char *key, const char *value); /* NULL: null */
/* Beside numAddedFiles, numRemovedFiles, numOutputRows, numOutputBytes, which are counted here. */
void delta_txn_metric(DeltaTxn *txn, const char *key, int64_t value);
/* The exact source ranges, JSON text: commitInfo.readSources. */
void delta_txn_read_sources(DeltaTxn *txn, Str json);

/*
 * 0 and *version, and the table's newest snapshot is then that version. DELTA_CONFLICT: nothing was committed; err says
 * which version of the other writer forbids it, and the caller begins again from a refreshed table. < 0: TRANSIENT when
 * the world refused; whether the commit happened was settled by reading the log back where that was possible, else
 * message says that it is unknown: look for txn before trying again.
 */
int delta_txn_commit(DeltaTxn *txn, int64_t *version, SiltErr *err);
