/*
 * pipeline/run_flow.c - one flow of an update: opened, run or stepped, tried again, and what it says meanwhile
 */
#include "pipeline/run_internal.h"
#include "base/log.h"
#include <string.h>

/* News may take this part of a flow's freshness: asking the brokers oftener costs more than it gains. */
enum { NEWS_PART = 50 };

/* ---- what it says while it runs ---- */

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
    metrics_batch(run->metrics, flow->flow, progress);
    if (run->continuous)
        wake_readers(run, flow->flow);
}

static void flow_warning(void *self, const char *message)
{
    FlowRun *flow = self;

    LOG(LOG_WARN, "flow.warning", LOG_TEXT("flow", flow->flow->name), LOG_TEXT("message", message));
    report_warning(flow->run->report, flow->flow, message);
}

/* Any thread. */
static void flow_lagged(void *self, const SourceLag *items, int count)
{
    FlowRun *flow = self;

    metrics_lag(flow->run->metrics, flow->flow, items, count);
}

/* Any thread. */
static void flow_has_news(void *self)
{
    FlowRun *flow = self;

    io_watch_wake(atomic_load(flow->run->world.watch));
}

static void flow_busy(void *self, DuckSession *session)
{
    FlowRun *flow = self;

    pthread_mutex_lock(&flow->run->lock);
    flow->busy = session;
    pthread_mutex_unlock(&flow->run->lock);
}

/* ---- opening ---- */

static int analyze_again(void *self, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    FlowRun *flow = self;

    return analysis_flow(flow->run->world.analysis, flow->flow, old, out, errors);
}

int run__open_flow(FlowRun *flow, Flow **out, SiltErr *err)
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
        .lagged = run->metrics ? flow_lagged : NULL,
        .news = run->continuous ? flow_has_news : NULL,
        .news_within_ms = run__freshness_us(flow, true) / 1000 / NEWS_PART,
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
        .side_is_read = {flow->flow->target->side_is_read[FLOW_DEAD_LETTERS], flow->flow->target->side_is_read[FLOW_QUARANTINE]},
        .again = flow->failures > 0,
        .analyze = analyze_again,
        .analyze_self = flow,
    };
    options.checkpoint_root = arena_strdup(flow->conf->arena, options.checkpoint_root);
    *out = flow_new(&env, &options, flow->query);
    flow->query = NULL; /* handed over */
    return 0;
}

/* ---- failures ---- */

int64_t run__retries(const FlowRun *flow)
{
    return conf_int(flow->conf, "spark.sql.pipelines.maxFlowRetryAttempts", 2);
}

int64_t run__backoff_ms(const FlowRun *flow)
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
    for (; ms > 0 && !run__stopping(run); ms -= 50)
        io_sleep_ms(run->world.io, ms < 50 ? (int)ms : 50);
}

/* Each attempt says STARTING and RUNNING, as in Spark; one that is not the last is only a warning. */
bool run__note_failure(FlowRun *flow, const SiltErr *err)
{
    Run *run = flow->run;
    const char *name = flow->flow->name;

    flow->failures++;
    flow->error = *err;
    bool again = err->kind == SILT_TRANSIENT && flow->failures <= run__retries(flow);
    metrics_failure(run->metrics, flow->flow, !again);
    EVENT(run, again ? PIPELINE_WARN : PIPELINE_ERROR, flow->flow, "FAILED", err, "Flow '%s' has FAILED.", name);
    LOG(LOG_DEBUG, "flow.failed", LOG_TEXT("flow", name), LOG_INTEGER("attempt", flow->failures), LOG_FAILURE(err)); /* the event has said it */
    if (again || err->kind != SILT_TRANSIENT)
        return again;
    EVENT(run, PIPELINE_ERROR, flow->flow, "FAILED", NULL, "Flow '%s' has FAILED more than %lld times and will not be restarted.", name,
          (long long)run__retries(flow));
    return false;
}

bool run__note_bad_input(FlowRun *flow, const SiltErr *err)
{
    Run *run = flow->run;

    if (err->kind != SILT_INPUT || !strcmp(err->code, "EXPECTATION_FAILED"))
        return false;
    bool same = flow->failures && !strcmp(flow->error.message, err->message);
    flow->failures++;
    metrics_failure(run->metrics, flow->flow, false);
    flow->error = *err;
    if (!same)
        EVENT(run, PIPELINE_WARN, flow->flow, "FAILED", err, "Flow '%s' has FAILED and will be tried again.", flow->flow->name);
    LOG(LOG_DEBUG, "flow.failed", LOG_TEXT("flow", flow->flow->name), LOG_INTEGER("attempt", flow->failures), LOG_FAILURE(err));
    return true;
}

/* ---- running to the end ---- */

FlowState run__flow(FlowRun *flow)
{
    Run *run = flow->run;
    const char *name = flow->flow->name;

    for (;;) {
        SiltErr err;
        Flow *open = NULL;
        if (flow->flow->target->kind == DATASET_MATERIALIZED_VIEW)
            EVENT(run, PIPELINE_INFO, flow->flow, "PLANNING", NULL, "Flow %s is PLANNING.", name);
        EVENT(run, PIPELINE_INFO, flow->flow, "STARTING", NULL, "Flow %s is STARTING.", name);
        int r = run__open_flow(flow, &open, &err);
        if (r == 0) {
            EVENT(run, PIPELINE_INFO, flow->flow, "RUNNING", NULL, "Flow %s is RUNNING.", name);
            r = flow_run(open, &err);
        }
        flow_free(open);
        if (r == 0) {
            EVENT(run, PIPELINE_INFO, flow->flow, "COMPLETED", NULL, "Flow %s has COMPLETED.", name);
            return FLOW_DONE;
        }
        if (err.kind == SILT_CANCELLED || run__stopping(run)) {
            EVENT(run, PIPELINE_INFO, flow->flow, "STOPPED", NULL, "Flow '%s' has STOPPED.", name);
            return FLOW_STOPPED;
        }
        if (!run__note_failure(flow, &err))
            return FLOW_FAILED;
        wait_ms(run, run__backoff_ms(flow));
    }
}
