/*
 * pipeline/resolve.c - from a relation in a query to what it reads
 *
 *   1  a temporary view or table of the project by its one-part name
 *   2  fmt.`path`
 *   3  schema and catalog filled in: a table or view of the project, else a Delta table in the warehouse
 *   4  a function that reads data: read_files(...); event_log(...) and cloud_files_state(...) in `silt sql`
 */
#include "pipeline/resolve.h"
#include "base/uri.h"
#include "format/value.h"
#include "pipeline/event_log.h"
#include "pipeline/files_state.h"
#include "plan/walk.h"
#include "sql/functions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what sources need ---- */

static int host_session(void *self, DuckSession **out, SiltErr *err)
{
    SourceHost *host = self;

    if (!host->session)
        SILT_TRY(duck_session_open(host->engine, &host->session, err));
    *out = host->session;
    return 0;
}

SourceHost *source_host_new(const AnalysisOptions *options, const char *time_zone)
{
    SourceHost *host = silt_alloc(sizeof *host);

    host->arena = arena_new();
    host->engine = options->engine;
    host->context = (SourceContext){
        .io = options->io,
        .base_directory = options->directory,
        .time_zone = arena_strdup(host->arena, time_zone),
        .session = host_session,
        .session_self = host,
        .extensions = options->extensions->sources,
        .extension_count = options->extensions->source_count,
    };
    return host;
}

void source_host_free(SourceHost *host)
{
    if (!host)
        return;
    duck_session_close(host->session);
    arena_free(host->arena);
    free(host);
}

/* ---- inputs ---- */

static PlanInput *new_input(Resolver *r, const Relation *relation, PlanInputKind kind, const char *name)
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

static void take_columns(Resolver *r, PlanInput *input, const Type *schema)
{
    Arena *arena = r->query->arena;
    SqlRelation *relation = &input->relation;

    relation->column_count = schema->field_count;
    relation->column_names = ARENA_ARRAY(arena, const char *, schema->field_count + 1);
    relation->column_types = ARENA_ARRAY(arena, const Type *, schema->field_count + 1);
    relation->column_nullable = ARENA_ARRAY(arena, bool, schema->field_count + 1);
    for (int i = 0; i < schema->field_count; i++) {
        relation->column_names[i] = arena_strdup(arena, schema->fields[i].name);
        relation->column_types[i] = type_copy(arena, schema->fields[i].type);
        relation->column_nullable[i] = schema->fields[i].nullable;
    }
}

/* ---- options of STREAM t WITH (...) and time travel ---- */

static int take_option(PlanInput *input, const SqlOption *option, SiltErr *err)
{
    static const char *const names[] = {"maxFilesPerTrigger", "maxBytesPerTrigger", "skipChangeCommits", "ignoreDeletes", "startingVersion"};
    enum { NAMES = sizeof names / sizeof names[0] };
    Str value = str_of(option->value);
    int64_t number = 0;
    int at = 0;

    while (at < NAMES && strcasecmp(names[at], option->key))
        at++;
    if (at == NAMES) {
        silt_fail_at(err, SILT_CONFIG, option->pos, "unknown option \"%s\" of a streamed table", option->key);
        const char *nearest = str_nearest(str_of(option->key), names, NAMES);
        return nearest ? silt_hint(err, "Did you mean \"%s\"?", nearest)
                       : silt_hint(err, "Known are maxFilesPerTrigger, maxBytesPerTrigger, skipChangeCommits, ignoreDeletes and startingVersion.");
    }
    bool is_bool = str_is_nocase(value, "true") || str_is_nocase(value, "false"), yes = str_is_nocase(value, "true");
    bool bad = at == 2 || at == 3 ? !is_bool : at == 1 ? !conf_parse_size(value, &number) : !str_to_int64(str_trim(value), &number) || number < (at == 0);
    if (at == 4 && str_is_nocase(value, "latest"))
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "cannot start from \"latest\" yet");
    if (bad)
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "value \"%s\" of option \"%s\" cannot be read", option->value, option->key);
    switch (at) {
    case 0:
        input->stream.files_max = number;
        break;
    case 1:
        input->stream.bytes_max = number;
        break;
    case 2:
        input->stream.skip_change_commits = yes;
        break;
    case 3:
        input->stream.ignore_deletes = yes;
        break;
    case 4:
        input->stream.starting_version = number;
        break;
    }
    return 0;
}

static const Expr *literal_of(const Expr *expr)
{
    while (expr && expr->kind == EXPR_CAST && expr->arg_count == 1)
        expr = expr->args[0];
    return expr && expr->kind == EXPR_LITERAL ? expr : NULL;
}

static int take_time_travel(Resolver *r, PlanInput *input, const Relation *relation, SiltErr *err)
{
    const Expr *version = literal_of(relation->version_as_of), *time = literal_of(relation->timestamp_as_of);
    const char *zone = conf_sql_settings(r->scope.conf).time_zone;

    if (!relation->version_as_of && !relation->timestamp_as_of)
        return 0;
    SiltPos pos = (relation->version_as_of ? relation->version_as_of : relation->timestamp_as_of)->pos;
    if (relation->stream)
        return silt_fail_at(err, SILT_CONFIG, pos, "a stream cannot be read as of a version");
    if (relation->version_as_of) {
        Str text = version ? (version->literal.size ? version->literal : str_of(version->text)) : (Str){0};
        if (!version || !str_to_int64(text, &input->version) || input->version < 0)
            return silt_fail_at(err, SILT_CONFIG, pos, "the version is not a whole number");
        return 0;
    }
    Str text = time ? (time->literal.size ? time->literal : str_of(time->text)) : (Str){0};
    if (!time || !value_timestamp(text, zone_find(str_of(zone)), &input->timestamp_us)) {
        silt_fail_at(err, SILT_CONFIG, pos, "the time is not a timestamp");
        return silt_hint(err, "Write it as a literal: TIMESTAMP AS OF '2026-11-29 10:00:00'.");
    }
    return 0;
}

static int finish_table(Resolver *r, PlanInput *input, const Relation *relation, SqlRelation **out, SiltErr *err)
{
    if (relation->option_count && !relation->stream)
        return silt_fail_at(err, SILT_CONFIG, relation->options[0].pos, "options go with STREAM only");
    for (int i = 0; i < relation->option_count; i++)
        SILT_TRY(take_option(input, &relation->options[i], err));
    SILT_TRY(take_time_travel(r, input, relation, err));
    *out = &input->relation;
    return 0;
}

/* ---- Delta tables outside of the project ---- */

/* The version that a relation names, without looking at later ones: they may be what is wrong with the table. */
static int named_version(DeltaTable *table, const PlanInput *input, const Relation *relation, const DeltaSnapshot **out, SiltErr *err)
{
    int outcome = delta_table_at_version(table, input->version, out, err);

    if (outcome < 0 && !strcmp(err->code, "DELTA_VERSION_NOT_FOUND"))
        silt_place(err, relation->version_as_of->pos);
    return outcome;
}

static int external_table(Resolver *r, Relation *relation, const char *path, const char *name, SqlRelation **out, SiltErr *err)
{
    DeltaEnv env = {.io = r->options->io, .engine = r->options->engine};
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, path);
    silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *at = NULL;
    int outcome = relation->version_as_of ? 0 : delta_table_refresh(table, err);

    if (outcome == DELTA_ABSENT)
        return SQL_NO_TABLE;
    SILT_TRY(outcome);
    PlanInput *input = new_input(r, relation, PLAN_INPUT_DELTA, name);
    input->path = arena_strdup(r->query->arena, path);
    SILT_TRY(finish_table(r, input, relation, out, err));
    if (relation->version_as_of)
        outcome = named_version(table, input, relation, &at, err);
    else if (input->timestamp_us != INT64_MIN)
        outcome = delta_table_at_time(table, input->timestamp_us, &at, err);
    if (outcome == DELTA_ABSENT)
        return SQL_NO_TABLE;
    SILT_TRY(outcome);
    if (input->timestamp_us != INT64_MIN) {
        input->version = at->version;
        input->timestamp_us = INT64_MIN; /* pinned */
    }
    take_columns(r, input, (at ? at : delta_table_snapshot(table))->metadata->schema);
    return 0;
}

/* ---- sources ---- */

static int open_source(Resolver *r, Relation *relation, Source **out, SiltErr *err)
{
    SourceHost *host = r->query->host;
    SourceContext context = host->context;
    const char *text = NULL;

    if (relation->stream && r->schemas) {
        const char *directory = arena_printf(host->arena, "%s/%d", r->schemas, r->streaming_count);
        int outcome = source_schema_load(r->options->io, directory, host->arena, &text, err);
        if (outcome < 0)
            return outcome;
        context.schema_text = outcome == 0 ? text : NULL;
    }
    return source_from_relation(&context, relation, out, err);
}

/* silt.deadLetters = 'spark': rows of NULLs as Spark makes them, unless the query says how. */
static void take_mode(Resolver *r, Relation *relation)
{
    const char *policy = conf_get(r->scope.conf, "silt.deadLetters");
    Arena *arena = r->query->arena;

    if (relation->kind != REL_FUNCTION || !policy || strcasecmp(policy, "spark"))
        return;
    for (int i = 0; i < relation->arg_count; i++)
        if (relation->args[i]->kind == EXPR_NAMED_ARG && !strcasecmp(relation->args[i]->text, "mode"))
            return;
    Expr *value = ARENA_NEW(arena, Expr), *named = ARENA_NEW(arena, Expr);
    *value = (Expr){.kind = EXPR_LITERAL, .pos = relation->pos, .text = "PERMISSIVE", .literal = STR("PERMISSIVE"), .type = type_simple(TYPE_STRING), .constant = true};
    *named = (Expr){.kind = EXPR_NAMED_ARG, .pos = relation->pos, .text = "mode", .type = value->type};
    named->args = ARENA_ARRAY(arena, Expr *, 1);
    named->args[0] = value;
    named->arg_count = 1;
    Expr **args = ARENA_ARRAY(arena, Expr *, relation->arg_count + 1);
    for (int i = 0; i < relation->arg_count; i++)
        args[i] = relation->args[i];
    args[relation->arg_count++] = named;
    relation->args = args;
}

/* Analyzed again: the same sources in the same order, with schemas that may have grown. */
static Source *old_source(const Resolver *r)
{
    int number = 0;

    for (int i = 0; i < r->old->input_count; i++)
        if (r->old->inputs[i]->kind == PLAN_INPUT_SOURCE && number++ == r->source_count)
            return r->old->inputs[i]->source;
    silt_assert(!"a source that was not there");
    return NULL;
}

static void add_source(Resolver *r, const Relation *relation, Source *source, SqlRelation **out)
{
    const SourceSchema *schema = source_schema(source);
    PlanInput *input = new_input(r, relation, PLAN_INPUT_SOURCE, source_name(source));

    r->source_count++;
    input->source = source;
    input->relation.column_names = schema->names;
    input->relation.column_types = schema->types;
    input->relation.column_nullable = schema->nullable;
    input->relation.column_count = schema->column_count;
    input->relation.hidden_count = schema->hidden_count;
    *out = &input->relation;
}

static int source_relation(Resolver *r, Relation *relation, SqlRelation **out, SiltErr *err)
{
    Source *source = NULL;

    if (r->old) {
        source = old_source(r);
    } else {
        take_mode(r, relation);
        int outcome = open_source(r, relation, &source, err);
        if (outcome == SOURCE_NONE)
            return SQL_NO_TABLE;
        SILT_TRY(outcome);
    }
    add_source(r, relation, source, out);
    return 0;
}

/* ---- views ---- */

typedef struct Qualify {
    Resolver *resolver;
    const GraphScope *scope;
    const char *ctes[64];
    int cte_count;
} Qualify;

static bool note_ctes(void *self, Query *query)
{
    Qualify *q = self;

    for (int i = 0; i < query->with_count && q->cte_count < 64; i++)
        q->ctes[q->cte_count++] = query->with[i].name;
    return true;
}

/* Names in a view or a function mean what they mean where it is defined. */
static bool qualify_name(void *self, Relation *relation)
{
    Qualify *q = self;
    Arena *arena = q->resolver->query->arena;
    const GraphScope *scope = q->scope;

    if (relation->kind != REL_TABLE || relation->name.count != 1)
        return true;
    for (int i = 0; i < q->cte_count; i++)
        if (!strcasecmp(q->ctes[i], relation->name.parts[0]))
            return true;
    const Graph *graph = q->resolver->options->graph;
    const Dataset *found = graph ? graph_find(graph, scope, &relation->name) : NULL;
    if (found && found->kind == DATASET_TEMPORARY_VIEW)
        return true;
    const char **parts = ARENA_ARRAY(arena, const char *, 3);
    parts[0] = scope->catalog;
    parts[1] = scope->schema;
    parts[2] = relation->name.parts[0];
    relation->name.parts = parts;
    relation->name.count = 3;
    return true;
}

/* A fresh tree of what a view or function is, its names qualified. */
static int open_text(Resolver *r, const Statement *from, const GraphScope *scope, Statement **out, SiltErr *err)
{
    Qualify qualify = {.resolver = r, .scope = scope};
    WalkVisitor visitor = {.self = &qualify, .query = note_ctes, .relation = qualify_name};

    SILT_TRY(sql_parse_again(r->query->arena, from, out, err));
    walk_query(&visitor, (*out)->query);
    if ((*out)->routine)
        walk_expr(&visitor, (*out)->routine->body);
    if (r->views) {
        str_buf_str(r->views, from->text);
        str_buf_putc(r->views, '\n');
    }
    return 0;
}

static int open_view(Resolver *r, Relation *relation, const Dataset *view, SqlRelation **out, SiltErr *err)
{
    Arena *arena = r->query->arena;
    SqlRelation *resolved = ARENA_NEW(arena, SqlRelation);
    Statement *statement;

    if (view->streams && !relation->stream) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "\"%s\" is a streaming view", view->name);
        silt_code(err, "INCOMPATIBLE_STREAMING_VIEW_READ");
        return silt_hint(err, "Read it as a stream: STREAM %s.", view->table);
    }
    if (!view->streams && relation->stream) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "\"%s\" is no streaming view", view->name);
        silt_code(err, "INCOMPATIBLE_BATCH_VIEW_READ");
        return silt_hint(err, "Leave STREAM out, or read a stream in the view.");
    }
    if (relation->option_count)
        return silt_fail_at(err, SILT_CONFIG, relation->options[0].pos, "a view takes no options: give them where the view reads its table");
    SILT_TRY(open_text(r, view->statement, &view->scope, &statement, err));
    resolved->name = view->name;
    resolved->view = statement->query;
    resolved->streaming = relation->stream;
    *out = resolved;
    return 0;
}

/* ---- the catalog ---- */

static int project_table(Resolver *r, Relation *relation, const Dataset *dataset, SqlRelation **out, SiltErr *err)
{
    const TargetWant *want = r->want ? r->want(r->want_self, dataset) : NULL;

    if (dataset->kind == DATASET_SINK) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "\"%s\" is a sink: its rows cannot be read here", dataset->name);
        return silt_hint(err, "Read what its flows read, or put a streaming table before it.");
    }
    if (!want) { /* `silt sql` looks at the table itself */
        int outcome = external_table(r, relation, dataset->path, dataset->name, out, err);
        if (outcome != SQL_NO_TABLE)
            return outcome;
        silt_fail_at(err, SILT_CONFIG, relation->pos, "table \"%s\" has not been made yet", dataset->name);
        silt_code(err, "TABLE_OR_VIEW_NOT_FOUND");
        return silt_hint(err, "`silt run` makes it.");
    }
    if (relation->version_as_of || relation->timestamp_as_of)
        return external_table(r, relation, dataset->path, dataset->name, out, err);
    PlanInput *input = new_input(r, relation, PLAN_INPUT_DELTA, dataset->name);
    input->path = dataset->path;
    take_columns(r, input, want->schema);
    return finish_table(r, input, relation, out, err);
}

static bool is_delta_path(const SqlName *name)
{
    return name->count == 2 && !strcasecmp(name->parts[0], "delta");
}

/* A folder as a person writes it, relative to the project or a URI. In arena. */
static int folder_of(const AnalysisOptions *options, Arena *arena, const char *text, const char **out, SiltErr *err)
{
    if (!uri_scheme(str_of(text)).size)
        text = path_join(arena, options->directory, text);
    else
        SILT_TRY(uri_to_path(arena, text, &text, err));
    *out = path_clean(arena, text);
    return 0;
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
        SILT_TRY(folder_of(options, arena, name->parts[1], path, err));
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

/* The table of the project that f(TABLE(name)) names. */
static int table_argument(Resolver *r, const Relation *relation, const Dataset **out, SiltErr *err)
{
    const char *names[512], *last = relation->table_arg.parts[relation->table_arg.count - 1];
    const Graph *graph = r->options->graph;

    *out = graph ? graph_find(graph, &r->scope, &relation->table_arg) : NULL;
    if (*out && (*out)->path)
        return 0;
    const char *nearest = graph ? str_nearest(str_of(last), names, graph_names(graph, names, 512)) : NULL;
    silt_fail_at(err, SILT_CONFIG, relation->table_arg.pos, "the project has no table \"%s\"", last);
    silt_code(err, "TABLE_OR_VIEW_NOT_FOUND");
    return nearest ? silt_hint(err, "Did you mean \"%s\"?", nearest) : -1;
}

/* Which pipeline is meant: by one of its tables, or by its id. */
static int check_event_log(Resolver *r, const Relation *relation, const char *path, SiltErr *err)
{
    DeltaEnv env = {.io = r->options->io, .engine = r->options->engine};
    silt_auto(delta_table_freep) DeltaTable *table = NULL;

    if (relation->table_arg.count) {
        const Dataset *dataset;
        return table_argument(r, relation, &dataset, err);
    }
    const Expr *id = relation->arg_count == 1 ? literal_of(relation->args[0]) : NULL;
    if (!id || !id->type || id->type->kind != TYPE_STRING) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "event_log needs a table or the id of the pipeline");
        return silt_hint(err, "Write event_log(TABLE(t)) with a table of the project.");
    }
    table = delta_table_new(&env, path);
    int outcome = delta_table_refresh(table, err);
    if (outcome < 0)
        return outcome;
    const char *own = outcome == 0 ? delta_table_snapshot(table)->metadata->id : NULL;
    if (!own || strcasecmp(own, arena_str(r->query->arena, id->literal).ptr) == 0)
        return 0;
    silt_fail_at(err, SILT_CONFIG, id->pos, "this project's pipeline has another id");
    return silt_hint(err, "Its id is %s. Or name a table: event_log(TABLE(t)).", own);
}

static int event_log_relation(Resolver *r, Relation *relation, SqlRelation **out, SiltErr *err)
{
    const PipelineSpec *spec = r->options->spec;

    if (r->want)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "event_log can be asked in `silt sql`, not in a project's own queries");
    if (!spec) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "there is no event log outside of a project");
        return silt_hint(err, "Start in the project's folder, or with --spec.");
    }
    const char *path = event_log_path(r->query->arena, spec->storage_path);
    SILT_TRY(check_event_log(r, relation, path, err));
    int outcome = external_table(r, relation, path, "event_log", out, err);
    if (outcome != SQL_NO_TABLE)
        return outcome;
    silt_fail_at(err, SILT_CONFIG, relation->pos, "the event log has not been made yet");
    return silt_hint(err, "`silt run` writes it, unless silt.events is off.");
}

static int open_files_state(Resolver *r, const Relation *relation, Source **out, SiltErr *err)
{
    Arena *arena = r->query->arena;
    const Dataset *dataset;
    const char *path;

    if (relation->table_arg.count) {
        SILT_TRY(table_argument(r, relation, &dataset, err));
        if (dataset->kind == DATASET_STREAMING_TABLE)
            return files_state_of_table(r->options, dataset, out, err);
        silt_fail_at(err, SILT_CONFIG, relation->table_arg.pos, "\"%s\" is no streaming table: it keeps no state of files", dataset->name);
        return silt_hint(err, "Ask the streaming table that takes the files.");
    }
    const Expr *text = relation->arg_count == 1 ? literal_of(relation->args[0]) : NULL;
    if (!text || !text->type || text->type->kind != TYPE_STRING) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "cloud_files_state needs a table or the folder of a checkpoint");
        return silt_hint(err, "Write cloud_files_state(TABLE(t)) or cloud_files_state('/path/of/checkpoint').");
    }
    SILT_TRY(folder_of(r->options, arena, arena_str(arena, text->literal).ptr, &path, err));
    return files_state_of_checkpoint(r->options, path, text->pos, out, err);
}

static int files_state_relation(Resolver *r, const Relation *relation, SqlRelation **out, SiltErr *err)
{
    Source *source = r->old ? old_source(r) : NULL;

    if (r->want)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "cloud_files_state can be asked in `silt sql`, not in a project's own queries");
    if (relation->stream)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "cloud_files_state is no stream: leave STREAM out");
    if (!source)
        SILT_TRY(open_files_state(r, relation, &source, err));
    add_source(r, relation, source, out);
    return 0;
}

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
        return event_log_relation(r, relation, out, err);
    if (is_function(relation, "cloud_files_state"))
        return files_state_relation(r, relation, out, err);
    if (relation->kind == REL_FUNCTION)
        return source_relation(r, relation, out, err);
    int found = resolve_table(r->options, &r->scope, r->query->arena, &relation->name, &dataset, &path, &shown, err);
    if (found < 0)
        return found;
    if (found == 0 && dataset)
        return path ? project_table(r, relation, dataset, out, err) : open_view(r, relation, dataset, out, err);
    if (relation->name.count == 2 && !is_delta_path(&relation->name)) {
        int outcome = source_relation(r, relation, out, err);
        if (outcome != SQL_NO_TABLE)
            return outcome;
    }
    return found == 0 ? external_table(r, relation, path, shown, out, err) : SQL_NO_TABLE;
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
    SILT_TRY(open_text(r, found->statement, &found->scope, &statement, err));
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

SqlCatalog resolver_catalog(Resolver *resolver)
{
    return (SqlCatalog){.self = resolver, .resolve = resolve, .names = names, .function = function, .routine = routine, .variable = variable};
}
