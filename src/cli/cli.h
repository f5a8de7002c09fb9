#pragma once
/*
 * cli/cli.h - the command line: a table of verbs, each with a table of flags, and what the verbs share
 *
 * Results go to stdout, all else to stderr. Start with verbs.c (the table), then main.c (how a verb is found and run).
 */
#include "silt.h"

/* Exit codes, as docs/cli.md promises them. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,   /* something failed while running */
    EXIT_REFUSED = 2,  /* nothing was started */
    EXIT_SIGINT = 130, /* stopped by a signal, everything sealed or undone */
    EXIT_SIGPIPE = 141,
    EXIT_SIGTERM = 143,
};

/* Growing list of borrowed texts. */
typedef struct Words {
    const char **items;
    int count, capacity;
} Words;
void words_add(Words *words, const char *word);
void words_add_split(Words *words, char *text); /* at commas; cuts text itself, which must outlive the list */

/* All that flags can set; each verb's flag table says which of them it takes. */
typedef struct Options {
    bool help;
    const char *log_format; /* text, json */
    const char *log_level;
    const char *name;
    const char *spec;
    const char *profile; /* of lint */
    Words conf, refresh, full_refresh;
    bool full_refresh_all, continuous, standby;
    const char *progress;
    /* ingest */
    const char *brokers, *schema, *from, *group, *max_messages, *where, *freshness;
    Words partition_by, columns, kafka, read_options;
    bool once, print;
    const char *metrics_listen, *statsd, *statsd_prefix;
    Words commands; /* -c */
    Words files;    /* -f */
    const char *format;
    bool quiet, managed_writes;
    bool man;        /* help only */
    Words arguments; /* what is no flag */
} Options;

void options_fini(Options *options);

typedef enum FlagKind {
    FLAG_SWITCH, /* bool */
    FLAG_TEXT,   /* const char *; given twice: an error */
    FLAG_TEXTS,  /* Words, one a time */
    FLAG_LIST,   /* Words, parted by commas and repeatable */
} FlagKind;

typedef struct Flag {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    FlagKind kind;
    size_t offset;       /* into Options */
    const char *value;   /* word for the value in help; NULL for switches */
    const char *choices; /* allowed values parted by '|'; NULL: any */
    const char *help;
    const char *later; /* known, but not there yet: what it waits for; NULL: works */
} Flag;

typedef struct Verb {
    const char *name;
    const char *summary;   /* one line */
    const char *arguments; /* as in "[TABLE]"; "" for none */
    int arguments_min, arguments_max;
    const Flag *flags;       /* ends with a NULL name */
    const char *description; /* paragraphs, lines up to 100 characters */
    const char *example;     /* lines of shell */
    /* Do it; returns the exit code. NULL: known, but not there yet. */
    int (*run)(const Options *options);
} Verb;

extern const Verb cli_verbs[]; /* ends with a NULL name */
extern const Flag cli_common_flags[];
const Verb *cli_verb_find(const char *name);

/* ---- flags.c ---- */
/* Fill options from the words after the verb. 0, or EXIT_REFUSED with the reason printed. */
int flags_parse(const Verb *verb, int count, char **words, Options *options);

/* ---- help.c ---- */
void help_print_all(void);
void help_print_verb(const Verb *verb);
void help_print_man(const Verb *verb); /* roff, for the manual; NULL: the page of the program itself */

/* ---- problems.c ---- */
/* Print each problem in the chosen form and return the exit code that belongs to status. */
int problems_report(SiltStatus status, SiltProblems *problems);
void problem_print(const SiltProblem *problem);
/* A failure of the command line itself: `error: message` and a hint (NULL: none). Returns EXIT_REFUSED. */
int cli_refuse(const char *hint, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void problems_format(bool json);
/* One event as a line: `2026-11-29T10:00:00.123Z: Flow orders is RUNNING.`, then why if it failed. */
void event_print(const SiltEvent *event);
/* Text as a terminal shows it: width in columns of the first `size` bytes (controls count 1). */
int text_width(const char *text, size_t size);
/* Bytes of the character at text (1 for a byte that is not UTF-8), and its width. */
size_t text_character(const char *text, size_t size, int *width);

/* ---- progress.c: the line at the bottom of a terminal ---- */
void progress_begin(bool continuous);
void progress_event(void *self, const SiltEvent *event);
void progress_batch(void *self, const SiltProgress *progress);
void progress_end(void);

/* ---- signals.c ---- */
/* From now on the first SIGINT or SIGTERM stops the project's run, the second ends the process at once. */
void signals_stop_project(SiltProject *project);
/* SIGINT cancels the session's statement (in the prompt); SIGTERM and otherwise a second SIGINT end the process. */
void signals_interrupt_session(SiltSession *session, bool prompt);
/* Has a SIGINT or SIGTERM come since this was asked last? */
bool signals_take_interrupt(void);
void signals_default(void);
int signals_exit_code(void); /* EXIT_SIGINT or EXIT_SIGTERM if one came, else 0 */

/* ---- output.c: rows to stdout ---- */
/* All rows of a result. format: table, json, jsonarray, csv, tsv; NULL: table on a terminal, else csv. SILT_DONE at the end. */
SiltStatus output_result(SiltResult *result, const char *format, bool quiet, SiltProblems **problems);
bool output_is_terminal(void);

/* ---- query_bar.c: where stderr is a terminal, how far a query that takes long has come ---- */
void query_bar_begin(SiltSession *session);
void query_bar_hide(void); /* its first row has come: the bar gives way, for good */
void query_bar_end(void);

/* ---- complete.c: what may stand at the end of a text ---- */
/*
 * The words that the last word of text (from *begin on, in bytes) may become: tables of the project, columns of the tables that the text names,
 * functions, keywords in the case that is being typed; after a '.' at the start of the text, the prompt's commands. malloc'ed, ending with
 * NULL; NULL: none.
 */
char **complete(SiltSession *session, SiltProject *project, const char *text, size_t *begin);
/* Names of the project's tables as they are written in its own schema, in the same form. */
char **complete_tables(SiltProject *project);
void complete_free(char **words);

/* ---- prompt.c ---- */
extern const char *const prompt_commands[]; /* ".help", ..; ends with NULL */
/* project: NULL for none */
int prompt_run(SiltSession *session, SiltProject *project, const Options *options);

/* ---- the verbs ---- */
int verb_init(const Options *options);
int verb_run(const Options *options);
int verb_ingest(const Options *options);
int verb_dry_run(const Options *options);
int verb_sql(const Options *options);
int verb_show(const Options *options);
int verb_explain(const Options *options);
int verb_audit(const Options *options);
int verb_recover(const Options *options);
int verb_checkpoint(const Options *options);
int verb_test(const Options *options);
int verb_lint(const Options *options);
int verb_version(const Options *options);
int verb_help(const Options *options);
/* Open the project that --spec or the working directory names. 0, or the exit code with the reason printed. */
int cli_open_project(const Options *options, SiltProject **out);

/* A text for one message: overwritten by the next call. */
const char *cli_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Allocate or end the program. */
void *cli_alloc(size_t size);
char *cli_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
