"""CREATE TABLE, INSERT and ALTER TABLE by Silt, Spark and delta-rs on the same table: each reads what the others did."""
import datetime
from decimal import Decimal

import pyarrow
import pytest
import readers
from deltalake import write_deltalake
from test_tables import plain, same

COLUMNS = [
    ("id", "BIGINT NOT NULL", "1", 1),
    ("bool", "BOOLEAN", "true", True),
    ("i8", "TINYINT", "-128", -128),
    ("i16", "SMALLINT", "32767", 32767),
    ("i32", "INT", "-2147483648", -2**31),
    ("f32", "FLOAT", "'-Infinity'", float("-inf")),
    ("f64", "DOUBLE", "'NaN'", float("nan")),
    ("d9", "DECIMAL(9,2)", "'1234567.885'", Decimal("1234567.89")),
    ("d18", "DECIMAL(18,2)", "-9999999999999999.99", Decimal("-9999999999999999.99")),
    ("d38", "DECIMAL(38,0)", "99999999999999999999999999999999999999", Decimal("9" * 38)),
    ("text", "STRING COMMENT 'wörds'", "'é日本😀'", "é日本😀"),
    ("bytes", "BINARY", "X'00FF'", b"\x00\xff"),
    ("day", "DATE", "'9999-12-31'", datetime.date(9999, 12, 31)),
    ("instant", "TIMESTAMP", "'2026-11-29 10:00:00.123456Z'", datetime.datetime(2026, 11, 29, 10, 0, 0, 123456)),
    ("local", "TIMESTAMP_NTZ", "'2026-11-29 10:00:00.123456'", datetime.datetime(2026, 11, 29, 10, 0, 0, 123456)),
    ("list", "ARRAY<INT>", "array(1, NULL, 3)", [1, None, 3]),
    ("record", "STRUCT<a: INT, b: STRUCT<c: STRING>>", "named_struct('a', 1, 'b', named_struct('c', 'x'))", {"a": 1, "b": {"c": "x"}}),
    ("mapping", "MAP<STRING, DOUBLE>", "map('k', 1.5D, 'n', NULL)", {"k": 1.5, "n": None}),
]
VALUES = ", ".join(value for _, _, value, _ in COLUMNS)
NULLS = ", ".join(["{}", *["NULL"] * (len(COLUMNS) - 1)])


def at(project, name="t"):
    return f"delta.`{project.table(name)}`"


def spark_rows(spark, query):
    return [tuple(plain(value) for value in row) for row in spark.sql(query).collect()]


def as_silt_shows(project, spark, query):
    """The rows of a query, which both tell the same."""
    rows = spark_rows(spark, query.format(at(project)))
    assert project.rows(query.format("t")) == rows
    return rows


@pytest.mark.parametrize("properties", ["", "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"], ids=["plain", "mapped"])
@pytest.mark.parametrize("partitioned", ["", "PARTITIONED BY (day, d9, text)"], ids=["whole", "partitioned"])
def test_every_type_of_a_table_that_silt_makes_is_the_same_in_spark(project, spark, properties, partitioned):
    columns = ", ".join(f"{name} {kind}" for name, kind, _, _ in COLUMNS)
    project.sql(f"CREATE TABLE t ({columns}) {partitioned} COMMENT 'a table' {properties}").ok()
    spark.sql(f"CREATE TABLE {at(project, 'u')} ({columns}) USING delta {partitioned} COMMENT 'a table' {properties}")
    project.sql(f"INSERT INTO t SELECT {VALUES}; INSERT INTO t VALUES ({NULLS.format(2)})").ok()
    assert spark.table(at(project)).schema.jsonValue() == spark.table(at(project, "u")).schema.jsonValue()
    ours, theirs = (spark.sql("DESCRIBE DETAIL " + at(project, name)).select("description", "partitionColumns", "minReaderVersion", "minWriterVersion",
                                                                            "tableFeatures").collect() for name in "tu")
    assert ours == theirs
    spark.sql(f"INSERT INTO {at(project)} SELECT id + 2, * EXCEPT (id) FROM {at(project)}")
    rows = sorted(spark_rows(spark, f"SELECT * EXCEPT (instant), CAST(instant AS TIMESTAMP_NTZ) AS instant FROM {at(project)}"))
    names = [name for name, *_ in COLUMNS if name != "instant"] + ["instant"]
    want = {name: value for name, _, _, value in COLUMNS}
    assert len(rows) == 4
    for row, id in zip(rows, (1, 2, 3, 4)):
        for name, value in zip(names, row):
            expected = id if name == "id" else want[name] if id % 2 else None
            assert same(value, expected), (id, name, value, expected)
    others = ", ".join(name for name, *_ in COLUMNS if name != "id")
    assert project.rows(f"SELECT count(*), count(DISTINCT to_json(struct({others}))) FROM t") == [(4, 2)], "what Spark copied is the same to Silt"
    project.expect("SELECT id, d9, d18, d38, text, day, record.b.c, mapping['k'] FROM t WHERE id IN (1, 3)",
                   [(id, Decimal("1234567.89"), Decimal("-9999999999999999.99"), Decimal("9" * 38), "é日本😀", "9999-12-31", "x", 1.5) for id in (1, 3)])
    if not properties:
        got = readers.delta_rs(project.table("t"))
        assert sorted(got.column("id").to_pylist()) == [1, 2, 3, 4]
        assert sorted(map(str, got.column("d9").to_pylist())) == ["1234567.89", "1234567.89", "None", "None"]


def test_columns_go_by_turns_through_alter_table(project, spark):
    project.sql("CREATE TABLE t (id INT, s STRUCT<a: INT, `b c`: STRING>, p STRING) PARTITIONED BY (p) TBLPROPERTIES ('delta.columnMapping.mode' = 'name')").ok()
    project.sql("INSERT INTO t VALUES (1, named_struct('a', 1, 'b c', 'x'), 'u/v')").ok()
    spark.sql(f"ALTER TABLE {at(project)} RENAME COLUMN s.a TO `a 1`")
    spark.sql(f"INSERT INTO {at(project)} VALUES (2, named_struct('a 1', 2, 'b c', 'y'), NULL)")
    project.sql("ALTER TABLE t RENAME COLUMN p TO `the part`; ALTER TABLE t ADD COLUMNS (s.n DECIMAL(5,1) COMMENT 'new', z TIMESTAMP); "
                "INSERT INTO t VALUES (3, named_struct('a', 3, 'b', 'z', 'n', 1.5), 'w', '2026-01-01')").ok()
    query = "SELECT id, s.`a 1`, s.`b c`, s.n, `the part`, z IS NULL FROM {} ORDER BY id"
    rows = [(1, 1, "x", None, "u/v", True), (2, 2, "y", None, None, True), (3, 3, "z", Decimal("1.5"), "w", False)]
    assert as_silt_shows(project, spark, query) == rows
    spark.sql(f"ALTER TABLE {at(project)} DROP COLUMN z")
    spark.sql(f"ALTER TABLE {at(project)} ADD COLUMN (z INT)")
    spark.sql(f"INSERT INTO {at(project)} VALUES (4, NULL, 'w', 40)")
    assert as_silt_shows(project, spark, "SELECT id, z FROM {} WHERE `the part` = 'w' ORDER BY id") == [(3, None), (4, 40)]
    project.sql("ALTER TABLE t DROP COLUMNS (z, s.`b c`); ALTER TABLE t ADD COLUMN z STRING; INSERT OVERWRITE t SELECT id, s, `the part`, 'q' FROM t WHERE id > 2").ok()
    assert as_silt_shows(project, spark, "SELECT id, s.`a 1`, s.n, z, `the part` FROM {} ORDER BY id") == [
        (3, 3, Decimal("1.5"), "q", "w"), (4, None, None, "q", "w")]
    fields = spark.table(at(project)).schema.jsonValue()["fields"]
    assert [field["name"] for field in fields] == ["id", "s", "the part", "z"] and fields[1]["type"]["fields"][1]["metadata"] == {"comment": "new"}
    assert as_silt_shows(project, spark, "SELECT count(*) FROM {} VERSION AS OF 1") == [(1,)]


def test_mapping_switched_on_later_keeps_what_all_had_written(project, spark):
    project.sql("CREATE TABLE t (id INT, `select` STRING); INSERT INTO t VALUES (1, 'silt')").ok()
    write_deltalake(str(project.table("t")), pyarrow.table({"id": pyarrow.array([2], pyarrow.int32()), "select": ["delta-rs"]}), mode="append")
    spark.sql(f"INSERT INTO {at(project)} VALUES (3, 'spark')")
    project.sql("ALTER TABLE t SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5'); "
                "ALTER TABLE t RENAME COLUMN `select` TO who; INSERT INTO t VALUES (4, 'silt again')").ok()
    spark.sql(f"INSERT INTO {at(project)} VALUES (5, 'spark again')")
    assert as_silt_shows(project, spark, "SELECT id, who FROM {} ORDER BY id") == [(1, "silt"), (2, "delta-rs"), (3, "spark"), (4, "silt again"), (5, "spark again")]


def test_not_null_holds_for_whoever_writes(project, spark):
    project.sql("CREATE TABLE t (id INT NOT NULL, s STRUCT<a: INT NOT NULL> NOT NULL); INSERT INTO t VALUES (1, named_struct('a', 1))").ok()
    for values in ("NULL, named_struct('a', 1)", "2, NULL", "2, named_struct('a', NULL)"):
        with pytest.raises(Exception, match="NOT_NULL|NOT NULL"):
            spark.sql(f"INSERT INTO {at(project)} VALUES ({values})")
        assert "NOT NULL" in project.sql(f"INSERT INTO t VALUES ({values})").err
    spark.sql(f"CREATE TABLE {at(project, 'u')} (s STRUCT<a: INT NOT NULL>) USING delta")
    for values in ("NULL", "named_struct('a', NULL)"):
        with pytest.raises(Exception, match="NOT_NULL|NOT NULL"):
            spark.sql(f"INSERT INTO {at(project, 'u')} VALUES ({values})")
        assert "NOT NULL" in project.sql(f"INSERT INTO u VALUES ({values})").err
    with pytest.raises(Exception, match="DELTA_NESTED_NOT_NULL_CONSTRAINT"):
        spark.sql(f"CREATE TABLE {at(project, 'v')} (l ARRAY<STRUCT<a: INT NOT NULL>>) USING delta")
    assert "NOT NULL inside" in project.sql("CREATE TABLE v (l ARRAY<STRUCT<a: INT NOT NULL>>)").err
    assert as_silt_shows(project, spark, "SELECT id, s.a FROM {}") == [(1, 1)]


def test_properties_of_silt_bind_spark_and_those_of_spark_silt(project, spark):
    project.sql("CREATE TABLE t (id INT) TBLPROPERTIES ('delta.appendOnly' = 'true', 'mine' = 'x'); INSERT INTO t VALUES (1)").ok()
    with pytest.raises(Exception, match="DELTA_CANNOT_MODIFY_APPEND_ONLY|append"):
        spark.sql(f"DELETE FROM {at(project)}")
    assert "appendOnly" in project.sql("INSERT OVERWRITE t VALUES (2)").err
    spark.sql(f"ALTER TABLE {at(project)} UNSET TBLPROPERTIES ('delta.appendOnly')")
    project.sql("INSERT OVERWRITE t VALUES (2); ALTER TABLE t UNSET TBLPROPERTIES ('mine')").ok()
    assert as_silt_shows(project, spark, "SELECT id FROM {}") == [(2,)]
    assert {row.key for row in spark.sql(f"SHOW TBLPROPERTIES {at(project)}").collect()} == {"delta.minReaderVersion", "delta.minWriterVersion"}


@pytest.mark.parametrize("columns, more, feature", [
    ("id INT", "ALTER TABLE {} ADD CONSTRAINT positive CHECK (id > 0)", "checkConstraints"),
    ("id INT, twice INT GENERATED ALWAYS AS (id * 2)", None, "generatedColumns"),
    ("id INT, k BIGINT GENERATED ALWAYS AS IDENTITY", None, "identityColumns"),
    ("id INT, k INT DEFAULT 5", None, "allowColumnDefaults"),
])
def test_what_silt_cannot_hold_to_is_not_written(project, spark, columns, more, feature):
    supports = "TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')" if "DEFAULT" in columns else ""
    name = f"made_{feature}"
    spark.sql(f"CREATE TABLE {name} ({columns}) USING delta LOCATION '{project.table('t')}' {supports}")
    if more:
        spark.sql(more.format(at(project)))
    before = readers.commits(project.table("t"))
    for statement in ("INSERT INTO t (id) VALUES (1)", "INSERT OVERWRITE t (id) SELECT 1", "ALTER TABLE t ADD COLUMN z INT"):
        assert feature in project.sql(statement).refused(code=(1, 2)).err, statement
    assert readers.commits(project.table("t")) == before
    spark.sql(f"DROP TABLE {name}")


def test_rows_are_added_beside_deletion_vectors_and_not_made_from_them(project, spark):
    """Silt does not read files with a deletion vector: what would need that is refused, an INSERT is not."""
    spark.sql(f"CREATE TABLE {at(project)} (id INT) USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")
    spark.range(10).selectExpr("CAST(id AS INT) AS id").coalesce(1).write.format("delta").mode("append").save(str(project.table("t")))
    spark.sql(f"DELETE FROM {at(project)} WHERE id % 2 = 0")
    project.sql("INSERT INTO t VALUES (100)").ok()
    query = f"SELECT id FROM {at(project)} ORDER BY id"
    assert spark_rows(spark, query) == [(1,), (3,), (5,), (7,), (9,), (100,)]
    for statement in ("SELECT id FROM t", "INSERT OVERWRITE t SELECT id + 1 FROM t"):
        project.sql(statement).refused("deletionVectors", code=(1, 2))
    project.sql("INSERT OVERWRITE t VALUES (8), (9)").ok()
    assert as_silt_shows(project, spark, "SELECT id FROM {} ORDER BY id") == [(8,), (9,)]
    spark.sql(f"DELETE FROM {at(project)} WHERE id = 9")
    assert spark_rows(spark, query) == [(8,)]


def test_a_stream_of_spark_goes_on_over_inserts_of_silt(project, spark):
    project.sql("CREATE TABLE t (id INT)").ok()
    out, checkpoint = project.folder / "out", project.folder / "checkpoint"

    def follow():
        query = (spark.readStream.format("delta").load(str(project.table("t"))).writeStream.format("delta").option("checkpointLocation", str(checkpoint))
                 .trigger(availableNow=True).start(str(out)))
        assert query.awaitTermination(120) and query.exception() is None
        return sorted(row.id for row in spark.read.format("delta").load(str(out)).collect())

    project.sql("INSERT INTO t VALUES (1), (2)").ok()
    assert follow() == [1, 2]
    project.sql("INSERT INTO t VALUES (3); ALTER TABLE t SET TBLPROPERTIES ('a' = 'b'); INSERT INTO t SELECT id + 10 FROM t").ok()
    assert follow() == [1, 2, 3, 11, 12, 13]
