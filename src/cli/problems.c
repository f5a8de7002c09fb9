/*
 * cli/problems.c - errors as people and as programs read them
 *
 *     transformations/orders.sql:7:12: error: no column "custmer" in "raw"
 *       7 |     SELECT custmer, amount
 *         |            ^~~~~~~
 *       hint: did you mean "customer"?
 *
 * Columns are counted in characters, the caret is placed in columns of the terminal (wide characters take two, combining ones
 * none, tabs are repeated). Of a very long line only the part around the column is shown.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include "cli/cli.h"

enum { SOURCE_WIDTH_MAX = 160, SOURCE_BEFORE = 100 };

static bool as_json;

void problems_format(bool json)
{
    as_json = json;
}

size_t text_character(const char *text, size_t size, int *width)
{
    const unsigned char *p = (const unsigned char *)text;
    static const unsigned char first_mask[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t need = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;

    *width = 1;
    if (need == 0 || need > size)
        return 1;
    wchar_t c = p[0] & first_mask[need];
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 1;
        c = c << 6 | (p[i] & 0x3f);
    }
    int columns = wcwidth(c);
    *width = columns < 0 ? 1 : columns;
    return need;
}

int text_width(const char *text, size_t size)
{
    int total = 0, width;

    for (size_t i = 0; i < size;) {
        i += text_character(text + i, size - i, &width);
        total += width;
    }
    return total;
}

/* Print the characters [first, end) of a line; bytes that could steer a terminal become '?'. */
static void print_source(const char *line, int first, int end)
{
    size_t size = strlen(line);
    int index = 1, width;

    for (size_t i = 0; i < size && index < end; index++) {
        size_t bytes = text_character(line + i, size - i, &width);
        if (index >= first) {
            unsigned char c = (unsigned char)line[i];
            if ((c < 0x20 && c != '\t') || c == 0x7f || (bytes == 1 && c >= 0x80))
                putc('?', stderr);
            else
                fwrite(line + i, 1, bytes, stderr);
        }
        i += bytes;
    }
}

static void print_caret(const SiltProblem *problem, int first, int end)
{
    const char *line = problem->source;
    size_t size = strlen(line), i = 0;
    int index = 1, width;

    for (; i < size && index < problem->column; index++) {
        size_t bytes = text_character(line + i, size - i, &width);
        if (index >= first) {
            if (line[i] == '\t')
                putc('\t', stderr);
            else
                for (int w = 0; w < width; w++)
                    putc(' ', stderr);
        }
        i += bytes;
    }
    putc('^', stderr);
    int tildes = -1;
    for (int k = 0; k < problem->length && i < size && index < end; k++, index++) {
        size_t bytes = text_character(line + i, size - i, &width);
        tildes += width;
        i += bytes;
    }
    for (; tildes > 0; tildes--)
        putc('~', stderr);
    putc('\n', stderr);
}

static void print_text(const SiltProblem *problem)
{
    bool color = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    const char *paint = !color ? "" : strcmp(problem->level, "warning") == 0 ? "\033[1;33m" : "\033[1;31m";

    if (problem->file[0] && problem->line > 0)
        fprintf(stderr, "%s:%d:%d: ", problem->file, problem->line, problem->column > 0 ? problem->column : 1);
    else if (problem->file[0])
        fprintf(stderr, "%s: ", problem->file);
    fprintf(stderr, "%s%s:%s %s\n", paint, problem->level, color ? "\033[0m" : "", problem->message);
    if (problem->line > 0 && problem->source[0] && problem->column > 0) {
        int first = problem->column > SOURCE_BEFORE + 20 ? problem->column - SOURCE_BEFORE : 1;
        int end = first + SOURCE_WIDTH_MAX;
        int gutter = fprintf(stderr, "  %d", problem->line);
        fputs(" | ", stderr);
        if (first > 1)
            fputs("...", stderr);
        print_source(problem->source, first, end);
        fprintf(stderr, "\n%*s | %s", gutter, "", first > 1 ? "   " : "");
        print_caret(problem, first, end);
    }
    if (problem->hint[0])
        fprintf(stderr, "  hint: %s\n", problem->hint);
}

static void json_text(const char *key, const char *text)
{
    if (!text[0])
        return;
    fprintf(stderr, ",\"%s\":\"", key);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int width;
        size_t bytes = text_character((const char *)p, strlen((const char *)p), &width);
        if (*p == '"' || *p == '\\')
            fprintf(stderr, "\\%c", *p);
        else if (*p < 0x20)
            fprintf(stderr, "\\u%04x", *p);
        else if (*p >= 0x80 && bytes == 1)
            fputs("\\ufffd", stderr);
        else
            fwrite(p, 1, bytes, stderr);
        p += bytes;
    }
    putc('"', stderr);
}

static void print_json(const SiltProblem *problem)
{
    fprintf(stderr, "{\"level\":\"%s\"", problem->level);
    json_text("kind", problem->kind);
    json_text("code", problem->code);
    json_text("file", problem->file);
    if (problem->line > 0)
        fprintf(stderr, ",\"line\":%d,\"column\":%d,\"length\":%d", problem->line, problem->column, problem->length);
    json_text("message", problem->message);
    json_text("source", problem->source);
    json_text("hint", problem->hint);
    fputs("}\n", stderr);
}

static void print_event_json(const SiltEvent *event, const char *time)
{
    static const char *const levels[] = {"info", "warn", "error"};

    fprintf(stderr, "{\"level\":\"%s\",\"timestamp\":\"%s\"", levels[event->level], time);
    json_text("dataset", event->dataset ? event->dataset : "");
    json_text("flow", event->flow ? event->flow : "");
    json_text("status", event->status ? event->status : "");
    json_text("message", event->message);
    fputs("}\n", stderr);
}

/* A failure that an event has shown with its reason is not shown again at the end of the run. */
static uint64_t *shown;
static int shown_count, shown_capacity;

static uint64_t fingerprint(const SiltProblem *problem)
{
    const char *const texts[] = {problem->file, problem->message, problem->hint};
    uint64_t hash = 14695981039346656037u ^ (uint64_t)problem->line << 20 ^ (uint64_t)problem->column;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        for (const char *p = texts[i]; *p; p++)
            hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    return hash;
}

static bool was_shown(const SiltProblem *problem)
{
    uint64_t hash = fingerprint(problem);

    for (int i = 0; i < shown_count; i++)
        if (shown[i] == hash)
            return true;
    return false;
}

static void remember(const SiltProblem *problem)
{
    if (was_shown(problem))
        return;
    if (shown_count == shown_capacity) {
        shown_capacity = shown_capacity ? 2 * shown_capacity : 16;
        shown = realloc(shown, (size_t)shown_capacity * sizeof(*shown));
        if (!shown)
            abort();
    }
    shown[shown_count++] = fingerprint(problem);
}

void event_print(const SiltEvent *event)
{
    char time[40], text[64];
    time_t seconds = (time_t)(event->time_us / 1000000);
    struct tm parts;

    gmtime_r(&seconds, &parts);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(time, sizeof(time), "%.20s.%03dZ", text, (int)(event->time_us / 1000 % 1000));
    flockfile(stderr);
    if (as_json)
        print_event_json(event, time);
    else
        fprintf(stderr, "%s: %s\n", time, event->message);
    funlockfile(stderr);
    if (event->problem) {
        problem_print(event->problem);
        remember(event->problem);
    }
}

void problem_print(const SiltProblem *problem)
{
    flockfile(stderr);
    if (as_json)
        print_json(problem);
    else
        print_text(problem);
    funlockfile(stderr);
}

int problems_report(SiltStatus status, SiltProblems *problems)
{
    for (int i = 0; i < silt_problems_count(problems); i++)
        if (!was_shown(silt_problems_at(problems, i)))
            problem_print(silt_problems_at(problems, i));
    silt_problems_free(problems);
    switch (status) {
    case SILT_DONE:
    case SILT_END:
        return EXIT_DONE;
    case SILT_FAILED:
        return EXIT_FAILED;
    case SILT_REFUSED:
        return EXIT_REFUSED;
    case SILT_STOPPED: {
        int code = signals_exit_code();
        return code ? code : EXIT_FAILED;
    }
    }
    return EXIT_FAILED;
}

int cli_refuse(const char *hint, const char *fmt, ...)
{
    char *message = NULL;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&message, fmt, args) < 0)
        abort();
    va_end(args);
    SiltProblem problem = {
        .level = "error", .kind = "config", .code = "", .message = message, .hint = hint ? hint : "", .file = "", .source = ""};
    problem_print(&problem);
    free(message);
    return EXIT_REFUSED;
}
