#pragma once
/* source/inflate.h - a file's bytes, decompressed on the way when they are gzip, zstd or zlib (this folder only) */
#include "io/io.h"

typedef struct Inflate Inflate;

/* Does the name end like that of a compressed file (.gz, .zst, .deflate)? Then the suffix is cut off. */
bool inflate_suffix(Str *path);

/* raw: the bytes as they are, whatever they look like. Compressions that are not read (.bz2, .snappy, ...) are refused by name. 0, IO_ABSENT, < 0. */
int inflate_open(Io *io, const char *path, bool raw, Inflate **out, SiltErr *err);
void inflate_close(Inflate *inflate); /* NULL allowed */
/*
 * Up to size bytes into buffer; *got = 0 only at the end. INPUT for data that is broken or ends too early. Several compressed members
 * or frames one behind the other are one stream.
 */
int inflate_read(Inflate *inflate, char *buffer, size_t size, size_t *got, SiltErr *err);
bool inflate_is_compressed(const Inflate *inflate);
