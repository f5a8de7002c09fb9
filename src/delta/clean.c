/*
 * delta/clean.c - what VACUUM and log cleanup delete, and why they may
 *
 *   V1  A file stays if it is live in the newest version, or if its tombstone is younger than the limit.
 *   V2  A file that stands in no version stays until it is older than the limit: a writer may be about to commit it.
 *   V3  Nothing whose name begins with `_` or `.` is touched, but for the folders of a partition column of such a name.
 *   V4  The log is cut only at a checkpoint that was read whole, and from its old end: a crash leaves a log that merely begins later.
 */
#include "delta/clean.h"
#include "delta/internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ---- data files ---- */

typedef struct Kept {
    const char **names; /* decoded, relative to the table where below it; sorted */
    int count, capacity;
    Arena *arena;
} Kept;

static void keep(Kept *kept, const char *name)
{
    ARENA_PUSH(kept->arena, kept->names, kept->count, kept->capacity, name);
}

/* V1: live files, and those that commits since the checkpoint and the checkpoint itself say were removed lately. */
static int collect_kept(DeltaTable *table, int64_t after_ms, Kept *kept, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    const DeltaFile *const *live;
    LogListing listing;
    int64_t count, base = -1;

    SILT_TRY(delta_snapshot_files(snapshot, &live, &count, err));
    for (int64_t i = 0; i < count; i++)
        keep(kept, live[i]->name);
    int r = delta__listing_read(table, kept->arena, &listing, err);
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the log has vanished");
    SILT_TRY(r);
    for (int i = 0; i < listing.checkpoint_count && base < 0; i++) {
        const char **names;
        int name_count;
        if (listing.checkpoints[i].version > snapshot->version)
            continue;
        SILT_TRY(delta__checkpoint_tombstones(table, &listing.checkpoints[i], after_ms, kept->arena, &names, &name_count, err));
        for (int j = 0; j < name_count; j++)
            keep(kept, names[j]);
        base = listing.checkpoints[i].version;
    }
    for (int64_t version = base + 1; version <= snapshot->version; version++) {
        const DeltaCommit *commit;
        r = delta_commit_read(table, version, kept->arena, &commit, err);
        if (r == DELTA_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "the commit of version %lld is missing", (long long)version);
        SILT_TRY(r);
        for (int i = 0; i < commit->remove_count; i++)
            if (commit->removes[i].deletion_ms > after_ms)
                keep(kept, commit->removes[i].name);
    }
    if (kept->count)
        qsort(kept->names, (size_t)kept->count, sizeof *kept->names, compare_names);
    return 0;
}

static bool is_partition_folder(const DeltaMetadata *metadata, const char *name)
{
    const char *equals = strchr(name, '=');

    for (int i = 0; equals && i < metadata->partition_count; i++)
        if (strlen(metadata->partition_columns[i]) == (size_t)(equals - name) &&
            !strncmp(metadata->partition_columns[i], name, (size_t)(equals - name)))
            return true;
    return false;
}

/* One folder of the table; prefix: its name relative to the table with a slash, "" for the table itself. */
static int clean_folder(DeltaTable *table, const Kept *kept, const char *prefix, int64_t before_us, int64_t *deleted, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    IoList list;

    int r = io_list(table->env.io, arena_printf(arena, "%s/%s", table->root, prefix), arena, &list, err);
    if (r == IO_ABSENT)
        return 0;
    SILT_TRY(r);
    for (int i = 0; i < list.count; i++) {
        const IoEntry *entry = &list.entries[i];
        const char *name = arena_printf(arena, "%s%s", prefix, entry->name);
        bool hidden = entry->name[0] == '_' || entry->name[0] == '.';
        if (hidden && !(entry->stat.is_directory && is_partition_folder(delta_table_snapshot(table)->metadata, entry->name)))
            continue; /* V3 */
        if (entry->stat.is_directory) {
            SILT_TRY(clean_folder(table, kept, arena_printf(arena, "%s/", name), before_us, deleted, err));
            continue;
        }
        if (entry->stat.modified_us >= before_us) /* V2 */
            continue;
        if (kept->count && bsearch(&name, kept->names, (size_t)kept->count, sizeof *kept->names, compare_names))
            continue;
        SILT_TRY(io_delete(table->env.io, arena_printf(arena, "%s/%s", table->root, name), err));
        ++*deleted;
    }
    return 0;
}

int delta_clean_files(DeltaTable *table, int64_t older_than_ms, int64_t *deleted, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    silt_auto(arena_freep) Arena *arena = arena_new();
    Kept kept = {.arena = arena};

    silt_assert(snapshot);
    *deleted = 0;
    SILT_TRY(delta__protocol_writable(snapshot->protocol, snapshot->metadata, table->root, err));
    if (delta__protocol_has(snapshot->protocol, "deletionVectors"))
        return silt_fail(err, SILT_CONFIG, "cannot clean up \"%s\": it may have deletion vectors, whose files are not known here", table->root);
    SILT_TRY(collect_kept(table, older_than_ms, &kept, err));
    return clean_folder(table, &kept, "", older_than_ms * 1000, deleted, err);
}

/* ---- the log ---- */

/* Whether it can be read whole: a head with protocol and metadata, and all its parts. */
static bool is_sound(DeltaTable *table, const CheckpointFiles *checkpoint)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Head head = {.arena = arena};
    CheckpointParts parts;
    SiltErr err;

    if (delta__checkpoint_head(table, checkpoint, &head, &err) < 0 || !head.protocol || !head.metadata)
        return false;
    FileSet *files = delta__fileset_new(checkpoint->version);
    bool sound = delta__checkpoint_parts(table, checkpoint, arena, &parts, &err) == 0 && delta__checkpoint_files(table, checkpoint, files, &err) == 0;
    delta__fileset_unref(files);
    return sound;
}

static int delete_from_log(DeltaTable *table, const char *name, int64_t *deleted, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    SILT_TRY(io_delete(table->env.io, delta__log_path(arena, table, name), err));
    ++*deleted;
    return 0;
}

/* What stands in the log for versions below `first`: commits, checkpoints, checksums. All such names begin with the version's 20 digits. */
static int delete_before(DeltaTable *table, int64_t first, Arena *arena, int64_t *deleted, SiltErr *err)
{
    IoList list;
    int r = io_list(table->env.io, table->log_directory, arena, &list, err);

    if (r)
        return r < 0 ? r : 0;
    for (int i = 0; i < list.count; i++) { /* sorted by name, so oldest first */
        const char *name = list.entries[i].name;
        int64_t version;
        if (list.entries[i].stat.is_directory || strspn(name, "0123456789") != 20 || name[20] != '.')
            continue;
        if (!str_to_int64((Str){name, 20}, &version) || version >= first)
            continue;
        SILT_TRY(delete_from_log(table, name, deleted, err));
    }
    return 0;
}

int delta_clean_log(DeltaTable *table, int64_t older_than_ms, int64_t *deleted, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    silt_auto(arena_freep) Arena *arena = arena_new();
    LogListing listing;
    int64_t current = -1; /* at the limit */

    silt_assert(snapshot);
    *deleted = 0;
    SILT_TRY(delta__protocol_writable(snapshot->protocol, snapshot->metadata, table->root, err));
    int r = delta__listing_read(table, arena, &listing, err);
    if (r)
        return r < 0 ? r : 0;
    for (int i = 0; i < listing.commit_count; i++)
        if (listing.commit_modified_us[i] <= older_than_ms * 1000)
            current = listing.commits[i];
    for (int i = 0; i < listing.checkpoint_count; i++) { /* newest first */
        const CheckpointFiles *checkpoint = &listing.checkpoints[i];
        if (checkpoint->version > current || checkpoint->version > snapshot->version)
            continue;
        if (listing.commits[0] >= checkpoint->version) /* nothing lies before it */
            return 0;
        if (!is_sound(table, checkpoint)) /* V4 */
            continue;
        return delete_before(table, checkpoint->version, arena, deleted, err);
    }
    return 0;
}
