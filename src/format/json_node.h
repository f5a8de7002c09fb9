#pragma once
/* format/json_node.h - a schema as places that values of records are put into (this folder only) */
#include "duck/chunk.h"
#include "format/infer.h"

#include <string.h>

/* One place of the schema with its column in the chunk that is being built. */
typedef struct JsonNode JsonNode;
struct JsonNode {
    const Type *type;
    TypeKind kind;
    Column *column;
    JsonNode *children; /* STRUCT: fields; ARRAY: element; MAP: key, value */
    int child_count;
    bool needed;
    JsonNode *parent; /* NULL: the root */
    Shape *shape;     /* STRUCT: what was met here that the schema lacks; made when first needed */
    /* STRUCT */
    uint16_t *slots; /* hash of names: field + 1 */
    uint32_t slot_mask;
    JsonNode *first; /* the member that the last object began with */
    /* A field of a STRUCT */
    Str name;
    uint64_t key[2], key_mask[2]; /* "name": as it is usually written, its first 16 bytes; no bytes of UTF-8 if it needs escapes */
    uint32_t key_size;
    const char *key_rest;
    JsonNode *next; /* the member that came behind this one in the last object */
    uint64_t stamp; /* of the object that had it last */
    /* ARRAY, MAP: rows of the child in this chunk */
    uint64_t used, reserved;
};

/* The root of a schema, zeroed before. All lives in arena, types are borrowed. < 0: a type that JSON cannot be read into. */
int json_node_init(JsonNode *node, Arena *arena, const Type *type, SiltErr *err);
/* Values go to this column from now on: it is empty. */
void json_node_bind(JsonNode *node, Column *column);
/* The rows are complete: the children of lists hold exactly what was put there. */
void json_node_settle(JsonNode *node);
void json_node_set_null(JsonNode *node, uint64_t row);
/* Is there room for one more row in the children of a list? Makes it. */
void json_node_list_room(JsonNode *node);

/* The field of this name; NULL: none. */
JsonNode *json_node_find(const JsonNode *node, Str name);
/* readerCaseSensitive => false */
JsonNode *json_node_find_in_any_case(const JsonNode *node, Str name);

/* Does the text go on with this field's name in quotes and the colon right behind it? At most 16 bytes behind end are looked at. */
static inline bool json_node_key_is(const JsonNode *field, const char *text, const char *end)
{
    uint64_t words[2];
    memcpy(words, text, sizeof words);
    return !(((words[0] ^ field->key[0]) & field->key_mask[0]) | ((words[1] ^ field->key[1]) & field->key_mask[1])) &&
           end - text >= (ptrdiff_t)field->key_size &&
           (field->key_size <= sizeof words || memcmp(text + sizeof words, field->key_rest, field->key_size - sizeof words) == 0);
}
