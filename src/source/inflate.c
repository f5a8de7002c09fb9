/* source/inflate.c - see inflate.h */
#include "source/inflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { INPUT_SIZE = 128 * 1024 };

typedef enum Codec { CODEC_NONE, CODEC_ZLIB /* gzip too */, CODEC_ZSTD } Codec;

struct Inflate {
    IoFile *file;
    char *path;
    Codec codec;
    int64_t offset; /* of what is read next from the file */
    char *input;    /* compressed bytes */
    size_t input_at, input_size;
    bool file_end, frame_open;
    z_stream zlib;
    ZSTD_DStream *zstd;
};

/* Compressions that Hadoop's readers tell by these suffixes and that are not read here: as text they would be a dead letter a line. */
static const char *unread_compression(const char *path)
{
    static const char *const names[][2] = {{".bz2", "bzip2"}, {".snappy", "snappy"}, {".lz4", "lz4"}, {".lzo", "lzo"},
                                           {".lzo_deflate", "lzo"}, {".xz", "xz"}, {".br", "brotli"}, {".zip", "zip"}, {".Z", "compress"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_ends(str_of(path), names[i][0]))
            return names[i][1];
    return NULL;
}

bool inflate_suffix(Str *path)
{
    static const char *const suffixes[] = {".gz", ".zst", ".deflate"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (str_ends(*path, suffixes[i])) {
            path->size -= strlen(suffixes[i]);
            return true;
        }
    return false;
}

/* A frame with data; or one to be skipped, with which pzstd's files begin: other files may begin so too, so the name has to agree. */
static bool is_zstd(const unsigned char magic[4], Str path)
{
    uint32_t number = (uint32_t)magic[0] | (uint32_t)magic[1] << 8 | (uint32_t)magic[2] << 16 | (uint32_t)magic[3] << 24;
    return number == ZSTD_MAGICNUMBER || ((number & 0xFFFFFFF0) == 0x184D2A50 && str_ends(path, ".zst"));
}

/* Hint of files that are wrong as a whole. */
static const char as_a_whole[] = "Replace it by a whole copy, and it is read then; take it away, or give ignoreCorruptFiles => true, to go on without the rest of it.";

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
    Str bare = str_of(path);
    const char *unread = unread_compression(path);
    if (unread) {
        r = silt_fail(err, SILT_INPUT, "cannot read \"%s\": files compressed with %s are not unpacked", path, unread);
        silt_hint(err, "Unpack it, or pack it again as .gz or .zst. pathGlobFilter leaves such files out.");
        goto fail;
    }
    if (got >= 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
        in->codec = CODEC_ZLIB;
        silt_assert(inflateInit2(&in->zlib, 15 + 16) == Z_OK);
    } else if (got >= 2 && str_ends(bare, ".deflate") && (magic[0] & 15) == 8 && (magic[0] << 8 | magic[1]) % 31 == 0) { /* RFC 1950 */
        in->codec = CODEC_ZLIB;
        silt_assert(inflateInit2(&in->zlib, 15) == Z_OK);
    } else if (got == 4 && is_zstd(magic, bare)) {
        in->codec = CODEC_ZSTD;
        in->zstd = ZSTD_createDStream();
        silt_assert(in->zstd != NULL);
        ZSTD_DCtx_setParameter(in->zstd, ZSTD_d_windowLogMax, 27); /* 128 MB: what zstd itself takes without being asked */
    } else if (got > 0 && inflate_suffix(&bare)) {
        r = silt_fail(err, SILT_INPUT, "\"%s\" is not compressed as its name says", path);
        silt_hint(err, "%s", as_a_whole);
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
    if (in->codec == CODEC_ZLIB)
        inflateEnd(&in->zlib);
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
    silt_fail(err, SILT_INPUT, "could not decompress \"%s\": %s", in->path, what);
    return silt_hint(err, "%s", as_a_whole);
}

static int read_zlib(Inflate *in, char *buffer, size_t size, size_t *got, SiltErr *err)
{
    z_stream *z = &in->zlib;
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
            return broken(in, z->msg ? z->msg : "its bytes are damaged", err);
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
    if (in->codec == CODEC_ZLIB)
        return read_zlib(in, buffer, size, got, err);
    if (in->codec == CODEC_ZSTD)
        return read_zstd(in, buffer, size, got, err);
    SILT_TRY(io_file_read(in->file, in->offset, buffer, size, got, err));
    in->offset += (int64_t)*got;
    return 0;
}
