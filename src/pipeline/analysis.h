#pragma once
/*
 * pipeline/analysis.h - names and types of the whole graph: each flow's query against the tables as they will be
 *
 * Flows are analyzed in the graph's order, so that a table's columns are known before somebody reads it: those it has, those
 * its statement declares, those its flows bring. One lock: analysis is short, and flows ask for it again while others run.
 */
#include <pthread.h>
#include "flow/flow.h"
#include "pipeline/extensions.h"
#include "pipeline/graph.h"
#include "pipeline/defined.h"

typedef struct Analysis Analysis;

typedef struct AnalysisOptions {
    Io *io;
    DuckEngine *engine;
    const PipelineSpec *spec; /* NULL: an empty project */
    const Graph *graph;       /* NULL: none */
    const char *directory;    /* where relative paths start */
    const char *warehouse;
    const PipelineExtensions *extensions;
    const SqlFunction *functions; /* of the extensions; the last has name NULL. NULL: none */
} AnalysisOptions;

Analysis *analysis_new(const AnalysisOptions *options); /* options is copied, its members are borrowed */
void analysis_free(Analysis *analysis);

/* A full refresh is planned for this dataset, or was begun: inferred schemas of its sources and the shape of its table are forgotten. */
void analysis_refresh_fully(Analysis *analysis, const Dataset *dataset);

/* After analysis_graph: the table was never written to, and is to be given the shape that its flows want now, as by a full refresh. */
bool analysis_starts_over(const Analysis *analysis, const Dataset *dataset);

/*
 * Analyze one flow. old: hand its sources over (schemas that have grown); NULL: open them. 0 and *out, or -1 with errors.
 * A flow whose upstream was not analyzed gives -1 without an error of its own.
 */
int analysis_flow(Analysis *analysis, const GraphFlow *flow, FlowQuery *old, FlowQuery **out, SqlErrors *errors);

/* All flows in order, and views that nobody reads; queries[i] belongs to flows[i], NULL where it failed. 0, or -1 with errors. */
int analysis_graph(Analysis *analysis, FlowQuery **queries, SqlErrors *errors);
/* Whether a flow failed only because one that it reads from did. */
bool analysis_failed_upstream(const Analysis *analysis, const GraphFlow *flow);
/* A number that grows whenever the columns of a table that the flow reads have grown. */
int64_t analysis_stamp(Analysis *analysis, const GraphFlow *flow);
/* The target as it is wanted; NULL before it was analyzed. */
const TargetWant *analysis_want(Analysis *analysis, const Dataset *dataset);

/*
 * A query over the project's tables and paths, for `silt sql`: annotated in place. inputs by slot, in a query to be freed. defined: by the session, NULL
 * allowed. old: hand its sources over (schemas that have grown); NULL: open them.
 */
int analysis_query(Analysis *analysis, Query *query, const GraphScope *scope, const Defined *defined, FlowQuery *old, FlowQuery **out, SqlErrors *errors);
/* A CREATE FUNCTION statement of a session or of the project: 0, or -1 with what is wrong in its parameters or its body. */
int analysis_function(Analysis *analysis, const Statement *function, const GraphScope *scope, const Defined *defined, SqlErrors *errors);

/* Where a flow's checkpoints are. */
const char *analysis_checkpoint_root(Arena *arena, const PipelineSpec *spec, const GraphFlow *flow);
