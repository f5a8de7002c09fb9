/*
 * cli/main.c - find the verb, fill its options, run it
 */
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"

void *cli_alloc(size_t size)
{
    void *ptr = calloc(1, size ? size : 1);
    if (!ptr)
        abort();
    return ptr;
}

char *cli_printf(const char *fmt, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0)
        abort();
    va_end(args);
    return text;
}

const char *cli_hint(const char *fmt, ...)
{
    static char hint[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(hint, sizeof(hint), fmt, args);
    va_end(args);
    return hint;
}

const Verb *cli_verb_find(const char *name)
{
    for (const Verb *verb = cli_verbs; verb->name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

static int refuse_verb(const char *name)
{
    Words known = {0};

    for (const Verb *verb = cli_verbs; verb->name; verb++)
        words_add(&known, verb->name);
    const char *nearest = silt_nearest(name, known.items, known.count);
    const char *hint =
        nearest ? cli_hint("Did you mean \"silt %s\"? `silt help` lists all verbs.", nearest) : "`silt help` lists all verbs.";
    free(known.items);
    return cli_refuse(hint, "no verb \"%s\"", name);
}

int cli_open_project(const Options *options, SiltProject **out)
{
    SiltProblems *problems = NULL;
    SiltOpenOptions open = {.spec = options->spec, .conf = options->conf.items, .conf_count = options->conf.count};

    SiltStatus status = silt_project_open(&open, out, &problems);
    return problems_report(status, problems);
}

/* Whether --log-format=json stands anywhere: also errors about flags before it are to come as JSON. */
static bool wants_json(int count, char **words)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "--log-format=json") == 0 ||
            (strcmp(words[i], "--log-format") == 0 && i + 1 < count && strcmp(words[i + 1], "json") == 0))
            return true;
    return false;
}

/* Has the reader of stdout, `head -1` for instance, seen enough? */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* stdout is written through a buffer: a full disk or a closed pipe shows only here. */
static int finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (reader_is_gone())
            return code ? code : EXIT_SIGPIPE;
        cli_refuse(NULL, "could not write to stdout");
        return code ? code : EXIT_FAILED;
    }
    return code;
}

static int run(int argc, char **argv, Options *options)
{
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "");
    problems_format(wants_json(argc, argv));
    if (argc < 2) {
        help_print_all();
        return EXIT_REFUSED;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print_all();
        return finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0)
        return finish(verb_version(options));
    const Verb *verb = cli_verb_find(argv[1]);
    if (!verb)
        return refuse_verb(argv[1]);
    if (!verb->run)
        return cli_refuse(NULL, "\"silt %s\" (%s) is not there yet", verb->name, verb->summary);
    int r = flags_parse(verb, argc - 2, argv + 2, options);
    if (r)
        return r;
    if (options->help) {
        help_print_verb(verb);
        return finish(EXIT_DONE);
    }
    silt_log_configure(options->log_format ? options->log_format : "text", options->log_level ? options->log_level : "warn");
    return finish(verb->run(options));
}

int main(int argc, char **argv)
{
    Options options = {0};

    int code = run(argc, argv, &options);
    options_fini(&options);
    return code;
}
