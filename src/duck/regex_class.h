#pragma once
/* duck/regex_class.h - sets of code points in patterns: [a-z&&[^x]], \d, \p{Alpha} */
#include "base/arena.h"
#include "base/str.h"

enum {
    REGEX_FOLD = 1,         /* (?i) */
    REGEX_UNICODE_FOLD = 2, /* (?u): (?i) beyond ASCII */
    REGEX_MULTILINE = 4,    /* (?m) */
    REGEX_DOTALL = 8,       /* (?s) */
    REGEX_COMMENTS = 16,    /* (?x) */
    REGEX_UNIX_LINES = 32,  /* (?d) */
};

typedef struct RegexRange {
    uint32_t low, high;
} RegexRange;

/* Once finished: ranges sorted, apart, and the ASCII part as bits. */
typedef struct RegexSet {
    RegexRange *ranges;
    int count, capacity;
    uint64_t ascii[2];
} RegexSet;

/* Add low..high, and with REGEX_FOLD what differs from them in case only. */
void regex_set_add(Arena *arena, RegexSet *set, uint32_t low, uint32_t high, unsigned flags);
void regex_set_negate(Arena *arena, RegexSet *set);
void regex_set_finish(Arena *arena, RegexSet *set);

static inline bool regex_set_has_ascii(const RegexSet *set, unsigned char c)
{
    return set->ascii[c >> 6] >> (c & 63) & 1;
}

bool regex_set_has(const RegexSet *set, uint32_t c);
/* A general category by its two letters: Lu, Nd. */
bool unicode_has_category(uint32_t c, const char *name);
/* Categories L and Nd. */
bool unicode_is_letter_or_digit(uint32_t c);

/*
 * What stands behind a backslash at *at, added to set. *at moves behind it. NULL, or what is wrong. single (NULL allowed) gets the one
 * code point that it stands for, or UINT32_MAX if it is a class: the end of a range.
 */
const char *regex_escape(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set, uint32_t *single);
/* A bracket expression from behind its "[" to behind its "]". NULL, or what is wrong. */
const char *regex_class(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set, int depth);
