/*
 * cli/show.c - `silt show tables|flows|state`
 */
#include <string.h>
#include "cli/cli.h"

int verb_show(const Options *options)
{
    static const char *const known[] = {"tables", "flows", "state"};
    const char *what = options->arguments.items[0];
    SiltProject *project = NULL;
    SiltResult *result = NULL;
    SiltProblems *problems = NULL;

    if (strcmp(what, "tables") != 0 && strcmp(what, "flows") != 0 && strcmp(what, "state") != 0) {
        const char *nearest = silt_nearest(what, known, 3);
        return cli_refuse(nearest ? cli_hint("Did you mean \"%s\"?", nearest) : "There are tables, flows and state.", "cannot show \"%s\"",
                          what);
    }
    int r = cli_open_project(options, &project);
    if (r)
        return r;
    SiltStatus status = silt_project_show(project, what, &result, &problems);
    if (status == SILT_DONE)
        status = output_result(result, options->format, false, &problems);
    silt_result_free(result);
    silt_project_free(project);
    return problems_report(status, problems);
}
