"""CREATE TABLE, INSERT and ALTER TABLE in `silt sql`: plain Delta tables that other readers read."""
from concurrent.futures import ThreadPoolExecutor

import pytest
import readers
from deltalake import DeltaTable

MAPPED = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"


def test_a_table_is_made_and_filled(project):
    project.sql("CREATE TABLE t (id BIGINT NOT NULL, day DATE, n DECIMAL(5,2) COMMENT 'money') USING DELTA PARTITIONED BY (day) COMMENT 'a table'").ok()
    project.sql("INSERT INTO t VALUES (1, '2026-01-01', 1.5), (2, NULL, NULL)").ok()
    project.sql("INSERT INTO t (n, id) SELECT '7.255', 3").ok()
    project.sql("INSERT INTO t BY NAME SELECT 2.5 AS n, 4 AS id").ok()
    table = DeltaTable(str(project.table("t")))
    rows = sorted((row["id"], str(row["day"]), str(row["n"])) for row in readers.delta_rs(project.table("t")).to_pylist())
    assert rows == [(1, "2026-01-01", "1.50"), (2, "None", "None"), (3, "None", "7.26"), (4, "None", "2.50")]
    assert table.metadata().partition_columns == ["day"] and table.metadata().description == "a table"
    assert [info["operation"] for info in reversed(table.history())] == ["CREATE TABLE", "WRITE", "WRITE", "WRITE"]
    project.sql("CREATE TABLE IF NOT EXISTS t (other INT)").ok()
    assert project.rows("SELECT count(*) FROM t") == [(4,)]


def test_no_rows_make_no_commit(project):
    project.sql("CREATE TABLE t (id INT)").ok()
    assert project.sql("INSERT INTO t SELECT id FROM range(5)").ok().out == "", "as Spark: rows of a script are those of its queries"
    project.sql("INSERT INTO t SELECT id FROM range(0)").ok()
    assert DeltaTable(str(project.table("t"))).version() == 1, "no rows, no commit"


def test_overwrite_replaces_what_the_query_reads(project):
    project.sql("CREATE TABLE t (id INT)").ok()
    project.sql("INSERT INTO t VALUES (1), (2), (3); INSERT OVERWRITE t SELECT id * 10 FROM t WHERE id > 1").ok()
    assert project.rows("SELECT id FROM t ORDER BY id") == [(20,), (30,)]
    assert project.rows("SELECT id FROM t VERSION AS OF 1 ORDER BY id") == [(1,), (2,), (3,)]


def test_a_renamed_column_keeps_its_rows_and_a_new_one_of_an_old_name_has_none(project):
    project.sql(f"CREATE TABLE t (id INT, s STRUCT<a: INT>, p STRING) PARTITIONED BY (p) {MAPPED}").ok()
    project.sql("INSERT INTO t VALUES (1, named_struct('a', 5), 'x')").ok()
    project.sql("ALTER TABLE t RENAME COLUMN s.a TO b; ALTER TABLE t RENAME COLUMN p TO q; ALTER TABLE t RENAME COLUMN id TO ID").ok()
    project.sql("INSERT INTO t VALUES (2, named_struct('b', 6), 'y')").ok()
    assert project.rows("SELECT ID, s.b, q FROM t ORDER BY ID") == [(1, 5, "x"), (2, 6, "y")]
    project.sql("ALTER TABLE t ADD COLUMNS (n INT, s.c STRING COMMENT 'inside'); INSERT INTO t VALUES (3, named_struct('b', 7, 'c', 'z'), 'z', 70)").ok()
    project.sql("ALTER TABLE t DROP COLUMN n; ALTER TABLE t ADD COLUMN n INT").ok()
    assert project.rows("SELECT ID, s.c, n FROM t ORDER BY ID") == [(1, None, None), (2, None, None), (3, "z", None)]
    _, metadata = readers.actions(project.table("t"), "metaData")[-1]
    assert metadata["partitionColumns"] == ["q"] and metadata["configuration"]["delta.columnMapping.maxColumnId"] == "7"
    project.sql("ALTER TABLE t DROP COLUMNS IF EXISTS (n, nope)").ok()
    assert "no column \"nope\"" in project.sql("ALTER TABLE t DROP COLUMN nope").err


def test_properties_are_set_and_taken_away(project):
    project.sql("CREATE TABLE t (id INT) TBLPROPERTIES ('a' = '1')").ok()
    project.sql("ALTER TABLE t SET TBLPROPERTIES ('b' = '2', 'delta.APPENDONLY' = 'false'); ALTER TABLE t UNSET TBLPROPERTIES ('a')").ok()
    assert readers.actions(project.table("t"), "metaData")[-1][1]["configuration"] == {"b": "2", "delta.appendOnly": "false"}
    project.sql("ALTER TABLE t SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name'); INSERT INTO t VALUES (1); ALTER TABLE t RENAME COLUMN id TO k").ok()
    assert project.rows("SELECT k FROM t") == [(1,)]


@pytest.mark.parametrize("statement, place, text", [
    ("INSERT INTO t VALUES (1)", "-c:1:15:", "the query gives 1 column for 2 of"),
    ("INSERT INTO t VALUES (NULL, 'a')", "-c:1:13:", "is NOT NULL, and 1 rows have NULL in it"),
    ("INSERT INTO t (s) VALUES ('a')", "-c:1:19:", "is NOT NULL and gets no value"),
    ("INSERT INTO t BY NAME SELECT 1 AS id, 2 AS nope", "-c:1:39:", 'no column "nope"'),
    ("INSERT INTO t (id, nope) VALUES (1, 2)", "-c:1:20:", 'no column "nope"'),
    ("INSERT INTO t (id, ID) VALUES (1, 2)", "-c:1:20:", 'column "ID" is given twice'),
    ("INSERT INTO t SELECT 3000000000, 'a'", "-c:1:22:", "does not fit int"),
    ("INSERT INTO t SELECT 'x', 'a'", "-c:1:22:", 'cannot cast "x" to int'),
    ("INSERT INTO t SELECT 1, 'a' UNION ALL SELEC", "-c:1:39:", "error"),
    ("INSERT INTO nosuch VALUES (1)", "-c:1:13:", "there is no Delta table"),
    ("INSERT INTO t PARTITION (id = 1) SELECT 1", "-c:1:15:", "INSERT .. PARTITION"),
    ("CREATE TABLE t (id INT)", "-c:1:14:", "is there already"),
    ("CREATE TABLE u", "-c:1:14:", "a table needs columns"),
    ("CREATE TABLE u (a INT, A INT)", "-c:1:24:", "error"),
    ("CREATE TABLE u (a MAP<STRING, STRUCT<b: INT NOT NULL>>)", "-c:1:17:", "NOT NULL inside of arrays and maps"),
    ("ALTER TABLE t ADD COLUMN a ARRAY<STRUCT<b: INT NOT NULL>>", "-c:1:26:", "NOT NULL inside of arrays and maps"),
    ("CREATE TABLE u (a INT) USING parquet", "-c:1:30:", "Write USING DELTA"),
    ("CREATE TABLE u (a INT) PARTITIONED BY (b)", "-c:1:40:", 'no column "b" to partition by'),
    ("CREATE TABLE u (a INT DEFAULT 5)", "-c:1:17:", "DEFAULT"),
    ("CREATE TABLE u AS SELECT 1 AS a", "-c:1:16:", "AS SELECT"),
    ("ALTER TABLE t RENAME COLUMN s TO u", "-c:1:29:", "delta.columnMapping.mode"),
    ("ALTER TABLE t DROP COLUMN s", "-c:1:27:", "delta.columnMapping.mode"),
    ("ALTER TABLE t ADD COLUMN ID INT", "-c:1:26:", 'a column "id" is there already'),
    ("ALTER TABLE t ADD COLUMN n INT NOT NULL", "-c:1:26:", "as NOT NULL"),
    ("ALTER TABLE t ADD COLUMN s.n INT", "-c:1:28:", "is no struct"),
    ("ALTER TABLE t ADD COLUMN n INT FIRST", "-c:1:32:", "the place of a new column"),
    ("ALTER TABLE t ALTER COLUMN id COMMENT 'x'", "-c:1:1:", "ALTER TABLE of this form"),
    ("ALTER TABLE t ALTER COLUMN id TYPE BIGINT", "-c:1:28:", "delta.enableTypeWidening"),
    ("ALTER TABLE t SET TBLPROPERTIES ('delta.nope' = '1')", "-c:1:34:", 'unknown table property "delta.nope"'),
    ("ALTER TABLE t UNSET TBLPROPERTIES ('nope')", "-c:1:36:", "UNSET TBLPROPERTIES IF EXISTS"),
])
def test_a_mistake_is_told_at_its_place_and_nothing_is_done(project, statement, place, text):
    project.sql("CREATE TABLE t (id INT NOT NULL, s STRING); INSERT INTO t VALUES (7, 'kept')").ok()
    done = project.sql(statement)
    assert done.code != 0 and place in done.err and text in done.err, done.err
    assert project.rows("SELECT * FROM t") == [(7, "kept")]
    assert DeltaTable(str(project.table("t"))).version() == 1
    assert not project.table("u").exists()


def test_a_table_of_the_pipeline_is_its_own(project):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    project.run().ok()
    for statement in ("INSERT INTO t VALUES (2)", "ALTER TABLE t ADD COLUMN n INT"):
        assert "belongs to the pipeline" in project.sql(statement).err
    project.silt("sql", "--allow-managed-writes", "-c", "INSERT INTO t VALUES (2)").ok()
    assert project.rows("SELECT id FROM t ORDER BY id") == [(1,), (2,)]
    project.define("INSERT INTO t VALUES (1)", file="b.sql")
    assert "INSERT INTO" in project.silt("dry-run").err


def at_once(project, *scripts):
    """Each in a process of its own, all of them at the same time."""
    with ThreadPoolExecutor(len(scripts)) as pool:
        return list(pool.map(lambda script: project.sql(script), scripts))


def test_of_tables_made_at_once_one_wins(project):
    for turn in range(5):
        table = f"t{turn}"
        done = at_once(project, *(f"CREATE TABLE {table} (c{k} INT) TBLPROPERTIES ('by' = '{k}')" for k in range(6)))
        assert sorted(one.code != 0 for one in done) == [False] + [True] * 5
        assert all("is there already" in one.err for one in done if one.code), [one.err for one in done]
        winner = [one.code for one in done].index(0)
        (_, metadata), = readers.actions(project.table(table), "metaData")
        assert f'"name":"c{winner}"' in metadata["schemaString"] and metadata["configuration"] == {"by": str(winner)}


def test_tables_made_at_once_if_not_exists_are_one(project):
    for turn in range(5):
        for one in at_once(project, *(f"CREATE TABLE IF NOT EXISTS t{turn} (id INT); INSERT INTO t{turn} VALUES ({k})" for k in range(6))):
            one.ok()
        assert len(readers.actions(project.table(f"t{turn}"), "metaData")) == 1
        assert project.rows(f"SELECT id FROM t{turn} ORDER BY id") == [(k,) for k in range(6)]


def test_inserts_of_several_processes_are_all_there_once(project):
    project.json_lines("in/a.json", [{"id": -1}, {"id": -2}])
    project.sql("CREATE TABLE t (id INT) TBLPROPERTIES ('delta.checkpointInterval' = '7')").ok()
    scripts = [";".join(f"INSERT INTO t VALUES ({100 * k + n}), ({100 * k + n + 50})" for n in range(8)) for k in range(1, 5)]
    copies = ";".join(["COPY INTO t FROM 'in' FILEFORMAT = JSON"] * 3)
    for one in at_once(project, *scripts, copies):
        one.ok()
    want = sorted([-1, -2, *(100 * k + n + more for k in range(1, 5) for n in range(8) for more in (0, 50))])
    assert [id for (id,) in project.rows("SELECT id FROM t ORDER BY id")] == want
    assert sorted(id for (id,) in readers.delta_rs_rows(project.table("t"), "id")) == want
    assert not list((project.table("t") / "_silt_copy").rglob("*.parquet")), "nothing is left where files were staged"


def test_statements_that_read_their_table_at_once_miss_nothing(project):
    """Each adds one to what it finds: done one after the other or tried again, never over a version that is past."""
    project.sql("CREATE TABLE t (n INT); INSERT INTO t VALUES (0)").ok()
    for one in at_once(project, *(["INSERT OVERWRITE t SELECT n + 1 FROM t; " * 3] * 4)):
        one.ok()
    assert project.rows("SELECT n FROM t") == [(12,)]


def test_not_null_holds_inside_of_structs_and_of_types_without_statistics(project):
    project.sql("CREATE TABLE t (id INT, s STRUCT<a: INT NOT NULL, b: STRUCT<c: STRING NOT NULL, l: ARRAY<INT> NOT NULL>>, v VARIANT NOT NULL)").ok()
    good = "named_struct('a', 1, 'b', named_struct('c', 'x', 'l', array(1)))"
    project.sql(f"INSERT INTO t SELECT 1, {good}, parse_json('1')").ok()
    for values, column in ((f"{good.replace('1,', 'NULL,', 1)}, parse_json('1')", "s.a"), (good.replace("'x'", "NULL") + ", parse_json('1')", "s.b.c"),
                           (good.replace("array(1)", "NULL") + ", parse_json('1')", "s.b.l"), (f"{good}, NULL", "v"), ("NULL, parse_json('1')", "s.a"),
                           ("named_struct('a', 1, 'b', NULL), parse_json('1')", "s.b.c")):
        done = project.sql(f"INSERT INTO t SELECT 2, {values}")
        assert done.code != 0 and f'"{column}" of' in done.err and "is NOT NULL" in done.err, (values, done.err)
    project.sql(f"INSERT INTO t SELECT id, IF(id > 0, {good}, {good}), v FROM t").ok()
    assert project.rows("SELECT count(*), count(s.a) FROM t") == [(2, 2)]


def test_a_table_made_for_a_query_allows_null_inside_of_its_columns(project):
    """Whatever this query gives: the next one may give something else (Delta's writer does the same)."""
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE MATERIALIZED VIEW v AS SELECT named_struct('a', 1, 'l', array(1), 'm', map('k', 1)) AS s",
                   "CREATE STREAMING TABLE t AS SELECT named_struct('a', 1) AS s FROM STREAM read_files('in', format => 'json', schema => 'id INT')")
    project.run().ok()
    for table in ("v", "t"):
        text = readers.actions(project.table(table), "metaData")[-1][1]["schemaString"]
        assert '"nullable":false' not in text and 'ContainsNull":false' not in text and 'containsNull":false' not in text, text
    project.define("CREATE STREAMING TABLE d (s STRUCT<a: INT NOT NULL>) AS SELECT named_struct('a', id) AS s FROM STREAM read_files('in', format => 'json', schema => 'id INT')")
    project.run().refused(r'"s\.a" is declared NOT NULL, but the query may give NULL')
