/*
 * pipeline/trial_world.c - the project on a simulated disk (T1)
 *
 * The spec and the SQL files lie under their real names, so that errors name what the user knows; statements that the test does not run
 * (T2) are blanked out of the texts. A table that is given is made before the project's update, by a project of its own whose flows read
 * the files of rows; the project then finds it where it would find any table that somebody else makes.
 */
#include "base/json.h"
#include "base/uri.h"
#include "io/memory.h"
#include "pipeline/trial.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct GivenTable {
    const Dataset *dataset; /* NULL: not of the project */
    const char *name;       /* as the files are named */
    const char *quoted;     /* `schema`.`table` */
    const char *location;   /* NULL: the warehouse */
    bool replace;           /* each update's rows replace those before: a materialized view, a view */
    const Type *columns;    /* as the project knows them; NULL: it does not */
} GivenTable;

/* ---- the project's texts ---- */

static void blank(StrBuf *text, Str original, const Statement *statement)
{
    size_t from = (size_t)(statement->text.ptr - original.ptr);

    for (size_t i = from; i < from + statement->text.size; i++)
        if (text->ptr[i] != '\n')
            text->ptr[i] = ' ';
}

static bool is_kept(const TrialWorld *world, const Dataset *dataset)
{
    const Graph *graph = world->project->graph;

    for (int i = 0; i < graph->dataset_count; i++)
        if (graph->datasets[i] == dataset)
            return world->trial->kept[i];
    return false;
}

/* whole: with the statements that are not run, too. */
static int put_project(TrialWorld *world, bool whole, SiltErr *err)
{
    const PipelineSpec *spec = world->project->spec;
    const Graph *graph = world->project->graph;
    Str spec_text;

    int r = io_read(world->project->io, spec->path, world->arena, &spec_text, err);
    if (r)
        return r < 0 ? r : silt_fail(err, SILT_CONFIG, "the spec file has vanished");
    SILT_TRY(io_put(world->io, spec->path, spec_text, err));
    for (int i = 0; i < graph->file_count; i++) {
        silt_auto(str_buf_fini) StrBuf text = {0};
        str_buf_str(&text, graph->files[i].text);
        for (int j = 0; j < graph->dataset_count && !whole; j++)
            if (graph->datasets[j]->file == i && !is_kept(world, graph->datasets[j]))
                blank(&text, graph->files[i].text, graph->datasets[j]->statement);
        for (int j = 0; j < graph->flow_count && !whole; j++)
            if (graph->flows[j]->file == i && !graph->flows[j]->implicit && !is_kept(world, graph->flows[j]->target))
                blank(&text, graph->files[i].text, graph->flows[j]->statement);
        SILT_TRY(io_put(world->io, spec->sql_files[i], str_buf_view(&text), err));
    }
    return 0;
}

static int open_here(const TrialWorld *world, const char *spec, const SpecOverride *overrides, int count, Pipeline **out, SqlErrors *errors)
{
    PipelineOptions options = {
        .io = world->io,
        .spec = spec,
        .directory = world->project->spec->directory,
        .overrides = overrides,
        .override_count = count,
        .extensions = &world->project->extensions,
        .engine = world->project->engine,
        .threads = 1,
    };

    if (pipeline_open(&options, out, errors) == 0)
        return 0;
    pipeline_close(*out);
    *out = NULL;
    return -1;
}

static int put_file(const TrialWorld *world, const char *from, const char *to, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Str content;
    int r = io_read(world->project->io, from, arena, &content, err);

    if (r)
        return r < 0 ? r : silt_fail(err, SILT_CONFIG, "could not find \"%s\"", from);
    return io_put(world->io, to, content, err);
}

static int put_rows(const TrialWorld *world, SiltErr *err)
{
    for (int i = 0; i < world->trial->update_count; i++) {
        const TrialUpdate *update = &world->trial->updates[i];
        for (int j = 0; j < update->given_count; j++)
            SILT_TRY(put_file(world, update->given[j].file.path, update->given[j].file.target, err));
        for (int j = 0; j < update->expected_count; j++)
            SILT_TRY(put_file(world, update->expected[j].file.path, update->expected[j].file.target, err));
    }
    return 0;
}

/* ---- tables that are given ---- */

static GivenTable *find_given(TrialWorld *world, const TrialRows *rows)
{
    for (int i = 0; i < world->given_count; i++) {
        GivenTable *table = &world->given[i];
        if (rows->dataset ? table->dataset == rows->dataset : !table->dataset && !strcasecmp(table->name, rows->table))
            return table;
    }
    return NULL;
}

static const char *quoted_table(Arena *arena, const char *schema, const char *table)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    trial_put_name(&text, schema);
    str_buf_putc(&text, '.');
    trial_put_name(&text, table);
    return arena_strdup(arena, str_buf_text(&text));
}

static void add_given(TrialWorld *world, const TrialRows *rows)
{
    const PipelineSpec *spec = world->project->spec;
    const Dataset *dataset = rows->dataset;
    const char *dot = strrchr(rows->table, '.');
    GivenTable table = {.dataset = dataset, .name = rows->table};

    if (find_given(world, rows))
        return;
    if (dataset) { /* a temporary view belongs to no schema: it is found as a table of the default one */
        table.replace = dataset->kind != DATASET_STREAMING_TABLE && !dataset->streams;
        table.quoted = quoted_table(world->arena, dataset->schema ? dataset->schema : spec->database, dataset->table);
    } else if (rows->is_path) {
        table.location = path_join(world->arena, spec->directory, rows->table);
        table.quoted = quoted_table(world->arena, spec->database, arena_printf(world->arena, "given_%d", world->given_count + 1));
    } else {
        const char *schema = dot ? arena_strndup(world->arena, rows->table, (size_t)(dot - rows->table)) : spec->database;
        table.quoted = quoted_table(world->arena, schema, dot ? dot + 1 : rows->table);
    }
    ARENA_PUSH(world->arena, world->given, world->given_count, world->given_capacity, table);
}

/*
 * The columns that given tables have by their statements and queries in the project. Unknown where they follow from data, for there is none
 * here: then they are those of the file.
 */
static void survey(TrialWorld *world)
{
    SqlErrors ignored = {.arena = world->arena};
    const PipelineSpec *spec = world->project->spec;
    Pipeline *whole = NULL;

    if (open_here(world, spec->path, world->trial->settings, world->trial->setting_count, &whole, &ignored) < 0)
        return;
    AnalysisOptions options = pipeline__analysis_options(whole);
    Analysis *analysis = analysis_new(&options);
    FlowQuery **queries = ARENA_ARRAY(world->arena, FlowQuery *, whole->graph->flow_count + 1);
    analysis_graph(analysis, queries, &ignored);
    for (int i = 0; i < world->given_count; i++) {
        const Dataset *dataset = world->given[i].dataset ? graph_dataset(whole->graph, world->given[i].dataset->name) : NULL;
        const TargetWant *want = dataset && dataset->path ? analysis_want(analysis, dataset) : NULL;
        world->given[i].columns = want ? type_copy(world->arena, want->schema) : NULL;
    }
    for (int i = 0; i < whole->graph->flow_count; i++)
        flow_query_free(queries[i]);
    analysis_free(analysis);
    pipeline_close(whole);
}

/* One file of rows as a statement. Positions in it are lines of the file of rows, moved by this many. */
enum { GIVEN_LINES = 1 };
#define GIVEN_ENDING ".given.sql"

static int put_flow(TrialWorld *world, GivenTable *table, const TrialRows *rows, StrBuf *globs, SqlErrors *errors)
{
    silt_auto(str_buf_fini) StrBuf query = {0}, text = {0};
    const char *const *names;
    const char *path = arena_printf(world->arena, "%s" GIVEN_ENDING, rows->file.target);
    SiltErr err;
    int count;

    if (trial_rows_query(world, world->arena, rows, table->columns, true, &query, &names, &count, errors) < 0)
        return -1;
    if (!query.size)
        return 0; /* no rows */
    if (!table->columns) /* the first file decides for those after it */
        if (trial_query_schema(world, world->arena, rows->file.name, str_buf_text(&query), &table->columns, errors) < 0)
            return -1;
    if (table->replace)
        str_buf_printf(&text, "CREATE MATERIALIZED VIEW %s AS\n", table->quoted);
    else
        str_buf_printf(&text, "CREATE FLOW given_%d AS INSERT ONCE INTO %s BY NAME\n", ++world->flow_count, table->quoted);
    str_buf_str(&text, str_buf_view(&query));
    if (io_put(world->io, path, str_buf_view(&text), &err) < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    str_buf_puts(globs, "  - glob: {include: ");
    json_put_str(globs, str_of(path));
    str_buf_puts(globs, "}\n");
    return 0;
}

/* A failure in a statement that was made from a file of rows is one of that file. */
static void place_given(TrialWorld *world, int last, SqlErrors *errors, int from)
{
    for (int i = from; i < errors->count; i++) {
        SiltErr *err = &errors->items[i];
        if (str_ends(str_of(err->file), GIVEN_ENDING)) {
            err->file[strlen(err->file) - strlen(GIVEN_ENDING)] = 0;
            err->line -= GIVEN_LINES;
        }
        for (int j = 0; j <= last; j++)
            for (int k = 0; k < world->trial->updates[j].given_count; k++)
                trial_place(world, &world->trial->updates[j].given[k].file, err);
    }
}

/* The tables as they are after the given rows of all updates up to `last`. */
static PipelineOutcome make_given(TrialWorld *world, int last, SqlErrors *errors)
{
    const PipelineSpec *spec = world->project->spec;
    const Trial *trial = world->trial;
    silt_auto(str_buf_fini) StrBuf text = {0}, tables = {0};
    SpecOverride settings[] = {
        {"spark.sql.warehouse.dir", spec->warehouse},
        {"spark.sql.session.timeZone", conf_sql_settings(world->pipeline->spec->conf).time_zone},
    };
    const char *path = path_join(world->arena, spec->directory, "silt-given.yml");
    const char *tables_path = path_join(world->arena, spec->directory, "silt-given.sql");
    int before = errors->count;
    Pipeline *given = NULL;
    SiltErr err;

    if (!world->given_count)
        return PIPELINE_DONE;
    str_buf_puts(&text, "name: given\nstorage: ");
    json_put_str(&text, str_of(uri_from_path(world->arena, path_join(world->arena, spec->storage_path, "_given"))));
    str_buf_puts(&text, "\ncatalog: ");
    json_put_str(&text, str_of(spec->catalog));
    str_buf_puts(&text, "\ndatabase: ");
    json_put_str(&text, str_of(spec->database));
    str_buf_puts(&text, "\nlibraries:\n  - glob: {include: silt-given.sql}\n");
    world->flow_count = 0;
    for (int i = 0; i < world->given_count; i++) {
        GivenTable *table = &world->given[i];
        const TrialRows *newest = NULL;
        for (int j = 0; j <= last; j++) {
            for (int k = 0; k < trial->updates[j].given_count; k++) {
                const TrialRows *rows = &trial->updates[j].given[k];
                if (find_given(world, rows) != table)
                    continue;
                if (!table->replace)
                    put_flow(world, table, rows, &text, errors);
                newest = rows;
            }
        }
        if (table->replace && newest)
            put_flow(world, table, newest, &text, errors);
        if (!table->replace && newest) {
            str_buf_printf(&tables, "CREATE STREAMING TABLE %s", table->quoted);
            for (int j = 0; table->columns && j < table->columns->field_count; j++) { /* declared, so that an empty file makes a table too */
                str_buf_puts(&tables, j ? ", " : " (");
                trial_put_name(&tables, table->columns->fields[j].name);
                str_buf_printf(&tables, " %s", type_text(world->arena, table->columns->fields[j].type));
            }
            str_buf_puts(&tables, table->columns ? ")" : "");
            if (table->location)
                str_buf_printf(&tables, " LOCATION '%s'", table->location);
            str_buf_puts(&tables, ";\n");
        }
    }
    if (errors->count > before)
        return PIPELINE_FAILED;
    if (io_put(world->io, path, str_buf_view(&text), &err) < 0 || io_put(world->io, tables_path, str_buf_view(&tables), &err) < 0) {
        sql_errors_add(errors, &err);
        return PIPELINE_FAILED;
    }
    PipelineOutcome outcome = PIPELINE_FAILED;
    PipelineRunOptions options = {.no_events = true};
    if (open_here(world, path, settings, 2, &given, errors) == 0)
        outcome = pipeline_run(given, &options, errors);
    pipeline_close(given);
    place_given(world, last, errors, before);
    return outcome;
}

/* ---- the world ---- */

int trial_world_new(const Pipeline *project, const Trial *trial, TrialWorld **out, SqlErrors *errors)
{
    Arena *arena = arena_new();
    TrialWorld *world = ARENA_NEW(arena, TrialWorld);
    bool surveyed = false;
    SiltErr err;

    *world = (TrialWorld){.arena = arena, .io = io_new_memory(NULL, 1), .project = project, .trial = trial};
    *out = world;
    io_memory_stop_clock(world->io, trial->updates[0].clock_us);
    for (int i = 0; i < trial->update_count; i++) {
        for (int j = 0; j < trial->updates[i].given_count; j++) {
            add_given(world, &trial->updates[i].given[j]);
            surveyed |= trial->updates[i].given[j].dataset != NULL;
        }
    }
    if (surveyed && put_project(world, true, &err) == 0)
        survey(world);
    if (put_project(world, false, &err) < 0 || put_rows(world, &err) < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    if (open_here(world, project->spec->path, trial->settings, trial->setting_count, &world->pipeline, errors) < 0)
        return -1;
    if (pipeline_session_open(world->pipeline, &world->session, &err) < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    return 0;
}

void trial_world_free(TrialWorld *world)
{
    if (!world)
        return;
    pipeline_session_close(world->session);
    pipeline_close(world->pipeline);
    io_free(world->io);
    arena_free(world->arena);
}

PipelineOutcome trial_world_update(TrialWorld *world, int first, int last, SqlErrors *errors)
{
    const Trial *trial = world->trial;
    PipelineRunOptions options = {.no_events = true};
    SiltErr err;

    io_memory_stop_clock(world->io, trial->updates[last].clock_us);
    for (int i = first; i <= last; i++) {
        for (int j = 0; j < trial->updates[i].file_count; j++) {
            if (put_file(world, trial->updates[i].files[j].path, trial->updates[i].files[j].target, &err) < 0) {
                sql_errors_add(errors, &err);
                return PIPELINE_FAILED;
            }
        }
    }
    PipelineOutcome outcome = make_given(world, last, errors);
    if (outcome != PIPELINE_DONE)
        return outcome;
    return pipeline_run(world->pipeline, &options, errors);
}
