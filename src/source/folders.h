#pragma once
/*
 * source/folders.h - folders whose listing is known, so that they need not be listed again (this folder only)
 *
 * On a local store a folder's change time (ctime) moves on whenever an entry comes, goes or is renamed, and no program can set it back. A folder
 * that was listed when this time was well in the past, and that still has it, and is still the same folder, holds the same names. What its
 * files hold may have changed: whoever cares (allowOverwrites) cannot use this. A store that tells no times (0) has all folders listed.
 *
 *   D1  A folder is settled only if all files of its listing were taken, and it was quiet for FOLDER_QUIET_US when it was listed.
 */
#include "io/io.h"

/* Two changes within one tick of the file system's clock have one time; network file systems tell old times for some seconds. */
enum { FOLDER_QUIET_US = 60 * 1000000 };

typedef struct Folder {
    char *path;
    int part; /* of the glob, see listing.c */
    int64_t changed_us;
    uint64_t identity;
    int entry_count; /* of its listing: what it saves not to list it */
    bool settled, pending, quiet;
    char **children; /* names of folders to be looked into */
    int child_count, child_capacity;
} Folder;

typedef struct Folders Folders;

Folders *folders_new(void);
void folders_free(Folders *folders); /* NULL allowed */
void folders_clear(Folders *folders);
int folders_count(const Folders *folders);       /* settled ones ... */
int64_t folders_entries(const Folders *folders); /* ... and what is in them */
bool folders_changed(const Folders *folders); /* since the last folders_text */

/* The folder if it is settled and unchanged; else NULL. */
const Folder *folders_settled(const Folders *folders, int part, const char *path, const IoStat *stat);
/* It is being listed: its entry, without children, pending. stat: from before the listing, so that what comes meanwhile makes it newer. */
Folder *folders_begin(Folders *folders, int part, const char *path, const IoStat *stat, int64_t now_us);
void folder_add_child(Folder *folder, const char *name);
/* All files of all listings since the last call were taken (or not: then they are listed again). */
void folders_settle(Folders *folders, bool taken);

/* What a text of folders depends on, and when it was made. */
typedef struct FoldersAbout {
    const char *listing;  /* what was listed, and how */
    int64_t batches;      /* of the log */
    int64_t full_look_us; /* when all folders were listed last; wall clock */
} FoldersAbout;

/*
 * As text, settled ones only; and back. A damaged text is left alone, as one of another version, one about another listing, and one of a log that
 * had more batches than there are now: then all is listed. about->full_look_us is set where one is taken.
 */
void folders_text(Folders *folders, const FoldersAbout *about, StrBuf *out);
void folders_read(Folders *folders, FoldersAbout *about, Str text);
