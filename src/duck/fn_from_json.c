/*
 * duck/fn_from_json.c - from_json, as Spark reads JSON: "silt_from_json:<type>"(text, options..., pos); options: names and values by turns, constants
 *
 * As Spark's reader by default: names and strings may stand in single quotes, NaN and Infinity are numbers, what follows the first value
 * is ignored. A field that does not fit its type is NULL, and the others stay.
 *
 * The members of a record go straight into the columns of its struct, one after the other; only arrays, maps and the like become trees before.
 *
 *   R1  A record read this way gives what the tree of the whole would: the same reader takes the text, and json_put_value() or a shorter way to the same
 *       value takes what it has read. Of equal names the last one that fits counts.
 *   R2  Where a record is no JSON all its fields are NULL, but for one case, which is how Spark's parser stumbles: where a value is missing or no value
 *       behind a name inside of an object that a field takes, the record ends there, and the fields before keep what they have.
 *   R3  The bytes of CAST(binary AS STRING) are read as they are ("silt_from_json_bytes:<type>"); only where they are no UTF-8 is a text made.
 */
#include "duck/column_put.h"
#include "duck/fn_text.h"
#include "duck/json_put.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <string.h>

/* ---- the usual values, in a few instructions each. False: nothing was read or put, and json_put_value() knows what it is ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A whole number of at most 18 digits. */
static bool quick_integer(NodeReader *r, int64_t min, int64_t max, int64_t *out)
{
    const char *p = r->at + (*r->at == '-'), *digits = p;
    int64_t value = 0;

    while (p < r->end && is_digit(*p) && p - digits < 18)
        value = value * 10 + (*p++ - '0');
    value = *r->at == '-' ? -value : value;
    if (p == digits || p == r->end || is_digit(*p) || *p == '.' || (*p | 0x20) == 'e' || (*digits == '0' && p - digits > 1) || value < min || value > max)
        return false;
    r->at = p;
    *out = value;
    return true;
}

/* A number of at most 15 digits without an exponent: one correctly rounded division gives the nearest double. */
static bool quick_double(NodeReader *r, double *out)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { DIGITS_MAX = 15 };
    const char *p = r->at + (*r->at == '-'), *digits = p, *fraction = NULL;
    int64_t value = 0;
    int count = 0, places = 0;

    for (; p < r->end && count <= DIGITS_MAX; p++) {
        if (*p == '.' && !fraction && p > digits) {
            fraction = p + 1;
        } else if (is_digit(*p)) {
            value = value * 10 + (*p - '0');
            count++;
        } else {
            break;
        }
    }
    if (!count || count > DIGITS_MAX || p == r->end || p == fraction || *p == '.' || (*p | 0x20) == 'e' || (*digits == '0' && p - digits > 1 && digits[1] != '.'))
        return false;
    places = fraction ? (int)(p - fraction) : 0;
    *out = *r->at == '-' ? -((double)value / powers[places]) : (double)value / powers[places];
    r->at = p;
    return true;
}

/* A text in double quotes without escapes: *end is at the quote behind it. */
static bool quick_text(const NodeReader *r, const char **end)
{
    *end = *r->at == '"' ? node_text_end(r, r->at + 1, '"') : r->end;
    return *end < r->end && **end == '"';
}

static bool quick_word(NodeReader *r, const char *word, size_t size)
{
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

static bool put_quick(const JsonPut *c, NodeReader *r, Column *out, uint64_t row)
{
    const char *from = r->at + 1, *end;
    int64_t value;
    size_t size;

    if (r->at == r->end)
        return false;
    switch (out->type->kind) {
    case TYPE_STRING:
        if (!quick_text(r, &end))
            return false;
        size = (size_t)(end - from);
        if (r->end - end >= CHUNK_TEXT_SLACK)
            column_set_text(out, row, from, size);
        else
            column_set_string(out, row, from, size);
        r->at = end + 1;
        return true;
    case TYPE_LONG:
        return quick_integer(r, INT64_MIN, INT64_MAX, (int64_t *)out->data + row);
    case TYPE_INT:
        if (!quick_integer(r, INT32_MIN, INT32_MAX, &value))
            return false;
        ((int32_t *)out->data)[row] = (int32_t)value;
        return true;
    case TYPE_SHORT:
        if (!quick_integer(r, INT16_MIN, INT16_MAX, &value))
            return false;
        ((int16_t *)out->data)[row] = (int16_t)value;
        return true;
    case TYPE_DOUBLE:
        return quick_double(r, (double *)out->data + row);
    case TYPE_BOOLEAN: {
        bool yes = quick_word(r, "true", 4);

        if (!yes && !quick_word(r, "false", 5))
            return false;
        ((uint8_t *)out->data)[row] = yes;
        return true;
    }
    case TYPE_TIMESTAMP:
        if (c->json->timestamp || !quick_text(r, &end) || !parse_utc((Str){from, (size_t)(end - from)}, (int64_t *)out->data + row))
            return false;
        r->at = end + 1;
        return true;
    default:
        return false;
    }
}

/* ---- records ---- */

typedef struct Record {
    JsonPut put;
    NodeReader reader;
    uint64_t stamp; /* of the last object */
} Record;

typedef enum Walk { WALKED, MALFORMED, CUT } Walk; /* CUT: R2, inside of the object that the value is */

/* Fields mostly come in the schema's order: `next` is tried first. -1: the schema has no such field. */
static int find_field(const JsonFill *fill, int count, int next, Str name)
{
    if (next < count && !fill->children[next].hidden && str_equal(fill->children[next].name, name))
        return next;
    for (int i = count - 1; i >= 0; i--)
        if (str_equal(fill->children[i].name, name))
            return i;
    return -1;
}

static bool skip_byte(NodeReader *r, char c)
{
    node_skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static Walk walk_members(Record *record, Column *out, JsonFill *fill, uint64_t row);

/* The object at the reader, into a row of the struct. MALFORMED, and CUT in an inner object: the row holds anything. */
static Walk walk_object(Record *record, Column *out, JsonFill *fill, uint64_t row)
{
    NodeReader *r = &record->reader;
    uint64_t stamp = ++record->stamp;

    if (r->depth >= NODE_DEPTH_MAX)
        return MALFORMED;
    r->depth++;
    r->at++;
    Walk walk = skip_byte(r, '}') ? WALKED : walk_members(record, out, fill, row);

    r->depth--;
    for (int i = 0; walk == WALKED && i < out->child_count; i++)
        if (fill->children[i].stamp != stamp)
            column_set_null(&out->children[i], row);
    return walk;
}

/* Why could the value of a member not be read? field NULL: the schema does not have it. */
static Walk failure(const NodeReader *r, const Column *field)
{
    TypeKind kind = field ? field->type->kind : TYPE_STRUCT;
    bool whole = kind == TYPE_STRING || !field; /* whatever is inside of it is passed over, or copied */

    if (r->depth == 1)
        return field && !r->odd && ((whole && r->cut) || (kind == TYPE_MAP && r->cut == 2)) ? CUT : MALFORMED;
    return r->depth == 2 && (r->odd || (whole && r->cut)) ? CUT : MALFORMED;
}

/* A field's value. A value that does not fit leaves the one that the same name had before. */
static Walk walk_value(Record *record, Column *field, JsonFill *fill, uint64_t row)
{
    NodeReader *r = &record->reader;
    const char *from = r->at;
    bool fits = true;
    Walk walk = WALKED;

    if (field->type->kind == TYPE_STRUCT && r->at < r->end && *r->at == '{') {
        walk = walk_object(record, field, fill, row);
    } else if (!put_quick(&record->put, r, field, row)) {
        Node node = {0};

        if (node_read_next(r, &node))
            fits = json_put_value(&record->put, field, fill, row, &node);
        else
            walk = failure(r, field);
    }
    if (walk == WALKED && fits) {
        fill->value = from;
    } else if (walk != MALFORMED && fill->value) {
        Node before = {0};
        NodeReader again = *r;

        again.at = fill->value;
        json_put_again(field, row);
        if (node_read_next(&again, &before))
            json_put_value(&record->put, field, fill, row, &before);
    } else if (walk == CUT) {
        column_set_null(field, row);
    }
    return walk;
}

/* From the first name to the brace that closes the object, which is the last one that was begun. */
static Walk walk_members(Record *record, Column *out, JsonFill *fill, uint64_t row)
{
    NodeReader *r = &record->reader;
    const uint64_t stamp = record->stamp;
    int next = 0;

    do {
        Str name;
        Walk walk = WALKED;

        node_skip_blanks(r);
        if (!node_read_name(r, &name))
            return MALFORMED;
        if (!skip_byte(r, ':'))
            return r->depth == 2 ? CUT : MALFORMED;
        node_skip_blanks(r);
        int at = find_field(fill, out->child_count, next, name);

        if (at < 0) {
            Node node = {0};

            walk = node_read_next(r, &node) ? WALKED : failure(r, NULL);
        } else {
            JsonFill *field = &fill->children[at];

            if (field->stamp == stamp)
                json_put_again(&out->children[at], row);
            else
                field->value = NULL;
            field->stamp = stamp;
            next = at + 1;
            walk = walk_value(record, &out->children[at], field, row);
        }
        if (walk == CUT && r->depth == 1) {
            record->put.bad = true;
            return WALKED;
        }
        if (walk != WALKED)
            return walk;
    } while (skip_byte(r, ','));
    return skip_byte(r, '}') ? WALKED : MALFORMED;
}

/* False: the text is no JSON, or not what the type is made of, and the row holds anything. */
static bool put_record(Record *record, Column *out, JsonFill *fill, uint64_t row)
{
    NodeReader *r = &record->reader;
    bool is_struct = out->type->kind == TYPE_STRUCT;

    if (is_struct && r->at < r->end && *r->at == '{')
        return walk_object(record, out, fill, row) == WALKED;
    Node *node = node_read(r->arena, (Str){r->at, (size_t)(r->end - r->at)}, r->flags), one = {.kind = NODE_ARRAY, .items = &node, .count = 1};

    if (!node || is_struct)
        return false;
    bool alone = node->kind == NODE_OBJECT && out->type->kind == TYPE_ARRAY && out->type->element->kind == TYPE_STRUCT;

    json_put_value(&record->put, out, fill, row, alone ? &one : node);
    return true;
}

/* The field that takes records that do not fit. -1: none. */
static int corrupt_field(const Type *type, Str name)
{
    for (int i = 0; type->kind == TYPE_STRUCT && name.size && i < type->field_count; i++)
        if (str_is(name, type->fields[i].name))
            return i;
    return -1;
}

/* What the argument says in this row: R3. Borrowed from it, or from call->scratch. */
static Str record_text(FnCall *call, const Column *arg, int row)
{
    Str text = text_at(arg, row);

    if (arg->type->kind != TYPE_BINARY || utf8_valid(text))
        return text;
    str_buf_clear(call->scratch);
    value_print(call->scratch, arg, (uint64_t)row, NULL);
    return str_buf_view(call->scratch);
}

static int from_json(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const FnJson *json = call->data;
    const JsonStyle *style = &json->style;
    Record record = {.put = {.json = json, .zone = fn_json_zone(call, json, &err)}};
    const int corrupt = corrupt_field(out->type, style->corrupt);

    if (!record.put.zone)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    silt_auto(arena_freep) Arena *arena = arena_new(), *fills = arena_new();
    JsonFill *fill = json_fill_new(fills, out);

    FN_ROWS(row, out, rows) {
        Str text = record_text(call, &args[0], row);

        record.put.bad = false;
        arena_reset(arena);
        record.reader = (NodeReader){.arena = arena, .at = text.ptr, .end = text.ptr + text.size, .flags = style->reading};
        node_skip_blanks(&record.reader);
        if (record.reader.at == record.reader.end) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        bool taken = put_record(&record, out, fill, (uint64_t)row), bad = record.put.bad || !taken;

        if (bad && style->fail_fast)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "this JSON does not fit the schema: %.*s", FN_SHOW(text));
        if (!taken && out->type->kind != TYPE_STRUCT)
            column_set_null(out, (uint64_t)row);
        for (int i = 0; !taken && out->type->kind == TYPE_STRUCT && i < out->child_count; i++)
            column_set_null(&out->children[i], (uint64_t)row);
        if (corrupt >= 0 && bad) {
            column_set_valid(&out->children[corrupt], (uint64_t)row);
            column_set_string(&out->children[corrupt], (uint64_t)row, text.ptr, text.size);
        } else if (corrupt >= 0) {
            column_set_null(&out->children[corrupt], (uint64_t)row);
        }
    }
    return 0;
}

static int prepare_from_json(FnCall *call, SiltErr *err)
{
    FnJson *json = ARENA_NEW(call->arena, FnJson);

    call->data = json;
    SILT_TRY(fn_json_options(call, true, json, err));
    json->style.reading |= NODE_HALF_PAIRS;
    return 0;
}

const DuckFunction fn_from_json[] = {
    {.name = "silt_from_json", .args = "string, any...", .flags = FN_FAILS, .eval = from_json, .prepare = prepare_from_json},
    {.name = "silt_from_json_bytes", .args = "binary, any...", .flags = FN_FAILS, .eval = from_json, .prepare = prepare_from_json},
    {0},
};
