/* sql/functions_collection.c - arrays, maps, structs, and functions that take lambdas */
#include <string.h>

#include "sql/analyze.h"
#include "sql/print_duck.h"

/*
 * DuckDB's list_select fails (INTERNAL, which spoils the whole database) over a constant list that was cast and is empty or holds NULLs only:
 * its elements are no flat vector. What list_concat gives is flat. A NULL becomes an empty list here, and the positions beside it are NULL then.
 */
#define FLAT(list) "list_concat(" list ", [])"

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
        fields[i].name = sql_constant_text(call->analyzer, e->args[2 * i]);
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
    if (!sql__check_key(call->analyzer, e->pos, key))
        return NULL;
    for (int i = 0; i < e->arg_count; i++)
        sql__cast(call->analyzer, &e->args[i], i % 2 ? value : key);
    e->nullable = false;
    return type_map(sql_call_arena(call), key, value, nullable);
}

/* Keys that may meet or be NULL are checked first; see silt_map_keys in duck/fn_collection.c. */
static void checked_keys(StrBuf *out, const char *keys, const Expr *call)
{
    str_buf_printf(out, "list_select(" FLAT("%s") ", silt_map_keys(%s, ", keys, keys);
    sql_duck_pos(out, call->pos);
    str_buf_puts(out, "))");
}

static void map_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf keys = {0};

    str_buf_putc(&keys, '[');
    for (int i = 0; i < call->arg_count; i += 2) {
        str_buf_puts(&keys, i ? ", " : "");
        sql_duck_expr(&keys, call->args[i]);
    }
    str_buf_putc(&keys, ']');
    str_buf_puts(out, "map(");
    if (call->arg_count > 2 || call->args[0]->nullable) /* one key cannot meet itself */
        checked_keys(out, str_buf_text(&keys), call);
    else
        str_buf_str(out, str_buf_view(&keys));
    str_buf_puts(out, ", [");
    for (int i = 1; i < call->arg_count; i += 2) {
        str_buf_puts(out, i > 1 ? ", " : "");
        sql_duck_expr(out, call->args[i]);
    }
    str_buf_puts(out, "])");
}

static void map_or_empty_print(StrBuf *out, const Expr *call)
{
    if (call->arg_count)
        map_print(out, call);
    else
        sql_duck_template(out, "CAST(MAP {} AS $type)", call);
}

static const Type *element_of(SqlCall *call)
{
    call->expr->nullable = true;
    return call->expr->args[0]->type->kind == TYPE_ARRAY ? call->expr->args[0]->type->element : type_simple(TYPE_VOID);
}

/*
 * A key to look for in a map, args[1]: of the type of the keys, or both are made the wider of two whole or floating numbers, or of two decimals or times. The map
 * is cast where its keys are the narrower ones. False with an error recorded.
 */
static bool key_to_find(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *map = e->args[0]->type, *t = e->args[1]->type;
    bool numbers = type_is_numeric(map->key) && type_is_numeric(t) && (map->key->kind == TYPE_DECIMAL) == (t->kind == TYPE_DECIMAL);
    bool alike = t->kind == TYPE_VOID || type_equal(map->key, t, false) || numbers || (map->key->kind == t->kind && t->kind != TYPE_STRING) ||
                 (map->key->kind != TYPE_STRING && t->kind != TYPE_STRING && !type_is_numeric(t) && !type_is_numeric(map->key));
    const Type *common = alike ? sql__wider(call->analyzer, map->key, t) : NULL;

    if (!common) {
        sql_call_fail(call, "DATATYPE_MISMATCH.MAP_FUNCTION_DIFF_TYPES", "%s looks for keys of the type of the map's, %s, not for %s", e->function->name,
                      sql__type_name(call->analyzer, map->key), sql__type_name(call->analyzer, t));
        return false;
    }
    if (!type_equal(map->key, common, false))
        sql__cast(call->analyzer, &e->args[0], type_map(sql_call_arena(call), common, map->element, map->element_nullable));
    sql__cast(call->analyzer, &e->args[1], common);
    return true;
}

static const Type *element_at_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    e->nullable = true;
    if (t->kind == TYPE_ARRAY) {
        TypeKind index = e->args[1]->type->kind;

        if (index != TYPE_INT && index != TYPE_SHORT && index != TYPE_BYTE)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the position in an ARRAY must be an INT, not %s",
                                 sql__type_name(call->analyzer, e->args[1]->type));
        return sql_call_cast(call, 1, type_simple(TYPE_INT)) ? t->element : NULL;
    }
    if (t->kind == TYPE_MAP)
        return key_to_find(call) ? t->element : NULL;
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
        sql_duck_template(out, "list_extract($1, silt_try_element_index($2, $pos))", call);
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

/* DuckDB reduces with one type for start and elements; where they differ, each is a field of a struct that has both. */
static bool reduces_plainly(const Expr *call)
{
    const Type *array = call->args[0]->type;

    return array->kind == TYPE_ARRAY && type_equal(array->element, call->args[1]->type, false);
}

static const Type *aggregate_type(SqlCall *call)
{
    Expr *e = call->expr;
    bool nullable[2] = {true, true};
    const Type *types[2] = {e->args[1]->type, array_element(call, 0, &nullable[1])};

    if (!reduces_plainly(e)) {
        call->parameter_formats[0] = "struct_extract_at(%s, 1)";
        call->parameter_formats[1] = "struct_extract_at(%s, 2)";
        call->own_parameters = true;
    }
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
    call->parameter_formats[0] = call->parameter_formats[1] = NULL;
    if (e->arg_count == 4)
        return sql_call_lambda(call, 3, types, nullable, 1);
    return types[0];
}

/* struct_pack(a := what has been reduced so far, e := an element), one of them NULL */
static void reduced_pair(StrBuf *out, const Expr *call, const Expr *so_far, const char *element)
{
    str_buf_puts(out, "struct_pack(a := CAST(");
    so_far ? sql_duck_expr(out, so_far) : str_buf_puts(out, "NULL");
    str_buf_puts(out, " AS ");
    sql_duck_type(out, call->args[1]->type);
    str_buf_printf(out, "), e := CAST(%s AS ", element);
    sql_duck_type(out, call->args[0]->type->element);
    str_buf_puts(out, "))");
}

static void aggregate_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf reduced = {0};

    if (reduces_plainly(call)) {
        sql_duck_template(&reduced, "list_reduce($1, $3, $2)", call);
    } else {
        const char *const *names = call->args[2]->extra;

        sql_duck_template(&reduced, "struct_extract_at(list_reduce(list_transform($1, lambda e: ", call);
        reduced_pair(&reduced, call, NULL, "e");
        str_buf_printf(&reduced, "), lambda %s, %s: ", names[0], names[1] ? names[1] : "e");
        reduced_pair(&reduced, call, call->args[2]->args[0], "NULL");
        str_buf_puts(&reduced, ", ");
        reduced_pair(&reduced, call, call->args[1], "NULL");
        str_buf_puts(&reduced, "), 1)");
    }
    if (call->arg_count == 4) {
        sql_duck_template(out, "CASE WHEN $1 IS NOT NULL THEN list_extract(list_transform([", call);
        str_buf_str(out, str_buf_view(&reduced));
        sql_duck_template(out, "], $4), 1) END", call);
        return;
    }
    str_buf_str(out, str_buf_view(&reduced));
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

    if (t->kind == TYPE_MAP && call->expr->args[1]->type->kind == TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NULL_TYPE", "map_contains_key does not look for NULL");
    return t->kind != TYPE_MAP || key_to_find(call) ? type_simple(TYPE_BOOLEAN) : NULL;
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

/* ---- maps ---- */

static void text_of(StrBuf *out, const char *text, const Expr *call)
{
    sql_duck_template(out, text, call);
}

static const Type *map_of_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *a = e->args[0]->type;

    if (e->arg_count == 2) { /* map_from_arrays */
        const Type *b = e->args[1]->type;

        if (a->kind != TYPE_ARRAY || b->kind != TYPE_ARRAY)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "map_from_arrays needs two ARRAYs");
        return sql__check_key(call->analyzer, e->pos, a->element) ? type_map(sql_call_arena(call), a->element, b->element, b->element_nullable) : NULL;
    }
    if (a->kind != TYPE_ARRAY || a->element->kind != TYPE_STRUCT || a->element->field_count != 2)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "map_from_entries needs an ARRAY of STRUCTs of two fields, not %s",
                             sql__type_name(call->analyzer, a));
    if (!sql__check_key(call->analyzer, e->pos, a->element->fields[0].type))
        return NULL;
    return type_map(sql_call_arena(call), a->element->fields[0].type, a->element->fields[1].type, a->element->fields[1].nullable);
}

static void map_of_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf keys = {0};

    text_of(&keys, call->arg_count == 2 ? "$1" : "list_transform($1, lambda e: struct_extract_at(e, 1))", call);
    str_buf_puts(out, "map(");
    checked_keys(out, str_buf_text(&keys), call);
    text_of(out, call->arg_count == 2 ? ", CASE WHEN silt_same_size(len($1), len($2), $pos) THEN $2 END)" : ", list_transform($1, lambda e: struct_extract_at(e, 2)))", call);
}

static const Type *str_to_map_type(SqlCall *call)
{
    return type_map(sql_call_arena(call), type_simple(TYPE_STRING), type_simple(TYPE_STRING), true);
}

/* Pairs parted by $2 (','), each split once at $3 (':'); both are regular expressions. */
static void str_to_map_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf pairs = {0}, keys = {0}, colon = {0};

    text_of(&pairs, call->arg_count > 1 ? "silt_split($1, $2, -1, $pos)" : "silt_split($1, ',', -1, $pos)", call);
    text_of(&colon, call->arg_count > 2 ? "silt_split(e, $3, 2, $pos)" : "silt_split(e, ':', 2, $pos)", call);
    str_buf_printf(&keys, "list_transform(%s, lambda e: list_extract(%s, 1))", str_buf_text(&pairs), str_buf_text(&colon));
    str_buf_puts(out, "map(");
    checked_keys(out, str_buf_text(&keys), call);
    str_buf_printf(out, ", list_transform(%s, lambda e: list_extract(%s, 2)))", str_buf_text(&pairs), str_buf_text(&colon));
}

static const Type *map_concat_type(SqlCall *call)
{
    const Type *t = call->expr->arg_count ? sql_call_unify(call, 0) : NULL;

    if (!t || t->kind != TYPE_MAP)
        return sql_call_fail(call, "DATATYPE_MISMATCH.MAP_CONCAT_DIFF_TYPES", "map_concat needs MAPs of one type");
    return t;
}

static void map_concat_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf keys = {0}, values = {0};

    str_buf_puts(&keys, "list_concat(");
    str_buf_puts(&values, "list_concat(");
    for (int i = 0; i < call->arg_count; i++) {
        str_buf_puts(&keys, i ? ", map_keys(" : "map_keys(");
        sql_duck_expr(&keys, call->args[i]);
        str_buf_putc(&keys, ')');
        str_buf_puts(&values, i ? ", map_values(" : "map_values(");
        sql_duck_expr(&values, call->args[i]);
        str_buf_putc(&values, ')');
    }
    str_buf_putc(&keys, ')');
    str_buf_putc(&values, ')');
    str_buf_puts(out, "CASE WHEN "); /* list_concat passes over NULL */
    for (int i = 0; i < call->arg_count; i++) {
        str_buf_puts(out, i ? " OR " : "");
        sql_duck_expr(out, call->args[i]);
        str_buf_puts(out, " IS NULL");
    }
    str_buf_puts(out, " THEN NULL ELSE map(");
    checked_keys(out, str_buf_text(&keys), call);
    str_buf_printf(out, ", %s) END", str_buf_text(&values));
}

/* Lambdas over entries: key and value are taken from DuckDB's one parameter. */
static const Type *entry_lambda(SqlCall *call)
{
    const Type *m = call->expr->args[0]->type;
    const bool nullable[2] = {false, m->kind != TYPE_MAP || m->element_nullable};

    if (m->kind != TYPE_MAP)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs a MAP, not %s", call->expr->function->name,
                             sql__type_name(call->analyzer, m));
    call->parameter_formats[0] = "struct_extract_at(%s, 1)";
    call->parameter_formats[1] = "struct_extract_at(%s, 2)";
    return sql_call_lambda(call, 1, (const Type *const[]){m->key, m->element}, nullable, 2);
}

static const Type *map_filter_type(SqlCall *call)
{
    const Type *t = entry_lambda(call);

    if (t && t->kind != TYPE_BOOLEAN && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the lambda of map_filter must give a BOOLEAN");
    return t ? call->expr->args[0]->type : NULL;
}

static const Type *transform_values_type(SqlCall *call)
{
    const Type *t = entry_lambda(call);

    return t ? type_map(sql_call_arena(call), call->expr->args[0]->type->key, t, call->expr->args[1]->nullable) : NULL;
}

static const Type *transform_keys_type(SqlCall *call)
{
    const Type *t = entry_lambda(call), *m = call->expr->args[0]->type;

    return t && sql__check_key(call->analyzer, call->expr->pos, t) ? type_map(sql_call_arena(call), t, m->element, m->element_nullable) : NULL;
}

static void transform_keys_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf keys = {0};

    text_of(&keys, "list_transform(map_entries($1), $2)", call);
    str_buf_puts(out, "map(");
    checked_keys(out, str_buf_text(&keys), call);
    text_of(out, ", map_values($1))", call);
}

static const Type *map_zip_type(SqlCall *call)
{
    const Type *m = call->expr->args[0]->type, *n = call->expr->args[1]->type;
    const bool nullable[3] = {false, true, true};

    if (m->kind != TYPE_MAP || n->kind != TYPE_MAP || !type_equal(m->key, n->key, false))
        return sql_call_fail(call, "DATATYPE_MISMATCH.MAP_ZIP_WITH_DIFF_TYPES", "map_zip_with needs two MAPs with keys of one type");
    call->parameter_formats[0] = "struct_extract_at(%s, 1)";
    call->parameter_formats[1] = "struct_extract_at(%s, 2)";
    call->parameter_formats[2] = "struct_extract_at(%s, 3)";
    const Type *t = sql_call_lambda(call, 2, (const Type *const[]){m->key, m->element, n->element}, nullable, 3);

    return t ? type_map(sql_call_arena(call), m->key, t, call->expr->args[2]->nullable) : NULL;
}

static void map_zip_print(StrBuf *out, const Expr *call)
{
    silt_auto(str_buf_fini) StrBuf all = {0}, keys = {0};

    text_of(&all, "list_concat(map_keys($1), map_keys($2))", call);
    str_buf_printf(&keys, "list_select(%s, silt_distinct(%s))", str_buf_text(&all), str_buf_text(&all));
    text_of(out, "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE map(", call);
    str_buf_printf(out, "%s, list_transform(list_transform(%s, lambda k: struct_pack(k := k", str_buf_text(&keys), str_buf_text(&keys));
    text_of(out, ", a := map_extract_value($1, k), b := map_extract_value($2, k))), $3)) END", call);
}

/* ---- more arrays ---- */

static const Type *zip_with_type(SqlCall *call)
{
    bool nullable[2];
    const Type *types[2] = {array_element(call, 0, &nullable[0]), array_element(call, 1, &nullable[1])};

    nullable[0] = nullable[1] = true;
    call->parameter_formats[0] = "struct_extract_at(%s, 1)";
    call->parameter_formats[1] = "struct_extract_at(%s, 2)";
    const Type *t = sql_call_lambda(call, 2, types, nullable, 2);

    return t ? type_array(sql_call_arena(call), t, call->expr->args[2]->nullable) : NULL;
}

static const Type *sort_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    bool compares = e->arg_count == 2 && e->args[1]->kind == EXPR_LAMBDA;

    if (!compares && t->kind == TYPE_ARRAY && !sql__orderable(t->element) && t->element->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "%s cannot order %s", e->function->name, sql__type_name(call->analyzer, t));
    if (e->arg_count == 2 && e->args[1]->kind == EXPR_LAMBDA && !strcmp(e->function->name, "array_sort")) {
        bool nullable[2] = {true, true};
        const Type *types[2] = {array_element(call, 0, &nullable[0]), array_element(call, 0, &nullable[1])};
        const Type *compared = sql_call_lambda(call, 1, types, nullable, 2);

        if (!compared)
            return NULL;
        if (compared->kind != TYPE_INT || e->args[1]->parameter_count != 2)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_RETURN_TYPE", "the comparator of array_sort takes two elements and must give an INT, not %s",
                                 sql__type_name(call->analyzer, compared));
        return t;
    }
    if (e->arg_count == 2 && (!e->args[1]->constant || (e->args[1]->type->kind != TYPE_BOOLEAN && e->args[1]->type->kind != TYPE_VOID)))
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the second argument of %s must be a constant BOOLEAN", e->function->name);
    if (e->arg_count == 2 && !sql_call_cast(call, 1, type_simple(TYPE_BOOLEAN)))
        return NULL;
    return t;
}

/*
 * Sorting by a comparator: each element is put behind those of the result so far that are not above it. The comparator gets the new element
 * first, as from Java's sort, since it may fail for one order of the two. The element comes as a list of one, so that a parameter can be bound to it.
 */
static void comparator_print(StrBuf *out, const Expr *call)
{
    const Expr *lambda = call->args[1];
    const char *const *names = lambda->extra;
    silt_auto(str_buf_fini) StrBuf compare = {0};

    str_buf_puts(&compare, "silt_compared(");
    sql_duck_expr(&compare, lambda->args[0]);
    sql_duck_template(&compare, ", $pos)", call);
    text_of(out, "CASE WHEN len($1) < 2 THEN $1 ELSE list_reduce(list_transform($1, lambda sorted_x: [sorted_x]), ", call);
    str_buf_printf(out, "lambda sorted_so_far, sorted_next: list_extract(list_transform(sorted_next, lambda %s: list_concat(", names[0]);
    str_buf_printf(out, "list_concat(list_filter(sorted_so_far, lambda %s: %s >= 0), [%s]), ", names[1], str_buf_text(&compare), names[0]);
    str_buf_printf(out, "list_filter(sorted_so_far, lambda %s: %s < 0))), 1)) END", names[1], str_buf_text(&compare));
}

static void sort_print_ordered(StrBuf *out, const Expr *call, bool descending)
{
    bool sort_array = !strcmp(call->function->name, "sort_array");
    const char *order = descending ? "'DESC', 'NULLS LAST'" : sort_array ? "'ASC', 'NULLS FIRST'" : "'ASC', 'NULLS LAST'";

    if (sql__is_nested(call->type->element)) {
        silt_auto(str_buf_fini) StrBuf list = {0};

        sql_duck_expr(&list, call->args[0]);
        sql__duck_sorted(out, str_buf_text(&list), order);
        return;
    }
    text_of(out, "list_sort($1, ", call);
    str_buf_printf(out, "%s)", order);
}

static void sort_print(StrBuf *out, const Expr *call)
{
    const Expr *second = call->arg_count == 2 ? call->args[1] : NULL;

    if (second && second->kind == EXPR_LAMBDA) {
        comparator_print(out, call);
    } else if (!second || second->kind == EXPR_LITERAL) {
        sort_print_ordered(out, call, second && !second->literal_int);
    } else { /* a constant that the database computes; NULL gives NULL */
        text_of(out, "CASE WHEN $2 THEN ", call);
        sort_print_ordered(out, call, false);
        text_of(out, " WHEN NOT $2 THEN ", call);
        sort_print_ordered(out, call, true);
        str_buf_puts(out, " END");
    }
}

/* array_min, array_max */
static void extreme_print(StrBuf *out, const Expr *call)
{
    bool most = !strcmp(call->function->name, "array_max");
    silt_auto(str_buf_fini) StrBuf list = {0};

    if (!sql__is_nested(call->type)) {
        text_of(out, most ? "list_max($1)" : "list_min($1)", call);
        return;
    }
    sql_duck_expr(&list, call->args[0]);
    str_buf_puts(out, "list_extract(");
    sql__duck_sorted(out, str_buf_text(&list), most ? "'DESC', 'NULLS LAST'" : "'ASC', 'NULLS LAST'");
    str_buf_puts(out, ", 1)");
}

static const Type *join_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!sql_call_cast(call, 0, type_array(sql_call_arena(call), type_simple(TYPE_STRING), true)))
        return NULL;
    for (int i = 1; i < e->arg_count; i++)
        if (!sql_call_cast(call, i, type_simple(TYPE_STRING)))
            return NULL;
    return type_simple(TYPE_STRING);
}

static void join_print(StrBuf *out, const Expr *call)
{
    text_of(out, call->arg_count == 3 ? "silt_array_join($1, $2, $3)" : "silt_concat_ws($2, $1)", call);
}

/*
 * The arguments of array_distinct and the like: of floating numbers, -0.0 is 0.0 (a sum with it makes it so). Text of argument i, closed.
 */
static void unsigned_zeros(StrBuf *out, const Expr *call, int i)
{
    TypeKind element = call->args[i]->type->kind == TYPE_ARRAY ? call->args[i]->type->element->kind : TYPE_VOID;
    bool floating = element == TYPE_DOUBLE || element == TYPE_FLOAT;

    str_buf_puts(out, floating ? "list_transform(" : "list_concat(");
    sql_duck_expr(out, call->args[i]);
    str_buf_puts(out, element == TYPE_DOUBLE ? ", lambda x: x + CAST(0 AS DOUBLE))" : element == TYPE_FLOAT ? ", lambda x: x + CAST(0 AS FLOAT))" : ", [])");
}

static void set_print(StrBuf *out, const Expr *call)
{
    const char *name = call->function->name;
    silt_auto(str_buf_fini) StrBuf a = {0}, b = {0};

    unsigned_zeros(&a, call, 0);
    if (call->arg_count > 1)
        unsigned_zeros(&b, call, 1);
    if (!strcmp(name, "array_union")) {
        silt_auto(str_buf_fini) StrBuf both = {0};

        str_buf_printf(&both, "list_concat(%s, %s)", str_buf_text(&a), str_buf_text(&b));
        str_buf_printf(out, "list_select(%s, silt_distinct(", str_buf_text(&both));
        text_of(out, "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE ", call);
        str_buf_printf(out, "%s END))", str_buf_text(&both));
        return;
    }
    str_buf_printf(out, "list_select(%s, ", str_buf_text(&a));
    text_of(out, !strcmp(name, "array_distinct") ? "silt_distinct($1))" : !strcmp(name, "array_except") ? "silt_except($1, $2))" : "silt_intersect($1, $2))", call);
}

static const Type *zip_type(SqlCall *call)
{
    Expr *e = call->expr;
    TypeField *fields = ARENA_ARRAY(sql_call_arena(call), TypeField, e->arg_count + 1);

    for (int i = 0; i < e->arg_count; i++) {
        const Expr *x = e->args[i];

        fields[i].name = x->kind == EXPR_COLUMN ? x->name.parts[x->name.count - 1] : sql__text(call->analyzer, "%d", i);
        fields[i].type = x->type->kind == TYPE_ARRAY ? x->type->element : type_simple(TYPE_VOID);
        fields[i].nullable = true;
    }
    return duplicate_field(call, fields, e->arg_count) ? NULL
                                                       : type_array(sql_call_arena(call), type_struct(sql_call_arena(call), fields, e->arg_count), false);
}

static void zip_print(StrBuf *out, const Expr *call)
{
    text_of(out, "CASE WHEN ", call);
    for (int i = 0; i < call->arg_count; i++) {
        str_buf_puts(out, i ? " OR " : "");
        sql_duck_expr(out, call->args[i]);
        str_buf_puts(out, " IS NULL");
    }
    text_of(out, " THEN NULL ELSE list_transform(list_zip($*), lambda z: struct_pack(", call);
    for (int i = 0; i < call->arg_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        quoted_name(out, call->type->element->fields[i].name);
        str_buf_printf(out, " := struct_extract_at(z, %d)", i + 1);
    }
    str_buf_puts(out, ")) END");
}

static const Type *sequence_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = sql__wider(call->analyzer, e->args[0]->type, e->args[1]->type);

    if (!t || (!type_is_integral(t) && t->kind != TYPE_DATE && t->kind != TYPE_TIMESTAMP && t->kind != TYPE_TIMESTAMP_NTZ))
        return sql_call_fail(call, "DATATYPE_MISMATCH.SEQUENCE_WRONG_INPUT_TYPES", "sequence goes over integers, dates or timestamps");
    sql__cast(call->analyzer, &e->args[0], t);
    sql__cast(call->analyzer, &e->args[1], t);
    if (type_is_integral(t)) {
        if (e->arg_count == 3 && !sql_call_cast(call, 2, t))
            return NULL;
    } else if (e->arg_count != 3 || (e->args[2]->type->kind != TYPE_INTERVAL_DT && e->args[2]->type->kind != TYPE_INTERVAL_YM)) {
        return sql_call_fail(call, "DATATYPE_MISMATCH.SEQUENCE_WRONG_INPUT_TYPES", "a sequence of %s needs an INTERVAL as its step", sql__type_name(call->analyzer, t));
    }
    return type_array(sql_call_arena(call), t, false);
}

static void sequence_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->type->element;

    if (type_is_integral(t)) {
        text_of(out, "CAST(silt_sequence(CAST($1 AS BIGINT), CAST($2 AS BIGINT), ", call);
        text_of(out, call->arg_count == 3 ? "CAST($3 AS BIGINT), $pos) AS $type)" : "CASE WHEN $1 > $2 THEN CAST(-1 AS BIGINT) ELSE CAST(1 AS BIGINT) END, $pos) AS $type)", call);
    } else if (call->args[2]->type->kind == TYPE_INTERVAL_YM) {
        /* by the calendar: local times, there and back */
        if (t->kind == TYPE_DATE)
            text_of(out, "list_transform(silt_sequence_months(epoch_us(CAST($1 AS TIMESTAMP)), epoch_us(CAST($2 AS TIMESTAMP)), $3, $pos), "
                         "lambda d: CAST(make_timestamp(d) AS DATE))", call);
        else
            text_of(out, t->kind == TYPE_TIMESTAMP ? "list_transform(silt_sequence_month_times(epoch_us($1), epoch_us($2), $3, $pos), lambda d: make_timestamptz(d))"
                                                   : "list_transform(silt_sequence_months(epoch_us($1), epoch_us($2), $3, $pos), lambda d: make_timestamp(d))", call);
    } else if (t->kind == TYPE_TIMESTAMP) {
        text_of(out, "list_transform(silt_sequence_times(epoch_us($1), epoch_us($2), $3, $pos), lambda d: make_timestamptz(d))", call);
    } else if (t->kind == TYPE_DATE) {
        text_of(out, "list_transform(silt_sequence_dates(CAST($1 - DATE '1970-01-01' AS INTEGER), CAST($2 - DATE '1970-01-01' AS INTEGER), $3, $pos), "
                     "lambda d: DATE '1970-01-01' + CAST(d AS INTEGER))", call);
    } else {
        text_of(out, "list_transform(silt_sequence(epoch_us($1), epoch_us($2), $3, $pos), lambda d: make_timestamp(d))", call);
    }
}

static const Type *insert_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    if (t->kind != TYPE_ARRAY)
        return sql_call_fail(call, "DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES", "array_insert needs an ARRAY");
    const Type *element = sql__wider(call->analyzer, t->element, e->args[2]->type);

    if (!element)
        return sql_call_fail(call, "DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES", "array_insert needs a value of type %s",
                             sql__type_name(call->analyzer, t->element));
    if (!sql_call_cast(call, 1, type_simple(TYPE_INT)))
        return NULL;
    t = type_array(sql_call_arena(call), element, true);
    sql__cast(call->analyzer, &e->args[0], t);
    sql__cast(call->analyzer, &e->args[2], element);
    return t;
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
    {"try_element_at", "any, any ->", NULL, FN_MAY_FAIL, element_at_type, element_at_print},
    {"get", "list, int ->", "CASE WHEN $2 < 0 THEN NULL ELSE list_extract($1, $2 + 1) END", 0, element_of, NULL},
    {"array_contains", "T[], T -> boolean", "silt_array_contains($1, $2)", FN_NULLABLE, NULL, NULL},
    {"array_position", "T[], T -> bigint", "silt_array_position($1, $2)", 0, NULL, NULL},
    {"array_min", "array ->", NULL, 0, element_of, extreme_print},
    {"array_max", "array ->", NULL, 0, element_of, extreme_print},
    {"array_append", "T[], T -> T[]", "CASE WHEN $1 IS NULL THEN NULL ELSE list_append($1, $2) END", 0, NULL, NULL},
    {"array_prepend", "T[], T -> T[]", "CASE WHEN $1 IS NULL THEN NULL ELSE list_prepend($2, $1) END", 0, NULL, NULL},
    {"array_compact", "array -> #1", "list_filter($1, lambda x: x IS NOT NULL)", 0, NULL, NULL},
    {"array_remove", "T[], T -> T[]", "CASE WHEN $2 IS NULL THEN NULL ELSE list_filter($1, lambda x: x IS NULL OR x <> $2) END", 0, NULL, NULL},
    {"array_repeat", "any, int ->", "list_transform(range(greatest($2, 0)), lambda x: $1)", 0, repeat_type, NULL},
    {"flatten", "list ->", "CASE WHEN len(list_filter($1, lambda x: x IS NULL)) > 0 THEN NULL ELSE flatten($1) END", FN_NULLABLE, flatten_type, NULL},
    {"transform", "list, any ->", "list_transform($1, $2)", 0, transform_type, NULL},
    {"filter", "list, any ->", "list_filter($1, $2)", 0, predicate_type, NULL},
    {"exists", "list, any ->", NULL, 0, predicate_type, exists_print},
    {"forall", "list, any ->", NULL, 0, predicate_type, exists_print},
    {"aggregate", "list, any, any [, any] ->", NULL, 0, aggregate_type, aggregate_print},
    {"reduce", "list, any, any [, any] ->", NULL, 0, aggregate_type, aggregate_print},
    {"zip_with", "list, list, any ->", "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE list_transform(list_zip($1, $2), $3) END", 0, zip_with_type, NULL},
    {"array_distinct", "array -> #1", NULL, 0, NULL, set_print},
    {"array_union", "T[], T[] -> T[]", NULL, 0, NULL, set_print},
    {"array_intersect", "T[], T[] -> T[]", NULL, 0, NULL, set_print},
    {"array_except", "T[], T[] -> T[]", NULL, 0, NULL, set_print},
    {"arrays_overlap", "T[], T[] -> boolean", "silt_arrays_overlap($1, $2)", FN_NULLABLE, NULL, NULL},
    {"arrays_zip", "[array...] ->", NULL, 0, zip_type, zip_print},
    {"array_join", "array, any [, any] ->", NULL, 0, join_type, join_print},
    {"array_sort", "array [, any] ->", NULL, 0, sort_type, sort_print},
    {"sort_array", "array [, any] ->", NULL, 0, sort_type, sort_print},
    {"array_insert", "any, any, any ->", "list_select(list_concat($1, [$3]), silt_insert(len($1), $2, $pos))", FN_MAY_FAIL, insert_type, NULL},
    {"slice", "array, int, int -> #1", "list_select(" FLAT("$1") ", silt_slice($1, $2, $3, $pos))", FN_MAY_FAIL, NULL, NULL},
    {"reverse", "string -> string", "silt_reverse($1)", 0, NULL, NULL},
    {"reverse", "binary -> binary", "silt_reverse_binary($1)", 0, NULL, NULL},
    {"reverse", "array -> #1", "list_reverse($1)", 0, NULL, NULL},
    {"sequence", "any, any [, any] ->", NULL, FN_MAY_FAIL, sequence_type, sequence_print},
    {"map_from_arrays", "array, array ->", NULL, FN_MAY_FAIL, map_of_type, map_of_print},
    {"map_from_entries", "list ->", NULL, FN_MAY_FAIL, map_of_type, map_of_print},
    {"str_to_map", "string [, string, string] ->", NULL, FN_MAY_FAIL, str_to_map_type, str_to_map_print},
    {"map_concat", "any... ->", NULL, FN_MAY_FAIL, map_concat_type, map_concat_print},
    {"map_filter", "map, any ->", "map_from_entries(list_filter(map_entries($1), $2))", 0, map_filter_type, NULL},
    {"transform_values", "map, any ->", "map(map_keys($1), list_transform(map_entries($1), $2))", 0, transform_values_type, NULL},
    {"transform_keys", "map, any ->", NULL, FN_MAY_FAIL, transform_keys_type, transform_keys_print},
    {"map_zip_with", "map, map, any ->", NULL, 0, map_zip_type, map_zip_print},
    {"map_keys", "map ->", "map_keys($1)", 0, map_keys_type, NULL},
    {"map_values", "map ->", "map_values($1)", 0, map_values_type, NULL},
    {"map_entries", "map ->", "map_entries($1)", 0, map_entries_type, NULL},
    {"map_contains_key", "map, any ->", "list_contains(map_keys($1), $2)", 0, contains_key_type, NULL},
    {NULL},
};
