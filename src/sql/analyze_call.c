/*
 * sql/analyze_call.c - function calls: which row of the table is meant, arguments cast, windows and lambdas resolved
 */
#include <stdio.h>
#include <string.h>

#include "sql/analyze.h"

enum { SPEC_ARGS_MAX = 20 };

/* A signature taken apart; see SqlFunction.signature. */
typedef struct Signature {
    char arg[SPEC_ARGS_MAX][24];
    int required, total;
    bool variadic;
    char result[24];
} Signature;

static void parse_signature(const char *text, Signature *s)
{
    const char *arrow = strstr(text, "->");
    bool optional = false;

    memset(s, 0, sizeof *s);
    for (const char *p = text; p < arrow;) {
        if (*p == '[' && !optional) { /* T[] is taken as a whole below */
            optional = true;
            p++;
        } else if (*p == ' ' || *p == ',' || *p == ']') {
            p++;
        } else if (!strncmp(p, "...", 3)) {
            s->variadic = true;
            p += 3;
        } else {
            int n = 0;

            while (p < arrow && *p != ' ' && *p != ',' && strncmp(p, "...", 3) && (*p != ']' || p[-1] == '[') && (*p != '[' || p[1] == ']'))
                s->arg[s->total][n++] = *p++;
            silt_assert(n > 0 && n < (int)sizeof s->arg[0]); /* 0: a bracket within brackets */
            s->total++;
            silt_assert(s->total < SPEC_ARGS_MAX);
            if (!optional)
                s->required++;
        }
    }
    arrow += 2;
    while (*arrow == ' ')
        arrow++;
    snprintf(s->result, sizeof s->result, "%s", arrow);
}

static const struct {
    const char *name;
    TypeKind kind;
} type_words[] = {
    {"string", TYPE_STRING}, {"binary", TYPE_BINARY}, {"boolean", TYPE_BOOLEAN}, {"tinyint", TYPE_BYTE}, {"smallint", TYPE_SHORT},
    {"int", TYPE_INT}, {"bigint", TYPE_LONG}, {"float", TYPE_FLOAT}, {"double", TYPE_DOUBLE}, {"date", TYPE_DATE},
    {"timestamp", TYPE_TIMESTAMP}, {"timestamp_ntz", TYPE_TIMESTAMP_NTZ}, {"time", TYPE_TIME}, {"variant", TYPE_VARIANT},
    {"void", TYPE_VOID}, {"ym", TYPE_INTERVAL_YM}, {"dt", TYPE_INTERVAL_DT}, {"calendar", TYPE_INTERVAL},
};

static const Type *word_type(const char *word)
{
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (!strcmp(word, type_words[i].name))
            return type_simple(type_words[i].kind);
    return NULL;
}

static const char *spec_text(const char *spec)
{
    return !strcmp(spec, "number") ? "a number" : !strcmp(spec, "integral") ? "an integer" : !strcmp(spec, "array") || !strcmp(spec, "list") || strstr(spec, "[]") ? "an ARRAY"
         : !strcmp(spec, "map") ? "a MAP" : !strcmp(spec, "struct") ? "a STRUCT" : !strcmp(spec, "datetime") ? "a date or time" : !strcmp(spec, "interval") ? "an interval"
         : !strcmp(spec, "orderable") ? "a value that can be ordered" : !strcmp(spec, "nested") ? "an ARRAY or a STRUCT" : spec;
}

enum { FITS_NOT, FITS_WITH_CAST, FITS_WIDENED, FITS };

static int class_fits(const Type *t, const char *spec);

/* How well a value fits: a row that takes all arguments as they are, or only widens integers, is better than one that casts otherwise. */
static int fits(const Type *t, const char *spec)
{
    const Type *want = word_type(spec);

    if (!want)
        return class_fits(t, spec) == 2 ? FITS : class_fits(t, spec) == 1 ? FITS_WITH_CAST : FITS_NOT;
    if (type_equal(t, want, false) || (t->kind == want->kind && t->kind != TYPE_STRUCT))
        return FITS;
    if (!sql__may_cast(t, want))
        return FITS_NOT;
    return t->kind == TYPE_VOID || (type_is_integral(t) && type_is_integral(want) && !sql__cast_fails(t, want)) ? FITS_WIDENED : FITS_WITH_CAST;
}

/* 2: fits as it is; 1: fits with a cast; 0: does not. */
static int class_fits(const Type *t, const char *spec)
{
    bool is_void = t->kind == TYPE_VOID;

    if (!strcmp(spec, "any") || !strcmp(spec, "T") || !strcmp(spec, "K"))
        return 2;
    if (!strcmp(spec, "orderable"))
        return sql__orderable(t) || is_void ? 2 : 0;
    if (!strcmp(spec, "nested")) /* ARRAY or STRUCT that can be ordered */
        return sql__is_nested(t) && sql__orderable(t) ? 2 : 0;
    if (!strcmp(spec, "number"))
        return type_is_numeric(t) ? 2 : t->kind == TYPE_STRING || is_void;
    if (!strcmp(spec, "integral"))
        return type_is_integral(t) ? 2 : t->kind == TYPE_STRING || is_void;
    if (!strcmp(spec, "decimal"))
        return t->kind == TYPE_DECIMAL ? 2 : type_is_numeric(t) || is_void;
    if (!strcmp(spec, "fraction"))
        return t->kind == TYPE_DOUBLE || t->kind == TYPE_FLOAT ? 2 : is_void;
    if (!strcmp(spec, "list") || strstr(spec, "[]"))
        return t->kind == TYPE_ARRAY ? 2 : 0;
    if (!strcmp(spec, "array"))
        return t->kind == TYPE_ARRAY ? 2 : is_void;
    if (!strcmp(spec, "map"))
        return t->kind == TYPE_MAP ? 2 : is_void;
    if (!strcmp(spec, "struct"))
        return t->kind == TYPE_STRUCT ? 2 : is_void;
    if (!strcmp(spec, "interval"))
        return t->kind == TYPE_INTERVAL_YM || t->kind == TYPE_INTERVAL_DT ? 2 : is_void;
    if (!strcmp(spec, "datetime"))
        return t->kind == TYPE_DATE || t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ ? 2 : t->kind == TYPE_STRING || is_void;
    return 0;
}

/* What a class makes of a value that only fits with a cast. */
static const Type *class_type(Arena *arena, const Type *t, const char *spec)
{
    if (!strcmp(spec, "array"))
        return type_array(arena, type_simple(TYPE_VOID), true);
    if (!strcmp(spec, "number") || !strcmp(spec, "fraction"))
        return type_simple(TYPE_DOUBLE);
    if (!strcmp(spec, "integral"))
        return type_simple(t->kind == TYPE_VOID ? TYPE_INT : TYPE_LONG);
    if (!strcmp(spec, "decimal"))
        return t->kind == TYPE_VOID ? type_decimal(10, 0) : sql__decimal_of(t);
    if (!strcmp(spec, "datetime"))
        return type_simple(TYPE_TIMESTAMP);
    if (!strcmp(spec, "interval"))
        return type_interval_dt(0, 3);
    return NULL;
}

static const char *spec_at(const Signature *s, int i)
{
    return s->arg[i < s->total ? i : s->total - 1];
}

static bool arity_fits(const Signature *s, int count)
{
    return count >= s->required && (count <= s->total || s->variadic);
}

static const SqlFunction *choose(const SqlFunction *first, Expr *e)
{
    for (int least = FITS; least >= FITS_WITH_CAST; least--)
        for (const SqlFunction *f = first; f->name && !strcmp(f->name, first->name); f++) {
            Signature s;
            bool ok = true;

            if (!f->signature)
                return f;
            parse_signature(f->signature, &s);
            if (!arity_fits(&s, e->arg_count))
                continue;
            for (int i = 0; ok && i < e->arg_count; i++)
                ok = e->args[i]->kind == EXPR_LAMBDA || fits(e->args[i]->type, spec_at(&s, i)) >= least;
            if (ok)
                return f;
        }
    return NULL;
}

/* Spark's class for an argument of another type than an ARRAY; for NULL it has some of its own. */
static const char *misfit(const char *name, const Type *t, const char *spec)
{
    if (!strcmp(name, "to_csv") && !strcmp(spec, "struct"))
        return "DATATYPE_MISMATCH.UNSUPPORTED_INPUT_TYPE";
    if (t->kind != TYPE_VOID || !strstr(spec, "[]") || !strcmp(name, "array_append") || !strcmp(name, "array_prepend"))
        return "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE";
    if (!strcmp(name, "array_contains") || !strcmp(name, "array_position"))
        return "DATATYPE_MISMATCH.NULL_TYPE";
    return !strcmp(name, "array_remove") ? "DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES" : "DATATYPE_MISMATCH.BINARY_ARRAY_DIFF_TYPES";
}

static void complain(Analyzer *a, const SqlFunction *first, Expr *e)
{
    int least = 1000, most = -1;

    for (const SqlFunction *f = first; f->name && !strcmp(f->name, first->name); f++) {
        Signature s;

        parse_signature(f->signature, &s);
        least = s.required < least ? s.required : least;
        most = s.variadic ? 1000 : s.total > most ? s.total : most;
        if (!arity_fits(&s, e->arg_count))
            continue;
        for (int i = 0; i < e->arg_count; i++)
            if (e->args[i]->kind != EXPR_LAMBDA && !fits(e->args[i]->type, spec_at(&s, i))) {
                bool key = i == 1 && e->args[0]->type->kind == TYPE_MAP; /* of a map that is asked for it */

                sql__error(a, e->args[i]->pos, key ? "DATATYPE_MISMATCH.MAP_FUNCTION_DIFF_TYPES" : misfit(first->name, e->args[i]->type, spec_at(&s, i)), "argument %d of %s must be %s, not %s", i + 1, first->name,
                           spec_text(spec_at(&s, i)), sql__type_name(a, e->args[i]->type));
                return;
            }
    }
    const char *missing = e->arg_count < least ? sql__parameter_name(first->name, e->arg_count) : NULL;
    if (missing) {
        sql__error(a, e->pos, "REQUIRED_PARAMETER_NOT_FOUND", "%s needs its parameter \"%s\"", first->name, missing);
        return;
    }
    const char *takes = most == 1000 ? sql__text(a, "at least %d", least) : least == most ? sql__text(a, "%d", least) : sql__text(a, "%d to %d", least, most);

    sql__error(a, e->pos, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s takes %s argument%s, not %d", first->name, takes, !strcmp(takes, "1") ? "" : "s",
               e->arg_count);
}

static int letter_of(const char *spec)
{
    return spec[0] == 'T' ? 0 : spec[0] == 'K' && (!spec[1] || spec[1] == '[') ? 1 : -1;
}

/* Spark's class for arguments without a common type. */
static const char *no_common_type(const char *name)
{
    static const char *const of_elements[] = {"array_contains", "array_position", "array_remove", "array_append", "array_prepend"};
    static const char *const of_arrays[] = {"array_union", "array_except", "array_intersect", "arrays_overlap"};

    for (size_t i = 0; i < sizeof of_elements / sizeof *of_elements; i++)
        if (!strcmp(name, of_elements[i]))
            return "DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES";
    for (size_t i = 0; i < sizeof of_arrays / sizeof *of_arrays; i++)
        if (!strcmp(name, of_arrays[i]))
            return "DATATYPE_MISMATCH.BINARY_ARRAY_DIFF_TYPES";
    return !strcmp(name, "equal_null") ? "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES" : "DATATYPE_MISMATCH.DATA_DIFF_TYPES";
}

/* Casts the arguments as the signature says; the result type, or NULL with an error recorded. */
static const Type *apply_signature(Analyzer *a, const SqlFunction *f, Expr *e)
{
    Signature s;
    const Type *letters[2] = {NULL, NULL};
    bool element_nullable = false;

    parse_signature(f->signature, &s);
    for (int i = 0; i < e->arg_count; i++) {
        const char *spec = spec_at(&s, i);
        int l = letter_of(spec);
        const Type *t = e->args[i]->type;

        if (l < 0 || !t)
            continue;
        if (spec[1] == '[') {
            element_nullable = element_nullable || t->kind == TYPE_VOID || t->element_nullable;
            t = t->kind == TYPE_VOID ? type_simple(TYPE_VOID) : t->element;
        } else {
            element_nullable = element_nullable || e->args[i]->nullable;
        }
        const Type *next = letters[l] ? sql__wider(a, letters[l], t) : t;

        if (!next) {
            sql__error(a, e->args[i]->pos, sql__no_common(letters[l], t, no_common_type(f->name)), "the arguments of %s need one common type, but %s and %s have none", f->name,
                       sql__type_name(a, letters[l]), sql__type_name(a, t));
            return NULL;
        }
        letters[l] = next;
    }
    for (int i = 0; i < e->arg_count; i++) {
        const char *spec = spec_at(&s, i);
        int l = letter_of(spec);
        const Type *t = e->args[i]->type, *want = word_type(spec);

        if (!t)
            continue;
        if (l >= 0)
            want = spec[1] == '[' ? type_array(a->arena, letters[l], t->kind == TYPE_VOID || t->element_nullable) : letters[l];
        else if (want && t->kind == want->kind)
            want = NULL;
        else if (!want && class_fits(t, spec) == 1)
            want = class_type(a->arena, t, spec);
        if (want)
            sql__cast(a, &e->args[i], want);
    }
    if (f->rule)
        return NULL; /* the rule says it */
    if (s.result[0] == '#')
        return e->args[s.result[1] - '1']->type;
    if (letter_of(s.result) >= 0) {
        const Type *t = letters[letter_of(s.result)];

        return s.result[1] == '[' ? type_array(a->arena, t, element_nullable) : t;
    }
    char *bracket = strstr(s.result, "[]");
    if (bracket) {
        *bracket = 0;
        return type_array(a->arena, word_type(s.result), false);
    }
    return word_type(s.result);
}

/* ---- the parts around a call ---- */

/* count(*) counts rows; count(t.*) would count those without a NULL, and Spark refuses it for that. False with an error recorded. */
static bool count_star(Analyzer *a, Expr *e)
{
    if (strcasecmp(e->name.parts[0], "count") || e->arg_count != 1 || e->args[0]->kind != EXPR_STAR || e->distinct)
        return true;
    if (e->args[0]->name.count) {
        sql__error(a, e->args[0]->pos, "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT", "count(%s.*) does not count the rows of \"%s\"",
                   e->args[0]->name.parts[0], e->args[0]->name.parts[0]);
        sql__hint(a, "Write count(*) for the rows, or name the columns that must not be NULL.");
        return false;
    }
    e->args[0] = sql__literal_int(a, e->args[0]->pos, 1);
    return true;
}

bool sql__check_time(Analyzer *a, SiltPos pos)
{
    if (a->settings && a->settings->time_type)
        return true;
    sql__error(a, pos, "UNSUPPORTED_TIME_TYPE", "casts, functions and arithmetic of the type TIME are not enabled");
    sql__hint(a, "SET spark.sql.timeType.enabled = true enables them, here and in Spark.");
    return false;
}

static const Type *named_type(const char *name)
{
    static const char *const names[] = {"boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp", "time", "string", "binary"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(name, names[i]))
            return word_type(names[i]);
    return !strcasecmp(name, "decimal") ? type_decimal(10, 0) : NULL;
}

bool sql__is_type_name(const char *name)
{
    return named_type(name);
}

static bool cast_function(Analyzer *a, Scope *scope, Expr *e)
{
    const Type *to = named_type(e->name.parts[0]);

    if (!to || e->arg_count != 1 || e->window || e->name.count > 1)
        return false;
    e->kind = EXPR_CAST;
    e->op = "CAST";
    e->cast_type = to;
    sql__expr(a, scope, (Expr *[]){e});
    return true;
}

static void window_spec(Analyzer *a, Scope *scope, Expr *e)
{
    WindowSpec *w = e->window;

    if (w->name) {
        WindowSpec *def = NULL;

        for (int i = 0; i < scope->window_count; i++)
            if (!strcasecmp(scope->windows[i].name, w->name))
                def = scope->windows[i].spec;
        for (int steps = 0; def && def->name && steps <= scope->window_count; steps++) { /* w2 AS w1 */
            const char *other = def->name;

            def = NULL;
            for (int i = 0; i < scope->window_count; i++)
                if (!strcasecmp(scope->windows[i].name, other) && steps < scope->window_count)
                    def = scope->windows[i].spec;
        }
        if (!def) {
            sql__error(a, w->pos.line ? w->pos : e->pos, "MISSING_WINDOW_SPECIFICATION", "there is no WINDOW named \"%s\"", w->name);
            e->window = NULL;
            return;
        }
        /* its own copy, since each call is rewritten by itself */
        Expr holder = {.window = def};

        w = sql__clone(a, &holder)->window;
        w->name = NULL;
        e->window = w;
    }
    for (int i = 0; i < w->partition_count; i++) {
        sql__expr(a, scope, &w->partition_by[i]);
        const Type *t = w->partition_by[i]->type;

        if (t && !sql__comparable(t))
            sql__error(a, w->partition_by[i]->pos, "EXPRESSION_TYPE_IS_NOT_ORDERABLE", "rows cannot be parted by values of type %s", sql__type_name(a, t));
    }
    sql__sort_items(a, scope, w->order_by, w->order_count);
    if (w->start_offset)
        sql__expr(a, scope, &w->start_offset);
    if (w->end_offset)
        sql__expr(a, scope, &w->end_offset);
    sql__frame(a, e);
}

bool sql__table_only(const SqlFunction *f)
{
    return !strncmp(f->name, "variant_explode", 15);
}

void sql__not_scalar(Analyzer *a, const Expr *call)
{
    sql__error(a, call->pos, "NOT_A_SCALAR_FUNCTION", "%s is a table function and gives no value", call->name.parts[0]);
    sql__hint(a, "Write FROM t, LATERAL %s(..) AS e.", call->name.parts[0]);
}

static bool check_place(Analyzer *a, Scope *scope, Expr *e, const SqlFunction *f)
{
    if (scope->routine && (e->window || (f->flags & (FN_AGGREGATE | FN_WINDOW | FN_GENERATOR)))) {
        sql__error(a, e->pos, "USER_DEFINED_FUNCTIONS.CANNOT_CONTAIN_COMPLEX_FUNCTIONS", "%s may not stand in the body of a function that makes a value", f->name);
        sql__hint(a, "Put it into a subquery: RETURN (SELECT %s(..) FROM ..).", f->name);
        return false;
    }
    if ((f->flags & FN_GENERATOR) && sql__table_only(f)) {
        sql__not_scalar(a, e);
        return false;
    }
    if (f->flags & FN_GENERATOR) {
        sql__error(a, e->pos, scope->aliases_first || (scope->clause && strcmp(scope->clause, sql__in_generator) != 0) ? "UNSUPPORTED_GENERATOR.OUTSIDE_SELECT" : "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS",
                   "%s makes rows and may stand only by itself in a select list or in LATERAL VIEW", f->name);
        return false;
    }
    if (e->window && !(f->flags & (FN_AGGREGATE | FN_WINDOW))) {
        sql__error(a, e->pos, "UNSUPPORTED_EXPR_FOR_WINDOW", "%s is no window function, so OVER does not fit", f->name);
        return false;
    }
    if (!e->window && (f->flags & FN_WINDOW) && !(f->flags & FN_AGGREGATE)) {
        sql__error(a, e->pos, "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "%s needs an OVER clause", f->name);
        return false;
    }
    if (e->window) {
        if (scope->no_window || scope->in_window) {
            sql__error(a, e->pos, "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE", "a window function may not stand in %s",
                       scope->in_window ? "another window function" : scope->clause ? scope->clause : "this place");
            return false;
        }
        if (scope->in_aggregate) {
            sql__error(a, e->pos, "_LEGACY_ERROR_TEMP_1031", "a window function may not stand in an aggregate function");
            sql__hint(a, "Compute it in a subquery first.");
            return false;
        }
        if (e->filter && (!strncmp(f->name, "first", 5) || !strncmp(f->name, "last", 4) || !strcmp(f->name, "any_value"))) { /* DuckDB's are no aggregates */
            sql__error(a, e->pos, "UNSUPPORTED_FEATURE", "cannot run %s with FILTER and OVER yet", f->name);
            sql__hint(a, "Filter in a subquery, or write CASE WHEN condition THEN x END with IGNORE NULLS.");
            return false;
        }
        if (e->distinct) {
            sql__error(a, e->pos, "DISTINCT_WINDOW_FUNCTION_UNSUPPORTED", "DISTINCT does not go with OVER");
            return false;
        }
        scope->saw_window = true;
    } else if (f->flags & FN_AGGREGATE) {
        if (scope->no_aggregate) {
            sql__error(a, e->pos, scope->clause && !strcmp(scope->clause, "GROUP BY") ? "GROUP_BY_AGGREGATE"
                       : scope->clause && *scope->clause == '|'                 ? "PIPE_OPERATOR_CONTAINS_AGGREGATE_FUNCTION"
                       : scope->clause && !strcmp(scope->clause, "ON")          ? "UNSUPPORTED_EXPR_FOR_OPERATOR"
                       : scope->clause && !strcmp(scope->clause, "VALUES")      ? sql__not_in_values
                                                                                : "INVALID_WHERE_CONDITION",
                       "the aggregate function %s may not stand in %s", f->name, scope->clause ? scope->clause : "this place");
            return false;
        }
        if (scope->in_aggregate) {
            sql__error(a, e->pos, "NESTED_AGGREGATE_FUNCTION", "an aggregate function may not stand in another");
            return false;
        }
        scope->saw_aggregate = true;
    } else if (e->distinct || e->filter) {
        sql__error(a, e->pos, "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "%s is no aggregate function, so %s does not fit", f->name,
                   e->distinct ? "DISTINCT" : "FILTER");
        return false;
    }
    return true;
}

static void unknown_function(Analyzer *a, Expr *e)
{
    const char *name = e->name.parts[e->name.count - 1], *near = sql_function_nearest(name), *missing = sql_function_missing(name);

    if (missing) {
        sql__error(a, e->pos, "UNSUPPORTED_FEATURE.FUNCTION", "Spark's function \"%s\" is not in Silt", name);
        sql__hint(a, "%s", missing);
        return;
    }
    sql__error(a, e->pos, "UNRESOLVED_ROUTINE", "no function \"%s\"", name);
    if (near)
        sql__hint(a, "did you mean \"%s\"?", near);
}

typedef struct Levels {
    bool local, outer;
} Levels;

static void note_level(Expr **slot, void *arg)
{
    Levels *levels = arg;

    if ((*slot)->kind == EXPR_COLUMN && (*slot)->relation)
        *((*slot)->outer_level ? &levels->outer : &levels->local) = true;
    sql__each_child(*slot, note_level, arg);
}

/*
 * An aggregate over nothing but columns of a query around belongs to that query, by the standard. Spark refuses it, and one over columns of both; DuckDB would
 * move it there.
 */
static bool aggregates_outer(Analyzer *a, Expr *e)
{
    Levels levels = {false, false};

    sql__each_child(e, note_level, &levels);
    if (!levels.outer)
        return false;
    if (levels.local) {
        sql__error(a, e->pos, "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.AGGREGATE_FUNCTION_MIXED_OUTER_LOCAL_REFERENCES",
                   "%s is over columns of this query and of the one around it", e->name.parts[0]);
        return true;
    }
    sql__error(a, e->pos, "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE", "%s is over columns of the query around alone", e->name.parts[0]);
    sql__hint(a, "Compute it there.");
    return true;
}

static bool over_all_rows_only(const char *name)
{
    return !strcmp(name, "median") || !strcmp(name, "percentile_cont") || !strcmp(name, "percentile_disc");
}

static bool whole_frame(const WindowSpec *w)
{
    return !w->frame_given || (w->start == FRAME_UNBOUNDED_PRECEDING && w->end == FRAME_UNBOUNDED_FOLLOWING);
}

void sql__call(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;
    const SqlFunction *f = e->name.count <= 1 ? sql_function_find(e->name.parts[0]) : NULL;

    if (!f && e->name.count <= 1 && a->catalog && a->catalog->function)
        f = a->catalog->function(a->catalog->self, e->name.parts[0]);
    if (!f) {
        sql__expand_stars(a, scope, e);
        if (!cast_function(a, scope, e) && !sql__routine_call(a, scope, slot))
            unknown_function(a, e);
        return;
    }
    if (!check_place(a, scope, e, f) || !sql__take_names(a, f->name, &e->args, &e->arg_count))
        return;
    bool aggregate = (f->flags & FN_AGGREGATE) && !e->window, was = scope->in_aggregate, was_window = scope->in_window;

    if (!count_star(a, e))
        return;
    sql__expand_stars(a, scope, e);
    scope->in_aggregate = was || aggregate;
    scope->in_window = was_window || e->window;
    bool ok = true;

    for (int i = 0; i < e->arg_count && !(f->flags & FN_RAW); i++) {
        if (e->args[i]->kind == EXPR_LAMBDA)
            continue;
        sql__expr(a, scope, &e->args[i]);
        ok = ok && e->args[i]->type;
    }
    if (e->filter) {
        const char *clause = scope->clause;

        sql__condition(a, scope, &e->filter, "FILTER");
        scope->clause = clause;
        ok = ok && e->filter->type;
    }
    sql__sort_items(a, scope, e->order_by, e->order_count);
    if (e->window)
        window_spec(a, scope, e);
    if (e->window && (f->flags & FN_ORDERED) && !e->window->order_count) {
        sql__error(a, e->pos, "WINDOW_FUNCTION_FRAME_NOT_ORDERED", "%s needs ORDER BY in its window", f->name);
        ok = false;
    }
    if (e->window && ok && over_all_rows_only(f->name) && (e->window->order_count || !whole_frame(e->window))) {
        sql__error(a, e->pos, "INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC", "%s takes all rows of a partition: OVER without ORDER BY and without a narrower frame", f->name);
        ok = false;
    }
    scope->in_aggregate = was;
    scope->in_window = was_window;
    if (!ok || (aggregate && aggregates_outer(a, e)))
        return;

    e->function = f;
    e->deterministic = !(f->flags & FN_RANDOM);
    e->constant = !(f->flags & (FN_RANDOM | FN_AGGREGATE | FN_WINDOW));
    e->nullable = f->flags & FN_NULLABLE;
    if (!(f->flags & FN_RAW)) {
        if (!sql__check_compared(a, f, e))
            return;
        e->function = choose(f, e);
        if (!e->function) {
            complain(a, f, e);
            return;
        }
        f = e->function;
        e->nullable = f->flags & FN_NULLABLE;
    }
    if ((f->flags & FN_TIME) && !sql__check_time(a, e->pos))
        return;
    const Type *type = NULL, *strings = NULL;
    int before = a->errors->count;

    if (!sql__check_collated(a, e, &strings))
        return;
    if (f->signature && !(f->flags & FN_RAW))
        type = apply_signature(a, f, e);
    for (int i = 0; i < e->arg_count; i++) {
        e->deterministic = e->deterministic && (e->args[i]->deterministic || e->args[i]->kind == EXPR_LAMBDA);
        e->constant = e->constant && e->args[i]->constant;
        e->nullable = e->nullable || e->args[i]->nullable;
    }
    if (f->flags & FN_NOT_NULL)
        e->nullable = false;
    if ((f->flags & FN_AGGREGATE) && !(f->flags & FN_NOT_NULL))
        e->nullable = true;
    if (f->rule && a->errors->count == before) {
        SqlCall call = {.analyzer = a, .scope = scope, .expr = e};

        type = f->rule(&call);
        if (type && e->kind == EXPR_ALIASED) { /* a rule that rewrote the call into another expression */
            *slot = e->args[0];
            return;
        }
    }
    if (a->errors->count == before)
        e->type = type ? sql__collated_result(a, e, strings, type) : NULL;
}

/* ---- for rules ---- */

bool sql_call_cast(SqlCall *call, int arg, const Type *type)
{
    Expr **slot = &call->expr->args[arg];

    if (!sql__may_cast((*slot)->type, type)) {
        sql__error(call->analyzer, (*slot)->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of %s must be %s, not %s", arg + 1,
                   call->expr->function->name, sql__type_name(call->analyzer, type), sql__type_name(call->analyzer, (*slot)->type));
        return false;
    }
    sql__cast(call->analyzer, slot, type);
    return true;
}

const Type *sql_call_unify(SqlCall *call, int first)
{
    Expr *e = call->expr;
    const Type *common = type_simple(TYPE_VOID);

    for (int i = first; i < e->arg_count; i++) {
        const Type *next = sql__wider(call->analyzer, common, e->args[i]->type);

        if (!next)
            return sql_call_fail(call, sql__no_common(common, e->args[i]->type, "DATATYPE_MISMATCH.DATA_DIFF_TYPES"), "the arguments of %s need one common type, but %s and %s have none",
                                 e->function->name, sql__type_name(call->analyzer, common), sql__type_name(call->analyzer, e->args[i]->type));
        common = next;
    }
    for (int i = first; i < e->arg_count; i++)
        sql__cast(call->analyzer, &e->args[i], common);
    return common;
}

const Type *sql_call_fail(SqlCall *call, const char *code, const char *fmt, ...)
{
    va_list ap;
    char text[1024];

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    sql__error(call->analyzer, call->expr->pos, code, "%s", text);
    return NULL;
}

/* "f(%s)" with a name for %s. */
static const char *replace_name(Analyzer *a, const char *format, const char *name)
{
    const char *at = strstr(format, "%s");

    return at ? sql__text(a, "%.*s%s%s", (int)(at - format), format, name, at + 2) : format;
}

const Type *sql_call_lambda(SqlCall *call, int arg, const Type *const *types, const bool *nullable, int count)
{
    Analyzer *a = call->analyzer;
    Expr *l = call->expr->args[arg];
    int depth = 0;

    if (l->kind != EXPR_LAMBDA)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of %s must be a lambda, as in x -> x + 1", arg + 1,
                             call->expr->function->name);
    if (l->parameter_count > count || l->parameter_count < 1)
        return sql_call_fail(call, "INVALID_LAMBDA_FUNCTION_CALL.NUM_ARGS_MISMATCH", "this lambda takes %d parameters, %s gives %d", l->parameter_count,
                             call->expr->function->name, count);
    for (LambdaScope *s = call->scope->lambdas; s; s = s->outer)
        depth++;
    LambdaScope inner = {.outer = call->scope->lambdas, .names = l->parameters, .types = types, .nullable = nullable, .count = l->parameter_count};

    inner.printed = ARENA_ARRAY(a->arena, const char *, l->parameter_count);
    const char **declared = ARENA_ARRAY(a->arena, const char *, l->parameter_count + 1);

    for (int i = 0; i < l->parameter_count; i++) {
        declared[i] = inner.printed[i] = sql__text(a, "x%d_%d", depth, i + 1);
        if (i + 1 == call->position_parameter)
            inner.printed[i] = sql__text(a, "CAST(%s - 1 AS INTEGER)", declared[i]);
        if (call->parameter_formats[0]) {
            const char *one = call->own_parameters ? declared[i] : sql__text(a, "x%d", depth);

            inner.printed[i] = replace_name(a, call->parameter_formats[i], one);
            declared[i] = call->own_parameters || !i ? one : NULL;
        }
    }
    l->extra = declared; /* up to the first NULL */
    call->scope->lambdas = &inner;
    sql__expr(a, call->scope, &l->args[0]);
    call->scope->lambdas = inner.outer;
    l->type = l->args[0]->type;
    l->nullable = l->args[0]->nullable;
    l->deterministic = l->args[0]->deterministic;
    l->constant = false;
    if (l->type)
        call->expr->deterministic = call->expr->deterministic && l->deterministic;
    return l->type;
}

Arena *sql_call_arena(SqlCall *call)
{
    return call->analyzer->arena;
}
