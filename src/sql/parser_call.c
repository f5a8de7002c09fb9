/* sql/parser_call.c - function calls: arguments, DISTINCT, FILTER, WITHIN GROUP, OVER, and those with a syntax of their own */
#include "sql/parser.h"

#include <string.h>

int sql__parse_sort_items(Parser *p, SortItem **out)
{
    int count = 0, capacity = 0;
    *out = NULL;
    do {
        SortItem item = {.expr = sql__parse_expression(p)};
        if (accept_keyword(p, KW_DESC))
            item.descending = true;
        else
            accept_keyword(p, KW_ASC);
        item.nulls_first = !item.descending;
        if (is_keyword(p, KW_NULLS) && (keyword_at(p, 1) == KW_FIRST || keyword_at(p, 1) == KW_LAST)) {
            item.nulls_given = true;
            item.nulls_first = keyword_at(p, 1) == KW_FIRST;
            step(p);
            step(p);
        }
        ARENA_PUSH(p->arena, *out, count, capacity, item);
    } while (accept(p, TOK_COMMA));
    return count;
}

/* ---- windows ---- */

static FrameBound parse_bound(Parser *p, Expr **offset)
{
    if (accept_keywords(p, KW_UNBOUNDED, KW_PRECEDING))
        return FRAME_UNBOUNDED_PRECEDING;
    if (accept_keywords(p, KW_UNBOUNDED, KW_FOLLOWING))
        return FRAME_UNBOUNDED_FOLLOWING;
    if (accept_keywords(p, KW_CURRENT, KW_ROW))
        return FRAME_CURRENT;
    *offset = sql__parse_expression(p);
    if (accept_keyword(p, KW_PRECEDING))
        return FRAME_PRECEDING;
    if (!accept_keyword(p, KW_FOLLOWING))
        sql__parse_expected(p, "PRECEDING or FOLLOWING");
    return FRAME_FOLLOWING;
}

WindowSpec *sql__parse_window(Parser *p)
{
    WindowSpec *window = ARENA_NEW(p->arena, WindowSpec);
    window->pos = sql__here(p);
    if (!is_kind(p, TOK_LPAREN)) {
        window->name = sql__parse_name(p, "\"(\" or the name of a window");
        return window;
    }
    int open = p->at;
    step(p);
    if (sql__is_name(p, 0) && kind_at(p, 1) == TOK_RPAREN) {
        window->name = sql__parse_name(p, "the name of a window");
        step(p);
        return window;
    }
    if (accept_keywords(p, KW_PARTITION, KW_BY) || accept_keywords(p, KW_DISTRIBUTE, KW_BY) || accept_keywords(p, KW_CLUSTER, KW_BY))
        window->partition_count = sql__parse_expressions(p, &window->partition_by);
    if (accept_keywords(p, KW_ORDER, KW_BY) || accept_keywords(p, KW_SORT, KW_BY))
        window->order_count = sql__parse_sort_items(p, &window->order_by);
    if (is_keyword(p, KW_ROWS) || is_keyword(p, KW_RANGE)) {
        window->frame_given = true;
        window->frame_rows = is_keyword(p, KW_ROWS);
        step(p);
        window->end = FRAME_CURRENT;
        bool between = accept_keyword(p, KW_BETWEEN);
        window->start = parse_bound(p, &window->start_offset);
        if (between) {
            sql__expect_keyword(p, KW_AND);
            window->end = parse_bound(p, &window->end_offset);
        }
    }
    if (!is_kind(p, TOK_RPAREN) && !p->failed)
        sql__parse_expected(p, window->frame_given   ? "\")\" behind the window's frame"
                               : window->order_count ? "\",\", ROWS, RANGE or \")\" in the window"
                                                     : "PARTITION BY, ORDER BY, ROWS, RANGE or \")\" in the window");
    sql__expect_close(p, open);
    window->pos = sql__span(p, window->pos);
    return window;
}

/* ---- plain calls ---- */

static bool accept_nulls(Parser *p, Expr *call)
{
    if (accept_keywords(p, KW_IGNORE, KW_NULLS)) {
        call->ignore_nulls = true;
        return true;
    }
    return accept_keywords(p, KW_RESPECT, KW_NULLS);
}

static Expr *wrap(Parser *p, ExprKind kind, SiltPos pos, const char *text, Expr *value)
{
    Expr *expr = sql__expr_new(p, kind, sql__span(p, pos));
    expr->text = text;
    expr->args = ARENA_ARRAY(p->arena, Expr *, 1);
    expr->args[0] = value;
    expr->arg_count = 1;
    sql__expr_done(p, expr);
    return expr;
}

static Expr *parse_argument(Parser *p, bool aliases)
{
    SiltPos pos = sql__here(p);
    if (sql__is_name(p, 0) && kind_at(p, 1) == TOK_FAT_ARROW) {
        const char *name = sql__parse_name(p, "a name");
        step(p);
        return wrap(p, EXPR_NAMED_ARG, pos, name, sql__parse_expression(p));
    }
    Expr *value = sql__parse_expression(p);
    if (aliases && (accept_keyword(p, KW_AS) || sql__may_be_alias(p, false)))
        return wrap(p, EXPR_ALIASED, pos, sql__parse_name(p, "a field name"), value);
    return value;
}

static bool name_is(SqlName name, const char *word)
{
    return name.count == 1 && str_is_nocase(str_of(name.parts[0]), word);
}

/* DATEADD(unit, n, t) and its like: the unit goes from the arguments to op. */
static void take_unit(const Parser *p, Expr *call, int open)
{
    static const char *const functions[] = {"dateadd", "date_add", "timestampadd", "datediff", "date_diff", "timestampdiff"};
    static const char *const units[] = {"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"};
    if (call->arg_count != 3 || call->args[0]->kind != EXPR_COLUMN || call->args[0]->name.count != 1 || p->tokens[open + 1].kind != TOK_WORD)
        return;
    bool known = false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        known |= name_is(call->name, functions[i]);
    for (size_t i = 0; known && i < sizeof units / sizeof *units; i++) {
        if (str_is_nocase(str_of(call->args[0]->name.parts[0]), units[i])) {
            call->op = units[i];
            call->args++;
            call->arg_count = 2;
            return;
        }
    }
}

/* What may follow the parenthesis of a call. */
static void parse_tail(Parser *p, Expr *call)
{
    if (is_keyword(p, KW_WITHIN) && keyword_at(p, 1) == KW_GROUP) {
        step(p);
        step(p);
        int open = p->at;
        sql__expect(p, TOK_LPAREN, "\"(\" behind WITHIN GROUP");
        sql__expect_keyword(p, KW_ORDER);
        sql__expect_keyword(p, KW_BY);
        call->order_count = sql__parse_sort_items(p, &call->order_by);
        sql__expect_close(p, open);
    }
    if (is_keyword(p, KW_FILTER) && kind_at(p, 1) == TOK_LPAREN && keyword_at(p, 2) == KW_WHERE) {
        step(p);
        int open = p->at;
        step(p);
        step(p);
        call->filter = sql__parse_expression(p);
        sql__expect_close(p, open);
    }
    accept_nulls(p, call);
    if (is_keyword(p, KW_OVER) && (kind_at(p, 1) == TOK_LPAREN || sql__is_name(p, 1))) {
        step(p);
        call->window = sql__parse_window(p);
    }
}

Expr *sql__parse_call(Parser *p, SqlName name)
{
    Expr *call = sql__expr_new(p, EXPR_CALL, name.pos);
    call->name = name;
    int open = p->at, capacity = 0;
    bool aliases = name_is(name, "struct");
    step(p);
    if (!is_kind(p, TOK_RPAREN)) {
        TokenKind next = kind_at(p, 1);
        bool quantifier = next != TOK_COMMA && next != TOK_RPAREN && next != TOK_DOT && next != TOK_ARROW;
        if (quantifier && is_keyword(p, KW_DISTINCT)) {
            call->distinct = true;
            step(p);
        } else if (quantifier && is_keyword(p, KW_ALL)) {
            step(p);
        }
        do {
            Expr *argument = parse_argument(p, aliases);
            ARENA_PUSH(p->arena, call->args, call->arg_count, capacity, argument);
        } while (accept(p, TOK_COMMA));
        accept_nulls(p, call);
    }
    if (!is_kind(p, TOK_RPAREN) && call->arg_count && !p->failed)
        sql__parse_expected(p, "\",\" or \")\" in the arguments of %s", name.parts[name.count - 1]);
    sql__expect_close(p, open);
    take_unit(p, call, open);
    parse_tail(p, call);
    if (p->failed)
        return p->nothing;
    sql__expr_done(p, call);
    return call;
}

/* ---- calls with a syntax of their own ---- */

static Expr *call_new(Parser *p, SiltPos pos, const char *name, const char *op, Expr **args, int count)
{
    Expr *call = sql__expr_new(p, EXPR_CALL, pos);
    call->name = (SqlName){ARENA_ARRAY(p->arena, const char *, 1), 1, pos};
    call->name.parts[0] = name;
    call->op = op;
    call->args = ARENA_ARRAY(p->arena, Expr *, count);
    memcpy(call->args, args, sizeof *args * (size_t)count);
    call->arg_count = count;
    sql__expr_done(p, call);
    return call;
}

/* EXTRACT(field FROM source) */
static Expr *parse_extract(Parser *p)
{
    SiltPos pos = sql__here(p);
    step(p);
    int open = p->at;
    step(p);
    Expr *expr = sql__expr_new(p, EXPR_EXTRACT, pos);
    char *field = arena_strdup(p->arena, sql__parse_name(p, "a field such as YEAR"));
    for (char *c = field; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
    expr->op = field;
    sql__expect_keyword(p, KW_FROM);
    expr->args = ARENA_ARRAY(p->arena, Expr *, 1);
    expr->args[0] = sql__parse_value(p);
    expr->arg_count = 1;
    sql__expect_close(p, open);
    expr->pos = sql__span(p, pos);
    sql__expr_done(p, expr);
    return expr;
}

/* Does the word stand between the parentheses that open at tokens[open], not within inner ones? */
static bool has_inside(const Parser *p, int open, Keyword word)
{
    int close = p->tokens[open].match;
    for (int i = open + 1; i < close; i++) {
        if (p->tokens[i].kind == TOK_LPAREN)
            i = p->tokens[i].match;
        else if (p->tokens[i].keyword == word && p->tokens[i - 1].keyword != KW_DISTINCT)
            return true;
    }
    return false;
}

/* TRIM([BOTH | LEADING | TRAILING] [x] FROM y) */
static Expr *parse_trim(Parser *p)
{
    SiltPos pos = sql__here(p);
    const char *name = sql__parse_name(p, "TRIM"), *side = "BOTH";
    int open = p->at, count = 1;
    step(p);
    if (is_keyword(p, KW_BOTH) || is_keyword(p, KW_LEADING) || is_keyword(p, KW_TRAILING)) {
        side = sql__keyword_text(keyword_at(p, 0));
        step(p);
    }
    Expr *args[2] = {NULL, NULL};
    if (!is_keyword(p, KW_FROM))
        args[count++] = sql__parse_value(p);
    sql__expect_keyword(p, KW_FROM);
    args[0] = sql__parse_value(p);
    sql__expect_close(p, open);
    return call_new(p, pos, name, side, args, count);
}

/* name(a <first> b [<second> c [<third> d]]) with words in place of commas. */
static Expr *parse_worded(Parser *p, Keyword first, Keyword second, Keyword third)
{
    Keyword words[] = {first, second, third};
    Expr *args[4];
    SiltPos pos = sql__here(p);
    const char *name = sql__parse_name(p, "a function");
    int open = p->at, count = 0;
    step(p);
    args[count++] = sql__parse_value(p);
    for (int i = 0; i < 3 && words[i]; i++) {
        if (accept_keyword(p, words[i])) {
            args[count++] = sql__parse_value(p);
        } else if (i == 0 || (first == KW_PLACING && i == 1)) { /* these must be there */
            sql__parse_expected(p, "%s", sql__keyword_text(words[i]));
            return p->nothing;
        }
    }
    sql__expect_close(p, open);
    return call_new(p, pos, name, NULL, args, count);
}

Expr *sql__parse_special_call(Parser *p)
{
    int open = p->at + 1;
    if (kind_at(p, 1) != TOK_LPAREN || p->tokens[open].match < 0)
        return NULL;
    switch (keyword_at(p, 0)) {
    case KW_EXTRACT:
        return has_inside(p, open, KW_FROM) ? parse_extract(p) : NULL;
    case KW_TRIM:
        return has_inside(p, open, KW_FROM) ? parse_trim(p) : NULL;
    case KW_SUBSTRING:
    case KW_SUBSTR:
        return has_inside(p, open, KW_FROM) ? parse_worded(p, KW_FROM, KW_FOR, KW_NONE) : NULL;
    case KW_POSITION:
        return has_inside(p, open, KW_IN) ? parse_worded(p, KW_IN, KW_NONE, KW_NONE) : NULL;
    case KW_OVERLAY:
        return has_inside(p, open, KW_PLACING) ? parse_worded(p, KW_PLACING, KW_FROM, KW_FOR) : NULL;
    default:
        return NULL;
    }
}
