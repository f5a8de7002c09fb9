#pragma once
/* sql/sql.h - parse, analyze, print: the whole of this folder from outside */
#include "duck/chunk.h"
#include "sql/ast.h"
#include "sql/catalog.h"

/* Several errors in one go: grows in an arena. */
typedef struct SqlErrors {
    Arena *arena;
    SiltErr *items;
    int count, capacity;
} SqlErrors;
void sql_errors_add(SqlErrors *errors, const SiltErr *err);

/*
 * Parse a file of statements parted by ';'. file names it in positions (copied). A statement with an error is recorded in
 * errors and skipped up to its semicolon, so that all errors are found. 0 also with errors; < 0 only if nothing can be said.
 * text must live as long as arena.
 */
int sql_parse_file(Arena *arena, const char *file, Str text, Statement ***statements, int *count, SqlErrors *errors);
/* One statement, one query, one expression; trailing text is an error. */
int sql_parse_statement(Arena *arena, const char *file, Str text, Statement **out, SiltErr *err);
/* A fresh tree of a statement, for those who annotate it: the same positions, its text copied into arena. */
int sql_parse_again(Arena *arena, const Statement *statement, Statement **out, SiltErr *err);
int sql_parse_query(Arena *arena, const char *file, Str text, Query **out, SiltErr *err);
int sql_parse_expr(Arena *arena, const char *file, Str text, Expr **out, SiltErr *err);

/* Resolve names and types in place, put in Spark's casts. All errors found are added to errors; 0 or < 0 (count > 0). */
int sql_analyze_query(Arena *arena, Query *query, const SqlCatalog *catalog, const SqlSettings *settings, SqlErrors *errors);
/* A CREATE FUNCTION statement, a fresh tree: its parameters, and its body where nothing is known of the arguments but their types. 0, or -1 with errors. */
int sql_check_function(Arena *arena, const Statement *function, const SqlCatalog *catalog, const SqlSettings *settings, SqlErrors *errors);
/* An expression over given columns (expectations): names resolve to these. catalog: for functions and tables of subqueries; NULL: none. */
int sql_analyze_expr(Arena *arena, Expr *expr, const char *const *names, const Type *const *types, const bool *nullable, int count,
                     const SqlCatalog *catalog, const SqlSettings *settings, SqlErrors *errors);

typedef struct SqlPrintOptions {
    /* FROM text of a data relation with columns c1..cn (hidden ones too): "silt_input(3)" or "(SELECT ... )". Lives as long as the print. */
    const char *(*relation_sql)(void *self, const SqlRelation *relation);
    void *self;
    /* Behind c1..cn also silt_source and silt_position of the one relation's rows (duck/session.h); needs sql_query_has_origin(). */
    bool origins;
    /* Leave out rows with a value that a function may set aside, which the session is told (duck_session_set_aside). With origins; see sql_query_sets_aside(). */
    bool set_aside;
} SqlPrintOptions;

/*
 * Does each row of the query come from one row of one data relation, which can be told by printing with `origins`? So it is for
 * filters and projections, through views and subqueries in FROM; not for joins, generators, aggregation and set operations.
 */
bool sql_query_has_origin(const Query *query);
/* Would printing such a query with set_aside leave out rows? So it is where from_avro asks a registry in a select list, whatever the row holds, and no mode is given. */
bool sql_query_sets_aside(const Query *query);

/* DuckDB text of an analyzed query; its output columns are c1..cn in order, with exactly the types that analysis computed. */
void sql_print_duck_query(StrBuf *out, const Query *query, const SqlPrintOptions *options);
/* DuckDB text of an analyzed expression over columns printed as <prefix>c1.. */
void sql_print_duck_expr(StrBuf *out, const Expr *expr, const char *prefix);
/* Spark SQL text of a tree as parsed (analyzed or not): parses again to the same tree. */
void sql_print_spark_query(StrBuf *out, const Query *query);
void sql_print_spark_expr(StrBuf *out, const Expr *expr);
void sql_print_spark_statement(StrBuf *out, const Statement *statement); /* the text itself for statements that write tables, and STMT_OTHER */

/* Where these words and whole numbers (parted by blanks, compared without case) first stand in the statement's text, outside of quotes and comments; line 0: nowhere. */
SiltPos sql_statement_find(Arena *arena, const Statement *statement, const char *words);

/*
 * A value of a result as an analyzed constant that computes exactly it, in arena, placed at pos. < 0 for the types that have none (VARIANT,
 * calendar intervals).
 */
int sql_value_expr(Arena *arena, const Column *column, uint64_t row, SiltPos pos, Expr **out, SiltErr *err);

/* The whole number that an analyzed constant of an integral type is, as of LIMIT; false: it is NULL, or its value cannot be computed. */
bool sql_whole_value(Arena *arena, const Expr *expr, const SqlSettings *settings, int64_t *out);

/* Trees equal but for positions and annotations: for round-trip tests. */
bool sql_query_equal(const Query *a, const Query *b);
bool sql_expr_equal(const Expr *a, const Expr *b); /* NULL equals NULL */

/* Data relations of an analyzed query, views opened, in order of appearance. */
int sql_query_relations(const Query *query, Arena *arena, SqlRelation ***out);
