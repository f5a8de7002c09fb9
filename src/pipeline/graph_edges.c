/* pipeline/graph_edges.c - who reads whom, and an order of flows that respects it */
#include "pipeline/graph_build.h"
#include "plan/walk.h"
#include <strings.h>

/* ---- names in a query ---- */

typedef struct NameWalk {
    GraphBuilder *b;
    const GraphScope *scope;
    const char *ctes[64]; /* names in scope; enough for a query that a person wrote, more only cost an edge too many */
    int cte_count;
    int cte_marks[64], depth;
    bool streams;
    Dataset ***reads;
    int *count;
    int capacity;
    bool *functions; /* by number in the graph: their bodies were looked at */
} NameWalk;

static bool enter_query(void *self, Query *query)
{
    NameWalk *walk = self;

    if (walk->depth < 64)
        walk->cte_marks[walk->depth] = walk->cte_count;
    walk->depth++;
    for (int i = 0; i < query->with_count && walk->cte_count < 64; i++)
        walk->ctes[walk->cte_count++] = query->with[i].name;
    return true;
}

static void leave_query(void *self, Query *query)
{
    NameWalk *walk = self;

    (void)query;
    walk->depth--;
    if (walk->depth < 64)
        walk->cte_count = walk->cte_marks[walk->depth];
}

static void walk_names(NameWalk *walk, Query *query, Expr *expr);

/* What a function's body reads, the query that calls it reads. */
static void enter_function(NameWalk *walk, const SqlName *name)
{
    const Graph *graph = walk->b->graph;
    const GraphFunction *function = name->count == 1 ? graph_function(graph, name->parts[0]) : NULL;

    if (!function || walk->functions[function - graph->functions])
        return;
    walk->functions[function - graph->functions] = true;
    NameWalk body = *walk; /* the names of WITH around the call do not reach into it */
    body.scope = &function->scope;
    body.cte_count = body.depth = 0;
    walk_names(&body, function->statement->query, function->statement->routine->body);
    walk->streams = body.streams;
    walk->capacity = body.capacity;
}

static bool enter_expr(void *self, Expr *expr)
{
    if (expr->kind == EXPR_CALL)
        enter_function(self, &expr->name);
    return true;
}

static bool enter_relation(void *self, Relation *relation)
{
    NameWalk *walk = self;

    if (relation->stream)
        walk->streams = true;
    if (relation->kind == REL_FUNCTION)
        enter_function(walk, &relation->name);
    if (relation->kind != REL_TABLE)
        return true;
    if (relation->name.count == 1)
        for (int i = 0; i < walk->cte_count; i++)
            if (!strcasecmp(walk->ctes[i], relation->name.parts[0]))
                return true;
    Dataset *dataset = graph_find(walk->b->graph, walk->scope, &relation->name);
    FlowSide side;
    if (!dataset && (dataset = graph_find_side(walk->b->graph, walk->scope, &relation->name, &side)))
        dataset->side_is_read[side] = true;
    if (!dataset)
        return true;
    for (int i = 0; i < *walk->count; i++)
        if ((*walk->reads)[i] == dataset)
            return true;
    ARENA_PUSH(walk->b->arena, *walk->reads, *walk->count, walk->capacity, dataset);
    return true;
}

static void walk_names(NameWalk *walk, Query *query, Expr *expr)
{
    WalkVisitor visitor = {.self = walk, .query = enter_query, .query_end = leave_query, .relation = enter_relation, .expr = enter_expr};

    walk_query(&visitor, query);
    walk_expr(&visitor, expr);
}

/* Of a query, or of an expression. */
static bool find_reads(GraphBuilder *b, const GraphScope *scope, Query *query, Expr *expr, Dataset ***reads, int *count)
{
    NameWalk walk = {.b = b, .scope = scope, .reads = reads, .count = count, .functions = ARENA_ARRAY(b->arena, bool, b->graph->function_count + 1)};

    walk_names(&walk, query, expr);
    return walk.streams;
}

/* ---- edges ---- */

static void open_views(GraphBuilder *b, Dataset *dataset, Dataset ***tables, int *count, int *capacity)
{
    if (dataset->mark == -1)
        return; /* seen */
    dataset->mark = -1;
    dataset->is_read = true;
    if (dataset->path) {
        ARENA_PUSH(b->arena, *tables, *count, *capacity, dataset);
        return;
    }
    for (int i = 0; i < dataset->read_count; i++)
        open_views(b, dataset->reads[i], tables, count, capacity);
}

void graph__find_edges(GraphBuilder *b)
{
    Graph *graph = b->graph;

    for (int i = 0; i < graph->function_count; i++) {
        GraphFunction *function = &graph->functions[i];
        find_reads(b, &function->scope, function->statement->query, function->statement->routine->body, &function->reads, &function->read_count);
    }

    for (int i = 0; i < graph->dataset_count; i++) {
        Dataset *view = graph->datasets[i];
        if (!view->path && view->statement->query)
            view->streams = find_reads(b, &view->scope, view->statement->query, NULL, &view->reads, &view->read_count);
        for (int j = 0; view->kind == DATASET_VIEW && j < view->read_count; j++)
            if (view->reads[j]->kind == DATASET_TEMPORARY_VIEW)
                graph_refuse(b->errors, graph__name_pos(view->statement), "INVALID_TEMP_OBJ_REFERENCE", "Make it a TEMPORARY VIEW too.",
                       "view \"%s\" cannot read temporary view \"%s\"", view->name, view->reads[j]->name);
        if (view->kind == DATASET_VIEW && view->streams)
            graph_refuse(b->errors, graph__name_pos(view->statement), "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_PERSISTED_VIEW",
                   "Leave STREAM out, or make it a TEMPORARY VIEW.", "view \"%s\" reads a stream", view->name);
    }
    for (int i = 0; i < graph->flow_count; i++) {
        GraphFlow *flow = graph->flows[i];
        Dataset **named = NULL, **tables = NULL;
        int named_count = 0, count = 0, capacity = 0;
        if (!flow->statement->query)
            continue;
        find_reads(b, &flow->scope, flow->statement->query, NULL, &named, &named_count);
        for (int j = 0; j < graph->dataset_count; j++)
            graph->datasets[j]->mark = 0;
        for (int j = 0; j < named_count; j++)
            open_views(b, named[j], &tables, &count, &capacity);
        flow->reads = tables;
        flow->read_count = count;
    }
    for (int j = 0; j < graph->dataset_count; j++)
        graph->datasets[j]->mark = 0;
}

/* ---- order ---- */

/* Depth first over tables and views; mark: 1 on the way, 2 done. A cycle is reported once, where it closes. */
static void visit(GraphBuilder *b, Dataset *dataset, Dataset *from, GraphFlow ***order, int *count)
{
    if (dataset->mark == 2)
        return;
    if (dataset->mark == 1) {
        graph_refuse(b->errors, graph__name_pos(from->statement), "PIPELINE_GRAPH_CYCLE", "Remove one of the two reads.",
               "\"%s\" and \"%s\" read each other, directly or by way of others", from->name, dataset->name);
        return;
    }
    dataset->mark = 1;
    for (int i = 0; i < dataset->read_count; i++)
        visit(b, dataset->reads[i], dataset, order, count);
    for (int i = 0; i < dataset->flow_count; i++)
        for (int j = 0; j < dataset->flows[i]->read_count; j++)
            visit(b, dataset->flows[i]->reads[j], dataset, order, count);
    for (int i = 0; i < dataset->flow_count; i++) {
        dataset->flows[i]->index = *count;
        (*order)[(*count)++] = dataset->flows[i];
    }
    dataset->mark = 2;
}

void graph__order_flows(GraphBuilder *b)
{
    Graph *graph = b->graph;
    GraphFlow **order = ARENA_ARRAY(b->arena, GraphFlow *, graph->flow_count + 1);
    int count = 0;

    for (int i = 0; i < graph->dataset_count; i++)
        visit(b, graph->datasets[i], graph->datasets[i], &order, &count);
    silt_assert(count <= graph->flow_count); /* flows without a target were reported */
    graph->flows = order;
    graph->flow_count = count;
}
