#pragma once
/* source/listing.h - which files a path means: folders, globs, names left alone (this folder only) */
#include "io/io.h"
#include "source/folders.h"

typedef struct ListedFile {
    const char *path; /* decoded, absolute */
    int64_t size_bytes, modified_us;
} ListedFile;

typedef struct Listing {
    ListedFile *files; /* by modification time, then path: the order in which a stream takes them */
    int count, capacity;
    const char **directories; /* all that were looked into, for watching */
    int directory_count, directory_capacity;
    int listed_count; /* folders that the store was asked for; the others were known */
    bool found; /* the path, or for a glob its fixed part, exists */
} Listing;

/*
 * A path pattern cut into its fixed part and the rest. Globs: * and ? (not /), [a-z], [^a], [!a], {a,b}, ** (any folders), \ before
 * a character that is meant as such.
 */
typedef struct PathGlob {
    const char *base;      /* fixed directories, decoded, absolute, no slash at the end */
    const char **parts;    /* patterns of the path elements below base */
    int part_count;
} PathGlob;

int path_glob_parse(Arena *arena, const char *base_directory, const char *text, PathGlob *out, SiltErr *err);
/* Does name match one element's pattern? */
bool glob_match(const char *pattern, const char *name);

/* Files that a stream leaves alone: hidden (.x, _x unless key=value) and not finished (x.tmp, x.part, x~ ...). */
bool listing_is_hidden(const char *name, bool directory);

/*
 * All files that glob means, folders with all that is below them. name_filter (NULL: none) is a glob for file names. Symbolic
 * links to folders are followed as the store does. All in arena. folders (NULL: none): those that are settled and unchanged are not listed, and
 * their files are not in *out.
 */
int listing_read(Io *io, const PathGlob *glob, const char *name_filter, bool recursive, Folders *folders, Arena *arena, Listing *out, SiltErr *err);
