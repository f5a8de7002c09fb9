/*
 * cli/version.c - `silt version`
 */
#include <stdio.h>
#include "cli/cli.h"

int verb_version(const Options *options)
{
    const char *name, *version;
    (void)options;

    printf("silt %s (commit %s)\n", silt_version(), silt_version_commit());
    for (int i = 0; silt_version_library(i, &name, &version); i++)
        printf("  %-10s %s\n", name, version);
    return EXIT_DONE;
}
