#pragma once
/* pipeline/defined.h - what the statements of an SQL session have defined, by name: functions and variables */
#include "pipeline/graph.h"

typedef struct SessionVariable {
    const char *name;
    const Type *type;
    const Expr *value; /* analyzed, a constant */
    const Statement *declaration; /* with its DEFAULT */
} SessionVariable;

/* All in `arena`, which lives as long as the session. Names count without case. */
typedef struct Defined {
    Arena *arena;
    GraphFunction *functions;
    int function_count, function_capacity;
    SessionVariable *variables;
    int variable_count, variable_capacity;
} Defined;

/* NULL: none. Until the next change. */
const GraphFunction *defined_function(const Defined *defined, const char *name);
SessionVariable *defined_variable(const Defined *defined, const char *name);
/*
 * The last part of a variable's name: v, session.v, system.session.v. NULL with an error (code UNRESOLVED_VARIABLE, or what `code` says) for another
 * qualifier.
 */
const char *defined_variable_name(const SqlName *name, const char *code, SiltErr *err);

/* Put a function, whose statement is copied, in place of an older one. 0 or < 0. */
int defined_put_function(Defined *defined, const Statement *statement, const GraphScope *scope, SiltErr *err);
/* False: there is none. */
bool defined_drop_function(Defined *defined, const char *name);
SessionVariable *defined_put_variable(Defined *defined, const char *name);
bool defined_drop_variable(Defined *defined, const char *name);
