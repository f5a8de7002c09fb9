#pragma once
/*
 * sql/parser.h - shared by the files of the parser; start reading at parser.c
 *
 * A hand-written recursive descent, precedence climbing in expressions. Errors stick:
 *
 *   P1  After the first failure the parser stands at TOK_END for good, every accept is false, and functions still return
 *       nodes (meaningless ones). So no caller checks for failure in between; whoever started the parse does, once.
 *   P2  Every node returned is non-NULL, in the parser's arena, with its position.
 *   P3  No input nests the C stack deeper than NESTING_MAX levels of expressions, queries, relations and types, nor makes a
 *       tree that is deeper.
 */
#include "sql/lexer.h"
#include "sql/sql.h"

enum { NESTING_MAX = 400, GROUPING_SETS_MAX = 4096 };

typedef struct Parser {
    Arena *arena;
    const char *file;
    const Lexed *lexed;
    const Token *tokens;
    int at;      /* index of the current token */
    int stop;    /* index of the token that ends the statement: SEMICOLON or END */
    int depth;
    int hint_at; /* next of lexed->hints to be told of */
    Relation **file_source; /* not NULL: 'path' may stand where a table may, once (COPY INTO), and is put there */
    bool failed;
    SiltErr err; /* the first failure */
    Expr *nothing; /* handed out after a failure */
} Parser;

/* ---- looking: parser.c ---- */
static inline const Token *peek(const Parser *p, int ahead)
{
    return &p->tokens[p->at + ahead < p->stop ? p->at + ahead : p->stop];
}

static inline TokenKind kind_at(const Parser *p, int ahead)
{
    TokenKind kind = peek(p, ahead)->kind;
    return kind == TOK_SEMICOLON ? TOK_END : kind;
}

static inline Keyword keyword_at(const Parser *p, int ahead)
{
    return p->at + ahead < p->stop ? (Keyword)p->tokens[p->at + ahead].keyword : KW_NONE;
}

static inline bool is_keyword(const Parser *p, Keyword keyword)
{
    return keyword_at(p, 0) == keyword;
}

static inline bool is_kind(const Parser *p, TokenKind kind)
{
    return kind_at(p, 0) == kind;
}

static inline void step(Parser *p)
{
    if (p->at < p->stop)
        p->at++;
}

static inline bool accept(Parser *p, TokenKind kind)
{
    if (!is_kind(p, kind) || kind == TOK_END)
        return false;
    step(p);
    return true;
}

static inline bool accept_keyword(Parser *p, Keyword keyword)
{
    if (!is_keyword(p, keyword))
        return false;
    step(p);
    return true;
}

/* Both words in a row, or none. */
static inline bool accept_keywords(Parser *p, Keyword first, Keyword second)
{
    if (!is_keyword(p, first) || keyword_at(p, 1) != second)
        return false;
    step(p);
    step(p);
    return true;
}

/* Is the word `ahead` tokens on this one, in any case? For words that are no keywords anywhere else. */
bool sql__is_word(const Parser *p, int ahead, const char *word);

/* ---- failing: parser.c ---- */
/* At the current token: found "x", expected <what>. Adds a hint when it sees a likely slip. */
void sql__parse_expected(Parser *p, const char *fmt, ...) SILT_PRINTF(2, 3);
/* Any other fault, at a position; code NULL: PARSE_SYNTAX_ERROR. Returns true if this is the first failure, so that a hint may follow. */
bool sql__parse_fail(Parser *p, SiltPos pos, const char *code, const char *fmt, ...) SILT_PRINTF(4, 5);
/* Known, but not done here: at pos, with a hint. */
void sql__parse_refuse(Parser *p, SiltPos pos, const char *what, const char *hint);
/* The token or a failure. */
void sql__expect(Parser *p, TokenKind kind, const char *what);
void sql__expect_keyword(Parser *p, Keyword keyword);
/* The parenthesis that closes the one at tokens[open]. */
void sql__expect_close(Parser *p, int open);

Str sql__token_text(const Parser *p, const Token *token);
SiltPos sql__token_pos(const Parser *p, const Token *token);
SiltPos sql__here(const Parser *p);
/* From `from` to the token before the current one. */
SiltPos sql__span(const Parser *p, SiltPos from);
/* Bytes from tokens[first] to the token before the current one. */
Str sql__source(const Parser *p, int first);

/* ---- names, strings: parser.c ---- */
bool sql__is_name(const Parser *p, int ahead); /* a word or a quoted name */
const char *sql__parse_name(Parser *p, const char *what);
SqlName sql__parse_qualified(Parser *p, const char *what);
/* (a, b, c) */
int sql__parse_name_list(Parser *p, const char *what, const char ***out);
/* The same with the position of each. */
int sql__parse_placed_names(Parser *p, const char *what, const char ***out, SiltPos **positions);
/* One or more adjacent string literals. */
Str sql__parse_string(Parser *p, const char *what);
/* The same where no NUL may be inside. */
const char *sql__parse_text(Parser *p, const char *what);
/* 'k' = 'v', k.l = 3, ... in parentheses */
int sql__parse_options(Parser *p, SqlOption **out);
/* May the word at the current token be an alias without AS? Words that begin the next clause may not. */
bool sql__may_be_alias(const Parser *p, bool of_table);

/* ---- nodes ---- */
Expr *sql__expr_new(Parser *p, ExprKind kind, SiltPos pos);
/* Count the height of a node whose children are set; fails when too high. */
void sql__expr_done(Parser *p, Expr *expr);
void sql__query_done(Parser *p, Query *query);
bool sql__enter(Parser *p); /* false: too deep, failed */
void sql__leave(Parser *p);

/* ---- the grammar ---- */
Expr *sql__parse_expression(Parser *p);
Expr *sql__parse_value(Parser *p); /* valueExpression: no predicate, no AND, OR, NOT */
Expr *sql__parse_primary(Parser *p);
Expr *sql__parse_literal(Parser *p, bool negative); /* parser_literal.c: NULL when no literal stands here */
Expr *sql__parse_interval(Parser *p);               /* INTERVAL ..; NULL when none stands here */
Expr *sql__parse_call(Parser *p, SqlName name);     /* parser_call.c: at its parenthesis */
Expr *sql__parse_special_call(Parser *p);           /* EXTRACT(..), TRIM(..), ...; NULL when none stands here */
int sql__parse_expressions(Parser *p, Expr ***out); /* one or more, comma separated */
int sql__parse_sort_items(Parser *p, SortItem **out);
WindowSpec *sql__parse_window(Parser *p);
const Type *sql__parse_type(Parser *p);
/* The same, of a cast: strings may have any collation. */
const Type *sql__parse_any_type(Parser *p);
/* The name of a collation, without SYSTEM.BUILTIN; with dots if it has another qualifier, which no collation has. */
const char *sql__parse_collation(Parser *p);
Query *sql__parse_query_text(Parser *p);
bool sql__query_ahead(const Parser *p, int ahead); /* a query begins `ahead` tokens on */
Relation *sql__parse_from(Parser *p);              /* behind FROM */
Relation *sql__parse_relation(Parser *p);
Relation *sql__parse_values(Parser *p);            /* at VALUES, alias included */
Relation *sql__parse_join(Parser *p, Relation *left); /* one JOIN, PIVOT or UNPIVOT; left itself when none stands here */
Query *sql__query_new(Parser *p, QueryKind kind, SiltPos pos);
int sql__parse_items(Parser *p, SelectItem **out); /* parser_query.c: expressions with their aliases */
void sql__parse_group_by(Parser *p, Query *query); /* behind GROUP BY */
void sql__parse_windows(Parser *p, Query *query);  /* WINDOW .., if it stands here */
void sql__parse_quantifier(Parser *p, Query *query); /* DISTINCT or ALL behind SELECT */
void sql__parse_organization(Parser *p, Query *query); /* ORDER BY .. OFFSET */
bool sql__at_organization(const Parser *p);
Query *sql__parse_primary_query(Parser *p);
Query *sql__shield(Parser *p, Query *query);       /* as the operand of another query */
/* parser_pivot.c: NULL when none stands here */
Sample *sql__parse_sample(Parser *p);
Relation *sql__parse_pivot(Parser *p, Relation *left);
Query *sql__parse_pipe(Parser *p, Query *left);    /* parser_pipe.c: at |> */
/* IDENTIFIER('text'), if it stands here: the name that the text spells. */
bool sql__parse_identifier(Parser *p, SqlName *out);
Statement *sql__parse_statement_text(Parser *p);
Relation *sql__parse_file_source(Parser *p);       /* 'path', as read_files('path') */
Statement *sql__parse_copy(Parser *p, Statement *statement); /* parser_copy.c: at COPY INTO */
Statement *sql__parse_insert(Parser *p, Statement *statement); /* parser_table.c: at INSERT INTO or INSERT OVERWRITE */
Statement *sql__parse_alter(Parser *p, Statement *statement);  /* at ALTER TABLE */
ColumnDef sql__parse_column(Parser *p, bool typed);            /* name [type] [NOT NULL] [COMMENT '..'] .. */
/* parser_session.c: behind CREATE .. FUNCTION; DECLARE; behind SET VARIABLE; at DROP [TEMPORARY] FUNCTION or VARIABLE; EXECUTE IMMEDIATE */
Statement *sql__parse_function(Parser *p, Statement *statement, SiltPos create);
Statement *sql__parse_declare(Parser *p, Statement *statement);
Statement *sql__parse_set_variable(Parser *p, Statement *statement);
Statement *sql__parse_drop(Parser *p, Statement *statement);
Statement *sql__parse_execute(Parser *p, Statement *statement);
/* parser_statement.c: a statement that is not taken apart, known by its first words; one whose first words are known already. */
Statement *sql__parse_verb(Parser *p, Statement *statement);
Statement *sql__parse_other(Parser *p, Statement *statement, SiltPos pos, const char *what);
bool sql__accept_if_not_exists(Parser *p);
