/*
 * cli/repair.c - `silt recover`, `silt checkpoint`, and `silt audit`: the rows that differ on stdout, the sums on stderr
 */
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"

int verb_recover(const Options *options)
{
    SiltProject *project = NULL;
    SiltResult *result = NULL;
    SiltProblems *problems = NULL;

    int r = cli_open_project(options, &project);
    if (r)
        return r;
    SiltStatus status = silt_project_recover(project, options->arguments.items[0], &result, &problems);
    if (status == SILT_DONE)
        status = output_result(result, options->format, false, &problems);
    silt_result_free(result);
    silt_project_free(project);
    return problems_report(status, problems);
}

int verb_checkpoint(const Options *options)
{
    static const char *const known[] = {"export", "show"};
    const char *what = options->arguments.items[0], *table = options->arguments.count > 1 ? options->arguments.items[1] : NULL;
    bool complete = strcmp(what, "export") == 0;
    SiltProject *project = NULL;
    SiltResult *result = NULL;
    SiltProblems *problems = NULL;

    if (!complete && strcmp(what, "show") != 0) {
        const char *nearest = silt_nearest(what, known, 2);
        return cli_refuse(nearest ? cli_hint("Did you mean \"%s\"?", nearest) : "There are export and show.", "checkpoint: cannot \"%s\"", what);
    }
    int r = cli_open_project(options, &project);
    if (r)
        return r;
    SiltStatus status = silt_project_checkpoints(project, table, complete, &result, &problems);
    if (status == SILT_DONE)
        status = output_result(result, options->format, false, &problems);
    silt_result_free(result);
    silt_project_free(project);
    return problems_report(status, problems);
}

static void print_count(int64_t count, const char *one, const char *many)
{
    fprintf(stderr, "%lld %s", (long long)count, count == 1 ? one : many);
}

static void print_sums(const SiltAudit *audit)
{
    fprintf(stderr, "%s, version %lld: ", audit->table, (long long)audit->version);
    print_count(audit->batches, "batch", "batches");
    fputs(" computed again, ", stderr);
    print_count(audit->recomputed_rows, "row", "rows");
    if (!audit->difference) {
        fputs(": equal\n", stderr);
    } else {
        fprintf(stderr, "; the table has %lld: ", (long long)audit->rows);
        print_count(audit->table_only, "row is", "rows are");
        fputs(" in the table only, ", stderr);
        print_count(audit->recomputed_only, "is", "are");
        fputs(" missing from it\n", stderr);
    }
    if (audit->undecodable || audit->refused) {
        fputs("set aside once more: ", stderr);
        print_count(audit->undecodable, "undecodable record, ", "undecodable records, ");
        print_count(audit->refused, "row refused by expectations\n", "rows refused by expectations\n");
    }
    for (int i = 0; i < audit->note_count; i++)
        fprintf(stderr, "note: %s\n", audit->notes[i]);
}

int verb_audit(const Options *options)
{
    SiltProject *project = NULL;
    SiltAudit *audit = NULL;
    SiltProblems *problems = NULL;

    int r = cli_open_project(options, &project);
    if (r)
        return r;
    signals_stop_project(project);
    SiltStatus status = silt_project_audit(project, options->arguments.items[0], &audit, &problems);
    if (status == SILT_DONE && audit->difference)
        status = output_result(audit->difference, options->format, false, &problems);
    signals_default();
    r = problems_report(status, problems);
    if (status == SILT_DONE) {
        fflush(stdout);
        print_sums(audit);
        r = audit->difference ? EXIT_FAILED : EXIT_DONE;
    }
    silt_audit_free(audit);
    silt_project_free(project);
    return r;
}
