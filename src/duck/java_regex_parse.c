/*
 * duck/java_regex_parse.c - a pattern to its tree
 *
 * Groups nest DEPTH_MAX deep at most, so recursion here and in java_regex_build.c is bounded.
 */
#include "duck/regex_program.h"
#include "duck/unicode_case.h"

#include <string.h>

enum { DEPTH_MAX = 250, GROUPS_MAX = 1000 };

typedef struct Parser {
    Arena *arena;
    Str pattern;
    size_t at;
    unsigned flags;
    int depth, group_count, group_capacity;
    Str *names;
    SiltErr *err;
} Parser;

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

int regex__parse(Arena *arena, Str pattern, RegexTree *out, SiltErr *err)
{
    Parser parser = {.arena = arena, .pattern = pattern, .err = err};
    if (!utf8_valid(pattern))
        return silt_fail(err, SILT_CONFIG, "the pattern is not valid UTF-8");
    SILT_TRY(parse_choice(&parser, &out->root));
    if (!at_end(&parser))
        return fail_pattern(&parser, "a ) has no (");
    out->group_count = parser.group_count ? parser.group_count - 1 : 0;
    out->names = parser.names;
    return 0;
}
