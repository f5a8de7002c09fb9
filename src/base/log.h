#pragma once
/*
 * base/log.h - what happens, as events with fields, so that it can be read and counted
 *
 *   LOG(LOG_INFO, "sink.commit", LOG_TEXT("table", name), LOG_INTEGER("version", v), LOG_INTEGER("ms", ms));
 *
 * writes one line, in one of two forms:
 *
 *   2026-01-01T00:00:00.000Z INFO sink.commit table=orders version=42 ms=63
 *   {"time":"2026-01-01T00:00:00.000Z","level":"INFO","event":"sink.commit","table":"orders","version":42,"ms":63}
 *
 * Values with blanks, quotes, = or control characters are written as JSON strings, so a line is always one line. Only flow,
 * pipeline, serve and cli log, and an error once; the folders below return it. Everything here may be called from any thread.
 */
#include "base/err.h"
#include "base/str.h"

typedef enum LogLevel { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_NOTHING } LogLevel;
typedef enum LogFormat { LOG_FORMAT_TEXT, LOG_FORMAT_JSON } LogFormat;

/* One field; make it with the macros below. Keys are literals: lower case, words joined by '_'. */
typedef struct LogField {
    enum LogFieldKind { LOG_FIELD_TEXT, LOG_FIELD_INT, LOG_FIELD_DOUBLE, LOG_FIELD_BOOL, LOG_FIELD_FAILURE } kind;
    const char *key;
    Str text;
    int64_t integer;
    double number;
    const SiltErr *failure;
} LogField;

#define LOG_TEXT(k, cstr)     ((LogField){.kind = LOG_FIELD_TEXT, .key = (k), .text = str_of(cstr)}) /* NULL is written as "" */
#define LOG_STR(k, str)       ((LogField){.kind = LOG_FIELD_TEXT, .key = (k), .text = (str)})
#define LOG_INTEGER(k, value) ((LogField){.kind = LOG_FIELD_INT, .key = (k), .integer = (value)})
#define LOG_NUMBER(k, value)  ((LogField){.kind = LOG_FIELD_DOUBLE, .key = (k), .number = (value)})
#define LOG_BOOL(k, value)    ((LogField){.kind = LOG_FIELD_BOOL, .key = (k), .integer = (value)})
/* A failure as the fields kind, code, error, hint and at (file:line:column), those that it has. */
#define LOG_FAILURE(err) ((LogField){.kind = LOG_FIELD_FAILURE, .failure = (err)})

/* LOG(level, "event.name", fields...): nothing is evaluated below the level that is set. */
#define LOG(level, ...)                                                                                                                    \
    do {                                                                                                                                   \
        if (log_enabled(level))                                                                                                            \
            LOG__WRITE((level), __VA_ARGS__, (LogField){0});                                                                               \
    } while (0)
#define LOG__WRITE(level, event, ...) log_write((level), (event), (const LogField[]){__VA_ARGS__})

bool log_enabled(LogLevel level);
/* Fields end with one whose key and failure are NULL. Use LOG. */
void log_write(LogLevel level, const char *event, const LogField *fields);

/* From which level on events are written; at first LOG_INFO. LOG_NOTHING: none. */
void log_set_level(LogLevel level);
LogLevel log_level(void);
void log_set_format(LogFormat format); /* at first text */
LogFormat log_format(void);
/* Where lines go, NUL-terminated with their newline, one call at a time; NULL: standard error. self is borrowed until the next call. */
void log_set_sink(void (*sink)(void *self, Str line), void *self);
/* Microseconds since 1970 UTC; NULL: the system's clock. self is borrowed until the next call. */
void log_set_clock(int64_t (*now_us)(void *self), void *self);
/* "debug", "info", "warn", "error"; false if it is none of them. */
bool log_level_of(const char *name, LogLevel *out);
