/*
 * flow/insert.c - INSERT: the rows of a query, once, as one commit
 *
 *   lock        <table>/_silt_copy/lock, which COPY INTO takes too: one statement at a time
 *   run         the query over what its tables and files hold now, files into staging
 *   commit      the rows; OVERWRITE: instead of all files that the table had
 *
 * A crash before the commit leaves nothing but files that nobody lists. Other writers' commits in between are stepped over where Delta's rules allow
 * it; else the statement fails and has done nothing.
 */
#include "flow/internal.h"
#include <string.h>

/* Rows made from the table's own are right only over the version that they were read from. */
static int note_reads(const Batch *batch, DeltaTxn *txn, SiltErr *err)
{
    const DeltaSnapshot *base = delta_txn_snapshot(txn);

    for (int i = 0; i < batch->input_count; i++) {
        const BatchInput *in = &batch->inputs[i];
        if (!in->table_id || strcmp(in->table_id, base->metadata->id) || in->input->version >= 0) /* AS OF: said so */
            continue;
        if (in->version != base->version)
            return silt_fail(err, SILT_TRANSIENT, "table \"%s\", which the statement reads too, has changed meanwhile", batch->flow->query->want->name);
        delta_txn_read_all(txn);
    }
    return 0;
}

static int commit(Batch *batch, bool overwrite, SiltErr *err)
{
    Flow *flow = batch->flow;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    int64_t version;

    SILT_TRY(delta_txn_begin(flow->target, &txn, err));
    SILT_TRY(note_reads(batch, txn, err));
    if (overwrite)
        SILT_TRY(delta_txn_remove_all(txn, err));
    SILT_TRY(delta_txn_add_files(txn, batch->files, batch->file_count, flow__compression(flow), err));
    delta_txn_operation(txn, "WRITE");
    delta_txn_parameter(txn, "mode", overwrite ? "Overwrite" : "Append");
    flow__batch_metrics(batch, txn);
    int r = delta_txn_commit(txn, &version, err);
    if (r == DELTA_CONFLICT) {
        err->kind = SILT_TRANSIENT;
        return -1;
    }
    return r;
}

static int run(Batch *batch, bool overwrite, SiltErr *err)
{
    Flow *flow = batch->flow;

    SILT_TRY(flow__open_target(flow, err));
    SILT_TRY(target_sync(flow->env.io, flow->target, err));
    batch->timestamp_ms = io_now_us(flow->env.io) / 1000;
    batch->limit_left = -1;
    batch->logged_us = batch->started_us = batch->planned_us = io_monotonic_us(flow->env.io);
    do {
        batch->input_count = flow->query->input_count;
        batch->inputs = ARENA_ARRAY(batch->arena, BatchInput, batch->input_count + 1);
        for (int i = 0; i < batch->input_count; i++)
            batch->inputs[i] = (BatchInput){.input = flow->query->inputs[i], .version = -1, .counter = -1};
        SILT_TRY(flow__batch_run(batch, err));
        if (batch->drift)
            SILT_TRY(flow__analyze(flow, err));
    } while (batch->drift);
    return !batch->rows_written && !overwrite ? 0 : commit(batch, overwrite, err);
}

int flow_insert(Flow *flow, bool overwrite, int64_t *rows, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Batch batch = {.flow = flow, .arena = arena};
    IoLock *lock = NULL;

    int r = flow__statement_lock(flow, arena, &lock, err);
    if (r == 0)
        r = run(&batch, overwrite, err);
    *rows = r == 0 ? batch.rows_written : 0;
    flow__batch_close(&batch);
    io_unlock(lock);
    return r;
}
