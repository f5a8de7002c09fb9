/* duck/regex_class.c - see regex_class.h */
#include "duck/regex_class.h"

#include "duck/unicode_case.h"

#include <stdlib.h>
#include <string.h>

enum { POINT_MAX = 0x10FFFF, CLASS_DEPTH_MAX = 100, FOLDED_RANGE_MAX = 0x3000 };

static void add_range(Arena *arena, RegexSet *set, uint32_t low, uint32_t high)
{
    if (low <= high)
        ARENA_PUSH(arena, set->ranges, set->count, set->capacity, ((RegexRange){low, high}));
}

/* The part of low..high within from..to, moved by delta. */
static void add_moved(Arena *arena, RegexSet *set, uint32_t low, uint32_t high, uint32_t from, uint32_t to, int delta)
{
    uint32_t first = low > from ? low : from, last = high < to ? high : to;
    if (first <= last)
        add_range(arena, set, (uint32_t)((int)first + delta), (uint32_t)((int)last + delta));
}

void regex_set_add(Arena *arena, RegexSet *set, uint32_t low, uint32_t high, unsigned flags)
{
    add_range(arena, set, low, high);
    if (!(flags & REGEX_FOLD))
        return;
    add_moved(arena, set, low, high, 'a', 'z', -32);
    add_moved(arena, set, low, high, 'A', 'Z', 32);
    if ((flags & REGEX_UNICODE_FOLD) && high >= 0x80 && high - low <= FOLDED_RANGE_MAX)
        for (uint32_t c = low; c <= high; c++) {
            uint32_t upper = unicode_upper(c), lower = unicode_lower(upper);
            add_range(arena, set, upper, upper);
            add_range(arena, set, lower, lower);
        }
}

static int by_low(const void *a, const void *b)
{
    const RegexRange *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void sort_ranges(RegexSet *set)
{
    int kept = 0;
    if (set->count)
        qsort(set->ranges, (size_t)set->count, sizeof *set->ranges, by_low);
    for (int i = 0; i < set->count; i++) {
        RegexRange range = set->ranges[i];
        if (kept && range.low <= set->ranges[kept - 1].high + 1) {
            if (range.high > set->ranges[kept - 1].high)
                set->ranges[kept - 1].high = range.high;
        } else {
            set->ranges[kept++] = range;
        }
    }
    set->count = kept;
}

void regex_set_negate(Arena *arena, RegexSet *set)
{
    RegexSet rest = {0};
    uint32_t next = 0;
    sort_ranges(set);
    for (int i = 0; i < set->count; i++) {
        if (set->ranges[i].low > next)
            add_range(arena, &rest, next, set->ranges[i].low - 1);
        next = set->ranges[i].high + 1;
    }
    add_range(arena, &rest, next, POINT_MAX);
    *set = rest;
}

/* a becomes what is in both. */
static void intersect(Arena *arena, RegexSet *a, RegexSet *b)
{
    RegexSet both = {0};
    sort_ranges(a);
    sort_ranges(b);
    for (int i = 0, k = 0; i < a->count && k < b->count;) {
        uint32_t low = a->ranges[i].low > b->ranges[k].low ? a->ranges[i].low : b->ranges[k].low;
        uint32_t high = a->ranges[i].high < b->ranges[k].high ? a->ranges[i].high : b->ranges[k].high;
        add_range(arena, &both, low, high);
        if (a->ranges[i].high < b->ranges[k].high)
            i++;
        else
            k++;
    }
    *a = both;
}

void regex_set_finish(Arena *arena, RegexSet *set)
{
    (void)arena;
    sort_ranges(set);
    for (int i = 0; i < set->count; i++)
        for (uint32_t c = set->ranges[i].low; c <= set->ranges[i].high && c < 0x80; c++)
            set->ascii[c >> 6] |= UINT64_C(1) << (c & 63);
}

/* ---- classes with a name ---- */

typedef struct NamedClass {
    const char *name;
    RegexRange ranges[6]; /* ends with {0, 0} after the first */
} NamedClass;

/* The POSIX ones are ASCII only, as in Java. */
static const NamedClass named_classes[] = {
    {"Lower", {{'a', 'z'}}},
    {"Upper", {{'A', 'Z'}}},
    {"ASCII", {{0, 0x7F}}},
    {"Alpha", {{'A', 'Z'}, {'a', 'z'}}},
    {"Digit", {{'0', '9'}}},
    {"Alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
    {"Punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
    {"Graph", {{'!', '~'}}},
    {"Print", {{' ', '~'}}},
    {"Blank", {{' ', ' '}, {'\t', '\t'}}},
    {"Cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
    {"XDigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
    {"Space", {{'\t', '\r'}, {' ', ' '}}},
};

static void add_ranges(Arena *arena, RegexSet *set, const RegexRange *ranges, unsigned flags)
{
    for (int i = 0; i < 6 && (i == 0 || ranges[i].high); i++)
        regex_set_add(arena, set, ranges[i].low, ranges[i].high, flags);
}

#include "duck/unicode_category_tables.h"

static bool in_ranges(const RegexRange *ranges, int count, uint32_t c)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (ranges[middle].high < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].low <= c;
}

bool unicode_has_category(uint32_t c, const char *name)
{
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (strcmp(categories[i].name, name) == 0)
            return in_ranges(categories[i].ranges, categories[i].count, c);
    return false;
}

bool unicode_is_letter_or_digit(uint32_t c)
{
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if ((categories[i].name[0] == 'L' || strcmp(categories[i].name, "Nd") == 0) &&
            in_ranges(categories[i].ranges, categories[i].count, c))
            return true;
    return false;
}

bool regex_set_has(const RegexSet *set, uint32_t c)
{
    return in_ranges(set->ranges, set->count, c);
}

/* L, Lu, IsL, general_category=Lu, ... */
static bool add_category(Arena *arena, RegexSet *set, Str name)
{
    static const char *const prefixes[] = {"general_category=", "gc=", "Is"};
    bool found = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(name, prefixes[i])) {
            name.ptr += strlen(prefixes[i]);
            name.size -= strlen(prefixes[i]);
            break;
        }
    if (str_is(name, "Alphabetic"))
        return false; /* a property, not a category */
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
        const Category *c = &categories[i];
        bool all_of_kind = name.size == 1 && name.ptr[0] == c->name[0];
        if (!all_of_kind && !str_is(name, c->name))
            continue;
        found = true;
        for (int k = 0; k < c->count; k++)
            add_range(arena, set, c->ranges[k].low, c->ranges[k].high);
    }
    return found;
}

static const char *property(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set)
{
    Str name = {pattern.ptr + *at, 1};
    if (*at >= pattern.size)
        return "\\p needs a name";
    if (pattern.ptr[*at] == '{') {
        const char *close = memchr(pattern.ptr + *at, '}', pattern.size - *at);
        if (!close)
            return "\\p{ is not closed";
        name = (Str){pattern.ptr + *at + 1, (size_t)(close - pattern.ptr) - *at - 1};
        *at = (size_t)(close - pattern.ptr) + 1;
    } else {
        (*at)++;
    }
    for (size_t i = 0; i < sizeof named_classes / sizeof *named_classes; i++)
        if (str_is(name, named_classes[i].name)) {
            add_ranges(arena, set, named_classes[i].ranges, flags);
            return NULL;
        }
    return add_category(arena, set, name) ? NULL : "\\p with this name is not supported";
}

/* \d \w \s \h \v and their opposites; false if it is none of them. */
static bool shorthand(Arena *arena, char letter, RegexSet *set)
{
    static const NamedClass classes[] = {
        {"d", {{'0', '9'}}},
        {"w", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
        {"s", {{'\t', '\r'}, {' ', ' '}}},
        {"h", {{'\t', '\t'}, {' ', ' '}, {0xA0, 0xA0}, {0x180E, 0x180E}, {0x2000, 0x200A}, {0x202F, 0x202F}}},
        {"v", {{'\n', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}}},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        char name = classes[i].name[0];
        if (letter != name && letter != name - 32)
            continue;
        RegexSet one = {0};
        add_ranges(arena, &one, classes[i].ranges, 0);
        if (name == 'h') {
            add_range(arena, &one, 0x205F, 0x205F);
            add_range(arena, &one, 0x3000, 0x3000);
        }
        if (letter != name)
            regex_set_negate(arena, &one);
        for (int k = 0; k < one.count; k++)
            add_range(arena, set, one.ranges[k].low, one.ranges[k].high);
        return true;
    }
    return false;
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool hex_number(Str pattern, size_t *at, int digits, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        int value = *at < pattern.size ? hex_value(pattern.ptr[*at]) : -1;
        if (value < 0)
            return false;
        *out = *out << 4 | (uint32_t)value;
    }
    return true;
}

/* \x41 \x{1F600} \u0041 (also a pair of surrogates) \0101 */
static const char *numbered(Str pattern, size_t *at, char letter, uint32_t *out)
{
    if (letter == '0') {
        int digits = 0;
        *out = 0;
        for (; digits < 3 && *at < pattern.size && pattern.ptr[*at] >= '0' && pattern.ptr[*at] <= '7'; digits++) {
            if (digits == 2 && *out > 037)
                break;
            *out = *out << 3 | (uint32_t)(pattern.ptr[(*at)++] - '0');
        }
        return digits ? NULL : "\\0 needs an octal number";
    }
    if (letter == 'x' && *at < pattern.size && pattern.ptr[*at] == '{') {
        *out = 0;
        for ((*at)++; *at < pattern.size && hex_value(pattern.ptr[*at]) >= 0 && *out <= POINT_MAX; (*at)++)
            *out = *out << 4 | (uint32_t)hex_value(pattern.ptr[*at]);
        if (*at >= pattern.size || pattern.ptr[*at] != '}' || *out > POINT_MAX)
            return "\\x{ needs a code point and }";
        (*at)++;
        return NULL;
    }
    if (!hex_number(pattern, at, letter == 'x' ? 2 : 4, out))
        return letter == 'x' ? "\\x needs two hex digits" : "\\u needs four hex digits";
    uint32_t low;
    size_t next = *at + 2;
    if (*out >= 0xD800 && *out < 0xDC00 && *at + 1 < pattern.size && pattern.ptr[*at] == '\\' && pattern.ptr[*at + 1] == 'u' &&
        hex_number(pattern, &next, 4, &low) && low >= 0xDC00 && low < 0xE000) {
        *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
        *at = next;
    }
    return NULL;
}

const char *regex_escape(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set, uint32_t *single)
{
    static const char letters[] = "tnrfae", values[] = "\t\n\r\f\a\033";
    uint32_t c;
    int size;
    if (single)
        *single = UINT32_MAX;
    if (*at >= pattern.size)
        return "a backslash stands alone";
    c = utf8_get(pattern.ptr + *at, &size);
    *at += (size_t)size;
    char letter = c < 0x80 ? (char)c : 0;
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (letter == 'p' || letter == 'P') {
        RegexSet one = {0};
        const char *wrong = property(arena, pattern, at, flags, &one);
        if (wrong)
            return wrong;
        if (letter == 'P')
            regex_set_negate(arena, &one);
        for (int k = 0; k < one.count; k++)
            add_range(arena, set, one.ranges[k].low, one.ranges[k].high);
        return NULL;
    }
    if (letter && shorthand(arena, letter, set))
        return NULL;
    if (known) {
        c = (uint32_t)values[known - letters];
    } else if (letter == 'x' || letter == 'u' || letter == '0') {
        const char *wrong = numbered(pattern, at, letter, &c);
        if (wrong)
            return wrong;
    } else if (letter == 'c') {
        if (*at >= pattern.size)
            return "\\c needs a letter";
        c = (uint32_t)(pattern.ptr[(*at)++] ^ 64) & 0x7F;
    } else if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '1' && letter <= '9')) {
        return letter == 'N' ? "\\N is not supported" : "unknown escape";
    }
    regex_set_add(arena, set, c, c, flags);
    if (single)
        *single = c;
    return NULL;
}

/* ---- brackets ---- */

/* One character or escape; *c is UINT32_MAX for a class, which is in set then. */
static const char *class_item(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set, uint32_t *c)
{
    int size;
    if (pattern.ptr[*at] == '\\') {
        RegexSet one = {0};
        (*at)++;
        const char *wrong = regex_escape(arena, pattern, at, flags, &one, c);
        for (int i = 0; i < one.count && *c == UINT32_MAX; i++)
            add_range(arena, set, one.ranges[i].low, one.ranges[i].high);
        return wrong;
    }
    *c = utf8_get(pattern.ptr + *at, &size);
    *at += (size_t)size;
    return NULL;
}

static bool at_text(Str pattern, size_t at, const char *text)
{
    return pattern.size - at >= strlen(text) && memcmp(pattern.ptr + at, text, strlen(text)) == 0;
}

/* Items until "&&" or "]". */
static const char *class_union(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set, int depth, bool first)
{
    while (*at < pattern.size) {
        char here = pattern.ptr[*at];
        uint32_t low, high;
        if ((here == ']' && !first) || at_text(pattern, *at, "&&"))
            return NULL;
        first = false;
        if ((flags & REGEX_COMMENTS) && (here == ' ' || (here >= '\t' && here <= '\r'))) {
            (*at)++;
            continue;
        }
        if (here == '[') {
            RegexSet inner = {0};
            (*at)++;
            const char *wrong = regex_class(arena, pattern, at, flags, &inner, depth + 1);
            if (wrong)
                return wrong;
            for (int i = 0; i < inner.count; i++)
                add_range(arena, set, inner.ranges[i].low, inner.ranges[i].high);
            continue;
        }
        if (at_text(pattern, *at, "\\Q")) {
            int size;
            for (*at += 2; *at < pattern.size && !at_text(pattern, *at, "\\E"); *at += (size_t)size) {
                low = utf8_get(pattern.ptr + *at, &size);
                regex_set_add(arena, set, low, low, flags);
            }
            *at += *at < pattern.size ? 2 : 0;
            continue;
        }
        const char *wrong = class_item(arena, pattern, at, flags, set, &low);
        if (wrong)
            return wrong;
        if (low == UINT32_MAX)
            continue;
        high = low;
        bool range = *at + 1 < pattern.size && pattern.ptr[*at] == '-' && pattern.ptr[*at + 1] != ']' && pattern.ptr[*at + 1] != '[' &&
                     !at_text(pattern, *at + 1, "&&");
        if (range) {
            (*at)++;
            wrong = class_item(arena, pattern, at, flags, set, &high);
            if (wrong)
                return wrong;
            if (high == UINT32_MAX) { /* a-\d: the two and a hyphen */
                regex_set_add(arena, set, '-', '-', flags);
                high = low;
            }
            if (high < low)
                return "a range ends before it starts";
        }
        regex_set_add(arena, set, low, high, flags);
    }
    return "[ is not closed";
}

const char *regex_class(Arena *arena, Str pattern, size_t *at, unsigned flags, RegexSet *set, int depth)
{
    bool negative = *at < pattern.size && pattern.ptr[*at] == '^';
    *at += negative;
    if (depth > CLASS_DEPTH_MAX)
        return "brackets nest too deep";
    const char *wrong = class_union(arena, pattern, at, flags, set, depth, true);
    while (!wrong && at_text(pattern, *at, "&&")) {
        RegexSet right = {0};
        *at += 2;
        wrong = class_union(arena, pattern, at, flags, &right, depth, false);
        if (right.count && set->count) /* an empty side counts for nothing, as in Java */
            intersect(arena, set, &right);
        else if (right.count)
            *set = right;
    }
    if (wrong)
        return wrong;
    (*at)++; /* ] */
    if (negative)
        regex_set_negate(arena, set);
    return NULL;
}
