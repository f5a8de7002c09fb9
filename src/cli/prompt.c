/*
 * cli/prompt.c - the interactive prompt: lines until a ';' ends a statement, history, completion, commands that begin with a dot
 *
 * The only file that knows libedit (through its readline interface).
 */
#include <ctype.h>
#include <editline/readline.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"

enum { HISTORY_LINES_MAX = 2000 };

const char *const prompt_commands[] = {".exit", ".format", ".help", ".quit", ".schema", ".tables", NULL};

static struct {
    SiltSession *session;
    SiltProject *project;
    Options options; /* .format changes it */
    char *text;      /* lines of the unfinished statement; NULL: none */
} prompt;

static char *history_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

    if (state && state[0])
        return cli_printf("%s/silt_history", state);
    return home && home[0] ? cli_printf("%s/.silt_history", home) : NULL;
}

static bool is_blank(const char *text)
{
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            return false;
    return true;
}

/* ---- completion ---- */

static char **candidates;
static size_t candidate_shift; /* bytes of a candidate that stand before the word as libedit cuts it */

static char *next_candidate(const char *word, int state)
{
    static int next;

    (void)word;
    if (state == 0)
        next = 0;
    return candidates && candidates[next] ? strdup(candidates[next++] + candidate_shift) : NULL;
}

static char **complete_line(const char *word, int start, int end)
{
    char *text = cli_printf("%s%s%.*s", prompt.text ? prompt.text : "", prompt.text ? "\n" : "", end, rl_line_buffer);
    size_t begin, cut = strlen(text) - (size_t)(end - start);

    rl_attempted_completion_over = 1; /* no names of files */
    candidates = complete(prompt.session, prompt.project, text, &begin);
    candidate_shift = cut > begin ? cut - begin : 0;
    char **matches = candidates ? rl_completion_matches(word, next_candidate) : NULL;
    complete_free(candidates);
    candidates = NULL;
    free(text);
    return matches;
}

/* ---- statements ---- */

static void run_text(const char *text)
{
    SiltProblems *problems = NULL;
    SiltScript *script = NULL;
    SiltStatus status = silt_script_open(prompt.session, "<prompt>", text, strlen(text), &script, &problems);

    while (status == SILT_DONE) {
        SiltResult *result = NULL;
        query_bar_begin(prompt.session);
        status = silt_script_next(script, &result, &problems);
        if (status == SILT_DONE)
            status = output_result(result, prompt.options.format, prompt.options.quiet, &problems);
        query_bar_end();
        silt_result_free(result);
        fflush(stdout);
        if (ferror(stdout) && signals_take_interrupt()) { /* it came while rows were written: they are not wanted, and no error */
            __fpurge(stdout);
            clearerr(stdout);
            fputc('\n', stderr);
            cli_refuse(NULL, "cancelled");
            break;
        }
    }
    silt_script_free(script);
    problems_report(status, problems);
}

/* ---- commands ---- */

static void say_help(void)
{
    printf("Statements end with `;` and may take several lines. Tab completes names of tables, columns, functions and keywords.\n"
           "  .tables          tables of the project\n"
           "  .schema TABLE    its columns\n"
           "  .format FORMAT   table, json, jsonarray, csv or tsv\n"
           "  .help            this text, also \\?\n"
           "  .quit            leave, also .exit, \\q and ctrl-D\n"
           "ctrl-C clears the statement that is being typed, or cancels the one that runs.\n");
}

static void say_tables(void)
{
    char **tables = complete_tables(prompt.project);

    for (int i = 0; tables && tables[i]; i++)
        puts(tables[i]);
    if (!tables)
        printf("%s\n", prompt.project ? "The project has no tables." : "There is no project here. Tables go by path: delta.`path`.");
    complete_free(tables);
}

/* As a list of columns, each with its type, as a statement would declare them. */
static void say_schema(const char *table)
{
    char *sql = cli_printf("SELECT * FROM %s LIMIT 0", table);
    SiltProblems *problems = NULL;
    SiltScript *script = NULL;
    SiltResult *result = NULL;

    SiltStatus status = silt_script_open(prompt.session, "<prompt>", sql, strlen(sql), &script, &problems);
    if (status == SILT_DONE)
        status = silt_script_next(script, &result, &problems);
    for (int i = 0; status == SILT_DONE && i < silt_result_column_count(result); i++)
        printf("%s %s\n", silt_result_column_name(result, i), silt_result_column_type(result, i));
    silt_result_free(result);
    silt_script_free(script);
    problems_report(status, problems);
    free(sql);
}

static void set_format(const char *name)
{
    static const char *const formats[] = {"table", "json", "jsonarray", "csv", "tsv", NULL};

    for (int i = 0; formats[i]; i++) {
        if (strcmp(formats[i], name) == 0) {
            prompt.options.format = formats[i];
            return;
        }
    }
    cli_refuse("Write .format table, json, jsonarray, csv or tsv.", "no format \"%s\"", name);
}

static bool is_command(const char *line, const char *name)
{
    size_t size = strlen(name);

    return strncmp(line, name, size) == 0 && (!line[size] || isspace((unsigned char)line[size]));
}

/* A line that begins with a dot or a backslash. True: leave. */
static bool run_command(char *line)
{
    char *argument = line + strcspn(line, " \t");
    size_t size;
    int count = 0;

    argument += strspn(argument, " \t");
    size = strlen(argument);
    while (size && (isspace((unsigned char)argument[size - 1]) || argument[size - 1] == ';'))
        argument[--size] = 0;
    if (is_command(line, ".quit") || is_command(line, ".exit") || is_command(line, "\\q"))
        return true;
    if (is_command(line, ".tables"))
        say_tables();
    else if (is_command(line, ".schema") && size)
        say_schema(argument);
    else if (is_command(line, ".schema"))
        cli_refuse("Write .schema TABLE.", "of which table?");
    else if (is_command(line, ".format"))
        set_format(argument);
    else if (is_command(line, ".help") || is_command(line, "\\?"))
        say_help();
    else {
        line[strcspn(line, " \t")] = 0;
        while (prompt_commands[count])
            count++;
        const char *nearest = silt_nearest(line, prompt_commands, count);
        cli_refuse(nearest ? cli_hint("Did you mean %s?", nearest) : ".help lists what there is.", "no command \"%s\"", line);
    }
    fflush(stdout);
    return false;
}

/* ---- the loop ---- */

static void take_line(const char *line)
{
    char *longer = prompt.text ? cli_printf("%s\n%s", prompt.text, line) : cli_printf("%s", line);

    free(prompt.text);
    prompt.text = longer;
    if (silt_script_unfinished(longer, strlen(longer)))
        return;
    add_history(longer);
    run_text(longer);
    free(prompt.text);
    prompt.text = NULL;
}

int prompt_run(SiltSession *session, SiltProject *project, const Options *options)
{
    char *path = history_path(), *line;
    bool leave = false;

    prompt.session = session;
    prompt.project = project;
    prompt.options = *options;
    umask(077); /* the history may hold what the statements hold */
    rl_readline_name = (char *)"silt";
    rl_attempted_completion_function = complete_line;
    rl_basic_word_break_characters = " \t\n\"\\'`@$><=;|&{(),+-*/!%";
    using_history();
    stifle_history(HISTORY_LINES_MAX);
    if (path)
        read_history(path);
    if (!options->quiet)
        printf("silt %s. Statements end with `;`, .help helps, .quit leaves.\n", silt_version());
    while (!leave) {
        signals_take_interrupt(); /* one that has cancelled a statement */
        line = readline(prompt.text ? "   ...> " : "silt> ");
        if (signals_take_interrupt()) { /* libedit gives the line up, as at the end of the input */
            free(line);
            free(prompt.text);
            prompt.text = NULL;
            continue;
        }
        if (!line)
            break;
        if (!prompt.text && (line[0] == '\\' || line[0] == '.')) {
            add_history(line);
            leave = run_command(line);
        } else if (prompt.text || !is_blank(line)) {
            take_line(line);
        }
        free(line);
    }
    if (path)
        write_history(path);
    putchar('\n');
    free(path);
    free(prompt.text);
    return EXIT_DONE;
}
