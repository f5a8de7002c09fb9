/*
 * duck/statement.c - prepared statements, their cache, and results as chunks
 *
 * A statement is found again by its text, the time zone and the types of the inputs that it names: DuckDB takes all three at prepare
 * and would go on with the old ones without a word.
 */
#include "duck/internal.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATEMENTS_MAX = 128 };

struct DuckStatement {
    DuckSession *session;
    char *key; /* time zone, input types, text */
    uint64_t hash;
    const char *sql; /* in key */
    duckdb_prepared_statement prepared;
    Arena *arena;
    int column_count;
    const char **names;
    const Type **types;         /* NULL: not one of ours */
    const char **foreign_types; /* then DuckDB's name */
    bool reading;
};

static void statement_free(DuckStatement *stmt)
{
    duckdb_destroy_prepare(&stmt->prepared);
    arena_free(stmt->arena);
    free(stmt->key);
    free(stmt);
}

void duck__statements_free(DuckSession *session)
{
    for (int i = 0; i < session->statement_count; i++)
        statement_free(session->statements[i]);
    free(session->statements);
    session->statements = NULL;
    session->statement_count = 0;
}

static void make_key(const DuckSession *session, const char *sql, StrBuf *key)
{
    str_buf_printf(key, "%s\n", session->time_zone ? session->time_zone : "");
    static const char call[] = "silt_input(";
    for (const char *p = sql; (p = strstr(p, call));) {
        p += sizeof call - 1;
        long slot = strtol(p, NULL, 10);
        if (slot >= 0 && slot < session->input_count && session->inputs[slot])
            str_buf_printf(key, "%ld:%s\n", slot, session->inputs[slot]->signature);
    }
    str_buf_puts(key, sql);
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static void describe(DuckStatement *stmt)
{
    stmt->arena = arena_new();
    stmt->column_count = (int)duckdb_prepared_statement_column_count(stmt->prepared);
    stmt->names = ARENA_ARRAY(stmt->arena, const char *, stmt->column_count);
    stmt->types = ARENA_ARRAY(stmt->arena, const Type *, stmt->column_count);
    stmt->foreign_types = ARENA_ARRAY(stmt->arena, const char *, stmt->column_count);
    for (int i = 0; i < stmt->column_count; i++) {
        const char *name = duckdb_prepared_statement_column_name(stmt->prepared, (idx_t)i);
        stmt->names[i] = arena_strdup(stmt->arena, name);
        duckdb_free((void *)name);
        duckdb_logical_type logical = duckdb_prepared_statement_column_logical_type(stmt->prepared, (idx_t)i);
        stmt->types[i] = duck__type_from_logical(stmt->arena, logical, &stmt->foreign_types[i]);
        duckdb_destroy_logical_type(&logical);
    }
}

/* Forget the statement that was prepared longest ago and is not being read. */
static void make_room(DuckSession *session)
{
    for (int i = 0; i < session->statement_count; i++)
        if (!session->statements[i]->reading) {
            statement_free(session->statements[i]);
            session->statement_count--;
            memmove(session->statements + i, session->statements + i + 1,
                    (size_t)(session->statement_count - i) * sizeof *session->statements);
            return;
        }
    silt_assert(!"all statements are being read at once");
}

/*
 * A connection does one thing at a time: DuckDB would end an open result to prepare or run something else.
 */
static int check_idle(const DuckSession *session, SiltErr *err)
{
    if (session->reading)
        return silt_fail(err, SILT_CORRUPT, "another result of this session is still being read");
    return 0;
}

int duck_session_prepare(DuckSession *session, const char *sql, DuckStatement **out, SiltErr *err)
{
    return duck__prepare(session, sql, false, out, err);
}

int duck__prepare(DuckSession *session, const char *sql, bool any_order, DuckStatement **out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf key = {0};
    str_buf_puts(&key, any_order ? "any order\n" : "");
    make_key(session, sql, &key);
    uint64_t hash = hash_of(key.ptr);
    for (int i = session->statement_count - 1; i >= 0; i--) {
        DuckStatement *stmt = session->statements[i];
        if (stmt->hash != hash || strcmp(stmt->key, key.ptr) != 0)
            continue;
        memmove(session->statements + i, session->statements + i + 1, (size_t)(session->statement_count - 1 - i) * sizeof stmt);
        session->statements[session->statement_count - 1] = stmt;
        *out = stmt;
        return 0;
    }

    SILT_TRY(check_idle(session, err));
    SILT_TRY(duck__register_named(session, sql, err));
    duckdb_prepared_statement prepared;
    duck__lock_planning(session, any_order);
    duckdb_state state = duckdb_prepare(session->connection, sql, &prepared);
    duck__unlock_planning(session, any_order);
    if (state != DuckDBSuccess) {
        int r = duck__fail(err, DUCKDB_ERROR_INVALID, duckdb_prepare_error(prepared), session->source_file);
        duckdb_destroy_prepare(&prepared);
        return r;
    }
    if (session->statement_count == STATEMENTS_MAX)
        make_room(session);
    DuckStatement *stmt = silt_alloc(sizeof *stmt);
    stmt->session = session;
    stmt->hash = hash;
    stmt->sql = key.ptr + key.size - strlen(sql);
    stmt->key = key.ptr;
    key = (StrBuf){0}; /* handed over */
    stmt->prepared = prepared;
    describe(stmt);
    if (!session->statements)
        session->statements = silt_alloc(STATEMENTS_MAX * sizeof *session->statements);
    session->statements[session->statement_count++] = stmt;
    *out = stmt;
    return 0;
}

int duck_statement_column_count(const DuckStatement *stmt)
{
    return stmt->column_count;
}

const char *duck_statement_column_name(const DuckStatement *stmt, int column)
{
    silt_assert(column >= 0 && column < stmt->column_count);
    return stmt->names[column];
}

const Type *duck_statement_column_type(DuckStatement *stmt, int column)
{
    silt_assert(column >= 0 && column < stmt->column_count);
    return stmt->types[column] ? stmt->types[column] : type_simple(TYPE_VOID);
}

const char *duck_statement_foreign_type(const DuckStatement *stmt, int column)
{
    silt_assert(column >= 0 && column < stmt->column_count);
    return stmt->types[column] ? NULL : stmt->foreign_types[column];
}

/* ---- running ---- */

static int begin(DuckSession *session, SiltErr *err)
{
    SILT_TRY(check_idle(session, err));
    session->execution++;
    return 0;
}

static int fail_from_result(DuckSession *session, duckdb_result *result, SiltErr *err)
{
    return duck__fail(err, duckdb_result_error_type(result), duckdb_result_error(result), session->source_file);
}

/*
 * Nothing to do for this thread while others are at work: give way, then sleep longer and longer. DuckDB's own loop spins, for as long as an input waits
 * for what is to come.
 */
static void wait_for_others(int *waits)
{
    enum { YIELDS = 100, SLEEP_MIN_US = 20, SLEEP_MAX_US = 1000 };

    if ((*waits)++ < YIELDS) {
        sched_yield();
        return;
    }
    int doubled = (*waits - YIELDS) / 4;
    int us = doubled < 6 ? SLEEP_MIN_US << doubled : SLEEP_MAX_US;
    nanosleep(&(struct timespec){.tv_nsec = us * 1000L}, NULL);
}

/* Run a prepared statement to its end; on success *result is the caller's. */
static int execute(DuckStatement *stmt, duckdb_result *result, SiltErr *err)
{
    duckdb_pending_result pending;
    duckdb_pending_state state = duckdb_pending_prepared(stmt->prepared, &pending) == DuckDBSuccess ? DUCKDB_PENDING_RESULT_NOT_READY : DUCKDB_PENDING_ERROR;
    int r = 0;

    for (int waits = 0; state == DUCKDB_PENDING_RESULT_NOT_READY || state == DUCKDB_PENDING_NO_TASKS_AVAILABLE;) {
        if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE)
            wait_for_others(&waits);
        else
            waits = 0;
        state = duckdb_pending_execute_task(pending);
    }
    if (state == DUCKDB_PENDING_ERROR) {
        r = duck__fail(err, DUCKDB_ERROR_INVALID, duckdb_pending_error(pending), stmt->session->source_file);
    } else if (duckdb_execute_pending(pending, result) != DuckDBSuccess) {
        r = fail_from_result(stmt->session, result, err);
        duckdb_destroy_result(result);
    }
    duckdb_destroy_pending(&pending);
    return r;
}

int duck_session_execute(DuckSession *session, const char *sql, SiltErr *err)
{
    SILT_TRY(begin(session, err));
    SILT_TRY(duck__register_named(session, sql, err));
    duckdb_result result;
    int r = duckdb_query(session->connection, sql, &result) == DuckDBSuccess ? 0 : fail_from_result(session, &result, err);
    duckdb_destroy_result(&result);
    return r;
}

int duck_statement_run(DuckStatement *stmt, int64_t *changed_rows, SiltErr *err)
{
    DuckSession *session = stmt->session;
    SILT_TRY(begin(session, err));
    duckdb_result result;
    SILT_TRY(execute(stmt, &result, err));
    if (changed_rows)
        *changed_rows = (int64_t)duckdb_rows_changed(&result);
    duckdb_destroy_result(&result);
    return 0;
}

/* Take the chunks of a finished result and destroy it. */
static int take_chunks(DuckSession *session, duckdb_state state, duckdb_result *result, const Type *const *types, int column_count,
                       DuckRows *rows, SiltErr *err)
{
    int r = 0;
    *rows = (DuckRows){0};
    if (state != DuckDBSuccess) {
        r = fail_from_result(session, result, err);
    } else {
        silt_assert((int)duckdb_column_count(result) == column_count);
        for (duckdb_data_chunk data; (data = duckdb_fetch_chunk(*result)) != NULL;) {
            rows->chunks = silt_realloc(rows->chunks, (size_t)(rows->count + 1) * sizeof *rows->chunks);
            rows->chunks[rows->count++] = duck__chunk_wrap(data, types, column_count);
        }
    }
    duckdb_destroy_result(result);
    return r;
}

void duck__rows_fini(DuckRows *rows)
{
    for (int i = 0; i < rows->count; i++)
        chunk_unref(rows->chunks[i]);
    free(rows->chunks);
    *rows = (DuckRows){0};
}

int duck__statement_rows(DuckStatement *stmt, const Type *const *types, int column_count, DuckRows *rows, SiltErr *err)
{
    SILT_TRY(begin(stmt->session, err));
    duckdb_result result;
    *rows = (DuckRows){0};
    SILT_TRY(execute(stmt, &result, err));
    return take_chunks(stmt->session, DuckDBSuccess, &result, types, column_count, rows, err);
}

int duck__query_rows(DuckSession *session, const char *sql, const Type *const *types, int column_count, DuckRows *rows, SiltErr *err)
{
    SILT_TRY(begin(session, err));
    duckdb_result result;
    duck__lock_planning(session, false);
    duckdb_state state = duckdb_query(session->connection, sql, &result);
    duck__unlock_planning(session, false);
    return take_chunks(session, state, &result, types, column_count, rows, err);
}

typedef struct Reading {
    DuckStatement *stmt;
    duckdb_result result;
    const Type **types;
    bool ended;
} Reading;

static int reading_next(void *self, Chunk **out, SiltErr *err)
{
    Reading *reading = self;
    *out = NULL;
    for (;;) {
        duckdb_data_chunk data = duckdb_fetch_chunk(reading->result);
        if (!data) {
            if (!reading->ended)
                reading->stmt->session->reading = false;
            reading->ended = true; /* from here on the session is free for others */
            if (duckdb_result_error(&reading->result))
                return fail_from_result(reading->stmt->session, &reading->result, err);
            return 0;
        }
        if (duckdb_data_chunk_get_size(data) == 0) {
            duckdb_destroy_data_chunk(&data);
            continue;
        }
        *out = duck__chunk_wrap(data, reading->types, reading->stmt->column_count);
        return 0;
    }
}

static void reading_close(void *self)
{
    Reading *reading = self;
    duckdb_destroy_result(&reading->result);
    if (!reading->ended)
        reading->stmt->session->reading = false;
    reading->stmt->reading = false;
    free(reading->types);
    free(reading);
}

int duck__check_types(const DuckStatement *stmt, const Type *const *types, int column_count, SiltErr *err)
{
    if (column_count != stmt->column_count)
        return silt_fail(err, SILT_CORRUPT, "the query gives %d columns where %d were expected", stmt->column_count, column_count);
    for (int i = 0; i < column_count; i++)
        if (!stmt->types[i] || !duck__type_fits(types[i], stmt->types[i])) {
            silt_auto(str_buf_fini) StrBuf expected = {0}, found = {0};
            type_print_duck(&expected, types[i]);
            if (stmt->types[i])
                type_print_duck(&found, stmt->types[i]);
            else
                str_buf_puts(&found, stmt->foreign_types[i]);
            silt_fail(err, SILT_CORRUPT, "column %d of the query (%s) is %s where %s was expected", i + 1, stmt->names[i], found.ptr,
                      expected.ptr);
            return silt_hint(err, "This is a mistake in Silt: please report it with the query.");
        }
    return 0;
}

int duck_statement_read(DuckStatement *stmt, const Type *const *types, int column_count, ChunkReader *out, SiltErr *err)
{
    silt_assert(!stmt->reading);
    SILT_TRY(duck__check_types(stmt, types, column_count, err));
    DuckSession *session = stmt->session;
    SILT_TRY(begin(session, err));

    duckdb_pending_result pending;
    if (duckdb_pending_prepared_streaming(stmt->prepared, &pending) != DuckDBSuccess) {
        int r = duck__fail(err, DUCKDB_ERROR_INVALID, duckdb_pending_error(pending), session->source_file);
        duckdb_destroy_pending(&pending);
        return r;
    }
    duckdb_result result;
    duckdb_state state = duckdb_execute_pending(pending, &result);
    duckdb_destroy_pending(&pending);
    if (state != DuckDBSuccess) {
        int r = fail_from_result(session, &result, err);
        duckdb_destroy_result(&result);
        return r;
    }
    Reading *reading = silt_alloc(sizeof *reading);
    reading->stmt = stmt;
    reading->result = result;
    reading->types = silt_alloc((size_t)(column_count + 1) * sizeof *reading->types);
    for (int i = 0; i < column_count; i++)
        reading->types[i] = types[i];
    stmt->reading = session->reading = true;
    *out = (ChunkReader){.self = reading, .next = reading_next, .close = reading_close, .rows_estimate = -1};
    return 0;
}
