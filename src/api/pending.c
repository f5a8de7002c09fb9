/*
 * api/pending.c - what stands on the pipeline floor, until it is there
 */
#include "api/internal.h"

static SiltStatus pending(SiltProblems **problems)
{
    SiltErr err;

    silt_fail(&err, SILT_CONFIG, "projects and SQL are not there yet");
    return api__fail(problems, &err, false, NULL, NULL);
}

SiltStatus silt_project_open(const SiltOpenOptions *options, SiltProject **out, SiltProblems **problems)
{
    (void)options, (void)out;
    return pending(problems);
}

void silt_project_free(SiltProject *project)
{
    (void)project;
}

int silt_project_find(const char *directory, char **out)
{
    (void)directory, (void)out;
    return 0;
}

SiltStatus silt_project_dry_run(SiltProject *project, const SiltRunOptions *options, SiltProblems **problems)
{
    (void)project, (void)options;
    return pending(problems);
}

SiltStatus silt_project_run(SiltProject *project, const SiltRunOptions *options, SiltProblems **problems)
{
    (void)project, (void)options;
    return pending(problems);
}

void silt_project_stop(SiltProject *project)
{
    (void)project;
}

int silt_result_column_count(const SiltResult *result)
{
    (void)result;
    return 0;
}

const char *silt_result_column_name(const SiltResult *result, int column)
{
    (void)result, (void)column;
    return "";
}

const char *silt_result_column_type(const SiltResult *result, int column)
{
    (void)result, (void)column;
    return "";
}

SiltStatus silt_result_next(SiltResult *result, SiltProblems **problems)
{
    (void)result, (void)problems;
    return SILT_END;
}

const char *silt_result_text(SiltResult *result, int column, size_t *size)
{
    (void)result, (void)column, (void)size;
    return NULL;
}

const char *silt_result_json(SiltResult *result, int column, size_t *size)
{
    (void)result, (void)column, (void)size;
    return NULL;
}

void silt_result_free(SiltResult *result)
{
    (void)result;
}

SiltStatus silt_project_show(SiltProject *project, const char *what, SiltResult **out, SiltProblems **problems)
{
    (void)project, (void)what, (void)out;
    return pending(problems);
}

SiltStatus silt_session_open(SiltProject *project, const SiltSessionOptions *options, SiltSession **out, SiltProblems **problems)
{
    (void)project, (void)options, (void)out;
    return pending(problems);
}

void silt_session_free(SiltSession *session)
{
    (void)session;
}

void silt_session_interrupt(SiltSession *session)
{
    (void)session;
}

SiltStatus silt_script_open(SiltSession *session, const char *name, const char *text, size_t size, SiltScript **out, SiltProblems **problems)
{
    (void)session, (void)name, (void)text, (void)size, (void)out;
    return pending(problems);
}

SiltStatus silt_script_next(SiltScript *script, SiltResult **out, SiltProblems **problems)
{
    (void)script, (void)out;
    return pending(problems);
}

void silt_script_free(SiltScript *script)
{
    (void)script;
}
