/* pipeline/unused.c - tables that were made and never written to */
#include "pipeline/unused.h"

#include "flow/checkpoint.h"
#include "pipeline/analysis.h"

/* 1: its checkpoint is there and has no batch; 0: it has one, or cannot tell; -1: there is no checkpoint. */
static int flow_state(const DeltaEnv *env, const char *root)
{
    silt_auto(checkpoint_freep) Checkpoint *checkpoint = NULL;
    int64_t number;
    SiltErr err;
    if (checkpoint_newest(env->io, root, &number, &err) < 0 || (number >= 0 && checkpoint_open(env->io, root, &checkpoint, &err) < 0))
        return 0;
    if (number < 0 || !checkpoint_exists(checkpoint))
        return -1;
    return checkpoint_last_offsets(checkpoint) < 0;
}

bool table_is_unused(const DeltaEnv *env, const PipelineSpec *spec, const Dataset *dataset)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    bool made = false;
    for (int i = 0; i < dataset->flow_count; i++) {
        int state = flow_state(env, analysis_checkpoint_root(arena, spec, dataset->flows[i]));
        if (state == 0)
            return false;
        made |= state > 0;
    }
    if (!made || dataset->kind != DATASET_STREAMING_TABLE)
        return false;
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(env, dataset->path);
    const DeltaFile *const *files;
    int64_t count;
    SiltErr err;
    return delta_table_refresh(table, &err) == 0 && delta_snapshot_files(delta_table_snapshot(table), &files, &count, &err) == 0 && count == 0;
}
