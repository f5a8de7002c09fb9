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
    bool half_pair; /* somewhere in it, names too, half a surrogate pair became U+FFFD */
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
    NODE_DEFAULT = NODE_SINGLE_QUOTES | NODE_NON_NUMBERS,
    NODE_STRICT = 0,
} NodeFlags;

enum { NODE_DEPTH_MAX = 1000 }; /* deeper text counts as malformed */

/* The value lives in the arena, and in the text. NULL: malformed, or nothing there. flags: NodeFlags. */
Node *node_read(Arena *arena, Str text, unsigned flags);
/* Of equal names the last one counts. NULL: no such member. */
const Node *node_member(const Node *object, Str key);
bool node_has_name_twice(const Node *object);
/* Compact JSON; numbers with a point or an exponent as Java prints a double, infinite ones as text. */
void node_put(StrBuf *out, const Node *node);
void node_put_text(StrBuf *out, Str text); /* quoted and escaped */
