#pragma once
/* pipeline/resolve_internal.h - what the files that make inputs of relations share */
#include "pipeline/resolve.h"

/* resolve.c */

/* One more input of the query, named `name`, without columns yet. In the query's arena. */
PlanInput *resolve__new_input(Resolver *r, const Relation *relation, PlanInputKind kind, const char *name);
/* The literal below casts, NULL: the expression is none. */
const Expr *resolve__literal(const Expr *expr);
/* A folder as a person writes it, relative to the project or a URI. In arena. */
int resolve__folder(const AnalysisOptions *options, Arena *arena, const char *text, const char **out, SiltErr *err);

/* Each of these makes *out of a relation. 0, SQL_NO_TABLE: it is nothing of this kind, or < 0. */

/* resolve_table.c: the Delta table at path, `name` in messages; a dataset of the project that has a table */
int resolve__external_table(Resolver *r, Relation *relation, const char *path, const char *name, SqlRelation **out, SiltErr *err);
/* Rows set aside of a dataset; the table may be yet to be made. */
int resolve__side_table(Resolver *r, Relation *relation, const Dataset *of, FlowSide side, const char *name, SqlRelation **out, SiltErr *err);
int resolve__project_table(Resolver *r, Relation *relation, const Dataset *dataset, SqlRelation **out, SiltErr *err);

/* resolve_view.c */
int resolve__view(Resolver *r, Relation *relation, const Dataset *view, SqlRelation **out, SiltErr *err);
/* A fresh tree of what a view or function is, its names qualified. In the query's arena. */
int resolve__open_text(Resolver *r, const Statement *from, const GraphScope *scope, Statement **out, SiltErr *err);

/* resolve_source.c */
int resolve__source(Resolver *r, Relation *relation, SqlRelation **out, SiltErr *err);
/* The source that stood here when the query was analyzed before; r->old is set. */
Source *resolve__old_source(const Resolver *r);
/* An input that reads the source. */
void resolve__add_source(Resolver *r, const Relation *relation, Source *source, SqlRelation **out);

/* resolve_function.c */
int resolve__event_log(Resolver *r, Relation *relation, SqlRelation **out, SiltErr *err);
int resolve__files_state(Resolver *r, const Relation *relation, SqlRelation **out, SiltErr *err);
