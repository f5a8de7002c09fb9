#pragma once
/*
 * pipeline/event_kinds.h - every kind of event of the event log: its level, its sentence, its details
 *
 * Each function appends what it names to `out`, one line an event.
 */
#include "pipeline/analysis.h"
#include "pipeline/event_line.h"
#include "pipeline/flow_sums.h"
#include "pipeline/pipeline.h"

/* An update begins, and who asked for it. */
void event_create_update(EventWriter *writer, const PipelineSpec *spec, const PipelineRunOptions *run, bool continuous, StrBuf *out);
void event_user_action(EventWriter *writer, StrBuf *out);

/* What the project defines. want: the table as it will be; query: as it was analyzed. */
void event_dataset_definition(EventWriter *writer, const Dataset *dataset, const TargetWant *want, StrBuf *out);
void event_flow_definition(EventWriter *writer, const GraphFlow *flow, const FlowQuery *query, StrBuf *out);
/* How a materialized view is computed: as a whole. */
void event_planning(EventWriter *writer, const GraphFlow *flow, StrBuf *out);

/* The update is in this state. errors: those that brought it there. */
void event_update_progress(EventWriter *writer, const char *level, const char *state, const SiltErr *errors, int error_count, const char *message, StrBuf *out);
/* A flow is in this state. sums: what its batches have done, told with it; NULL: no numbers. error: NULL: none. */
void event_flow_progress(EventWriter *writer, const char *level, const GraphFlow *flow, const char *status, const FlowSums *sums, const SiltErr *error,
                         const char *message, StrBuf *out);
