/* format/avro_head.c - the head of an Avro file; see avro.h */
#include "format/avro.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_MAX = 16 << 20 };

static int no_avro(const char *what, SiltErr *err)
{
    return silt_fail(err, SILT_INPUT, "it is no Avro file: %s", what);
}

/* A string or bytes at *p: 1 taken, 0 not all of it is there, -1 broken. */
static int take_bytes(const char **p, const char *end, Str *out)
{
    int64_t size;
    if (!avro_long(p, end, &size))
        return end - *p >= 10 ? -1 : 0;
    if (size < 0 || size > HEAD_MAX)
        return -1;
    if (end - *p < size)
        return 0;
    *out = (Str){*p, (size_t)size};
    *p += size;
    return 1;
}

/* The map of metadata: 1 taken, 0 more is needed, -1 broken. */
static int take_metadata(const char **p, const char *end, Str *schema, Str *codec)
{
    for (;;) {
        int64_t count, bytes;
        if (!avro_long(p, end, &count))
            return end - *p >= 10 ? -1 : 0;
        if (count == 0)
            return 1;
        if (count == INT64_MIN)
            return -1;
        if (count < 0 && (count = -count, !avro_long(p, end, &bytes)))
            return 0;
        while (count-- > 0) {
            Str key, value;
            int r = take_bytes(p, end, &key);
            if (r == 1)
                r = take_bytes(p, end, &value);
            if (r != 1)
                return r;
            if (str_is(key, "avro.schema"))
                *schema = value;
            else if (str_is(key, "avro.codec"))
                *codec = value;
        }
    }
}

int avro_head(const FormatOptions *options, const Type *known, Arena *arena, Str bytes, bool at_end, const void **out, size_t *consumed, SiltErr *err)
{
    static const AvroHead empty = {0};
    (void)options, (void)known;
    if (at_end && bytes.size == 0) {
        *out = &empty;
        return 0;
    }
    if (bytes.size >= 4 && memcmp(bytes.ptr, "Obj\1", 4) != 0)
        return no_avro("it does not begin with \"Obj\"", err);
    const char *p = bytes.ptr + 4, *end = bytes.ptr + bytes.size;
    Str schema = {0}, codec = STR("null");
    int r = bytes.size < 4 ? 0 : take_metadata(&p, end, &schema, &codec);
    if (r < 0)
        return no_avro("its head is broken", err);
    if (r == 0 || end - p < 16) {
        if (at_end)
            return no_avro("its head ends too early", err);
        return FORMAT_MORE;
    }
    AvroHead *head = ARENA_NEW(arena, AvroHead);
    memcpy(head->sync, p, 16);
    *consumed = (size_t)(p + 16 - bytes.ptr);
    if (str_is(codec, "null"))
        head->codec = AVRO_CODEC_NULL;
    else if (str_is(codec, "deflate"))
        head->codec = AVRO_CODEC_DEFLATE;
    else if (str_is(codec, "snappy"))
        head->codec = AVRO_CODEC_SNAPPY;
    else if (str_is(codec, "zstandard"))
        head->codec = AVRO_CODEC_ZSTD;
    else
        return silt_fail(err, SILT_INPUT, "cannot read Avro blocks compressed by \"%.*s\"", (int)codec.size, codec.ptr);
    if (avro_type_parse(arena, schema, &head->type, err) < 0)
        return silt_context(err, "its Avro schema cannot be read: ");
    if (head->type->kind != AVRO_RECORD)
        return silt_fail(err, SILT_INPUT, "the Avro file holds no records, but single values");
    head->schema = avro_type_spark(head->type, arena);
    *out = head;
    return 0;
}

const Type *avro_schema(const FormatOptions *options, const void *head)
{
    if (options->avro_columns)
        return options->avro_columns;
    return head ? ((const AvroHead *)head)->schema : NULL;
}

/* Whole blocks: count, size, bytes, sync marker. state->seen is not used: sizes are jumped over. */
size_t avro_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first)
{
    (void)options;
    const char *p = bytes.ptr, *end = p + bytes.size, *done = p;
    int64_t count, size;
    while (p < end && avro_long(&p, end, &count) && avro_long(&p, end, &size) && size >= 0 && end - p >= 16 && size <= end - p - 16) {
        p += size + 16;
        done = p;
        if (first)
            break;
    }
    if (at_end && done < end)
        state->complaint = "the file ends in the middle of a block";
    return (size_t)(done - bytes.ptr);
}
