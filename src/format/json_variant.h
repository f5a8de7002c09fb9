#pragma once
/* format/json_variant.h - a JSON value as a VARIANT (this folder only) */
#include "duck/variant_writer.h"
#include "format/json_walk.h"

enum { JSON_VARIANT_TWICE = 1, JSON_VARIANT_HALF_PAIR = 2 };

/*
 * The value at the walk's token becomes all that `writer` holds, in one pass over its tokens, and the walk stands behind it. What is JSON and cannot be
 * a VARIANT: JSON_VARIANT_TWICE, an object has a key twice; JSON_VARIANT_HALF_PAIR, a text has half a surrogate pair. The walk stands somewhere inside
 * of the value then. -1 with walk->reason: it is no JSON.
 */
int json_variant(JsonWalk *walk, VariantWriter *writer);
