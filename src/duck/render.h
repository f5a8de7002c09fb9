#pragma once
/* duck/render.h - values as exact JSON, for `silt sql --format json` and whoever serves rows */
#include "duck/chunk.h"
#include "duck/zone.h"

/*
 * One value, NULL as null. Integers and decimals digit by digit, floating point in the shortest form that reads back the same, NaN
 * and infinities as text; dates and times in ISO form, timestamps with six digits and their offset in `zone` (NULL: UTC, written Z);
 * binary as base64; intervals and times of day as CAST to STRING; VARIANT as the JSON it holds; a map as an object whose keys are
 * the keys' texts. A VARIANT whose bytes make no sense is the two binaries as base64: {"metadata":...,"value":...}.
 */
void render_json(StrBuf *out, const Column *column, uint64_t row, const Zone *zone);

/* "2026-11-29T10:00:00.123456Z", in quotes; zone NULL: UTC. The same without a zone. */
void render_instant(StrBuf *out, int64_t us, const Zone *zone);
void render_local_time(StrBuf *out, int64_t local_us);
/* "AP8Q": base64 in quotes. */
void render_base64(StrBuf *out, Str bytes);
