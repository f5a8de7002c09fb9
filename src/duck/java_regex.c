/*
 * duck/java_regex.c - a program over a text
 *
 *   J1  A program never recurses: choices wait on a stack of frames. Only look-around and atomic groups run a part of the program
 *       on their own, as deep as the pattern nests them.
 *   J2  Every change of a slot (group or loop mark) leaves a frame that undoes it, so that going back restores all of them.
 *   J3  A loop whose body matched nothing leaves the loop, so each loop ends.
 *   J4  Whatever takes time is a step: an instruction, a byte that a repeated set, a back-reference or a look-behind passes, a slot set up for an
 *       attempt. So a number of steps is a bound in time, whatever the pattern.
 */
#include "duck/regex_program.h"
#include "duck/unicode_case.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100 * 1000 * 1000, FRAMES_MAX = 2 * 1000 * 1000 /* 48 MB */ };

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
    int64_t steps_max;
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
    run->match->steps += end - start;
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
        m->steps += pos - start;
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
        if (++m->steps > run->steps_max)
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
            m->steps += pos - start;
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
            m->steps += pos - least;
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
    *match = (JavaMatch){.steps_max = match->steps_max};
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
    Run run = {.regex = regex, .text = text, .match = match, .must_end = -1, .steps_max = match->steps_max ? match->steps_max : STEPS_MAX};
    for (size_t start = from; start <= text.size;) {
        if (regex->first_byte >= 0) {
            const char *at = memchr(text.ptr + start, regex->first_byte, text.size - start);
            if (!at)
                return 0;
            start = (size_t)(at - text.ptr);
        }
        for (int i = 0; i < regex->slot_count; i++)
            match->slots[i] = -1;
        match->steps += regex->slot_count;
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
