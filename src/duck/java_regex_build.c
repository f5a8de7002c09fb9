/* duck/java_regex_build.c - the tree of a pattern to its program */
#include "duck/regex_program.h"

enum { PROGRAM_MAX = 100000 };

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

static int too_large(Builder *b)
{
    return silt_fail(b->err, SILT_CONFIG, "the pattern is too large");
}

static int add(Builder *b, Instruction instruction)
{
    if (b->regex->size >= PROGRAM_MAX)
        return too_large(b);
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
    for (int i = 0, before = -1; i < node->min && b->regex->size != before; i++) { /* a body without instructions is there once for all */
        before = b->regex->size;
        SILT_TRY(build(b, body));
    }
    if (node->max >= 0) {
        int count = node->max - node->min;
        if (count > PROGRAM_MAX)
            return too_large(b);
        int *splits = ARENA_ARRAY(b->arena, int, count + 1);
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
    RegexTree tree;
    SILT_TRY(regex__parse(arena, pattern, &tree, err));
    JavaRegex *regex = ARENA_NEW(arena, JavaRegex);
    regex->group_count = tree.group_count;
    regex->names = tree.names;
    regex->slot_count = 2 * (regex->group_count + 1);
    Builder builder = {.arena = arena, .regex = regex, .err = err};
    SILT_TRY(build(&builder, tree.root));
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
