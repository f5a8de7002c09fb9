#pragma once
/*
 * duck/collation.h - Spark's collations: which strings are equal, and how they are ordered
 *
 * A collation is a number. UTF8_BINARY, the collation of every plain STRING, is 0. The lowest three bits say what is ignored, the rest is the place of
 * its base in the table of collation.c: UTF8_BINARY, UTF8_LCASE, UNICODE, then the languages. Numbers live as long as the process and are never stored.
 */
#include "base/str.h"

enum {
    COLLATION_UTF8_BINARY = 0,
    COLLATION_RTRIM = 1, /* blanks at the end do not count */
    COLLATION_CI = 2,    /* neither does case */
    COLLATION_AI = 4,    /* nor accents */
};

/* The collation of that name, in any case, with or without SYSTEM.BUILTIN before it; -1: Spark has none of that name. */
int collation_find(Str name);
/* Its name as Spark prints it: "UTF8_LCASE", "sv_CI_AI". */
void collation_print(StrBuf *out, int collation);
/* Can it be computed here as Spark computes it? Not every language can: the rules of some differ between the two versions of ICU. */
bool collation_is_known(int collation);
/* Does it compare by weights of Unicode's algorithm: not UTF8_BINARY, UTF8_LCASE, or one of these with RTRIM? */
bool collation_is_icu(int collation);
/* Does it compare bytes, after blanks at the end are gone? */
bool collation_is_binary(int collation);
/* Are its upper and lower case those of all languages? */
bool collation_has_common_case(int collation);

/*
 * DuckDB's text for the key of a string, itself given as such text: keys are equal where the strings are, and ordered by their bytes as the strings are.
 * pos: the packed position to blame for a string that has no key (duck/fn_collation.c). UTF8_BINARY: the string itself.
 */
void collation_print_key(StrBuf *out, int collation, const char *text, int64_t pos);
