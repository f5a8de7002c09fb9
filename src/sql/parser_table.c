/*
 * sql/parser_table.c - INSERT and ALTER TABLE, as Spark and Delta spell them
 *
 *   INSERT INTO | OVERWRITE [TABLE] table [(column, ..)] [BY NAME] query
 *   ALTER TABLE table ADD COLUMN[S] column | (column, ..)
 *   ALTER TABLE table RENAME COLUMN path TO name
 *   ALTER TABLE table DROP COLUMN[S] [IF EXISTS] path | (path, ..)
 *   ALTER TABLE table ALTER | CHANGE [COLUMN] path TYPE type, ..
 *   ALTER TABLE table SET TBLPROPERTIES ('k' = 'v', ..) | UNSET TBLPROPERTIES [IF EXISTS] ('k', ..)
 *
 * Other forms of ALTER TABLE are refused by name.
 */
#include "sql/parser.h"

#include <string.h>

/* ---- INSERT ---- */

/* (name) or (name, ..: a list of columns, no query in parentheses. */
static bool is_column_list(const Parser *p)
{
    return is_kind(p, TOK_LPAREN) && sql__is_name(p, 1) && (kind_at(p, 2) == TOK_COMMA || kind_at(p, 2) == TOK_RPAREN);
}

Statement *sql__parse_insert(Parser *p, Statement *s)
{
    InsertInto *insert = ARENA_NEW(p->arena, InsertInto);

    s->kind = STMT_INSERT;
    s->insert = insert;
    step(p);
    insert->overwrite = is_keyword(p, KW_OVERWRITE);
    step(p);
    if (is_keyword(p, KW_TABLE) && sql__is_name(p, 1) && keyword_at(p, 1) != KW_BY)
        step(p);
    s->target = sql__parse_qualified(p, "the table to insert into");
    if (sql__is_word(p, 0, "PARTITION") && kind_at(p, 1) == TOK_LPAREN)
        sql__parse_refuse(p, sql__here(p), "INSERT .. PARTITION", "Select the partition columns as the others.");
    if (is_keyword(p, KW_REPLACE))
        sql__parse_refuse(p, sql__here(p), "INSERT .. REPLACE WHERE", NULL);
    if (is_column_list(p)) {
        insert->columns_pos = sql__here(p);
        insert->column_count = sql__parse_placed_names(p, "a column of the table", &insert->columns, &insert->positions);
        insert->columns_pos = sql__span(p, insert->columns_pos);
    }
    SiltPos by = sql__here(p);
    s->by_name = accept_keywords(p, KW_BY, KW_NAME);
    if (s->by_name && insert->column_count)
        sql__parse_fail(p, by, NULL, "a list of columns and BY NAME cannot both be given");
    if (!p->failed)
        s->query = sql__parse_query_text(p);
    return s;
}

/* ---- ALTER TABLE ---- */

static SqlName column_path(Parser *p)
{
    SiltPos pos = sql__here(p);
    SqlName name = sql__parse_qualified(p, "a column");

    name.pos = sql__span(p, pos);
    return name;
}

/* path type [NOT NULL] [COMMENT '..'] */
static void parse_added(Parser *p, Statement *s, int *paths_capacity, int *columns_capacity)
{
    AlterTable *alter = s->alter;
    SqlName path = {.pos = sql__here(p)};
    int capacity = 0;

    while (sql__is_name(p, 0) && kind_at(p, 1) == TOK_DOT) { /* the structs that it goes into */
        const char *part = sql__parse_name(p, "a column");
        ARENA_PUSH(p->arena, path.parts, path.count, capacity, part);
        step(p);
    }
    ColumnDef column = sql__parse_column(p, true);
    ARENA_PUSH(p->arena, path.parts, path.count, capacity, column.name);
    path.pos = column.pos;
    if (sql__is_word(p, 0, "FIRST") || sql__is_word(p, 0, "AFTER"))
        sql__parse_refuse(p, sql__here(p), "the place of a new column", "It goes to the end: leave FIRST or AFTER out.");
    if (column.default_sql || column.generated_sql)
        sql__parse_refuse(p, column.pos, column.default_sql ? "DEFAULT of a column" : "GENERATED columns", NULL);
    ARENA_PUSH(p->arena, alter->paths, alter->path_count, *paths_capacity, path);
    ARENA_PUSH(p->arena, s->columns, s->column_count, *columns_capacity, column);
}

static void parse_add(Parser *p, Statement *s)
{
    int open = p->at, paths_capacity = 0, columns_capacity = 0;
    bool list = accept(p, TOK_LPAREN);

    s->alter->kind = ALTER_ADD_COLUMNS;
    do
        parse_added(p, s, &paths_capacity, &columns_capacity);
    while (accept(p, TOK_COMMA));
    if (list)
        sql__expect_close(p, open);
}

static void parse_drop(Parser *p, Statement *s)
{
    AlterTable *alter = s->alter;
    int open, capacity = 0;

    alter->kind = ALTER_DROP_COLUMNS;
    alter->if_exists = accept_keywords(p, KW_IF, KW_EXISTS);
    open = p->at;
    bool list = accept(p, TOK_LPAREN);
    do {
        SqlName path = column_path(p);
        ARENA_PUSH(p->arena, alter->paths, alter->path_count, capacity, path);
    } while (accept(p, TOK_COMMA));
    if (list)
        sql__expect_close(p, open);
}

static void parse_unset(Parser *p, Statement *s)
{
    int open, capacity = 0;

    s->alter->kind = ALTER_UNSET_PROPERTIES;
    s->alter->if_exists = accept_keywords(p, KW_IF, KW_EXISTS);
    open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\" and keys");
    do {
        SqlOption option = {.pos = sql__here(p)};
        if (is_kind(p, TOK_STRING)) {
            option.key = sql__parse_text(p, "a key");
        } else {
            SqlName name = sql__parse_qualified(p, "a key");
            option.key = name.count ? name.parts[0] : "";
            for (int i = 1; i < name.count; i++)
                option.key = arena_printf(p->arena, "%s.%s", option.key, name.parts[i]);
        }
        option.pos = sql__span(p, option.pos);
        ARENA_PUSH(p->arena, s->properties, s->property_count, capacity, option);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
}

/* ALTER [COLUMN] path TYPE .. or CHANGE [COLUMN] path TYPE ..: steps over what stands before the path. */
static bool accept_change(Parser *p)
{
    int at = 1;

    if (!sql__is_word(p, 0, "ALTER") && !sql__is_word(p, 0, "CHANGE"))
        return false;
    if (sql__is_word(p, 1, "COLUMN") && !(sql__is_word(p, 2, "TYPE") && !sql__is_word(p, 3, "TYPE")))
        at++;
    int first = at;
    while (sql__is_name(p, at) && kind_at(p, at + 1) == TOK_DOT)
        at += 2;
    if (!sql__is_name(p, at) || !sql__is_word(p, at + 1, "TYPE"))
        return false;
    while (first--)
        step(p);
    return true;
}

static void parse_change(Parser *p, Statement *s)
{
    AlterTable *alter = s->alter;
    int count = 0, path_capacity = 0, type_capacity = 0;

    alter->kind = ALTER_COLUMN_TYPES;
    do {
        SqlName path = column_path(p);
        if (sql__is_word(p, 0, "TYPE"))
            step(p);
        else
            sql__parse_expected(p, "TYPE and the column's new type");
        const Type *type = p->failed ? type_simple(TYPE_VOID) : sql__parse_type(p);
        ARENA_PUSH(p->arena, alter->paths, alter->path_count, path_capacity, path);
        ARENA_PUSH(p->arena, alter->types, count, type_capacity, type);
    } while (accept(p, TOK_COMMA));
}

/* Is it a form that is done here? Steps over its first words then. */
static bool accept_words(Parser *p, const char *verb, const char *object, const char *objects)
{
    if (!sql__is_word(p, 0, verb) || !(sql__is_word(p, 1, object) || (objects && sql__is_word(p, 1, objects))))
        return false;
    step(p);
    step(p);
    return true;
}

Statement *sql__parse_alter(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);

    s->kind = STMT_ALTER;
    s->alter = ARENA_NEW(p->arena, AlterTable);
    step(p);
    step(p);
    s->target = sql__parse_qualified(p, "a table");
    if (accept_words(p, "ADD", "COLUMN", "COLUMNS")) {
        parse_add(p, s);
    } else if (accept_words(p, "RENAME", "COLUMN", NULL)) {
        s->alter->kind = ALTER_RENAME_COLUMN;
        s->alter->paths = ARENA_ARRAY(p->arena, SqlName, 1);
        s->alter->paths[s->alter->path_count++] = column_path(p);
        if (sql__is_word(p, 0, "TO"))
            step(p);
        else
            sql__parse_expected(p, "TO and the new name");
        s->alter->new_name = sql__parse_name(p, "the new name, without the path to it");
    } else if (accept_words(p, "DROP", "COLUMN", "COLUMNS")) {
        parse_drop(p, s);
    } else if (accept_change(p)) {
        parse_change(p, s);
    } else if (accept_words(p, "SET", "TBLPROPERTIES", NULL)) {
        s->alter->kind = ALTER_SET_PROPERTIES;
        s->property_count = sql__parse_options(p, &s->properties);
    } else if (accept_words(p, "UNSET", "TBLPROPERTIES", NULL)) {
        parse_unset(p, s);
    } else {
        return sql__parse_other(p, s, sql__span(p, pos), "ALTER TABLE of this form");
    }
    return s;
}
