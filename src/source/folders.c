/* source/folders.c - see folders.h */
#include "source/folders.h"

#include "base/arena.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

struct Folders {
    Folder **slots; /* open addressing by path and part */
    int capacity, count, settled;
    int64_t entries; /* of settled ones */
    bool changed;
};

Folders *folders_new(void)
{
    return silt_alloc(sizeof(Folders));
}

static void drop_children(Folder *folder)
{
    for (int i = 0; i < folder->child_count; i++)
        free(folder->children[i]);
    folder->child_count = 0;
}

void folders_clear(Folders *folders)
{
    for (int i = 0; i < folders->capacity; i++) {
        Folder *folder = folders->slots[i];
        if (!folder)
            continue;
        drop_children(folder);
        free(folder->children);
        free(folder->path);
        free(folder);
    }
    free(folders->slots);
    *folders = (Folders){.changed = folders->changed || folders->settled > 0};
}

void folders_free(Folders *folders)
{
    if (!folders)
        return;
    folders_clear(folders);
    free(folders);
}

int folders_count(const Folders *folders)
{
    return folders->settled;
}

int64_t folders_entries(const Folders *folders)
{
    return folders->entries;
}

bool folders_changed(const Folders *folders)
{
    return folders->changed;
}

static Folder **find(const Folders *folders, int part, const char *path)
{
    uint32_t h = 2166136261u ^ (uint32_t)part;
    for (const char *p = path; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    uint32_t mask = (uint32_t)folders->capacity - 1, slot = (h ^ h >> 15) & mask;
    while (folders->slots[slot] && (folders->slots[slot]->part != part || strcmp(folders->slots[slot]->path, path) != 0))
        slot = (slot + 1) & mask;
    return &folders->slots[slot];
}

const Folder *folders_settled(const Folders *folders, int part, const char *path, const IoStat *stat)
{
    if (!folders->capacity)
        return NULL;
    const Folder *folder = *find(folders, part, path);
    return folder && folder->settled && folder->changed_us == stat->changed_us && folder->identity == stat->identity ? folder : NULL;
}

Folder *folders_begin(Folders *folders, int part, const char *path, const IoStat *stat, int64_t now_us)
{
    if ((folders->count + 1) * 2 > folders->capacity) {
        Folder **old = folders->slots;
        int old_capacity = folders->capacity;
        folders->capacity = old_capacity ? old_capacity * 2 : 64;
        folders->slots = silt_alloc(sizeof *folders->slots * (size_t)folders->capacity);
        for (int i = 0; i < old_capacity; i++)
            if (old[i])
                *find(folders, old[i]->part, old[i]->path) = old[i];
        free(old);
    }
    Folder **slot = find(folders, part, path);
    if (!*slot) {
        *slot = silt_alloc(sizeof **slot);
        (*slot)->path = silt_strdup(path);
        (*slot)->part = part;
        folders->count++;
    }
    Folder *folder = *slot;
    if (folder->settled) {
        folders->settled--;
        folders->entries -= folder->entry_count;
        folders->changed = true;
    }
    drop_children(folder);
    folder->settled = false;
    folder->pending = true;
    folder->changed_us = stat->changed_us;
    folder->identity = stat->identity;
    folder->quiet = stat->changed_us > 0 && stat->changed_us < now_us - FOLDER_QUIET_US;
    return folder;
}

void folder_add_child(Folder *folder, const char *name)
{
    if (folder->child_count == folder->child_capacity) {
        folder->child_capacity = folder->child_capacity ? folder->child_capacity * 2 : 8;
        folder->children = silt_realloc(folder->children, sizeof *folder->children * (size_t)folder->child_capacity);
    }
    folder->children[folder->child_count++] = silt_strdup(name);
}

void folders_settle(Folders *folders, bool taken)
{
    for (int i = 0; i < folders->capacity; i++) {
        Folder *folder = folders->slots[i];
        if (!folder || !folder->pending)
            continue;
        folder->pending = false;
        folder->settled = taken && folder->quiet; /* D1 */
        folders->settled += folder->settled;
        folders->entries += folder->settled ? folder->entry_count : 0;
        folders->changed |= folder->settled;
    }
}

void folders_text(Folders *folders, const FoldersAbout *about, StrBuf *out)
{
    JsonWriter head = {.out = out};
    str_buf_puts(out, "v2\n");
    json_object(&head);
    json_member(&head, "about", about->listing);
    json_member_int(&head, "batches", about->batches);
    json_member_int(&head, "fullLook", about->full_look_us);
    json_object_end(&head);
    for (int i = 0; i < folders->capacity; i++) {
        const Folder *folder = folders->slots[i];
        if (!folder || !folder->settled)
            continue;
        JsonWriter w = {.out = out};
        str_buf_putc(out, '\n');
        json_object(&w);
        json_member(&w, "path", folder->path);
        json_member_int(&w, "part", folder->part);
        json_member_int(&w, "changed", folder->changed_us);
        json_member_int(&w, "identity", (int64_t)folder->identity);
        json_member_int(&w, "entries", folder->entry_count);
        json_key(&w, "folders");
        json_array(&w);
        for (int c = 0; c < folder->child_count; c++)
            json_text(&w, folder->children[c]);
        json_array_end(&w);
        json_object_end(&w);
    }
    folders->changed = false;
}

int folders_read(Folders *folders, FoldersAbout *about, Str text, SiltErr *err)
{
    const char *p = text.ptr, *end = p + text.size;
    silt_auto(arena_freep) Arena *arena = arena_new();
    for (int line = 1; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        Str row = {p, (size_t)((stop ? stop : end) - p)};
        p = stop ? stop + 1 : end;
        if (line == 1 && !str_is(row, "v2"))
            return 0; /* of another version: all is listed */
        if (line == 1)
            continue;
        const Json *json;
        arena_reset(arena);
        SILT_TRY(json_parse(arena, row, &json, err));
        if (line == 2) {
            if (!str_is(json_str(json_get(json, "about"), ""), about->listing) || json_int(json_get(json, "batches"), INT64_MAX) > about->batches)
                return 0;
            about->full_look_us = json_int(json_get(json, "fullLook"), 0);
            continue;
        }
        IoStat stat = {.changed_us = json_int(json_get(json, "changed"), 0), .identity = (uint64_t)json_int(json_get(json, "identity"), 0)};
        Folder *folder = folders_begin(folders, (int)json_int(json_get(json, "part"), 0), json_cstr(json_get(json, "path"), ""), &stat, INT64_MAX);
        folder->entry_count = (int)json_int(json_get(json, "entries"), 0);
        const Json *children = json_get(json, "folders");
        for (int i = 0; i < json_size(children); i++)
            folder_add_child(folder, json_cstr(json_at(children, i), ""));
    }
    folders_settle(folders, true);
    folders->changed = false;
    return 0;
}
