/*
 * duck/parquet_marks.c - see parquet_marks.h
 *
 *   PM1  Nothing outside of the footer's bytes is read, whatever they say, and nothing outside of the file is copied: a broken footer is an error.
 *   PM2  A copy is as long as the file, and what is copied lies where it lay: no number in the footer but the marks is another one.
 */
#include "duck/parquet_marks.h"

#include "duck/thrift.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TAIL_BYTES = 8, /* size of the footer, "PAR1" */
    FOOTER_BYTES_MAX = 1 << 28,
    LOGICAL_VARIANT = 16,   /* member of the union LogicalType */
    LOGICAL_UNKNOWN = 63,   /* one that nobody knows; readers step over it */
    COPY_BYTES = 1 << 20,
};

/* ---- the schema ---- */

/* A LogicalType: is it VARIANT? *member: where its number is. */
static bool is_marked(Thrift *b, const uint8_t **member)
{
    int64_t id = 0;
    bool marked = false;
    const uint8_t *at = b->at;
    int type;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP) {
        if (id == LOGICAL_VARIANT && type == THRIFT_STRUCT) {
            marked = true;
            *member = at + 1;
            b->broken |= b->at - at != 2; /* a number above 15 does not fit into the first byte, and this one needs no two */
        }
        thrift_skip(b, type);
        at = b->at;
    }
    return marked;
}

static void parse_element(Thrift *b, int index, uint8_t *footer, const uint8_t *start, Arena *arena, int **elements, int *count, int *capacity)
{
    int64_t id = 0;
    int type;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP) {
        const uint8_t *member;
        if (id != 10 || type != THRIFT_STRUCT) {
            thrift_skip(b, type);
        } else if (is_marked(b, &member) && !b->broken) {
            ARENA_PUSH(arena, *elements, *count, *capacity, index);
            footer[member - start] = LOGICAL_UNKNOWN * 2; /* zigzag */
        }
    }
}

bool parquet_marks_parse(uint8_t *footer, size_t size, Arena *arena, int **elements, int *count)
{
    Thrift b = {footer, footer + size, false};
    int64_t id = 0;
    int type, capacity = 0;
    *elements = NULL;
    *count = 0;
    while ((type = thrift_field(&b, &id)) != THRIFT_STOP) {
        if (id != 2 || type != THRIFT_LIST) {
            thrift_skip(&b, type);
            continue;
        }
        int element_type;
        uint64_t elements_count = thrift_list(&b, &element_type);
        if (element_type != THRIFT_STRUCT || elements_count > size)
            return false;
        for (int i = 0; i < (int)elements_count && !b.broken; i++)
            parse_element(&b, i, footer, footer, arena, elements, count, &capacity);
    }
    return !b.broken;
}

/* ---- the file ---- */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static int fail_file(SiltErr *err, const char *what, const char *path)
{
    return silt_fail(err, errno == EIO || errno == ENOSPC || errno == EDQUOT || errno == EMFILE || errno == ENFILE ? SILT_TRANSIENT : SILT_CONFIG,
                     "could not %s \"%s\": %s", what, path, strerror(errno));
}

/* All of them, or an error. */
static int read_at(int fd, int64_t at, void *out, size_t size, const char *path, SiltErr *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fd, (char *)out + done, size - done, at + (int64_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_file(err, "read", path);
        if (got == 0)
            return silt_fail(err, SILT_INPUT, "Parquet file \"%s\" is cut off", path);
        done += (size_t)got;
    }
    return 0;
}

int parquet_marks_read(const char *local_path, Arena *arena, ParquetMarks *out, SiltErr *err)
{
    silt_auto(close_fd) int fd = open(local_path, O_RDONLY | O_CLOEXEC);
    struct stat stat;
    uint8_t tail[TAIL_BYTES];
    if (fd < 0 || fstat(fd, &stat) < 0)
        return fail_file(err, "read", local_path);
    *out = (ParquetMarks){.file_size = stat.st_size};
    if (out->file_size < 12)
        return silt_fail(err, SILT_INPUT, "\"%s\" is no Parquet file: it has only %lld bytes", local_path, (long long)out->file_size);
    SILT_TRY(read_at(fd, out->file_size - TAIL_BYTES, tail, sizeof tail, local_path, err));
    int64_t size = tail[0] | tail[1] << 8 | tail[2] << 16 | (int64_t)tail[3] << 24;
    if (memcmp(tail + 4, "PAR1", 4) != 0 || size > out->file_size - 12 || size > FOOTER_BYTES_MAX)
        return silt_fail(err, SILT_INPUT, "\"%s\" is no Parquet file, or is cut off", local_path);
    out->footer_at = out->file_size - TAIL_BYTES - size;
    out->footer_size = (size_t)size;
    out->footer = arena_alloc(arena, (size_t)size + 1);
    SILT_TRY(read_at(fd, out->footer_at, out->footer, out->footer_size, local_path, err));
    if (!parquet_marks_parse(out->footer, out->footer_size, arena, &out->elements, &out->count))
        return silt_fail(err, SILT_INPUT, "Parquet file \"%s\" has a footer that cannot be read", local_path);
    return 0;
}

/* ---- the copy ---- */

typedef struct Copy {
    const char *from_path, *to_path;
    int from, to;
    const char *const *columns;
    int column_count;
    int64_t end; /* of the data */
    void *buffer;
    SiltErr *err;
} Copy;

static int write_at(const Copy *copy, int64_t at, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = pwrite(copy->to, (const char *)bytes + done, size - done, at + (int64_t)done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return fail_file(copy->err, "write", copy->to_path);
        done += (size_t)put;
    }
    return 0;
}

/* The kernel copies, on some file systems by sharing the blocks; by way of memory where it cannot. */
static int copy_range(Copy *copy, int64_t from, int64_t end)
{
    while (from < end) {
        off_t in = from, out = from;
        ssize_t done = copy_file_range(copy->from, &in, copy->to, &out, (size_t)(end - from), 0);
        if (done < 0 && errno != EINTR)
            break;
        if (done == 0)
            return silt_fail(copy->err, SILT_INPUT, "Parquet file \"%s\" is cut off", copy->from_path);
        if (done > 0)
            from += done;
    }
    while (from < end) {
        size_t size = end - from < COPY_BYTES ? (size_t)(end - from) : COPY_BYTES;
        if (!copy->buffer)
            copy->buffer = silt_alloc(COPY_BYTES);
        SILT_TRY(read_at(copy->from, from, copy->buffer, size, copy->from_path, copy->err));
        SILT_TRY(write_at(copy, from, copy->buffer, size));
        from += (int64_t)size;
    }
    return 0;
}

static bool is_wanted(const Copy *copy, Str name)
{
    for (int i = 0; i < copy->column_count; i++)
        if (str_is_nocase(name, copy->columns[i]))
            return true;
    return copy->column_count < 0;
}

typedef struct ChunkPlace {
    Str top; /* name of the column of the table that it is a part of */
    int64_t size, data, dictionary, index;
} ChunkPlace;

static ChunkPlace parse_place(Thrift *b)
{
    ChunkPlace place = {0};
    int64_t id = 0;
    int type;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP) {
        int item;
        if (id == 3 && type == THRIFT_LIST) {
            uint64_t count = thrift_list(b, &item);
            for (uint64_t i = 0; i < count && item == THRIFT_BINARY && !b->broken; i++) {
                Str name = thrift_binary(b);
                place.top = i ? place.top : name;
            }
            b->broken |= item != THRIFT_BINARY;
        } else if (type == THRIFT_I64 && (id == 7 || id == 9 || id == 10 || id == 11)) {
            *(id == 7 ? &place.size : id == 9 ? &place.data : id == 10 ? &place.index : &place.dictionary) = thrift_integer(b);
        } else {
            thrift_skip(b, type);
        }
    }
    return place;
}

/* One ColumnChunk. */
static int copy_chunk(Copy *copy, Thrift *b)
{
    int64_t id = 0;
    int type;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP) {
        if (id != 3 || type != THRIFT_STRUCT) {
            thrift_skip(b, type);
            continue;
        }
        ChunkPlace place = parse_place(b);
        int64_t from = place.data;
        if (place.index > 0 && place.index < from)
            from = place.index;
        if (place.dictionary > 0 && place.dictionary < from)
            from = place.dictionary;
        if (b->broken || !is_wanted(copy, place.top))
            continue;
        if (from < 0 || place.size < 0 || from > copy->end || place.size > copy->end - from) { /* PM1 */
            b->broken = true;
            continue;
        }
        SILT_TRY(copy_range(copy, from, from + place.size));
    }
    return 0;
}

/* The structs of a list. */
static int copy_chunks(Copy *copy, Thrift *b)
{
    int item;
    uint64_t count = thrift_list(b, &item);
    b->broken |= item != THRIFT_STRUCT;
    for (uint64_t i = 0; i < count && !b->broken; i++)
        SILT_TRY(copy_chunk(copy, b));
    return 0;
}

static int copy_group(Copy *copy, Thrift *b)
{
    int64_t id = 0;
    int type;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP)
        if (id == 1 && type == THRIFT_LIST)
            SILT_TRY(copy_chunks(copy, b));
        else
            thrift_skip(b, type);
    return 0;
}

static int copy_groups(Copy *copy, const ParquetMarks *marks)
{
    Thrift b = {marks->footer, marks->footer + marks->footer_size, false};
    int64_t id = 0;
    int type;
    while ((type = thrift_field(&b, &id)) != THRIFT_STOP) {
        int item;
        if (id != 4 || type != THRIFT_LIST) {
            thrift_skip(&b, type);
            continue;
        }
        uint64_t count = thrift_list(&b, &item);
        b.broken |= item != THRIFT_STRUCT;
        for (uint64_t i = 0; i < count && !b.broken; i++)
            SILT_TRY(copy_group(copy, &b));
    }
    if (b.broken)
        return silt_fail(copy->err, SILT_INPUT, "Parquet file \"%s\" has a footer that cannot be read", copy->from_path);
    return 0;
}

static int fill(Copy *copy, const ParquetMarks *marks)
{
    if (ftruncate(copy->to, marks->file_size) < 0)
        return fail_file(copy->err, "write", copy->to_path);
    SILT_TRY(copy_range(copy, 0, 4)); /* "PAR1" */
    SILT_TRY(copy_groups(copy, marks));
    SILT_TRY(write_at(copy, marks->footer_at, marks->footer, marks->footer_size));
    return copy_range(copy, marks->footer_at + (int64_t)marks->footer_size, marks->file_size);
}

/* /var/tmp rather than /tmp, which often is memory. */
static const char *temporary_directory(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/var/tmp";
}

int parquet_marks_copy(const char *local_path, const ParquetMarks *marks, const char *const *columns, int column_count, Arena *arena,
                       const char **out_path, SiltErr *err)
{
    /* DuckDB keeps parts of files in memory by their path: no path comes twice */
    static atomic_uint_least64_t number;
    silt_auto(close_fd) int from = open(local_path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return fail_file(err, "read", local_path);
    char *path = arena_printf(arena, "%s/silt-%ld-%llu-XXXXXX.parquet", temporary_directory(), (long)getpid(),
                              (unsigned long long)atomic_fetch_add(&number, 1));
    silt_auto(close_fd) int to = mkostemps(path, 8, O_CLOEXEC);
    if (to < 0) {
        fail_file(err, "write", path);
        return silt_hint(err, "A Parquet file with a VARIANT column is read by way of a temporary file. TMPDIR says where those are made.");
    }
    Copy copy = {.from_path = local_path, .to_path = path, .from = from, .to = to, .columns = columns, .column_count = column_count,
                 .end = marks->footer_at, .err = err};
    int r = fill(&copy, marks);
    free(copy.buffer);
    if (r < 0)
        unlink(path);
    else
        *out_path = path;
    return r;
}
