/*
 * cli/flags.c - from words to Options, by the verb's table
 *
 * --name VALUE, --name=VALUE, -cVALUE, -c VALUE, and -- which ends the flags. An unknown flag is refused with the nearest known one.
 */
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

void words_add(Words *words, const char *word)
{
    if (words->count == words->capacity) {
        words->capacity = words->capacity ? 2 * words->capacity : 8;
        words->items = realloc(words->items, (size_t)words->capacity * sizeof(*words->items));
        if (!words->items)
            abort();
    }
    words->items[words->count++] = word;
}

void words_add_split(Words *words, char *text)
{
    char *save = NULL;

    for (char *part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
        while (*part == ' ')
            part++;
        size_t size = strlen(part);
        while (size > 0 && part[size - 1] == ' ')
            part[--size] = 0;
        if (size > 0)
            words_add(words, part);
    }
}

void options_fini(Options *options)
{
    free(options->conf.items);
    free(options->refresh.items);
    free(options->full_refresh.items);
    free(options->commands.items);
    free(options->files.items);
    free(options->partition_by.items);
    free(options->columns.items);
    free(options->kafka.items);
    free(options->read_options.items);
    free(options->arguments.items);
}

static bool chosen(const char *choices, const char *value)
{
    size_t size = strlen(value);

    for (const char *at = choices; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
        if (strncmp(at, value, size) == 0 && (at[size] == '|' || at[size] == 0) && size > 0)
            return true;
    return false;
}

static const Flag *find_in(const Flag *flags, const char *name, size_t size, char letter)
{
    for (; flags->name; flags++)
        if (letter ? flags->letter == letter : strlen(flags->name) == size && memcmp(flags->name, name, size) == 0)
            return flags;
    return NULL;
}

static const Flag *find(const Verb *verb, const char *name, size_t size, char letter)
{
    const Flag *flag = find_in(verb->flags, name, size, letter);
    return flag ? flag : find_in(cli_common_flags, name, size, letter);
}

static int refuse_unknown(const Verb *verb, const char *name, size_t size)
{
    Words known = {0};
    char *word = cli_printf("%.*s", (int)size, name);

    for (const Flag *flag = verb->flags; flag->name; flag++)
        words_add(&known, flag->name);
    for (const Flag *flag = cli_common_flags; flag->name; flag++)
        words_add(&known, flag->name);
    const char *nearest = silt_nearest(word, known.items, known.count);
    const char *hint = nearest ? cli_hint("Did you mean --%s? `silt %s --help` lists all flags.", nearest, verb->name)
                               : cli_hint("`silt %s --help` lists all flags.", verb->name);
    free(known.items);
    free(word);
    return cli_refuse(hint, "\"silt %s\" has no flag \"%s%.*s\"", verb->name, size == 1 ? "-" : "--", (int)size, name);
}

/* Store the value of a flag; value is NULL for a switch. */
static int store(const Flag *flag, char *value, Options *options)
{
    char *field = (char *)options + flag->offset;

    if (flag->later)
        return cli_refuse(NULL, "--%s is not there yet: it comes with %s", flag->name, flag->later);
    if (flag->choices && !chosen(flag->choices, value))
        return cli_refuse(cli_hint("Allowed are %s.", flag->choices), "--%s cannot be \"%s\"", flag->name, value);
    switch (flag->kind) {
    case FLAG_SWITCH:
        *(bool *)field = true;
        break;
    case FLAG_TEXT:
        if (*(const char **)field)
            return cli_refuse(NULL, "--%s is given twice", flag->name);
        *(const char **)field = value;
        break;
    case FLAG_TEXTS:
        words_add((Words *)field, value);
        break;
    case FLAG_LIST: {
        int before = ((Words *)field)->count;
        words_add_split((Words *)field, value);
        if (((Words *)field)->count == before)
            return cli_refuse(NULL, "--%s names no table", flag->name);
        break;
    }
    }
    return 0;
}

int flags_parse(const Verb *verb, int count, char **words, Options *options)
{
    for (int i = 0; i < count; i++) {
        char *word = words[i];
        char *value = NULL;
        const Flag *flag;

        if (word[0] != '-' || word[1] == 0) {
            words_add(&options->arguments, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            while (++i < count)
                words_add(&options->arguments, words[i]);
            break;
        }
        if (word[1] == '-') {
            char *equals = strchr(word, '=');
            size_t size = equals ? (size_t)(equals - word - 2) : strlen(word + 2);
            flag = find(verb, word + 2, size, 0);
            if (!flag)
                return refuse_unknown(verb, word + 2, size);
            value = equals ? equals + 1 : NULL;
        } else {
            flag = find(verb, NULL, 0, word[1]);
            if (!flag)
                return refuse_unknown(verb, word + 1, 1);
            value = word[2] ? word + 2 : NULL;
        }
        if (flag->kind == FLAG_SWITCH && value)
            return cli_refuse(NULL, "--%s takes no value", flag->name);
        if (flag->kind != FLAG_SWITCH && !value) {
            if (i + 1 == count)
                return cli_refuse(cli_hint("Write --%s %s.", flag->name, flag->value), "--%s needs a value", flag->name);
            value = words[++i];
        }
        int r = store(flag, value, options);
        if (r)
            return r;
    }
    if (options->help)
        return 0;
    if (options->arguments.count > verb->arguments_max)
        return cli_refuse(cli_hint("`silt %s --help` says what it takes.", verb->name), "\"silt %s\" does not take \"%s\"", verb->name,
                          options->arguments.items[verb->arguments_max]);
    if (options->arguments.count < verb->arguments_min)
        return cli_refuse(NULL, "\"silt %s\" needs %s", verb->name, verb->arguments);
    return 0;
}
