/* sql/constant.c - see constant.h */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "duck/parse.h"
#include "sql/constant.h"
#include "sql/functions.h"

static const Constant unknown = {CONSTANT_UNKNOWN};

static Constant fails(const char *code)
{
    return (Constant){.kind = CONSTANT_FAILS, .code = code};
}

static Constant whole(int64_t value)
{
    return (Constant){.kind = CONSTANT_WHOLE, .whole = value};
}

static Constant number(double value)
{
    return (Constant){.kind = CONSTANT_NUMBER, .number = value};
}

static Constant truth(bool value)
{
    return (Constant){.kind = CONSTANT_TRUTH, .whole = value};
}

static bool is_number(const Constant *c)
{
    return c->kind == CONSTANT_WHOLE || c->kind == CONSTANT_NUMBER;
}

static double as_number(const Constant *c)
{
    return c->kind == CONSTANT_NUMBER ? c->number : (double)c->whole;
}

static Constant literal(const Expr *e)
{
    char digits[64];

    switch (e->type->kind) {
    case TYPE_VOID:
        return (Constant){.kind = CONSTANT_NULL};
    case TYPE_BOOLEAN:
        return truth(e->literal_int);
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return whole(e->literal_int);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return number(e->literal_double);
    case TYPE_DECIMAL:
        if (e->literal.size >= sizeof digits)
            return unknown;
        memcpy(digits, e->literal.ptr, e->literal.size);
        digits[e->literal.size] = '\0';
        return number(strtod(digits, NULL));
    case TYPE_STRING:
        return (Constant){.kind = CONSTANT_TEXT, .text = e->literal};
    default:
        return unknown;
    }
}

/* Bounds of a type of whole numbers. */
static int64_t most_of(const Type *t)
{
    return t->kind == TYPE_BYTE ? INT8_MAX : t->kind == TYPE_SHORT ? INT16_MAX : t->kind == TYPE_INT ? INT32_MAX : INT64_MAX;
}

static Constant in_range(int64_t value, const Type *t, const char *code)
{
    int64_t most = most_of(t);

    return value > most || value < -most - 1 ? fails(code) : whole(value);
}

static Constant cast(Constant c, const Type *from, const Type *to, bool try_it)
{
    Constant out = unknown;
    int64_t value;

    if (c.kind <= CONSTANT_NULL || type_equal(from, to, false))
        return c;
    if (type_is_integral(to) && c.kind == CONSTANT_NUMBER)
        out = !(fabs(c.number) < 0x1p63) ? fails("CAST_OVERFLOW") : in_range((int64_t)c.number, to, "CAST_OVERFLOW");
    else if (type_is_integral(to) && c.kind == CONSTANT_TEXT)
        out = parse_integer(c.text, -most_of(to) - 1, most_of(to), &value) ? whole(value) : fails("CAST_INVALID_INPUT");
    else if (type_is_integral(to))
        out = in_range(c.whole, to, "CAST_OVERFLOW");
    else if (to->kind == TYPE_DOUBLE && is_number(&c))
        out = number(as_number(&c));
    else if (to->kind == TYPE_DECIMAL && c.kind == CONSTANT_WHOLE)
        out = to->precision - to->scale < 19 && llabs(c.whole) >= (int64_t)decimal_power(to->precision - to->scale) ? fails("NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION") : c;
    else if (to->kind == TYPE_DECIMAL && from->kind == TYPE_DECIMAL && to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale)
        out = c;
    return try_it && out.kind == CONSTANT_FAILS ? (Constant){.kind = CONSTANT_NULL} : out;
}

/* Of two wholes, in the type of the result. */
static Constant whole_arithmetic(char op, int64_t x, int64_t y, const Type *type)
{
    static const char overflow[] = "ARITHMETIC_OVERFLOW";
    int64_t z = 0;
    bool over = false;

    if ((op == '%' || op == 'D') && !y)
        return fails(op == '%' ? "REMAINDER_BY_ZERO" : "DIVIDE_BY_ZERO");
    switch (op) {
    case '+':
        over = __builtin_add_overflow(x, y, &z);
        break;
    case '-':
        over = __builtin_sub_overflow(x, y, &z);
        break;
    case '*':
        over = __builtin_mul_overflow(x, y, &z);
        break;
    default:
        over = y == -1 && x == INT64_MIN;
        z = over ? 0 : op == '%' ? x % y : x / y;
    }
    return over ? fails(overflow) : type_is_integral(type) ? in_range(z, type, overflow) : unknown;
}

static Constant arithmetic(const Expr *e, Constant x, Constant y)
{
    if (x.kind == CONSTANT_NULL || y.kind == CONSTANT_NULL)
        return (Constant){.kind = CONSTANT_NULL};
    if (!is_number(&x) || !is_number(&y) || !e->type)
        return unknown;
    if (*e->op == '/' && !e->op[1])
        return as_number(&y) == 0 ? fails("DIVIDE_BY_ZERO") : e->type->kind == TYPE_DOUBLE ? number(as_number(&x) / as_number(&y)) : unknown;
    if (x.kind == CONSTANT_WHOLE && y.kind == CONSTANT_WHOLE)
        return whole_arithmetic(*e->op, x.whole, y.whole, e->type);
    if (e->type->kind != TYPE_DOUBLE || !strchr("+-*", *e->op))
        return unknown;
    return number(*e->op == '+' ? as_number(&x) + as_number(&y) : *e->op == '-' ? as_number(&x) - as_number(&y) : as_number(&x) * as_number(&y));
}

/* -1, 0, 1; false: not comparable here. */
static bool compare(const Constant *x, const Constant *y, int *order)
{
    if (is_number(x) && is_number(y)) {
        double a = as_number(x), b = as_number(y);

        if (isnan(a) || isnan(b))
            return false;
        *order = x->kind == CONSTANT_WHOLE && y->kind == CONSTANT_WHOLE ? (x->whole > y->whole) - (x->whole < y->whole) : (a > b) - (a < b);
        return true;
    }
    if (x->kind != CONSTANT_TRUTH || y->kind != CONSTANT_TRUTH)
        return false;
    *order = (int)(x->whole - y->whole);
    return true;
}

static Constant comparison(const char *op, Constant x, Constant y)
{
    int order;

    if (x.kind == CONSTANT_NULL || y.kind == CONSTANT_NULL)
        return (Constant){.kind = CONSTANT_NULL};
    if (!compare(&x, &y, &order))
        return unknown;
    if (!strcmp(op, "=") || !strcmp(op, "=="))
        return truth(order == 0);
    if (!strcmp(op, "<>") || !strcmp(op, "!="))
        return truth(order != 0);
    return truth(*op == '<' ? order < (op[1] == '=') : order > -(op[1] == '='));
}

static Constant binary(const Expr *e)
{
    Constant x = sql__constant(e->args[0]), y;
    bool both = !strcmp(e->op, "AND"), either = !strcmp(e->op, "OR");

    if (x.kind < CONSTANT_NULL)
        return x;
    if ((both || either) && x.kind == CONSTANT_TRUTH && (bool)x.whole == either)
        return x;
    y = sql__constant(e->args[1]);
    if (y.kind < CONSTANT_NULL)
        return y;
    if (both || either)
        return x.kind == CONSTANT_NULL && !(y.kind == CONSTANT_TRUTH && (bool)y.whole == either) ? x : y;
    if (strpbrk(e->op, "=<>") && strcmp(e->op, "<=>") && !strstr(e->op, "<<") && !strstr(e->op, ">>"))
        return comparison(e->op, x, y);
    if (!strcmp(e->op, "DIV") || (strchr("+-*/%", *e->op) && !e->op[1]))
        return arithmetic(e, x, y);
    return unknown;
}

static Constant unary(const Expr *e)
{
    Constant x = sql__constant(e->args[0]);

    if (x.kind <= CONSTANT_NULL)
        return x;
    if (!strcmp(e->op, "NOT"))
        return x.kind == CONSTANT_TRUTH ? truth(!x.whole) : unknown;
    if (!strcmp(e->op, "+"))
        return x;
    if (strcmp(e->op, "-") || !is_number(&x))
        return unknown;
    return x.kind == CONSTANT_NUMBER ? number(-x.number) : whole_arithmetic('-', 0, x.whole, e->type);
}

/* The first branch whose condition is true; where the operand is given, which equals it. */
static Constant of_case(const Expr *e)
{
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        Constant when = sql__constant(e->args[i]);

        if (e->operand && when.kind >= CONSTANT_NULL) {
            Constant operand = sql__constant(e->operand);

            when = operand.kind < CONSTANT_NULL ? operand : comparison("=", operand, when);
        }
        if (when.kind < CONSTANT_NULL)
            return when;
        if (when.kind == CONSTANT_TRUTH && when.whole)
            return sql__constant(e->args[i + 1]);
    }
    return e->otherwise ? sql__constant(e->otherwise) : (Constant){.kind = CONSTANT_NULL};
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* greatest, least, coalesce */
static Constant of_all(const Expr *e, bool first)
{
    Constant best = {.kind = CONSTANT_NULL};
    bool most = !strcmp(e->function->name, "greatest");

    for (int i = 0; i < e->arg_count; i++) {
        Constant c = sql__constant(e->args[i]);
        int order;

        if (c.kind < CONSTANT_NULL)
            return c;
        if (c.kind == CONSTANT_NULL)
            continue;
        if (first)
            return c;
        if (best.kind != CONSTANT_NULL && !compare(&c, &best, &order))
            return unknown;
        if (best.kind == CONSTANT_NULL || (most ? order > 0 : order < 0))
            best = c;
    }
    return best;
}

static Constant of_call(const Expr *e)
{
    static const char *const firsts[] = {"coalesce", "nvl", "ifnull", NULL}, *const extremes[] = {"greatest", "least", NULL};
    static const char *const lengths[] = {"length", "len", "char_length", "character_length", NULL}, *const sizes[] = {"size", "cardinality", "array_size", NULL};
    const char *name = e->function ? e->function->name : "";
    const Expr *of = e->arg_count ? e->args[0] : NULL;

    if (!of || e->window || e->filter)
        return unknown;
    if (is_one_of(name, firsts) || is_one_of(name, extremes))
        return of_all(e, is_one_of(name, firsts));
    if (is_one_of(name, sizes))
        return of->kind == EXPR_CALL && of->function && !strcmp(of->function->name, "array") ? whole(of->arg_count) : unknown;
    Constant x = sql__constant(of);

    if (!strcmp(name, "if") && e->arg_count == 3)
        return x.kind == CONSTANT_TRUTH || x.kind == CONSTANT_NULL ? sql__constant(e->args[x.kind == CONSTANT_TRUTH && x.whole ? 1 : 2]) : x;
    if (x.kind <= CONSTANT_NULL)
        return x;
    if (!strcmp(name, "abs") && is_number(&x))
        return x.kind == CONSTANT_NUMBER ? number(fabs(x.number)) : x.whole < 0 ? whole_arithmetic('-', 0, x.whole, e->type) : x;
    if (is_one_of(name, lengths) && x.kind == CONSTANT_TEXT) {
        int64_t count = 0;

        for (size_t i = 0; i < x.text.size; i++)
            count += ((unsigned char)x.text.ptr[i] & 0xC0) != 0x80;
        return whole(count);
    }
    return unknown;
}

Constant sql__constant(const Expr *e)
{
    switch (e->kind) {
    case EXPR_LITERAL:
        return literal(e);
    case EXPR_CAST:
        return cast(sql__constant(e->args[0]), e->args[0]->type, e->type, !strcmp(e->op ? e->op : "", "TRY_CAST"));
    case EXPR_UNARY:
        return unary(e);
    case EXPR_BINARY:
        return binary(e);
    case EXPR_CASE:
        return of_case(e);
    case EXPR_CALL:
        return e->type ? of_call(e) : unknown;
    default:
        return unknown;
    }
}
