/*
 * format/avro_block.c - what the codecs of Avro files make of a block
 */
#include "format/avro_block.h"

#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

static char *room(StrBuf *buffer, size_t size)
{
    str_buf_clear(buffer);
    str_buf_reserve(buffer, size);
    return buffer->ptr;
}

/* Raw deflate; twice the room until it is enough. */
static const char *unpack_deflate(Str in, int64_t size_max, StrBuf *buffer, Str *out)
{
    size_t size = in.size * 4 + 1024, got = 0;
    char *bytes = room(buffer, size);
    z_stream z = {0};
    int r;

    silt_assert(inflateInit2(&z, -15) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)in.ptr;
    z.avail_in = (uInt)in.size;
    for (;;) {
        z.next_out = (Bytef *)bytes + got;
        z.avail_out = (uInt)(size - got);
        r = inflate(&z, Z_NO_FLUSH);
        got = size - z.avail_out;
        if (r != Z_OK || z.avail_out > 0 || (int64_t)size > size_max)
            break;
        buffer->size = got;
        str_buf_reserve(buffer, size);
        bytes = buffer->ptr;
        size *= 2;
    }
    inflateEnd(&z);
    *out = (Str){bytes, got};
    return r == Z_STREAM_END ? NULL : "its deflated bytes are broken";
}

static uint32_t crc_at(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

/* With the CRC-32 of what was compressed behind it. */
static const char *unpack_snappy(Str in, int64_t size_max, StrBuf *buffer, Str *out)
{
    size_t size;

    if (in.size < 4 || snappy_uncompressed_length(in.ptr, in.size - 4, &size) != SNAPPY_OK || (int64_t)size > size_max)
        return "its snappy bytes are broken";
    char *bytes = room(buffer, size + 1);
    if (snappy_uncompress(in.ptr, in.size - 4, bytes, &size) != SNAPPY_OK)
        return "its snappy bytes are broken";
    if (crc_at(in.ptr + in.size - 4) != (uint32_t)crc32(0, (const Bytef *)bytes, (uInt)size))
        return "its checksum does not match";
    *out = (Str){bytes, size};
    return NULL;
}

static const char *unpack_zstd(Str in, int64_t size_max, StrBuf *buffer, Str *out)
{
    ZSTD_inBuffer input = {in.ptr, in.size, 0};
    ZSTD_DStream *stream = ZSTD_createDStream();
    size_t r = 1, size = 0;

    room(buffer, 1);
    while (!ZSTD_isError(r) && (input.pos < input.size || size == buffer->size) && (int64_t)buffer->size <= size_max) {
        str_buf_reserve(buffer, ZSTD_DStreamOutSize());
        ZSTD_outBuffer output = {buffer->ptr + buffer->size, ZSTD_DStreamOutSize(), 0};
        r = ZSTD_decompressStream(stream, &output, &input);
        buffer->size += output.pos;
        if (input.pos == input.size && output.pos < output.size)
            break;
    }
    ZSTD_freeDStream(stream);
    *out = str_buf_view(buffer);
    return r == 0 ? NULL : "its zstd bytes are broken";
}

const char *avro_unpack(AvroCodec codec, Str in, int64_t size_max, StrBuf *buffer, Str *out)
{
    switch (codec) {
    case AVRO_CODEC_NULL:
        *out = in;
        return NULL;
    case AVRO_CODEC_DEFLATE:
        return unpack_deflate(in, size_max, buffer, out);
    case AVRO_CODEC_SNAPPY:
        return unpack_snappy(in, size_max, buffer, out);
    case AVRO_CODEC_ZSTD:
        return unpack_zstd(in, size_max, buffer, out);
    }
    silt_assert(!"a codec without a case");
    return "";
}
