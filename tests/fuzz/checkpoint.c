/*
 * tests/fuzz/checkpoint.c - a checkpoint's folder as others may have left it: metadata, offsets, commits, file log, seen files
 *
 * Input: files of the folder, see fuzz_files. It opens, or says what is wrong. Offsets that can be read print as text that reads and prints the same.
 * Of a file log that opens each file is known, and it is so, with one more, after a batch was added and the log opened again.
 */
#include "flow/checkpoint.h"

#include "fuzz.h"
#include "io/memory.h"
#include "source/file_log.h"

enum { FILES_MAX = 40 };

typedef struct Put {
    Io *io;
    int count;
} Put;

static bool put_file(void *self, const char *name, Str content)
{
    Put *put = self;
    char path[256];
    snprintf(path, sizeof path, "/c/%s", name);
    io_put(put->io, path, content, NULL);
    return ++put->count < FILES_MAX;
}

static void is_told(const SiltErr *err)
{
    silt_assert(err->message[0] && (err->kind == SILT_CORRUPT || err->kind == SILT_CONFIG || err->kind == SILT_TRANSIENT));
}

static void check_offsets(Io *io, Arena *arena)
{
    silt_auto(checkpoint_freep) Checkpoint *checkpoint = NULL;
    silt_auto(str_buf_fini) StrBuf first = {0}, second = {0};
    CheckpointOffsets offsets;
    SiltErr err;
    if (checkpoint_open(io, "/c", &checkpoint, &err) < 0) {
        is_told(&err);
        return;
    }
    int64_t last = checkpoint_last_offsets(checkpoint);
    silt_assert(checkpoint_last_commit(checkpoint) <= last);
    if (last < 0)
        return;
    int r = checkpoint_read_offsets(checkpoint, last, arena, &offsets, &err);
    if (r != 0) {
        silt_assert(r == CHECKPOINT_ABSENT || r == -1);
        if (r < 0)
            is_told(&err);
        return;
    }
    checkpoint_print_offsets(&first, &offsets);
    int sources = offsets.source_count;
    silt_assert(checkpoint_parse_offsets(arena, str_buf_view(&first), &offsets, &err) == 0);
    silt_assert(offsets.source_count == sources);
    checkpoint_print_offsets(&second, &offsets);
    fuzz_same("offsets", str_buf_view(&first), str_buf_view(&second));
}

typedef struct Taken {
    Arena *arena;
    LogFile *files;
    int count, capacity;
} Taken;

static int take(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    Taken *taken = self;
    (void)err;
    if (uri.size && memchr(uri.ptr, 0, uri.size)) /* no URI of a file */
        return 0;
    LogFile file = {arena_str(taken->arena, uri).ptr, timestamp_ms, batch};
    ARENA_PUSH(taken->arena, taken->files, taken->count, taken->capacity, file);
    return 0;
}

static void all_known(FileLog *log, const Taken *taken, Arena *arena)
{
    bool *known = ARENA_ARRAY(arena, bool, taken->count + 1);
    SiltErr err;
    if (file_log_known(log, taken->files, taken->count, known, &err) < 0) {
        is_told(&err);
        return;
    }
    for (int i = 0; i < taken->count; i++)
        silt_assert(known[i]);
}

static void check_log(Io *io, Arena *arena, const FileLogOptions *options)
{
    static const LogFile added = {.uri = "file:///in/added.json", .timestamp_ms = 1};
    Taken taken = {.arena = arena};
    EntrySink sink = {&taken, take};
    FileLog *log, *again;
    SiltErr err;
    if (file_log_open(io, "/c/0/sources/0", options, &log, &err) < 0) {
        is_told(&err);
        return;
    }
    if (file_log_latest(log) > 100000) { /* more batches than can be read one by one */
        file_log_close(log);
        return;
    }
    int64_t latest = file_log_latest(log);
    if (file_log_each(log, file_log_has_skipped(log) ? -2 : -1, latest, &sink, &err) < 0) {
        is_told(&err);
        file_log_close(log);
        return;
    }
    all_known(log, &taken, arena);
    int64_t newest_ms = file_log_newest_ms(log);
    if (file_log_add(log, &added, 1, &err) < 0 || file_log_finish(log, &err) < 0 || file_log_export(log, &err) < 0) {
        is_told(&err);
        file_log_close(log);
        return;
    }
    silt_assert(file_log_latest(log) == latest + 1);
    silt_assert(file_log_is_sparks(log));
    file_log_close(log);
    if (file_log_open(io, "/c/0/sources/0", options, &again, &err) < 0) {
        fprintf(stderr, "opened again: %s\n", err.message);
        abort();
    }
    silt_assert(file_log_latest(again) == latest + 1);
    silt_assert(file_log_newest_ms(again) >= newest_ms);
    take(&taken, str_of(added.uri), added.timestamp_ms, latest + 1, &err);
    all_known(again, &taken, arena);
    file_log_close(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data, size};
    unsigned choice = (unsigned)fuzz_number(&rest, 1);
    FileLogOptions options = {.by_time = choice & 1, .spark_files_max = choice & 2 ? 2 : 0, .held_files_max = choice & 4 ? 2 : 0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    Put put = {.io = io_new_memory(NULL, 1)};
    fuzz_files(rest, put_file, &put);
    check_offsets(put.io, arena);
    check_log(put.io, arena, &options);
    io_free(put.io);
    return 0;
}
