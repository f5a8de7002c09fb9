/*
 * delta/stream.c - a table as a streaming source, with Spark's offsets
 *
 *   O1  An offset names all files that come before it in one fixed order: first the snapshot at the starting version by
 *       (modification time, path), then the data-changing adds of each later commit, in the order of the log.
 *   O2  The same pair of offsets gives the same files, whatever was committed since.
 *   O3  Rows that were deleted or rewritten are never passed over silently.
 */
#include "delta/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "delta/internal.h"
#include "delta/widening.h"

enum { FILES_DEFAULT = 1000, SOURCE_VERSION = 1 };

/* ---- offsets as text ---- */

void delta_offset_print(StrBuf *out, const DeltaOffset *offset)
{
    JsonWriter w = {.out = out};
    json_object(&w);
    json_member_int(&w, "sourceVersion", SOURCE_VERSION);
    json_member(&w, "reservoirId", offset->table_id);
    json_member_int(&w, "reservoirVersion", offset->version);
    json_member_int(&w, "index", offset->index);
    json_member_bool(&w, "isStartingVersion", offset->is_starting);
    json_object_end(&w);
}

int delta_offset_parse(Str text, DeltaOffset *out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Json *json;
    int shown = (int)(text.size < 200 ? text.size : 200);

    if (json_parse(arena, text, &json, err) < 0 || json_kind(json) != JSON_OBJECT)
        return silt_fail(err, SILT_CORRUPT, "'%.*s' is not an offset of a Delta source", shown, text.ptr);
    int64_t source_version = json_int(json_get(json, "sourceVersion"), -1);
    const char *id = json_cstr(json_get(json, "reservoirId"), "");
    *out = (DeltaOffset){
        .version = json_int(json_get(json, "reservoirVersion"), -1),
        .index = json_int(json_get(json, "index"), INT64_MIN),
        .is_starting = json_bool(json_get(json, "isStartingVersion"), false),
    };
    if (source_version < 1 || out->version < 0 || out->index == INT64_MIN || !*id || strlen(id) >= sizeof out->table_id)
        return silt_fail(err, SILT_CORRUPT, "'%.*s' is not an offset of a Delta source", shown, text.ptr);
    if (source_version > SOURCE_VERSION + 2)
        return silt_fail(err, SILT_CONFIG, "the offset '%.*s' has sourceVersion %lld; the highest that is known is 3", shown, text.ptr,
                         (long long)source_version);
    snprintf(out->table_id, sizeof out->table_id, "%s", id);
    if (out->index == -100) /* the base index of version 1 */
        out->index = -1;
    if (out->index < -1)
        return silt_fail(err, SILT_CONFIG, "the offset '%.*s' waits for a schema change (index %lld), which is not supported", shown,
                         text.ptr, (long long)out->index);
    return 0;
}

/* ---- taking files ---- */

struct taking {
    DeltaTable *table;
    const DeltaStreamOptions *options;
    Arena *arena;
    DeltaStreamBatch *batch;
    int64_t capacity;
    int64_t files_max, bytes_max; /* INT64_MAX: none */
    const DeltaOffset *until;     /* NULL: to the end of the log */
};

static bool is_full(const struct taking *t, const DeltaFile *next)
{
    if (t->batch->file_count >= t->files_max)
        return true;
    return t->batch->file_count && t->batch->size_bytes + (next->size_bytes > 0 ? next->size_bytes : 0) > t->bytes_max;
}

/* Is (version, index) past the end that was asked for? */
static bool is_past(const struct taking *t, int64_t version, int64_t index)
{
    return t->until && (version > t->until->version || (version == t->until->version && index > t->until->index));
}

static void take_file(struct taking *t, const DeltaFile *file)
{
    DeltaFile *copy = ARENA_NEW(t->arena, DeltaFile);
    delta__file_copy(t->arena, file, copy);
    ARENA_PUSH(t->arena, t->batch->files, t->batch->file_count, t->capacity, copy);
    t->batch->size_bytes += file->size_bytes > 0 ? file->size_bytes : 0;
}

/*
 * Take files of one version after `index`. Sets the batch's end and *stop when a limit or the asked end came first.
 */
static void take_files(struct taking *t, const DeltaFile *const *files, int64_t count, int64_t version, bool is_starting, int64_t index,
                       bool *stop)
{
    DeltaOffset *end = &t->batch->end;
    *stop = false;
    for (int64_t i = index + 1; i < count; i++) {
        if (is_past(t, version, i)) {
            *stop = true;
            return;
        }
        if (is_full(t, files[i])) {
            t->batch->more = true;
            *stop = true;
            return;
        }
        take_file(t, files[i]);
        end->version = version;
        end->index = i;
        end->is_starting = is_starting;
    }
    if (t->until && version == t->until->version &&
        t->until->index >= 0) { /* the end lies within this version, whether or not it is its last file */
        *stop = true;
        return;
    }
    end->version = version + 1;
    end->index = -1;
    end->is_starting = false;
}

static int compare_files(const void *left, const void *right)
{
    const DeltaFile *a = *(const DeltaFile *const *)left, *b = *(const DeltaFile *const *)right;
    if (a->modified_ms != b->modified_ms)
        return a->modified_ms < b->modified_ms ? -1 : 1;
    return strcmp(a->path, b->path);
}

static int take_snapshot(struct taking *t, const DeltaSnapshot *snapshot, int64_t index, bool *stop, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    const DeltaFile *const *files;
    int64_t count;
    SILT_TRY(delta_snapshot_files(snapshot, &files, &count, err));
    const DeltaFile **sorted = ARENA_ARRAY(scratch, const DeltaFile *, count + 1);
    for (int64_t i = 0; i < count; i++)
        sorted[i] = files[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_files);
    take_files(t, sorted, count, snapshot->version, true, index, stop);
    return 0;
}

/* O3: what a commit with data-changing removes means. *skip: its adds are not taken either. */
static int judge_removes(const struct taking *t, const DeltaCommit *commit, bool *skip, SiltErr *err)
{
    const DeltaRemove *removed = NULL;
    bool adds = false;
    for (int i = 0; i < commit->remove_count && !removed; i++)
        if (commit->removes[i].data_change)
            removed = &commit->removes[i];
    for (int i = 0; i < commit->add_count && !adds; i++)
        adds = commit->adds[i].data_change;
    *skip = false;
    if (!removed)
        return 0;
    if (t->options->skip_change_commits) {
        *skip = true;
        return 0;
    }
    if (!adds) {
        if (t->options->ignore_deletes)
            return 0;
        silt_fail(err, SILT_CONFIG, "rows were deleted from the streaming source \"%s\" at version %lld (for example %s)", t->table->root,
                  (long long)commit->version, removed->path);
        silt_hint(
            err, "To go on without the deletion, set the option 'ignoreDeletes' or 'skipChangeCommits' to 'true'; to take it into account, "
                 "run the flow with a full refresh.");
        return silt_code(err, "DELTA_SOURCE_IGNORE_DELETE");
    }
    silt_fail(err, SILT_CONFIG, "rows of the streaming source \"%s\" were changed at version %lld (for example %s)", t->table->root,
              (long long)commit->version, removed->path);
    silt_hint(err,
              "To go on without such commits, set the option 'skipChangeCommits' to 'true'; to take the change into account, run the flow "
              "with a full refresh.");
    return silt_code(err, "DELTA_SOURCE_TABLE_IGNORE_CHANGES");
}

/* Every column of `old` is still there with the same type or a wider one, and nothing that was nullable is required now. */
static bool is_additive(const Type *old, const Type *new)
{
    if (delta_type_widens(old, new))
        return true;
    if (old->kind != new->kind)
        return false;
    switch (old->kind) {
    case TYPE_STRUCT:
        for (int i = 0; i < old->field_count; i++) {
            int at = type_field_index(new, old->fields[i].name, NULL);
            if (at < 0 || !is_additive(old->fields[i].type, new->fields[at].type))
                return false;
        }
        return true;
    case TYPE_ARRAY:
        return is_additive(old->element, new->element);
    case TYPE_MAP:
        return is_additive(old->key, new->key) && is_additive(old->element, new->element);
    default:
        return type_equal(old, new, false);
    }
}

/* A new schema within the range: rows of before and after must fit the schema of the newest snapshot. */
static int judge_metadata(const struct taking *t, const DeltaCommit *commit, const char *table_id, SiltErr *err)
{
    if (!commit->metadata)
        return 0;
    if (strcmp(commit->metadata->id, table_id) != 0) {
        silt_fail(err, SILT_CONFIG, "the table \"%s\" was replaced by another one at version %lld (its id changed)", t->table->root,
                  (long long)commit->version);
        silt_hint(err, "Run the flow with a full refresh to read the new table from its beginning.");
        return silt_code(err, "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE");
    }
    if (!is_additive(commit->metadata->schema, delta_table_snapshot(t->table)->metadata->schema)) {
        silt_fail(err, SILT_CONFIG, "the schema of \"%s\" was changed after version %lld in a way that old rows do not fit", t->table->root,
                  (long long)commit->version);
        silt_hint(err, "Columns were dropped, renamed or given another type. Run the flow with a full refresh.");
        return silt_code(err, "DELTA_SCHEMA_CHANGED_WITH_VERSION");
    }
    return 0;
}

static int commit_gone(const struct taking *t, int64_t version, SiltErr *err)
{
    silt_fail(err, SILT_CONFIG, "the commit of version %lld of \"%s\", where the stream has to go on, is gone", (long long)version,
              t->table->root);
    silt_hint(err, "The log was cleaned up before the stream read it. Run the flow with a full refresh.");
    return silt_code(err, "DELTA_STREAM_CHECK_DATA_LOSS");
}

static int take_commit(struct taking *t, int64_t version, int64_t index, const char *table_id, bool *stop, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    const DeltaCommit *commit;
    bool skip;
    int r = delta_commit_read(t->table, version, scratch, &commit, err);
    if (r == DELTA_ABSENT)
        return commit_gone(t, version, err);
    SILT_TRY(r);
    SILT_TRY(judge_metadata(t, commit, table_id, err));
    SILT_TRY(judge_removes(t, commit, &skip, err));
    const DeltaFile **adds = ARENA_ARRAY(scratch, const DeltaFile *, commit->add_count + 1);
    int64_t count = 0;
    for (int i = 0; i < commit->add_count && !skip; i++)
        if (commit->adds[i].data_change)
            adds[count++] = &commit->adds[i];
    take_files(t, adds, count, version, false, index, stop);
    return 0;
}

/* ---- a batch ---- */

/* Is the table, as it was looked at last, the one that an offset is of? */
static int check_same(const DeltaTable *table, const DeltaOffset *from, SiltErr *err)
{
    const DeltaSnapshot *newest = delta_table_snapshot(table);

    if (strcmp(from->table_id, newest->metadata->id) != 0) {
        silt_fail(err, SILT_CONFIG, "the stream has read another table at \"%s\" so far: its id was %s and is now %s", table->root,
                  from->table_id, newest->metadata->id);
        silt_hint(err, "The table was deleted and made again. Run the flow with a full refresh.");
        return silt_code(err, "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE");
    }
    if (from->version > newest->version + 1) {
        silt_fail(err, SILT_CORRUPT, "the stream has read version %lld of \"%s\", whose newest version is %lld",
                  (long long)from->version - 1, table->root, (long long)newest->version);
        return silt_code(err, "DELTA_STREAM_CHECK_DATA_LOSS");
    }
    return 0;
}

int delta_stream_check(DeltaTable *table, const DeltaOffset *from, SiltErr *err)
{
    int r = delta_table_refresh(table, err);

    if (r == DELTA_ABSENT) {
        silt_fail(err, SILT_CONFIG, "the table \"%s\", which the stream has read so far, is gone", table->root);
        return silt_hint(err, "Put it back, or run the flow with a full refresh once there is one again.");
    }
    return r < 0 ? r : check_same(table, from, err);
}

static int begin(DeltaTable *table, const DeltaOffset *from, const DeltaStreamOptions *options, DeltaOffset *start, SiltErr *err)
{
    const DeltaSnapshot *newest = delta_table_snapshot(table);
    if (from) {
        *start = *from;
        return check_same(table, from, err);
    }
    *start = (DeltaOffset){.index = -1};
    if (strlen(newest->metadata->id) >= sizeof start->table_id)
        return silt_fail(err, SILT_CORRUPT, "the id of the table \"%s\" is too long", table->root);
    snprintf(start->table_id, sizeof start->table_id, "%s", newest->metadata->id);
    start->is_starting = options->starting_version < 0;
    start->version = start->is_starting ? newest->version : options->starting_version;
    if (start->version > newest->version + 1)
        return silt_fail(err, SILT_CONFIG, "startingVersion %lld is not there: the newest version of \"%s\" is %lld",
                         (long long)start->version, table->root, (long long)newest->version);
    return 0;
}

static int take_batch(struct taking *t, const DeltaOffset *from, SiltErr *err)
{
    DeltaOffset start;
    bool stop = false;
    int r = delta_table_refresh(t->table, err);
    if (r)
        return r;
    SILT_TRY(begin(t->table, from, t->options, &start, err));
    if (!from && t->until && t->until->is_starting)
        start.version = t->until->version;
    else if (!from && t->until && start.is_starting)
        start.version = t->until->version - 1; /* the first batch took its whole snapshot, see delta_stream_range() */
    t->batch->end = start;
    if (t->until && is_past(t, start.version, start.index))
        return 0;
    if (start.is_starting) {
        const DeltaSnapshot *snapshot;
        r = delta_table_at_version(t->table, start.version, &snapshot, err);
        silt_assert(r <= 0);
        SILT_TRY(r);
        r = take_snapshot(t, snapshot, start.index, &stop, err);
        delta_snapshot_unref(snapshot);
        SILT_TRY(r);
        start = t->batch->end;
    }
    int64_t newest = delta_table_snapshot(t->table)->version;
    for (int64_t version = start.version, index = start.index; !stop && version <= newest; version++, index = -1) {
        if (is_past(t, version, -1) || (t->until && version == t->until->version && t->until->index < 0))
            break;
        SILT_TRY(take_commit(t, version, index, start.table_id, &stop, err));
    }
    return 0;
}

int delta_stream_next(DeltaTable *table, const DeltaOffset *from, const DeltaStreamOptions *options, Arena *arena, DeltaStreamBatch *out,
                      SiltErr *err)
{
    struct taking t = {
        .table = table,
        .options = options,
        .arena = arena,
        .batch = out,
        .files_max = options->files_max > 0 ? options->files_max : FILES_DEFAULT,
        .bytes_max = options->bytes_max > 0 ? options->bytes_max : INT64_MAX,
    };
    *out = (DeltaStreamBatch){0};
    return take_batch(&t, from, err);
}

int delta_stream_range(DeltaTable *table, const DeltaOffset *from, const DeltaOffset *to, const DeltaStreamOptions *options, Arena *arena,
                       DeltaStreamBatch *out, SiltErr *err)
{
    struct taking t = {
        .table = table,
        .options = options,
        .arena = arena,
        .batch = out,
        .files_max = INT64_MAX,
        .bytes_max = INT64_MAX,
        .until = to,
    };
    *out = (DeltaStreamBatch){0};
    int r = take_batch(&t, from, err);
    if (r)
        return r;
    out->end = *to;
    return 0;
}
