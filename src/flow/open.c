/*
 * flow/open.c - opening a streaming flow: do its checkpoint and its table belong together, what is found made durable, what would be lost with
 * the checkpoint copied into the table's folder
 *
 * A flow that finds no checkpoint begins from nothing only where nothing of it is in the table. All else is refused with what to do: the same
 * rows twice is the one thing that must not happen (F2).
 */
#include "flow/internal.h"
#include <stdio.h>
#include <string.h>

/* ---- do they belong together? ---- */

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

/* Do checkpoint and table belong together? F2 */
int flow__check_table(Flow *flow, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(flow->target);
    const char *id = checkpoint_id(flow->checkpoint), *table = flow->query->want->name;
    int64_t done = snapshot ? delta_snapshot_txn(snapshot, id) : -1;
    int64_t sealed = checkpoint_last_commit(flow->checkpoint), begun = checkpoint_last_offsets(flow->checkpoint);

    if (done > begun)
        return refuse(err, arena_printf(flow->arena, "The checkpoint was replaced by an older copy. Put the newer one back, or build it again from the "
                                                     "table's log: silt recover %s.", flow__table_word(flow)),
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
                                      "silt run --full-refresh %s.", flow__table_word(flow), flow__table_word(flow)),
                  "flow \"%s\" has filled table \"%s\" up to batch %lld (version %lld), but its checkpoint \"%s\" is lost", flow->options.name,
                  flow->query->want->name, (long long)newest->batch, (long long)newest->version, flow->options.checkpoint_root);
}

/* Was the table filled by a streaming query, whose ids are UUIDs, or a view? Ids of other kinds are other writers' own: they tell of no checkpoint. */
static bool has_queries(const DeltaSnapshot *snapshot)
{
    for (int i = 0; snapshot && i < snapshot->txn_count; i++) {
        const char *id = snapshot->txns[i].app_id;
        if (!strncmp(id, "silt-", 5) || (strlen(id) == 36 && strspn(id, "0123456789abcdefABCDEF-") == 36))
            return true;
    }
    return false;
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
    if (has_queries(snapshot))
        SILT_TRY(check_history(flow, arena, err));
    if (!any && has_queries(snapshot))
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
            source_set_stop(input->source, flow__source_stop(flow));
            source_set_lagged(input->source, (SourceLagged){flow->env.lagged, flow->env.self});
            source_set_wake(input->source, flow__source_wake(flow));
            source_set_any_name(input->source, target_mapping(flow->query->want) != NULL);
            const char *label = strrchr(flow->options.checkpoint_root, '/') + 1, *id = checkpoint_id(flow->checkpoint);
            source_set_reader(input->source, number ? arena_printf(arena, "%s-%.8s-%d", label, id, number) : arena_printf(arena, "%s-%.8s", label, id));
            int r = source_attach(input->source, arena_printf(arena, "%s/sources/%d", checkpoint_path(flow->checkpoint), number), err);
            arena_free(arena);
            SILT_TRY(r);
        }
        number++;
    }
    return 0;
}

/* ---- copies in the table's folder, for the day when the checkpoint is lost ---- */

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
int flow__store_schemas(Flow *flow, SiltErr *err)
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
int flow__keep_logs(Flow *flow, SiltErr *err)
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

/* ---- opening ---- */

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
        SILT_TRY(flow__prepare_target(flow, err));
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

int flow__open(Flow *flow, SiltErr *err)
{
    char hint[sizeof err->hint];
    int r = open_checkpoint(flow, err);

    if (r == 0 || flow->sink || err->kind != SILT_CORRUPT || strstr(err->hint, "silt recover"))
        return r;
    memcpy(hint, err->hint, sizeof hint);
    return silt_hint(err, "%s%s`silt recover %s` builds the checkpoint again from the table's log.", hint, *hint ? " " : "", flow__table_word(flow));
}
