/*
 * sql/parser_copy.c - COPY INTO, as Databricks spells it
 *
 *   COPY INTO table [BY POSITION | (column, ..)] FROM 'path' | (SELECT .. FROM 'path')
 *   FILEFORMAT = format [VALIDATE [ALL | n ROWS]] [FILES = ('a', ..) | PATTERN = 'glob'] [FORMAT_OPTIONS (..)] [COPY_OPTIONS (..)]
 *
 * The clauses behind FILEFORMAT may stand in any order. A path in quotes becomes read_files('path').
 */
#include "sql/parser.h"

#include <string.h>

Relation *sql__parse_file_source(Parser *p)
{
    static const char *read_files[] = {"read_files"};
    Relation *relation = ARENA_NEW(p->arena, Relation);
    SiltPos pos = sql__here(p);
    relation->kind = REL_FUNCTION;
    relation->pos = relation->name.pos = pos;
    relation->name.parts = read_files;
    relation->name.count = 1;
    relation->args = ARENA_ARRAY(p->arena, Expr *, 1);
    relation->args[0] = sql__parse_literal(p, false);
    relation->arg_count = 1;
    relation->pos = sql__span(p, pos);
    return relation;
}

static void refuse_access(Parser *p)
{
    if (is_keyword(p, KW_WITH))
        sql__parse_refuse(p, sql__here(p), "WITH (CREDENTIAL ..) or ENCRYPTION", "Access comes from the environment of the process.");
}

/* SELECT * FROM read_files('path') */
static Query *all_of(Parser *p, Relation *source)
{
    Query *query = sql__query_new(p, QUERY_SELECT, source->pos);
    query->items = ARENA_ARRAY(p->arena, SelectItem, 1);
    query->items[0].expr = sql__expr_new(p, EXPR_STAR, source->pos);
    query->item_count = 1;
    query->from = source;
    sql__expr_done(p, query->items[0].expr);
    sql__query_done(p, query);
    return query;
}

static void parse_source(Parser *p, Statement *s)
{
    CopyInto *copy = s->copy;
    if (is_kind(p, TOK_STRING)) {
        copy->source = sql__parse_file_source(p);
        s->query = all_of(p, copy->source);
    } else if (is_kind(p, TOK_LPAREN)) {
        int open = p->at;
        step(p);
        p->file_source = &copy->source;
        copy->selected = true;
        s->query = sql__parse_query_text(p);
        p->file_source = NULL;
        refuse_access(p);
        sql__expect_close(p, open);
        if (!copy->source && sql__parse_fail(p, s->query->pos, NULL, "the SELECT of COPY INTO reads no files"))
            silt_hint(&p->err, "Its FROM names them in quotes: (SELECT id FROM '/in/orders').");
    } else {
        sql__parse_expected(p, "a path in quotes, or (SELECT .. FROM 'path')");
    }
    refuse_access(p);
    if (p->failed)
        return;
    const Expr *path = copy->source->args[0];
    copy->path = arena_strndup(p->arena, path->literal.ptr, path->literal.size);
    copy->path_pos = path->pos;
}

static bool at_word(const Parser *p, const char *word)
{
    return is_kind(p, TOK_WORD) && sql__is_word(p, 0, word);
}

static void parse_validate(Parser *p, CopyInto *copy)
{
    copy->validate = true;
    copy->validate_rows = -1;
    if (accept_keyword(p, KW_ALL) || !is_kind(p, TOK_INTEGER))
        return;
    if (!str_to_int64(sql__token_text(p, peek(p, 0)), &copy->validate_rows))
        sql__parse_expected(p, "a number of rows");
    step(p);
    sql__expect_keyword(p, KW_ROWS);
}

static void parse_files(Parser *p, CopyInto *copy)
{
    int open = p->at, capacity = 0;
    sql__expect(p, TOK_LPAREN, "\"(\" and names of files in quotes");
    do {
        const char *name = sql__parse_text(p, "the name of a file in quotes");
        ARENA_PUSH(p->arena, copy->files, copy->file_count, capacity, name);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
}

enum { CLAUSE_FORMAT, CLAUSE_VALIDATE, CLAUSE_FILES, CLAUSE_PATTERN, CLAUSE_FORMAT_OPTIONS, CLAUSE_COPY_OPTIONS, CLAUSES };

static void parse_clause(Parser *p, CopyInto *copy, int clause, SiltPos pos)
{
    switch (clause) {
    case CLAUSE_FORMAT:
        sql__expect(p, TOK_EQ, "\"=\" and a format");
        copy->format_pos = sql__here(p);
        copy->format = sql__parse_name(p, "a format: JSON, CSV, PARQUET, AVRO, TEXT or BINARYFILE");
        break;
    case CLAUSE_VALIDATE:
        parse_validate(p, copy);
        break;
    case CLAUSE_FILES:
        copy->files_pos = pos;
        sql__expect(p, TOK_EQ, "\"=\" and a list of files");
        parse_files(p, copy);
        break;
    case CLAUSE_PATTERN:
        sql__expect(p, TOK_EQ, "\"=\" and a glob pattern");
        copy->files_pos = sql__here(p);
        copy->pattern = sql__parse_text(p, "a glob pattern in quotes");
        break;
    case CLAUSE_FORMAT_OPTIONS:
        copy->format_option_count = sql__parse_options(p, &copy->format_options);
        break;
    case CLAUSE_COPY_OPTIONS:
        copy->copy_option_count = sql__parse_options(p, &copy->copy_options);
        break;
    }
}

Statement *sql__parse_copy(Parser *p, Statement *s)
{
    static const char *const words[CLAUSES] = {"FILEFORMAT", "VALIDATE", "FILES", "PATTERN", "FORMAT_OPTIONS", "COPY_OPTIONS"};
    bool given[CLAUSES] = {false};
    SiltPos start = sql__here(p);
    s->kind = STMT_COPY;
    s->copy = ARENA_NEW(p->arena, CopyInto);
    step(p);
    step(p);
    s->target = sql__parse_qualified(p, "the table to copy into");
    s->copy->columns_pos = sql__here(p);
    if (is_keyword(p, KW_BY)) {
        step(p);
        sql__expect_keyword(p, KW_POSITION);
        s->copy->by_position = true;
    } else if (is_kind(p, TOK_LPAREN)) {
        s->copy->column_count = sql__parse_placed_names(p, "a column", &s->copy->columns, &s->copy->positions);
    }
    refuse_access(p);
    sql__expect_keyword(p, KW_FROM);
    parse_source(p, s);
    while (!is_kind(p, TOK_END) && !p->failed) {
        SiltPos pos = sql__here(p);
        int clause = 0;
        while (clause < CLAUSES && !at_word(p, words[clause]))
            clause++;
        if (clause == CLAUSES) {
            sql__parse_expected(p, "FILEFORMAT, VALIDATE, FILES, PATTERN, FORMAT_OPTIONS or COPY_OPTIONS");
            break;
        }
        if (given[clause])
            sql__parse_fail(p, pos, "DUPLICATE_CLAUSES", "%s is given twice", words[clause]);
        given[clause] = true;
        step(p);
        parse_clause(p, s->copy, clause, pos);
    }
    if (!given[CLAUSE_FORMAT] && sql__parse_fail(p, sql__span(p, start), NULL, "COPY INTO needs FILEFORMAT"))
        silt_hint(&p->err, "For instance FILEFORMAT = JSON; CSV, PARQUET, AVRO, TEXT and BINARYFILE are known too.");
    if (given[CLAUSE_FILES] && given[CLAUSE_PATTERN])
        sql__parse_fail(p, s->copy->files_pos, NULL, "FILES and PATTERN do not go together");
    return s;
}
