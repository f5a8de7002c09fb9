/*
 * flow/recover.c - a lost checkpoint, built again from what the table's log says about each batch (flow/ranges.h)
 *
 * Written in this order, so that a crash anywhere leaves a folder that is no checkpoint:
 *
 *   sources/<i>/   the files of batches 0 to N, from all their commits; those left out in the beginning, from the copy in the table's folder
 *   _schemas/<i>/  inferred schemas, from the copy in the table's folder
 *   state/limit/N  rows that have passed a LIMIT
 *   offsets/, commits/ of the last two batches; of one more batch the offsets only, when a side table holds it and the target does not: it
 *                  has to run over the same ranges, since its dead letters are there already
 *   metadata       last: now it is one
 *
 *   V1  A folder that is there is never written into: the new checkpoint has the next number.
 *   V2  What is not in the log is not guessed: a batch whose files are not known makes the whole of it fail.
 */
#include "flow/internal.h"
#include <stdio.h>
#include <string.h>

/* One batch as the log knows it. */
typedef struct Found {
    DeltaTable *table; /* whose log has it: the target's or a side table's */
    const HistoryEntry *entry;
} Found;

typedef struct Recovery {
    Flow *flow;
    Arena *arena;
    History history;         /* of the target */
    const HistoryEntry *last; /* NULL: no batch is in the target */
    Found begun;             /* entry NULL: none */
    History side_history;
    DeltaTable *side;
    FlowRecovery *out;
} Recovery;

static const char gone[] = "it is gone";

static int refuse(const Flow *flow, SiltErr *err, const char *fmt, ...) SILT_PRINTF(3, 4);
static int refuse(const Flow *flow, SiltErr *err, const char *fmt, ...)
{
    char message[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    silt_fail(err, SILT_CONFIG, "%s", message);
    return silt_hint(err, "Put the checkpoint back from a backup, or read everything again: silt run --full-refresh %s.", flow__table_word(flow));
}

/* ---- is it whole? ---- */

static bool has_file_sources(const Flow *flow)
{
    for (int i = 0; i < flow->query->input_count; i++)
        if (flow->query->inputs[i]->streaming && flow->query->inputs[i]->kind == PLAN_INPUT_SOURCE)
            return true;
    return false;
}

/* All that the next run would trip over, as the error it would meet. */
static int look_over(Flow *flow, SiltErr *err)
{
    int64_t batch = checkpoint_last_offsets(flow->checkpoint);
    int number = 0;

    SILT_TRY(flow__check_table(flow, err));
    if (batch < 0)
        return 0;
    int r = checkpoint_read_offsets(flow->checkpoint, batch, flow->arena, &flow->last, err);
    silt_assert(r <= 0); /* it was listed */
    SILT_TRY(r);
    if (batch > 0 && checkpoint_last_commit(flow->checkpoint) < batch) {
        CheckpointOffsets before;
        r = checkpoint_read_offsets(flow->checkpoint, batch - 1, flow->arena, &before, err);
        if (r == CHECKPOINT_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "offsets/%lld is missing", (long long)batch - 1);
        SILT_TRY(r);
    }
    SILT_TRY(flow__check_sources(flow, err));
    SILT_TRY(flow__attach_sources(flow, err));
    for (int i = 0; i < flow->query->input_count; i++) {
        const PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        const char *end = flow->last.offsets[number++];
        if (input->kind == PLAN_INPUT_SOURCE && end)
            SILT_TRY(source_reached(input->source, end, err));
    }
    return 0;
}

/* *damage: one line, NULL when the checkpoint is whole. Failures of the world are passed up. */
static int diagnose(Recovery *r, const char **damage, SiltErr *err)
{
    Flow *flow = r->flow;

    *damage = NULL;
    int outcome = checkpoint_open(flow->env.io, flow->options.checkpoint_root, &flow->checkpoint, err);
    if (outcome == 0 && !checkpoint_exists(flow->checkpoint)) {
        *damage = gone;
        return 0;
    }
    if (outcome == 0)
        outcome = look_over(flow, err);
    if (outcome == 0)
        return 0;
    if (err->kind == SILT_TRANSIENT || err->kind == SILT_CANCELLED)
        return -1;
    *damage = arena_strdup(r->arena, err->message);
    return 0;
}

/* ---- what the logs say ---- */

/* A side table is committed before the target: a batch that it holds and the target does not was begun. */
static int look_at_side(Recovery *r, const char *suffix, SiltErr *err)
{
    DeltaEnv env = flow__delta_env(r->flow);
    const char *path = arena_printf(r->arena, "%s%s", r->flow->query->want->path, suffix);
    DeltaTable *table = delta_table_new(&env, path);
    History history;

    int outcome = delta_table_refresh(table, err);
    if (outcome == 0)
        outcome = history_read(table, r->arena, &history, err);
    if (outcome != 0) {
        delta_table_free(table);
        return outcome < 0 ? outcome : 0;
    }
    const HistoryEntry *newest = history_newest(&history, r->flow->options.name);
    bool ahead = newest && (!r->last || (!strcmp(newest->app_id, r->last->app_id) && newest->batch > r->last->batch));
    if (!ahead || r->begun.entry) {
        delta_table_free(table);
        return 0;
    }
    r->side = table;
    r->begun = (Found){table, newest};
    return 0;
}

static bool is_batch(const HistoryEntry *entry, const char *app_id)
{
    return entry->kind == HISTORY_BATCH && !strcmp(entry->app_id, app_id);
}

/* Commits of all batches of this query id, by number; NULL where one is not in the log. */
static const HistoryEntry **batches_of(const Recovery *r)
{
    const HistoryEntry **batches = ARENA_ARRAY(r->arena, const HistoryEntry *, r->last->batch + 1);

    for (int i = 0; i < r->history.count; i++) {
        const HistoryEntry *entry = &r->history.entries[i];
        if (is_batch(entry, r->last->app_id) && entry->batch >= 0 && entry->batch <= r->last->batch)
            batches[entry->batch] = entry;
    }
    return batches;
}

static int read_ranges(const Recovery *r, DeltaTable *table, const HistoryEntry *entry, int64_t batch, Arena *arena, Ranges *out, SiltErr *err)
{
    const Flow *flow = r->flow;
    int outcome = entry ? ranges_read(flow->env.io, table, entry->version, arena, out, err) : RANGES_ABSENT;
    int count = 0;

    if (outcome == RANGES_ABSENT)
        return refuse(flow, err, "the commit of batch %lld is no longer in the log of table \"%s\", which begins at version %lld", (long long)batch,
                      flow->query->want->name, (long long)r->history.oldest);
    if (outcome == RANGES_NONE)
        return refuse(flow, err, "version %lld of table \"%s\" holds batch %lld, but does not say what it read (written by %s)",
                      (long long)entry->version, flow->query->want->name, (long long)batch, entry->engine ? entry->engine : "another program");
    SILT_TRY(outcome);
    for (int i = 0; i < out->source_count; i++)
        count += out->sources[i].streaming;
    if (count != flow__streaming_count(flow))
        return refuse(flow, err, "batch %lld of flow \"%s\" read [%d] sources and now there are [%d]", (long long)batch, flow->options.name, count,
                      flow__streaming_count(flow));
    return 0;
}

/* ---- writing ---- */

static const RangeSource *stream_of(const Ranges *ranges, int number)
{
    for (int i = 0; i < ranges->source_count; i++)
        if (ranges->sources[i].streaming && number-- == 0)
            return &ranges->sources[i];
    return NULL;
}

/* The part of one batch in the sources' logs. */
static int restore_sources(Recovery *r, const Ranges *ranges, int64_t batch, SiltErr *err)
{
    const FlowQuery *query = r->flow->query;
    int number = 0;

    for (int i = 0; i < query->input_count; i++) {
        if (!query->inputs[i]->streaming)
            continue;
        const RangeSource *from = stream_of(ranges, number++);
        if (query->inputs[i]->kind != PLAN_INPUT_SOURCE || !from->end || (from->start && !strcmp(from->start, from->end)))
            continue;
        if (!from->has_parts && source_names_parts(query->inputs[i]->source))
            return refuse(r->flow, err, "the files of batch %lld are not named in version %lld of table \"%s\"", (long long)batch,
                          (long long)ranges->version, query->want->name);
        SILT_TRY(source_restore(query->inputs[i]->source, from->start, from->end, from->parts, from->part_count, err));
        r->out->file_count += from->part_count;
    }
    return 0;
}

/* What no commit says, from the copy in the table's folder. */
static int restore_kept(Recovery *r, const char *query_id, SiltErr *err)
{
    Flow *flow = r->flow;
    int number = 0;

    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        if (input->kind == PLAN_INPUT_SOURCE)
            SILT_TRY(source_keep(input->source, flow__log_copy(flow, r->arena, query_id, number),
                                 arena_printf(r->arena, "%s/sources/%d", checkpoint_path(flow->checkpoint), number), err));
        number++;
    }
    return 0;
}

static int restore_logs(Recovery *r, SiltErr *err)
{
    Flow *flow = r->flow;
    const HistoryEntry **batches = r->last ? batches_of(r) : NULL;
    Arena *arena = arena_new();
    int outcome = flow__attach_sources(flow, err);

    for (int64_t batch = 0; outcome == 0 && r->last && batch <= r->last->batch; batch++) {
        Ranges ranges;
        arena_reset(arena);
        outcome = read_ranges(r, flow->target, batches[batch], batch, arena, &ranges, err);
        if (outcome == 0)
            outcome = restore_sources(r, &ranges, batch, err);
    }
    if (outcome == 0 && r->begun.entry) {
        Ranges ranges;
        outcome = read_ranges(r, r->begun.table, r->begun.entry, r->begun.entry->batch, arena, &ranges, err);
        if (outcome == 0)
            outcome = restore_sources(r, &ranges, r->begun.entry->batch, err);
    }
    for (int i = 0; outcome == 0 && i < flow->query->input_count; i++)
        if (flow->query->inputs[i]->streaming && flow->query->inputs[i]->kind == PLAN_INPUT_SOURCE)
            outcome = source_finish(flow->query->inputs[i]->source, err);
    arena_free(arena);
    return outcome;
}

static int restore_schemas(Recovery *r, const char *query_id, SiltErr *err)
{
    Flow *flow = r->flow;
    int count = flow__streaming_count(flow);

    for (int number = 0; number < count; number++) {
        const char *text;
        int outcome = source_schema_load(flow->env.io, flow__schema_copy(flow, r->arena, query_id, number), r->arena, &text, err);
        if (outcome == 0)
            outcome = source_schema_store(flow->env.io, arena_printf(r->arena, "%s/_schemas/%d", checkpoint_path(flow->checkpoint), number), text, err);
        if (outcome < 0)
            return outcome; /* IO_ABSENT: it was not inferred */
    }
    return 0;
}

/* ends: the batch's end offsets; otherwise where it began, which is where the one before ended. */
static CheckpointOffsets offsets_of(const Recovery *r, const Ranges *ranges, bool ends)
{
    CheckpointOffsets offsets = {
        .batch_watermark_ms = ranges->watermark_ms,
        .batch_timestamp_ms = ranges->timestamp_ms,
        .source_count = flow__streaming_count(r->flow),
    };

    offsets.offsets = ARENA_ARRAY(r->arena, const char *, offsets.source_count + 1);
    for (int i = 0; i < offsets.source_count; i++)
        offsets.offsets[i] = ends ? stream_of(ranges, i)->end : stream_of(ranges, i)->start;
    checkpoint_settings(r->flow->options.conf, offsets.settings);
    return offsets;
}

static int put_batch(const Recovery *r, int64_t batch, const CheckpointOffsets *offsets, bool sealed, SiltErr *err)
{
    SILT_TRY(checkpoint_write_offsets(r->flow->checkpoint, batch, offsets, err));
    return sealed ? checkpoint_write_commit(r->flow->checkpoint, batch, offsets->batch_watermark_ms, err) : 0;
}

static int put_passed(const Recovery *r, const Ranges *ranges, int64_t batch, SiltErr *err)
{
    if (r->flow->query->limit < 0)
        return 0;
    if (ranges->limit_passed < 0)
        return refuse(r->flow, err, "batch %lld of flow \"%s\" ran without a LIMIT", (long long)batch, r->flow->options.name);
    const char *text = arena_printf(r->arena, "%lld", (long long)ranges->limit_passed);
    return io_put(r->flow->env.io, flow__passed_path(r->arena, checkpoint_path(r->flow->checkpoint), batch), str_of(text), err);
}

/* The last sealed batch and the one before it, and one that was begun. */
static int restore_batches(Recovery *r, SiltErr *err)
{
    Ranges ranges;

    if (r->last) {
        int64_t batch = r->last->batch;
        SILT_TRY(read_ranges(r, r->flow->target, r->last, batch, r->arena, &ranges, err));
        SILT_TRY(put_passed(r, &ranges, batch, err));
        CheckpointOffsets before = offsets_of(r, &ranges, false), offsets = offsets_of(r, &ranges, true);
        if (batch > 0)
            SILT_TRY(put_batch(r, batch - 1, &before, true, err));
        SILT_TRY(put_batch(r, batch, &offsets, true, err));
    }
    if (r->begun.entry) {
        SILT_TRY(read_ranges(r, r->begun.table, r->begun.entry, r->begun.entry->batch, r->arena, &ranges, err));
        CheckpointOffsets offsets = offsets_of(r, &ranges, true);
        SILT_TRY(put_batch(r, r->begun.entry->batch, &offsets, false, err));
    }
    return 0;
}

static int rebuild(Recovery *r, SiltErr *err)
{
    Flow *flow = r->flow;
    const char *root = flow->options.checkpoint_root;
    const char *query_id = r->last ? r->last->app_id : r->begun.entry ? r->begun.entry->app_id : NULL;
    int64_t newest, first = r->last ? r->last->batch - (r->last->batch > 0) : 0;

    if (r->begun.entry && r->begun.entry->batch != (r->last ? r->last->batch + 1 : 0))
        return refuse(flow, err, "a side table of \"%s\" holds batch %lld, but the table itself ends at %lld", flow->query->want->name,
                      (long long)r->begun.entry->batch, (long long)(r->last ? r->last->batch : -1));
    SILT_TRY(checkpoint_newest(flow->env.io, root, &newest, err));
    checkpoint_free(flow->checkpoint);
    flow->checkpoint = checkpoint_rebuild(flow->env.io, root, newest + 1, first); /* V1 */
    r->out->checkpoint = arena_strdup(r->arena, checkpoint_path(flow->checkpoint));
    if (!query_id) /* nothing was read since a full refresh, or ever */
        return checkpoint_create_at(flow->env.io, root, newest + 1, err);
    SILT_TRY(restore_kept(r, query_id, err));
    if (has_file_sources(flow))
        SILT_TRY(restore_logs(r, err));
    SILT_TRY(restore_schemas(r, query_id, err));
    SILT_TRY(restore_batches(r, err));
    SILT_TRY(checkpoint_put_id(flow->env.io, root, newest + 1, query_id, err));
    r->out->query_id = query_id;
    r->out->last_batch = r->last ? r->last->batch : -1;
    r->out->pending = r->begun.entry != NULL;
    return 0;
}

static int recover(Recovery *r, SiltErr *err)
{
    Flow *flow = r->flow;
    const char *name = flow->options.name, *table = flow->query->want->name;

    if (delta_table_refresh(flow->target, err) < 0)
        return -1;
    if (!delta_table_snapshot(flow->target))
        return silt_fail(err, SILT_CONFIG, "table \"%s\" has not been made yet, so there is nothing to go by", table);
    SILT_TRY(diagnose(r, &r->out->damage, err));
    bool checkpoint_is_there = strcmp(r->out->damage ? r->out->damage : gone, gone) != 0;
    if (!r->out->damage) {
        r->out->checkpoint = arena_strdup(r->arena, checkpoint_path(flow->checkpoint));
        r->out->query_id = arena_strdup(r->arena, checkpoint_id(flow->checkpoint));
        r->out->last_batch = checkpoint_last_commit(flow->checkpoint);
        r->out->pending = checkpoint_last_offsets(flow->checkpoint) > r->out->last_batch;
        SILT_TRY(flow__sync_found(flow, err)); /* a recovery that was told to have failed may have made it, and not durably */
        return FLOW_WHOLE;
    }
    SILT_TRY(target_sync(flow->env.io, flow->target, err)); /* what is built on it must not be lost before it */
    SILT_TRY(history_read(flow->target, r->arena, &r->history, err));
    r->last = history_newest(&r->history, name);
    for (int i = 0; i < r->history.count; i++) { /* batches of the same query, by an engine that does not say what it read */
        const HistoryEntry *entry = &r->history.entries[i];
        if (entry->kind == HISTORY_BATCH && !entry->flow && (!r->last || is_batch(entry, r->last->app_id)) && (!r->last || entry->batch > r->last->batch))
            return refuse(flow, err, "version %lld of table \"%s\" holds batch %lld of a query, but does not say what it read (written by %s)",
                          (long long)entry->version, table, (long long)entry->batch, entry->engine ? entry->engine : "another program");
    }
    SILT_TRY(look_at_side(r, "_dead_letters", err));
    SILT_TRY(look_at_side(r, "_quarantine", err));
    if (r->last || r->begun.entry)
        return rebuild(r, err);
    if (!r->history.complete)
        return refuse(flow, err, "the log of table \"%s\" begins at version %lld and holds no batch of flow \"%s\"", table, (long long)r->history.oldest,
                      name);
    bool emptied = r->history.count && r->history.entries[r->history.count - 1].kind == HISTORY_EMPTIED;
    if (emptied || checkpoint_is_there) /* nothing of it is in the table: it begins anew, as the table says */
        return rebuild(r, err);
    r->out->damage = NULL;
    return FLOW_WHOLE; /* it has never run */
}

int flow_recover(Flow *flow, Arena *arena, FlowRecovery *out, SiltErr *err)
{
    Recovery recovery = {.flow = flow, .arena = arena, .out = out};
    DeltaEnv env = flow__delta_env(flow);

    *out = (FlowRecovery){.last_batch = -1};
    if (!flow->target)
        flow->target = delta_table_new(&env, flow->query->want->path);
    int r = recover(&recovery, err);
    delta_table_free(recovery.side);
    return r < 0 ? silt_context(err, "flow \"%s\": ", flow->options.name) : r;
}
