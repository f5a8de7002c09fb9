/*
 * source/seen_file.c - see seen_file.h
 *
 *   text     "v1", and for each file a line feed and {"path":...,"timestamp":...,"batchId":...}, by batch
 *   keys     blocks of 4,096 bytes: 170 keys sorted by hash, then time; their count and checksum at the end of the block
 *   pieces   of the text, whole lines of about 256 KB: offset, size, checksum, batch of the first line
 *   foot     what is where, and a checksum of itself
 *
 * Numbers are little-endian. Checksums are CRC-32 (zlib's).
 *
 *   E1  A seen file never changes; it is replaced by one that holds at least the same batches, and deleted after that.
 *   E2  No byte is believed before its checksum is: the foot when it is opened, a block of keys or a piece of text when it is read.
 *   E3  The keys follow from the text: with the keys damaged nothing is lost.
 */
#include "source/seen_file.h"

#include "base/uri.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK_SIZE = 4096, KEYS_A_BLOCK = 170, PIECE_SIZE = 256 * 1024, TEXT_HEAD_SIZE = 2, VERSION = 1 };

typedef struct Key {
    SeenKey hash;
    int64_t timestamp_ms;
} Key;

typedef struct Block {
    Key keys[KEYS_A_BLOCK];
    uint32_t count, checksum; /* of all that is before the checksum */
    uint64_t unused;
} Block;

typedef struct Piece {
    int64_t offset, batch; /* batch: of its first line */
    uint32_t size, checksum;
} Piece;

typedef struct Foot {
    char magic[8];
    uint32_t version, checksum; /* of the foot with 0 here */
    SeenRange range;
    int64_t keys_offset, block_count, pieces_offset;
    uint32_t piece_count, pieces_checksum;
} Foot;

static const char magic[8] = {'S', 'I', 'L', 'T', 'S', 'E', 'E', 'N'};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a seen file is little-endian");
_Static_assert(sizeof(Block) == BLOCK_SIZE, "a block is 4,096 bytes on disk");
_Static_assert(sizeof(Piece) == 24, "a piece is 24 bytes on disk");
_Static_assert(sizeof(Foot) == 80, "the foot is 80 bytes on disk");

struct SeenFile {
    Io *io;
    char *path;
    Foot foot;
    IoFile *open; /* NULL: at rest */
    Block *block; /* the one read last */
    int64_t block_index; /* -1: none */
};

const char *seen_file_name(Arena *arena, int64_t first, int64_t last)
{
    return arena_printf(arena, "%lldto%lld.seen", (long long)first, (long long)last);
}

bool seen_file_parse_name(const char *name, int64_t *first, int64_t *last)
{
    const char *to = strstr(name, "to");
    if (!to || !str_ends(str_of(name), ".seen"))
        return false;
    Str left = {name, (size_t)(to - name)}, right = {to + 2, strlen(to + 2) - strlen(".seen")};
    return str_to_int64(left, first) && str_to_int64(right, last) && *first >= -1 && *last >= *first;
}

static uint32_t checksum(const void *bytes, size_t size)
{
    return (uint32_t)crc32(0, bytes, (uInt)size);
}

static uint32_t foot_checksum(Foot foot)
{
    foot.checksum = 0;
    return checksum(&foot, sizeof foot);
}

/* ---- reading ---- */

/* Exactly size bytes at offset. 0, SEEN_DAMAGED (the file is shorter), < 0. */
static int read_at(SeenFile *file, int64_t offset, void *buffer, size_t size, SiltErr *err)
{
    size_t got;
    if (!file->open) {
        int r = io_open(file->io, file->path, &file->open, err);
        if (r == IO_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "\"%s\" was removed from the file log", file->path);
        SILT_TRY(r);
    }
    SILT_TRY(io_file_read(file->open, offset, buffer, size, &got, err));
    return got == size ? 0 : SEEN_DAMAGED;
}

static int read_foot(SeenFile *file, SiltErr *err)
{
    Foot *foot = &file->foot;
    int r = io_open(file->io, file->path, &file->open, err);
    if (r != 0)
        return r;
    int64_t size = io_file_size(file->open), first, last;
    if (size < (int64_t)sizeof *foot + TEXT_HEAD_SIZE)
        return SEEN_DAMAGED;
    r = read_at(file, size - (int64_t)sizeof *foot, foot, sizeof *foot, err);
    if (r != 0)
        return r;
    bool good = memcmp(foot->magic, magic, sizeof magic) == 0 && foot->checksum == foot_checksum(*foot); /* E2 */
    if (good && foot->version != VERSION)
        return silt_fail(err, SILT_CONFIG, "\"%s\" was written by a newer Silt", file->path);
    good = good && foot->keys_offset >= TEXT_HEAD_SIZE && foot->keys_offset <= size && foot->block_count >= 0 &&
           foot->block_count <= size / BLOCK_SIZE && foot->pieces_offset == foot->keys_offset + foot->block_count * BLOCK_SIZE &&
           size == foot->pieces_offset + (int64_t)foot->piece_count * (int64_t)sizeof(Piece) + (int64_t)sizeof *foot &&
           seen_file_parse_name(path_name(file->path), &first, &last) && first == foot->range.first && last == foot->range.last;
    return good ? 0 : SEEN_DAMAGED;
}

int seen_file_open(Io *io, const char *path, SeenFile **out, SiltErr *err)
{
    SeenFile *file = silt_alloc(sizeof *file);
    *file = (SeenFile){.io = io, .path = silt_strdup(path), .block_index = -1};
    int r = read_foot(file, err);
    seen_file_rest(file);
    if (r != 0) {
        seen_file_close(file);
        return r;
    }
    *out = file;
    return 0;
}

void seen_file_rest(SeenFile *file)
{
    io_file_close(file->open);
    free(file->block);
    file->open = NULL;
    file->block = NULL;
    file->block_index = -1;
}

void seen_file_close(SeenFile *file)
{
    if (!file)
        return;
    seen_file_rest(file);
    free(file->path);
    free(file);
}

const SeenRange *seen_file_range(const SeenFile *file)
{
    return &file->foot.range;
}

const char *seen_file_path(const SeenFile *file)
{
    return file->path;
}

static int read_block(SeenFile *file, int64_t index, SiltErr *err)
{
    if (file->block_index == index)
        return 0;
    if (!file->block)
        file->block = silt_alloc(sizeof *file->block);
    file->block_index = -1;
    int r = read_at(file, file->foot.keys_offset + index * BLOCK_SIZE, file->block, BLOCK_SIZE, err);
    if (r != 0)
        return r;
    if (file->block->checksum != checksum(file->block, offsetof(Block, checksum)) || file->block->count < 1 || file->block->count > KEYS_A_BLOCK)
        return SEEN_DAMAGED;
    file->block_index = index;
    return 0;
}

int seen_key_compare(SeenKey a, SeenKey b)
{
    if (a.a != b.a)
        return a.a < b.a ? -1 : 1;
    return a.b == b.b ? 0 : a.b < b.b ? -1 : 1;
}

static int compare_keys(const Key *a, const Key *b, bool by_time)
{
    int r = seen_key_compare(a->hash, b->hash);
    if (r != 0 || !by_time || a->timestamp_ms == b->timestamp_ms)
        return r;
    return a->timestamp_ms < b->timestamp_ms ? -1 : 1;
}

/* Hashes lie evenly between any two of them, so the place of one is guessed well: one or two blocks are read. */
int seen_file_has(SeenFile *file, SeenKey hash, bool by_time, int64_t timestamp_ms, bool *has, SiltErr *err)
{
    const Key key = {hash, timestamp_ms};
    int64_t low = 0, high = file->foot.block_count; /* it is in one of the blocks low..high-1, if at all */
    uint64_t least = 0, most = UINT64_MAX;          /* of their hashes */

    *has = false;
    for (int64_t guess = file->block_index; low < high;) {
        if (guess < low || guess >= high) {
            guess = low + (int64_t)((unsigned __int128)(hash.a - least) * (uint64_t)(high - low) / ((unsigned __int128)(most - least) + 1));
            guess = guess >= high ? high - 1 : guess;
        }
        int r = read_block(file, guess, err);
        if (r != 0)
            return r;
        const Block *block = file->block;
        const Key *first = &block->keys[0], *last = &block->keys[block->count - 1];
        if (compare_keys(&key, first, by_time) < 0) {
            high = guess;
            most = first->hash.a;
        } else if (compare_keys(&key, last, by_time) > 0) {
            low = guess + 1;
            least = last->hash.a;
        } else {
            int from = 0, to = (int)block->count;
            while (from < to) {
                int middle = (from + to) / 2, order = compare_keys(&key, &block->keys[middle], by_time);
                if (order == 0)
                    *has = true;
                if (order == 0)
                    return 0;
                *(order < 0 ? &to : &from) = order < 0 ? middle : middle + 1;
            }
            return 0;
        }
        guess = -1;
    }
    return 0;
}

/* The table of pieces, into arena. 0, SEEN_DAMAGED, < 0. */
static int read_pieces(SeenFile *file, Arena *arena, Piece **out, SiltErr *err)
{
    size_t size = sizeof **out * file->foot.piece_count;
    *out = arena_alloc(arena, size + 1);
    int r = read_at(file, file->foot.pieces_offset, *out, size, err);
    if (r != 0)
        return r;
    bool good = file->foot.pieces_checksum == checksum(*out, size);
    for (uint32_t i = 0; good && i < file->foot.piece_count; i++)
        good = (*out)[i].offset >= 0 && (*out)[i].offset <= file->foot.keys_offset && (*out)[i].size <= file->foot.keys_offset - (*out)[i].offset;
    return good ? 0 : SEEN_DAMAGED;
}

static int read_piece(SeenFile *file, const Piece *piece, StrBuf *out, SiltErr *err)
{
    str_buf_clear(out);
    str_buf_reserve(out, piece->size + 1);
    int r = read_at(file, piece->offset, out->ptr, piece->size, err);
    if (r != 0)
        return r;
    out->size = piece->size;
    return piece->checksum == checksum(out->ptr, out->size) ? 0 : SEEN_DAMAGED;
}

static int fail_text(const SeenFile *file, SiltErr *err)
{
    silt_fail(err, SILT_CORRUPT, "\"%s\" is damaged, so the files of batches %lld to %lld are not known", file->path, (long long)file->foot.range.first,
              (long long)file->foot.range.last);
    return silt_hint(err, "Put it back from a backup, or start over with --full-refresh.");
}

static int take_piece(const SeenFile *file, Str text, const EntrySink *sink, SiltErr *err)
{
    const char *p = text.ptr, *end = p + text.size;
    while (p < end) {
        const char *feed = memchr(p, '\n', (size_t)(end - p)), *stop = feed ? feed : end;
        SILT_TRY(log_text_entry(file->path, 0, (Str){p, (size_t)(stop - p)}, -1, sink, err));
        p = feed ? feed + 1 : end;
    }
    return 0;
}

typedef struct Between {
    int64_t first, last;
    const EntrySink *sink;
} Between;

static int take_between(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    const Between *between = self;
    return batch < between->first || batch > between->last ? 0 : between->sink->take(between->sink->self, uri, timestamp_ms, batch, err);
}

int seen_file_entries(SeenFile *file, int64_t first, int64_t last, const EntrySink *sink, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    Piece *pieces;
    Between between = {first, last, sink};
    EntrySink wanted = {&between, take_between};
    int r = read_pieces(file, arena, &pieces, err);
    for (uint32_t i = 0; r == 0 && i < file->foot.piece_count && pieces[i].batch <= last; i++) {
        if (i + 1 < file->foot.piece_count && pieces[i + 1].batch < first)
            continue;
        r = read_piece(file, &pieces[i], &text, err);
        if (r == 0)
            r = take_piece(file, str_buf_view(&text), &wanted, err);
    }
    return r == SEEN_DAMAGED ? fail_text(file, err) : r;
}

/* ---- writing ---- */

/* Keys in their order: those of a seen file block by block, or those in memory. */
typedef struct KeyStream {
    SeenFile *file; /* NULL: the added ones */
    int64_t block;
    uint32_t at, count;
    const Key *keys;
} KeyStream;

struct SeenWriter {
    Io *io;
    char *local;
    FILE *out;
    int64_t offset;
    StrBuf text; /* of the piece that is being written */
    int64_t text_batch;
    Piece *pieces;
    int piece_count, piece_capacity;
    Key *keys;
    int64_t key_count, key_capacity;
    SeenFile **copied;
    int copied_count;
    SeenRange range;
};

int seen_writer_open(Io *io, const char *staging, SeenWriter **out, SiltErr *err)
{
    SeenWriter *writer = silt_alloc(sizeof *writer);
    *writer = (SeenWriter){.io = io, .range.newest_ms = INT64_MIN};
    size_t size = strlen(staging) + sizeof "/seen";
    writer->local = silt_alloc(size);
    snprintf(writer->local, size, "%s/seen", staging);
    writer->out = fopen(writer->local, "we");
    if (!writer->out) {
        silt_fail_errno(err, errno, "could not write \"%s\"", writer->local);
        seen_writer_free(writer);
        return -1;
    }
    *out = writer;
    return 0;
}

void seen_writer_free(SeenWriter *writer)
{
    if (!writer)
        return;
    if (writer->out)
        fclose(writer->out);
    unlink(writer->local); /* where it was put already, there is nothing */
    str_buf_fini(&writer->text);
    free(writer->pieces);
    free(writer->keys);
    free(writer->copied);
    free(writer->local);
    free(writer);
}

void seen_writer_freep(SeenWriter **writer)
{
    seen_writer_free(*writer);
    *writer = NULL;
}

static int put(SeenWriter *writer, const void *bytes, size_t size, SiltErr *err)
{
    if (writer->offset == 0) {
        writer->offset = TEXT_HEAD_SIZE;
        SILT_TRY(fwrite("v1", 1, TEXT_HEAD_SIZE, writer->out) == TEXT_HEAD_SIZE
                     ? 0
                     : silt_fail_errno(err, errno, "could not write \"%s\"", writer->local));
    }
    if (size > 0 && fwrite(bytes, 1, size, writer->out) != size)
        return silt_fail_errno(err, errno, "could not write \"%s\"", writer->local);
    writer->offset += (int64_t)size;
    return 0;
}

static int put_piece(SeenWriter *writer, Str text, int64_t batch, SiltErr *err)
{
    if (text.size == 0)
        return 0;
    int64_t offset = writer->offset ? writer->offset : TEXT_HEAD_SIZE;
    if (writer->piece_count == writer->piece_capacity) {
        writer->piece_capacity = writer->piece_capacity ? writer->piece_capacity * 2 : 16;
        writer->pieces = silt_realloc(writer->pieces, sizeof *writer->pieces * (size_t)writer->piece_capacity);
    }
    writer->pieces[writer->piece_count++] =
        (Piece){.offset = offset, .batch = batch, .size = (uint32_t)text.size, .checksum = checksum(text.ptr, text.size)};
    return put(writer, text.ptr, text.size, err);
}

int seen_writer_copy(SeenWriter *writer, SeenFile *older, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    const SeenRange *range = seen_file_range(older);
    Piece *pieces;
    silt_assert(writer->key_count == 0);
    int r = read_pieces(older, arena, &pieces, err);
    for (uint32_t i = 0; r == 0 && i < older->foot.piece_count; i++) {
        r = read_piece(older, &pieces[i], &text, err);
        if (r == 0)
            r = put_piece(writer, str_buf_view(&text), pieces[i].batch, err);
    }
    if (r == SEEN_DAMAGED)
        return fail_text(older, err);
    SILT_TRY(r);
    writer->copied = silt_realloc(writer->copied, sizeof *writer->copied * (size_t)(writer->copied_count + 1));
    writer->copied[writer->copied_count++] = older;
    writer->range.count += range->count;
    if (range->newest_ms > writer->range.newest_ms)
        writer->range.newest_ms = range->newest_ms;
    return 0;
}

int seen_writer_add(SeenWriter *writer, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    if (writer->key_count == writer->key_capacity) {
        writer->key_capacity = writer->key_capacity ? writer->key_capacity * 2 : 1024;
        writer->keys = silt_realloc(writer->keys, sizeof *writer->keys * (size_t)writer->key_capacity);
    }
    writer->keys[writer->key_count++] = (Key){seen_key(uri, 0), timestamp_ms};
    writer->range.count++;
    if (timestamp_ms > writer->range.newest_ms)
        writer->range.newest_ms = timestamp_ms;
    if (writer->text.size == 0)
        writer->text_batch = batch;
    log_text_put(&writer->text, uri, timestamp_ms, batch);
    if (writer->text.size < PIECE_SIZE)
        return 0;
    SILT_TRY(put_piece(writer, str_buf_view(&writer->text), writer->text_batch, err));
    str_buf_clear(&writer->text);
    return 0;
}

static int order_keys(const void *a, const void *b)
{
    return compare_keys(a, b, true);
}

/* Go on to the stream's next key; at its end count is 0. 0, SEEN_DAMAGED, < 0. */
static int step(KeyStream *stream, SiltErr *err)
{
    if (++stream->at < stream->count)
        return 0;
    stream->count = 0;
    if (!stream->file || stream->block == stream->file->foot.block_count)
        return 0;
    int r = read_block(stream->file, stream->block++, err);
    if (r == 0) {
        stream->at = 0;
        stream->count = stream->file->block->count;
        stream->keys = stream->file->block->keys;
    }
    return r;
}

static int put_keys(SeenWriter *writer, int64_t *block_count, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    int count = writer->copied_count + 1, r;
    KeyStream *streams = ARENA_ARRAY(arena, KeyStream, count);
    Block *block = ARENA_NEW(arena, Block);

    if (writer->key_count > 0)
        qsort(writer->keys, (size_t)writer->key_count, sizeof *writer->keys, order_keys);
    for (int i = 0; i < writer->copied_count; i++) {
        streams[i] = (KeyStream){.file = writer->copied[i]};
        if ((r = step(&streams[i], err)) != 0)
            return r;
    }
    streams[count - 1] = (KeyStream){.keys = writer->keys, .count = (uint32_t)writer->key_count};
    for (;;) {
        KeyStream *least = NULL;
        for (int i = 0; i < count; i++) /* few: each is several times as long as the next */
            if (streams[i].count && (!least || compare_keys(&streams[i].keys[streams[i].at], &least->keys[least->at], true) < 0))
                least = &streams[i];
        if (least) {
            block->keys[block->count++] = least->keys[least->at];
            if ((r = step(least, err)) != 0)
                return r;
        }
        if (block->count == KEYS_A_BLOCK || (!least && block->count)) {
            block->checksum = checksum(block, offsetof(Block, checksum));
            SILT_TRY(put(writer, block, sizeof *block, err));
            *block = (Block){0};
            ++*block_count;
        }
        if (!least)
            return 0;
    }
}

int seen_writer_finish(SeenWriter *writer, const char *directory, int64_t first, int64_t last, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Foot foot = {.version = VERSION, .piece_count = 0};
    SILT_TRY(put_piece(writer, str_buf_view(&writer->text), writer->text_batch, err));
    SILT_TRY(put(writer, "", 0, err)); /* the head, of a file of no files */
    memcpy(foot.magic, magic, sizeof magic);
    foot.range = writer->range;
    foot.range.first = first;
    foot.range.last = last;
    foot.keys_offset = writer->offset;
    int r = put_keys(writer, &foot.block_count, err);
    if (r != 0)
        return r;
    foot.pieces_offset = writer->offset;
    foot.piece_count = (uint32_t)writer->piece_count;
    size_t size = sizeof *writer->pieces * (size_t)writer->piece_count;
    foot.pieces_checksum = checksum(writer->pieces, size);
    SILT_TRY(put(writer, writer->pieces, size, err));
    foot.checksum = foot_checksum(foot);
    SILT_TRY(put(writer, &foot, sizeof foot, err));
    FILE *out = writer->out;
    writer->out = NULL;
    if (fclose(out) != 0)
        return silt_fail_errno(err, errno, "could not write \"%s\"", writer->local);
    IoPutFile move = {writer->local, arena_printf(arena, "%s/%s", directory, seen_file_name(arena, first, last))};
    return io_put_files(writer->io, &move, 1, err);
}
