/* base/quantity.c - see quantity.h */
#include "base/quantity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool read_number(Str *text, double *out)
{
    char digits[64];
    size_t n = 0;

    while (n < text->size && n < sizeof digits - 1 && (isdigit((unsigned char)text->ptr[n]) || text->ptr[n] == '.')) {
        digits[n] = text->ptr[n];
        n++;
    }
    digits[n] = 0;
    char *end;
    *out = strtod(digits, &end);
    if (!n || *end)
        return false;
    *text = str_trim((Str){text->ptr + n, text->size - n});
    return true;
}

static Str read_word(Str *text)
{
    size_t n = 0;

    while (n < text->size && isalpha((unsigned char)text->ptr[n]))
        n++;
    Str word = {text->ptr, n};
    *text = str_trim((Str){text->ptr + n, text->size - n});
    return word;
}

bool quantity_interval(Str text, int64_t *us)
{
    static const struct {
        const char *names; /* parted by blanks */
        double us;
    } units[] = {
        {"us microsecond microseconds", 1},        {"ms millisecond milliseconds", 1e3}, {"s sec secs second seconds", 1e6},
        {"m min mins minute minutes", 60e6},       {"h hr hrs hour hours", 3600e6},             {"d day days", 86400e6},
        {"w week weeks", 7 * 86400e6},
    };
    double total = 0;

    text = str_trim(text);
    if (text.size > 8 && str_is_nocase((Str){text.ptr, 8}, "interval"))
        text = str_trim((Str){text.ptr + 8, text.size - 8});
    if (!text.size)
        return false;
    while (text.size) {
        double number, factor = -1;
        if (!read_number(&text, &number))
            return false;
        Str word = read_word(&text);
        if (!word.size)
            return false;
        for (size_t i = 0; i < sizeof units / sizeof units[0] && factor < 0; i++) {
            for (const char *name = units[i].names; *name;) {
                size_t size = strcspn(name, " ");
                if (size == word.size && !strncasecmp(name, word.ptr, size))
                    factor = units[i].us;
                name += size + (name[size] == ' ');
            }
        }
        if (factor < 0)
            return false;
        total += number * factor;
    }
    if (total > 9e18)
        return false;
    *us = (int64_t)total;
    return true;
}

bool quantity_size(Str text, int64_t *bytes)
{
    static const char letters[] = "bkmgtp";
    double number, factor = 1;

    text = str_trim(text);
    if (!read_number(&text, &number))
        return false;
    if (text.size) {
        const char *at = strchr(letters, tolower((unsigned char)text.ptr[0]));
        if (!at || !*at)
            return false;
        for (int i = 0; i < at - letters; i++)
            factor *= 1024;
        Str rest = {text.ptr + 1, text.size - 1};
        if (rest.size && !(at != letters && (str_is_nocase(rest, "b") || str_is_nocase(rest, "ib"))))
            return false;
    }
    if (number * factor > 9e18)
        return false;
    *bytes = (int64_t)(number * factor);
    return true;
}
