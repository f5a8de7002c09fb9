/* sql/analyze_test.c - names, types and errors of queries over a small catalog; what is printed for DuckDB */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "sql/functions.h"
#include "sql/sql.h"

/* ---- a catalog: t(a INT NOT NULL, b STRING, s STRUCT<x: INT, y: ARRAY<INT>>, _meta STRING hidden), u(a, c), view v ---- */

typedef struct Fixture {
    Arena *arena;
    SqlRelation t, u, v;
    SqlCatalog catalog;
} Fixture;

static int resolve(void *self, Relation *relation, SqlRelation **out, SiltErr *err)
{
    Fixture *f = self;
    const char *name = relation->name.parts[relation->name.count - 1];

    *out = !strcasecmp(name, "t") ? &f->t : !strcasecmp(name, "u") ? &f->u : !strcasecmp(name, "v") ? &f->v : NULL;
    return *out ? 0 : SQL_NO_TABLE;
}

static int names(void *self, const char **out, int max)
{
    out[0] = "t";
    out[1] = "customers";
    return 2;
}

static void relation_init(Arena *arena, SqlRelation *r, const char *name, const char *ddl, int hidden, int slot)
{
    const Type *row;
    SiltErr err;

    assert_int_equal(type_parse_ddl(arena, str_of(ddl), false, &row, &err), 0);
    *r = (SqlRelation){.name = name, .column_count = row->field_count, .hidden_count = hidden, .slot = slot};
    r->column_names = ARENA_ARRAY(arena, const char *, row->field_count);
    r->column_types = ARENA_ARRAY(arena, const Type *, row->field_count);
    r->column_nullable = ARENA_ARRAY(arena, bool, row->field_count);
    for (int i = 0; i < row->field_count; i++) {
        r->column_names[i] = row->fields[i].name;
        r->column_types[i] = row->fields[i].type;
        r->column_nullable[i] = row->fields[i].nullable;
    }
}

static int setup(void **state)
{
    Fixture *f = silt_alloc(sizeof *f);
    SiltErr err;

    f->arena = arena_new();
    relation_init(f->arena, &f->t, "t", "a INT NOT NULL, b STRING, s STRUCT<x: INT, y: ARRAY<INT>>, _meta STRING", 1, 3);
    relation_init(f->arena, &f->u, "u", "a BIGINT, c DECIMAL(10,2)", 0, 4);
    f->u.streaming = true;
    f->v = (SqlRelation){.name = "v"};
    assert_int_equal(sql_parse_query(f->arena, "view.sql", STR("SELECT a + 1 AS next, b FROM t"), &f->v.view, &err), 0);
    f->catalog = (SqlCatalog){.self = f, .resolve = resolve, .names = names};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;

    arena_free(f->arena);
    free(f);
    return 0;
}

static Query *analyze(Fixture *f, const char *sql, SqlErrors *errors)
{
    SqlSettings settings = {.time_zone = "UTC", .ansi = true};
    Query *q = NULL;
    SiltErr err = {0};

    *errors = (SqlErrors){.arena = f->arena};
    if (sql_parse_query(f->arena, "q.sql", str_of(sql), &q, &err) < 0)
        fail_msg("%s: %s", sql, err.message);
    sql_analyze_query(f->arena, q, &f->catalog, &settings, errors);
    return q;
}

/* The columns of a query as "name type, name type NOT NULL". */
static void expect(void **state, const char *sql, const char *columns)
{
    Fixture *f = *state;
    SqlErrors errors;
    Query *q = analyze(f, sql, &errors);
    silt_auto(str_buf_fini) StrBuf got = {0};

    if (errors.count)
        fail_msg("%s: %s", sql, errors.items[0].message);
    for (int i = 0; i < q->column_count; i++)
        str_buf_printf(&got, "%s%s %s%s", i ? ", " : "", q->column_names[i], type_text(f->arena, q->column_types[i]),
                       q->column_nullable[i] ? "" : " NOT NULL");
    assert_string_equal(str_buf_text(&got), columns);
}

/* The errors of a query as "line:column class; ..." */
static void expect_errors(void **state, const char *sql, const char *want)
{
    Fixture *f = *state;
    SqlErrors errors;
    silt_auto(str_buf_fini) StrBuf got = {0};

    analyze(f, sql, &errors);
    for (int i = 0; i < errors.count; i++)
        str_buf_printf(&got, "%s%d:%d %s", i ? "; " : "", errors.items[i].line, errors.items[i].column, errors.items[i].code);
    assert_string_equal(str_buf_text(&got), want);
}

static const char *slot_text(void *self, const SqlRelation *relation)
{
    return relation->slot == 3 ? "silt_input(3)" : "silt_input(4)";
}

static void expect_duck(void **state, const char *sql, const char *want)
{
    Fixture *f = *state;
    SqlErrors errors;
    Query *q = analyze(f, sql, &errors);
    SqlPrintOptions options = {.relation_sql = slot_text};
    silt_auto(str_buf_fini) StrBuf got = {0};

    if (errors.count)
        fail_msg("%s: %s", sql, errors.items[0].message);
    sql_print_duck_query(&got, q, &options);
    assert_string_equal(str_buf_text(&got), want);
}

/* ---- names ---- */

static void columns_are_found_without_case_and_by_every_qualifier(void **state)
{
    expect(state, "SELECT A, t.B, default.t.a FROM T", "A int NOT NULL, B string, a int NOT NULL");
}

static void a_star_shows_no_hidden_columns(void **state)
{
    expect(state, "SELECT * EXCEPT (s), _meta FROM t", "a int NOT NULL, b string, _meta string");
}

static void fields_of_structs_go_by_dots(void **state)
{
    expect(state, "SELECT s.x, t.s.y, s.y[0] AS first, s.* FROM t", "x int, y array<int>, first int, x int, y array<int>");
}

static void except_takes_columns_and_fields(void **state)
{
    expect(state, "SELECT * EXCEPT (t.b, s.y) FROM t", "a int NOT NULL, s struct<x:int>");
    expect(state, "SELECT s.* EXCEPT (x) FROM t", "y array<int>");
    expect_errors(state, "SELECT s.* EXCEPT (b) FROM t", "1:20 UNRESOLVED_COLUMN.WITH_SUGGESTION");
    expect(state, "SELECT struct(* EXCEPT (b)) AS r FROM t", "r struct<a:int,s:struct<x:int,y:array<int>>> NOT NULL");
    expect(state, "SELECT struct(* EXCEPT (t.b, s.y)) AS r FROM t", "r struct<a:int,s:struct<x:int>> NOT NULL");
    expect(state, "SELECT struct(s.* EXCEPT (x)) AS r FROM t", "r struct<y:array<int>> NOT NULL");
    expect_errors(state, "SELECT struct(* EXCEPT (nosuch)) FROM t", "1:25 UNRESOLVED_COLUMN.WITH_SUGGESTION");
    expect(state, "SELECT * EXCEPT (t.a, s) FROM t, u", "b string, a bigint, c decimal(10,2)");
    expect(state, "FROM t |> DROP t.b, s.x", "a int NOT NULL, s struct<y:array<int>>");
    expect_errors(state, "SELECT * EXCEPT (s.nosuch, a) FROM t", "1:18 UNRESOLVED_COLUMN.WITH_SUGGESTION");
    expect_errors(state, "SELECT * EXCEPT (s, s.x) FROM t", "1:21 EXCEPT_OVERLAPPING_COLUMNS");
}

static void generators_read_what_is_aggregated_and_each_other_s_rows(void **state)
{
    expect(state, "SELECT a, explode(collect_list(b)) AS e FROM t GROUP BY a HAVING count(*) > 1 ORDER BY e", "a int NOT NULL, e string NOT NULL");
    expect(state, "SELECT explode(array(1)), posexplode(array('x')) AS (p, v) FROM t", "col int NOT NULL, p int NOT NULL, v string NOT NULL");
    expect_errors(state, "SELECT explode(collect_list(a)), b FROM t", "1:34 MISSING_GROUP_BY");
}

static void arguments_go_by_name_where_the_function_has_names(void **state)
{
    expect(state, "SELECT explode(collection => s.y) FROM t", "col int");
    expect(state, "SELECT mask(b, otherChar => '-') AS m FROM t", "m string");
    expect_errors(state, "SELECT upper(x => b) FROM t", "1:14 NAMED_PARAMETERS_NOT_SUPPORTED");
    expect_errors(state, "SELECT mask(b, str => 'x') FROM t", "1:16 DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.BOTH_POSITIONAL_AND_NAMED");
    expect_errors(state, "SELECT mask(lowerChar => 'x') FROM t", "1:13 REQUIRED_PARAMETER_NOT_FOUND");
}

static void a_frame_has_bounds_that_fit(void **state)
{
    static const struct {
        const char *frame, *want;
    } cases[] = {
        {"ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING", "1:20 DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON"},
        {"ROWS BETWEEN a PRECEDING AND CURRENT ROW", "1:45 DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WITHOUT_FOLDABLE"},
        {"ROWS BETWEEN 1L PRECEDING AND CURRENT ROW", "1:45 DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE"},
        {"RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW", "1:46 DATATYPE_MISMATCH.RANGE_FRAME_INVALID_TYPE"},
        {"ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW", "1:20 DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_INVALID_BOUND"},
        {"ROWS BETWEEN CURRENT ROW AND 1 PRECEDING", ""}, /* holds no row */
        {"ROWS BETWEEN -1 FOLLOWING AND 1 FOLLOWING", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sql[256];

        snprintf(sql, sizeof sql, "SELECT sum(a) OVER (ORDER BY a %s) FROM t", cases[i].frame);
        expect_errors(state, sql, cases[i].want);
    }
}

static void what_DuckDB_cannot_run_is_refused_at_its_place(void **state)
{
    expect_errors(state, "SELECT sum(row_number() OVER (ORDER BY a)) FROM t", "1:12 _LEGACY_ERROR_TEMP_1031");
    expect_errors(state, "SELECT (SELECT sum(t.a) FROM VALUES (1) v(b)) FROM t", "1:16 UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE");
    expect_errors(state, "SELECT 1 FROM t FULL JOIN VALUES (1) v(c) ON t.a = c AND c IN (SELECT 1)", "1:58 UNSUPPORTED_FEATURE");
    expect_errors(state, "SELECT (SELECT max(c) FROM VALUES (1) v(c) FULL JOIN VALUES (1) w(d) ON c = d AND d = t.a) FROM t", "1:87 UNSUPPORTED_FEATURE");
    expect_errors(state, "SELECT 1 FROM t LEFT JOIN (VALUES (1) v(c) JOIN VALUES (1) w(d)) ON t.a = c AND c IN (SELECT 1)", "1:81 UNSUPPORTED_FEATURE");
    expect_errors(state, "SELECT first(a) FILTER (WHERE a > 1) OVER () FROM t", "1:8 UNSUPPORTED_FEATURE");
    expect_errors(state, "SELECT sum(a) AS x FROM t HAVING sum(x) > 1", "1:38 NESTED_AGGREGATE_FUNCTION");
    expect_errors(state, "SELECT (SELECT sum(b + t.a + (SELECT 1)) FROM VALUES (1) v(b)) FROM t",
                  "1:16 UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.AGGREGATE_FUNCTION_MIXED_OUTER_LOCAL_REFERENCES");
    expect_errors(state, "FROM VALUES (1) v(c) |> DROP c", "1:22 UNSUPPORTED_FEATURE");
}

static void a_misspelt_column_names_the_nearest(void **state)
{
    Fixture *f = *state;
    SqlErrors errors;

    analyze(f, "SELECT nxt FROM v", &errors);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].message, "no column \"nxt\" in \"v\"");
    assert_string_equal(errors.items[0].hint, "did you mean \"next\"?");
}

static void all_errors_are_told_at_once(void **state)
{
    expect_errors(state, "SELECT nope,\n  upper(a, 1), b + true FROM t WHERE zzz = 1",
                  "1:8 UNRESOLVED_COLUMN.WITH_SUGGESTION; 2:3 WRONG_NUM_ARGS.WITHOUT_SUGGESTION; 2:16 DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES; "
                  "2:38 UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

static void an_unknown_table_silences_its_columns(void **state)
{
    expect_errors(state, "SELECT x, y.z FROM custmers", "1:20 TABLE_OR_VIEW_NOT_FOUND");
}

static void two_tables_with_one_column_are_ambiguous(void **state)
{
    expect_errors(state, "SELECT a FROM t JOIN u ON t.a = u.a", "1:8 AMBIGUOUS_REFERENCE");
}

static void using_merges_columns(void **state)
{
    expect(state, "SELECT * FROM t JOIN u USING (a)", "a int NOT NULL, b string, s struct<x:int,y:array<int>>, c decimal(10,2)");
    expect(state, "SELECT * FROM t FULL JOIN u USING (a)", "a bigint, b string, s struct<x:int,y:array<int>>, c decimal(10,2)");
}

static void outer_joins_make_columns_nullable(void **state)
{
    expect(state, "SELECT t.a, u.a FROM u LEFT JOIN t ON t.a = u.a", "a int, a bigint");
}

static void views_and_ctes_are_opened(void **state)
{
    expect(state, "WITH w(n) AS (SELECT next FROM v) SELECT n * 2 AS twice FROM w", "twice int NOT NULL");
}

static void a_streaming_source_makes_the_query_streaming(void **state)
{
    Fixture *f = *state;
    SqlErrors errors;

    assert_true(analyze(f, "SELECT c FROM u WHERE a IN (SELECT a FROM t)", &errors)->streaming);
    assert_false(analyze(f, "SELECT b FROM t", &errors)->streaming);
}

static void aliases_are_seen_by_later_columns_and_clauses(void **state)
{
    expect(state, "SELECT a AS x, x + 1 AS y FROM t", "x int NOT NULL, y int NOT NULL");
    expect(state, "SELECT b AS k, count(*) AS n FROM t GROUP BY k HAVING n > 1 ORDER BY n", "k string, n bigint NOT NULL");
}

static void a_column_outside_of_group_by_is_named(void **state)
{
    expect_errors(state, "SELECT b,\n a FROM t GROUP BY b", "2:2 MISSING_AGGREGATION");
    expect_errors(state, "SELECT a, count(*) FROM t", "1:8 MISSING_GROUP_BY");
}

/* ---- types ---- */

static void types_follow_spark(void **state)
{
    expect(state, "SELECT sum(a), avg(c), sum(c), count(*), a / 2, c * c, c / 3 FROM t JOIN u USING (a) GROUP BY a, c",
           "sum(a) bigint, avg(c) decimal(14,6), sum(c) decimal(20,2), count(1) bigint NOT NULL, (a / 2) double NOT NULL, (c * c) decimal(21,4), "
           "(c / 3) decimal(14,6)");
}

static void casts_are_put_in_where_types_differ(void **state)
{
    expect(state, "SELECT CASE WHEN a = '1' THEN 1 ELSE 2.5 END AS x, coalesce(b, a) AS y FROM t", "x decimal(11,1) NOT NULL, y bigint NOT NULL");
    expect_errors(state, "SELECT b + b, array(1) + 1, a = array(1) FROM t",
                  "1:8 DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE; 1:15 DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES; 1:29 DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES");
}

static void set_operations_find_common_types(void **state)
{
    expect(state, "SELECT a FROM t UNION ALL SELECT c FROM u", "a decimal(12,2)");
    expect_errors(state, "SELECT a, b FROM t UNION SELECT 1", "1:26 NUM_COLUMNS_MISMATCH");
}

/* ---- text for DuckDB ---- */

static void names_are_generated(void **state)
{
    expect_duck(state, "SELECT b AS `select` FROM t WHERE a > 1", "SELECT r1.c2 AS c1 FROM silt_input(3) AS r1 WHERE (r1.c1 > 1)");
}

static void an_aggregation_is_split_in_two(void **state)
{
    expect_duck(state, "SELECT count(*) + 1 FROM t GROUP BY b ORDER BY b",
                "SELECT \"silt_add:bigint\"(r2.c2, CAST(1 AS BIGINT), 1050636) AS c1 FROM (SELECT r1.c2 AS c1, count(*) AS c2 FROM silt_input(3) AS r1 "
                "GROUP BY 1) AS r2 ORDER BY r2.c1 ASC NULLS FIRST");
}

static void a_failing_right_side_is_kept_from_rows_that_the_left_excludes(void **state)
{
    expect_duck(state, "SELECT a FROM t WHERE a <> 0 AND 10 % a = 1",
                "SELECT r1.c1 AS c1 FROM silt_input(3) AS r1 WHERE ((r1.c1 <> 0) AND CASE WHEN (r1.c1 <> 0) THEN (\"silt_mod:int\"(10, r1.c1, 1057286) = 1) "
                "ELSE false END)");
}

static void a_generator_in_a_select_list_sees_only_rows_that_where_keeps(void **state)
{
    expect_duck(state, "SELECT a, explode(s.y) AS e FROM t WHERE a > 1",
                "SELECT r2.c1 AS c1, r2.c5 AS c2 FROM (SELECT r1.c1 AS c1, r1.c2 AS c2, r1.c3 AS c3, r1.c4 AS c4, "
                "unnest(struct_extract_at(r1.c3, 2)) AS c5 FROM silt_input(3) AS r1 WHERE (r1.c1 > 1)) AS r2");
}

static void a_sliding_window_has_a_name_in_every_clause(void **state)
{
    expect(state,
           "SELECT window.start, window(ts, '10 minutes', '5 minutes').end AS until, count(*) AS n FROM (SELECT TIMESTAMP '2026-01-01' AS ts FROM t) "
           "GROUP BY window(ts, '10 minutes', '5 minutes') ORDER BY window",
           "start timestamp, until timestamp, n bigint NOT NULL");
}

static void every_function_has_a_readable_signature(void **state)
{
    const char *const *all;
    int count = sql_function_names(&all);

    assert_true(count > 200);
    for (int i = 0; i < count; i++)
        for (const SqlFunction *f = sql_function_find(all[i]); f->name && !strcmp(f->name, all[i]); f++) {
            if (!f->signature || !strstr(f->signature, "->"))
                fail_msg("%s has no signature", f->name);
            int depth = 0;
            for (const char *p = f->signature; *p; p++) {
                depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
                if (depth > 1 && p[1] != ']') /* T[] is a type */
                    fail_msg("%s has brackets within brackets in its signature", f->name);
            }
            if (!f->duck && !f->print && !(f->flags & FN_GENERATOR) && !f->rule)
                fail_msg("%s cannot be printed", f->name);
        }
}

/* What Spark lists as a function and Silt has as grammar, a table function or a cast. */
static const char *const grammar[] = {"and", "between", "bigint", "binary", "boolean", "case", "cast", "date", "decimal", "div", "double", "extract", "float", "in", "int",
                                      "not", "or", "range", "smallint", "string", "time", "timestamp", "tinyint", "when"};
/* What Spark has as grammar and Silt as functions. */
static const char *const only_here[] = {"timestampadd", "timestampdiff"};

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], name))
            return true;
    return false;
}

/* testdata/spark_functions.txt is what SHOW FUNCTIONS of Spark 4.2 lists, without the operators. */
static void every_function_of_spark_is_there_or_named_as_missing(void **state)
{
    FILE *file = fopen(SQL_TESTDATA "/spark_functions.txt", "r");
    const char *const *table;
    const char *why;
    char line[128];
    int in_spark = 0, missing = 0, own = 0, count = sql_function_names(&table);
    Str name;

    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        int homes = (sql_function_find(line) != NULL) + (sql_function_missing(line) != NULL) + is_one_of(line, grammar, sizeof grammar / sizeof *grammar);

        if (homes != 1)
            fail_msg("%s is in %d of function table, functions_missing.c and grammar", line, homes);
        in_spark += sql_function_find(line) != NULL;
        missing += sql_function_missing(line) != NULL;
    }
    fclose(file);
    for (int i = 0; i < count; i++)
        own += !strncmp(table[i], "silt_", 5) || is_one_of(table[i], only_here, sizeof only_here / sizeof *only_here);
    assert_int_equal(in_spark + own, count); /* a name of the table that Spark does not have */
    for (int i = 0; sql_function_missing_at(i, &name, &why); i++)
        missing--;
    assert_int_equal(missing, 0); /* the same of functions_missing.c */
}

static void a_missing_function_is_told_from_an_unknown_one(void **state)
{
    Fixture *f = *state;
    SqlErrors errors;

    analyze(f, "SELECT Current_Path()", &errors);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].code, "UNSUPPORTED_FEATURE.FUNCTION");
    assert_string_equal(errors.items[0].message, "Spark's function \"Current_Path\" is not in Silt");
    assert_string_equal(errors.items[0].hint, "There is no path of schemas in which functions are looked up.");
}

static void an_unknown_function_names_the_nearest(void **state)
{
    Fixture *f = *state;
    SqlErrors errors;

    analyze(f, "SELECT uper(b) FROM t", &errors);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].code, "UNRESOLVED_ROUTINE");
    assert_string_equal(errors.items[0].hint, "did you mean \"upper\"?");
}

static void the_relations_of_a_query_are_listed_once(void **state)
{
    Fixture *f = *state;
    SqlErrors errors;
    SqlRelation **relations;
    Query *q = analyze(f, "SELECT * FROM v WHERE next IN (SELECT a FROM u WHERE EXISTS (SELECT 1 FROM t))", &errors);

    assert_int_equal(errors.count, 0);
    assert_int_equal(sql_query_relations(q, f->arena, &relations), 2);
    assert_ptr_equal(relations[0], &f->t);
    assert_ptr_equal(relations[1], &f->u);
}

static void an_expression_over_given_columns_is_analyzed_alone(void **state)
{
    Fixture *f = *state;
    SqlSettings settings = {.time_zone = "UTC", .ansi = true};
    SqlErrors errors = {.arena = f->arena};
    SiltErr err;
    Expr *e;
    silt_auto(str_buf_fini) StrBuf got = {0};

    assert_int_equal(sql_parse_expr(f->arena, "e.sql", STR("a > 0 AND b IS NOT NULL"), &e, &err), 0);
    assert_int_equal(sql_analyze_expr(f->arena, e, f->t.column_names, f->t.column_types, f->t.column_nullable, 2, NULL, &settings, &errors), 0);
    sql_print_duck_expr(&got, e, "x.");
    assert_string_equal(str_buf_text(&got), "((x.c1 > 0) AND (x.c2 IS NOT NULL))");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(columns_are_found_without_case_and_by_every_qualifier),
        TEST(a_star_shows_no_hidden_columns),
        TEST(fields_of_structs_go_by_dots),
        TEST(a_misspelt_column_names_the_nearest),
        TEST(a_frame_has_bounds_that_fit),
        TEST(except_takes_columns_and_fields),
        TEST(generators_read_what_is_aggregated_and_each_other_s_rows),
        TEST(arguments_go_by_name_where_the_function_has_names),
        TEST(what_DuckDB_cannot_run_is_refused_at_its_place),
        TEST(all_errors_are_told_at_once),
        TEST(an_unknown_table_silences_its_columns),
        TEST(two_tables_with_one_column_are_ambiguous),
        TEST(using_merges_columns),
        TEST(outer_joins_make_columns_nullable),
        TEST(views_and_ctes_are_opened),
        TEST(a_streaming_source_makes_the_query_streaming),
        TEST(aliases_are_seen_by_later_columns_and_clauses),
        TEST(a_column_outside_of_group_by_is_named),
        TEST(types_follow_spark),
        TEST(casts_are_put_in_where_types_differ),
        TEST(set_operations_find_common_types),
        TEST(names_are_generated),
        TEST(an_aggregation_is_split_in_two),
        TEST(a_failing_right_side_is_kept_from_rows_that_the_left_excludes),
        TEST(a_generator_in_a_select_list_sees_only_rows_that_where_keeps),
        TEST(a_sliding_window_has_a_name_in_every_clause),
        TEST(every_function_has_a_readable_signature),
        TEST(every_function_of_spark_is_there_or_named_as_missing),
        TEST(a_missing_function_is_told_from_an_unknown_one),
        TEST(an_unknown_function_names_the_nearest),
        TEST(the_relations_of_a_query_are_listed_once),
        TEST(an_expression_over_given_columns_is_analyzed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
