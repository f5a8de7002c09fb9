"""silt sql: formats, sessions, scripts, what is refused."""
import json

import pytest
from driver import Members, silt, strict_json


def sql(*words, **more):
    return silt("sql", *words, **more)


def test_a_query_outside_of_a_project_runs(tmp_path):
    assert sql("--format", "json", "-c", "SELECT 1 AS a, 'x' AS b", cwd=tmp_path).rows() == [(1, "x")]


def test_statements_share_a_session(tmp_path):
    done = sql("--format", "json", "-c", "SET TIME ZONE 'Europe/Berlin'", "-c", "SELECT TIMESTAMP'2026-07-01 12:00:00Z' AS t", cwd=tmp_path)
    assert done.ok().out == '{"t":"2026-07-01T14:00:00.000000+02:00"}\n'


@pytest.mark.parametrize("expression, text", [
    ("1", "1"), ("CAST(1.50 AS DECIMAL(10,2))", "1.50"), ("9223372036854775807", "9223372036854775807"),
    ("CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))", "99999999999999999999999999999999999999"),
    ("1.5D", "1.5"), ("0.1D + 0.2D", "0.30000000000000004"), ("CAST('NaN' AS DOUBLE)", '"NaN"'), ("CAST('-Infinity' AS DOUBLE)", '"-Infinity"'),
    ("CAST(1.1 AS FLOAT)", "1.1"), ("TRUE", "true"), ("NULL", "null"), ("'a\"b\\\\\\n'", '"a\\"b\\\\\\n"'), ("'日本'", '"日本"'),
    ("DATE'2026-11-29'", '"2026-11-29"'), ("TIMESTAMP'2026-11-29 10:00:00.123456Z'", '"2026-11-29T10:00:00.123456Z"'),
    ("TIMESTAMP_NTZ'2026-11-29 10:00:00'", '"2026-11-29T10:00:00.000000"'), ("X'00FF10'", '"AP8Q"'),
    ("array(1, NULL, 3)", "[1,null,3]"), ("named_struct('a', 1, 'b', array('x'))", '{"a":1,"b":["x"]}'), ("map('k', 1, 'l', NULL)", '{"k":1,"l":null}'),
    ("map(1, DATE'2026-01-01')", '{"1":"2026-01-01"}'), ("INTERVAL '1-2' YEAR TO MONTH", "\"INTERVAL '1-2' YEAR TO MONTH\""),
])
def test_a_value_is_exact_in_json(tmp_path, expression, text):
    assert sql("--format", "json", "-c", f"SELECT {expression} AS v", cwd=tmp_path).ok().out == '{"v":%s}\n' % text


def test_what_asks_the_session_agrees_with_itself(tmp_path):
    seconds = "3600 * hour(now()) + 60 * minute(now()) + extract(SECOND FROM now())"
    done = sql("--format", "json", "-c", "SET TIME ZONE 'Asia/Kolkata'; SET spark.sql.timeType.enabled = true", "-c",
               f"SELECT time_to_seconds(current_time()) = {seconds} AS t, current_time = current_time() AS u, current_user() = user AS v, "
               "current_catalog() AS c, current_schema() AS s", cwd=tmp_path)
    assert done.rows() == [(True, True, True, "spark_catalog", "default")]


def test_seeded_values_begin_anew_at_each_statement(tmp_path):
    query = "SELECT id, rand(42) AS r, uuid(7) AS u, randstr(4, 1) AS s FROM range(3) ORDER BY id"
    first, second = (sql("--format", "json", "-c", query, "-c", query, cwd=tmp_path).rows()[i:i + 3] for i in (0, 3))
    assert first == second and len({row[1] for row in first}) == 3 and str(first[0][1]) == "0.619189370225301"


def test_keys_are_in_the_order_of_columns_and_may_repeat(tmp_path):
    out = sql("--format", "json", "-c", "SELECT 1 AS b, 2 AS a, 3 AS b", cwd=tmp_path).ok().out
    assert strict_json(out) == Members([("b", 1), ("a", 2), ("b", 3)])


def test_csv_tells_null_from_an_empty_text_and_quotes_what_needs_it(tmp_path):
    query = "SELECT * FROM VALUES (1, NULL, ''), (2, 'a,b', 'say \"hi\"'), (3, 'x\\ny', 'z') AS t(id, a, b) ORDER BY id"
    assert sql("-c", query, "--format", "csv", cwd=tmp_path).ok().out == 'id,a,b\n1,,""\n2,"a,b","say ""hi"""\n3,"x\ny",z\n'


def test_tsv_escapes_and_writes_null_as_backslash_n(tmp_path):
    assert sql("-c", "SELECT NULL AS a, 'x\\ty' AS b", "--format", "tsv", cwd=tmp_path).ok().out == "a\tb\n\\N\tx\\ty\n"


def test_jsonarray_is_one_array(tmp_path):
    done = sql("-c", "SELECT id FROM range(3) ORDER BY id", "--format", "jsonarray", cwd=tmp_path).ok()
    assert json.loads(done.out) == [{"id": 0}, {"id": 1}, {"id": 2}]
    assert json.loads(sql("-c", "SELECT id FROM range(0)", "--format", "jsonarray", cwd=tmp_path).ok().out) == []


def test_a_table_is_aligned_by_what_a_terminal_shows(tmp_path):
    out = sql("-c", "SELECT '日本' AS name, 5 AS n UNION ALL SELECT 'ab', 123 ORDER BY n", "--format", "table", cwd=tmp_path).ok().out
    assert out == " name | n\n------+-----\n 日本 |   5\n ab   | 123\n(2 rows)\n\n"


def test_quiet_leaves_out_header_and_count(tmp_path):
    assert sql("-q", "-c", "SELECT 1 AS a", "--format", "csv", cwd=tmp_path).ok().out == "1\n"


def test_statements_come_from_stdin_and_files(tmp_path):
    (tmp_path / "q.sql").write_text("SELECT 1 AS a; -- one\nSELECT 2 AS a;\n")
    assert sql("-q", "-f", "q.sql", cwd=tmp_path).ok().out == "1\n2\n"
    assert sql("-q", cwd=tmp_path, stdin=b"SELECT 3 AS a; SELECT ';' AS a").ok().out == "3\n;\n"


def test_a_mistake_in_the_last_statement_starts_nothing(tmp_path):
    done = sql("-q", "-c", "SELECT 1 AS a", "-c", "SELECT FROM WHERE", cwd=tmp_path).refused(r"-c#2:1:\d+: error: ")
    assert done.out == ""


def test_a_wide_character_before_the_mistake_moves_the_caret_by_its_width(tmp_path):
    done = sql("-c", "SELECT '日本', nothing FROM VALUES (1) AS t(a)", cwd=tmp_path).refused("-c:1:14: error: ")
    text, caret = done.err.splitlines()[1:3]
    assert text == "  1 | SELECT '日本', nothing FROM VALUES (1) AS t(a)"
    assert caret == "    | " + " " * 15 + "^~~~~~~"


def test_a_failure_at_run_time_is_exit_1_at_its_place(tmp_path):
    sql("-c", "SELECT 1 / (id - 1) AS x FROM range(3)", cwd=tmp_path).refused(r"-c:1:\d+: error: ", code=1)


@pytest.mark.parametrize("statement", ["CREATE OR REPLACE TABLE a (x INT)", "DELETE FROM a", "OPTIMIZE a", "MERGE INTO a USING b ON 1 = 1 WHEN MATCHED THEN DELETE",
                                       "CREATE OR REFRESH STREAMING TABLE a AS SELECT 1", "DROP TABLE a"])
def test_a_statement_that_is_not_there_yet_is_refused_by_name(tmp_path, statement):
    words = statement.split()[0]
    sql("-c", statement, cwd=tmp_path).refused(r"-c:1:1: error: ", words)


def test_files_are_queried_by_path(tmp_path):
    (tmp_path / "a.json").write_text('{"id":1,"x":{"y":[1,2]}}\n')
    (tmp_path / "a.csv").write_text("id,name\n1,ann\n")
    assert sql("--format", "json", "-c", "SELECT id, x.y[1] AS y FROM json.`a.json`", cwd=tmp_path).rows() == [(1, 2)]
    assert sql("--format", "json", "-c", "SELECT name FROM read_files('a.csv', format => 'csv', header => true)", cwd=tmp_path).rows() == [("ann",)]


def test_delta_tables_are_queried_by_path_and_version(tmp_path):
    import readers
    readers.write_foreign(tmp_path / "t", 3)
    assert sql("--format", "json", "-c", "SELECT id FROM delta.`t` ORDER BY id", cwd=tmp_path).rows() == [(0,), (1,), (2,)]
    assert sql("--format", "json", "-c", "SELECT count(*) AS n FROM delta.`t` VERSION AS OF 1", cwd=tmp_path).rows() == [(2,)]


def test_an_unknown_table_is_refused(tmp_path):
    sql("-c", "SELECT * FROM nowhere", cwd=tmp_path).refused(r"-c:1:15: error: .*nowhere")


def test_the_tables_of_a_project_go_by_name(project):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.run().ok()
    for name in ("raw", "default.raw", "spark_catalog.default.raw", "`raw`", "RAW"):
        project.expect(f"SELECT id FROM {name}", [[1]])


def test_show_tells_where_tables_lie_and_how_far_flows_are(project):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.run().ok()
    (table,) = [json.loads(line) for line in project.silt("show", "tables", "--format", "json").ok().out.splitlines()]
    assert table["table"].endswith("raw") and table["rows"] == 1 and table["path"] == str(project.table("raw"))
    (flow,) = [json.loads(line) for line in project.silt("show", "flows", "--format", "json").ok().out.splitlines()]
    assert flow["last_batch"] == 0 and flow["pending"] is False
    project.silt("show", "tabels").refused('Did you mean "tables"')


def test_a_variant_is_shown_as_the_json_that_it_holds(tmp_path):
    done = silt("sql", "-c", """SELECT parse_json('{"a":1,"b":[1,"x"]}') AS v, named_struct('n', parse_json('"q"')) AS s""", cwd=tmp_path).ok()
    assert done.out == 'v,s\n"{""a"":1,""b"":[1,""x""]}","{""q""}"\n'


def test_a_long_chain_of_with_queries_is_refused_in_our_words(tmp_path):
    chain = "".join(f", t{i} AS (SELECT * FROM t{i - 1})" for i in range(1, 600))
    done = sql("-c", f"WITH t0 AS (SELECT 1 AS a){chain} SELECT * FROM t599", cwd=tmp_path)
    assert done.code == 2 and "nested too deep" in done.err and "fault of Silt" not in done.err, done


@pytest.mark.parametrize("query, rows", [
    # a frame that is the whole partition, over more rows than two
    ("SELECT DISTINCT sum(id) OVER () FROM range(5000)", [(12497500,)]),
    ("SELECT id, sum(id) OVER (PARTITION BY id % 2) FROM range(6) ORDER BY id", [(0, 6), (1, 9), (2, 6), (3, 9), (4, 6), (5, 9)]),
    ("SELECT id, sum(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM range(3) ORDER BY id", [(0, 3), (1, 3), (2, 3)]),
    # IN and EXISTS among the arguments of functions, window functions beside them
    ("SELECT IF(EXISTS (SELECT 1), 2, 3) + 0", [(2,)]),
    ("SELECT id, CASE WHEN id IN (SELECT 1) THEN id + 10 ELSE 3 END + 1 FROM range(3) ORDER BY id", [(0, 4), (1, 12), (2, 4)]),
    ("SELECT CASE WHEN EXISTS (SELECT 1) THEN 1 ELSE 2 END * sum(id) OVER () FROM range(3)", [(3,), (3,), (3,)]),
    ("SELECT DISTINCT sum(CASE WHEN id IN (SELECT 1) THEN id + 1 ELSE 3 END + 1) OVER () FROM range(4)", [(15,)]),
    # a constant among grouping sets is no place in the select list
    ("SELECT 2 AS k, id, count(*) FROM range(2) GROUP BY ROLLUP (k, id) ORDER BY ALL", [(None, None, 2), (2, None, 2), (2, 0, 1), (2, 1, 1)]),
    ("SELECT id + 1, grouping(id + 1), count(*) FROM range(2) GROUP BY CUBE (id + 1) ORDER BY ALL", [(None, 1, 2), (1, 0, 1), (2, 0, 1)]),
])
def test_expressions_hold_where_DuckDB_has_traps(tmp_path, query, rows):
    assert sql("--format", "json", "-c", query, cwd=tmp_path).rows() == rows


def test_without_libcrypto_a_cipher_is_refused_by_name(tmp_path):
    (tmp_path / "libcrypto.so.3").touch()  # found first, and no library
    done = sql("-c", "SELECT aes_encrypt('a', '0000111122223333')", cwd=tmp_path, env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert done.code != 0
    assert "libcrypto, which encrypts and decrypts, cannot be loaded" in done.err
    assert "apt install libssl3" in done.err
    assert sql("--format", "json", "-c", "SELECT 1 AS a", cwd=tmp_path, env={"LD_LIBRARY_PATH": str(tmp_path)}).rows() == [(1,)]
