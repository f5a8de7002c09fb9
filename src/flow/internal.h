#pragma once
/* flow/internal.h - what the files of this folder share */
#include "base/json.h"
#include "flow/flow.h"

typedef struct DeadLetters DeadLetters; /* flow/deadletters.c */

/* What one input gives to a batch. */
typedef struct BatchInput {
    PlanInput *input;
    const char *start, *end; /* offsets of a streaming input; end NULL: it has none yet */
    const char *sql;         /* FROM text */
    SourceBatch *source;     /* NULL: Delta, or nothing to read */
    ChunkReader *reader;     /* bound to the slot; NULL: sql reads by itself */
    int counter;             /* of rows read, -1: the source counts itself */
    int64_t rows, undecodable, dropped; /* after the run */
    int64_t set_aside;       /* rows of it that the query has set aside, which are undecodable too */
    FormatSink aside;        /* what they go to; put NULL: they are counted */
    int64_t misfit_fields, unknown_fields, repaired; /* as FormatCounts has them */
    int64_t version;         /* DELTA: of the snapshot read, -1 */
    const char *table_id;    /* DELTA */
    const DeltaStreamBatch *files; /* DELTA, streaming */
    const RangeSource *from; /* an audit: what an earlier batch has read here, to be read again; NULL: what is there now */
} BatchInput;

/* One execution of the flow's query: read, run, files written to staging, nothing visible yet. */
typedef struct Batch {
    struct Flow *flow;
    Arena *arena;
    int64_t id, timestamp_ms, watermark_ms;
    BatchInput *inputs; /* by slot */
    int input_count;
    DuckWrittenFile *files;
    int file_count;
    int64_t rows_written;
    DuckCounter *counters; /* per expectation */
    int64_t rows_refused;  /* by DROP ROW */
    int64_t limit_left;    /* rows that LIMIT still lets through; < 0: no limit */
    int64_t rows_limited;  /* rows that it let through */
    DuckWrittenFile *quarantine_files;
    int quarantine_file_count;
    int64_t quarantine_rows;
    const Type *quarantine_schema;
    const Type *mapped_schema; /* want->schema as the table has it, with the metadata of its fields: for who replaces the table's */
    bool (*take)(void *self, const char *uri); /* files of a source that is read whole; NULL: all */
    void *take_self;
    const char *manifest; /* in the table's folder: where all files are named, if not in _silt_sources; NULL: there */
    DeadLetters *dead;
    int64_t dead_count;
    int64_t input_rows; /* records of all inputs, undecodable ones too */
    bool drift; /* a schema has grown: analyze again and run anew */
    const char *drift_file; /* of the files in which it has, the first; for errors */
    int drift_files;
    /* times, microseconds */
    int64_t started_us, planned_us, logged_us, read_us, committed_us;
} Batch;

struct Flow {
    FlowEnv env;
    FlowOptions options;
    FlowQuery *query;
    Arena *arena;
    DuckSession *session; /* opened by the first batch */
    DeltaTable *target; /* NULL: a sink */
    Sink *sink;         /* NULL: a table, or not opened */
    Checkpoint *checkpoint; /* NULL: a view */
    char run_id[37];
    bool opened;
    bool synced; /* what was found on disk is durable */
    CheckpointOffsets last; /* offsets of the last batch, in arena */
    int64_t *bounds; /* per input: version of a Delta source that a triggered run goes up to */
    int64_t view_version; /* of the last content, -1 */
};

/* Common */
const char *flow__compression(const Flow *flow);
int flow__session(Flow *flow, DuckSession **out, SiltErr *err);
bool flow__stopping(const Flow *flow);
SourceStop flow__source_stop(Flow *flow); /* the same, for a source to ask */
SourceWake flow__source_wake(const Flow *flow);
const char *flow__table_word(const Flow *flow); /* the table as a person types it */
int flow__open_target(Flow *flow, SiltErr *err);
/* Give an error without a place this one. */
void flow__place(SiltErr *err, SiltPos pos);
void flow__warn(const Flow *flow, const char *fmt, ...) SILT_PRINTF(2, 3);
void flow__warn_of_remarks(const Flow *flow); /* of its sources */
int flow__streaming_count(const Flow *flow);
DeltaEnv flow__delta_env(const Flow *flow);
int flow__analyze(Flow *flow, SiltErr *err);       /* the query anew, over the same sources */
int flow__analyze_again(Flow *flow, SiltErr *err); /* ... and the table as it wants it then */
/* The setting that a table property or the configuration gives: silt.deadLetters = 'table' ... */
bool flow__setting_is(const Flow *flow, const char *key, const char *value, const char *fallback);

/* flow/select.c: SQL of a batch */
typedef enum SelectMode {
    SELECT_ROWS,    /* what goes into the target; counters are bumped */
    SELECT_REFUSED, /* what DROP ROW refuses, with the reasons */
} SelectMode;
typedef struct SelectOptions {
    SelectMode mode;
    int64_t limit_left; /* < 0: no limit */
    bool set_aside;     /* rows with a value that cannot be decoded are left out, and told to the session: flow__sets_aside */
} SelectOptions;
/* Columns c1..cn in the order of want->schema (REFUSED: + the array of reasons, file and position, topic, partition and offset). relation_sql: by slot. */
void flow__select(StrBuf *out, const FlowQuery *query, const BatchInput *inputs, const SelectOptions *options);
/* Are values that functions of the query cannot decode dead letters? So in a stream whose rows have a place in its one source, unless silt.deadLetters is 'spark'. */
bool flow__sets_aside(const Batch *batch);
/* A row that fails a batch says where it comes from behind the last character of this kind, as source@position. (Controls below 32 become blanks.) */
enum { FLOW_PLACE_MARK = 0x7f };
/* Put the file and the byte, or the topic and the offset, in its place; input: the only one of the query. */
void flow__tell_place(const BatchInput *input, SiltErr *err);

/*
 * Commit what a batch has made. Where another writer's commit forbids it, nothing was committed and the failure is TRANSIENT: the batch runs again, on
 * the table as it is then.
 */
int flow__commit(DeltaTxn *txn, int64_t *version, SiltErr *err);

/* flow/inputs.c: open what the batch reads and bind it to the places of its query; let go of it */
int flow__inputs_open(Batch *batch, SiltErr *err);
void flow__inputs_close(Batch *batch);

/* flow/batch.c */
int flow__batch_run(Batch *batch, SiltErr *err); /* opens inputs, copies, counts; sets drift */
/* The same over all that the inputs hold now, not a range of them; and again, with the query analyzed anew, for as long as schemas grow under it. */
int flow__run_whole(Batch *batch, int (*analyze)(Flow *flow, SiltErr *err), SiltErr *err);
/* Have the batch's files the types that the table has, whose schema is as of now? Else TRANSIENT: they were written before a column became wider. */
int flow__fits_table(const Batch *batch, const Type *schema, SiltErr *err);
void flow__batch_close(Batch *batch);
const Type *flow__quarantine_schema(Arena *arena, const Type *schema);

/* flow/progress.c */
/* What readers set aside or put right, summed over the inputs: for operationMetrics, progress and events. */
FlowReading flow__batch_reading(const Batch *batch);
void flow__batch_metrics(const Batch *batch, DeltaTxn *txn);
/* Tell whoever runs the flow that the batch is sealed. */
void flow__batch_report(Batch *batch);

/* flow/ranges.c: what the batch has read */
/* readSources of the commit. */
void flow__batch_ranges(Batch *batch, StrBuf *out);
/* The list of files, when there are too many for the commit. Durable; before any commit that names it. */
int flow__batch_manifest(Batch *batch, SiltErr *err);
const char *flow__describe(Batch *batch, const BatchInput *in); /* FileStreamSource[file:/in] */
void flow__put_offset(JsonWriter *w, const char *key, const char *offset); /* NULL: null */

/* flow/statement.c */
/* The target as it is now, and the times of a batch that a statement is. */
int flow__statement_open(Batch *batch, SiltErr *err);
/* The batch over what its sources and tables hold now, analyzed again for as long as schemas grow under it. Nothing is committed. */
int flow__statement_run(Batch *batch, SiltErr *err);

/* flow/sink.c */
/* Hand the rows of a batch that has run to the sink, which makes them visible. */
int flow__deliver(Batch *batch, SiltErr *err);

/* flow/deadletters.c: records that could not be decoded, from their reader to the table; in bounded memory */
enum { DEAD_COLUMNS = 10 }; /* file, position, line, reason, record, topic, partition, offset, timestamp, key */
/* io and directory (a key for io_staging_directory, of this flow alone) are borrowed. */
DeadLetters *flow__dead_letters_new(Io *io, const char *directory);
void flow__dead_letters_free(DeadLetters *dead); /* NULL allowed */
void flow__dead_letters_clear(DeadLetters *dead);
int64_t flow__dead_letters_count(const DeadLetters *dead);
FormatSink flow__dead_letters_sink(DeadLetters *dead, const BatchInput *input);
/*
 * All of them, from the first on, as DEAD_COLUMNS columns; the reader ends with the next put, clear or free. *row_group_rows: so many of them a
 * Parquet writer may hold at once, 0: any number.
 */
ChunkReader flow__dead_letters_read(DeadLetters *dead, int64_t *row_group_rows);

/* flow/sidetable.c: <t>_dead_letters, <t>_quarantine */
/* The last columns of each: `, flow AS c<first>, batch AS .., time AS ..`. */
void flow__tail_columns(const Batch *batch, StrBuf *out, int first);
/* The target as it is wanted, and what is beside it where others read that. */
int flow__prepare_target(Flow *flow, SiltErr *err);
/*
 * The schema of files for a side table: `schema`, but for column mapping, with which the table is made or grown here, so that its columns have
 * their names before files are written.
 */
int flow__side_table_files(const Batch *batch, const char *suffix, const Type *schema, const Type **out, SiltErr *err);
/* Commit the batch's side tables, each with its own txn; those that hold the batch already are passed over. */
int flow__side_tables_commit(Batch *batch, const char *app_id, bool replace, SiltErr *err);

/* flow/loaded.c: what COPY INTO has loaded. LOADED_APP is the txn in the table's log that says which list is sealed. */
#define LOADED_APP "silt-copy-into"
const char *flow__loaded_folder(Arena *arena, const char *table_path);
/* Number of the last sealed list; -1: none. */
int64_t flow__loaded_sealed(const LoadedFiles *files);
/* What an earlier life left visible may not be durable: the sealed list is, after this. */
int flow__loaded_sync(const LoadedFiles *files, SiltErr *err);
/* Write list sealed + 1, durably: these parts but for missing ones. It counts once the table's log has the txn. */
int flow__loaded_add(LoadedFiles *files, const SourcePart *parts, int count, SiltErr *err);
/* The list that was added is sealed: older ones that it makes needless go. Nothing that could not be left for later. */
void flow__loaded_settle(LoadedFiles *files);

/* flow/audit.c */
/* Open what in->from names, as in->source. INPUT for what is gone or has changed since. */
int flow__open_as_read(Batch *batch, BatchInput *in, const SourceReadOptions *options, SiltErr *err);

/* flow/open.c: opening a flow, and the parts of it for those who look at its checkpoint */
int flow__open(Flow *flow, SiltErr *err);
/* Do checkpoint and table belong together? F2 */
int flow__check_table(Flow *flow, SiltErr *err);
/* As many sources in flow->last as the query has? */
int flow__check_sources(Flow *flow, SiltErr *err);
/* Make durable what an earlier process left visible: checkpoint, sources' logs, target. */
int flow__sync_found(Flow *flow, SiltErr *err);
/* Give each streaming source its folder of the checkpoint. */
int flow__attach_sources(Flow *flow, SiltErr *err);
/* Inferred schemas into the checkpoint, and into the table's folder; what is there already is not written again. */
int flow__store_schemas(Flow *flow, SiltErr *err);
/* What the sources' logs hold that no commit will say, into the table's folder: once, before the first batch. */
int flow__keep_logs(Flow *flow, SiltErr *err);
/* Where the table's folder keeps a copy of the inferred schemas of a source. */
const char *flow__schema_copy(const Flow *flow, Arena *arena, const char *query_id, int number);
/* Where it keeps what of a source's log is in no commit. */
const char *flow__log_copy(const Flow *flow, Arena *arena, const char *query_id, int number);
/* flow/stream.c: where a LIMIT counts what has passed up to and with a batch. */
const char *flow__passed_path(Arena *arena, const char *checkpoint, int64_t batch);

/* flow/stream.c, flow/view.c */
int flow__stream_run(Flow *flow, int batches_max, bool bounded, bool *more, SiltErr *err);
int flow__view_run(Flow *flow, SiltErr *err);
