/* duck/fn_schema.c - schema_of_json: the type that a text would be read as */
#include "duck/fn_text.h"
#include "duck/java_time.h"
#include "duck/json_style.h"
#include "duck/parse.h"

#include <stdlib.h>

/* ---- JSON ---- */

typedef struct NamedField {
    TypeField field;
    int at;
} NamedField;

/* Fields of one name stay in their order. */
static int by_name(const void *a, const void *b)
{
    const NamedField *x = a, *y = b;
    int order = strcmp(x->field.name, y->field.name);

    return order ? order : x->at - y->at;
}

static const Type *merge(Arena *arena, const Type *a, const Type *b);

/* All fields of both, sorted by name. */
static const Type *merge_structs(Arena *arena, const Type *a, const Type *b)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, a->field_count + b->field_count + 1);
    int count = 0;
    for (int i = 0, k = 0; i < a->field_count || k < b->field_count;) {
        int order = i == a->field_count ? 1 : k == b->field_count ? -1 : strcmp(a->fields[i].name, b->fields[k].name);
        fields[count] = order > 0 ? b->fields[k] : a->fields[i];
        if (order == 0)
            fields[count].type = merge(arena, a->fields[i].type, b->fields[k].type);
        i += order <= 0;
        k += order >= 0;
        count++;
    }
    return type_struct(arena, fields, count);
}

static bool is_number(const Type *type)
{
    return type->kind == TYPE_LONG || type->kind == TYPE_DOUBLE || type->kind == TYPE_DECIMAL;
}

/* What holds both: STRING where nothing else does. */
static const Type *merge(Arena *arena, const Type *a, const Type *b)
{
    if (a->kind == TYPE_VOID || type_equal(a, b, false))
        return b;
    if (b->kind == TYPE_VOID)
        return a;
    if (a->kind == TYPE_STRUCT && b->kind == TYPE_STRUCT)
        return merge_structs(arena, a, b);
    if (a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY)
        return type_array(arena, merge(arena, a->element, b->element), true);
    if (is_number(a) && is_number(b))
        return a->kind == TYPE_DOUBLE || b->kind == TYPE_DOUBLE                                      ? type_simple(TYPE_DOUBLE)
               : a->kind == TYPE_DECIMAL && (b->kind != TYPE_DECIMAL || a->precision > b->precision) ? a
                                                                                                     : b;
    return type_simple(TYPE_STRING);
}

static const Type *number_type(Str text)
{
    int64_t whole;
    if (str_to_int64(text, &whole))
        return type_simple(TYPE_LONG);
    for (size_t i = text.ptr[0] == '-'; i < text.size; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return type_simple(TYPE_DOUBLE);
    size_t digits = text.size - (text.ptr[0] == '-');
    return digits <= 38 ? type_decimal((int)digits, 0) : type_simple(TYPE_DOUBLE);
}

/* What schema_of_json was given. */
typedef struct SchemaStyle {
    JsonStyle style;
    const JavaTime *timestamp; /* NULL: as CAST reads */
} SchemaStyle;

static bool is_timestamp(const SchemaStyle *s, Str text)
{
    ParsedTimestamp parsed;
    JavaTimeParts parts;
    size_t at;

    if (s->timestamp)
        return !java_time_parse(s->timestamp, text, &parts, &at);
    return parse_timestamp(text, &parsed) && !parsed.just_time;
}

static const Type *json_type(Arena *arena, const SchemaStyle *s, const Node *node)
{
    const Type *element = type_simple(TYPE_VOID);
    switch (node->kind) {
    case NODE_BOOL:
        return type_simple(s->style.text_only ? TYPE_STRING : TYPE_BOOLEAN);
    case NODE_NUMBER:
        return s->style.text_only ? type_simple(TYPE_STRING) : number_type(node->text);
    case NODE_STRING:
        return type_simple(s->style.timestamps && is_timestamp(s, node->text) ? TYPE_TIMESTAMP : TYPE_STRING);
    case NODE_ARRAY:
        for (int i = 0; i < node->count; i++)
            element = merge(arena, element, json_type(arena, s, node->items[i]));
        return type_array(arena, element, true);
    case NODE_OBJECT: {
        NamedField *named = ARENA_ARRAY(arena, NamedField, node->count + 1);
        TypeField *fields = ARENA_ARRAY(arena, TypeField, node->count + 1);
        for (int i = 0; i < node->count; i++)
            named[i] = (NamedField){{.name = arena_strndup(arena, node->keys[i].ptr, node->keys[i].size),
                                     .type = json_type(arena, s, node->items[i]),
                                     .nullable = true},
                                    i};
        if (node->count)
            qsort(named, (size_t)node->count, sizeof *named, by_name);
        for (int i = 0; i < node->count; i++)
            fields[i] = named[i].field;
        return type_struct(arena, fields, node->count);
    }
    default:
        return element;
    }
}

/* Where only NULL was seen a STRING is told, or nothing (`drop`); a struct without fields is left out. NULL: nothing is left. */
static const Type *settled(Arena *arena, const Type *type, bool drop)
{
    if (type->kind == TYPE_VOID)
        return drop ? NULL : type_simple(TYPE_STRING);
    if (type->kind == TYPE_ARRAY) {
        const Type *element = settled(arena, type->element, drop);
        return element ? type_array(arena, element, true) : NULL;
    }
    if (type->kind != TYPE_STRUCT)
        return type;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
    int kept = 0;
    for (int i = 0; i < type->field_count; i++) {
        fields[kept] = type->fields[i];
        fields[kept].type = settled(arena, type->fields[i].type, drop);
        kept += fields[kept].type && *fields[kept].name;
    }
    return kept ? type_struct(arena, fields, kept) : NULL;
}

/* silt_schema_of_json(text, options..., pos) */
static int prepare_schema_of_json(FnCall *call, SiltErr *err)
{
    SchemaStyle *s = ARENA_NEW(call->arena, SchemaStyle);

    json_style_init(&s->style);
    for (int i = 1; i + 1 < call->arg_count; i += 2) {
        const Column *name = &call->constants[i], *value = &call->constants[i + 1];

        if (!name->type || !value->type || column_is_null(name, 0) || column_is_null(value, 0))
            return silt_fail(err, SILT_CONFIG, "the options of JSON must be constants");
        SILT_TRY(json_style_set(&s->style, text_at(name, 0), arena_str(call->arena, text_at(value, 0)), err));
    }
    call->data = s;
    return s->style.timestamp_format.size ? java_time_new(call->arena, s->style.timestamp_format, true, &s->timestamp, err) : 0;
}

static int schema_of_json(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const SchemaStyle *s = call->data;

    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        arena_reset(arena);
        const Node *node = node_read(arena, text, s->style.reading);
        if (!node && str_trim(text).size)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" is no JSON", FN_SHOW(text));
        const Type *raw = node ? json_type(arena, s, node) : type_simple(TYPE_STRING), *type = settled(arena, raw, s->style.drop_empty);
        str_buf_clear(call->scratch);
        if (type)
            type_print_sql(call->scratch, type);
        else
            str_buf_puts(call->scratch, s->style.drop_empty && raw->kind != TYPE_STRUCT ? "STRING" : "STRUCT<>");
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_schema[] = {
    {.name = "silt_schema_of_json", .args = "string, any...", .result = "string", .flags = FN_FAILS, .eval = schema_of_json, .prepare = prepare_schema_of_json},
    {0},
};
