/*
 * flow/insert.c - INSERT: the rows of a query, once, as one commit
 *
 *   slot        a staging folder that no other INSERT into the table uses now: <table>/_silt_copy/insert/<n>, with a lock beside it
 *   run         the query over what its tables and files hold now, files into staging
 *   commit      the rows; OVERWRITE: instead of all files that the table had
 *
 * A crash before the commit leaves nothing but files that nobody lists. Other writers' commits in between are stepped over where Delta's rules allow
 * it; where they do not (the statement has read the table, or takes all out of it), the query runs again over what they have made.
 */
#include "flow/internal.h"
#include <string.h>

enum { ATTEMPTS_MAX = 20, SLOTS_MAX = 1000 };

static int take_slot(Flow *flow, Arena *arena, IoLock **out, SiltErr *err)
{
    const char *folder = flow__loaded_folder(arena, flow->query->want->path), *holder;

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        int r = io_lock(flow->env.io, arena_printf(arena, "%s/insert/%d.lock", folder, slot), out, arena, &holder, err);
        if (r == IO_BUSY)
            continue;
        flow->env.staging = arena_printf(flow->arena, "%s/insert/%d/_silt/staging", folder, slot);
        return r;
    }
    return silt_fail(err, SILT_TRANSIENT, "%d statements write to table \"%s\" at once", SLOTS_MAX, flow->query->want->name);
}

/* The columns that the query was analyzed for. */
static int check_columns(const Flow *flow, SiltErr *err)
{
    const TargetWant *want = flow->query->want;
    const DeltaSnapshot *now = delta_table_snapshot(flow->target);

    if (now && type_equal(now->metadata->schema, want->schema, true))
        return 0;
    silt_fail(err, SILT_TRANSIENT, "the columns of table \"%s\" have changed meanwhile", want->name);
    return silt_hint(err, "Nothing was inserted. Give the statement again.");
}

/* Another writer's commit came between: nothing was committed, and the statement runs again. */
enum { OVERTAKEN = 1 };

/* Rows made from the table's own are right only over the version that they were read from. 0 or OVERTAKEN. */
static int note_reads(const Batch *batch, DeltaTxn *txn)
{
    const DeltaSnapshot *base = delta_txn_snapshot(txn);

    for (int i = 0; i < batch->input_count; i++) {
        const BatchInput *in = &batch->inputs[i];
        if (!in->table_id || strcmp(in->table_id, base->metadata->id) || in->input->version >= 0) /* AS OF: said so */
            continue;
        if (in->version != base->version)
            return OVERTAKEN;
        delta_txn_read_all(txn);
    }
    return 0;
}

/* 0, OVERTAKEN or < 0. */
static int commit(Batch *batch, bool overwrite, SiltErr *err)
{
    Flow *flow = batch->flow;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    int64_t version;

    SILT_TRY(delta_txn_begin(flow->target, &txn, err));
    int r = note_reads(batch, txn);
    if (r)
        return r;
    if (overwrite)
        SILT_TRY(delta_txn_remove_all(txn, err));
    SILT_TRY(delta_txn_add_files(txn, batch->files, batch->file_count, flow__compression(flow), err));
    delta_txn_operation(txn, "WRITE");
    delta_txn_parameter(txn, "mode", overwrite ? "Overwrite" : "Append");
    flow__batch_metrics(batch, txn);
    r = delta_txn_commit(txn, &version, err);
    return r == DELTA_CONFLICT ? OVERTAKEN : r;
}

/* 0, OVERTAKEN or < 0. */
static int run_once(Batch *batch, bool overwrite, SiltErr *err)
{
    SILT_TRY(flow__statement_open(batch, err));
    SILT_TRY(check_columns(batch->flow, err));
    SILT_TRY(flow__statement_run(batch, err));
    return !batch->rows_written && !overwrite ? 0 : commit(batch, overwrite, err);
}

static int run(Flow *flow, bool overwrite, SiltErr *err)
{
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        Batch batch = {.flow = flow, .arena = arena};
        int r = run_once(&batch, overwrite, err);
        flow__batch_close(&batch);
        if (r != OVERTAKEN)
            return r;
    }
    return silt_fail(err, SILT_TRANSIENT, "lost the race to write to table \"%s\" %d times", flow->query->want->name, ATTEMPTS_MAX);
}

int flow_insert(Flow *flow, bool overwrite, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    IoLock *lock;

    SILT_TRY(take_slot(flow, arena, &lock, err));
    int r = run(flow, overwrite, err);
    io_unlock(lock);
    return r;
}
