/*
 * duck/java_regex.c - pattern to tree, tree to program, program over text
 *
 *   J1  A program never recurses: choices wait on a stack of frames. Only look-around and atomic groups run a part of the program
 *       on their own, as deep as the pattern nests them.
 *   J2  Every change of a slot (group or loop mark) leaves a frame that undoes it, so that going back restores all of them.
 *   J3  A loop whose body matched nothing leaves the loop, so each loop ends.
 */
#include "duck/java_regex.h"

#include "duck/regex_class.h"
#include "duck/unicode_case.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 250, PROGRAM_MAX = 100000, GROUPS_MAX = 1000 };
enum { STEPS_MAX = 100 * 1000 * 1000, FRAMES_MAX = 2 * 1000 * 1000 /* 48 MB */ };

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

typedef enum Assertion { TEXT_START, TEXT_END, TEXT_END_BUT_NEWLINE, LINE_START, LINE_END, WORD_EDGE, NO_WORD_EDGE } Assertion;
typedef enum RepeatMode { GREEDY, LAZY, POSSESSIVE } RepeatMode;

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

typedef struct Parser {
    Arena *arena;
    Str pattern;
    size_t at;
    unsigned flags;
    int depth, group_count, group_capacity;
    Str *names;
    SiltErr *err;
} Parser;

/* ---- parsing ---- */

static Node *node_new(Parser *p, NodeKind kind)
{
    Node *node = ARENA_NEW(p->arena, Node);
    node->kind = kind;
    return node;
}

static void node_add(Parser *p, Node *parent, Node *child)
{
    ARENA_PUSH(p->arena, parent->children, parent->child_count, parent->child_capacity, child);
}

static int fail_pattern(Parser *p, const char *what)
{
    return silt_fail(p->err, SILT_CONFIG, "%s at character %zu of the pattern", what, p->at + 1);
}

static bool at_end(const Parser *p)
{
    return p->at >= p->pattern.size;
}

static bool looking_at(const Parser *p, const char *text)
{
    size_t size = strlen(text);
    return p->pattern.size - p->at >= size && memcmp(p->pattern.ptr + p->at, text, size) == 0;
}

static bool take(Parser *p, const char *text)
{
    if (!looking_at(p, text))
        return false;
    p->at += strlen(text);
    return true;
}

static void skip_comments(Parser *p)
{
    while ((p->flags & REGEX_COMMENTS) && !at_end(p)) {
        char c = p->pattern.ptr[p->at];
        if (c == '#')
            while (!at_end(p) && p->pattern.ptr[p->at] != '\n')
                p->at++;
        else if (c == ' ' || (c >= '\t' && c <= '\r'))
            p->at++;
        else
            return;
    }
}

static int parse_choice(Parser *p, Node **out);

static int parse_name(Parser *p, Str *name)
{
    size_t start = p->at;
    while (!at_end(p) && p->pattern.ptr[p->at] != '>')
        p->at++;
    *name = (Str){p->pattern.ptr + start, p->at - start};
    for (size_t i = 0; i < name->size; i++) {
        char c = name->ptr[i];
        bool digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(digit && i))
            return fail_pattern(p, "a group's name is not made of letters and digits");
    }
    if (!name->size || !take(p, ">"))
        return fail_pattern(p, "the name of a group is not closed");
    return 0;
}

static int new_group(Parser *p, Str name, int *out)
{
    if (p->group_count == 0)
        ARENA_PUSH(p->arena, p->names, p->group_count, p->group_capacity, (Str){0}); /* the whole match */
    if (p->group_count >= GROUPS_MAX)
        return fail_pattern(p, "too many groups");
    for (int i = 0; i < p->group_count && name.size; i++)
        if (str_equal(p->names[i], name))
            return fail_pattern(p, "a group's name is used twice");
    ARENA_PUSH(p->arena, p->names, p->group_count, p->group_capacity, name);
    *out = p->group_count - 1;
    return 0;
}

/* Flags behind "(?": idmsuxU, then those behind "-" taken away. */
static int parse_flags(Parser *p)
{
    bool on = true;
    for (; !at_end(p); p->at++) {
        unsigned flag = 0;
        switch (p->pattern.ptr[p->at]) {
        case 'i':
            flag = REGEX_FOLD;
            break;
        case 'd':
            flag = REGEX_UNIX_LINES;
            break;
        case 'm':
            flag = REGEX_MULTILINE;
            break;
        case 's':
            flag = REGEX_DOTALL;
            break;
        case 'u':
            flag = REGEX_UNICODE_FOLD;
            break;
        case 'x':
            flag = REGEX_COMMENTS;
            break;
        case '-':
            if (!on)
                return fail_pattern(p, "unknown flag");
            on = false;
            continue;
        case ')':
        case ':':
            return 0;
        default:
            return fail_pattern(p, p->pattern.ptr[p->at] == 'U' ? "the flag U (Unicode classes) is not supported" : "unknown flag");
        }
        p->flags = on ? p->flags | flag : p->flags & ~flag;
    }
    return fail_pattern(p, "a group is not closed");
}

static int parse_group(Parser *p, Node **out)
{
    unsigned outer = p->flags;
    Node *node = node_new(p, NODE_GROUP), *body = NULL;
    Str name = {0};
    *out = node;
    if (++p->depth > DEPTH_MAX)
        return fail_pattern(p, "groups nest too deep");
    if (!take(p, "?")) {
        SILT_TRY(new_group(p, name, &node->value));
    } else if (take(p, "=") || take(p, "!") || take(p, "<=") || take(p, "<!")) {
        node->kind = NODE_LOOK;
        node->negative = p->pattern.ptr[p->at - 1] == '!';
        node->behind = p->pattern.ptr[p->at - 2] == '<';
    } else if (take(p, ">")) {
        node->kind = NODE_ATOMIC;
    } else if (take(p, "<")) {
        SILT_TRY(parse_name(p, &name));
        SILT_TRY(new_group(p, name, &node->value));
    } else if (!take(p, ":")) {
        SILT_TRY(parse_flags(p));
        if (take(p, ")")) { /* (?i): from here to the end of the enclosing group */
            node->kind = NODE_EMPTY;
            p->depth--;
            return 0;
        }
        p->at++; /* : */
    }
    SILT_TRY(parse_choice(p, &body));
    node_add(p, node, body);
    if (!take(p, ")"))
        return fail_pattern(p, "a group is not closed");
    p->flags = outer;
    p->depth--;
    return 0;
}

static Node *set_node(Parser *p, const RegexSet *set)
{
    Node *node = node_new(p, NODE_SET);
    node->set = set;
    return node;
}

static Node *char_node(Parser *p, uint32_t c)
{
    RegexSet *set = ARENA_NEW(p->arena, RegexSet);
    regex_set_add(p->arena, set, c, c, p->flags);
    regex_set_finish(p->arena, set);
    return set_node(p, set);
}

static Node *assert_node(Parser *p, Assertion assertion)
{
    Node *node = node_new(p, NODE_ASSERT);
    node->value = (int)assertion;
    node->unix_lines = p->flags & REGEX_UNIX_LINES;
    return node;
}

/* \R: a line break of any kind, "\r\n" as one. */
static Node *line_break_node(Parser *p)
{
    Node *choice = node_new(p, NODE_CHOICE), *pair = node_new(p, NODE_SEQUENCE), *atomic = node_new(p, NODE_ATOMIC);
    RegexSet *set = ARENA_NEW(p->arena, RegexSet);
    node_add(p, pair, char_node(p, '\r'));
    node_add(p, pair, char_node(p, '\n'));
    node_add(p, choice, pair);
    regex_set_add(p->arena, set, '\n', '\r', 0);
    regex_set_add(p->arena, set, 0x85, 0x85, 0);
    regex_set_add(p->arena, set, 0x2028, 0x2029, 0);
    regex_set_finish(p->arena, set);
    node_add(p, choice, set_node(p, set));
    node_add(p, atomic, choice);
    return atomic;
}

static int back_reference(Parser *p, Node **out)
{
    Node *node = node_new(p, NODE_BACKREF);
    Str name;
    *out = node;
    node->fold = p->flags & REGEX_FOLD;
    if (take(p, "k<")) {
        SILT_TRY(parse_name(p, &name));
        for (node->value = p->group_count - 1; node->value > 0; node->value--)
            if (str_equal(p->names[node->value], name))
                return 0;
        return fail_pattern(p, "there is no group of this name");
    }
    /* as many digits as there is such a group */
    node->value = p->pattern.ptr[p->at++] - '0';
    while (!at_end(p) && p->pattern.ptr[p->at] >= '0' && p->pattern.ptr[p->at] <= '9') {
        int more = node->value * 10 + (p->pattern.ptr[p->at] - '0');
        if (more >= p->group_count)
            break;
        node->value = more;
        p->at++;
    }
    return 0;
}

/* Behind a backslash, outside of brackets. */
static int parse_escape(Parser *p, Node **out)
{
    if (at_end(p))
        return fail_pattern(p, "a backslash stands alone");
    char c = p->pattern.ptr[p->at];
    static const char letters[] = "AzZbB";
    static const Assertion assertions[] = {TEXT_START, TEXT_END, TEXT_END_BUT_NEWLINE, WORD_EDGE, NO_WORD_EDGE};
    const char *letter = strchr(letters, c);
    if ((c >= '1' && c <= '9') || looking_at(p, "k<"))
        return back_reference(p, out);
    if (c && letter) {
        if (looking_at(p, "b{g}"))
            return fail_pattern(p, "\\b{g} is not supported");
        p->at++;
        *out = assert_node(p, assertions[letter - letters]);
        return 0;
    }
    if (c == 'R') {
        p->at++;
        *out = line_break_node(p);
        return 0;
    }
    if (c == 'X' || c == 'G')
        return fail_pattern(p, c == 'X' ? "\\X is not supported" : "\\G is not supported");
    RegexSet *set = ARENA_NEW(p->arena, RegexSet);
    const char *wrong = regex_escape(p->arena, p->pattern, &p->at, p->flags, set, NULL);
    if (wrong)
        return fail_pattern(p, wrong);
    regex_set_finish(p->arena, set);
    *out = set_node(p, set);
    return 0;
}

static int parse_dot(Parser *p, Node **out)
{
    RegexSet *set = ARENA_NEW(p->arena, RegexSet);
    if (!(p->flags & REGEX_DOTALL)) {
        regex_set_add(p->arena, set, '\n', '\n', 0);
        if (!(p->flags & REGEX_UNIX_LINES)) {
            regex_set_add(p->arena, set, '\r', '\r', 0);
            regex_set_add(p->arena, set, 0x85, 0x85, 0);
            regex_set_add(p->arena, set, 0x2028, 0x2029, 0);
        }
    }
    regex_set_negate(p->arena, set);
    regex_set_finish(p->arena, set);
    *out = set_node(p, set);
    return 0;
}

static int parse_atom(Parser *p, Node **out)
{
    int size;
    if (take(p, "("))
        return parse_group(p, out);
    if (take(p, "."))
        return parse_dot(p, out);
    if (take(p, "^")) {
        *out = assert_node(p, p->flags & REGEX_MULTILINE ? LINE_START : TEXT_START);
        return 0;
    }
    if (take(p, "$")) {
        *out = assert_node(p, p->flags & REGEX_MULTILINE ? LINE_END : TEXT_END_BUT_NEWLINE);
        return 0;
    }
    if (looking_at(p, "*") || looking_at(p, "+") || looking_at(p, "?"))
        return fail_pattern(p, "a quantifier has nothing to repeat");
    if (looking_at(p, "{")) { /* repeats nothing, as in Java */
        *out = node_new(p, NODE_EMPTY);
        return 0;
    }
    if (take(p, "[")) {
        RegexSet *set = ARENA_NEW(p->arena, RegexSet);
        const char *wrong = regex_class(p->arena, p->pattern, &p->at, p->flags, set, 0);
        if (wrong)
            return fail_pattern(p, wrong);
        regex_set_finish(p->arena, set);
        *out = set_node(p, set);
        return 0;
    }
    if (take(p, "\\"))
        return parse_escape(p, out);
    uint32_t c = utf8_get(p->pattern.ptr + p->at, &size);
    p->at += (size_t)size;
    *out = char_node(p, c);
    return 0;
}

static bool parse_number(Parser *p, int *out)
{
    enum { REPEAT_MAX = 100000 };
    size_t start = p->at;
    for (*out = 0; !at_end(p) && p->pattern.ptr[p->at] >= '0' && p->pattern.ptr[p->at] <= '9'; p->at++)
        *out = *out < REPEAT_MAX ? *out * 10 + (p->pattern.ptr[p->at] - '0') : *out;
    return p->at > start;
}

/* At most one: a second is left to be refused as an atom. */
static int parse_quantifier(Parser *p, Node **atom)
{
    Node *repeat = node_new(p, NODE_REPEAT);
    skip_comments(p);
    if (take(p, "*")) {
        repeat->max = -1;
    } else if (take(p, "+")) {
        repeat->min = 1;
        repeat->max = -1;
    } else if (take(p, "?")) {
        repeat->max = 1;
    } else if (take(p, "{")) {
        if (!parse_number(p, &repeat->min))
            return fail_pattern(p, "{ needs a number");
        repeat->max = repeat->min;
        if (take(p, ",") && !parse_number(p, &repeat->max))
            repeat->max = -1;
        if (!take(p, "}"))
            return fail_pattern(p, "{ is not closed");
        if (repeat->max >= 0 && repeat->max < repeat->min)
            return fail_pattern(p, "a repetition ends before it starts");
    } else {
        return 0;
    }
    repeat->mode = take(p, "?") ? LAZY : take(p, "+") ? POSSESSIVE : GREEDY;
    node_add(p, repeat, *atom);
    *atom = repeat;
    return 0;
}

static int parse_sequence(Parser *p, Node **out)
{
    Node *sequence = node_new(p, NODE_SEQUENCE);
    *out = sequence;
    for (;;) {
        skip_comments(p);
        if (at_end(p) || looking_at(p, "|") || looking_at(p, ")"))
            return 0;
        Node *atom = NULL;
        if (take(p, "\\Q")) { /* as it stands, until \E */
            while (!at_end(p) && !take(p, "\\E")) {
                int size;
                atom = char_node(p, utf8_get(p->pattern.ptr + p->at, &size));
                p->at += (size_t)size;
                if (at_end(p) || looking_at(p, "\\E"))
                    continue;
                node_add(p, sequence, atom);
                atom = NULL;
            }
            if (!atom)
                continue;
        } else {
            SILT_TRY(parse_atom(p, &atom));
        }
        SILT_TRY(parse_quantifier(p, &atom));
        node_add(p, sequence, atom);
    }
}

static int parse_choice(Parser *p, Node **out)
{
    Node *first;
    SILT_TRY(parse_sequence(p, &first));
    *out = first;
    if (!looking_at(p, "|"))
        return 0;
    *out = node_new(p, NODE_CHOICE);
    node_add(p, *out, first);
    while (take(p, "|")) {
        SILT_TRY(parse_sequence(p, &first));
        node_add(p, *out, first);
    }
    return 0;
}

/* ---- widths, in code points ---- */

enum { UNBOUNDED = 1 << 28 };

static int capped(int64_t width)
{
    return width > UNBOUNDED ? UNBOUNDED : (int)width;
}

static void width(const Node *node, int *min, int *max)
{
    int low, high;
    *min = *max = 0;
    switch (node->kind) {
    case NODE_SET:
        *min = *max = 1;
        return;
    case NODE_BACKREF:
        *max = UNBOUNDED;
        return;
    case NODE_REPEAT:
        width(node->children[0], &low, &high);
        *min = capped((int64_t)low * node->min);
        *max = high == 0 ? 0 : node->max < 0 ? UNBOUNDED : capped((int64_t)high * node->max);
        return;
    case NODE_CHOICE:
        *min = UNBOUNDED;
        for (int i = 0; i < node->child_count; i++) {
            width(node->children[i], &low, &high);
            *min = low < *min ? low : *min;
            *max = high > *max ? high : *max;
        }
        return;
    case NODE_SEQUENCE:
    case NODE_GROUP:
    case NODE_ATOMIC:
        for (int i = 0; i < node->child_count; i++) {
            width(node->children[i], &low, &high);
            *min = capped((int64_t)*min + low);
            *max = capped((int64_t)*max + high);
        }
        return;
    default:
        return;
    }
}

/* ---- tree to program ---- */

typedef struct Builder {
    Arena *arena;
    JavaRegex *regex;
    SiltErr *err;
} Builder;

static int add(Builder *b, Instruction instruction)
{
    if (b->regex->size >= PROGRAM_MAX)
        return silt_fail(b->err, SILT_CONFIG, "the pattern is too large");
    ARENA_PUSH(b->arena, b->regex->program, b->regex->size, b->regex->capacity, instruction);
    return 0;
}

static int build(Builder *b, const Node *node);

/* Once or not at all. */
static int build_optional(Builder *b, const Node *body, RepeatMode mode, int *split)
{
    *split = b->regex->size;
    SILT_TRY(add(b, (Instruction){.op = OP_SPLIT, .x = *split + 1, .mode = mode}));
    return build(b, body);
}

/* Aim a split's way out, which is second for a greedy one, first for a lazy one. */
static void aim(Builder *b, int split, int target)
{
    Instruction *i = &b->regex->program[split];
    int body = i->x;
    i->x = i->mode == LAZY ? target : body;
    i->y = i->mode == LAZY ? body : target;
}

static int build_repeat(Builder *b, const Node *node)
{
    const Node *body = node->children[0];
    int low, high, mark = -1;
    if (node->mode == POSSESSIVE && body->kind != NODE_SET) {
        Node greedy = *node, *child = &greedy;
        greedy.mode = GREEDY;
        Node atomic = {.kind = NODE_ATOMIC, .children = &child, .child_count = 1};
        return build(b, &atomic);
    }
    if (body->kind == NODE_SET) {
        Instruction repeat = {
            .op = OP_REPEAT, .set = body->set, .min = node->min, .max = node->max < 0 ? INT32_MAX : node->max, .mode = node->mode};
        return add(b, repeat);
    }
    for (int i = 0; i < node->min; i++)
        SILT_TRY(build(b, body));
    if (node->max >= 0) {
        int count = node->max - node->min, *splits = ARENA_ARRAY(b->arena, int, count + 1);
        for (int i = 0; i < count; i++)
            SILT_TRY(build_optional(b, body, node->mode, &splits[i]));
        for (int i = 0; i < count; i++)
            aim(b, splits[i], b->regex->size);
        return 0;
    }
    width(body, &low, &high);
    int split = b->regex->size, slot = low == 0 ? b->regex->slot_count++ : -1;
    SILT_TRY(add(b, (Instruction){.op = OP_SPLIT, .x = split + 1, .mode = node->mode}));
    if (slot >= 0)
        SILT_TRY(add(b, (Instruction){.op = OP_MARK, .y = slot}));
    SILT_TRY(build(b, body));
    if (slot >= 0) {
        mark = b->regex->size;
        SILT_TRY(add(b, (Instruction){.op = OP_PROGRESS, .y = slot}));
    }
    SILT_TRY(add(b, (Instruction){.op = OP_JUMP, .x = split}));
    aim(b, split, b->regex->size);
    if (mark >= 0)
        b->regex->program[mark].x = b->regex->size; /* J3 */
    return 0;
}

static int build_choice(Builder *b, const Node *node)
{
    int *jumps = ARENA_ARRAY(b->arena, int, node->child_count);
    for (int i = 0; i < node->child_count; i++) {
        bool last = i + 1 == node->child_count;
        int split = b->regex->size;
        if (!last)
            SILT_TRY(add(b, (Instruction){.op = OP_SPLIT, .x = split + 1}));
        SILT_TRY(build(b, node->children[i]));
        if (!last) {
            jumps[i] = b->regex->size;
            SILT_TRY(add(b, (Instruction){.op = OP_JUMP}));
            b->regex->program[split].y = b->regex->size;
        }
    }
    for (int i = 0; i + 1 < node->child_count; i++)
        b->regex->program[jumps[i]].x = b->regex->size;
    return 0;
}

/* A part that runs on its own: its body behind it, ended by OP_MATCH. */
static int build_apart(Builder *b, const Node *node)
{
    Instruction apart = {.op = node->kind == NODE_LOOK ? OP_LOOK : OP_ATOMIC, .behind = node->behind, .negative = node->negative};
    width(node->children[0], &apart.min, &apart.max);
    int at = b->regex->size;
    SILT_TRY(add(b, apart));
    for (int i = 0; i < node->child_count; i++)
        SILT_TRY(build(b, node->children[i]));
    SILT_TRY(add(b, (Instruction){.op = OP_MATCH}));
    b->regex->program[at].x = b->regex->size;
    return 0;
}

static int build(Builder *b, const Node *node)
{
    switch (node->kind) {
    case NODE_EMPTY:
        return 0;
    case NODE_SET:
        return add(b, (Instruction){.op = OP_SET, .set = node->set});
    case NODE_ASSERT:
        return add(b, (Instruction){.op = OP_ASSERT, .y = node->value, .unix_lines = node->unix_lines});
    case NODE_BACKREF:
        if (node->value > b->regex->group_count) { /* never matches, as in Java */
            RegexSet *nothing = ARENA_NEW(b->arena, RegexSet);
            return add(b, (Instruction){.op = OP_SET, .set = nothing});
        }
        return add(b, (Instruction){.op = OP_BACKREF, .y = node->value, .fold = node->fold});
    case NODE_GROUP:
        if (node->value)
            SILT_TRY(add(b, (Instruction){.op = OP_SAVE, .y = 2 * node->value}));
        for (int i = 0; i < node->child_count; i++)
            SILT_TRY(build(b, node->children[i]));
        return node->value ? add(b, (Instruction){.op = OP_SAVE, .y = 2 * node->value + 1}) : 0;
    case NODE_SEQUENCE:
        for (int i = 0; i < node->child_count; i++)
            SILT_TRY(build(b, node->children[i]));
        return 0;
    case NODE_CHOICE:
        return build_choice(b, node);
    case NODE_REPEAT:
        return build_repeat(b, node);
    case NODE_LOOK:
    case NODE_ATOMIC:
        return build_apart(b, node);
    }
    return 0;
}

/* The byte that each match starts with, if the program says so at its start. */
static int first_byte(const JavaRegex *regex)
{
    int at = 0;
    while (regex->program[at].op == OP_SAVE)
        at++;
    const Instruction *i = &regex->program[at];
    if ((i->op != OP_SET && (i->op != OP_REPEAT || i->min == 0)) || i->set->count != 1 || i->set->ranges[0].low != i->set->ranges[0].high)
        return -1;
    uint32_t c = i->set->ranges[0].low;
    return c < 0x80 ? (int)c : -1;
}

int java_regex_new(Arena *arena, Str pattern, const JavaRegex **out, SiltErr *err)
{
    Parser parser = {.arena = arena, .pattern = pattern, .err = err};
    Node *root;
    if (!utf8_valid(pattern))
        return silt_fail(err, SILT_CONFIG, "the pattern is not valid UTF-8");
    SILT_TRY(parse_choice(&parser, &root));
    if (!at_end(&parser))
        return fail_pattern(&parser, "a ) has no (");
    JavaRegex *regex = ARENA_NEW(arena, JavaRegex);
    regex->group_count = parser.group_count ? parser.group_count - 1 : 0;
    regex->names = parser.names;
    regex->slot_count = 2 * (regex->group_count + 1);
    Builder builder = {.arena = arena, .regex = regex, .err = err};
    SILT_TRY(build(&builder, root));
    SILT_TRY(add(&builder, (Instruction){.op = OP_MATCH}));
    regex->first_byte = first_byte(regex);
    *out = regex;
    return 0;
}

int java_regex_group_count(const JavaRegex *regex)
{
    return regex->group_count;
}

int java_regex_group_named(const JavaRegex *regex, Str name)
{
    for (int i = 1; i <= regex->group_count; i++)
        if (str_equal(regex->names[i], name))
            return i;
    return -1;
}

/* ---- running ---- */

typedef enum FrameKind { FRAME_TRY, FRAME_SHORTER, FRAME_LONGER, FRAME_SLOT } FrameKind;

/* What going back does. SHORTER: give one code point back, not below `limit`. LONGER: take one more of instruction pc - 1. */
typedef struct RegexFrame {
    int64_t pos, limit; /* SLOT: old value in pos */
    int32_t pc;         /* SLOT: its number */
    FrameKind kind;
} RegexFrame;

typedef struct Run {
    const JavaRegex *regex;
    Str text;
    JavaMatch *match;
    int64_t must_end; /* >= 0: a look-behind counts only if it ends here */
    bool gave_up;
} Run;

static void push(Run *run, RegexFrame frame)
{
    JavaMatch *m = run->match;
    if (m->frame_count == m->frame_capacity) {
        if (m->frame_count >= FRAMES_MAX) {
            run->gave_up = true;
            return;
        }
        m->frame_capacity = m->frame_capacity ? m->frame_capacity * 2 : 64;
        RegexFrame *frames = realloc(m->frames, m->frame_capacity * sizeof *frames);
        silt_assert(frames != NULL); /* bookkeeping: out of memory ends the process */
        m->frames = frames;
    }
    m->frames[m->frame_count++] = frame;
}

static void set_slot(Run *run, int slot, int64_t value)
{
    push(run, (RegexFrame){.kind = FRAME_SLOT, .pc = slot, .pos = run->match->slots[slot]}); /* J2 */
    run->match->slots[slot] = value;
}

static int64_t back_one(Str text, int64_t pos)
{
    do
        pos--;
    while (pos > 0 && ((unsigned char)text.ptr[pos] & 0xC0) == 0x80);
    return pos;
}

/* Code point before or at pos; 0xFFFFFFFF where there is none. */
static uint32_t point_before(Str text, int64_t pos)
{
    int size;
    return pos > 0 ? utf8_get(text.ptr + back_one(text, pos), &size) : UINT32_MAX;
}

static uint32_t point_at(Str text, int64_t pos)
{
    int size;
    return pos < (int64_t)text.size ? utf8_get(text.ptr + pos, &size) : UINT32_MAX;
}

static bool is_line_end(uint32_t c, bool unix_lines)
{
    return c == '\n' || (!unix_lines && (c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029));
}

/* For \\b, which knows all letters though \\w does not. */
static bool is_word(uint32_t c)
{
    if (c >= 0x80)
        return c != UINT32_MAX && unicode_is_letter_or_digit(c);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool holds(Str text, int64_t pos, Assertion assertion, bool unix_lines)
{
    uint32_t before = point_before(text, pos), here = point_at(text, pos);
    bool inside_pair = before == '\r' && here == '\n' && !unix_lines; /* "\r\n" ends one line, not two */
    int size = 0;
    switch (assertion) {
    case TEXT_START:
        return pos == 0;
    case TEXT_END:
        return here == UINT32_MAX;
    case TEXT_END_BUT_NEWLINE:
        if (here == UINT32_MAX)
            return true;
        if (!is_line_end(here, unix_lines) || inside_pair)
            return false;
        utf8_get(text.ptr + pos, &size);
        return (size_t)pos + (size_t)size == text.size || (here == '\r' && (size_t)pos + 2 == text.size && text.ptr[pos + 1] == '\n');
    case LINE_START:
        return here != UINT32_MAX && (pos == 0 || (is_line_end(before, unix_lines) && !inside_pair));
    case LINE_END:
        return here == UINT32_MAX || (is_line_end(here, unix_lines) && !inside_pair);
    case WORD_EDGE:
        return is_word(before) != is_word(here);
    default:
        return is_word(before) == is_word(here);
    }
}

static int64_t match_backref(const Run *run, const Instruction *i, int64_t pos)
{
    int64_t start = run->match->slots[2 * i->y], end = run->match->slots[2 * i->y + 1];
    if (start < 0 || end < 0)
        return -1;
    if (!i->fold) {
        int64_t size = end - start;
        bool same = (int64_t)run->text.size - pos >= size && memcmp(run->text.ptr + start, run->text.ptr + pos, (size_t)size) == 0;
        return same ? pos + size : -1;
    }
    while (start < end) {
        int size, here_size;
        if (pos >= (int64_t)run->text.size)
            return -1;
        uint32_t c = utf8_get(run->text.ptr + start, &size), here = utf8_get(run->text.ptr + pos, &here_size);
        if (c != here && (c >= 0x80 || here >= 0x80 || unicode_lower(c) != unicode_lower(here)))
            return -1;
        start += size;
        pos += here_size;
    }
    return pos;
}

/* One code point of the set at pos: the position behind it, or -1. */
static inline int64_t match_set(Str text, const RegexSet *set, int64_t pos)
{
    int size;
    if (pos >= (int64_t)text.size)
        return -1;
    unsigned char byte = (unsigned char)text.ptr[pos];
    if (byte < 0x80)
        return regex_set_has_ascii(set, byte) ? pos + 1 : -1;
    uint32_t c = utf8_get(text.ptr + pos, &size);
    return regex_set_has(set, c) ? pos + size : -1;
}

static int64_t run_program(Run *run, int pc, int64_t pos);

/* Look-around or atomic group at pos: where to go on, or -1. Its frames go, what it did to slots stays undoable. */
static int64_t run_apart(Run *run, int pc, int64_t pos)
{
    const Instruction *i = &run->regex->program[pc];
    JavaMatch *m = run->match;
    size_t base = m->frame_count;
    int64_t end = -1, outer_end = run->must_end;
    if (i->op == OP_ATOMIC || !i->behind) {
        run->must_end = -1;
        end = run_program(run, pc + 1, pos);
    } else {
        int64_t start = pos;
        int chars = 0;
        run->must_end = pos;
        for (; chars < i->min && start > 0; chars++)
            start = back_one(run->text, start);
        for (; chars >= i->min && chars <= i->max && end < 0 && !run->gave_up; chars++) {
            end = run_program(run, pc + 1, start);
            if (start == 0)
                break;
            start = back_one(run->text, start);
        }
    }
    run->must_end = outer_end;
    bool found = end >= 0;
    size_t kept = base;
    for (size_t f = base; f < m->frame_count; f++) /* drop the choices, keep what undoes slots */
        if (m->frames[f].kind == FRAME_SLOT)
            m->frames[kept++] = m->frames[f];
    m->frame_count = kept;
    if (i->op == OP_ATOMIC)
        return end;
    if (found && i->negative)
        while (m->frame_count > base) {
            RegexFrame *frame = &m->frames[--m->frame_count];
            m->slots[frame->pc] = frame->pos;
        }
    return found != i->negative ? pos : -1;
}

/* Runs from pc until OP_MATCH: the position there, or -1 with slots as before. Frames of choices stay on the stack after success. */
static int64_t run_program(Run *run, int pc, int64_t pos)
{
    const Instruction *program = run->regex->program;
    JavaMatch *m = run->match;
    size_t base = m->frame_count;
    for (;;) {
        const Instruction *i = &program[pc];
        if (++m->steps > STEPS_MAX)
            run->gave_up = true;
        if (run->gave_up)
            return -1;
        switch (i->op) {
        case OP_SET:
            pos = match_set(run->text, i->set, pos);
            pc++;
            break;
        case OP_REPEAT: {
            int64_t start = pos, next, least;
            int count = 0;
            for (; count < i->min && (next = match_set(run->text, i->set, pos)) >= 0; count++)
                pos = next;
            if (count < i->min) {
                pos = -1;
                break;
            }
            least = pos;
            pc++;
            if (i->mode == LAZY) {
                if (count < i->max)
                    push(run, (RegexFrame){.kind = FRAME_LONGER, .pc = pc, .pos = pos, .limit = i->max - count});
                break;
            }
            for (; count < i->max && (next = match_set(run->text, i->set, pos)) >= 0; count++)
                pos = next;
            m->steps += pos - start;
            if (i->mode == GREEDY && pos > least)
                push(run, (RegexFrame){.kind = FRAME_SHORTER, .pc = pc, .pos = pos, .limit = least});
            break;
        }
        case OP_SPLIT:
            push(run, (RegexFrame){.kind = FRAME_TRY, .pc = i->y, .pos = pos});
            pc = i->x;
            break;
        case OP_JUMP:
            pc = i->x;
            break;
        case OP_SAVE:
        case OP_MARK:
            set_slot(run, i->y, pos);
            pc++;
            break;
        case OP_PROGRESS:
            pc = m->slots[i->y] == pos ? i->x : pc + 1;
            break;
        case OP_ASSERT:
            pos = holds(run->text, pos, (Assertion)i->y, i->unix_lines) ? pos : -1;
            pc++;
            break;
        case OP_BACKREF:
            pos = match_backref(run, i, pos);
            pc++;
            break;
        case OP_LOOK:
        case OP_ATOMIC:
            pos = run_apart(run, pc, pos);
            pc = i->x;
            break;
        case OP_MATCH:
            if (run->must_end < 0 || pos == run->must_end)
                return pos;
            pos = -1;
            break;
        }
        while (pos < 0) { /* go back to the last choice */
            if (m->frame_count == base)
                return -1;
            RegexFrame *frame = &m->frames[m->frame_count - 1];
            pc = frame->pc;
            switch (frame->kind) {
            case FRAME_SLOT:
                m->slots[frame->pc] = frame->pos;
                m->frame_count--;
                continue;
            case FRAME_TRY:
                pos = frame->pos;
                m->frame_count--;
                break;
            case FRAME_SHORTER:
                pos = frame->pos = back_one(run->text, frame->pos);
                m->frame_count -= pos <= frame->limit;
                break;
            case FRAME_LONGER:
                pos = match_set(run->text, program[pc - 1].set, frame->pos);
                frame->pos = pos;
                m->frame_count -= pos < 0 || --frame->limit == 0;
                break;
            }
        }
    }
}

void java_match_fini(JavaMatch *match)
{
    free(match->frames);
    free(match->slots);
    *match = (JavaMatch){0};
}

int java_regex_find(const JavaRegex *regex, Str text, size_t from, JavaMatch *match, SiltErr *err)
{
    if (match->slot_capacity < regex->slot_count) {
        free(match->slots);
        match->slots = silt_alloc((size_t)regex->slot_count * sizeof *match->slots);
        match->slot_capacity = regex->slot_count;
    }
    match->groups = match->slots;
    match->steps = 0;
    if (!text.ptr)
        text.ptr = "";
    Run run = {.regex = regex, .text = text, .match = match, .must_end = -1};
    for (size_t start = from; start <= text.size;) {
        if (regex->first_byte >= 0) {
            const char *at = memchr(text.ptr + start, regex->first_byte, text.size - start);
            if (!at)
                return 0;
            start = (size_t)(at - text.ptr);
        }
        for (int i = 0; i < regex->slot_count; i++)
            match->slots[i] = -1;
        match->frame_count = 0;
        int64_t end = run_program(&run, 0, (int64_t)start);
        if (run.gave_up)
            return silt_fail(err, SILT_INPUT, "the pattern takes too many steps on this text");
        if (end >= 0) {
            match->groups[0] = (int64_t)start;
            match->groups[1] = end;
            return 1;
        }
        do
            start++;
        while (start < text.size && ((unsigned char)text.ptr[start] & 0xC0) == 0x80);
    }
    return 0;
}

size_t java_match_next(const JavaMatch *match, Str text)
{
    size_t next = (size_t)match->groups[1];
    if (match->groups[0] != match->groups[1])
        return next;
    do
        next++;
    while (next < text.size && ((unsigned char)text.ptr[next] & 0xC0) == 0x80);
    return next;
}
