#pragma once
/*
 * flow/checkpoint.h - the memory of one flow on disk, in Spark's own format
 *
 *   <root>/<n>/metadata       {"id":"<query id>"}
 *   <root>/<n>/offsets/<N>    written before batch N runs: end offsets, batch timestamp, 15 settings
 *   <root>/<n>/commits/<N>    written after batch N is in the table
 *   <root>/<n>/sources/<i>/   the sources' own (file log)
 *   <root>/<n>/_schemas/<i>/  inferred schemas of sources
 *
 *   C1  offsets/N is durable before batch N runs; commits/N before offsets/N+1.
 *   C2  The number of offset lines is the number of sources, in order; "-" for one that has none yet.
 *   C3  The newest 100 batches are kept (spark.sql.streaming.minBatchesToRetain); never fewer than two.
 */
#include "io/io.h"
#include "plan/conf.h"

enum { CHECKPOINT_SETTINGS = 15, CHECKPOINT_ABSENT = 1 };

/* What offsets/N says. Everything lives in the arena of the reader. */
typedef struct CheckpointOffsets {
    int64_t batch_watermark_ms;
    int64_t batch_timestamp_ms;
    const char *settings[CHECKPOINT_SETTINGS]; /* in Spark's order, see checkpoint.c; never NULL */
    const char **offsets;                      /* per source; NULL: none ("-") */
    int source_count;
} CheckpointOffsets;

typedef struct Checkpoint Checkpoint;

/*
 * Open the newest checkpoint below root (<storage>/_checkpoints/<catalog>/<schema>/<table>/<flow>), which may be absent: then
 * nothing is written, and checkpoint_create makes it. Fails as CORRUPT with Spark's class when metadata is missing beside
 * offsets, or a file cannot be read as what it should be.
 */
int checkpoint_open(Io *io, const char *root, Checkpoint **out, SiltErr *err);
void checkpoint_free(Checkpoint *checkpoint); /* NULL allowed */
void checkpoint_freep(Checkpoint **checkpoint);

bool checkpoint_exists(const Checkpoint *checkpoint);       /* metadata is there */
const char *checkpoint_id(const Checkpoint *checkpoint);    /* query id; NULL unless it exists */
int64_t checkpoint_number(const Checkpoint *checkpoint);    /* n; of a checkpoint that is absent: the one to make */
const char *checkpoint_path(const Checkpoint *checkpoint);  /* <root>/<n> */
int64_t checkpoint_last_offsets(const Checkpoint *checkpoint); /* highest N of offsets/, -1: none */
int64_t checkpoint_last_commit(const Checkpoint *checkpoint);  /* highest N of commits/, -1: none */

/* Write metadata with a new query id. Done already is fine. */
int checkpoint_create(Checkpoint *checkpoint, SiltErr *err);
/* The same for a checkpoint of a given number, without opening it: full refresh. */
int checkpoint_create_at(Io *io, const char *root, int64_t number, SiltErr *err);

/* The same with a query id that is known. */
int checkpoint_put_id(Io *io, const char *root, int64_t number, const char *id, SiltErr *err);
/*
 * A checkpoint to be built again in a folder that is not there yet: its batches begin with `first`. For checkpoint_open it is
 * a damaged one until checkpoint_put_id, which comes last. Never NULL.
 */
Checkpoint *checkpoint_rebuild(Io *io, const char *root, int64_t number, int64_t first);

/* The newest number below root, or -1. */
int checkpoint_newest(Io *io, const char *root, int64_t *number, SiltErr *err);

int checkpoint_read_offsets(Checkpoint *checkpoint, int64_t batch, Arena *arena, CheckpointOffsets *out, SiltErr *err); /* CHECKPOINT_ABSENT */
int checkpoint_write_offsets(Checkpoint *checkpoint, int64_t batch, const CheckpointOffsets *offsets, SiltErr *err);
int checkpoint_write_commit(Checkpoint *checkpoint, int64_t batch, int64_t next_watermark_ms, SiltErr *err);
/* Drop batches that are too old to be kept (C3). Failing to is no failure of the batch: the caller may only warn. */
int checkpoint_trim(Checkpoint *checkpoint, int64_t keep, SiltErr *err);

/* The 15 settings as this Silt and this configuration would write them for a first batch. */
void checkpoint_settings(const Conf *conf, const char *settings[CHECKPOINT_SETTINGS]);

/* The texts themselves, for tests and tools: exactly the bytes of the files. */
void checkpoint_print_offsets(StrBuf *out, const CheckpointOffsets *offsets);
void checkpoint_print_commit(StrBuf *out, int64_t next_watermark_ms);
int checkpoint_parse_offsets(Arena *arena, Str text, CheckpointOffsets *out, SiltErr *err);
