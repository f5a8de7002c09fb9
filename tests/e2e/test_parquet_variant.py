"""VARIANT columns in Parquet files of others: marked as such or not, whole or shredded. The files of Spark 4.2 and its answers are in tests/data."""
import json
import random
import shutil

import duckdb
import pytest
import readers

FILES = {name: readers.DATA / f"{name}-spark-4.2.parquet" for name in ("variant", "variant-shredded")}
MARK, NO_MARK = b"\x5c\x0c\x20\x13\x01\x00\x00", b"\x5c\x0c\x7e\x13\x01\x00\x00"  # LogicalType.VARIANT, and a member that nobody knows
COLUMNS = {"variant": "id INT, v VARIANT, s STRUCT<v: VARIANT, i: INT>, a ARRAY<VARIANT>, m MAP<STRING, VARIANT>",
           "variant-shredded": "id INT, v VARIANT, s STRUCT<v: VARIANT, i: INT>"}


def answers(name):
    """Expressions, and Spark's schema and JSON of each by id."""
    recorded = json.loads((readers.DATA / f"{name}-spark-4.2.json").read_text())
    return recorded["exprs"], [tuple(row) for row in recorded["rows"]]


def expect_answers(project, name, table, times=1):
    expressions, rows = answers(name)
    asked = ", ".join(f"schema_of_variant({e}), to_json({e})" for e in expressions)
    assert project.rows(f"SELECT id, {asked} FROM {table} ORDER BY id") == [row for row in rows for _ in range(times)]


def unmarked(name):
    content = FILES[name].read_bytes()
    assert MARK in content and NO_MARK not in content
    return content.replace(MARK, NO_MARK)


def delta_table(project, name, content, features=()):
    """A Delta table of one file, as another writer leaves it."""
    project.sql(f"CREATE TABLE t ({COLUMNS[name]})").ok()
    add(project, "t", "part-0.parquet", content, features)
    return "t"


def add(project, table, name, content, features=(), partition=None):
    folder = project.table(table)
    (folder / name).write_bytes(content)
    lines = [{"add": {"path": name, "partitionValues": partition or {}, "size": len(content), "modificationTime": 1, "dataChange": True}}]
    if features:
        _, protocol = readers.actions(folder, "protocol")[-1]
        lines.insert(0, {"protocol": {**protocol, "readerFeatures": [*protocol["readerFeatures"], *features], "writerFeatures": [*protocol["writerFeatures"], *features]}})
    version = readers.commits(folder)[-1][0] + 1
    (folder / "_delta_log" / f"{version:020}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("name", FILES)
def test_files_of_spark_are_read_as_spark_reads_them(project, name):
    project.file("in/a.parquet", FILES[name].read_bytes())
    expect_answers(project, name, f"parquet.`{project.folder}/in/a.parquet`")
    expect_answers(project, name, "read_files('in', format => 'parquet')")
    project.expect(f"SELECT count(*) FROM parquet.`{project.folder}/in`", [(len(answers(name)[1]),)])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("mark", [True, False])
def test_delta_tables_have_them_marked_or_not(project, name, mark):
    features = ["variantShredding-preview"] if name == "variant-shredded" else []
    table = delta_table(project, name, FILES[name].read_bytes() if mark else unmarked(name), features)
    expect_answers(project, name, table)
    project.expect(f"SELECT count(*), max(s.i) FROM {table}", [(len(answers(name)[1]),) * 2])
    project.sql(f"INSERT INTO {table} SELECT * FROM {table}").ok()
    expect_answers(project, name, table, times=2)
    project.sql(f"OPTIMIZE {table}")  # where there is one
    expect_answers(project, name, table, times=2)


@pytest.mark.parametrize("name", FILES)
def test_pipelines_stream_them(project, name):
    features = ["variantShredding"] if name == "variant-shredded" else []
    delta_table(project, name, FILES[name].read_bytes(), features)
    project.file("in/a.parquet", FILES[name].read_bytes())
    project.define(f"CREATE STREAMING TABLE of_table AS SELECT * FROM STREAM delta.`{project.table('t')}`",
                   "CREATE STREAMING TABLE of_files AS SELECT *, _metadata.file_name AS file FROM STREAM read_files('in', format => 'parquet')",
                   "CREATE MATERIALIZED VIEW totals AS SELECT s.i % 2 AS odd, count(*) AS n FROM of_table GROUP BY 1")
    project.run().ok()
    for table in ("of_table", "of_files"):
        expect_answers(project, name, table)
    add(project, "t", "part-1.parquet", unmarked(name))
    project.file("in/b.parquet", FILES[name].read_bytes())
    project.file("in/c.parquet", unmarked(name))
    project.run().ok()
    expect_answers(project, name, "of_table", times=2)
    project.expect("SELECT file, count(*) FROM of_files GROUP BY file", [(f"{letter}.parquet", len(answers(name)[1])) for letter in "abc"])
    expect_answers(project, name, "of_files", times=3)
    for table in ("of_table", "of_files"):
        project.silt("audit", table).ok()


def test_copy_into_loads_them(project):
    project.file("in/a.parquet", FILES["variant"].read_bytes())
    project.sql(f"CREATE TABLE t ({COLUMNS['variant']})", "COPY INTO t FROM 'in' FILEFORMAT = PARQUET").ok()
    expect_answers(project, "variant", "t")


def test_an_unmarked_group_is_a_struct_and_a_variant_where_the_schema_says_so(project):
    project.file("in/a.parquet", unmarked("variant"))
    project.expect("SELECT id, typeof(v) FROM read_files('in', format => 'parquet') WHERE id = 5", [(5, "struct<value:binary,metadata:binary>")])
    project.expect("SELECT id, v::INT FROM read_files('in', format => 'parquet', schema => 'id INT, v VARIANT') WHERE id IN (1, 5)", [(1, None), (5, 1)])


@pytest.mark.parametrize("wanted", ["id INT", "id INT, v STRING, m INT"])
def test_a_variant_that_has_no_place_is_rescued_as_json(project, wanted):
    project.file("in/a.parquet", FILES["variant"].read_bytes())
    rows = dict(project.rows(f"SELECT id, _rescued_data FROM read_files('in', format => 'parquet', schema => '{wanted}', rescuedDataColumn => '_rescued_data')"))
    rescued = json.loads(rows[20])
    assert rescued["v"] == {"a": {"e": {}, "z": [1, "x", None, {"y": 2.5}]}, "b": 1, "c": []}
    assert rescued["s"] == {"v": rescued["v"], "i": 20} and rescued["a"] == [rescued["v"], None, rescued["v"]] and rescued["m"] == {"k": rescued["v"]}


@pytest.mark.parametrize("value, schema, text", [
    ("{'a': 1, 'b': [1.5, 2.5]}", "OBJECT<a: BIGINT, b: ARRAY<DECIMAL(2,1)>>", '{"a":1,"b":[1.5,2.5]}'), ("1", "BIGINT", "1"), ("'x'", "STRING", '"x"'), ("[1, 2]", "ARRAY<BIGINT>", "[1,2]")])
def test_files_of_duckdb_are_read(project, value, schema, text):
    duckdb.sql(f"COPY (SELECT 1 AS id, {value}::VARIANT AS v UNION ALL SELECT 2, 7::VARIANT) TO '{project.folder}/v.parquet'")
    project.expect(f"SELECT id, schema_of_variant(v), to_json(v) FROM parquet.`{project.folder}/v.parquet` ORDER BY id", [(1, schema, text), (2, "BIGINT", "7")])


def test_one_table_has_files_of_all_forms(project):
    project.sql("CREATE TABLE t (id INT, v VARIANT, s STRUCT<v: VARIANT, i: INT>, n VARIANT)", "INSERT INTO t VALUES (0, parse_json('[1]'), NULL, parse_json('2'))").ok()
    add(project, "t", "a.parquet", FILES["variant-shredded"].read_bytes(), ["variantShredding"])
    add(project, "t", "b.parquet", unmarked("variant-shredded"))
    add(project, "t", "c.parquet", FILES["variant"].read_bytes())
    project.expect("SELECT id, to_json(v), s.v:a::INT, n::INT FROM t WHERE id IN (0, 7) ORDER BY id, 2",
                   [(0, "[1]", None, 2), (7, "70000", None, None), (7, '{"a":1}', 1, None), (7, '{"a":1}', 1, None)])
    project.expect("SELECT count(*), count(v), count(n), count(DISTINCT id) FROM t", [(1 + 20 + 20 + 30, 1 + 19 + 19 + 29, 1, 31)])


def test_partition_values_go_with_their_files(project):
    project.sql("CREATE TABLE t (id INT, v VARIANT, p STRING) PARTITIONED BY (p)").ok()
    for number, name in enumerate(["variant", "variant-shredded", "variant"]):
        add(project, "t", f"{number}.parquet", FILES[name].read_bytes(), ["variantShredding"] if number == 1 else (), {"p": f"p{number}"})
    project.expect("SELECT p, count(v), min(id) FROM t GROUP BY p", [("p0", 29, 1), ("p1", 19, 1), ("p2", 29, 1)])
    project.expect("SELECT p, to_json(v) FROM t WHERE id = 7 ORDER BY p", [("p0", "70000"), ("p1", '{"a":1}'), ("p2", "70000")])
    project.expect("SELECT p, to_json(v) FROM t WHERE id = 7 AND p = 'p1'", [("p1", '{"a":1}')])


def test_nothing_is_left_behind_and_only_what_is_asked_for_is_copied(project, tmp_path):
    project.file("in/a.parquet", FILES["variant"].read_bytes())
    spare = tmp_path / "spare"
    spare.mkdir()
    env = {"TMPDIR": str(spare)}
    assert len(project.sql("SELECT v, a FROM read_files('in', format => 'parquet')", env=env).rows()) == 30
    assert len(project.sql("SELECT v FROM read_files('in', format => 'parquet') LIMIT 1", env=env).rows()) == 1
    project.sql("SELECT raise_error(to_json(v)) FROM read_files('in', format => 'parquet')", env=env).refused(code=1)
    assert list(spare.iterdir()) == []
    project.sql("SELECT v FROM read_files('in', format => 'parquet')", env={"TMPDIR": str(tmp_path / "nowhere")}).refused("TMPDIR says where", code=(1, 2))
    project.file("plain/a.parquet", shutil.copyfile(readers.DATA / "ts-int96.parquet", tmp_path / "x.parquet").read_bytes())
    project.sql("SELECT * FROM read_files('plain', format => 'parquet')", env={"TMPDIR": str(tmp_path / "nowhere")}).ok()  # no copy, so no place for one


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_an_error_and_never_a_crash(project, name):
    whole, dice = FILES[name].read_bytes(), random.Random(7)
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    for turn in range(25):
        bytes_ = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            bytes_[dice.randrange(4, len(whole)) if turn % 3 == 0 else dice.randrange(footer, len(whole))] ^= 1 << dice.randrange(8)
        project.file("in/a.parquet", bytes(bytes_))
        done = project.sql("SELECT * FROM read_files('in', format => 'parquet')")
        assert done.code in (0, 1, 2) and (done.code == 0 or "error: " in done.err), (turn, done)
    project.file("in/a.parquet", whole[:-9] + whole[-8:])
    assert project.sql("SELECT * FROM read_files('in', format => 'parquet')").code in (1, 2)
    project.file("in/a.parquet", whole[:600] + bytes(200) + whole[800:])
    project.sql("SELECT * FROM read_files('in', format => 'parquet')").refused(r"damaged: .*/in/a\.parquet|/in/a\.parquet.*damaged", code=1)
