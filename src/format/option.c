/* format/option.c - see option.h */
#include "format/option.h"

#include "base/quantity.h"

#include <string.h>
#include <strings.h>

enum { NAMES_MAX = 256, NAMES_TOLD_MAX = 8 };

const OptionRow *option_row(const OptionTable *tables, const char *name, void **field)
{
    for (; tables->rows; tables++)
        for (const OptionRow *row = tables->rows; row->name; row++)
            if (strcasecmp(row->name, name) == 0) {
                if (field)
                    *field = (char *)tables->self + row->offset;
                return row;
            }
    return NULL;
}

static int unknown_option(const OptionTable *tables, const SqlOption *option, const char *what, SiltErr *err)
{
    const char *names[NAMES_MAX];
    silt_auto(str_buf_fini) StrBuf known = {0};
    int count = 0;

    for (; tables->rows; tables++)
        for (const OptionRow *row = tables->rows; row->name && count < NAMES_MAX; row++) {
            names[count++] = row->name;
            str_buf_printf(&known, "%s%s", known.size ? ", " : "", row->name);
        }
    silt_fail_at(err, SILT_CONFIG, option->pos, "%s does not know the option \"%s\"", what, option->key);
    const char *nearest = str_nearest(str_of(option->key), names, count);
    if (nearest)
        return silt_hint(err, "Did you mean %s?", nearest);
    return count <= NAMES_TOLD_MAX ? silt_hint(err, "Known are %s.", str_buf_text(&known)) : -1;
}

/* ---- values ---- */

/* Which of the choices it is, from 1; 0: none of them. */
static int choice_of(const char *choices, const char *value)
{
    size_t size = strlen(value);

    for (int number = 1; *choices; number++) {
        size_t length = strcspn(choices, "|");
        if (length == size && strncasecmp(choices, value, size) == 0)
            return number;
        choices += length + (choices[length] == '|');
    }
    return 0;
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

static int bad_value(const OptionRow *row, const SqlOption *option, const char *wanted, SiltErr *err)
{
    return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes %s, not \"%s\"", row->name, wanted, option->value);
}

static int set_number(const OptionRow *row, int64_t *field, const SqlOption *option, SiltErr *err)
{
    Str text = str_of(option->value);
    bool count = row->kind == OPTION_COUNT;
    int64_t number;

    if (!(count ? str_to_int64(text, &number) : quantity_size(text, &number)) || number < row->min)
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes %s of at least %lld, not \"%s\"", row->name,
                            count ? "a whole number" : "a size (such as 10m)", (long long)row->min, option->value);
    *field = number;
    return 0;
}

static int set_field(const OptionRow *row, void *field, Arena *arena, const SqlOption *option, const char *what, SiltErr *err)
{
    Str text = str_of(option->value);
    int choice = row->choices ? choice_of(row->choices, option->value) : 0;

    if (row->choices && !choice)
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "\"%s\" is no value for %s: one of %s is expected", option->value, row->name, row->choices);
    switch (row->kind) {
    case OPTION_IGNORED:
        return 0;
    case OPTION_LATER:
        silt_fail_at(err, SILT_CONFIG, option->pos, "%s cannot do \"%s\"", what, row->name);
        return row->help && *row->help ? silt_hint(err, "%s", row->help) : -1;
    case OPTION_TEXT:
    case OPTION_SECRET:
        *(const char **)field = arena_strdup(arena, option->value);
        return 0;
    case OPTION_CHOICE:
        *(int *)field = choice;
        return 0;
    case OPTION_CHAR:
        *(const char **)field = parse_char(arena, option->value);
        return *(const char **)field ? 0 : bad_value(row, option, "one character", err);
    case OPTION_BOOL:
        *(bool *)field = str_is_nocase(text, "true");
        return *(bool *)field || str_is_nocase(text, "false") ? 0 : bad_value(row, option, "true or false", err);
    case OPTION_COUNT:
    case OPTION_BYTES:
        return set_number(row, field, option, err);
    case OPTION_DURATION:
        if (quantity_interval(text, field))
            return 0;
        bad_value(row, option, "a time span", err);
        return silt_hint(err, "For instance '7 days' or '12 hours'.");
    }
    silt_assert(!"an option kind without a case");
    return -1;
}

/* ---- a list of tables ---- */

void option_defaults(const OptionTable *tables, Arena *arena)
{
    for (; tables->rows; tables++)
        for (const OptionRow *row = tables->rows; row->name; row++) {
            SqlOption option = {.key = row->name, .value = row->initial};
            SiltErr err;
            if (!row->initial)
                continue;
            int r = set_field(row, (char *)tables->self + row->offset, arena, &option, "", &err);
            silt_assert(r == 0); /* the table's own value */
        }
}

int option_set(const OptionTable *tables, Arena *arena, const SqlOption *option, const char *what, SiltErr *err)
{
    void *field;
    const OptionRow *row = option_row(tables, option->key, &field);

    return row ? set_field(row, field, arena, option, what, err) : unknown_option(tables, option, what, err);
}
