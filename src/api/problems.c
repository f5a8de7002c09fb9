/*
 * api/problems.c - the list of problems that silt.h hands out: copies of failures, each with the line of text it points at
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/internal.h"

enum { SOURCE_FILE_SIZE_MAX = 16 << 20, SOURCE_LINE_SIZE_MAX = 8192 };

struct SiltProblems {
    Arena *arena;
    SiltProblem *items;
    int count, capacity;
};

SiltProblems *api__problems_new(void)
{
    SiltProblems *problems = silt_alloc(sizeof(*problems));

    problems->arena = arena_new();
    return problems;
}

int silt_problems_count(const SiltProblems *problems)
{
    return problems ? problems->count : 0;
}

const SiltProblem *silt_problems_at(const SiltProblems *problems, int index)
{
    return problems && index >= 0 && index < problems->count ? &problems->items[index] : NULL;
}

void silt_problems_free(SiltProblems *problems)
{
    if (!problems)
        return;
    arena_free(problems->arena);
    free(problems);
}

const char *api__kind_name(SiltErrKind kind)
{
    switch (kind) {
    case SILT_TRANSIENT:
        return "transient";
    case SILT_INPUT:
        return "input";
    case SILT_CONFIG:
        return "config";
    case SILT_CORRUPT:
        return "corrupt";
    case SILT_CANCELLED:
        return "cancelled";
    }
    return "config";
}

/* Line `number` (from 1) of a text, without its end; "" when there is none. */
static char *cut_line(Arena *arena, Str text, int number)
{
    const char *at = text.ptr, *end = text.ptr + text.size;

    for (int line = 1; line < number && at; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return arena_strdup(arena, "");
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop)
        stop = end;
    if (stop > at && stop[-1] == '\r')
        stop--;
    if (stop - at > SOURCE_LINE_SIZE_MAX)
        stop = at + SOURCE_LINE_SIZE_MAX;
    return arena_strndup(arena, at, (size_t)(stop - at));
}

/* For messages only, so it may fail in silence: then the message stands without its line. */
static char *line_of_file(Arena *arena, const char *name, const char *directory, int number)
{
    StrBuf path = {0};

    if (name[0] != '/' && directory)
        str_buf_printf(&path, "%s/", directory);
    str_buf_puts(&path, name);
    FILE *file = fopen(str_buf_text(&path), "rb");
    str_buf_fini(&path);
    if (!file)
        return arena_strdup(arena, "");
    char *content = silt_alloc(SOURCE_FILE_SIZE_MAX);
    size_t size = fread(content, 1, SOURCE_FILE_SIZE_MAX, file);
    fclose(file);
    char *line = cut_line(arena, (Str){content, size}, number);
    free(content);
    return line;
}

static void add(SiltProblems *problems, const char *level, const SiltErr *err, const ApiText *text, const char *directory)
{
    Arena *arena = problems->arena;
    SiltProblem problem = {
        .level = level,
        .kind = api__kind_name(err->kind),
        .code = arena_strdup(arena, err->code),
        .message = arena_strdup(arena, err->message),
        .hint = arena_strdup(arena, err->hint),
        .file = arena_strdup(arena, err->file),
        .line = err->line,
        .column = err->column,
        .length = err->length,
        .source = "",
    };

    if (err->file[0] && err->line > 0)
        problem.source = text && strcmp(text->name, err->file) == 0 ? cut_line(arena, text->text, err->line)
                                                                    : line_of_file(arena, err->file, directory, err->line);
    ARENA_PUSH(arena, problems->items, problems->count, problems->capacity, problem);
}

void api__problems_add(SiltProblems *problems, const SiltErr *err, const ApiText *text, const char *directory)
{
    add(problems, "error", err, text, directory);
}

void api__problems_warn(SiltProblems *problems, const SiltErr *err, const ApiText *text, const char *directory)
{
    add(problems, "warning", err, text, directory);
}

SiltStatus api__status(const SiltErr *err, bool started)
{
    if (err->kind == SILT_CANCELLED)
        return SILT_STOPPED;
    /* bad data, bad bytes and a world that failed are met by running only; what a person must change, before it */
    return started || err->kind != SILT_CONFIG ? SILT_FAILED : SILT_REFUSED;
}

SiltStatus api__fail(SiltProblems **problems, const SiltErr *err, bool started, const ApiText *text, const char *directory)
{
    *problems = api__problems_new();
    api__problems_add(*problems, err, text, directory);
    return api__status(err, started);
}

SiltStatus api__fail_many(SiltProblems **problems, const SqlErrors *errors, bool started, const ApiText *text, const char *directory)
{
    silt_assert(errors->count > 0);
    *problems = api__problems_new();
    for (int i = 0; i < errors->count; i++)
        api__problems_add(*problems, &errors->items[i], text, directory);
    return api__status(&errors->items[0], started);
}
