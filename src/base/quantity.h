#pragma once
/* base/quantity.h - time spans and sizes as people write them in settings and options */
#include "base/str.h"

/* "5 minutes", "500 milliseconds", "1 hour 30 minutes", "interval 2 weeks", "90d", "10s". false: not a time span, or negative. */
bool quantity_interval(Str text, int64_t *us);
/* "1GB", "512 mb", "64k", "1048576". false: not a size. */
bool quantity_size(Str text, int64_t *bytes);
