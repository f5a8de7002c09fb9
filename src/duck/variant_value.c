/*
 * duck/variant_value.c - see variant_value.h; the layout is described in variant.c
 *
 * Every number that comes from the bytes is checked against their end before it is used.
 */
#include "duck/variant_value.h"

#include <stdlib.h>
#include <string.h>

enum { PRIMITIVE, SHORT_STRING, OBJECT, ARRAY, DEPTH_MAX = 1000, SHORT_MAX = 63 };
enum {
    ID_NULL,
    ID_TRUE,
    ID_FALSE,
    ID_INT8,
    ID_INT16,
    ID_INT32,
    ID_INT64,
    ID_DOUBLE,
    ID_DECIMAL4,
    ID_DECIMAL8,
    ID_DECIMAL16,
    ID_DATE,
    ID_TIMESTAMP,
    ID_TIMESTAMP_NTZ,
    ID_FLOAT,
    ID_BINARY,
    ID_STRING,
    ID_UUID = 20,
};

/* ---- reading ---- */

/* Little-endian, at most 8 bytes. */
static bool number_at(Str bytes, uint64_t at, int size, uint64_t *out)
{
    if (at > bytes.size || bytes.size - at < (uint64_t)size)
        return false;
    *out = 0;
    for (int i = size - 1; i >= 0; i--)
        *out = *out << 8 | (unsigned char)bytes.ptr[at + (uint64_t)i];
    return true;
}

static int64_t signed_of(uint64_t value, int size)
{
    int shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static int primitive_size(int id)
{
    static const uint8_t sizes[] = {0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4};
    return id < (int)sizeof sizes ? sizes[id] : id == ID_UUID ? 16 : -1;
}

static int digits_of(__int128 value)
{
    int digits = 0;
    for (; value; value /= 10)
        digits++;
    return digits;
}

static VariantKind read_decimal(Str bytes, int size, VariantScalar *out)
{
    uint64_t scale, low, high = 0;
    if (!number_at(bytes, 1, 1, &scale) || scale > 38 || !number_at(bytes, 2, size > 8 ? 8 : size, &low) ||
        (size > 8 && !number_at(bytes, 10, 8, &high)))
        return VARIANT_KIND_BAD;
    out->unscaled = size > 8 ? (__int128)((unsigned __int128)high << 64 | low) : signed_of(low, size);
    out->scale = (int)scale;
    out->precision = digits_of(out->unscaled);
    return VARIANT_KIND_DECIMAL;
}

static VariantKind read_primitive(Str bytes, int id, VariantScalar *out)
{
    int size = primitive_size(id);
    uint64_t bits = 0;
    if (size > 0 && size <= 8 && id != ID_DECIMAL4 && !number_at(bytes, 1, size, &bits))
        return VARIANT_KIND_BAD;
    switch (id) {
    case ID_NULL:
        return VARIANT_KIND_NULL;
    case ID_TRUE:
    case ID_FALSE:
        out->whole = id == ID_TRUE;
        return VARIANT_KIND_BOOLEAN;
    case ID_INT8:
    case ID_INT16:
    case ID_INT32:
    case ID_INT64:
        out->whole = signed_of(bits, size);
        return VARIANT_KIND_LONG;
    case ID_DOUBLE:
        memcpy(&out->number, &bits, sizeof out->number);
        return VARIANT_KIND_DOUBLE;
    case ID_FLOAT: {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        out->number = (double)value;
        return VARIANT_KIND_FLOAT;
    }
    case ID_DECIMAL4:
    case ID_DECIMAL8:
    case ID_DECIMAL16:
        return read_decimal(bytes, size - 1, out);
    case ID_DATE:
        out->whole = signed_of(bits, size);
        return VARIANT_KIND_DATE;
    case ID_TIMESTAMP:
    case ID_TIMESTAMP_NTZ:
        out->whole = (int64_t)bits;
        return id == ID_TIMESTAMP ? VARIANT_KIND_TIMESTAMP : VARIANT_KIND_TIMESTAMP_NTZ;
    case ID_BINARY:
    case ID_STRING:
        if (!number_at(bytes, 1, 4, &bits) || bits > bytes.size - 5)
            return VARIANT_KIND_BAD;
        out->text = (Str){bytes.ptr + 5, bits};
        return id == ID_BINARY ? VARIANT_KIND_BINARY : VARIANT_KIND_STRING;
    case ID_UUID:
        if (bytes.size < 17)
            return VARIANT_KIND_BAD;
        out->text = (Str){bytes.ptr + 1, 16};
        return VARIANT_KIND_UUID;
    default:
        return VARIANT_KIND_BAD;
    }
}

VariantKind variant_read(const Variant *variant, VariantScalar *scalar)
{
    VariantScalar unused;
    VariantScalar *out = scalar ? scalar : &unused;
    uint64_t head;
    *out = (VariantScalar){0};
    if (!number_at(variant->value, 0, 1, &head))
        return VARIANT_KIND_BAD;
    switch (head & 3) {
    case PRIMITIVE:
        return read_primitive(variant->value, (int)(head >> 2), out);
    case SHORT_STRING:
        if (head >> 2 > variant->value.size - 1)
            return VARIANT_KIND_BAD;
        out->text = (Str){variant->value.ptr + 1, head >> 2};
        return VARIANT_KIND_STRING;
    default:
        return (head & 3) == OBJECT ? VARIANT_KIND_OBJECT : VARIANT_KIND_ARRAY;
    }
}

/* Where the parts of an object or array lie in its value. */
typedef struct Container {
    bool object;
    int offset_size, id_size;
    uint64_t count, ids, offsets, data;
} Container;

static bool read_container(const Variant *variant, Container *c)
{
    uint64_t head;
    if (!number_at(variant->value, 0, 1, &head) || (head & 3) < OBJECT)
        return false;
    c->object = (head & 3) == OBJECT;
    head >>= 2;
    c->offset_size = (int)(head & 3) + 1;
    c->id_size = c->object ? (int)(head >> 2 & 3) + 1 : 0;
    int count_size = head >> (c->object ? 4 : 2) & 1 ? 4 : 1;
    if (!number_at(variant->value, 1, count_size, &c->count))
        return false;
    c->ids = 1 + (uint64_t)count_size;
    c->offsets = c->ids + c->count * (uint64_t)c->id_size;
    c->data = c->offsets + (c->count + 1) * (uint64_t)c->offset_size;
    return c->data <= variant->value.size;
}

static bool name_of(Str metadata, uint64_t id, Str *out)
{
    uint64_t head, count, from, to;
    if (!number_at(metadata, 0, 1, &head) || (head & 15) != 1)
        return false;
    int size = (int)(head >> 6) + 1;
    if (!number_at(metadata, 1, size, &count) || id >= count)
        return false;
    uint64_t offsets = 1 + (uint64_t)size, texts = offsets + (count + 1) * (uint64_t)size;
    if (!number_at(metadata, offsets + id * (uint64_t)size, size, &from) ||
        !number_at(metadata, offsets + (id + 1) * (uint64_t)size, size, &to) || from > to || texts > metadata.size ||
        to > metadata.size - texts)
        return false;
    *out = (Str){metadata.ptr + texts + from, to - from};
    return true;
}

int64_t variant_count(const Variant *variant)
{
    Container c;
    return read_container(variant, &c) ? (int64_t)c.count : -1;
}

bool variant_at(const Variant *variant, int64_t index, Str *name, Variant *out)
{
    Container c;
    uint64_t from, id;
    if (!read_container(variant, &c) || index < 0 || (uint64_t)index >= c.count ||
        !number_at(variant->value, c.offsets + (uint64_t)index * (uint64_t)c.offset_size, c.offset_size, &from) ||
        from >= variant->value.size - c.data)
        return false;
    if (c.object && name &&
        (!number_at(variant->value, c.ids + (uint64_t)index * (uint64_t)c.id_size, c.id_size, &id) ||
         !name_of(variant->metadata, id, name)))
        return false;
    *out = (Variant){variant->metadata, {variant->value.ptr + c.data + from, variant->value.size - c.data - from}};
    return true;
}

bool variant_field(const Variant *object, Str name, Variant *out)
{
    int64_t count = variant_count(object);
    Str here;
    if (variant_read(object, NULL) != VARIANT_KIND_OBJECT)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (variant_at(object, i, &here, out) && str_equal(here, name))
            return true;
    return false;
}

size_t variant_size(const Variant *variant)
{
    VariantScalar scalar;
    Container c;
    uint64_t end;
    switch (variant_read(variant, &scalar)) {
    case VARIANT_KIND_BAD:
        return 0;
    case VARIANT_KIND_STRING:
    case VARIANT_KIND_BINARY:
        return (size_t)(scalar.text.ptr - variant->value.ptr) + scalar.text.size;
    case VARIANT_KIND_OBJECT:
    case VARIANT_KIND_ARRAY:
        if (!read_container(variant, &c) ||
            !number_at(variant->value, c.offsets + c.count * (uint64_t)c.offset_size, c.offset_size, &end) ||
            end > variant->value.size - c.data)
            return 0;
        return c.data + end;
    default:
        return 1 + (size_t)primitive_size((unsigned char)variant->value.ptr[0] >> 2);
    }
}

/* ---- building ---- */

static void put_number(StrBuf *out, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        str_buf_putc(out, (char)(value >> 8 * i));
}

static void put_primitive(StrBuf *out, int id)
{
    str_buf_putc(out, (char)(id << 2 | PRIMITIVE));
}

void variant_put_null(StrBuf *out)
{
    put_primitive(out, ID_NULL);
}

void variant_put_boolean(StrBuf *out, bool value)
{
    put_primitive(out, value ? ID_TRUE : ID_FALSE);
}

void variant_put_long(StrBuf *out, int64_t value)
{
    int size = value == (int8_t)value ? 1 : value == (int16_t)value ? 2 : value == (int32_t)value ? 4 : 8;
    put_primitive(out, size == 1 ? ID_INT8 : size == 2 ? ID_INT16 : size == 4 ? ID_INT32 : ID_INT64);
    put_number(out, (uint64_t)value, size);
}

void variant_put_double(StrBuf *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_primitive(out, ID_DOUBLE);
    put_number(out, bits, 8);
}

void variant_put_float(StrBuf *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_primitive(out, ID_FLOAT);
    put_number(out, bits, 4);
}

void variant_put_decimal(StrBuf *out, __int128 unscaled, int scale)
{
    int digits = digits_of(unscaled), most = digits > scale ? digits : scale;
    int size = most <= 9 ? 4 : most <= 18 ? 8 : 16;
    put_primitive(out, size == 4 ? ID_DECIMAL4 : size == 8 ? ID_DECIMAL8 : ID_DECIMAL16);
    str_buf_putc(out, (char)scale);
    put_number(out, (uint64_t)unscaled, size > 8 ? 8 : size);
    if (size > 8)
        put_number(out, (uint64_t)(unscaled >> 64), 8);
}

void variant_put_date(StrBuf *out, int32_t days)
{
    put_primitive(out, ID_DATE);
    put_number(out, (uint32_t)days, 4);
}

void variant_put_timestamp(StrBuf *out, int64_t us, bool ntz)
{
    put_primitive(out, ntz ? ID_TIMESTAMP_NTZ : ID_TIMESTAMP);
    put_number(out, (uint64_t)us, 8);
}

void variant_put_text(StrBuf *out, Str text)
{
    if (text.size <= SHORT_MAX) {
        str_buf_putc(out, (char)(text.size << 2 | SHORT_STRING));
    } else {
        put_primitive(out, ID_STRING);
        put_number(out, text.size, 4);
    }
    str_buf_str(out, text);
}

void variant_put_binary(StrBuf *out, Str bytes)
{
    put_primitive(out, ID_BINARY);
    put_number(out, bytes.size, 4);
    str_buf_str(out, bytes);
}

static uint64_t name_id(VariantBuilder *builder, Str name)
{
    for (int i = 0; i < builder->name_count; i++)
        if (str_equal(builder->names[i], name))
            return (uint64_t)i;
    ARENA_PUSH(builder->arena, builder->names, builder->name_count, builder->name_capacity, arena_str(builder->arena, name));
    return (uint64_t)builder->name_count - 1;
}

static int bytes_for(uint64_t value)
{
    return value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFFFF ? 3 : 4;
}

typedef struct Entry {
    Str name;
    uint64_t id, offset;
} Entry;

static int by_name(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    int order = memcmp(x->name.ptr, y->name.ptr, x->name.size < y->name.size ? x->name.size : y->name.size);
    return order ? order : x->name.size < y->name.size ? -1 : x->name.size > y->name.size;
}

/* Fields are listed by name, values stay in the order given. */
void variant_put_many(VariantBuilder *builder, StrBuf *out, const Str *names, const Str *values, int count)
{
    Entry *entries = ARENA_ARRAY(builder->arena, Entry, count + 1);
    uint64_t size = 0, id_max = 0;
    for (int i = 0; i < count; i++) {
        entries[i] = (Entry){.name = names ? names[i] : (Str){0}, .offset = size};
        if (names) {
            entries[i].id = name_id(builder, names[i]);
            entries[i].name = builder->names[entries[i].id];
        }
        id_max = entries[i].id > id_max ? entries[i].id : id_max;
        size += values[i].size;
    }
    if (names && count)
        qsort(entries, (size_t)count, sizeof *entries, by_name);
    bool large = count > 0xFF;
    int offset_size = bytes_for(size), id_size = bytes_for(id_max);
    int head = names ? large << 4 | (id_size - 1) << 2 | (offset_size - 1) : large << 2 | (offset_size - 1);
    str_buf_putc(out, (char)(head << 2 | (names ? OBJECT : ARRAY)));
    put_number(out, (uint64_t)count, large ? 4 : 1);
    for (int i = 0; i < count && names; i++)
        put_number(out, entries[i].id, id_size);
    for (int i = 0; i < count; i++)
        put_number(out, entries[i].offset, offset_size);
    put_number(out, size, offset_size);
    for (int i = 0; i < count; i++)
        str_buf_str(out, values[i]);
}

/* Digits and a point, at most 38 of them: a decimal, as Spark's parse_json prefers it; an integer: a long. */
static void put_json_number(StrBuf *out, Str text)
{
    int64_t whole;
    __int128 unscaled = 0;
    int digits = 0, scale = 0;
    bool plain = true, point = false;
    if (str_to_int64(text, &whole)) {
        variant_put_long(out, whole);
        return;
    }
    for (size_t i = text.ptr[0] == '-'; i < text.size && plain; i++) {
        char c = text.ptr[i];
        if (c == '.') {
            point = true;
            continue;
        }
        plain = c >= '0' && c <= '9' && (digits < 38 || (digits == 0 && c == '0'));
        if (!plain)
            break;
        unscaled = unscaled * 10 + (c - '0');
        digits += unscaled != 0;
        scale += point;
    }
    if (plain && scale <= 38)
        variant_put_decimal(out, text.ptr[0] == '-' ? -unscaled : unscaled, scale);
    else
        variant_put_double(out, strtod(text.ptr, NULL));
}

static bool put_node_many(VariantBuilder *builder, StrBuf *out, const Node *node, int depth)
{
    bool object = node->kind == NODE_OBJECT;
    int count = node->count;
    Str *names = ARENA_ARRAY(builder->arena, Str, count + 1), *values = ARENA_ARRAY(builder->arena, Str, count + 1);
    StrBuf one = {0};
    bool ok = depth < DEPTH_MAX && !(object && node_has_name_twice(node));
    for (int i = 0; i < count && ok; i++) {
        str_buf_clear(&one);
        if (object) {
            names[i] = node->keys[i];
            name_id(builder, names[i]); /* ids in the order of the text, outer before inner */
        }
        ok = variant_put_json(builder, &one, node->items[i], depth + 1);
        values[i] = arena_str(builder->arena, str_buf_view(&one));
    }
    str_buf_fini(&one);
    if (ok)
        variant_put_many(builder, out, object ? names : NULL, values, count);
    return ok;
}

bool variant_put_json(VariantBuilder *builder, StrBuf *out, const Node *node, int depth)
{
    switch (node->kind) {
    case NODE_NULL:
        variant_put_null(out);
        return true;
    case NODE_BOOL:
        variant_put_boolean(out, node->text.ptr[0] == 't');
        return true;
    case NODE_NUMBER:
        put_json_number(out, arena_str(builder->arena, node->text));
        return true;
    case NODE_STRING:
        variant_put_text(out, node->text);
        return true;
    default:
        return put_node_many(builder, out, node, depth);
    }
}

void variant_put_metadata(const VariantBuilder *builder, StrBuf *out)
{
    uint64_t size = 0, largest;
    for (int i = 0; i < builder->name_count; i++)
        size += builder->names[i].size;
    largest = size > (uint64_t)builder->name_count ? size : (uint64_t)builder->name_count;
    int offset_size = bytes_for(largest);
    str_buf_putc(out, (char)(1 | (offset_size - 1) << 6));
    put_number(out, (uint64_t)builder->name_count, offset_size);
    size = 0;
    for (int i = 0; i < builder->name_count; i++) {
        put_number(out, size, offset_size);
        size += builder->names[i].size;
    }
    put_number(out, size, offset_size);
    for (int i = 0; i < builder->name_count; i++)
        str_buf_str(out, builder->names[i]);
}
