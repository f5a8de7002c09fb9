/* source/source.c - which source a relation is, and the calls into its table of functions; schemas kept with a checkpoint */
#include "source/source.h"

#include "source/extension.h"
#include "source/files.h"
#include "source/kafka.h"

#include <stdlib.h>
#include <string.h>

static const SourceOps *const kinds[] = {&source_files, &source_kafka, &source_extension};

int source_from_relation(const SourceContext *context, const Relation *relation, Source **out, SiltErr *err)
{
    *out = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int r = kinds[i]->open(context, relation, out, err);
        if (r != SOURCE_NONE)
            return r;
    }
    return SOURCE_NONE;
}

void source_free(Source *source)
{
    if (!source)
        return;
    source->ops->close(source);
    arena_free(source->arena); /* source itself is in it */
}

void source_freep(Source **source)
{
    source_free(*source);
    *source = NULL;
}

void source_set_stop(Source *source, SourceStop stop)
{
    source->stop = stop;
}

void source_set_wake(Source *source, SourceWake wake)
{
    source->wake = wake;
}

void source_set_lagged(Source *source, SourceLagged lagged)
{
    source->lagged = lagged;
}

void source_set_any_name(Source *source, bool any_name)
{
    source->any_name = any_name;
}

void source_set_reader(Source *source, const char *name)
{
    source->reader = arena_strdup(source->arena, name);
}

const SourceSchema *source_schema(const Source *source)
{
    return &source->schema;
}

const char *source_name(const Source *source)
{
    return source->name;
}

const char *source_description(const Source *source)
{
    return source->description;
}

const char *source_explain(const Source *source, bool streaming, Arena *arena)
{
    return source->ops->explain ? source->ops->explain(source, streaming, arena) : source->description;
}

void source_batch_blame(SourceBatch *batch, SiltErr *err)
{
    if (batch->source->ops->batch_blame)
        batch->source->ops->batch_blame(batch, err);
}

const char *source_schema_text(const Source *source, Arena *arena)
{
    return source->ops->schema_text ? source->ops->schema_text(source, arena) : NULL;
}

/* ---- schemas of a checkpoint ---- */

static int newest_schema(Io *io, const char *directory, Arena *arena, int64_t *newest, SiltErr *err)
{
    IoList list = {0};
    *newest = -1;
    int r = io_list(io, directory, arena, &list, err);
    if (r < 0)
        return r;
    for (int i = 0; i < list.count; i++) {
        int64_t number;
        if (str_to_int64(str_of(list.entries[i].name), &number) && number > *newest)
            *newest = number;
    }
    return 0;
}

int source_schema_load(Io *io, const char *directory, Arena *arena, const char **text, SiltErr *err)
{
    int64_t newest;
    SILT_TRY(newest_schema(io, directory, arena, &newest, err));
    if (newest < 0)
        return IO_ABSENT;
    Str content;
    int r = io_read(io, arena_printf(arena, "%s/%lld", directory, (long long)newest), arena, &content, err);
    if (r == 0)
        *text = content.ptr;
    return r;
}

int source_schema_store(Io *io, const char *directory, const char *text, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    int64_t newest;
    SILT_TRY(newest_schema(io, directory, arena, &newest, err));
    int r = io_put_if_absent(io, arena_printf(arena, "%s/%lld", directory, (long long)newest + 1), str_of(text), err);
    if (r == IO_EXISTS)
        return silt_fail(err, SILT_CORRUPT, "schema %lld of \"%s\" was written by someone else", (long long)newest + 1, directory);
    return r;
}

/* ---- calls ---- */

bool source_reaches(const Source *source, const char *folder)
{
    return source->ops->reaches && source->ops->reaches(source, folder);
}

const char *source_take_remark(Source *source)
{
    if (source->notes_taken < source->note_count)
        return source->notes[source->notes_taken++];
    const char *remark = source->remark;

    source->remark = NULL;
    return remark;
}

int source_attach(Source *source, const char *log_directory, SiltErr *err)
{
    return source->ops->attach(source, log_directory, err);
}

int source_bound(Source *source, SiltErr *err)
{
    return source->ops->bound(source, err);
}

void source_unbound(Source *source)
{
    source->ops->unbound(source);
}

int source_plan(Source *source, const char *start, Arena *arena, const char **end, SiltErr *err)
{
    return source->ops->plan(source, start, arena, end, err);
}

int source_latest(Source *source, Arena *arena, const char **out, SiltErr *err)
{
    return source->ops->latest(source, arena, out, err);
}

int64_t source_news(Source *source)
{
    return source->ops->news ? source->ops->news(source) : -1;
}

bool source_is_polled(const Source *source)
{
    return !source->ops->watch_directories;
}

const char *const *source_watch_directories(Source *source, Arena *arena)
{
    static const char *const none[] = {NULL};
    return source->ops->watch_directories ? source->ops->watch_directories(source, arena) : none;
}

const char *source_began(const Source *source, Arena *arena)
{
    return source->ops->began ? source->ops->began(source, arena) : NULL;
}

bool source_names_parts(const Source *source)
{
    return source->ops->open_parts;
}

int source_committed(Source *source, const char *end, SiltErr *err)
{
    return source->ops->committed ? source->ops->committed(source, end, err) : 0;
}

int source_finish(Source *source, SiltErr *err)
{
    return source->ops->finish ? source->ops->finish(source, err) : 0;
}

int source_reached(Source *source, const char *offset, SiltErr *err)
{
    return source->ops->reached ? source->ops->reached(source, offset, err) : 0;
}

int source_keep(Source *source, const char *from, const char *to, SiltErr *err)
{
    return source->ops->keep ? source->ops->keep(source, from, to, err) : 0;
}

int source_restore(Source *source, const char *start, const char *end, const SourcePart *parts, int count, SiltErr *err)
{
    return source->ops->restore ? source->ops->restore(source, start, end, parts, count, err) : 0;
}

int source_open_parts(Source *source, const SourcePart *parts, int count, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    return source->ops->open_parts ? source->ops->open_parts(source, parts, count, options, out, err) : SOURCE_NONE;
}

int source_open_batch(Source *source, const char *start, const char *end, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    return source->ops->open_batch(source, start, end, options, out, err);
}

int source_open_snapshot(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    return source->ops->open_snapshot(source, options, out, err);
}

void source_batch_close(SourceBatch *batch)
{
    if (!batch)
        return;
    batch->source->ops->batch_close(batch);
    arena_free(batch->arena); /* batch itself is in it */
}

void source_batch_closep(SourceBatch **batch)
{
    source_batch_close(*batch);
    *batch = NULL;
}

const char *source_batch_sql(const SourceBatch *batch)
{
    return batch->sql;
}

ChunkReader *source_batch_reader(SourceBatch *batch)
{
    return batch->sql ? NULL : &batch->reader;
}

const SourcePart *source_batch_parts(const SourceBatch *batch, int *count)
{
    *count = batch->part_count;
    return batch->parts;
}

const char *source_batch_fingerprint(const SourceBatch *batch)
{
    return batch->fingerprint;
}

FormatCounts source_batch_counts(const SourceBatch *batch)
{
    return batch->source->ops->batch_counts(batch);
}

bool source_batch_drift(const SourceBatch *batch)
{
    const SourceOps *ops = batch->source->ops;
    return ops->batch_drift && ops->batch_drift(batch);
}

int source_widen(Source *source, SourceBatch *batch, SiltErr *err)
{
    return source->ops->widen ? source->ops->widen(source, batch, err) : 0;
}
