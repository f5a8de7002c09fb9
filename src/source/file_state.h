#pragma once
/*
 * source/file_state.h - what became of each file that a stream has taken, as rows: cloud_files_state(...)
 *
 * The file log knows the files and their batches; when these were begun and sealed is for the caller to say, who knows the checkpoint.
 */
#include "source/source.h"

/* The stream's way through the batches of one file log. Times are microseconds since 1970, INT64_MIN: not known. */
typedef struct FileStateStep {
    int64_t end;      /* last batch of the log that this batch of the stream has read; it begins behind the step before */
    int64_t found_us; /* when the stream looked for files */
    int64_t begun_us, sealed_us;
    bool sealed;
} FileStateStep;

typedef struct FileStateLog {
    const char *directory; /* <checkpoint>/sources/<i> */
    const char *flow_name; /* NULL: not known */
    const char *source_id;
    const FileStateStep *steps; /* by end; files behind the last one have not been read yet */
    int step_count;
} FileStateLog;

/* A source for snapshots only, in columns as Databricks documents them. `logs` is copied, io is borrowed. Reads nothing before it is opened. */
Source *source_file_state(Io *io, const FileStateLog *logs, int count);
