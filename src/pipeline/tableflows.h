#pragma once
/* pipeline/tableflows.h - the flows of a table, analyzed and open, outside of a run: for recover, audit and explain (this folder only) */
#include "pipeline/internal.h"

typedef struct TableFlows {
    const Dataset *dataset;      /* NULL: all of the project */
    Flow **flows;                /* in the graph's order */
    const GraphFlow **definitions; /* of each */
    int count;
    /* the rest belongs to tableflows.c */
    Analysis *analysis;
    Arena *arena;
    struct TableFlow *hosts;
} TableFlows;

/*
 * Analyze the project and open the flows that fill `table`, as a person types its name (NULL: all flows). Reads logs and samples of files, writes nothing. 0, or -1
 * with all errors: an unknown table (the nearest is named), one without rows of its own, errors of the project.
 */
int table_flows_open(Pipeline *pipeline, const char *table, TableFlows **out, SqlErrors *errors);
void table_flows_free(TableFlows *flows); /* NULL allowed */

/* The pipeline's lock: 0, IO_BUSY with err saying who holds it, < 0. */
int pipeline__lock(Io *io, const PipelineSpec *spec, Arena *arena, IoLock **out, SiltErr *err);
