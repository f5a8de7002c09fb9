#pragma once
/* project.h - write a small project into a folder of its own, for the examples that run one */
#include <sys/stat.h>
#include <unistd.h>
#include "common.h"

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* A spec file and one SQL file in the working directory, unless they are there. */
static inline void write_project(const char *name, const char *sql)
{
    char spec[8192], directory[4096];
    struct stat stat_of;

    if (stat("spark-pipeline.yml", &stat_of) == 0)
        return;
    if (!getcwd(directory, sizeof directory))
        exit(1);
    snprintf(spec, sizeof spec, "name: %s\nstorage: file://%s/pipeline-storage\nlibraries:\n  - glob:\n      include: transformations/**\n", name,
             directory);
    mkdir("transformations", 0777);
    write_file("spark-pipeline.yml", spec);
    write_file("transformations/pipeline.sql", sql);
}

/* One update of the project in the working directory. */
static inline void run_project(const SiltExtensions *extensions)
{
    SiltProject *project;
    SiltProblems *problems;

    check(silt_project_open(&(SiltOpenOptions){.extensions = extensions}, &project, &problems), &problems);
    check(silt_project_run(project, &(SiltRunOptions){0}, &problems), &problems);
    silt_project_free(project);
}
