/* duck/protobuf_put.c - messages that were read into columns, by a plan */
#include "duck/protobuf.h"

#include "duck/avro_value.h"
#include "duck/column_put.h"
#include "duck/print.h"

#include <string.h>

typedef struct Put {
    Arena *arena;
    const char *why;
} Put;

static bool put_node(Put *put, const ProtoPlan *plan, const ProtoNode *node, AvroPlace *place, uint64_t row);

static void list_room(AvroPlace *place)
{
    if (place->used < place->reserved)
        return;
    place->reserved = place->reserved ? place->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(place->column, place->reserved);
    for (int i = 0; i < place->count; i++)
        place->children[i].column = &place->column->children[i];
}

/* Text of proto2 may be anything: U+FFFD for each byte that is no UTF-8. */
static Str mended(Put *put, Str text)
{
    silt_auto(str_buf_fini) StrBuf out = {0};

    if (utf8_valid(text))
        return text;
    for (const char *p = text.ptr, *end = p + text.size; p < end;) {
        int size = utf8_length(p, end);
        if (size)
            str_buf_add(&out, p, (size_t)size);
        else
            utf8_put(&out, 0xFFFD);
        p += size ? size : 1;
    }
    return arena_str(put->arena, str_buf_view(&out));
}

static Str symbol(Put *put, const ProtoEnum *symbols, int32_t number)
{
    for (int i = 0; i < symbols->count; i++)
        if (symbols->numbers[i] == number)
            return str_of(symbols->names[i]);
    return str_of(arena_printf(put->arena, "UNKNOWN_ENUM_VALUE_%s_%d", symbols->name, number)); /* as Java's library names it */
}

static void put_value(Put *put, const ProtoField *field, ProtoCell cell, Column *column, uint64_t row)
{
    Str text;

    column_set_valid(column, row);
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        ((uint8_t *)column->data)[row] = cell.number != 0;
        break;
    case TYPE_INT:
    case TYPE_FLOAT: /* its bits */
        ((uint32_t *)column->data)[row] = (uint32_t)cell.number;
        break;
    case TYPE_LONG:
    case TYPE_DOUBLE:
        ((uint64_t *)column->data)[row] = cell.number;
        break;
    case TYPE_DECIMAL:
        decimal_put(column, row, (__int128)cell.number);
        break;
    default:
        text = field->kind == PROTO_ENUM ? symbol(put, field->symbols, (int32_t)cell.number) : field->kind == PROTO_STRING ? mended(put, cell.bytes) : cell.bytes;
        column_set_string(column, row, text.ptr ? text.ptr : "", text.size);
    }
}

/* What a field of a message is, which was set or not; not for messages. */
static ProtoCell value_of(const ProtoNode *node, int index)
{
    return node->slots[index].count ? node->slots[index].one : node->message->fields[index].initial;
}

/* Seconds and nanoseconds as microseconds, with what Spark makes of seconds beyond its range. */
static bool put_time(Put *put, const ProtoNode *node, Column *column, uint64_t row)
{
    uint64_t seconds = value_of(node, 0).number;
    int32_t nanos = (int32_t)value_of(node, 1).number;
    int64_t us;

    if (__builtin_mul_overflow((int64_t)(seconds * 1000), INT64_C(1000), &us)) {
        put->why = "a time that is out of range";
        return false;
    }
    column_set_valid(column, row);
    ((int64_t *)column->data)[row] = (int64_t)((uint64_t)us + (uint64_t)(int64_t)(nanos / 1000));
    return true;
}

/* One value, not NULL. */
static bool put_cell(Put *put, const ProtoMember *member, ProtoCell cell, AvroPlace *place, uint64_t row)
{
    switch (member->form) {
    case PROTO_AS_VALUE:
        put_value(put, member->field, cell, place->column, row);
        return true;
    case PROTO_AS_TIMESTAMP:
    case PROTO_AS_INTERVAL:
        return put_time(put, cell.node, place->column, row);
    case PROTO_AS_WRAPPED:
        put_value(put, member->plan->members[0].field, value_of(cell.node, 0), place->column, row);
        return true;
    case PROTO_AS_EMPTY:
        column_set_valid(place->column, row);
        avro_set_null(&place->column->children[0], row);
        return true;
    default:
        return put_node(put, member->plan, cell.node, place, row);
    }
}

static bool put_array(Put *put, const ProtoMember *member, const ProtoSlot *slot, AvroPlace *place, uint64_t row)
{
    uint64_t first = place->used;

    for (int i = 0; i < slot->count; i++) {
        list_room(place);
        uint64_t at = place->used++;
        if (!put_cell(put, member, slot->many[i], &place->children[0], at))
            return false;
    }
    column_set_valid(place->column, row);
    ((ChunkList *)place->column->data)[row] = (ChunkList){first, place->used - first};
    return true;
}

/* ---- maps ---- */

static bool same_key(const ProtoNode *a, const ProtoNode *b)
{
    ProtoCell x = value_of(a, 0), y = value_of(b, 0);

    if (a->message->fields[0].kind != PROTO_STRING)
        return x.number == y.number;
    return x.bytes.size == y.bytes.size && (!x.bytes.size || !memcmp(x.bytes.ptr, y.bytes.ptr, x.bytes.size));
}

/* A slot of a hash table: 1 + the entry that is there; the first one with the same key, or an empty one. */
static int *find_key(int *table, uint64_t mask, const ProtoSlot *slot, int entry)
{
    const ProtoNode *node = slot->many[entry].node;
    ProtoCell key = value_of(node, 0);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (node->message->fields[0].kind == PROTO_STRING)
        for (size_t i = 0; i < key.bytes.size; i++)
            hash = (hash ^ (unsigned char)key.bytes.ptr[i]) * UINT64_C(0x100000001b3);
    else
        hash = (hash ^ key.number) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint64_t at = hash ^ hash >> 29;; at++)
        if (!table[at & mask] || same_key(slot->many[table[at & mask] - 1].node, node))
            return &table[at & mask];
}

/* Entries in their order; of equal keys the last value, in the place of the first. */
static bool put_map(Put *put, const ProtoMember *member, const ProtoSlot *slot, AvroPlace *place, uint64_t row)
{
    const ProtoMember *key = &member->plan->members[0], *value = &member->plan->members[1];
    uint64_t first = place->used, mask = 7;

    while (mask < (uint64_t)slot->count * 2)
        mask = mask * 2 + 1;
    int *table = ARENA_ARRAY(put->arena, int, mask + 1), *last = ARENA_ARRAY(put->arena, int, slot->count + 1), *order = ARENA_ARRAY(put->arena, int, slot->count + 1);
    int count = 0;
    for (int i = 0; i < slot->count; i++) {
        int *found = find_key(table, mask, slot, i);
        if (!*found) {
            *found = i + 1;
            order[count++] = i;
        }
        last[*found - 1] = i;
    }
    for (int i = 0; i < count; i++) {
        const ProtoNode *entry = slot->many[last[order[i]]].node;
        list_room(place);
        uint64_t at = place->used++;
        ProtoCell cell = value_of(entry, 1);
        if (value->field->message && !entry->slots[1].count) { /* an empty message */
            ProtoNode *empty = ARENA_NEW(put->arena, ProtoNode);
            *empty = (ProtoNode){value->field->message, ARENA_ARRAY(put->arena, ProtoSlot, value->field->message->count + 1)};
            cell.node = empty;
        }
        if (!put_cell(put, key, value_of(entry, 0), &place->children[0], at) || !put_cell(put, value, cell, &place->children[1], at))
            return false;
    }
    column_set_valid(place->column, row);
    ((ChunkList *)place->column->data)[row] = (ChunkList){first, place->used - first};
    return true;
}

/* ---- fields ---- */

static bool put_member(Put *put, const ProtoPlan *plan, const ProtoMember *member, const ProtoNode *node, AvroPlace *place, uint64_t row)
{
    const ProtoField *field = member->field;
    const ProtoSlot *slot = &node->slots[member->index];

    if (member->form == PROTO_AS_MAP)
        return put_map(put, member, slot, place, row);
    if (field->repeated)
        return put_array(put, member, slot, place, row);
    if (slot->count)
        return put_cell(put, member, slot->one, place, row);
    if (!field->message && (field->has_default || (!field->presence && plan->emit_defaults)))
        return put_cell(put, member, field->initial, place, row);
    avro_set_null(place->column, row);
    return true;
}

static bool put_node(Put *put, const ProtoPlan *plan, const ProtoNode *node, AvroPlace *place, uint64_t row)
{
    column_set_valid(place->column, row);
    for (int i = 0; i < plan->count; i++)
        if (!put_member(put, plan, &plan->members[i], node, &place->children[i], row))
            return false;
    return true;
}

bool proto_put(Arena *arena, const ProtoPlan *plan, const ProtoNode *node, AvroPlace *place, uint64_t row, const char **why)
{
    Put put = {.arena = arena};

    if (put_node(&put, plan, node, place, row))
        return true;
    *why = put.why;
    return false;
}

bool proto_put_member(Arena *arena, const ProtoPlan *plan, int member, const ProtoNode *node, AvroPlace *place, uint64_t row, const char **why)
{
    Put put = {.arena = arena};

    if (!node) {
        avro_set_null(place->column, row);
        return true;
    }
    if (put_member(&put, plan, &plan->members[member], node, place, row))
        return true;
    *why = put.why;
    return false;
}
