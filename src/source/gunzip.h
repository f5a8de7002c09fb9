#pragma once
/* source/gunzip.h - values that are gzip, decompressed whole: those of records of a topic (this folder only) */
#include "base/str.h"

typedef struct Gunzip Gunzip;

Gunzip *gunzip_new(void);
void gunzip_free(Gunzip *gunzip); /* NULL allowed */

typedef enum GunzipResult { GUNZIP_OK, GUNZIP_BROKEN, GUNZIP_LONG } GunzipResult;

/*
 * One or more gzip members, and nothing behind the last. *out is borrowed until the next call; GUNZIP_LONG: it would be more than `most` bytes (no more
 * is made of it), GUNZIP_BROKEN: it is no gzip, damaged, or cut.
 */
GunzipResult gunzip(Gunzip *gunzip, Str bytes, size_t most, Str *out);
