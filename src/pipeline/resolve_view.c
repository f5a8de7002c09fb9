/*
 * pipeline/resolve_view.c - the text of a view or a function, opened where it is used
 */
#include "pipeline/resolve_internal.h"
#include "plan/walk.h"
#include <strings.h>

typedef struct Qualify {
    Resolver *resolver;
    const GraphScope *scope;
    const char **ctes;
    int cte_count, cte_capacity;
} Qualify;

static bool note_ctes(void *self, Query *query)
{
    Qualify *q = self;

    for (int i = 0; i < query->with_count; i++)
        ARENA_PUSH(q->resolver->query->arena, q->ctes, q->cte_count, q->cte_capacity, query->with[i].name);
    return true;
}

/* Names in a view or a function mean what they mean where it is defined. */
static bool qualify_name(void *self, Relation *relation)
{
    Qualify *q = self;
    Arena *arena = q->resolver->query->arena;
    const GraphScope *scope = q->scope;

    if (relation->kind != REL_TABLE || relation->name.count != 1)
        return true;
    for (int i = 0; i < q->cte_count; i++)
        if (!strcasecmp(q->ctes[i], relation->name.parts[0]))
            return true;
    const Graph *graph = q->resolver->options->graph;
    const Dataset *found = graph ? graph_find(graph, scope, &relation->name) : NULL;
    if (found && found->kind == DATASET_TEMPORARY_VIEW)
        return true;
    const char **parts = ARENA_ARRAY(arena, const char *, 3);
    parts[0] = scope->catalog;
    parts[1] = scope->schema;
    parts[2] = relation->name.parts[0];
    relation->name.parts = parts;
    relation->name.count = 3;
    return true;
}

/* A fresh tree of what a view or function is, its names qualified. */
int resolve__open_text(Resolver *r, const Statement *from, const GraphScope *scope, Statement **out, SiltErr *err)
{
    Qualify qualify = {.resolver = r, .scope = scope};
    WalkVisitor visitor = {.self = &qualify, .query = note_ctes, .relation = qualify_name};

    SILT_TRY(sql_parse_again(r->query->arena, from, out, err));
    walk_query(&visitor, (*out)->query);
    if ((*out)->routine)
        walk_expr(&visitor, (*out)->routine->body);
    if (r->views) {
        str_buf_str(r->views, from->text);
        str_buf_putc(r->views, '\n');
    }
    return 0;
}

int resolve__view(Resolver *r, Relation *relation, const Dataset *view, SqlRelation **out, SiltErr *err)
{
    Arena *arena = r->query->arena;
    SqlRelation *resolved = ARENA_NEW(arena, SqlRelation);
    Statement *statement;

    if (view->streams && !relation->stream) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "\"%s\" is a streaming view", view->name);
        silt_code(err, "INCOMPATIBLE_STREAMING_VIEW_READ");
        return silt_hint(err, "Read it as a stream: STREAM %s.", view->table);
    }
    if (!view->streams && relation->stream) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "\"%s\" is no streaming view", view->name);
        silt_code(err, "INCOMPATIBLE_BATCH_VIEW_READ");
        return silt_hint(err, "Leave STREAM out, or read a stream in the view.");
    }
    if (relation->option_count)
        return silt_fail_at(err, SILT_CONFIG, relation->options[0].pos, "a view takes no options: give them where the view reads its table");
    SILT_TRY(resolve__open_text(r, view->statement, &view->scope, &statement, err));
    resolved->name = view->name;
    resolved->view = statement->query;
    resolved->streaming = relation->stream;
    *out = resolved;
    return 0;
}
