#pragma once
/*
 * io/internal.h - the file system under a store: a table of system calls
 *
 * The algorithms that make a put durable (store.c) are written once over this table; fs_posix.c is the real one, fs_memory.c a
 * simulated disk with faults. Calls return 0 or an errno (positive); outputs are untouched unless 0. Paths are absolute and
 * decoded. Any thread may call.
 */
#include "io/io.h"

#include <pthread.h>

typedef struct FsOps FsOps;
/* One file system, open file or lock: each implementation's struct begins with this one. */
typedef struct Fs {
    const FsOps *ops;
} Fs;
typedef struct FsFile {
    const FsOps *ops;
} FsFile;
typedef struct FsLock {
    const FsOps *ops;
} FsLock;

struct FsOps {
    int threads_max; /* how many syncs to have under way at once; 1 where the order of operations must replay */

    /* ---- files; what `open` gave can be read, what `create` gave can be written; both can be synced ---- */
    int (*open)(Fs *fs, const char *path, FsFile **out);                               /* a directory: EISDIR */
    int (*create)(Fs *fs, const char *path, FsFile **out);                             /* EEXIST if there is one */
    int (*write)(FsFile *file, const void *bytes, size_t size);                        /* all of it, at the end */
    int (*read)(FsFile *file, int64_t offset, void *buffer, size_t size, size_t *got); /* *got < size only at the end */
    int (*size)(FsFile *file, int64_t *out);
    int (*sync)(FsFile *file); /* its content, not its name */
    void (*close)(FsFile *file);

    /* ---- names ---- */
    int (*rename)(Fs *fs, const char *from, const char *to); /* replaces a file */
    int (*link)(Fs *fs, const char *from, const char *to);   /* EEXIST instead of replacing */
    int (*unlink)(Fs *fs, const char *path);
    int (*mkdir)(Fs *fs, const char *path);
    int (*sync_directory)(Fs *fs, const char *path); /* the names in it, not those of its parents */
    int (*stat)(Fs *fs, const char *path, IoStat *out);
    bool (*same)(Fs *fs, const char *a, const char *b); /* surely two names of one file */
    int (*list)(Fs *fs, const char *directory, void (*visit)(void *self, const char *name, IoStat stat), void *self); /* any order */

    /* ---- between the store and the local disk ---- */
    /*
     * Have the content of a local file as a file of this store, not durable yet: *staged is local_path itself where rename()
     * can move it from there, else temp_path, where it was copied to.
     */
    int (*stage)(Fs *fs, const char *local_path, const char *temp_path, const char **staged);
    int (*local_path)(Fs *fs, const char *path, StrBuf *out);       /* as io_local_path */
    int (*staging_directory)(Fs *fs, const char *key, StrBuf *out); /* as io_staging_directory */

    /* ---- locks: 0, or EWOULDBLOCK with the holder's words ---- */
    /* path: a file, made if it is absent, or a directory, which has no holder's words */
    int (*lock)(Fs *fs, const char *path, FsLock **out, StrBuf *holder);
    void (*unlock)(FsLock *lock);

    /* ---- time and chance ---- */
    int64_t (*now_us)(Fs *fs);
    int64_t (*monotonic_us)(Fs *fs);
    void (*sleep_ms)(Fs *fs, int ms);
    void (*random)(Fs *fs, void *buffer, size_t size);
    int (*check)(const Fs *fs, SiltErr *err); /* as io_check; returns as it does */

    void (*free)(Fs *fs);
    bool watches; /* inotify sees its directories */
};

struct Io {
    Fs *fs;
    /* Directories whose names are known to be durable up to the root, so that a put need not sync them again. */
    pthread_mutex_t mutex;
    struct Known *known;
};

/* Takes over fs. */
Io *io__new(Fs *fs);
/* Forget which directories are durable: after a power cut. */
void io__forget_directories(Io *io);

/* ---- the local disk, for both implementations (local.c); 0 or an errno ---- */
int io__local_make_directories(const char *path); /* with parents, not durable; there already: fine */
int io__local_remove_tree(const char *path);      /* never follows symbolic links; absent: fine */
int io__local_read(const char *path, StrBuf *out);
int io__local_write(const char *path, Str content); /* creates or replaces, not durable */
/* A new private directory under $TMPDIR or /tmp. */
int io__local_temporary_directory(StrBuf *out);
/* key as a single file name. */
void io__local_name_of_key(const char *key, StrBuf *out);
