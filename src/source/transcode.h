#pragma once
/* source/transcode.h - text of another encoding as UTF-8 on the way (this folder only) */
#include "source/inflate.h"

typedef struct Transcode Transcode;

/* Is this an encoding that can be read? */
bool transcode_knows(const char *encoding);
/* encoding: a name that transcode_knows. path: for messages, borrowed. */
Transcode *transcode_new(const char *encoding, const char *path);
void transcode_free(Transcode *transcode); /* NULL allowed */
/*
 * As inflate_read, with the text as UTF-8 without a byte order mark. pushed: bytes that were already taken from `in`, before the first call.
 * INPUT for bytes that are no text of the encoding.
 */
int transcode_read(Transcode *transcode, Inflate *in, char *buffer, size_t size, size_t *got, SiltErr *err);
void transcode_push(Transcode *transcode, const char *ptr, size_t size);
