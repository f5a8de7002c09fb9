/*
 * cli/lint.c - `silt lint`: what another engine would refuse, one finding a place
 */
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"

int verb_lint(const Options *options)
{
    SiltProblems *problems = NULL;
    int refused = 0, total;

    SiltStatus status = silt_project_lint(&(SiltOpenOptions){.spec = options->spec}, options->profile, &problems);
    total = silt_problems_count(problems);
    for (int i = 0; i < total; i++)
        refused += strcmp(silt_problems_at(problems, i)->level, "error") == 0;
    int code = problems_report(status, problems);
    if (status != SILT_REFUSED)
        printf("%d refused, %d different\n", refused, total - refused);
    return code;
}
