/* pipeline/checkpoints.c - what the checkpoints of a project hold, and completing them for Spark */
#include "pipeline/tableflows.h"
#include "source/source.h"

#include <string.h>
#include <strings.h>

/* As a person types it: any number of the last parts of the full name. */
static bool is_named(const char *full, const char *typed)
{
    size_t full_size = strlen(full), size = strlen(typed);

    return size <= full_size && !strcasecmp(full + full_size - size, typed) && (size == full_size || full[full_size - size - 1] == '.');
}

/* Its sources are the numbered folders of <checkpoint>/sources; those that are not files keep nothing there. */
static int look_at_sources(Pipeline *pipeline, const PipelineFlowInfo *flow, bool complete, Arena *arena, PipelineCheckpoint **out, int *count, int *capacity,
                           SiltErr *err)
{
    IoList list = {0};
    int found = 0;
    const char *folder = arena_printf(arena, "%s/sources", flow->checkpoint);
    int r = io_list(pipeline->io, folder, arena, &list, err);

    if (r < 0)
        return r;
    for (int i = 0; i < list.count; i++) {
        int64_t number;
        SourceLogInfo info;
        if (!list.entries[i].stat.is_directory || !str_to_int64(str_of(list.entries[i].name), &number))
            continue;
        SILT_TRY(source_log_look(pipeline->io, arena_printf(arena, "%s/%s", folder, list.entries[i].name), complete, &info, err));
        PipelineCheckpoint shown = {flow, (int)number, info.batches, info.files, info.is_sparks};
        ARENA_PUSH(arena, *out, *count, *capacity, shown);
        found++;
    }
    if (!found) {
        PipelineCheckpoint shown = {flow, -1, -1, -1, true};
        ARENA_PUSH(arena, *out, *count, *capacity, shown);
    }
    return 0;
}

static int look_at_flows(Pipeline *pipeline, const char *table, bool complete, Arena *arena, PipelineCheckpoint **out, int *count, SiltErr *err)
{
    PipelineFlowInfo *flows;
    int flow_count, capacity = 0, named = 0;

    SILT_TRY(pipeline_flows(pipeline, arena, &flows, &flow_count, err));
    const char **names = ARENA_ARRAY(arena, const char *, flow_count + 1);
    for (int i = 0; i < flow_count; i++) {
        names[i] = strrchr(flows[i].table, '.') ? strrchr(flows[i].table, '.') + 1 : flows[i].table;
        if (table && !is_named(flows[i].table, table))
            continue;
        named++;
        if (flows[i].query_id && look_at_sources(pipeline, &flows[i], complete, arena, out, count, &capacity, err) < 0)
            return silt_context(err, "flow \"%s\": ", flows[i].name);
    }
    if (!table || named)
        return 0;
    silt_fail(err, SILT_CONFIG, "the project has no table \"%s\"", table);
    const char *nearest = str_nearest(str_of(table), names, flow_count);
    return nearest ? silt_hint(err, "Did you mean \"%s\"?", nearest) : -1;
}

int pipeline_checkpoints(Pipeline *pipeline, const char *table, bool complete, Arena *arena, PipelineCheckpoint **out, int *count, SqlErrors *errors)
{
    IoLock *lock = NULL;
    SiltErr err;
    int r = complete ? pipeline__lock(pipeline->io, pipeline->spec, arena, &lock, &err) : 0;

    *out = NULL;
    *count = 0;
    if (r == IO_BUSY)
        r = silt_hint(&err, "Stop it first: a checkpoint in use is not touched.");
    if (r == 0)
        r = look_at_flows(pipeline, table, complete, arena, out, count, &err);
    if (r < 0)
        sql_errors_add(errors, &err);
    io_unlock(lock);
    return r;
}
