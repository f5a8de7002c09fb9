/*
 * pipeline/trial_bind.c - what the tables of a test are in the project, and what of the project it runs
 */
#include "base/uri.h"
#include "pipeline/trial.h"
#include "plan/walk.h"
#include <string.h>
#include <strings.h>

static const char *const suffixes[] = {"_dead_letters", "_quarantine", "_late"};
enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0] };

typedef struct Binder {
    Arena *arena;
    const Graph *graph;
    Trial *trial;
    SqlErrors *errors;
    const char **outside; /* tables that the project reads and does not make: as schema.table, or a path of delta.`path` */
    int outside_count, outside_capacity;
    const GraphScope *scope; /* of the statement that is walked */
    bool follow;             /* keep what is read; else note what is outside */
} Binder;

static int number_of(const Graph *graph, const Dataset *dataset)
{
    int i = 0;

    while (graph->datasets[i] != dataset)
        i++;
    return i;
}

static bool is_given(const Trial *trial, const Dataset *dataset)
{
    for (int i = 0; i < trial->update_count; i++)
        for (int j = 0; j < trial->updates[i].given_count; j++)
            if (trial->updates[i].given[j].dataset == dataset)
                return true;
    return false;
}

/* ---- T2: what is expected, and what that reads ---- */

static void keep(Binder *b, const Dataset *dataset);

static void note_outside(Binder *b, const SqlName *name)
{
    const char *text = name->parts[name->count - 1];

    if (name->count == 2 && !strcasecmp(name->parts[0], "delta"))
        text = path_clean(b->arena, path_join(b->arena, b->graph->spec->directory, text));
    else
        text = arena_printf(b->arena, "%s.%s", name->count > 1 ? name->parts[name->count - 2] : b->scope->schema, text);
    ARENA_PUSH(b->arena, b->outside, b->outside_count, b->outside_capacity, text);
}

static bool meet_relation(void *self, Relation *relation)
{
    Binder *b = self;

    if (relation->kind == REL_TABLE) {
        const Dataset *dataset = graph_find(b->graph, b->scope, &relation->name);
        if (dataset && b->follow)
            keep(b, dataset);
        else if (!dataset && !b->follow)
            note_outside(b, &relation->name);
    }
    return true;
}

static void walk(Binder *b, const Statement *statement, const GraphScope *scope)
{
    WalkVisitor visitor = {.self = b, .relation = meet_relation};
    const GraphScope *before = b->scope;

    b->scope = scope;
    walk_query(&visitor, statement->query);
    b->scope = before;
}

static void keep(Binder *b, const Dataset *dataset)
{
    bool *kept = &b->trial->kept[number_of(b->graph, dataset)];

    if (*kept || is_given(b->trial, dataset))
        return;
    *kept = true;
    if (!dataset->path)
        walk(b, dataset->statement, &dataset->scope);
    for (int i = 0; i < dataset->flow_count; i++)
        walk(b, dataset->flows[i]->statement, &dataset->flows[i]->scope);
}

/* ---- names of files to tables ---- */

static const Dataset *find_owner(const Binder *b, TrialRows *rows)
{
    const Dataset *found = graph_dataset(b->graph, rows->table);

    for (int i = 0; i < SUFFIXES && !found; i++) {
        size_t size = strlen(rows->table), tail = strlen(suffixes[i]);
        if (size <= tail || strcasecmp(rows->table + size - tail, suffixes[i]))
            continue;
        found = graph_dataset(b->graph, arena_strndup(b->arena, rows->table, size - tail));
        if (found && !found->path)
            found = NULL;
        if (found)
            rows->suffix = suffixes[i];
    }
    return found;
}

static void unknown_table(Binder *b, const TrialRows *rows, bool outside)
{
    enum { NAMES = 512 };
    const char **names = ARENA_ARRAY(b->arena, const char *, NAMES);
    int count = graph_names(b->graph, names, NAMES);
    SiltErr err;

    for (int i = 0; outside && i < b->outside_count && count < NAMES; i++)
        names[count++] = b->outside[i];
    const char *nearest = str_nearest(str_of(rows->table), names, count);
    silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = rows->file.name}, outside ? "the project neither has nor reads a table \"%s\"" : "the project has no table \"%s\"",
                 rows->table);
    if (nearest)
        silt_hint(&err, "Did you mean \"%s\"?", nearest);
    sql_errors_add(b->errors, &err);
}

/* Sinks are not run: what they write to is no part of the test. */
static void names_sink(Binder *b, const TrialRows *rows)
{
    SiltErr err;

    silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = rows->file.name}, "\"%s\" is a sink, and a test runs none", rows->table);
    silt_hint(&err, "Put the query into a view, and expect something of that.");
    sql_errors_add(b->errors, &err);
}

static void expects_given(Binder *b, const TrialRows *rows)
{
    SiltErr err;

    silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = rows->file.name}, "\"%s\" is given by the test, so that its query is not run", rows->table);
    silt_hint(&err, "Expect something of a table that reads it.");
    sql_errors_add(b->errors, &err);
}

static bool reads_outside(const Binder *b, const TrialRows *rows)
{
    const char *wanted = rows->table;

    if (rows->is_path)
        wanted = path_clean(b->arena, path_join(b->arena, b->graph->spec->directory, rows->table));
    for (int i = 0; i < b->outside_count; i++) {
        const char *name = b->outside[i], *dot = strchr(name, '.');
        if (rows->is_path ? !strcmp(name, wanted) : !strcasecmp(name, wanted) || (dot && !strcasecmp(dot + 1, wanted)))
            return true;
    }
    return false;
}

static void bind_given(Binder *b, TrialRows *rows)
{
    if (!rows->is_path)
        rows->dataset = graph_dataset(b->graph, rows->table);
    if (rows->dataset && rows->dataset->kind == DATASET_SINK)
        names_sink(b, rows);
    else if (!rows->dataset && !reads_outside(b, rows))
        unknown_table(b, rows, true);
}

int trial_bind(Arena *arena, const Graph *graph, Trial *trial, SqlErrors *errors)
{
    Binder b = {.arena = arena, .graph = graph, .trial = trial, .errors = errors};
    int before = errors->count;
    bool expects = false;

    trial->kept = ARENA_ARRAY(arena, bool, graph->dataset_count + 1);
    for (int i = 0; i < graph->dataset_count; i++)
        if (!graph->datasets[i]->path)
            walk(&b, graph->datasets[i]->statement, &graph->datasets[i]->scope);
    for (int i = 0; i < graph->flow_count; i++)
        walk(&b, graph->flows[i]->statement, &graph->flows[i]->scope);
    for (int i = 0; i < trial->update_count; i++)
        for (int j = 0; j < trial->updates[i].given_count; j++)
            bind_given(&b, &trial->updates[i].given[j]);
    b.follow = true;
    for (int i = 0; i < trial->update_count; i++) {
        for (int j = 0; j < trial->updates[i].expected_count; j++) {
            TrialRows *rows = &trial->updates[i].expected[j];
            rows->dataset = find_owner(&b, rows);
            expects = true;
            if (!rows->dataset)
                unknown_table(&b, rows, false);
            else if (rows->dataset->kind == DATASET_SINK)
                names_sink(&b, rows);
            else if (is_given(trial, rows->dataset))
                expects_given(&b, rows);
            else
                keep(&b, rows->dataset);
        }
    }
    for (int i = 0; i < graph->dataset_count && !expects; i++)
        if (graph->datasets[i]->kind != DATASET_SINK)
            keep(&b, graph->datasets[i]);
    return errors->count > before ? -1 : 0;
}
