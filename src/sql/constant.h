#pragma once
/* sql/constant.h - the value of an analyzed expression that must be known while a query is read; private to this folder */
#include "sql/ast.h"

typedef enum ConstantKind {
    CONSTANT_UNKNOWN, /* not computed here: the database would know */
    CONSTANT_FAILS,   /* code: Spark's class of the failure */
    CONSTANT_NULL,
    CONSTANT_WHOLE,
    CONSTANT_NUMBER,
    CONSTANT_TRUTH, /* in whole */
    CONSTANT_TEXT,
} ConstantKind;

typedef struct Constant {
    ConstantKind kind;
    int64_t whole;
    double number;
    Str text; /* borrowed from the tree */
    const char *code;
} Constant;

/*
 * Literals, casts among numbers and text, + - * / DIV %, comparisons, AND OR NOT, CASE, if, coalesce, abs, greatest, least, length, and size of array(..). What is
 * computed is what Spark computes; numbers with a fraction are only exact as far as a DOUBLE is.
 */
Constant sql__constant(const Expr *expr);
