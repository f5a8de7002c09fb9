/* format/json_place.c - see json_place.h */
#include "format/json_place.h"

#include <string.h>
#include <strings.h>

static uint32_t hash_name(Str name)
{
    uint32_t h = 2166136261u ^ (uint32_t)name.size;
    for (size_t i = 0; i < name.size; i++)
        h = (h ^ (unsigned char)name.ptr[i]) * 16777619u;
    return h ^ h >> 15;
}

/* Names that are written with escapes get a key that no UTF-8 text has. */
static void set_key(JsonPlace *field, Arena *arena)
{
    const Str name = field->name;
    bool plain = true;
    for (size_t i = 0; i < name.size; i++)
        plain = plain && name.ptr[i] != '"' && name.ptr[i] != '\\' && (unsigned char)name.ptr[i] >= 0x20;
    const char *text = arena_printf(arena, "\"%.*s\":", (int)name.size, name.ptr);
    field->key_size = (uint32_t)name.size + 3;
    size_t head = field->key_size < sizeof field->key ? field->key_size : sizeof field->key;
    memset(field->key_mask, 0xFF, head);
    if (plain)
        memcpy(field->key, text, head);
    else
        memset(field->key, 0xFF, head);
    field->key_rest = text + head;
}

int json_place_init(JsonPlace *node, Arena *arena, const Type *type, SiltErr *err)
{
    node->type = type;
    node->kind = type->kind;
    node->needed = true;
    switch (type->kind) {
    case TYPE_STRUCT: {
        if (type->field_count > 65000)
            return silt_fail(err, SILT_CONFIG, "a struct with %d fields: at most 65000 can be read", type->field_count);
        node->child_count = type->field_count;
        node->children = ARENA_ARRAY(arena, JsonPlace, type->field_count + 1);
        uint32_t size = 16;
        while (size < (uint32_t)type->field_count * 2)
            size *= 2;
        node->slots = ARENA_ARRAY(arena, uint16_t, size);
        node->slot_mask = size - 1;
        node->first = node->children;
        memset(node->children[type->field_count].key, 0xFF, sizeof node->key); /* behind the last field: a name that no text has */
        memset(node->children[type->field_count].key_mask, 0xFF, sizeof node->key_mask);
        for (int i = 0; i < type->field_count; i++) {
            JsonPlace *field = &node->children[i];
            field->parent = node;
            field->next = field + 1;
            SILT_TRY(json_place_init(field, arena, type->fields[i].type, err));
            field->name = str_of(type->fields[i].name);
            set_key(field, arena);
            uint32_t slot = hash_name(field->name) & node->slot_mask;
            while (node->slots[slot])
                slot = (slot + 1) & node->slot_mask;
            node->slots[slot] = (uint16_t)(i + 1);
        }
        return 0;
    }
    case TYPE_ARRAY:
        node->child_count = 1;
        node->children = ARENA_NEW(arena, JsonPlace);
        node->children[0].parent = node;
        return json_place_init(&node->children[0], arena, type->element, err);
    case TYPE_MAP:
        if (type->key->kind != TYPE_STRING)
            return silt_fail(err, SILT_CONFIG, "cannot read JSON into a map with keys of type %s: only STRING", type_text(arena, type->key));
        node->child_count = 2;
        node->children = ARENA_ARRAY(arena, JsonPlace, 2);
        node->children[0].parent = node->children[1].parent = node;
        SILT_TRY(json_place_init(&node->children[0], arena, type->key, err));
        return json_place_init(&node->children[1], arena, type->element, err);
    case TYPE_TIME:
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return silt_fail(err, SILT_CONFIG, "cannot read JSON into type %s", type_text(arena, type));
    default:
        return 0;
    }
}

void json_place_bind(JsonPlace *node, Column *column)
{
    node->column = column;
    node->used = node->reserved = 0;
    for (int i = 0; i < node->child_count; i++)
        json_place_bind(&node->children[i], &column->children[i]);
}

/* The children of lists hold exactly what was put there. */
void json_place_settle(JsonPlace *node)
{
    if (node->kind == TYPE_ARRAY || node->kind == TYPE_MAP)
        column_list_reserve(node->column, node->used);
    for (int i = 0; i < node->child_count; i++)
        json_place_settle(&node->children[i]);
}

void json_place_set_null(JsonPlace *node, uint64_t row)
{
    column_set_null(node->column, row);
    if (node->kind == TYPE_ARRAY || node->kind == TYPE_MAP)
        ((ChunkList *)node->column->data)[row] = (ChunkList){0};
}

void json_place_list_room(JsonPlace *node)
{
    if (node->used < node->reserved)
        return;
    node->reserved = node->reserved ? node->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(node->column, node->reserved);
}

JsonPlace *json_place_find(const JsonPlace *node, Str name)
{
    for (uint32_t slot = hash_name(name) & node->slot_mask; node->slots[slot]; slot = (slot + 1) & node->slot_mask) {
        JsonPlace *field = &node->children[node->slots[slot] - 1];
        if (str_equal(field->name, name))
            return field;
    }
    return NULL;
}

JsonPlace *json_place_find_in_any_case(const JsonPlace *node, Str name)
{
    for (int i = 0; i < node->child_count; i++) {
        JsonPlace *field = &node->children[i];
        if (field->name.size == name.size && strncasecmp(field->name.ptr, name.ptr, name.size) == 0)
            return field;
    }
    return NULL;
}
