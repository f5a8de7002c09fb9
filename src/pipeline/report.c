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
#include "base/log.h"
#include "pipeline/event_kinds.h"
#include "pipeline/event_log.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { FLUSH_INTERVAL_MS = 10000, ALIVE_MS = 10 * 60 * 1000 };

typedef struct FlowReport {
    StrBuf held;
    bool active; /* it had something to do */
    bool planned;
    int64_t idle_us; /* when IDLE was last written */
    FlowSums sums;
} FlowReport;

struct Report {
    ReportOptions options;
    Arena *arena;
    pthread_mutex_t lock;
    FlowReport *flows;  /* by index */
    EventLog *log;      /* NULL: not open */
    EventWriter writer; /* once it is open */
    StrBuf held;
    bool released;
    pthread_t flusher;
    bool flushing, quit;
    pthread_cond_t wake;
};

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

/* ---- events of flows and of the update ---- */

/* RUNNING, with what has been done since the last time. */
static void put_running(Report *r, const GraphFlow *flow)
{
    FlowSums *sums = &r->flows[flow->index].sums;
    silt_auto(str_buf_fini) StrBuf line = {0}, message = {0};

    if (!sums->batches)
        return;
    str_buf_printf(&message, "Flow %s is RUNNING.", flow->name);
    event_flow_progress(&r->writer, "METRICS", flow, "RUNNING", sums, NULL, str_buf_text(&message), &line);
    flow_sums_reset(sums);
    put(r, &line);
}

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
    event_flow_progress(&r->writer, levels[level], flow, status, completed && own->sums.batches ? &own->sums : NULL, error, message, &line);
    if (completed)
        flow_sums_reset(&own->sums);
    if (own->active || completed) /* L2 */
        put(r, &line);
    else
        str_buf_str(&own->held, str_buf_view(&line));
}

static void put_state(Report *r, const char *level, const char *state, const SqlErrors *errors, const char *message)
{
    silt_auto(str_buf_fini) StrBuf line = {0};

    event_update_progress(&r->writer, level, state, errors ? errors->items : NULL, errors ? errors->count : 0, message, &line);
    put(r, &line);
}

/* The run's last word. Spark's events call it a run, Lakeflow's an update. */
static void log_run(Report *r, PipelineLevel level, const char *status, const char *message)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    bool idle = !r->released && !strcmp(status, "COMPLETED");

    str_buf_printf(&text, "Update %.6s %s", r->writer.update_id, !strncmp(message, "Run ", 4) ? message + 4 : message);
    if (idle) { /* L1 */
        str_buf_clear(&r->held);
        int64_t written_ms = event_log_written_ms(r->log);
        if (written_ms >= 0 && io_now_us(r->options.io) / 1000 - written_ms < ALIVE_MS)
            return;
        str_buf_clear(&text);
        str_buf_printf(&text, "Update %.6s is COMPLETED: no flow had anything to do.", r->writer.update_id);
    }
    release(r);
    put_state(r, level == PIPELINE_ERROR ? "ERROR" : "INFO", status, NULL, str_buf_text(&text));
}

static void call_back(Io *io, const PipelineCallbacks *callbacks, PipelineLevel level, const GraphFlow *flow, const char *status, const SiltErr *error,
                      const char *message)
{
    PipelineEvent event = {
        .time_us = io_now_us(io),
        .level = level,
        .flow = flow ? flow->name : NULL,
        .dataset = flow && flow->target ? flow->target->name : NULL,
        .status = status,
        .message = message,
        .error = error,
    };

    if (callbacks && callbacks->event)
        callbacks->event(callbacks->self, &event);
}

void report_to_callbacks(Io *io, const PipelineCallbacks *callbacks, PipelineLevel level, const GraphFlow *flow, const char *status, const char *fmt, ...)
{
    char message[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    call_back(io, callbacks, level, flow, status, NULL, message);
}

void report_event(Report *r, PipelineLevel level, const GraphFlow *flow, const char *status, const SiltErr *error, const char *fmt, ...)
{
    char message[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    pthread_mutex_lock(&r->lock);
    call_back(r->options.io, &r->options.run->callbacks, level, flow, status, error, message);
    if (r->log && flow)
        log_flow(r, level, flow, status, error, message);
    else if (r->log)
        log_run(r, level, status, message);
    pthread_mutex_unlock(&r->lock);
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
        silt_auto(str_buf_fini) StrBuf line = {0};
        FlowReport *own = &r->flows[flow->index];
        activate(r, flow);
        if (!own->planned && flow->target->kind == DATASET_MATERIALIZED_VIEW)
            event_planning(&r->writer, flow, &line);
        own->planned = true;
        put(r, &line);
        flow_sums_add(&own->sums, r->arena, progress);
    }
    pthread_mutex_unlock(&r->lock);
}

void report_warning(Report *r, const GraphFlow *flow, const char *message)
{
    pthread_mutex_lock(&r->lock);
    if (r->log) {
        silt_auto(str_buf_fini) StrBuf line = {0};
        activate(r, flow);
        event_flow_progress(&r->writer, "WARN", flow, "RUNNING", NULL, NULL, message, &line);
        put(r, &line);
    }
    pthread_mutex_unlock(&r->lock);
}

void report_state(Report *r, const char *state)
{
    silt_auto(str_buf_fini) StrBuf message = {0};

    str_buf_printf(&message, "Update %.6s is %s.", r->writer.update_id, state);
    pthread_mutex_lock(&r->lock);
    if (r->log)
        put_state(r, "INFO", state, NULL, str_buf_text(&message));
    pthread_mutex_unlock(&r->lock);
}

void report_refused(Report *r, const SqlErrors *errors)
{
    silt_auto(str_buf_fini) StrBuf message = {0};

    str_buf_printf(&message, "Update %.6s is FAILED: nothing was started.", r->writer.update_id);
    pthread_mutex_lock(&r->lock);
    if (r->log) {
        release(r);
        put_state(r, "ERROR", "FAILED", errors, str_buf_text(&message));
    }
    pthread_mutex_unlock(&r->lock);
}

void report_definitions(Report *r, Analysis *analysis, FlowQuery *const *queries)
{
    const Graph *graph = r->options.graph;
    silt_auto(str_buf_fini) StrBuf lines = {0};

    pthread_mutex_lock(&r->lock);
    for (int i = 0; r->log && i < graph->dataset_count; i++) {
        const TargetWant *want = graph->datasets[i]->path ? analysis_want(analysis, graph->datasets[i]) : NULL;
        if (want)
            event_dataset_definition(&r->writer, graph->datasets[i], want, &lines);
    }
    for (int i = 0; r->log && i < graph->flow_count; i++)
        if (queries[i])
            event_flow_definition(&r->writer, graph->flows[i], queries[i], &lines);
    if (r->log)
        put(r, &lines);
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
        flow_sums_fini(&r->flows[i].sums);
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
    silt_auto(str_buf_fini) StrBuf lines = {0};

    if (r->options.run->no_events || (off && !strcasecmp(off, "off")))
        return;
    r->log = event_log_new(&options);
    event_writer_init(&r->writer, r->options.io, event_log_pipeline_id(r->log), r->options.spec->name);
    event_create_update(&r->writer, r->options.spec, r->options.run, r->options.continuous, &lines);
    event_user_action(&r->writer, &lines);
    put(r, &lines);
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
