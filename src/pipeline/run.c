/*
 * pipeline/run.c - the scheduler
 *
 *   R1  A flow starts when all selected flows that fill a table it reads are done; if one failed, it is skipped.
 *   R2  A failing flow stops nothing but what depends on it. TRANSIENT failures are tried again, from what is on disk.
 *   R3  One process runs a pipeline: <storage>/_silt/lock.
 *
 * Threads meet at one lock (struct Run). With one thread everything happens in the caller's, in the graph's order.
 */
#include "pipeline/open_table.h"
#include "pipeline/run_internal.h"
#include "base/log.h"
#include "flow/refresh.h"
#include <stdlib.h>
#include <time.h>

/* ---- what the threads share ---- */

bool run__stopping(const Run *run)
{
    return atomic_load(run->world.stop);
}

FlowRun *run__of(Run *run, const GraphFlow *flow)
{
    return &run->flows[flow->index];
}

void run__interrupt_busy(Run *run)
{
    for (int i = 0; i < run->flow_count; i++)
        if (run->flows[i].busy)
            duck_session_interrupt(run->flows[i].busy);
}

int run__worker_count(const Run *run)
{
    int64_t most = conf_int(run->world.spec->conf, "spark.sql.pipelines.execution.maxConcurrentFlows", 16);
    int selected = 0;

    if (run->world.threads > 0)
        most = run->world.threads;
    for (int i = 0; i < run->flow_count; i++)
        selected += run->flows[i].state == FLOW_WAITING;
    return most < 1 ? 1 : most > selected ? selected : (int)most;
}

void run__wait(Run *run, int64_t most_us)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += most_us % 1000000 * 1000;
    until.tv_sec += most_us / 1000000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&run->changed, &run->lock, &until);
}

void run__wait_a_little(Run *run)
{
    run__wait(run, 50000);
}

void run__start_workers(Run *run, void *(*work)(void *run), Workers *workers)
{
    int wanted = run__worker_count(run);

    workers->count = 0;
    while (workers->count < wanted && workers->count < WORKERS_MAX && pthread_create(&workers->threads[workers->count], NULL, work, run) == 0)
        workers->count++;
}

void run__join_workers(Workers *workers)
{
    for (int i = 0; i < workers->count; i++)
        pthread_join(workers->threads[i], NULL);
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

/* DONE: it is ours. STOPPED: a person ended the waiting. */
static PipelineOutcome take_lock(Run *run, IoLock **lock, SqlErrors *errors)
{
    bool said = false;

    for (;;) {
        SiltErr err;
        int r = pipeline__lock(run->world.io, run->world.spec, run->world.arena, lock, &err);
        if (r == 0)
            return PIPELINE_DONE;
        if (r == IO_BUSY && run->options->standby) {
            if (run__stopping(run))
                return PIPELINE_STOPPED;
            if (!said)
                LOG(LOG_INFO, "pipeline.standby", LOG_TEXT("message", err.message));
            said = true;
            io_sleep_ms(run->world.io, 200);
            continue;
        }
        if (r == IO_BUSY)
            silt_hint(&err, "Wait until it ends, or start with --standby to take over then.");
        sql_errors_add(errors, &err);
        return PIPELINE_REFUSED;
    }
}

static int open_metrics(Run *run, SqlErrors *errors)
{
    const PipelineRunOptions *options = run->options;
    MetricsOptions metrics = {run->world.io, run->world.graph, options->metrics_listen, options->statsd, options->statsd_prefix};
    SiltErr err;

    if (metrics_open(&metrics, &run->metrics, &err) == 0)
        return 0;
    sql_errors_add(errors, &err);
    return -1;
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
                  (long long)run__retries(first));
        else
            EVENT(run, PIPELINE_ERROR, NULL, "FAILED", NULL, "Run is FAILED since flow '%s' has failed.", first->flow->name);
        return PIPELINE_FAILED;
    }
    if (stopped || run__stopping(run)) {
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
    DeltaEnv env = open_table_env(run->world.io, run->world.engine);
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
        targets[i].wanted |= analysis_starts_over(run->world.analysis, graph->datasets[i]);
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
        run__continuously(run);
    else
        run__triggered(run);
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
    flow->freshness_us = conf_interval_us(flow->conf, "silt.freshness", view ? 1000000 : -1);
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
    if (run__select(&run, refreshed, errors) == 0)
        outcome = take_lock(&run, &lock, errors);
    if (outcome == PIPELINE_DONE && open_metrics(&run, errors) < 0)
        outcome = PIPELINE_REFUSED;
    else if (outcome == PIPELINE_DONE) {
        report_open_log(run.report);
        outcome = run_selected(&run, refreshed, errors);
        report_close_log(run.report);
        metrics_close(run.metrics);
    }
    io_unlock(lock);
    report_free(run.report);
    for (int i = 0; i < run.flow_count; i++)
        flow_query_free(run.flows[i].query);
    free(run.flows);
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    return outcome;
}
