/*
 * duck/fn_json.c - from_json and to_json, as Spark reads and writes JSON
 *
 * As Spark's reader by default: names and strings may stand in single quotes, NaN and Infinity are numbers, what follows the first value
 * is ignored. A field that does not fit its type is NULL, and the others stay.
 */
#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/java_time.h"
#include "duck/json_style.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/render.h"
#include "duck/variant_writer.h"
#include "duck/zone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from_json: "silt_from_json:<type>"(text, options..., pos); options: names and values by turns, constants ---- */

/* What the options say. */
typedef struct Json {
    JsonStyle style;
    const Zone *zone;                                 /* NULL: the session's */
    const JavaTime *timestamp, *timestamp_ntz, *date; /* NULL: as CAST reads; to_json: ISO 8601 */
} Json;

/* The options from argument 1 on, into call->data. */
static int take_options(FnCall *call, bool reading, SiltErr *err)
{
    Json *json = ARENA_NEW(call->arena, Json);
    const JsonStyle *style = &json->style;

    json_style_init(&json->style);
    for (int i = 1; i + 1 < call->arg_count; i += 2) {
        const Column *name = &call->constants[i], *value = &call->constants[i + 1];

        if (!name->type || !value->type || column_is_null(name, 0) || column_is_null(value, 0))
            return silt_fail(err, SILT_CONFIG, "the options of JSON must be constants");
        SILT_TRY(json_style_set(&json->style, text_at(name, 0), arena_str(call->arena, text_at(value, 0)), err));
    }
    if (style->time_zone.size && !(json->zone = duck__zone_by_name(style->time_zone, err)))
        return -1;
    if (style->timestamp_format.size)
        SILT_TRY(java_time_new(call->arena, style->timestamp_format, reading, &json->timestamp, err));
    if (style->ntz_format.size)
        SILT_TRY(java_time_new(call->arena, style->ntz_format, reading, &json->timestamp_ntz, err));
    if (style->date_format.size)
        SILT_TRY(java_time_new(call->arena, style->date_format, reading, &json->date, err));
    call->data = json;
    return 0;
}

static const Zone *zone_of(FnCall *call, SiltErr *err)
{
    const Json *json = call->data;

    return json->zone ? json->zone : duck__session_zone(call->session, err);
}

/* Rows used so far in the children of each list below a column, and the names of a struct's fields. */
typedef struct Fill {
    uint64_t used;
    Str name; /* of the field that it is; empty where it is none */
    struct Fill *children;
} Fill;

typedef struct Convert {
    FnCall *call;
    const Json *json;
    const Zone *zone;
    Arena *arena; /* of the row */
    bool bad;     /* something did not fit */
} Convert;

static Fill *fill_new(Arena *arena, const Column *column)
{
    Fill *fill = ARENA_ARRAY(arena, Fill, 1);

    if (column->child_count) {
        fill->children = ARENA_ARRAY(arena, Fill, column->child_count);
        for (int i = 0; i < column->child_count; i++) {
            fill->children[i] = *fill_new(arena, &column->children[i]);
            if (column->type->kind == TYPE_STRUCT)
                fill->children[i].name = str_of(column->type->fields[i].name);
        }
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

static bool put_floating(const Convert *c, Column *out, uint64_t row, const Node *node)
{
    char text[64];
    double value;

    if (node->kind != NODE_NUMBER && !(node->kind == NODE_STRING && c->json->style.reading & NODE_NON_NUMBERS && is_special(node->text)))
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
    const JavaTime *format = date ? c->json->date : out->type->kind == TYPE_TIMESTAMP ? c->json->timestamp : c->json->timestamp_ntz;
    Str zone_text = {0};
    ParsedTimestamp parsed;
    JavaTimeParts parts = {0};
    size_t at;
    int32_t days;

    if (node->kind == NODE_NUMBER && out->type->kind == TYPE_TIMESTAMP && str_to_int64(node->text, &seconds))
        return !__builtin_mul_overflow(seconds, (int64_t)1000000, &((int64_t *)out->data)[row]);
    if (node->kind != NODE_STRING)
        return false;
    bool formatted = format && !java_time_parse(format, node->text, &parts, &at);

    if (format && !formatted && !c->json->style.fallback)
        return false;
    if (formatted) {
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
        if (parsed.zone.size && out->type->kind == TYPE_TIMESTAMP_NTZ)
            return false; /* what it says would be lost */
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
        us = formatted && parts.has_offset ? us - (int64_t)parts.offset_seconds * 1000000 : zone_to_utc_us(zone, us);
    }
    ((int64_t *)out->data)[row] = us;
    return true;
}

/* Base64 with its padding, nothing between. False: it is none. */
static bool read_base64(Str text, StrBuf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    if (text.size % 4)
        return false;
    for (size_t i = 0; i < text.size; i += 4) {
        const char *four = text.ptr + i;
        bool last = i + 4 == text.size;
        int padding = !last || four[3] != '=' ? 0 : four[2] == '=' ? 2 : 1;
        uint32_t bits = 0;

        for (int k = 0; k < 4; k++) {
            const char *digit = k < 4 - padding && four[k] ? strchr(digits, four[k]) : NULL;

            if (k < 4 - padding && !digit)
                return false;
            bits = bits << 6 | (digit ? (uint32_t)(digit - digits) : 0);
        }
        for (int k = 0; k < 3 - padding; k++)
            str_buf_putc(out, (char)(bits >> (16 - 8 * k)));
    }
    return true;
}

static bool put_bytes(Column *out, uint64_t row, const Node *node)
{
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (node->kind != NODE_STRING || !read_base64(node->text, &bytes))
        return false;
    column_set_string(out, row, str_buf_text(&bytes), bytes.size);
    return true;
}

/* Commas that part thousands in a text are left out, as in en-US. */
static bool put_decimal(Column *out, uint64_t row, const Node *node)
{
    silt_auto(str_buf_fini) StrBuf plain = {0};
    __int128 value;

    if ((node->kind != NODE_NUMBER && node->kind != NODE_STRING) || is_special(node->text))
        return false;
    for (size_t i = 0; i < node->text.size; i++)
        if (node->text.ptr[i] != ',')
            str_buf_putc(&plain, node->text.ptr[i]);
    if (parse_decimal(str_buf_view(&plain), out->type->precision, out->type->scale, &value) != 0)
        return false;
    decimal_put(out, row, value);
    return true;
}

static bool put_variant(Column *out, uint64_t row, const Node *node)
{
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    silt_auto(str_buf_fini) StrBuf metadata = {0};

    if (variant_put_json(&writer, node) != VARIANT_TAKEN)
        return false;
    variant_writer_metadata(&writer, &metadata);
    column_set_string(&out->children[0], row, str_buf_text(&metadata), metadata.size);
    column_set_string(&out->children[1], row, str_buf_text(&writer.value), writer.value.size);
    return true;
}

/* False: the value does not fit and is NULL. Where only a field of a struct somewhere in it does not, that field is, and the value is kept. */
static bool put_value(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node);

/* One element that does not fit costs the whole list. */
static bool put_list(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node)
{
    bool map = out->type->kind == TYPE_MAP;
    uint64_t start = fill->used, count = 0;

    if (node->kind != (map ? NODE_OBJECT : NODE_ARRAY))
        return false;
    fill->used += (uint64_t)node->count;
    column_list_reserve(out, fill->used);
    bool ok = true;
    for (int i = 0; i < node->count && ok; i++) {
        if (map) {
            bool again = false; /* of equal names the last one counts */

            for (int k = i + 1; k < node->count; k++)
                again = again || str_equal(node->keys[i], node->keys[k]);
            if (again)
                continue;
            Node key = {.kind = NODE_STRING, .text = node->keys[i]};

            put_value(c, &out->children[0], &fill->children[0], start + count, &key);
        }
        ok = put_value(c, &out->children[map], &fill->children[map], start + count, node->items[i]);
        count++;
    }
    fill->used = start + count;
    ((ChunkList *)out->data)[row] = (ChunkList){start, count};
    return ok;
}

static bool put_struct(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node)
{
    if (node->kind != NODE_OBJECT)
        return false;
    for (int i = 0; i < out->child_count; i++) {
        const Node *field = node_member(node, fill->children[i].name);

        if (field)
            put_value(c, &out->children[i], &fill->children[i], row, field);
        else
            column_set_null(&out->children[i], row);
    }
    return true;
}

static bool put_value(Convert *c, Column *out, Fill *fill, uint64_t row, const Node *node)
{
    bool ok = false;

    if (node->kind == NODE_NULL && out->type->kind != TYPE_VARIANT) { /* a VARIANT holds the null */
        column_set_null(out, row);
        return true;
    }
    switch (out->type->kind) {
    case TYPE_VARIANT:
        ok = put_variant(out, row, node);
        break;
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
        ok = put_floating(c, out, row, node);
        break;
    case TYPE_DECIMAL:
        ok = put_decimal(out, row, node);
        break;
    case TYPE_BINARY:
        ok = put_bytes(out, row, node);
        break;
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        ok = node->kind == NODE_STRING && parse_interval_put(node->text, out, row);
        break;
    case TYPE_STRING:
        ok = true;
        if (node->kind == NODE_STRING) {
            column_set_string(out, row, node->text.ptr ? node->text.ptr : "", node->text.size);
        } else {
            silt_auto(str_buf_fini) StrBuf text = {0};

            node_put(&text, node);
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
    return ok;
}

static int from_json(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const JsonStyle *style = &((const Json *)call->data)->style;
    Convert c = {.call = call, .json = call->data, .zone = zone_of(call, &err)};
    Arena *arena = c.arena = arena_new(), *fills = arena_new();
    Fill *fill = fill_new(fills, out);
    int result = 0;

    if (!c.zone)
        result = fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    for (int row = 0; row < rows && !result; row++) {
        if (column_is_null(out, (uint64_t)row))
            continue;
        Str text = text_at(&args[0], row), corrupt = style->corrupt;

        c.bad = false;
        if (!str_trim(text).size) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        arena_reset(arena);
        Node *node = node_read(arena, text, style->reading), one = {.kind = NODE_ARRAY, .items = &node, .count = 1};
        bool is_struct = out->type->kind == TYPE_STRUCT;

        if (node && node->kind == NODE_OBJECT && out->type->kind == TYPE_ARRAY && out->type->element->kind == TYPE_STRUCT)
            put_value(&c, out, fill, (uint64_t)row, &one);
        else if (node && (!is_struct || node->kind == NODE_OBJECT))
            put_value(&c, out, fill, (uint64_t)row, node);
        else
            c.bad = true;
        if (c.bad && style->fail_fast)
            result = fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "this JSON does not fit the schema: %.*s", FN_SHOW(text));
        if (!node || (is_struct && node->kind != NODE_OBJECT)) {
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

static int prepare_from_json(FnCall *call, SiltErr *err)
{
    return take_options(call, true, err);
}

/* ---- to_json(value, options...) ---- */

/* "2026-01-02T03:04:05.678Z": milliseconds, cut off; without a zone no offset */
static void put_time_text(StrBuf *out, int64_t us, const Zone *zone)
{
    int32_t offset = zone ? zone_offset_seconds(zone, us) : 0, size = offset < 0 ? -offset : offset;
    int64_t day, rest = calendar_split(zone ? zone_to_local_us(zone, us) : us, &day) / 1000;
    silt_auto(str_buf_fini) StrBuf date = {0};

    print_date(&date, day);
    str_buf_printf(out, "\"%sT%02d:%02d:%02d.%03d", str_buf_text(&date), (int)(rest / 3600000), (int)(rest / 60000 % 60), (int)(rest / 1000 % 60),
                   (int)(rest % 1000));
    if (zone && !offset)
        str_buf_putc(out, 'Z');
    else if (zone)
        str_buf_printf(out, size % 60 ? "%c%02d:%02d:%02d" : "%c%02d:%02d", offset < 0 ? '-' : '+', size / 3600, size / 60 % 60, size % 60);
    str_buf_putc(out, '"');
}

/* By the user's format. Names of zones (letter z) other than UTC were refused in prepare. */
static void put_formatted(StrBuf *out, const JavaTime *format, int64_t us, const Zone *zone)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    java_time_format(&text, format, zone ? zone_to_local_us(zone, us) : us, zone ? zone_offset_seconds(zone, us) : 0, "UTC");
    node_put_text(out, str_buf_view(&text));
}

/* Quoted; with `ascii` all other characters as \\uXXXX. */
static void put_text(StrBuf *out, const JsonStyle *style, Str text)
{
    silt_auto(str_buf_fini) StrBuf quoted = {0};

    node_put_text(&quoted, text);
    Str all = str_buf_view(&quoted);

    for (size_t i = 0; i < all.size;) {
        int size;
        uint32_t code = utf8_get(all.ptr + i, &size);

        if (!style->ascii || code < 0x80)
            str_buf_add(out, all.ptr + i, (size_t)size);
        else if (code < 0x10000)
            str_buf_printf(out, "\\u%04X", code);
        else
            str_buf_printf(out, "\\u%04X\\u%04X", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF));
        i += (size_t)size;
    }
}

/* The name before a value. */
static void put_name(StrBuf *out, const JsonStyle *style, Str name)
{
    put_text(out, style, name);
    str_buf_puts(out, style->pretty ? " : " : ":");
}

/* Where a member of an object stands: on a line of its own, if pretty. */
static void put_line(StrBuf *out, const JsonStyle *style, int depth)
{
    if (!style->pretty)
        return;
    str_buf_putc(out, '\n');
    for (int i = 0; i < depth; i++)
        str_buf_puts(out, "  ");
}

typedef struct JsonOut {
    StrBuf *out;
    const Json *json;
    const Zone *zone;
    int depth; /* of objects */
} JsonOut;

static void put_json(JsonOut *o, const Column *column, uint64_t row);

static void put_struct_json(JsonOut *o, const Column *column, uint64_t row)
{
    const JsonStyle *style = &o->json->style;
    bool any = false;

    str_buf_putc(o->out, '{');
    o->depth++;
    for (int i = 0; i < column->child_count; i++) {
        const Column *child = &column->children[i];

        if (style->drop_nulls && (child->type->kind == TYPE_VOID || column_is_null(child, row)))
            continue;
        if (any)
            str_buf_putc(o->out, ',');
        any = true;
        put_line(o->out, style, o->depth);
        put_name(o->out, style, str_of(column->type->fields[i].name));
        put_json(o, child, row);
    }
    o->depth--;
    if (any)
        put_line(o->out, style, o->depth);
    str_buf_puts(o->out, any || !style->pretty ? "}" : " }");
}

static void put_map_json(JsonOut *o, const Column *column, uint64_t row)
{
    const JsonStyle *style = &o->json->style;
    ChunkList list = ((const ChunkList *)column->data)[row];

    str_buf_putc(o->out, '{');
    o->depth++;
    for (uint64_t n = list.offset; n < list.offset + list.length; n++) {
        silt_auto(str_buf_fini) StrBuf key = {0};

        if (n > list.offset)
            str_buf_putc(o->out, ',');
        put_line(o->out, style, o->depth);
        print_java_object(&key, &column->children[0], n);
        put_name(o->out, style, str_buf_view(&key));
        put_json(o, &column->children[1], n);
    }
    o->depth--;
    if (list.length)
        put_line(o->out, style, o->depth);
    str_buf_puts(o->out, list.length || !style->pretty ? "}" : " }");
}

/* Elements stay on one line also when pretty. */
static void put_array_json(JsonOut *o, const Column *column, uint64_t row)
{
    bool pretty = o->json->style.pretty;
    ChunkList list = ((const ChunkList *)column->data)[row];

    str_buf_putc(o->out, '[');
    for (uint64_t n = list.offset; n < list.offset + list.length; n++) {
        if (n > list.offset)
            str_buf_putc(o->out, ',');
        if (pretty)
            str_buf_putc(o->out, ' ');
        put_json(o, &column->children[0], n);
    }
    str_buf_puts(o->out, pretty ? " ]" : "]");
}

static void put_time_json(JsonOut *o, const Column *column, uint64_t row)
{
    TypeKind kind = column->type->kind;
    const JavaTime *format = kind == TYPE_DATE ? o->json->date : kind == TYPE_TIMESTAMP ? o->json->timestamp : o->json->timestamp_ntz;
    const Zone *zone = kind == TYPE_TIMESTAMP ? o->zone : NULL;
    int64_t us = kind == TYPE_DATE ? ((const int32_t *)column->data)[row] * DAY_US : ((const int64_t *)column->data)[row];

    if (format)
        put_formatted(o->out, format, us, zone);
    else
        put_time_text(o->out, us, zone);
}

static void put_json(JsonOut *o, const Column *column, uint64_t row)
{
    const JsonStyle *style = &o->json->style;
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (column->type->kind == TYPE_VOID || column_is_null(column, row)) {
        str_buf_puts(o->out, "null");
        return;
    }
    if (type_is_variant_parts(column->type)) { /* DuckDB knows a VARIANT by its two parts only */
        Column variant = *column;

        variant.type = type_simple(TYPE_VARIANT);
        render_json(o->out, &variant, row, o->zone);
        return;
    }
    switch (column->type->kind) {
    case TYPE_STRUCT:
        put_struct_json(o, column, row);
        return;
    case TYPE_MAP:
        put_map_json(o, column, row);
        return;
    case TYPE_ARRAY:
        put_array_json(o, column, row);
        return;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        value_print(&text, column, row, o->zone);
        if (strpbrk(str_buf_text(&text), "NIn"))
            put_text(o->out, style, str_buf_view(&text));
        else
            str_buf_str(o->out, str_buf_view(&text));
        return;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        put_time_json(o, column, row);
        return;
    case TYPE_BINARY:
        render_base64(o->out, chunk_string((const ChunkString *)column->data + row));
        return;
    case TYPE_VARIANT:
        render_json(o->out, column, row, o->zone);
        return;
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_DECIMAL:
        value_print(o->out, column, row, o->zone);
        return;
    default:
        if (column->type->kind == TYPE_DATE && o->json->date) {
            put_time_json(o, column, row);
            return;
        }
        value_print(&text, column, row, o->zone);
        put_text(o->out, style, str_buf_view(&text));
    }
}

static int prepare_to_json(FnCall *call, SiltErr *err)
{
    SILT_TRY(take_options(call, false, err));
    Str format = ((const Json *)call->data)->style.timestamp_format;

    if (memchr(format.ptr, 'z', format.size) || memchr(format.ptr, 'V', format.size))
        return silt_fail(err, SILT_CONFIG, "to_json does not write names of time zones (pattern letters z and V)");
    return 0;
}

static int to_json(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    JsonOut o = {.out = call->scratch, .json = call->data, .zone = zone_of(call, &err)};

    if (!o.zone)
        return fn_fail(call, 0, "INVALID_TIMEZONE", "%s", err.message);
    FN_ROWS(row, out, rows) {
        str_buf_clear(call->scratch);
        put_json(&o, &args[0], (uint64_t)row);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_json[] = {
    {.name = "silt_from_json", .args = "string, any...", .flags = FN_FAILS, .eval = from_json, .prepare = prepare_from_json},
    {.name = "silt_to_json", .args = "any, any...", .result = "string", .flags = FN_VOLATILE, .eval = to_json, .prepare = prepare_to_json},
    {0},
};
