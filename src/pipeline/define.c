/*
 * pipeline/define.c - statements that define something for the rest of an SQL session: functions and variables
 *
 * A variable's value is computed when it is assigned, by a query of its own, and kept as an expression that is a constant: later queries are
 * analyzed and run as if it stood there in their text.
 */
#include "pipeline/internal.h"
#include "pipeline/pipeline.h"
#include "plan/walk.h"
#include <string.h>
#include <strings.h>

static int failed(SqlErrors *errors, const SiltErr *err)
{
    sql_errors_add(errors, err);
    return -1;
}

/* ---- functions ---- */

static int create_function(PipelineSession *session, const Statement *statement, SqlErrors *errors)
{
    const SqlName *name = &statement->name;
    const char *last = name->parts[name->count - 1];
    GraphScope scope = pipeline__session_scope(session);
    SiltErr err;

    if (!statement->temporary)
        return graph_refuse(errors, name->pos, "UNSUPPORTED_FEATURE", "Write CREATE TEMPORARY FUNCTION: it is known until the session ends.",
                            "cannot store function \"%s\": there is no catalog of functions", last);
    if (!statement->or_replace && (defined_function(&session->defined, last) || graph_function(session->pipeline->graph, last)))
        return graph_refuse(errors, name->pos, "ROUTINE_ALREADY_EXISTS", "Write CREATE OR REPLACE TEMPORARY FUNCTION, or give it another name.",
                            "there is a function \"%s\" already", last);
    if (analysis_function(session->analysis, statement, &scope, &session->defined, errors) < 0)
        return -1;
    return defined_put_function(&session->defined, statement, &scope, &err) < 0 ? failed(errors, &err) : 0;
}

static int drop_function(PipelineSession *session, const Statement *statement, SqlErrors *errors)
{
    const SqlName *name = &statement->name;
    const char *last = name->parts[name->count - 1];

    if (!statement->temporary)
        return graph_refuse(errors, name->pos, "UNSUPPORTED_FEATURE", "Write DROP TEMPORARY FUNCTION.", "cannot drop function \"%s\": there is no catalog of functions",
                            last);
    if (!defined_drop_function(&session->defined, last) && !statement->if_exists)
        return graph_refuse(errors, name->pos, "ROUTINE_NOT_FOUND", graph_function(session->pipeline->graph, last) ? "The project's files define it." : NULL,
                            "there is no temporary function \"%s\" in this session", last);
    return 0;
}

/* ---- values ---- */

/* The one row of a query as constants in the session's arena; no row: NULL in *out. placed at pos. */
static int read_row(PipelineSession *session, Query *query, SiltPos pos, Expr ***out, int *count, SqlErrors *errors)
{
    PipelineResult *result;
    Chunk *chunk = NULL;
    SiltErr err;
    int rows = 0, r;

    *out = NULL;
    if (pipeline_session_query(session, query, &result, errors) < 0)
        return -1;
    *count = result->column_count;
    pos.file = arena_strdup(session->arena, pos.file);
    while ((r = result->reader.next(result->reader.self, &chunk, &err)) == 0 && chunk) {
        if (!rows && chunk_row_count(chunk)) {
            *out = ARENA_ARRAY(session->arena, Expr *, *count + 1);
            for (int i = 0; r == 0 && i < *count; i++)
                r = sql_value_expr(session->arena, chunk_column(chunk, i), 0, pos, &(*out)[i], &err);
        }
        rows += chunk_row_count(chunk);
        chunk_unref(chunk);
        if (r < 0)
            break;
    }
    pipeline_result_free(result);
    if (r < 0)
        return failed(errors, &err);
    if (rows > 1)
        return graph_refuse(errors, pos, "ROW_SUBQUERY_TOO_MANY_ROWS", "Add LIMIT 1, or a condition.", "the query for a variable's value gives %d rows", rows);
    return 0;
}

/* SELECT CAST(value AS type), ..; type NULL: the value as it is. */
static int compute(PipelineSession *session, Expr **values, const Type *const *types, int count, Expr ***out, SqlErrors *errors)
{
    Arena *arena = errors->arena;
    Query *query = ARENA_NEW(arena, Query);
    int columns;

    *query = (Query){.kind = QUERY_SELECT, .pos = values[0]->pos, .items = ARENA_ARRAY(arena, SelectItem, count), .item_count = count};
    for (int i = 0; i < count; i++) {
        Expr *cast = values[i];
        if (types[i]) {
            cast = ARENA_NEW(arena, Expr);
            *cast = (Expr){.kind = EXPR_CAST, .pos = values[i]->pos, .op = "CAST", .cast_type = types[i], .arg_count = 1, .args = ARENA_ARRAY(arena, Expr *, 1)};
            cast->args[0] = values[i];
        }
        query->items[i] = (SelectItem){.expr = cast, .alias = "value", .alias_pos = values[i]->pos};
    }
    return read_row(session, query, values[0]->pos, out, &columns, errors);
}

/* ---- variables ---- */

static SessionVariable *find_variable(PipelineSession *session, const SqlName *name, SqlErrors *errors)
{
    SiltErr err;
    const char *names[256], *last = defined_variable_name(name, "UNRESOLVED_VARIABLE", &err);
    int count = 0;

    if (!last) {
        failed(errors, &err);
        return NULL;
    }
    SessionVariable *found = defined_variable(&session->defined, last);
    for (; count < session->defined.variable_count && count < 256; count++)
        names[count] = session->defined.variables[count].name;
    const char *near = str_nearest(str_of(last), names, count);
    if (!found)
        graph_refuse(errors, name->pos, "UNRESOLVED_VARIABLE", near ? arena_printf(errors->arena, "Did you mean \"%s\"?", near) : "DECLARE it first.",
                     "there is no variable \"%s\"", last);
    return found;
}

/* What its DECLARE gives a variable: the DEFAULT, computed now, or NULL. */
static int default_value(PipelineSession *session, const Statement *declaration, const Type *type, Expr **out, SqlErrors *errors)
{
    Statement *again;
    SiltErr err;
    Expr **values, *value = ARENA_NEW(errors->arena, Expr);

    if (sql_parse_again(errors->arena, declaration, &again, &err) < 0)
        return failed(errors, &err);
    *value = (Expr){.kind = EXPR_LITERAL, .pos = declaration->pos, .type = type_simple(TYPE_VOID), .nullable = true};
    if (again->variables->value_count)
        value = again->variables->values[0];
    if (compute(session, &value, &type, 1, &values, errors) < 0)
        return -1;
    *out = values[0];
    return 0;
}

static bool note_query(void *self, Query *query)
{
    (void)query;
    *(bool *)self = true;
    return false;
}

static bool holds_query(Expr *expr)
{
    bool found = false;
    WalkVisitor visitor = {.self = &found, .query = note_query};

    walk_expr(&visitor, expr);
    return found;
}

static int declare(PipelineSession *session, const Statement *statement, SqlErrors *errors)
{
    const VariableList *list = statement->variables;
    Statement at = *statement, *kept;
    Expr *value;
    SiltErr err;

    for (int i = 0; i < list->name_count; i++) {
        const char *name = defined_variable_name(&list->names[i], "INVALID_VARIABLE_DECLARATION.QUALIFIED_LOCAL_VARIABLE", &err);
        if (!name)
            return failed(errors, &err);
        if (!statement->or_replace && defined_variable(&session->defined, name))
            return graph_refuse(errors, list->names[i].pos, "VARIABLE_ALREADY_EXISTS", "Write DECLARE OR REPLACE, or SET VARIABLE.", "there is a variable \"%s\" already",
                                name);
    }
    if (list->value_count && holds_query(list->values[0]))
        return graph_refuse(errors, list->values[0]->pos, "INVALID_DEFAULT_VALUE.SUBQUERY_EXPRESSION", "DECLARE it without, then SET VARIABLE v = (SELECT ..).",
                            "the DEFAULT of a variable may not hold a subquery");
    at.text = arena_str(session->arena, statement->text);
    at.pos.file = arena_strdup(session->arena, statement->pos.file);
    if (sql_parse_again(session->arena, &at, &kept, &err) < 0)
        return failed(errors, &err);
    kept->text = at.text;
    if (default_value(session, kept, kept->variables->type, &value, errors) < 0)
        return -1;
    for (int i = 0; i < list->name_count; i++) {
        SessionVariable *variable = defined_put_variable(&session->defined, list->names[i].parts[list->names[i].count - 1]);
        variable->type = value->type;
        variable->value = value;
        variable->declaration = kept;
    }
    return 0;
}

/* All targets, each once. NULL with an error. */
static SessionVariable **find_targets(PipelineSession *session, const VariableList *list, SqlErrors *errors)
{
    SessionVariable **targets = ARENA_ARRAY(errors->arena, SessionVariable *, list->name_count + 1);

    for (int i = 0; i < list->name_count; i++) {
        targets[i] = find_variable(session, &list->names[i], errors);
        if (!targets[i])
            return NULL;
        for (int j = 0; j < i; j++)
            if (targets[j] == targets[i]) {
                graph_refuse(errors, list->names[i].pos, "DUPLICATE_ASSIGNMENTS", NULL, "variable \"%s\" is assigned twice", targets[i]->name);
                return NULL;
            }
    }
    return targets;
}

static int assign(PipelineSession *session, SessionVariable **targets, Expr **values, int count, SqlErrors *errors)
{
    const Type **types = ARENA_ARRAY(errors->arena, const Type *, count);
    Expr **computed;

    for (int i = 0; i < count; i++) {
        types[i] = targets[i]->type;
        if (values[i]->kind == EXPR_PARAM_DEFAULT && default_value(session, targets[i]->declaration, types[i], &values[i], errors) < 0)
            return -1;
    }
    if (compute(session, values, types, count, &computed, errors) < 0)
        return -1;
    for (int i = 0; i < count; i++)
        targets[i]->value = computed[i];
    return 0;
}

/* The row of a query, NULLs where there is none. */
static int assign_row(PipelineSession *session, const VariableList *list, Query *query, SqlErrors *errors)
{
    SessionVariable **targets = find_targets(session, list, errors);
    Expr **values;
    int count;

    if (!targets || read_row(session, query, query->pos, &values, &count, errors) < 0)
        return -1;
    if (count != list->name_count)
        return graph_refuse(errors, query->pos, "ASSIGNMENT_ARITY_MISMATCH", NULL, "%d variable%s cannot take %d column%s", list->name_count,
                            list->name_count == 1 ? "" : "s", count, count == 1 ? "" : "s");
    if (!values) {
        values = ARENA_ARRAY(errors->arena, Expr *, count);
        for (int i = 0; i < count; i++) {
            values[i] = ARENA_NEW(errors->arena, Expr);
            *values[i] = (Expr){.kind = EXPR_LITERAL, .pos = query->pos, .type = type_simple(TYPE_VOID), .nullable = true};
        }
    }
    return assign(session, targets, values, count, errors);
}

static int set_variables(PipelineSession *session, const Statement *statement, SqlErrors *errors)
{
    Statement *fresh;
    SiltErr err;

    if (sql_parse_again(errors->arena, statement, &fresh, &err) < 0)
        return failed(errors, &err);
    if (fresh->query)
        return assign_row(session, fresh->variables, fresh->query, errors);
    SessionVariable **targets = find_targets(session, fresh->variables, errors);
    return targets ? assign(session, targets, fresh->variables->values, fresh->variables->name_count, errors) : -1;
}

static int drop_variable(PipelineSession *session, const Statement *statement, SqlErrors *errors)
{
    const SqlName *name = &statement->variables->names[0];
    SiltErr err;
    const char *last = defined_variable_name(name, "UNRESOLVED_VARIABLE", &err);

    if (!statement->temporary)
        return graph_refuse(errors, name->pos, "UNSUPPORTED_FEATURE", "Write DROP TEMPORARY VARIABLE.", "DROP VARIABLE needs the word TEMPORARY");
    if (!last)
        return failed(errors, &err);
    if (!defined_drop_variable(&session->defined, last) && !statement->if_exists)
        return graph_refuse(errors, name->pos, "VARIABLE_NOT_FOUND", NULL, "there is no variable \"%s\"", last);
    return 0;
}

int pipeline_session_define(PipelineSession *session, const Statement *statement, SqlErrors *errors)
{
    switch (statement->kind) {
    case STMT_CREATE_FUNCTION:
        return create_function(session, statement, errors);
    case STMT_DROP_FUNCTION:
        return drop_function(session, statement, errors);
    case STMT_DECLARE_VARIABLE:
        return declare(session, statement, errors);
    case STMT_SET_VARIABLE:
        return set_variables(session, statement, errors);
    default:
        silt_assert(statement->kind == STMT_DROP_VARIABLE);
        return drop_variable(session, statement, errors);
    }
}

/* ---- EXECUTE IMMEDIATE ---- */

int pipeline_session_text(PipelineSession *session, const Statement *statement, const char **out, SqlErrors *errors)
{
    const Type *as_it_is = NULL;
    Statement *fresh;
    Expr **values;
    SiltErr err;

    if (sql_parse_again(errors->arena, statement, &fresh, &err) < 0)
        return failed(errors, &err);
    Expr *text = fresh->variables->values[0];
    SiltPos pos = text->pos;
    if (compute(session, &text, &as_it_is, 1, &values, errors) < 0)
        return -1;
    const Expr *value = values[0];
    if (value->type->kind != TYPE_STRING && value->type->kind != TYPE_VOID)
        return graph_refuse(errors, pos, "INVALID_EXPR_TYPE_FOR_QUERY_EXECUTE_IMMEDIATE", NULL, "EXECUTE IMMEDIATE takes text, not %s",
                            type_text(errors->arena, value->type));
    if (value->kind != EXPR_LITERAL || value->type->kind == TYPE_VOID)
        return graph_refuse(errors, pos, "NULL_QUERY_STRING_EXECUTE_IMMEDIATE", NULL, "the text of EXECUTE IMMEDIATE is NULL");
    *out = arena_strndup(errors->arena, value->literal.ptr, value->literal.size);
    return 0;
}

int pipeline_session_into(PipelineSession *session, const Statement *statement, Query *query, SqlErrors *errors)
{
    return assign_row(session, statement->variables, query, errors);
}
