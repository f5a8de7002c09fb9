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
 */
#include "io/io.h"

typedef struct LogFile {
    const char *uri;
    int64_t timestamp_ms;
    int64_t batch;
} LogFile;

typedef struct FileLog FileLog;

/* Read what is there. A log with holes, or another version, is CORRUPT. */
int file_log_open(Io *io, const char *directory, FileLog **out, SiltErr *err);
void file_log_close(FileLog *log); /* NULL allowed */
/* After a failed call: read again what is on the disk. Nothing to do otherwise. Before choosing what to add. */
int file_log_settle(FileLog *log, SiltErr *err);
/* Number of the last batch; -1: none. */
int64_t file_log_latest(const FileLog *log);
/* Was this file taken, by its URI? Skipped ones too. */
bool file_log_has(const FileLog *log, const char *uri);
int64_t file_log_count(const FileLog *log);
/*
 * Add batch file_log_latest() + 1, durably. files' batch is set here. If that batch is there already (an earlier call failed only seemingly)
 * it stands as it is: file_log_latest() has moved on either way.
 */
int file_log_add(FileLog *log, const LogFile *files, int count, SiltErr *err);
/* Files of batches in (start, end], in order. In arena. */
int file_log_range(FileLog *log, int64_t start, int64_t end, Arena *arena, LogFile **files, int *count, SiltErr *err);

/*
 * Files that were there when a stream with includeExistingFiles => false began: never read. Kept in sources/<i>/skipped, which
 * Spark does not look at. Written once, before the first batch; an empty list too.
 */
bool file_log_has_skipped(const FileLog *log);
int file_log_skip(FileLog *log, const LogFile *files, int count, SiltErr *err);
