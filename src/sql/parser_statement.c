/* sql/parser_statement.c - statements */
#include "sql/parser.h"

Statement *sql__parse_statement_text(Parser *p)
{
    Statement *statement = ARENA_NEW(p->arena, Statement);
    statement->pos = sql__here(p);
    statement->kind = STMT_QUERY;
    statement->query = sql__parse_query_text(p);
    return statement;
}
