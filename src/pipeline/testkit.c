/* pipeline/testkit.c - runs projects for tests and shows what came of it */
#include "pipeline/testkit.h"
#include "duck/render.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[512];

const char *test_scratch(void)
{
    if (!scratch[0])
        snprintf(scratch, sizeof scratch, "%s/silt-test-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
    return scratch;
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *walk)
{
    (void)stat, (void)type, (void)walk;
    return remove(path);
}

void test_scratch_remove(void)
{
    nftw(test_scratch(), remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void append(char *buffer, size_t size, const char *text)
{
    size_t used = strlen(buffer);

    snprintf(buffer + used, size - used, "%s\n", text);
}

void test_put(TestProject *project, const char *name, const char *text)
{
    char path[1024];
    SiltErr err;

    snprintf(path, sizeof path, "%s/%s", project->directory, name);
    if (io_put(project->io, path, str_of(text), &err) < 0) {
        fprintf(stderr, "could not write %s: %s\n", path, err.message);
        abort();
    }
}

void test_project(TestProject *project, const char *configuration, const char *sql)
{
    silt_auto(str_buf_fini) StrBuf spec = {0};

    str_buf_printf(&spec, "name: test\nstorage: file://%s/storage\n", project->directory);
    if (configuration && *configuration)
        str_buf_printf(&spec, "configuration:\n%s", configuration);
    str_buf_puts(&spec, "libraries:\n- glob: {include: transformations/**}\n");
    test_put(project, "spark-pipeline.yml", str_buf_text(&spec));
    test_put(project, "transformations/all.sql", sql);
}

static void take_errors(TestProject *project, const SqlErrors *errors)
{
    for (int i = 0; i < errors->count; i++) {
        const SiltErr *err = &errors->items[i];
        char line[4096];
        snprintf(line, sizeof line, "%s %s:%d:%d %s. %s", err->code, err->file, err->line, err->column, err->message, err->hint);
        append(project->errors, sizeof project->errors, line);
    }
}

static void take_event(void *self, const PipelineEvent *event)
{
    TestProject *project = self;

    append(project->events, sizeof project->events, event->message);
}

static void take_progress(void *self, const PipelineProgress *progress)
{
    TestProject *project = self;

    project->batches++;
    append(project->progress, sizeof project->progress, progress->json);
}

static Pipeline *open_project(TestProject *project, Arena *arena, SqlErrors *errors)
{
    PipelineOptions options = {.io = project->io, .directory = project->directory, .engine = project->engine, .threads = project->threads ? project->threads : 1,
                               .extensions = project->extensions};
    Pipeline *pipeline = NULL;

    *errors = (SqlErrors){.arena = arena};
    project->errors[0] = project->events[0] = project->progress[0] = 0;
    project->batches = 0;
    if (pipeline_open(&options, &pipeline, errors) == 0)
        return pipeline;
    take_errors(project, errors);
    pipeline_close(pipeline);
    return NULL;
}

PipelineOutcome test_run(TestProject *project, const PipelineRunOptions *options)
{
    Arena *arena = arena_new();
    SqlErrors errors;
    Pipeline *pipeline = open_project(project, arena, &errors);
    PipelineRunOptions run = options ? *options : (PipelineRunOptions){0};

    project->outcome = PIPELINE_REFUSED;
    if (pipeline) {
        run.callbacks = (PipelineCallbacks){project, take_event, take_progress};
        project->outcome = pipeline_run(pipeline, &run, &errors);
        take_errors(project, &errors);
        pipeline_close(pipeline);
    }
    arena_free(arena);
    return project->outcome;
}

int test_check(TestProject *project)
{
    Arena *arena = arena_new();
    SqlErrors errors;
    Pipeline *pipeline = open_project(project, arena, &errors);
    PipelineCallbacks callbacks = {project, take_event, NULL};
    int r = -1;

    if (pipeline) {
        r = pipeline_check(pipeline, &callbacks, &errors);
        take_errors(project, &errors);
        pipeline_close(pipeline);
    }
    arena_free(arena);
    return r;
}

int test_recover(TestProject *project, const char *table)
{
    Arena *arena = arena_new();
    SqlErrors errors;
    Pipeline *pipeline = open_project(project, arena, &errors);
    PipelineRecovery *flows;
    int count, r = -1;

    if (pipeline) {
        r = pipeline_recover(pipeline, table, arena, &flows, &count, &errors);
        take_errors(project, &errors);
        pipeline_close(pipeline);
    }
    arena_free(arena);
    return r;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int collect(PipelineResult *result, Arena *arena, StrBuf *out, SiltErr *err)
{
    char **lines = NULL;
    int count = 0, capacity = 0;
    Chunk *chunk;

    for (;;) {
        SILT_TRY(result->reader.next(result->reader.self, &chunk, err));
        if (!chunk)
            break;
        for (int row = 0; row < chunk_row_count(chunk); row++) {
            silt_auto(str_buf_fini) StrBuf line = {0};
            for (int i = 0; i < result->column_count; i++) {
                str_buf_puts(&line, i ? "|" : "");
                render_json(&line, chunk_column(chunk, i), (uint64_t)row, NULL);
            }
            char *text = arena_strdup(arena, str_buf_text(&line));
            ARENA_PUSH(arena, lines, count, capacity, text);
        }
        chunk_unref(chunk);
    }
    if (count)
        qsort(lines, (size_t)count, sizeof *lines, compare);
    for (int i = 0; i < count; i++)
        str_buf_printf(out, "%s%s", i ? "\n" : "", lines[i]);
    return 0;
}

const char *test_query(TestProject *project, Arena *arena, const char *sql)
{
    SqlErrors errors;
    Pipeline *pipeline = open_project(project, arena, &errors);
    PipelineSession *session = NULL;
    PipelineResult *result = NULL;
    silt_auto(str_buf_fini) StrBuf out = {0};
    Query *query;
    SiltErr err;

    if (!pipeline)
        return arena_printf(arena, "ERROR %s", project->errors);
    if (sql_parse_query(arena, "query", str_of(sql), &query, &err) < 0 || pipeline_session_open(pipeline, &session, &err) < 0) {
        str_buf_printf(&out, "ERROR %s", err.message);
    } else if (pipeline_session_query(session, query, &result, &errors) < 0) {
        str_buf_printf(&out, "ERROR %s %s", errors.items[0].code, errors.items[0].message);
    } else if (collect(result, arena, &out, &err) < 0) {
        str_buf_clear(&out);
        str_buf_printf(&out, "ERROR %s", err.message);
    }
    pipeline_result_free(result);
    pipeline_session_close(session);
    pipeline_close(pipeline);
    return arena_strdup(arena, str_buf_text(&out));
}
