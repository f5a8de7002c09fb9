#pragma once
/*
 * delta/stream.h - a table as a streaming source, with Spark's offsets
 *
 * First the files of the snapshot at the starting version, sorted by (modification time, path), then the files that each
 * later commit adds. An offset names the last file taken: (version, index), or index -1: all before that version.
 */
#include "delta/table.h"

typedef struct DeltaOffset {
    char table_id[128]; /* reservoirId */
    int64_t version;    /* reservoirVersion */
    int64_t index;      /* of the last file taken within the version; -1: none of it */
    bool is_starting;   /* isStartingVersion: version is read as a snapshot */
} DeltaOffset;

/* Spark's text, byte for byte (one line of offsets/N). */
void delta_offset_print(StrBuf *out, const DeltaOffset *offset);
/* CORRUPT when it is not that; CONFIG for a newer sourceVersion or a schema-tracking index. */
int delta_offset_parse(Str text, DeltaOffset *out, SiltErr *err);

typedef struct DeltaStreamOptions {
    int64_t files_max;        /* 0: Spark's default, 1000 */
    int64_t bytes_max;        /* 0: none; the first file is always taken */
    bool ignore_deletes;      /* commits that only delete are passed over */
    bool skip_change_commits; /* commits that delete or rewrite are passed over as a whole */
    int64_t starting_version; /* only when there is no offset yet: -1: the newest as a snapshot; else commits from this version on */
} DeltaStreamOptions;

/* A batch of files: all in arena. */
typedef struct DeltaStreamBatch {
    const DeltaFile **files;
    int64_t file_count;
    int64_t size_bytes;
    DeltaOffset end; /* where the next batch begins; equal to the start when there was nothing new */
    bool more;       /* a limit ended the batch; there are more files already */
} DeltaStreamBatch;

/*
 * Is the table still the one that `from` was read of? Refreshes it. 0, or CONFIG: it is gone, or another one by its id; CORRUPT: the same, but shorter.
 */
int delta_stream_check(DeltaTable *table, const DeltaOffset *from, SiltErr *err);

/*
 * The next batch after `from` (NULL: from the beginning), within the limits. The table is refreshed first. Nothing new:
 * file_count 0, and end equals *from unless commits without files were passed over (then end is past them).
 * DELTA_ABSENT: there is no table yet.
 *
 * CONFIG: another table than the offset's (its id changed), a data-changing remove (Spark's DELTA_SOURCE_IGNORE_DELETE or
 * DELTA_SOURCE_TABLE_IGNORE_CHANGES) that the options do not pass over, a commit that is gone, a schema change that is not additive.
 */
int delta_stream_next(DeltaTable *table, const DeltaOffset *from, const DeltaStreamOptions *options, Arena *arena, DeltaStreamBatch *out,
                      SiltErr *err);
/* The files after `from` (NULL: from the beginning) up to and with `to`: a batch that is run again. */
int delta_stream_range(DeltaTable *table, const DeltaOffset *from, const DeltaOffset *to, const DeltaStreamOptions *options, Arena *arena,
                       DeltaStreamBatch *out, SiltErr *err);
