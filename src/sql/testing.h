#pragma once
/* sql/testing.h - for the tests of the parser: recorded statements, random ones, and what must hold for any text */
#include "sql/sql.h"

/* One line of testdata/statements.txt: what comes out ("ok" or the code of the first error) and the text. */
typedef struct SqlSample {
    const char *outcome;
    Str text;
} SqlSample;

/* All lines, in the arena. Aborts when the file cannot be read. */
int sql__samples(Arena *arena, SqlSample **out);

/* The queries of tests/differential as they stand there, without their marks: text alone, in the arena. Aborts when a file cannot be read. */
int sql__corpus(Arena *arena, Str **out);

/* A seeded sequence: the same everywhere. */
uint32_t sql__random(uint64_t *state, uint32_t below);

/* A random query, its expressions in full parentheses, so that trees of any shape come out. */
void sql__random_query(uint64_t *state, StrBuf *out, int depth);

/*
 * Parse text as a file and hold it to what holds for any input: every error has a code and a place within the text; every
 * statement prints to text that parses to an equal tree and prints the same again. NULL, or what is wrong.
 */
const char *sql__check_text(Arena *arena, Str text);
