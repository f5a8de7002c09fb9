#pragma once
/* common.h - what all examples need: problems told, a statement run */
#include <silt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Say what went wrong, and leave with Silt's exit code. check(silt_...(.., &problems), &problems): arguments have no order, hence the pointer. */
static inline void check(SiltStatus status, SiltProblems **problems)
{
    for (int i = 0; i < silt_problems_count(*problems); i++) {
        const SiltProblem *problem = silt_problems_at(*problems, i);
        fprintf(stderr, "%s:%d:%d: %s\n", problem->file, problem->line, problem->column, problem->message);
    }
    silt_problems_free(*problems);
    *problems = NULL;
    if (status != SILT_DONE && status != SILT_END)
        exit(status);
}

/* The result of one statement; the script must outlive it. */
static inline SiltResult *run_sql(SiltSession *session, const char *sql, SiltScript **script)
{
    SiltProblems *problems;
    SiltResult *result = NULL;

    check(silt_script_open(session, "example", sql, strlen(sql), script, &problems), &problems);
    check(silt_script_next(*script, &result, &problems), &problems);
    return result;
}

static inline void print_rows(SiltResult *result)
{
    SiltProblems *problems;
    SiltStatus status;

    while ((status = silt_result_next(result, &problems)) == SILT_DONE) {
        for (int i = 0; i < silt_result_column_count(result); i++) {
            size_t size;
            const char *text = silt_result_text(result, i, &size);
            printf("%s%s=%s", i ? " " : "", silt_result_column_name(result, i), text ? text : "NULL");
        }
        puts("");
    }
    check(status, &problems);
}
