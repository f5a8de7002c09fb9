/* base/err.c - filling in failures */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(SiltErr *err, SiltErrKind kind, const char *fmt, va_list args)
{
    err->kind = kind;
    err->code[0] = err->hint[0] = err->file[0] = '\0';
    err->line = err->column = err->length = 0;
    vsnprintf(err->message, sizeof err->message, fmt, args);
}

int silt_fail(SiltErr *err, SiltErrKind kind, const char *fmt, ...)
{
    if (!err)
        return -1;
    va_list args;
    va_start(args, fmt);
    fill(err, kind, fmt, args);
    va_end(args);
    return -1;
}

int silt_fail_at(SiltErr *err, SiltErrKind kind, SiltPos pos, const char *fmt, ...)
{
    if (!err)
        return -1;
    va_list args;
    va_start(args, fmt);
    fill(err, kind, fmt, args);
    va_end(args);
    return silt_place(err, pos);
}

int silt_place(SiltErr *err, SiltPos pos)
{
    snprintf(err->file, sizeof err->file, "%s", pos.file ? pos.file : "");
    err->line = pos.line;
    err->column = pos.column;
    err->length = pos.length;
    return -1;
}

int silt_fail_errno(SiltErr *err, int errnum, const char *fmt, ...)
{
    if (!err)
        return -1;
    SiltErrKind kind = SILT_CONFIG;
    if (errnum == ENOSPC || errnum == EDQUOT || errnum == EIO || errnum == EAGAIN || errnum == EINTR ||
        errnum == EMFILE || errnum == ENFILE || errnum == ENOMEM || errnum == ESTALE || errnum == ETIMEDOUT)
        kind = SILT_TRANSIENT;
    va_list args;
    va_start(args, fmt);
    fill(err, kind, fmt, args);
    va_end(args);
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, ": %s", strerror(errnum));
    return -1;
}

int silt_hint(SiltErr *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
    return -1;
}

int silt_code(SiltErr *err, const char *code)
{
    if (err)
        snprintf(err->code, sizeof err->code, "%s", code);
    return -1;
}

int silt_context(SiltErr *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    char old[sizeof err->message];
    memcpy(old, err->message, sizeof old);
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "%s", old);
    return -1;
}

_Noreturn void silt_assert_failed(const char *cond, const char *file, int line)
{
    fprintf(stderr, "silt: internal error: %s:%d: %s does not hold\n", file, line, cond);
    abort();
}

void *silt_alloc(size_t size)
{
    void *ptr = calloc(1, size ? size : 1);
    silt_assert(ptr != NULL);
    return ptr;
}

void *silt_realloc(void *ptr, size_t size)
{
    void *bigger = realloc(ptr, size ? size : 1);
    silt_assert(bigger != NULL);
    return bigger;
}

char *silt_strdup(const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    return memcpy(silt_alloc(size), text, size);
}
