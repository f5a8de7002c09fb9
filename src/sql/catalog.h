#pragma once
/* sql/catalog.h - what the analyzer asks about tables: given by whoever knows them (pipeline, `silt sql`, tests) */
#include "sql/ast.h"

/* A table, a file source or a view as the analyzer sees it. Made by the catalog, lives at least as long as the analyzed query. */
struct SqlRelation {
    const char *name;            /* for messages: orders, json.`/x` */
    const char **column_names;   /* real names */
    const Type **column_types;
    bool *column_nullable;
    int column_count;
    int hidden_count;            /* the last columns are found by name (as _metadata) but not by `*` */
    bool streaming;              /* may be read as STREAM, and is */
    /* A view: the query to put in its place (a fresh syntax tree, analyzed with the view's own settings). NULL: data. */
    Query *view;
    /* Data: number by which the printer asks for the FROM text, see SqlPrintOptions.relation_sql */
    int slot;
    void *owner;                 /* the catalog's own */
};

typedef struct SqlCatalog SqlCatalog;
struct SqlCatalog {
    void *self;
    /*
     * Resolve a table, view or fmt.`path` (relation->kind REL_TABLE), or a table function that reads data (REL_FUNCTION:
     * read_files, read_kafka, table_changes, ...; constant arguments are already folded to literals). `relation` has name,
     * stream, options, time travel. 0 with *out, SQL_NO_TABLE when there is none of that name, or < 0.
     */
    int (*resolve)(void *self, Relation *relation, SqlRelation **out, SiltErr *err);
    /*
     * A function that the user defined: 0 with its CREATE FUNCTION statement as a fresh tree, SQL_NO_TABLE when there is none of that name,
     * or < 0. NULL: there are none at all.
     */
    int (*routine)(void *self, const char *name, const Statement **out, SiltErr *err);
    /* A session variable by its last name, as an analyzed constant that is copied; NULL: none. NULL allowed. */
    const Expr *(*variable)(void *self, const char *name);
    /* Names near by, for "did you mean": fills up to `max`, returns how many. NULL allowed. */
    int (*names)(void *self, const char **out, int max);
    /* A function that the table does not hold, by its name without case; NULL: none. NULL allowed. */
    const struct SqlFunction *(*function)(void *self, const char *name);
    /*
     * What the text of an option means that may name a secret: {{secrets/env/NAME}}, {{secrets/file/PATH}}; any other text is itself. In arena, and to go into no
     * message, plan or log. 0 or < 0. NULL: secrets are not known here.
     */
    int (*secret)(void *self, Arena *arena, const char *text, SiltPos pos, const char **out, SiltErr *err);
    /* The bytes of a file that a function names (descriptors), relative to the project, in arena. 0 or < 0, an absent one too. NULL: there are no files here. */
    int (*file)(void *self, Arena *arena, const char *path, Str *out, SiltErr *err);
    /* Told what the meaning of a query depends on beside its text (the content of such a file, a schema of a registry): with another one it is another query. NULL allowed. */
    void (*depends)(void *self, Str content);
};

enum { SQL_NO_TABLE = 1 };

/* Session settings that change meaning. */
typedef struct SqlSettings {
    const char *time_zone;   /* "UTC", "Europe/Berlin", "+02:00" */
    bool ansi;               /* true; false is refused for now */
    bool case_sensitive;     /* false */
    bool time_type;          /* TIME in casts and functions, as with spark.sql.timeType.enabled; literals are there anyway */
    const char *catalog, *schema; /* the current ones; NULL: spark_catalog, default */
} SqlSettings;
