/*
 * duck/fn_csv.c - from_csv, to_csv and schema_of_csv
 *
 * The options come as constant arguments, names and values by turns (csv_style.h).
 */
#include "duck/calendar.h"
#include "duck/csv_line.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/text_value.h"

#include <math.h>
#include <stdlib.h>

/* What the options say. */
typedef struct Csv {
    CsvStyle style;
    const Zone *zone; /* NULL: the session's */
    TextForm form;    /* of to_csv: a timestamp is ISO 8601 where no format is given */
    int corrupt;      /* index of the field that takes records which do not fit; -1: none */
} Csv;

static int option_format(FnCall *call, Str text, bool reading, const JavaTime **out, SiltErr *err)
{
    return text.size ? java_time_new(call->arena, text, reading, out, err) : 0;
}

/* The options from argument 1 on, into call->data. */
static int take_options(FnCall *call, bool writing, SiltErr *err)
{
    Csv *csv = ARENA_NEW(call->arena, Csv);

    csv->corrupt = -1;
    csv_style_init(&csv->style, writing);
    for (int i = 1; i + 1 < call->arg_count; i += 2) {
        const Column *name = &call->constants[i], *value = &call->constants[i + 1];

        if (!name->type || !value->type || column_is_null(name, 0) || column_is_null(value, 0))
            return silt_fail(err, SILT_CONFIG, "the options of CSV must be constants");
        SILT_TRY(csv_style_set(&csv->style, call->arena, arena_str(call->arena, text_at(name, 0)),
                               arena_str(call->arena, text_at(value, 0)), err));
    }
    SILT_TRY(csv_style_finish(&csv->style, writing, err));
    if (csv->style.time_zone.size && !(csv->zone = duck__zone_by_name(csv->style.time_zone, err)))
        return -1;
    SILT_TRY(option_format(call, csv->style.timestamp_format, !writing, &csv->form.timestamp, err));
    SILT_TRY(option_format(call, csv->style.ntz_format, !writing, &csv->form.timestamp_ntz, err));
    csv->form.fallback = csv->style.fallback;
    csv->form.nan = csv->style.nan;
    csv->form.positive_infinity = csv->style.positive_infinity;
    csv->form.negative_infinity = csv->style.negative_infinity;
    call->data = csv;
    return option_format(call, csv->style.date_format, !writing, &csv->form.date, err);
}

static const Zone *zone_of(FnCall *call, SiltErr *err)
{
    const Csv *csv = call->data;

    return csv->zone ? csv->zone : duck__session_zone(call->session, err);
}

/* ---- from_csv: "silt_from_csv:struct<..>"(text, options..., pos) ---- */

static int prepare_from_csv(FnCall *call, SiltErr *err)
{
    const Type *type = call->result_type;

    if (type->kind != TYPE_STRUCT)
        return silt_fail(err, SILT_CONFIG, "from_csv makes a STRUCT");
    SILT_TRY(take_options(call, false, err));
    Csv *csv = call->data;

    for (int i = 0; i < type->field_count; i++) {
        TypeKind kind = type->fields[i].type->kind;

        if (kind == TYPE_ARRAY || kind == TYPE_MAP || kind == TYPE_STRUCT || kind == TYPE_VARIANT)
            return silt_fail(err, SILT_CONFIG, "the field %s of from_csv must be a plain value", type->fields[i].name);
        if (kind == TYPE_STRING && csv->corrupt < 0 && str_is(csv->style.corrupt, type->fields[i].name))
            csv->corrupt = i;
    }
    return 0;
}

static int fail_split(FnCall *call, int row, Str text, int r)
{
    return r == CSV_TOO_LARGE ? fn_fail(call, row, "MALFORMED_CSV_RECORD",
                                        "\"%.*s\" has more fields than maxColumns, or longer ones than maxCharsPerColumn", FN_SHOW(text))
                              : fn_fail(call, row, "MALFORMED_CSV_RECORD",
                                        "\"%.*s\" has a quote inside of a quoted field that is not escaped", FN_SHOW(text));
}

/* One record into a row; *fits: with all its fields, none more, none less. */
static void put_record(const Csv *csv, const Zone *zone, Column *out, uint64_t row, const CsvField *fields, int count, bool *fits)
{
    int at = 0;

    *fits = count == out->child_count - (csv->corrupt >= 0);
    for (int i = 0; i < out->child_count; i++) {
        Column *child = &out->children[i];
        Str text;

        if (i == csv->corrupt)
            continue;
        const CsvField *field = at < count ? &fields[at++] : NULL;

        if (!field || csv_field_is_null(&csv->style, field, &text)) {
            column_set_null(child, row);
        } else if (!text_value_put(&csv->form, zone, child, row, text)) {
            *fits = false;
            column_set_null(child, row);
        }
    }
}

static int from_csv(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Csv *csv = call->data;
    SiltErr err;
    const Zone *zone = zone_of(call, &err);

    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        CsvField *fields = NULL;
        int count;
        bool fits;

        arena_reset(arena);
        int r = csv_split(arena, text, &csv->style, &fields, &count);

        if (r)
            return fail_split(call, row, text, r);
        put_record(csv, zone, out, (uint64_t)row, fields, count, &fits);
        if (!fits && csv->style.fail_fast)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" does not fit the schema of from_csv",
                           FN_SHOW(text));
        if (csv->corrupt >= 0 && (fits || !count || out->child_count == 1))
            column_set_null(&out->children[csv->corrupt], (uint64_t)row);
        else if (csv->corrupt >= 0)
            column_set_string(&out->children[csv->corrupt], (uint64_t)row, text.ptr ? text.ptr : "", text.size);
    }
    return 0;
}

/* ---- to_csv: silt_to_csv(struct, options...) ---- */

static Str trimmed(const CsvStyle *style, Str text)
{
    while (style->trim_left && text.size && (unsigned char)text.ptr[0] <= ' ')
        text = (Str){text.ptr + 1, text.size - 1};
    while (style->trim_right && text.size && (unsigned char)text.ptr[text.size - 1] <= ' ')
        text.size--;
    return text;
}

static bool needs_quotes(const CsvStyle *style, Str text, bool first)
{
    bool quote = first && text.size && (unsigned char)text.ptr[0] == style->comment;

    for (size_t i = 0; i < text.size && !quote; i++) {
        char c = text.ptr[i];
        bool separator = text.size - i >= style->separator.size && !memcmp(text.ptr + i, style->separator.ptr, style->separator.size);

        quote = separator || c == '\n' || c == '\r' || (style->escape_quotes && c == style->quote) ||
                (style->line_end.size && c == style->line_end.ptr[0]);
    }
    return quote;
}

static void put_csv_text(StrBuf *out, const CsvStyle *style, Str text, bool first)
{
    text = trimmed(style, text);
    if (!text.size)
        text = style->empty_text;
    bool is_quotes = text.size == 2 && text.ptr[0] == style->quote && text.ptr[1] == style->quote; /* what stands for an empty text */

    if (is_quotes || (!style->quote_all && !needs_quotes(style, text, first))) {
        str_buf_str(out, text);
        return;
    }
    str_buf_putc(out, (char)style->quote);
    for (size_t i = 0; i < text.size; i++) {
        if (text.ptr[i] == style->quote)
            str_buf_putc(out, (char)style->escape);
        else if (text.ptr[i] == style->escape && style->quote_escape >= 0)
            str_buf_putc(out, (char)style->quote_escape);
        str_buf_putc(out, text.ptr[i]);
    }
    str_buf_putc(out, (char)style->quote);
}

static void put_value(StrBuf *out, const Csv *csv, const Zone *zone, const Column *column, uint64_t row);

/* Behind what opens or parts a list: a blank before all but the first, and before whatever stands for NULL. */
static void put_element(StrBuf *out, const Csv *csv, const Zone *zone, const Column *column, uint64_t row, bool first)
{
    bool null = column->type->kind == TYPE_VOID || column_is_null(column, row);

    if (null ? csv->style.null_text.size > 0 : !first)
        str_buf_putc(out, ' ');
    if (null)
        str_buf_str(out, csv->style.null_text);
    else
        put_value(out, csv, zone, column, row);
}

static void put_list(StrBuf *out, const Csv *csv, const Zone *zone, const Column *column, uint64_t row)
{
    bool map = column->type->kind == TYPE_MAP;
    ChunkList list = ((const ChunkList *)column->data)[row];

    str_buf_putc(out, map ? '{' : '[');
    for (uint64_t i = list.offset; i < list.offset + list.length; i++) {
        if (i > list.offset)
            str_buf_putc(out, ',');
        put_element(out, csv, zone, &column->children[0], i, i == list.offset);
        if (map) {
            str_buf_puts(out, " ->");
            put_element(out, csv, zone, &column->children[1], i, false);
        }
    }
    str_buf_putc(out, map ? '}' : ']');
}

static void put_value(StrBuf *out, const Csv *csv, const Zone *zone, const Column *column, uint64_t row)
{
    switch (column->type->kind) {
    case TYPE_TIMESTAMP: {
        int64_t us = ((const int64_t *)column->data)[row];

        java_time_format(out, csv->form.timestamp, zone_to_local_us(zone, us), zone_offset_seconds(zone, us), "UTC");
        return;
    }
    case TYPE_TIMESTAMP_NTZ:
        java_time_format(out, csv->form.timestamp_ntz, ((const int64_t *)column->data)[row], 0, "UTC");
        return;
    case TYPE_DATE:
        if (csv->form.date)
            java_time_format(out, csv->form.date, ((const int32_t *)column->data)[row] * DAY_US, 0, "UTC");
        else
            value_print(out, column, row, zone);
        return;
    case TYPE_BINARY:
        print_bytes(out, chunk_string((const ChunkString *)column->data + row));
        return;
    case TYPE_ARRAY:
    case TYPE_MAP:
        put_list(out, csv, zone, column, row);
        return;
    case TYPE_STRUCT:
        str_buf_putc(out, '{');
        for (int i = 0; i < column->child_count; i++) {
            if (i)
                str_buf_putc(out, ',');
            put_element(out, csv, zone, &column->children[i], row, i == 0);
        }
        str_buf_putc(out, '}');
        return;
    default:
        value_print(out, column, row, zone);
    }
}

static int prepare_to_csv(FnCall *call, SiltErr *err)
{
    if (call->arg_types[0]->kind != TYPE_STRUCT)
        return silt_fail(err, SILT_CONFIG, "to_csv takes a STRUCT");
    SILT_TRY(take_options(call, true, err));
    Csv *csv = call->data;
    Str format = csv->style.timestamp_format;

    if (memchr(format.ptr, 'z', format.size) || memchr(format.ptr, 'V', format.size))
        return silt_fail(err, SILT_CONFIG, "to_csv does not write names of time zones (pattern letters z and V)");
    if (!csv->form.timestamp)
        SILT_TRY(java_time_new(call->arena, STR("yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX"), false, &csv->form.timestamp, err));
    return csv->form.timestamp_ntz ? 0 : java_time_new(call->arena, STR("yyyy-MM-dd'T'HH:mm:ss.SSS"), false, &csv->form.timestamp_ntz, err);
}

static int to_csv(FnCall *call, const Column *args, Column *out, int rows)
{
    const Csv *csv = call->data;
    SiltErr err;
    const Zone *zone = zone_of(call, &err);

    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        for (int i = 0; i < args[0].child_count; i++) {
            const Column *field = &args[0].children[i];
            silt_auto(str_buf_fini) StrBuf text = {0};
            bool null = field->type->kind == TYPE_VOID || column_is_null(field, (uint64_t)row);

            if (i)
                str_buf_str(call->scratch, csv->style.separator);
            if (!null)
                put_value(&text, csv, zone, field, (uint64_t)row);
            else if (!csv->style.null_text.size && !csv->style.quote_all)
                continue;
            put_csv_text(call->scratch, &csv->style, null && csv->style.null_text.size ? csv->style.null_text : str_buf_view(&text),
                         i == 0);
        }
        if (call->scratch->size)
            text_put_buf(out, row, call->scratch);
        else
            column_set_null(out, (uint64_t)row);
    }
    return 0;
}

/* ---- schema_of_csv: silt_schema_of_csv(text, options..., pos) ---- */

static const char *time_type(const Csv *csv, Str text)
{
    JavaTimeParts parts;
    ParsedTimestamp parsed;
    int32_t days;
    bool dates = csv->style.prefer_date;

    if (dates && (csv->form.date ? text_by_format(csv->form.date, text, &parts)
                                 : text.size == 10 && text.ptr[4] == '-' && text.ptr[7] == '-' && parse_date(text, &days)))
        return "DATE";
    if (csv->form.timestamp ? text_by_format(csv->form.timestamp, text, &parts)
                            : text.size > 4 && text.ptr[4] == '-' && parse_timestamp(text, &parsed) && !parsed.just_time)
        return "TIMESTAMP";
    return NULL;
}

/* The first type that the field is a value of. */
static void put_type(StrBuf *out, const Csv *csv, const CsvField *field)
{
    const CsvStyle *style = &csv->style;
    int64_t whole;
    double number;
    Str text;

    if (csv_field_is_null(style, field, &text) || !text.size) {
        str_buf_puts(out, "STRING");
        return;
    }
    size_t digits = 0, sign = text.ptr[0] == '-' || text.ptr[0] == '+', all = text.size - (text.ptr[text.size - 1] == '.');

    while (sign + digits < all && text.ptr[sign + digits] >= '0' && text.ptr[sign + digits] <= '9')
        digits++;
    bool only_digits = digits && sign + digits == all,
         word = str_equal(text, style->nan) || str_equal(text, style->positive_infinity) || str_equal(text, style->negative_infinity);

    if (str_to_int64(text.ptr[0] == '+' ? (Str){text.ptr + 1, text.size - 1} : text, &whole))
        str_buf_puts(out, whole == (int32_t)whole ? "INT" : "BIGINT");
    else if (only_digits && digits <= 38)
        str_buf_printf(out, "DECIMAL(%zu,0)", digits);
    else if (word || parse_double(text, &number))
        str_buf_puts(out, "DOUBLE");
    else if (time_type(csv, text))
        str_buf_puts(out, time_type(csv, text));
    else
        str_buf_puts(out, str_is_nocase(text, "true") || str_is_nocase(text, "false") ? "BOOLEAN" : "STRING");
}

static int prepare_schema_of_csv(FnCall *call, SiltErr *err)
{
    return take_options(call, false, err);
}

static int schema_of_csv(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Csv *csv = call->data;

    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        CsvField *fields = NULL;
        int count;

        arena_reset(arena);
        int r = csv_split(arena, text, &csv->style, &fields, &count);

        if (r)
            return fail_split(call, row, text, r);
        if (!count)
            return fn_fail(call, row, "MALFORMED_CSV_RECORD", "there are no fields in \"%.*s\" to tell the types of", FN_SHOW(text));
        str_buf_clear(call->scratch);
        str_buf_puts(call->scratch, "STRUCT<");
        for (int i = 0; i < count; i++) {
            str_buf_printf(call->scratch, "%s_c%d: ", i ? ", " : "", i);
            put_type(call->scratch, csv, &fields[i]);
        }
        str_buf_putc(call->scratch, '>');
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_csv[] = {
    {.name = "silt_from_csv", .args = "string, any...", .result = NULL, .flags = FN_FAILS, .eval = from_csv, .prepare = prepare_from_csv},
    {.name = "silt_to_csv", .args = "any, any...", .result = "string", .flags = FN_VOLATILE, .eval = to_csv, .prepare = prepare_to_csv},
    {.name = "silt_schema_of_csv",
     .args = "string, any...",
     .result = "string",
     .flags = FN_FAILS,
     .eval = schema_of_csv,
     .prepare = prepare_schema_of_csv},
    {0},
};
