#pragma once
/* duck/json_style.h - the options of from_json, to_json and schema_of_json */
#include "base/err.h"
#include "duck/json_node.h"

typedef struct JsonStyle {
    unsigned reading; /* NodeFlags */
    bool fail_fast, fallback;
    Str corrupt;                                               /* name of the field that takes records that do not fit */
    Str timestamp_format, ntz_format, date_format, time_zone; /* empty: none given */
    bool drop_nulls, pretty, ascii;                            /* writing */
    bool text_only, decimals, drop_empty, timestamps;          /* schemas: primitivesAsString, prefersDecimal, dropFieldIfAllNull, inferTimestamp */
} JsonStyle;

/* Spark's defaults. */
void json_style_init(JsonStyle *style);
/* Set one option; name without case, value borrowed. Fails as CONFIG: a name that is not known, a value that does not fit, or what is not done here. */
int json_style_set(JsonStyle *style, Str name, Str value, SiltErr *err);
