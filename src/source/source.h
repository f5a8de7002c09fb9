#pragma once
/*
 * source/source.h - where rows come from: one table of functions per kind of source
 *
 * A source knows its schema and its end; it plans a batch between two offsets, opens a range for reading any number of times
 * with the same rows (recovery), and is told when a batch is sealed. Offsets are one line of text, exactly as Spark
 * writes them into offsets/N.
 *
 *   S1  The same (start, end) always gives the same records, as long as the source still has them.
 *   S2  plan() makes durable whatever S1 needs (files: the log in sources/<i>) before it returns.
 *   S3  No record is in two ranges that do not overlap, and none is left out between adjacent ones.
 *
 * How flow uses it:
 *
 *   source_from_relation   at analysis (the catalog's resolve): schema for SqlRelation
 *   source_attach          once per run: where the checkpoint is
 *   source_bound           triggered runs: nothing that arrives later is planned
 *   loop: source_plan -> write offsets/N -> source_open_batch -> run the query -> drain -> source_batch_drift? -> commit
 *         -> commits/N -> source_committed
 *
 * A query that reads without STREAM uses source_open_snapshot only.
 */
#include "duck/session.h"
#include "format/format.h"
#include "io/io.h"

typedef struct Source Source;
typedef struct SourceBatch SourceBatch;

/* SOURCE_NONE: not a source; SOURCE_IDLE: no data beyond start. */
enum { SOURCE_NONE = 1, SOURCE_IDLE = 2 };

typedef struct SourceContext {
    Io *io;
    const char *base_directory; /* relative paths start here: the project's directory; absolute */
    const char *time_zone;      /* session zone, NULL: UTC */
    int threads;                /* that may decode one batch; 0: one per core */
    /* A session for looking into Parquet files, asked for only when needed. */
    int (*session)(void *self, DuckSession **out, SiltErr *err);
    void *session_self;
    /* Schema as source_schema_text gave it at an earlier run of this flow: used instead of inference. NULL: infer. */
    const char *schema_text;
    /* Sources of the program that Silt is a part of; NULL: none. They outlive the source. */
    const struct SiltSource *const *extensions;
    int extension_count;
} SourceContext;

/* Asked while a source waits for something that may be long in coming: true ends the call as CANCELLED. Any thread. */
typedef struct SourceStop {
    bool (*asked)(void *self); /* NULL: never */
    void *self;
} SourceStop;

/* Told by a source that is waited on: there is news. Any thread; does not block. */
typedef struct SourceWake {
    void (*call)(void *self); /* NULL: nobody listens */
    void *self;
    int64_t within_ms; /* it is soon enough so much after the record came; 0: at once */
} SourceWake;

/* How far a stream has come in one partition of a topic: `position` is the next record of the first batch that is not sealed, `end` is behind the last one
 * that is there. */
typedef struct SourceLag {
    const char *topic;
    int32_t partition;
    int64_t position, end;
} SourceLag;

/* Told now and then how far a stream has come, all its partitions at once. Any thread; must not block; items are valid during the call. */
typedef struct SourceLagged {
    void (*call)(void *self, const SourceLag *items, int count); /* NULL: nobody listens, and nothing is found out for it */
    void *self;
} SourceLagged;

/* Columns in order, as SqlRelation wants them: data, partition columns, rescued data; then hidden ones (_metadata). */
typedef struct SourceSchema {
    const char **names;
    const Type **types;
    bool *nullable;
    int column_count;
    int hidden_count;
} SourceSchema;

/*
 * The source that a relation means: read_files(...), read_kafka(...) and fmt.`path`. relation must keep its
 * arguments folded to literals, and is not kept. Infers the schema when none is given (reads a sample). 0, SOURCE_NONE when
 * the relation is no source, or < 0 with the position of the argument at fault.
 */
int source_from_relation(const SourceContext *context, const Relation *relation, Source **out, SiltErr *err);
void source_free(Source *source); /* NULL allowed; its batches first */
void source_freep(Source **source);

/* From now on; borrowed as long as the source is used. Before source_attach or source_open_snapshot. */
void source_set_stop(Source *source, SourceStop stop);
/* Before source_attach; borrowed as long as the source is used. A source that can tells so when records come behind the last plan. */
void source_set_wake(Source *source, SourceWake wake);

/* Likewise. A source without such positions never calls it. */
void source_set_lagged(Source *source, SourceLagged lagged);
/*
 * Who reads, for those that others see reading: a name that no other flow of any pipeline has, and that is the same as long as the checkpoint is. Before
 * source_attach; copied.
 */
void source_set_reader(Source *source, const char *name);
/* Its rows go where a column may have any name (column mapping): one with blanks and the like is a new column as any other, not rescued. By default: no. */
void source_set_any_name(Source *source, bool any_name);

const SourceSchema *source_schema(const Source *source); /* lives until source_free or source_widen */
const char *source_name(const Source *source);           /* for messages and events: read_files('/in') */
const char *source_description(const Source *source);    /* progress: FileStreamSource[file:/in] */
/*
 * For people, one fact a line, in arena: "json files of file:/in\nschema inferred, new columns join it\nat most 1000 files a batch". What concerns
 * batches only of a stream.
 */
const char *source_explain(const Source *source, bool streaming, Arena *arena);

/*
 * Would files that somebody writes into `folder` (absolute, decoded), named as a Delta table names its data, be read by this source? False for
 * sources without files.
 */
bool source_reaches(const Source *source, const char *folder);

/* The schema as text, to keep with the checkpoint, or NULL: then there is nothing that a later run would have to find out. Into arena. */
const char *source_schema_text(const Source *source, Arena *arena);
/* Numbered files in a directory (<checkpoint>/_schemas/<source>): the newest one (0, or IO_ABSENT), and one more. */
int source_schema_load(Io *io, const char *directory, Arena *arena, const char **text, SiltErr *err);
int source_schema_store(Io *io, const char *directory, const char *text, SiltErr *err);

/* One file, partition or version that a batch reads. */
typedef struct SourcePart {
    const char *name;       /* file: URI as in _metadata.file_path; of a topic: topic-partition */
    const char *topic;      /* NULL: no topic, and positions are bytes (Parquet: rows); else they are offsets */
    int32_t partition;      /* of the topic */
    int64_t size_bytes;     /* < 0: unknown */
    int64_t modified_ms;
    int64_t planned_ms;     /* modified_ms as it was when the batch was planned */
    bool missing;           /* planned, but gone when it was opened: read as empty, to be warned about */
    int64_t records, bytes; /* of a topic: taken so far, with the bytes of their keys and values */
    const char *corrupt;    /* not NULL: why the (rest of the) file was left out (ignoreCorruptFiles), to be warned about; once drained */
} SourcePart;

/* What a file source's log in <checkpoint>/sources/<i> holds. */
typedef struct SourceLogInfo {
    int64_t batches, files;
    bool is_sparks; /* Spark can go on from it */
} SourceLogInfo;
/* Look at it; with `complete`, make it one that Spark can go on from first, durably: costs as much as the log is long. 0 or < 0. */
int source_log_look(Io *io, const char *log_directory, bool complete, SourceLogInfo *out, SiltErr *err);

/* ---- streaming ---- */

/* log_directory is <checkpoint>/sources/<i>; its log is read. Must come before plan and open_batch. */
int source_attach(Source *source, const char *log_directory, SiltErr *err);
/* Look at the source once and plan only what is there now (availableNow). Called again: look again. */
int source_bound(Source *source, SiltErr *err);
/* Look again at each plan (continuous). */
void source_unbound(Source *source);

/*
 * End offset of the next batch that starts at `start` (NULL: the very beginning), within the rate limits. Durable (S2).
 * 0 with *end in arena, SOURCE_IDLE when there is nothing new, or < 0.
 */
int source_plan(Source *source, const char *start, Arena *arena, const char **end, SiltErr *err);
/* All that is known to be there, for progress; same form as an offset, may be NULL in *out when unknown. */
int source_latest(Source *source, Arena *arena, const char **out, SiltErr *err);
/* Does no directory tell of news, so that the source is to be asked? */
bool source_is_polled(const Source *source);
/*
 * How many records came since the last plan of a source that is polled and unbound: cheap, nothing is reached. 0: none that is worth a batch;
 * INT64_MAX: as many as a batch takes; < 0: only a plan can tell.
 */
int64_t source_news(Source *source);
/* Directories that a watcher should watch, and NULL; into arena. Empty for sources without files. Call again after plan. */
const char *const *source_watch_directories(Source *source, Arena *arena);

/*
 * Does the log still have all that was planned up to `offset`? 0, or CORRUPT with what is missing. After source_attach.
 */
int source_reached(Source *source, const char *offset, SiltErr *err);
/*
 * Copy from one folder of logs to another what source_restore cannot make from parts (the files that were left out in the beginning). After the
 * first plan into a safe place, before the first restore out of it and before source_attach.
 */
int source_keep(Source *source, const char *from, const char *to, SiltErr *err);
/*
 * Build a lost log again, batch by batch from the first, in an attached and empty one: the batch from `start` (NULL: the beginning) to `end` read
 * these parts (none: see source_names_parts). What plan had
 * made durable before is so again.
 */
int source_restore(Source *source, const char *start, const char *end, const SourcePart *parts, int count, SiltErr *err);

/*
 * The offset that a stream began with, in arena; NULL: with nothing, or it is not known yet. A batch that has no start begins there, and one that is
 * to be read again without the checkpoint is given it as its start.
 */
const char *source_began(const Source *source, Arena *arena);
/* Do the names of its parts say what a batch read (source_open_parts)? Else its offsets alone do. */
bool source_names_parts(const Source *source);

/* The batch up to `end` is sealed: what is below will not be asked for again. */
int source_committed(Source *source, const char *end, SiltErr *err);
/*
 * No batch comes for now (the end of a run, a clean stop): write what others, or the next run, go on from (Spark's file log, folders that need
 * not be listed again). A triggered run's last source_plan does it by itself. Nothing is lost without it.
 */
int source_finish(Source *source, SiltErr *err);

/* ---- reading ---- */

typedef struct SourceReadOptions {
    const bool *needed; /* per column of source_schema; false: left NULL. NULL: all */
    FormatSink sink;    /* records that cannot be decoded; may be called from several threads, one at a time */
    /* Snapshots of files: whether this one (its URI) is to be read. NULL: all are. */
    bool (*take)(void *self, const char *uri);
    void *take_self;
} SourceReadOptions;

/* start NULL: the beginning. 0 or < 0. */
int source_open_batch(Source *source, const char *start, const char *end, const SourceReadOptions *options, SourceBatch **out, SiltErr *err);
/* Everything that is there now, without any log; the batch form of the same relation. */
int source_open_snapshot(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err);
/*
 * Exactly the parts that an earlier batch read, as its commit names them (source_batch_parts): for an audit. Needs no log. 0, SOURCE_NONE for a
 * kind of source that has no such names, or < 0. Parts that are gone are marked missing.
 */
int source_open_parts(Source *source, const SourcePart *parts, int count, const SourceReadOptions *options, SourceBatch **out, SiltErr *err);
void source_batch_close(SourceBatch *batch); /* NULL allowed */
void source_batch_closep(SourceBatch **batch);

/*
 * FROM text that gives columns c1..cn (hidden ones too) and silt_source, silt_position, for sources that DuckDB reads itself
 * (Parquet); NULL when the rows come through source_batch_reader: bind it to an input slot with the schema's types.
 */
const char *source_batch_sql(const SourceBatch *batch);
ChunkReader *source_batch_reader(SourceBatch *batch); /* NULL when source_batch_sql is not; borrowed, pulled once */
/* What ChunkOrigin.source, silt_source and FormatBadRecord.source count in. */
const SourcePart *source_batch_parts(const SourceBatch *batch, int *count);
/* Text that changes whenever the input of a snapshot does (paths, sizes, times): equal text, nothing to recompute. */
const char *source_batch_fingerprint(const SourceBatch *batch);
/* Valid once the reader is drained (or the query over the SQL text has run: then records and rows are not counted here, -1). */
FormatCounts source_batch_counts(const SourceBatch *batch);

/*
 * A query over the batch has failed with err, which may not say which file is at fault: read them one by one, and name the first that cannot be
 * read. err stays as it is when each can. Costs a reading of all of them; only for a failure of kind INPUT.
 */
void source_batch_blame(SourceBatch *batch, SiltErr *err);

/*
 * After draining: did the records have columns that an inferred schema lacks? Then do not commit: source_widen, store
 * source_schema_text, analyze the query again and run the same batch anew. Of a schema that the user gave, only columns that come from the names
 * of folders are met.
 */
bool source_batch_drift(const SourceBatch *batch);
/*
 * Something to be warned about that stops nothing, said once for each time it is met: a pipe in the folder, a new column that no table can have;
 * NULL: nothing. Ask after a plan and after a batch. Lives as long as the source.
 */
const char *source_take_remark(Source *source);
/* Take the new columns into the schema. The batch is to be closed afterwards. */
int source_widen(Source *source, SourceBatch *batch, SiltErr *err);

/* ---- for those who write a source: source/files.c is the example ---- */

typedef struct SourceOps {
    const char *name;
    const char *summary;
    /* Is this relation yours? Then open it. 0, SOURCE_NONE, < 0. */
    int (*open)(const SourceContext *context, const Relation *relation, Source **out, SiltErr *err);
    void (*close)(Source *source);
    const char *(*schema_text)(const Source *source, Arena *arena); /* NULL: never inferred */
    const char *(*explain)(const Source *source, bool streaming, Arena *arena); /* NULL: its description */
    bool (*reaches)(const Source *source, const char *folder); /* NULL: never */
    int (*attach)(Source *source, const char *log_directory, SiltErr *err);
    int (*bound)(Source *source, SiltErr *err);
    void (*unbound)(Source *source);
    int (*plan)(Source *source, const char *start, Arena *arena, const char **end, SiltErr *err);
    int (*latest)(Source *source, Arena *arena, const char **out, SiltErr *err);
    const char *const *(*watch_directories)(Source *source, Arena *arena); /* NULL: none */
    int64_t (*news)(Source *source);                                       /* NULL: a plan tells */
    const char *(*began)(const Source *source, Arena *arena); /* NULL: there is no such offset */
    int (*committed)(Source *source, const char *end, SiltErr *err);        /* NULL: nothing to do */
    int (*finish)(Source *source, SiltErr *err);                            /* NULL: nothing to do */
    int (*reached)(Source *source, const char *offset, SiltErr *err);       /* NULL: a source without a log */
    int (*keep)(Source *source, const char *from, const char *to, SiltErr *err); /* NULL: nothing */
    int (*restore)(Source *source, const char *start, const char *end, const SourcePart *parts, int count, SiltErr *err); /* NULL likewise */
    int (*open_parts)(Source *source, const SourcePart *parts, int count, const SourceReadOptions *options, SourceBatch **out,
                      SiltErr *err); /* NULL: SOURCE_NONE */
    int (*open_batch)(Source *source, const char *start, const char *end, const SourceReadOptions *options, SourceBatch **out, SiltErr *err);
    int (*open_snapshot)(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err);
    void (*batch_close)(SourceBatch *batch);
    FormatCounts (*batch_counts)(const SourceBatch *batch);
    void (*batch_blame)(SourceBatch *batch, SiltErr *err); /* NULL: errors name what they are about */
    bool (*batch_drift)(const SourceBatch *batch); /* NULL: never */
    int (*widen)(Source *source, SourceBatch *batch, SiltErr *err);
} SourceOps;

struct Source {
    const SourceOps *ops;
    Arena *arena; /* lives as long as the source */
    const char *name, *description;
    SourceSchema schema;
    SourceStop stop;
    SourceWake wake;
    SourceLagged lagged;
    const char *reader; /* see source_set_reader; NULL: nobody in particular */
    bool any_name;      /* see source_set_any_name */
    const char *remark; /* see source_take_remark */
    const char **notes; /* of options without effect: remarks too */
    int note_count, note_capacity, notes_taken;
    void *self;
};

struct SourceBatch {
    Source *source;
    Arena *arena;
    const char *sql;
    ChunkReader reader;
    SourcePart *parts;
    int part_count;
    const char *fingerprint;
    void *self;
};
