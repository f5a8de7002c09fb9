#pragma once
/* duck/variant_value.h - one VARIANT taken apart, and new ones built, as Spark lays them out */
#include "base/arena.h"
#include "base/str.h"
#include "duck/json_node.h"

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
bool variant_field(const Variant *object, Str name, Variant *out);
/* Bytes of the value itself; 0: bad. */
size_t variant_size(const Variant *variant);

/* ---- building ---- */

/* Zero-initialise. Names are collected over the whole value; put calls append one value each to `out`. */
typedef struct VariantBuilder {
    Arena *arena;
    Str *names;
    int name_count, name_capacity;
} VariantBuilder;

void variant_put_null(StrBuf *out);
void variant_put_boolean(StrBuf *out, bool value);
void variant_put_long(StrBuf *out, int64_t value); /* in as few bytes as it needs */
void variant_put_double(StrBuf *out, double value);
void variant_put_float(StrBuf *out, float value);
void variant_put_decimal(StrBuf *out, __int128 unscaled, int scale);
void variant_put_date(StrBuf *out, int32_t days);
void variant_put_timestamp(StrBuf *out, int64_t us, bool ntz);
void variant_put_text(StrBuf *out, Str text);
void variant_put_binary(StrBuf *out, Str bytes);
/* Items already put into their own buffers. names: NULL for an array; distinct. */
void variant_put_many(VariantBuilder *builder, StrBuf *out, const Str *names, const Str *values, int count);
/* A JSON value. False: nested too deep, or two members of one object have the same name. */
bool variant_put_json(VariantBuilder *builder, StrBuf *out, const Node *node, int depth);
/* The metadata of all names so far. */
void variant_put_metadata(const VariantBuilder *builder, StrBuf *out);
