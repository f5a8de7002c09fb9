/*
 * pipeline/files_state.c - see files_state.h
 *
 * offsets/N says up to which batch of a source's file log batch N of the stream has read; when N was begun and sealed, the files offsets/N and
 * commits/N themselves tell. Of batches that the checkpoint has dropped (flow/checkpoint.h, C3) it is known only that they are sealed.
 */
#include "pipeline/files_state.h"
#include "base/json.h"
#include "flow/checkpoint.h"
#include "source/file_state.h"
#include <stdlib.h>

/* One batch of the stream, as the checkpoint still has it. */
typedef struct StreamBatch {
    int64_t number, begun_us, sealed_us; /* sealed_us INT64_MIN: not yet */
    CheckpointOffsets offsets;
} StreamBatch;

typedef struct Collected {
    Io *io;
    Arena *arena;
    FileStateLog *logs;
    int count, capacity;
} Collected;

static int by_number(const void *a, const void *b)
{
    const StreamBatch *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int read_batches(Collected *c, const char *checkpoint, StreamBatch **out, int *count, SiltErr *err)
{
    const char *folder = arena_printf(c->arena, "%s/offsets", checkpoint);
    IoList offsets = {0};
    int capacity = 0;

    *out = NULL;
    *count = 0;
    int r = io_list(c->io, folder, c->arena, &offsets, err);
    if (r < 0)
        return r;
    for (int i = 0; i < offsets.count; i++) {
        StreamBatch batch = {.begun_us = offsets.entries[i].stat.modified_us, .sealed_us = INT64_MIN};
        const char *path = arena_printf(c->arena, "%s/%s", folder, offsets.entries[i].name);
        IoStat commit;
        Str text;
        if (offsets.entries[i].stat.is_directory || !str_to_int64(str_of(offsets.entries[i].name), &batch.number) || batch.number < 0)
            continue;
        r = io_read(c->io, path, c->arena, &text, err);
        if (r == IO_ABSENT)
            continue; /* a run has dropped it meanwhile */
        SILT_TRY(r);
        if (checkpoint_parse_offsets(c->arena, text, &batch.offsets, err) < 0)
            return silt_context(err, "could not read \"%s\": ", path);
        r = io_stat(c->io, arena_printf(c->arena, "%s/commits/%s", checkpoint, offsets.entries[i].name), &commit, err);
        if (r < 0)
            return r;
        if (r == 0)
            batch.sealed_us = commit.modified_us;
        ARENA_PUSH(c->arena, *out, *count, capacity, batch);
    }
    if (*count)
        qsort(*out, (size_t)*count, sizeof **out, by_number);
    return 0;
}

/* The last batch of the file log that an offset names. False: it is of another kind of source. */
static bool log_offset(Arena *arena, const char *text, int64_t *out)
{
    const Json *json;
    SiltErr ignored;

    if (json_parse(arena, str_of(text), &json, &ignored) < 0 || json_kind(json_get(json, "logOffset")) != JSON_NUMBER)
        return false;
    *out = json_int(json_get(json, "logOffset"), -1);
    return true;
}

/* The log of source number `source`, unless it is none of files. */
static void add_log(Collected *c, const char *checkpoint, const char *flow_name, int source, const StreamBatch *batches, int count)
{
    FileStateStep *steps = ARENA_ARRAY(c->arena, FileStateStep, 2 * count + 1);
    FileStateLog log = {
        .directory = arena_printf(c->arena, "%s/sources/%d", checkpoint, source),
        .flow_name = flow_name,
        .source_id = arena_printf(c->arena, "%d", source),
        .steps = steps,
    };

    for (int i = 0; i < count; i++) {
        const char *text = source < batches[i].offsets.source_count ? batches[i].offsets.offsets[source] : NULL;
        FileStateStep step = {.found_us = batches[i].offsets.batch_timestamp_ms * 1000, .begun_us = batches[i].begun_us, .sealed_us = batches[i].sealed_us};
        if (!text)
            continue;
        if (!log_offset(c->arena, text, &step.end))
            return;
        step.sealed = step.sealed_us != INT64_MIN;
        if (i == 0 && batches[i].number > 0) { /* where it begins is in a batch that was dropped: nearly always the one before its last */
            FileStateStep dropped = {.end = step.end - 1, .found_us = INT64_MIN, .begun_us = INT64_MIN, .sealed_us = INT64_MIN, .sealed = true};
            steps[log.step_count++] = dropped;
        }
        if (!log.step_count || step.end > steps[log.step_count - 1].end)
            steps[log.step_count++] = step;
    }
    ARENA_PUSH(c->arena, c->logs, c->count, c->capacity, log);
}

static int add_checkpoint(Collected *c, const char *checkpoint, const char *flow_name, SiltErr *err)
{
    IoList sources = {0};
    StreamBatch *batches;
    int count;

    SILT_TRY(read_batches(c, checkpoint, &batches, &count, err));
    int r = io_list(c->io, arena_printf(c->arena, "%s/sources", checkpoint), c->arena, &sources, err);
    if (r < 0)
        return r;
    for (int i = 0; i < sources.count; i++) {
        int64_t number;
        if (sources.entries[i].stat.is_directory && str_to_int64(str_of(sources.entries[i].name), &number) && number >= 0 && number <= INT32_MAX)
            add_log(c, checkpoint, flow_name, (int)number, batches, count);
    }
    return 0;
}

static int add_flows(Collected *c, const AnalysisOptions *options, const Dataset *dataset, SiltErr *err)
{
    for (int i = 0; i < dataset->flow_count; i++) {
        const char *root = analysis_checkpoint_root(c->arena, options->spec, dataset->flows[i]);
        int64_t number;
        SILT_TRY(checkpoint_newest(c->io, root, &number, err));
        if (number >= 0)
            SILT_TRY(add_checkpoint(c, arena_printf(c->arena, "%s/%lld", root, (long long)number), dataset->flows[i]->name, err));
    }
    return 0;
}

int files_state_of_table(const AnalysisOptions *options, const Dataset *dataset, Source **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Collected c = {.io = options->io, .arena = arena};

    SILT_TRY(add_flows(&c, options, dataset, err));
    *out = source_file_state(c.io, c.logs, c.count);
    return 0;
}

int files_state_of_checkpoint(const AnalysisOptions *options, const char *path, SiltPos pos, Source **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Collected c = {.io = options->io, .arena = arena};
    IoStat stat;

    int r = io_stat(c.io, arena_printf(arena, "%s/metadata", path), &stat, err);
    if (r == IO_ABSENT) {
        silt_fail_at(err, SILT_CONFIG, pos, "\"%s\" is no checkpoint: it has no file `metadata`", path);
        return silt_hint(err, "`silt checkpoint show` and `silt show state` tell where a project's checkpoints are. Or name a table: cloud_files_state(TABLE(t)).");
    }
    SILT_TRY(r);
    SILT_TRY(add_checkpoint(&c, path, NULL, err));
    *out = source_file_state(c.io, c.logs, c.count);
    return 0;
}
