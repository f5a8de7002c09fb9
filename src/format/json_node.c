/* format/json_node.c - see json_node.h */
#include "format/json_node.h"

#include <string.h>
#include <strings.h>

static uint32_t hash_name(Str name)
{
    uint32_t h = 2166136261u ^ (uint32_t)name.size;
    for (size_t i = 0; i < name.size; i++)
        h = (h ^ (unsigned char)name.ptr[i]) * 16777619u;
    return h ^ h >> 15;
}

/* How the field is usually written before its value. */
static void set_key(Arena *arena, JsonNode *node)
{
    const Str name = node->name;
    for (size_t i = 0; i < name.size; i++)
        if (name.ptr[i] == '"' || name.ptr[i] == '\\' || (unsigned char)name.ptr[i] < 0x20)
            return;
    node->key_size = (uint32_t)name.size + 3;
    node->key = ARENA_ARRAY(arena, uint64_t, node->key_size / 8 + 1);
    char *text = (char *)node->key;
    text[0] = '"';
    memcpy(text + 1, name.ptr, name.size);
    memcpy(text + 1 + name.size, "\":", 2);
    memset(&node->key_mask, 0xFF, node->key_size % 8 ? node->key_size % 8 : 8);
}

int json_node_init(JsonNode *node, Arena *arena, const Type *type, SiltErr *err)
{
    node->type = type;
    node->kind = type->kind;
    node->needed = true;
    switch (type->kind) {
    case TYPE_STRUCT: {
        if (type->field_count > 65000)
            return silt_fail(err, SILT_CONFIG, "a struct with %d fields: at most 65000 can be read", type->field_count);
        node->child_count = type->field_count;
        node->children = ARENA_ARRAY(arena, JsonNode, type->field_count + 1);
        node->names = ARENA_ARRAY(arena, Str, type->field_count + 1);
        node->stamp = ARENA_ARRAY(arena, uint64_t, type->field_count + 1);
        uint32_t size = 16;
        while (size < (uint32_t)type->field_count * 2)
            size *= 2;
        node->slots = ARENA_ARRAY(arena, uint16_t, size);
        node->slot_mask = size - 1;
        for (int i = 0; i < type->field_count; i++) {
            node->children[i].parent = node;
            SILT_TRY(json_node_init(&node->children[i], arena, type->fields[i].type, err));
            Str name = str_of(type->fields[i].name);
            node->names[i] = node->children[i].name = name;
            set_key(arena, &node->children[i]);
            uint32_t slot = hash_name(name) & node->slot_mask;
            while (node->slots[slot])
                slot = (slot + 1) & node->slot_mask;
            node->slots[slot] = (uint16_t)(i + 1);
        }
        return 0;
    }
    case TYPE_ARRAY:
        node->child_count = 1;
        node->children = ARENA_NEW(arena, JsonNode);
        node->children[0].parent = node;
        return json_node_init(&node->children[0], arena, type->element, err);
    case TYPE_MAP:
        if (type->key->kind != TYPE_STRING)
            return silt_fail(err, SILT_CONFIG, "cannot read JSON into a map with keys of type %s: only STRING", type_text(arena, type->key));
        node->child_count = 2;
        node->children = ARENA_ARRAY(arena, JsonNode, 2);
        node->children[0].parent = node->children[1].parent = node;
        SILT_TRY(json_node_init(&node->children[0], arena, type->key, err));
        return json_node_init(&node->children[1], arena, type->element, err);
    case TYPE_VARIANT:
    case TYPE_TIME:
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return silt_fail(err, SILT_CONFIG, "cannot read JSON into type %s", type_text(arena, type));
    default:
        return 0;
    }
}

void json_node_bind(JsonNode *node, Column *column)
{
    node->column = column;
    node->used = node->reserved = 0;
    for (int i = 0; i < node->child_count; i++)
        json_node_bind(&node->children[i], &column->children[i]);
}

/* The children of lists hold exactly what was put there. */
void json_node_settle(JsonNode *node)
{
    if (node->kind == TYPE_ARRAY || node->kind == TYPE_MAP)
        column_list_reserve(node->column, node->used);
    for (int i = 0; i < node->child_count; i++)
        json_node_settle(&node->children[i]);
}

void json_node_set_null(JsonNode *node, uint64_t row)
{
    column_set_null(node->column, row);
    if (node->kind == TYPE_ARRAY || node->kind == TYPE_MAP)
        ((ChunkList *)node->column->data)[row] = (ChunkList){0};
}

void json_node_list_room(JsonNode *node)
{
    if (node->used < node->reserved)
        return;
    node->reserved = node->reserved ? node->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(node->column, node->reserved);
}

int json_node_find(JsonNode *node, Str name)
{
    int guess = node->guess;
    if (guess < node->child_count && node->names[guess].size == name.size && memcmp(node->names[guess].ptr, name.ptr, name.size) == 0) {
        node->guess = guess + 1;
        return guess;
    }
    for (uint32_t slot = hash_name(name) & node->slot_mask; node->slots[slot]; slot = (slot + 1) & node->slot_mask) {
        int field = node->slots[slot] - 1;
        if (str_equal(node->names[field], name)) {
            node->guess = field + 1;
            return field;
        }
    }
    return -1;
}

int json_node_find_in_any_case(const JsonNode *node, Str name)
{
    for (int i = 0; i < node->child_count; i++)
        if (node->names[i].size == name.size && strncasecmp(node->names[i].ptr, name.ptr, name.size) == 0)
            return i;
    return -1;
}
