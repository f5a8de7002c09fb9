"""Parquet files as a source: several in a batch, of several schemas, from several writers."""
import datetime
import json
from decimal import Decimal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest


def write(project, name, query):
    path = project.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def define(project, rest=""):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT *, _metadata.file_name AS file FROM STREAM read_files('in', format => 'parquet'{rest})")


def test_files_of_one_schema_are_read_in_one_batch_each_row_with_its_file(project):
    for number in range(5):
        write(project, f"in/{number}.parquet", f"SELECT {number}::BIGINT AS id")
    define(project)
    project.run().ok()
    assert project.rows("SELECT id, file FROM raw ORDER BY id") == [(n, f"{n}.parquet") for n in range(5)]


def test_files_of_several_schemas_are_read_in_one_batch(project):
    write(project, "in/a.parquet", "SELECT 1::BIGINT AS id, 'x' AS name")
    write(project, "in/b.parquet", "SELECT 'y' AS NAME, 2::INT AS id")
    write(project, "in/c.parquet", "SELECT 3::BIGINT AS id, 1.5::DOUBLE AS more")
    write(project, "in/d.parquet", "SELECT 4::BIGINT AS id, 'none' AS name WHERE false")
    define(project, ", schema => 'id BIGINT, name STRING, more DOUBLE'")
    project.run().ok()
    assert project.rows("SELECT id, name, more FROM raw ORDER BY id") == [(1, "x", None), (2, "y", None), (3, None, 1.5)]


def test_a_file_whose_name_is_a_pattern_is_itself(project):
    write(project, "in/a1.parquet", "SELECT 1::BIGINT AS id")
    write(project, "in/a[1].parquet", "SELECT 2::BIGINT AS id")
    write(project, "in/a*.parquet", "SELECT 3::BIGINT AS id")
    define(project)
    project.run().ok()
    assert project.rows("SELECT id, file FROM raw ORDER BY id") == [(1, "a1.parquet"), (2, "a[1].parquet"), (3, "a*.parquet")]


def test_unsigned_integers_keep_their_value(project):
    write(project, "in/a.parquet", "SELECT 255::UTINYINT AS a, 65535::USMALLINT AS b, 4294967295::UINTEGER AS c, 18446744073709551615::UBIGINT AS d")
    define(project)
    project.run().ok()
    assert project.rows("SELECT a, b, c, d FROM raw") == [(255, 65535, 4294967295, 18446744073709551615)]


def test_a_thousand_folders_of_a_partition_column_are_one_scan(project):
    write(project, "one.parquet", "SELECT 1::BIGINT AS id")
    content = (project.folder / "one.parquet").read_bytes()
    folders = [f"{n}" for n in range(1000)] + ["__HIVE_DEFAULT_PARTITION__"]
    for number in folders:
        project.file(f"in/n={number}/a.parquet", content)
    define(project, ", schema => 'id BIGINT, n INT', maxFilesPerTrigger => 2000")
    project.run().ok()
    assert project.rows("SELECT count(*), count(n), count(DISTINCT n), sum(n), min(file) FROM raw") == [(1001, 1000, 1000, 499500, "a.parquet")]


def test_new_fields_inside_of_columns_widen_the_table_in_the_same_run(project):
    write(project, "in/a.parquet", "SELECT {'x': 1} AS s, [{'k': 1}] AS l, MAP {'m': {'v': 1}} AS m")
    define(project)
    project.run().ok()
    write(project, "in/b.parquet", "SELECT {'y': 'new', 'x': 2} AS s, [{'n': 3, 'k': 2}] AS l, MAP {'m': {'v': 2, 'w': 4}} AS m, 5 AS added")
    project.run().ok()
    assert project.rows("SELECT s.x, s.y, l[0].k, l[0].n, m['m'].v, m['m'].w, added FROM raw ORDER BY 1") == [
        (1, None, 1, None, 1, None, None), (2, "new", 2, 3, 2, 4, 5)]


def test_an_instant_without_a_zone_is_in_utc_also_inside_of_structs_lists_and_maps(project):
    moment = "TIMESTAMP '2026-01-01 12:00:00'"
    write(project, "in/a.parquet", f"SELECT {moment} AS t, {{'t': {moment}}} AS s, [{moment}, NULL] AS l, MAP {{'k': {moment}}} AS m, [{{'t': {moment}}}, NULL] AS d")
    write(project, "in/b.parquet", "SELECT NULL::TIMESTAMP AS t, NULL::STRUCT(t TIMESTAMP) AS s, NULL::TIMESTAMP[] AS l, NULL::MAP(VARCHAR, TIMESTAMP) AS m, "
                                   "NULL::STRUCT(t TIMESTAMP)[] AS d")
    schema = "t TIMESTAMP, s STRUCT<t: TIMESTAMP>, l ARRAY<TIMESTAMP>, m MAP<STRING, TIMESTAMP>, d ARRAY<STRUCT<t: TIMESTAMP>>"
    query = (f"SELECT unix_seconds(t), unix_seconds(s.t), unix_seconds(l[0]), size(l), unix_seconds(m['k']), unix_seconds(d[0].t), d[1] IS NULL "
             f"FROM read_files('in', format => 'parquet', schema => '{schema}') ORDER BY 1 NULLS LAST")
    noon = 1767268800
    for zone in ("UTC", "America/New_York"):
        assert project.rows(query, zone=zone) == [(noon, noon, noon, 2, noon, noon, True), (None, None, None, None, None, None, True)]


def rescued(rows):
    """The rows with their last column as what its JSON holds, the file by its name."""
    found = []
    for row in rows:
        data = json.loads(row[-1], parse_float=Decimal) if row[-1] else None
        if data:
            assert data["_file_path"].startswith("file:///")
            data["_file_path"] = data["_file_path"].rpartition("/")[2]
        found.append((*row[:-1], data))
    return found


def test_what_does_not_fit_is_rescued_with_its_exact_value(project):
    write(project, "in/a.parquet", "SELECT 'no' AS id, 12345678901234567890.12345::DECIMAL(38,5) AS d, TIMESTAMPTZ '2026-01-01 12:00:00.123456+00' AS t, "
                                   "'\\x00\\xFF'::BLOB AS b, 'NaN'::DOUBLE AS f, 9007199254740993 AS l, [{'k': DATE '2026-01-01'}] AS a, MAP {'m': 1.5} AS m, 'x' AS name")
    write(project, "in/b.parquet", "SELECT NULL::VARCHAR AS id, 'y' AS name")
    write(project, "in/c.parquet", "SELECT 3::BIGINT AS id, 'z' AS name")
    rows = project.rows("SELECT id, name, r FROM read_files('in', format => 'parquet', schema => 'id BIGINT, name STRING', rescuedDataColumn => 'r') ORDER BY name",
                        zone="America/New_York")
    assert rescued(rows) == [
        (None, "x", {"id": "no", "d": Decimal("12345678901234567890.12345"), "t": "2026-01-01T12:00:00.123456Z", "b": "AP8=", "f": "NaN", "l": 9007199254740993,
                     "a": [{"k": "2026-01-01"}], "m": {"m": Decimal("1.5")}, "_file_path": "a.parquet"}),
        (None, "y", None), (3, "z", None)]


def test_a_name_in_another_case_is_rescued_unless_the_reader_knows_no_case(project):
    write(project, "in/a.parquet", "SELECT 1::BIGINT AS ID, {'K': 1, 'v': 2} AS s")
    query = "SELECT id, s.k, s.v, r FROM read_files('in', format => 'parquet', schema => 'id BIGINT, s STRUCT<k: INT, v: INT>', rescuedDataColumn => 'r'%s)"
    assert rescued(project.rows(query % "")) == [(None, None, 2, {"ID": 1, "s": {"K": 1}, "_file_path": "a.parquet"})]
    assert project.rows(query % ", readerCaseSensitive => false") == [(1, 1, 2, None)]
    assert project.rows("SELECT id, s.k FROM read_files('in', format => 'parquet', schema => 'id BIGINT, s STRUCT<k: INT, v: INT>')") == [(1, 1)]


def test_of_names_that_differ_by_case_in_one_file_each_has_its_own_value(project):
    both = pa.struct([("y", pa.int32()), ("Y", pa.string())])
    table = pa.table({"a": pa.array([1], pa.int32()), "A": pa.array(["x"]), "s": pa.array([{"y": 1, "Y": "z"}], both), "l": pa.array([[{"y": 2, "Y": "w"}]], pa.list_(both))})
    (project.folder / "in").mkdir()
    pq.write_table(table, project.folder / "in/a.parquet")
    pq.write_table(table, project.folder / "in/b.parquet")
    assert rescued(project.rows("SELECT a, s.y, l[0].y, _rescued_data FROM read_files('in')"))[0] == (
        1, 1, 2, {"A": "x", "s": {"Y": "z"}, "l": [{"y": 2, "Y": "w"}], "_file_path": "a.parquet"})
    query = "SELECT A, s.Y, l[0].Y FROM read_files('in', schema => 'A STRING, s STRUCT<Y: STRING>, l ARRAY<STRUCT<Y: STRING>>')"
    assert project.rows(query) == [("x", "z", "w")] * 2
    project.silt("sql", "-c", "SELECT * FROM parquet.`in`").refused("differ by case only", "rescuedDataColumn")


def test_new_columns_join_the_table_or_are_rescued_as_the_mode_says(project):
    modes = ["addNewColumns", "rescue"]
    for mode in modes:
        write(project, f"{mode}/a.parquet", "SELECT 1 AS id, {'x': 1} AS s")
        project.define(f"CREATE OR REFRESH STREAMING TABLE t{mode} AS SELECT * FROM STREAM read_files('{mode}', format => 'parquet', schemaEvolutionMode => '{mode}')",
                       file=f"{mode}.sql")
    project.run().ok()
    for mode in modes:
        write(project, f"{mode}/b.parquet", "SELECT 'two' AS id, {'x': 2, 'y': 3} AS s, 4 AS more")
    project.run().ok()
    bad = {"id": "two", "_file_path": "b.parquet"}
    assert rescued(project.rows("SELECT id, s.x, s.y, more, _rescued_data FROM taddNewColumns ORDER BY s.x")) == [(1, 1, None, None, None), (None, 2, 3, 4, bad)]
    assert rescued(project.rows("SELECT id, s.x, _rescued_data FROM trescue ORDER BY s.x")) == [
        (1, 1, None), (None, 2, {"id": "two", "s": {"y": 3}, "more": 4, "_file_path": "b.parquet"})]


def test_a_new_column_fails_the_run_when_it_is_asked_to(project):
    write(project, "in/a.parquet", "SELECT 1 AS id")
    define(project, ", schemaEvolutionMode => 'failOnNewColumns'")
    project.run().ok()
    write(project, "in/b.parquet", "SELECT 2 AS id, 3 AS more")
    project.run().refused('new columns in the files: "more"', code=1)
    assert project.rows("SELECT id, _rescued_data FROM raw") == [(1, None)]


def test_a_field_of_an_array_is_rescued_with_the_whole_array(project):
    write(project, "in/a.parquet", "SELECT 1 AS id, [{'k': 1, 'v': 'a'}, NULL] AS l, MAP {'m': {'k': 2, 'v': 'b'}} AS m")
    rows = project.rows("SELECT l[0].k, l[1] IS NULL, m['m'].k, r FROM read_files('in', schema => 'id INT, l ARRAY<STRUCT<k: INT>>, m MAP<STRING, STRUCT<k: INT>>', "
                        "rescuedDataColumn => 'r')")
    assert rescued(rows) == [(1, True, 2, {"l": [{"k": 1, "v": "a"}, None], "m": {"m": {"k": 2, "v": "b"}}, "_file_path": "a.parquet"})]


def test_old_timestamps_inside_of_lists_are_in_utc(project):
    noon = datetime.datetime(2026, 1, 1, 12)
    table = pa.table({"t": pa.array([noon], pa.timestamp("us")), "l": pa.array([[noon]], pa.list_(pa.timestamp("us")))})
    (project.folder / "in").mkdir()
    pq.write_table(table, project.folder / "in/a.parquet", use_deprecated_int96_timestamps=True)
    assert project.rows("SELECT unix_seconds(t), unix_seconds(l[0]) FROM read_files('in')", zone="America/New_York") == [(1767268800, 1767268800)]


def test_copy_into_rescues_what_does_not_fit_when_it_is_asked_to(project):
    write(project, "in/a.parquet", "SELECT 'no' AS id")
    statements = ["CREATE TABLE delta.`t` (id INT, r STRING)",
                  "COPY INTO delta.`t` FROM 'in' FILEFORMAT = PARQUET FORMAT_OPTIONS ('rescuedDataColumn' = 'r')", "SELECT id, r FROM delta.`t`"]
    done = project.silt("sql", *[word for text in statements for word in ("-c", text)], "--format", "json").ok()
    assert '{\\"id\\":\\"no\\",' in done.out


def whole(number):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": pa.array([number], pa.int64())}), sink)
    return sink.getvalue().to_pybytes()


def damaged(way):
    """A file that is cut in its footer, that is a text, that is empty, or whose footer is whole and whose page is not."""
    if way == "page":
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table({"id": pa.array(range(5000), pa.int64())}), sink, compression="snappy", use_dictionary=False)
        content = bytearray(sink.getvalue().to_pybytes())
        content[100:2000] = b"\xff" * 1900
        return bytes(content)
    return {"cut": whole(9)[:-20], "text": b"a text that is long enough to be a Parquet file, and is none", "empty": b""}[way]


@pytest.mark.parametrize("way", ["cut", "text", "empty", "page"])
@pytest.mark.parametrize("schema", ["", ", schema => 'id BIGINT'"], ids=["inferred", "given"])
def test_a_damaged_file_is_left_out_where_that_is_wanted(project, way, schema):
    for number in (1, 2):
        project.file(f"in/{number}.parquet", whole(number))
    project.file("in/0.parquet", damaged(way))
    what = f"read_files('in', format => 'parquet'{schema}, ignoreCorruptFiles => true)"
    assert project.rows(f"SELECT id FROM {what} ORDER BY id") == [(1,), (2,)]
    project.define(f"CREATE STREAMING TABLE raw AS SELECT id FROM STREAM {what}; CREATE MATERIALIZED VIEW mv AS SELECT id FROM {what};")
    done = project.run().ok()
    assert "in/0.parquet" in done.err and "ignoreCorruptFiles" in done.err, done
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [2]])
    project.expect("SELECT id FROM mv ORDER BY id", [[1], [2]])
    project.file("in/3.parquet", whole(3))
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[1], [2], [3]])


@pytest.mark.parametrize("way", ["cut", "text", "empty"])
def test_a_damaged_file_of_the_sample_fails_its_own_flow_only(project, way):
    project.file("in/0.parquet", damaged(way))
    project.file("in/1.parquet", whole(1))
    project.define("CREATE STREAMING TABLE raw AS SELECT id FROM STREAM read_files('in', format => 'parquet'); CREATE MATERIALIZED VIEW other AS SELECT 1 AS x;")
    project.run().refused(r"in/0\.parquet", code=1)
    project.expect("SELECT x FROM other", [[1]])
    project.file("in/0.parquet", whole(0))
    project.run().ok()
    project.expect("SELECT id FROM raw ORDER BY id", [[0], [1]])


def test_a_column_without_a_type_joins_when_it_has_one(project):
    nothing = pa.nulls(1)
    folder = project.folder / "in"
    folder.mkdir()
    inner = pa.StructArray.from_arrays([nothing, pa.array([7])], ["n", "k"])
    pq.write_table(pa.table({"a": nothing, "id": pa.array([1]), "s": inner, "l": pa.array([[None]])}), folder / "1.parquet")
    define(project)
    project.run().ok()
    assert project.rows("SELECT id, s FROM raw") == [(1, [("k", 7)])]
    pq.write_table(pa.table({"id": pa.array([2]), "c": nothing, "s": inner}), folder / "2.parquet")
    project.run().ok()
    pq.write_table(pa.table({"id": pa.array([3]), "a": ["x"], "c": [1.5], "l": [[4]]}), folder / "3.parquet")
    project.run().ok()
    pq.write_table(pa.table({"id": pa.array([4]), "a": nothing, "c": nothing, "l": pa.array([[None]])}), folder / "4.parquet")
    project.run().ok()
    assert rescued(project.rows("SELECT id, a, c, l, s.k, _rescued_data FROM raw ORDER BY id")) == [
        (1, None, None, None, 7, {"l": [None], "_file_path": "1.parquet"}), (2, None, None, None, 7, None), (3, "x", 1.5, [4], None, None), (4, None, None, [None], None, None)]


def test_nanoseconds_are_cut_to_microseconds(project):
    moment = 1767268800123456789
    folder = project.folder / "in"
    folder.mkdir()
    pq.write_table(pa.table({"t": pa.array([moment], pa.timestamp("ns")), "z": pa.array([moment], pa.timestamp("ns", "UTC")), "l": pa.array([[moment]], pa.list_(pa.timestamp("ns")))}),
                   folder / "1.parquet")
    want = ("2026-01-01 12:00:00.123456", 1767268800123456, "2026-01-01 12:00:00.123456")
    for zone in ("UTC", "America/New_York"):
        assert project.rows("SELECT CAST(t AS STRING), unix_micros(z), CAST(l[0] AS STRING), typeof(t), typeof(z) FROM read_files('in', format => 'parquet')", zone=zone) == [
            (*want, "timestamp_ntz", "timestamp")]
    assert project.rows("SELECT unix_micros(t) FROM read_files('in', format => 'parquet', schema => 't TIMESTAMP')") == [(1767268800123456,)]
    row, = rescued(project.rows("SELECT r FROM read_files('in', format => 'parquet', schema => 'x INT', rescuedDataColumn => 'r')"))
    assert row[0]["t"] == "2026-01-01T12:00:00.123456"
    define(project)
    project.run().ok()
    assert project.rows("SELECT CAST(t AS STRING), unix_micros(z), CAST(l[0] AS STRING) FROM raw") == [want]
