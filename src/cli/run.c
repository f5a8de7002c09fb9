/*
 * cli/run.c - `silt run` and `silt dry-run`
 */
#include "cli/cli.h"

static int run(const Options *options, bool dry)
{
    SiltProject *project = NULL;
    SiltProblems *problems = NULL;
    SiltRunOptions run = {
        .refresh = options->refresh.items,
        .refresh_count = options->refresh.count,
        .full_refresh = options->full_refresh.items,
        .full_refresh_count = options->full_refresh.count,
        .full_refresh_all = options->full_refresh_all,
        .continuous = options->continuous,
        .standby = options->standby,
        .metrics_listen = options->metrics_listen,
        .statsd = options->statsd,
        .statsd_prefix = options->statsd_prefix,
        .progress_path = options->progress,
        .event = progress_event,
        .progress = progress_batch,
    };

    if (options->full_refresh_all && (options->refresh.count || options->full_refresh.count))
        return cli_refuse("Name tables, or refresh all.", "--full-refresh-all cannot be combined with --refresh or --full-refresh");
    int r = cli_open_project(options, &project);
    if (r)
        return r;
    signals_stop_project(project);
    progress_begin(options->continuous);
    SiltStatus status = dry ? silt_project_dry_run(project, &run, &problems) : silt_project_run(project, &run, &problems);
    progress_end();
    signals_default();
    silt_project_free(project);
    return problems_report(status, problems);
}

int verb_run(const Options *options)
{
    return run(options, false);
}

int verb_dry_run(const Options *options)
{
    return run(options, true);
}
