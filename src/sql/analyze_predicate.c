/* sql/analyze_predicate.c - IN, LIKE and IS */
#include <string.h>

#include "duck/collation.h"
#include "sql/analyze.h"

void sql__in(Analyzer *a, Scope *scope, Expr *e)
{
    sql__expand_stars(a, scope, e);
    for (int i = 0; i < e->arg_count; i++)
        sql__expr(a, scope, &e->args[i]);
    if (!e->query) {
        if (!sql__all_typed(e))
            return;
        /* rows are compared by position */
        if (e->args[0]->type->kind == TYPE_STRUCT)
            for (int i = 1; i < e->arg_count; i++)
                if (e->args[i]->type->kind == TYPE_STRUCT && sql__may_cast(e->args[i]->type, e->args[0]->type)) {
                    const Type *row = e->args[0]->type, *other = e->args[i]->type;
                    TypeField *fields = ARENA_ARRAY(a->arena, TypeField, row->field_count + 1);

                    for (int k = 0; k < row->field_count; k++) {
                        fields[k] = other->fields[k];
                        fields[k].name = row->fields[k].name;
                    }
                    sql__cast(a, &e->args[i], type_struct(a->arena, fields, row->field_count));
                }
        const Type *t = sql__unify(a, e, 0, 1, NULL, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "the values of IN");

        if (t && !sql__orderable(t) && t->kind != TYPE_VOID)
            sql__error(a, e->pos, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "values of type %s cannot be compared", sql__type_name(a, t));
        else if (t)
            e->type = type_simple(TYPE_BOOLEAN);
        sql__flags_of_args(e);
        return;
    }
    sql__subquery(a, scope, e);
    Expr *left = e->args[0];

    if (!left->type || !e->query->column_count)
        return;
    bool row = left->kind == EXPR_ROW || (left->kind == EXPR_CALL && e->query->column_count > 1);
    int width = row ? left->arg_count : 1;

    if (width != e->query->column_count) {
        sql__error(a, e->pos, "DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH", "IN compares %d value%s with a subquery of %d columns", width,
                   width == 1 ? "" : "s", e->query->column_count);
        return;
    }
    const Type **types = ARENA_ARRAY(a->arena, const Type *, width);

    e->nullable = false;
    for (int i = 0; i < width; i++) {
        Expr **slot = row ? &left->args[i] : &e->args[0];

        const Type *column = sql__bound(a->arena, e->query->column_types[i], COLLATION_IMPLICIT);

        types[i] = sql__wider(a, (*slot)->type, column);
        if (!types[i]) {
            sql__error(a, e->pos, sql__no_common((*slot)->type, column, "DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH"), "cannot compare %s with the subquery's %s",
                       sql__type_name(a, (*slot)->type), sql__type_name(a, e->query->column_types[i]));
            return;
        }
        if (!sql__check_comparable(a, e->pos, types[i]))
            return;
        sql__cast(a, slot, types[i]);
        e->nullable = e->nullable || (*slot)->nullable || e->query->column_nullable[i];
    }
    e->query = sql__cast_columns(a, e->query, types);
    e->type = type_simple(TYPE_BOOLEAN);
}

void sql__like(Analyzer *a, Scope *scope, Expr *e)
{
    for (int i = 0; i < e->arg_count; i++)
        sql__expr(a, scope, &e->args[i]);
    if (!sql__all_typed(e))
        return;
    char escape = '\\';
    const char *given = e->escape ? e->escape->literal.ptr : NULL;

    if (e->escape) {
        sql__expr(a, scope, &e->escape);
        if (e->escape->kind != EXPR_LITERAL || e->escape->literal.size != 1) {
            sql__error(a, e->escape->pos, "INVALID_ESCAPE_CHAR", "ESCAPE takes one character");
            return;
        }
        escape = *given;
    }
    for (int i = 0; i < e->arg_count; i++) {
        const Type *t = e->args[i]->type;

        if (t->kind == TYPE_STRING && collation_is_icu(t->collation)) { /* by Spark's rules too */
            sql__error(a, e->args[i]->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s does not take a %s", e->op, sql__type_name(a, t));
            return;
        }
        if (sql__refuse_collation(a, e->args[i]->pos, t, e->op))
            return;
        if (t->kind != TYPE_STRING && !sql__may_cast(t, type_simple(TYPE_STRING))) {
            sql__error(a, e->args[i]->pos, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "%s compares strings, not %s", e->op, sql__type_name(a, t));
            return;
        }
        sql__cast(a, &e->args[i], type_simple(TYPE_STRING));
        if (i == 0 || e->args[i]->kind != EXPR_LITERAL || !strcmp(e->op, "RLIKE"))
            continue;
        Str p = e->args[i]->literal;

        for (size_t k = 0; k < p.size; k++) {
            if (p.ptr[k] != escape)
                continue;
            if (k + 1 == p.size || (p.ptr[k + 1] != '%' && p.ptr[k + 1] != '_' && p.ptr[k + 1] != escape)) {
                sql__error(a, e->args[i]->pos, k + 1 == p.size ? "INVALID_FORMAT.ESC_AT_THE_END" : "INVALID_FORMAT.ESC_IN_THE_MIDDLE",
                           "the pattern's escape character %c must stand before %%, _ or itself", escape);
                return;
            }
            k++;
        }
    }
    sql__flags_of_args(e);
    e->type = type_simple(TYPE_BOOLEAN);
}

void sql__is(Analyzer *a, Scope *scope, Expr *e)
{
    for (int i = 0; i < e->arg_count; i++)
        sql__expr(a, scope, &e->args[i]);
    if (!sql__all_typed(e))
        return;
    sql__flags_of_args(e);
    e->nullable = false;
    if (!strcmp(e->op, "DISTINCT")) {
        const Type *t = sql__unify(a, e, 0, 1, NULL, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "both sides of IS DISTINCT FROM");

        if (t && sql__check_comparable(a, e->pos, t))
            e->type = type_simple(TYPE_BOOLEAN);
        return;
    }
    if (strcmp(e->op, "NULL")) {
        if (e->args[0]->type->kind != TYPE_BOOLEAN && e->args[0]->type->kind != TYPE_VOID) {
            sql__error(a, e->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "IS %s needs a BOOLEAN, not %s", e->op, sql__type_name(a, e->args[0]->type));
            return;
        }
        sql__cast(a, &e->args[0], type_simple(TYPE_BOOLEAN));
    }
    e->type = type_simple(TYPE_BOOLEAN);
}
