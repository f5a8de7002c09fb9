/*
 * source/file_log.c - see file_log.h
 *
 *   L1  Batch N is in N, in N.silt, or in M.compact for an M >= N.
 *   L2  Batches are numbered without holes; a batch, once it is there, never changes.
 *   L3  The set in memory holds every file of the log and of the skipped ones.
 *   L4  N.compact is written only when all batches up to N are durable, and holds all of them.
 */
#include "source/file_log.h"

#include "base/json.h"
#include "source/seen_set.h"

#include <stdlib.h>
#include <string.h>

enum { COMPACT_INTERVAL = 10, SPARK_FILES_MAX = 10000, READ_SIZE = 256 * 1024 };
enum { KEEP_PLAIN_US = 10 * 60 * 1000000 /* as Spark: a reader may still be at it */ };

struct FileLog {
    Io *io;
    const char *directory;
    FileLogOptions o;
    int64_t latest, compact; /* compact: the last N.compact; -1: none */
    SeenSet seen;
    int64_t newest_ms;
    Arena *last_arena;
    LogFile *last; /* of batch `latest` when it was added here; last_count < 0: not known */
    int last_count;
    bool has_skipped;
    bool stale; /* a write failed: what is on the disk is known only after reading it again */
};

static const char *batch_path(const FileLog *log, Arena *arena, int64_t batch, const char *suffix)
{
    return arena_printf(arena, "%s/%lld%s", log->directory, (long long)batch, suffix);
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

/* ---- reading ---- */

/* What is done with each entry. uri is borrowed. */
typedef struct EntrySink {
    void *self;
    void (*take)(void *self, Str uri, int64_t timestamp_ms, int64_t batch);
} EntrySink;

static bool skip_text(Str *row, const char *text)
{
    size_t size = strlen(text);
    if (row->size < size || memcmp(row->ptr, text, size) != 0)
        return false;
    *row = (Str){row->ptr + size, row->size - size};
    return true;
}

static bool take_number(Str *row, int64_t *out)
{
    size_t size = 0;
    while (size < row->size && ((row->ptr[size] >= '0' && row->ptr[size] <= '9') || (size == 0 && row->ptr[size] == '-')))
        size++;
    if (!str_to_int64((Str){row->ptr, size}, out))
        return false;
    *row = (Str){row->ptr + size, row->size - size};
    return true;
}

/* An entry as Spark and Silt write it, without escapes: in a tenth of the time of a parser. */
static bool plain_entry(Str row, Str *uri, int64_t *timestamp_ms, int64_t *batch)
{
    if (!skip_text(&row, "{\"path\":\""))
        return false;
    const char *end = memchr(row.ptr, '"', row.size);
    if (!end || memchr(row.ptr, '\\', (size_t)(end - row.ptr)))
        return false;
    *uri = (Str){row.ptr, (size_t)(end - row.ptr)};
    row = (Str){end, row.size - uri->size};
    return skip_text(&row, "\",\"timestamp\":") && take_number(&row, timestamp_ms) && skip_text(&row, ",\"batchId\":") && take_number(&row, batch) &&
           str_is(row, "}");
}

static int take_line(const FileLog *log, const char *path, int64_t line, Str row, int64_t batch, const EntrySink *sink, SiltErr *err)
{
    Str uri;
    int64_t timestamp_ms, of_batch;
    (void)log;
    row = str_trim(row);
    if (line == 1)
        return str_is(row, "v1") ? 0
                                 : silt_fail(err, SILT_CORRUPT, "\"%s\" is of another version: \"v1\" was expected, found \"%.*s\"", path,
                                             (int)(row.size < 40 ? row.size : 40), row.ptr);
    if (row.size == 0)
        return 0;
    if (plain_entry(row, &uri, &timestamp_ms, &of_batch)) {
        sink->take(sink->self, uri, timestamp_ms, of_batch);
        return 0;
    }
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Json *json;
    SiltErr inner;
    if (json_parse(arena, row, &json, &inner) < 0 || json_kind(json_get(json, "path")) != JSON_STRING)
        return silt_fail(err, SILT_CORRUPT, "line %lld of \"%s\" is no entry of a file log", (long long)line, path);
    sink->take(sink->self, json_str(json_get(json, "path"), ""), json_int(json_get(json, "timestamp"), 0), json_int(json_get(json, "batchId"), batch));
    return 0;
}

/* All entries of one log file, in pieces: it may be longer than memory should be. 0, IO_ABSENT, < 0. */
static int read_entries(const FileLog *log, const char *path, int64_t batch, const EntrySink *sink, SiltErr *err)
{
    silt_auto(io_file_closep) IoFile *file = NULL;
    silt_auto(str_buf_fini) StrBuf text = {0};
    int64_t offset = 0, line = 1;
    int r = io_open(log->io, path, &file, err);
    if (r != 0)
        return r;
    for (bool end = false; !end;) {
        size_t got;
        str_buf_reserve(&text, READ_SIZE + 1);
        SILT_TRY(io_file_read(file, offset, text.ptr + text.size, READ_SIZE, &got, err));
        text.size += got;
        offset += (int64_t)got;
        end = got < READ_SIZE;
        if (end && offset == 0) { /* a power cut under a writer that does not sync, as Spark; to skip it would be to read its files again */
            silt_fail(err, SILT_CORRUPT, "\"%s\" is empty, so the files of its batch are not known", path);
            return silt_hint(err, "Put it back from a backup, or start over with --full-refresh.");
        }
        const char *p = text.ptr, *stop = text.ptr + text.size;
        for (const char *feed; p < stop && ((feed = memchr(p, '\n', (size_t)(stop - p))) != NULL || end); line++) {
            const char *behind = feed ? feed : stop;
            SILT_TRY(take_line(log, path, line, (Str){p, (size_t)(behind - p)}, batch, sink, err));
            p = feed ? feed + 1 : stop;
        }
        text.size = (size_t)(stop - p);
        memmove(text.ptr, p, text.size);
    }
    return 0;
}

static void remember(void *self, Str uri, int64_t timestamp_ms, int64_t batch)
{
    FileLog *log = self;
    (void)batch;
    seen_set_add(&log->seen, uri, log->o.by_time ? timestamp_ms : 0);
    if (timestamp_ms > log->newest_ms)
        log->newest_ms = timestamp_ms;
}

/* The file of one batch that is behind the last compact one. */
static int read_batch(const FileLog *log, Arena *scratch, int64_t batch, const EntrySink *sink, SiltErr *err)
{
    const char *path = batch_path(log, scratch, batch, "");
    int r = read_entries(log, path, batch, sink, err);
    if (r == IO_ABSENT)
        r = read_entries(log, batch_path(log, scratch, batch, ".silt"), batch, sink, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" is missing from the file log", path);
    return r;
}

/* Read all of it, from nothing. */
static int load(FileLog *log, SiltErr *err)
{
    seen_set_fini(&log->seen);
    log->latest = log->compact = -1;
    log->newest_ms = INT64_MIN;
    log->last_count = -1;
    log->has_skipped = false;
    log->stale = true;
    silt_auto(arena_freep) Arena *scratch = arena_new();
    IoList list = {0};
    int r = io_list(log->io, log->directory, scratch, &list, err);
    if (r < 0)
        return r;
    for (int i = 0; i < list.count; i++) {
        Str number = str_of(list.entries[i].name);
        bool is_compact = str_ends(number, ".compact"), is_own = str_ends(number, ".silt");
        number.size -= is_compact ? 8 : is_own ? 5 : 0;
        int64_t batch;
        if (str_is(number, "skipped"))
            log->has_skipped = true;
        if (!str_to_int64(number, &batch) || batch < 0)
            continue; /* not ours, nor Spark's */
        if (batch > log->latest)
            log->latest = batch;
        if (is_compact && batch > log->compact)
            log->compact = batch;
    }
    EntrySink all = {log, remember};
    if (log->compact >= 0)
        SILT_TRY(read_entries(log, batch_path(log, scratch, log->compact, ".compact"), log->compact, &all, err));
    for (int64_t batch = log->compact + 1; batch <= log->latest; batch++)
        SILT_TRY(read_batch(log, scratch, batch, &all, err));
    if (log->has_skipped)
        SILT_TRY(read_entries(log, arena_printf(scratch, "%s/skipped", log->directory), -1, &all, err));
    log->stale = false;
    return 0;
}

int file_log_open(Io *io, const char *directory, const FileLogOptions *options, FileLog **out, SiltErr *err)
{
    FileLog *log = silt_alloc(sizeof *log);
    *log = (FileLog){.io = io, .directory = silt_strdup(directory), .o = *options, .last_arena = arena_new()};
    if (!log->o.spark_files_max)
        log->o.spark_files_max = SPARK_FILES_MAX;
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
    seen_set_fini(&log->seen);
    arena_free(log->last_arena);
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

bool file_log_has(const FileLog *log, const char *uri, int64_t timestamp_ms)
{
    return seen_set_has(&log->seen, str_of(uri), log->o.by_time ? timestamp_ms : 0);
}

int64_t file_log_count(const FileLog *log)
{
    return (int64_t)log->seen.count;
}

int64_t file_log_newest_ms(const FileLog *log)
{
    return log->newest_ms;
}

size_t file_log_bytes(const FileLog *log)
{
    return seen_set_bytes(&log->seen);
}

/* ---- ranges ---- */

typedef struct Range {
    int64_t first, last;
    Arena *arena;
    LogFile *files;
    int count, capacity;
} Range;

static void take_ranged(void *self, Str uri, int64_t timestamp_ms, int64_t batch)
{
    Range *range = self;
    if (batch < range->first || batch > range->last)
        return;
    LogFile file = {arena_strndup(range->arena, uri.ptr, uri.size), timestamp_ms, batch};
    ARENA_PUSH(range->arena, range->files, range->count, range->capacity, file);
}

int file_log_range(FileLog *log, int64_t start, int64_t end, Arena *arena, LogFile **files, int *count, SiltErr *err)
{
    if (end > log->latest)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" ends at batch %lld, but the checkpoint's offset is %lld", log->directory,
                         (long long)log->latest, (long long)end);
    silt_auto(arena_freep) Arena *scratch = arena_new();
    Range range = {.first = start + 1, .last = end, .arena = arena};
    EntrySink sink = {&range, take_ranged};
    int64_t batch = start + 1;
    if (batch <= log->compact && batch <= end) { /* one look into the compact file has all that is in it */
        int r = IO_ABSENT;
        if (batch == end) /* but a single batch may still be there by itself */
            r = read_entries(log, batch_path(log, scratch, batch, ""), batch, &sink, err);
        if (r == IO_ABSENT)
            r = read_entries(log, batch_path(log, scratch, log->compact, ".compact"), log->compact, &sink, err);
        if (r == IO_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "\"%s/%lld.compact\" is missing from the file log", log->directory, (long long)log->compact);
        SILT_TRY(r);
        batch = log->compact + 1;
    }
    for (; batch <= end; batch++) {
        if (batch == log->latest && log->last_count >= 0) {
            for (int i = 0; i < log->last_count; i++)
                take_ranged(&range, str_of(log->last[i].uri), log->last[i].timestamp_ms, batch);
            continue;
        }
        SILT_TRY(read_batch(log, scratch, batch, &sink, err));
    }
    *files = range.files;
    *count = range.count;
    return 0;
}

/* ---- writing ---- */

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
        bool is_own = str_ends(number, ".silt");
        if (str_ends(number, ".compact"))
            number.size -= 8;
        else if (is_own)
            number.size -= 5;
        int64_t batch;
        if (str_to_int64(number, &batch) && batch <= (is_own ? compact : compact - COMPACT_INTERVAL) &&
            list.entries[i].stat.modified_us < now - KEEP_PLAIN_US)
            SILT_TRY(io_delete(log->io, arena_printf(arena, "%s/%s", log->directory, list.entries[i].name), err));
    }
    return 0;
}

static void take_text(void *self, Str uri, int64_t timestamp_ms, int64_t batch)
{
    StrBuf *out = self;
    str_buf_puts(out, "\n{\"path\":");
    json_put_str(out, uri);
    str_buf_printf(out, ",\"timestamp\":%lld,\"batchId\":%lld}", (long long)timestamp_ms, (long long)batch);
}

/* The entries of all batches up to `last`, as a compact file has them. */
static int put_all(FileLog *log, int64_t last, StrBuf *out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    EntrySink sink = {out, take_text};
    if (log->compact >= 0) {
        const char *path = batch_path(log, scratch, log->compact, ".compact");
        int r = read_entries(log, path, log->compact, &sink, err);
        if (r == IO_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "\"%s\" is missing from the file log", path);
        SILT_TRY(r);
    }
    for (int64_t batch = log->compact + 1; batch <= last; batch++)
        SILT_TRY(read_batch(log, scratch, batch, &sink, err));
    return 0;
}

int file_log_add(FileLog *log, const LogFile *files, int count, SiltErr *err)
{
    silt_assert(!log->stale); /* what to add was chosen by what is there */
    int64_t batch = log->latest + 1;
    bool due = is_compact_batch(batch), compact = due && (int64_t)log->seen.count + count <= log->o.spark_files_max;
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    str_buf_puts(&text, "v1");
    if (compact)
        SILT_TRY(put_all(log, log->latest, &text, err));
    for (int i = 0; i < count; i++) {
        LogFile file = files[i];
        file.batch = batch;
        put_entry(&text, &file);
    }
    log->stale = true;
    int r = io_put_if_absent(log->io, batch_path(log, arena, batch, compact ? ".compact" : due ? ".silt" : ""), str_buf_view(&text), err);
    if (r == IO_EXISTS) /* an earlier try that was told to have failed: it stands */
        return load(log, err);
    SILT_TRY(r);
    log->stale = false;
    log->latest = batch;
    arena_reset(log->last_arena);
    log->last = ARENA_ARRAY(log->last_arena, LogFile, count + 1);
    log->last_count = count;
    for (int i = 0; i < count; i++) {
        log->last[i] = (LogFile){arena_strdup(log->last_arena, files[i].uri), files[i].timestamp_ms, batch};
        remember(log, str_of(files[i].uri), files[i].timestamp_ms, batch);
    }
    if (!compact)
        return 0;
    log->compact = batch;
    return delete_expired(log, batch, err);
}

int file_log_finish(FileLog *log, SiltErr *err)
{
    int64_t due = (log->latest + 1) / COMPACT_INTERVAL * COMPACT_INTERVAL - 1;
    if (log->stale || due <= log->compact)
        return 0;
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    str_buf_puts(&text, "v1");
    SILT_TRY(put_all(log, due, &text, err)); /* L4 */
    int r = io_put_if_absent(log->io, batch_path(log, arena, due, ".compact"), str_buf_view(&text), err);
    if (r < 0)
        return r;
    log->compact = due;
    return delete_expired(log, due, err);
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
        remember(log, str_of(files[i].uri), files[i].timestamp_ms, -1);
    log->has_skipped = true;
    return 0;
}
