/* source/inflate.c - see inflate.h */
#include "source/inflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { INPUT_SIZE = 128 * 1024 };

typedef enum Codec { CODEC_NONE, CODEC_GZIP, CODEC_ZSTD } Codec;

struct Inflate {
    IoFile *file;
    char *path;
    Codec codec;
    int64_t offset; /* of what is read next from the file */
    char *input;    /* compressed bytes */
    size_t input_at, input_size;
    bool file_end, frame_open;
    z_stream gzip;
    ZSTD_DStream *zstd;
};

int inflate_open(Io *io, const char *path, bool raw, Inflate **out, SiltErr *err)
{
    IoFile *file;
    int r = io_open(io, path, &file, err);
    if (r != 0)
        return r;
    Inflate *in = silt_alloc(sizeof *in);
    in->file = file;
    in->path = silt_strdup(path);
    *out = in;
    if (raw)
        return 0;
    unsigned char magic[4];
    size_t got;
    r = io_file_read(file, 0, magic, sizeof magic, &got, err);
    if (r < 0)
        goto fail;
    if (got >= 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
        in->codec = CODEC_GZIP;
        silt_assert(inflateInit2(&in->gzip, 15 + 16) == Z_OK);
    } else if (got == 4 && magic[0] == 0x28 && magic[1] == 0xb5 && magic[2] == 0x2f && magic[3] == 0xfd) {
        in->codec = CODEC_ZSTD;
        in->zstd = ZSTD_createDStream();
        silt_assert(in->zstd != NULL);
        ZSTD_DCtx_setParameter(in->zstd, ZSTD_d_windowLogMax, 27); /* 128 MB: what zstd itself takes without being asked */
    } else if (got > 0 && (str_ends(str_of(path), ".gz") || str_ends(str_of(path), ".zst"))) {
        r = silt_fail(err, SILT_INPUT, "\"%s\" is not compressed as its name says", path);
        goto fail;
    }
    if (in->codec != CODEC_NONE)
        in->input = silt_alloc(INPUT_SIZE);
    return 0;
fail:
    inflate_close(in);
    *out = NULL;
    return r;
}

void inflate_close(Inflate *in)
{
    if (!in)
        return;
    if (in->codec == CODEC_GZIP)
        inflateEnd(&in->gzip);
    ZSTD_freeDStream(in->zstd);
    io_file_close(in->file);
    free(in->input);
    free(in->path);
    free(in);
}

bool inflate_is_compressed(const Inflate *in)
{
    return in->codec != CODEC_NONE;
}

static int fill(Inflate *in, SiltErr *err)
{
    if (in->input_at < in->input_size || in->file_end)
        return 0;
    in->input_at = 0;
    SILT_TRY(io_file_read(in->file, in->offset, in->input, INPUT_SIZE, &in->input_size, err));
    in->offset += (int64_t)in->input_size;
    in->file_end = in->input_size < INPUT_SIZE;
    return 0;
}

static int broken(const Inflate *in, const char *what, SiltErr *err)
{
    return silt_fail(err, SILT_INPUT, "could not decompress \"%s\": %s", in->path, what);
}

static int read_gzip(Inflate *in, char *buffer, size_t size, size_t *got, SiltErr *err)
{
    z_stream *z = &in->gzip;
    z->next_out = (Bytef *)buffer;
    z->avail_out = (uInt)(size < INT32_MAX ? size : INT32_MAX);
    uInt room = z->avail_out;
    while (z->avail_out > 0) {
        SILT_TRY(fill(in, err));
        if (in->input_at == in->input_size) { /* the end of the file */
            if (in->frame_open)
                return broken(in, "the file ends too early", err);
            break;
        }
        in->frame_open = true;
        z->next_in = (Bytef *)in->input + in->input_at;
        z->avail_in = (uInt)(in->input_size - in->input_at);
        int r = inflate(z, Z_NO_FLUSH);
        in->input_at = in->input_size - z->avail_in;
        if (r == Z_STREAM_END) {
            in->frame_open = false;
            inflateReset(z);
        } else if (r != Z_OK && r != Z_BUF_ERROR) {
            return broken(in, z->msg ? z->msg : "not gzip", err);
        }
    }
    *got = room - z->avail_out;
    return 0;
}

static int read_zstd(Inflate *in, char *buffer, size_t size, size_t *got, SiltErr *err)
{
    ZSTD_outBuffer out = {buffer, size, 0};
    while (out.pos < out.size) {
        SILT_TRY(fill(in, err));
        bool end = in->input_at == in->input_size;
        if (end && !in->frame_open)
            break;
        ZSTD_inBuffer input = {in->input, in->input_size, in->input_at};
        size_t before = out.pos;
        size_t r = ZSTD_decompressStream(in->zstd, &out, &input);
        in->input_at = input.pos;
        if (ZSTD_isError(r))
            return broken(in, ZSTD_getErrorName(r), err);
        in->frame_open = r != 0;
        if (end && out.pos == before && in->frame_open)
            return broken(in, "the file ends too early", err);
    }
    *got = out.pos;
    return 0;
}

int inflate_read(Inflate *in, char *buffer, size_t size, size_t *got, SiltErr *err)
{
    if (in->codec == CODEC_GZIP)
        return read_gzip(in, buffer, size, got, err);
    if (in->codec == CODEC_ZSTD)
        return read_zstd(in, buffer, size, got, err);
    SILT_TRY(io_file_read(in->file, in->offset, buffer, size, got, err));
    in->offset += (int64_t)*got;
    return 0;
}
