#pragma once
/*
 * pipeline/trial.h - a project's own tests: files of rows beside the project, run on a disk of their own (docs/testing.md)
 *
 *   trials_read()    the folders below tests/: what arrives before each update, what the tables hold after it
 *   TrialWorld       the project on a simulated disk: its spec and SQL files, and nothing else of it
 *   trial_compare()  rows against rows, as multisets
 *   pipeline_test()  all of it, in pipeline.h
 *
 *   T1  A trial sees no file of the real disk but the project's spec, its SQL files and its own, and writes none at all.
 *   T2  Only what the trial expects something of is run, and what that reads.
 *   T3  Beside what is expected, each table equals what one batch over all input so far gives (promise 1 of the design).
 */
#include "pipeline/internal.h"

typedef enum TrialFormat { TRIAL_CSV, TRIAL_JSON, TRIAL_PARQUET, TRIAL_SQL } TrialFormat;

/* A file that arrives. */
typedef struct TrialFile {
    const char *path;   /* on the real disk */
    const char *name;   /* the same for messages: relative to the project */
    const char *target; /* where the project finds it */
} TrialFile;

/* A file of rows: of a table that is given, or that is expected. */
typedef struct TrialRows {
    TrialFile file;    /* target: its own place, where nobody but the trial reads it */
    const char *table; /* as the file is named: t, schema.t, t_dead_letters; a path: lake/t */
    bool is_path;
    TrialFormat format;
    const Dataset *dataset; /* of the project; a side table: its owner. NULL: not of the project. Set by trials_bind */
    const char *suffix;     /* of a side table, "_dead_letters"; "": the table itself */
} TrialRows;

/* What comes before one update, and what holds after it. */
typedef struct TrialUpdate {
    TrialFile *files;
    int file_count, file_capacity;
    TrialRows *given, *expected;
    int given_count, given_capacity, expected_count, expected_capacity;
    const char *failure_file;      /* expect/error.txt for messages; NULL: the update must not fail */
    const char *const *failures;   /* texts that its errors must hold */
    int failure_count;
    int64_t clock_us;              /* at which the clock stands; INT64_MIN in between: not given */
} TrialUpdate;

typedef struct Trial {
    const char *name;
    const char *label; /* tests/<name>, for messages */
    TrialUpdate *updates;
    int update_count;
    SpecOverride *settings; /* of its settings.sql */
    int setting_count, setting_capacity;
    bool compare_with_batch; /* T3 is wanted */
    bool *kept;              /* by number of the dataset in the graph: is run. Set by trials_bind */
} Trial;

/* Read tests/<name>/ for each name (none: all there are). 0, or -1 with every mistake in errors. Lives in arena. */
int trials_read(Io *io, Arena *arena, const PipelineSpec *spec, const char *const *names, int name_count, Trial **out, int *count,
                SqlErrors *errors);

/* What the tables of a trial's files are in the project, and what is to be run (T2). 0, or -1 with errors. */
int trial_bind(Arena *arena, const Graph *graph, Trial *trial, SqlErrors *errors);

/* ---- the project on a disk of its own ---- */

typedef struct TrialWorld {
    Arena *arena;
    Io *io;
    const Pipeline *project; /* the real one */
    const Trial *trial;
    Pipeline *pipeline; /* what of it is run here; NULL: it could not be opened */
    PipelineSession *session; /* over its tables and the files of the disk */
    struct GivenTable *given;
    int given_count, given_capacity, flow_count;
} TrialWorld;

/* *out is made in both cases. 0, or -1 with errors. */
int trial_world_new(const Pipeline *project, const Trial *trial, TrialWorld **out, SqlErrors *errors);
void trial_world_free(TrialWorld *world); /* NULL allowed */
/* Let arrive what comes before the updates first..last, as one, and run. Failures of flows in errors. */
PipelineOutcome trial_world_update(TrialWorld *world, int first, int last, SqlErrors *errors);

/*
 * A query that gives the rows of a file, in sql. known: the columns they belong to, whose types JSON and CSV are read as; NULL: as the file
 * has them. cast: rows with types of their own get those of `known`. *names (in arena), in the order of the file; sql stays empty when there are
 * no rows to be had. 0, or -1 with errors, which name the file, line and column.
 */
int trial_rows_query(const TrialWorld *world, Arena *arena, const TrialRows *rows, const Type *known, bool cast, StrBuf *sql,
                     const char *const **names, int *count, SqlErrors *errors);
/* A failure of reading a file of rows that says a byte, and no line: with its line and column. */
void trial_place(const TrialWorld *world, const TrialFile *file, SiltErr *err);

/* ---- rows ---- */

typedef struct RowSet {
    const char **names;
    const Type **types;
    int column_count;
    const char ***rows; /* each an array of the cells' JSON; sorted */
    int row_count, row_capacity;
} RowSet;

/* All rows of a query over the project's tables in the world. file: for positions. 0, or -1 with errors. */
int trial_read_rows(const TrialWorld *world, Arena *arena, const char *file, const char *sql, RowSet *out, SqlErrors *errors);
/* The columns alone; the query is not run. */
int trial_query_schema(const TrialWorld *world, Arena *arena, const char *file, const char *sql, const Type **out, SqlErrors *errors);
const Type *trial_schema(Arena *arena, const RowSet *rows);
/* The order in which a RowSet is sorted: < 0, 0, > 0. */
int trial_row_order(const char *const *a, const char *const *b, int count);
/* A name as SQL has it, in backticks. */
void trial_put_name(StrBuf *out, const char *name);

/* After update `update` (from 0): what differs, as text lines added to report (nothing: all is as expected). 0, or -1 with errors. */
int trial_compare(const TrialWorld *world, int update, StrBuf *report, SqlErrors *errors);
/* T3, for worlds of the same trial: `batch` took in one update what `world` took in several. */
int trial_compare_with_batch(const TrialWorld *world, const TrialWorld *batch, int update, StrBuf *report, SqlErrors *errors);
