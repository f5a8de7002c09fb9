/*
 * sql/parser_relation.c - what stands behind FROM: tables, streams, table functions, queries, VALUES, joins
 *
 * Spark's order behind a table name: [AS OF] [WITH (options)] [WATERMARK .. DELAY OF ..] [DROP DUPLICATES ..] [alias]; DROP DUPLICATES is ours.
 */
#include "sql/parser.h"

#include <string.h>

static Relation *relation_new(Parser *p, RelationKind kind, SiltPos pos)
{
    Relation *relation = ARENA_NEW(p->arena, Relation);
    relation->kind = kind;
    relation->pos = pos;
    return relation;
}

/* ---- behind a relation ---- */

static void parse_alias(Parser *p, Relation *relation)
{
    relation->alias_pos = sql__here(p);
    if (accept_keyword(p, KW_AS) || sql__may_be_alias(p, true)) {
        relation->alias_pos = sql__here(p);
        relation->alias = sql__parse_name(p, "a table alias");
        relation->alias_pos = sql__span(p, relation->alias_pos);
        if (is_kind(p, TOK_LPAREN))
            relation->column_alias_count = sql__parse_name_list(p, "a column name", &relation->column_aliases);
    }
    if (is_keyword(p, KW_WATERMARK) && relation->alias && sql__is_name(p, 1))
        sql__parse_expected(p, "the alias behind WATERMARK .. DELAY OF .., not before it");
}

static void parse_watermark(Parser *p, Relation *relation)
{
    TokenKind next = kind_at(p, 1);
    if (!is_keyword(p, KW_WATERMARK) || next == TOK_COMMA || next == TOK_RPAREN || next == TOK_END)
        return;
    step(p);
    relation->watermark = sql__parse_expression(p);
    if (accept_keyword(p, KW_AS) || (!is_keyword(p, KW_DELAY) && sql__is_name(p, 0)))
        relation->watermark_name = sql__parse_name(p, "a column name");
    sql__expect_keyword(p, KW_DELAY);
    sql__expect_keyword(p, KW_OF);
    relation->watermark_delay = sql__parse_interval(p);
    if (!relation->watermark_delay) {
        if (is_keyword(p, KW_INTERVAL))
            step(p);
        sql__parse_expected(p, "an interval, as in DELAY OF INTERVAL 10 MINUTES");
        relation->watermark_delay = p->nothing;
    }
}

static void parse_dedup(Parser *p, Relation *relation)
{
    if (!is_keyword(p, KW_DROP) || keyword_at(p, 1) != KW_DUPLICATES)
        return;
    step(p);
    step(p);
    relation->dedup_within_watermark = accept_keywords(p, KW_WITHIN, KW_WATERMARK);
    sql__expect_keyword(p, KW_ON);
    int open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\" and the columns");
    relation->dedup_count = sql__parse_expressions(p, &relation->dedup);
    sql__expect_close(p, open);
}

static void parse_modifiers(Parser *p, Relation *relation)
{
    relation->sample = sql__parse_sample(p);
    if (relation->sample && relation->kind == REL_FUNCTION && sql__parse_fail(p, relation->sample->pos, NULL, "TABLESAMPLE does not stand behind a function"))
        silt_hint(&p->err, "Put the function in parentheses: (range(9)) TABLESAMPLE (50 PERCENT).");
    parse_watermark(p, relation);
    parse_dedup(p, relation);
    parse_alias(p, relation);
}

/* ---- tables ---- */

static Expr *string_literal(Parser *p, SiltPos pos, const char *text)
{
    Expr *expr = sql__expr_new(p, EXPR_LITERAL, pos);
    expr->type = type_simple(TYPE_STRING);
    expr->text = text;
    expr->literal = str_of(text);
    sql__expr_done(p, expr);
    return expr;
}

/* t@v12 or t@20261130101500000 (yyyyMMddHHmmssSSS) */
static void parse_at(Parser *p, Relation *relation)
{
    if (!is_kind(p, TOK_AT))
        return;
    step(p);
    SiltPos pos = sql__here(p);
    Str text = sql__token_text(p, peek(p, 0));
    int64_t version;
    if (is_kind(p, TOK_WORD) && text.size > 1 && (*text.ptr == 'v' || *text.ptr == 'V') && str_to_int64((Str){text.ptr + 1, text.size - 1}, &version)) {
        Expr *expr = sql__expr_new(p, EXPR_LITERAL, pos);
        expr->type = type_simple(version <= INT32_MAX ? TYPE_INT : TYPE_LONG);
        expr->text = arena_strndup(p->arena, text.ptr + 1, text.size - 1);
        expr->literal_int = version;
        sql__expr_done(p, expr);
        relation->version_as_of = expr;
        step(p);
    } else if (is_kind(p, TOK_INTEGER) && text.size == 17) {
        const char *t = text.ptr;
        relation->timestamp_as_of = string_literal(
            p, pos, arena_printf(p->arena, "%.4s-%.2s-%.2s %.2s:%.2s:%.2s.%.3s", t, t + 4, t + 6, t + 8, t + 10, t + 12, t + 14));
        step(p);
    } else {
        sql__parse_expected(p, "a version such as v12 or a time as yyyyMMddHHmmssSSS behind @");
    }
}

/* [FOR] (VERSION | SYSTEM_VERSION | TIMESTAMP | SYSTEM_TIME) AS OF x */
static void parse_as_of(Parser *p, Relation *relation)
{
    int ahead = is_keyword(p, KW_FOR) ? 1 : 0;
    Keyword word = keyword_at(p, ahead);
    bool version = word == KW_VERSION || word == KW_SYSTEM_VERSION;
    if ((!version && word != KW_TIMESTAMP && word != KW_SYSTEM_TIME) || keyword_at(p, ahead + 1) != KW_AS || keyword_at(p, ahead + 2) != KW_OF)
        return;
    for (int i = 0; i < ahead + 3; i++)
        step(p);
    if (!version)
        relation->timestamp_as_of = sql__parse_value(p);
    else if (is_kind(p, TOK_INTEGER) || is_kind(p, TOK_STRING))
        relation->version_as_of = sql__parse_literal(p, false);
    else
        sql__parse_expected(p, "a version number");
}

/* LIVE.t is how older pipelines name a table of their own. */
static void drop_live(SqlName *name)
{
    if (name->count == 2 && str_is_nocase(str_of(name->parts[0]), "LIVE")) {
        name->parts++;
        name->count--;
    }
}

static SqlName parse_relation_name(Parser *p)
{
    bool quoted = is_kind(p, TOK_QUOTED);
    SqlName name;
    if (sql__parse_identifier(p, &name))
        return name;
    name = sql__parse_qualified(p, "a table name");
    if (!quoted)
        drop_live(&name);
    return name;
}

/* f(TABLE(name)); at the parenthesis. The one form of Spark's table arguments that a function here takes. */
static void parse_table_argument(Parser *p, Relation *relation)
{
    int open = p->at;

    step(p);
    step(p);
    int inner = p->at;
    step(p);
    relation->kind = REL_FUNCTION;
    relation->table_arg = sql__parse_qualified(p, "the name of a table");
    sql__expect_close(p, inner);
    sql__expect_close(p, open);
}

static void parse_arguments(Parser *p, Relation *relation)
{
    int open = p->at;
    if (keyword_at(p, 1) == KW_TABLE && kind_at(p, 2) == TOK_LPAREN && !sql__query_ahead(p, 3)) {
        parse_table_argument(p, relation);
        return;
    }
    Expr *call = sql__parse_call(p, relation->name);
    relation->kind = REL_FUNCTION;
    relation->args = call->args;
    relation->arg_count = call->arg_count;
    if (!p->failed && (call->distinct || call->filter || call->window || call->order_count || call->ignore_nulls))
        sql__parse_fail(p, sql__token_pos(p, &p->tokens[open]), NULL, "a table function takes no DISTINCT, FILTER, OVER or ORDER BY");
}

/* A name, with "(" a function; and what belongs to it but modifiers. */
static Relation *parse_table_or_function(Parser *p)
{
    Relation *relation = relation_new(p, REL_TABLE, sql__here(p));
    relation->name = parse_relation_name(p);
    relation->pos = relation->name.pos;
    if (is_kind(p, TOK_LPAREN)) {
        parse_arguments(p, relation);
        return relation;
    }
    parse_at(p, relation);
    parse_as_of(p, relation);
    return relation;
}

/* STREAM t, STREAM(t), STREAM f(..), STREAM(f(..)); at STREAM. */
static Relation *parse_stream(Parser *p)
{
    SiltPos pos = sql__here(p);
    step(p);
    int open = p->at;
    bool parenthesis = accept(p, TOK_LPAREN);
    if (parenthesis && sql__query_ahead(p, 0)) {
        if (sql__parse_fail(p, sql__here(p), NULL, "STREAM needs the name of a table, not a query"))
            silt_hint(&p->err, "Put STREAM before the table inside of the query.");
        return relation_new(p, REL_TABLE, pos);
    }
    Relation *relation = parse_table_or_function(p);
    if (parenthesis)
        sql__expect_close(p, open);
    relation->stream = true;
    relation->pos = sql__span(p, pos);
    return relation;
}

static bool at_stream(const Parser *p)
{
    if (!is_keyword(p, KW_STREAM))
        return false;
    if (kind_at(p, 1) == TOK_LPAREN)
        return true;
    if (kind_at(p, 1) == TOK_QUOTED)
        return true;
    if (kind_at(p, 1) != TOK_WORD)
        return false;
    Parser next = *p;
    next.at++;
    return sql__may_be_alias(&next, true); /* else it is a table named stream */
}

/* ---- VALUES ---- */

static bool is_struct(const Expr *expr)
{
    return expr->kind == EXPR_CALL && expr->name.count == 1 && !strcasecmp(expr->name.parts[0], "struct") && expr->arg_count && expr->args[0]->kind != EXPR_STAR;
}

/* struct(a, b) as a whole row is the row (a, b). */
static Expr *struct_row(Parser *p, Expr *call)
{
    Expr *row = sql__expr_new(p, EXPR_ROW, call->pos);
    row->args = ARENA_ARRAY(p->arena, Expr *, call->arg_count);
    row->arg_count = call->arg_count;
    for (int i = 0; i < call->arg_count; i++)
        row->args[i] = call->args[i]->kind == EXPR_ALIASED ? call->args[i]->args[0] : call->args[i];
    sql__expr_done(p, row);
    return row;
}

Relation *sql__parse_values(Parser *p)
{
    Relation *relation = relation_new(p, REL_VALUES, sql__here(p));
    int capacity = 0;
    step(p);
    do {
        Expr *item = sql__parse_expression(p), *row = is_struct(item) ? struct_row(p, item) : item;
        if (row->kind != EXPR_ROW) {
            row = sql__expr_new(p, EXPR_ROW, item->pos);
            row->args = ARENA_ARRAY(p->arena, Expr *, 1);
            row->args[0] = item;
            row->arg_count = 1;
            sql__expr_done(p, row);
        }
        if (capacity && row->arg_count != relation->args[0]->arg_count)
            sql__parse_fail(p, row->pos, "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH", "row has %d columns, the first one has %d", row->arg_count,
                            relation->args[0]->arg_count);
        ARENA_PUSH(p->arena, relation->args, relation->arg_count, capacity, row);
    } while (accept(p, TOK_COMMA));
    relation->pos = sql__span(p, relation->pos);
    parse_alias(p, relation);
    return relation;
}

/* ---- primary relations ---- */

static Relation *parse_joins(Parser *p, Relation *left);

static bool is_bare_values(const Query *query)
{
    return query->kind == QUERY_VALUES && !query->with_count && !query->order_count && !query->sort_by && !query->limit && !query->offset;
}

/* ( query ) or ( relation ) */
static Relation *parse_parenthesis(Parser *p)
{
    SiltPos pos = sql__here(p);
    int open = p->at;
    Relation *relation, *inner;
    bool query_ahead = sql__query_ahead(p, 1);
    step(p);
    if (query_ahead) {
        relation = relation_new(p, REL_QUERY, pos);
        relation->query = sql__parse_query_text(p);
        if (is_kind(p, TOK_RPAREN) || !is_bare_values(relation->query)) {
            sql__expect_close(p, open);
            relation->pos = sql__span(p, pos);
            parse_modifiers(p, relation);
            return relation;
        }
        inner = parse_joins(p, relation->query->from); /* (VALUES (1) v JOIN t ..) */
    } else {
        inner = sql__parse_relation(p);
    }
    sql__expect_close(p, open);
    relation = relation_new(p, REL_QUERY, sql__span(p, pos));
    parse_modifiers(p, relation);
    if (!relation->alias && !relation->watermark && !relation->dedup_count && !relation->sample)
        return inner;
    /* (a JOIN b) TABLESAMPLE (..): without an alias of its own, its columns keep the names they have inside */
    relation->keeps_names = !relation->alias;
    /* (a JOIN b) AS x: as a query over it */
    Query *query = ARENA_NEW(p->arena, Query);
    query->kind = QUERY_SELECT;
    query->pos = pos;
    query->height = 1;
    query->items = ARENA_ARRAY(p->arena, SelectItem, 1);
    query->items[0].expr = sql__expr_new(p, EXPR_STAR, pos);
    query->item_count = 1;
    query->from = inner;
    sql__expr_done(p, query->items[0].expr);
    sql__query_done(p, query);
    relation->query = query;
    return relation;
}

static Relation *parse_primary_relation(Parser *p)
{
    Relation *relation;
    if (is_keyword(p, KW_LATERAL)) {
        SiltPos pos = sql__here(p);
        step(p);
        if (is_kind(p, TOK_LPAREN)) {
            int open = p->at;
            step(p);
            relation = relation_new(p, REL_QUERY, pos);
            relation->query = sql__parse_query_text(p);
            sql__expect_close(p, open);
            relation->pos = sql__span(p, pos);
            relation->lateral = true;
            parse_modifiers(p, relation);
            return relation;
        }
        relation = parse_table_or_function(p);
        if (relation->kind != REL_FUNCTION && !p->failed)
            sql__parse_fail(p, relation->pos, "INVALID_SQL_SYNTAX.LATERAL_WITHOUT_SUBQUERY_OR_TABLE_VALUED_FUNC", "LATERAL needs a table function, found a table name");
        relation->lateral = true;
        parse_modifiers(p, relation);
        return relation;
    }
    if (is_kind(p, TOK_LPAREN))
        return parse_parenthesis(p);
    if (is_keyword(p, KW_VALUES) && sql__query_ahead(p, 0))
        return sql__parse_values(p);
    if (is_kind(p, TOK_STRING) && p->file_source && !*p->file_source) {
        relation = *p->file_source = sql__parse_file_source(p);
        parse_modifiers(p, relation);
        return relation;
    }
    if (is_keyword(p, KW_TABLE) && kind_at(p, 1) == TOK_LPAREN) {
        sql__parse_refuse(p, sql__here(p), "TABLE(..)", "Write the table or the function itself.");
        return relation_new(p, REL_TABLE, sql__here(p));
    }
    if (keyword_at(p, 0) && !sql__may_be_alias(p, true) && kind_at(p, 1) != TOK_DOT) { /* FROM WHERE .., FROM JOIN .. */
        sql__parse_expected(p, "a table, a function or \"(\"");
        return relation_new(p, REL_TABLE, sql__here(p));
    }
    relation = at_stream(p) ? parse_stream(p) : parse_table_or_function(p);
    if (is_keyword(p, KW_WITH) && kind_at(p, 1) == TOK_LPAREN) {
        step(p);
        relation->option_count = sql__parse_options(p, &relation->options);
    }
    parse_modifiers(p, relation);
    return relation;
}

/* ---- joins ---- */

static bool accept_join(Parser *p, Relation *join)
{
    int at = p->at;
    join->natural = accept_keyword(p, KW_NATURAL);
    join->join = JOIN_INNER;
    if (accept_keyword(p, KW_CROSS)) {
        if (join->natural)
            sql__parse_fail(p, sql__token_pos(p, &p->tokens[at]), "INCOMPATIBLE_JOIN_TYPES", "a join is NATURAL or CROSS, not both");
        join->join = JOIN_CROSS;
    } else if (accept_keyword(p, KW_LEFT)) {
        join->join = accept_keyword(p, KW_SEMI) ? JOIN_LEFT_SEMI : accept_keyword(p, KW_ANTI) ? JOIN_LEFT_ANTI : JOIN_LEFT;
    } else if (accept_keyword(p, KW_RIGHT)) {
        join->join = JOIN_RIGHT;
    } else if (accept_keyword(p, KW_FULL)) {
        join->join = JOIN_FULL;
    } else if (accept_keyword(p, KW_SEMI)) {
        join->join = JOIN_LEFT_SEMI;
    } else if (accept_keyword(p, KW_ANTI)) {
        join->join = JOIN_LEFT_ANTI;
    } else {
        accept_keyword(p, KW_INNER);
    }
    if (join->join == JOIN_LEFT || join->join == JOIN_RIGHT || join->join == JOIN_FULL)
        accept_keyword(p, KW_OUTER);
    if (accept_keyword(p, KW_JOIN))
        return true;
    if (p->at != at && !p->failed)
        sql__expect_keyword(p, KW_JOIN);
    return false;
}

static void parse_condition(Parser *p, Relation *join)
{
    SiltPos pos = sql__here(p);
    bool given = is_keyword(p, KW_ON) || is_keyword(p, KW_USING);
    if (given && join->natural) {
        sql__parse_fail(p, pos, NULL, "a NATURAL join takes no ON or USING");
        return;
    }
    if (accept_keyword(p, KW_ON))
        join->on = sql__parse_expression(p);
    else if (accept_keyword(p, KW_USING))
        join->using_count = sql__parse_name_list(p, "a column name", &join->using_columns);
}

static int relation_chain(const Relation *relation)
{
    int length = 0;
    for (; relation && relation->kind >= REL_JOIN; relation = relation->left)
        length++;
    return length;
}

static bool check_chain(Parser *p, int length, SiltPos pos)
{
    if (length < NESTING_MAX)
        return true;
    if (sql__parse_fail(p, pos, NULL, "more than %d joins in one FROM", NESTING_MAX))
        silt_hint(&p->err, "Split them over WITH queries.");
    return false;
}

Relation *sql__parse_join(Parser *p, Relation *left)
{
    Relation *join = sql__parse_pivot(p, left);
    if (join != left)
        return join;
    join = relation_new(p, REL_JOIN, sql__here(p));
    if (!accept_join(p, join))
        return left;
    join->pos = sql__span(p, join->pos);
    join->left = left;
    join->right = parse_primary_relation(p);
    parse_condition(p, join);
    return join;
}

static Relation *parse_joins(Parser *p, Relation *left)
{
    int chain = relation_chain(left);
    for (;;) {
        SiltPos pos = sql__here(p);
        Relation *next = sql__parse_join(p, left);
        if (next == left || !check_chain(p, ++chain, pos))
            return left;
        left = next;
    }
}

Relation *sql__parse_relation(Parser *p)
{
    Relation *relation = sql__enter(p) ? parse_joins(p, parse_primary_relation(p)) : relation_new(p, REL_TABLE, sql__here(p));
    sql__leave(p);
    return relation;
}

/* LATERAL VIEW [OUTER] f(..) [t] [AS a, b] */
static Relation *parse_lateral_view(Parser *p, Relation *left)
{
    Relation *join = relation_new(p, REL_JOIN, sql__here(p));
    step(p);
    step(p);
    bool outer = accept_keyword(p, KW_OUTER);
    Relation *view = relation_new(p, REL_FUNCTION, sql__here(p));
    int capacity = 0;
    view->name = sql__parse_qualified(p, "a function such as explode");
    view->pos = view->name.pos;
    if (!is_kind(p, TOK_LPAREN)) {
        sql__parse_expected(p, "\"(\" and the function's arguments");
        return left;
    }
    parse_arguments(p, view);
    view->lateral = view->view = true;
    view->outer_view = outer;
    if (is_keyword(p, KW_AS) && sql__is_name(p, 1)) {
        view->alias = "AS"; /* Spark takes it so: LATERAL VIEW explode(a) AS x */
        view->alias_pos = sql__here(p);
    } else if (sql__may_be_alias(p, true)) {
        view->alias_pos = sql__here(p);
        view->alias = sql__parse_name(p, "a table alias");
    } else {
        sql__parse_expected(p, "a table alias for the LATERAL VIEW");
    }
    if (accept_keyword(p, KW_AS) || sql__may_be_alias(p, true)) {
        do {
            const char *name = sql__parse_name(p, "a column name");
            ARENA_PUSH(p->arena, view->column_aliases, view->column_alias_count, capacity, name);
        } while (accept(p, TOK_COMMA));
    }
    join->join = JOIN_CROSS;
    join->left = left;
    join->right = view;
    return join;
}

Relation *sql__parse_from(Parser *p)
{
    Relation *left = sql__parse_relation(p);
    int chain = relation_chain(left);
    while (is_kind(p, TOK_COMMA)) {
        Relation *join = relation_new(p, REL_JOIN, sql__here(p));
        step(p);
        if (!check_chain(p, ++chain, join->pos))
            break;
        join->join = JOIN_CROSS;
        join->comma = true;
        join->left = left;
        join->right = sql__parse_relation(p);
        left = join;
    }
    while (is_keyword(p, KW_LATERAL) && keyword_at(p, 1) == KW_VIEW && check_chain(p, ++chain, sql__here(p)))
        left = parse_lateral_view(p, left);
    for (Relation *next; (next = sql__parse_pivot(p, left)) != left && check_chain(p, ++chain, next->pos);)
        left = next;
    return left;
}
