/* pipeline/graph.c - the graph as a whole: names found in it, flows and their targets, what it may not be */
#include "pipeline/graph_build.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

int graph_refuse(SqlErrors *errors, SiltPos pos, const char *code, const char *hint, const char *fmt, ...)
{
    char message[1024];
    SiltErr err;
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    silt_fail_at(&err, SILT_CONFIG, pos, "%s", message);
    if (code)
        silt_code(&err, code);
    if (hint)
        silt_hint(&err, "%s", hint);
    sql_errors_add(errors, &err);
    return -1;
}

const char *dataset_kind_name(DatasetKind kind)
{
    static const char *const names[] = {"STREAMING TABLE", "MATERIALIZED VIEW", "VIEW", "TEMPORARY VIEW", "SINK"};
    return names[kind];
}

const char *dataset_property(const Dataset *dataset, const char *key)
{
    const Statement *statement = dataset->statement;

    for (int i = 0; i < statement->property_count; i++)
        if (!strcmp(statement->properties[i].key, key))
            return statement->properties[i].value;
    return NULL;
}

SqlSettings graph_scope_settings(const GraphScope *scope)
{
    SqlSettings settings = conf_sql_settings(scope->conf);

    settings.catalog = scope->catalog;
    settings.schema = scope->schema;
    return settings;
}

const char *graph_table_path(Arena *arena, const PipelineSpec *spec, const char *schema, const char *table)
{
    return graph_warehouse_path(arena, spec->warehouse, schema, table);
}

const char *graph_warehouse_path(Arena *arena, const char *warehouse, const char *schema, const char *table)
{
    const char *path = !strcasecmp(schema, "default") ? arena_printf(arena, "/%s", table) : arena_printf(arena, "/%s.db/%s", schema, table);
    char *lower = arena_strdup(arena, path);

    for (char *at = lower; *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at += 'a' - 'A';
    return arena_printf(arena, "%s%s", warehouse, lower);
}

/* ---- names ---- */

Dataset *graph__find_temporary(const Graph *graph, const char *name)
{
    for (int i = 0; i < graph->dataset_count; i++)
        if (graph->datasets[i]->kind == DATASET_TEMPORARY_VIEW && !strcasecmp(graph->datasets[i]->table, name))
            return graph->datasets[i];
    return NULL;
}

Dataset *graph__find_stored(const Graph *graph, const char *catalog, const char *schema, const char *table)
{
    for (int i = 0; i < graph->dataset_count; i++) {
        Dataset *dataset = graph->datasets[i];
        if (dataset->kind != DATASET_TEMPORARY_VIEW && !strcasecmp(dataset->table, table) && !strcasecmp(dataset->schema, schema) &&
            !strcasecmp(dataset->catalog, catalog))
            return dataset;
    }
    return NULL;
}

Dataset *graph_find(const Graph *graph, const GraphScope *scope, const SqlName *name)
{
    Dataset *found;

    if (name->count < 1 || name->count > 3)
        return NULL;
    const char *table = name->parts[name->count - 1];
    if (name->count == 1 && (found = graph__find_temporary(graph, table)))
        return found;
    return graph__find_stored(graph, name->count > 2 ? name->parts[0] : scope->catalog, name->count > 1 ? name->parts[name->count - 2] : scope->schema, table);
}

Dataset *graph_find_side(const Graph *graph, const GraphScope *scope, const SqlName *name, FlowSide *side)
{
    if (name->count < 1 || name->count > 3)
        return NULL;
    Str table = str_of(name->parts[name->count - 1]);
    for (*side = 0; *side < FLOW_SIDES; (*side)++) {
        Str suffix = str_of(flow_side_suffixes[*side]);
        char stem[512];
        if (table.size <= suffix.size || table.size - suffix.size >= sizeof stem || strcasecmp(table.ptr + table.size - suffix.size, suffix.ptr) != 0)
            continue;
        snprintf(stem, sizeof stem, "%.*s", (int)(table.size - suffix.size), table.ptr);
        Dataset *of = graph__find_stored(graph, name->count > 2 ? name->parts[0] : scope->catalog, name->count > 1 ? name->parts[name->count - 2] : scope->schema, stem);
        return of && of->path ? of : NULL;
    }
    return NULL;
}

const GraphFunction *graph_function(const Graph *graph, const char *name)
{
    for (int i = 0; graph && i < graph->function_count; i++)
        if (!strcasecmp(graph->functions[i].name, name))
            return &graph->functions[i];
    return NULL;
}

Dataset *graph_dataset(const Graph *graph, const char *name)
{
    Dataset *found = NULL;

    for (int i = 0; i < graph->dataset_count; i++) {
        Dataset *dataset = graph->datasets[i];
        size_t size = strlen(dataset->name), given = strlen(name);
        if (!strcasecmp(dataset->name, name))
            return dataset;
        bool suffix = size > given && dataset->name[size - given - 1] == '.' && !strcasecmp(dataset->name + size - given, name);
        bool current = !strcasecmp(dataset->schema ? dataset->schema : "", graph->spec->database);
        if (suffix && (!found || current))
            found = dataset;
    }
    return found;
}

Dataset *graph_require_table(const Graph *graph, const char *name, SqlErrors *errors)
{
    Dataset *found = graph_dataset(graph, name);
    const char *names[512];
    SiltErr err;

    if (found && found->path)
        return found;
    const char *nearest = str_nearest(str_of(name), names, graph_names(graph, names, 512));
    silt_fail(&err, SILT_CONFIG, "the project has no table \"%s\"", name);
    if (nearest && !found)
        silt_hint(&err, "Did you mean \"%s\"?", nearest);
    if (found)
        silt_hint(&err, "It is a %s, which has no rows of its own.", dataset_kind_name(found->kind));
    sql_errors_add(errors, &err);
    return NULL;
}

FlowKind graph_flow_kind(const GraphFlow *flow)
{
    return flow->target->kind == DATASET_MATERIALIZED_VIEW ? FLOW_VIEW : flow->once ? FLOW_ONCE : FLOW_STREAM;
}

Conf *graph_flow_conf(Arena *arena, const GraphFlow *flow)
{
    Conf *conf = conf_copy(arena, flow->scope.conf);
    const Statement *statement = flow->target->statement;

    for (int i = 0; i < statement->property_count; i++)
        if (str_starts(str_of(statement->properties[i].key), "silt."))
            conf_set(conf, statement->properties[i].key, statement->properties[i].value, statement->properties[i].pos);
    return conf;
}

int graph_names(const Graph *graph, const char **out, int max)
{
    int count = 0;

    for (int i = 0; i < graph->dataset_count && count < max; i++)
        out[count++] = graph->datasets[i]->table;
    return count;
}

SiltPos graph__name_pos(const Statement *statement)
{
    return statement->name.count ? statement->name.pos : statement->pos;
}

/* ---- flows and their targets ---- */

static void resolve_targets(GraphBuilder *b)
{
    Graph *graph = b->graph;

    for (int i = 0; i < graph->flow_count; i++) {
        GraphFlow *flow = graph->flows[i];
        if (flow->implicit)
            continue;
        const SqlName *target = &flow->statement->target;
        Dataset *dataset = graph_find(graph, &flow->scope, target);
        if (!dataset && graph->grammar_errors)
            continue; /* it may be what could not be read */
        if (!dataset || !dataset->path) {
            const char *names[256];
            const char *nearest = str_nearest(str_of(target->parts[target->count - 1]), names, graph_names(graph, names, 256));
            graph_refuse(b->errors, target->pos, NULL,
                   nearest && !dataset ? arena_printf(b->arena, "Did you mean \"%s\"?", nearest) : "Define it with CREATE STREAMING TABLE first.",
                   dataset ? "flow \"%s\" cannot insert into a view" : "flow \"%s\" inserts into a table that this project does not define", flow->label);
            continue;
        }
        flow->target = dataset;
        ARENA_PUSH(b->arena, dataset->flows, dataset->flow_count, dataset->flow_capacity, flow);
        /* a flow bears the name of its own schema, and lies below its table */
        for (int j = 0; j < i; j++) {
            GraphFlow *other = graph->flows[j];
            if (strcasecmp(other->name, flow->name))
                continue;
            if (other->implicit && other->target != dataset)
                graph_refuse(b->errors, flow->statement->name.pos, "FLOW_NAME_CONFLICTS_WITH_TABLE", "Give the flow a name of its own.",
                       "flow \"%s\" has the name of a table that it does not write", flow->label);
            else
                graph_refuse(b->errors, flow->statement->name.pos, "PIPELINE_DUPLICATE_IDENTIFIERS.FLOW", NULL, "flow \"%s\" is defined twice", flow->label);
            break;
        }
    }
}

/* Is a table where another's rows set aside go? They would share one table, and a view would overwrite them. */
static bool is_side_table(const Dataset *dataset, const Dataset *of)
{
    static const char *const suffixes[] = {"_dead_letters", "_quarantine", "_late"};
    size_t size = of->path ? strlen(of->path) : 0;

    if (!size || !dataset->path || strncmp(dataset->path, of->path, size) != 0)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dataset->path + size, suffixes[i]) == 0)
            return true;
    return false;
}

static void check_datasets(GraphBuilder *b)
{
    Graph *graph = b->graph;

    for (int i = 0; i < graph->dataset_count; i++) {
        Dataset *dataset = graph->datasets[i];
        if (dataset->kind == DATASET_STREAMING_TABLE && !dataset->flow_count && !graph->grammar_errors)
            graph_refuse(b->errors, graph__name_pos(dataset->statement), "PIPELINE_DATASET_WITHOUT_FLOW", "Add `AS SELECT ...`, or a CREATE FLOW that inserts into it.",
                   "table \"%s\" has no flow that fills it", dataset->name);
        if (dataset->kind == DATASET_SINK && !dataset->flow_count && !graph->grammar_errors)
            graph_refuse(b->errors, graph__name_pos(dataset->statement), "PIPELINE_DATASET_WITHOUT_FLOW", "Add CREATE FLOW f AS INSERT INTO it BY NAME SELECT ...",
                   "sink \"%s\" has no flow that fills it", dataset->name);
        if (dataset->kind == DATASET_MATERIALIZED_VIEW && dataset->flow_count > 1)
            graph_refuse(b->errors, graph__name_pos(dataset->flows[1]->statement), "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES", "Make it a STREAMING TABLE, or use UNION ALL.",
                   "materialized view \"%s\" has more than one query", dataset->name);
        for (int j = 0; j < i; j++)
            if (dataset->path && graph->datasets[j]->path && !strcmp(dataset->path, graph->datasets[j]->path))
                graph_refuse(b->errors, graph__name_pos(dataset->statement), NULL, NULL, "tables \"%s\" and \"%s\" lie in the same folder", dataset->name,
                       graph->datasets[j]->name);
        for (int j = 0; j < graph->dataset_count; j++) {
            const Dataset *other = graph->datasets[j];
            if (!dataset->path || !other->path || !str_starts(str_of(dataset->path), other->path))
                continue;
            if (dataset->path[strlen(other->path)] == '/')
                graph_refuse(b->errors, graph__name_pos(dataset->statement), NULL, "Give it a LOCATION of its own.", "table \"%s\" lies inside the folder of table \"%s\"",
                       dataset->name, other->name);
        }
        for (int j = 0; j < graph->dataset_count; j++)
            if (is_side_table(dataset, graph->datasets[j]))
                graph_refuse(b->errors, graph__name_pos(dataset->statement), NULL, "Give it another name.", "\"%s\" is where rows set aside for \"%s\" go", dataset->name,
                       graph->datasets[j]->name);
    }
}

int graph_check_sinks(const Graph *graph, const SinkContext *context, SqlErrors *errors)
{
    int before = errors->count;

    for (int i = 0; i < graph->dataset_count; i++) {
        const Statement *statement = graph->datasets[i]->statement;
        if (graph->datasets[i]->kind != DATASET_SINK || sink_known(context, statement->using_format))
            continue;
        const char *kinds = sink_kinds(context, errors->arena);
        graph_refuse(errors, statement->using_pos, "DATA_SOURCE_NOT_FOUND",
                     arena_printf(errors->arena, "Known are: %s. Others are brought by the program that runs the project (silt.h, SiltSink).", kinds),
                     "there is no kind of sink \"%s\"", statement->using_format);
    }
    return errors->count > before ? -1 : 0;
}

int graph_require_datasets(const Graph *graph, SqlErrors *errors)
{
    SiltErr err;

    for (int i = 0; i < graph->dataset_count; i++)
        if (graph->datasets[i]->kind != DATASET_TEMPORARY_VIEW)
            return 0;
    silt_fail_at(&err, SILT_CONFIG, (SiltPos){strrchr(graph->spec->path, '/') + 1, 1, 1, 0}, "the project defines no table and no view");
    silt_hint(&err, "Check `libraries:`, and that the files below define a table or a materialized view.");
    silt_code(&err, "RUN_EMPTY_PIPELINE");
    sql_errors_add(errors, &err);
    return -1;
}

int graph_build(Io *io, Arena *arena, const PipelineSpec *spec, Graph **out, SqlErrors *errors)
{
    Graph *graph = ARENA_NEW(arena, Graph);
    GraphBuilder builder = {.io = io, .arena = arena, .graph = graph, .errors = errors};
    int before = errors->count;

    graph->arena = arena;
    graph->spec = spec;
    graph->file_count = spec->sql_count;
    graph->files = ARENA_ARRAY(arena, GraphFile, spec->sql_count + 1);
    for (int i = 0; i < spec->sql_count; i++)
        graph__define_file(&builder, i);
    resolve_targets(&builder);
    check_datasets(&builder);
    graph__find_edges(&builder);
    graph__order_flows(&builder);
    *out = graph;
    return errors->count > before ? -1 : 0;
}
