#pragma once
/*
 * pipeline/graph.h - the project's datasets and flows, as its SQL files define them, in an order that respects who reads whom
 *
 *   G1  Every name is defined once; every flow has a target; a dataset that stores rows has at least one flow.
 *   G2  flows[] is a topological order: a flow stands behind all flows that fill a table it reads. It depends on names only.
 */
#include "flow/flow.h"
#include "pipeline/spec.h"
#include "sink/sink.h"
#include "sql/sql.h"

typedef enum DatasetKind {
    DATASET_STREAMING_TABLE,
    DATASET_MATERIALIZED_VIEW,
    DATASET_VIEW,
    DATASET_TEMPORARY_VIEW,
    DATASET_SINK, /* flows fill it, nobody reads it; path is where its side tables lie beside */
} DatasetKind;

typedef struct Dataset Dataset;
typedef struct GraphFlow GraphFlow;

/* One SQL file. */
typedef struct GraphFile {
    const char *name; /* in positions */
    Str text;
} GraphFile;

/* The settings and names that were in force where a statement stands. */
typedef struct GraphScope {
    const Conf *conf;
    const char *catalog, *schema;
} GraphScope;
/* What the analyzer needs; borrowed from the scope. */
SqlSettings graph_scope_settings(const GraphScope *scope);

/* CREATE TEMPORARY FUNCTION: known to the whole project, or to the session. */
typedef struct GraphFunction {
    const char *name;
    Statement *statement;
    GraphScope scope;
    struct Dataset **reads; /* datasets named in its body */
    int read_count;
} GraphFunction;

struct Dataset {
    DatasetKind kind;
    const char *name; /* catalog.schema.table; a temporary view: its one part */
    const char *catalog, *schema, *table;
    const char *path; /* folder of the Delta table; NULL for views */
    Statement *statement;
    int file;
    GraphScope scope;
    GraphFlow **flows;
    int flow_count, flow_capacity;
    bool streams; /* a view over streams */
    Dataset **reads; /* datasets named in a view's query */
    int read_count;
    bool is_read; /* a view that some flow opens */
    bool side_is_read[FLOW_SIDES]; /* its rows set aside are named in some query */
    int mark; /* of the search for cycles */
};

struct GraphFlow {
    const char *name;  /* catalog.schema.flow */
    const char *label; /* the flow's own part, as in checkpoint paths */
    Dataset *target;
    Statement *statement; /* that holds the query */
    int file;
    GraphScope scope;
    bool implicit, once;
    Dataset **reads; /* tables and views named in the query, views opened: tables only */
    int read_count;
    int index; /* in flows[] */
};

typedef struct Graph {
    Arena *arena;
    const PipelineSpec *spec;
    GraphFile *files;
    int file_count;
    Dataset **datasets; /* in order of definition */
    int dataset_count, dataset_capacity;
    GraphFlow **flows; /* G2 */
    int flow_count, flow_capacity;
    GraphFunction *functions;
    int function_count, function_capacity;
    int grammar_errors; /* statements that could not be read, and are in none of the above */
} Graph;

/*
 * Read and parse the spec's SQL files and put the graph together. 0, or -1 with all errors: syntax, names, duplicates,
 * missing flows, cycles, clauses that Silt refuses. Lives in arena.
 */
int graph_build(Io *io, Arena *arena, const PipelineSpec *spec, Graph **out, SqlErrors *errors);

/* Whether the kind of each sink is known: 0, or -1 with errors. */
int graph_check_sinks(const Graph *graph, const SinkContext *context, SqlErrors *errors);

/* A run needs a table or a view to fill: 0, or -1 with the error that there is none. */
int graph_require_datasets(const Graph *graph, SqlErrors *errors);

/* What a name means to a statement in this scope: a dataset, or NULL for something outside of the project. */
Dataset *graph_find(const Graph *graph, const GraphScope *scope, const SqlName *name);
/* The same for a table of rows set aside: the dataset beside which it lies, with which it is; NULL: it is none. */
Dataset *graph_find_side(const Graph *graph, const GraphScope *scope, const SqlName *name, FlowSide *side);
/* A function of the project, without case; NULL: none. graph NULL: an empty one. */
const GraphFunction *graph_function(const Graph *graph, const char *name);
/* Full names of all datasets, for "did you mean"; fills up to max. */
int graph_names(const Graph *graph, const char **out, int max);
/* A dataset by the name that a person typed: t, schema.t, catalog.schema.t. NULL: none. */
Dataset *graph_dataset(const Graph *graph, const char *name);
/* The same for one that has rows of its own; NULL with an error that names the nearest. */
Dataset *graph_require_table(const Graph *graph, const char *name, SqlErrors *errors);

FlowKind graph_flow_kind(const GraphFlow *flow);
/* Settings of the flow, with what its target's properties say on top. In arena. */
Conf *graph_flow_conf(Arena *arena, const GraphFlow *flow);

/* Value of a table property, or NULL. */
const char *dataset_property(const Dataset *dataset, const char *key);
/* STREAMING TABLE, ... */
const char *dataset_kind_name(DatasetKind kind);
/*
 * Folder of a table in the warehouse: W/t for database default, else W/d.db/t. Names of tables count without case, as in Spark's
 * catalog, and their folders are in lower case (ASCII).
 */
const char *graph_warehouse_path(Arena *arena, const char *warehouse, const char *schema, const char *table);
const char *graph_table_path(Arena *arena, const PipelineSpec *spec, const char *schema, const char *table);

/* One more error of kind CONFIG, at a place in the project's text. code, hint: NULL for none. Returns -1. */
int graph_refuse(SqlErrors *errors, SiltPos pos, const char *code, const char *hint, const char *fmt, ...) SILT_PRINTF(5, 6);
