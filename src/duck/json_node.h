#pragma once
/*
 * duck/json_node.h - the first JSON value of a text, read as leniently as Spark's functions read it
 *
 * Unlike base/json.h it keeps every member of an object, also those of equal names, and does not look at what follows the value.
 */
#include "base/arena.h"
#include "base/str.h"

typedef enum NodeKind { NODE_NULL, NODE_BOOL, NODE_NUMBER, NODE_STRING, NODE_ARRAY, NODE_OBJECT } NodeKind;

typedef struct Node Node;
struct Node {
    NodeKind kind;
    bool half_pair; /* somewhere in it, names too, half a surrogate pair was replaced */
    Str text; /* NUMBER: as written; STRING: without quotes and escapes; BOOL: true or false */
    Str *keys;
    Node **items;
    int count, capacity;
};

/* What is read beyond strict JSON: Spark's options of the same names. */
typedef enum NodeFlags {
    NODE_SINGLE_QUOTES = 1 << 0,
    NODE_NON_NUMBERS = 1 << 1, /* NaN, Infinity, INF with a sign or without */
    NODE_COMMENTS = 1 << 2,
    NODE_UNQUOTED_NAMES = 1 << 3,
    NODE_LEADING_ZEROS = 1 << 4,
    NODE_ANY_ESCAPE = 1 << 5,
    NODE_CONTROLS = 1 << 6, /* control characters inside of strings */
    NODE_HALF_PAIRS = 1 << 7, /* half a surrogate pair becomes ?, as where Java makes UTF-8 of a text, instead of U+FFFD */
    NODE_DEFAULT = NODE_SINGLE_QUOTES | NODE_NON_NUMBERS,
    NODE_STRICT = 0,
} NodeFlags;

enum { NODE_DEPTH_MAX = 1000 }; /* deeper text counts as malformed */

/* The value lives in the arena, and in the text. NULL: malformed, or nothing there. flags: NodeFlags. */
Node *node_read(Arena *arena, Str text, unsigned flags);

/* The same step by step, for who wants no tree of the whole. The functions leave `at` behind what they have read; false: malformed. */
typedef struct NodeReader {
    Arena *arena;
    const char *at, *end;
    int depth;       /* of the objects and arrays around `at`: who steps into one counts it, up to NODE_DEPTH_MAX */
    unsigned flags;  /* NodeFlags */
    int half_pairs;  /* so far */
    /* Of the last failure: no value began where one was due, and then, if a name stood before it, how deep the object of that name is; 0: elsewhere. */
    bool odd;
    int cut;
} NodeReader;

void node_skip_comments(NodeReader *r); /* and the blanks around them */
/* To the next byte that is neither blank nor comment, or the end. */
static inline void node_skip_blanks(NodeReader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
    if (r->flags & NODE_COMMENTS)
        node_skip_comments(r);
}
/* The first byte of a text, begun at `at` in these quotes, that is no plain one: the quote, a backslash or a control character that is not allowed. r->end: none. */
const char *node_text_end(const NodeReader *r, const char *at, char quote);
/* A member's name. */
bool node_read_name(NodeReader *r, Str *out);
/* A value of any kind into *out, which is zeroed before. Nothing is allocated but for arrays, objects and texts with escapes. */
bool node_read_next(NodeReader *r, Node *out);

/* Of equal names the last one counts. NULL: no such member. */
const Node *node_member(const Node *object, Str key);
bool node_has_name_twice(const Node *object);
/* Compact JSON; numbers with a point or an exponent as Java prints a double, infinite ones as text. */
void node_put(StrBuf *out, const Node *node);
void node_put_text(StrBuf *out, Str text); /* quoted and escaped */
