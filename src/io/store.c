/*
 * io/store.c - reads, and writes that are whole and durable, over a table of system calls
 *
 * A put writes a hidden temporary file beside its target, syncs it, gives it the name, syncs the directory. Start with
 * put_content(). Invariants I1 to I3 are io.h's; here it takes two more:
 *
 *   S1  No name is given to content that has not been synced.
 *   S2  A put returns 0 only when the whole chain of directories is durable: known directories were synced by us, in this
 *       life of the process; others may be left over from a process that died between mkdir and sync.
 */
#include "base/uri.h"
#include "io/internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- names of directories that are durable ---- */

enum { KNOWN_SLOTS = 4096, KNOWN_MAX = KNOWN_SLOTS / 2 };

/* An open hash of paths; forgotten as a whole when it is full, which costs a few syncs. */
typedef struct Known {
    char *slots[KNOWN_SLOTS];
    int count;
} Known;

static size_t known_slot(const Known *known, const char *path)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *p = path; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
    size_t slot = (hash ^ hash >> 32) % KNOWN_SLOTS;
    while (known->slots[slot] && strcmp(known->slots[slot], path) != 0)
        slot = (slot + 1) % KNOWN_SLOTS;
    return slot;
}

static void known_clear(Known *known)
{
    for (int i = 0; i < KNOWN_SLOTS; i++)
        free(known->slots[i]);
    memset(known, 0, sizeof *known);
}

static bool is_known(Io *io, const char *path)
{
    pthread_mutex_lock(&io->mutex);
    bool found = io->known->slots[known_slot(io->known, path)] != NULL;
    pthread_mutex_unlock(&io->mutex);
    return found;
}

static void make_known(Io *io, const char *path)
{
    pthread_mutex_lock(&io->mutex);
    if (io->known->count == KNOWN_MAX)
        known_clear(io->known);
    size_t slot = known_slot(io->known, path);
    if (!io->known->slots[slot]) {
        io->known->slots[slot] = silt_strdup(path);
        io->known->count++;
    }
    pthread_mutex_unlock(&io->mutex);
}

void io__forget_directories(Io *io)
{
    pthread_mutex_lock(&io->mutex);
    known_clear(io->known);
    pthread_mutex_unlock(&io->mutex);
}

Io *io__new(Fs *fs)
{
    Io *io = silt_alloc(sizeof *io);
    io->fs = fs;
    io->known = silt_alloc(sizeof *io->known);
    pthread_mutex_init(&io->mutex, NULL);
    return io;
}

void io_free(Io *io)
{
    if (!io)
        return;
    known_clear(io->known);
    free(io->known);
    pthread_mutex_destroy(&io->mutex);
    io->fs->ops->free(io->fs);
    free(io);
}

int io_check(const Io *io, SiltErr *err)
{
    return io->fs->ops->check(io->fs, err);
}

/* ---- paths ---- */

/* A caller's path, decoded and without slashes at its end; lives in its own buffer. */
typedef struct Path {
    StrBuf text;
} Path;

static void path_fini(Path *path)
{
    str_buf_fini(&path->text);
}

#define PATH(name, given, err)                                                                                                             \
    silt_auto(path_fini) Path name = {0};                                                                                                  \
    SILT_TRY(path_set(&name, (given), (err)))

static int path_set(Path *path, const char *given, SiltErr *err)
{
    if (given[0] == '/') {
        str_buf_puts(&path->text, given);
    } else {
        silt_auto(arena_freep) Arena *arena = arena_new();
        const char *decoded;
        SILT_TRY(uri_to_path(arena, given, &decoded, err));
        str_buf_puts(&path->text, decoded);
    }
    while (path->text.size > 1 && path->text.ptr[path->text.size - 1] == '/')
        path->text.ptr[--path->text.size] = '\0';
    return 0;
}

static void parent_of(const char *path, StrBuf *out)
{
    const char *slash = strrchr(path, '/');
    while (slash > path && slash[-1] == '/')
        slash--;
    str_buf_clear(out);
    str_buf_add(out, path, slash == path ? 1 : (size_t)(slash - path));
}

/* Hidden, so that nobody lists it as data, and unlike any other: `.name.uuid.tmp`. */
static void temporary_beside(Io *io, const char *path, StrBuf *out)
{
    enum { NAME_KEPT_BYTES = 200 }; /* of 255 that a name may have */
    const char *name = strrchr(path, '/') + 1;
    char uuid[37];
    io_uuid(io, uuid);
    str_buf_clear(out);
    str_buf_add(out, path, (size_t)(name - path));
    str_buf_printf(out, ".%.*s.%s.tmp", NAME_KEPT_BYTES, name, uuid);
}

static bool is_absent(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

/* The outcome of a failed call, in words. what: "read", "write". */
static int fail_io(SiltErr *err, int error, const char *what, const char *path)
{
    silt_fail_errno(err, error, "could not %s \"%s\"", what, path);
    if (error == ENOSPC || error == EDQUOT)
        silt_hint(err, "Make room on the disk; nothing half-written is in use, so the work goes on where it stopped.");
    else if (error == EROFS)
        silt_hint(err, "The file system is mounted for reading only. Mount it for writing, or put the files elsewhere.");
    else if (error == EACCES || error == EPERM)
        silt_hint(err, "The user that runs Silt (id %ld) lacks the right to. Look at owner and mode of the path and of each folder above it: `namei -l` shows them all.",
                  (long)geteuid());
    else if (error == EMFILE || error == ENFILE)
        silt_hint(err, "Too many files are open: allow more (`ulimit -n`).");
    return -1;
}

/* ---- reading ---- */

int io_stat(Io *io, const char *given, IoStat *out, SiltErr *err)
{
    PATH(path, given, err);
    int error = io->fs->ops->stat(io->fs, path.text.ptr, out);
    if (is_absent(error))
        return IO_ABSENT;
    return error ? fail_io(err, error, "look at", path.text.ptr) : 0;
}

struct IoFile {
    FsFile *file;
    int64_t size;
    char *path;
};

int io_open(Io *io, const char *given, IoFile **out, SiltErr *err)
{
    PATH(path, given, err);
    FsFile *file;
    int error = io->fs->ops->open(io->fs, path.text.ptr, &file);
    if (is_absent(error))
        return IO_ABSENT;
    if (error)
        return fail_io(err, error, "open", path.text.ptr);
    int64_t size;
    error = file->ops->size(file, &size);
    if (error) {
        file->ops->close(file);
        return fail_io(err, error, "open", path.text.ptr);
    }
    IoFile *opened = silt_alloc(sizeof *opened);
    opened->file = file;
    opened->size = size;
    opened->path = silt_strdup(path.text.ptr);
    *out = opened;
    return 0;
}

int64_t io_file_size(const IoFile *file)
{
    return file->size;
}

int io_file_read(IoFile *file, int64_t offset, void *buffer, size_t size, size_t *got, SiltErr *err)
{
    silt_assert(offset >= 0);
    int error = file->file->ops->read(file->file, offset, buffer, size, got);
    return error ? fail_io(err, error, "read", file->path) : 0;
}

void io_file_close(IoFile *file)
{
    if (!file)
        return;
    file->file->ops->close(file->file);
    free(file->path);
    free(file);
}

void io_file_closep(IoFile **file)
{
    io_file_close(*file);
    *file = NULL;
}

int io_read(Io *io, const char *given, Arena *arena, Str *out, SiltErr *err)
{
    silt_auto(io_file_closep) IoFile *file = NULL;
    int r = io_open(io, given, &file, err);
    if (r != 0)
        return r;
    char *content = arena_alloc(arena, (size_t)file->size + 1);
    size_t got;
    SILT_TRY(io_file_read(file, 0, content, (size_t)file->size, &got, err));
    *out = (Str){content, got};
    return 0;
}

typedef struct Listing {
    Arena *arena;
    IoList list;
    int capacity;
} Listing;

static void add_entry(void *self, const char *name, IoStat stat)
{
    Listing *listing = self;
    IoEntry entry = {arena_strdup(listing->arena, name), stat};
    ARENA_PUSH(listing->arena, listing->list.entries, listing->list.count, listing->capacity, entry);
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const IoEntry *)a)->name, ((const IoEntry *)b)->name);
}

int io_list(Io *io, const char *given, Arena *arena, IoList *out, SiltErr *err)
{
    PATH(path, given, err);
    Listing listing = {.arena = arena};
    int error = io->fs->ops->list(io->fs, path.text.ptr, add_entry, &listing);
    if (error == ENOENT)
        return IO_ABSENT;
    if (error)
        return fail_io(err, error, "list", path.text.ptr);
    if (listing.list.count)
        qsort(listing.list.entries, (size_t)listing.list.count, sizeof *listing.list.entries, compare_entries);
    *out = listing.list;
    return 0;
}

/* ---- directories ---- */

/* Have a directory, durable with all its parents (S2). 0 or an errno. */
static int ensure_directory(Io *io, const char *path)
{
    const FsOps *ops = io->fs->ops;
    if (strcmp(path, "/") == 0 || is_known(io, path))
        return 0;
    StrBuf parent = {0};
    parent_of(path, &parent);
    IoStat stat;
    int error = ops->stat(io->fs, path, &stat);
    bool found = error == 0;
    if (found && !stat.is_directory)
        error = ENOTDIR;
    if (error == ENOENT)
        error = 0;
    if (!error)
        error = ensure_directory(io, parent.ptr);
    if (!error && !found) {
        error = ops->mkdir(io->fs, path);
        if (error == EEXIST) /* another was faster */
            error = 0;
    }
    if (!error) {
        error = ops->sync_directory(io->fs, parent.ptr);
        if (found && (error == EACCES || error == EPERM))
            error = 0; /* a parent that we may pass but not read was there before us, and is its owner's to keep */
    }
    if (!error)
        make_known(io, path);
    str_buf_fini(&parent);
    return error;
}

static int ensure_parent(Io *io, const char *path)
{
    StrBuf parent = {0};
    parent_of(path, &parent);
    int error = ensure_directory(io, parent.ptr);
    str_buf_fini(&parent);
    return error;
}

static int sync_parent(Io *io, const char *path)
{
    StrBuf parent = {0};
    parent_of(path, &parent);
    int error = io->fs->ops->sync_directory(io->fs, parent.ptr);
    str_buf_fini(&parent);
    return error;
}

int io_make_directory(Io *io, const char *given, SiltErr *err)
{
    PATH(path, given, err);
    int error = ensure_directory(io, path.text.ptr);
    return error ? fail_io(err, error, "make the directory", path.text.ptr) : 0;
}

/* ---- writing ---- */

/* A synced temporary file beside path (S1). Its name is in temp also after a failure, when it may be there or not. */
static int write_temporary(Io *io, const char *path, Str content, StrBuf *temp)
{
    const FsOps *ops = io->fs->ops;
    FsFile *file;
    temporary_beside(io, path, temp);
    int error = ops->create(io->fs, temp->ptr, &file);
    if (error == ENOENT) { /* we knew the directory, and somebody removed it */
        io__forget_directories(io);
        error = ensure_parent(io, path);
        if (!error)
            error = ops->create(io->fs, temp->ptr, &file);
    }
    if (error)
        return error;
    error = ops->write(file, content.ptr, content.size);
    if (!error)
        error = ops->sync(file);
    ops->close(file);
    return error;
}

/* Give the temporary file its name. Returns 0, EEXIST or another errno. */
static int name_if_absent(Io *io, const char *temp, const char *path)
{
    const FsOps *ops = io->fs->ops;
    int error = ops->link(io->fs, temp, path);
    /* A link can be made and its answer be lost (NFS asks again and hears EEXIST): both names of one file, so we did it. */
    if (error && ops->same(io->fs, temp, path))
        error = 0;
    ops->unlink(io->fs, temp); /* if this fails, a hidden file stays */
    return error;
}

static int put_content(Io *io, const char *path, Str content, bool if_absent)
{
    const FsOps *ops = io->fs->ops;
    StrBuf temp = {0};
    int error = ensure_parent(io, path);
    if (!error) {
        error = write_temporary(io, path, content, &temp);
        if (error)
            ops->unlink(io->fs, temp.ptr);
        else if (if_absent)
            error = name_if_absent(io, temp.ptr, path);
        else if ((error = ops->rename(io->fs, temp.ptr, path)) != 0)
            ops->unlink(io->fs, temp.ptr);
    }
    if (!error)
        error = sync_parent(io, path);
    str_buf_fini(&temp);
    return error;
}

int io_put(Io *io, const char *given, Str content, SiltErr *err)
{
    PATH(path, given, err);
    int error = put_content(io, path.text.ptr, content, false);
    return error ? fail_io(err, error, "write", path.text.ptr) : 0;
}

int io_put_if_absent(Io *io, const char *given, Str content, SiltErr *err)
{
    PATH(path, given, err);
    IoStat stat;
    if (io->fs->ops->stat(io->fs, path.text.ptr, &stat) == 0)
        return IO_EXISTS; /* without writing anything; the link below is what decides */
    int error = put_content(io, path.text.ptr, content, true);
    if (error == EEXIST)
        return IO_EXISTS;
    return error ? fail_io(err, error, "write", path.text.ptr) : 0;
}

int io_sync(Io *io, const char *given, SiltErr *err)
{
    PATH(path, given, err);
    const FsOps *ops = io->fs->ops;
    FsFile *file;
    int error = ops->open(io->fs, path.text.ptr, &file);
    if (is_absent(error))
        return IO_ABSENT;
    if (error == EISDIR) {
        error = ops->sync_directory(io->fs, path.text.ptr);
    } else if (!error) {
        error = ops->sync(file);
        ops->close(file);
    }
    if (!error)
        error = ensure_parent(io, path.text.ptr);
    if (!error)
        error = sync_parent(io, path.text.ptr);
    return error ? fail_io(err, error, "sync", path.text.ptr) : 0;
}

int io_delete(Io *io, const char *given, SiltErr *err)
{
    PATH(path, given, err);
    int error = io->fs->ops->unlink(io->fs, path.text.ptr);
    return error && !is_absent(error) ? fail_io(err, error, "delete", path.text.ptr) : 0;
}

/* ---- many files at once ---- */

/* Work on items 0..count-1, each by one of several threads; stops early at an error. */
typedef struct Crew {
    int (*work)(void *self, int index); /* 0 or an errno */
    void *self;
    int count;
    atomic_int next, failed_index, error;
} Crew;

static void *crew_member(void *arg)
{
    Crew *crew = arg;
    while (atomic_load(&crew->error) == 0) {
        int index = atomic_fetch_add(&crew->next, 1);
        if (index >= crew->count)
            break;
        int error = crew->work(crew->self, index), none = 0;
        if (error && atomic_compare_exchange_strong(&crew->error, &none, error))
            atomic_store(&crew->failed_index, index);
    }
    return NULL;
}

/* 0, or the errno of *failed. */
static int crew_run(Io *io, int count, int (*work)(void *self, int index), void *self, int *failed)
{
    enum { THREADS_MAX = 16 };
    Crew crew = {.work = work, .self = self, .count = count};
    pthread_t threads[THREADS_MAX];
    int wanted = io->fs->ops->threads_max < count ? io->fs->ops->threads_max : count, started = 0;
    while (started < wanted - 1 && started < THREADS_MAX && pthread_create(&threads[started], NULL, crew_member, &crew) == 0)
        started++;
    crew_member(&crew); /* this thread too; if no other could be had, it does all */
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    *failed = atomic_load(&crew.failed_index);
    return atomic_load(&crew.error);
}

typedef struct Move {
    const char *local_path; /* borrowed */
    StrBuf path, temp;
    const char *staged; /* NULL: not yet; temp.ptr: a copy, ours to remove */
} Move;

typedef struct Moves {
    Io *io;
    Move *items;
    int count;
    const char **directories; /* the distinct parents, sorted */
    int directory_count;
} Moves;

static void moves_fini(Moves *moves)
{
    for (int i = 0; i < moves->count; i++) {
        str_buf_fini(&moves->items[i].path);
        str_buf_fini(&moves->items[i].temp);
    }
    for (int i = 0; i < moves->directory_count; i++)
        free((char *)moves->directories[i]);
    free(moves->items);
    free(moves->directories);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void collect_directories(Moves *moves)
{
    StrBuf parent = {0};
    moves->directories = silt_alloc(sizeof *moves->directories * (size_t)moves->count);
    for (int i = 0; i < moves->count; i++) {
        parent_of(moves->items[i].path.ptr, &parent);
        moves->directories[i] = silt_strdup(parent.ptr);
    }
    str_buf_fini(&parent);
    qsort(moves->directories, (size_t)moves->count, sizeof *moves->directories, compare_texts);
    for (int i = 0; i < moves->count; i++) {
        if (moves->directory_count && strcmp(moves->directories[moves->directory_count - 1], moves->directories[i]) == 0)
            free((char *)moves->directories[i]);
        else
            moves->directories[moves->directory_count++] = moves->directories[i];
    }
}

/* Bring one file's content into the store, synced (S1). */
static int stage_one(void *self, int index)
{
    Moves *moves = self;
    Move *move = &moves->items[index];
    Fs *fs = moves->io->fs;
    FsFile *file;
    int error = fs->ops->stage(fs, move->local_path, move->temp.ptr, &move->staged);
    if (!error)
        error = fs->ops->open(fs, move->staged, &file);
    if (error)
        return error;
    error = fs->ops->sync(file);
    fs->ops->close(file);
    return error;
}

static int sync_one_directory(void *self, int index)
{
    Moves *moves = self;
    return moves->io->fs->ops->sync_directory(moves->io->fs, moves->directories[index]);
}

static int move_all(Moves *moves, SiltErr *err)
{
    Io *io = moves->io;
    const FsOps *ops = io->fs->ops;
    int failed = 0, error;
    for (int i = 0; i < moves->directory_count; i++) {
        error = ensure_directory(io, moves->directories[i]);
        if (error)
            return fail_io(err, error, "make the directory", moves->directories[i]);
    }
    error = crew_run(io, moves->count, stage_one, moves, &failed);
    if (error)
        return fail_io(err, error, "write", moves->items[failed].path.ptr);
    for (int i = 0; i < moves->count; i++) {
        Move *move = &moves->items[i];
        error = ops->rename(io->fs, move->staged, move->path.ptr);
        if (error)
            return fail_io(err, error, "write", move->path.ptr);
    }
    error = crew_run(io, moves->directory_count, sync_one_directory, moves, &failed);
    return error ? fail_io(err, error, "sync", moves->directories[failed]) : 0;
}

int io_put_files(Io *io, const IoPutFile *files, int count, SiltErr *err)
{
    silt_auto(moves_fini) Moves moves = {.io = io};
    if (count == 0)
        return 0;
    moves.items = silt_alloc(sizeof *moves.items * (size_t)count);
    moves.count = count;
    for (int i = 0; i < count; i++) {
        PATH(path, files[i].path, err);
        moves.items[i].local_path = files[i].local_path;
        str_buf_str(&moves.items[i].path, str_buf_view(&path.text));
        temporary_beside(io, path.text.ptr, &moves.items[i].temp);
    }
    collect_directories(&moves);
    int r = move_all(&moves, err);
    if (r < 0)
        io__forget_directories(io); /* one may have been removed under us: look again next time */
    for (int i = 0; i < count; i++) {
        Move *move = &moves.items[i];
        bool copied = move->staged != move->local_path;
        if (r == 0 && copied)
            remove(move->local_path);
        else if (r < 0 && copied)
            io->fs->ops->unlink(io->fs, move->temp.ptr); /* where it was renamed already, or never made, there is nothing */
    }
    return r;
}

/* ---- the local disk ---- */

int io_local_path(Io *io, const char *given, Arena *arena, const char **out, SiltErr *err)
{
    PATH(path, given, err);
    StrBuf local = {0};
    int error = io->fs->ops->local_path(io->fs, path.text.ptr, &local), r = 0;
    if (is_absent(error))
        r = IO_ABSENT;
    else if (error)
        r = fail_io(err, error, "read", path.text.ptr);
    else
        *out = arena_strdup(arena, local.ptr);
    str_buf_fini(&local);
    return r;
}

int io_staging_directory(Io *io, const char *given, Arena *arena, const char **out, SiltErr *err)
{
    Path key = {0};
    StrBuf directory = {0};
    int r = 0;
    if (given[0] == '/' || uri_scheme(str_of(given)).size)
        r = path_set(&key, given, err);
    else
        str_buf_puts(&key.text, given);
    if (r == 0) {
        int error = io->fs->ops->staging_directory(io->fs, str_buf_text(&key.text), &directory);
        if (error == EINVAL)
            r = silt_fail(err, SILT_CONFIG, "cannot stage files in \"%s\": only a directory under \"_silt\" is emptied", given);
        else if (error)
            r = fail_io(err, error, "make the directory", str_buf_text(directory.size ? &directory : &key.text));
        else
            *out = arena_strdup(arena, directory.ptr);
    }
    path_fini(&key);
    str_buf_fini(&directory);
    return r;
}

/* ---- one owner ---- */

struct IoLock {
    FsLock *lock, *folder; /* folder NULL: none */
};

/* The lock need not outlive a power cut, so its directories are made, not synced. */
static int make_directories(Io *io, const char *path)
{
    IoStat stat;
    int error = io->fs->ops->stat(io->fs, path, &stat);
    if (error != ENOENT)
        return !error && !stat.is_directory ? ENOTDIR : error;
    StrBuf parent = {0};
    parent_of(path, &parent);
    error = make_directories(io, parent.ptr);
    str_buf_fini(&parent);
    if (!error)
        error = io->fs->ops->mkdir(io->fs, path);
    return error == EEXIST ? 0 : error;
}

int io_lock(Io *io, const char *given, IoLock **out, Arena *arena, const char **holder, SiltErr *err)
{
    PATH(path, given, err);
    StrBuf words = {0}, parent = {0};
    FsLock *lock;
    parent_of(path.text.ptr, &parent);
    int error = make_directories(io, parent.ptr), r = 0;
    str_buf_fini(&parent);
    if (!error)
        error = io->fs->ops->lock(io->fs, path.text.ptr, &lock, &words);
    if (error == EWOULDBLOCK) {
        if (holder)
            *holder = arena_strdup(arena, words.size ? words.ptr : "another process");
        r = IO_BUSY;
    } else if (error) {
        r = fail_io(err, error, "lock", path.text.ptr);
    } else {
        *out = silt_alloc(sizeof **out);
        **out = (IoLock){.lock = lock};
    }
    str_buf_fini(&words);
    return r;
}

int io_lock_folder(Io *io, const char *given, const char *folder, IoLock **out, Arena *arena, const char **holder, SiltErr *err)
{
    PATH(path, folder, err);
    StrBuf words = {0};
    IoLock *lock;

    int error = make_directories(io, path.text.ptr);
    if (error)
        return fail_io(err, error, "make", path.text.ptr);
    int r = io_lock(io, given, &lock, arena, holder, err);
    if (r != 0)
        return r;
    error = io->fs->ops->lock(io->fs, path.text.ptr, &lock->folder, &words);
    str_buf_fini(&words);
    if (error == EWOULDBLOCK) {
        if (holder)
            *holder = arena_strdup(arena, "another process, whose lock file was deleted");
        io_unlock(lock);
        return IO_BUSY;
    }
    if (error)
        lock->folder = NULL; /* NFS locks no directories */
    *out = lock;
    return 0;
}

void io_unlock(IoLock *lock)
{
    if (!lock)
        return;
    if (lock->folder)
        lock->folder->ops->unlock(lock->folder);
    lock->lock->ops->unlock(lock->lock);
    free(lock);
}

/* ---- time and chance ---- */

int64_t io_now_us(Io *io)
{
    return io->fs->ops->now_us(io->fs);
}

int64_t io_monotonic_us(Io *io)
{
    return io->fs->ops->monotonic_us(io->fs);
}

void io_sleep_ms(Io *io, int ms)
{
    io->fs->ops->sleep_ms(io->fs, ms);
}

void io_random(Io *io, void *buffer, size_t size)
{
    io->fs->ops->random(io->fs, buffer, size);
}

void io_uuid(Io *io, char out[37])
{
    static const char hex[] = "0123456789abcdef";
    unsigned char bytes[16];
    io_random(io, bytes, sizeof bytes);
    bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x40); /* version 4 */
    bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80); /* variant 1 */
    char *at = out;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        *at++ = hex[bytes[i] >> 4];
        *at++ = hex[bytes[i] & 15];
    }
    *at = '\0';
}
