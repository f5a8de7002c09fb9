#pragma once
/* plan/describe.h - the operators of a query as text, the last one first, each above what it reads */
#include "sql/sql.h"

/*
 * What a relation of the query is. One of three answers: text of a data source ("Stream  read_files('in')"), which may have further lines; a view
 * whose query (as parsed) stands below it; or neither, for a name that the query itself defines (WITH).
 */
typedef struct PlanLeaf {
    const char *text;
    const Query *view;
} PlanLeaf;

typedef struct PlanDescription {
    void *self;
    PlanLeaf (*leaf)(void *self, const Relation *relation); /* REL_TABLE, and REL_FUNCTION that reads data */
} PlanDescription;

/*
 * Describe a query as it was parsed (not analyzed: then it reads as the user wrote it). Each line begins with `indent` blanks and two more for each
 * level, and ends with a newline:
 *
 *   Project  item, sum(quantity) AS pieces
 *     Aggregate  by item
 *       Filter  quantity > 0
 *         Scan  orders
 */
void plan_describe(StrBuf *out, const Query *query, const PlanDescription *description, int indent);

/* An expression as in these lines: plain names without quotes. Long ones are cut. */
void plan_describe_expr(StrBuf *out, const Expr *expr);
