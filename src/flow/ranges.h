#pragma once
/*
 * flow/ranges.h - what a batch has read, as the table's own log tells it: commitInfo.readSources
 *
 *   streaming batch   {"flow", "query", "batchTimestampMs", "batchWatermarkMs", "limitPassed"?, "sources": [...]}
 *   content of a view {"flow", "query", "day"?, "batchTimestampMs", "inputs": [...]}
 *
 *   sources[i]   {"source", "startOffset", "endOffset"}        a stream; offsets are the source's own JSON
 *                {"source", "tableId", "version"}              a table read whole
 *     of files   + {"numFiles", "files", "modified", "gone"?}  up to 100 files; more: {"numFiles", "manifest"}, a file of the table's folder that
 *                holds the whole text with all files
 *   inputs[i]    {"table", "tableId", "version"} or {"source", "fingerprint"}
 *
 * With it the target alone tells how far it is: a lost checkpoint is built again (flow/recover.c), and the table is computed again
 * over the same ranges (flow/audit.c).
 */
#include "delta/table.h"
#include "source/source.h"

/* One source of a batch. */
typedef struct RangeSource {
    const char *description;
    bool streaming;
    const char *start, *end; /* offsets of a stream; NULL: none yet */
    const char *table_id;    /* of a table read whole; NULL: none */
    int64_t version;         /* likewise; -1 */
    const char *fingerprint; /* of the files that a view read; NULL */
    bool has_parts;
    SourcePart *parts; /* name, planned_ms; missing: it was gone when it was to be read */
    int part_count;
} RangeSource;

/* What one commit says. Lives in the arena of the reader. */
typedef struct Ranges {
    int64_t version;          /* of the table */
    const char *flow;         /* full name */
    const char *query;        /* fingerprint */
    int64_t timestamp_ms, watermark_ms;
    int64_t limit_passed;     /* rows that LIMIT has let through so far; -1: the query has none */
    RangeSource *sources;     /* by slot */
    int source_count;
} Ranges;

/*
 * Read what the commit of this version says. 0; RANGES_NONE when the commit is not one that says it (another program's), RANGES_ABSENT when
 * there is no such commit (any more); CORRUPT for a text or manifest that cannot be read.
 */
enum { RANGES_NONE = 1, RANGES_ABSENT = 2 };
int ranges_read(Io *io, DeltaTable *table, int64_t version, Arena *arena, Ranges *out, SiltErr *err);

/* ---- the history of a table, newest commit first ---- */

typedef enum HistoryKind {
    HISTORY_BATCH,   /* of a streaming or once flow */
    HISTORY_CONTENT, /* of a view */
    HISTORY_EMPTIED, /* a full refresh began here: what is older counts no more */
    HISTORY_OTHER,   /* another program, or a statement, changed rows */
} HistoryKind;

typedef struct HistoryEntry {
    HistoryKind kind;
    int64_t version;
    const char *flow;   /* BATCH, CONTENT: full name; NULL: the commit does not say (Spark's) */
    const char *app_id; /* BATCH: query id */
    int64_t batch;      /* BATCH, CONTENT: number */
    const char *operation, *engine; /* as the commit has them; NULL: not given */
} HistoryEntry;

typedef struct History {
    HistoryEntry *entries; /* newest first, down to the first that counts, which for EMPTIED and CONTENT is the last */
    int count, capacity;
    int64_t oldest; /* version looked at last */
    bool complete;  /* nothing that counts is older */
} History;

/*
 * All commits of the table's newest snapshot and before that changed rows. Reads one commit after the other: costs as much as the log is long;
 * keeps about 64 bytes a commit, in arena.
 */
int history_read(DeltaTable *table, Arena *arena, History *out, SiltErr *err);
/* The newest batch of this flow; NULL: none. */
const HistoryEntry *history_newest(const History *history, const char *flow);
