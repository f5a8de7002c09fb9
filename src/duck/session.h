#pragma once
/*
 * duck/session.h - DuckDB as our vectorized executor: engine (one instance), session (one connection), prepared statements
 *
 * No DuckDB type shows here. Registered functions, the names c1..cn and the traps of this DuckDB are described in duck/README.md.
 */
#include "base/err.h"
#include "duck/chunk.h"
#include "duck/zone.h"

typedef struct DuckEngine DuckEngine;
typedef struct DuckSession DuckSession;
typedef struct DuckStatement DuckStatement;

typedef struct DuckOptions {
    int64_t memory_bytes_max; /* 0: DuckDB's default */
    int threads;              /* 0: one per core */
    const char *spill_directory;
    /* Functions beside those of the tables (duck/extension.h). Borrowed while the engine lives. */
    const struct DuckFunction *const *functions;
    int function_count;
} DuckOptions;

/* Of the linked DuckDB: "1.5.6". */
const char *duck_version(void);

/* Opens nothing yet: the instance is opened by the first session (about 10 ms). */
DuckEngine *duck_engine_new(const DuckOptions *options);
void duck_engine_free(DuckEngine *engine); /* after all its sessions */

/* One connection, with all Silt functions registered. One thread at a time, but for duck_session_interrupt. */
int duck_session_open(DuckEngine *engine, DuckSession **out, SiltErr *err);
void duck_session_close(DuckSession *session);
void duck_session_closep(DuckSession **session);
void duck_session_interrupt(DuckSession *session); /* from any thread; running work ends as CANCELLED */
/* From now on queries tell how far they have come. */
int duck_session_watch(DuckSession *session, SiltErr *err);
/* Percent of the running query, from any thread; < 0: unknown, or nothing runs. */
double duck_session_progress(DuckSession *session);

/* What Silt functions see during execution: `current_timestamp` of the batch, time zone (IANA or +hh:mm), ANSI. */
int duck_session_set_time_zone(DuckSession *session, const char *zone, SiltErr *err);
/* The session's zone, for value_print and render_json; lives as long as the process. */
int duck_session_zone(DuckSession *session, const Zone **out, SiltErr *err);
void duck_session_set_clock(DuckSession *session, int64_t now_us);
/*
 * Failing functions carry the position of their call as a constant argument; a failure at run time comes back as SiltErr with file, line, column and
 * the code. Positions without a file of their own are in this one.
 */
void duck_session_set_source(DuckSession *session, const char *file);
/*
 * What a printer writes for the pos argument of a failing function: number of the file << 52 | line << 20 | column << 8 | length, the last two capped.
 * The names of files are kept for the life of the process; pos.file NULL: the session's, as are those beyond the first DUCK_FILES_MAX.
 */
enum { DUCK_FILES_MAX = 2047 };
int64_t duck_pos_pack(SiltPos pos);
SiltPos duck_pos_unpack(int64_t packed);

/*
 * Bind input number `slot`: the SQL text `silt_input(slot)` is then a table with columns c1..cn of these types, pulled from
 * reader at each execution. names of columns are generated; types live until the next bind of the slot. The reader is
 * borrowed and may be swapped between executions (duck_session_set_reader) without preparing again as long as types stay.
 * Two more columns, silt_source INTEGER and silt_position BIGINT, give the origin of each row (NULL if none).
 */
int duck_session_bind_input(DuckSession *session, int slot, const Type *const *types, int column_count, SiltErr *err);
void duck_session_set_reader(DuckSession *session, int slot, ChunkReader *reader);

/*
 * Counters that a query may bump: `silt_pass(counter, condition)` is VOLATILE, counts TRUE and not-TRUE, and gives back
 * condition IS TRUE. `silt_fail_unless(counter, condition, 'message', pos)` raises when condition is not TRUE.
 */
typedef struct DuckCounter {
    int64_t passed, failed;
    int64_t nulls; /* of the failed: the condition was NULL */
} DuckCounter;
void duck_session_reset_counters(DuckSession *session);
DuckCounter duck_session_counter(const DuckSession *session, int counter);

/*
 * Who takes values that a function sets aside (from_avro with a registry, in a stream): where the row comes from (silt_source, silt_position), the bytes, why.
 * Any thread. put NULL: nobody, and what would be set aside is a failure.
 */
typedef struct DuckAside {
    void *self;
    int (*put)(void *self, int32_t source, int64_t position, Str bytes, const char *reason, SiltErr *err);
} DuckAside;
void duck_session_set_aside(DuckSession *session, DuckAside aside);
/* Asked by functions that wait for others (a schema registry): true ends the wait as CANCELLED. Any thread. asked NULL: never. */
void duck_session_set_stop(DuckSession *session, bool (*asked)(void *self), void *self);

/* Run statements for their effect (SET, CREATE MACRO, ...). */
int duck_session_execute(DuckSession *session, const char *sql, SiltErr *err);

/*
 * Prepare one statement. Statements are cached by (text, time zone, input types) and stay owned by the session. The 128 used last are
 * kept: ask again for each batch (a few microseconds) rather than holding the pointer.
 * Never uses parameters. On a failure the error's position is DuckDB's byte in sql, mapped by nobody: it is our own mistake.
 */
int duck_session_prepare(DuckSession *session, const char *sql, DuckStatement **out, SiltErr *err);
int duck_statement_column_count(const DuckStatement *stmt);
const char *duck_statement_column_name(const DuckStatement *stmt, int column);
/* DuckDB's result type as ours, borrowed from the statement. TYPE_VOID also for types that Silt does not have (HUGEINT, ENUM, ...): then
 * duck_statement_foreign_type gives DuckDB's name; else that is NULL. Intervals of months or microseconds show as INT or BIGINT. */
const Type *duck_statement_column_type(DuckStatement *stmt, int column);
const char *duck_statement_foreign_type(const DuckStatement *stmt, int column);

/* Execute and pull the result as sealed chunks of exactly `types` (as computed by the analyzer). Until the reader
 * has given its last chunk or is closed, nothing else is prepared or run in the session (an error, CORRUPT); the statement itself can run
 * again once its reader is closed. */
int duck_statement_read(DuckStatement *stmt, const Type *const *types, int column_count, ChunkReader *out, SiltErr *err);
/* Execute for effect. */
int duck_statement_run(DuckStatement *stmt, int64_t *changed_rows, SiltErr *err);

/* ---- Parquet out ---- */
/*
 * Of a leaf that is reached through structs only. Bounds as DuckDB prints them: 1, -1.50, true as 1, 2026-01-02, 2026-01-02 03:04:05.6+00
 * (UTC), text cut to 256 bytes (min) or cut and raised (max), binary as hex, inf. Left out where they could mislead: floating point columns
 * with NaN or in a file of several row groups, columns with NULLs only.
 */
typedef struct DuckColumnStats {
    const char *path; /* "a" or nested "s.f" as parts joined by '\x1f' */
    bool has_bounds, has_nan;
    const char *min, *max; /* text as DuckDB gives it */
    int64_t null_count;    /* < 0: unknown */
} DuckColumnStats;

typedef struct DuckWrittenFile {
    const char *local_path;
    int64_t rows, size_bytes;
    /* Per partition column, as text for the Delta log (timestamps as 2026-01-02T03:04:05.6Z); NULL: SQL NULL or the empty string. */
    const char **partition_values;
    DuckColumnStats *stats;
    int stats_count;
} DuckWrittenFile;

typedef struct DuckCopyOptions {
    const char *directory;                /* empty staging directory */
    const char *compression;              /* "snappy" or "zstd" */
    const char *const *partition_columns; /* names in the select; written to the path, not into the file */
    int partition_count;
    int64_t row_group_rows;          /* 0: default */
    int64_t file_size_bytes_max;     /* 0: one file (not with partitions) */
    const char *const *column_names; /* real names of the file's columns, in order of the select */
    int column_count;
    const char *field_ids; /* value of COPY's FIELD_IDS, without partition columns; NULL: none */
    bool plain;           /* no dictionaries: see DUCK_COPY_AGAIN */
} DuckCopyOptions;

enum { DUCK_COPY_AGAIN = 1 };

/*
 * Run `select` (columns c1..cn) and write its rows as Parquet below options->directory. files live in arena. No rows: no file.
 * Logical types follow `types`: TIMESTAMP as isAdjustedToUTC, decimals as INT32, INT64 or fixed bytes by precision, VARIANT as its two
 * binaries. Intervals, VOID and empty structs are refused at any depth. Field names inside of structs must be those of `types` exactly,
 * since they go into the file. Rows keep their order within a file, unless an input is so large that several threads read it. A failure
 * leaves files behind: the caller wipes the directory.
 *
 * DuckDB's dictionaries take -0.0 for 0.0. Where a -0.0 was met the answer is DUCK_COPY_AGAIN, and the files are not to be used: the caller
 * wipes the directory, makes the input readable again, and copies once more with `plain`.
 */
int duck_session_copy(DuckSession *session, const char *select, const Type *const *types, const DuckCopyOptions *options, Arena *arena,
                      DuckWrittenFile **files, int *file_count, int64_t *rows, SiltErr *err);

/* ---- Parquet in ---- */
/*
 * Schema of a Parquet file as a STRUCT type, in arena, nullability as in the file. Millis are microseconds like all timestamps; nanoseconds
 * are refused as in Spark; INT96 is TIMESTAMP, but read_parquet gives it as DuckDB's TIMESTAMP (print timezone('UTC', column)). Unsigned
 * integers become the next wider type (UINT64: decimal(20,0)). Fails as INPUT or CONFIG.
 */
int duck_session_parquet_schema(DuckSession *session, Arena *arena, const char *local_path, const Type **out, SiltErr *err);
/*
 * The same of `count` files, none of them twice, into out[0..count): a fifth of the cost a file. Fails if one of them does, without telling which: then
 * ask for each by itself.
 */
int duck_session_parquet_schemas(DuckSession *session, Arena *arena, const char *const *local_paths, int count, const Type **out, SiltErr *err);
