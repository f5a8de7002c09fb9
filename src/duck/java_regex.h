#pragma once
/*
 * duck/java_regex.h - regular expressions with the meaning of java.util.regex, over UTF-8
 *
 * Alternatives are tried in order and undone step by step, so look-around, back-references, atomic groups and possessive quantifiers
 * work as in Java; so does the time that a bad pattern may take, which is why a match gives up after a number of steps.
 * Not there, refused by name: \X, \N{...}, \G, Unicode scripts and blocks, and categories other than the general ones.
 */
#include "base/arena.h"
#include "base/err.h"

typedef struct JavaRegex JavaRegex; /* immutable once made; shared by threads */

/* Lives in arena. Fails as CONFIG with the place in the pattern. */
int java_regex_new(Arena *arena, Str pattern, const JavaRegex **out, SiltErr *err);
int java_regex_group_count(const JavaRegex *regex);
/* Number of the group of that name, or -1. */
int java_regex_group_named(const JavaRegex *regex, Str name);

/* Room for one match at a time. Zero-initialise; one thread; free with java_match_fini. */
typedef struct JavaMatch {
    int64_t steps_max; /* a match gives up after so many steps, each of bounded time; 0: 100,000,000 */
    int64_t *groups; /* byte where group i starts at [2 i], ends at [2 i + 1]; -1: took no part. Group 0 is the whole match */
    /* private */
    struct RegexFrame *frames;
    size_t frame_count, frame_capacity;
    int64_t *slots;
    int slot_capacity;
    int64_t steps;
} JavaMatch;

void java_match_fini(JavaMatch *match);
/*
 * The first match that starts at byte `from` (the start of a code point) or later. 1: found, 0: none, < 0: gave up, as INPUT.
 * text must be valid UTF-8.
 */
int java_regex_find(const JavaRegex *regex, Str text, size_t from, JavaMatch *match, SiltErr *err);
/* Where the search for the next match starts: behind this one, one further if it was empty. May be text.size + 1: no more. */
size_t java_match_next(const JavaMatch *match, Str text);

static inline Str java_match_group(const JavaMatch *match, Str text, int group)
{
    int64_t start = match->groups[2 * group];
    return start < 0 ? (Str){0} : (Str){text.ptr + start, (size_t)(match->groups[2 * group + 1] - start)};
}
