#pragma once
/*
 * source/file_log.h - the files a stream has taken, in Spark's format (this folder only)
 *
 * sources/<i>/N holds the files of log batch N, sources/<i>/N.compact (every tenth) those of all batches up to N:
 *
 *   v1
 *   {"path":"file:///in/a%20b.json","timestamp":1795967703953,"batchId":2}
 *
 * without a newline at the end. Spark goes on from these files and the other way round.
 *
 * A compact file costs as much as all files ever taken. So beyond 10,000 of them a batch that is due for one is written as N.silt, with its own
 * files only, which Spark does not look at; what Spark needs is written by file_log_finish. Between the two, Silt alone can go on.
 *
 * In memory a file is a hash: 20 to 30 bytes.
 */
#include "io/io.h"

typedef struct LogFile {
    const char *uri;
    int64_t timestamp_ms;
    int64_t batch;
} LogFile;

typedef struct FileLogOptions {
    bool by_time;             /* a file with another time is another file */
    int64_t spark_files_max;  /* up to so many files each tenth batch is compact at once; 0: 10,000 */
} FileLogOptions;

typedef struct FileLog FileLog;

/* Read what is there. A log with holes, or another version, is CORRUPT. */
int file_log_open(Io *io, const char *directory, const FileLogOptions *options, FileLog **out, SiltErr *err);
void file_log_close(FileLog *log); /* NULL allowed */
/* After a failed call: read again what is on the disk. Nothing to do otherwise. Before choosing what to add. */
int file_log_settle(FileLog *log, SiltErr *err);
/* Number of the last batch; -1: none. */
int64_t file_log_latest(const FileLog *log);
/* Was this file taken, by its URI (and time, when the log is by_time)? Skipped ones too. */
bool file_log_has(const FileLog *log, const char *uri, int64_t timestamp_ms);
int64_t file_log_count(const FileLog *log);
/* Greatest timestamp of all files; INT64_MIN: none. */
int64_t file_log_newest_ms(const FileLog *log);
size_t file_log_bytes(const FileLog *log); /* of memory for the files */
/*
 * Add batch file_log_latest() + 1, durably. files' batch is set here. If that batch is there already (an earlier call failed only seemingly)
 * it stands as it is: file_log_latest() has moved on either way.
 */
int file_log_add(FileLog *log, const LogFile *files, int count, SiltErr *err);
/* Files of batches in (start, end], in order. In arena. Read from the disk, but for the last batch. */
int file_log_range(FileLog *log, int64_t start, int64_t end, Arena *arena, LogFile **files, int *count, SiltErr *err);
/* Make the log one that Spark can go on from: the compact file that is due, when there is one. Costs as much as the log is long. */
int file_log_finish(FileLog *log, SiltErr *err);

/*
 * Files that were there when a stream with includeExistingFiles => false began: never read. Kept in sources/<i>/skipped, which
 * Spark does not look at. Written once, before the first batch; an empty list too.
 */
bool file_log_has_skipped(const FileLog *log);
int file_log_skip(FileLog *log, const LogFile *files, int count, SiltErr *err);
