/*
 * pipeline/run_select.c - which flows an update runs, and which tables it begins anew
 */
#include "pipeline/run_internal.h"
#include <strings.h>

static int find_all(const Run *run, const char *const *names, int count, const Dataset **out, SqlErrors *errors)
{
    int before = errors->count;

    for (int i = 0; i < count; i++)
        out[i] = graph_require_table(run->world.graph, names[i], errors);
    return errors->count > before ? -1 : 0;
}

static bool among(const Dataset *dataset, const Dataset *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i] == dataset)
            return true;
    return false;
}

static bool may_reset(const Dataset *dataset)
{
    const char *allowed = dataset_property(dataset, "pipelines.reset.allowed");
    return !allowed || strcasecmp(allowed, "false");
}

/* Which flows run, and which tables begin anew. */
int run__select(Run *run, bool *refreshed, SqlErrors *errors)
{
    const PipelineRunOptions *o = run->options;
    const Graph *graph = run->world.graph;
    Arena *arena = run->world.arena;
    const Dataset **some = ARENA_ARRAY(arena, const Dataset *, o->refresh_count + 1), **full = ARENA_ARRAY(arena, const Dataset *, o->full_refresh_count + 1);
    int before = errors->count;
    SiltErr err;

    if (o->full_refresh_all && (o->refresh_count || o->full_refresh_count)) {
        silt_fail(&err, SILT_CONFIG, "--full-refresh-all goes with neither --refresh nor --full-refresh");
        silt_code(&err, "CONFLICTING_PIPELINE_REFRESH_OPTIONS");
        sql_errors_add(errors, &err);
        return -1;
    }
    find_all(run, o->refresh, o->refresh_count, some, errors);
    find_all(run, o->full_refresh, o->full_refresh_count, full, errors);
    if (errors->count > before)
        return -1;
    for (int i = 0; i < o->full_refresh_count; i++) {
        if (among(full[i], some, o->refresh_count)) {
            silt_fail(&err, SILT_CONFIG, "\"%s\" is named for both --refresh and --full-refresh", full[i]->name);
            silt_hint(&err, "Datasets specified for refresh and full refresh cannot overlap.");
            sql_errors_add(errors, &err);
        }
        if (!may_reset(full[i])) {
            silt_fail_at(&err, SILT_CONFIG, full[i]->statement->name.pos, "table \"%s\" may not be refreshed fully", full[i]->name);
            silt_code(&err, "TABLE_NOT_RESETTABLE");
            silt_hint(&err, "Its property pipelines.reset.allowed is false.");
            sql_errors_add(errors, &err);
        }
    }
    if (errors->count > before)
        return -1;
    bool all = o->full_refresh_all || (!o->refresh_count && !o->full_refresh_count);
    for (int i = 0; i < run->flow_count; i++) {
        const Dataset *target = run->flows[i].flow->target;
        bool fully = (o->full_refresh_all && may_reset(target)) || among(target, full, o->full_refresh_count);
        run->flows[i].state = all || fully || among(target, some, o->refresh_count) ? FLOW_WAITING : FLOW_EXCLUDED;
        run->flows[i].force = fully;
    }
    for (int i = 0; i < graph->dataset_count; i++) {
        const Dataset *dataset = graph->datasets[i];
        bool streams = dataset->kind == DATASET_STREAMING_TABLE || dataset->kind == DATASET_SINK;
        refreshed[i] = streams && ((o->full_refresh_all && may_reset(dataset)) || among(dataset, full, o->full_refresh_count));
    }
    return 0;
}
