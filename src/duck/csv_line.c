/* duck/csv_line.c - see csv_line.h */
#include "duck/csv_line.h"

/*
 * From the opening quote; *at moves to the separator. A quote inside stands behind a backslash. Where another one stands before more text, the field
 * is what is written there, quotes included, up to the separator; several at the end are one fewer.
 */
static Str quoted_field(Arena *arena, Str line, size_t *at, char separator)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    size_t start = *at, i = start + 1;

    while (i < line.size) {
        char c = line.ptr[i], next = i + 1 < line.size ? line.ptr[i + 1] : 0;
        size_t end = i;

        if (c == '\\' && (next == '"' || next == '\\')) {
            str_buf_putc(&text, next);
            i += 2;
            continue;
        }
        if (c != '"') {
            str_buf_putc(&text, c);
            i++;
            continue;
        }
        while (end < line.size && line.ptr[end] == '"')
            end++;
        for (size_t quotes = end - i; quotes > 1; quotes--)
            str_buf_putc(&text, '"');
        while (end < line.size && line.ptr[end] == ' ')
            end++;
        i = end;
        if (end == line.size || line.ptr[end] == separator || line.ptr[end] == '\n' || line.ptr[end] == '\r')
            break;
        while (i < line.size && line.ptr[i] != separator && line.ptr[i] != '\n' && line.ptr[i] != '\r')
            i++;
        *at = i;
        return (Str){line.ptr + start, i - start};
    }
    *at = i;
    return arena_str(arena, str_buf_view(&text));
}

int csv_split(Arena *arena, Str line, char separator, CsvField **fields)
{
    CsvField *items = NULL;
    int count = 0, capacity = 0;
    for (size_t at = 0; at <= line.size; at++) { /* over the separator */
        CsvField field = {0};
        if (at < line.size && line.ptr[at] == '"') {
            field.quoted = true;
            field.text = quoted_field(arena, line, &at, separator);
        } else {
            size_t start = at;
            while (at < line.size && line.ptr[at] != separator && line.ptr[at] != '\n' && line.ptr[at] != '\r')
                at++;
            field.text = (Str){line.ptr + start, at - start};
        }
        ARENA_PUSH(arena, items, count, capacity, field);
        if (at < line.size && line.ptr[at] != separator)
            break; /* the end of the line */
    }
    *fields = items;
    return count;
}
