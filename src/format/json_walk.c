/* format/json_walk.c - strings, skipping and the lenient tokenizer; see json_walk.h */
#include "format/json_walk.h"

#include "format/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_find_backslash(JsonWalk *w, const char *from)
{
    const char *found = memchr(from, '\\', (size_t)(w->end - from));
    w->clean = from;
    w->backslash = found ? found : w->end;
}

static int hex4(const char *p, const char *end, uint32_t *out)
{
    if (end - p < 4)
        return -1;
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (d < 0)
            return -1;
        v = v << 4 | (unsigned)d;
    }
    *out = v;
    return 0;
}

/* Resolve escapes. out NULL: only check. */
static int unescape(JsonWalk *w, Str raw, StrBuf *out)
{
    const char *p = raw.ptr, *end = p + raw.size;
    while (p < end) {
        const char *slash = memchr(p, '\\', (size_t)(end - p));
        if (out)
            str_buf_add(out, p, (size_t)((slash ? slash : end) - p));
        if (!slash)
            break;
        p = slash + 1;
        if (p == end)
            return json_bad(w, "a backslash at the end of a string");
        char c = *p++;
        switch (c) {
        case '"':
        case '\\':
        case '/':
            break;
        case 'b':
            c = '\b';
            break;
        case 'f':
            c = '\f';
            break;
        case 'n':
            c = '\n';
            break;
        case 'r':
            c = '\r';
            break;
        case 't':
            c = '\t';
            break;
        case 'u': {
            uint32_t unit, low;
            if (hex4(p, end, &unit) < 0)
                return json_bad(w, "\\u without four hex digits");
            p += 4;
            if (unit >= 0xD800 && unit < 0xE000) {
                bool pair = unit < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && hex4(p + 2, end, &low) == 0 && low >= 0xDC00 &&
                            low < 0xE000;
                if (pair) {
                    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    p += 6;
                } else {
                    unit = 0xFFFD;
                    w->repaired += out != NULL;
                }
            }
            if (out)
                utf8_put(out, unit);
            continue;
        }
        case '\'':
            if (w->options->allow_single_quotes)
                break;
            /* fall through */
        default:
            if (!w->options->allow_backslash_any)
                return json_bad(w, "an unknown escape in a string");
        }
        if (out)
            str_buf_putc(out, c);
    }
    return 0;
}

int json_string_any(JsonWalk *w, Str *out)
{
    Str raw;
    if (!json_raw_string(w, &raw))
        return json_bad(w, "a string was expected");
    if (!json_has_escape(w, raw)) {
        *out = raw;
        return 0;
    }
    str_buf_clear(&w->scratch);
    if (unescape(w, raw, &w->scratch) < 0)
        return -1;
    *out = str_buf_view(&w->scratch);
    return 0;
}

static bool is_bare_name(Str token)
{
    for (size_t i = 0; i < token.size; i++) {
        unsigned char c = (unsigned char)token.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
        if (!letter && !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return token.size > 0;
}

int json_walk_key(JsonWalk *w, Str *out)
{
    char c = json_char(w);
    if (c == '"' || c == '\'') {
        if (json_string(w, out) < 0)
            return json_bad(w, w->reason ? w->reason : "a member's name was expected");
        return 0;
    }
    Str token = json_token(w);
    if (!w->options->allow_unquoted_names || !is_bare_name(token))
        return json_bad(w, "a member's name in quotes was expected");
    *out = token;
    return 0;
}

static bool non_numeric(Str text, double *out)
{
    if (str_is(text, "NaN"))
        *out = NAN;
    else if (str_is(text, "Infinity") || str_is(text, "+Infinity") || str_is(text, "+INF"))
        *out = INFINITY;
    else if (str_is(text, "-Infinity") || str_is(text, "-INF"))
        *out = -INFINITY;
    else
        return false;
    return true;
}

bool json_non_numeric(const FormatOptions *options, Str text, double *out)
{
    return options->allow_non_numeric && non_numeric(text, out);
}

bool json_is_non_numeric_text(Str text)
{
    double ignored;
    return non_numeric(text, &ignored);
}

bool json_is_non_numeric(const JsonWalk *w, Str token)
{
    double ignored;
    return json_non_numeric(w->options, token, &ignored);
}

static int check_scalar(JsonWalk *w)
{
    char c = json_char(w);
    if (c == '"' || c == '\'') {
        Str raw;
        if (!json_raw_string(w, &raw))
            return json_bad(w, "a string without an end, or text behind it");
        return json_has_escape(w, raw) ? unescape(w, raw, NULL) : 0;
    }
    if (w->at >= w->count)
        return json_bad(w, "the record ends in the middle of a value");
    Str token = json_token(w);
    bool integral;
    if (str_is(token, "null") || str_is(token, "true") || str_is(token, "false") ||
        value_is_number(token, w->options->allow_leading_zeros, &integral) || json_is_non_numeric(w, token))
        return 0;
    return json_bad(w, "a value was expected");
}

int json_skip(JsonWalk *w, Str *raw)
{
    uint64_t is_object[(JSON_DEPTH_MAX + 64) / 64]; /* a bit per depth */
    int depth = 0;
    const char *start = w->text + w->index[w->at];
    const char *end = NULL;
    bool want_key = false;

    for (;;) {
        if (want_key) {
            Str key;
            if (json_walk_key(w, &key) < 0)
                return -1;
            w->at++;
            if (json_char(w) != ':')
                return json_bad(w, "a colon was expected");
            w->at++;
            want_key = false;
        }
        char c = json_char(w);
        if (c == '{' || c == '[') {
            w->gaps = true; /* nobody looks */
            if (depth == JSON_DEPTH_MAX)
                return json_bad(w, "nested deeper than 1000 levels");
            if (c == '{')
                is_object[depth >> 6] |= 1ull << (depth & 63);
            else
                is_object[depth >> 6] &= ~(1ull << (depth & 63));
            depth++;
            w->at++;
            if (json_char(w) != (c == '{' ? '}' : ']')) {
                want_key = c == '{';
                continue;
            }
        } else {
            if (check_scalar(w) < 0)
                return -1;
            if (depth == 0) {
                Str token = json_token(w);
                end = token.ptr + token.size;
                w->at++;
                break;
            }
            w->at++;
        }
        /* behind a value inside of a container */
        for (;;) {
            bool object = is_object[(depth - 1) >> 6] >> ((depth - 1) & 63) & 1;
            c = json_char(w);
            if (c == ',') {
                w->at++;
                want_key = object;
                break;
            }
            if (c != (object ? '}' : ']'))
                return json_bad(w, object ? "a comma or } was expected" : "a comma or ] was expected");
            end = w->text + w->index[w->at] + 1;
            w->at++;
            if (--depth == 0)
                goto done;
        }
    }
done:
    if (raw)
        *raw = (Str){start, (size_t)(end - start)};
    return 0;
}

/* ---- the lenient tokenizer ---- */

static void add_index(JsonTokens *t, size_t at)
{
    if (t->count + 2 >= t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 : 256;
        t->index = silt_realloc(t->index, sizeof *t->index * t->capacity);
    }
    t->index[t->count++] = (uint32_t)at;
}

int json_tokens(JsonTokens *t, Str text, const FormatOptions *options, const char **reason)
{
    str_buf_clear(&t->copy);
    str_buf_str(&t->copy, text);
    for (int i = 0; i < FORMAT_PADDING; i++)
        str_buf_putc(&t->copy, '\0');
    t->copy.size = text.size;
    t->count = 0;
    char *s = t->copy.ptr;
    size_t i = 0;
    while (i < text.size) {
        char c = s[i];
        if (json_is_blank(c)) {
            i++;
        } else if (c == '"' || (c == '\'' && options->allow_single_quotes)) {
            add_index(t, i);
            for (i++; i < text.size && s[i] != c; i++) {
                if (s[i] == '\\')
                    i++;
                else if ((unsigned char)s[i] < 0x20 && !options->allow_control_chars) {
                    *reason = "a control character in a string";
                    return -1;
                }
            }
            if (i >= text.size) {
                *reason = "a string without an end";
                return -1;
            }
            i++;
        } else if (options->allow_comments && c == '/' && i + 1 < text.size && (s[i + 1] == '/' || s[i + 1] == '*')) {
            bool line = s[i + 1] == '/';
            size_t end = i + 2;
            while (end < text.size && !(line ? s[end] == '\n' : s[end] == '*' && end + 1 < text.size && s[end + 1] == '/'))
                end++;
            if (!line && end >= text.size) {
                *reason = "a comment without an end";
                return -1;
            }
            end += line ? 0 : 2;
            memset(s + i, ' ', end - i);
            i = end;
        } else if (c && strchr("{}[],:", c)) {
            add_index(t, i++);
        } else {
            add_index(t, i);
            while (i < text.size && !json_is_blank(s[i]) && !(s[i] && strchr("{}[],:\"", s[i])) &&
                   !(options->allow_comments && s[i] == '/'))
                i++;
            if (i < text.size && options->allow_comments && s[i] == '/')
                i += !(i + 1 < text.size && (s[i + 1] == '/' || s[i + 1] == '*'));
        }
    }
    add_index(t, text.size);
    add_index(t, text.size);
    t->count -= 2;
    return 0;
}

void json_tokens_fini(JsonTokens *t)
{
    str_buf_fini(&t->copy);
    free(t->index);
    *t = (JsonTokens){0};
}
