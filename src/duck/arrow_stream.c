/* duck/arrow_stream.c - readers of chunks as Arrow streams, and the other way round */
#include "duck/arrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void arrow_release_stream(struct ArrowArrayStream *stream)
{
    if (stream->release)
        stream->release(stream);
}

/* ---- out ---- */

typedef struct Outgoing {
    ChunkReader reader;
    const char *const *names;
    const Type *const *types;
    const bool *nullable;
    int count;
    bool failed;
    SiltErr err;
} Outgoing;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const Outgoing *outgoing = stream->private_data;

    arrow_export_schema(outgoing->names, outgoing->types, outgoing->nullable, outgoing->count, out);
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    Outgoing *outgoing = stream->private_data;
    Chunk *chunk = NULL;

    memset(out, 0, sizeof *out); /* release NULL: the end */
    if (outgoing->failed)
        return EIO;
    int r = outgoing->reader.next(outgoing->reader.self, &chunk, &outgoing->err);
    if (r == 0 && chunk)
        r = arrow_export_chunk(chunk, out, &outgoing->err);
    chunk_unref(chunk);
    outgoing->failed = r < 0;
    return r < 0 ? EIO : 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const Outgoing *outgoing = stream->private_data;

    return outgoing->failed ? outgoing->err.message : NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    Outgoing *outgoing = stream->private_data;

    if (outgoing->reader.close)
        outgoing->reader.close(outgoing->reader.self);
    free(outgoing);
    stream->release = NULL;
}

void arrow_export_stream(const ChunkReader *reader, const char *const *names, const Type *const *types, const bool *nullable, int count,
                         struct ArrowArrayStream *out)
{
    Outgoing *outgoing = silt_alloc(sizeof *outgoing);

    *outgoing = (Outgoing){.reader = *reader, .names = names, .types = types, .nullable = nullable, .count = count};
    *out = (struct ArrowArrayStream){
        .get_schema = get_schema,
        .get_next = get_next,
        .get_last_error = get_last_error,
        .release = release_stream,
        .private_data = outgoing,
    };
}

/* ---- in ---- */

typedef struct Imported {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array; /* release NULL: none */
    int64_t row;             /* of the array, the next one to take */
    const char *who;
    const Type *const *types;
    int count;
} Imported;

static void import_close(void *self)
{
    Imported *imported = self;

    arrow_release_array(&imported->array);
    arrow_release_schema(&imported->schema);
    arrow_release_stream(&imported->stream);
    free(imported);
}

static int stream_failed(Imported *imported, int error, SiltErr *err)
{
    const char *why = imported->stream.get_last_error(&imported->stream);

    return silt_fail(err, SILT_TRANSIENT, "%s could not be read: %s", imported->who, why ? why : strerror(error));
}

static int import_next(void *self, Chunk **out, SiltErr *err)
{
    Imported *imported = self;

    *out = NULL;
    while (!imported->array.release || imported->row == imported->array.length) {
        arrow_release_array(&imported->array);
        memset(&imported->array, 0, sizeof imported->array);
        imported->row = 0;
        int error = imported->stream.get_next(&imported->stream, &imported->array);
        if (error)
            return stream_failed(imported, error, err);
        if (!imported->array.release)
            return 0;
    }
    int64_t left = imported->array.length - imported->row;
    int rows = left < CHUNK_ROWS_MAX ? (int)left : CHUNK_ROWS_MAX;
    if (arrow_import_rows(&imported->schema, &imported->array, imported->types, imported->count, imported->row, rows, out, err) < 0)
        return silt_context(err, "%s: ", imported->who);
    imported->row += rows;
    return 0;
}

int arrow_import_stream(struct ArrowArrayStream *stream, const char *who, const char *const *names, const Type *const *types, int count,
                        ChunkReader *out, SiltErr *err)
{
    Imported *imported = silt_alloc(sizeof *imported);

    imported->stream = *stream; /* moved, as the interface allows */
    stream->release = NULL;
    imported->who = who;
    imported->types = types;
    imported->count = count;
    int error = imported->stream.get_schema(&imported->stream, &imported->schema);
    int r = error ? stream_failed(imported, error, err) : 0;
    if (r == 0 && arrow_check_schema(&imported->schema, names, types, count, err) < 0)
        r = silt_context(err, "%s: ", who);
    if (r < 0) {
        import_close(imported);
        return r;
    }
    *out = (ChunkReader){.self = imported, .next = import_next, .close = import_close, .rows_estimate = -1};
    return 0;
}
