/* flow/refresh.c - truncate and begin again, in an order that survives a crash at any point */
#include "flow/refresh.h"
#include "base/json.h"
#include "flow/checkpoint.h"
#include "flow/internal.h"
#include <string.h>

static const char *mark_path(Arena *arena, const char *storage)
{
    return arena_printf(arena, "%s/_silt/refresh.json", storage);
}

/* *mark is NULL when there is none. */
static int read_mark(Io *io, Arena *arena, const char *storage, const Json **mark, SiltErr *err)
{
    const char *path = mark_path(arena, storage);
    Str text;
    int r = io_read(io, path, arena, &text, err);

    *mark = NULL;
    if (r)
        return r < 0 ? r : 0;
    if (json_parse(arena, text, mark, err) < 0 || json_kind(*mark) != JSON_OBJECT)
        return silt_fail(err, SILT_CORRUPT, "could not read \"%s\": it is not what a full refresh leaves", path);
    return 0;
}

static const char *label_of(const char *root)
{
    return strrchr(root, '/') + 1;
}

typedef enum Progress {
    BEGUN,    /* step 3 is done: an old mark that came back, or a crash right before step 4. Flows may have written since */
    UNBEGUN,  /* it is not: nothing was written since the mark */
    UNKNOWN,  /* the mark names no flow that the project still has */
} Progress;

static int how_far(Io *io, const RefreshTarget *target, const Json *entry, Progress *out, SiltErr *err)
{
    int known = 0, made = 0;

    for (int i = 0; i < target->root_count; i++) {
        int64_t number = json_int(json_get(json_get(entry, "number"), label_of(target->roots[i])), -1), newest;
        if (number < 0)
            continue;
        SILT_TRY(checkpoint_newest(io, target->roots[i], &newest, err));
        known++;
        made += newest >= number;
    }
    *out = !known ? UNKNOWN : made == known ? BEGUN : UNBEGUN;
    return 0;
}

int refresh_pending(Io *io, const char *storage, RefreshTarget *targets, int count, SiltErr *err)
{
    Arena *arena = arena_new();
    const Json *mark;
    int r = read_mark(io, arena, storage, &mark, err);

    for (int i = 0; r == 0 && i < count; i++) {
        const Json *entry = json_get(mark, targets[i].name);
        Progress progress = BEGUN;
        if (entry)
            r = how_far(io, &targets[i], entry, &progress, err);
        targets[i].wanted |= entry && progress != BEGUN;
    }
    arena_free(arena);
    return r;
}

static int put_entry(Io *io, JsonWriter *w, const RefreshTarget *target, SiltErr *err)
{
    char token[37];

    io_uuid(io, token);
    json_key(w, target->name);
    json_object(w);
    json_member(w, "token", token);
    json_key(w, "number");
    json_object(w);
    for (int i = 0; i < target->root_count; i++) {
        int64_t newest;
        SILT_TRY(checkpoint_newest(io, target->roots[i], &newest, err));
        json_member_int(w, label_of(target->roots[i]), newest + 1);
    }
    json_object_end(w);
    json_object_end(w);
    return 0;
}

/* A mark that is done says nothing about a refresh that is wanted now. */
static int is_replaced(Io *io, const RefreshTarget *targets, int count, const char *name, const Json *entry, bool *out, SiltErr *err)
{
    Progress progress = UNBEGUN;

    for (int i = 0; i < count; i++)
        if (targets[i].wanted && !strcmp(targets[i].name, name))
            SILT_TRY(how_far(io, &targets[i], entry, &progress, err));
    *out = progress == BEGUN;
    return 0;
}

static int write_mark(Io *io, Arena *arena, const char *storage, const RefreshTarget *targets, int count, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    JsonWriter w = {.out = &text};
    bool changed = false;
    const Json *old;

    SILT_TRY(read_mark(io, arena, storage, &old, err));
    json_object(&w);
    for (int i = 0; i < json_size(old); i++) {
        silt_auto(str_buf_fini) StrBuf value = {0};
        const char *name = arena_strndup(arena, json_member_key(old, i).ptr, json_member_key(old, i).size);
        bool replaced;
        SILT_TRY(is_replaced(io, targets, count, name, json_member_value(old, i), &replaced, err));
        if (replaced)
            continue;
        json_put(&value, json_member_value(old, i));
        json_key_str(&w, json_member_key(old, i));
        json_raw(&w, str_buf_view(&value));
    }
    for (int i = 0; i < count; i++) {
        const Json *entry = json_get(old, targets[i].name);
        bool replaced = false;
        if (!targets[i].wanted)
            continue;
        if (entry)
            SILT_TRY(is_replaced(io, targets, count, targets[i].name, entry, &replaced, err));
        if (entry && !replaced)
            continue;
        changed = true;
        SILT_TRY(put_entry(io, &w, &targets[i], err));
    }
    json_object_end(&w);
    return changed ? io_put(io, mark_path(arena, storage), str_buf_view(&text), err) : 0;
}

int refresh_mark(Io *io, const char *storage, const RefreshTarget *targets, int count, SiltErr *err)
{
    Arena *arena = arena_new();
    int r = write_mark(io, arena, storage, targets, count, err);

    arena_free(arena);
    return r;
}

static int truncate_one(const DeltaEnv *env, const char *path, const char *token, const TargetWant *want, bool begun, SiltErr *err)
{
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(env, path);

    return target_truncate(env->io, table, token, want, begun, err);
}

/* The quarantine has the columns of the table, and more. */
static TargetWant quarantine_want(Arena *arena, const RefreshTarget *target)
{
    return (TargetWant){
        .name = arena_printf(arena, "%s_quarantine", target->name),
        .path = arena_printf(arena, "%s_quarantine", target->path),
        .schema = flow__quarantine_schema(arena, target->want->schema),
        .pos = target->want->pos,
    };
}

static int finish_one(const DeltaEnv *env, Arena *arena, const RefreshTarget *target, const Json *entry, SiltErr *err)
{
    TargetWant quarantine = target->want ? quarantine_want(arena, target) : (TargetWant){0};
    const char *token = json_cstr(json_get(entry, "token"), NULL);

    if (!token)
        return silt_fail(err, SILT_CORRUPT, "the mark of the refresh has no token");
    Progress progress;
    SILT_TRY(how_far(env->io, target, entry, &progress, err));
    bool begun = progress != UNBEGUN; /* when in doubt, rows that are there stay */
    SILT_TRY(truncate_one(env, target->path, token, target->want, begun, err));
    SILT_TRY(truncate_one(env, arena_printf(arena, "%s_dead_letters", target->path), token, NULL, begun, err));
    SILT_TRY(truncate_one(env, arena_printf(arena, "%s_quarantine", target->path), token, target->want ? &quarantine : NULL, begun, err));
    for (int i = 0; i < target->root_count; i++) {
        int64_t number = json_int(json_get(json_get(entry, "number"), label_of(target->roots[i])), -1);
        if (number >= 0) /* else a flow that came since: it begins from nothing anyway */
            SILT_TRY(checkpoint_create_at(env->io, target->roots[i], number, err));
    }
    return 0;
}

static int finish(const DeltaEnv *env, Arena *arena, const char *storage, const RefreshTarget *targets, int count, SiltErr *err)
{
    const char *path = mark_path(arena, storage);
    const Json *mark;

    SILT_TRY(read_mark(env->io, arena, storage, &mark, err));
    if (!mark)
        return 0;
    if (io_sync(env->io, path, err) < 0) /* it may be visible and not yet durable */
        return -1;
    for (int i = 0; i < count; i++) {
        const Json *entry = json_get(mark, targets[i].name);
        if (entry && finish_one(env, arena, &targets[i], entry, err) < 0)
            return silt_context(err, "full refresh of \"%s\": ", targets[i].name);
    }
    return io_delete(env->io, path, err);
}

int refresh_finish(const DeltaEnv *env, const char *storage, const RefreshTarget *targets, int count, SiltErr *err)
{
    Arena *arena = arena_new();
    int r = finish(env, arena, storage, targets, count, err);

    arena_free(arena);
    return r;
}
