/*
 * duck/variant_value.c - see variant_value.h; the layout is described in variant.c
 *
 * Every number that comes from the bytes is checked against their end before it is used.
 */
#include "duck/variant_value.h"

#include "duck/variant_layout.h"

#include <string.h>

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
    return id < (int)sizeof sizes ? sizes[id] : id == VARIANT_ID_UUID ? 16 : -1;
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
    return variant_decimal_fits(out->unscaled, scale, size) ? VARIANT_KIND_DECIMAL : VARIANT_KIND_BAD;
}

static VariantKind read_primitive(Str bytes, int id, VariantScalar *out)
{
    int size = primitive_size(id);
    uint64_t bits = 0;
    if (size > 0 && size <= 8 && id != VARIANT_ID_DECIMAL4 && !number_at(bytes, 1, size, &bits))
        return VARIANT_KIND_BAD;
    switch (id) {
    case VARIANT_ID_NULL:
        return VARIANT_KIND_NULL;
    case VARIANT_ID_TRUE:
    case VARIANT_ID_FALSE:
        out->whole = id == VARIANT_ID_TRUE;
        return VARIANT_KIND_BOOLEAN;
    case VARIANT_ID_INT8:
    case VARIANT_ID_INT16:
    case VARIANT_ID_INT32:
    case VARIANT_ID_INT64:
        out->whole = signed_of(bits, size);
        return VARIANT_KIND_LONG;
    case VARIANT_ID_DOUBLE:
        memcpy(&out->number, &bits, sizeof out->number);
        return VARIANT_KIND_DOUBLE;
    case VARIANT_ID_FLOAT: {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        out->number = (double)value;
        return VARIANT_KIND_FLOAT;
    }
    case VARIANT_ID_DECIMAL4:
    case VARIANT_ID_DECIMAL8:
    case VARIANT_ID_DECIMAL16:
        return read_decimal(bytes, size - 1, out);
    case VARIANT_ID_DATE:
        out->whole = signed_of(bits, size);
        return VARIANT_KIND_DATE;
    case VARIANT_ID_TIMESTAMP:
    case VARIANT_ID_TIMESTAMP_NTZ:
        out->whole = (int64_t)bits;
        return id == VARIANT_ID_TIMESTAMP ? VARIANT_KIND_TIMESTAMP : VARIANT_KIND_TIMESTAMP_NTZ;
    case VARIANT_ID_BINARY:
    case VARIANT_ID_STRING:
        if (!number_at(bytes, 1, 4, &bits) || bits > bytes.size - 5)
            return VARIANT_KIND_BAD;
        out->text = (Str){bytes.ptr + 5, bits};
        return id == VARIANT_ID_BINARY ? VARIANT_KIND_BINARY : VARIANT_KIND_STRING;
    case VARIANT_ID_UUID:
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
    case VARIANT_PRIMITIVE:
        return read_primitive(variant->value, (int)(head >> 2), out);
    case VARIANT_SHORT_STRING:
        if (head >> 2 > variant->value.size - 1)
            return VARIANT_KIND_BAD;
        out->text = (Str){variant->value.ptr + 1, head >> 2};
        return VARIANT_KIND_STRING;
    default:
        return (head & 3) == VARIANT_OBJECT ? VARIANT_KIND_OBJECT : VARIANT_KIND_ARRAY;
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
    if (!number_at(variant->value, 0, 1, &head) || (head & 3) < VARIANT_OBJECT)
        return false;
    c->object = (head & 3) == VARIANT_OBJECT;
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
    if (!number_at(metadata, 0, 1, &head) || (head & 15) != VARIANT_VERSION)
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

VariantFound variant_field(const Variant *object, Str name, Variant *out)
{
    VariantKind kind = variant_read(object, NULL);
    int64_t count = variant_count(object);
    Str here;
    if (kind == VARIANT_KIND_BAD || (kind == VARIANT_KIND_OBJECT && count < 0))
        return VARIANT_BROKEN;
    for (int64_t i = 0; i < count && kind == VARIANT_KIND_OBJECT; i++) {
        if (!variant_at(object, i, &here, out))
            return VARIANT_BROKEN;
        if (str_equal(here, name))
            return VARIANT_FOUND;
    }
    return VARIANT_ABSENT;
}

VariantFound variant_item_at(const Variant *array, int64_t index, Variant *out)
{
    VariantKind kind = variant_read(array, NULL);
    int64_t count = variant_count(array);
    if (kind == VARIANT_KIND_BAD || (kind == VARIANT_KIND_ARRAY && count < 0))
        return VARIANT_BROKEN;
    if (kind != VARIANT_KIND_ARRAY || index < 0 || index >= count)
        return VARIANT_ABSENT;
    return variant_at(array, index, NULL, out) ? VARIANT_FOUND : VARIANT_BROKEN;
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
