#pragma once
/*
 * delta/widening.h - type widening: which types a column's type may become, and how the schema remembers it (protocol, "Type Widening")
 *
 * Files stay as they are: the scan casts what they hold to the table's type. The schema lists each change in the metadata of the nearest field.
 *
 *   TW1  A change loses no value: each value of the old type is exactly one of the new type.
 *   TW2  The list of changes of a field only grows, as long as files of before may be there.
 */
#include "delta/table.h"

/* May a column of type `from` become one of type `to`? The protocol's table; types with parts never, and no type becomes itself. */
bool delta_type_widens(const Type *from, const Type *to);
/*
 * The narrowest type that is a and b or that they may become: a itself where b fits into it. NULL: there is none. Two decimals, and whole
 * numbers beside a decimal, get one that has the digits of both; a FLOAT beside whole numbers is a DOUBLE.
 */
const Type *delta_type_wider(const Type *a, const Type *b);

/* delta.enableTypeWidening: may types of the table be changed? */
bool delta_widening_on(const DeltaMetadata *metadata);
/*
 * `wanted`, with the change noted in the metadata of each field that has a wider type than in `table`, at all depths (fields go by name without
 * case). Every change must be one of delta_type_widens. Both are STRUCTs; the result is in arena.
 */
const Type *delta_widening_note(Arena *arena, const Type *table, const Type *wanted);
