/* duck/json_put.c - see json_put.h */
#include "duck/json_put.h"

#include "duck/calendar.h"
#include "duck/column_put.h"
#include "duck/internal.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/variant_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

JsonFill *json_fill_new(Arena *arena, const Column *column)
{
    JsonFill *fill = ARENA_NEW(arena, JsonFill);

    if (column->child_count) {
        fill->children = ARENA_ARRAY(arena, JsonFill, column->child_count);
        for (int i = 0; i < column->child_count; i++) {
            fill->children[i] = *json_fill_new(arena, &column->children[i]);
            if (column->type->kind == TYPE_STRUCT)
                fill->children[i].name = str_of(column->type->fields[i].name);
            for (int k = 0; k < i && column->type->kind == TYPE_STRUCT; k++)
                fill->children[k].hidden = fill->children[k].hidden || str_equal(fill->children[k].name, fill->children[i].name);
        }
    }
    return fill;
}

void json_put_again(Column *column, uint64_t row)
{
    column_set_valid(column, row);
    for (int i = 0; (column->type->kind == TYPE_STRUCT || column->type->kind == TYPE_VARIANT) && i < column->child_count; i++)
        json_put_again(&column->children[i], row);
}

static bool put_integer(Column *out, uint64_t row, const Node *node)
{
    int64_t value;

    return node->kind == NODE_NUMBER && str_to_int64(node->text, &value) && column_set_whole(out, row, value);
}

static bool is_special(Str text)
{
    return str_is(text, "NaN") || str_is(text, "Infinity") || str_is(text, "-Infinity") || str_is(text, "+Infinity") || str_is(text, "INF") ||
           str_is(text, "-INF") || str_is(text, "+INF");
}

static bool put_floating(const JsonPut *c, Column *out, uint64_t row, const Node *node)
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

static bool put_time(JsonPut *c, Column *out, uint64_t row, const Node *node)
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
    } else if (!format && !date && out->type->kind == TYPE_TIMESTAMP && parse_utc(node->text, (int64_t *)out->data + row)) {
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

/* One element that does not fit costs the whole list. */
static bool put_list(JsonPut *c, Column *out, JsonFill *fill, uint64_t row, const Node *node)
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

            json_put_value(c, &out->children[0], &fill->children[0], start + count, &key);
        }
        ok = json_put_value(c, &out->children[map], &fill->children[map], start + count, node->items[i]);
        count++;
    }
    if (start + count < fill->used) { /* the engine looks at all rows of the children: there is none that holds nothing */
        fill->used = start + count;
        column_list_reserve(out, fill->used);
    }
    ((ChunkList *)out->data)[row] = (ChunkList){start, count};
    return ok;
}

/* Of members with equal names the last one that fits counts. */
static void put_field(JsonPut *c, Column *out, JsonFill *fill, uint64_t row, const Node *object)
{
    int put = 0;
    const Node *fits = NULL, *last = NULL;

    for (int i = 0; i < object->count && !fill->hidden; i++) {
        if (!str_equal(object->keys[i], fill->name))
            continue;
        if (put++)
            json_put_again(out, row);
        last = object->items[i];
        fits = json_put_value(c, out, fill, row, last) ? last : fits;
    }
    if (!put) {
        column_set_null(out, row);
    } else if (fits && fits != last) {
        json_put_again(out, row);
        json_put_value(c, out, fill, row, fits);
    }
}

static bool put_struct(JsonPut *c, Column *out, JsonFill *fill, uint64_t row, const Node *node)
{
    if (node->kind != NODE_OBJECT)
        return false;
    for (int i = 0; i < out->child_count; i++)
        put_field(c, &out->children[i], &fill->children[i], row, node);
    return true;
}

bool json_put_value(JsonPut *c, Column *out, JsonFill *fill, uint64_t row, const Node *node)
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
