#pragma once
/*
 * duck/thrift.h - Thrift's compact protocol, as the footers of Parquet files have it, read in place
 *
 *   T1  Nothing outside of [at, end) is read, whatever the bytes say: then `broken` is set, and what is returned means nothing.
 */
#include "base/str.h"

#include <stdint.h>

/* Borrowed bytes; at moves on. */
typedef struct Thrift {
    const uint8_t *at, *end;
    bool broken;
} Thrift;

enum {
    THRIFT_STOP = 0,
    THRIFT_TRUE = 1,
    THRIFT_FALSE = 2,
    THRIFT_BYTE = 3,
    THRIFT_I16 = 4,
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_DOUBLE = 7,
    THRIFT_BINARY = 8,
    THRIFT_LIST = 9,
    THRIFT_SET = 10,
    THRIFT_MAP = 11,
    THRIFT_STRUCT = 12
};
enum { THRIFT_DEPTH_MAX = 64 };

/* The next field of a struct: its type, or THRIFT_STOP, also where the bytes are broken. *id: 0 before the first, the field's number after. */
int thrift_field(Thrift *b, int64_t *id);
int64_t thrift_integer(Thrift *b); /* I16, I32, I64 */
Str thrift_binary(Thrift *b);
/* Items that follow, and their type. The number is what the bytes claim. */
uint64_t thrift_list(Thrift *b, int *type);
/* Step over a value. */
void thrift_skip(Thrift *b, int type);
