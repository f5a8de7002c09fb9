#pragma once
/* api/internal.h - how the library's own failures become what silt.h shows */
#include "base/arena.h"
#include "base/err.h"
#include "silt.h"
#include "sql/sql.h"

/* A text that positions may point into without a file of that name: -c, stdin. Borrowed. */
typedef struct ApiText {
    const char *name;
    Str text;
} ApiText;

/* An empty list. */
SiltProblems *api__problems_new(void);
/*
 * Copy a failure into the list. The source line is cut from `text` when the failure names it, else from the file itself, looked
 * up in `directory` when the name is relative (NULL: the working directory).
 */
void api__problems_add(SiltProblems *problems, const SiltErr *err, const ApiText *text, const char *directory);
/* The same as a warning. */
void api__problems_warn(SiltProblems *problems, const SiltErr *err, const ApiText *text, const char *directory);
/* The status that a failure stands for. started: something has run already, so that also what a person must change is no refusal. */
SiltStatus api__status(const SiltErr *err, bool started);
/* *problems = a list of this one failure; returns its status. */
SiltStatus api__fail(SiltProblems **problems, const SiltErr *err, bool started, const ApiText *text, const char *directory);
/* The same for many; at least one. */
SiltStatus api__fail_many(SiltProblems **problems, const SqlErrors *errors, bool started, const ApiText *text, const char *directory);
const char *api__kind_name(SiltErrKind kind);
