"""silt run: what a run does, in which words, and what the next one finds."""
import json
import re
import signal
import time

import pytest
import readers
from driver import silt

RAW = """CREATE OR REFRESH STREAMING TABLE raw AS
SELECT id, name FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, name STRING')"""
NAMES = "CREATE OR REFRESH MATERIALIZED VIEW names AS SELECT name, count(*) AS n FROM raw GROUP BY name"


def version(project, table):
    return readers.commits(project.table(table))[-1][0]


def test_init_makes_a_project_that_runs_at_once(tmp_path):
    silt("init", "--name", "shop", cwd=tmp_path).ok()
    silt("dry-run", cwd=tmp_path / "shop").ok()
    silt("run", cwd=tmp_path / "shop").ok()
    rows = silt("sql", "--format", "json", "-c", "SELECT item, pieces, money FROM sales_by_item ORDER BY item", cwd=tmp_path / "shop").rows()
    assert [(item, pieces, str(money)) for item, pieces, money in rows] == [
        ("chair", 6, "498.00"), ("lamp", 3, "119.70"), ("rug", 1, "129.50"), ("table", 1, "240.00")]


def test_a_dry_run_writes_nothing(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, NAMES)
    before = sorted(project.folder.rglob("*"))
    project.silt("dry-run").ok()
    assert sorted(project.folder.rglob("*")) == before


def test_each_file_is_read_once_and_only_new_ones_by_the_next_run(project):
    project.define(RAW)
    for number in range(3):
        project.json_lines(f"in/{number}.json", [{"id": number, "name": "a"}])
        project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[0], [1], [2]])
    assert [record["numInputRows"] for record in project.progress() if record["numInputRows"]] == [1, 1, 1]


def test_events_are_worded_as_spark_pipelines_words_them(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, NAMES)
    err = project.run().ok().err
    for word in ("QUEUED", "STARTING", "RUNNING"):
        assert re.search(rf"Flow spark_catalog\.default\.raw is {word}\.", err), err
    assert re.search(r"Flow spark_catalog\.default\.names is PLANNING\.", err), err
    for flow in ("raw", "names"):
        assert f"Flow spark_catalog.default.{flow} has COMPLETED." in err, err
    assert err.rstrip().endswith("Run is COMPLETED.")


def test_a_run_with_nothing_to_do_commits_nothing(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, NAMES)
    project.run().ok()
    before = version(project, "raw"), version(project, "names")
    project.run().ok()
    assert (version(project, "raw"), version(project, "names")) == before


def test_a_view_follows_its_table(project):
    project.define(RAW, NAMES)
    project.json_lines("in/1.json", [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}])
    project.run().ok()
    project.json_lines("in/2.json", [{"id": 3, "name": "a"}])
    project.run().ok()
    project.expect("SELECT * FROM names ORDER BY name", [["a", 2], ["b", 1]])


def test_a_second_streaming_table_reads_the_first_and_each_row_once(project):
    project.define(RAW, "CREATE OR REFRESH STREAMING TABLE upper_names AS SELECT id, upper(name) AS name FROM STREAM raw")
    for number in range(3):
        project.json_lines(f"in/{number}.json", [{"id": number, "name": f"n{number}"}])
        project.run().ok()
    project.expect("SELECT id, name FROM upper_names ORDER BY id", [[0, "N0"], [1, "N1"], [2, "N2"]])


def test_several_flows_fill_one_table(project):
    project.json_lines("a/1.json", [{"id": 1, "name": "a"}])
    project.json_lines("b/1.json", [{"id": 2, "name": "b"}])
    flow = "CREATE FLOW from_{0} AS INSERT INTO both BY NAME SELECT * FROM STREAM read_files('{0}', format => 'json', schema => 'id BIGINT, name STRING')"
    project.define("CREATE OR REFRESH STREAMING TABLE both", flow.format("a"), flow.format("b"))
    project.run().ok()
    project.json_lines("b/2.json", [{"id": 3, "name": "c"}])
    project.run().ok()
    project.expect("SELECT id, name FROM both ORDER BY id", [[1, "a"], [2, "b"], [3, "c"]])


def test_a_once_flow_runs_one_time(project):
    project.json_lines("old/1.json", [{"id": 1, "name": "old"}])
    project.json_lines("in/1.json", [{"id": 2, "name": "new"}])
    project.define(RAW, "CREATE FLOW backfill AS INSERT ONCE INTO raw BY NAME SELECT * FROM read_files('old', format => 'json', schema => 'id BIGINT, name STRING')")
    project.run().ok()
    project.json_lines("old/2.json", [{"id": 9, "name": "too late"}])
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [2]])


def test_a_temporary_view_over_a_stream_is_text_only(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}, {"id": 2, "name": None}])
    project.define("CREATE TEMPORARY VIEW good AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, name STRING') WHERE name IS NOT NULL",
                   "CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM good")
    project.run().ok()
    project.expect("SELECT id FROM raw", [[1]])
    assert not project.table("good").exists()


def test_expectations_warn_drop_and_fail(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}, {"id": -2, "name": "b"}, {"id": None, "name": "c"}])
    for name, action in (("warned", ""), ("dropped", "ON VIOLATION DROP ROW"), ("failed", "ON VIOLATION FAIL UPDATE")):
        project.define(RAW.replace("TABLE raw", f"TABLE {name} (CONSTRAINT positive EXPECT (id > 0) {action})"), file=f"{name}.sql")
    done = project.run("--conf", "spark.sql.pipelines.maxFlowRetryAttempts=0").refused("positive", code=1)
    assert "Flow 'spark_catalog.default.failed' has FAILED" in done.err
    assert len(project.rows("SELECT * FROM warned")) == 3
    project.expect("SELECT id FROM dropped", [[1]])
    project.expect("SELECT count(*) FROM failed", [[0]])


def test_selection_refreshes_what_is_named_and_excludes_the_rest(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, RAW.replace("TABLE raw", "TABLE other"))
    done = project.run("--refresh", "raw").ok()
    assert "Flow 'spark_catalog.default.other' is EXCLUDED." in done.err
    project.expect("SELECT count(*) FROM raw", [[1]])
    assert not readers.live(project.table("other"))


def test_a_full_refresh_reads_the_sources_again_and_doubles_nothing(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, NAMES)
    project.run().ok()
    project.json_lines("in/b.json", [{"id": 2, "name": "b"}])
    project.run("--full-refresh", "raw").ok()
    project.run("--full-refresh-all").ok()
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [2]])
    project.expect("SELECT * FROM names ORDER BY name", [["a", 1], ["b", 1]])


def test_one_failing_flow_stops_alone_and_what_depends_on_it_is_skipped(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, RAW.replace("SELECT id,", "SELECT 1 / (id - 1) AS id,").replace("TABLE raw", "TABLE bad"),
                   "CREATE OR REFRESH STREAMING TABLE after_bad AS SELECT * FROM STREAM bad")
    done = project.run("--conf", "spark.sql.pipelines.maxFlowRetryAttempts=0").refused("DIVIDE_BY_ZERO|[Dd]ivision by zero", code=1)
    assert "Flow 'spark_catalog.default.after_bad' SKIPPED due to upstream failure(s)." in done.err
    assert "Flow spark_catalog.default.raw has COMPLETED." in done.err
    project.expect("SELECT id FROM raw", [[1]])


@pytest.mark.parametrize("mapped", ["", "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"])
def test_changed_comments_are_the_tables_and_cost_one_commit(project, mapped):
    def define(first, deep, table):
        project.define(f"CREATE STREAMING TABLE t (id BIGINT COMMENT '{first}', s ARRAY<STRUCT<a: INT COMMENT '{deep}', b: INT COMMENT 'kept'>>) COMMENT '{table}' {mapped} "
                       "AS SELECT id, array(named_struct('a', 1, 'b', 2)) AS s FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')",
                       f"CREATE MATERIALIZED VIEW m (n BIGINT COMMENT '{first}') AS SELECT count(*) AS n FROM t")

    def comments(name):
        metadata = readers.actions(project.table(name), "metaData")[-1][1]
        fields = json.loads(metadata["schemaString"])["fields"]
        nested = fields[1]["type"]["elementType"]["fields"] if len(fields) > 1 else []
        return metadata.get("description"), [field["metadata"].get("comment") for field in fields + nested]

    project.file("in/a.json", '{"id":1}\n')
    define("one", "deep", "all")
    project.run().ok()
    assert comments("t") == ("all", ["one", None, "deep", "kept"]) and comments("m") == (None, ["one"])
    define("two", "deeper", "all")
    project.run().ok()
    versions = len(readers.commits(project.table("t"))), len(readers.commits(project.table("m")))
    assert comments("t") == ("all", ["two", None, "deeper", "kept"]) and comments("m") == (None, ["two"])
    project.run().ok()
    assert (len(readers.commits(project.table("t"))), len(readers.commits(project.table("m")))) == versions == (3, 3)
    assert readers.commits(project.table("t"))[-1][1][0]["commitInfo"]["operation"] == "CHANGE COLUMN"
    assert project.rows("SELECT id, s[0].b FROM t") == [(1, 2)]


def test_a_null_without_a_type_takes_the_declared_one(project):
    columns = "id BIGINT, z DECIMAL(10,2), d DATE, s STRUCT<a: INT, b: STRING>, n STRUCT<a: TIMESTAMP, b: INT>, l ARRAY<DATE>, e ARRAY<STRUCT<x: INT>>, m MAP<STRING, BINARY>"
    values = "NULL AS z, NULL AS d, NULL AS s, named_struct('a', NULL, 'b', 1) AS n, array(NULL) AS l, array() AS e, map('k', NULL) AS m"
    project.file("in/a.json", '{"id":1}\n')
    project.define(f"CREATE STREAMING TABLE t ({columns}) AS SELECT id, {values} FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')",
                   f"CREATE MATERIALIZED VIEW v ({columns}) AS SELECT id, {values} FROM t")
    project.run().ok()
    for name in "t", "v":
        assert project.rows(f"SELECT id, z, d, s, n.a, n.b, l[0], size(l), size(e), m['k'], size(m) FROM {name}") == [(1, None, None, None, None, 1, None, 1, 0, None, 1)]
    project.silt("audit", "t").ok()
    project.file("in/b.json", '{"id":2}\n')
    project.run().ok()
    assert project.rows("SELECT count(*), count(z) FROM v") == [(2, 0)]
    project.define("CREATE MATERIALIZED VIEW w (id BIGINT, z DATE NOT NULL) AS SELECT id, NULL AS z FROM t")
    project.run().refused("declared NOT NULL")


def test_a_new_column_in_the_query_widens_the_table(project):
    project.json_lines("in/1.json", [{"id": 1, "name": "a"}])
    project.define(RAW)
    project.run().ok()
    project.define(RAW.replace("SELECT id, name", "SELECT id, name, length(name) AS size"))
    project.json_lines("in/2.json", [{"id": 2, "name": "bb"}])
    project.run().ok()
    project.expect("SELECT id, name, size FROM raw ORDER BY id", [[1, "a", None], [2, "bb", 2]])


def test_a_new_column_in_the_files_widens_the_table_in_the_same_run(project):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.json_lines("in/1.json", [{"id": 1}])
    project.run().ok()
    project.json_lines("in/2.json", [{"id": 2, "name": "b"}])
    project.run().ok()
    project.expect("SELECT id, name FROM raw ORDER BY id", [[1, None], [2, "b"]])


def test_a_table_that_left_the_project_stays(project):
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.define(RAW, RAW.replace("TABLE raw", "TABLE other"))
    project.run().ok()
    project.define(RAW)
    project.run().ok()
    assert readers.delta_rs_rows(project.table("other"), "id") == [(1,)]


def test_limits_cut_the_input_into_batches(project):
    for number in range(7):
        project.json_lines(f"in/{number}.json", [{"id": number, "name": "a"}])
    project.define(RAW.replace("format =>", "maxFilesPerTrigger => 2, format =>"))
    project.run().ok()
    assert [record["numInputRows"] for record in project.progress()] == [2, 2, 2, 1]
    project.expect("SELECT count(*), count(DISTINCT id) FROM raw", [[7, 7]])


def test_hidden_and_unfinished_names_are_left_alone(project):
    for name in (".a.json", "_b.json", "c.json.tmp", ".hidden/d.json", "_meta/e.json"):
        project.json_lines(f"in/{name}", [{"id": 0, "name": "no"}])
    project.json_lines("in/sub/f.json", [{"id": 1, "name": "yes"}])
    project.define(RAW)
    project.run().ok()
    project.expect("SELECT id FROM raw", [[1]])


def test_partition_columns_come_from_the_folders(project):
    project.json_lines("in/day=2026-01-01/region=eu%20west/a.json", [{"id": 1}])
    project.json_lines("in/day=2026-01-02/region=us/b.json", [{"id": 2}])
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, day DATE, region STRING')")
    project.run().ok()
    project.expect("SELECT id, day, region FROM raw ORDER BY id", [[1, "2026-01-01", "eu west"], [2, "2026-01-02", "us"]])


def wait_for(what, seconds=30):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_continuous_running_takes_files_as_they_come_and_stops_cleanly(project, number, code):
    project.define(RAW)
    project.json_lines("in/1.json", [{"id": 1, "name": "a"}])
    process = project.start("--continuous")
    wait_for(lambda: sum(record["numInputRows"] for record in project.progress()) == 1)
    project.json_lines("in/2.json", [{"id": 2, "name": "b"}])
    wait_for(lambda: sum(record["numInputRows"] for record in project.progress()) == 2)
    process.send_signal(number)
    assert process.wait(30) == code
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [2]])


def test_a_table_that_is_merely_read_by_others_while_silt_runs_is_never_half_a_batch(project):
    """delta-rs reads the table all the time; each version it sees is a whole number of files."""
    project.define(RAW.replace("format =>", "maxFilesPerTrigger => 1, format =>"))
    for number in range(10):
        project.json_lines(f"in/{number}.json", [{"id": number * 100 + k, "name": "a"} for k in range(100)])
    process = project.start()
    seen = set()
    while process.poll() is None:
        if (project.table("raw") / "_delta_log").exists():
            try:
                seen.add(readers.delta_rs(project.table("raw")).num_rows)
            except Exception as error:  # the table may be about to be made
                assert any(words in str(error).lower() for words in ("not found", "no log", "no files in log", "not a delta table")), error
    assert process.returncode == 0
    assert all(rows % 100 == 0 for rows in seen), seen
    assert readers.delta_rs(project.table("raw")).num_rows == 1000
