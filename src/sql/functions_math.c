/* sql/functions_math.c - numbers */
#include <string.h>

#include "sql/analyze.h"
#include "sql/constant.h"

/* round, bround, ceil and floor of decimals: one digit more before the point, `scale` behind it. */
static const Type *rounded(const Type *t, int64_t scale)
{
    int least = t->precision - t->scale + 1;

    if (scale < 0) {
        int p = least > -scale + 1 ? least : (int)-scale + 1;

        return sql__decimal_bounded(p, 0);
    }
    int s = t->scale < scale ? t->scale : (int)scale;

    return sql__decimal_bounded(least + s, s);
}

/* The scale: a constant, of ceil and floor an INT and not NULL. With NULL the result is, and e->text says so. False with an error recorded. */
static bool scale_of(SqlCall *call, bool ceil_floor, int64_t *scale)
{
    Expr *e = call->expr;
    const char *name = e->function->name;
    Constant c = sql__constant(call->analyzer, e->args[1]);
    bool cast = e->args[1]->kind == EXPR_CAST && e->args[1]->implicit;

    if (!e->args[1]->constant || (ceil_floor && (cast || c.kind == CONSTANT_NULL)))
        sql_call_fail(call, ceil_floor ? "NON_FOLDABLE_ARGUMENT" : "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the scale of %s must be a constant integer%s", name,
                      ceil_floor ? ", not NULL" : "");
    else if (c.kind == CONSTANT_FAILS)
        sql_call_fail(call, c.code, "the scale of %s cannot be computed", name);
    else if (c.kind != CONSTANT_WHOLE && c.kind != CONSTANT_NULL)
        sql_call_fail(call, "UNSUPPORTED_FEATURE", "the scale of %s must be known when the query is read: it may not ask for the time, nor come from an extension", name);
    else {
        if (c.kind == CONSTANT_NULL) {
            e->text = "NULL";
            e->nullable = true;
        } else {
            *scale = c.whole;
        }
        return true;
    }
    return false;
}

static const Type *round_type(SqlCall *call)
{
    Expr *e = call->expr;
    int64_t scale = 0;
    const Type *t = e->args[0]->type;
    bool ceil_floor = !strncmp(e->function->name, "ceil", 4) || !strcmp(e->function->name, "floor");

    if (e->arg_count > 1 && !scale_of(call, ceil_floor, &scale))
        return NULL;
    e->literal_int = scale;
    if (ceil_floor && t->kind != TYPE_DECIMAL) {
        if (e->arg_count == 1) {
            if (!type_is_integral(t))
                sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
            else
                sql_call_cast(call, 0, type_simple(TYPE_LONG));
            return type_simple(TYPE_LONG);
        }
        /* with a scale: as a decimal */
        sql_call_cast(call, 0, sql__decimal_of(t));
        t = e->args[0]->type;
    }
    if (t->kind == TYPE_DECIMAL && ceil_floor && e->arg_count == 1 && t->scale == 0)
        return t;
    return t->kind == TYPE_DECIMAL ? rounded(t, scale) : t;
}

static void round_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->args[0]->type;
    const char *name = call->function->name;
    const char *mode = !strcmp(name, "bround") ? "even" : !strncmp(name, "ceil", 4) ? "ceil" : !strcmp(name, "floor") ? "floor" : "up";
    bool ceil_floor = *mode == 'c' || *mode == 'f';

    if (call->text) { /* the scale is NULL */
        sql_duck_template(out, "CAST(NULL AS $type)", call);
        return;
    }
    if (ceil_floor && type_is_integral(t)) {
        sql_duck_template(out, "$1", call);
        return;
    }
    if (type_is_integral(t) && call->literal_int >= 0) {
        sql_duck_template(out, "$1", call);
        return;
    }
    str_buf_puts(out, "\"silt_round:");
    type_print(out, call->type);
    str_buf_puts(out, "\"(");
    sql_duck_expr(out, call->args[0]);
    str_buf_printf(out, ", %lld, '%s', ", (long long)call->literal_int, mode);
    sql_duck_pos(out, call->pos);
    str_buf_putc(out, ')');
}

/* mod, pmod, try_add ...: the operator's types */
static const Type *operator_type(SqlCall *call)
{
    static const char *const ops[][2] = {{"mod", "%"}, {"pmod", "%"}, {"try_mod", "%"}, {"try_add", "+"}, {"try_subtract", "-"}, {"try_multiply", "*"},
                                         {"try_divide", "/"}, {"div", "DIV"}};
    Expr *e = call->expr;

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(ops[i][0], e->function->name))
            e->op = ops[i][1];
    Expr *op = ARENA_NEW(sql_call_arena(call), Expr);

    /* a text beside a number becomes one, or NULL in the try_ functions */
    for (int i = 0; i < 2 && !strncmp(e->function->name, "try_", 4); i++) {
        const Type *other = e->args[1 - i]->type;

        if (e->args[i]->type->kind == TYPE_STRING && type_is_numeric(other)) {
            sql__cast(call->analyzer, &e->args[i], type_simple(type_is_integral(other) ? TYPE_LONG : TYPE_DOUBLE));
            e->args[i]->op = "TRY_CAST";
            e->args[i]->nullable = true;
        }
    }
    *op = (Expr){.kind = EXPR_BINARY, .pos = e->pos, .op = e->op, .args = e->args, .arg_count = 2};
    sql__op_types(call->analyzer, call->scope, &op);
    e->extra = op;
    e->args = op->args;
    e->nullable = e->nullable || op->nullable || !strncmp(e->function->name, "try_", 4);
    return op->type;
}

static void operator_print(StrBuf *out, const Expr *call)
{
    sql_duck_expr(out, call->extra);
}

static void pmod_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->args[0]->type->kind == TYPE_DECIMAL ? "\"silt_decimal_pmod:$T\"($1, $2, $pos)" : "\"silt_pmod:$T\"($1, $2, $pos)", call);
}

static void try_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->type;
    const char *name = call->function->name;

    if (t->kind == TYPE_DOUBLE || t->kind == TYPE_FLOAT) {
        if (!strcmp(call->op, "/") || !strcmp(call->op, "%"))
            sql_duck_template(out, *call->op == '/' ? "($1 / nullif($2, 0))" : "($1 % nullif($2, 0))", call);
        else
            operator_print(out, call);
        return;
    }
    if (type_is_integral(t) || t->kind == TYPE_DECIMAL) {
        str_buf_printf(out, "\"silt_%s%s:", call->args[0]->type->kind == TYPE_DECIMAL ? "try_decimal_" : "try_", name + 4);
        type_print(out, t);
        sql_duck_template(out, "\"($1, $2)", call);
        return;
    }
    if (t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT) {
        if (*call->op == '*' || *call->op == '/')
            sql_duck_template(out, *call->op == '*' ? "\"silt_try_interval_multiply:$T\"($1, $2)" : "\"silt_try_interval_divide:$T\"($1, $2)", call);
        else if (call->args[0]->type->kind == t->kind) {
            str_buf_printf(out, "\"silt_%s:%s", name, t->kind == TYPE_INTERVAL_YM ? "int" : "bigint");
            sql_duck_template(out, "\"($1, $2)", call);
        } else
            operator_print(out, call); /* a difference of times */
        return;
    }
    operator_print(out, call); /* dates: out of range there is the database's own failure: out of range there is the database's own failure */
}

static const Type *abs_type(SqlCall *call)
{
    return call->expr->args[0]->type;
}

static void abs_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->type;

    sql_duck_template(out,
                      t->kind == TYPE_INTERVAL_YM   ? "\"silt_abs:int\"($1, $pos)"
                      : t->kind == TYPE_INTERVAL_DT ? "\"silt_abs:bigint\"($1, $pos)"
                      : type_is_integral(t)         ? "\"silt_abs:$T\"($1, $pos)"
                                                    : "abs($1)",
                      call);
}

static const Type *negative_type(SqlCall *call)
{
    Expr *op = ARENA_NEW(sql_call_arena(call), Expr);

    *op = (Expr){.kind = EXPR_UNARY, .pos = call->expr->pos, .op = "-", .args = call->expr->args, .arg_count = 1};
    sql__op_types(call->analyzer, call->scope, &op);
    call->expr->extra = op;
    return op->type;
}

static const Type *log_type(SqlCall *call)
{
    call->expr->nullable = true;
    return type_simple(TYPE_DOUBLE);
}

/* BINARY and nothing that casts to it */
static const Type *bitmap_count_type(SqlCall *call)
{
    if (call->expr->args[0]->type->kind != TYPE_BINARY)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "bitmap_count takes BINARY, not %s",
                             sql__type_name(call->analyzer, call->expr->args[0]->type));
    return type_simple(TYPE_LONG);
}

const SqlFunction sql_functions_math[] = {
    {"abs", "interval ->", NULL, FN_MAY_FAIL, abs_type, abs_print},
    {"abs", "number ->", NULL, FN_MAY_FAIL, abs_type, abs_print},
    {"negative", "any ->", NULL, FN_MAY_FAIL, negative_type, operator_print},
    {"positive", "number -> #1", "$1", 0, NULL, NULL},
    {"round", "number [, int] ->", NULL, FN_MAY_FAIL, round_type, round_print},
    {"bround", "number [, int] ->", NULL, FN_MAY_FAIL, round_type, round_print},
    {"ceil", "number [, int] ->", NULL, 0, round_type, round_print},
    {"ceiling", "number [, int] ->", NULL, 0, round_type, round_print},
    {"floor", "number [, int] ->", NULL, 0, round_type, round_print},
    {"mod", "any, any ->", NULL, FN_MAY_FAIL, operator_type, operator_print},
    {"pmod", "any, any ->", NULL, FN_MAY_FAIL, operator_type, pmod_print},
    {"try_mod", "any, any ->", NULL, FN_NULLABLE, operator_type, try_print},
    {"try_add", "any, any ->", NULL, FN_NULLABLE, operator_type, try_print},
    {"try_subtract", "any, any ->", NULL, FN_NULLABLE, operator_type, try_print},
    {"try_multiply", "any, any ->", NULL, FN_NULLABLE, operator_type, try_print},
    {"try_divide", "any, any ->", NULL, FN_NULLABLE, operator_type, try_print},
    {"sqrt", "double -> double", "silt_sqrt($1)", 0, NULL, NULL},
    {"cbrt", "double -> double", "silt_cbrt($1)", 0, NULL, NULL},
    {"exp", "double -> double", "silt_exp($1)", 0, NULL, NULL},
    {"expm1", "double -> double", "silt_expm1($1)", 0, NULL, NULL},
    {"ln", "double ->", "CASE WHEN $1 <= 0 THEN NULL ELSE silt_log($1) END", 0, log_type, NULL},
    {"log", "double ->", "CASE WHEN $1 <= 0 THEN NULL ELSE silt_log($1) END", 0, log_type, NULL},
    {"log", "double, double ->", "CASE WHEN $1 <= 0 OR $2 <= 0 THEN NULL ELSE silt_log($2) / silt_log($1) END", 0, log_type, NULL},
    {"log10", "double ->", "CASE WHEN $1 <= 0 THEN NULL ELSE silt_log10($1) END", 0, log_type, NULL},
    {"log2", "double ->", "CASE WHEN $1 <= 0 THEN NULL ELSE silt_log($1) / CAST('0.6931471805599453' AS DOUBLE) END", 0, log_type, NULL},
    {"log1p", "double ->", "CASE WHEN $1 <= -1 THEN NULL ELSE silt_log1p($1) END", 0, log_type, NULL},
    {"pow", "double, double -> double", "silt_pow($1, $2)", 0, NULL, NULL},
    {"power", "double, double -> double", "silt_pow($1, $2)", 0, NULL, NULL},
    {"sign", "interval -> double", "silt_sign(CAST($1 AS DOUBLE))", 0, NULL, NULL},
    {"sign", "double -> double", "silt_sign($1)", 0, NULL, NULL},
    {"signum", "interval -> double", "silt_sign(CAST($1 AS DOUBLE))", 0, NULL, NULL},
    {"signum", "double -> double", "silt_sign($1)", 0, NULL, NULL},
    {"sin", "double -> double", "silt_sin($1)", 0, NULL, NULL},
    {"cos", "double -> double", "silt_cos($1)", 0, NULL, NULL},
    {"tan", "double -> double", "silt_tan($1)", 0, NULL, NULL},
    {"asin", "double -> double", "silt_asin($1)", 0, NULL, NULL},
    {"acos", "double -> double", "silt_acos($1)", 0, NULL, NULL},
    {"atan", "double -> double", "silt_atan($1)", 0, NULL, NULL},
    {"atan2", "double, double -> double", "silt_atan2($1, $2)", 0, NULL, NULL},
    {"sinh", "double -> double", "silt_sinh($1)", 0, NULL, NULL},
    {"cosh", "double -> double", "silt_cosh($1)", 0, NULL, NULL},
    {"tanh", "double -> double", "silt_tanh($1)", 0, NULL, NULL},
    {"degrees", "double -> double", "degrees($1)", 0, NULL, NULL},
    {"radians", "double -> double", "radians($1)", 0, NULL, NULL},
    {"pi", "-> double", "pi()", FN_NOT_NULL, NULL, NULL},
    {"e", "-> double", "CAST('2.718281828459045' AS DOUBLE)", FN_NOT_NULL, NULL, NULL},
    {"hypot", "double, double -> double", "silt_hypot($1, $2)", 0, NULL, NULL},
    {"factorial", "int -> bigint", "silt_factorial($1)", FN_NULLABLE, NULL, NULL},
    {"shiftleft", "int, int -> #1", "silt_shift_left_int($1, $2)", 0, NULL, NULL},
    {"shiftleft", "bigint, int -> #1", "silt_shift_left_long($1, $2)", 0, NULL, NULL},
    {"shiftright", "int, int -> #1", "silt_shift_right_int($1, $2)", 0, NULL, NULL},
    {"shiftright", "bigint, int -> #1", "silt_shift_right_long($1, $2)", 0, NULL, NULL},
    {"shiftrightunsigned", "int, int -> #1", "silt_shift_right_unsigned_int($1, $2)", 0, NULL, NULL},
    {"shiftrightunsigned", "bigint, int -> #1", "silt_shift_right_unsigned_long($1, $2)", 0, NULL, NULL},
    {"hex", "bigint -> string", "silt_hex_long($1)", 0, NULL, NULL},
    {"hex", "string -> string", "silt_hex_string($1)", 0, NULL, NULL},
    {"hex", "binary -> string", "silt_hex_binary($1)", 0, NULL, NULL},
    {"unhex", "string -> binary", "silt_unhex($1)", FN_NULLABLE, NULL, NULL},
    {"bit_count", "boolean -> int", "CAST($1 AS INTEGER)", 0, NULL, NULL},
    {"bit_count", "integral -> int", "silt_bit_count(CAST($1 AS BIGINT))", 0, NULL, NULL},
    {"bitmap_bit_position", "bigint -> bigint", "CASE WHEN $1 > 0 THEN ($1 - 1) % 32768 ELSE -($1 % 32768) END", 0, NULL, NULL},
    {"bitmap_bucket_number", "bigint -> bigint", "CASE WHEN $1 > 0 THEN 1 + ($1 - 1) // 32768 ELSE $1 // 32768 END", 0, NULL, NULL},
    {"bitmap_count", "any ->", "silt_bitmap_count($1)", 0, bitmap_count_type, NULL},
    {"bit_get", "int, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 32, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"bit_get", "tinyint, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 8, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"bit_get", "smallint, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 16, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"bit_get", "bigint, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 64, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"getbit", "int, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 32, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"getbit", "tinyint, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 8, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"getbit", "smallint, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 16, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"getbit", "bigint, int -> tinyint", "silt_bit_get(CAST($1 AS BIGINT), $2, 64, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"bin", "bigint -> string", "silt_bin($1)", 0, NULL, NULL},
    {"conv", "string, int, int -> string", "silt_conv($1, $2, $3)", FN_NULLABLE, NULL, NULL},
    {"width_bucket", "double, double, double, bigint -> bigint", "silt_width_bucket($1, $2, $3, $4)", FN_NULLABLE, NULL, NULL},
    {NULL},
};
