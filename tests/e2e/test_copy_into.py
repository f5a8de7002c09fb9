"""COPY INTO in silt sql: every file once, all of it or nothing, and a table that any Delta reader reads."""
import gzip
import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import readers
from deltalake import DeltaTable
from driver import silt


class Folder:
    """A folder with files to load and a table beside it."""

    def __init__(self, path):
        self.path = path
        (path / "in").mkdir()

    def put(self, name, text):
        file = self.path / "in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def sql(self, *statements, words=()):
        return silt("sql", "--format", "json", *words, *[word for text in statements for word in ("-c", text)], cwd=self.path)

    def copy(self, rest="", what="'in'", table="delta.`t`", form="JSON"):
        return self.sql(f"COPY INTO {table} FROM {what} FILEFORMAT = {form} {rest}")

    def rows(self, columns="*", order="id"):
        return self.sql(f"SELECT {columns} FROM delta.`t` ORDER BY {order}").rows()


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


MERGE = "COPY_OPTIONS ('mergeSchema' = 'true')"


def test_each_file_is_loaded_once(folder):
    folder.put("a.json", '{"id":1}\n{"id":2}\n')
    done = folder.copy(MERGE).ok()
    assert json.loads(done.out) == {"num_affected_rows": 2, "num_inserted_rows": 2, "num_skipped_corrupt_files": 0}
    assert folder.copy().rows() == [(0, 0, 0)]
    folder.put("b.json", '{"id":3}\n')
    folder.put("a.json", '{"id":9}\n')  # written again: loaded already, by its path
    assert folder.copy().rows() == [(1, 1, 0)]
    assert folder.rows() == [(1,), (2,), (3,)]


def test_force_loads_again_and_does_not_forget(folder):
    folder.put("a.json", '{"id":1}\n')
    folder.copy(MERGE).ok()
    assert folder.copy("COPY_OPTIONS ('force' = 'true')").rows() == [(1, 1, 0)]
    assert folder.copy().rows() == [(0, 0, 0)]
    assert folder.rows() == [(1,), (1,)]


def test_what_is_loaded_goes_with_the_table(folder):
    folder.put("a.json", '{"id":1}\n')
    folder.copy(MERGE).ok()
    shutil.move(folder.path / "t", folder.path / "u")
    folder.put("b.json", '{"id":2}\n')
    assert folder.copy(table="delta.`u`").rows() == [(1, 1, 0)]


def test_a_lost_list_is_refused_not_loaded_again(folder):
    folder.put("a.json", '{"id":1}\n')
    folder.copy(MERGE).ok()
    shutil.rmtree(folder.path / "t/_silt_copy")
    folder.copy().refused("the list of loaded files .* is gone", code=1)
    assert folder.rows() == [(1,)]


def test_many_copies_remember_all_files(folder):
    for number in range(25):
        folder.put(f"{number}.json", json.dumps({"id": number}) + "\n")
        assert folder.copy(MERGE).rows() == [(1, 1, 0)]
    assert folder.copy().rows() == [(0, 0, 0)]
    assert folder.rows() == [(number,) for number in range(25)]
    lists = {path.name for path in (folder.path / "t/_silt_copy").glob("*.jsonl")}
    assert lists == {f"{number}.jsonl" for number in range(20, 25)}  # from the last whole one on


def test_other_readers_see_a_plain_table(folder):
    folder.put("a.json", '{"id":1,"name":"x"}\n')
    folder.copy(MERGE).ok()
    table = DeltaTable(str(folder.path / "t"))
    assert readers.delta_rs(folder.path / "t").to_pylist() == [{"id": 1, "name": "x"}]
    assert table.history(1)[0]["operation"] == "COPY INTO"
    assert table.protocol().min_writer_version == 2


def test_a_select_names_and_casts(folder):
    folder.put("a.csv", "1|x\n2|y\n")
    query = "(SELECT CAST(_c0 AS INT) AS id, upper(_c1) AS name, _metadata.file_name AS file FROM 'in')"
    assert folder.copy(f"FORMAT_OPTIONS ('delimiter' = '|') {MERGE}", query, form="CSV").rows() == [(2, 2, 0)]
    assert folder.rows() == [(1, "X", "a.csv"), (2, "Y", "a.csv")]
    folder.put("b.csv", "3|z\n")
    query = "(SELECT CAST(_c0 AS BIGINT) AS id FROM 'in')"
    folder.copy("FORMAT_OPTIONS ('delimiter' = '|')", query, form="CSV").refused(r'column "id" is bigint here and int in', r"CAST\(... AS int\)")
    assert folder.copy("FORMAT_OPTIONS ('delimiter' = '|')", "(SELECT CAST(_c0 AS SMALLINT) AS id FROM 'in' AS f)", form="CSV").rows() == [(1, 1, 0)]
    assert folder.rows("id, name") == [(1, "X"), (2, "Y"), (3, None)]


def test_values_are_read_as_the_types_of_the_table(folder):
    folder.put("a.json", '{"id":1,"amount":1.5,"day":"2026-01-02"}\n')
    query = "(SELECT CAST(id AS INT) AS id, CAST(amount AS DECIMAL(10,2)) AS amount, CAST(day AS DATE) AS day FROM 'in')"
    folder.copy(MERGE, query).ok()
    folder.put("b.json", '{"id":2,"amount":"7","day":"2026-01-03"}\n')
    assert folder.copy().rows() == [(1, 1, 0)]
    assert [str(value) for value in folder.rows()[1]] == ["2", "7.00", "2026-01-03"]
    folder.put("c.json", '{"id":3}\n{"id":99999999999}\n')
    folder.copy().refused(r"c\.json, byte 9: .*does not fit", code=1)
    assert len(folder.rows()) == 2  # all of it or nothing
    assert folder.copy("FORMAT_OPTIONS ('mode' = 'PERMISSIVE')").rows() == [(2, 2, 0)]
    assert folder.copy().rows() == [(0, 0, 0)]


def test_csv_without_a_header_goes_by_position(folder):
    folder.put("a.csv", "1,x\n")
    folder.copy(MERGE, "(SELECT CAST(_c0 AS BIGINT) AS id, _c1 AS name, CAST(NULL AS DOUBLE) AS more FROM 'in')", form="CSV").ok()
    folder.put("b.csv", "y,2\n")
    assert folder.sql("COPY INTO delta.`t` (name, id) FROM 'in' FILEFORMAT = CSV").rows() == [(1, 1, 0)]
    folder.put("c.csv", "3,z,0.5\n")
    assert folder.sql("COPY INTO delta.`t` BY POSITION FROM 'in' FILEFORMAT = CSV").rows() == [(1, 1, 0)]
    assert folder.rows() == [(1, "x", None), (2, "y", None), (3, "z", pytest.approx(0.5))]
    folder.sql("COPY INTO delta.`t` BY POSITION FROM 'in' FILEFORMAT = JSON").refused("columns by position are for CSV")


def test_csv_with_a_header_goes_by_name_and_is_text_unless_asked(folder):
    folder.put("a.csv", "id,n\n1,2\n")
    folder.copy(f"FORMAT_OPTIONS ('header' = 'true') {MERGE}", form="CSV").ok()
    assert folder.rows() == [("1", "2")]
    folder.put("b.csv", "more,id\n5,2\n")
    folder.copy(f"FORMAT_OPTIONS ('header' = 'true', 'inferSchema' = 'true') {MERGE}", form="CSV").ok()
    assert folder.rows() == [("1", "2", None), ("2", None, 5)]


def test_new_columns_need_merge_schema(folder):
    folder.put("a.json", '{"id":1,"s":{"x":1}}\n')
    folder.copy(MERGE).ok()
    folder.put("b.json", '{"id":2,"s":{"x":1,"y":2},"new":true}\n')
    folder.copy().refused("new columns in the files", "mergeSchema", code=(1, 2))
    assert len(folder.rows()) == 1
    assert folder.copy(MERGE).rows() == [(1, 1, 0)]
    assert folder.rows("id, s.y, new") == [(1, None, None), (2, 2, True)]


@pytest.mark.parametrize("form", ["PARQUET", "TEXT", "BINARYFILE"])
def test_other_formats(folder, form):
    if form == "PARQUET":
        pq.write_table(pa.table({"id": [1, 2]}), folder.path / "in/a.parquet")
    else:
        folder.put("a.txt", "one\ntwo\n")
    rows = 1 if form == "BINARYFILE" else 2
    assert folder.copy(MERGE, form=form).rows() == [(rows, rows, 0)]
    assert folder.copy(form=form).rows() == [(0, 0, 0)]


def test_files_and_pattern_choose(folder):
    for name in ["a.json", "b.json", "c,{1}.json", "deep/d.json"]:
        folder.put(name, json.dumps({"id": name}) + "\n")
    folder.copy(f"FILES = ('a.json', 'c,{{1}}.json') {MERGE}").ok()
    assert folder.rows() == [("a.json",), ("c,{1}.json",)]
    folder.copy("FILES = ('a.json', 'nowhere.json')").refused('there is no "nowhere.json" in "in"')
    assert folder.copy("PATTERN = 'deep/*.json'").rows() == [(1, 1, 0)]
    assert folder.copy().rows() == [(1, 1, 0)]


def test_validate_writes_nothing(folder):
    folder.put("a.json", '{"id":1}\n')
    folder.copy(MERGE).ok()
    folder.put("b.json", '{"id":2}\n{"id":3}\n')
    assert folder.copy("VALIDATE 1 ROWS").rows() == [(2,)]
    assert sorted(folder.copy("VALIDATE ALL").rows()) == [(2,), (3,)]
    assert len(folder.rows()) == 1
    folder.put("c.json", "{broken\n")
    folder.copy("VALIDATE").refused(r"c\.json, byte 0", code=1)


def test_a_damaged_file_fails_the_copy_or_is_skipped(folder):
    folder.put("good.json", '{"id":1}\n')
    whole = gzip.compress(b'{"id":2}\n' * 1000)
    folder.put("bad.json.gz", whole[:len(whole) // 2])
    folder.copy(MERGE).refused("bad.json.gz", code=1)
    assert folder.copy(f"FORMAT_OPTIONS ('ignoreCorruptFiles' = 'true') {MERGE}").rows()[0][2] == 1
    assert (1,) in folder.rows()


def test_rescued_data_keeps_what_does_not_fit(folder):
    folder.put("a.json", '{"id":1}\n')
    folder.copy(f"FORMAT_OPTIONS ('rescuedDataColumn' = '_rescued') {MERGE}").ok()
    folder.put("b.json", '{"id":"x"}\n')
    folder.copy(f"FORMAT_OPTIONS ('rescuedDataColumn' = '_rescued') {MERGE}").ok()
    rescued = folder.rows("id, _rescued", "id NULLS LAST")[1]
    assert rescued[0] is None and json.loads(rescued[1])["id"] == "x"
    folder.put("c.json", "{broken\n")
    folder.copy(f"FORMAT_OPTIONS ('rescuedDataColumn' = '_rescued') {MERGE}").refused(r"c\.json, byte 0", code=1)


def test_partitioned_and_not_null_tables_keep_their_rules(folder):
    from deltalake import Schema, Field
    from deltalake.schema import PrimitiveType
    DeltaTable.create(str(folder.path / "t"), Schema([Field("id", PrimitiveType("long"), nullable=True), Field("k", PrimitiveType("string"))]), partition_by=["k"])
    folder.put("a.json", '{"id":1,"k":"x"}\n{"id":2,"k":null}\n')
    assert folder.copy().rows() == [(2, 2, 0)]
    assert folder.rows() == [(1, "x"), (2, None)]
    assert (folder.path / "t/k=x").is_dir()


def test_a_table_of_the_pipeline_is_written_only_when_asked(folder):
    folder.put("a.json", '{"id":1}\n')
    (folder.path / "transformations").mkdir()
    (folder.path / "spark-pipeline.yml").write_text(f"name: p\nstorage: file://{folder.path}/storage\nlibraries:\n- glob: {{include: transformations/**}}\n")
    (folder.path / "transformations/t.sql").write_text("CREATE STREAMING TABLE events AS SELECT id FROM STREAM read_files('in', format => 'json')")
    silt("run", cwd=folder.path).ok()
    folder.put("b.json", '{"id":2}\n')
    folder.copy(table="events").refused('"spark_catalog.default.events" belongs to the pipeline', "--allow-managed-writes")
    folder.copy(table="delta.`spark-warehouse/events`").refused("belongs to the pipeline")
    done = folder.sql("COPY INTO events FROM 'in' FILEFORMAT = JSON FILES = ('b.json')", words=["--allow-managed-writes"])
    assert done.rows() == [(1, 1, 0)]
    silt("run", cwd=folder.path).ok()
    assert sorted(folder.sql("SELECT id FROM events").rows()) == [(1,), (2,), (2,)]  # what the flow has not read is new to it


@pytest.mark.parametrize("statement, what", [
    ("COPY INTO delta.`t` FROM 'in'", "COPY INTO needs FILEFORMAT"),
    ("COPY INTO delta.`t` FROM in FILEFORMAT = JSON", "a path in quotes"),
    ("COPY INTO delta.`t` FROM (SELECT 1) FILEFORMAT = JSON", "reads no files"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = ORC COPY_OPTIONS ('mergeSchema' = 'true')", "ORC"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON", "there is no Delta table"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON COPY_OPTIONS ('mergeSchem' = 'true')", "Did you mean mergeSchema"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON COPY_OPTIONS ('force' = 'yes')", "true or false"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON FORMAT_OPTIONS ('multilin' = 'true') COPY_OPTIONS ('mergeSchema' = 'true')", "Did you mean multiLine"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON FORMAT_OPTIONS ('schema' = 'a INT') COPY_OPTIONS ('mergeSchema' = 'true')", 'takes no "schema"'),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON FILES = ('a') PATTERN = 'b'", "do not go together"),
    ("COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON FILES = ('a') FILES = ('b')", "FILES is given twice"),
    ("COPY INTO delta.`t` FROM 'in' WITH (CREDENTIAL c) FILEFORMAT = JSON", "CREDENTIAL"),
    ("COPY INTO delta.`in` FROM 'in' FILEFORMAT = JSON COPY_OPTIONS ('mergeSchema' = 'true')", "not empty and holds no Delta table"),
])
def test_what_is_wrong_is_said(folder, statement, what):
    folder.put("a.json", '{"id":1}\n')
    folder.sql(statement).refused(what)


def test_a_column_that_the_table_lacks_is_pointed_at(folder):
    folder.put("a.csv", "1,2\n")
    folder.sql("CREATE TABLE delta.`t` (id INT)")
    folder.sql("COPY INTO delta.`t` (id, nope) FROM 'in' FILEFORMAT = CSV").refused(r'-c:1:26: error: no column "nope" in')
    folder.sql("INSERT INTO delta.`t` (id, nope) VALUES (1, 2)").refused(r'-c:1:28: error: no column "nope" in')
    folder.sql("INSERT INTO delta.`t` (id, ID) VALUES (1, 2)").refused(r'-c:1:28: error: column "ID" is given twice')


@pytest.mark.parametrize("pattern, what", [("[", r"-c:1:59: error: invalid glob pattern \"\[\": the \[ at byte 1 is not closed"), ("a/{b,[c]", r"the \{ at byte 3 is not closed"),
                                           ("a\\\\", "has nothing behind it")])
def test_a_pattern_that_is_none_is_pointed_at(folder, pattern, what):
    folder.put("a.json", '{"id":1}\n')
    folder.sql("CREATE TABLE delta.`t` (id INT)")
    folder.sql(f"COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON PATTERN = '{pattern}'").refused(what)


@pytest.mark.parametrize("column, good, bad", [("v STRING", '"x"', "null"), ("v STRUCT<k: INT NOT NULL>", '{"k":1}', '{"k":null}')])
def test_a_not_null_column_is_held_to_by_what_the_files_hold(folder, column, good, bad):
    whole = "" if "STRUCT" in column else " NOT NULL"
    folder.sql(f"CREATE TABLE delta.`t` (id BIGINT NOT NULL, {column}{whole})").ok()
    folder.put("a.json", f'{{"id":1,"v":{good}}}\n')
    assert folder.copy().rows() == [(1, 1, 0)]
    folder.put("b.json", f'{{"id":2,"v":{good}}}\n{{"id":3,"v":{bad}}}\n')
    folder.copy().refused("NOT NULL", "1 rows have NULL", code=1)
    assert folder.rows("id") == [(1,)]
    folder.put("b.json", f'{{"id":2,"v":{good}}}\n')
    assert folder.copy().rows() == [(1, 1, 0)]
    assert folder.rows("id") == [(1,), (2,)]
