/*
 * sql/parser_session.c - what a session defines: SQL functions and variables; EXECUTE IMMEDIATE
 *
 * The grammar is Spark's: CREATE FUNCTION .. RETURN, DECLARE, SET VARIABLE, DROP TEMPORARY FUNCTION and VARIABLE.
 */
#include "sql/parser.h"

#include <string.h>

/* ---- CREATE FUNCTION ---- */

static bool accept_word(Parser *p, const char *word)
{
    if (!sql__is_word(p, 0, word))
        return false;
    step(p);
    return true;
}

static void expect_word(Parser *p, const char *word)
{
    if (!accept_word(p, word))
        sql__parse_expected(p, "%s", word);
}

static Parameter parse_parameter(Parser *p)
{
    Parameter parameter = {.pos = sql__here(p)};
    parameter.name = sql__parse_name(p, "the name of a parameter");
    parameter.pos = sql__span(p, parameter.pos);
    parameter.type = sql__parse_type(p);
    for (;;) {
        SiltPos pos = sql__here(p);
        if (is_keyword(p, KW_NOT) && keyword_at(p, 1) == KW_NULL)
            sql__parse_fail(p, pos, "USER_DEFINED_FUNCTIONS.NOT_NULL_ON_FUNCTION_PARAMETERS", "a parameter of a function cannot be NOT NULL");
        else if (is_keyword(p, KW_GENERATED))
            sql__parse_fail(p, pos, "INVALID_SQL_SYNTAX.CREATE_FUNC_WITH_GENERATED_COLUMNS_AS_PARAMETERS", "a parameter of a function cannot be GENERATED");
        else if (!parameter.fallback && accept_keyword(p, KW_DEFAULT))
            parameter.fallback = sql__parse_expression(p);
        else if (!parameter.comment && accept_keyword(p, KW_COMMENT))
            parameter.comment = sql__parse_text(p, "a comment in quotes");
        else
            return parameter;
    }
}

static void parse_parameters(Parser *p, Routine *routine)
{
    int open = p->at, capacity = 0;
    step(p);
    while (!is_kind(p, TOK_RPAREN) && !p->failed) {
        Parameter parameter = parse_parameter(p);
        ARENA_PUSH(p->arena, routine->parameters, routine->parameter_count, capacity, parameter);
        if (!accept(p, TOK_COMMA))
            break;
        if (is_kind(p, TOK_RPAREN))
            sql__parse_expected(p, "a parameter behind the comma");
    }
    sql__expect_close(p, open);
}

/* TABLE (column type [COMMENT ..], ..), TABLE alone; behind RETURNS */
static void parse_result_columns(Parser *p, Statement *s)
{
    int open = p->at, capacity = 0;
    step(p);
    do {
        ColumnDef column = {.pos = sql__here(p)};
        column.name = sql__parse_name(p, "a column name");
        column.pos = sql__span(p, column.pos);
        column.type = sql__parse_type(p);
        if (is_keyword(p, KW_NOT) && keyword_at(p, 1) == KW_NULL)
            sql__parse_fail(p, sql__here(p), "USER_DEFINED_FUNCTIONS.NOT_NULL_ON_FUNCTION_PARAMETERS", "a column of a function's result cannot be NOT NULL");
        if (accept_keyword(p, KW_COMMENT))
            column.comment = sql__parse_text(p, "a comment in quotes");
        ARENA_PUSH(p->arena, s->columns, s->column_count, capacity, column);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
}

static void parse_returns(Parser *p, Statement *s)
{
    Routine *routine = s->routine;
    routine->is_table = accept_keyword(p, KW_TABLE);
    if (routine->is_table && is_kind(p, TOK_LPAREN))
        parse_result_columns(p, s);
    else if (!routine->is_table)
        routine->returns = sql__parse_type(p);
}

/* One characteristic of a function, or false. */
static bool parse_characteristic(Parser *p, Statement *s)
{
    Routine *routine = s->routine;
    if (accept_word(p, "LANGUAGE")) {
        SiltPos pos = sql__here(p);
        if (!str_is_nocase(str_of(sql__parse_name(p, "SQL")), "SQL"))
            sql__parse_refuse(p, pos, "a function in another language than SQL", "Write its body as an SQL expression: RETURN x + 1.");
    } else if (!routine->determinism_given && (sql__is_word(p, 0, "DETERMINISTIC") || (is_keyword(p, KW_NOT) && sql__is_word(p, 1, "DETERMINISTIC")))) {
        routine->determinism_given = true;
        routine->deterministic = !accept_keyword(p, KW_NOT);
        step(p);
    } else if (!routine->data_access && accept_word(p, "CONTAINS")) {
        expect_word(p, "SQL");
        routine->data_access = "CONTAINS SQL";
    } else if (!routine->data_access && accept_word(p, "READS")) {
        expect_word(p, "SQL");
        expect_word(p, "DATA");
        routine->data_access = "READS SQL DATA";
    } else if (!s->comment && accept_keyword(p, KW_COMMENT)) {
        s->comment = sql__parse_text(p, "a comment in quotes");
    } else {
        return false;
    }
    return !p->failed;
}

static void parse_body(Parser *p, Statement *s)
{
    Routine *routine = s->routine;
    SiltPos pos = sql__here(p);
    if (routine->is_table) {
        if (!sql__query_ahead(p, 0))
            sql__parse_fail(p, pos, "USER_DEFINED_FUNCTIONS.SQL_TABLE_UDF_BODY_MUST_BE_A_QUERY", "the body of a table function is a query: RETURN SELECT ..");
        s->query = sql__parse_query_text(p);
    } else if (is_kind(p, TOK_LPAREN) || !sql__query_ahead(p, 0)) {
        routine->body = sql__parse_expression(p);
    } else {
        Expr *body = sql__expr_new(p, EXPR_SUBQUERY, pos);
        body->query = sql__parse_query_text(p);
        body->pos = sql__span(p, pos);
        sql__expr_done(p, body);
        routine->body = body;
    }
}

static void check_function(Parser *p, const Statement *s)
{
    if (s->or_replace && s->if_not_exists)
        sql__parse_fail(p, s->name.pos, "INVALID_SQL_SYNTAX.CREATE_ROUTINE_WITH_IF_NOT_EXISTS_AND_REPLACE", "OR REPLACE and IF NOT EXISTS cannot both be given");
    if (s->temporary && s->if_not_exists)
        sql__parse_fail(p, s->name.pos, "INVALID_SQL_SYNTAX.CREATE_TEMP_FUNC_WITH_IF_NOT_EXISTS", "a temporary function cannot be made IF NOT EXISTS: write OR REPLACE");
    if (s->temporary && s->name.count > 1)
        sql__parse_fail(p, s->name.pos, "INVALID_SQL_SYNTAX.CREATE_TEMP_FUNC_WITH_DATABASE", "a temporary function has a single name, without schema");
}

Statement *sql__parse_function(Parser *p, Statement *s, SiltPos create)
{
    s->if_not_exists = sql__accept_if_not_exists(p);
    s->name = sql__parse_qualified(p, "the name of the function");
    if (is_keyword(p, KW_AS))
        sql__parse_refuse(p, sql__span(p, create), "a function that is a class (CREATE FUNCTION .. AS 'class')", "Write its body in SQL: CREATE TEMPORARY FUNCTION f(x INT) RETURN x + 1.");
    s->kind = STMT_CREATE_FUNCTION;
    s->routine = ARENA_NEW(p->arena, Routine);
    check_function(p, s);
    if (is_kind(p, TOK_LPAREN))
        parse_parameters(p, s->routine);
    else
        sql__parse_expected(p, "\"(\" and the parameters, as in f(x INT)");
    if (accept_word(p, "RETURNS"))
        parse_returns(p, s);
    while (parse_characteristic(p, s))
        ;
    if (!accept_word(p, "RETURN")) {
        sql__parse_expected(p, "RETURN and an expression, or RETURNS, LANGUAGE SQL, DETERMINISTIC, CONTAINS SQL, READS SQL DATA, COMMENT");
        return s;
    }
    parse_body(p, s);
    return s;
}

/* ---- variables ---- */

static bool accept_variable_word(Parser *p)
{
    return accept_word(p, "VARIABLE") || accept_word(p, "VAR");
}

static void push_name(Parser *p, VariableList *list, int *capacity)
{
    SqlName name = sql__parse_qualified(p, "the name of a variable");
    ARENA_PUSH(p->arena, list->names, list->name_count, *capacity, name);
}

/* An expression, or DEFAULT alone */
static Expr *parse_assigned(Parser *p)
{
    TokenKind next = kind_at(p, 1);
    if (!is_keyword(p, KW_DEFAULT) || (next != TOK_END && next != TOK_COMMA))
        return sql__parse_expression(p);
    Expr *expr = sql__expr_new(p, EXPR_PARAM_DEFAULT, sql__here(p));
    step(p);
    sql__expr_done(p, expr);
    return expr;
}

static void one_value(Parser *p, VariableList *list, Expr *value)
{
    list->values = ARENA_ARRAY(p->arena, Expr *, 1);
    list->values[0] = value;
    list->value_count = 1;
}

static VariableList *new_list(Parser *p, Statement *s, StatementKind kind)
{
    s->kind = kind;
    s->variables = ARENA_NEW(p->arena, VariableList);
    return s->variables;
}

Statement *sql__parse_declare(Parser *p, Statement *s)
{
    VariableList *list = new_list(p, s, STMT_DECLARE_VARIABLE);
    int capacity = 0;
    step(p);
    s->or_replace = accept_keywords(p, KW_OR, KW_REPLACE);
    if (sql__is_name(p, 1))
        accept_variable_word(p);
    do
        push_name(p, list, &capacity);
    while (accept(p, TOK_COMMA));
    if (!is_kind(p, TOK_END) && !is_kind(p, TOK_EQ) && !is_keyword(p, KW_DEFAULT))
        list->type = sql__parse_type(p);
    if (accept_keyword(p, KW_DEFAULT) || accept(p, TOK_EQ))
        one_value(p, list, sql__parse_expression(p));
    if (!list->type && !list->value_count)
        sql__parse_fail(p, list->names[0].pos, "INVALID_SQL_SYNTAX.VARIABLE_TYPE_OR_DEFAULT_REQUIRED", "a variable needs a type, a DEFAULT, or both");
    return s;
}

Statement *sql__parse_set_variable(Parser *p, Statement *s)
{
    VariableList *list = new_list(p, s, STMT_SET_VARIABLE);
    int capacity = 0, value_capacity = 0, open = p->at;
    if (accept(p, TOK_LPAREN)) {
        do
            push_name(p, list, &capacity);
        while (accept(p, TOK_COMMA));
        sql__expect_close(p, open);
        sql__expect(p, TOK_EQ, "\"=\" and a query in parentheses");
        open = p->at;
        sql__expect(p, TOK_LPAREN, "\"(\" and a query");
        s->query = sql__parse_query_text(p);
        sql__expect_close(p, open);
        return s;
    }
    do {
        push_name(p, list, &capacity);
        sql__expect(p, TOK_EQ, "\"=\" and a value");
        ARENA_PUSH(p->arena, list->values, list->value_count, value_capacity, parse_assigned(p));
    } while (accept(p, TOK_COMMA));
    return s;
}

static bool accept_if_exists(Parser *p)
{
    return accept_keywords(p, KW_IF, KW_EXISTS);
}

Statement *sql__parse_drop(Parser *p, Statement *s)
{
    int temporary = keyword_at(p, 1) == KW_TEMPORARY || keyword_at(p, 1) == KW_TEMP;
    bool function = keyword_at(p, 1 + temporary) == KW_FUNCTION;
    bool variable = sql__is_word(p, 1 + temporary, "VARIABLE") || sql__is_word(p, 1 + temporary, "VAR");
    if (!function && !variable)
        return sql__parse_verb(p, s);
    p->at += 2 + temporary;
    s->temporary = temporary;
    s->if_exists = accept_if_exists(p);
    if (function) {
        s->kind = STMT_DROP_FUNCTION;
        s->name = sql__parse_qualified(p, "the name of a function");
    } else {
        int capacity = 0;
        VariableList *list = new_list(p, s, STMT_DROP_VARIABLE);
        push_name(p, list, &capacity);
    }
    return s;
}

Statement *sql__parse_execute(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);
    if (!sql__is_word(p, 1, "IMMEDIATE"))
        return sql__parse_verb(p, s);
    step(p);
    step(p);
    VariableList *list = new_list(p, s, STMT_EXECUTE);
    int capacity = 0;
    one_value(p, list, sql__parse_expression(p));
    if (accept_keyword(p, KW_INTO)) {
        do
            push_name(p, list, &capacity);
        while (accept(p, TOK_COMMA));
    }
    if (is_keyword(p, KW_USING))
        sql__parse_refuse(p, sql__span(p, pos), "EXECUTE IMMEDIATE .. USING", "Put the values into session variables and name these in the text.");
    return s;
}
