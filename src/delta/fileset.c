/*
 * delta/fileset.c - the live files of a table, at every version from a base on
 *
 * An array of entries in order of arrival, each with the version that added and the one that removed it, and a hash from
 * (name, deletion vector) to the entry that is live at the newest version.
 *
 *   S1  Entries are only appended, and `removed` is set once: what was live at an older version can always be listed again.
 *   S2  At most one entry of a key is live at a version.
 *   S3  A file's struct never moves, so that snapshots may point to it.
 */
#include "delta/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
    const DeltaFile *file;
    int64_t added, removed; /* removed: INT64_MAX while live */
    uint64_t hash;
} Entry;

struct FileSet {
    Arena *arena;
    int holders;
    int64_t base, version;
    Entry *entries;
    int64_t count, capacity, live;
    int64_t *slots; /* index + 1 of an entry, 0: free. Removed entries stay as steps of the probe. */
    uint64_t slot_count;
    uint64_t used;
};

FileSet *delta__fileset_new(int64_t version)
{
    FileSet *set = silt_alloc(sizeof *set);
    set->arena = arena_new();
    set->holders = 1;
    set->base = set->version = version;
    return set;
}

FileSet *delta__fileset_ref(FileSet *set)
{
    set->holders++;
    return set;
}

void delta__fileset_unref(FileSet *set)
{
    if (!set || --set->holders > 0)
        return;
    arena_free(set->arena);
    free(set->entries);
    free(set->slots);
    free(set);
}

Arena *delta__fileset_arena(FileSet *set)
{
    return set->arena;
}

int64_t delta__fileset_version(const FileSet *set)
{
    return set->version;
}

int64_t delta__fileset_base(const FileSet *set)
{
    return set->base;
}

void delta__fileset_set_version(FileSet *set, int64_t version)
{
    set->version = version;
}

int64_t delta__fileset_live_count(const FileSet *set)
{
    return set->live;
}

int64_t delta__fileset_dead_count(const FileSet *set)
{
    return set->count - set->live;
}

static uint64_t hash_bytes(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_key(const char *name, const DeltaVector *vector)
{
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, name);
    if (vector) {
        hash = (hash ^ (unsigned char)vector->storage) * 0x100000001b3u;
        hash = hash_bytes(hash, vector->path_or_inline);
        hash = (hash ^ (uint64_t)vector->offset) * 0x100000001b3u;
    }
    return hash ^ hash >> 29;
}

static bool same_vector(const DeltaVector *a, const DeltaVector *b)
{
    if (!a || !b)
        return a == b;
    return a->storage == b->storage && a->offset == b->offset && strcmp(a->path_or_inline, b->path_or_inline) == 0;
}

static Entry *find(const FileSet *set, const char *name, const DeltaVector *vector, uint64_t hash)
{
    if (!set->slot_count)
        return NULL;
    for (uint64_t at = hash & (set->slot_count - 1); set->slots[at]; at = (at + 1) & (set->slot_count - 1)) {
        Entry *entry = &set->entries[set->slots[at] - 1];
        if (entry->hash == hash && entry->removed == INT64_MAX && strcmp(entry->file->name, name) == 0 &&
            same_vector(entry->file->vector, vector))
            return entry;
    }
    return NULL;
}

/* Room for one more; dead entries drop out of the hash here. */
static void grow_slots(FileSet *set)
{
    if ((set->used + 1) * 4 <= set->slot_count * 3)
        return;
    uint64_t size = 64;
    while (size < (uint64_t)(set->live + 1) * 3)
        size *= 2;
    free(set->slots);
    set->slots = silt_alloc(size * sizeof *set->slots);
    set->slot_count = size;
    set->used = 0;
    for (int64_t i = 0; i < set->count; i++) {
        if (set->entries[i].removed != INT64_MAX)
            continue;
        uint64_t at = set->entries[i].hash & (size - 1);
        while (set->slots[at])
            at = (at + 1) & (size - 1);
        set->slots[at] = i + 1;
        set->used++;
    }
}

void delta__fileset_add(FileSet *set, const DeltaFile *file, int64_t version)
{
    uint64_t hash = hash_key(file->name, file->vector);
    Entry *old = find(set, file->name, file->vector, hash);
    if (old) { /* S2: added again: new statistics or tags of the same file */
        old->removed = version;
        set->live--;
    }
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 64;
        set->entries = silt_realloc(set->entries, (size_t)set->capacity * sizeof *set->entries);
    }
    grow_slots(set);
    set->entries[set->count++] = (Entry){file, version, INT64_MAX, hash};
    set->live++;
    uint64_t at = hash & (set->slot_count - 1);
    while (set->slots[at])
        at = (at + 1) & (set->slot_count - 1);
    set->slots[at] = set->count;
    set->used++;
}

void delta__fileset_remove(FileSet *set, const char *name, const DeltaVector *vector, int64_t version)
{
    Entry *entry = find(set, name, vector, hash_key(name, vector));
    if (!entry)
        return; /* removed before, or never there: legal in a log that was cleaned up */
    entry->removed = version;
    set->live--;
}

void delta__fileset_apply(FileSet *set, const DeltaCommit *commit)
{
    silt_assert(commit->version == set->version + 1);
    for (int i = 0; i < commit->remove_count; i++)
        delta__fileset_remove(set, commit->removes[i].name, commit->removes[i].vector, commit->version);
    for (int i = 0; i < commit->add_count; i++) {
        DeltaFile *copy = ARENA_NEW(set->arena, DeltaFile);
        delta__file_copy(set->arena, &commit->adds[i], copy);
        delta__fileset_add(set, copy, commit->version);
    }
    set->version = commit->version;
}

FileSet *delta__fileset_compact(const FileSet *set)
{
    FileSet *fresh = delta__fileset_new(set->version);
    for (int64_t i = 0; i < set->count; i++) {
        if (set->entries[i].removed != INT64_MAX)
            continue;
        DeltaFile *copy = ARENA_NEW(fresh->arena, DeltaFile);
        delta__file_copy(fresh->arena, set->entries[i].file, copy);
        delta__fileset_add(fresh, copy, fresh->version);
    }
    return fresh;
}

const DeltaFile **delta__fileset_live(const FileSet *set, int64_t version, Arena *arena, int64_t *count)
{
    silt_assert(version >= set->base && version <= set->version);
    int64_t found = 0;
    for (int64_t i = 0; i < set->count; i++)
        if (set->entries[i].added <= version && version < set->entries[i].removed)
            found++;
    const DeltaFile **files = ARENA_ARRAY(arena, const DeltaFile *, found ? found : 1);
    *count = 0;
    for (int64_t i = 0; i < set->count; i++)
        if (set->entries[i].added <= version && version < set->entries[i].removed)
            files[(*count)++] = set->entries[i].file;
    return files;
}
