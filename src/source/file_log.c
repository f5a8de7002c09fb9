/*
 * source/file_log.c - see file_log.h
 *
 *   L1  Batch N is in N, or, if N + 1 is a multiple of the interval, in N.compact with all before it.
 *   L2  Batches are numbered without holes; a batch, once it is there, never changes.
 *   L3  The set in memory holds every path of the log and of the skipped ones.
 */
#include "source/file_log.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

enum { COMPACT_INTERVAL = 10 };
enum { KEEP_PLAIN_US = 10 * 60 * 1000000 /* as Spark: a reader may still be at it */ };

struct FileLog {
    Io *io;
    Arena *arena;
    const char *directory;
    int64_t latest;
    LogFile *files; /* of all batches, in order */
    int count, capacity;
    int *slots; /* hash of URIs: index + 1 into names */
    int slot_count;
    const char **names;
    int name_count, name_capacity;
    bool has_skipped;
    bool stale; /* a write failed: what is on the disk is known only after reading it again */
};

static uint32_t hash_text(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h ^ h >> 15;
}

static int *find_slot(const FileLog *log, const char *uri)
{
    uint32_t mask = (uint32_t)log->slot_count - 1;
    uint32_t slot = hash_text(uri) & mask;
    while (log->slots[slot] && strcmp(log->names[log->slots[slot] - 1], uri) != 0)
        slot = (slot + 1) & mask;
    return &log->slots[slot];
}

static void remember(FileLog *log, const char *uri)
{
    if ((log->name_count + 1) * 2 > log->slot_count) {
        log->slot_count = log->slot_count ? log->slot_count * 2 : 256;
        free(log->slots);
        log->slots = silt_alloc(sizeof *log->slots * (size_t)log->slot_count);
        for (int i = 0; i < log->name_count; i++)
            *find_slot(log, log->names[i]) = i + 1;
    }
    int *slot = find_slot(log, uri);
    if (*slot)
        return;
    ARENA_PUSH(log->arena, log->names, log->name_count, log->name_capacity, uri);
    *slot = log->name_count;
}

static const char *batch_path(const FileLog *log, Arena *arena, int64_t batch, bool compact)
{
    return arena_printf(arena, "%s/%lld%s", log->directory, (long long)batch, compact ? ".compact" : "");
}

static bool is_compact_batch(int64_t batch)
{
    return (batch + 1) % COMPACT_INTERVAL == 0;
}

static void put_entry(StrBuf *out, const LogFile *file)
{
    str_buf_puts(out, "\n{\"path\":");
    json_put_str(out, str_of(file->uri));
    str_buf_printf(out, ",\"timestamp\":%lld,\"batchId\":%lld}", (long long)file->timestamp_ms, (long long)file->batch);
}

/* One log file: its entries go to the log (batch < 0: skipped files). */
static int read_entries(FileLog *log, const char *path, int64_t batch, SiltErr *err)
{
    Str text;
    silt_auto(arena_freep) Arena *arena = arena_new();
    int r = io_read(log->io, path, arena, &text, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" is missing from the file log", path);
    SILT_TRY(r);
    if (text.size == 0) { /* a power cut under a writer that does not sync, as Spark; to skip it would be to read its files again */
        silt_fail(err, SILT_CORRUPT, "\"%s\" is empty, so the files of its batch are not known", path);
        return silt_hint(err, "Put it back from a backup, or start over with --full-refresh.");
    }
    const char *p = text.ptr, *end = p + text.size;
    for (int line = 1; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        Str row = {p, (size_t)((stop ? stop : end) - p)};
        p = stop ? stop + 1 : end;
        row = str_trim(row);
        if (line == 1) {
            if (!str_is(row, "v1"))
                return silt_fail(err, SILT_CORRUPT, "\"%s\" is of another version: \"v1\" was expected, found \"%.*s\"", path,
                                 (int)(row.size < 40 ? row.size : 40), row.ptr);
            continue;
        }
        if (row.size == 0)
            continue;
        const Json *json;
        if (json_parse(arena, row, &json, err) < 0 || json_get(json, "path") == NULL) {
            silt_fail(err, SILT_CORRUPT, "line %d of \"%s\" is no file of a file log", line, path);
            return -1;
        }
        LogFile file = {.uri = arena_strdup(log->arena, json_cstr(json_get(json, "path"), "")),
                        .timestamp_ms = json_int(json_get(json, "timestamp"), 0),
                        .batch = json_int(json_get(json, "batchId"), batch)};
        if (batch >= 0)
            ARENA_PUSH(log->arena, log->files, log->count, log->capacity, file);
        remember(log, file.uri);
    }
    return 0;
}

/* Read all of it, from nothing. */
static int load(FileLog *log, SiltErr *err)
{
    arena_free(log->arena);
    free(log->slots);
    *log = (FileLog){.io = log->io, .directory = log->directory, .arena = arena_new(), .latest = -1, .stale = true};
    silt_auto(arena_freep) Arena *scratch = arena_new();
    IoList list = {0};
    int r = io_list(log->io, log->directory, scratch, &list, err);
    if (r < 0)
        return r;
    int64_t compact = -1;
    for (int i = 0; i < list.count; i++) {
        const char *name = list.entries[i].name;
        Str number = str_of(name);
        bool is_compact = str_ends(number, ".compact");
        if (is_compact)
            number.size -= 8;
        int64_t batch;
        if (strcmp(name, "skipped") == 0)
            log->has_skipped = true;
        if (!str_to_int64(number, &batch) || batch < 0)
            continue; /* not ours, nor Spark's */
        if (batch > log->latest)
            log->latest = batch;
        if (is_compact && batch > compact)
            compact = batch;
    }
    if (compact >= 0)
        SILT_TRY(read_entries(log, batch_path(log, scratch, compact, true), compact, err));
    for (int64_t batch = compact + 1; batch <= log->latest; batch++)
        SILT_TRY(read_entries(log, batch_path(log, scratch, batch, false), batch, err));
    if (log->has_skipped)
        SILT_TRY(read_entries(log, arena_printf(scratch, "%s/skipped", log->directory), -1, err));
    log->stale = false;
    return 0;
}

int file_log_open(Io *io, const char *directory, FileLog **out, SiltErr *err)
{
    FileLog *log = silt_alloc(sizeof *log);
    *log = (FileLog){.io = io, .directory = silt_strdup(directory)};
    int r = load(log, err);
    if (r < 0) {
        file_log_close(log);
        return r;
    }
    *out = log;
    return 0;
}

void file_log_close(FileLog *log)
{
    if (!log)
        return;
    free(log->slots);
    arena_free(log->arena);
    free((char *)log->directory);
    free(log);
}

int file_log_settle(FileLog *log, SiltErr *err)
{
    return log->stale ? load(log, err) : 0;
}

int64_t file_log_latest(const FileLog *log)
{
    return log->latest;
}

bool file_log_has(const FileLog *log, const char *uri)
{
    return log->slot_count && *find_slot(log, uri);
}

int64_t file_log_count(const FileLog *log)
{
    return log->name_count;
}

/* Plain files before the last compact one are of no use to anyone; as Spark, they stay for ten minutes. */
static int delete_expired(FileLog *log, int64_t compact, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    IoList list;
    int r = io_list(log->io, log->directory, arena, &list, err);
    if (r != 0)
        return r < 0 ? r : 0;
    int64_t now = io_now_us(log->io);
    for (int i = 0; i < list.count; i++) {
        Str number = str_of(list.entries[i].name);
        if (str_ends(number, ".compact"))
            number.size -= 8;
        int64_t batch;
        if (str_to_int64(number, &batch) && batch <= compact - COMPACT_INTERVAL && list.entries[i].stat.modified_us < now - KEEP_PLAIN_US)
            SILT_TRY(io_delete(log->io, arena_printf(arena, "%s/%s", log->directory, list.entries[i].name), err));
    }
    return 0;
}

int file_log_add(FileLog *log, const LogFile *files, int count, SiltErr *err)
{
    silt_assert(!log->stale); /* what to add was chosen by what is there */
    int64_t batch = log->latest + 1;
    bool compact = is_compact_batch(batch);
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    str_buf_puts(&text, "v1");
    for (int i = 0; compact && i < log->count; i++)
        put_entry(&text, &log->files[i]);
    for (int i = 0; i < count; i++) {
        LogFile file = files[i];
        file.batch = batch;
        put_entry(&text, &file);
    }
    log->stale = true;
    int r = io_put_if_absent(log->io, batch_path(log, arena, batch, compact), str_buf_view(&text), err);
    if (r == IO_EXISTS) /* an earlier try that was told to have failed: it stands */
        return load(log, err);
    SILT_TRY(r);
    log->stale = false;
    log->latest = batch;
    for (int i = 0; i < count; i++) {
        LogFile file = {arena_strdup(log->arena, files[i].uri), files[i].timestamp_ms, batch};
        ARENA_PUSH(log->arena, log->files, log->count, log->capacity, file);
        remember(log, file.uri);
    }
    return compact ? delete_expired(log, batch, err) : 0;
}

int file_log_range(FileLog *log, int64_t start, int64_t end, Arena *arena, LogFile **files, int *count, SiltErr *err)
{
    if (end > log->latest)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" ends at batch %lld, but the checkpoint's offset is %lld", log->directory,
                         (long long)log->latest, (long long)end);
    int capacity = 0;
    *files = NULL;
    *count = 0;
    for (int i = 0; i < log->count; i++)
        if (log->files[i].batch > start && log->files[i].batch <= end)
            ARENA_PUSH(arena, *files, *count, capacity, log->files[i]);
    return 0;
}

bool file_log_has_skipped(const FileLog *log)
{
    return log->has_skipped;
}

int file_log_skip(FileLog *log, const LogFile *files, int count, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    str_buf_puts(&text, "v1");
    for (int i = 0; i < count; i++)
        put_entry(&text, &files[i]);
    SILT_TRY(io_put(log->io, arena_printf(arena, "%s/skipped", log->directory), str_buf_view(&text), err));
    for (int i = 0; i < count; i++)
        remember(log, arena_strdup(log->arena, files[i].uri));
    log->has_skipped = true;
    return 0;
}
