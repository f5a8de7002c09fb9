/*
 * source/files_clean.c - cleanSource: files of sealed batches are moved away or deleted when their time has come
 *
 * sources/<i>/cleaning tells how far this is, and which batches wait since when:
 *
 *   {"cleaned":7,"waiting":[{"batch":9,"from":1795967703953,"to":1795967709021}]}
 *
 * batches up to 9 were sealed at `to` (milliseconds) or before. Spark does not look at it.
 *
 *   K1  A file is touched only when its batch is sealed, for as long as the retention says, and its modification time is that of the log.
 */
#include "source/files_internal.h"

#include "base/json.h"
#include "base/uri.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_A_RETENTION = 100 /* batches sealed within one step wait together */ };

typedef struct Waiting {
    int64_t batch, from_ms, to_ms;
} Waiting;

struct FilesCleaning {
    int64_t cleaned;
    Waiting *waiting;
    int count, capacity;
};

static const char *state_path(const Files *files, Arena *arena)
{
    return arena_printf(arena, "%s/cleaning", files->log_directory);
}

static void add_waiting(FilesCleaning *c, Waiting waiting)
{
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? c->capacity * 2 : 16;
        c->waiting = silt_realloc(c->waiting, sizeof *c->waiting * (size_t)c->capacity);
    }
    c->waiting[c->count++] = waiting;
}

static int load(Files *files, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    FilesCleaning *c = silt_alloc(sizeof *c);
    Str text;
    const Json *json;
    c->cleaned = -1;
    files->clean = c;
    int r = io_read(files->context.io, state_path(files, arena), arena, &text, err);
    if (r != 0)
        return r < 0 ? r : 0;
    SILT_TRY(json_parse(arena, text, &json, err));
    c->cleaned = json_int(json_get(json, "cleaned"), -1);
    const Json *list = json_get(json, "waiting");
    for (int i = 0; i < json_size(list); i++)
        add_waiting(c, (Waiting){json_int(json_get(json_at(list, i), "batch"), -1), json_int(json_get(json_at(list, i), "from"), 0),
                                 json_int(json_get(json_at(list, i), "to"), 0)});
    return 0;
}

static int store(Files *files, SiltErr *err)
{
    const FilesCleaning *c = files->clean;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    JsonWriter w = {.out = &text};
    json_object(&w);
    json_member_int(&w, "cleaned", c->cleaned);
    json_key(&w, "waiting");
    json_array(&w);
    for (int i = 0; i < c->count; i++) {
        json_object(&w);
        json_member_int(&w, "batch", c->waiting[i].batch);
        json_member_int(&w, "from", c->waiting[i].from_ms);
        json_member_int(&w, "to", c->waiting[i].to_ms);
        json_object_end(&w);
    }
    json_array_end(&w);
    json_object_end(&w);
    return io_put(files->context.io, state_path(files, arena), str_buf_view(&text), err);
}

void files__clean_free(Files *files)
{
    if (!files->clean)
        return;
    free(files->clean->waiting);
    free(files->clean);
    files->clean = NULL;
}

static int clean_file(Files *files, Arena *arena, const LogFile *file, SiltErr *err)
{
    Io *io = files->context.io;
    const char *path;
    IoStat stat;
    SILT_TRY(uri_to_path(arena, file->uri, &path, err));
    int r = io_stat(io, path, &stat, err);
    if (r != 0 || stat.modified_us / 1000 != file->timestamp_ms) /* K1 */
        return r < 0 ? r : 0;
    if (files->o.cleaning == CLEAN_MOVE) {
        size_t base = strlen(files->glob.base);
        const char *below = strncmp(path, files->glob.base, base) == 0 && path[base] == '/' ? path + base + 1 : path_name(path);
        const char *local;
        r = io_local_path(io, path, arena, &local, err);
        if (r != 0)
            return r < 0 ? r : 0;
        IoPutFile move = {.local_path = local, .path = arena_printf(arena, "%s/%s", files->move_directory, below)};
        SILT_TRY(io_put_files(io, &move, 1, err));
    }
    return io_delete(io, path, err);
}

int files__clean(Source *source, int64_t sealed, SiltErr *err)
{
    Files *files = source->self;
    if (files->o.cleaning == CLEAN_OFF)
        return 0;
    if (!files->clean)
        SILT_TRY(load(files, err));
    FilesCleaning *c = files->clean;
    int64_t now_ms = io_now_us(files->context.io) / 1000, retention_ms = files->o.retention_us / 1000;
    int64_t known = c->count ? c->waiting[c->count - 1].batch : c->cleaned;
    bool changed = sealed > known;
    if (changed && c->count && now_ms - c->waiting[c->count - 1].from_ms < retention_ms / STEPS_A_RETENTION) {
        c->waiting[c->count - 1].batch = sealed;
        c->waiting[c->count - 1].to_ms = now_ms;
    } else if (changed) {
        add_waiting(c, (Waiting){sealed, now_ms, now_ms});
    }
    if (changed)
        SILT_TRY(store(files, err));
    int due = 0;
    while (due < c->count && c->waiting[due].to_ms + retention_ms <= now_ms)
        due++;
    if (due == 0)
        return 0;
    silt_auto(arena_freep) Arena *arena = arena_new();
    LogFile *list;
    int count;
    SILT_TRY(file_log_range(files->log, c->cleaned, c->waiting[due - 1].batch, arena, &list, &count, err));
    for (int i = 0; i < count; i++)
        if (clean_file(files, arena, &list[i], err) < 0) {
            silt_context(err, "cleanSource: ");
            return -1;
        }
    c->cleaned = c->waiting[due - 1].batch;
    memmove(c->waiting, c->waiting + due, sizeof *c->waiting * (size_t)(c->count - due));
    c->count -= due;
    return store(files, err);
}
