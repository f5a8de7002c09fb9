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
#include "duck/thrift.h"

#include <string.h>

enum { FOOTER_BYTES_MAX = 1 << 28 };

/* Is the member TIMESTAMP of the union LogicalType there, and is it an instant? */
static void get_logical_type(Thrift *b, bool *is_timestamp, bool *is_instant)
{
    int64_t member = 0;
    int type;
    while ((type = thrift_field(b, &member)) != THRIFT_STOP && !b->broken) {
        if (member != 8 || type != THRIFT_STRUCT) {
            thrift_skip(b, type);
            continue;
        }
        int64_t id = 0;
        *is_timestamp = true;
        while ((type = thrift_field(b, &id)) != THRIFT_STOP && !b->broken) {
            if (id == 1)
                *is_instant = type == THRIFT_TRUE;
            thrift_skip(b, type);
        }
    }
}

typedef struct Element {
    Str name;
    int64_t child_count;
    bool is_int96, is_local; /* is_local: a timestamp that is not marked as UTC */
} Element;

static Element get_element(Thrift *b)
{
    Element element = {0};
    bool is_timestamp = false, is_instant = false;
    int64_t id = 0;
    int type;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP && !b->broken) {
        if (id == 1 && type == THRIFT_I32)
            element.is_int96 = thrift_integer(b) == 3;
        else if (id == 4 && type == THRIFT_BINARY)
            element.name = thrift_binary(b);
        else if (id == 5 && type == THRIFT_I32)
            element.child_count = thrift_integer(b);
        else if (id == 10 && type == THRIFT_STRUCT)
            get_logical_type(b, &is_timestamp, &is_instant);
        else
            thrift_skip(b, type);
    }
    element.is_local = is_timestamp && !is_instant;
    return element;
}

static void walk(Thrift *b, uint64_t *left, const Element *element, FooterColumn *column, int depth)
{
    column->has_int96 |= element->is_int96;
    column->has_local |= element->is_local;
    for (int64_t i = 0; i < element->child_count && !b->broken; i++) {
        if (!*left || depth > THRIFT_DEPTH_MAX) {
            b->broken = true;
            return;
        }
        --*left;
        Element child = get_element(b);
        walk(b, left, &child, column, depth + 1);
    }
}

static int parse_schema(Arena *arena, Thrift *b, FooterColumn **columns, int *count)
{
    int64_t id = 0;
    int type, capacity = 0;
    *columns = NULL;
    *count = 0;
    while ((type = thrift_field(b, &id)) != THRIFT_STOP && !b->broken) {
        if (id != 2 || type != THRIFT_LIST) {
            thrift_skip(b, type);
            continue;
        }
        int element_type;
        uint64_t left = thrift_list(b, &element_type);
        if (element_type != THRIFT_STRUCT || !left--)
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
    Thrift b = {bytes, bytes + got, false};
    if (got != (size_t)length || parse_schema(arena, &b, columns, count) < 0)
        return silt_fail(err, SILT_CORRUPT, "data file \"%s\" has a footer that cannot be read", path);
    return 0;
}
