#pragma once
/* base/clock.h - time that only goes on, for waits on the world outside (what a test is to control asks io_monotonic_us) */
#include <stdint.h>

/* Milliseconds since some moment in the past (CLOCK_MONOTONIC). */
int64_t clock_ms(void);
