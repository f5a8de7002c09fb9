#pragma once
/* duck/fn_json.h - what from_json and to_json share (fn_from_json.c, fn_json.c) */
#include "duck/functions.h"
#include "duck/java_time.h"
#include "duck/json_style.h"
#include "duck/zone.h"

/* What the options of a call say. */
typedef struct FnJson {
    JsonStyle style;
    const Zone *zone;                                 /* NULL: the session's */
    const JavaTime *timestamp, *timestamp_ntz, *date; /* NULL: as CAST reads; to_json: ISO 8601 */
} FnJson;

/*
 * The options from argument 1 on, names and values by turns, constants, into *out, which lives in call->arena. reading: formats of time are read with,
 * else written. Fails as CONFIG: an option that is no constant, is not known or has a value that does not fit.
 */
int fn_json_options(FnCall *call, bool reading, FnJson *out, SiltErr *err);
/* The zone that the options name, or the session's. NULL with err: no such zone. */
const Zone *fn_json_zone(const FnCall *call, const FnJson *json, SiltErr *err);
