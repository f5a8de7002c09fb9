"""read_files as Auto Loader: formats, schemas that change, rescued data, which files are taken and what becomes of them."""
import base64
import gzip
import json
import re
import os
import shutil
import socket
import struct
import time
from decimal import Decimal

import pytest
from driver import ROOT, comparable, strict_json

AVRO = ROOT / "tests/data/avro"


def load(project, options, columns="*", table="t"):
    project.define(f"CREATE OR REFRESH STREAMING TABLE {table} AS SELECT {columns} FROM STREAM read_files('in', {options})")


def age(path, seconds):
    """As if nothing had happened to it for so long."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def in_an_hour():
    """A clock by which nothing has happened for a while: folders then count as quiet."""
    return {"SILT_CLOCK": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))}


# ---- Avro


def avro_expected(row):
    """A record as fastavro reads it in the form in which Silt prints a row: unions of several types are structs in Spark."""
    either = row["either"]
    row["either"] = None if either is None else {"member0": either if isinstance(either, int) else None, "member1": either if isinstance(either, str) else None}
    for column in ("price", "fixed_price"):
        row[column] = Decimal(row[column])
    if "." not in row["local"]:
        row["local"] += ".000000"
    return row


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy", "zstandard"])
def test_avro_files_read_as_another_reader_reads_them(project, codec):
    project.file("in/a.avro", (AVRO / f"{codec}.avro").read_bytes())
    load(project, "format => 'avro'")
    project.run().ok()
    want = [avro_expected(row) for row in strict_json_rows((AVRO / "expected.json").read_text())]
    got = [dict(row) for row in map(strict_json, project.sql("SELECT * FROM t ORDER BY number").ok().out.splitlines())]
    assert len(got) == len(want) == 12
    for mine, other in zip(got, sorted(want, key=lambda row: row["number"])):
        assert {key: comparable(value) for key, value in mine.items()} == {key: comparable(value) for key, value in other.items()}


def strict_json_rows(text):
    return json.loads(text, parse_float=Decimal)


def test_avro_columns_go_by_name_and_new_ones_join_the_table(project):
    project.file("in/1.avro", (AVRO / "null.avro").read_bytes())
    load(project, "format => 'avro', rescuedDataColumn => '_rescued_data'")
    project.run().ok()
    project.file("in/2.avro", (AVRO / "v2.avro").read_bytes())
    project.run().ok()
    project.expect("SELECT id, name, brand, price FROM t WHERE id = 77", [(77, "x", "b", None)])
    rescued = json.loads(project.value("SELECT _rescued_data FROM t WHERE id = 77"))
    assert rescued["price"] == "cheap" and rescued["_file_path"].endswith("/2.avro")
    assert project.value("SELECT count(*) FROM t WHERE _rescued_data IS NULL AND price IS NOT NULL") == 12


def test_avro_schemas_of_the_user_choose_columns(project):
    project.file("in/a.avro", (AVRO / "snappy.avro").read_bytes())
    load(project, "format => 'avro', schema => 'number DECIMAL(20,0), inner STRUCT<c2: STRING, z: INT>, nothing DATE'")
    project.run().ok()
    project.expect("SELECT number, inner.c2, inner.z, nothing FROM t WHERE number IN (0, 1)", [(0, "GREEN", None, None), (1, None, None, None)])


def narrow(value):
    """A JSON value with its fractions as a FLOAT holds them: fastavro prints those of a float as doubles."""
    if isinstance(value, dict):
        return {key: narrow(item) for key, item in value.items()}
    if isinstance(value, list):
        return [narrow(item) for item in value]
    return struct.unpack("f", struct.pack("f", value))[0] if isinstance(value, float) else value


def test_avro_files_read_with_another_schema_as_another_reader_reads_them(project):
    cases = [json.loads(line) for line in (AVRO / "resolution.jsonl").read_text().splitlines()]
    for number, case in enumerate(cases):
        project.file(f"{number}.avro", base64.b64decode(case["file"]))
        project.file(f"{number}.avsc", json.dumps(case["reader"]))
        done = project.silt("sql", "--format", "json", "-c", f"SELECT * FROM read_files('{number}.avro', format => 'avro', avroSchemaUrl => '{number}.avsc')")
        if case["rows"] is None:
            done.refused(rf"{number}\.avro", "the schema to read with|cannot be read as", code=1)
            continue
        assert [narrow(json.loads(line)) for line in done.ok().out.splitlines()] == narrow(case["rows"]), number
    assert sum(case["rows"] is not None for case in cases) == 58


def avro_reader(*fields, name="rec"):
    return json.dumps({"type": "record", "name": name, "fields": list(fields)})


def test_avro_schema_chooses_names_types_and_defaults(project):
    project.file("in/1.avro", (AVRO / "null.avro").read_bytes())
    project.file("in/2.avro", (AVRO / "v2.avro").read_bytes())
    schema = avro_reader({"name": "title", "aliases": ["name"], "type": ["null", "string"], "default": None}, {"name": "id", "type": "double"},
                         {"name": "brand", "type": "string", "default": "none"}, {"name": "made", "type": {"type": "array", "items": "int"}, "default": [1, 2]})
    load(project, f"format => 'avro', avroSchema => '{schema}'")
    project.run().ok()
    project.expect("SELECT title, id, brand, made FROM t WHERE brand <> 'none'", [("x", 77, "b", [1, 2])])
    assert project.value("SELECT typeof(id) FROM t LIMIT 1") == "double"
    assert project.value("SELECT count(*) FROM t WHERE brand = 'none' AND made[1] = 2") == 12


def test_what_an_avro_schema_lacks_is_rescued_when_it_is_asked_for(project):
    project.file("in/a.avro", (AVRO / "null.avro").read_bytes())
    schema = avro_reader({"name": "number", "type": "long"})
    rows = project.sql(f"SELECT number, r FROM read_files('in', format => 'avro', avroSchema => '{schema}', rescuedDataColumn => 'r')").rows()
    expected = {row["number"]: row for row in json.loads((AVRO / "expected.json").read_text(), parse_float=Decimal)}
    assert len(rows) == 12
    for number, text in rows:
        found = json.loads(text, parse_float=Decimal)
        assert found["price"] == Decimal(expected[number]["price"]) and found["day"] == expected[number]["day"], (found, expected[number])


@pytest.mark.parametrize("options, text", [
    ("avroSchema => '{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\",\"default\":\"x\"}]}'", 'the default of field "a" of record "r" is no int: "x"'),
    ("avroSchema => '\"int\"'", "is of kind int, and files hold records"),
    ("avroSchema => '{'", "avroSchema cannot be used"),
    ("avroSchemaUrl => 'nowhere.avsc'", "there is no such file"),
    ("avroSchema => '{\"type\":\"record\",\"name\":\"r\",\"fields\":[]}', schema => 'a INT'", "given twice"),
    ("avroSchema => '{\"type\":\"record\",\"name\":\"r\",\"fields\":[]}', schemaEvolutionMode => 'addNewColumns'", "no column can be added"),
])
def test_an_avro_schema_that_cannot_be_used_is_refused(project, options, text):
    project.file("in/a.avro", (AVRO / "null.avro").read_bytes())
    load(project, "format => 'avro', " + options)
    done = project.run().refused(r"pipeline.sql:1:\d+: error: ")
    assert text in done.err


@pytest.mark.parametrize("at, what", [(0, "it is no Avro file"), (600, "Avro schema|Avro type"), (1500, "could not read the Avro block"), (-1, "")])
def test_damaged_avro_files_are_named_and_lose_no_other(project, at, what):
    good = (AVRO / "deflate.avro").read_bytes()
    project.file("in/good.avro", good)
    project.file("in/bad.avro", good[:-20] if at < 0 else good[:at] + bytes([good[at] ^ 0xff]) + good[at + 1:])
    load(project, "format => 'avro', schema => 'id BIGINT, number BIGINT'")
    if at < 0:  # cut off: what is whole is read, the rest is a dead letter
        project.run().ok()
        assert project.value("SELECT count(*) FROM t") > 12
        assert "middle of a block" in project.value("SELECT reason FROM t_dead_letters")
        return
    project.run().refused("bad.avro", what, code=(1, 2))
    project.file("in/bad.avro", good)
    project.run().ok()
    assert project.value("SELECT count(*) FROM t") == 24


# ---- text and files as they are


def test_text_lines_and_whole_texts(project):
    project.file("in/a.txt", "one\n\ntwo\r\n")
    project.file("in/b.txt", "three")
    load(project, "format => 'text'", "value, _metadata.file_name AS f")
    project.run().ok()
    project.expect("SELECT * FROM t", [("one", "a.txt"), ("", "a.txt"), ("two", "a.txt"), ("three", "b.txt")])
    project.expect(f"SELECT value FROM read_files('{project.folder}/in', format => 'text', wholetext => true)", [("one\n\ntwo\r\n",), ("three",)])


def test_binary_files_are_rows(project):
    data = bytes(range(256))
    project.file("in/a.bin", data)
    project.file("in/empty.bin", b"")
    project.file("in/packed.gz", gzip.compress(b"inside"))
    load(project, "format => 'binaryFile'")
    project.run().ok()
    assert project.value("SELECT count(*) FROM t") == 3
    project.expect("SELECT length, hex(content) FROM t WHERE path LIKE '%/a.bin'", [(256, data.hex().upper())])
    project.expect("SELECT length, hex(content) FROM t WHERE path LIKE '%/empty.bin'", [(0, "")])
    assert project.value("SELECT substr(hex(content), 1, 4) FROM t WHERE path LIKE '%.gz'") == "1F8B"
    assert project.value("SELECT count(*) FROM t WHERE modificationTime > current_timestamp() - INTERVAL 1 HOUR") == 3


@pytest.mark.parametrize("name", ["orc", "xml"])
def test_formats_that_are_not_read_are_refused_by_name(project, name):
    project.file("in/a", "x")
    load(project, f"format => '{name}'")
    project.run().refused(rf"pipeline.sql:1:\d+: error: .*\"{name}\"")


def test_bad_records_path_is_refused_with_what_to_do(project):
    project.file("in/a.json", '{"id":1}\n')
    load(project, "format => 'json', badRecordsPath => '/bad'")
    project.run().refused("badRecordsPath", "dead_letters")


def test_text_in_other_encodings(project):
    project.file("in/a.csv", "name\nd\u00e9j\u00e0\n".encode("utf-16"))
    project.file("in/b.csv", "name\nvu\n".encode("utf-16-le"))
    load(project, "format => 'csv', encoding => 'UTF-16LE'", "name")
    project.run().ok()
    project.expect("SELECT name FROM t", [("d\u00e9j\u00e0",), ("vu",)])


# ---- schemas


def test_new_columns_are_added_in_the_same_run(project):
    project.json_lines("in/1.json", [{"id": 1, "in": {"a": 1}}])
    load(project, "format => 'json'")
    project.run().ok()
    project.json_lines("in/2.json", [{"id": 2, "in": {"a": 2, "b": "x"}, "n": 1.5}])
    project.run().ok()
    project.expect("SELECT id, `in`.a, `in`.b, n, _rescued_data FROM t", [(1, 1, None, None, None), (2, 2, "x", 1.5, None)])
    schemas = sorted(path.name for path in (project.folder / "storage").rglob("_schemas/0/*"))
    assert schemas == ["0", "1"]


@pytest.mark.parametrize("mode, columns, row", [
    ("rescue", ["id", "_rescued_data"], {"id": 2, "_rescued_data": {"n": 1.50}}),
    ("none", ["id"], {"id": 2}),
])
def test_modes_that_do_not_add_columns(project, mode, columns, row):
    project.json_lines("in/1.json", [{"id": 1}])
    load(project, f"format => 'json', schemaEvolutionMode => '{mode}'")
    project.run().ok()
    project.file("in/2.json", '{"id":2,"n":1.50}\n')
    project.run().ok()
    (got,) = [json.loads(line) for line in project.sql("SELECT * FROM t WHERE id = 2").ok().out.splitlines()]
    assert list(got) == columns
    if "_rescued_data" in got:
        assert '"n":1.50' in got["_rescued_data"]
        got["_rescued_data"] = {"n": json.loads(got["_rescued_data"])["n"]}
    assert got == row


def test_a_stream_can_fail_on_new_columns_and_go_on_when_they_are_declared(project):
    project.json_lines("in/1.json", [{"id": 1}])
    load(project, "format => 'json', schemaEvolutionMode => 'failOnNewColumns'")
    project.run().ok()
    project.json_lines("in/2.json", [{"id": 2, "colour": "red"}])
    project.run().refused('new columns.*"colour"', "failOnNewColumns", code=(1, 2))
    assert project.value("SELECT count(*) FROM t") == 1
    load(project, "format => 'json', schemaEvolutionMode => 'failOnNewColumns', schemaHints => 'colour STRING'")
    project.run().ok()
    project.expect("SELECT id, colour FROM t", [(1, None), (2, "red")])


def test_hints_reach_into_columns(project):
    project.json_lines("in/1.json", [{"id": 1, "a": {"b": 2}, "l": [{"p": "1.10"}], "d": "2026-01-02"}])
    load(project, "format => 'json', schemaHints => 'a.b STRING, l.element.p DECIMAL(5,2), d DATE, later.on INT'")
    project.run().ok()
    project.expect("SELECT a.b, l[0].p, d, later.on FROM t", [("2", Decimal("1.10"), "2026-01-02", None)])


def test_types_can_be_left_to_text(project):
    project.json_lines("in/1.json", [{"id": 1, "a": {"b": [1, 2]}}])
    load(project, "format => 'json', inferColumnTypes => false")
    project.run().ok()
    project.expect("SELECT id, a FROM t", [("1", '{"b": [1, 2]}')])


def test_schemas_are_numbered_at_their_location(project):
    project.json_lines("in/1.json", [{"id": 1}])
    load(project, "format => 'json', schemaLocation => 'schemas'")
    project.run().ok()
    project.json_lines("in/2.json", [{"id": 2, "x": True}])
    project.run().ok()
    kept = sorted((project.folder / "schemas/_schemas").iterdir())
    assert [path.name for path in kept] == ["0", "1"]
    assert "\\\"x\\\"" in kept[1].read_text() and kept[0].read_text().startswith("v1\n")


# ---- rescued data


def test_rescued_data_keeps_the_exact_text(project):
    project.file("in/1.json", '{"id":1,"n":12,"day":"2026-01-01"}\n')
    project.file("in/2.json", '{"id":2,"n":1.2300,"day":"soon","ID":7,"more":{"a":[1, 2.50]}}\n')
    load(project, "format => 'json', schema => 'id INT, n INT, day DATE', rescuedDataColumn => '_rescued_data'")
    project.run().ok()
    project.expect("SELECT id, n, day FROM t", [(1, 12, "2026-01-01"), (2, None, None)])
    text = project.value("SELECT _rescued_data FROM t WHERE id = 2")
    for part in ('"n":1.2300', '"day":"soon"', '"ID":7', '"more":{"a":[1, 2.50]}', '"_file_path":"file://'):
        assert part in text
    assert project.value("SELECT count(*) FROM t WHERE _rescued_data IS NULL") == 1


def test_names_can_be_told_without_case(project):
    project.file("in/1.json", '{"ID":1,"Name":"x","In":{"A":1}}\n')
    load(project, "format => 'json', schema => 'id INT, name STRING, in STRUCT<a: INT>', readerCaseSensitive => false")
    project.run().ok()
    project.expect("SELECT id, name, `in`.a FROM t", [(1, "x", 1)])


# ---- bad records


BAD = '{"id":1}\n\n{"id":\n{"id":3}\n'


def test_dead_letters_have_file_byte_and_line(project):
    project.file("in/1.json", BAD)
    load(project, "format => 'json', schema => 'id INT'")
    project.run().ok()
    project.expect("SELECT id FROM t", [(1,), (3,)])
    ((file, position, line, record),) = project.rows("SELECT file, position, line, CAST(record AS STRING) FROM t_dead_letters")
    assert file.endswith("/in/1.json") and (position, line) == (10, 3) and record.startswith('{"id":')


@pytest.mark.parametrize("mode, rows", [
    ("PERMISSIVE", [(1, None), (None, '{"id":'), (3, None)]),
    ("DROPMALFORMED", [(1, None), (3, None)]),
])
def test_modes_of_spark(project, mode, rows):
    project.file("in/1.json", BAD)
    load(project, f"format => 'json', schema => 'id INT, bad STRING', mode => '{mode}', columnNameOfCorruptRecord => 'bad'")
    project.run().ok()
    project.expect("SELECT id, bad FROM t", rows)


def test_failfast_fails(project):
    project.file("in/1.json", BAD)
    load(project, "format => 'json', schema => 'id INT', mode => 'FAILFAST'")
    project.run().refused("1.json", "byte 10", code=(1, 2))


def test_a_corrupt_file_can_be_left_out_with_a_warning(project):
    project.json_lines("in/1.json", [{"id": 1}])
    project.file("in/2.json.gz", gzip.compress(b'{"id":2}\n' * 1000)[:-12])
    load(project, "format => 'json', schema => 'id INT', ignoreCorruptFiles => true")
    done = project.run().ok()
    assert project.value("SELECT count(*) FROM t WHERE id = 1") == 1
    assert "2.json.gz" in done.err and "ignoreCorruptFiles" in done.err


# ---- which files


def test_an_overwritten_file_is_read_again_only_if_asked_for(project):
    path = project.json_lines("in/1.json", [{"id": 1}])
    age(path, 100)
    for allow, rows in (("false", [(1,)]), ("true", [(1,), (2,)])):
        project.define(f"CREATE OR REFRESH STREAMING TABLE t_{allow} AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id INT', "
                       f"allowOverwrites => {allow})")
        age(project.json_lines("in/1.json", [{"id": 1}]), 100)
        project.run().ok()
        project.json_lines("in/1.json", [{"id": 2}])
        project.run().ok()
        project.run().ok()
        project.expect(f"SELECT id FROM t_{allow}", rows)


@pytest.mark.parametrize("before", [2, 0])
def test_files_that_were_there_before_the_stream_are_never_read(project, before):
    for number in range(before):
        project.json_lines(f"in/old{number}.json", [{"id": number}])
    (project.folder / "in").mkdir(exist_ok=True)
    options = "format => 'json', schema => 'id INT', includeExistingFiles => {}"
    load(project, options.format("false"))
    for _ in range(2):
        project.run().ok()
        project.expect("SELECT id FROM t", [])
    for number in (10, 11):
        project.json_lines(f"in/{number}.json", [{"id": number}])
        project.run().ok()
    if before:
        project.json_lines("in/old0.json", [{"id": 99}])  # written again: still no new file
    load(project, options.format("true"))  # is about the beginning, which is over
    project.run().ok()
    project.expect("SELECT id FROM t", [(10,), (11,)])
    load(project, options.format("false"))
    project.run("--full-refresh", "t").ok()  # begins anew: all of them were there before
    project.expect("SELECT id FROM t", [])
    project.json_lines("in/12.json", [{"id": 12}])
    project.run().ok()
    project.expect("SELECT id FROM t", [(12,)])


def test_each_overwrite_is_read_once_whatever_runs_between(project):
    load(project, "format => 'json', schema => 'id INT', allowOverwrites => true, maxFilesPerTrigger => 1")
    want = []
    for step in range(4):
        for name in ("a", "b") if step % 2 == 0 else ("b",):
            id = 10 * step + (name == "b")
            age(project.json_lines(f"in/{name}.json", [{"id": id}]), 1000 - 100 * step)
            want.append((id,))
        for _ in range(2):
            project.run().ok()
        project.expect("SELECT id FROM t", want)
    age(project.folder / "in/a.json", 50)  # the same bytes, another time: another file
    project.run().ok()
    project.expect("SELECT id FROM t", [*want, (20,)])


def sizes_of_batches(project):
    return [record["numInputRows"] for record in project.progress() if record["numInputRows"]]


@pytest.mark.parametrize("limits, first, second", [
    ("maxFilesPerTrigger => 2", [2, 2, 1], [2, 1]),
    ("maxBytesPerTrigger => 20", [2, 2, 1], [1, 1, 1]),  # the second run has a file of 21 bytes in the middle, which is a batch of its own
    ("maxBytesPerTrigger => '1k'", [5], [3]),
    ("maxBytesPerTrigger => 1", [1] * 5, [1] * 3),  # soft: one file is always taken
    ("maxFilesPerTrigger => 3, maxBytesPerTrigger => 20", [2, 2, 1], [1, 1, 1]),
    ("maxFilesPerTrigger => 1, maxBytesPerTrigger => '1k'", [1] * 5, [1] * 3),
])
def test_limits_cut_each_run_into_batches(project, limits, first, second):
    load(project, f"format => 'json', schema => 'id INT', {limits}")
    for number in range(5):
        age(project.file(f"in/{number}.json", f'{{"id":{number}}}\n'), 1000 - number)  # 9 bytes
    project.run().ok()
    assert sizes_of_batches(project) == first
    for number, size in ((5, 9), (6, 21), (7, 9)):
        age(project.file(f"in/{number}.json", f'{{"id":{number}}}'.ljust(size - 1) + "\n"), 500 - number)
    project.run().ok()
    assert sizes_of_batches(project) == first + second
    project.expect("SELECT id FROM t", [(number,) for number in range(8)])


def test_a_limit_that_changes_holds_from_the_next_run_on(project):
    for run, limit, sizes in ((0, 1, [1, 1, 1]), (1, 5, [3]), (2, 2, [2, 1])):
        for number in range(3):
            project.json_lines(f"in/{run}{number}.json", [{"id": 3 * run + number}])
        before = len(sizes_of_batches(project))
        load(project, f"format => 'json', schema => 'id INT', maxFilesPerTrigger => {limit}")
        project.run().ok()
        assert sizes_of_batches(project)[before:] == sizes
    project.expect("SELECT id FROM t", [(number,) for number in range(9)])


def test_files_are_chosen_by_name_and_time(project):
    for name, hours in (("a.json", 50), ("b.json", 3), ("c.json", 1), ("d.txt", 1)):
        age(project.json_lines(f"in/{name}", [{"n": name}]), hours * 3600)
    options = "format => 'json', schema => 'n STRING', pathGlobFilter => '*.json'"
    for more, rows in (("", "abc"), (", maxFileAge => '1 day'", "bc"),
                       (", modifiedAfter => '%s'" % time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 7200)), "c"),
                       (", modifiedBefore => '%s'" % time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 7200)), "ab")):
        load(project, options + more)
        project.run("--full-refresh-all").ok()
        project.expect("SELECT n FROM t", [(f"{c}.json",) for c in rows])


def test_cleaned_files_are_moved_after_their_batch(project):
    project.json_lines("in/sub/1.json", [{"id": 1}])
    load(project, "format => 'json', schema => 'id INT', cleanSource => 'MOVE', `cleanSource.moveDestination` => 'done', "
                  "`cleanSource.retentionDuration` => '0 days'")
    project.run().ok()
    project.expect("SELECT id FROM t", [(1,)])
    assert not (project.folder / "in/sub/1.json").exists()
    assert (project.folder / "done/sub/1.json").read_text() == '{"id": 1}\n'
    project.json_lines("in/sub/1.json", [{"id": 1}])  # the same name again is the same file
    project.run().ok()
    project.expect("SELECT id FROM t", [(1,)])


def test_a_late_file_in_an_old_folder_is_found(project):
    for day in range(60):
        project.json_lines(f"in/day={day:02}/a.json", [{"id": day}])
    load(project, "format => 'json', schema => 'id INT'", "id")
    project.run(env=in_an_hour()).ok()
    assert list((project.folder / "storage").rglob("sources/0/folders"))
    project.json_lines("in/day=07/late.json", [{"id": 1000}])
    age(project.folder / "in/day=07", 1000)  # as rsync does: the time of a folder says nothing
    project.json_lines("in/day=99/deep/new.json", [{"id": 1001}])
    project.run(env=in_an_hour()).ok()
    project.expect("SELECT count(*), max(id) FROM t", [(62, 1001)])
    shutil.move(project.folder / "in/day=08", project.folder / "old")  # another folder under the name of one that is known
    project.json_lines("new/day=08/b.json", [{"id": 1002}])
    shutil.copystat(project.folder / "old", project.folder / "new/day=08")
    shutil.move(project.folder / "new/day=08", project.folder / "in/day=08")
    project.run(env=in_an_hour()).ok()
    project.expect("SELECT count(*), max(id) FROM t", [(63, 1002)])


def test_a_key_that_comes_later_becomes_a_column(project):
    project.json_lines("in/day=1/a.json", [{"id": 1}])
    load(project, "format => 'json', schema => 'id INT'", "*")
    project.run().ok()
    project.json_lines("in/day=2/hour=07/b.json", [{"id": 2}])
    project.run().ok()
    project.expect("SELECT id, day, hour FROM t ORDER BY id", [(1, 1, None), (2, 2, "07")])
    project.json_lines("in/day=3/c.json", [{"id": 3}])
    project.run().ok()
    project.expect("SELECT id, day, hour FROM t ORDER BY id", [(1, 1, None), (2, 2, "07"), (3, 3, None)])


@pytest.mark.parametrize("mode", ["none", "rescue", "failOnNewColumns"])
def test_a_key_that_comes_later_is_refused_by_name(project, mode):
    project.json_lines("in/day=1/a.json", [{"id": 1}])
    load(project, f"format => 'json', schemaEvolutionMode => '{mode}'", "*")
    project.run().ok()
    project.json_lines("in/day=2/hour=07/b.json", [{"id": 2}])
    project.run().refused('new partition column "hour"', "partitionColumns", code=1)
    project.expect("SELECT id, day FROM t ORDER BY id", [(1, 1)])
    load(project, f"format => 'json', schemaEvolutionMode => '{mode}', partitionColumns => 'day'", "*")
    project.run().ok()
    project.expect("SELECT id, day FROM t ORDER BY id", [(1, 1), (2, 2)])


@pytest.mark.parametrize("stream", [True, False])
def test_what_is_no_file_is_left_alone(project, stream):
    project.json_lines("in/a.json", [{"id": 1}])
    os.mkfifo(project.folder / "in/pipe.json")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(project.folder / "in/socket.json"))
        os.symlink(project.folder / "nowhere", project.folder / "in/gone.json")
        os.symlink(project.folder / "in", project.folder / "in/loop")
        os.makedirs(project.folder / "in/sub")
        os.symlink("..", project.folder / "in/sub/up")
        os.symlink(".", project.folder / "in/sub/here")
        project.json_lines("in/sub/b.json", [{"id": 2}])
        if stream:
            load(project, "format => 'json', schema => 'id INT'", "id")
            run = project.run().ok()
            assert re.search(r"left alone \S*in/(pipe|socket|gone)[.]json\S* and 2 more: neither a file nor a folder", run.err), run
            project.expect("SELECT id FROM t ORDER BY id", [(1,), (2,)])
        else:
            project.sql("SELECT id FROM read_files('in', format => 'json', schema => 'id INT') ORDER BY id").ok()


@pytest.mark.parametrize("option, hint", [("maxFileAge => 'old'", "time span"), ("cleanSource => 'MOVE'", "folder"), ("fileNameOnly => true", "fileNameOnly")])
def test_what_cannot_be_done_is_refused_at_its_place(project, option, hint):
    project.file("in/a.json", '{"id":1}\n')
    load(project, "format => 'json', " + option)
    project.run().refused(r"pipeline.sql:1:\d+: error: ", hint)


@pytest.mark.parametrize("options, text", [
    ("format => 'avro', schemaEvolutionMode => 'rescue'", "rescuedDataColumn => '_rescued_data'"),
])
def test_what_would_keep_nothing_is_refused(project, options, text):
    name = options.split("'")[1]
    project.file(f"in/a.{name}", (AVRO / "null.avro").read_bytes())
    load(project, options)
    project.run().refused(r"pipeline.sql:1:\d+: error: ", text)


@pytest.mark.parametrize("form, text, options", [
    ("json", '{"a":1}\x1e{\n"a":2}\x1e{"a":3}', "lineSep => '\\u001e'"),
    ("json", '{"a":1}@@{"a":2}@@{"a":3}@@', "lineSep => '@@'"),
    ("csv", "a|1|2|3", "lineSep => '|', header => true"),
    ("text", "1|2|3", "lineSep => '|'"),
])
def test_lines_end_where_line_sep_says(project, form, text, options):
    project.file(f"in/a.{form}", text)
    column = "value" if form == "text" else "a"
    found = project.sql(f"SELECT CAST({column} AS INT) FROM read_files('in', format => '{form}', {options}) ORDER BY 1").rows()
    assert found == [(1,), (2,), (3,)]


def test_an_option_without_effect_says_so(project):
    project.file("in/a.csv", "a\n1\n")
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'csv', samplingRatio => '0.5')")
    done = project.run().ok()
    assert re.search(r'option .{1,3}samplingRatio.* is without effect: the sample', done.err), done


def test_drop_field_if_all_null_leaves_out_lists_of_nothing_too(project):
    project.json_lines("in/a.json", [{"id": 1, "e": [], "n": [None, None], "z": None, "s": {"e": [[]]}, "l": [1]}])
    query = "SELECT * FROM read_files('in', format => 'json', rescuedDataColumn => ''%s)"
    assert project.rows(query % ", dropFieldIfAllNull => true") == [(1, [1])]
    assert project.rows(query % "") == [([], 1, [1], [None, None], [("e", [[]])], None)]


@pytest.mark.parametrize("form, end, options", [("json", "\n", ""), ("json", "\r\n", ""), ("json", "||", ", lineSep => '||'"), ("json", "\n", ", multiLine => true"), ("json", ",\n", ", multiLine => true"),
                                                ("csv", "\n", ", header => true"), ("csv", "\r\n", ", header => true"), ("text", "\n", ""), ("text", "\r", "")])
@pytest.mark.parametrize("limit", [20, 1000, 40000, 300000])
def test_a_record_of_just_the_limit_is_read_and_a_longer_one_is_not(project, form, end, options, limit):
    def record(number, size):
        frame = {"json": f'{{"id":{number},"s":"%s"}}', "csv": f"{number},%s", "text": f"{number}:%s"}[form]
        return frame % ("x" * (size - len(frame) + 2))

    sizes = [18, limit, limit + 1, 18, limit + 1, limit * 3, limit, limit - 1, limit + 1]
    sizes = sizes * (200 if limit < 2000 else 1)
    text = end.join(record(number, size) for number, size in enumerate(sizes, 100)) + (end if "," not in end else "")
    if form == "csv":
        text = "id,s" + end + text
    project.file("in/a." + form, f"[{text}]" if "," in end else text)
    schema = ", schema => 'id INT, s STRING'" if form != "text" else ""
    column = "id" if form != "text" else "CAST(split(value, ':')[0] AS INT)"
    project.define(f"CREATE STREAMING TABLE raw AS SELECT {column} AS id FROM STREAM read_files('in', format => '{form}'{schema}{options}, maxRecordSize => '{limit}b')")
    project.run().ok()
    good = [number for number, size in enumerate(sizes, 100) if size <= limit]
    assert project.rows("SELECT id FROM raw ORDER BY id") == [(number,) for number in good]
    assert project.rows("SELECT count(*), min(reason), max(reason) FROM raw_dead_letters") == [
        (len(sizes) - len(good), "a record longer than maxRecordSize", "a record longer than maxRecordSize")]
