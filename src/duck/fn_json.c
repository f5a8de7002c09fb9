/*
 * duck/fn_json.c - from_json, to_json, get_json_object and the like, as Spark reads and writes JSON
 *
 * As Spark's reader by default: names and strings may stand in single quotes, NaN and Infinity are numbers, what follows the first value
 * is ignored. A field that does not fit its type is NULL, and the others stay.
 *
 *   J1  Nesting is limited to JSON_DEPTH_MAX; deeper text counts as malformed.
 */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/java_time.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/render.h"
#include "duck/zone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_DEPTH_MAX = 1000 };

/* ---- reading ---- */

typedef enum NodeKind { NODE_NULL, NODE_BOOL, NODE_NUMBER, NODE_STRING, NODE_ARRAY, NODE_OBJECT } NodeKind;

typedef struct Node Node;
struct Node {
    NodeKind kind;
    Str text; /* NUMBER: as written; STRING: without quotes and escapes; BOOL: true or false */
    Str *keys;
    Node **items;
    int count, capacity;
};

typedef struct Reader {
    Arena *arena;
    const char *at, *end;
    int depth;
} Reader;

static void skip_blanks(Reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool read_hex(Reader *r, uint32_t *out)
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

static bool read_escape(Reader *r, StrBuf *buf)
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
    if (c != 'u' || !read_hex(r, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
        Reader ahead = *r;

        ahead.at += 2;
        if (read_hex(&ahead, &low) && low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            r->at = ahead.at;
        }
    }
    utf8_put(buf, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    return true;
}

static bool read_text(Reader *r, Str *out)
{
    char quote = *r->at++;
    const char *from = r->at;
    silt_auto(str_buf_fini) StrBuf buf = {0};

    while (r->at < r->end && *r->at != quote && *r->at != '\\')
        if ((unsigned char)*r->at++ < 0x20)
            return false;
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
        } else if ((unsigned char)*r->at < 0x20) {
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

static bool read_word(Reader *r, const char *word)
{
    size_t size = strlen(word);

    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size))
        return false;
    r->at += size;
    return true;
}

static bool read_number(Reader *r, Str *out)
{
    const char *from = r->at, *p = r->at, *digits;

    if (p < r->end && *p == '-')
        p++;
    digits = p;
    while (p < r->end && *p >= '0' && *p <= '9')
        p++;
    if (p == digits || (*digits == '0' && p - digits > 1))
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

static Node *read_value(Reader *r);

static bool add_item(Reader *r, Node *node, Str key, Node *item)
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

static bool read_items(Reader *r, Node *node, char close)
{
    bool object = close == '}';

    r->at++;
    skip_blanks(r);
    if (r->at < r->end && *r->at == close) {
        r->at++;
        return true;
    }
    for (;;) {
        Str key = {0};

        skip_blanks(r);
        if (object) {
            if (r->at >= r->end || (*r->at != '"' && *r->at != '\'') || !read_text(r, &key))
                return false;
            skip_blanks(r);
            if (r->at >= r->end || *r->at++ != ':')
                return false;
        }
        if (!add_item(r, node, key, read_value(r)))
            return false;
        skip_blanks(r);
        if (r->at >= r->end)
            return false;
        char c = *r->at++;
        if (c == close)
            return true;
        if (c != ',')
            return false;
    }
}

static Node *read_value(Reader *r)
{
    Node *node = ARENA_NEW(r->arena, Node);
    bool ok;

    skip_blanks(r);
    if (r->at >= r->end || r->depth >= JSON_DEPTH_MAX)
        return NULL;
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
        ok = read_text(r, &node->text);
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
        ok = read_word(r, "NaN") || read_word(r, "Infinity") || read_word(r, "-Infinity") || read_word(r, "+Infinity") || read_word(r, "-INF") ||
             read_word(r, "+INF") || read_word(r, "INF");
        node->text = (Str){from, (size_t)(r->at - from)};
        ok = ok || read_number(r, &node->text);
    }
    }
    r->depth--;
    return ok ? node : NULL;
}

static Node *read_json(Arena *arena, Str text)
{
    Reader r = {.arena = arena, .at = text.ptr, .end = text.ptr + text.size};

    return read_value(&r);
}

/* ---- compact text of a node ---- */

static void put_text(StrBuf *out, Str text)
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

static void put_node(StrBuf *out, const Node *node)
{
    switch (node->kind) {
    case NODE_NULL:
        str_buf_puts(out, "null");
        return;
    case NODE_STRING:
        put_text(out, node->text);
        return;
    case NODE_BOOL:
    case NODE_NUMBER:
        str_buf_str(out, node->text);
        return;
    default:
        str_buf_putc(out, node->kind == NODE_OBJECT ? '{' : '[');
        for (int i = 0; i < node->count; i++) {
            if (i)
                str_buf_putc(out, ',');
            if (node->kind == NODE_OBJECT) {
                put_text(out, node->keys[i]);
                str_buf_putc(out, ':');
            }
            put_node(out, node->items[i]);
        }
        str_buf_putc(out, node->kind == NODE_OBJECT ? '}' : ']');
    }
}

static const Node *member(const Node *object, Str key)
{
    for (int i = object->count - 1; i >= 0; i--) /* of equal names the last one counts */
        if (str_equal(object->keys[i], key))
            return object->items[i];
    return NULL;
}

/* ---- get_json_object ---- */

typedef struct Matches {
    const Node *items[256];
    int count;
    bool many; /* the path had a [*] */
} Matches;

/* Walk the rest of a path. False: the path is malformed. */
static bool walk(const Node *node, const char *p, const char *end, Matches *out)
{
    if (p == end) {
        if (out->count < 256)
            out->items[out->count++] = node;
        return true;
    }
    if (*p == '.' || (*p == '[' && end - p > 1 && p[1] == '\'')) {
        const char *from = *p == '.' ? p + 1 : p + 2, *to = from;

        if (*p == '.')
            while (to < end && *to != '.' && *to != '[')
                to++;
        else
            while (to < end && *to != '\'')
                to++;
        const char *next = *p == '.' ? to : to + 2;

        if (to == from || next > end || (*p == '[' && (to + 1 >= end || to[1] != ']')))
            return false;
        Str key = {from, (size_t)(to - from)};

        if (node->kind == NODE_ARRAY) { /* a field of an array: of each element */
            for (int i = 0; i < node->count; i++)
                if (node->items[i]->kind == NODE_OBJECT && !walk(node->items[i], p, end, out))
                    return false;
            return true;
        }
        if (node->kind != NODE_OBJECT)
            return true;
        if (str_is(key, "*") && *p == '.') {
            out->many = true;
            for (int i = 0; i < node->count; i++)
                if (!walk(node->items[i], next, end, out))
                    return false;
            return true;
        }
        const Node *found = member(node, key);

        return !found || walk(found, next, end, out);
    }
    if (*p == '[') {
        const char *to = memchr(p, ']', (size_t)(end - p));

        if (!to)
            return false;
        if (to == p + 2 && p[1] == '*') {
            out->many = true;
            for (int i = 0; node->kind == NODE_ARRAY && i < node->count; i++)
                if (!walk(node->items[i], to + 1, end, out))
                    return false;
            return true;
        }
        int64_t index;

        if (!str_to_int64((Str){p + 1, (size_t)(to - p - 1)}, &index))
            return false;
        return node->kind != NODE_ARRAY || index < 0 || index >= node->count || walk(node->items[index], to + 1, end, out);
    }
    return false;
}

static int get_json_object(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();

    FN_ROWS(row, out, rows) {
        Str path = text_at(&args[1], row);
        Matches found = {.count = 0};

        arena_reset(arena);
        const Node *node = read_json(arena, text_at(&args[0], row));

        if (!node || !path.size || path.ptr[0] != '$' || !walk(node, path.ptr + 1, path.ptr + path.size, &found) || !found.count ||
            (found.count == 1 && found.items[0]->kind == NODE_NULL)) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        str_buf_clear(call->scratch);
        if (found.count > 1) {
            str_buf_putc(call->scratch, '[');
            for (int i = 0; i < found.count; i++) {
                if (i)
                    str_buf_putc(call->scratch, ',');
                put_node(call->scratch, found.items[i]);
            }
            str_buf_putc(call->scratch, ']');
        } else if (found.items[0]->kind == NODE_STRING) {
            str_buf_str(call->scratch, found.items[0]->text);
        } else {
            put_node(call->scratch, found.items[0]);
        }
        text_put_buf(out, row, call->scratch);
    }
    arena_free(arena);
    return 0;
}

/* One member of the object, as get_json_object would give it. */
static int json_field(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();

    FN_ROWS(row, out, rows) {
        arena_reset(arena);
        const Node *node = read_json(arena, text_at(&args[0], row));
        const Node *field = node && node->kind == NODE_OBJECT ? member(node, text_at(&args[1], row)) : NULL;

        if (!field || field->kind == NODE_NULL) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        str_buf_clear(call->scratch);
        if (field->kind == NODE_STRING)
            str_buf_str(call->scratch, field->text);
        else
            put_node(call->scratch, field);
        text_put_buf(out, row, call->scratch);
    }
    arena_free(arena);
    return 0;
}

static int array_length(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();

    FN_ROWS(row, out, rows) {
        arena_reset(arena);
        const Node *node = read_json(arena, text_at(&args[0], row));

        if (!node || node->kind != NODE_ARRAY)
            column_set_null(out, (uint64_t)row);
        else
            ((int32_t *)out->data)[row] = node->count;
    }
    arena_free(arena);
    return 0;
}

static int object_keys(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();
    uint64_t used = 0;

    FN_ROWS(row, out, rows) {
        arena_reset(arena);
        const Node *node = read_json(arena, text_at(&args[0], row));

        if (!node || node->kind != NODE_OBJECT) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        column_list_reserve(out, used + (uint64_t)node->count);
        for (int i = 0; i < node->count; i++)
            text_put(&out->children[0], (int)used + i, node->keys[i]);
        ((ChunkList *)out->data)[row] = (ChunkList){used, (uint64_t)node->count};
        used += (uint64_t)node->count;
    }
    arena_free(arena);
    return 0;
}

/* ---- from_json: "silt_from_json:<type>"(text, mode, corrupt column, timestamp format, date format, pos) ---- */

/* Rows used so far in the children of each list below a column. */
typedef struct Fill {
    uint64_t used;
    struct Fill *children;
} Fill;

typedef struct Convert {
    FnCall *call;
    const Zone *zone;
    const JavaTime *timestamp_format, *date_format; /* NULL: as CAST reads */
    bool bad; /* something did not fit */
} Convert;

static Fill *fill_new(Arena *arena, const Column *column)
{
    Fill *fill = ARENA_ARRAY(arena, Fill, 1);

    if (column->child_count) {
        fill->children = ARENA_ARRAY(arena, Fill, column->child_count);
        for (int i = 0; i < column->child_count; i++)
            fill->children[i] = *fill_new(arena, &column->children[i]);
    }
    return fill;
}

static bool put_integer(Column *out, uint64_t row, const Node *node)
{
    int64_t value;

    if (node->kind != NODE_NUMBER || !str_to_int64(node->text, &value))
        return false;
    switch (out->type->kind) {
    case TYPE_BYTE:
        ((int8_t *)out->data)[row] = (int8_t)value;
        return value == (int8_t)value;
    case TYPE_SHORT:
        ((int16_t *)out->data)[row] = (int16_t)value;
        return value == (int16_t)value;
    case TYPE_INT:
        ((int32_t *)out->data)[row] = (int32_t)value;
        return value == (int32_t)value;
    default:
        ((int64_t *)out->data)[row] = value;
        return true;
    }
}

static bool is_special(Str text)
{
    return str_is(text, "NaN") || str_is(text, "Infinity") || str_is(text, "-Infinity") || str_is(text, "+Infinity") || str_is(text, "INF") ||
           str_is(text, "-INF") || str_is(text, "+INF");
}

static bool put_floating(Column *out, uint64_t row, const Node *node)
{
    char text[64];
    double value;

    if (node->kind != NODE_NUMBER && !(node->kind == NODE_STRING && is_special(node->text)))
        return false;
    if (is_special(node->text)) {
        value = str_is(node->text, "NaN") ? NAN : node->text.ptr[0] == '-' ? -INFINITY : INFINITY;
    } else if (node->text.size < sizeof text) {
        memcpy(text, node->text.ptr, node->text.size);
        text[node->text.size] = 0;
        value = out->type->kind == TYPE_FLOAT ? (double)strtof(text, NULL) : strtod(text, NULL);
    } else {
        silt_auto(str_buf_fini) StrBuf big = {0};

        str_buf_str(&big, node->text);
        value = out->type->kind == TYPE_FLOAT ? (double)strtof(big.ptr, NULL) : strtod(big.ptr, NULL);
    }
    if (out->type->kind == TYPE_FLOAT)
        ((float *)out->data)[row] = (float)value;
    else
        ((double *)out->data)[row] = value;
    return true;
}

static bool put_time(Convert *c, Column *out, uint64_t row, const Node *node)
{
    int64_t seconds, us;
    bool date = out->type->kind == TYPE_DATE;
    const JavaTime *format = date ? c->date_format : c->timestamp_format;
    Str zone_text = {0};
    ParsedTimestamp parsed;
    JavaTimeParts parts = {0};
    size_t at;
    int32_t days;

    if (node->kind == NODE_NUMBER && out->type->kind == TYPE_TIMESTAMP && str_to_int64(node->text, &seconds))
        return !__builtin_mul_overflow(seconds, (int64_t)1000000, &((int64_t *)out->data)[row]);
    if (node->kind != NODE_STRING)
        return false;
    if (format) {
        if (java_time_parse(format, node->text, &parts, &at))
            return false;
        us = parts.local_us;
        zone_text = parts.zone;
    } else if (date) {
        if (!parse_date(node->text, &days))
            return false;
        ((int32_t *)out->data)[row] = days;
        return true;
    } else {
        if (!parse_timestamp(node->text, &parsed) || parsed.just_time)
            return false;
        us = parsed.local_us;
        zone_text = parsed.zone;
    }
    if (date) {
        ((int32_t *)out->data)[row] = (int32_t)floor_div(us, DAY_US);
        return true;
    }
    if (out->type->kind == TYPE_TIMESTAMP) {
        SiltErr err;
        const Zone *zone = zone_text.size ? duck__zone_by_name(zone_text, &err) : c->zone;

        if (!zone)
            return false;
        us = parts.has_offset ? us - (int64_t)parts.offset_seconds * 1000000 : zone_to_utc_us(zone, us);
    }
    ((int64_t *)out->data)[row] = us;
    return true;
}

static void put_value(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node);

static bool put_list(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node)
{
    bool map = out->type->kind == TYPE_MAP;
    uint64_t start = fill->used, count = 0;

    if (node->kind != (map ? NODE_OBJECT : NODE_ARRAY))
        return false;
    fill->used += (uint64_t)node->count;
    column_list_reserve(out, fill->used);
    for (int i = 0; i < node->count; i++) {
        if (map) {
            bool again = false; /* of equal names the last one counts */

            for (int k = i + 1; k < node->count; k++)
                again = again || str_equal(node->keys[i], node->keys[k]);
            if (again)
                continue;
            Node key = {.kind = NODE_STRING, .text = node->keys[i]};

            put_value(c, &out->children[0], &fill->children[0], start + count, &key);
        }
        put_value(c, &out->children[map], &fill->children[map], start + count, node->items[i]);
        count++;
    }
    fill->used = start + count;
    ((ChunkList *)out->data)[row] = (ChunkList){start, count};
    return true;
}

static bool put_struct(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node)
{
    if (node->kind != NODE_OBJECT)
        return false;
    for (int i = 0; i < out->child_count; i++) {
        const Node *field = member(node, str_of(out->type->fields[i].name));

        if (field)
            put_value(c, &out->children[i], &fill->children[i], row, field);
        else
            column_set_null(&out->children[i], row);
    }
    return true;
}

static void put_value(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node)
{
    bool ok = false;

    if (node->kind == NODE_NULL) {
        column_set_null(out, row);
        return;
    }
    switch (out->type->kind) {
    case TYPE_BOOLEAN:
        ok = node->kind == NODE_BOOL;
        ((uint8_t *)out->data)[row] = ok && node->text.ptr[0] == 't';
        break;
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        ok = put_integer(out, row, node);
        break;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        ok = put_floating(out, row, node);
        break;
    case TYPE_DECIMAL: {
        __int128 value;

        ok = (node->kind == NODE_NUMBER || node->kind == NODE_STRING) && !is_special(node->text) &&
             parse_decimal(node->text, out->type->precision, out->type->scale, &value) == 0;
        if (ok)
            decimal_put(out, row, value);
        break;
    }
    case TYPE_STRING:
        ok = true;
        if (node->kind == NODE_STRING) {
            column_set_string(out, row, node->text.ptr ? node->text.ptr : "", node->text.size);
        } else {
            silt_auto(str_buf_fini) StrBuf text = {0};

            put_node(&text, node);
            column_set_string(out, row, str_buf_text(&text), text.size);
        }
        break;
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        ok = put_time(c, out, row, node);
        break;
    case TYPE_ARRAY:
    case TYPE_MAP:
        ok = put_list(c, out, fill, row, node);
        break;
    case TYPE_STRUCT:
        ok = put_struct(c, out, fill, row, node);
        break;
    default:
        break;
    }
    if (!ok) {
        c->bad = true;
        column_set_null(out, row);
    }
}

static int from_json(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    Convert c = {.call = call, .zone = duck__session_zone(call->session, &err)};
    Arena *arena = arena_new(), *fills = arena_new();
    Fill *fill = fill_new(fills, out);
    Str timestamp_format = rows ? text_at(&args[3], 0) : STR(""), date_format = rows ? text_at(&args[4], 0) : STR(""); /* constants */
    int result = 0;

    if (!c.zone)
        result = fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    else if ((timestamp_format.size && java_time_new(fills, timestamp_format, true, &c.timestamp_format, &err) < 0) ||
             (date_format.size && java_time_new(fills, date_format, true, &c.date_format, &err) < 0))
        result = fn_fail(call, 0, err.code, "%s", err.message);
    for (int row = 0; row < rows && !result; row++) {
        if (column_is_null(out, (uint64_t)row))
            continue;
        Str text = text_at(&args[0], row), corrupt = text_at(&args[2], row);

        c.bad = false;
        if (!str_trim(text).size) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        arena_reset(arena);
        Node *node = read_json(arena, text), one = {.kind = NODE_ARRAY, .items = &node, .count = 1};
        bool is_struct = out->type->kind == TYPE_STRUCT;

        if (node && node->kind == NODE_OBJECT && out->type->kind == TYPE_ARRAY && out->type->element->kind == TYPE_STRUCT)
            put_value(&c, out, fill, (uint64_t)row, &one);
        else if (node && (!is_struct || node->kind == NODE_OBJECT || node->kind == NODE_NULL))
            put_value(&c, out, fill, (uint64_t)row, node);
        else
            c.bad = true;
        if (c.bad && str_is(text_at(&args[1], row), "FAILFAST"))
            result = fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "this JSON does not fit the schema: %.*s", FN_SHOW(text));
        if (!node || (is_struct && node->kind != NODE_OBJECT && node->kind != NODE_NULL)) {
            if (is_struct)
                for (int i = 0; i < out->child_count; i++)
                    column_set_null(&out->children[i], (uint64_t)row);
            else
                column_set_null(out, (uint64_t)row);
        }
        int at = -1;

        for (int i = 0; is_struct && corrupt.size && i < out->child_count; i++)
            if (str_is(corrupt, out->type->fields[i].name))
                at = i;

        if (at >= 0 && !column_is_null(out, (uint64_t)row)) {
            Column *child = &out->children[at];

            if (c.bad) {
                if (child->validity)
                    child->validity[row >> 6] |= UINT64_C(1) << (row & 63);
                column_set_string(child, (uint64_t)row, text.ptr, text.size);
            } else {
                column_set_null(child, (uint64_t)row);
            }
        }
    }
    arena_free(arena);
    arena_free(fills);
    return result;
}

/* ---- to_json(value, keep nulls, timestamp format, date format) ---- */

/* What the options say; formats are NULL where they say nothing. */
typedef struct JsonStyle {
    const JavaTime *timestamp_format, *date_format;
    bool keep_nulls;
} JsonStyle;

/* "2026-01-02T03:04:05.678Z": milliseconds, cut off; without a zone no offset */
static void put_time_text(StrBuf *out, int64_t us, const Zone *zone)
{
    int32_t offset = zone ? zone_offset_seconds(zone, us) : 0, size = offset < 0 ? -offset : offset;
    int64_t local = us + (int64_t)offset * 1000000, day = floor_div(local, DAY_US), rest = (local - day * DAY_US) / 1000;
    silt_auto(str_buf_fini) StrBuf date = {0};

    print_date(&date, day);
    str_buf_printf(out, "\"%sT%02d:%02d:%02d.%03d", str_buf_text(&date), (int)(rest / 3600000), (int)(rest / 60000 % 60), (int)(rest / 1000 % 60),
                   (int)(rest % 1000));
    if (zone && !offset)
        str_buf_putc(out, 'Z');
    else if (zone)
        str_buf_printf(out, "%c%02d:%02d", offset < 0 ? '-' : '+', size / 3600, size / 60 % 60);
    str_buf_putc(out, '"');
}

/* By the user's format. Names of zones (letter z) other than UTC were refused in prepare. */
static void put_formatted(StrBuf *out, const JavaTime *format, int64_t us, const Zone *zone)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    java_time_format(&text, format, zone ? zone_to_local_us(zone, us) : us, zone ? zone_offset_seconds(zone, us) : 0, "UTC");
    put_text(out, str_buf_view(&text));
}

static void put_json(StrBuf *out, const Column *column, uint64_t row, const Zone *zone, const JsonStyle *style)
{
    const void *data = column->data;
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (column->type->kind == TYPE_VOID || column_is_null(column, row)) {
        str_buf_puts(out, "null");
        return;
    }
    switch (column->type->kind) {
    case TYPE_STRUCT: {
        bool any = false;

        str_buf_putc(out, '{');
        for (int i = 0; i < column->child_count; i++) {
            const Column *child = &column->children[i];

            if (!style->keep_nulls && (child->type->kind == TYPE_VOID || column_is_null(child, row)))
                continue;
            if (any)
                str_buf_putc(out, ',');
            any = true;
            put_text(out, str_of(column->type->fields[i].name));
            str_buf_putc(out, ':');
            put_json(out, child, row, zone, style);
        }
        str_buf_putc(out, '}');
        return;
    }
    case TYPE_ARRAY:
    case TYPE_MAP: {
        bool map = column->type->kind == TYPE_MAP;
        ChunkList list = ((const ChunkList *)data)[row];

        str_buf_putc(out, map ? '{' : '[');
        for (uint64_t n = list.offset; n < list.offset + list.length; n++) {
            if (n > list.offset)
                str_buf_putc(out, ',');
            if (map) {
                str_buf_clear(&text);
                value_print(&text, &column->children[0], n, zone);
                put_text(out, str_buf_view(&text));
                str_buf_putc(out, ':');
            }
            put_json(out, &column->children[map], n, zone, style);
        }
        str_buf_putc(out, map ? '}' : ']');
        return;
    }
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        value_print(&text, column, row, zone);
        if (strpbrk(str_buf_text(&text), "NIn")) {
            put_text(out, str_buf_view(&text));
            return;
        }
        str_buf_str(out, str_buf_view(&text));
        return;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ: {
        int64_t us = ((const int64_t *)data)[row];

        if (style->timestamp_format && column->type->kind == TYPE_TIMESTAMP)
            put_formatted(out, style->timestamp_format, us, zone);
        else
            put_time_text(out, us, column->type->kind == TYPE_TIMESTAMP ? zone : NULL);
        return;
    }
    case TYPE_DATE:
        if (style->date_format) {
            put_formatted(out, style->date_format, ((const int32_t *)data)[row] * DAY_US, NULL);
            return;
        }
        value_print(&text, column, row, zone);
        put_text(out, str_buf_view(&text));
        return;
    case TYPE_BINARY:
        render_base64(out, chunk_string((const ChunkString *)data + row));
        return;
    case TYPE_VARIANT:
        render_json(out, column, row, zone);
        return;
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_DECIMAL:
        value_print(out, column, row, zone);
        return;
    default:
        value_print(&text, column, row, zone);
        put_text(out, str_buf_view(&text));
    }
}

/* All but the first argument are constants; an empty format is none. */
static int prepare_to_json(FnCall *call, SiltErr *err)
{
    JsonStyle *style = ARENA_NEW(call->arena, JsonStyle);

    for (int i = 1; i < 4; i++)
        if (!call->constants[i].type || column_is_null(&call->constants[i], 0))
            return silt_fail(err, SILT_CONFIG, "the options of to_json must be constants");
    style->keep_nulls = *(const uint8_t *)call->constants[1].data;
    Str timestamp_format = text_at(&call->constants[2], 0), date_format = text_at(&call->constants[3], 0);

    if (timestamp_format.size)
        SILT_TRY(java_time_new(call->arena, timestamp_format, false, &style->timestamp_format, err));
    if (date_format.size)
        SILT_TRY(java_time_new(call->arena, date_format, false, &style->date_format, err));
    if (memchr(timestamp_format.ptr, 'z', timestamp_format.size) || memchr(timestamp_format.ptr, 'V', timestamp_format.size))
        return silt_fail(err, SILT_CONFIG, "to_json does not write names of time zones (pattern letters z and V)");
    call->data = style;
    return 0;
}

static int to_json(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);

    if (!zone)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    FN_ROWS(row, out, rows) {
        str_buf_clear(call->scratch);
        put_json(call->scratch, &args[0], (uint64_t)row, zone, call->data);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_json[] = {
    {.name = "silt_get_json_object", .args = "string, string", .result = "string", .eval = get_json_object},
    {.name = "silt_json_field", .args = "string, string", .result = "string", .eval = json_field},
    {.name = "silt_json_array_length", .args = "string", .result = "int", .eval = array_length},
    {.name = "silt_json_object_keys", .args = "string", .result = "array<string>", .eval = object_keys},
    {.name = "silt_from_json", .args = "string, string, string, string, string", .flags = FN_FAILS, .eval = from_json},
    {.name = "silt_to_json", .args = "any, boolean, string, string", .result = "string", .flags = FN_VOLATILE, .eval = to_json, .prepare = prepare_to_json},
    {0},
};
