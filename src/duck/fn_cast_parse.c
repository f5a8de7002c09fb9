/* duck/fn_cast_parse.c - CAST(text AS ...), failing or giving NULL */
#include "duck/fn_cast.h"

#include "duck/calendar.h"
#include "duck/internal.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/zone.h"

static bool fails(const FnCall *call)
{
    return call->function->flags & FN_FAILS;
}

static int fail_malformed(FnCall *call, int row, Str text)
{
    silt_auto(str_buf_fini) StrBuf type = {0};
    type_print(&type, call->result_type);
    return fn_fail(call, row, "CAST_INVALID_INPUT", "cannot cast \"%.*s\" to %s: it is malformed or does not fit", FN_SHOW(text), type.ptr);
}

/* The loop of all: parse one text into out's row, or fail, or NULL. `ok` is an expression over text and row. */
#define PARSE_ROWS(ok)                                                                                                                     \
    FN_ROWS(row, out, rows)                                                                                                                \
    {                                                                                                                                      \
        Str text = chunk_string((const ChunkString *)args[0].data + row);                                                                  \
        if (__builtin_expect(ok, 1))                                                                                                       \
            continue;                                                                                                                      \
        if (fails(call))                                                                                                                   \
            return fail_malformed(call, row, text);                                                                                        \
        column_set_null(out, (uint64_t)row);                                                                                               \
    }                                                                                                                                      \
    return 0

static int to_boolean(FnCall *call, const Column *args, Column *out, int rows)
{
    bool *data = out->data; /* one byte each */
    PARSE_ROWS(parse_boolean(text, &data[row]));
}

static bool parse_into(Str text, const Column *out, int row)
{
    int64_t value;
    switch (out->type->kind) {
    case TYPE_BYTE:
        return parse_integer(text, INT8_MIN, INT8_MAX, &value) && (((int8_t *)out->data)[row] = (int8_t)value, true);
    case TYPE_SHORT:
        return parse_integer(text, INT16_MIN, INT16_MAX, &value) && (((int16_t *)out->data)[row] = (int16_t)value, true);
    case TYPE_INT:
        return parse_integer(text, INT32_MIN, INT32_MAX, &value) && (((int32_t *)out->data)[row] = (int32_t)value, true);
    default:
        return parse_integer(text, INT64_MIN, INT64_MAX, &((int64_t *)out->data)[row]);
    }
}

static int to_integer(FnCall *call, const Column *args, Column *out, int rows)
{
    PARSE_ROWS(parse_into(text, out, row));
}

static int to_float(FnCall *call, const Column *args, Column *out, int rows)
{
    PARSE_ROWS(parse_float(text, &((float *)out->data)[row]));
}

static int to_double(FnCall *call, const Column *args, Column *out, int rows)
{
    PARSE_ROWS(parse_double(text, &((double *)out->data)[row]));
}

static int to_date(FnCall *call, const Column *args, Column *out, int rows)
{
    PARSE_ROWS(parse_date(text, &((int32_t *)out->data)[row]));
}

static int to_timestamp_ntz(FnCall *call, const Column *args, Column *out, int rows)
{
    ParsedTimestamp parsed;
    PARSE_ROWS(parse_timestamp(text, &parsed) && !parsed.just_time && (((int64_t *)out->data)[row] = parsed.local_us, true));
}

static bool to_instant(FnCall *call, Str text, const Zone *session_zone, int64_t *out)
{
    ParsedTimestamp parsed;
    if (!parse_timestamp(text, &parsed))
        return false;
    const Zone *zone = session_zone;
    int offset_seconds;
    if (parsed.zone.size && !parsed.just_time && zone_parse_offset(parsed.zone, &offset_seconds))
        return !__builtin_sub_overflow(parsed.local_us, offset_seconds * INT64_C(1000000), out);
    if (parsed.zone.size) {
        SiltErr ignored;
        zone = duck__zone_by_name(parsed.zone, &ignored);
        if (!zone)
            return false;
    }
    if (parsed.just_time) { /* today, by the batch's clock, in that zone */
        int64_t today = floor_div(zone_to_local_us(zone, call->session->now_us), DAY_US);
        parsed.local_us += today * DAY_US;
    }
    *out = zone_to_utc_us(zone, parsed.local_us);
    return true;
}

static int to_timestamp(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, "INVALID_CONF_VALUE.TIME_ZONE", "%s", err.message);
    PARSE_ROWS(to_instant(call, text, zone, &((int64_t *)out->data)[row]));
}

static int to_decimal(FnCall *call, const Column *args, Column *out, int rows)
{
    int precision = out->type->precision, scale = out->type->scale;
    FN_ROWS(row, out, rows)
    {
        Str text = chunk_string((const ChunkString *)args[0].data + row);
        __int128 value = 0;
        int r = parse_decimal(text, precision, scale, &value);
        if (r == 0)
            decimal_put(out, (uint64_t)row, value);
        else if (!fails(call))
            column_set_null(out, (uint64_t)row);
        else if (r == PARSE_MALFORMED)
            return fail_malformed(call, row, text);
        else
            return fn_fail(call, row, "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "\"%.*s\" does not fit decimal(%d,%d)", FN_SHOW(text),
                           precision, scale);
    }
    return 0;
}

/* Spark's class for a text that is no interval of that type. */
static const char *misread_interval(Str text, const Type *type)
{
    if (type->kind == TYPE_INTERVAL)
        return "CAST_INVALID_INPUT";
    if (type->kind == TYPE_INTERVAL_DT)
        return "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE";
    /* years and months of the right shape are out of range */
    bool shape = text.size > 0, dash = false;

    text = str_trim(text);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.ptr[i];

        if (c == '-' && i && !dash && type->from_unit != type->to_unit)
            dash = true;
        else if (!(c >= '0' && c <= '9') && !(i == 0 && (c == '-' || c == '+') && text.size > 1))
            shape = false;
    }
    return shape && text.size && dash == (type->from_unit != type->to_unit) ? "INVALID_INTERVAL_FORMAT.INTERVAL_PARSING" : "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING";
}

static int to_intervals(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = chunk_string((const ChunkString *)args[0].data + row);
        silt_auto(str_buf_fini) StrBuf type = {0};
        if (__builtin_expect(parse_interval_put(text, out, (uint64_t)row), 1))
            continue;
        if (!fails(call)) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        type_print(&type, out->type);
        return fn_fail(call, row, misread_interval(text, out->type), "cannot cast \"%.*s\" to %s: it is malformed or does not fit", FN_SHOW(text), type.ptr);
    }
    return 0;
}

static int to_time(FnCall *call, const Column *args, Column *out, int rows)
{
    PARSE_ROWS(parse_time_of_day(text, (int64_t *)out->data + row));
}

int fn_cast_text(FnCall *call, const Column *args, Column *out, int rows)
{
    switch (out->type->kind) {
    case TYPE_BOOLEAN:
        return to_boolean(call, args, out, rows);
    case TYPE_FLOAT:
        return to_float(call, args, out, rows);
    case TYPE_DOUBLE:
        return to_double(call, args, out, rows);
    case TYPE_DECIMAL:
        return to_decimal(call, args, out, rows);
    case TYPE_DATE:
        return to_date(call, args, out, rows);
    case TYPE_TIMESTAMP:
        return to_timestamp(call, args, out, rows);
    case TYPE_TIMESTAMP_NTZ:
        return to_timestamp_ntz(call, args, out, rows);
    case TYPE_TIME:
        return to_time(call, args, out, rows);
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return to_intervals(call, args, out, rows);
    default:
        return to_integer(call, args, out, rows);
    }
}
