/*
 * delta/table.c - an open log: replay into snapshots, refresh by new commits only
 *
 *   T1  A snapshot never changes; a refresh makes another.
 *   T2  _last_checkpoint is not needed and never believed: the listing says which checkpoints are complete, and one that
 *       turns out to be broken is passed over for an older one or for the commits themselves.
 *   T3  Versions after the checkpoint follow each other without a gap, or the table is not read. Each is asked for by name: a
 *       listing made while others commit may lack a version and show a later one.
 */
#include "delta/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/uri.h"

enum {
    SET_IDLE_MAX = 64,   /* refreshes after which a list of files that nobody asks for is dropped */
    SET_DEAD_MIN = 4096, /* removed files that a list may carry before it is compacted */
};

/* ---- the handle ---- */

DeltaTable *delta_table_new(const DeltaEnv *env, const char *path)
{
    DeltaTable *table = silt_alloc(sizeof *table);
    Arena *scratch = arena_new();
    const char *root;
    if (uri_to_path(scratch, path, &root, NULL) < 0)
        root = path; /* the store says what is wrong with it */
    table->env = *env;
    table->root = silt_strdup(path_clean(scratch, root));
    table->log_directory = silt_strdup(path_join(scratch, table->root, "_delta_log"));
    arena_free(scratch);
    return table;
}

void delta_table_free(DeltaTable *table)
{
    if (!table)
        return;
    if (table->newest)
        delta_snapshot_unref(&table->newest->head);
    delta__fileset_unref(table->set);
    duck_session_close(table->own_session);
    free(table->root);
    free(table->log_directory);
    free(table);
}

void delta_table_freep(DeltaTable **table)
{
    delta_table_free(*table);
}

const char *delta_table_path(const DeltaTable *table)
{
    return table->root;
}

const DeltaSnapshot *delta_table_snapshot(const DeltaTable *table)
{
    return table->newest ? &table->newest->head : NULL;
}

int delta__session(DeltaTable *table, DuckSession **out, SiltErr *err)
{
    if (table->env.session) {
        *out = table->env.session;
        return 0;
    }
    if (!table->own_session)
        SILT_TRY(duck_session_open(table->env.engine, &table->own_session, err));
    *out = table->own_session;
    return 0;
}

void delta__warn(const DeltaTable *table, const char *fmt, ...)
{
    char message[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (table->env.warn)
        table->env.warn(table->env.warn_self, message);
}

/* ---- snapshots ---- */

const DeltaSnapshot *delta_snapshot_ref(const DeltaSnapshot *snapshot)
{
    ((SnapshotImpl *)(uintptr_t)snapshot)->holders++;
    return snapshot;
}

void delta_snapshot_unref(const DeltaSnapshot *snapshot)
{
    SnapshotImpl *impl = (SnapshotImpl *)(uintptr_t)snapshot;
    if (!impl || --impl->holders > 0)
        return;
    delta__shared_unref(impl->shared);
    delta__fileset_unref(impl->set);
    arena_free(impl->arena);
    free(impl);
}

void delta_snapshot_unrefp(const DeltaSnapshot **snapshot)
{
    delta_snapshot_unref(*snapshot);
}

const char *delta_snapshot_property(const DeltaSnapshot *snapshot, const char *key)
{
    return delta__property(snapshot->metadata->configuration, snapshot->metadata->configuration_count, key);
}

int64_t delta_snapshot_txn(const DeltaSnapshot *snapshot, const char *app_id)
{
    for (int i = 0; i < snapshot->txn_count; i++)
        if (strcmp(snapshot->txns[i].app_id, app_id) == 0)
            return snapshot->txns[i].version;
    return -1;
}

int delta_snapshot_partition_index(const DeltaSnapshot *snapshot, int field)
{
    const DeltaMetadata *metadata = snapshot->metadata;
    for (int i = 0; i < metadata->partition_count; i++)
        if (strcasecmp(metadata->partition_columns[i], metadata->schema->fields[field].name) == 0)
            return i;
    return -1;
}

/* The head that a snapshot holds, to go on from with further commits. */
static Head head_of(const SnapshotImpl *snapshot, Arena *arena)
{
    Head head = {.arena = arena};
    for (int i = 0; i < snapshot->head.txn_count; i++) {
        DeltaTxnVersion copy = snapshot->head.txns[i];
        copy.app_id = arena_strdup(arena, copy.app_id);
        ARENA_PUSH(arena, head.txns, head.txn_count, head.txn_capacity, copy);
    }
    for (int i = 0; i < snapshot->head.domain_count; i++)
        delta__head_domain(&head, snapshot->head.domains[i].domain, snapshot->head.domains[i].configuration);
    return head;
}

static void head_apply(Head *head, const DeltaCommit *commit)
{
    if (commit->protocol)
        head->protocol = delta__protocol_copy(head->arena, commit->protocol);
    if (commit->metadata)
        head->metadata = delta__metadata_copy(head->arena, commit->metadata);
    for (int i = 0; i < commit->txn_count; i++)
        delta__head_txn(head, &commit->txns[i]);
    for (int i = 0; i < commit->domain_count; i++)
        delta__head_domain(head, commit->domains[i].domain, commit->domains[i].configuration);
}

/*
 * A snapshot from a finished head, whose arena it takes over. previous: protocol and metadata come from there where the head
 * has none (they did not change).
 */
static SnapshotImpl *snapshot_new(DeltaTable *table, Head *head, const SnapshotImpl *previous, int64_t version, int64_t timestamp_ms)
{
    SnapshotImpl *snapshot = silt_alloc(sizeof *snapshot);
    snapshot->holders = 1;
    snapshot->arena = head->arena;
    if (previous && !head->protocol && !head->metadata) {
        snapshot->shared = delta__shared_ref(previous->shared);
        head->protocol = previous->head.protocol;
        head->metadata = previous->head.metadata;
    } else {
        snapshot->shared = delta__shared_new();
        head->protocol = delta__protocol_copy(snapshot->shared->arena, head->protocol ? head->protocol : previous->head.protocol);
        head->metadata = delta__metadata_copy(snapshot->shared->arena, head->metadata ? head->metadata : previous->head.metadata);
    }
    int domain_count = 0;
    for (int i = 0; i < head->domain_count; i++)
        if (head->domains[i].configuration)
            head->domains[domain_count++] = head->domains[i];
    snapshot->head = (DeltaSnapshot){
        .table = table,
        .version = version,
        .timestamp_ms = timestamp_ms,
        .protocol = head->protocol,
        .metadata = head->metadata,
        .txns = head->txns,
        .txn_count = head->txn_count,
        .domains = head->domains,
        .domain_count = domain_count,
    };
    head->arena = NULL; /* handed over */
    return snapshot;
}

/* ---- replay ---- */

int delta_commit_read(DeltaTable *table, int64_t version, Arena *arena, const DeltaCommit **out, SiltErr *err)
{
    const char *path = delta__commit_path(arena, table, version);
    Str text;
    IoStat stat;
    int r = io_read(table->env.io, path, arena, &text, err);
    if (r == IO_ABSENT)
        return DELTA_ABSENT;
    SILT_TRY(r);
    DeltaCommit *commit = ARENA_NEW(arena, DeltaCommit);
    SILT_TRY(delta__parse_commit(arena, table->root, text, path, version, commit, err));
    if (commit->timestamp_ms < 0 && io_stat(table->env.io, path, &stat, NULL) == 0)
        commit->timestamp_ms = stat.modified_us / 1000;
    *out = commit;
    return 0;
}

static int missing_version(const DeltaTable *table, int64_t version, SiltErr *err)
{
    silt_fail(err, SILT_CORRUPT, "the log of \"%s\" is not contiguous: the commit of version %lld is missing", table->root,
              (long long)version);
    silt_hint(err, "Commits are numbered without gaps. Bring %020lld.json back, or read a version before it.", (long long)version);
    return silt_code(err, "DELTA_VERSIONS_NOT_CONTIGUOUS");
}

int64_t delta__newest_version(const LogListing *listing)
{
    int64_t newest = listing->commit_count ? listing->commits[listing->commit_count - 1] : -1;
    if (listing->checkpoint_count && listing->checkpoints[0].version > newest)
        newest = listing->checkpoints[0].version;
    return newest;
}

static int64_t listed_time_ms(const LogListing *listing, int64_t version)
{
    for (int i = listing->commit_count - 1; i >= 0; i--)
        if (listing->commits[i] == version)
            return listing->commit_modified_us[i] / 1000;
    return -1;
}

static int read_commit(DeltaTable *table, int64_t version, Arena *arena, const DeltaCommit **out, SiltErr *err)
{
    int r = delta_commit_read(table, version, arena, out, err);
    return r == DELTA_ABSENT ? missing_version(table, version, err) : r;
}

/* Is a failure to read a checkpoint the fault of the file, so that another way may be tried? */
static bool may_pass_over(const SiltErr *err)
{
    return err->kind == SILT_CORRUPT;
}

static int no_start(const DeltaTable *table, const LogListing *listing, int64_t target, SiltErr *err)
{
    int64_t oldest = listing->commit_count ? listing->commits[0] : -1;
    if (oldest < 0)
        return silt_fail(err, SILT_CORRUPT, "the log of \"%s\" has no usable checkpoint and no commits", table->root);
    silt_fail(err, SILT_CORRUPT,
              "version %lld of \"%s\" cannot be built: the log begins at version %lld and no usable checkpoint lies between",
              (long long)target, table->root, (long long)oldest);
    return silt_code(err, "DELTA_VERSIONS_NOT_CONTIGUOUS");
}

/*
 * Call `from` with the newest usable checkpoint not after target, or with NULL for the beginning of the log; a broken
 * checkpoint is passed over with a warning (T2).
 */
static int with_base(DeltaTable *table, const LogListing *listing, int64_t target,
                     int (*from)(void *self, const CheckpointFiles *checkpoint, SiltErr *err), void *self, SiltErr *err)
{
    SiltErr failure;
    for (int i = 0; i < listing->checkpoint_count; i++) {
        const CheckpointFiles *checkpoint = &listing->checkpoints[i];
        if (checkpoint->version > target)
            continue;
        int r = from(self, checkpoint, &failure);
        if (r == 0)
            return 0;
        if (!may_pass_over(&failure)) {
            if (err)
                *err = failure;
            return r;
        }
        delta__warn(table, "checkpoint of version %lld of \"%s\" is passed over: %s", (long long)checkpoint->version, table->root,
                    failure.message);
    }
    if (!listing->commit_count || listing->commits[0] != 0)
        return no_start(table, listing, target, err);
    return from(self, NULL, err);
}

struct head_load {
    DeltaTable *table;
    Head *head;
    int64_t base;
};

static int head_from(void *self, const CheckpointFiles *checkpoint, SiltErr *err)
{
    struct head_load *load = self;
    arena_reset(load->head->arena);
    *load->head = (Head){.arena = load->head->arena};
    load->base = checkpoint ? checkpoint->version : -1;
    if (!checkpoint)
        return 0;
    int r = delta__checksum_head(load->table, checkpoint->version, load->head, err); /* the same, without Parquet */
    return r == DELTA_ABSENT ? delta__checkpoint_head(load->table, checkpoint, load->head, err) : r;
}

static bool in_commit_times(const Head *head)
{
    const char *on = head->metadata ? delta__property(head->metadata->configuration, head->metadata->configuration_count,
                                                      "delta.enableInCommitTimestamps")
                                    : NULL;
    return on && strcasecmp(on, "true") == 0;
}

/* Replay up to target. */
int delta__load_snapshot(DeltaTable *table, const LogListing *listing, int64_t target, SnapshotImpl **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    silt_auto(arena_freep) Arena *arena = arena_new();
    Head head = {.arena = arena};
    struct head_load load = {table, &head, -1};
    int64_t timestamp_ms = listed_time_ms(listing, target);

    SILT_TRY(with_base(table, listing, target, head_from, &load, err));
    for (int64_t version = load.base + 1; version <= target; version++) {
        const DeltaCommit *commit;
        arena_reset(scratch);
        SILT_TRY(read_commit(table, version, scratch, &commit, err));
        head_apply(&head, commit);
        if (version == target)
            timestamp_ms = commit->timestamp_ms;
    }
    if (load.base == target && timestamp_ms >= 0 && in_commit_times(&head)) { /* the time stands in the commit only */
        const DeltaCommit *commit;
        if (delta_commit_read(table, target, scratch, &commit, NULL) == 0)
            timestamp_ms = commit->timestamp_ms;
    }
    if (!head.protocol)
        return silt_fail(err, SILT_CORRUPT, "the log of \"%s\" has no protocol action up to version %lld", table->root, (long long)target);
    if (!head.metadata)
        return silt_fail(err, SILT_CORRUPT, "the log of \"%s\" has no metaData action up to version %lld", table->root, (long long)target);
    SILT_TRY(delta__protocol_readable(head.protocol, head.metadata, table->root, err));
    *out = snapshot_new(table, &head, NULL, target, timestamp_ms);
    arena = NULL; /* handed over */
    return 0;
}

/* ---- refresh ---- */

static void set_newest(DeltaTable *table, SnapshotImpl *snapshot)
{
    if (table->newest)
        delta_snapshot_unref(&table->newest->head);
    table->newest = snapshot;
}

/* Keep the list of files in step with a commit, unless nobody wants it. */
static void follow(DeltaTable *table, const DeltaCommit *commit)
{
    if (!table->set)
        return;
    if (++table->set_idle > SET_IDLE_MAX) {
        delta__fileset_unref(table->set);
        table->set = NULL;
        return;
    }
    delta__fileset_apply(table->set, commit);
    int64_t dead = delta__fileset_dead_count(table->set);
    if (dead > SET_DEAD_MIN && dead > delta__fileset_live_count(table->set)) {
        FileSet *fresh = delta__fileset_compact(table->set);
        delta__fileset_unref(table->set);
        table->set = fresh;
    }
}

int delta__table_applied(DeltaTable *table, const DeltaCommit *commit, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Head head = table->newest ? head_of(table->newest, arena) : (Head){.arena = arena};

    head_apply(&head, commit);
    if (!table->newest && (!head.protocol || !head.metadata))
        return silt_fail(err, SILT_CORRUPT, "the first commit of \"%s\" lacks protocol or metaData", table->root);
    if (head.protocol || head.metadata)
        SILT_TRY(delta__protocol_readable(head.protocol ? head.protocol : table->newest->head.protocol,
                                          head.metadata ? head.metadata : table->newest->head.metadata, table->root, err));
    SnapshotImpl *snapshot = snapshot_new(table, &head, table->newest, commit->version, commit->timestamp_ms);
    arena = NULL; /* handed over */
    follow(table, commit);
    set_newest(table, snapshot);
    return 0;
}

/* What was committed since the newest snapshot: the next versions are asked for one by one, nothing is listed. */
static int refresh_forward(DeltaTable *table, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    for (;;) {
        const DeltaCommit *commit;
        arena_reset(scratch);
        int r = delta_commit_read(table, table->newest->head.version + 1, scratch, &commit, err);
        if (r == DELTA_ABSENT)
            return 0;
        SILT_TRY(r);
        SILT_TRY(delta__table_applied(table, commit, err));
    }
}

int delta_table_refresh(DeltaTable *table, SiltErr *err)
{
    if (table->newest)
        return refresh_forward(table, err);

    silt_auto(arena_freep) Arena *scratch = arena_new();
    LogListing listing;
    SnapshotImpl *snapshot;
    int r = delta__listing_read(table, scratch, &listing, err);
    if (r)
        return r;
    SILT_TRY(delta__load_snapshot(table, &listing, delta__newest_version(&listing), &snapshot, err));
    set_newest(table, snapshot);
    return refresh_forward(table, err);
}

/* ---- files ---- */

struct files_load {
    DeltaTable *table;
    FileSet *set;
};

static int files_from(void *self, const CheckpointFiles *checkpoint, SiltErr *err)
{
    struct files_load *load = self;
    delta__fileset_unref(load->set);
    load->set = delta__fileset_new(checkpoint ? checkpoint->version : -1);
    return checkpoint ? delta__checkpoint_files(load->table, checkpoint, load->set, err) : 0;
}

static int replay_files(DeltaTable *table, int64_t target, FileSet *set, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    while (delta__fileset_version(set) < target) {
        const DeltaCommit *commit;
        arena_reset(scratch);
        SILT_TRY(read_commit(table, delta__fileset_version(set) + 1, scratch, &commit, err));
        delta__fileset_apply(set, commit);
    }
    return 0;
}

static int load_files(DeltaTable *table, int64_t target, FileSet **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    struct files_load load = {table, NULL};
    LogListing listing;
    int r = delta__listing_read(table, scratch, &listing, err);
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the log of \"%s\" has vanished", table->root);
    SILT_TRY(r);
    r = with_base(table, &listing, target, files_from, &load, err);
    if (r == 0)
        r = replay_files(table, target, load.set, err);
    if (r < 0)
        delta__fileset_unref(load.set);
    else
        *out = load.set;
    return r;
}

int delta_snapshot_files(const DeltaSnapshot *snapshot, const DeltaFile *const **files, int64_t *count, SiltErr *err)
{
    SnapshotImpl *impl = (SnapshotImpl *)(uintptr_t)snapshot;
    DeltaTable *table = snapshot->table;

    if (!impl->set) {
        FileSet *set = table->set;
        if (set && delta__fileset_base(set) <= snapshot->version && snapshot->version <= delta__fileset_version(set)) {
            delta__fileset_ref(set);
        } else {
            SILT_TRY(load_files(table, snapshot->version, &set, err));
            if (impl == table->newest) {
                delta__fileset_unref(table->set);
                table->set = delta__fileset_ref(set);
            }
        }
        impl->set = set;
    }
    if (impl == table->newest)
        table->set_idle = 0;
    if (!impl->files)
        impl->files = delta__fileset_live(impl->set, snapshot->version, impl->arena, &impl->file_count);
    *files = impl->files;
    *count = impl->file_count;
    return 0;
}
