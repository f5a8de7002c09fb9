/* api/repair.c - recover, checkpoints and audit */
#include "api/internal.h"
#include "api/project.h"
#include "api/result.h"
#include "pipeline/pipeline.h"
#include <stdlib.h>

SiltStatus silt_project_recover(SiltProject *project, const char *table, SiltResult **out, SiltProblems **problems)
{
    SiltResult *result = api__rows_new();
    Arena *arena = api__rows_arena(result);
    SqlErrors errors = {.arena = arena};
    PipelineRecovery *flows;
    int count;

    *problems = NULL;
    if (pipeline_recover(api__project_pipeline(project), table, arena, &flows, &count, &errors) < 0)
        return api__no_rows(result, project, &errors, problems);
    api__rows_column(result, "flow", TYPE_STRING);
    api__rows_column(result, "rebuilt", TYPE_BOOLEAN);
    api__rows_column(result, "damage", TYPE_STRING);
    api__rows_column(result, "last_batch", TYPE_LONG);
    api__rows_column(result, "pending", TYPE_BOOLEAN);
    api__rows_column(result, "files", TYPE_LONG);
    api__rows_column(result, "query_id", TYPE_STRING);
    api__rows_column(result, "checkpoint", TYPE_STRING);
    for (int i = 0; i < count; i++) {
        api__rows_text(result, flows[i].flow);
        api__rows_bool(result, flows[i].rebuilt);
        api__rows_text(result, flows[i].damage);
        api__rows_count(result, flows[i].last_batch);
        api__rows_bool(result, flows[i].pending);
        api__rows_count(result, flows[i].rebuilt ? flows[i].files : -1);
        api__rows_text(result, flows[i].query_id);
        api__rows_text(result, flows[i].checkpoint);
    }
    *out = result;
    return SILT_DONE;
}

SiltStatus silt_project_checkpoints(SiltProject *project, const char *table, bool complete, SiltResult **out, SiltProblems **problems)
{
    SiltResult *result = api__rows_new();
    Arena *arena = api__rows_arena(result);
    SqlErrors errors = {.arena = arena};
    PipelineCheckpoint *rows;
    int count;

    *problems = NULL;
    if (pipeline_checkpoints(api__project_pipeline(project), table, complete, arena, &rows, &count, &errors) < 0)
        return api__no_rows(result, project, &errors, problems);
    api__rows_column(result, "flow", TYPE_STRING);
    api__rows_column(result, "last_batch", TYPE_LONG);
    api__rows_column(result, "pending", TYPE_BOOLEAN);
    api__rows_column(result, "query_id", TYPE_STRING);
    api__rows_column(result, "source", TYPE_LONG);
    api__rows_column(result, "batches", TYPE_LONG);
    api__rows_column(result, "files", TYPE_LONG);
    api__rows_column(result, "spark_ready", TYPE_BOOLEAN);
    api__rows_column(result, "checkpoint", TYPE_STRING);
    for (int i = 0; i < count; i++) {
        api__rows_text(result, rows[i].flow->name);
        api__rows_count(result, rows[i].flow->last_batch);
        api__rows_bool(result, rows[i].flow->pending);
        api__rows_text(result, rows[i].flow->query_id);
        api__rows_count(result, rows[i].source);
        api__rows_count(result, rows[i].batches);
        api__rows_count(result, rows[i].files);
        api__rows_bool(result, rows[i].is_sparks);
        api__rows_text(result, rows[i].flow->checkpoint);
    }
    *out = result;
    return SILT_DONE;
}

/* ---- audit ---- */

typedef struct Audit {
    SiltAudit shown; /* first: the caller's pointer */
    Arena *arena;
    ApiText text; /* of nothing: positions point into the project's files */
} Audit;

void silt_audit_free(SiltAudit *shown)
{
    Audit *audit = (Audit *)shown;

    if (!audit)
        return;
    silt_result_free(audit->shown.difference);
    arena_free(audit->arena);
    free(audit);
}

SiltStatus silt_project_audit(SiltProject *project, const char *table, SiltAudit **out, SiltProblems **problems)
{
    Audit *audit = silt_alloc(sizeof *audit);
    PipelineAudit *found;

    *problems = NULL;
    audit->arena = arena_new();
    audit->text.name = "";
    SqlErrors errors = {.arena = audit->arena};
    if (pipeline_audit(api__project_pipeline(project), table, audit->arena, &found, &errors) < 0) {
        SiltStatus status = api__fail_many(problems, &errors, false, NULL, api__project_directory(project));
        silt_audit_free(&audit->shown);
        return status == SILT_STOPPED ? status : SILT_REFUSED; /* SILT_FAILED would look like a difference */
    }
    audit->shown = (SiltAudit){
        .table = found->table,
        .version = found->version,
        .batches = found->batches,
        .rows = found->rows,
        .recomputed_rows = found->recomputed_rows,
        .table_only = found->table_only,
        .recomputed_only = found->recomputed_only,
        .undecodable = found->undecodable,
        .refused = found->refused,
        .notes = found->notes,
        .note_count = found->note_count,
        .difference = found->difference ? api__result_of_query(found->difference, &audit->text) : NULL,
    };
    *out = &audit->shown;
    return SILT_DONE;
}
