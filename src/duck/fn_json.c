/* duck/fn_json.c - to_json, as Spark writes JSON: "silt_to_json"(value, options...) */
#include "duck/fn_json.h"

#include "duck/calendar.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/print.h"
#include "duck/render.h"

#include <stdio.h>
#include <string.h>

int fn_json_options(FnCall *call, bool reading, FnJson *out, SiltErr *err)
{
    const JsonStyle *style = &out->style;

    json_style_init(&out->style);
    for (int i = 1; i + 1 < call->arg_count; i += 2) {
        const Column *name = &call->constants[i], *value = &call->constants[i + 1];

        if (!name->type || !value->type || column_is_null(name, 0) || column_is_null(value, 0))
            return silt_fail(err, SILT_CONFIG, "the options of JSON must be constants");
        SILT_TRY(json_style_set(&out->style, text_at(name, 0), arena_str(call->arena, text_at(value, 0)), err));
    }
    if (style->time_zone.size && !(out->zone = duck__zone_by_name(style->time_zone, err)))
        return -1;
    if (style->timestamp_format.size)
        SILT_TRY(java_time_new(call->arena, style->timestamp_format, reading, &out->timestamp, err));
    if (style->ntz_format.size)
        SILT_TRY(java_time_new(call->arena, style->ntz_format, reading, &out->timestamp_ntz, err));
    if (style->date_format.size)
        SILT_TRY(java_time_new(call->arena, style->date_format, reading, &out->date, err));
    return 0;
}

const Zone *fn_json_zone(const FnCall *call, const FnJson *json, SiltErr *err)
{
    return json->zone ? json->zone : duck__session_zone(call->session, err);
}

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
    const FnJson *json;
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
    FnJson *json = ARENA_NEW(call->arena, FnJson);

    call->data = json;
    SILT_TRY(fn_json_options(call, false, json, err));
    Str format = json->style.timestamp_format;

    if (memchr(format.ptr, 'z', format.size) || memchr(format.ptr, 'V', format.size))
        return silt_fail(err, SILT_CONFIG, "to_json does not write names of time zones (pattern letters z and V)");
    return 0;
}

static int to_json(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    JsonOut o = {.out = call->scratch, .json = call->data, .zone = fn_json_zone(call, call->data, &err)};

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
    {.name = "silt_to_json", .args = "any, any...", .result = "string", .flags = FN_VOLATILE, .eval = to_json, .prepare = prepare_to_json},
    {0},
};
