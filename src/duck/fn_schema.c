/* duck/fn_schema.c - schema_of_json: the type that a text would be read as */
#include "duck/fn_text.h"
#include "duck/json_node.h"

#include <stdlib.h>

/* "STRUCT<a: BIGINT, b: ARRAY<DOUBLE>>": types as Spark's .sql prints them */
static void put_sql_type(StrBuf *out, const Type *type)
{
    if (type->kind == TYPE_ARRAY) {
        str_buf_puts(out, "ARRAY<");
        put_sql_type(out, type->element);
        str_buf_putc(out, '>');
    } else if (type->kind == TYPE_STRUCT) {
        str_buf_puts(out, "STRUCT<");
        for (int i = 0; i < type->field_count; i++) {
            const char *name = type->fields[i].name;
            bool plain = *name && !(*name >= '0' && *name <= '9');
            for (const char *c = name; *c; c++)
                plain = plain && ((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_');
            str_buf_printf(out, plain ? "%s%s: " : "%s`%s`: ", i ? ", " : "", name);
            put_sql_type(out, type->fields[i].type);
        }
        str_buf_putc(out, '>');
    } else {
        silt_auto(str_buf_fini) StrBuf text = {0};
        type_print(&text, type);
        for (size_t i = 0; i < text.size; i++)
            str_buf_putc(out, text.ptr[i] >= 'a' && text.ptr[i] <= 'z' ? (char)(text.ptr[i] - 32) : text.ptr[i]);
    }
}

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

static const Type *json_type(Arena *arena, const Node *node)
{
    const Type *element = type_simple(TYPE_VOID);
    switch (node->kind) {
    case NODE_BOOL:
        return type_simple(TYPE_BOOLEAN);
    case NODE_NUMBER:
        return number_type(node->text);
    case NODE_STRING:
        return type_simple(TYPE_STRING);
    case NODE_ARRAY:
        for (int i = 0; i < node->count; i++)
            element = merge(arena, element, json_type(arena, node->items[i]));
        return type_array(arena, element, true);
    case NODE_OBJECT: {
        NamedField *named = ARENA_ARRAY(arena, NamedField, node->count + 1);
        TypeField *fields = ARENA_ARRAY(arena, TypeField, node->count + 1);
        for (int i = 0; i < node->count; i++)
            named[i] = (NamedField){{.name = arena_strndup(arena, node->keys[i].ptr, node->keys[i].size),
                                     .type = json_type(arena, node->items[i]),
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

/* Where only NULL was seen a STRING is told; a struct without fields is left out. NULL: nothing is left. */
static const Type *settled(Arena *arena, const Type *type)
{
    if (type->kind == TYPE_VOID)
        return type_simple(TYPE_STRING);
    if (type->kind == TYPE_ARRAY) {
        const Type *element = settled(arena, type->element);
        return element ? type_array(arena, element, true) : NULL;
    }
    if (type->kind != TYPE_STRUCT)
        return type;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
    int kept = 0;
    for (int i = 0; i < type->field_count; i++) {
        fields[kept] = type->fields[i];
        fields[kept].type = settled(arena, type->fields[i].type);
        kept += fields[kept].type && *fields[kept].name;
    }
    return kept ? type_struct(arena, fields, kept) : NULL;
}

static int schema_of_json(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        arena_reset(arena);
        const Node *node = node_read(arena, text, NODE_DEFAULT);
        if (!node)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" is no JSON", FN_SHOW(text));
        const Type *type = settled(arena, json_type(arena, node));
        str_buf_clear(call->scratch);
        if (type)
            put_sql_type(call->scratch, type);
        else
            str_buf_puts(call->scratch, "STRUCT<>");
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_schema[] = {
    {.name = "silt_schema_of_json", .args = "string", .result = "string", .flags = FN_FAILS, .eval = schema_of_json},
    {0},
};
