#pragma once
/* format/option.h - named options as rows of a table: checked, converted and explained from one place */
#include "base/arena.h"
#include "sql/ast.h"

typedef enum OptionKind {
    OPTION_TEXT,     /* const char *, in the arena given to option_set */
    OPTION_SECRET,   /* as TEXT; may be written {{secrets/...}}, which the caller has replaced by what it means */
    OPTION_CHOICE,   /* int: which one of choices, counted from 1, in an enum whose 0 means: not given */
    OPTION_BOOL,     /* bool: true/false without case */
    OPTION_COUNT,    /* int64_t, >= min */
    OPTION_BYTES,    /* int64_t, >= min: 1048576, 10b, 64k, 10m, 1g, 1t (with or without a final b) */
    OPTION_DURATION, /* int64_t, microseconds: '7 days', '90d', '1 hour 30 minutes' */
    OPTION_CHAR,     /* const char *: one character, or \t and friends; empty when the option may be switched off */
    OPTION_LATER,    /* known, not done here: refused by name, help (whole sentences, or empty) is the hint */
    OPTION_IGNORED,  /* taken without effect; help says why that is right */
} OptionKind;

typedef struct OptionRow {
    const char *name; /* as documented; matched without case */
    OptionKind kind;
    size_t offset;       /* of the field in the struct being filled; two rows of one field are two names of one option */
    int64_t min;         /* COUNT, BYTES */
    const char *choices; /* TEXT, CHOICE: "a|b|c" without case; TEXT: NULL: anything */
    const char *initial; /* value where the option is not given, as a person would write it; NULL: what the struct holds */
    const char *help;
} OptionRow; /* a table ends with {0} */

/* Rows, and the struct that they fill. */
typedef struct OptionTable {
    const OptionRow *rows;
    void *self;
} OptionTable; /* a list of them ends with {0} */

/* The first row of this name; NULL: none. field (NULL allowed): where its value goes. */
const OptionRow *option_row(const OptionTable *tables, const char *name, void **field);

/* The initial values of all rows that have one. Texts in arena. */
void option_defaults(const OptionTable *tables, Arena *arena);

/*
 * Set one option in the struct of the first table that has it. Fails as CONFIG at option->pos (unknown name: with the nearest one) or
 * option->value_pos (bad value). `what` names the thing that takes options in messages: read_files.
 */
int option_set(const OptionTable *tables, Arena *arena, const SqlOption *option, const char *what, SiltErr *err);
