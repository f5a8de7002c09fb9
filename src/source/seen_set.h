#pragma once
/* source/seen_set.h - names that were met, by hash: 20 to 30 bytes each (this folder only) */
#include "base/arena.h"
#include "base/str.h"

/* 128 bits of hash stand for a name: of a million names, the odds that any two are taken for one are 1 in 10^26. */
typedef struct SeenKey {
    uint64_t a, b;
} SeenKey;

/* stamp: part of the name, for names that come again with another time; 0 where it does not matter. Keys with 0 are on disk (seen_file.h). */
SeenKey seen_key(Str name, int64_t stamp);

/* Zero-initialise. */
typedef struct SeenSet {
    SeenKey *slots;
    uint64_t capacity, count;
} SeenSet;

void seen_set_fini(SeenSet *set);
void seen_set_add(SeenSet *set, Str name, int64_t stamp);
bool seen_set_has(const SeenSet *set, Str name, int64_t stamp);
size_t seen_set_bytes(const SeenSet *set);
