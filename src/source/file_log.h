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
 * Beside them lie seen files (seen_file.h), which only Silt reads: the same batches once more, a few of them, each several times as long as the
 * next. They are asked, not read: to open a log, and to know which of some files are new, costs the same whatever the log holds. Batches behind
 * the last seen file are read, and held as hashes of 20 to 30 bytes.
 *
 * A compact file costs as much as all files ever taken. So beyond 10,000 of them a batch that is due for one is written as N.silt, with its own
 * files only, which Spark does not look at; the compact file is written by file_log_finish where that is cheap, and by file_log_export. Between
 * the two, Silt alone can go on (Spark says that N.compact does not exist).
 */
#include "source/log_text.h"

typedef struct FileLogOptions {
    bool by_time;             /* a file with another time is another file */
    int64_t spark_files_max;  /* up to so many files each tenth batch is compact at once; 0: 10,000 */
    int64_t held_files_max;   /* so many files, at most, are held as hashes before they go to a seen file; 0: 8,192 */
} FileLogOptions;

typedef struct FileLog FileLog;

/* A log with holes, or another version, is CORRUPT. */
int file_log_open(Io *io, const char *directory, const FileLogOptions *options, FileLog **out, SiltErr *err);
void file_log_close(FileLog *log); /* NULL allowed */
/* After a failed call: read again what is on the disk. Nothing to do otherwise. Before choosing what to add. */
int file_log_settle(FileLog *log, SiltErr *err);
/* Changes when the log was read again: what was known of it may not hold any more. */
int64_t file_log_generation(const FileLog *log);
/* Number of the last batch; -1: none. */
int64_t file_log_latest(const FileLog *log);
/* Which of these were taken (or skipped), by their URIs (and times, when the log is by_time)? known has `count` places. */
int file_log_known(FileLog *log, const LogFile *files, int count, bool *known, SiltErr *err);
int64_t file_log_count(const FileLog *log);
/* Greatest timestamp of all files; INT64_MIN: none. */
int64_t file_log_newest_ms(const FileLog *log);
size_t file_log_bytes(const FileLog *log); /* of memory for the files */
/* Could Spark go on from here? */
bool file_log_is_sparks(const FileLog *log);
/*
 * Add batch file_log_latest() + 1, durably. files' batch is set here. If that batch is there already (an earlier call failed only seemingly)
 * it stands as it is: file_log_latest() has moved on either way.
 */
int file_log_add(FileLog *log, const LogFile *files, int count, SiltErr *err);
/* Files of batches in (start, end], in order. In arena. Read from the disk, but for the last batch. */
int file_log_range(FileLog *log, int64_t start, int64_t end, Arena *arena, LogFile **files, int *count, SiltErr *err);
/* The same, one by one; skipped files, as batch -1, when start is -2. */
int file_log_each(FileLog *log, int64_t start, int64_t end, const EntrySink *sink, SiltErr *err);
/* No batch comes for now: make the next opening cheap, and write Spark's compact file where it is due and costs no more than the run did. */
int file_log_finish(FileLog *log, SiltErr *err);
/* Make the log one that Spark can go on from, at any cost. */
int file_log_export(FileLog *log, SiltErr *err);

/*
 * Files that were there when a stream with includeExistingFiles => false began: never read. Kept in sources/<i>/skipped, which
 * Spark does not look at. Written once, before the first batch; an empty list too.
 */
bool file_log_has_skipped(const FileLog *log);
int file_log_skip(FileLog *log, const LogFile *files, int count, SiltErr *err);
