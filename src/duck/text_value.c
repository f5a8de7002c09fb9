/* duck/text_value.c - see text_value.h */
#include "duck/text_value.h"

#include <math.h>
#include <string.h>

#include "duck/calendar.h"
#include "duck/column_put.h"
#include "duck/internal.h"
#include "duck/parse.h"
#include "duck/print.h"

static bool put_whole(Column *out, uint64_t row, Str text)
{
    int64_t value;

    if (text.size && text.ptr[0] == '+')
        text = (Str){text.ptr + 1, text.size - 1};
    return str_to_int64(text, &value) && column_set_whole(out, row, value);
}

/* Java's words for what is no number, and those of the options; all others are numbers. */
static bool put_floating(const TextForm *form, Column *out, uint64_t row, Str text)
{
    bool is_float = out->type->kind == TYPE_FLOAT, ok = true;
    double value = 0;
    float single;

    if (str_equal(text, form->nan) || str_is(text, "NaN"))
        value = (double)NAN;
    else if (str_equal(text, form->positive_infinity) || str_is(text, "Infinity"))
        value = (double)INFINITY;
    else if (str_equal(text, form->negative_infinity) || str_is(text, "-Infinity"))
        value = -(double)INFINITY;
    else if (memchr(text.ptr, 'n', text.size) || memchr(text.ptr, 'N', text.size))
        return false;
    else if (is_float) {
        ok = parse_float(text, &single);
        value = ok ? (double)single : 0;
    } else
        ok = parse_double(text, &value);
    if (is_float)
        ((float *)out->data)[row] = (float)value;
    else
        ((double *)out->data)[row] = value;
    return ok;
}

/* Commas that part thousands are left out, as in en-US. */
static bool put_decimal(Column *out, uint64_t row, Str text)
{
    silt_auto(str_buf_fini) StrBuf plain = {0};
    __int128 value;

    for (size_t i = 0; i < text.size; i++)
        if (text.ptr[i] != ',')
            str_buf_putc(&plain, text.ptr[i]);
    if (parse_decimal(str_buf_view(&plain), out->type->precision, out->type->scale, &value) != 0)
        return false;
    decimal_put(out, row, value);
    return true;
}

bool text_by_format(const JavaTime *format, Str text, JavaTimeParts *parts)
{
    size_t at;

    return !java_time_parse(format, text, parts, &at);
}

static bool put_date(const TextForm *form, Column *out, uint64_t row, Str text)
{
    JavaTimeParts parts;

    if (form->date && text_by_format(form->date, text, &parts)) {
        ((int32_t *)out->data)[row] = (int32_t)floor_div(parts.local_us, DAY_US);
        return true;
    }
    return (!form->date || form->fallback) && parse_date(text, (int32_t *)out->data + row);
}

static bool put_timestamp(const TextForm *form, const Zone *zone, Column *out, uint64_t row, Str text)
{
    bool ntz = out->type->kind == TYPE_TIMESTAMP_NTZ;
    const JavaTime *format = ntz ? form->timestamp_ntz : form->timestamp;
    ParsedTimestamp parsed = {0};
    JavaTimeParts parts;
    SiltErr err;

    if (format && text_by_format(format, text, &parts)) {
        if (parts.has_offset && !ntz) {
            ((int64_t *)out->data)[row] = parts.local_us - parts.offset_seconds * INT64_C(1000000);
            return true;
        }
        parsed = (ParsedTimestamp){.local_us = parts.local_us, .zone = ntz ? (Str){0} : parts.zone};
    } else if ((format && !form->fallback) || !parse_timestamp(text, &parsed) || parsed.just_time) {
        return false;
    }
    if (parsed.zone.size && ntz)
        return false; /* what it says would be lost */
    if (parsed.zone.size && !(zone = duck__zone_by_name(parsed.zone, &err)))
        return false;
    ((int64_t *)out->data)[row] = ntz ? parsed.local_us : zone_to_utc_us(zone, parsed.local_us);
    return true;
}

bool text_value_put(const TextForm *form, const Zone *zone, Column *out, uint64_t row, Str text)
{
    switch (out->type->kind) {
    case TYPE_STRING:
    case TYPE_BINARY:
        column_set_string(out, row, text.ptr ? text.ptr : "", text.size);
        return true;
    case TYPE_BOOLEAN:
        ((uint8_t *)out->data)[row] = str_is_nocase(text, "true");
        return str_is_nocase(text, "true") || str_is_nocase(text, "false");
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return put_whole(out, row, text);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return put_floating(form, out, row, text);
    case TYPE_DECIMAL:
        return put_decimal(out, row, text);
    case TYPE_DATE:
        return put_date(form, out, row, text);
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return put_timestamp(form, zone, out, row, text);
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return parse_interval_put(text, out, row);
    default:
        return false;
    }
}
