/*
 * duck/variant_schema.c - the least type that holds VARIANTs
 *
 *   S1  The fields of an object are sorted by name and no two have one name.
 *   S2  What a schema holds does not depend on the order in which values came.
 */
#include "duck/variant_schema.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 1000, DIGITS_MAX = 38, LONG_DIGITS = 20 };

typedef enum SchemaKind {
    OF_VOID,
    OF_BOOLEAN,
    OF_LONG,
    OF_FLOAT,
    OF_DOUBLE,
    OF_DECIMAL,
    OF_DATE,
    OF_TIMESTAMP_NTZ,
    OF_TIMESTAMP,
    OF_BINARY,
    OF_STRING,
    OF_UUID,
    OF_OBJECT,
    OF_ARRAY,
    OF_ANYTHING,
} SchemaKind;

struct VariantField {
    char *name; /* owned; NULL: items of an array */
    size_t name_size;
    VariantSchema schema;
};

void variant_schema_fini(VariantSchema *schema)
{
    for (int32_t i = 0; i < schema->count; i++) {
        free(schema->fields[i].name);
        variant_schema_fini(&schema->fields[i].schema);
    }
    free(schema->fields);
    *schema = (VariantSchema){0};
}

static int by_name(Str a, Str b)
{
    int order = memcmp(a.ptr, b.ptr, a.size < b.size ? a.size : b.size);

    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* A new field before number `at`. */
static VariantSchema *insert(VariantSchema *object, int32_t at, Str name)
{
    if (object->count == object->capacity) {
        object->capacity = object->capacity ? object->capacity * 2 : 4;
        object->fields = silt_realloc(object->fields, (size_t)object->capacity * sizeof *object->fields);
    }
    VariantField *field = &object->fields[at];

    memmove(field + 1, field, (size_t)(object->count - at) * sizeof *field);
    object->count++;
    *field = (VariantField){.name_size = name.size};
    if (name.ptr) {
        field->name = silt_alloc(name.size + 1);
        memcpy(field->name, name.ptr, name.size);
    }
    return &field->schema;
}

/* The field of that name, made where there is none. */
static VariantSchema *field_of(VariantSchema *object, Str name)
{
    int32_t low = 0, high = object->count;

    while (low < high) {
        int32_t middle = (low + high) / 2;
        const VariantField *field = &object->fields[middle];
        int order = by_name((Str){field->name, field->name_size}, name);

        if (!order)
            return &object->fields[middle].schema;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return insert(object, low, name);
}

static VariantSchema *items_of(VariantSchema *array)
{
    return array->count ? &array->fields[0].schema : insert(array, 0, (Str){0});
}

static void become(VariantSchema *s, SchemaKind kind)
{
    variant_schema_fini(s);
    s->kind = (uint8_t)kind;
}

static bool is_number(SchemaKind kind)
{
    return kind >= OF_LONG && kind <= OF_DECIMAL;
}

static bool is_time(SchemaKind kind)
{
    return kind >= OF_DATE && kind <= OF_TIMESTAMP;
}

/* Both are LONG or DECIMAL, one at least the latter. */
static void widen_decimal(VariantSchema *s, SchemaKind kind, int precision, int scale)
{
    int whole = kind == OF_LONG ? LONG_DIGITS : precision - scale, own = s->kind == OF_LONG ? LONG_DIGITS : s->precision - s->scale;
    int behind = kind == OF_LONG ? 0 : scale, own_behind = s->kind == OF_LONG ? 0 : s->scale;

    whole = own > whole ? own : whole;
    behind = own_behind > behind ? own_behind : behind;
    if (whole + behind > DIGITS_MAX) {
        become(s, OF_DOUBLE);
        return;
    }
    s->kind = OF_DECIMAL;
    s->precision = (int8_t)(whole + behind);
    s->scale = (int8_t)behind;
}

/* Make it the least kind that holds this one too. precision and scale: of DECIMAL. */
static void widen(VariantSchema *s, SchemaKind kind, int precision, int scale)
{
    SchemaKind own = s->kind;

    if (own == OF_VOID) {
        s->kind = (uint8_t)kind;
        s->precision = (int8_t)precision;
        s->scale = (int8_t)scale;
    } else if (kind == OF_VOID || (own == kind && kind != OF_DECIMAL)) {
        return;
    } else if (is_number(own) && is_number(kind)) {
        if (own <= OF_DOUBLE && kind <= OF_DOUBLE)
            s->kind = (uint8_t)(own > kind ? own : kind);
        else if (own == OF_FLOAT || own == OF_DOUBLE || kind == OF_FLOAT || kind == OF_DOUBLE)
            become(s, OF_DOUBLE);
        else
            widen_decimal(s, kind, precision, scale);
    } else if (is_time(own) && is_time(kind)) {
        s->kind = (uint8_t)(own > kind ? own : kind);
    } else {
        become(s, OF_ANYTHING);
    }
}

void variant_schema_merge(VariantSchema *into, const VariantSchema *from)
{
    widen(into, from->kind, from->precision, from->scale);
    if (into->kind != OF_OBJECT && into->kind != OF_ARRAY)
        return;
    for (int32_t i = 0; i < from->count; i++) {
        const VariantField *field = &from->fields[i];

        variant_schema_merge(into->kind == OF_ARRAY ? items_of(into) : field_of(into, (Str){field->name, field->name_size}), &field->schema);
    }
}

static SchemaKind kind_of(VariantKind kind)
{
    static const uint8_t kinds[] = {
        [VARIANT_KIND_NULL] = OF_VOID,           [VARIANT_KIND_BOOLEAN] = OF_BOOLEAN, [VARIANT_KIND_LONG] = OF_LONG,       [VARIANT_KIND_DOUBLE] = OF_DOUBLE,
        [VARIANT_KIND_FLOAT] = OF_FLOAT,         [VARIANT_KIND_DECIMAL] = OF_DECIMAL, [VARIANT_KIND_DATE] = OF_DATE,       [VARIANT_KIND_TIMESTAMP] = OF_TIMESTAMP,
        [VARIANT_KIND_TIMESTAMP_NTZ] = OF_TIMESTAMP_NTZ, [VARIANT_KIND_BINARY] = OF_BINARY,   [VARIANT_KIND_STRING] = OF_STRING,   [VARIANT_KIND_UUID] = OF_UUID,
        [VARIANT_KIND_OBJECT] = OF_OBJECT,       [VARIANT_KIND_ARRAY] = OF_ARRAY};

    return kinds[kind];
}

/* Even where the schema holds anything already, all bytes are looked at. left: how many values may still come, since each has a byte of its own. */
static bool add(VariantSchema *s, const Variant *variant, int depth, size_t *left)
{
    VariantScalar v;
    VariantKind kind = variant_read(variant, &v);
    bool nested = kind == VARIANT_KIND_OBJECT || kind == VARIANT_KIND_ARRAY;
    int64_t count = nested ? variant_count(variant) : 0;

    if (kind == VARIANT_KIND_BAD || count < 0 || !*left)
        return false;
    --*left;
    if (nested && depth == DEPTH_MAX) {
        widen(s, OF_ANYTHING, 0, 0);
        return true;
    }
    int precision = 0, scale = 0;

    if (kind == VARIANT_KIND_DECIMAL) {
        for (; v.scale > 0 && v.unscaled % 10 == 0; v.scale--, v.precision--)
            v.unscaled /= 10;
        precision = v.precision > v.scale ? v.precision : v.scale ? v.scale : 1;
        scale = v.scale;
    }
    widen(s, kind_of(kind), precision, scale);
    for (int64_t i = 0; i < count; i++) {
        VariantSchema unused = {0};
        Variant item;
        Str name;

        if (!variant_at(variant, i, kind == VARIANT_KIND_OBJECT ? &name : NULL, &item))
            return false;
        bool held = s->kind == kind_of(kind);
        bool ok = add(!held ? &unused : kind == VARIANT_KIND_OBJECT ? field_of(s, name) : items_of(s), &item, depth + 1, left);

        variant_schema_fini(&unused);
        if (!ok)
            return false;
    }
    return true;
}

bool variant_schema_add(VariantSchema *schema, const Variant *variant)
{
    size_t left = variant->value.size;

    return add(schema, variant, 0, &left);
}

/* In backticks unless it is letters, digits and underscores, not beginning with a digit. */
static void put_name(StrBuf *out, Str name)
{
    bool plain = name.size > 0 && !(name.ptr[0] >= '0' && name.ptr[0] <= '9');

    for (size_t i = 0; i < name.size && plain; i++) {
        char c = name.ptr[i];

        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    if (plain) {
        str_buf_str(out, name);
        return;
    }
    str_buf_putc(out, '`');
    for (size_t i = 0; i < name.size; i++) {
        str_buf_putc(out, name.ptr[i]);
        if (name.ptr[i] == '`')
            str_buf_putc(out, '`');
    }
    str_buf_putc(out, '`');
}

void variant_schema_print(StrBuf *out, const VariantSchema *s)
{
    static const char *const names[] = {
        [OF_VOID] = "VOID",   [OF_BOOLEAN] = "BOOLEAN",             [OF_LONG] = "BIGINT",        [OF_FLOAT] = "FLOAT",   [OF_DOUBLE] = "DOUBLE", [OF_DECIMAL] = "DECIMAL",
        [OF_DATE] = "DATE",   [OF_TIMESTAMP_NTZ] = "TIMESTAMP_NTZ", [OF_TIMESTAMP] = "TIMESTAMP", [OF_BINARY] = "BINARY", [OF_STRING] = "STRING", [OF_UUID] = "UUID",
        [OF_OBJECT] = "OBJECT", [OF_ARRAY] = "ARRAY",               [OF_ANYTHING] = "VARIANT"};

    str_buf_puts(out, names[s->kind]);
    if (s->kind == OF_DECIMAL)
        str_buf_printf(out, "(%d,%d)", s->precision, s->scale);
    if (s->kind != OF_OBJECT && s->kind != OF_ARRAY)
        return;
    str_buf_putc(out, '<');
    for (int32_t i = 0; i < s->count; i++) {
        const VariantField *field = &s->fields[i];

        str_buf_puts(out, i ? ", " : "");
        if (s->kind == OF_OBJECT) {
            put_name(out, (Str){field->name, field->name_size});
            str_buf_puts(out, ": ");
        }
        variant_schema_print(out, &field->schema);
    }
    str_buf_puts(out, s->kind == OF_ARRAY && !s->count ? "VOID>" : ">");
}
