/*
 * sql/analyze_collation.c - which collation two strings have in common, and what may be done with strings that have one
 *
 * A string's type says its collation and how that came about (duck/type.h): COLLATE is stronger than a column or a cast, these are stronger than a literal. Two of one
 * strength that differ have nothing in common, and Spark refuses to compare them.
 *
 *   C1  Whatever compares strings does so by print_duck_collation.c, or refuses those with a collation: an answer by bytes is never given for them.
 *   C2  So a function takes them only when it stands in the table below.
 */
#include <string.h>

#include "duck/collation.h"
#include "sql/analyze.h"

const Type *sql__wider_string(const Type *x, const Type *y)
{
    if (x->binding != y->binding)
        return x->binding > y->binding ? x : y;
    return x->collation == y->collation ? x : NULL;
}

/* Do the two types have no common one for their collations? Where they meet first, inside of arrays and the like. */
static const Type *conflict(const Type *x, const Type *y)
{
    const Type *found = NULL;

    if (x->kind != y->kind)
        return NULL;
    switch (x->kind) {
    case TYPE_STRING:
        return sql__wider_string(x, y) ? NULL : x;
    case TYPE_MAP:
        found = conflict(x->key, y->key);
        return found ? found : conflict(x->element, y->element);
    case TYPE_ARRAY:
        return conflict(x->element, y->element);
    case TYPE_STRUCT:
        for (int i = 0; i < x->field_count && i < y->field_count && !found; i++)
            found = conflict(x->fields[i].type, y->fields[i].type);
        return found;
    default:
        return NULL;
    }
}

const char *sql__no_common(const Type *x, const Type *y, const char *code)
{
    const Type *string = conflict(x, y);

    return !string ? code : string->binding == COLLATION_EXPLICIT ? "COLLATION_MISMATCH.EXPLICIT" : "INDETERMINATE_COLLATION_IN_EXPRESSION";
}

bool sql__collations_differ(const Type *x, const Type *y)
{
    return x->kind != TYPE_VOID && y->kind != TYPE_VOID && (type_has_collation(x) || type_has_collation(y)) && !type_equal(x, y, false);
}

const Type *sql__bound(Arena *arena, const Type *type, int binding)
{
    switch (type->kind) {
    case TYPE_STRING:
        return type->binding == binding ? type : type_collated(arena, type->collation, binding);
    case TYPE_ARRAY:
        return type_has_collation(type) ? type_array(arena, sql__bound(arena, type->element, binding), type->element_nullable) : type;
    case TYPE_MAP:
        return type_has_collation(type) ? type_map(arena, sql__bound(arena, type->key, binding), sql__bound(arena, type->element, binding), type->element_nullable) : type;
    case TYPE_STRUCT: {
        if (!type_has_collation(type))
            return type;
        TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);

        for (int i = 0; i < type->field_count; i++) {
            fields[i] = type->fields[i];
            fields[i].type = sql__bound(arena, type->fields[i].type, binding);
        }
        return type_struct(arena, fields, type->field_count);
    }
    default:
        return type;
    }
}

const Type *sql__taken_out(Arena *arena, const Type *type)
{
    return type->kind == TYPE_STRING && type->binding == COLLATION_DEFAULT ? sql__bound(arena, type, COLLATION_IMPLICIT) : type;
}

bool sql__refuse_collation(Analyzer *a, SiltPos pos, const Type *type, const char *what)
{
    if (!type_has_collation(type))
        return false;
    sql__error(a, pos, "UNSUPPORTED_FEATURE.COLLATION", "%s does not take a %s yet", what, sql__type_name(a, type));
    sql__hint(a, "Where bytes may be compared: x COLLATE UTF8_BINARY. To compare without case: lower(x).");
    return true;
}

bool sql__check_pair(Analyzer *a, SiltPos pos, const Type *common, const Type *x, const Type *y)
{
    if (x->kind != TYPE_STRING || y->kind != TYPE_STRING || common->kind != TYPE_STRING)
        return true;
    const Type *pair = sql__wider_string(x, y);

    if (pair && pair->collation == common->collation)
        return true;
    sql__error(a, pos, "UNSUPPORTED_FEATURE.COLLATION", "one value compared by two collations, %s and %s, is not there yet", sql__type_name(a, common), sql__type_name(a, pair ? pair : x));
    sql__hint(a, "Say COLLATE at the value itself, or write the comparisons one by one.");
    return false;
}

/* ---- functions ---- */

enum {
    ANY = 1,     /* looks at no text in a way that a collation changes */
    KEEPS = 2,   /* and what it makes of strings has their collation */
    CASE = 4,    /* goes by upper and lower case, which some languages have of their own */
    ONE = 8,     /* with one argument only: the second one would be compared */
    LOWER = 16,  /* of UTF8_LCASE only */
    SET = 32,    /* also with DISTINCT, of one argument */
};

static const struct {
    const char *names;
    int takes;
} taken[] = {
    {"collate collation typeof", ANY},
    {"length len char_length character_length octet_length bit_length ascii hash xxhash64", ANY},
    {"isnull isnotnull size cardinality array_size from_json levenshtein", ANY},
    {"count", ANY | SET},
    {"min max min_by max_by greatest least nullif equal_null", ANY},
    {"contains startswith endswith instr locate position", ANY | LOWER},
    {"concat concat_ws substring substr left right repeat reverse lpad rpad overlay elt", KEEPS},
    {"trim ltrim rtrim btrim", KEEPS | ONE},
    {"upper ucase lower lcase initcap", KEEPS | CASE},
    {"coalesce nvl ifnull nvl2 if iff", ANY},
    {"first first_value any_value last last_value lag lead nth_value collect_list array_agg", ANY},
    {"array struct named_struct element_at try_element_at get slice flatten shuffle array_compact array_repeat", ANY},
    {"transform filter exists forall zip_with", ANY},
    {"explode explode_outer posexplode posexplode_outer inline inline_outer", ANY},
    {"to_date to_timestamp unix_timestamp", ANY},
};

static int how_taken(const char *name)
{
    size_t size = strlen(name);

    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        for (const char *at = taken[i].names; *at; at += strspn(at, " ")) {
            size_t word = strcspn(at, " ");

            if (word == size && !strncmp(at, name, size))
                return taken[i].takes;
            at += word;
        }
    return 0;
}

/* What the strings among the arguments have in common; NULL: none is there, or nothing. False with an error recorded where the function needs one collation. */
static bool merge_strings(Analyzer *a, const Expr *call, bool needs_one, const Type **out)
{
    const Type *common = NULL;

    *out = NULL;
    for (int i = 0; i < call->arg_count; i++) {
        const Type *t = call->args[i]->type;

        if (!t || call->args[i]->kind == EXPR_LAMBDA)
            continue;
        if (t->kind == TYPE_ARRAY)
            t = t->element;
        if (t->kind != TYPE_STRING)
            continue;
        const Type *both = common ? sql__wider_string(common, t) : t;

        if (!both && needs_one) {
            sql__error(a, call->args[i]->pos, sql__no_common(common, t, NULL), "the arguments of %s need one collation, but %s and %s have two", call->function->name,
                       sql__type_name(a, common), sql__type_name(a, t));
            return false;
        }
        if (both)
            common = both;
    }
    *out = common;
    return true;
}

bool sql__check_collated(Analyzer *a, const Expr *call, const Type **strings)
{
    const char *name = call->function->name;
    int takes = how_taken(name);

    if (!merge_strings(a, call, takes & (KEEPS | LOWER), strings))
        return false;
    for (int i = 0; i < call->arg_count; i++) {
        const Type *t = call->args[i]->type;

        if (!t || call->args[i]->kind == EXPR_LAMBDA || !type_has_collation(t))
            continue;
        bool compares = !takes || call->args[0]->type->kind == TYPE_MAP || ((takes & ONE) && call->arg_count > 1);

        compares = compares || (call->distinct && (!(takes & SET) || call->arg_count > 1));
        compares = compares || ((takes & CASE) && !collation_has_common_case(t->collation));
        if (takes & LOWER) /* a place to begin from is not there yet; COLLATE UTF8_BINARY at one side and another collation at the other neither */
            compares = compares || call->arg_count != 2 || (*strings)->collation != collation_find(STR("UTF8_LCASE")) || t->collation != (*strings)->collation;
        if (compares)
            return !sql__refuse_collation(a, call->args[i]->pos, t, call->distinct ? sql__text(a, "%s with DISTINCT", name) : name);
    }
    for (int i = 0; i < call->order_count; i++) /* of WITHIN GROUP; mode() looks for equal ones there */
        if (strcmp(name, "listagg") != 0 && strcmp(name, "string_agg") != 0 && call->order_by[i].expr->type &&
            sql__refuse_collation(a, call->order_by[i].expr->pos, call->order_by[i].expr->type, name))
            return false;
    return true;
}

const Type *sql__collated_result(Analyzer *a, const Expr *call, const Type *strings, const Type *result)
{
    bool array = result->kind == TYPE_ARRAY;
    const Type *string = array ? result->element : result;

    if (string->kind != TYPE_STRING || string->collation != COLLATION_UTF8_BINARY || string->binding != COLLATION_DEFAULT || !call->arg_count)
        return result;
    /* what is not known to keep a collation counts as a column, so that it never gives way to one in silence */
    bool keeps = how_taken(call->function->name) & KEEPS;
    const Type *kept = keeps ? strings : call->constant && (!strings || strings->binding == COLLATION_DEFAULT) ? NULL : sql__bound(a->arena, string, COLLATION_IMPLICIT);

    if (!kept)
        return result;
    return array ? type_array(a->arena, kept, result->element_nullable) : kept;
}
