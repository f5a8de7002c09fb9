/*
 * duck/xml_take.c - see xml_take.h
 *
 * The order in which Spark's parser looks ahead and stops decides what a faulty record still gives, so it is kept:
 *
 *   T1  A field that does not fit is left as it was, its events are read on as if they were its parent's, and so its end is taken for the
 * parent's. T2  A struct inside of which something does not fit does not fit itself; the record gives what its own fields got. T3  A record
 * that is malformed up to where it was read gives nothing.
 */
#include "duck/xml_take.h"

#include <stdlib.h>
#include <string.h>

#include "duck/calendar.h"
#include "duck/parse.h"

/* A value before it goes into a column: elements of one list may stand apart in the text. */
typedef struct Slot Slot;
struct Slot {
    bool there; /* not NULL */
    Str text;
    char plain[16]; /* of a type without text, as in a column */
    Slot *fields;   /* STRUCT */
    Slot *items;    /* ARRAY, values of a MAP */
    Str *keys;
    int count, capacity, key_count, key_capacity;
};

typedef enum Taken { TAKEN, TAKEN_IN_PART, NOT_TAKEN } Taken;

/* ---- events ---- */

static const XmlEvent *peek(XmlTake *t)
{
    const XmlEvent *event = &t->events.items[t->at];

    t->broken = t->broken || event->kind == XML_EVENT_BROKEN;
    return event;
}

static const XmlEvent *next(XmlTake *t)
{
    const XmlEvent *event = peek(t);

    t->at += t->at + 1 < t->events.count;
    return event;
}

/* The end that has to come. */
static bool skip_end(XmlTake *t)
{
    const XmlEvent *event = next(t);

    while (event->kind == XML_EVENT_TEXT && xml_is_blank(event->text))
        event = next(t);
    return event->kind == XML_EVENT_END;
}

/* Behind a start: all up to its end. */
static void skip_element(XmlTake *t)
{
    for (int depth = 1; depth > 0 && !t->broken;) {
        XmlEventKind kind = next(t)->kind;

        depth += (kind == XML_EVENT_START) - (kind == XML_EVENT_END);
    }
}

/* ---- plain values ---- */

static Column scratch(const Type *type, Slot *out)
{
    return (Column){.type = type, .data = out->plain};
}

/* java.text.NumberFormat: the number that a text begins with, commas anywhere before the point. */
static bool number_at_start(Str text, bool negative, StrBuf *out)
{
    size_t i = 0;
    bool any = false;

    if (negative)
        str_buf_putc(out, '-');
    for (; i < text.size && ((text.ptr[i] >= '0' && text.ptr[i] <= '9') || text.ptr[i] == ','); i++)
        if (text.ptr[i] != ',') {
            str_buf_putc(out, text.ptr[i]);
            any = true;
        }
    if (i < text.size && text.ptr[i] == '.') {
        str_buf_putc(out, '.');
        for (i++; i < text.size && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++) {
            str_buf_putc(out, text.ptr[i]);
            any = true;
        }
    }
    if (any && i + 1 < text.size && text.ptr[i] == 'E') {
        size_t sign = text.ptr[i + 1] == '-', digits = i + 1 + sign;

        if (digits < text.size && text.ptr[digits] >= '0' && text.ptr[digits] <= '9') {
            str_buf_puts(out, sign ? "e-" : "e");
            for (i = digits; i < text.size && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++)
                str_buf_putc(out, text.ptr[i]);
        }
    }
    return any;
}

static bool put_floating(const XmlTake *t, Column *out, Str text)
{
    silt_auto(str_buf_fini) StrBuf number = {0};
    bool minus = text.size && text.ptr[0] == '-';

    if (text_value_put(t->form, t->zone, out, 0, text))
        return true;
    if (str_starts(text, "NaN"))
        return text_value_put(t->form, t->zone, out, 0, STR("NaN"));
    return number_at_start(minus ? (Str){text.ptr + 1, text.size - 1} : text, minus, &number) &&
           text_value_put(t->form, t->zone, out, 0, str_buf_view(&number));
}

static void negate(Column *value)
{
    switch ((int)value->type->kind) {
    case TYPE_INT:
        *(int32_t *)value->data = -*(int32_t *)value->data;
        break;
    case TYPE_LONG:
        *(int64_t *)value->data = -*(int64_t *)value->data;
        break;
    case TYPE_FLOAT:
        *(float *)value->data = -*(float *)value->data;
        break;
    default:
        *(double *)value->data = -*(double *)value->data;
    }
}

/* Spark takes a sign off and looks at the rest, which may have another one: and so the least INT has no place. */
static bool put_signed(const XmlTake *t, Column *out, Str text)
{
    bool minus = text.size && text.ptr[0] == '-', plus = text.size && text.ptr[0] == '+';
    bool floating = out->type->kind == TYPE_FLOAT || out->type->kind == TYPE_DOUBLE;
    Str rest = minus || plus ? (Str){text.ptr + 1, text.size - 1} : text;
    bool ok = floating ? put_floating(t, out, rest) : text_value_put(t->form, t->zone, out, 0, rest);

    if (ok && minus)
        negate(out);
    return ok;
}

static bool put_boolean(Column *out, Str text)
{
    *(uint8_t *)out->data = str_is_nocase(text, "true") || str_is(text, "1");
    return *(uint8_t *)out->data || str_is_nocase(text, "false") || str_is(text, "0");
}

static bool put_timestamp(const XmlTake *t, Column *out, Str text)
{
    ParsedTimestamp parsed;

    if (t->form->timestamp || !parse_timestamp(text, &parsed) || !parsed.just_time || parsed.zone.size)
        return text_value_put(t->form, t->zone, out, 0, text);
    *(int64_t *)out->data = zone_to_utc_us(t->zone, t->today_us + parsed.local_us);
    return true;
}

/* False: the text is no value of the type. */
static bool convert(const XmlTake *t, const Type *type, Str text, Slot *out)
{
    Column value = scratch(type, out);
    bool ok;

    text = xml_style_text(t->style, text);
    *out = (Slot){0};
    if (xml_style_is_null(t->style, text))
        return true;
    switch (type->kind) {
    case TYPE_STRING:
        out->text = text;
        ok = true;
        break;
    case TYPE_BOOLEAN:
        ok = put_boolean(&value, text);
        break;
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        ok = put_signed(t, &value, text);
        break;
    case TYPE_TIMESTAMP:
        ok = put_timestamp(t, &value, text);
        break;
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_DECIMAL:
    case TYPE_DATE:
    case TYPE_TIMESTAMP_NTZ:
        ok = text_value_put(t->form, t->zone, &value, 0, text);
        break;
    default:
        ok = false; /* no text is one of these in Spark's reader */
    }
    out->there = ok;
    return ok;
}

/* ---- elements ---- */

static int field_of(const Type *type, Str name)
{
    for (int i = 0; i < type->field_count; i++)
        if (str_is_nocase(name, type->fields[i].name))
            return i;
    return -1;
}

static int exact_field_of(const Type *type, Str name)
{
    for (int i = 0; i < type->field_count; i++)
        if (str_is(name, type->fields[i].name))
            return i;
    return -1;
}

static Str prefixed(const XmlTake *t, Str name)
{
    return str_of(
        arena_printf(t->arena, "%.*s%.*s", (int)t->style->attribute_prefix.size, t->style->attribute_prefix.ptr, (int)name.size, name.ptr));
}

static void add_item(XmlTake *t, Slot *list, const Slot *item)
{
    list->there = true;
    ARENA_PUSH(t->arena, list->items, list->count, list->capacity, *item);
}

static void set_entry(XmlTake *t, Slot *map, Str key, const Slot *value)
{
    for (int i = 0; i < map->count; i++)
        if (str_equal(map->keys[i], key)) {
            map->items[i] = *value;
            return;
        }
    ARENA_PUSH(t->arena, map->keys, map->key_count, map->key_capacity, key);
    add_item(t, map, value);
}

/* Of an element with a name of a STRUCT's field. */
static bool take_attributes(XmlTake *t, const Type *type, const XmlEvent *start, Slot *fields)
{
    for (int i = 0; i < start->attribute_count && !t->style->no_attributes; i++) {
        const XmlAttribute *attribute = &t->events.attributes[start->first_attribute + i];
        int field = field_of(type, prefixed(t, xml_style_name(t->style, attribute->name)));
        Slot value;

        if (field < 0)
            continue;
        if (!convert(t, type->fields[field].type, attribute->value, &value))
            return false;
        fields[field] = value;
    }
    return true;
}

static Taken take_object(XmlTake *t, const Type *type, const XmlEvent *start, Slot *out);
static bool take_field(XmlTake *t, const Type *type, const XmlEvent *start, Slot *out);

/* What is in an element as text, its children with their tags. */
static bool take_as_text(XmlTake *t, Slot *out)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    int depth = 0;

    do {
        const XmlEvent *event = next(t);

        switch (event->kind) {
        case XML_EVENT_START:
            str_buf_printf(&text, "<%.*s", (int)event->text.size, event->text.ptr);
            for (int i = 0; i < event->attribute_count; i++) {
                const XmlAttribute *attribute = &t->events.attributes[event->first_attribute + i];

                str_buf_printf(&text, " %.*s=\"", (int)attribute->name.size, attribute->name.ptr);
                str_buf_str(&text, attribute->value);
                str_buf_putc(&text, '"');
            }
            str_buf_putc(&text, '>');
            depth++;
            break;
        case XML_EVENT_END:
            str_buf_printf(&text, "</%.*s>", (int)event->text.size, event->text.ptr);
            depth--;
            break;
        case XML_EVENT_TEXT:
            str_buf_str(&text, event->text);
            break;
        default:
            return false;
        }
    } while (peek(t)->kind != XML_EVENT_END || depth > 0);
    return skip_end(t) && convert(t, type_simple(TYPE_STRING), arena_str(t->arena, str_buf_view(&text)), out);
}

static bool take_map(XmlTake *t, const Type *type, const XmlEvent *start, Slot *out)
{
    Slot value;

    *out = (Slot){.there = true};
    for (int i = 0; start && i < start->attribute_count; i++) {
        const XmlAttribute *attribute = &t->events.attributes[start->first_attribute + i];

        if (!convert(t, type->element, attribute->value, &value))
            return false;
        set_entry(t, out, prefixed(t, attribute->name), &value);
    }
    for (;;) {
        const XmlEvent *event = next(t);

        switch (event->kind) {
        case XML_EVENT_START:
            if (!take_field(t, type->element, NULL, &value))
                return false;
            set_entry(t, out, xml_style_name(t->style, event->text), &value);
            break;
        case XML_EVENT_TEXT:
            if (xml_is_blank(event->text))
                break;
            if (!convert(t, type->element, event->text, &value))
                return false;
            set_entry(t, out, t->style->value_tag, &value);
            break;
        default:
            return !t->broken;
        }
    }
}

/* What follows a start. start: with its attributes, NULL where Spark does not hand them on. */
static bool take_field(XmlTake *t, const Type *type, const XmlEvent *start, Slot *out)
{
    const XmlEvent *event = peek(t);

    while (event->kind == XML_EVENT_TEXT && xml_is_blank(event->text) && type->kind != TYPE_STRUCT && type->kind != TYPE_STRING) {
        next(t);
        event = peek(t);
    }
    if (event->kind == XML_EVENT_END) {
        bool is_null = type->kind != TYPE_STRING || (t->style->has_null && !t->style->null_text.size);

        *out = (Slot){.there = !is_null, .text = STR("")};
        return skip_end(t);
    }
    if (event->kind != XML_EVENT_START && event->kind != XML_EVENT_TEXT)
        return false;
    if (type->kind == TYPE_STRUCT)
        return take_object(t, type, NULL, out) == TAKEN;
    if (type->kind == TYPE_STRING)
        return take_as_text(t, out);
    if (event->kind == XML_EVENT_START)
        return type->kind == TYPE_MAP && take_map(t, type, start, out);
    if (!convert(t, type, event->text, out))
        return false; /* T1: the text is not taken yet */
    next(t);
    return skip_end(t);
}

/* A STRUCT with the attributes of its element, which come before its fields. */
static bool take_struct(XmlTake *t, const Type *type, const XmlEvent *start, Slot *out)
{
    Slot *attributes = ARENA_ARRAY(t->arena, Slot, type->field_count + 1), *fields = NULL;
    Slot content = {0};

    if (!take_attributes(t, type, start, attributes) || !take_field(t, type, NULL, &content))
        return false;
    fields = content.fields ? content.fields : ARENA_ARRAY(t->arena, Slot, type->field_count + 1);
    for (int i = 0; i < start->attribute_count && !t->style->no_attributes; i++) {
        int field = field_of(type, prefixed(t, xml_style_name(t->style, t->events.attributes[start->first_attribute + i].name)));

        if (field >= 0)
            fields[field] = attributes[field];
    }
    *out = (Slot){.there = true, .fields = fields};
    return true;
}

static bool take_wildcard(XmlTake *t, const Type *type, int field, Slot *fields)
{
    const Type *wanted = type->fields[field].type;
    Slot value;

    if (!take_field(t, type_simple(TYPE_STRING), NULL, &value))
        return false;
    if (wanted->kind == TYPE_ARRAY && wanted->element->kind == TYPE_STRING)
        add_item(t, &fields[field], &value);
    else if (wanted->kind == TYPE_STRING)
        fields[field] = value;
    else
        return false;
    return true;
}

/* Behind the start of a child. */
static bool take_child(XmlTake *t, const Type *type, const XmlEvent *start, Slot *fields)
{
    int field = field_of(type, xml_style_name(t->style, start->text)), wildcard = exact_field_of(type, t->style->wildcard);
    Slot value = {0};
    bool ok;

    if (field < 0 && wildcard >= 0)
        return take_wildcard(t, type, wildcard, fields);
    if (field < 0) {
        skip_element(t);
        return true;
    }
    const Type *wanted = type->fields[field].type, *one = wanted->kind == TYPE_ARRAY ? wanted->element : wanted;

    if (one->kind == TYPE_STRUCT)
        ok = take_struct(t, one, start, &value);
    else
        ok = take_field(t, one, wanted->kind == TYPE_ARRAY ? NULL : start, &value);
    if (ok && wanted->kind == TYPE_ARRAY)
        add_item(t, &fields[field], &value);
    else if (ok)
        fields[field] = value;
    return ok;
}

static bool take_value_tag(XmlTake *t, const Type *type, Str text, Slot *fields)
{
    int field = exact_field_of(type, t->style->value_tag);
    Slot value;

    if (field < 0)
        return true;
    bool list = type->fields[field].type->kind == TYPE_ARRAY;

    if (!convert(t, list ? type->fields[field].type->element : type->fields[field].type, text, &value))
        return false;
    if (list)
        add_item(t, &fields[field], &value);
    else
        fields[field] = value;
    return true;
}

/* All up to the end of the element. start: with attributes that are taken before; NULL: none. */
static Taken take_object(XmlTake *t, const Type *type, const XmlEvent *start, Slot *out)
{
    bool whole = true;

    *out = (Slot){.there = true, .fields = ARENA_ARRAY(t->arena, Slot, type->field_count + 1)};
    if (start && !take_attributes(t, type, start, out->fields))
        return NOT_TAKEN;
    for (;;) {
        const XmlEvent *event = next(t);

        if (t->broken)
            return NOT_TAKEN; /* T3 */
        if (event->kind == XML_EVENT_START)
            whole = take_child(t, type, event, out->fields) && whole; /* T1 */
        else if (event->kind == XML_EVENT_TEXT && !xml_is_blank(event->text) && !take_value_tag(t, type, event->text, out->fields))
            return NOT_TAKEN;
        else if (event->kind == XML_EVENT_END || event->kind == XML_EVENT_FINISH)
            return whole ? TAKEN : TAKEN_IN_PART; /* T2 */
    }
}

/* ---- into columns ---- */

struct XmlFill {
    uint64_t used;
    XmlFill *children;
};

XmlFill *xml_fill_new(Arena *arena, const Column *column)
{
    XmlFill *fill = ARENA_NEW(arena, XmlFill);

    fill->children = column->child_count ? ARENA_ARRAY(arena, XmlFill, column->child_count) : NULL;
    for (int i = 0; i < column->child_count; i++)
        fill->children[i] = *xml_fill_new(arena, &column->children[i]);
    return fill;
}

static size_t size_of(const Type *type)
{
    switch (type->kind) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
        return 1;
    case TYPE_SHORT:
        return 2;
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_DATE:
        return 4;
    case TYPE_DECIMAL:
        return type->precision <= 4 ? 2 : type->precision <= 9 ? 4 : type->precision <= 18 ? 8 : 16;
    default:
        return 8;
    }
}

static void put(Column *out, XmlFill *fill, uint64_t row, const Slot *slot)
{
    const Type *type = out->type;

    if (!slot || !slot->there) {
        column_set_null(out, row);
        return;
    }
    if (type->kind == TYPE_STRUCT) {
        for (int i = 0; i < out->child_count; i++)
            put(&out->children[i], &fill->children[i], row, &slot->fields[i]);
    } else if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) {
        bool map = type->kind == TYPE_MAP;
        uint64_t from = fill->used, count = (uint64_t)slot->count;

        fill->used += count;
        column_list_reserve(out, fill->used);
        for (uint64_t i = 0; i < count; i++) {
            if (map)
                column_set_string(&out->children[0], from + i, slot->keys[i].ptr, slot->keys[i].size);
            put(&out->children[map], &fill->children[map], from + i, &slot->items[i]);
        }
        ((ChunkList *)out->data)[row] = (ChunkList){from, count};
    } else if (type->kind == TYPE_STRING) {
        column_set_string(out, row, slot->text.ptr ? slot->text.ptr : "", slot->text.size);
    } else {
        size_t size = size_of(type);

        memcpy((char *)out->data + row * size, slot->plain, size);
    }
}

bool xml_take(XmlTake *t, XmlEvents events, Column *out, XmlFill *fill, uint64_t row)
{
    Slot record = {0};
    Taken taken = NOT_TAKEN;

    t->events = events;
    t->at = 0;
    t->broken = false;
    const XmlEvent *root = next(t);

    if (root->kind == XML_EVENT_START)
        taken = take_object(t, out->type, root, &record);
    for (int i = 0; i < out->child_count; i++)
        put(&out->children[i], &fill->children[i], row, taken == NOT_TAKEN ? NULL : &record.fields[i]);
    return taken == TAKEN;
}

/* inside: of a list or a map, where another list has no place */
static bool fits(Arena *arena, const Type *type, bool inside, const char **why)
{
    bool list = type->kind == TYPE_ARRAY || type->kind == TYPE_MAP;

    if (type->kind == TYPE_VARIANT || type->kind == TYPE_TIME || type->kind == TYPE_VOID || (type->kind == TYPE_ARRAY && inside)) {
        *why = arena_printf(arena, type->kind == TYPE_ARRAY ? "%s as an element of a list or a map" : "%s", type_text(arena, type));
        return false;
    }
    if (list)
        return fits(arena, type->element, true, why);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (!fits(arena, type->fields[i].type, false, why))
            return false;
    return true;
}

bool xml_take_fits(Arena *arena, const Type *type, const char **why)
{
    return fits(arena, type, false, why);
}
