/*
 * pipeline/trial.c - the tests of a project, one after the other
 */
#include "pipeline/trial.h"
#include <stdlib.h>
#include <string.h>

/* Do the errors of an update hold all that error.txt says? What they lack goes to report. */
static void check_failure(const TrialUpdate *update, const SqlErrors *errors, StrBuf *report)
{
    for (int i = 0; i < update->failure_count; i++) {
        bool found = false;
        for (int j = 0; j < errors->count && !found; j++)
            found = strstr(errors->items[j].message, update->failures[i]) || !strcmp(errors->items[j].code, update->failures[i]) ||
                    strstr(errors->items[j].hint, update->failures[i]);
        if (found)
            continue;
        str_buf_printf(report, "  no error of the update says \"%s\" (%s); there were:\n", update->failures[i], update->failure_file);
        for (int j = 0; j < errors->count; j++)
            str_buf_printf(report, "    %s%s%s\n", errors->items[j].code, *errors->items[j].code ? ": " : "", errors->items[j].message);
    }
}

/* T3: the same input again, in one update on another disk. */
static int check_batch(const TrialWorld *world, int update, StrBuf *report, SqlErrors *errors)
{
    TrialWorld *batch;
    int r = trial_world_new(world->project, world->trial, &batch, errors);

    if (r == 0 && trial_world_update(batch, 0, update, errors) != PIPELINE_DONE)
        r = -1;
    if (r == 0)
        r = trial_compare_with_batch(world, batch, update, report, errors);
    trial_world_free(batch);
    return r;
}

/* One update with all that is to hold after it. False: something did not. */
static bool run_update(TrialWorld *world, int number, bool *comparable, StrBuf *report, SqlErrors *errors)
{
    const Trial *trial = world->trial;
    const TrialUpdate *update = &trial->updates[number];
    SqlErrors failures = {.arena = errors->arena};
    PipelineOutcome outcome = trial_world_update(world, number, number, &failures);

    if (update->failure_file && outcome == PIPELINE_DONE)
        str_buf_printf(report, "  update %d did not fail (%s)\n", number + 1, update->failure_file);
    else if (update->failure_file)
        check_failure(update, &failures, report);
    else if (outcome != PIPELINE_DONE)
        *errors = failures;
    *comparable &= outcome == PIPELINE_DONE;
    if (errors->count || report->size)
        return false;
    trial_compare(world, number, report, errors);
    if (!errors->count && !report->size && number > 0 && trial->compare_with_batch && *comparable)
        check_batch(world, number, report, errors);
    return !errors->count && !report->size;
}

static void run_trial(const Pipeline *project, const Trial *trial, StrBuf *report, SqlErrors *errors)
{
    TrialWorld *world;
    bool going = trial_world_new(project, trial, &world, errors) == 0, comparable = true;

    for (int i = 0; going && i < trial->update_count && !atomic_load(&project->stop); i++)
        going = run_update(world, i, &comparable, report, errors);
    trial_world_free(world);
}

PipelineOutcome pipeline_test(Pipeline *pipeline, const PipelineTestOptions *options, SqlErrors *errors)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    bool all_passed = true;
    Trial *trials;
    int count;

    int r = trials_read(pipeline->io, arena, pipeline->spec, options->names, options->name_count, &trials, &count, errors);
    for (int i = 0; i < count; i++)
        if (trials[i].updates && trial_bind(arena, pipeline->graph, &trials[i], errors) < 0)
            r = -1;
    if (r < 0)
        return PIPELINE_REFUSED;
    for (int i = 0; i < count; i++) {
        silt_auto(arena_freep) Arena *of_trial = arena_new();
        silt_auto(str_buf_fini) StrBuf report = {0};
        SqlErrors failures = {.arena = of_trial};
        int64_t began_us = io_monotonic_us(pipeline->io);
        run_trial(pipeline, &trials[i], &report, &failures);
        if (atomic_load(&pipeline->stop))
            return PIPELINE_STOPPED;
        PipelineTestResult result = {
            .name = trials[i].name,
            .passed = !failures.count && !report.size,
            .duration_us = io_monotonic_us(pipeline->io) - began_us,
            .report = str_buf_text(&report),
            .errors = &failures,
        };
        all_passed &= result.passed;
        options->result(options->self, &result);
    }
    return all_passed ? PIPELINE_DONE : PIPELINE_FAILED;
}
