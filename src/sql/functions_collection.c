/* sql/functions_collection.c - arrays, maps, structs, and functions that take lambdas */
#include <string.h>

#include "sql/analyze.h"

static void quoted_name(StrBuf *out, const char *name)
{
    str_buf_putc(out, '"');
    for (; *name; name++)
        str_buf_printf(out, *name == '"' ? "\"\"" : "%c", *name);
    str_buf_putc(out, '"');
}

static bool duplicate_field(SqlCall *call, const TypeField *fields, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (!strcasecmp(fields[i].name, fields[k].name)) {
                sql_call_fail(call, "UNSUPPORTED_FEATURE.DUPLICATE_FIELD", "two fields of one struct are named \"%s\" (without case), which is not supported",
                              fields[i].name);
                return true;
            }
    return false;
}

/* struct(a, b AS x, ...): fields are named by alias, column or position */
static const Type *struct_type(SqlCall *call)
{
    Expr *e = call->expr;
    TypeField *fields = ARENA_ARRAY(sql_call_arena(call), TypeField, e->arg_count + 1);

    for (int i = 0; i < e->arg_count; i++) {
        Expr *x = e->args[i];

        fields[i].name = x->kind == EXPR_ALIASED ? x->text
                         : x->kind == EXPR_COLUMN ? x->name.parts[x->name.count - 1]
                         : x->kind == EXPR_FIELD ? x->text
                                                 : sql__text(call->analyzer, "col%d", i + 1);
        fields[i].type = x->type;
        fields[i].nullable = x->nullable;
    }
    e->nullable = false;
    return duplicate_field(call, fields, e->arg_count) ? NULL : type_struct(sql_call_arena(call), fields, e->arg_count);
}

static void struct_print(StrBuf *out, const Expr *call)
{
    if (!call->arg_count) {
        str_buf_puts(out, "struct_pack()");
        return;
    }
    str_buf_puts(out, "struct_pack(");
    for (int i = 0; i < call->arg_count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        quoted_name(out, call->type->fields[i].name);
        str_buf_puts(out, " := ");
        sql_duck_expr(out, call->args[i]);
    }
    str_buf_putc(out, ')');
}

/* named_struct('a', x, ...): the names leave the arguments */
static const Type *named_struct_type(SqlCall *call)
{
    Expr *e = call->expr;
    int count = e->arg_count / 2;
    TypeField *fields = ARENA_ARRAY(sql_call_arena(call), TypeField, count + 1);
    Expr **values = ARENA_ARRAY(sql_call_arena(call), Expr *, count + 1);

    if (e->arg_count % 2)
        return sql_call_fail(call, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "named_struct takes names and values by turns");
    for (int i = 0; i < count; i++) {
        fields[i].name = sql_constant_text(e->args[2 * i]);
        if (!fields[i].name)
            return sql_call_fail(call, "DATATYPE_MISMATCH.CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING", "the names in named_struct must be constant strings");
        fields[i].type = e->args[2 * i + 1]->type;
        fields[i].nullable = e->args[2 * i + 1]->nullable;
        values[i] = e->args[2 * i + 1];
    }
    e->args = values;
    e->arg_count = count;
    e->nullable = false;
    return duplicate_field(call, fields, count) ? NULL : type_struct(sql_call_arena(call), fields, count);
}

static const Type *array_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = sql_call_unify(call, 0);
    bool nullable = false;

    for (int i = 0; i < e->arg_count; i++)
        nullable = nullable || e->args[i]->nullable;
    e->nullable = false;
    return t ? type_array(sql_call_arena(call), t, nullable) : NULL;
}

static void array_print(StrBuf *out, const Expr *call)
{
    if (call->arg_count)
        sql_duck_template(out, "[$*]", call);
    else
        sql_duck_template(out, "CAST([] AS $type)", call);
}

static const Type *map_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *key = type_simple(TYPE_VOID), *value = type_simple(TYPE_VOID);
    bool nullable = false;

    if (e->arg_count % 2)
        return sql_call_fail(call, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "map takes keys and values by turns");
    for (int i = 0; i < e->arg_count; i += 2) {
        if (e->args[i]->type->kind == TYPE_VOID)
            return sql_call_fail(call, "NULL_MAP_KEY", "a key of a map may not be NULL");
        key = sql__wider(call->analyzer, key, e->args[i]->type);
        value = key ? sql__wider(call->analyzer, value, e->args[i + 1]->type) : NULL;
        if (!key || !value)
            return sql_call_fail(call, "DATATYPE_MISMATCH.CREATE_MAP_KEY_DIFF_TYPES", "the %s of a map need one common type", key ? "values" : "keys");
        nullable = nullable || e->args[i + 1]->nullable;
    }
    if (key->kind == TYPE_MAP)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_MAP_KEY_TYPE", "a map may not be the key of a map");
    for (int i = 0; i < e->arg_count; i++)
        sql__cast(call->analyzer, &e->args[i], i % 2 ? value : key);
    e->nullable = false;
    return type_map(sql_call_arena(call), key, value, nullable);
}

static void map_print(StrBuf *out, const Expr *call)
{
    bool checked = call->arg_count > 2; /* one key cannot meet itself */

    str_buf_puts(out, "map(");
    for (int side = 0; side < 2; side++) {
        if (!side && (checked || call->args[0]->nullable)) {
            str_buf_puts(out, "\"silt_map_keys:array<");
            type_print(out, call->type->key);
            str_buf_puts(out, ">\"(");
        }
        str_buf_puts(out, side ? ", [" : "[");
        for (int i = side; i < call->arg_count; i += 2) {
            if (i > 1)
                str_buf_puts(out, ", ");
            sql_duck_expr(out, call->args[i]);
        }
        str_buf_putc(out, ']');
        if (!side && (checked || call->args[0]->nullable))
            sql_duck_template(out, ", $pos)", call);
    }
    str_buf_putc(out, ')');
}

static void map_or_empty_print(StrBuf *out, const Expr *call)
{
    if (call->arg_count)
        map_print(out, call);
    else
        str_buf_puts(out, "MAP {}");
}

static const Type *element_of(SqlCall *call)
{
    call->expr->nullable = true;
    return call->expr->args[0]->type->kind == TYPE_ARRAY ? call->expr->args[0]->type->element : type_simple(TYPE_VOID);
}

static const Type *element_at_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    e->nullable = true;
    if (t->kind == TYPE_ARRAY)
        return sql_call_cast(call, 1, type_simple(TYPE_INT)) ? t->element : NULL;
    if (t->kind == TYPE_MAP)
        return sql_call_cast(call, 1, t->key) ? t->element : NULL;
    return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs an ARRAY or a MAP, not %s", e->function->name,
                         sql__type_name(call->analyzer, t));
}

static void element_at_print(StrBuf *out, const Expr *call)
{
    if (call->args[0]->type->kind == TYPE_MAP)
        sql_duck_template(out, "map_extract_value($1, $2)", call);
    else if (!strcmp(call->function->name, "element_at"))
        sql_duck_template(out, "list_extract($1, silt_element_index(len($1), $2, $pos))", call);
    else
        sql_duck_template(out, "list_extract($1, nullif($2, 0))", call);
}

/* ---- lambdas ---- */

static const Type *array_element(SqlCall *call, int arg, bool *nullable)
{
    const Type *t = call->expr->args[arg]->type;

    *nullable = t->kind != TYPE_ARRAY || t->element_nullable;
    return t->kind == TYPE_ARRAY ? t->element : type_simple(TYPE_VOID);
}

static const Type *transform_type(SqlCall *call)
{
    bool nullable[2] = {false, false};
    const Type *types[2] = {array_element(call, 0, &nullable[0]), type_simple(TYPE_INT)};
    call->position_parameter = 2;
    const Type *t = sql_call_lambda(call, 1, types, nullable, 2);

    return t ? type_array(sql_call_arena(call), t, call->expr->args[1]->nullable) : NULL;
}

static const Type *predicate_type(SqlCall *call)
{
    bool nullable[2] = {false, false};
    const Type *types[2] = {array_element(call, 0, &nullable[0]), type_simple(TYPE_INT)};
    bool filter = !strcmp(call->expr->function->name, "filter");
    call->position_parameter = 2;
    const Type *t = sql_call_lambda(call, 1, types, nullable, filter ? 2 : 1);

    if (!t)
        return NULL;
    if (t->kind != TYPE_BOOLEAN && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the lambda of %s must give a BOOLEAN, not %s", call->expr->function->name,
                             sql__type_name(call->analyzer, t));
    if (!filter)
        call->expr->nullable = true;
    return filter ? call->expr->args[0]->type : type_simple(TYPE_BOOLEAN);
}

static void exists_print(StrBuf *out, const Expr *call)
{
    /* TRUE if any is, else NULL if any is unknown */
    bool all = !strcmp(call->function->name, "forall");

    sql_duck_template(out, all ? "silt_all(list_transform($1, $2))" : "silt_any(list_transform($1, $2))", call);
}

static const Type *aggregate_type(SqlCall *call)
{
    Expr *e = call->expr;
    bool nullable[2] = {true, true};
    const Type *types[2] = {e->args[1]->type, array_element(call, 0, &nullable[1])};
    const Type *t = sql_call_lambda(call, 2, types, nullable, 2);

    if (!t)
        return NULL;
    if (!type_equal(t, types[0], false)) {
        if (!sql__may_cast(t, types[0]))
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the lambda of %s must give %s as its start value does, not %s",
                                 e->function->name, sql__type_name(call->analyzer, types[0]), sql__type_name(call->analyzer, t));
        sql__cast(call->analyzer, &e->args[2]->args[0], types[0]);
    }
    e->nullable = true;
    if (e->arg_count == 4)
        return sql_call_lambda(call, 3, types, nullable, 1);
    return types[0];
}

static void aggregate_print(StrBuf *out, const Expr *call)
{
    if (call->arg_count == 4) {
        str_buf_puts(out, "list_extract(list_transform([");
        sql_duck_template(out, "list_reduce($1, $3, $2)], $4), 1)", call);
        return;
    }
    sql_duck_template(out, "list_reduce($1, $3, $2)", call);
}

static const Type *map_keys_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    return type_array(sql_call_arena(call), t->kind == TYPE_MAP ? t->key : type_simple(TYPE_VOID), false);
}

static const Type *map_values_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    return type_array(sql_call_arena(call), t->kind == TYPE_MAP ? t->element : type_simple(TYPE_VOID), t->element_nullable);
}

static const Type *map_entries_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;
    TypeField fields[2] = {{.name = "key", .type = t->key}, {.name = "value", .type = t->element, .nullable = t->element_nullable}};

    if (t->kind != TYPE_MAP)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "map_entries needs a MAP");
    return type_array(sql_call_arena(call), type_struct(sql_call_arena(call), fields, 2), false);
}

static const Type *contains_key_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    return t->kind != TYPE_MAP || sql_call_cast(call, 1, t->key) ? type_simple(TYPE_BOOLEAN) : NULL;
}

static const Type *flatten_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (t->kind != TYPE_ARRAY || t->element->kind != TYPE_ARRAY)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "flatten needs an ARRAY of ARRAYs, not %s", sql__type_name(call->analyzer, t));
    return t->element;
}

static const Type *repeat_type(SqlCall *call)
{
    call->expr->nullable = call->expr->args[1]->nullable;
    return type_array(sql_call_arena(call), call->expr->args[0]->type, call->expr->args[0]->nullable);
}

static const Type *size_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (t->kind != TYPE_ARRAY && t->kind != TYPE_MAP && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs an ARRAY or a MAP, not %s", call->expr->function->name,
                             sql__type_name(call->analyzer, t));
    return type_simple(TYPE_INT);
}

static void size_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->args[0]->type->kind == TYPE_MAP ? "CAST(cardinality($1) AS INTEGER)" : "CAST(len($1) AS INTEGER)", call);
}

const SqlFunction sql_functions_collection[] = {
    {"struct", "any... ->", NULL, FN_NOT_NULL, struct_type, struct_print},
    {"named_struct", "any... ->", NULL, FN_NOT_NULL, named_struct_type, struct_print},
    {"array", "[any...] ->", NULL, FN_NOT_NULL, array_type, array_print},
    {"map", "[any...] ->", NULL, FN_NOT_NULL | FN_MAY_FAIL, map_type, map_or_empty_print},
    {"size", "any ->", NULL, 0, size_type, size_print},
    {"cardinality", "any ->", NULL, 0, size_type, size_print},
    {"array_size", "array -> int", "CAST(len($1) AS INTEGER)", 0, NULL, NULL},
    {"element_at", "any, any ->", NULL, FN_MAY_FAIL, element_at_type, element_at_print},
    {"try_element_at", "any, any ->", NULL, 0, element_at_type, element_at_print},
    {"get", "array, int ->", "CASE WHEN $2 < 0 THEN NULL ELSE list_extract($1, $2 + 1) END", 0, element_of, NULL},
    {"array_contains", "T[], T -> boolean", "silt_array_contains($1, $2)", FN_NULLABLE, NULL, NULL},
    {"array_position", "T[], T -> bigint", "CAST(coalesce(list_position($1, $2), CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE 0 END) AS BIGINT)", 0, NULL, NULL},
    {"array_min", "array ->", "list_min($1)", 0, element_of, NULL},
    {"array_max", "array ->", "list_max($1)", 0, element_of, NULL},
    {"array_append", "T[], T -> T[]", "list_append($1, $2)", 0, NULL, NULL},
    {"array_prepend", "T[], T -> T[]", "list_prepend($2, $1)", 0, NULL, NULL},
    {"array_compact", "array -> #1", "list_filter($1, lambda x: x IS NOT NULL)", 0, NULL, NULL},
    {"array_remove", "T[], T -> T[]", "CASE WHEN $2 IS NULL THEN NULL ELSE list_filter($1, lambda x: x IS NULL OR x <> $2) END", 0, NULL, NULL},
    {"array_repeat", "any, int ->", "list_transform(range(greatest($2, 0)), lambda x: $1)", 0, repeat_type, NULL},
    {"flatten", "array ->", "CASE WHEN len(list_filter($1, lambda x: x IS NULL)) > 0 THEN NULL ELSE flatten($1) END", FN_NULLABLE, flatten_type, NULL},
    {"transform", "array, any ->", "list_transform($1, $2)", 0, transform_type, NULL},
    {"filter", "array, any ->", "list_filter($1, $2)", 0, predicate_type, NULL},
    {"exists", "array, any ->", NULL, 0, predicate_type, exists_print},
    {"forall", "array, any ->", NULL, 0, predicate_type, exists_print},
    {"aggregate", "array, any, any [, any] ->", NULL, 0, aggregate_type, aggregate_print},
    {"reduce", "array, any, any [, any] ->", NULL, 0, aggregate_type, aggregate_print},
    {"map_keys", "map ->", "map_keys($1)", 0, map_keys_type, NULL},
    {"map_values", "map ->", "map_values($1)", 0, map_values_type, NULL},
    {"map_entries", "map ->", "map_entries($1)", 0, map_entries_type, NULL},
    {"map_contains_key", "map, any ->", "list_contains(map_keys($1), $2)", 0, contains_key_type, NULL},
    {NULL},
};
