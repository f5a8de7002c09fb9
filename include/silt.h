#pragma once
/*
 * silt.h - Silt as a library: open a project, run it, ask it in SQL
 *
 * The command line is built on this header alone. A small program:
 *
 *     SiltProject *project;
 *     SiltProblems *problems;
 *     if (silt_project_open(&(SiltOpenOptions){.directory = "."}, &project, &problems) == SILT_DONE &&
 *         silt_project_run(project, &(SiltRunOptions){0}, &problems) == SILT_DONE)
 *         puts("all tables are up to date");
 *
 * Texts are UTF-8 and end with NUL. What a function hands out with "owned by X" lives as long as X; what it hands out
 * otherwise is the caller's, and is given back by the free function of its type, all of which accept NULL.
 * An object is used by one thread at a time, but for the two functions that say otherwise: silt_project_stop and
 * silt_session_interrupt.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an undertaking ended. All but SILT_DONE and SILT_END come with problems. */
typedef enum SiltStatus {
    SILT_DONE = 0,    /* all of it */
    SILT_FAILED = 1,  /* something failed while running: a flow, I/O, a conflict */
    SILT_REFUSED = 2, /* nothing was started: a person must change something first */
    SILT_STOPPED = 3, /* stopped on request, everything sealed or undone */
    SILT_END = 4,     /* no more statements, no more rows */
} SiltStatus;

/* ---- problems: what went wrong, several in one go ---- */

/* All texts owned by the list. Absent texts are "", absent numbers 0. */
typedef struct SiltProblem {
    const char *level;   /* "error", "warning" */
    const char *kind;    /* "transient", "input", "config", "corrupt", "cancelled" */
    const char *code;    /* Spark's error class, where there is one */
    const char *message; /* one line */
    const char *hint;    /* whole sentences: what to try */
    const char *file;
    int line, column;   /* from 1; column in characters */
    int length;         /* characters to underline */
    const char *source; /* the text of that line, without its line end */
} SiltProblem;

typedef struct SiltProblems SiltProblems;

/*
 * Functions below take `SiltProblems **problems`: it is set to NULL, or to a new list that the caller frees.
 */
int silt_problems_count(const SiltProblems *problems);
const SiltProblem *silt_problems_at(const SiltProblems *problems, int index);
void silt_problems_free(SiltProblems *problems);

/* ---- projects ---- */

typedef struct SiltProject SiltProject;

typedef struct SiltOpenOptions {
    const char *spec;        /* the spec file; NULL: looked for in `directory` and above */
    const char *directory;   /* NULL: the working directory */
    const char *const *conf; /* "key=value", each wins over the spec's `configuration` */
    int conf_count;
} SiltOpenOptions;

/* Read the spec file and the project's SQL files. Nothing is written. */
SiltStatus silt_project_open(const SiltOpenOptions *options, SiltProject **out, SiltProblems **problems);
void silt_project_free(SiltProject *project);
const char *silt_project_name(const SiltProject *project); /* owned by the project */
/* Where the spec file is looked for: 1 and *out (malloc'ed) when `directory` or one above holds one, else 0. */
int silt_project_find(const char *directory, char **out);

/* Resolve and type-check everything, write nothing. Events as for a run, up to the flows that would run. */
typedef struct SiltRunOptions SiltRunOptions;
SiltStatus silt_project_dry_run(SiltProject *project, const SiltRunOptions *options, SiltProblems **problems);

typedef enum SiltLevel { SILT_LEVEL_INFO, SILT_LEVEL_WARN, SILT_LEVEL_ERROR } SiltLevel;

/* Worded as Spark Declarative Pipelines words it: scripts match on `message`. Valid during the call. */
typedef struct SiltEvent {
    int64_t time_us; /* since 1970, UTC */
    SiltLevel level;
    const char *flow;    /* NULL: the event is about the run */
    const char *dataset; /* NULL likewise */
    const char *status;  /* QUEUED, RUNNING, COMPLETED, ...; NULL: a remark */
    const char *message;
    const SiltProblem *problem; /* why, for failures; else NULL */
} SiltEvent;

/* One batch of one flow, sealed. Valid during the call. */
typedef struct SiltProgress {
    const char *flow;
    int64_t batch_id;
    int64_t input_rows, output_rows, set_aside_rows;
    int64_t duration_ms;
    const char *json; /* the whole record, with Structured Streaming's field names */
} SiltProgress;

struct SiltRunOptions {
    const char *const *refresh; /* tables; none of the three: all of the project */
    int refresh_count;
    const char *const *full_refresh;
    int full_refresh_count;
    bool full_refresh_all;
    bool continuous;           /* go on until stopped */
    bool standby;              /* wait for the pipeline's lock instead of refusing */
    const char *progress_path; /* append one JSON line a batch; NULL: none */
    /* Called from any thread of the run, but never two at once. NULL: not wanted. */
    void *self;
    void (*event)(void *self, const SiltEvent *event);
    void (*progress)(void *self, const SiltProgress *progress);
};

/* One update: takes what the sources hold at the start, ends when all of it is in the tables. */
SiltStatus silt_project_run(SiltProject *project, const SiltRunOptions *options, SiltProblems **problems);
/*
 * Ask a run to stop once its running batches are sealed or undone. May be called from a signal handler, from any thread
 * and before the run has begun (it then ends at once).
 */
void silt_project_stop(SiltProject *project);

/* ---- a project's own tests (docs/testing.md) ---- */

/* One test that has run. Valid during the call. */
typedef struct SiltTestResult {
    const char *name;
    bool passed;
    int64_t duration_us;
    const char *report;           /* what differs, as lines for people; "" */
    const SiltProblems *problems; /* of an update that failed, of files that could not be read; NULL: none */
} SiltTestResult;

typedef struct SiltTestOptions {
    const char *const *names; /* folders below tests/; none: all */
    int name_count;
    void *self;
    void (*result)(void *self, const SiltTestResult *result);
} SiltTestOptions;

/* Run them in memory; the project's tables and checkpoints are not touched. SILT_FAILED: one did not pass; SILT_REFUSED: none was run. */
SiltStatus silt_project_test(SiltProject *project, const SiltTestOptions *options, SiltProblems **problems);

/* ---- results ---- */

typedef struct SiltResult SiltResult;

int silt_result_column_count(const SiltResult *result);                    /* 0: a statement without rows, such as SET */
const char *silt_result_column_name(const SiltResult *result, int column); /* owned by the result */
const char *silt_result_column_type(const SiltResult *result, int column); /* Spark's text, "decimal(10,2)"; owned by the result */
/* Go to the next row (the first, at first): SILT_DONE or SILT_END, or SILT_FAILED. */
SiltStatus silt_result_next(SiltResult *result, SiltProblems **problems);
/* The row's value as CAST to STRING shows it, or NULL for NULL. Owned by the result until the next call for the same row or the next row.
 */
const char *silt_result_text(SiltResult *result, int column, size_t *size);
/* The row's value as exact JSON (docs/cli.md); "null" for NULL. Owned likewise. */
const char *silt_result_json(SiltResult *result, int column, size_t *size);
void silt_result_free(SiltResult *result);

/* What the project has: "tables", "flows" or "state". */
SiltStatus silt_project_show(SiltProject *project, const char *what, SiltResult **out, SiltProblems **problems);

/*
 * Build lost or damaged checkpoints of a table's flows again from the table's own log. One row a flow: flow, rebuilt, damage (what was wrong),
 * last_batch, pending, files, query_id, checkpoint. SILT_REFUSED when nothing is lost, the log does not say enough, or another process runs the
 * pipeline; a crash leaves nothing behind that counts.
 */
SiltStatus silt_project_recover(SiltProject *project, const char *table, SiltResult **out, SiltProblems **problems);

/* ---- SQL ---- */

typedef struct SiltSession SiltSession;
typedef struct SiltScript SiltScript;

typedef struct SiltSessionOptions {
    bool managed_writes; /* let statements write to the pipeline's own tables */
} SiltSessionOptions;

/* project: its tables go by name; NULL: paths only. The session must be freed before the project. options may be NULL. */
SiltStatus silt_session_open(SiltProject *project, const SiltSessionOptions *options, SiltSession **out, SiltProblems **problems);
void silt_session_free(SiltSession *session);
/* End the running statement as cancelled. From any thread or a signal handler. */
void silt_session_interrupt(SiltSession *session);

/*
 * Cut a text into statements and parse them all, so that every syntax error is found before the first one runs.
 * name stands for the file in positions. The script borrows the session; text is copied.
 */
SiltStatus silt_script_open(SiltSession *session, const char *name, const char *text, size_t size, SiltScript **out,
                            SiltProblems **problems);
/* Run the next statement: SILT_DONE and *out, or SILT_END, SILT_REFUSED (it did not start), SILT_FAILED, SILT_STOPPED. */
SiltStatus silt_script_next(SiltScript *script, SiltResult **out, SiltProblems **problems);
void silt_script_free(SiltScript *script);
/* Whether a text ends inside a statement (no ';' yet, an open quote or comment): for prompts. */
bool silt_script_unfinished(const char *text, size_t size);

/* ---- the rest ---- */

const char *silt_version(void);        /* "0.1.0" */
const char *silt_version_commit(void); /* "3f2a9c1b04de", with "-dirty" when the tree differed; "unknown" */
/* Linked libraries: 1 and both texts, or 0 when index is past the last. */
int silt_version_library(int index, const char **name, const char **version);
/* The candidate nearest to name, or NULL if none is near enough to be meant. */
const char *silt_nearest(const char *name, const char *const *candidates, int count);

/* How the log is written to stderr. format: "text" or "json"; level: "error", "warn", "info", "debug". 0, or -1 for an unknown word. */
int silt_log_configure(const char *format, const char *level);

#ifdef __cplusplus
}
#endif
