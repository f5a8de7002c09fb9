/*
 * duck/frequent.c - the table of frequent items
 *
 *   F1  An item lies in the slot of its hash or in one behind it, with no empty slot between; `drift` is how far, from 1. Drift 0: an empty slot.
 *   F2  At most 3 of 4 slots are used once frequent_add has returned.
 */
#include "duck/frequent.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 1024 };

typedef struct Slot {
    int64_t count;
    size_t at, size; /* in items */
    int32_t hash;
    uint32_t drift;
} Slot;

struct Frequent {
    Slot *slots;
    int lg, lg_most;
    uint64_t used, samples;
    int64_t offset, weight;
    StrBuf items;
    size_t dead; /* bytes of items that are gone */
};

static uint64_t length(const Frequent *table)
{
    return UINT64_C(1) << table->lg;
}

static uint64_t capacity(int lg)
{
    return (UINT64_C(3) << lg) / 4;
}

Frequent *frequent_new(int lg_most, int lg_now)
{
    Frequent *table = silt_alloc(sizeof *table);
    uint64_t most = capacity(lg_most);

    table->lg_most = lg_most > FREQUENT_LG_LEAST ? lg_most : FREQUENT_LG_LEAST;
    table->lg = lg_now > FREQUENT_LG_LEAST ? lg_now : FREQUENT_LG_LEAST;
    table->samples = most < SAMPLES_MOST ? most : SAMPLES_MOST; /* of the size that was asked for */
    table->slots = silt_alloc(length(table) * sizeof *table->slots);
    return table;
}

void frequent_free(Frequent *table)
{
    if (!table)
        return;
    free(table->slots);
    str_buf_fini(&table->items);
    free(table);
}

/* The finish of MurmurHash3. */
static uint64_t mix(int32_t hash)
{
    uint64_t h = (uint64_t)(int64_t)hash;

    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

static Str bytes_of(const Frequent *table, const Slot *slot)
{
    return (Str){table->items.ptr + slot->at, slot->size};
}

/* The slot of an item, or the empty one where it goes; with its drift. */
static Slot *find(const Frequent *table, Str bytes, int32_t hash, uint32_t *drift)
{
    uint64_t mask = length(table) - 1, at = mix(hash) & mask;

    for (*drift = 1;; at = (at + 1) & mask, ++*drift) {
        Slot *slot = &table->slots[at];
        if (!slot->drift || (slot->hash == hash && str_equal(bytes_of(table, slot), bytes)))
            return slot;
    }
}

static void grow(Frequent *table)
{
    Slot *old = table->slots;
    uint64_t count = length(table);

    table->lg++;
    table->slots = silt_alloc(length(table) * sizeof *table->slots);
    for (uint64_t i = 0; i < count; i++)
        if (old[i].drift) {
            uint32_t drift;
            Slot *slot = find(table, bytes_of(table, &old[i]), old[i].hash, &drift);
            *slot = old[i];
            slot->drift = drift;
        }
    free(old);
}

/* Empty a slot, and move those behind it forward that may. */
static void drop(Frequent *table, uint64_t hole)
{
    uint64_t mask = length(table) - 1;
    uint32_t distance = 1;

    table->dead += table->slots[hole].size;
    table->slots[hole].drift = 0;
    table->used--;
    for (uint64_t at = (hole + 1) & mask; table->slots[at].drift; at = (at + 1) & mask, distance++)
        if (table->slots[at].drift > distance) {
            table->slots[hole] = table->slots[at];
            table->slots[hole].drift -= distance;
            table->slots[at].drift = 0;
            hole = at;
            distance = 0;
        }
}

static void drop_if_empty(Frequent *table, uint64_t at)
{
    if (table->slots[at].drift && table->slots[at].count <= 0)
        drop(table, at);
}

static void drop_empty(Frequent *table)
{
    uint64_t first = length(table) - 1; /* the last free slot: no run of items goes across it */

    while (table->slots[first].drift)
        first--;
    for (uint64_t at = first; at-- > 0;)
        drop_if_empty(table, at);
    for (uint64_t at = length(table); at-- > first;)
        drop_if_empty(table, at);
}

static int by_count(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

/* Bytes of items that are left, without those that are gone. */
static void compact(Frequent *table)
{
    StrBuf items = {0};

    for (uint64_t i = 0; i < length(table); i++) {
        Slot *slot = &table->slots[i];
        if (!slot->drift)
            continue;
        size_t at = items.size;
        str_buf_str(&items, bytes_of(table, slot));
        slot->at = at;
    }
    str_buf_fini(&table->items);
    table->items = items;
    table->dead = 0;
}

/* Lower all counts by the median of the first of them. */
static void purge(Frequent *table)
{
    uint64_t limit = table->samples < table->used ? table->samples : table->used, found = 0;
    int64_t *samples = silt_alloc(limit * sizeof *samples);

    for (uint64_t i = 0; found < limit; i++)
        if (table->slots[i].drift)
            samples[found++] = table->slots[i].count;
    qsort(samples, limit, sizeof *samples, by_count);
    int64_t median = samples[limit / 2];
    free(samples);
    for (uint64_t i = 0; i < length(table); i++)
        table->slots[i].count -= median;
    drop_empty(table);
    table->offset += median;
    if (table->dead > table->items.size / 2)
        compact(table);
}

void frequent_add(Frequent *table, Str bytes, int32_t hash, int64_t count)
{
    uint32_t drift;
    Slot *slot = find(table, bytes, hash, &drift);

    silt_assert(count > 0);
    table->weight += count;
    if (slot->drift) {
        slot->count += count;
    } else {
        *slot = (Slot){count, table->items.size, bytes.size, hash, drift};
        str_buf_str(&table->items, bytes);
        table->used++;
    }
    if (table->used <= capacity(table->lg)) /* F2 */
        return;
    if (table->lg < table->lg_most)
        grow(table);
    else
        purge(table);
}

/* Steps of the golden ratio, so that the order of one table is none in another. */
static uint64_t stride_of(const Frequent *table)
{
    return (uint64_t)((double)length(table) * 0.6180339887498949) | 1;
}

static FrequentItem item_of(const Frequent *table, const Slot *slot)
{
    return (FrequentItem){bytes_of(table, slot), slot->hash, slot->count};
}

void frequent_merge(Frequent *table, const Frequent *from)
{
    int64_t weight = table->weight + from->weight;
    uint64_t stride = stride_of(from), mask = length(from) - 1;

    if (!from->used)
        return;
    for (uint64_t left = from->used, at = 0; left > 0; at = (at + stride) & mask)
        if (from->slots[at].drift) {
            FrequentItem item = item_of(from, &from->slots[at]);
            frequent_add(table, item.bytes, item.hash, item.count);
            left--;
        }
    table->offset += from->offset;
    table->weight = weight;
}

Frequent *frequent_reread(const Frequent *table)
{
    Frequent *copy = frequent_new(table->lg_most, table->lg);

    for (uint64_t i = 0; i < length(table); i++)
        if (table->slots[i].drift) {
            FrequentItem item = item_of(table, &table->slots[i]);
            frequent_add(copy, item.bytes, item.hash, item.count);
        }
    frequent_set_totals(copy, table->weight, table->offset);
    return copy;
}

uint64_t frequent_size(const Frequent *table)
{
    return table->used;
}

int frequent_lg_most(const Frequent *table)
{
    return table->lg_most;
}

int frequent_lg_now(const Frequent *table)
{
    return table->lg;
}

int64_t frequent_offset(const Frequent *table)
{
    return table->offset;
}

int64_t frequent_weight(const Frequent *table)
{
    return table->weight;
}

void frequent_set_totals(Frequent *table, int64_t weight, int64_t offset)
{
    table->weight = weight;
    table->offset = offset;
}

void frequent_in_slots(const Frequent *table, FrequentItem *out)
{
    for (uint64_t i = 0; i < length(table); i++)
        if (table->slots[i].drift)
            *out++ = item_of(table, &table->slots[i]);
}

typedef struct Ranked {
    FrequentItem item;
    uint64_t place; /* in the walk */
} Ranked;

static int by_rank(const void *x, const void *y)
{
    const Ranked *a = x, *b = y;

    if (a->item.count != b->item.count)
        return a->item.count > b->item.count ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

uint64_t frequent_ranked(const Frequent *table, FrequentItem *out)
{
    Ranked *all = silt_alloc(table->used * sizeof *all + 1);
    uint64_t stride = stride_of(table), mask = length(table) - 1, count = 0;

    for (uint64_t left = table->used, at = 0; left > 0; at = (at + stride) & mask) {
        if (!table->slots[at].drift)
            continue;
        left--;
        if (table->slots[at].count >= table->offset) {
            all[count] = (Ranked){item_of(table, &table->slots[at]), count};
            all[count++].item.count += table->offset;
        }
    }
    qsort(all, count, sizeof *all, by_rank);
    for (uint64_t i = 0; i < count; i++)
        out[i] = all[i].item;
    free(all);
    return count;
}
