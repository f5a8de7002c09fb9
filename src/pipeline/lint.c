/*
 * pipeline/lint.c - walks a project's statements past the table of rules
 */
#include "pipeline/lint.h"
#include "plan/walk.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct Lint {
    Arena *arena;
    unsigned engines; /* that are asked for */
    LintFindings *findings;
    const Statement *statement; /* that is looked at; NULL: the spec */
    const char **names;         /* of tables and views that the project makes */
    int name_count, name_capacity;
    int values; /* VALUES that the walk stands in */
};

static const struct profile {
    const char *name, *engine;
    unsigned bit;
} profiles[] = {{"spark41", "Spark 4.1", LINT_SPARK41}, {"spark43", "Spark 4.3", LINT_SPARK43}, {"lakeflow", "Lakeflow", LINT_LAKEFLOW}};
enum { PROFILES = sizeof profiles / sizeof profiles[0] };

/* "Spark 4.1, Spark 4.3 and Lakeflow" */
static void put_engines(StrBuf *out, unsigned engines)
{
    int count = 0, done = 0;

    for (int i = 0; i < PROFILES; i++)
        count += (engines & profiles[i].bit) != 0;
    for (int i = 0; i < PROFILES; i++)
        if (engines & profiles[i].bit) {
            str_buf_puts(out, !done ? "" : done + 1 == count ? " and " : ", ");
            str_buf_puts(out, profiles[i].engine);
            done++;
        }
}

/* A text of a rule; its one %s, if any, is the word. */
static void put_text(StrBuf *out, const char *text, const char *word)
{
    const char *at = strstr(text, "%s");

    if (!at) {
        str_buf_puts(out, text);
        return;
    }
    str_buf_add(out, text, (size_t)(at - text));
    str_buf_puts(out, word);
    str_buf_puts(out, at + 2);
}

void lint_find(Lint *lint, const LintRule *rule, SiltPos pos, const char *word)
{
    silt_auto(str_buf_fini) StrBuf message = {0}, hint = {0};
    unsigned engines = rule->engines & lint->engines;
    bool several = engines & (engines - 1);
    LintFinding finding = {.refused = rule->refuses};

    if (!pos.line && lint->statement)
        pos = (SiltPos){lint->statement->pos.file, lint->statement->pos.line, lint->statement->pos.column, 0};
    if (rule->refuses) {
        put_engines(&message, engines);
        str_buf_puts(&message, several ? " refuse " : " refuses ");
        put_text(&message, rule->what, word ? word : "");
        if (rule->error)
            str_buf_printf(&message, " (%s)", rule->error);
    } else {
        put_text(&message, rule->what, word ? word : "");
        str_buf_printf(&message, " %s ", rule->effect);
        put_engines(&message, engines);
    }
    put_text(&hint, rule->hint, word ? word : "");
    silt_fail_at(&finding.error, SILT_CONFIG, pos, "%s", str_buf_text(&message));
    silt_code(&finding.error, rule->code);
    silt_hint(&finding.error, "%s", str_buf_text(&hint));
    ARENA_PUSH(lint->arena, lint->findings->items, lint->findings->count, lint->findings->capacity, finding);
}

SiltPos lint_place(Lint *lint, const Statement *statement, const char *words)
{
    return sql_statement_find(lint->arena, statement, words);
}

const char *lint_other_case(const Lint *lint, const char *name)
{
    const char *found = NULL;

    for (int i = 0; i < lint->name_count; i++) {
        if (!strcmp(lint->names[i], name))
            return NULL;
        if (!strcasecmp(lint->names[i], name))
            found = lint->names[i];
    }
    return found;
}

bool lint_in_values(const Lint *lint)
{
    return lint->values > 0;
}

/* ---- the walk ---- */

static bool meet_query(void *self, Query *query)
{
    Lint *lint = self;

    for (const LintRule *rule = lint_rules; rule->code; rule++)
        if (rule->query && rule->engines & lint->engines)
            rule->query(lint, rule, query);
    return true;
}

static bool meet_expr(void *self, Expr *expr)
{
    Lint *lint = self;

    for (const LintRule *rule = lint_rules; rule->code; rule++)
        if (rule->expr && rule->engines & lint->engines)
            rule->expr(lint, rule, expr);
    return true;
}

/* The rows of VALUES, as a relation or as a query, are walked from here, so that their expressions know where they stand. */
static bool meet_relation(void *self, Relation *relation)
{
    Lint *lint = self;

    for (const LintRule *rule = lint_rules; rule->code; rule++)
        if (rule->relation && rule->engines & lint->engines)
            rule->relation(lint, rule, relation);
    if (relation->kind != REL_VALUES)
        return true;
    WalkVisitor rows = {.self = lint, .query = meet_query, .relation = meet_relation, .expr = meet_expr};
    lint->values++;
    for (int i = 0; i < relation->arg_count; i++)
        walk_expr(&rows, relation->args[i]);
    lint->values--;
    return false;
}

static void look_at(Lint *lint, Statement *statement)
{
    WalkVisitor visitor = {.self = lint, .query = meet_query, .relation = meet_relation, .expr = meet_expr};

    lint->statement = statement;
    for (const LintRule *rule = lint_rules; rule->code; rule++)
        if (rule->statement && rule->engines & lint->engines)
            rule->statement(lint, rule, statement);
    walk_query(&visitor, statement->query);
    for (int i = 0; i < statement->expectation_count; i++)
        walk_expr(&visitor, statement->expectations[i].condition);
}

/* ---- the project ---- */

static void note_name(Lint *lint, const Statement *statement)
{
    bool makes = statement->kind == STMT_CREATE_STREAMING_TABLE || statement->kind == STMT_CREATE_MATERIALIZED_VIEW || statement->kind == STMT_CREATE_VIEW ||
                 statement->kind == STMT_CREATE_TEMPORARY_VIEW;

    if (makes && statement->name.count)
        ARENA_PUSH(lint->arena, lint->names, lint->name_count, lint->name_capacity, statement->name.parts[statement->name.count - 1]);
}

static int by_place(const void *a, const void *b)
{
    const SiltErr *x = &((const LintFinding *)a)->error, *y = &((const LintFinding *)b)->error;
    int order = strcmp(x->file, y->file);

    return order ? order : x->line != y->line ? x->line - y->line : x->column != y->column ? x->column - y->column : strcmp(x->code, y->code);
}

static int choose(const char *profile, unsigned *engines, SqlErrors *errors)
{
    const char *names[PROFILES];
    SiltErr err;

    *engines = profile ? 0 : LINT_ALL;
    for (int i = 0; i < PROFILES; i++) {
        names[i] = profiles[i].name;
        if (profile && !strcmp(profile, profiles[i].name))
            *engines = profiles[i].bit;
    }
    if (*engines)
        return 0;
    const char *nearest = str_nearest(str_of(profile), names, PROFILES);
    silt_fail(&err, SILT_CONFIG, "there is no profile \"%s\"", profile);
    if (nearest)
        silt_hint(&err, "Did you mean \"%s\"?", nearest);
    else
        silt_hint(&err, "There are spark41, spark43 and lakeflow.");
    sql_errors_add(errors, &err);
    return -1;
}

int lint_project(Io *io, const char *spec_path, const char *profile, LintFindings *out, SqlErrors *errors)
{
    Lint lint = {.arena = errors->arena, .findings = out};
    Statement **all = NULL;
    int count = 0, capacity = 0, before = errors->count;
    PipelineSpec *spec;
    SiltErr err;

    *out = (LintFindings){0};
    if (choose(profile, &lint.engines, errors) < 0 || spec_load(io, lint.arena, spec_path, NULL, 0, &spec, errors) < 0)
        return -1;
    for (int i = 0; i < spec->sql_count; i++) {
        Statement **statements;
        int some;
        Str text;
        int r = io_read(io, spec->sql_files[i], lint.arena, &text, &err);
        if (r == IO_ABSENT)
            silt_fail(&err, SILT_CONFIG, "file \"%s\" has vanished", spec->sql_names[i]);
        if (r) {
            sql_errors_add(errors, &err);
            continue;
        }
        if (sql_parse_file(lint.arena, spec->sql_names[i], text, &statements, &some, errors) < 0)
            continue;
        for (int j = 0; j < some; j++) {
            note_name(&lint, statements[j]);
            ARENA_PUSH(lint.arena, all, count, capacity, statements[j]);
        }
    }
    if (errors->count > before)
        return -1;
    for (const LintRule *rule = lint_rules; rule->code; rule++)
        if (rule->spec && rule->engines & lint.engines)
            rule->spec(&lint, rule, spec);
    for (int i = 0; i < count; i++)
        look_at(&lint, all[i]);
    if (out->count)
        qsort(out->items, (size_t)out->count, sizeof *out->items, by_place);
    return 0;
}
