/*
 * sql/analyze_op.c - operators: which types they take, what comes out, which casts go in between
 *
 * Arithmetic keeps its node; its arguments are cast to what the printer expects: one common type for + - * % of integers and
 * doubles, DECIMAL each for decimals (the printer computes the exact result), BIGINT for DIV, DOUBLE for /.
 */
#include <string.h>

#include "sql/analyze.h"

static bool op_is(const Expr *e, const char *op)
{
    return !strcmp(e->op, op);
}

static void wrong_types(Analyzer *a, Expr *e)
{
    const Type *l = e->args[0]->type, *r = e->arg_count > 1 ? e->args[1]->type : NULL;

    /* a text beside a VARIANT has become one to Spark */
    bool alike = r && (type_equal(l, r, false) || (l->kind == TYPE_STRING && r->kind == TYPE_VARIANT) || (l->kind == TYPE_VARIANT && r->kind == TYPE_STRING));

    if (!r)
        sql__error(a, e->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "cannot apply %s to %s", e->op, sql__type_name(a, l));
    else
        sql__error(a, e->pos, sql__no_common(l, r, alike ? "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE" : "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"),
                   "cannot apply %s to %s and %s", e->op, sql__type_name(a, l), sql__type_name(a, r));
    e->type = NULL;
}

static int digits_of(int64_t value)
{
    int n = 1;

    while (value /= 10)
        n++;
    return n;
}

/* An integer beside a decimal: a literal counts the digits that it has, but not one of TINYINT. */
static const Type *as_decimal(const Expr *e)
{
    if (e->kind == EXPR_LITERAL && type_is_integral(e->type) && e->type->kind != TYPE_BYTE)
        return type_decimal(digits_of(e->literal_int), 0);
    return e->type->kind == TYPE_LONG ? type_decimal(20, 0) : sql__decimal_of(e->type);
}

static const Type *decimal_result(char op, const Type *l, const Type *r)
{
    int p1 = l->precision, s1 = l->scale, p2 = r->precision, s2 = r->scale;
    int w1 = p1 - s1, w2 = p2 - s2, smax = s1 > s2 ? s1 : s2;

    switch (op) {
    case '+':
    case '-':
        return sql__decimal_adjusted((w1 > w2 ? w1 : w2) + smax + 1, smax);
    case '*':
        return sql__decimal_adjusted(p1 + p2 + 1, s1 + s2);
    case '/': {
        int scale = s1 + p2 + 1 > 6 ? s1 + p2 + 1 : 6;
        return sql__decimal_adjusted(w1 + s2 + scale, scale);
    }
    default: { /* % */
        int p = (w1 < w2 ? w1 : w2) + smax;
        return sql__decimal_adjusted(p ? p : 1, smax);
    }
    }
}

static bool is_interval(const Type *t)
{
    return t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT || t->kind == TYPE_INTERVAL;
}

static bool is_stamp(const Type *t)
{
    return t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ;
}

static void swap(Expr *e)
{
    Expr *t = e->args[0];

    e->args[0] = e->args[1];
    e->args[1] = t;
}

/* Dates, times and intervals. True if it was one of these (type set, or error recorded). */
static bool temporal(Analyzer *a, Expr *e)
{
    const Type *l = e->args[0]->type, *r = e->args[1]->type;
    bool plus = op_is(e, "+"), minus = op_is(e, "-");

    if (l->kind != TYPE_DATE && !is_stamp(l) && !is_interval(l) && l->kind != TYPE_TIME && r->kind != TYPE_DATE && !is_stamp(r) &&
        !is_interval(r) && r->kind != TYPE_TIME)
        return false;
    if (l->kind == TYPE_VOID && (plus || minus)) {
        sql__cast(a, &e->args[0], r);
        l = r;
    }
    if (r->kind == TYPE_VOID && (plus || minus)) {
        sql__cast(a, &e->args[1], l->kind == TYPE_DATE ? type_simple(TYPE_INT) : l);
        r = e->args[1]->type;
    }
    if (plus && (is_interval(l) || type_is_integral(l)) && (r->kind == TYPE_DATE || is_stamp(r))) {
        swap(e);
        l = e->args[0]->type;
        r = e->args[1]->type;
    }
    if (plus && l->kind == TYPE_INTERVAL_DT && r->kind == TYPE_TIME) {
        swap(e);
        l = e->args[0]->type;
        r = e->args[1]->type;
    }
    if ((plus || minus) && l->kind == TYPE_TIME && r->kind == TYPE_INTERVAL_DT) {
        if (!sql__check_time(a, e->pos))
            return true;
        e->type = type_time(r->to_unit == 3 ? 6 : l->precision); /* of whole minutes the precision stays */
        return true;
    }
    if (minus && l->kind == TYPE_TIME && r->kind == TYPE_TIME) {
        if (!sql__check_time(a, e->pos))
            return true;
        e->type = type_interval_dt(1, 3);
        return true;
    }
    if ((plus || minus) && l->kind == TYPE_DATE && (r->kind == TYPE_INT || r->kind == TYPE_SHORT || r->kind == TYPE_BYTE)) {
        sql__cast(a, &e->args[1], type_simple(TYPE_INT));
        e->type = l;
        return true;
    }
    if (minus && l->kind == TYPE_DATE && r->kind == TYPE_DATE) {
        e->type = type_interval_dt(0, 0);
        return true;
    }
    if (minus && (is_stamp(l) || is_stamp(r)) && (is_stamp(l) || l->kind == TYPE_DATE || l->kind == TYPE_STRING) &&
        (is_stamp(r) || r->kind == TYPE_DATE || r->kind == TYPE_STRING)) {
        const Type *t = sql__wider(a, l, r);

        /* of two instants the difference of what clocks show: a day on which they change has 24 hours */
        for (int i = 0; i < 2; i++) {
            sql__cast(a, &e->args[i], t);
            sql__cast(a, &e->args[i], type_simple(TYPE_TIMESTAMP_NTZ));
        }
        e->type = type_interval_dt(0, 3);
        return true;
    }
    if ((plus || minus) && is_interval(r)) {
        if (is_stamp(l)) {
            e->type = l;
            return true;
        }
        if (l->kind == TYPE_DATE) {
            if (r->kind == TYPE_INTERVAL_DT && r->to_unit != 0) {
                sql__cast(a, &e->args[0], type_simple(TYPE_TIMESTAMP));
                e->type = type_simple(TYPE_TIMESTAMP);
            } else {
                e->type = l;
            }
            return true;
        }
        if (l->kind == r->kind) {
            e->type = sql__wider(a, l, r);
            if (!e->type)
                e->type = l;
            return true;
        }
    }
    if (op_is(e, "*") && is_interval(r) && type_is_numeric(l)) {
        swap(e);
        l = e->args[0]->type;
        r = e->args[1]->type;
    }
    if ((op_is(e, "*") || op_is(e, "/")) && is_interval(l) && l->kind != TYPE_INTERVAL && (type_is_numeric(r) || r->kind == TYPE_STRING)) {
        if (r->kind == TYPE_STRING)
            sql__cast(a, &e->args[1], type_simple(TYPE_DOUBLE));
        e->type = l->kind == TYPE_INTERVAL_YM ? type_interval_ym(0, 1) : type_interval_dt(0, 3);
        return true;
    }
    if (op_is(e, "/") && l->kind == TYPE_VOID) {
        wrong_types(a, e);
        return true;
    }
    /* Spark sees an addition to a date, a shift by an interval, or a difference of times in these, with one operand of a wrong type */
    bool shifts = (plus && l->kind == TYPE_INTERVAL_DT) || ((plus || minus) && r->kind == TYPE_INTERVAL_DT), dates = l->kind == TYPE_DATE || r->kind == TYPE_DATE;
    bool scales = (op_is(e, "*") || op_is(e, "/")) && (is_interval(l) || is_interval(r)), apart = minus && (is_stamp(l) || is_stamp(r));

    if (shifts || scales || apart || ((plus || minus) && dates && l->kind != TYPE_STRING && r->kind != TYPE_STRING))
        sql__error(a, e->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "cannot apply %s to %s and %s", e->op, sql__type_name(a, l), sql__type_name(a, r));
    else
        wrong_types(a, e);
    e->type = NULL;
    return true;
}

static void arithmetic(Analyzer *a, Expr *e)
{
    const Type *l = e->args[0]->type, *r = e->args[1]->type;
    bool divide = op_is(e, "/"), integer_divide = op_is(e, "DIV");

    if (temporal(a, e))
        return;
    if (l->kind == TYPE_VOID && r->kind == TYPE_VOID) {
        sql__cast(a, &e->args[0], type_simple(TYPE_DOUBLE));
        sql__cast(a, &e->args[1], type_simple(TYPE_DOUBLE));
        l = r = type_simple(TYPE_DOUBLE);
    }
    /* a string beside a number */
    for (int i = 0; i < 2; i++) {
        const Type *other = e->args[1 - i]->type;

        if (e->args[i]->type->kind == TYPE_STRING && type_is_numeric(other))
            sql__cast(a, &e->args[i], type_simple(type_is_integral(other) ? TYPE_LONG : TYPE_DOUBLE));
        else if (e->args[i]->type->kind == TYPE_VOID) /* a dividend is a DOUBLE first */
            sql__cast(a, &e->args[i], divide && i == 0 && type_is_numeric(other) ? type_simple(TYPE_DOUBLE) : other);
    }
    l = e->args[0]->type;
    r = e->args[1]->type;
    if (!type_is_numeric(l) || !type_is_numeric(r)) {
        wrong_types(a, e);
        return;
    }
    bool decimals = (l->kind == TYPE_DECIMAL || r->kind == TYPE_DECIMAL) && l->kind != TYPE_DOUBLE && r->kind != TYPE_DOUBLE &&
                    l->kind != TYPE_FLOAT && r->kind != TYPE_FLOAT;
    if (decimals) {
        for (int i = 0; i < 2; i++)
            if (type_is_integral(e->args[i]->type))
                sql__cast(a, &e->args[i], as_decimal(e->args[i]));
        l = e->args[0]->type;
        r = e->args[1]->type;
        e->type = integer_divide ? type_simple(TYPE_LONG) : decimal_result(divide ? '/' : op_is(e, "%") ? '%' : *e->op, l, r);
        return;
    }
    const Type *common = integer_divide ? type_simple(TYPE_LONG) : divide ? type_simple(TYPE_DOUBLE) : sql__wider(a, l, r);

    if (integer_divide && (!type_is_integral(l) || !type_is_integral(r))) {
        if (l->kind == TYPE_DECIMAL || r->kind == TYPE_DECIMAL) { /* both have become DOUBLE to Spark */
            sql__error(a, e->pos, "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE", "cannot apply DIV to %s and %s", sql__type_name(a, l), sql__type_name(a, r));
            e->type = NULL;
        } else {
            wrong_types(a, e);
        }
        return;
    }
    sql__cast(a, &e->args[0], common);
    sql__cast(a, &e->args[1], common);
    e->type = common;
}

static void comparison(Analyzer *a, Expr *e)
{
    const Type *l = e->args[0]->type, *r = e->args[1]->type;
    const Type *common = sql__wider(a, l, r);

    if (common && common->kind == TYPE_VOID) {
        e->type = type_simple(TYPE_BOOLEAN);
        return;
    }
    if (!common) {
        wrong_types(a, e);
        return;
    }
    if (!sql__orderable(common)) {
        sql__error(a, e->pos, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "%s cannot compare values of type %s", e->op, sql__type_name(a, common));
        return;
    }
    sql__cast(a, &e->args[0], common);
    sql__cast(a, &e->args[1], common);
    e->type = type_simple(TYPE_BOOLEAN);
}

static void boolean(Analyzer *a, Expr *e)
{
    for (int i = 0; i < e->arg_count; i++) {
        const Type *t = e->args[i]->type;

        if (t->kind == TYPE_VOID || t->kind == TYPE_STRING)
            sql__cast(a, &e->args[i], type_simple(TYPE_BOOLEAN));
        else if (t->kind != TYPE_BOOLEAN) {
            wrong_types(a, e);
            return;
        }
    }
    e->type = type_simple(TYPE_BOOLEAN);
}

static void bitwise(Analyzer *a, Expr *e)
{
    const Type *common = sql__wider(a, e->args[0]->type, e->args[1]->type);

    if (!common || (!type_is_integral(common) && common->kind != TYPE_VOID)) {
        wrong_types(a, e);
        return;
    }
    if (common->kind == TYPE_VOID)
        common = type_simple(TYPE_INT);
    sql__cast(a, &e->args[0], common);
    sql__cast(a, &e->args[1], common);
    e->type = common;
}

static void to_call(Analyzer *a, Scope *scope, Expr **slot, const char *name)
{
    Expr *e = *slot, *call = sql__call_new(a, e->pos, name, e->arg_count);

    memcpy(call->args, e->args, sizeof(Expr *) * (size_t)e->arg_count);
    *slot = call;
    sql__call(a, scope, slot);
}

static bool may_fail(const Expr *e)
{
    return e->type && (type_is_numeric(e->type) || is_interval(e->type) || is_stamp(e->type) || e->type->kind == TYPE_DATE);
}

void sql__op_types(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;

    if (e->kind == EXPR_UNARY) {
        sql__expr(a, scope, &e->args[0]);
        Expr *arg = e->args[0];

        e->constant = arg->constant;
        e->deterministic = arg->deterministic;
        e->nullable = arg->nullable;
        if (!arg->type)
            return;
        if (op_is(e, "NOT") || op_is(e, "!")) {
            e->op = "NOT";
            boolean(a, e);
            return;
        }
        if (arg->type->kind == TYPE_STRING || arg->type->kind == TYPE_VOID)
            sql__cast(a, &e->args[0], type_simple(op_is(e, "~") ? TYPE_LONG : TYPE_DOUBLE));
        const Type *t = e->args[0]->type;

        if (op_is(e, "~") ? type_is_integral(t) : type_is_numeric(t) || t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT)
            e->type = t;
        else
            wrong_types(a, e);
        return;
    }

    sql__expr(a, scope, &e->args[0]);
    sql__expr(a, scope, &e->args[1]);
    e->constant = e->args[0]->constant && e->args[1]->constant;
    e->deterministic = e->args[0]->deterministic && e->args[1]->deterministic;
    e->nullable = e->args[0]->nullable || e->args[1]->nullable;
    if (!e->args[0]->type || !e->args[1]->type)
        return;
    if (op_is(e, "=="))
        e->op = "=";
    if (op_is(e, "!="))
        e->op = "<>";
    switch (e->op[0]) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
        arithmetic(a, e);
        if (may_fail(e) && (op_is(e, "/") || op_is(e, "%")))
            e->nullable = e->nullable || e->type->kind == TYPE_DECIMAL;
        return;
    case 'D':
        arithmetic(a, e);
        return;
    case '=':
    case '<':
    case '>':
        if (op_is(e, "<<")) {
            to_call(a, scope, slot, "shiftleft");
        } else if (op_is(e, ">>")) {
            to_call(a, scope, slot, "shiftright");
        } else if (op_is(e, ">>>")) {
            to_call(a, scope, slot, "shiftrightunsigned");
        } else {
            comparison(a, e);
            if (op_is(e, "<=>"))
                e->nullable = false;
        }
        return;
    case '|':
        if (op_is(e, "||"))
            to_call(a, scope, slot, "concat");
        else
            bitwise(a, e);
        return;
    case '&':
    case '^':
        bitwise(a, e);
        return;
    default: /* AND, OR */
        boolean(a, e);
    }
}
