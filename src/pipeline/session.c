/* pipeline/session.c - SQL over the project's tables and over paths: one query at a time, pulled as chunks */
#include "pipeline/internal.h"
#include "base/log.h"
#include "delta/scan.h"
#include "pipeline/explain.h"
#include "pipeline/open_table.h"
#include "source/source.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records of one input that could not be decoded: a query has no table to keep them in, so it tells how many there are, and of the first where and why. */
typedef struct BadRecords {
    pthread_mutex_t lock; /* of all below: several threads decode */
    const SourceBatch *batch;
    int64_t count, position;
    char file[512], reason[256];
} BadRecords;

/* One query's inputs, alive while its rows are pulled. */
typedef struct Running {
    PipelineSession *session;
    FlowQuery *query;
    const char **sql; /* by slot */
    SourceBatch **batches;
    BadRecords *bad; /* by slot, as batches */
    const LoadedFiles *loaded; /* files that are left out; NULL: none */
    ChunkReader rows;
    const Zone *zone;
} Running;

typedef struct Result {
    PipelineResult shown; /* first: the caller's pointer */
    Running running;
    LoadedFiles *loaded; /* owned */
} Result;

int pipeline_session_open(Pipeline *pipeline, PipelineSession **out, SiltErr *err)
{
    PipelineSession *session = silt_alloc(sizeof *session);
    AnalysisOptions options = pipeline__analysis_options(pipeline);

    (void)err;
    session->pipeline = pipeline;
    session->arena = arena_new();
    session->defined.arena = session->arena;
    session->analysis = analysis_new(&options);
    session->conf = conf_copy(session->arena, pipeline->spec ? pipeline->spec->conf : NULL);
    session->schema = pipeline->spec ? pipeline->spec->database : "default";
    *out = session;
    return 0;
}

void pipeline_session_close(PipelineSession *session)
{
    if (!session)
        return;
    duck_session_close(atomic_load(&session->duck));
    analysis_free(session->analysis);
    arena_free(session->arena);
    free(session);
}

void pipeline_session_watch(PipelineSession *session)
{
    session->watched = true;
}

double pipeline_session_progress(PipelineSession *session)
{
    DuckSession *duck = atomic_load(&session->duck);

    return duck ? duck_session_progress(duck) : -1;
}

void pipeline_session_interrupt(PipelineSession *session)
{
    DuckSession *duck = atomic_load(&session->duck);

    if (duck)
        duck_session_interrupt(duck);
    duck = atomic_load(&session->busy);
    if (duck)
        duck_session_interrupt(duck);
}

/* ---- SET, RESET, USE ---- */

static int check_variable(const PipelineSession *session, const char *key, SiltPos pos, SiltErr *err)
{
    const char *last = strrchr(key, '.');
    bool session_key = !last || (last - key == 7 && !strncasecmp(key, "session", 7)) || (last - key == 14 && !strncasecmp(key, "system.session", 14));

    if (!session_key || !defined_variable(&session->defined, last ? last + 1 : key))
        return 0;
    silt_fail_at(err, SILT_CONFIG, pos, "\"%s\" is a variable, no setting", key);
    silt_code(err, "UNSUPPORTED_FEATURE.SET_VARIABLE_IN_SET");
    return silt_hint(err, "Write SET VARIABLE %s = ...", key);
}

int pipeline_session_get(PipelineSession *session, Arena *arena, const char *key, SiltPos pos, const char **value, SiltErr *err)
{
    const char *takes, *known = NULL;

    *value = conf_get(session->conf, key);
    if (*value)
        return 0;
    *value = conf_default(arena, key);
    for (int i = 0; str_starts(str_of(key), "silt.") && (known = conf_known(arena, i, &takes)) && strcmp(known, key); i++)
        ;
    return known || !str_starts(str_of(key), "silt.") ? 0 : conf_check(key, "", pos, err);
}

void pipeline_session_setting(PipelineSession *session, Arena *arena, bool all, int index, const char **key, const char **value, const char **takes)
{
    const Conf *conf = session->conf;

    *takes = NULL;
    *key = NULL;
    if (index < conf->count) {
        *key = conf->entries[index].key;
        *value = conf->entries[index].value;
        return;
    }
    for (int i = 0, at = conf->count; all; i++) {
        const char *known = conf_known(arena, i, takes);
        if (!known)
            return;
        if (conf_get(conf, known) || at++ < index)
            continue;
        *key = known;
        *value = conf_default(arena, known);
        return;
    }
}

void pipeline_session_reset(PipelineSession *session, const char *key)
{
    const Conf *project = session->pipeline->spec ? session->pipeline->spec->conf : NULL;
    Conf *fresh = conf_copy(session->arena, key ? NULL : project);

    for (int i = 0; key && i < session->conf->count; i++)
        if (strcmp(session->conf->entries[i].key, key))
            conf_set(fresh, session->conf->entries[i].key, session->conf->entries[i].value, session->conf->entries[i].pos);
    const ConfEntry *entry = key ? conf_entry(project, key) : NULL;
    if (entry)
        conf_set(fresh, entry->key, entry->value, entry->pos);
    session->conf = fresh;
}

int pipeline_session_set(PipelineSession *session, const char *key, const char *value, SiltPos pos, SiltErr *err)
{
    SILT_TRY(check_variable(session, key, pos, err));
    int r = conf_check(key, value, pos, err);

    if (r < 0)
        return r;
    conf_set(session->conf, arena_strdup(session->arena, key), arena_strdup(session->arena, value), pos);
    return 0;
}

int pipeline_session_use(PipelineSession *session, const char *schema, SiltErr *err)
{
    (void)err;
    session->schema = arena_strdup(session->arena, schema);
    return 0;
}

/* ---- inputs ---- */

static int open_duck(PipelineSession *session, DuckSession **out, SiltErr *err)
{
    *out = atomic_load(&session->duck);
    if (*out)
        return 0;
    SILT_TRY(duck_session_open(session->pipeline->engine, out, err));
    atomic_store(&session->duck, *out);
    return session->watched ? duck_session_watch(*out, err) : 0;
}

static int open_table(Running *running, PlanInput *input, SiltErr *err)
{
    DeltaEnv env = open_table_env(running->session->pipeline->io, running->session->pipeline->engine);
    silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *at = NULL;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    Arena *arena = running->query->arena;
    int count = input->relation.column_count;
    int *columns = ARENA_ARRAY(arena, int, count + 1);

    if (!input->table)
        input->table = delta_table_new(&env, input->path);
    bool named = input->version >= 0; /* later versions are not looked at: they may be what is wrong with the table */
    int r = named ? delta_table_at_version(input->table, input->version, &at, err) : delta_table_refresh(input->table, err);
    if (r == DELTA_ABSENT)
        return silt_fail_at(err, SILT_TRANSIENT, input->pos, "table \"%s\" has vanished", input->relation.name);
    SILT_TRY(r);
    const DeltaSnapshot *snapshot = named ? at : delta_table_snapshot(input->table);
    for (int i = 0; i < count; i++) {
        columns[i] = type_field_index(snapshot->metadata->schema, input->relation.column_names[i], NULL);
        if (columns[i] < 0)
            return silt_fail_at(err, SILT_TRANSIENT, input->pos, "column \"%s\" of \"%s\" has vanished", input->relation.column_names[i],
                                input->relation.name);
    }
    SILT_TRY(delta_scan_snapshot_sql(snapshot, NULL, 0, columns, count, &sql, NULL, err));
    running->sql[input->relation.slot] = arena_strdup(arena, str_buf_text(&sql));
    return 0;
}

static bool is_not_loaded(void *self, const char *uri)
{
    return !loaded_files_has(self, uri);
}

static int note_bad(void *self, const FormatBadRecord *record, SiltErr *err)
{
    BadRecords *bad = self;
    int parts;

    (void)err;
    pthread_mutex_lock(&bad->lock);
    if (!bad->count++) {
        snprintf(bad->file, sizeof bad->file, "%s", source_batch_parts(bad->batch, &parts)[record->source].name);
        snprintf(bad->reason, sizeof bad->reason, "%s", record->reason);
        bad->position = record->position;
    }
    pthread_mutex_unlock(&bad->lock);
    return 0;
}

static void tell_bad(BadRecords *bad, const char *input)
{
    if (bad->count)
        LOG(LOG_WARN, "query.undecodable", LOG_TEXT("input", input), LOG_INTEGER("records", bad->count), LOG_TEXT("first_file", bad->file),
            LOG_INTEGER("position", bad->position), LOG_TEXT("reason", bad->reason));
    pthread_mutex_destroy(&bad->lock);
}

static int open_source(Running *running, PlanInput *input, DuckSession *duck, SiltErr *err)
{
    int slot = input->relation.slot;
    SourceBatch **batch = &running->batches[slot];
    BadRecords *bad = &running->bad[slot];
    SourceReadOptions options = {.take = running->loaded ? is_not_loaded : NULL, .take_self = (void *)running->loaded, .sink = {bad, note_bad}};

    SILT_TRY(source_open_snapshot(input->source, &options, batch, err));
    pthread_mutex_init(&bad->lock, NULL);
    bad->batch = *batch;
    if (source_batch_sql(*batch)) {
        running->sql[slot] = source_batch_sql(*batch);
        return 0;
    }
    SILT_TRY(duck_session_bind_input(duck, slot, source_schema(input->source)->types, source_schema(input->source)->column_count, err));
    duck_session_set_reader(duck, slot, source_batch_reader(*batch));
    running->sql[slot] = arena_printf(running->query->arena, "silt_input(%d)", slot);
    return 0;
}

static void close_running(Running *running)
{
    DuckSession *duck = atomic_load(&running->session->duck);

    if (running->rows.close)
        running->rows.close(running->rows.self);
    for (int i = 0; i < running->query->input_count; i++) {
        if (running->batches && running->batches[i]) {
            if (duck && source_batch_reader(running->batches[i]))
                duck_session_set_reader(duck, i, NULL);
            tell_bad(&running->bad[i], running->query->inputs[i]->relation.name);
            source_batch_close(running->batches[i]);
        }
    }
    flow_query_free(running->query);
}

static int start(Running *running, SiltErr *err)
{
    PipelineSession *session = running->session;
    const FlowQuery *query = running->query;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    DuckStatement *statement;
    DuckSession *duck;

    SILT_TRY(open_duck(session, &duck, err));
    SILT_TRY(duck_session_set_time_zone(duck, conf_sql_settings(session->conf).time_zone, err));
    SILT_TRY(duck_session_zone(duck, &running->zone, err));
    duck_session_set_clock(duck, io_now_us(session->pipeline->io));
    duck_session_set_source(duck, query->query->pos.file);
    duck_session_reset_counters(duck);
    running->sql = ARENA_ARRAY(query->arena, const char *, query->input_count + 1);
    running->batches = ARENA_ARRAY(query->arena, SourceBatch *, query->input_count + 1);
    running->bad = ARENA_ARRAY(query->arena, BadRecords, query->input_count + 1);
    for (int i = 0; i < query->input_count; i++)
        SILT_TRY(query->inputs[i]->kind == PLAN_INPUT_DELTA ? open_table(running, query->inputs[i], err)
                                                            : open_source(running, query->inputs[i], duck, err));
    plan_print(&sql, query->query, running->sql, query->input_count, false, false);
    SILT_TRY(duck_session_prepare(duck, str_buf_text(&sql), &statement, err));
    return duck_statement_read(statement, query->query->column_types, query->query->column_count, &running->rows, err);
}

static void free_result(PipelineResult *shown)
{
    Result *result = (Result *)shown;

    close_running(&result->running);
    loaded_files_free(result->loaded);
    free(result);
}

static int next_rows(void *self, Chunk **out, SiltErr *err)
{
    Running *running = self;
    int r = running->rows.next(running->rows.self, out, err);

    if (r < 0)
        plan_place(running->query->query, err);
    return r;
}

GraphScope pipeline__session_scope(const PipelineSession *session)
{
    const PipelineSpec *spec = session->pipeline->spec;
    return (GraphScope){session->conf, spec ? spec->catalog : "spark_catalog", session->schema};
}

int pipeline__session_query(PipelineSession *session, Query *query, LoadedFiles *loaded, PipelineResult **out, SqlErrors *errors)
{
    GraphScope scope = pipeline__session_scope(session);
    Result *result = silt_alloc(sizeof *result);
    SiltErr err;

    result->loaded = loaded;
    result->running.loaded = loaded;
    result->running.session = session;
    if (analysis_query(session->analysis, query, &scope, &session->defined, NULL, &result->running.query, errors) < 0) {
        loaded_files_free(loaded);
        free(result);
        return -1;
    }
    if (start(&result->running, &err) < 0) {
        plan_place(result->running.query->query, &err);
        sql_errors_add(errors, &err);
        free_result(&result->shown);
        return -1;
    }
    result->shown = (PipelineResult){
        .column_names = query->column_names,
        .column_types = query->column_types,
        .column_nullable = query->column_nullable,
        .column_count = query->column_count,
        .reader = {.self = &result->running, .next = next_rows, .rows_estimate = -1},
        .time_zone = conf_sql_settings(session->conf).time_zone,
        .zone = result->running.zone,
        .free = free_result,
    };
    *out = &result->shown;
    return 0;
}

int pipeline_session_query(PipelineSession *session, Query *query, PipelineResult **out, SqlErrors *errors)
{
    return pipeline__session_query(session, query, NULL, out, errors);
}

void pipeline_result_free(PipelineResult *result)
{
    if (result)
        result->free(result);
}

/* ---- EXPLAIN ---- */

static void put_inputs(const PipelineSession *session, Arena *arena, const FlowQuery *query, StrBuf *out)
{
    const Pipeline *pipeline = session->pipeline;

    if (query->input_count)
        str_buf_puts(out, "\n== Inputs ==\n");
    for (int i = 0; i < query->input_count; i++) {
        if (explain_is_repeated(query, i))
            continue;
        str_buf_printf(out, "%s\n", query->inputs[i]->relation.name);
        const char *text = explain_input(pipeline->io, pipeline->engine, arena, query->inputs[i]);
        for (const char *line = text; *line; line += *line == '\n') {
            size_t size = strcspn(line, "\n");
            str_buf_printf(out, "  %.*s\n", (int)size, line);
            line += size;
        }
    }
}

static void put_extended(Arena *arena, const FlowQuery *query, StrBuf *out)
{
    const char **texts = ARENA_ARRAY(arena, const char *, query->input_count + 1);

    str_buf_puts(out, "\n== Output ==\n");
    for (int i = 0; i < query->query->column_count; i++)
        str_buf_printf(out, "%s: %s\n", query->query->column_names[i], type_text(arena, query->query->column_types[i]));
    for (int i = 0; i < query->input_count; i++)
        texts[i] = arena_printf(arena, "silt_input(%d)", i);
    str_buf_puts(out, "\n== DuckDB ==\n");
    plan_print(out, query->query, texts, query->input_count, false, false);
    str_buf_putc(out, '\n');
}

int pipeline_session_explain(PipelineSession *session, Query *query, const PipelineStatement *text, bool extended, Arena *arena, const char **out,
                             SqlErrors *errors)
{
    const PipelineSpec *spec = session->pipeline->spec;
    GraphScope scope = {session->conf, spec ? spec->catalog : "spark_catalog", session->schema};
    silt_auto(str_buf_fini) StrBuf plan = {0};
    FlowQuery *analyzed;
    Statement **statements;
    int count;

    if (analysis_query(session->analysis, query, &scope, &session->defined, NULL, &analyzed, errors) < 0)
        return -1;
    int r = sql_parse_file(arena, text->file, text->text, &statements, &count, errors);
    if (r == 0) {
        str_buf_puts(&plan, "== Plan ==\n");
        explain_plan(&plan, arena, session->pipeline->graph, &scope, statements[text->index]->query, analyzed, 0);
        put_inputs(session, arena, analyzed, &plan);
        if (extended)
            put_extended(arena, analyzed, &plan);
        *out = arena_strndup(arena, plan.ptr, plan.size - 1); /* the last newline is whoever's who prints it */
    }
    flow_query_free(analyzed);
    return r;
}
