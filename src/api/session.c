/*
 * api/session.c - SQL sessions and scripts
 *
 * A script is parsed whole when it is opened, and what Silt cannot run is refused there, at its position, so that nothing has
 * been started. Names and types are resolved statement by statement, since a SET may change what follows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "api/extensions.h"
#include "api/internal.h"
#include "api/project.h"
#include "api/result.h"
#include "io/io.h"
#include "pipeline/pipeline.h"

struct SiltSession {
    SiltProject *project; /* NULL: paths only */
    Io *io;               /* of its own, without a project */
    Pipeline *pipeline;   /* the project's, or an empty one of its own */
    PipelineSession *session;
    char *directory;
    bool managed_writes;
};

struct SiltScript {
    SiltSession *session;
    Arena *arena;
    ApiText text;
    Statement **statements;
    int count, next;
};

static int open_paths_only(SiltSession *session, const PipelineExtensions *extensions, SiltErr *err)
{
    session->io = io_new_local();
    SILT_TRY(io_check(session->io, err));
    session->directory = realpath(".", NULL);
    if (!session->directory)
        return silt_fail_errno(err, errno, "could not find the working directory");
    session->pipeline = pipeline_open_empty(session->io, session->directory, extensions);
    return 0;
}

SiltStatus silt_session_open(SiltProject *project, const SiltSessionOptions *options, SiltSession **out, SiltProblems **problems)
{
    SiltSession *session = silt_alloc(sizeof(*session));
    SiltErr err;
    int r = 0;

    *problems = NULL;
    session->managed_writes = options && options->managed_writes;
    session->project = project;
    if (project)
        session->pipeline = api__project_pipeline(project);
    else
        r = open_paths_only(session, api__extensions(options ? options->extensions : NULL), &err);
    if (r == 0)
        r = pipeline_session_open(session->pipeline, &session->session, &err);
    if (r < 0) {
        silt_session_free(session);
        return api__fail(problems, &err, false, NULL, NULL);
    }
    *out = session;
    return SILT_DONE;
}

void silt_session_free(SiltSession *session)
{
    if (!session)
        return;
    pipeline_session_close(session->session);
    if (!session->project)
        pipeline_close(session->pipeline);
    io_free(session->io);
    free(session->directory);
    free(session);
}

void silt_session_interrupt(SiltSession *session)
{
    pipeline_session_interrupt(session->session);
}

void silt_session_watch(SiltSession *session)
{
    pipeline_session_watch(session->session);
}

double silt_session_progress(SiltSession *session)
{
    return pipeline_session_progress(session->session);
}

static const char *directory_of(const SiltSession *session)
{
    return session->project ? api__project_directory(session->project) : NULL;
}

static const char *statement_name(const Statement *statement)
{
    switch (statement->kind) {
    case STMT_EXPLAIN:
        return strcmp(statement->what, "CODEGEN") ? NULL : "EXPLAIN CODEGEN";
    case STMT_CREATE_STREAMING_TABLE:
        return "CREATE STREAMING TABLE";
    case STMT_CREATE_MATERIALIZED_VIEW:
        return "CREATE MATERIALIZED VIEW";
    case STMT_CREATE_VIEW:
        return "CREATE VIEW";
    case STMT_CREATE_TEMPORARY_VIEW:
        return "CREATE TEMPORARY VIEW";
    case STMT_CREATE_SINK:
        return "CREATE SINK";
    case STMT_CREATE_FLOW:
        return "CREATE FLOW";
    case STMT_OTHER:
        return statement->what;
    default:
        return NULL;
    }
}

/* Definitions belong into a project's files; the rest of Spark's statements is not there yet. */
static void refuse_statement(const Statement *statement, SqlErrors *errors)
{
    const char *name = statement_name(statement);
    SiltPos pos = statement->kind == STMT_OTHER ? statement->what_pos : statement->pos;
    SiltErr err;

    if (!name)
        return;
    silt_fail_at(&err, SILT_CONFIG, pos, "%s cannot be run here", name);
    if (statement->kind == STMT_EXPLAIN)
        silt_hint(&err, "Nothing is compiled. EXPLAIN EXTENDED shows the SQL that DuckDB runs.");
    else if (statement->kind == STMT_OTHER)
        silt_hint(&err, "This version runs queries, EXPLAIN, CREATE TABLE, INSERT, ALTER TABLE, COPY INTO, SET and USE.");
    else
        silt_hint(&err, "Put it into an SQL file of a project; `silt run` makes the table.");
    sql_errors_add(errors, &err);
}

SiltStatus silt_script_open(SiltSession *session, const char *name, const char *text, size_t size, SiltScript **out,
                            SiltProblems **problems)
{
    SiltScript *script = silt_alloc(sizeof(*script));
    Arena *arena = arena_new();
    SqlErrors errors = {.arena = arena};

    *problems = NULL;
    script->session = session;
    script->arena = arena;
    script->text.name = arena_strdup(arena, name);
    script->text.text = arena_str(arena, (Str){text, size});
    int r = sql_parse_file(arena, script->text.name, script->text.text, &script->statements, &script->count, &errors);
    for (int i = 0; r == 0 && i < script->count; i++)
        refuse_statement(script->statements[i], &errors);
    if (r < 0 || errors.count > 0) {
        SiltStatus status = api__fail_many(problems, &errors, false, &script->text, directory_of(session));
        silt_script_free(script);
        return status;
    }
    *out = script;
    return SILT_DONE;
}

/* SET, SET -v, SET key: rows of what is set. SET key = value gives none, so that the rows of a script are those of its queries. */
static int set(SiltSession *session, const Statement *statement, SiltResult **out, SiltErr *err)
{
    PipelineSession *settings = session->session;
    const char *key = statement->name.count ? statement->name.parts[0] : NULL, *value, *takes;

    if (statement->set_value) {
        SILT_TRY(pipeline_session_set(settings, key, statement->set_value, statement->pos, err));
        *out = api__result_nothing();
        return 0;
    }
    SiltResult *rows = api__rows_new();
    api__rows_column(rows, "key", TYPE_STRING);
    api__rows_column(rows, "value", TYPE_STRING);
    if (statement->set_verbose)
        api__rows_column(rows, "meaning", TYPE_STRING);
    if (key && pipeline_session_get(settings, api__rows_arena(rows), key, statement->name.pos, &value, err) < 0) {
        silt_result_free(rows);
        return -1;
    }
    if (key) {
        api__rows_text(rows, key);
        api__rows_text(rows, value ? value : "<undefined>");
    }
    for (int i = 0; !key; i++) {
        const char *name;
        pipeline_session_setting(settings, api__rows_arena(rows), statement->set_verbose, i, &name, &value, &takes);
        if (!name)
            break;
        api__rows_text(rows, name);
        api__rows_text(rows, value ? value : "<undefined>");
        if (statement->set_verbose)
            api__rows_text(rows, takes);
    }
    *out = rows;
    return 0;
}

static SiltStatus run_query(SiltScript *script, const ApiText *text, Query *query, SiltResult **out, SqlErrors *errors)
{
    PipelineResult *result = NULL;

    if (pipeline_session_query(script->session->session, query, &result, errors) < 0)
        return SILT_FAILED;
    *out = api__result_of_query(result, text);
    return SILT_DONE;
}

/* As Spark: one row, one column `plan`. */
static SiltStatus explain(SiltScript *script, const PipelineStatement *place, const Statement *statement, SiltResult **out, SqlErrors *errors)
{
    SiltResult *result = api__rows_new();
    const char *plan;

    if (pipeline_session_explain(script->session->session, statement->query, place, !strcmp(statement->what, "EXTENDED"), api__rows_arena(result), &plan,
                                 errors) < 0) {
        silt_result_free(result);
        return SILT_FAILED;
    }
    api__rows_column(result, "plan", TYPE_STRING);
    api__rows_text(result, plan);
    *out = result;
    return SILT_DONE;
}

/* Databricks' result: one row; of VALIDATE the first rows. */
static SiltStatus copy_into(SiltScript *script, const ApiText *text, const PipelineStatement *place, SiltResult **out, SqlErrors *errors)
{
    SiltSession *session = script->session;
    PipelineResult *preview;
    PipelineCopied copied;

    if (pipeline_session_copy(session->session, place, session->managed_writes, &copied, &preview, errors) < 0)
        return SILT_FAILED;
    if (preview) {
        *out = api__result_of_query(preview, text);
        return SILT_DONE;
    }
    *out = api__rows_new();
    api__rows_column(*out, "num_affected_rows", TYPE_LONG);
    api__rows_column(*out, "num_inserted_rows", TYPE_LONG);
    api__rows_column(*out, "num_skipped_corrupt_files", TYPE_LONG);
    api__rows_count(*out, copied.rows);
    api__rows_count(*out, copied.rows);
    api__rows_count(*out, copied.files_corrupt);
    return SILT_DONE;
}

/* As Spark over Delta: no rows, so that those of a script are those of its queries. */
static SiltStatus write_table(SiltScript *script, const PipelineStatement *place, SiltResult **out, SqlErrors *errors)
{
    SiltSession *session = script->session;

    if (pipeline_session_write(session->session, place, session->managed_writes, errors) < 0)
        return SILT_FAILED;
    *out = api__result_nothing();
    return SILT_DONE;
}

/* index: of the statement in text. */
static SiltStatus run_statement(SiltScript *script, const ApiText *text, int index, const Statement *statement, SiltResult **out, SqlErrors *errors);

/* The text is parsed and run as if it stood here; its rows may go into variables. */
static SiltStatus execute(SiltScript *script, const Statement *statement, const ApiText **place, SiltResult **out, SqlErrors *errors)
{
    PipelineSession *session = script->session->session;
    ApiText *text = ARENA_NEW(script->arena, ApiText);
    const char *sql;
    Statement *inner;
    SiltErr err;

    if (pipeline_session_text(session, statement, &sql, errors) < 0)
        return SILT_FAILED;
    *text = (ApiText){.name = "EXECUTE IMMEDIATE", .text = str_of(arena_strdup(script->arena, sql))};
    *place = text;
    if (sql_parse_statement(script->arena, text->name, text->text, &inner, &err) < 0) {
        sql_errors_add(errors, &err);
        return SILT_FAILED;
    }
    int before = errors->count;
    refuse_statement(inner, errors);
    if (inner->kind == STMT_EXECUTE) {
        silt_fail_at(&err, SILT_CONFIG, inner->pos, "EXECUTE IMMEDIATE may not run another");
        silt_code(&err, "NESTED_EXECUTE_IMMEDIATE");
        sql_errors_add(errors, &err);
    }
    if (inner->kind != STMT_QUERY && statement->variables->name_count) {
        silt_fail_at(&err, SILT_CONFIG, inner->pos, "EXECUTE IMMEDIATE .. INTO takes a query");
        silt_code(&err, "INVALID_STATEMENT_FOR_EXECUTE_INTO");
        sql_errors_add(errors, &err);
    }
    if (errors->count > before)
        return SILT_FAILED;
    if (!statement->variables->name_count)
        return run_statement(script, text, 0, inner, out, errors);
    *out = api__result_nothing();
    return pipeline_session_into(session, statement, inner->query, errors) < 0 ? SILT_FAILED : SILT_DONE;
}

/* SILT_FAILED with errors, whatever their kind. */
static SiltStatus run_statement(SiltScript *script, const ApiText *text, int index, const Statement *statement, SiltResult **out, SqlErrors *errors)
{
    SiltSession *session = script->session;
    SiltErr err;
    int r = 0;

    const PipelineStatement place = {text->name, text->text, index};

    if (statement->kind == STMT_QUERY)
        return run_query(script, text, statement->query, out, errors);
    if (statement->kind == STMT_EXPLAIN)
        return explain(script, &place, statement, out, errors);
    if (statement->kind == STMT_COPY)
        return copy_into(script, text, &place, out, errors);
    if (statement->kind == STMT_CREATE_TABLE || statement->kind == STMT_INSERT || statement->kind == STMT_ALTER)
        return write_table(script, &place, out, errors);
    if (statement->kind == STMT_SET) {
        if (set(session, statement, out, &err) == 0)
            return SILT_DONE;
        sql_errors_add(errors, &err);
        return SILT_FAILED;
    }
    if (statement->kind == STMT_RESET)
        pipeline_session_reset(session->session, statement->name.count ? statement->name.parts[0] : NULL);
    else if (statement->kind == STMT_USE)
        r = pipeline_session_use(session->session, statement->name.parts[statement->name.count - 1], &err);
    else if (pipeline_session_define(session->session, statement, errors) < 0)
        return SILT_FAILED;
    if (r < 0) {
        sql_errors_add(errors, &err);
        return SILT_FAILED;
    }
    *out = api__result_nothing();
    return SILT_DONE;
}

SiltStatus silt_script_next(SiltScript *script, SiltResult **out, SiltProblems **problems)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    SqlErrors errors = {.arena = arena};
    const ApiText *text = &script->text;

    *problems = NULL;
    if (script->next == script->count)
        return SILT_END;
    int index = script->next++;
    const Statement *statement = script->statements[index];
    SiltStatus status = statement->kind == STMT_EXECUTE ? execute(script, statement, &text, out, &errors)
                                                         : run_statement(script, text, index, statement, out, &errors);
    return status == SILT_DONE ? status : api__fail_many(problems, &errors, false, text, directory_of(script->session));
}

void silt_script_free(SiltScript *script)
{
    if (!script)
        return;
    arena_free(script->arena);
    free(script);
}
