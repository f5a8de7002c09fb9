/* base/log.c - events to one line each */
#include "base/log.h"

#include "base/json.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static _Atomic int level_set = LOG_INFO;
static _Atomic int format_set = LOG_FORMAT_TEXT;

/* guards what follows, and keeps lines whole */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void (*sink_set)(void *self, Str line);
static void *sink_self;
static int64_t (*clock_set)(void *self);
static void *clock_self;

static const char *const level_names[] = {"DEBUG", "INFO", "WARN", "ERROR"};

bool log_enabled(LogLevel level)
{
    return (int)level >= atomic_load_explicit(&level_set, memory_order_relaxed);
}

void log_set_level(LogLevel level)
{
    atomic_store(&level_set, (int)level);
}

LogLevel log_level(void)
{
    return (LogLevel)atomic_load(&level_set);
}

void log_set_format(LogFormat format)
{
    atomic_store(&format_set, (int)format);
}

LogFormat log_format(void)
{
    return (LogFormat)atomic_load(&format_set);
}

void log_set_sink(void (*sink)(void *self, Str line), void *self)
{
    pthread_mutex_lock(&mutex);
    sink_set = sink;
    sink_self = self;
    pthread_mutex_unlock(&mutex);
}

void log_set_clock(int64_t (*now_us)(void *self), void *self)
{
    pthread_mutex_lock(&mutex);
    clock_set = now_us;
    clock_self = self;
    pthread_mutex_unlock(&mutex);
}

bool log_level_of(const char *name, LogLevel *out)
{
    for (int i = 0; i <= LOG_ERROR; i++) {
        if (str_is_nocase(str_of(name), level_names[i])) {
            *out = (LogLevel)i;
            return true;
        }
    }
    return false;
}

static void put_time(StrBuf *out, int64_t now_us)
{
    int64_t ms = now_us / 1000 - (now_us % 1000 < 0);
    time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
    struct tm tm;
    gmtime_r(&seconds, &tm);
    str_buf_printf(out, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
                   tm.tm_sec, (int)(ms - (int64_t)seconds * 1000));
}

/* Bare when a reader that splits at blanks and '=' gets it back, else as a JSON string. */
static void put_text_value(StrBuf *out, Str text)
{
    bool bare = text.size > 0 && utf8_valid(text);
    for (size_t i = 0; i < text.size && bare; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bare = c > ' ' && c != 0x7F && c != '"' && c != '=' && c != '\\';
    }
    if (bare)
        str_buf_str(out, text);
    else
        json_put_str(out, text);
}

static void put_key(StrBuf *out, LogFormat format, const char *key)
{
    str_buf_printf(out, format == LOG_FORMAT_JSON ? ",\"%s\":" : " %s=", key);
}

static void put_text(StrBuf *out, LogFormat format, const char *key, Str text)
{
    put_key(out, format, key);
    if (format == LOG_FORMAT_JSON)
        json_put_str(out, text);
    else
        put_text_value(out, text);
}

static void put_failure(StrBuf *out, LogFormat format, const SiltErr *failure)
{
    static const char *const kinds[] = {"unknown", "transient", "input", "config", "corrupt", "cancelled"};
    unsigned kind = (unsigned)failure->kind;
    put_text(out, format, "kind", str_of(kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0]));
    if (failure->code[0])
        put_text(out, format, "code", str_of(failure->code));
    put_text(out, format, "error", str_of(failure->message));
    if (failure->hint[0])
        put_text(out, format, "hint", str_of(failure->hint));
    if (failure->file[0]) {
        StrBuf at = {0};
        str_buf_puts(&at, failure->file);
        if (failure->line > 0)
            str_buf_printf(&at, failure->column > 0 ? ":%d:%d" : ":%d", failure->line, failure->column);
        put_text(out, format, "at", str_buf_view(&at));
        str_buf_fini(&at);
    }
}

static void put_field(StrBuf *out, LogFormat format, const LogField *field)
{
    switch (field->kind) {
    case LOG_FIELD_TEXT:
        put_text(out, format, field->key, field->text);
        break;
    case LOG_FIELD_INT:
        put_key(out, format, field->key);
        str_buf_printf(out, "%lld", (long long)field->integer);
        break;
    case LOG_FIELD_DOUBLE:
        put_key(out, format, field->key);
        if (isfinite(field->number))
            str_buf_printf(out, "%.6g", field->number);
        else
            str_buf_puts(out, "null"); /* JSON has no infinities */
        break;
    case LOG_FIELD_BOOL:
        put_key(out, format, field->key);
        str_buf_puts(out, field->integer ? "true" : "false");
        break;
    case LOG_FIELD_FAILURE:
        put_failure(out, format, field->failure);
        break;
    }
}

void log_write(LogLevel level, const char *event, const LogField *fields)
{
    silt_assert(level <= LOG_ERROR);
    LogFormat format = log_format();
    StrBuf rest = {0}, line = {0};
    for (const LogField *field = fields; field->key || field->failure; field++)
        put_field(&rest, format, field);

    pthread_mutex_lock(&mutex);
    int64_t now_us;
    if (clock_set) {
        now_us = clock_set(clock_self);
    } else {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        now_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    }
    if (format == LOG_FORMAT_JSON) {
        str_buf_puts(&line, "{\"time\":\"");
        put_time(&line, now_us);
        str_buf_printf(&line, "\",\"level\":\"%s\",\"event\":\"%s\"%s}\n", level_names[level], event, str_buf_text(&rest));
    } else {
        put_time(&line, now_us);
        str_buf_printf(&line, " %s %s%s\n", level_names[level], event, str_buf_text(&rest));
    }
    if (sink_set)
        sink_set(sink_self, str_buf_view(&line));
    else
        fwrite(line.ptr, 1, line.size, stderr);
    pthread_mutex_unlock(&mutex);
    str_buf_fini(&rest);
    str_buf_fini(&line);
}
