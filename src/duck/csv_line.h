#pragma once
/* duck/csv_line.h - one line of CSV to fields, as Spark's from_csv reads it */
#include "base/arena.h"
#include "base/str.h"

typedef struct CsvField {
    Str text;
    bool quoted; /* then an empty text is no NULL */
} CsvField;

/*
 * Fields between separators of one character; a field in double quotes may hold them, a quote in it stands behind a backslash (a doubled one is no
 * escape to Spark). Returns how many; *fields lives in arena, and in the line.
 */
int csv_split(Arena *arena, Str line, char separator, CsvField **fields);
