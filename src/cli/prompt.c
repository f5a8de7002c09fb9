/*
 * cli/prompt.c - the interactive prompt: lines until a ';' ends a statement, history, \q and \? as in psql
 *
 * The only file that knows libedit (through its readline interface).
 */
#include <ctype.h>
#include <editline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"

enum { HISTORY_LINES_MAX = 2000 };

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

static void say_help(void)
{
    printf("Statements end with `;` and may take several lines.\n"
           "  \\q       leave (also ctrl-D)\n"
           "  \\?       this text\n"
           "ctrl-C clears the line, or cancels the running statement.\n");
}

static void run_text(SiltSession *session, const Options *options, const char *text)
{
    SiltProblems *problems = NULL;
    SiltScript *script = NULL;
    SiltStatus status = silt_script_open(session, "<prompt>", text, strlen(text), &script, &problems);

    while (status == SILT_DONE) {
        SiltResult *result = NULL;
        status = silt_script_next(script, &result, &problems);
        if (status == SILT_DONE)
            status = output_result(result, options->format, options->quiet, &problems);
        silt_result_free(result);
        fflush(stdout);
    }
    silt_script_free(script);
    problems_report(status, problems);
}

int prompt_run(SiltSession *session, const Options *options)
{
    char *path = history_path();
    char *text = NULL; /* lines of the unfinished statement */

    umask(077); /* the history may hold what the statements hold */
    using_history();
    stifle_history(HISTORY_LINES_MAX);
    if (path)
        read_history(path);
    if (!options->quiet)
        printf("silt %s. Statements end with `;`, \\? helps, \\q leaves.\n", silt_version());
    for (;;) {
        signals_take_interrupt(); /* one that has cancelled a statement */
        char *line = readline(text ? "   ...> " : "silt> ");
        if (signals_take_interrupt()) { /* libedit gives the line up, as at the end of the input */
            free(line);
            free(text);
            text = NULL;
            continue;
        }
        if (!line)
            break;
        if (!text && line[0] == '\\') {
            bool leave = line[1] == 'q';
            if (!leave)
                say_help();
            free(line);
            if (leave)
                break;
            continue;
        }
        if (!text && is_blank(line)) {
            free(line);
            continue;
        }
        char *longer = text ? cli_printf("%s\n%s", text, line) : cli_printf("%s", line);
        free(text);
        free(line);
        text = longer;
        if (silt_script_unfinished(text, strlen(text)))
            continue;
        add_history(text);
        run_text(session, options, text);
        free(text);
        text = NULL;
    }
    if (path)
        write_history(path);
    putchar('\n');
    free(path);
    free(text);
    return EXIT_DONE;
}
