/* sql/functions_clock.c - the type TIME: times of a day, in microseconds */
#include <string.h>

#include "sql/analyze.h"

static const Type *time_type(SqlCall *call)
{
    return type_simple(TYPE_TIME);
}

static const Type *make_time_type(SqlCall *call)
{
    for (int i = 0; i < 3; i++)
        if (!sql_call_cast(call, i, i < 2 ? type_simple(TYPE_INT) : type_decimal(16, 6)))
            return NULL;
    return type_simple(TYPE_TIME);
}

static const Type *to_seconds_type(SqlCall *call)
{
    return type_decimal(14, 6);
}

/* time_from_seconds(number): decimals with six digits, doubles cut off behind them */
static const Type *from_seconds_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (t->kind == TYPE_DECIMAL)
        sql_call_cast(call, 0, type_decimal(26, 6));
    else if (type_is_integral(t))
        sql_call_cast(call, 0, type_simple(TYPE_LONG));
    else
        sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
    return type_simple(TYPE_TIME);
}

static void from_seconds_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->args[0]->type;

    sql_duck_template(out, t->kind == TYPE_LONG      ? "silt_time_of_us($1 * 1000000, $pos)"
                           : t->kind == TYPE_DECIMAL ? "silt_time_of_us(CAST($1 * CAST(1000000 AS DECIMAL(7,0)) AS BIGINT), $pos)"
                                                     : "silt_time_of_us(CAST(trunc($1 * 1000000) AS BIGINT), $pos)", call);
}

static const struct {
    const char *word;
    int64_t us;
} units[] = {{"HOUR", 3600000000}, {"MINUTE", 60000000}, {"SECOND", 1000000}, {"MILLISECOND", 1000}, {"MICROSECOND", 1}};

/* The constant unit at args[0] into extra; a NULL makes the result NULL. False with an error recorded. */
static bool take_unit(SqlCall *call)
{
    Expr *e = call->expr;
    const char *word = sql_constant_text(call->analyzer, e->args[0]);

    e->extra = NULL;
    if (e->args[0]->kind == EXPR_LITERAL && e->args[0]->type->kind == TYPE_VOID)
        return true;
    if (!word) {
        sql_call_fail(call, "UNSUPPORTED_FEATURE.NON_CONSTANT_FORMAT", "the unit of %s must be a constant for now", e->function->name);
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcasecmp(word, units[i].word))
            e->extra = (void *)&units[i].us;
    if (!e->extra)
        sql_call_fail(call, "INVALID_PARAMETER_VALUE.TIME_UNIT", "the unit of %s is HOUR, MINUTE, SECOND, MILLISECOND or MICROSECOND, not \"%s\"",
                      e->function->name, word);
    return e->extra;
}

static const Type *time_diff_type(SqlCall *call)
{
    return take_unit(call) ? type_simple(TYPE_LONG) : NULL;
}

static const Type *time_trunc_type(SqlCall *call)
{
    const Type *time = call->expr->args[1]->type;

    return !take_unit(call) ? NULL : time->kind == TYPE_TIME ? time : type_simple(TYPE_TIME);
}

static void time_diff_print(StrBuf *out, const Expr *call)
{
    if (!call->extra) {
        sql_duck_template(out, "CAST(NULL AS $type)", call);
        return;
    }
    sql_duck_template(out, "((epoch_us($3) - epoch_us($2)) // ", call);
    str_buf_printf(out, "CAST(%lld AS BIGINT))", (long long)*(const int64_t *)call->extra);
}

static void time_trunc_print(StrBuf *out, const Expr *call)
{
    if (!call->extra) {
        sql_duck_template(out, "CAST(NULL AS $type)", call);
        return;
    }
    sql_duck_template(out, "silt_time_of_us(epoch_us($2) - epoch_us($2) % ", call);
    str_buf_printf(out, "CAST(%lld AS BIGINT)", (long long)*(const int64_t *)call->extra);
    sql_duck_template(out, ", $pos)", call);
}

/* current_time([precision]) */
static const Type *current_time_type(SqlCall *call)
{
    Expr *e = call->expr;
    int64_t precision = 6;

    if (e->arg_count && !sql_constant_int(call->analyzer, e->args[0], &precision))
        return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the precision of current_time must be a constant");
    if (precision < 0 || precision > 6)
        return sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the precision of current_time is 0 to 6, not %lld", (long long)precision);
    e->arg_count = 0;
    return type_time((int)precision);
}

static void current_time_print(StrBuf *out, const Expr *call)
{
    sql_duck_cut_time(out, "CAST(CAST(silt_now() AS TIMESTAMP) AS TIME)", call->type->precision);
}

/* to_time(text [, format]), try_to_time */
static const Type *to_time_type(SqlCall *call)
{
    Expr *e = call->expr;

    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->type->kind != TYPE_STRING && e->args[i]->type->kind != TYPE_VOID)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s takes a STRING, not %s", e->function->name,
                                 sql__type_name(call->analyzer, e->args[i]->type));
        sql_call_cast(call, i, type_simple(TYPE_STRING));
    }
    e->nullable = e->nullable || !strncmp(e->function->name, "try_", 4);
    return type_simple(TYPE_TIME);
}

static void to_time_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    if (call->arg_count == 1)
        sql_duck_template(out, try_it ? "silt_try_parse_time($1)" : "silt_parse_time($1, $pos)", call);
    else
        sql_duck_template(out, try_it ? "silt_try_parse_time_as($1, $2)" : "silt_parse_time_as($1, $2, $pos)", call);
}

const SqlFunction sql_functions_clock[] = {
    {"make_time", "any, any, any ->", "silt_make_time($1, $2, $3, $pos)", FN_MAY_FAIL | FN_TIME, make_time_type, NULL},
    {"time_from_seconds", "number ->", NULL, FN_MAY_FAIL | FN_TIME, from_seconds_type, from_seconds_print},
    {"time_from_millis", "bigint ->", "silt_time_of_us($1 * 1000, $pos)", FN_MAY_FAIL | FN_TIME, time_type, NULL},
    {"time_from_micros", "bigint ->", "silt_time_of_us($1, $pos)", FN_MAY_FAIL | FN_TIME, time_type, NULL},
    {"time_to_seconds", "time ->", "CAST(CAST(epoch_us($1) AS DECIMAL(14,0)) * CAST('0.000001' AS DECIMAL(6,6)) AS DECIMAL(14,6))", FN_TIME, to_seconds_type, NULL},
    {"time_to_millis", "time -> bigint", "(epoch_us($1) // 1000)", FN_TIME, NULL, NULL},
    {"time_to_micros", "time -> bigint", "epoch_us($1)", FN_TIME, NULL, NULL},
    {"time_diff", "any, time, time ->", NULL, FN_TIME, time_diff_type, time_diff_print},
    {"time_trunc", "any, time ->", NULL, FN_TIME, time_trunc_type, time_trunc_print},
    {"current_time", "[any] ->", NULL, FN_CLOCK | FN_NOT_NULL | FN_BARE, current_time_type, current_time_print},
    {"to_time", "any [, any] ->", NULL, FN_MAY_FAIL | FN_TIME, to_time_type, to_time_print},
    {"try_to_time", "any [, any] ->", NULL, FN_TIME, to_time_type, to_time_print},
    {NULL},
};
