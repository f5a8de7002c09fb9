#pragma once
/*
 * source/folders.h - folders whose listing is known, so that they need not be listed again (this folder only)
 *
 * On a local store a folder's modification time changes whenever an entry comes, goes or is renamed. A folder that was listed when its time was
 * well in the past, and that still has this time, holds the same names. What its files hold may have changed: whoever cares (allowOverwrites)
 * cannot use this. A store that tells no times (0) has all folders listed.
 *
 *   D1  A folder is settled only if all files of its listing were taken, and it was quiet for FOLDER_QUIET_US when it was listed.
 */
#include "base/err.h"
#include "base/str.h"

/* Two changes within one tick of the file system's clock have one time; network file systems tell old times for some seconds. */
enum { FOLDER_QUIET_US = 60 * 1000000 };

typedef struct Folder {
    char *path;
    int part; /* of the glob, see listing.c */
    int64_t modified_us;
    bool settled, pending, quiet;
    char **children; /* names of folders to be looked into */
    int child_count, child_capacity;
} Folder;

typedef struct Folders Folders;

Folders *folders_new(void);
void folders_free(Folders *folders); /* NULL allowed */
void folders_clear(Folders *folders);
int folders_count(const Folders *folders); /* settled ones */
bool folders_changed(const Folders *folders); /* since the last folders_text */

/* The folder if it is settled and has this time; else NULL. */
const Folder *folders_settled(const Folders *folders, int part, const char *path, int64_t modified_us);
/* It is being listed: its entry, without children, pending. */
Folder *folders_begin(Folders *folders, int part, const char *path, int64_t modified_us, int64_t now_us);
void folder_add_child(Folder *folder, const char *name);
/* All files of all listings since the last call were taken (or not: then they are listed again). */
void folders_settle(Folders *folders, bool taken);

/*
 * As text, settled ones only; and back. about: what the listings depend on; a text about something else is left alone, and so is one of a
 * log that had more batches than there are now.
 */
void folders_text(Folders *folders, const char *about, int64_t batches, StrBuf *out);
int folders_read(Folders *folders, const char *about, int64_t batches, Str text, SiltErr *err);
