/* base/clock.c - see clock.h */
#include "base/clock.h"

#include <time.h>

int64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}
