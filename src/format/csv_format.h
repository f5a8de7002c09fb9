#pragma once
/* format/csv_format.h - the CSV format's functions, put together in format.c (this folder only) */
#include "format/format.h"

int csv_check(FormatOptions *options, Arena *arena, SiltErr *err);
int csv_head(const FormatOptions *options, const Type *schema, Arena *arena, Str bytes, bool at_end, const void **out, size_t *consumed, SiltErr *err);
size_t csv_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first);
int csv_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
void csv_decoder_free(FormatDecoder *decoder);
void csv_decoder_begin(FormatDecoder *decoder, const FormatBlock *block);
int csv_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err);
const FormatCounts *csv_decoder_counts(const FormatDecoder *decoder);
const FormatInference *csv_decoder_unknown(const FormatDecoder *decoder);
int csv_infer(const FormatOptions *options, FormatInference *inference, const FormatBlock *block, SiltErr *err);
