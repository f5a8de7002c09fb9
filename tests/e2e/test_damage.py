"""A damaged file never loses the good files beside it, and no record passes unaccounted.

Seeded: for each format one project of many streaming tables, each over a folder with two good files and one that is cut, has a bit flipped or is not
what its name says. The first run must, for each table, either take everything - then each record that the damage did not touch is a row, or lies
within a dead letter that names file and byte - or fail by the victim's name, with none of its rows. Then the victim is put right, and a second
run must bring every row once.
"""
import gzip
import io
import json
import random
import re
import struct
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from driver import silt

CASES = 14  # damages of one kind in a format
NAMES = ["plain", "umlaut ä", "", "quote \" and, comma", "x" * 90]


def records(first, count):
    return [{"id": number, "name": NAMES[number % len(NAMES)] + str(number)} for number in range(first, first + count)]


def avro_long(value):
    value = (value << 1) ^ (value >> 63)
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def avro_text(text):
    return avro_long(len(text.encode())) + text.encode()


def avro(rows, block=7):
    """An Avro container file with deflated blocks of a few records."""
    schema = {"type": "record", "name": "r", "fields": [{"name": "id", "type": "long"}, {"name": "name", "type": "string"}]}
    sync = bytes(range(16))
    out = b"Obj\x01" + avro_long(2) + avro_text("avro.schema") + avro_text(json.dumps(schema)) + avro_text("avro.codec") + avro_text("deflate") + avro_long(0) + sync
    for at in range(0, len(rows), block):
        some = rows[at:at + block]
        packed = zlib.compress(b"".join(avro_long(row["id"]) + avro_text(row["name"]) for row in some))[2:-4]
        out += avro_long(len(some)) + avro_long(len(packed)) + packed + sync
    return out


def json_lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def csv_lines(rows):
    return ("id,name\n" + "".join('%d,"%s"\n' % (row["id"], row["name"].replace('"', '""')) for row in rows)).encode()


def parquet(rows):
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out, row_group_size=16)
    return out.getvalue()


def zstd(data):
    return pa.Codec("zstd").compress(data, asbytes=True)


# format, suffix, bytes of rows, bytes that the reader sees
KINDS = {
    "json": ("json", "json", json_lines, lambda data: data),
    "json.gz": ("json", "json.gz", lambda rows: gzip.compress(json_lines(rows), mtime=0), lambda data: gzip.decompress(data)),
    "json.zst": ("json", "json.zst", lambda rows: zstd(json_lines(rows)), None),
    "csv": ("csv", "csv", csv_lines, lambda data: data),
    "csv.gz": ("csv", "csv.gz", lambda rows: gzip.compress(csv_lines(rows), mtime=0), lambda data: gzip.decompress(data)),
    "avro": ("avro", "avro", avro, None),
    "parquet": ("parquet", "parquet", parquet, None),
}


class Case:
    def __init__(self, number, what, victim):
        self.number, self.what, self.victim = number, what, victim

    def __repr__(self):
        return f"table t{self.number}: {self.what}"


def damages(kind, whole, dice):
    """Cut anywhere, one bit flipped anywhere, and files that are not what their names say."""
    cases = []
    places = sorted(dice.sample(range(1, len(whole)), CASES))
    for place in places:
        cases.append((f"cut at {place} of {len(whole)}", whole[:place]))
    for place in sorted(dice.sample(range(len(whole)), CASES)):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << dice.randrange(8)
        cases.append((f"a bit flipped at {place}", bytes(flipped)))
    cases.append(("bytes of another kind", parquet(records(0, 3)) if kind != "parquet" else json_lines(records(0, 3))))
    cases.append(("text", b"nothing of the sort\n"))
    cases.append(("zeros", bytes(500)))
    if kind.endswith("gz"):
        cases.append(("garbage behind the end", whole + b"garbage"))
    return [Case(number, what, victim) for number, (what, victim) in enumerate(cases)]


def make(folder, kind, cases):
    form, suffix, pack, _ = KINDS[kind]
    (folder / "transformations").mkdir()
    (folder / "spark-pipeline.yml").write_text(f"name: p\nstorage: file://{folder}/storage\nlibraries:\n- glob: {{include: transformations/**}}\n")
    statements = []
    for case in cases:
        inside = folder / f"in/{case.number}"
        inside.mkdir(parents=True)
        for name, first in (("a", 0), ("z", 10)):
            (inside / f"{name}.{suffix}").write_bytes(pack(records(first, 10)))
        (inside / f"victim.{suffix}").write_bytes(case.victim)
        header = ", header => true" if form == "csv" else ""
        statements.append(f"CREATE STREAMING TABLE t{case.number} AS SELECT id, name, _metadata.file_name AS file FROM STREAM "
                          f"read_files('in/{case.number}', format => '{form}', schema => 'id BIGINT, name STRING'{header});")
    (folder / "transformations/all.sql").write_text("\n".join(statements))


def tables(folder, cases, extra=""):
    """Rows of all tables in one call."""
    query = " UNION ALL ".join(f"SELECT {case.number} AS t, id, name, file FROM t{case.number}" for case in cases)
    out = {case.number: [] for case in cases}
    for number, ident, name, file in silt("sql", "--format", "json", "-c", query, cwd=folder).rows():
        out[number].append((ident, name, file.split(".")[0]))
    return out


def dead_letters(folder, cases):
    there = [case for case in cases if (folder / f"spark-warehouse/t{case.number}_dead_letters").is_dir()]
    out = {case.number: [] for case in cases}
    if there:
        query = " UNION ALL ".join(f"SELECT {case.number} AS t, file, position, record FROM t{case.number}_dead_letters" for case in there)
        for number, file, position, record in silt("sql", "--format", "json", "-c", query, cwd=folder).rows():
            out[number].append((file, position, record))
    return out


def good(first=0):
    return [(row["id"], row["name"], file) for file, begin in (("a", 0), ("z", 10)) for row in records(begin, 10)]


def check_balance(case, kind, whole, rows, letters, suffix):
    """Text formats: what the damage left alone is a row, or within a dead letter."""
    import base64
    unpack = KINDS[kind][3]
    seen, intact = unpack(case.victim), unpack(whole)
    ranges = []
    for file, position, record in letters:
        assert file.endswith(f"victim.{suffix}"), (case, file)
        data = base64.b64decode(record)
        assert seen[position:position + len(data)] == data, (case, position, data)
        ranges.append((position, position + len(data)))
    found = {(ident, name) for ident, name, file in rows if file == "victim"}
    at = 0
    for row, line in zip([None] * (kind.startswith("csv")) + records(20, 60), intact.splitlines(keepends=True)):
        begin, end = at, at + len(line)
        at = end
        if row is None or seen[begin:end] != line:
            continue
        covered = any(low < end and begin < high for low, high in ranges)
        if (row["id"], row["name"]) not in found and not covered:
            before = seen[:begin]
            # an opening quote in CSV takes what follows into one field: then that record is wider than its line
            assert kind.startswith("csv") and before.count(b'"') % 2 == 1 or header_hurt(kind, seen, intact), (case, row, ranges)


def header_hurt(kind, seen, intact):
    return kind.startswith("csv") and seen.split(b"\n")[0] != intact.split(b"\n")[0]


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_damaged_file_costs_the_good_ones_nothing(tmp_path, kind):
    form, suffix, pack, unpack = KINDS[kind]
    whole = pack(records(20, 60))
    cases = damages(kind, whole, random.Random(kind))
    make(tmp_path, kind, cases)
    done = silt("run", cwd=tmp_path, timeout=600)
    assert done.code in (0, 1), done
    rows, letters = tables(tmp_path, cases), dead_letters(tmp_path, cases)
    failed = {int(number) for number in re.findall(r"Flow '[\w.]*\.t(\d+)' has FAILED", done.err)}
    for case in cases:
        of_good = sorted(row for row in rows[case.number] if row[2] != "victim")
        of_victim = [row for row in rows[case.number] if row[2] == "victim"]
        if case.number in failed:
            assert re.search(rf"in/{case.number}/victim\.", done.err), (case, done)
            assert not of_victim and of_good in ([], sorted(good())), case
            continue
        assert of_good == sorted(good()), (case, done)
        if unpack and form != "parquet":
            try:
                unpack(case.victim)
            except (OSError, EOFError, zlib.error):
                assert False, (case, "was taken, but cannot be unpacked")
            check_balance(case, kind, whole, rows[case.number], letters[case.number], suffix)
    assert failed or kind in ("json", "csv"), done
    for case in cases:
        if case.number in failed:
            (tmp_path / f"in/{case.number}/victim.{suffix}").write_bytes(whole)
    silt("run", cwd=tmp_path, timeout=600).ok()
    rows = tables(tmp_path, cases)
    for case in cases:
        assert sorted(row for row in rows[case.number] if row[2] != "victim") == sorted(good()), case
        if case.number in failed:
            assert sorted((ident, name) for ident, name, file in rows[case.number] if file == "victim") == [(r["id"], r["name"]) for r in records(20, 60)], case


def test_two_gzip_members_are_one_file(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.json.gz").write_bytes(gzip.compress(json_lines(records(0, 5))) + gzip.compress(json_lines(records(5, 5))))
    found = silt("sql", "--format", "json", "-c", "SELECT id FROM read_files('in', format => 'json') ORDER BY id", cwd=tmp_path).rows()
    assert found == [(number,) for number in range(10)]


def test_an_avro_block_that_is_damaged_costs_itself_only_when_asked(tmp_path):
    whole = avro(records(0, 70), block=10)
    start = whole.index(bytes(range(16))) + 16
    hurt = bytearray(whole)
    blocks = whole[start:].split(bytes(range(16)))
    place = start + sum(len(block) + 16 for block in blocks[:2])
    hurt[place + 1 + len(avro_long(len(blocks[2])))] = 0xFF  # the third block's first packed byte: a kind of deflate that is none
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.avro").write_bytes(bytes(hurt))
    query = "SELECT id FROM read_files('in', format => 'avro'%s) ORDER BY id"
    silt("sql", "-c", query % "", cwd=tmp_path).refused("could not read the Avro block at byte .*in/a.avro", code=(1, 2))
    found = silt("sql", "--format", "json", "-c", query % ", ignoreCorruptFiles => true", cwd=tmp_path).rows()
    assert found == [(number,) for number in range(70) if not 20 <= number < 30]


def test_a_broken_checkpoint_is_passed_over_with_one_warning(project):
    """By queries and statements, beside runs: what warns is also the table that nobody's flow opens."""
    project.sql("CREATE TABLE t(id INT)").ok()
    for number in range(21):
        project.sql(f"INSERT INTO t VALUES ({number})").ok()
    log = project.table("t") / "_delta_log"
    newest = max(log.glob("*.checkpoint.parquet"))
    newest.write_bytes(newest.read_bytes()[:newest.stat().st_size // 2])
    for checksum in log.glob("*.crc"):  # they hold what the checkpoint would be read for
        checksum.unlink()
    for words in (["SELECT count(*) AS n FROM t"], ["SELECT a.id FROM t AS a JOIN t AS b ON a.id = b.id"], ["INSERT INTO t VALUES (21)"]):
        done = project.sql(*words).ok()
        assert done.err.count("is passed over") == 1 and f"version {int(newest.name[:20])}" in done.err, done.err
    assert project.value("SELECT sum(id) FROM t") == sum(range(22))
