#pragma once
/* duck/unicode_case.h - upper, lower and title case of Unicode text, as Java and ICU map it without a locale */
#include "base/str.h"

/* One code point by its simple mapping. */
uint32_t unicode_upper(uint32_t c);
uint32_t unicode_lower(uint32_t c);
/* Append the whole text, valid UTF-8, by the full mapping: "ß" becomes "SS", a sigma at the end of a word its final form. */
void unicode_put_upper(StrBuf *out, Str text);
void unicode_put_lower(StrBuf *out, Str text);
/* The same for one letter at the start of a word. */
void unicode_put_title(StrBuf *out, uint32_t c);
/* Code point at ptr, which must be the start of a valid sequence; *size is its length. */
uint32_t utf8_get(const char *ptr, int *size);
