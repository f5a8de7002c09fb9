/*
 * io/fs_memory.c - a simulated disk that can fail, lie, tear and lose its power
 *
 * Files and directories are inodes; a directory maps names to inodes. Of each inode there is what a process sees and what is
 * safe on the platter: a file's content as of its last sync, a directory's names as of its last sync. A power cut takes the
 * safe side of everything. Start with judge(), which every mutating call passes, and lose_power().
 *
 *   M1  A mutating call is one operation; operations are numbered in the order in which they happen.
 *   M2  Syncing a file makes its content safe, not its name; syncing a directory makes its names safe, not what they name.
 *   M3  After a power cut nothing works until the restart, so that no clean-up can hide what a dead process would leave.
 */
#include "io/memory.h"

#include "base/uri.h"
#include "io/internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Node Node;

typedef struct Name {
    char *name;
    Node *node;
} Name;

typedef struct Names {
    Name *items; /* sorted by name */
    int count, capacity;
} Names;

struct Node {
    int references; /* names (seen or safe) and open files */
    bool is_directory;
    uint64_t id, version; /* version: raised by each write */
    int64_t modified_us;
    StrBuf content, safe_content;
    Names names, safe_names;
    uint64_t locked_in; /* the life (see below) in which somebody locked it; 0: nobody */
};

typedef struct MemoryFs {
    Fs base;
    pthread_mutex_t mutex; /* guards everything */
    Node *root;
    uint64_t nodes_made;
    char *scratch;    /* NULL: a temporary directory, not asked for yet */
    bool own_scratch; /* made here, removed with the file system */
    StrBuf copies; /* directory of local copies; made when first asked for */

    int64_t operations, fault_at;
    IoFault fault;
    bool fired, dark;
    IoLoss loss;
    uint64_t life; /* raised by a restart: locks and open files of an earlier life are dead */

    int64_t clock_us, monotonic_us;
    int64_t look_us; /* what one look at the clock, or one change of a file, takes */
    uint64_t dice;
} MemoryFs;

typedef struct MemoryFile {
    FsFile base;
    MemoryFs *fs;
    Node *node;
    uint64_t life;
} MemoryFile;

typedef struct MemoryLock {
    FsLock base;
    MemoryFs *fs;
    Node *node;
    uint64_t life;
} MemoryLock;

static const FsOps memory_ops;

/* ---- inodes ---- */

static Node *node_new(MemoryFs *fs, bool is_directory)
{
    Node *node = silt_alloc(sizeof *node);
    node->is_directory = is_directory;
    node->id = ++fs->nodes_made;
    node->modified_us = fs->clock_us += fs->look_us;
    return node;
}

static void names_clear(Names *names);

static void node_unref(Node *node)
{
    if (--node->references > 0)
        return;
    names_clear(&node->names);
    names_clear(&node->safe_names);
    str_buf_fini(&node->content);
    str_buf_fini(&node->safe_content);
    free(node);
}

static Node *node_ref(Node *node)
{
    node->references++;
    return node;
}

static void names_clear(Names *names)
{
    for (int i = 0; i < names->count; i++) {
        free(names->items[i].name);
        node_unref(names->items[i].node);
    }
    free(names->items);
    *names = (Names){0};
}

/* Where name is, or where it would go. */
static int names_place(const Names *names, const char *name, bool *found)
{
    int low = 0, high = names->count;
    *found = false;
    while (low < high) {
        int middle = low + (high - low) / 2, order = strcmp(names->items[middle].name, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static Node *names_get(const Names *names, const char *name)
{
    bool found;
    int place = names_place(names, name, &found);
    return found ? names->items[place].node : NULL;
}

static void names_set(Names *names, const char *name, Node *node)
{
    bool found;
    int place = names_place(names, name, &found);
    node_ref(node);
    if (found) {
        node_unref(names->items[place].node);
        names->items[place].node = node;
        return;
    }
    if (names->count == names->capacity) {
        names->capacity = names->capacity ? names->capacity * 2 : 8;
        names->items = silt_realloc(names->items, sizeof *names->items * (size_t)names->capacity);
    }
    memmove(names->items + place + 1, names->items + place, sizeof *names->items * (size_t)(names->count - place));
    names->items[place] = (Name){silt_strdup(name), node};
    names->count++;
}

static void names_remove(Names *names, const char *name)
{
    bool found;
    int place = names_place(names, name, &found);
    silt_assert(found);
    free(names->items[place].name);
    node_unref(names->items[place].node);
    names->count--;
    memmove(names->items + place, names->items + place + 1, sizeof *names->items * (size_t)(names->count - place));
}

static void names_copy(Names *to, const Names *from)
{
    Names copy = {.count = from->count, .capacity = from->count};
    copy.items = silt_alloc(sizeof *copy.items * (size_t)from->count);
    for (int i = 0; i < from->count; i++)
        copy.items[i] = (Name){silt_strdup(from->items[i].name), node_ref(from->items[i].node)};
    names_clear(to); /* last: it may hold the only other reference */
    *to = copy;
}

static void content_set(StrBuf *to, const StrBuf *from)
{
    str_buf_clear(to);
    str_buf_add(to, from->ptr, from->size);
}

/* An entry of a directory came or went. */
static void touch(const MemoryFs *fs, Node *directory)
{
    directory->modified_us = fs->clock_us;
}

/* Walk to the directory of path; *name: its last part. */
static int walk(MemoryFs *fs, const char *path, Node **directory, char name[NAME_MAX + 1])
{
    Node *at = fs->root;
    const char *part = path;
    name[0] = '\0';
    for (;;) {
        while (*part == '/')
            part++;
        size_t size = strcspn(part, "/");
        if (size == 0)
            break;
        if (name[0]) {
            at = names_get(&at->names, name);
            if (!at)
                return ENOENT;
            if (!at->is_directory)
                return ENOTDIR;
        }
        if (size > NAME_MAX)
            return ENAMETOOLONG;
        memcpy(name, part, size);
        name[size] = '\0';
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            return EINVAL; /* not simulated */
        part += size;
    }
    *directory = at;
    return 0;
}

static int find(MemoryFs *fs, const char *path, Node **out)
{
    char name[NAME_MAX + 1];
    Node *directory;
    int error = walk(fs, path, &directory, name);
    if (error)
        return error;
    Node *node = name[0] ? names_get(&directory->names, name) : fs->root;
    if (!node)
        return ENOENT;
    *out = node;
    return 0;
}

/* ---- faults ---- */

typedef enum Verdict { DO, DO_AND_LIE, DO_HALF, REFUSE } Verdict;

static Verdict judge(MemoryFs *fs)
{
    if (fs->dark)
        return REFUSE;
    int64_t number = fs->operations++; /* M1 */
    if (fs->fault == IO_FAULT_NONE || number != fs->fault_at)
        return DO;
    fs->fired = true;
    switch (fs->fault) {
    case IO_FAULT_LIE:
        return DO_AND_LIE;
    case IO_FAULT_HALF:
        return DO_HALF;
    case IO_FAULT_POWER:
        fs->dark = true; /* M3 */
        return REFUSE;
    default:
        return REFUSE;
    }
}

static void lose_power_under(MemoryFs *fs, Node *node)
{
    if (!node->is_directory) {
        if (node->content.size != node->safe_content.size ||
            (node->content.size && memcmp(node->content.ptr, node->safe_content.ptr, node->content.size) != 0))
            node->version++; /* a local copy of it is stale */
        content_set(&node->content, &node->safe_content);
        return;
    }
    if (fs->loss == IO_LOSS_NAMES)
        names_copy(&node->names, &node->safe_names);
    else
        names_copy(&node->safe_names, &node->names);
    for (int i = 0; i < node->names.count; i++)
        lose_power_under(fs, node->names.items[i].node);
}

void io_memory_arm(Io *io, int64_t at, IoFault fault)
{
    MemoryFs *fs = (MemoryFs *)io->fs;
    pthread_mutex_lock(&fs->mutex);
    fs->operations = 0;
    fs->fault_at = at;
    fs->fault = fault;
    fs->fired = false;
    pthread_mutex_unlock(&fs->mutex);
}

int64_t io_memory_operations(const Io *io)
{
    MemoryFs *fs = (MemoryFs *)io->fs;
    pthread_mutex_lock(&fs->mutex);
    int64_t operations = fs->operations;
    pthread_mutex_unlock(&fs->mutex);
    return operations;
}

bool io_memory_fault_fired(const Io *io)
{
    MemoryFs *fs = (MemoryFs *)io->fs;
    pthread_mutex_lock(&fs->mutex);
    bool fired = fs->fired;
    pthread_mutex_unlock(&fs->mutex);
    return fired;
}

void io_memory_loss(Io *io, IoLoss loss)
{
    MemoryFs *fs = (MemoryFs *)io->fs;
    pthread_mutex_lock(&fs->mutex);
    fs->loss = loss;
    pthread_mutex_unlock(&fs->mutex);
}

void io_memory_restart(Io *io, bool lose_unsynced)
{
    MemoryFs *fs = (MemoryFs *)io->fs;
    pthread_mutex_lock(&fs->mutex);
    if (fs->dark || lose_unsynced)
        lose_power_under(fs, fs->root);
    fs->dark = fs->fired = false;
    fs->fault = IO_FAULT_NONE;
    fs->operations = 0;
    fs->life++;
    pthread_mutex_unlock(&fs->mutex);
    io__forget_directories(io);
}

/* ---- files ---- */

static MemoryFs *enter(Fs *base)
{
    MemoryFs *fs = (MemoryFs *)base;
    pthread_mutex_lock(&fs->mutex);
    return fs;
}

static int leave(MemoryFs *fs, int error)
{
    pthread_mutex_unlock(&fs->mutex);
    return error;
}

static FsFile *wrap(MemoryFs *fs, Node *node)
{
    MemoryFile *file = silt_alloc(sizeof *file);
    file->base.ops = &memory_ops;
    file->fs = fs;
    file->node = node_ref(node);
    file->life = fs->life;
    return &file->base;
}

static int memory_open(Fs *base, const char *path, FsFile **out)
{
    MemoryFs *fs = enter(base);
    Node *node;
    int error = fs->dark ? EIO : find(fs, path, &node);
    if (!error && node->is_directory)
        error = EISDIR;
    if (!error)
        *out = wrap(fs, node);
    return leave(fs, error);
}

static int memory_create(Fs *base, const char *path, FsFile **out)
{
    MemoryFs *fs = enter(base);
    Verdict verdict = judge(fs);
    char name[NAME_MAX + 1];
    Node *directory;
    if (verdict == REFUSE || verdict == DO_HALF)
        return leave(fs, EIO);
    int error = walk(fs, path, &directory, name);
    if (!error && (!name[0] || names_get(&directory->names, name)))
        error = EEXIST;
    if (error)
        return leave(fs, error);
    Node *node = node_new(fs, false);
    names_set(&directory->names, name, node);
    touch(fs, directory);
    if (verdict == DO_AND_LIE)
        return leave(fs, EIO);
    *out = wrap(fs, node);
    return leave(fs, 0);
}

static int memory_write(FsFile *base, const void *bytes, size_t size)
{
    MemoryFile *file = (MemoryFile *)base;
    MemoryFs *fs = enter(&file->fs->base);
    Verdict verdict = judge(fs);
    if (verdict == REFUSE || file->life != fs->life)
        return leave(fs, EIO);
    str_buf_add(&file->node->content, bytes, verdict == DO_HALF ? size / 2 : size);
    file->node->version++;
    file->node->modified_us = fs->clock_us += fs->look_us;
    return leave(fs, verdict == DO ? 0 : EIO);
}

static int memory_read(FsFile *base, int64_t offset, void *buffer, size_t size, size_t *got)
{
    MemoryFile *file = (MemoryFile *)base;
    MemoryFs *fs = enter(&file->fs->base);
    if (fs->dark || file->life != fs->life)
        return leave(fs, EIO);
    const StrBuf *content = &file->node->content;
    size_t left = offset < (int64_t)content->size ? content->size - (size_t)offset : 0;
    *got = size < left ? size : left;
    if (*got)
        memcpy(buffer, content->ptr + offset, *got);
    return leave(fs, 0);
}

static int memory_size(FsFile *base, int64_t *out)
{
    MemoryFile *file = (MemoryFile *)base;
    MemoryFs *fs = enter(&file->fs->base);
    *out = (int64_t)file->node->content.size;
    return leave(fs, 0);
}

static int memory_sync(FsFile *base)
{
    MemoryFile *file = (MemoryFile *)base;
    MemoryFs *fs = enter(&file->fs->base);
    Verdict verdict = judge(fs);
    if (verdict == REFUSE || verdict == DO_HALF || file->life != fs->life)
        return leave(fs, EIO);
    content_set(&file->node->safe_content, &file->node->content); /* M2 */
    return leave(fs, verdict == DO ? 0 : EIO);
}

static void memory_close(FsFile *base)
{
    MemoryFile *file = (MemoryFile *)base;
    MemoryFs *fs = enter(&file->fs->base);
    node_unref(file->node);
    leave(fs, 0);
    free(file);
}

/* ---- names ---- */

static int memory_rename(Fs *base, const char *from, const char *to)
{
    MemoryFs *fs = enter(base);
    Verdict verdict = judge(fs);
    char old_name[NAME_MAX + 1], new_name[NAME_MAX + 1];
    Node *old_directory, *new_directory;
    if (verdict == REFUSE || verdict == DO_HALF)
        return leave(fs, EIO);
    int error = walk(fs, from, &old_directory, old_name);
    if (!error)
        error = walk(fs, to, &new_directory, new_name);
    if (error)
        return leave(fs, error);
    Node *node = names_get(&old_directory->names, old_name), *replaced = names_get(&new_directory->names, new_name);
    if (!node)
        return leave(fs, ENOENT);
    silt_assert(!node->is_directory); /* no caller moves directories */
    if (!new_name[0] || (replaced && replaced->is_directory))
        return leave(fs, EISDIR);
    if (node != replaced) {
        names_set(&new_directory->names, new_name, node);
        names_remove(&old_directory->names, old_name);
        touch(fs, new_directory);
        touch(fs, old_directory);
    }
    return leave(fs, verdict == DO ? 0 : EIO);
}

static int memory_link(Fs *base, const char *from, const char *to)
{
    MemoryFs *fs = enter(base);
    Verdict verdict = judge(fs);
    char name[NAME_MAX + 1];
    Node *node, *directory;
    if (verdict == REFUSE || verdict == DO_HALF)
        return leave(fs, EIO);
    int error = find(fs, from, &node);
    if (!error)
        error = walk(fs, to, &directory, name);
    if (!error && (!name[0] || names_get(&directory->names, name)))
        error = EEXIST;
    if (error)
        return leave(fs, error);
    names_set(&directory->names, name, node);
    touch(fs, directory);
    return leave(fs, verdict == DO ? 0 : EIO);
}

static int memory_unlink(Fs *base, const char *path)
{
    MemoryFs *fs = enter(base);
    Verdict verdict = judge(fs);
    char name[NAME_MAX + 1];
    Node *directory;
    if (verdict == REFUSE || verdict == DO_HALF)
        return leave(fs, EIO);
    int error = walk(fs, path, &directory, name);
    if (error)
        return leave(fs, error);
    Node *node = name[0] ? names_get(&directory->names, name) : fs->root;
    if (!node)
        return leave(fs, ENOENT);
    if (node->is_directory)
        return leave(fs, EISDIR);
    names_remove(&directory->names, name);
    touch(fs, directory);
    return leave(fs, verdict == DO ? 0 : EIO);
}

static int memory_mkdir(Fs *base, const char *path)
{
    MemoryFs *fs = enter(base);
    Verdict verdict = judge(fs);
    char name[NAME_MAX + 1];
    Node *directory;
    if (verdict == REFUSE || verdict == DO_HALF)
        return leave(fs, EIO);
    int error = walk(fs, path, &directory, name);
    if (!error && (!name[0] || names_get(&directory->names, name)))
        error = EEXIST;
    if (error)
        return leave(fs, error);
    names_set(&directory->names, name, node_new(fs, true));
    touch(fs, directory);
    return leave(fs, verdict == DO ? 0 : EIO);
}

static int memory_sync_directory(Fs *base, const char *path)
{
    MemoryFs *fs = enter(base);
    Verdict verdict = judge(fs);
    Node *node;
    if (verdict == REFUSE || verdict == DO_HALF)
        return leave(fs, EIO);
    int error = find(fs, path, &node);
    if (!error && !node->is_directory)
        error = ENOTDIR;
    if (error)
        return leave(fs, error);
    names_copy(&node->safe_names, &node->names); /* M2 */
    return leave(fs, verdict == DO ? 0 : EIO);
}

static IoStat stat_of(const Node *node)
{
    return (IoStat){.size_bytes = (int64_t)node->content.size,
                    .modified_us = node->modified_us,
                    .changed_us = node->modified_us,
                    .is_directory = node->is_directory};
}

static int memory_stat(Fs *base, const char *path, IoStat *out)
{
    MemoryFs *fs = enter(base);
    Node *node;
    int error = fs->dark ? EIO : find(fs, path, &node);
    if (!error)
        *out = stat_of(node);
    return leave(fs, error);
}

static bool memory_same(Fs *base, const char *a, const char *b)
{
    MemoryFs *fs = enter(base);
    Node *x, *y;
    bool same = !fs->dark && find(fs, a, &x) == 0 && find(fs, b, &y) == 0 && x == y;
    leave(fs, 0);
    return same;
}

static int memory_list(Fs *base, const char *directory, void (*visit)(void *self, const char *name, IoStat stat), void *self)
{
    MemoryFs *fs = enter(base);
    Node *node;
    int error = fs->dark ? EIO : find(fs, directory, &node);
    if (!error && !node->is_directory)
        error = ENOTDIR;
    for (int i = 0; !error && i < node->names.count; i++)
        visit(self, node->names.items[i].name, stat_of(node->names.items[i].node));
    return leave(fs, error);
}

static void visit_under(const Node *directory, StrBuf *path, void (*visit)(void *self, const char *path, Str content), void *self)
{
    size_t base = path->size;
    for (int i = 0; i < directory->names.count; i++) {
        const Name *entry = &directory->names.items[i];
        str_buf_printf(path, "/%s", entry->name);
        if (entry->node->is_directory)
            visit_under(entry->node, path, visit, self);
        else
            visit(self, path->ptr, str_buf_view(&entry->node->content));
        path->size = base;
        path->ptr[base] = '\0';
    }
}

void io_memory_visit(const Io *io, void (*visit)(void *self, const char *path, Str content), void *self)
{
    MemoryFs *fs = enter(io->fs);
    StrBuf path = {0};
    visit_under(fs->root, &path, visit, self);
    str_buf_fini(&path);
    leave(fs, 0);
}

/* ---- between the store and the local disk ---- */

static int memory_stage(Fs *base, const char *local_path, const char *temp_path, const char **staged)
{
    StrBuf content = {0};
    FsFile *file = NULL;
    int error = io__local_read(local_path, &content);
    if (!error)
        error = memory_create(base, temp_path, &file);
    if (!error)
        error = memory_write(file, str_buf_text(&content), content.size);
    if (file)
        memory_close(file);
    str_buf_fini(&content);
    if (!error)
        *staged = temp_path;
    return error;
}

/* The mutex is held. */
static int need_scratch(MemoryFs *fs)
{
    StrBuf path = {0};
    int error = fs->scratch ? 0 : io__local_temporary_directory(&path);

    if (fs->scratch || error) {
        str_buf_fini(&path);
        return error;
    }
    fs->scratch = path.ptr; /* handed over */
    fs->own_scratch = true;
    return 0;
}

/* A copy per inode and version, so that a copy never changes under whoever reads it. The end of the name is kept. */
static int memory_local_path(Fs *base, const char *path, StrBuf *out)
{
    enum { KEPT_BYTES = 160 };
    MemoryFs *fs = enter(base);
    Node *node;
    int error = fs->dark ? EIO : find(fs, path, &node);
    if (!error && node->is_directory)
        error = EISDIR;
    if (!error)
        error = need_scratch(fs);
    if (!error && fs->copies.size == 0) {
        str_buf_printf(&fs->copies, "%s/copies-XXXXXX", fs->scratch);
        if (!mkdtemp(fs->copies.ptr)) {
            error = errno;
            str_buf_clear(&fs->copies);
        }
    }
    if (error)
        return leave(fs, error);
    const char *name = path_name(path);
    size_t size = strlen(name);
    str_buf_printf(out, "%s/%llu-%llu-%s", fs->copies.ptr, (unsigned long long)node->id, (unsigned long long)node->version,
                   name + (size > KEPT_BYTES ? size - KEPT_BYTES : 0));
    if (access(out->ptr, F_OK) != 0)
        error = io__local_write(out->ptr, str_buf_view(&node->content));
    return leave(fs, error);
}

static int memory_staging_directory(Fs *base, const char *key, StrBuf *out)
{
    MemoryFs *fs = enter(base);
    int error = leave(fs, need_scratch(fs));
    if (error)
        return error;
    if (key[0] == '/' && !strstr(key, "/_silt/"))
        return EINVAL; /* as on the real disk */
    str_buf_printf(out, "%s/staging/", fs->scratch);
    io__local_name_of_key(key, out);
    error = io__local_remove_tree(out->ptr);
    return error ? error : io__local_make_directories(out->ptr);
}

/* ---- locks: on an inode, as flock's ---- */

static int memory_lock(Fs *base, const char *path, FsLock **out, StrBuf *holder)
{
    MemoryFs *fs = enter(base);
    char name[NAME_MAX + 1];
    Node *directory;
    int error = fs->dark ? EIO : walk(fs, path, &directory, name);
    if (error)
        return leave(fs, error);
    Node *node = names_get(&directory->names, name);
    if (!node)
        names_set(&directory->names, name, node = node_new(fs, false)); /* not counted: nothing depends on it being durable */
    if (node->locked_in == fs->life) {
        str_buf_puts(holder, "another user of this simulated disk");
        return leave(fs, EWOULDBLOCK);
    }
    node->locked_in = fs->life;
    MemoryLock *lock = silt_alloc(sizeof *lock);
    lock->base.ops = &memory_ops;
    lock->fs = fs;
    lock->node = node_ref(node);
    lock->life = fs->life;
    *out = &lock->base;
    return leave(fs, 0);
}

static void memory_unlock(FsLock *base)
{
    MemoryLock *lock = (MemoryLock *)base;
    MemoryFs *fs = enter(&lock->fs->base);
    if (lock->life == fs->life)
        lock->node->locked_in = 0;
    node_unref(lock->node);
    leave(fs, 0);
    free(lock);
}

/* ---- time and chance ---- */

enum { LOOK_US = 1000 };

static int64_t memory_now_us(Fs *base)
{
    MemoryFs *fs = enter(base);
    int64_t now_us = fs->clock_us;
    fs->clock_us += fs->look_us;
    leave(fs, 0);
    return now_us;
}

static int64_t memory_monotonic_us(Fs *base)
{
    MemoryFs *fs = enter(base);
    int64_t now_us = fs->monotonic_us;
    fs->monotonic_us += LOOK_US;
    leave(fs, 0);
    return now_us;
}

/* Time passes at once. */
static void memory_sleep_ms(Fs *base, int ms)
{
    MemoryFs *fs = enter(base);
    fs->clock_us += (int64_t)ms * 1000;
    fs->monotonic_us += (int64_t)ms * 1000;
    leave(fs, 0);
}

static void memory_random(Fs *base, void *buffer, size_t size)
{
    MemoryFs *fs = enter(base);
    unsigned char *bytes = buffer;
    for (size_t i = 0; i < size; i++) {
        fs->dice += 0x9E3779B97F4A7C15u; /* splitmix64 */
        uint64_t z = fs->dice;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        bytes[i] = (unsigned char)(z >> 56);
    }
    leave(fs, 0);
}

static int memory_check(const Fs *fs, SiltErr *err)
{
    return 0;
}

static void memory_free(Fs *base)
{
    MemoryFs *fs = (MemoryFs *)base;
    if (fs->copies.size)
        io__local_remove_tree(fs->copies.ptr);
    str_buf_fini(&fs->copies);
    node_unref(fs->root);
    if (fs->own_scratch)
        io__local_remove_tree(fs->scratch);
    free(fs->scratch);
    pthread_mutex_destroy(&fs->mutex);
    free(fs);
}

static const FsOps memory_ops = {
    .threads_max = 1,
    .open = memory_open,
    .create = memory_create,
    .write = memory_write,
    .read = memory_read,
    .size = memory_size,
    .sync = memory_sync,
    .close = memory_close,
    .rename = memory_rename,
    .link = memory_link,
    .unlink = memory_unlink,
    .mkdir = memory_mkdir,
    .sync_directory = memory_sync_directory,
    .stat = memory_stat,
    .same = memory_same,
    .list = memory_list,
    .stage = memory_stage,
    .local_path = memory_local_path,
    .staging_directory = memory_staging_directory,
    .lock = memory_lock,
    .unlock = memory_unlock,
    .now_us = memory_now_us,
    .monotonic_us = memory_monotonic_us,
    .sleep_ms = memory_sleep_ms,
    .random = memory_random,
    .check = memory_check,
    .free = memory_free,
};

void io_memory_stop_clock(Io *io, int64_t now_us)
{
    MemoryFs *fs = enter(io->fs);
    fs->look_us = 0;
    fs->clock_us = now_us;
    leave(fs, 0);
}

Io *io_new_memory(const char *scratch, uint64_t seed)
{
    static const int64_t start_us = 1767225600000000; /* 2026-01-01T00:00:00Z */
    MemoryFs *fs = silt_alloc(sizeof *fs);
    fs->base.ops = &memory_ops;
    pthread_mutex_init(&fs->mutex, NULL);
    if (scratch) {
        fs->scratch = silt_strdup(scratch);
        int error = io__local_make_directories(scratch);
        silt_assert(error == 0);
    }
    fs->life = 1;
    fs->look_us = LOOK_US;
    fs->dice = seed;
    fs->root = node_ref(node_new(fs, true));
    fs->clock_us = start_us;
    return io__new(&fs->base);
}
