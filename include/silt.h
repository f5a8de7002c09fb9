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
#include "silt_arrow.h"

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

/* ---- what a program adds: functions, sources, sinks ---- */

/*
 * Rows go to and from these as Arrow arrays (silt_arrow.h). Types are written as in SQL ("decimal(10,2)"); the Arrow format of each:
 *
 *     boolean b   tinyint c   smallint s   int i   bigint l   float f   double g   decimal(p,s) d:p,s   string U   binary Z   date tdD
 *     timestamp tsu:UTC   timestamp_ntz tsu:   interval of months tiM, of seconds tDu   array<..> +l   map<..> +m   struct<..> +s
 *     variant +s of metadata and value
 *
 * What comes from a program may also have u for U, z for Z and +L for +l where a schema goes with it.
 *
 * A callback returns SILT_DONE, or SILT_FAILED (the same call may work later) or SILT_REFUSED (a person must change something) with one line
 * of reason in message, lower case, without a full stop. Callbacks come from any thread of Silt; those of one function from several at once,
 * those of one opened source or sink never. Texts that a callback hands out are malloc'ed; Silt frees them.
 */
enum { SILT_MESSAGE_SIZE = 512 };

/* A scalar function: in SQL it is called like any other. */
typedef struct SiltFunction {
    const char *name;                  /* lower case letters, digits and _, none of Silt's own functions */
    const char *const *argument_types; /* what is passed is cast to them, as for a built-in function */
    int argument_count;
    const char *result_type;
    bool random; /* it may give another value for the same arguments */
    void *self;
    /*
     * arguments: a struct of one child an argument, of arguments->length rows; what is not moved away Silt releases. *result: one array of as
     * many rows, of the result type's format, which Silt releases. Rows with NULLs are there too.
     */
    SiltStatus (*call)(void *self, struct ArrowArray *arguments, struct ArrowArray *result, char message[SILT_MESSAGE_SIZE]);
} SiltFunction;

/* name => 'value' of a source or sink, as text: numbers and booleans as they print. */
typedef struct SiltOption {
    const char *name, *value;
} SiltOption;

/*
 * A source: FROM STREAM name(option => 'value', ...), or without STREAM for all that is there. Its offsets are texts of one line, JSON by
 * custom, that name a place in it. Silt keeps them in the checkpoint; the same two offsets must always give the same rows, also after a
 * restart: that is what makes it exactly once.
 */
typedef struct SiltSource {
    const char *name;
    void *self;
    /*
     * At each analysis of a query that reads it. *schema: its columns as in CREATE TABLE, "id BIGINT, name STRING". *instance is given to
     * the others.
     */
    SiltStatus (*open)(void *self, const SiltOption *options, int option_count, void **instance, char **schema, char message[SILT_MESSAGE_SIZE]);
    void (*close)(void *instance); /* NULL: nothing to release */
    /* The offset behind the last row that is there now, or SILT_END when there has never been a row. */
    SiltStatus (*latest)(void *instance, char **offset, char message[SILT_MESSAGE_SIZE]);
    /*
     * Where the next batch from `start` (NULL: the very beginning) ends: behind it, and not behind `latest`. NULL: batches take everything.
     */
    SiltStatus (*next)(void *instance, const char *start, const char *latest, char **end, char message[SILT_MESSAGE_SIZE]);
    /* The rows behind start (NULL: from the very beginning) up to end, with exactly the columns of the schema. Silt releases the stream. */
    SiltStatus (*read)(void *instance, const char *start, const char *end, struct ArrowArrayStream *rows, char message[SILT_MESSAGE_SIZE]);
    /* Rows up to end are in the table: they will not be asked for again. NULL: nothing to do. */
    SiltStatus (*committed)(void *instance, const char *end, char message[SILT_MESSAGE_SIZE]);
} SiltSource;

/* What a sink gets with each batch. */
typedef struct SiltBatch {
    const char *flow;     /* catalog.schema.flow */
    const char *query_id; /* of the flow's checkpoint: (query_id, id) names a batch for ever */
    int64_t id;
} SiltBatch;

/*
 * A sink: CREATE SINK s USING name OPTIONS ('key' = 'value'), and flows that insert into s. This is Structured Streaming's foreachBatch:
 * `batch` gets the rows of one micro-batch and does with them what it likes. After a crash the same batch may come once more, with the same
 * id and the same rows: what is there already must then be left alone.
 */
typedef struct SiltSink {
    const char *name;
    void *self;
    /* Once a run, before its first batch. NULL: *instance is self. */
    SiltStatus (*open)(void *self, const SiltOption *options, int option_count, void **instance, char message[SILT_MESSAGE_SIZE]);
    void (*close)(void *instance); /* NULL: nothing to release */
    /*
     * All rows are to be safe when it returns SILT_DONE. A batch may have none. rows may be moved, but is of use during the call only; what
     * is not moved away Silt releases.
     */
    SiltStatus (*batch)(void *instance, const SiltBatch *batch, struct ArrowArrayStream *rows, char message[SILT_MESSAGE_SIZE]);
} SiltSink;

typedef struct SiltExtensions SiltExtensions;

SiltExtensions *silt_extensions_new(void);
/* After every project and session that was opened with it. */
void silt_extensions_free(SiltExtensions *extensions);
/*
 * Before a project or session is opened with it. What is pointed to is copied, but for `self`. SILT_REFUSED: the name is taken or is no name,
 * a type is none, a callback is missing.
 */
SiltStatus silt_extensions_add_function(SiltExtensions *extensions, const SiltFunction *function, SiltProblems **problems);
SiltStatus silt_extensions_add_source(SiltExtensions *extensions, const SiltSource *source, SiltProblems **problems);
SiltStatus silt_extensions_add_sink(SiltExtensions *extensions, const SiltSink *sink, SiltProblems **problems);

/* ---- projects ---- */

typedef struct SiltProject SiltProject;

typedef struct SiltOpenOptions {
    const char *spec;        /* the spec file; NULL: looked for in `directory` and above */
    const char *directory;   /* NULL: the working directory */
    const char *const *conf; /* "key=value", each wins over the spec's `configuration` */
    int conf_count;
    const SiltExtensions *extensions; /* NULL: none; must outlive the project */
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
    const char *metrics_listen; /* HOST:PORT (or :PORT: of 127.0.0.1) that answers GET /metrics as Prometheus asks; NULL: none */
    const char *statsd;         /* HOST:PORT that is told the same numbers over UDP; NULL: none */
    const char *statsd_prefix;  /* how their names begin; NULL: silt */
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

/* ---- what another engine would refuse (docs/lint.md) ---- */

/*
 * Look at a project's texts as an engine would: "spark41", "spark43", "lakeflow", or all of them (NULL). It need not be one that Silt can run. Each
 * finding is a problem: level "error" for what is refused there, "warning" for what means something else; its code is the rule's.
 * SILT_DONE: nothing is refused; SILT_FAILED: something is; SILT_REFUSED: no such profile, or a spec or SQL file that cannot be read.
 */
SiltStatus silt_project_lint(const SiltOpenOptions *options, const char *profile, SiltProblems **problems);

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
/*
 * The rows as an Arrow stream, instead of silt_result_next. The result belongs to the stream from then on; the session has to outlive it. A
 * failure while reading is an errno from get_next, with the text in get_last_error.
 */
void silt_result_to_arrow(SiltResult *result, struct ArrowArrayStream *out);

/* What the project has: "tables", "flows" or "state". */
SiltStatus silt_project_show(SiltProject *project, const char *what, SiltResult **out, SiltProblems **problems);

/*
 * What the project's flows do: operators, inputs, what is incremental and what is recomputed, and why. Rows of table, flow, topic, detail (which may
 * have several lines). table NULL: all.
 */
SiltStatus silt_project_explain(SiltProject *project, const char *table, SiltResult **out, SiltProblems **problems);

/*
 * Build lost or damaged checkpoints of a table's flows again from the table's own log. One row a flow: flow, rebuilt, damage (what was wrong),
 * last_batch, pending, files, query_id, checkpoint. SILT_REFUSED when nothing is lost, the log does not say enough, or another process runs the
 * pipeline; a crash leaves nothing behind that counts.
 */
SiltStatus silt_project_recover(SiltProject *project, const char *table, SiltResult **out, SiltProblems **problems);

/*
 * What the checkpoints of a table hold (NULL: of all). One row a source: flow, last_batch (sealed), pending, query_id, source, batches and files
 * of its file log, spark_ready (Spark can go on from here), checkpoint. With `complete` they are first made ones that Spark can go on from: SILT_REFUSED
 * while another process runs the pipeline.
 */
SiltStatus silt_project_checkpoints(SiltProject *project, const char *table, bool complete, SiltResult **out, SiltProblems **problems);

/* What an audit has found. Texts are owned by it. */
typedef struct SiltAudit {
    const char *table; /* full name */
    int64_t version;   /* of the table, that was audited */
    int64_t batches;   /* computed again */
    int64_t rows, recomputed_rows;
    int64_t table_only, recomputed_only; /* rows on one side only, counted as often as they are missing on the other; both 0: equal */
    int64_t undecodable, refused;        /* records and rows that were set aside once more */
    const char *const *notes;            /* whole lines: commits of other writers, files that have changed, an edited query */
    int note_count;
    SiltResult *difference; /* up to 20 rows of each side: only_in ('table' or 'recomputed'), times, the table's columns; NULL when equal */
} SiltAudit;

/*
 * Compute a table once more from exactly the source ranges that its own log names, and compare. SILT_DONE and *out, equal or not; SILT_REFUSED when it
 * cannot be done: files that were read are gone, versions of inputs are not kept, a commit does not say what it read. The audit is freed before
 * the project.
 */
SiltStatus silt_project_audit(SiltProject *project, const char *table, SiltAudit **out, SiltProblems **problems);
void silt_audit_free(SiltAudit *audit);

/* ---- SQL ---- */

typedef struct SiltSession SiltSession;
typedef struct SiltScript SiltScript;

typedef struct SiltSessionOptions {
    bool managed_writes; /* let statements write to the pipeline's own tables */
    const SiltExtensions *extensions; /* of a session without a project, as in SiltOpenOptions; with one its own count */
} SiltSessionOptions;

/* project: its tables go by name; NULL: paths only. The session must be freed before the project. options may be NULL. */
SiltStatus silt_session_open(SiltProject *project, const SiltSessionOptions *options, SiltSession **out, SiltProblems **problems);
void silt_session_free(SiltSession *session);
/* End the running statement as cancelled. From any thread or a signal handler. */
void silt_session_interrupt(SiltSession *session);
/* Ask queries that come to tell how far they are; then percent of the running one, from any thread; < 0: unknown. */
void silt_session_watch(SiltSession *session);
double silt_session_progress(SiltSession *session);

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
/* Words of the dialect, sorted, for prompts and editors; NULL when index is past the last. Keywords are in upper case. */
const char *silt_sql_keyword(int index);
const char *silt_sql_function(int index);
/* The candidate nearest to name, or NULL if none is near enough to be meant. */
const char *silt_nearest(const char *name, const char *const *candidates, int count);

/* How the log is written to stderr. format: "text" or "json"; level: "error", "warn", "info", "debug". 0, or -1 for an unknown word. */
int silt_log_configure(const char *format, const char *level);

#ifdef __cplusplus
}
#endif
