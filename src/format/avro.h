#pragma once
/*
 * format/avro.h - Avro object container files: their head (this folder only)
 *
 * A file is "Obj" 1, a map of metadata (avro.schema, avro.codec), a sync marker; then blocks: number of records, size in bytes, the records
 * (compressed by the codec), the sync marker again.
 */
#include "duck/avro.h"
#include "format/format.h"

typedef enum AvroCodec { AVRO_CODEC_NULL, AVRO_CODEC_DEFLATE, AVRO_CODEC_SNAPPY, AVRO_CODEC_ZSTD } AvroCodec;

typedef struct AvroHead {
    const AvroType *type; /* a RECORD; NULL: an empty file */
    const Type *schema;   /* what Spark makes of it: a STRUCT */
    AvroCodec codec;
    char sync[16];
} AvroHead;

/* FormatOps.head, .cut and .schema */
int avro_head(const FormatOptions *options, const Type *schema, Arena *arena, Str bytes, bool at_end, const void **out, size_t *consumed, SiltErr *err);
size_t avro_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first);
const Type *avro_schema(const FormatOptions *options, const void *head);

/* A schema that a user gives to read files with: a record, with its defaults checked. Fails as CONFIG. */
int avro_reader_parse(Arena *arena, Str json, const AvroType **out, SiltErr *err);

int avro_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
void avro_decoder_free(FormatDecoder *decoder);
void avro_decoder_begin(FormatDecoder *decoder, const FormatBlock *block);
int avro_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err);
const FormatCounts *avro_decoder_counts(const FormatDecoder *decoder);
const Type *avro_decoder_met(const FormatDecoder *decoder);

/* The same for values of messages. */
int avro_message_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
void avro_message_free(FormatDecoder *decoder);
void avro_message_begin(FormatDecoder *decoder, const FormatBlock *block);
int avro_message_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err);
const FormatCounts *avro_message_counts(const FormatDecoder *decoder);
