#pragma once
/*
 * duck/variant_writer.h - a VARIANT put together from its parts in one pass, laid out as Spark does
 *
 * The parts come in the order of the text:
 *
 *     VariantOpen object = variant_open(w);
 *     variant_name(w, STR("a"));
 *     variant_put_long(&w->value, 1);
 *     if (!variant_close_object(w, object)) ... a name was there twice
 *     variant_writer_metadata(w, &metadata);
 */
#include "base/str.h"
#include "duck/variant_value.h"

/* A field or item of a container that is not closed yet. */
typedef struct VariantEntry {
    uint32_t id; /* of its name */
    size_t offset;
} VariantEntry;

/* Zero-initialise. One writer makes many values, one after the other, and keeps its memory. */
typedef struct VariantWriter {
    StrBuf value; /* scalars are appended with the variant_put functions below */
    StrBuf names; /* bytes of all names, one behind the other */
    uint32_t *name_ends;
    int name_count, name_capacity;
    uint32_t *slots; /* hash of names: id + 1 */
    uint32_t slot_count;
    VariantEntry *entries;
    int entry_count, entry_capacity;
    StrBuf shuffle; /* of one container, while its fields are sorted */
    uint32_t twice; /* id of a name that an object had twice */
} VariantWriter;

struct Node;

typedef struct VariantOpen {
    size_t start;
    int first; /* entry */
} VariantOpen;

void variant_writer_fini(VariantWriter *w);
/* Forget the last value. */
void variant_writer_clear(VariantWriter *w);
/* The metadata of all names so far; the value is w->value. */
void variant_writer_metadata(const VariantWriter *w, StrBuf *out);

VariantOpen variant_open(VariantWriter *w);
/* Before each value of an object, and of an array. */
void variant_name(VariantWriter *w, Str name);
void variant_item(VariantWriter *w);
/* False: two fields have one name, which is variant_twice(). The value is of no use then. */
bool variant_close_object(VariantWriter *w, VariantOpen open);
void variant_close_array(VariantWriter *w, VariantOpen open);
Str variant_twice(const VariantWriter *w);

/* ---- scalars: one value at the end of `out` ---- */

void variant_put_null(StrBuf *out);
void variant_put_boolean(StrBuf *out, bool value);
void variant_put_long(StrBuf *out, int64_t value); /* in as few bytes as it needs */
void variant_put_double(StrBuf *out, double value);
void variant_put_float(StrBuf *out, float value);
/* At most 38 digits, of which at most 38 are behind the point. */
void variant_put_decimal(StrBuf *out, __int128 unscaled, int scale);
void variant_put_date(StrBuf *out, int32_t days);
void variant_put_timestamp(StrBuf *out, int64_t us, bool ntz);
void variant_put_text(StrBuf *out, Str text);
void variant_put_binary(StrBuf *out, Str bytes);
/*
 * The text of a JSON number as Spark takes it: a BIGINT, else a DECIMAL of its digits if 38 are enough and there is no exponent. False: it has to be
 * a double, and nothing was put.
 */
bool variant_put_number(StrBuf *out, Str text);

typedef enum VariantTaken { VARIANT_TAKEN, VARIANT_NAME_TWICE, VARIANT_HALF_PAIR, VARIANT_SENSELESS } VariantTaken;
/* A JSON value, or why it cannot be a VARIANT: an object has a name twice, a text half a surrogate pair. */
VariantTaken variant_put_json(VariantWriter *w, const struct Node *node); /* duck/json_node.h */
/* Another variant, put anew since its names have other numbers here. SENSELESS: its bytes are none; NAME_TWICE. */
VariantTaken variant_put_again(VariantWriter *w, const Variant *variant);
