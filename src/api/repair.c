/* api/repair.c - recover: what the pipeline floor has found, as rows */
#include "api/internal.h"
#include "api/project.h"
#include "api/result.h"
#include "pipeline/pipeline.h"

SiltStatus silt_project_recover(SiltProject *project, const char *table, SiltResult **out, SiltProblems **problems)
{
    SiltResult *result = api__rows_new();
    Arena *arena = api__rows_arena(result);
    SqlErrors errors = {.arena = arena};
    PipelineRecovery *flows;
    int count;

    *problems = NULL;
    if (pipeline_recover(api__project_pipeline(project), table, arena, &flows, &count, &errors) < 0) {
        SiltStatus status = api__fail_many(problems, &errors, false, NULL, api__project_directory(project));
        silt_result_free(result);
        return status;
    }
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
