"""Every type at its extremes: written by Silt and read by Spark and delta-rs, written by Spark and read by Silt; as columns, as partitions, under filters."""
import math
import random
import struct
from decimal import Decimal

import pytest
import readers

LONG = "prefix that is shared by all and longer than thirty-two characters: "

# type -> SQL texts of values. NULL is added to each.
VALUES = {
    "BOOLEAN": ["true", "false"],
    "TINYINT": ["127Y", "CAST('-128' AS TINYINT)", "0Y"],
    "SMALLINT": ["32767S", "CAST('-32768' AS SMALLINT)", "0S"],
    "INT": ["2147483647", "CAST('-2147483648' AS INT)", "0"],
    "BIGINT": ["9223372036854775807", "CAST('-9223372036854775808' AS BIGINT)", "0L", "9007199254740993L"],
    "FLOAT": [f"CAST('{text}' AS FLOAT)" for text in ("0.0", "-0.0", "NaN", "Infinity", "-Infinity", "3.4028235E38", "1.4E-45", "0.1", "-1.5")],
    "DOUBLE": [f"CAST('{text}' AS DOUBLE)" for text in ("0.0", "-0.0", "NaN", "Infinity", "-Infinity", "1.7976931348623157E308", "4.9E-324", "0.1", "-1.5",
                                                      "9007199254740993")],
    "STRING": ["''", "'a'", "' '", r"'\0'", r"'a\0b'", r"'\n\r\t'", r"'\'\"\\'", "'é日本😀'", "'e\u0301'", "'\U0010ffff'", "'\ufffd'", "'\ufeffbom'", "'null'", "'NULL'",
               f"'{LONG}a'", f"'{LONG}b'", "'" + "\U0010ffff" * 40 + "'", "'" + "x" * 31 + "😀😀'", "'\u007f\u0080'", "'%41'"],
    "BINARY": ["X''", "X'00'", "X'FF'", "X'00FF80C328'"],
    "DATE": [f"DATE'{text}'" for text in ("0001-01-01", "9999-12-31", "1970-01-01", "1969-12-31", "1582-10-04", "1582-10-15", "1582-10-10", "2024-02-29")],
    "TIMESTAMP": [f"TIMESTAMP'{text}Z'" for text in ("0001-01-01 00:00:00", "0001-01-01 00:00:00.000001", "9999-12-31 23:59:59.999999", "1970-01-01 00:00:00",
                                                     "1969-12-31 23:59:59.999999", "1582-10-10 12:00:00", "2026-03-29 02:30:00.123456", "1900-01-01 00:00:00")],
    "TIMESTAMP_NTZ": [f"TIMESTAMP_NTZ'{text}'" for text in ("0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "1970-01-01 00:00:00", "1969-12-31 23:59:59.999999",
                                                           "2026-03-29 02:30:00.123456")],
    **{f"DECIMAL({precision},{scale})": [f"CAST('{text}' AS DECIMAL({precision},{scale}))" for text in (
        ("9" * (precision - scale) or "0") + ("." + "9" * scale if scale else ""), "-" + (("9" * (precision - scale) or "0") + ("." + "9" * scale if scale else "")), "0",
        "0." + "0" * (scale - 1) + "1" if scale else "1")] for precision, scale in ((1, 0), (1, 1), (4, 2), (9, 0), (9, 9), (10, 3), (18, 0), (18, 18), (19, 2), (38, 0), (38, 10),
                                                                              (38, 38))},
    "ARRAY<INT>": ["array()", "array(1, NULL, 3)", "array(NULL)"],
    "ARRAY<DOUBLE>": ["array(CAST('-0.0' AS DOUBLE), CAST('NaN' AS DOUBLE), NULL, 0.0D)"],
    "ARRAY<ARRAY<STRING>>": ["array(array('a', NULL), array(), NULL)"],
    "STRUCT<a: INT, b: STRING>": ["named_struct('a', 1, 'b', 'x')", "named_struct('a', NULL, 'b', NULL)"],
    "STRUCT<n: STRUCT<d: DATE, t: TIMESTAMP>, l: ARRAY<DECIMAL(5,2)>>": [
        "named_struct('n', named_struct('d', DATE'9999-12-31', 't', TIMESTAMP'2026-01-01 00:00:00.000001Z'), 'l', array(CAST('1.25' AS DECIMAL(5,2)), NULL))",
        "named_struct('n', NULL, 'l', NULL)"],
    "MAP<STRING, DOUBLE>": ["map()", "map('k', 1.5D, 'n', NULL)", "map('', CAST('NaN' AS DOUBLE))"],
    "MAP<INT, ARRAY<STRUCT<x: BIGINT>>>": ["map(1, array(named_struct('x', 1L), NULL), -2, array())"],
}
SCALARS = [kind for kind in VALUES if "<" not in kind]


def column(kind):
    return "c_" + "".join(sign if sign.isalnum() else "_" for sign in kind.lower())


def table_of_all_types():
    """One SELECT: a row per value; shorter columns are filled with NULLs."""
    rows = max(map(len, VALUES.values())) + 1
    lines = []
    for row in range(rows):
        fields = [f"CAST({values[row] if row < len(values) else 'NULL'} AS {kind.replace(': ', ':')}) AS {column(kind)}" for kind, values in VALUES.items()]
        lines.append(f"SELECT {row} AS id, {', '.join(fields)}")
    return "\nUNION ALL ".join(lines)


def exact(value):
    """A value so that only equal ones are equal: 0.0 and -0.0 differ, NaN is NaN, 1 is not 1.0."""
    if isinstance(value, float):
        return "float", "NaN" if math.isnan(value) else struct.pack(">d", value)
    if hasattr(value, "asDict"):
        return "struct", tuple((name, exact(value[name])) for name in value.asDict())
    if isinstance(value, dict):
        return "map", tuple(sorted(((exact(key), exact(item)) for key, item in value.items()), key=repr))
    if isinstance(value, (list, tuple)):
        return "list", tuple(map(exact, value))
    if isinstance(value, (bytes, bytearray)):
        return "bytes", bytes(value)
    if isinstance(value, Decimal):
        return "decimal", str(value)
    return type(value).__name__, value


def by_spark(frame):
    """Column -> texts by id. Spark prints scalars (its Python rows cannot hold year 9999 in every zone), nested values as JSON."""
    texts = []
    for name, kind in frame.dtypes:
        if name == "id":
            continue
        if kind.startswith(("array", "struct", "map")):
            texts.append(f"to_json(struct(`{name}`), map('ignoreNullFields', 'false')) AS `{name}`")
        elif kind == "binary":
            texts.append(f"hex(`{name}`) AS `{name}`")
        else:
            texts.append(f"CAST(`{name}` AS STRING) AS `{name}`")
    return {row.id: {name: row[name] for name, _ in frame.dtypes if name != "id"} for row in frame.selectExpr("id", *texts).collect()}


def assert_same(want, got):
    assert want.keys() == got.keys()
    wrong = [(id, name, want[id][name], got[id].get(name)) for id in want for name in want[id] if want[id][name] != got[id].get(name)]
    assert not wrong, f"(id, column, wanted, found): {wrong[:10]}"


@pytest.fixture
def all_types(project):
    """A table of every type, made by Silt."""
    project.define("CREATE OR REFRESH MATERIALIZED VIEW t AS\n" + table_of_all_types())
    project.run().ok()
    return project.table("t")


def test_spark_reads_of_silt_what_it_would_have_written_itself(project, spark, all_types):
    want = spark.sql(table_of_all_types())
    got = spark.read.format("delta").load(str(all_types))
    assert [(name, kind) for name, kind in got.dtypes] == want.dtypes
    assert_same(by_spark(want), by_spark(got))


def test_delta_rs_reads_of_silt_what_it_reads_of_spark(project, spark, all_types):
    import pyarrow
    theirs = project.folder / "by-spark"
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")  # delta-rs reads INT96 of the year 1 wrong
    try:
        spark.sql(table_of_all_types()).coalesce(1).write.format("delta").save(str(theirs))
    finally:
        spark.conf.unset("spark.sql.parquet.outputTimestampType")
    ours, theirs = readers.delta_rs(all_types), readers.delta_rs(theirs)
    assert ours.schema.names == theirs.schema.names
    for name in ours.schema.names:
        assert ours.schema.field(name).type == theirs.schema.field(name).type, name
    for name in ours.schema.names:
        columns = []
        for table in (ours, theirs):
            values = table.column(name)
            if str(values.type).startswith("timestamp"):
                values = values.cast(pyarrow.int64())  # Python's own end with the year 9999, in every zone
            columns.append([exact(value) for _, value in sorted(zip(table.column("id").to_pylist(), values.to_pylist()), key=lambda pair: pair[0])])
        assert columns[0] == columns[1], name


@pytest.mark.parametrize("timestamps", ["TIMESTAMP_MICROS", "INT96", "TIMESTAMP_MILLIS"])
def test_silt_reads_what_spark_wrote_of_every_type(project, spark, timestamps):
    theirs, ours = project.folder / "by-spark", project.table("t")
    spark.conf.set("spark.sql.parquet.outputTimestampType", timestamps)
    spark.conf.set("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED")
    try:
        spark.sql(table_of_all_types()).write.format("delta").save(str(theirs))
    finally:
        spark.conf.unset("spark.sql.parquet.outputTimestampType")
        spark.conf.unset("spark.sql.parquet.int96RebaseModeInWrite")
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT * FROM delta.`{theirs}`")
    project.run().ok()
    want, got = (spark.read.format("delta").load(str(path)) for path in (theirs, ours))
    assert want.dtypes == got.dtypes
    assert_same(by_spark(want), by_spark(got))


# not here: STRING (test_tables.py), and BINARY, which Silt refuses to partition by
PARTITIONS = [kind for kind in SCALARS if kind not in ("STRING", "BINARY")]


def equal_to(kind, value, rows):
    """The ids of the rows that hold this value, for which 0.0 = -0.0."""
    values = [*VALUES[kind], *["NULL"] * (len(rows) - len(VALUES[kind]))]
    zeros = {text for text in values if text.startswith(("CAST('0.0'", "CAST('-0.0'")) and kind in ("FLOAT", "DOUBLE")}
    return {id for id, other in enumerate(values) if other == value or {other, value} <= zeros}


def test_partition_values_of_every_type_are_the_same_everywhere(project, spark):
    columns = [column(kind) for kind in PARTITIONS]
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t PARTITIONED BY ({', '.join(columns)}) AS SELECT id, {', '.join(columns)} FROM ({table_of_all_types()})",
                   "CREATE OR REFRESH MATERIALIZED VIEW again AS SELECT * FROM t")
    project.run().ok()
    want = by_spark(spark.sql(table_of_all_types()).select("id", *columns))
    assert_same(want, by_spark(spark.read.format("delta").load(str(project.table("t")))))
    assert_same(want, by_spark(spark.read.format("delta").load(str(project.table("again")))))
    assert sorted(id for (id,) in readers.delta_rs_rows(project.table("t"), "id")) == list(range(len(want)))
    asked = [(kind, value) for kind in PARTITIONS for value in [*VALUES[kind], "NULL"]]
    for rows, table in ((lambda text: spark.sql(text).collect(), f"delta.`{project.table('t')}`"), (project.rows, "t")):
        found = [set() for _ in asked]
        for at in range(0, len(asked), 30):
            text = " UNION ALL ".join(f"SELECT {n} AS n, id FROM {table} WHERE {column(asked[n][0])} <=> CAST({asked[n][1]} AS {asked[n][0]})"
                                      for n in range(at, min(at + 30, len(asked))))
            for n, id in rows(text):
                found[int(n)].add(int(id))
        wrong = [(kind, value, got) for (kind, value), got in zip(asked, found) if got != equal_to(kind, value, want)]
        assert not wrong, f"in {table}: (type, value, ids found) {wrong[:8]}"


def test_silt_reads_the_partition_values_that_spark_writes(project, spark):
    columns = [column(kind) for kind in PARTITIONS]
    theirs = project.folder / "by-spark"
    spark.sql(table_of_all_types()).select("id", *columns).write.format("delta").partitionBy(*columns).save(str(theirs))
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT * FROM delta.`{theirs}`")
    project.run().ok()
    want, got = (spark.read.format("delta").load(str(path)) for path in (theirs, project.table("t")))
    assert_same(by_spark(want), by_spark(got))


def predicates(dice, count):
    made = []
    while len(made) < count:
        kind = dice.choice(SCALARS)
        value, other = dice.choice(VALUES[kind]), dice.choice(VALUES[kind])
        name = column(kind)
        made.append(dice.choice([f"{name} = {value}", f"{name} = {value}", f"{name} < {value}", f"{name} > {value}", f"{name} <= {value}", f"{name} >= {value}", f"{name} <> {value}",
                                 f"{name} IS NULL", f"{name} IS NOT NULL", f"{name} <=> {value}", f"{name} IN ({value}, {other})", f"NOT ({name} < {value})",
                                 f"{name} BETWEEN {value} AND {other}", f"{name} = {value} OR id = 3", f"{name} > {value} AND id < 9"]))
    return made


def counts(session_rows, predicates, table):
    """Rows per predicate, each under its own scan so that each prunes for itself."""
    found = {}
    for at in range(0, len(predicates), 20):
        text = " UNION ALL ".join(f"SELECT {n} AS n, count(*) AS found FROM {table} WHERE {predicates[n]}" for n in range(at, min(at + 20, len(predicates))))
        found.update((int(n), int(rows)) for n, rows in session_rows(text))
    return [found[n] for n in range(len(predicates))]


def test_no_filter_loses_a_row_by_statistics_or_by_bloom_filters(project, spark):
    """A file per few rows: data skipping of Spark, Parquet's own pruning, and Silt's, against one look at every row."""
    dice = random.Random(20261130)
    rows = max(map(len, VALUES.values())) + 1
    order = list(range(rows))
    dice.shuffle(order)
    project.define("CREATE OR REFRESH STREAMING TABLE t",
                   *(f"CREATE FLOW f{n} AS INSERT INTO ONCE t BY NAME SELECT * FROM ({table_of_all_types()}) WHERE id IN ({', '.join(map(str, order[n::5]))})" for n in range(5)))
    project.run().ok()
    assert len(readers.live(project.table("t"))) == 5
    path = project.table("t")
    chosen = predicates(dice, 60)
    spark.read.format("delta").load(str(path)).cache().createOrReplaceTempView("in_memory")
    (truth,) = spark.sql("SELECT " + ", ".join(f"count_if({text})" for text in chosen) + " FROM in_memory").collect()
    spark.catalog.clearCache()
    by_spark_pruned = counts(lambda text: spark.sql(text).collect(), chosen, f"delta.`{path}`")
    wrong = [(text, want, got) for text, want, got in zip(chosen, truth, by_spark_pruned) if want != got]
    by_silt = counts(project.rows, chosen, "t")
    wrong_here = [(text, want, got) for text, want, got in zip(chosen, truth, by_silt) if want != got]
    assert not wrong and not wrong_here, f"(filter, wanted, found): Spark {wrong[:8]}, Silt {wrong_here[:8]}"


def log_without_beginning(table, before):
    for path in (table / "_delta_log").glob("*.json"):
        if int(path.name[:20]) < before:
            path.unlink()
            (path.parent / f".{path.name}.crc").unlink(missing_ok=True)


@pytest.mark.parametrize("kind, properties, conf", [
    ("classic", {}, {}),
    ("multi-part", {}, {"spark.databricks.delta.checkpoint.partSize": "3"}),
    ("v2 as Parquet", {"delta.checkpointPolicy": "v2"}, {"spark.databricks.delta.checkpointV2.topLevelFileFormat": "parquet"}),
    ("v2 as JSON", {"delta.checkpointPolicy": "v2"}, {"spark.databricks.delta.checkpointV2.topLevelFileFormat": "json"}),
    ("without JSON statistics", {"delta.checkpoint.writeStatsAsJson": "false", "delta.checkpoint.writeStatsAsStruct": "true"}, {}),
])
def test_silt_reads_and_continues_a_table_behind_a_checkpoint_of_spark(project, spark, kind, properties, conf):
    """The commits before the checkpoint are gone: all comes from it."""
    table = project.table("t")
    for key, value in conf.items():
        spark.conf.set(key, value)
    try:
        writer = spark.sql("SELECT id, id % 4 AS p, CAST(id AS STRING) AS s, timestamp_micros(id) AS at FROM range(20)").repartition(4, "p").write.format("delta").partitionBy("p")
        writer.option("delta.checkpointInterval", "3").options(**properties).save(str(table))
        for number in range(4):
            spark.sql(f"SELECT id, id % 4 AS p, CAST(id AS STRING) AS s, timestamp_micros(id) AS at FROM range({20 + number}, {21 + number})").write.format("delta").mode("append").save(str(table))
    finally:
        for key in conf:
            spark.conf.unset(key)
    log_without_beginning(table, 3)
    names = [path.name for path in (table / "_delta_log").iterdir() if ".checkpoint." in path.name and not path.name.startswith(".")]
    assert names and (kind != "multi-part" or len(names) > 1)
    project.expect("SELECT count(*), sum(id), sum(p), max(s), max(at) FROM t", [[24, 276, 36, "9", "1970-01-01T00:00:00.000023Z"]])
    project.expect("SELECT id FROM t WHERE p = 1 AND s = '21'", [[21]])
    project.define("CREATE OR REFRESH STREAMING TABLE t PARTITIONED BY (p) AS SELECT * FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 1, "
                   "schema => 'id BIGINT, p BIGINT, s STRING, at TIMESTAMP')")
    for number in range(4):  # past the next checkpoint, which is Silt's
        project.json_lines(f"in/{number}.json", [{"id": 24 + number, "p": number, "s": str(24 + number), "at": "2026-01-01T00:00:00Z"}])
    done = project.run()
    if kind.startswith("v2"):
        if done.code:
            done.refused("v2Checkpoint", code=(1, 2))  # to be read, not to be written: said by name
            return
    done.ok()
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    frame = spark.read.format("delta").load(str(table))
    assert sorted(row.id for row in frame.collect()) == list(range(28))
    assert sorted(id for (id,) in readers.delta_rs_rows(table, "id")) == list(range(28))


def test_a_checkpoint_by_silt_keeps_every_type_of_statistics_and_partition(project, spark):
    """Behind a checkpoint of Silt, Spark and delta-rs find all rows again, prune right, and go on."""
    kinds = [kind for kind in SCALARS if kind != "BINARY"]
    partitions = ["STRING", "DATE", "TIMESTAMP", "DECIMAL(10,3)", "DOUBLE"]
    named = ["id", *(rf"replace({column(kind)}, '\0', '0') AS {column(kind)}" if kind == "STRING" else column(kind) for kind in kinds)]  # no folder has a NUL in its name
    project.define("CREATE OR REFRESH STREAMING TABLE t PARTITIONED BY (%s) TBLPROPERTIES ('delta.checkpointInterval' = '2')" % ", ".join(map(column, partitions)),
                   *(f"CREATE FLOW f{n} AS INSERT INTO ONCE t BY NAME SELECT {', '.join(named)} FROM ({table_of_all_types()}) WHERE id % 4 = {n}" for n in range(4)))
    project.run().ok()
    table = project.table("t")
    before = by_spark(spark.read.format("delta").load(str(table)))
    checkpoints = sorted(int(path.name[:20]) for path in (table / "_delta_log").glob("*.checkpoint*.parquet"))
    log_without_beginning(table, checkpoints[-1])
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    frame = spark.read.format("delta").load(str(table))
    assert_same(before, by_spark(frame))
    want = by_spark(spark.sql(table_of_all_types()))
    for id, row in before.items():
        for kind in kinds:
            name = column(kind)
            if kind not in partitions:
                assert row[name] == want[id][name], (id, name)
    assert len(readers.delta_rs_rows(table, "id")) == len(before)
    frame.where("id = 0").write.format("delta").mode("append").save(str(table))
    project.expect("SELECT count(*) FROM t", [[len(before) + 1]])
