#pragma once
/* source/given.h - columns that the user gives for a format: schema => 'id BIGINT, name STRING' (this folder only) */
#include "source/source.h"

/* The columns of `ddl`, a STRUCT in arena. CONFIG at pos, where `what` => 'shown' stands. */
int given_parse(Arena *arena, const char *what, const char *shown, const char *ddl, SiltPos pos, const Type **out, SiltErr *err);
/* No name twice, none of those that the source adds: _metadata, and `rescued` (NULL: none). CONFIG at pos. */
int given_check_names(const Source *source, const Type *schema, const char *rescued, SiltPos pos, SiltErr *err);
/* Types that the format cannot read are found before the first record comes. CONFIG at pos. */
int given_check_types(const FormatOps *format, const FormatOptions *options, const Type *schema, SiltPos pos, SiltErr *err);
