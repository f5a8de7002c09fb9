/*
 * cli/explain.c - `silt explain [TABLE]`: facts as indented text, or as rows where --format asks for them
 *
 *   spark_catalog.default.orders
 *     kind         STREAMING TABLE
 *     ...
 *     flow spark_catalog.default.orders
 *       plan         Filter  quantity > 0
 *                      Stream  read_files('data/orders')
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

enum { TABLE, FLOW, TOPIC, DETAIL };
enum { TOPIC_WIDTH = 13 };

static bool changed(char **kept, const char *text)
{
    if (text ? *kept && !strcmp(*kept, text) : !*kept)
        return false;
    free(*kept);
    *kept = text ? cli_printf("%s", text) : NULL;
    return true;
}

static void print_fact(int indent, const char *topic, const char *detail)
{
    printf("%*s%-*s", indent, "", TOPIC_WIDTH, topic);
    for (const char *line = detail; line;) {
        const char *end = strchr(line, '\n');
        printf("%*s%.*s\n", line == detail ? 0 : indent + TOPIC_WIDTH, "", (int)(end ? end - line : (long)strlen(line)), line);
        line = end ? end + 1 : NULL;
    }
}

static SiltStatus print_facts(SiltResult *result, SiltProblems **problems)
{
    char *table = NULL, *flow = NULL;
    SiltStatus status;
    size_t size;

    while ((status = silt_result_next(result, problems)) == SILT_DONE) {
        bool first = !table;
        const char *name = silt_result_text(result, FLOW, &size);
        if (changed(&table, silt_result_text(result, TABLE, &size)))
            printf("%s%s\n", first ? "" : "\n", table);
        if (changed(&flow, name) && flow)
            printf("  flow %s\n", flow);
        print_fact(flow ? 4 : 2, silt_result_text(result, TOPIC, &size), silt_result_text(result, DETAIL, &size));
    }
    free(table);
    free(flow);
    return status == SILT_END ? SILT_DONE : status;
}

int verb_explain(const Options *options)
{
    const char *table = options->arguments.count ? options->arguments.items[0] : NULL;
    SiltProject *project = NULL;
    SiltResult *result = NULL;
    SiltProblems *problems = NULL;

    int r = cli_open_project(options, &project);
    if (r)
        return r;
    SiltStatus status = silt_project_explain(project, table, &result, &problems);
    if (status == SILT_DONE)
        status = options->format ? output_result(result, options->format, false, &problems) : print_facts(result, &problems);
    silt_result_free(result);
    silt_project_free(project);
    return problems_report(status, problems);
}
