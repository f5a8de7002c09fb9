#pragma once
/* source/file_reader.h - files of a record format as a ChunkReader (this folder only) */
#include "source/blocks.h"

/* A column that has one value in all rows of a file. */
typedef struct FileConstant {
    int column;
    /* Fill rows 0..rows-1; part: index into the batch's parts. */
    void (*fill)(const void *self, Column *column, int part, int rows);
    const void *self;
} FileConstant;

typedef struct FileReaderOptions {
    Io *io;
    const FormatOps *format;
    const FormatOptions *options;
    FormatTarget target;
    FormatSink sink; /* locked here */
    const BlockFile *files;
    int file_count;
    const FileConstant *constants;
    int constant_count;
    int threads;
    bool ignore_missing, ignore_corrupt;
    int64_t rows_estimate;
} FileReaderOptions;

typedef struct FileReader FileReader;

/* options and what it points at live as long as the reader. */
FileReader *file_reader_new(const FileReaderOptions *options);
void file_reader_free(FileReader *reader); /* NULL allowed */
ChunkReader file_reader_chunks(FileReader *reader);
/* Complete once the reader is drained. */
FormatCounts file_reader_counts(const FileReader *reader);
/* Shapes of unknown fields, all threads together; NULL: none. Owned by the reader. */
const FormatInference *file_reader_unknown(FileReader *reader);
/* All columns that the files had, of formats that know (FormatOps.decoder_met), in arena; NULL: not known. */
const Type *file_reader_met(FileReader *reader, Arena *arena);
