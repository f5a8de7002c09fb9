/* io/fs_posix.c - the real disk, clock and dice */
#include "io/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct PosixFs {
    Fs base;
    bool clock_broken, clock_fixed; /* SILT_CLOCK */
    int64_t clock_us;
    pthread_mutex_t mutex; /* guards temporary */
    StrBuf temporary;      /* for staging without a place; made when first asked for */
} PosixFs;

typedef struct PosixFile {
    FsFile base;
    int fd;
} PosixFile;

typedef struct PosixLock {
    FsLock base;
    int fd;
} PosixLock;

static const FsOps posix_ops;

/* ---- files ---- */

static FsFile *wrap(int fd)
{
    PosixFile *file = silt_alloc(sizeof *file);
    file->base.ops = &posix_ops;
    file->fd = fd;
    return &file->base;
}

static int fd_of(FsFile *file)
{
    return ((PosixFile *)file)->fd;
}

/* A descriptor, or -errno. */
static int open_fd(const char *path, int flags)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

static int posix_open(Fs *fs, const char *path, FsFile **out)
{
    int fd = open_fd(path, O_RDONLY | O_NONBLOCK), error = 0; /* a pipe must not make us wait for its writer */
    if (fd < 0)
        return -fd;
    struct stat st;
    if (fstat(fd, &st) != 0)
        error = errno;
    else if (S_ISDIR(st.st_mode))
        error = EISDIR;
    else if (!S_ISREG(st.st_mode))
        error = EINVAL;
    if (error) {
        close(fd);
        return error;
    }
    *out = wrap(fd);
    return 0;
}

static int posix_create(Fs *fs, const char *path, FsFile **out)
{
    int fd = open_fd(path, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return -fd;
    *out = wrap(fd);
    return 0;
}

static int posix_write(FsFile *file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t n = write(fd_of(file), at, size);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            at += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

static int posix_read(FsFile *file, int64_t offset, void *buffer, size_t size, size_t *got)
{
    size_t have = 0;
    while (have < size) {
        ssize_t n = pread(fd_of(file), (char *)buffer + have, size - have, (off_t)offset + (off_t)have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            break;
        have += (size_t)n;
    }
    *got = have;
    return 0;
}

static int posix_size(FsFile *file, int64_t *out)
{
    struct stat st;
    if (fstat(fd_of(file), &st) != 0)
        return errno;
    *out = st.st_size;
    return 0;
}

static int sync_fd(int fd)
{
    int r;
    do
        r = fsync(fd);
    while (r != 0 && errno == EINTR);
    return r == 0 ? 0 : errno;
}

static int posix_sync(FsFile *file)
{
    return sync_fd(fd_of(file));
}

static void posix_close(FsFile *file)
{
    close(fd_of(file)); /* what was to be durable has been synced: nothing is left to fail */
    free(file);
}

/* ---- names ---- */

static int posix_rename(Fs *fs, const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

static int posix_link(Fs *fs, const char *from, const char *to)
{
    if (link(from, to) == 0)
        return 0;
    int error = errno;
    if (error != EPERM && error != EOPNOTSUPP && error != ENOSYS)
        return error;
    /* a file system without hard links: the old name is lost, which our caller is about to remove anyway */
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    return errno == EINVAL ? error : errno;
}

static int posix_unlink(Fs *fs, const char *path)
{
    return unlink(path) == 0 ? 0 : errno;
}

static int posix_mkdir(Fs *fs, const char *path)
{
    return mkdir(path, 0777) == 0 ? 0 : errno;
}

static int posix_sync_directory(Fs *fs, const char *path)
{
    int fd = open_fd(path, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return -fd;
    int error = sync_fd(fd);
    close(fd);
    return error == EINVAL ? 0 : error; /* this file system writes names through and has nothing to sync */
}

static IoStat stat_of(const struct stat *st)
{
    return (IoStat){
        .size_bytes = st->st_size,
        .modified_us = (int64_t)st->st_mtim.tv_sec * 1000000 + st->st_mtim.tv_nsec / 1000,
        .changed_us = (int64_t)st->st_ctim.tv_sec * 1000000 + st->st_ctim.tv_nsec / 1000,
        .is_directory = S_ISDIR(st->st_mode),
        .is_special = !S_ISDIR(st->st_mode) && !S_ISREG(st->st_mode),
        .identity = S_ISDIR(st->st_mode) ? (uint64_t)st->st_dev << 48 ^ (uint64_t)st->st_ino : 0,
    };
}

static int posix_stat(Fs *fs, const char *path, IoStat *out)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return errno;
    *out = stat_of(&st);
    return 0;
}

static bool posix_same(Fs *fs, const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int posix_list(Fs *fs, const char *directory, void (*visit)(void *self, const char *name, IoStat stat), void *self)
{
    DIR *dir = opendir(directory);
    if (!dir)
        return errno;
    int error = 0;
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (!entry) {
            error = errno;
            break;
        }
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        struct stat st;
        if (fstatat(dirfd(dir), entry->d_name, &st, 0) != 0) {
            bool none = errno == ENOENT || errno == ELOOP;
            if (none && (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(st.st_mode)))
                continue; /* vanished */
            error = none ? 0 : errno;
            if (error)
                break;
        } /* a link to nothing is there as itself: special */
        visit(self, entry->d_name, stat_of(&st));
    }
    closedir(dir);
    return error;
}

/* ---- between the store and the local disk: the same here ---- */

/* The mount that the directory of path is on; rename() works within one. */
static bool mount_of(const char *path, struct statx *out)
{
    StrBuf directory = {0};
    str_buf_add(&directory, path, (size_t)(strrchr(path, '/') - path) + 1);
    bool found = statx(AT_FDCWD, directory.ptr, 0, STATX_TYPE | STATX_MNT_ID, out) == 0;
    str_buf_fini(&directory);
    return found;
}

static bool one_mount(const char *a, const char *b)
{
    struct statx x, y;
    return mount_of(a, &x) && mount_of(b, &y) && x.stx_dev_major == y.stx_dev_major && x.stx_dev_minor == y.stx_dev_minor &&
           (!(x.stx_mask & y.stx_mask & STATX_MNT_ID) || x.stx_mnt_id == y.stx_mnt_id);
}

static int copy(int from, int to)
{
    enum { PIECE_BYTES = 1 << 20 };
    char *buffer = silt_alloc(PIECE_BYTES);
    PosixFile source = {.fd = from}, target = {.fd = to};
    int64_t offset = 0;
    size_t got;
    int error;
    do {
        error = posix_read(&source.base, offset, buffer, PIECE_BYTES, &got);
        if (!error)
            error = posix_write(&target.base, buffer, got);
        offset += (int64_t)got;
    } while (!error && got == PIECE_BYTES);
    free(buffer);
    return error;
}

static int posix_stage(Fs *fs, const char *local_path, const char *temp_path, const char **staged)
{
    if (one_mount(local_path, temp_path)) {
        *staged = local_path;
        return 0;
    }
    int from = open_fd(local_path, O_RDONLY);
    if (from < 0)
        return -from;
    int to = open_fd(temp_path, O_WRONLY | O_CREAT | O_EXCL);
    if (to < 0) {
        close(from);
        return -to;
    }
    int error = copy(from, to);
    close(from);
    close(to);
    if (error)
        unlink(temp_path);
    else
        *staged = temp_path;
    return error;
}

static int posix_local_path(Fs *fs, const char *path, StrBuf *out)
{
    IoStat st = {0};
    int error = posix_stat(fs, path, &st);
    if (error)
        return error;
    if (st.is_directory)
        return EISDIR;
    str_buf_puts(out, path);
    return 0;
}

static int posix_staging_directory(Fs *fs, const char *key, StrBuf *out)
{
    PosixFs *self = (PosixFs *)fs;
    int error = 0;
    if (key[0] == '/') {
        if (!strstr(key, "/_silt/"))
            return EINVAL; /* it is going to be emptied: never a user's folder by mistake */
        str_buf_puts(out, key);
    } else {
        pthread_mutex_lock(&self->mutex);
        if (self->temporary.size == 0)
            error = io__local_temporary_directory(&self->temporary);
        if (error)
            str_buf_clear(&self->temporary);
        str_buf_printf(out, "%s/", str_buf_text(&self->temporary));
        pthread_mutex_unlock(&self->mutex);
        io__local_name_of_key(key, out);
    }
    if (!error)
        error = io__local_remove_tree(str_buf_text(out));
    if (!error)
        error = io__local_make_directories(str_buf_text(out));
    return error;
}

/* ---- locks ---- */

static int posix_lock(Fs *fs, const char *path, FsLock **out, StrBuf *holder)
{
    for (;;) {
        int fd = open_fd(path, O_RDWR | O_CREAT);
        bool is_directory = fd == -EISDIR;
        if (is_directory)
            fd = open_fd(path, O_RDONLY | O_DIRECTORY);
        if (fd < 0)
            return -fd;
        int r;
        do
            r = flock(fd, LOCK_EX | LOCK_NB);
        while (r != 0 && errno == EINTR);
        if (r != 0) {
            int error = errno;
            char text[256];
            ssize_t n = is_directory ? 0 : pread(fd, text, sizeof text, 0);
            if (n > 0)
                str_buf_str(holder, str_trim((Str){text, (size_t)n}));
            close(fd);
            return error;
        }
        struct stat held, named;
        if (fstat(fd, &held) != 0 || stat(path, &named) != 0 || held.st_dev != named.st_dev || held.st_ino != named.st_ino) {
            close(fd); /* somebody removed the file that we had just opened: what we locked guards nothing */
            continue;
        }
        char host[128] = "unknown";
        gethostname(host, sizeof host - 1);
        if (!is_directory && ftruncate(fd, 0) == 0)
            dprintf(fd, "pid %ld on %s\n", (long)getpid(), host); /* for people; the lock holds without */
        PosixLock *lock = silt_alloc(sizeof *lock);
        lock->base.ops = &posix_ops;
        lock->fd = fd;
        *out = &lock->base;
        return 0;
    }
}

static void posix_unlock(FsLock *base)
{
    PosixLock *lock = (PosixLock *)base;
    int ignored = ftruncate(lock->fd, 0); /* of a directory: refused */
    (void)ignored;
    close(lock->fd);
    free(lock);
}

/* ---- time and chance ---- */

static int digits(const char **text, int count)
{
    int value = 0;
    for (int i = 0; i < count; i++) {
        if ((*text)[0] < '0' || (*text)[0] > '9')
            return -1;
        value = value * 10 + *(*text)++ - '0';
    }
    return value;
}

/* RFC 3339: 2026-01-31T12:34:56[.ffffff](Z|+hh:mm), for SILT_CLOCK. */
static bool parse_time(const char *text, int64_t *out)
{
    struct tm tm = {0};
    tm.tm_year = digits(&text, 4) - 1900;
    bool good = tm.tm_year >= -1900 && *text++ == '-';
    good = good && (tm.tm_mon = digits(&text, 2) - 1) >= 0 && tm.tm_mon < 12 && *text++ == '-';
    good = good && (tm.tm_mday = digits(&text, 2)) >= 1 && tm.tm_mday <= 31 && (*text == 'T' || *text == 't' || *text == ' ');
    if (!good)
        return false;
    text++;
    good = (tm.tm_hour = digits(&text, 2)) >= 0 && tm.tm_hour < 24 && *text++ == ':';
    good = good && (tm.tm_min = digits(&text, 2)) >= 0 && tm.tm_min < 60 && *text++ == ':';
    good = good && (tm.tm_sec = digits(&text, 2)) >= 0 && tm.tm_sec < 60;
    if (!good)
        return false;
    int64_t fraction_us = 0;
    if (*text == '.') {
        int64_t scale = 100000;
        if (*++text < '0' || *text > '9')
            return false;
        for (; *text >= '0' && *text <= '9'; text++, scale /= 10)
            fraction_us += scale * (*text - '0');
    }
    int offset_s = 0;
    if (*text == '+' || *text == '-') {
        int sign = *text++ == '-' ? -1 : 1, hours = digits(&text, 2), minutes;
        if (hours < 0 || hours > 23 || *text++ != ':' || (minutes = digits(&text, 2)) < 0 || minutes > 59)
            return false;
        offset_s = sign * (hours * 3600 + minutes * 60);
    } else if (*text != 'Z' && *text != 'z') {
        return false;
    } else {
        text++;
    }
    int day = tm.tm_mday;
    time_t seconds = timegm(&tm);
    if (*text != '\0' || tm.tm_mday != day) /* 30 February */
        return false;
    *out = ((int64_t)seconds - offset_s) * 1000000 + fraction_us;
    return true;
}

static int64_t clock_now_us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t posix_now_us(Fs *fs)
{
    PosixFs *self = (PosixFs *)fs;
    silt_assert(!self->clock_broken); /* io_check tells the user */
    return self->clock_fixed ? self->clock_us : clock_now_us(CLOCK_REALTIME);
}

static int64_t posix_monotonic_us(Fs *fs)
{
    return clock_now_us(CLOCK_MONOTONIC);
}

static void posix_sleep_ms(Fs *fs, int ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    while (ms > 0 && nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static void posix_random(Fs *fs, void *buffer, size_t size)
{
    for (size_t have = 0; have < size;) {
        ssize_t n = getrandom((char *)buffer + have, size - have, 0);
        silt_assert(n > 0 || errno == EINTR);
        have += n > 0 ? (size_t)n : 0;
    }
}

static int posix_check(const Fs *fs, SiltErr *err)
{
    if (!((const PosixFs *)fs)->clock_broken)
        return 0;
    silt_fail(err, SILT_CONFIG, "SILT_CLOCK is \"%s\"", getenv("SILT_CLOCK"));
    return silt_hint(err, "It stops the clock for tests: unset it, or give a time like 2026-01-31T12:34:56Z.");
}

static void posix_free(Fs *fs)
{
    PosixFs *self = (PosixFs *)fs;
    if (self->temporary.size)
        io__local_remove_tree(self->temporary.ptr);
    str_buf_fini(&self->temporary);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

static const FsOps posix_ops = {
    .threads_max = 8,
    .open = posix_open,
    .create = posix_create,
    .write = posix_write,
    .read = posix_read,
    .size = posix_size,
    .sync = posix_sync,
    .close = posix_close,
    .rename = posix_rename,
    .link = posix_link,
    .unlink = posix_unlink,
    .mkdir = posix_mkdir,
    .sync_directory = posix_sync_directory,
    .stat = posix_stat,
    .same = posix_same,
    .list = posix_list,
    .stage = posix_stage,
    .local_path = posix_local_path,
    .staging_directory = posix_staging_directory,
    .lock = posix_lock,
    .unlock = posix_unlock,
    .now_us = posix_now_us,
    .monotonic_us = posix_monotonic_us,
    .sleep_ms = posix_sleep_ms,
    .random = posix_random,
    .check = posix_check,
    .free = posix_free,
    .watches = true,
};

Io *io_new_local(void)
{
    PosixFs *self = silt_alloc(sizeof *self);
    self->base.ops = &posix_ops;
    pthread_mutex_init(&self->mutex, NULL);
    const char *clock = getenv("SILT_CLOCK");
    if (clock && clock[0]) {
        self->clock_fixed = parse_time(clock, &self->clock_us);
        self->clock_broken = !self->clock_fixed;
    }
    return io__new(&self->base);
}
