/*
 * sql/functions_time.c - dates, timestamps, intervals
 *
 * Fields of a TIMESTAMP are taken in the session's time zone, which the database's own functions do for TIMESTAMP WITH TIME ZONE.
 */
#include <stdio.h>
#include <string.h>

#include "duck/parse.h"
#include "sql/analyze.h"

/* ---- truncation ---- */

static const struct {
    const char *word, *unit;
    bool date; /* also for trunc(date, ..) */
} trunc_units[] = {
    {"year", "year", true}, {"yyyy", "year", true}, {"yy", "year", true}, {"quarter", "quarter", true}, {"month", "month", true},
    {"mon", "month", true}, {"mm", "month", true}, {"week", "week", true}, {"day", "day", false}, {"dd", "day", false},
    {"hour", "hour", false}, {"minute", "minute", false}, {"second", "second", false}, {"millisecond", "milliseconds", false},
    {"microsecond", "microseconds", false},
};

static const Type *truncate(SqlCall *call, int format, int value, bool date)
{
    Expr *e = call->expr;
    const char *word = sql_constant_text(call->analyzer, e->args[format]);
    const Type *type = type_simple(date ? TYPE_DATE : TYPE_TIMESTAMP);

    if (!sql_call_cast(call, value, type))
        return NULL;
    e->nullable = true;
    e->text = NULL; /* an unknown unit gives NULL, as in Spark */
    if (!word && !(e->args[format]->kind == EXPR_LITERAL))
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.NON_CONSTANT_FORMAT", "the unit of %s must be a constant for now", e->function->name);
    for (size_t i = 0; word && i < sizeof trunc_units / sizeof *trunc_units; i++)
        if (!strcasecmp(word, trunc_units[i].word) && (!date || trunc_units[i].date))
            e->text = trunc_units[i].unit;
    return type;
}

static const Type *date_trunc_type(SqlCall *call)
{
    return truncate(call, 0, 1, false);
}

static const Type *trunc_type(SqlCall *call)
{
    return truncate(call, 1, 0, true);
}

/*
 * Units up to the hour are cut on the instant, with the zone's offset at that instant: of the hour that comes twice when clocks go
 * back each is its own, where the database's function merges them (case ts-04).
 */
static const struct {
    const char *unit;
    int64_t us;
} instant_units[] = {{"hour", 3600000000}, {"minute", 60000000}, {"second", 1000000}, {"milliseconds", 1000}, {"microseconds", 1}};

static bool instant_trunc_print(StrBuf *out, const Expr *call)
{
    for (size_t i = 0; i < sizeof instant_units / sizeof *instant_units; i++) {
        long long us = (long long)instant_units[i].us;
        if (strcmp(call->text, instant_units[i].unit))
            continue;
        sql_duck_template(out, "($2 - to_microseconds(mod(mod(epoch_us($2) + silt_local_shift($2), ", call);
        str_buf_printf(out, "%lld) + %lld, %lld)))", us, us, us);
        return true;
    }
    return false;
}

static void trunc_print(StrBuf *out, const Expr *call)
{
    bool date = call->type->kind == TYPE_DATE;

    if (!call->text) {
        sql_duck_template(out, "CAST(NULL AS $type)", call);
        return;
    }
    if (!date && instant_trunc_print(out, call))
        return;
    str_buf_printf(out, date ? "CAST(date_trunc('%s', " : "date_trunc('%s', ", call->text);
    sql_duck_template(out, date ? "$1) AS DATE)" : "$2)", call);
}

/* ---- fields ---- */

static const Type *interval_field_type(SqlCall *call)
{
    const char *name = call->expr->function->name;
    const Type *t = call->expr->args[0]->type;
    static const char *const fields[] = {"silt_day", "silt_hour", "silt_minute", "silt_second_fraction"};
    int unit = -1;

    for (int i = 0; i < 4; i++)
        if (!strcmp(name, fields[i]))
            unit = i;
    if (t->kind == TYPE_INTERVAL_YM && (!strcmp(name, "silt_year") || !strcmp(name, "silt_month")))
        return type_simple(!strcmp(name, "silt_year") ? TYPE_INT : TYPE_BYTE);
    if (t->kind == TYPE_INTERVAL_DT && unit >= t->from_unit && unit <= t->to_unit)
        return unit == 3 ? type_decimal(8, 6) : type_simple(unit ? TYPE_BYTE : TYPE_INT);
    return sql_call_fail(call, "INVALID_EXTRACT_FIELD", "%s has no such field", sql__type_name(call->analyzer, t));
}

static void interval_field_print(StrBuf *out, const Expr *call)
{
    const char *name = call->function->name;

    if (!strcmp(name, "silt_year"))
        sql_duck_template(out, "CAST($1 // 12 AS INTEGER)", call);
    else if (!strcmp(name, "silt_month"))
        sql_duck_template(out, "CAST($1 % 12 AS TINYINT)", call);
    else if (!strcmp(name, "silt_day"))
        sql_duck_template(out, "CAST($1 // 86400000000 AS INTEGER)", call);
    else if (!strcmp(name, "silt_hour"))
        sql_duck_template(out, "CAST(($1 // 3600000000) % 24 AS TINYINT)", call);
    else if (!strcmp(name, "silt_minute"))
        sql_duck_template(out, "CAST(($1 // 60000000) % 60 AS TINYINT)", call);
    else
        sql_duck_template(out, "CAST(CAST($1 % 60000000 AS DECIMAL(14,0)) * CAST('0.000001' AS DECIMAL(6,6)) AS DECIMAL(8,6))", call);
}

static const Type *second_fraction_type(SqlCall *call)
{
    return type_decimal(8, 6);
}

/* date_part('month', x) is EXTRACT */
static const Type *date_part_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *field = sql_constant_text(call->analyzer, e->args[0]);

    if (e->args[0]->type->kind == TYPE_VOID || (e->args[0]->kind == EXPR_CAST && e->args[0]->args[0]->type->kind == TYPE_VOID)) {
        e->nullable = true;
        return type_simple(TYPE_DOUBLE);
    }
    if (!field)
        return sql_call_fail(call, "NON_FOLDABLE_ARGUMENT", "the field of %s must be a constant string", e->function->name);
    Expr *extract = ARENA_NEW(sql_call_arena(call), Expr);
    char *op = arena_strdup(sql_call_arena(call), field);

    for (char *c = op; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    *extract = (Expr){.kind = EXPR_EXTRACT, .pos = e->pos, .op = op, .args = e->args + 1, .arg_count = 1};
    sql__expr(call->analyzer, call->scope, &extract);
    e->extra = extract;
    return extract->type;
}

static void extra_print(StrBuf *out, const Expr *call)
{
    if (call->extra)
        sql_duck_expr(out, call->extra);
    else /* the field is NULL */
        sql_duck_template(out, "CAST(NULL AS $type)", call);
}

/* ---- adding and counting units: the parser puts the unit into op ---- */

static const Type *add_unit_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!e->op) /* date_add(date, days) */
        return e->args[0]->type->kind == TYPE_INT || !strcmp(e->function->name, "date_add") || !strcmp(e->function->name, "dateadd")
                   ? NULL
                   : sql_call_fail(call, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s needs a unit such as DAY first", e->function->name);
    if (!sql_call_cast(call, 0, type_simple(TYPE_INT)))
        return NULL;
    if (e->args[1]->type->kind != TYPE_TIMESTAMP_NTZ && !sql_call_cast(call, 1, type_simple(TYPE_TIMESTAMP)))
        return NULL;
    return e->args[1]->type;
}

static const struct {
    const char *unit, *function;
    int64_t factor, us; /* us: fixed length; 0: counted in months */
} span_units[] = {
    {"YEAR", "to_months", 12, 0}, {"QUARTER", "to_months", 3, 0}, {"MONTH", "to_months", 1, 0}, {"WEEK", "to_days", 7, 604800000000},
    {"DAY", "to_days", 1, 86400000000}, {"DAYOFYEAR", "to_days", 1, 86400000000}, {"HOUR", "to_microseconds", 3600000000, 3600000000},
    {"MINUTE", "to_microseconds", 60000000, 60000000}, {"SECOND", "to_microseconds", 1000000, 1000000},
    {"MILLISECOND", "to_microseconds", 1000, 1000}, {"MICROSECOND", "to_microseconds", 1, 1},
};

static void add_unit_print(StrBuf *out, const Expr *call)
{
    for (size_t i = 0; i < sizeof span_units / sizeof *span_units; i++)
        if (!strcmp(span_units[i].unit, call->op)) {
            bool micros = !strcmp(span_units[i].function, "to_microseconds");

            if (call->type->kind == TYPE_TIMESTAMP && !strcmp(span_units[i].function, "to_months")) {
                sql_duck_template(out, "silt_add_months($2, ", call);
                str_buf_printf(out, "CAST(%lld AS INTEGER) * ", (long long)span_units[i].factor);
                sql_duck_template(out, "$1, $pos)", call);
                return;
            }
            sql_duck_template(out, "($2 + ", call);
            str_buf_printf(out, "%s(CAST(%lld AS %s) * ", span_units[i].function, (long long)span_units[i].factor, micros ? "BIGINT" : "INTEGER");
            sql_duck_template(out, "$1))", call);
            return;
        }
}

static const Type *diff_unit_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!e->op)
        return sql_call_fail(call, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s needs a unit such as DAY first", e->function->name);
    for (int i = 0; i < 2; i++)
        if (!sql_call_cast(call, i, type_simple(TYPE_TIMESTAMP)))
            return NULL;
    return type_simple(TYPE_LONG);
}

static void diff_unit_print(StrBuf *out, const Expr *call)
{
    for (size_t i = 0; i < sizeof span_units / sizeof *span_units; i++)
        if (!strcmp(span_units[i].unit, call->op)) {
            /* whole units between the two local times */
            if (span_units[i].us) {
                str_buf_puts(out, "((epoch_us(CAST(");
                sql_duck_template(out, "$2 AS TIMESTAMP)) - epoch_us(CAST($1 AS TIMESTAMP))) // ", call);
                str_buf_printf(out, "CAST(%lld AS BIGINT))", (long long)span_units[i].us);
            } else {
                sql_duck_template(out, "(silt_months_whole(CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP)) // ", call);
                str_buf_printf(out, "CAST(%lld AS BIGINT))", (long long)span_units[i].factor);
            }
            return;
        }
}

/* date_add and datediff in both forms */
static const Type *date_add_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (e->op)
        return add_unit_type(call);
    if (!sql_call_cast(call, 0, type_simple(TYPE_DATE)))
        return NULL;
    const Type *n = e->args[1]->type;

    if (n->kind == TYPE_STRING || n->kind == TYPE_VOID)
        sql_call_cast(call, 1, type_simple(TYPE_INT));
    else if (n->kind != TYPE_INT && n->kind != TYPE_SHORT && n->kind != TYPE_BYTE)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s adds an INT of days, not %s", e->function->name,
                             sql__type_name(call->analyzer, n));
    return type_simple(TYPE_DATE);
}

static void date_add_print(StrBuf *out, const Expr *call)
{
    if (call->op)
        add_unit_print(out, call);
    else
        sql_duck_template(out, !strcmp(call->function->name, "date_sub") ? "($1 - $2)" : "($1 + $2)", call);
}

static const Type *datediff_type(SqlCall *call)
{
    if (call->expr->op)
        return diff_unit_type(call);
    return sql_call_cast(call, 0, type_simple(TYPE_DATE)) && sql_call_cast(call, 1, type_simple(TYPE_DATE)) ? type_simple(TYPE_INT) : NULL;
}

static void datediff_print(StrBuf *out, const Expr *call)
{
    if (call->op)
        diff_unit_print(out, call);
    else
        sql_duck_template(out, "CAST($1 - $2 AS INTEGER)", call);
}

/* ---- text and numbers ---- */

/* to_date(x [, format]), to_timestamp(...): without a format a cast */
static const Type *to_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *name = e->function->name;
    bool try_it = !strncmp(name, "try_", 4);
    const Type *type = type_simple(strstr(name, "date") ? TYPE_DATE : strstr(name, "ntz") ? TYPE_TIMESTAMP_NTZ : TYPE_TIMESTAMP);

    if (e->arg_count == 1 || e->args[0]->type->kind != TYPE_STRING) {
        Expr *cast = ARENA_NEW(sql_call_arena(call), Expr);

        if (!sql__cast_allowed(e->args[0]->type, type, try_it) || (type->kind == TYPE_DATE && type_is_numeric(e->args[0]->type)))
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s does not take %s", name,
                                 sql__type_name(call->analyzer, e->args[0]->type));
        *cast = (Expr){.kind = EXPR_CAST, .pos = e->pos, .op = try_it ? "TRY_CAST" : "CAST", .args = e->args, .arg_count = 1, .cast_type = type, .type = type};
        e->extra = cast;
        e->nullable = e->args[0]->nullable || try_it;
        return type;
    }
    if (!sql_call_cast(call, 1, type_simple(TYPE_STRING)))
        return NULL;
    e->nullable = e->nullable || try_it;
    return type;
}

static void to_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    if (call->extra) {
        sql_duck_expr(out, call->extra);
        return;
    }
    str_buf_printf(out, "silt_%sparse_%s(", try_it ? "try_" : "",
                   call->type->kind == TYPE_DATE ? "date_as" : call->type->kind == TYPE_TIMESTAMP_NTZ ? "timestamp_ntz_as" : "timestamp_as");
    sql_duck_template(out, try_it ? "$1, $2)" : "$1, $2, $pos)", call);
}

/* unix_timestamp([x [, format]]) */
static const Type *unix_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!e->arg_count || e->args[0]->type->kind == TYPE_TIMESTAMP_NTZ) /* a time without a zone counts as UTC here */
        return type_simple(TYPE_LONG);
    if (e->args[0]->type->kind != TYPE_STRING && !sql_call_cast(call, 0, type_simple(TYPE_TIMESTAMP)))
        return NULL;
    return type_simple(TYPE_LONG);
}

/* Only of the very type: nothing is cast to it. */
static const Type *unix_count_type(SqlCall *call)
{
    const Expr *arg = call->expr->args[0];

    if (arg->kind == EXPR_CAST && arg->implicit && arg->args[0]->type->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s needs a %s, not %s", call->expr->function->name,
                             arg->type->kind == TYPE_DATE ? "DATE" : "TIMESTAMP", sql__type_name(call->analyzer, arg->args[0]->type));
    return type_simple(arg->type->kind == TYPE_DATE ? TYPE_INT : TYPE_LONG);
}

static void unix_print(StrBuf *out, const Expr *call)
{
    if (!call->arg_count)
        sql_duck_template(out, "silt_floor_div(epoch_us(silt_now()), CAST(1000000 AS BIGINT))", call);
    else if (call->args[0]->type->kind != TYPE_STRING)
        sql_duck_template(out, "(epoch_us($1) // CAST(1000000 AS BIGINT))", call); /* towards zero, as Spark does it here */
    else if (call->arg_count == 1)
        sql_duck_template(out, "silt_floor_div(epoch_us(silt_parse_timestamp_as($1, 'yyyy-MM-dd HH:mm:ss', $pos)), CAST(1000000 AS BIGINT))", call);
    else
        sql_duck_template(out, "silt_floor_div(epoch_us(silt_parse_timestamp_as($1, $2, $pos)), CAST(1000000 AS BIGINT))", call);
}

static const Type *from_unix_type(SqlCall *call)
{
    Expr *e = call->expr;

    if (!sql_call_cast(call, 0, type_simple(TYPE_LONG)) || (e->arg_count > 1 && !sql_call_cast(call, 1, type_simple(TYPE_STRING))))
        return NULL;
    return type_simple(TYPE_STRING);
}

static void from_unix_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count > 1 ? "silt_date_format(silt_wrapped_seconds($1), $2, $pos)"
                                               : "silt_date_format(silt_wrapped_seconds($1), 'yyyy-MM-dd HH:mm:ss', $pos)", call);
}

static const Type *seconds_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (t->kind == TYPE_DECIMAL)
        sql_call_cast(call, 0, type_decimal(26, 6));
    else if (!type_is_integral(t))
        sql_call_cast(call, 0, type_simple(TYPE_DOUBLE));
    return type_simple(TYPE_TIMESTAMP);
}

static void seconds_print(StrBuf *out, const Expr *call)
{
    const Type *t = call->args[0]->type;

    sql_duck_template(out, type_is_integral(t) ? "make_timestamptz(\"silt_multiply:bigint\"(CAST($1 AS BIGINT), CAST(1000000 AS BIGINT), $pos))"
                           : t->kind == TYPE_DECIMAL ? "make_timestamptz(\"silt_cast:bigint\"($1 * CAST(1000000 AS DECIMAL(7,0)), $pos))"
                                                     : "silt_double_seconds($1)", call);
}

static const Type *make_timestamp_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *name = e->function->name;

    for (int i = 0; i < 5; i++)
        if (!sql_call_cast(call, i, type_simple(TYPE_INT)))
            return NULL;
    if (!sql_call_cast(call, 5, type_decimal(16, 6)))
        return NULL;
    if (e->arg_count > 6 && !sql_call_cast(call, 6, type_simple(TYPE_STRING)))
        return NULL;
    e->nullable = e->nullable || !strncmp(name, "try_", 4);
    return type_simple(strstr(name, "ntz") ? TYPE_TIMESTAMP_NTZ : TYPE_TIMESTAMP);
}

static void make_timestamp_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    str_buf_printf(out, "silt_%smake_timestamp%s(", try_it ? "try_" : "", call->type->kind == TYPE_TIMESTAMP_NTZ ? "_ntz" : call->arg_count > 6 ? "_in" : "");
    sql_duck_template(out, try_it ? "$*)" : "$*, $pos)", call);
}

static const Type *make_interval_type(SqlCall *call)
{
    Expr *e = call->expr;

    for (int i = 0; i < e->arg_count; i++)
        if (!sql_call_cast(call, i, i < 6 ? type_simple(TYPE_INT) : type_decimal(18, 6)))
            return NULL;
    e->nullable = e->nullable || !strncmp(e->function->name, "try_", 4);
    return type_simple(TYPE_INTERVAL);
}

static void make_interval_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    str_buf_puts(out, try_it ? "silt_try_make_interval(" : "silt_make_interval(");
    for (int i = 0; i < 7; i++) {
        str_buf_puts(out, i ? ", " : "");
        if (i < call->arg_count)
            sql_duck_expr(out, call->args[i]);
        else
            str_buf_puts(out, i < 6 ? "0" : "CAST(0 AS DECIMAL(18,6))");
    }
    sql_duck_template(out, try_it ? ")" : ", $pos)", call);
}

static const Type *make_ym_type(SqlCall *call)
{
    for (int i = 0; i < call->expr->arg_count; i++)
        if (!sql_call_cast(call, i, type_simple(TYPE_INT)))
            return NULL;
    return type_interval_ym(0, 1);
}

static void make_ym_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count == 0 ? "0" : call->arg_count == 1 ? "($1 * 12)" : "($1 * 12 + $2)", call);
}

static const Type *make_dt_type(SqlCall *call)
{
    for (int i = 0; i < call->expr->arg_count; i++)
        if (!sql_call_cast(call, i, i < 3 ? type_simple(TYPE_INT) : type_decimal(18, 6)))
            return NULL;
    return type_interval_dt(0, 3);
}

static void make_dt_print(StrBuf *out, const Expr *call)
{
    static const long long factors[] = {86400000000, 3600000000, 60000000, 1000000};

    str_buf_puts(out, "(CAST(0 AS BIGINT)");
    for (int i = 0; i < call->arg_count; i++) {
        str_buf_puts(out, " + CAST(");
        sql_duck_expr(out, call->args[i]);
        str_buf_printf(out, " * CAST(%lld AS BIGINT) AS BIGINT)", factors[i]);
    }
    str_buf_putc(out, ')');
}

/* ---- zones ---- */

static const Type *convert_zone_type(SqlCall *call)
{
    Expr *e = call->expr;

    for (int i = 0; i + 1 < e->arg_count; i++)
        if (!sql_call_cast(call, i, type_simple(TYPE_STRING)))
            return NULL;
    return sql_call_cast(call, e->arg_count - 1, type_simple(TYPE_TIMESTAMP_NTZ)) ? type_simple(TYPE_TIMESTAMP_NTZ) : NULL;
}

static void convert_zone_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count == 3 ? "silt_convert_timezone($1, $2, $3, $pos)" : "silt_convert_timezone('UTC', $1, timezone('UTC', \"silt_cast:timestamp\"($2, $pos)), $pos)", call);
}

/* ---- windows of event time ---- */

/* A length of a window in microseconds, a literal as Spark wants it (TimeWindow.parseExpression): text like '10 minutes', or a number of microseconds. */
static bool length_of_time(SqlCall *call, int arg, int64_t *us)
{
    const Expr *e = call->expr->args[arg];
    ChunkInterval length;

    if (e->kind == EXPR_LITERAL && (e->type->kind == TYPE_INT || e->type->kind == TYPE_LONG)) {
        *us = e->literal_int;
        return true;
    }
    if (e->kind != EXPR_LITERAL || e->type->kind != TYPE_STRING) {
        sql_call_fail(call, "_LEGACY_ERROR_TEMP_1207", "%s takes its lengths of time as text, like '10 minutes', or as a whole number of microseconds, written out",
                      call->expr->function->name);
        return false;
    }
    if (!parse_calendar_interval(e->literal, &length)) {
        sql_call_fail(call, "CANNOT_PARSE_INTERVAL", "\"%.*s\" is no length of time; write it like '10 minutes'",
                      (int)(e->literal.size < 60 ? e->literal.size : 60), e->literal.ptr);
        return false;
    }
    if (length.months) {
        sql_call_fail(call, "_LEGACY_ERROR_TEMP_3231", "a window has no length in months or years, which are not all equally long; count it in days");
        return false;
    }
    if (__builtin_mul_overflow((int64_t)length.days, INT64_C(86400000000), us) || __builtin_add_overflow(*us, length.us, us)) {
        sql_call_fail(call, "ARITHMETIC_OVERFLOW", "a window is not longer than a BIGINT of microseconds");
        return false;
    }
    return true;
}

static const Type *window_struct(SqlCall *call, const Type *time)
{
    TypeField fields[2] = {{.name = "start", .type = time, .nullable = true}, {.name = "end", .type = time, .nullable = true}};

    return type_struct(sql_call_arena(call), fields, 2);
}

enum { WINDOWS_MAX = 1000 };

/* A window is a struct with a start and an end in time. */
static const Type *window_time_of(const Type *t)
{
    bool is = t->kind == TYPE_STRUCT && t->field_count == 2 && !strcasecmp(t->fields[0].name, "start") && !strcasecmp(t->fields[1].name, "end") &&
              type_equal(t->fields[0].type, t->fields[1].type, false);

    return is && (t->fields[0].type->kind == TYPE_TIMESTAMP || t->fields[0].type->kind == TYPE_TIMESTAMP_NTZ) ? t->fields[0].type : NULL;
}

static const Type *window_time_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type, *time = window_time_of(t);

    return time ? time : sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "window_time takes a window, not %s", sql__type_name(call->analyzer, t));
}

/* The time that a window goes by: a TIMESTAMP_NTZ, what casts to TIMESTAMP, or another window, which counts as its last instant. */
static bool event_time(SqlCall *call)
{
    Expr **slot = &call->expr->args[0];

    if (window_time_of((*slot)->type)) {
        Expr *time = sql__call_new(call->analyzer, (*slot)->pos, "window_time", 1);

        time->args[0] = *slot;
        sql__call(call->analyzer, call->scope, &time);
        *slot = time;
    }
    return (*slot)->type->kind == TYPE_TIMESTAMP_NTZ || sql_call_cast(call, 0, type_simple(TYPE_TIMESTAMP));
}

/* session_window(time, gap): args become the start and the end of the session of one row alone. */
static const Type *session_type(SqlCall *call)
{
    Analyzer *a = call->analyzer;
    Expr *e = call->expr, *gap = e->args[1];
    ChunkInterval parsed;

    if (!event_time(call))
        return NULL;
    if (gap->kind == EXPR_LITERAL && gap->type->kind == TYPE_STRING && !parse_calendar_interval(gap->literal, &parsed))
        return sql_call_fail(call, "INVALID_INTERVAL_FORMAT", "\"%.*s\" is no length of time; write it like '10 minutes'",
                             (int)(gap->literal.size < 60 ? gap->literal.size : 60), gap->literal.ptr);
    if (gap->type->kind == TYPE_STRING) { /* no text, no gap: such a row is in no session */
        Expr *cast = ARENA_NEW(a->arena, Expr);

        *cast = (Expr){.kind = EXPR_CAST, .pos = gap->pos, .op = "TRY_CAST", .args = &e->args[1], .arg_count = 1, .cast_type = type_simple(TYPE_INTERVAL)};
        cast->args = ARENA_ARRAY(a->arena, Expr *, 1);
        cast->args[0] = gap;
        cast->type = cast->cast_type;
        cast->nullable = true;
        cast->deterministic = gap->deterministic;
        gap = cast;
    } else if (gap->type->kind != TYPE_INTERVAL && gap->type->kind != TYPE_VOID) {
        sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "the gap of session_window is a STRING or a calendar INTERVAL, not %s",
                      sql__type_name(a, gap->type));
        sql__hint(a, "Write it as text, like '10 minutes'.");
        return NULL;
    }
    Expr *end = ARENA_NEW(a->arena, Expr);

    *end = (Expr){.kind = EXPR_BINARY, .pos = e->pos, .op = "+", .arg_count = 2};
    end->args = ARENA_ARRAY(a->arena, Expr *, 2);
    end->args[0] = sql__clone(a, e->args[0]);
    end->args[1] = gap;
    sql__op_types(a, call->scope, &end);
    if (!end->type)
        return NULL;
    e->args[1] = end;
    e->nullable = false;
    return window_struct(call, e->args[0]->type);
}

/* window(time, length [, slide [, start]]): extra becomes {length, slide, start} in microseconds */
static int64_t *window_spec(SqlCall *call)
{
    Expr *e = call->expr;
    int64_t *spec = ARENA_ARRAY(sql_call_arena(call), int64_t, 3);

    if (!event_time(call))
        return NULL;
    for (int i = 1; i < e->arg_count; i++)
        if (!length_of_time(call, i, &spec[i - 1]))
            return NULL;
    if (e->arg_count == 2)
        spec[1] = spec[0];
    if (spec[0] <= 0 || spec[1] <= 0) {
        sql_call_fail(call, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "a window's length and its slide must be positive");
        return NULL;
    }
    if (spec[1] > spec[0] || spec[2] >= spec[1] || spec[2] <= -spec[1] || spec[0] / spec[1] > WINDOWS_MAX) {
        sql_call_fail(call, "DATATYPE_MISMATCH.PARAMETER_CONSTRAINT_VIOLATION",
                      "a window's slide must not be above its length and be at least a thousandth of it, and its start must be less than the slide");
        return NULL;
    }
    e->extra = spec;
    return spec;
}

static const Type *window_type(SqlCall *call)
{
    Expr *e = call->expr;
    const int64_t *spec = window_spec(call);

    if (!spec)
        return NULL;
    if (spec[0] != spec[1]) {
        /* a row is in several windows: analyze.c has made a join of them */
        const Expr *sliding = call->scope->sliding;

        if (!sliding || !sql__same(sliding->args[0], e->args[0]) || memcmp(sliding->extra, spec, sizeof(int64_t) * 3))
            return sql_call_fail(call, "UNSUPPORTED_FEATURE.SEVERAL_SLIDING_WINDOWS", "a query may use one sliding window, in its select list or GROUP BY");
        e->kind = EXPR_ALIASED; /* stands for its argument */
        e->args[0] = sql__clone(call->analyzer, call->scope->sliding_column);
        e->arg_count = 1;
        return e->args[0]->type;
    }
    return window_struct(call, e->args[0]->type);
}

/* silt_windows: all windows of a time, for analyze.c */
static const Type *windows_type(SqlCall *call)
{
    return window_spec(call) ? type_array(sql_call_arena(call), window_struct(call, call->expr->args[0]->type), false) : NULL;
}

/* The start of the last window that holds the time, `back` slides before it, plus `plus`. */
static void window_bound(StrBuf *out, const Expr *call, int64_t plus)
{
    const int64_t *spec = call->extra;

    str_buf_printf(out, "%s(silt_floor_div(epoch_us(", call->args[0]->type->kind == TYPE_TIMESTAMP ? "make_timestamptz" : "make_timestamp");
    sql_duck_template(out, "$1)", call);
    str_buf_printf(out, " - CAST(%lld AS BIGINT), CAST(%lld AS BIGINT)) * %lld + %lld)", (long long)spec[2], (long long)spec[1], (long long)spec[1],
                   (long long)(spec[2] + plus));
}

static void windows_print(StrBuf *out, const Expr *call)
{
    const int64_t *spec = call->extra;
    int64_t count = (spec[0] + spec[1] - 1) / spec[1];

    sql_duck_template(out, "CASE WHEN $1 IS NULL THEN NULL ELSE list_filter([", call);
    for (int64_t i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", struct_pack(\"start\" := " : "struct_pack(\"start\" := ");
        window_bound(out, call, -i * spec[1]);
        str_buf_puts(out, ", \"end\" := ");
        window_bound(out, call, spec[0] - i * spec[1]);
        str_buf_putc(out, ')');
    }
    sql_duck_template(out, "], lambda w: struct_extract_at(w, 2) > $1) END", call);
}

static void window_print(StrBuf *out, const Expr *call)
{
    const int64_t *spec = call->extra;

    sql_duck_template(out, "CASE WHEN $1 IS NULL THEN NULL ELSE struct_pack(\"start\" := ", call);
    window_bound(out, call, 0);
    str_buf_puts(out, ", \"end\" := ");
    window_bound(out, call, spec[0]);
    str_buf_puts(out, ") END");
}

static const Type *string_type(SqlCall *call)
{
    return type_simple(TYPE_STRING);
}

static void months_between_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count == 3 ? "silt_months_between($1, $2, $3)" : "silt_months_between($1, $2, true)", call);
}

static const Type *double_type(SqlCall *call)
{
    return type_simple(TYPE_DOUBLE);
}

const SqlFunction sql_functions_time[] = {
    {"year", "date -> int", "CAST(year($1) AS INTEGER)", 0, NULL, NULL},
    {"month", "date -> int", "CAST(month($1) AS INTEGER)", 0, NULL, NULL},
    {"day", "date -> int", "CAST(day($1) AS INTEGER)", 0, NULL, NULL},
    {"dayofmonth", "date -> int", "CAST(day($1) AS INTEGER)", 0, NULL, NULL},
    {"quarter", "date -> int", "CAST(quarter($1) AS INTEGER)", 0, NULL, NULL},
    {"dayofyear", "date -> int", "CAST(dayofyear($1) AS INTEGER)", 0, NULL, NULL},
    {"dayofweek", "date -> int", "CAST(dayofweek($1) + 1 AS INTEGER)", 0, NULL, NULL},
    {"weekday", "date -> int", "CAST(isodow($1) - 1 AS INTEGER)", 0, NULL, NULL},
    {"weekofyear", "date -> int", "CAST(weekofyear($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_day_of_week_iso", "date -> int", "CAST(isodow($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_year_of_week", "date -> int", "CAST(isoyear($1) AS INTEGER)", 0, NULL, NULL},
    {"hour", "timestamp -> int", "CAST(hour($1) AS INTEGER)", 0, NULL, NULL},
    {"hour", "timestamp_ntz -> int", "CAST(hour($1) AS INTEGER)", 0, NULL, NULL},
    {"hour", "time -> int", "CAST(hour($1) AS INTEGER)", FN_TIME, NULL, NULL},
    {"minute", "timestamp -> int", "CAST(minute($1) AS INTEGER)", 0, NULL, NULL},
    {"minute", "timestamp_ntz -> int", "CAST(minute($1) AS INTEGER)", 0, NULL, NULL},
    {"minute", "time -> int", "CAST(minute($1) AS INTEGER)", FN_TIME, NULL, NULL},
    {"second", "timestamp -> int", "CAST(second($1) AS INTEGER)", 0, NULL, NULL},
    {"second", "timestamp_ntz -> int", "CAST(second($1) AS INTEGER)", 0, NULL, NULL},
    {"second", "time -> int", "CAST(second($1) AS INTEGER)", FN_TIME, NULL, NULL},
    {"silt_year", "interval ->", NULL, 0, interval_field_type, interval_field_print},
    {"silt_year", "date -> int", "CAST(year($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_month", "interval ->", NULL, 0, interval_field_type, interval_field_print},
    {"silt_month", "date -> int", "CAST(month($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_day", "interval ->", NULL, 0, interval_field_type, interval_field_print},
    {"silt_day", "date -> int", "CAST(day($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_hour", "interval ->", NULL, 0, interval_field_type, interval_field_print},
    {"silt_hour", "timestamp -> int", "CAST(hour($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_hour", "timestamp_ntz -> int", "CAST(hour($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_hour", "time -> int", "CAST(hour($1) AS INTEGER)", FN_TIME, NULL, NULL},
    {"silt_minute", "interval ->", NULL, 0, interval_field_type, interval_field_print},
    {"silt_minute", "timestamp -> int", "CAST(minute($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_minute", "timestamp_ntz -> int", "CAST(minute($1) AS INTEGER)", 0, NULL, NULL},
    {"silt_minute", "time -> int", "CAST(minute($1) AS INTEGER)", FN_TIME, NULL, NULL},
    {"silt_second_fraction", "interval ->", NULL, 0, interval_field_type, interval_field_print},
    {"silt_second_fraction", "timestamp ->",
     "CAST(CAST(microsecond($1) AS DECIMAL(14,0)) * CAST('0.000001' AS DECIMAL(6,6)) AS DECIMAL(8,6))", 0, second_fraction_type, NULL},
    {"silt_second_fraction", "timestamp_ntz ->",
     "CAST(CAST(microsecond($1) AS DECIMAL(14,0)) * CAST('0.000001' AS DECIMAL(6,6)) AS DECIMAL(8,6))", 0, second_fraction_type, NULL},
    {"silt_second_fraction", "time ->", "CAST(CAST(epoch_us($1) % 60000000 AS DECIMAL(14,0)) * CAST('0.000001' AS DECIMAL(6,6)) AS DECIMAL(8,6))", FN_TIME,
     second_fraction_type, NULL},
    {"date_part", "string, any ->", NULL, 0, date_part_type, extra_print},
    {"datepart", "string, any ->", NULL, 0, date_part_type, extra_print},
    {"date_trunc", "string, any ->", NULL, 0, date_trunc_type, trunc_print},
    {"trunc", "any, string ->", NULL, 0, trunc_type, trunc_print},
    {"date_add", "any, any ->", NULL, 0, date_add_type, date_add_print},
    {"dateadd", "any, any ->", NULL, 0, date_add_type, date_add_print},
    {"date_sub", "any, any ->", NULL, 0, date_add_type, date_add_print},
    {"timestampadd", "any, any ->", NULL, 0, add_unit_type, add_unit_print},
    {"datediff", "any, any ->", NULL, 0, datediff_type, datediff_print},
    {"date_diff", "any, any ->", NULL, 0, datediff_type, datediff_print},
    {"timestampdiff", "any, any ->", NULL, 0, diff_unit_type, diff_unit_print},
    {"add_months", "date, int -> date", "CAST($1 + to_months($2) AS DATE)", 0, NULL, NULL},
    {"months_between", "timestamp, timestamp [, boolean] ->", NULL, 0, double_type, months_between_print},
    {"last_day", "date -> date", "last_day($1)", 0, NULL, NULL},
    {"next_day", "date, string -> date", "silt_next_day($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"unix_date", "date ->", "CAST($1 - DATE '1970-01-01' AS INTEGER)", 0, unix_count_type, NULL},
    {"date_from_unix_date", "int -> date", "(DATE '1970-01-01' + $1)", 0, NULL, NULL},
    {"dayname", "date -> string", "left(dayname($1), 3)", 0, NULL, NULL},
    {"monthname", "date -> string", "left(monthname($1), 3)", 0, NULL, NULL},
    {"date_format", "timestamp, string ->", "silt_date_format($1, $2, $pos)", FN_MAY_FAIL, string_type, NULL},
    {"to_date", "any [, string] ->", NULL, FN_MAY_FAIL, to_type, to_print},
    {"try_to_date", "any [, string] ->", NULL, 0, to_type, to_print},
    {"to_timestamp", "any [, string] ->", NULL, FN_MAY_FAIL, to_type, to_print},
    {"try_to_timestamp", "any [, string] ->", NULL, 0, to_type, to_print},
    {"to_timestamp_ltz", "any [, string] ->", NULL, FN_MAY_FAIL, to_type, to_print},
    {"to_timestamp_ntz", "any [, string] ->", NULL, FN_MAY_FAIL, to_type, to_print},
    {"unix_timestamp", "[any, string] ->", NULL, FN_MAY_FAIL, unix_type, unix_print},
    {"to_unix_timestamp", "any [, string] ->", NULL, FN_MAY_FAIL, unix_type, unix_print},
    {"from_unixtime", "any [, string] ->", NULL, FN_MAY_FAIL, from_unix_type, from_unix_print},
    {"unix_seconds", "timestamp ->", "silt_floor_div(epoch_us($1), CAST(1000000 AS BIGINT))", 0, unix_count_type, NULL},
    {"unix_millis", "timestamp ->", "silt_floor_div(epoch_us($1), CAST(1000 AS BIGINT))", 0, unix_count_type, NULL},
    {"unix_micros", "timestamp ->", "epoch_us($1)", 0, unix_count_type, NULL},
    {"timestamp_seconds", "number ->", NULL, FN_MAY_FAIL | FN_NULLABLE, seconds_type, seconds_print},
    {"timestamp_millis", "bigint -> timestamp", "make_timestamptz(\"silt_multiply:bigint\"($1, CAST(1000 AS BIGINT), $pos))", FN_MAY_FAIL, NULL, NULL},
    {"timestamp_micros", "bigint -> timestamp", "make_timestamptz($1)", 0, NULL, NULL},
    {"make_date", "int, int, int -> date", "silt_make_date($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"make_timestamp", "any, any, any, any, any, any [, any] ->", NULL, FN_MAY_FAIL, make_timestamp_type, make_timestamp_print},
    {"try_make_timestamp", "any, any, any, any, any, any [, any] ->", NULL, 0, make_timestamp_type, make_timestamp_print},
    {"try_make_timestamp_ltz", "any, any, any, any, any, any [, any] ->", NULL, 0, make_timestamp_type, make_timestamp_print},
    {"try_make_timestamp_ntz", "any, any, any, any, any, any ->", NULL, 0, make_timestamp_type, make_timestamp_print},
    {"make_timestamp_ltz", "any, any, any, any, any, any [, any] ->", NULL, FN_MAY_FAIL, make_timestamp_type, make_timestamp_print},
    {"make_timestamp_ntz", "any, any, any, any, any, any ->", NULL, FN_MAY_FAIL, make_timestamp_type, make_timestamp_print},
    {"make_interval", "[any, any, any, any, any, any, any] ->", NULL, FN_MAY_FAIL, make_interval_type, make_interval_print},
    {"try_make_interval", "any [, any, any, any, any, any, any] ->", NULL, 0, make_interval_type, make_interval_print},
    {"make_ym_interval", "[any, any] ->", NULL, 0, make_ym_type, make_ym_print},
    {"make_dt_interval", "[any, any, any, any] ->", NULL, 0, make_dt_type, make_dt_print},
    {"from_utc_timestamp", "timestamp, string -> timestamp", "silt_from_utc($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"to_utc_timestamp", "timestamp, string -> timestamp", "silt_to_utc($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"convert_timezone", "any, any [, any] ->", NULL, FN_MAY_FAIL, convert_zone_type, convert_zone_print},
    {"silt_windows", "any, any [, any, any] ->", NULL, 0, windows_type, windows_print},
    {"session_window", "any, any ->", "CASE WHEN $2 > $1 THEN struct_pack(\"start\" := $1, \"end\" := $2) END", 0, session_type, NULL},
    {"window_time", "struct ->", "(struct_extract_at($1, 2) - to_microseconds(1))", 0, window_time_type, NULL},
    {"window", "any, any [, any, any] ->", NULL, 0, window_type, window_print},
    {NULL},
};
