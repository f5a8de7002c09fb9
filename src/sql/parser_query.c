/*
 * sql/parser_query.c - queries: WITH, SELECT and its clauses, set operations, ORDER BY and LIMIT
 *
 *   query   := [WITH ..] term [ORDER BY ..] [SORT BY ..] [LIMIT ..] [OFFSET ..]
 *   term    := meet ((UNION | EXCEPT | MINUS) [ALL | DISTINCT] meet | |> operator)*
 *   meet    := primary (INTERSECT [ALL | DISTINCT] primary)*
 *   primary := SELECT .. | FROM .. [SELECT ..] | VALUES .. | TABLE t | ( query )
 */
#include "sql/parser.h"

Query *sql__query_new(Parser *p, QueryKind kind, SiltPos pos)
{
    Query *query = ARENA_NEW(p->arena, Query);
    query->kind = kind;
    query->pos = pos;
    query->height = 1;
    return query;
}

/* ---- does a query begin here? ---- */

static bool starts_query(const Parser *p, int ahead)
{
    TokenKind next = kind_at(p, ahead + 1);
    switch (keyword_at(p, ahead)) {
    case KW_SELECT:
        return next != TOK_COMMA && next != TOK_RPAREN && next != TOK_DOT && next != TOK_ARROW && next != TOK_EQ;
    case KW_WITH:
        return sql__is_name(p, ahead + 1) && (keyword_at(p, ahead + 2) == KW_AS || kind_at(p, ahead + 2) == TOK_LPAREN || keyword_at(p, ahead + 1) == KW_RECURSIVE);
    case KW_VALUES:
        return next == TOK_LPAREN || next == TOK_STRING || next == TOK_INTEGER || next == TOK_NUMBER || next == TOK_MINUS || sql__is_name(p, ahead + 1);
    case KW_FROM:
        return next == TOK_LPAREN || sql__is_name(p, ahead + 1);
    case KW_TABLE:
        return sql__is_name(p, ahead + 1);
    default:
        return false;
    }
}

/* What may stand behind a query in parentheses if the whole is a query too, not an expression. */
static bool goes_on_as_query(const Parser *p, int at)
{
    const Token *token = &p->tokens[at];
    switch (token->keyword) {
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_SETMINUS:
    case KW_MINUS:
    case KW_ORDER:
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE:
    case KW_LIMIT:
    case KW_OFFSET:
        return true;
    default:
        return token->kind == TOK_RPAREN || token->kind == TOK_END || token->kind == TOK_SEMICOLON || token->kind == TOK_PIPE_OP;
    }
}

bool sql__query_ahead(const Parser *p, int ahead)
{
    int depth = 0;
    while (kind_at(p, ahead + depth) == TOK_LPAREN && depth < NESTING_MAX)
        depth++;
    if (!starts_query(p, ahead + depth))
        return false;
    for (; depth > 0; depth--) {
        int close = peek(p, ahead + depth - 1)->match;
        if (close < 0)
            return true; /* not closed: let the query say so */
        if (!goes_on_as_query(p, close + 1))
            return false;
    }
    return true;
}

/* ---- the clauses of SELECT ---- */

int sql__parse_items(Parser *p, SelectItem **out)
{
    int count = 0, capacity = 0;
    *out = NULL;
    do {
        SelectItem item = {.expr = sql__parse_expression(p)};
        bool as = accept_keyword(p, KW_AS);
        item.alias_pos = sql__here(p);
        if ((as || item.expr->kind == EXPR_CALL) && is_kind(p, TOK_LPAREN)) {
            item.multi_alias_count = sql__parse_name_list(p, "a column name", &item.multi_alias);
        } else if (as || sql__may_be_alias(p, false)) {
            if (is_kind(p, TOK_STRING)) {
                bool first = !p->failed;
                sql__parse_expected(p, "a name behind AS");
                if (first)
                    silt_hint(&p->err, "A name is quoted with backticks.");
            }
            item.alias = sql__parse_name(p, "a name behind AS");
        }
        item.alias_pos = sql__span(p, item.alias_pos);
        ARENA_PUSH(p->arena, *out, count, capacity, item);
    } while (accept(p, TOK_COMMA));
    return count;
}

/* One element of GROUP BY: a list of grouping sets (a plain expression: one set of one). */
typedef struct GroupingSets {
    Expr ***sets;
    int *sizes;
    int count, capacity, size_capacity;
} GroupingSets;

static void add_set(Parser *p, GroupingSets *sets, Expr **set, int size)
{
    if (sets->count >= GROUPING_SETS_MAX) {
        sql__parse_fail(p, sql__here(p), NULL, "more than %d grouping sets", GROUPING_SETS_MAX);
        return;
    }
    ARENA_PUSH(p->arena, sets->sets, sets->count, sets->capacity, set);
    sets->count--;
    ARENA_PUSH(p->arena, sets->sizes, sets->count, sets->size_capacity, size);
}

/* a or (a, b) or (), within ROLLUP, CUBE, GROUPING SETS */
static int parse_group_element(Parser *p, Expr ***out)
{
    int open = p->at;
    if (!is_kind(p, TOK_LPAREN) || sql__query_ahead(p, 0)) {
        *out = ARENA_ARRAY(p->arena, Expr *, 1);
        (*out)[0] = sql__parse_expression(p);
        return 1;
    }
    int close = peek(p, 0)->match;
    if (close >= 0 && p->tokens[close + 1].kind != TOK_COMMA && p->tokens[close + 1].kind != TOK_RPAREN) {
        *out = ARENA_ARRAY(p->arena, Expr *, 1); /* (a + b) * c */
        (*out)[0] = sql__parse_expression(p);
        return 1;
    }
    step(p);
    *out = NULL;
    int count = is_kind(p, TOK_RPAREN) ? 0 : sql__parse_expressions(p, out);
    sql__expect_close(p, open);
    return count;
}

static Expr **concat(Parser *p, Expr **a, int a_count, Expr **b, int b_count)
{
    Expr **all = ARENA_ARRAY(p->arena, Expr *, a_count + b_count + 1);
    for (int i = 0; i < a_count; i++)
        all[i] = a[i];
    for (int i = 0; i < b_count; i++)
        all[a_count + i] = b[i];
    return all;
}

/* The sets of ROLLUP or CUBE over elements that may hold several expressions each. */
static void expand(Parser *p, GroupingKind kind, GroupingSets *elements, GroupingSets *out)
{
    int count = elements->count;
    if (kind == GROUP_CUBE && count > 12) {
        sql__parse_fail(p, sql__here(p), NULL, "CUBE of more than 12 elements");
        return;
    }
    int sets = kind == GROUP_ROLLUP ? count + 1 : 1 << count;
    for (int i = 0; i < sets && !p->failed; i++) {
        Expr **set = NULL;
        int size = 0;
        for (int e = 0; e < count; e++) {
            bool in = kind == GROUP_ROLLUP ? e < count - i : !(i >> (count - 1 - e) & 1);
            if (in) {
                set = concat(p, set, size, elements->sets[e], elements->sizes[e]);
                size += elements->sizes[e];
            }
        }
        add_set(p, out, set, size);
    }
}

static GroupingKind accept_grouping(Parser *p)
{
    if (is_keyword(p, KW_GROUPING) && keyword_at(p, 1) == KW_SETS && kind_at(p, 2) == TOK_LPAREN) {
        step(p);
        step(p);
        return GROUP_SETS;
    }
    GroupingKind kind = is_keyword(p, KW_ROLLUP) ? GROUP_ROLLUP : is_keyword(p, KW_CUBE) ? GROUP_CUBE : GROUP_PLAIN;
    if (kind == GROUP_PLAIN || kind_at(p, 1) != TOK_LPAREN)
        return GROUP_PLAIN;
    step(p);
    return kind;
}

/* ROLLUP (..), CUBE (..), GROUPING SETS (..), which may hold further ones; behind its word. elements: what stands in the parentheses. */
static void parse_grouping(Parser *p, GroupingKind kind, GroupingSets *elements, GroupingSets *out)
{
    int open = p->at;
    if (!sql__enter(p)) {
        sql__leave(p);
        return;
    }
    sql__expect(p, TOK_LPAREN, "\"(\"");
    do {
        GroupingKind inner = kind == GROUP_SETS ? accept_grouping(p) : GROUP_PLAIN;
        if (inner != GROUP_PLAIN) {
            GroupingSets inner_elements = {0};
            parse_grouping(p, inner, &inner_elements, elements);
            continue;
        }
        Expr **set;
        int size = parse_group_element(p, &set);
        add_set(p, elements, set, size);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
    sql__leave(p);
    if (p->failed)
        return;
    if (kind == GROUP_SETS) {
        for (int i = 0; i < elements->count; i++)
            add_set(p, out, elements->sets[i], elements->sizes[i]);
    } else {
        expand(p, kind, elements, out);
    }
}

/* Every set of a with every set of b. */
static void multiply(Parser *p, GroupingSets *a, const GroupingSets *b)
{
    GroupingSets product = {0};
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count && !p->failed; j++)
            add_set(p, &product, concat(p, a->sets[i], a->sizes[i], b->sets[j], b->sizes[j]), a->sizes[i] + b->sizes[j]);
    }
    *a = product;
}

/* Make query->group_by the distinct expressions, in order of appearance, and let the sets point at them. */
static void settle_sets(Parser *p, Query *query, GroupingSets *sets)
{
    int capacity = query->group_count;
    for (int i = 0; i < sets->count; i++) {
        for (int j = 0; j < sets->sizes[i]; j++) {
            int k = 0;
            while (k < query->group_count && !sql_expr_equal(query->group_by[k], sets->sets[i][j]))
                k++;
            if (k == query->group_count)
                ARENA_PUSH(p->arena, query->group_by, query->group_count, capacity, sets->sets[i][j]);
            sets->sets[i][j] = query->group_by[k];
        }
    }
    query->grouping = GROUP_SETS;
    query->grouping_sets = sets->sets;
    query->grouping_set_sizes = sets->sizes;
    query->grouping_set_count = sets->count;
}

static bool all_single(const GroupingSets *elements)
{
    for (int i = 0; i < elements->count; i++) {
        if (elements->sizes[i] != 1)
            return false;
    }
    return true;
}

void sql__parse_group_by(Parser *p, Query *query)
{
    if (is_keyword(p, KW_ALL) && kind_at(p, 1) != TOK_COMMA && kind_at(p, 1) != TOK_DOT) {
        step(p);
        query->grouping = GROUP_ALL;
        return;
    }
    GroupingSets all = {0};
    add_set(p, &all, NULL, 0);
    int capacity = 0, count = 0;
    bool plain = true;
    do {
        GroupingKind kind = accept_grouping(p);
        GroupingSets elements = {0}, sets = {0};
        if (kind == GROUP_PLAIN) {
            Expr **one = ARENA_ARRAY(p->arena, Expr *, 1);
            one[0] = sql__parse_expression(p);
            ARENA_PUSH(p->arena, query->group_by, query->group_count, capacity, one[0]);
            add_set(p, &sets, one, 1);
        } else {
            parse_grouping(p, kind, &elements, &sets);
            plain = false;
            if (!count && kind != GROUP_SETS && !is_kind(p, TOK_COMMA) && all_single(&elements)) { /* alone: kept as it is */
                query->grouping = kind;
                for (int i = 0; i < elements.count; i++)
                    ARENA_PUSH(p->arena, query->group_by, query->group_count, capacity, elements.sets[i][0]);
                return;
            }
        }
        multiply(p, &all, &sets);
        count++;
    } while (accept(p, TOK_COMMA));
    if (p->failed)
        return;
    if (!plain) {
        query->group_by = NULL;
        query->group_count = 0;
        settle_sets(p, query, &all);
    } else if (is_keyword(p, KW_WITH) && (keyword_at(p, 1) == KW_ROLLUP || keyword_at(p, 1) == KW_CUBE)) {
        query->grouping = keyword_at(p, 1) == KW_ROLLUP ? GROUP_ROLLUP : GROUP_CUBE;
        step(p);
        step(p);
    } else if (is_keyword(p, KW_GROUPING) && keyword_at(p, 1) == KW_SETS) {
        GroupingSets elements = {0}, sets = {0};
        accept_grouping(p);
        parse_grouping(p, GROUP_SETS, &elements, &sets);
        if (!p->failed)
            settle_sets(p, query, &sets);
    }
}

static bool at_window_clause(const Parser *p)
{
    return is_keyword(p, KW_WINDOW) && sql__is_name(p, 1) && keyword_at(p, 2) == KW_AS;
}

void sql__parse_windows(Parser *p, Query *query)
{
    int capacity = query->window_count;
    if (query->window_count || !at_window_clause(p))
        return;
    step(p);
    do {
        NamedWindow window = {.name = sql__parse_name(p, "the name of a window")};
        sql__expect_keyword(p, KW_AS);
        window.spec = sql__parse_window(p);
        ARENA_PUSH(p->arena, query->windows, query->window_count, capacity, window);
    } while (accept(p, TOK_COMMA));
}

/* FROM and what follows it up to the windows, except SELECT itself. */
static void parse_body(Parser *p, Query *query)
{
    if (!query->from && accept_keyword(p, KW_FROM))
        query->from = sql__parse_from(p);
    if (accept_keyword(p, KW_WHERE))
        query->where = sql__parse_expression(p);
    if (accept_keywords(p, KW_GROUP, KW_BY))
        sql__parse_group_by(p, query);
    if (accept_keyword(p, KW_HAVING))
        query->having = sql__parse_expression(p);
    for (int i = 0; i < 2; i++) { /* in either order */
        if (!query->qualify && accept_keyword(p, KW_QUALIFY))
            query->qualify = sql__parse_expression(p);
        sql__parse_windows(p, query);
    }
}

void sql__parse_quantifier(Parser *p, Query *query)
{
    TokenKind next = kind_at(p, 1);
    bool quantifier = next != TOK_COMMA && next != TOK_DOT && next != TOK_END && next != TOK_RPAREN && keyword_at(p, 1) != KW_FROM && keyword_at(p, 1) != KW_AS;
    if (quantifier && accept_keyword(p, KW_DISTINCT))
        query->distinct = true;
    else if (quantifier)
        accept_keyword(p, KW_ALL);
}

static void parse_select(Parser *p, Query *query)
{
    SiltPos pos = sql__here(p);
    sql__expect_keyword(p, KW_SELECT);
    while (p->hint_at < p->lexed->hint_count && !p->failed) {
        const Token *hint = &p->lexed->hints[p->hint_at], *next = peek(p, 0);
        if (hint->line > next->line || (hint->line == next->line && hint->column > next->column))
            break;
        if (hint->line > pos.line || (hint->line == pos.line && hint->column > pos.column))
            query->hint = sql__token_pos(p, hint);
        p->hint_at++;
    }
    sql__parse_quantifier(p, query);
    query->item_count = sql__parse_items(p, &query->items);
    parse_body(p, query);
}

/* ---- primary queries, set operations ---- */

static Query *select_star(Parser *p, Relation *from, SiltPos pos)
{
    Query *query = sql__query_new(p, QUERY_SELECT, pos);
    query->items = ARENA_ARRAY(p->arena, SelectItem, 1);
    query->items[0].expr = sql__expr_new(p, EXPR_STAR, pos);
    query->items[0].alias_pos = pos;
    sql__expr_done(p, query->items[0].expr);
    query->item_count = 1;
    query->from = from;
    sql__query_done(p, query);
    return query;
}

/* A query that has its own ORDER BY, LIMIT or WITH, as an operand of another. */
Query *sql__shield(Parser *p, Query *query)
{
    if (!query->with_count && !query->order_count && !query->sort_by && !query->limit && !query->offset)
        return query;
    Relation *from = ARENA_NEW(p->arena, Relation);
    from->kind = REL_QUERY;
    from->pos = query->pos;
    from->query = query;
    return select_star(p, from, query->pos);
}

Query *sql__parse_primary_query(Parser *p)
{
    SiltPos pos = sql__here(p);
    int open = p->at;
    switch (keyword_at(p, 0)) {
    case KW_SELECT: {
        Query *query = sql__query_new(p, QUERY_SELECT, pos);
        parse_select(p, query);
        sql__query_done(p, query);
        return query;
    }
    case KW_FROM: {
        step(p);
        Relation *from = sql__parse_from(p);
        if (!is_keyword(p, KW_SELECT)) {
            Query *query = select_star(p, from, pos);
            query->bare = true;
            return query;
        }
        Query *query = sql__query_new(p, QUERY_SELECT, pos);
        query->from = from;
        parse_select(p, query);
        if (is_keyword(p, KW_SELECT))
            sql__parse_refuse(p, sql__here(p), "FROM with several SELECT", "Write a UNION ALL of the selects.");
        sql__query_done(p, query);
        return query;
    }
    case KW_VALUES: {
        Query *query = sql__query_new(p, QUERY_VALUES, pos);
        query->from = sql__parse_values(p);
        sql__query_done(p, query);
        return query;
    }
    case KW_TABLE: {
        Query *query = sql__query_new(p, QUERY_TABLE, pos);
        step(p);
        query->from = ARENA_NEW(p->arena, Relation);
        query->from->kind = REL_TABLE;
        query->from->pos = sql__here(p);
        query->from->name = sql__parse_qualified(p, "a table name");
        query->from->pos = query->from->name.pos;
        return query;
    }
    case KW_MAP:
    case KW_REDUCE:
        sql__parse_refuse(p, pos, "a script transform", "Use functions in SELECT.");
        return sql__query_new(p, QUERY_SELECT, pos);
    default:
        break;
    }
    if (!accept(p, TOK_LPAREN)) {
        sql__parse_expected(p, "a query: SELECT, WITH, FROM, VALUES or TABLE");
        return sql__query_new(p, QUERY_SELECT, pos);
    }
    Query *query = sql__parse_query_text(p);
    sql__expect_close(p, open);
    return query;
}

static Query *combine(Parser *p, SetOp op, Query *left, Query *(*parse_operand)(Parser *p))
{
    Query *query = sql__query_new(p, QUERY_SET, left->pos);
    query->set_op = op;
    query->left = sql__shield(p, left);
    step(p);
    if (accept_keyword(p, KW_ALL))
        query->set_all = true;
    else
        accept_keyword(p, KW_DISTINCT);
    if (is_keyword(p, KW_BY) && keyword_at(p, 1) == KW_NAME) {
        SiltPos pos = sql__here(p);
        if (sql__parse_fail(p, pos, NULL, "found \"BY\", expected a query"))
            silt_hint(&p->err, "Spark SQL has no UNION BY NAME: select the columns of both sides in the same order.");
        query->right = query->left;
        return query;
    }
    query->right = sql__shield(p, parse_operand(p));
    sql__query_done(p, query);
    return query;
}

static Query *parse_meet(Parser *p)
{
    Query *left = sql__parse_primary_query(p);
    while (is_keyword(p, KW_INTERSECT))
        left = combine(p, SET_INTERSECT, left, sql__parse_primary_query);
    return left;
}

static Query *parse_term(Parser *p)
{
    Query *left = parse_meet(p);
    for (;;) {
        if (is_keyword(p, KW_UNION))
            left = combine(p, SET_UNION, left, parse_meet);
        else if (is_keyword(p, KW_EXCEPT) || is_keyword(p, KW_MINUS) || is_keyword(p, KW_SETMINUS))
            left = combine(p, SET_EXCEPT, left, parse_meet);
        else if (is_keyword(p, KW_INTERSECT)) /* only behind |> */
            left = combine(p, SET_INTERSECT, left, sql__parse_primary_query);
        else if (is_kind(p, TOK_PIPE_OP))
            left = sql__parse_pipe(p, left);
        else
            return left;
    }
}

/* ---- WITH, ORDER BY, LIMIT ---- */

/* MAX RECURSION LEVEL n */
static int64_t parse_level(Parser *p)
{
    int64_t level = 0;
    step(p);
    step(p);
    step(p);
    if (!is_kind(p, TOK_INTEGER) || !str_to_int64(sql__token_text(p, peek(p, 0)), &level) || level > INT32_MAX)
        sql__parse_expected(p, "a number of levels");
    step(p);
    return level;
}

static void parse_with(Parser *p, Query *holder)
{
    int capacity = 0;
    step(p);
    if (is_keyword(p, KW_RECURSIVE) && sql__is_name(p, 1) && keyword_at(p, 1) != KW_AS) {
        holder->recursive = true;
        step(p);
    }
    do {
        CommonTable table = {.pos = sql__here(p), .level_max = -1};
        table.name = sql__parse_name(p, "the name of a WITH query");
        if (is_kind(p, TOK_LPAREN) && !sql__query_ahead(p, 1))
            table.column_count = sql__parse_name_list(p, "a column name", &table.columns);
        if (sql__is_word(p, 0, "MAX") && sql__is_word(p, 1, "RECURSION") && sql__is_word(p, 2, "LEVEL"))
            table.level_max = parse_level(p);
        accept_keyword(p, KW_AS);
        int open = p->at;
        sql__expect(p, TOK_LPAREN, "AS and a query in parentheses");
        table.query = sql__parse_query_text(p);
        sql__expect_close(p, open);
        ARENA_PUSH(p->arena, holder->with, holder->with_count, capacity, table);
    } while (accept(p, TOK_COMMA));
}

void sql__parse_organization(Parser *p, Query *query)
{
    int capacity = 0;
    if (accept_keywords(p, KW_ORDER, KW_BY)) {
        query->order_by_all = is_keyword(p, KW_ALL) && kind_at(p, 1) != TOK_COMMA && kind_at(p, 1) != TOK_DOT;
        query->order_count = sql__parse_sort_items(p, &query->order_by);
        query->order_by_all = query->order_by_all && query->order_count == 1 && query->order_by[0].expr->kind == EXPR_COLUMN;
    }
    if (accept_keywords(p, KW_CLUSTER, KW_BY)) {
        query->distribute_count = sql__parse_expressions(p, &query->distribute_by);
        for (int i = 0; i < query->distribute_count; i++) {
            SortItem item = {.expr = query->distribute_by[i], .nulls_first = true};
            ARENA_PUSH(p->arena, query->sort_items, query->sort_count, capacity, item);
        }
    }
    if (accept_keywords(p, KW_DISTRIBUTE, KW_BY))
        query->distribute_count = sql__parse_expressions(p, &query->distribute_by);
    if (accept_keywords(p, KW_SORT, KW_BY))
        query->sort_count = sql__parse_sort_items(p, &query->sort_items);
    query->sort_by = query->sort_count || query->distribute_count;
    if (query->kind == QUERY_SELECT)
        sql__parse_windows(p, query);
    if (accept_keyword(p, KW_LIMIT) && !accept_keyword(p, KW_ALL))
        query->limit = sql__parse_expression(p);
    if (accept_keyword(p, KW_OFFSET))
        query->offset = sql__parse_expression(p);
}

bool sql__at_organization(const Parser *p)
{
    Keyword word = keyword_at(p, 0);
    return word == KW_LIMIT || word == KW_OFFSET || (keyword_at(p, 1) == KW_BY && (word == KW_ORDER || word == KW_SORT || word == KW_CLUSTER || word == KW_DISTRIBUTE));
}

Query *sql__parse_query_text(Parser *p)
{
    Query holder = {0};
    Query *query;
    SiltPos pos = sql__here(p);
    if (!sql__enter(p)) {
        sql__leave(p);
        return sql__query_new(p, QUERY_SELECT, pos);
    }
    if (is_keyword(p, KW_WITH))
        parse_with(p, &holder);
    query = parse_term(p);
    if (holder.with_count || sql__at_organization(p))
        query = sql__shield(p, query);
    if (holder.with_count) {
        query->with = holder.with;
        query->with_count = holder.with_count;
        query->recursive = holder.recursive;
        query->pos = pos;
    }
    sql__parse_organization(p, query);
    sql__query_done(p, query);
    if (is_kind(p, TOK_PIPE_OP) && sql__parse_fail(p, sql__here(p), NULL, "found \"|>\", expected the end of the query behind ORDER BY or LIMIT"))
        silt_hint(&p->err, "Put the query before it in parentheses, or write |> ORDER BY and |> LIMIT.");
    sql__leave(p);
    return query;
}
