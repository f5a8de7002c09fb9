/* sql/print_duck_call.c - calls by the templates of the function table, with their windows; generators */
#include <string.h>

#include "sql/analyze.h"
#include "sql/print_duck.h"

static void bound(StrBuf *out, FrameBound b, const Expr *offset)
{
    switch (b) {
    case FRAME_UNBOUNDED_PRECEDING:
        str_buf_puts(out, "UNBOUNDED PRECEDING");
        return;
    case FRAME_UNBOUNDED_FOLLOWING:
        str_buf_puts(out, "UNBOUNDED FOLLOWING");
        return;
    case FRAME_CURRENT:
        str_buf_puts(out, "CURRENT ROW");
        return;
    default:
        if (offset->type->kind == TYPE_INTERVAL_DT || offset->type->kind == TYPE_INTERVAL_YM)
            sql__duck_interval(out, offset, false);
        else
            sql_duck_expr(out, offset);
        str_buf_puts(out, b == FRAME_PRECEDING ? " PRECEDING" : " FOLLOWING");
    }
}

/* Is each row's frame its whole partition? */
static bool whole_partition(const WindowSpec *w)
{
    if (!w->frame_given)
        return !w->order_count;
    bool ends = w->end == FRAME_UNBOUNDED_FOLLOWING || (w->end == FRAME_CURRENT && !w->frame_rows && !w->order_count);
    return ends && (w->start == FRAME_UNBOUNDED_PRECEDING || (w->start == FRAME_CURRENT && !w->frame_rows && !w->order_count));
}

static bool is_aggregate_in_c(const SqlFunction *f)
{
    return (f->flags & FN_AGGREGATE) && (f->print || strstr(f->duck, "silt_"));
}

static void window(StrBuf *out, const Expr *call, bool framed)
{
    const WindowSpec *w = call->window;
    str_buf_puts(out, " OVER (");
    if (w->partition_count) {
        for (int i = 0; i < w->partition_count; i++) {
            str_buf_puts(out, i ? ", " : "PARTITION BY ");
            (sql__is_nested(w->partition_by[i]->type) ? sql__duck_compared : sql__duck_key)(out, w->partition_by[i]);
        }
    }
    if (w->order_count) {
        str_buf_puts(out, w->partition_count ? " ORDER BY " : "ORDER BY ");
        sql__duck_sort(out, w->order_by, w->order_count);
    }
    if (is_aggregate_in_c(call->function) && whole_partition(w)) {
        /* DuckDB computes such a frame once, and hands an aggregate in C fewer states than rows: so it is told of a frame as wide as any partition */
        str_buf_puts(out, " ROWS BETWEEN 1099511627776 PRECEDING AND 1099511627776 FOLLOWING");
    } else if (framed && w->frame_given) {
        str_buf_puts(out, w->frame_rows ? " ROWS BETWEEN " : " RANGE BETWEEN ");
        bound(out, w->start, w->start_offset);
        str_buf_puts(out, " AND ");
        bound(out, w->end, w->end_offset);
    }
    str_buf_putc(out, ')');
}

static void filter_over(StrBuf *out, const Expr *call)
{
    if (call->filter) {
        str_buf_puts(out, " FILTER (WHERE ");
        sql__duck_condition(out, call->filter);
        str_buf_putc(out, ')');
    }
    if (call->window)
        window(out, call, !(call->function->flags & FN_ORDERED));
}

void sql_duck_template(StrBuf *out, const char *text, const Expr *call)
{
    bool placed = false;

    for (const char *p = text; *p; p++) {
        if (*p != '$') {
            str_buf_putc(out, *p);
            continue;
        }
        p++;
        if (!strncmp(p, "pos", 3)) {
            sql_duck_pos(out, call->pos);
            p += 2;
        } else if (!strncmp(p, "type", 4)) {
            sql_duck_type(out, call->type);
            p += 3;
        } else if (*p == 'T') {
            const Type *t = p[1] >= '1' && p[1] <= '9' ? call->args[p[1] - '1']->type : call->type;

            type_print_in_name(out, t);
            p += p[1] >= '1' && p[1] <= '9';
        } else if (*p == 'k') { /* $k1: the key of the first argument's collation */
            p++;
            sql__duck_compared(out, call->args[*p - '1']);
        } else if (*p >= '1' && *p <= '9' && p[1] == '*') {
            if (*p - '1' < call->arg_count)
                sql__duck_list(out, call->args + (*p - '1'), call->arg_count - (*p - '1'));
            p++;
        } else if (*p >= '1' && *p <= '9') {
            silt_assert(*p - '1' < call->arg_count); /* a template names an argument that the signature does not have */
            sql_duck_expr(out, call->args[*p - '1']);
        } else if (*p == '*') {
            sql__duck_list(out, call->args, call->arg_count);
        } else if (*p == '&') {
            str_buf_puts(out, call->distinct ? "DISTINCT " : "");
        } else if (*p == 'i') {
            str_buf_puts(out, call->ignore_nulls ? " IGNORE NULLS" : "");
        } else if (*p == 'o') {
            str_buf_puts(out, call->order_count ? " ORDER BY " : "");
            sql__duck_sort(out, call->order_by, call->order_count);
        } else if (*p == 'n') { /* the call's own FILTER and OVER, over rows where the first argument is not NULL */
            str_buf_puts(out, " FILTER (WHERE ");
            sql_duck_expr(out, call->args[0]);
            str_buf_puts(out, " IS NOT NULL");
            if (call->filter) {
                str_buf_puts(out, " AND ");
                sql__duck_condition(out, call->filter);
            }
            str_buf_putc(out, ')');
            if (call->window)
                window(out, call, true);
            placed = true;
        } else if (*p == 'f') {
            filter_over(out, call);
            placed = true;
        } else {
            str_buf_putc(out, *p);
        }
    }
    if (!placed)
        filter_over(out, call);
}

void sql__duck_call(StrBuf *out, const Expr *e)
{
    if (sql__duck_collated_call(out, e))
        return;
    if (e->function->print)
        e->function->print(out, e);
    else
        sql_duck_template(out, e->function->duck, e);
}

/* ---- subqueries among the arguments of functions ---- */

enum { HOISTED_MAX = 16 };

/*
 * DuckDB does not tell a function in C the type of an argument that holds a subquery. So the subqueries, IN and EXISTS too, of an expression that
 * computes are taken out of it: list_transform([{'s1': (subquery)}], lambda h: expression with h.s1)[1]. Window functions go with them, since a
 * lambda may hold none.
 */
typedef struct Hoisted {
    const Expr *items[HOISTED_MAX];
    int count, lambda;
    bool subquery; /* is any of them one? */
    bool many;     /* too many: the expression is left as it is */
} Hoisted;

static _Thread_local const Hoisted *hoisted; /* of the expression that is being printed */

static void find_subqueries(Expr **slot, void *arg)
{
    Hoisted *h = arg;

    bool subquery = (*slot)->query;

    if (!subquery && !(*slot)->window) {
        sql__each_child(*slot, find_subqueries, arg);
        return;
    }
    h->subquery = h->subquery || subquery;
    if (h->count == HOISTED_MAX)
        h->many = true;
    else
        h->items[h->count++] = *slot;
}

static bool hoist(StrBuf *out, const Expr *e)
{
    bool computes = e->kind == EXPR_CALL || e->kind == EXPR_CAST || e->kind == EXPR_EXTRACT || e->kind == EXPR_LIKE ||
                    ((e->kind == EXPR_UNARY || e->kind == EXPR_BINARY) && e->type->kind != TYPE_BOOLEAN); /* DuckDB itself compares */
    Hoisted h = {.count = 0};
    Expr *root = (Expr *)e;

    if (!computes || hoisted || (e->function && e->function->flags & (FN_AGGREGATE | FN_WINDOW)))
        return false;
    find_subqueries(&root, &h);
    if (!h.subquery || h.many)
        return false;
    h.lambda = ++sql__duck.next_name;
    str_buf_puts(out, "list_transform([{");
    for (int i = 0; i < h.count; i++) {
        str_buf_printf(out, i ? ", 's%d': " : "'s%d': ", i + 1);
        sql_duck_expr(out, h.items[i]);
    }
    str_buf_printf(out, "}], lambda e%d: ", h.lambda);
    hoisted = &h;
    sql_duck_expr(out, e);
    hoisted = NULL;
    str_buf_puts(out, ")[1]");
    return true;
}

static bool hoisted_before(StrBuf *out, const Expr *e)
{
    for (int i = 0; hoisted && i < hoisted->count; i++)
        if (hoisted->items[i] == e) {
            str_buf_printf(out, "e%d.s%d", hoisted->lambda, i + 1);
            return true;
        }
    return false;
}

bool sql__duck_hoisted(StrBuf *out, const Expr *e)
{
    return ((e->query || e->window) && hoisted_before(out, e)) || hoist(out, e);
}

/* ---- generators ---- */

static void unnest_outer(StrBuf *out, const Expr *call, const char *of)
{
    /* an empty or NULL array gives one NULL where the row is to be kept */
    if (call->negated) {
        str_buf_printf(out, "unnest(CASE WHEN len(%s) > 0 THEN %s ELSE [NULL] END)", of, of);
        return;
    }
    str_buf_printf(out, "unnest(%s)", of);
}

void sql__duck_generated(StrBuf *out, const Expr *call, int column)
{
    silt_auto(str_buf_fini) StrBuf array = {0}, of = {0};
    const char *name = call->function->name;

    if (!strcmp(name, "stack")) {
        int rows = (int)call->args[0]->literal_int, values = call->arg_count - 1, width = (values + rows - 1) / rows;

        str_buf_puts(out, "unnest([");
        for (int i = 0; i < rows; i++) {
            int at = 1 + i * width + column;

            if (i)
                str_buf_puts(out, ", ");
            if (at < call->arg_count)
                sql_duck_expr(out, call->args[at]);
            else
                str_buf_puts(out, "NULL");
        }
        str_buf_puts(out, "])");
        return;
    }
    if (!strcmp(name, "json_tuple")) {
        str_buf_puts(out, "unnest([silt_json_field(");
        sql_duck_expr(out, call->args[0]);
        str_buf_puts(out, ", ");
        sql_duck_expr(out, call->args[column + 1]);
        str_buf_puts(out, ")])");
        return;
    }
    bool variant = !strncmp(name, "variant_explode", 15);

    str_buf_puts(&array, variant ? "silt_variant_entries(" : "");
    sql_duck_expr(&array, call->args[0]);
    if (variant) {
        str_buf_puts(&array, ", ");
        sql_duck_pos(&array, call->pos);
        str_buf_putc(&array, ')');
    }
    bool map = call->args[0]->type->kind == TYPE_MAP, positions = !strncmp(name, "pos", 3);

    if (positions && column == 0) {
        str_buf_printf(&of, map ? "CAST(range(len(map_keys(%s))) AS INTEGER[])" : "CAST(range(len(%s)) AS INTEGER[])", str_buf_text(&array));
        unnest_outer(out, call, str_buf_text(&of));
        return;
    }
    column -= positions;
    if (map) {
        str_buf_printf(&of, column ? "map_values(%s)" : "map_keys(%s)", str_buf_text(&array));
        unnest_outer(out, call, str_buf_text(&of));
    } else if (variant || !strncmp(name, "inline", 6)) {
        str_buf_puts(out, "struct_extract_at(");
        unnest_outer(out, call, str_buf_text(&array));
        str_buf_printf(out, ", %d)", column + 1);
    } else {
        unnest_outer(out, call, str_buf_text(&array));
    }
}
