/* pipeline/pipeline.c - a project opened: spec, graph, engine; checks and runs are made from it */
#include "pipeline/pipeline.h"
#include "base/json.h"
#include "base/log.h"
#include "pipeline/internal.h"
#include "pipeline/report.h"
#include "pipeline/run.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

AnalysisOptions pipeline__analysis_options(const Pipeline *pipeline)
{
    return (AnalysisOptions){
        .io = pipeline->io,
        .engine = pipeline->engine,
        .spec = pipeline->spec,
        .graph = pipeline->graph,
        .directory = pipeline->directory,
        .warehouse = pipeline->warehouse,
        .extensions = &pipeline->extensions,
        .functions = pipeline->functions.sql,
    };
}

/* ---- opening ---- */

static const char *absolute(Arena *arena, const char *directory, const char *path)
{
    return *path == '/' ? path : arena_printf(arena, "%s/%s", directory, path);
}

static Pipeline *new_pipeline(Io *io, const char *directory)
{
    Pipeline *pipeline = silt_alloc(sizeof *pipeline);

    pipeline->io = io;
    pipeline->arena = arena_new();
    pipeline->directory = arena_strdup(pipeline->arena, directory);
    return pipeline;
}

static void take_extensions(Pipeline *pipeline, const PipelineExtensions *extensions)
{
    if (!extensions)
        return;
    pipeline->extensions = *extensions;
    pipeline->functions = extensions_functions(pipeline->arena, extensions);
}

static void make_engine(Pipeline *pipeline)
{
    const Conf *conf = pipeline->spec ? pipeline->spec->conf : NULL;
    DuckOptions options = {
        .memory_bytes_max = conf_size_bytes(conf, "silt.memory", 0),
        .threads = (int)conf_int(conf, "silt.threads", 0),
        .functions = pipeline->functions.duck,
        .function_count = pipeline->extensions.function_count,
    };

    if (pipeline->spec) /* made only when something is spilled */
        options.spill_directory = arena_printf(pipeline->arena, "%s/_silt/spill", pipeline->spec->storage_path);
    pipeline->engine = duck_engine_new(&options);
    pipeline->own_engine = true;
}

static int find_spec(Pipeline *pipeline, const PipelineOptions *options, const char **path, SqlErrors *errors)
{
    SiltErr err;
    int r;

    if (options->spec) {
        *path = absolute(pipeline->arena, pipeline->directory, options->spec);
        return 0;
    }
    r = spec_find(options->io, pipeline->arena, pipeline->directory, path, &err);
    if (r)
        sql_errors_add(errors, &err);
    return r ? -1 : 0;
}

/* What is said only because statements are missing that could not be read. */
static bool follows(const SiltErr *err)
{
    return !strcmp(err->code, "TABLE_OR_VIEW_NOT_FOUND") || !strcmp(err->code, "RUN_EMPTY_PIPELINE");
}

/* Errors of meaning of the statements that could be read, beside those of grammar of the others: all in one go. */
static void check_the_rest(Pipeline *pipeline, SqlErrors *errors)
{
    const Graph *graph = pipeline->graph;
    AnalysisOptions options = pipeline__analysis_options(pipeline);
    Analysis *analysis = analysis_new(&options);
    FlowQuery **queries = silt_alloc(sizeof *queries * (size_t)(graph->flow_count + 1));
    int from = errors->count, kept = from;

    analysis_graph(analysis, queries, errors);
    for (int i = from; i < errors->count; i++)
        if (!follows(&errors->items[i]))
            errors->items[kept++] = errors->items[i];
    errors->count = kept;
    for (int i = 0; i < graph->flow_count; i++)
        flow_query_free(queries[i]);
    free(queries);
    analysis_free(analysis);
}

int pipeline_open(const PipelineOptions *options, Pipeline **out, SqlErrors *errors)
{
    Pipeline *pipeline = new_pipeline(options->io, options->directory);
    const char *path;

    *out = NULL;
    pipeline->threads = options->threads;
    take_extensions(pipeline, options->extensions);
    int r = find_spec(pipeline, options, &path, errors);
    if (r == 0)
        r = spec_load(options->io, pipeline->arena, path, options->overrides, options->override_count, &pipeline->spec, errors);
    bool readable = r == 0;
    int before = errors->count;
    if (pipeline->spec) /* after a bad spec the SQL files are looked at too */
        if (graph_build(options->io, pipeline->arena, pipeline->spec, &pipeline->graph, errors) < 0)
            r = -1;
    if (r < 0) {
        pipeline->broken = true;
        *out = pipeline; /* for the texts of its files */
        if (!readable || !pipeline->graph || errors->count - before > pipeline->graph->grammar_errors)
            return -1;
    }
    pipeline->directory = pipeline->spec->directory;
    pipeline->warehouse = pipeline->spec->warehouse;
    if (options->engine)
        pipeline->engine = options->engine;
    else
        make_engine(pipeline);
    if (r < 0) {
        check_the_rest(pipeline, errors);
        return -1;
    }
    *out = pipeline;
    return 0;
}

Pipeline *pipeline_open_empty(Io *io, const char *directory, const PipelineExtensions *extensions)
{
    Pipeline *pipeline = new_pipeline(io, directory);

    take_extensions(pipeline, extensions);
    pipeline->warehouse = arena_printf(pipeline->arena, "%s/spark-warehouse", directory);
    make_engine(pipeline);
    return pipeline;
}

void pipeline_close(Pipeline *pipeline)
{
    if (!pipeline)
        return;
    if (pipeline->own_engine)
        duck_engine_free(pipeline->engine);
    arena_free(pipeline->arena);
    free(pipeline);
}

const PipelineSpec *pipeline_spec(const Pipeline *pipeline)
{
    return pipeline->spec;
}

static bool find_text(const Pipeline *pipeline, const char *file, Str *out)
{
    const Graph *graph = pipeline->graph;
    SiltErr err;

    for (int i = 0; graph && i < graph->file_count; i++) {
        if (!strcmp(graph->files[i].name, file)) {
            *out = graph->files[i].text;
            return true;
        }
    }
    if (!pipeline->spec || !strstr(pipeline->spec->path, file))
        return false;
    return io_read(pipeline->io, pipeline->spec->path, pipeline->arena, out, &err) == 0;
}

const char *pipeline_source_line(const Pipeline *pipeline, const char *file, int line, size_t *size)
{
    Str text;

    if (!pipeline || line < 1 || !find_text(pipeline, file, &text))
        return NULL;
    const char *at = text.ptr, *end = text.ptr + text.size;
    for (; line > 1; line--) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return NULL;
        at++;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *size = (size_t)((stop ? stop : end) - at);
    if (*size && at[*size - 1] == '\r')
        --*size;
    return at;
}

/* ---- dry-run and run ---- */

/* What reading the project passed over: that is for those who run it, not for each query of its tables. */
static void tell_notices(const PipelineSpec *spec)
{
    for (int i = 0; i < spec->notice_count; i++)
        LOG(LOG_WARN, "project.notice", LOG_TEXT("message", spec->notices[i]));
}

int pipeline_check(Pipeline *pipeline, const PipelineCallbacks *callbacks, SqlErrors *errors)
{
    const Graph *graph = pipeline->graph;
    AnalysisOptions options = pipeline__analysis_options(pipeline);
    Analysis *analysis = analysis_new(&options);
    FlowQuery **queries = silt_alloc(sizeof *queries * (size_t)(graph->flow_count + 1));
    tell_notices(pipeline->spec);
    int r = analysis_graph(analysis, queries, errors);

    for (int i = 0; i < graph->flow_count; i++) {
        const GraphFlow *flow = graph->flows[i];
        if (!queries[i] && analysis_failed_upstream(analysis, flow))
            report_to_callbacks(pipeline->io, callbacks, PIPELINE_ERROR, flow, "FAILED", "Failed to resolve flow due to upstream failure: '%s'.", flow->name);
        else if (!queries[i])
            report_to_callbacks(pipeline->io, callbacks, PIPELINE_ERROR, flow, "FAILED", "Failed to resolve flow: '%s'.", flow->name);
        flow_query_free(queries[i]);
    }
    if (r == 0)
        report_to_callbacks(pipeline->io, callbacks, PIPELINE_INFO, NULL, "COMPLETED", "Run is COMPLETED.");
    free(queries);
    analysis_free(analysis);
    return r;
}

PipelineOutcome pipeline_run(Pipeline *pipeline, const PipelineRunOptions *options, SqlErrors *errors)
{
    AnalysisOptions analysis_options = pipeline__analysis_options(pipeline);
    Analysis *analysis = analysis_new(&analysis_options);
    RunWorld world = {
        .io = pipeline->io,
        .engine = pipeline->engine,
        .arena = arena_new(),
        .spec = pipeline->spec,
        .graph = pipeline->graph,
        .analysis = analysis,
        .stop = &pipeline->stop,
        .watch = &pipeline->watch,
        .threads = pipeline->threads,
    };
    tell_notices(pipeline->spec);
    PipelineOutcome outcome = run_update(&world, options, errors);

    analysis_free(analysis);
    arena_free(world.arena);
    return outcome;
}

void pipeline_stop(Pipeline *pipeline)
{
    atomic_store(&pipeline->stop, true);
    io_watch_wake(atomic_load(&pipeline->watch));
}
