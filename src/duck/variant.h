#pragma once
/* duck/variant.h - the binary form of VARIANT (Parquet's variant encoding, version 1), read only */
#include "base/str.h"
#include "duck/zone.h"

/*
 * The JSON that a variant holds, as Spark's to_json writes it: object keys in the order stored, dates and
 * times as text, timestamps in `zone` (NULL: UTC), binary as base64. Appends to out; false (out is as it was) when the bytes are not a variant, or
 * nest deeper than 1,000. Decimals are written without zeros at their end, as by Spark.
 */
bool variant_json(StrBuf *out, Str metadata, Str value, const Zone *zone);
