/*
 * api/project.c - projects: open, check, run, stop, show
 *
 * The pipeline floor does the work; here its failures become problems with their source lines, and its progress records
 * also go to a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "api/extensions.h"
#include "api/internal.h"
#include "api/project.h"
#include "api/result.h"
#include "io/io.h"
#include "pipeline/pipeline.h"

struct SiltProject {
    Io *io;
    Arena *arena;
    Pipeline *pipeline;
    const char *directory; /* of the spec file */
};

Pipeline *api__project_pipeline(SiltProject *project)
{
    return project->pipeline;
}

const char *api__project_directory(const SiltProject *project)
{
    return project->directory;
}

/* The absolute form of a directory; NULL: the working directory. */
static int absolute(Arena *arena, const char *directory, const char **out, SiltErr *err)
{
    char *path = realpath(directory ? directory : ".", NULL);

    if (!path)
        return silt_fail_errno(err, errno, "could not find \"%s\"", directory ? directory : ".");
    *out = arena_strdup(arena, path);
    free(path);
    return 0;
}

static const char *folder_of(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(arena, path, slash == path ? 1 : (size_t)(slash - path)) : ".";
}

int silt_project_find(const char *directory, char **out)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Io *io = io_new_local();
    const char *from = NULL, *path = NULL;
    SiltErr err;

    bool found = absolute(arena, directory, &from, &err) == 0;
    /* Two spec files in one folder: found, and opening says what is wrong. */
    found = found && spec_find(io, arena, from, &path, &err) <= 0;
    io_free(io);
    if (found)
        *out = silt_strdup(path ? path : from);
    return found;
}

static int split_conf(Arena *arena, const SiltOpenOptions *options, SpecOverride **out, SiltErr *err)
{
    SpecOverride *overrides = ARENA_ARRAY(arena, SpecOverride, options->conf_count + 1);

    for (int i = 0; i < options->conf_count; i++) {
        const char *equals = strchr(options->conf[i], '=');
        if (!equals || equals == options->conf[i]) {
            silt_fail(err, SILT_CONFIG, "\"%s\" sets no key", options->conf[i]);
            return silt_hint(err, "Write key=value.");
        }
        overrides[i].key = arena_strndup(arena, options->conf[i], (size_t)(equals - options->conf[i]));
        overrides[i].value = arena_strdup(arena, equals + 1);
    }
    *out = overrides;
    return 0;
}

int api__find_spec(Io *io, Arena *arena, const SiltOpenOptions *options, const char **directory, const char **spec, SiltErr *err)
{
    SILT_TRY(io_check(io, err));
    SILT_TRY(absolute(arena, options->directory, directory, err));
    *spec = options->spec;
    if (*spec && **spec != '/')
        *spec = arena_printf(arena, "%s/%s", *directory, *spec);
    return *spec ? 0 : spec_find(io, arena, *directory, spec, err) == 0 ? 0 : -1;
}

/* Everything of silt_project_open that can fail with one error; pipeline_open may find many. */
static int prepare(SiltProject *project, const SiltOpenOptions *options, PipelineOptions *out, SiltErr *err)
{
    Arena *arena = project->arena;
    const char *directory = NULL, *spec = NULL;
    SpecOverride *overrides = NULL;

    SILT_TRY(api__find_spec(project->io, arena, options, &directory, &spec, err));
    SILT_TRY(split_conf(arena, options, &overrides, err));
    project->directory = folder_of(arena, spec);
    *out = (PipelineOptions){
        .io = project->io,
        .spec = spec,
        .directory = directory,
        .overrides = overrides,
        .override_count = options->conf_count,
        .extensions = api__extensions(options->extensions),
    };
    return 0;
}

SiltStatus silt_project_open(const SiltOpenOptions *options, SiltProject **out, SiltProblems **problems)
{
    SiltProject *project = silt_alloc(sizeof(*project));
    PipelineOptions open;
    SiltStatus status = SILT_DONE;
    SiltErr err;

    *problems = NULL;
    project->io = io_new_local();
    project->arena = arena_new();
    SqlErrors errors = {.arena = project->arena};
    if (prepare(project, options, &open, &err) < 0)
        status = api__fail(problems, &err, false, NULL, project->directory);
    else if (pipeline_open(&open, &project->pipeline, &errors) < 0)
        status = api__fail_many(problems, &errors, false, NULL, project->directory);
    if (status != SILT_DONE) {
        silt_project_free(project);
        return status;
    }
    *out = project;
    return SILT_DONE;
}

void silt_project_free(SiltProject *project)
{
    if (!project)
        return;
    pipeline_close(project->pipeline);
    io_free(project->io);
    arena_free(project->arena);
    free(project);
}

const char *silt_project_name(const SiltProject *project)
{
    return pipeline_spec(project->pipeline)->name;
}

/* ---- running ---- */

/* One run's listeners: the caller's callbacks, and the file of progress records. */
typedef struct Listener {
    const SiltProject *project;
    const SiltRunOptions *options;
    int progress_fd; /* -1: none */
    bool progress_broken;
} Listener;

/* A failure of a running flow, with what the next run will do about it. */
static SiltErr with_outlook(const SiltErr *err)
{
    SiltErr told = *err;
    const char *outlook = "";

    switch (err->kind) {
    case SILT_TRANSIENT:
        outlook = "The table is at its last sealed batch; a new `silt run` takes this batch up again and may succeed.";
        break;
    case SILT_INPUT:
    case SILT_CONFIG:
        outlook =
            "The table is at its last sealed batch; a new `silt run` takes this batch up again, and fails again until the cause is gone.";
        break;
    case SILT_CORRUPT:
        outlook = "Nothing was changed; a new `silt run` fails in the same way until the damage is repaired.";
        break;
    case SILT_CANCELLED:
        return told;
    }
    silt_hint(&told, "%s%s%s", err->hint, err->hint[0] ? " " : "", outlook);
    return told;
}

static void tell(const Listener *listener, SiltEvent *event, const SiltErr *err)
{
    SiltProblems *problems = NULL;

    if (!listener->options->event)
        return;
    if (err) {
        SiltErr told = with_outlook(err);
        problems = api__problems_new();
        api__problems_add(problems, &told, NULL, listener->project->directory);
        event->problem = silt_problems_at(problems, 0);
    }
    listener->options->event(listener->options->self, event);
    silt_problems_free(problems);
}

static void on_event(void *self, const PipelineEvent *event)
{
    static const SiltLevel levels[] = {
        [PIPELINE_INFO] = SILT_LEVEL_INFO, [PIPELINE_WARN] = SILT_LEVEL_WARN, [PIPELINE_ERROR] = SILT_LEVEL_ERROR};
    SiltEvent told = {
        .time_us = event->time_us,
        .level = levels[event->level],
        .flow = event->flow,
        .dataset = event->dataset,
        .status = event->status,
        .message = event->message,
    };

    tell(self, &told, event->error);
}

/* A whole line by one write, so that readers and other writers never see a part of one. */
static int append_line(int fd, const char *json)
{
    silt_auto(str_buf_fini) StrBuf line = {0};
    size_t done = 0;

    str_buf_puts(&line, json);
    str_buf_putc(&line, '\n');
    while (done < line.size) {
        ssize_t n = write(fd, line.ptr + done, line.size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        done += (size_t)n;
    }
    return 0;
}

static void on_progress(void *self, const PipelineProgress *progress)
{
    Listener *listener = self;
    const SiltRunOptions *options = listener->options;

    if (listener->progress_fd >= 0 && !listener->progress_broken && append_line(listener->progress_fd, progress->json) < 0) {
        SiltErr err;
        silt_fail_errno(&err, errno, "could not write progress to \"%s\"", options->progress_path);
        SiltEvent event = {.time_us = io_now_us(listener->project->io), .level = SILT_LEVEL_WARN, .message = err.message};
        tell(listener, &event, NULL);
        listener->progress_broken = true; /* said once; the tables matter more */
    }
    if (options->progress)
        options->progress(options->self, &(SiltProgress){
                                             .flow = progress->flow,
                                             .batch_id = progress->batch_id,
                                             .input_rows = progress->input_rows,
                                             .output_rows = progress->output_rows,
                                             .set_aside_rows = progress->set_aside_rows,
                                             .duration_ms = progress->duration_ms,
                                             .json = progress->json,
                                         });
}

/* Open for appending. A line that a killed process left half-written is ended first. */
static int open_progress(const char *path, int *out, SiltErr *err)
{
    char last;

    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return silt_fail_errno(err, errno, "could not open \"%s\"", path);
    off_t size = lseek(fd, 0, SEEK_END);
    if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n' && append_line(fd, "") < 0) {
        silt_fail_errno(err, errno, "could not write to \"%s\"", path);
        close(fd);
        return -1;
    }
    *out = fd;
    return 0;
}

static SiltStatus finish(const SiltProject *project, PipelineOutcome outcome, const SqlErrors *errors, SiltProblems **problems)
{
    static const SiltStatus statuses[] = {
        [PIPELINE_DONE] = SILT_DONE, [PIPELINE_FAILED] = SILT_FAILED, [PIPELINE_REFUSED] = SILT_REFUSED, [PIPELINE_STOPPED] = SILT_STOPPED};

    *problems = errors->count > 0 ? api__problems_new() : NULL;
    for (int i = 0; i < errors->count; i++) {
        SiltErr told = outcome == PIPELINE_FAILED ? with_outlook(&errors->items[i]) : errors->items[i];
        api__problems_add(*problems, &told, NULL, project->directory);
    }
    return statuses[outcome];
}

SiltStatus silt_project_dry_run(SiltProject *project, const SiltRunOptions *options, SiltProblems **problems)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Listener listener = {.project = project, .options = options, .progress_fd = -1};
    PipelineCallbacks callbacks = {.self = &listener, .event = on_event};
    SqlErrors errors = {.arena = arena};

    *problems = NULL;
    int r = pipeline_check(project->pipeline, &callbacks, &errors);
    return finish(project, r < 0 ? PIPELINE_REFUSED : PIPELINE_DONE, &errors, problems);
}

SiltStatus silt_project_run(SiltProject *project, const SiltRunOptions *options, SiltProblems **problems)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Listener listener = {.project = project, .options = options, .progress_fd = -1};
    SqlErrors errors = {.arena = arena};
    SiltErr err;
    PipelineRunOptions run = {
        .refresh = options->refresh,
        .refresh_count = options->refresh_count,
        .full_refresh = options->full_refresh,
        .full_refresh_count = options->full_refresh_count,
        .full_refresh_all = options->full_refresh_all,
        .continuous = options->continuous,
        .standby = options->standby,
        .metrics_listen = options->metrics_listen,
        .statsd = options->statsd,
        .statsd_prefix = options->statsd_prefix,
        .callbacks = {.self = &listener, .event = on_event, .progress = on_progress},
    };

    *problems = NULL;
    if (options->progress_path && open_progress(options->progress_path, &listener.progress_fd, &err) < 0)
        return api__fail(problems, &err, false, NULL, NULL);
    PipelineOutcome outcome = pipeline_run(project->pipeline, &run, &errors);
    if (listener.progress_fd >= 0)
        close(listener.progress_fd);
    return finish(project, outcome, &errors, problems);
}

void silt_project_stop(SiltProject *project)
{
    pipeline_stop(project->pipeline);
}

/* ---- looking ---- */

static int show_tables(SiltProject *project, SiltResult *result, SiltErr *err)
{
    Arena *arena = api__rows_arena(result);
    PipelineTableInfo *tables;
    int count;

    SILT_TRY(pipeline_tables(project->pipeline, arena, &tables, &count, err));
    api__rows_column(result, "table", TYPE_STRING);
    api__rows_column(result, "kind", TYPE_STRING);
    api__rows_column(result, "version", TYPE_LONG);
    api__rows_column(result, "rows", TYPE_LONG);
    api__rows_column(result, "files", TYPE_LONG);
    api__rows_column(result, "bytes", TYPE_LONG);
    api__rows_column(result, "misfit_fields", TYPE_LONG);
    api__rows_column(result, "unknown_fields", TYPE_LONG);
    api__rows_column(result, "repaired", TYPE_LONG);
    api__rows_column(result, "last_commit", TYPE_STRING);
    api__rows_column(result, "path", TYPE_STRING);
    for (int i = 0; i < count; i++) {
        const PipelineTableInfo *table = &tables[i];
        api__rows_text(result, table->name);
        api__rows_text(result, table->kind);
        api__rows_count(result, table->version);
        api__rows_count(result, table->rows);
        api__rows_count(result, table->files);
        api__rows_count(result, table->size_bytes);
        api__rows_count(result, table->misfit_fields);
        api__rows_count(result, table->unknown_fields);
        api__rows_count(result, table->repaired);
        api__rows_time(result, table->modified_ms);
        api__rows_text(result, table->path);
    }
    return 0;
}

/* state: the same flows, seen from what each keeps on disk. */
static int show_flows(SiltProject *project, bool state, SiltResult *result, SiltErr *err)
{
    Arena *arena = api__rows_arena(result);
    PipelineFlowInfo *flows;
    int count;

    SILT_TRY(pipeline_flows(project->pipeline, arena, &flows, &count, err));
    api__rows_column(result, "flow", TYPE_STRING);
    api__rows_column(result, "table", TYPE_STRING);
    api__rows_column(result, "last_batch", TYPE_LONG);
    api__rows_column(result, "last_batch_at", TYPE_STRING);
    api__rows_column(result, "pending", TYPE_BOOLEAN);
    if (state) {
        api__rows_column(result, "query_id", TYPE_STRING);
        api__rows_column(result, "checkpoint", TYPE_STRING);
    }
    for (int i = 0; i < count; i++) {
        const PipelineFlowInfo *flow = &flows[i];
        api__rows_text(result, flow->name);
        api__rows_text(result, flow->table);
        api__rows_count(result, flow->last_batch);
        api__rows_time(result, flow->last_batch_ms);
        api__rows_bool(result, flow->pending);
        if (state) {
            api__rows_text(result, flow->query_id);
            api__rows_text(result, flow->checkpoint);
        }
    }
    return 0;
}

SiltStatus silt_project_show(SiltProject *project, const char *what, SiltResult **out, SiltProblems **problems)
{
    SiltResult *result = api__rows_new();
    SiltErr err;
    int r;

    *problems = NULL;
    if (strcmp(what, "tables") == 0)
        r = show_tables(project, result, &err);
    else if (strcmp(what, "flows") == 0 || strcmp(what, "state") == 0)
        r = show_flows(project, strcmp(what, "state") == 0, result, &err);
    else
        r = silt_fail(&err, SILT_CONFIG, "cannot show \"%s\"", what);
    if (r < 0) {
        silt_result_free(result);
        return api__fail(problems, &err, true, NULL, project->directory);
    }
    *out = result;
    return SILT_DONE;
}
