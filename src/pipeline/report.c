/*
 * pipeline/report.c - events of a run, for its callbacks and as Lakeflow's event log has them
 *
 *   L1  A triggered update in which no flow had anything to do leaves nothing; but once the log was not written to for ALIVE_MS, one event, that it
 *       is COMPLETED: a reader sees that the pipeline lives, and a schedule of one update a minute costs no more than it did.
 *   L2  In any other update, a flow that had nothing to do leaves its definition and its COMPLETED; the others all they said.
 *   L3  Numbers of batches are summed: a flow's COMPLETED bears what came since the last flush, and at each flush in between goes one event
 *       RUNNING for each flow that has sealed batches. Adding up all events of a flow gives what it has done.
 *
 * L1 and L2 are two places where lines wait: of the run (`held`) and of each flow. They are let go by the first event that matters.
 */
#include "pipeline/report.h"
#include "base/json.h"
#include "base/log.h"
#include "pipeline/event_log.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { FLUSH_INTERVAL_MS = 10000, ALIVE_MS = 10 * 60 * 1000 };

/* What the batches of a flow have done since it was last told. */
typedef struct Sums {
    int64_t batches, last_batch;
    int64_t input_rows, output_rows, output_bytes, refused_rows, undecodable_rows;
    FlowExpected *expectations;
    int expectation_count;
    StrBuf json; /* Structured Streaming's record of the last batch */
} Sums;

typedef struct FlowReport {
    StrBuf held;
    bool active; /* it had something to do */
    bool planned;
    int64_t idle_us; /* when IDLE was last written */
    Sums sums;
} FlowReport;

struct Report {
    ReportOptions options;
    Arena *arena;
    pthread_mutex_t lock;
    FlowReport *flows; /* by index */
    EventLog *log;     /* NULL: not open */
    char update_id[37], host[65];
    int64_t begun_us, last_seq;
    uint8_t node[8];
    StrBuf held;
    bool released;
    pthread_t flusher;
    bool flushing, quit;
    pthread_cond_t wake;
};

/* ---- one event as a line of JSON ---- */

typedef struct Event {
    int64_t time_us; /* 0: now */
    const char *type, *level, *message;
    const GraphFlow *flow; /* NULL: about the update */
    const Dataset *dataset; /* NULL: the flow's target */
    int64_t batch_id;      /* -1: none */
    const SiltErr *errors;
    int error_count;
    bool fatal;
    const StrBuf *details; /* a whole JSON object */
} Event;

/* Rises from event to event, and over updates: microseconds, moved on where the clock stands still. */
static int64_t next_seq(Report *r, int64_t now_us)
{
    r->last_seq = now_us > r->last_seq ? now_us : r->last_seq + 1;
    return r->last_seq;
}

/* A time-based UUID (version 1), as Lakeflow's: they sort and compress well. */
static void put_id(const Report *r, JsonWriter *w, int64_t seq)
{
    uint64_t ticks = (uint64_t)seq * 10 + UINT64_C(0x01B21DD213814000); /* 100 ns since 1582-10-15 */
    char text[37];

    snprintf(text, sizeof text, "%08x-%04x-1%03x-%02x%02x-%02x%02x%02x%02x%02x%02x", (unsigned)(ticks & 0xffffffff), (unsigned)(ticks >> 32 & 0xffff),
             (unsigned)(ticks >> 48 & 0xfff), (r->node[0] & 0x3f) | 0x80, r->node[1], r->node[2] | 1, r->node[3], r->node[4], r->node[5], r->node[6],
             r->node[7]);
    json_member(w, "id", text);
}

static void put_origin(const Report *r, JsonWriter *w, const Event *event)
{
    const Dataset *dataset = event->dataset ? event->dataset : event->flow ? event->flow->target : NULL;

    json_key(w, "origin");
    json_object(w);
    json_member_int(w, "user_id", (int64_t)getuid());
    json_member(w, "pipeline_id", event_log_pipeline_id(r->log));
    json_member(w, "pipeline_type", "WORKSPACE");
    json_member(w, "pipeline_name", r->options.spec->name);
    json_member(w, "update_id", r->update_id);
    if (dataset) {
        json_member(w, "table_name", dataset->name);
        json_member(w, "dataset_name", dataset->name);
    }
    if (event->flow)
        json_member(w, "flow_name", event->flow->name);
    if (event->batch_id >= 0)
        json_member_int(w, "batch_id", event->batch_id);
    json_member(w, "host", r->host);
    json_object_end(w);
}

static const char *class_of(const SiltErr *err)
{
    static const char *const kinds[] = {"", "TRANSIENT", "INPUT", "CONFIG", "CORRUPT", "CANCELLED"};

    return err->code[0] ? err->code : kinds[err->kind];
}

static void put_error(JsonWriter *w, const Event *event)
{
    json_key(w, "error");
    json_object(w);
    json_member_bool(w, "fatal", event->fatal);
    json_key(w, "exceptions");
    json_array(w);
    for (int i = 0; i < event->error_count; i++) {
        const SiltErr *err = &event->errors[i];
        silt_auto(str_buf_fini) StrBuf message = {0};
        str_buf_printf(&message, "%s%s%s", err->message, err->hint[0] ? "\n" : "", err->hint);
        json_object(w);
        json_member(w, "class_name", class_of(err));
        json_member(w, "message", str_buf_text(&message));
        json_key(w, "stack");
        json_array(w);
        if (err->line) {
            json_object(w);
            json_member(w, "file_name", err->file);
            json_member_int(w, "line_number", err->line);
            json_object_end(w);
        }
        json_array_end(w);
        json_object_end(w);
    }
    json_array_end(w);
    json_object_end(w);
}

static void print_event(Report *r, StrBuf *out, const Event *event)
{
    JsonWriter w = {.out = out};
    int64_t now_us = event->time_us ? event->time_us : io_now_us(r->options.io), seq = next_seq(r, now_us);

    json_object(&w);
    put_id(r, &w, seq);
    json_key(&w, "sequence");
    json_object(&w);
    json_key(&w, "data_plane_id");
    json_object(&w);
    json_member(&w, "instance", r->update_id);
    json_member_int(&w, "seq_no", seq);
    json_object_end(&w);
    json_object_end(&w);
    put_origin(r, &w, event);
    json_member_int(&w, "time", now_us);
    json_member(&w, "message", event->message);
    json_member(&w, "level", event->level);
    json_member(&w, "maturity_level", "STABLE");
    if (event->error_count)
        put_error(&w, event);
    json_member(&w, "details", str_buf_text(event->details));
    json_member(&w, "event_type", event->type);
    json_object_end(&w);
    str_buf_putc(out, '\n');
}

/* Begin `{"type": {`, and end both. */
static JsonWriter details_begin(StrBuf *out, const char *type)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    json_key(&w, type);
    json_object(&w);
    return w;
}

static void details_end(JsonWriter *w)
{
    json_object_end(w);
    json_object_end(w);
}

/* ---- what waits and what goes ---- */

static void *flush_now_and_then(void *self);

/* From the first event that matters on there is something to write. */
static void release(Report *r)
{
    if (r->released)
        return;
    r->released = true;
    if (r->options.threaded)
        r->flushing = pthread_create(&r->flusher, NULL, flush_now_and_then, r) == 0;
    event_log_add(r->log, str_buf_view(&r->held));
    str_buf_fini(&r->held);
    r->held = (StrBuf){0};
}

static void put(Report *r, const StrBuf *lines)
{
    if (r->released)
        event_log_add(r->log, str_buf_view(lines));
    else
        str_buf_str(&r->held, str_buf_view(lines));
}

static void put_event(Report *r, const Event *event)
{
    silt_auto(str_buf_fini) StrBuf line = {0};

    print_event(r, &line, event);
    put(r, &line);
}

/* The flow has something to do after all: what it said so far counts, and so does the update. */
static void activate(Report *r, const GraphFlow *flow)
{
    FlowReport *own = &r->flows[flow->index];

    release(r);
    if (own->active)
        return;
    own->active = true;
    put(r, &own->held);
    str_buf_fini(&own->held);
    own->held = (StrBuf){0};
}

/* ---- numbers of batches ---- */

static void add_sums(Report *r, const GraphFlow *flow, const FlowProgress *progress)
{
    Sums *sums = &r->flows[flow->index].sums;

    if (!sums->expectations) { /* those of the target's statement: always the same */
        sums->expectations = ARENA_ARRAY(r->arena, FlowExpected, progress->expectation_count + 1);
        sums->expectation_count = progress->expectation_count;
        for (int i = 0; i < progress->expectation_count; i++)
            sums->expectations[i] = (FlowExpected){.name = arena_strdup(r->arena, progress->expectations[i].name)};
    }
    silt_assert(sums->expectation_count == progress->expectation_count);
    for (int i = 0; i < progress->expectation_count; i++) {
        sums->expectations[i].passed += progress->expectations[i].passed;
        sums->expectations[i].failed += progress->expectations[i].failed;
    }
    sums->batches++;
    sums->last_batch = progress->batch_id;
    sums->input_rows += progress->input_rows;
    sums->output_rows += progress->output_rows;
    sums->output_bytes += progress->output_bytes;
    sums->refused_rows += progress->refused_rows;
    sums->undecodable_rows += progress->reading.undecodable;
    str_buf_clear(&sums->json);
    str_buf_puts(&sums->json, progress->json);
}

static void put_numbers(JsonWriter *w, const Sums *sums, const char *dataset)
{
    json_key(w, "metrics");
    json_object(w);
    json_member_int(w, "num_output_rows", sums->output_rows);
    json_member_int(w, "num_output_bytes", sums->output_bytes);
    json_member_int(w, "num_input_rows", sums->input_rows); /* these two are Silt's */
    json_member_int(w, "num_undecodable_rows", sums->undecodable_rows);
    json_object_end(w);
    if (!sums->expectation_count)
        return;
    json_key(w, "data_quality");
    json_object(w);
    json_member_int(w, "dropped_records", sums->refused_rows);
    json_key(w, "expectations");
    json_array(w);
    for (int i = 0; i < sums->expectation_count; i++) {
        json_object(w);
        json_member(w, "name", sums->expectations[i].name);
        json_member(w, "dataset", dataset);
        json_member_int(w, "passed_records", sums->expectations[i].passed);
        json_member_int(w, "failed_records", sums->expectations[i].failed);
        json_object_end(w);
    }
    json_array_end(w);
    json_object_end(w);
}

static void reset_sums(Sums *sums)
{
    for (int i = 0; i < sums->expectation_count; i++)
        sums->expectations[i].passed = sums->expectations[i].failed = 0;
    str_buf_clear(&sums->json);
    *sums = (Sums){.expectations = sums->expectations, .expectation_count = sums->expectation_count, .json = sums->json};
}

/* The record of the last batch, as Lakeflow has it: JSON within JSON. */
static void put_stream_progress(Report *r, const GraphFlow *flow, const Sums *sums)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = details_begin(&details, "stream_progress");

    if (flow->target->kind != DATASET_STREAMING_TABLE)
        return;
    json_member(&w, "progress_json", str_buf_text(&sums->json));
    details_end(&w);
    str_buf_printf(&message, "Completed a streaming update of '%s'.", flow->name);
    put_event(r, &(Event){.type = "stream_progress",
                          .level = "METRICS",
                          .message = str_buf_text(&message),
                          .flow = flow,
                          .batch_id = sums->last_batch,
                          .details = &details});
}

/* An event of a flow, with the numbers that have not been told yet if `numbers`. */
static void put_flow_progress(Report *r, const char *level, const GraphFlow *flow, const char *status, bool numbers, const SiltErr *error,
                              const char *message, StrBuf *out)
{
    Sums *sums = &r->flows[flow->index].sums;
    silt_auto(str_buf_fini) StrBuf details = {0};
    JsonWriter w = details_begin(&details, "flow_progress");

    json_member(&w, "status", status);
    if (numbers)
        put_numbers(&w, sums, flow->target->name);
    details_end(&w);
    print_event(r, out,
                &(Event){.type = "flow_progress",
                         .level = level,
                         .message = message,
                         .flow = flow,
                         .batch_id = numbers ? sums->last_batch : -1,
                         .errors = error,
                         .error_count = error != NULL,
                         .fatal = error && !strcmp(level, "ERROR"),
                         .details = &details});
    if (numbers) {
        put_stream_progress(r, flow, sums);
        reset_sums(sums);
    }
}

/* RUNNING, with what has been done since the last time. */
static void put_running(Report *r, const GraphFlow *flow)
{
    silt_auto(str_buf_fini) StrBuf line = {0}, message = {0};

    if (!r->flows[flow->index].sums.batches)
        return;
    str_buf_printf(&message, "Flow %s is RUNNING.", flow->name);
    put_flow_progress(r, "METRICS", flow, "RUNNING", true, NULL, str_buf_text(&message), &line);
    put(r, &line);
}

/* ---- events of flows and of the update ---- */

static bool is_one_of(const char *status, const char *const *list)
{
    while (*list && strcmp(*list, status))
        list++;
    return *list != NULL;
}

static void log_flow(Report *r, PipelineLevel level, const GraphFlow *flow, const char *status, const SiltErr *error, const char *message)
{
    static const char *const levels[] = {"INFO", "WARN", "ERROR"};
    static const char *const waiting[] = {"QUEUED", "PLANNING", "STARTING", "RUNNING", "EXCLUDED", "IDLE", NULL};
    FlowReport *own = &r->flows[flow->index];
    silt_auto(str_buf_fini) StrBuf line = {0};
    bool completed = !strcmp(status, "COMPLETED");

    if (!strcmp(status, "IDLE")) { /* a flow that gets rows all the time is idle all the time */
        int64_t now_us = io_monotonic_us(r->options.io);
        if (own->idle_us && now_us - own->idle_us < FLUSH_INTERVAL_MS * 1000)
            return;
        own->idle_us = now_us;
    }
    if (!completed && !is_one_of(status, waiting))
        activate(r, flow);
    if (!completed)
        put_running(r, flow);
    put_flow_progress(r, levels[level], flow, status, completed && own->sums.batches, error, message, &line);
    if (own->active || completed) /* L2 */
        put(r, &line);
    else
        str_buf_str(&own->held, str_buf_view(&line));
}

static void put_state(Report *r, const char *level, const char *state, const SiltErr *errors, int error_count, const char *message)
{
    silt_auto(str_buf_fini) StrBuf details = {0};
    JsonWriter w = details_begin(&details, "update_progress");

    json_member(&w, "state", state);
    details_end(&w);
    put_event(r, &(Event){.type = "update_progress",
                          .level = level,
                          .message = message,
                          .batch_id = -1,
                          .errors = errors,
                          .error_count = error_count,
                          .fatal = true,
                          .details = &details});
}

/* The run's last word. Spark's events call it a run, Lakeflow's an update. */
static void log_run(Report *r, PipelineLevel level, const char *status, const char *message)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    bool idle = !r->released && !strcmp(status, "COMPLETED");

    str_buf_printf(&text, "Update %.6s %s", r->update_id, !strncmp(message, "Run ", 4) ? message + 4 : message);
    if (idle) { /* L1 */
        str_buf_clear(&r->held);
        int64_t written_ms = event_log_written_ms(r->log);
        if (written_ms >= 0 && io_now_us(r->options.io) / 1000 - written_ms < ALIVE_MS)
            return;
        str_buf_clear(&text);
        str_buf_printf(&text, "Update %.6s is COMPLETED: no flow had anything to do.", r->update_id);
    }
    release(r);
    put_state(r, level == PIPELINE_ERROR ? "ERROR" : "INFO", status, NULL, 0, str_buf_text(&text));
}

void report_event(Report *r, PipelineLevel level, const GraphFlow *flow, const char *status, const SiltErr *error, const char *fmt, ...)
{
    const PipelineCallbacks *callbacks = &r->options.run->callbacks;
    char message[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    PipelineEvent event = {
        .time_us = io_now_us(r->options.io),
        .level = level,
        .flow = flow ? flow->name : NULL,
        .dataset = flow && flow->target ? flow->target->name : NULL,
        .status = status,
        .message = message,
        .error = error,
    };
    pthread_mutex_lock(&r->lock);
    if (callbacks->event)
        callbacks->event(callbacks->self, &event);
    if (r->log && flow)
        log_flow(r, level, flow, status, error, message);
    else if (r->log)
        log_run(r, level, status, message);
    pthread_mutex_unlock(&r->lock);
}

/* Silt computes views as a whole. */
static void put_plan(Report *r, const GraphFlow *flow)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = details_begin(&details, "planning_information");

    json_key(&w, "technique_information");
    json_array(&w);
    json_object(&w);
    json_member(&w, "maintenance_type", "MAINTENANCE_TYPE_COMPLETE_RECOMPUTE");
    json_member_bool(&w, "is_chosen", true);
    json_member_bool(&w, "is_applicable", true);
    json_object_end(&w);
    json_array_end(&w);
    details_end(&w);
    str_buf_printf(&message, "Flow '%s' has been planned to be executed as COMPLETE_RECOMPUTE.", flow->name);
    put_event(r, &(Event){.type = "planning_information",
                          .level = "INFO",
                          .message = str_buf_text(&message),
                          .flow = flow,
                          .batch_id = -1,
                          .details = &details});
}

void report_progress(Report *r, const GraphFlow *flow, const FlowProgress *progress)
{
    const PipelineCallbacks *callbacks = &r->options.run->callbacks;
    PipelineProgress record = {flow->name, progress->batch_id, progress->input_rows, progress->output_rows, progress->set_aside_rows,
                               progress->duration_ms, progress->json};

    pthread_mutex_lock(&r->lock);
    if (callbacks->progress)
        callbacks->progress(callbacks->self, &record);
    if (r->log) {
        FlowReport *own = &r->flows[flow->index];
        activate(r, flow);
        if (!own->planned && flow->target->kind == DATASET_MATERIALIZED_VIEW)
            put_plan(r, flow);
        own->planned = true;
        add_sums(r, flow, progress);
    }
    pthread_mutex_unlock(&r->lock);
}

void report_warning(Report *r, const GraphFlow *flow, const char *message)
{
    pthread_mutex_lock(&r->lock);
    if (r->log) {
        silt_auto(str_buf_fini) StrBuf line = {0};
        activate(r, flow);
        put_flow_progress(r, "WARN", flow, "RUNNING", false, NULL, message, &line);
        put(r, &line);
    }
    pthread_mutex_unlock(&r->lock);
}

void report_state(Report *r, const char *state)
{
    silt_auto(str_buf_fini) StrBuf message = {0};

    str_buf_printf(&message, "Update %.6s is %s.", r->update_id, state);
    pthread_mutex_lock(&r->lock);
    if (r->log)
        put_state(r, "INFO", state, NULL, 0, str_buf_text(&message));
    pthread_mutex_unlock(&r->lock);
}

void report_refused(Report *r, const SqlErrors *errors)
{
    silt_auto(str_buf_fini) StrBuf message = {0};

    str_buf_printf(&message, "Update %.6s is FAILED: nothing was started.", r->update_id);
    pthread_mutex_lock(&r->lock);
    if (r->log) {
        release(r);
        put_state(r, "ERROR", "FAILED", errors->items, errors->count, str_buf_text(&message));
    }
    pthread_mutex_unlock(&r->lock);
}

/* ---- definitions ---- */

static void put_names(JsonWriter *w, const char *key, const char *const *names, int count)
{
    json_key(w, key);
    json_array(w);
    for (int i = 0; i < count; i++)
        json_text(w, names[i]);
    json_array_end(w);
}

/* Values that should not be read by everybody, by the name of their key, as Spark redacts them. */
static bool is_secret(const char *key)
{
    static const char *const words[] = {"secret", "password", "token", "access.key", "accesskey", "credential"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(key, words[i]))
            return true;
    return false;
}

static void put_create_update(Report *r)
{
    const PipelineSpec *spec = r->options.spec;
    const PipelineRunOptions *run = r->options.run;
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = details_begin(&details, "create_update");

    json_member(&w, "update_id", r->update_id);
    json_member(&w, "cause", "USER_ACTION");
    json_member_bool(&w, "full_refresh", run->full_refresh_all);
    put_names(&w, "refresh_selection", run->refresh, run->refresh_count);
    put_names(&w, "full_refresh_selection", run->full_refresh, run->full_refresh_count);
    json_key(&w, "config");
    json_object(&w);
    json_member(&w, "name", spec->name);
    json_member(&w, "storage", spec->storage);
    json_member(&w, "catalog", spec->catalog);
    json_member(&w, "schema", spec->database);
    json_member_bool(&w, "continuous", r->options.continuous);
    json_key(&w, "configuration");
    json_object(&w);
    for (int i = 0; spec->conf && i < spec->conf->count; i++)
        json_member(&w, spec->conf->entries[i].key, is_secret(spec->conf->entries[i].key) ? "*********(redacted)" : spec->conf->entries[i].value);
    json_object_end(&w);
    json_object_end(&w);
    details_end(&w);
    str_buf_printf(&message, "Update %.6s started by USER_ACTION.", r->update_id);
    put_event(r, &(Event){.time_us = r->begun_us,
                          .type = "create_update",
                          .level = "INFO",
                          .message = str_buf_text(&message),
                          .batch_id = -1,
                          .details = &details});
}

static void put_user_action(Report *r)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = details_begin(&details, "user_action");
    const char *name = getenv("LOGNAME") ? getenv("LOGNAME") : getenv("USER");

    json_member(&w, "action", "START");
    json_member(&w, "user_name", name);
    json_member_int(&w, "user_id", (int64_t)getuid());
    details_end(&w);
    str_buf_printf(&message, "User %s started an update.", name ? name : "without a name");
    put_event(r, &(Event){.time_us = r->begun_us,
                          .type = "user_action",
                          .level = "INFO",
                          .message = str_buf_text(&message),
                          .batch_id = -1,
                          .details = &details});
}

/* Columns as [{name, path, data_type}] and as Spark's JSON. */
static void put_schema(JsonWriter *w, const Type *schema)
{
    silt_auto(str_buf_fini) StrBuf json = {0};
    Arena *arena = arena_new();

    json_key(w, "schema");
    json_array(w);
    for (int i = 0; i < schema->field_count; i++) {
        json_object(w);
        json_member(w, "name", schema->fields[i].name);
        json_member(w, "path", schema->fields[i].name);
        json_member(w, "data_type", type_text(arena, schema->fields[i].type));
        json_member(w, "comment", schema->fields[i].comment);
        json_object_end(w);
    }
    json_array_end(w);
    type_to_json(&json, schema);
    json_member(w, "schema_json", str_buf_text(&json));
    arena_free(arena);
}

static void put_dataset(Report *r, const Dataset *dataset, const TargetWant *want)
{
    static const char *const actions[] = {[EXPECT_WARN] = "ALLOW", [EXPECT_DROP_ROW] = "DROP", [EXPECT_FAIL_UPDATE] = "FAIL"};
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = details_begin(&details, "dataset_definition");
    const Statement *statement = dataset->statement;

    json_member(&w, "name", dataset->name);
    json_member(&w, "dataset_type", dataset->kind == DATASET_STREAMING_TABLE ? "STREAMING_TABLE" : "MATERIALIZED_VIEW");
    json_member_int(&w, "num_flows", dataset->flow_count);
    json_member(&w, "path", dataset->path);
    put_schema(&w, want->schema);
    put_names(&w, "partition_columns", want->partition_columns, want->partition_count);
    json_key(&w, "expectations");
    json_array(&w);
    for (int i = 0; i < statement->expectation_count; i++) {
        json_object(&w);
        json_member(&w, "name", statement->expectations[i].name);
        json_member(&w, "expression", statement->expectations[i].condition_sql);
        json_member(&w, "action", actions[statement->expectations[i].action]);
        json_object_end(&w);
    }
    json_array_end(&w);
    details_end(&w);
    str_buf_printf(&message, "Dataset '%s' defined.", dataset->name);
    put_event(r, &(Event){.type = "dataset_definition",
                          .level = "INFO",
                          .message = str_buf_text(&message),
                          .dataset = dataset,
                          .batch_id = -1,
                          .details = &details});
}

static void put_flow(Report *r, const GraphFlow *flow, const FlowQuery *query)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = details_begin(&details, "flow_definition");

    json_member(&w, "output_dataset", flow->target->name);
    json_key(&w, "input_datasets");
    json_array(&w);
    for (int i = 0; i < query->input_count; i++) {
        bool told = query->inputs[i]->kind != PLAN_INPUT_DELTA; /* datasets only: files are in the stream's progress */
        for (int j = 0; j < i && !told; j++)
            told = !strcmp(query->inputs[j]->relation.name, query->inputs[i]->relation.name);
        if (!told)
            json_text(&w, query->inputs[i]->relation.name);
    }
    json_array_end(&w);
    json_member(&w, "flow_type", flow->target->kind == DATASET_MATERIALIZED_VIEW ? "MATERIALIZED_VIEW" : "APPEND");
    json_member_bool(&w, "once", flow->once);
    json_member(&w, "language", "SQL");
    details_end(&w);
    str_buf_printf(&message, "Flow '%s' defined as %s.", flow->name, flow->target->kind == DATASET_MATERIALIZED_VIEW ? "MATERIALIZED_VIEW" : "APPEND");
    put_event(r, &(Event){.type = "flow_definition", .level = "INFO", .message = str_buf_text(&message), .flow = flow, .batch_id = -1, .details = &details});
}

void report_definitions(Report *r, Analysis *analysis, FlowQuery *const *queries)
{
    const Graph *graph = r->options.graph;

    pthread_mutex_lock(&r->lock);
    for (int i = 0; r->log && i < graph->dataset_count; i++) {
        const TargetWant *want = graph->datasets[i]->path ? analysis_want(analysis, graph->datasets[i]) : NULL;
        if (want)
            put_dataset(r, graph->datasets[i], want);
    }
    for (int i = 0; r->log && i < graph->flow_count; i++)
        if (queries[i])
            put_flow(r, graph->flows[i], queries[i]);
    pthread_mutex_unlock(&r->lock);
}

/* ---- the log, and who writes it ---- */

static void log_trouble(void *self, const char *message)
{
    (void)self;
    LOG(LOG_WARN, "event_log.warning", LOG_TEXT("message", message));
}

Report *report_new(const ReportOptions *options)
{
    Report *r = silt_alloc(sizeof *r);

    r->options = *options;
    r->arena = arena_new();
    r->flows = silt_alloc(sizeof *r->flows * (size_t)(options->graph->flow_count + 1));
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->wake, NULL);
    return r;
}

void report_free(Report *r)
{
    if (!r)
        return;
    report_close_log(r);
    for (int i = 0; i < r->options.graph->flow_count; i++) {
        str_buf_fini(&r->flows[i].held);
        str_buf_fini(&r->flows[i].sums.json);
    }
    str_buf_fini(&r->held);
    free(r->flows);
    pthread_cond_destroy(&r->wake);
    pthread_mutex_destroy(&r->lock);
    arena_free(r->arena);
    free(r);
}

static void put_all_running(Report *r)
{
    for (int i = 0; i < r->options.graph->flow_count; i++)
        put_running(r, r->options.graph->flows[i]);
}

static void *flush_now_and_then(void *self)
{
    Report *r = self;
    struct timespec until;

    pthread_mutex_lock(&r->lock);
    while (!r->quit) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += FLUSH_INTERVAL_MS / 1000;
        while (!r->quit && pthread_cond_timedwait(&r->wake, &r->lock, &until) == 0)
            ;
        if (r->quit)
            break;
        put_all_running(r);
        pthread_mutex_unlock(&r->lock);
        event_log_flush(r->log);
        pthread_mutex_lock(&r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

void report_open_log(Report *r)
{
    const Conf *conf = r->options.spec->conf;
    const char *off = conf_get(conf, "silt.events");
    EventLogOptions options = {
        .io = r->options.io,
        .engine = r->options.engine,
        .storage = r->options.spec->storage_path,
        .retention_us = conf_interval_us(conf, "silt.events.retention", INT64_C(30) * 86400 * 1000000),
        .warn = log_trouble,
    };

    if (r->options.run->no_events || (off && !strcasecmp(off, "off")))
        return;
    r->begun_us = io_now_us(r->options.io);
    io_uuid(r->options.io, r->update_id);
    io_random(r->options.io, r->node, sizeof r->node);
    gethostname(r->host, sizeof r->host - 1);
    r->log = event_log_new(&options);
    put_create_update(r);
    put_user_action(r);
    if (r->options.continuous) /* it says at once that it runs */
        release(r);
}

void report_close_log(Report *r)
{
    if (!r->log)
        return;
    pthread_mutex_lock(&r->lock);
    r->quit = true;
    pthread_cond_broadcast(&r->wake);
    pthread_mutex_unlock(&r->lock);
    if (r->flushing)
        pthread_join(r->flusher, NULL);
    put_all_running(r);
    event_log_flush(r->log);
    event_log_free(r->log);
    r->log = NULL;
}
