#pragma once
/*
 * delta/scan.h - a snapshot's rows as text for DuckDB, and which files a predicate needs
 *
 *   delta_snapshot_files() -> delta_prune() -> delta_scan_sql()
 */
#include "delta/table.h"

/* Columns that are no field of the schema. */
enum {
    DELTA_COLUMN_FILE_PATH = -1,     /* STRING: absolute, as a URI (Spark's input_file_name) */
    DELTA_COLUMN_FILE_NAME = -2,     /* STRING */
    DELTA_COLUMN_FILE_SIZE = -3,     /* LONG */
    DELTA_COLUMN_FILE_MODIFIED = -4, /* TIMESTAMP */
    DELTA_COLUMN_ROW_INDEX = -5,     /* LONG: physical position in the file, from 0 */
};

typedef enum DeltaCompare {
    DELTA_EQUAL,
    DELTA_LESS,
    DELTA_LESS_EQUAL,
    DELTA_GREATER,
    DELTA_GREATER_EQUAL,
    DELTA_IS_NULL,
    DELTA_IS_NOT_NULL,
} DeltaCompare;

/*
 * `column compare value`, true for the rows that are wanted; several are joined by AND. A file is dropped only when it is
 * proven that no row of it can satisfy all of them.
 */
typedef struct DeltaPredicate {
    int field; /* top-level field of the snapshot's schema */
    DeltaCompare compare;
    /* Of the field's type, as text: decimal numbers, true/false, yyyy-MM-dd, timestamps as yyyy-MM-ddTHH:mm:ss.ffffffZ (NTZ without Z),
     * strings as they are. */
    Str value;
} DeltaPredicate;

/*
 * Keep the files that may hold wanted rows: partition values and statistics. kept is in arena (at most count entries).
 */
void delta_prune(const DeltaSnapshot *snapshot, const DeltaPredicate *predicates, int predicate_count, const DeltaFile *const *files,
                 int64_t count, Arena *arena, const DeltaFile *const **kept, int64_t *kept_count);

/*
 * Append a parenthesised query with columns c1..cn: the given fields (indexes into the snapshot's schema, or DELTA_COLUMN_*)
 * over the given files, of exactly the table's types. Missing columns are NULL, partition columns come from the log.
 * No file: an empty relation of those types. column_count may be 0: one column c1 of no meaning, so that rows can be counted.
 * Fails as CONFIG, by name, for what cannot be read (deletion vectors, column mapping in this version).
 */
int delta_scan_sql(const DeltaSnapshot *snapshot, const DeltaFile *const *files, int64_t file_count, const int *columns, int column_count,
                   StrBuf *out, SiltErr *err);
/* All live files that the predicates need, in one call. file_count (NULL allowed): how many are scanned. */
int delta_scan_snapshot_sql(const DeltaSnapshot *snapshot, const DeltaPredicate *predicates, int predicate_count, const int *columns,
                            int column_count, StrBuf *out, int64_t *file_count, SiltErr *err);
