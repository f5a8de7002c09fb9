#pragma once
/*
 * duck/zone.h - time zones for functions in C
 *
 * The rules are the engine's own (ICU), asked for once per zone, so that C and SQL agree and no zone files are needed. Local times
 * that do not exist or exist twice are read as Java and Spark do: with the offset from before the change.
 */
#include "base/err.h"
#include "base/str.h"

typedef struct Zone Zone; /* never changes once made */

/* Seconds east of UTC at a time in microseconds UTC. */
int32_t zone_offset_seconds(const Zone *zone, int64_t utc_us);
int64_t zone_to_local_us(const Zone *zone, int64_t utc_us);
int64_t zone_to_utc_us(const Zone *zone, int64_t local_us);

/* UTC, Z, GMT, UT, +h, +hh, +hhmm, +hh:mm, +hh:mm:ss (or -), also after UTC, GMT or UT; at most 18 hours. */
bool zone_parse_offset(Str text, int *offset_seconds);

/* database: a duckdb_database. The name must be one of ICU's, or an offset. Freed with zones_free. */
int zone_load(void *database, Str name, Zone **out, SiltErr *err);
/* Remembers that there is no zone of this name: asking the engine for each bad row would take milliseconds. */
Zone *zone_unknown(Str name);
bool zone_is_known(const Zone *zone);
const Zone *zones_find(const Zone *zones, Str name);
void zones_add(Zone **zones, Zone *zone);
void zones_free(Zone *zones);
