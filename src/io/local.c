/* io/local.c - plain helpers on the real disk, not durable and not counted: staging and copies */
#include "io/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int io__local_make_directories(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return 0;
    int error = errno;
    struct stat st;
    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
    const char *slash = strrchr(path, '/');
    if (error != ENOENT || !slash || slash == path)
        return error;
    char *parent = silt_strdup(path);
    parent[slash - path] = '\0';
    error = io__local_make_directories(parent);
    free(parent);
    if (error)
        return error;
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *place)
{
    return remove(path) == 0 || errno == ENOENT ? 0 : errno;
}

int io__local_remove_tree(const char *path)
{
    enum { DESCRIPTORS_MAX = 16 };
    int r = nftw(path, remove_entry, DESCRIPTORS_MAX, FTW_DEPTH | FTW_PHYS);
    if (r < 0)
        return errno == ENOENT ? 0 : errno;
    return r;
}

int io__local_read(const char *path, StrBuf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = 0;
    for (;;) {
        enum { PIECE_BYTES = 1 << 16 };
        str_buf_reserve(out, PIECE_BYTES);
        ssize_t n = read(fd, out->ptr + out->size, PIECE_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            error = errno;
        if (n <= 0)
            break;
        out->size += (size_t)n;
        out->ptr[out->size] = '\0';
    }
    close(fd);
    return error;
}

int io__local_write(const char *path, Str content)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = 0;
    while (content.size && !error) {
        ssize_t n = write(fd, content.ptr, content.size);
        if (n < 0 && errno != EINTR)
            error = errno;
        if (n > 0) {
            content.ptr += n;
            content.size -= (size_t)n;
        }
    }
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

int io__local_temporary_directory(StrBuf *out)
{
    const char *base = getenv("TMPDIR");
    str_buf_clear(out);
    str_buf_printf(out, "%s/silt-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    return mkdtemp(out->ptr) ? 0 : errno;
}

void io__local_name_of_key(const char *key, StrBuf *out)
{
    enum { READABLE_BYTES = 64 };
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a: tells keys apart whose readable ends agree */
    for (const char *p = key; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
    size_t size = strlen(key);
    for (const char *p = key + (size > READABLE_BYTES ? size - READABLE_BYTES : 0); *p; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '.' || *p == '-';
        str_buf_putc(out, plain ? *p : '_');
    }
    str_buf_printf(out, "-%016llx", (unsigned long long)hash);
}
