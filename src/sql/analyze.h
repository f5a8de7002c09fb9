#pragma once
/* sql/analyze.h - shared by the files of the analyzer; start reading at analyze.c */
#include "duck/session.h"
#include "sql/functions.h"
#include "sql/sql.h"

typedef struct RoutineCall {
    const struct RoutineCall *outer;
    const char *name;
} RoutineCall;

struct Analyzer {
    Arena *arena;
    const SqlCatalog *catalog;
    const SqlSettings *settings;
    SqlErrors *errors;
    int next_id;    /* of relations and lambda parameters */
    int depth;      /* nesting of expressions and queries */
    int view_depth; /* views within views */
    const RoutineCall *routine; /* SQL functions whose bodies are being analyzed, innermost first */
    int routine_calls;
    /* Computes constants that must be known while a query is read (constant.c); NULL until the first. Closed by sql__close_constants. */
    DuckEngine *engine;
    DuckSession *session;
};

enum { SQL_DEPTH_MAX = 400, SQL_VIEW_DEPTH_MAX = 64 };

/* One column that names can find. */
typedef struct ScopeColumn {
    const char *name;
    const SqlName *table;  /* db.t, or NULL */
    const char *alias;     /* the alias, or the table's last name; NULL: none */
    const Type *type;
    bool nullable;
    Relation *relation;    /* where it is read from */
    int column;
    Expr *expr;            /* instead: a merged column of FULL JOIN USING; cloned when used */
    bool hidden;           /* found by name, not by * */
    bool qualified_only;   /* found as t.c only: the sides of USING */
    bool parameter;        /* of an SQL function: expr is its argument, which keeps its place in the text */
    int uses;              /* of a parameter */
} ScopeColumn;

typedef struct CteScope {
    struct CteScope *outer;
    const CommonTable *table;
    Query *query;          /* analyzed */
    Relation *recursive;   /* while its own recursive part is analyzed: columns known so far */
    bool closed;           /* while the rest of a recursive query is analyzed: naming it is an error */
} CteScope;

typedef struct LambdaScope {
    struct LambdaScope *outer;
    const char *const *names;
    const char **printed;
    const Type *const *types;
    const bool *nullable;
    int count;
} LambdaScope;

struct Scope {
    Scope *outer;          /* enclosing query */
    CteScope *ctes;
    ScopeColumn *columns;
    int count, capacity;
    LambdaScope *lambdas;
    /* Aliases of the select list: while it is analyzed (lateral aliases), then for HAVING, QUALIFY, ORDER BY, GROUP BY */
    Query *query;
    int alias_count;       /* items so far that may be meant */
    bool aliases_first;    /* HAVING, ORDER BY: an output column wins over an input column */
    NamedWindow *windows;
    int window_count;
    const char *clause;    /* for messages; NULL: select list */
    bool no_aggregate, no_window, no_generator;
    bool in_aggregate, in_window;
    bool saw_aggregate, saw_window;
    const Expr *sliding;   /* silt_windows(..) of the query's sliding window, and the column that holds one of them in each row */
    const Expr *sliding_column;
    bool routine;          /* the body of an SQL function, outside of its subqueries */
    bool broken;           /* FROM had an error: do not complain about columns */
};

/* What the analyzer keeps at a query (Query.extra): how it is printed. */
typedef struct QueryInfo {
    Relation *aggregate;   /* not NULL: aggregated; an inner SELECT computes keys, then aggregates, as this relation's columns */
    Expr **keys;
    int key_count;
    Expr **aggregates;
    int aggregate_count, aggregate_capacity;
    int **sets;            /* indexes of keys; NULL: one group by all keys */
    int *set_sizes;
    int set_count;
    int *order_output;     /* per ORDER BY item: index of an output column, or -1 */
    const char *recursive_name; /* WITH RECURSIVE: printed name */
    int64_t level_max;     /* rounds that it may read of itself */
    int *by_name;          /* UNION BY NAME: right column of each left column */
    int session;           /* 1 + index of the key that is a session_window; 0: none */
    const Expr **session_columns; /* then: each column of FROM that keys and aggregates read, once; those of one relation together */
    int session_column_count;
    ScopeColumn *origins;  /* Query.keeps_names: table and alias by which each output column was found; NULL: none */
} QueryInfo;

QueryInfo *sql__info(Analyzer *a, Query *query);
/* The type with text for intervals of months or microseconds, which are plain numbers below the analyzer; NULL where nothing changes. */
const Type *sql__intervals_as_text(Arena *arena, const Type *type);
/* constant.c: what the analyzer has opened to compute constants. Called once, at its end. */
void sql__close_constants(Analyzer *a);

/* ---- errors: recorded, analysis goes on ---- */
void sql__error(Analyzer *a, SiltPos pos, const char *code, const char *fmt, ...) SILT_PRINTF(4, 5);
int sql__sort_errors(SqlErrors *errors, int before); /* in the order of the text, those from `before` on; -1 if there are any */
void sql__hint(Analyzer *a, const char *fmt, ...) SILT_PRINTF(2, 3); /* of the last error */

/* ---- queries and relations ---- */
void sql__query(Analyzer *a, Query *query, Scope *outer, CteScope *ctes);
void sql__relation(Analyzer *a, Scope *scope, Relation *relation);
void sql__aggregate(Analyzer *a, Scope *scope, Query *query);
/* analyze.c: one GROUP BY expression, or the column that its number names. */
void sql__group_expr(Analyzer *a, Scope *scope, Query *q, Expr **slot);
/* analyze.c: FROM becomes the join; WHERE goes below it, since it was made for the rows there and need not see those that it makes. */
void sql__into_generator(Query *q, Relation *join);
/* analyze_items.c: the select list, FROM and WHERE being analyzed. A query that both aggregates and generates does so in two steps, before anything of it is. */
void sql__select_list(Analyzer *a, Scope *scope, Query *query);
void sql__generate_last(Analyzer *a, Query *query);
/* analyze_window.c, in this order: a join for a sliding window, columns for the windows in GROUP BY, WHERE without rows that are in no window. */
void sql__sliding_window(Analyzer *a, Scope *scope, Query *q);
void sql__window_columns(Analyzer *a, Scope *scope, Query *q);
void sql__window_filter(Analyzer *a, Query *q);
/* Is it a call of session_window, analyzed? */
bool sql__is_session(const Expr *e);
/* analyze_pipe.c: a query behind |> becomes a SELECT or a set operation, before it is analyzed. */
void sql__pipe(Analyzer *a, Query *query);
/* analyze_recursive.c: may it be the body of a recursive query? Then, once both sides are analyzed, is it one, and a right one? False: with an error. */
bool sql__is_recursive(const Query *query);
bool sql__check_recursive(Analyzer *a, const Query *query, const Relation *definition, bool *recursive);
/* analyze_pivot.c: relations with TABLESAMPLE, and PIVOT, UNPIVOT, become queries (REL_QUERY, not analyzed yet); false: with an error. */
void sql__sample(Analyzer *a, Relation *relation);
bool sql__pivot(Analyzer *a, Scope *scope, Relation *relation);
bool sql__unpivot(Analyzer *a, Scope *scope, Relation *relation);
/* Relation with a fresh id and room for `count` columns. */
Relation *sql__new_relation(Analyzer *a, SiltPos pos, int count);
void sql__scope_add(Analyzer *a, Scope *scope, Relation *relation, const SqlName *table, const char *alias, int hidden_count);
/* Rewrites the generator call of a select list into a relation joined to FROM; see analyze_generator.c. */
extern const char sql__in_generator[]; /* Scope.clause there */
bool sql__generator_relation(Analyzer *a, Scope *scope, Relation *relation);
int sql__generator_columns(Analyzer *a, const Expr *call, const char ***names, const Type ***types, bool **nullable, bool outer);

/* A relation of kind REL_QUERY whose query is analyzed. */
void sql__add_query_relation(Analyzer *a, Scope *scope, Relation *relation);
/* The query itself, or one around it that casts its columns to these types. */
Query *sql__query_cast(Analyzer *a, Query *query, const Type *const *types);

/* ---- functions of users, variables: analyze_routine.c ---- */
/* Is this call, this table function, one of a user's? Then it is expanded, or an error recorded. */
bool sql__routine_call(Analyzer *a, Scope *scope, Expr **slot);
bool sql__routine_table(Analyzer *a, Scope *scope, Relation *relation);
/* Does this name, which no column has, mean a session variable? Then it is replaced by its value. */
bool sql__bind_variable(Analyzer *a, Expr **slot);

/* ---- expressions ---- */
/* Arguments with and without names, each where its parameter stands; out[i] stays NULL where none is given. False with an error recorded. */
bool sql__place_arguments(Analyzer *a, const char *function, const char *const *names, int parameter_count, Expr *const *args, int count, Expr **out);
/* The same for a function of the table that takes them: afterwards no argument has a name. */
bool sql__take_names(Analyzer *a, const char *function, Expr ***args, int *count);
/* The name of its parameter of that index from 0; NULL: it takes no named arguments, or has no such. */
const char *sql__parameter_name(const char *function, int index);
/* The fields that name->parts[from..] take of *slot. */
void sql__take_fields(Analyzer *a, Expr **slot, const SqlName *name, int from);
/* int('1'): is the name that of a type which casts as a function does? */
/* A generator that stands in FROM only, as a table function; the error where it stands for a value. */
bool sql__table_only(const SqlFunction *f);
void sql__not_scalar(Analyzer *a, const Expr *call);
bool sql__is_type_name(const char *name);
/* Analyze in place; *slot may be replaced. After an error (recorded) the type is NULL. */
void sql__expr(Analyzer *a, Scope *scope, Expr **slot);
/* The same, and cast to BOOLEAN or complain: WHERE, HAVING, ON. */
void sql__condition(Analyzer *a, Scope *scope, Expr **slot, const char *clause);
void sql__call(Analyzer *a, Scope *scope, Expr **slot);
/* Is the type TIME enabled? False with an error recorded. */
bool sql__check_time(Analyzer *a, SiltPos pos);
/* The columns that each * among the arguments stands for, in its place. */
void sql__expand_stars(Analyzer *a, Scope *scope, Expr *e);
extern const char sql__not_in_values[]; /* the class of the error for what is not known when VALUES is read */
void sql__frame(Analyzer *a, const Expr *call); /* analyze_frame.c: the frame of a call's window, its offsets analyzed */
void sql__sort_items(Analyzer *a, Scope *scope, SortItem *items, int count);
/* Does name->parts[part], qualified by those before it, name this column? */
bool sql__names_column(const ScopeColumn *column, const SqlName *name, int part);
const char *sql__name_text(Analyzer *a, const SqlName *name); /* with dots */
/* 0 bound, 1 no such column here, 2 ambiguous. Binds *slot. */
int sql__bind_column(Analyzer *a, Scope *scope, Expr **slot);
Expr *sql__column(Analyzer *a, Relation *relation, int column, SiltPos pos);
Expr *sql__call_new(Analyzer *a, SiltPos pos, const char *name, int arg_count);
Expr *sql__literal_int(Analyzer *a, SiltPos pos, int64_t value);
Expr *sql__literal_text(Analyzer *a, SiltPos pos, const char *text);
Expr *sql__null(Analyzer *a, SiltPos pos);
/*
 * functions_sketch.c: percentages, one or an array of them, are from 0 to 1; plain constants become DOUBLE, since the database folds no casts there. False with an
 * error recorded.
 */
bool sql__check_percentage(SqlCall *call, Expr **slot);
/* functions_percentile.c: args[1] made DOUBLE or an array of them; the type of the result for values of this type, or NULL with an error recorded. */
const Type *sql__of_percentages(SqlCall *call, const Type *value);
/* analyze_expr.c: what its parts share */
bool sql__all_typed(Expr *e);
void sql__flags_of_args(Expr *e); /* nullable, deterministic and the like of a form are those of its arguments */
/* One type for args[first], args[first + step], ... and *extra (NULL: none), cast to it; NULL with an error: `code`, and `what` they are. */
const Type *sql__unify(Analyzer *a, Expr *e, int first, int step, Expr **extra, const char *code, const char *what);
void sql__subquery(Analyzer *a, Scope *scope, Expr *e);
Query *sql__cast_columns(Analyzer *a, Query *query, const Type *const *types);
void sql__interval(Analyzer *a, Scope *scope, Expr **slot); /* analyze_value.c */
void sql__typed_literal(Analyzer *a, Expr **slot); /* analyze_value.c */
/* analyze_column.c */
void sql__unknown_column(Analyzer *a, Scope *scope, Expr *e);
bool sql__field(Analyzer *a, Expr *field);
void sql__subscript(Analyzer *a, Expr *e);
/* analyze_predicate.c */
void sql__in(Analyzer *a, Scope *scope, Expr *e);
void sql__like(Analyzer *a, Scope *scope, Expr *e);
void sql__is(Analyzer *a, Scope *scope, Expr *e);
void sql__op_types(Analyzer *a, Scope *scope, Expr **slot); /* analyze_op.c: unary and binary operators */

/* ---- types: coercion.c ---- */
/* Put a cast around *slot unless it has the type already. Both analyzed. */
void sql__cast(Analyzer *a, Expr **slot, const Type *type);
void sql__fold_cast(Analyzer *a, Expr *cast); /* analyze_value.c: a cast of literal text gets its value in extra */
/* Implicit cast as Spark's ANSI rules allow it for a function's argument. */
bool sql__may_cast(const Type *from, const Type *to);
/* Least common type of two, or NULL. Literals of strings and integers count as Spark counts them. */
const Type *sql__wider(Analyzer *a, const Type *x, const Type *y);
/* Explicit CAST allowed? */
bool sql__cast_allowed(const Type *from, const Type *to, bool try_cast);
/* May a cast raise at run time? */
bool sql__cast_fails(const Type *from, const Type *to);
const Type *sql__decimal_of(const Type *integral);
const Type *sql__decimal_bounded(int precision, int scale);  /* capped at 38 */
const Type *sql__decimal_adjusted(int precision, int scale); /* Spark's loss of scale above 38 */
bool sql__orderable(const Type *type);
/* ARRAY or STRUCT: DuckDB orders a NULL inside otherwise than Spark, so their silt_sort_key is what is compared. */
bool sql__is_nested(const Type *type);
bool sql__groups(const Type *type); /* may rows be grouped by it? */

/* ---- what cannot be compared: analyze_comparable.c ---- */
/* Is it a type of that kind, or does it hold one? */
bool sql__holds(const Type *type, TypeKind kind);
/* Neither MAP nor VARIANT, nor holding one. */
bool sql__comparable(const Type *type);
/* The same; false with an error recorded. */
bool sql__check_comparable(Analyzer *a, SiltPos pos, const Type *type);
bool sql__check_key(Analyzer *a, SiltPos pos, const Type *key); /* of a map */
/* Does the function take its arguments, as far as it compares them? Before a row of its table is chosen. False with an error recorded. */
bool sql__check_compared(Analyzer *a, const SqlFunction *f, const Expr *call);
/* SORT BY, DISTRIBUTE BY, CLUSTER BY, which have no other effect. */
void sql__check_sorted(Analyzer *a, Scope *scope, const Query *q);

/* ---- collations: analyze_collation.c ---- */
/* The stronger of two STRINGs, or NULL: both are as strong and have different collations. */
const Type *sql__wider_string(const Type *x, const Type *y);
/* The class of the error for two types without a common one: that of their collations if they are the reason, else `code`. */
const char *sql__no_common(const Type *x, const Type *y, const char *code);
/* Would a value of one have to take another collation to be of the other type? Where Spark casts no such values: VALUES, set operations. */
bool sql__collations_differ(const Type *x, const Type *y);
/* The type with its collations as strong as `binding` says. */
const Type *sql__bound(Arena *arena, const Type *type, int binding);
/* The type of what was taken out of an array, a map or a struct: one without a collation of its own counts as a column. */
const Type *sql__taken_out(Arena *arena, const Type *type);
/* Of several values compared with one, whose common type this is: do these two compare by its collation by themselves, as Spark compares them? False with an error recorded. */
bool sql__check_pair(Analyzer *a, SiltPos pos, const Type *common, const Type *x, const Type *y);
/* True, with an error recorded, if the type holds a collation. */
bool sql__refuse_collation(Analyzer *a, SiltPos pos, const Type *type, const char *what);
/* May the function have these arguments (C2), analyzed and not cast yet? False with an error recorded. *strings: the type that its strings have in common, NULL: none. */
bool sql__check_collated(Analyzer *a, const Expr *call, const Type **strings);
/* The type of its result, with the collation of its strings where it keeps it. */
const Type *sql__collated_result(Analyzer *a, const Expr *call, const Type *strings, const Type *result);

/* ---- trees: tree.c ---- */
void sql__each_child(Expr *expr, void (*visit)(Expr **slot, void *arg), void *arg);
Expr *sql__clone(Analyzer *a, const Expr *expr);  /* subqueries are shared */
bool sql__same(const Expr *x, const Expr *y);     /* analyzed trees that compute the same */
bool sql__any(Expr *expr, bool (*test)(const Expr *expr)); /* in the tree, not in subqueries */
bool sql__is_outer(const Expr *expr);             /* a column of a query around this one */
const char *sql__text(Analyzer *a, const char *fmt, ...) SILT_PRINTF(2, 3);

/* ---- names.c: Spark's name for a column without an alias ---- */
const char *sql__auto_name(Analyzer *a, const Expr *expr);

/* type text for messages: "BIGINT" */
const char *sql__type_name(Analyzer *a, const Type *type);
