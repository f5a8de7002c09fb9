/* pipeline/graph.c - from statements to datasets and flows: names, duplicates, who reads whom, cycles */
#include "pipeline/graph.h"
#include "plan/walk.h"
#include "delta/table.h"
#include "base/uri.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct Builder {
    Io *io;
    Arena *arena;
    Graph *graph;
    SqlErrors *errors;
    int file;
    GraphScope scope; /* of the statement being read */
    Conf *own_conf;   /* of the file, once it has a SET of its own */
} Builder;

static int failed(Builder *b, SiltErr *err)
{
    sql_errors_add(b->errors, err);
    return -1;
}

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

/* Fill the missing parts of a name. false (reported): too many parts, or a catalog that does not exist. */
static bool qualify(Builder *b, const SqlName *name, const char **catalog, const char **schema, const char **table)
{
    const PipelineSpec *spec = b->graph->spec;

    *catalog = name->count > 2 ? name->parts[name->count - 3] : b->scope.catalog;
    *schema = name->count > 1 ? name->parts[name->count - 2] : b->scope.schema;
    *table = name->parts[name->count - 1];
    if (name->count > 3) {
        graph_refuse(b->errors, name->pos, "IDENTIFIER_TOO_MANY_NAME_PARTS", NULL, "a name has at most three parts: catalog.schema.table");
        return false;
    }
    if (strcasecmp(*catalog, spec->catalog) && strcasecmp(*catalog, "spark_catalog")) {
        graph_refuse(b->errors, name->pos, "CATALOG_NOT_FOUND", "The catalog is given by `catalog:` in the spec; there is one.", "the catalog \"%s\" is not found",
               *catalog);
        return false;
    }
    if (strchr(*table, '/') || strchr(*schema, '/') || **table == '.' || **schema == '.' || !**table || !**schema) {
        graph_refuse(b->errors, name->pos, NULL, "Names of tables become names of folders.", "cannot name a table \"%s\"", *table);
        return false;
    }
    return true;
}

static const char *full_name(Arena *arena, const char *catalog, const char *schema, const char *table)
{
    return arena_printf(arena, "%s.%s.%s", catalog, schema, table);
}

static Dataset *find_temporary(const Graph *graph, const char *name)
{
    for (int i = 0; i < graph->dataset_count; i++)
        if (graph->datasets[i]->kind == DATASET_TEMPORARY_VIEW && !strcasecmp(graph->datasets[i]->table, name))
            return graph->datasets[i];
    return NULL;
}

static Dataset *find_stored(const Graph *graph, const char *catalog, const char *schema, const char *table)
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
    if (name->count == 1 && (found = find_temporary(graph, table)))
        return found;
    return find_stored(graph, name->count > 2 ? name->parts[0] : scope->catalog, name->count > 1 ? name->parts[name->count - 2] : scope->schema, table);
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

/* ---- one statement ---- */

static SiltPos name_pos(const Statement *statement)
{
    return statement->name.count ? statement->name.pos : statement->pos;
}

static void add_dataset(Builder *b, Dataset *dataset)
{
    Graph *graph = b->graph;
    Dataset *other = dataset->kind == DATASET_TEMPORARY_VIEW ? find_temporary(graph, dataset->table)
                                                             : find_stored(graph, dataset->catalog, dataset->schema, dataset->table);

    if (other) {
        SiltPos pos = other->statement->name.pos;
        graph_refuse(b->errors, name_pos(dataset->statement), "PIPELINE_DUPLICATE_IDENTIFIERS.OUTPUT",
               arena_printf(b->arena, "It is defined at %s:%d:%d already.", pos.file, pos.line, pos.column), "\"%s\" is defined twice", dataset->name);
        return;
    }
    ARENA_PUSH(b->arena, graph->datasets, graph->dataset_count, graph->dataset_capacity, dataset);
}

static void add_flow(Builder *b, Dataset *target, Statement *statement, const char *catalog, const char *schema, const char *label, bool implicit)
{
    Graph *graph = b->graph;
    GraphFlow *flow = ARENA_NEW(b->arena, GraphFlow);

    flow->label = label;
    flow->name = full_name(b->arena, catalog, schema, label);
    flow->target = target;
    flow->statement = statement;
    flow->file = b->file;
    flow->scope = b->scope;
    flow->implicit = implicit;
    flow->once = statement->once;
    ARENA_PUSH(b->arena, graph->flows, graph->flow_count, graph->flow_capacity, flow);
    if (target)
        ARENA_PUSH(b->arena, target->flows, target->flow_count, target->flow_capacity, flow);
}

/* Clauses that cannot be honoured are refused, each where it stands. */
static void check_clauses(Builder *b, const Statement *s)
{
    for (int i = 0; i < s->property_count; i++) {
        SiltErr err;
        DeltaProperty property = {s->properties[i].key, s->properties[i].value};
        if (delta_property_check(&property, &err) < 0)
            graph_refuse(b->errors, s->properties[i].pos, *err.code ? err.code : NULL, *err.hint ? err.hint : NULL, "%s", err.message);
        else if (conf_check_property(s->properties[i].key, s->properties[i].value, s->properties[i].pos, &err) < 0)
            failed(b, &err);
        else if (!strcmp(s->properties[i].key, "silt.outputMode") && strcasecmp(s->properties[i].value, "append"))
            graph_refuse(b->errors, s->properties[i].value_pos, NULL, NULL, "cannot run output mode \"%s\" yet", s->properties[i].value);
        else if (!strcmp(s->properties[i].key, "pipelines.reset.allowed") && strcasecmp(s->properties[i].value, "true") &&
                 strcasecmp(s->properties[i].value, "false"))
            graph_refuse(b->errors, s->properties[i].value_pos, NULL, "Write 'true' or 'false'.", "value \"%s\" of \"pipelines.reset.allowed\" is neither true nor false",
                   s->properties[i].value);
    }
    if (s->using_format && s->kind != STMT_CREATE_SINK && strcasecmp(s->using_format, "delta"))
        graph_refuse(b->errors, s->using_pos, NULL, "Leave USING out: tables are Delta.", "cannot write tables of format \"%s\"", s->using_format);
    if (s->cluster_count && s->partition_count)
        graph_refuse(b->errors, s->cluster_by[0].pos, "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED", NULL, "both CLUSTER BY and PARTITIONED BY are given");
    else if (s->cluster_count)
        graph_refuse(b->errors, s->cluster_by[0].pos, NULL, "PARTITIONED BY is supported.", "cannot cluster tables yet");
    for (int i = 0; i < s->column_count; i++) {
        const ColumnDef *column = &s->columns[i];
        if (column->generated_sql)
            graph_refuse(b->errors, column->pos, NULL, "Compute it in the query.", "cannot generate column \"%s\" yet", column->name);
        if (column->default_sql)
            graph_refuse(b->errors, column->pos, "WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED", "Use coalesce in the query.",
                   "cannot give column \"%s\" a default", column->name);
        if (!column->type)
            graph_refuse(b->errors, column->pos, "PARSE_SYNTAX_ERROR", NULL, "column \"%s\" has no type", column->name);
    }
    for (int i = 0; i < s->partition_count; i++)
        if (s->partition_by[i].count != 1)
            graph_refuse(b->errors, s->partition_by[i].pos, NULL, NULL, "a table is partitioned by columns of its own, not by parts of them");
    for (int i = 0; i < s->expectation_count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(s->expectations[i].name, s->expectations[j].name))
                graph_refuse(b->errors, s->expectations[i].pos, "DUPLICATED_EXPECTATION", NULL, "expectation \"%s\" is defined twice", s->expectations[i].name);
}

static const char *location_path(Builder *b, const Statement *statement)
{
    const char *path;
    SiltErr err;

    if (!uri_scheme(str_of(statement->location)).size)
        return path_clean(b->arena, path_join(b->arena, b->graph->spec->directory, statement->location));
    if (uri_to_path(b->arena, statement->location, &path, &err) == 0)
        return path_clean(b->arena, path);
    graph_refuse(b->errors, statement->pos, NULL, NULL, "cannot use LOCATION '%s': %s", statement->location, err.message);
    return NULL;
}

static void define_dataset(Builder *b, Statement *statement, DatasetKind kind)
{
    Dataset *dataset = ARENA_NEW(b->arena, Dataset);

    dataset->kind = kind;
    dataset->statement = statement;
    dataset->file = b->file;
    dataset->scope = b->scope;
    if (kind == DATASET_TEMPORARY_VIEW) {
        if (statement->name.count != 1) {
            graph_refuse(b->errors, statement->name.pos, "MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED", "Give it a plain name.", "a temporary view belongs to no schema");
            return;
        }
        dataset->table = dataset->name = statement->name.parts[0];
    } else {
        if (!qualify(b, &statement->name, &dataset->catalog, &dataset->schema, &dataset->table))
            return;
        dataset->name = full_name(b->arena, dataset->catalog, dataset->schema, dataset->table);
    }
    check_clauses(b, statement);
    if (kind == DATASET_STREAMING_TABLE || kind == DATASET_MATERIALIZED_VIEW || kind == DATASET_SINK) {
        dataset->path = graph_table_path(b->arena, b->graph->spec, dataset->schema, dataset->table);
        if (statement->location && !(dataset->path = location_path(b, statement)))
            return;
    }
    add_dataset(b, dataset);
    if (dataset->path && statement->query)
        add_flow(b, dataset, statement, dataset->catalog, dataset->schema, dataset->table, true);
}

static void define_flow(Builder *b, Statement *statement)
{
    if (statement->name.count != 1)
        graph_refuse(b->errors, statement->name.pos, "MULTIPART_FLOW_NAME_NOT_SUPPORTED", "Give it a plain name.", "a flow's name has one part");
    else if (!statement->by_name)
        graph_refuse(b->errors, statement->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "Write INSERT INTO t BY NAME SELECT ...",
               "only flows that insert BY NAME are supported");
    else if (strchr(statement->name.parts[0], '/') || *statement->name.parts[0] == '.')
        graph_refuse(b->errors, statement->name.pos, NULL, "Names of flows become names of folders.", "cannot name a flow \"%s\"", statement->name.parts[0]);
    else /* the target is found when all files are read */
        add_flow(b, NULL, statement, b->scope.catalog, b->scope.schema, statement->name.parts[0], false);
}

/* Spark's pipelines know no functions. Here they are as temporary views: found by name from every file, whatever the order. */
static void define_function(Builder *b, Statement *statement)
{
    const SqlName *name = &statement->name;
    const GraphFunction *other = graph_function(b->graph, name->parts[name->count - 1]);

    if (!statement->temporary) {
        graph_refuse(b->errors, name->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "Write CREATE TEMPORARY FUNCTION: it is known to the whole project.",
                     "cannot store function \"%s\": there is no catalog of functions", name->parts[name->count - 1]);
        return;
    }
    if (other) {
        SiltPos pos = other->statement->name.pos;
        graph_refuse(b->errors, name->pos, "ROUTINE_ALREADY_EXISTS", arena_printf(b->arena, "It is defined at %s:%d:%d already.", pos.file, pos.line, pos.column),
                     "function \"%s\" is defined twice", other->name);
        return;
    }
    GraphFunction function = {name->parts[0], statement, b->scope};
    ARENA_PUSH(b->arena, b->graph->functions, b->graph->function_count, b->graph->function_capacity, function);
}

static void set_setting(Builder *b, const Statement *statement)
{
    const char *key = statement->name.count ? statement->name.parts[0] : "";
    SiltErr err;

    if (!statement->set_value) {
        graph_refuse(b->errors, statement->pos, NULL, "Write SET key = value.", "SET without a value has no meaning in a pipeline");
        return;
    }
    if (conf_check(key, statement->set_value, statement->pos, &err) < 0) {
        failed(b, &err);
        return;
    }
    /* flows that were read before keep the settings they had */
    b->own_conf = conf_copy(b->arena, b->scope.conf);
    conf_set(b->own_conf, key, statement->set_value, statement->pos);
    b->scope.conf = b->own_conf;
}

static void use_schema(Builder *b, const Statement *statement)
{
    const SqlName *name = &statement->name;

    if (name->count == 2 && strcasecmp(name->parts[0], b->graph->spec->catalog) && strcasecmp(name->parts[0], "spark_catalog")) {
        graph_refuse(b->errors, name->pos, "CATALOG_NOT_FOUND", NULL, "the catalog \"%s\" is not found", name->parts[0]);
        return;
    }
    if (statement->use_catalog) {
        if (strcasecmp(name->parts[0], b->graph->spec->catalog) && strcasecmp(name->parts[0], "spark_catalog"))
            graph_refuse(b->errors, name->pos, "CATALOG_NOT_FOUND", NULL, "the catalog \"%s\" is not found", name->parts[0]);
        return;
    }
    if (name->count >= 1)
        b->scope.schema = name->parts[name->count - 1];
}

static void refuse_statement(Builder *b, const Statement *statement, const char *what)
{
    graph_refuse(b->errors, statement->what_pos.line ? statement->what_pos : statement->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
                 "A pipeline takes CREATE STREAMING TABLE, MATERIALIZED VIEW, VIEW, TEMPORARY VIEW, TEMPORARY FUNCTION, FLOW and SINK, SET and USE.",
                 "cannot run %s in a pipeline", what);
}

static void read_statement(Builder *b, Statement *statement)
{
    switch (statement->kind) {
    case STMT_CREATE_STREAMING_TABLE:
        define_dataset(b, statement, DATASET_STREAMING_TABLE);
        break;
    case STMT_CREATE_MATERIALIZED_VIEW:
        define_dataset(b, statement, DATASET_MATERIALIZED_VIEW);
        break;
    case STMT_CREATE_VIEW:
        define_dataset(b, statement, DATASET_VIEW);
        break;
    case STMT_CREATE_TEMPORARY_VIEW:
        define_dataset(b, statement, DATASET_TEMPORARY_VIEW);
        break;
    case STMT_CREATE_SINK:
        define_dataset(b, statement, DATASET_SINK);
        break;
    case STMT_CREATE_FLOW:
        define_flow(b, statement);
        break;
    case STMT_SET:
        set_setting(b, statement);
        break;
    case STMT_USE:
        use_schema(b, statement);
        break;
    case STMT_QUERY:
    case STMT_EXPLAIN:
        graph_refuse(b->errors, statement->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "Give it a name: CREATE MATERIALIZED VIEW name AS ...",
               "a query alone has no place in a pipeline");
        break;
    case STMT_COPY:
        graph_refuse(b->errors, statement->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
                     "A streaming table over STREAM read_files(...) loads each file once; COPY INTO is for `silt sql`.", "cannot run COPY INTO in a pipeline");
        break;
    case STMT_CREATE_TABLE:
        refuse_statement(b, statement, "CREATE TABLE");
        break;
    case STMT_INSERT:
        refuse_statement(b, statement, statement->insert->overwrite ? "INSERT OVERWRITE" : "INSERT INTO");
        break;
    case STMT_ALTER:
        refuse_statement(b, statement, "ALTER TABLE");
        break;
    case STMT_CREATE_FUNCTION:
        define_function(b, statement);
        break;
    case STMT_RESET:
        refuse_statement(b, statement, "RESET");
        break;
    case STMT_DROP_FUNCTION:
        refuse_statement(b, statement, "DROP FUNCTION");
        break;
    case STMT_DECLARE_VARIABLE:
    case STMT_SET_VARIABLE:
    case STMT_DROP_VARIABLE:
        graph_refuse(b->errors, statement->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "Variables belong to a session of `silt sql`; a CREATE TEMPORARY FUNCTION "
                     "without parameters gives a name to a value.", "cannot use variables in a pipeline");
        break;
    case STMT_EXECUTE:
        refuse_statement(b, statement, "EXECUTE IMMEDIATE");
        break;
    case STMT_OTHER:
        refuse_statement(b, statement, statement->what ? statement->what : "this statement");
        break;
    }
}

static int read_file(Builder *b, int index)
{
    const PipelineSpec *spec = b->graph->spec;
    GraphFile *file = &b->graph->files[index];
    Statement **statements;
    SiltErr err;
    int count;

    file->name = spec->sql_names[index];
    int r = io_read(b->io, spec->sql_files[index], b->arena, &file->text, &err);
    if (r == IO_ABSENT)
        silt_fail(&err, SILT_CONFIG, "file \"%s\" has vanished", file->name);
    if (r)
        return failed(b, &err);
    b->file = index;
    b->scope = (GraphScope){spec->conf, spec->catalog, spec->database};
    int before = b->errors->count;
    r = sql_parse_file(b->arena, file->name, file->text, &statements, &count, b->errors);
    b->graph->grammar_errors += b->errors->count - before;
    if (r < 0)
        return -1;
    for (int i = 0; i < count; i++)
        read_statement(b, statements[i]);
    return 0;
}

/* ---- flows and their targets ---- */

static void resolve_targets(Builder *b)
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

static void check_datasets(Builder *b)
{
    Graph *graph = b->graph;

    for (int i = 0; i < graph->dataset_count; i++) {
        Dataset *dataset = graph->datasets[i];
        if (dataset->kind == DATASET_STREAMING_TABLE && !dataset->flow_count && !graph->grammar_errors)
            graph_refuse(b->errors, name_pos(dataset->statement), "PIPELINE_DATASET_WITHOUT_FLOW", "Add `AS SELECT ...`, or a CREATE FLOW that inserts into it.",
                   "table \"%s\" has no flow that fills it", dataset->name);
        if (dataset->kind == DATASET_SINK && !dataset->flow_count && !graph->grammar_errors)
            graph_refuse(b->errors, name_pos(dataset->statement), "PIPELINE_DATASET_WITHOUT_FLOW", "Add CREATE FLOW f AS INSERT INTO it BY NAME SELECT ...",
                   "sink \"%s\" has no flow that fills it", dataset->name);
        if (dataset->kind == DATASET_MATERIALIZED_VIEW && dataset->flow_count > 1)
            graph_refuse(b->errors, name_pos(dataset->flows[1]->statement), "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES", "Make it a STREAMING TABLE, or use UNION ALL.",
                   "materialized view \"%s\" has more than one query", dataset->name);
        for (int j = 0; j < i; j++)
            if (dataset->path && graph->datasets[j]->path && !strcmp(dataset->path, graph->datasets[j]->path))
                graph_refuse(b->errors, name_pos(dataset->statement), NULL, NULL, "tables \"%s\" and \"%s\" lie in the same folder", dataset->name,
                       graph->datasets[j]->name);
        for (int j = 0; j < graph->dataset_count; j++) {
            const Dataset *other = graph->datasets[j];
            if (!dataset->path || !other->path || !str_starts(str_of(dataset->path), other->path))
                continue;
            if (dataset->path[strlen(other->path)] == '/')
                graph_refuse(b->errors, name_pos(dataset->statement), NULL, "Give it a LOCATION of its own.", "table \"%s\" lies inside the folder of table \"%s\"",
                       dataset->name, other->name);
        }
        for (int j = 0; j < graph->dataset_count; j++)
            if (is_side_table(dataset, graph->datasets[j]))
                graph_refuse(b->errors, name_pos(dataset->statement), NULL, "Give it another name.", "\"%s\" is where rows set aside for \"%s\" go", dataset->name,
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
                     *kinds ? arena_printf(errors->arena, "Known are: %s.", kinds) : "Sinks are brought by the program that runs the project (silt.h, SiltSink).",
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

/* ---- who reads whom ---- */

typedef struct NameWalk {
    Builder *b;
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
static bool find_reads(Builder *b, const GraphScope *scope, Query *query, Expr *expr, Dataset ***reads, int *count)
{
    NameWalk walk = {.b = b, .scope = scope, .reads = reads, .count = count, .functions = ARENA_ARRAY(b->arena, bool, b->graph->function_count + 1)};

    walk_names(&walk, query, expr);
    return walk.streams;
}

static void open_views(Builder *b, Dataset *dataset, Dataset ***tables, int *count, int *capacity)
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

static void find_edges(Builder *b)
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
                graph_refuse(b->errors, name_pos(view->statement), "INVALID_TEMP_OBJ_REFERENCE", "Make it a TEMPORARY VIEW too.",
                       "view \"%s\" cannot read temporary view \"%s\"", view->name, view->reads[j]->name);
        if (view->kind == DATASET_VIEW && view->streams)
            graph_refuse(b->errors, name_pos(view->statement), "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_PERSISTED_VIEW",
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

/* Depth first over tables and views; mark: 1 on the way, 2 done. A cycle is reported once, where it closes. */
static void visit(Builder *b, Dataset *dataset, Dataset *from, GraphFlow ***order, int *count)
{
    if (dataset->mark == 2)
        return;
    if (dataset->mark == 1) {
        graph_refuse(b->errors, name_pos(from->statement), "PIPELINE_GRAPH_CYCLE", "Remove one of the two reads.",
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

static void order_flows(Builder *b)
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

int graph_build(Io *io, Arena *arena, const PipelineSpec *spec, Graph **out, SqlErrors *errors)
{
    Graph *graph = ARENA_NEW(arena, Graph);
    Builder builder = {.io = io, .arena = arena, .graph = graph, .errors = errors};
    int before = errors->count;

    graph->arena = arena;
    graph->spec = spec;
    graph->file_count = spec->sql_count;
    graph->files = ARENA_ARRAY(arena, GraphFile, spec->sql_count + 1);
    for (int i = 0; i < spec->sql_count; i++)
        read_file(&builder, i);
    resolve_targets(&builder);
    check_datasets(&builder);
    find_edges(&builder);
    order_flows(&builder);
    *out = graph;
    return errors->count > before ? -1 : 0;
}
