/* sql/names.c - the name that Spark gives to a column without an alias, from the tree as it was written */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sql/analyze.h"

static void put(StrBuf *out, const Expr *e);

static void put_list(StrBuf *out, Expr *const *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        put(out, items[i]);
    }
}

/* Java's Double.toString: shortest digits that read back the same, a point always, E outside of 1e-3 .. 1e7. */
static void put_double(StrBuf *out, double value, bool single)
{
    char digits[40];
    int precision = 1;

    if (isnan(value) || isinf(value)) {
        str_buf_puts(out, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    for (; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision - 1, value);
        double back = 0;

        sscanf(digits, "%lf", &back);
        if (single ? (float)back == (float)value : back == value)
            break;
    }
    int exponent = 0;
    char *e = strchr(digits, 'e');

    sscanf(e + 1, "%d", &exponent);
    *e = 0;
    char all[40];
    int n = 0;
    bool negative = *digits == '-';

    for (char *c = digits; *c; c++)
        if (*c >= '0' && *c <= '9')
            all[n++] = *c;
    if (negative)
        str_buf_putc(out, '-');
    if (value == 0) {
        str_buf_puts(out, "0.0");
    } else if (exponent >= -3 && exponent < 7) {
        int point = exponent + 1;

        if (point <= 0)
            str_buf_puts(out, "0.");
        for (int i = point; i < 0; i++)
            str_buf_putc(out, '0');
        for (int i = 0; i < n || i < point; i++) {
            if (i == point && i > 0)
                str_buf_putc(out, '.');
            str_buf_putc(out, i < n ? all[i] : '0');
        }
        if (n <= point)
            str_buf_puts(out, ".0");
    } else {
        str_buf_putc(out, all[0]);
        str_buf_putc(out, '.');
        if (n > 1)
            str_buf_add(out, all + 1, (size_t)n - 1);
        else
            str_buf_putc(out, '0');
        str_buf_printf(out, "E%d", exponent);
    }
}

static void put_literal(StrBuf *out, const Expr *e)
{
    switch (e->type ? e->type->kind : TYPE_STRING) {
    case TYPE_VOID:
        str_buf_puts(out, "NULL");
        break;
    case TYPE_BOOLEAN:
        str_buf_puts(out, e->literal_int ? "true" : "false");
        break;
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        str_buf_printf(out, "%lld", (long long)e->literal_int);
        break;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        put_double(out, e->literal_double, e->type->kind == TYPE_FLOAT);
        break;
    case TYPE_BINARY:
        str_buf_puts(out, "X'");
        for (size_t i = 0; i < e->literal.size; i++)
            str_buf_printf(out, "%02X", (unsigned char)e->literal.ptr[i]);
        str_buf_putc(out, '\'');
        break;
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
    case TYPE_TIME:
        str_buf_printf(out, "%s '", e->op ? e->op : "DATE");
        str_buf_str(out, e->literal);
        str_buf_putc(out, '\'');
        break;
    default:
        str_buf_str(out, e->literal);
    }
}

static void put_sort(StrBuf *out, const SortItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        put(out, items[i].expr);
        str_buf_puts(out, items[i].descending ? " DESC" : " ASC");
        str_buf_puts(out, items[i].nulls_first ? " NULLS FIRST" : " NULLS LAST");
    }
}

static void put_window(StrBuf *out, const WindowSpec *w)
{
    str_buf_puts(out, " OVER ");
    if (w->name) {
        str_buf_puts(out, w->name);
        return;
    }
    str_buf_putc(out, '(');
    if (w->partition_count) {
        str_buf_puts(out, "PARTITION BY ");
        put_list(out, w->partition_by, w->partition_count);
    }
    if (w->order_count) {
        str_buf_puts(out, w->partition_count ? " ORDER BY " : "ORDER BY ");
        put_sort(out, w->order_by, w->order_count);
    }
    str_buf_putc(out, ')');
}

static void put_upper(StrBuf *out, const char *text)
{
    for (; *text; text++)
        str_buf_putc(out, *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text);
}

/* int(x): Spark shows only the casts that are written as CAST */
static bool is_cast_call(const Expr *e)
{
    static const char *const casts[] = {"boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp", "time", "string", "binary", "decimal"};

    for (size_t i = 0; e->arg_count == 1 && i < sizeof casts / sizeof *casts; i++)
        if (!strcasecmp(e->name.parts[0], casts[i]))
            return true;
    return false;
}

static void put_call(StrBuf *out, const Expr *e)
{
    const char *name = e->name.parts[e->name.count - 1];

    if (is_cast_call(e)) {
        put(out, e->args[0]);
        return;
    }
    for (const char *c = name; *c; c++)
        str_buf_putc(out, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
    str_buf_putc(out, '(');
    if (e->distinct)
        str_buf_puts(out, "DISTINCT ");
    if (!strcasecmp(name, "count") && e->arg_count == 1 && e->args[0]->kind == EXPR_STAR)
        str_buf_puts(out, "1");
    else
        put_list(out, e->args, e->arg_count);
    str_buf_putc(out, ')');
    if (e->order_count) {
        str_buf_puts(out, " WITHIN GROUP (ORDER BY ");
        put_sort(out, e->order_by, e->order_count);
        str_buf_putc(out, ')');
    }
    if (e->filter) {
        str_buf_puts(out, " FILTER (WHERE ");
        put(out, e->filter);
        str_buf_putc(out, ')');
    }
    if (e->window)
        put_window(out, e->window);
}

static void put_case(StrBuf *out, const Expr *e)
{
    str_buf_puts(out, "CASE");
    for (int i = 0; i + 1 < e->arg_count; i += 2) {
        str_buf_puts(out, " WHEN ");
        if (e->operand) {
            str_buf_putc(out, '(');
            put(out, e->operand);
            str_buf_puts(out, " = ");
        }
        put(out, e->args[i]);
        if (e->operand)
            str_buf_putc(out, ')');
        str_buf_puts(out, " THEN ");
        put(out, e->args[i + 1]);
    }
    if (e->otherwise) {
        str_buf_puts(out, " ELSE ");
        put(out, e->otherwise);
    }
    str_buf_puts(out, " END");
}

static void put_type(StrBuf *out, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    type_print(&text, type);
    put_upper(out, str_buf_text(&text));
}

static void put(StrBuf *out, const Expr *e)
{
    switch (e->kind) {
    case EXPR_LITERAL:
        put_literal(out, e);
        break;
    case EXPR_COLUMN:
        str_buf_puts(out, e->name.parts[e->name.count - 1]);
        break;
    case EXPR_STAR:
        str_buf_putc(out, '*');
        break;
    case EXPR_CALL:
        put_call(out, e);
        break;
    case EXPR_UNARY:
        if (!strcmp(e->op, "NOT")) {
            str_buf_puts(out, "(NOT ");
            put(out, e->args[0]);
            str_buf_putc(out, ')');
        } else {
            str_buf_printf(out, !strcmp(e->op, "~") ? "%s" : "(%s ", e->op);
            put(out, e->args[0]);
            if (strcmp(e->op, "~"))
                str_buf_putc(out, ')');
        }
        break;
    case EXPR_BINARY:
        if (!strcmp(e->op, "||")) {
            str_buf_puts(out, "concat(");
            put_list(out, e->args, 2);
            str_buf_putc(out, ')');
            break;
        }
        str_buf_putc(out, '(');
        put(out, e->args[0]);
        str_buf_printf(out, " %s ", !strcmp(e->op, "DIV") ? "div" : !strcmp(e->op, "==") ? "=" : e->op);
        put(out, e->args[1]);
        str_buf_putc(out, ')');
        break;
    case EXPR_IS:
        str_buf_putc(out, '(');
        put(out, e->args[0]);
        if (!strcmp(e->op, "DISTINCT")) {
            str_buf_puts(out, " <=> ");
            put(out, e->args[1]);
        } else {
            str_buf_printf(out, " IS %s%s", e->negated ? "NOT " : "", e->op);
        }
        str_buf_putc(out, ')');
        break;
    case EXPR_BETWEEN:
        str_buf_puts(out, e->negated ? "(NOT between(" : "between(");
        put_list(out, e->args, e->arg_count);
        str_buf_puts(out, e->negated ? "))" : ")");
        break;
    case EXPR_IN:
        str_buf_puts(out, e->negated ? "(NOT (" : "(");
        put(out, e->args[0]);
        str_buf_puts(out, " IN (");
        if (e->query)
            str_buf_puts(out, "listquery()");
        else
            put_list(out, e->args + 1, e->arg_count - 1);
        str_buf_puts(out, e->negated ? ")))" : "))");
        break;
    case EXPR_LIKE:
        if (e->negated)
            str_buf_puts(out, "(NOT ");
        put(out, e->args[0]);
        str_buf_printf(out, " %s ", e->op);
        if (e->quantifier)
            str_buf_printf(out, "%s (", e->quantifier);
        put_list(out, e->args + 1, e->arg_count - 1);
        if (e->quantifier)
            str_buf_putc(out, ')');
        if (e->negated)
            str_buf_putc(out, ')');
        break;
    case EXPR_CASE:
        put_case(out, e);
        break;
    case EXPR_CAST:
        if (e->op && !strcmp(e->op, "TRY_CAST")) { /* Spark shows only the casts that are written as CAST */
            put(out, e->args[0]);
            break;
        }
        str_buf_puts(out, "CAST(");
        put(out, e->args[0]);
        str_buf_puts(out, " AS ");
        put_type(out, e->cast_type);
        str_buf_putc(out, ')');
        break;
    case EXPR_EXTRACT:
        str_buf_printf(out, "extract(%s FROM ", e->op);
        put(out, e->args[0]);
        str_buf_putc(out, ')');
        break;
    case EXPR_INTERVAL:
        str_buf_puts(out, "INTERVAL '");
        put_list(out, e->args, e->arg_count);
        str_buf_printf(out, "' %s", e->units && e->units[0] ? e->units[0] : "");
        break;
    case EXPR_SUBQUERY:
        str_buf_puts(out, "scalarsubquery()");
        break;
    case EXPR_EXISTS:
        str_buf_puts(out, "exists()");
        break;
    case EXPR_LAMBDA:
        str_buf_puts(out, "lambdafunction(");
        put(out, e->args[0]);
        str_buf_putc(out, ')');
        break;
    case EXPR_SUBSCRIPT:
        put(out, e->args[0]);
        str_buf_putc(out, '[');
        put(out, e->args[1]);
        str_buf_putc(out, ']');
        break;
    case EXPR_FIELD:
        put(out, e->args[0]);
        str_buf_printf(out, ".%s", e->text);
        break;
    case EXPR_ROW:
        str_buf_puts(out, "named_struct(");
        for (int i = 0; i < e->arg_count; i++) {
            str_buf_printf(out, i ? ", col%d, " : "col%d, ", i + 1);
            put(out, e->args[i]);
        }
        str_buf_putc(out, ')');
        break;
    case EXPR_PATH:
        str_buf_puts(out, e->text);
        break;
    case EXPR_NAMED_ARG:
        str_buf_printf(out, "%s => ", e->text);
        put(out, e->args[0]);
        break;
    case EXPR_ALIASED:
        put(out, e->args[0]);
        str_buf_printf(out, " AS %s", e->text);
        break;
    case EXPR_PARAM_DEFAULT:
        str_buf_puts(out, "DEFAULT");
        break;
    }
}

/* The last name in a path: b of a['x'].b[0], x y of ['x y']. */
static const char *path_name(Analyzer *a, const char *path)
{
    const char *name = path, *end = path;

    for (const char *p = path; *p;) {
        const char *start = p;

        if (*p == '[' && (p[1] == '\'' || p[1] == '"')) {
            start = p + 2;
            p = strchr(start, p[1]);
            name = start;
            end = p;
            p += p[1] ? 2 : 1;
            continue;
        }
        if (*p == '[') {
            p = strchr(p, ']') + 1;
            continue;
        }
        start += *p == '.';
        for (p = start; *p && *p != '.' && *p != '['; p++)
            ;
        name = start;
        end = p;
    }
    return arena_strndup(a->arena, name, (size_t)(end - name));
}

const char *sql__auto_name(Analyzer *a, const Expr *expr)
{
    silt_auto(str_buf_fini) StrBuf out = {0};

    if (expr->kind == EXPR_FIELD && expr->args[0]->kind == EXPR_COLUMN)
        return expr->text;
    const Expr *path = expr;

    while (path->kind == EXPR_CAST && !path->implicit)
        path = path->args[0];
    if (path->kind == EXPR_PATH)
        return path_name(a, path->text);
    if (expr->kind == EXPR_CAST && expr->args[0]->kind == EXPR_COLUMN) /* a cast of a column keeps its name */
        return expr->args[0]->name.parts[expr->args[0]->name.count - 1];
    if (expr->kind == EXPR_CALL && (!strcasecmp(expr->name.parts[0], "window") || !strcasecmp(expr->name.parts[0], "session_window")))
        return expr->name.parts[0];
    /* Spark names the map that from_json makes */
    if (expr->kind == EXPR_CALL && !strcasecmp(expr->name.parts[0], "from_json") && expr->arg_count > 1 && expr->args[1]->kind == EXPR_LITERAL &&
        expr->args[1]->literal.size > 4 && !strncasecmp(expr->args[1]->literal.ptr, "map<", 4))
        return "entries";
    put(&out, expr);
    return arena_strdup(a->arena, str_buf_text(&out));
}
