#pragma once
/*
 * flow/flow.h - one query into one table, batch by batch, exactly once
 *
 *   streaming flow   flow/stream.c: offsets/N -> read, run, write files -> side tables, Delta commit with txn -> commits/N
 *   once flow        the same with one batch and no streaming source
 *   view flow        flow/view.c: the whole content anew as one commit, or none if the inputs are the same
 *
 *   F1  A batch that has offsets/N always runs over exactly these offsets, with the batch timestamp written there.
 *   F2  The table's txn of the flow's query id is the truth about what is done; commits/N only follows it.
 *   F3  rows of the reader = rows given to the query; rows before expectations = rows written + rows refused, by name.
 *
 * A flow knows nothing of other flows. Whoever runs it gives it an analyzed query, and a way to have it analyzed again when
 * an inferred schema has grown in the middle of a batch.
 */
#include <stdatomic.h>
#include "duck/session.h"
#include "flow/checkpoint.h"
#include "flow/ranges.h"
#include "flow/target.h"
#include "plan/plan.h"

/* CONSTRAINT name EXPECT (condition), analyzed over the columns of the target. */
typedef struct FlowExpectation {
    const char *name;
    Expr *condition;
    ExpectAction action;
} FlowExpectation;

/* An analyzed query: made by FlowOptions.analyze, freed by flow_query_free (inputs with their sources and tables too). */
typedef struct FlowQuery {
    Arena *arena;
    Query *query;
    PlanInput **inputs; /* by slot */
    int input_count;
    const TargetWant *want;        /* the target as this query (and its siblings) want it: schema merged */
    FlowExpectation *expectations; /* over want->schema */
    int expectation_count;
    int64_t limit;        /* LIMIT of a streaming query: rows over all batches; < 0: none. Taken out of the tree. */
    char fingerprint[41]; /* of text and settings: a view whose query changed is computed again */
    void *host;                   /* what the sources need while they live; given to free_host */
    void (*free_host)(void *host);
    bool owns_sources;    /* false: sources and host were handed over to the query that replaced this one */
} FlowQuery;

void flow_query_free(FlowQuery *query); /* NULL allowed */

/* What readers met in the records of a batch beside rows. */
typedef struct FlowReading {
    int64_t undecodable;    /* records that could not be decoded */
    int64_t dropped;        /* records that the reader's mode leaves out */
    int64_t misfit_fields;  /* fields that became NULL because their text did not fit the column's type */
    int64_t unknown_fields; /* fields that the schema does not have */
    int64_t repaired;       /* strings with a lone surrogate, now U+FFFD */
} FlowReading;

/* What came of one expectation in a batch. */
typedef struct FlowExpected {
    const char *name;
    int64_t passed, failed;
} FlowExpected;

/* Numbers of one sealed batch. Valid during the call. */
typedef struct FlowProgress {
    int64_t batch_id;
    int64_t input_rows, output_rows, set_aside_rows;
    int64_t output_bytes; /* of the files that it wrote to the table */
    int64_t refused_rows; /* by DROP ROW */
    FlowReading reading;
    const FlowExpected *expectations;
    int expectation_count;
    int64_t duration_ms;
    int64_t duration_us, commit_us; /* of the batch from plan to seal; of that, from its files on */
    const SourcePart *const *topics; /* partitions of topics that were read: .topic is one */
    int topic_count;
    const char *json; /* Structured Streaming's record, one line */
} FlowProgress;

/* The world of a flow. Borrowed while the flow lives. */
typedef struct FlowEnv {
    Io *io;
    DuckEngine *engine;
    const char *staging;       /* directory below which batches are staged: <storage>/_silt/staging */
    const atomic_bool *stop;   /* a person asked to stop: no new batch */
    void *self;
    void (*progress)(void *self, const FlowProgress *progress);  /* NULL: not wanted */
    void (*warn)(void *self, const char *message);               /* NULL: dropped */
    /* How far its streams have come; any thread, must not block, nor call the flow. NULL: not wanted. */
    void (*lagged)(void *self, const SourceLag *items, int count);
    void (*news)(void *self);                                    /* its input has news; any thread, must not block. NULL: not wanted */
    int64_t news_within_ms;                                      /* so late news is soon enough; 0: at once */
    /* The session that now runs something, or NULL: so that stopping can interrupt it. NULL: not wanted. */
    void (*busy)(void *self, DuckSession *session);
} FlowEnv;

/* Tables of rows that were set aside, beside the target: its name and its folder with a suffix. */
typedef enum FlowSide { FLOW_DEAD_LETTERS, FLOW_QUARANTINE, FLOW_SIDES } FlowSide;
extern const char *const flow_side_suffixes[FLOW_SIDES];
/* Its columns, when the target has those of schema. In arena. */
const Type *flow_side_schema(Arena *arena, FlowSide side, const Type *schema);

typedef enum FlowKind { FLOW_STREAM, FLOW_ONCE, FLOW_VIEW } FlowKind;

typedef struct FlowOptions {
    const char *name;            /* full name, for messages and progress */
    FlowKind kind;
    const char *checkpoint_root; /* <storage>/_checkpoints/<catalog>/<schema>/<table>/<flow> */
    const char *const *siblings; /* labels of all flows into the same table, its own too: names of checkpoint folders */
    int sibling_count;
    const char *file;            /* of the query, for positions of failures at run time */
    const Conf *conf;            /* with table properties of the target on top */
    bool force;                  /* VIEW: compute even if nothing changed; COPY: load files that are loaded already */
    bool refuse_bad;             /* a record that cannot be decoded fails the batch, instead of being set aside */
    bool side_is_read[FLOW_SIDES]; /* another flow reads it: it is made with the target, before it has rows */
    bool again;                  /* an attempt of this process has failed: what it left may be visible and not durable */
    /* Analyze the query again with the sources of `old`, which keeps nothing of them. All errors in errors. */
    int (*analyze)(void *self, FlowQuery *old, FlowQuery **out, SqlErrors *errors);
    void *analyze_self;
} FlowOptions;

typedef struct Flow Flow;

/* Takes over query. Reads nothing. options is copied, its texts are borrowed. */
Flow *flow_new(const FlowEnv *env, const FlowOptions *options, FlowQuery *query);
void flow_free(Flow *flow); /* NULL allowed */

/*
 * One triggered update: settle what was begun, then take all that the sources hold now. 0 when all of it is in the table,
 * or < 0; CANCELLED when stop was set. Whatever the outcome, the table is at a batch's end and the same call may be made again.
 */
int flow_run(Flow *flow, SiltErr *err);
/*
 * The same, but takes one look and at most `batches_max` batches; *more: there is more at once. For continuous running, where the
 * flow stays open between calls.
 */
int flow_step(Flow *flow, int batches_max, bool *more, SiltErr *err);
/* What flow_copy has done. */
typedef struct FlowCopied {
    int64_t rows;
    int64_t files, files_corrupt; /* corrupt: of those, left out from some point on (ignoreCorruptFiles) */
    int64_t version;              /* of the table; -1: nothing to load, no commit */
} FlowCopied;

/*
 * COPY INTO: the files of the query's source that this table has not loaded yet, as one commit (flow/copy.c). The flow is of kind FLOW_ONCE, its
 * options.checkpoint_root is NULL. dry: read, check and write to staging, then drop it.
 */
int flow_copy(Flow *flow, bool dry, FlowCopied *out, SiltErr *err);

/*
 * INSERT: the rows of the query as one commit; overwrite: instead of all that the table holds (flow/insert.c). No rows: no commit, but for
 * overwrite. The flow is as for flow_copy but without a staging folder: it finds one. Its table is there, with the columns of want->schema.
 */
int flow_insert(Flow *flow, bool overwrite, SiltErr *err);

/*
 * The files that the table in this folder has loaded by COPY INTO. Empty where there is no table. loaded_files_has takes a LoadedFiles: it is
 * the opposite of SourceReadOptions.take.
 */
typedef struct LoadedFiles LoadedFiles;
int loaded_files_open(Io *io, const DeltaTable *table, LoadedFiles **out, SiltErr *err);
bool loaded_files_has(const LoadedFiles *files, const char *uri);
void loaded_files_free(LoadedFiles *files); /* NULL allowed */

/* Does it read a stream that no directory tells news of, so that it has to be asked? */
bool flow_is_polled(const Flow *flow);
/* Records that came into such streams since its last step: cheap, nothing is reached. 0: none; INT64_MAX: a whole batch; < 0: a step will tell. */
int64_t flow_news(Flow *flow);
/* Directories to watch, NULL at the end; in arena. */
const char *const *flow_watch_directories(Flow *flow, Arena *arena);

/*
 * Would flow_run compute the view's content anew? 0 with *due, read from logs and listings alone. Of a view flow only.
 */
int flow_view_due(Flow *flow, bool *due, SiltErr *err);
/* The query; lives as long as it is not analyzed again. */
const FlowQuery *flow_query(const Flow *flow);

/* ---- a lost checkpoint: flow/recover.c ---- */

/* What flow_recover has done. Texts live in the arena given. */
typedef struct FlowRecovery {
    const char *checkpoint; /* folder that is in force now; NULL: none */
    const char *damage;     /* what was wrong, one line; NULL: nothing was */
    const char *query_id;   /* NULL: none */
    int64_t last_batch;     /* that is sealed; -1: none */
    bool pending;           /* one more was begun: the next run finishes it */
    int64_t file_count;     /* in the file logs */
} FlowRecovery;

enum { FLOW_WHOLE = 1 };

/*
 * Build the checkpoint of a streaming or once flow again from the ranges in the table's log, as a new folder beside the damaged one: metadata
 * with the same query id, the last batch's offsets, the sources' own logs. 0; FLOW_WHOLE when it is whole, or the flow has never run, and nothing
 * was done; < 0: CONFIG when the log does not say enough (it names the batch). A crash leaves a folder without metadata, which the next
 * call passes over. Nobody else may run the pipeline.
 */
int flow_recover(Flow *flow, Arena *arena, FlowRecovery *out, SiltErr *err);

/* ---- computing a batch once more: flow/audit.c ---- */

/* Sums over the batches computed so far. Texts live in the arena of flow_recompute. */
typedef struct FlowRecomputed {
    int64_t batches, rows, undecodable, refused;
    int64_t changed_files;    /* that are not as old as they were when they were read */
    const char *changed_file; /* the first */
} FlowRecomputed;

/*
 * May the flow's rows be computed again? CONFIG when they depend on chance (rand, uuid) or, with LIMIT over a stream, on which came first.
 */
int flow_repeatable(const Flow *flow, SiltErr *err);
/* Fingerprint of the query as it is now. */
const char *flow_fingerprint(const Flow *flow);
/* Make the table that flow_recompute appends to, in the folder `shadow`, or add this flow's columns to it. */
int flow_shadow(Flow *flow, const char *shadow, SiltErr *err);
/*
 * Compute batch `batch` once more, from exactly what its commit says it has read, at the same current_timestamp(), with the same expectations, and
 * append the rows to the shadow table. Nothing else is written, the flow's own table is not touched.
 * Adds to *sum. < 0 also when it cannot be done: files that are gone (named), an input's version that is not kept.
 */
int flow_recompute(Flow *flow, const char *shadow, int64_t batch, const Ranges *ranges, Arena *arena, FlowRecomputed *sum, SiltErr *err);
