"""Checkpoints that are not as they were: each file of one missing, empty, cut or garbage gives the right rows or a refusal, never doubled ones."""
import json
import shutil

import pytest

WAYS = {"missing": None, "empty": lambda b: b"", "cut": lambda b: b[: len(b) // 2], "garbage": lambda b: b"\xff\x00garbage"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["metadata", "offsets/0", "offsets/1", "commits/0", "commits/1", "sources/0/0", "sources/0/1"])
def test_a_damaged_checkpoint_never_doubles_or_loses_a_row(project, name, way):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    for number in range(2):
        project.json_lines(f"in/{number}.json", [{"id": number}])
        project.run().ok()
    (metadata,) = project.folder.rglob("_checkpoints/*/*/raw/raw/0/metadata")
    file = metadata.parent / name
    content = file.read_bytes()
    if way == "missing":
        file.unlink()
    else:
        file.write_bytes(WAYS[way](content))
    project.json_lines("in/2.json", [{"id": 2}])
    done = project.run()
    rows = sorted(id for id, in project.rows("SELECT id FROM raw"))
    if done.code == 0:
        assert rows == [0, 1, 2], done
    else:
        done.refused("error: .*checkpoint|error: .*file log", code=(1, 2))
        assert rows == [0, 1], done


def test_a_checkpoint_is_shown_and_completed_for_spark(project):
    for number in range(12):
        project.json_lines(f"in/{number:02}.json", [{"id": number}])
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1)",
                   "CREATE STREAMING TABLE other AS SELECT id FROM STREAM t")

    def show(*words):
        rows = [json.loads(line) for line in project.silt("checkpoint", *words, "--format", "json").ok().out.splitlines()]
        return [(row["flow"].split(".")[-1], row["last_batch"], row["source"], row["batches"], row["files"], row["spark_ready"]) for row in rows]

    assert show("show") == []
    project.run().ok()
    assert show("show", "t") == [("t", 11, 0, 12, 12, True)]
    assert show("show")[1][:1] + show("show")[1][2:] == ("other", None, None, None, True)
    (compact,) = (project.folder / "storage").rglob("sources/0/9.compact")
    lines = compact.read_text().splitlines()
    compact.unlink()  # as it is beyond 10,000 files: the tenth batch has its own files only
    compact.with_name("9.silt").write_text(f"v1\n{lines[-1]}")
    assert show("show", "default.t") == [("t", 11, 0, 12, 12, False)]
    assert show("export", "t") == [("t", 11, 0, 12, 12, True)]
    assert compact.read_text().splitlines() == lines
    project.silt("checkpoint", "export", "tt").refused('no table "tt"', 'Did you mean "t"')
    project.silt("checkpoint", "exprot").refused('Did you mean "export"')


STATE = "SELECT regexp_extract(path, '[^/]*$', 0), source_id, flow_name, ingestion_state FROM cloud_files_state({}) ORDER BY path"


def test_files_are_told_with_what_became_of_them(project):
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1)",
                   "CREATE STREAMING TABLE other AS SELECT id FROM STREAM t", "CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n FROM t")
    project.file("in/a b.json", '{"id":1}\n')
    project.expect(STATE.format("TABLE(t)"), [])  # nothing has run
    project.run().ok()
    project.json_lines("in/c.json", [{"id": 2}])
    project.run().ok()
    flow = "spark_catalog.default.t"
    rows = [("a%20b.json", "0", flow, "INGESTED"), ("c.json", "0", flow, "INGESTED")]
    project.expect(STATE.format("TABLE(t)"), rows)
    project.expect(STATE.format("TABLE(spark_catalog.default.t)"), rows)
    project.expect(STATE.format("TABLE(other)"), [])  # reads a table, no files
    (checkpoint,) = project.folder.rglob("_checkpoints/*/*/t/t/0")
    for path in (checkpoint, checkpoint.relative_to(project.folder), checkpoint.as_uri()):
        project.expect(STATE.format(f"'{path}'"), [(name, source, None, state) for name, source, _, state in rows])
    # times go on from step to step, by batch; the path is that of _metadata, the modification time too
    project.expect("SELECT count(*) FROM cloud_files_state(TABLE(t)) s JOIN read_files('in', format => 'json') f ON s.path = f._metadata.file_path"
                   " WHERE s.create_time = date_trunc('MILLISECOND', f._metadata.file_modification_time) AND create_time <= commit_time AND"
                   " discovery_time <= processed_time AND processed_time <= commit_time AND size IS NULL AND archive_time IS NULL AND archive_mode IS NULL"
                   " AND move_location IS NULL", [(2,)])
    project.expect("SELECT max_by(id, commit_time) FROM cloud_files_state(TABLE(t)) s JOIN read_files('in', format => 'json') f ON s.path = f._metadata.file_path", [(2,)])
    # the last batch as a crash before its commit leaves it, and as one before its offset
    (checkpoint / "commits/1").unlink()
    project.expect(STATE.format("TABLE(t)"), [rows[0], rows[1][:3] + ("PROCESSING",)])
    project.expect("SELECT count(commit_time), count(processed_time) FROM cloud_files_state(TABLE(t))", [(1, 2)])
    (checkpoint / "offsets/1").unlink()
    project.expect(STATE.format("TABLE(t)"), [rows[0], rows[1][:3] + (None,)])


def test_files_of_batches_that_the_checkpoint_has_dropped_are_still_told(project):
    for number in range(130):
        project.json_lines(f"in/{number:03}.json", [{"id": number}])
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1)")
    project.run().ok()
    project.expect("SELECT count(*), count(DISTINCT path), count_if(ingestion_state = 'INGESTED'), count(commit_time) FROM cloud_files_state(TABLE(t))",
                   [(130, 130, 130, 100)])
    project.expect("SELECT count_if(path LIKE '%/029.json') FROM cloud_files_state(TABLE(t)) WHERE commit_time IS NULL", [(1,)])


@pytest.mark.parametrize("call, patterns", [
    ("cloud_files_state(TABLE(tt))", ['1:39: .*no table "tt"', 'Did you mean "t"']),
    ("cloud_files_state(TABLE(v))", ["no streaming table"]),
    ("cloud_files_state('nowhere')", ["nowhere\" is no checkpoint"]),
    ("cloud_files_state(1)", ["needs a table or the folder of a checkpoint"]),
    ("STREAM cloud_files_state(TABLE(t))", ["leave STREAM out"]),
])
def test_state_of_files_that_cannot_be_told_is_refused(project, call, patterns):
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT')",
                   "CREATE MATERIALIZED VIEW v AS SELECT 1 AS one")
    project.sql(f"SELECT 1 FROM {call}").refused(*patterns)


def test_state_of_files_is_not_for_a_projects_own_queries(project):
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT')",
                   "CREATE MATERIALIZED VIEW v AS SELECT path FROM cloud_files_state(TABLE(t))")
    project.run().refused("in `silt sql`, not in a project's own queries")


@pytest.mark.parametrize("refreshed", [False, True])
def test_a_table_that_a_crash_left_without_a_batch_takes_the_shape_of_a_later_look(project, refreshed):
    """A crash between making, or emptying, a table and its first batch; then a file comes that changes what is inferred."""
    project.json_lines("in/a.json", [{"id": 1, "value": {"x": 1}}])
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.run().ok()
    if refreshed:
        project.run("--full-refresh", "t").ok()
    log = project.folder / "spark-warehouse/t/_delta_log"
    commits = sorted(log.glob("*.json"))
    assert len(commits) == (4 if refreshed else 2)
    commits[-1].unlink()  # that of the batch
    checkpoint = next(project.folder.rglob(f"_checkpoints/*/*/t/t/{int(refreshed)}"))
    for part in ("offsets", "commits", "sources", "_schemas"):
        shutil.rmtree(checkpoint / part)
    shutil.rmtree(project.folder / "spark-warehouse/t/_silt_sources")
    project.json_lines("in/b.json", [{"id": 2, "value": "text"}])
    project.silt("dry-run").ok()
    project.run().ok()
    project.expect("SELECT id, value FROM t ORDER BY id", [(1, '{"x": 1}'), (2, "text")])
    project.silt("audit", "t").ok()
    project.run().ok()
    project.expect("SELECT count(*) FROM t", [(2,)])


def test_a_table_with_rows_keeps_its_shape_though_its_checkpoint_has_no_batch(project):
    project.json_lines("in/a.json", [{"id": 1, "value": 1}])
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.run().ok()
    checkpoint = next(project.folder.rglob("_checkpoints/*/*/t/t/0"))
    for part in ("offsets", "commits", "sources", "_schemas"):
        shutil.rmtree(checkpoint / part)
    shutil.rmtree(project.folder / "spark-warehouse/t/_silt_sources")
    project.json_lines("in/b.json", [{"id": 2, "value": "text"}])
    assert project.run().code != 0
    project.expect("SELECT id, value FROM t", [(1, 1)])


def test_transactions_of_other_writers_tell_of_no_checkpoint(project):
    """kafka-delta-ingest and idempotent writes leave ids of their own in a table; only a streaming query's is one that has lost its checkpoint."""
    import deltalake
    import pyarrow
    project.json_lines("in/a.json", [{"id": 2}])
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    deltalake.write_deltalake(str(project.table("t")), pyarrow.table({"id": pyarrow.array([1], pyarrow.int64())}))
    commit = project.table("t") / "_delta_log/00000000000000000001.json"
    for app, accepted in (("c0ffee00-1234-4abc-8def-0123456789ab", False), ("my_app-0", True)):
        commit.write_text(json.dumps({"commitInfo": {"timestamp": 1, "operation": "WRITE"}}) + "\n" + json.dumps({"txn": {"appId": app, "version": 7}}) + "\n")
        done = project.run()
        done.ok() if accepted else done.refused("holds rows that no checkpoint", code=1)
    project.expect("SELECT id FROM t", [[1], [2]])
