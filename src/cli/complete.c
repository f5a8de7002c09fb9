/* cli/complete.c - what the word at the end of a text may become */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "cli/cli.h"

typedef struct List {
    char **items;
    int count, capacity;
} List;

static void add(List *list, char *word)
{
    if (list->count + 1 >= list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 32;
        list->items = realloc(list->items, (size_t)list->capacity * sizeof *list->items);
        if (!list->items)
            abort();
    }
    list->items[list->count++] = word;
    list->items[list->count] = NULL;
}

void complete_free(char **words)
{
    for (int i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool starts(const char *word, const char *prefix, size_t size)
{
    return strlen(word) > size && strncasecmp(word, prefix, size) == 0;
}

/* ---- what there is ---- */

/* catalog.schema.table, as the project's statements write it: without the catalog, and without the schema "default". */
static const char *short_name(const char *name)
{
    const char *schema = strchr(name, '.');

    if (!schema)
        return name;
    return strncmp(schema, ".default.", 9) == 0 ? schema + 9 : schema + 1;
}

char **complete_tables(SiltProject *project)
{
    SiltProblems *problems = NULL;
    SiltResult *result = NULL;
    List list = {0};
    size_t size;

    if (project && silt_project_show(project, "tables", &result, &problems) == SILT_DONE)
        while (silt_result_next(result, &problems) == SILT_DONE)
            add(&list, cli_printf("%s", short_name(silt_result_text(result, 0, &size))));
    silt_result_free(result);
    silt_problems_free(problems);
    return list.items;
}

/* Columns of a table, by asking for none of its rows; a table that cannot be read has none. */
static void add_columns(List *list, SiltSession *session, const char *table, const char *prefix, size_t size, const char *before)
{
    char *sql = cli_printf("SELECT * FROM %s LIMIT 0", table);
    SiltProblems *problems = NULL;
    SiltScript *script = NULL;
    SiltResult *result = NULL;

    if (silt_script_open(session, "", sql, strlen(sql), &script, &problems) == SILT_DONE && silt_script_next(script, &result, &problems) == SILT_DONE)
        for (int i = 0; i < silt_result_column_count(result); i++)
            if (starts(silt_result_column_name(result, i), prefix, size))
                add(list, cli_printf("%s%s", before, silt_result_column_name(result, i)));
    silt_result_free(result);
    silt_script_free(script);
    silt_problems_free(problems);
    free(sql);
}

/* Does the text name this table? */
static bool names(const char *text, const char *table)
{
    size_t size = strlen(table);

    for (const char *at = text; (at = strcasestr(at, table)); at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[size]))
            return true;
    return false;
}

/* A keyword or function as it is being typed: small letters for small ones. */
static char *in_case(const char *word, const char *prefix, size_t size)
{
    char *made = cli_printf("%s", word);
    bool small = islower((unsigned char)prefix[size - 1]);

    for (char *c = made; *c; c++)
        *c = (char)(small ? tolower((unsigned char)*c) : toupper((unsigned char)*c));
    return made;
}

/* ---- choosing ---- */

static int compare(const void *a, const void *b)
{
    const char *left = *(const char *const *)a, *right = *(const char *const *)b;
    int order = strcasecmp(left, right);

    return order ? order : strcmp(left, right);
}

static char **sorted(List *list)
{
    int kept = 0;

    if (!list->count)
        return NULL;
    qsort(list->items, (size_t)list->count, sizeof *list->items, compare);
    for (int i = 0; i < list->count; i++) {
        if (kept && strcasecmp(list->items[kept - 1], list->items[i]) == 0) /* a column named like a keyword */
            free(list->items[i]);
        else
            list->items[kept++] = list->items[i];
    }
    list->items[kept] = NULL;
    return list->items;
}

static char **commands(const char *text)
{
    List list = {0};

    for (int i = 0; prompt_commands[i]; i++)
        if (starts(prompt_commands[i], text, strlen(text)))
            add(&list, cli_printf("%s", prompt_commands[i]));
    return sorted(&list);
}

/* table.col: what stands before the dot may also be a schema. name: where it begins, dot: behind it. */
static void add_members(List *list, SiltSession *session, char **tables, const char *text, size_t name, size_t dot)
{
    char *table = cli_printf("%.*s", (int)(dot - name), text + name), *before = cli_printf("%s.", table);

    add_columns(list, session, table, text + dot + 1, strlen(text) - dot - 1, before);
    for (int i = 0; tables && tables[i]; i++)
        if (starts(tables[i], text + name, strlen(text) - name))
            add(list, cli_printf("%s", tables[i]));
    free(table);
    free(before);
}

static void add_words(List *list, const char *(*word_at)(int index), const char *prefix, size_t size)
{
    const char *word;

    for (int i = 0; (word = word_at(i)); i++)
        if (isalpha((unsigned char)word[0]) && starts(word, prefix, size))
            add(list, in_case(word, prefix, size));
}

/* Only a table can stand behind these. end: behind the word before the last one, or its blanks. */
static bool wants_table(const char *text, size_t end)
{
    static const char *const before[] = {"FROM", "JOIN", "STREAM", "TABLE", NULL};

    while (end && (isspace((unsigned char)text[end - 1]) || text[end - 1] == '('))
        end--;
    for (int i = 0; before[i]; i++) {
        size_t size = strlen(before[i]);
        if (end >= size && strncasecmp(text + end - size, before[i], size) == 0 && (end == size || !is_word(text[end - size - 1])))
            return true;
    }
    return false;
}

char **complete(SiltSession *session, SiltProject *project, const char *text, size_t *begin)
{
    size_t at = strlen(text);
    bool command = text[0] == '.';
    List list = {0};

    *begin = 0;
    if (command && !strchr(text, ' '))
        return commands(text);
    while (at && is_word(text[at - 1]))
        at--;
    char **tables = complete_tables(project);
    if (at && text[at - 1] == '.') {
        *begin = at - 1;
        while (*begin && (is_word(text[*begin - 1]) || text[*begin - 1] == '.'))
            --*begin;
        add_members(&list, session, tables, text, *begin, at - 1);
        complete_free(tables);
        return sorted(&list);
    }
    *begin = at;
    const char *prefix = text + at;
    size_t size = strlen(prefix);
    for (int i = 0; tables && tables[i]; i++)
        if (starts(tables[i], prefix, size))
            add(&list, cli_printf("%s", tables[i]));
    bool all = !command && !(list.count && wants_table(text, at));
    for (int i = 0; all && tables && tables[i]; i++)
        if (names(text, tables[i]))
            add_columns(&list, session, tables[i], prefix, size, "");
    complete_free(tables);
    if (all && size) {
        add_words(&list, silt_sql_keyword, prefix, size);
        add_words(&list, silt_sql_function, prefix, size);
    }
    return sorted(&list);
}
