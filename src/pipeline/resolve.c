/*
 * pipeline/resolve.c - from a relation in a query to what it reads
 *
 *   1  a temporary view or table of the project by its one-part name
 *   2  fmt.`path`
 *   3  schema and catalog filled in: a table or view of the project, else a Delta table in the warehouse
 *   4  a function that reads data: read_files(...); event_log(...) and cloud_files_state(...) in `silt sql`
 */
#include "pipeline/resolve_internal.h"
#include "base/uri.h"
#include "source/arguments.h"
#include "sql/functions.h"
#include <string.h>
#include <strings.h>

/* ---- what the kinds of relations share ---- */

PlanInput *resolve__new_input(Resolver *r, const Relation *relation, PlanInputKind kind, const char *name)
{
    FlowQuery *query = r->query;
    PlanInput *input = ARENA_NEW(query->arena, PlanInput);

    input->kind = kind;
    input->pos = relation->pos;
    input->streaming = relation->stream;
    input->version = -1;
    input->timestamp_us = INT64_MIN;
    input->stream.starting_version = -1;
    input->relation.name = arena_strdup(query->arena, name);
    input->relation.streaming = relation->stream;
    input->relation.slot = query->input_count;
    input->relation.owner = input;
    ARENA_PUSH(query->arena, query->inputs, query->input_count, r->input_capacity, input);
    r->streaming_count += relation->stream;
    return input;
}

const Expr *resolve__literal(const Expr *expr)
{
    while (expr && expr->kind == EXPR_CAST && expr->arg_count == 1)
        expr = expr->args[0];
    return expr && expr->kind == EXPR_LITERAL ? expr : NULL;
}

/* A folder as a person writes it, relative to the project or a URI. In arena. */
int resolve__folder(const AnalysisOptions *options, Arena *arena, const char *text, const char **out, SiltErr *err)
{
    if (!uri_scheme(str_of(text)).size)
        text = path_join(arena, options->directory, text);
    else
        SILT_TRY(uri_to_path(arena, text, &text, err));
    *out = path_clean(arena, text);
    return 0;
}

/* ---- names ---- */

static bool is_delta_path(const SqlName *name)
{
    return name->count == 2 && !strcasecmp(name->parts[0], "delta");
}

int resolve_table(const AnalysisOptions *options, const GraphScope *scope, Arena *arena, const SqlName *name, const Dataset **dataset, const char **path,
                  const char **shown, SiltErr *err)
{
    *dataset = options->graph ? graph_find(options->graph, scope, name) : NULL;
    if (*dataset) {
        *path = (*dataset)->path;
        *shown = (*dataset)->name;
        return 0;
    }
    if (is_delta_path(name)) {
        SILT_TRY(resolve__folder(options, arena, name->parts[1], path, err));
        *shown = arena_printf(arena, "delta.`%s`", name->parts[1]);
        return 0;
    }
    if (name->count > 3)
        return SQL_NO_TABLE;
    const char *schema = name->count > 1 ? name->parts[name->count - 2] : scope->schema, *table = name->parts[name->count - 1];
    if (name->count == 3 && strcasecmp(name->parts[0], scope->catalog) && strcasecmp(name->parts[0], "spark_catalog"))
        return SQL_NO_TABLE;
    if (strchr(table, '/') || strchr(schema, '/') || *table == '.' || *schema == '.' || !options->warehouse)
        return SQL_NO_TABLE;
    *path = graph_warehouse_path(arena, options->warehouse, schema, table);
    *shown = arena_printf(arena, "%s.%s.%s", scope->catalog, schema, table);
    return 0;
}

/* ---- the catalog ---- */

static bool is_function(const Relation *relation, const char *name)
{
    return relation->kind == REL_FUNCTION && relation->name.count == 1 && !strcasecmp(relation->name.parts[0], name);
}

static int resolve(void *self, Relation *relation, SqlRelation **out, SiltErr *err)
{
    Resolver *r = self;
    const Dataset *dataset;
    const char *path, *shown;

    if (is_function(relation, "event_log"))
        return resolve__event_log(r, relation, out, err);
    if (is_function(relation, "cloud_files_state"))
        return resolve__files_state(r, relation, out, err);
    if (relation->kind == REL_FUNCTION)
        return resolve__source(r, relation, out, err);
    int found = resolve_table(r->options, &r->scope, r->query->arena, &relation->name, &dataset, &path, &shown, err);
    if (found < 0)
        return found;
    FlowSide side;
    if (found == 0 && !dataset && r->options->graph && (dataset = graph_find_side(r->options->graph, &r->scope, &relation->name, &side)))
        return resolve__side_table(r, relation, dataset, side, shown, out, err);
    if (found == 0 && dataset)
        return path ? resolve__project_table(r, relation, dataset, out, err) : resolve__view(r, relation, dataset, out, err);
    if (relation->name.count == 2 && !is_delta_path(&relation->name)) {
        int outcome = resolve__source(r, relation, out, err);
        if (outcome != SQL_NO_TABLE)
            return outcome;
    }
    return found == 0 ? resolve__external_table(r, relation, path, shown, out, err) : SQL_NO_TABLE;
}

static int routine(void *self, const char *name, const Statement **out, SiltErr *err)
{
    Resolver *r = self;
    const GraphFunction *found = defined_function(r->defined, name);
    Statement *statement;

    if (!found)
        found = graph_function(r->options->graph, name);
    if (!found)
        return SQL_NO_TABLE;
    SILT_TRY(resolve__open_text(r, found->statement, &found->scope, &statement, err));
    *out = statement;
    return 0;
}

static const Expr *variable(void *self, const char *name)
{
    const Resolver *r = self;
    const SessionVariable *found = defined_variable(r->defined, name);

    return found ? found->value : NULL;
}

static int names(void *self, const char **out, int max)
{
    Resolver *r = self;

    return r->options->graph ? graph_names(r->options->graph, out, max) : 0;
}

static const SqlFunction *function(void *self, const char *name)
{
    const Resolver *r = self;

    for (const SqlFunction *f = r->options->functions; f && f->name; f++)
        if (!strcasecmp(f->name, name))
            return f;
    return NULL;
}

static int secret(void *self, Arena *arena, const char *text, SiltPos pos, const char **out, SiltErr *err)
{
    const Resolver *r = self;

    return source_secret_expand(r->options->io, arena, text, pos, out, err);
}

/* Part of the query's fingerprint, so that a view is computed again when it changes. */
static void depends(void *self, Str content)
{
    const Resolver *r = self;

    if (!r->views)
        return;
    str_buf_str(r->views, content);
    str_buf_putc(r->views, '\n');
}

static int file(void *self, Arena *arena, const char *path, Str *out, SiltErr *err)
{
    const Resolver *r = self;
    const char *whole;

    SILT_TRY(resolve__folder(r->options, arena, path, &whole, err));
    int found = io_read(r->options->io, whole, arena, out, err);
    return found == IO_ABSENT ? silt_fail(err, SILT_CONFIG, "there is no file \"%s\"", path) : found;
}

SqlCatalog resolver_catalog(Resolver *resolver)
{
    return (SqlCatalog){.self = resolver,
                        .resolve = resolve,
                        .names = names,
                        .function = function,
                        .routine = routine,
                        .variable = variable,
                        .secret = secret,
                        .file = file,
                        .depends = depends};
}
