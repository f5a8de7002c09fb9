/* sql/functions_string.c - text and bytes */
#include <string.h>

#include "duck/collation.h"
#include "sql/analyze.h"

static const Type *concat_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *string = type_simple(TYPE_STRING);
    bool arrays = false, binary = e->arg_count > 0;

    for (int i = 0; i < e->arg_count; i++) {
        arrays = arrays || e->args[i]->type->kind == TYPE_ARRAY;
        binary = binary && e->args[i]->type->kind == TYPE_BINARY;
    }
    for (int i = 0; i < e->arg_count; i++) {
        TypeKind kind = e->args[i]->type->kind;

        if (kind == TYPE_STRUCT || kind == TYPE_MAP)
            return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "concat joins STRING, BINARY or ARRAYs, not %s", sql__type_name(call->analyzer, e->args[i]->type));
        if (arrays && kind == TYPE_VOID)
            return sql_call_fail(call, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "concat cannot join an ARRAY and a NULL without a type");
    }
    if (arrays)
        return sql_call_unify(call, 0);
    if (binary)
        return type_simple(TYPE_BINARY);
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->type->kind == TYPE_BINARY)
            sql__cast(call->analyzer, &e->args[i], string);
        if (!sql_call_cast(call, i, string))
            return NULL;
    }
    return string;
}

static void concat_print(StrBuf *out, const Expr *call)
{
    if (!call->arg_count) {
        str_buf_puts(out, "''");
        return;
    }
    str_buf_putc(out, '(');
    for (int i = 0; i < call->arg_count; i++) {
        if (i)
            str_buf_puts(out, " || ");
        sql_duck_expr(out, call->args[i]);
    }
    str_buf_putc(out, ')');
}

/* Arguments are strings or arrays of strings. */
static const Type *concat_ws_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *string = type_simple(TYPE_STRING);

    if (!sql_call_cast(call, 0, string))
        return NULL;
    for (int i = 1; i < e->arg_count; i++)
        if (!sql_call_cast(call, i, e->args[i]->type->kind == TYPE_ARRAY ? type_array(sql_call_arena(call), string, true) : string))
            return NULL;
    e->nullable = e->args[0]->nullable;
    return string;
}

static void concat_ws_print(StrBuf *out, const Expr *call)
{
    /* one list of all parts, NULLs left out */
    str_buf_puts(out, "silt_concat_ws(");
    sql_duck_expr(out, call->args[0]);
    str_buf_puts(out, ", list_concat(CAST([] AS VARCHAR[])");
    for (int i = 1; i < call->arg_count; i++) {
        bool array = call->args[i]->type->kind == TYPE_ARRAY;

        str_buf_puts(out, array ? ", " : ", [");
        sql_duck_expr(out, call->args[i]);
        if (!array)
            str_buf_putc(out, ']');
    }
    str_buf_puts(out, "))");
}

/* trim(BOTH x FROM y): op says the side, args are y, x */
static void trim_print(StrBuf *out, const Expr *call)
{
    const char *name = call->function->name;
    const char *side = !strcmp(name, "ltrim") || (call->op && !strcmp(call->op, "LEADING"))   ? "ltrim"
                       : !strcmp(name, "rtrim") || (call->op && !strcmp(call->op, "TRAILING")) ? "rtrim"
                                                                                               : "trim";

    str_buf_puts(out, side);
    if (call->arg_count == 1)
        sql_duck_template(out, "($1, ' ')", call);
    else if (!strcmp(name, "btrim") || call->op)
        sql_duck_template(out, "($1, $2)", call);
    else
        sql_duck_template(out, "($2, $1)", call); /* ltrim(x, y) trims x off y */
}

static const Type *string_type(SqlCall *call)
{
    return type_simple(TYPE_STRING);
}

static const Type *overlay_type(SqlCall *call)
{
    TypeKind a = call->expr->args[0]->type->kind, b = call->expr->args[1]->type->kind;
    const Type *t = type_simple(a == TYPE_BINARY && (b == TYPE_BINARY || b == TYPE_VOID) ? TYPE_BINARY : TYPE_STRING);

    if ((a == TYPE_BINARY) != (b == TYPE_BINARY) && a != TYPE_VOID && b != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "overlay puts STRING into STRING, or BINARY into BINARY");
    return sql_call_cast(call, 0, t) && sql_call_cast(call, 1, t) ? t : NULL;
}

static void overlay_print(StrBuf *out, const Expr *call)
{
    str_buf_puts(out, call->type->kind == TYPE_BINARY ? "silt_overlay_binary(" : "silt_overlay(");
    sql_duck_template(out, call->arg_count == 4 ? "$1, $2, $3, $4)" : "$1, $2, $3, -1)", call);
}

static const Type *sentences_type(SqlCall *call)
{
    return type_array(sql_call_arena(call), type_array(sql_call_arena(call), type_simple(TYPE_STRING), false), false);
}

/* elt(n, a, b, ...): BINARY if all are, else STRING */
static const Type *elt_type(SqlCall *call)
{
    Expr *e = call->expr;
    bool bytes = true;

    if (!sql_call_cast(call, 0, type_simple(TYPE_INT)))
        return NULL;
    for (int i = 1; i < e->arg_count; i++)
        bytes = bytes && e->args[i]->type->kind == TYPE_BINARY;
    const Type *t = type_simple(bytes ? TYPE_BINARY : TYPE_STRING);

    for (int i = 1; i < e->arg_count; i++)
        if (!sql_call_cast(call, i, t))
            return NULL;
    e->nullable = true;
    return t;
}

static void elt_print(StrBuf *out, const Expr *call)
{
    sql_duck_template(out, "CAST(list_extract([$2*], silt_elt_index(", call);
    str_buf_printf(out, "%d", call->arg_count - 1);
    sql_duck_template(out, ", $1, $pos)) AS $type)", call);
}

/* decode(value, search, result [, search, result ...] [, default]): the first search that equals, NULL too */
static const Type *decode_type(SqlCall *call)
{
    Expr *e = call->expr;
    const Type *searched = e->args[0]->type, *result = type_simple(TYPE_VOID);
    bool nullable = e->arg_count % 2;

    for (int i = 1; i < e->arg_count && searched && result; i++) {
        bool is_result = i % 2 == 0 || i + 1 == e->arg_count;

        if (is_result)
            result = sql__wider(call->analyzer, result, e->args[i]->type);
        else
            searched = sql__wider(call->analyzer, searched, e->args[i]->type);
        nullable = nullable || (is_result && e->args[i]->nullable);
    }
    if (!searched || !result)
        return sql_call_fail(call, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "the values and the results of decode need one common type each");
    for (int i = 0; i < e->arg_count; i++)
        sql__cast(call->analyzer, &e->args[i], i && (i % 2 == 0 || i + 1 == e->arg_count) ? result : searched);
    e->nullable = nullable;
    return result;
}

static void decode_print(StrBuf *out, const Expr *call)
{
    str_buf_puts(out, "CASE");
    for (int i = 1; i + 1 < call->arg_count; i += 2) {
        str_buf_puts(out, " WHEN ");
        sql_duck_expr(out, call->args[0]);
        str_buf_puts(out, " IS NOT DISTINCT FROM ");
        sql_duck_expr(out, call->args[i]);
        str_buf_puts(out, " THEN ");
        sql_duck_expr(out, call->args[i + 1]);
    }
    if (call->arg_count % 2 == 0) {
        str_buf_puts(out, " ELSE ");
        sql_duck_expr(out, call->args[call->arg_count - 1]);
    }
    str_buf_puts(out, " END");
}

/* collate(x, name), also x COLLATE name: x itself; how it compares is part of its type. */
static const Type *collate_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *name = sql_constant_text(call->analyzer, e->args[1]);

    if (!e->args[1]->constant)
        return sql_call_fail(call, "NON_FOLDABLE_ARGUMENT", "the name of the collation must be a constant");
    if (!name)
        return sql_call_fail(call, "UNEXPECTED_INPUT_TYPE", "the name of the collation must be a STRING");
    if (e->args[0]->type->kind != TYPE_STRING && e->args[0]->type->kind != TYPE_VOID)
        return sql_call_fail(call, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "a collation goes with a STRING, not with %s",
                             sql__type_name(call->analyzer, e->args[0]->type));
    int collation = collation_find(str_of(name));

    if (collation < 0)
        return sql_call_fail(call, "COLLATION_INVALID_NAME", "there is no collation \"%s\"", name);
    if (!collation_is_known(collation))
        return sql_call_fail(call, "UNSUPPORTED_FEATURE.COLLATION", "the collation %s is not there yet", name);
    const Type *type = type_collated(sql_call_arena(call), collation, COLLATION_EXPLICIT);

    if (e->args[0]->type->kind == TYPE_VOID)
        sql__cast(call->analyzer, &e->args[0], type);
    return type;
}

const SqlFunction sql_functions_string[] = {
    {"concat", "[any...] ->", NULL, 0, concat_type, concat_print},
    {"concat_ws", "any [, any...] ->", NULL, 0, concat_ws_type, concat_ws_print},
    {"length", "string -> int", "CAST(length($1) AS INTEGER)", 0, NULL, NULL},
    {"length", "binary -> int", "CAST(octet_length($1) AS INTEGER)", 0, NULL, NULL},
    {"len", "string -> int", "CAST(length($1) AS INTEGER)", 0, NULL, NULL},
    {"len", "binary -> int", "CAST(octet_length($1) AS INTEGER)", 0, NULL, NULL},
    {"char_length", "string -> int", "CAST(length($1) AS INTEGER)", 0, NULL, NULL},
    {"char_length", "binary -> int", "CAST(octet_length($1) AS INTEGER)", 0, NULL, NULL},
    {"character_length", "string -> int", "CAST(length($1) AS INTEGER)", 0, NULL, NULL},
    {"octet_length", "string -> int", "CAST(strlen($1) AS INTEGER)", 0, NULL, NULL},
    {"octet_length", "binary -> int", "CAST(octet_length($1) AS INTEGER)", 0, NULL, NULL},
    {"bit_length", "string -> int", "CAST(strlen($1) * 8 AS INTEGER)", 0, NULL, NULL},
    {"bit_length", "binary -> int", "CAST(octet_length($1) * 8 AS INTEGER)", 0, NULL, NULL},
    {"upper", "string -> string", "silt_upper($1)", 0, NULL, NULL},
    {"ucase", "string -> string", "silt_upper($1)", 0, NULL, NULL},
    {"lower", "string -> string", "silt_lower($1)", 0, NULL, NULL},
    {"lcase", "string -> string", "silt_lower($1)", 0, NULL, NULL},
    {"initcap", "string -> string", "silt_initcap($1)", 0, NULL, NULL},
    {"trim", "string [, string] ->", NULL, 0, string_type, trim_print},
    {"ltrim", "string [, string] ->", NULL, 0, string_type, trim_print},
    {"rtrim", "string [, string] ->", NULL, 0, string_type, trim_print},
    {"btrim", "string [, string] ->", NULL, 0, string_type, trim_print},
    {"substring", "string, int, int -> string", "silt_substring($1, $2, $3)", 0, NULL, NULL},
    {"substring", "string, int -> string", "silt_substring($1, $2, 2147483647)", 0, NULL, NULL},
    {"substring", "binary, int, int -> binary", "silt_substring_binary($1, $2, $3)", 0, NULL, NULL},
    {"substring", "binary, int -> binary", "silt_substring_binary($1, $2, 2147483647)", 0, NULL, NULL},
    {"substr", "string, int, int -> string", "silt_substring($1, $2, $3)", 0, NULL, NULL},
    {"substr", "string, int -> string", "silt_substring($1, $2, 2147483647)", 0, NULL, NULL},
    {"substr", "binary, int, int -> binary", "silt_substring_binary($1, $2, $3)", 0, NULL, NULL},
    {"substr", "binary, int -> binary", "silt_substring_binary($1, $2, 2147483647)", 0, NULL, NULL},
    {"left", "string, int -> string", "silt_left($1, $2)", 0, NULL, NULL},
    {"left", "binary, int -> binary", "silt_substring_binary($1, 1, $2)", 0, NULL, NULL},
    {"right", "string, int -> string", "silt_right($1, $2)", 0, NULL, NULL},
    {"repeat", "string, int -> string", "repeat($1, greatest($2, 0))", 0, NULL, NULL},
    {"space", "int -> string", "repeat(' ', greatest($1, 0))", 0, NULL, NULL},
    {"replace", "string, string, string -> string", "CASE WHEN $2 = '' THEN $1 ELSE replace($1, $2, $3) END", 0, NULL, NULL},
    {"replace", "string, string -> string", "CASE WHEN $2 = '' THEN $1 ELSE replace($1, $2, '') END", 0, NULL, NULL},
    {"translate", "string, string, string -> string", "translate($1, $2, $3)", 0, NULL, NULL},
    {"overlay", "any, any, int [, int] ->", NULL, 0, overlay_type, overlay_print},
    {"lpad", "string, int, string -> string", "silt_lpad($1, $2, $3)", 0, NULL, NULL},
    {"lpad", "string, int -> string", "silt_lpad($1, $2, ' ')", 0, NULL, NULL},
    {"lpad", "binary, int, binary -> binary", "silt_lpad_binary($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"lpad", "binary, int -> binary", "silt_lpad_binary($1, $2, '\\x00'::BLOB, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"rpad", "string, int, string -> string", "silt_rpad($1, $2, $3)", 0, NULL, NULL},
    {"rpad", "string, int -> string", "silt_rpad($1, $2, ' ')", 0, NULL, NULL},
    {"rpad", "binary, int, binary -> binary", "silt_rpad_binary($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"rpad", "binary, int -> binary", "silt_rpad_binary($1, $2, '\\x00'::BLOB, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"instr", "string, string -> int", "CASE WHEN $2 = '' AND $1 IS NOT NULL THEN 1 ELSE CAST(instr($1, $2) AS INTEGER) END", 0, NULL, NULL},
    {"locate", "string, string -> int", "CASE WHEN $1 = '' AND $2 IS NOT NULL THEN 1 ELSE CAST(instr($2, $1) AS INTEGER) END", 0, NULL, NULL},
    {"locate", "string, string, int -> int", "silt_locate($1, $2, $3)", 0, NULL, NULL},
    {"position", "string, string -> int", "CASE WHEN $1 = '' AND $2 IS NOT NULL THEN 1 ELSE CAST(instr($2, $1) AS INTEGER) END", 0, NULL, NULL},
    {"position", "string, string, int -> int", "silt_locate($1, $2, $3)", 0, NULL, NULL},
    {"contains", "string, string -> boolean", "contains($1, $2)", 0, NULL, NULL},
    {"contains", "binary, binary -> boolean", "silt_contains_binary($1, $2)", 0, NULL, NULL},
    {"startswith", "string, string -> boolean", "starts_with($1, $2)", 0, NULL, NULL},
    {"startswith", "binary, binary -> boolean", "silt_starts_with_binary($1, $2)", 0, NULL, NULL},
    {"endswith", "string, string -> boolean", "ends_with($1, $2)", 0, NULL, NULL},
    {"endswith", "binary, binary -> boolean", "silt_ends_with_binary($1, $2)", 0, NULL, NULL},
    {"ascii", "string -> int", "silt_ascii($1)", 0, NULL, NULL},
    {"chr", "bigint -> string", "silt_chr($1)", 0, NULL, NULL},
    {"char", "bigint -> string", "silt_chr($1)", 0, NULL, NULL},
    {"base64", "binary -> string", "silt_base64($1)", 0, NULL, NULL},
    {"unbase64", "string -> binary", "silt_unbase64($1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"md5", "binary -> string", "md5($1)", 0, NULL, NULL},
    {"sha1", "binary -> string", "sha1($1)", 0, NULL, NULL},
    {"sha", "binary -> string", "sha1($1)", 0, NULL, NULL},
    {"crc32", "binary -> bigint", "silt_crc32($1)", 0, NULL, NULL},
    {"levenshtein", "string, string -> int", "silt_levenshtein($1, $2)", 0, NULL, NULL},
    {"levenshtein", "string, string, int -> int", "silt_levenshtein_within($1, $2, $3)", 0, NULL, NULL},
    {"soundex", "string -> string", "silt_soundex($1)", 0, NULL, NULL},
    {"find_in_set", "string, string -> int", "silt_find_in_set($1, $2)", 0, NULL, NULL},
    {"substring_index", "string, string, int -> string", "silt_substring_index($1, $2, $3)", 0, NULL, NULL},
    {"split_part", "string, string, int -> string", "silt_split_part($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"split", "string, string -> string[]", "silt_split($1, $2, -1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"split", "string, string, int -> string[]", "silt_split($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_like", "string, string -> boolean", "silt_rlike($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp", "string, string -> boolean", "silt_rlike($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"rlike", "string, string -> boolean", "silt_rlike($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_extract", "string, string, int -> string", "silt_regexp_extract($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_extract", "string, string -> string", "silt_regexp_extract($1, $2, 1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_extract_all", "string, string, int -> string[]", "silt_regexp_extract_all($1, $2, $3, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_extract_all", "string, string -> string[]", "silt_regexp_extract_all($1, $2, 1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_replace", "string, string, string -> string", "silt_regexp_replace($1, $2, $3, 1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_replace", "string, string, string, int -> string", "silt_regexp_replace($1, $2, $3, $4, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_substr", "string, string -> string", "silt_regexp_substr($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, NULL, NULL},
    {"regexp_count", "string, string -> int", "silt_regexp_count($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"regexp_instr", "string, string -> int", "silt_regexp_instr($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"sha2", "binary, int -> string", "silt_sha2($1, $2)", FN_NULLABLE, NULL, NULL},
    {"parse_url", "string, string -> string", "silt_parse_url($1, $2, $pos)", FN_MAY_FAIL | FN_NULLABLE, NULL, NULL},
    {"parse_url", "string, string, string -> string", "silt_parse_url_key($1, $2, $3, $pos)", FN_MAY_FAIL | FN_NULLABLE, NULL, NULL},
    {"encode", "string, string -> binary", "silt_encode($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"decode", "binary, string -> string", "silt_decode($1, $2, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"decode", "any, any, any, any... ->", NULL, 0, decode_type, decode_print},
    {"decode", "any, any, any ->", NULL, 0, decode_type, decode_print},
    {"sentences", "string ->", "silt_sentences($1)", 0, sentences_type, NULL},
    {"elt", "any, any... ->", NULL, FN_MAY_FAIL, elt_type, elt_print},
    {"format_number", "number, int -> string", "silt_format_number($1, $2)", FN_NULLABLE, NULL, NULL},
    {"format_number", "number, string -> string", "silt_format_number_by($1, $2, $pos)", FN_NULLABLE | FN_MAY_FAIL, NULL, NULL},
    {"mask", "string -> string", "silt_mask($1, 'X', 'x', 'n', CAST(NULL AS VARCHAR))", 0, NULL, NULL},
    {"mask", "string, string -> string", "silt_mask($1, $2, 'x', 'n', CAST(NULL AS VARCHAR))", FN_NULLABLE, NULL, NULL},
    {"mask", "string, string, string -> string", "silt_mask($1, $2, $3, 'n', CAST(NULL AS VARCHAR))", FN_NULLABLE, NULL, NULL},
    {"mask", "string, string, string, string -> string", "silt_mask($1, $2, $3, $4, CAST(NULL AS VARCHAR))", FN_NULLABLE, NULL, NULL},
    {"mask", "string, string, string, string, string -> string", "silt_mask($1, $2, $3, $4, $5)", FN_NULLABLE, NULL, NULL},
    {"url_encode", "string -> string", "silt_url_encode($1)", 0, NULL, NULL},
    {"url_decode", "string -> string", "silt_url_decode($1, $pos)", FN_MAY_FAIL, NULL, NULL},
    {"luhn_check", "string -> boolean", "silt_luhn_check($1)", 0, NULL, NULL},
    {"collate", "any, any ->", "$1", 0, collate_type, NULL},
    {"quote", "string -> string", "silt_quote($1)", 0, NULL, NULL},
    {NULL},
};
