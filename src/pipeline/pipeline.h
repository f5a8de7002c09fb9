#pragma once
/*
 * pipeline/pipeline.h - a project as a whole: open it, run it, look at it, ask it in SQL
 *
 *   pipeline_open() -> pipeline_check() (dry-run) or pipeline_run() or pipeline_session_open() -> pipeline_close()
 *
 * Opening reads the spec and parses the SQL files; resolving names and types is done by check and run. Nothing is
 * written before pipeline_run. An object is used by one thread at a time, but for pipeline_stop and pipeline_session_interrupt.
 */
#include "pipeline/extensions.h"
#include "duck/session.h"
#include "io/io.h"
#include "pipeline/spec.h"
#include "sql/sql.h"

typedef struct Pipeline Pipeline;

typedef struct PipelineOptions {
    Io *io;                      /* borrowed until pipeline_close */
    const char *spec;            /* path of the spec file, relative to directory or absolute; NULL: looked for */
    const char *directory;       /* absolute: where to look */
    const SpecOverride *overrides;
    int override_count;
    const PipelineExtensions *extensions; /* NULL: none; what it points to is borrowed likewise */
    DuckEngine *engine;          /* borrowed likewise; NULL: one of its own, with silt.memory and silt.threads */
    int threads;                 /* flows that run side by side; 0: spark.sql.pipelines.execution.maxConcurrentFlows; 1: in the caller's thread */
} PipelineOptions;

/*
 * 0, or -1 with everything that is wrong in errors (its arena must outlive them). *out is made in both cases (after an error only
 * for pipeline_source_line) and closed by the caller. Positions name files relative to the spec's folder.
 */
int pipeline_open(const PipelineOptions *options, Pipeline **out, SqlErrors *errors);
/* No spec: an empty project in `directory`, for SQL over paths. Never fails. */
Pipeline *pipeline_open_empty(Io *io, const char *directory, const PipelineExtensions *extensions);
void pipeline_close(Pipeline *pipeline); /* NULL allowed */

const PipelineSpec *pipeline_spec(const Pipeline *pipeline); /* NULL for an empty project */
/* Text of a line (from 1) of a file that a position names, without its end; NULL when it is unknown. */
const char *pipeline_source_line(const Pipeline *pipeline, const char *file, int line, size_t *size);

/* ---- events and progress ---- */

typedef enum PipelineLevel { PIPELINE_INFO, PIPELINE_WARN, PIPELINE_ERROR } PipelineLevel;

/* Worded as Spark Declarative Pipelines words it. Valid during the call. */
typedef struct PipelineEvent {
    int64_t time_us;
    PipelineLevel level;
    const char *flow, *dataset; /* full names; NULL: about the run */
    const char *status;         /* QUEUED, PLANNING, STARTING, RUNNING, COMPLETED, FAILED, SKIPPED, EXCLUDED, STOPPED, IDLE; run: RUNNING, COMPLETED, FAILED, CANCELED */
    const char *message;        /* "Flow spark_catalog.default.t is QUEUED." */
    const SiltErr *error;       /* NULL: none */
} PipelineEvent;

/* One sealed batch. Valid during the call. */
typedef struct PipelineProgress {
    const char *flow;
    int64_t batch_id;
    int64_t input_rows, output_rows, set_aside_rows;
    int64_t duration_ms;
    const char *json; /* Structured Streaming's progress record, one line */
} PipelineProgress;

/* Called from any thread of the run, never two at once. NULL: not wanted. */
typedef struct PipelineCallbacks {
    void *self;
    void (*event)(void *self, const PipelineEvent *event);
    void (*progress)(void *self, const PipelineProgress *progress);
} PipelineCallbacks;

/* ---- dry-run and run ---- */

/* Resolve and type-check everything. 0, or -1 with all errors. May read tables and samples of files, writes nothing. */
int pipeline_check(Pipeline *pipeline, const PipelineCallbacks *callbacks, SqlErrors *errors);

typedef struct PipelineRunOptions {
    const char *const *refresh; /* names of tables; none of the three: everything */
    int refresh_count;
    const char *const *full_refresh;
    int full_refresh_count;
    bool full_refresh_all;
    bool continuous; /* or silt.continuous = true */
    bool standby;    /* wait for the lock */
    bool no_events;  /* write no event log, whatever silt.events says */
    const char *metrics_listen;              /* HOST:PORT that answers GET /metrics; NULL: none */
    const char *statsd, *statsd_prefix; /* HOST:PORT that is told the same numbers, and how their names begin; NULL: none, silt */
    PipelineCallbacks callbacks;
} PipelineRunOptions;

typedef enum PipelineOutcome {
    PIPELINE_DONE,
    PIPELINE_FAILED,  /* something failed while running; errors has each flow's last failure */
    PIPELINE_REFUSED, /* nothing was started */
    PIPELINE_STOPPED, /* on request; all batches are sealed or undone */
} PipelineOutcome;

PipelineOutcome pipeline_run(Pipeline *pipeline, const PipelineRunOptions *options, SqlErrors *errors);
/* From any thread or a signal handler, also before the run: end once the running batches are sealed or undone. */
void pipeline_stop(Pipeline *pipeline);

/* ---- the project's own tests (docs/testing.md) ---- */

/* Valid during the call. */
typedef struct PipelineTestResult {
    const char *name;
    bool passed;
    int64_t duration_us;
    const char *report;      /* lines about what differs; "" */
    const SqlErrors *errors; /* of a failed update, of files that could not be read */
} PipelineTestResult;

typedef struct PipelineTestOptions {
    const char *const *names; /* none: all */
    int name_count;
    void *self;
    void (*result)(void *self, const PipelineTestResult *result);
} PipelineTestOptions;

/* DONE: all passed; FAILED: some did not; REFUSED with errors: none was run. Touches nothing of the project. */
PipelineOutcome pipeline_test(Pipeline *pipeline, const PipelineTestOptions *options, SqlErrors *errors);

/* ---- looking ---- */

typedef struct PipelineTableInfo {
    const char *name; /* catalog.schema.table */
    const char *kind; /* STREAMING TABLE, MATERIALIZED VIEW, VIEW, TEMPORARY VIEW */
    const char *path; /* NULL: it has no data of its own */
    int64_t version;  /* of the Delta table; -1: not made yet, or no data */
    int64_t rows, size_bytes, files; /* -1: unknown */
    int64_t modified_ms;             /* of the last commit; -1: none */
    /* Of the last batch, if the newest commit is one; -1: unknown. Fields that did not fit their column, that no column has, repaired strings. */
    int64_t misfit_fields, unknown_fields, repaired;
    SiltPos pos;
} PipelineTableInfo;

typedef struct PipelineFlowInfo {
    const char *name, *table;
    const char *checkpoint; /* path; NULL: a view's flow has none */
    const char *query_id;   /* NULL: it never ran */
    int64_t last_batch;     /* sealed; -1: none */
    bool pending;           /* a batch was begun and not sealed: the next run finishes it */
    int64_t last_batch_ms;  /* its batch timestamp; -1: none */
    SiltPos pos;
} PipelineFlowInfo;

/* In the order of definition; in arena. Side tables that exist (dead letters, quarantine) follow their table. */
int pipeline_tables(Pipeline *pipeline, Arena *arena, PipelineTableInfo **out, int *count, SiltErr *err);
int pipeline_flows(Pipeline *pipeline, Arena *arena, PipelineFlowInfo **out, int *count, SiltErr *err);

/* ---- explaining ---- */

/* One fact about a table, or about one of its flows. */
typedef struct PipelineFact {
    const char *table, *flow; /* full names; flow NULL: about the table */
    const char *topic;        /* kind, path, mode, partitions, expects, set aside, elsewhere; plan, reads, incremental, recomputed, now, state, checkpoint */
    const char *detail;       /* several lines for some */
} PipelineFact;

/* All tables in the order of definition, or the one named. 0, or -1 with errors; in arena. Writes nothing. */
int pipeline_explain(Pipeline *pipeline, const char *table, Arena *arena, PipelineFact **out, int *count, SqlErrors *errors);

/* ---- repair ---- */

typedef struct PipelineRecovery {
    const char *flow;       /* full name */
    bool rebuilt;           /* false: its checkpoint was whole, or it has never run */
    const char *damage;     /* what was wrong; NULL: nothing */
    const char *checkpoint; /* folder now in force; NULL: none */
    const char *query_id;   /* NULL: none yet */
    int64_t last_batch;     /* sealed; -1: none */
    bool pending;           /* one more was begun: the next run finishes it */
    int64_t files;          /* entered into the file log; 0 unless rebuilt */
} PipelineRecovery;

/*
 * Build the lost checkpoints of a table again from its log, flow by flow. 0 with one entry a flow, in arena; -1 with errors: another process runs
 * the pipeline, no checkpoint is lost, the log does not say enough (it names the batch).
 */
int pipeline_recover(Pipeline *pipeline, const char *table, Arena *arena, PipelineRecovery **out, int *count, SqlErrors *errors);

/* One source of a flow's checkpoint, or a flow whose checkpoint has none (source < 0). */
typedef struct PipelineCheckpoint {
    const PipelineFlowInfo *flow;
    int source;             /* number; -1: none */
    int64_t batches, files; /* of its log of files; batches can be more than the flow's: some had no files of this source */
    bool is_sparks;         /* Spark can go on from it */
} PipelineCheckpoint;

/*
 * What the checkpoints of a table (NULL: all) hold. complete: make them ones that Spark can go on from first, under the pipeline's lock. 0, or -1 with
 * errors; in arena.
 */
int pipeline_checkpoints(Pipeline *pipeline, const char *table, bool complete, Arena *arena, PipelineCheckpoint **out, int *count, SqlErrors *errors);

/* ---- SQL ---- */

typedef struct PipelineSession PipelineSession;

/* A session over the project's tables and over paths. Opens the database only when a query runs. */
int pipeline_session_open(Pipeline *pipeline, PipelineSession **out, SiltErr *err);
void pipeline_session_close(PipelineSession *session);
void pipeline_session_interrupt(PipelineSession *session); /* from any thread or signal handler */
/* From now on queries tell how far they have come: percent of the running one, from any thread; < 0: unknown. */
void pipeline_session_watch(PipelineSession *session);
double pipeline_session_progress(PipelineSession *session);
/* SET key = value, checked as configuration is; USE schema. */
int pipeline_session_set(PipelineSession *session, const char *key, const char *value, SiltPos pos, SiltErr *err);
/* The value of a key: set, or the default; NULL: neither. In arena. 0, or < 0 for a key under `silt.` that does not exist. */
int pipeline_session_get(PipelineSession *session, Arena *arena, const char *key, SiltPos pos, const char **value, SiltErr *err);
/* Keys that have a value, in order; all: also known ones without. Until *key is NULL; takes: what it may be set to, NULL when it is no known key. */
void pipeline_session_setting(PipelineSession *session, Arena *arena, bool all, int index, const char **key, const char **value, const char **takes);
/* Back to what the project says; key NULL: all of them. */
void pipeline_session_reset(PipelineSession *session, const char *key);
int pipeline_session_use(PipelineSession *session, const char *schema, SiltErr *err);

/*
 * CREATE and DROP TEMPORARY FUNCTION, DECLARE, SET VARIABLE, DROP TEMPORARY VARIABLE: known to later statements of the session. Values are
 * computed at once. statement is copied. 0, or -1 with errors.
 */
int pipeline_session_define(PipelineSession *session, const Statement *statement, SqlErrors *errors);
/* The text that EXECUTE IMMEDIATE names, in errors->arena. 0, or -1 with errors. */
int pipeline_session_text(PipelineSession *session, const Statement *statement, const char **out, SqlErrors *errors);
/* EXECUTE IMMEDIATE .. INTO: the one row of query goes into the statement's variables. */
int pipeline_session_into(PipelineSession *session, const Statement *statement, Query *query, SqlErrors *errors);

/* A running query: names and types of its columns, and its rows. One at a time per session. */
typedef struct PipelineResult {
    const char **column_names; /* as Spark names them */
    const Type **column_types;
    bool *column_nullable;
    int column_count;
    ChunkReader reader;
    const char *time_zone;   /* of the session, for showing timestamps */
    const Zone *zone; /* the same, as duck_session_zone gives it: for value_print and render_json */
    void (*free)(struct PipelineResult *result); /* pipeline_result_free calls it */
} PipelineResult;

/* query is from sql_parse_*, annotated here, and must outlive the result. 0, or -1 with errors. */
int pipeline_session_query(PipelineSession *session, Query *query, PipelineResult **out, SqlErrors *errors);
/* A statement of a script, which is parsed anew as often as it is analyzed. Borrowed. */
typedef struct PipelineStatement {
    const char *file; /* that positions name */
    Str text;         /* of the whole script */
    int index;        /* of the statement in it */
} PipelineStatement;

/*
 * EXPLAIN query: its operators and what they read, as text in arena; extended: also types of the columns, and the SQL that DuckDB runs. query is the
 * statement's, annotated here; statement: where to parse it again. 0, or -1 with errors.
 */
int pipeline_session_explain(PipelineSession *session, Query *query, const PipelineStatement *statement, bool extended, Arena *arena, const char **out,
                             SqlErrors *errors);

/* Outcome of COPY INTO. */
typedef struct PipelineCopied {
    int64_t rows, files_corrupt;
} PipelineCopied;

/*
 * COPY INTO: files that the table has not loaded yet, as one commit. VALIDATE: nothing is written, and *preview (else NULL) has rows. 0, or -1
 * with errors. managed_writes: the table may be one of the pipeline's own.
 */
int pipeline_session_copy(PipelineSession *session, const PipelineStatement *statement, bool managed_writes, PipelineCopied *out,
                          PipelineResult **preview, SqlErrors *errors);
/*
 * CREATE TABLE, INSERT, ALTER TABLE on Delta tables that are not the pipeline's own (managed_writes: on those too). 0, or -1 with errors, and nothing
 * was done then.
 */
int pipeline_session_write(PipelineSession *session, const PipelineStatement *statement, bool managed_writes, SqlErrors *errors);
void pipeline_result_free(PipelineResult *result); /* NULL allowed */

/* ---- audit ---- */

enum { PIPELINE_AUDIT_ROWS = 20 }; /* differing rows of each side that are shown */

typedef struct PipelineAudit {
    const char *table; /* full name */
    int64_t version;   /* that was audited */
    int64_t batches;   /* computed again; 1 for a view */
    int64_t rows, recomputed_rows;
    int64_t table_only, recomputed_only; /* both 0: the table is what its sources say */
    int64_t undecodable, refused;        /* set aside once more: dead letters, rows of DROP ROW */
    const char **notes; /* whole lines: other writers' commits, files that have changed, an edited query */
    int note_count;
    /* Differing rows, up to PIPELINE_AUDIT_ROWS of each side; NULL: none. Columns: only_in ('table' or 'recomputed'), times, then the table's. */
    PipelineResult *difference;
} PipelineAudit;

/*
 * Compute a table once more, batch by batch over exactly the ranges that its own log names, and compare it with what it holds. Needs no checkpoint, may
 * be done while the pipeline runs. 0 with *out in arena, whose difference the caller frees before the pipeline is closed; -1 with errors when it
 * cannot be done: files that were read are gone (named), versions of inputs not kept, commits that do not say what they read.
 */
int pipeline_audit(Pipeline *pipeline, const char *table, Arena *arena, PipelineAudit **out, SqlErrors *errors);
