#pragma once
/* sql/constant.h - the value of an analyzed expression that must be known while a query is read; private to this folder */
#include "sql/analyze.h"

typedef enum ConstantKind {
    CONSTANT_UNKNOWN, /* no constant, or of a type that is not told here */
    CONSTANT_FAILS,   /* code: Spark's class of the failure */
    CONSTANT_NULL,
    CONSTANT_WHOLE,
    CONSTANT_NUMBER,
    CONSTANT_TRUTH, /* in whole */
    CONSTANT_TEXT,
    CONSTANT_BYTES, /* of a BINARY, in text */
} ConstantKind;

typedef struct Constant {
    ConstantKind kind;
    int64_t whole;
    double number; /* of a DECIMAL the nearest */
    Str text;      /* in the tree, or in the analyzer's arena */
    const char *code;
} Constant;

/*
 * Literals are read off the tree. Whatever else is constant, and asks no clock, is computed by the database as it would be in the query: the first
 * such expression of an analysis opens an engine of its own, some 10 ms.
 */
Constant sql__constant(Analyzer *a, const Expr *expr);
