#pragma once
/*
 * duck/frequent.h - which items are frequent: the sketch ItemsSketch of Apache DataSketches' Java edition, slot by slot
 *
 * A table of items and their counts that doubles up to a size; from then on all counts are lowered by about their median and what has none left goes, so that
 * a count is too low by the sum of these at most. Spark gives items with the same count in the order of the table, and writes them so: hence
 * its hash, its steps and its way of deleting are kept here, and the library's C++ edition, which has others, is not used.
 */
#include "base/str.h"

enum {
    FREQUENT_LG_LEAST = 3,
    FREQUENT_LG_MOST = 21,      /* of a sketch; 1,000,000 items are the most that Spark tracks */
    FREQUENT_LG_UNBOUNDED = 40, /* a table that counts exactly */
};

typedef struct Frequent Frequent;

/* An item is the bytes that make it what it is, and Java's hashCode of it. */
typedef struct FrequentItem {
    Str bytes; /* borrowed until the table changes */
    int32_t hash;
    int64_t count; /* above 0 */
} FrequentItem;

/* Up to 2^lg_most slots, of which 3 of 4 are used; below FREQUENT_LG_LEAST it has those. lg_now: slots from the start, FREQUENT_LG_LEAST for a new one. The caller's to free. */
Frequent *frequent_new(int lg_most, int lg_now);
void frequent_free(Frequent *table); /* NULL allowed */

/* The bytes are copied; count above 0. */
void frequent_add(Frequent *table, Str bytes, int32_t hash, int64_t count);
/* Take in all of `from`, which stays as it is. Their weights together must fit into an int64_t. */
void frequent_merge(Frequent *table, const Frequent *from);
/* The same table written down and read again: items that met in a slot may change places. The caller's to free. */
Frequent *frequent_reread(const Frequent *table);

uint64_t frequent_size(const Frequent *table); /* items in it */
int frequent_lg_most(const Frequent *table);
int frequent_lg_now(const Frequent *table);
int64_t frequent_offset(const Frequent *table); /* by how much a count may be too low */
int64_t frequent_weight(const Frequent *table); /* sum of all counts that were added */
/* Of a table that was read: what its bytes say. */
void frequent_set_totals(Frequent *table, int64_t weight, int64_t offset);

/* All items in the order of their slots; out has room for frequent_size(). */
void frequent_in_slots(const Frequent *table, FrequentItem *out);
/*
 * Items whose count is not below the offset, the most frequent first, those alike in the order in which the table is walked; their counts are estimates: the
 * offset is added. How many; out has room for frequent_size().
 */
uint64_t frequent_ranked(const Frequent *table, FrequentItem *out);
