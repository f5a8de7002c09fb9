#pragma once
/*
 * source/seen_file.h - the files of many batches of a file log in one file that is asked, not read (this folder only)
 *
 * `<first>to<last>.seen` holds the batches first..last: their text as Spark writes it, and a sorted table of hashes. Whether a file is in it
 * costs one or two reads of 4 KB, however many there are. The layout is in seen_file.c.
 */
#include "source/log_text.h"
#include "source/seen_set.h"

/* SEEN_DAMAGED: a checksum says that bytes are not those that were written. */
enum { SEEN_DAMAGED = 2 };

typedef struct SeenFile SeenFile;

/* What a seen file holds. Batch -1: files that were there before a stream with includeExistingFiles => false began. */
typedef struct SeenRange {
    int64_t first, last; /* batches */
    int64_t count;       /* files */
    int64_t newest_ms;   /* greatest timestamp; INT64_MIN: none */
} SeenRange;

/* The name for a range, and the range of a name (false: it is no name of a seen file). */
const char *seen_file_name(Arena *arena, int64_t first, int64_t last);
bool seen_file_parse_name(const char *name, int64_t *first, int64_t *last);

/* Reads its last bytes only. 0, IO_ABSENT, SEEN_DAMAGED, < 0. */
int seen_file_open(Io *io, const char *path, SeenFile **out, SiltErr *err);
void seen_file_close(SeenFile *file); /* NULL allowed */
const SeenRange *seen_file_range(const SeenFile *file);
const char *seen_file_path(const SeenFile *file);
/* Give back descriptor and buffers until the next question. */
void seen_file_rest(SeenFile *file);

/* Is this file in it (and with this timestamp, when by_time)? Ask in the order of keys: a block is then read once. 0, SEEN_DAMAGED, < 0. */
int seen_file_has(SeenFile *file, SeenKey key, bool by_time, int64_t timestamp_ms, bool *has, SiltErr *err);
/* The order of seen_file_has. */
int seen_key_compare(SeenKey a, SeenKey b);
/* Files of batches first..last, in order. Damaged text is CORRUPT: there may be no other copy. */
int seen_file_entries(SeenFile *file, int64_t first, int64_t last, const EntrySink *sink, SiltErr *err);

/*
 * Write a seen file: what seen files of adjacent batches hold, oldest first, then more files in the order of their batches. Text passes
 * through, of the keys only those that are added are held. Made in `staging`, a local directory, and durable under its name when
 * seen_writer_finish returns 0.
 */
typedef struct SeenWriter SeenWriter;
int seen_writer_open(Io *io, const char *staging, SeenWriter **out, SiltErr *err);
int seen_writer_copy(SeenWriter *writer, SeenFile *older, SiltErr *err); /* older stays open until the end. 0 or < 0 */
int seen_writer_add(SeenWriter *writer, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err);
/* As first..last in directory. 0, SEEN_DAMAGED (keys of a copied file; nothing was written), < 0. */
int seen_writer_finish(SeenWriter *writer, const char *directory, int64_t first, int64_t last, SiltErr *err);
void seen_writer_free(SeenWriter *writer); /* NULL allowed */
void seen_writer_freep(SeenWriter **writer);
