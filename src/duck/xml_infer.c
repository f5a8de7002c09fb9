/*
 * duck/xml_infer.c - see xml_infer.h
 *
 * A field without a value is VOID until the end, where it becomes a STRING; a name that comes again makes its field a list.
 */
#include "duck/xml_infer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "duck/parse.h"

typedef struct Infer {
    Arena *arena;
    const XmlStyle *style;
    const TextForm *form;
    XmlEvents events;
    int at;
    int depth;
    bool broken, too_deep;
} Infer;

/* The fields of one element while it is read; sorted at its end. */
typedef struct Fields {
    TypeField *items;
    int count, capacity;
} Fields;

static const XmlEvent *peek(Infer *f)
{
    const XmlEvent *event = &f->events.items[f->at];

    f->broken = f->broken || event->kind == XML_EVENT_BROKEN;
    return event;
}

static const XmlEvent *next(Infer *f)
{
    const XmlEvent *event = peek(f);

    f->at += f->at + 1 < f->events.count;
    return event;
}

/* ---- values ---- */

/* DECIMAL for digits with a point; NULL: it does not fit one. */
static const Type *decimal_of(Str text)
{
    int digits = 0, scale = 0, leading = 1;
    bool point = false;

    for (size_t i = text.ptr[0] == '-' || text.ptr[0] == '+'; i < text.size; i++) {
        char c = text.ptr[i];

        if (c == ',')
            continue;
        if (c == '.' ? point : c < '0' || c > '9')
            return NULL; /* an exponent makes a DOUBLE here: what it scales to more than 0 digits is left aside */
        point = point || c == '.';
        scale += point && c != '.';
        leading = leading && (c == '0' || c == '.');
        digits += c != '.' && !leading;
    }
    int precision = digits > scale ? digits : scale;

    if (!precision)
        precision = 1;
    return precision <= 38 ? type_decimal(precision, scale) : NULL;
}

static bool is_date(const Infer *f, Str text)
{
    JavaTimeParts parts;
    int32_t days;

    return f->form->date ? text_by_format(f->form->date, text, &parts) : parse_date(text, &days);
}

static bool is_timestamp(const Infer *f, Str text)
{
    JavaTimeParts parts;
    ParsedTimestamp parsed;

    return f->form->timestamp ? text_by_format(f->form->timestamp, text, &parts) : parse_timestamp(text, &parsed);
}

static const Type *type_of_text(const Infer *f, Str text)
{
    int64_t whole;
    double number;

    text = xml_style_text(f->style, text);
    if (!f->style->infer)
        return type_simple(TYPE_STRING);
    if (!text.size || xml_style_is_null(f->style, text))
        return type_simple(TYPE_VOID);
    bool sign = text.ptr[0] == '+' || text.ptr[0] == '-';
    Str rest = sign ? (Str){text.ptr + 1, text.size - 1} : text;
    bool digit = rest.size && rest.ptr[0] >= '0' && rest.ptr[0] <= '9', point = rest.size && rest.ptr[0] == '.';
    bool suffix = rest.size && strchr("dDfF", rest.ptr[rest.size - 1]);

    if (digit && str_to_int64(rest, &whole))
        return type_simple(TYPE_LONG);
    if ((digit || point) && !suffix) {
        const Type *decimal = f->style->prefer_decimal ? decimal_of(text) : NULL;

        if (decimal)
            return decimal;
        if (parse_double(rest, &number))
            return type_simple(TYPE_DOUBLE);
    }
    if (str_is_nocase(text, "true") || str_is_nocase(text, "false"))
        return type_simple(TYPE_BOOLEAN);
    if (is_date(f, text))
        return type_simple(TYPE_DATE);
    return type_simple(is_timestamp(f, text) ? TYPE_TIMESTAMP : TYPE_STRING);
}

/* ---- what two values have in common ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const TypeField *)a)->name, ((const TypeField *)b)->name);
}

static const Type *sorted_struct(Arena *arena, Fields *fields)
{
    if (fields->count)
        qsort(fields->items, (size_t)fields->count, sizeof *fields->items, by_name);
    return type_struct(arena, fields->items, fields->count);
}

static TypeField *find(const Fields *fields, const char *name)
{
    for (int i = 0; i < fields->count; i++)
        if (!strcasecmp(fields->items[i].name, name))
            return &fields->items[i];
    return NULL;
}

static void add_field(Arena *arena, Fields *fields, const char *name, const Type *type)
{
    TypeField field = {.name = name, .type = type, .nullable = true};

    ARENA_PUSH(arena, fields->items, fields->count, fields->capacity, field);
}

static const Type *merge(const Infer *f, const Type *a, const Type *b);

static const Type *merge_structs(const Infer *f, const Type *a, const Type *b)
{
    Fields fields = {0};

    for (int i = 0; i < a->field_count + b->field_count; i++) {
        const TypeField *each = i < a->field_count ? &a->fields[i] : &b->fields[i - a->field_count];
        TypeField *known = find(&fields, each->name);

        if (known)
            known->type = merge(f, known->type, each->type);
        else
            add_field(f->arena, &fields, each->name, each->type);
    }
    return sorted_struct(f->arena, &fields);
}

/* A value beside a struct: one more for its value tag, if it has one. */
static const Type *merge_value(const Infer *f, const Type *a, const Type *b)
{
    bool first = a->kind == TYPE_STRUCT;
    const Type *type = first ? a : b, *value = first ? b : a;
    Fields fields = {0};
    bool tagged = false;

    for (int i = 0; i < type->field_count; i++) {
        bool tag = str_is(f->style->value_tag, type->fields[i].name);
        const Type *each = type->fields[i].type;

        tagged = tagged || tag;
        add_field(f->arena, &fields, type->fields[i].name, tag ? merge(f, first ? each : value, first ? value : each) : each);
    }
    return tagged ? sorted_struct(f->arena, &fields) : type_simple(TYPE_STRING);
}

static const Type *merge_decimals(const Type *a, const Type *b)
{
    int scale = a->scale > b->scale ? a->scale : b->scale, left = a->precision - a->scale, right = b->precision - b->scale;
    int range = left > right ? left : right;

    return range + scale > 38 ? type_simple(TYPE_DOUBLE) : type_decimal(range + scale, scale);
}

static const Type *merge(const Infer *f, const Type *a, const Type *b)
{
    if (a->kind == TYPE_VOID || b->kind == TYPE_VOID)
        return a->kind == TYPE_VOID ? b : a;
    if (a->kind == TYPE_ARRAY || b->kind == TYPE_ARRAY)
        return type_array(f->arena, merge(f, a->kind == TYPE_ARRAY ? a->element : a, b->kind == TYPE_ARRAY ? b->element : b), true);
    if (a->kind == TYPE_STRUCT && b->kind == TYPE_STRUCT)
        return merge_structs(f, a, b);
    if (a->kind == TYPE_STRUCT || b->kind == TYPE_STRUCT)
        return merge_value(f, a, b);
    if (type_equal(a, b, false))
        return a;
    if (type_is_numeric(a) && type_is_numeric(b)) {
        if (a->kind == TYPE_DOUBLE || b->kind == TYPE_DOUBLE)
            return type_simple(TYPE_DOUBLE);
        return merge_decimals(a->kind == TYPE_LONG ? type_decimal(20, 0) : a, b->kind == TYPE_LONG ? type_decimal(20, 0) : b);
    }
    bool times = (a->kind == TYPE_DATE || a->kind == TYPE_TIMESTAMP) && (b->kind == TYPE_DATE || b->kind == TYPE_TIMESTAMP);

    return type_simple(times ? TYPE_TIMESTAMP : TYPE_STRING);
}

/* ---- elements ---- */

static void add_or_list(const Infer *f, Fields *fields, const char *name, const Type *type)
{
    TypeField *known = find(fields, name);

    if (!known)
        add_field(f->arena, fields, name, type);
    else if (known->type->kind == TYPE_ARRAY)
        known->type = merge(f, known->type, type);
    else
        known->type = type_array(f->arena, merge(f, known->type, type), true);
}

static const char *name_of(const Infer *f, Str name)
{
    return arena_strndup(f->arena, name.ptr, name.size);
}

/* For each attribute: add it under its name, of two of one name the last. */
static void add_attributes(const Infer *f, const XmlEvent *start, bool root, Fields *fields)
{
    for (int i = 0; i < start->attribute_count && !f->style->no_attributes; i++) {
        const XmlAttribute *attribute = &f->events.attributes[start->first_attribute + i];
        Str name = xml_style_name(f->style, attribute->name);
        const char *full = arena_printf(f->arena, "%.*s%.*s", (int)f->style->attribute_prefix.size, f->style->attribute_prefix.ptr,
                                        (int)name.size, name.ptr);
        const Type *type = type_of_text(f, attribute->value);

        if (root)
            add_or_list(f, fields, full, type);
        else
            add_field(f->arena, fields, full, type);
    }
}

static const Type *object_of(Infer *f, const XmlEvent *root);

/* Behind a start, without its attributes. */
static const Type *field_type(Infer *f)
{
    const XmlEvent *event = peek(f);

    if (event->kind == XML_EVENT_END) {
        next(f);
        return type_simple(TYPE_VOID);
    }
    const Type *type = object_of(f, NULL);

    if (event->kind != XML_EVENT_TEXT)
        return type;
    if (!type->field_count)
        return type_simple(TYPE_VOID);
    bool plain = type->fields[0].type->kind != TYPE_ARRAY && type->fields[0].type->kind != TYPE_STRUCT;

    return type->field_count == 1 && plain && str_is_nocase(f->style->value_tag, type->fields[0].name) ? type->fields[0].type : type;
}

static const Type *with_attributes(Infer *f, const XmlEvent *start, const Type *type)
{
    Fields fields = {0};

    if (!start->attribute_count || f->style->no_attributes)
        return type;
    if (type->kind == TYPE_STRUCT)
        for (int i = 0; i < type->field_count; i++)
            add_field(f->arena, &fields, type->fields[i].name, type->fields[i].type);
    else if (type->kind != TYPE_VOID)
        add_field(f->arena, &fields, name_of(f, f->style->value_tag), type);
    add_attributes(f, start, false, &fields);
    return sorted_struct(f->arena, &fields);
}

/* All up to the end of an element. root: with attributes that are fields too; NULL: none. */
static const Type *object_of(Infer *f, const XmlEvent *root)
{
    Fields fields = {0};

    f->too_deep = f->too_deep || ++f->depth > XML_INFER_DEPTH_MAX;
    if (root)
        add_attributes(f, root, true, &fields);
    while (!f->broken && !f->too_deep) {
        const XmlEvent *event = next(f);

        if (event->kind == XML_EVENT_START)
            add_or_list(f, &fields, name_of(f, xml_style_name(f->style, event->text)), with_attributes(f, event, field_type(f)));
        else if (event->kind == XML_EVENT_TEXT && !xml_is_blank(event->text))
            add_or_list(f, &fields, name_of(f, f->style->value_tag), type_of_text(f, event->text));
        else if (event->kind == XML_EVENT_END || event->kind == XML_EVENT_FINISH)
            break;
    }
    f->depth--;
    return sorted_struct(f->arena, &fields);
}

/* Fields without a value are texts, and structs without fields are none; NULL: such a one. */
static const Type *settled(Arena *arena, const Type *type)
{
    Fields fields = {0};
    const Type *inner;

    switch ((int)type->kind) {
    case TYPE_VOID:
        return type_simple(TYPE_STRING);
    case TYPE_ARRAY:
        inner = settled(arena, type->element);
        return inner ? type_array(arena, inner, true) : NULL;
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++) {
            inner = *type->fields[i].name ? settled(arena, type->fields[i].type) : NULL;
            if (inner)
                add_field(arena, &fields, type->fields[i].name, inner);
        }
        return fields.count ? type_struct(arena, fields.items, fields.count) : NULL;
    default:
        return type;
    }
}

int xml_infer(Arena *arena, const XmlStyle *style, const TextForm *form, XmlEvents events, const Type **out)
{
    Infer f = {.arena = arena, .style = style, .form = form, .events = events};
    const XmlEvent *root = next(&f);

    if (root->kind != XML_EVENT_START)
        return XML_MALFORMED;
    const Type *type = object_of(&f, root);

    if (f.too_deep)
        return XML_TOO_DEEP;
    if (f.broken)
        return XML_MALFORMED;
    type = settled(arena, type);
    *out = type ? type : type_struct(arena, NULL, 0);
    return 0;
}
