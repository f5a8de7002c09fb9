/* flow/refresh.c - truncate and begin again, in an order that survives a crash at any point */
#include "flow/refresh.h"
#include "base/json.h"
#include "flow/checkpoint.h"
#include "flow/target.h"
#include <string.h>

static const char *mark_path(Arena *arena, const char *storage, const char *name)
{
    return arena_printf(arena, "%s/_silt/refresh/%s.json", storage, name);
}

int refresh_pending(Io *io, const char *storage, const char *name, bool *pending, SiltErr *err)
{
    Arena *arena = arena_new();
    IoStat stat;
    int r = io_stat(io, mark_path(arena, storage, name), &stat, err);

    *pending = r == 0;
    arena_free(arena);
    return r < 0 ? r : 0;
}

static const char *label_of(const char *root)
{
    return strrchr(root, '/') + 1;
}

static int write_mark(Io *io, Arena *arena, const char *storage, const RefreshTarget *target, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    JsonWriter w = {.out = &text};
    char token[37];

    io_uuid(io, token);
    json_object(&w);
    json_member(&w, "token", token);
    json_key(&w, "number");
    json_object(&w);
    for (int i = 0; i < target->root_count; i++) {
        int64_t newest;
        SILT_TRY(checkpoint_newest(io, target->roots[i], &newest, err));
        json_member_int(&w, label_of(target->roots[i]), newest + 1);
    }
    json_object_end(&w);
    json_object_end(&w);
    int r = io_put_if_absent(io, mark_path(arena, storage, target->name), str_buf_view(&text), err);
    return r < 0 ? r : 0;
}

int refresh_mark(Io *io, const char *storage, const RefreshTarget *target, SiltErr *err)
{
    Arena *arena = arena_new();
    int r = write_mark(io, arena, storage, target, err);

    arena_free(arena);
    return r;
}

static int truncate_one(const DeltaEnv *env, const char *path, const char *token, SiltErr *err)
{
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(env, path);

    return target_truncate(table, token, err);
}

static int finish(const DeltaEnv *env, Arena *arena, const char *storage, const RefreshTarget *target, SiltErr *err)
{
    static const char *const suffixes[] = {"", "_dead_letters", "_quarantine"};
    const char *path = mark_path(arena, storage, target->name);
    const Json *mark;
    Str text;
    int r = io_read(env->io, path, arena, &text, err);

    if (r == IO_ABSENT)
        return 0;
    SILT_TRY(r);
    if (json_parse(arena, text, &mark, err) < 0 || json_kind(json_get(mark, "token")) != JSON_STRING)
        return silt_fail(err, SILT_CORRUPT, "could not read \"%s\": it is not what a full refresh leaves", path);
    r = io_sync(env->io, path, err); /* it may be visible and not yet durable */
    if (r < 0)
        return r;
    const char *token = json_cstr(json_get(mark, "token"), "");
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        SILT_TRY(truncate_one(env, arena_printf(arena, "%s%s", target->path, suffixes[i]), token, err));
    for (int i = 0; i < target->root_count; i++) {
        int64_t number = json_int(json_get(json_get(mark, "number"), label_of(target->roots[i])), -1);
        if (number < 0) { /* a flow that came since */
            SILT_TRY(checkpoint_newest(env->io, target->roots[i], &number, err));
            if (number >= 0)
                continue;
            number = 0;
        }
        SILT_TRY(checkpoint_create_at(env->io, target->roots[i], number, err));
    }
    return io_delete(env->io, path, err);
}

int refresh_finish(const DeltaEnv *env, const char *storage, const RefreshTarget *target, SiltErr *err)
{
    Arena *arena = arena_new();
    int r = finish(env, arena, storage, target, err);

    arena_free(arena);
    return r < 0 ? silt_context(err, "full refresh of \"%s\": ", target->name) : 0;
}
