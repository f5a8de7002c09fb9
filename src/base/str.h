#pragma once
/* base/str.h - bytes with a length, and a buffer that grows */
#include "base/err.h"

/* Borrowed bytes, usually UTF-8; not NUL-terminated unless the giver says so. */
typedef struct Str {
    const char *ptr;
    size_t size;
} Str;

#define STR(literal) ((Str){(literal), sizeof(literal) - 1})
Str str_of(const char *text); /* NULL gives an empty Str */
bool str_equal(Str a, Str b);
bool str_is(Str a, const char *b);
/* ASCII letters compared without case: SQL keywords, options. */
bool str_is_nocase(Str a, const char *b);
bool str_starts(Str text, const char *prefix);
bool str_ends(Str text, const char *suffix);
Str str_trim(Str text); /* blanks and control characters at both ends */
/* Exact: whole text is an optionally signed decimal integer that fits. */
bool str_to_int64(Str text, int64_t *out);

/* Owned, growing, always NUL-terminated once something was added. Zero-initialise; free with str_buf_fini. */
typedef struct StrBuf {
    char *ptr;
    size_t size, capacity;
} StrBuf;

void str_buf_fini(StrBuf *buf);
void str_buf_clear(StrBuf *buf); /* keeps the memory */
void str_buf_reserve(StrBuf *buf, size_t more);
void str_buf_add(StrBuf *buf, const char *ptr, size_t size);
void str_buf_puts(StrBuf *buf, const char *text);
void str_buf_putc(StrBuf *buf, char c);
void str_buf_str(StrBuf *buf, Str text);
void str_buf_printf(StrBuf *buf, const char *fmt, ...) SILT_PRINTF(2, 3);
const char *str_buf_text(const StrBuf *buf); /* "" when empty */
Str str_buf_view(const StrBuf *buf);

/* Length of the valid UTF-8 sequence that starts at ptr (1..4), or 0 if the bytes are not valid UTF-8 (overlong, surrogate, cut). */
int utf8_length(const char *ptr, const char *end);
bool utf8_valid(Str text);
/* Append a code point. */
void utf8_put(StrBuf *buf, uint32_t code_point);

/* Edit distance for "did you mean", compared without case, neighbours swapped counting one; at most limit + 1 is returned. */
int str_distance(Str a, Str b, int limit);
/* The candidate nearest to name, or NULL if none is near enough to be meant. */
const char *str_nearest(Str name, const char *const *candidates, int count);
