/*
 * delta/footer.c - which columns of a Parquet file hold timestamps without a zone
 *
 * Delta says that a TIMESTAMP is an instant, yet Spark writes INT96 by default and some writers INT64 that is not marked as UTC.
 * DuckDB reads both as local times, and a cast to an instant would take the session's zone, where UTC is meant. So the scan has
 * to know. Only the schema, which comes first in the footer (Thrift's compact protocol), is read.
 *
 *   FO1  Nothing outside of the footer's bytes is read, whatever they say: a broken footer is an error, never a guess.
 */
#include "delta/internal.h"

#include <string.h>

typedef struct Bytes {
    const uint8_t *at, *end;
    bool broken;
} Bytes;

enum {
    T_STOP = 0,
    T_TRUE = 1,
    T_FALSE = 2,
    T_BYTE = 3,
    T_I16 = 4,
    T_I32 = 5,
    T_I64 = 6,
    T_DOUBLE = 7,
    T_BINARY = 8,
    T_LIST = 9,
    T_SET = 10,
    T_MAP = 11,
    T_STRUCT = 12
};
enum { DEPTH_MAX = 64, FOOTER_BYTES_MAX = 1 << 28 };

static uint8_t get_byte(Bytes *b)
{
    if (b->at >= b->end) {
        b->broken = true;
        return 0;
    }
    return *b->at++;
}

static uint64_t get_varint(Bytes *b)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = get_byte(b);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    b->broken = true;
    return 0;
}

static int64_t get_integer(Bytes *b)
{
    uint64_t value = get_varint(b);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static Str get_binary(Bytes *b)
{
    uint64_t size = get_varint(b);
    if (size > (uint64_t)(b->end - b->at)) {
        b->broken = true;
        return (Str){"", 0};
    }
    Str text = {(const char *)b->at, (size_t)size};
    b->at += size;
    return text;
}

/* The next field of a struct: its type, or T_STOP. */
static int get_field(Bytes *b, int64_t *id)
{
    uint8_t head = get_byte(b);
    int type = head & 15;
    if (b->broken || type == T_STOP)
        return T_STOP;
    *id = head >> 4 ? *id + (head >> 4) : get_integer(b);
    return type;
}

static uint64_t get_list(Bytes *b, int *type)
{
    uint8_t head = get_byte(b);
    *type = head & 15;
    return head >> 4 == 15 ? get_varint(b) : head >> 4;
}

static void skip(Bytes *b, int type, int depth)
{
    if (b->broken || depth > DEPTH_MAX) {
        b->broken = true;
        return;
    }
    switch (type) {
    case T_TRUE:
    case T_FALSE:
        return;
    case T_BYTE:
        get_byte(b);
        return;
    case T_I16:
    case T_I32:
    case T_I64:
        get_varint(b);
        return;
    case T_DOUBLE:
        for (int i = 0; i < 8; i++)
            get_byte(b);
        return;
    case T_BINARY:
        get_binary(b);
        return;
    case T_LIST:
    case T_SET: {
        int element;
        uint64_t count = get_list(b, &element);
        for (uint64_t i = 0; i < count && !b->broken; i++)
            if (element == T_TRUE || element == T_FALSE)
                get_byte(b); /* in a list a boolean takes a byte */
            else
                skip(b, element, depth + 1);
        return;
    }
    case T_STRUCT: {
        int64_t id = 0;
        int field;
        while ((field = get_field(b, &id)) != T_STOP && !b->broken)
            skip(b, field, depth + 1);
        return;
    }
    default:
        b->broken = true; /* maps do not occur before the end of the schema */
        return;
    }
}

/* Is the member TIMESTAMP of the union LogicalType there, and is it an instant? */
static void get_logical_type(Bytes *b, bool *is_timestamp, bool *is_instant)
{
    int64_t member = 0;
    int type;
    while ((type = get_field(b, &member)) != T_STOP && !b->broken) {
        if (member != 8 || type != T_STRUCT) {
            skip(b, type, 0);
            continue;
        }
        int64_t id = 0;
        *is_timestamp = true;
        while ((type = get_field(b, &id)) != T_STOP && !b->broken) {
            if (id == 1)
                *is_instant = type == T_TRUE;
            skip(b, type, 0);
        }
    }
}

typedef struct Element {
    Str name;
    int64_t child_count;
    bool is_int96, is_local; /* is_local: a timestamp that is not marked as UTC */
} Element;

static Element get_element(Bytes *b)
{
    Element element = {0};
    bool is_timestamp = false, is_instant = false;
    int64_t id = 0;
    int type;
    while ((type = get_field(b, &id)) != T_STOP && !b->broken) {
        if (id == 1 && type == T_I32)
            element.is_int96 = get_integer(b) == 3;
        else if (id == 4 && type == T_BINARY)
            element.name = get_binary(b);
        else if (id == 5 && type == T_I32)
            element.child_count = get_integer(b);
        else if (id == 10 && type == T_STRUCT)
            get_logical_type(b, &is_timestamp, &is_instant);
        else
            skip(b, type, 0);
    }
    element.is_local = is_timestamp && !is_instant;
    return element;
}

static void walk(Bytes *b, uint64_t *left, const Element *element, FooterColumn *column, int depth)
{
    column->has_int96 |= element->is_int96;
    column->has_local |= element->is_local;
    for (int64_t i = 0; i < element->child_count && !b->broken; i++) {
        if (!*left || depth > DEPTH_MAX) {
            b->broken = true;
            return;
        }
        --*left;
        Element child = get_element(b);
        walk(b, left, &child, column, depth + 1);
    }
}

static int parse_schema(Arena *arena, Bytes *b, FooterColumn **columns, int *count)
{
    int64_t id = 0;
    int type, capacity = 0;
    *columns = NULL;
    *count = 0;
    while ((type = get_field(b, &id)) != T_STOP && !b->broken) {
        if (id != 2 || type != T_LIST) {
            skip(b, type, 0);
            continue;
        }
        int element_type;
        uint64_t left = get_list(b, &element_type);
        if (element_type != T_STRUCT || !left--)
            return -1;
        Element root = get_element(b);
        for (int64_t i = 0; i < root.child_count && left && !b->broken; i++) {
            left--;
            Element element = get_element(b);
            FooterColumn column = {.name = arena_str(arena, element.name)};
            walk(b, &left, &element, &column, 0);
            ARENA_PUSH(arena, *columns, *count, capacity, column);
        }
        return b->broken ? -1 : 0;
    }
    return -1;
}

int delta__footer_columns(Io *io, const char *path, Arena *arena, FooterColumn **columns, int *count, SiltErr *err)
{
    silt_auto(io_file_closep) IoFile *file = NULL;
    uint8_t tail[8];
    size_t got;

    int r = io_open(io, path, &file, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "data file \"%s\" is not there", path);
    SILT_TRY(r);
    int64_t size = io_file_size(file);
    if (size < 12)
        return silt_fail(err, SILT_CORRUPT, "data file \"%s\" is no Parquet file: it has only %lld bytes", path, (long long)size);
    SILT_TRY(io_file_read(file, size - 8, tail, sizeof tail, &got, err));
    int64_t length = tail[0] | tail[1] << 8 | tail[2] << 16 | (int64_t)tail[3] << 24;
    if (got != 8 || memcmp(tail + 4, "PAR1", 4) != 0 || length > size - 12 || length > FOOTER_BYTES_MAX)
        return silt_fail(err, SILT_CORRUPT, "data file \"%s\" is no Parquet file, or is cut off", path);
    uint8_t *bytes = arena_alloc(arena, (size_t)length + 1);
    SILT_TRY(io_file_read(file, size - 8 - length, bytes, (size_t)length, &got, err));
    Bytes b = {bytes, bytes + got, false};
    if (got != (size_t)length || parse_schema(arena, &b, columns, count) < 0)
        return silt_fail(err, SILT_CORRUPT, "data file \"%s\" has a footer that cannot be read", path);
    return 0;
}
