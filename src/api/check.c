/*
 * api/check.c - what is said of a project without running it: its own tests
 */
#include "api/internal.h"
#include "api/project.h"

typedef struct Listener {
    const SiltProject *project;
    const SiltTestOptions *options;
} Listener;

/* NULL for no errors. */
static SiltProblems *problems_of(const SiltProject *project, const SqlErrors *errors)
{
    SiltProblems *problems = errors->count ? api__problems_new() : NULL;

    for (int i = 0; i < errors->count; i++)
        api__problems_add(problems, &errors->items[i], NULL, api__project_directory(project));
    return problems;
}

static void on_result(void *self, const PipelineTestResult *result)
{
    const Listener *listener = self;
    SiltProblems *problems = problems_of(listener->project, result->errors);
    SiltTestResult told = {
        .name = result->name,
        .passed = result->passed,
        .duration_us = result->duration_us,
        .report = result->report,
        .problems = problems,
    };

    listener->options->result(listener->options->self, &told);
    silt_problems_free(problems);
}

SiltStatus silt_project_test(SiltProject *project, const SiltTestOptions *options, SiltProblems **problems)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Listener listener = {project, options};
    PipelineTestOptions test = {.names = options->names, .name_count = options->name_count, .self = &listener, .result = on_result};
    SqlErrors errors = {.arena = arena};

    PipelineOutcome outcome = pipeline_test(api__project_pipeline(project), &test, &errors);
    *problems = problems_of(project, &errors);
    switch (outcome) {
    case PIPELINE_DONE:
        return SILT_DONE;
    case PIPELINE_FAILED:
        return SILT_FAILED;
    case PIPELINE_REFUSED:
        return SILT_REFUSED;
    case PIPELINE_STOPPED:
        return SILT_STOPPED;
    }
    return SILT_FAILED;
}
