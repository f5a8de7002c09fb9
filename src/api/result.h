#pragma once
/* api/result.h - the two kinds of SiltResult: a running query, and rows that were made here (`show`) */
#include "api/internal.h"
#include "pipeline/pipeline.h"

/* Takes the result over. text is where positions of failures point into: borrowed until the result is freed. */
SiltResult *api__result_of_query(PipelineResult *result, const ApiText *text);
/* A statement that gives no rows. */
SiltResult *api__result_nothing(void);

/* No rows after all: frees the result, whose arena has the errors, and gives the status of those in *problems. */
SiltStatus api__no_rows(SiltResult *result, const SiltProject *project, const SqlErrors *errors, SiltProblems **problems);

/* Rows by hand: first all columns, then the cells row by row. */
SiltResult *api__rows_new(void);
Arena *api__rows_arena(SiltResult *result);
void api__rows_column(SiltResult *result, const char *name, TypeKind kind); /* STRING, LONG or BOOLEAN */
void api__rows_text(SiltResult *result, const char *text);                  /* NULL: NULL */
void api__rows_count(SiltResult *result, int64_t number);                   /* < 0: NULL */
void api__rows_bool(SiltResult *result, bool value);
void api__rows_time(SiltResult *result, int64_t time_ms); /* < 0: NULL; RFC 3339 text in UTC */
