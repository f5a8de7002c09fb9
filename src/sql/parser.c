/*
 * sql/parser.c - what all files of the parser stand on: failing, names, strings; and the way in
 *
 * Names and keywords. As in Spark's default mode no keyword is reserved, so what a word means depends on its place:
 *   - where a name must stand (behind AS, a dot, CREATE TABLE ...) any word is one;
 *   - where an expression begins, a word that begins a clause (FROM, WHERE, ...) is a column only if what follows it fits a
 *     column (`from, to`) and not the clause (`FROM t`);
 *   - an alias without AS may not be a word that begins the next clause.
 * Spark takes such words as names in a few more places (`SELECT a FROM` gives a column named FROM); here that is an error, for it is a slip.
 */
#include "sql/fold.h"
#include "sql/parser.h"

#include <stdio.h>
#include <string.h>

/* ---- positions ---- */

SiltPos sql__token_pos(const Parser *p, const Token *token)
{
    return (SiltPos){p->file, token->line, token->column, token->length};
}

SiltPos sql__here(const Parser *p)
{
    return sql__token_pos(p, peek(p, 0));
}

SiltPos sql__span(const Parser *p, SiltPos from)
{
    if (p->at > 0) {
        const Token *last = &p->tokens[p->at - 1];
        if (last->line == from.line && last->column + last->length > from.column)
            from.length = last->column + last->length - from.column;
    }
    return from;
}

Str sql__source(const Parser *p, int first)
{
    const Token *from = &p->tokens[first], *last = &p->tokens[p->at > first ? p->at - 1 : first];
    return (Str){p->lexed->text.ptr + from->offset, last->offset + last->size - from->offset};
}

Str sql__token_text(const Parser *p, const Token *token)
{
    return (Str){p->lexed->text.ptr + token->offset, token->size};
}

/* ---- failing ---- */

/* From now on the parser stands at the end (P1). */
static void stick(Parser *p)
{
    p->failed = true;
    p->at = p->stop = p->lexed->count - 1;
}

bool sql__parse_fail(Parser *p, SiltPos pos, const char *code, const char *fmt, ...)
{
    if (p->failed)
        return false;
    char message[sizeof p->err.message];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    silt_fail_at(&p->err, SILT_CONFIG, pos, "%s", message);
    silt_code(&p->err, code ? code : "PARSE_SYNTAX_ERROR");
    stick(p);
    return true;
}

void sql__parse_refuse(Parser *p, SiltPos pos, const char *what, const char *hint)
{
    if (sql__parse_fail(p, pos, "UNSUPPORTED_FEATURE", "%s is not supported", what) && hint)
        silt_hint(&p->err, "%s", hint);
}

/* Words that a name was probably meant to be when the next token does not fit. */
static const char *const clause_words[] = {"FROM",  "WHERE",     "GROUP",  "ORDER", "HAVING", "LIMIT", "JOIN",  "LEFT",    "RIGHT", "FULL",  "INNER",
                                           "CROSS", "UNION",     "EXCEPT", "USING", "WINDOW", "QUALIFY", "LATERAL", "SELECT", "BETWEEN", "LIKE", "AS", "AND", "OR",
                                           "OVER",  "PARTITION", "WATERMARK", "STREAM", "VALUES", "INTERSECT", "OFFSET", "COMMENT", "TBLPROPERTIES", "CONSTRAINT",
                                           "EXPECT", "TABLE", "VIEW", "PARTITIONED", "CLUSTER", "INSERT", "INTO", "NAME", "VIOLATION", "DELAY", "DUPLICATES"};

/* Two neighbours changed places: FORM for FROM. */
static bool is_swapped(Str a, const char *b)
{
    size_t i = 0;
    if (a.size != strlen(b))
        return false;
    while (i < a.size && (a.ptr[i] | 0x20) == (b[i] | 0x20))
        i++;
    return i + 1 < a.size && (a.ptr[i] | 0x20) == (b[i + 1] | 0x20) && (a.ptr[i + 1] | 0x20) == (b[i] | 0x20) &&
           str_is_nocase((Str){a.ptr + i + 2, a.size - i - 2}, b + i + 2);
}

static const char *misspelt(const Parser *p, const Token *token)
{
    if (token->kind != TOK_WORD || token->keyword || token->size < 3)
        return NULL;
    for (size_t i = 0; i < sizeof clause_words / sizeof *clause_words; i++) {
        if (is_swapped(sql__token_text(p, token), clause_words[i]))
            return clause_words[i];
    }
    const char *near = str_nearest(sql__token_text(p, token), clause_words, (int)(sizeof clause_words / sizeof *clause_words));
    return near && str_distance(str_of(near), sql__token_text(p, token), 2) <= (strlen(near) > 4 ? 2 : 1) ? near : NULL;
}

/* The innermost '(' of this statement that is open before token `at`, or -1. */
static int open_paren(const Parser *p, int at)
{
    int closed = 0;
    for (int i = at - 1; i >= 0 && p->tokens[i].kind != TOK_SEMICOLON; i--) {
        if (p->tokens[i].kind == TOK_RPAREN)
            closed++;
        else if (p->tokens[i].kind == TOK_LPAREN && !closed--)
            return i;
    }
    return -1;
}

static bool begins_expression(const Token *token)
{
    return token->kind == TOK_WORD || token->kind == TOK_QUOTED || token->kind == TOK_STRING || token->kind == TOK_INTEGER || token->kind == TOK_NUMBER;
}

static bool begins_select_clause(Keyword word)
{
    return word == KW_FROM || word == KW_WHERE || word == KW_GROUP || word == KW_HAVING || word == KW_QUALIFY || word == KW_WINDOW || word == KW_ORDER ||
           word == KW_LIMIT || word == KW_OFFSET;
}

/* The likeliest slip that explains why tokens[at] does not fit. */
static void hint_slip(Parser *p, int at, SiltErr *err)
{
    const Token *found = &p->tokens[at], *before = at > 0 ? &p->tokens[at - 1] : NULL;
    bool ends = found->kind == TOK_END || found->kind == TOK_SEMICOLON;
    if (before && before->kind == TOK_SEMICOLON)
        before = NULL;
    const char *near = misspelt(p, found);
    if (!near && before)
        near = misspelt(p, before);
    if (near && misspelt(p, found)) {
        silt_hint(err, "Did you mean %s?", near);
    } else if (near) {
        Str text = sql__token_text(p, before);
        silt_hint(err, "Did you mean %s instead of \"%.*s\"?", near, (int)text.size, text.ptr);
    } else if (found->kind == TOK_RPAREN && found->match < 0) {
        silt_hint(err, "No parenthesis is open here: there is one ) too many.");
    } else if (ends && open_paren(p, at) >= 0) {
        const Token *open = &p->tokens[open_paren(p, at)];
        silt_hint(err, "The parenthesis opened at line %d, column %d is not closed.", open->line, open->column);
    } else if (before && before->kind == TOK_COMMA && (ends || found->kind == TOK_RPAREN || found->keyword)) {
        silt_hint(err, "Remove the comma before it, or write what should follow it.");
    } else if (found->keyword == KW_FETCH || (before && before->size == 3 && str_is_nocase(sql__token_text(p, before), "TOP"))) {
        silt_hint(err, "Write LIMIT n at the end of the query.");
    } else if (before && (before->keyword == KW_GROUP || before->keyword == KW_ORDER || before->keyword == KW_PARTITION) && found->keyword != KW_BY) {
        silt_hint(err, "BY may be missing: %s BY.", sql__keyword_text((Keyword)before->keyword));
    } else if (before && found->kind == TOK_AMPERSAND && before->kind == TOK_AMPERSAND) {
        silt_hint(err, "Write AND.");
    } else if (found->kind == TOK_LBRACKET) {
        silt_hint(err, "An array is written array(1, 2).");
    } else if (begins_select_clause((Keyword)found->keyword) && before && !begins_select_clause((Keyword)before->keyword) && before->keyword != KW_SELECT) {
        silt_hint(err, "The clauses of a query stand in this order: SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY, LIMIT, OFFSET.");
    } else if (found->kind == TOK_STRING && *sql__token_text(p, found).ptr == '"') {
        silt_hint(err, "Double quotes make a string; a name is quoted with backticks.");
    } else if (found->kind == TOK_MINUS && before && (before->kind == TOK_WORD || before->kind == TOK_QUOTED) && found->joined) {
        silt_hint(err, "A name that holds a - needs backticks around it.");
    } else if (before && begins_expression(found) && !found->keyword && !before->keyword &&
               (begins_expression(before) || before->kind == TOK_RPAREN || before->kind == TOK_RBRACKET)) {
        Str text = sql__token_text(p, found);
        silt_hint(err, "A comma or an operator may be missing before %.*s.", (int)(text.size < 40 ? text.size : 40), text.ptr);
    }
}

void sql__parse_expected(Parser *p, const char *fmt, ...)
{
    if (p->failed)
        return;
    char what[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    int at = p->at;
    const Token *found = peek(p, 0);
    SiltPos pos = sql__token_pos(p, found);
    if (found->kind == TOK_ERROR) {
        const LexError *error = &p->lexed->errors[found->match];
        if (sql__parse_fail(p, pos, NULL, "%s", error->message) && error->hint)
            silt_hint(&p->err, "%s", error->hint);
        return;
    }
    Str text = sql__token_text(p, found);
    if (kind_at(p, 0) == TOK_END)
        sql__parse_fail(p, pos, NULL, "found the end of the statement, expected %s", what);
    else if (found->kind == TOK_QUESTION || (found->kind == TOK_COLON && peek(p, 1)->joined && sql__is_name(p, 1)))
        sql__parse_fail(p, pos, NULL, "found a parameter marker, expected %s", what);
    else if (text.size <= 60)
        sql__parse_fail(p, pos, NULL, found->kind == TOK_STRING || found->kind == TOK_QUOTED ? "found %.*s, expected %s" : "found \"%.*s\", expected %s",
                        (int)text.size, text.ptr, what);
    else
        sql__parse_fail(p, pos, NULL, "found a text of %zu bytes, expected %s", text.size, what);
    hint_slip(p, at, &p->err);
}

void sql__expect(Parser *p, TokenKind kind, const char *what)
{
    if (!accept(p, kind))
        sql__parse_expected(p, "%s", what);
}

void sql__expect_keyword(Parser *p, Keyword keyword)
{
    if (accept_keyword(p, keyword) || p->failed)
        return;
    const Token *found = peek(p, 0);
    int at = p->at;
    sql__parse_expected(p, "%s", sql__keyword_text(keyword));
    if (!p->err.hint[0] && found->kind == TOK_WORD && str_distance(sql__token_text(p, &p->tokens[at]), str_of(sql__keyword_text(keyword)), 2) <= 2)
        silt_hint(&p->err, "Did you mean %s?", sql__keyword_text(keyword));
}

void sql__expect_close(Parser *p, int open)
{
    if (accept(p, TOK_RPAREN) || p->failed)
        return;
    const Token *token = &p->tokens[open];
    sql__parse_expected(p, "\")\" to close the one at %d:%d", token->line, token->column);
}

/* ---- names and strings ---- */

bool sql__is_name(const Parser *p, int ahead)
{
    TokenKind kind = kind_at(p, ahead);
    return kind == TOK_WORD || kind == TOK_QUOTED;
}

const char *sql__parse_name(Parser *p, const char *what)
{
    const Token *token = peek(p, 0);
    if (!sql__is_name(p, 0)) {
        sql__parse_expected(p, "%s", what);
        return "";
    }
    Str text = sql__token_text(p, token);
    if (token->foreign) {
        if (sql__parse_fail(p, sql__here(p), "INVALID_IDENTIFIER", "the name %.*s needs backticks", (int)text.size, text.ptr))
            silt_hint(&p->err, "Without backticks a name holds only letters a to z, digits and _; write `%.*s`.", (int)text.size, text.ptr);
        return "";
    }
    step(p);
    if (token->kind == TOK_WORD)
        return arena_strndup(p->arena, text.ptr, text.size);
    char *name = arena_alloc(p->arena, text.size), *end = name;
    for (size_t i = 1; i + 1 < text.size; i++) {
        *end++ = text.ptr[i];
        if (text.ptr[i] == '`')
            i++;
    }
    *end = 0;
    return name;
}

SqlName sql__parse_qualified(Parser *p, const char *what)
{
    SqlName name = {.pos = sql__here(p)};
    int capacity = 0;
    do {
        const char *part = sql__parse_name(p, name.count ? "a name after the dot" : what);
        ARENA_PUSH(p->arena, name.parts, name.count, capacity, part);
    } while (accept(p, TOK_DOT));
    name.pos = sql__span(p, name.pos);
    return name;
}

static const Expr *first_column(const Expr *expr)
{
    if (expr->kind == EXPR_COLUMN)
        return expr;
    for (int i = 0; i < expr->arg_count; i++) {
        const Expr *column = first_column(expr->args[i]);
        if (column)
            return column;
    }
    return NULL;
}

/* Why the expression is no constant text. */
static void refuse_identifier(Parser *p, const Expr *expr)
{
    const Expr *column = first_column(expr);
    if (expr->kind == EXPR_LITERAL && expr->type->kind == TYPE_VOID)
        sql__parse_fail(p, expr->pos, "NOT_A_CONSTANT_STRING.WRONG_TYPE", "IDENTIFIER needs a name, not NULL");
    else if (expr->kind == EXPR_LITERAL)
        sql__parse_fail(p, expr->pos, "NOT_A_CONSTANT_STRING.WRONG_TYPE", "IDENTIFIER needs a text");
    else if (column)
        sql__parse_fail(p, column->pos, "NOT_A_CONSTANT_STRING.NOT_CONSTANT", "IDENTIFIER needs a constant text");
    else
        sql__parse_refuse(p, expr->pos, "IDENTIFIER of this expression", "Write the name as text in quotes, or by ||, concat, lower and upper of such texts.");
}

bool sql__parse_identifier(Parser *p, SqlName *out)
{
    if (!is_keyword(p, KW_IDENTIFIER) || kind_at(p, 1) != TOK_LPAREN || kind_at(p, 2) == TOK_RPAREN)
        return false;
    SiltPos pos = sql__here(p);
    silt_auto(str_buf_fini) StrBuf text = {0};
    step(p);
    int open = p->at;
    step(p);
    Expr *expr = sql__parse_expression(p);
    sql__expect_close(p, open);
    pos = sql__span(p, pos);
    *out = (SqlName){.parts = ARENA_ARRAY(p->arena, const char *, 1), .count = 1, .pos = pos};
    out->parts[0] = "";
    if (p->failed)
        return true;
    if (!sql__fold_text(expr, &text)) {
        refuse_identifier(p, expr);
        return true;
    }
    Lexed lexed; /* the text is a name in SQL's own spelling */
    sql__lex(p->arena, arena_str(p->arena, str_buf_view(&text)), (SiltPos){.line = 1, .column = 1}, &lexed);
    Parser inner = {.arena = p->arena, .file = p->file, .lexed = &lexed, .tokens = lexed.tokens, .stop = lexed.count - 1, .nothing = p->nothing};
    SqlName name = sql__parse_qualified(&inner, "a name");
    if (inner.failed || !is_kind(&inner, TOK_END)) {
        sql__parse_fail(p, pos, NULL, "the text in IDENTIFIER is not a name");
        return true;
    }
    name.pos = pos;
    *out = name;
    return true;
}

int sql__parse_placed_names(Parser *p, const char *what, const char ***out, SiltPos **positions)
{
    int count = 0, placed = 0, capacity = 0, places = 0, open = p->at;
    *out = NULL;
    *positions = NULL;
    sql__expect(p, TOK_LPAREN, "\"(\"");
    do {
        SiltPos pos = sql__here(p);
        const char *name = sql__parse_name(p, what);
        ARENA_PUSH(p->arena, *out, count, capacity, name);
        ARENA_PUSH(p->arena, *positions, placed, places, pos);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
    return count;
}

int sql__parse_name_list(Parser *p, const char *what, const char ***out)
{
    SiltPos *positions;
    return sql__parse_placed_names(p, what, out, &positions);
}

Str sql__parse_string(Parser *p, const char *what)
{
    if (!is_kind(p, TOK_STRING)) {
        sql__parse_expected(p, "%s", what);
        return (Str){"", 0};
    }
    silt_auto(str_buf_fini) StrBuf joined = {0};
    Str value = {"", 0};
    for (int count = 0; is_kind(p, TOK_STRING); count++) {
        const char *wrong = sql__string_value(p->arena, sql__token_text(p, peek(p, 0)), &value);
        if (wrong) {
            sql__parse_fail(p, sql__here(p), NULL, "%s", wrong);
            return (Str){"", 0};
        }
        step(p);
        if (!count && !is_kind(p, TOK_STRING))
            return value;
        str_buf_str(&joined, value);
    }
    return arena_str(p->arena, str_buf_view(&joined));
}

const char *sql__parse_text(Parser *p, const char *what)
{
    SiltPos pos = sql__here(p);
    Str value = sql__parse_string(p, what);
    if (memchr(value.ptr, 0, value.size))
        sql__parse_fail(p, pos, NULL, "text holds a NUL character");
    return value.ptr;
}

/* key of an option: 'a.b' or a.b or `a.b` */
static const char *parse_option_key(Parser *p)
{
    if (is_kind(p, TOK_STRING))
        return sql__parse_text(p, "a key");
    SqlName name = sql__parse_qualified(p, "a key");
    const char *key = name.parts[0];
    for (int i = 1; i < name.count; i++)
        key = arena_printf(p->arena, "%s.%s", key, name.parts[i]);
    return key;
}

/* value of an option: a string, number, TRUE or FALSE, as text */
static const char *parse_option_value(Parser *p)
{
    if (is_kind(p, TOK_STRING))
        return sql__parse_text(p, "a value");
    int first = p->at;
    accept(p, TOK_MINUS);
    if (is_kind(p, TOK_INTEGER) || is_kind(p, TOK_NUMBER) || (first == p->at && (is_keyword(p, KW_TRUE) || is_keyword(p, KW_FALSE)))) {
        bool word = is_kind(p, TOK_WORD), no = is_keyword(p, KW_FALSE);
        step(p);
        Str text = sql__source(p, first);
        return word ? no ? "false" : "true" : arena_strndup(p->arena, text.ptr, text.size);
    }
    sql__parse_expected(p, "a value: a string, a number, TRUE or FALSE");
    return "";
}

int sql__parse_options(Parser *p, SqlOption **out)
{
    int count = 0, capacity = 0, open = p->at;
    *out = NULL;
    sql__expect(p, TOK_LPAREN, "\"(\"");
    do {
        SqlOption option = {.pos = sql__here(p)};
        option.key = parse_option_key(p);
        option.pos = sql__span(p, option.pos);
        accept(p, TOK_EQ);
        option.value_pos = sql__here(p);
        option.value = parse_option_value(p);
        option.value_pos = sql__span(p, option.value_pos);
        ARENA_PUSH(p->arena, *out, count, capacity, option);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
    return count;
}

/* Does the word at the current token begin a clause, as what follows it tells? */
static bool begins_clause(const Parser *p, bool of_table)
{
    Keyword word = keyword_at(p, 0), next = keyword_at(p, 1);
    TokenKind after = kind_at(p, 1);
    switch (word) {
    case KW_GROUP:
    case KW_ORDER:
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE:
        return next == KW_BY || after == TOK_END;
    case KW_FROM:
    case KW_WHERE:
    case KW_HAVING:
    case KW_QUALIFY:
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_SETMINUS:
    case KW_ON:
    case KW_USING:
    case KW_SELECT:
    case KW_AND:
    case KW_OR:
        return true;
    case KW_MINUS:
        return next == KW_SELECT || next == KW_ALL || next == KW_DISTINCT || next == KW_VALUES || next == KW_TABLE || next == KW_FROM || after == TOK_LPAREN;
    case KW_LIMIT:
    case KW_OFFSET:
        return after != TOK_COMMA && after != TOK_RPAREN && next != KW_FROM;
    case KW_WINDOW:
        return sql__is_name(p, 1) && keyword_at(p, 2) == KW_AS;
    case KW_LATERAL:
        return of_table || next == KW_VIEW;
    default:
        break;
    }
    if (!of_table) /* FOR: of PIVOT, behind its aggregates */
        return word == KW_AS || (word == KW_FOR && (after == TOK_LPAREN || keyword_at(p, 2) == KW_IN));
    switch (word) {
    case KW_JOIN:
    case KW_CROSS:
    case KW_INNER:
    case KW_LEFT:
    case KW_RIGHT:
    case KW_FULL:
    case KW_NATURAL:
    case KW_SEMI:
    case KW_ANTI:
    case KW_AS:
        return true;
    case KW_PIVOT:
    case KW_TABLESAMPLE:
        return after == TOK_LPAREN;
    case KW_UNPIVOT:
        return after == TOK_LPAREN || sql__is_word(p, 1, "INCLUDE") || sql__is_word(p, 1, "EXCLUDE");
    case KW_FETCH:
        return next == KW_FIRST;
    case KW_WATERMARK:
        return after != TOK_COMMA && after != TOK_RPAREN && after != TOK_END;
    case KW_DROP:
        return next == KW_DUPLICATES;
    case KW_VERSION:
    case KW_TIMESTAMP:
        return next == KW_AS && keyword_at(p, 2) == KW_OF;
    case KW_FOR:
        return next == KW_VERSION || next == KW_TIMESTAMP || next == KW_SYSTEM_VERSION || next == KW_SYSTEM_TIME;
    case KW_WITH:
        return after == TOK_LPAREN;
    default:
        return false;
    }
}

bool sql__is_word(const Parser *p, int ahead, const char *word)
{
    return kind_at(p, ahead) == TOK_WORD && str_is_nocase(sql__token_text(p, peek(p, ahead)), word);
}

bool sql__may_be_alias(const Parser *p, bool of_table)
{
    return sql__is_name(p, 0) && !begins_clause(p, of_table);
}

/* ---- nodes ---- */

Expr *sql__expr_new(Parser *p, ExprKind kind, SiltPos pos)
{
    Expr *expr = ARENA_NEW(p->arena, Expr);
    expr->kind = kind;
    expr->pos = pos;
    return expr;
}

/* ---- heights (P3): so that whoever walks a tree by recursion needs no limit of his own ---- */

static int higher(int height, const Expr *child)
{
    return child && child->height > height ? child->height : height;
}

static int higher_of(int height, Expr *const *exprs, int count)
{
    for (int i = 0; i < count; i++)
        height = higher(height, exprs[i]);
    return height;
}

static int higher_sort(int height, const SortItem *items, int count)
{
    for (int i = 0; i < count; i++)
        height = higher(height, items[i].expr);
    return height;
}

static int higher_window(int height, const WindowSpec *window)
{
    if (!window)
        return height;
    height = higher_of(height, window->partition_by, window->partition_count);
    height = higher_sort(height, window->order_by, window->order_count);
    return higher(higher(height, window->start_offset), window->end_offset);
}

static int higher_query(int height, const Query *query)
{
    return query && query->height > height ? query->height : height;
}

static int higher_items(int height, const SelectItem *items, int count)
{
    for (int i = 0; i < count; i++)
        height = higher(height, items[i].expr);
    return height;
}

static int pivot_height(int height, const Pivot *pivot)
{
    return higher_items(higher_items(height, pivot->aggregates, pivot->aggregate_count), pivot->values, pivot->value_count);
}

static int relation_height(const Relation *relation)
{
    int height = 0, joins = 0;
    for (; relation->kind >= REL_JOIN; relation = relation->left, joins++) {
        int right = relation->right ? relation_height(relation->right) : 0;
        height = higher(right > height ? right : height, relation->on);
        height = relation->pivot ? pivot_height(height, relation->pivot) : height;
        if (!relation->left) /* behind |> */
            return height + joins + 1;
    }
    if (relation->sample)
        height = higher(height, relation->sample->rows);
    height = higher_query(higher_of(height, relation->args, relation->arg_count), relation->query);
    height = higher(higher(height, relation->watermark), relation->timestamp_as_of);
    return higher_of(height, relation->dedup, relation->dedup_count) + joins + 1;
}

/* The height of a node over its children's, or a failure. */
static int check_height(Parser *p, SiltPos pos, const char *what, int height)
{
    if (height < NESTING_MAX)
        return height + 1;
    if (sql__parse_fail(p, pos, NULL, "%s has more than %d levels", what, NESTING_MAX))
        silt_hint(&p->err, "Split it, for example with WITH queries; chains of AND and OR, IN lists and CASE branches may be of any length.");
    return 1;
}

void sql__expr_done(Parser *p, Expr *expr)
{
    int height = higher_of(0, expr->args, expr->arg_count);
    height = higher(higher(height, expr->operand), expr->otherwise);
    height = higher(height, expr->filter);
    height = higher_sort(height, expr->order_by, expr->order_count);
    height = higher_query(higher_window(height, expr->window), expr->query);
    expr->height = (uint16_t)check_height(p, expr->pos, "expression", height);
}

void sql__query_done(Parser *p, Query *query)
{
    int height = 0;
    for (int i = 0; i < query->with_count; i++)
        height = higher_query(height, query->with[i].query);
    height = higher_items(height, query->items, query->item_count);
    height = higher_items(height, query->group_items, query->group_item_count);
    if (query->sample)
        height = higher(height, query->sample->rows);
    if (query->from && !p->failed) {
        int from = relation_height(query->from);
        height = from > height ? from : height;
    }
    height = higher(higher(higher(height, query->where), query->having), query->qualify);
    height = higher_of(height, query->group_by, query->group_count);
    for (int i = 0; i < query->window_count; i++)
        height = higher_window(height, query->windows[i].spec);
    height = higher_query(higher_query(height, query->left), query->right);
    height = higher_sort(height, query->order_by, query->order_count);
    height = higher_sort(height, query->sort_items, query->sort_count);
    height = higher_of(height, query->distribute_by, query->distribute_count);
    height = higher(higher(height, query->limit), query->offset);
    query->height = check_height(p, query->pos, "query", height);
}

bool sql__enter(Parser *p)
{
    if (++p->depth <= NESTING_MAX)
        return !p->failed;
    if (sql__parse_fail(p, sql__here(p), NULL, "nested deeper than %d levels", NESTING_MAX))
        silt_hint(&p->err, "Split the statement, for example with a WITH query.");
    return false;
}

void sql__leave(Parser *p)
{
    p->depth--;
}

/* ---- the way in ---- */

void sql_errors_add(SqlErrors *errors, const SiltErr *err)
{
    ARENA_PUSH(errors->arena, errors->items, errors->count, errors->capacity, *err);
}

static const SiltPos top = {.line = 1, .column = 1};

static void begin(Parser *p, Arena *arena, const char *file, SiltPos start, Lexed *lexed, Str text)
{
    sql__lex(arena, text, start, lexed);
    *p = (Parser){.arena = arena, .file = arena_strdup(arena, file ? file : ""), .lexed = lexed, .tokens = lexed->tokens, .stop = lexed->count - 1};
    p->nothing = sql__expr_new(p, EXPR_LITERAL, (SiltPos){p->file, 0, 0, 0});
    p->nothing->type = type_simple(TYPE_VOID);
}

static int statement_end(const Lexed *lexed, int from)
{
    while (lexed->tokens[from].kind != TOK_SEMICOLON && lexed->tokens[from].kind != TOK_END)
        from++;
    return from;
}

static void expect_end(Parser *p, bool query)
{
    if (!is_kind(p, TOK_END))
        sql__parse_expected(p, query ? "an operator, a clause of the query or the end of the statement" : "the end of the statement");
}

static Statement *parse_one(Parser *p, int start, int end)
{
    p->at = start;
    p->stop = end;
    p->depth = 0;
    p->failed = false;
    Statement *statement = sql__parse_statement_text(p);
    expect_end(p, statement->query != NULL);
    if (!p->failed)
        statement->text = sql__source(p, start);
    return statement;
}

static int too_large(const char *file, Str text, SiltErr *err)
{
    return text.size > (1u << 30) ? silt_fail_at(err, SILT_CONFIG, (SiltPos){file, 1, 1, 0}, "SQL text is larger than 1 GB") : 0;
}

int sql_parse_file(Arena *arena, const char *file, Str text, Statement ***statements, int *count, SqlErrors *errors)
{
    int capacity = 0;
    SiltErr err;
    *statements = NULL;
    *count = 0;
    if (too_large(file, text, &err) < 0) {
        sql_errors_add(errors, &err);
        return 0;
    }
    Lexed lexed;
    Parser p;
    begin(&p, arena, file, top, &lexed, text);
    for (int start = 0;; start++) {
        int end = statement_end(&lexed, start);
        if (end > start) {
            Statement *statement = parse_one(&p, start, end);
            if (p.failed)
                sql_errors_add(errors, &p.err);
            else
                ARENA_PUSH(arena, *statements, *count, capacity, statement);
        }
        if (lexed.tokens[end].kind == TOK_END)
            return 0;
        start = end;
    }
}

/* The only statement of a text: semicolons around it are fine. */
static int begin_single(Parser *p, Arena *arena, const char *file, SiltPos start, Lexed *lexed, Str text, SiltErr *err)
{
    SILT_TRY(too_large(file, text, err));
    begin(p, arena, file, start, lexed, text);
    while (lexed->tokens[p->at].kind == TOK_SEMICOLON)
        p->at++;
    p->stop = statement_end(lexed, p->at);
    int rest = p->stop;
    while (lexed->tokens[rest].kind == TOK_SEMICOLON)
        rest++;
    if (lexed->tokens[rest].kind != TOK_END)
        return silt_fail_at(err, SILT_CONFIG, sql__token_pos(p, &lexed->tokens[rest]), "found a second statement, expected one"),
               silt_code(err, "PARSE_SYNTAX_ERROR");
    return 0;
}

static int finish(Parser *p, SiltErr *err)
{
    expect_end(p, true);
    if (!p->failed)
        return 0;
    if (err)
        *err = p->err;
    return -1;
}

static int parse_statement(Arena *arena, SiltPos start, Str text, Statement **out, SiltErr *err)
{
    Lexed lexed;
    Parser p;
    SILT_TRY(begin_single(&p, arena, start.file, start, &lexed, text, err));
    Statement *statement = parse_one(&p, p.at, p.stop);
    SILT_TRY(finish(&p, err));
    *out = statement;
    return 0;
}

int sql_parse_statement(Arena *arena, const char *file, Str text, Statement **out, SiltErr *err)
{
    return parse_statement(arena, (SiltPos){file, 1, 1, 0}, text, out, err);
}

int sql_parse_again(Arena *arena, const Statement *statement, Statement **out, SiltErr *err)
{
    return parse_statement(arena, statement->pos, arena_str(arena, statement->text), out, err);
}

int sql_parse_query(Arena *arena, const char *file, Str text, Query **out, SiltErr *err)
{
    Lexed lexed;
    Parser p;
    SILT_TRY(begin_single(&p, arena, file, top, &lexed, text, err));
    Query *query = sql__parse_query_text(&p);
    SILT_TRY(finish(&p, err));
    *out = query;
    return 0;
}

int sql_parse_expr(Arena *arena, const char *file, Str text, Expr **out, SiltErr *err)
{
    Lexed lexed;
    Parser p;
    SILT_TRY(begin_single(&p, arena, file, top, &lexed, text, err));
    Expr *expr = sql__parse_expression(&p);
    SILT_TRY(finish(&p, err));
    *out = expr;
    return 0;
}
