/* sql/parser_test.c - precedence, literals, statements, errors and their places, limits */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sql/sql.h"

static Expr *parse_expr(Arena *arena, const char *text)
{
    Expr *expr;
    SiltErr err;
    if (sql_parse_expr(arena, "t.sql", str_of(text), &expr, &err) < 0)
        fail_msg("%s: %s at %d", text, err.message, err.column);
    return expr;
}

static void operators_bind_as_in_spark(void **state)
{
    static const char *const pairs[][2] = {
        {"a OR b AND c", "a OR (b AND c)"},
        {"NOT a = b", "NOT (a = b)"},
        {"NOT a AND b", "(NOT a) AND b"},
        {"NOT a IS NULL", "NOT (a IS NULL)"},
        {"a = b IS NULL", "(a = b) IS NULL"},
        {"a = b = c", "(a = b) = c"},
        {"a BETWEEN b AND c AND d", "(a BETWEEN b AND c) AND d"},
        {"a LIKE b || c", "a LIKE (b || c)"},
        {"a IN (1) OR b", "(a IN (1)) OR b"},
        {"a | b ^ c & d", "a | (b ^ (c & d))"},
        {"a & b << c", "a & (b << c)"},
        {"a << b + c", "a << (b + c)"},
        {"a || b + c", "(a || b) + c"},
        {"a + b * c", "a + (b * c)"},
        {"a - b - c", "(a - b) - c"},
        {"a DIV b % c", "(a DIV b) % c"},
        {"-a * b", "(-a) * b"},
        {"-a.b::INT", "-(a.b::INT)"},
        {"~a[0]", "~(a[0])"},
        {"a < b AND c", "(a < b) AND c"},
        {"a <=> b OR c", "(a <=> b) OR c"},
        {"! a = b", "NOT (a = b)"},
        {"a == b", "a = b"},
        {"a !> b", "a <= b"},
        {"a IS NOT DISTINCT FROM b AND c", "(a IS NOT DISTINCT FROM b) AND c"},
        {"x -> x + 1 > 2", "x -> ((x + 1) > 2)"},
        {"a AND b AND c", "(a AND b) AND c"},
        {"a AND b AND c AND d", "(a AND b) AND (c AND d)"},
        {"INTERVAL '1 day -2 hours'", "INTERVAL '1' DAY '-2' HOUR"},
        {"'a' 'b' \"c\"", "'abc'"},
        {"'it''s'", "'it\\'s'"},
        {"'\\u0041\\101\\x'", "'AAx'"},
        {"r'\\n'", "'\\\\n'"},
        {"trim(BOTH 'x' FROM a)", "trim('x' FROM a)"},
        {"substring(a FROM 1 FOR 2)", "substring(a, 1, 2)"},
        {"position(a IN b)", "position(a, b)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Arena *arena = arena_new();
        if (!sql_expr_equal(parse_expr(arena, pairs[i][0]), parse_expr(arena, pairs[i][1])))
            fail_msg("%s is not %s", pairs[i][0], pairs[i][1]);
        arena_free(arena);
    }
}

static void predicates_do_not_chain(void **state)
{
    Arena *arena = arena_new();
    Expr *expr;
    SiltErr err;
    assert_int_equal(sql_parse_expr(arena, "t", STR("a IS NULL = b"), &expr, &err), -1);
    assert_int_equal(err.column, 11);
    assert_int_equal(sql_parse_expr(arena, "t", STR("a IN (1) IS NULL"), &expr, &err), -1);
    arena_free(arena);
}

static void literals_have_sparks_types(void **state)
{
    static const struct {
        const char *text, *type, *value;
    } rows[] = {{"1", "int", "1"}, {"-2147483648", "int", "-2147483648"}, {"2147483648", "bigint", "2147483648"}, {"-9223372036854775808", "bigint", "-9223372036854775808"},
                {"9223372036854775808", "decimal(19,0)", "9223372036854775808"}, {"1L", "bigint", "1"}, {"12S", "smallint", "12"}, {"-128Y", "tinyint", "-128"},
                {"1.50", "decimal(3,2)", "1.50"}, {"0.001", "decimal(3,3)", "0.001"}, {"1.", "decimal(1,0)", "1"}, {".5", "decimal(1,1)", "0.5"}, {"0.0", "decimal(1,1)", "0.0"},
                {"1.5BD", "decimal(2,1)", "1.5"}, {"1e3BD", "decimal(4,0)", "1000"}, {"-12.5e-3BD", "decimal(4,4)", "-0.0125"}, {"1e3", "double", "1000"}, {"1.5D", "double", "1.5"},
                {"2F", "float", "2"}, {"NULL", "void", "0"}, {"true", "boolean", "1"}, {"X'1f0'", "binary", "\x01\xF0"}, {"DATE '2026-01-01'", "date", "2026-01-01"},
                {"timestamp_ltz'x'", "timestamp", "x"}, {"TIMESTAMP_NTZ 'x'", "timestamp_ntz", "x"}, {"'\\0a'", "string", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        Expr *expr = parse_expr(arena, rows[i].text);
        assert_int_equal(expr->kind, EXPR_LITERAL);
        assert_string_equal(type_text(arena, expr->type), rows[i].type);
        const char *value = expr->literal.size ? arena_strndup(arena, expr->literal.ptr, expr->literal.size)
                            : expr->literal_double != 0 ? arena_printf(arena, "%g", expr->literal_double)
                                                        : arena_printf(arena, "%lld", (long long)expr->literal_int);
        if (rows[i].value)
            assert_string_equal(value, rows[i].value);
        else
            assert_true(str_equal(expr->literal, (Str){"\0a", 2}));
        arena_free(arena);
    }
}

static void special_calls_keep_their_word_in_op(void **state)
{
    Arena *arena = arena_new();
    Expr *expr = parse_expr(arena, "DateAdd(month, 1, d)");
    assert_string_equal(expr->op, "MONTH");
    assert_int_equal(expr->arg_count, 2);
    expr = parse_expr(arena, "datediff(`month`, 1, d)"); /* quoted: a column */
    assert_null(expr->op);
    expr = parse_expr(arena, "TRIM(LEADING 'x' FROM a)");
    assert_string_equal(expr->op, "LEADING");
    assert_string_equal(expr->args[0]->name.parts[0], "a");
    expr = parse_expr(arena, "v:a.`b c`[0]['x']");
    assert_int_equal(expr->kind, EXPR_PATH);
    assert_string_equal(expr->text, "a['b c'][0]['x']");
    expr = parse_expr(arena, "INTERVAL '1 02:03' DAY TO MINUTE");
    assert_string_equal(expr->units[0], "DAY");
    assert_string_equal(expr->units[1], "MINUTE");
    arena_free(arena);
}

static Statement *parse_statement(Arena *arena, const char *text)
{
    Statement *statement;
    SiltErr err;
    if (sql_parse_statement(arena, "t.sql", str_of(text), &statement, &err) < 0)
        fail_msg("%s: %s at %d", text, err.message, err.column);
    return statement;
}

static void a_streaming_table_has_all_its_clauses(void **state)
{
    Arena *arena = arena_new();
    Statement *s = parse_statement(arena, "CREATE OR REFRESH PRIVATE STREAMING TABLE IF NOT EXISTS c.d.t (id BIGINT NOT NULL COMMENT 'the id', d DATE,\n"
                                          " CONSTRAINT p EXPECT (id > 0) ON VIOLATION DROP ROW, CONSTRAINT q EXPECT (d IS NOT NULL)) USING delta\n"
                                          " PARTITIONED BY (d) COMMENT 'it''s' TBLPROPERTIES ('a' = 'b', c.d = 2) AS SELECT * FROM STREAM src");
    assert_int_equal(s->kind, STMT_CREATE_STREAMING_TABLE);
    assert_true(s->or_refresh && s->is_private && s->if_not_exists && !s->or_replace);
    assert_int_equal(s->name.count, 3);
    assert_int_equal(s->column_count, 2);
    assert_true(s->columns[0].not_null);
    assert_string_equal(s->columns[0].comment, "the id");
    assert_int_equal(s->columns[1].type->kind, TYPE_DATE);
    assert_int_equal(s->expectation_count, 2);
    assert_string_equal(s->expectations[0].condition_sql, "id > 0");
    assert_int_equal(s->expectations[0].action, EXPECT_DROP_ROW);
    assert_int_equal(s->expectations[1].action, EXPECT_WARN);
    assert_int_equal(s->expectations[1].pos.line, 2);
    assert_string_equal(s->using_format, "delta");
    assert_string_equal(s->partition_by[0].parts[0], "d");
    assert_string_equal(s->comment, "it's");
    assert_string_equal(s->properties[1].key, "c.d");
    assert_string_equal(s->properties[1].value, "2");
    assert_true(s->query->from->stream);
    arena_free(arena);
}

static void older_spellings_mean_the_same(void **state)
{
    static const struct {
        const char *text;
        StatementKind kind;
        bool is_private, once;
    } rows[] = {{"CREATE STREAMING LIVE TABLE t AS SELECT 1", STMT_CREATE_STREAMING_TABLE, false, false},
                {"CREATE TEMPORARY LIVE TABLE t AS SELECT 1", STMT_CREATE_MATERIALIZED_VIEW, true, false},
                {"CREATE LIVE VIEW v AS SELECT 1", STMT_CREATE_TEMPORARY_VIEW, false, false},
                {"CREATE TEMPORARY STREAMING LIVE VIEW v AS SELECT 1", STMT_CREATE_TEMPORARY_VIEW, false, false},
                {"CREATE FLOW f AS INSERT INTO ONCE LIVE.t BY NAME SELECT 1", STMT_CREATE_FLOW, false, true},
                {"CREATE FLOW f AS INSERT ONCE INTO t BY NAME SELECT 1", STMT_CREATE_FLOW, false, true},
                {"CREATE FLOW f AS INSERT INTO once BY NAME SELECT 1", STMT_CREATE_FLOW, false, false},
                {"APPLY CHANGES INTO LIVE.t FROM STREAM(LIVE.s) KEYS (id) SEQUENCE BY ts", STMT_OTHER, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        Statement *s = parse_statement(arena, rows[i].text);
        assert_int_equal(s->kind, rows[i].kind);
        assert_int_equal(s->is_private, rows[i].is_private);
        assert_int_equal(s->once, rows[i].once);
        if (s->kind == STMT_CREATE_FLOW)
            assert_int_equal(s->target.count, 1);
        arena_free(arena);
    }
}

static void settings_are_raw_text_or_one_string(void **state)
{
    static const char *const rows[][3] = {{"SET a.b = 1", "a.b", "1"}, {"SET a.b-c=file:/x  y ", "a.b-c", "file:/x  y"}, {"SET `k x` = 'it''s'", "k x", "it's"},
                                          {"SET k", "k", NULL}, {"SET TIME ZONE 'Europe/Berlin'", "spark.sql.session.timeZone", "Europe/Berlin"}, {"SET k =", "k", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        Statement *s = parse_statement(arena, rows[i][0]);
        assert_int_equal(s->kind, STMT_SET);
        assert_string_equal(s->name.parts[0], rows[i][1]);
        if (rows[i][2])
            assert_string_equal(s->set_value, rows[i][2]);
        else
            assert_null(s->set_value);
        arena_free(arena);
    }
}

static void other_statements_are_known_by_their_verb(void **state)
{
    static const char *const rows[][2] = {{"merge into t using s on a when matched then delete", "MERGE INTO"}, {"SHOW TABLES", "SHOW TABLES"}, {"OPTIMIZE t ZORDER BY (a)", "OPTIMIZE"},
                                          {"ALTER TABLE t ALTER COLUMN a COMMENT 'b'", "ALTER TABLE of this form"}, {"DESCRIBE t", "DESCRIBE"},
                                          {"CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (a) SEQUENCE BY b", "AUTO CDC"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        Statement *s = parse_statement(arena, rows[i][0]);
        assert_int_equal(s->kind, STMT_OTHER);
        assert_string_equal(s->what, rows[i][1]);
        assert_string_equal(arena_strndup(arena, s->text.ptr, s->text.size), rows[i][0]);
        arena_free(arena);
    }
}

static void explain_takes_a_mode_and_a_query(void **state)
{
    static const char *const rows[][2] = {{"EXPLAIN SELECT 1", ""}, {"explain extended (SELECT 1)", "EXTENDED"}, {"EXPLAIN COST WITH a AS (SELECT 1) TABLE a", "COST"},
                                          {"EXPLAIN FORMATTED FROM t |> LIMIT 1", "FORMATTED"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        silt_auto(str_buf_fini) StrBuf text = {0};
        Arena *arena = arena_new();
        Statement *s = parse_statement(arena, rows[i][0]);
        assert_int_equal(s->kind, STMT_EXPLAIN);
        assert_string_equal(s->what, rows[i][1]);
        sql_print_spark_statement(&text, s);
        Statement *again = parse_statement(arena, str_buf_text(&text));
        assert_string_equal(again->what, rows[i][1]);
        assert_true(sql_query_equal(s->query, again->query));
        arena_free(arena);
    }
    Arena *arena = arena_new();
    assert_int_equal(parse_statement(arena, "EXPLAIN INSERT INTO t SELECT 1")->kind, STMT_OTHER);
    arena_free(arena);
}

static void errors_stand_at_their_place_with_a_hint(void **state)
{
    static const struct {
        const char *text;
        int line, column, length;
        const char *message, *hint;
    } rows[] = {{"SELECT a FORM t", 1, 15, 1, "found \"t\"", "FROM instead of \"FORM\""},
                {"SELEC 1", 1, 1, 5, "found \"SELEC\", expected a statement", "Did you mean SELECT?"},
                {"SELECT a, FROM t", 1, 11, 4, "found \"FROM\", expected an expression", "Remove the comma"},
                {"SELECT a b c FROM t", 1, 12, 1, "found \"c\"", "comma"},
                {"SELECT\n  'äö', \xF0\x9F\x98\x80\n  x y z", 2, 9, 1, "needs backticks", "a to z"},
                {"SELECT 'ä', `b` c d", 1, 19, 1, "found \"d\"", "comma"},
                {"SELECT 1\r\n  FROM t WHERE\r\n", 3, 1, 0, "end of the statement, expected an expression", NULL},
                {"SELECT a,\n 'abc\n def", 2, 2, 1, "string is never closed", "Close it"},
                {"SELECT `abc", 1, 8, 1, "quoted name is never closed", "backtick"},
                {"SELECT 1 /* a /* b */ c", 1, 10, 2, "comment is never closed", "nest"},
                {"SELECT (1 + (2)", 1, 16, 0, "end of the statement", "line 1, column 8"},
                {"SELECT 1)", 1, 9, 1, "found \")\"", "one ) too many"},
                {"SELECT * FROM t PIVOT (sum(a) FOR (b + 1) IN (1))", 1, 38, 1, "found \"+\", expected \")\"", ""},
                {"SELECT * FROM t JOIN LATERAL u", 1, 30, 1, "LATERAL needs", NULL},
                {"SELECT a FROM t TABLESAMPLE (10 PERCENTS)", 1, 33, 8, "expected ROWS, PERCENT", NULL},
                {"SELECT a FROM t UNPIVOT (v FOR n IN (a + 1))", 1, 40, 1, "found \"+\"", NULL},
                {"FROM t |> GROUP BY a", 1, 11, 5, "expected an operator behind |>", ""},
                {"FROM t LIMIT 1 |> SELECT a", 1, 16, 2, "found \"|>\"", "parentheses"},
                {"SELECT TOP 1 a FROM t", 1, 12, 1, "found \"1\"", "LIMIT"},
                {"SELECT a FROM t GROUP a", 1, 23, 1, "found \"a\"", "GROUP BY"},
                {"SELECT a FROM t ORDER BY a WHERE b", 1, 28, 5, "found \"WHERE\"", "in this order"},
                {"SELECT \"a\" FROM \"t\"", 1, 17, 3, "expected a table name", "backticks"},
                {"SELECT a FROM my-table", 1, 17, 1, "found \"-\"", "backticks"},
                {"SELECT \xE2\x80\x9C""a\xE2\x80\x9D", 1, 8, 1, "U+201C", "typographic quote"},
                {"SELECT a\xC2\xA0""FROM t", 1, 9, 1, "U+00A0", "blank"},
                {"SELECT \xFF", 1, 8, 1, "invalid UTF-8: byte 0xFF", "UTF-8"},
                {"SELECT 'a\xC0\x80'", 1, 10, 1, "invalid UTF-8", "UTF-8"},
                {"SELECT CAST(a AS TEXT)", 1, 18, 4, "unknown data type", "STRING"},
                {"SELECT 300Y", 1, 8, 4, "outside the range of TINYINT", "-128 to 127"},
                {"SELECT a LIKE 'x' ESCAPE 'ab'", 1, 26, 4, "one character", NULL},
                {"SELECT a UNION BY NAME SELECT b", 1, 16, 2, "found \"BY\"", "no UNION BY NAME"},
                {"CREATE STREMING TABLE t", 1, 8, 8, "found \"STREMING\"", "STREAMING"},
                {"CREATE STREAMING TABLE t (a INT, CONSTRAINT c EXPCT (a > 0))", 1, 47, 5, "expected EXPECT", "EXPECT"},
                {"CREATE STREAMING TABLE t PARTITIONED BY (days(ts))", 1, 42, 4, "partition transform is not supported", "column of its own"},
                {"CREATE FLOW f AS INSERT INTO t SELECT 1", 1, 32, 6, "BY NAME", "BY NAME"},
                {"CREATE OR REPLACE STREAMING TABLE t", 1, 8, 10, "OR REPLACE", "OR REFRESH"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        Statement *statement;
        SiltErr err;
        if (sql_parse_statement(arena, "t.sql", str_of(rows[i].text), &statement, &err) == 0)
            fail_msg("%s: parses", rows[i].text);
        if (err.line != rows[i].line || err.column != rows[i].column || err.length != rows[i].length || !strstr(err.message, rows[i].message) ||
            (rows[i].hint && !strstr(err.hint, rows[i].hint)) || strcmp(err.file, "t.sql"))
            fail_msg("%s: %d:%d+%d %s (%s)", rows[i].text, err.line, err.column, err.length, err.message, err.hint);
        arena_free(arena);
    }
}

static void a_file_gives_all_its_errors_and_all_good_statements(void **state)
{
    Arena *arena = arena_new();
    Statement **statements;
    int count;
    SqlErrors errors = {.arena = arena};
    Str text = STR("\xEF\xBB\xBF-- one; two\n;;\nSELECT ';' /* ; */;\nSELECT FROM;\nSELECT 2;\n  SELEC 3;\nCREATE VIEW v AS\n SELECT a b c;\nSELECT `;`");
    assert_int_equal(sql_parse_file(arena, "f.sql", text, &statements, &count, &errors), 0);
    assert_int_equal(count, 3);
    assert_int_equal(errors.count, 3);
    assert_int_equal(errors.items[0].line, 4);
    assert_int_equal(errors.items[1].line, 6);
    assert_int_equal(errors.items[1].column, 3);
    assert_int_equal(errors.items[2].line, 8);
    assert_int_equal(statements[1]->pos.line, 5);
    assert_true(str_is(statements[0]->text, "SELECT ';'"));
    arena_free(arena);
}

/* before * count + middle + after * count */
static char *nest(const char *start, const char *before, const char *middle, const char *after, int count)
{
    StrBuf text = {0};
    str_buf_puts(&text, start);
    for (int i = 0; i < count; i++)
        str_buf_puts(&text, before);
    str_buf_puts(&text, middle);
    for (int i = 0; i < count; i++)
        str_buf_puts(&text, after);
    return text.ptr;
}

static void nesting_is_limited_wherever_it_happens(void **state)
{
    static const char *const rows[][4] = {{"SELECT ", "(", "1", ")"}, {"SELECT ", "(", "", ""}, {"SELECT ", "1 + ", "1", ""}, {"SELECT ", "NOT ", "a", ""}, {"SELECT ", "- ", "a", ""},
                                          {"SELECT ", "CASE WHEN ", "a", " THEN 1 END"}, {"SELECT CAST(a AS ", "ARRAY<", "INT", ">"}, {"SELECT ", "f(", "1", ")"}, {"SELECT a", "[0]", "", ""},
                                          {"SELECT ", "a[", "0", "]"}, {"SELECT a", "::INT", "", ""}, {"SELECT ", "x -> ", "1", ""}, {"SELECT * FROM ", "(", "t", ")"},
                                          {"SELECT * FROM ", "(SELECT * FROM ", "t", ")"}, {"", "(", "SELECT 1", ")"}, {"", "WITH a AS (", "SELECT 1", ") SELECT 1"},
                                          {"", "SELECT 1 UNION ", "SELECT 1", ""}, {"SELECT * FROM ", "t JOIN ", "t", ""}, {"SELECT * FROM ", "t, ", "t", ""},
                                          {"SELECT ", "(SELECT 1 + 1 + ", "1", ")"}, {"SELECT a GROUP BY ", "GROUPING SETS (", "a", ")"}, {"SELECT ", "substring(", "a", " FROM 1)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        char *text = nest(rows[i][0], rows[i][1], rows[i][2], rows[i][3], 20000);
        Statement *statement;
        SiltErr err;
        assert_int_equal(sql_parse_statement(arena, "t", str_of(text), &statement, &err), -1);
        if (!strstr(err.message, "400"))
            fail_msg("%s%s..: %s", rows[i][0], rows[i][1], err.message);
        free(text);
        arena_free(arena);
    }
}

static void long_lists_and_chains_are_fine(void **state)
{
    static const char *const rows[][4] = {{"SELECT ", "a AND ", "b", ""}, {"SELECT ", "a = 1 OR ", "b", ""}, {"SELECT a IN (", "1, ", "2", ""}, {"SELECT ", "a, ", "b", ""},
                                          {"SELECT CASE ", "WHEN a THEN b ", "END", ""}, {"VALUES ", "(1, 'a'), ", "(2, 'b')", ""}, {"SELECT ", "'a' ", "", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        char *text = nest(rows[i][0], rows[i][1], rows[i][2], i == 2 ? "" : rows[i][3], 20000);
        char *whole = i == 2 ? nest(text, "", ")", "", 0) : nest(text, "", "", "", 0);
        Statement *statement;
        SiltErr err;
        if (sql_parse_statement(arena, "t", str_of(whole), &statement, &err) < 0)
            fail_msg("%s: %s", rows[i][0], err.message);
        free(text);
        free(whole);
        arena_free(arena);
    }
}

static void hints_for_an_optimizer_are_told_of(void **state)
{
    Arena *arena = arena_new();
    Statement *s = parse_statement(arena, "SELECT a FROM (SELECT /*+ BROADCAST(t) */ b FROM t)");
    assert_int_equal(s->query->hint.line, 0);
    assert_int_equal(s->query->from->query->hint.column, 23);
    arena_free(arena);
}

static void grouping_sets_point_at_the_expressions(void **state)
{
    Arena *arena = arena_new();
    Query *q = parse_statement(arena, "SELECT 1 GROUP BY a, ROLLUP (b, (c, d))")->query;
    assert_int_equal(q->grouping, GROUP_SETS);
    assert_int_equal(q->group_count, 4);
    assert_int_equal(q->grouping_set_count, 3);
    assert_int_equal(q->grouping_set_sizes[0], 4);
    assert_int_equal(q->grouping_set_sizes[2], 1);
    for (int i = 0; i < 4; i++)
        assert_ptr_equal(q->grouping_sets[0][i], q->group_by[i]);
    assert_int_equal(parse_statement(arena, "SELECT 1 GROUP BY a, b WITH CUBE")->query->grouping, GROUP_CUBE);
    assert_int_equal(parse_statement(arena, "SELECT 1 GROUP BY ALL")->query->grouping, GROUP_ALL);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_spark),
        cmocka_unit_test(predicates_do_not_chain),
        cmocka_unit_test(literals_have_sparks_types),
        cmocka_unit_test(special_calls_keep_their_word_in_op),
        cmocka_unit_test(a_streaming_table_has_all_its_clauses),
        cmocka_unit_test(older_spellings_mean_the_same),
        cmocka_unit_test(settings_are_raw_text_or_one_string),
        cmocka_unit_test(other_statements_are_known_by_their_verb),
        cmocka_unit_test(explain_takes_a_mode_and_a_query),
        cmocka_unit_test(errors_stand_at_their_place_with_a_hint),
        cmocka_unit_test(a_file_gives_all_its_errors_and_all_good_statements),
        cmocka_unit_test(nesting_is_limited_wherever_it_happens),
        cmocka_unit_test(long_lists_and_chains_are_fine),
        cmocka_unit_test(hints_for_an_optimizer_are_told_of),
        cmocka_unit_test(grouping_sets_point_at_the_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
