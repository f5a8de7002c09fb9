/* duck/quote.c - see quote.h */
#include "duck/quote.h"

#include <string.h>

static void put_doubled(StrBuf *out, Str text, char quote)
{
    str_buf_reserve(out, text.size + 2);
    str_buf_putc(out, quote);
    for (size_t i = 0; i < text.size; i++) {
        if (text.ptr[i] == quote)
            str_buf_putc(out, quote);
        str_buf_putc(out, text.ptr[i]);
    }
    str_buf_putc(out, quote);
}

void quote_text(StrBuf *out, Str text)
{
    put_doubled(out, text, '\'');
}

void quote_name(StrBuf *out, const char *name)
{
    put_doubled(out, str_of(name), '"');
}

void quote_path(StrBuf *out, const char *path)
{
    str_buf_putc(out, '\'');
    for (; *path; path++) {
        if (strchr("*?[", *path))
            str_buf_printf(out, "[%c]", *path);
        else if (*path == '\'')
            str_buf_puts(out, "''");
        else
            str_buf_putc(out, *path);
    }
    str_buf_putc(out, '\'');
}

void quote_paths(StrBuf *out, const char *const *paths, int count)
{
    str_buf_putc(out, '[');
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_putc(out, ',');
        quote_path(out, paths[i]);
    }
    str_buf_putc(out, ']');
}
