/* duck/render.c - values as exact JSON */
#include "duck/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "duck/calendar.h"
#include "duck/print.h"
#include "duck/variant.h"

void render_base64(StrBuf *out, Str bytes)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *p = (const uint8_t *)bytes.ptr;

    str_buf_reserve(out, bytes.size / 3 * 4 + 6);
    str_buf_putc(out, '"');
    for (size_t i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        uint32_t group = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) | (left > 2 ? p[i + 2] : 0);
        str_buf_putc(out, letters[group >> 18]);
        str_buf_putc(out, letters[group >> 12 & 63]);
        str_buf_putc(out, left > 1 ? letters[group >> 6 & 63] : '=');
        str_buf_putc(out, left > 2 ? letters[group & 63] : '=');
    }
    str_buf_putc(out, '"');
}

/* Local time as 2026-11-29T10:00:00.123456 */
static void put_iso(StrBuf *out, int64_t local_us)
{
    int64_t days, us = calendar_split(local_us, &days);
    int seconds = (int)(us / 1000000);

    print_date(out, days);
    str_buf_printf(out, "T%02d:%02d:%02d.%06d", seconds / 3600, seconds / 60 % 60, seconds % 60, (int)(us % 1000000));
}

static void put_offset(StrBuf *out, int32_t seconds)
{
    if (seconds == 0) {
        str_buf_putc(out, 'Z');
        return;
    }
    int size = abs(seconds);
    str_buf_printf(out, "%c%02d:%02d", seconds < 0 ? '-' : '+', size / 3600, size / 60 % 60);
    if (size % 60)
        str_buf_printf(out, ":%02d", size % 60);
}

void render_instant(StrBuf *out, int64_t us, const Zone *zone)
{
    int32_t offset = zone ? zone_offset_seconds(zone, us) : 0;

    str_buf_putc(out, '"');
    put_iso(out, us + (int64_t)offset * 1000000);
    put_offset(out, offset);
    str_buf_putc(out, '"');
}

void render_local_time(StrBuf *out, int64_t local_us)
{
    str_buf_putc(out, '"');
    put_iso(out, local_us);
    str_buf_putc(out, '"');
}

/* What CAST to STRING gives, as a JSON text. */
static void put_printed(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    value_print(&text, column, row, zone);
    json_put_str(out, str_buf_view(&text));
}

static void put_floating(StrBuf *out, const Column *column, uint64_t row, double value)
{
    if (isfinite(value))
        value_print(out, column, row, NULL);
    else
        put_printed(out, column, row, NULL);
}

/* A key of an object: the value's JSON if that is a text, else that JSON as a text. */
static void put_key(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    render_json(&text, column, row, zone);
    if (text.ptr[0] == '"')
        str_buf_str(out, str_buf_view(&text));
    else
        json_put_str(out, str_buf_view(&text));
}

static void put_variant(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    Str metadata = column_text(&column->children[0], row), value = column_text(&column->children[1], row);

    if (variant_json(out, metadata, value, zone))
        return;
    str_buf_puts(out, "{\"metadata\":");
    render_base64(out, metadata);
    str_buf_puts(out, ",\"value\":");
    render_base64(out, value);
    str_buf_putc(out, '}');
}

static void put_list(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    ChunkList list = ((const ChunkList *)column->data)[row];

    str_buf_putc(out, '[');
    for (uint64_t i = 0; i < list.length; i++) {
        if (i)
            str_buf_putc(out, ',');
        render_json(out, &column->children[0], list.offset + i, zone);
    }
    str_buf_putc(out, ']');
}

static void put_map(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    ChunkList list = ((const ChunkList *)column->data)[row];

    str_buf_putc(out, '{');
    for (uint64_t i = 0; i < list.length; i++) {
        if (i)
            str_buf_putc(out, ',');
        put_key(out, &column->children[0], list.offset + i, zone);
        str_buf_putc(out, ':');
        render_json(out, &column->children[1], list.offset + i, zone);
    }
    str_buf_putc(out, '}');
}

static void put_struct(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    str_buf_putc(out, '{');
    for (int i = 0; i < column->child_count; i++) {
        if (i)
            str_buf_putc(out, ',');
        json_put_str(out, str_of(column->type->fields[i].name));
        str_buf_putc(out, ':');
        render_json(out, &column->children[i], row, zone);
    }
    str_buf_putc(out, '}');
}

void render_json(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    if (column->type->kind == TYPE_VOID || column_is_null(column, row)) {
        str_buf_puts(out, "null");
        return;
    }
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_DECIMAL:
        value_print(out, column, row, NULL);
        break;
    case TYPE_FLOAT:
        put_floating(out, column, row, (double)((const float *)column->data)[row]);
        break;
    case TYPE_DOUBLE:
        put_floating(out, column, row, ((const double *)column->data)[row]);
        break;
    case TYPE_STRING:
        json_put_str(out, chunk_string((const ChunkString *)column->data + row));
        break;
    case TYPE_BINARY:
        render_base64(out, chunk_string((const ChunkString *)column->data + row));
        break;
    case TYPE_DATE:
        str_buf_putc(out, '"');
        print_date(out, ((const int32_t *)column->data)[row]);
        str_buf_putc(out, '"');
        break;
    case TYPE_TIMESTAMP:
        render_instant(out, ((const int64_t *)column->data)[row], zone);
        break;
    case TYPE_TIMESTAMP_NTZ:
        render_local_time(out, ((const int64_t *)column->data)[row]);
        break;
    case TYPE_TIME:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
    case TYPE_INTERVAL:
        put_printed(out, column, row, zone);
        break;
    case TYPE_VARIANT:
        put_variant(out, column, row, zone);
        break;
    case TYPE_ARRAY:
        put_list(out, column, row, zone);
        break;
    case TYPE_MAP:
        put_map(out, column, row, zone);
        break;
    case TYPE_STRUCT:
        put_struct(out, column, row, zone);
        break;
    case TYPE_VOID:
        break;
    }
}
