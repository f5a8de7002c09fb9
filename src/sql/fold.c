/*
 * sql/fold.c - constants that must be known while a query is read: the name in IDENTIFIER(..), the names of PIVOT's columns
 *
 * Everything else is left to the database. What is folded here gives the value that Spark gives, or nothing.
 */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "duck/unicode_case.h"
#include "sql/fold.h"

static bool calls(const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && e->name.count == 1 && !strcasecmp(e->name.parts[0], name) && !e->distinct && !e->filter && !e->window && !e->order_count;
}

static bool fold_case(const Expr *e, bool upper, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (e->arg_count != 1 || !sql__fold_text(e->args[0], &text))
        return false;
    if (upper)
        unicode_put_upper(out, str_buf_view(&text));
    else
        unicode_put_lower(out, str_buf_view(&text));
    return true;
}

bool sql__fold_text(const Expr *e, StrBuf *out)
{
    if (e->kind == EXPR_LITERAL && e->type && e->type->kind == TYPE_STRING) {
        str_buf_str(out, e->literal);
        return true;
    }
    if (e->kind == EXPR_CAST && e->cast_type && e->cast_type->kind == TYPE_STRING) {
        int64_t number;

        if (!sql__fold_int(e->args[0], &number))
            return sql__fold_text(e->args[0], out);
        str_buf_printf(out, "%lld", (long long)number);
        return true;
    }
    if (calls(e, "lower") || calls(e, "lcase"))
        return fold_case(e, false, out);
    if (calls(e, "upper") || calls(e, "ucase"))
        return fold_case(e, true, out);
    if (!calls(e, "concat") && !(e->kind == EXPR_BINARY && !strcmp(e->op, "||")))
        return false;
    for (int i = 0; i < e->arg_count; i++)
        if (!sql__fold_text(e->args[i], out))
            return false;
    return true;
}

bool sql__fold_int(const Expr *e, int64_t *out)
{
    int64_t left, right;

    if (e->kind == EXPR_LITERAL && e->type && e->type->kind == TYPE_INT) {
        *out = e->literal_int;
        return true;
    }
    if (e->kind == EXPR_UNARY && !strcmp(e->op, "-") && sql__fold_int(e->args[0], &left)) {
        *out = -left;
        return *out <= INT32_MAX;
    }
    if (e->kind != EXPR_BINARY || !strchr("+-*", *e->op) || e->op[1] || !sql__fold_int(e->args[0], &left) || !sql__fold_int(e->args[1], &right))
        return false;
    *out = *e->op == '+' ? left + right : *e->op == '-' ? left - right : left * right;
    return *out >= INT32_MIN && *out <= INT32_MAX;
}
