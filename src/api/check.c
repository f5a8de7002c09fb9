/*
 * api/check.c - what is said of a project without running it: by its own tests, by the rules of other engines, and what its flows do
 */
#include "api/internal.h"
#include "api/project.h"
#include "api/result.h"
#include "base/uri.h"
#include "pipeline/lint.h"

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

SiltStatus silt_project_lint(const SiltOpenOptions *options, const char *profile, SiltProblems **problems)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char *directory = NULL, *spec = NULL;
    SqlErrors errors = {.arena = arena};
    SiltStatus status = SILT_DONE;
    LintFindings findings = {0};
    Io *io = io_new_local();
    SiltErr err;

    *problems = NULL;
    if (api__find_spec(io, arena, options, &directory, &spec, &err) < 0) {
        status = api__fail(problems, &err, false, NULL, directory);
    } else if (lint_project(io, spec, profile, &findings, &errors) < 0) {
        status = api__fail_many(problems, &errors, false, NULL, path_parent(arena, spec));
    } else if (findings.count) {
        *problems = api__problems_new();
        for (int i = 0; i < findings.count; i++) {
            (findings.items[i].refused ? api__problems_add : api__problems_warn)(*problems, &findings.items[i].error, NULL, path_parent(arena, spec));
            status = findings.items[i].refused ? SILT_FAILED : status;
        }
    }
    io_free(io);
    return status;
}

SiltStatus silt_project_explain(SiltProject *project, const char *table, SiltResult **out, SiltProblems **problems)
{
    SiltResult *result = api__rows_new();
    Arena *arena = api__rows_arena(result);
    SqlErrors errors = {.arena = arena};
    PipelineFact *facts;
    int count;

    *problems = NULL;
    if (pipeline_explain(api__project_pipeline(project), table, arena, &facts, &count, &errors) < 0)
        return api__no_rows(result, project, &errors, problems);
    api__rows_column(result, "table", TYPE_STRING);
    api__rows_column(result, "flow", TYPE_STRING);
    api__rows_column(result, "topic", TYPE_STRING);
    api__rows_column(result, "detail", TYPE_STRING);
    for (int i = 0; i < count; i++) {
        api__rows_text(result, facts[i].table);
        api__rows_text(result, facts[i].flow);
        api__rows_text(result, facts[i].topic);
        api__rows_text(result, facts[i].detail);
    }
    *out = result;
    return SILT_DONE;
}
