/* source/listing.c - see listing.h */
#include "source/listing.h"

#include "base/uri.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 200 /* of folders: a loop of links must end somewhere */ };

static bool has_glob(const char *text)
{
    return strpbrk(text, "*?[{\\") != NULL;
}

/* The character after a class [...] that begins at *p; NULL: it is not closed in this element. */
static const char *class_end(const char *p)
{
    const char *q = p + 1;
    q += *q == '^' || *q == '!';
    for (bool first = true; *q && *q != '/' && (*q != ']' || first); first = false)
        q += *q == '\\' && q[1] ? 2 : 1;
    return *q == ']' ? q + 1 : NULL;
}

int glob_check(const char *pattern, SiltErr *err)
{
    enum { BRACES_MAX = 32 }; /* within each other */
    const char *open[BRACES_MAX], *wrong = NULL, *what = "is not closed";
    int depth = 0;
    for (const char *p = pattern; !wrong && *p;) {
        if (*p == '[') {
            const char *end = class_end(p);
            wrong = end ? NULL : p;
            p = end;
            continue;
        }
        if (*p == '{' && depth == BRACES_MAX) {
            wrong = p;
            what = "is nested too deep";
        } else if (*p == '{') {
            open[depth++] = p;
        } else if (*p == '}' && depth > 0) {
            depth--;
        } else if (*p == '\\' && !*++p) {
            wrong = p - 1;
            what = "has nothing behind it";
            break;
        }
        p++;
    }
    if (!wrong && depth > 0)
        wrong = open[depth - 1];
    if (!wrong)
        return 0;
    silt_fail(err, SILT_CONFIG, "invalid glob pattern \"%s\": the %c at byte %d %s", pattern, *wrong, (int)(wrong - pattern) + 1, what);
    return silt_hint(err, "A backslash before it makes it mean itself: \\%c.", *wrong);
}

int path_glob_parse(Arena *arena, const char *base_directory, const char *text, PathGlob *out, SiltErr *err)
{
    *out = (PathGlob){0};
    if (!*text)
        return silt_fail(err, SILT_CONFIG, "the path is empty");
    const char *path = text;
    if (uri_scheme(str_of(text)).size > 0) /* a URI means its text: percent signs are decoded, then globs are read */
        SILT_TRY(uri_to_path(arena, text, &path, err));
    else if (text[0] != '/')
        path = arena_printf(arena, "%s/%s", base_directory, text);
    /* cut at slashes outside of braces */
    const char **parts = NULL;
    int count = 0, capacity = 0, depth = 0;
    const char *start = path;
    for (const char *p = path;; p++) {
        if (*p == '\\' && p[1]) {
            p++;
            continue;
        }
        if (*p == '{')
            depth++;
        else if (*p == '}' && depth > 0)
            depth--;
        if (*p == 0 || (*p == '/' && depth == 0)) {
            Str part = {start, (size_t)(p - start)};
            if (part.size > 0 && !str_is(part, "."))
                ARENA_PUSH(arena, parts, count, capacity, arena_strndup(arena, part.ptr, part.size));
            start = p + 1;
            if (*p == 0)
                break;
        }
    }
    SILT_TRY(glob_check(path, err));
    int fixed = 0;
    StrBuf base = {0};
    while (fixed < count && !has_glob(parts[fixed])) {
        str_buf_putc(&base, '/');
        str_buf_puts(&base, parts[fixed++]);
    }
    out->base = path_clean(arena, base.size ? str_buf_text(&base) : "/");
    str_buf_fini(&base);
    out->parts = parts + fixed;
    out->part_count = count - fixed;
    return 0;
}

/* Match pattern[0..pattern_end) against all of name. */
static bool match(const char *p, const char *end, const char *name)
{
    while (p < end) {
        switch (*p) {
        case '*':
            while (p < end && *p == '*')
                p++;
            for (;; name++) {
                if (match(p, end, name))
                    return true;
                if (!*name)
                    return false;
            }
        case '?': {
            if (!*name)
                return false;
            int size = utf8_length(name, name + strlen(name));
            name += size > 0 ? size : 1;
            p++;
            break;
        }
        case '[': {
            const char *q = p + 1;
            bool negated = q < end && (*q == '^' || *q == '!');
            q += negated;
            bool hit = false, first = true;
            unsigned char c = (unsigned char)*name;
            for (; q < end && (*q != ']' || first); first = false) {
                unsigned char low = (unsigned char)*q++;
                if (low == '\\' && q < end)
                    low = (unsigned char)*q++;
                unsigned char high = low;
                if (q + 1 < end && *q == '-' && q[1] != ']') {
                    high = (unsigned char)q[1];
                    q += 2;
                }
                hit |= c >= low && c <= high;
            }
            if (q >= end || !c || hit == negated)
                return false;
            name++;
            p = q + 1;
            break;
        }
        case '{': {
            const char *close = p + 1;
            int depth = 1;
            while (close < end) {
                if (*close == '\\' && close + 1 < end)
                    close++;
                else if (*close == '{')
                    depth++;
                else if (*close == '}' && --depth == 0)
                    break;
                close++;
            }
            if (close >= end)
                return false;
            /* each choice with the rest behind it */
            depth = 0;
            for (const char *start = p + 1, *q = start; q <= close; q++) {
                if (*q == '\\' && q < close) {
                    q++;
                    continue;
                }
                if (*q == '{')
                    depth++;
                if (q == close || (*q == ',' && depth == 0)) {
                    size_t choice = (size_t)(q - start), rest = (size_t)(end - close - 1);
                    char *both = silt_alloc(choice + rest + 1);
                    memcpy(both, start, choice);
                    memcpy(both + choice, close + 1, rest);
                    bool hit = match(both, both + choice + rest, name);
                    free(both);
                    if (hit)
                        return true;
                    start = q + 1;
                } else if (*q == '}') {
                    depth--;
                }
            }
            return false;
        }
        case '\\':
            if (p + 1 < end)
                p++;
            /* fall through */
        default:
            if (*p != *name)
                return false;
            p++;
            name++;
        }
    }
    return !*name;
}

bool glob_match(const char *pattern, const char *name)
{
    return match(pattern, pattern + strlen(pattern), name);
}

bool listing_is_hidden(const char *name, bool directory)
{
    if (name[0] == '.')
        return true;
    if (name[0] == '_')
        return !(directory && strchr(name, '=')); /* _x=1 is a partition */
    if (directory)
        return false;
    static const char *const unfinished[] = {".tmp", ".part", ".partial", ".filepart", ".crdownload", ".inprogress", "._COPYING_", "~"};
    for (size_t i = 0; i < sizeof unfinished / sizeof unfinished[0]; i++)
        if (str_ends(str_of(name), unfinished[i]))
            return true;
    return false;
}

typedef struct Walk {
    Io *io;
    const PathGlob *glob;
    const ListingOptions *o;
    Arena *arena;
    Listing *out;
    uint64_t around[DEPTH_MAX + 2]; /* identities of the folders on the way */
} Walk;

/* Files of one folder: in its own arena until the wanted ones are known. */
typedef struct FolderFiles {
    Arena *arena;
    ListedFile *files;
    int count, capacity;
} FolderFiles;

static void take_file(Walk *w, FolderFiles *found, const char *path, const IoStat *stat)
{
    if (w->o->name_filter && !glob_match(w->o->name_filter, path_name(path)))
        return;
    if (stat->is_special) {
        if (w->out->special_count++ == 0)
            w->out->special = arena_strdup(w->arena, path);
        return;
    }
    ListedFile file = {path, stat->size_bytes, stat->modified_us};
    ARENA_PUSH(found->arena, found->files, found->count, found->capacity, file);
}

static int keep_files(Walk *w, FolderFiles *found, SiltErr *err)
{
    if (w->o->keep && found->count)
        SILT_TRY(w->o->keep(w->o->self, found->files, &found->count, err));
    for (int i = 0; i < found->count; i++) {
        ListedFile file = found->files[i];
        file.path = arena_strdup(w->arena, file.path);
        ARENA_PUSH(w->arena, w->out->files, w->out->count, w->out->capacity, file);
    }
    return 0;
}

static const char *child_path(Arena *arena, const char *directory, const char *name)
{
    return arena_printf(arena, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
}

static bool is_wanted_folder(const Walk *w, const IoEntry *entry, const char *pattern, bool any_depth)
{
    return entry->stat.is_directory && !listing_is_hidden(entry->name, true) && (!pattern || any_depth || glob_match(pattern, entry->name)) &&
           (pattern || w->o->recursive);
}

/* Does this folder lie in itself, by a link? All that is in it is found without. */
static bool is_loop(const Walk *w, const IoEntry *entry, int depth)
{
    bool found = false;
    for (int i = 0; i <= depth && entry->stat.identity; i++)
        found |= w->around[i] == entry->stat.identity;
    return found;
}

/* part < part_count: entries that match that part; else all that is below. stat: of the directory, before it is listed. */
static int walk(Walk *w, const char *directory, const IoStat *stat, int part, int depth, SiltErr *err)
{
    if (depth > DEPTH_MAX)
        return silt_fail(err, SILT_CONFIG, "folders nested deeper than %d below \"%s\"", DEPTH_MAX, w->glob->base);
    const char *pattern = part < w->glob->part_count ? w->glob->parts[part] : NULL;
    bool any_depth = pattern && strcmp(pattern, "**") == 0;
    bool last = part + 1 >= w->glob->part_count;
    int below = !pattern || any_depth ? part : part + 1;
    Folders *folders = w->o->folders;
    Folder *folder = NULL;
    IoStat now;

    w->around[depth] = stat->identity;
    if (folders) {
        const Folder *known = folders_settled(folders, part, directory, stat);
        if (known) {
            ARENA_PUSH(w->arena, w->out->directories, w->out->directory_count, w->out->directory_capacity, directory);
            if (any_depth && !last)
                SILT_TRY(walk(w, directory, stat, part + 1, depth + 1, err));
            for (int i = 0; i < known->child_count; i++) {
                const char *child = child_path(w->arena, directory, known->children[i]);
                int r = io_stat(w->io, child, &now, err);
                if (r < 0)
                    return r;
                if (r == 0)
                    SILT_TRY(walk(w, child, &now, below, depth + 1, err));
            }
            return 0;
        }
        folder = folders_begin(folders, part, directory, stat, io_now_us(w->io));
    }
    silt_auto(arena_freep) Arena *scratch = arena_new();
    FolderFiles found = {.arena = scratch};
    IoList list;
    int r = io_list(w->io, directory, scratch, &list, err);
    if (r == IO_ABSENT)
        return 0; /* gone since it was seen */
    SILT_TRY(r);
    w->out->listed_count++;
    if (folder)
        folder->entry_count = list.count;
    ARENA_PUSH(w->arena, w->out->directories, w->out->directory_count, w->out->directory_capacity, directory);
    for (int i = 0; i < list.count; i++) {
        const IoEntry *entry = &list.entries[i];
        if (!entry->stat.is_directory && (!pattern || last) && !listing_is_hidden(entry->name, false) &&
            (!pattern || any_depth || glob_match(pattern, entry->name)))
            take_file(w, &found, child_path(scratch, directory, entry->name), &entry->stat);
        else if (folder && is_wanted_folder(w, entry, pattern, any_depth) && !is_loop(w, entry, depth))
            folder_add_child(folder, entry->name);
    }
    SILT_TRY(keep_files(w, &found, err));
    if (any_depth && !last) /* ** is no folder too */
        SILT_TRY(walk(w, directory, stat, part + 1, depth + 1, err));
    for (int i = 0; i < list.count; i++) {
        const IoEntry *entry = &list.entries[i];
        if (!is_wanted_folder(w, entry, pattern, any_depth))
            continue;
        if (!is_loop(w, entry, depth))
            SILT_TRY(walk(w, child_path(w->arena, directory, entry->name), &entry->stat, below, depth + 1, err));
        else if (w->out->loop_count++ == 0)
            w->out->loop = child_path(w->arena, directory, entry->name);
    }
    return 0;
}

static int compare_files(const void *a, const void *b)
{
    const ListedFile *x = a, *y = b;
    if (x->modified_us / 1000 != y->modified_us / 1000) /* as Spark sees them: in milliseconds */
        return x->modified_us / 1000 < y->modified_us / 1000 ? -1 : 1;
    return strcmp(x->path, y->path);
}

int listing_read(Io *io, const PathGlob *glob, const ListingOptions *options, Arena *arena, Listing *out, SiltErr *err)
{
    *out = (Listing){0};
    silt_auto(arena_freep) Arena *scratch = arena_new();
    Walk *w = ARENA_NEW(scratch, Walk);
    *w = (Walk){.io = io, .glob = glob, .o = options, .arena = arena, .out = out};
    IoStat stat;
    int r = io_stat(io, glob->base, &stat, err);
    if (r == IO_ABSENT)
        return 0;
    SILT_TRY(r);
    out->found = true;
    if (stat.is_directory) {
        SILT_TRY(walk(w, glob->base, &stat, 0, 0, err));
    } else if (glob->part_count == 0) {
        FolderFiles found = {.arena = scratch};
        take_file(w, &found, glob->base, &stat);
        SILT_TRY(keep_files(w, &found, err));
    }
    /* ** may meet a file on two ways */
    if (out->count > 1)
        qsort(out->files, (size_t)out->count, sizeof *out->files, compare_files);
    int kept = 0;
    for (int i = 0; i < out->count; i++)
        if (kept == 0 || strcmp(out->files[kept - 1].path, out->files[i].path) != 0)
            out->files[kept++] = out->files[i];
    out->count = kept;
    return 0;
}
