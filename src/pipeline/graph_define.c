/* pipeline/graph_define.c - from the statements of a file to datasets, flows and functions; clauses that cannot be honoured are refused */
#include "pipeline/graph_build.h"
#include "delta/table.h"
#include "base/uri.h"
#include <string.h>
#include <strings.h>

static int failed(GraphBuilder *b, SiltErr *err)
{
    sql_errors_add(b->errors, err);
    return -1;
}

/* ---- names ---- */

/* Fill the missing parts of a name. false (reported): too many parts, or a catalog that does not exist. */
static bool qualify(GraphBuilder *b, const SqlName *name, const char **catalog, const char **schema, const char **table)
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

/* ---- one statement ---- */

static void add_dataset(GraphBuilder *b, Dataset *dataset)
{
    Graph *graph = b->graph;
    Dataset *other = dataset->kind == DATASET_TEMPORARY_VIEW ? graph__find_temporary(graph, dataset->table)
                                                             : graph__find_stored(graph, dataset->catalog, dataset->schema, dataset->table);

    if (other) {
        SiltPos pos = other->statement->name.pos;
        graph_refuse(b->errors, graph__name_pos(dataset->statement), "PIPELINE_DUPLICATE_IDENTIFIERS.OUTPUT",
               arena_printf(b->arena, "It is defined at %s:%d:%d already.", pos.file, pos.line, pos.column), "\"%s\" is defined twice", dataset->name);
        return;
    }
    ARENA_PUSH(b->arena, graph->datasets, graph->dataset_count, graph->dataset_capacity, dataset);
}

static void add_flow(GraphBuilder *b, Dataset *target, Statement *statement, const char *catalog, const char *schema, const char *label, bool implicit)
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
static void check_clauses(GraphBuilder *b, const Statement *s)
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

static const char *location_path(GraphBuilder *b, const Statement *statement)
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

static void define_dataset(GraphBuilder *b, Statement *statement, DatasetKind kind)
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

static void define_flow(GraphBuilder *b, Statement *statement)
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
static void define_function(GraphBuilder *b, Statement *statement)
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

static void set_setting(GraphBuilder *b, const Statement *statement)
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

static void use_schema(GraphBuilder *b, const Statement *statement)
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

static void refuse_statement(GraphBuilder *b, const Statement *statement, const char *what)
{
    graph_refuse(b->errors, statement->what_pos.line ? statement->what_pos : statement->pos, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
                 "A pipeline takes CREATE STREAMING TABLE, MATERIALIZED VIEW, VIEW, TEMPORARY VIEW, TEMPORARY FUNCTION, FLOW and SINK, SET and USE.",
                 "cannot run %s in a pipeline", what);
}

static void read_statement(GraphBuilder *b, Statement *statement)
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

/* ---- a file ---- */

int graph__define_file(GraphBuilder *b, int index)
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
