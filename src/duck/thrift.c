/* duck/thrift.c - see thrift.h */
#include "duck/thrift.h"

#include <stdint.h>

static uint8_t get_byte(Thrift *b)
{
    if (b->at >= b->end) {
        b->broken = true;
        return 0;
    }
    return *b->at++;
}

static uint64_t get_varint(Thrift *b)
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

int64_t thrift_integer(Thrift *b)
{
    uint64_t value = get_varint(b);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

Str thrift_binary(Thrift *b)
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

int thrift_field(Thrift *b, int64_t *id)
{
    uint8_t head = get_byte(b);
    int type = head & 15;
    if (b->broken || type == THRIFT_STOP)
        return THRIFT_STOP;
    *id = head >> 4 ? *id + (head >> 4) : thrift_integer(b);
    b->broken |= *id < INT16_MIN || *id > INT16_MAX;
    return b->broken ? THRIFT_STOP : type;
}

uint64_t thrift_list(Thrift *b, int *type)
{
    uint8_t head = get_byte(b);
    *type = head & 15;
    return head >> 4 == 15 ? get_varint(b) : head >> 4;
}

static void skip(Thrift *b, int type, int depth)
{
    if (b->broken || depth > THRIFT_DEPTH_MAX) {
        b->broken = true;
        return;
    }
    switch (type) {
    case THRIFT_TRUE:
    case THRIFT_FALSE:
        return;
    case THRIFT_BYTE:
        get_byte(b);
        return;
    case THRIFT_I16:
    case THRIFT_I32:
    case THRIFT_I64:
        get_varint(b);
        return;
    case THRIFT_DOUBLE:
        for (int i = 0; i < 8; i++)
            get_byte(b);
        return;
    case THRIFT_BINARY:
        thrift_binary(b);
        return;
    case THRIFT_LIST:
    case THRIFT_SET: {
        int element;
        uint64_t count = thrift_list(b, &element);
        for (uint64_t i = 0; i < count && !b->broken; i++)
            if (element == THRIFT_TRUE || element == THRIFT_FALSE)
                get_byte(b); /* in a list a boolean takes a byte */
            else
                skip(b, element, depth + 1);
        return;
    }
    case THRIFT_STRUCT: {
        int64_t id = 0;
        int field;
        while ((field = thrift_field(b, &id)) != THRIFT_STOP && !b->broken)
            skip(b, field, depth + 1);
        return;
    }
    default:
        b->broken = true; /* maps do not occur in a footer */
        return;
    }
}

void thrift_skip(Thrift *b, int type)
{
    skip(b, type, 0);
}
