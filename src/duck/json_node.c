/*
 * duck/json_node.c - the first JSON value of a text, as a tree
 *
 *   J1  Nesting is limited to NODE_DEPTH_MAX; deeper text counts as malformed.
 */
#include "duck/json_node.h"

#include "duck/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A comment at r->at, if there is one: all of it. */
static bool skip_comment(NodeReader *r)
{
    bool line = r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '/', block = r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '*';

    if (!(r->flags & NODE_COMMENTS) || (!line && !block))
        return false;
    const char *end = memmem(r->at + 2, (size_t)(r->end - r->at) - 2, line ? "\n" : "*/", line ? 1 : 2);

    r->at = end ? end + (line ? 1 : 2) : r->end;
    return true;
}

void node_skip_comments(NodeReader *r)
{
    while (skip_comment(r))
        while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
            r->at++;
}

/* Eight bytes at once: the lowest of the high bits tells the first byte that is zero; those above may be wrong. */
#define ONES UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)
static uint64_t zeros_of(uint64_t word)
{
    return (word - ONES) & ~word & HIGHS;
}

const char *node_text_end(const NodeReader *r, const char *at, char quote)
{
    const uint64_t quotes = ONES * (unsigned char)quote, backslashes = ONES * '\\', low = r->flags & NODE_CONTROLS ? 0 : ONES * 0x20;
    uint64_t word;

    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a text is the lowest of a word");
    for (; r->end - at >= 8; at += 8) {
        memcpy(&word, at, 8);
        uint64_t found = zeros_of(word ^ quotes) | zeros_of(word ^ backslashes) | ((word - low) & ~word & HIGHS);

        if (found)
            return at + __builtin_ctzll(found) / 8;
    }
    while (at < r->end && *at != quote && *at != '\\' && ((unsigned char)*at >= 0x20 || r->flags & NODE_CONTROLS))
        at++;
    return at;
}

static bool read_hex(NodeReader *r, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        if (r->at >= r->end)
            return false;
        char c = *r->at;
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;

        if (digit < 0)
            return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

static bool read_escape(NodeReader *r, StrBuf *buf)
{
    static const char from[] = "\"\\/bfnrt'", to[] = "\"\\/\b\f\n\r\t'";
    uint32_t code, low;

    if (r->at >= r->end)
        return false;
    char c = *r->at++;
    const char *simple = strchr(from, c);

    if (c && simple) {
        str_buf_putc(buf, to[simple - from]);
        return true;
    }
    if (c != 'u' && r->flags & NODE_ANY_ESCAPE) {
        str_buf_putc(buf, c);
        return true;
    }
    if (c != 'u' || !read_hex(r, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
        NodeReader ahead = *r;

        ahead.at += 2;
        if (read_hex(&ahead, &low) && low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            r->at = ahead.at;
        }
    }
    bool half = code >= 0xD800 && code < 0xE000;

    r->half_pairs += half;
    utf8_put(buf, !half ? code : r->flags & NODE_HALF_PAIRS ? '?' : 0xFFFD);
    return true;
}

static bool read_text(NodeReader *r, Str *out)
{
    char quote = *r->at++;
    const char *from = r->at;
    silt_auto(str_buf_fini) StrBuf buf = {0};

    r->at = node_text_end(r, from, quote);
    if (r->at < r->end && *r->at == quote) { /* the usual case: nothing to undo */
        *out = (Str){from, (size_t)(r->at++ - from)};
        return true;
    }
    str_buf_add(&buf, from, (size_t)(r->at - from));
    while (r->at < r->end && *r->at != quote) {
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r, &buf))
                return false;
        } else if ((unsigned char)*r->at < 0x20 && !(r->flags & NODE_CONTROLS)) {
            return false;
        } else {
            str_buf_putc(&buf, *r->at++);
        }
    }
    if (r->at >= r->end)
        return false;
    r->at++;
    *out = arena_str(r->arena, str_buf_view(&buf));
    return true;
}

static bool read_word(NodeReader *r, const char *word)
{
    size_t size = strlen(word);

    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size))
        return false;
    r->at += size;
    return true;
}

static bool read_number(NodeReader *r, Str *out)
{
    const char *from = r->at, *p = r->at, *digits;

    if (p < r->end && *p == '-')
        p++;
    digits = p;
    while (p < r->end && *p >= '0' && *p <= '9')
        p++;
    if (p == digits || (*digits == '0' && p - digits > 1 && !(r->flags & NODE_LEADING_ZEROS)))
        return false;
    if (p < r->end && *p == '.') {
        const char *fraction = ++p;

        while (p < r->end && *p >= '0' && *p <= '9')
            p++;
        if (p == fraction)
            return false;
    }
    if (p < r->end && (*p | 0x20) == 'e') {
        p++;
        if (p < r->end && (*p == '+' || *p == '-'))
            p++;
        const char *exponent = p;

        while (p < r->end && *p >= '0' && *p <= '9')
            p++;
        if (p == exponent)
            return false;
    }
    r->at = p;
    *out = (Str){from, (size_t)(p - from)};
    return true;
}

static bool is_name_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_quote(const NodeReader *r)
{
    return r->at < r->end && (*r->at == '"' || (*r->at == '\'' && r->flags & NODE_SINGLE_QUOTES));
}

bool node_read_name(NodeReader *r, Str *out)
{
    const char *from = r->at;

    if (is_quote(r))
        return read_text(r, out);
    if (!(r->flags & NODE_UNQUOTED_NAMES))
        return false;
    while (r->at < r->end && is_name_byte(*r->at))
        r->at++;
    *out = (Str){from, (size_t)(r->at - from)};
    return r->at > from && !(*from >= '0' && *from <= '9');
}

static Node *read_value(NodeReader *r);

static bool add_item(NodeReader *r, Node *node, Str key, Node *item)
{
    if (!item)
        return false;
    if (node->count == node->capacity) {
        int wanted = node->capacity ? node->capacity * 2 : 4;
        Str *keys = ARENA_ARRAY(r->arena, Str, wanted);
        Node **items = ARENA_ARRAY(r->arena, Node *, wanted);

        if (node->count) {
            memcpy(keys, node->keys, sizeof *keys * (size_t)node->count);
            memcpy(items, node->items, sizeof *items * (size_t)node->count);
        }
        node->keys = keys;
        node->items = items;
        node->capacity = wanted;
    }
    node->keys[node->count] = key;
    node->items[node->count++] = item;
    return true;
}

static bool read_items(NodeReader *r, Node *node, char close)
{
    bool object = close == '}';

    r->at++;
    node_skip_blanks(r);
    if (r->at < r->end && *r->at == close) {
        r->at++;
        return true;
    }
    for (;;) {
        Str key = {0};

        node_skip_blanks(r);
        if (object) {
            if (!node_read_name(r, &key))
                return false;
            node_skip_blanks(r);
            if (r->at >= r->end || *r->at++ != ':') {
                r->cut = r->depth;
                return false;
            }
        }
        if (!add_item(r, node, key, read_value(r))) {
            r->cut = object && r->odd ? r->depth : r->cut;
            return false;
        }
        node_skip_blanks(r);
        if (r->at >= r->end)
            return false;
        char c = *r->at++;
        if (c == close)
            return true;
        if (c != ',')
            return false;
    }
}

bool node_read_next(NodeReader *r, Node *node)
{
    int half_pairs = r->half_pairs;
    bool ok;

    node_skip_blanks(r);
    r->odd = r->at >= r->end;
    if (r->at >= r->end || r->depth >= NODE_DEPTH_MAX)
        return false;
    r->depth++;
    switch (*r->at) {
    case '{':
    case '[':
        node->kind = *r->at == '{' ? NODE_OBJECT : NODE_ARRAY;
        ok = read_items(r, node, *r->at == '{' ? '}' : ']');
        break;
    case '"':
    case '\'':
        node->kind = NODE_STRING;
        ok = is_quote(r) && read_text(r, &node->text);
        break;
    case 't':
    case 'f':
        node->kind = NODE_BOOL;
        node->text = *r->at == 't' ? STR("true") : STR("false");
        ok = read_word(r, *r->at == 't' ? "true" : "false");
        break;
    case 'n':
        ok = read_word(r, "null");
        break;
    default: {
        const char *from = r->at;

        node->kind = NODE_NUMBER;
        ok = r->flags & NODE_NON_NUMBERS && (read_word(r, "NaN") || read_word(r, "Infinity") || read_word(r, "-Infinity") || read_word(r, "+Infinity") || read_word(r, "-INF") ||
             read_word(r, "+INF") || read_word(r, "INF"));
        node->text = (Str){from, (size_t)(r->at - from)};
        ok = ok || read_number(r, &node->text);
    }
    }
    r->depth--;
    r->odd = !ok && node->kind != NODE_OBJECT && node->kind != NODE_ARRAY && node->kind != NODE_STRING;
    node->half_pair = r->half_pairs != half_pairs;
    return ok;
}

static Node *read_value(NodeReader *r)
{
    Node *node = ARENA_NEW(r->arena, Node);

    return node_read_next(r, node) ? node : NULL;
}

/* A number or a word must end where it ends: 1x is no 1. */
static bool ends_well(const NodeReader *r, const Node *node)
{
    if (r->at == r->end || node->kind == NODE_ARRAY || node->kind == NODE_OBJECT || node->kind == NODE_STRING)
        return true;
    if (node->kind == NODE_NUMBER)
        return *r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r';
    return !is_name_byte(*r->at);
}

Node *node_read(Arena *arena, Str text, unsigned flags)
{
    NodeReader r = {.arena = arena, .at = text.ptr, .end = text.ptr + text.size, .flags = flags};
    Node *node = read_value(&r);

    return node && ends_well(&r, node) ? node : NULL;
}

/* ---- compact text of a node ---- */

void node_put_text(StrBuf *out, Str text)
{
    str_buf_putc(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        static const char names[] = "btn?fr"; /* 8 .. 13 */

        if (c == '"' || c == '\\')
            str_buf_printf(out, "\\%c", c);
        else if (c >= 8 && c <= 13 && c != 11)
            str_buf_printf(out, "\\%c", names[c - 8]);
        else if (c < 0x20)
            str_buf_printf(out, "\\u%04X", c);
        else
            str_buf_putc(out, (char)c);
    }
    str_buf_putc(out, '"');
}

/* As Jackson copies it: what is no whole number goes through a double. */
static void put_number(StrBuf *out, Str text)
{
    silt_auto(str_buf_fini) StrBuf number = {0}, printed = {0};
    bool whole = true;

    for (size_t i = 0; i < text.size; i++)
        whole = whole && (text.ptr[i] == '-' || (text.ptr[i] >= '0' && text.ptr[i] <= '9'));
    if (whole) {
        str_buf_str(out, str_is(text, "-0") ? STR("0") : text);
        return;
    }
    str_buf_str(&number, text);
    double value = text.ptr[text.size - 1] == 'N' ? (double)NAN : strtod(str_buf_text(&number), NULL);

    if (isfinite(value)) {
        print_double(out, value);
        return;
    }
    print_double(&printed, value);
    node_put_text(out, str_buf_view(&printed));
}

void node_put(StrBuf *out, const Node *node)
{
    switch (node->kind) {
    case NODE_NULL:
        str_buf_puts(out, "null");
        return;
    case NODE_STRING:
        node_put_text(out, node->text);
        return;
    case NODE_BOOL:
        str_buf_str(out, node->text);
        return;
    case NODE_NUMBER:
        put_number(out, node->text);
        return;
    default:
        str_buf_putc(out, node->kind == NODE_OBJECT ? '{' : '[');
        for (int i = 0; i < node->count; i++) {
            if (i)
                str_buf_putc(out, ',');
            if (node->kind == NODE_OBJECT) {
                node_put_text(out, node->keys[i]);
                str_buf_putc(out, ':');
            }
            node_put(out, node->items[i]);
        }
        str_buf_putc(out, node->kind == NODE_OBJECT ? '}' : ']');
    }
}

const Node *node_member(const Node *object, Str key)
{
    for (int i = object->count - 1; i >= 0; i--) /* of equal names the last one counts */
        if (str_equal(object->keys[i], key))
            return object->items[i];
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const Str *x = a, *y = b;
    size_t size = x->size < y->size ? x->size : y->size;
    int order = size ? memcmp(x->ptr, y->ptr, size) : 0;

    return order ? order : (x->size > y->size) - (x->size < y->size);
}

bool node_has_name_twice(const Node *object)
{
    enum { FEW = 16 };
    bool twice = false;

    if (object->count <= FEW) {
        for (int i = 1; i < object->count; i++)
            for (int k = 0; k < i && !twice; k++)
                twice = str_equal(object->keys[i], object->keys[k]);
        return twice;
    }
    Str *sorted = silt_alloc(sizeof *sorted * (size_t)object->count);

    memcpy(sorted, object->keys, sizeof *sorted * (size_t)object->count);
    qsort(sorted, (size_t)object->count, sizeof *sorted, by_name);
    for (int i = 1; i < object->count && !twice; i++)
        twice = str_equal(sorted[i - 1], sorted[i]);
    free(sorted);
    return twice;
}
