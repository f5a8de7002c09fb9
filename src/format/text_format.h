#pragma once
/* format/text_format.h - lines of text and whole files as rows (this folder only) */
#include "format/format.h"

/* text: value STRING, a line a row or (wholetext) a file a row. */
size_t text_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first);
bool text_whole(const FormatOptions *options);
const Type *text_schema(const FormatOptions *options, const void *head);

/* binaryFile: path, modificationTime, length, content; a file a row. */
size_t binary_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first);
bool binary_whole(const FormatOptions *options);
const Type *binary_schema(const FormatOptions *options, const void *head);

int text_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
int binary_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
void text_decoder_free(FormatDecoder *decoder);
void text_decoder_begin(FormatDecoder *decoder, const FormatBlock *block);
int text_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err);
const FormatCounts *text_decoder_counts(const FormatDecoder *decoder);
