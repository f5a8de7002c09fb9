#pragma once
/* format/json_place.h - a schema as places that values of records are put into (this folder only) */
#include "duck/chunk.h"
#include "format/infer.h"

#include <string.h>

/* One place of the schema with its column in the chunk that is being built. */
typedef struct JsonPlace JsonPlace;
struct JsonPlace {
    const Type *type;
    TypeKind kind;
    Column *column;
    JsonPlace *children; /* STRUCT: fields; ARRAY: element; MAP: key, value */
    int child_count;
    bool needed;
    JsonPlace *parent; /* NULL: the root */
    Shape *shape;     /* STRUCT: what was met here that the schema lacks; made when first needed */
    /* STRUCT */
    uint16_t *slots; /* hash of names: field + 1 */
    uint32_t slot_mask;
    JsonPlace *first; /* the member that the last object began with */
    /* A field of a STRUCT */
    Str name;
    uint64_t key[2], key_mask[2]; /* "name": as it is usually written, its first 16 bytes; no bytes of UTF-8 if it needs escapes */
    uint32_t key_size;
    const char *key_rest;
    JsonPlace *next; /* the member that came behind this one in the last object */
    uint64_t stamp; /* of the object that had it last */
    /* ARRAY, MAP: rows of the child in this chunk */
    uint64_t used, reserved;
};

/* The root of a schema, zeroed before. All lives in arena, types are borrowed. < 0: a type that JSON cannot be read into. */
int json_place_init(JsonPlace *node, Arena *arena, const Type *type, SiltErr *err);
/* Values go to this column from now on: it is empty. */
void json_place_bind(JsonPlace *node, Column *column);
/* The rows are complete: the children of lists hold exactly what was put there. */
void json_place_settle(JsonPlace *node);
void json_place_set_null(JsonPlace *node, uint64_t row);
/* Is there room for one more row in the children of a list? Makes it. */
void json_place_list_room(JsonPlace *node);

/* The field of this name; NULL: none. */
JsonPlace *json_place_find(const JsonPlace *node, Str name);
/* readerCaseSensitive => false */
JsonPlace *json_place_find_in_any_case(const JsonPlace *node, Str name);

/* Does the text go on with this field's name in quotes and the colon right behind it? At most 16 bytes behind end are looked at. */
static inline bool json_place_key_is(const JsonPlace *field, const char *text, const char *end)
{
    uint64_t words[2];
    memcpy(words, text, sizeof words);
    return !(((words[0] ^ field->key[0]) & field->key_mask[0]) | ((words[1] ^ field->key[1]) & field->key_mask[1])) &&
           end - text >= (ptrdiff_t)field->key_size &&
           (field->key_size <= sizeof words || memcmp(text + sizeof words, field->key_rest, field->key_size - sizeof words) == 0);
}
