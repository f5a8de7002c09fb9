/*
 * pipeline/resolve_function.c - functions of `silt sql` that look into a project: event_log(...), cloud_files_state(...)
 */
#include "pipeline/open_table.h"
#include "pipeline/resolve_internal.h"
#include "pipeline/event_log.h"
#include "pipeline/files_state.h"
#include <string.h>
#include <strings.h>

/* The table of the project that f(TABLE(name)) names. */
static int table_argument(Resolver *r, const Relation *relation, const Dataset **out, SiltErr *err)
{
    const char *names[512], *last = relation->table_arg.parts[relation->table_arg.count - 1];
    const Graph *graph = r->options->graph;

    *out = graph ? graph_find(graph, &r->scope, &relation->table_arg) : NULL;
    if (*out && (*out)->path)
        return 0;
    const char *nearest = graph ? str_nearest(str_of(last), names, graph_names(graph, names, 512)) : NULL;
    silt_fail_at(err, SILT_CONFIG, relation->table_arg.pos, "the project has no table \"%s\"", last);
    silt_code(err, "TABLE_OR_VIEW_NOT_FOUND");
    return nearest ? silt_hint(err, "Did you mean \"%s\"?", nearest) : -1;
}

/* Which pipeline is meant: by one of its tables, or by its id. */
static int check_event_log(Resolver *r, const Relation *relation, const char *path, SiltErr *err)
{
    DeltaEnv env = open_table_env(r->options->io, r->options->engine);
    silt_auto(delta_table_freep) DeltaTable *table = NULL;

    if (relation->table_arg.count) {
        const Dataset *dataset;
        return table_argument(r, relation, &dataset, err);
    }
    const Expr *id = relation->arg_count == 1 ? resolve__literal(relation->args[0]) : NULL;
    if (!id || !id->type || id->type->kind != TYPE_STRING) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "event_log needs a table or the id of the pipeline");
        return silt_hint(err, "Write event_log(TABLE(t)) with a table of the project.");
    }
    table = delta_table_new(&env, path);
    int outcome = delta_table_refresh(table, err);
    if (outcome < 0)
        return outcome;
    const char *own = outcome == 0 ? delta_table_snapshot(table)->metadata->id : NULL;
    if (!own || strcasecmp(own, arena_str(r->query->arena, id->literal).ptr) == 0)
        return 0;
    silt_fail_at(err, SILT_CONFIG, id->pos, "this project's pipeline has another id");
    return silt_hint(err, "Its id is %s. Or name a table: event_log(TABLE(t)).", own);
}

int resolve__event_log(Resolver *r, Relation *relation, SqlRelation **out, SiltErr *err)
{
    const PipelineSpec *spec = r->options->spec;

    if (r->want)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "event_log can be asked in `silt sql`, not in a project's own queries");
    if (!spec) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "there is no event log outside of a project");
        return silt_hint(err, "Start in the project's folder, or with --spec.");
    }
    const char *path = event_log_path(r->query->arena, spec->storage_path);
    SILT_TRY(check_event_log(r, relation, path, err));
    int outcome = resolve__external_table(r, relation, path, "event_log", out, err);
    if (outcome != SQL_NO_TABLE)
        return outcome;
    silt_fail_at(err, SILT_CONFIG, relation->pos, "the event log has not been made yet");
    return silt_hint(err, "`silt run` writes it, unless silt.events is off.");
}

static int open_files_state(Resolver *r, const Relation *relation, Source **out, SiltErr *err)
{
    Arena *arena = r->query->arena;
    const Dataset *dataset;
    const char *path;

    if (relation->table_arg.count) {
        SILT_TRY(table_argument(r, relation, &dataset, err));
        if (dataset->kind == DATASET_STREAMING_TABLE)
            return files_state_of_table(r->options, dataset, out, err);
        silt_fail_at(err, SILT_CONFIG, relation->table_arg.pos, "\"%s\" is no streaming table: it keeps no state of files", dataset->name);
        return silt_hint(err, "Ask the streaming table that takes the files.");
    }
    const Expr *text = relation->arg_count == 1 ? resolve__literal(relation->args[0]) : NULL;
    if (!text || !text->type || text->type->kind != TYPE_STRING) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "cloud_files_state needs a table or the folder of a checkpoint");
        return silt_hint(err, "Write cloud_files_state(TABLE(t)) or cloud_files_state('/path/of/checkpoint').");
    }
    SILT_TRY(resolve__folder(r->options, arena, arena_str(arena, text->literal).ptr, &path, err));
    return files_state_of_checkpoint(r->options, path, text->pos, out, err);
}

int resolve__files_state(Resolver *r, const Relation *relation, SqlRelation **out, SiltErr *err)
{
    Source *source = r->old ? resolve__old_source(r) : NULL;

    if (r->want)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "cloud_files_state can be asked in `silt sql`, not in a project's own queries");
    if (relation->stream)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "cloud_files_state is no stream: leave STREAM out");
    if (!source)
        SILT_TRY(open_files_state(r, relation, &source, err));
    resolve__add_source(r, relation, source, out);
    return 0;
}
