#pragma once
/*
 * format/json_walk.h - a cursor over the tokens of JSON text (this folder only)
 *
 * Tokens are known by where they begin (json_scan.h). A string ends at the last byte that is no blank before the next token,
 * which must be its quote; other scalars end there too. index[count] and index[count + 1] are the size of the text, and the
 * byte there is no token, so looking one token ahead needs no test.
 */
#include "base/str.h"
#include "format/format.h"

enum { JSON_DEPTH_MAX = 1000 }; /* as Spark's parser */

typedef struct JsonWalk {
    const char *text;
    const uint32_t *index;
    uint32_t count, at; /* at: the current token */
    /* There is no backslash from clean on up to backslash (end of text if none): strings between need no unescaping. */
    const char *clean, *backslash, *end;
    /* Cleared by who begins a record. Not set: since then only single blanks were passed, so that no line feed was. */
    bool gaps;
    const FormatOptions *options;
    StrBuf scratch;      /* the last unescaped string */
    int64_t repaired;    /* lone surrogates met in strings that were unescaped */
    const char *reason;  /* of the last failure */
} JsonWalk;

static inline void json_walk_set(JsonWalk *w, const char *text, size_t size, const uint32_t *index, uint32_t count)
{
    w->text = text;
    w->index = index;
    w->count = count;
    w->at = 0;
    w->clean = w->backslash = text;
    w->end = text + size;
}

static inline bool json_is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline char json_char(const JsonWalk *w)
{
    return w->text[w->index[w->at]];
}

/* Behind the one blank that some writers put behind a comma or a colon. */
static inline const char *json_pass_blank(const char *p)
{
    return p + (*p == ' ');
}

/* The bytes of the current token up to the next one, without blanks at the end. */
static inline Str json_token(JsonWalk *w)
{
    const char *start = w->text + w->index[w->at], *end = w->text + w->index[w->at + 1];
    while (end > start && json_is_blank(end[-1])) {
        end--;
        w->gaps = true;
    }
    return (Str){start, (size_t)(end - start)};
}

/* simdjson takes 'it''s' for one token: is there no bare quote before the last? */
static inline bool json_is_single_quoted(Str token)
{
    for (size_t i = 1; i + 1 < token.size; i++) {
        if (token.ptr[i] == '\'')
            return false;
        i += token.ptr[i] == '\\';
    }
    return true;
}

/* Between the quotes of the current token, still escaped. False if it is no string. */
static inline bool json_raw_string(JsonWalk *w, Str *out)
{
    Str token = json_token(w);
    if (token.size < 2 || token.ptr[token.size - 1] != token.ptr[0])
        return false;
    if (token.ptr[0] != '"' && !(token.ptr[0] == '\'' && w->options->allow_single_quotes && json_is_single_quoted(token)))
        return false;
    *out = (Str){token.ptr + 1, token.size - 2};
    return true;
}

void json_find_backslash(JsonWalk *w, const char *from);
static inline bool json_has_escape(JsonWalk *w, Str raw)
{
    if (w->backslash < raw.ptr || raw.ptr < w->clean)
        json_find_backslash(w, raw.ptr);
    return w->backslash < raw.ptr + raw.size;
}

/* The current token as text, if it is in double quotes without an escape, the next token right behind it; false: json_string may know it. */
static inline bool json_plain_string(JsonWalk *w, Str *out)
{
    const char *start = w->text + w->index[w->at], *end = w->text + w->index[w->at + 1] - 1;
    *out = (Str){start + 1, (size_t)(end - start - 1)};
    return *start == '"' && end > start && *end == '"' && !json_has_escape(w, *out);
}

static inline int json_bad(JsonWalk *w, const char *reason)
{
    w->reason = reason;
    return -1;
}

/*
 * The functions below return 0, or -1 with w->reason set: the text is no JSON.
 */

/* Step over the current token, which must be null. */
static inline int json_walk_null(JsonWalk *w)
{
    if (!str_is(json_token(w), "null"))
        return json_bad(w, "a value was expected");
    w->at++;
    return 0;
}

int json_string_any(JsonWalk *w, Str *out);
/* The current token as text, escapes resolved (into scratch when there are any: borrowed until the next call). The cursor stays. */
static inline int json_string(JsonWalk *w, Str *out)
{
    return json_plain_string(w, out) ? 0 : json_string_any(w, out);
}
/* As json_string, for a member's key: also a bare word where the options allow it. */
int json_walk_key(JsonWalk *w, Str *out);
/* Step over a whole value of any kind, checking all of it. raw (NULL allowed) is its exact text. */
int json_skip(JsonWalk *w, Str *raw);
/* Is this token one of NaN, Infinity, ... that the options allow bare? */
bool json_is_non_numeric(const JsonWalk *w, Str token);
/* Value of such a text (NaN, +INF, -Infinity ...) when options allow them; false if it is none. */
bool json_non_numeric(const FormatOptions *options, Str text, double *out);
/* Is it one, allowed or not? */
bool json_is_non_numeric_text(Str text);

/*
 * Tokens of text that simdjson does not take: single quotes, comments, bare control characters. copy receives the text with comments blanked
 * and FORMAT_PADDING NULs behind it, index the positions (with the two sentinels). -1 with reason set when a string or comment has no end.
 */
typedef struct JsonTokens {
    StrBuf copy;
    uint32_t *index;
    uint32_t count, capacity;
} JsonTokens;
int json_tokens(JsonTokens *tokens, Str text, const FormatOptions *options, const char **reason);
void json_tokens_fini(JsonTokens *tokens);
