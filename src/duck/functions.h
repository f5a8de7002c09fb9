#pragma once
/*
 * duck/functions.h - SQL functions written in C
 *
 * A function is one row of a table in fn_<area>.c; the tables are listed in functions.c. It becomes known to DuckDB when a statement first
 * names it. Whole example (fn_example.c):
 *
 *     static int to_year(FnCall *call, const Column *args, Column *out, int rows)
 *     {
 *         const ChunkString *text = args[0].data;
 *         int32_t *year = out->data;
 *         FN_ROWS(row, out, rows) {                            // rows with a NULL argument are NULL already and left out
 *             int64_t value;
 *             if (!str_to_int64(chunk_string(&text[row]), &value))
 *                 return fn_fail(call, row, "CAST_INVALID_INPUT", "\"%.*s\" is no year", FN_SHOW(chunk_string(&text[row])));
 *             year[row] = (int32_t)value;
 *         }
 *         return 0;
 *     }
 *
 *     const DuckFunction fn_example[] = {
 *         {.name = "silt_to_year", .args = "string", .result = "int", .flags = FN_FAILS, .eval = to_year},
 *         {0},
 *     };
 *
 * In SQL: silt_to_year(c1, 3146241): a function with FN_FAILS takes one argument more, the packed position of its call
 * (duck_pos_pack), and the failure comes back as SiltErr with kind INPUT, that code, the session's file, line and column.
 *
 * When the result type depends on the call, .result is NULL and the type is part of the name, in double quotes, as type_print gives it:
 * "silt_parse_decimal:decimal(10,2)"(c1, pos). DuckDB cannot tell result types from arguments.
 *
 * DuckDB does not know Spark's intervals, it has INTEGER and BIGINT for them. Where a function must know, the type of its first argument goes
 * before the result's: "silt_cast:interval day->string"(c1, pos), "silt_to_string:interval day->string"(c1).
 *
 * Functions that cannot fail and depend on nothing but their arguments are folded and reordered by DuckDB; those with FN_FAILS or
 * FN_VOLATILE are not, since DuckDB would run them on values that WHERE or CASE has excluded.
 */
#include "base/arena.h"
#include "base/err.h"
#include "duck/chunk.h"
#include "duck/session.h"

typedef struct DuckFunction DuckFunction;

/* One call site of a function: what was known when the statement was prepared. */
typedef struct FnCall {
    const DuckFunction *function;
    DuckSession *session;
    const Type *const *arg_types; /* without pos */
    int arg_count;
    const Type *result_type;
    const Column *constants; /* per argument, one row each; .type is NULL where the argument is no constant */
    void *data;              /* what prepare left */
    StrBuf *scratch;         /* in eval: yours until it returns */
    Arena *arena;            /* in prepare: lives as long as the statement */
    /* private */
    const Column *pos;
    SiltErr *err;
} FnCall;

enum {
    FN_NULLS = 1,    /* eval is also asked about rows with NULL arguments, and sets all of out itself */
    FN_FAILS = 2,    /* may fail on a value */
    FN_VOLATILE = 4, /* its result depends on more than its arguments */
};

struct DuckFunction {
    const char *name; /* silt_ and lower case letters, digits, _ */
    /*
     * Types of the arguments as in DDL, "any" for a type that only the call knows; "any..." or "string..." at the end for any number
     * more, also none. "" for no arguments.
     */
    const char *args;
    const char *result; /* DDL; NULL: from the name, see above */
    unsigned flags;
    /* Fill out for rows 0..rows-1 and return 0, or fail with fn_fail. May be called by several threads at once. */
    int (*eval)(FnCall *call, const Column *args, Column *out, int rows);
    /* Look at types and constants once per statement, leave call->data; a failure is a failure to prepare. NULL: nothing to do. */
    int (*prepare)(FnCall *call, SiltErr *err);
    /* Release call->data, also after a failed prepare. NULL: nothing to release. */
    void (*release)(void *data);
    const void *self; /* of a function that the tables do not hold (duck/extension.h); else NULL */
};

/* Rows that still need a value. */
#define FN_ROWS(row, out, rows)                                                                                                            \
    for (int row = 0; row < (rows); row++)                                                                                                 \
        if (!column_is_null((out), (uint64_t)row))

/* Arguments for %.*s that show a user's value in a message, cut when long. */
#define FN_SHOW(str) fn_show_size(str), (str).ptr
int fn_show_size(Str text);

/* Fail as INPUT at the call's position in this row, with Spark's error class. Returns -1. */
int fn_fail(FnCall *call, int row, const char *code, const char *fmt, ...) SILT_PRINTF(4, 5);
/* Pass on a failure of any kind, which gets the call's position if it has none. Returns -1. */
int fn_pass(FnCall *call, int row, const SiltErr *failure);

/*
 * Aggregates: the same, with a state per group. There is no prepare and no session (DuckDB gives none); types come with the columns.
 * Never use ORDER BY inside of an aggregate in C: DuckDB crashes; sort in the state instead.
 */
typedef struct DuckAggregate DuckAggregate;

typedef __int128 FnStateInt128 __attribute__((aligned(8)));

typedef struct AggCall {
    const DuckAggregate *aggregate;
    /* private */
    const Column *pos;
    SiltErr *err;
} AggCall;

struct DuckAggregate {
    const char *name, *args, *result; /* as above */
    unsigned flags;                   /* FN_NULLS: rows with NULL arguments are seen, else they are left out; FN_FAILS */
    size_t state_size;                /* zeroed before first use; aligned to 8 bytes only: FnStateInt128, not __int128 */
    /* Take one row into a state. */
    int (*update)(AggCall *call, void *state, const Column *args, int row);
    /* Take all of `from` into `into`. from is left as it is: with OVER one state is combined into several. */
    void (*combine)(void *into, void *from);
    /* Write the result, or column_set_null. The state stays (windows ask again). */
    int (*finish)(AggCall *call, void *state, Column *out, uint64_t row);
    /* Release what the state holds. NULL: nothing. */
    void (*destroy)(void *state);
};

/* The packed position of the call, in update: keep it in the state for a failure in finish. */
int64_t agg_pos(const AggCall *call, int row);
int agg_fail(AggCall *call, int64_t pos, const char *code, const char *fmt, ...) SILT_PRINTF(4, 5);
