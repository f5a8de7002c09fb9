/* format/option.c - see option.h */
#include "format/option.h"

#include <string.h>
#include <strings.h>

enum { NAMES_MAX = 256 };

const OptionRow *option_row(const OptionRow *const *tables, const char *name)
{
    for (; *tables; tables++)
        for (const OptionRow *row = *tables; row->name; row++)
            if (strcasecmp(row->name, name) == 0)
                return row;
    return NULL;
}

static int unknown_option(const OptionRow *const *tables, const SqlOption *option, const char *what, SiltErr *err)
{
    const char *names[NAMES_MAX];
    int count = 0;
    for (; *tables; tables++)
        for (const OptionRow *row = *tables; row->name && count < NAMES_MAX; row++)
            names[count++] = row->name;
    silt_fail_at(err, SILT_CONFIG, option->pos, "%s does not know the option \"%s\"", what, option->key);
    const char *nearest = str_nearest(str_of(option->key), names, count);
    return nearest ? silt_hint(err, "Did you mean %s?", nearest) : -1;
}

static bool is_choice(const char *choices, const char *value)
{
    size_t size = strlen(value);
    for (const char *p = choices; p;) {
        const char *end = strchr(p, '|');
        size_t length = end ? (size_t)(end - p) : strlen(p);
        if (length == size && strncasecmp(p, value, size) == 0)
            return true;
        p = end ? end + 1 : NULL;
    }
    return false;
}

static bool parse_bytes(Str text, int64_t *out)
{
    static const struct {
        const char *suffix;
        int shift;
    } units[] = {{"tb", 40}, {"gb", 30}, {"mb", 20}, {"kb", 10}, {"t", 40}, {"g", 30}, {"m", 20}, {"k", 10}, {"b", 0}, {"", 0}};
    text = str_trim(text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t size = strlen(units[i].suffix);
        if (text.size <= size || strncasecmp(text.ptr + text.size - size, units[i].suffix, size) != 0)
            continue;
        int64_t number;
        if (!str_to_int64(str_trim((Str){text.ptr, text.size - size}), &number) || number < 0 || number > INT64_MAX >> units[i].shift)
            return false;
        *out = number << units[i].shift;
        return true;
    }
    return false;
}

/* One character as it is, or written \t \n \r \0 \\ \" \'. */
static const char *parse_char(Arena *arena, const char *value)
{
    size_t size = strlen(value);
    if (value[0] == '\\' && size == 2) {
        static const char pairs[][2] = {{'t', '\t'}, {'n', '\n'}, {'r', '\r'}, {'b', '\b'}, {'f', '\f'}, {'\\', '\\'}, {'"', '"'}, {'\'', '\''}};
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
            if (pairs[i][0] == value[1])
                return arena_strndup(arena, &pairs[i][1], 1);
        return NULL;
    }
    if (size <= 1)
        return arena_strdup(arena, value);
    return (size_t)utf8_length(value, value + size) == size ? arena_strdup(arena, value) : NULL;
}

int option_set(const OptionRow *const *tables, void *self, Arena *arena, const SqlOption *option, const char *what, SiltErr *err)
{
    const OptionRow *row = option_row(tables, option->key);
    if (!row)
        return unknown_option(tables, option, what, err);
    void *field = (char *)self + row->offset;
    Str text = str_of(option->value);
    switch (row->kind) {
    case OPTION_IGNORED:
        return 0;
    case OPTION_LATER:
        silt_fail_at(err, SILT_CONFIG, option->pos, "%s cannot do \"%s\"", what, row->name);
        return row->help && *row->help ? silt_hint(err, "%s", row->help) : -1;
    case OPTION_TEXT:
        if (row->choices && !is_choice(row->choices, option->value))
            return silt_fail_at(err, SILT_CONFIG, option->value_pos, "\"%s\" is no value for %s: one of %s is expected", option->value,
                                row->name, row->choices);
        *(const char **)field = arena_strdup(arena, option->value);
        return 0;
    case OPTION_CHAR:
        if (!(*(const char **)field = parse_char(arena, option->value)))
            return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes one character, not \"%s\"", row->name, option->value);
        return 0;
    case OPTION_BOOL:
        if (!str_is_nocase(text, "true") && !str_is_nocase(text, "false"))
            return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes true or false, not \"%s\"", row->name, option->value);
        *(bool *)field = str_is_nocase(text, "true");
        return 0;
    case OPTION_COUNT:
    case OPTION_BYTES: {
        int64_t number;
        bool good = row->kind == OPTION_COUNT ? str_to_int64(text, &number) : parse_bytes(text, &number);
        if (!good || number < row->min)
            return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes %s of at least %lld, not \"%s\"", row->name,
                                row->kind == OPTION_COUNT ? "a whole number" : "a size (such as 10m)", (long long)row->min, option->value);
        *(int64_t *)field = number;
        return 0;
    }
    }
    silt_assert(!"an option kind without a case");
    return -1;
}
