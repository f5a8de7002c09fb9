#pragma once
/* format/json_row.h - a JSON object into one row of columns, directed by the schema (this folder only) */
#include "format/json_scalar.h"
#include "format/rescue.h"

typedef struct JsonRow {
    const FormatOptions *options;
    JsonWalk *walk;
    JsonPlace root;
    JsonPlace *whole; /* singleVariantColumn: the field that takes the whole record; NULL: none */
    JsonScalars scalars;
    uint64_t stamp; /* number of the current object */

    /* Of the record in hand: fields that did not fit, fields that the schema lacks, and what is rescued of both. */
    int64_t misfits, unknowns;
    bool rescue_wanted;
    Rescue rescue;
    Str path[RESCUE_DEPTH_MAX]; /* of fields from the root to here; the name of an unknown one may be in `name` */
    int depth;
    int list_depth;    /* > 0: inside of a list or map, where no path leads: the enclosing field is rescued whole */
    bool list_unclean; /* something in the list was not taken */
    StrBuf name;       /* of an unknown field, when it had escapes */

    FormatInference *unknown; /* shapes of fields that the schema lacks, of all records; NULL: not collected */
    bool has_unknown;
    bool widens; /* of fields that did not fit too */
} JsonRow;

/* Zeroed before. The walk is borrowed. < 0: a schema that JSON cannot be read into, or options that say nothing. */
int json_row_init(JsonRow *r, const FormatOptions *options, const FormatTarget *target, JsonWalk *walk, Arena *arena, SiltErr *err);
void json_row_fini(JsonRow *r);

/* Forget the record before. */
void json_row_clear(JsonRow *r);
/* The value at the cursor, an object unless there is `whole`, into this row. 0, or -1: it is no JSON, or no object; walk->reason says why. */
int json_row_put(JsonRow *r, uint64_t row);
