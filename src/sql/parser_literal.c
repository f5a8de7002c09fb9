/* sql/parser_literal.c - numbers, strings, typed literals, intervals */
#include "sql/parser.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static Expr *literal_new(Parser *p, SiltPos pos, const Type *type, Str text)
{
    Expr *expr = sql__expr_new(p, EXPR_LITERAL, pos);
    expr->type = type;
    expr->text = arena_strndup(p->arena, text.ptr, text.size);
    sql__expr_done(p, expr);
    return expr;
}

static void out_of_range(Parser *p, Expr *expr, const char *type, const char *low, const char *high)
{
    if (sql__parse_fail(p, expr->pos, "INVALID_NUMERIC_LITERAL_RANGE", "number %s is outside the range of %s", expr->text, type))
        silt_hint(&p->err, "%s holds numbers from %s to %s.", type, low, high);
}

/*
 * Digits with a point and an exponent, as Spark's decimal: "1.50" is decimal(3,2), "0.001" decimal(3,3), "1e3" decimal(4,0).
 * Fills literal with plain digits.
 */
static void set_decimal(Parser *p, Expr *expr, const char *number)
{
    silt_auto(str_buf_fini) StrBuf digits = {0};
    int scale = 0;
    bool negative = *number == '-', point = false;
    const char *c = number + negative;
    for (; *c && (*c | 0x20) != 'e'; c++) {
        if (*c == '.') {
            point = true;
        } else {
            if (digits.size || *c != '0')
                str_buf_putc(&digits, *c);
            scale += point;
        }
    }
    long exponent = *c ? strtol(c + 1, NULL, 10) : 0;
    if (exponent < -1000 || exponent > 1000 || scale - exponent > 38 || (long)digits.size - scale + exponent > 38) {
        if (sql__parse_fail(p, expr->pos, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "number %s has more than the 38 digits of a decimal", number))
            silt_hint(&p->err, "Write it with the suffix D for a double.");
        return;
    }
    scale -= (int)exponent;
    for (; scale < 0; scale++) {
        if (digits.size)
            str_buf_putc(&digits, '0');
    }
    int precision = digits.size ? (int)digits.size : 1;
    if (precision < scale)
        precision = scale;
    if (precision > 38) {
        if (sql__parse_fail(p, expr->pos, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "number %s has more than the 38 digits of a decimal", number))
            silt_hint(&p->err, "Write it with the suffix D for a double.");
        return;
    }
    silt_auto(str_buf_fini) StrBuf plain = {0};
    int whole = (int)digits.size - scale;
    if (negative)
        str_buf_putc(&plain, '-');
    if (whole <= 0)
        str_buf_putc(&plain, '0');
    else
        str_buf_add(&plain, digits.ptr, (size_t)whole);
    if (scale) {
        str_buf_putc(&plain, '.');
        for (int i = whole; i < 0; i++)
            str_buf_putc(&plain, '0');
        if (digits.size)
            str_buf_add(&plain, digits.ptr + (whole > 0 ? whole : 0), digits.size - (size_t)(whole > 0 ? whole : 0));
    }
    expr->literal = arena_str(p->arena, str_buf_view(&plain));
    expr->type = type_decimal(precision, scale);
}

static void set_integer(Parser *p, Expr *expr, const char *number, char suffix)
{
    static const struct {
        char suffix;
        TypeKind kind;
        const char *name, *low, *high;
        int64_t bound;
    } kinds[] = {{'Y', TYPE_BYTE, "TINYINT", "-128", "127", INT8_MAX},
                 {'S', TYPE_SHORT, "SMALLINT", "-32768", "32767", INT16_MAX},
                 {'L', TYPE_LONG, "BIGINT", "-9223372036854775808", "9223372036854775807", INT64_MAX}};
    int64_t value = 0;
    bool fits = str_to_int64(str_of(number), &value);
    expr->literal_int = value;
    if (!suffix) {
        if (fits)
            expr->type = type_simple(value >= INT32_MIN && value <= INT32_MAX ? TYPE_INT : TYPE_LONG);
        else
            set_decimal(p, expr, number);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (kinds[i].suffix != suffix)
            continue;
        expr->type = type_simple(kinds[i].kind);
        if (!fits || value > kinds[i].bound || value < -kinds[i].bound - 1)
            out_of_range(p, expr, kinds[i].name, kinds[i].low, kinds[i].high);
    }
}

static void set_double(Parser *p, Expr *expr, const char *number, bool single)
{
    expr->type = type_simple(single ? TYPE_FLOAT : TYPE_DOUBLE);
    expr->literal_double = single ? (double)strtof(number, NULL) : strtod(number, NULL);
    /* Spark compares with the exact value of the greatest FLOAT, so that its own shortest text, 3.4028235E38, is too great */
    if (isinf(expr->literal_double) || (single && fabs(strtod(number, NULL)) > 3.4028234663852886e38))
        out_of_range(p, expr, single ? "FLOAT" : "DOUBLE", single ? "-3.4028234663852886E38" : "-1.7976931348623157E308",
                     single ? "3.4028234663852886E38" : "1.7976931348623157E308");
}

static Expr *parse_number(Parser *p, bool negative)
{
    SiltPos pos = sql__here(p);
    Str source = sql__token_text(p, peek(p, 0));
    step(p);
    Expr *expr = literal_new(p, pos, type_simple(TYPE_VOID), source);
    if (negative)
        expr->text = arena_printf(p->arena, "-%s", expr->text);
    char *number = arena_strdup(p->arena, expr->text);
    size_t size = strlen(number);
    char suffix = number[size - 1] & ~0x20;
    if (suffix >= 'A' && suffix <= 'Z') {
        size -= suffix == 'D' && (number[size - 2] & ~0x20) == 'B' ? 2 : 1;
        if (number[size] != number[strlen(number) - 1] || strlen(number) - size == 2)
            suffix = 'B';
        number[size] = 0;
    } else {
        suffix = 0;
    }
    if (suffix == 'B')
        set_decimal(p, expr, number);
    else if (suffix == 'F' || suffix == 'D')
        set_double(p, expr, number, suffix == 'F');
    else if (strpbrk(number, "eE"))
        set_double(p, expr, number, false);
    else if (strchr(number, '.'))
        set_decimal(p, expr, number);
    else
        set_integer(p, expr, number, suffix);
    return expr;
}

static void set_binary(Parser *p, Expr *expr, Str hex)
{
    size_t odd = hex.size % 2;
    char *bytes = arena_alloc(p->arena, hex.size / 2 + 2);
    for (size_t i = 0; i < hex.size; i++) {
        char c = hex.ptr[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
        if (digit < 0) {
            sql__parse_fail(p, expr->pos, "INVALID_TYPED_LITERAL", "X'..' holds a character that is no hexadecimal digit");
            return;
        }
        size_t nibble = i + odd; /* an odd count has a zero in front */
        bytes[nibble / 2] = (char)(bytes[nibble / 2] << 4 | digit);
    }
    expr->literal = (Str){bytes, (hex.size + odd) / 2};
}

/* DATE '..' and its like. */
static Expr *parse_typed(Parser *p)
{
    static const struct {
        Keyword word;
        TypeKind kind;
    } typed[] = {{KW_DATE, TYPE_DATE},           {KW_TIMESTAMP, TYPE_TIMESTAMP}, {KW_TIMESTAMP_NTZ, TYPE_TIMESTAMP_NTZ},
                 {KW_TIMESTAMP_LTZ, TYPE_TIMESTAMP}, {KW_TIME, TYPE_TIME}};
    SiltPos pos = sql__here(p);
    Expr *expr = NULL;
    if (kind_at(p, 1) != TOK_STRING)
        return NULL;
    Str word = sql__token_text(p, peek(p, 0));
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        if (!is_keyword(p, typed[i].word))
            continue;
        step(p);
        Str text = sql__parse_string(p, "a string");
        expr = literal_new(p, sql__span(p, pos), type_simple(typed[i].kind), text);
        expr->op = sql__keyword_text(typed[i].word);
        expr->literal = text;
        return expr;
    }
    if (str_is_nocase(word, "X")) {
        step(p);
        Str text = sql__parse_string(p, "a string");
        expr = literal_new(p, sql__span(p, pos), type_simple(TYPE_BINARY), text);
        set_binary(p, expr, text);
    }
    return expr;
}

Expr *sql__parse_literal(Parser *p, bool negative)
{
    SiltPos pos = sql__here(p);
    Expr *expr;
    switch (kind_at(p, 0)) {
    case TOK_INTEGER:
    case TOK_NUMBER:
        return parse_number(p, negative);
    case TOK_STRING: {
        Str text = sql__parse_string(p, "a string");
        expr = literal_new(p, sql__span(p, pos), type_simple(TYPE_STRING), text);
        expr->literal = text;
        return expr;
    }
    case TOK_WORD:
        break;
    default:
        return NULL;
    }
    Keyword word = keyword_at(p, 0);
    if ((word == KW_NULL || word == KW_TRUE || word == KW_FALSE) && kind_at(p, 1) != TOK_DOT && kind_at(p, 1) != TOK_LPAREN) {
        expr = literal_new(p, pos, type_simple(word == KW_NULL ? TYPE_VOID : TYPE_BOOLEAN), str_of(sql__keyword_text(word)));
        expr->literal_int = word == KW_TRUE;
        step(p);
        return expr;
    }
    return parse_typed(p);
}

/* ---- intervals ---- */

static const struct {
    const char *plural, *singular;
    int order; /* years 0, days 10: the two families */
} interval_units[] = {{"YEARS", "YEAR", 0},     {"MONTHS", "MONTH", 1},   {"WEEKS", "WEEK", 10},     {"DAYS", "DAY", 11},        {"HOURS", "HOUR", 12},
                      {"MINUTES", "MINUTE", 13}, {"SECONDS", "SECOND", 14}, {"MILLISECONDS", "MILLISECOND", 15}, {"MICROSECONDS", "MICROSECOND", 16},
                      {"NANOSECONDS", "NANOSECOND", 17}};

/* Index of the unit that a word names, or -1. */
static int find_unit(Str word)
{
    for (int i = 0; i < (int)(sizeof interval_units / sizeof *interval_units); i++) {
        if (str_is_nocase(word, interval_units[i].plural) || str_is_nocase(word, interval_units[i].singular))
            return i;
    }
    return -1;
}

static int unit_at(const Parser *p, int ahead)
{
    return kind_at(p, ahead) == TOK_WORD ? find_unit(sql__token_text(p, peek(p, ahead))) : -1;
}

static int parse_unit(Parser *p)
{
    int unit = unit_at(p, 0);
    if (unit < 0) {
        sql__parse_expected(p, "a unit: YEAR, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND, MILLISECOND or MICROSECOND");
        return 0;
    }
    step(p);
    return unit;
}

/* A value of an interval: a number or string with a sign. */
static Expr *parse_interval_value(Parser *p)
{
    SiltPos pos = sql__here(p);
    bool negative = is_kind(p, TOK_MINUS);
    if (negative || is_kind(p, TOK_PLUS))
        step(p);
    if (!is_kind(p, TOK_STRING))
        return sql__parse_literal(p, negative);
    Expr *expr = sql__parse_literal(p, false);
    if (negative) {
        Str text = str_trim(expr->literal);
        expr->literal = str_starts(text, "-") ? (Str){text.ptr + 1, text.size - 1}
                                              : str_of(arena_printf(p->arena, "-%.*s", (int)text.size, text.ptr));
        expr->literal = arena_str(p->arena, expr->literal);
        expr->text = expr->literal.ptr;
        expr->pos = sql__span(p, pos);
    }
    return expr;
}

static void add_unit(Parser *p, Expr *interval, Expr *value, int unit, int *capacity, int *unit_count, int *unit_capacity)
{
    ARENA_PUSH(p->arena, interval->args, interval->arg_count, *capacity, value);
    ARENA_PUSH(p->arena, interval->units, *unit_count, *unit_capacity, interval_units[unit].singular);
}

/* '1 day -2.5 hours': numbers and units by turns. False if it is something else. */
static bool split_text(Parser *p, Expr *interval, Expr *text)
{
    const char *c = text->literal.ptr, *end = c + text->literal.size;
    int capacity = 0, unit_count = 0, unit_capacity = 0;
    const char *blanks = " \t\r\n";
    Str trimmed = str_trim(text->literal);
    if (trimmed.size > 9 && str_is_nocase((Str){trimmed.ptr, 8}, "interval") && strchr(blanks, trimmed.ptr[8]))
        c = trimmed.ptr + 8;
    for (;;) {
        while (c < end && strchr(blanks, *c))
            c++;
        if (c == end)
            break;
        const char *from = c;
        if (*c == '-' || *c == '+') {
            c++;
            while (c < end && *c == ' ')
                c++;
        }
        const char *digits = c;
        while (c < end && ((*c >= '0' && *c <= '9') || *c == '.'))
            c++;
        Str number = {digits, (size_t)(c - digits)};
        while (c < end && strchr(blanks, *c))
            c++;
        const char *word = c;
        while (c < end && ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z'))
            c++;
        int unit = find_unit((Str){word, (size_t)(c - word)});
        if (!number.size || unit < 0 || (c < end && !strchr(blanks, *c)))
            return false;
        Expr *value = literal_new(p, text->pos, type_simple(TYPE_STRING), number);
        if (*from == '-')
            value->text = arena_printf(p->arena, "-%s", value->text);
        value->literal = str_of(value->text);
        add_unit(p, interval, value, unit, &capacity, &unit_count, &unit_capacity);
    }
    ARENA_PUSH(p->arena, interval->units, unit_count, unit_capacity, NULL);
    return interval->arg_count > 0;
}

static void check_units(Parser *p, Expr *interval)
{
    bool months = false, days = false;
    for (int i = 0; i < interval->arg_count; i++) {
        int unit = find_unit(str_of(interval->units[i]));
        *(interval_units[unit].order < 10 ? &months : &days) = true;
    }
    if (months && days && sql__parse_fail(p, interval->pos, "_LEGACY_ERROR_TEMP_0029", "interval mixes years or months with days or time"))
        silt_hint(&p->err, "Add two intervals one after the other, such as ts + INTERVAL 1 MONTH + INTERVAL 1 DAY.");
}

Expr *sql__parse_interval(Parser *p)
{
    if (!is_keyword(p, KW_INTERVAL))
        return NULL;
    TokenKind next = kind_at(p, 1), after = kind_at(p, 2);
    bool sign = (next == TOK_MINUS || next == TOK_PLUS) && (after == TOK_INTEGER || after == TOK_NUMBER || after == TOK_STRING);
    if (next != TOK_INTEGER && next != TOK_NUMBER && next != TOK_STRING && !sign)
        return NULL;
    if (sign && unit_at(p, 3) < 0)
        return NULL; /* a column named interval, plus or minus something */
    Expr *interval = sql__expr_new(p, EXPR_INTERVAL, sql__here(p));
    step(p);
    Expr *value = parse_interval_value(p);
    int capacity = 0, unit_count = 0, unit_capacity = 0;
    if (next == TOK_STRING && unit_at(p, 0) < 0) {
        if (!split_text(p, interval, value) && sql__parse_fail(p, value->pos, "INVALID_INTERVAL_FORMAT", "interval text is not numbers with units"))
            silt_hint(&p->err, "Write it like INTERVAL '1 day 2 hours', INTERVAL '1' DAY or INTERVAL '1 02:03:04' DAY TO SECOND.");
    } else {
        int unit = parse_unit(p);
        add_unit(p, interval, value, unit, &capacity, &unit_count, &unit_capacity);
        if (accept_keyword(p, KW_TO)) {
            int to = parse_unit(p);
            if (!p->failed && (interval_units[to].order <= interval_units[unit].order || interval_units[to].order / 10 != interval_units[unit].order / 10 ||
                               interval_units[to].order > 14 || interval_units[unit].order == 10))
                sql__parse_fail(p, interval->pos, "_LEGACY_ERROR_TEMP_0028", "interval cannot go from %s to %s", interval_units[unit].singular,
                                interval_units[to].singular);
            ARENA_PUSH(p->arena, interval->units, unit_count, unit_capacity, interval_units[to].singular);
        } else {
            for (;;) {
                next = kind_at(p, 0);
                int ahead = next == TOK_MINUS || next == TOK_PLUS ? 1 : 0;
                next = kind_at(p, ahead);
                if ((next != TOK_INTEGER && next != TOK_NUMBER && next != TOK_STRING) || unit_at(p, ahead + 1) < 0)
                    break;
                value = parse_interval_value(p);
                unit = parse_unit(p);
                add_unit(p, interval, value, unit, &capacity, &unit_count, &unit_capacity);
            }
            ARENA_PUSH(p->arena, interval->units, unit_count, unit_capacity, NULL);
        }
    }
    interval->pos = sql__span(p, interval->pos);
    if (p->failed)
        return p->nothing;
    check_units(p, interval);
    sql__expr_done(p, interval);
    return interval;
}
