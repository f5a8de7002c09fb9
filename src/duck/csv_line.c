/* duck/csv_line.c - see csv_line.h */
#include "duck/csv_line.h"

#include <string.h>

typedef struct Reader {
    Arena *arena;
    const CsvStyle *style;
    Str text;
    size_t at;
} Reader;

static bool at_separator(const Reader *r, size_t at)
{
    Str separator = r->style->separator;

    return r->text.size - at >= separator.size && !memcmp(r->text.ptr + at, separator.ptr, separator.size);
}

static bool ends_field(const Reader *r, size_t at)
{
    return at >= r->text.size || at_separator(r, at);
}

static bool is_blank(const Reader *r, size_t at)
{
    return at < r->text.size && (unsigned char)r->text.ptr[at] <= ' ' && !at_separator(r, at);
}

static size_t field_end(const Reader *r, size_t at)
{
    while (!ends_field(r, at))
        at++;
    return at;
}

static int byte_at(const Reader *r, size_t at)
{
    return at < r->text.size ? (unsigned char)r->text.ptr[at] : -2;
}

/* A quote at r->at that is neither escaped nor the last of its field, with what was read so far. True: the field is done, up to r->at. */
static bool stray_quote(Reader *r, CsvField *field, StrBuf *text, bool *stray)
{
    size_t end = field_end(r, r->at);

    switch (r->style->quirk) {
    case CSV_STOP_AT_QUOTE:
        str_buf_putc(text, r->text.ptr[r->at++]);
        return false;
    case CSV_SKIP_VALUE:
        field->null = true;
        break;
    case CSV_RAISE:
        *stray = true;
        break;
    default: {
        silt_auto(str_buf_fini) StrBuf all = {0};

        str_buf_putc(&all, (char)r->style->quote);
        str_buf_str(&all, str_buf_view(text));
        str_buf_add(&all, r->text.ptr + r->at, end - r->at);
        str_buf_clear(text);
        str_buf_str(text, str_buf_view(&all));
    }
    }
    r->at = end;
    return true;
}

/* From the opening quote to the separator. Of several quotes at the end one closes. */
static void quoted_field(Reader *r, CsvField *field, bool *stray)
{
    const CsvStyle *s = r->style;
    silt_auto(str_buf_fini) StrBuf text = {0};

    field->quoted = true;
    r->at++;
    while (r->at < r->text.size) {
        int c = byte_at(r, r->at), next = byte_at(r, r->at + 1);
        size_t run = r->at;

        if ((c == s->escape && next == s->quote) || (c == s->quote_escape && next == s->escape)) {
            str_buf_putc(&text, (char)next);
            r->at += 2;
            continue;
        }
        if (c != s->quote) {
            if (!(c == s->escape && r->at + 1 == r->text.size)) /* one at the very end escapes nothing, and goes */
                str_buf_putc(&text, (char)c);
            r->at++;
            continue;
        }
        while (byte_at(r, run) == s->quote)
            run++;
        for (size_t quotes = run - r->at; quotes > 1; quotes--)
            str_buf_putc(&text, (char)s->quote);
        size_t end = run;

        while (is_blank(r, end))
            end++;
        if (ends_field(r, end)) {
            r->at = end;
            break;
        }
        r->at = run - 1;
        if (stray_quote(r, field, &text, stray))
            break;
    }
    field->text = arena_str(r->arena, str_buf_view(&text));
}

static void bare_field(Reader *r, CsvField *field)
{
    size_t start = r->at, end = field_end(r, start);

    r->at = end;
    while (r->style->trim_right && end > start && (unsigned char)r->text.ptr[end - 1] <= ' ')
        end--;
    field->text = (Str){r->text.ptr + start, end - start};
}

static int64_t characters(Str text)
{
    int64_t count = 0;

    for (size_t i = 0; i < text.size; i++)
        count += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return count;
}

int csv_split(Arena *arena, Str text, const CsvStyle *style, CsvField **fields, int *count)
{
    Reader r = {.arena = arena, .style = style, .text = text};
    CsvField *items = NULL;
    int capacity = 0;
    bool stray = false, more = text.size > 0 && byte_at(&r, 0) != style->comment;

    *count = 0;
    while (more) {
        CsvField field = {0};

        while (style->trim_left && is_blank(&r, r.at))
            r.at++;
        if (byte_at(&r, r.at) == style->quote)
            quoted_field(&r, &field, &stray);
        else
            bare_field(&r, &field);
        if (*count == style->columns_max || (style->chars_max >= 0 && characters(field.text) > style->chars_max))
            return CSV_TOO_LARGE;
        if (stray)
            return CSV_STRAY_QUOTE;
        ARENA_PUSH(arena, items, *count, capacity, field);
        more = r.at < text.size;
        r.at += style->separator.size;
    }
    *fields = items;
    return 0;
}

bool csv_field_is_null(const CsvStyle *style, const CsvField *field, Str *text)
{
    if (field->null || (!field->quoted && !field->text.size))
        return true;
    *text = field->text.size ? field->text : style->empty_text;
    return str_equal(*text, style->null_text);
}
