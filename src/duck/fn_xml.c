/*
 * duck/fn_xml.c - from_xml, to_xml and schema_of_xml
 *
 * The options come as constant arguments, names and values by turns (xml_style.h).
 */
#include "duck/calendar.h"
#include "duck/column_put.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/xml_infer.h"
#include "duck/xml_take.h"
#include "duck/xml_write.h"

/* What the options say. */
typedef struct Xml {
    XmlStyle style;
    const Zone *zone; /* NULL: the session's */
    TextForm form;
    int corrupt; /* index of the field that takes records which do not fit; -1: none */
} Xml;

static int option_format(FnCall *call, Str text, bool reading, const char *otherwise, const JavaTime **out, SiltErr *err)
{
    Str pattern = text.size || !otherwise ? text : str_of(otherwise);

    return pattern.size ? java_time_new(call->arena, pattern, reading, out, err) : 0;
}

/* The options from argument 1 on, into call->data. */
static int take_options(FnCall *call, bool reading, SiltErr *err)
{
    Xml *x = ARENA_NEW(call->arena, Xml);
    XmlStyle *style = &x->style;

    *x = (Xml){.corrupt = -1, .form = {.nan = STR("NaN"), .positive_infinity = STR("Infinity"), .negative_infinity = STR("-Infinity")}};
    call->data = x;
    xml_style_init(style);
    for (int i = 1; i + 1 < call->arg_count; i += 2) {
        const Column *name = &call->constants[i], *value = &call->constants[i + 1];

        if (!name->type || !value->type || column_is_null(name, 0) || column_is_null(value, 0))
            return silt_fail(err, SILT_CONFIG, "the options of XML must be constants");
        SILT_TRY(xml_style_set(style, arena_str(call->arena, text_at(name, 0)), arena_str(call->arena, text_at(value, 0)), err));
    }
    SILT_TRY(xml_style_finish(style, err));
    if (style->time_zone.size && !(x->zone = duck__zone_by_name(style->time_zone, err)))
        return -1;
    SILT_TRY(
        option_format(call, style->timestamp_format, reading, reading ? NULL : "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", &x->form.timestamp, err));
    SILT_TRY(option_format(call, style->ntz_format, reading, reading ? NULL : "yyyy-MM-dd'T'HH:mm:ss.SSS", &x->form.timestamp_ntz, err));
    return option_format(call, style->date_format, reading, reading && style->prefer_date ? "yyyy-MM-dd" : NULL, &x->form.date, err);
}

static const Zone *zone_of(FnCall *call, SiltErr *err)
{
    const Xml *x = call->data;

    return x->zone ? x->zone : duck__session_zone(call->session, err);
}

/* ---- "silt_from_xml:struct<..>"(text, options..., pos) ---- */

static int prepare_from_xml(FnCall *call, SiltErr *err)
{
    const Type *type = call->result_type;
    const char *why;

    if (type->kind != TYPE_STRUCT)
        return silt_fail(err, SILT_CONFIG, "from_xml makes a STRUCT");
    if (!xml_take_fits(call->arena, type, &why))
        return silt_fail(err, SILT_CONFIG, "from_xml does not make %s", why);
    SILT_TRY(take_options(call, true, err));
    Xml *x = call->data;

    for (int i = 0; i < type->field_count; i++)
        if (type->fields[i].type->kind == TYPE_STRING && str_is(x->style.corrupt, type->fields[i].name))
            x->corrupt = i;
    return 0;
}

static int from_xml(FnCall *call, const Column *args, Column *out, int rows)
{
    const Xml *x = call->data;
    silt_auto(arena_freep) Arena *arena = arena_new(), *fills = arena_new();
    SiltErr err = {0};
    XmlTake take = {.style = &x->style, .form = &x->form, .zone = zone_of(call, &err), .arena = arena};
    silt_auto(xml_event_reader_freep) XmlEventReader *reader = take.zone ? xml_event_reader_new(&err) : NULL;
    XmlFill *fill = xml_fill_new(fills, out);

    if (!reader)
        return fn_fail(call, 0, err.code, "%s", err.message);
    take.today_us = floor_div(zone_to_local_us(take.zone, call->session->now_us), DAY_US) * DAY_US;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);

        arena_reset(arena);
        bool fits = xml_take(&take, xml_events_read(reader, arena, text), out, fill, (uint64_t)row);

        if (!fits && x->style.fail_fast)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" does not fit the schema of from_xml",
                           FN_SHOW(text));
        if (x->corrupt < 0)
            continue;
        Column *corrupt = &out->children[x->corrupt];

        if (fits) {
            column_set_null(corrupt, (uint64_t)row);
        } else {
            column_set_valid(corrupt, (uint64_t)row);
            column_set_string(corrupt, (uint64_t)row, text.ptr ? text.ptr : "", text.size);
        }
    }
    return 0;
}

/* ---- silt_schema_of_xml(text, options..., pos) ---- */

static int prepare_schema_of_xml(FnCall *call, SiltErr *err)
{
    return take_options(call, true, err);
}

static int schema_of_xml(FnCall *call, const Column *args, Column *out, int rows)
{
    const Xml *x = call->data;
    silt_auto(arena_freep) Arena *arena = arena_new();
    SiltErr err = {0};
    silt_auto(xml_event_reader_freep) XmlEventReader *reader = xml_event_reader_new(&err);

    if (!reader)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        const Type *type;

        arena_reset(arena);
        str_buf_clear(call->scratch);
        int r = xml_infer(arena, &x->style, &x->form, xml_events_read(reader, arena, text), &type);

        if (r == XML_TOO_DEEP)
            return fn_fail(call, row, "UNSUPPORTED_FEATURE.XML_DEPTH", "elements nest deeper than %d levels", XML_INFER_DEPTH_MAX);
        if (r == XML_MALFORMED && x->style.fail_fast)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" is no XML", FN_SHOW(text));
        if (r == XML_MALFORMED) {
            TypeField field = {.name = arena_strndup(arena, x->style.corrupt.ptr, x->style.corrupt.size),
                               .type = type_simple(TYPE_STRING),
                               .nullable = true};

            type = type_struct(arena, &field, 1);
        }
        type_print_sql(call->scratch, type);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- silt_to_xml(struct, options..., pos) ---- */

static int prepare_to_xml(FnCall *call, SiltErr *err)
{
    const char *why;

    SILT_TRY(take_options(call, false, err));
    Xml *x = call->data;
    Str format = x->style.timestamp_format;

    if (!xml_write_fits(call->arena, &x->style, call->arg_types[0], &why))
        return silt_fail(err, SILT_CONFIG, "to_xml does not write %s", why);
    if (memchr(format.ptr, 'z', format.size) || memchr(format.ptr, 'V', format.size))
        return silt_fail(err, SILT_CONFIG, "to_xml does not write names of time zones (pattern letters z and V)");
    return 0;
}

static int to_xml(FnCall *call, const Column *args, Column *out, int rows)
{
    const Xml *x = call->data;
    SiltErr err = {0};
    XmlWrite write = {&x->style, x->form.timestamp, x->form.timestamp_ntz, x->form.date, zone_of(call, &err)};

    if (!write.zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        if (xml_write(&write, &args[0], (uint64_t)row, call->scratch, &err) < 0)
            return fn_fail(call, row, "INVALID_PARAMETER_VALUE", "to_xml: %s", err.message);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_xml[] = {
    {.name = "silt_from_xml", .args = "string, any...", .flags = FN_FAILS, .eval = from_xml, .prepare = prepare_from_xml},
    {.name = "silt_schema_of_xml",
     .args = "string, any...",
     .result = "string",
     .flags = FN_FAILS,
     .eval = schema_of_xml,
     .prepare = prepare_schema_of_xml},
    {.name = "silt_to_xml", .args = "any, any...", .result = "string", .flags = FN_FAILS, .eval = to_xml, .prepare = prepare_to_xml},
    {0},
};
