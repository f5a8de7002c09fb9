#pragma once
/* duck/variant_layout.h - the numbers of VARIANT's binary form, which variant.c describes (this folder only) */
#include <stdbool.h>
#include <stdint.h>

#include "duck/parse.h"

enum { VARIANT_VERSION = 1, VARIANT_DEPTH_MAX = 1000 /* deeper ones are taken for senseless */ };

/* Basic type, in bits 0-1 of a value's first byte. */
enum { VARIANT_PRIMITIVE, VARIANT_SHORT_STRING, VARIANT_OBJECT, VARIANT_ARRAY };

/* What a primitive is, in the other bits. */
enum {
    VARIANT_ID_NULL,
    VARIANT_ID_TRUE,
    VARIANT_ID_FALSE,
    VARIANT_ID_INT8,
    VARIANT_ID_INT16,
    VARIANT_ID_INT32,
    VARIANT_ID_INT64,
    VARIANT_ID_DOUBLE,
    VARIANT_ID_DECIMAL4,
    VARIANT_ID_DECIMAL8,
    VARIANT_ID_DECIMAL16,
    VARIANT_ID_DATE,
    VARIANT_ID_TIMESTAMP,
    VARIANT_ID_TIMESTAMP_NTZ,
    VARIANT_ID_FLOAT,
    VARIANT_ID_BINARY,
    VARIANT_ID_STRING,
    VARIANT_ID_TIME,
    VARIANT_ID_TIMESTAMP_NANOS,
    VARIANT_ID_TIMESTAMP_NTZ_NANOS,
    VARIANT_ID_UUID,
};

/* A decimal of 4, 8 or 16 bytes has at most 9, 18 or 38 digits, and as many behind the point; more are no VARIANT. */
static inline bool variant_decimal_fits(__int128 unscaled, uint64_t scale, int size)
{
    int most = size == 4 ? 9 : size == 8 ? 18 : 38;

    return scale <= (uint64_t)most && unscaled < decimal_power(most) && unscaled > -decimal_power(most);
}
