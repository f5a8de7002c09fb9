/*
 * source/blocks.c - see blocks.h
 *
 *   B1  The blocks of a file, in order, are the file: no byte is in two of them, and none is left out but heads.
 *   B2  Memory is one block a thread plus the bytes of one unfinished record a file in hand; a record beyond the limit is not kept.
 */
#include "source/blocks.h"

#include "source/inflate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 512 * 1024, KEPT_OF_LONG = 64 * 1024 };

/* One file on its way. */
typedef struct Stream {
    pthread_mutex_t lock;
    const BlockFile *file;
    atomic_bool finished;
    Inflate *in;
    Arena *arena; /* of the head */
    const void *head;
    bool started, end; /* end: of the file's bytes; carry may still hold some */
    bool over;         /* the last block was given */
    StrBuf carry;      /* bytes behind the last block */
    FormatCut cut;
    int64_t position; /* of carry */
} Stream;

struct Blocks {
    Io *io;
    const FormatOps *format;
    const FormatOptions *options;
    const Type *schema;
    bool ignore_missing;
    pthread_mutex_t lock;
    Stream *streams;
    int count, next; /* next: the first that nobody has taken */
};

struct BlockBuffer {
    char *ptr;
    size_t capacity; /* without padding */
    Stream *stream;
};

Blocks *blocks_new(Io *io, const FormatOps *format, const FormatOptions *options, const Type *schema, const BlockFile *files, int count,
                   bool ignore_missing)
{
    Blocks *blocks = silt_alloc(sizeof *blocks);
    blocks->io = io;
    blocks->format = format;
    blocks->options = options;
    blocks->schema = schema;
    blocks->ignore_missing = ignore_missing;
    blocks->count = count;
    blocks->streams = silt_alloc(sizeof *blocks->streams * (size_t)(count + 1));
    pthread_mutex_init(&blocks->lock, NULL);
    for (int i = 0; i < count; i++) {
        blocks->streams[i].file = &files[i];
        pthread_mutex_init(&blocks->streams[i].lock, NULL);
    }
    return blocks;
}

static void stream_finish(Stream *s)
{
    inflate_close(s->in);
    s->in = NULL;
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

static int check_encoding(const Stream *s, const char *ptr, size_t size, SiltErr *err)
{
    if (size < 2 || !((ptr[0] == '\xFF' && ptr[1] == '\xFE') || (ptr[0] == '\xFE' && ptr[1] == '\xFF')))
        return 0;
    silt_fail(err, SILT_INPUT, "\"%s\" is UTF-16 text, which cannot be read yet", s->file->path);
    return silt_hint(err, "Convert it to UTF-8, for instance with iconv -f UTF-16 -t UTF-8.");
}

static int start(Blocks *blocks, Stream *s, SiltErr *err)
{
    s->started = true;
    int r = inflate_open(blocks->io, s->file->path, &s->in, err);
    if (r == IO_ABSENT) {
        if (!blocks->ignore_missing)
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
    *length = (int64_t)*size; /* without the line end; s->position counts that too */
    s->position += *length;
    if (*size > KEPT_OF_LONG)
        *size = KEPT_OF_LONG;
    char *chunk = buffer->ptr + *size;
    size_t room = buffer->capacity - *size;
    while (!s->end) {
        size_t got;
        SILT_TRY(inflate_read(s->in, chunk, room, &got, err));
        s->end = got == 0;
        s->cut.seen = 0; /* the bytes that were looked at are gone; the rest of the state goes on */
        size_t cut = blocks->format->cut(blocks->options, &s->cut, (Str){chunk, got}, s->end, true);
        *length += (int64_t)(cut ? cut : got);
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

/* 1 with a block, 0 when the file is used up, < 0. */
static int next_block(Blocks *blocks, Stream *s, BlockBuffer *buffer, FormatBlock *block, SiltErr *err)
{
    if (!s->started)
        SILT_TRY(start(blocks, s, err));
    if (s->over)
        stream_finish(s);
    if (atomic_load(&s->finished))
        return 0;
    size_t target = BLOCK_SIZE;
    while (target < s->carry.size * 2)
        target *= 2;
    buffer_room(buffer, target);
    size_t size = s->carry.size;
    if (size)
        memcpy(buffer->ptr, s->carry.ptr, size);
    str_buf_clear(&s->carry);
    *block = (FormatBlock){.source = s->file->source, .source_name = s->file->part->name};
    size_t cut = 0;
    for (;;) {
        if (!s->end) {
            size_t got;
            SILT_TRY(inflate_read(s->in, buffer->ptr + size, target - size, &got, err));
            size += got;
            s->end = got == 0;
        }
        if (s->position == 0)
            SILT_TRY(check_encoding(s, buffer->ptr, size, err));
        bool head_complete = true;
        if (blocks->format->head && !s->head) {
            size_t consumed = 0;
            if (!s->arena)
                s->arena = arena_new();
            int r = blocks->format->head(blocks->options, blocks->schema, s->arena, (Str){buffer->ptr, size}, s->end, &s->head, &consumed, err);
            if (r < 0)
                return silt_context(err, "\"%s\": ", s->file->path);
            head_complete = r == 0;
            if (r == 0 && consumed) {
                size -= consumed;
                memmove(buffer->ptr, buffer->ptr + consumed, size);
                s->position += (int64_t)consumed;
            }
        }
        if (head_complete)
            cut = blocks->format->cut(blocks->options, &s->cut, (Str){buffer->ptr, size}, s->end, false);
        if (cut || s->end)
            break;
        if ((int64_t)size > blocks->options->record_bytes_max) {
            block->unusable = "a record longer than maxRecordSize";
            block->position = s->position;
            SILT_TRY(pass_long_record(blocks, s, buffer, &size, &block->unusable_length, err));
            cut = size;
            goto give;
        }
        if (size == target) {
            target *= 2;
            buffer_room(buffer, target);
        }
    }
    if (!cut) { /* the end, with bytes that are no whole record, or a file that is wrong as a whole */
        if (is_blank(buffer->ptr, size) && !s->cut.complaint) {
            stream_finish(s);
            return 0;
        }
        block->unusable = s->cut.complaint ? s->cut.complaint : "the file ends in the middle of a record";
        block->unusable_length = (int64_t)size;
        cut = size;
        s->over = true;
    } else {
        str_buf_add(&s->carry, buffer->ptr + cut, size - cut);
    }
    block->position = s->position;
    s->position += (int64_t)cut;
give:
    memset(buffer->ptr + cut, 0, FORMAT_PADDING);
    block->ptr = buffer->ptr;
    block->size = cut;
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

int blocks_next(Blocks *blocks, BlockBuffer *buffer, FormatBlock *block, SiltErr *err)
{
    for (;;) {
        if (!buffer->stream && !(buffer->stream = take_stream(blocks)))
            return 0;
        Stream *s = buffer->stream;
        pthread_mutex_lock(&s->lock);
        int r = next_block(blocks, s, buffer, block, err);
        pthread_mutex_unlock(&s->lock);
        if (r != 0)
            return r;
        buffer->stream = NULL;
    }
}
