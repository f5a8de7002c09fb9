/* sql/parser_type.c - data types, as in CAST and column lists */
#include "duck/collation.h"
#include "sql/parser.h"

#include <string.h>

/* (n) or (n, m); how many were there. */
static int parse_parameters(Parser *p, int64_t *out)
{
    int count = 0, open = p->at;
    if (!accept(p, TOK_LPAREN))
        return 0;
    do {
        if (!is_kind(p, TOK_INTEGER) || count == 2) {
            sql__parse_expected(p, count == 2 ? "\")\"" : "a whole number");
            return 0;
        }
        if (!str_to_int64(sql__token_text(p, peek(p, 0)), &out[count]))
            out[count] = INT32_MAX;
        count++;
        step(p);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
    return count;
}

static const Type *parse_decimal(Parser *p)
{
    SiltPos pos = sql__here(p);
    int64_t sizes[2] = {10, 0};
    step(p);
    parse_parameters(p, sizes);
    pos = sql__span(p, pos);
    if (sizes[0] > 38)
        sql__parse_fail(p, pos, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "decimal precision %lld is above the maximum of 38", (long long)sizes[0]);
    else if (sizes[0] < 1)
        sql__parse_fail(p, pos, NULL, "decimal precision must be at least 1");
    else if (sizes[1] > sizes[0])
        sql__parse_fail(p, pos, "_LEGACY_ERROR_TEMP_1228", "decimal scale %lld is above its precision %lld", (long long)sizes[1], (long long)sizes[0]);
    return p->failed ? type_simple(TYPE_VOID) : type_decimal((int)sizes[0], (int)sizes[1]);
}

/* ">", also as the first half of ">>", ">>>" or ">=", whose rest is left as a token. */
static void expect_angle(Parser *p, int open)
{
    Token *token = &p->lexed->tokens[p->at];
    if (is_kind(p, TOK_SHIFT_RIGHT) || is_kind(p, TOK_SHIFT_RIGHT_UNSIGNED) || is_kind(p, TOK_GE)) {
        token->kind = is_kind(p, TOK_SHIFT_RIGHT) ? TOK_GT : is_kind(p, TOK_GE) ? TOK_EQ : TOK_SHIFT_RIGHT;
        token->offset++;
        token->size--;
        token->column++;
        token->length--;
    } else if (!accept(p, TOK_GT)) {
        sql__parse_expected(p, "\">\" to close the \"<\" at %d:%d", p->tokens[open].line, p->tokens[open].column);
    }
}

static const Type *parse_struct(Parser *p)
{
    TypeField *fields = NULL;
    int count = 0, capacity = 0, open = p->at;
    if (is_kind(p, TOK_NE) || (is_kind(p, TOK_LT) && peek(p, 1)->kind == TOK_GT)) { /* STRUCT<>: a type that DuckDB does not have */
        sql__parse_fail(p, sql__here(p), "UNSUPPORTED_DATATYPE", "a struct without fields is not supported");
        return type_simple(TYPE_VOID);
    }
    sql__expect(p, TOK_LT, "\"<\"");
    do {
        TypeField field = {.name = sql__parse_name(p, "a field name"), .nullable = true};
        accept(p, TOK_COLON);
        field.type = sql__parse_any_type(p);
        if (accept_keywords(p, KW_NOT, KW_NULL))
            field.nullable = false;
        if (accept_keyword(p, KW_COMMENT))
            field.comment = sql__parse_text(p, "a comment in quotes");
        ARENA_PUSH(p->arena, fields, count, capacity, field);
    } while (accept(p, TOK_COMMA));
    expect_angle(p, open);
    return type_struct(p->arena, fields, count);
}

static int interval_unit(Parser *p, bool *months)
{
    static const struct {
        Keyword word;
        bool months;
        int unit;
    } units[] = {{KW_YEAR, true, 0}, {KW_MONTH, true, 1}, {KW_DAY, false, 0}, {KW_HOUR, false, 1}, {KW_MINUTE, false, 2}, {KW_SECOND, false, 3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (accept_keyword(p, units[i].word)) {
            *months = units[i].months;
            return units[i].unit;
        }
    }
    return -1;
}

static const Type *parse_interval_type(Parser *p)
{
    SiltPos pos = sql__here(p);
    bool months = false, to_months = false;
    step(p);
    int from = interval_unit(p, &months), to = from;
    if (from < 0)
        return type_simple(TYPE_INTERVAL);
    if (accept_keyword(p, KW_TO)) {
        to = interval_unit(p, &to_months);
        if (to < 0)
            sql__parse_expected(p, months ? "MONTH" : "HOUR, MINUTE or SECOND");
        else if (to_months != months || to <= from)
            sql__parse_fail(p, sql__span(p, pos), "_LEGACY_ERROR_TEMP_0028", "interval type cannot go from its first unit to its second");
    }
    return months ? type_interval_ym(from, to < 0 ? from : to) : type_interval_dt(from, to < 0 ? from : to);
}

static const struct {
    const char *name;
    TypeKind kind;
} simple_types[] = {{"BOOLEAN", TYPE_BOOLEAN}, {"TINYINT", TYPE_BYTE},   {"BYTE", TYPE_BYTE},   {"SMALLINT", TYPE_SHORT}, {"SHORT", TYPE_SHORT},
                    {"INT", TYPE_INT},         {"INTEGER", TYPE_INT},    {"BIGINT", TYPE_LONG}, {"LONG", TYPE_LONG},      {"FLOAT", TYPE_FLOAT},
                    {"REAL", TYPE_FLOAT},      {"DOUBLE", TYPE_DOUBLE},  {"DATE", TYPE_DATE},   {"TIMESTAMP", TYPE_TIMESTAMP},
                    {"TIMESTAMP_LTZ", TYPE_TIMESTAMP}, {"TIMESTAMP_NTZ", TYPE_TIMESTAMP_NTZ}, {"STRING", TYPE_STRING}, {"BINARY", TYPE_BINARY},
                    {"VOID", TYPE_VOID},       {"VARIANT", TYPE_VARIANT}};

/* Names for "did you mean". */
static const char *const type_names[] = {"BOOLEAN", "TINYINT", "SMALLINT", "INT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ",
                                         "STRING", "BINARY", "VARIANT", "DECIMAL", "NUMERIC", "ARRAY", "MAP", "STRUCT", "VARCHAR", "CHAR", "INTERVAL"};

static void unknown_type(Parser *p)
{
    static const struct {
        const char *other, *ours;
    } foreign[] = {{"TEXT", "STRING"}, {"DATETIME", "TIMESTAMP"}, {"TIMESTAMPTZ", "TIMESTAMP"}, {"INT8", "BIGINT"}, {"INT4", "INT"}, {"BLOB", "BINARY"},
                   {"BYTEA", "BINARY"}, {"BOOL", "BOOLEAN"}, {"JSON", "STRING or VARIANT"}, {"UUID", "STRING"}, {"NUMBER", "DECIMAL"}, {"JSONB", "VARIANT"}};
    Str name = sql__token_text(p, peek(p, 0));
    if (!sql__parse_fail(p, sql__here(p), "UNSUPPORTED_DATATYPE", "unknown data type \"%.*s\"", (int)(name.size < 100 ? name.size : 100), name.ptr))
        return;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (str_is_nocase(name, foreign[i].other)) {
            silt_hint(&p->err, "In Spark SQL it is %s.", foreign[i].ours);
            return;
        }
    }
    const char *near = str_nearest(name, type_names, (int)(sizeof type_names / sizeof *type_names));
    if (near)
        silt_hint(&p->err, "Did you mean %s?", near);
}

/* The collation behind STRING COLLATE. */
static const Type *parse_collated(Parser *p)
{
    SiltPos pos = sql__here(p);
    const char *name = sql__parse_collation(p);
    int collation = p->failed ? COLLATION_UTF8_BINARY : collation_find(str_of(name));
    if (collation < 0)
        sql__parse_fail(p, pos, "COLLATION_INVALID_NAME", "there is no collation \"%s\"", name);
    else if (!collation_is_known(collation))
        sql__parse_fail(p, pos, "UNSUPPORTED_FEATURE.COLLATION", "the collation %s is not there yet", name);
    return p->failed ? type_simple(TYPE_STRING) : type_collated(p->arena, collation, COLLATION_IMPLICIT);
}

static const Type *parse_named_type(Parser *p)
{
    Str name = sql__token_text(p, peek(p, 0));
    int64_t sizes[2] = {6, 0};
    for (size_t i = 0; i < sizeof simple_types / sizeof *simple_types; i++) {
        if (!str_is_nocase(name, simple_types[i].name))
            continue;
        step(p);
        if (simple_types[i].kind == TYPE_STRING && accept_keyword(p, KW_COLLATE))
            return parse_collated(p);
        return type_simple(simple_types[i].kind);
    }
    SiltPos pos = sql__here(p);
    switch (keyword_at(p, 0)) {
    case KW_DECIMAL:
    case KW_DEC:
    case KW_NUMERIC:
        return parse_decimal(p);
    case KW_CHAR:
    case KW_CHARACTER:
    case KW_VARCHAR:
        step(p);
        if (parse_parameters(p, sizes) != 1 && !p->failed)
            sql__parse_fail(p, pos, "DATATYPE_MISSING_SIZE", "data type needs a length, as in VARCHAR(10)");
        return type_simple(TYPE_STRING);
    case KW_TIME: {
        step(p);
        if (parse_parameters(p, sizes) && (sizes[0] < 0 || sizes[0] > 6))
            sql__parse_fail(p, pos, "UNSUPPORTED_TIME_PRECISION", "precision of TIME must be from 0 to 6");
        return type_time(p->failed ? 6 : (int)sizes[0]);
    }
    case KW_INTERVAL:
        return parse_interval_type(p);
    case KW_ARRAY:
    case KW_MAP: {
        bool map = is_keyword(p, KW_MAP);
        int open = p->at + 1;
        step(p);
        sql__expect(p, TOK_LT, map ? "\"<\" and the types of key and value" : "\"<\" and the type of the elements");
        const Type *first = sql__parse_any_type(p), *second = NULL;
        if (map) {
            sql__expect(p, TOK_COMMA, "\",\" and the type of the values");
            second = sql__parse_any_type(p);
        }
        if (!p->failed)
            expect_angle(p, open);
        return map ? type_map(p->arena, first, second, true) : type_array(p->arena, first, true);
    }
    case KW_STRUCT:
        step(p);
        return parse_struct(p);
    default:
        unknown_type(p);
        return type_simple(TYPE_VOID);
    }
}

const char *sql__parse_collation(Parser *p)
{
    SqlName name = sql__parse_qualified(p, "a collation");
    silt_auto(str_buf_fini) StrBuf text = {0};
    if (name.count == 3 && !strcasecmp(name.parts[0], "SYSTEM") && !strcasecmp(name.parts[1], "BUILTIN"))
        return name.parts[2];
    for (int i = 0; i < name.count; i++)
        str_buf_printf(&text, i ? ".%s" : "%s", name.parts[i]);
    return arena_strndup(p->arena, str_buf_text(&text), text.size);
}

const Type *sql__parse_type(Parser *p)
{
    SiltPos pos = sql__here(p);
    const Type *type = sql__parse_any_type(p);
    if (!p->failed && type_has_collation(type))
        sql__parse_refuse(p, pos, "a collation other than UTF8_BINARY here", "A query may say x COLLATE name where it compares.");
    return type;
}

const Type *sql__parse_any_type(Parser *p)
{
    const Type *type = type_simple(TYPE_VOID);
    if (!is_kind(p, TOK_WORD))
        sql__parse_expected(p, "a data type");
    else if (sql__enter(p))
        type = parse_named_type(p);
    sql__leave(p);
    return type;
}
