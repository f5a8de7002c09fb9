#pragma once
/*
 * pipeline/lint.h - what another engine would refuse in a project, or do otherwise (docs/lint.md)
 *
 * Looks at the texts alone, so that a project can be looked at that Silt itself does not run yet: nothing is resolved, nothing is read but the
 * spec and the SQL files. What is known is a table of rules (lint_rules.c); each has a test.
 */
#include "pipeline/spec.h"
#include "sql/sql.h"

/* Engines, as bits. */
typedef enum LintEngine {
    LINT_SPARK41 = 1,
    LINT_SPARK43 = 2,
    LINT_LAKEFLOW = 4,
    LINT_SPARK = LINT_SPARK41 | LINT_SPARK43,
    LINT_CDC = LINT_SPARK43 | LINT_LAKEFLOW, /* that know AUTO CDC */
    LINT_ALL = 7,
} LintEngine;

typedef struct Lint Lint;
typedef struct LintRule LintRule;

struct LintRule {
    const char *code;   /* OR_REFRESH: in the JSON form, and in docs/lint.md */
    unsigned engines;   /* of LintEngine */
    bool refuses;       /* else the engine does something else */
    /* What it is about, in words that fit before and behind: "Spark 4.3 refuses <what>", "<what> <effect> Spark 4.3". %s: the finding's own word. */
    const char *what;
    const char *effect; /* NULL where refuses: "has no meaning to" */
    const char *error;  /* Spark's error class; NULL: none, or not known */
    const char *hint;   /* whole sentences: what to write instead. %s likewise */
    /* One of them looks for it: called for each statement, query, relation, expression; or once for the spec. */
    void (*statement)(Lint *lint, const LintRule *rule, const Statement *statement);
    void (*query)(Lint *lint, const LintRule *rule, const Query *query);
    void (*relation)(Lint *lint, const LintRule *rule, const Relation *relation);
    void (*expr)(Lint *lint, const LintRule *rule, const Expr *expr);
    void (*spec)(Lint *lint, const LintRule *rule, const PipelineSpec *spec);
};

extern const LintRule lint_rules[]; /* ends with a NULL code */

/* ---- for rules ---- */

/* A finding. word: for %s in the rule's texts; NULL: "". pos with line 0: at the statement that is looked at. */
void lint_find(Lint *lint, const LintRule *rule, SiltPos pos, const char *word);
/* Where words stand in a statement, see sql_statement_find. */
SiltPos lint_place(Lint *lint, const Statement *statement, const char *words);
/* The table, view or table of the project whose name is this one but for the case of its letters; NULL: none, or one of exactly this name. */
const char *lint_other_case(const Lint *lint, const char *name);
bool lint_in_values(const Lint *lint); /* the expression stands in VALUES */

/* ---- for those who ask ---- */

typedef struct LintFinding {
    SiltErr error; /* code is the rule's */
    bool refused;  /* else it means something else there */
} LintFinding;

typedef struct LintFindings {
    LintFinding *items; /* in the order of files and lines; in the arena of the errors */
    int count, capacity;
} LintFindings;

/*
 * spec: absolute path of the spec file. profile: spark41, spark43, lakeflow; NULL: all of them. 0, or -1 with errors: a profile that is none, a spec
 * or an SQL file that cannot be read.
 */
int lint_project(Io *io, const char *spec, const char *profile, LintFindings *out, SqlErrors *errors);
