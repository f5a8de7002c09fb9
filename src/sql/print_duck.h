#pragma once
/* sql/print_duck.h - shared by print_duck.c (queries) and the print_duck_*.c of expressions */
#include "sql/functions.h"
#include "sql/sql.h"

void sql__duck_query(StrBuf *out, const Query *query);
/* A condition of WHERE and the like: NULL counts as false, so AND may keep a failing right side from rows that the left side excludes. */
void sql__duck_condition(StrBuf *out, const Expr *expr);
void sql__duck_sort(StrBuf *out, const SortItem *items, int count);
/* What stands for the value where values are ordered: itself, or its silt_sort_key. */
void sql__duck_ordered(StrBuf *out, const Expr *expr);
/* The same of a key of ORDER BY and PARTITION BY: DuckDB takes a column that is one from its sort keys, where -0.0 is 0.0; x + 0 leaves x as it is. */
void sql__duck_key(StrBuf *out, const Expr *expr);
/* What stands for a value where values are only compared: itself, or the key of its collation; print_duck_collation.c. */
void sql__duck_compared(StrBuf *out, const Expr *expr);
void sql__duck_compared_list(StrBuf *out, Expr *const *items, int count);
/* The same of a value that is DuckDB text already; pos: the place to blame for a string without a key. */
void sql__duck_keyed(StrBuf *out, const Type *type, const char *value, SiltPos pos);
/* Prints a call that compares its arguments by a collation; false: nothing was printed, it has none or compares none. */
bool sql__duck_collated_call(StrBuf *out, const Expr *call);
/* Has a column of the query a collation? */
bool sql__any_collation(const Query *query);
/* SELECT of the keys of its columns. */
void sql__duck_keys_of(StrBuf *out, const Query *query);
/* A set operation that keeps one of equal rows, without ORDER BY and LIMIT. */
void sql__duck_collated_set(StrBuf *out, const Query *query);
/* The position as functions in C take it, relative to the file of the query. */
int64_t sql__duck_packed(SiltPos pos);
/* A list of ARRAYs or STRUCTs, itself DuckDB text, in Spark's order; order: as list_sort takes it. */
void sql__duck_sorted(StrBuf *out, const char *list, const char *order);
/* Expressions by kind; sql_duck_expr chooses. */
void sql__duck_literal(StrBuf *out, const Expr *expr);
void sql__duck_list(StrBuf *out, Expr *const *items, int count); /* with commas between */
void sql__duck_unary(StrBuf *out, const Expr *expr);     /* print_duck_operator.c */
void sql__duck_binary(StrBuf *out, const Expr *expr);
void sql__duck_interval(StrBuf *out, const Expr *interval, bool minus); /* as DuckDB's INTERVAL */
void sql__duck_like(StrBuf *out, const Expr *expr);      /* print_duck_predicate.c */
void sql__duck_is(StrBuf *out, const Expr *expr);
void sql__duck_in(StrBuf *out, const Expr *expr);
void sql__duck_cast(StrBuf *out, const Expr *expr);      /* print_duck_cast.c */
void sql__duck_call(StrBuf *out, const Expr *expr);      /* print_duck_call.c */
/* Prints the expression where a subquery or a window stands among the arguments of a function that DuckDB takes none in; false: nothing was printed. */
bool sql__duck_hoisted(StrBuf *out, const Expr *expr);

/* The one expression that makes column `column` of a generator call. */
void sql__duck_generated(StrBuf *out, const Expr *call, int column);
/* Can evaluating it raise? */
bool sql__may_fail(const Expr *expr);
/* A literal by which any number can be divided: not 0, nor -1, which overflows. */
bool sql__is_nonzero_literal(const Expr *expr);

/* One print at a time in a thread: what the caller gave. */
typedef struct DuckPrint {
    const SqlPrintOptions *options;
    const char *prefix; /* of columns of relation 0 */
    const char *file;    /* of the query; what stands in another names it */
    int next_name;      /* generated lambda parameters */
    const Query *origin; /* the query that hands silt_source and silt_position on; NULL: none, or none any more */
} DuckPrint;
extern _Thread_local DuckPrint sql__duck;
