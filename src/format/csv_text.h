#pragma once
/* format/csv_text.h - CSV text as records and fields (this folder only) */
#include <string.h>

#include "format/format.h"

/* The options that shape the text, ready for use. */
typedef struct CsvText {
    Str sep;
    char sep_first;
    Str line; /* lineSep; size 0: \n, \r\n and \r */
    int quote, escape, comment; /* -1: none */
    bool trim_left, trim_right;
    bool ends_field[256]; /* bytes at which a bare field may end */
} CsvText;

typedef struct CsvField {
    Str text; /* of the field without quotes; borrowed from the record or from scratch */
    bool quoted;
    bool last; /* of its record */
} CsvField;

/* Length of the line end at p (p < end); 0: there is none. */
static inline int csv_line_end(const CsvText *text, const char *p, const char *end)
{
    if (text->line.size)
        return (size_t)(end - p) >= text->line.size && memcmp(p, text->line.ptr, text->line.size) == 0 ? (int)text->line.size : 0;
    if (*p == '\n')
        return 1;
    if (*p == '\r')
        return p + 1 < end && p[1] == '\n' ? 2 : 1;
    return 0;
}

void csv_text_init(CsvText *text, const FormatOptions *options);
/*
 * The field at *p, which moves behind it and its separator, or behind the line end. A quote that is not closed takes all that is
 * left. scratch is overwritten when quotes or escapes must be taken out.
 */
void csv_field(const CsvText *text, const char **p, const char *end, CsvField *out, StrBuf *scratch);
/* End of the record that starts at p, behind its line end; end if it has none. *open (NULL allowed): a quote of it is not closed. */
const char *csv_record_end(const CsvText *text, const char *p, const char *end, bool *open);
/* From p on, the first byte of a record that is no blank line and no comment; end if there is none. */
const char *csv_skip_empty(const CsvText *text, const char *p, const char *end);

/* What the first record says about a file: names of its columns, and which field of the schema each is. */
typedef struct CsvHead {
    bool positional; /* no names: column i is field i, or _c<i> */
    const char **names;
    int count;
    int *fields; /* per column; -1: the schema does not have it */
} CsvHead;
