/*
 * flow/loaded.c - the files that a table has loaded by COPY INTO, in its own folder
 *
 *   <table>/_silt_copy/<N>.jsonl   the list of copy N: a head, then a file a line
 *   {"silt":"copy into","version":1,"whole":false}
 *   {"path":"file:///in/a.json","size":120,"modified":1795967703953}
 *
 * Readers of Delta leave names with an underscore alone, so the list disturbs nobody and goes wherever the table goes. Every tenth list is
 * whole: it holds all files so far, and the lists before it are needless.
 *
 *   P1  List N counts once the table's log holds the txn (silt-copy-into, M) with M >= N. It is written before that commit, so a crash leaves a
 *       list that counts for nothing, and the next copy writes over it.
 *   P2  From the last whole list up to the sealed one, every list is there.
 *   P3  One COPY INTO a table at a time (lock, in flow/copy.c); should two run all the same, one of the two commits of txn N fails.
 */
#include "flow/internal.h"
#include "base/json.h"
#include "source/seen_set.h"
#include <stdlib.h>
#include <string.h>

enum { WHOLE_INTERVAL = 10 };

/* A file of the list, for writing whole ones. */
typedef struct Loaded {
    const char *line; /* as it stands in the list */
} Loaded;

struct LoadedFiles {
    Io *io;
    Arena *arena;
    const char *folder;
    int64_t sealed; /* -1: none */
    SeenSet seen;
    Loaded *lines;
    int count, capacity;
    bool added_whole; /* of flow__loaded_add */
};

const char *flow__loaded_folder(Arena *arena, const char *table_path)
{
    return arena_printf(arena, "%s/_silt_copy", table_path);
}

static const char *list_path(const LoadedFiles *files, Arena *arena, int64_t number)
{
    return arena_printf(arena, "%s/%lld.jsonl", files->folder, (long long)number);
}

void loaded_files_free(LoadedFiles *files)
{
    if (!files)
        return;
    seen_set_fini(&files->seen);
    arena_free(files->arena);
    free(files);
}

static int damaged(const LoadedFiles *files, int64_t number, const char *how, SiltErr *err)
{
    silt_fail(err, SILT_CORRUPT, "the list of loaded files \"%s/%lld.jsonl\" %s", files->folder, (long long)number, how);
    return silt_hint(err, "Without it COPY INTO cannot know what the table holds. Put it back from a copy of the table's folder, or load into a new table.");
}

/* One line of a list; the head when first. */
static int read_line(LoadedFiles *files, Str line, bool first, int64_t number, bool *whole, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Json *json;

    if (json_parse(arena, line, &json, err) < 0)
        return damaged(files, number, "is damaged", err);
    if (first) {
        if (json_int(json_get(json, "version"), -1) != 1)
            return damaged(files, number, "is of another version", err);
        *whole = json_bool(json_get(json, "whole"), false);
        return 0;
    }
    Str path = json_str(json_get(json, "path"), "");
    if (!path.size)
        return damaged(files, number, "is damaged", err);
    if (seen_set_has(&files->seen, path, 0)) /* loaded again with force */
        return 0;
    seen_set_add(&files->seen, path, 0);
    Loaded loaded = {arena_strndup(files->arena, line.ptr, line.size)};
    ARENA_PUSH(files->arena, files->lines, files->count, files->capacity, loaded);
    return 0;
}

static int read_list(LoadedFiles *files, int64_t number, bool *whole, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Str text;
    bool first = true;

    int r = io_read(files->io, list_path(files, arena, number), arena, &text, err);
    if (r == IO_ABSENT)
        return damaged(files, number, "is gone", err);
    SILT_TRY(r);
    if (!text.size || text.ptr[text.size - 1] != '\n')
        return damaged(files, number, "is cut off", err);
    for (const char *p = text.ptr, *end = p + text.size; p < end; first = false) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        SILT_TRY(read_line(files, (Str){p, (size_t)(stop - p)}, first, number, whole, err));
        p = stop + 1;
    }
    return 0;
}

static int read_lists(LoadedFiles *files, SiltErr *err)
{
    bool whole = false;

    for (int64_t number = files->sealed; number >= 0 && !whole; number--)
        SILT_TRY(read_list(files, number, &whole, err));
    return 0;
}

int loaded_files_open(Io *io, const DeltaTable *table, LoadedFiles **out, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    LoadedFiles *files = silt_alloc(sizeof *files);

    files->io = io;
    files->arena = arena_new();
    files->folder = flow__loaded_folder(files->arena, delta_table_path(table));
    files->sealed = snapshot ? delta_snapshot_txn(snapshot, LOADED_APP) : -1;
    int r = read_lists(files, err);
    if (r < 0) {
        loaded_files_free(files);
        return r;
    }
    *out = files;
    return 0;
}

bool loaded_files_has(const LoadedFiles *files, const char *uri)
{
    return seen_set_has(&files->seen, str_of(uri), 0);
}

int64_t flow__loaded_sealed(const LoadedFiles *files)
{
    return files->sealed;
}

int flow__loaded_sync(const LoadedFiles *files, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    if (files->sealed < 0)
        return 0;
    int r = io_sync(files->io, list_path(files, arena, files->sealed), err);
    return r < 0 ? r : 0;
}

int flow__loaded_add(LoadedFiles *files, const SourcePart *parts, int count, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    int64_t number = files->sealed + 1;
    bool whole = number % WHOLE_INTERVAL == 0;

    str_buf_printf(&text, "{\"silt\":\"copy into\",\"version\":1,\"whole\":%s}\n", whole ? "true" : "false");
    for (int i = 0; whole && i < files->count; i++)
        str_buf_printf(&text, "%s\n", files->lines[i].line);
    for (int i = 0; i < count; i++) {
        JsonWriter w = {.out = &text};
        if (parts[i].missing)
            continue;
        json_object(&w);
        json_member(&w, "path", parts[i].name);
        json_member_int(&w, "size", parts[i].size_bytes);
        json_member_int(&w, "modified", parts[i].modified_ms);
        json_object_end(&w);
        str_buf_putc(&text, '\n');
    }
    files->added_whole = whole;
    return io_put(files->io, list_path(files, arena, number), str_buf_view(&text), err);
}

void flow__loaded_settle(LoadedFiles *files)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    SiltErr err;

    for (int64_t number = files->sealed; files->added_whole && number >= 0 && number > files->sealed - WHOLE_INTERVAL; number--)
        if (io_delete(files->io, list_path(files, arena, number), &err) < 0)
            return; /* they are only needless */
}
