#pragma once
/*
 * delta/mapping.h - column mapping: the names of columns in files beside their names in SQL (protocol, "Column Mapping")
 *
 * Each field, nested ones too, has an id and a physical name in its metadata. Files, statistics and partition values know the physical name
 * only, and it never changes; renaming and dropping columns changes the schema alone. All else in Silt speaks of logical names.
 *
 *   M1  A field's id and physical name are given once. maxColumnId only grows: an id is never given again.
 *   M2  A field that a table had before the mapping was switched on keeps its name in the files.
 */
#include "delta/table.h"

/* delta.columnMapping.mode is name or id. */
bool delta_mapping_on(const DeltaMetadata *metadata);
bool delta_mapping_by_id(const DeltaMetadata *metadata); /* it is id */
/* Name in files of a field of the table, nested ones too: its own without mapping. In arena, or the field's. */
const char *delta_mapping_name(Arena *arena, const DeltaMetadata *table, const TypeField *field);
/* Id of a field, or -1. */
int64_t delta_mapping_id(const TypeField *field);
/* The table's schema with the names that files have, at all depths; the schema itself without mapping. */
const Type *delta_mapping_physical(Arena *arena, const DeltaMetadata *table);
/*
 * `wanted` with an id and a physical name for every field: those that `table` has (found by name without case, at all depths), those that the
 * field brings along if its id is above *max_id (it was assigned earlier, for the files of this change), new ones for the others. table: the schema of
 * the table, mapped or not; NULL: a new table. *max_id: the greatest id given so far, in and out.
 */
const Type *delta_mapping_assign(Arena *arena, Io *io, const Type *table, const Type *wanted, int64_t *max_id);
/*
 * The schema as files of a table have to be written: physical names at all depths (equal to `wanted` without a mapping). wanted is what the
 * table will be: where it has fields that the table's metadata lacks, they get names here, and *assigned (NULL allowed) is the schema to put into
 * the metadata with the files.
 */
const Type *delta_mapping_files(Arena *arena, Io *io, const DeltaMetadata *table, const Type *wanted, const Type **assigned);
/*
 * A query with the columns c1..cn of `sql`, as rows for files: structs get the names inside that files have, narrower types become those of the
 * files. The text itself where nothing differs. wanted and files as in delta_mapping_files.
 */
void delta_mapping_print_rows(StrBuf *out, const char *sql, const Type *wanted, const Type *files);
/* Ids of a schema of delta_mapping_files, as COPY's FIELD_IDS has them, without the columns named (those of partitions); nothing without ids. */
void delta_mapping_print_ids(StrBuf *out, const Type *files, const char *const *skipped, int skipped_count);
/* delta.columnMapping.maxColumnId, 0 without. */
int64_t delta_mapping_max_id(const DeltaMetadata *metadata);
