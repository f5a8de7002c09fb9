/* sql/parser_pivot.c - what stands behind a relation and makes another one of it: TABLESAMPLE, PIVOT, UNPIVOT */
#include "sql/parser.h"

#include <string.h>

/* ---- TABLESAMPLE ---- */

static int64_t parse_integer(Parser *p, const char *what)
{
    int64_t value = 0;
    bool negative = accept(p, TOK_MINUS);
    if (!is_kind(p, TOK_INTEGER) || !str_to_int64(sql__token_text(p, peek(p, 0)), &value))
        sql__parse_expected(p, "%s", what);
    step(p);
    return negative ? -value : value;
}

static const char *parse_percent(Parser *p)
{
    bool negative = accept(p, TOK_MINUS);
    Str text = sql__token_text(p, peek(p, 0));
    step(p);
    step(p);
    return arena_printf(p->arena, "%s%.*s", negative ? "-" : "", (int)text.size, text.ptr);
}

static bool at_percent(const Parser *p)
{
    int ahead = is_kind(p, TOK_MINUS) ? 1 : 0;
    TokenKind kind = kind_at(p, ahead);
    return (kind == TOK_INTEGER || kind == TOK_NUMBER) && sql__is_word(p, ahead + 1, "PERCENT");
}

static void parse_method(Parser *p, Sample *sample)
{
    if (is_kind(p, TOK_RPAREN)) {
        sql__parse_fail(p, sample->pos, "_LEGACY_ERROR_TEMP_0014", "TABLESAMPLE does not say how much");
        return;
    }
    if (at_percent(p)) {
        sample->kind = SAMPLE_PERCENT;
        sample->percent = parse_percent(p);
        return;
    }
    if (sql__is_word(p, 0, "BUCKET") && kind_at(p, 1) == TOK_INTEGER) {
        sample->kind = SAMPLE_BUCKET;
        step(p);
        sample->bucket = parse_integer(p, "the number of a bucket");
        if (!sql__is_word(p, 0, "OUT") || keyword_at(p, 1) != KW_OF)
            sql__parse_expected(p, "OUT OF and the number of buckets");
        step(p);
        step(p);
        sample->buckets = parse_integer(p, "the number of buckets");
        if (is_keyword(p, KW_ON))
            sql__parse_fail(p, sample->pos, "_LEGACY_ERROR_TEMP_0015", "TABLESAMPLE (BUCKET .. ON ..) is not supported, as in Spark");
        return;
    }
    sample->kind = SAMPLE_ROWS;
    sample->rows = sql__parse_expression(p);
    if (!accept_keyword(p, KW_ROWS)) {
        if (is_kind(p, TOK_RPAREN))
            sql__parse_fail(p, sample->pos, "_LEGACY_ERROR_TEMP_0015", "TABLESAMPLE of a number of bytes is not supported, as in Spark");
        else
            sql__parse_expected(p, "ROWS, PERCENT or BUCKET i OUT OF n");
    }
}

Sample *sql__parse_sample(Parser *p)
{
    if (!is_keyword(p, KW_TABLESAMPLE) || kind_at(p, 1) != TOK_LPAREN)
        return NULL;
    Sample *sample = ARENA_NEW(p->arena, Sample);
    sample->pos = sql__here(p);
    step(p);
    int open = p->at;
    step(p);
    parse_method(p, sample);
    sql__expect_close(p, open);
    sample->pos = sql__span(p, sample->pos);
    if (sql__is_word(p, 0, "REPEATABLE") && kind_at(p, 1) == TOK_LPAREN) {
        step(p);
        open = p->at;
        step(p);
        sample->seed_given = true;
        sample->seed = parse_integer(p, "a whole number as seed");
        sql__expect_close(p, open);
    }
    return sample;
}

/* ---- PIVOT ---- */

static void parse_pivot_columns(Parser *p, Pivot *pivot)
{
    int open = p->at, capacity = 0;
    bool several = accept(p, TOK_LPAREN);
    do {
        SiltPos pos = sql__here(p);
        const char *name = sql__parse_name(p, "the column whose values become columns");
        Expr *column = sql__expr_new(p, EXPR_COLUMN, pos);
        column->name = (SqlName){.parts = ARENA_ARRAY(p->arena, const char *, 1), .count = 1, .pos = pos};
        column->name.parts[0] = name;
        sql__expr_done(p, column);
        ARENA_PUSH(p->arena, pivot->columns, pivot->column_count, capacity, column);
    } while (several && accept(p, TOK_COMMA));
    if (several)
        sql__expect_close(p, open);
}

static void parse_alias(Parser *p, Relation *relation)
{
    relation->alias_pos = sql__here(p);
    if (accept_keyword(p, KW_AS) || sql__may_be_alias(p, true)) {
        relation->alias_pos = sql__here(p);
        relation->alias = sql__parse_name(p, "a table alias");
    }
}

static Relation *parse_pivot(Parser *p, Relation *left)
{
    Relation *relation = ARENA_NEW(p->arena, Relation);
    Pivot *pivot = ARENA_NEW(p->arena, Pivot);
    relation->kind = REL_PIVOT;
    relation->pos = sql__here(p);
    relation->left = left;
    relation->pivot = pivot;
    step(p);
    int open = p->at;
    step(p);
    pivot->aggregate_count = sql__parse_items(p, &pivot->aggregates);
    sql__expect_keyword(p, KW_FOR);
    parse_pivot_columns(p, pivot);
    sql__expect_keyword(p, KW_IN);
    int values = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\" and the values that become columns");
    pivot->value_count = sql__parse_items(p, &pivot->values);
    sql__expect_close(p, values);
    sql__expect_close(p, open);
    relation->pos = sql__span(p, relation->pos);
    parse_alias(p, relation);
    return relation;
}

/* ---- UNPIVOT ---- */

static Expr *parse_unpivot_column(Parser *p)
{
    SqlName name = sql__parse_qualified(p, "a column that becomes a row");
    Expr *column = sql__expr_new(p, EXPR_COLUMN, name.pos);
    column->name = name;
    sql__expr_done(p, column);
    return column;
}

static void parse_group(Parser *p, Unpivot *unpivot, UnpivotGroup *group)
{
    int open = p->at, capacity = 0;
    group->pos = sql__here(p);
    if (unpivot->several)
        sql__expect(p, TOK_LPAREN, "\"(\" and the columns of one row");
    do {
        Expr *column = parse_unpivot_column(p);
        ARENA_PUSH(p->arena, group->columns, group->column_count, capacity, column);
    } while (unpivot->several && accept(p, TOK_COMMA));
    if (unpivot->several)
        sql__expect_close(p, open);
    group->pos = sql__span(p, group->pos);
    if (accept_keyword(p, KW_AS) || sql__is_name(p, 0))
        group->alias = sql__parse_name(p, "the name of these columns");
}

static Relation *parse_unpivot(Parser *p, Relation *left)
{
    Relation *relation = ARENA_NEW(p->arena, Relation);
    Unpivot *unpivot = ARENA_NEW(p->arena, Unpivot);
    int capacity = 0;
    relation->kind = REL_UNPIVOT;
    relation->pos = sql__here(p);
    relation->left = left;
    relation->unpivot = unpivot;
    step(p);
    unpivot->include_nulls = sql__is_word(p, 0, "INCLUDE");
    if (!is_kind(p, TOK_LPAREN)) {
        step(p);
        sql__expect_keyword(p, KW_NULLS);
    }
    int open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\"");
    unpivot->several = is_kind(p, TOK_LPAREN);
    if (unpivot->several) {
        unpivot->value_count = sql__parse_name_list(p, "the name of a column of values", &unpivot->values);
    } else {
        unpivot->values = ARENA_ARRAY(p->arena, const char *, 1);
        unpivot->values[0] = sql__parse_name(p, "the name of the column of values");
        unpivot->value_count = 1;
    }
    sql__expect_keyword(p, KW_FOR);
    unpivot->name_column = sql__parse_name(p, "the name of the column of names");
    sql__expect_keyword(p, KW_IN);
    int groups = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\" and the columns that become rows");
    do {
        UnpivotGroup group = {0};
        parse_group(p, unpivot, &group);
        ARENA_PUSH(p->arena, unpivot->groups, unpivot->group_count, capacity, group);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, groups);
    sql__expect_close(p, open);
    relation->pos = sql__span(p, relation->pos);
    parse_alias(p, relation);
    return relation;
}

Relation *sql__parse_pivot(Parser *p, Relation *left)
{
    if (is_keyword(p, KW_PIVOT) && kind_at(p, 1) == TOK_LPAREN)
        return parse_pivot(p, left);
    if (is_keyword(p, KW_UNPIVOT) && (kind_at(p, 1) == TOK_LPAREN || sql__is_word(p, 1, "INCLUDE") || sql__is_word(p, 1, "EXCLUDE")))
        return parse_unpivot(p, left);
    return left;
}
