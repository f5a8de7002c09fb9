/*
 * cli/help.c - help and manual pages, both from the table of verbs
 */
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"

void help_print_all(void)
{
    printf("silt: SQL pipelines, incrementally and exactly once, into Delta Lake tables\n\nusage: silt VERB [FLAGS]\n\n");
    for (const Verb *verb = cli_verbs; verb->name; verb++)
        if (verb->run)
            printf("  %-10s %s\n", verb->name, verb->summary);
    printf("\nnot there yet:");
    for (const Verb *verb = cli_verbs; verb->name; verb++)
        if (!verb->run)
            printf(" %s", verb->name);
    printf("\n\n`silt VERB --help` shows flags and an example.\n");
}

/* "-c, --command SQL" */
static void flag_words(char *out, size_t size, const Flag *flag)
{
    snprintf(out, size, "%s%.1s%s--%s%s%s", flag->letter ? "-" : "", flag->letter ? &flag->letter : "", flag->letter ? ", " : "",
             flag->name, flag->value ? " " : "", flag->value ? flag->value : "");
}

static void print_flags(const Flag *flags)
{
    char words[120];

    for (; flags->name; flags++) {
        flag_words(words, sizeof(words), flags);
        printf("  %-26s %s", words, flags->help);
        if (flags->choices)
            printf(" (%s)", flags->choices);
        if (flags->later)
            printf(" (not there yet)");
        putchar('\n');
    }
}

static void print_indented(const char *text, const char *before)
{
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        printf("%s%.*s\n", end > line ? before : "", (int)(end - line), line);
        line = *end ? end + 1 : end;
    }
}

void help_print_verb(const Verb *verb)
{
    printf("silt %s: %s\n\nusage: silt %s%s%s%s\n\n", verb->name, verb->summary, verb->name, verb->arguments[0] ? " " : "", verb->arguments,
           verb->flags[0].name ? " [FLAGS]" : "");
    print_indented(verb->description, "");
    printf("\nflags:\n");
    print_flags(verb->flags);
    print_flags(cli_common_flags);
    printf("\nexample:\n");
    print_indented(verb->example, "  ");
}

/* Roff: a backslash, and a dot or quote at the start of a line, mean something. */
static void roff(const char *text)
{
    bool start = true;

    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        start = *text == '\n';
    }
}

static void roff_flags(const Flag *flags)
{
    char words[120];

    for (; flags->name; flags++) {
        flag_words(words, sizeof(words), flags);
        printf(".TP\n.B ");
        roff(words);
        putchar('\n');
        roff(flags->help);
        if (flags->choices)
            printf(" (%s)", flags->choices);
        if (flags->later)
            printf(" (not there yet)");
        putchar('\n');
    }
}

/* Paragraphs; an empty line parts them. */
static void roff_paragraphs(const char *text)
{
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        char part[400];
        snprintf(part, sizeof(part), "%.*s", (int)(end - line), line);
        if (part[0])
            roff(part);
        else
            printf(".PP");
        putchar('\n');
        line = *end ? end + 1 : end;
    }
}

void help_print_man(const Verb *verb)
{
    if (!verb) {
        printf(".TH SILT 1 \"\" \"silt %s\"\n.SH NAME\nsilt \\- SQL pipelines, incrementally and exactly once, into Delta Lake tables\n",
               silt_version());
        printf(".SH SYNOPSIS\n.B silt\n.I VERB\n[FLAGS]\n.SH VERBS\n");
        for (verb = cli_verbs; verb->name; verb++)
            if (verb->run)
                printf(".TP\n.BR silt\\-%s (1)\n%s\n", verb->name, verb->summary);
        printf(
            ".SH EXIT STATUS\n0: done. 1: something failed while running. 2: nothing was started. 130, 143: stopped by SIGINT, SIGTERM.\n");
        printf(".SH ENVIRONMENT\n.TP\n.B SILT_CLOCK\nthe time of a run (RFC 3339), for tests\n.TP\n.B NO_COLOR\nno colour on terminals\n");
        return;
    }
    printf(".TH SILT\\-%s 1 \"\" \"silt %s\"\n.SH NAME\nsilt\\-%s \\- %s\n", verb->name, silt_version(), verb->name, verb->summary);
    printf(".SH SYNOPSIS\n.B silt %s\n%s [FLAGS]\n.SH DESCRIPTION\n", verb->name, verb->arguments);
    roff_paragraphs(verb->description);
    printf(".SH FLAGS\n");
    roff_flags(verb->flags);
    roff_flags(cli_common_flags);
    printf(".SH EXAMPLE\n.nf\n");
    roff(verb->example);
    printf("\n.fi\n.SH SEE ALSO\n.BR silt (1)\n");
}

int verb_help(const Options *options)
{
    const char *name = options->arguments.count ? options->arguments.items[0] : NULL;
    const Verb *verb = name ? cli_verb_find(name) : NULL;

    if (name && (!verb || !verb->run))
        return cli_refuse("`silt help` lists all verbs.", verb ? "\"silt %s\" is not there yet" : "no verb \"%s\"", name);
    if (options->man)
        help_print_man(verb);
    else if (verb)
        help_print_verb(verb);
    else
        help_print_all();
    return EXIT_DONE;
}
