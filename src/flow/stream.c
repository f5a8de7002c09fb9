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
#include <string.h>

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
    if (r == IO_ABSENT || !str_to_int64(text, passed) || *passed < 0) {
        silt_fail(err, SILT_CONFIG, "it is unknown how many rows have passed the LIMIT so far");
        return silt_hint(err, "LIMIT was added to a flow that has run before, or the file was lost: start over with --full-refresh.");
    }
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
    SILT_TRY(flow__fits_table(batch, delta_table_snapshot(batch->flow->target)->metadata->schema, err));
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
    return flow__commit(txn, &version, err);
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
            SILT_TRY(flow__store_schemas(flow, err));
        }
    } while (batch->drift);
    if (!flow->sink)
        SILT_TRY(flow__batch_manifest(batch, err));
    SILT_TRY(write_passed(batch, err));
    SILT_TRY(flow__side_tables_commit(batch, checkpoint_id(flow->checkpoint), false, err));
    SILT_TRY(flow->sink ? flow__deliver(batch, err) : commit_target(batch, err));
    SILT_TRY(seal(flow, to, batch_id, err));
    batch->committed_us = io_monotonic_us(flow->env.io);
    flow__batch_report(batch);
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
    const char *table = flow__table_word(flow);
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
        SILT_TRY(delta_stream_check(input->table, given, err)); /* before the bound, which may be another table's */
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
            r = flow__store_schemas(flow, err);
        if (r == 0 && batch == 0 && !flow->sink)
            r = flow__keep_logs(flow, err);
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
        SILT_TRY(flow__open(flow, err));
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
