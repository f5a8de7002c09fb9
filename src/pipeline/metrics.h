#pragma once
/*
 * pipeline/metrics.h - numbers of a run for those who watch it: Prometheus asks (GET /metrics), statsd is told
 *
 * Docs: docs/metrics.md. Names are Prometheus' own way; a flow and a partition that nothing is known of yet has no line.
 */
#include "flow/flow.h"
#include "pipeline/graph.h"

typedef struct Metrics Metrics;

typedef struct MetricsOptions {
    Io *io;             /* borrowed until metrics_close, as graph */
    const Graph *graph;
    const char *listen; /* HOST:PORT; NULL: nobody asks */
    const char *statsd; /* HOST:PORT; NULL: nobody is told */
    const char *prefix; /* of names in statsd; NULL: silt */
} MetricsOptions;

/* *out NULL when nobody wants any; all below accept it, and do nothing then. CONFIG: an address cannot be used. */
int metrics_open(const MetricsOptions *options, Metrics **out, SiltErr *err);
void metrics_close(Metrics *metrics);

/* All below: from any thread. */
void metrics_batch(Metrics *metrics, const GraphFlow *flow, const FlowProgress *progress);
/* An attempt of a flow has failed; given_up: it was the last one of this run. */
void metrics_failure(Metrics *metrics, const GraphFlow *flow, bool given_up);
void metrics_lag(Metrics *metrics, const GraphFlow *flow, const SourceLag *items, int count);
