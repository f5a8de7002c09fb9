#pragma once
/* source/arguments.h - what a reader in FROM is called with: read_files('/in', format => 'json') WITH (...), as a path and options */
#include "format/option.h"
#include "io/io.h"
#include "source/source.h"

typedef struct Arguments {
    const char *reader;  /* read_files: who takes them, for messages */
    const char *path;    /* NULL: none */
    SiltPos path_pos;
    const SqlOption *options; /* in the order in which they stand, no name twice */
    int count;
} Arguments;

/* How a reader is called. */
typedef struct ArgumentsForm {
    const char *reader;
    bool has_path;      /* one argument without a name, or named `path` */
    const char *prefix; /* that may stand before any name and means nothing: `cloudFiles.`; NULL: none */
} ArgumentsForm;

/* The arguments and WITH options of a relation; texts in arena. CONFIG at the argument: no constant, without a name, given twice. */
int arguments_read(Arena *arena, const Relation *relation, const ArgumentsForm *form, Arguments *out, SiltErr *err);

/* The option of this name; NULL: not given. */
const SqlOption *arguments_find(const Arguments *arguments, const char *name);

/*
 * One of the options into the structs of `tables` (format/option.h), texts in arena: what a secret means is looked up, and an option whose other name
 * is given too is refused.
 */
int arguments_set(const Arguments *arguments, const SqlOption *option, const OptionTable *tables, Io *io, Arena *arena, SiltErr *err);
/* Options that are IGNORED become notes of the source, which has its name. */
void arguments_note_ignored(const Arguments *arguments, const OptionTable *tables, Source *source);

/*
 * {{secrets/env/NAME}} and {{secrets/file/PATH}} are what an environment variable or a file (without line ends behind it) holds, also inside of a
 * longer text (a JAAS entry); any other text is itself. In arena. CONFIG at pos when there is no such thing. The value goes into no message, log or checkpoint: keep it so.
 */
int source_secret_expand(Io *io, Arena *arena, const char *text, SiltPos pos, const char **out, SiltErr *err);
