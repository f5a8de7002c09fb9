#pragma once
/*
 * duck/json_put.h - values of JSON into columns, as Spark's reader converts them
 *
 * A value that does not fit its type is NULL; of a struct only the field is. One element that does not fit costs a whole ARRAY or MAP.
 */
#include "duck/fn_json.h"

/* Beside a column that is filled row by row, and beside each column below it. */
typedef struct JsonFill {
    uint64_t used;             /* ARRAY, MAP: rows of the children so far */
    Str name;                  /* of the field that it is; empty where it is none */
    bool hidden;               /* a later field of the struct has the same name, and takes the values */
    uint64_t stamp;            /* of the object that has set the field last */
    const char *value;         /* the text from which it has its value; NULL: none has fit */
    struct JsonFill *children; /* as the column's */
} JsonFill;

/* For a column and all below it, which hold no row yet; lives in the arena. */
JsonFill *json_fill_new(Arena *arena, const Column *column);

typedef struct JsonPut {
    const FnJson *json;
    const Zone *zone;
    bool bad; /* something did not fit */
} JsonPut;

/* The row of a column that was made NULL, and of the fields below it, can be put once more. */
void json_put_again(Column *column, uint64_t row);
/* Rows of `out`, and of the columns below it, are valid before. False: the value does not fit and is NULL, and c->bad is set. */
bool json_put_value(JsonPut *c, Column *out, JsonFill *fill, uint64_t row, const Node *node);
