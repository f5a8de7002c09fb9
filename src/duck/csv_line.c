/* duck/csv_line.c - see csv_line.h */
#include "duck/csv_line.h"

/* From behind the opening quote; *at moves behind the closing one and whatever follows up to the separator. */
static Str quoted_field(Arena *arena, Str line, size_t *at, char separator)
{
    StrBuf text = {0};
    size_t i = *at;
    for (; i < line.size; i++) {
        char c = line.ptr[i], next = i + 1 < line.size ? line.ptr[i + 1] : 0;
        if ((c == '\\' && (next == '"' || next == '\\')) || (c == '"' && next == '"')) {
            str_buf_putc(&text, next);
            i++;
        } else if (c == '"') {
            i++;
            break;
        } else {
            str_buf_putc(&text, c);
        }
    }
    while (i < line.size && line.ptr[i] != separator)
        i++;
    *at = i;
    Str kept = arena_str(arena, str_buf_view(&text));
    str_buf_fini(&text);
    return kept;
}

int csv_split(Arena *arena, Str line, char separator, CsvField **fields)
{
    CsvField *items = NULL;
    int count = 0, capacity = 0;
    for (size_t at = 0; at <= line.size; at++) { /* over the separator */
        CsvField field = {0};
        if (at < line.size && line.ptr[at] == '"') {
            at++;
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
