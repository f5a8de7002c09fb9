/* run.c - run the project in the working directory, and tell what happens */
#include "common.h"

static void on_event(void *self, const SiltEvent *event)
{
    (void)self;
    printf("%s\n", event->message);
}

static void on_progress(void *self, const SiltProgress *progress)
{
    (void)self;
    printf("%s: batch %lld, %lld rows in, %lld rows out\n", progress->flow, (long long)progress->batch_id, (long long)progress->input_rows,
           (long long)progress->output_rows);
}

int main(void)
{
    SiltProject *project;
    SiltProblems *problems;

    check(silt_project_open(&(SiltOpenOptions){.directory = "."}, &project, &problems), &problems);
    printf("project %s\n", silt_project_name(project));
    check(silt_project_run(project, &(SiltRunOptions){.event = on_event, .progress = on_progress}, &problems), &problems);
    silt_project_free(project);
    return 0;
}
