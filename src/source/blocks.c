/*
 * source/blocks.c - see blocks.h
 *
 *   B1  The blocks of a file, in order, are the file: no byte is in two of them, and none is left out but heads.
 *   B2  Memory is one block a thread plus the bytes of one unfinished record a file in hand; a record beyond the limit is not kept.
 */
#include "source/blocks.h"

#include "source/inflate.h"
#include "source/transcode.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BLOCK_SIZE = 512 * 1024, MEASURED_BLOCK_SIZE = 16 * 1024, KEPT_OF_LONG = 64 * 1024 };

/* One file on its way. */
typedef struct Stream {
    pthread_mutex_t lock;
    const BlockFile *file;
    atomic_bool finished;
    Inflate *in;
    Transcode *transcode; /* NULL: the bytes are UTF-8, or no text */
    bool looked;          /* the first bytes were looked at for a byte order mark */
    int64_t line;         /* of carry */
    Arena *arena; /* of the head */
    const void *head;
    bool started, end; /* end: of the file's bytes; carry may still hold some */
    bool over;         /* the last block was given */
    StrBuf carry;      /* bytes behind the last block */
    FormatCut cut;
    FormatCut walk; /* where each record is measured: at the start of the next one */
    int64_t position; /* of carry */
} Stream;

struct Blocks {
    BlocksOptions o;
    pthread_mutex_t lock;
    Stream *streams;
    int count, next; /* next: the first that nobody has taken */
};

struct BlockBuffer {
    char *ptr;
    size_t capacity; /* without padding */
    Stream *stream;
};

Blocks *blocks_new(const BlocksOptions *options)
{
    Blocks *blocks = silt_alloc(sizeof *blocks);
    blocks->o = *options;
    blocks->count = options->file_count;
    blocks->streams = silt_alloc(sizeof *blocks->streams * (size_t)(options->file_count + 1));
    pthread_mutex_init(&blocks->lock, NULL);
    for (int i = 0; i < options->file_count; i++) {
        blocks->streams[i].file = &options->files[i];
        blocks->streams[i].line = 1;
        pthread_mutex_init(&blocks->streams[i].lock, NULL);
    }
    return blocks;
}

const void *blocks_head(const Blocks *blocks, int file)
{
    return blocks->streams[file].head;
}

static void stream_finish(Stream *s)
{
    inflate_close(s->in);
    s->in = NULL;
    transcode_free(s->transcode);
    s->transcode = NULL;
    str_buf_fini(&s->carry);
    atomic_store(&s->finished, true);
}

void blocks_free(Blocks *blocks)
{
    if (!blocks)
        return;
    for (int i = 0; i < blocks->count; i++) {
        stream_finish(&blocks->streams[i]);
        arena_free(blocks->streams[i].arena); /* heads live as long as the blocks that point at them */
        pthread_mutex_destroy(&blocks->streams[i].lock);
    }
    pthread_mutex_destroy(&blocks->lock);
    free(blocks->streams);
    free(blocks);
}

BlockBuffer *block_buffer_new(void)
{
    return silt_alloc(sizeof(BlockBuffer));
}

void block_buffer_free(BlockBuffer *buffer)
{
    if (!buffer)
        return;
    free(buffer->ptr);
    free(buffer);
}

static void buffer_room(BlockBuffer *buffer, size_t size)
{
    if (buffer->capacity >= size)
        return;
    buffer->ptr = silt_realloc(buffer->ptr, size + FORMAT_PADDING);
    buffer->capacity = size;
}

/* The encoding that a byte order mark tells; NULL: none. */
static const char *marked_encoding(const char *ptr, size_t size, size_t *mark)
{
    static const struct {
        const char *mark;
        size_t size;
        const char *encoding;
    } marks[] = {{"\xFF\xFE\0\0", 4, "UTF-32LE"}, {"\0\0\xFE\xFF", 4, "UTF-32BE"}, {"\xFF\xFE", 2, "UTF-16LE"}, {"\xFE\xFF", 2, "UTF-16BE"}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (size >= marks[i].size && memcmp(ptr, marks[i].mark, marks[i].size) == 0) {
            *mark = marks[i].size;
            return marks[i].encoding;
        }
    return NULL;
}

static bool is_utf8(const char *encoding)
{
    return !encoding || strcasecmp(encoding, "UTF-8") == 0 || strcasecmp(encoding, "UTF8") == 0;
}

/* The next bytes of a file as the format wants them: unpacked, text as UTF-8. */
static int read_bytes(const Blocks *blocks, Stream *s, char *buffer, size_t size, size_t *got, SiltErr *err)
{
    if (s->transcode)
        return transcode_read(s->transcode, s->in, buffer, size, got, err);
    SILT_TRY(inflate_read(s->in, buffer, size, got, err));
    if (s->looked || !blocks->o.format->is_text)
        return 0;
    s->looked = true;
    size_t mark = 0;
    const char *encoding = marked_encoding(buffer, *got, &mark);
    if (!encoding && !is_utf8(blocks->o.options->encoding))
        encoding = blocks->o.options->encoding;
    if (!encoding)
        return 0;
    s->transcode = transcode_new(encoding, s->file->path);
    transcode_push(s->transcode, buffer + mark, *got - mark);
    return transcode_read(s->transcode, s->in, buffer, size, got, err);
}

/* Line feeds, 16 bytes at a time. */
static int64_t count_lines(const char *ptr, size_t size)
{
    typedef signed char Vector __attribute__((vector_size(16)));
    int64_t count = 0;
    size_t i = 0;
    while (size - i >= 16) {
        Vector sum = {0};
        for (int step = 0; step < 127 && size - i >= 16; step++, i += 16) {
            Vector bytes;
            memcpy(&bytes, ptr + i, 16);
            sum -= bytes == '\n';
        }
        for (int k = 0; k < 16; k++)
            count += sum[k];
    }
    for (; i < size; i++)
        count += ptr[i] == '\n';
    return count;
}

static int start(Blocks *blocks, Stream *s, SiltErr *err)
{
    s->started = true;
    int r = inflate_open(blocks->o.io, s->file->path, blocks->o.format->is_raw, &s->in, err);
    if (r == IO_ABSENT) {
        if (!blocks->o.ignore_missing)
            return silt_fail(err, SILT_INPUT, "\"%s\" is gone", s->file->path);
        s->file->part->missing = true;
        stream_finish(s);
        return 0;
    }
    return r;
}

/* A record longer than the limit: its first bytes stay in the buffer, the rest is read and dropped, up to where the next one begins. */
static int pass_long_record(Blocks *blocks, Stream *s, BlockBuffer *buffer, size_t *size, int64_t *length, SiltErr *err)
{
    if (!blocks->o.format->is_text && !blocks->o.format->is_raw) /* where the next one begins cannot be seen */
        return silt_fail(err, SILT_INPUT, "\"%s\": what begins at byte %lld is longer than maxRecordSize", s->file->path, (long long)s->position);
    s->line += blocks->o.count_lines ? count_lines(buffer->ptr, *size) : 0;
    *length = (int64_t)*size; /* without the line end; s->position counts that too */
    s->position += *length;
    if (*size > KEPT_OF_LONG)
        *size = KEPT_OF_LONG;
    char *chunk = buffer->ptr + *size;
    size_t room = buffer->capacity - *size;
    while (!s->end) {
        size_t got;
        SILT_TRY(read_bytes(blocks, s, chunk, room, &got, err));
        s->end = got == 0;
        s->cut.seen = 0; /* the bytes that were looked at are gone; the rest of the state goes on */
        size_t cut = blocks->o.format->cut(blocks->o.options, &s->cut, (Str){chunk, got}, s->end, true);
        *length += (int64_t)(cut ? cut : got);
        s->line += blocks->o.count_lines ? count_lines(chunk, cut ? cut : got) : 0;
        s->position += (int64_t)(cut ? cut : got);
        if (cut) {
            for (size_t i = cut; i > 0 && (chunk[i - 1] == '\n' || chunk[i - 1] == '\r'); i--)
                --*length;
            str_buf_add(&s->carry, chunk + cut, got - cut);
            s->cut.seen = 0;
            break;
        }
    }
    return 0;
}

static bool is_blank(const char *ptr, size_t size)
{
    return str_trim((Str){ptr, size}).size == 0;
}

/* Is maxRecordSize smaller than usual, so that each record is measured? */
static bool measures(const Blocks *blocks, bool whole)
{
    return blocks->o.options->record_bytes_max < FORMAT_RECORD_BYTES_USUAL && (blocks->o.format->is_text || whole);
}

/* Of a record as it was cut: without its end, and without what stands before it in a list of JSON. */
static int64_t record_length(const FormatOptions *options, bool whole, Str record)
{
    Str sep = str_of(options->line_sep ? options->line_sep : "");
    if (whole)
        return (int64_t)record.size;
    if (options->multi_line)
        while (record.size && (strchr(" \t\r\n,", record.ptr[0]) || (record.ptr[0] == '[' && !options->single_variant_column)))
            record.ptr++, record.size--;
    if (sep.size && record.size >= sep.size && memcmp(record.ptr + record.size - sep.size, sep.ptr, sep.size) == 0)
        return (int64_t)(record.size - sep.size);
    while (!sep.size && record.size && (record.ptr[record.size - 1] == '\n' || record.ptr[record.size - 1] == '\r'))
        record.size--;
    return (int64_t)record.size;
}

/* How many of `cut` bytes, whole records, are one block: those before the first that is longer than the limit, or that one, which the block says then. */
static size_t keep_to_limit(const Blocks *blocks, Stream *s, bool whole, const char *ptr, size_t cut, FormatBlock *block)
{
    const FormatOptions *options = blocks->o.options;
    size_t done = 0;
    while (done < cut) {
        FormatCut next = s->walk;
        size_t size = blocks->o.format->cut(options, &next, (Str){ptr + done, cut - done}, true, true);
        if (!size)
            size = cut - done;
        int64_t length = record_length(options, whole, (Str){ptr + done, size});
        bool is_long = length > options->record_bytes_max;
        if (is_long && done)
            break;
        done += size;
        s->walk = (FormatCut){.arrays = next.arrays}; /* all that outlasts a record */
        if (is_long) {
            block->unusable = "a record longer than maxRecordSize";
            block->unusable_length = length;
            break;
        }
    }
    return done;
}

/* 1 with a block, 0 when the file is used up, < 0. */
static int next_block(Blocks *blocks, Stream *s, BlockBuffer *buffer, FormatBlock *block, SiltErr *err)
{
    if (!s->started)
        SILT_TRY(start(blocks, s, err));
    if (s->over)
        stream_finish(s);
    if (atomic_load(&s->finished))
        return 0;
    bool whole = blocks->o.format->whole && blocks->o.format->whole(blocks->o.options), measured = measures(blocks, whole);
    size_t target = BLOCK_SIZE;
    /* what is behind a long record is looked at again: no more than a few times its size */
    while (measured && target / 2 >= MEASURED_BLOCK_SIZE && (int64_t)(target / 2) > 2 * blocks->o.options->record_bytes_max)
        target /= 2;
    while (target < s->carry.size * 2)
        target *= 2;
    buffer_room(buffer, target);
    size_t size = s->carry.size;
    if (size)
        memcpy(buffer->ptr, s->carry.ptr, size);
    str_buf_clear(&s->carry);
    *block = (FormatBlock){.source = s->file->source,
                           .source_name = s->file->part->name,
                           .modified_ms = s->file->part->modified_ms,
                           .line = blocks->o.count_lines ? s->line : 0};
    size_t cut = 0, kept = 0; /* kept: of the bytes that are cut, in the block */
    for (;;) {
        if (!s->end) {
            size_t got;
            SILT_TRY(read_bytes(blocks, s, buffer->ptr + size, target - size, &got, err));
            size += got;
            s->end = got == 0;
        }
        bool head_complete = true;
        if (blocks->o.format->head && !s->head) {
            size_t consumed = 0;
            if (!s->arena)
                s->arena = arena_new();
            int r = blocks->o.format->head(blocks->o.options, blocks->o.schema, s->arena, (Str){buffer->ptr, size}, s->end, &s->head, &consumed, err);
            if (r < 0)
                return silt_context(err, "\"%s\": ", s->file->path);
            head_complete = r == 0;
            if (r == 0 && consumed) {
                if (blocks->o.count_lines)
                    block->line = s->line += count_lines(buffer->ptr, consumed);
                size -= consumed;
                memmove(buffer->ptr, buffer->ptr + consumed, size);
                s->position += (int64_t)consumed;
            }
        }
        if (head_complete)
            cut = blocks->o.format->cut(blocks->o.options, &s->cut, (Str){buffer->ptr, size}, s->end, false);
        if (cut || s->end)
            break;
        if (size < target)
            continue;
        if ((int64_t)size > blocks->o.options->record_bytes_max) {
            block->unusable = "a record longer than maxRecordSize";
            block->position = s->position;
            SILT_TRY(pass_long_record(blocks, s, buffer, &size, &block->unusable_length, err));
            s->walk = (FormatCut){.arrays = s->cut.arrays};
            kept = size;
            s->over = whole;
            goto give;
        }
        target *= 2;
        buffer_room(buffer, target);
    }
    if (!cut && whole && size == 0 && !s->cut.complaint) { /* an empty file, which is a record all the same */
        s->over = true;
    } else if (!cut) { /* the end, with bytes that are no whole record, or a file that is wrong as a whole */
        if (is_blank(buffer->ptr, size) && !s->cut.complaint) {
            stream_finish(s);
            return 0;
        }
        block->unusable = s->cut.complaint ? s->cut.complaint : "the file ends in the middle of a record";
        block->unusable_length = (int64_t)size;
        cut = size;
        s->over = true;
    } else {
        size_t all = cut;
        if (measured)
            cut = keep_to_limit(blocks, s, whole, buffer->ptr, cut, block);
        if (cut < all)
            s->cut = s->walk; /* what was looked at is looked at again */
        str_buf_add(&s->carry, buffer->ptr + cut, size - cut);
        s->over = whole;
    }
    kept = block->unusable && cut > KEPT_OF_LONG ? KEPT_OF_LONG : cut;
    block->position = s->position;
    s->position += (int64_t)cut;
    s->line += blocks->o.count_lines ? count_lines(buffer->ptr, cut) : 0;
give:
    memset(buffer->ptr + kept, 0, FORMAT_PADDING);
    block->ptr = buffer->ptr;
    block->size = kept;
    block->head = s->head;
    return 1;
}

/* A file that nobody has, or one that is not finished. */
static Stream *take_stream(Blocks *blocks)
{
    Stream *found = NULL;
    pthread_mutex_lock(&blocks->lock);
    if (blocks->next < blocks->count)
        found = &blocks->streams[blocks->next++];
    for (int i = 0; i < blocks->next && !found; i++)
        if (!atomic_load(&blocks->streams[i].finished))
            found = &blocks->streams[i];
    pthread_mutex_unlock(&blocks->lock);
    return found;
}

void blocks_note_corrupt(BlockBuffer *buffer, const char *why)
{
    Stream *s = buffer->stream;
    pthread_mutex_lock(&s->lock);
    if (!s->file->part->corrupt)
        s->file->part->corrupt = silt_strdup(why);
    pthread_mutex_unlock(&s->lock);
}

int blocks_next(Blocks *blocks, BlockBuffer *buffer, FormatBlock *block, SiltErr *err)
{
    for (;;) {
        if (!buffer->stream && !(buffer->stream = take_stream(blocks)))
            return 0;
        Stream *s = buffer->stream;
        pthread_mutex_lock(&s->lock);
        SiltErr one = {0};
        int r = next_block(blocks, s, buffer, block, &one);
        if (r < 0 && blocks->o.ignore_corrupt && one.kind == SILT_INPUT) {
            if (!s->file->part->corrupt)
                s->file->part->corrupt = silt_strdup(one.message);
            stream_finish(s);
            r = 0;
        } else if (r < 0 && err) {
            *err = one;
        }
        pthread_mutex_unlock(&s->lock);
        if (r != 0)
            return r;
        buffer->stream = NULL;
    }
}
