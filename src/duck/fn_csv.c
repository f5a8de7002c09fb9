/* duck/fn_csv.c - from_csv and to_csv */
#include "duck/calendar.h"
#include "duck/csv_line.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/java_time.h"
#include "duck/parse.h"
#include "duck/print.h"

#include <stdlib.h>
#include <strings.h>

/* ---- reading: silt_from_csv:struct<..>(text, separator, null text, mode, timestamp format, date format) ---- */

/* Formats of the options; NULL: as CAST reads times. */
typedef struct TimeFormats {
    const JavaTime *timestamp, *date;
} TimeFormats;

static bool put_whole(Column *out, uint64_t row, Str text)
{
    static const struct {
        TypeKind kind;
        int64_t min, max;
    } ranges[] = {{TYPE_BYTE, INT8_MIN, INT8_MAX},
                  {TYPE_SHORT, INT16_MIN, INT16_MAX},
                  {TYPE_INT, INT32_MIN, INT32_MAX},
                  {TYPE_LONG, INT64_MIN, INT64_MAX}};
    int64_t value;
    if (text.size && text.ptr[0] == '+')
        text = (Str){text.ptr + 1, text.size - 1};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (out->type->kind != ranges[i].kind)
            continue;
        if (!str_to_int64(text, &value) || value < ranges[i].min || value > ranges[i].max)
            return false;
        if (out->type->kind == TYPE_BYTE)
            ((int8_t *)out->data)[row] = (int8_t)value;
        else if (out->type->kind == TYPE_SHORT)
            ((int16_t *)out->data)[row] = (int16_t)value;
        else if (out->type->kind == TYPE_INT)
            ((int32_t *)out->data)[row] = (int32_t)value;
        else
            ((int64_t *)out->data)[row] = value;
        return true;
    }
    return false;
}

static bool put_time(FnCall *call, const Zone *zone, Column *out, uint64_t row, Str text)
{
    bool ntz = out->type->kind == TYPE_TIMESTAMP_NTZ;
    const TimeFormats *formats = call->data;
    ParsedTimestamp parsed = {0};
    SiltErr err;
    if (formats->timestamp && !ntz) {
        JavaTimeParts parts;
        size_t at;
        if (java_time_parse(formats->timestamp, text, &parts, &at))
            return false;
        if (parts.has_offset) {
            ((int64_t *)out->data)[row] = parts.local_us - parts.offset_seconds * INT64_C(1000000);
            return true;
        }
        parsed = (ParsedTimestamp){.local_us = parts.local_us, .zone = parts.zone};
    } else if (!parse_timestamp(text, &parsed) || parsed.just_time)
        return false;
    if (parsed.zone.size && ntz)
        return false; /* what it says would be lost */
    if (parsed.zone.size && !(zone = duck__zone_by_name(parsed.zone, &err)))
        return false;
    ((int64_t *)out->data)[row] = ntz ? parsed.local_us : zone_to_utc_us(zone, parsed.local_us);
    return true;
}

/* False: the text is no value of that type. */
static bool put_field(FnCall *call, const Zone *zone, Column *out, uint64_t row, Str text)
{
    const TimeFormats *formats = call->data;
    double number;
    float single;
    __int128 decimal;
    switch (out->type->kind) {
    case TYPE_STRING:
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
    case TYPE_DOUBLE:
        if (!parse_double(text, &number))
            return false;
        ((double *)out->data)[row] = number;
        return true;
    case TYPE_FLOAT:
        if (!parse_float(text, &single))
            return false;
        ((float *)out->data)[row] = single;
        return true;
    case TYPE_DECIMAL:
        if (parse_decimal(text, out->type->precision, out->type->scale, &decimal) != 0)
            return false;
        decimal_put(out, row, decimal);
        return true;
    case TYPE_DATE:
        if (formats->date) {
            JavaTimeParts parts;
            size_t at;
            if (java_time_parse(formats->date, text, &parts, &at))
                return false;
            ((int32_t *)out->data)[row] = (int32_t)floor_div(parts.local_us, DAY_US);
            return true;
        }
        return parse_date(text, (int32_t *)out->data + row);
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return put_time(call, zone, out, row, text);
    default:
        return false;
    }
}

static int prepare_from_csv(FnCall *call, SiltErr *err)
{
    const Type *type = call->result_type;
    if (type->kind != TYPE_STRUCT)
        return silt_fail(err, SILT_CONFIG, "from_csv makes a STRUCT");
    for (int i = 0; i < type->field_count; i++) {
        TypeKind kind = type->fields[i].type->kind;
        if (kind == TYPE_ARRAY || kind == TYPE_MAP || kind == TYPE_STRUCT || kind == TYPE_VARIANT)
            return silt_fail(err, SILT_CONFIG, "the field %s of from_csv must be a plain value", type->fields[i].name);
    }
    TimeFormats *formats = ARENA_NEW(call->arena, TimeFormats);
    for (int i = 4; i < 6; i++) {
        if (!call->constants[i].type || column_is_null(&call->constants[i], 0))
            return silt_fail(err, SILT_CONFIG, "the formats of from_csv must be constants");
        Str text = text_at(&call->constants[i], 0);
        if (text.size)
            SILT_TRY(java_time_new(call->arena, text, true, i == 4 ? &formats->timestamp : &formats->date, err));
    }
    call->data = formats;
    return 0;
}

static int from_csv(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), separator = text_at(&args[1], row), null_text = text_at(&args[2], row);
        bool fail_fast = str_is_nocase(text_at(&args[3], row), "FAILFAST");
        CsvField *fields;
        arena_reset(arena);
        int count = csv_split(arena, text, separator.size ? separator.ptr[0] : ',', &fields);
        if (fail_fast && count > out->child_count)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" has %d fields, the schema of from_csv %d", FN_SHOW(text), count,
                           out->child_count);
        for (int i = 0; i < out->child_count; i++) {
            Column *child = &out->children[i];
            bool missing = i >= count, null = missing || (!fields[i].quoted && str_equal(fields[i].text, null_text));
            if (!null && put_field(call, zone, child, (uint64_t)row, fields[i].text))
                continue;
            if (fail_fast && (missing || !null))
                return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" does not fit the schema of from_csv",
                               FN_SHOW(text));
            column_set_null(child, (uint64_t)row);
        }
    }
    return 0;
}

/* ---- writing: silt_to_csv(struct, separator, null text) ---- */

static void put_csv_text(StrBuf *out, Str text, char separator)
{
    while (text.size && text.ptr[0] == ' ') /* blanks at the ends go, as in Spark */
        text = (Str){text.ptr + 1, text.size - 1};
    while (text.size && text.ptr[text.size - 1] == ' ')
        text.size--;
    bool quote = text.size == 0;
    for (size_t i = 0; i < text.size; i++)
        quote |= text.ptr[i] == separator || text.ptr[i] == '"' || text.ptr[i] == '\n' || text.ptr[i] == '\r';
    if (!quote) {
        str_buf_str(out, text);
        return;
    }
    str_buf_putc(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            str_buf_putc(out, '\\');
        str_buf_putc(out, text.ptr[i]);
    }
    str_buf_putc(out, '"');
}

typedef struct IsoFormats {
    const JavaTime *zoned, *local;
} IsoFormats;

static int prepare_to_csv(FnCall *call, SiltErr *err)
{
    IsoFormats *formats = ARENA_NEW(call->arena, IsoFormats);
    if (call->arg_types[0]->kind != TYPE_STRUCT)
        return silt_fail(err, SILT_CONFIG, "to_csv takes a STRUCT");
    call->data = formats;
    SILT_TRY(java_time_new(call->arena, STR("yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX"), false, &formats->zoned, err));
    return java_time_new(call->arena, STR("yyyy-MM-dd'T'HH:mm:ss.SSS"), false, &formats->local, err);
}

static int to_csv(FnCall *call, const Column *args, Column *out, int rows)
{
    const IsoFormats *formats = call->data;
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        char separator = text_at(&args[1], row).size ? text_at(&args[1], row).ptr[0] : ',';
        str_buf_clear(call->scratch);
        for (int i = 0; i < args[0].child_count; i++) {
            const Column *field = &args[0].children[i];
            silt_auto(str_buf_fini) StrBuf text = {0};
            if (i)
                str_buf_putc(call->scratch, separator);
            if (field->type->kind == TYPE_VOID || column_is_null(field, (uint64_t)row)) {
                str_buf_str(call->scratch, text_at(&args[2], row));
                continue;
            }
            if (field->type->kind == TYPE_TIMESTAMP) {
                int64_t us = long_at(field, row);
                java_time_format(&text, formats->zoned, zone_to_local_us(zone, us), zone_offset_seconds(zone, us), "UTC");
            } else if (field->type->kind == TYPE_TIMESTAMP_NTZ) {
                java_time_format(&text, formats->local, long_at(field, row), 0, "UTC");
            } else {
                value_print(&text, field, (uint64_t)row, zone);
            }
            put_csv_text(call->scratch, str_buf_view(&text), separator);
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_csv[] = {
    {.name = "silt_from_csv",
     .args = "string, string, string, string, string, string",
     .result = NULL,
     .flags = FN_FAILS,
     .eval = from_csv,
     .prepare = prepare_from_csv},
    {.name = "silt_to_csv",
     .args = "any, string, string",
     .result = "string",
     .flags = FN_VOLATILE,
     .eval = to_csv,
     .prepare = prepare_to_csv},
    {0},
};
