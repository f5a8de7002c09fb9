/* pipeline/recover.c - lost checkpoints of one table, built again from its log */
#include "flow/refresh.h"
#include "pipeline/tableflows.h"

/* A full refresh that was begun decides what the checkpoints are to be. */
static int check_refresh(Pipeline *pipeline, const TableFlows *flows, SiltErr *err)
{
    const Dataset *dataset = flows->dataset;
    const char **roots = ARENA_ARRAY(flows->arena, const char *, flows->count + 1);

    for (int i = 0; i < flows->count; i++)
        roots[i] = analysis_checkpoint_root(flows->arena, pipeline->spec, flows->definitions[i]);
    RefreshTarget target = {.name = dataset->name, .path = dataset->path, .roots = roots, .root_count = dataset->flow_count};
    SILT_TRY(refresh_pending(pipeline->io, pipeline->spec->storage_path, &target, 1, err));
    if (!target.wanted)
        return 0;
    silt_fail(err, SILT_CONFIG, "a full refresh of table \"%s\" was begun and not finished", dataset->name);
    return silt_hint(err, "`silt run` finishes it, checkpoints and all.");
}

static int recover_flows(Pipeline *pipeline, const TableFlows *flows, Arena *arena, PipelineRecovery **out, int *count, SiltErr *err)
{
    const Dataset *dataset = flows->dataset;
    int capacity = 0, rebuilt = 0;

    if (dataset->kind == DATASET_MATERIALIZED_VIEW) {
        silt_fail_at(err, SILT_CONFIG, dataset->statement->name.pos, "\"%s\" is a materialized view: it has no checkpoint", dataset->name);
        return silt_hint(err, "The next `silt run` computes it from its inputs.");
    }
    if (dataset->kind == DATASET_SINK) {
        silt_fail_at(err, SILT_CONFIG, dataset->statement->name.pos, "\"%s\" is a sink: it keeps no log from which a checkpoint could be built", dataset->name);
        return silt_hint(err, "Put the checkpoint back from a backup.");
    }
    SILT_TRY(check_refresh(pipeline, flows, err));
    for (int i = 0; i < flows->count; i++) {
        FlowRecovery recovery;
        int r = flow_recover(flows->flows[i], arena, &recovery, err);
        if (r < 0)
            return r;
        PipelineRecovery shown = {
            .flow = arena_strdup(arena, flows->definitions[i]->name),
            .rebuilt = r == 0,
            .damage = recovery.damage,
            .checkpoint = recovery.checkpoint,
            .query_id = recovery.query_id,
            .last_batch = recovery.last_batch,
            .pending = recovery.pending,
            .files = recovery.file_count,
        };
        rebuilt += r == 0;
        ARENA_PUSH(arena, *out, *count, capacity, shown);
    }
    if (rebuilt)
        return 0;
    silt_fail(err, SILT_CONFIG, "no checkpoint of table \"%s\" is lost", dataset->name);
    return silt_hint(err, "Nothing was changed. `silt show state` tells where they are.");
}

int pipeline_recover(Pipeline *pipeline, const char *table, Arena *arena, PipelineRecovery **out, int *count, SqlErrors *errors)
{
    TableFlows *flows = NULL;
    IoLock *lock = NULL;
    SiltErr err;

    *out = NULL;
    *count = 0;
    int r = pipeline__lock(pipeline->io, pipeline->spec, arena, &lock, &err);
    if (r == IO_BUSY)
        r = silt_hint(&err, "Stop it first: a checkpoint in use is not touched.");
    if (r < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    r = table_flows_open(pipeline, table, &flows, errors);
    if (r == 0) {
        r = recover_flows(pipeline, flows, arena, out, count, &err);
        if (r < 0)
            sql_errors_add(errors, &err);
    }
    table_flows_free(flows);
    io_unlock(lock);
    return r;
}
