/*
 * sql/analyze_comparable.c - values that cannot be compared: MAP and VARIANT, and what holds them
 *
 * DuckDB would compare them by their bytes, where Spark refuses: in functions that look for equal or least values, in hashes, keys of maps, joins and windows.
 */
#include <string.h>

#include "sql/analyze.h"

bool sql__holds(const Type *type, TypeKind kind)
{
    if (type->kind == kind)
        return true;
    switch (type->kind) {
    case TYPE_ARRAY:
        return sql__holds(type->element, kind);
    case TYPE_MAP:
        return sql__holds(type->key, kind) || sql__holds(type->element, kind);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (sql__holds(type->fields[i].type, kind))
                return true;
        return false;
    default:
        return false;
    }
}

/* Spark's calendar INTERVAL is refused elsewhere, by its own rules. */
bool sql__comparable(const Type *type)
{
    return !sql__holds(type, TYPE_MAP) && !sql__holds(type, TYPE_VARIANT);
}

bool sql__check_comparable(Analyzer *a, SiltPos pos, const Type *type)
{
    if (sql__comparable(type))
        return true;
    sql__error(a, pos, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "values of type %s cannot be compared", sql__type_name(a, type));
    return false;
}

/* Functions that compare their first argument, or its elements, with others. */
static const char *const comparing[] = {"min", "max", "decode", NULL};
static const char *const comparing_elements[] = {"array_distinct", "array_max",   "array_min",    "array_contains",  "array_position", "array_remove",
                                                 "array_union",    "array_except", "array_intersect", "arrays_overlap", NULL};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

static bool check_hash(Analyzer *a, const Expr *call)
{
    for (int i = 0; i < call->arg_count; i++) {
        bool map = sql__holds(call->args[i]->type, TYPE_MAP);

        if (!map && !sql__holds(call->args[i]->type, TYPE_VARIANT))
            continue;
        sql__error(a, call->args[i]->pos, map ? "DATATYPE_MISMATCH.HASH_MAP_TYPE" : "DATATYPE_MISMATCH.HASH_VARIANT_TYPE", "%s has no hash for a %s", call->name.parts[0],
                   map ? "MAP" : "VARIANT");
        return false;
    }
    return true;
}

static bool refuse(Analyzer *a, const Expr *call, const char *code, const char *what)
{
    sql__error(a, call->args[0]->pos, code, "%s does not take a %s", what, sql__type_name(a, call->args[0]->type));
    return false;
}

bool sql__check_compared(Analyzer *a, const SqlFunction *f, const Expr *call)
{
    const Type *t = call->arg_count && call->args[0]->kind != EXPR_LAMBDA ? call->args[0]->type : NULL;

    if (!t)
        return true;
    if (!strcmp(f->name, "hash") || !strcmp(f->name, "xxhash64"))
        return check_hash(a, call);
    if (is_one_of(f->name, comparing) && (strcmp(f->name, "decode") || call->arg_count > 2))
        return sql__check_comparable(a, call->args[0]->pos, t);
    if ((!strcmp(f->name, "nullif") || !strcmp(f->name, "equal_null")) && call->arg_count == 2) {
        const Type *common = sql__wider(a, t, call->args[1]->type); /* where there is none, that is said first */

        return !common || sql__check_comparable(a, call->args[0]->pos, common);
    }
    if (t->kind == TYPE_ARRAY && is_one_of(f->name, comparing_elements) && call->arg_count < 3) {
        const Type *other = call->arg_count == 2 ? call->args[1]->type : NULL;
        bool text = t->element->kind == TYPE_STRING, other_text = other && other->kind == TYPE_STRING;

        if (other && (!strcmp(f->name, "array_contains") || !strcmp(f->name, "array_position")) && text != other_text && t->element->kind != TYPE_VOID && other->kind != TYPE_VOID) {
            sql__error(a, call->args[1]->pos, "DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES", "%s looks for values of the type of the elements, %s, not for %s", f->name,
                       sql__type_name(a, t->element), sql__type_name(a, other));
            return false;
        }
        /* values of two types are refused for that first */
        return (other && other->kind != TYPE_ARRAY && !sql__wider(a, t->element, other)) || sql__check_comparable(a, call->args[0]->pos, t->element);
    }
    if (!strcmp(f->name, "collect_set") && sql__holds(t, TYPE_MAP))
        return refuse(a, call, "DATATYPE_MISMATCH.UNSUPPORTED_INPUT_TYPE", "collect_set");
    if (!strcmp(f->name, "approx_count_distinct") && sql__holds(t, TYPE_VARIANT))
        return refuse(a, call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "approx_count_distinct");
    if (!strcmp(f->name, "array_join") && t->kind == TYPE_ARRAY && t->element->kind == TYPE_VARIANT)
        return refuse(a, call, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "array_join");
    if (!strcmp(f->name, "to_csv") && sql__holds(t, TYPE_VARIANT))
        return refuse(a, call, "DATATYPE_MISMATCH.UNSUPPORTED_INPUT_TYPE", "to_csv");
    return true;
}

bool sql__check_key(Analyzer *a, SiltPos pos, const Type *key)
{
    if (sql__comparable(key))
        return true;
    sql__error(a, pos, "DATATYPE_MISMATCH.INVALID_MAP_KEY_TYPE", "a %s may not be the key of a map", sql__type_name(a, key));
    return false;
}

static const Type *type_of_copy(Analyzer *a, Scope *scope, Expr *e)
{
    Expr *copy = sql__clone(a, e);
    int before = a->errors->count;

    sql__expr(a, scope, &copy);
    a->errors->count = before; /* these clauses do nothing here, so names in them are not looked at any further */
    return copy->type;
}

void sql__check_sorted(Analyzer *a, Scope *scope, const Query *q)
{
    for (int i = 0; i < q->distribute_count; i++) {
        const Type *t = type_of_copy(a, scope, q->distribute_by[i]);

        if (t && sql__holds(t, TYPE_VARIANT))
            sql__error(a, q->distribute_by[i]->pos, "UNSUPPORTED_FEATURE.PARTITION_BY_VARIANT", "rows cannot be distributed by values of type %s", sql__type_name(a, t));
    }
    for (int i = 0; i < q->sort_count; i++) {
        const Type *t = type_of_copy(a, scope, q->sort_items[i].expr);

        if (t)
            sql__check_comparable(a, q->sort_items[i].expr->pos, t);
    }
}
