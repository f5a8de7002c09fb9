"""Stream = batch = Spark: random files cut into random batches give the table of one batch, and the one that Spark gives over the same files.

A seed makes the schema, the records, how they are spread over files, and when `silt run` looks. SILT_SEEDS (12) says how many are tried; those
that have failed once stay in KEPT. The rows of both sides are printed by Spark, so that no function of Silt stands between file and verdict.
"""
import json
import os
import random
from collections import Counter

import pytest

KEPT = []
SEEDS = [*range(int(os.environ.get("SILT_SEEDS", "12"))), *KEPT]

# Texts of JSON values: those that fit a type, and those that may not. Left out, as Silt is not to follow Spark there: 128 to 255 for TINYINT,
# which Spark takes for -128 to -1, and text that is no base64 for BINARY, which costs Spark the whole record;
# and whole numbers in quotes for DATE, which Spark takes for days since 1970 in some records and not in others.
WHOLE = ["0", "1", "-1", "7", "127", "-128", "300", "32767", "32768", "-32769", "2147483647", "-2147483648", "2147483648", "9223372036854775807",
         "-9223372036854775808", "9223372036854775808", "123456789012345678901234567890"]
FRACTION = ["0.0", "-0.0", "1.5", "-2.25", "1e3", "1E-3", "1e300", "-1e300", "1e-300", "0.1", "3.4028234663852886E38", "1e39", "123456789.123", "0.0005", "0.0015",
            "1.0", "100.00", "12345678901234567890.125", "4.9e-324", "1e400"]
TEXT = ['""', '"a"', '"é日本😀"', r'"é\u00e9\ud83d\ude00"', r'"line\nbreak\t"', r'"quo\"te\\"', '" blank "', '"null"', '"x"', '"1"', '"1.5"', '"-3"', '"true"', r'"\/"',
        '"ab\u007f"', '"0"', '"' + "long" * 30 + '"']
DATES = ['"2026-01-31"', '"0001-01-01"', '"9999-12-31"', '"2026-02-30"', '"2026-1-1"', '"1582-10-10"', '"2024-02-29"', '"2023-02-29"', '"1969-12-31"',
         '"2026-01-31T10:00:00"', '"26-01-31"', '""']
TIMES = ['"2026-01-31T10:00:00Z"', '"2026-01-31 10:00:00.123456"', '"2026-01-31T10:00:00+05:30"', '"2026-01-31"', '"0001-01-01T00:00:00Z"',
         '"9999-12-31T23:59:59.999999Z"', '"2026-01-31T10:00"', '"2026-01-31T25:00:00"', '"2026-01-31T10:00:00.123456789Z"', '"2026-01-31T10:00:00.1Z"',
         '"1969-12-31T23:59:59.999999Z"', '"2026-01-31T10:00:00 UTC"', '"2026-01-31T10:00:00-0800"', '""']
NESTED = ["[]", "[1]", "[1, null, 3]", '["x"]', "[1.5]", "{}", '{"a": 1}', '{"a": 1, "b": "x"}', '{"b": null, "c": 1}', '{"a": "x"}', "[[1], []]", '[{"a": 1}, null]',
          '{"A": 2}', '{"a": {"b": [1, 2]}}']
BARE = ["true", "false", "null", '"NaN"', "NaN", '"Infinity"', "-Infinity"]
VALUES = {"number": WHOLE + FRACTION, "text": TEXT, "date": DATES, "time": TIMES, "nested": NESTED, "bare": BARE}

SCALARS = {"TINYINT": WHOLE, "SMALLINT": WHOLE, "INT": WHOLE, "BIGINT": WHOLE, "FLOAT": FRACTION + WHOLE, "DOUBLE": FRACTION + WHOLE, "STRING": TEXT,
           "BOOLEAN": BARE[:3], "DATE": DATES, "TIMESTAMP": TIMES, "TIMESTAMP_NTZ": TIMES, "DECIMAL(9,2)": FRACTION, "DECIMAL(18,6)": FRACTION,
           "DECIMAL(38,0)": WHOLE, "DECIMAL(38,10)": FRACTION + WHOLE, "BINARY": ['"AQID"', '""', '"YQ=="']}


def random_type(dice, depth=0):
    if depth < 2 and dice.random() < 0.25:
        kind = dice.choice(["ARRAY", "STRUCT", "MAP"])
        if kind == "ARRAY":
            return ("ARRAY", random_type(dice, depth + 1))
        if kind == "MAP":
            return ("MAP", random_type(dice, depth + 1))
        return ("STRUCT", [(name, random_type(dice, depth + 1)) for name in "abc"[:dice.randrange(1, 4)]])
    return dice.choice(list(SCALARS))


def ddl(kind):
    if isinstance(kind, str):
        return kind
    if kind[0] == "ARRAY":
        return f"ARRAY<{ddl(kind[1])}>"
    if kind[0] == "MAP":
        return f"MAP<STRING, {ddl(kind[1])}>"
    return f"STRUCT<{', '.join(f'{name}: {ddl(sub)}' for name, sub in kind[1])}>"


def json_value(dice, kind, misfits):
    """The text of a value that is meant for this type; one in twelve is meant for another."""
    if misfits and kind != "BINARY" and dice.random() < 0.08:
        value = dice.choice(VALUES[dice.choice(list(VALUES))])
        return '"x"' if kind == "DATE" and value in ('"0"', '"1"', '"-3"') else value
    if dice.random() < 0.08:
        return "null"
    if isinstance(kind, str):
        return dice.choice(SCALARS[kind])
    if kind[0] == "ARRAY":
        return f"[{', '.join(json_value(dice, kind[1], misfits) for _ in range(dice.randrange(4)))}]"
    if kind[0] == "MAP":
        return "{%s}" % ", ".join(f'"{key}": {json_value(dice, kind[1], misfits)}' for key in dice.sample(["k", "K", "", "é", "a b"], dice.randrange(4)))
    fields = [f'"{name}": {json_value(dice, sub, misfits)}' for name, sub in kind[1] if dice.random() < 0.8]
    return "{%s}" % ", ".join(fields)


def json_record(dice, id, columns, misfits):
    members = [f'"id": {id}'] + [f'"{name}": {json_value(dice, kind, misfits)}' for name, kind in columns if dice.random() < 0.85]
    if dice.random() < 0.1:
        members.append('"unknown": ' + dice.choice(NESTED + TEXT))
    dice.shuffle(members)
    return "{" + ("," if dice.random() < 0.5 else " , ").join(members) + "}"


def broken(dice, record):
    """The record as no JSON reader takes it. Not cut inside of a nested value: there Spark keeps what it has read."""
    return dice.choice([record[:-1], record[:record.index(":")], "x" + record, record.replace(":", "", 1), "not json", "{", record.replace("{", "{,", 1), "[" + record])


def spread(dice, project, folder, lines, suffix, head=""):
    """The lines over some files, in order of appearance."""
    files = [[] for _ in range(dice.randrange(1, 9))]
    for line in lines:
        dice.choice(files).append(line)
    for number, chosen in enumerate(files):
        yield lambda number=number, chosen=chosen: project.file(
            f"{folder}/{dice.randrange(1000):03}-{number}.{suffix}", head + "\n".join(chosen) + ("\n" if chosen and dice.random() < 0.8 else ""))


def printed(frame):
    """The rows as texts, by Spark: Counter. A NULL struct and a struct of NULLs stay apart."""
    columns = [f"to_json(struct(`{name}`), map('ignoreNullFields', 'false')) AS `{name}`" if kind.startswith(("array", "struct", "map"))
               else f"base64(`{name}`) AS `{name}`" if kind == "binary" else f"CAST(`{name}` AS STRING) AS `{name}`" for name, kind in sorted(frame.dtypes)]
    return Counter(tuple(row) for row in frame.selectExpr(*columns).collect())


def same(want, got, what):
    """Rows end with their id, by which those that differ are told apart."""
    missing, surplus = want - got, got - want
    if not missing and not surplus:
        return
    found = {row[-1]: row for row in surplus}
    shown = [[(n, a, b) for n, (a, b) in enumerate(zip(row, found[row[-1]])) if a != b] if row[-1] in found else row for row in sorted(missing, key=str)]
    alone = [row for row in surplus if row[-1] not in {row[-1] for row in missing}]
    raise AssertionError(f"{what}: {missing.total()} rows missing, {surplus.total()} not wanted; (column, wanted, found) or the missing row: {shown[:6]}; "
                         f"found alone: {alone[:3]}")


def compare(project, spark, dice, format, schema, lines, options, head="", clean=None):
    """Runs Silt in random batches and at once, and Spark; the three must agree."""
    text = "".join(f", {key} => '{value}'" for key, value in options.items())
    source = f"read_files('in', format => '{format}', schema => '{schema}'{text}"
    project.define(f"CREATE OR REFRESH STREAMING TABLE pieces AS SELECT * FROM STREAM {source}, maxFilesPerTrigger => {dice.randrange(1, 4)})")
    for put in spread(dice, project, "in", lines, format, head):
        put()
        if dice.random() < 0.4:
            project.run().ok()
    project.define(f"CREATE OR REFRESH STREAMING TABLE whole AS SELECT * FROM STREAM {source})", file="whole.sql")
    project.run().ok()
    pieces, whole = (spark.read.format("delta").load(str(project.table(name))) for name in ("pieces", "whole"))
    folder = project.folder / "in"
    if clean is not None:
        folder = project.folder / "clean"
        project.file(f"clean/all.{format}", head + "".join(line + "\n" for line in clean))
    reader = spark.read.schema(schema).format(format)
    for key, value in options.items():
        reader = reader.option(key, value)
    frame = reader.load(str(folder))
    if "_corrupt_record" in schema:
        frame = frame.cache()  # Spark refuses to look at that column alone
    want = printed(frame)
    spark.catalog.clearCache()
    got = printed(whole)
    same(want, got, f"Silt (wanted: Spark) over {schema} {options}")
    same(got, printed(pieces), f"many batches (wanted: one batch) over {schema}")
    return project


@pytest.mark.parametrize("seed", SEEDS)
def test_random_json_files_give_what_spark_gives(project, spark, seed):
    dice = random.Random(seed)
    columns = [(f"c{number}", random_type(dice)) for number in range(dice.randrange(1, 9))]
    schema = ", ".join(["id BIGINT", *(f"{name} {ddl(kind)}" for name, kind in columns)])
    mode = dice.choice([None, None, "PERMISSIVE", "DROPMALFORMED"])
    good = [json_record(dice, id, columns, misfits=True) for id in range(dice.randrange(1, 300))]
    bad = [broken(dice, dice.choice(good)) for _ in range(dice.choice([0, 0, 3, 20]))]
    lines = good + bad
    dice.shuffle(lines)
    if mode is None:  # what cannot be decoded makes no row, and is kept beside the table
        compare(project, spark, dice, "json", schema, lines, {}, clean=good)
        if bad:
            project.expect("SELECT count(*) FROM whole_dead_letters", [[len(bad)]])
            project.expect("SELECT count(*) FROM pieces_dead_letters", [[len(bad)]])
        return
    if mode == "PERMISSIVE" and dice.random() < 0.7:
        schema += ", _corrupt_record STRING"
    compare(project, spark, dice, "json", schema, lines, {"mode": mode})


CSV_TYPES = [kind for kind in SCALARS if kind != "BINARY"]


def csv_field(dice, kind, misfits):
    if misfits and dice.random() < 0.08:
        kind = dice.choice(CSV_TYPES)
    if dice.random() < 0.08:
        return ""
    text = dice.choice(SCALARS[kind])
    text = json.loads(text) if text.startswith('"') else text
    if not text and kind == "STRING":
        return "x"  # a quoted empty field is a text to Silt and NULL to Spark
    if dice.random() < 0.2 or any(sign in text for sign in ',"\n\r\\') or text != text.strip() or not text:
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
    return text


@pytest.mark.parametrize("seed", SEEDS)
def test_random_csv_files_give_what_spark_gives(project, spark, seed):
    dice = random.Random(1_000_000 + seed)
    columns = [(f"c{number}", dice.choice(CSV_TYPES)) for number in range(dice.randrange(1, 9))]
    schema = ", ".join(["id BIGINT", *(f"{name} {kind}" for name, kind in columns)])
    mode = dice.choice([None, "PERMISSIVE", "DROPMALFORMED"])
    lines = [",".join([str(id), *(csv_field(dice, kind, True) for _, kind in columns)]) for id in range(dice.randrange(1, 300))]
    if mode is not None:
        for _ in range(dice.choice([0, 3, 20])):
            line = dice.choice(lines)
            lines.append(dice.choice([line + ",1", line + ",,", line.rpartition(",")[0] or "7", "7"]))
    dice.shuffle(lines)
    if mode == "PERMISSIVE" and dice.random() < 0.7:
        schema += ", _corrupt_record STRING"
    compare(project, spark, dice, "csv", schema, lines, {"header": "true", **({"mode": mode} if mode else {})}, head=",".join(["id", *(name for name, _ in columns)]) + "\n")


@pytest.mark.parametrize("line", ['{"id": 1', '{"id": "x"}', '{"id": 1}}', "[1", '{"id": 1.5}', '{"id": 9223372036854775808}'])
def test_failfast_fails_where_spark_fails(project, spark, line):
    project.file("in/a.json", f'{{"id": 0}}\n{line}\n')
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT', mode => 'FAILFAST')")
    try:
        rows = [row.id for row in spark.read.schema("id BIGINT").option("mode", "FAILFAST").json(str(project.folder / "in")).collect()]
    except Exception:  # noqa: BLE001 - py4j's own, or Spark's
        rows = None
    done = project.run()
    if rows is None:
        done.refused("a.json", code=1)
        assert not (project.table("t") / "_delta_log").exists() or project.value("SELECT count(*) FROM t") == 0
    else:
        done.ok()
        project.expect("SELECT id FROM t", [[row] for row in rows])
