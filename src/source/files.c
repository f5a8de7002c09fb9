/*
 * source/files.c - files of a folder as a source
 *
 * The plan is a listing minus the log; the batch is what the log says. Start with files_plan().
 *
 *   F1  A file is taken once: its URI is in the log before any of its rows is read, and a URI in the log is never taken again,
 *       whatever its name, time or content (allowOverwrites: a URI and a modification time).
 *   F2  The files of a log batch are all of what one plan took: at least one, within the limits.
 *   F3  A folder is left unlisted only when it holds nothing that could be taken (folders.h), and backfillInterval lists all the same.
 */
#include "source/files_internal.h"

#include "base/json.h"
#include "base/uri.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static void files_close(Source *source)
{
    Files *files = source->self;
    file_log_close(files->log);
    folders_free(files->folders);
    files__clean_free(files);
    arena_free(files->seen_arena);
}

static int files_open(const SourceContext *context, const Relation *relation, Source **out, SiltErr *err)
{
    Arena *arena = arena_new();
    Source *source = ARENA_NEW(arena, Source);
    Files *files = ARENA_NEW(arena, Files);
    *source = (Source){.ops = &source_files, .arena = arena, .self = files};
    files->context = *context;
    files->context.base_directory = arena_strdup(arena, context->base_directory);
    files->context.time_zone = arena_strdup(arena, context->time_zone);
    files->context.schema_text = NULL;
    int r = files__parse(source, relation, err);
    if (r == 0) {
        source->description = arena_printf(arena, "FileStreamSource[%s]", uri_from_path(arena, files->glob.base));
        r = files__find_schema(source, context->schema_text, err);
    }
    if (r != 0) {
        source_free(source);
        return r;
    }
    *out = source;
    return 0;
}

/* ---- for people ---- */

static const char *files_explain(const Source *source, bool streaming, Arena *arena)
{
    static const char *const evolutions[] = {[EVOLVE_ADD] = "new columns join it", [EVOLVE_WIDEN] = "new columns join it, types become wider",
                                             [EVOLVE_RESCUE] = "new columns stay in the rescued data", [EVOLVE_FAIL] = "new columns fail the batch",
                                             [EVOLVE_NONE] = "new columns are left out"};
    const Files *files = source->self;
    silt_auto(str_buf_fini) StrBuf out = {0};
    str_buf_printf(&out, "%s files of %s", files->format->name, uri_from_path(arena, files->glob.base));
    for (int i = 0; i < files->glob.part_count; i++)
        str_buf_printf(&out, "/%s", files->glob.parts[i]);
    if (files->o.name_filter)
        str_buf_printf(&out, ", named %s", files->o.name_filter);
    str_buf_printf(&out, "\nschema %s, %s", files->inferred ? "inferred" : "given", evolutions[files->evolution]);
    if (files->partitions && files->partitions->field_count) {
        str_buf_puts(&out, "\ncolumns from folders: ");
        for (int i = 0; i < files->partitions->field_count; i++)
            str_buf_printf(&out, "%s%s", i ? ", " : "", files->partitions->fields[i].name);
    }
    if (!streaming)
        return arena_strdup(arena, str_buf_text(&out));
    str_buf_printf(&out, "\nat most %lld files a batch", (long long)files->o.files_per_trigger);
    if (files->o.bytes_per_trigger < INT64_MAX)
        str_buf_printf(&out, ", and %lld bytes", (long long)files->o.bytes_per_trigger);
    if (!files->o.include_existing)
        str_buf_puts(&out, "\nfiles that were there before the stream began are left out");
    if (files->o.allow_overwrites)
        str_buf_puts(&out, "\na file that is written again is read again");
    if (files->o.cleaning != CLEAN_OFF)
        str_buf_printf(&out, "\nfiles of sealed batches are %s", files->o.cleaning == CLEAN_DELETE ? "deleted" : "moved away");
    return arena_strdup(arena, str_buf_text(&out));
}

/* ---- folders that are known, kept for the next run ---- */

enum { FOLDERS_KEPT_MIN = 50, ENTRIES_KEPT_MIN = 1000 /* fewer are listed in no time */ };

static FoldersAbout about_folders(const Files *files, Arena *arena)
{
    silt_auto(str_buf_fini) StrBuf out = {0};
    str_buf_printf(&out, "%s", files->glob.base);
    for (int i = 0; i < files->glob.part_count; i++)
        str_buf_printf(&out, "/%s", files->glob.parts[i]);
    str_buf_printf(&out, " filter=%s recursive=%d", files->o.name_filter ? files->o.name_filter : "", files->o.recursive);
    return (FoldersAbout){arena_strdup(arena, str_buf_text(&out)), file_log_latest(files->log), files->full_look_us};
}

static int load_folders(Files *files, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Str text;
    if (file_log_count(files->log) == 0)
        return 0; /* the log is lost, or all of it was: everything is new again */
    int r = io_read(files->context.io, arena_printf(arena, "%s/folders", files->log_directory), arena, &text, err);
    if (r != 0)
        return r < 0 ? r : 0;
    FoldersAbout about = about_folders(files, arena);
    folders_read(files->folders, &about, text);
    files->full_look_us = about.full_look_us;
    return 0;
}

static int store_folders(Files *files, SiltErr *err)
{
    if (!files->folders || !folders_changed(files->folders) ||
        (folders_count(files->folders) < FOLDERS_KEPT_MIN && folders_entries(files->folders) < ENTRIES_KEPT_MIN))
        return 0;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    FoldersAbout about = about_folders(files, arena);
    folders_text(files->folders, &about, &text);
    return io_put(files->context.io, arena_printf(arena, "%s/folders", files->log_directory), str_buf_view(&text), err);
}

int source_log_look(Io *io, const char *log_directory, bool complete, SourceLogInfo *out, SiltErr *err)
{
    FileLog *log;
    SILT_TRY(file_log_open(io, log_directory, &(FileLogOptions){0}, &log, err));
    int r = complete ? file_log_export(log, err) : 0;
    *out = (SourceLogInfo){file_log_latest(log) + 1, file_log_count(log), file_log_is_sparks(log)};
    file_log_close(log);
    return r;
}

static int files_attach(Source *source, const char *log_directory, SiltErr *err)
{
    Files *files = source->self;
    file_log_close(files->log);
    files->log = NULL;
    files->log_directory = arena_strdup(source->arena, log_directory);
    files__clean_free(files);
    SILT_TRY(file_log_open(files->context.io, log_directory, &(FileLogOptions){.by_time = files->o.allow_overwrites}, &files->log, err));
    folders_free(files->folders);
    files->folders = files->o.allow_overwrites ? NULL : folders_new();
    files->full_look_us = io_now_us(files->context.io);
    if (files->folders)
        SILT_TRY(load_folders(files, err));
    return files->o.schema_location ? files__store_schema(source, err) : 0;
}

static int files_finish(Source *source, SiltErr *err)
{
    Files *files = source->self;
    if (!files->log)
        return 0;
    SILT_TRY(file_log_finish(files->log, err));
    return store_folders(files, err);
}

/* ---- offsets: {"logOffset":N} ---- */

static int read_offset(const Source *source, const char *text, int64_t *out, SiltErr *err)
{
    *out = -1;
    if (!text)
        return 0;
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Json *json;
    if (json_parse(arena, str_of(text), &json, err) == 0 && json_kind(json_get(json, "logOffset")) == JSON_NUMBER) {
        *out = json_int(json_get(json, "logOffset"), -1);
        return 0;
    }
    silt_fail(err, SILT_CORRUPT, "%s: \"%s\" is no offset of a file source", source->name, text);
    return silt_hint(err, "The checkpoint belongs to another kind of source.");
}

static const char *write_offset(Arena *arena, int64_t offset)
{
    return offset < 0 ? NULL : arena_printf(arena, "{\"logOffset\":%lld}", (long long)offset);
}

/* ---- looking ---- */

/* Files that modifiedAfter, modifiedBefore and maxFileAge leave out. */
static void leave_out(Files *files)
{
    Listing *seen = &files->seen;
    int64_t oldest_us = INT64_MIN, newest_us = files->log ? file_log_newest_ms(files->log) : INT64_MIN;
    newest_us = newest_us == INT64_MIN ? INT64_MIN : newest_us * 1000;
    for (int i = 0; i < seen->count; i++)
        if (seen->files[i].modified_us > newest_us)
            newest_us = seen->files[i].modified_us;
    if (files->o.age_us_max && newest_us != INT64_MIN)
        oldest_us = newest_us - files->o.age_us_max;
    int kept = 0;
    for (int i = 0; i < seen->count; i++) {
        int64_t at = seen->files[i].modified_us;
        if (at >= oldest_us && at > files->modified_after_us && at < files->modified_before_us)
            seen->files[kept++] = seen->files[i];
    }
    files->seen_left = kept < seen->count;
    seen->count = kept;
    for (int i = 0; files->o.latest_first && i < kept / 2; i++) {
        ListedFile file = seen->files[i];
        seen->files[i] = seen->files[kept - 1 - i];
        seen->files[kept - 1 - i] = file;
    }
}

static LogFile log_file(Arena *arena, const ListedFile *file)
{
    return (LogFile){.uri = uri_from_path(arena, file->path), .timestamp_ms = file->modified_us / 1000};
}

/* Leave those that are not in the log. */
static int keep_new(void *self, ListedFile *list, int *count, SiltErr *err)
{
    Files *files = self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    LogFile *asked = ARENA_ARRAY(arena, LogFile, *count + 1);
    bool *known = ARENA_ARRAY(arena, bool, *count + 1);
    int kept = 0;
    for (int i = 0; i < *count; i++)
        asked[i] = log_file(arena, &list[i]);
    SILT_TRY(file_log_known(files->log, asked, *count, known, err));
    for (int i = 0; i < *count; i++)
        if (!known[i])
            list[kept++] = list[i];
    *count = kept;
    return 0;
}

/* What was left alone is said once. */
static void remark(Source *source)
{
    Files *files = source->self;
    const Listing *seen = &files->seen;
    if (seen->special_count > files->special_told)
        source->remark = arena_printf(source->arena, "%s: left alone \"%s\"%s: neither a file nor a folder, but a pipe, a socket, a device or a link to nothing", source->name,
                                      seen->special, seen->special_count > 1 ? arena_printf(source->arena, " and %d more", seen->special_count - 1) : "");
    else if (seen->loop_count > files->loops_told)
        source->remark = arena_printf(source->arena, "%s: did not follow \"%s\"%s: it leads back to a folder that it is in", source->name, seen->loop,
                                      seen->loop_count > 1 ? arena_printf(source->arena, " and %d more", seen->loop_count - 1) : "");
    files->special_told = seen->special_count > files->special_told ? seen->special_count : files->special_told;
    files->loops_told = seen->loop_count > files->loops_told ? seen->loop_count : files->loops_told;
}

/* All that is there, or what is new: then folders that are known to have nothing new are not listed. */
static int look_at(Source *source, bool new_only, SiltErr *err)
{
    Files *files = source->self;
    ListingOptions options = {.name_filter = files->o.name_filter, .recursive = files->o.recursive};
    if (new_only) {
        options.folders = files->folders;
        options.keep = keep_new;
        options.self = files;
        files->seen_generation = file_log_generation(files->log);
    }
    if (!files->seen_arena)
        files->seen_arena = arena_new();
    arena_reset(files->seen_arena);
    files->has_seen = false;
    files->seen_next = 0;
    SILT_TRY(listing_read(files->context.io, &files->glob, &options, files->seen_arena, &files->seen, err));
    remark(source);
    leave_out(files);
    files->has_seen = true;
    return 0;
}

static int look(Source *source, SiltErr *err)
{
    Files *files = source->self;
    SILT_TRY(file_log_settle(files->log, err));
    if (files->folders) {
        int64_t now = io_now_us(files->context.io);
        folders_settle(files->folders, false); /* of a look that was not used up */
        if (files->o.backfill_us && now - files->full_look_us >= files->o.backfill_us) {
            folders_clear(files->folders);
            files->full_look_us = now;
        }
    }
    return look_at(source, true, err);
}

/* The log was read again: it may hold more of what was seen than was known when it was compared. */
static int compare_again(Files *files, SiltErr *err)
{
    if (!files->has_seen || files->seen_generation == file_log_generation(files->log))
        return 0;
    int left = files->seen.count - files->seen_next;
    SILT_TRY(keep_new(files, files->seen.files + files->seen_next, &left, err));
    files->seen.count = files->seen_next + left;
    files->seen_generation = file_log_generation(files->log);
    return 0;
}

/* ... and all of what was seen is in the log now. */
static void used_up(Files *files)
{
    if (files->folders)
        folders_settle(files->folders, !files->seen_left);
}

static int files_bound(Source *source, SiltErr *err)
{
    Files *files = source->self;
    files->bounded = true;
    return look(source, err);
}

static void files_unbound(Source *source)
{
    Files *files = source->self;
    files->bounded = false;
}

/* includeExistingFiles => false: what is there before the first batch is never read. */
static int skip_existing(Source *source, SiltErr *err)
{
    Files *files = source->self;
    if (files->o.include_existing || file_log_latest(files->log) >= 0 || file_log_has_skipped(files->log))
        return 0;
    silt_auto(arena_freep) Arena *arena = arena_new();
    LogFile *list = ARENA_ARRAY(arena, LogFile, files->seen.count + 1);
    for (int i = 0; i < files->seen.count; i++)
        list[i] = log_file(arena, &files->seen.files[i]);
    SILT_TRY(file_log_skip(files->log, list, files->seen.count, err));
    files->seen_next = files->seen.count;
    return 0;
}

static int files_reached(Source *source, const char *offset, SiltErr *err)
{
    Files *files = source->self;
    int64_t reached;
    SILT_TRY(read_offset(source, offset, &reached, err));
    if (file_log_latest(files->log) >= reached)
        return 0;
    silt_fail(err, SILT_CORRUPT, "%s: the checkpoint is at file batch %lld, but its file log ends at %lld", source->name, (long long)reached,
              (long long)file_log_latest(files->log));
    return silt_hint(err, "The folder sources of the checkpoint was lost or replaced. `silt recover` builds it again from the table's log.");
}

static int files_plan(Source *source, const char *start, Arena *arena, const char **end, SiltErr *err)
{
    Files *files = source->self;
    silt_assert(files->log != NULL); /* attach comes first */
    int64_t from;
    SILT_TRY(read_offset(source, start, &from, err));
    SILT_TRY(file_log_settle(files->log, err));
    if (file_log_latest(files->log) > from) { /* logged, but the offset was not: a crash between the two */
        *end = write_offset(arena, file_log_latest(files->log));
        return 0;
    }
    SILT_TRY(files_reached(source, start, err));
    SILT_TRY(files__clean(source, -1, err));
    SILT_TRY(compare_again(files, err));
    bool rest = files->has_seen && files->seen_next < files->seen.count; /* first what the last look has left over */
    if (!files->has_seen || (!files->bounded && !rest))
        SILT_TRY(look(source, err));
    if (!files->seen.found && file_log_count(files->log) > 0) { /* not empty, gone: a stream that never had a file waits for its folder */
        silt_fail_at(err, SILT_CONFIG, files->path_pos, "%s: \"%s\", which held files, is not there any more", source->name, files->glob.base);
        return silt_hint(err, "Is a file system not mounted? If the folder was removed on purpose, make an empty one.");
    }
    SILT_TRY(skip_existing(source, err));

    LogFile *list = NULL;
    int count = 0, capacity = 0;
    int64_t bytes = 0;
    int next = files->seen_next;
    for (; next < files->seen.count && count < files->o.files_per_trigger; next++) {
        const ListedFile *found = &files->seen.files[next];
        LogFile file = log_file(arena, found);
        if (count > 0 && found->size_bytes > files->o.bytes_per_trigger - bytes)
            break; /* soft: the first file is taken however large it is */
        bytes += found->size_bytes;
        ARENA_PUSH(arena, list, count, capacity, file);
    }
    if (count > 0)
        SILT_TRY(file_log_add(files->log, list, count, err));
    if (files->seen_generation == file_log_generation(files->log)) /* else the batch that was there already stands, and it may be another one */
        files->seen_next = next;
    if (files->seen_next == files->seen.count)
        used_up(files);
    if (count == 0)
        return files->bounded && files_finish(source, err) < 0 ? -1 : SOURCE_IDLE;
    *end = write_offset(arena, file_log_latest(files->log));
    return 0;
}

static int files_latest(Source *source, Arena *arena, const char **out, SiltErr *err)
{
    Files *files = source->self;
    (void)err;
    *out = files->log ? write_offset(arena, file_log_latest(files->log)) : NULL;
    return 0;
}

static const char *const *files_watch(Source *source, Arena *arena)
{
    Files *files = source->self;
    const char **out = ARENA_ARRAY(arena, const char *, files->seen.directory_count + 2);
    int count = 0;
    for (int i = 0; i < files->seen.directory_count; i++)
        out[count++] = arena_strdup(arena, files->seen.directories[i]);
    if (count == 0)
        out[count++] = files->glob.base;
    return out;
}

static int files_committed(Source *source, const char *end, SiltErr *err)
{
    int64_t sealed;
    SILT_TRY(read_offset(source, end, &sealed, err));
    return files__clean(source, sealed, err);
}

/* ---- reading ---- */

static int files_open_batch(Source *source, const char *start, const char *end, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    Files *files = source->self;
    silt_assert(files->log != NULL);
    int64_t from, to;
    SILT_TRY(read_offset(source, start, &from, err));
    SILT_TRY(read_offset(source, end, &to, err));
    silt_auto(arena_freep) Arena *arena = arena_new();
    LogFile *list;
    int count;
    SILT_TRY(file_log_range(files->log, from, to, arena, &list, &count, err));
    return files__open(source, list, count, options, out, err);
}

static int files_open_snapshot(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    Files *files = source->self;
    SILT_TRY(look_at(source, false, err));
    if (!files->seen.found)
        return silt_fail_at(err, SILT_CONFIG, files->path_pos, "%s: there is no \"%s\"", source->name, files->glob.base);
    silt_auto(arena_freep) Arena *arena = arena_new();
    LogFile *list = ARENA_ARRAY(arena, LogFile, files->seen.count + 1);
    int count = 0;
    for (int i = 0; i < files->seen.count; i++) {
        list[count] = log_file(arena, &files->seen.files[i]);
        count += !options || !options->take || options->take(options->take_self, list[count].uri);
    }
    return files__open(source, list, count, options, out, err);
}

static LogFile *logged(Arena *arena, const SourcePart *parts, int count)
{
    LogFile *list = ARENA_ARRAY(arena, LogFile, count + 1);
    for (int i = 0; i < count; i++)
        list[i] = (LogFile){.uri = parts[i].name, .timestamp_ms = parts[i].planned_ms};
    return list;
}

static int files_open_parts(Source *source, const SourcePart *parts, int count, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    return files__open(source, logged(arena, parts, count), count, options, out, err);
}

static int files_keep(Source *source, const char *from, const char *to, SiltErr *err)
{
    Files *files = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    Str text;
    if (files->o.include_existing)
        return 0;
    int r = io_read(files->context.io, arena_printf(arena, "%s/skipped", from), arena, &text, err);
    if (r != 0)
        return r < 0 ? r : 0;
    return io_put(files->context.io, arena_printf(arena, "%s/skipped", to), text, err);
}

/* A range may span several batches of the log (a crash between log and offset): all files go into the first. */
static int files_restore(Source *source, const char *start, const char *end, const SourcePart *parts, int count, SiltErr *err)
{
    (void)start;
    Files *files = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    int64_t to;
    SILT_TRY(read_offset(source, end, &to, err));
    if (!files->o.include_existing && !file_log_has_skipped(files->log)) { /* a table made before there were copies */
        silt_fail(err, SILT_CONFIG, "%s: with includeExistingFiles => false it cannot be told which files were there before the stream began",
                  source->name);
        return silt_hint(err, "Put the checkpoint back from a backup, or start over with --full-refresh.");
    }
    for (LogFile *list = logged(arena, parts, count); file_log_latest(files->log) < to; count = 0)
        SILT_TRY(file_log_add(files->log, list, count, err));
    return 0;
}

/* Elements of a path below a folder against the patterns below it, from element and pattern on. */
static bool glob_reaches(const PathGlob *glob, int part, const char *rest, const char *file)
{
    for (; part < glob->part_count; part++) {
        const char *pattern = glob->parts[part];
        if (!*rest) /* the patterns go on inside of the folder */
            return part + 1 < glob->part_count || glob_match(pattern, file);
        if (!strcmp(pattern, "**"))
            return part + 1 == glob->part_count || glob_match(glob->parts[glob->part_count - 1], file);
        char element[512];
        size_t size = strcspn(rest, "/");
        snprintf(element, sizeof element, "%.*s", (int)size, rest);
        if (!glob_match(pattern, element))
            return false;
        rest += size + (rest[size] == '/');
    }
    for (; *rest; rest += strcspn(rest, "/"), rest += *rest == '/') { /* a folder is read with all that is below, but for hidden ones */
        char element[512];
        size_t size = strcspn(rest, "/");
        size = size < sizeof element ? size : sizeof element - 1;
        memcpy(element, rest, size);
        element[size] = 0;
        if (listing_is_hidden(element, true))
            return false;
    }
    return true;
}

static bool files_reaches(const Source *source, const char *folder)
{
    static const char file[] = "part-00000-00000000-0000-0000-0000-000000000000-c000.snappy.parquet";
    const Files *files = source->self;
    const char *base = files->glob.base;
    size_t size = strlen(base), folder_size = strlen(folder);

    if (files->o.name_filter && !glob_match(files->o.name_filter, file))
        return false;
    if (!strncmp(folder, base, size) && (!folder[size] || folder[size] == '/'))
        return glob_reaches(&files->glob, 0, folder + size + (folder[size] == '/'), file);
    return !strncmp(base, folder, folder_size) && base[folder_size] == '/'; /* a folder of the table's own */
}

const SourceOps source_files = {
    .name = "files",
    .summary = "files of a folder, each once",
    .open = files_open,
    .close = files_close,
    .schema_text = files__schema_text,
    .explain = files_explain,
    .reaches = files_reaches,
    .attach = files_attach,
    .bound = files_bound,
    .unbound = files_unbound,
    .plan = files_plan,
    .latest = files_latest,
    .watch_directories = files_watch,
    .committed = files_committed,
    .finish = files_finish,
    .reached = files_reached,
    .keep = files_keep,
    .restore = files_restore,
    .open_parts = files_open_parts,
    .open_batch = files_open_batch,
    .open_snapshot = files_open_snapshot,
    .batch_close = files__batch_close,
    .batch_counts = files__batch_counts,
    .batch_blame = files__parquet_blame,
    .batch_drift = files__batch_drift,
    .widen = files__widen,
};
