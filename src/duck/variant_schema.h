#pragma once
/* duck/variant_schema.h - the least type that holds VARIANTs, as Spark's schema_of_variant tells it */
#include "duck/variant_value.h"

typedef struct VariantField VariantField;

/* Zeroed: VOID, the type of no value. Owned by whoever embeds it; variant_schema_fini. */
typedef struct VariantSchema {
    uint8_t kind; /* private, as the rest */
    int8_t precision, scale;
    int32_t count, capacity;
    VariantField *fields; /* of an object by name, sorted; of an array the one of its items */
} VariantSchema;

/* Widen it to hold this value too. False: the bytes of the value make no sense, and the schema holds a part of it. */
bool variant_schema_add(VariantSchema *schema, const Variant *variant);
/* Widen it to hold what another one holds. */
void variant_schema_merge(VariantSchema *into, const VariantSchema *from);
/* OBJECT<a: BIGINT, b: ARRAY<STRING>>; names that are no plain word stand in backticks. */
void variant_schema_print(StrBuf *out, const VariantSchema *schema);
void variant_schema_fini(VariantSchema *schema);
