/*
 * sql/parser_statement.c - statements: those of a pipeline in full, all others by their verb
 *
 * The grammar is Spark's (CREATE STREAMING TABLE, MATERIALIZED VIEW, VIEW, FLOW, SET, USE) with Lakeflow's additions: OR REFRESH, PRIVATE,
 * CONSTRAINT .. EXPECT, INSERT ONCE, and the older LIVE spellings; CREATE SINK is ours. A clause that Silt knows of but does not act on is refused at its place.
 */
#include "sql/parser.h"

#include <string.h>

/* ---- column lists ---- */

static const char *source_text(Parser *p, int first)
{
    Str text = sql__source(p, first);
    return arena_strndup(p->arena, text.ptr, text.size);
}

static void refuse_key(Parser *p)
{
    sql__parse_refuse(p, sql__here(p), "a CHECK, UNIQUE, PRIMARY KEY or FOREIGN KEY constraint",
                      "Use CONSTRAINT name EXPECT (condition) to check rows; keys are not enforced.");
}

static bool at_key_constraint(const Parser *p, int ahead)
{
    Keyword word = keyword_at(p, ahead), next = keyword_at(p, ahead + 1);
    return ((word == KW_PRIMARY || word == KW_FOREIGN) && next == KW_KEY) || ((word == KW_CHECK || word == KW_UNIQUE) && kind_at(p, ahead + 1) == TOK_LPAREN);
}

/* CONSTRAINT name EXPECT (condition) [ON VIOLATION DROP ROW | FAIL UPDATE]; at CONSTRAINT. */
static Expectation parse_expectation(Parser *p)
{
    Expectation expectation = {.pos = sql__here(p), .action = EXPECT_WARN};
    step(p);
    expectation.name = sql__parse_name(p, "the name of the constraint");
    if (at_key_constraint(p, 0))
        refuse_key(p);
    sql__expect_keyword(p, KW_EXPECT);
    int open = p->at;
    sql__expect(p, TOK_LPAREN, "\"(\" and a condition");
    int first = p->at;
    expectation.condition = sql__parse_expression(p);
    if (!p->failed)
        expectation.condition_sql = source_text(p, first);
    sql__expect_close(p, open);
    if (accept_keyword(p, KW_ON)) {
        sql__expect_keyword(p, KW_VIOLATION);
        if (accept_keywords(p, KW_DROP, KW_ROW))
            expectation.action = EXPECT_DROP_ROW;
        else if (accept_keywords(p, KW_FAIL, KW_UPDATE))
            expectation.action = EXPECT_FAIL_UPDATE;
        else
            sql__parse_expected(p, "DROP ROW or FAIL UPDATE behind ON VIOLATION");
    }
    expectation.pos = sql__span(p, expectation.pos);
    return expectation;
}

static void parse_generated(Parser *p, ColumnDef *column)
{
    int first = p->at;
    step(p);
    if (accept_keyword(p, KW_BY))
        sql__expect_keyword(p, KW_DEFAULT);
    else
        sql__expect_keyword(p, KW_ALWAYS);
    sql__expect_keyword(p, KW_AS);
    int open = p->at;
    if (accept_keyword(p, KW_IDENTITY)) {
        if (is_kind(p, TOK_LPAREN) && peek(p, 0)->match >= 0)
            p->at = peek(p, 0)->match + 1;
    } else {
        sql__expect(p, TOK_LPAREN, "IDENTITY, or \"(\" and an expression");
        sql__parse_expression(p);
        sql__expect_close(p, open);
    }
    if (!p->failed)
        column->generated_sql = source_text(p, first);
}

ColumnDef sql__parse_column(Parser *p, bool typed)
{
    ColumnDef column = {.pos = sql__here(p)};
    column.name = sql__parse_name(p, "a column name");
    column.pos = sql__span(p, column.pos);
    if (typed)
        column.type = sql__parse_type(p);
    for (;;) {
        int first = p->at;
        if (typed && accept_keywords(p, KW_NOT, KW_NULL)) {
            column.not_null = true;
        } else if (!column.comment && accept_keyword(p, KW_COMMENT)) {
            column.comment = sql__parse_text(p, "a comment in quotes");
        } else if (typed && accept_keyword(p, KW_DEFAULT)) {
            first = p->at;
            sql__parse_expression(p);
            if (!p->failed)
                column.default_sql = source_text(p, first);
        } else if (typed && is_keyword(p, KW_GENERATED)) {
            parse_generated(p, &column);
        } else if (is_keyword(p, KW_MASK)) {
            sql__parse_refuse(p, sql__here(p), "a column MASK", NULL);
        } else {
            if (at_key_constraint(p, 0) || (is_keyword(p, KW_CONSTRAINT) && at_key_constraint(p, 2)))
                refuse_key(p);
            return column;
        }
    }
}

/* (column, .., CONSTRAINT .., ..) */
static void parse_columns(Parser *p, Statement *statement, bool typed)
{
    int open = p->at, column_capacity = 0, expectation_capacity = 0;
    step(p);
    do {
        bool worded = kind_at(p, 2) == TOK_WORD && kind_at(p, 3) == TOK_LPAREN && keyword_at(p, 2) != KW_DEFAULT; /* EXPECT, perhaps misspelt */
        if (is_keyword(p, KW_CONSTRAINT) && sql__is_name(p, 1) && (worded || keyword_at(p, 2) == KW_EXPECT || at_key_constraint(p, 2))) {
            Expectation expectation = parse_expectation(p);
            ARENA_PUSH(p->arena, statement->expectations, statement->expectation_count, expectation_capacity, expectation);
        } else if (at_key_constraint(p, 0)) {
            refuse_key(p);
        } else {
            ColumnDef column = sql__parse_column(p, typed);
            ARENA_PUSH(p->arena, statement->columns, statement->column_count, column_capacity, column);
        }
    } while (accept(p, TOK_COMMA));
    if (!is_kind(p, TOK_RPAREN) && !p->failed)
        sql__parse_expected(p, typed ? "\",\", \")\", NOT NULL, COMMENT, DEFAULT or GENERATED" : "\",\", \")\" or COMMENT");
    sql__expect_close(p, open);
}

/* ---- clauses of tables and views ---- */

/* (a, b.c) of plain columns */
static int parse_plain_columns(Parser *p, SqlName **out, bool partition)
{
    int count = 0, capacity = 0, open = p->at;
    *out = NULL;
    sql__expect(p, TOK_LPAREN, "\"(\" and column names");
    do {
        SqlName name = sql__parse_qualified(p, "a column name");
        if (is_kind(p, TOK_LPAREN))
            sql__parse_refuse(p, name.pos, partition ? "a partition transform" : "an expression to cluster by",
                              partition ? "Select the value as a column of its own and partition by that." : NULL);
        else if (partition && name.count > 1)
            sql__parse_fail(p, name.pos, NULL, "a partition column must be a column of the table, not a field of one");
        ARENA_PUSH(p->arena, *out, count, capacity, name);
    } while (accept(p, TOK_COMMA));
    sql__expect_close(p, open);
    return count;
}

static void once(Parser *p, bool given, SiltPos pos, const char *clause)
{
    if (given)
        sql__parse_fail(p, pos, "DUPLICATE_CLAUSES", "%s is given twice", clause);
}

/* Clauses of other engines, or of later times: refused by name. True if one stood here. */
static bool refuse_clause(Parser *p)
{
    static const struct {
        Keyword word, next; /* KW_NONE: any */
        const char *what, *hint;
    } refused[] = {{KW_OPTIONS, KW_NONE, "OPTIONS on a dataset", "Put settings of the table into TBLPROPERTIES."},
                   {KW_CLUSTERED, KW_BY, "CLUSTERED BY .. INTO BUCKETS", "Use PARTITIONED BY or CLUSTER BY."},
                   {KW_STORED, KW_NONE, "STORED AS", "Tables are Delta tables."},
                   {KW_ROW, KW_NONE, "ROW FORMAT", "Tables are Delta tables."},
                   {KW_SCHEDULE, KW_NONE, "SCHEDULE", "Run the pipeline by a timer, or with --continuous."},
                   {KW_TRIGGER, KW_NONE, "TRIGGER", "Run the pipeline with --continuous."},
                   {KW_REFRESH, KW_NONE, "REFRESH POLICY", NULL},
                   {KW_WITH, KW_ROW, "WITH ROW FILTER", "Filter in the query."},
                   {KW_WITH, KW_SCHEMA, "WITH SCHEMA", NULL}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (!is_keyword(p, refused[i].word) || (refused[i].next && keyword_at(p, 1) != refused[i].next))
            continue;
        SiltPos pos = sql__here(p);
        step(p);
        if (refused[i].next)
            step(p);
        sql__parse_refuse(p, sql__span(p, pos), refused[i].what, refused[i].hint);
        return true;
    }
    return false;
}

static void parse_cluster(Parser *p, Statement *statement)
{
    if (is_kind(p, TOK_WORD) && is_keyword(p, KW_AUTO))
        sql__parse_refuse(p, sql__here(p), "CLUSTER BY AUTO", "Name the columns: CLUSTER BY (a, b).");
    else if (is_kind(p, TOK_WORD) && str_is_nocase(sql__token_text(p, peek(p, 0)), "NONE"))
        step(p);
    else
        statement->cluster_count = parse_plain_columns(p, &statement->cluster_by, false);
}

/* One clause, or false. table: the clauses of stored tables too. */
static bool parse_clause(Parser *p, Statement *s, bool table)
{
    SiltPos pos = sql__here(p);
    if (accept_keyword(p, KW_COMMENT)) {
        once(p, s->comment, pos, "COMMENT");
        s->comment = sql__parse_text(p, "a comment in quotes");
    } else if (accept_keyword(p, KW_TBLPROPERTIES)) {
        once(p, s->property_count, pos, "TBLPROPERTIES");
        s->property_count = sql__parse_options(p, &s->properties);
    } else if (accept_keywords(p, KW_DEFAULT, KW_COLLATION)) {
        SiltPos at = sql__here(p);
        if (!str_is_nocase(str_of(sql__parse_name(p, "a collation")), "UTF8_BINARY"))
            sql__parse_refuse(p, at, "a DEFAULT COLLATION other than UTF8_BINARY", NULL);
    } else if (is_keyword(p, KW_USING)) {
        once(p, s->using_format, pos, "USING");
        step(p);
        s->using_pos = sql__here(p);
        if (!table)
            sql__parse_refuse(p, pos, "USING on a view", "Read the files in its query: CREATE TEMPORARY VIEW v AS SELECT * FROM json.`path`.");
        s->using_format = sql__parse_name(p, "a format such as delta");
    } else if (table && accept_keyword(p, KW_LOCATION)) {
        once(p, s->location, pos, "LOCATION");
        s->location = sql__parse_text(p, "a path in quotes");
    } else if (table && accept_keywords(p, KW_PARTITIONED, KW_BY)) {
        once(p, s->partition_count, pos, "PARTITIONED BY");
        s->partition_count = parse_plain_columns(p, &s->partition_by, true);
    } else if (table && accept_keywords(p, KW_CLUSTER, KW_BY)) {
        once(p, s->cluster_count, pos, "CLUSTER BY");
        parse_cluster(p, s);
    } else {
        return refuse_clause(p);
    }
    return !p->failed;
}

/* ---- CREATE ---- */

Statement *sql__parse_other(Parser *p, Statement *statement, SiltPos pos, const char *what)
{
    statement->kind = STMT_OTHER;
    statement->what = what;
    statement->what_pos = pos;
    while (!is_kind(p, TOK_END)) {
        if (is_kind(p, TOK_ERROR)) /* an open string or comment is an error in any statement */
            sql__parse_expected(p, "the end of the statement");
        step(p);
    }
    return statement;
}

static SqlName parse_dataset_name(Parser *p, const char *what)
{
    bool quoted = is_kind(p, TOK_QUOTED);
    SqlName name = sql__parse_qualified(p, what);
    if (!quoted && name.count == 2 && str_is_nocase(str_of(name.parts[0]), "LIVE")) {
        name.parts++;
        name.count--;
    }
    return name;
}

bool sql__accept_if_not_exists(Parser *p)
{
    if (!is_keyword(p, KW_IF) || keyword_at(p, 1) != KW_NOT || keyword_at(p, 2) != KW_EXISTS)
        return false;
    step(p);
    step(p);
    step(p);
    return true;
}

/* Behind CREATE .. TABLE or VIEW. */
static void parse_dataset(Parser *p, Statement *s)
{
    bool view = s->kind == STMT_CREATE_VIEW || s->kind == STMT_CREATE_TEMPORARY_VIEW;
    s->if_not_exists = sql__accept_if_not_exists(p);
    s->name = parse_dataset_name(p, view ? "the name of the view" : "the name of the table");
    if (s->kind == STMT_CREATE_TEMPORARY_VIEW && s->name.count > 1)
        sql__parse_fail(p, s->name.pos, "INVALID_TEMP_OBJ_QUALIFIER", "a temporary view has a single name, without schema");
    if (is_kind(p, TOK_LPAREN))
        parse_columns(p, s, !view);
    while (parse_clause(p, s, !view))
        ;
    if (s->partition_count && s->cluster_count)
        sql__parse_fail(p, s->name.pos, "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED", "PARTITIONED BY and CLUSTER BY cannot both be given");
    if (is_keyword(p, KW_FLOW) && s->kind == STMT_CREATE_STREAMING_TABLE) {
        SiltPos pos = sql__here(p);
        step(p);
        if (is_keyword(p, KW_AUTO) && keyword_at(p, 1) == KW_CDC)
            sql__parse_other(p, s, sql__here(p), "AUTO CDC");
        else
            sql__parse_refuse(p, pos, "FLOW within CREATE STREAMING TABLE", "Write CREATE FLOW name AS INSERT INTO table BY NAME SELECT .. as a statement of its own.");
        return;
    }
    if ((s->kind == STMT_CREATE_STREAMING_TABLE || s->kind == STMT_CREATE_TABLE) && is_kind(p, TOK_END))
        return; /* its flows stand elsewhere; INSERT fills a plain table */
    if (s->kind == STMT_CREATE_TABLE && is_keyword(p, KW_AS)) {
        sql__parse_other(p, s, sql__here(p), "CREATE TABLE .. AS SELECT");
        return;
    }
    if (!accept_keyword(p, KW_AS)) {
        sql__parse_expected(p, view ? "AS and a query, COMMENT or TBLPROPERTIES"
                                    : "AS and a query, or USING, PARTITIONED BY, CLUSTER BY, COMMENT, TBLPROPERTIES, LOCATION");
        return;
    }
    s->query = sql__parse_query_text(p);
}

/* Behind CREATE FLOW. */
static void parse_flow(Parser *p, Statement *s)
{
    s->kind = STMT_CREATE_FLOW;
    s->name = sql__parse_qualified(p, "the name of the flow");
    if (s->name.count > 1)
        sql__parse_fail(p, s->name.pos, "MULTIPART_FLOW_NAME_NOT_SUPPORTED", "a flow has a single name, without schema");
    if (accept_keyword(p, KW_COMMENT))
        s->comment = sql__parse_text(p, "a comment in quotes");
    sql__expect_keyword(p, KW_AS);
    SiltPos pos = sql__here(p);
    if (is_keyword(p, KW_AUTO) && keyword_at(p, 1) == KW_CDC) {
        sql__parse_other(p, s, pos, "AUTO CDC");
        return;
    }
    if (!accept_keyword(p, KW_INSERT)) {
        sql__parse_expected(p, "INSERT INTO or AUTO CDC INTO");
        return;
    }
    s->once = accept_keyword(p, KW_ONCE);
    if (is_keyword(p, KW_OVERWRITE)) {
        if (sql__parse_fail(p, sql__here(p), "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "INSERT OVERWRITE flows are not supported"))
            silt_hint(&p->err, "A flow appends: INSERT INTO table BY NAME SELECT ..");
        return;
    }
    sql__expect_keyword(p, KW_INTO);
    if (is_keyword(p, KW_ONCE) && sql__is_name(p, 1) && keyword_at(p, 1) != KW_BY) {
        s->once = true;
        step(p);
    }
    if (is_keyword(p, KW_TABLE) && sql__is_name(p, 1) && keyword_at(p, 1) != KW_BY)
        step(p);
    s->target = parse_dataset_name(p, "the table that the flow writes to");
    if (!accept_keywords(p, KW_BY, KW_NAME)) {
        if (sql__parse_fail(p, sql__here(p), "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "only INSERT INTO .. BY NAME flows are supported"))
            silt_hint(&p->err, "Write BY NAME behind the table: columns are matched by their names.");
        return;
    }
    s->by_name = true;
    if (is_keyword(p, KW_REPLACE) && (keyword_at(p, 1) == KW_WHERE || keyword_at(p, 1) == KW_USING)) {
        sql__parse_refuse(p, sql__here(p), "a REPLACE flow", NULL);
        return;
    }
    s->query = sql__parse_query_text(p);
}

/* Behind CREATE SINK: name USING kind [OPTIONS (...)] [COMMENT '...']. Silt's own; Lakeflow has create_sink in Python only. */
static void parse_sink(Parser *p, Statement *s)
{
    s->kind = STMT_CREATE_SINK;
    s->if_not_exists = sql__accept_if_not_exists(p);
    s->name = parse_dataset_name(p, "the name of the sink");
    sql__expect_keyword(p, KW_USING);
    s->using_pos = sql__here(p);
    s->using_format = sql__parse_name(p, "a kind of sink");
    s->using_pos = sql__span(p, s->using_pos);
    for (;;) {
        SiltPos pos = sql__here(p);
        if (accept_keyword(p, KW_OPTIONS)) {
            once(p, s->option_count, pos, "OPTIONS");
            s->option_count = sql__parse_options(p, &s->options);
        } else if (accept_keyword(p, KW_COMMENT)) {
            once(p, s->comment, pos, "COMMENT");
            s->comment = sql__parse_text(p, "a comment in quotes");
        } else {
            return;
        }
    }
}

static Statement *parse_create(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);
    step(p);
    SiltPos or_pos = sql__here(p);
    s->or_refresh = accept_keywords(p, KW_OR, KW_REFRESH);
    s->or_replace = accept_keywords(p, KW_OR, KW_REPLACE);
    or_pos = sql__span(p, or_pos);
    if (is_keyword(p, KW_FLOW)) {
        step(p);
        if (s->or_refresh || s->or_replace)
            sql__parse_fail(p, or_pos, NULL, "CREATE FLOW takes neither OR REFRESH nor OR REPLACE");
        parse_flow(p, s);
        return s;
    }
    if (is_keyword(p, KW_SINK)) {
        step(p);
        if (s->or_replace)
            sql__parse_fail(p, or_pos, NULL, "CREATE SINK does not take OR REPLACE");
        parse_sink(p, s);
        return s;
    }
    int kinds = p->at;
    s->is_private = accept_keyword(p, KW_PRIVATE);
    bool temporary = accept_keyword(p, KW_TEMPORARY) || accept_keyword(p, KW_TEMP);
    bool streaming = accept_keyword(p, KW_STREAMING), live = accept_keyword(p, KW_LIVE), materialized = accept_keyword(p, KW_MATERIALIZED);
    bool special = p->at > kinds;
    if (is_keyword(p, KW_TABLE) && (streaming || live) && !materialized) {
        s->kind = streaming ? STMT_CREATE_STREAMING_TABLE : STMT_CREATE_MATERIALIZED_VIEW;
        s->is_private |= temporary;
    } else if (is_keyword(p, KW_VIEW) && materialized && !streaming && !live) {
        s->kind = STMT_CREATE_MATERIALIZED_VIEW;
        s->is_private |= temporary;
    } else if (is_keyword(p, KW_VIEW) && !materialized && (live || !streaming) && !s->is_private) {
        s->kind = temporary || live ? STMT_CREATE_TEMPORARY_VIEW : STMT_CREATE_VIEW;
    } else if (special && !(temporary && is_kind(p, TOK_WORD))) {
        sql__parse_expected(p, materialized ? "VIEW" : streaming ? "TABLE behind STREAMING" : "STREAMING TABLE, MATERIALIZED VIEW or VIEW");
        return s;
    } else if (!is_kind(p, TOK_WORD)) {
        sql__parse_expected(p, "STREAMING TABLE, MATERIALIZED VIEW, TEMPORARY VIEW, VIEW or FLOW");
        return s;
    } else {
        static const char *const objects[] = {"TABLE", "SCHEMA", "DATABASE", "NAMESPACE", "FUNCTION", "CATALOG", "VOLUME", "EXTERNAL", "GLOBAL", "INDEX", "VARIABLE",
                                              "CONNECTION", "SHARE", "RECIPIENT", "MACRO", "PROCEDURE", "MODEL", "METRIC", "ROLE", "POLICY"};
        Str word = sql__token_text(p, peek(p, 0));
        const char *object = NULL;
        for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
            if (str_is_nocase(word, objects[i]))
                object = objects[i];
        }
        if (!object) {
            static const char *const ours[] = {"STREAMING", "MATERIALIZED", "TEMPORARY", "VIEW", "FLOW", "SINK", "TABLE", "PRIVATE", "LIVE", "SCHEMA", "FUNCTION"};
            const char *near = str_nearest(word, ours, (int)(sizeof ours / sizeof *ours));
            sql__parse_expected(p, "STREAMING TABLE, MATERIALIZED VIEW, TEMPORARY VIEW, VIEW or FLOW");
            if (near)
                silt_hint(&p->err, "Did you mean %s?", near);
            return s;
        }
        step(p);
        if (!strcmp(object, "FUNCTION")) {
            s->temporary = temporary;
            if (s->or_refresh)
                sql__parse_fail(p, or_pos, NULL, "found \"OR REFRESH\", expected OR REPLACE or FUNCTION");
            return sql__parse_function(p, s, sql__span(p, pos));
        }
        if (!strcmp(object, "TABLE") && !temporary && !s->or_replace && !s->or_refresh) {
            s->kind = STMT_CREATE_TABLE;
            parse_dataset(p, s);
            return s;
        }
        return sql__parse_other(p, s, sql__span(p, pos), arena_printf(p->arena, "CREATE %s%s%s", s->or_replace ? "OR REPLACE " : "", temporary ? "TEMPORARY " : "", object));
    }
    step(p);
    if (s->or_replace && s->kind == STMT_CREATE_STREAMING_TABLE) {
        if (sql__parse_fail(p, or_pos, NULL, "found \"OR REPLACE\", expected OR REFRESH or STREAMING TABLE"))
            silt_hint(&p->err, "Write CREATE OR REFRESH STREAMING TABLE; a full refresh replaces its rows.");
        return s;
    }
    if (s->or_refresh && (s->kind == STMT_CREATE_VIEW || s->kind == STMT_CREATE_TEMPORARY_VIEW)) {
        if (sql__parse_fail(p, or_pos, NULL, "found \"OR REFRESH\", expected OR REPLACE or VIEW"))
            silt_hint(&p->err, "A view holds no rows that could be refreshed.");
        return s;
    }
    parse_dataset(p, s);
    return s;
}

/* ---- SET, USE ---- */

static Statement *set_catalog(Parser *p, Statement *s)
{
    s->kind = STMT_USE;
    s->use_catalog = true;
    s->name = (SqlName){.pos = sql__here(p)};
    const char *name = is_kind(p, TOK_STRING) ? sql__parse_text(p, "a catalog") : sql__parse_name(p, "a catalog");
    s->name.parts = ARENA_ARRAY(p->arena, const char *, 1);
    s->name.parts[0] = name;
    s->name.count = 1;
    s->name.pos = sql__span(p, s->name.pos);
    return s;
}

static void set_key(Parser *p, Statement *s, const char *key, SiltPos pos)
{
    s->name.parts = ARENA_ARRAY(p->arena, const char *, 1);
    s->name.parts[0] = key;
    s->name.count = 1;
    s->name.pos = pos;
}

static Statement *set_time_zone(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);
    set_key(p, s, "spark.sql.session.timeZone", pos);
    if (is_keyword(p, KW_LOCAL)) {
        sql__parse_refuse(p, pos, "SET TIME ZONE LOCAL", "Name the zone, so that the result is the same on every machine: SET TIME ZONE 'Europe/Berlin'.");
    } else if (is_keyword(p, KW_INTERVAL)) {
        sql__parse_refuse(p, pos, "SET TIME ZONE INTERVAL", "Write the offset as text: SET TIME ZONE '+02:00'.");
    } else {
        s->set_value = is_kind(p, TOK_STRING) ? sql__parse_text(p, "a time zone") : sql__parse_name(p, "a time zone such as 'Europe/Berlin'");
    }
    return s;
}

/* The raw text up to the end of the statement; one string literal stands for its value. */
static const char *parse_set_value(Parser *p)
{
    int first = p->at;
    if (is_kind(p, TOK_STRING) && kind_at(p, 1) == TOK_END)
        return sql__parse_text(p, "a value");
    while (!is_kind(p, TOK_END)) {
        if (is_kind(p, TOK_ERROR) && p->lexed->errors[peek(p, 0)->match].message[0] != 'u') /* unexpected characters are fine in raw text */
            sql__parse_expected(p, "a value");
        step(p);
    }
    return p->at > first && !p->failed ? source_text(p, first) : "";
}

/* A key may hold dots, colons and minus signs. */
static bool parse_key(Parser *p, Statement *s, const char *what)
{
    int first = p->at;
    SiltPos pos = sql__here(p);
    const char *key;
    if (is_kind(p, TOK_QUOTED) && (kind_at(p, 1) == TOK_EQ || kind_at(p, 1) == TOK_END)) {
        key = sql__parse_name(p, "a key");
    } else {
        while (sql__is_name(p, 0) || is_kind(p, TOK_DOT) || is_kind(p, TOK_COLON) || is_kind(p, TOK_MINUS) || is_kind(p, TOK_INTEGER) || is_kind(p, TOK_NUMBER))
            step(p);
        if (p->at == first) {
            sql__parse_expected(p, "%s", what);
            return false;
        }
        key = source_text(p, first);
    }
    set_key(p, s, key, sql__span(p, pos));
    return true;
}

static Statement *parse_reset(Parser *p, Statement *s)
{
    step(p);
    s->kind = STMT_RESET;
    if (!is_kind(p, TOK_END))
        parse_key(p, s, "a key, as in RESET key");
    return s;
}

static Statement *parse_set(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);
    step(p);
    if (is_keyword(p, KW_CATALOG) && (sql__is_name(p, 1) || kind_at(p, 1) == TOK_STRING)) {
        step(p);
        return set_catalog(p, s);
    }
    s->kind = STMT_SET;
    if (accept_keywords(p, KW_TIME, KW_ZONE))
        return set_time_zone(p, s);
    Str word = sql__token_text(p, peek(p, 0));
    if (is_kind(p, TOK_END))
        return s;
    if (is_kind(p, TOK_MINUS) && sql__is_word(p, 1, "v")) {
        step(p);
        step(p);
        s->set_verbose = true;
        return s;
    }
    if (str_is_nocase(word, "PATH") && sql__is_name(p, 1))
        return sql__parse_other(p, s, pos, "SET PATH");
    if ((str_is_nocase(word, "VAR") || str_is_nocase(word, "VARIABLE")) && (sql__is_name(p, 1) || kind_at(p, 1) == TOK_LPAREN)) {
        step(p);
        return sql__parse_set_variable(p, s);
    }
    if (!parse_key(p, s, "a key, as in SET key = value"))
        return s;
    if (accept(p, TOK_EQ))
        s->set_value = parse_set_value(p);
    else if (!is_kind(p, TOK_END))
        sql__parse_expected(p, "\"=\" and a value");
    return s;
}

static Statement *parse_use(Parser *p, Statement *s)
{
    step(p);
    if (is_keyword(p, KW_CATALOG) && sql__is_name(p, 1)) {
        step(p);
        return set_catalog(p, s);
    }
    s->kind = STMT_USE;
    if ((is_keyword(p, KW_SCHEMA) || is_keyword(p, KW_DATABASE) || is_keyword(p, KW_NAMESPACE)) && sql__is_name(p, 1))
        step(p);
    s->name = sql__parse_qualified(p, "the name of a schema");
    return s;
}

/* ---- other statements ---- */

static const struct {
    const char *verb;
    const char *second; /* words that belong to the verb; "*": any word */
} verbs[] = {{"ALTER", "*"}, {"ANALYZE", "*"}, {"APPLY", "CHANGES"}, {"AUTO", "CDC"}, {"BEGIN", ""}, {"CACHE", "*"}, {"CALL", ""}, {"CLEAR", "*"},
             {"COMMENT", "ON"}, {"COMMIT", ""}, {"CONVERT", "TO"}, {"COPY", "INTO"}, {"DELETE", "FROM"}, {"DESC", "DETAIL HISTORY TABLE SCHEMA QUERY"},
             {"DESCRIBE", "DETAIL HISTORY TABLE SCHEMA DATABASE FUNCTION QUERY CATALOG"}, {"DROP", "*"}, {"FSCK", "*"},
             {"GENERATE", ""}, {"GRANT", ""}, {"INSERT", "INTO OVERWRITE"}, {"LIST", ""}, {"LOAD", "DATA"}, {"LOCK", ""}, {"MERGE", "INTO"}, {"MSCK", "REPAIR"},
             {"OPTIMIZE", ""}, {"REFRESH", "TABLE MATERIALIZED STREAMING FUNCTION"}, {"REORG", "TABLE"}, {"REPAIR", "TABLE"}, {"REPLACE", "TABLE"},
             {"RESTORE", ""}, {"REVOKE", ""}, {"ROLLBACK", ""}, {"SHOW", "*"}, {"SYNC", "*"}, {"TRUNCATE", "TABLE"}, {"UNCACHE", "TABLE"}, {"UNDROP", "TABLE"}, {"UNLOCK", ""},
             {"UPDATE", ""}, {"VACUUM", ""}};

static const char *const first_words[] = {"SELECT", "WITH", "FROM", "VALUES", "CREATE", "SET", "USE", "INSERT", "UPDATE", "DELETE", "MERGE", "ALTER", "DROP", "SHOW",
                                          "DESCRIBE", "EXPLAIN", "OPTIMIZE", "VACUUM", "RESTORE", "TRUNCATE", "REFRESH"};

/* Is word one of the blank separated words of a list? */
static bool in_list(Str word, const char *list)
{
    while (*list) {
        size_t size = strcspn(list, " ");
        if (size == word.size) {
            char text[32];
            memcpy(text, list, size);
            text[size] = 0;
            if (str_is_nocase(word, text))
                return true;
        }
        list += size + (list[size] == ' ');
    }
    return false;
}

static const char *upper(Parser *p, Str text)
{
    char *copy = arena_strndup(p->arena, text.ptr, text.size);
    for (char *c = copy; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
    return copy;
}

Statement *sql__parse_verb(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);
    Str word = sql__token_text(p, peek(p, 0));
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (!is_kind(p, TOK_WORD) || !str_is_nocase(word, verbs[i].verb))
            continue;
        const char *what = verbs[i].verb;
        step(p);
        Str second = sql__token_text(p, peek(p, 0));
        if (is_kind(p, TOK_WORD) && second.size < 30 && (!strcmp(verbs[i].second, "*") || in_list(second, verbs[i].second))) {
            what = arena_printf(p->arena, "%s %s", what, upper(p, second));
            step(p);
        }
        return sql__parse_other(p, s, sql__span(p, pos), what);
    }
    const char *near = is_kind(p, TOK_WORD) ? str_nearest(word, first_words, (int)(sizeof first_words / sizeof *first_words)) : NULL;
    sql__parse_expected(p, "a statement: SELECT, CREATE, SET, USE or another");
    if (near)
        silt_hint(&p->err, "Did you mean %s?", near);
    return s;
}

static bool is_query_ahead(Parser *p)
{
    switch (keyword_at(p, 0)) {
    case KW_SELECT:
    case KW_WITH:
    case KW_FROM:
    case KW_VALUES:
    case KW_TABLE:
    case KW_MAP:
    case KW_REDUCE:
        return true;
    default:
        return is_kind(p, TOK_LPAREN);
    }
}

static Statement *parse_explain(Parser *p, Statement *s)
{
    SiltPos pos = sql__here(p);
    step(p);
    Str word = sql__token_text(p, peek(p, 0));
    s->what = "";
    if (is_kind(p, TOK_WORD) && in_list(word, "EXTENDED FORMATTED COST CODEGEN LOGICAL")) {
        s->what = upper(p, word);
        step(p);
    }
    s->what_pos = sql__span(p, pos);
    if (!is_query_ahead(p))
        return sql__parse_other(p, s, s->what_pos, "EXPLAIN of anything but a query");
    s->kind = STMT_EXPLAIN;
    s->query = sql__parse_query_text(p);
    return s;
}

Statement *sql__parse_statement_text(Parser *p)
{
    Statement *statement = ARENA_NEW(p->arena, Statement);
    statement->pos = sql__here(p);
    statement->kind = STMT_QUERY;
    switch (keyword_at(p, 0)) {
    case KW_CREATE:
        return parse_create(p, statement);
    case KW_SET:
        return parse_set(p, statement);
    case KW_RESET:
        return parse_reset(p, statement);
    case KW_USE:
        return parse_use(p, statement);
    case KW_EXPLAIN:
        return parse_explain(p, statement);
    case KW_COPY:
        if (keyword_at(p, 1) == KW_INTO)
            return sql__parse_copy(p, statement);
        return sql__parse_verb(p, statement);
    case KW_INSERT:
        if (keyword_at(p, 1) == KW_INTO || keyword_at(p, 1) == KW_OVERWRITE)
            return sql__parse_insert(p, statement);
        return sql__parse_verb(p, statement);
    case KW_DECLARE:
        return sql__parse_declare(p, statement);
    case KW_DROP:
        return sql__parse_drop(p, statement);
    case KW_EXECUTE:
        return sql__parse_execute(p, statement);
    default:
        if (sql__is_word(p, 0, "ALTER") && keyword_at(p, 1) == KW_TABLE)
            return sql__parse_alter(p, statement);
        if (!is_query_ahead(p))
            return sql__parse_verb(p, statement);
    }
    statement->query = sql__parse_query_text(p);
    return statement;
}
