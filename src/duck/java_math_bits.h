#pragma once
/* duck/java_math_bits.h - the two halves of a double, as fdlibm takes it apart; private to java_math*.c */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Sign, exponent and the first 20 bits of the fraction. */
static inline int32_t high_word(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (int32_t)(bits >> 32);
}

static inline uint32_t low_word(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (uint32_t)bits;
}

static inline double of_words(int32_t high, uint32_t low)
{
    uint64_t bits = (uint64_t)(uint32_t)high << 32 | low;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double with_high_word(double x, int32_t high)
{
    return of_words(high, low_word(x));
}

/* With the lower half of its bits 0: products of two such are exact. */
static inline double upper_half(double x)
{
    return of_words(high_word(x), 0);
}

/* Times 2^k by way of the exponent's bits; the result must be a normal number. */
static inline double scaled(double x, int k)
{
    return with_high_word(x, (int32_t)((uint32_t)high_word(x) + ((uint32_t)k << 20)));
}
