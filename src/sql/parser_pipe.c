/*
 * sql/parser_pipe.c - query |> operator
 *
 *   |> SELECT .. [GROUP BY ..] [WINDOW ..] | EXTEND a AS b, .. | SET a = x, .. | DROP a, .. | AS t | WHERE x | ORDER BY .. LIMIT .. OFFSET ..
 *   |> AGGREGATE [a, ..] [GROUP BY b AS k, ..] | [kind] JOIN .. | PIVOT (..) | UNPIVOT (..) | TABLESAMPLE (..) | UNION .. query
 */
#include "sql/parser.h"

static void parse_assignments(Parser *p, Query *query)
{
    int capacity = 0;
    do {
        SelectItem item = {.alias_pos = sql__here(p)};
        item.alias = sql__parse_name(p, "a column to set");
        if (is_kind(p, TOK_DOT))
            sql__parse_expected(p, "\"=\": |> SET takes plain names of columns");
        sql__expect(p, TOK_EQ, "\"=\" and the new value");
        item.expr = sql__parse_expression(p);
        ARENA_PUSH(p->arena, query->items, query->item_count, capacity, item);
    } while (accept(p, TOK_COMMA));
}

static void parse_drops(Parser *p, Query *query)
{
    int capacity = 0;
    do {
        SqlName name = sql__parse_qualified(p, "a column to leave out");
        ARENA_PUSH(p->arena, query->pipe_names, query->pipe_name_count, capacity, name);
    } while (accept(p, TOK_COMMA));
}

static bool at_grouping(const Parser *p)
{
    return ((is_keyword(p, KW_ROLLUP) || is_keyword(p, KW_CUBE)) && kind_at(p, 1) == TOK_LPAREN) || (is_keyword(p, KW_GROUPING) && keyword_at(p, 1) == KW_SETS) ||
           (is_keyword(p, KW_ALL) && kind_at(p, 1) != TOK_COMMA && kind_at(p, 1) != TOK_DOT);
}

static void refuse_grouping(Parser *p)
{
    if (sql__parse_fail(p, sql__here(p), "UNSUPPORTED_FEATURE.PIPE_OPERATOR_AGGREGATE_UNSUPPORTED_CASE",
                        "|> AGGREGATE takes plain expressions behind GROUP BY, as in Spark"))
        silt_hint(&p->err, "Write it as a SELECT .. GROUP BY over the query in parentheses.");
}

/* GROUP BY of AGGREGATE: expressions, which may have names. */
static void parse_groups(Parser *p, Query *query)
{
    if (at_grouping(p))
        refuse_grouping(p);
    query->group_item_count = sql__parse_items(p, &query->group_items);
    if (is_keyword(p, KW_WITH) && (keyword_at(p, 1) == KW_ROLLUP || keyword_at(p, 1) == KW_CUBE))
        refuse_grouping(p);
}

static void parse_aggregate(Parser *p, Query *query)
{
    SiltPos pos = sql__here(p);
    step(p);
    bool groups = is_keyword(p, KW_GROUP) && keyword_at(p, 1) == KW_BY;
    bool ends = is_kind(p, TOK_END) || is_kind(p, TOK_PIPE_OP) || is_kind(p, TOK_RPAREN);
    if (!groups && !ends)
        query->item_count = sql__parse_items(p, &query->items);
    if (accept_keywords(p, KW_GROUP, KW_BY))
        parse_groups(p, query);
    else if (ends)
        sql__parse_fail(p, pos, NULL, "|> AGGREGATE needs an aggregate function or GROUP BY");
}

/* ORDER BY and friends of their own. */
static void parse_order(Parser *p, Query *query)
{
    SiltPos pos = sql__here(p);
    query->pipe = PIPE_ORDER;
    sql__parse_organization(p, query);
    if ((query->order_count > 0) + query->sort_by + (query->limit || query->offset) > 1)
        sql__parse_fail(p, pos, "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS", "|> takes one of ORDER BY, SORT BY and LIMIT at a time: write |> before each");
}

static void parse_set(Parser *p, Query *query)
{
    query->pipe = PIPE_UNION;
    query->set_op = is_keyword(p, KW_UNION) ? SET_UNION : is_keyword(p, KW_INTERSECT) ? SET_INTERSECT : SET_EXCEPT;
    step(p);
    query->set_all = accept_keyword(p, KW_ALL);
    if (!query->set_all)
        accept_keyword(p, KW_DISTINCT);
    query->right = sql__shield(p, sql__parse_primary_query(p));
}

static void parse_relation(Parser *p, Query *query)
{
    query->pipe = PIPE_RELATION;
    query->sample = sql__parse_sample(p);
    if (query->sample) {
        query->pipe = PIPE_SAMPLE;
        return;
    }
    query->from = sql__parse_join(p, NULL);
    if (!query->from) {
        sql__parse_expected(p, "an operator behind |>: SELECT, EXTEND, SET, DROP, AS, WHERE, AGGREGATE, JOIN, UNION, ORDER BY, LIMIT, PIVOT, UNPIVOT or TABLESAMPLE");
        query->pipe = PIPE_SELECT;
    }
}

static void parse_operator(Parser *p, Query *query)
{
    switch (keyword_at(p, 0)) {
    case KW_SELECT:
        query->pipe = PIPE_SELECT;
        step(p);
        sql__parse_quantifier(p, query);
        query->item_count = sql__parse_items(p, &query->items);
        if (accept_keywords(p, KW_GROUP, KW_BY))
            sql__parse_group_by(p, query);
        sql__parse_windows(p, query);
        return;
    case KW_SET:
        query->pipe = PIPE_SET;
        step(p);
        parse_assignments(p, query);
        return;
    case KW_DROP:
        query->pipe = PIPE_DROP;
        step(p);
        parse_drops(p, query);
        return;
    case KW_AS:
        query->pipe = PIPE_AS;
        step(p);
        query->pipe_names = ARENA_NEW(p->arena, SqlName);
        *query->pipe_names = (SqlName){.parts = ARENA_ARRAY(p->arena, const char *, 1), .count = 1, .pos = sql__here(p)};
        query->pipe_names->parts[0] = sql__parse_name(p, "a table alias");
        query->pipe_name_count = 1;
        return;
    case KW_WHERE:
        query->pipe = PIPE_WHERE;
        step(p);
        query->where = sql__parse_expression(p);
        return;
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_MINUS:
    case KW_SETMINUS:
        parse_set(p, query);
        return;
    default:
        break;
    }
    if (sql__is_word(p, 0, "EXTEND")) {
        query->pipe = PIPE_EXTEND;
        step(p);
        query->item_count = sql__parse_items(p, &query->items);
    } else if (sql__is_word(p, 0, "AGGREGATE")) {
        query->pipe = PIPE_AGGREGATE;
        parse_aggregate(p, query);
    } else if (sql__at_organization(p)) {
        parse_order(p, query);
    } else {
        parse_relation(p, query);
    }
}

Query *sql__parse_pipe(Parser *p, Query *left)
{
    Query *query = sql__query_new(p, QUERY_PIPE, sql__here(p));
    /* what |> ORDER BY gives goes on to the next operator as it is */
    query->left = left->kind == QUERY_PIPE && left->pipe == PIPE_ORDER && !left->with_count ? left : sql__shield(p, left);
    step(p);
    parse_operator(p, query);
    query->pos = sql__span(p, query->pos);
    sql__query_done(p, query);
    return query;
}
