#pragma once
/* source/log_text.h - the text of a file log: one entry of a file as Spark writes it (this folder only) */
#include "io/io.h"

typedef struct LogFile {
    const char *uri;
    int64_t timestamp_ms;
    int64_t batch;
} LogFile;

/* What is done with each entry; uri is borrowed. Returns 0 or < 0, which ends the reading. */
typedef struct EntrySink {
    void *self;
    int (*take)(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err);
} EntrySink;

/* Append one entry, a line feed before it. */
void log_text_put(StrBuf *out, Str uri, int64_t timestamp_ms, int64_t batch);
/* One line of `path`, its number for errors. batch: for entries that name none. */
int log_text_entry(const char *path, int64_t line, Str row, int64_t batch, const EntrySink *sink, SiltErr *err);
/* All entries of one file of the log, in pieces: it may be longer than memory should be. 0, IO_ABSENT, < 0. */
int log_text_read(Io *io, const char *path, int64_t batch, const EntrySink *sink, SiltErr *err);
