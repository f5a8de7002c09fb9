/*
 * cli/test.c - `silt test [NAME...]`: a line for each test, what differs below it, and how many passed
 */
#include <stdio.h>
#include "cli/cli.h"

typedef struct Counts {
    int passed, failed;
} Counts;

static void on_result(void *self, const SiltTestResult *result)
{
    Counts *counts = self;

    counts->passed += result->passed;
    counts->failed += !result->passed;
    printf("%-6s  %s  %.0f ms\n%s", result->passed ? "ok" : "FAILED", result->name, (double)result->duration_us / 1000, result->report);
    fflush(stdout); /* before what goes to stderr */
    for (int i = 0; i < silt_problems_count(result->problems); i++)
        problem_print(silt_problems_at(result->problems, i));
}

int verb_test(const Options *options)
{
    Counts counts = {0};
    SiltProject *project = NULL;
    SiltProblems *problems = NULL;
    SiltTestOptions test = {
        .names = options->arguments.items,
        .name_count = options->arguments.count,
        .self = &counts,
        .result = on_result,
    };

    int r = cli_open_project(options, &project);
    if (r)
        return r;
    signals_stop_project(project);
    SiltStatus status = silt_project_test(project, &test, &problems);
    signals_default();
    silt_project_free(project);
    if (status != SILT_REFUSED)
        printf("%d passed, %d failed\n", counts.passed, counts.failed);
    return problems_report(status, problems);
}
