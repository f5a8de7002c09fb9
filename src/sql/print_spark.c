/*
 * sql/print_spark.c - expressions as Spark SQL text
 *
 * What is printed parses to the same tree (the round-trip test). Names are always quoted; parentheses stand wherever the grammar could
 * read the text otherwise, and few elsewhere.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "sql/print_spark.h"

/* How tightly a printed expression holds together; an operand that is looser than its place gets parentheses. */
enum { LOOSE, OR_LEVEL, AND_LEVEL, NOT_LEVEL, PREDICATE_LEVEL, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, ADDITION, PRODUCT, UNARY, PRIMARY };

static const struct {
    const char *op;
    int level;
} operators[] = {{"OR", OR_LEVEL}, {"AND", AND_LEVEL}, {"=", COMPARE}, {"<=>", COMPARE}, {"<>", COMPARE}, {"<", COMPARE}, {"<=", COMPARE}, {">", COMPARE},
                 {">=", COMPARE}, {"|", BIT_OR}, {"^", BIT_XOR}, {"&", BIT_AND}, {"<<", SHIFT}, {">>", SHIFT}, {">>>", SHIFT}, {"+", ADDITION}, {"-", ADDITION},
                 {"||", ADDITION}, {"*", PRODUCT}, {"/", PRODUCT}, {"%", PRODUCT}, {"DIV", PRODUCT}};

static int binary_level(const char *op)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!strcmp(op, operators[i].op))
            return operators[i].level;
    }
    silt_assert(!"an operator of the parser");
    return LOOSE;
}

static bool is_number(const Expr *expr)
{
    return expr->kind == EXPR_LITERAL && expr->type && type_is_numeric(expr->type);
}

static bool is_negative(const Expr *expr)
{
    return expr->text ? *expr->text == '-' : expr->literal_int < 0 || signbit(expr->literal_double) || str_starts(expr->literal, "-");
}

/* collate(x, 'name') as x COLLATE name, where the name is a plain one */
static bool is_collate(const Expr *expr)
{
    if (expr->arg_count != 2 || expr->args[1]->kind != EXPR_LITERAL || expr->args[1]->type->kind != TYPE_STRING || !expr->args[1]->literal.size)
        return false;
    Str name = expr->args[1]->literal;
    for (size_t i = 0; i < name.size; i++) {
        if (!isalnum((unsigned char)name.ptr[i]) && name.ptr[i] != '_')
            return false;
    }
    return expr->name.count == 1 && !strcasecmp(expr->name.parts[0], "collate") && !expr->distinct &&
           !expr->filter && !expr->window && !expr->order_count && !expr->ignore_nulls;
}

static int level_of(const Expr *expr)
{
    switch (expr->kind) {
    case EXPR_BINARY:
        return binary_level(expr->op);
    case EXPR_UNARY:
        return strcmp(expr->op, "NOT") ? UNARY : NOT_LEVEL;
    case EXPR_EXISTS:
        return expr->negated ? NOT_LEVEL : PREDICATE_LEVEL;
    case EXPR_IS:
    case EXPR_BETWEEN:
    case EXPR_IN:
    case EXPR_LIKE:
        return PREDICATE_LEVEL;
    case EXPR_LAMBDA:
    case EXPR_NAMED_ARG:
    case EXPR_ALIASED:
        return LOOSE;
    case EXPR_INTERVAL:
        return UNARY; /* a following [ or . would be read as part of its last unit's alias */
    case EXPR_LITERAL:
        return is_number(expr) && is_negative(expr) ? UNARY : PRIMARY;
    case EXPR_CALL:
        return is_collate(expr) ? UNARY : PRIMARY; /* a following . or [ would be read as part of the collation's name */
    default:
        return PRIMARY;
    }
}

void sql__spark_name(StrBuf *out, const char *name)
{
    str_buf_putc(out, '`');
    for (const char *c = name; *c; c++) {
        if (*c == '`')
            str_buf_putc(out, '`');
        str_buf_putc(out, *c);
    }
    str_buf_putc(out, '`');
}

void sql__spark_names(StrBuf *out, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql__spark_name(out, names[i]);
    }
}

void sql__spark_qualified(StrBuf *out, SqlName name)
{
    for (int i = 0; i < name.count; i++) {
        if (i)
            str_buf_putc(out, '.');
        sql__spark_name(out, name.parts[i]);
    }
}

void sql__spark_qualified_list(StrBuf *out, const SqlName *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql__spark_qualified(out, names[i]);
    }
}

void sql__spark_string(StrBuf *out, Str text)
{
    str_buf_putc(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        char c = text.ptr[i];
        switch (c) {
        case '\'':
            str_buf_puts(out, "\\'");
            break;
        case '\\':
            /* the escapes \% and \_ keep their backslash */
            str_buf_puts(out, i + 1 < text.size && (text.ptr[i + 1] == '%' || text.ptr[i + 1] == '_') ? "\\" : "\\\\");
            break;
        case '\n':
            str_buf_puts(out, "\\n");
            break;
        case '\r':
            str_buf_puts(out, "\\r");
            break;
        case '\t':
            str_buf_puts(out, "\\t");
            break;
        case 0:
            str_buf_puts(out, "\\u0000");
            break;
        default:
            str_buf_putc(out, c);
        }
    }
    str_buf_putc(out, '\'');
}

/* Spark's text of a type, with every name quoted; type_print leaves names bare. */
void sql__spark_type(StrBuf *out, const Type *type)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        str_buf_puts(out, "ARRAY<");
        sql__spark_type(out, type->element);
        str_buf_puts(out, ">");
        break;
    case TYPE_MAP:
        str_buf_puts(out, "MAP<");
        sql__spark_type(out, type->key);
        str_buf_puts(out, ", ");
        sql__spark_type(out, type->element);
        str_buf_puts(out, ">");
        break;
    case TYPE_STRUCT:
        str_buf_puts(out, "STRUCT<");
        for (int i = 0; i < type->field_count; i++) {
            if (i)
                str_buf_puts(out, ", ");
            sql__spark_name(out, type->fields[i].name);
            str_buf_puts(out, ": ");
            sql__spark_type(out, type->fields[i].type);
            if (!type->fields[i].nullable)
                str_buf_puts(out, " NOT NULL");
            if (type->fields[i].comment) {
                str_buf_puts(out, " COMMENT ");
                sql__spark_string(out, str_of(type->fields[i].comment));
            }
        }
        str_buf_puts(out, ">");
        break;
    case TYPE_TIME:
        str_buf_printf(out, "TIME(%d)", type->precision);
        break;
    default:
        type_print(out, type);
    }
}

static void print_at(StrBuf *out, const Expr *expr, int level);

void sql__spark_exprs(StrBuf *out, Expr *const *exprs, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        print_at(out, exprs[i], LOOSE);
    }
}

void sql__spark_sort(StrBuf *out, const SortItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        print_at(out, items[i].expr, LOOSE);
        if (items[i].descending)
            str_buf_puts(out, " DESC");
        if (items[i].nulls_first == items[i].descending) /* not what goes without saying */
            str_buf_puts(out, items[i].nulls_first ? " NULLS FIRST" : " NULLS LAST");
    }
}

/* ---- windows ---- */

static void print_bound(StrBuf *out, FrameBound bound, const Expr *offset)
{
    static const char *const words[] = {"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"};
    if (bound == FRAME_PRECEDING || bound == FRAME_FOLLOWING) {
        print_at(out, offset, LOOSE);
        str_buf_putc(out, ' ');
    }
    str_buf_puts(out, words[bound]);
}

void sql__spark_window(StrBuf *out, const WindowSpec *window)
{
    if (window->name) {
        sql__spark_name(out, window->name);
        return;
    }
    const char *blank = "";
    str_buf_putc(out, '(');
    if (window->partition_count) {
        str_buf_puts(out, "PARTITION BY ");
        sql__spark_exprs(out, window->partition_by, window->partition_count);
        blank = " ";
    }
    if (window->order_count) {
        str_buf_printf(out, "%sORDER BY ", blank);
        sql__spark_sort(out, window->order_by, window->order_count);
        blank = " ";
    }
    if (window->frame_given) {
        str_buf_printf(out, "%s%s BETWEEN ", blank, window->frame_rows ? "ROWS" : "RANGE");
        print_bound(out, window->start, window->start_offset);
        str_buf_puts(out, " AND ");
        print_bound(out, window->end, window->end_offset);
    }
    str_buf_putc(out, ')');
}

/* ---- one kind each ---- */

/* A number that did not come from text, such as a folded constant. */
static void print_number(StrBuf *out, const Expr *expr)
{
    static const char *const suffixes[] = {[TYPE_BYTE] = "Y", [TYPE_SHORT] = "S", [TYPE_INT] = "", [TYPE_LONG] = "L"};
    switch (expr->type->kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        str_buf_printf(out, "%lld%s", (long long)expr->literal_int, suffixes[expr->type->kind]);
        break;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        if (isfinite(expr->literal_double))
            str_buf_printf(out, "%.17g%s", expr->literal_double, expr->type->kind == TYPE_FLOAT ? "F" : "D");
        else
            str_buf_printf(out, "CAST('%s' AS %s)", isnan(expr->literal_double) ? "NaN" : expr->literal_double > 0 ? "Infinity" : "-Infinity",
                           expr->type->kind == TYPE_FLOAT ? "FLOAT" : "DOUBLE");
        break;
    case TYPE_DECIMAL:
        str_buf_str(out, expr->literal);
        str_buf_puts(out, "BD");
        break;
    case TYPE_BOOLEAN:
        str_buf_puts(out, expr->literal_int ? "TRUE" : "FALSE");
        break;
    default:
        str_buf_puts(out, "NULL");
    }
}

static void print_literal(StrBuf *out, const Expr *expr)
{
    switch (expr->type->kind) {
    case TYPE_STRING:
        sql__spark_string(out, expr->literal);
        break;
    case TYPE_BINARY:
        str_buf_puts(out, "X'");
        for (size_t i = 0; i < expr->literal.size; i++)
            str_buf_printf(out, "%02X", (unsigned char)expr->literal.ptr[i]);
        str_buf_puts(out, "'");
        break;
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
    case TYPE_TIME:
        str_buf_printf(out, "%s ", expr->op);
        sql__spark_string(out, expr->literal);
        break;
    default:
        if (expr->text)
            str_buf_puts(out, expr->text);
        else
            print_number(out, expr);
    }
}

/*
 * Some functions have a grammar of their own: struct(a AS b), first(x), dateadd(DAY, 1, t). In backquotes their names would be those of plain functions, to
 * which AS is an error and DAY a column.
 */
static void print_function_name(StrBuf *out, const Expr *call)
{
    static const char *const words[] = {"STRUCT", "FIRST", "LAST", "ANY_VALUE"};
    bool bare = call->op;
    for (size_t i = 0; !bare && i < sizeof words / sizeof *words; i++)
        bare = call->name.count == 1 && !strcasecmp(call->name.parts[0], words[i]);
    if (bare)
        str_buf_puts(out, call->name.parts[0]);
    else
        sql__spark_qualified(out, call->name);
}

static void print_collate(StrBuf *out, const Expr *expr)
{
    bool typed = expr->args[0]->kind == EXPR_CAST && !strcmp(expr->args[0]->op, "::"); /* x::STRING COLLATE c casts to a type with a collation */
    print_at(out, expr->args[0], typed ? PRIMARY + 1 : PRIMARY);
    str_buf_puts(out, " COLLATE `");
    str_buf_str(out, expr->args[1]->literal);
    str_buf_putc(out, '`');
}

static void print_call(StrBuf *out, const Expr *expr)
{
    static const char *const sides[] = {"BOTH", "LEADING", "TRAILING"};
    bool trim = false;
    if (is_collate(expr)) {
        print_collate(out, expr);
        return;
    }
    for (int i = 0; expr->op && i < 3; i++)
        trim |= !strcmp(expr->op, sides[i]);
    if (trim) { /* the name must be a bare word here */
        str_buf_printf(out, "%s(%s ", expr->name.parts[0], expr->op);
        if (expr->arg_count > 1) {
            print_at(out, expr->args[1], COMPARE);
            str_buf_putc(out, ' ');
        }
        str_buf_puts(out, "FROM ");
        print_at(out, expr->args[0], COMPARE);
    } else {
        print_function_name(out, expr);
        str_buf_putc(out, '(');
        if (expr->op)
            str_buf_printf(out, "%s, ", expr->op);
        if (expr->distinct)
            str_buf_puts(out, "DISTINCT ");
        sql__spark_exprs(out, expr->args, expr->arg_count);
    }
    str_buf_putc(out, ')');
    if (expr->order_count) {
        str_buf_puts(out, " WITHIN GROUP (ORDER BY ");
        sql__spark_sort(out, expr->order_by, expr->order_count);
        str_buf_putc(out, ')');
    }
    if (expr->filter) {
        str_buf_puts(out, " FILTER (WHERE ");
        print_at(out, expr->filter, LOOSE);
        str_buf_putc(out, ')');
    }
    if (expr->ignore_nulls)
        str_buf_puts(out, " IGNORE NULLS");
    if (expr->window) {
        str_buf_puts(out, " OVER ");
        sql__spark_window(out, expr->window);
    }
}

static void print_case(StrBuf *out, const Expr *expr)
{
    str_buf_puts(out, "CASE");
    if (expr->operand) {
        str_buf_putc(out, ' ');
        print_at(out, expr->operand, LOOSE);
    }
    for (int i = 0; i < expr->arg_count; i += 2) {
        str_buf_puts(out, " WHEN ");
        print_at(out, expr->args[i], LOOSE);
        str_buf_puts(out, " THEN ");
        print_at(out, expr->args[i + 1], LOOSE);
    }
    if (expr->otherwise) {
        str_buf_puts(out, " ELSE ");
        print_at(out, expr->otherwise, LOOSE);
    }
    str_buf_puts(out, " END");
}

static void print_interval(StrBuf *out, const Expr *expr)
{
    str_buf_puts(out, "INTERVAL");
    for (int i = 0; i < expr->arg_count; i++) {
        str_buf_putc(out, ' ');
        print_literal(out, expr->args[i]);
        str_buf_printf(out, " %s", expr->units[i]);
    }
    if (expr->units[expr->arg_count])
        str_buf_printf(out, " TO %s", expr->units[expr->arg_count]);
}

static void print_query(StrBuf *out, const Query *query)
{
    str_buf_putc(out, '(');
    sql_print_spark_query(out, query);
    str_buf_putc(out, ')');
}

static void print_like(StrBuf *out, const Expr *expr)
{
    print_at(out, expr->args[0], COMPARE);
    str_buf_printf(out, "%s %s ", expr->negated ? " NOT" : "", expr->op);
    if (expr->quantifier) {
        str_buf_printf(out, "%s (", expr->quantifier);
        sql__spark_exprs(out, expr->args + 1, expr->arg_count - 1);
        str_buf_putc(out, ')');
        return;
    }
    print_at(out, expr->args[1], COMPARE);
    if (expr->escape) {
        str_buf_puts(out, " ESCAPE ");
        print_literal(out, expr->escape);
    }
}

static void print_in(StrBuf *out, const Expr *expr)
{
    print_at(out, expr->args[0], COMPARE);
    str_buf_puts(out, expr->negated ? " NOT IN " : " IN ");
    if (expr->query) {
        print_query(out, expr->query);
        return;
    }
    str_buf_putc(out, '(');
    sql__spark_exprs(out, expr->args + 1, expr->arg_count - 1);
    str_buf_putc(out, ')');
}

static void print_is(StrBuf *out, const Expr *expr)
{
    print_at(out, expr->args[0], COMPARE);
    str_buf_printf(out, " IS %s%s", expr->negated ? "NOT " : "", expr->op);
    if (expr->arg_count > 1) {
        str_buf_puts(out, " FROM ");
        print_at(out, expr->args[1], COMPARE);
    }
}

static void print_lambda(StrBuf *out, const Expr *expr)
{
    if (expr->parameter_count > 1)
        str_buf_putc(out, '(');
    sql__spark_names(out, expr->parameters, expr->parameter_count);
    str_buf_puts(out, expr->parameter_count > 1 ? ") -> " : " -> ");
    print_at(out, expr->args[0], LOOSE);
}

static void print_cast(StrBuf *out, const Expr *expr)
{
    if (!strcmp(expr->op, "::")) {
        print_at(out, expr->args[0], PRIMARY);
        str_buf_puts(out, "::");
        sql__spark_type(out, expr->cast_type);
        return;
    }
    str_buf_printf(out, "%s(", expr->op);
    print_at(out, expr->args[0], LOOSE);
    str_buf_puts(out, " AS ");
    sql__spark_type(out, expr->cast_type);
    str_buf_putc(out, ')');
}

/* ---- AND and OR ---- */

static int count_terms(const Expr *expr, const char *op)
{
    return expr->kind == EXPR_BINARY && !strcmp(expr->op, op) ? count_terms(expr->args[0], op) + count_terms(expr->args[1], op) : 1;
}

/* Is this the tree that the parser makes of a chain of `count` terms? Then it prints as a chain. */
static bool is_balanced(const Expr *expr, const char *op, int count)
{
    if (count == 1)
        return expr->kind != EXPR_BINARY || strcmp(expr->op, op);
    int left = (count - 1) / 2 + 1;
    return expr->kind == EXPR_BINARY && !strcmp(expr->op, op) && is_balanced(expr->args[0], op, left) && is_balanced(expr->args[1], op, count - left);
}

static void print_chain(StrBuf *out, const Expr *expr, const char *op, int level)
{
    if (expr->kind != EXPR_BINARY || strcmp(expr->op, op)) {
        print_at(out, expr, level + 1);
        return;
    }
    print_chain(out, expr->args[0], op, level);
    str_buf_printf(out, " %s ", op);
    print_chain(out, expr->args[1], op, level);
}

static void print_binary(StrBuf *out, const Expr *expr)
{
    int level = binary_level(expr->op);
    if (level <= AND_LEVEL && is_balanced(expr, expr->op, count_terms(expr, expr->op))) {
        print_chain(out, expr, expr->op, level);
        return;
    }
    print_at(out, expr->args[0], level <= AND_LEVEL ? level + 1 : level);
    str_buf_printf(out, " %s ", expr->op);
    print_at(out, expr->args[1], level + 1);
}

static bool begins_with_number(const Expr *expr)
{
    while (expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_FIELD || expr->kind == EXPR_PATH || (expr->kind == EXPR_CAST && (expr->implicit || !strcmp(expr->op, "::"))))
        expr = expr->args[0];
    return is_number(expr);
}

static void print_unary(StrBuf *out, const Expr *expr)
{
    bool not = !strcmp(expr->op, "NOT");
    const Expr *operand = expr->args[0];
    str_buf_puts(out, expr->op);
    if (not) {
        str_buf_putc(out, ' ');
        print_at(out, operand, operand->kind == EXPR_EXISTS ? PRIMARY : NOT_LEVEL); /* NOT EXISTS is one node */
    } else if (begins_with_number(operand)) { /* -(1) is not the literal -1, -(1::INT) not (-1)::INT */
        str_buf_putc(out, '(');
        print_at(out, operand, LOOSE);
        str_buf_putc(out, ')');
    } else {
        if (operand->kind == EXPR_UNARY)
            str_buf_putc(out, ' '); /* -- begins a comment */
        print_at(out, operand, UNARY);
    }
}

static void print_node(StrBuf *out, const Expr *expr)
{
    switch (expr->kind) {
    case EXPR_LITERAL:
        print_literal(out, expr);
        break;
    case EXPR_COLUMN:
        sql__spark_qualified(out, expr->name);
        break;
    case EXPR_STAR:
        sql__spark_qualified(out, expr->name);
        str_buf_puts(out, expr->name.count ? ".*" : "*");
        if (expr->except_count) {
            str_buf_puts(out, " EXCEPT (");
            sql__spark_qualified_list(out, expr->except, expr->except_count);
            str_buf_putc(out, ')');
        }
        break;
    case EXPR_CALL:
        print_call(out, expr);
        break;
    case EXPR_UNARY:
        print_unary(out, expr);
        break;
    case EXPR_BINARY:
        print_binary(out, expr);
        break;
    case EXPR_IS:
        print_is(out, expr);
        break;
    case EXPR_BETWEEN:
        print_at(out, expr->args[0], COMPARE);
        str_buf_puts(out, expr->negated ? " NOT BETWEEN " : " BETWEEN ");
        print_at(out, expr->args[1], COMPARE);
        str_buf_puts(out, " AND ");
        print_at(out, expr->args[2], COMPARE);
        break;
    case EXPR_IN:
        print_in(out, expr);
        break;
    case EXPR_LIKE:
        print_like(out, expr);
        break;
    case EXPR_CASE:
        print_case(out, expr);
        break;
    case EXPR_CAST:
        print_cast(out, expr);
        break;
    case EXPR_EXTRACT:
        str_buf_printf(out, "EXTRACT(%s FROM ", expr->op);
        print_at(out, expr->args[0], COMPARE);
        str_buf_putc(out, ')');
        break;
    case EXPR_INTERVAL:
        print_interval(out, expr);
        break;
    case EXPR_SUBQUERY:
        print_query(out, expr->query);
        break;
    case EXPR_EXISTS:
        str_buf_puts(out, expr->negated ? "NOT EXISTS " : "EXISTS ");
        print_query(out, expr->query);
        break;
    case EXPR_LAMBDA:
        print_lambda(out, expr);
        break;
    case EXPR_SUBSCRIPT: /* (v:a)[0] is an element, v:a[0] a longer path */
        print_at(out, expr->args[0], expr->args[0]->kind == EXPR_PATH ? PRIMARY + 1 : PRIMARY);
        str_buf_putc(out, '[');
        print_at(out, expr->args[1], COMPARE);
        str_buf_putc(out, ']');
        break;
    case EXPR_FIELD: /* (a).b is a field of a column, a.b a column's name; so is TRUE.b, and 1.b begins with the number 1. */
        print_at(out, expr->args[0], expr->args[0]->kind == EXPR_COLUMN || expr->args[0]->kind == EXPR_PATH || expr->args[0]->kind == EXPR_LITERAL ? PRIMARY + 1 : PRIMARY);
        str_buf_putc(out, '.');
        sql__spark_name(out, expr->text);
        break;
    case EXPR_ROW:
        str_buf_putc(out, '(');
        sql__spark_exprs(out, expr->args, expr->arg_count);
        str_buf_putc(out, ')');
        break;
    case EXPR_PATH:
        print_at(out, expr->args[0], PRIMARY);
        str_buf_printf(out, ":%s", expr->text);
        break;
    case EXPR_NAMED_ARG:
        sql__spark_name(out, expr->text);
        str_buf_puts(out, " => ");
        print_at(out, expr->args[0], LOOSE);
        break;
    case EXPR_ALIASED:
        print_at(out, expr->args[0], LOOSE);
        str_buf_puts(out, " AS ");
        sql__spark_name(out, expr->text);
        break;
    case EXPR_PARAM_DEFAULT:
        str_buf_puts(out, "DEFAULT");
        break;
    }
}

static void print_at(StrBuf *out, const Expr *expr, int level)
{
    while (expr->kind == EXPR_CAST && expr->implicit)
        expr = expr->args[0];
    bool parentheses = level_of(expr) < level;
    if (parentheses)
        str_buf_putc(out, '(');
    print_node(out, expr);
    if (parentheses)
        str_buf_putc(out, ')');
}

void sql_print_spark_expr(StrBuf *out, const Expr *expr)
{
    print_at(out, expr, LOOSE);
}

void sql__spark_value(StrBuf *out, const Expr *expr)
{
    print_at(out, expr, COMPARE);
}
