#pragma once
/*
 * pipeline/report.h - what a run says of itself: events to its callbacks and to the event log
 *
 *   report_new() -> report_event() ... -> report_open_log() once the pipeline's lock is held -> ... -> report_close_log() -> report_free()
 *
 * Callbacks get each event at once. The log gets them as Lakeflow words them, and leaves out what says nothing: report.c, L1 to L3.
 */
#include "pipeline/analysis.h"
#include "pipeline/pipeline.h"

typedef struct Report Report;

typedef struct ReportOptions {
    Io *io;              /* borrowed, as all of these, until report_free */
    DuckEngine *engine;
    const PipelineSpec *spec;
    const Graph *graph;
    const PipelineRunOptions *run; /* callbacks and selection */
    bool continuous;
    bool threaded; /* a thread of its own appends to the log every few seconds */
} ReportOptions;

Report *report_new(const ReportOptions *options);
void report_free(Report *report); /* NULL allowed */

/* Nobody else may write to the pipeline's storage between these two. The second appends what is left; events after it go to callbacks only. */
void report_open_log(Report *report);
void report_close_log(Report *report);

/*
 * All below: from any thread, callbacks never two at once.
 * flow NULL: about the run. status as in PipelineEvent.
 */
void report_event(Report *report, PipelineLevel level, const GraphFlow *flow, const char *status, const SiltErr *error, const char *fmt, ...)
    SILT_PRINTF(6, 7);
/* A sealed batch. */
void report_progress(Report *report, const GraphFlow *flow, const FlowProgress *progress);

/* The same for what is no run: to its callbacks alone, NULL allowed; time from io. */
void report_to_callbacks(Io *io, const PipelineCallbacks *callbacks, PipelineLevel level, const GraphFlow *flow, const char *status, const char *fmt, ...)
    SILT_PRINTF(6, 7);

/* For the log alone: */
/* A state of the update that callbacks have no word for: INITIALIZING, RESETTING, RUNNING, STOPPING. */
void report_state(Report *report, const char *state);
/* The graph as it was analyzed; queries by flow, NULL where it failed. */
void report_definitions(Report *report, Analysis *analysis, FlowQuery *const *queries);
/* Nothing was started. */
void report_refused(Report *report, const SqlErrors *errors);
void report_warning(Report *report, const GraphFlow *flow, const char *message);
