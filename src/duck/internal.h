#pragma once
/* duck/internal.h - what the files of this folder share; the only header that shows DuckDB's types */
#include "duck/chunk.h"
#include "duck/session.h"

#include <duckdb.h>

/* ---- logical.c: types both ways ---- */

/* The caller destroys the result. */
duckdb_logical_type duck__logical_type(const Type *type);
/* Our type for DuckDB's, in arena; NULL if there is none (HUGEINT, ENUM, UNION, ...): *name then holds DuckDB's name for it. */
const Type *duck__type_from_logical(Arena *arena, duckdb_logical_type logical, const char **name);
/* Whether both have the same physical form in DuckDB; names of struct fields do not count. */
bool duck__type_fits(const Type *type, const Type *from_duck);
/* For types that fit: whether the fields of structs have the same names, at all depths. */
bool duck__same_names(const Type *a, const Type *b);

/* ---- chunk.c ---- */

/* A sealed chunk over DuckDB's flat result chunk, which it takes over. types live as long as the chunk. */
Chunk *duck__chunk_wrap(duckdb_data_chunk data, const Type *const *types, int column_count);
duckdb_vector duck__chunk_vector(const Chunk *chunk, int column);
/* Columns needed to describe type: itself and all below. */
int duck__column_count(const Type *type);
/* Describe a flat vector in column; children are taken from *next, which moves on by duck__column_count() - 1. */
void duck__column_view(Column *column, const Type *type, duckdb_vector vector, Column **next);

/* ---- failure.c: failures on their way through DuckDB ---- */

/*
 * DuckDB passes one text from a callback to the result. A SiltErr travels in it in a private form, between \x02 and \x03,
 * and is unpacked by duck__fail(), so that kind, code, position and hint arrive.
 */
enum { DUCK_FAILURE_BYTES = sizeof(SiltErr) + 64 };
const char *duck__pack_failure(char text[DUCK_FAILURE_BYTES], const SiltErr *err);
/*
 * What DuckDB said, as ours. type: DUCKDB_ERROR_INVALID if unknown. file: for failures that carry a line but no file.
 */
int duck__fail(SiltErr *err, duckdb_error_type type, const char *text, const char *file);

/* ---- engine.c ---- */

typedef struct DuckInput {
    Arena *arena; /* of types */
    const Type **types;
    int column_count;
    const char *signature; /* texts of all types */
    ChunkReader *reader;
    int64_t opened_in; /* the execution that has taken the reader */
} DuckInput;

struct DuckSession {
    DuckEngine *engine;
    DuckSession *next; /* in the engine's list */
    duckdb_connection connection;
    uint64_t connection_id;
    char *time_zone;
    const struct Zone *zone; /* loaded when a function first asks */
    int64_t now_us;
    bool now_set;
    char *source_file;
    DuckInput **inputs; /* by slot, NULL: not bound */
    int input_count;
    DuckCounter *counters;
    int counter_count;
    DuckStatement **statements; /* the cache: least recently prepared first */
    int statement_count;
    int64_t execution;  /* counts runs of any statement */
    bool reading;       /* a result is open: nothing else may run */
    bool negative_zero; /* silt_see_zeros() has seen one */
    DuckAside aside;
    bool (*stop)(void *self);
    void *stop_self;
};

/* The session that a callback works for. */
DuckSession *duck__session_of(DuckEngine *engine, duckdb_client_context context);
int duck__thread_count(const DuckEngine *engine);
/* A connection of its own for a callback that has to run a query; its time zone is UTC. The caller disconnects it. */
int duck__connect(DuckEngine *engine, duckdb_connection *out, SiltErr *err);
const struct DuckFunction *const *duck__extension_functions(const DuckEngine *engine, int *count);
/*
 * Around planning. any_order: the plan need not keep the order of rows, so that all threads take part in it; DuckDB has that as a setting of
 * the instance, so nobody else plans meanwhile. Callbacks that run in between must not come here.
 */
void duck__lock_planning(DuckSession *session, bool any_order);
void duck__unlock_planning(DuckSession *session, bool any_order);
/* The session's zone, or a zone by name; lives as long as the process. NULL with err: no such zone. */
const struct Zone *duck__session_zone(DuckSession *session, SiltErr *err);
const struct Zone *duck__zone_by_name(Str name, SiltErr *err);
/* Make sure that counters up to `counter` exist. Only while binding. */
void duck__reserve_counter(DuckSession *session, int counter);

/* Make the Silt functions that sql names known to the instance. */
int duck__register_named(DuckSession *session, const char *sql, SiltErr *err);
/* One function by its name in SQL, e.g. silt_now or silt_cast:decimal(10,2). 1: there is none of this name. */
enum { DUCK_NO_FUNCTION = 1 };
int duck__register_function(DuckEngine *engine, duckdb_connection connection, Str name, SiltErr *err);

/* ---- input.c ---- */

int duck__register_input(DuckEngine *engine, duckdb_connection connection, SiltErr *err);
/* How many threads an input is worth. */
int64_t duck__input_threads(const DuckSession *session, const DuckInput *input);

/* ---- parquet_unmarked.c ---- */

int duck__register_unmarked(DuckEngine *engine, duckdb_connection connection, SiltErr *err);

/* ---- statement.c ---- */

void duck__statements_free(DuckSession *session);
/* As duck_session_prepare. any_order: its rows may come in any order when inputs are read by several threads. */
int duck__prepare(DuckSession *session, const char *sql, bool any_order, DuckStatement **out, SiltErr *err);
/* Whether the statement's columns are stored as these types; CORRUPT if not, since the analyzer computed them. */
int duck__check_types(const DuckStatement *stmt, const Type *const *types, int column_count, SiltErr *err);
/* All rows of a small result. types are taken at their word. */
typedef struct DuckRows {
    Chunk **chunks;
    int count;
} DuckRows;
void duck__rows_fini(DuckRows *rows);
int duck__statement_rows(DuckStatement *stmt, const Type *const *types, int column_count, DuckRows *rows, SiltErr *err);
/* The same for a text that is not to be kept: what looks into files, which DuckDB does once, at prepare. */
int duck__query_rows(DuckSession *session, const char *sql, const Type *const *types, int column_count, DuckRows *rows, SiltErr *err);
