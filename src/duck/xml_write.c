/*
 * duck/xml_write.c - see xml_write.h
 *
 *   W1  A start tag stays open until something comes into its element: attributes go there, and an element that stays empty is closed by
 * "/>". W2  An end tag stands on a line of its own when the last thing in its element was an element.
 */
#include "duck/xml_write.h"

#include <stdlib.h>
#include <string.h>

#include "duck/calendar.h"
#include "duck/print.h"
#include "duck/unicode_case.h"

typedef struct Out {
    const XmlWrite *write;
    StrBuf *text;
    SiltErr *err;
    int depth;
    bool tag_open;      /* W1 */
    bool after_element; /* W2 */
} Out;

/* ---- names and texts ---- */

static bool starts_name(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 0xC0 && c <= 0x2FF && c != 0xD7 && c != 0xF7) ||
           (c >= 0x370 && c <= 0x1FFF && c != 0x37E) || c == 0x200C || c == 0x200D || (c >= 0x2070 && c <= 0x218F) ||
           (c >= 0x2C00 && c <= 0x2FEF) || (c >= 0x3001 && c <= 0xD7FF) || (c >= 0xF900 && c <= 0xFDCF) || (c >= 0xFDF0 && c <= 0xFFFD) ||
           (c >= 0x10000 && c <= 0xEFFFF);
}

static bool is_name(Str name)
{
    bool ok = name.size > 0;

    for (size_t i = 0; i < name.size && ok;) {
        int size;
        uint32_t c = utf8_get(name.ptr + i, &size);

        ok = starts_name(c) || (i > 0 && ((c >= '0' && c <= '9') || c == '-' || c == '.' || c == 0xB7 || (c >= 0x300 && c <= 0x36F) ||
                                          c == 0x203F || c == 0x2040));
        i += (size_t)size;
    }
    return ok;
}

static int check_name(Out *o, Str name)
{
    if (!o->write->style->check_names || is_name(name))
        return 0;
    return silt_fail(o->err, SILT_INPUT, "\"%.*s\" is no name in XML", (int)(name.size < 100 ? name.size : 100), name.ptr);
}

static bool is_allowed(uint32_t c)
{
    return c >= 0x20 ? c != 0xFFFE && c != 0xFFFF : c == '\t' || c == '\n' || c == '\r';
}

static int put_escaped(Out *o, Str text, bool attribute)
{
    for (size_t i = 0; i < text.size;) {
        int size;
        uint32_t c = utf8_get(text.ptr + i, &size);

        if (!is_allowed(c))
            return silt_fail(o->err, SILT_INPUT, "XML has no place for the character U+%04X", c);
        if (c == '&')
            str_buf_puts(o->text, "&amp;");
        else if (c == '<')
            str_buf_puts(o->text, "&lt;");
        else if (c == '>' && !attribute && (i == 0 || text.ptr[i - 1] == ']'))
            str_buf_puts(o->text, "&gt;");
        else if (c == '"' && attribute)
            str_buf_puts(o->text, "&quot;");
        else if (c == '\r' || (c < 0x20 && attribute) || (c >= 0x7F && c < 0xA0))
            str_buf_printf(o->text, "&#x%x;", c);
        else
            str_buf_add(o->text, text.ptr + i, (size_t)size);
        i += (size_t)size;
    }
    return 0;
}

/* ---- tags ---- */

static void close_tag(Out *o)
{
    if (o->tag_open)
        str_buf_putc(o->text, '>');
    o->tag_open = false;
}

static void put_line(Out *o)
{
    if (!o->write->style->indent.size)
        return;
    close_tag(o);
    str_buf_putc(o->text, '\n');
    for (int i = 0; i < o->depth; i++)
        str_buf_str(o->text, o->write->style->indent);
}

static int put_start(Out *o, Str name)
{
    SILT_TRY(check_name(o, name));
    if (o->depth > 0)
        put_line(o);
    close_tag(o);
    str_buf_putc(o->text, '<');
    str_buf_str(o->text, name);
    o->depth++;
    o->tag_open = true;
    o->after_element = false;
    return 0;
}

static void put_end(Out *o, Str name)
{
    o->depth--;
    if (o->after_element)
        put_line(o);
    if (o->tag_open)
        str_buf_puts(o->text, "/>");
    else
        str_buf_printf(o->text, "</%.*s>", (int)name.size, name.ptr);
    o->tag_open = false;
    o->after_element = true;
}

static int put_text(Out *o, Str text)
{
    close_tag(o);
    o->after_element = false;
    return put_escaped(o, text, false);
}

/* ---- values ---- */

/* BigDecimal.toString: with an exponent where the point would stand far left. */
static void put_decimal(StrBuf *out, const Column *column, uint64_t row)
{
    silt_auto(str_buf_fini) StrBuf whole = {0};
    int scale = column->type->scale;

    print_decimal(&whole, decimal_value(column, row), 0);
    Str digits = str_buf_view(&whole);
    bool minus = digits.ptr[0] == '-';

    if (minus)
        digits = (Str){digits.ptr + 1, digits.size - 1};
    int exponent = (int)digits.size - 1 - scale;

    if (!scale || exponent >= -6) {
        print_decimal(out, decimal_value(column, row), scale);
        return;
    }
    str_buf_printf(out, "%s%c", minus ? "-" : "", digits.ptr[0]);
    if (digits.size > 1)
        str_buf_printf(out, ".%.*s", (int)digits.size - 1, digits.ptr + 1);
    str_buf_printf(out, "E%d", exponent);
}

/* Attributes have the numbers that Spark keeps of times. */
static void print_value(const Out *o, StrBuf *out, const Column *column, uint64_t row, bool attribute)
{
    const XmlWrite *w = o->write;
    int64_t us;

    switch ((int)column->type->kind) {
    case TYPE_DECIMAL:
        put_decimal(out, column, row);
        return;
    case TYPE_BINARY:
        print_bytes(out, chunk_string((const ChunkString *)column->data + row));
        return;
    case TYPE_DATE:
        if (attribute)
            str_buf_printf(out, "%d", ((const int32_t *)column->data)[row]);
        else if (w->date)
            java_time_format(out, w->date, ((const int32_t *)column->data)[row] * DAY_US, 0, "UTC");
        else
            print_date(out, ((const int32_t *)column->data)[row]);
        return;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        us = ((const int64_t *)column->data)[row];
        if (attribute)
            str_buf_printf(out, "%lld", (long long)us);
        else if (column->type->kind == TYPE_TIMESTAMP)
            java_time_format(out, w->timestamp, zone_to_local_us(w->zone, us), zone_offset_seconds(w->zone, us), "UTC");
        else
            java_time_format(out, w->timestamp_ntz, us, 0, "UTC");
        return;
    default:
        value_print(out, column, row, w->zone);
    }
}

static bool is_attribute(const XmlStyle *style, Str name)
{
    return name.size >= style->attribute_prefix.size && !memcmp(name.ptr, style->attribute_prefix.ptr, style->attribute_prefix.size) &&
           !str_equal(name, style->value_tag);
}

static bool is_null(const Column *column, uint64_t row)
{
    return column->type->kind == TYPE_VOID || column_is_null(column, row);
}

static int put_attribute(Out *o, Str name, const Column *column, uint64_t row)
{
    const XmlStyle *style = o->write->style;
    silt_auto(str_buf_fini) StrBuf text = {0};
    Str plain = {name.ptr + style->attribute_prefix.size, name.size - style->attribute_prefix.size};

    if (is_null(column, row) && !style->has_null)
        return 0;
    if (!o->tag_open)
        return silt_fail(o->err, SILT_INPUT, "the attribute \"%.*s\" comes behind what is in its element", (int)plain.size, plain.ptr);
    SILT_TRY(check_name(o, plain));
    if (is_null(column, row))
        str_buf_str(&text, style->null_text);
    else
        print_value(o, &text, column, row, true);
    str_buf_printf(o->text, " %.*s=\"", (int)plain.size, plain.ptr);
    SILT_TRY(put_escaped(o, str_buf_view(&text), true));
    str_buf_putc(o->text, '"');
    return 0;
}

static int put_content(Out *o, const Column *column, uint64_t row);

static int put_element(Out *o, Str name, const Column *column, uint64_t row)
{
    if (is_null(column, row) && !o->write->style->has_null)
        return 0;
    if (str_equal(name, o->write->style->value_tag))
        return put_content(o, column, row);
    SILT_TRY(put_start(o, name));
    SILT_TRY(put_content(o, column, row));
    put_end(o, name);
    return 0;
}

static int put_child(Out *o, Str name, const Column *column, uint64_t row)
{
    if (is_attribute(o->write->style, name))
        return put_attribute(o, name, column, row);
    if (column->type->kind != TYPE_ARRAY || column_is_null(column, row))
        return put_element(o, name, column, row);
    ChunkList list = ((const ChunkList *)column->data)[row];

    for (uint64_t i = list.offset; i < list.offset + list.length; i++)
        SILT_TRY(put_element(o, name, &column->children[0], i));
    return 0;
}

/* Attributes first. */
static int put_fields(Out *o, const Column *column, uint64_t row)
{
    for (int elements = 0; elements < 2; elements++)
        for (int i = 0; i < column->child_count; i++) {
            Str name = str_of(column->type->fields[i].name);

            if (is_attribute(o->write->style, name) == !elements)
                SILT_TRY(put_child(o, name, &column->children[i], row));
        }
    return 0;
}

static int put_entries(Out *o, const Column *column, uint64_t row)
{
    ChunkList list = ((const ChunkList *)column->data)[row];

    for (int elements = 0; elements < 2; elements++)
        for (uint64_t i = list.offset; i < list.offset + list.length; i++) {
            silt_auto(str_buf_fini) StrBuf name = {0};

            value_print(&name, &column->children[0], i, o->write->zone);
            if (is_attribute(o->write->style, str_buf_view(&name)) == !elements)
                SILT_TRY(put_child(o, str_buf_view(&name), &column->children[1], i));
        }
    return 0;
}

static int put_content(Out *o, const Column *column, uint64_t row)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (is_null(column, row))
        return put_text(o, o->write->style->null_text);
    if (column->type->kind == TYPE_STRUCT)
        return put_fields(o, column, row);
    if (column->type->kind == TYPE_MAP)
        return put_entries(o, column, row);
    if (column->type->kind == TYPE_ARRAY) {
        ChunkList list = ((const ChunkList *)column->data)[row];

        for (uint64_t i = list.offset; i < list.offset + list.length; i++)
            SILT_TRY(put_child(o, o->write->style->element_name, &column->children[0], i));
        return 0;
    }
    print_value(o, &text, column, row, false);
    return put_text(o, str_buf_view(&text));
}

int xml_write(const XmlWrite *write, const Column *column, uint64_t row, StrBuf *out, SiltErr *err)
{
    Out o = {.write = write, .text = out, .err = err};

    SILT_TRY(put_element(&o, write->style->row_tag, column, row));
    if (!write->style->indent.size)
        str_buf_putc(out, '\n');
    return 0;
}

/* attribute: under a name of one, as which lists and structs have no text */
static bool fits(Arena *arena, const XmlStyle *style, const Type *type, bool attribute, const char **why)
{
    bool nested = type->kind == TYPE_ARRAY || type->kind == TYPE_MAP || type->kind == TYPE_STRUCT;
    bool plain_key =
        type->kind != TYPE_MAP || type->key->kind == TYPE_STRING || type->key->kind == TYPE_VOID || type_is_integral(type->key);

    switch ((int)type->kind) {
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
    case TYPE_TIME:
    case TYPE_VARIANT:
        break;
    default:
        if ((attribute && (nested || type->kind == TYPE_BINARY)) || !plain_key)
            break;
        if ((type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) && !fits(arena, style, type->element, false, why))
            return false;
        for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
            if (!fits(arena, style, type->fields[i].type, is_attribute(style, str_of(type->fields[i].name)), why))
                return false;
        return true;
    }
    *why = arena_printf(arena, "%s%s", type_text(arena, type), attribute ? " as an attribute" : "");
    return false;
}

bool xml_write_fits(Arena *arena, const XmlStyle *style, const Type *type, const char **why)
{
    return fits(arena, style, type, false, why);
}
