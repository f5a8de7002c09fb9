#pragma once
/*
 * format/avro_rows.h - records of one Avro schema as rows, one datum at a time (this folder only)
 *
 *   avro_place_new() -> avro_rows_new() -> for each chunk: avro_rows_bind() -> avro_rows_put() for each datum -> avro_rows_settle() -> ... -> avro_rows_free()
 *
 * Where a datum comes from is the caller's: a block of a file (avro_decode.c), a message (avro_message.c). Several schemas may fill the same chunk: they share the place.
 */
#include "duck/avro_plan.h"
#include "format/format.h"

typedef struct AvroRows AvroRows;

/*
 * Records that were written as `written` (a RECORD), read as `reader` (NULL: as they are), into the columns of `target`: schema, needed and rescued_column count. place is
 * avro_place_new() of target->schema. All borrowed until avro_rows_free; arena holds the plan. Fails as INPUT where the two schemas do not resolve.
 */
int avro_rows_new(Arena *arena, const AvroType *written, const AvroType *reader, const FormatTarget *target, AvroPlace *place, AvroRows **out, SiltErr *err);
void avro_rows_free(AvroRows *rows); /* NULL allowed */

/* Rows go into this chunk from now on. */
void avro_rows_bind(AvroPlace *place, Chunk *chunk);
/* Before the chunk is sealed. */
void avro_rows_settle(AvroPlace *place);

/* What became of a datum. */
typedef struct AvroRow {
    int64_t misfits;     /* values that their column cannot hold: NULL there */
    int64_t unknowns;    /* fields without a column */
    const char *refusal; /* of one that is no row: why, for a message */
} AvroRow;

/*
 * The datum at the beginning of *bytes into this row of the chunk that the place is bound to; *bytes is what follows it. False: it is no row, where it ends is
 * not known, row->refusal says why, and the row may be filled again.
 */
bool avro_rows_put(AvroRows *rows, Chunk *chunk, Str *bytes, uint64_t at, AvroRow *row);
/* The rescued data of the datum that was put last, for the rescued column; false: there is none. source: its name, for _file_path; NULL: none. Borrowed until the next. */
bool avro_rows_rescued(AvroRows *rows, const char *source, Str *out);
