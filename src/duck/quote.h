#pragma once
/* duck/quote.h - texts, names and paths as DuckDB's SQL has them; each appends */
#include "base/str.h"

void quote_text(StrBuf *out, Str text);         /* 'it''s' */
void quote_name(StrBuf *out, const char *name); /* "a ""b""" */
/*
 * A path for read_parquet and its like, which take it for a pattern: *, ? and [ mean themselves here. DuckDB cannot spell a path that has
 * one of these and a backslash: it is not found.
 */
void quote_path(StrBuf *out, const char *path);
void quote_paths(StrBuf *out, const char *const *paths, int count); /* a list of them, in brackets */
