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
#include "duck/json_node.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/render.h"
#include "duck/variant_writer.h"
#include "duck/zone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from_json: "silt_from_json:<type>"(text, mode, corrupt column, timestamp format, date format, NodeFlags, pos) ---- */

/* Rows used so far in the children of each list below a column, and the names of a struct's fields. */
typedef struct Fill {
    uint64_t used;
    Str name; /* of the field that it is; empty where it is none */
    struct Fill *children;
} Fill;

typedef struct Convert {
    FnCall *call;
    const Zone *zone;
    const JavaTime *timestamp_format, *date_format; /* NULL: as CAST reads */
    Arena *arena; /* of the row */
    bool non_numbers; /* "NaN" and the like are numbers in quotes too */
    bool bad;         /* something did not fit */
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

    if (node->kind != NODE_NUMBER && !(node->kind == NODE_STRING && c->non_numbers && is_special(node->text)))
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
        us = parts.has_offset ? us - (int64_t)parts.offset_seconds * 1000000 : zone_to_utc_us(zone, us);
    }
    ((int64_t *)out->data)[row] = us;
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
    Convert c = {.call = call, .zone = duck__session_zone(call->session, &err)};
    Arena *arena = c.arena = arena_new(), *fills = arena_new();
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
        c.non_numbers = int_at(&args[5], row) & NODE_NON_NUMBERS;
        if (!str_trim(text).size) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        arena_reset(arena);
        Node *node = node_read(arena, text, (unsigned)int_at(&args[5], row)), one = {.kind = NODE_ARRAY, .items = &node, .count = 1};
        bool is_struct = out->type->kind == TYPE_STRUCT;

        if (node && node->kind == NODE_OBJECT && out->type->kind == TYPE_ARRAY && out->type->element->kind == TYPE_STRUCT)
            put_value(&c, out, fill, (uint64_t)row, &one);
        else if (node && (!is_struct || node->kind == NODE_OBJECT))
            put_value(&c, out, fill, (uint64_t)row, node);
        else
            c.bad = true;
        if (c.bad && str_is(text_at(&args[1], row), "FAILFAST"))
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

/* Spark writes dates and times that are keys as the numbers that it holds them by. */
static void put_key(StrBuf *out, const Column *keys, uint64_t row, const Zone *zone)
{
    TypeKind kind = keys->type->kind;

    if (kind == TYPE_DATE)
        str_buf_printf(out, "%d", (int)((const int32_t *)keys->data)[row]);
    else if (kind == TYPE_TIMESTAMP || kind == TYPE_TIMESTAMP_NTZ)
        str_buf_printf(out, "%lld", (long long)((const int64_t *)keys->data)[row]);
    else
        value_print(out, keys, row, zone);
}

static void put_json(StrBuf *out, const Column *column, uint64_t row, const Zone *zone, const JsonStyle *style)
{
    const void *data = column->data;
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (column->type->kind == TYPE_VOID || column_is_null(column, row)) {
        str_buf_puts(out, "null");
        return;
    }
    if (type_is_variant_parts(column->type)) { /* DuckDB knows a VARIANT by its two parts only */
        Column variant = *column;

        variant.type = type_simple(TYPE_VARIANT);
        render_json(out, &variant, row, zone);
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
            node_put_text(out, str_of(column->type->fields[i].name));
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
                put_key(&text, &column->children[0], n, zone);
                node_put_text(out, str_buf_view(&text));
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
            node_put_text(out, str_buf_view(&text));
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
        node_put_text(out, str_buf_view(&text));
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
        node_put_text(out, str_buf_view(&text));
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
    {.name = "silt_from_json", .args = "string, string, string, string, string, int", .flags = FN_FAILS, .eval = from_json},
    {.name = "silt_to_json", .args = "any, boolean, string, string", .result = "string", .flags = FN_VOLATILE, .eval = to_json, .prepare = prepare_to_json},
    {0},
};
