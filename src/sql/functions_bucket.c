/* sql/functions_bucket.c - time_bucket(length, time [, origin]) */
#include "sql/analyze.h"

static bool is_time(const Type *t)
{
    return t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ;
}

static const Type *wrong_type(SqlCall *call, int arg, const char *wanted)
{
    return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of time_bucket must be %s, not %s", arg + 1, wanted,
                         sql__type_name(call->analyzer, call->expr->args[arg]->type));
}

static const Type *bucket_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *length = e->args[0]->type, *t = e->args[1]->type, *origin = e->arg_count > 2 ? e->args[2]->type : t;

    if (length->kind != TYPE_INTERVAL_DT && length->kind != TYPE_INTERVAL_YM && length->kind != TYPE_VOID)
        return wrong_type(call, 0, "an interval of days to seconds or of years to months");
    if (t->kind == TYPE_VOID)
        t = is_time(origin) ? origin : type_simple(TYPE_TIMESTAMP);
    if (!is_time(t))
        return wrong_type(call, 1, "a TIMESTAMP or TIMESTAMP_NTZ");
    if (origin->kind != TYPE_VOID && origin->kind != t->kind)
        return wrong_type(call, 2, "of the type of the time");
    for (int i = 0; i < e->arg_count; i += 2)
        if (!e->args[i]->constant)
            return sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the %s of time_bucket must be a constant", i ? "origin" : "length");
    if (e->args[0]->kind == EXPR_LITERAL && length->kind != TYPE_VOID && e->args[0]->literal_int <= 0)
        return sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the buckets of time_bucket must be longer than 0");
    if (length->kind == TYPE_VOID)
        sql__cast(call->analyzer, &e->args[0], type_interval_dt(0, 3));
    for (int i = 1; i < e->arg_count; i++)
        sql__cast(call->analyzer, &e->args[i], t);
    return t;
}

static void bucket_print(StrBuf *out, const Expr *call)
{
    bool months = call->args[0]->type->kind == TYPE_INTERVAL_YM, local = call->type->kind == TYPE_TIMESTAMP;

    str_buf_printf(out, "silt_time_bucket%s%s(", months ? "_months" : "", local ? "" : "_ntz");
    sql_duck_template(out,
                      call->arg_count > 2 ? "$1, $2, $3, $pos)"
                      : local             ? "$1, $2, CAST(TIMESTAMP '1970-01-01 00:00:00' AS TIMESTAMPTZ), $pos)"
                                          : "$1, $2, TIMESTAMP '1970-01-01 00:00:00', $pos)",
                      call);
}

const SqlFunction sql_functions_bucket[] = {
    {"time_bucket", "any, any [, any] ->", NULL, FN_MAY_FAIL, bucket_type, bucket_print},
    {NULL},
};
