#pragma once
/* format/option.h - named options as rows of a table: checked, converted and explained from one place */
#include "base/arena.h"
#include "sql/ast.h"

typedef enum OptionKind {
    OPTION_TEXT,     /* const char *, in the arena given to option_set */
    OPTION_BOOL,     /* bool: true/false without case */
    OPTION_COUNT,    /* int64_t, >= min */
    OPTION_BYTES,    /* int64_t: 1048576, 10b, 64k, 10m, 1g, 1t (with or without a final b) */
    OPTION_CHAR,     /* const char *: one character, or \t and friends; empty when the option may be switched off */
    OPTION_LATER,    /* known, not done here: refused by name, help (whole sentences, or empty) is the hint */
    OPTION_IGNORED,  /* taken without effect; help says why that is right */
} OptionKind;

typedef struct OptionRow {
    const char *name; /* as documented; matched without case */
    OptionKind kind;
    size_t offset; /* of the field in the struct being filled */
    int64_t min;   /* COUNT, BYTES */
    const char *choices; /* TEXT: "a|b|c" without case, NULL: anything */
    const char *help;
} OptionRow; /* a table ends with {0} */

/*
 * Set one option in the struct at `self`. tables is a NULL-terminated list of tables that are searched in order. Fails as
 * CONFIG at option->pos (unknown name: with the nearest one) or option->value_pos (bad value). `what` names the thing that
 * takes options in messages: read_files.
 */
/* The row that an option of this name would set; NULL: none. */
const OptionRow *option_row(const OptionRow *const *tables, const char *name);
int option_set(const OptionRow *const *tables, void *self, Arena *arena, const SqlOption *option, const char *what, SiltErr *err);
