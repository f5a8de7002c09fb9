#pragma once
/* delta/compare.h - two tables compared as multisets of rows, in memory that does not grow with them */
#include "delta/table.h"

typedef struct DeltaDifference {
    int64_t left_rows, right_rows; /* in all */
    int64_t left_only, right_only; /* a row that is 3 times on one side and once on the other counts 2 */
} DeltaDifference;

/*
 * Compare the rows of two snapshots over the columns of `left`, which `right` must have with the same types (CONFIG otherwise). Values are the same
 * when no reader could tell them apart: NaN equals NaN, -0.0 is not 0.0, NULL is not the empty array; entries of a map in another order differ.
 *
 * Rows are hashed into groups whose sums are compared; only groups that differ are read again, so many at a time that their rows fit into memory, and
 * grouped by all columns. Two different multisets of rows pass for equal once in 2^64. rows_max: differing rows of each side that are kept.
 */
int delta_compare(DuckSession *session, const DeltaSnapshot *left, const DeltaSnapshot *right, int rows_max, DeltaDifference *out, SiltErr *err);
/*
 * After it, when there was a difference, in the same session: text of a query for up to `rows_max` differing rows of each side, the same at each
 * call: c1 STRING (left or right, as given), c2 LONG (how many more times the row is there), then the columns of `left`.
 */
void delta_difference_sql(const DeltaSnapshot *left, const char *left_name, const char *right_name, int rows_max, StrBuf *out);
