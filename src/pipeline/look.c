/* pipeline/look.c - what a project has: tables and flows, from logs and checkpoints, without the database where that is possible */
#include "pipeline/internal.h"
#include "base/json.h"
#include "pipeline/open_table.h"
#include <string.h>

/* Rows and bytes of the live files. Rows are unknown when a file has no statistics. */
static int measure(const DeltaSnapshot *snapshot, PipelineTableInfo *info, SiltErr *err)
{
    const DeltaFile *const *files;
    Arena *arena = arena_new();
    int64_t count;
    int r = delta_snapshot_files(snapshot, &files, &count, err);

    if (r == 0) {
        info->files = count;
        info->rows = info->size_bytes = 0;
    }
    for (int64_t i = 0; r == 0 && i < count; i++) {
        const Json *stats;
        SiltErr ignored;
        info->size_bytes += files[i]->size_bytes;
        if (!files[i]->stats || json_parse(arena, str_of(files[i]->stats), &stats, &ignored) < 0 || json_is_null(json_get(stats, "numRecords")))
            info->rows = -1;
        else if (info->rows >= 0)
            info->rows += json_int(json_get(stats, "numRecords"), 0) - (files[i]->vector ? files[i]->vector->cardinality : 0);
        arena_reset(arena);
    }
    arena_free(arena);
    return r;
}

/* What the readers of the last batch met, from the operationMetrics of the newest commit. */
static int look_at_reading(DeltaTable *table, PipelineTableInfo *info, SiltErr *err)
{
    Arena *arena = arena_new();
    const DeltaCommit *commit;
    const Json *json;
    SiltErr ignored;
    int r = delta_commit_read(table, info->version, arena, &commit, err);

    info->misfit_fields = info->unknown_fields = info->repaired = -1;
    if (r == 0 && commit->commit_info && json_parse(arena, str_of(commit->commit_info), &json, &ignored) == 0) {
        const Json *metrics = json_get(json, "operationMetrics");
        str_to_int64(str_of(json_cstr(json_get(metrics, "numFieldsMisfit"), "")), &info->misfit_fields);
        str_to_int64(str_of(json_cstr(json_get(metrics, "numFieldsUnknown"), "")), &info->unknown_fields);
        str_to_int64(str_of(json_cstr(json_get(metrics, "numStringsRepaired"), "")), &info->repaired);
    }
    arena_free(arena);
    return r < 0 ? r : 0;
}

/* 0, DELTA_ABSENT, < 0. */
static int look_at(const Pipeline *pipeline, const char *path, PipelineTableInfo *info, SiltErr *err)
{
    DeltaEnv env = open_table_env(pipeline->io, pipeline->engine);
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, path);
    int r = delta_table_refresh(table, err);

    if (r)
        return r;
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    info->version = snapshot->version;
    info->modified_ms = snapshot->timestamp_ms;
    SILT_TRY(look_at_reading(table, info, err));
    return measure(snapshot, info, err);
}

int pipeline_tables(Pipeline *pipeline, Arena *arena, PipelineTableInfo **out, int *count, SiltErr *err)
{
    static const char *const suffixes[] = {"_dead_letters", "_quarantine"};
    const Graph *graph = pipeline->graph;
    int capacity = 0;

    *out = NULL;
    *count = 0;
    for (int i = 0; graph && i < graph->dataset_count; i++) {
        const Dataset *dataset = graph->datasets[i];
        PipelineTableInfo info = {
            .name = arena_strdup(arena, dataset->name),
            .kind = dataset_kind_name(dataset->kind),
            .path = dataset->kind == DATASET_SINK ? NULL : arena_strdup(arena, dataset->path),
            .version = -1,
            .rows = -1,
            .size_bytes = -1,
            .files = -1,
            .modified_ms = -1,
            .misfit_fields = -1,
            .unknown_fields = -1,
            .repaired = -1,
            .pos = dataset->statement->name.pos,
        };
        if (dataset->path && dataset->kind != DATASET_SINK && look_at(pipeline, dataset->path, &info, err) < 0)
            return silt_context(err, "table \"%s\": ", dataset->name);
        ARENA_PUSH(arena, *out, *count, capacity, info);
        for (size_t j = 0; dataset->path && j < sizeof suffixes / sizeof suffixes[0]; j++) {
            PipelineTableInfo side = {
                .name = arena_printf(arena, "%s%s", dataset->name, suffixes[j]),
                .kind = j ? "QUARANTINE" : "DEAD LETTERS",
                .path = arena_printf(arena, "%s%s", dataset->path, suffixes[j]),
                .pos = info.pos,
            };
            int r = look_at(pipeline, side.path, &side, err);
            if (r < 0)
                return silt_context(err, "table \"%s\": ", side.name);
            if (r == 0)
                ARENA_PUSH(arena, *out, *count, capacity, side);
        }
    }
    return 0;
}

static int look_at_flow(const Pipeline *pipeline, Arena *arena, const GraphFlow *flow, PipelineFlowInfo *info, SiltErr *err)
{
    silt_auto(checkpoint_freep) Checkpoint *checkpoint = NULL;
    CheckpointOffsets offsets;
    const char *root = analysis_checkpoint_root(arena, pipeline->spec, flow);

    SILT_TRY(checkpoint_open(pipeline->io, root, &checkpoint, err));
    info->checkpoint = arena_strdup(arena, checkpoint_path(checkpoint));
    info->query_id = arena_strdup(arena, checkpoint_id(checkpoint));
    info->last_batch = checkpoint_last_commit(checkpoint);
    info->pending = checkpoint_last_offsets(checkpoint) > info->last_batch;
    if (checkpoint_last_offsets(checkpoint) < 0)
        return 0;
    int r = checkpoint_read_offsets(checkpoint, checkpoint_last_offsets(checkpoint), arena, &offsets, err);
    if (r == 0)
        info->last_batch_ms = offsets.batch_timestamp_ms;
    return r < 0 ? r : 0;
}

int pipeline_flows(Pipeline *pipeline, Arena *arena, PipelineFlowInfo **out, int *count, SiltErr *err)
{
    const Graph *graph = pipeline->graph;
    int capacity = 0;

    *out = NULL;
    *count = 0;
    for (int i = 0; graph && i < graph->flow_count; i++) {
        const GraphFlow *flow = graph->flows[i];
        PipelineFlowInfo info = {
            .name = arena_strdup(arena, flow->name),
            .table = arena_strdup(arena, flow->target->name),
            .last_batch = -1,
            .last_batch_ms = -1,
            .pos = flow->statement->pos,
        };
        if (flow->target->kind != DATASET_MATERIALIZED_VIEW && look_at_flow(pipeline, arena, flow, &info, err) < 0)
            return silt_context(err, "flow \"%s\": ", flow->name);
        ARENA_PUSH(arena, *out, *count, capacity, info);
    }
    return 0;
}
