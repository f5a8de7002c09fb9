#pragma once
/*
 * sql/functions.h - the function table: what Silt knows of each Spark function
 *
 * One row a function (or one of its overloads: rows of one name stand together, the first that fits is taken). A row says
 * which arguments fit, what type comes out and how DuckDB is asked for exactly that. How to add one: README.md.
 */
#include "sql/ast.h"

typedef struct Analyzer Analyzer;
typedef struct Scope Scope;

typedef enum SqlFunctionFlags {
    FN_AGGREGATE = 1 << 0,     /* may stand in an aggregation, and with OVER */
    FN_WINDOW = 1 << 1,        /* only with OVER */
    FN_GENERATOR = 1 << 2,     /* makes rows: explode */
    FN_RANDOM = 1 << 3,        /* another value at each call: rand, uuid */
    FN_CLOCK = 1 << 4,         /* one value a batch: current_timestamp */
    FN_MAY_FAIL = 1 << 5,      /* can raise on a row; the printed call takes the position */
    FN_NOT_NULL = 1 << 6,      /* never gives NULL */
    FN_NULLABLE = 1 << 7,      /* may give NULL for arguments that are not */
    FN_RAW = 1 << 8,           /* rule analyzes the arguments itself */
    FN_ORDERED = 1 << 9,       /* window function that needs ORDER BY */
    FN_ORDER_SENSITIVE = 1 << 10, /* result depends on the order of rows: first, collect_list */
    FN_TIME = 1 << 12,         /* of the type TIME: only with spark.sql.timeType.enabled */
    FN_BARE = 1 << 11,         /* called without parentheses too, where no column has its name: current_date */
} SqlFunctionFlags;

/* One call under analysis, handed to type rules. */
typedef struct SqlCall {
    Analyzer *analyzer;
    Scope *scope;
    Expr *expr; /* EXPR_CALL; args are analyzed (unless FN_RAW) */
    int position_parameter; /* lambda parameter, from 1, that is a position: INT from 0, where DuckDB counts BIGINT from 1; 0: none */
    /* Where DuckDB's lambda has one parameter for several of Spark's (an entry of a map): how each is taken from it, as "f(%s)". */
    const char *parameter_formats[3];
    bool own_parameters; /* with formats: each of Spark's parameters is taken from one of DuckDB's own */
} SqlCall;

/* Types of a function of the program that Silt is a part of. */
typedef struct SqlExtensionTypes {
    const Type *const *arguments;
    int argument_count;
    const Type *result;
} SqlExtensionTypes;

struct SqlFunction {
    const char *name; /* lower case */
    /*
     * "arguments -> result", e.g. "string, int [, int] -> string". An argument is a type (the value is cast to it), a class
     * (any number integral fractional array list map struct nested orderable interval datetime: the value is taken as it is, strings for number
     * become double), a letter T or K (all arguments of that letter get one common type; T[] an array of it). [] encloses
     * what may be left out, "..." repeats the last argument. The result is a type, T, T[], #1 (type of the first argument), or
     * empty if `rule` says it.
     */
    const char *signature;
    /*
     * DuckDB text: $1 an argument, $* all of them, $2* all from the second, $pos the call's position as a constant, $type the
     * result type in DuckDB's spelling, $T in Spark's ($T1: of the first argument). Aggregates: $& DISTINCT, $o ORDER BY, $i IGNORE NULLS,
     * $f FILTER and OVER (put at the end if the text has none), $n the same over rows whose first argument is not NULL. NULL: `print`.
     */
    const char *duck;
    unsigned flags;
    /* Result type (and args recast, nullable set) when the signature cannot say it; NULL with an error recorded. */
    const Type *(*rule)(SqlCall *call);
    void (*print)(StrBuf *out, const Expr *call);
    const SqlExtensionTypes *extension; /* of a function that the catalog gave (functions_extension.c); else NULL */
    /*
     * Of a function that fails on a value which a stream may set aside instead (SqlPrintOptions.set_aside): the condition that the value is none such, or else is
     * told to the session as one of `origin`, a relation with silt_source and silt_position. False: this call does not set aside. out NULL: only asked. NULL: none does.
     */
    bool (*keep)(StrBuf *out, const Expr *call, const char *origin);
};

/* First row of that name (compared without case), or NULL. The rows of one name stand together; the last of a table has name NULL. */
const SqlFunction *sql_function_find(const char *name);
/* The nearest known name, or NULL. */
const char *sql_function_nearest(const char *name);
/* All names, each once, sorted; for docs and tests. */
int sql_function_names(const char *const **out);
/* Functions of Spark that are not in the table: what to tell a user who calls one, as whole sentences; NULL: Spark has no such function. */
const char *sql_function_missing(const char *name);
/* Each of them by its index from 0, those with the same reason together; false behind the last. */
bool sql_function_missing_at(int index, Str *name, const char **why);

/* The row of a function that DuckDB knows as silt_ext_<name>; name and types are borrowed. random: FN_RANDOM. */
SqlFunction sql_function_extension(const char *name, const SqlExtensionTypes *types, bool random);

/* For rules. Each reports an error at the argument and returns false when the type does not fit. */
bool sql_call_cast(SqlCall *call, int arg, const Type *type);
/* Least common type of args[first..], all cast to it; NULL with an error recorded. */
const Type *sql_call_unify(SqlCall *call, int first);
const Type *sql_call_fail(SqlCall *call, const char *code, const char *fmt, ...) SILT_PRINTF(3, 4);
/* Analyze the lambda at args[arg] with these parameter types; returns its body's type or NULL. */
const Type *sql_call_lambda(SqlCall *call, int arg, const Type *const *types, const bool *nullable, int count);
/* Text of a constant STRING, in the arena; NULL where it is none, is NULL or cannot be computed. */
const char *sql_constant_text(Analyzer *a, const Expr *expr);
/* Options written as map('name', 'value', ...): taken off the arguments; *map is NULL where there are none. False with an error recorded. */
bool sql_call_options(SqlCall *call, int arg, const Expr **map);
/* Name and value at args[i] and args[i + 1] of such a map, which must be constant. False with an error recorded. */
bool sql_call_option(SqlCall *call, const Expr *map, int i, const char **key, const char **value);
/* Value of a constant integral argument; false if it is none, is NULL or cannot be computed. */
bool sql_constant_int(Analyzer *a, const Expr *expr, int64_t *out);
Arena *sql_call_arena(SqlCall *call);

/* For print callbacks: one expression, the packed position of a call. */
void sql_duck_expr(StrBuf *out, const Expr *expr);
void sql_duck_pos(StrBuf *out, SiltPos pos);
void sql_duck_type(StrBuf *out, const Type *type);
void sql_duck_cut_time(StrBuf *out, const char *time, int precision); /* the TIME of that text with so many digits of a second */
void sql_duck_text(StrBuf *out, Str text); /* a quoted literal */
/* Fill a template for a call, see SqlFunction.duck. */
void sql_duck_template(StrBuf *out, const char *text, const Expr *call);

extern const SqlFunction sql_functions_avro[];
extern const SqlFunction sql_functions_bucket[];
extern const SqlFunction sql_functions_cipher[];
extern const SqlFunction sql_functions_csv[];
extern const SqlFunction sql_functions_format[];
extern const SqlFunction sql_functions_math[];
extern const SqlFunction sql_functions_protobuf[];
extern const SqlFunction sql_functions_variant[];
extern const SqlFunction sql_functions_string[];
extern const SqlFunction sql_functions_time[];
extern const SqlFunction sql_functions_collection[];
extern const SqlFunction sql_functions_aggregate[];
extern const SqlFunction sql_functions_misc[];
extern const SqlFunction sql_functions_clock[];
extern const SqlFunction sql_functions_percentile[];
extern const SqlFunction sql_functions_random[];
extern const SqlFunction sql_functions_sketch[];
extern const SqlFunction sql_functions_datasketch[];
extern const SqlFunction sql_functions_top_k[];
extern const SqlFunction sql_functions_tuple[];
extern const SqlFunction sql_functions_vector[];
extern const SqlFunction sql_functions_xml[];
