/*
 * sql/analyze_value.c - typed literals, intervals, and what generators make
 *
 * DATE, TIMESTAMP and INTERVAL literals become numbers here, so that nothing parses their text per row. A TIMESTAMP that needs
 * the rules of a named time zone stays a cast of its text.
 */
#include <stdio.h>
#include <string.h>

#include "duck/calendar.h"
#include "duck/parse.h"
#include "sql/analyze.h"

/* ---- dates and times ---- */

static int digits(const char **p, int most, int64_t *out)
{
    int n = 0;

    for (*out = 0; **p >= '0' && **p <= '9' && n < most; n++, (*p)++)
        *out = *out * 10 + (**p - '0');
    return n;
}

/* yyyy[-m[m][-d[d]]]; leaves *p behind it. */
static bool take_date(const char **p, int64_t *days)
{
    int64_t year, month = 1, day = 1;
    bool negative = **p == '-';

    if (negative || **p == '+')
        (*p)++;
    int n = digits(p, 7, &year);

    if (n < 4)
        return false;
    if (**p == '-') {
        (*p)++;
        n = digits(p, 2, &month);
        if (!n)
            return false;
        if (**p == '-') {
            (*p)++;
            if (!digits(p, 2, &day))
                return false;
        }
    }
    if (negative)
        year = -year;
    if (month < 1 || month > 12 || day < 1 || day > calendar_month_days(year, (int)month))
        return false;
    *days = calendar_days(year, (int)month, (int)day);
    return *days >= INT32_MIN && *days <= INT32_MAX;
}

/* h[h]:m[m][:s[s][.f]] */
static bool parse_clock(const char **p, int64_t *us)
{
    int64_t h, m = 0, s = 0, f = 0;

    if (!digits(p, 2, &h) || **p != ':')
        return false;
    (*p)++;
    if (!digits(p, 2, &m))
        return false;
    if (**p == ':') {
        (*p)++;
        if (!digits(p, 2, &s))
            return false;
        if (**p == '.') {
            (*p)++;
            int n = 0;

            for (; **p >= '0' && **p <= '9'; n++, (*p)++)
                if (n < 6)
                    f = f * 10 + (**p - '0');
            for (; n < 6; n++)
                f *= 10;
        }
    }
    if (h > 23 || m > 59 || s > 59)
        return false;
    *us = ((h * 60 + m) * 60 + s) * 1000000 + f;
    return true;
}

static bool parse_offset(const char *text, int64_t *us)
{
    const char *p = text;
    int64_t h, m = 0, s = 0;

    if (!strcasecmp(p, "Z") || !strcasecmp(p, "UTC") || !strcasecmp(p, "GMT")) {
        *us = 0;
        return true;
    }
    if (!strncasecmp(p, "UTC", 3) || !strncasecmp(p, "GMT", 3))
        p += 3;
    if (*p != '+' && *p != '-')
        return false;
    bool negative = *p++ == '-';

    if (!digits(&p, 2, &h))
        return false;
    if (*p == ':') {
        p++;
        if (!digits(&p, 2, &m))
            return false;
        if (*p == ':') {
            p++;
            if (!digits(&p, 2, &s))
                return false;
        }
    } else if (*p && digits(&p, 2, &m) != 2) {
        return false;
    }
    *us = ((h * 60 + m) * 60 + s) * (negative ? -1000000 : 1000000);
    return !*p && h <= 18;
}

static void as_cast(Analyzer *a, Expr **slot, const Type *type)
{
    Expr *text = sql__literal_text(a, (*slot)->pos, (*slot)->literal.ptr);

    text->literal = (*slot)->literal;
    *slot = text;
    sql__cast(a, slot, type);
}

void sql__typed_literal(Analyzer *a, Expr **slot)
{
    Expr *e = *slot;
    const char *text = arena_strndup(a->arena, str_trim(e->literal).ptr, str_trim(e->literal).size), *p = text;
    int64_t days = 0, us = 0, offset = 0;
    bool ok = true, dated = true;

    if (!e->op)
        return;
    if (e->type->kind == TYPE_TIME) {
        if (parse_time_of_day(e->literal, &e->literal_int))
            return;
        sql__error(a, e->pos, "INVALID_TYPED_LITERAL", "'%.*s' is no TIME", (int)(e->literal.size < 60 ? e->literal.size : 60), e->literal.ptr);
        e->type = NULL;
        return;
    }
    if (e->type->kind != TYPE_DATE && strchr(p, ':') && strchr(p, ':') - p <= 2)
        dated = false;
    if (dated)
        ok = take_date(&p, &days);
    if (ok && e->type->kind == TYPE_DATE) {
        ok = !*p || *p == ' ' || *p == 'T';
        e->literal_int = days;
    } else if (ok) {
        const Type *type = e->type;

        if (*p == 'T' || (dated && *p == ' '))
            p++;
        if (*p && strcasecmp(p, "Z"))
            ok = parse_clock(&p, &us);
        while (*p == ' ')
            p++;
        const char *zone = *p ? p : a->settings && a->settings->time_zone ? a->settings->time_zone : "UTC";

        if (ok && (!dated || (type->kind == TYPE_TIMESTAMP && !parse_offset(zone, &offset)))) {
            if (*p && (*p < 'A' || *p > 'z'))
                ok = false;
            else {
                as_cast(a, slot, type); /* today's date, or a named zone */
                return;
            }
        } else {
            e->literal_int = days * DAY_US + us - (type->kind == TYPE_TIMESTAMP ? offset : 0);
        }
    }
    if (!ok) {
        sql__error(a, e->pos, "INVALID_TYPED_LITERAL", "'%.*s' is no %s", (int)(e->literal.size < 60 ? e->literal.size : 60), e->literal.ptr, e->op);
        e->type = NULL;
    }
}

/* ---- casts of constant text ---- */

static bool fold_integer(Expr *lit, Str text, int64_t min, int64_t max)
{
    return parse_integer(text, min, max, &lit->literal_int);
}

static bool fold_timestamp(Analyzer *a, Expr *lit, Str text)
{
    ParsedTimestamp parsed;
    int64_t offset = 0;
    bool zoned = lit->type->kind == TYPE_TIMESTAMP;

    if (!parse_timestamp(text, &parsed) || parsed.just_time || (!zoned && parsed.zone.size))
        return false;
    Str zone = parsed.zone.size ? parsed.zone : str_of(a->settings && a->settings->time_zone ? a->settings->time_zone : "UTC");

    if (zoned && !parse_offset(arena_strndup(a->arena, zone.ptr, zone.size), &offset))
        return false; /* the rules of a named zone are asked at run time */
    return !__builtin_sub_overflow(parsed.local_us, offset, &lit->literal_int);
}

/*
 * The value of a cast of literal text, kept in extra for the printer, so that nothing is parsed per row and filters reach the files.
 * What cannot be cast stays a cast, and fails when a row is asked for it.
 */
void sql__fold_cast(Analyzer *a, Expr *cast)
{
    const Expr *arg = cast->args[0];

    if (arg->kind != EXPR_LITERAL || arg->type->kind != TYPE_STRING)
        return;
    Expr lit = {.kind = EXPR_LITERAL, .pos = cast->pos, .type = cast->type, .constant = true, .deterministic = true};
    int32_t days = 0;
    bool ok = false;

    switch (cast->type->kind) {
    case TYPE_BYTE:
        ok = fold_integer(&lit, arg->literal, INT8_MIN, INT8_MAX);
        break;
    case TYPE_SHORT:
        ok = fold_integer(&lit, arg->literal, INT16_MIN, INT16_MAX);
        break;
    case TYPE_INT:
        ok = fold_integer(&lit, arg->literal, INT32_MIN, INT32_MAX);
        break;
    case TYPE_LONG:
        ok = fold_integer(&lit, arg->literal, INT64_MIN, INT64_MAX);
        break;
    case TYPE_DOUBLE:
        ok = parse_double(arg->literal, &lit.literal_double);
        break;
    case TYPE_DATE:
        ok = parse_date(arg->literal, &days);
        lit.literal_int = days;
        break;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        ok = fold_timestamp(a, &lit, arg->literal);
        break;
    default:
        break;
    }
    if (ok) {
        Expr *kept = ARENA_NEW(a->arena, Expr);

        *kept = lit;
        cast->extra = kept;
    }
}

/* ---- intervals ---- */

static const struct {
    const char *unit;
    bool months;
    int rank;       /* of the type: 0 YEAR, 1 MONTH; 0 DAY .. 3 SECOND */
    int64_t factor; /* in months or microseconds */
} units[] = {
    {"YEAR", true, 0, 12}, {"MONTH", true, 1, 1}, {"WEEK", false, 0, 7 * DAY_US}, {"DAY", false, 0, DAY_US}, {"HOUR", false, 1, 3600000000},
    {"MINUTE", false, 2, 60000000}, {"SECOND", false, 3, 1000000}, {"MILLISECOND", false, 3, 1000}, {"MICROSECOND", false, 3, 1},
};

static int unit_index(const char *unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (unit && !strcmp(units[i].unit, unit))
            return (int)i;
    return -1;
}

/* [-]digits[.fraction] times factor; the fraction only where it is whole microseconds. */
static bool scaled(const char *p, int64_t factor, bool fraction, int64_t *out)
{
    bool negative = false;
    __int128 value = 0;

    while (*p == ' ')
        p++;
    if (*p == '-' || *p == '+')
        negative = *p++ == '-';
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value > INT64_MAX)
            return false;
    }
    value *= factor;
    if (*p == '.' && fraction) {
        for (p++; *p >= '0' && *p <= '9'; p++) {
            factor /= 10;
            value += (*p - '0') * (__int128)factor;
        }
    }
    while (*p == ' ')
        p++;
    if (*p || value > INT64_MAX)
        return false;
    *out = (int64_t)(negative ? -value : value);
    return true;
}

/* '1-2' YEAR TO MONTH, '1 02:03:04.5' DAY TO SECOND and the ranges between. */
static bool ranged(const char *text, int from, int to, int64_t *out)
{
    bool negative = false;
    int64_t total = 0, part;
    int parts = 0;

    while (*text == ' ')
        text++;
    if (*text == '-' || *text == '+')
        negative = *text++ == '-';
    if (units[from].months) {
        if (!digits(&text, 9, &part) || *text++ != '-')
            return false;
        total = part * 12;
        if (!digits(&text, 2, &part) || part > 11 || *text)
            return false;
        total += part;
    } else {
        for (int u = from; u <= to; u++, parts++) {
            if (parts && *text++ != (units[u - 1].rank == 0 ? ' ' : ':'))
                return false;
            while (*text == ' ')
                text++;
            if (!digits(&text, u == from ? 10 : 2, &part))
                return false;
            total += part * units[u].factor;
            if (units[u].rank == 3 && *text == '.') {
                int64_t factor = 100000;

                for (text++; *text >= '0' && *text <= '9'; text++, factor /= 10)
                    total += (*text - '0') * factor;
            }
        }
        if (*text)
            return false;
    }
    *out = negative ? -total : total;
    return true;
}

void sql__interval(Analyzer *a, Scope *scope, Expr **slot)
{
    Expr *e = *slot;
    int64_t total = 0;
    int from = 9, to = -1;
    bool months = false, ok = e->arg_count > 0;

    if (e->arg_count == 1 && e->units[1]) {
        int f = unit_index(e->units[0]), t = unit_index(e->units[1]);

        ok = f >= 0 && t >= 0 && units[f].months == units[t].months && ranged(e->args[0]->literal.ptr, f, t, &total);
        months = ok && units[f].months;
        from = ok ? units[f].rank : 0;
        to = ok ? units[t].rank : 0;
    } else {
        for (int i = 0; ok && i < e->arg_count; i++) {
            const Expr *v = e->args[i];
            int u = unit_index(e->units[i]);
            int64_t value = 0;

            ok = u >= 0 && v->kind == EXPR_LITERAL &&
                 scaled(v->type && (v->type->kind == TYPE_STRING || v->type->kind == TYPE_DECIMAL) ? v->literal.ptr : v->text, units[u].factor,
                        units[u].rank == 3 && !units[u].months && units[u].factor >= 1000000, &value) &&
                 !__builtin_add_overflow(total, value, &total);
            if (!ok)
                break;
            months = units[u].months;
            from = units[u].rank < from ? units[u].rank : from;
            to = units[u].rank > to ? units[u].rank : to;
        }
    }
    if (!ok) {
        sql__error(a, e->pos, "INVALID_INTERVAL_FORMAT", "this is no interval that fits its units");
        sql__hint(a, "Write it as INTERVAL 5 DAYS, INTERVAL '1-2' YEAR TO MONTH or INTERVAL '1 02:03:04' DAY TO SECOND.");
        return;
    }
    Expr *lit = ARENA_NEW(a->arena, Expr);

    *lit = (Expr){.kind = EXPR_LITERAL, .pos = e->pos, .literal_int = total, .constant = true, .deterministic = true};
    lit->type = months ? type_interval_ym(from, to) : type_interval_dt(from, to);
    *slot = lit;
}

/* ---- generators ---- */

static int generated(Analyzer *a, int count, const char ***names, const Type ***types, bool **nullable)
{
    *names = ARENA_ARRAY(a->arena, const char *, count + 1);
    *types = ARENA_ARRAY(a->arena, const Type *, count + 1);
    *nullable = ARENA_ARRAY(a->arena, bool, count + 1);
    return count;
}

static int wrong_argument(Analyzer *a, const Expr *call, const char *what)
{
    sql__error(a, call->arg_count ? call->args[0]->pos : call->pos, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs %s, not %s", call->function->name,
               what, call->arg_count ? sql__type_name(a, call->args[0]->type) : "nothing");
    return -1;
}

/* Columns that a generator makes: how many, or -1 with an error recorded. */
int sql__generator_columns(Analyzer *a, const Expr *call, const char ***names, const Type ***types, bool **nullable, bool outer)
{
    const char *name = call->function->name;
    const Type *t = call->arg_count ? call->args[0]->type : NULL;
    int at = 0;

    if (!strcmp(name, "stack")) {
        int64_t rows = 0;

        if (call->arg_count < 2 || !sql_constant_int(a, call->args[0], &rows) || rows < 1) {
            sql__error(a, call->pos, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "stack needs a constant number of rows, then values");
            return -1;
        }
        call->args[0] = sql__literal_int(a, call->args[0]->pos, rows); /* also where it was computed */
        int width = (int)((call->arg_count - 1 + rows - 1) / rows);

        generated(a, width, names, types, nullable);
        for (int k = 0; k < width; k++) {
            (*names)[k] = sql__text(a, "col%d", k);
            (*types)[k] = type_simple(TYPE_VOID);
            (*nullable)[k] = true;
            for (int i = 1 + k; i < call->arg_count; i += width) {
                (*types)[k] = sql__wider(a, (*types)[k], call->args[i]->type);
                if (!(*types)[k]) {
                    sql__error(a, call->args[i]->pos, "DATATYPE_MISMATCH.STACK_COLUMN_DIFF_TYPES", "column %d of stack has values of different types", k);
                    return -1;
                }
            }
            for (int i = 1 + k; i < call->arg_count; i += width)
                sql__cast(a, &call->args[i], (*types)[k]);
        }
        return width;
    }
    if (!strcmp(name, "json_tuple")) {
        if (call->arg_count < 2) {
            sql__error(a, call->pos, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "json_tuple needs a text and at least one name");
            return -1;
        }
        generated(a, call->arg_count - 1, names, types, nullable);
        for (int i = 0; i < call->arg_count; i++) {
            if (i && !sql_constant_text(a, call->args[i])) {
                sql__error(a, call->args[i]->pos, "DATATYPE_MISMATCH.NON_STRING_TYPE", "the names in json_tuple must be constant strings");
                return -1;
            }
            if (!sql__may_cast(call->args[i]->type, type_simple(TYPE_STRING)))
                return wrong_argument(a, call, "a STRING");
            sql__cast(a, &call->args[i], type_simple(TYPE_STRING));
        }
        for (; at < call->arg_count - 1; at++) {
            (*names)[at] = sql__text(a, "c%d", at);
            (*types)[at] = type_simple(TYPE_STRING);
            (*nullable)[at] = true;
        }
        return at;
    }
    if (call->arg_count != 1) {
        sql__error(a, call->pos, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s takes 1 argument, not %d", name, call->arg_count);
        return -1;
    }
    if (!strncmp(name, "variant_explode", 15)) {
        static const char *const columns[] = {"pos", "key", "value"};
        static const TypeKind kinds[] = {TYPE_INT, TYPE_STRING, TYPE_VARIANT};

        if (t->kind != TYPE_VARIANT)
            return wrong_argument(a, call, "a VARIANT");
        generated(a, 3, names, types, nullable);
        for (; at < 3; at++) {
            (*names)[at] = columns[at];
            (*types)[at] = type_simple(kinds[at]);
            (*nullable)[at] = outer || at == 1; /* items of an array have no key */
        }
        return at;
    }
    if (!strncmp(name, "inline", 6)) {
        if (t->kind != TYPE_ARRAY || t->element->kind != TYPE_STRUCT)
            return wrong_argument(a, call, "an ARRAY of STRUCT");
        const Type *row = t->element;

        generated(a, row->field_count, names, types, nullable);
        for (; at < row->field_count; at++) {
            (*names)[at] = row->fields[at].name;
            (*types)[at] = row->fields[at].type;
            (*nullable)[at] = outer || t->element_nullable || row->fields[at].nullable;
        }
        return at;
    }
    if (t->kind != TYPE_ARRAY && t->kind != TYPE_MAP)
        return wrong_argument(a, call, "an ARRAY or a MAP");
    generated(a, 3, names, types, nullable);
    if (!strncmp(name, "pos", 3)) {
        (*names)[at] = "pos";
        (*types)[at] = type_simple(TYPE_INT);
        (*nullable)[at++] = outer;
    }
    if (t->kind == TYPE_ARRAY) {
        (*names)[at] = "col";
        (*types)[at] = t->element;
        (*nullable)[at++] = outer || t->element_nullable;
    } else {
        (*names)[at] = "key";
        (*types)[at] = t->key;
        (*nullable)[at++] = outer;
        (*names)[at] = "value";
        (*types)[at] = t->element;
        (*nullable)[at++] = outer || t->element_nullable;
    }
    return at;
}
