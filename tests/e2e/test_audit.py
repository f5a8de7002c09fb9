"""`silt audit`: a table computed once more from what its own log names is equal to what it holds, or the rows that differ are shown."""
import json
import random
import shutil
import time

import pytest
import readers

RAW = "CREATE OR REFRESH STREAMING TABLE raw AS SELECT id, id % 3 AS part, current_timestamp() AS at FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 2, schema => 'id BIGINT')"
SUMS = "CREATE OR REFRESH MATERIALIZED VIEW sums AS SELECT part, count(*) AS n, sum(id) AS total FROM raw GROUP BY part"


def feed(project, first, count):
    for number in range(first, first + count):
        project.json_lines(f"in/{number:04}.json", [{"id": 10 * number + k} for k in range(10)])


def equal(project, table, batches=None):
    done = project.silt("audit", table)
    assert done.code == 0 and ": equal" in done.err and done.out == "", done
    assert batches is None or f" {batches} batch" in done.err, done
    return done


def difference(project, table):
    done = project.silt("audit", table, "--format", "json")
    assert done.code == 1, done
    return [json.loads(line) for line in done.out.splitlines()], done.err


def test_what_was_run_is_equal_batch_by_batch(project):
    project.define(RAW, SUMS)
    for first in range(0, 9, 3):
        feed(project, first, 3)
        project.run().ok()
    equal(project, "raw", batches=6)  # current_timestamp() is that of each batch
    equal(project, "sums", batches=1)
    assert not [path for path in (project.folder / "storage/_silt/audit").rglob("*") if path.is_file()]


def test_rows_that_others_wrote_and_deleted_are_shown(project):
    import pyarrow
    from deltalake import DeltaTable, write_deltalake
    project.define(RAW.replace(", current_timestamp() AS at", ""), SUMS)
    feed(project, 0, 4)
    project.run().ok()
    table = str(project.table("raw"))
    write_deltalake(table, pyarrow.table({"id": pyarrow.array([5, 777, 777]), "part": pyarrow.array([2, 0, 0])}), mode="append")
    DeltaTable(table).delete("id = 12")
    rows, err = difference(project, "raw")
    assert rows == [{"only_in": "table", "times": 1, "id": 5, "part": 2}, {"only_in": "table", "times": 2, "id": 777, "part": 0},
                    {"only_in": "recomputed", "times": 1, "id": 12, "part": 0}]
    assert "2 batches computed again, 40 rows; the table has 42: 3 rows are in the table only, 1 is missing from it" in err
    assert "note: version 3 (WRITE by" in err and "note: version 4 (DELETE by" in err
    equal(project, "sums")  # as of the version that it was computed from


def test_twenty_rows_of_each_side_are_shown(project):
    from deltalake import DeltaTable
    project.define(RAW)
    feed(project, 0, 6)
    project.run().ok()
    DeltaTable(str(project.table("raw"))).delete("id >= 10")
    rows, err = difference(project, "raw")
    assert len(rows) == 20 and "50 are missing from it" in err


def test_after_random_kills(project):
    dice = random.Random(3)
    project.define(RAW, SUMS,
                   "CREATE OR REFRESH STREAMING TABLE odd (CONSTRAINT is_odd EXPECT (id % 2 = 1) ON VIOLATION DROP ROW) TBLPROPERTIES ('silt.quarantine' = 'table') "
                   "AS SELECT id, current_timestamp() AS at, r.part, s.n FROM STREAM raw AS r LEFT JOIN names AS s ON r.part = s.part",
                   "CREATE OR REFRESH MATERIALIZED VIEW names AS SELECT part, count(*) AS n FROM json.`names` GROUP BY part")
    project.json_lines("names/0.json", [{"part": 0}, {"part": 1}])
    feed(project, 0, 2)
    begin = time.monotonic()
    project.run().ok()
    usual, fed = time.monotonic() - begin, 2
    for number in range(12):
        feed(project, fed, 3)
        fed += 3
        if number % 3 == 0:  # the static side moves on: each batch saw its own version
            project.json_lines(f"names/{number + 1}.json", [{"part": number % 2}])
        process = project.start()
        time.sleep(dice.uniform(0, 1.2 * usual))
        process.kill()
        process.wait()
        if (project.table("odd") / "_delta_log").exists():
            equal(project, "odd")
    project.run().ok()
    equal(project, "raw")
    done = equal(project, "odd")
    assert f"{5 * fed} rows refused by expectations" in done.err
    equal(project, "names")
    equal(project, "sums")


def test_files_that_are_gone_are_named(project):
    project.define(RAW)
    feed(project, 0, 3)
    project.run().ok()
    (project.folder / "in/0001.json").unlink()
    project.silt("audit", "raw").refused("flow .*raw.*, batch 0 .*files that were read are gone: file:.*/in/0001.json")


def test_a_file_that_has_changed_is_told(project):
    project.define(RAW)
    feed(project, 0, 1)
    project.run().ok()
    time.sleep(0.01)
    project.json_lines("in/0000.json", [{"id": 4711}])
    rows, err = difference(project, "raw")
    assert [row["id"] for row in rows if row["only_in"] == "recomputed"] == [4711]
    assert "note: 1 of the files have changed since they were read, first" in err and "in/0000.json" in err


def test_an_edited_query_is_told(project):
    project.define(RAW, SUMS)
    feed(project, 0, 1)
    project.run().ok()
    project.define(RAW.replace("id % 3", "id % 2"), SUMS)
    _, err = difference(project, "raw")
    assert "note: the query has been edited since 1 of 1 batches were made" in err


def test_a_full_refresh_begins_anew(project):
    project.define(RAW)
    feed(project, 0, 4)
    project.run().ok()
    (project.folder / "in/0000.json").unlink()
    project.run("--full-refresh", "raw").ok()
    equal(project, "raw", batches=2)


def test_several_flows_and_one_that_runs_once(project):
    project.define("CREATE OR REFRESH STREAMING TABLE raw",
                   "CREATE FLOW a AS INSERT INTO raw BY NAME SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')",
                   "CREATE FLOW b AS INSERT INTO raw BY NAME SELECT id, 'b' AS name FROM STREAM read_files('other', format => 'json', schema => 'id BIGINT')",
                   "CREATE FLOW c AS INSERT INTO ONCE raw BY NAME SELECT id FROM read_files('old', format => 'json', schema => 'id BIGINT')")
    feed(project, 0, 2)
    project.json_lines("other/x.json", [{"id": 1000}])
    project.json_lines("old/y.json", [{"id": -1}])
    project.run().ok()
    feed(project, 2, 1)
    project.json_lines("old/z.json", [{"id": -2}])  # came after the flow had run
    project.run().ok()
    equal(project, "raw", batches=4)


def test_without_a_checkpoint(project):
    project.define(RAW)
    feed(project, 0, 3)
    project.run().ok()
    shutil.rmtree(project.folder / "storage")
    equal(project, "raw", batches=2)


def test_many_files_are_found_in_the_manifest(project):
    project.define(RAW.replace("maxFilesPerTrigger => 2", "maxFilesPerTrigger => 1000"))
    feed(project, 0, 130)
    project.run().ok()
    equal(project, "raw", batches=1)
    (manifest,) = (project.table("raw") / "_silt_sources").rglob("0.json")
    manifest.unlink()
    project.silt("audit", "raw").refused("which names the files of the batch, is gone")


def test_all_kinds_of_values(project):
    project.define("""CREATE OR REFRESH STREAMING TABLE raw PARTITIONED BY (k) AS SELECT *, parse_json(v) AS parsed, _metadata.file_name AS f
        FROM STREAM read_files('in', format => 'json', schema => 'k STRING, d DOUBLE, f4 FLOAT, s STRUCT<a: INT, b: ARRAY<DOUBLE>>,
            m MAP<STRING, INT>, t TIMESTAMP, n TIMESTAMP_NTZ, x DECIMAL(30,3), y BINARY, v STRING')""")
    project.file("in/a.json", '{"k":"a b/%","d":-0.0,"f4":"NaN","s":{"a":null,"b":[-0.0,null]},"m":{"z":1,"a":2},"t":"2026-01-01T00:00:00+02:00",'
                              '"n":"2026-01-01 00:00:00","x":123456789012345678901234567.125,"y":"AAE=","v":"{\\"q\\":[1,2.50]}"}\n'
                              '{"k":null,"d":0.0,"s":{},"m":{},"v":"1"}\n{}\n{}\nbroken\n')
    project.run().ok()
    done = equal(project, "raw")
    assert "1 undecodable record" in done.err


@pytest.mark.parametrize("table, column, values", [("floats", "DOUBLE", ("-0.0", "0.0")), ("lists", "ARRAY<INT>", ("[]", "null")), ("inner", "ARRAY<DOUBLE>", ("[0.0]", "[-0.0]")),
                                                   ("structs", "STRUCT<a: INT>", ("{}", "null")), ("maps", "MAP<STRING, INT>", ('{"a":1}', '{"a":2}'))])
def test_values_that_look_alike_are_told_apart(project, table, column, values):
    """A file written by somebody with one value for the other."""
    import pyarrow
    from deltalake import write_deltalake
    project.define(f"CREATE OR REFRESH STREAMING TABLE {table} AS SELECT x FROM STREAM read_files('in', format => 'json', schema => 'x {column}')")
    project.file("in/a.json", '{"x":%s}\n' % values[0])
    project.file("in/b.json", '{"x":%s}\n' % values[1])
    project.run().ok()
    equal(project, table)
    path = project.table(table)
    first = readers.delta_rs(path).slice(0, 1)  # twice, in the place of both rows
    write_deltalake(str(path), pyarrow.concat_tables([first, first]), mode="overwrite")
    rows, _ = difference(project, table)
    assert [(row["only_in"], row["times"]) for row in rows] == [("table", 1), ("recomputed", 1)]


def test_what_cannot_be_computed_again_is_refused(project):
    project.define("CREATE OR REFRESH STREAMING TABLE dice AS SELECT id, rand() AS r FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')",
                   "CREATE OR REFRESH STREAMING TABLE few AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT') LIMIT 5",
                   "CREATE OR REFRESH MATERIALIZED VIEW files AS SELECT count(*) AS n FROM json.`in`", "CREATE TEMPORARY VIEW tv AS SELECT 1 AS x")
    feed(project, 0, 1)
    project.run().ok()
    project.silt("audit", "dice").refused("another value at each call")
    project.silt("audit", "few").refused("has a LIMIT")
    equal(project, "files")
    feed(project, 1, 1)
    project.silt("audit", "files").refused("have changed since the view was computed", "silt run")
    project.silt("audit", "nope").refused('no table "nope"')
    project.silt("audit", "tv").refused("no rows of its own")


def test_a_batch_of_spark_is_named(project):
    project.define(RAW)
    feed(project, 0, 2)
    project.run().ok()
    path = project.table("raw") / "_delta_log" / f"{1:020}.json"
    lines = path.read_text().splitlines()
    commit = json.loads(lines[0])
    del commit["commitInfo"]["readSources"]
    commit["commitInfo"]["engineInfo"] = "Apache-Spark/4.1.0 Delta-Lake/4.1.0"
    path.write_text("\n".join([json.dumps(commit), *lines[1:]]) + "\n")
    project.silt("audit", "raw").refused("version 1 of table .*raw.* was written by Apache-Spark/4.1.0 Delta-Lake/4.1.0, which does not say what it read")


def test_what_a_killed_audit_left_is_no_row(project):
    project.define(RAW)
    feed(project, 0, 2)
    project.run().ok()
    shadow = project.folder / "storage/_silt/audit/spark_catalog.default.raw"
    shutil.copytree(project.table("raw"), shadow)
    equal(project, "raw", batches=1)
    assert not list(shadow.rglob("*.parquet"))


def test_many_differing_rows_are_counted_exactly(project):
    """More than are compared at a time."""
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT id, 1 AS x FROM STREAM read_files('in', format => 'csv', schema => 'id BIGINT')")
    project.file("in/a.csv", "".join(f"{n}\n" for n in range(200_000)))
    project.run().ok()
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT id, CAST(id + 2 AS INT) AS x FROM STREAM read_files('in', format => 'csv', schema => 'id BIGINT')")
    rows, err = difference(project, "t")
    assert "200000 rows are in the table only, 200000 are missing from it" in err
    assert [(row["only_in"], row["times"]) for row in rows] == [("table", 1)] * 20 + [("recomputed", 1)] * 20
    assert rows == difference(project, "t")[0], "other rows are shown the second time"


def test_a_table_with_column_mapping(project):
    project.define("CREATE OR REFRESH STREAMING TABLE t TBLPROPERTIES ('delta.columnMapping.mode' = 'name') "
                   "AS SELECT id AS `the id` FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    feed(project, 0, 2)
    project.run().ok()
    equal(project, "t", batches=1)
