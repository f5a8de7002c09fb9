#pragma once
/* duck/hash_value.h - Spark's hashes, for functions and aggregates that build on them */
#include "base/str.h"
#include "duck/chunk.h"

/* xxhash64 of one value with a seed; NULL leaves the seed as it is. */
uint64_t hash_xx64(uint64_t seed, const Column *column, uint64_t row);
/* Murmur3 of 32 bits over bytes, those behind the last whole word as Spark takes them: one by one. */
uint32_t hash_murmur3(uint32_t seed, Str bytes);
