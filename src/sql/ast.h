#pragma once
/*
 * sql/ast.h - the syntax tree: what a user wrote, with positions
 *
 * The parser makes it, the analyzer annotates it in place (type, nullable, binding, inserted casts), the printers read it.
 * All nodes live in the arena of their statement. Names keep the user's spelling.
 *
 * What the parser settles, so that nobody else has to:
 * - LITERAL: type is set. TRUE and FALSE, integers: literal_int; DOUBLE, FLOAT: literal_double; DECIMAL: plain digits in literal; STRING, BINARY:
 *   bytes in literal. A minus before a number belongs to the literal. DATE '..', TIMESTAMP '..', TIMESTAMP_NTZ, TIMESTAMP_LTZ, TIME: op is that
 *   word and literal the text as written; the analyzer reads it (it needs the time zone).
 * - COLUMN also for current_date, current_timestamp, current_user, ... without parentheses: a column of that name wins, else it is the function.
 * - CALL with op: TRIM(BOTH | LEADING | TRAILING x FROM y) is trim with op, args[0] = y, args[1] = x if given; DATEADD(unit, n, t), TIMESTAMPADD,
 *   DATE_ADD, DATEDIFF, TIMESTAMPDIFF, DATE_DIFF with a unit have op = the unit in upper case and the other arguments in args.
 *   SUBSTRING(x FROM a FOR b), POSITION(a IN b), OVERLAY(x PLACING y FROM a FOR b) are plain calls of their arguments in this order;
 *   x COLLATE c is collate(x, 'c').
 * - INTERVAL: units has arg_count + 1 elements; one argument with two units ('1 02:03' DAY TO MINUTE) has units[1], else the last is NULL.
 *   INTERVAL '1 day 2 hours' is taken apart into args and units. Arguments are LITERALs (numbers with their sign, or strings).
 * - AND and OR chains are balanced as Spark does (a list of 10,000 terms is 14 deep); other nesting is limited (parser.h).
 * - A Query in parentheses with its own ORDER BY, LIMIT or WITH, under another one, becomes SELECT * FROM (query).
 */
#include "duck/type.h"

typedef struct Expr Expr;
typedef struct Query Query;
typedef struct Relation Relation;
typedef struct SelectItem SelectItem;
typedef struct SqlRelation SqlRelation; /* sql/catalog.h: a resolved table */
typedef struct SqlFunction SqlFunction; /* sql/functions.h: a row of the function table */

/* A name of several parts: catalog.schema.table, or t.col.field. */
typedef struct SqlName {
    const char **parts;
    int count;
    SiltPos pos;
} SqlName;

typedef enum ExprKind {
    EXPR_LITERAL,      /* type + value below; NULL literal: type VOID */
    EXPR_COLUMN,       /* name (1..n parts); bound by the analyzer */
    EXPR_STAR,         /* *, name.* ; except: EXCEPT (cols) */
    EXPR_CALL,         /* function(args); name, op, distinct, filter, order_by, window, named arguments, ignore_nulls */
    EXPR_UNARY,        /* op: - + ~ NOT */
    EXPR_BINARY,       /* op: + - * / % DIV || = == <=> <> < <= > >= AND OR & | ^ << >> >>> */
    EXPR_IS,           /* IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM (args[1]) ; op = NULL, TRUE, FALSE, UNKNOWN, DISTINCT */
    EXPR_BETWEEN,      /* args: value, low, high; negated */
    EXPR_IN,           /* args[0] IN (args[1..]) or IN (query); negated */
    EXPR_LIKE,         /* op: LIKE ILIKE RLIKE; args: value, pattern; escape; quantifier ANY ALL: args[1..] */
    EXPR_CASE,         /* operand or NULL; args: when, then, when, then, ...; last = ELSE or NULL */
    EXPR_CAST,         /* args[0]; cast_type; op: CAST, TRY_CAST, :: ; implicit = put in by the analyzer */
    EXPR_EXTRACT,      /* EXTRACT(field FROM args[0]); op = field */
    EXPR_INTERVAL,     /* INTERVAL '1' DAY, INTERVAL 1 DAY 2 HOURS, ...: args[i] value, units[i]; or 'a b' DAY TO SECOND */
    EXPR_SUBQUERY,     /* scalar (query) */
    EXPR_EXISTS,       /* EXISTS (query); negated */
    EXPR_LAMBDA,       /* parameters -> args[0] */
    EXPR_SUBSCRIPT,    /* args[0] [ args[1] ] */
    EXPR_FIELD,        /* args[0].text: of an expression; plain dotted names are EXPR_COLUMN until analysis */
    EXPR_ROW,          /* (a, b, ...) */
    EXPR_PATH,         /* args[0] : text, a JSON/variant path */
    EXPR_NAMED_ARG,    /* text => args[0] */
    EXPR_ALIASED,      /* struct(a AS b): args[0] AS text inside of calls */
    EXPR_PARAM_DEFAULT,/* DEFAULT */
} ExprKind;

typedef struct SortItem {
    Expr *expr;
    bool descending;
    bool nulls_first; /* resolved: Spark's default is NULLs first ascending, last descending */
    bool nulls_given;
} SortItem;

typedef enum FrameBound { FRAME_UNBOUNDED_PRECEDING, FRAME_PRECEDING, FRAME_CURRENT, FRAME_FOLLOWING, FRAME_UNBOUNDED_FOLLOWING } FrameBound;

typedef struct WindowSpec {
    const char *name; /* OVER w; resolved to the definition by the analyzer */
    Expr **partition_by;
    int partition_count;
    SortItem *order_by;
    int order_count;
    bool frame_given, frame_rows; /* ROWS, else RANGE */
    FrameBound start, end;
    Expr *start_offset, *end_offset;
    SiltPos pos;
} WindowSpec;

struct Expr {
    ExprKind kind;
    SiltPos pos;
    const char *op;   /* upper case */
    SqlName name;     /* COLUMN, STAR, CALL */
    const char *text; /* FIELD, NAMED_ARG, ALIASED, PATH: the name; LITERAL: the text as written (numbers: exact) */
    Expr **args;
    int arg_count;
    bool negated, distinct, ignore_nulls, implicit;
    uint16_t height;              /* nesting below, as the parser counted */
    const char *quantifier;       /* LIKE ANY/ALL */
    const Type *cast_type;
    Query *query;                 /* IN, EXISTS, SUBQUERY */
    Expr *filter;                 /* CALL ... FILTER (WHERE ...) */
    SortItem *order_by;           /* CALL: WITHIN GROUP (ORDER BY ...) */
    int order_count;
    WindowSpec *window;           /* CALL ... OVER (...) */
    const char **parameters;      /* LAMBDA */
    int parameter_count;
    const char **units;           /* INTERVAL: one per arg, upper case singular; "DAY TO SECOND": two */
    Expr *operand, *otherwise;    /* CASE */
    Expr *escape;                 /* LIKE */
    SqlName *except;              /* STAR EXCEPT: columns, or fields of them */
    int except_count;

    /* LITERAL value, once typed: text for STRING, BINARY (raw bytes), DECIMAL (digits); integer for the rest */
    Str literal;
    int64_t literal_int;
    double literal_double;

    /* ---- set by the analyzer ---- */
    const Type *type;
    bool nullable;
    bool constant;                /* folds to a constant within one batch */
    bool deterministic;
    Relation *relation;           /* COLUMN: where it is bound; NULL for a lambda parameter */
    int column;                   /* index in that relation's output; lambda parameter: index */
    int outer_level;              /* COLUMN: 0 = this query, 1 = the enclosing one (correlated), ... */
    const SqlFunction *function;  /* CALL, and operators that become calls */
    void *extra;                  /* private to the analyzer and printer of this kind */
};

typedef enum RelationKind {
    REL_TABLE,    /* name, or fmt.`path` (name.count == 2, parts[0] a format) */
    REL_FUNCTION, /* name(args): read_files(...), range(...), explode(...) */
    REL_QUERY,    /* ( query ) */
    REL_VALUES,   /* VALUES (..), (..) */
    REL_JOIN,
    REL_PIVOT,    /* left PIVOT (..), left UNPIVOT (..): pivot, unpivot. The analyzer makes a REL_QUERY of them, so that nobody behind it meets them */
    REL_UNPIVOT,
} RelationKind;

typedef enum JoinKind { JOIN_INNER, JOIN_LEFT, JOIN_RIGHT, JOIN_FULL, JOIN_CROSS, JOIN_LEFT_SEMI, JOIN_LEFT_ANTI } JoinKind;

typedef enum SampleKind { SAMPLE_PERCENT, SAMPLE_ROWS, SAMPLE_BUCKET } SampleKind;

/* TABLESAMPLE (n PERCENT | n ROWS | BUCKET i OUT OF n) [REPEATABLE (seed)] */
typedef struct Sample {
    SampleKind kind;
    SiltPos pos;
    const char *percent;     /* the number as written, with its sign */
    Expr *rows;
    int64_t bucket, buckets;
    bool seed_given;
    int64_t seed;
} Sample;

/* PIVOT (aggregates FOR columns IN (values)) */
typedef struct Pivot {
    SelectItem *aggregates, *values; /* a value for several columns is an EXPR_ROW */
    int aggregate_count, value_count;
    Expr **columns;                  /* EXPR_COLUMN each; several stand in parentheses */
    int column_count;
} Pivot;

typedef struct UnpivotGroup { /* (x1, y1) AS name */
    Expr **columns;
    int column_count;
    const char *alias;        /* NULL: none */
    SiltPos pos;
} UnpivotGroup;

/* UNPIVOT [INCLUDE NULLS] (values FOR name_column IN (groups)) */
typedef struct Unpivot {
    bool include_nulls;
    bool several;             /* values and groups stand in parentheses, even if there is one */
    const char **values;
    int value_count;
    const char *name_column;
    UnpivotGroup *groups;
    int group_count;
} Unpivot;

typedef struct SqlOption { /* WITH ('k' = 'v'), TBLPROPERTIES, named arguments */
    const char *key;
    const char *value; /* text of the literal */
    SiltPos pos, value_pos;
} SqlOption;

struct Relation {
    RelationKind kind;
    SiltPos pos;
    SqlName name;
    Expr **args;          /* FUNCTION (EXPR_NAMED_ARG for named ones); VALUES: EXPR_ROW each */
    int arg_count;
    SqlName table_arg;    /* FUNCTION: of f(TABLE(name)), then there are no args; count 0: none */
    Query *query;
    bool stream;          /* STREAM name, STREAM(name), STREAM read_files(...) */
    SqlOption *options;   /* STREAM t WITH (...) */
    int option_count;
    /* time travel: VERSION AS OF n, TIMESTAMP AS OF e, t@v1 */
    Expr *version_as_of, *timestamp_as_of;
    /* WATERMARK watermark [AS watermark_name] DELAY OF interval */
    Expr *watermark, *watermark_delay;
    const char *watermark_name;
    /* DROP DUPLICATES [WITHIN WATERMARK] ON (cols) */
    Expr **dedup;
    int dedup_count;
    bool dedup_within_watermark;
    const char *alias;
    SiltPos alias_pos;
    const char **column_aliases;
    int column_alias_count;
    bool lateral; /* LATERAL (query), LATERAL f(...); LATERAL VIEW is a CROSS JOIN of a FUNCTION with this set */
    bool view;       /* LATERAL VIEW, which stands behind all joins */
    bool outer_view; /* LATERAL VIEW OUTER */
    /* JOIN */
    JoinKind join;
    bool natural;
    bool comma; /* written a, b: a CROSS JOIN, behind which only LATERAL VIEW, PIVOT and UNPIVOT stand */
    Relation *left, *right; /* left: also the input of PIVOT, UNPIVOT; NULL behind |> */
    Expr *on;
    Pivot *pivot;
    Unpivot *unpivot;
    Sample *sample; /* TABLESAMPLE, behind the table or query and before its alias */
    const char **using_columns;
    int using_count;

    /* ---- set by the analyzer ---- */
    SqlRelation *resolved;     /* TABLE, FUNCTION that read data */
    const char **column_names; /* output columns, as the user knows them */
    const Type **column_types;
    bool *column_nullable;
    int column_count;
    int id;                    /* number for generated names: r<id> */
    bool streaming;
    bool row_by_row;           /* JOIN, outer, semi or anti, whose condition has a subquery or a column of the query around it */
    bool keeps_names;          /* QUERY made by the analyzer: names find its columns as they do those inside of it */
    void *extra;
};

typedef enum QueryKind {
    QUERY_SELECT,
    QUERY_SET,    /* UNION, INTERSECT, EXCEPT of left and right */
    QUERY_VALUES, /* VALUES as a query: rows in from->args */
    QUERY_TABLE,  /* TABLE t: as SELECT * FROM t */
    QUERY_PIPE,   /* left |> operator. The analyzer makes the SELECT or set operation of it that it stands for */
} QueryKind;

/* What stands behind |>, and in which members of the query. */
typedef enum PipeOp {
    PIPE_SELECT,    /* distinct, items, GROUP BY, windows */
    PIPE_EXTEND,    /* items */
    PIPE_SET,       /* items: the new value AS the column */
    PIPE_DROP,      /* pipe_names */
    PIPE_AS,        /* pipe_names: one */
    PIPE_WHERE,     /* where */
    PIPE_ORDER,     /* ORDER BY, SORT BY, .., LIMIT, OFFSET */
    PIPE_AGGREGATE, /* items: the aggregates; group_items: the keys */
    PIPE_RELATION,  /* JOIN, PIVOT, UNPIVOT: from, whose innermost left is NULL */
    PIPE_SAMPLE,    /* sample */
    PIPE_UNION,     /* UNION, INTERSECT, EXCEPT: set_op, set_all, right */
} PipeOp;

typedef enum SetOp { SET_UNION, SET_INTERSECT, SET_EXCEPT } SetOp;

struct SelectItem {
    Expr *expr;
    const char *alias; /* NULL: none */
    SiltPos alias_pos;
    const char **multi_alias; /* generator(...) AS (a, b) */
    int multi_alias_count;
    const char *output_name; /* set by the analyzer: Spark's name of the column */
};

typedef struct CommonTable {
    const char *name;
    SiltPos pos;
    const char **columns;
    int column_count;
    Query *query;
    int64_t level_max; /* MAX RECURSION LEVEL; -1: not given */
} CommonTable;

typedef struct NamedWindow {
    const char *name;
    WindowSpec *spec;
} NamedWindow;

typedef enum GroupingKind { GROUP_PLAIN, GROUP_ROLLUP, GROUP_CUBE, GROUP_SETS, GROUP_ALL } GroupingKind;

struct Query {
    QueryKind kind;
    SiltPos pos;
    CommonTable *with;
    int with_count;
    bool recursive;
    /* SELECT */
    bool distinct;
    SelectItem *items;
    int item_count;
    Relation *from; /* NULL: no FROM; several, comma separated: a chain of CROSS joins */
    Expr *where;
    GroupingKind grouping;
    Expr **group_by;         /* PLAIN, ROLLUP, CUBE: the expressions; SETS: the distinct expressions, which the sets point at */
    int group_count;
    Expr ***grouping_sets;   /* SETS: sets[i] has set_sizes[i] expressions */
    int *grouping_set_sizes;
    int grouping_set_count;
    Expr *having;
    Expr *qualify;
    NamedWindow *windows;
    int window_count;
    /* SET */
    SetOp set_op;
    bool set_all;
    bool set_by_name;
    Query *left, *right; /* left: also the input of |> */
    /* PIPE */
    PipeOp pipe;
    SqlName *pipe_names;
    int pipe_name_count;
    SelectItem *group_items; /* AGGREGATE .. GROUP BY a + 1 AS k */
    int group_item_count;
    Sample *sample;
    /* any */
    SortItem *order_by;
    int order_count;
    bool order_by_all; /* ORDER BY ALL: order_by has one item, a COLUMN named ALL */
    bool sort_by; /* SORT BY / CLUSTER BY / DISTRIBUTE BY were given: no effect on the result */
    SortItem *sort_items;  /* SORT BY, CLUSTER BY */
    int sort_count;
    Expr **distribute_by;  /* DISTRIBUTE BY, CLUSTER BY */
    int distribute_count;
    Expr *limit, *offset;
    SiltPos hint; /* line > 0: an optimizer hint stands here, which has no effect */
    int height;   /* nesting below, as the parser counted */
    bool bare;    /* FROM t alone, as SELECT * FROM t */

    /* ---- set by the analyzer ---- */
    bool piped;       /* it stood behind |>: what `pipe` says holds for it */
    int pipe_keys;    /* AGGREGATE: so many of the first items are its keys */
    bool keeps_names; /* it is read by a relation that keeps names */
    const char **column_names;
    const Type **column_types;
    bool *column_nullable;
    int column_count;
    bool streaming;
    void *extra;
};

/* ---- statements ---- */

typedef enum StatementKind {
    STMT_QUERY,
    STMT_CREATE_STREAMING_TABLE,
    STMT_CREATE_MATERIALIZED_VIEW,
    STMT_CREATE_VIEW,
    STMT_CREATE_TEMPORARY_VIEW,
    STMT_CREATE_FLOW,
    STMT_CREATE_SINK,
    STMT_SET,      /* SET key = value; SET TIME ZONE 'x' becomes key spark.sql.session.timeZone */
    STMT_RESET,    /* RESET [key] */
    STMT_USE,      /* USE [SCHEMA] name; USE CATALOG and SET CATALOG: use_catalog */
    STMT_EXPLAIN,  /* EXPLAIN [what] query; what: "", EXTENDED, FORMATTED, COST, CODEGEN, LOGICAL */
    STMT_COPY,     /* COPY INTO target FROM ..: copy, target, query */
    STMT_CREATE_TABLE, /* CREATE TABLE name (columns) ..: an empty Delta table */
    STMT_INSERT,   /* INSERT INTO | OVERWRITE target ..: insert, target, query, by_name */
    STMT_ALTER,    /* ALTER TABLE target ..: alter, target, columns, properties */
    STMT_CREATE_FUNCTION,  /* name, routine; table functions: columns and query */
    STMT_DROP_FUNCTION,    /* DROP [TEMPORARY] FUNCTION [IF EXISTS] name: temporary, if_exists */
    STMT_DECLARE_VARIABLE, /* variables, as the three behind it */
    STMT_SET_VARIABLE,     /* SET VARIABLE (a, b) = (query): query */
    STMT_DROP_VARIABLE,    /* temporary, if_exists */
    STMT_EXECUTE,          /* EXECUTE IMMEDIATE */
    STMT_OTHER,    /* recognised, not run here: refused by name, at its position (verb in `what`) */
} StatementKind;

typedef enum ExpectAction { EXPECT_WARN, EXPECT_DROP_ROW, EXPECT_FAIL_UPDATE } ExpectAction;

typedef struct ColumnDef {
    const char *name;
    const Type *type;
    bool not_null;
    const char *comment;
    const char *default_sql, *generated_sql; /* recognised; refused by who cannot */
    SiltPos pos;
} ColumnDef;

typedef struct Expectation {
    const char *name;
    Expr *condition;
    const char *condition_sql; /* as written */
    ExpectAction action;
    SiltPos pos;
} Expectation;

/* COPY INTO. The statement's query reads `source`, to which whoever runs it gives the reader's options. */
typedef struct CopyInto {
    Relation *source;     /* read_files('path'), in the statement's query */
    bool selected;        /* the query is (SELECT .. FROM 'path'); else it is SELECT * */
    bool by_position;
    const char **columns; /* of the target that the files' columns are, in order */
    SiltPos *positions;   /* of their names */
    int column_count;
    SiltPos columns_pos;  /* of BY POSITION or of the list */
    const char *path;     /* as written */
    SiltPos path_pos;
    const char *format;
    SiltPos format_pos;
    bool validate;
    int64_t validate_rows; /* < 0: ALL */
    const char **files;
    int file_count;
    const char *pattern;
    SiltPos files_pos;     /* of FILES, or of the text of PATTERN */
    SqlOption *format_options, *copy_options;
    int format_option_count, copy_option_count;
} CopyInto;

/* INSERT INTO | OVERWRITE [TABLE] target [(columns)] [BY NAME] query */
typedef struct InsertInto {
    bool overwrite;
    const char **columns; /* of the target that the query's columns are, in order */
    SiltPos *positions;   /* of their names */
    int column_count;     /* 0: all of the table, in its order */
    SiltPos columns_pos;
} InsertInto;

typedef enum AlterKind {
    ALTER_ADD_COLUMNS,      /* Statement.columns, each into the struct that the parts of its path before the last name */
    ALTER_RENAME_COLUMN,    /* paths[0] becomes new_name */
    ALTER_DROP_COLUMNS,
    ALTER_COLUMN_TYPES,     /* the column of each path gets the type beside it; element, key, value lead into arrays and maps */
    ALTER_SET_PROPERTIES,   /* Statement.properties */
    ALTER_UNSET_PROPERTIES, /* the keys of Statement.properties, whose values are NULL */
} AlterKind;

typedef struct AlterTable {
    AlterKind kind;
    SqlName *paths; /* of columns: a, or a.b within the struct a */
    const Type **types; /* COLUMN_TYPES */
    int path_count;
    const char *new_name;
    bool if_exists;
} AlterTable;

/* A parameter of a SQL function. */
typedef struct Parameter {
    const char *name;
    const Type *type;
    Expr *fallback; /* DEFAULT; NULL: none */
    const char *comment;
    SiltPos pos;
} Parameter;

/* CREATE FUNCTION name(parameters) .. RETURN body. RETURNS TABLE (..): Statement.columns, and the body is Statement.query. */
typedef struct Routine {
    bool is_table;
    Parameter *parameters;
    int parameter_count;
    const Type *returns; /* NULL: the type of the body */
    Expr *body;          /* RETURN SELECT ..: EXPR_SUBQUERY; NULL: a table function */
    bool determinism_given, deterministic;
    const char *data_access; /* CONTAINS SQL, READS SQL DATA; NULL: not given */
} Routine;

/* DECLARE, SET VARIABLE, DROP TEMPORARY VARIABLE, EXECUTE IMMEDIATE */
typedef struct VariableList {
    SqlName *names;  /* EXECUTE: behind INTO */
    int name_count;
    const Type *type; /* DECLARE; NULL: the type of its value */
    Expr **values;    /* DECLARE: none or one; SET: one a name; EXECUTE: the text. EXPR_PARAM_DEFAULT: DEFAULT */
    int value_count;
} VariableList;

typedef struct Statement {
    StatementKind kind;
    SiltPos pos;
    Str text;               /* the statement's own text, without the semicolon; borrowed from the file */
    SqlName name;           /* of the table, view or flow; SET: the key as one part; USE: the schema */
    bool or_refresh, or_replace, if_not_exists, is_private;
    bool temporary, if_exists; /* of functions and variables */
    ColumnDef *columns;
    int column_count;
    Expectation *expectations;
    int expectation_count;
    const char *using_format;
    SiltPos using_pos;
    SqlName *partition_by;  /* plain column names */
    int partition_count;
    SqlName *cluster_by;
    int cluster_count;
    const char *comment;
    const char *location;
    SqlOption *properties;
    int property_count;
    SqlOption *options;     /* SINK */
    int option_count;
    Query *query;           /* NULL: none */
    /* FLOW */
    SqlName target;         /* COPY, INSERT, ALTER too */
    bool by_name, once;
    /* SET */
    const char *set_value;  /* NULL: SET key alone; no name: SET alone */
    bool set_verbose;       /* SET -v */
    Routine *routine;
    VariableList *variables;
    /* OTHER */
    const char *what;       /* e.g. "CREATE TABLE", "MERGE INTO", "AUTO CDC"; EXPLAIN too */
    SiltPos what_pos;
    bool use_catalog;
    /* COPY, INSERT, ALTER */
    CopyInto *copy;
    InsertInto *insert;
    AlterTable *alter;
} Statement;
