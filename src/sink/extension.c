/* sink/extension.c - a sink that a program has registered: it gets each batch as an Arrow stream */
#include "sink/extension.h"

#include "duck/arrow.h"
#include "silt.h"

#include <strings.h>

typedef struct Extension {
    const SiltSink *ops;
    void *instance;
    bool opened;
} Extension;

static const SiltSink *find(const SinkContext *context, const char *kind)
{
    for (int i = 0; i < context->extension_count; i++)
        if (!strcasecmp(context->extensions[i]->name, kind))
            return context->extensions[i];
    return NULL;
}

void sink_extension_kinds(const SinkContext *context, StrBuf *out)
{
    for (int i = 0; i < context->extension_count; i++)
        str_buf_printf(out, "%s%s", out->size ? ", " : "", context->extensions[i]->name);
}

static bool extension_knows(const SinkContext *context, const char *kind)
{
    return find(context, kind) != NULL;
}

static int answer(const Sink *sink, SiltStatus status, const char *doing, const char *message, SiltErr *err)
{
    if (status == SILT_DONE)
        return 0;
    return silt_fail_at(err, status == SILT_REFUSED ? SILT_CONFIG : SILT_TRANSIENT, sink->pos, "sink \"%s\" could not %s: %s", sink->name, doing,
                        *message ? message : "it does not say why");
}

static int extension_open(Sink *sink, const SinkContext *context, const SinkWant *want, SiltErr *err)
{
    Extension *extension = sink->self = ARENA_NEW(sink->arena, Extension);
    SiltOption *options = ARENA_ARRAY(sink->arena, SiltOption, want->option_count + 1);
    char message[SILT_MESSAGE_SIZE] = "";

    extension->ops = find(context, want->kind);
    extension->instance = extension->ops->self;
    for (int i = 0; i < want->option_count; i++)
        options[i] = (SiltOption){want->options[i].key, want->options[i].value};
    if (extension->ops->open) {
        SiltStatus status = extension->ops->open(extension->ops->self, options, want->option_count, &extension->instance, message);
        message[SILT_MESSAGE_SIZE - 1] = 0;
        SILT_TRY(answer(sink, status, "be opened", message, err));
    }
    extension->opened = true;
    return 0;
}

static void extension_close(Sink *sink)
{
    Extension *extension = sink->self;

    if (extension && extension->opened && extension->ops->close)
        extension->ops->close(extension->instance);
}

/* The rows of a batch on their way out, and how reading them failed. The stream may be gone by then: a sink may move it away. */
typedef struct Outgoing {
    ChunkReader *rows;
    bool failed;
    SiltErr err;
} Outgoing;

static int next_rows(void *self, Chunk **out, SiltErr *err)
{
    Outgoing *outgoing = self;

    int r = outgoing->rows->next(outgoing->rows->self, out, err);
    if (r < 0) {
        outgoing->failed = true;
        outgoing->err = *err;
    }
    return r;
}

static int extension_batch(Sink *sink, const SinkBatch *batch, ChunkReader *rows, SiltErr *err)
{
    Extension *extension = sink->self;
    SiltBatch told = {.flow = batch->flow, .query_id = batch->query_id, .id = batch->id};
    Outgoing outgoing = {.rows = rows};
    ChunkReader reader = {.self = &outgoing, .next = next_rows}; /* the stream does not close the rows */
    char message[SILT_MESSAGE_SIZE] = "";
    struct ArrowArrayStream stream;

    arrow_export_stream(&reader, batch->names, batch->types, NULL, batch->column_count, &stream);
    SiltStatus status = extension->ops->batch(extension->instance, &told, &stream, message);
    message[SILT_MESSAGE_SIZE - 1] = 0;
    arrow_release_stream(&stream);
    if (outgoing.failed) { /* what the sink says then is only that */
        *err = outgoing.err;
        return -1;
    }
    return answer(sink, status, "take a batch", message, err);
}

const SinkOps sink_extension = {
    .summary = "a sink of the program that Silt is a part of",
    .knows = extension_knows,
    .open = extension_open,
    .batch = extension_batch,
    .close = extension_close,
};
