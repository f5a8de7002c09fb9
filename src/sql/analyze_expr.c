/*
 * sql/analyze_expr.c - types of expressions, form by form
 *
 *   X1  An analyzed expression has a type; one with an error (already recorded) has none, and its parents stay silent.
 *   X2  A column is bound to the relation that produces it, so that printing looks nothing up.
 *   X3  Analysis of an analyzed expression changes nothing.
 */
#include <string.h>
#include <strings.h>

#include "sql/analyze.h"
#include "sql/constant.h"

/* ---- forms ---- */

void sql__flags_of_args(Expr *e)
{
    e->constant = e->deterministic = true;
    e->nullable = false;
    if (e->operand) {
        e->constant = e->operand->constant;
        e->deterministic = e->operand->deterministic;
    }
    for (int i = 0; i < e->arg_count; i++) {
        e->constant = e->constant && e->args[i]->constant;
        e->deterministic = e->deterministic && e->args[i]->deterministic;
        e->nullable = e->nullable || e->args[i]->nullable;
    }
}

bool sql__all_typed(Expr *e)
{
    for (int i = 0; i < e->arg_count; i++)
        if (!e->args[i]->type)
            return false;
    return !e->operand || e->operand->type;
}

/* Common type of args[0], args[step], ... (and extra), all cast to it. */
const Type *sql__unify(Analyzer *a, Expr *e, int first, int step, Expr **extra, const char *code, const char *what)
{
    const Type *common = NULL;

    for (int i = first; i < e->arg_count + (extra && *extra ? step : 0); i += step) {
        Expr *arg = i < e->arg_count ? e->args[i] : *extra;
        const Type *next = common ? sql__wider(a, common, arg->type) : arg->type;

        if (!next) {
            sql__error(a, arg->pos, sql__no_common(common, arg->type, code), "%s need one common type, but %s and %s have none", what,
                       sql__type_name(a, common), sql__type_name(a, arg->type));
            return NULL;
        }
        common = next;
    }
    for (int i = first; common && i < e->arg_count; i += step)
        sql__cast(a, &e->args[i], common);
    if (extra && *extra && common)
        sql__cast(a, extra, common);
    return common;
}

static void case_when(Analyzer *a, Scope *scope, Expr *e)
{
    const Expr *misfit = NULL;

    if (e->operand)
        sql__expr(a, scope, &e->operand);
    for (int i = 0; i < e->arg_count; i++)
        sql__expr(a, scope, &e->args[i]);
    if (e->otherwise)
        sql__expr(a, scope, &e->otherwise);
    if (!sql__all_typed(e) || (e->otherwise && !e->otherwise->type))
        return;
    if (e->operand) {
        const Type *common = e->operand->type;

        for (int i = 0; i < e->arg_count; i += 2) {
            const Type *next = sql__wider(a, common, e->args[i]->type);

            if (!next) {
                sql__error(a, e->args[i]->pos, sql__no_common(common, e->args[i]->type, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"), "cannot compare %s with %s",
                           sql__type_name(a, e->operand->type), sql__type_name(a, e->args[i]->type));
                return;
            }
            common = next;
        }
        if (!sql__check_comparable(a, e->operand->pos, common))
            return;
        for (int i = 0; i < e->arg_count; i += 2)
            if (!sql__check_pair(a, e->args[i]->pos, common, e->operand->type, e->args[i]->type))
                return;
        sql__cast(a, &e->operand, common);
        for (int i = 0; i < e->arg_count; i += 2)
            sql__cast(a, &e->args[i], common);
    } else {
        for (int i = 0; i < e->arg_count; i += 2) {
            const Type *t = e->args[i]->type;

            if (t->kind != TYPE_BOOLEAN && !misfit)
                misfit = e->args[i];
        }
    }
    const Type *t = sql__unify(a, e, 1, 2, &e->otherwise, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "branches of CASE");

    if (t && misfit) { /* after the branches, as Spark */
        sql__error(a, misfit->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "WHEN needs a BOOLEAN, not %s", sql__type_name(a, misfit->type));
        return;
    }

    sql__flags_of_args(e);
    e->nullable = !e->otherwise || e->otherwise->nullable;
    for (int i = 1; i < e->arg_count; i += 2)
        e->nullable = e->nullable || e->args[i]->nullable;
    if (e->otherwise) {
        e->constant = e->constant && e->otherwise->constant;
        e->deterministic = e->deterministic && e->otherwise->deterministic;
    }
    e->type = t;
}

/* The class of a cast that there is not: Spark names a function where it has one, or that the cast is there without ANSI mode. */
static const char *cast_refusal(const Type *from, const Type *to, bool try_cast)
{
    if ((type_is_numeric(from) && to->kind == TYPE_DATE) || (from->kind == TYPE_DATE && type_is_numeric(to)))
        return "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION";
    bool lax = (type_is_integral(from) && to->kind == TYPE_BINARY) || (from->kind == TYPE_BOOLEAN && to->kind == TYPE_TIMESTAMP) ||
               ((from->kind == TYPE_DATE || from->kind == TYPE_TIMESTAMP) && to->kind == TYPE_BOOLEAN);

    return lax && !try_cast ? "DATATYPE_MISMATCH.CAST_WITH_CONF_SUGGESTION" : "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION";
}

static bool holds_time(const Type *type)
{
    if (type->kind == TYPE_ARRAY)
        return holds_time(type->element);
    if (type->kind == TYPE_MAP)
        return holds_time(type->key) || holds_time(type->element);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (holds_time(type->fields[i].type))
            return true;
    return type->kind == TYPE_TIME;
}

static void cast_expr(Analyzer *a, Scope *scope, Expr *e)
{
    bool try_cast = e->op && !strcmp(e->op, "TRY_CAST");

    sql__expr(a, scope, &e->args[0]);
    sql__flags_of_args(e);
    if (!e->args[0]->type || (holds_time(e->cast_type) && !e->implicit && !sql__check_time(a, e->pos)))
        return;
    if (!sql__cast_allowed(e->args[0]->type, e->cast_type, try_cast)) {
        sql__error(a, e->pos, cast_refusal(e->args[0]->type, e->cast_type, try_cast), "cannot cast %s to %s", sql__type_name(a, e->args[0]->type),
                   sql__type_name(a, e->cast_type));
        return;
    }
    if (e->cast_type->kind != TYPE_STRING && sql__refuse_collation(a, e->pos, e->cast_type, "a cast"))
        return;
    /* of another type than a string the collation is nobody's choice */
    bool chosen = e->args[0]->type->kind == TYPE_STRING || type_has_collation(e->cast_type);

    e->type = e->cast_type->kind == TYPE_STRING ? sql__bound(a->arena, e->cast_type, chosen ? COLLATION_IMPLICIT : COLLATION_DEFAULT) : e->cast_type;
    sql__fold_cast(a, e);
    if (try_cast && sql__cast_fails(e->args[0]->type, e->cast_type))
        e->nullable = true;
}

/* A query whose only columns are those of `query`, cast. */
Query *sql__cast_columns(Analyzer *a, Query *query, const Type *const *types)
{
    bool same = true;

    for (int i = 0; i < query->column_count; i++)
        same = same && type_equal(query->column_types[i], types[i], false);
    if (same)
        return query;
    Query *out = ARENA_NEW(a->arena, Query);
    Relation *from = sql__new_relation(a, query->pos, query->column_count);

    from->kind = REL_QUERY;
    from->query = query;
    out->kind = QUERY_SELECT;
    out->pos = query->pos;
    out->from = from;
    out->items = ARENA_ARRAY(a->arena, SelectItem, query->column_count);
    out->item_count = out->column_count = query->column_count;
    out->column_names = query->column_names;
    out->column_types = ARENA_ARRAY(a->arena, const Type *, query->column_count);
    out->column_nullable = query->column_nullable;
    out->streaming = query->streaming;
    sql__info(a, out);
    for (int i = 0; i < query->column_count; i++) {
        from->column_names[i] = query->column_names[i];
        from->column_types[i] = query->column_types[i];
        from->column_nullable[i] = query->column_nullable[i];
        out->items[i].expr = sql__column(a, from, i, query->pos);
        out->items[i].output_name = query->column_names[i];
        sql__cast(a, &out->items[i].expr, types[i]);
        out->column_types[i] = types[i];
    }
    return out;
}

Query *sql__query_cast(Analyzer *a, Query *query, const Type *const *types)
{
    return sql__cast_columns(a, query, types);
}

void sql__subquery(Analyzer *a, Scope *scope, Expr *e)
{
    if (scope->lambdas) {
        sql__error(a, e->pos, "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION", "a subquery may not stand in a lambda function");
        return;
    }
    sql__query(a, e->query, scope, scope->ctes);
    e->deterministic = true;
}

static void row_expr(Analyzer *a, Scope *scope, Expr *e)
{
    TypeField *fields = ARENA_ARRAY(a->arena, TypeField, e->arg_count + 1);

    for (int i = 0; i < e->arg_count; i++)
        sql__expr(a, scope, &e->args[i]);
    if (!sql__all_typed(e))
        return;
    sql__flags_of_args(e);
    e->nullable = false;
    for (int i = 0; i < e->arg_count; i++) {
        fields[i].name = sql__text(a, "col%d", i + 1);
        fields[i].type = e->args[i]->type;
        fields[i].nullable = e->args[i]->nullable;
    }
    e->type = type_struct(a->arena, fields, e->arg_count);
}

static const char *const extract_fields[][2] = {
    {"YEAR", "silt_year"}, {"Y", "silt_year"}, {"YEARS", "silt_year"}, {"YR", "silt_year"}, {"YRS", "silt_year"}, {"YEAROFWEEK", "silt_year_of_week"},
    {"QUARTER", "quarter"}, {"QTR", "quarter"}, {"MONTH", "silt_month"}, {"MON", "silt_month"}, {"MONS", "silt_month"}, {"MONTHS", "silt_month"},
    {"WEEK", "weekofyear"}, {"W", "weekofyear"}, {"WEEKS", "weekofyear"}, {"DAY", "silt_day"}, {"D", "silt_day"}, {"DAYS", "silt_day"},
    {"DAYOFWEEK", "dayofweek"}, {"DOW", "dayofweek"}, {"DAYOFWEEK_ISO", "silt_day_of_week_iso"}, {"DOW_ISO", "silt_day_of_week_iso"},
    {"DOY", "dayofyear"}, {"HOUR", "silt_hour"}, {"H", "silt_hour"}, {"HOURS", "silt_hour"}, {"HR", "silt_hour"}, {"HRS", "silt_hour"},
    {"MINUTE", "silt_minute"}, {"M", "silt_minute"}, {"MIN", "silt_minute"}, {"MINS", "silt_minute"}, {"MINUTES", "silt_minute"},
    {"SECOND", "silt_second_fraction"}, {"S", "silt_second_fraction"}, {"SEC", "silt_second_fraction"}, {"SECONDS", "silt_second_fraction"},
    {"SECS", "silt_second_fraction"}, {NULL, NULL},
};

static void extract(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;

    for (int i = 0; extract_fields[i][0]; i++)
        if (!strcasecmp(e->op, extract_fields[i][0])) {
            Expr *call = sql__call_new(a, e->pos, extract_fields[i][1], 1);

            sql__expr(a, scope, &e->args[0]);
            if (e->args[0]->type && e->args[0]->type->kind == TYPE_VOID)
                sql__cast(a, &e->args[0], type_simple(TYPE_TIMESTAMP));
            if (e->args[0]->type && e->args[0]->type->kind == TYPE_TIME && !strchr("HMS", *extract_fields[i][0]))
                break;
            call->args[0] = e->args[0];
            *slot = call;
            sql__call(a, scope, slot);
            return;
        }
    sql__error(a, e->pos, "INVALID_EXTRACT_FIELD", "EXTRACT does not know the field %s", e->op);
}

static void lambda_misplaced(Analyzer *a, Expr *e)
{
    sql__error(a, e->pos, "INVALID_LAMBDA_FUNCTION_CALL", "a lambda may only be an argument of a function that takes one");
}

static void analyze_kind(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;

    switch (e->kind) {
    case EXPR_LITERAL:
        e->constant = e->deterministic = true;
        e->nullable = e->type && e->type->kind == TYPE_VOID;
        if (e->op)
            sql__typed_literal(a, slot);
        return;
    case EXPR_COLUMN:
        if (sql__bind_column(a, scope, slot) == 1) {
            /* current_date and the like need no parentheses */
            const SqlFunction *f = e->name.count == 1 ? sql_function_find(e->name.parts[0]) : NULL;

            if (f && (f->flags & FN_BARE)) {
                Expr *call = sql__call_new(a, e->pos, e->name.parts[0], 0);

                *slot = call;
                sql__call(a, scope, slot);
                return;
            }
            if (!sql__bind_variable(a, slot))
                sql__unknown_column(a, scope, e);
        }
        return;
    case EXPR_STAR:
        sql__error(a, e->pos, "INVALID_USAGE_OF_STAR_OR_REGEX", "* may not stand here");
        return;
    case EXPR_CALL:
        sql__call(a, scope, slot);
        return;
    case EXPR_UNARY:
    case EXPR_BINARY:
        sql__op_types(a, scope, slot);
        return;
    case EXPR_IS:
        sql__is(a, scope, e);
        return;
    case EXPR_BETWEEN: {
        for (int i = 0; i < e->arg_count; i++)
            sql__expr(a, scope, &e->args[i]);
        if (!sql__all_typed(e))
            return;
        const Type *value = e->args[0]->type, *low = e->args[1]->type, *high = e->args[2]->type;
        const Type *t = sql__unify(a, e, 0, 1, NULL, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "value and bounds of BETWEEN");

        sql__flags_of_args(e);
        if (t && (!sql__check_pair(a, e->pos, t, value, low) || !sql__check_pair(a, e->pos, t, value, high)))
            return;
        if (t && !sql__orderable(t))
            sql__error(a, e->pos, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "values of type %s cannot be compared", sql__type_name(a, t));
        else if (t)
            e->type = type_simple(TYPE_BOOLEAN);
        return;
    }
    case EXPR_IN:
        sql__in(a, scope, e);
        return;
    case EXPR_LIKE:
        sql__like(a, scope, e);
        return;
    case EXPR_CASE:
        case_when(a, scope, e);
        return;
    case EXPR_CAST:
        cast_expr(a, scope, e);
        return;
    case EXPR_EXTRACT:
        extract(a, scope, slot);
        return;
    case EXPR_INTERVAL:
        sql__interval(a, scope, slot);
        return;
    case EXPR_SUBQUERY:
        sql__subquery(a, scope, e);
        if (e->query->column_count > 1)
            sql__error(a, e->pos, "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
                       "a subquery used as a value must have one column, not %d", e->query->column_count);
        else if (e->query->column_count == 1)
            e->type = sql__bound(a->arena, e->query->column_types[0], COLLATION_IMPLICIT);
        e->nullable = true;
        return;
    case EXPR_EXISTS:
        sql__subquery(a, scope, e);
        if (e->query->column_count)
            e->type = type_simple(TYPE_BOOLEAN);
        return;
    case EXPR_LAMBDA:
        lambda_misplaced(a, e);
        return;
    case EXPR_SUBSCRIPT:
        sql__expr(a, scope, &e->args[0]);
        sql__expr(a, scope, &e->args[1]);
        sql__flags_of_args(e);
        sql__subscript(a, e);
        return;
    case EXPR_FIELD:
        sql__expr(a, scope, &e->args[0]);
        if (e->args[0]->type)
            sql__field(a, e);
        return;
    case EXPR_ROW:
        row_expr(a, scope, e);
        return;
    case EXPR_PATH:
        /* Of a text with JSON, as Databricks has it: the member as a text. Spark knows `:` for VARIANT only; behind a literal it begins a parameter. */
        sql__expr(a, scope, &e->args[0]);
        if (!e->args[0]->type)
            return;
        *slot = sql__call_new(a, e->pos, e->args[0]->type->kind == TYPE_STRING && e->args[0]->kind != EXPR_LITERAL ? "get_json_object" : "variant_get", 2);
        (*slot)->args[0] = e->args[0];
        (*slot)->args[1] = sql__literal_text(a, e->pos, sql__text(a, *e->text == '[' ? "$%s" : "$.%s", e->text));
        sql__expr(a, scope, slot);
        return;
    case EXPR_NAMED_ARG:
        sql__error(a, e->pos, "NAMED_PARAMETERS_NOT_SUPPORTED", "named arguments may not be used here");
        return;
    case EXPR_ALIASED:
        sql__expr(a, scope, &e->args[0]);
        sql__flags_of_args(e);
        e->type = e->args[0]->type;
        return;
    case EXPR_PARAM_DEFAULT:
        sql__error(a, e->pos, "DEFAULT_PLACEMENT_INVALID", "DEFAULT may not be used here");
        return;
    }
}

void sql__expr(Analyzer *a, Scope *scope, Expr **slot)
{
    if ((*slot)->type && (*slot)->kind != EXPR_LITERAL)
        return; /* X3 */
    if (++a->depth > SQL_DEPTH_MAX)
        sql__error(a, (*slot)->pos, "FAILED_TO_PARSE_TOO_COMPLEX", "expressions are nested more than %d deep here", SQL_DEPTH_MAX);
    else
        analyze_kind(a, scope, slot);
    if (((*slot)->kind == EXPR_CALL || (*slot)->kind == EXPR_CAST) && (*slot)->type && type_has_empty_struct((*slot)->type)) {
        sql__error(a, (*slot)->pos, "UNSUPPORTED_FEATURE.EMPTY_STRUCT", "a struct without fields, as in %s, has no place in a table", sql__type_name(a, (*slot)->type));
        (*slot)->type = NULL;
    }
    a->depth--;
}

void sql__condition(Analyzer *a, Scope *scope, Expr **slot, const char *clause)
{
    scope->clause = clause;
    sql__expr(a, scope, slot);
    scope->clause = NULL;
    const Type *t = (*slot)->type;

    if (!t)
        return;
    if (t->kind == TYPE_VOID || t->kind == TYPE_STRING)
        sql__cast(a, slot, type_simple(TYPE_BOOLEAN));
    else if (t->kind != TYPE_BOOLEAN)
        sql__error(a, (*slot)->pos, !strcmp(clause, "ON") ? "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE" : "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "%s needs a BOOLEAN, not %s", clause, sql__type_name(a, t));
}

const char *sql_constant_text(Analyzer *a, const Expr *e)
{
    while (e->kind == EXPR_CAST && e->args[0]->type && e->args[0]->type->kind == TYPE_STRING)
        e = e->args[0];
    if (!e->type || e->type->kind != TYPE_STRING)
        return NULL;
    Constant c = sql__constant(a, e);

    return c.kind == CONSTANT_TEXT ? arena_strndup(a->arena, c.text.ptr, c.text.size) : NULL;
}

bool sql_call_options(SqlCall *call, int arg, const Expr **map)
{
    Expr *e = call->expr;

    *map = NULL;
    if (e->arg_count <= arg)
        return true;
    const Expr *given = e->args[arg];

    e->arg_count = arg;
    if (given->kind != EXPR_CALL || !given->function || strcmp(given->function->name, "map")) {
        sql_call_fail(call, "INVALID_OPTIONS.NON_MAP_FUNCTION", "the options of %s must be written as map('name', 'value', ...)", e->function->name);
        return false;
    }
    *map = given;
    return true;
}

bool sql_call_option(SqlCall *call, const Expr *map, int i, const char **key, const char **value)
{
    *key = sql_constant_text(call->analyzer, map->args[i]);
    *value = sql_constant_text(call->analyzer, map->args[i + 1]);
    if (*key && *value)
        return true;
    sql_call_fail(call, "INVALID_OPTIONS.NON_STRING_TYPE", "the options of %s must be constant strings", call->expr->function->name);
    return false;
}

bool sql_constant_int(Analyzer *a, const Expr *e, int64_t *out)
{
    while (e->kind == EXPR_CAST && e->implicit)
        e = e->args[0];
    if (!e->type || !type_is_integral(e->type))
        return false;
    Constant c = sql__constant(a, e);

    *out = c.whole;
    return c.kind == CONSTANT_WHOLE;
}
