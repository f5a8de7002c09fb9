/*
 * source/file_log.c - see file_log.h
 *
 *   L1  Batch N is in N, in N.silt, in a seen file whose range has it, or in M.compact for an M >= N.
 *   L2  Batches are numbered without holes; a batch, once it is there, never changes.
 *   L3  Every file of the log, and every skipped one, is in the chain of seen files or in the set in memory. The chain are those that join on to
 *       each other from batch -1 (the skipped ones) to `covered`; the set has the batches behind.
 *   L4  N.compact is written only when all batches up to N are durable, and holds all of them.
 *   L5  A file of the log is deleted only when a durable one holds the same batches, and never one that Spark needs: those behind the last batch
 *       that is due for a compact file stay.
 */
#include "source/file_log.h"

#include "source/seen_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPACT_INTERVAL = 10, SPARK_FILES_MAX = 10000, HELD_FILES_MAX = 8192 };
enum { KEEP_PLAIN_US = 10 * 60 * 1000000 /* as Spark: a reader may still be at it */ };
/* How many held files a run may leave to the next one, as parts of held_files_max, and how many batches. */
enum { LEFT_SHARE = 32, LEFT_BATCHES_MAX = 16, HELD_BATCHES_MAX = 100 };
enum { MERGE_FACTOR = 4 /* a seen file is so many times longer than the next one */, CHEAP_SHARE = 10, PLAIN_FILES_MAX = 64 };

struct FileLog {
    Io *io;
    const char *directory;
    FileLogOptions o;
    int64_t latest, compact; /* compact: the last N.compact; -1: none */
    SeenFile **seen;         /* by range; the first chain_count of them are the chain */
    int seen_count, chain_count;
    int64_t covered;         /* last batch of the chain; -2: there is none */
    SeenSet held;
    int64_t held_newest_ms;
    bool damaged; /* keys of a seen file are: write them anew */
    int plain_count; /* N, N.silt and seen files that could go, about */
    int64_t added;   /* files, by this process */
    int64_t generation;
    Arena *last_arena;
    LogFile *last; /* of batch `latest` when it was added here; last_count < 0: not known */
    int last_count;
    bool has_skipped;
    bool synced; /* what load() found is durable */
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

/* The last batch that Spark wants as a compact file; -1: none yet. */
static int64_t due_batch(const FileLog *log)
{
    return (log->latest + 1) / COMPACT_INTERVAL * COMPACT_INTERVAL - 1;
}

static const SeenRange *range_of(const FileLog *log, int index)
{
    return seen_file_range(log->seen[index]);
}

/* ---- entries of batches, wherever they are ---- */

typedef struct Between {
    int64_t first, last;
    const EntrySink *sink;
} Between;

static int take_between(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    const Between *between = self;
    return batch < between->first || batch > between->last ? 0 : between->sink->take(between->sink->self, uri, timestamp_ms, batch, err);
}

static SeenFile *seen_with(const FileLog *log, int64_t batch)
{
    for (int i = 0; i < log->seen_count; i++)
        if (range_of(log, i)->first <= batch && batch <= range_of(log, i)->last)
            return log->seen[i];
    return NULL;
}

static int take_skipped(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    const EntrySink *sink = self;
    (void)batch; /* it says 0 in older ones */
    return sink->take(sink->self, uri, timestamp_ms, -1, err);
}

static int read_skipped(const FileLog *log, Arena *scratch, const EntrySink *sink, SiltErr *err)
{
    EntrySink skipped = {(void *)sink, take_skipped};
    int r = log->has_skipped ? log_text_read(log->io, arena_printf(scratch, "%s/skipped", log->directory), -1, &skipped, err) : 0;
    return r == IO_ABSENT ? silt_fail(err, SILT_CORRUPT, "\"%s/skipped\" is missing from the file log", log->directory) : r;
}

/* Entries of batches first..last (L1), from batch -1 on. */
static int read_batches(const FileLog *log, int64_t first, int64_t last, const EntrySink *sink, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    for (int64_t batch = first; batch <= last; batch++) {
        SeenFile *file = seen_with(log, batch);
        if (file) {
            int64_t end = seen_file_range(file)->last < last ? seen_file_range(file)->last : last;
            int r = seen_file_entries(file, batch, end, sink, err);
            seen_file_rest(file);
            SILT_TRY(r);
            batch = end;
            continue;
        }
        if (batch < 0) {
            SILT_TRY(read_skipped(log, scratch, sink, err));
            continue;
        }
        const char *path = batch_path(log, scratch, batch, "");
        int r = is_compact_batch(batch) && batch <= log->compact ? IO_ABSENT : log_text_read(log->io, path, batch, sink, err);
        if (r == IO_ABSENT && is_compact_batch(batch))
            r = log_text_read(log->io, batch_path(log, scratch, batch, ".silt"), batch, sink, err);
        if (r == IO_ABSENT && batch <= log->compact) { /* one look into the compact file has all that is in it */
            int64_t end = log->compact < last ? log->compact : last;
            Between wanted = {batch, end, sink};
            r = log_text_read(log->io, batch_path(log, scratch, log->compact, ".compact"), log->compact, &(EntrySink){&wanted, take_between}, err);
            batch = end;
        }
        if (r == IO_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "\"%s\" is missing from the file log", path);
        SILT_TRY(r);
    }
    return 0;
}

/* ---- opening ---- */

static int hold(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    FileLog *log = self;
    (void)batch, (void)err;
    seen_set_add(&log->held, uri, log->o.by_time ? timestamp_ms : 0);
    if (timestamp_ms > log->held_newest_ms)
        log->held_newest_ms = timestamp_ms;
    return 0;
}

static void drop_seen(FileLog *log, int from, int to)
{
    if (from == to) /* perhaps of none at all */
        return;
    for (int i = from; i < to; i++)
        seen_file_close(log->seen[i]);
    memmove(log->seen + from, log->seen + to, sizeof *log->seen * (size_t)(log->seen_count - to));
    log->seen_count -= to - from;
}

/* Room for one more at `index`. */
static void put_seen(FileLog *log, int index, SeenFile *file)
{
    log->seen = silt_realloc(log->seen, sizeof *log->seen * (size_t)(log->seen_count + 1));
    memmove(log->seen + index + 1, log->seen + index, sizeof *log->seen * (size_t)(log->seen_count - index));
    log->seen[index] = file;
    log->seen_count++;
}

/* The chain ends before seen file number `count`, and all that is behind is held (L3). */
static int set_chain(FileLog *log, int count, SiltErr *err)
{
    log->chain_count = count;
    log->covered = count ? range_of(log, count - 1)->last : -2;
    seen_set_fini(&log->held);
    log->held_newest_ms = INT64_MIN;
    return read_batches(log, log->covered + 1, log->latest, &(EntrySink){log, hold}, err);
}

/* Take a seen file that was found into its place, or leave it when others have what it has. */
static int find_seen(FileLog *log, const char *path, SiltErr *err)
{
    SeenFile *file;
    int r = seen_file_open(log->io, path, &file, err);
    if (r == SEEN_DAMAGED || r == IO_ABSENT) {
        log->damaged |= r == SEEN_DAMAGED; /* its batches are looked for elsewhere */
        return 0;
    }
    SILT_TRY(r);
    const SeenRange *range = seen_file_range(file);
    int at = 0;
    for (; at < log->seen_count && range_of(log, at)->first <= range->first; at++)
        if (range_of(log, at)->last >= range->last) {
            log->plain_count++;
            seen_file_close(file);
            return 0;
        }
    int behind = at;
    while (behind < log->seen_count && range_of(log, behind)->last <= range->last)
        behind++;
    log->plain_count += behind - at;
    drop_seen(log, at, behind);
    if (at > 0 && range_of(log, at - 1)->first == range->first) { /* the shorter of two that begin together */
        log->plain_count++;
        drop_seen(log, at - 1, at);
        at--;
    }
    put_seen(log, at, file);
    return 0;
}

/* Read what is there, from nothing. */
static int load(FileLog *log, SiltErr *err)
{
    drop_seen(log, 0, log->seen_count);
    log->latest = log->compact = -1;
    log->plain_count = 0;
    log->last_count = -1;
    log->has_skipped = log->damaged = log->synced = false;
    log->stale = true;
    log->generation++;
    silt_auto(arena_freep) Arena *scratch = arena_new();
    IoList list = {0};
    int r = io_list(log->io, log->directory, scratch, &list, err);
    if (r < 0)
        return r;
    for (int i = 0; i < list.count; i++) {
        const char *name = list.entries[i].name;
        Str number = str_of(name);
        bool is_compact = str_ends(number, ".compact"), is_own = str_ends(number, ".silt");
        number.size -= is_compact ? 8 : is_own ? 5 : 0;
        int64_t batch, first;
        log->has_skipped |= str_is(number, "skipped");
        if (seen_file_parse_name(name, &first, &batch))
            SILT_TRY(find_seen(log, arena_printf(scratch, "%s/%s", log->directory, name), err));
        else if (!str_to_int64(number, &batch) || batch < 0)
            continue; /* not ours, nor Spark's */
        else
            log->plain_count++;
        if (batch > log->latest)
            log->latest = batch;
        if (is_compact && batch > log->compact)
            log->compact = batch;
    }
    int chain = 0;
    for (int64_t next = -1; chain < log->seen_count && range_of(log, chain)->first <= next; chain++)
        next = range_of(log, chain)->last + 1;
    SILT_TRY(set_chain(log, chain, err));
    log->stale = false;
    return 0;
}

int file_log_open(Io *io, const char *directory, const FileLogOptions *options, FileLog **out, SiltErr *err)
{
    FileLog *log = silt_alloc(sizeof *log);
    *log = (FileLog){.io = io, .directory = silt_strdup(directory), .o = *options, .last_arena = arena_new()};
    if (!log->o.spark_files_max)
        log->o.spark_files_max = SPARK_FILES_MAX;
    if (!log->o.held_files_max)
        log->o.held_files_max = HELD_FILES_MAX;
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
    drop_seen(log, 0, log->seen_count);
    free(log->seen);
    seen_set_fini(&log->held);
    arena_free(log->last_arena);
    free((char *)log->directory);
    free(log);
}

int file_log_settle(FileLog *log, SiltErr *err)
{
    return log->stale ? load(log, err) : 0;
}

int64_t file_log_generation(const FileLog *log)
{
    return log->generation;
}

int64_t file_log_latest(const FileLog *log)
{
    return log->latest;
}

int64_t file_log_count(const FileLog *log)
{
    int64_t count = (int64_t)log->held.count;
    for (int i = 0; i < log->chain_count; i++)
        count += range_of(log, i)->count;
    return count;
}

int64_t file_log_newest_ms(const FileLog *log)
{
    int64_t newest_ms = log->held_newest_ms;
    for (int i = 0; i < log->chain_count; i++)
        if (range_of(log, i)->newest_ms > newest_ms)
            newest_ms = range_of(log, i)->newest_ms;
    return newest_ms;
}

size_t file_log_bytes(const FileLog *log)
{
    return seen_set_bytes(&log->held);
}

bool file_log_is_sparks(const FileLog *log)
{
    return due_batch(log) <= log->compact;
}

/* ---- which files are known ---- */

typedef struct Question {
    SeenKey key;
    int index;
} Question;

static int compare_questions(const void *a, const void *b)
{
    return seen_key_compare(((const Question *)a)->key, ((const Question *)b)->key);
}

/* Ask one seen file for all that is not known yet. 0, SEEN_DAMAGED, < 0. */
static int ask_seen(const FileLog *log, SeenFile *file, const LogFile *files, const Question *questions, int count, bool *known, SiltErr *err)
{
    int r = 0;
    for (int i = 0; r == 0 && i < count; i++) {
        int index = questions[i].index;
        if (!known[index])
            r = seen_file_has(file, questions[i].key, log->o.by_time, files[index].timestamp_ms, &known[index], err);
    }
    seen_file_rest(file);
    return r;
}

int file_log_known(FileLog *log, const LogFile *files, int count, bool *known, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Question *questions = log->chain_count ? ARENA_ARRAY(arena, Question, count + 1) : NULL;
    int left = 0;
    for (int i = 0; i < count; i++) {
        known[i] = seen_set_has(&log->held, str_of(files[i].uri), log->o.by_time ? files[i].timestamp_ms : 0);
        if (questions && !known[i])
            questions[left++] = (Question){seen_key(str_of(files[i].uri), 0), i};
    }
    if (left > 1)
        qsort(questions, (size_t)left, sizeof *questions, compare_questions);
    for (int i = 0; left && i < log->chain_count; i++) {
        int r = ask_seen(log, log->seen[i], files, questions, left, known, err);
        if (r == SEEN_DAMAGED) { /* then all that is from there on is held, and the same is asked again */
            log->damaged = true;
            SILT_TRY(set_chain(log, i, err));
            return file_log_known(log, files, count, known, err);
        }
        SILT_TRY(r);
    }
    return 0;
}

/* ---- ranges ---- */

typedef struct Range {
    Arena *arena;
    LogFile *files;
    int count, capacity;
} Range;

static int take_ranged(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    Range *range = self;
    (void)err;
    LogFile file = {arena_strndup(range->arena, uri.ptr, uri.size), timestamp_ms, batch};
    ARENA_PUSH(range->arena, range->files, range->count, range->capacity, file);
    return 0;
}

int file_log_each(FileLog *log, int64_t start, int64_t end, const EntrySink *sink, SiltErr *err)
{
    if (end > log->latest)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" ends at batch %lld, but the checkpoint's offset is %lld", log->directory,
                         (long long)log->latest, (long long)end);
    bool has_last = end == log->latest && end > start && log->last_count >= 0;
    SILT_TRY(read_batches(log, start + 1, has_last ? end - 1 : end, sink, err));
    for (int i = 0; has_last && i < log->last_count; i++)
        SILT_TRY(sink->take(sink->self, str_of(log->last[i].uri), log->last[i].timestamp_ms, end, err));
    return 0;
}

int file_log_range(FileLog *log, int64_t start, int64_t end, Arena *arena, LogFile **files, int *count, SiltErr *err)
{
    Range range = {.arena = arena};
    SILT_TRY(file_log_each(log, start, end, &(EntrySink){&range, take_ranged}, err));
    *files = range.files;
    *count = range.count;
    return 0;
}

/* ---- writing: seen files ---- */

/* Delete what nobody needs any more (L5). */
static int delete_expired(FileLog *log, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    IoList list;
    /* An earlier process may have died between the name of a file and the sync of the folder. Its content was synced before its name. */
    int r = log->synced ? 0 : io_sync(log->io, log->directory, err);
    if (r == 0)
        r = io_list(log->io, log->directory, arena, &list, err);
    if (r != 0)
        return r < 0 ? r : 0;
    log->synced = true;
    int64_t now = io_now_us(log->io), due = due_batch(log), covered = log->covered < due ? log->covered : due;
    log->plain_count = 0;
    for (int i = 0; i < list.count; i++) {
        const char *name = list.entries[i].name;
        Str number = str_of(name);
        bool is_own = str_ends(number, ".silt"), is_compact = str_ends(number, ".compact"), is_useless;
        int64_t batch, first;
        number.size -= is_compact ? 8 : is_own ? 5 : 0;
        if (seen_file_parse_name(name, &first, &batch)) {
            bool is_ours = false;
            for (int k = 0; k < log->seen_count; k++)
                is_ours |= range_of(log, k)->first == first && range_of(log, k)->last == batch;
            is_useless = !is_ours && batch <= log->covered;
        } else if (str_to_int64(number, &batch) && batch >= 0) {
            is_useless = (is_compact ? batch < log->compact : batch <= covered || batch <= (is_own ? log->compact : log->compact - COMPACT_INTERVAL)) &&
                         list.entries[i].stat.modified_us < now - KEEP_PLAIN_US;
            log->plain_count += !is_useless;
        } else {
            continue;
        }
        if (is_useless)
            SILT_TRY(io_delete(log->io, arena_printf(arena, "%s/%s", log->directory, name), err));
    }
    return 0;
}

static int write_entry(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    return seen_writer_add(self, uri, timestamp_ms, batch, err);
}

/* Write the batches that are held as a seen file, together with the last ones of the chain from number `from` on. 0, SEEN_DAMAGED, < 0. */
static int write_seen(FileLog *log, int from, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(seen_writer_freep) SeenWriter *writer = NULL;
    const char *staging;
    int64_t first = from ? range_of(log, from - 1)->last + 1 : -1;
    SILT_TRY(io_staging_directory(log->io, arena_printf(arena, "%s/_silt/seen", log->directory), arena, &staging, err));
    SILT_TRY(seen_writer_open(log->io, staging, &writer, err));
    for (int i = from; i < log->chain_count; i++)
        SILT_TRY(seen_writer_copy(writer, log->seen[i], err));
    SILT_TRY(read_batches(log, log->covered + 1, log->latest, &(EntrySink){writer, write_entry}, err));
    int r = seen_writer_finish(writer, log->directory, first, log->latest, err);
    for (int i = from; i < log->chain_count; i++)
        seen_file_rest(log->seen[i]);
    return r;
}

static int64_t held_batches(const FileLog *log)
{
    return log->latest - log->covered;
}

/* What is held goes to a seen file, which takes those into it that are not much longer: so they stay few, and all of them together are
 * written a few times only. */
static int flush(FileLog *log, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    SeenFile *file;
    int from = log->chain_count;
    int64_t count = (int64_t)log->held.count;
    if (held_batches(log) <= 0) /* a damaged file was one that is not needed */
        return delete_expired(log, err);
    while (from > 0 && range_of(log, from - 1)->count <= MERGE_FACTOR * count)
        count += range_of(log, --from)->count;
    log->stale = true;
    int r = write_seen(log, from, err);
    if (r == SEEN_DAMAGED) { /* which one is not told: from the text, then */
        SILT_TRY(set_chain(log, from, err));
        r = write_seen(log, from, err);
    }
    SILT_TRY(r);
    int64_t first = from ? range_of(log, from - 1)->last + 1 : -1;
    const char *path = arena_printf(arena, "%s/%s", log->directory, seen_file_name(arena, first, log->latest));
    r = seen_file_open(log->io, path, &file, err);
    if (r > 0)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" is not what was written", path);
    SILT_TRY(r);
    int behind = from;
    while (behind < log->seen_count && range_of(log, behind)->last <= log->latest)
        behind++;
    drop_seen(log, from, behind);
    put_seen(log, from, file);
    SILT_TRY(set_chain(log, from + 1, err));
    log->damaged = log->stale = false;
    return delete_expired(log, err);
}

/* ---- writing: Spark's files ---- */

static int put_text(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    (void)err;
    log_text_put(self, uri, timestamp_ms, batch);
    return 0;
}

int file_log_add(FileLog *log, const LogFile *files, int count, SiltErr *err)
{
    silt_assert(!log->stale); /* what to add was chosen by what is there */
    int64_t batch = log->latest + 1;
    bool due = is_compact_batch(batch), compact = due && file_log_count(log) + count <= log->o.spark_files_max;
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    str_buf_puts(&text, "v1");
    if (compact)
        SILT_TRY(read_batches(log, 0, log->latest, &(EntrySink){&text, put_text}, err));
    for (int i = 0; i < count; i++)
        log_text_put(&text, str_of(files[i].uri), files[i].timestamp_ms, batch);
    log->stale = true;
    int r = io_put_if_absent(log->io, batch_path(log, arena, batch, compact ? ".compact" : due ? ".silt" : ""), str_buf_view(&text), err);
    if (r == IO_EXISTS) /* an earlier try that was told to have failed: it stands */
        return load(log, err);
    SILT_TRY(r);
    log->stale = false;
    log->latest = batch;
    log->added += count;
    log->plain_count++;
    arena_reset(log->last_arena);
    log->last = ARENA_ARRAY(log->last_arena, LogFile, count + 1);
    log->last_count = count;
    for (int i = 0; i < count; i++) {
        log->last[i] = (LogFile){arena_strdup(log->last_arena, files[i].uri), files[i].timestamp_ms, batch};
        SILT_TRY(hold(log, str_of(files[i].uri), files[i].timestamp_ms, batch, err));
    }
    if (compact)
        log->compact = batch;
    int64_t held = (int64_t)log->held.count;
    if (held >= log->o.held_files_max || held_batches(log) >= HELD_BATCHES_MAX || (compact && held > log->o.held_files_max / LEFT_SHARE))
        r = flush(log, err);
    else if (compact)
        r = delete_expired(log, err);
    log->stale = r < 0; /* the batch is there all the same */
    return r;
}

typedef struct TextFile {
    FILE *out;
    StrBuf text;
} TextFile;

static int write_text(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    TextFile *file = self;
    (void)err; /* of a failed write the last one tells */
    str_buf_clear(&file->text);
    log_text_put(&file->text, uri, timestamp_ms, batch);
    fwrite(file->text.ptr, 1, file->text.size, file->out);
    return 0;
}

/* The compact file that is due: all batches up to it (L4). */
static int write_compact(FileLog *log, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    int64_t due = due_batch(log);
    const char *staging;
    SILT_TRY(io_staging_directory(log->io, arena_printf(arena, "%s/_silt/compact", log->directory), arena, &staging, err));
    IoPutFile move = {arena_printf(arena, "%s/compact", staging), batch_path(log, arena, due, ".compact")};
    TextFile file = {.out = fopen(move.local_path, "we")};
    if (!file.out)
        return silt_fail_errno(err, errno, "could not write \"%s\"", move.local_path);
    fputs("v1", file.out);
    int r = read_batches(log, 0, due, &(EntrySink){&file, write_text}, err), failed = ferror(file.out);
    str_buf_fini(&file.text);
    if (fclose(file.out) != 0 || failed)
        r = r < 0 ? r : silt_fail_errno(err, errno, "could not write \"%s\"", move.local_path);
    SILT_TRY(r);
    log->stale = true;
    SILT_TRY(io_put_files(log->io, &move, 1, err));
    log->stale = false;
    log->compact = due;
    return delete_expired(log, err);
}

int file_log_finish(FileLog *log, SiltErr *err)
{
    if (log->stale)
        return 0;
    int64_t left_max = log->o.held_files_max / LEFT_SHARE, count = file_log_count(log);
    if (log->damaged || (int64_t)log->held.count > left_max || held_batches(log) > LEFT_BATCHES_MAX)
        SILT_TRY(flush(log, err));
    else if (log->plain_count > PLAIN_FILES_MAX)
        SILT_TRY(delete_expired(log, err));
    bool cheap = count <= log->o.spark_files_max || log->added >= count / CHEAP_SHARE;
    return due_batch(log) > log->compact && cheap ? write_compact(log, err) : 0;
}

int file_log_export(FileLog *log, SiltErr *err)
{
    SILT_TRY(file_log_settle(log, err));
    return due_batch(log) > log->compact ? write_compact(log, err) : 0;
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
        log_text_put(&text, str_of(files[i].uri), files[i].timestamp_ms, -1);
    log->stale = true;
    SILT_TRY(io_put(log->io, arena_printf(arena, "%s/skipped", log->directory), str_buf_view(&text), err));
    log->stale = false;
    for (int i = 0; i < count; i++)
        SILT_TRY(hold(log, str_of(files[i].uri), files[i].timestamp_ms, -1, err));
    log->has_skipped = true;
    return (int64_t)log->held.count >= log->o.held_files_max ? flush(log, err) : 0;
}
