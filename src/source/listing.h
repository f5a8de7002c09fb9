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
    int special_count; /* pipes, sockets and devices, which are left alone ... */
    const char *special; /* ... one of them */
    int loop_count; /* links that lead back to a folder around them, which are not followed */
    const char *loop;
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
/* Are all brackets and braces of a pattern closed, and is there a character behind each backslash? 0, or CONFIG with the byte in the message. */
int glob_check(const char *pattern, SiltErr *err);
/* Does name match one element's pattern, which glob_check has seen? */
bool glob_match(const char *pattern, const char *name);

/* Files that a stream leaves alone: hidden (.x, _x unless key=value) and not finished (x.tmp, x.part, x~ ...). */
bool listing_is_hidden(const char *name, bool directory);

typedef struct ListingOptions {
    const char *name_filter; /* a glob for names of files; NULL: all */
    bool recursive;          /* folders with all that is below them */
    Folders *folders;        /* those that are settled and unchanged are not listed, and their files are not in the listing; NULL: none */
    /* Leave of the `*count` files of one folder those that are wanted, in their order. NULL: all are. */
    int (*keep)(void *self, ListedFile *files, int *count, SiltErr *err);
    void *self;
} ListingOptions;

/* All files that glob means. Symbolic links to folders are followed as the store does. All in arena. */
int listing_read(Io *io, const PathGlob *glob, const ListingOptions *options, Arena *arena, Listing *out, SiltErr *err);
