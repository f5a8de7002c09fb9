#pragma once
/*
 * format/avro_rows.h - records of one Avro schema as rows, one datum at a time (this folder only)
 *
 *   avro_rows_new() -> for each chunk: avro_rows_bind() -> avro_rows_put() for each datum -> avro_rows_settle() -> ... -> avro_rows_free()
 *
 * Where a datum comes from is the caller's: a block of a file (avro_decode.c), a message.
 */
#include "format/avro_plan.h"

typedef struct AvroRows AvroRows;

/*
 * Records that were written as `written` (a RECORD), read as `reader` (NULL: as they are), into the columns of `target`: schema, needed and rescued_column count. All borrowed
 * until avro_rows_free; arena holds the plan. Fails as INPUT where the two schemas do not resolve.
 */
int avro_rows_new(Arena *arena, const AvroType *written, const AvroType *reader, const FormatTarget *target, AvroRows **out, SiltErr *err);
void avro_rows_free(AvroRows *rows); /* NULL allowed */

/* Rows go into this chunk from now on. */
void avro_rows_bind(AvroRows *rows, Chunk *chunk);
/* Before the chunk is sealed. */
void avro_rows_settle(AvroRows *rows);

/* What became of a datum. */
typedef struct AvroRow {
    int64_t misfits;     /* values that their column cannot hold: NULL there */
    int64_t unknowns;    /* fields without a column */
    const char *refusal; /* of one that is no row: why, for a message */
} AvroRow;

/*
 * The datum at the beginning of *bytes into this row of the chunk; *bytes is what follows it. False: it is no row, where it ends is not known, and
 * row->refusal says why.
 */
bool avro_rows_put(AvroRows *rows, Str *bytes, uint64_t at, AvroRow *row);
/* The rescued data of the datum that was put last, for the rescued column; false: there is none. source: its name, for _file_path. Borrowed until the next. */
bool avro_rows_rescued(AvroRows *rows, const char *source, Str *out);
