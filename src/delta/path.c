/*
 * delta/path.c - names of files: decoded inside of the program, encoded once where they enter the log
 *
 *   P1  A path of the log is decoded exactly once, a name is encoded exactly once.
 *   P2  Every spelling of one file gives the same name: relative to the table where the file is below it.
 *   P3  A partition value never leads out of its folder: what separates folders is escaped in the folder's name.
 */
#include "delta/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/uri.h"

const char *delta__path_name(Arena *arena, const char *root, Str path)
{
    Str name = path;
    const char *local;

    if (str_is(uri_scheme(path), "file")) {
        if (uri_to_path(arena, arena_str(arena, path).ptr, &local, NULL) == 0)
            name = str_of(local);
    } else if (uri_decode(arena, path, &name, NULL) < 0) {
        name = arena_str(arena, path); /* old writers did not encode: a lone % stands for itself */
    }
    size_t root_size = strlen(root);
    if (name.size > root_size + 1 && memcmp(name.ptr, root, root_size) == 0 && name.ptr[root_size] == '/')
        return name.ptr + root_size + 1;
    return name.ptr;
}

const char *delta__path_encode(Arena *arena, Str name)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    uri_encode(&text, name);
    return arena_str(arena, str_buf_view(&text)).ptr;
}

const char *delta__log_path(Arena *arena, const DeltaTable *table, const char *name)
{
    return arena_printf(arena, "%s/%s", table->log_directory, name);
}

const char *delta__commit_path(Arena *arena, const DeltaTable *table, int64_t version)
{
    return arena_printf(arena, "%s/%020lld.json", table->log_directory, (long long)version);
}

const char *delta_file_path(Arena *arena, const DeltaTable *table, const DeltaFile *file)
{
    if (file->name[0] == '/' || strstr(file->name, "://"))
        return arena_strdup(arena, file->name);
    return arena_printf(arena, "%s/%s", table->root, file->name);
}
