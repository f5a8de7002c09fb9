#pragma once
/*
 * duck/arrow.h - chunks to and from the Arrow C data interface, the form in which rows cross silt.h
 *
 * Each type has one format on the way out:
 *
 *     void n   boolean b   tinyint c   smallint s   int i   bigint l   float f   double g   decimal d:p,s (128 bits)
 *     string U   binary Z   date tdD   timestamp tsu:UTC   timestamp_ntz tsu:   time ttu
 *     interval of months tiM   of seconds tDu   calendar interval tin   array +l   map +m   struct +s   variant +s (metadata, value)
 *
 * On the way in, u, z and +L are taken as well. A table of rows is a struct without NULLs, as in the stream interface.
 */
#include "base/err.h"
#include "duck/chunk.h"
#include "silt_arrow.h"

/* The struct of these columns. nullable NULL: all are. out is the caller's to release. */
void arrow_export_schema(const char *const *names, const Type *const *types, const bool *nullable, int count, struct ArrowSchema *out);
/* The rows of a sealed chunk, copied. INPUT where a calendar interval does not fit into nanoseconds. */
int arrow_export_chunk(const Chunk *chunk, struct ArrowArray *out, SiltErr *err);
/* Columns of `rows` rows that stand alone (arguments of a function), as children of one struct. */
int arrow_export_columns(const Column *columns, int count, int rows, struct ArrowArray *out, SiltErr *err);

/*
 * Does a schema have exactly these columns, in this order, in formats that arrow_import_rows takes? CONFIG, naming the column, if not. Names
 * of columns and of fields count.
 */
int arrow_check_schema(const struct ArrowSchema *schema, const char *const *names, const Type *const *types, int count, SiltErr *err);
/*
 * Rows first..first+rows-1 of a struct array whose schema was checked, as a sealed chunk; rows <= CHUNK_ROWS_MAX. Everything that a consumer
 * relies on is looked at: INPUT for text that is not UTF-8, decimals that do not fit, offsets that go backwards, a NULL key. Nothing of the
 * array is kept.
 */
int arrow_import_rows(const struct ArrowSchema *schema, const struct ArrowArray *array, const Type *const *types, int count, int64_t first,
                      int rows, Chunk **out, SiltErr *err);
/* One array of `rows` rows, in the format that arrow_export_schema gives to its type, into a column (a function's result). */
int arrow_import_column(const struct ArrowArray *array, Column *out, int rows, SiltErr *err);

/*
 * A stream over the chunks of a reader, which is closed when the stream is released. names, types and nullable are borrowed until then.
 */
void arrow_export_stream(const ChunkReader *reader, const char *const *names, const Type *const *types, const bool *nullable, int count,
                         struct ArrowArrayStream *out);
/*
 * The rows of a stream as chunks of these columns; the stream is taken over, also on failure. names and types are borrowed while the reader
 * lives. `who` starts messages: source "clicks".
 */
int arrow_import_stream(struct ArrowArrayStream *stream, const char *who, const char *const *names, const Type *const *types, int count,
                        ChunkReader *out, SiltErr *err);

/* Release what is there to release. */
void arrow_release_array(struct ArrowArray *array);
void arrow_release_schema(struct ArrowSchema *schema);
void arrow_release_stream(struct ArrowArrayStream *stream);
