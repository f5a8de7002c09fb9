/*
 * tests/fuzz/parquet_footer.c - any bytes as the footer of a Parquet file
 *
 * The marks of VARIANTs are taken out of it, and the file is copied as it says. What is copied has no mark, is as long as the file, and has its bytes or
 * holes.
 */
#include "duck/parquet_marks.h"

#include "fuzz.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_number(StrBuf *out, size_t number)
{
    for (int i = 0; i < 4; i++)
        str_buf_putc(out, (char)(number >> 8 * i & 0xff));
}

static void write_file(const char *path, const StrBuf *content)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    silt_assert(fd >= 0 && write(fd, content->ptr, content->size) == (ssize_t)content->size);
    close(fd);
}

static void check_copy(const char *path, const StrBuf *content, const ParquetMarks *marks)
{
    char *bytes = malloc(content->size + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    silt_assert(fd >= 0 && read(fd, bytes, content->size + 1) == (ssize_t)content->size);
    for (size_t i = 0; i < content->size; i++)
        silt_assert(bytes[i] == content->ptr[i] || bytes[i] == 0 || (i >= (size_t)marks->footer_at && (uint8_t)bytes[i] == marks->footer[i - (size_t)marks->footer_at]));
    close(fd);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf content = {0};
    static const char *const names[] = {"v", "id"};
    char path[64];
    ParquetMarks marks, again;
    SiltErr err;
    const char *copy;

    snprintf(path, sizeof path, "/tmp/silt-fuzz-%ld.parquet", (long)getpid());
    str_buf_puts(&content, "PAR1");
    for (int i = 0; i < 200; i++)
        str_buf_putc(&content, (char)(1 + i % 100));
    str_buf_add(&content, (const char *)data, size);
    put_number(&content, size);
    str_buf_puts(&content, "PAR1");
    write_file(path, &content);
    if (parquet_marks_read(path, arena, &marks, &err) == 0 && parquet_marks_copy(path, &marks, names, 1 + (int)(size % 2), arena, &copy, &err) == 0) {
        for (int i = 0; i < marks.count; i++)
            silt_assert(marks.elements[i] >= 0 && (size_t)marks.elements[i] < size && (i == 0 || marks.elements[i] > marks.elements[i - 1]));
        check_copy(copy, &content, &marks);
        silt_assert(parquet_marks_read(copy, arena, &again, &err) == 0 && again.count == 0);
        unlink(copy);
    }
    unlink(path);
    return 0;
}
