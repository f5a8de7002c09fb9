#pragma once
/* plan/walk.h - visit every query, relation and expression of a syntax tree */
#include "sql/ast.h"

/*
 * Any member may be NULL. Called before the children; false from query or relation: leave its children out. Subqueries inside of
 * expressions are visited too. A tree may be analyzed or not; opened views are not entered.
 */
typedef struct WalkVisitor {
    void *self;
    bool (*query)(void *self, Query *query);
    void (*query_end)(void *self, Query *query); /* after its children, also when they were left out */
    bool (*relation)(void *self, Relation *relation);
    bool (*expr)(void *self, Expr *expr);
} WalkVisitor;

void walk_query(const WalkVisitor *visitor, Query *query); /* NULL allowed */
void walk_relation(const WalkVisitor *visitor, Relation *relation);
void walk_expr(const WalkVisitor *visitor, Expr *expr);
