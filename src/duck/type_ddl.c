/*
 * duck/type_ddl.c - data types and column lists as Spark writes them in DDL
 *
 *   columns := column (',' column)*          column := name [':'] type [NOT NULL] [COMMENT 'text']
 *
 * No word is reserved here, as in Spark: a column may be called `date` or `struct`.
 */
#include "duck/type.h"

#include <ctype.h>
#include <string.h>

typedef enum TokenKind { TOKEN_END, TOKEN_WORD, TOKEN_QUOTED, TOKEN_STRING, TOKEN_SIGN, TOKEN_BAD } TokenKind;

typedef struct Token {
    TokenKind kind;
    Str text;          /* as written; QUOTED and STRING include their quotes */
    const char *value; /* WORD, QUOTED, STRING: decoded */
} Token;

typedef struct Ddl {
    Arena *arena;
    Str text;
    const char *next, *end;
    Token token; /* the one looked at */
    int depth;
    bool has_char; /* CHAR(n) or VARCHAR(n) was met in the current column */
    SiltErr *err;
} Ddl;

static bool is_word_byte(unsigned char c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

static uint32_t simple_escape(char c)
{
    switch (c) {
    case '0':
        return 0;
    case 'b':
        return '\b';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'Z':
        return 26;
    default:
        return (unsigned char)c;
    }
}

/* Decode what is between quotes: a doubled quote is one; in strings a backslash escapes. False when it does not end. */
static bool scan_quoted(Ddl *ddl, char quote)
{
    StrBuf value = {0};
    const char *p = ddl->next + 1;
    bool closed = false;
    while (p < ddl->end) {
        if (*p == quote) {
            if (p + 1 < ddl->end && p[1] == quote) {
                p++;
            } else {
                p++;
                closed = true;
                break;
            }
        } else if (*p == '\\' && quote != '`' && p + 1 < ddl->end) {
            p++;
            if (*p == '%' || *p == '_') /* kept with the backslash, for LIKE */
                str_buf_putc(&value, '\\');
            str_buf_putc(&value, (char)simple_escape(*p++));
            continue;
        }
        str_buf_putc(&value, *p++);
    }
    ddl->token.text = (Str){ddl->next, (size_t)(p - ddl->next)};
    ddl->token.value = arena_strndup(ddl->arena, str_buf_text(&value), value.size);
    ddl->next = p;
    str_buf_fini(&value);
    return closed;
}

static void advance(Ddl *ddl)
{
    while (ddl->next < ddl->end && isspace((unsigned char)*ddl->next))
        ddl->next++;
    const char *p = ddl->next;
    ddl->token = (Token){.kind = TOKEN_END, .text = {p, 0}};
    if (p == ddl->end)
        return;
    if (is_word_byte((unsigned char)*p)) {
        while (p < ddl->end && is_word_byte((unsigned char)*p))
            p++;
        ddl->token.kind = TOKEN_WORD;
        ddl->token.text = (Str){ddl->next, (size_t)(p - ddl->next)};
        ddl->token.value = arena_strndup(ddl->arena, ddl->next, ddl->token.text.size);
        ddl->next = p;
    } else if (*p == '`') {
        ddl->token.kind = scan_quoted(ddl, '`') ? TOKEN_QUOTED : TOKEN_BAD;
    } else if (*p == '\'' || *p == '"') {
        ddl->token.kind = scan_quoted(ddl, *p) ? TOKEN_STRING : TOKEN_BAD;
    } else {
        ddl->token.kind = strchr("<>(),:", *p) ? TOKEN_SIGN : TOKEN_BAD;
        ddl->token.text = (Str){p, 1};
        ddl->next = p + 1;
    }
}

static SiltPos pos_of(const Ddl *ddl, Str at)
{
    SiltPos pos = {.line = 1, .column = 1};
    for (const char *p = ddl->text.ptr; p < at.ptr; p++) {
        if (*p == '\n') {
            pos.line++;
            pos.column = 1;
        } else if (((unsigned char)*p & 0xC0) != 0x80) {
            pos.column++;
        }
    }
    for (size_t i = 0; i < at.size; i++)
        pos.length += ((unsigned char)at.ptr[i] & 0xC0) != 0x80;
    return pos;
}

static int fail_expected(Ddl *ddl, const char *expected)
{
    const Token *t = &ddl->token;
    if (t->kind == TOKEN_END)
        silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, t->text), "expected %s, found the end of the type", expected);
    else
        silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, t->text), "expected %s, found \"%.*s\"", expected,
                     (int)(t->text.size < 80 ? t->text.size : 80), t->text.ptr);
    return silt_code(ddl->err, "PARSE_SYNTAX_ERROR");
}

static bool at_sign(const Ddl *ddl, char sign)
{
    return ddl->token.kind == TOKEN_SIGN && *ddl->token.text.ptr == sign;
}

static bool at_word(const Ddl *ddl, const char *word)
{
    return ddl->token.kind == TOKEN_WORD && str_is_nocase(ddl->token.text, word);
}

static bool skip_word(Ddl *ddl, const char *word)
{
    if (!at_word(ddl, word))
        return false;
    advance(ddl);
    return true;
}

static int expect_sign(Ddl *ddl, char sign)
{
    if (!at_sign(ddl, sign))
        return fail_expected(ddl, (char[]){'"', sign, '"', 0});
    advance(ddl);
    return 0;
}

static int expect_word(Ddl *ddl, const char *word)
{
    return skip_word(ddl, word) ? 0 : fail_expected(ddl, word);
}

static int expect_number(Ddl *ddl, int64_t *out)
{
    if (ddl->token.kind != TOKEN_WORD || !str_to_int64(ddl->token.text, out))
        return fail_expected(ddl, "a number");
    advance(ddl);
    return 0;
}

static int parse_type(Ddl *ddl, const Type **out);

static int parse_decimal(Ddl *ddl, const Type **out)
{
    int64_t precision = 10, scale = 0;
    Str at = ddl->token.text;
    if (at_sign(ddl, '(')) {
        advance(ddl);
        at = ddl->token.text;
        SILT_TRY(expect_number(ddl, &precision));
        if (at_sign(ddl, ',')) {
            advance(ddl);
            SILT_TRY(expect_number(ddl, &scale));
        }
        SILT_TRY(expect_sign(ddl, ')'));
    }
    if (precision > 38) {
        silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, at), "decimal precision %lld exceeds the greatest, 38", (long long)precision);
        return silt_code(ddl->err, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION");
    }
    if (precision < 1 || scale < 0 || scale > precision) {
        silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, at), "decimal scale %lld does not fit precision %lld", (long long)scale,
                     (long long)precision);
        return silt_code(ddl->err, "DATATYPE_MISMATCH");
    }
    *out = type_decimal((int)precision, (int)scale);
    return 0;
}

static int interval_unit(const Ddl *ddl)
{
    static const char *const units[] = {"year", "month", "day", "hour", "minute", "second"};
    for (int i = 0; i < 6; i++)
        if (at_word(ddl, units[i]))
            return i;
    return -1;
}

/* After INTERVAL: nothing, or one unit, or unit TO unit of the same family. */
static int parse_interval(Ddl *ddl, const Type **out)
{
    int from = interval_unit(ddl);
    if (from < 0) {
        *out = type_simple(TYPE_INTERVAL);
        return 0;
    }
    advance(ddl);
    int to = from;
    if (skip_word(ddl, "to")) {
        to = interval_unit(ddl);
        if (to <= from || (from < 2) != (to < 2))
            return fail_expected(ddl, from < 2 ? "MONTH" : "a smaller unit of time");
        advance(ddl);
    }
    *out = from < 2 ? type_interval_ym(from, to) : type_interval_dt(from - 2, to - 2);
    return 0;
}

static int parse_column(Ddl *ddl, TypeField *field)
{
    if (ddl->token.kind != TOKEN_WORD && ddl->token.kind != TOKEN_QUOTED)
        return fail_expected(ddl, "a column name");
    *field = (TypeField){.name = ddl->token.value, .nullable = true};
    advance(ddl);
    if (at_sign(ddl, ':'))
        advance(ddl);

    bool outer_has_char = ddl->has_char;
    ddl->has_char = false;
    Str type_at = ddl->token.text;
    SILT_TRY(parse_type(ddl, &field->type));
    if (ddl->has_char) { /* Spark keeps the declared type as metadata of a string column */
        silt_auto(str_buf_fini) StrBuf text = {0};
        str_buf_puts(&text, "{\"__CHAR_VARCHAR_TYPE_STRING\":\"");
        for (const char *p = type_at.ptr; p < ddl->token.text.ptr; p++)
            if (!isspace((unsigned char)*p) && *p != '"' && *p != '\\')
                str_buf_putc(&text, (char)tolower((unsigned char)*p));
        str_buf_puts(&text, "\"}");
        field->metadata_json = arena_strdup(ddl->arena, text.ptr);
    }
    ddl->has_char |= outer_has_char;

    if (skip_word(ddl, "not")) {
        SILT_TRY(expect_word(ddl, "NULL"));
        field->nullable = false;
    }
    if (skip_word(ddl, "comment")) {
        if (ddl->token.kind != TOKEN_STRING)
            return fail_expected(ddl, "a string");
        field->comment = ddl->token.value;
        advance(ddl);
    }
    return 0;
}

static int parse_columns(Ddl *ddl, const Type **out)
{
    TypeField *fields = NULL;
    int count = 0, capacity = 0;
    for (;;) {
        TypeField field;
        SILT_TRY(parse_column(ddl, &field));
        ARENA_PUSH(ddl->arena, fields, count, capacity, field);
        if (!at_sign(ddl, ','))
            break;
        advance(ddl);
    }
    *out = type_struct(ddl->arena, fields, count);
    return 0;
}

typedef struct TypeName {
    const char *name;
    TypeKind kind;
} TypeName;

/* What needs no parameters. The rest is in parse_named. */
static const TypeName type_names[] = {
    {"boolean", TYPE_BOOLEAN},
    {"tinyint", TYPE_BYTE},
    {"byte", TYPE_BYTE},
    {"smallint", TYPE_SHORT},
    {"short", TYPE_SHORT},
    {"int", TYPE_INT},
    {"integer", TYPE_INT},
    {"bigint", TYPE_LONG},
    {"long", TYPE_LONG},
    {"float", TYPE_FLOAT},
    {"real", TYPE_FLOAT},
    {"double", TYPE_DOUBLE},
    {"string", TYPE_STRING},
    {"binary", TYPE_BINARY},
    {"date", TYPE_DATE},
    {"timestamp", TYPE_TIMESTAMP},
    {"timestamp_ltz", TYPE_TIMESTAMP},
    {"timestamp_ntz", TYPE_TIMESTAMP_NTZ},
    {"variant", TYPE_VARIANT},
    {"void", TYPE_VOID},
    {"null", TYPE_VOID},
    {"calendarinterval", TYPE_INTERVAL},
};
enum { TYPE_NAME_COUNT = sizeof type_names / sizeof *type_names };

static int fail_unknown_type(Ddl *ddl, const Token *word)
{
    const char *candidates[TYPE_NAME_COUNT + 6];
    int count = 0;
    for (; count < TYPE_NAME_COUNT; count++)
        candidates[count] = type_names[count].name;
    static const char *const parametric[] = {"decimal", "varchar", "array", "map", "struct", "interval"};
    for (int i = 0; i < 6; i++)
        candidates[count++] = parametric[i];
    silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, word->text), "data type \"%.*s\" is not supported",
                 (int)(word->text.size < 80 ? word->text.size : 80), word->text.ptr);
    const char *near = str_nearest(word->text, candidates, count);
    if (near)
        silt_hint(ddl->err, "Did you mean %s?", near);
    return silt_code(ddl->err, "UNSUPPORTED_DATATYPE");
}

static int parse_named(Ddl *ddl, const Type **out)
{
    Token word = ddl->token;
    if (word.kind != TOKEN_WORD)
        return fail_expected(ddl, "a data type");
    advance(ddl);

    for (int i = 0; i < TYPE_NAME_COUNT; i++)
        if (str_is_nocase(word.text, type_names[i].name)) {
            *out = type_simple(type_names[i].kind);
            return 0;
        }
    if (str_is_nocase(word.text, "decimal") || str_is_nocase(word.text, "dec") || str_is_nocase(word.text, "numeric"))
        return parse_decimal(ddl, out);
    if (str_is_nocase(word.text, "interval"))
        return parse_interval(ddl, out);
    if (str_is_nocase(word.text, "char") || str_is_nocase(word.text, "character") || str_is_nocase(word.text, "varchar")) {
        int64_t size;
        SILT_TRY(expect_sign(ddl, '('));
        SILT_TRY(expect_number(ddl, &size));
        SILT_TRY(expect_sign(ddl, ')'));
        ddl->has_char = true;
        *out = type_simple(TYPE_STRING);
        return 0;
    }
    if (str_is_nocase(word.text, "time")) {
        int64_t precision = 6;
        if (at_sign(ddl, '(')) {
            advance(ddl);
            SILT_TRY(expect_number(ddl, &precision));
            SILT_TRY(expect_sign(ddl, ')'));
        }
        if (precision < 0 || precision > 6) {
            silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, word.text), "precision of TIME must be from 0 to 6");
            return silt_code(ddl->err, "UNSUPPORTED_TIME_PRECISION");
        }
        *out = type_time((int)precision);
        return 0;
    }
    if (str_is_nocase(word.text, "array")) {
        const Type *element;
        SILT_TRY(expect_sign(ddl, '<'));
        SILT_TRY(parse_type(ddl, &element));
        SILT_TRY(expect_sign(ddl, '>'));
        *out = type_array(ddl->arena, element, true);
        return 0;
    }
    if (str_is_nocase(word.text, "map")) {
        const Type *key, *value;
        SILT_TRY(expect_sign(ddl, '<'));
        SILT_TRY(parse_type(ddl, &key));
        SILT_TRY(expect_sign(ddl, ','));
        SILT_TRY(parse_type(ddl, &value));
        SILT_TRY(expect_sign(ddl, '>'));
        *out = type_map(ddl->arena, key, value, true);
        return 0;
    }
    if (str_is_nocase(word.text, "struct")) {
        SILT_TRY(expect_sign(ddl, '<'));
        if (at_sign(ddl, '>')) {
            silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, word.text), "a struct without fields is not supported");
            return silt_code(ddl->err, "UNSUPPORTED_DATATYPE");
        }
        SILT_TRY(parse_columns(ddl, out));
        return expect_sign(ddl, '>');
    }
    return fail_unknown_type(ddl, &word);
}

static int parse_type(Ddl *ddl, const Type **out)
{
    if (ddl->depth == TYPE_DEPTH_MAX)
        return silt_fail_at(ddl->err, SILT_CONFIG, pos_of(ddl, ddl->token.text), "the type is nested deeper than %d levels", TYPE_DEPTH_MAX);
    ddl->depth++;
    int r = parse_named(ddl, out);
    ddl->depth--;
    return r;
}

static int parse_whole(Arena *arena, Str text, int (*rule)(Ddl *, const Type **), const Type **out, SiltErr *err, const char **reached)
{
    Ddl ddl = {.arena = arena, .text = text, .next = text.ptr, .end = text.ptr + text.size, .err = err};
    advance(&ddl);
    int r = rule(&ddl, out);
    if (r == 0 && ddl.token.kind != TOKEN_END)
        r = fail_expected(&ddl, rule == parse_type ? "the end of the type" : "\",\" or the end of the columns");
    *reached = ddl.token.text.ptr;
    return r;
}

int type_parse_ddl(Arena *arena, Str text, bool allow_single, const Type **out, SiltErr *err)
{
    const char *single_reached = NULL, *columns_reached;
    const Type *type = NULL;
    SiltErr single_err;
    if (allow_single && parse_whole(arena, text, parse_type, &type, &single_err, &single_reached) == 0) {
        *out = type;
        return 0;
    }
    int r = parse_whole(arena, text, parse_columns, &type, err, &columns_reached);
    if (r == 0)
        *out = type;
    else if (allow_single && err && single_reached >= columns_reached) /* the reading that came as far tells more */
        *err = single_err;
    return r;
}
