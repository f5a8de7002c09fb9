#pragma once
/* duck/java_random.h - the sequence of java.util.Random, which parts of Spark draw from with a fixed seed */
#include <stdint.h>

/* *state is 48 bits. */
static inline uint64_t java_random_start(int64_t seed)
{
    return ((uint64_t)seed ^ UINT64_C(0x5DEECE66D)) & ((UINT64_C(1) << 48) - 1);
}

/* The upper `bits` bits of the next state, up to 32. */
static inline uint32_t java_random_next(uint64_t *state, int bits)
{
    *state = (*state * UINT64_C(0x5DEECE66D) + 0xB) & ((UINT64_C(1) << 48) - 1);
    return (uint32_t)(*state >> (48 - bits));
}

static inline double java_random_double(uint64_t *state)
{
    uint64_t high = (uint64_t)java_random_next(state, 26) << 27;
    return (double)(high + java_random_next(state, 27)) * 0x1p-53;
}
