/*
 * flow/copy.c - COPY INTO: files that the table has not loaded yet, each once, as one commit
 *
 *   lock        <table>/_silt_copy/lock: one copy at a time
 *   read        the lists of loaded files; the source's files without these
 *   run         the query over them, files into staging
 *   list        <table>/_silt_copy/<N>.jsonl, durable
 *   make        a table that is not there, in a commit of its own, empty (T1)
 *   commit      rows, new columns and txn (silt-copy-into, N) in one commit: it seals the list (P1 in flow/loaded.c)
 *
 * A crash before the commit leaves nothing but files that nobody lists, and a list that counts for nothing; a copy that fails, or whose commit loses, likewise.
 * Nothing is begun that a later statement would have to finish: it may be another query over other files.
 */
#include "flow/internal.h"
#include <string.h>

typedef struct Copy {
    Flow *flow;
    Arena *arena;
    IoLock *lock;
    LoadedFiles *loaded;
    Batch batch;
} Copy;

static bool is_new(void *self, const char *uri)
{
    return !loaded_files_has(self, uri);
}

static int lock_table(Copy *copy, SiltErr *err)
{
    const Flow *flow = copy->flow;
    const char *folder = flow__loaded_folder(copy->arena, flow->query->want->path), *holder = NULL;

    SILT_TRY(io_make_directory(flow->env.io, folder, err));
    int r = io_lock(flow->env.io, arena_printf(copy->arena, "%s/lock", folder), &copy->lock, copy->arena, &holder, err);
    if (r != IO_BUSY)
        return r;
    silt_fail(err, SILT_TRANSIENT, "another COPY INTO writes to table \"%s\" (%s)", flow->query->want->name, holder ? holder : "unknown");
    return silt_hint(err, "Try again when it is done.");
}

static const SourcePart *source_parts(const Copy *copy, int *count)
{
    *count = 0;
    for (int i = 0; i < copy->batch.input_count; i++)
        if (copy->batch.inputs[i].source)
            return source_batch_parts(copy->batch.inputs[i].source, count);
    return NULL;
}

static int commit(Copy *copy, FlowCopied *out, SiltErr *err)
{
    Flow *flow = copy->flow;
    Batch *batch = &copy->batch;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf sources = {0};
    bool added;
    int count;
    const SourcePart *parts = source_parts(copy, &count);

    TargetWant want = *flow->query->want;

    want.schema = batch->mapped_schema;
    int r = delta_table_refresh(flow->target, err);
    if (r < 0)
        return r;
    const DeltaSnapshot *now = delta_table_snapshot(flow->target);
    if ((now ? delta_snapshot_txn(now, LOADED_APP) : -1) != flow__loaded_sealed(copy->loaded)) /* P3 */
        return silt_fail(err, SILT_TRANSIENT, "another COPY INTO has written to table \"%s\" meanwhile", flow->query->want->name);
    if (!now)
        SILT_TRY(target_prepare(flow->env.io, flow->target, &want, err)); /* T1 */
    SILT_TRY(flow__loaded_add(copy->loaded, parts, count, err));
    SILT_TRY(delta_txn_begin(flow->target, &txn, err));
    SILT_TRY(target_add_columns(txn, copy->arena, &want, &added, err));
    SILT_TRY(flow__fits_table(batch, delta_txn_metadata(txn)->schema, err));
    SILT_TRY(delta_txn_add_files(txn, batch->files, batch->file_count, flow__compression(flow), err));
    delta_txn_set_txn(txn, LOADED_APP, batch->id);
    delta_txn_operation(txn, "COPY INTO");
    flow__batch_metrics(batch, txn);
    delta_txn_metric(txn, "numSkippedCorruptFiles", out->files_corrupt);
    batch->manifest = arena_printf(copy->arena, "_silt_copy/%lld.jsonl", (long long)batch->id);
    flow__batch_ranges(batch, &sources);
    delta_txn_read_sources(txn, str_buf_view(&sources));
    SILT_TRY(flow__commit(txn, &out->version, err));
    flow__loaded_settle(copy->loaded);
    return 0;
}

static int run(Copy *copy, bool dry, FlowCopied *out, SiltErr *err)
{
    Flow *flow = copy->flow;
    Batch *batch = &copy->batch;
    int count;

    SILT_TRY(flow__statement_open(batch, err));
    SILT_TRY(loaded_files_open(flow->env.io, flow->target, &copy->loaded, err));
    SILT_TRY(flow__loaded_sync(copy->loaded, err));
    batch->id = flow__loaded_sealed(copy->loaded) + 1;
    if (!flow->options.force) {
        batch->take = is_new;
        batch->take_self = copy->loaded;
    }
    SILT_TRY(flow__statement_run(batch, err));
    const SourcePart *parts = source_parts(copy, &count);
    for (int i = 0; i < count; i++) {
        out->files += !parts[i].missing;
        out->files_corrupt += parts[i].corrupt != NULL;
    }
    out->rows = batch->rows_written;
    return dry || out->files == 0 ? 0 : commit(copy, out, err);
}

int flow_copy(Flow *flow, bool dry, FlowCopied *out, SiltErr *err)
{
    Copy copy = {.flow = flow, .arena = arena_new(), .batch = {.flow = flow, .arena = arena_new()}};

    *out = (FlowCopied){.version = -1};
    int r = lock_table(&copy, err);
    if (r == 0)
        r = run(&copy, dry, out, err);
    flow__batch_close(&copy.batch);
    arena_free(copy.batch.arena);
    loaded_files_free(copy.loaded);
    io_unlock(copy.lock);
    arena_free(copy.arena);
    return r;
}
