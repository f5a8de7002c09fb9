/*
 * source/folders.c - see folders.h
 *
 * The text: a line "v3" with the CRC-32 of all that follows, in hexadecimal; a line "batches full_look_us", behind it what was listed; for each
 * folder a line "part changed_us identity entry_count child_count", behind it its path and the names of its children. Each name ends with a NUL.
 * It is read at the start of every run, so that a parser of JSON would be most of what a thousand folders cost.
 */
#include "source/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* ---- as text ---- */

static void put_folder(StrBuf *out, const Folder *folder)
{
    str_buf_printf(out, "%d %lld %lld %d %d\n%s", folder->part, (long long)folder->changed_us, (long long)folder->identity, folder->entry_count,
                   folder->child_count, folder->path);
    str_buf_putc(out, 0);
    for (int i = 0; i < folder->child_count; i++) {
        str_buf_puts(out, folder->children[i]);
        str_buf_putc(out, 0);
    }
}

void folders_text(Folders *folders, const FoldersAbout *about, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf body = {0};

    str_buf_printf(&body, "%lld %lld\n%s", (long long)about->batches, (long long)about->full_look_us, about->listing);
    str_buf_putc(&body, 0);
    for (int i = 0; i < folders->capacity; i++)
        if (folders->slots[i] && folders->slots[i]->settled)
            put_folder(&body, folders->slots[i]);
    str_buf_printf(out, "v3 %08x\n", (unsigned)crc32_z(0, (const Bytef *)body.ptr, body.size));
    str_buf_str(out, str_buf_view(&body));
    folders->changed = false;
}

/* A number and the blank or line feed behind it. */
static bool take_number(Str *text, char behind, int64_t *out)
{
    const char *end = memchr(text->ptr, behind, text->size);
    if (!end || !str_to_int64((Str){text->ptr, (size_t)(end - text->ptr)}, out))
        return false;
    *text = (Str){end + 1, text->size - (size_t)(end + 1 - text->ptr)};
    return true;
}

/* Up to a NUL; NULL: there is none. */
static const char *take_name(Str *text)
{
    const char *name = text->ptr, *end = memchr(name, 0, text->size);
    if (!end)
        return NULL;
    *text = (Str){end + 1, text->size - (size_t)(end + 1 - name)};
    return name;
}

static bool take_folder(Folders *folders, Str *text)
{
    int64_t part, changed_us, identity, entries, children;
    if (!take_number(text, ' ', &part) || !take_number(text, ' ', &changed_us) || !take_number(text, ' ', &identity) || !take_number(text, ' ', &entries) ||
        !take_number(text, '\n', &children))
        return false;
    const char *path = take_name(text);
    if (!path)
        return false;
    IoStat stat = {.changed_us = changed_us, .identity = (uint64_t)identity};
    Folder *folder = folders_begin(folders, (int)part, path, &stat, INT64_MAX);
    folder->entry_count = (int)entries;
    for (; children > 0; children--) {
        const char *name = take_name(text);
        if (!name)
            return false;
        folder_add_child(folder, name);
    }
    return true;
}

/* Steps over the first line. Is it of this version, and is what follows as it was written? */
static bool check_head(Str *text)
{
    static const char version[] = "v3 ";
    enum { HEAD_SIZE = sizeof version - 1 + 8 + 1 };
    char head[HEAD_SIZE + 1];
    if (text->size < HEAD_SIZE)
        return false;
    Str body = {text->ptr + HEAD_SIZE, text->size - HEAD_SIZE};
    snprintf(head, sizeof head, "%s%08x\n", version, (unsigned)crc32_z(0, (const Bytef *)body.ptr, body.size));
    bool same = memcmp(text->ptr, head, HEAD_SIZE) == 0;
    *text = body;
    return same;
}

void folders_read(Folders *folders, FoldersAbout *about, Str text)
{
    int64_t batches, full_look_us;
    if (!check_head(&text) || !take_number(&text, ' ', &batches) || !take_number(&text, '\n', &full_look_us))
        return;
    const char *listing = take_name(&text);
    if (!listing || strcmp(listing, about->listing) != 0 || batches > about->batches)
        return;
    while (text.size)
        if (!take_folder(folders, &text)) {
            folders_clear(folders);
            break;
        }
    if (folders->count)
        about->full_look_us = full_look_us;
    folders_settle(folders, true);
    folders->changed = false;
}
