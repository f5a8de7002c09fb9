/*
 * duck/collation.c - names of collations, and their keys in DuckDB
 *
 * The keys of languages come from the ICU within DuckDB, which is of another version than Spark's: duck/fn_collation.c keeps away the characters, and `known` here
 * the languages, on which the two differ. Both were found by comparing the order of every character and of random strings under either of them (tools/collation_tables.py).
 */
#include "duck/collation.h"

#include <string.h>

enum { UTF8_BINARY, UTF8_LCASE, UNICODE, SPECIFIER_BITS = 3 };

typedef struct Base {
    const char *name;
    const char *locale; /* as ICU calls it, for languages */
    bool known;
} Base;

static const Base bases[] = {
    {"UTF8_BINARY", NULL, true},
    {"UTF8_LCASE", NULL, true},
    {"UNICODE", "und", true},
#include "duck/collation_locales.h"
};

enum { BASES = sizeof bases / sizeof *bases };

static const Base *base_of(int collation)
{
    silt_assert(collation >= 0 && collation >> SPECIFIER_BITS < BASES);
    return &bases[collation >> SPECIFIER_BITS];
}

/* The specifiers behind the base, "_CI_AI" in any order; the flags, or -1. What is said twice, or both ways, is wrong. */
static int find_specifiers(Str rest, bool utf8)
{
    static const struct {
        const char *text;
        int flag, group;
    } specifiers[] = {{"_CS", 0, 1}, {"_CI", COLLATION_CI, 1}, {"_AS", 0, 2}, {"_AI", COLLATION_AI, 2}, {"_RTRIM", COLLATION_RTRIM, 4}};
    int flags = 0, seen = 0;

    while (rest.size) {
        size_t i = 0, size = 0;

        for (; i < sizeof specifiers / sizeof *specifiers; i++) {
            size = strlen(specifiers[i].text);
            if (rest.size >= size && !strncasecmp(rest.ptr, specifiers[i].text, size) && (rest.size == size || rest.ptr[size] == '_'))
                break;
        }
        if (i == sizeof specifiers / sizeof *specifiers || (seen & specifiers[i].group) || (utf8 && specifiers[i].group != 4))
            return -1;
        seen |= specifiers[i].group;
        flags |= specifiers[i].flag;
        rest = (Str){rest.ptr + size, rest.size - size};
    }
    return flags;
}

int collation_find(Str name)
{
    static const char builtin[] = "SYSTEM.BUILTIN.";
    size_t prefix = sizeof builtin - 1;

    if (name.size > prefix && !strncasecmp(name.ptr, builtin, prefix))
        name = (Str){name.ptr + prefix, name.size - prefix};
    for (int i = 0; i < BASES; i++) {
        size_t size = strlen(bases[i].name);

        if (name.size < size || strncasecmp(name.ptr, bases[i].name, size) != 0 || (name.size > size && name.ptr[size] != '_'))
            continue;
        int flags = find_specifiers((Str){name.ptr + size, name.size - size}, i < UNICODE);

        if (flags >= 0) /* else a longer base may fit: zh, zh_Hans */
            return i << SPECIFIER_BITS | flags;
    }
    return -1;
}

void collation_print(StrBuf *out, int collation)
{
    str_buf_puts(out, base_of(collation)->name);
    str_buf_puts(out, collation & COLLATION_CI ? "_CI" : "");
    str_buf_puts(out, collation & COLLATION_AI ? "_AI" : "");
    str_buf_puts(out, collation & COLLATION_RTRIM ? "_RTRIM" : "");
}

bool collation_is_known(int collation)
{
    return base_of(collation)->known;
}

bool collation_is_icu(int collation)
{
    return collation >> SPECIFIER_BITS >= UNICODE;
}

bool collation_is_binary(int collation)
{
    return collation >> SPECIFIER_BITS == UTF8_BINARY;
}

bool collation_has_common_case(int collation)
{
    return collation >> SPECIFIER_BITS <= UNICODE;
}

/* Case is the third of Unicode's levels, accents are the second; case without accents is a level of its own. */
static const char *strength(int collation)
{
    switch (collation & (COLLATION_CI | COLLATION_AI)) {
    case 0:
        return "colStrength=tertiary";
    case COLLATION_CI:
        return "colStrength=secondary";
    case COLLATION_AI:
        return "colStrength=primary;colCaseLevel=yes";
    default:
        return "colStrength=primary";
    }
}

void collation_print_key(StrBuf *out, int collation, const char *text, int64_t pos)
{
    const Base *base = base_of(collation);
    bool icu = collation_is_icu(collation), lower = collation >> SPECIFIER_BITS == UTF8_LCASE, trim = collation & COLLATION_RTRIM;

    silt_assert(base->known);
    str_buf_puts(out, icu ? "icu_sort_key(silt_collated(" : lower ? "silt_lower_key(" : "");
    str_buf_puts(out, trim ? "rtrim(" : "");
    str_buf_puts(out, text);
    str_buf_puts(out, trim ? ", ' ')" : "");
    if (icu)
        str_buf_printf(out, ", %lld), '%s@%s')", (long long)pos, base->locale, strength(collation));
    else
        str_buf_puts(out, lower ? ")" : "");
}
