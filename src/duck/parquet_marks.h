#pragma once
/*
 * duck/parquet_marks.h - Parquet files whose VARIANT columns are marked as such
 *
 * The Parquet format asks that the group of a VARIANT (`metadata`, `value` and, when it is shredded, `typed_value`) has the logical type VARIANT. Spark 4.1
 * and later write that mark. DuckDB turns such a group into its own VARIANT, in which a VARIANT null is no other thing than NULL. So it is shown a
 * copy whose footer has no mark, and reads the group as a struct. The mark is one number in the footer, which another one of the same size takes
 * the place of: nothing else moves.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

typedef struct ParquetMarks {
    int64_t file_size;
    int64_t footer_at; /* where the footer's bytes begin in the file */
    uint8_t *footer;   /* without marks */
    size_t footer_size;
    int *elements; /* of the schema, in its order, the root being 0: those that are marked */
    int count;
} ParquetMarks;

/* In arena. INPUT when the file is no Parquet file, or its footer makes no sense. */
int parquet_marks_read(const char *local_path, Arena *arena, ParquetMarks *out, SiltErr *err);
/* The same of the bytes of a footer, which the marks are taken out of. False: they make no sense. */
bool parquet_marks_parse(uint8_t *footer, size_t size, Arena *arena, int **elements, int *count);

/*
 * A copy of the file without marks in the directory for temporary files; *out_path is the caller's to remove. Of its data it has only the columns
 * with these names (compared without case), or all for column_count < 0; where the others are, it has holes.
 */
int parquet_marks_copy(const char *local_path, const ParquetMarks *marks, const char *const *columns, int column_count, Arena *arena,
                       const char **out_path, SiltErr *err);
