/* source/seen_set.c - see seen_set.h: open addressing, at most 4/5 full, grown by a half */
#include "source/seen_set.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

SeenKey seen_key(Str name, int64_t stamp)
{
    uint64_t a = 0x9e3779b97f4a7c15u ^ name.size, b = 0xc2b2ae3d27d4eb4fu + (uint64_t)stamp * 0x165667b19e3779f9u;
    for (size_t i = 0; i < name.size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, name.ptr + i, name.size - i < 8 ? name.size - i : 8);
        a = mix(a ^ word);
        b = mix(b + word * 0xff51afd7ed558ccdu) ^ a >> 17;
    }
    a = mix(a ^ (uint64_t)stamp);
    return (SeenKey){a, b | 1}; /* b = 0: an empty slot */
}

static SeenKey *find(const SeenSet *set, SeenKey key)
{
    uint64_t slot = (uint64_t)((unsigned __int128)key.a * set->capacity >> 64);
    while (set->slots[slot].b && (set->slots[slot].a != key.a || set->slots[slot].b != key.b))
        slot = slot + 1 == set->capacity ? 0 : slot + 1;
    return &set->slots[slot];
}

void seen_set_fini(SeenSet *set)
{
    free(set->slots);
    *set = (SeenSet){0};
}

void seen_set_add(SeenSet *set, Str name, int64_t stamp)
{
    if ((set->count + 1) * 5 > set->capacity * 4) {
        SeenSet wider = {.capacity = set->capacity ? set->capacity + set->capacity / 2 : 256, .count = set->count};
        wider.slots = silt_alloc(sizeof *wider.slots * wider.capacity);
        for (uint64_t i = 0; i < set->capacity; i++)
            if (set->slots[i].b)
                *find(&wider, set->slots[i]) = set->slots[i];
        free(set->slots);
        *set = wider;
    }
    SeenKey key = seen_key(name, stamp), *slot = find(set, key);
    if (slot->b)
        return;
    *slot = key;
    set->count++;
}

bool seen_set_has(const SeenSet *set, Str name, int64_t stamp)
{
    return set->capacity && find(set, seen_key(name, stamp))->b != 0;
}

size_t seen_set_bytes(const SeenSet *set)
{
    return sizeof *set->slots * set->capacity;
}
