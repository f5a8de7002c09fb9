/*
 * sql/functions_tuple.c - tuple sketches of Apache DataSketches kept as BINARY: hashes of keys, each with an INT or a DOUBLE
 *
 * The aggregates cast what they take, the other functions take just their types, as in Spark.
 */
#include <stdio.h>
#include <string.h>

#include "duck/sketch.h"
#include "sql/analyze.h"
#include "sql/constant.h"

/* Of one call; in extra. */
typedef struct Tuple {
    SketchTupleKind kind;
    SketchTupleMode mode;
    int lg_k;
    bool theta; /* the second sketch is a theta sketch */
} Tuple;

static Tuple *tuple_new(SqlCall *call)
{
    Tuple *self = ARENA_NEW(sql_call_arena(call), Tuple);
    const char *name = call->expr->function->name;

    self->kind = !strcmp(strrchr(name, '_'), "_integer") ? SKETCH_TUPLE_INTEGER : SKETCH_TUPLE_DOUBLE;
    self->lg_k = SKETCH_THETA_LG_K_DEFAULT;
    self->theta = strstr(name, "_theta_") && strncmp(name, "tuple_sketch_", strlen("tuple_sketch_")) != 0;
    call->expr->extra = self;
    return self;
}

static bool refuse(SqlCall *call, int arg, const char *takes)
{
    const Expr *e = call->expr;

    sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "argument %d of %s is %s, not %s", arg + 1, e->function->name, takes,
                  sql__type_name(call->analyzer, e->args[arg]->type));
    return false;
}

/* Just this type, or NULL; false with an error recorded. */
static bool takes(SqlCall *call, int arg, TypeKind kind)
{
    const Type *t = call->expr->args[arg]->type;

    if (t->kind == TYPE_VOID)
        return sql_call_cast(call, arg, type_simple(kind));
    return t->kind == kind || refuse(call, arg, sql__type_name(call->analyzer, type_simple(kind)));
}

/* A number, or text that is one. */
static bool casts_number(SqlCall *call, int arg, TypeKind kind)
{
    const Type *t = call->expr->args[arg]->type;

    if (t->kind == kind)
        return true;
    if (type_is_numeric(t) || t->kind == TYPE_STRING || t->kind == TYPE_VOID)
        return sql_call_cast(call, arg, type_simple(kind));
    return refuse(call, arg, sql__type_name(call->analyzer, type_simple(kind)));
}

/* A key: whole numbers as BIGINT, others as DOUBLE, what is neither text nor bytes as text. */
static bool casts_key(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    switch (t->kind) {
    case TYPE_LONG:
    case TYPE_DOUBLE:
    case TYPE_STRING:
    case TYPE_BINARY:
        return true;
    case TYPE_INT:
    case TYPE_VOID:
        return sql_call_cast(call, 0, type_simple(TYPE_LONG));
    case TYPE_BYTE: /* Spark's first type that it casts them to */
    case TYPE_SHORT:
    case TYPE_FLOAT:
    case TYPE_DECIMAL:
        return sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
    case TYPE_ARRAY:
        if (t->element->kind == TYPE_INT || t->element->kind == TYPE_LONG)
            return true;
        if (type_is_numeric(t->element) || t->element->kind == TYPE_VOID)
            return sql_call_cast(call, 0, type_array(sql_call_arena(call), type_simple(TYPE_INT), t->element_nullable));
        return refuse(call, 0, "an atomic type or an array of numbers");
    case TYPE_MAP:
    case TYPE_STRUCT:
        return refuse(call, 0, "an atomic type or an array of numbers");
    default:
        return sql_call_cast(call, 0, type_simple(TYPE_STRING));
    }
}

/* The value of args[arg], a constant that is not NULL; false with an error recorded. */
static bool known(SqlCall *call, int arg, const char *what, Constant *out)
{
    const Expr *e = call->expr;

    *out = sql__constant(call->analyzer, e->args[arg]);
    if (out->kind == CONSTANT_WHOLE || out->kind == CONSTANT_TEXT)
        return true;
    if (out->kind == CONSTANT_NULL)
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_NULL", "the %s of %s must not be NULL", what, e->function->name);
    else if (out->kind == CONSTANT_FAILS)
        sql_call_fail(call, out->code, "the %s of %s cannot be computed", what, e->function->name);
    else
        sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the %s of %s must be a constant", what, e->function->name);
    return false;
}

/* The size at args[arg], the mode behind it; either may be left out, and -1 is none at all. False with an error recorded. */
static bool takes_options(SqlCall *call, Tuple *self, int size, int mode)
{
    static const char *const modes[] = {"sum", "min", "max", "alwaysone"}; /* as SketchTupleMode */
    Expr *e = call->expr;
    const char *name = e->function->name;
    bool casts = e->function->flags & FN_AGGREGATE;
    Constant value;

    if (size >= 0 && size < e->arg_count) {
        if (!(casts ? casts_number(call, size, TYPE_INT) : takes(call, size, TYPE_INT)) || !known(call, size, "size", &value))
            return false;
        if (value.whole < SKETCH_THETA_LG_K_LEAST || value.whole > SKETCH_THETA_LG_K_MOST) {
            sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "the size of %s is a power of 2, from %d to %d, not %lld", name, SKETCH_THETA_LG_K_LEAST,
                          SKETCH_THETA_LG_K_MOST, (long long)value.whole);
            return false;
        }
        self->lg_k = (int)value.whole;
    }
    if (mode < 0 || mode >= e->arg_count)
        return true;
    bool cast = casts && e->args[mode]->type->kind != TYPE_STRING;
    if (!(cast ? sql_call_cast(call, mode, type_simple(TYPE_STRING)) : takes(call, mode, TYPE_STRING)) || !known(call, mode, "mode", &value))
        return false;
    for (int i = 0; i < (int)(sizeof modes / sizeof *modes); i++)
        if (str_is_nocase(value.text, modes[i])) {
            self->mode = (SketchTupleMode)i;
            return true;
        }
    sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE_WITH_HINT", "the mode of %s is sum, min, max or alwaysone", name);
    return false;
}

/* tuple_sketch_agg_<kind>(key, number [, size [, mode]]) */
static const Type *agg_type(SqlCall *call)
{
    Tuple *self = tuple_new(call);

    TypeKind number = self->kind == SKETCH_TUPLE_INTEGER ? TYPE_INT : TYPE_DOUBLE;

    return casts_key(call) && casts_number(call, 1, number) && takes_options(call, self, 2, 3) ? type_simple(TYPE_BINARY) : NULL;
}

static void agg_print(StrBuf *out, const Expr *call)
{
    const Tuple *self = call->extra;
    char text[128];

    snprintf(text, sizeof text, "coalesce(silt_tuple_sketch($&$1, $2, %d, %d)$f, silt_tuple_empty())", (int)self->mode, self->lg_k);
    sql_duck_template(out, text, call);
}

/* An aggregate of sketches takes text for one, too. */
static bool casts_sketch(SqlCall *call)
{
    return call->expr->args[0]->type->kind == TYPE_STRING ? sql_call_cast(call, 0, type_simple(TYPE_BINARY)) : takes(call, 0, TYPE_BINARY);
}

/* tuple_union_agg_<kind>(sketch [, size [, mode]]) */
static const Type *union_agg_type(SqlCall *call)
{
    Tuple *self = tuple_new(call);

    return casts_sketch(call) && takes_options(call, self, 1, 2) ? type_simple(TYPE_BINARY) : NULL;
}

static void union_agg_print(StrBuf *out, const Expr *call)
{
    const Tuple *self = call->extra;
    char text[128];

    snprintf(text, sizeof text, "coalesce(silt_tuple_unite($&$1, %d, %d, %d, $pos)$f, silt_tuple_empty())", (int)self->kind, (int)self->mode, self->lg_k);
    sql_duck_template(out, text, call);
}

/* tuple_intersection_agg_<kind>(sketch [, mode]) */
static const Type *intersection_agg_type(SqlCall *call)
{
    Tuple *self = tuple_new(call);

    return casts_sketch(call) && takes_options(call, self, -1, 1) ? type_simple(TYPE_BINARY) : NULL;
}

static void intersection_agg_print(StrBuf *out, const Expr *call)
{
    const Tuple *self = call->extra;
    char text[128];

    snprintf(text, sizeof text, "silt_tuple_intersected(silt_tuple_intersect($&$1, %d, %d, $pos)$f, $pos)", (int)self->kind, (int)self->mode);
    sql_duck_template(out, text, call);
}

/* tuple_sketch_estimate_<kind>, tuple_sketch_theta_<kind>(sketch) */
static const Type *answer_type(SqlCall *call)
{
    tuple_new(call);
    return takes(call, 0, TYPE_BINARY) ? type_simple(TYPE_DOUBLE) : NULL;
}

static void answer_print(StrBuf *out, const Expr *call)
{
    char text[64];
    bool theta = !strncmp(call->function->name, "tuple_sketch_theta_", strlen("tuple_sketch_theta_"));

    snprintf(text, sizeof text, "silt_tuple_%s($1, %d, $pos)", theta ? "theta" : "estimate", (int)((const Tuple *)call->extra)->kind);
    sql_duck_template(out, text, call);
}

/* tuple_sketch_summary_<kind>(sketch [, mode]) */
static const Type *summary_type(SqlCall *call)
{
    Tuple *self = tuple_new(call);

    return takes(call, 0, TYPE_BINARY) && takes_options(call, self, -1, 1) ? type_simple(self->kind == SKETCH_TUPLE_INTEGER ? TYPE_LONG : TYPE_DOUBLE) : NULL;
}

static void summary_print(StrBuf *out, const Expr *call)
{
    char text[64];

    snprintf(text, sizeof text, "\"silt_tuple_summary:$T\"($1, %d, $pos)", (int)((const Tuple *)call->extra)->mode);
    sql_duck_template(out, text, call);
}

/* tuple_union[_theta]_<kind>(sketch, other [, size [, mode]]) */
static const Type *union_type(SqlCall *call)
{
    Tuple *self = tuple_new(call);

    return takes(call, 0, TYPE_BINARY) && takes(call, 1, TYPE_BINARY) && takes_options(call, self, 2, 3) ? type_simple(TYPE_BINARY) : NULL;
}

/* tuple_intersection[_theta]_<kind>(sketch, other [, mode]), tuple_difference[_theta]_<kind>(sketch, other) */
static const Type *operation_type(SqlCall *call)
{
    Tuple *self = tuple_new(call);

    return takes(call, 0, TYPE_BINARY) && takes(call, 1, TYPE_BINARY) && takes_options(call, self, -1, 2) ? type_simple(TYPE_BINARY) : NULL;
}

static void operation_print(StrBuf *out, const Expr *call)
{
    const Tuple *self = call->extra;
    const char *operation = call->function->name + strlen("tuple_"); /* union, intersection, difference */
    int size = (int)strcspn(operation, "_");
    char text[128], more[16] = "";

    if (!strncmp(operation, "union_", strlen("union_")))
        snprintf(more, sizeof more, ", %d", self->lg_k);
    snprintf(text, sizeof text, "silt_tuple_%.*s($1, $2, %d, %d, %s%s, $pos)", size, operation, (int)self->kind, (int)self->mode, self->theta ? "true" : "false", more);
    sql_duck_template(out, text, call);
}

#define TUPLE(kind)                                                                                                                        \
    {"tuple_sketch_agg_" kind, "any, any [, any, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL, agg_type, agg_print},                         \
        {"tuple_union_agg_" kind, "any [, any, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL, union_agg_type, union_agg_print}, \
        {"tuple_intersection_agg_" kind, "any [, any] ->", NULL, FN_AGGREGATE | FN_NOT_NULL | FN_MAY_FAIL, intersection_agg_type, intersection_agg_print}, \
        {"tuple_sketch_estimate_" kind, "any ->", NULL, FN_MAY_FAIL, answer_type, answer_print},                                           \
        {"tuple_sketch_theta_" kind, "any ->", NULL, FN_MAY_FAIL, answer_type, answer_print},                                              \
        {"tuple_sketch_summary_" kind, "any [, any] ->", NULL, FN_MAY_FAIL, summary_type, summary_print},                                  \
        {"tuple_union_" kind, "any, any [, any, any] ->", NULL, FN_MAY_FAIL, union_type, operation_print},                                 \
        {"tuple_union_theta_" kind, "any, any [, any, any] ->", NULL, FN_MAY_FAIL, union_type, operation_print},                           \
        {"tuple_intersection_" kind, "any, any [, any] ->", NULL, FN_MAY_FAIL, operation_type, operation_print},                           \
        {"tuple_intersection_theta_" kind, "any, any [, any] ->", NULL, FN_MAY_FAIL, operation_type, operation_print},                     \
        {"tuple_difference_" kind, "any, any ->", NULL, FN_MAY_FAIL, operation_type, operation_print},                                     \
        {"tuple_difference_theta_" kind, "any, any ->", NULL, FN_MAY_FAIL, operation_type, operation_print}

const SqlFunction sql_functions_tuple[] = {TUPLE("double"), TUPLE("integer"), {NULL}};
