#pragma once
/* pipeline/resolve.h - the catalog of one query under analysis: a name, a path or a function becomes an input */
#include "pipeline/analysis.h"
#include "pipeline/defined.h"

/* What lives as long as the sources of a flow, across repeated analysis. */
typedef struct SourceHost {
    Arena *arena;
    SourceContext context;
    DuckEngine *engine;
    DuckSession *session; /* for looking into Parquet files; opened when first asked for */
} SourceHost;

SourceHost *source_host_new(const AnalysisOptions *options, const char *time_zone);
void source_host_free(SourceHost *host);

typedef struct Resolver {
    const AnalysisOptions *options;
    GraphScope scope;
    FlowQuery *query;   /* inputs go here */
    FlowQuery *old;     /* sources are taken from here, NULL: opened anew */
    int input_capacity;
    int streaming_count, source_count;
    const char *schemas; /* folder of inferred schemas, numbered as the streaming inputs are; NULL: none */
    StrBuf *views;          /* texts of views and functions opened, content of files and schemas that functions name: part of the fingerprint */
    const Defined *defined; /* by the session; NULL: nothing */
    /* The wanted target of a dataset; NULL when its analysis failed. */
    const TargetWant *(*want)(void *self, const Dataset *dataset);
    void *want_self;
} Resolver;

/*
 * Where the Delta table of this name lies: delta.`path`, a table of the project (*dataset then; a view has no path: *path is NULL), or a name
 * in the warehouse. *shown is its name for messages. All in arena. 0, SQL_NO_TABLE when no table can have this name, or < 0. Nothing is read.
 */
int resolve_table(const AnalysisOptions *options, const GraphScope *scope, Arena *arena, const SqlName *name, const Dataset **dataset, const char **path,
                  const char **shown, SiltErr *err);

SqlCatalog resolver_catalog(Resolver *resolver);
