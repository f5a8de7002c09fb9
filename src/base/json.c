/*
 * base/json.c - JSON documents as immutable trees in an arena
 *
 * A strict reader of RFC 8259, written here because what the logs hold must come back unchanged: json-c, the library at
 * hand, turns integers beyond 64 bits into 18446744073709551615, -0 into 0, cuts keys at an inner NUL and accepts NaN
 * (json_test.c uses it as a second opinion on everything else). Start with parse_value().
 *
 *   J1  The text of a number is kept byte for byte; conversions happen only when asked for.
 *   J2  A tree borrows nothing from the text that it was read from.
 *   J3  Members keep the order of the document; a repeated key keeps its first place and its last value.
 */
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_SCANNED_MAX = 16 };

typedef struct Member Member;

struct Json {
    JsonKind kind;
    int count; /* of an array or object; of a boolean its value */
    union {
        Str text; /* number: as written; string: decoded, NUL behind it */
        const Json *items;
        struct {
            const Member *members;
            const uint32_t *index; /* open hash of positions + 1; NULL in small objects, which are scanned */
        };
    };
};

struct Member {
    Str key;
    Json value;
};

typedef struct Parser {
    Arena *arena;
    const char *start, *at, *end;
    Member *stack; /* what the open arrays and objects hold so far */
    size_t stack_count, stack_capacity;
    StrBuf unescaped;
    int depth;
    SiltErr *err;
} Parser;

/* ---- reading ---- */

static int fail(Parser *p, const char *at, const char *what)
{
    size_t offset = (size_t)(at - p->start);
    if (at >= p->end)
        return silt_fail(p->err, SILT_INPUT, "JSON ends too early, at byte %zu: %s", offset, what);
    unsigned char c = (unsigned char)*at;
    if (c > ' ' && c < 0x7F)
        return silt_fail(p->err, SILT_INPUT, "JSON is broken at byte %zu, at '%c': %s", offset, c, what);
    return silt_fail(p->err, SILT_INPUT, "JSON is broken at byte %zu, at 0x%02X: %s", offset, c, what);
}

static void skip_blanks(Parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        p->at++;
}

static bool take(Parser *p, char c)
{
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static Member *push(Parser *p)
{
    if (p->stack_count == p->stack_capacity) {
        p->stack_capacity = p->stack_capacity ? p->stack_capacity * 2 : 64;
        p->stack = silt_realloc(p->stack, p->stack_capacity * sizeof *p->stack);
    }
    Member *member = &p->stack[p->stack_count++];
    memset(member, 0, sizeof *member);
    return member;
}

/* Four hex digits at `at`, or -1. */
static int hex4(const char *at, const char *end)
{
    int value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* One escape, p->at behind its backslash. Half a surrogate pair stands for no character: U+FFFD. */
static int parse_escape(Parser *p)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *backslash = p->at - 1;
    if (p->at == p->end)
        return fail(p, p->at, "a string is not closed");
    char letter = *p->at++;
    if (letter != 'u') {
        const char *found = letter ? strchr(letters, letter) : NULL;
        if (!found)
            return fail(p, backslash, "no such escape in a string");
        str_buf_putc(&p->unescaped, meanings[found - letters]);
        return 0;
    }
    int unit = hex4(p->at, p->end);
    if (unit < 0)
        return fail(p, backslash, "\\u needs four hexadecimal digits");
    p->at += 4;
    uint32_t code_point = (uint32_t)unit;
    if (unit >= 0xD800 && unit <= 0xDFFF) {
        int low = unit <= 0xDBFF && p->end - p->at >= 6 && p->at[0] == '\\' && p->at[1] == 'u' ? hex4(p->at + 2, p->end) : -1;
        if (low >= 0xDC00 && low <= 0xDFFF) {
            code_point = 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
            p->at += 6;
        } else {
            code_point = 0xFFFD;
        }
    }
    utf8_put(&p->unescaped, code_point);
    return 0;
}

/* The bytes up to a quote, a backslash or something that may not stand in a string. */
static void skip_plain(Parser *p)
{
    while (p->at < p->end) {
        unsigned char c = (unsigned char)*p->at;
        if (c == '"' || c == '\\' || c < 0x20)
            return;
        int length = c < 0x80 ? 1 : utf8_length(p->at, p->end);
        if (length == 0)
            return;
        p->at += length;
    }
}

/* A string, p->at at its quote. */
static int parse_string(Parser *p, Str *out)
{
    const char *from = ++p->at;
    skip_plain(p);
    if (take(p, '"')) { /* nearly always: nothing to decode */
        *out = arena_str(p->arena, (Str){from, (size_t)(p->at - 1 - from)});
        return 0;
    }
    str_buf_clear(&p->unescaped);
    for (;;) {
        str_buf_add(&p->unescaped, from, (size_t)(p->at - from));
        if (take(p, '"'))
            break;
        if (p->at == p->end)
            return fail(p, p->at, "a string is not closed");
        if (!take(p, '\\'))
            return fail(p, p->at, (unsigned char)*p->at < 0x20 ? "a control character in a string must be escaped" : "not valid UTF-8");
        SILT_TRY(parse_escape(p));
        from = p->at;
        skip_plain(p);
    }
    *out = arena_str(p->arena, str_buf_view(&p->unescaped));
    return 0;
}

static bool skip_digits(Parser *p)
{
    const char *from = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
        p->at++;
    return p->at > from;
}

static int parse_number(Parser *p, Json *out)
{
    const char *from = p->at;
    take(p, '-');
    if (!take(p, '0') && !skip_digits(p))
        return fail(p, p->at, "a digit was expected");
    if (take(p, '.') && !skip_digits(p))
        return fail(p, p->at, "a digit was expected after the point");
    if (take(p, 'e') || take(p, 'E')) {
        if (!take(p, '+'))
            take(p, '-');
        if (!skip_digits(p))
            return fail(p, p->at, "a digit was expected in the exponent");
    }
    out->kind = JSON_NUMBER;
    out->text = arena_str(p->arena, (Str){from, (size_t)(p->at - from)});
    return 0;
}

static int parse_word(Parser *p, const char *word)
{
    const char *from = p->at;
    size_t size = strlen(word);
    if ((size_t)(p->end - from) < size || memcmp(from, word, size) != 0)
        return fail(p, from, "a value was expected");
    p->at += size;
    return 0;
}

static int parse_value(Parser *p, Json *out);

static int parse_array(Parser *p, Json *out)
{
    size_t base = p->stack_count;
    p->at++;
    skip_blanks(p);
    if (!take(p, ']')) {
        do {
            Json item = {0};
            SILT_TRY(parse_value(p, &item));
            push(p)->value = item;
            skip_blanks(p);
        } while (take(p, ','));
        if (!take(p, ']'))
            return fail(p, p->at, "',' or ']' was expected");
    }
    size_t count = p->stack_count - base;
    if (count > INT32_MAX)
        return fail(p, p->at, "an array is too long");
    Json *items = ARENA_ARRAY(p->arena, Json, count);
    for (size_t i = 0; i < count; i++)
        items[i] = p->stack[base + i].value;
    p->stack_count = base;
    out->kind = JSON_ARRAY;
    out->count = (int)count;
    out->items = items;
    return 0;
}

static uint64_t hash_key(Str key)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < key.size; i++)
        hash = (hash ^ (unsigned char)key.ptr[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static size_t index_capacity(int count)
{
    size_t capacity = 4 * MEMBERS_SCANNED_MAX;
    while (capacity < (size_t)count * 2)
        capacity *= 2;
    return capacity;
}

/* Where key is, or where it would go, in an index of members. */
static size_t index_slot(const uint32_t *index, size_t capacity, const Member *members, Str key)
{
    size_t slot = hash_key(key) & (capacity - 1);
    while (index[slot] && !str_equal(members[index[slot] - 1].key, key))
        slot = (slot + 1) & (capacity - 1);
    return slot;
}

/* Copy the members off the stack; a repeated key overwrites its earlier value (J3). */
static void close_object(Parser *p, size_t base, Json *out)
{
    int read = (int)(p->stack_count - base), count = 0;
    Member *members = ARENA_ARRAY(p->arena, Member, read);
    uint32_t *index = NULL;
    size_t capacity = 0;
    if (read > MEMBERS_SCANNED_MAX) {
        capacity = index_capacity(read);
        index = ARENA_ARRAY(p->arena, uint32_t, capacity);
    }
    for (int i = 0; i < read; i++) {
        const Member *member = &p->stack[base + (size_t)i];
        int place = 0;
        if (index) {
            size_t slot = index_slot(index, capacity, members, member->key);
            if (!index[slot])
                index[slot] = (uint32_t)count + 1;
            place = (int)index[slot] - 1;
        } else {
            while (place < count && !str_equal(members[place].key, member->key))
                place++;
        }
        if (place == count)
            members[count++].key = member->key;
        members[place].value = member->value;
    }
    if (index && index_capacity(count) != capacity)
        index = NULL; /* so many repeated keys that json_get would look for another size: scan */
    p->stack_count = base;
    out->kind = JSON_OBJECT;
    out->count = count;
    out->members = members;
    out->index = index;
}

static int parse_object(Parser *p, Json *out)
{
    size_t base = p->stack_count;
    p->at++;
    skip_blanks(p);
    if (!take(p, '}')) {
        do {
            Member member = {0};
            skip_blanks(p);
            if (p->at == p->end || *p->at != '"')
                return fail(p, p->at, "a key in double quotes was expected");
            SILT_TRY(parse_string(p, &member.key));
            skip_blanks(p);
            if (!take(p, ':'))
                return fail(p, p->at, "':' was expected");
            SILT_TRY(parse_value(p, &member.value));
            *push(p) = member;
            skip_blanks(p);
        } while (take(p, ','));
        if (!take(p, '}'))
            return fail(p, p->at, "',' or '}' was expected");
    }
    if (p->stack_count - base > INT32_MAX)
        return fail(p, p->at, "an object has too many members");
    close_object(p, base, out);
    return 0;
}

static int parse_value(Parser *p, Json *out)
{
    skip_blanks(p);
    if (p->at == p->end)
        return fail(p, p->at, "a value was expected");
    switch (*p->at) {
    case '{':
    case '[':
        if (p->depth == JSON_LEVELS_MAX)
            return fail(p, p->at, "nested too deep");
        p->depth++;
        SILT_TRY(*p->at == '{' ? parse_object(p, out) : parse_array(p, out));
        p->depth--;
        return 0;
    case '"':
        out->kind = JSON_STRING;
        return parse_string(p, &out->text);
    case 't':
    case 'f':
        out->kind = JSON_BOOL;
        out->count = *p->at == 't';
        return parse_word(p, out->count ? "true" : "false");
    case 'n':
        out->kind = JSON_NULL;
        return parse_word(p, "null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return parse_number(p, out);
    default:
        return fail(p, p->at, "a value was expected");
    }
}

int json_parse(Arena *arena, Str text, const Json **out, SiltErr *err)
{
    if (text.size == 0)
        text = STR("");
    Parser p = {.arena = arena, .start = text.ptr, .at = text.ptr, .end = text.ptr + text.size, .err = err};
    Json *root = ARENA_NEW(arena, Json);
    int r = parse_value(&p, root);
    if (r == 0) {
        skip_blanks(&p);
        if (p.at < p.end)
            r = fail(&p, p.at, "nothing more was expected");
    }
    free(p.stack);
    str_buf_fini(&p.unescaped);
    if (r == 0)
        *out = root;
    return r;
}

/* ---- looking ---- */

JsonKind json_kind(const Json *json)
{
    return json ? json->kind : JSON_NULL;
}

bool json_is_null(const Json *json)
{
    return json_kind(json) == JSON_NULL;
}

int json_size(const Json *json)
{
    JsonKind kind = json_kind(json);
    return kind == JSON_ARRAY || kind == JSON_OBJECT ? json->count : 0;
}

const Json *json_at(const Json *array, int index)
{
    return json_kind(array) == JSON_ARRAY && index >= 0 && index < array->count ? &array->items[index] : NULL;
}

const Json *json_get(const Json *object, const char *key)
{
    if (json_kind(object) != JSON_OBJECT)
        return NULL;
    Str wanted = str_of(key);
    if (object->index) {
        uint32_t found = object->index[index_slot(object->index, index_capacity(object->count), object->members, wanted)];
        return found ? &object->members[found - 1].value : NULL;
    }
    for (int i = 0; i < object->count; i++)
        if (str_equal(object->members[i].key, wanted))
            return &object->members[i].value;
    return NULL;
}

static const Member *member_at(const Json *object, int index)
{
    return json_kind(object) == JSON_OBJECT && index >= 0 && index < object->count ? &object->members[index] : NULL;
}

Str json_member_key(const Json *object, int index)
{
    const Member *member = member_at(object, index);
    return member ? member->key : STR("");
}

const Json *json_member_value(const Json *object, int index)
{
    const Member *member = member_at(object, index);
    return member ? &member->value : NULL;
}

Str json_str(const Json *json, const char *fallback)
{
    return json_kind(json) == JSON_STRING ? json->text : str_of(fallback);
}

const char *json_cstr(const Json *json, const char *fallback)
{
    return json_kind(json) == JSON_STRING ? json->text.ptr : fallback;
}

bool json_bool(const Json *json, bool fallback)
{
    return json_kind(json) == JSON_BOOL ? json->count != 0 : fallback;
}

int64_t json_int(const Json *json, int64_t fallback)
{
    int64_t value;
    return json_kind(json) == JSON_NUMBER && str_to_int64(json->text, &value) ? value : fallback;
}

double json_double(const Json *json, double fallback)
{
    return json_kind(json) == JSON_NUMBER ? strtod(json->text.ptr, NULL) : fallback;
}

Str json_number_text(const Json *json)
{
    return json_kind(json) == JSON_NUMBER ? json->text : STR("");
}

/* ---- writing ---- */

void json_put_str(StrBuf *out, Str text)
{
    if (text.size == 0)
        text = STR("");
    const char *end = text.ptr + text.size;
    str_buf_reserve(out, text.size + 2);
    str_buf_putc(out, '"');
    for (const char *p = text.ptr, *plain = p;; p++) {
        unsigned char c = p < end ? (unsigned char)*p : 0;
        int length = p < end && c >= 0x80 ? utf8_length(p, end) : 1;
        if (p < end && length > 0 && c >= 0x20 && c != '"' && c != '\\') {
            p += length - 1;
            continue;
        }
        str_buf_add(out, plain, (size_t)(p - plain));
        if (p == end)
            break;
        plain = p + 1;
        static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
        const char *found = c ? strchr(escaped, c) : NULL;
        if (length == 0)
            str_buf_puts(out, "\xEF\xBF\xBD");
        else if (found)
            str_buf_printf(out, "\\%c", letters[found - escaped]);
        else
            str_buf_printf(out, "\\u%04X", c); /* upper case, as Jackson and so Spark writes it */
    }
    str_buf_putc(out, '"');
}

void json_put(StrBuf *out, const Json *json)
{
    switch (json_kind(json)) {
    case JSON_NULL:
        str_buf_puts(out, "null");
        break;
    case JSON_BOOL:
        str_buf_puts(out, json->count ? "true" : "false");
        break;
    case JSON_NUMBER:
        str_buf_str(out, json->text);
        break;
    case JSON_STRING:
        json_put_str(out, json->text);
        break;
    case JSON_ARRAY:
        str_buf_putc(out, '[');
        for (int i = 0; i < json->count; i++) {
            if (i)
                str_buf_putc(out, ',');
            json_put(out, &json->items[i]);
        }
        str_buf_putc(out, ']');
        break;
    case JSON_OBJECT:
        str_buf_putc(out, '{');
        for (int i = 0; i < json->count; i++) {
            if (i)
                str_buf_putc(out, ',');
            json_put_str(out, json->members[i].key);
            str_buf_putc(out, ':');
            json_put(out, &json->members[i].value);
        }
        str_buf_putc(out, '}');
        break;
    }
}

/* The comma before a value or key, unless it is the first or follows its key. */
static void separate(JsonWriter *w)
{
    uint64_t *word = &w->has_item[w->depth / 64], bit = (uint64_t)1 << w->depth % 64;
    if (!w->after_key && (*word & bit)) {
        silt_assert(w->depth > 0); /* one value at the top */
        str_buf_putc(w->out, ',');
    }
    *word |= bit;
    w->after_key = false;
}

static void open_level(JsonWriter *w, char bracket)
{
    separate(w);
    str_buf_putc(w->out, bracket);
    silt_assert(w->depth < JSON_LEVELS_MAX);
    w->depth++;
    w->has_item[w->depth / 64] &= ~((uint64_t)1 << w->depth % 64);
}

static void close_level(JsonWriter *w, char bracket)
{
    silt_assert(w->depth > 0);
    silt_assert(!w->after_key);
    w->depth--;
    str_buf_putc(w->out, bracket);
}

void json_object(JsonWriter *w)
{
    open_level(w, '{');
}

void json_object_end(JsonWriter *w)
{
    close_level(w, '}');
}

void json_array(JsonWriter *w)
{
    open_level(w, '[');
}

void json_array_end(JsonWriter *w)
{
    close_level(w, ']');
}

void json_key(JsonWriter *w, const char *key)
{
    json_key_str(w, str_of(key));
}

void json_key_str(JsonWriter *w, Str key)
{
    silt_assert(!w->after_key);
    json_text_str(w, key);
    str_buf_putc(w->out, ':');
    w->after_key = true;
}

void json_text(JsonWriter *w, const char *text)
{
    if (text)
        json_text_str(w, str_of(text));
    else
        json_null(w);
}

void json_text_str(JsonWriter *w, Str text)
{
    separate(w);
    json_put_str(w->out, text);
}

void json_integer(JsonWriter *w, int64_t value)
{
    separate(w);
    str_buf_printf(w->out, "%lld", (long long)value);
}

void json_boolean(JsonWriter *w, bool value)
{
    separate(w);
    str_buf_puts(w->out, value ? "true" : "false");
}

void json_null(JsonWriter *w)
{
    separate(w);
    str_buf_puts(w->out, "null");
}

void json_raw(JsonWriter *w, Str text)
{
    separate(w);
    str_buf_str(w->out, text);
}

void json_value(JsonWriter *w, const Json *json)
{
    separate(w);
    json_put(w->out, json);
}

void json_member(JsonWriter *w, const char *key, const char *text)
{
    json_key(w, key);
    json_text(w, text);
}

void json_member_int(JsonWriter *w, const char *key, int64_t value)
{
    json_key(w, key);
    json_integer(w, value);
}

void json_member_bool(JsonWriter *w, const char *key, bool value)
{
    json_key(w, key);
    json_boolean(w, value);
}
