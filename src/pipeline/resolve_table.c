/*
 * pipeline/resolve_table.c - Delta tables as inputs: those of the project, and those outside of it; their options and their versions
 */
#include "pipeline/open_table.h"
#include "pipeline/resolve_internal.h"
#include "format/option.h"
#include "format/value.h"
#include <string.h>
#include <strings.h>

/* ---- options of STREAM t WITH (...) and time travel ---- */

#define AT(field) offsetof(DeltaStreamOptions, field)

static const OptionRow stream_options[] = {
    {"maxFilesPerTrigger", OPTION_COUNT, AT(files_max), 1, NULL, NULL, "files a batch (1000)"},
    {"maxBytesPerTrigger", OPTION_BYTES, AT(bytes_max), 0, NULL, NULL, "bytes a batch; at least one file"},
    {"skipChangeCommits", OPTION_BOOL, AT(skip_change_commits), 0, NULL, NULL, "commits that delete or rewrite are passed over as a whole"},
    {"ignoreDeletes", OPTION_BOOL, AT(ignore_deletes), 0, NULL, NULL, "commits that only delete are passed over"},
    {"startingVersion", OPTION_COUNT, AT(starting_version), 0, NULL, NULL, "a stream begins with the commits from this version on"},
    {0},
};

static int take_option(Resolver *r, PlanInput *input, const SqlOption *option, SiltErr *err)
{
    const OptionTable tables[] = {{stream_options, &input->stream}, {0}};

    if (!strcasecmp(option->key, "startingVersion") && !strcasecmp(option->value, "latest"))
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "cannot start from \"latest\" yet");
    return option_set(tables, r->query->arena, option, "a streamed table", err);
}

static int take_time_travel(Resolver *r, PlanInput *input, const Relation *relation, SiltErr *err)
{
    const Expr *version = resolve__literal(relation->version_as_of), *time = resolve__literal(relation->timestamp_as_of);
    const char *zone = conf_sql_settings(r->scope.conf).time_zone;

    if (!relation->version_as_of && !relation->timestamp_as_of)
        return 0;
    SiltPos pos = (relation->version_as_of ? relation->version_as_of : relation->timestamp_as_of)->pos;
    if (relation->stream)
        return silt_fail_at(err, SILT_CONFIG, pos, "a stream cannot be read as of a version");
    if (relation->version_as_of) {
        Str text = version ? (version->literal.size ? version->literal : str_of(version->text)) : (Str){0};
        if (!version || !str_to_int64(text, &input->version) || input->version < 0)
            return silt_fail_at(err, SILT_CONFIG, pos, "the version is not a whole number");
        return 0;
    }
    Str text = time ? (time->literal.size ? time->literal : str_of(time->text)) : (Str){0};
    if (!time || !value_timestamp(text, zone_find(str_of(zone)), &input->timestamp_us)) {
        silt_fail_at(err, SILT_CONFIG, pos, "the time is not a timestamp");
        return silt_hint(err, "Write it as a literal: TIMESTAMP AS OF '2026-11-29 10:00:00'.");
    }
    return 0;
}

static int finish_table(Resolver *r, PlanInput *input, const Relation *relation, SqlRelation **out, SiltErr *err)
{
    if (relation->option_count && !relation->stream)
        return silt_fail_at(err, SILT_CONFIG, relation->options[0].pos, "options go with STREAM only");
    for (int i = 0; i < relation->option_count; i++)
        SILT_TRY(take_option(r, input, &relation->options[i], err));
    SILT_TRY(take_time_travel(r, input, relation, err));
    *out = &input->relation;
    return 0;
}

/* ---- tables ---- */

static void take_columns(Resolver *r, PlanInput *input, const Type *schema)
{
    Arena *arena = r->query->arena;
    SqlRelation *relation = &input->relation;

    relation->column_count = schema->field_count;
    relation->column_names = ARENA_ARRAY(arena, const char *, schema->field_count + 1);
    relation->column_types = ARENA_ARRAY(arena, const Type *, schema->field_count + 1);
    relation->column_nullable = ARENA_ARRAY(arena, bool, schema->field_count + 1);
    for (int i = 0; i < schema->field_count; i++) {
        relation->column_names[i] = arena_strdup(arena, schema->fields[i].name);
        relation->column_types[i] = type_copy(arena, schema->fields[i].type);
        relation->column_nullable[i] = schema->fields[i].nullable;
    }
}

/* The version that a relation names, without looking at later ones: they may be what is wrong with the table. */
static int named_version(DeltaTable *table, const PlanInput *input, const Relation *relation, const DeltaSnapshot **out, SiltErr *err)
{
    int outcome = delta_table_at_version(table, input->version, out, err);

    if (outcome < 0 && !strcmp(err->code, "DELTA_VERSION_NOT_FOUND"))
        silt_place(err, relation->version_as_of->pos);
    return outcome;
}

int resolve__external_table(Resolver *r, Relation *relation, const char *path, const char *name, SqlRelation **out, SiltErr *err)
{
    DeltaEnv env = open_table_env(r->options->io, r->options->engine);
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, path);
    silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *at = NULL;
    int outcome = relation->version_as_of ? 0 : delta_table_refresh(table, err);

    if (outcome == DELTA_ABSENT)
        return SQL_NO_TABLE;
    SILT_TRY(outcome);
    PlanInput *input = resolve__new_input(r, relation, PLAN_INPUT_DELTA, name);
    input->path = arena_strdup(r->query->arena, path);
    SILT_TRY(finish_table(r, input, relation, out, err));
    if (relation->version_as_of)
        outcome = named_version(table, input, relation, &at, err);
    else if (input->timestamp_us != INT64_MIN)
        outcome = delta_table_at_time(table, input->timestamp_us, &at, err);
    if (outcome == DELTA_ABSENT)
        return SQL_NO_TABLE;
    SILT_TRY(outcome);
    if (input->timestamp_us != INT64_MIN) {
        input->version = at->version;
        input->timestamp_us = INT64_MIN; /* pinned */
    }
    take_columns(r, input, (at ? at : delta_table_snapshot(table))->metadata->schema);
    return 0;
}

int resolve__side_table(Resolver *r, Relation *relation, const Dataset *of, FlowSide side, const char *name, SqlRelation **out, SiltErr *err)
{
    Arena *arena = r->query->arena;
    const char *path = arena_printf(arena, "%s%s", of->path, flow_side_suffixes[side]);
    const TargetWant *want = r->want ? r->want(r->want_self, of) : NULL;
    int outcome = resolve__external_table(r, relation, path, name, out, err);

    if (outcome != SQL_NO_TABLE || !want || !want->schema || relation->version_as_of || relation->timestamp_as_of)
        return outcome;
    PlanInput *input = resolve__new_input(r, relation, PLAN_INPUT_DELTA, name);
    input->path = path;
    take_columns(r, input, flow_side_schema(arena, side, want->schema));
    return finish_table(r, input, relation, out, err);
}

int resolve__project_table(Resolver *r, Relation *relation, const Dataset *dataset, SqlRelation **out, SiltErr *err)
{
    const TargetWant *want = r->want ? r->want(r->want_self, dataset) : NULL;

    if (dataset->kind == DATASET_SINK) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "\"%s\" is a sink: its rows cannot be read here", dataset->name);
        return silt_hint(err, "Read what its flows read, or put a streaming table before it.");
    }
    if (!want) { /* `silt sql` looks at the table itself */
        int outcome = resolve__external_table(r, relation, dataset->path, dataset->name, out, err);
        if (outcome != SQL_NO_TABLE)
            return outcome;
        silt_fail_at(err, SILT_CONFIG, relation->pos, "table \"%s\" has not been made yet", dataset->name);
        silt_code(err, "TABLE_OR_VIEW_NOT_FOUND");
        return silt_hint(err, "`silt run` makes it.");
    }
    if (relation->version_as_of || relation->timestamp_as_of)
        return resolve__external_table(r, relation, dataset->path, dataset->name, out, err);
    PlanInput *input = resolve__new_input(r, relation, PLAN_INPUT_DELTA, dataset->name);
    input->path = dataset->path;
    take_columns(r, input, want->schema);
    return finish_table(r, input, relation, out, err);
}
