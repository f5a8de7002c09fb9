/*
 * pipeline/resolve_source.c - functions and paths that read data: sources, opened once for a query and taken over when it is analyzed again
 */
#include "pipeline/resolve_internal.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what sources need ---- */

static int host_session(void *self, DuckSession **out, SiltErr *err)
{
    SourceHost *host = self;

    if (!host->session)
        SILT_TRY(duck_session_open(host->engine, &host->session, err));
    *out = host->session;
    return 0;
}

SourceHost *source_host_new(const AnalysisOptions *options, const char *time_zone)
{
    SourceHost *host = silt_alloc(sizeof *host);

    host->arena = arena_new();
    host->engine = options->engine;
    host->context = (SourceContext){
        .io = options->io,
        .base_directory = options->directory,
        .time_zone = arena_strdup(host->arena, time_zone),
        .session = host_session,
        .session_self = host,
        .extensions = options->extensions->sources,
        .extension_count = options->extensions->source_count,
    };
    return host;
}

void source_host_free(SourceHost *host)
{
    if (!host)
        return;
    duck_session_close(host->session);
    arena_free(host->arena);
    free(host);
}

/* ---- relations ---- */

static int open_source(Resolver *r, Relation *relation, Source **out, SiltErr *err)
{
    SourceHost *host = r->query->host;
    SourceContext context = host->context;
    const char *text = NULL, *directory = NULL;
    int outcome;

    if (relation->stream && r->schemas) {
        directory = arena_printf(host->arena, "%s/%d", r->schemas, r->streaming_count);
        outcome = source_schema_load(r->options->io, directory, host->arena, &text, err);
        if (outcome < 0)
            return outcome;
        context.schema_text = outcome == 0 ? text : NULL;
    }
    outcome = source_from_relation(&context, relation, out, err);
    if (outcome < 0 && err->kind == SILT_CORRUPT && context.schema_text) {
        silt_context(err, "\"%s\": ", directory);
        if (str_ends(str_of(r->schemas), "/_schemas"))
            silt_hint(err, "Take \"%.*s/metadata\" away: the folder is no checkpoint then, and silt recover makes the next one of what the table knows.",
                      (int)(strlen(r->schemas) - strlen("/_schemas")), r->schemas);
    }
    return outcome;
}

static bool has_argument(const Relation *relation, const char *name)
{
    for (int i = 0; i < relation->arg_count; i++)
        if (relation->args[i]->kind == EXPR_NAMED_ARG && !strcasecmp(relation->args[i]->text, name))
            return true;
    return false;
}

/* Is it a reader of records that may turn out bad? */
static bool decodes(const Relation *relation)
{
    if (relation->kind != REL_FUNCTION || relation->name.count != 1)
        return false;
    return !strcasecmp(relation->name.parts[0], "read_files") || (!strcasecmp(relation->name.parts[0], "read_kafka") && has_argument(relation, "format"));
}

/* silt.deadLetters = 'spark': rows of NULLs as Spark makes them, unless the query says how. */
static void take_mode(Resolver *r, Relation *relation)
{
    const char *policy = conf_get(r->scope.conf, "silt.deadLetters");
    Arena *arena = r->query->arena;

    if (!policy || strcasecmp(policy, "spark") || !decodes(relation) || has_argument(relation, "mode"))
        return;
    Expr *value = ARENA_NEW(arena, Expr), *named = ARENA_NEW(arena, Expr);
    *value = (Expr){.kind = EXPR_LITERAL, .pos = relation->pos, .text = "PERMISSIVE", .literal = STR("PERMISSIVE"), .type = type_simple(TYPE_STRING), .constant = true};
    *named = (Expr){.kind = EXPR_NAMED_ARG, .pos = relation->pos, .text = "mode", .type = value->type};
    named->args = ARENA_ARRAY(arena, Expr *, 1);
    named->args[0] = value;
    named->arg_count = 1;
    Expr **args = ARENA_ARRAY(arena, Expr *, relation->arg_count + 1);
    for (int i = 0; i < relation->arg_count; i++)
        args[i] = relation->args[i];
    args[relation->arg_count++] = named;
    relation->args = args;
}

/* Analyzed again: the same sources in the same order, with schemas that may have grown. */
Source *resolve__old_source(const Resolver *r)
{
    int number = 0;

    for (int i = 0; i < r->old->input_count; i++)
        if (r->old->inputs[i]->kind == PLAN_INPUT_SOURCE && number++ == r->source_count)
            return r->old->inputs[i]->source;
    silt_assert(!"a source that was not there");
    return NULL;
}

void resolve__add_source(Resolver *r, const Relation *relation, Source *source, SqlRelation **out)
{
    const SourceSchema *schema = source_schema(source);
    PlanInput *input = resolve__new_input(r, relation, PLAN_INPUT_SOURCE, source_name(source));

    r->source_count++;
    input->source = source;
    input->relation.column_names = schema->names;
    input->relation.column_types = schema->types;
    input->relation.column_nullable = schema->nullable;
    input->relation.column_count = schema->column_count;
    input->relation.hidden_count = schema->hidden_count;
    *out = &input->relation;
}

int resolve__source(Resolver *r, Relation *relation, SqlRelation **out, SiltErr *err)
{
    Source *source = NULL;

    if (r->old) {
        source = resolve__old_source(r);
    } else {
        take_mode(r, relation);
        int outcome = open_source(r, relation, &source, err);
        if (outcome == SOURCE_NONE)
            return SQL_NO_TABLE;
        SILT_TRY(outcome);
    }
    resolve__add_source(r, relation, source, out);
    return 0;
}
