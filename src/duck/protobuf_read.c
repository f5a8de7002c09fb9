/*
 * duck/protobuf_read.c - messages in their binary form, read as Java's library does
 *
 *   P1  Of a field that is there more than once the last value counts; messages are merged; setting one field of a oneof clears the others.
 *   P2  A value of another wire type than its field's is an unknown field. At the top that makes the message malformed, as in Spark; deeper it is left out.
 *   P3  A field without presence that holds its default value was not set.
 */
#include "duck/protobuf.h"

#include "duck/protobuf_wire.h"

typedef struct Reader {
    Arena *arena;
    const char *why;
} Reader;

static bool fail(Reader *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return false;
}

static bool skip_group(ProtoCursor *c, uint32_t group, int depth)
{
    uint32_t number;
    ProtoWire wire;

    while (wire_tag(c, &number, &wire)) {
        if (wire == WIRE_END)
            return number == group;
        if (!proto_skip(c, number, wire, depth + 1))
            return false;
    }
    return false;
}

bool proto_skip(ProtoCursor *c, uint32_t number, ProtoWire wire, int depth)
{
    uint64_t value;
    Str bytes;

    switch (wire) {
    case WIRE_VARINT:
        return wire_varint(c, &value);
    case WIRE_64:
        return wire_fixed(c, 8, &value);
    case WIRE_32:
        return wire_fixed(c, 4, &value);
    case WIRE_BYTES:
        return wire_bytes(c, &bytes);
    case WIRE_START:
        return depth < PROTO_DEPTH_MAX && skip_group(c, number, depth);
    default: /* the end of a group that has not begun */
        return false;
    }
}

static ProtoWire wire_of(ProtoKind kind)
{
    switch (kind) {
    case PROTO_DOUBLE:
    case PROTO_FIXED64:
    case PROTO_SFIXED64:
        return WIRE_64;
    case PROTO_FLOAT:
    case PROTO_FIXED32:
    case PROTO_SFIXED32:
        return WIRE_32;
    case PROTO_STRING:
    case PROTO_BYTES:
    case PROTO_MESSAGE:
        return WIRE_BYTES;
    case PROTO_GROUP:
        return WIRE_START;
    default:
        return WIRE_VARINT;
    }
}

static bool read_number(ProtoCursor *c, ProtoKind kind, uint64_t *out)
{
    uint64_t v;

    switch (kind) {
    case PROTO_DOUBLE:
    case PROTO_FIXED64:
    case PROTO_SFIXED64:
        return wire_fixed(c, 8, out);
    case PROTO_FLOAT:
        return wire_fixed(c, 4, out);
    case PROTO_FIXED32:
    case PROTO_SFIXED32:
        if (!wire_fixed(c, 4, &v))
            return false;
        *out = kind == PROTO_FIXED32 ? (uint32_t)v : (uint64_t)(int64_t)(int32_t)v;
        return true;
    default:
        break;
    }
    if (!wire_varint(c, &v))
        return false;
    switch (kind) {
    case PROTO_BOOL:
        v = v != 0;
        break;
    case PROTO_UINT32:
        v = (uint32_t)v;
        break;
    case PROTO_INT32:
    case PROTO_ENUM:
        v = (uint64_t)(int64_t)(int32_t)v;
        break;
    case PROTO_SINT32:
        v = (uint32_t)v;
        v = (uint64_t)(int64_t)(int32_t)((uint32_t)(v >> 1) ^ -(uint32_t)(v & 1));
        break;
    case PROTO_SINT64:
        v = v >> 1 ^ -(v & 1);
        break;
    default:
        break;
    }
    *out = v;
    return true;
}

static bool has_symbol(const ProtoEnum *symbols, uint64_t number)
{
    for (int i = 0; i < symbols->count; i++)
        if ((uint64_t)(int64_t)symbols->numbers[i] == number)
            return true;
    return false;
}

/* ---- what was read goes to its slot ---- */

static void set_cell(Reader *r, ProtoNode *node, const ProtoField *field, ProtoCell cell)
{
    ProtoSlot *slot = &node->slots[field - node->message->fields];

    if (field->repeated) {
        ARENA_PUSH(r->arena, slot->many, slot->count, slot->capacity, cell);
        return;
    }
    for (int i = 0; field->oneof >= 0 && i < node->message->count; i++) /* P1 */
        if (node->message->fields[i].oneof == field->oneof)
            node->slots[i].count = 0;
    bool is_text = field->kind == PROTO_STRING || field->kind == PROTO_BYTES;
    bool is_default = is_text ? cell.bytes.size == 0 : cell.number == field->initial.number;
    slot->one = cell;
    slot->count = field->presence || !is_default; /* P3 */
}

static ProtoNode *node_new(Reader *r, const ProtoMessage *message)
{
    ProtoNode *node = ARENA_NEW(r->arena, ProtoNode);

    *node = (ProtoNode){message, ARENA_ARRAY(r->arena, ProtoSlot, message->count + 1)};
    return node;
}

static bool read_fields(Reader *r, ProtoCursor *c, ProtoNode *node, int depth, uint32_t group);

static bool read_nested(Reader *r, ProtoCursor *c, ProtoNode *node, const ProtoField *field, int depth)
{
    ProtoSlot *slot = &node->slots[field - node->message->fields];
    ProtoNode *nested = !field->repeated && slot->count ? slot->one.node : node_new(r, field->message);
    Str bytes;

    if (depth >= PROTO_DEPTH_MAX)
        return fail(r, "messages are nested deeper than 100");
    if (field->kind == PROTO_GROUP) {
        if (!read_fields(r, c, nested, depth + 1, (uint32_t)field->number))
            return false;
    } else {
        if (!wire_bytes(c, &bytes))
            return fail(r, "it ends in the middle of a field");
        ProtoCursor inner = {bytes.ptr, bytes.ptr + bytes.size};
        if (!read_fields(r, &inner, nested, depth + 1, 0))
            return false;
    }
    set_cell(r, node, field, (ProtoCell){.node = nested});
    return true;
}

/* A number; one that a closed enum has no name for is an unknown field. */
static bool put_number(Reader *r, ProtoNode *node, const ProtoField *field, uint64_t number, int depth)
{
    if (field->kind == PROTO_ENUM && field->symbols->closed && !has_symbol(field->symbols, number))
        return depth ? true : fail(r, "a field is of another type than the descriptor says");
    set_cell(r, node, field, (ProtoCell){.number = number});
    return true;
}

static bool read_packed(Reader *r, ProtoCursor *c, ProtoNode *node, const ProtoField *field, int depth)
{
    Str bytes;
    uint64_t number;

    if (!wire_bytes(c, &bytes))
        return fail(r, "it ends in the middle of a field");
    for (ProtoCursor inner = {bytes.ptr, bytes.ptr + bytes.size}; inner.p < inner.stop;) {
        if (!read_number(&inner, field->kind, &number))
            return fail(r, "it ends in the middle of a field");
        if (!put_number(r, node, field, number, depth))
            return false;
    }
    return true;
}

static bool read_field(Reader *r, ProtoCursor *c, ProtoNode *node, const ProtoField *field, int depth)
{
    uint64_t number;
    Str bytes;

    switch (field->kind) {
    case PROTO_MESSAGE:
    case PROTO_GROUP:
        return read_nested(r, c, node, field, depth);
    case PROTO_STRING:
    case PROTO_BYTES:
        if (!wire_bytes(c, &bytes))
            return fail(r, "it ends in the middle of a field");
        if (field->kind == PROTO_STRING && field->strict_text && !utf8_valid(bytes))
            return fail(r, "a text is not UTF-8");
        set_cell(r, node, field, (ProtoCell){.bytes = bytes});
        return true;
    default:
        if (!read_number(c, field->kind, &number))
            return fail(r, "it ends in the middle of a field");
        return put_number(r, node, field, number, depth);
    }
}

static bool is_packable(const ProtoField *field)
{
    return field->repeated && wire_of(field->kind) != WIRE_BYTES && wire_of(field->kind) != WIRE_START;
}

/* group: the number of the group that this is, which its end must name; 0: it is none. */
static bool read_fields(Reader *r, ProtoCursor *c, ProtoNode *node, int depth, uint32_t group)
{
    uint32_t number;
    ProtoWire wire;

    while (c->p < c->stop) {
        if (!wire_tag(c, &number, &wire))
            return fail(r, "its bytes are no Protobuf");
        if (wire == WIRE_END)
            return number == group || fail(r, "its bytes are no Protobuf");
        const ProtoField *field = proto_field(node->message, (int32_t)number);
        bool good;
        if (field && wire == wire_of(field->kind))
            good = read_field(r, c, node, field, depth);
        else if (field && wire == WIRE_BYTES && is_packable(field))
            good = read_packed(r, c, node, field, depth);
        else if (field && !depth) /* P2 */
            good = fail(r, "a field is of another type than the descriptor says");
        else
            good = proto_skip(c, number, wire, depth) || fail(r, "it ends in the middle of a field");
        if (!good)
            return false;
    }
    return !group || fail(r, "it ends in the middle of a group");
}

/* ---- what must be there ---- */

static bool is_complete(const ProtoNode *node)
{
    for (int i = 0; i < node->message->count; i++) {
        const ProtoField *field = &node->message->fields[i];
        const ProtoSlot *slot = &node->slots[i];
        if (field->required && !slot->count)
            return false;
        for (int k = 0; field->message && k < slot->count; k++)
            if (!is_complete(field->repeated ? slot->many[k].node : slot->one.node))
                return false;
    }
    return true;
}

ProtoNode *proto_read(Arena *arena, const ProtoMessage *message, Str bytes, const char **why)
{
    Reader reader = {.arena = arena};
    ProtoCursor cursor = {bytes.ptr, bytes.ptr + bytes.size};
    ProtoNode *node = node_new(&reader, message);

    if (read_fields(&reader, &cursor, node, 0, 0) && is_complete(node))
        return node;
    *why = reader.why ? reader.why : "a required field is missing";
    return NULL;
}
