/* sql/functions_format.c - values to text by a format, and text taken apart by one */
#include <string.h>

#include "duck/collation.h"
#include "duck/number_format.h"
#include "sql/analyze.h"

/* A constant number format, looked at. False with an error recorded. */
static bool number_format(SqlCall *call, NumberFormat *out)
{
    const Expr *e = call->expr;
    const char *format = sql_constant_text(call->analyzer, e->args[1]), *wrong = format ? number_format_parse(str_of(format), out) : NULL;

    if (!format)
        sql_call_fail(call, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "the format of %s must be a constant string", e->function->name);
    else if (wrong)
        sql_call_fail(call, wrong, "the number format \"%s\" of %s is not understood", format, e->function->name);
    return format && !wrong;
}

/* A NULL that has become a STRING, or may. */
static bool is_null(const Expr *e)
{
    return e->type->kind == TYPE_VOID || (e->kind == EXPR_CAST && e->args[0]->type && e->args[0]->type->kind == TYPE_VOID);
}

/* to_number gives decimal(all digits, those behind the point). */
static const Type *number_type(SqlCall *call)
{
    Expr *e = call->expr;
    NumberFormat format;

    e->nullable = e->nullable || !strncmp(e->function->name, "try_", 4);
    if (is_null(e->args[1]))
        return type_decimal(10, 0);
    return number_format(call, &format) ? type_decimal(format.whole + format.fraction, format.fraction) : NULL;
}

static void number_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    sql_duck_template(out, try_it ? "\"silt_try_to_number:$T\"($1, $2)" : "\"silt_to_number:$T\"($1, $2, $pos)", call);
}

/* to_char(BINARY, 'hex' | 'utf-8' | 'base64') */
static const Type *binary_char_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *format = sql_constant_text(call->analyzer, e->args[1]);

    if (!format)
        return sql_call_fail(call, "NON_FOLDABLE_ARGUMENT", "the format of %s must be a constant string", e->function->name);
    if (strcasecmp(format, "hex") && strcasecmp(format, "utf-8") && strcasecmp(format, "base64"))
        return sql_call_fail(call, "INVALID_PARAMETER_VALUE.BINARY_FORMAT", "the format of %s over BINARY is 'hex', 'utf-8' or 'base64', not '%s'", e->function->name, format);
    e->text = format;
    return type_simple(TYPE_STRING);
}

/* to_char(number, time or bytes, format) */
static const Type *char_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *t = e->args[0]->type;

    if (t->kind == TYPE_DATE || t->kind == TYPE_TIMESTAMP || t->kind == TYPE_TIMESTAMP_NTZ)
        return sql_call_cast(call, 0, type_simple(TYPE_TIMESTAMP)) ? type_simple(TYPE_STRING) : NULL;
    if (t->kind == TYPE_BINARY)
        return binary_char_type(call);
    if (t->kind == TYPE_DOUBLE || t->kind == TYPE_FLOAT || t->kind == TYPE_STRING)
        sql_call_cast(call, 0, type_decimal(38, 18));
    else if (type_is_integral(t))
        sql_call_cast(call, 0, sql__decimal_of(t));
    else if (t->kind == TYPE_VOID)
        sql_call_cast(call, 0, type_decimal(10, 0));
    else if (t->kind != TYPE_DECIMAL)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "%s takes a number, a time or BINARY, not %s", e->function->name,
                             sql__type_name(call->analyzer, t));
    NumberFormat format;

    return is_null(e->args[1]) || number_format(call, &format) ? type_simple(TYPE_STRING) : NULL;
}

static void char_print(StrBuf *out, const Expr *call)
{
    if (call->args[0]->type->kind == TYPE_BINARY) {
        sql_duck_template(out, (*call->text | 32) == 'h' ? "silt_hex_binary($1)" : (*call->text | 32) == 'b' ? "silt_base64($1)" : "silt_decode($1, 'UTF-8', $pos)", call);
        return;
    }
    sql_duck_template(out, call->args[0]->type->kind == TYPE_TIMESTAMP ? "silt_date_format($1, $2, $pos)" : "silt_to_char($1, $2, $pos)", call);
}

static void try_url_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, call->arg_count > 2 ? "silt_try_parse_url_key($1, $2, $3)" : "silt_try_parse_url($1, $2)", call);
}

static const Type *string_type(SqlCall *call)
{
    return type_simple(TYPE_STRING);
}

/* to_binary(text [, 'hex' | 'utf-8' | 'utf8' | 'base64']) */
static const Type *binary_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *format = e->arg_count > 1 ? sql_constant_text(call->analyzer, e->args[1]) : "hex";

    if (!format || (strcasecmp(format, "hex") && strcasecmp(format, "utf-8") && strcasecmp(format, "utf8") && strcasecmp(format, "base64")))
        return sql_call_fail(call, "DATATYPE_MISMATCH.INVALID_ARG_VALUE", "the format of %s must be 'hex', 'utf-8', 'utf8' or 'base64'", e->function->name);
    e->text = format;
    e->nullable = e->nullable || !strncmp(e->function->name, "try_", 4);
    return type_simple(TYPE_BINARY);
}

static void binary_print(StrBuf *out, const Expr *call)
{
    bool try_it = !strncmp(call->function->name, "try_", 4);

    if ((*call->text | 32) == 'u')
        sql_duck_template(out, "encode($1)", call);
    else if ((*call->text | 32) == 'h')
        sql_duck_template(out, try_it ? "silt_unhex($1)" : "silt_to_binary_hex($1, $pos)", call);
    else
        sql_duck_template(out, try_it ? "silt_try_to_binary_base64($1)" : "silt_to_binary_base64($1, $pos)", call);
}

/* like(text, pattern [, escape]) */
static void like_print(StrBuf *out, const Expr *call)
{
    str_buf_printf(out, "silt_%s(", call->function->name);
    sql_duck_template(out, call->arg_count > 2 ? "$1, $2, $3, $pos)" : "$1, $2, '\\', $pos)", call);
}

static const Type *collation_type(SqlCall *call)
{
    const Type *t = call->expr->args[0]->type;

    if (t->kind != TYPE_STRING && t->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "collation tells that of a STRING, not of %s", sql__type_name(call->analyzer, t));
    silt_auto(str_buf_fini) StrBuf name = {0};

    str_buf_puts(&name, "SYSTEM.BUILTIN.");
    collation_print(&name, t->collation);
    call->expr->text = arena_strndup(sql_call_arena(call), str_buf_text(&name), name.size);
    return type_simple(TYPE_STRING);
}

static void collation_name_print(StrBuf *out, const Expr *call)
{
    sql_duck_text(out, str_of(call->text));
}

static const Type *boolean_type(SqlCall *call)
{
    return type_simple(TYPE_BOOLEAN);
}

/* A VARIANT is printed as its JSON. */
static const Type *format_string_type(SqlCall *call)
{
    Expr *e = call->expr;

    for (int i = 1; i < e->arg_count; i++)
        if (e->args[i]->type->kind == TYPE_VARIANT) {
            Expr *json = sql__call_new(call->analyzer, e->args[i]->pos, "to_json", 1);

            json->args[0] = e->args[i];
            sql__call(call->analyzer, call->scope, &json);
            e->args[i] = json;
        }
    return type_simple(TYPE_STRING);
}

const SqlFunction sql_functions_format[] = {
    {"to_binary", "string [, string] ->", NULL, FN_MAY_FAIL, binary_type, binary_print},
    {"try_to_binary", "string [, string] ->", NULL, 0, binary_type, binary_print},
    {"like", "string, string [, string] ->", NULL, FN_MAY_FAIL, boolean_type, like_print},
    {"ilike", "string, string [, string] ->", NULL, FN_MAY_FAIL, boolean_type, like_print},
    {"collation", "any ->", NULL, FN_NOT_NULL, collation_type, collation_name_print},
    {"validate_utf8", "string -> string", "$1", 0, NULL, NULL},
    {"try_validate_utf8", "string -> string", "$1", 0, NULL, NULL},
    {"make_valid_utf8", "string -> string", "$1", 0, NULL, NULL},
    {"format_string", "string, any... ->", "silt_format_string($*, $pos)", FN_MAY_FAIL, format_string_type, NULL},
    {"printf", "string, any... ->", "silt_format_string($*, $pos)", FN_MAY_FAIL, format_string_type, NULL},
    {"to_number", "string, string ->", NULL, FN_MAY_FAIL, number_type, number_print},
    {"try_to_number", "string, string ->", NULL, FN_NULLABLE, number_type, number_print},
    {"to_char", "any, string ->", NULL, FN_MAY_FAIL, char_type, char_print},
    {"to_varchar", "any, string ->", NULL, FN_MAY_FAIL, char_type, char_print},
    {"try_url_decode", "string -> string", "silt_try_url_decode($1)", FN_NULLABLE, NULL, NULL},
    {"try_parse_url", "string, string [, string] ->", NULL, FN_NULLABLE, string_type, try_url_print},
    {"is_valid_utf8", "string -> boolean", "silt_is_valid_utf8($1)", 0, NULL, NULL},
    {"cot", "double -> double", "silt_cot($1)", 0, NULL, NULL},
    {"sec", "double -> double", "silt_sec($1)", 0, NULL, NULL},
    {"csc", "double -> double", "silt_csc($1)", 0, NULL, NULL},
    {"asinh", "double -> double", "silt_asinh($1)", 0, NULL, NULL},
    {"acosh", "double -> double", "silt_acosh($1)", 0, NULL, NULL},
    {"atanh", "double -> double", "silt_atanh($1)", 0, NULL, NULL},
    {"rint", "double -> double", "silt_rint($1)", 0, NULL, NULL},
    {NULL},
};
