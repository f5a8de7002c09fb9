/*
 * pipeline/run_triggered.c - a triggered update: each selected flow once, side by side as far as R1 allows
 */
#include "pipeline/run_internal.h"

/* R1. 1: may start, 0: must wait, -1: is to be skipped. */
static int readiness(Run *run, const FlowRun *flow)
{
    int ready = 1;

    for (int i = 0; i < flow->flow->read_count; i++) {
        const Dataset *dataset = flow->flow->reads[i];
        for (int j = 0; j < dataset->flow_count; j++) {
            FlowState state = run__of(run, dataset->flows[j])->state;
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
            int ready = run__stopping(run) ? -1 : readiness(run, flow);
            if (ready > 0)
                return flow;
            if (ready < 0) {
                flow->state = run__stopping(run) ? FLOW_STOPPED : FLOW_SKIPPED;
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
        FlowState state = run__flow(flow);
        pthread_mutex_lock(&run->lock);
        flow->state = state;
        run->running--;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Lock held. */
static bool work_is_left(const Run *run)
{
    bool left = run->running > 0;

    for (int i = 0; i < run->flow_count; i++)
        left |= run->flows[i].state == FLOW_WAITING;
    return left;
}

void run__triggered(Run *run)
{
    Workers workers = {.count = 0};

    if (run->world.threads != 1) /* 1: a test's, all in one thread. Else this one stays free to interrupt, also a single flow */
        run__start_workers(run, work, &workers);
    if (!workers.count) {
        work(run);
        return;
    }
    pthread_mutex_lock(&run->lock);
    while (work_is_left(run)) {
        if (run__stopping(run))
            run__interrupt_busy(run);
        run__wait_a_little(run);
    }
    pthread_mutex_unlock(&run->lock);
    run__join_workers(&workers);
}
