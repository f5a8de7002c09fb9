/*
 * api/unfinished.c - does a text end inside a statement? For prompts, which ask for another line then.
 *
 * Only what can hide a ';' matters: quotes (with backslash escapes, none in r'...'), backticks, comments (nested ones too). A
 * text of blanks and comments alone is finished: there is nothing to wait for.
 */
#include <ctype.h>
#include "api/internal.h"

/* Behind the quoted text that starts at `at`, or NULL when it does not end. */
static const char *skip_quoted(const char *at, const char *end, bool raw)
{
    char quote = *at++;

    for (; at < end; at++) {
        if (*at == '\\' && quote != '`' && !raw)
            at++;
        else if (*at == quote)
            return at + 1;
    }
    return NULL;
}

static const char *skip_comment(const char *at, const char *end)
{
    int depth = 0;

    while (at + 1 < end) {
        if (at[0] == '/' && at[1] == '*') {
            depth++;
            at += 2;
        } else if (at[0] == '*' && at[1] == '/') {
            at += 2;
            if (--depth == 0)
                return at;
        } else {
            at++;
        }
    }
    return NULL;
}

bool silt_script_unfinished(const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    bool open = false; /* something stands behind the last ';' */

    while (at && at < end) {
        bool raw = at > text && (at[-1] == 'r' || at[-1] == 'R') && (at - text < 2 || !(isalnum((unsigned char)at[-2]) || at[-2] == '_'));
        if (*at == '\'' || *at == '"' || *at == '`') {
            open = true;
            at = skip_quoted(at, end, raw);
        } else if (at[0] == '-' && at + 1 < end && at[1] == '-') {
            while (at < end && *at != '\n')
                at++;
        } else if (at[0] == '/' && at + 1 < end && at[1] == '*') {
            at = skip_comment(at, end);
        } else {
            open = *at == ';' ? false : open || !isspace((unsigned char)*at);
            at++;
        }
    }
    return open || !at;
}
