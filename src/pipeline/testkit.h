#pragma once
/* pipeline/testkit.h - for tests: a project in a simulated or real store, run and asked */
#include "io/memory.h"
#include "pipeline/pipeline.h"

typedef struct TestProject {
    Io *io;
    const char *directory; /* of the spec */
    PipelineOutcome outcome; /* of the last run */
    char events[65536];      /* messages of the last run, one a line */
    char errors[16384];      /* errors of the last open or run, one a line: code, place, message, hint */
    int batches;             /* progress records of the last run */
    char progress[65536];    /* their JSON, one a line */
    int threads;             /* 0: 1 */
    DuckEngine *engine;      /* NULL: one a run */
    const PipelineExtensions *extensions; /* NULL: none; an engine given has to know their functions */
} TestProject;

/* Write a file below the project's folder. */
void test_put(TestProject *project, const char *name, const char *text);
/* The spec with these lines of configuration (indented by two, each with a newline), and one SQL file. */
void test_project(TestProject *project, const char *configuration, const char *sql);
PipelineOutcome test_run(TestProject *project, const PipelineRunOptions *options); /* NULL: everything */
/* dry-run: 0 or -1 */
int test_check(TestProject *project);
/* silt recover: 0 or -1 with errors */
int test_recover(TestProject *project, const char *table);
/* Rows as JSON values in arena: columns parted by '|', rows by '\n', sorted; "ERROR ..." when it failed. */
const char *test_query(TestProject *project, Arena *arena, const char *sql);
/* A folder of this process alone for what is staged, and its end. Never NULL. */
const char *test_scratch(void);
void test_scratch_remove(void);
