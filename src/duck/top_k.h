#pragma once
/*
 * duck/top_k.h - the values that approx_top_k counts, and the bytes of its sketches
 *
 * A sketch, little-endian: words of the preamble (1: empty, 4), version 1, family 10, logarithms of the most and of the present slots, flags (5: empty), 2
 * unused. Not empty: INT items, 4 unused, BIGINT sum of all counts, BIGINT offset, the counts in the order of the slots, the items: BOOLEAN a bit
 * each; up to INT, DATE, FLOAT and DECIMAL of up to 9 digits behind a byte that tells their kind; BIGINT, DOUBLE, timestamps and DECIMAL of up to
 * 18 digits as they are; others with an INT size before them: a STRING in UTF-8, a DECIMAL highest byte first. Behind all that, highest byte first,
 * BIGINT how many NULLs.
 */
#include "duck/chunk.h"
#include "duck/frequent.h"

enum { TOP_K_ITEMS_MOST = 1000000, TOP_K_ITEMS_DEFAULT = 10000, TOP_K_DEFAULT = 5 };

/* Are values of this type counted? */
bool top_k_counts(const Type *type);
/* Spark's name of such a type beside a sketch: "item INT NOT NULL". */
void top_k_put_ddl(StrBuf *out, const Type *type);
/* The logarithm of the slots for so many items, 1 to TOP_K_ITEMS_MOST. */
int top_k_slots_lg(int items);

/* One value that is not NULL. */
typedef struct TopKItem {
    __int128 whole; /* numbers without a fraction, DECIMAL unscaled, dates and times */
    double real;    /* FLOAT, DOUBLE */
    Str text;       /* STRING */
} TopKItem;

TopKItem top_k_item(const Column *column, uint64_t row); /* text is borrowed from the column */
void top_k_item_set(Column *column, uint64_t row, const TopKItem *item);
/* As it stands in a sketch, but for BOOLEAN, which is a byte 0 or 1. */
void top_k_item_write(StrBuf *out, const Type *type, const TopKItem *item);
/* Takes an item off *rest; false: it is none. */
bool top_k_item_read(const Type *type, Str *rest, TopKItem *out);
/* Spark's hashCode of it. */
int32_t top_k_item_hash(const Type *type, const TopKItem *item);
/* Ascending; -0.0 before 0.0, NaN last. */
int top_k_item_order(const Type *type, const TopKItem *a, const TopKItem *b);

/* Append the bytes of a sketch; nulls: how many NULLs it has met. */
void top_k_write(StrBuf *out, const Type *type, const Frequent *table, int64_t nulls);
/* True with a table for the caller to free; false: these bytes are no sketch of such values. */
bool top_k_read(const Type *type, Str bytes, Frequent **table, int64_t *nulls);
