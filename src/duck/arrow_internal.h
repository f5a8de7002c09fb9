#pragma once
/* duck/arrow_internal.h - what both ways of duck/arrow.h share */
#include "duck/arrow.h"

typedef __int128 int128;

/* Arrow's month_day_nano. */
typedef struct ArrowInterval {
    int32_t months, days;
    int64_t ns;
} ArrowInterval;

/* The format that a type has on the way out; scratch: for those that need more than a word. */
const char *duck__arrow_format(const Type *type, StrBuf *scratch);

/* Bytes of a value of the types that are as they are on both sides. */
static inline size_t duck__arrow_width(const Type *type)
{
    switch (type->kind) {
    case TYPE_BYTE:
        return 1;
    case TYPE_SHORT:
        return 2;
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return 4;
    default:
        return 8;
    }
}
