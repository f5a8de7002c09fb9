/* duck/number_format.c - numbers to text and back by a format, step by step as Spark goes */
#include "duck/number_format.h"

#include <string.h>

/* ---- formats ---- */

typedef struct FormatReader {
    Str text;
    size_t at;
    NumberFormat *out;
    int dollars, points, signs, minuses, brackets;
    bool separator_open; /* a separator waits for digits */
    const char *wrong;
} FormatReader;

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

static bool is_word(const FormatReader *r, const char *word)
{
    return r->at + 1 < r->text.size && upper(r->text.ptr[r->at]) == word[0] && upper(r->text.ptr[r->at + 1]) == word[1];
}

/* A run of 0 and 9. False: too many digits. */
static bool read_digits(FormatReader *r)
{
    NumberFormat *f = r->out;
    size_t from = r->at;

    while (r->at < r->text.size && (r->text.ptr[r->at] == '0' || r->text.ptr[r->at] == '9'))
        r->at++;
    int digits = (int)(r->at - from);

    if (f->whole + f->fraction + digits > NUMBER_DIGITS_MAX)
        return false;
    if (f->point) {
        f->fraction += digits;
        return true;
    }
    f->groups[f->group_count++] = (NumberGroup){digits, r->text.ptr[from] == '0'};
    f->whole += digits;
    r->separator_open = false;
    return true;
}

static void read_sign(FormatReader *r, NumberSign sign, bool begun)
{
    r->signs += sign == SIGN_PLUS_MINUS;
    r->minuses += sign == SIGN_MINUS;
    *(begun ? &r->out->after : &r->out->before) = sign;
}

static const char *read_token(FormatReader *r)
{
    NumberFormat *f = r->out;
    char c = upper(r->text.ptr[r->at]);
    bool begun = f->group_count || f->point, closed = f->after || f->brackets;

    if (c == '0' || c == '9')
        return closed ? "INVALID_FORMAT.UNEXPECTED_TOKEN" : read_digits(r) ? NULL : "INVALID_FORMAT.WRONG_NUM_DIGIT";
    if (is_word(r, "MI")) {
        read_sign(r, SIGN_MINUS, begun);
        r->at += 2;
        return NULL;
    }
    if (is_word(r, "PR")) {
        r->brackets++;
        f->brackets = true;
        r->at += 2;
        return r->at == r->text.size ? NULL : "INVALID_FORMAT.UNEXPECTED_TOKEN";
    }
    r->at++;
    switch (c) {
    case ',':
    case 'G':
        if (f->point)
            return "INVALID_FORMAT.THOUSANDS_SEPS_MUST_BEFORE_DEC";
        if (!f->group_count || r->separator_open)
            return "INVALID_FORMAT.CONT_THOUSANDS_SEPS";
        r->separator_open = true;
        return NULL;
    case '.':
    case 'D':
        r->points++;
        f->point = true;
        return NULL;
    case '$':
        r->dollars++;
        f->dollar = true;
        return f->point ? "INVALID_FORMAT.CUR_MUST_BEFORE_DEC" : begun ? "INVALID_FORMAT.CUR_MUST_BEFORE_DIGIT" : NULL;
    case 'S':
        /* a sign stands before the $ */
        if (f->dollar && !begun)
            return "INVALID_FORMAT.UNEXPECTED_TOKEN";
        read_sign(r, SIGN_PLUS_MINUS, begun);
        return NULL;
    default:
        return "INVALID_FORMAT.UNEXPECTED_TOKEN";
    }
}

const char *number_format_parse(Str text, NumberFormat *out)
{
    *out = (NumberFormat){0};
    FormatReader r = {.text = text, .out = out};

    while (r.at < text.size) {
        const char *wrong = read_token(&r);

        if (r.points > 1 || r.dollars > 1 || r.signs > 1 || r.minuses > 1 || r.brackets > 1)
            return "INVALID_FORMAT.WRONG_NUM_TOKEN";
        if (wrong)
            return wrong;
    }
    if (!out->whole && !out->fraction)
        return "INVALID_FORMAT.WRONG_NUM_DIGIT";
    return r.separator_open ? "INVALID_FORMAT.CONT_THOUSANDS_SEPS" : NULL;
}

/* ---- writing ---- */

/* A blank goes before a sign that was just written, so that the sign stands at the number. */
static void put_char(StrBuf *out, size_t start, char c)
{
    str_buf_putc(out, c);
    if (c != ' ' || out->size < start + 2)
        return;
    char *last = out->ptr + out->size - 1, sign = last[-1];

    if (sign == '+' || sign == '-' || sign == '<') {
        last[-1] = ' ';
        *last = sign;
    }
}

static char last_char(const StrBuf *out, size_t start)
{
    return out->size > start ? out->ptr[out->size - 1] : 0;
}

/* A point with nothing behind it becomes a blank. */
static void strip_point(StrBuf *out, size_t start)
{
    if (last_char(out, start) == '.')
        out->ptr[out->size - 1] = ' ';
}

static void put_sign(StrBuf *out, size_t start, NumberSign sign, bool negative, bool behind)
{
    if (sign == SIGN_NONE)
        return;
    if (behind && (sign == SIGN_PLUS_MINUS || negative))
        strip_point(out, start);
    put_char(out, start, negative ? '-' : sign == SIGN_PLUS_MINUS ? '+' : ' ');
}

void number_format_put(StrBuf *out, const NumberFormat *format, Str decimal)
{
    bool negative = decimal.size && decimal.ptr[0] == '-';
    const char *p = decimal.ptr + negative, *end = decimal.ptr + decimal.size, *point = memchr(p, '.', (size_t)(end - p));
    const char *whole_end = point ? point : end;
    size_t start = out->size;

    while (p < whole_end && *p == '0')
        p++;
    const char *fraction = point ? point + 1 : end;

    while (end > fraction && end[-1] == '0')
        end--;
    int missing = format->whole - (int)(whole_end - p);
    bool overflow = missing < 0 || end - fraction > format->fraction;

    put_sign(out, start, format->before, negative, false);
    if (format->brackets && negative)
        put_char(out, start, '<');
    if (format->dollar)
        put_char(out, start, '$');
    for (int g = 0; g < format->group_count; g++) {
        char before = last_char(out, start);

        if (g)
            put_char(out, start, before >= '0' && before <= '9' ? ',' : ' ');
        for (int i = 0; i < format->groups[g].digits; i++, missing--)
            put_char(out, start, overflow ? '#' : missing > 0 ? (format->groups[g].all ? '0' : ' ') : *p++);
    }
    if (format->point) {
        if (last_char(out, start) == ' ')
            out->ptr[out->size - 1] = '0';
        put_char(out, start, '.');
        for (int i = 0; i < format->fraction; i++)
            put_char(out, start, overflow ? '#' : fraction < end ? *fraction++ : '0');
    }
    put_sign(out, start, format->after, negative, true);
    if (format->brackets) {
        strip_point(out, start);
        str_buf_puts(out, negative ? ">" : "  ");
    }
    strip_point(out, start);
}

/* ---- reading ---- */

/* Groups of digits between separators, from the right: as many as the format's, none longer, none shorter that must have all its digits. */
static bool groups_fit(const NumberFormat *format, Str text)
{
    int g = format->group_count - 1, digits = 0;

    if (g < 0)
        return !text.size;
    for (size_t i = text.size;; i--) {
        if (i && text.ptr[i - 1] != ',') {
            digits++;
            continue;
        }
        if (g < 0)
            return false;
        if (digits > format->groups[g].digits || (format->groups[g].all && digits < format->groups[g].digits))
            return false;
        g--;
        digits = 0;
        if (!i)
            break;
    }
    for (; g >= 0; g--)
        if (format->groups[g].all)
            return false;
    return true;
}

static bool take(Str *text, char c)
{
    if (!text->size || text->ptr[0] != c)
        return false;
    *text = (Str){text->ptr + 1, text->size - 1};
    return true;
}

static void take_sign(Str *text, NumberSign sign, bool *negative)
{
    if (sign != SIGN_NONE && take(text, '-'))
        *negative = true;
    else if (sign == SIGN_PLUS_MINUS)
        take(text, '+');
}

bool number_format_read(const NumberFormat *format, Str text, __int128 *out)
{
    bool negative = false;
    int digits = 0, places = 0;

    *out = 0;
    text = str_trim(text);
    take_sign(&text, format->before, &negative);
    bool opened = format->brackets && take(&text, '<');

    if (format->dollar && !take(&text, '$'))
        return false;
    Str whole = {text.ptr, 0};

    while (text.size && ((text.ptr[0] >= '0' && text.ptr[0] <= '9') || text.ptr[0] == ',')) {
        digits += text.ptr[0] != ',';
        if (digits > format->whole)
            return false;
        if (text.ptr[0] != ',')
            *out = *out * 10 + (text.ptr[0] - '0');
        whole.size++;
        take(&text, text.ptr[0]);
    }
    if (!groups_fit(format, whole))
        return false;
    if (format->point && take(&text, '.'))
        for (; text.size && text.ptr[0] >= '0' && text.ptr[0] <= '9'; digits++, places++) {
            if (places == format->fraction)
                return false;
            *out = *out * 10 + (text.ptr[0] - '0');
            take(&text, text.ptr[0]);
        }
    if (!digits)
        return false;
    for (; places < format->fraction; places++)
        *out *= 10;
    take_sign(&text, format->after, &negative);
    if (opened && !take(&text, '>'))
        return false;
    if (negative || opened)
        *out = -*out;
    return !text.size;
}
