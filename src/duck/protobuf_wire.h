#pragma once
/* duck/protobuf_wire.h - the binary form of Protocol Buffers: tags and what follows them */
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum ProtoWire { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_START, WIRE_END, WIRE_32 } ProtoWire;

typedef struct ProtoCursor {
    const char *p, *stop;
} ProtoCursor;

/* False: it ends in the middle, or is longer than ten bytes. */
static inline bool wire_varint(ProtoCursor *c, uint64_t *out)
{
    uint64_t value = 0;

    for (int shift = 0; shift < 70 && c->p < c->stop; shift += 7) {
        unsigned char byte = (unsigned char)*c->p++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80) {
            *out = value;
            return true;
        }
    }
    return false;
}

static inline bool wire_fixed(ProtoCursor *c, size_t size, uint64_t *out)
{
    *out = 0;
    if ((size_t)(c->stop - c->p) < size)
        return false;
    memcpy(out, c->p, size); /* the little end first, as here */
    c->p += size;
    return true;
}

static inline bool wire_bytes(ProtoCursor *c, Str *out)
{
    uint64_t size;

    if (!wire_varint(c, &size) || (int32_t)size < 0 || (int64_t)(int32_t)size > c->stop - c->p)
        return false;
    *out = (Str){c->p, (size_t)(int32_t)size};
    c->p += out->size;
    return true;
}

/* False: it is none: a field number 0, a wire type that does not exist. */
static inline bool wire_tag(ProtoCursor *c, uint32_t *number, ProtoWire *wire)
{
    uint64_t tag;

    if (!wire_varint(c, &tag))
        return false;
    *number = (uint32_t)tag >> 3;
    *wire = (ProtoWire)(tag & 7);
    return *number && *wire <= WIRE_32;
}

/* Step over what follows a tag; a group with all that is in it. False: its bytes are broken. */
bool proto_skip(ProtoCursor *c, uint32_t number, ProtoWire wire, int depth);

enum { PROTO_DEPTH_MAX = 100 }; /* of messages in messages, as in Java's library */
