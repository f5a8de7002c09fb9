#pragma once
/*
 * duck/zone.h - time zones for functions in C and for decoders
 *
 * The rules are DuckDB's own (ICU), asked for once per zone, so that C and SQL agree and no zone files are needed. Local times
 * that do not exist or exist twice are read as Java and Spark do: with the offset from before the change.
 */
#include "base/err.h"
#include "base/str.h"

typedef struct Zone Zone; /* never changes once made */

/* Seconds east of UTC at a time in microseconds UTC. */
int32_t zone_offset_seconds(const Zone *zone, int64_t utc_us);
/* From one to the other; at the ends of what microseconds can tell (years -290308 and 294247) it stays there. */
int64_t zone_to_local_us(const Zone *zone, int64_t utc_us);
int64_t zone_to_utc_us(const Zone *zone, int64_t local_us);

/* UTC, Z, GMT, UT, +h, +hh, +hhmm, +hh:mm, +hh:mm:ss (or -), also after UTC, GMT or UT; at most 18 hours. */
bool zone_parse_offset(Str text, int *offset_seconds);

/*
 * By name: an offset, or one of ICU's names as it is written there (Java's regions and short ids: Europe/Berlin, PST). Lives as long as the
 * process and is shared by threads. NULL: there is no such zone. The first name that is no offset costs about 20 ms.
 */
const Zone *zone_find(Str name);

/*
 * Can a session have this zone? DuckDB takes names only, and has none for offsets that are no whole hours. 0, or CONFIG with a hint; INVALID_CONF_VALUE.TIME_ZONE
 * where there is no such zone.
 */
int zone_check(const char *name, SiltErr *err);
