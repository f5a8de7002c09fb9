#pragma once
/*
 * base/uri.h - how paths are written in logs, and partition values in folder names
 *
 * Three spellings of one file, each made from the one before:
 *
 *   value   a:b c        folder  k=a%3Ab c        as it is on the disk (partition_escape)
 *   path    /t/k=a%3Ab c/f.parquet               decoded: what io.h takes
 *   URI     file:///t/k=a%253Ab%20c/f.parquet    encoded: checkpoints, Delta's add.path (relative there)
 *
 * Encode the actual name once, decode once, never compare undecoded spellings.
 */
#include "base/arena.h"

/*
 * Append a path as Java's URI class writes it, and so Hadoop, Spark and Delta: percent-encoded are control characters,
 * blanks of any script, and "#%<>?[\]^`{|} ; letters of any script and + & = : @ stay.
 */
void uri_encode(StrBuf *out, Str path);
/* Undo percent-encoding, once; NUL behind. INPUT for a % without two hexadecimal digits, or %00. */
int uri_decode(Arena *arena, Str text, Str *out, SiltErr *err);

/* The scheme before the first ':' ("file", "s3"), or "" for a path. */
Str uri_scheme(Str text);
/* "file:///a/b%20c" for the absolute path "/a/b c", cleaned by path_clean: the form that Spark writes and compares in its file log. */
const char *uri_from_path(Arena *arena, const char *path);
/*
 * The absolute path of "/a/b" (as it is), "file:/a/b", "file:///a/b" or "file://localhost/a/b" (decoded). CONFIG for anything
 * else: a relative path, another scheme, another host.
 */
int uri_to_path(Arena *arena, const char *text, const char **out, SiltErr *err);

/* Without double or trailing slashes, "." and "..", as Hadoop cleans paths (not asking the disk about symbolic links). */
const char *path_clean(Arena *arena, const char *path);
/* directory + "/" + name, or name alone when it is absolute. */
const char *path_join(Arena *arena, const char *directory, const char *name);
/* The last part ("" for "/"), borrowed from path. */
const char *path_name(const char *path);
/* All but the last part: "/" at least for an absolute path, "" for a bare name. */
const char *path_parent(Arena *arena, const char *path);

#define PARTITION_NULL "__HIVE_DEFAULT_PARTITION__"
/* Append a column name or value as Spark puts it into a folder name: control characters and "#%'*\/:=?[]^{ become %XX. */
void partition_escape(StrBuf *out, Str text);
/* Append `column=value`; a NULL or empty value gives PARTITION_NULL. */
void partition_folder(StrBuf *out, Str column, const Str *value);
/* Undo it, as Spark does: a % without two hexadecimal digits stands for itself, %80 to %FF are U+0080 to U+00FF. */
Str partition_unescape(Arena *arena, Str text);
