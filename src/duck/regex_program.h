#pragma once
/* duck/regex_program.h - what a pattern is compiled to: shared by java_regex_parse.c, java_regex_build.c and java_regex.c */
#include "duck/java_regex.h"
#include "duck/regex_class.h"

typedef enum Assertion { TEXT_START, TEXT_END, TEXT_END_BUT_NEWLINE, LINE_START, LINE_END, WORD_EDGE, NO_WORD_EDGE } Assertion;
typedef enum RepeatMode { GREEDY, LAZY, POSSESSIVE } RepeatMode;

/* ---- the tree of a pattern ---- */

typedef enum NodeKind {
    NODE_EMPTY,
    NODE_SET,
    NODE_ASSERT,
    NODE_BACKREF,
    NODE_GROUP, /* capturing if group > 0 */
    NODE_LOOK,
    NODE_ATOMIC,
    NODE_SEQUENCE,
    NODE_CHOICE,
    NODE_REPEAT,
} NodeKind;

typedef struct Node Node;
struct Node {
    NodeKind kind;
    const RegexSet *set;
    int value; /* assertion, group */
    bool fold, behind, negative, unix_lines;
    int min, max; /* REPEAT; max < 0: no limit */
    RepeatMode mode;
    Node **children;
    int child_count, child_capacity;
};

/* Groups are numbered from 1; names[0] belongs to the whole match. */
typedef struct RegexTree {
    Node *root;
    int group_count;
    Str *names; /* by group; empty: none. NULL: no groups */
} RegexTree;

/* The tree lives in arena. Fails as CONFIG with the place in the pattern. Nested 250 deep at most. */
int regex__parse(Arena *arena, Str pattern, RegexTree *out, SiltErr *err);

/* ---- the program ---- */

typedef enum Op {
    OP_SET,
    OP_REPEAT,
    OP_SPLIT,
    OP_JUMP,
    OP_SAVE,
    OP_MARK,
    OP_PROGRESS,
    OP_ASSERT,
    OP_BACKREF,
    OP_LOOK,
    OP_ATOMIC,
    OP_MATCH
} Op;

typedef struct Instruction {
    Op op;
    int x, y; /* SPLIT: first and second target; JUMP, PROGRESS, LOOK, ATOMIC: where to go on; SAVE, MARK, PROGRESS: slot in y */
    const RegexSet *set;
    int min, max; /* REPEAT; LOOK behind: widths in code points */
    RepeatMode mode;
    bool fold, behind, negative, unix_lines;
} Instruction;

struct JavaRegex {
    Instruction *program;
    int size, capacity;
    int group_count, slot_count;
    Str *names;     /* by group; empty: none */
    int first_byte; /* each match starts with it; -1: unknown */
};
