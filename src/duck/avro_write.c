/* duck/avro_write.c - see avro_write.h */
#include "duck/avro_write.h"

#include "duck/calendar.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <string.h>
#include <strings.h>

struct AvroWrite {
    const AvroType *to; /* behind a union with null: the other branch */
    int branch, null;   /* of that union; -1: there is none */
    bool millis;        /* of a time */
    AvroWrite **children; /* RECORD: for each of its fields, NULL: it is written as null; ARRAY, MAP: one */
    int *fields;        /* RECORD: index in the STRUCT */
    int *nulls;         /* RECORD: of a field without a column, its branch of null */
    const char *name;   /* of the field; "" */
};

/* ---- schemas ---- */

static int no_type(const Type *type, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    type_print(&text, type);
    return silt_fail(err, SILT_INPUT, "Avro has no type for %s", str_buf_text(&text));
}

static int bytes_of(int precision)
{
    int bytes = 1;

    for (__int128 most = decimal_power(precision) - 1; bytes < 16 && most >> (8 * bytes - 1); bytes++)
        ;
    return bytes;
}

static int put_schema(StrBuf *out, const Type *type, bool nullable, int *names, SiltErr *err);

static int put_nested(StrBuf *out, const Type *type, int *names, SiltErr *err)
{
    if (type->kind == TYPE_ARRAY) {
        str_buf_puts(out, "{\"type\":\"array\",\"items\":");
        SILT_TRY(put_schema(out, type->element, type->element_nullable, names, err));
    } else if (type->kind == TYPE_MAP) {
        if (type->key->kind != TYPE_STRING)
            return no_type(type, err);
        str_buf_puts(out, "{\"type\":\"map\",\"values\":");
        SILT_TRY(put_schema(out, type->element, type->element_nullable, names, err));
    } else {
        str_buf_printf(out, "{\"type\":\"record\",\"name\":\"r%d\",\"fields\":[", (*names)++);
        for (int i = 0; i < type->field_count; i++) {
            str_buf_puts(out, i ? ",{\"name\":" : "{\"name\":");
            json_put_str(out, str_of(type->fields[i].name));
            str_buf_puts(out, ",\"type\":");
            SILT_TRY(put_schema(out, type->fields[i].type, type->fields[i].nullable, names, err));
            str_buf_putc(out, '}');
        }
        str_buf_putc(out, ']');
    }
    str_buf_putc(out, '}');
    return 0;
}

static int put_schema(StrBuf *out, const Type *type, bool nullable, int *names, SiltErr *err)
{
    static const char *const plain[] = {
        [TYPE_VOID] = "\"null\"",     [TYPE_BOOLEAN] = "\"boolean\"", [TYPE_BYTE] = "\"int\"",
        [TYPE_SHORT] = "\"int\"",     [TYPE_INT] = "\"int\"",         [TYPE_LONG] = "\"long\"",
        [TYPE_FLOAT] = "\"float\"",   [TYPE_DOUBLE] = "\"double\"",   [TYPE_STRING] = "\"string\"",
        [TYPE_BINARY] = "\"bytes\"",  [TYPE_INTERVAL_YM] = "\"int\"", [TYPE_INTERVAL_DT] = "\"long\"",
        [TYPE_DATE] = "{\"type\":\"int\",\"logicalType\":\"date\"}",
        [TYPE_TIME] = "{\"type\":\"long\",\"logicalType\":\"time-micros\"}",
        [TYPE_TIMESTAMP] = "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}",
        [TYPE_TIMESTAMP_NTZ] = "{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}",
    };
    bool is_union = nullable && type->kind != TYPE_VOID;

    str_buf_puts(out, is_union ? "[" : "");
    if (type->kind == TYPE_DECIMAL)
        str_buf_printf(out, "{\"type\":\"fixed\",\"name\":\"f%d\",\"size\":%d,\"logicalType\":\"decimal\",\"precision\":%d,\"scale\":%d}", (*names)++, bytes_of(type->precision),
                       type->precision, type->scale);
    else if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP || type->kind == TYPE_STRUCT)
        SILT_TRY(put_nested(out, type, names, err));
    else if (type->kind < sizeof plain / sizeof plain[0] && plain[type->kind])
        str_buf_puts(out, plain[type->kind]);
    else
        return no_type(type, err);
    str_buf_puts(out, is_union ? ",\"null\"]" : "");
    return 0;
}

int avro_schema_put(StrBuf *out, const Type *type, bool nullable, SiltErr *err)
{
    int names = 0;

    return put_schema(out, type, nullable, &names, err);
}

/* ---- plans ---- */

static bool fits(const Type *type, const AvroType *to)
{
    switch (type->kind) {
    case TYPE_VOID:
        return to->kind == AVRO_NULL;
    case TYPE_BOOLEAN:
        return to->kind == AVRO_BOOLEAN;
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return to->kind == AVRO_INT;
    case TYPE_LONG:
    case TYPE_INTERVAL_DT:
    case TYPE_TIME:
        return to->kind == AVRO_LONG;
    case TYPE_TIMESTAMP:
        return to->kind == AVRO_LONG && to->logical != AVRO_LOCAL_MILLIS && to->logical != AVRO_LOCAL_MICROS;
    case TYPE_TIMESTAMP_NTZ:
        return to->kind == AVRO_LONG && to->logical != AVRO_MILLIS && to->logical != AVRO_MICROS;
    case TYPE_FLOAT:
        return to->kind == AVRO_FLOAT;
    case TYPE_DOUBLE:
        return to->kind == AVRO_DOUBLE;
    case TYPE_DECIMAL:
        return to->logical == AVRO_DECIMAL && to->precision == type->precision && to->scale == type->scale;
    case TYPE_STRING:
        return to->kind == AVRO_STRING || to->kind == AVRO_ENUM;
    case TYPE_BINARY:
        return to->kind == AVRO_BYTES || to->kind == AVRO_FIXED;
    case TYPE_ARRAY:
        return to->kind == AVRO_ARRAY;
    case TYPE_MAP:
        return to->kind == AVRO_MAP && type->key->kind == TYPE_STRING;
    case TYPE_STRUCT:
        return to->kind == AVRO_RECORD;
    default:
        return false;
    }
}

static int branch_of_null(const AvroType *type)
{
    for (int i = 0; type->kind == AVRO_UNION && i < type->count; i++)
        if (type->children[i]->kind == AVRO_NULL)
            return i;
    return -1;
}

static int cannot(Arena *arena, const char *name, const Type *type, const AvroType *to, SiltErr *err)
{
    const char *kind = to->kind == AVRO_UNION ? "a union of several types" : avro_type_text(to, arena);

    return silt_fail(err, SILT_INPUT, "%s%s%s is %s, and cannot be written as %s", *name ? "field \"" : "the value", name, *name ? "\"" : "", type_text(arena, type), kind);
}

static int write_new(Arena *arena, const Type *type, const AvroType *to, const char *name, AvroWrite **out, SiltErr *err);

static int find_field(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcasecmp(type->fields[i].name, name) == 0)
            return i;
    return -1;
}

static int take_fields(Arena *arena, const Type *type, AvroWrite *w, SiltErr *err)
{
    const AvroType *to = w->to;
    bool *used = ARENA_ARRAY(arena, bool, type->field_count + 1);

    w->children = ARENA_ARRAY(arena, AvroWrite *, to->count + 1);
    w->fields = ARENA_ARRAY(arena, int, to->count + 1);
    w->nulls = ARENA_ARRAY(arena, int, to->count + 1);
    for (int i = 0; i < to->count; i++) {
        int at = w->fields[i] = find_field(type, to->names[i]);
        if (at >= 0) {
            used[at] = true;
            SILT_TRY(write_new(arena, type->fields[at].type, to->children[i], to->names[i], &w->children[i], err));
            continue;
        }
        w->nulls[i] = branch_of_null(to->children[i]);
        if (w->nulls[i] < 0 && to->children[i]->kind != AVRO_NULL)
            return silt_fail(err, SILT_INPUT, "the Avro schema has a field \"%s\", which is not in %s and cannot be null", to->names[i], type_text(arena, type));
    }
    for (int i = 0; i < type->field_count; i++)
        if (!used[i])
            return silt_fail(err, SILT_INPUT, "the Avro schema has no field \"%s\" of %s", type->fields[i].name, type_text(arena, type));
    return 0;
}

static int write_new(Arena *arena, const Type *type, const AvroType *to, const char *name, AvroWrite **out, SiltErr *err)
{
    AvroWrite *w = ARENA_NEW(arena, AvroWrite);
    int branch = to->kind == AVRO_UNION ? avro_only_branch(to) : -1;

    *w = (AvroWrite){.to = branch < 0 ? to : to->children[branch], .branch = branch, .null = branch_of_null(to), .name = name};
    *out = w;
    if (!fits(type, w->to))
        return cannot(arena, name, type, to, err);
    w->millis = (type->kind == TYPE_TIMESTAMP || type->kind == TYPE_TIMESTAMP_NTZ) && w->to->logical != AVRO_MICROS && w->to->logical != AVRO_LOCAL_MICROS;
    if (type->kind == TYPE_STRUCT)
        return take_fields(arena, type, w, err);
    if (type->kind != TYPE_ARRAY && type->kind != TYPE_MAP)
        return 0;
    w->children = ARENA_ARRAY(arena, AvroWrite *, 1);
    return write_new(arena, type->element, w->to->children[0], name, &w->children[0], err);
}

int avro_write_new(Arena *arena, const Type *type, const AvroType *to, AvroWrite **out, SiltErr *err)
{
    return write_new(arena, type, to, "", out, err);
}

/* ---- values ---- */

static void put_long(StrBuf *out, int64_t value)
{
    uint64_t v = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);

    for (; v >= 0x80; v >>= 7)
        str_buf_putc(out, (char)(v | 0x80));
    str_buf_putc(out, (char)v);
}

/* Two's complement, the big end first, as many bytes as asked for (< 0: as few as it takes, with their number in front). */
static const char *put_decimal(StrBuf *out, __int128 value, int64_t size)
{
    int least = 1;

    while (least < 16 && (value >> (8 * least - 1)) != 0 && (value >> (8 * least - 1)) != -1)
        least++;
    if (size < 0)
        put_long(out, least);
    else if (size < least)
        return "a DECIMAL that needs more bytes than the Avro fixed has";
    for (int64_t i = (size < 0 ? least : size) - 1; i >= 0; i--)
        str_buf_putc(out, (char)(i >= 16 ? value >> 127 : value >> (8 * i)));
    return NULL;
}

static const char *put_text(const AvroWrite *w, Str text, Arena *arena, StrBuf *out)
{
    if (w->to->kind == AVRO_ENUM) {
        for (int i = 0; i < w->to->count; i++)
            if (str_is(text, w->to->names[i])) {
                put_long(out, i);
                return NULL;
            }
        return arena_printf(arena, "\"%.*s\" is no symbol of the %s", (int)(text.size < 100 ? text.size : 100), text.ptr, avro_type_text(w->to, arena));
    }
    if (w->to->kind != AVRO_FIXED)
        put_long(out, (int64_t)text.size);
    else if ((int64_t)text.size != w->to->size)
        return arena_printf(arena, "%zu bytes cannot be written as %s of %lld", text.size, avro_type_text(w->to, arena), (long long)w->to->size);
    str_buf_str(out, text);
    return NULL;
}

static const char *put_list(const AvroWrite *w, const Column *column, uint64_t row, Arena *arena, StrBuf *out)
{
    const ChunkList *list = (const ChunkList *)column->data + row;
    bool map = column->type->kind == TYPE_MAP;
    const char *why = NULL;

    if (list->length)
        put_long(out, (int64_t)list->length);
    for (uint64_t i = list->offset; i < list->offset + list->length && !why; i++) {
        if (map) {
            Str key = chunk_string((const ChunkString *)column->children[0].data + i);
            put_long(out, (int64_t)key.size);
            str_buf_str(out, key);
        }
        why = avro_write(w->children[0], &column->children[map], i, arena, out);
    }
    put_long(out, 0);
    return why;
}

static const char *put_record(const AvroWrite *w, const Column *column, uint64_t row, Arena *arena, StrBuf *out)
{
    const char *why = NULL;

    for (int i = 0; i < w->to->count && !why; i++)
        if (w->fields[i] >= 0)
            why = avro_write(w->children[i], &column->children[w->fields[i]], row, arena, out);
        else if (w->nulls[i] >= 0)
            put_long(out, w->nulls[i]);
    return why;
}

const char *avro_write(const AvroWrite *w, const Column *column, uint64_t row, Arena *arena, StrBuf *out)
{
    const void *data = column->data;

    if (w->to->kind == AVRO_NULL)
        return NULL;
    if (column_is_null(column, row)) {
        if (w->null < 0)
            return arena_printf(arena, "%s%s%s is NULL, and the Avro schema has no null there", *w->name ? "field \"" : "a value", w->name, *w->name ? "\"" : "");
        put_long(out, w->null);
        return NULL;
    }
    if (w->branch >= 0)
        put_long(out, w->branch);
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        str_buf_putc(out, ((const uint8_t *)data)[row] != 0);
        return NULL;
    case TYPE_BYTE:
        put_long(out, ((const int8_t *)data)[row]);
        return NULL;
    case TYPE_SHORT:
        put_long(out, ((const int16_t *)data)[row]);
        return NULL;
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        put_long(out, ((const int32_t *)data)[row]);
        return NULL;
    case TYPE_FLOAT:
        str_buf_add(out, (const char *)data + row * 4, 4);
        return NULL;
    case TYPE_DOUBLE:
        str_buf_add(out, (const char *)data + row * 8, 8);
        return NULL;
    case TYPE_DECIMAL:
        return put_decimal(out, decimal_value(column, row), w->to->kind == AVRO_FIXED ? w->to->size : -1);
    case TYPE_STRING:
    case TYPE_BINARY:
        return put_text(w, chunk_string((const ChunkString *)data + row), arena, out);
    case TYPE_ARRAY:
    case TYPE_MAP:
        return put_list(w, column, row, arena, out);
    case TYPE_STRUCT:
        return put_record(w, column, row, arena, out);
    default: { /* BIGINT, times */
        int64_t value = ((const int64_t *)data)[row];
        put_long(out, w->millis ? floor_div(value, 1000) : value);
        return NULL;
    }
    }
}
