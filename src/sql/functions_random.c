/*
 * sql/functions_random.c - random values
 *
 * With a seed they are Spark's, of its first partition, in the order in which the rows pass (duck/fn_random.c). Without one each row gets a
 * seed of its own; rand() is the database's.
 */
#include <string.h>

#include "sql/analyze.h"

static const char wrong_input[] = "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", no_number[] = "INVALID_PARAMETER_VALUE.LONG";

/* The seed at args[arg]: a constant INT or BIGINT, NULL counts as 0. wrong_type, not_constant: Spark's classes. */
static bool take_seed(SqlCall *call, int arg, const char *wrong_type, const char *not_constant)
{
    Expr *seed = call->expr->args[arg];

    if (seed->type->kind != TYPE_INT && seed->type->kind != TYPE_LONG && seed->type->kind != TYPE_VOID) {
        sql_call_fail(call, wrong_type, "the seed of %s is an INT or a BIGINT, not %s", call->expr->function->name, sql__type_name(call->analyzer, seed->type));
        return false;
    }
    bool written = seed->kind == EXPR_LITERAL || (seed->kind == EXPR_UNARY && seed->args[0]->kind == EXPR_LITERAL); /* uuid and shuffle compute none */

    if ((!seed->constant || (not_constant == no_number && !written)) && seed->type->kind != TYPE_VOID) {
        sql_call_fail(call, not_constant, "the seed of %s must be a constant", call->expr->function->name);
        return false;
    }
    if (seed->type->kind == TYPE_VOID)
        call->expr->args[arg] = sql__literal_int(call->analyzer, seed->pos, 0);
    return sql_call_cast(call, arg, type_simple(TYPE_LONG));
}

static void put_seed(StrBuf *out, const Expr *call, int arg)
{
    if (arg < call->arg_count)
        sql_duck_expr(out, call->args[arg]);
    else
        str_buf_puts(out, "CAST(random() * 9e15 AS BIGINT)");
}

/* rand, randn, uuid ([seed]) */
static const Type *seeded_type(SqlCall *call)
{
    bool uuid = !strcmp(call->expr->function->name, "uuid");

    if (call->expr->arg_count && !take_seed(call, 0, uuid ? no_number : wrong_input, uuid ? no_number : "SEED_EXPRESSION_IS_UNFOLDABLE"))
        return NULL;
    call->expr->nullable = false;
    return type_simple(uuid ? TYPE_STRING : TYPE_DOUBLE);
}

static void rand_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count ? "silt_rand($1)" : "random()", call);
}

static void randn_print(StrBuf *out, const Expr *call)
{
    str_buf_puts(out, "silt_randn(");
    put_seed(out, call, 0);
    str_buf_putc(out, ')');
}

static void uuid_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count ? "silt_rand_uuid($1)" : "CAST(uuid() AS VARCHAR)", call);
}

/* shuffle(array [, seed]) */
static const Type *shuffle_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (call->expr->arg_count > 1 && !take_seed(call, 1, no_number, no_number))
        return NULL;
    call->expr->nullable = call->expr->args[0]->nullable;
    return t->kind == TYPE_VOID ? type_array(sql_call_arena(call), t, true) : t;
}

static void shuffle_print(StrBuf *out, const Expr *call)
{
    if (call->args[0]->type->kind == TYPE_VOID) {
        sql_duck_template(out, "CAST(NULL AS $type)", call);
        return;
    }
    sql_duck_template(out, "list_select(list_concat($1, []), silt_rand_order(CAST(len($1) AS INTEGER), ", call);
    put_seed(out, call, 1);
    str_buf_puts(out, "))");
}

/* randstr(length [, seed]) */
static const Type *text_type(SqlCall *call)
{
    Expr *e = call->expr, *length = e->args[0];
    int64_t chars;

    if (length->type->kind != TYPE_VOID && length->type->kind != TYPE_STRING && !type_is_integral(length->type))
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the length of randstr is an INT, not %s", sql__type_name(call->analyzer, length->type));
    if (!length->constant)
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the length of randstr must be a constant");
    if (sql_constant_int(call->analyzer, length, &chars) && chars < 0)
        return sql_call_fail(call, "INVALID_PARAMETER_VALUE.LENGTH", "the length of randstr must not be negative, and is %lld", (long long)chars);
    if (e->arg_count > 1 && !take_seed(call, 1, wrong_input, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT"))
        return NULL;
    e->nullable = false;
    return sql_call_cast(call, 0, type_simple(TYPE_INT)) ? type_simple(TYPE_STRING) : NULL;
}

static void text_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, "silt_rand_text($1, ", call);
    put_seed(out, call, 1);
    str_buf_putc(out, ')');
}

static int integral_rank(const Type *t)
{
    return t->kind == TYPE_BYTE ? 0 : t->kind == TYPE_SHORT ? 1 : t->kind == TYPE_INT ? 2 : 3;
}

/* DOUBLE before FLOAT before the longer DECIMAL before the wider of two integers; a NULL makes it DOUBLE. */
static const Type *range_type(const Type *x, const Type *y)
{
    static const TypeKind fractions[] = {TYPE_VOID, TYPE_DOUBLE, TYPE_FLOAT};

    for (int i = 0; i < 3; i++)
        if (x->kind == fractions[i] || y->kind == fractions[i])
            return type_simple(i ? fractions[i] : TYPE_DOUBLE);
    if (x->kind == TYPE_DECIMAL && y->kind == TYPE_DECIMAL)
        return x->precision >= y->precision ? x : y;
    if (x->kind == TYPE_DECIMAL || y->kind == TYPE_DECIMAL)
        return x->kind == TYPE_DECIMAL ? x : y;
    return integral_rank(x) >= integral_rank(y) ? x : y;
}

/* uniform(min, max [, seed]): min + (max - min) * rand(seed), cast to the type of the two */
static const Type *uniform_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *result;

    for (int i = 0; i < 2; i++) {
        if (!type_is_numeric(e->args[i]->type) && e->args[i]->type->kind != TYPE_VOID)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "uniform takes numbers, not %s", sql__type_name(call->analyzer, e->args[i]->type));
        if (!e->args[i]->constant)
            return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the bounds of uniform must be constants");
    }
    if (e->arg_count > 2 && !take_seed(call, 2, wrong_input, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT"))
        return NULL;
    result = range_type(e->args[0]->type, e->args[1]->type);
    e->nullable = e->args[0]->nullable || e->args[1]->nullable;
    Expr *value = sql__call_new(call->analyzer, e->pos, "silt_between", e->arg_count);

    for (int i = 0; i < e->arg_count; i++)
        value->args[i] = e->args[i];
    sql__call(call->analyzer, call->scope, &value);
    value->nullable = e->nullable;
    sql__cast(call->analyzer, &value, result);
    e->extra = value;
    return value->type ? result : NULL;
}

static void uniform_print(StrBuf *out, const Expr *call)
{
    sql_duck_expr(out, call->extra);
}

/* The value of uniform before its cast. */
static void between_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count > 2 ? "($1 + ($2 - $1) * silt_rand($3))" : "($1 + ($2 - $1) * random())", call);
}

const SqlFunction sql_functions_random[] = {
    {"rand", "[any] ->", NULL, FN_RANDOM, seeded_type, rand_print},
    {"random", "[any] ->", NULL, FN_RANDOM, seeded_type, rand_print},
    {"randn", "[any] ->", NULL, FN_RANDOM, seeded_type, randn_print},
    {"uuid", "[any] ->", NULL, FN_RANDOM, seeded_type, uuid_print},
    {"randstr", "any [, any] ->", NULL, FN_RANDOM, text_type, text_print},
    {"shuffle", "array [, any] ->", NULL, FN_RANDOM, shuffle_type, shuffle_print},
    {"uniform", "any, any [, any] ->", NULL, FN_RANDOM, uniform_type, uniform_print},
    {"silt_between", "double, double [, bigint] -> double", NULL, FN_RANDOM, NULL, between_print},
    {NULL},
};
