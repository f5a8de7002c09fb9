#pragma once
/*
 * duck/parquet_read.h - Parquet files as SQL for DuckDB, with their VARIANTs
 *
 * A file's schema (duck_session_parquet_schema) says VARIANT where the file marks a group as one, and STRUCT where it does not. Either way DuckDB is made to
 * give the group as the file has it, a struct of `metadata`, `value` and, where it is shredded, `typed_value`; parquet_put_variant makes a VARIANT of it.
 */
#include "duck/type.h"

/* A group that can be a VARIANT: a marked one, or a struct of those parts. */
bool type_is_parquet_variant(const Type *type);
bool type_is_shredded(const Type *type);
/* Is there a marked group, itself or inside? */
bool type_has_marks(const Type *type);

/* type_equal, also of the parts of VARIANTs. */
bool type_equal_parts(const Type *a, const Type *b);

/* The SQL text `value`, a group of this form, as a VARIANT. */
void parquet_put_variant(StrBuf *out, const char *value, const Type *parts);

typedef struct ParquetFiles {
    const char *const *paths; /* local */
    int count;                /* > 0 */
    const char *options;      /* of read_parquet, each with a comma before it */
    bool marked;              /* at least one file has a marked group (type_has_marks) */
    /* Only for marked files: */
    const char *const *columns; /* names of the columns that the query needs */
    int column_count;           /* < 0: all */
    const Type *schema;         /* of the files, whose types are as DuckDB's then; NULL: the options have a schema */
} ParquetFiles;
/*
 * The files as a table, for FROM. It has file_index and file_row_number beside the columns: marked files have them as the last columns, which `*` gives, others
 * do not show them.
 */
void parquet_put_files(StrBuf *out, const ParquetFiles *files);
