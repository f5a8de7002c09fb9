/* pipeline/defined.c - functions and variables of an SQL session, by name */
#include "pipeline/defined.h"
#include <string.h>
#include <strings.h>

const GraphFunction *defined_function(const Defined *defined, const char *name)
{
    for (int i = 0; defined && i < defined->function_count; i++)
        if (!strcasecmp(defined->functions[i].name, name))
            return &defined->functions[i];
    return NULL;
}

SessionVariable *defined_variable(const Defined *defined, const char *name)
{
    for (int i = 0; defined && i < defined->variable_count; i++)
        if (!strcasecmp(defined->variables[i].name, name))
            return &defined->variables[i];
    return NULL;
}

const char *defined_variable_name(const SqlName *name, const char *code, SiltErr *err)
{
    const char *last = name->parts[name->count - 1];
    bool session = name->count == 1 || !strcasecmp(name->parts[name->count - 2], "session");

    if (session && (name->count < 3 || (name->count == 3 && !strcasecmp(name->parts[0], "system"))))
        return last;
    silt_fail_at(err, SILT_CONFIG, name->pos, "a variable belongs to the session, not to \"%s\"", name->parts[name->count - 2]);
    silt_code(err, code);
    silt_hint(err, "Write it as %s or session.%s.", last, last);
    return NULL;
}

int defined_put_function(Defined *defined, const Statement *statement, const GraphScope *scope, SiltErr *err)
{
    const GraphFunction *old = defined_function(defined, statement->name.parts[0]);
    Statement at = *statement, *copy;
    GraphFunction function = {.scope = {conf_copy(defined->arena, scope->conf), scope->catalog, arena_strdup(defined->arena, scope->schema)}};

    at.text = arena_str(defined->arena, statement->text);
    SILT_TRY(sql_parse_again(defined->arena, &at, &copy, err));
    function.statement = copy;
    function.name = copy->name.parts[0];
    if (old)
        defined->functions[old - defined->functions] = function;
    else
        ARENA_PUSH(defined->arena, defined->functions, defined->function_count, defined->function_capacity, function);
    return 0;
}

bool defined_drop_function(Defined *defined, const char *name)
{
    const GraphFunction *found = defined_function(defined, name);

    if (!found)
        return false;
    int at = (int)(found - defined->functions);
    memmove(&defined->functions[at], &defined->functions[at + 1], sizeof *defined->functions * (size_t)(--defined->function_count - at));
    return true;
}

SessionVariable *defined_put_variable(Defined *defined, const char *name)
{
    SessionVariable *found = defined_variable(defined, name), fresh = {.name = arena_strdup(defined->arena, name)};

    if (found) {
        *found = fresh;
        return found;
    }
    ARENA_PUSH(defined->arena, defined->variables, defined->variable_count, defined->variable_capacity, fresh);
    return &defined->variables[defined->variable_count - 1];
}

bool defined_drop_variable(Defined *defined, const char *name)
{
    const SessionVariable *found = defined_variable(defined, name);

    if (!found)
        return false;
    int at = (int)(found - defined->variables);
    memmove(&defined->variables[at], &defined->variables[at + 1], sizeof *defined->variables * (size_t)(--defined->variable_count - at));
    return true;
}
