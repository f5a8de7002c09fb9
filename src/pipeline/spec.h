#pragma once
/* pipeline/spec.h - the spec file of a project: spark-pipeline.yml, found, read and checked as spark-pipelines does */
#include "io/io.h"
#include "plan/conf.h"

typedef struct PipelineSpec {
    const char *path;      /* of the spec file, absolute */
    const char *directory; /* where it lies: relative paths of the project start here */
    const char *name;
    const char *storage;     /* as written */
    const char *storage_path; /* absolute path or URI for io, without a slash at the end */
    const char *warehouse;   /* the same, of spark.sql.warehouse.dir, else <directory>/spark-warehouse */
    const char *catalog;     /* "spark_catalog" unless given */
    const char *database;    /* "default" unless given */
    Conf *conf;              /* `configuration` and --conf, checked */
    const char **sql_files;  /* absolute, sorted, each once */
    const char **sql_names;  /* the same for messages: relative to directory */
    int sql_count;
    const char **notices; /* one line each: Python files passed over, ignored settings, globs without a match */
    int notice_count;
} PipelineSpec;

/* --conf key=value */
typedef struct SpecOverride {
    const char *key, *value;
} SpecOverride;

enum { SPEC_ABSENT = 1 };

/*
 * The spec file that rules in `directory` (absolute): in it or in the nearest ancestor. 0 and *path in arena, SPEC_ABSENT
 * (err says so, with Spark's class PIPELINE_SPEC_FILE_NOT_FOUND), or < 0: two spec files in one folder.
 */
int spec_find(Io *io, Arena *arena, const char *directory, const char **path, SiltErr *err);

/*
 * Read a spec file (path absolute) and find the project's SQL files. Everything lives in arena. 0, or -1 with all that is wrong
 * in errors, each with file, line and column; file names in positions are relative to the spec's folder.
 */
int spec_load(Io *io, Arena *arena, const char *path, const SpecOverride *overrides, int override_count, PipelineSpec **out, SqlErrors *errors);
