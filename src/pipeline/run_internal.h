#pragma once
/* pipeline/run_internal.h - what the files of the scheduler share: the state of one update */
#include "pipeline/metrics.h"
#include "pipeline/report.h"
#include "pipeline/run.h"
#include "pipeline/tableflows.h"
#include <pthread.h>

typedef enum FlowState { FLOW_EXCLUDED, FLOW_WAITING, FLOW_RUNNING, FLOW_DONE, FLOW_FAILED, FLOW_SKIPPED, FLOW_STOPPED } FlowState;

typedef struct Run Run;

typedef struct FlowRun {
    Run *run;
    const GraphFlow *flow;
    FlowQuery *query; /* analyzed and not yet given to a Flow */
    Flow *open;       /* continuous: kept between steps */
    FlowState state;  /* under the lock, as `busy` and all from `dirty` on */
    int64_t stamp;    /* of what the analysis has seen */
    bool force;
    int failures;
    SiltErr error;
    DuckSession *busy;
    const char **siblings;
    Conf *conf;
    /* continuous */
    bool dirty, idle_said;
    bool polled;  /* no directory tells of news: the source is asked */
    bool gathers; /* it knows how much waits: small batches are put off as freshness allows */
    bool stepped; /* once without failure: its table is there */
    int64_t not_before_us;
    int64_t freshness_us; /* how old a row may be when it is in the table: steps are as far apart as that allows; 0: as close as they can be */
    int64_t begun_us;     /* the last step */
} FlowRun;

struct Run {
    RunWorld world;
    const PipelineRunOptions *options;
    FlowRun *flows; /* in the graph's order */
    int flow_count;
    int running;
    bool continuous, quit;
    pthread_mutex_t lock; /* states */
    pthread_cond_t changed;
    Report *report;
    Metrics *metrics; /* NULL: nobody wants any */
    const char *staging;
};

#define EVENT(r, ...) report_event((r)->report, __VA_ARGS__)

/* run.c: what the threads share */

/* A person asked to stop. */
bool run__stopping(const Run *run);
FlowRun *run__of(Run *run, const GraphFlow *flow);
/* Interrupt what runs in DuckDB. Lock held. */
void run__interrupt_busy(Run *run);
/* Wait for a change of states, `most_us` microseconds, or 50 ms, at most. Lock held. */
void run__wait(Run *run, int64_t most_us);
void run__wait_a_little(Run *run);

enum { WORKERS_MAX = 256 };

typedef struct Workers {
    pthread_t threads[WORKERS_MAX];
    int count;
} Workers;

/* How many flows may be worked on at once: as configured, and not more than are selected. */
int run__worker_count(const Run *run);
/* Start that many threads of work(run), or as many as the system gives. */
void run__start_workers(Run *run, void *(*work)(void *run), Workers *workers);
void run__join_workers(Workers *workers);

/* run_select.c */

/* Sets the state and `force` of each flow, and refreshed[i] of each dataset of the graph that begins anew. 0, or -1 with errors. */
int run__select(Run *run, bool *refreshed, SqlErrors *errors);

/* run_flow.c */

/* Open the flow with its newest analysis. Caller frees *out. */
int run__open_flow(FlowRun *flow, Flow **out, SiltErr *err);
/* The whole flow, tried again as often as it may. Returns how it ended. */
FlowState run__flow(FlowRun *flow);
int64_t run__retries(const FlowRun *flow);
/* Waiting time before attempt number `failures` (from 1), doubling. */
int64_t run__backoff_ms(const FlowRun *flow);
/* Says what happened; whether to try again. */
bool run__note_failure(FlowRun *flow, const SiltErr *err);
/*
 * Continuous: a file caught half-copied, a record that stops the batch. Others go on, and so does this one once the input is right: tried
 * again ever more rarely, and said once for as long as the failure is the same. An expectation that is to end the update ends it: false.
 */
bool run__note_bad_input(FlowRun *flow, const SiltErr *err);

/* run_triggered.c, run_continuous.c: all selected flows, until they are done or a person stops them. */
void run__triggered(Run *run);
void run__continuously(Run *run);
/* How old a row may be when it is in the table; 0: not a moment more than it takes. gathers: small batches are put off (FlowRun.gathers). */
int64_t run__freshness_us(const FlowRun *flow, bool gathers);
