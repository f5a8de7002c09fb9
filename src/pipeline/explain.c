/*
 * pipeline/explain.c - what the flows of a project do: operators, inputs, what is incremental, what is recomputed, and why
 *
 * Facts are rows of (table, flow, topic, detail); a detail may have several lines. Their order and words are stable: tests and people rely on them.
 */
#include "pipeline/explain.h"
#include "base/uri.h"
#include "pipeline/lint.h"
#include "pipeline/open_table.h"
#include "pipeline/tableflows.h"
#include "plan/describe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators ---- */

typedef struct Leaves {
    Arena *arena;
    const Graph *graph;
    const GraphScope *scope;
    const FlowQuery *query;
} Leaves;

static bool same_place(SiltPos a, SiltPos b)
{
    return a.line == b.line && a.column == b.column && !strcmp(a.file ? a.file : "", b.file ? b.file : "");
}

static PlanLeaf leaf_of(void *self, const Relation *relation)
{
    const Leaves *leaves = self;
    PlanLeaf leaf = {0};
    Statement *statement;
    SiltErr ignored;

    for (int i = 0; i < leaves->query->input_count; i++) {
        const PlanInput *input = leaves->query->inputs[i];
        if (same_place(input->pos, relation->pos)) {
            leaf.text = arena_printf(leaves->arena, "%s  %s", input->streaming ? "Stream" : "Scan", input->relation.name);
            return leaf;
        }
    }
    const Dataset *view = relation->kind == REL_TABLE && leaves->graph ? graph_find(leaves->graph, leaves->scope, &relation->name) : NULL;
    if (view && !view->path && sql_parse_again(leaves->arena, view->statement, &statement, &ignored) == 0)
        leaf.view = statement->query;
    return leaf;
}

void explain_plan(StrBuf *out, Arena *arena, const Graph *graph, const GraphScope *scope, const Query *parsed, const FlowQuery *query, int indent)
{
    Leaves leaves = {arena, graph, scope, query};
    PlanDescription description = {.self = &leaves, .leaf = leaf_of};

    plan_describe(out, parsed, &description, indent);
}

/* ---- inputs ---- */

static void put_size(StrBuf *out, int64_t bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;

    for (; value >= 1000 && unit < 4; unit++)
        value /= 1000;
    str_buf_printf(out, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void put_files(StrBuf *out, const DeltaSnapshot *snapshot)
{
    const DeltaFile *const *files;
    int64_t count, bytes = 0;
    SiltErr err;

    str_buf_printf(out, "version %lld", (long long)snapshot->version);
    if (delta_snapshot_files(snapshot, &files, &count, &err) < 0)
        return;
    for (int64_t i = 0; i < count; i++)
        bytes += files[i]->size_bytes;
    str_buf_printf(out, ": %lld file%s, ", (long long)count, count == 1 ? "" : "s");
    put_size(out, bytes);
}

static void put_stream_options(StrBuf *out, const DeltaStreamOptions *options)
{
    str_buf_printf(out, "\nat most %lld files a batch", (long long)(options->files_max ? options->files_max : 1000));
    if (options->bytes_max)
        str_buf_printf(out, ", and %lld bytes", (long long)options->bytes_max);
    if (options->starting_version >= 0)
        str_buf_printf(out, "\nbegins with the rows that version %lld adds", (long long)options->starting_version);
    if (options->skip_change_commits)
        str_buf_puts(out, "\ncommits that delete or rewrite rows are passed over");
    else if (options->ignore_deletes)
        str_buf_puts(out, "\ncommits that only delete rows are passed over, others that rewrite fail it");
    else
        str_buf_puts(out, "\na commit that deletes or rewrites rows fails it");
}

const char *explain_input(Io *io, DuckEngine *engine, Arena *arena, PlanInput *input)
{
    DeltaEnv env = open_table_env(io, engine);
    silt_auto(str_buf_fini) StrBuf out = {0};
    silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *at = NULL;
    SiltErr err;

    if (input->kind == PLAN_INPUT_SOURCE)
        return source_explain(input->source, input->streaming, arena);
    str_buf_printf(&out, "Delta table %s", uri_from_path(arena, input->path));
    if (input->streaming) {
        put_stream_options(&out, &input->stream);
        return arena_strdup(arena, str_buf_text(&out));
    }
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, input->path);
    int r = input->version >= 0                  ? delta_table_at_version(table, input->version, &at, &err)
            : input->timestamp_us != INT64_MIN ? delta_table_at_time(table, input->timestamp_us, &at, &err)
                                               : delta_table_refresh(table, &err);
    str_buf_putc(&out, '\n');
    if (r == DELTA_ABSENT)
        str_buf_puts(&out, "not made yet");
    else if (r < 0)
        str_buf_printf(&out, "cannot be read: %s", err.message);
    else
        put_files(&out, at ? at : delta_table_snapshot(table));
    delta_snapshot_unref(at);
    at = NULL; /* before its table */
    return arena_strdup(arena, str_buf_text(&out));
}

bool explain_is_repeated(const FlowQuery *query, int input)
{
    const PlanInput *b = query->inputs[input];

    for (int i = 0; i < input; i++) {
        const PlanInput *a = query->inputs[i];
        if (a->kind == PLAN_INPUT_DELTA && b->kind == PLAN_INPUT_DELTA && !a->streaming && !b->streaming && !strcmp(a->path, b->path) &&
            a->version == b->version && a->timestamp_us == b->timestamp_us)
            return true;
    }
    return false;
}

/* ---- facts ---- */

typedef struct Explain {
    Pipeline *pipeline;
    Arena *arena;
    TableFlows *flows;
    PipelineFact *facts;
    int count, capacity;
    const char *table, *flow; /* of the facts to come */
    LintFindings lint;        /* of the engine that a project would move to */
} Explain;

static void add(Explain *e, const char *topic, const char *detail)
{
    size_t size = strlen(detail);
    PipelineFact fact = {e->table, e->flow, topic, arena_strndup(e->arena, detail, size && detail[size - 1] == '\n' ? size - 1 : size)};

    ARENA_PUSH(e->arena, e->facts, e->count, e->capacity, fact);
}

static void addf(Explain *e, const char *topic, const char *fmt, ...) SILT_PRINTF(3, 4);
static void addf(Explain *e, const char *topic, const char *fmt, ...)
{
    char text[4096];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    add(e, topic, text);
}

static bool setting_is(const Conf *conf, const char *key, const char *value, const char *fallback)
{
    const char *given = conf_get(conf, key);
    return str_is_nocase(str_of(given ? given : fallback), value);
}

static const char *checked(const char *text)
{
    return text ? text : "";
}

static void explain_expectations(Explain *e, const Dataset *dataset, const Conf *conf)
{
    const Statement *statement = dataset->statement;

    for (int i = 0; i < statement->expectation_count; i++) {
        const Expectation *expectation = &statement->expectations[i];
        const char *fate = expectation->action == EXPECT_WARN          ? "a row for which it does not hold is kept, and counted"
                           : expectation->action == EXPECT_FAIL_UPDATE ? "a row for which it does not hold fails the update"
                           : setting_is(conf, "silt.quarantine", "table", "count")
                               ? arena_printf(e->arena, "a row for which it does not hold goes to %s_quarantine", dataset->table)
                               : "a row for which it does not hold is dropped, and counted";
        addf(e, "expects", "%s: %s\n%s", expectation->name, checked(expectation->condition_sql), fate);
    }
}

/* What of a statement Spark would refuse, or take otherwise: the place and the words of `silt lint`. */
static void explain_lint(Explain *e, const Statement *statement)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    int last = statement->pos.line;

    for (size_t i = 0; i < statement->text.size; i++)
        last += statement->text.ptr[i] == '\n';
    for (int i = 0; i < e->lint.count; i++) {
        const SiltErr *found = &e->lint.items[i].error;
        if (!strcmp(found->file, checked(statement->pos.file)) && found->line >= statement->pos.line && found->line <= last)
            str_buf_printf(&text, "%s:%d: %s\n", found->file, found->line, found->message);
    }
    if (text.size)
        add(e, "elsewhere", str_buf_text(&text));
}

static bool reads_files(const TableFlows *flows, const Dataset *dataset)
{
    for (int i = 0; i < flows->count; i++) {
        const FlowQuery *query = flow_query(flows->flows[i]);
        for (int j = 0; flows->definitions[i]->target == dataset && j < query->input_count; j++)
            if (query->inputs[j]->kind == PLAN_INPUT_SOURCE)
                return true;
    }
    return false;
}

static void explain_dead_letters(Explain *e, const Dataset *dataset, const Conf *conf)
{
    if (setting_is(conf, "silt.deadLetters", "table", "table"))
        addf(e, "set aside", "records that a reader cannot decode go to %s_dead_letters", dataset->table);
    else
        addf(e, "set aside", "records that a reader cannot decode are %s",
             setting_is(conf, "silt.deadLetters", "spark", "table") ? "rows of NULLs, as in Spark" : "counted, and kept nowhere");
}

static void explain_table(Explain *e, const Dataset *dataset)
{
    const Statement *statement = dataset->statement;
    const Conf *conf = graph_flow_conf(e->arena, dataset->flows[0]);
    silt_auto(str_buf_fini) StrBuf text = {0};

    e->table = dataset->name;
    e->flow = NULL;
    add(e, "kind", dataset_kind_name(dataset->kind));
    if (dataset->kind != DATASET_SINK)
        add(e, "path", dataset->path);
    add(e, "mode", dataset->kind == DATASET_MATERIALIZED_VIEW ? "replaced as a whole, in one commit"
                   : dataset->kind == DATASET_SINK            ? "each batch is handed over once it is complete"
                                                              : "append: rows are added, in one commit a batch");
    for (int i = 0; i < statement->partition_count; i++)
        str_buf_printf(&text, "%s%s", i ? ", " : "", statement->partition_by[i].parts[0]);
    if (statement->partition_count)
        add(e, "partitions", str_buf_text(&text));
    explain_expectations(e, dataset, conf);
    if (reads_files(e->flows, dataset))
        explain_dead_letters(e, dataset, conf);
    explain_lint(e, statement);
}

/* ---- flows ---- */

static const char *once_for_all(const FlowQuery *query)
{
    for (int i = 0; i < query->input_count; i++)
        if (!query->inputs[i]->streaming)
            return "\nwhat is read without STREAM is read whole at each batch";
    return "";
}

static void explain_view(Explain *e, Flow *flow)
{
    PlanTraits traits = plan_traits(flow_query(flow)->query);
    silt_auto(str_buf_fini) StrBuf why = {0};
    bool due;
    SiltErr err;

    add(e, "incremental", "nothing: no operator keeps state between updates yet");
    str_buf_puts(&why, "as a whole");
    if (traits.clock)
        str_buf_printf(&why, ", at every update: %s() gives another value each time", traits.clock_name);
    else if (traits.random)
        str_buf_printf(&why, ", at every update: %s() gives another value each time", traits.random_name);
    else
        str_buf_printf(&why, ", when the query or one of its inputs has changed%s%s%s", traits.date ? ", and when the day does: " : "",
                       traits.date ? traits.date_name : "", traits.date ? "()" : "");
    add(e, "recomputed", str_buf_text(&why));
    if (flow_view_due(flow, &due, &err) < 0)
        addf(e, "now", "it cannot be told: %s", err.message);
    else
        add(e, "now", due ? "due: the next update computes it" : "up to date");
}

static void explain_stream(Explain *e, Flow *flow, const GraphFlow *definition)
{
    const FlowQuery *query = flow_query(flow);
    silt_auto(checkpoint_freep) Checkpoint *checkpoint = NULL;
    SiltErr err;

    if (definition->once)
        add(e, "incremental", "runs once: its rows are written by the first run, and by the first after a full refresh");
    else
        addf(e, "incremental", "each row of a stream is read once, batch by batch%s", once_for_all(query));
    add(e, "recomputed", "nothing, but by --full-refresh");
    if (query->limit >= 0)
        addf(e, "state", "how many rows have passed the LIMIT, of %lld", (long long)query->limit);
    else
        add(e, "state", "none: no operator remembers rows between batches");
    if (checkpoint_open(e->pipeline->io, analysis_checkpoint_root(e->arena, e->pipeline->spec, definition), &checkpoint, &err) < 0)
        addf(e, "checkpoint", "damaged: %s\nsilt recover %s builds it again", err.message, definition->target->table);
    else if (!checkpoint_exists(checkpoint))
        addf(e, "checkpoint", "%s, not made yet", checkpoint_path(checkpoint));
    else
        addf(e, "checkpoint", "%s\nnext batch: %lld", checkpoint_path(checkpoint), (long long)checkpoint_last_commit(checkpoint) + 1);
}

static int explain_flow(Explain *e, Flow *flow, const GraphFlow *definition, SiltErr *err)
{
    const FlowQuery *query = flow_query(flow);
    silt_auto(str_buf_fini) StrBuf plan = {0};
    Statement *statement;

    e->flow = definition->name;
    SILT_TRY(sql_parse_again(e->arena, definition->statement, &statement, err));
    explain_plan(&plan, e->arena, e->pipeline->graph, &definition->scope, statement->query, query, 0);
    add(e, "plan", str_buf_text(&plan));
    for (int i = 0; i < query->input_count; i++) {
        PlanInput *input = query->inputs[i];
        if (explain_is_repeated(query, i))
            continue;
        addf(e, "reads", "%s%s\n%s", input->streaming ? "STREAM " : "", input->relation.name,
             explain_input(e->pipeline->io, e->pipeline->engine, e->arena, input));
    }
    if (definition->target->kind == DATASET_MATERIALIZED_VIEW)
        explain_view(e, flow);
    else
        explain_stream(e, flow, definition);
    if (definition->statement != definition->target->statement)
        explain_lint(e, definition->statement);
    return 0;
}

int pipeline_explain(Pipeline *pipeline, const char *table, Arena *arena, PipelineFact **out, int *count, SqlErrors *errors)
{
    Explain e = {.pipeline = pipeline, .arena = arena};
    SiltErr err;
    int r = table_flows_open(pipeline, table, &e.flows, errors);

    if (r == 0)
        r = lint_project(pipeline->io, pipeline->spec->path, "spark43", &e.lint, errors);
    for (int i = 0; r == 0 && i < pipeline->graph->dataset_count; i++) {
        const Dataset *dataset = pipeline->graph->datasets[i];
        if (!dataset->path || !dataset->flow_count || (e.flows->dataset && e.flows->dataset != dataset))
            continue;
        explain_table(&e, dataset);
        for (int j = 0; r == 0 && j < e.flows->count; j++)
            if (e.flows->definitions[j]->target == dataset)
                r = explain_flow(&e, e.flows->flows[j], e.flows->definitions[j], &err);
        if (r < 0)
            sql_errors_add(errors, &err);
    }
    table_flows_free(e.flows);
    *out = e.facts;
    *count = e.count;
    return r;
}
