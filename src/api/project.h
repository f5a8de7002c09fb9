#pragma once
/* api/project.h - what sessions need of a project */
#include "pipeline/pipeline.h"
#include "silt.h"

Pipeline *api__project_pipeline(SiltProject *project);          /* owned by the project */
const char *api__project_directory(const SiltProject *project); /* of the spec file, for finding source lines */
/* The spec file that the options name or that rules their directory, absolute, in arena. */
int api__find_spec(Io *io, Arena *arena, const SiltOpenOptions *options, const char **directory, const char **spec, SiltErr *err);
