#pragma once
/* format/local_zone.h - time zones: local time to UTC, from the system's time zone database */
#include "base/str.h"

typedef struct LocalZone LocalZone;

/*
 * By id as Java takes it: Z, UTC, GMT, UT, +2, +02, +0200, +02:00, +02:00:30, UTC+2, Europe/Berlin. Zones live as long as the process and
 * are shared by threads. NULL: unknown.
 */
const LocalZone *local_zone_find(Str id);
/*
 * Seconds since 1970 in local time to UTC. Of a time that is there twice the first, of a time that is skipped the one as much
 * later (02:30 in the gap becomes 03:30), as Java does.
 */
int64_t local_zone_to_utc(const LocalZone *zone, int64_t local_seconds);
/* Offset in seconds east of UTC at an instant. */
int local_zone_offset(const LocalZone *zone, int64_t utc_seconds);
