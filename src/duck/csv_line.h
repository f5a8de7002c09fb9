#pragma once
/* duck/csv_line.h - one record of CSV to fields, as Spark's from_csv reads it */
#include "duck/csv_style.h"

typedef struct CsvField {
    Str text;
    bool quoted; /* then an empty text is style->empty_text */
    bool null;   /* whatever its text */
} CsvField;

enum { CSV_TOO_LARGE = 1, CSV_STRAY_QUOTE = 2 };

/*
 * Fields between separators; line ends are text as any. A quote inside of quotes stands behind the escape (a doubled one is one, too). No fields: an empty text or a
 * comment. Gives 0, or CSV_TOO_LARGE for more fields or longer ones than the style has, CSV_STRAY_QUOTE where it raises. *fields lives in arena, and in the text.
 */
int csv_split(Arena *arena, Str text, const CsvStyle *style, CsvField **fields, int *count);
/* Is the field NULL? Else *text is what it holds. */
bool csv_field_is_null(const CsvStyle *style, const CsvField *field, Str *text);
