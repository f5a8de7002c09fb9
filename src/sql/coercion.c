/*
 * sql/coercion.c - Spark's ANSI rules of types: which casts are implicit, which type two types have in common
 *
 * Follows the published behaviour of Spark 4 with spark.sql.ansi.enabled: numbers widen along
 * tinyint < smallint < int < bigint < decimal < float < double; a string beside another atomic type takes that type, and
 * BIGINT beside any integral, DOUBLE beside any fraction.
 */
#include <stdlib.h>
#include <string.h>

#include "sql/analyze.h"

static bool is_atomic(const Type *t)
{
    return t->kind != TYPE_ARRAY && t->kind != TYPE_MAP && t->kind != TYPE_STRUCT && t->kind != TYPE_VOID && t->kind != TYPE_VARIANT;
}

static bool is_fraction(const Type *t)
{
    return t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE || t->kind == TYPE_DECIMAL;
}

static bool is_timestamp(const Type *t)
{
    return t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ;
}

const Type *sql__decimal_bounded(int precision, int scale)
{
    return type_decimal(precision > 38 ? 38 : precision, scale > 38 ? 38 : scale);
}

/* Above 38 digits the scale gives way, but not below 6 (or what it was). */
const Type *sql__decimal_adjusted(int precision, int scale)
{
    if (precision <= 38)
        return type_decimal(precision, scale);
    int whole = precision - scale;
    int least = scale < 6 ? scale : 6;
    int left = 38 - whole;

    return type_decimal(38, left > least ? left : least);
}

const Type *sql__decimal_of(const Type *t)
{
    switch (t->kind) {
    case TYPE_BYTE:
        return type_decimal(3, 0);
    case TYPE_SHORT:
        return type_decimal(5, 0);
    case TYPE_INT:
        return type_decimal(10, 0);
    case TYPE_LONG:
        return type_decimal(20, 0);
    case TYPE_FLOAT:
        return type_decimal(14, 7);
    case TYPE_DOUBLE:
        return type_decimal(30, 15);
    default:
        return t;
    }
}

/* bigint counts 19 digits beside a decimal, 20 when cast to one. */
static const Type *decimal_for(const Type *t)
{
    return t->kind == TYPE_LONG ? type_decimal(20, 0) : sql__decimal_of(t);
}

static const Type *wider_decimal(const Type *x, const Type *y)
{
    int scale = x->scale > y->scale ? x->scale : y->scale;
    int wx = x->precision - x->scale, wy = y->precision - y->scale;

    /* more than 38 digits: scale gives way to the digits before the point */
    int whole = wx > wy ? wx : wy;
    if (whole + scale > 38)
        return type_decimal(38, 38 - whole < 0 ? 0 : 38 - whole);
    return type_decimal(whole + scale ? whole + scale : 1, scale);
}

static int number_rank(const Type *t)
{
    switch (t->kind) {
    case TYPE_BYTE:
        return 1;
    case TYPE_SHORT:
        return 2;
    case TYPE_INT:
        return 3;
    case TYPE_LONG:
        return 4;
    case TYPE_FLOAT:
        return 6;
    case TYPE_DOUBLE:
        return 7;
    default:
        return 0;
    }
}

static const Type *wider_number(const Type *x, const Type *y)
{
    if (x->kind == TYPE_DECIMAL || y->kind == TYPE_DECIMAL) {
        if (x->kind == TYPE_DOUBLE || y->kind == TYPE_DOUBLE || x->kind == TYPE_FLOAT || y->kind == TYPE_FLOAT)
            return type_simple(TYPE_DOUBLE);
        return wider_decimal(decimal_for(x), decimal_for(y));
    }
    /* an integer beside a float takes double, as float cannot hold it */
    if ((x->kind == TYPE_FLOAT && y->kind != TYPE_DOUBLE && y->kind != TYPE_FLOAT) || (y->kind == TYPE_FLOAT && x->kind != TYPE_DOUBLE && x->kind != TYPE_FLOAT))
        return type_simple(TYPE_DOUBLE);
    return number_rank(x) >= number_rank(y) ? x : y;
}

static const Type *wider_interval(const Type *x, const Type *y)
{
    int from = x->from_unit < y->from_unit ? x->from_unit : y->from_unit;
    int to = x->to_unit > y->to_unit ? x->to_unit : y->to_unit;

    return x->kind == TYPE_INTERVAL_YM ? type_interval_ym(from, to) : type_interval_dt(from, to);
}

const Type *sql__wider(Analyzer *a, const Type *x, const Type *y)
{
    if (x->kind == TYPE_STRING && y->kind == TYPE_STRING)
        return sql__wider_string(x, y);
    if (type_equal(x, y, true))
        return x;
    if (x->kind == TYPE_VOID)
        return y;
    if (y->kind == TYPE_VOID)
        return x;
    if (type_is_numeric(x) && type_is_numeric(y))
        return wider_number(x, y);
    if (x->kind == TYPE_STRING || y->kind == TYPE_STRING) {
        const Type *other = x->kind == TYPE_STRING ? y : x;

        if (type_is_integral(other))
            return type_simple(TYPE_LONG);
        if (is_fraction(other))
            return type_simple(TYPE_DOUBLE);
        if (other->kind == TYPE_VARIANT)
            return other;
        /* which interval a text is to be cannot be told */
        return is_atomic(other) && other->kind != TYPE_INTERVAL_YM && other->kind != TYPE_INTERVAL_DT ? other : NULL;
    }
    if (x->kind == TYPE_DATE && is_timestamp(y))
        return y;
    if (y->kind == TYPE_DATE && is_timestamp(x))
        return x;
    if (is_timestamp(x) && is_timestamp(y))
        return type_simple(TYPE_TIMESTAMP);
    if (x->kind == y->kind && (x->kind == TYPE_INTERVAL_YM || x->kind == TYPE_INTERVAL_DT))
        return wider_interval(x, y);
    if (x->kind == TYPE_TIME && y->kind == TYPE_TIME)
        return x->precision == y->precision ? x : NULL; /* Spark has no wider one */
    if (x->kind == TYPE_ARRAY && y->kind == TYPE_ARRAY) {
        const Type *element = sql__wider(a, x->element, y->element);

        return element ? type_array(a->arena, element, x->element_nullable || y->element_nullable) : NULL;
    }
    if (x->kind == TYPE_MAP && y->kind == TYPE_MAP) {
        const Type *key = sql__wider(a, x->key, y->key), *value = sql__wider(a, x->element, y->element);

        return key && value ? type_map(a->arena, key, value, x->element_nullable || y->element_nullable) : NULL;
    }
    if (x->kind == TYPE_STRUCT && y->kind == TYPE_STRUCT && x->field_count == y->field_count) {
        TypeField *fields = ARENA_ARRAY(a->arena, TypeField, x->field_count ? x->field_count : 1);

        for (int i = 0; i < x->field_count; i++) {
            if (!str_is_nocase(str_of(x->fields[i].name), y->fields[i].name))
                return NULL;
            fields[i] = x->fields[i];
            fields[i].type = sql__wider(a, x->fields[i].type, y->fields[i].type);
            fields[i].nullable = x->fields[i].nullable || y->fields[i].nullable;
            if (!fields[i].type)
                return NULL;
        }
        return type_struct(a->arena, fields, x->field_count);
    }
    return NULL;
}

bool sql__may_cast(const Type *from, const Type *to)
{
    if (type_equal(from, to, false) || from->kind == TYPE_VOID)
        return true;
    if (type_is_numeric(from) && type_is_numeric(to))
        return true;
    if (to->kind == TYPE_STRING)
        return is_atomic(from) || from->kind == TYPE_VARIANT;
    if (from->kind == TYPE_STRING)
        return is_atomic(to) && to->kind != TYPE_INTERVAL;
    if ((from->kind == TYPE_DATE || is_timestamp(from)) && (to->kind == TYPE_DATE || is_timestamp(to)))
        return true;
    if (from->kind == to->kind && (from->kind == TYPE_INTERVAL_YM || from->kind == TYPE_INTERVAL_DT))
        return true;
    if (from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY)
        return sql__may_cast(from->element, to->element);
    if (from->kind == TYPE_MAP && to->kind == TYPE_MAP)
        return sql__may_cast(from->key, to->key) && sql__may_cast(from->element, to->element);
    if (from->kind == TYPE_STRUCT && to->kind == TYPE_STRUCT && from->field_count == to->field_count) {
        for (int i = 0; i < from->field_count; i++)
            if (!sql__may_cast(from->fields[i].type, to->fields[i].type))
                return false;
        return true;
    }
    return false;
}

bool sql__cast_allowed(const Type *from, const Type *to, bool try_cast)
{
    TypeKind f = from->kind, t = to->kind;

    if (f == TYPE_VOID || type_equal(from, to, false))
        return true;
    if (t == TYPE_VOID)
        return false;
    if (t == TYPE_STRING)
        return true;
    if (t == TYPE_VARIANT) /* a variant of a struct or map: to_variant_object */
        return f != TYPE_STRUCT && f != TYPE_MAP && f != TYPE_INTERVAL && f != TYPE_INTERVAL_YM && f != TYPE_INTERVAL_DT &&
               !(f == TYPE_ARRAY && !sql__cast_allowed(from->element, to, try_cast));
    if (f == TYPE_VARIANT)
        return t != TYPE_INTERVAL && t != TYPE_INTERVAL_YM && t != TYPE_INTERVAL_DT;
    if (f == TYPE_ARRAY && t == TYPE_ARRAY)
        return sql__cast_allowed(from->element, to->element, try_cast);
    if (f == TYPE_MAP && t == TYPE_MAP)
        return sql__cast_allowed(from->key, to->key, try_cast) && sql__cast_allowed(from->element, to->element, try_cast);
    if (f == TYPE_STRUCT && t == TYPE_STRUCT) {
        if (from->field_count != to->field_count)
            return false;
        for (int i = 0; i < from->field_count; i++)
            if (!sql__cast_allowed(from->fields[i].type, to->fields[i].type, try_cast))
                return false;
        return true;
    }
    if (!is_atomic(from) || !is_atomic(to))
        return false;
    switch (f) {
    case TYPE_STRING:
        return true;
    case TYPE_BOOLEAN:
        return type_is_numeric(to);
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return type_is_numeric(to) || t == TYPE_BOOLEAN || t == TYPE_TIMESTAMP || t == TYPE_INTERVAL_YM || t == TYPE_INTERVAL_DT;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
    case TYPE_DECIMAL:
        return type_is_numeric(to) || t == TYPE_BOOLEAN || t == TYPE_TIMESTAMP || (f == TYPE_DECIMAL && (t == TYPE_INTERVAL_YM || t == TYPE_INTERVAL_DT));
    case TYPE_DATE:
        return is_timestamp(to);
    case TYPE_TIMESTAMP:
        return t == TYPE_DATE || is_timestamp(to) || type_is_numeric(to);
    case TYPE_TIMESTAMP_NTZ:
        return t == TYPE_DATE || is_timestamp(to);
    case TYPE_TIME:
        return t == TYPE_TIME || type_is_integral(to) || t == TYPE_DECIMAL;
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return f == t || type_is_integral(to) || t == TYPE_DECIMAL;
    default:
        return false;
    }
}

bool sql__cast_fails(const Type *from, const Type *to)
{
    TypeKind f = from->kind, t = to->kind;

    if (type_equal(from, to, false) || f == TYPE_VOID || t == TYPE_STRING || t == TYPE_VARIANT)
        return false;
    if (f == TYPE_ARRAY && t == TYPE_ARRAY)
        return sql__cast_fails(from->element, to->element);
    if (f == TYPE_MAP && t == TYPE_MAP)
        return sql__cast_fails(from->key, to->key) || sql__cast_fails(from->element, to->element);
    if (f == TYPE_STRUCT && t == TYPE_STRUCT) {
        for (int i = 0; i < from->field_count; i++)
            if (sql__cast_fails(from->fields[i].type, to->fields[i].type))
                return true;
        return false;
    }
    if (f == TYPE_STRING || f == TYPE_VARIANT)
        return t != TYPE_BINARY;
    if (type_is_integral(from) && type_is_integral(to))
        return number_rank(from) > number_rank(to);
    if (type_is_numeric(from) && (t == TYPE_FLOAT || t == TYPE_DOUBLE || t == TYPE_BOOLEAN))
        return false;
    if (f == TYPE_BOOLEAN)
        return t == TYPE_DECIMAL && to->precision == to->scale;
    if (t == TYPE_DECIMAL && (type_is_integral(from) || f == TYPE_DECIMAL)) {
        const Type *d = sql__decimal_of(from);

        return to->precision - to->scale < d->precision - d->scale + (f == TYPE_DECIMAL && to->scale < d->scale);
    }
    if (f == TYPE_DATE || (is_timestamp(from) && !type_is_numeric(to)))
        return false;
    if (f == TYPE_TIME && (t == TYPE_TIME || t == TYPE_INT || t == TYPE_LONG))
        return false;
    return true;
}

bool sql__orderable(const Type *type)
{
    switch (type->kind) {
    case TYPE_MAP:
    case TYPE_VARIANT:
    case TYPE_INTERVAL:
        return false;
    case TYPE_ARRAY:
        return sql__orderable(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (!sql__orderable(type->fields[i].type))
                return false;
        return true;
    default:
        return true;
    }
}

bool sql__is_nested(const Type *type)
{
    return type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT;
}

bool sql__groups(const Type *type)
{
    if (type->kind == TYPE_MAP || type->kind == TYPE_ARRAY)
        return sql__groups(type->element);
    return type->kind == TYPE_VOID || sql__orderable(type);
}

/* A literal number takes the wider type itself, and a literal array has its elements cast, so that constants stay constants. */
static bool cast_literal(Analyzer *a, Expr **slot, const Type *type)
{
    Expr *e = *slot;

    if (e->kind == EXPR_CALL && e->function && !strcmp(e->function->name, "array") && type->kind == TYPE_ARRAY && !e->filter) {
        for (int i = 0; i < e->arg_count; i++)
            sql__cast(a, &e->args[i], type->element);
        e->type = type;
        return true;
    }
    if (e->kind != EXPR_LITERAL || type->kind != TYPE_DOUBLE || (!type_is_integral(e->type) && e->type->kind != TYPE_DECIMAL))
        return false;
    Expr *lit = sql__clone(a, e);

    lit->literal_double = e->type->kind == TYPE_DECIMAL ? strtod(e->literal.ptr, NULL) : (double)e->literal_int;
    lit->literal_int = 0;
    lit->literal = (Str){0};
    lit->type = type;
    lit->implicit = true;
    *slot = lit;
    return true;
}

void sql__cast(Analyzer *a, Expr **slot, const Type *type)
{
    Expr *e = *slot;

    if (!e->type || !type || type_equal(e->type, type, false)) {
        if (e->type && type && e->type->kind != TYPE_ARRAY && e->type->kind != TYPE_MAP && e->type->kind != TYPE_STRUCT)
            e->type = type;
        return;
    }
    if (cast_literal(a, slot, type))
        return;
    Expr *cast = ARENA_NEW(a->arena, Expr);

    cast->kind = EXPR_CAST;
    cast->pos = e->pos;
    cast->op = "CAST";
    cast->implicit = true;
    cast->args = ARENA_ARRAY(a->arena, Expr *, 1);
    cast->args[0] = e;
    cast->arg_count = 1;
    cast->cast_type = type;
    cast->type = type;
    cast->nullable = e->nullable;
    cast->constant = e->constant;
    cast->deterministic = e->deterministic;
    sql__fold_cast(a, cast);
    *slot = cast;
}

const char *sql__type_name(Analyzer *a, const Type *type)
{
    char *text = arena_strdup(a->arena, type_text(a->arena, type));

    for (char *c = text; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return text;
}
