/* delta/sqltext.c - pieces of SQL text for DuckDB */
#include "delta/internal.h"

#include <string.h>

void delta__sql_string(StrBuf *out, Str text)
{
    str_buf_putc(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        if (text.ptr[i] == '\'')
            str_buf_putc(out, '\'');
        str_buf_putc(out, text.ptr[i]);
    }
    str_buf_putc(out, '\'');
}

void delta__sql_name(StrBuf *out, const char *name)
{
    str_buf_putc(out, '"');
    for (; *name; name++) {
        if (*name == '"')
            str_buf_putc(out, '"');
        str_buf_putc(out, *name);
    }
    str_buf_putc(out, '"');
}

void delta__sql_path(StrBuf *out, const char *path)
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

void delta__sql_paths(StrBuf *out, const char *const *paths, int count)
{
    str_buf_putc(out, '[');
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_putc(out, ',');
        delta__sql_path(out, paths[i]);
    }
    str_buf_putc(out, ']');
}
