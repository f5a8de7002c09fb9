"""Silt as a library: the examples in C, and rows over the Arrow interface against pyarrow, which shares no code with Silt."""
import ctypes
import datetime
import decimal
import json
import os
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from driver import ROOT, SILT, silt

BUILD = Path(SILT).parent
SANITIZED = b"__asan_init" in Path(SILT).read_bytes()  # such a library needs its own runtime loaded first


def example(name, *args, cwd):
    return subprocess.run([BUILD / f"examples/c/example-{name}", *args], cwd=cwd, capture_output=True, text=True, timeout=120)


# ---- the examples ----


def test_query_example_prints_rows_and_counts_arrow_rows(tmp_path):
    done = example("query", "SELECT 'a' AS x, CAST(NULL AS INT) AS y", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "x=a y=NULL\n1 rows as Arrow\n"), done.stderr
    done = example("query", "SELECT nosuch", cwd=tmp_path)
    assert done.returncode == 2 and "example:1:8: no column \"nosuch\"" in done.stderr


def test_function_example_gives_its_answers(tmp_path):
    done = example("function", cwd=tmp_path)
    assert done.stdout == "card=4539 1488 0343 6467 valid=true\ncard=8273 1232 7352 0569 valid=false\ncard=NULL valid=NULL\n", done.stderr


def test_source_example_goes_on_where_it_stopped(tmp_path):
    for until, want in ((10, (10, 385)), (12, (12, 650)), (12, (12, 650))):
        done = example("source", str(until), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert silt("sql", "-c", "SELECT count(*), sum(square) FROM squares_table", "--format", "json", cwd=tmp_path).rows() == [want]


def test_sink_example_writes_each_batch_once(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/1.json").write_text('{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n')
    assert example("sink", cwd=tmp_path).returncode == 0
    (tmp_path / "in/2.json").write_text('{"id":3,"name":"c"}\nbroken\n')
    for _ in range(2):
        done = example("sink", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "letters.txt").read_text() == "1 A\n2 B\n-- batch 0\n3 C\n-- batch 1\n"
    letters = silt("sql", "-c", "SELECT CAST(record AS STRING) FROM delta.`spark-warehouse/letters_dead_letters`", "--format", "json", cwd=tmp_path).rows()
    assert letters == [("broken",)]
    # the checkpoint loses its note of the last batch: the sink gets that batch again and knows it
    (commit,) = (tmp_path / "pipeline-storage").glob("_checkpoints/*/*/*/*/0/commits/1")
    commit.unlink()
    assert example("sink", cwd=tmp_path).returncode == 0
    assert (tmp_path / "letters.txt").read_text() == "1 A\n2 B\n-- batch 0\n3 C\n-- batch 1\n"


def test_run_example_tells_what_happens(tmp_path):
    silt("init", "--name", "p", cwd=tmp_path).ok()
    done = example("run", cwd=tmp_path / "p")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("project p\n") and done.stdout.endswith("Run is COMPLETED.\n")


def test_a_program_builds_against_what_is_installed(tmp_path):
    if not shutil.which("pkg-config") or not shutil.which("gcc"):
        pytest.skip("no compiler here")
    env = {**os.environ, "DESTDIR": str(tmp_path)}
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild"], check=True, capture_output=True, env=env)
    (pc_file,) = tmp_path.rglob("silt.pc")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "silt"], check=True, capture_output=True, text=True,
                           env={**os.environ, "PKG_CONFIG_PATH": str(pc_file.parent), "PKG_CONFIG_SYSROOT_DIR": str(tmp_path)}).stdout.split()
    program = tmp_path / "query"
    extra = ["-fsanitize=address,undefined"] if SANITIZED else []
    subprocess.run(["gcc", *extra, "-o", program, ROOT / "examples/c/query.c", *flags], check=True)
    (library,) = [path for path in tmp_path.rglob("libsilt.so")]
    done = subprocess.run([program], env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)}, capture_output=True, text=True, timeout=120)
    assert done.stdout.endswith("id=4 square=16\n5 rows as Arrow\n"), done.stderr


# ---- Arrow against pyarrow ----

needs_plain_build = pytest.mark.skipif(SANITIZED, reason="a sanitized library cannot be loaded into Python")


@pytest.fixture
def library():
    from library import Library
    return Library()


def table_of(address):
    return pa.RecordBatchReader._import_from_c(address).read_all()


@needs_plain_build
def test_rows_of_every_type_are_those_that_pyarrow_sees(library):
    table = library.query(
        "SELECT true b, CAST(-1 AS TINYINT) t, CAST(-2 AS SMALLINT) s, -3 i, -9223372036854775808 l, CAST(1.5 AS FLOAT) f, "
        "CAST('NaN' AS DOUBLE) d, CAST(-12.345 AS DECIMAL(38,3)) e, 'ä, long enough for the heap' x, X'00FF' y, DATE'1582-10-15' da, "
        "TIMESTAMP'2026-11-29 10:00:00.123456Z' ts, TIMESTAMP_NTZ'1900-01-01 00:00:00' n, array(1, NULL) a, map('k', array('v')) m, "
        "named_struct('p', 1, 'q', named_struct('r', 'z')) st, INTERVAL '14' MONTH ym, INTERVAL '1' SECOND dt, NULL v", table_of)
    (row,) = table.drop(["d", "ym", "v"]).to_pylist()
    assert row == {
        "b": True, "t": -1, "s": -2, "i": -3, "l": -2**63, "f": 1.5, "e": decimal.Decimal("-12.345"), "x": "ä, long enough for the heap",
        "y": b"\x00\xff", "da": datetime.date(1582, 10, 15), "ts": datetime.datetime(2026, 11, 29, 10, 0, 0, 123456, datetime.timezone.utc),
        "n": datetime.datetime(1900, 1, 1), "a": [1, None], "m": [("k", ["v"])], "st": {"p": 1, "q": {"r": "z"}},
        "dt": datetime.timedelta(seconds=1)}
    assert table.schema.field("e").type == pa.decimal128(38, 3)
    assert table.schema.field("ts").type == pa.timestamp("us", "UTC") and table.schema.field("n").type == pa.timestamp("us")
    assert table.schema.field("a").type.value_type == pa.int32() and table.schema.field("v").type == pa.null()
    assert pc.is_nan(table["d"]).to_pylist() == [True]


@needs_plain_build
def test_many_rows_come_in_order_with_their_nulls(library):
    table = library.query("SELECT id, CASE WHEN id % 3 > 0 THEN repeat('x', CAST(id % 20 AS INT)) END t, "
                          "CASE WHEN id % 5 > 0 THEN sequence(0, id % 4) END a FROM range(10000) ORDER BY id", table_of)
    table.validate(full=True)
    assert table["id"].to_pylist() == list(range(10000))
    assert table["t"].to_pylist() == ["x" * (i % 20) if i % 3 else None for i in range(10000)]
    assert table["a"].to_pylist() == [list(range(i % 4 + 1)) if i % 5 else None for i in range(10000)]


@needs_plain_build
def test_a_query_that_fails_on_its_way_fails_the_stream(library):
    with pytest.raises(Exception, match="division by zero|by zero"):
        library.query("SELECT 10 / (id - 3000) FROM range(5000)", table_of)


@needs_plain_build
def test_functions_in_python_get_and_give_pyarrow_arrays(library):
    schema = pa.schema([("t", pa.large_string()), ("n", pa.int32())])

    def shape(_, arguments, result, message):
        batch = pa.RecordBatch._import_from_c(arguments, schema)
        shapes = [None if t is None else {"size": len(t), "parts": t.split()[:n or 0]} for t, n in zip(*[c.to_pylist() for c in batch])]
        pa.array(shapes, pa.struct([("size", pa.int32()), ("parts", pa.list_(pa.large_string()))]))._export_to_c(result)
        return 0

    def bad(_, arguments, result, message):
        pa.array(["only one row"], pa.large_string())._export_to_c(result)
        return 0

    library.add_function("shape_of", ["string", "int"], "struct<size: int, parts: array<string>>", shape)
    library.add_function("bad", [], "string", bad)
    table = library.query("SELECT shape_of(t, n) AS s FROM VALUES ('a bc d', 2), (NULL, 1), ('ä', NULL) AS v(t, n)", table_of)
    assert table["s"].to_pylist() == [{"size": 6, "parts": ["a", "bc"]}, None, {"size": 1, "parts": []}]
    with pytest.raises(Exception, match="result of function \"bad\": an array of 1 rows instead of 2"):
        library.query("SELECT bad() FROM range(2)", table_of)
    with pytest.raises(Exception, match="there is a function \"bad\" already"):
        library.add_function("bad", [], "string", bad)
    with pytest.raises(Exception, match="\"upper\" is a function of Silt's own"):
        library.add_function("upper", [], "string", bad)
    with pytest.raises(Exception, match="the type of argument 1, \"strng\", cannot be read"):
        library.add_function("worse", ["strng"], "string", bad)


@needs_plain_build
def test_a_source_and_a_sink_in_python_are_exactly_once(library, tmp_path):
    from library import (CLOSE, COMMITTED, DONE, END, LATEST, NEXT, OPEN_SINK, OPEN_SOURCE, READ, TAKE, Sink, Source, give_text)

    rows = [{"id": i, "tags": [f"t{j}" for j in range(i % 3)] if i % 4 else None} for i in range(5000)]
    schema = pa.schema([("id", pa.int64()), ("tags", pa.list_(pa.string()))])
    taken, committed = {}, []

    def open_source(_, options, count, instance, schema_out, message):
        give_text(schema_out, "id BIGINT, tags ARRAY<STRING>")
        return DONE

    def latest(_, offset, message):
        if not rows:
            return END
        give_text(offset, json.dumps(len(rows)))
        return DONE

    def following(_, start, newest, end, message):
        give_text(end, str(min(int(start or 0) + 2000, int(newest))))
        return DONE

    def read(_, start, end, stream, message):
        table = pa.Table.from_pylist(rows[int(start or 0):int(end)], schema)
        # the child of a list is named "item" by pyarrow: names inside of lists mean nothing
        pa.RecordBatchReader.from_batches(schema, table.to_batches(max_chunksize=3000))._export_to_c(stream)
        return DONE

    def committed_to(_, end, message):
        committed.append(int(end))
        return DONE

    def take(_, batch, stream, message):
        batch = batch.contents
        got = pa.RecordBatchReader._import_from_c(stream).read_all().to_pylist()
        key = batch.query_id, batch.id
        assert taken.get(key, got) == got
        taken[key] = got
        return DONE

    library.add("source", Source(b"numbers", None, OPEN_SOURCE(open_source), CLOSE(), LATEST(latest), NEXT(following), READ(read),
                                 COMMITTED(committed_to)))
    library.add("sink", Sink(b"collect", None, OPEN_SINK(), CLOSE(), TAKE(take)))
    (tmp_path / "spark-pipeline.yml").write_text(f"name: p\nstorage: {(tmp_path / 'storage').as_uri()}\nlibraries:\n- glob: {{include: sql/**}}\n")
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql/all.sql").write_text("CREATE STREAMING TABLE t AS SELECT * FROM STREAM numbers(any => 'thing');\n"
                                          "CREATE SINK s USING collect;\n"
                                          "CREATE FLOW f AS INSERT INTO s BY NAME SELECT id, tags FROM STREAM t;\n")
    library.run(tmp_path)
    rows += [{"id": -1, "tags": []}]
    library.run(tmp_path)
    delivered = [row for _, batch in sorted(taken.items(), key=lambda item: item[0][1]) for row in batch]
    assert sorted(map(str, delivered)) == sorted(map(str, rows)) and len(delivered) == 5001
    assert committed == sorted(committed) and committed[-1] == 5001
    assert silt("sql", "-c", "SELECT count(*), sum(id) FROM t", "--format", "json", cwd=tmp_path).rows() == [(5001, sum(r["id"] for r in rows))]
