/*
 * flow/checkpoint.c - reading and writing Spark's checkpoint files
 *
 * No file ends with a newline. offsets/N:
 *
 *   v1
 *   {"batchWatermarkMs":0,"batchTimestampMs":1795967691717,"conf":{15 settings}}
 *   {"logOffset":2}          one line per source, or "-"
 *
 * The settings are pinned by the first batch and carried along: they win over the session's, as in Spark. Files that Spark or a
 * person wrote are read with blanks, unknown keys, or a final newline; settings they lack get Spark's old defaults, as Spark does.
 */
#include "flow/checkpoint.h"
#include "base/json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Checkpoint {
    Io *io;
    Arena *arena;
    const char *root, *path;
    int64_t number;
    char id[129]; /* "" : absent */
    int64_t last_offsets, last_commit;
    int64_t oldest; /* batches below are known to be gone; -1: not looked yet */
};

struct setting {
    const char *key;
    const char *value; /* of a new checkpoint */
    const char *old;   /* of a checkpoint that lacks the key */
};

static const struct setting settings_table[CHECKPOINT_SETTINGS] = {
    {"spark.sql.streaming.stateStore.providerClass", "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
     "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"},
    {"spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion", "2", "1"},
    {"spark.sql.streaming.stateStore.rocksdb.formatVersion", "5", "5"},
    {"spark.sql.streaming.queryEvolution.enableSourceEvolution", "false", "false"},
    {"spark.sql.streaming.stateStore.encodingFormat", "unsaferow", "unsaferow"},
    {"spark.sql.streaming.statefulOperator.useStrictDistribution", "true", "false"},
    {"spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion", "2", "1"},
    {"spark.sql.streaming.multipleWatermarkPolicy", "min", "min"},
    {"spark.sql.streaming.stateStore.rowChecksum.enabled", "false", "false"},
    {"spark.sql.streaming.aggregation.stateFormatVersion", "2", "1"},
    {"spark.sql.function.protobufExtensions.enabled", "false", "false"},
    {"spark.sql.shuffle.partitions", "200", "200"},
    {"spark.sql.streaming.join.stateFormatVersion", "2", "1"},
    {"spark.sql.streaming.stateStore.compression.codec", "lz4", "lz4"},
    {"spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", "false", "false"},
};

void checkpoint_settings(const Conf *conf, const char *settings[CHECKPOINT_SETTINGS])
{
    for (int i = 0; i < CHECKPOINT_SETTINGS; i++) {
        const char *given = conf_get(conf, settings_table[i].key);
        settings[i] = given ? given : settings_table[i].value;
    }
}

/* ---- texts ---- */

void checkpoint_print_offsets(StrBuf *out, const CheckpointOffsets *offsets)
{
    JsonWriter w = {.out = out};

    str_buf_puts(out, "v1\n");
    json_object(&w);
    json_member_int(&w, "batchWatermarkMs", offsets->batch_watermark_ms);
    json_member_int(&w, "batchTimestampMs", offsets->batch_timestamp_ms);
    json_key(&w, "conf");
    json_object(&w);
    for (int i = 0; i < CHECKPOINT_SETTINGS; i++)
        json_member(&w, settings_table[i].key, offsets->settings[i]);
    json_object_end(&w);
    json_object_end(&w);
    for (int i = 0; i < offsets->source_count; i++) {
        str_buf_putc(out, '\n');
        str_buf_puts(out, offsets->offsets[i] ? offsets->offsets[i] : "-");
    }
}

void checkpoint_print_commit(StrBuf *out, int64_t next_watermark_ms)
{
    str_buf_printf(out, "v1\n{\"nextBatchWatermarkMs\":%lld}", (long long)next_watermark_ms);
}

static bool next_line(Str *text, Str *line)
{
    if (!text->size)
        return false;
    const char *end = memchr(text->ptr, '\n', text->size);
    size_t size = end ? (size_t)(end - text->ptr) : text->size;
    *line = str_trim((Str){text->ptr, size});
    size += end != NULL;
    *text = (Str){text->ptr + size, text->size - size};
    return true;
}

int checkpoint_parse_offsets(Arena *arena, Str text, CheckpointOffsets *out, SiltErr *err)
{
    const Json *head;
    Str line;
    int capacity = 0;

    *out = (CheckpointOffsets){0};
    if (text.size && memchr(text.ptr, 0, text.size)) /* blocks that a power cut left unwritten */
        return silt_fail(err, SILT_CORRUPT, "it holds zero bytes");
    if (!next_line(&text, &line) || !line.size)
        return silt_fail(err, SILT_CORRUPT, "it is empty");
    if (!str_is(line, "v1"))
        return silt_fail(err, SILT_CORRUPT, "version \"%.*s\" instead of \"v1\"", (int)(line.size < 20 ? line.size : 20), line.ptr);
    if (!next_line(&text, &line) || json_parse(arena, line, &head, err) < 0 || json_kind(head) != JSON_OBJECT)
        return silt_fail(err, SILT_CORRUPT, "the line after \"v1\" is no JSON object");
    out->batch_watermark_ms = json_int(json_get(head, "batchWatermarkMs"), 0);
    out->batch_timestamp_ms = json_int(json_get(head, "batchTimestampMs"), 0);
    for (int i = 0; i < CHECKPOINT_SETTINGS; i++)
        out->settings[i] = json_cstr(json_get(json_get(head, "conf"), settings_table[i].key), settings_table[i].old);
    while (next_line(&text, &line)) {
        if (!line.size)
            continue; /* a final newline */
        const char *offset = str_is(line, "-") ? NULL : arena_strndup(arena, line.ptr, line.size);
        ARENA_PUSH(arena, out->offsets, out->source_count, capacity, offset);
    }
    return 0;
}

/* ---- opening ---- */

static bool batch_number(const char *name, int64_t *number)
{
    if (!*name || strspn(name, "0123456789") != strlen(name))
        return false;
    return str_to_int64(str_of(name), number);
}

/* Highest and lowest number among the entries of a directory; -1, -1 when it is absent or has none. */
static int number_range(Io *io, const char *directory, bool directories, int64_t *lowest, int64_t *highest, SiltErr *err)
{
    Arena *arena = arena_new();
    IoList list = {0};
    int64_t number;
    int r = io_list(io, directory, arena, &list, err);

    *lowest = *highest = -1;
    for (int i = 0; r == 0 && i < list.count; i++) {
        if (list.entries[i].stat.is_directory != directories || !batch_number(list.entries[i].name, &number))
            continue;
        if (number > *highest)
            *highest = number;
        if (*lowest < 0 || number < *lowest)
            *lowest = number;
    }
    arena_free(arena);
    return r < 0 ? r : 0;
}

int checkpoint_newest(Io *io, const char *root, int64_t *number, SiltErr *err)
{
    int64_t lowest;
    return number_range(io, root, true, &lowest, number, err);
}

static const char *file_path(Arena *arena, const Checkpoint *checkpoint, const char *folder, int64_t batch)
{
    return arena_printf(arena, "%s/%s/%lld", checkpoint->path, folder, (long long)batch);
}

static int read_metadata(Checkpoint *checkpoint, SiltErr *err)
{
    const char *path = arena_printf(checkpoint->arena, "%s/metadata", checkpoint->path);
    const Json *json;
    Str text;
    int r = io_read(checkpoint->io, path, checkpoint->arena, &text, err);

    if (r < 0 || r == IO_ABSENT)
        return r < 0 ? r : 0;
    if (json_parse(checkpoint->arena, str_trim(text), &json, err) < 0 || json_kind(json_get(json, "id")) != JSON_STRING)
        return silt_fail(err, SILT_CORRUPT, "could not read \"%s\": it holds no query id", path);
    snprintf(checkpoint->id, sizeof checkpoint->id, "%s", json_cstr(json_get(json, "id"), ""));
    return 0;
}

int checkpoint_open(Io *io, const char *root, Checkpoint **out, SiltErr *err)
{
    silt_auto(checkpoint_freep) Checkpoint *checkpoint = silt_alloc(sizeof *checkpoint);
    int64_t lowest;

    checkpoint->io = io;
    checkpoint->arena = arena_new();
    checkpoint->root = arena_strdup(checkpoint->arena, root);
    checkpoint->last_offsets = checkpoint->last_commit = checkpoint->oldest = -1;
    SILT_TRY(checkpoint_newest(io, root, &checkpoint->number, err));
    bool made = checkpoint->number >= 0;
    if (!made)
        checkpoint->number = 0;
    checkpoint->path = arena_printf(checkpoint->arena, "%s/%lld", root, (long long)checkpoint->number);
    if (made) {
        SILT_TRY(read_metadata(checkpoint, err));
        const char *offsets = arena_printf(checkpoint->arena, "%s/offsets", checkpoint->path);
        const char *commits = arena_printf(checkpoint->arena, "%s/commits", checkpoint->path);
        SILT_TRY(number_range(io, offsets, false, &checkpoint->oldest, &checkpoint->last_offsets, err));
        SILT_TRY(number_range(io, commits, false, &lowest, &checkpoint->last_commit, err));
        if (!checkpoint->id[0] && (checkpoint->last_offsets >= 0 || checkpoint->last_commit >= 0)) {
            silt_fail(err, SILT_CORRUPT, "checkpoint \"%s\" has offsets or commits but no metadata", checkpoint->path);
            silt_code(err, "STREAMING_CHECKPOINT_MISSING_METADATA_FILE");
            return silt_hint(err, "Put the file `metadata` back, or build the checkpoint again from the table's log with `silt recover`.");
        }
        if (checkpoint->last_commit > checkpoint->last_offsets)
            return silt_fail(err, SILT_CORRUPT, "checkpoint \"%s\" has commits/%lld but no offsets/%lld", checkpoint->path,
                             (long long)checkpoint->last_commit, (long long)checkpoint->last_commit);
    }
    *out = checkpoint;
    checkpoint = NULL;
    return 0;
}

void checkpoint_free(Checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    arena_free(checkpoint->arena);
    free(checkpoint);
}

void checkpoint_freep(Checkpoint **checkpoint)
{
    checkpoint_free(*checkpoint);
}

bool checkpoint_exists(const Checkpoint *checkpoint)
{
    return checkpoint->id[0] != 0;
}

const char *checkpoint_id(const Checkpoint *checkpoint)
{
    return checkpoint->id[0] ? checkpoint->id : NULL;
}

int64_t checkpoint_number(const Checkpoint *checkpoint)
{
    return checkpoint->number;
}

const char *checkpoint_path(const Checkpoint *checkpoint)
{
    return checkpoint->path;
}

int64_t checkpoint_last_offsets(const Checkpoint *checkpoint)
{
    return checkpoint->last_offsets;
}

int64_t checkpoint_last_commit(const Checkpoint *checkpoint)
{
    return checkpoint->last_commit;
}

/* ---- writing ---- */

int checkpoint_put_id(Io *io, const char *root, int64_t number, const char *id, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0}, path = {0};
    JsonWriter w = {.out = &text};

    json_object(&w);
    json_member(&w, "id", id);
    json_object_end(&w);
    str_buf_printf(&path, "%s/%lld/metadata", root, (long long)number);
    int r = io_put_if_absent(io, str_buf_text(&path), str_buf_view(&text), err);
    if (r == IO_EXISTS) /* made before, perhaps not durably */
        r = io_sync(io, str_buf_text(&path), err);
    return r < 0 ? r : 0;
}

int checkpoint_create_at(Io *io, const char *root, int64_t number, SiltErr *err)
{
    char id[37];

    io_uuid(io, id);
    return checkpoint_put_id(io, root, number, id, err);
}

Checkpoint *checkpoint_rebuild(Io *io, const char *root, int64_t number, int64_t first)
{
    Checkpoint *checkpoint = silt_alloc(sizeof *checkpoint);

    checkpoint->io = io;
    checkpoint->arena = arena_new();
    checkpoint->root = arena_strdup(checkpoint->arena, root);
    checkpoint->number = number;
    checkpoint->path = arena_printf(checkpoint->arena, "%s/%lld", root, (long long)number);
    checkpoint->last_offsets = checkpoint->last_commit = first - 1;
    checkpoint->oldest = -1;
    return checkpoint;
}

int checkpoint_create(Checkpoint *checkpoint, SiltErr *err)
{
    if (checkpoint_exists(checkpoint))
        return 0;
    SILT_TRY(checkpoint_create_at(checkpoint->io, checkpoint->root, checkpoint->number, err));
    SILT_TRY(read_metadata(checkpoint, err));
    if (!checkpoint_exists(checkpoint))
        return silt_fail(err, SILT_TRANSIENT, "could not read back the metadata of checkpoint \"%s\"", checkpoint->path);
    return 0;
}

int checkpoint_read_offsets(Checkpoint *checkpoint, int64_t batch, Arena *arena, CheckpointOffsets *out, SiltErr *err)
{
    const char *path = file_path(arena, checkpoint, "offsets", batch);
    Str text;
    int r = io_read(checkpoint->io, path, arena, &text, err);

    if (r == IO_ABSENT)
        return CHECKPOINT_ABSENT;
    SILT_TRY(r);
    if (checkpoint_parse_offsets(arena, text, out, err) < 0)
        return silt_context(err, "could not read \"%s\": ", path);
    return 0;
}

int checkpoint_write_offsets(Checkpoint *checkpoint, int64_t batch, const CheckpointOffsets *offsets, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    Arena *arena = arena_new();

    silt_assert(batch == checkpoint->last_offsets + 1);        /* no gaps */
    silt_assert(batch == checkpoint->last_commit + 1);         /* C1 */
    checkpoint_print_offsets(&text, offsets);
    int r = io_put_if_absent(checkpoint->io, file_path(arena, checkpoint, "offsets", batch), str_buf_view(&text), err);
    if (r == IO_EXISTS)
        r = silt_fail(err, SILT_CORRUPT, "another program wrote offsets/%lld of checkpoint \"%s\" meanwhile", (long long)batch, checkpoint->path);
    if (r == 0) {
        checkpoint->last_offsets = batch;
        if (checkpoint->oldest < 0)
            checkpoint->oldest = batch;
    }
    arena_free(arena);
    return r;
}

int checkpoint_write_commit(Checkpoint *checkpoint, int64_t batch, int64_t next_watermark_ms, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    Arena *arena = arena_new();

    silt_assert(batch == checkpoint->last_offsets);
    checkpoint_print_commit(&text, next_watermark_ms);
    int r = io_put(checkpoint->io, file_path(arena, checkpoint, "commits", batch), str_buf_view(&text), err);
    if (r == 0)
        checkpoint->last_commit = batch;
    arena_free(arena);
    return r;
}

int checkpoint_trim(Checkpoint *checkpoint, int64_t keep, SiltErr *err)
{
    int64_t first = checkpoint->last_commit - (keep < 2 ? 2 : keep) + 1; /* the oldest to keep */
    Arena *arena;
    int r = 0;

    if (checkpoint->oldest < 0 || checkpoint->oldest >= first)
        return 0;
    arena = arena_new();
    for (int64_t batch = checkpoint->oldest; r == 0 && batch < first; batch++) {
        r = io_delete(checkpoint->io, file_path(arena, checkpoint, "offsets", batch), err);
        if (r == 0)
            r = io_delete(checkpoint->io, file_path(arena, checkpoint, "commits", batch), err);
        if (r == 0) /* left by Spark */
            r = io_delete(checkpoint->io, arena_printf(arena, "%s/offsets/.%lld.crc", checkpoint->path, (long long)batch), err);
        if (r == 0)
            r = io_delete(checkpoint->io, arena_printf(arena, "%s/commits/.%lld.crc", checkpoint->path, (long long)batch), err);
        if (r == 0)
            checkpoint->oldest = batch + 1;
    }
    arena_free(arena);
    return r;
}
