#pragma once
/* format/json_scalar.h - one JSON value into a column that is no container, by Spark's rules (this folder only) */
#include "duck/java_time.h"
#include "duck/zone.h"
#include "format/json_place.h"
#include "format/json_variant.h"
#include "format/json_walk.h"

typedef struct JsonScalars {
    const FormatOptions *options;
    const Zone *zone;
    const JavaTime *date_pattern, *timestamp_pattern, *ntz_pattern; /* NULL: Spark's cast */
    bool exact; /* a whole number that a float would round is no fit: there is a place to rescue it to */
    StrBuf bytes; /* of a BINARY value, of a VARIANT's metadata */
    VariantWriter variant;
} JsonScalars;

/* How a value was read. BAD comes from json_bad and says why in walk.reason. */
enum { JSON_FITS = 0, JSON_MISFIT = 1, JSON_BAD = -1 };

/* Patterns and zone of the options, into *s. */
int json_scalars_init(JsonScalars *s, const FormatOptions *options, bool exact, Arena *arena, SiltErr *err);
void json_scalars_fini(JsonScalars *s);

/*
 * The value at the cursor into this row. FITS: the cursor is behind it. MISFIT: nothing was put, the cursor is anywhere; it may be no
 * JSON at all, which who steps over it will see.
 */
int json_scalar_put(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row);
/* A value of any kind into a place of type VARIANT: FITS, BAD, or one of json_variant.h, why it cannot be one; the cursor is anywhere then. */
int json_scalar_variant(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row);
