#pragma once
/* format/json_node.h - a schema as places that values of records are put into (this folder only) */
#include "duck/chunk.h"
#include "format/infer.h"

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
    Str *names;
    uint16_t *slots; /* hash of names: field + 1 */
    uint32_t slot_mask;
    int guess;       /* where the next name is probably found */
    uint64_t *stamp; /* per field: the object that wrote it last */
    Str name;        /* of this field in its struct */
    uint64_t *key;   /* "name": in words of 8 bytes; NULL if the name would be written with escapes */
    uint32_t key_size;
    uint64_t key_mask; /* of the last word */
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

/* The field of this name; -1: none. */
int json_node_find(JsonNode *node, Str name);
/* readerCaseSensitive => false */
int json_node_find_in_any_case(const JsonNode *node, Str name);
