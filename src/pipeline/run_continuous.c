/*
 * pipeline/run_continuous.c - flows in small steps, each when its input has news
 *
 * Workers take flows that are `dirty`; this thread makes them so: a watched directory changed, a source has news, or LISTING_INTERVAL_MS passed.
 * A row is to be in its table within the flow's freshness: records of topics are gathered for as long as that allows, so that a trickle makes a
 * commit a second and not a hundred; what follows a pause is taken at once.
 */
#include "pipeline/run_internal.h"
#include "base/log.h"

enum { LISTING_INTERVAL_MS = 5000, WATCH_INTERVAL_MS = 200, POLL_INTERVAL_MS = 100, BATCHES_PER_STEP = 8 };
enum { WORKER_WAIT_US = 1000000 };
/* So many records make a good file: they are not gathered any longer. */
enum { RECORDS_ENOUGH = 100000 };

int64_t run__freshness_us(const FlowRun *flow, bool gathers)
{
    static const int64_t by_default_us = 1000000; /* of what is polled; files are taken as they come */

    return flow->freshness_us >= 0 ? flow->freshness_us : gathers ? by_default_us : 0;
}

/* ---- one step of one flow ---- */

/* A flow that is not open is opened; one whose tables have grown since, anew. */
static int open_for_step(FlowRun *flow, SiltErr *err)
{
    Run *run = flow->run;
    bool first = !flow->open;

    if (flow->open && analysis_stamp(run->world.analysis, flow->flow) <= flow->stamp)
        return 0;
    if (first)
        EVENT(run, PIPELINE_INFO, flow->flow, "STARTING", NULL, "Flow %s is STARTING.", flow->flow->name);
    flow_free(flow->open);
    flow->open = NULL;
    SILT_TRY(run__open_flow(flow, &flow->open, err));
    if (first)
        EVENT(run, PIPELINE_INFO, flow->flow, "RUNNING", NULL, "Flow %s is RUNNING.", flow->flow->name);
    return 0;
}

/*
 * When the next step may begin. A record that comes just behind the plan of this one waits until then, and as long as the next step takes: twice
 * the time of this one is kept for it. A view is computed no oftener than its freshness asks.
 */
static int64_t next_step_us(const FlowRun *flow, int64_t now_us)
{
    bool is_view = flow->flow->target->kind == DATASET_MATERIALIZED_VIEW;
    int64_t freshness_us = run__freshness_us(flow, flow->gathers);

    if (!flow->gathers || is_view)
        return now_us + freshness_us;
    int64_t apart_us = freshness_us - 2 * (now_us - flow->begun_us);
    return flow->begun_us + (apart_us > 0 ? apart_us : 0);
}

static void note_step(FlowRun *flow, bool more)
{
    Run *run = flow->run;
    bool done = flow->flow->once;
    int64_t now_us = io_monotonic_us(run->world.io);

    pthread_mutex_lock(&run->lock);
    flow->failures = 0;
    flow->stepped = true;
    flow->dirty |= more;
    flow->polled = flow_is_polled(flow->open);
    flow->gathers = flow->polled && flow_news(flow->open) >= 0;
    flow->not_before_us = next_step_us(flow, now_us);
    bool idle = !flow->dirty && !flow->idle_said;
    flow->idle_said = !flow->dirty;
    flow->state = done ? FLOW_DONE : FLOW_WAITING;
    pthread_mutex_unlock(&run->lock);
    if (done)
        EVENT(run, PIPELINE_INFO, flow->flow, "COMPLETED", NULL, "Flow %s has COMPLETED.", flow->flow->name);
    else if (idle)
        EVENT(run, PIPELINE_INFO, flow->flow, "IDLE", NULL, "Flow '%s' is IDLE, waiting for new data.", flow->flow->name);
}

static void note_failed_step(FlowRun *flow, const SiltErr *err)
{
    Run *run = flow->run;
    FlowState state = FLOW_WAITING;

    flow_free(flow->open);
    flow->open = NULL;
    if (err->kind == SILT_CANCELLED || run__stopping(run))
        state = FLOW_STOPPED;
    else if (!run__note_bad_input(flow, err) && !run__note_failure(flow, err))
        state = FLOW_FAILED;
    pthread_mutex_lock(&run->lock);
    flow->state = state;
    flow->dirty = true;
    flow->not_before_us = io_monotonic_us(run->world.io) + run__backoff_ms(flow) * 1000;
    pthread_mutex_unlock(&run->lock);
}

/* Whatever is there, then back to the queue. */
static void step_flow(FlowRun *flow)
{
    bool more = false;
    SiltErr err;
    int r = open_for_step(flow, &err);

    if (r == 0)
        r = flow_step(flow->open, flow->gathers ? 1 : BATCHES_PER_STEP, &more, &err);
    if (r == 0)
        note_step(flow, more);
    else
        note_failed_step(flow, &err);
}

/* ---- workers ---- */

/* Are the tables that this flow reads there, or will nobody make them any more? Lock held. */
static bool is_fed(Run *run, const FlowRun *flow)
{
    for (int i = 0; i < flow->flow->read_count; i++) {
        const Dataset *dataset = flow->flow->reads[i];
        for (int j = 0; j < dataset->flow_count; j++) {
            const FlowRun *above = run__of(run, dataset->flows[j]);
            if (!above->stepped && (above->state == FLOW_WAITING || above->state == FLOW_RUNNING))
                return false;
        }
    }
    return true;
}

/* The next flow that has something to do now; NULL: none for *wait_us, unless states change. Lock held. */
static FlowRun *take_dirty(Run *run, int64_t *wait_us)
{
    int64_t now_us = io_monotonic_us(run->world.io);

    *wait_us = WORKER_WAIT_US;

    for (int i = 0; i < run->flow_count; i++) {
        FlowRun *flow = &run->flows[i];
        if (flow->state != FLOW_WAITING || !flow->dirty || !is_fed(run, flow))
            continue;
        if (flow->not_before_us <= now_us)
            return flow;
        if (flow->not_before_us - now_us < *wait_us)
            *wait_us = flow->not_before_us - now_us;
    }
    return NULL;
}

static void *work_continuously(void *arg)
{
    Run *run = arg;

    pthread_mutex_lock(&run->lock);
    while (!run->quit) {
        int64_t wait_us;
        FlowRun *flow = take_dirty(run, &wait_us);
        if (!flow) {
            run__wait(run, wait_us);
            continue;
        }
        flow->state = FLOW_RUNNING;
        flow->dirty = false;
        flow->begun_us = io_monotonic_us(run->world.io);
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

/* ---- news ---- */

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

/* Every flow is to look at its input. */
static void mark_all_dirty(Run *run)
{
    pthread_mutex_lock(&run->lock);
    for (int i = 0; i < run->flow_count; i++)
        run->flows[i].dirty = true;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* Marks the flows whose topics have news; whether any flow can only be asked by a step. Lock held. */
static bool mark_news(Run *run)
{
    bool unknown = false, any = false;

    for (int i = 0; i < run->flow_count; i++) {
        FlowRun *flow = &run->flows[i];
        if (!flow->polled || flow->state != FLOW_WAITING || !flow->open)
            continue;
        int64_t news = flow_news(flow->open);
        if (news >= RECORDS_ENOUGH && !flow->failures)
            flow->not_before_us = 0;
        flow->dirty |= news != 0;
        any |= news != 0;
        unknown |= news < 0;
    }
    if (any)
        pthread_cond_broadcast(&run->changed);
    return unknown;
}

/* Lock held. */
static bool any_alive(const Run *run)
{
    for (int i = 0; i < run->flow_count; i++)
        if (run->flows[i].state == FLOW_WAITING || run->flows[i].state == FLOW_RUNNING)
            return true;
    return false;
}

/* Until a person stops the run, or no flow is left. watch: NULL where the system has none. */
static void look_for_news(Run *run, IoWatch *watch)
{
    int64_t listed_us = io_monotonic_us(run->world.io), watched_us = 0;

    while (!run__stopping(run)) {
        SiltErr err;
        bool changed = false;
        int64_t now_us = io_monotonic_us(run->world.io);
        pthread_mutex_lock(&run->lock);
        if (now_us - watched_us > WATCH_INTERVAL_MS * 1000) {
            watch_all(run, watch);
            watched_us = now_us;
        }
        int wait_ms = mark_news(run) ? POLL_INTERVAL_MS : WATCH_INTERVAL_MS;
        bool alive = any_alive(run);
        pthread_mutex_unlock(&run->lock);
        if (!alive)
            break;
        if (!watch || io_watch_wait(watch, wait_ms, &changed, &err) < 0)
            io_sleep_ms(run->world.io, wait_ms);
        now_us = io_monotonic_us(run->world.io);
        if (!changed && now_us - listed_us < LISTING_INTERVAL_MS * 1000)
            continue;
        listed_us = now_us;
        mark_all_dirty(run);
    }
}

/* ---- the run ---- */

/* Workers take no more flows, and end what they are at. */
static void quit_workers(Run *run, Workers *workers)
{
    pthread_mutex_lock(&run->lock);
    run->quit = true;
    while (run->running) {
        if (run__stopping(run))
            run__interrupt_busy(run);
        run__wait_a_little(run);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    run__join_workers(workers);
}

void run__continuously(Run *run)
{
    Workers workers;
    IoWatch *watch = NULL;
    SiltErr err;

    if (io_watch_new(run->world.io, &watch, &err) < 0)
        LOG(LOG_WARN, "watch.unavailable", LOG_FAILURE(&err));
    atomic_store(run->world.watch, watch);
    for (int i = 0; i < run->flow_count; i++)
        run->flows[i].dirty = run->flows[i].state == FLOW_WAITING;
    run__start_workers(run, work_continuously, &workers);
    look_for_news(run, watch);
    quit_workers(run, &workers);
    for (int i = 0; i < run->flow_count; i++) {
        FlowRun *flow = &run->flows[i];
        flow_free(flow->open); /* its sources may wake the watch until then */
        flow->open = NULL;
        if (flow->state == FLOW_WAITING) {
            flow->state = FLOW_STOPPED;
            EVENT(run, PIPELINE_INFO, flow->flow, "STOPPED", NULL, "Flow '%s' has STOPPED.", flow->flow->name);
        }
    }
    atomic_store(run->world.watch, NULL);
    io_watch_free(watch);
}
