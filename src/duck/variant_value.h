#pragma once
/* duck/variant_value.h - one VARIANT taken apart (variant_writer.h builds them) */
#include "base/str.h"

/* Borrowed bytes; value may go on behind its end. */
typedef struct Variant {
    Str metadata, value;
} Variant;

typedef enum VariantKind {
    VARIANT_KIND_BAD, /* the bytes make no sense, or are of a kind that Spark does not know */
    VARIANT_KIND_NULL,
    VARIANT_KIND_BOOLEAN,
    VARIANT_KIND_LONG,
    VARIANT_KIND_DOUBLE,
    VARIANT_KIND_FLOAT,
    VARIANT_KIND_DECIMAL,
    VARIANT_KIND_DATE,
    VARIANT_KIND_TIMESTAMP,
    VARIANT_KIND_TIMESTAMP_NTZ,
    VARIANT_KIND_BINARY,
    VARIANT_KIND_STRING,
    VARIANT_KIND_UUID,
    VARIANT_KIND_OBJECT,
    VARIANT_KIND_ARRAY,
} VariantKind;

typedef struct VariantScalar {
    int64_t whole; /* BOOLEAN, LONG, DATE, TIMESTAMP */
    double number; /* DOUBLE, FLOAT */
    __int128 unscaled;
    int scale, precision; /* DECIMAL: digits that the value has */
    Str text;             /* STRING, BINARY */
} VariantScalar;

/* The kind, and of a scalar its value (scalar may be NULL). */
VariantKind variant_read(const Variant *variant, VariantScalar *scalar);
/* Fields of an object or items of an array, in the order stored; < 0: bad bytes. */
int64_t variant_count(const Variant *variant);
/* name (NULL allowed) is set for objects. False: out of range or bad bytes. */
bool variant_at(const Variant *variant, int64_t index, Str *name, Variant *out);
typedef enum VariantFound { VARIANT_FOUND, VARIANT_ABSENT, VARIANT_BROKEN } VariantFound;
/* BROKEN: the bytes of the object, or of the value itself, make no sense. ABSENT also where it is no object. */
VariantFound variant_field(const Variant *object, Str name, Variant *out);
/* The same for the item of an array. */
VariantFound variant_item_at(const Variant *array, int64_t index, Variant *out);
/* Bytes of the value itself; 0: bad. */
size_t variant_size(const Variant *variant);
