/*
 * duck/engine.c - one DuckDB instance and its connections
 *
 *   E1  The instance is opened by the first session; `version` and a run with nothing to do need none.
 *   E2  Functions belong to the instance, settings and statements to a session. A callback finds its session by the number of its
 *       connection.
 *   E3  No lock is held while DuckDB is called from a callback.
 */
#include "duck/internal.h"

#include "duck/functions.h"
#include "duck/quote.h"
#include "duck/zone.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNTERS_MAX = 4096, SLOTS_MAX = 4096 };

struct DuckEngine {
    DuckOptions options;
    pthread_mutex_t lock; /* guards what follows */
    duckdb_database database;
    DuckSession *sessions;
    pthread_rwlock_t planning;     /* written by who changes a setting of the instance for one plan */
    pthread_mutex_t register_lock; /* held over registrations, which callbacks never make; guards names */
    char **names;                  /* functions that the instance knows */
    int name_count;
};

DuckEngine *duck_engine_new(const DuckOptions *options)
{
    DuckEngine *engine = silt_alloc(sizeof *engine);
    engine->options = *options;
    if (options->spill_directory)
        engine->options.spill_directory = silt_strdup(options->spill_directory);
    pthread_mutex_init(&engine->lock, NULL);
    pthread_mutex_init(&engine->register_lock, NULL);
    pthread_rwlock_init(&engine->planning, NULL);
    return engine;
}

void duck_engine_free(DuckEngine *engine)
{
    if (!engine)
        return;
    silt_assert(engine->sessions == NULL);
    if (engine->database)
        duckdb_close(&engine->database);
    for (int i = 0; i < engine->name_count; i++)
        free(engine->names[i]);
    free(engine->names);
    free((char *)engine->options.spill_directory);
    pthread_mutex_destroy(&engine->lock);
    pthread_mutex_destroy(&engine->register_lock);
    pthread_rwlock_destroy(&engine->planning);
    free(engine);
}

int duck__thread_count(const DuckEngine *engine)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return engine->options.threads > 0 ? engine->options.threads : cores > 0 ? (int)cores : 1;
}

const DuckFunction *const *duck__extension_functions(const DuckEngine *engine, int *count)
{
    *count = engine->options.function_count;
    return engine->options.functions;
}

static void set_order(DuckSession *session, const char *sql)
{
    duckdb_state state = duckdb_query(session->connection, sql, NULL);
    silt_assert(state == DuckDBSuccess);
}

void duck__lock_planning(DuckSession *session, bool any_order)
{
    if (!any_order) {
        pthread_rwlock_rdlock(&session->engine->planning);
        return;
    }
    pthread_rwlock_wrlock(&session->engine->planning);
    set_order(session, "SET GLOBAL preserve_insertion_order = false");
}

void duck__unlock_planning(DuckSession *session, bool any_order)
{
    if (any_order)
        set_order(session, "SET GLOBAL preserve_insertion_order = true");
    pthread_rwlock_unlock(&session->engine->planning);
}

static int configure(duckdb_config config, const char *name, const char *value, SiltErr *err)
{
    if (duckdb_set_config(config, name, value) != DuckDBSuccess)
        return silt_fail(err, SILT_CONFIG, "could not set the engine's %s to \"%s\"", name, value);
    return 0;
}

static int open_database(DuckEngine *engine, SiltErr *err)
{
    duckdb_config config;
    silt_assert(duckdb_create_config(&config) == DuckDBSuccess);
    char threads[16], memory[32];
    snprintf(threads, sizeof threads, "%d", duck__thread_count(engine));
    snprintf(memory, sizeof memory, "%lldB", (long long)engine->options.memory_bytes_max);
    const struct {
        const char *name, *value;
    } settings[] = {
        {"threads", threads},
        {"memory_limit", engine->options.memory_bytes_max ? memory : NULL},
        {"temp_directory", engine->options.spill_directory},
        {"preserve_insertion_order", "true"},
        /* COPY .. PARTITION_BY, for each thread: 524288 rows wait otherwise, and beyond 100 partitions each round of them makes files of its own */
        {"partitioned_write_flush_threshold", "131072"},
        {"partitioned_write_max_open_files", "1000"},
        {"autoinstall_known_extensions", "false"},
        {"autoload_known_extensions", "false"},
        {"default_null_order", "nulls_first_on_asc_last_on_desc"}, /* Spark's */
    };
    int r = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && r == 0; i++)
        if (settings[i].value)
            r = configure(config, settings[i].name, settings[i].value, err);
    if (r == 0) {
        char *error = NULL;
        if (duckdb_open_ext(NULL, &engine->database, config, &error) != DuckDBSuccess)
            r = duck__fail(err, DUCKDB_ERROR_INVALID, error, NULL);
        duckdb_free(error);
    }
    duckdb_destroy_config(&config);
    if (r < 0)
        return r;

    duckdb_connection connection;
    silt_assert(duckdb_connect(engine->database, &connection) == DuckDBSuccess);
    r = duck__register_input(engine, connection, err);
    if (r == 0)
        r = duck__register_unmarked(engine, connection, err);
    duckdb_disconnect(&connection);
    if (r < 0)
        duckdb_close(&engine->database);
    return r;
}

int duck__connect(DuckEngine *engine, duckdb_connection *out, SiltErr *err)
{
    if (duckdb_connect(engine->database, out) != DuckDBSuccess) {
        *out = NULL;
        return silt_fail(err, SILT_TRANSIENT, "could not open a connection to the engine");
    }
    duckdb_state state = duckdb_query(*out, "SET TimeZone = 'UTC'", NULL);
    silt_assert(state == DuckDBSuccess);
    return 0;
}

int duck_session_open(DuckEngine *engine, DuckSession **out, SiltErr *err)
{
    pthread_mutex_lock(&engine->lock);
    int r = engine->database ? 0 : open_database(engine, err);
    pthread_mutex_unlock(&engine->lock);
    SILT_TRY(r);

    DuckSession *session = silt_alloc(sizeof *session);
    session->engine = engine;
    if (duckdb_connect(engine->database, &session->connection) != DuckDBSuccess) {
        free(session);
        return silt_fail(err, SILT_TRANSIENT, "could not open a connection to the engine");
    }
    duckdb_client_context context;
    duckdb_connection_get_client_context(session->connection, &context);
    session->connection_id = duckdb_client_context_get_connection_id(context);
    duckdb_destroy_client_context(&context);

    pthread_mutex_lock(&engine->lock);
    session->next = engine->sessions;
    engine->sessions = session;
    pthread_mutex_unlock(&engine->lock);

    if (duck_session_set_time_zone(session, "UTC", err) < 0) {
        duck_session_close(session);
        return -1;
    }
    *out = session;
    return 0;
}

static void input_free(DuckInput *input)
{
    if (!input)
        return;
    arena_free(input->arena);
    free(input);
}

void duck_session_close(DuckSession *session)
{
    if (!session)
        return;
    duck__statements_free(session);
    duckdb_disconnect(&session->connection);

    DuckEngine *engine = session->engine;
    pthread_mutex_lock(&engine->lock);
    DuckSession **at = &engine->sessions;
    while (*at != session)
        at = &(*at)->next;
    *at = session->next;
    pthread_mutex_unlock(&engine->lock);

    for (int i = 0; i < session->input_count; i++)
        input_free(session->inputs[i]);
    free(session->inputs);
    free(session->counters);
    free(session->time_zone);
    free(session->source_file);
    free(session);
}

void duck_session_closep(DuckSession **session)
{
    duck_session_close(*session);
    *session = NULL;
}

void duck_session_set_aside(DuckSession *session, DuckAside aside)
{
    session->aside = aside;
}

void duck_session_set_stop(DuckSession *session, bool (*asked)(void *self), void *self)
{
    session->stop = asked;
    session->stop_self = self;
}

void duck_session_interrupt(DuckSession *session)
{
    duckdb_interrupt(session->connection);
}

int duck_session_watch(DuckSession *session, SiltErr *err)
{
    SILT_TRY(duck_session_execute(session, "SET enable_progress_bar_print = false", err)); /* first: DuckDB has a bar of its own */
    SILT_TRY(duck_session_execute(session, "SET progress_bar_time = 0", err));
    return duck_session_execute(session, "SET enable_progress_bar = true", err);
}

double duck_session_progress(DuckSession *session)
{
    return duckdb_query_progress(session->connection).percentage;
}

DuckSession *duck__session_of(DuckEngine *engine, duckdb_client_context context)
{
    uint64_t id = duckdb_client_context_get_connection_id(context);
    pthread_mutex_lock(&engine->lock);
    DuckSession *session = engine->sessions;
    while (session && session->connection_id != id)
        session = session->next;
    pthread_mutex_unlock(&engine->lock);
    return session;
}

/* ---- what functions see ---- */

int duck_session_set_time_zone(DuckSession *session, const char *zone, SiltErr *err)
{
    if (session->time_zone && strcmp(session->time_zone, zone) == 0)
        return 0;
    int offset_seconds;
    char name[32];
    bool fixed = zone_parse_offset(str_of(zone), &offset_seconds);
    SILT_TRY(zone_check(zone, err));
    if (fixed) /* DuckDB knows names only; those of Etc count west of UTC */
        snprintf(name, sizeof name, offset_seconds ? "Etc/GMT%+d" : "UTC", -offset_seconds / 3600);

    silt_auto(str_buf_fini) StrBuf sql = {0};
    str_buf_puts(&sql, "SET TimeZone = ");
    quote_text(&sql, str_of(fixed ? name : zone));
    SILT_TRY(duck_session_execute(session, str_buf_text(&sql), err));
    free(session->time_zone);
    session->time_zone = silt_strdup(zone);
    session->zone = NULL;
    return 0;
}

const Zone *duck__zone_by_name(Str name, SiltErr *err)
{
    const Zone *zone = zone_find(name);
    if (!zone) {
        silt_fail(err, SILT_CONFIG, "time zone \"%.*s\" is not known", FN_SHOW(name));
        silt_code(err, "INVALID_TIMEZONE");
    }
    return zone;
}

int duck_session_zone(DuckSession *session, const Zone **out, SiltErr *err)
{
    const Zone *zone = duck__session_zone(session, err);
    if (!zone)
        return -1;
    *out = zone;
    return 0;
}

const Zone *duck__session_zone(DuckSession *session, SiltErr *err)
{
    const Zone *zone = __atomic_load_n(&session->zone, __ATOMIC_ACQUIRE);
    if (!zone) {
        zone = duck__zone_by_name(str_of(session->time_zone), err);
        __atomic_store_n(&session->zone, zone, __ATOMIC_RELEASE);
    }
    return zone;
}

void duck_session_set_clock(DuckSession *session, int64_t now_us)
{
    session->now_us = now_us;
    session->now_set = true;
}

void duck_session_set_source(DuckSession *session, const char *file)
{
    free(session->source_file);
    session->source_file = file ? silt_strdup(file) : NULL;
}

void duck__reserve_counter(DuckSession *session, int counter)
{
    silt_assert(counter >= 0 && counter < COUNTERS_MAX);
    if (counter < session->counter_count)
        return;
    session->counters = silt_realloc(session->counters, (size_t)(counter + 1) * sizeof *session->counters);
    memset(session->counters + session->counter_count, 0, (size_t)(counter + 1 - session->counter_count) * sizeof *session->counters);
    session->counter_count = counter + 1;
}

void duck_session_reset_counters(DuckSession *session)
{
    if (session->counter_count)
        memset(session->counters, 0, (size_t)session->counter_count * sizeof *session->counters);
}

DuckCounter duck_session_counter(const DuckSession *session, int counter)
{
    return counter >= 0 && counter < session->counter_count ? session->counters[counter] : (DuckCounter){0};
}

/* ---- inputs ---- */

int duck_session_bind_input(DuckSession *session, int slot, const Type *const *types, int column_count, SiltErr *err)
{
    if (slot < 0 || slot >= SLOTS_MAX)
        return silt_fail(err, SILT_CONFIG, "a query cannot have more than %d inputs", SLOTS_MAX);
    if (slot >= session->input_count) {
        session->inputs = silt_realloc(session->inputs, (size_t)(slot + 1) * sizeof *session->inputs);
        for (int i = session->input_count; i <= slot; i++)
            session->inputs[i] = NULL;
        session->input_count = slot + 1;
    }
    silt_auto(str_buf_fini) StrBuf signature = {0};
    for (int i = 0; i < column_count; i++) {
        type_print_duck(&signature, types[i]);
        str_buf_putc(&signature, ';');
    }
    DuckInput *input = session->inputs[slot];
    if (input && strcmp(input->signature, str_buf_text(&signature)) == 0) {
        input->reader = NULL;
        return 0;
    }
    input_free(input);
    input = session->inputs[slot] = silt_alloc(sizeof *input);
    input->arena = arena_new();
    input->types = ARENA_ARRAY(input->arena, const Type *, column_count);
    for (int i = 0; i < column_count; i++)
        input->types[i] = type_copy(input->arena, types[i]);
    input->column_count = column_count;
    input->signature = arena_strdup(input->arena, str_buf_text(&signature));
    return 0;
}

void duck_session_set_reader(DuckSession *session, int slot, ChunkReader *reader)
{
    silt_assert(slot >= 0 && slot < session->input_count && session->inputs[slot]);
    session->inputs[slot]->reader = reader;
    session->inputs[slot]->opened_in = 0;
}

/* ---- functions ---- */

static bool is_registered(const DuckEngine *engine, Str name)
{
    for (int i = 0; i < engine->name_count; i++)
        if (str_is(name, engine->names[i]))
            return true;
    return false;
}

/* The name that starts at p: silt_..., inside of quotes also what follows, up to the quote. The end, or NULL if it is none. */
static const char *scan_name(const char *sql, const char *p, StrBuf *name)
{
    str_buf_clear(name);
    if (p > sql && p[-1] == '"') {
        for (; *p && (*p != '"' || p[1] == '"'); p++) {
            if (*p == '"')
                p++;
            str_buf_putc(name, *p);
        }
        return p;
    }
    if (p > sql && (p[-1] == '_' || (p[-1] >= 'a' && p[-1] <= 'z')))
        return p + 1;
    while (*p == '_' || (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'))
        str_buf_putc(name, *p++);
    return p;
}

int duck__register_named(DuckSession *session, const char *sql, SiltErr *err)
{
    DuckEngine *engine = session->engine;
    silt_auto(str_buf_fini) StrBuf name = {0};
    int r = 0;
    pthread_mutex_lock(&engine->register_lock);
    for (const char *p = sql; r >= 0 && (p = strstr(p, "silt_"));) {
        p = scan_name(sql, p, &name);
        if (name.size == 0 || is_registered(engine, str_buf_view(&name)))
            continue;
        r = duck__register_function(engine, session->connection, str_buf_view(&name), err);
        if (r == 0) {
            engine->names = silt_realloc(engine->names, (size_t)(engine->name_count + 1) * sizeof *engine->names);
            engine->names[engine->name_count++] = silt_strdup(name.ptr);
        }
    }
    pthread_mutex_unlock(&engine->register_lock);
    return r < 0 ? r : 0;
}
