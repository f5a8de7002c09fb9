#pragma once
/* duck/text_value.h - fields of CSV and XML: texts as values, as Spark's readers take them */
#include "duck/chunk.h"
#include "duck/java_time.h"

/* How a field is written. */
typedef struct TextForm {
    const JavaTime *timestamp, *timestamp_ntz, *date; /* NULL: as CAST reads */
    bool fallback;                                    /* what a format does not read is read as CAST does */
    Str nan, positive_infinity, negative_infinity;    /* beside Java's words for them */
} TextForm;

/* Into a column of any plain type; BINARY takes the bytes. zone: of timestamps that have none. False: the text is no value of that type. */
bool text_value_put(const TextForm *form, const Zone *zone, Column *out, uint64_t row, Str text);
/* False: the text is not of that format. */
bool text_by_format(const JavaTime *format, Str text, JavaTimeParts *parts);
