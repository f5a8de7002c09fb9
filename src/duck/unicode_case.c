/* duck/unicode_case.c - see unicode_case.h; the tables are made by a script */
#include "duck/unicode_case.h"

typedef struct CaseRun {
    uint32_t first, last, stride;
    int32_t delta;
} CaseRun;

typedef struct CaseSpecial {
    uint32_t c;
    const char *upper, *title;
} CaseSpecial;

#include "duck/unicode_case_tables.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

uint32_t utf8_get(const char *ptr, int *size)
{
    const unsigned char *p = (const unsigned char *)ptr;
    if (p[0] < 0x80) {
        *size = 1;
        return p[0];
    }
    if (p[0] < 0xE0) {
        *size = 2;
        return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3F);
    }
    if (p[0] < 0xF0) {
        *size = 3;
        return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    }
    *size = 4;
    return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 | (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3F);
}

static uint32_t map(const CaseRun *runs, size_t count, uint32_t c)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (runs[middle].last < c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count && runs[low].first <= c && (c - runs[low].first) % runs[low].stride == 0)
        return (uint32_t)((int32_t)c + runs[low].delta);
    return c;
}

uint32_t unicode_upper(uint32_t c)
{
    if (c < 0x80)
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    return map(to_upper, COUNT_OF(to_upper), c);
}

uint32_t unicode_lower(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    return map(to_lower, COUNT_OF(to_lower), c);
}

static const CaseSpecial *special(uint32_t c)
{
    size_t low = 0, high = COUNT_OF(specials);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (specials[middle].c < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < COUNT_OF(specials) && specials[low].c == c ? &specials[low] : NULL;
}

/* The ASCII bytes from `from` on, those between first and last in the other case; where they end. Most text is nothing else. */
static size_t put_ascii(StrBuf *out, Str text, size_t from, char first, char last)
{
    size_t end = from;
    while (end < text.size && (unsigned char)text.ptr[end] < 0x80)
        end++;
    str_buf_add(out, text.ptr + from, end - from);
    for (char *p = out->ptr + out->size - (end - from), *stop = out->ptr + out->size; p < stop; p++)
        *p = (char)(*p >= first && *p <= last ? *p ^ 0x20 : *p);
    return end;
}

void unicode_put_upper(StrBuf *out, Str text)
{
    for (size_t i = 0; i < text.size;) {
        int size;
        if ((unsigned char)text.ptr[i] < 0x80) {
            i = put_ascii(out, text, i, 'a', 'z');
            continue;
        }
        uint32_t c = utf8_get(text.ptr + i, &size);
        const CaseSpecial *several = special(c);
        if (several)
            str_buf_puts(out, several->upper);
        else
            utf8_put(out, unicode_upper(c));
        i += (size_t)size;
    }
}

void unicode_put_title(StrBuf *out, uint32_t c)
{
    const CaseSpecial *several = c < 0x80 ? NULL : special(c);
    if (several)
        str_buf_puts(out, several->title);
    else
        utf8_put(out, map(to_title, COUNT_OF(to_title), c));
}

/* A letter that has another case: what counts as one next to a sigma. */
static bool is_cased(uint32_t c)
{
    return unicode_lower(c) != c || unicode_upper(c) != c;
}

/* The sigma at text.ptr[at] ends a word: a letter before, none behind. */
static bool is_final_sigma(Str text, size_t at)
{
    size_t before = at;
    int size;
    if (at == 0)
        return false;
    do
        before--;
    while (before > 0 && ((unsigned char)text.ptr[before] & 0xC0) == 0x80);
    if (!is_cased(utf8_get(text.ptr + before, &size)))
        return false;
    return at + 2 >= text.size || !is_cased(utf8_get(text.ptr + at + 2, &size));
}

void unicode_put_lower(StrBuf *out, Str text)
{
    enum { CAPITAL_I_DOT = 0x130, CAPITAL_SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2 };
    for (size_t i = 0; i < text.size;) {
        int size;
        if ((unsigned char)text.ptr[i] < 0x80) {
            i = put_ascii(out, text, i, 'A', 'Z');
            continue;
        }
        uint32_t c = utf8_get(text.ptr + i, &size);
        if (c == CAPITAL_I_DOT)
            str_buf_puts(out, "i\xCC\x87"); /* with a combining dot above */
        else if (c == CAPITAL_SIGMA && is_final_sigma(text, i))
            utf8_put(out, FINAL_SIGMA);
        else
            utf8_put(out, unicode_lower(c));
        i += (size_t)size;
    }
}
