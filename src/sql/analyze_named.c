/* sql/analyze_named.c - arguments by name: f(x => 1) */
#include <string.h>

#include "sql/analyze.h"

enum { NAMED_MAX = 6 };

/* The functions of Spark that take named arguments. A parameter that may be left out in the middle has a default: a number, or text. */
static const struct {
    const char *function, *parameters[NAMED_MAX], *defaults[NAMED_MAX];
} named_functions[] = {
    {"explode", {"collection"}, {NULL}},
    {"explode_outer", {"collection"}, {NULL}},
    {"posexplode", {"collection"}, {NULL}},
    {"posexplode_outer", {"collection"}, {NULL}},
    {"inline", {"input"}, {NULL}},
    {"inline_outer", {"input"}, {NULL}},
    {"variant_explode", {"input"}, {NULL}},
    {"variant_explode_outer", {"input"}, {NULL}},
    {"count_min_sketch", {"column", "epsilon", "confidence", "seed"}, {NULL}},
    {"tuple_sketch_agg_double", {"key", "summary", "lgNomEntries", "mode"}, {NULL, NULL, "12", NULL}},
    {"tuple_sketch_agg_integer", {"key", "summary", "lgNomEntries", "mode"}, {NULL, NULL, "12", NULL}},
    {"tuple_union_agg_double", {"child", "lgNomEntries", "mode"}, {NULL, "12", NULL}},
    {"tuple_union_agg_integer", {"child", "lgNomEntries", "mode"}, {NULL, "12", NULL}},
    {"tuple_union_double", {"first", "second", "lgNomEntries", "mode"}, {NULL, NULL, "12", NULL}},
    {"tuple_union_integer", {"first", "second", "lgNomEntries", "mode"}, {NULL, NULL, "12", NULL}},
    {"tuple_union_theta_double", {"first", "second", "lgNomEntries", "mode"}, {NULL, NULL, "12", NULL}},
    {"tuple_union_theta_integer", {"first", "second", "lgNomEntries", "mode"}, {NULL, NULL, "12", NULL}},
    {"mask", {"str", "upperChar", "lowerChar", "digitChar", "otherChar"}, {NULL, "X", "x", "n", NULL}},
};

static bool place_named(Analyzer *a, const char *function, const char *const *names, int count, const Expr *arg, int positional, Expr **out)
{
    for (int i = 0; i < count; i++) {
        if (strcasecmp(names[i], arg->text))
            continue;
        if (out[i])
            sql__error(a, arg->pos, i < positional ? "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.BOTH_POSITIONAL_AND_NAMED"
                                                   : "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.DOUBLE_NAMED_ARGUMENT_REFERENCE",
                       "parameter \"%s\" of %s is given twice", arg->text, function);
        else
            out[i] = arg->args[0];
        return out[i] == arg->args[0];
    }
    const char *near = str_nearest(str_of(arg->text), names, count);
    sql__error(a, arg->pos, "UNRECOGNIZED_PARAMETER_NAME", "%s has no parameter \"%s\"", function, arg->text);
    if (near)
        sql__hint(a, "did you mean \"%s\"?", near);
    return false;
}

bool sql__place_arguments(Analyzer *a, const char *function, const char *const *names, int parameter_count, Expr *const *args, int count, Expr **out)
{
    int positional = 0;

    while (positional < count && args[positional]->kind != EXPR_NAMED_ARG)
        positional++;
    for (int i = 0; i < count; i++) {
        if (i >= positional && args[i]->kind != EXPR_NAMED_ARG) {
            sql__error(a, args[i]->pos, "UNEXPECTED_POSITIONAL_ARGUMENT", "an argument without a name stands behind a named one");
            return false;
        }
        if (i < positional && i >= parameter_count) {
            sql__error(a, args[i]->pos, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s takes at most %d arguments, not %d", function, parameter_count, count);
            return false;
        }
        if (i < positional)
            out[i] = args[i];
        else if (!place_named(a, function, names, parameter_count, args[i], positional, out))
            return false;
    }
    return true;
}

const char *sql__parameter_name(const char *function, int index)
{
    for (size_t row = 0; row < sizeof named_functions / sizeof *named_functions; row++)
        if (!strcasecmp(named_functions[row].function, function))
            return index < NAMED_MAX ? named_functions[row].parameters[index] : NULL;
    return NULL;
}

static Expr *default_of(Analyzer *a, SiltPos pos, const char *text)
{
    int64_t number;

    return str_to_int64(str_of(text), &number) ? sql__literal_int(a, pos, number) : sql__literal_text(a, pos, text);
}

bool sql__take_names(Analyzer *a, const char *function, Expr ***args, int *count)
{
    Expr **out = ARENA_ARRAY(a->arena, Expr *, NAMED_MAX);
    int named = 0, parameters = 0, given = 0;
    size_t row = 0, rows = sizeof named_functions / sizeof *named_functions;

    while (named < *count && (*args)[named]->kind != EXPR_NAMED_ARG)
        named++;
    if (named == *count)
        return true;
    while (row < rows && strcasecmp(named_functions[row].function, function))
        row++;
    if (row == rows) {
        sql__error(a, (*args)[named]->pos, "NAMED_PARAMETERS_NOT_SUPPORTED", "%s takes no named arguments", function);
        return false;
    }
    while (parameters < NAMED_MAX && named_functions[row].parameters[parameters])
        parameters++;
    if (!sql__place_arguments(a, function, named_functions[row].parameters, parameters, *args, *count, out))
        return false;
    for (int i = 0; i < parameters; i++)
        given = out[i] ? i + 1 : given;
    for (int i = 0; i < given; i++) {
        if (!out[i] && !named_functions[row].defaults[i]) {
            sql__error(a, (*args)[named]->pos, "REQUIRED_PARAMETER_NOT_FOUND", "%s needs its parameter \"%s\"", function, named_functions[row].parameters[i]);
            return false;
        }
        if (!out[i])
            out[i] = default_of(a, (*args)[named]->pos, named_functions[row].defaults[i]);
    }
    *args = out;
    *count = given;
    return true;
}
