#pragma once
/* base/err.h - what went wrong, of which kind, and where in the user's text */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SILT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/*
 * The kind decides what the runner does: retry, set aside, ask a person, or stop.
 */
typedef enum SiltErrKind {
    SILT_TRANSIENT = 1, /* the same call may work later */
    SILT_INPUT,         /* this record is bad: the pipeline's policy decides */
    SILT_CONFIG,        /* a person must change something */
    SILT_CORRUPT,       /* bytes that we rely on are wrong: stop, touch nothing */
    SILT_CANCELLED,     /* a person or the scheduler asked to stop */
} SiltErrKind;

/* A place in a user's text. file is borrowed (lives as long as the text); line and column count from 1, 0 = unknown. */
typedef struct SiltPos {
    const char *file;
    int line;
    int column; /* in characters (code points), as an editor shows it */
    int length; /* characters to underline; 0 = one */
} SiltPos;

/*
 * One failure. Lives on the caller's stack, holds everything by value, so that it can be passed up from anywhere.
 * message: one line, lower case, no full stop; hint: whole sentences; code: Spark's error class where there is one.
 */
typedef struct SiltErr {
    SiltErrKind kind;
    char code[96];
    char message[1536];
    char hint[768];
    char file[512];
    int line, column, length;
} SiltErr;

/* Fill err (NULL allowed) and return -1. Position, hint and code are cleared. */
int silt_fail(SiltErr *err, SiltErrKind kind, const char *fmt, ...) SILT_PRINTF(3, 4);
/* The same, at a position. */
int silt_fail_at(SiltErr *err, SiltErrKind kind, SiltPos pos, const char *fmt, ...) SILT_PRINTF(4, 5);
/* The same with errno's text appended: `fmt: No space left on device`. The kind follows errno (ENOSPC, EIO, EAGAIN: TRANSIENT; others CONFIG). */
int silt_fail_errno(SiltErr *err, int errnum, const char *fmt, ...) SILT_PRINTF(3, 4);
/* Give a failure this position instead of the one it has. err not NULL. Returns -1. */
int silt_place(SiltErr *err, SiltPos pos);
/* Add to a failure that is already filled; each returns -1 so that it can be chained with `return`. */
int silt_hint(SiltErr *err, const char *fmt, ...) SILT_PRINTF(2, 3);
int silt_code(SiltErr *err, const char *code);
/* Put words before the message, for context: `flow "orders", batch 7: ` */
int silt_context(SiltErr *err, const char *fmt, ...) SILT_PRINTF(2, 3);

/* Pass a failure up; an outcome (> 0) must have been handled before. */
#define SILT_TRY(call)                                           \
    do {                                                         \
        int try_r = (call);                                      \
        silt_assert(try_r <= 0); /* an outcome went unhandled */ \
        if (try_r < 0)                                           \
            return try_r;                                        \
    } while (0)

/* Assertions are for our own mistakes and stay on in release. */
#define silt_assert(cond)                                     \
    do {                                                      \
        if (__builtin_expect(!(cond), 0))                     \
            silt_assert_failed(#cond, __FILE__, __LINE__);    \
    } while (0)
_Noreturn void silt_assert_failed(const char *cond, const char *file, int line);

/* A local that owns something: silt_auto(str_buf_fini) StrBuf b = {0}; the function takes a pointer to the local. */
#define silt_auto(fn) __attribute__((cleanup(fn)))

/* Allocate or abort: small bookkeeping only; we recover from a crash anyway. */
void *silt_alloc(size_t size);              /* zeroed */
void *silt_realloc(void *ptr, size_t size); /* not zeroed */
char *silt_strdup(const char *text);
