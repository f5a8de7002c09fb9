/* sql/analyze_column.c - names of columns bound to what produces them (X2); fields and subscripts */
#include <string.h>
#include <strings.h>

#include "sql/analyze.h"

/* ---- names ---- */

static bool same_name(const char *x, const char *y)
{
    return x && y && !strcasecmp(x, y);
}

static bool qualifies(const ScopeColumn *c, const char **parts, int count)
{
    if (count == 0)
        return !c->qualified_only;
    if (count == 1)
        return same_name(c->alias, parts[0]);
    if (!c->table)
        return false;
    /* db.t or catalog.db.t: a table named by fewer parts lies in the default database */
    int have = c->table->count;

    for (int i = 0; i < count; i++) {
        int k = have - 1 - i;

        if (k >= 0 ? !same_name(c->table->parts[k], parts[count - 1 - i])
                   : i == 1 ? strcasecmp(parts[count - 1 - i], "default") != 0 : strcasecmp(parts[count - 1 - i], "spark_catalog") != 0)
            return false;
    }
    return true;
}

bool sql__names_column(const ScopeColumn *column, const SqlName *name, int part)
{
    return same_name(column->name, name->parts[part]) && qualifies(column, name->parts, part);
}

/* The columns that the name means at this level; *used parts are the column's, the rest are fields. */
static int find_column(Scope *scope, const SqlName *name, int *used, ScopeColumn **out)
{
    int most = name->count - 1 < 3 ? name->count - 1 : 3;

    for (int q = most; q >= 0; q--) {
        int found = 0;

        for (int i = 0; i < scope->count; i++) {
            ScopeColumn *c = &scope->columns[i];

            if (!sql__names_column(c, name, q))
                continue;
            if (found && c->relation && c->relation == (*out)->relation && c->column == (*out)->column)
                continue;
            if (!found++)
                *out = c;
        }
        if (found) {
            *used = q + 1;
            return found;
        }
    }
    return 0;
}

static int find_alias(Scope *scope, const char *name, Expr **out)
{
    int found = 0;

    for (int i = 0; scope->query && i < scope->alias_count; i++) {
        SelectItem *item = &scope->query->items[i];
        const char *alias = item->alias ? item->alias : scope->aliases_first ? item->output_name : NULL;

        if (!same_name(alias, name) || !item->expr->type)
            continue;
        if (found && sql__same(*out, item->expr))
            continue;
        *out = item->expr;
        found++;
    }
    return found;
}

void sql__take_fields(Analyzer *a, Expr **slot, const SqlName *name, int from)
{
    for (int i = from; i < name->count && (*slot)->type; i++) {
        Expr *f = ARENA_NEW(a->arena, Expr);

        f->kind = EXPR_FIELD;
        f->pos = name->pos;
        f->text = name->parts[i];
        f->args = ARENA_ARRAY(a->arena, Expr *, 1);
        f->args[0] = *slot;
        f->arg_count = 1;
        *slot = f;
        sql__field(a, f);
    }
}

const char *sql__name_text(Analyzer *a, const SqlName *name)
{
    const char *text = name->parts[0];

    for (int i = 1; i < name->count; i++)
        text = sql__text(a, "%s.%s", text, name->parts[i]);
    return text;
}

static void mark_outer(Expr **slot, void *arg)
{
    if ((*slot)->kind == EXPR_CALL || (*slot)->kind == EXPR_COLUMN)
        (*slot)->outer_level = *(int *)arg;
    sql__each_child(*slot, mark_outer, arg);
}

static void bind(Analyzer *a, Expr **slot, ScopeColumn *c, int level, int used)
{
    Expr *e = *slot;
    SqlName name = e->name;

    if (c->expr) {
        *slot = sql__clone(a, c->expr);
        if (!c->parameter)
            (*slot)->pos = e->pos;
        if (level)
            mark_outer(slot, &level);
        c->uses++;
    } else {
        e->relation = c->relation;
        e->column = c->column;
        e->type = sql__bound(a->arena, c->type, COLLATION_IMPLICIT);
        e->nullable = c->nullable;
        e->outer_level = level;
        e->deterministic = true;
    }
    sql__take_fields(a, slot, &name, used);
}

static bool bind_lambda(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;

    for (LambdaScope *l = scope->lambdas; l; l = l->outer)
        for (int i = 0; i < l->count; i++)
            if (same_name(l->names[i], e->name.parts[0])) {
                SqlName name = e->name;

                e->text = l->printed[i];
                e->column = i;
                e->type = sql__taken_out(a->arena, l->types[i]);
                e->nullable = l->nullable[i];
                e->deterministic = true;
                sql__take_fields(a, slot, &name, 1);
                return true;
            }
    return false;
}

static void ambiguous(Analyzer *a, Expr *e)
{
    sql__error(a, e->pos, "AMBIGUOUS_REFERENCE", "column \"%s\" is ambiguous: more than one column of that name is in reach", sql__name_text(a, &e->name));
    sql__hint(a, "Put the table's name or alias before it, as in t.%s.", e->name.parts[e->name.count - 1]);
}

static bool is_aggregate(const Expr *e)
{
    return e->kind == EXPR_CALL && e->function && (e->function->flags & FN_AGGREGATE) && !e->window;
}

int sql__bind_column(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot, *item = NULL;
    int level = 0;

    if (bind_lambda(a, scope, slot))
        return 0;
    for (Scope *s = scope; s; s = s->outer, level++) {
        ScopeColumn *c = NULL;
        int used = 0, found;

        if (level == 0 && s->aliases_first && (found = find_alias(s, e->name.parts[0], &item))) {
            if (found > 1) {
                ambiguous(a, e);
                return 2;
            }
        } else if ((found = find_column(s, &e->name, &used, &c))) {
            if (found > 1) {
                ambiguous(a, e);
                return 2;
            }
            bind(a, slot, c, level, used);
            return 0;
        } else if (level > 0 || !(found = find_alias(s, e->name.parts[0], &item))) {
            if (level > 0 && bind_lambda(a, s, slot))
                return 0;
            continue;
        } else if (found > 1) {
            sql__error(a, e->pos, "AMBIGUOUS_LATERAL_COLUMN_ALIAS", "alias \"%s\" is ambiguous", e->name.parts[0]);
            return 2;
        }
        SqlName name = e->name;

        if (s->in_aggregate && sql__any(item, is_aggregate)) {
            sql__error(a, e->pos, s->aliases_first ? "NESTED_AGGREGATE_FUNCTION" : "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_AGGREGATE_FUNC",
                       "\"%s\" is an aggregate itself, and may not stand in another", name.parts[0]);
            return 2;
        }
        *slot = sql__clone(a, item);
        (*slot)->pos = e->pos;
        if ((*slot)->type)
            (*slot)->type = sql__bound(a->arena, (*slot)->type, COLLATION_IMPLICIT);
        sql__take_fields(a, slot, &name, 1);
        return 0;
    }
    return 1;
}

void sql__unknown_column(Analyzer *a, Scope *scope, Expr *e)
{
    const char *last = e->name.parts[e->name.count - 1], *names[256], *table = NULL;
    int count = 0;
    bool one_table = true;

    for (Scope *s = scope; s; s = s->outer) {
        if (s->broken)
            return;
        for (int i = 0; i < s->count && count < 256; i++) {
            if (s->columns[i].name)
                names[count++] = s->columns[i].name;
            if (s->columns[i].alias && table && strcmp(table, s->columns[i].alias))
                one_table = false;
            if (s->columns[i].alias)
                table = s->columns[i].alias;
        }
    }
    const char *near = str_nearest(str_of(last), names, count);

    /* Spark suggests columns of the innermost query only */
    sql__error(a, e->pos, scope->count ? "UNRESOLVED_COLUMN.WITH_SUGGESTION" : "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "no column \"%s\"%s",
               sql__name_text(a, &e->name), table && one_table ? sql__text(a, " in \"%s\"", table) : "");
    if (near && strcasecmp(near, last))
        sql__hint(a, "did you mean \"%s\"?", near);
    else if (near && e->name.count > 1)
        sql__hint(a, "did you mean \"%s\" of another table?", near);
    else if (count && count <= 12) {
        const char *list = names[0];

        for (int i = 1; i < count; i++)
            list = sql__text(a, "%s, %s", list, names[i]);
        sql__hint(a, "Columns in reach are: %s.", list);
    }
}

/* ---- fields and subscripts ---- */

bool sql__field(Analyzer *a, Expr *e)
{
    const Type *base = e->args[0]->type;
    const Type *row = base->kind == TYPE_ARRAY ? base->element : base;

    e->constant = e->args[0]->constant;
    e->deterministic = e->args[0]->deterministic;
    if (base->kind == TYPE_MAP) {
        Expr *key = sql__literal_text(a, e->pos, e->text);

        e->kind = EXPR_SUBSCRIPT;
        e->args = memcpy(ARENA_ARRAY(a->arena, Expr *, 2), e->args, sizeof(Expr *));
        e->args[1] = key;
        e->arg_count = 2;
        sql__cast(a, &e->args[1], base->key);
        e->type = sql__taken_out(a->arena, base->element);
        e->nullable = true;
        return true;
    }
    if (row->kind != TYPE_STRUCT) {
        sql__error(a, e->pos, "INVALID_EXTRACT_BASE_FIELD_TYPE", "cannot take field \"%s\" of a value of type %s", e->text, sql__type_name(a, base));
        return false;
    }
    bool many = false;
    int index = type_field_index(row, e->text, &many);

    if (index < 0) {
        const char *names[256];
        int count = 0;

        for (; count < row->field_count && count < 256; count++)
            names[count] = row->fields[count].name;
        const char *near = str_nearest(str_of(e->text), names, count);

        sql__error(a, e->pos, "FIELD_NOT_FOUND", "no field \"%s\" in %s", e->text, sql__type_name(a, row));
        if (near)
            sql__hint(a, "did you mean \"%s\"?", near);
        return false;
    }
    if (many) {
        sql__error(a, e->pos, "AMBIGUOUS_REFERENCE_TO_FIELDS", "field \"%s\" is ambiguous in %s", e->text, sql__type_name(a, row));
        return false;
    }
    e->column = index;
    if (base->kind == TYPE_ARRAY) {
        e->type = type_array(a->arena, row->fields[index].type, row->fields[index].nullable || base->element_nullable);
        e->nullable = e->args[0]->nullable;
    } else {
        e->type = sql__taken_out(a->arena, row->fields[index].type);
        e->nullable = e->args[0]->nullable || row->fields[index].nullable;
    }
    return true;
}

void sql__subscript(Analyzer *a, Expr *e)
{
    const Type *base = e->args[0]->type, *index = e->args[1]->type;

    if (!base || !index)
        return;
    if (base->kind == TYPE_ARRAY) {
        if (!type_is_integral(index) && index->kind != TYPE_VOID) {
            sql__error(a, e->args[1]->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "an array's index is an integer, not %s", sql__type_name(a, index));
            return;
        }
        sql__cast(a, &e->args[1], type_simple(TYPE_LONG));
        e->type = sql__taken_out(a->arena, base->element);
        e->nullable = true;
    } else if (base->kind == TYPE_MAP) {
        if (!sql__may_cast(index, base->key) || sql__collations_differ(index, base->key)) {
            sql__error(a, e->args[1]->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "this map's key is %s, not %s", sql__type_name(a, base->key),
                       sql__type_name(a, index));
            return;
        }
        sql__cast(a, &e->args[1], base->key);
        e->type = sql__taken_out(a->arena, base->element);
        e->nullable = true;
    } else if (base->kind == TYPE_STRUCT && sql_constant_text(a, e->args[1])) {
        e->kind = EXPR_FIELD;
        e->text = sql_constant_text(a, e->args[1]);
        e->arg_count = 1;
        sql__field(a, e);
    } else {
        sql__error(a, e->pos, "INVALID_EXTRACT_BASE_FIELD_TYPE", "cannot take an element of a value of type %s", sql__type_name(a, base));
    }
}
