/*
 * tests/fuzz/inflate.c - compressed files: any bytes, and good ones put together, cut off or with something behind
 *
 * The first byte chooses. Any bytes: they give the same, or fail, in whatever pieces they are read. Packed here: members or frames one behind the
 * other are read as one stream; cut off within one, or with other bytes behind, the file fails, and all that it gave is a beginning of what it holds.
 */
#include "source/inflate.h"

#include "fuzz.h"
#include "io/memory.h"

#include <zlib.h>
#include <zstd.h>

enum { READ_MAX = 1 << 20 };

static const char *const names[] = {"/f.gz", "/f.zst", "/f.deflate", "/f.json"};

/* Up to READ_MAX bytes, `step` at a time. 0, or < 0 with what came before the failure in *out. */
static int read_all(Io *io, const char *name, size_t step, StrBuf *out)
{
    Inflate *inflate;
    SiltErr err;
    size_t got = 1;
    int r = inflate_open(io, name, false, &inflate, &err);
    silt_assert(r <= 0); /* it is there */
    if (r < 0) {
        silt_assert(err.kind == SILT_INPUT && err.message[0]);
        return r;
    }
    char *buffer = malloc(step);
    while (out->size < READ_MAX && (r = inflate_read(inflate, buffer, step, &got, &err)) == 0 && got > 0) {
        silt_assert(got <= step);
        str_buf_add(out, buffer, got);
    }
    silt_assert(r == 0 || (err.kind == SILT_INPUT && err.message[0]));
    free(buffer);
    inflate_close(inflate);
    return r;
}

/* In large and in small pieces. */
static int read_both(const char *name, Str file, size_t step, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf small = {0};
    Io *io = io_new_memory(NULL, 1);
    SiltErr err;
    silt_assert(io_put(io, name, file, &err) == 0);
    int r = read_all(io, name, READ_MAX, out), again = read_all(io, name, step, &small);
    if (small.size < READ_MAX) /* else one of them may not have come to what fails */
        silt_assert(r == again);
    if (r == 0 && again == 0 && small.size < READ_MAX)
        fuzz_same("in small pieces", str_buf_view(out), str_buf_view(&small));
    if (small.size > out->size) { /* a failed call gives nothing, so the smaller the pieces, the more came before */
        str_buf_clear(out);
        str_buf_str(out, str_buf_view(&small));
    }
    io_free(io);
    return r;
}

static void pack(StrBuf *out, Str text, bool zstd, int level)
{
    size_t room = zstd ? ZSTD_compressBound(text.size) : compressBound((uLong)text.size) + 64;
    str_buf_reserve(out, room + 1);
    if (zstd) {
        ZSTD_CCtx *context = ZSTD_createCCtx();
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        out->size += ZSTD_compress2(context, out->ptr + out->size, room, text.ptr, text.size);
        ZSTD_freeCCtx(context);
        return;
    }
    z_stream z = {.next_in = (Bytef *)text.ptr, .avail_in = (uInt)text.size, .next_out = (Bytef *)out->ptr + out->size, .avail_out = (uInt)room};
    silt_assert(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    silt_assert(deflate(&z, Z_FINISH) == Z_STREAM_END);
    out->size += z.total_out;
    deflateEnd(&z);
}

static void packed(Str rest, unsigned choice)
{
    bool zstd = choice & 2;
    silt_auto(str_buf_fini) StrBuf file = {0}, out = {0};
    int members = 1 + (int)fuzz_number(&rest, 1) % 3, level = (int)fuzz_number(&rest, 1) % 10;
    size_t cut = (size_t)fuzz_number(&rest, 2), behind = (size_t)fuzz_number(&rest, 1) % 8, step = 1 + (size_t)fuzz_number(&rest, 1);
    Str garbage = {rest.ptr, behind < rest.size ? behind : rest.size};
    rest = (Str){rest.ptr + garbage.size, rest.size - garbage.size};
    size_t each = rest.size / (size_t)members, whole = 0;
    if (zstd && choice & 4) /* as pzstd begins */
        str_buf_add(&file, "\x50\x2a\x4d\x18\2\0\0\0ab", 10);
    bool at_edge = file.size == cut;
    for (int i = 0; i < members; i++) {
        Str part = {rest.ptr + each * (size_t)i, i + 1 < members ? each : rest.size - each * (size_t)i};
        pack(&file, part, zstd, level);
        if (file.size == cut) { /* just behind this member */
            at_edge = true;
            whole = (size_t)(part.ptr - rest.ptr) + part.size;
        }
    }
    bool is_cut = cut > 0 && cut < file.size, is_dirty = !is_cut && garbage.size > 0;
    if (is_cut)
        file.size = cut;
    else
        str_buf_str(&file, garbage);
    int r = read_both(zstd ? "/f.zst" : "/f.gz", str_buf_view(&file), step, &out);
    silt_assert(out.size <= rest.size && (out.size == 0 || memcmp(out.ptr, rest.ptr, out.size) == 0));
    if (is_dirty)
        return; /* the garbage may be a member, or be passed over as a frame */
    silt_assert((r == 0) == (!is_cut || at_edge));
    if (r == 0)
        silt_assert(out.size == (is_cut ? whole : rest.size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data, size};
    unsigned choice = (unsigned)fuzz_number(&rest, 1);
    if (choice & 1) {
        packed(rest, choice);
        return 0;
    }
    silt_auto(str_buf_fini) StrBuf out = {0};
    size_t step = 1 + (size_t)fuzz_number(&rest, 1);
    read_both(names[choice >> 1 & 3], rest, step, &out);
    return 0;
}
