/*
 * flow/stream.c - the micro-batch loop of a streaming flow (and of one that runs once)
 *
 *   plan     each source: from its last end to a new end
 *   log      offsets/N, durable
 *   run      read, execute, files into staging, then into the table's folder, unlisted
 *   commit   side tables, then the target, each with txn (query id, N)
 *   seal     commits/N, durable
 *
 * Where a crash may fall, and what the next run finds:
 *   before log      nothing has happened (a source may have logged what it will give: it gives the same again)
 *   before commit   offsets/N without commits/N, table's txn < N: the batch runs again, over the same offsets
 *   before seal     the same, but txn = N: commits/N is written, nothing is computed. A sink does not tell: it gets the batch again, and
 *                   knows it by its ids
 */
#include "flow/internal.h"
#include "base/json.h"
#include <stdio.h>
#include <string.h>

/* ---- opening: settle what is on disk ---- */

static int refuse(SiltErr *err, const char *hint, const char *fmt, ...) SILT_PRINTF(3, 4);
static int refuse(SiltErr *err, const char *hint, const char *fmt, ...)
{
    char message[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    silt_fail(err, SILT_CONFIG, "%s", message);
    return silt_hint(err, "%s", hint);
}

/* The table as a person types it. */
static const char *table_word(const Flow *flow)
{
    return strrchr(flow->query->want->name, '.') + 1;
}

/* Do checkpoint and table belong together? F2 */
int flow__check_table(Flow *flow, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(flow->target);
    const char *id = checkpoint_id(flow->checkpoint), *table = flow->query->want->name;
    int64_t done = snapshot ? delta_snapshot_txn(snapshot, id) : -1;
    int64_t sealed = checkpoint_last_commit(flow->checkpoint), begun = checkpoint_last_offsets(flow->checkpoint);

    if (done > begun)
        return refuse(err, arena_printf(flow->arena, "The checkpoint was replaced by an older copy. Put the newer one back, or build it again from the "
                                                     "table's log: silt recover %s.", table_word(flow)),
                      "table \"%s\" holds batch %lld of this flow, but checkpoint \"%s\" knows only %lld", table, (long long)done,
                      checkpoint_path(flow->checkpoint), (long long)begun);
    if (sealed >= 0 && done < sealed)
        return refuse(err,
                      "The checkpoint belongs to another table or pipeline, or the table was replaced. Put the right one back, or start over "
                      "with --full-refresh.",
                      "checkpoint \"%s\" says that batch %lld is done, but table \"%s\" does not hold it", checkpoint_path(flow->checkpoint),
                      (long long)sealed, table);
    return 0;
}

static bool is_sibling(const Flow *flow, const char *label)
{
    for (int i = 0; i < flow->options.sibling_count; i++)
        if (!strcmp(flow->options.siblings[i], label))
            return true;
    return false;
}

/* The table's log knows what this flow has done, and there is no checkpoint. */
static int check_history(Flow *flow, Arena *arena, SiltErr *err)
{
    const HistoryEntry *newest;
    History history;

    SILT_TRY(history_read(flow->target, arena, &history, err));
    newest = history_newest(&history, flow->options.name);
    if (!newest)
        return 0;
    return refuse(err,
                  arena_printf(arena, "Put the checkpoint back, or build it again from the table's log: silt recover %s. To read everything again: "
                                      "silt run --full-refresh %s.", table_word(flow), table_word(flow)),
                  "flow \"%s\" has filled table \"%s\" up to batch %lld (version %lld), but its checkpoint \"%s\" is lost", flow->options.name,
                  flow->query->want->name, (long long)newest->batch, (long long)newest->version, flow->options.checkpoint_root);
}

/*
 * A flow without a checkpoint begins from nothing. That is wrong when it is an old flow under a new name, when the checkpoint was
 * lost, or when the table was a view: it would read everything once more.
 */
static int check_new(Flow *flow, Arena *arena, SiltErr *err)
{
    const DeltaSnapshot *snapshot = flow->sink ? NULL : delta_table_snapshot(flow->target);
    const char *table = flow->query->want->name, *label = strrchr(flow->options.checkpoint_root, '/') + 1;
    const char *folder = arena_strndup(arena, flow->options.checkpoint_root, (size_t)(label - flow->options.checkpoint_root) - 1);
    bool any = false;
    IoList list = {0};
    int64_t newest;
    int r = io_list(flow->env.io, folder, arena, &list, err);

    if (r < 0)
        return r;
    for (int i = 0; r == 0 && i < list.count; i++) {
        const char *name = list.entries[i].name;
        if (!list.entries[i].stat.is_directory || name[0] == '.')
            continue;
        SILT_TRY(checkpoint_newest(flow->env.io, arena_printf(arena, "%s/%s", folder, name), &newest, err));
        if (newest < 0)
            continue;
        IoStat stat;
        int there = io_stat(flow->env.io, arena_printf(arena, "%s/%s/%lld/metadata", folder, name, (long long)newest), &stat, err);
        if (there < 0)
            return there;
        if (there == IO_ABSENT)
            continue;
        any = true;
        if (!is_sibling(flow, name))
            return refuse(err,
                          arena_printf(arena, "If \"%s\" is its new name, rename the folder \"%s/%s\" to \"%s\". If \"%s\" is gone for good, "
                                              "delete that folder. To read everything again: silt run --full-refresh %s.",
                                       label, folder, name, label, name, strrchr(table, '.') + 1),
                          "flow \"%s\" of table \"%s\" is new, and the project no longer has flow \"%s\", which has filled the table so far", label,
                          table, name);
    }
    if (snapshot && snapshot->txn_count)
        SILT_TRY(check_history(flow, arena, err));
    if (!any && snapshot && snapshot->txn_count)
        return refuse(err,
                      delta_snapshot_txn(snapshot, "silt-view") >= 0
                          ? "It was a materialized view. Give the streaming table another name, or replace its rows with --full-refresh."
                          : "Its checkpoint is lost, or it belongs to another pipeline. Put the checkpoint back, or read everything again with "
                            "--full-refresh.",
                      "table \"%s\" holds rows that no checkpoint of this pipeline accounts for", table);
    return 0;
}

int flow__check_sources(Flow *flow, SiltErr *err)
{
    int now = flow__streaming_count(flow);

    if (flow->last.source_count != now)
        return refuse(err, "Sources were added or removed: start over with --full-refresh, or restore them.",
                      "there are [%d] sources in the checkpoint offsets and now there are [%d]", flow->last.source_count, now);
    return 0;
}

/* Sources of a flow are numbered as its streaming inputs stand in the query. */
int flow__attach_sources(Flow *flow, SiltErr *err)
{
    int number = 0;

    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        if (input->kind == PLAN_INPUT_SOURCE) {
            Arena *arena = arena_new();
            int r = source_attach(input->source, arena_printf(arena, "%s/sources/%d", checkpoint_path(flow->checkpoint), number), err);
            arena_free(arena);
            SILT_TRY(r);
        }
        number++;
    }
    return 0;
}

static int store_schema(Io *io, Arena *arena, const char *directory, const char *text, SiltErr *err)
{
    const char *stored = NULL;
    int r = source_schema_load(io, directory, arena, &stored, err);

    if (r < 0 || (r == 0 && !strcmp(stored, text)))
        return r;
    return source_schema_store(io, directory, text, err);
}

const char *flow__schema_copy(const Flow *flow, Arena *arena, const char *query_id, int number)
{
    return arena_printf(arena, "%s/_silt_sources/%s/schemas/%d", flow->query->want->path, query_id, number);
}

/*
 * Keep an inferred schema with the checkpoint, so that the next run has the same without looking. First a copy in the table's folder, for
 * the day when the checkpoint is lost.
 */
static int store_schemas(Flow *flow, SiltErr *err)
{
    Arena *arena = arena_new();
    int number = 0, r = 0;

    for (int i = 0; r == 0 && i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        const char *text = input->kind == PLAN_INPUT_SOURCE ? source_schema_text(input->source, arena) : NULL;
        if (text && !flow->sink)
            r = store_schema(flow->env.io, arena, flow__schema_copy(flow, arena, checkpoint_id(flow->checkpoint), number), text, err);
        if (text && r == 0)
            r = store_schema(flow->env.io, arena, arena_printf(arena, "%s/_schemas/%d", checkpoint_path(flow->checkpoint), number), text, err);
        number++;
    }
    arena_free(arena);
    return r;
}

const char *flow__log_copy(const Flow *flow, Arena *arena, const char *query_id, int number)
{
    return arena_printf(arena, "%s/_silt_sources/%s/sources/%d", flow->query->want->path, query_id, number);
}

/* What the sources' logs hold beyond what commits will say, into the table's folder: once, before the first batch. */
static int keep_logs(Flow *flow, SiltErr *err)
{
    Arena *arena = arena_new();
    int number = 0, r = 0;

    for (int i = 0; r == 0 && i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        if (input->kind == PLAN_INPUT_SOURCE)
            r = source_keep(input->source, arena_printf(arena, "%s/sources/%d", checkpoint_path(flow->checkpoint), number),
                            flow__log_copy(flow, arena, checkpoint_id(flow->checkpoint), number), err);
        number++;
    }
    arena_free(arena);
    return r;
}

/* What an earlier process left visible may not be durable yet (a lost answer): make it so before building on it. */
int flow__sync_found(Flow *flow, SiltErr *err)
{
    Arena *arena;
    const char *path = checkpoint_path(flow->checkpoint);
    int r;

    if (flow->synced)
        return 0;
    arena = arena_new();
    r = io_sync(flow->env.io, arena_printf(arena, "%s/metadata", path), err);
    if (r >= 0 && checkpoint_last_offsets(flow->checkpoint) >= 0)
        r = io_sync(flow->env.io, arena_printf(arena, "%s/offsets/%lld", path, (long long)checkpoint_last_offsets(flow->checkpoint)), err);
    if (r >= 0 && checkpoint_last_commit(flow->checkpoint) >= 0)
        r = io_sync(flow->env.io, arena_printf(arena, "%s/commits/%lld", path, (long long)checkpoint_last_commit(flow->checkpoint)), err);
    for (int i = 0; r >= 0 && i < flow__streaming_count(flow); i++) /* what sources have logged ahead of offsets */
        r = io_sync(flow->env.io, arena_printf(arena, "%s/sources/%d", path, i), err);
    for (int i = 0; r >= 0 && i < flow__streaming_count(flow); i++)
        r = io_sync(flow->env.io, arena_printf(arena, "%s/_schemas/%d", path, i), err);
    if (r >= 0 && !flow->sink)
        r = target_sync(flow->env.io, flow->target, err);
    arena_free(arena);
    flow->synced = r >= 0;
    return r < 0 ? r : 0;
}

static int open_checkpoint(Flow *flow, SiltErr *err)
{
    SILT_TRY(flow__open_target(flow, err));
    SILT_TRY(checkpoint_open(flow->env.io, flow->options.checkpoint_root, &flow->checkpoint, err));
    if (!checkpoint_exists(flow->checkpoint)) {
        Arena *arena = arena_new();
        int r = check_new(flow, arena, err);
        arena_free(arena);
        SILT_TRY(r);
        SILT_TRY(checkpoint_create(flow->checkpoint, err));
    }
    if (!flow->sink) {
        SILT_TRY(flow__check_table(flow, err));
        SILT_TRY(target_prepare(flow->env.io, flow->target, flow->query->want, err));
    }
    SILT_TRY(flow__attach_sources(flow, err));
    flow->last.source_count = -1;
    if (checkpoint_last_offsets(flow->checkpoint) >= 0) {
        int r = checkpoint_read_offsets(flow->checkpoint, checkpoint_last_offsets(flow->checkpoint), flow->arena, &flow->last, err);
        silt_assert(r <= 0); /* it was listed */
        SILT_TRY(r);
        SILT_TRY(flow__check_sources(flow, err));
    }
    flow->opened = true;
    return 0;
}

static int open_flow(Flow *flow, SiltErr *err)
{
    char hint[sizeof err->hint];
    int r = open_checkpoint(flow, err);

    if (r == 0 || flow->sink || err->kind != SILT_CORRUPT || strstr(err->hint, "silt recover"))
        return r;
    memcpy(hint, err->hint, sizeof hint);
    return silt_hint(err, "%s%s`silt recover %s` builds the checkpoint again from the table's log.", hint, *hint ? " " : "", table_word(flow));
}

/* ---- LIMIT: how many rows have passed, the one thing that a stateless flow remembers ---- */

const char *flow__passed_path(Arena *arena, const char *checkpoint, int64_t batch)
{
    return arena_printf(arena, "%s/state/limit/%lld", checkpoint, (long long)batch);
}

static int read_passed(Flow *flow, int64_t batch, Arena *arena, int64_t *passed, SiltErr *err)
{
    Str text;

    *passed = 0;
    if (batch == 0)
        return 0;
    int r = io_read(flow->env.io, flow__passed_path(arena, checkpoint_path(flow->checkpoint), batch - 1), arena, &text, err);
    if (r < 0)
        return r;
    if (r == IO_ABSENT || !str_to_int64(text, passed) || *passed < 0)
        return refuse(err, "LIMIT was added to a flow that has run before, or the file was lost: start over with --full-refresh.",
                      "it is unknown how many rows have passed the LIMIT so far");
    return 0;
}

/* Before the commit: a batch that is found done must find its count too. */
static int write_passed(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;
    int64_t before;

    if (batch->limit_left < 0)
        return 0;
    before = flow->query->limit - batch->limit_left;
    const char *text = arena_printf(batch->arena, "%lld", (long long)(before + batch->rows_limited));
    SILT_TRY(io_put(flow->env.io, flow__passed_path(batch->arena, checkpoint_path(flow->checkpoint), batch->id), str_of(text), err));
    return batch->id < 2 ? 0 : io_delete(flow->env.io, flow__passed_path(batch->arena, checkpoint_path(flow->checkpoint), batch->id - 2), err);
}

/* ---- one batch ---- */

static void make_inputs(Flow *flow, Batch *batch, const CheckpointOffsets *from, const CheckpointOffsets *to)
{
    int number = 0;

    batch->input_count = flow->query->input_count;
    batch->inputs = ARENA_ARRAY(batch->arena, BatchInput, batch->input_count + 1);
    for (int i = 0; i < batch->input_count; i++) {
        BatchInput *in = &batch->inputs[i];
        in->input = flow->query->inputs[i];
        in->version = -1;
        in->counter = -1;
        if (!in->input->streaming)
            continue;
        in->start = from && from->source_count > number ? from->offsets[number] : NULL;
        in->end = to->offsets[number];
        number++;
    }
}

static int commit_target(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;
    const char *id = checkpoint_id(flow->checkpoint);
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf sources = {0};
    int64_t version;

    int r = delta_table_refresh(flow->target, err);
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "table \"%s\" has vanished", flow->query->want->name);
    SILT_TRY(r);
    silt_assert(delta_snapshot_txn(delta_table_snapshot(flow->target), id) < batch->id); /* F2: settled before the batch ran */
    SILT_TRY(delta_txn_begin(flow->target, &txn, err));
    SILT_TRY(delta_txn_add_files(txn, batch->files, batch->file_count, flow__compression(flow), err));
    delta_txn_set_txn(txn, id, batch->id);
    delta_txn_operation(txn, "STREAMING UPDATE");
    delta_txn_parameter(txn, "outputMode", "Append");
    delta_txn_parameter(txn, "queryId", id);
    delta_txn_parameter(txn, "epochId", arena_printf(batch->arena, "%lld", (long long)batch->id));
    flow__batch_metrics(batch, txn);
    flow__batch_ranges(batch, &sources);
    delta_txn_read_sources(txn, str_buf_view(&sources));
    r = delta_txn_commit(txn, &version, err);
    if (r == DELTA_CONFLICT) {
        err->kind = SILT_TRANSIENT; /* the batch runs again on the table as it is now */
        return -1;
    }
    return r;
}

static int seal(Flow *flow, const CheckpointOffsets *offsets, int64_t batch_id, SiltErr *err)
{
    int number = 0;

    SILT_TRY(checkpoint_write_commit(flow->checkpoint, batch_id, offsets->batch_watermark_ms, err));
    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        const char *end = offsets->offsets[number++];
        if (input->kind == PLAN_INPUT_SOURCE && end)
            SILT_TRY(source_committed(input->source, end, err));
    }
    SiltErr trim;
    if (checkpoint_trim(flow->checkpoint, conf_int(flow->options.conf, "spark.sql.streaming.minBatchesToRetain", 100), &trim) < 0)
        flow__warn(flow, "old batches of checkpoint \"%s\" could not be dropped: %s", checkpoint_path(flow->checkpoint), trim.message);
    return 0;
}

static int run_batch(Flow *flow, const CheckpointOffsets *from, const CheckpointOffsets *to, int64_t batch_id, Batch *batch, SiltErr *err)
{
    batch->flow = flow;
    batch->id = batch_id;
    batch->timestamp_ms = to->batch_timestamp_ms;
    batch->watermark_ms = to->batch_watermark_ms;
    batch->limit_left = -1;
    if (flow->query->limit >= 0) {
        int64_t passed;
        SILT_TRY(read_passed(flow, batch_id, batch->arena, &passed, err));
        batch->limit_left = passed < flow->query->limit ? flow->query->limit - passed : 0;
    }
    batch->logged_us = io_monotonic_us(flow->env.io);
    do {
        make_inputs(flow, batch, from, to);
        SILT_TRY(flow__batch_run(batch, err));
        if (batch->drift) { /* a new column: the table grows, and the batch runs anew over the same offsets */
            if (flow__analyze_again(flow, err) < 0) /* before it is stored: a schema that the query cannot take must not stay */
                return silt_context(err, "new columns in \"%s\"%s: ", batch->drift_file,
                                    batch->drift_files > 1 ? arena_printf(batch->arena, " or %d more files", batch->drift_files - 1) : "");
            SILT_TRY(store_schemas(flow, err));
        }
    } while (batch->drift);
    if (!flow->sink)
        SILT_TRY(flow__batch_manifest(batch, err));
    SILT_TRY(write_passed(batch, err));
    SILT_TRY(flow__side_tables_commit(batch, checkpoint_id(flow->checkpoint), false, err));
    SILT_TRY(flow->sink ? flow__deliver(batch, err) : commit_target(batch, err));
    SILT_TRY(seal(flow, to, batch_id, err));
    batch->committed_us = io_monotonic_us(flow->env.io);
    if (flow->env.progress) {
        silt_auto(str_buf_fini) StrBuf json = {0};
        FlowProgress progress = {
            .batch_id = batch_id,
            .input_rows = batch->input_rows,
            .output_rows = batch->rows_written,
            .set_aside_rows = batch->dead_count + batch->rows_refused,
            .reading = flow__batch_reading(batch),
            .duration_ms = (batch->committed_us - batch->started_us) / 1000,
            .json = flow__batch_progress(batch, &json),
        };
        flow->env.progress(flow->env.self, &progress);
    }
    return 0;
}

static int run_and_close(Flow *flow, const CheckpointOffsets *from, const CheckpointOffsets *to, int64_t batch_id, int64_t started_us,
                         int64_t planned_us, SiltErr *err)
{
    Batch batch = {.arena = arena_new(), .started_us = started_us, .planned_us = planned_us};
    int r = run_batch(flow, from, to, batch_id, &batch, err);

    flow__batch_close(&batch);
    arena_free(batch.arena);
    if (r < 0)
        return silt_context(err, "flow \"%s\", batch %lld: ", flow->options.name, (long long)batch_id);
    return 0;
}

/* offsets/N without commits/N */
static int recover(Flow *flow, SiltErr *err)
{
    int64_t batch = checkpoint_last_offsets(flow->checkpoint);
    CheckpointOffsets before = {0};

    if (batch < 0 || checkpoint_last_commit(flow->checkpoint) == batch)
        return 0;
    SILT_TRY(flow__sync_found(flow, err));
    if (!flow->sink && delta_snapshot_txn(delta_table_snapshot(flow->target), checkpoint_id(flow->checkpoint)) >= batch)
        return seal(flow, &flow->last, batch, err);
    if (batch > 0) {
        int r = checkpoint_read_offsets(flow->checkpoint, batch - 1, flow->arena, &before, err);
        if (r == CHECKPOINT_ABSENT) {
            silt_fail(err, SILT_CORRUPT, "batch %lld doesn't exist in checkpoint \"%s\"", (long long)batch - 1, checkpoint_path(flow->checkpoint));
            return silt_hint(err, "The last two batches must stay. Put the file back, or start over with --full-refresh.");
        }
        SILT_TRY(r);
    }
    int64_t now = io_monotonic_us(flow->env.io);
    return run_and_close(flow, batch > 0 ? &before : NULL, &flow->last, batch, now, now, err);
}

/* ---- planning ---- */

/* A commit of another writer that a stream cannot take: said in the words of the query. */
static int explain_change(const Flow *flow, const PlanInput *input, SiltErr *err)
{
    bool deleted = !strcmp(err->code, "DELTA_SOURCE_IGNORE_DELETE");

    if (!deleted && strcmp(err->code, "DELTA_SOURCE_TABLE_IGNORE_CHANGES") != 0)
        return -1;
    flow__place(err, input->pos);
    const char *table = strrchr(flow->query->want->name, '.') + 1;
    return silt_hint(err,
                     "To go on without such commits, read it as STREAM %s WITH ('skipChangeCommits' = 'true')%s. To take the change into account, "
                     "start over: silt run --full-refresh %s.",
                     input->relation.name, deleted ? ", or with 'ignoreDeletes'" : "", table);
}

static int plan_delta(Flow *flow, PlanInput *input, int64_t bound, const char *start, Arena *arena, const char **end, SiltErr *err)
{
    DeltaOffset from, *given = NULL;
    DeltaStreamBatch next;

    if (!input->table) {
        DeltaEnv env = flow__delta_env(flow);
        input->table = delta_table_new(&env, input->path);
    }
    if (start) {
        SILT_TRY(delta_offset_parse(str_of(start), &from, err));
        given = &from;
        if (bound >= 0 && from.version > bound)
            return SOURCE_IDLE;
    }
    int r = delta_stream_next(input->table, given, &input->stream, arena, &next, err);
    if (r == DELTA_ABSENT || (r == 0 && !next.file_count))
        return SOURCE_IDLE;
    if (r < 0)
        return explain_change(flow, input, err);
    silt_auto(str_buf_fini) StrBuf text = {0};
    delta_offset_print(&text, &next.end);
    *end = arena_strdup(arena, str_buf_text(&text));
    return 0;
}

/* SOURCE_IDLE when no source has anything. Offsets live in arena. */
static int plan_batch(Flow *flow, Arena *arena, CheckpointOffsets *next, SiltErr *err)
{
    bool any = false;
    int number = 0;

    *next = (CheckpointOffsets){.source_count = flow__streaming_count(flow)};
    next->offsets = ARENA_ARRAY(arena, const char *, next->source_count + 1);
    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (!input->streaming)
            continue;
        const char *start = flow->last.source_count > number ? flow->last.offsets[number] : NULL, *end = NULL;
        int r = input->kind == PLAN_INPUT_SOURCE ? source_plan(input->source, start, arena, &end, err)
                                                 : plan_delta(flow, input, flow->bounds ? flow->bounds[i] : -1, start, arena, &end, err);
        if (r < 0)
            return r;
        any |= r == 0;
        next->offsets[number++] = r == 0 ? end : start;
    }
    if (!any && next->source_count)
        return SOURCE_IDLE;
    next->batch_timestamp_ms = io_now_us(flow->env.io) / 1000;
    if (flow->last.source_count >= 0) {
        memcpy(next->settings, flow->last.settings, sizeof next->settings); /* pinned */
        next->batch_watermark_ms = flow->last.batch_watermark_ms;
    } else {
        checkpoint_settings(flow->options.conf, next->settings);
    }
    return 0;
}

/* Where a triggered run ends. */
static int bind_ends(Flow *flow, SiltErr *err)
{
    flow->bounds = ARENA_ARRAY(flow->arena, int64_t, flow->query->input_count + 1);
    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        flow->bounds[i] = -1;
        if (!input->streaming)
            continue;
        if (input->kind == PLAN_INPUT_SOURCE) {
            SILT_TRY(source_bound(input->source, err));
            continue;
        }
        if (!input->table) {
            DeltaEnv env = flow__delta_env(flow);
            input->table = delta_table_new(&env, input->path);
        }
        int r = delta_table_refresh(input->table, err);
        if (r < 0)
            return r;
        if (r == 0)
            flow->bounds[i] = delta_table_snapshot(input->table)->version;
    }
    return 0;
}

/* Keep what the next batch starts from beyond the planning arena. */
static void remember(Flow *flow, const CheckpointOffsets *offsets)
{
    Arena *old = flow->arena, *arena = arena_new();
    int64_t *bounds = NULL;

    CheckpointOffsets kept = *offsets;
    kept.offsets = ARENA_ARRAY(arena, const char *, offsets->source_count + 1);
    for (int i = 0; i < offsets->source_count; i++)
        kept.offsets[i] = arena_strdup(arena, offsets->offsets[i]);
    for (int i = 0; i < CHECKPOINT_SETTINGS; i++)
        kept.settings[i] = arena_strdup(arena, offsets->settings[i]);
    if (flow->bounds) {
        bounds = ARENA_ARRAY(arena, int64_t, flow->query->input_count + 1);
        memcpy(bounds, flow->bounds, sizeof *bounds * (size_t)flow->query->input_count);
    }
    flow->last = kept;
    flow->bounds = bounds;
    flow->arena = arena;
    arena_free(old);
}

static int next_batch(Flow *flow, bool *idle, SiltErr *err)
{
    Arena *arena = arena_new();
    CheckpointOffsets next;
    int64_t batch = checkpoint_last_offsets(flow->checkpoint) + 1, started = io_monotonic_us(flow->env.io);
    int r = plan_batch(flow, arena, &next, err);

    flow__warn_of_remarks(flow);
    *idle = r == SOURCE_IDLE;
    if (r < 0)
        silt_context(err, "flow \"%s\", batch %lld: ", flow->options.name, (long long)batch);
    if (r == 0) {
        int64_t planned = io_monotonic_us(flow->env.io);
        r = flow__sync_found(flow, err);
        if (r == 0 && batch == 0)
            r = store_schemas(flow, err);
        if (r == 0 && batch == 0 && !flow->sink)
            r = keep_logs(flow, err);
        if (r == 0)
            r = checkpoint_write_offsets(flow->checkpoint, batch, &next, err);
        if (r == 0)
            r = run_and_close(flow, flow->last.source_count >= 0 ? &flow->last : NULL, &next, batch, started, planned, err);
        if (r == 0)
            remember(flow, &next);
    }
    arena_free(arena);
    return r < 0 ? r : 0;
}

int flow__stream_run(Flow *flow, int batches_max, bool bounded, bool *more, SiltErr *err)
{
    bool idle = false;

    *more = false;
    if (!flow->opened) {
        SILT_TRY(open_flow(flow, err));
        if (flow->options.again)
            SILT_TRY(flow__sync_found(flow, err));
        SILT_TRY(recover(flow, err));
    }
    if (flow->options.kind == FLOW_ONCE && checkpoint_last_commit(flow->checkpoint) >= 0)
        return 0;
    if (bounded && bind_ends(flow, err) < 0)
        return silt_context(err, "flow \"%s\": ", flow->options.name);
    for (int batches = 0; !idle; batches++) {
        if (batches_max && batches == batches_max) {
            *more = true;
            return 0;
        }
        if (flow__stopping(flow))
            return silt_fail(err, SILT_CANCELLED, "stopped");
        SILT_TRY(next_batch(flow, &idle, err));
        if (flow->options.kind == FLOW_ONCE)
            return 0;
    }
    return 0;
}
