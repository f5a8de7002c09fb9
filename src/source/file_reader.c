/*
 * source/file_reader.c - see file_reader.h
 *
 * Threads that pull take a worker (decoder and block) from a pool, make one chunk with it and give it back, so no thread owns
 * state here and any number may pull.
 *
 *   R1  A worker is in the pool, with a thread, or retired; a worker with rows left is never retired.
 *   R2  The end is told only when no worker in the pool has rows and the files are used up.
 */
#include "source/file_reader.h"

#include "format/infer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Worker Worker;
struct Worker {
    Worker *next; /* in the pool or among the retired */
    FormatDecoder *decoder;
    BlockBuffer *buffer;
    FormatBlock block;
    bool in_block;
};

struct FileReader {
    FileReaderOptions o;
    Blocks *blocks;
    pthread_mutex_t lock; /* pool, retired, sink's order */
    pthread_mutex_t sink_lock;
    Worker *pool, *retired;
    FormatSink sink; /* what decoders call */
    bool *used;      /* columns that somebody looks at; NULL: all */
    FormatInference *unknown;
};

static int put_locked(void *self, const FormatBadRecord *record, SiltErr *err)
{
    FileReader *reader = self;
    pthread_mutex_lock(&reader->sink_lock);
    int r = reader->o.sink.put(reader->o.sink.self, record, err);
    pthread_mutex_unlock(&reader->sink_lock);
    return r;
}

FileReader *file_reader_new(const FileReaderOptions *options)
{
    FileReader *reader = silt_alloc(sizeof *reader);
    reader->o = *options;
    pthread_mutex_init(&reader->lock, NULL);
    pthread_mutex_init(&reader->sink_lock, NULL);
    reader->blocks = blocks_new(&(BlocksOptions){.io = options->io,
                                                 .format = options->format,
                                                 .options = options->options,
                                                 .schema = options->target.schema,
                                                 .files = options->files,
                                                 .file_count = options->file_count,
                                                 .ignore_missing = options->ignore_missing,
                                                 .ignore_corrupt = options->ignore_corrupt,
                                                 .count_lines = options->sink.put && options->format->is_text});
    if (options->sink.put)
        reader->sink = (FormatSink){reader, put_locked};
    return reader;
}

static void free_workers(const FileReader *reader, Worker *worker)
{
    while (worker) {
        Worker *next = worker->next;
        reader->o.format->decoder_free(worker->decoder);
        block_buffer_free(worker->buffer);
        free(worker);
        worker = next;
    }
}

void file_reader_free(FileReader *reader)
{
    if (!reader)
        return;
    free_workers(reader, reader->pool);
    free_workers(reader, reader->retired);
    blocks_free(reader->blocks);
    inference_free(reader->unknown);
    free(reader->used);
    pthread_mutex_destroy(&reader->lock);
    pthread_mutex_destroy(&reader->sink_lock);
    free(reader);
}

/* From the pool, or a new one when the pool is empty and may_make. */
static int take_worker(FileReader *reader, bool may_make, Worker **out, SiltErr *err)
{
    pthread_mutex_lock(&reader->lock);
    Worker *worker = reader->pool;
    if (worker)
        reader->pool = worker->next;
    pthread_mutex_unlock(&reader->lock);
    *out = worker;
    if (worker || !may_make)
        return 0;
    worker = silt_alloc(sizeof *worker);
    int r = reader->o.format->decoder_new(reader->o.options, &reader->o.target, &reader->sink, &worker->decoder, err);
    if (r < 0) {
        free(worker);
        return r;
    }
    worker->buffer = block_buffer_new();
    *out = worker;
    return 0;
}

static void give_worker(FileReader *reader, Worker *worker, bool retire)
{
    pthread_mutex_lock(&reader->lock);
    Worker **list = retire ? &reader->retired : &reader->pool;
    worker->next = *list;
    *list = worker;
    pthread_mutex_unlock(&reader->lock);
}

/* ignoreCorruptFiles: a decoder of blocks that are packed one by one goes on behind a damaged one. What `mode` refuses is no damage. */
static bool may_go_on(const FileReader *reader, const SiltErr *failure)
{
    return reader->o.ignore_corrupt && !reader->o.format->is_text && failure->kind == SILT_INPUT && !failure->code[0];
}

/* One chunk of this worker: 1, 0 at the end, < 0. */
static int work(FileReader *reader, Worker *worker, Chunk **out, SiltErr *err)
{
    for (;;) {
        if (!worker->in_block) {
            int r = blocks_next(reader->blocks, worker->buffer, &worker->block, err);
            if (r <= 0)
                return r;
            reader->o.format->decoder_begin(worker->decoder, &worker->block);
            worker->in_block = true;
        }
        Chunk *chunk;
        int rows;
        SiltErr failure = {0};
        int r = reader->o.format->decoder_next(worker->decoder, &chunk, &rows, &failure);
        if (r < 0 && may_go_on(reader, &failure)) {
            blocks_note_corrupt(worker->buffer, failure.message);
            continue;
        }
        if (r < 0) {
            if (err)
                *err = failure;
            return r;
        }
        if (!chunk) {
            worker->in_block = false;
            continue;
        }
        for (int i = 0; i < reader->o.constant_count; i++) {
            const FileConstant *constant = &reader->o.constants[i];
            if (reader->used && !reader->used[constant->column])
                continue;
            constant->fill(constant->self, chunk_column_mut(chunk, constant->column), worker->block.source, rows);
        }
        chunk_seal(chunk, rows);
        *out = chunk;
        return 1;
    }
}

static int next_chunk(void *self, Chunk **out, SiltErr *err)
{
    FileReader *reader = self;
    *out = NULL;
    for (bool first = true;; first = false) {
        Worker *worker;
        SILT_TRY(take_worker(reader, first, &worker, err));
        if (!worker)
            return 0; /* R2: others with rows are with their threads, who come again */
        int r = work(reader, worker, out, err);
        give_worker(reader, worker, r <= 0);
        if (r != 0)
            return r < 0 ? r : 0;
    }
}

static void project(void *self, const bool *used)
{
    FileReader *reader = self;
    size_t size = (size_t)reader->o.target.column_count;
    silt_assert(!reader->used && !reader->pool && !reader->retired);
    reader->used = silt_alloc(size + 1);
    memcpy(reader->used, used, size);
    if (!reader->o.target.needed && format_may_skip(reader->o.options, &reader->o.target))
        reader->o.target.needed = reader->used;
}

ChunkReader file_reader_chunks(FileReader *reader)
{
    return (ChunkReader){.self = reader,
                         .next = next_chunk,
                         .project = project,
                         .parallel = reader->o.threads > 1,
                         .rows_estimate = reader->o.rows_estimate};
}

static void add_counts(const FileReader *reader, const Worker *worker, FormatCounts *sum)
{
    for (; worker; worker = worker->next) {
        const FormatCounts *c = reader->o.format->decoder_counts(worker->decoder);
        sum->records += c->records;
        sum->rows += c->rows;
        sum->undecodable += c->undecodable;
        sum->dropped += c->dropped;
        sum->misfit_fields += c->misfit_fields;
        sum->unknown_fields += c->unknown_fields;
        sum->repaired += c->repaired;
    }
}

FormatCounts file_reader_counts(const FileReader *reader)
{
    FormatCounts sum = {0};
    add_counts(reader, reader->pool, &sum);
    add_counts(reader, reader->retired, &sum);
    return sum;
}

const FormatInference *file_reader_unknown(FileReader *reader)
{
    if (reader->unknown || !reader->o.format->decoder_unknown)
        return reader->unknown;
    for (int list = 0; list < 2; list++)
        for (const Worker *worker = list ? reader->retired : reader->pool; worker; worker = worker->next) {
            const FormatInference *unknown = reader->o.format->decoder_unknown(worker->decoder);
            if (!unknown)
                continue;
            if (!reader->unknown)
                reader->unknown = inference_new();
            inference_merge(reader->unknown, unknown);
        }
    return reader->unknown;
}

const Type *file_reader_met(FileReader *reader, Arena *arena)
{
    const Type *all = NULL;
    for (int list = 0; reader->o.format->decoder_met && list < 2; list++)
        for (const Worker *worker = list ? reader->retired : reader->pool; worker; worker = worker->next) {
            const Type *met = reader->o.format->decoder_met(worker->decoder);
            if (met)
                all = all ? schema_add(all, met, reader->o.target.wider, arena) : met;
        }
    return all ? type_copy(arena, all) : NULL;
}
