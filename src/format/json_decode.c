/*
 * format/json_decode.c - JSON records straight into columns, directed by the schema
 *
 * One walk over the tokens of a record: a member's name finds its field (usually the one after the last), the field's type
 * says what is read there. There is no tree in between. Spark's rules (JacksonParser): a field is looked up by its exact
 * name, the last of equal names wins, a text field takes any value as it stands, a number is not taken from text (but for decimals
 * and NaN), an array or map with one element that does not fit does not fit as a whole, a struct keeps the fields that do.
 *
 *   D1  A value that does not fit leaves NULL, is counted once, and is rescued whole with its exact text.
 *   D2  A record that turns out bad leaves no trace: its row is written again by the next one. What it put into the
 *       children of lists stays there, pointed at by nobody.
 */
#include "duck/zone.h"
#include "format/infer.h"
#include "format/json_format.h"
#include "format/json_records.h"
#include "format/rescue.h"
#include "format/time_pattern.h"
#include "format/value.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How a value was read. BAD comes from json_bad and says why in walk.reason. */
enum { FITS = 0, MISFIT = 1, BAD = -1 };

/* One place of the schema with its column in the chunk that is being built. */
typedef struct Node Node;
struct Node {
    const Type *type;
    TypeKind kind;
    Column *column;
    Node *children; /* STRUCT: fields; ARRAY: element; MAP: key, value */
    int child_count;
    bool needed;
    Node *parent; /* NULL: the root */
    Shape *shape; /* STRUCT: what was met here that the schema lacks; made when first needed */
    /* STRUCT */
    Str *names;
    uint16_t *slots; /* hash of names: field + 1 */
    uint32_t slot_mask;
    int guess;       /* where the next name is probably found */
    uint64_t *stamp; /* per field: the object that wrote it last */
    Str name;        /* of this field in its struct */
    uint64_t *key;   /* "name": in words of 8 bytes; NULL if the name would be written with escapes */
    uint32_t key_size;
    uint64_t key_mask; /* of the last word */
    /* ARRAY, MAP: rows of the child in this chunk */
    uint64_t used, reserved;
};

typedef struct JsonDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    const Zone *zone;
    const JavaTime *date_pattern, *timestamp_pattern, *ntz_pattern;
    Arena *arena;
    Node root;
    JsonRecords records;
    FormatBlock block;
    FormatLines lines; /* of the block */
    FormatCounts counts;

    Chunk *chunk;
    uint64_t stamp; /* number of the current object */
    StrBuf bytes;   /* of a BINARY value */

    /* The record in hand */
    int64_t misfits, unknowns;
    bool exact; /* a whole number that a float would round is no fit: there is a place to rescue it to */
    bool rescue_wanted;
    Rescue rescue;
    Str path[RESCUE_DEPTH_MAX]; /* of fields from the root to here; names of unknown ones may be in path_names */
    int depth;
    int list_depth;    /* > 0: inside of a list or map, where no path leads: the enclosing field is rescued whole */
    bool list_unclean; /* something in the list was not taken */
    FormatInference *unknown; /* NULL unless target->collect_unknown */
    bool has_unknown;
    StrBuf name; /* of an unknown field, when it had escapes */
} JsonDecoder;

/* ---- the schema as nodes ---- */

static uint32_t hash_name(Str name)
{
    uint32_t h = 2166136261u ^ (uint32_t)name.size;
    for (size_t i = 0; i < name.size; i++)
        h = (h ^ (unsigned char)name.ptr[i]) * 16777619u;
    return h ^ h >> 15;
}

/* How the field is usually written before its value. */
static void set_key(Arena *arena, Node *node)
{
    const Str name = node->name;
    for (size_t i = 0; i < name.size; i++)
        if (name.ptr[i] == '"' || name.ptr[i] == '\\' || (unsigned char)name.ptr[i] < 0x20)
            return;
    node->key_size = (uint32_t)name.size + 3;
    node->key = ARENA_ARRAY(arena, uint64_t, node->key_size / 8 + 1);
    char *text = (char *)node->key;
    text[0] = '"';
    memcpy(text + 1, name.ptr, name.size);
    memcpy(text + 1 + name.size, "\":", 2);
    memset(&node->key_mask, 0xFF, node->key_size % 8 ? node->key_size % 8 : 8);
}

static int node_init(JsonDecoder *d, Node *node, const Type *type, SiltErr *err)
{
    node->type = type;
    node->kind = type->kind;
    node->needed = true;
    switch (type->kind) {
    case TYPE_STRUCT: {
        if (type->field_count > 65000)
            return silt_fail(err, SILT_CONFIG, "a struct with %d fields: at most 65000 can be read", type->field_count);
        node->child_count = type->field_count;
        node->children = ARENA_ARRAY(d->arena, Node, type->field_count + 1);
        node->names = ARENA_ARRAY(d->arena, Str, type->field_count + 1);
        node->stamp = ARENA_ARRAY(d->arena, uint64_t, type->field_count + 1);
        uint32_t size = 16;
        while (size < (uint32_t)type->field_count * 2)
            size *= 2;
        node->slots = ARENA_ARRAY(d->arena, uint16_t, size);
        node->slot_mask = size - 1;
        for (int i = 0; i < type->field_count; i++) {
            node->children[i].parent = node;
            SILT_TRY(node_init(d, &node->children[i], type->fields[i].type, err));
            Str name = str_of(type->fields[i].name);
            node->names[i] = node->children[i].name = name;
            set_key(d->arena, &node->children[i]);
            uint32_t slot = hash_name(name) & node->slot_mask;
            while (node->slots[slot])
                slot = (slot + 1) & node->slot_mask;
            node->slots[slot] = (uint16_t)(i + 1);
        }
        return 0;
    }
    case TYPE_ARRAY:
        node->child_count = 1;
        node->children = ARENA_NEW(d->arena, Node);
        node->children[0].parent = node;
        return node_init(d, &node->children[0], type->element, err);
    case TYPE_MAP:
        if (type->key->kind != TYPE_STRING)
            return silt_fail(err, SILT_CONFIG, "cannot read JSON into a map with keys of type %s: only STRING", type_text(d->arena, type->key));
        node->child_count = 2;
        node->children = ARENA_ARRAY(d->arena, Node, 2);
        node->children[0].parent = node->children[1].parent = node;
        SILT_TRY(node_init(d, &node->children[0], type->key, err));
        return node_init(d, &node->children[1], type->element, err);
    case TYPE_VARIANT:
    case TYPE_TIME:
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return silt_fail(err, SILT_CONFIG, "cannot read JSON into type %s", type_text(d->arena, type));
    default:
        return 0;
    }
}

static void node_bind(Node *node, Column *column)
{
    node->column = column;
    node->used = node->reserved = 0;
    for (int i = 0; i < node->child_count; i++)
        node_bind(&node->children[i], &column->children[i]);
}

/* The children of lists hold exactly what was put there. */
static void node_settle(Node *node)
{
    if (node->kind == TYPE_ARRAY || node->kind == TYPE_MAP)
        column_list_reserve(node->column, node->used);
    for (int i = 0; i < node->child_count; i++)
        node_settle(&node->children[i]);
}

static inline void set_valid(Column *column, uint64_t row)
{
    if (column->validity)
        column->validity[row >> 6] |= UINT64_C(1) << (row & 63);
}

static void set_null(Node *node, uint64_t row)
{
    column_set_null(node->column, row);
    if (node->kind == TYPE_ARRAY || node->kind == TYPE_MAP)
        ((ChunkList *)node->column->data)[row] = (ChunkList){0};
}

static inline int find_field(Node *node, Str name)
{
    int guess = node->guess;
    if (guess < node->child_count && node->names[guess].size == name.size && memcmp(node->names[guess].ptr, name.ptr, name.size) == 0) {
        node->guess = guess + 1;
        return guess;
    }
    for (uint32_t slot = hash_name(name) & node->slot_mask; node->slots[slot]; slot = (slot + 1) & node->slot_mask) {
        int field = node->slots[slot] - 1;
        if (str_equal(node->names[field], name)) {
            node->guess = field + 1;
            return field;
        }
    }
    return -1;
}

/* readerCaseSensitive => false */
static int find_in_any_case(const Node *node, Str name)
{
    for (int i = 0; i < node->child_count; i++)
        if (node->names[i].size == name.size && strncasecmp(node->names[i].ptr, name.ptr, name.size) == 0)
            return i;
    return -1;
}

/*
 * Does the text go on with the field after the last, its colon right behind it, as in nearly all records? Then steps behind the colon.
 * Looks at whole words: not where that would lead behind the text.
 */
static inline bool is_next_field(JsonWalk *w, const Node *node)
{
    if (node->guess >= node->child_count)
        return false;
    const Node *child = &node->children[node->guess];
    const char *text = w->text + w->index[w->at];
    if (!child->key || w->index[w->at + 1] != w->index[w->at] + child->key_size - 1 || w->end - text < (ptrdiff_t)child->key_size + 8)
        return false;
    uint32_t last = (child->key_size - 1) / 8;
    uint64_t word;
    for (uint32_t i = 0; i < last; i++) {
        memcpy(&word, text + i * 8, 8);
        if (word != child->key[i])
            return false;
    }
    memcpy(&word, text + last * 8, 8);
    if ((word ^ child->key[last]) & child->key_mask)
        return false;
    w->at += 2;
    return true;
}

/* ---- scalars ---- */

static int put_value(JsonDecoder *d, Node *node, uint64_t row);

static inline bool is_number_start(char c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

/* The current token as the whole number it is; MISFIT if it is another value. */
static int take_integer(JsonDecoder *d, int64_t min, int64_t max, int64_t *out)
{
    JsonWalk *w = &d->records.walk;
    if (!is_number_start(json_char(w)))
        return MISFIT;
    Str token = json_token(w);
    const char *p = token.ptr, *end = p + token.size;
    bool negative = *p == '-';
    p += negative;
    if (end - p > 18 || end == p) { /* long: with all checks */
        bool integral;
        if (!value_is_number(token, d->options->allow_leading_zeros, &integral) || !integral || !value_integer(token, min, max, out))
            return MISFIT; /* what is no value at all is found where it is skipped; -Infinity is one */
        w->at++;
        return FITS;
    }
    uint64_t value = 0;
    const char *digits = p;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (unsigned)(*p - '0');
    if (p < end)
        return MISFIT;
    if (*digits == '0' && end - digits > 1 && !d->options->allow_leading_zeros)
        return json_bad(w, "a number with a leading zero");
    int64_t is = negative ? -(int64_t)value : (int64_t)value;
    if (is < min || is > max)
        return MISFIT;
    *out = is;
    w->at++;
    return FITS;
}

static int take_float(JsonDecoder *d, bool single, double *out)
{
    JsonWalk *w = &d->records.walk;
    char c = json_char(w);
    if (c == '"' || c == '\'') {
        Str text;
        if (json_string(w, &text) < 0)
            return BAD;
        if (!json_non_numeric(d->options, text, out)) {
            /* the option forbids NaN and the like bare and in quotes alike: where nothing would keep the text, both are bad records */
            if (d->options->mode == FORMAT_MODE_DEAD_LETTERS && !d->rescue_wanted && json_is_non_numeric_text(text))
                return json_bad(w, "a number that allowNonNumericNumbers => false forbids");
            return MISFIT;
        }
        w->at++;
        return FITS;
    }
    Str token = json_token(w);
    bool integral, exact = true;
    if (value_is_number(token, d->options->allow_leading_zeros, &integral)) {
        *out = single ? (double)value_float(token, d->exact ? &exact : NULL) : value_double(token, d->exact ? &exact : NULL);
        if (!exact)
            return MISFIT;
    } else if (!json_non_numeric(d->options, token, out)) {
        return MISFIT; /* another kind of value, or none: the skip will see */
    }
    w->at++;
    return FITS;
}

static int put_string(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    char c = json_char(w);
    Str text;
    if (c == '"' || c == '\'') {
        if (json_string(w, &text) < 0)
            return BAD;
        w->at++;
    } else if (json_skip(w, &text) < 0) {
        return BAD;
    }
    set_valid(node->column, row);
    column_set_string(node->column, row, text.ptr, text.size);
    return FITS;
}

/* Text of the current token for types that are written as text; MISFIT if it is none, or empty. */
static int take_text(JsonWalk *w, Str *text)
{
    char c = json_char(w);
    if (c != '"' && c != '\'')
        return MISFIT;
    if (json_string(w, text) < 0)
        return BAD;
    return text->size > 0 ? FITS : MISFIT;
}

static int put_decimal(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    Str text;
    char c = json_char(w);
    char plain[64];
    if (c == '"' || c == '\'') {
        int r = take_text(w, &text);
        if (r != FITS)
            return r;
        if (memchr(text.ptr, ',', text.size)) { /* as Spark: grouping commas are dropped */
            size_t size = 0;
            for (size_t i = 0; i < text.size && size < sizeof plain; i++)
                if (text.ptr[i] != ',')
                    plain[size++] = text.ptr[i];
            text = (Str){plain, size};
        }
    } else {
        text = json_token(w);
        bool integral;
        if (!value_is_number(text, d->options->allow_leading_zeros, &integral))
            return MISFIT;
    }
    __int128 value;
    if (!value_decimal(text, node->type->precision, node->type->scale, d->exact, &value))
        return MISFIT;
    set_valid(node->column, row);
    value_store_decimal(node->column->data, row, node->type->precision, value);
    w->at++;
    return FITS;
}

static int put_time(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    if (node->kind == TYPE_TIMESTAMP && is_number_start(json_char(w))) { /* as Spark: whole seconds */
        int64_t seconds;
        int r = take_integer(d, INT64_MIN / 1000000, INT64_MAX / 1000000, &seconds);
        if (r == FITS) {
            set_valid(node->column, row);
            ((int64_t *)node->column->data)[row] = seconds * 1000000;
        }
        return r;
    }
    Str text;
    int r = take_text(w, &text);
    if (r != FITS)
        return r;
    bool fits;
    int64_t us;
    int32_t days;
    if (node->kind == TYPE_DATE)
        fits = d->date_pattern ? time_pattern_date(d->date_pattern, text, &days) : value_date(text, &days);
    else if (node->kind == TYPE_TIMESTAMP)
        fits = d->timestamp_pattern ? time_pattern_timestamp(d->timestamp_pattern, text, d->zone, &us) : value_timestamp(text, d->zone, &us);
    else
        fits = d->ntz_pattern ? time_pattern_ntz(d->ntz_pattern, text, &us) : value_timestamp_ntz(text, &us);
    if (!fits)
        return MISFIT;
    set_valid(node->column, row);
    if (node->kind == TYPE_DATE)
        ((int32_t *)node->column->data)[row] = days;
    else
        ((int64_t *)node->column->data)[row] = us;
    w->at++;
    return FITS;
}

/* ---- what does not fit ---- */

static void rescue_here(JsonDecoder *d, Str name, Str raw)
{
    if (!d->rescue_wanted || d->list_depth > 0)
        return;
    d->path[d->depth] = name;
    rescue_put(&d->rescue, d->path, d->depth + 1, raw);
}

/* The shape of a place of the schema in d->unknown; NULL below maps, whose values are not widened, and when there are too many. */
static Shape *node_shape(JsonDecoder *d, Node *node)
{
    if (!node->shape) {
        Shape *outer = node->parent && node->parent->kind != TYPE_MAP ? node_shape(d, node->parent) : NULL;
        if (!node->parent)
            node->shape = &d->unknown->root;
        else if (outer)
            node->shape = node->parent->kind == TYPE_ARRAY ? shape_element(d->unknown, outer) : shape_member(d->unknown, outer, node->name);
    }
    return node->shape;
}

/* Step over the node's value from token `start` on and rescue it. */
static int give_up(JsonDecoder *d, Node *node, Str name, uint32_t start)
{
    JsonWalk *w = &d->records.walk;
    Str raw;
    w->at = start;
    if (json_skip(w, &raw) < 0)
        return BAD;
    d->misfits++;
    d->list_unclean = true;
    rescue_here(d, name, raw);
    Shape *shape = d->unknown && d->target->wider && node->kind != TYPE_MAP ? node_shape(d, node) : NULL;
    if (shape) {
        shape_note_json(d->unknown, shape, raw, d->options);
        d->has_unknown = true;
    }
    return FITS;
}

static int put_unknown(JsonDecoder *d, Node *node, Str name)
{
    JsonWalk *w = &d->records.walk;
    Str raw;
    if (name.ptr == w->scratch.ptr) { /* which skipping uses */
        str_buf_clear(&d->name);
        str_buf_str(&d->name, name);
        name = str_buf_view(&d->name);
    }
    if (json_skip(w, &raw) < 0)
        return BAD;
    if (str_is(raw, "null"))
        return FITS; /* the same as not there */
    d->unknowns++;
    d->list_unclean = true;
    rescue_here(d, name, raw);
    Shape *shape = d->unknown ? node_shape(d, node) : NULL;
    Shape *member = shape ? shape_member(d->unknown, shape, name) : NULL;
    if (member) {
        shape_note_json(d->unknown, member, raw, d->options);
        d->has_unknown = true;
    }
    return FITS;
}

/* ---- containers ---- */

static int put_object(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    uint64_t stamp = ++d->stamp;
    int set = 0;
    node->guess = 0;
    w->at++;
    if (json_char(w) == '}') {
        w->at++;
    } else {
        for (;;) {
            Str name = {0};
            int field;
            if (is_next_field(w, node)) {
                field = node->guess++;
            } else {
                if (json_walk_key(w, &name) < 0)
                    return BAD;
                w->at++;
                if (json_char(w) != ':')
                    return json_bad(w, "a colon was expected");
                w->at++;
                field = find_field(node, name);
                if (field < 0 && !d->options->case_sensitive)
                    field = find_in_any_case(node, name);
            }
            if (field < 0) {
                if (put_unknown(d, node, name) < 0)
                    return BAD;
            } else if (!node->children[field].needed) {
                if (json_skip(w, NULL) < 0)
                    return BAD;
            } else {
                Node *child = &node->children[field];
                uint32_t start = w->at;
                bool fresh = node->stamp[field] != stamp;
                int r = put_value(d, child, row);
                if (r == BAD)
                    return BAD;
                if (r == MISFIT) {
                    if (give_up(d, child, node->names[field], start) < 0)
                        return BAD;
                    if (fresh)
                        set_null(child, row); /* else the earlier value stays, as in Spark */
                }
                set += fresh;
                node->stamp[field] = stamp;
            }
            char c = json_char(w);
            w->at++;
            if (c == '}')
                break;
            if (c != ',')
                return json_bad(w, "a comma or } was expected");
        }
    }
    if (set < node->child_count)
        for (int i = 0; i < node->child_count; i++)
            if (node->stamp[i] != stamp)
                set_null(&node->children[i], row);
    return FITS;
}

/* A struct below the record: of a field it is a step of the path for rescued fields; in a list there is no path. */
static int put_struct(JsonDecoder *d, Node *node, uint64_t row)
{
    if (json_char(&d->records.walk) != '{')
        return MISFIT;
    bool deep = d->list_depth > 0 || d->depth + 2 >= RESCUE_DEPTH_MAX; /* beyond, no path is kept */
    if (!deep)
        d->path[d->depth++] = node->name;
    d->list_depth += deep;
    set_valid(node->column, row);
    int r = put_object(d, node, row);
    d->list_depth -= deep;
    if (!deep)
        d->depth--;
    return r;
}

static void list_room(Node *node)
{
    if (node->used < node->reserved)
        return;
    node->reserved = node->reserved ? node->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(node->column, node->reserved);
}

static int put_array(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    if (json_char(w) != '[')
        return MISFIT;
    Node *element = &node->children[0];
    uint64_t first = node->used;
    w->at++;
    if (json_char(w) == ']') {
        w->at++;
    } else {
        for (;;) {
            list_room(node);
            uint64_t at = node->used++;
            int r = put_value(d, element, at);
            if (r != FITS) {
                if (r == MISFIT)
                    set_null(element, at); /* nobody looks, but it must be readable */
                return r;
            }
            char c = json_char(w);
            w->at++;
            if (c == ']')
                break;
            if (c != ',')
                return json_bad(w, "a comma or ] was expected");
        }
    }
    set_valid(node->column, row);
    ((ChunkList *)node->column->data)[row] = (ChunkList){first, node->used - first};
    return FITS;
}

/* The row of the map's key column from first on that holds this key; used when there is none. */
static uint64_t find_key(const Node *node, uint64_t first, Str key)
{
    const ChunkString *keys = node->children[0].column->data;
    for (uint64_t i = first; i < node->used; i++)
        if (str_equal(chunk_string(&keys[i]), key))
            return i;
    return node->used;
}

static int put_map(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    if (json_char(w) != '{')
        return MISFIT;
    uint64_t first = node->used;
    w->at++;
    if (json_char(w) == '}') {
        w->at++;
    } else {
        for (;;) {
            Str key;
            if (json_walk_key(w, &key) < 0)
                return BAD;
            w->at++;
            if (json_char(w) != ':')
                return json_bad(w, "a colon was expected");
            list_room(node);
            uint64_t at = find_key(node, first, key); /* the last of equal keys wins */
            if (at == node->used) {
                column_set_string(node->children[0].column, at, key.ptr, key.size);
                set_valid(node->children[0].column, at);
                node->used++;
            }
            w->at++;
            int r = put_value(d, &node->children[1], at);
            if (r != FITS) {
                if (r == MISFIT)
                    set_null(&node->children[1], at);
                return r;
            }
            char c = json_char(w);
            w->at++;
            if (c == '}')
                break;
            if (c != ',')
                return json_bad(w, "a comma or } was expected");
        }
    }
    set_valid(node->column, row);
    ((ChunkList *)node->column->data)[row] = (ChunkList){first, node->used - first};
    return FITS;
}

/*
 * A list at a field: what is not taken inside of it cannot be named by a path, so the whole field's text is rescued, and the parts
 * that fit are kept.
 */
static int put_list(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    uint32_t start = w->at;
    bool outermost = d->list_depth == 0;
    if (outermost)
        d->list_unclean = false;
    d->list_depth++;
    int r = node->kind == TYPE_ARRAY ? put_array(d, node, row) : put_map(d, node, row);
    d->list_depth--;
    if (r == FITS && outermost && d->list_unclean && d->rescue_wanted) {
        uint32_t behind = w->at;
        Str raw;
        w->at = start;
        if (json_skip(w, &raw) < 0)
            return BAD;
        w->at = behind;
        rescue_here(d, node->name, raw);
    }
    return r;
}

static int put_value(JsonDecoder *d, Node *node, uint64_t row)
{
    JsonWalk *w = &d->records.walk;
    if (json_char(w) == 'n') {
        if (!str_is(json_token(w), "null"))
            return json_bad(w, "a value was expected");
        w->at++;
        set_null(node, row);
        return FITS;
    }
    Column *column = node->column;
    int64_t integer;
    double real;
    int r;
    switch (node->kind) {
    case TYPE_STRING:
        return put_string(d, node, row);
    case TYPE_LONG:
        r = take_integer(d, INT64_MIN, INT64_MAX, &integer);
        if (r == FITS) {
            ((int64_t *)column->data)[row] = integer;
            set_valid(column, row);
        }
        return r;
    case TYPE_INT:
        r = take_integer(d, INT32_MIN, INT32_MAX, &integer);
        if (r == FITS) {
            ((int32_t *)column->data)[row] = (int32_t)integer;
            set_valid(column, row);
        }
        return r;
    case TYPE_SHORT:
        r = take_integer(d, INT16_MIN, INT16_MAX, &integer);
        if (r == FITS) {
            ((int16_t *)column->data)[row] = (int16_t)integer;
            set_valid(column, row);
        }
        return r;
    case TYPE_BYTE:
        r = take_integer(d, INT8_MIN, INT8_MAX, &integer);
        if (r == FITS) {
            ((int8_t *)column->data)[row] = (int8_t)integer;
            set_valid(column, row);
        }
        return r;
    case TYPE_DOUBLE:
        r = take_float(d, false, &real);
        if (r == FITS) {
            ((double *)column->data)[row] = real;
            set_valid(column, row);
        }
        return r;
    case TYPE_FLOAT:
        r = take_float(d, true, &real);
        if (r == FITS) {
            ((float *)column->data)[row] = (float)real;
            set_valid(column, row);
        }
        return r;
    case TYPE_BOOLEAN: {
        Str token = json_token(w);
        bool value;
        if (!value_boolean(token, false, &value))
            return MISFIT;
        ((uint8_t *)column->data)[row] = value;
        set_valid(column, row);
        w->at++;
        return FITS;
    }
    case TYPE_DECIMAL:
        return put_decimal(d, node, row);
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return put_time(d, node, row);
    case TYPE_BINARY: {
        Str text;
        char c = json_char(w);
        if (c != '"' && c != '\'')
            return MISFIT;
        if (json_string(w, &text) < 0)
            return BAD;
        str_buf_clear(&d->bytes);
        if (!value_base64(text, &d->bytes))
            return MISFIT;
        set_valid(column, row);
        column_set_string(column, row, str_buf_text(&d->bytes), d->bytes.size);
        w->at++;
        return FITS;
    }
    case TYPE_STRUCT:
        return put_struct(d, node, row);
    case TYPE_ARRAY:
    case TYPE_MAP:
        return put_list(d, node, row);
    default:
        return MISFIT; /* VOID: only null fits */
    }
}

/* ---- records to rows ---- */

enum { ROW_MADE, ROW_NONE };

static int put_bad(JsonDecoder *d, const char *reason, SiltErr *err)
{
    const JsonRecords *r = &d->records;
    FormatBadRecord record = {
        .source = d->block.source,
        .position = r->position + (r->record.ptr - r->text.ptr),
        .length = d->block.unusable ? d->block.unusable_length : (int64_t)r->record.size,
        .reason = reason,
        .bytes = r->record,
    };
    record.line = format_line(&d->block, &d->lines, record.position);
    return d->sink.put ? d->sink.put(d->sink.self, &record, err) : 0;
}

static int fail_record(JsonDecoder *d, const char *reason, SiltErr *err)
{
    const JsonRecords *r = &d->records;
    silt_fail(err, SILT_INPUT, "%s, byte %lld: a record that cannot be read: %s", d->block.source_name,
              (long long)(r->position + (r->record.ptr - r->text.ptr)), reason);
    return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
}

static void set_corrupt(JsonDecoder *d, uint64_t row, bool is)
{
    if (d->target->corrupt_column < 0)
        return;
    Node *node = &d->root.children[d->target->corrupt_column];
    Str text = is ? json_records_line(&d->records) : (Str){0};
    if (!is) {
        set_null(node, row);
    } else if (utf8_valid(text)) {
        set_valid(node->column, row);
        column_set_string(node->column, row, text.ptr, text.size);
    } else {
        StrBuf repaired = {0};
        for (const char *p = text.ptr, *end = p + text.size; p < end;) {
            int size = utf8_length(p, end);
            if (size > 0)
                str_buf_add(&repaired, p, (size_t)size);
            else
                str_buf_puts(&repaired, "\xEF\xBF\xBD");
            p += size > 0 ? size : 1;
        }
        set_valid(node->column, row);
        column_set_string(node->column, row, str_buf_text(&repaired), repaired.size);
        str_buf_fini(&repaired);
    }
}

/* A record that is no JSON. ROW_MADE (PERMISSIVE), ROW_NONE, or < 0. */
static int bad_record(JsonDecoder *d, uint64_t row, SiltErr *err)
{
    const char *reason = d->records.reason ? d->records.reason : "not JSON";
    switch (d->options->mode) {
    case FORMAT_MODE_FAIL:
        return fail_record(d, reason, err);
    case FORMAT_MODE_PERMISSIVE: /* makes a row, so it is not counted as undecodable (F1) */
        d->counts.misfit_fields += d->root.child_count;
        for (int i = 0; i < d->root.child_count; i++)
            set_null(&d->root.children[i], row);
        set_corrupt(d, row, true);
        return ROW_MADE;
    default:
        d->counts.undecodable++;
        return put_bad(d, reason, err) < 0 ? -1 : ROW_NONE;
    }
}

static void start_record(JsonDecoder *d)
{
    d->misfits = d->unknowns = 0;
    d->depth = 0;
    d->list_depth = 0;
    d->list_unclean = false;
    if (d->rescue.any)
        rescue_clear(&d->rescue);
}

static int put_record(JsonDecoder *d, uint64_t row)
{
    start_record(d);
    if (json_char(&d->records.walk) != '{')
        return json_bad(&d->records.walk, "a record that is no object");
    return put_object(d, &d->root, row);
}

/* The next record into this row. ROW_MADE, ROW_NONE, or < 0; *end at the end of the block. */
static int next_row(JsonDecoder *d, uint64_t row, bool *end, SiltErr *err)
{
    JsonRecords *r = &d->records;
    switch (json_records_next(r)) {
    case JSON_RECORD_END:
        *end = true;
        return ROW_NONE;
    case JSON_RECORD_BAD:
        d->counts.records++;
        start_record(d);
        return bad_record(d, row, err);
    default:
        break;
    }
    d->counts.records++;
    while (!json_records_done(r, put_record(d, row)))
        if (!json_records_retry(r)) {
            start_record(d);
            return bad_record(d, row, err);
        }
    d->counts.misfit_fields += d->misfits;
    d->counts.unknown_fields += d->unknowns;
    if (d->misfits) {
        if (d->options->mode == FORMAT_MODE_FAIL)
            return fail_record(d, "a field that does not fit its type", err);
        if (d->options->mode == FORMAT_MODE_DROP) {
            d->counts.dropped++;
            return put_bad(d, "a field that does not fit its type", err) < 0 ? -1 : ROW_NONE;
        }
    }
    set_corrupt(d, row, d->misfits > 0);
    return ROW_MADE;
}

static void put_rescued(JsonDecoder *d, uint64_t row)
{
    Column *column = chunk_column_mut(d->chunk, d->target->rescued_column);
    if (d->rescue.any) {
        Str text = rescue_finish(&d->rescue, d->block.source_name);
        set_valid(column, row);
        column_set_string(column, row, text.ptr, text.size);
    } else {
        column_set_null(column, row);
    }
}

/* ---- FormatOps ---- */

int json_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    Arena *arena = arena_new();
    JsonDecoder *d = ARENA_NEW(arena, JsonDecoder);
    d->arena = arena;
    d->options = options;
    d->target = target;
    if (sink)
        d->sink = *sink;
    int r = node_init(d, &d->root, target->schema, err);
    if (r == 0) {
        d->zone = zone_find(str_of(options->time_zone ? options->time_zone : "UTC"));
        if (!d->zone)
            r = silt_fail(err, SILT_CONFIG, "unknown time zone \"%s\"", options->time_zone);
    }
    if (r == 0)
        r = time_patterns_of(options, arena, &d->date_pattern, &d->timestamp_pattern, &d->ntz_pattern, err);
    if (r < 0) {
        arena_free(arena);
        return r;
    }
    for (int i = 0; target->needed && i < d->root.child_count; i++)
        d->root.children[i].needed = target->needed[i];
    if (target->corrupt_column >= 0)
        d->root.children[target->corrupt_column].needed = false;
    d->rescue_wanted = target->rescued_column >= 0;
    d->exact = d->rescue_wanted;
    if (target->collect_unknown)
        d->unknown = inference_new();
    json_records_init(&d->records, options);
    *out = (FormatDecoder *)d;
    return 0;
}

void json_decoder_free(FormatDecoder *decoder)
{
    JsonDecoder *d = (JsonDecoder *)decoder;
    if (!d)
        return;
    json_records_fini(&d->records);
    rescue_fini(&d->rescue);
    str_buf_fini(&d->bytes);
    str_buf_fini(&d->name);
    inference_free(d->unknown);
    chunk_unref(d->chunk);
    arena_free(d->arena);
}

void json_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    JsonDecoder *d = (JsonDecoder *)decoder;
    d->block = *block;
    d->lines = (FormatLines){0};
    if (!block->unusable)
        json_records_begin(&d->records, block);
}

/* A block that is one bad record. */
static int unusable_block(JsonDecoder *d, SiltErr *err)
{
    JsonRecords *r = &d->records;
    r->text = r->record = (Str){d->block.ptr, d->block.size};
    r->position = d->block.position;
    r->reason = d->block.unusable;
    d->counts.records++;
    start_record(d);
    int made = bad_record(d, 0, err);
    d->block.unusable = NULL;
    d->block.size = 0;
    json_records_begin(r, &d->block);
    return made;
}

int json_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    JsonDecoder *d = (JsonDecoder *)decoder;
    *out = NULL;
    *rows = 0;
    if (!d->chunk) { /* else the one that the last block left empty */
        d->chunk = chunk_new(d->target->types, d->target->column_count);
        for (int i = 0; i < d->root.child_count; i++)
            node_bind(&d->root.children[i], chunk_column_mut(d->chunk, i));
    }
    ChunkOrigin *origins = chunk_origins_mut(d->chunk);
    uint64_t row = 0;
    bool end = false;
    while (row < CHUNK_ROWS_MAX && !end) {
        int made = d->block.unusable ? unusable_block(d, err) : next_row(d, row, &end, err);
        if (made < 0) {
            chunk_unrefp(&d->chunk);
            return -1;
        }
        if (made == ROW_NONE)
            continue;
        origins[row].source = d->block.source;
        origins[row].position = d->records.position + (d->records.record.ptr - d->records.text.ptr);
        if (d->rescue_wanted)
            put_rescued(d, row);
        row++;
    }
    d->counts.repaired = d->records.walk.repaired;
    if (row == 0)
        return 0;
    for (int i = 0; i < d->root.child_count; i++) {
        Node *node = &d->root.children[i];
        node_settle(node);
        if (!node->needed && i != d->target->corrupt_column)
            for (uint64_t at = 0; at < row; at++)
                set_null(node, at);
    }
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *json_decoder_counts(const FormatDecoder *decoder)
{
    return &((const JsonDecoder *)decoder)->counts;
}

const FormatInference *json_decoder_unknown(const FormatDecoder *decoder)
{
    const JsonDecoder *d = (const JsonDecoder *)decoder;
    return d->has_unknown ? d->unknown : NULL;
}
