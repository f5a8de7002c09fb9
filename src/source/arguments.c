/* source/arguments.c - arguments of a table function that reads data, as options */
#include "source/arguments.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *source_literal_text(Arena *arena, const Expr *expr)
{
    if (expr->kind != EXPR_LITERAL || !expr->type)
        return NULL;
    switch (expr->type->kind) {
    case TYPE_STRING:
        return arena_strndup(arena, expr->literal.ptr, expr->literal.size);
    case TYPE_BOOLEAN:
        return expr->literal_int ? "true" : "false";
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return arena_printf(arena, "%lld", (long long)expr->literal_int);
    case TYPE_DECIMAL:
    case TYPE_DOUBLE:
    case TYPE_FLOAT:
        return expr->text;
    default:
        return NULL;
    }
}

bool source_duration_parse(const char *text, int64_t *out)
{
    static const struct {
        const char *name;
        int64_t us;
    } units[] = {{"ms", 1000},       {"millisecond", 1000},       {"s", 1000000},         {"sec", 1000000},         {"second", 1000000},
                 {"m", 60000000},    {"min", 60000000},           {"minute", 60000000},   {"h", 3600000000},        {"hr", 3600000000},
                 {"hour", 3600000000}, {"d", 86400000000},        {"day", 86400000000},   {"w", 7 * 86400000000},   {"week", 7 * 86400000000}};
    const char *p = text + strspn(text, " ");
    int64_t sum = 0;
    bool any = false;
    if (strncasecmp(p, "interval ", 9) == 0)
        p += 9;
    for (;;) {
        p += strspn(p, " ");
        if (!*p)
            break;
        size_t digits = strspn(p, "0123456789");
        int64_t number, part = -1;
        if (digits == 0 || !str_to_int64((Str){p, digits}, &number))
            return false;
        p += digits;
        p += strspn(p, " ");
        size_t size = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        size_t one = size > 2 && (p[size - 1] == 's' || p[size - 1] == 'S') ? size - 1 : size;
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
            if (strlen(units[i].name) == one && strncasecmp(units[i].name, p, one) == 0 && __builtin_mul_overflow(number, units[i].us, &part))
                return false;
        if (part < 0 || __builtin_add_overflow(sum, part, &sum))
            return false;
        p += size;
        any = true;
    }
    *out = sum;
    return any;
}

int source_secret_expand(Io *io, Arena *arena, const char *text, SiltPos pos, const char **out, SiltErr *err)
{
    static const char *const open = "{{secrets/";
    Str content;

    *out = text;
    size_t size = strlen(text), head = strlen(open);
    if (strncmp(text, open, head) != 0 || size < head + 2 || strcmp(text + size - 2, "}}") != 0)
        return 0;
    const char *place = arena_strndup(arena, text + head, size - head - 2);
    if (!strncmp(place, "env/", 4)) {
        const char *value = getenv(place + 4);
        if (!value) {
            silt_fail_at(err, SILT_CONFIG, pos, "there is no environment variable \"%s\"", place + 4);
            return silt_hint(err, "%s}} means the value of that variable, as it is when Silt is started.", arena_printf(arena, "%senv/%s", open, place + 4));
        }
        *out = arena_strdup(arena, value);
        return 0;
    }
    if (strncmp(place, "file/", 5) != 0) {
        silt_fail_at(err, SILT_CONFIG, pos, "no secrets are kept in \"%s\"", place);
        return silt_hint(err, "{{secrets/env/NAME}} is the environment variable NAME, {{secrets/file/run/secrets/name}} what the file /run/secrets/name holds.");
    }
    const char *path = place[5] == '/' ? place + 5 : place + 4;
    int r = io_read(io, path, arena, &content, err);
    if (r == IO_ABSENT)
        return silt_fail_at(err, SILT_CONFIG, pos, "there is no file \"%s\" with a secret", path);
    if (r < 0)
        return silt_place(err, pos);
    while (content.size && strchr("\r\n", content.ptr[content.size - 1]))
        content.size--;
    *out = arena_strndup(arena, content.ptr, content.size);
    return 0;
}
