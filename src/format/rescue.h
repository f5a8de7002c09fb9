#pragma once
/*
 * format/rescue.h - the rescued data of one row: a JSON object of what did not fit, text kept exactly (this folder only)
 *
 * {"name":<value as it stood>,"outer":{"inner":<...>},"_file_path":"file:///..."}: fields in order of appearance, nested as they were. Of a message there is no
 * _file_path.
 */
#include "base/str.h"

enum { RESCUE_DEPTH_MAX = 64 }; /* a path that is deeper is cut: the value at that depth is kept whole by the caller */

typedef struct Rescue {
    StrBuf text;
    StrBuf open[RESCUE_DEPTH_MAX]; /* names of the objects that are open */
    int depth;
    bool has_member[RESCUE_DEPTH_MAX + 1];
    bool any;
} Rescue;

void rescue_fini(Rescue *rescue);
void rescue_clear(Rescue *rescue);
/* path: unescaped names from the top; value: JSON text. */
void rescue_put(Rescue *rescue, const Str *path, int depth, Str value);
/* The same with a value that is no JSON: quoted. */
void rescue_put_text(Rescue *rescue, const Str *path, int depth, Str text);
/* Close all objects and add _file_path (NULL: none). Only when any is set; clear before the next row. */
Str rescue_finish(Rescue *rescue, const char *file_path);
