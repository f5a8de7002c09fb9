#pragma once
/* pipeline/graph_build.h - what the files that build the graph share */
#include "pipeline/graph.h"

typedef struct GraphBuilder {
    Io *io;
    Arena *arena;
    Graph *graph;
    SqlErrors *errors;
    int file;
    GraphScope scope; /* of the statement being read */
    Conf *own_conf;   /* of the file, once it has a SET of its own */
} GraphBuilder;

/* Where a statement's name stands; without one, the statement. */
SiltPos graph__name_pos(const Statement *statement);
Dataset *graph__find_temporary(const Graph *graph, const char *name);
/* Not among the temporary views. */
Dataset *graph__find_stored(const Graph *graph, const char *catalog, const char *schema, const char *table);

/* graph_define.c: the datasets, flows and functions of file number `index`; flows have no target yet. 0, or -1 with errors. */
int graph__define_file(GraphBuilder *b, int index);

/* graph_edges.c */
/* Who reads whom, by name; views opened. */
void graph__find_edges(GraphBuilder *b);
/* G2, or an error for each cycle. */
void graph__order_flows(GraphBuilder *b);
