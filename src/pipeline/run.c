/*
 * pipeline/run.c - the scheduler
 *
 *   R1  A flow starts when all selected flows that fill a table it reads are done; if one failed, it is skipped.
 *   R2  A failing flow stops nothing but what depends on it. TRANSIENT failures are tried again, from what is on disk.
 *   R3  One process runs a pipeline: <storage>/_silt/lock.
 *
 * Threads meet at one lock (struct Run). With one thread everything happens in the caller's, in the graph's order.
 */
#include "pipeline/run.h"
#include "base/log.h"
#include "flow/refresh.h"
#include "pipeline/report.h"
#include "pipeline/tableflows.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

typedef enum FlowState { FLOW_EXCLUDED, FLOW_WAITING, FLOW_RUNNING, FLOW_DONE, FLOW_FAILED, FLOW_SKIPPED, FLOW_STOPPED } FlowState;

typedef struct Run Run;

typedef struct FlowRun {
    Run *run;
    const GraphFlow *flow;
    FlowQuery *query; /* analyzed and not yet given to a Flow */
    Flow *open;       /* continuous: kept between steps */
    FlowState state;
    int64_t stamp; /* of what the analysis has seen */
    bool force;
    int failures;
    SiltErr error;
    DuckSession *busy; /* under the lock */
    const char **siblings;
    Conf *conf;
    /* continuous */
    bool dirty, idle_said;
    bool polled; /* nothing tells of news: asked again and again */
    bool stepped; /* once without failure: its table is there */
    int64_t not_before_us;
    int64_t interval_us;
} FlowRun;

struct Run {
    RunWorld world;
    const PipelineRunOptions *options;
    FlowRun *flows; /* in the graph's order */
    int flow_count;
    int running;
    bool continuous, quit;
    pthread_mutex_t lock;   /* states */
    pthread_cond_t changed;
    Report *report;
    const char *staging;
};

/* ---- events ---- */

void run_event(Io *io, const PipelineCallbacks *callbacks, PipelineLevel level, const GraphFlow *flow, const char *status, const SiltErr *error,
               const char *fmt, ...)
{
    char message[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
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

#define EVENT(r, ...) report_event((r)->report, __VA_ARGS__)

/* Continuous: what reads a flow's table has something to do. */
static void wake_readers(Run *run, const GraphFlow *flow)
{
    pthread_mutex_lock(&run->lock);
    for (int i = 0; i < run->flow_count; i++)
        for (int j = 0; j < run->flows[i].flow->read_count; j++)
            run->flows[i].dirty |= run->flows[i].flow->reads[j] == flow->target;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

static void flow_progress(void *self, const FlowProgress *progress)
{
    FlowRun *flow = self;
    Run *run = flow->run;

    LOG(LOG_DEBUG, "flow.batch", LOG_TEXT("flow", flow->flow->name), LOG_INTEGER("batch", progress->batch_id),
        LOG_INTEGER("rows_in", progress->input_rows), LOG_INTEGER("rows_out", progress->output_rows),
        LOG_INTEGER("set_aside", progress->set_aside_rows), LOG_INTEGER("misfit_fields", progress->reading.misfit_fields),
        LOG_INTEGER("unknown_fields", progress->reading.unknown_fields), LOG_INTEGER("repaired", progress->reading.repaired),
        LOG_INTEGER("ms", progress->duration_ms));
    report_progress(run->report, flow->flow, progress);
    if (run->continuous)
        wake_readers(run, flow->flow);
}

static void flow_warning(void *self, const char *message)
{
    FlowRun *flow = self;

    LOG(LOG_WARN, "flow.warning", LOG_TEXT("flow", flow->flow->name), LOG_TEXT("message", message));
    report_warning(flow->run->report, flow->flow, message);
}

static void flow_busy(void *self, DuckSession *session)
{
    FlowRun *flow = self;

    pthread_mutex_lock(&flow->run->lock);
    flow->busy = session;
    pthread_mutex_unlock(&flow->run->lock);
}

/* ---- one flow ---- */

static int analyze_again(void *self, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    FlowRun *flow = self;

    return analysis_flow(flow->run->world.analysis, flow->flow, old, out, errors);
}

static int open_flow(FlowRun *flow, Flow **out, SiltErr *err)
{
    Run *run = flow->run;
    int64_t stamp = analysis_stamp(run->world.analysis, flow->flow);

    if (flow->query && stamp > flow->stamp) { /* a table that it reads has grown since */
        flow_query_free(flow->query);
        flow->query = NULL;
    }
    if (!flow->query) {
        Arena *arena = arena_new();
        SqlErrors errors = {.arena = arena};
        int r = analysis_flow(run->world.analysis, flow->flow, NULL, &flow->query, &errors);
        if (r < 0)
            *err = errors.count ? errors.items[0] : (SiltErr){.kind = SILT_CONFIG, .message = "could not be analyzed"};
        arena_free(arena);
        SILT_TRY(r);
    }
    flow->stamp = stamp;
    FlowEnv env = {
        .io = run->world.io,
        .engine = run->world.engine,
        .staging = run->staging,
        .stop = run->world.stop,
        .self = flow,
        .progress = flow_progress,
        .warn = flow_warning,
        .busy = flow_busy,
    };
    FlowOptions options = {
        .name = flow->flow->name,
        .kind = graph_flow_kind(flow->flow),
        .checkpoint_root = analysis_checkpoint_root(flow->query->arena, run->world.spec, flow->flow),
        .siblings = flow->siblings,
        .sibling_count = flow->flow->target->flow_count,
        .file = run->world.graph->files[flow->flow->file].name,
        .conf = flow->conf,
        .force = flow->force,
        .again = flow->failures > 0,
        .analyze = analyze_again,
        .analyze_self = flow,
    };
    options.checkpoint_root = arena_strdup(flow->conf->arena, options.checkpoint_root);
    *out = flow_new(&env, &options, flow->query);
    flow->query = NULL; /* handed over */
    return 0;
}

static bool stopping(const Run *run)
{
    return atomic_load(run->world.stop);
}

static int64_t retries_of(const FlowRun *flow)
{
    return conf_int(flow->conf, "spark.sql.pipelines.maxFlowRetryAttempts", 2);
}

/* Waiting time before attempt number `failures` (from 1), doubling. */
static int64_t backoff_ms(const FlowRun *flow)
{
    int64_t least = conf_interval_us(flow->conf, "spark.sql.pipelines.execution.watchdog.minRetryTime", 1000000) / 1000;
    int64_t most = conf_interval_us(flow->conf, "spark.sql.pipelines.execution.watchdog.maxRetryTime", INT64_C(3600) * 1000000) / 1000;
    int64_t ms = least;

    for (int i = 1; i < flow->failures && ms < most; i++)
        ms *= 2;
    return ms < most ? ms : most;
}

static void wait_ms(Run *run, int64_t ms)
{
    for (; ms > 0 && !stopping(run); ms -= 50)
        io_sleep_ms(run->world.io, ms < 50 ? (int)ms : 50);
}

/* Says what happened; whether to try again. Each attempt says STARTING and RUNNING, as in Spark; one that is not the last is only a warning. */
static bool note_failure(FlowRun *flow, const SiltErr *err)
{
    Run *run = flow->run;
    const char *name = flow->flow->name;

    flow->failures++;
    flow->error = *err;
    bool again = err->kind == SILT_TRANSIENT && flow->failures <= retries_of(flow);
    EVENT(run, again ? PIPELINE_WARN : PIPELINE_ERROR, flow->flow, "FAILED", err, "Flow '%s' has FAILED.", name);
    LOG(LOG_DEBUG, "flow.failed", LOG_TEXT("flow", name), LOG_INTEGER("attempt", flow->failures), LOG_FAILURE(err)); /* the event has said it */
    if (again || err->kind != SILT_TRANSIENT)
        return again;
    EVENT(run, PIPELINE_ERROR, flow->flow, "FAILED", NULL, "Flow '%s' has FAILED more than %lld times and will not be restarted.", name,
          (long long)retries_of(flow));
    return false;
}

/*
 * Continuous: a file caught half-copied, a record that stops the batch. Others go on, and so does this one once the input is right: tried
 * again ever more rarely, and said once for as long as the failure is the same. An expectation that is to end the update ends it.
 */
static bool note_bad_input(FlowRun *flow, const SiltErr *err)
{
    Run *run = flow->run;

    if (err->kind != SILT_INPUT || !strcmp(err->code, "EXPECTATION_FAILED"))
        return false;
    bool same = flow->failures && !strcmp(flow->error.message, err->message);
    flow->failures++;
    flow->error = *err;
    if (!same)
        EVENT(run, PIPELINE_WARN, flow->flow, "FAILED", err, "Flow '%s' has FAILED and will be tried again.", flow->flow->name);
    LOG(LOG_DEBUG, "flow.failed", LOG_TEXT("flow", flow->flow->name), LOG_INTEGER("attempt", flow->failures), LOG_FAILURE(err));
    return true;
}

static FlowState run_flow(FlowRun *flow)
{
    Run *run = flow->run;
    const char *name = flow->flow->name;

    for (;;) {
        SiltErr err;
        Flow *open = NULL;
        if (flow->flow->target->kind == DATASET_MATERIALIZED_VIEW)
            EVENT(run, PIPELINE_INFO, flow->flow, "PLANNING", NULL, "Flow %s is PLANNING.", name);
        EVENT(run, PIPELINE_INFO, flow->flow, "STARTING", NULL, "Flow %s is STARTING.", name);
        int r = open_flow(flow, &open, &err);
        if (r == 0) {
            EVENT(run, PIPELINE_INFO, flow->flow, "RUNNING", NULL, "Flow %s is RUNNING.", name);
            r = flow_run(open, &err);
        }
        flow_free(open);
        if (r == 0) {
            EVENT(run, PIPELINE_INFO, flow->flow, "COMPLETED", NULL, "Flow %s has COMPLETED.", name);
            return FLOW_DONE;
        }
        if (err.kind == SILT_CANCELLED || stopping(run)) {
            EVENT(run, PIPELINE_INFO, flow->flow, "STOPPED", NULL, "Flow '%s' has STOPPED.", name);
            return FLOW_STOPPED;
        }
        if (!note_failure(flow, &err))
            return FLOW_FAILED;
        wait_ms(run, backoff_ms(flow));
    }
}

/* ---- a triggered update ---- */

static FlowRun *run_of(Run *run, const GraphFlow *flow)
{
    return &run->flows[flow->index];
}

/* R1. 1: may start, 0: must wait, -1: is to be skipped. */
static int readiness(Run *run, const FlowRun *flow)
{
    int ready = 1;

    for (int i = 0; i < flow->flow->read_count; i++) {
        const Dataset *dataset = flow->flow->reads[i];
        for (int j = 0; j < dataset->flow_count; j++) {
            FlowState state = run_of(run, dataset->flows[j])->state;
            if (state == FLOW_FAILED || state == FLOW_SKIPPED)
                return -1;
            if (state == FLOW_WAITING || state == FLOW_RUNNING)
                ready = 0;
            if (state == FLOW_STOPPED)
                return -1;
        }
    }
    return ready;
}

/* The next flow to run, NULL when there is none now; skips what has to be. Lock held. */
static FlowRun *take_flow(Run *run)
{
    bool again;

    do {
        again = false;
        for (int i = 0; i < run->flow_count; i++) {
            FlowRun *flow = &run->flows[i];
            if (flow->state != FLOW_WAITING)
                continue;
            int ready = stopping(run) ? -1 : readiness(run, flow);
            if (ready > 0)
                return flow;
            if (ready < 0) {
                flow->state = stopping(run) ? FLOW_STOPPED : FLOW_SKIPPED;
                if (flow->state == FLOW_SKIPPED)
                    EVENT(run, PIPELINE_WARN, flow->flow, "SKIPPED", NULL, "Flow '%s' SKIPPED due to upstream failure(s).", flow->flow->name);
                else
                    EVENT(run, PIPELINE_INFO, flow->flow, "STOPPED", NULL, "Flow '%s' has STOPPED.", flow->flow->name);
                again = true;
            }
        }
    } while (again);
    return NULL;
}

static void *work(void *arg)
{
    Run *run = arg;

    pthread_mutex_lock(&run->lock);
    for (;;) {
        FlowRun *flow = take_flow(run);
        if (!flow && !run->running)
            break;
        if (!flow) {
            pthread_cond_wait(&run->changed, &run->lock);
            continue;
        }
        flow->state = FLOW_RUNNING;
        run->running++;
        pthread_mutex_unlock(&run->lock);
        FlowState state = run_flow(flow);
        pthread_mutex_lock(&run->lock);
        flow->state = state;
        run->running--;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

static void interrupt_busy(Run *run)
{
    for (int i = 0; i < run->flow_count; i++)
        if (run->flows[i].busy)
            duck_session_interrupt(run->flows[i].busy);
}

static int thread_count(const Run *run)
{
    int64_t most = conf_int(run->world.spec->conf, "spark.sql.pipelines.execution.maxConcurrentFlows", 16);
    int selected = 0;

    if (run->world.threads > 0)
        most = run->world.threads;
    for (int i = 0; i < run->flow_count; i++)
        selected += run->flows[i].state == FLOW_WAITING;
    return most < 1 ? 1 : most > selected ? selected : (int)most;
}

/* Wait up to 50 ms for a change of states. Lock held. */
static void wait_a_little(Run *run)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&run->changed, &run->lock, &until);
}

static void run_triggered(Run *run)
{
    int count = thread_count(run), started = 0;
    pthread_t threads[256];

    if (run->world.threads == 1 || !count) { /* 1: a test's, all in one thread. Else this one stays free to interrupt, also a single flow */
        work(run);
        return;
    }
    for (; started < count && started < 256; started++)
        if (pthread_create(&threads[started], NULL, work, run))
            break;
    if (!started) {
        work(run);
        return;
    }
    pthread_mutex_lock(&run->lock);
    for (;;) {
        bool left = run->running > 0;
        for (int i = 0; i < run->flow_count; i++)
            left |= run->flows[i].state == FLOW_WAITING;
        if (!left)
            break;
        if (stopping(run))
            interrupt_busy(run);
        wait_a_little(run);
    }
    pthread_mutex_unlock(&run->lock);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- continuous ---- */

enum { LISTING_INTERVAL_MS = 5000, POLL_INTERVAL_MS = 100, BATCHES_PER_STEP = 8 };

/* One step of one flow: whatever is there, then back to the queue. */
static void step_flow(FlowRun *flow)
{
    Run *run = flow->run;
    bool more = false;
    SiltErr err;
    int r = 0;

    if (!flow->open) {
        EVENT(run, PIPELINE_INFO, flow->flow, "STARTING", NULL, "Flow %s is STARTING.", flow->flow->name);
        r = open_flow(flow, &flow->open, &err);
        if (r == 0)
            EVENT(run, PIPELINE_INFO, flow->flow, "RUNNING", NULL, "Flow %s is RUNNING.", flow->flow->name);
    } else if (analysis_stamp(run->world.analysis, flow->flow) > flow->stamp) { /* a table that it reads has grown */
        flow_free(flow->open);
        flow->open = NULL;
        r = open_flow(flow, &flow->open, &err);
    }
    if (r == 0)
        r = flow_step(flow->open, BATCHES_PER_STEP, &more, &err);
    pthread_mutex_lock(&run->lock);
    if (r == 0) {
        flow->failures = 0;
        flow->stepped = true;
        flow->dirty |= more;
        flow->polled = flow_is_polled(flow->open);
        flow->not_before_us = io_monotonic_us(run->world.io) + flow->interval_us;
        bool say = !flow->dirty && !flow->idle_said;
        flow->idle_said = !flow->dirty;
        flow->state = FLOW_WAITING;
        if (flow->flow->once)
            flow->state = FLOW_DONE;
        pthread_mutex_unlock(&run->lock);
        if (flow->state == FLOW_DONE)
            EVENT(run, PIPELINE_INFO, flow->flow, "COMPLETED", NULL, "Flow %s has COMPLETED.", flow->flow->name);
        else if (say)
            EVENT(run, PIPELINE_INFO, flow->flow, "IDLE", NULL, "Flow '%s' is IDLE, waiting for new data.", flow->flow->name);
        return;
    }
    pthread_mutex_unlock(&run->lock);
    flow_free(flow->open);
    flow->open = NULL;
    FlowState state = FLOW_WAITING;
    if (err.kind == SILT_CANCELLED || stopping(run))
        state = FLOW_STOPPED;
    else if (!note_bad_input(flow, &err) && !note_failure(flow, &err))
        state = FLOW_FAILED;
    pthread_mutex_lock(&run->lock);
    flow->state = state;
    flow->dirty = true;
    flow->not_before_us = io_monotonic_us(run->world.io) + backoff_ms(flow) * 1000;
    pthread_mutex_unlock(&run->lock);
}

/* Are the tables that this flow reads there, or will nobody make them any more? Lock held. */
static bool is_fed(Run *run, const FlowRun *flow)
{
    for (int i = 0; i < flow->flow->read_count; i++) {
        const Dataset *dataset = flow->flow->reads[i];
        for (int j = 0; j < dataset->flow_count; j++) {
            const FlowRun *above = run_of(run, dataset->flows[j]);
            if (!above->stepped && (above->state == FLOW_WAITING || above->state == FLOW_RUNNING))
                return false;
        }
    }
    return true;
}

static void *work_continuously(void *arg)
{
    Run *run = arg;

    pthread_mutex_lock(&run->lock);
    while (!run->quit) {
        int64_t now = io_monotonic_us(run->world.io);
        FlowRun *flow = NULL;
        for (int i = 0; i < run->flow_count && !flow; i++)
            if (run->flows[i].state == FLOW_WAITING && run->flows[i].dirty && run->flows[i].not_before_us <= now && is_fed(run, &run->flows[i]))
                flow = &run->flows[i];
        if (!flow) {
            wait_a_little(run);
            continue;
        }
        flow->state = FLOW_RUNNING;
        flow->dirty = false;
        run->running++;
        pthread_mutex_unlock(&run->lock);
        step_flow(flow);
        pthread_mutex_lock(&run->lock);
        run->running--;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Watch what the open flows read; directories come and go. Lock held. */
static void watch_all(Run *run, IoWatch *watch)
{
    Arena *arena = arena_new();
    SiltErr err;

    for (int i = 0; watch && i < run->flow_count; i++) {
        if (!run->flows[i].open || run->flows[i].state == FLOW_RUNNING)
            continue;
        for (const char *const *at = flow_watch_directories(run->flows[i].open, arena); at && *at; at++)
            if (io_watch_add(watch, *at, &err) < 0)
                LOG(LOG_DEBUG, "watch.failed", LOG_TEXT("directory", *at), LOG_FAILURE(&err));
    }
    arena_free(arena);
}

static void run_continuously(Run *run)
{
    int count = thread_count(run), started = 0;
    pthread_t threads[256];
    IoWatch *watch = NULL;
    SiltErr err;

    if (io_watch_new(run->world.io, &watch, &err) < 0)
        LOG(LOG_WARN, "watch.unavailable", LOG_FAILURE(&err));
    atomic_store(run->world.watch, watch);
    pthread_mutex_lock(&run->lock);
    for (int i = 0; i < run->flow_count; i++)
        run->flows[i].dirty = run->flows[i].state == FLOW_WAITING;
    pthread_mutex_unlock(&run->lock);
    for (; started < count && started < 256; started++)
        if (pthread_create(&threads[started], NULL, work_continuously, run))
            break;

    int64_t listed = io_monotonic_us(run->world.io), watched = 0;
    while (!stopping(run)) {
        bool changed = false, alive = false;
        int64_t now = io_monotonic_us(run->world.io);
        pthread_mutex_lock(&run->lock);
        if (now - watched > 200 * 1000) {
            watch_all(run, watch);
            watched = now;
        }
        bool polled = false;
        for (int i = 0; i < run->flow_count; i++) {
            alive |= run->flows[i].state == FLOW_WAITING || run->flows[i].state == FLOW_RUNNING;
            run->flows[i].dirty |= run->flows[i].polled;
            polled |= run->flows[i].polled;
        }
        if (polled)
            pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
        int look_ms = polled ? POLL_INTERVAL_MS : 200;
        if (!alive)
            break;
        if (!watch || io_watch_wait(watch, look_ms, &changed, &err) < 0)
            io_sleep_ms(run->world.io, look_ms);
        now = io_monotonic_us(run->world.io);
        if (!changed && now - listed < LISTING_INTERVAL_MS * 1000)
            continue;
        listed = now;
        pthread_mutex_lock(&run->lock);
        for (int i = 0; i < run->flow_count; i++)
            run->flows[i].dirty = true;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
    pthread_mutex_lock(&run->lock);
    run->quit = true;
    while (run->running) {
        if (stopping(run))
            interrupt_busy(run);
        wait_a_little(run);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    atomic_store(run->world.watch, NULL);
    io_watch_free(watch);
    for (int i = 0; i < run->flow_count; i++) {
        FlowRun *flow = &run->flows[i];
        flow_free(flow->open);
        flow->open = NULL;
        if (flow->state == FLOW_WAITING) {
            flow->state = FLOW_STOPPED;
            EVENT(run, PIPELINE_INFO, flow->flow, "STOPPED", NULL, "Flow '%s' has STOPPED.", flow->flow->name);
        }
    }
}

/* ---- selection ---- */

static int find_all(const Run *run, const char *const *names, int count, const Dataset **out, SqlErrors *errors)
{
    int before = errors->count;

    for (int i = 0; i < count; i++)
        out[i] = graph_require_table(run->world.graph, names[i], errors);
    return errors->count > before ? -1 : 0;
}

static bool among(const Dataset *dataset, const Dataset *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i] == dataset)
            return true;
    return false;
}

static bool may_reset(const Dataset *dataset)
{
    const char *allowed = dataset_property(dataset, "pipelines.reset.allowed");
    return !allowed || strcasecmp(allowed, "false");
}

/* Which flows run, and which tables begin anew. */
static int select_flows(Run *run, bool *refreshed, SqlErrors *errors)
{
    const PipelineRunOptions *o = run->options;
    const Graph *graph = run->world.graph;
    Arena *arena = run->world.arena;
    const Dataset **some = ARENA_ARRAY(arena, const Dataset *, o->refresh_count + 1), **full = ARENA_ARRAY(arena, const Dataset *, o->full_refresh_count + 1);
    int before = errors->count;
    SiltErr err;

    if (o->full_refresh_all && (o->refresh_count || o->full_refresh_count)) {
        silt_fail(&err, SILT_CONFIG, "--full-refresh-all goes with neither --refresh nor --full-refresh");
        silt_code(&err, "CONFLICTING_PIPELINE_REFRESH_OPTIONS");
        sql_errors_add(errors, &err);
        return -1;
    }
    find_all(run, o->refresh, o->refresh_count, some, errors);
    find_all(run, o->full_refresh, o->full_refresh_count, full, errors);
    if (errors->count > before)
        return -1;
    for (int i = 0; i < o->full_refresh_count; i++) {
        if (among(full[i], some, o->refresh_count)) {
            silt_fail(&err, SILT_CONFIG, "\"%s\" is named for both --refresh and --full-refresh", full[i]->name);
            silt_hint(&err, "Datasets specified for refresh and full refresh cannot overlap.");
            sql_errors_add(errors, &err);
        }
        if (!may_reset(full[i])) {
            silt_fail_at(&err, SILT_CONFIG, full[i]->statement->name.pos, "table \"%s\" may not be refreshed fully", full[i]->name);
            silt_code(&err, "TABLE_NOT_RESETTABLE");
            silt_hint(&err, "Its property pipelines.reset.allowed is false.");
            sql_errors_add(errors, &err);
        }
    }
    if (errors->count > before)
        return -1;
    bool all = o->full_refresh_all || (!o->refresh_count && !o->full_refresh_count);
    for (int i = 0; i < run->flow_count; i++) {
        const Dataset *target = run->flows[i].flow->target;
        bool fully = (o->full_refresh_all && may_reset(target)) || among(target, full, o->full_refresh_count);
        run->flows[i].state = all || fully || among(target, some, o->refresh_count) ? FLOW_WAITING : FLOW_EXCLUDED;
        run->flows[i].force = fully;
    }
    for (int i = 0; i < graph->dataset_count; i++) {
        const Dataset *dataset = graph->datasets[i];
        bool streams = dataset->kind == DATASET_STREAMING_TABLE || dataset->kind == DATASET_SINK;
        refreshed[i] = streams && ((o->full_refresh_all && may_reset(dataset)) || among(dataset, full, o->full_refresh_count));
    }
    return 0;
}

/* ---- full refreshes ---- */

/* One target per dataset; those without checkpoints of their own are never wanted. */
static RefreshTarget *refresh_targets(const Run *run, const bool *refreshed)
{
    Arena *arena = run->world.arena;
    const Graph *graph = run->world.graph;
    RefreshTarget *targets = ARENA_ARRAY(arena, RefreshTarget, graph->dataset_count + 1);

    for (int i = 0; i < graph->dataset_count; i++) {
        const Dataset *dataset = graph->datasets[i];
        const char **roots = ARENA_ARRAY(arena, const char *, dataset->flow_count + 1);
        for (int j = 0; dataset->path && j < dataset->flow_count; j++)
            roots[j] = analysis_checkpoint_root(arena, run->world.spec, dataset->flows[j]);
        targets[i] = (RefreshTarget){
            .name = dataset->name,
            .path = dataset->path,
            .roots = roots,
            .root_count = dataset->path ? dataset->flow_count : 0,
            .wanted = refreshed[i],
        };
    }
    return targets;
}

/* ---- an update as a whole ---- */

static int take_lock(Run *run, IoLock **lock, SqlErrors *errors)
{
    bool said = false;

    for (;;) {
        SiltErr err;
        int r = pipeline__lock(run->world.io, run->world.spec, run->world.arena, lock, &err);
        if (r == 0)
            return 0;
        if (r == IO_BUSY && run->options->standby && !stopping(run)) {
            if (!said)
                LOG(LOG_INFO, "pipeline.standby", LOG_TEXT("message", err.message));
            said = true;
            io_sleep_ms(run->world.io, 200);
            continue;
        }
        if (r == IO_BUSY)
            silt_hint(&err, "Wait until it ends, or start with --standby to take over then.");
        sql_errors_add(errors, &err);
        return -1;
    }
}

static PipelineOutcome finish(Run *run, SqlErrors *errors)
{
    const FlowRun *first = NULL;
    bool stopped = false;

    for (int i = 0; i < run->flow_count; i++) {
        const FlowRun *flow = &run->flows[i];
        stopped |= flow->state == FLOW_STOPPED;
        if (flow->state != FLOW_FAILED)
            continue;
        sql_errors_add(errors, &flow->error);
        if (!first)
            first = flow;
    }
    if (first) {
        if (first->error.kind == SILT_TRANSIENT)
            EVENT(run, PIPELINE_ERROR, NULL, "FAILED", NULL, "Run is FAILED since flow '%s' has failed more than %lld times.", first->flow->name,
                  (long long)retries_of(first));
        else
            EVENT(run, PIPELINE_ERROR, NULL, "FAILED", NULL, "Run is FAILED since flow '%s' has failed.", first->flow->name);
        return PIPELINE_FAILED;
    }
    if (stopped || stopping(run)) {
        EVENT(run, PIPELINE_INFO, NULL, "CANCELED", NULL, "Run is CANCELED.");
        return PIPELINE_STOPPED;
    }
    EVENT(run, PIPELINE_INFO, NULL, "COMPLETED", NULL, "Run is COMPLETED.");
    return PIPELINE_DONE;
}

static PipelineOutcome refuse(Run *run, const SiltErr *err, SqlErrors *errors)
{
    sql_errors_add(errors, err);
    report_refused(run->report, errors);
    return err->kind == SILT_CONFIG || err->kind == SILT_CORRUPT ? PIPELINE_REFUSED : PIPELINE_FAILED;
}

static PipelineOutcome run_selected(Run *run, bool *refreshed, SqlErrors *errors)
{
    const Graph *graph = run->world.graph;
    FlowQuery **queries = ARENA_ARRAY(run->world.arena, FlowQuery *, graph->flow_count + 1);
    SiltErr err;

    RefreshTarget *targets = refresh_targets(run, refreshed);
    DeltaEnv env = {.io = run->world.io, .engine = run->world.engine};
    const char *storage = run->world.spec->storage_path;
    report_state(run->report, "INITIALIZING");
    if (refresh_pending(run->world.io, storage, targets, graph->dataset_count, &err) < 0)
        return refuse(run, &err, errors);
    for (int i = 0; i < graph->dataset_count; i++)
        if (targets[i].wanted)
            analysis_refresh_fully(run->world.analysis, graph->datasets[i]);
    int r = analysis_graph(run->world.analysis, queries, errors);
    for (int i = 0; i < run->flow_count; i++) {
        run->flows[i].query = queries[i];
        run->flows[i].stamp = queries[i] ? analysis_stamp(run->world.analysis, run->flows[i].flow) : -1;
    }
    if (r < 0) {
        report_refused(run->report, errors);
        return PIPELINE_REFUSED;
    }
    report_definitions(run->report, run->world.analysis, queries);
    for (int i = 0; i < graph->dataset_count; i++)
        targets[i].want = targets[i].wanted ? analysis_want(run->world.analysis, graph->datasets[i]) : NULL;
    for (int i = 0, said = 0; i < graph->dataset_count && !said; i++)
        if (targets[i].wanted && ++said)
            report_state(run->report, "RESETTING");
    if (refresh_mark(run->world.io, storage, targets, graph->dataset_count, &err) < 0 ||
        refresh_finish(&env, storage, targets, graph->dataset_count, &err) < 0)
        return refuse(run, &err, errors);
    for (int i = 0; i < run->flow_count; i++) {
        FlowRun *flow = &run->flows[i];
        if (flow->state == FLOW_EXCLUDED)
            EVENT(run, PIPELINE_INFO, flow->flow, "EXCLUDED", NULL, "Flow '%s' is EXCLUDED.", flow->flow->name);
        else
            EVENT(run, PIPELINE_INFO, flow->flow, "QUEUED", NULL, "Flow %s is QUEUED.", flow->flow->name);
    }
    report_state(run->report, "RUNNING");
    if (run->continuous)
        run_continuously(run);
    else
        run_triggered(run);
    return finish(run, errors);
}

static void prepare_flow(Run *run, FlowRun *flow, const GraphFlow *from)
{
    Arena *arena = run->world.arena;
    const Dataset *target = from->target;
    bool view = target->kind == DATASET_MATERIALIZED_VIEW;

    *flow = (FlowRun){.run = run, .flow = from, .conf = graph_flow_conf(arena, from)};
    flow->siblings = ARENA_ARRAY(arena, const char *, target->flow_count + 1);
    for (int j = 0; j < target->flow_count; j++)
        flow->siblings[j] = target->flows[j]->label;
    flow->interval_us = conf_interval_us(flow->conf, "silt.freshness", view ? 1000000 : 0);
}

PipelineOutcome run_update(const RunWorld *world, const PipelineRunOptions *options, SqlErrors *errors)
{
    Run run = {.world = *world, .options = options, .flow_count = world->graph->flow_count};
    bool *refreshed = ARENA_ARRAY(world->arena, bool, world->graph->dataset_count + 1);
    PipelineOutcome outcome = PIPELINE_REFUSED;
    IoLock *lock = NULL;

    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, NULL);
    run.continuous = options->continuous || conf_bool(world->spec->conf, "silt.continuous", false);
    run.staging = arena_printf(world->arena, "%s/_silt/staging", world->spec->storage_path);
    run.flows = silt_alloc(sizeof *run.flows * (size_t)(run.flow_count + 1));
    for (int i = 0; i < run.flow_count; i++)
        prepare_flow(&run, &run.flows[i], world->graph->flows[i]);
    ReportOptions report = {
        .io = world->io,
        .engine = world->engine,
        .spec = world->spec,
        .graph = world->graph,
        .run = options,
        .continuous = run.continuous,
        .threaded = world->threads != 1,
    };
    run.report = report_new(&report);
    if (select_flows(&run, refreshed, errors) == 0 && take_lock(&run, &lock, errors) == 0) {
        report_open_log(run.report);
        outcome = run_selected(&run, refreshed, errors);
        report_close_log(run.report);
        io_unlock(lock);
    }
    report_free(run.report);
    for (int i = 0; i < run.flow_count; i++)
        flow_query_free(run.flows[i].query);
    free(run.flows);
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    return outcome;
}
