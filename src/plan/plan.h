#pragma once
/*
 * plan/plan.h - what an analyzed query needs in order to run: its inputs, and whether it can run step by step
 *
 * A streaming query is run as one SQL text per batch when every operator keeps no memory between batches. Everything else is
 * refused here, at its position: with Spark's class where Spark refuses it too, else with the words that it is not done yet.
 */
#include "delta/stream.h"
#include "delta/table.h"
#include "source/source.h"
#include "sql/sql.h"

typedef enum PlanInputKind {
    PLAN_INPUT_SOURCE, /* files and others behind source/source.h */
    PLAN_INPUT_DELTA,  /* a Delta table */
} PlanInputKind;

/* One data relation of a query. Its relation.owner points back here, relation.slot is its number among the inputs. */
typedef struct PlanInput {
    PlanInputKind kind;
    SqlRelation relation;
    bool streaming;
    SiltPos pos;
    /* SOURCE: owned by whoever made the input */
    Source *source;
    /* DELTA */
    const char *path;      /* folder of the table */
    DeltaTable *table;     /* NULL until somebody opens it; belongs to the input */
    DeltaStreamOptions stream;
    int64_t version;       /* VERSION AS OF, -1: the newest */
    int64_t timestamp_us;  /* TIMESTAMP AS OF, INT64_MIN: none */
} PlanInput;

/* Functions of time and chance in a query (views opened): they decide whether a view must be computed again. */
typedef struct PlanTraits {
    bool date;   /* current_date and nothing finer */
    bool clock;  /* current_timestamp and the like */
    bool random; /* another value at each call */
    const char *date_name, *clock_name, *random_name; /* the first function of each; NULL: none */
} PlanTraits;

PlanTraits plan_traits(const Query *query);
/* Whether the analyzed query reads any stream, views opened. */
bool plan_is_streaming(const Query *query);
/*
 * Can this streaming query run without keyed state? All reasons against it are added to errors. 0, or -1.
 */
int plan_check_stream(const Query *query, SqlErrors *errors);
/* A batch query must read no stream: not even in a subquery. Used by views of views; 0 or -1. */
int plan_check_batch(const Query *query, SqlErrors *errors);

/*
 * The place of a failure at run time that does not bear one: for SCALAR_SUBQUERY_TOO_MANY_ROWS the first scalar subquery of the query as it
 * stands in the text, for UNSUPPORTED_FEATURE the query. Leaves other failures, and those with a place, alone.
 */
void plan_place(const Query *query, SiltErr *err);

/*
 * DuckDB text of an analyzed query whose inputs read as texts[slot]. An input that the query reads more than once (through a common
 * table expression) is read once and kept: a stream cannot be pulled twice, and rows are counted once. origins, set_aside: SqlPrintOptions.
 */
void plan_print(StrBuf *out, const Query *query, const char *const *texts, int count, bool origins, bool set_aside);
