"""What a session of silt sql defines: functions, variables, settings; and functions in a project's files."""
import json

import pytest
from driver import silt


def sql(*statements, cwd):
    words = [word for text in statements for word in ("-c", text)]
    return silt("sql", "--format", "json", *words, cwd=cwd)


def codes(*statements, cwd):
    """Error classes and places, as `class line:column`."""
    words = [word for text in statements for word in ("-c", text)]
    done = silt("sql", "--log-format", "json", *words, cwd=cwd)
    assert done.code in (1, 2), done
    return ["%s %d:%d" % (e["code"], e["line"], e["column"]) for e in map(json.loads, done.err.splitlines()) if e.get("level") == "error"]


FUNCTIONS = """
CREATE TEMPORARY FUNCTION inc(x INT) RETURNS INT RETURN x + 1;
CREATE TEMPORARY FUNCTION area(w DOUBLE, h DOUBLE DEFAULT 2.0 COMMENT 'height') RETURNS DOUBLE LANGUAGE SQL DETERMINISTIC CONTAINS SQL COMMENT 'of a box' RETURN w * h;
CREATE TEMPORARY FUNCTION best(k INT) RETURNS STRING RETURN SELECT max(v) FROM VALUES (1, 'a'), (1, 'b'), (2, 'c') t(key, v) WHERE key = k;
CREATE TEMPORARY FUNCTION squares(n INT) RETURNS TABLE (x INT, square BIGINT) RETURN SELECT id, id * id FROM range(10) WHERE id < n;
CREATE TEMPORARY FUNCTION outer_twice(x INT) RETURN inc(x) * 2;
CREATE TEMPORARY FUNCTION apart(x DOUBLE) RETURN x - x;
CREATE TEMPORARY FUNCTION sums(a ARRAY<INT>) RETURN aggregate(a, 0, (x, y) -> x + y);
CREATE TEMPORARY FUNCTION f7(a STRING, b STRING) RETURN SELECT a || foo.b || f7.b FROM VALUES ('inner') foo(b);
"""


@pytest.mark.parametrize("query, rows", [
    ("SELECT inc(1), inc('41'), inc(x => 5), inc(NULL)", [(2, 42, 6, None)]),
    ("SELECT CAST(area(3) AS INT), CAST(area(3, 4) AS INT), CAST(area(h => 1, w => 7) AS INT)", [(6, 12, 7)]),
    ("SELECT x, best(x) FROM VALUES (1), (2), (3) t(x) ORDER BY x", [(1, "b"), (2, "c"), (3, None)]),
    ("SELECT * FROM squares(3) ORDER BY x", [(0, 0), (1, 1), (2, 4)]),
    ("SELECT t.n, s.x FROM VALUES (1), (2) t(n), LATERAL squares(t.n) AS s ORDER BY n, x", [(1, 0), (2, 0), (2, 1)]),
    ("SELECT squares.square FROM squares(2) ORDER BY 1", [(0,), (1,)]),
    ("SELECT n, (SELECT max(square) FROM squares(n)) FROM VALUES (2), (3) t(n) ORDER BY n", [(2, 1), (3, 4)]),
    ("SELECT outer_twice(x), count(*) FROM VALUES (1), (1), (2) t(x) GROUP BY outer_twice(x) ORDER BY 1", [(4, 2), (6, 1)]),
    ("SELECT inc(CAST(sum(x) AS INT)), sum(inc(x)), best(min(x)) FROM VALUES (1), (2) t(x)", [(4, 5, "b")]),
    ("SELECT x FROM VALUES (1), (2), (3) t(x) WHERE inc(x) > 2 ORDER BY inc(-x)", [(3,), (2,)]),
    # a value that changes with each call is computed once a call
    ("SELECT max(abs(apart(rand()))) = 0, count(DISTINCT rand()) > 1 FROM range(100)", [(True, True)]),
    # lambdas of the body and around the call keep apart
    ("SELECT transform(array(1, 2), x -> sums(array(x, 10)) + x)", [([12, 14],)]),
    # the body's relations win over its parameters, which go by the function's name
    ("SELECT f7('a', 'outer')", [("ainnerouter",)]),
])
def test_a_function_stands_for_its_body(tmp_path, query, rows):
    assert sql(FUNCTIONS, query, cwd=tmp_path).rows() == rows


def test_a_column_is_named_by_the_call(tmp_path):
    assert sql(FUNCTIONS, "SELECT inc(x), best(1) FROM VALUES (1) t(x)", cwd=tmp_path).out == '{"inc(x)":2,"best(1)":"b"}\n'


@pytest.mark.parametrize("statements, want", [
    (["CREATE FUNCTION f(x INT) RETURN x"], ["UNSUPPORTED_FEATURE 1:17"]),
    (["CREATE FUNCTION f AS 'com.example.F'"], ["UNSUPPORTED_FEATURE 1:1"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) LANGUAGE PYTHON RETURN x"], ["UNSUPPORTED_FEATURE 1:45"]),
    (["CREATE TEMPORARY FUNCTION IF NOT EXISTS f(x INT) RETURN x"], ["INVALID_SQL_SYNTAX.CREATE_TEMP_FUNC_WITH_IF_NOT_EXISTS 1:41"]),
    (["CREATE TEMPORARY FUNCTION d.f(x INT) RETURN x"], ["INVALID_SQL_SYNTAX.CREATE_TEMP_FUNC_WITH_DATABASE 1:27"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURN sum(x)"], ["USER_DEFINED_FUNCTIONS.CANNOT_CONTAIN_COMPLEX_FUNCTIONS 1:43"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURN explode(array(x))"], ["USER_DEFINED_FUNCTIONS.CANNOT_CONTAIN_COMPLEX_FUNCTIONS 1:43"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURN row_number() OVER (ORDER BY x)"], ["USER_DEFINED_FUNCTIONS.CANNOT_CONTAIN_COMPLEX_FUNCTIONS 1:43"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURN y"], ["UNRESOLVED_COLUMN.WITH_SUGGESTION 1:43"]),
    (["CREATE TEMPORARY FUNCTION f(x INT, X INT) RETURN x"], ["DUPLICATE_ROUTINE_PARAMETER_NAMES 1:36"]),
    (["CREATE TEMPORARY FUNCTION f(x INT NOT NULL) RETURN x"], ["USER_DEFINED_FUNCTIONS.NOT_NULL_ON_FUNCTION_PARAMETERS 1:35"]),
    (["CREATE TEMPORARY FUNCTION f(x INT DEFAULT 1, y INT) RETURN x"], ["USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_PARAMETER_POSITION 1:46"]),
    (["CREATE TEMPORARY FUNCTION f(x INT DEFAULT (SELECT 1)) RETURN x"], ["USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_EXPRESSION 1:43"]),
    (["CREATE TEMPORARY FUNCTION f(x INT, y INT DEFAULT x) RETURN x"], ["UNRESOLVED_COLUMN.WITHOUT_SUGGESTION 1:50"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURNS TABLE RETURN x"], ["USER_DEFINED_FUNCTIONS.SQL_TABLE_UDF_BODY_MUST_BE_A_QUERY 1:57"]),
    (["CREATE TEMPORARY FUNCTION f() RETURNS TABLE (a INT) RETURN SELECT 1, 2"], ["USER_DEFINED_FUNCTIONS.RETURN_COLUMN_COUNT_MISMATCH 1:60"]),
    (["CREATE TEMPORARY FUNCTION f() RETURNS TABLE (a INT, A INT) RETURN SELECT 1, 2"], ["DUPLICATE_ROUTINE_RETURNS_COLUMNS 1:53"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURNS ARRAY<INT> RETURN x"], ["DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION 1:62"]),
    (["CREATE TEMPORARY FUNCTION abs(x INT) RETURN x"], ["ROUTINE_ALREADY_EXISTS 1:27"]),
    ([FUNCTIONS, "CREATE TEMPORARY FUNCTION inc(x INT) RETURN x"], ["ROUTINE_ALREADY_EXISTS 1:27"]),
    ([FUNCTIONS, "CREATE OR REPLACE TEMPORARY FUNCTION inc(x INT) RETURN inc(x)"], ["CYCLIC_FUNCTION_REFERENCE 1:56"]),
    ([FUNCTIONS, "SELECT inc()"], ["WRONG_NUM_ARGS.WITHOUT_SUGGESTION 1:8"]),
    ([FUNCTIONS, "SELECT area(1, 2, 3)"], ["WRONG_NUM_ARGS.WITHOUT_SUGGESTION 1:8"]),
    ([FUNCTIONS, "SELECT area(h => 2)"], ["REQUIRED_PARAMETER_NOT_FOUND 1:8"]),
    ([FUNCTIONS, "SELECT inc(y => 2)"], ["UNRECOGNIZED_PARAMETER_NAME 1:12"]),
    ([FUNCTIONS, "SELECT inc(x => 2, x => 3)"], ["DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.DOUBLE_NAMED_ARGUMENT_REFERENCE 1:20"]),
    ([FUNCTIONS, "SELECT area(w => 2, 3)"], ["UNEXPECTED_POSITIONAL_ARGUMENT 1:21"]),
    ([FUNCTIONS, "SELECT inc(array(1))"], ["DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION 1:12"]),
    ([FUNCTIONS, "SELECT squares(1)"], ["NOT_A_SCALAR_FUNCTION 1:8"]),
    ([FUNCTIONS, "SELECT * FROM inc(1)"], ["NOT_A_TABLE_FUNCTION 1:15"]),
    ([FUNCTIONS, "SELECT inc(DISTINCT 1)"], ["INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX 1:8"]),
    ([FUNCTIONS, "SELECT transform(array(1), x -> best(x))"], ["UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION 4:61"]),
    (["DROP TEMPORARY FUNCTION f"], ["ROUTINE_NOT_FOUND 1:25"]),
    ([FUNCTIONS, "DROP TEMPORARY FUNCTION inc", "SELECT inc(1)"], ["UNRESOLVED_ROUTINE 1:8"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURN\n  1 / x", "SELECT f(0)"], ["DIVIDE_BY_ZERO 2:3"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURN x", "SELECT f(1 / 0)"], ["DIVIDE_BY_ZERO 1:10"]),
    (["CREATE TEMPORARY FUNCTION f(x INT) RETURNS TINYINT RETURN x", "SELECT f(1000)"], ["CAST_OVERFLOW 1:10"]),
])
def test_a_function_that_cannot_be_is_refused_at_its_place(tmp_path, statements, want):
    assert codes(*statements, cwd=tmp_path) == want


def test_a_function_may_be_replaced_and_callers_follow(tmp_path):
    assert sql(FUNCTIONS, "CREATE OR REPLACE TEMPORARY FUNCTION inc(x INT) RETURN x + 100", "SELECT outer_twice(1)", cwd=tmp_path).rows() == [(202,)]


def test_functions_that_call_others_many_times_end(tmp_path):
    grow = ["CREATE TEMPORARY FUNCTION f0(x INT) RETURN x + x"]
    grow += [f"CREATE TEMPORARY FUNCTION f{n}(x INT) RETURN f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 20)]
    assert codes(*grow, cwd=tmp_path)[0].startswith("FAILED_TO_PARSE_TOO_COMPLEX")


# ---- variables ----

@pytest.mark.parametrize("statements, rows", [
    (["DECLARE v INT DEFAULT 5", "SELECT v, session.v, system.session.V, typeof(v)"], [(5, 5, 5, "int")]),
    (["DECLARE VARIABLE v INT", "SELECT v IS NULL, typeof(v)"], [(True, "int")]),
    (["DECLARE v = 1.50", "SELECT CAST(v AS STRING), typeof(v)"], [("1.50", "decimal(3,2)")]),
    (["DECLARE a, b INT = 3", "SELECT a + b"], [(6,)]),
    # columns win, also those of a query around
    (["DECLARE v INT = 5", "SELECT v, session.v, (SELECT v FROM VALUES (1) u(w)) FROM VALUES (7) t(v)"], [(7, 5, 7)]),
    (["DECLARE v INT = 5", "SET VAR v = v + 1", "SET VARIABLE v = v * 2", "SELECT v"], [(12,)]),
    (["DECLARE v INT = 5", "SET VAR v = 9", "SET VAR v = DEFAULT", "SELECT v"], [(5,)]),
    (["DECLARE a INT = 1", "DECLARE b INT = 2", "SET VAR a = b, b = a", "SELECT a, b"], [(2, 1)]),
    (["DECLARE a INT", "DECLARE b STRING", "SET VAR (a, b) = (SELECT max(id), 'x' FROM range(4))", "SELECT a, b"], [(3, "x")]),
    (["DECLARE a INT = 1", "SET VAR (a) = (SELECT id FROM range(0))", "SELECT a IS NULL"], [(True,)]),
    (["DECLARE a INT = 1", "SET VAR a = (SELECT max(id) FROM range(4))", "SELECT a"], [(3,)]),
    (["DECLARE OR REPLACE v = 1", "DECLARE OR REPLACE v = 'x'", "SELECT v || '!'"], [("x!",)]),
    (["DECLARE v = 1", "DROP TEMPORARY VARIABLE v", "DROP TEMPORARY VARIABLE IF EXISTS v", "SELECT 1"], [(1,)]),
    # a variable is a constant: where only constants may stand, in predicates, in aggregates, in lambdas
    (["DECLARE v INT = 2", "SELECT id FROM range(9) WHERE id > v - 2 ORDER BY id LIMIT v"], [(1,), (2,)]),
    (["DECLARE v = 'a INT'", "SELECT from_json('{\"a\": 1}', v).a"], [(1,)]),
    (["DECLARE v INT = 2", "SELECT sum(v), transform(array(1, 2), x -> x * v) FROM range(3)"], [(6, [2, 4])]),
    (["DECLARE v INT = 2", "WITH c AS (SELECT v AS a) SELECT a FROM c"], [(2,)]),
    (["DECLARE n INT = 10", "CREATE TEMPORARY FUNCTION add_n(x INT) RETURN x + n", "SET VAR n = 20", "SELECT add_n(1)"], [(21,)]),
    (["EXECUTE IMMEDIATE 'SELECT 1 + 1'"], [(2,)]),
    (["DECLARE q = 'SELECT id FROM range(2) ORDER BY 1'", "EXECUTE IMMEDIATE q"], [(0,), (1,)]),
    (["DECLARE a INT", "DECLARE b INT", "EXECUTE IMMEDIATE 'SELECT 7, 8' INTO a, b", "SELECT a, b"], [(7, 8)]),
    (["DECLARE a INT", "EXECUTE IMMEDIATE 'SET VAR a = 4'", "SELECT a"], [(4,)]),
])
def test_a_variable_is_its_value(tmp_path, statements, rows):
    assert [tuple(row) for row in sql(*statements, cwd=tmp_path).rows()] == rows


VALUES = ["true", "CAST(-128 AS TINYINT)", "CAST(7 AS SMALLINT)", "-2147483648", "9223372036854775807", "CAST('NaN' AS DOUBLE)", "1.1F", "-0.1D", "0.10BD",
          "-123456789012345678901234567890.12345678BD", "''", "'it''s \\\\ \\n 日本'", "X'00FF27'", "DATE'0001-01-01'", "DATE'2026-11-29'", "TIMESTAMP'2026-10-25 00:30:00Z'",
          "TIMESTAMP'1900-01-01 00:00:00.000001Z'", "TIMESTAMP_NTZ'2026-10-25 02:30:00'", "TIME'12:13:14.5'", "INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '-3 04:05:06.7' DAY TO SECOND",
          "array(1, NULL, 3)", "CAST(array() AS ARRAY<STRING>)", "map('a', 1, 'b', NULL)", "CAST(map() AS MAP<INT, DATE>)",
          "named_struct('p', 1, 'q', array(named_struct('r', DATE'2026-01-01')), 's', CAST(NULL AS DOUBLE))", "NULL", "CAST(NULL AS ARRAY<INT>)"]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_of_any_type_is_kept_exactly(tmp_path, value):
    got = sql("SET TIME ZONE 'Europe/Berlin'", f"DECLARE v = {value}", "SELECT v, typeof(v) AS t", f"SELECT {value} AS v, typeof({value}) AS t", cwd=tmp_path).ok().out
    kept, written = got.splitlines()
    assert kept == written


@pytest.mark.parametrize("statements, want", [
    (["DECLARE v"], ["INVALID_SQL_SYNTAX.VARIABLE_TYPE_OR_DEFAULT_REQUIRED 1:9"]),
    (["DECLARE v INT", "DECLARE v INT"], ["VARIABLE_ALREADY_EXISTS 1:9"]),
    (["DECLARE v INT = 'hello'"], ["CAST_INVALID_INPUT 1:17"]),
    (["DECLARE v INT = 1 / 0"], ["DIVIDE_BY_ZERO 1:17"]),
    (["DECLARE v INT DEFAULT (SELECT 1)"], ["INVALID_DEFAULT_VALUE.SUBQUERY_EXPRESSION 1:23"]),
    (["DECLARE other.v INT"], ["INVALID_VARIABLE_DECLARATION.QUALIFIED_LOCAL_VARIABLE 1:9"]),
    (["SET VAR v = 1"], ["UNRESOLVED_VARIABLE 1:9"]),
    (["SELECT v"], ["UNRESOLVED_COLUMN.WITHOUT_SUGGESTION 1:8"]),
    (["DECLARE v INT", "SET VAR v = 1, V = 2"], ["DUPLICATE_ASSIGNMENTS 1:16"]),
    (["DECLARE v INT", "SET VAR (v) = (SELECT id FROM range(2))"], ["ROW_SUBQUERY_TOO_MANY_ROWS 1:16"]),
    (["DECLARE v INT", "SET VAR (v) = (SELECT 1, 2)"], ["ASSIGNMENT_ARITY_MISMATCH 1:16"]),
    (["DECLARE v INT", "SET v = 1"], ["UNSUPPORTED_FEATURE.SET_VARIABLE_IN_SET 1:1"]),
    (["DECLARE v INT", "DROP VARIABLE v"], ["UNSUPPORTED_FEATURE 1:15"]),
    (["DROP TEMPORARY VARIABLE v"], ["VARIABLE_NOT_FOUND 1:25"]),
    (["EXECUTE IMMEDIATE 'SELECT nosuch FROM range(1)'"], ["UNRESOLVED_COLUMN.WITH_SUGGESTION 1:8"]),
    (["EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE ''SELECT 1'''"], ["NESTED_EXECUTE_IMMEDIATE 1:1"]),
    (["EXECUTE IMMEDIATE NULL"], ["NULL_QUERY_STRING_EXECUTE_IMMEDIATE 1:19"]),
    (["EXECUTE IMMEDIATE 5"], ["INVALID_EXPR_TYPE_FOR_QUERY_EXECUTE_IMMEDIATE 1:19"]),
    (["DECLARE v INT", "EXECUTE IMMEDIATE 'SET VAR v = 4' INTO v"], ["INVALID_STATEMENT_FOR_EXECUTE_INTO 1:1"]),
    (["DECLARE v = parse_json('1')"], ["UNSUPPORTED_FEATURE 1:13"]),
])
def test_a_variable_that_cannot_be_is_refused_at_its_place(tmp_path, statements, want):
    assert codes(*statements, cwd=tmp_path) == want


# ---- settings ----

def test_settings_are_shown_and_reset(tmp_path):
    zone = "spark.sql.session.timeZone"
    assert sql(f"SET {zone}", "SET TIME ZONE 'Asia/Tokyo'", f"SET {zone}", f"RESET {zone}", f"SET {zone}", "SET a.b", "SET a.b = 1", "SET a.b", "SET", "RESET", "SET",
               cwd=tmp_path).rows() == [(zone, "UTC"), (zone, "Asia/Tokyo"), (zone, "UTC"), ("a.b", "<undefined>"), ("a.b", "1"), ("a.b", "1")]


def test_a_reset_goes_back_to_what_the_project_says(project):
    project.conf["spark.sql.session.timeZone"] = "Europe/Berlin"
    project.write_spec()
    project.define("CREATE MATERIALIZED VIEW t AS SELECT 1 AS a")
    assert project.sql("SET TIME ZONE 'UTC'", "RESET", "SELECT current_timezone()").rows() == [("Europe/Berlin",)]


def test_the_type_time_is_enabled_by_its_setting(tmp_path):
    query = "SELECT hour(CAST('10:00 PM' AS TIME)) AS h, typeof(CAST('10:00' AS TIME(3))) AS t"
    assert codes(query, cwd=tmp_path) == ["UNSUPPORTED_TIME_TYPE 1:13", "UNSUPPORTED_TIME_TYPE 1:52"]
    assert sql("SET spark.sql.timeType.enabled = true", query, cwd=tmp_path).rows() == [(22, "time(3)")]


def test_every_known_setting_is_listed(tmp_path):
    rows = dict((key, (value, takes)) for key, value, takes in sql("SET -v", cwd=tmp_path).rows())
    assert rows["spark.sql.ansi.enabled"] == ("true", "only true")
    assert rows["silt.deadLetters"] == ("<undefined>", "table count spark")


# ---- in a project ----

def test_functions_of_a_project_are_known_to_all_of_its_files(project):
    project.json_lines("in/a.json", [{"id": 1, "name": " a "}, {"id": 2, "name": "b"}, {"id": -3, "name": "c"}])
    project.define("""CREATE OR REFRESH STREAMING TABLE raw (id BIGINT, name STRING, CONSTRAINT known EXPECT (above_zero(id)) ON VIOLATION DROP ROW) AS
        SELECT id, clean(name) AS name FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, name STRING')""",
                   "CREATE OR REFRESH MATERIALIZED VIEW both AS SELECT total() AS n, named('A') AS a", file="a.sql")
    project.define("CREATE TEMPORARY FUNCTION clean(s STRING) RETURNS STRING RETURN upper(trim(s))",
                   "CREATE TEMPORARY FUNCTION above_zero(i BIGINT) RETURN i > 0",
                   "CREATE TEMPORARY FUNCTION total() RETURN (SELECT count(*) FROM raw)",
                   "CREATE TEMPORARY FUNCTION named(s STRING) RETURN (SELECT max(id) FROM raw WHERE name = s)", file="z.sql")
    project.run().ok()
    project.expect("SELECT * FROM raw", [(1, "A"), (2, "B")])
    project.expect("SELECT * FROM both", [(2, 1)])
    assert project.sql("SELECT clean(' x ')").rows() == [("X",)]


def test_a_view_is_computed_anew_when_its_function_changes(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT f(1) AS a")
    project.define("CREATE TEMPORARY FUNCTION f(x INT) RETURN x + 1", file="f.sql")
    project.run().ok()
    project.define("CREATE TEMPORARY FUNCTION f(x INT) RETURN x + 10", file="f.sql")
    project.run().ok()
    project.expect("SELECT a FROM v", [(11,)])


@pytest.mark.parametrize("statement, pattern", [
    ("CREATE FUNCTION f(x INT) RETURN x", r"b\.sql:1:17: error: cannot store function \"f\""),
    ("CREATE TEMPORARY FUNCTION g(x INT) RETURN x", r"b\.sql:1:27: error: function \"g\" is defined twice"),
    ("CREATE TEMPORARY FUNCTION f(x INT) RETURN nosuch + x", r"b\.sql:1:43: error: in function \"f\": no column \"nosuch\""),
    ("CREATE TEMPORARY FUNCTION f(x INT) RETURN h(x); CREATE TEMPORARY FUNCTION h(x INT) RETURN f(x)", r"b\.sql:1:\d+: error: .*calls itself"),
    ("DECLARE v INT", r"b\.sql:1:1: error: cannot use variables in a pipeline"),
    ("EXECUTE IMMEDIATE 'SELECT 1'", r"b\.sql:1:1: error: cannot run EXECUTE IMMEDIATE in a pipeline"),
    ("RESET", r"b\.sql:1:1: error: cannot run RESET in a pipeline"),
])
def test_what_a_project_cannot_define_is_refused(project, statement, pattern):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT g(1) AS a", "CREATE TEMPORARY FUNCTION g(x INT) RETURN x", file="a.sql")
    project.define(statement, file="b.sql")
    project.silt("dry-run").refused(pattern)


@pytest.mark.parametrize("define", [
    "CREATE TEMPORARY FUNCTION f(x INT) RETURN\n  x / 0",
    "CREATE TEMPORARY VIEW w AS SELECT\n  1 / 0 AS a",
])
def test_a_failure_in_another_file_names_that_file(project, define):
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT {'f(1) AS a' if 'f(' in define else 'a FROM w'}", file="a.sql")
    project.define(define, file="lib.sql")
    project.run().refused(r"lib\.sql:2:3: error: .*division by zero", code=1)
