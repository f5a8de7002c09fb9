"""Every kind of bad input gets an error with its position and a hint, or a row that is counted and can be found; never a crash or silence."""
import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import readers
from driver import SILT, Project, silt

RAW = """CREATE OR REFRESH STREAMING TABLE raw AS
SELECT id, name FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, name STRING')"""


def at(file, line, column):
    return rf"{file}:{line}:{column}: error: "


# ---- the spec file


@pytest.mark.parametrize("text, patterns", [
    ("name: x\nstorage: [unclosed\n", [r"spark-pipeline.yml:\d+:\d+: error: "]),
    ("name: x\nstorage: file:///x\nstorag: file:///y\n", [at("spark-pipeline.yml", 3, 1) + '.*"storag"', 'Did you mean "?storage']),
    ("storage: file:///x\n", ["spark-pipeline.yml.*error: .*name"]),
    ("name: x\n", ["spark-pipeline.yml.*error: .*storage"]),
    ("name: x\nstorage: somewhere\n", ["spark-pipeline.yml:2:.*error: "]),
    ("name: x\nstorage: file:///x\nconfiguration:\n  a: 4\n", [r"spark-pipeline.yml:4:\d+: error: "]),
    ("name: x\nstorage: file:///x\nconfiguration:\n  silt.continous: 'true'\n", [at("spark-pipeline.yml", 4, r"\d+"), "silt.continuous"]),
    ("name: x\nstorage: file:///x\nconfiguration:\n  spark.sql.ansi.enabled: 'false'\n", [at("spark-pipeline.yml", 4, r"\d+"), "spark.sql.ansi.enabled"]),
    ("name: x\nstorage: file:///x\nlibraries:\n  - glob:\n      include: '*/b*.sql'\n", [r"spark-pipeline.yml:5:\d+: error: "]),
    ("- a\n- b\n", [r"spark-pipeline.yml.*error: "]),
    ("", [r"spark-pipeline.yml.*error: "]),
])
def test_a_wrong_spec_file_is_refused_at_its_line(project, text, patterns):
    (project.folder / "spark-pipeline.yml").write_text(text)
    project.silt("dry-run").refused(*patterns)


def test_a_folder_without_a_spec_file_says_what_was_looked_for(tmp_path):
    from driver import silt
    silt("run", cwd=tmp_path).refused("spark-pipeline.y")


def test_two_spec_files_are_refused(project):
    (project.folder / "spark-pipeline.yaml").write_text("name: x\nstorage: file:///x\n")
    project.silt("run").refused("spark-pipeline.yml", "spark-pipeline.yaml")


def test_a_spec_file_that_is_not_there_is_refused(project):
    project.silt("run", "--spec", "nowhere.yml").refused("nowhere.yml")


def test_a_project_without_statements_is_refused(project):
    project.silt("run").refused("error: ")


# ---- SQL


@pytest.mark.parametrize("query, line, column, patterns", [
    ("SELECT custmer FROM src", 2, 8, ['"?custmer"?', "(?i)did you mean", "customer"]),
    ("SELECT customer FROM scr", 2, 22, ["scr", "(?i)did you mean", "src"]),
    ("SELECT uper(customer) FROM src", 2, 8, ["uper", "(?i)did you mean", "upper"]),
    ("SELECT upper(customer, 1) FROM src", 2, 8, ["upper"]),
    ("SELECT customer FROM src WHERE", 2, 31, []),
    ("SELECT customer FROM src WHERE customer = 'a", 2, r"\d+", []),
    ("SELECT customer + DATE'2026-01-01' FROM src", 2, r"\d+", []),
    ("SELECT amount FROM src WHERE amount", 2, r"\d+", []),
    ("SELECT customer FROM src GROUP BY amount", 2, 8, ["customer"]),
    ("SELECT sum(sum(amount)) FROM src", 2, r"\d+", []),
    ("SELECT CAST(NULL AS STRUCT<>) AS s FROM src", 2, r"\d+", ["a struct without fields"]),
    ("SELECT from_json(customer, 'a ARRAY<STRUCT<>>') AS s FROM src", 2, r"\d+", ["a struct without fields"]),
    ("SELECT variant_get(parse_json(customer), '$', 'struct<>') AS s FROM src", 2, r"\d+", ["a struct without fields"]),
    ("SELECT customer, amount AS customer FROM src", 2, r"\d+", ["customer"]),
    ("SELECT * FROM src PIVOT (sum(amont) FOR customer IN ('a'))", 2, 30, ["amont", "(?i)did you mean", "amount"]),
    ("SELECT * FROM src TABLESAMPLE (110 PERCENT)", 2, r"\d+", []),
    ("SELECT a.customer FROM src a, LATERAL (SELECT a.amont AS x)", 2, r"\d+", ["amont"]),
    ("FROM src |> WHERE amont > 1", 2, 19, ["amont", "amount"]),
    ("SELECT DATE'2026-02-30' AS d FROM src", 2, 8, ["2026-02-30"]),
    ("SELECT (SELECT customer, amount FROM src) FROM src", 2, r"\d+", []),
    ("SELECT * FROM src UNION SELECT customer FROM src", 2, r"\d+", []),
    ("SELECT count(*) OVER (ORDER BY) FROM src", 2, r"\d+", []),
])
def test_a_mistake_in_a_query_is_shown_at_its_place(project, query, line, column, patterns):
    project.json_lines("in/a.json", [{"customer": "a", "amount": 1}])
    project.define("CREATE OR REFRESH STREAMING TABLE src AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'customer STRING, amount INT')",
                   file="a.sql")
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS\n" + query, file="view.sql")
    done = project.silt("dry-run").refused(at("transformations/view.sql", line, column), *patterns)
    assert "\n    | " in done.err and "^" in done.err


def test_all_mistakes_of_grammar_are_shown_in_one_go(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELEC 1", "CREATE OR REFRESH MATERIALIZED VIEW w AS SELECT 1 AS x",
                   "CREATE OR REFRESH MATERIALISED VIEW x AS SELECT 1 AS y", file="a.sql")
    project.define("CREATE OR REFRESH MATERIALIZED VIEW y AS SELECT FROM w", file="b.sql")
    project.silt("dry-run").refused("a.sql:1:.*SELEC", "a.sql:5:.*MATERIALISED", "b.sql:1:")


def test_mistakes_of_meaning_are_shown_beside_those_of_grammar(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELEC 1", "CREATE OR REFRESH MATERIALIZED VIEW w AS SELECT x FROM v", file="a.sql")
    project.define("CREATE OR REFRESH MATERIALIZED VIEW y AS SELECT nosuch FROM range(3)", file="b.sql")
    done = project.silt("dry-run").refused("a.sql:1:.*SELEC", "b.sql:1:49: error: .*nosuch")
    assert "a.sql:3:" not in done.err  # w misses only what could not be read


def test_a_flow_that_would_read_its_own_table_is_refused(project):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT a FROM STREAM read_files('spark-warehouse', format => 'json', schema => 'a INT')")
    project.run().refused(at("pipeline.sql", 1, r"\d+"), "the flow would feed itself")


@pytest.mark.parametrize("content", [b"x", b"a text that is long enough to be a Parquet file, and is none"], ids=["short", "long"])
def test_a_file_that_is_no_parquet_is_named(project, content):
    project.file("in/a.parquet", content)
    done = project.silt("sql", "-c", "SELECT * FROM parquet.`in`").refused(r"in/a\.parquet", "(not a|no) Parquet file", code=1)
    assert "magic" not in done.err


def test_a_subquery_with_two_rows_is_shown_at_its_place(project):
    project.silt("sql", "-c", "SELECT 1 AS a,\n (SELECT id FROM range(2)) AS b").refused(r"-c:2:2: error: more than one row came out of a subquery", code=1)


def test_fields_that_go_nowhere_are_shown(project):
    project.file("in/a.json", '{"a":"x","b":1}\n{"a":1}\n')
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'a INT')")
    project.run().ok()
    (table,) = [json.loads(line) for line in project.silt("show", "tables", "--format", "json").ok().out.splitlines()]
    assert (table["misfit_fields"], table["unknown_fields"], table["repaired"]) == (1, 1, 0)


def test_all_mistakes_of_meaning_are_shown_in_one_go(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, file="raw.sql")
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT nome, idd FROM raw", "CREATE OR REFRESH MATERIALIZED VIEW w AS SELECT 1 + DATE'2026-01-01' + 'x'",
                   "CREATE OR REFRESH MATERIALIZED VIEW x AS SELECT * FROM rwa", file="views.sql")
    project.silt("dry-run").refused("views.sql:1:.*nome", "views.sql:1:.*idd", "views.sql:3:", "views.sql:5:.*rwa")


def test_a_cycle_is_refused_and_names_its_members(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW a AS SELECT * FROM b", "CREATE OR REFRESH MATERIALIZED VIEW b AS SELECT * FROM a")
    project.silt("dry-run").refused(r"pipeline.sql:\d+:\d+: error: .*default\.a.*default\.b.*|.*default\.b.*default\.a.* read each other", "hint: ")


def test_two_definitions_of_one_name_are_refused_with_both_places(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW a AS SELECT 1 AS x", file="one.sql")
    project.define("CREATE OR REFRESH MATERIALIZED VIEW A AS SELECT 2 AS x", file="two.sql")
    project.silt("dry-run").refused("one.sql", "two.sql")


@pytest.mark.parametrize("side", ["dead_letters", "quarantine", "late"])
def test_a_table_with_the_name_of_anothers_side_table_is_refused(project, side):
    """The view would take the dead letters into its table, and overwrite them by its next content."""
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW raw_{side} AS SELECT 1 AS id",
                   "CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    project.run().refused(at("pipeline.sql", 1, 37), f"raw_{side}. is where rows set aside")


@pytest.mark.parametrize("outer, inner", [("a LOCATION 'x'", "b LOCATION 'x/y'"), ("`d.db`", "d.t")])
def test_a_table_inside_the_folder_of_another_is_refused(project, outer, inner):
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW {outer} AS SELECT 1 AS id", f"CREATE OR REFRESH MATERIALIZED VIEW {inner} AS SELECT 1 AS id")
    project.silt("dry-run").refused(r"pipeline.sql:\d+:37: error: .*lies inside the folder of")


@pytest.mark.parametrize("clause, column, words", [
    ("TBLPROPERTIES ('delta.checkpointIntervall' = '5')", 54, "unknown table property .*\n.*\n.*\n.*Did you mean .delta.checkpointInterval"),
    ("TBLPROPERTIES ('delta.checkpointInterval' = 'x')", 54, "needs a number above 0, not 'x'"),
    ("TBLPROPERTIES ('delta.columnMapping.mode' = 'nmae')", 54, "is none, name or id, not 'nmae'"),
    ("PARTITIONED BY (bytes)", 55, "of type binary cannot be a partition column"),
    ("PARTITIONED BY (list)", 55, "of type array<int> cannot be a partition column"),
])
def test_what_a_table_cannot_have_is_refused_before_anything_runs(project, clause, column, words):
    project.file("in/.keep", "")
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw {clause} AS SELECT * FROM STREAM read_files('in', format => 'json', "
                   "schema => 'id BIGINT, bytes BINARY, list ARRAY<INT>')")
    project.silt("dry-run").refused(at("pipeline.sql", 1, column), words)


@pytest.mark.parametrize("condition", ["id IN (SELECT 1)", "EXISTS (SELECT 1 FROM raw)", "id > (SELECT 0)", "f(id)"])
def test_a_subquery_in_an_expectation_is_refused_before_anything_runs(project, condition):
    project.file("in/.keep", "")
    project.define("CREATE TEMPORARY FUNCTION f(x BIGINT) RETURNS BOOLEAN RETURN x IN (SELECT 1)",
                   f"CREATE OR REFRESH STREAMING TABLE raw (CONSTRAINT e EXPECT ({condition})) AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    project.silt("dry-run").refused(r"pipeline.sql:\d:\d+: error: ", "a subquery may not stand in an expression over one row")


def test_a_streaming_table_without_a_stream_is_refused(project):
    project.define("CREATE OR REFRESH STREAMING TABLE a AS SELECT 1 AS x")
    project.silt("dry-run").refused(r"pipeline.sql:1:\d+: error: ")


def test_a_view_over_a_stream_is_refused(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, "CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT * FROM STREAM raw")
    project.silt("dry-run").refused(r"pipeline.sql:4:\d+: error: ")


@pytest.mark.parametrize("statement, words", [
    ("DROP TABLE a", "DROP"), ("CREATE TABLE a (x INT)", "CREATE TABLE"), ("DELETE FROM a", "DELETE"), ("SELECT 1", "SELECT"),
    ("CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY q", "AUTO CDC"),
])
def test_a_statement_that_defines_nothing_is_refused_by_name(project, statement, words):
    project.define(statement)
    project.silt("dry-run").refused(r"pipeline.sql:1:\d+: error: ", f"(?i){words}")


@pytest.mark.parametrize("option, words", [
    ("formt => 'json'", ["formt", "format"]), ("format => 'jsn'", ["jsn", "json"]), ("format => 'avro'", ["avro"]),
    ("format => 'json', maxFilesPerTrigger => 0", ["maxFilesPerTrigger"]), ("format => 'json', schema => 'id BIGIN'", ["BIGIN"]),
    ("format => 'csv', sep => ',,,'", ["sep"]),
])
def test_a_wrong_option_is_refused_at_its_place(project, option, words):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define(f"CREATE OR REFRESH STREAMING TABLE a AS SELECT * FROM STREAM read_files('in', {option})")
    project.silt("dry-run").refused(r"pipeline.sql:1:\d+: error: ", *words)


def test_an_unknown_table_to_refresh_is_refused_with_the_nearest(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW)
    for flag in ("--refresh", "--full-refresh"):
        project.run(flag, "rwa").refused("rwa", "raw")
    assert not project.table("raw").exists()


# ---- data


def test_a_bad_line_is_a_dead_letter_with_file_place_and_reason(project):
    project.file("in/a.json", '{"id":1,"name":"a"}\n{"id":2,"name":\n{"id":3,"name":"c"}\nnot json\n')
    project.define(RAW)
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [3]])
    place = f"file://{project.folder}/in/a.json"
    project.expect("SELECT file, position, CAST(record AS STRING), reason IS NOT NULL FROM raw_dead_letters ORDER BY position",
                   [[place, 20, '{"id":2,"name":', True], [place, 56, "not json", True]])


def test_the_balance_of_every_batch_is_in_its_progress_record(project):
    project.file("in/a.json", '{"id":1,"name":"a"}\nbroken\n{"id":3,"name":"c"}\n')
    project.define(RAW)
    project.run().ok()
    (record,) = project.progress()
    assert record["numInputRows"] == 3 and record["batchId"] == 0 and record["name"]


def test_a_field_of_the_wrong_type_is_null_without_rescue_and_kept_with_it(project):
    project.file("in/a.json", '{"id":"one","name":7}\n{"id":2,"name":{"x":1}}\n')
    project.define(RAW, RAW.replace("TABLE raw", "TABLE rescued").replace("SELECT id, name", "SELECT *")
                   .replace("schema =>", "rescuedDataColumn => '_rescued_data', schema =>"))
    project.run().ok()
    project.expect("SELECT id, name FROM raw", [[None, "7"], [2, '{"x":1}']])
    assert "one" in project.sql("SELECT _rescued_data FROM rescued WHERE id IS NULL").out


def test_bytes_that_are_no_utf8_make_a_dead_letter(project):
    project.file("in/a.json", b'{"id":1,"name":"\xff\xfe"}\n{"id":2,"name":"good"}\n')
    project.define(RAW)
    project.run().ok()
    project.expect("SELECT id FROM raw", [[2]])
    assert len(project.rows("SELECT * FROM raw_dead_letters")) == 1


def test_a_line_of_50_mb_is_read(project):
    size = 50 * 1024 * 1024
    project.file("in/a.json", b'{"id":1,"name":"' + b"x" * size + b'"}\n{"id":2,"name":"b"}\n')
    project.define(RAW)
    project.run().ok()
    project.expect("SELECT id, length(name) FROM raw ORDER BY id", [[1, size], [2, 1]])


def test_ten_thousand_levels_of_nesting_make_a_dead_letter(project):
    project.file("in/a.json", '{"id":1,"name":' + "[" * 10000 + "]" * 10000 + '}\n{"id":2,"name":"b"}\n')
    project.define(RAW)
    project.run().ok()
    total = len(project.rows("SELECT id FROM raw")) + len(project.rows("SELECT * FROM raw_dead_letters"))
    assert total == 2 and [2] in [list(row) for row in project.rows("SELECT id FROM raw")]


def test_an_expression_of_ten_thousand_levels_is_refused(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT " + "(" * 10000 + "1" + ")" * 10000 + " AS x")
    project.silt("dry-run").refused(r"pipeline.sql:1:\d+: error: ")


def test_an_empty_file_is_no_error_and_no_row(project):
    project.file("in/a.json", "")
    project.file("in/b.json", '{"id":2,"name":"b"}\n')
    project.define(RAW)
    project.run().ok()
    project.expect("SELECT id FROM raw", [[2]])


@pytest.mark.parametrize("name, content", [("x.json.gz", gzip.compress(b'{"id":1,"name":"a"}\n' * 1000)[:60]), ("x.json.gz", b"no gzip at all")])
def test_a_truncated_or_foreign_compressed_file_is_named(project, name, content):
    project.file("in/" + name, content)
    project.file("in/good.json", '{"id":2,"name":"b"}\n')
    project.define(RAW)
    done = project.run()
    assert done.code in (0, 1) and name in done.err, done
    project.file("in/" + name, gzip.compress(b'{"id":1,"name":"a"}\n'))
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [2]])


def test_a_binary_file_makes_dead_letters_and_no_row(project):
    project.file("in/a.json", bytes(range(256)) * 64)
    project.define(RAW)
    project.run().ok()
    assert project.rows("SELECT id FROM raw") == [] and len(project.rows("SELECT reason FROM raw_dead_letters")) >= 1


@pytest.fixture
def plain_user():
    """A project that somebody who is not root runs: root reads and writes everywhere."""
    place = Path(tempfile.mkdtemp(prefix="silt-user-"))
    place.chmod(0o755)
    made = Project(place / "project")
    if os.geteuid() == 0:
        made.binary = shutil.copy(SILT, place / "silt")  # the checkout may lie where only root comes
        made.user = 65534
    yield made
    made.stop_all()
    shutil.rmtree(place)


def test_an_unreadable_file_is_named_and_read_later(plain_user):
    file = plain_user.file("in/a.json", '{"id":1,"name":"a"}\n')
    file.chmod(0)
    plain_user.define(RAW)
    plain_user.run().refused("a.json", code=1)
    file.chmod(0o644)
    plain_user.run().ok()
    plain_user.expect("SELECT id FROM raw", [[1]])


def test_a_parquet_file_that_is_none_is_named(project):
    project.file("in/a.parquet", b"PAR1 but not really")
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'parquet', schema => 'id BIGINT')")
    project.run().refused("a.parquet", code=(1, 2))


def test_a_source_folder_that_is_not_there_is_named_unless_a_stream_can_wait_for_it(project):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('nowhere', format => 'json')")
    project.run().refused(r"pipeline.sql:1:\d+: error: .*nowhere", code=(1, 2))
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT * FROM read_files('nowhere', format => 'json', schema => 'id BIGINT')")
    project.run().refused(r"pipeline.sql:1:\d+: error: .*nowhere", code=(1, 2))
    project.define(RAW.replace("'in'", "'later'"))
    project.run().ok()
    project.json_lines("later/a.json", [{"id": 1, "name": "a"}])
    project.run().ok()
    project.expect("SELECT id FROM raw", [[1]])


def test_a_value_that_a_cast_refuses_fails_its_flow_at_the_place_in_the_query(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, "CREATE OR REFRESH MATERIALIZED VIEW v AS\nSELECT CAST(name AS INT) AS n FROM raw")
    done = project.run().refused(r"pipeline.sql:\d+:8: error: .*v.*\"a\"", code=1)
    assert done.err.count('cannot cast "a"') == 1, "one failure is told once"
    assert "a new `silt run` takes this batch up again" in done.err


# ---- the place where tables lie


def test_a_folder_that_holds_other_files_is_not_made_a_table(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    keep = project.file("spark-warehouse/raw/letter.txt", "dear diary")
    project.define(RAW)
    project.run().refused("raw", code=(1, 2))
    assert keep.read_text() == "dear diary" and not (project.table("raw") / "_delta_log").exists()


def test_a_table_with_another_schema_is_refused(project):
    import pyarrow
    from deltalake import write_deltalake
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    write_deltalake(str(project.table("raw")), pyarrow.table({"id": pyarrow.array(["x"]), "name": pyarrow.array(["y"])}))
    project.define(RAW)
    project.run().refused("id", code=(1, 2))
    assert readers.delta_rs_rows(project.table("raw"), "id") == [("x",)]


def test_a_table_that_changes_its_kind_is_refused_with_what_to_do(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW)
    project.run().ok()
    project.define("CREATE OR REFRESH MATERIALIZED VIEW raw AS SELECT 1 AS id, 'a' AS name")
    project.run().refused("raw", "hint: ", code=(1, 2))
    project.define(RAW)
    project.run().ok()
    project.expect("SELECT id FROM raw", [[1]])


def test_other_partition_columns_are_refused_before_anything_runs_and_a_full_refresh_takes_them(project):
    project.json_lines("in/a.json", [{"id": 1, "day": 2, "hour": 3}])
    for clause, code in (("PARTITIONED BY (day)", 0), ("PARTITIONED BY (hour)", 2), ("", 2)):
        project.define(f"CREATE OR REFRESH STREAMING TABLE t {clause} AS SELECT * FROM STREAM read_files('in', format => 'json')")
        done = project.silt("dry-run")
        done.ok() if code == 0 else done.refused(at("pipeline.sql", 1, 35), "is partitioned otherwise", "--full-refresh")
        done = project.run()
        done.ok() if code == 0 else done.refused(at("pipeline.sql", 1, 35), "is partitioned otherwise")
    project.run("--full-refresh", "t").ok()
    project.expect("SELECT id, day, hour FROM t", [(1, 2, 3)])
    assert not list((project.folder / "spark-warehouse/t").glob("hour=*"))


def test_a_renamed_flow_is_refused_and_nothing_is_read_twice(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    table = "CREATE OR REFRESH STREAMING TABLE raw"
    flow = "CREATE FLOW {} AS INSERT INTO raw BY NAME SELECT id, name FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, name STRING')"
    project.define(table, flow.format("one"))
    project.run().ok()
    project.define(table, flow.format("two"))
    project.run().refused("one", code=(1, 2))
    project.define(table, flow.format("one"))
    project.run().ok()
    project.expect("SELECT id FROM raw", [[1]])


def test_a_checkpoint_of_another_pipeline_is_refused(project, tmp_path):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW)
    project.run().ok()
    other = Project(tmp_path / "other")
    other.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    other.define(RAW)
    other.run().ok()
    shutil.rmtree(other.folder / "storage" / "_checkpoints")
    shutil.copytree(project.folder / "storage" / "_checkpoints", other.folder / "storage" / "_checkpoints")
    other.json_lines("in/b.json", [{"id": 2, "name": "b"}])
    done = other.run()
    assert done.code in (1, 2) and "raw" in done.err, done
    assert readers.delta_rs_rows(other.table("raw"), "id") == [(1,)]


def test_a_read_only_folder_is_named(plain_user):
    plain_user.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    plain_user.define(RAW)
    warehouse = plain_user.folder / "spark-warehouse"
    warehouse.mkdir()
    warehouse.chmod(0o555)
    plain_user.run().refused("spark-warehouse", code=(1, 2))
    warehouse.chmod(0o755)
    plain_user.run().ok()
    plain_user.expect("SELECT id FROM raw", [[1]])


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 4 MB, where one can be mounted."""
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_fails_the_run_and_the_next_one_has_every_row_once(project, small_disk):
    table = small_disk / "raw"
    project.define(RAW.replace("TABLE raw AS", f"TABLE raw LOCATION '{table}' AS"))
    rows = [{"id": id, "name": os.urandom(64).hex()} for id in range(60000)]
    project.json_lines("in/a.json", rows)
    filler = small_disk / "filler"
    filler.write_bytes(b"\0" * (2 << 20))
    project.run("--conf", "spark.sql.pipelines.maxFlowRetryAttempts=0").refused("(?i)no space|disk", code=1)
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    project.run().ok()
    project.expect(f"SELECT count(*), count(DISTINCT id) FROM delta.`{table}`", [[60000, 60000]])


def test_a_second_process_says_who_runs_the_pipeline_and_leaves(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW)
    first = project.start("--continuous")
    deadline = time.monotonic() + 30
    while not project.progress() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert first.poll() is None, (project.folder / "run.log").read_text()
    project.run().refused(str(first.pid))
    first.terminate()
    assert first.wait(30) == 143
    project.run().ok()


def test_with_standby_a_second_process_waits_and_takes_over(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW)
    first = project.start("--continuous")
    deadline = time.monotonic() + 30
    while not project.progress() and time.monotonic() < deadline:
        time.sleep(0.05)
    second = project.start("--standby")
    time.sleep(0.5)
    assert second.poll() is None
    first.kill()
    first.wait()
    assert second.wait(30) == 0, (project.folder / "run.log").read_text()

FAILING = ("CREATE OR REFRESH STREAMING TABLE t (CONSTRAINT positive EXPECT (n > 0) ON VIOLATION FAIL UPDATE) AS SELECT n{more} FROM"
           " STREAM read_files('in', format => '{format}'{schema})")


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_a_failing_update_names_file_and_byte(project, kind):
    project.define(FAILING.format(format=kind, schema=", schema => 'n INT'", more=""))
    good = '{"n": 1}\n' if kind == "json" else "1\n"
    project.file(f"in/a.{kind}", good * 3)
    project.file(f"in/b.{kind}", good * 2 + good.replace("1", "-7"))
    project.run().refused(rf"does not hold for the row \{{'n': -7\}} of \"[^\"]*in/b\.{kind}\", byte {2 * len(good)}\n", code=1)
    project.file(f"in/b.{kind}", good * 3)
    project.run().ok()
    project.expect("SELECT count(*) FROM t", [(6,)])


def test_a_failing_update_over_parquet_names_the_row(project):
    import duckdb
    (project.folder / "in").mkdir()
    duckdb.sql(f"COPY (SELECT CAST(n AS INT) AS n FROM (VALUES (1), (2), (-7), (3)) t(n)) TO '{project.folder}/in/a.parquet'")
    project.define(FAILING.format(format="parquet", schema="", more=""))
    project.run().refused(r"row \{'n': -7\} of \"[^\"]*in/a\.parquet\", row 2\n", code=1)


def test_a_row_of_no_one_record_has_no_place(project):
    project.define(FAILING.format(format="json", schema=", schema => 'a ARRAY<INT>'", more="").replace("SELECT n", "SELECT explode(a) AS n"))
    project.json_lines("in/a.json", [{"a": [1, -7]}])
    done = project.run().refused(r"does not hold for the row \{'n': -7\}\n", code=1)
    assert "\x7f" not in done.err


# ---- nesting, and NUL


def nested(levels):
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize("levels", [60, 99, 100, 101, 400])
def test_deep_records_are_kept_whole_however_deep(project, levels):
    """Up to 100 levels are a type; what is deeper is the text that it is. The writer of schemas once had room for 20 only."""
    project.define("CREATE STREAMING TABLE deep AS SELECT a FROM STREAM read_files('in', format => 'json')")
    project.file("in/a.json", nested(levels) + "\n")
    project.run().ok()
    [row] = json.loads(project.silt("sql", "--format", "jsonarray", "-c", "SELECT a FROM deep").ok().out)
    text = json.dumps({"a": row["a"]}, separators=(",", ":")).replace("\\", "")
    assert text.replace('"{', "{").replace('}"', "}") == nested(levels)
    assert ('"{' in text) == (levels > 100)
    assert "equal" in project.silt("audit", "deep").ok().err


def test_a_column_that_no_schema_can_hold_is_refused(project):
    deep = "array<" * 100 + "int" + ">" * 100
    project.define(f"CREATE MATERIALIZED VIEW v AS SELECT CAST(NULL AS {deep}) AS c")
    project.silt("dry-run").refused('a table cannot hold column "c": its type is nested deeper than 100 levels', "to_json")


def test_a_partition_value_with_nul_is_never_cut(project):
    """Once 'a' + NUL + 'b' became the partition 'a', and the audit found nothing."""
    project.define("CREATE STREAMING TABLE t PARTITIONED BY (s) AS SELECT id, s FROM STREAM read_files('in', format => 'json', schema => 'id INT, s STRING')")
    project.file("in/a.json", '{"id":1,"s":"a\\u0000b"}\n{"id":2,"s":"\\u0000"}\n')
    done = project.silt("run")
    assert done.code == 1 and re.search('partition column "s" has a character NUL', done.err) and "replace(s, chr(0), '')" in done.err, done
    project.define("CREATE STREAMING TABLE t PARTITIONED BY (s) AS SELECT id, replace(s, chr(0), '') AS s "
                   "FROM STREAM read_files('in', format => 'json', schema => 'id INT, s STRING')")
    project.silt("run").ok()
    assert project.silt("sql", "--format", "json", "-c", "SELECT id, s FROM t ORDER BY id").ok().out.splitlines() == ['{"id":1,"s":"ab"}', '{"id":2,"s":null}']


@pytest.mark.parametrize("kept", ["a commit", "a checkpoint"])
def test_a_partition_value_with_nul_that_another_program_wrote_is_refused_not_cut(project, kept):
    log = project.folder / "other/_delta_log"
    log.mkdir(parents=True)
    pq.write_table(pa.table({"id": [1]}), project.folder / "other/a.parquet")
    fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in (("id", "long"), ("p", "string"))]
    protocol = {"minReaderVersion": 1, "minWriterVersion": 2}
    metadata = {"id": "x", "format": {"provider": "parquet", "options": {}}, "schemaString": json.dumps({"type": "struct", "fields": fields}),
                "partitionColumns": ["p"], "configuration": {}, "createdTime": 0}
    add = {"path": "a.parquet", "size": (project.folder / "other/a.parquet").stat().st_size, "partitionValues": {"p": "a\0b"}, "modificationTime": 0, "dataChange": True}
    rows = [{"protocol": protocol}, {"metaData": metadata}, {"add": add}]
    if kept == "a commit":
        (log / f"{0:020}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        texts = pa.map_(pa.string(), pa.string())
        schema = pa.schema([("protocol", pa.struct([(key, pa.int32()) for key in protocol])),
                            ("metaData", pa.struct([("id", pa.string()), ("format", pa.struct([("provider", pa.string()), ("options", texts)])), ("schemaString", pa.string()),
                                                    ("partitionColumns", pa.list_(pa.string())), ("configuration", texts), ("createdTime", pa.int64())])),
                            ("add", pa.struct([("path", pa.string()), ("size", pa.int64()), ("partitionValues", texts), ("modificationTime", pa.int64()), ("dataChange", pa.bool_())]))])
        pq.write_table(pa.Table.from_pylist(rows, schema), log / f"{5:020}.checkpoint.parquet")
        (log / "_last_checkpoint").write_text(json.dumps({"version": 5, "size": 3}))
    project.silt("sql", "-c", "SELECT id, p FROM delta.`other`").refused("NUL", '"partitionValues" of an action "add"', code=(1, 2))


# ---- what lies in the folders of definitions and of data

def test_a_link_that_leads_back_and_a_folder_called_sql_are_passed_over_with_a_word(project):
    project.define("CREATE MATERIALIZED VIEW v AS SELECT 1 AS a")
    folder = project.folder / "transformations"
    (folder / "loop").symlink_to(".")
    (folder / "x.sql").mkdir()
    (folder / "x.sql/inner.sql").write_text("CREATE MATERIALIZED VIEW w AS SELECT a + 1 AS b FROM v")
    done = project.run().ok()
    assert "transformations/loop: this link leads back to a folder around it" in done.err and "transformations/x.sql: this is a folder" in done.err, done
    assert project.rows("SELECT b FROM w") == [(2,)]


@pytest.mark.parametrize("kind", ["a link to nothing", "a link to itself", "a pipe"])
def test_what_is_no_file_among_the_definitions_is_refused_by_name(project, kind):
    project.define("CREATE MATERIALIZED VIEW v AS SELECT 1 AS a")
    path = project.folder / "transformations/lost.sql"
    os.mkfifo(path) if kind == "a pipe" else path.symlink_to("lost.sql" if kind == "a link to itself" else "/nowhere/lost.sql")
    project.silt("dry-run").refused(at("spark-pipeline.yml", r"\d+", r"\d+"), 'cannot read "transformations/lost.sql": it is no file')


def test_a_link_to_nothing_among_the_data_is_left_alone_with_a_word(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "x"}])
    (project.folder / "in/b.json").symlink_to("/nowhere/b.json")
    project.define(RAW)
    assert re.search("left alone .*b.json.* a link to nothing", project.run().ok().err)
    assert project.rows("SELECT id FROM raw") == [(1,)]


@pytest.mark.parametrize("zone, what", [("Nope/Zone", 'time zone "Nope/Zone" is not known'), ("+05:30", "only whole hours"), ("GMT+5:30", "only whole hours")])
def test_a_time_zone_that_cannot_be_is_refused_before_anything_runs(project, zone, what):
    project.define(f"SET spark.sql.session.timeZone = '{zone}'", "CREATE MATERIALIZED VIEW v AS SELECT 1 AS a")
    project.silt("dry-run").refused(at("pipeline.sql", 1, 1), re.escape(what))
    project.define("CREATE MATERIALIZED VIEW v AS SELECT 1 AS a")
    project.conf["spark.sql.session.timeZone"] = zone
    project.write_spec()
    project.silt("dry-run").refused(at("spark-pipeline.yml", r"\d+", r"\d+"), re.escape(what))


def test_the_bad_pattern_of_a_path_is_pointed_at(project):
    project.silt("sql", "-c", "SELECT * FROM read_files('in/[ab', format => 'json')").refused(at("-c", 1, 26), r"the \[ at byte \d+ is not closed")
    project.silt("sql", "-c", "SELECT * FROM read_files('in', format => 'json', pathGlobFilter => '{a')").refused(at("-c", 1, 68), r"the \{ at byte 1 is not closed")


def test_a_name_that_a_csv_header_has_twice_finds_its_column_or_is_told(project):
    """The reader calls such fields id0 and ID1; a schema that says `id` means the one of that name to the letter."""
    def read(folder, more):
        return f"SELECT * FROM read_files('{folder}', format => 'csv', header => true, schema => {more})"
    project.file("a/1.csv", "id,ID,v\n4,5,6\n")
    project.file("b/1.csv", "id,id,v\n4,5,6\n")
    project.expect(read("a", "'id INT, v INT'"), [[4, 6]])
    project.expect(read("a", "'ID1 INT, v INT'"), [[5, 6]])
    project.expect(read("a", "'v INT'"), [[6]])
    project.expect(read("b", "'v INT, id1 INT'"), [[6, 5]])
    project.expect(read("b", "'id INT, v INT', enforceSchema => true"), [[4, 5]])
    for folder, column in (("a", "Id"), ("b", "id"), ("b", "ID")):
        project.sql(read(folder, f"'{column} INT, v INT'")).refused(f'{folder}/1.csv.*several fields for column "{column}"', "enforceSchema", code=1)


def test_a_query_tells_of_records_that_it_could_not_decode(project):
    """It has no dead letters to keep them in."""
    project.file("in/a.json", '{"id":1}\n')
    project.file("in/b.json", '{"id":2}\n{bad\n{"id":3}\n[\n')
    query = "SELECT id FROM read_files('in', format => 'json', schema => 'id INT'{})"
    for statement in (query.format(""), "SELECT id FROM json.`in`"):
        done = project.sql(statement).ok()
        assert sorted(row for (row,) in done.rows()) == [1, 2, 3]
        assert len(re.findall(r"WARN query.undecodable .*records=2 first_file=\S*/in/b.json position=9 reason=", done.err)) == 1, done.err
    assert "records=2" in project.sql(query.format(", mode => 'DROPMALFORMED'")).ok().err
    assert "undecodable" not in project.sql(query.format(", mode => 'PERMISSIVE'")).ok().err
    project.file("csv/a.csv", "1,2\n3,4,5,6\n")
    done = project.sql("SELECT * FROM read_files('csv', format => 'csv', schema => 'a INT, b INT', maxColumns => 3)").ok()
    assert "records=1 first_file=" in done.err and "csv/a.csv position=4" in done.err, done.err
