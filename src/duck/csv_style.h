#pragma once
/* duck/csv_style.h - the options of from_csv, to_csv and schema_of_csv */
#include "base/arena.h"
#include "base/err.h"

typedef enum CsvQuirk { /* a quote in a quoted field that is neither escaped nor at its end */
    CSV_STOP_AT_SEPARATOR, /* the field is what is written there, quotes included, up to the separator */
    CSV_STOP_AT_QUOTE,     /* it is text, and the field goes on to a quote before a separator */
    CSV_SKIP_VALUE,        /* the field is NULL */
    CSV_RAISE,             /* the text is refused */
} CsvQuirk;

typedef struct CsvStyle {
    Str separator;
    int quote, escape, quote_escape, comment; /* bytes; -1: none. quote_escape stands before an escape that is text */
    bool trim_left, trim_right;
    CsvQuirk quirk;
    int64_t columns_max, chars_max; /* chars_max < 0: any */
    Str null_text, empty_text;
    Str nan, positive_infinity, negative_infinity;
    bool fail_fast, fallback, prefer_date;
    Str corrupt; /* name of the field that takes records that do not fit */
    Str timestamp_format, ntz_format, date_format, time_zone; /* empty: none given */
    bool quote_all, escape_quotes; /* writing */
    Str line_end;                  /* writing: its text is quoted */
} CsvStyle;

/* Spark's defaults: of to_csv when writing, else of from_csv. */
void csv_style_init(CsvStyle *style, bool writing);
/*
 * Set one option; name without case, value borrowed, unescaped separators in arena. Fails as CONFIG with Spark's code: a name that is not known, a value that does not
 * fit, or what is not done here.
 */
int csv_style_set(CsvStyle *style, Arena *arena, Str name, Str value, SiltErr *err);
/* Behind the last option: what depends on several of them. */
int csv_style_finish(CsvStyle *style, bool writing, SiltErr *err);
