/*
 * sql/parser_expr.c - expressions, with Spark's precedence
 *
 *   OR < AND < NOT < predicates (IS, BETWEEN, IN, LIKE: one, not chained) < = <=> <> < <= > >= < | < ^ < & < shifts
 *   < + - || < * / % DIV < unary + - ~ < . [] :: : COLLATE
 */
#include "sql/parser.h"

#include <string.h>

int sql__parse_expressions(Parser *p, Expr ***out)
{
    int count = 0, capacity = 0;
    *out = NULL;
    do {
        Expr *expr = sql__parse_expression(p);
        ARENA_PUSH(p->arena, *out, count, capacity, expr);
    } while (accept(p, TOK_COMMA));
    return count;
}

static Expr *with_args(Parser *p, Expr *expr, int count, Expr *first, Expr *second)
{
    expr->args = ARENA_ARRAY(p->arena, Expr *, count);
    expr->arg_count = count;
    expr->args[0] = first;
    if (count > 1)
        expr->args[1] = second;
    return expr;
}

static Expr *binary(Parser *p, const char *op, Expr *left, Expr *right)
{
    Expr *expr = with_args(p, sql__expr_new(p, EXPR_BINARY, sql__span(p, left->pos)), 2, left, right);
    expr->op = op;
    sql__expr_done(p, expr);
    return expr;
}

/* ---- primary expressions ---- */

/* A word that begins a clause is a column here only if a column fits what follows. */
static bool is_column_word(const Parser *p)
{
    switch (keyword_at(p, 0)) {
    case KW_FROM:
    case KW_WHERE:
    case KW_HAVING:
    case KW_SELECT:
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_JOIN:
    case KW_LIMIT:
    case KW_AND:
    case KW_OR:
    case KW_THEN:
    case KW_WHEN:
    case KW_ELSE:
    case KW_AS:
    case KW_CASE:
        break;
    case KW_GROUP:
    case KW_ORDER:
        return keyword_at(p, 1) != KW_BY;
    default:
        return true;
    }
    switch (kind_at(p, 1)) {
    case TOK_COMMA:
    case TOK_RPAREN:
    case TOK_DOT:
    case TOK_EQ:
    case TOK_NE:
    case TOK_NSEQ:
    case TOK_LT:
    case TOK_LE:
    case TOK_GT:
    case TOK_GE:
    case TOK_ARROW:
    case TOK_CAST:
        return true;
    default:
        return keyword_at(p, 1) == KW_AS || keyword_at(p, 1) == KW_IS || keyword_at(p, 1) == KW_FROM;
    }
}

/* x -> body, (x, y) -> body; at its first token. */
static Expr *parse_lambda(Parser *p)
{
    Expr *lambda = sql__expr_new(p, EXPR_LAMBDA, sql__here(p));
    int capacity = 0, open = p->at;
    bool several = accept(p, TOK_LPAREN);
    do {
        const char *name = sql__parse_name(p, "a parameter name");
        ARENA_PUSH(p->arena, lambda->parameters, lambda->parameter_count, capacity, name);
    } while (several && accept(p, TOK_COMMA));
    if (several)
        sql__expect_close(p, open);
    sql__expect(p, TOK_ARROW, "->");
    with_args(p, lambda, 1, sql__parse_expression(p), NULL);
    lambda->pos = sql__span(p, lambda->pos);
    sql__expr_done(p, lambda);
    return lambda;
}

static Expr *parse_subquery(Parser *p, ExprKind kind, SiltPos pos)
{
    Expr *expr = sql__expr_new(p, kind, pos);
    int open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\"");
    expr->query = sql__parse_query_text(p);
    sql__expect_close(p, open);
    expr->pos = sql__span(p, pos);
    sql__expr_done(p, expr);
    return expr;
}

/* At "(": lambda, subquery, row or parenthesised expression. */
static Expr *parse_parenthesis(Parser *p)
{
    SiltPos pos = sql__here(p);
    int open = p->at, close = peek(p, 0)->match;
    if (close >= 0 && p->tokens[close + 1].kind == TOK_ARROW && sql__is_name(p, 1))
        return parse_lambda(p);
    if (sql__query_ahead(p, 1))
        return parse_subquery(p, EXPR_SUBQUERY, pos);
    step(p);
    Expr *first = sql__parse_expression(p);
    if (!is_kind(p, TOK_COMMA)) {
        sql__expect_close(p, open);
        return first;
    }
    Expr *row = sql__expr_new(p, EXPR_ROW, pos);
    int capacity = 0;
    ARENA_PUSH(p->arena, row->args, row->arg_count, capacity, first);
    while (accept(p, TOK_COMMA)) {
        Expr *item = sql__parse_expression(p);
        ARENA_PUSH(p->arena, row->args, row->arg_count, capacity, item);
    }
    sql__expect_close(p, open);
    row->pos = sql__span(p, pos);
    sql__expr_done(p, row);
    return row;
}

static Expr *parse_case(Parser *p)
{
    Expr *expr = sql__expr_new(p, EXPR_CASE, sql__here(p));
    int capacity = 0;
    step(p);
    if (!is_keyword(p, KW_WHEN))
        expr->operand = sql__parse_expression(p);
    if (!is_keyword(p, KW_WHEN))
        sql__expect_keyword(p, KW_WHEN);
    while (accept_keyword(p, KW_WHEN)) {
        Expr *when = sql__parse_expression(p);
        sql__expect_keyword(p, KW_THEN);
        Expr *then = sql__parse_expression(p);
        ARENA_PUSH(p->arena, expr->args, expr->arg_count, capacity, when);
        ARENA_PUSH(p->arena, expr->args, expr->arg_count, capacity, then);
    }
    if (accept_keyword(p, KW_ELSE))
        expr->otherwise = sql__parse_expression(p);
    if (!accept_keyword(p, KW_END))
        sql__parse_expected(p, expr->otherwise ? "END of CASE" : "WHEN, ELSE or END of CASE");
    expr->pos = sql__span(p, expr->pos);
    sql__expr_done(p, expr);
    return expr;
}

static Expr *parse_cast(Parser *p)
{
    Expr *expr = sql__expr_new(p, EXPR_CAST, sql__here(p));
    expr->op = is_keyword(p, KW_CAST) ? "CAST" : "TRY_CAST";
    step(p);
    int open = p->at;
    step(p);
    with_args(p, expr, 1, sql__parse_expression(p), NULL);
    sql__expect_keyword(p, KW_AS);
    expr->cast_type = sql__parse_any_type(p);
    sql__expect_close(p, open);
    expr->pos = sql__span(p, expr->pos);
    sql__expr_done(p, expr);
    return expr;
}

/* (a, t.b, s.field) */
static int parse_except(Parser *p, SqlName **out)
{
    int count = 0, capacity = 0, open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\"");
    do {
        SqlName name = sql__parse_qualified(p, "a column name");
        ARENA_PUSH(p->arena, *out, count, capacity, name);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
    return count;
}

/* * or name.* with EXCEPT (a, b); behind the star. */
static Expr *parse_star(Parser *p, SqlName name, SiltPos pos)
{
    Expr *star = sql__expr_new(p, EXPR_STAR, sql__span(p, pos));
    star->name = name;
    if (is_keyword(p, KW_EXCEPT) && kind_at(p, 1) == TOK_LPAREN && !sql__query_ahead(p, 2)) {
        step(p);
        star->except_count = parse_except(p, &star->except);
    }
    sql__expr_done(p, star);
    return star;
}

static Expr *parse_column(Parser *p, SqlName name)
{
    Expr *column = sql__expr_new(p, EXPR_COLUMN, name.pos);
    column->name = name;
    sql__expr_done(p, column);
    return column;
}

/* A name: column, call, star or the parameter of a lambda. */
static Expr *parse_named(Parser *p)
{
    SqlName name = {.pos = sql__here(p)};
    int capacity = 0, first = p->at;
    if (sql__parse_identifier(p, &name)) {
        capacity = name.count;
        if (!is_kind(p, TOK_DOT))
            return is_kind(p, TOK_LPAREN) ? sql__parse_call(p, name) : parse_column(p, name);
        step(p);
    }
    for (;;) {
        const char *part = sql__parse_name(p, "an expression");
        ARENA_PUSH(p->arena, name.parts, name.count, capacity, part);
        if (!is_kind(p, TOK_DOT))
            break;
        if (kind_at(p, 1) == TOK_STAR) {
            step(p);
            step(p);
            name.pos = sql__span(p, name.pos);
            return parse_star(p, name, name.pos);
        }
        step(p);
    }
    name.pos = sql__span(p, name.pos);
    if (p->failed)
        return p->nothing;
    bool quoted = p->tokens[first].kind == TOK_QUOTED;
    if (is_kind(p, TOK_LPAREN) && !(name.count == 1 && !quoted && p->tokens[first].keyword == KW_IN))
        return sql__parse_call(p, name);
    return parse_column(p, name);
}

static Expr *parse_start(Parser *p)
{
    switch (kind_at(p, 0)) {
    case TOK_LPAREN:
        return parse_parenthesis(p);
    case TOK_STAR: {
        SiltPos pos = sql__here(p);
        step(p);
        return parse_star(p, (SqlName){.pos = pos}, pos);
    }
    case TOK_STRING:
    case TOK_INTEGER:
    case TOK_NUMBER:
        return sql__parse_literal(p, false);
    case TOK_QUOTED:
        return kind_at(p, 1) == TOK_ARROW ? parse_lambda(p) : parse_named(p);
    case TOK_WORD:
        break;
    default:
        sql__parse_expected(p, "an expression");
        return p->nothing;
    }
    if (kind_at(p, 1) == TOK_ARROW)
        return parse_lambda(p);
    Expr *expr = sql__parse_literal(p, false);
    if (!expr)
        expr = sql__parse_interval(p);
    if (expr)
        return expr;
    switch (keyword_at(p, 0)) {
    case KW_CASE:
        if (kind_at(p, 1) != TOK_DOT && kind_at(p, 1) != TOK_COMMA && kind_at(p, 1) != TOK_RPAREN)
            return parse_case(p);
        break;
    case KW_CAST:
    case KW_TRY_CAST:
        if (kind_at(p, 1) == TOK_LPAREN)
            return parse_cast(p);
        break;
    default:
        expr = sql__parse_special_call(p);
        if (expr)
            return expr;
    }
    if (!is_column_word(p)) {
        sql__parse_expected(p, "an expression");
        return p->nothing;
    }
    return parse_named(p);
}

/* ---- what follows a primary expression ---- */

/* The path behind `v:`, as text: a.b[0]['x y']. Begins with a name or a bracket. */
static Expr *parse_path(Parser *p, Expr *value)
{
    silt_auto(str_buf_fini) StrBuf path = {0};
    Expr *expr = with_args(p, sql__expr_new(p, EXPR_PATH, value->pos), 1, value, NULL);
    for (bool first = true; !p->failed; first = false) {
        if (accept(p, TOK_LBRACKET)) {
            if (is_kind(p, TOK_INTEGER)) {
                Str index = sql__token_text(p, peek(p, 0));
                step(p);
                str_buf_printf(&path, "[%.*s]", (int)index.size, index.ptr);
            } else if (accept(p, TOK_STAR)) {
                str_buf_puts(&path, "[*]");
            } else {
                const char *key = sql__parse_text(p, "an index or a key in quotes");
                str_buf_printf(&path, strchr(key, '\'') ? "[\"%s\"]" : "['%s']", key);
            }
            sql__expect(p, TOK_RBRACKET, "\"]\"");
        } else if (first || accept(p, TOK_DOT)) {
            bool quoted = is_kind(p, TOK_QUOTED);
            const char *key = sql__parse_name(p, "a field name");
            if (quoted)
                str_buf_printf(&path, strchr(key, '\'') ? "[\"%s\"]" : "['%s']", key);
            else
                str_buf_printf(&path, first ? "%s" : ".%s", key);
        } else {
            break;
        }
    }
    expr->text = arena_strdup(p->arena, str_buf_text(&path));
    return expr;
}

/* One postfix behind value, or NULL when there is none. */
static Expr *parse_postfix(Parser *p, Expr *value)
{
    Expr *expr;
    switch (kind_at(p, 0)) {
    case TOK_LBRACKET:
        step(p);
        expr = with_args(p, sql__expr_new(p, EXPR_SUBSCRIPT, value->pos), 2, value, sql__parse_value(p));
        sql__expect(p, TOK_RBRACKET, "\"]\"");
        break;
    case TOK_DOT:
        step(p);
        expr = with_args(p, sql__expr_new(p, EXPR_FIELD, value->pos), 1, value, NULL);
        expr->text = sql__parse_name(p, "a field name");
        break;
    case TOK_CAST:
        step(p);
        expr = with_args(p, sql__expr_new(p, EXPR_CAST, value->pos), 1, value, NULL);
        expr->op = "::";
        expr->cast_type = sql__parse_any_type(p);
        break;
    case TOK_COLON:
        step(p);
        expr = parse_path(p, value);
        break;
    default:
        if (!is_keyword(p, KW_COLLATE) || !sql__is_name(p, 1))
            return NULL;
        step(p);
        expr = sql__expr_new(p, EXPR_CALL, value->pos);
        expr->name.parts = ARENA_ARRAY(p->arena, const char *, 1);
        expr->name.parts[0] = "collate";
        expr->name.count = 1;
        expr->name.pos = value->pos;
        with_args(p, expr, 2, value, sql__expr_new(p, EXPR_LITERAL, sql__here(p)));
        expr->args[1]->type = type_simple(TYPE_STRING);
        expr->args[1]->literal = str_of(sql__parse_collation(p));
        sql__expr_done(p, expr->args[1]);
    }
    expr->pos = sql__span(p, value->pos);
    sql__expr_done(p, expr);
    return expr;
}

static Expr *parse_postfixes(Parser *p, Expr *value)
{
    for (Expr *next; (next = parse_postfix(p, value)) != NULL;) {
        value = next;
        if (p->failed)
            return p->nothing;
    }
    return value;
}

Expr *sql__parse_primary(Parser *p)
{
    return parse_postfixes(p, parse_start(p));
}

/* ---- operators ---- */

typedef struct Operator {
    const char *text;
    int level; /* higher binds tighter; 0: no operator */
} Operator;

enum { LEVEL_COMPARE = 1, LEVEL_OR, LEVEL_XOR, LEVEL_AND, LEVEL_SHIFT, LEVEL_ADD, LEVEL_MULTIPLY };

static Operator value_operator(const Parser *p)
{
    switch (kind_at(p, 0)) {
    case TOK_EQ:
        return (Operator){"=", LEVEL_COMPARE};
    case TOK_NSEQ:
        return (Operator){"<=>", LEVEL_COMPARE};
    case TOK_NE:
        return (Operator){"<>", LEVEL_COMPARE};
    case TOK_LT:
        return (Operator){"<", LEVEL_COMPARE};
    case TOK_LE:
        return (Operator){"<=", LEVEL_COMPARE};
    case TOK_GT:
        return (Operator){">", LEVEL_COMPARE};
    case TOK_GE:
        return (Operator){">=", LEVEL_COMPARE};
    case TOK_PIPE:
        return (Operator){"|", LEVEL_OR};
    case TOK_HAT:
        return (Operator){"^", LEVEL_XOR};
    case TOK_AMPERSAND:
        return (Operator){"&", LEVEL_AND};
    case TOK_SHIFT_LEFT:
        return (Operator){"<<", LEVEL_SHIFT};
    case TOK_SHIFT_RIGHT:
        return (Operator){">>", LEVEL_SHIFT};
    case TOK_SHIFT_RIGHT_UNSIGNED:
        return (Operator){">>>", LEVEL_SHIFT};
    case TOK_PLUS:
        return (Operator){"+", LEVEL_ADD};
    case TOK_MINUS:
        return (Operator){"-", LEVEL_ADD};
    case TOK_CONCAT:
        return (Operator){"||", LEVEL_ADD};
    case TOK_STAR:
        return (Operator){"*", LEVEL_MULTIPLY};
    case TOK_SLASH:
        return (Operator){"/", LEVEL_MULTIPLY};
    case TOK_PERCENT:
        return (Operator){"%", LEVEL_MULTIPLY};
    default:
        return is_keyword(p, KW_DIV) ? (Operator){"DIV", LEVEL_MULTIPLY} : (Operator){NULL, 0};
    }
}

static Expr *parse_unary(Parser *p)
{
    SiltPos pos = sql__here(p);
    TokenKind kind = kind_at(p, 0);
    if (kind == TOK_MINUS && (kind_at(p, 1) == TOK_INTEGER || kind_at(p, 1) == TOK_NUMBER)) {
        step(p);
        Expr *literal = sql__parse_literal(p, true);
        literal->pos = sql__span(p, pos);
        return parse_postfixes(p, literal);
    }
    if (kind != TOK_MINUS && kind != TOK_PLUS && kind != TOK_TILDE)
        return sql__parse_primary(p);
    Expr *expr = sql__expr_new(p, EXPR_UNARY, pos);
    expr->op = kind == TOK_MINUS ? "-" : kind == TOK_PLUS ? "+" : "~";
    step(p);
    Expr *operand = sql__enter(p) ? parse_unary(p) : p->nothing;
    sql__leave(p);
    with_args(p, expr, 1, operand, NULL);
    expr->pos = sql__span(p, pos);
    sql__expr_done(p, expr);
    return expr;
}

static Expr *parse_level(Parser *p, int level)
{
    Expr *left = parse_unary(p);
    for (;;) {
        Operator op = value_operator(p);
        if (op.level < level || !op.level)
            return left;
        step(p);
        left = binary(p, op.text, left, parse_level(p, op.level + 1));
    }
}

static Expr *parse_comparison(Parser *p)
{
    return parse_level(p, LEVEL_COMPARE);
}

Expr *sql__parse_value(Parser *p)
{
    Expr *value = sql__enter(p) ? parse_comparison(p) : p->nothing;
    sql__leave(p);
    return value;
}

/* ---- predicates ---- */

static Expr *parse_is(Parser *p, Expr *value)
{
    Expr *expr = with_args(p, sql__expr_new(p, EXPR_IS, value->pos), 1, value, NULL);
    expr->negated = accept_keyword(p, KW_NOT);
    static const Keyword words[] = {KW_NULL, KW_TRUE, KW_FALSE, KW_UNKNOWN};
    for (int i = 0; i < 4 && !expr->op; i++) {
        if (accept_keyword(p, words[i]))
            expr->op = sql__keyword_text(words[i]);
    }
    if (expr->op)
        return expr;
    if (!accept_keyword(p, KW_DISTINCT)) {
        sql__parse_expected(p, "NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM");
        return p->nothing;
    }
    sql__expect_keyword(p, KW_FROM);
    expr->op = "DISTINCT";
    return with_args(p, expr, 2, value, parse_comparison(p));
}

static Expr *parse_in(Parser *p, Expr *value)
{
    Expr *expr = sql__expr_new(p, EXPR_IN, value->pos);
    int open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\" behind IN");
    if (sql__query_ahead(p, 0)) {
        with_args(p, expr, 1, value, NULL);
        expr->query = sql__parse_query_text(p);
    } else {
        int capacity = 0;
        ARENA_PUSH(p->arena, expr->args, expr->arg_count, capacity, value);
        do {
            Expr *item = sql__parse_expression(p);
            ARENA_PUSH(p->arena, expr->args, expr->arg_count, capacity, item);
        } while (accept(p, TOK_COMMA));
    }
    sql__expect_close(p, open);
    return expr;
}

static Expr *parse_like(Parser *p, Expr *value, const char *op)
{
    Expr *expr = sql__expr_new(p, EXPR_LIKE, value->pos);
    expr->op = op;
    if (strcmp(op, "RLIKE") && kind_at(p, 1) == TOK_LPAREN && (is_keyword(p, KW_ANY) || is_keyword(p, KW_SOME) || is_keyword(p, KW_ALL))) {
        expr->quantifier = is_keyword(p, KW_ALL) ? "ALL" : "ANY";
        step(p);
        int open = p->at, capacity = 0;
        step(p);
        ARENA_PUSH(p->arena, expr->args, expr->arg_count, capacity, value);
        do {
            Expr *item = sql__parse_expression(p);
            ARENA_PUSH(p->arena, expr->args, expr->arg_count, capacity, item);
        } while (accept(p, TOK_COMMA));
        sql__expect_close(p, open);
        return expr;
    }
    with_args(p, expr, 2, value, parse_comparison(p));
    if (strcmp(op, "RLIKE") && accept_keyword(p, KW_ESCAPE)) {
        SiltPos pos = sql__here(p);
        if (!is_kind(p, TOK_STRING)) {
            sql__parse_expected(p, "a string of one character");
            return p->nothing;
        }
        expr->escape = sql__parse_literal(p, false);
        Str text = expr->escape->literal;
        if (!text.size || (size_t)utf8_length(text.ptr, text.ptr + text.size) != text.size)
            sql__parse_fail(p, pos, "INVALID_ESCAPE_CHAR", "ESCAPE must be a string of one character");
    }
    return expr;
}

/* valueExpression predicate? */
static Expr *parse_predicate(Parser *p)
{
    Expr *value = parse_comparison(p), *expr = NULL;
    Keyword word = keyword_at(p, 0);
    bool negated = false;
    if (word == KW_NOT) {
        word = keyword_at(p, 1);
        negated = word == KW_BETWEEN || word == KW_IN || word == KW_LIKE || word == KW_ILIKE || word == KW_RLIKE || word == KW_REGEXP;
        if (!negated)
            return value;
        step(p);
    }
    switch (word) {
    case KW_IS:
        step(p);
        expr = parse_is(p, value);
        break;
    case KW_BETWEEN:
        step(p);
        expr = sql__expr_new(p, EXPR_BETWEEN, value->pos);
        with_args(p, expr, 3, value, parse_comparison(p));
        sql__expect_keyword(p, KW_AND);
        expr->args[2] = parse_comparison(p);
        break;
    case KW_IN:
        step(p);
        expr = parse_in(p, value);
        break;
    case KW_LIKE:
    case KW_ILIKE:
        step(p);
        expr = parse_like(p, value, sql__keyword_text(word));
        break;
    case KW_RLIKE:
    case KW_REGEXP:
        step(p);
        expr = parse_like(p, value, "RLIKE");
        break;
    default:
        return value;
    }
    if (p->failed)
        return p->nothing;
    expr->negated |= negated;
    expr->pos = sql__span(p, value->pos);
    sql__expr_done(p, expr);
    if (value_operator(p).level && !p->failed) { /* a IS NULL = b */
        sql__parse_expected(p, "AND, OR or the end of the condition");
        silt_hint(&p->err, "Put the condition before it in parentheses to go on with it as a value.");
    }
    return expr;
}

/* ---- NOT, AND, OR ---- */

static Expr *parse_not(Parser *p)
{
    SiltPos pos = sql__here(p);
    bool bang = is_kind(p, TOK_BANG);
    if (!bang && (!is_keyword(p, KW_NOT) || kind_at(p, 1) == TOK_COMMA)) {
        if (is_keyword(p, KW_EXISTS) && kind_at(p, 1) == TOK_LPAREN && sql__query_ahead(p, 2)) {
            step(p);
            return parse_subquery(p, EXPR_EXISTS, pos);
        }
        return parse_predicate(p);
    }
    step(p);
    Expr *operand = sql__enter(p) ? parse_not(p) : p->nothing;
    sql__leave(p);
    if (operand->kind == EXPR_EXISTS && !operand->negated && operand != p->nothing) {
        operand->negated = true;
        operand->pos = sql__span(p, pos);
        return operand;
    }
    Expr *expr = with_args(p, sql__expr_new(p, EXPR_UNARY, pos), 1, operand, NULL);
    expr->op = "NOT";
    expr->pos = sql__span(p, pos);
    sql__expr_done(p, expr);
    return expr;
}

/* As Spark does, so that long chains stay shallow and short ones come out the same. */
static Expr *balance(Parser *p, const char *op, Expr **terms, int low, int high)
{
    if (low == high)
        return terms[low];
    int middle = low + (high - low) / 2;
    Expr *left = balance(p, op, terms, low, middle), *right = balance(p, op, terms, middle + 1, high);
    Expr *expr = with_args(p, sql__expr_new(p, EXPR_BINARY, left->pos), 2, left, right);
    expr->op = op;
    if (right->pos.line == left->pos.line)
        expr->pos.length = right->pos.column + right->pos.length - left->pos.column;
    sql__expr_done(p, expr);
    return expr;
}

static Expr *parse_chain(Parser *p, Keyword word, Expr *(*parse_term)(Parser *p))
{
    Expr *first = parse_term(p);
    if (!is_keyword(p, word))
        return first;
    Expr **terms = NULL;
    int count = 0, capacity = 0;
    ARENA_PUSH(p->arena, terms, count, capacity, first);
    while (accept_keyword(p, word)) {
        Expr *term = parse_term(p);
        ARENA_PUSH(p->arena, terms, count, capacity, term);
    }
    return balance(p, sql__keyword_text(word), terms, 0, count - 1);
}

static Expr *parse_and(Parser *p)
{
    return parse_chain(p, KW_AND, parse_not);
}

Expr *sql__parse_expression(Parser *p)
{
    if (!sql__enter(p)) {
        sql__leave(p);
        return p->nothing;
    }
    Expr *expr = parse_chain(p, KW_OR, parse_and);
    sql__leave(p);
    return p->failed ? p->nothing : expr;
}
