#pragma once
/* format/json_format.h - the JSON format's functions, put together in format.c (this folder only) */
#include "format/format.h"

int json_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
void json_decoder_free(FormatDecoder *decoder);
void json_decoder_begin(FormatDecoder *decoder, const FormatBlock *block);
int json_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err);
const FormatCounts *json_decoder_counts(const FormatDecoder *decoder);
const FormatInference *json_decoder_unknown(const FormatDecoder *decoder);
int json_infer(const FormatOptions *options, FormatInference *inference, const FormatBlock *block, SiltErr *err);
