/* sink/sink.c - which kind of sink a word means, and the calls into its table of functions */
#include "sink/sink.h"

#include "sink/extension.h"
#include "sink/kafka.h"

static const SinkOps *const kinds[] = {&sink_kafka, &sink_extension};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const SinkOps *find(const SinkContext *context, const char *kind)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->knows(context, kind))
            return kinds[i];
    return NULL;
}

bool sink_known(const SinkContext *context, const char *kind)
{
    return find(context, kind) != NULL;
}

const char *sink_kinds(const SinkContext *context, Arena *arena)
{
    silt_auto(str_buf_fini) StrBuf out = {0};

    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->name)
            str_buf_printf(&out, "%s%s", out.size ? ", " : "", kinds[i]->name);
    sink_extension_kinds(context, &out);
    return arena_strdup(arena, str_buf_text(&out));
}

int sink_check(const SinkContext *context, const SinkWant *want, const SinkColumns *columns, Arena *arena, SiltErr *err)
{
    const SinkOps *ops = find(context, want->kind);

    return ops->check ? ops->check(context, want, columns, arena, err) : 0;
}

int sink_open(const SinkContext *context, const SinkWant *want, Sink **out, SiltErr *err)
{
    const SinkOps *ops = find(context, want->kind);
    Arena *arena = arena_new();
    Sink *sink = ARENA_NEW(arena, Sink);

    silt_assert(ops); /* checked when the statement was read */
    *sink = (Sink){.ops = ops, .arena = arena, .name = arena_strdup(arena, want->name), .pos = want->pos};
    if (ops->open(sink, context, want, err) < 0) {
        sink_free(sink);
        return -1;
    }
    *out = sink;
    return 0;
}

void sink_free(Sink *sink)
{
    if (!sink)
        return;
    sink->ops->close(sink);
    arena_free(sink->arena); /* sink itself is in it */
}

int sink_batch(Sink *sink, const SinkBatch *batch, ChunkReader *rows, SiltErr *err)
{
    return sink->ops->batch(sink, batch, rows, err);
}
