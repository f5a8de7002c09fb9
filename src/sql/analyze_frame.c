/*
 * sql/analyze_frame.c - the frame of a window: which bounds fit, and frames that hold no row
 *
 * DuckDB refuses bounds in the wrong order when it parses them, whatever their values. So bounds are brought into one form here: an offset is not
 * negative, a row's own place is CURRENT ROW, and a frame that is always empty is ROWS BETWEEN 2 FOLLOWING AND 1 FOLLOWING.
 */
#include <stdlib.h>
#include <string.h>

#include "sql/analyze.h"

/* A bound on the line of rows: negative before the current one. False: unbounded, or its value is not known here. */
static bool place(Analyzer *a, FrameBound kind, const Expr *offset, double *out)
{
    int64_t whole = 0;

    if (kind == FRAME_CURRENT) {
        *out = 0;
        return true;
    }
    if (!offset || (kind != FRAME_PRECEDING && kind != FRAME_FOLLOWING))
        return false;
    while (offset->kind == EXPR_CAST && offset->implicit)
        offset = offset->args[0];
    if (sql_constant_int(a, offset, &whole))
        *out = (double)whole;
    else if (offset->kind != EXPR_LITERAL)
        return false;
    else if (offset->type->kind == TYPE_DOUBLE || offset->type->kind == TYPE_FLOAT)
        *out = offset->literal_double;
    else if (offset->type->kind == TYPE_DECIMAL)
        *out = strtod(offset->literal.ptr, NULL);
    else if (offset->type->kind == TYPE_INTERVAL_DT || offset->type->kind == TYPE_INTERVAL_YM)
        *out = (double)offset->literal_int;
    else
        return false;
    if (kind == FRAME_PRECEDING)
        *out = -*out;
    return true;
}

/* -1 PRECEDING is 1 FOLLOWING. */
static void turn(Analyzer *a, FrameBound *kind, Expr **offset)
{
    double at;

    if (!*offset || !place(a, *kind, *offset, &at))
        return;
    if ((at < 0) != (*kind == FRAME_PRECEDING) && at != 0) {
        Expr *value = sql__clone(a, *offset);

        *kind = *kind == FRAME_PRECEDING ? FRAME_FOLLOWING : FRAME_PRECEDING;
        *offset = value;
        while (value->kind == EXPR_CAST && value->implicit)
            value = value->args[0];
        value->literal_int = -value->literal_int;
        value->literal_double = -value->literal_double;
        if (value->type->kind == TYPE_DECIMAL)
            value->literal = (Str){value->literal.ptr + 1, value->literal.size - 1}; /* the sign */
    }
}

static bool number_or_interval(const Type *t)
{
    return type_is_numeric(t) || t->kind == TYPE_INTERVAL_DT || t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL || t->kind == TYPE_VOID;
}

static bool check_offset(Analyzer *a, const WindowSpec *w, const Expr *offset)
{
    const Type *t = offset->type, *order = w->order_count ? w->order_by[0].expr->type : NULL;

    if (!t || (w->order_count && !order))
        return false;
    if (!offset->constant) {
        sql__error(a, offset->pos, "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WITHOUT_FOLDABLE", "the bound of a window's frame must be a constant");
        return false;
    }
    if (w->frame_rows ? t->kind != TYPE_INT && t->kind != TYPE_SHORT && t->kind != TYPE_BYTE : !number_or_interval(t)) {
        sql__error(a, offset->pos, "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE", "a bound of %s is %s, not %s", w->frame_rows ? "ROWS" : "RANGE",
                   w->frame_rows ? "an INT" : "a number or an interval", sql__type_name(a, t));
        return false;
    }
    if (w->frame_rows)
        return true;
    bool time = order->kind == TYPE_TIMESTAMP || order->kind == TYPE_TIMESTAMP_NTZ, interval = !type_is_numeric(t) && t->kind != TYPE_VOID;
    bool fits = order->kind == TYPE_DATE ? t->kind == TYPE_INT || t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT
                : time                   ? interval
                : interval               ? order->kind == t->kind
                                         : type_is_numeric(order) || order->kind == TYPE_VOID;
    if (!fits)
        sql__error(a, offset->pos, "DATATYPE_MISMATCH.RANGE_FRAME_INVALID_TYPE", "a RANGE over %s cannot be bounded by %s", sql__type_name(a, order),
                   sql__type_name(a, t));
    return fits;
}

void sql__frame(Analyzer *a, const Expr *call)
{
    WindowSpec *w = call->window;
    double start = 0, end = 0;
    bool values = w->start_offset && w->end_offset;

    if (!w->frame_given)
        return;
    if (w->start == FRAME_UNBOUNDED_FOLLOWING || w->end == FRAME_UNBOUNDED_PRECEDING) {
        sql__error(a, w->pos.line ? w->pos : call->pos, "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_INVALID_BOUND", "a frame cannot start at its last row or end before its first");
        return;
    }
    if (!w->frame_rows && (w->start_offset || w->end_offset) && w->order_count != 1) {
        sql__error(a, call->pos, w->order_count ? "DATATYPE_MISMATCH.RANGE_FRAME_MULTI_ORDER" : "DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER",
                   "a RANGE frame with an offset needs exactly one ORDER BY expression");
        return;
    }
    if ((w->start_offset && !check_offset(a, w, w->start_offset)) || (w->end_offset && !check_offset(a, w, w->end_offset)))
        return;
    turn(a, &w->start, &w->start_offset);
    turn(a, &w->end, &w->end_offset);
    if (!place(a, w->start, w->start_offset, &start) || !place(a, w->end, w->end_offset, &end) || start <= end)
        return;
    if (values) {
        sql__error(a, w->pos.line ? w->pos : call->pos, "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON", "the frame ends before it starts");
        return;
    }
    w->frame_rows = true; /* Spark takes CURRENT ROW AND 1 PRECEDING, and finds no row in it */
    w->start = w->end = FRAME_FOLLOWING;
    w->start_offset = sql__literal_int(a, call->pos, 2);
    w->end_offset = sql__literal_int(a, call->pos, 1);
}
