/*
 * duck/variant_writer.c - see variant_writer.h; the layout is described in variant.c
 *
 *   W1  Names are numbered as they come, each once over the whole value; fields of an object are listed by the bytes of their names, their values
 *       stay in the order in which they came.
 *   W2  Each number takes the fewest bytes that hold it.
 */
#include "duck/variant_writer.h"

#include "duck/json_node.h"
#include "duck/variant_layout.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT_MAX = 63 };

void variant_writer_fini(VariantWriter *w)
{
    str_buf_fini(&w->value);
    str_buf_fini(&w->names);
    str_buf_fini(&w->shuffle);
    free(w->name_ends);
    free(w->slots);
    free(w->entries);
    *w = (VariantWriter){0};
}

void variant_writer_clear(VariantWriter *w)
{
    str_buf_clear(&w->value);
    str_buf_clear(&w->names);
    if (w->name_count)
        memset(w->slots, 0, w->slot_count * sizeof *w->slots);
    w->name_count = w->entry_count = 0;
}

static void put_number(StrBuf *out, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        str_buf_putc(out, (char)(value >> 8 * i));
}

static char *store_number(char *at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        at[i] = (char)(value >> 8 * i);
    return at + size;
}

static int bytes_for(uint64_t value)
{
    return value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFFFF ? 3 : 4;
}

/* ---- names ---- */

static Str name_of(const VariantWriter *w, uint32_t id)
{
    size_t from = id ? w->name_ends[id - 1] : 0;
    return (Str){w->names.ptr + from, w->name_ends[id] - from};
}

static uint32_t hash_of(Str name)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < name.size; i++)
        h = (h ^ (unsigned char)name.ptr[i]) * 16777619u;
    return h ^ h >> 15;
}

static uint32_t *find_slot(const VariantWriter *w, Str name)
{
    uint32_t at = hash_of(name) & (w->slot_count - 1);
    while (w->slots[at] && !str_equal(name_of(w, w->slots[at] - 1), name))
        at = (at + 1) & (w->slot_count - 1);
    return &w->slots[at];
}

static void more_slots(VariantWriter *w)
{
    w->slot_count = w->slot_count ? w->slot_count * 2 : 64;
    free(w->slots);
    w->slots = silt_alloc(w->slot_count * sizeof *w->slots);
    for (int id = 0; id < w->name_count; id++)
        *find_slot(w, name_of(w, (uint32_t)id)) = (uint32_t)id + 1;
}

static uint32_t name_id(VariantWriter *w, Str name)
{
    if ((uint32_t)w->name_count * 2 >= w->slot_count)
        more_slots(w);
    uint32_t *slot = find_slot(w, name);
    if (*slot)
        return *slot - 1;
    if (w->name_count == w->name_capacity) {
        w->name_capacity = w->name_capacity ? w->name_capacity * 2 : 32;
        w->name_ends = silt_realloc(w->name_ends, sizeof *w->name_ends * (size_t)w->name_capacity);
    }
    str_buf_str(&w->names, name);
    w->name_ends[w->name_count++] = (uint32_t)w->names.size;
    return *slot = (uint32_t)w->name_count, *slot - 1;
}

void variant_writer_metadata(const VariantWriter *w, StrBuf *out)
{
    uint64_t largest = w->names.size > (uint64_t)w->name_count ? w->names.size : (uint64_t)w->name_count;
    int size = bytes_for(largest);
    str_buf_putc(out, (char)(VARIANT_VERSION | (size - 1) << 6));
    put_number(out, (uint64_t)w->name_count, size);
    put_number(out, 0, size);
    for (int i = 0; i < w->name_count; i++)
        put_number(out, w->name_ends[i], size);
    str_buf_str(out, str_buf_view(&w->names));
}

/* ---- containers ---- */

VariantOpen variant_open(VariantWriter *w)
{
    return (VariantOpen){w->value.size, w->entry_count};
}

static void add_entry(VariantWriter *w, uint32_t id)
{
    if (w->entry_count == w->entry_capacity) {
        w->entry_capacity = w->entry_capacity ? w->entry_capacity * 2 : 64;
        w->entries = silt_realloc(w->entries, sizeof *w->entries * (size_t)w->entry_capacity);
    }
    w->entries[w->entry_count++] = (VariantEntry){id, w->value.size};
}

void variant_name(VariantWriter *w, Str name)
{
    add_entry(w, name_id(w, name));
}

void variant_item(VariantWriter *w)
{
    add_entry(w, 0);
}

Str variant_twice(const VariantWriter *w)
{
    return name_of(w, w->twice);
}

static int compare_names(const VariantWriter *w, uint32_t a, uint32_t b)
{
    Str x = name_of(w, a), y = name_of(w, b);
    int order = a == b ? 0 : memcmp(x.ptr, y.ptr, x.size < y.size ? x.size : y.size);
    return order || a == b ? order : x.size < y.size ? -1 : 1; /* names of two numbers differ */
}

/* By merging: records of one shape come sorted or nearly so, and one of thousands of fields must not take their square. */
static void sort_entries(VariantWriter *w, VariantEntry *entries, VariantEntry *spare, int count)
{
    int half = count / 2;
    if (count < 2)
        return;
    sort_entries(w, entries, spare, half);
    sort_entries(w, entries + half, spare, count - half);
    if (compare_names(w, entries[half - 1].id, entries[half].id) <= 0)
        return;
    memcpy(spare, entries, sizeof *entries * (size_t)half);
    for (int i = 0, left = 0, right = half; left < half; i++)
        entries[i] = right < count && compare_names(w, entries[right].id, spare[left].id) < 0 ? entries[right++] : spare[left++];
}

/* Make room before the values for what tells where they are. */
static void put_head(VariantWriter *w, VariantOpen open, bool object)
{
    VariantEntry *entries = w->entries + open.first;
    int count = w->entry_count - open.first;
    size_t size = w->value.size - open.start;
    uint32_t id_max = 0;
    for (int i = 0; i < count && object; i++)
        id_max = entries[i].id > id_max ? entries[i].id : id_max;
    bool large = count > 0xFF;
    int count_size = large ? 4 : 1, offset_size = bytes_for(size), id_size = object ? bytes_for(id_max) : 0;
    size_t head_size = 1 + (size_t)count_size + (size_t)count * (size_t)id_size + ((size_t)count + 1) * (size_t)offset_size;
    str_buf_reserve(&w->value, head_size);
    char *at = w->value.ptr + open.start;
    memmove(at + head_size, at, size);
    w->value.size += head_size;
    w->value.ptr[w->value.size] = 0;

    int head = object ? large << 4 | (id_size - 1) << 2 | (offset_size - 1) : large << 2 | (offset_size - 1);
    *at++ = (char)(head << 2 | (object ? VARIANT_OBJECT : VARIANT_ARRAY));
    at = store_number(at, (uint64_t)count, count_size);
    for (int i = 0; i < count && object; i++)
        at = store_number(at, entries[i].id, id_size);
    for (int i = 0; i < count; i++)
        at = store_number(at, entries[i].offset - open.start, offset_size);
    store_number(at, size, offset_size);
    w->entry_count = open.first;
}

bool variant_close_object(VariantWriter *w, VariantOpen open)
{
    VariantEntry *entries = w->entries + open.first;
    int count = w->entry_count - open.first;
    str_buf_clear(&w->shuffle);
    str_buf_reserve(&w->shuffle, sizeof *entries * (size_t)(count / 2 + 1));
    sort_entries(w, entries, (VariantEntry *)(void *)w->shuffle.ptr, count);
    for (int i = 1; i < count; i++)
        if (entries[i].id == entries[i - 1].id) {
            w->twice = entries[i].id;
            return false;
        }
    put_head(w, open, true);
    return true;
}

void variant_close_array(VariantWriter *w, VariantOpen open)
{
    put_head(w, open, false);
}

/* ---- scalars ---- */

static void put_primitive(StrBuf *out, int id)
{
    str_buf_putc(out, (char)(id << 2 | VARIANT_PRIMITIVE));
}

void variant_put_null(StrBuf *out)
{
    put_primitive(out, VARIANT_ID_NULL);
}

void variant_put_boolean(StrBuf *out, bool value)
{
    put_primitive(out, value ? VARIANT_ID_TRUE : VARIANT_ID_FALSE);
}

void variant_put_long(StrBuf *out, int64_t value)
{
    int size = value == (int8_t)value ? 1 : value == (int16_t)value ? 2 : value == (int32_t)value ? 4 : 8;
    put_primitive(out, size == 1 ? VARIANT_ID_INT8 : size == 2 ? VARIANT_ID_INT16 : size == 4 ? VARIANT_ID_INT32 : VARIANT_ID_INT64);
    put_number(out, (uint64_t)value, size);
}

void variant_put_double(StrBuf *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_primitive(out, VARIANT_ID_DOUBLE);
    put_number(out, bits, 8);
}

void variant_put_float(StrBuf *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_primitive(out, VARIANT_ID_FLOAT);
    put_number(out, bits, 4);
}

static int digits_of(__int128 value)
{
    int digits = 0;
    for (; value; value /= 10)
        digits++;
    return digits;
}

void variant_put_decimal(StrBuf *out, __int128 unscaled, int scale)
{
    int digits = digits_of(unscaled), most = digits > scale ? digits : scale;
    int size = most <= 9 ? 4 : most <= 18 ? 8 : 16;
    put_primitive(out, size == 4 ? VARIANT_ID_DECIMAL4 : size == 8 ? VARIANT_ID_DECIMAL8 : VARIANT_ID_DECIMAL16);
    str_buf_putc(out, (char)scale);
    put_number(out, (uint64_t)unscaled, size > 8 ? 8 : size);
    if (size > 8)
        put_number(out, (uint64_t)(unscaled >> 64), 8);
}

void variant_put_date(StrBuf *out, int32_t days)
{
    put_primitive(out, VARIANT_ID_DATE);
    put_number(out, (uint32_t)days, 4);
}

void variant_put_timestamp(StrBuf *out, int64_t us, bool ntz)
{
    put_primitive(out, ntz ? VARIANT_ID_TIMESTAMP_NTZ : VARIANT_ID_TIMESTAMP);
    put_number(out, (uint64_t)us, 8);
}

void variant_put_text(StrBuf *out, Str text)
{
    if (text.size <= SHORT_MAX) {
        str_buf_putc(out, (char)(text.size << 2 | VARIANT_SHORT_STRING));
    } else {
        put_primitive(out, VARIANT_ID_STRING);
        put_number(out, text.size, 4);
    }
    str_buf_str(out, text);
}

void variant_put_binary(StrBuf *out, Str bytes)
{
    put_primitive(out, VARIANT_ID_BINARY);
    put_number(out, bytes.size, 4);
    str_buf_str(out, bytes);
}

bool variant_put_number(StrBuf *out, Str text)
{
    int64_t whole;
    __int128 unscaled = 0;
    int digits = 0, scale = 0;
    bool point = false, negative = text.size && text.ptr[0] == '-';
    if (str_to_int64(text, &whole)) {
        variant_put_long(out, whole);
        return true;
    }
    for (size_t i = negative; i < text.size; i++) {
        char c = text.ptr[i];
        if (c == '.') {
            point = true;
            continue;
        }
        if (c < '0' || c > '9' || (digits == 38 && unscaled))
            return false;
        unscaled = unscaled * 10 + (c - '0');
        digits += unscaled != 0;
        scale += point;
    }
    if (scale > 38)
        return false;
    variant_put_decimal(out, negative ? -unscaled : unscaled, scale);
    return true;
}

static bool put_node(VariantWriter *w, const Node *node)
{
    VariantOpen open = {0};
    switch (node->kind) {
    case NODE_NULL:
        variant_put_null(&w->value);
        return true;
    case NODE_BOOL:
        variant_put_boolean(&w->value, node->text.ptr[0] == 't');
        return true;
    case NODE_NUMBER:
        if (!variant_put_number(&w->value, node->text)) {
            str_buf_clear(&w->shuffle);
            str_buf_str(&w->shuffle, node->text);
            variant_put_double(&w->value, strtod(str_buf_text(&w->shuffle), NULL));
        }
        return true;
    case NODE_STRING:
        variant_put_text(&w->value, node->text);
        return true;
    default:
        open = variant_open(w);
        for (int i = 0; i < node->count; i++) {
            if (node->kind == NODE_OBJECT)
                variant_name(w, node->keys[i]);
            else
                variant_item(w);
            if (!put_node(w, node->items[i]))
                return false;
        }
        if (node->kind == NODE_OBJECT)
            return variant_close_object(w, open);
        variant_close_array(w, open);
        return true;
    }
}

VariantTaken variant_put_json(VariantWriter *w, const Node *node)
{
    return node->half_pair ? VARIANT_HALF_PAIR : put_node(w, node) ? VARIANT_TAKEN : VARIANT_NAME_TWICE;
}

/* ---- of variants ---- */

/* left: values that the bytes may still hold, each having one byte at least, so that parts which lie in each other do not multiply. */
static VariantTaken put_again(VariantWriter *w, const Variant *variant, size_t *left, int depth)
{
    VariantKind kind = variant_read(variant, NULL);
    if (kind == VARIANT_KIND_BAD || *left == 0 || depth > VARIANT_DEPTH_MAX)
        return VARIANT_SENSELESS;
    --*left;
    bool object = kind == VARIANT_KIND_OBJECT;
    if (!object && kind != VARIANT_KIND_ARRAY) {
        str_buf_add(&w->value, variant->value.ptr, variant_size(variant));
        return VARIANT_TAKEN;
    }
    VariantOpen open = variant_open(w);
    int64_t count = variant_count(variant);
    if (count < 0)
        return VARIANT_SENSELESS;
    for (int64_t i = 0; i < count; i++) {
        Variant item;
        Str name;
        if (!variant_at(variant, i, object ? &name : NULL, &item))
            return VARIANT_SENSELESS;
        if (object)
            variant_name(w, name);
        else
            variant_item(w);
        VariantTaken taken = put_again(w, &item, left, depth + 1);
        if (taken != VARIANT_TAKEN)
            return taken;
    }
    if (object)
        return variant_close_object(w, open) ? VARIANT_TAKEN : VARIANT_NAME_TWICE;
    variant_close_array(w, open);
    return VARIANT_TAKEN;
}

VariantTaken variant_put_again(VariantWriter *w, const Variant *variant)
{
    size_t left = variant->value.size;
    return put_again(w, variant, &left, 0);
}
