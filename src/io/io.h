#pragma once
/*
 * io/io.h - the world as one table of functions: files, clock, randomness, locks, watching
 *
 * Everything durable goes through here, so that a test can count operations and fail, tear or cut the power at the k-th.
 * A path is absolute ("/a/b") or a URI ("file:///a/b"); which store serves it is decided by the scheme. Paths here are
 * decoded: percent signs mean themselves, except in a "file:" URI, which is decoded once on entry.
 *
 *   I1  io_put makes the whole content visible under the name at once, durably: temporary file, fsync, rename, fsync of the directory.
 *   I2  io_put_if_absent does the same and never replaces; exactly one of many callers wins.
 *       Both leave no trace but hidden files `.name.uuid.tmp` where the process was killed.
 *   I3  After an error of a put, the name holds the old content, the new content, or is absent, never a part of it.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

typedef struct Io Io;

enum { IO_ABSENT = 1, IO_EXISTS = 2, IO_BUSY = 3 };

/* The real world: local files, the system's clock (or SILT_CLOCK, an RFC 3339 time at which it stands still), the kernel's randomness. */
Io *io_new_local(void);
/* Whether the world is usable: CONFIG when SILT_CLOCK is set and is no RFC 3339 time. Ask once, before the first io_now_us. */
int io_check(const Io *io, SiltErr *err);
void io_free(Io *io); /* NULL allowed; removes what io_local_path and io_staging_directory made outside of the store */

/* ---- reading ---- */
typedef struct IoStat {
    int64_t size_bytes;
    int64_t modified_us; /* microseconds since 1970, UTC */
    int64_t changed_us;  /* likewise, of content, names and attributes: nobody can set it back as the other */
    bool is_directory;
    bool is_special;   /* neither file nor directory: a pipe, a socket, a device (to open it may never return); in a list, a link to nothing */
    uint64_t identity; /* of a directory: the same on every way to it; 0: not told */
} IoStat;

/* 0, IO_ABSENT, or < 0. */
int io_stat(Io *io, const char *path, IoStat *out, SiltErr *err);
/* Whole file into the arena, NUL behind it. 0, IO_ABSENT, or < 0. */
int io_read(Io *io, const char *path, Arena *arena, Str *out, SiltErr *err);

/* An open file, for reading in pieces: large inputs. Not mapped: a file that shrinks meanwhile gives a short read, not SIGBUS. */
typedef struct IoFile IoFile;
int io_open(Io *io, const char *path, IoFile **out, SiltErr *err); /* 0, IO_ABSENT, < 0 */
int64_t io_file_size(const IoFile *file);                          /* when it was opened */
/* Up to size bytes at offset into buffer; *got < size only at the end of the file. */
int io_file_read(IoFile *file, int64_t offset, void *buffer, size_t size, size_t *got, SiltErr *err);
void io_file_close(IoFile *file); /* NULL allowed */
void io_file_closep(IoFile **file);

typedef struct IoEntry {
    const char *name; /* last part, decoded */
    IoStat stat;
} IoEntry;
typedef struct IoList {
    IoEntry *entries; /* sorted by name, bytewise */
    int count;
} IoList;
/* One directory, not its children. A directory that is absent gives IO_ABSENT. Entries that vanish meanwhile are left out. */
int io_list(Io *io, const char *directory, Arena *arena, IoList *out, SiltErr *err);

/* ---- writing: durable when they return 0. Missing parent directories are made (and synced). ---- */
int io_put(Io *io, const char *path, Str content, SiltErr *err);
int io_put_if_absent(Io *io, const char *path, Str content, SiltErr *err); /* 0, IO_EXISTS, < 0 */
/*
 * Make what is under the name now (a file, or a directory as such) durable, its parents' entries included. For settling an
 * unclear answer: after an error of io_put_if_absent, and in recovery, a file may be visible and yet be lost by a power cut;
 * sync it before anything durable is built on it. 0, IO_ABSENT, < 0.
 */
int io_sync(Io *io, const char *path, SiltErr *err);
/*
 * Move files that another library wrote on the local disk (staging) into the store; all or an error; syncs in parallel. The
 * local files are gone afterwards. After an error some may have been moved: write them anew, under new names.
 */
typedef struct IoPutFile {
    const char *local_path;
    const char *path;
} IoPutFile;
int io_put_files(Io *io, const IoPutFile *files, int count, SiltErr *err);
/* Absent is fine. Durable only as far as needed: a deletion may come undone by a power cut. */
int io_delete(Io *io, const char *path, SiltErr *err);
int io_make_directory(Io *io, const char *path, SiltErr *err); /* with parents, durably */

/*
 * A real file of the local disk with the content of path, for libraries that read files themselves: the file itself in a
 * local store, else a copy in the cache directory that lives as long as io. 0, IO_ABSENT, < 0.
 */
int io_local_path(Io *io, const char *path, Arena *arena, const char **out, SiltErr *err);
/*
 * A local directory for staging, made and emptied. Not durable, not counted as operations. key tells users apart: an absolute
 * path with a folder `_silt` in it, near the files to come (`<storage>/_silt/staging/<flow>`), is the directory itself in a
 * local store, so that io_put_files only renames; a plain name means a temporary directory that dies with io.
 */
int io_staging_directory(Io *io, const char *key, Arena *arena, const char **out, SiltErr *err);

/* ---- one owner ---- */
typedef struct IoLock IoLock;
/* 0, IO_BUSY (held by another process; *holder, NULL allowed, gets "pid 123 on host"), < 0. */
int io_lock(Io *io, const char *path, IoLock **out, Arena *arena, const char **holder, SiltErr *err);
/*
 * The same, and the directory `folder`, made if it is absent, with it: when somebody deletes the lock's file, or the folders between, nobody else gets in
 * all the same. One lock a folder. Where a file system cannot lock directories, the file alone counts.
 */
int io_lock_folder(Io *io, const char *path, const char *folder, IoLock **out, Arena *arena, const char **holder, SiltErr *err);
void io_unlock(IoLock *lock); /* NULL allowed */

/* ---- watching directories for new files: hints only, listing finds the rest ---- */
typedef struct IoWatch IoWatch;
/*
 * NULL in *out where the store cannot watch. Watches added directories, not their children. A directory that was not watched before counts as
 * changed: what came between its last listing and the watch makes no event.
 */
int io_watch_new(Io *io, IoWatch **out, SiltErr *err);
int io_watch_add(IoWatch *watch, const char *directory, SiltErr *err);
/*
 * Wait until something changed in a watched directory (a file was closed after writing or moved in, a folder came, the
 * directory itself went), or the timeout (< 0: none), or io_watch_wake, which is remembered. *changed: it was the first.
 */
int io_watch_wait(IoWatch *watch, int timeout_ms, bool *changed, SiltErr *err);
void io_watch_wake(IoWatch *watch); /* from any thread or signal handler; NULL allowed */
void io_watch_free(IoWatch *watch); /* NULL allowed */

/* ---- time and chance ---- */
int64_t io_now_us(Io *io);       /* wall clock, microseconds since 1970 UTC */
int64_t io_monotonic_us(Io *io); /* for durations */
void io_sleep_ms(Io *io, int ms);
void io_random(Io *io, void *buffer, size_t size);
void io_uuid(Io *io, char out[37]); /* version 4, lower case */
