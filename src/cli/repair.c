/* cli/repair.c - `silt recover` */
#include "cli/cli.h"

int verb_recover(const Options *options)
{
    SiltProject *project = NULL;
    SiltResult *result = NULL;
    SiltProblems *problems = NULL;

    int r = cli_open_project(options, &project);
    if (r)
        return r;
    SiltStatus status = silt_project_recover(project, options->arguments.items[0], &result, &problems);
    if (status == SILT_DONE)
        status = output_result(result, options->format, false, &problems);
    silt_result_free(result);
    silt_project_free(project);
    return problems_report(status, problems);
}
