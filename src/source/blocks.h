#pragma once
/*
 * source/blocks.h - files as blocks of whole records, for several threads (this folder only)
 *
 * Each thread takes a file of its own as long as there are any (so that they also decompress side by side), then helps with those
 * of others, block by block. Decompression is by content: gzip and zstd are told by their first bytes.
 */
#include "format/format.h"
#include "source/source.h"

typedef struct Blocks Blocks;
typedef struct BlockBuffer BlockBuffer; /* one per thread: memory of a block, and its place in the files */

typedef struct BlockFile {
    const char *path; /* for io */
    SourcePart *part; /* missing is set here; its index is the block's source */
    int32_t source;
} BlockFile;

typedef struct BlocksOptions {
    Io *io;
    const FormatOps *format;
    const FormatOptions *options;
    const Type *schema; /* for heads (CSV) */
    const BlockFile *files;
    int file_count;
    bool ignore_missing; /* a file that is gone is no error */
    bool ignore_corrupt; /* of a file that cannot be read on, the rest is left out: part.corrupt says why */
    bool count_lines;    /* FormatBlock.line is known */
} BlocksOptions;

/* What options points at is borrowed. */
Blocks *blocks_new(const BlocksOptions *options);
void blocks_free(Blocks *blocks);

BlockBuffer *block_buffer_new(void);
void block_buffer_free(BlockBuffer *buffer);
/*
 * The next block, valid until the next call with this buffer: 1 with *block, 0 at the end of all files, < 0. An error is of a whole
 * file: unreadable, broken compression, a head that makes no sense.
 */
/* Of a file that has been begun; NULL: no head was met. Lives as long as the blocks. */
const void *blocks_head(const Blocks *blocks, int file);
/* What was given last to this buffer cannot be read on (ignoreCorruptFiles): its file's part says why. */
void blocks_note_corrupt(BlockBuffer *buffer, const char *why);
int blocks_next(Blocks *blocks, BlockBuffer *buffer, FormatBlock *block, SiltErr *err);
