/* pipeline/tableflows.c - the flows of a table, outside of a run */
#include "pipeline/tableflows.h"
#include "base/log.h"
#include <stdlib.h>

/* What a flow calls back with. */
typedef struct TableFlow {
    const TableFlows *flows;
    const GraphFlow *flow;
} TableFlow;

static int analyze_again(void *self, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    const TableFlow *host = self;

    return analysis_flow(host->flows->analysis, host->flow, old, out, errors);
}

static void warn(void *self, const char *message)
{
    const TableFlow *host = self;

    LOG(LOG_WARN, "flow.warning", LOG_TEXT("flow", host->flow->name), LOG_TEXT("message", message));
}

static Flow *open_flow(const Pipeline *pipeline, TableFlows *flows, TableFlow *host, FlowQuery *query)
{
    const GraphFlow *flow = host->flow;
    const char **siblings = ARENA_ARRAY(flows->arena, const char *, flow->target->flow_count + 1);
    FlowEnv env = {
        .io = pipeline->io,
        .engine = pipeline->engine,
        .staging = arena_printf(flows->arena, "%s/_silt/audit/staging", pipeline->spec->storage_path), /* not where a run may be at work */
        .stop = &pipeline->stop,
        .self = host,
        .warn = warn,
    };

    for (int i = 0; i < flow->target->flow_count; i++)
        siblings[i] = flow->target->flows[i]->label;
    FlowOptions options = {
        .name = flow->name,
        .kind = graph_flow_kind(flow),
        .checkpoint_root = analysis_checkpoint_root(flows->arena, pipeline->spec, flow),
        .siblings = siblings,
        .sibling_count = flow->target->flow_count,
        .file = pipeline->graph->files[flow->file].name,
        .conf = graph_flow_conf(flows->arena, flow),
        .analyze = analyze_again,
        .analyze_self = host,
    };
    return flow_new(&env, &options, query);
}

int table_flows_open(Pipeline *pipeline, const char *table, TableFlows **out, SqlErrors *errors)
{
    const Graph *graph = pipeline->graph;
    const Dataset *dataset = table ? graph_require_table(graph, table, errors) : NULL;
    AnalysisOptions options = pipeline__analysis_options(pipeline);

    if (table && !dataset)
        return -1;
    TableFlows *flows = silt_alloc(sizeof *flows);
    flows->dataset = dataset;
    flows->arena = arena_new();
    flows->analysis = analysis_new(&options);
    flows->flows = ARENA_ARRAY(flows->arena, Flow *, graph->flow_count + 1);
    flows->definitions = ARENA_ARRAY(flows->arena, const GraphFlow *, graph->flow_count + 1);
    flows->hosts = ARENA_ARRAY(flows->arena, TableFlow, graph->flow_count + 1);
    FlowQuery **queries = ARENA_ARRAY(flows->arena, FlowQuery *, graph->flow_count + 1);
    int r = analysis_graph(flows->analysis, queries, errors);
    for (int i = 0; i < graph->flow_count; i++) {
        const GraphFlow *flow = graph->flows[i];
        if (r < 0 || (dataset && flow->target != dataset)) {
            flow_query_free(queries[i]);
            continue;
        }
        flows->definitions[flows->count] = flow;
        flows->hosts[flows->count] = (TableFlow){flows, flow};
        flows->flows[flows->count] = open_flow(pipeline, flows, &flows->hosts[flows->count], queries[i]);
        flows->count++;
    }
    if (r < 0) {
        table_flows_free(flows);
        return -1;
    }
    *out = flows;
    return 0;
}

void table_flows_free(TableFlows *flows)
{
    if (!flows)
        return;
    for (int i = 0; i < flows->count; i++)
        flow_free(flows->flows[i]);
    analysis_free(flows->analysis);
    arena_free(flows->arena);
    free(flows);
}

int pipeline__lock(Io *io, const PipelineSpec *spec, Arena *arena, IoLock **out, SiltErr *err)
{
    const char *path = arena_printf(arena, "%s/_silt/lock", spec->storage_path), *holder = NULL;
    int r = io_lock_folder(io, path, spec->storage_path, out, arena, &holder, err);

    if (r == IO_BUSY)
        silt_fail(err, SILT_CONFIG, "this pipeline is being run by another process%s%s", holder ? ": " : "", holder ? holder : "");
    return r;
}
