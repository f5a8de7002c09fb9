#pragma once
/* format/avro_block.h - the bytes of a block of an Avro file, decompressed (this folder only) */
#include "format/avro.h"

/*
 * What `in` holds: *out is `in` itself or lies in buffer, until either changes. NULL, or what is wrong with the bytes, for a message. More than size_max
 * bytes (about) are refused as broken ones are.
 */
const char *avro_unpack(AvroCodec codec, Str in, int64_t size_max, StrBuf *buffer, Str *out);
