#pragma once
/* duck/digits.h - decimal digits of text, eight at once */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a text is the lowest of a word");

#define DIGITS_ZERO UINT64_C(0x3030303030303030)

/* Eight bytes that were XORed with '0': are all of them digits? */
static inline bool digits_all(uint64_t word)
{
    return !((word | (word + UINT64_C(0x0606060606060606))) & UINT64_C(0xF0F0F0F0F0F0F0F0));
}

/* Eight such digits, the first in the lowest byte, as a number: neighbours to pairs, pairs to fours, fours to eight. */
static inline uint64_t digits_sum(uint64_t word)
{
    const uint64_t pair = UINT64_C(0x000000FF000000FF);
    word = word * 10 + (word >> 8);
    return ((word & pair) * (100 + (UINT64_C(1000000) << 32)) + (word >> 16 & pair) * (1 + (UINT64_C(10000) << 32))) >> 32;
}

/* A text of 1 to 8 digits; false if it is none. 8 bytes are readable. */
static inline bool digits_8(const char *text, size_t size, uint64_t *out)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    word = (word ^ DIGITS_ZERO) << (64 - 8 * size); /* zeros in front */
    *out = digits_sum(word);
    return digits_all(word);
}

/* A text of 1 to 16 digits; false if it is none. 8 bytes are readable. */
static inline bool digits_16(const char *text, size_t size, uint64_t *out)
{
    uint64_t high = 0, low;
    bool all = true;
    if (size > 8) {
        all = digits_8(text, size - 8, &high);
        text += size - 8;
        size = 8;
    }
    all &= digits_8(text, size, &low);
    *out = high * 100000000 + low;
    return all;
}
