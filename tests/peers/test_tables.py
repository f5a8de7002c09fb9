"""Tables written by Silt are read by Spark and delta-rs, value by value; what they append, Silt reads."""
import datetime
import math
from decimal import Decimal

import readers

TYPES = """CREATE OR REFRESH MATERIALIZED VIEW types AS
SELECT * FROM VALUES
  (1, TRUE, 127Y, 32767S, 2147483647, 9223372036854775807, CAST(3.4028234663852886E38 AS FLOAT), 1.7976931348623157E308D,
   9999999.99BD, CAST('9999999999999999.99' AS DECIMAL(18,2)), CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0)), 'é日本😀', X'00FF',
   DATE'9999-12-31', TIMESTAMP'9999-12-31 23:59:59.999999Z', array(1, NULL, 3), named_struct('a', 1, 'b', 'x'), map('k', 1.5D, 'n', NULL)),
  (2, FALSE, CAST(-128 AS TINYINT), CAST(-32768 AS SMALLINT), CAST(-2147483648 AS INT), CAST('-9223372036854775808' AS BIGINT), CAST('-Infinity' AS FLOAT),
   CAST('NaN' AS DOUBLE), -9999999.99BD, CAST('-9999999999999999.99' AS DECIMAL(18,2)), CAST('-99999999999999999999999999999999999999' AS DECIMAL(38,0)), '',
   X'', DATE'0001-01-01', TIMESTAMP'0001-01-01 00:00:00Z', array(), named_struct('a', NULL, 'b', NULL), map()),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
  AS t(id, bool, i8, i16, i32, i64, f32, f64, d9, d18, d38, text, bytes, day, instant, list, record, mapping)"""

WANT = [
    (1, True, 127, 32767, 2147483647, 2**63 - 1, 3.4028234663852886e38, 1.7976931348623157e308, Decimal("9999999.99"), Decimal("9999999999999999.99"),
     Decimal("9" * 38), "é日本😀", b"\x00\xff", datetime.date(9999, 12, 31), 253402300799999999, [1, None, 3], {"a": 1, "b": "x"}, {"k": 1.5, "n": None}),
    (2, False, -128, -32768, -2147483648, -2**63, -math.inf, math.nan, Decimal("-9999999.99"), Decimal("-9999999999999999.99"), Decimal("-" + "9" * 38), "",
     b"", datetime.date(1, 1, 1), -62135596800000000, [], {"a": None, "b": None}, {}),
    (3,) + (None,) * 17,
]


def same(got, want):
    """Python values, NaN equal to itself."""
    if isinstance(want, float) and math.isnan(want):
        return isinstance(got, float) and math.isnan(got)
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, dict):
        return got is not None and got.keys() == want.keys() and all(same(got[key], want[key]) for key in want)
    return got == want and isinstance(got, bool) == isinstance(want, bool)


def plain(value):
    """A Spark row or bytearray as Python's own."""
    if hasattr(value, "asDict"):
        return {key: plain(item) for key, item in value.asDict().items()}
    if isinstance(value, bytearray):
        return bytes(value)
    return value


def test_spark_reads_every_type_as_it_was(project, spark):
    project.define(TYPES)
    project.run().ok()
    frame = spark.read.format("delta").load(str(project.table("types"))).selectExpr("* EXCEPT (instant)", "unix_micros(instant) AS instant").orderBy("id")
    names = "id bool i8 i16 i32 i64 f32 f64 d9 d18 d38 text bytes day instant list record mapping".split()
    rows = [[plain(row[name]) for name in names] for row in frame.collect()]
    for got, want in zip(rows, WANT, strict=True):
        for name, a, b in zip(names, got, want):
            assert same(a, b), (name, a, b)


def test_spark_and_silt_name_the_same_types(project, spark):
    project.define(TYPES)
    project.run().ok()
    frame = spark.read.format("delta").load(str(project.table("types")))
    assert [kind for _, kind in frame.dtypes] == ["int", "boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(9,2)", "decimal(18,2)",
                                                 "decimal(38,0)", "string", "binary", "date", "timestamp", "array<int>", "struct<a:int,b:string>",
                                                 "map<string,double>"]


AWKWARD = ["a/b", "a b", "50%", "x=y", "été", "a:b", "a%2Fb", "/end/", "..", "日本", "a\tb", "a\\b", "a'b", 'a"b', "{}", "#?&", "*", "~^", "trailing."]


def test_partition_values_with_awkward_characters_are_the_same_everywhere(project, spark):
    project.json_lines("in/a.json", [{"id": id, "p": value} for id, value in enumerate(AWKWARD)] + [{"id": -1, "p": None}])
    project.define("CREATE OR REFRESH STREAMING TABLE t PARTITIONED BY (p) AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, p STRING')")
    project.run().ok()
    want = {(id, value) for id, value in enumerate(AWKWARD)} | {(-1, None)}
    table = project.table("t")
    assert {(row.id, row.p) for row in spark.read.format("delta").load(str(table)).collect()} == want
    assert set(readers.delta_rs_rows(table, "id", "p")) == want
    assert set(project.rows("SELECT id, p FROM t")) == want
    for id, value in enumerate(AWKWARD):
        frame = spark.read.format("delta").load(str(table))
        assert [row.id for row in frame.where(frame.p == value).collect()] == [id]


def test_statistics_let_spark_skip_files_and_never_a_row(project, spark):
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 1, "
                   "schema => 'id BIGINT, d DECIMAL(10,2), s STRING, at TIMESTAMP')")
    for number in range(4):
        project.json_lines(f"in/{number}.json", [{"id": number * 10 + k, "d": f"{number}.{k}5", "s": chr(97 + number) * 40 + str(k),
                                                  "at": f"2026-0{number + 1}-01T00:00:0{k}.123456Z"} for k in range(10)])
    project.run().ok()
    frame = spark.read.format("delta").load(str(project.table("t")))
    for where, rows in (("id = 25", 1), ("id >= 30", 10), ("d = 1.25", 1), ("s = '" + "c" * 40 + "3'", 1), ("at = timestamp'2026-02-01 00:00:04.123456Z'", 1),
                        ("at > timestamp'2026-04-01 00:00:09Z'", 1), ("id IS NULL", 0)):
        assert frame.where(where).count() == rows, where
        project.expect(f"SELECT count(*) FROM t WHERE {where}", [[rows]])


def test_silt_reads_what_spark_wrote(project, spark):
    table = project.folder / "by-spark"
    spark.sql("SELECT id, id % 3 AS part, CAST(id AS DECIMAL(20,5)) AS d, timestamp_micros(id * 1000003) AS at, named_struct('x', id, 'y', array(id)) AS s "
              "FROM range(100)").write.format("delta").partitionBy("part").save(str(table))
    spark.sql(f"DELETE FROM delta.`{table}` WHERE part = 1")
    total = sum(id for id in range(100) if id % 3 != 1)
    project.expect(f"SELECT count(*), sum(id), CAST(sum(d) AS STRING), count(DISTINCT at), sum(s.x), sum(s.y[0]) FROM delta.`{table}`",
                   [[67, total, f"{total}.00000", 67, total, total]])


def test_spark_and_delta_rs_append_to_a_table_while_silt_runs(project, spark):
    import pyarrow
    from deltalake import write_deltalake
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 1, schema => 'id BIGINT')")
    project.json_lines("in/first.json", [{"id": 0}])
    project.run().ok()
    for number in range(1, 40):
        project.json_lines(f"in/{number}.json", [{"id": number}])
    table = str(project.table("t"))
    process = project.start()
    foreign = 0
    while process.poll() is None or foreign < 4:
        foreign += 1
        if foreign % 2:
            spark.createDataFrame([(1000 + foreign,)], "id BIGINT").write.format("delta").mode("append").save(table)
        else:
            write_deltalake(table, pyarrow.table({"id": pyarrow.array([1000 + foreign], pyarrow.int64())}), mode="append")
    assert process.returncode == 0, (project.folder / "run.log").read_text()
    want = sorted([*range(40), *(1000 + k for k in range(1, foreign + 1))])
    assert sorted(id for (id,) in readers.delta_rs_rows(table, "id")) == want
    assert sorted(row.id for row in spark.read.format("delta").load(table).collect()) == want
    assert [id for (id,) in project.rows("SELECT id FROM t ORDER BY id")] == want


def test_a_table_with_a_checkpoint_is_read_by_all(project, spark):
    project.define("CREATE OR REFRESH STREAMING TABLE t TBLPROPERTIES ('delta.checkpointInterval' = '5') AS "
                   "SELECT * FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 1, schema => 'id BIGINT')")
    for number in range(12):
        project.json_lines(f"in/{number:02}.json", [{"id": number}])
    project.run().ok()
    log = project.table("t") / "_delta_log"
    assert list(log.glob("*.checkpoint*.parquet")) and (log / "_last_checkpoint").exists()
    for path in sorted(log.glob("*.json"))[:5]:
        path.unlink()  # older than the checkpoint: nobody needs them
    assert spark.read.format("delta").load(str(project.table("t"))).count() == 12
    assert readers.delta_rs(project.table("t")).num_rows == 12
    project.expect("SELECT count(*), sum(id) FROM t", [[12, 66]])


def test_spark_and_silt_share_a_table_with_column_mapping(project, spark):
    project.file("in/a.json", '{"id":1,"a b":"x","s":{"p q":1,"l":[{"r":2}]},"day":"2026-01-01"}\n')
    project.define("CREATE STREAMING TABLE t PARTITIONED BY (day) TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS SELECT * FROM STREAM "
                   "read_files('in', format => 'json', schema => 'id INT, `a b` STRING, s STRUCT<`p q`: INT, l: ARRAY<STRUCT<r: INT>>>, day STRING')")
    project.run().ok()
    table = f"delta.`{project.table('t')}`"
    assert [tuple(row) for row in spark.sql(f"SELECT id, `a b`, s.`p q`, s.l[0].r, day FROM {table} WHERE `a b` = 'x' AND day = '2026-01-01'").collect()] == [
        (1, "x", 1, 2, "2026-01-01")]
    spark.sql(f"INSERT INTO {table} SELECT 2, 'y', named_struct('p q', 3, 'l', array(named_struct('r', 4))), '2026-01-02'")
    project.file("in/b.json", '{"id":3,"a b":"z","s":{"p q":5,"l":[]},"day":"2026-01-01"}\n')
    project.run().ok()
    want = [(1, "x", 1, 2, "2026-01-01"), (2, "y", 3, 4, "2026-01-02"), (3, "z", 5, None, "2026-01-01")]
    query = "SELECT id, `a b`, s.`p q`, get(s.l, 0).r, day FROM {} ORDER BY id"
    assert project.rows(query.format("t")) == want
    assert [tuple(row) for row in spark.sql(query.format(table)).collect()] == want
    # renamed, dropped, made again by Spark: files are as they were, and an older version has the older names
    spark.sql(f"ALTER TABLE {table} RENAME COLUMN `a b` TO c")
    spark.sql(f"ALTER TABLE {table} RENAME COLUMN s.`p q` TO p")
    spark.sql(f"ALTER TABLE {table} DROP COLUMN id")
    spark.sql(f"ALTER TABLE {table} ADD COLUMN (id INT)")
    spark.sql(f"INSERT INTO {table} (c, day, id) VALUES ('w', '2026-01-03', 9)")
    rows = project.rows(f"SELECT id, c, s.p, day FROM {table} ORDER BY c")
    assert rows == [tuple(row) for row in spark.sql(f"SELECT id, c, s.p, day FROM {table} ORDER BY c").collect()]
    assert rows == [(9, "w", None, "2026-01-03"), (None, "x", 1, "2026-01-01"), (None, "y", 3, "2026-01-02"), (None, "z", 5, "2026-01-01")]
    assert project.rows(f"SELECT id, `a b` FROM {table} VERSION AS OF 1") == [(1, "x")]


def test_silt_reads_what_spark_wrote_in_id_mode(project, spark, tmp_path):
    table = f"delta.`{tmp_path}/t`"
    spark.sql(f"CREATE TABLE {table} (id INT, s STRUCT<a: INT>, d DECIMAL(10,2)) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'id')")
    spark.sql(f"INSERT INTO {table} VALUES (1, named_struct('a', 2), 3.50)")
    spark.sql(f"ALTER TABLE {table} RENAME COLUMN id TO `the id`")
    project.define("CREATE MATERIALIZED VIEW v AS SELECT 1 AS x")
    assert project.rows(f"SELECT `the id`, s.a, d FROM {table} WHERE `the id` = 1") == [(1, 2, Decimal("3.50"))]
