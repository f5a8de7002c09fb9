"""Type widening between Silt, Spark and delta-rs: what one has widened, the others read, write and widen on, or refuse by name."""
import datetime
import json
from decimal import Decimal

import readers

CHANGES = ["a TYPE DOUBLE", "b TYPE DECIMAL(12,2)", "c TYPE BIGINT", "c TYPE DECIMAL(20,0)", "d TYPE DECIMAL(22,1)", "e TYPE DOUBLE", "f TYPE DECIMAL(12,4)", "g TYPE TIMESTAMP_NTZ",
           "s.x TYPE BIGINT", "s.arr.element TYPE INT", "m.key TYPE INT", "m.value TYPE BIGINT", "l.element.element TYPE BIGINT", "p TYPE BIGINT"]
COLUMNS = ("id INT, a TINYINT, b SMALLINT, c INT, d BIGINT, e FLOAT, f DECIMAL(10,2), g DATE, s STRUCT<x: INT, arr: ARRAY<SMALLINT>>, m MAP<SMALLINT, INT>, "
           "l ARRAY<ARRAY<INT>>, p INT")
WIDENS = "TBLPROPERTIES ('delta.enableTypeWidening' = 'true', 'delta.feature.timestampNtz' = 'supported')"
BEFORE = "SELECT 1, 1Y, 2S, 3, 4L, CAST(0.1 AS FLOAT), 5.25BD, DATE'2020-02-29', named_struct('x', 1, 'arr', array(7S)), map(1S, 2), array(array(1, 2)), 7"
AFTER = ("SELECT 2, 0.5D, 9999999999.99BD, 99999999999999999999BD, 999999999999999999999.5BD, 1e300D, 12345678.1234BD, TIMESTAMP_NTZ'2024-02-29 12:00:00.000001', "
         "named_struct('x', 3000000000, 'arr', array(70000)), map(70000, 3000000000), array(array(3000000000)), 3000000000")
SHOWN = ("id, CAST(a AS STRING) AS a, CAST(b AS STRING) AS b, CAST(c AS STRING) AS c, CAST(d AS STRING) AS d, CAST(e AS STRING) AS e, CAST(f AS STRING) AS f, CAST(g AS STRING) AS g, "
         "s.x AS x, s.arr[0] AS arr, map_keys(m)[0] AS mk, map_values(m)[0] AS mv, l[0][0] AS l, p")
WANT = [(1, "1.0", "2.00", "3", "4.0", "0.10000000149011612", "5.2500", "2020-02-29 00:00:00", 1, 7, 1, 2, 1, 7),
        (2, "0.5", "9999999999.99", "99999999999999999999", "999999999999999999999.5", "1.0E300", "12345678.1234", "2024-02-29 12:00:00.000001", 3000000000, 70000, 70000, 3000000000,
         3000000000, 3000000000)]
CONDITIONS = ["a = 1", "b = 2", "c = 3", "d = 4", "e < 1", "f = 5.25", "g = TIMESTAMP_NTZ'2020-02-29 00:00:00'", "s.x = 1", "p = 7", "c < 99999999999999999999", "p < 3000000000"]


def by_spark(spark, table, where="TRUE"):
    return [tuple(row) for row in spark.sql(f"SELECT {SHOWN} FROM delta.`{table}` WHERE {where} ORDER BY id").collect()]


def by_delta_rs(table):
    """Rows, or None where this delta-rs does not know the feature: it then has to say so."""
    from deltalake.exceptions import DeltaError
    try:
        rows = sorted(readers.delta_rs(table).to_pylist(), key=lambda row: row["id"])
    except DeltaError as error:
        assert "TypeWidening" in str(error)
        return None
    return [(row["id"], row["a"], row["b"], row["c"], row["d"], row["f"], row["g"], row["s"], dict(row["m"]), row["l"], row["p"]) for row in rows]


DELTA_RS_WANT = [(1, 1.0, Decimal("2.00"), Decimal(3), Decimal("4.0"), Decimal("5.2500"), datetime.datetime(2020, 2, 29), {"x": 1, "arr": [7]}, {1: 2}, [[1, 2]], 7),
                 (2, 0.5, Decimal("9999999999.99"), Decimal("99999999999999999999"), Decimal("999999999999999999999.5"), Decimal("12345678.1234"),
                  datetime.datetime(2024, 2, 29, 12, 0, 0, 1), {"x": 3000000000, "arr": [70000]}, {70000: 3000000000}, [[3000000000]], 3000000000)]


def types_of(table):
    return {field["name"]: field for field in json.loads(readers.actions(table, "metaData")[-1][1]["schemaString"])["fields"]}


def test_what_silt_widens_the_others_read(project, spark):
    table = project.table("t")
    project.sql(f"CREATE TABLE t ({COLUMNS}) PARTITIONED BY (p) TBLPROPERTIES ('delta.enableTypeWidening' = 'true')", f"INSERT INTO t {BEFORE}",
                *(f"ALTER TABLE t ALTER COLUMN {change}" for change in CHANGES), f"INSERT INTO t {AFTER}").ok()
    assert by_spark(spark, table) == WANT
    for condition in CONDITIONS:
        assert by_spark(spark, table, condition) == WANT[:1], condition
        assert [row[0] for row in project.rows(f"SELECT id FROM t WHERE {condition}")] == [1], condition
    assert by_delta_rs(table) in (None, DELTA_RS_WANT)
    spark.sql(f"ALTER TABLE delta.`{table}` ALTER COLUMN id TYPE BIGINT")
    spark.sql(f"INSERT INTO delta.`{table}` SELECT 3000000000, * EXCEPT (id) FROM delta.`{table}` WHERE id = 2")
    assert project.rows("SELECT id FROM t ORDER BY id") == [(1,), (2,), (3000000000,)]


def test_what_spark_widens_silt_reads_and_widens_on(project, spark):
    table = project.table("t")
    table.parent.mkdir(parents=True, exist_ok=True)
    spark.sql(f"CREATE TABLE delta.`{table}` ({COLUMNS}) USING DELTA PARTITIONED BY (p) {WIDENS}")
    spark.sql(f"INSERT INTO delta.`{table}` {BEFORE}")
    for change in CHANGES:
        spark.sql(f"ALTER TABLE delta.`{table}` ALTER COLUMN {change}")
    noted = types_of(table)
    spark.sql(f"INSERT INTO delta.`{table}` {AFTER}")
    assert project.rows(f"SELECT {SHOWN} FROM t ORDER BY id") == WANT
    for condition in CONDITIONS:
        assert [row[0] for row in project.rows(f"SELECT id FROM t WHERE {condition}")] == [1], condition
    project.sql("ALTER TABLE t ALTER COLUMN id TYPE BIGINT", "INSERT INTO t (id, p) VALUES (3000000000, 1)").ok()
    after = types_of(table)
    assert after.pop("id")["metadata"] == {"delta.typeChanges": [{"toType": "long", "fromType": "integer"}]} and noted.pop("id")["type"] == "integer"
    assert after == noted, "what Spark has noted stays"
    assert [row.id for row in spark.sql(f"SELECT id FROM delta.`{table}` ORDER BY id").collect()] == [1, 2, 3000000000]
    fresh = project.folder / "by-silt"
    project.sql(f"CREATE TABLE delta.`{fresh}` ({COLUMNS}) PARTITIONED BY (p) TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
                *(f"ALTER TABLE delta.`{fresh}` ALTER COLUMN {change}" for change in [*CHANGES, "id TYPE BIGINT"])).ok()
    assert types_of(fresh) == types_of(table), "both note the same"


def test_a_checkpoint_of_spark_with_statistics_of_before(project, spark):
    table = project.table("t")
    table.parent.mkdir(parents=True, exist_ok=True)
    for policy in ("classic", "v2"):
        here = f"{table}_{policy}"
        spark.sql(f"CREATE TABLE delta.`{here}` (id INT, x FLOAT, d DATE, n DECIMAL(5,2)) USING DELTA TBLPROPERTIES ('delta.enableTypeWidening' = 'true', "
                  f"'delta.feature.timestampNtz' = 'supported', 'delta.checkpointPolicy' = '{policy}', 'delta.checkpointInterval' = '3', "
                  "'delta.checkpoint.writeStatsAsJson' = 'false', 'delta.checkpoint.writeStatsAsStruct' = 'true')")
        spark.sql(f"INSERT INTO delta.`{here}` SELECT 1, CAST(0.1 AS FLOAT), DATE'2020-02-29', 999.99")
        spark.sql(f"INSERT INTO delta.`{here}` SELECT 2, CAST(0.2 AS FLOAT), DATE'2020-03-01', 1.00")
        spark.sql(f"INSERT INTO delta.`{here}` SELECT 3, CAST(0.3 AS FLOAT), DATE'2020-03-02', 2.00")
        for change in ("id TYPE BIGINT", "x TYPE DOUBLE", "d TYPE TIMESTAMP_NTZ", "n TYPE DECIMAL(8,3)"):
            spark.sql(f"ALTER TABLE delta.`{here}` ALTER COLUMN {change}")
        spark.sql(f"INSERT INTO delta.`{here}` SELECT 3000000000, 1e300D, TIMESTAMP_NTZ'2024-01-01 00:00:01', 12345.125")
        assert list((table.parent / here / "_delta_log").glob("*checkpoint*"))
        for commit in sorted((table.parent / here / "_delta_log").glob("0*.json"))[:6]:
            if "checkpoint" not in commit.name:
                commit.unlink()
        for condition, ids in (("TRUE", [1, 2, 3, 3000000000]), ("id = 1", [1]), ("id > 3", [3000000000]), ("x < 0.15", [1]), ("n = 999.99", [1]), ("d >= TIMESTAMP_NTZ'2020-03-02 00:00:00'", [3, 3000000000])):
            assert [row[0] for row in project.rows(f"SELECT id FROM delta.`{here}` WHERE {condition} ORDER BY id")] == ids, (policy, condition)


def test_a_stream_of_spark_into_a_table_that_silt_widened(project, spark):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE STREAMING TABLE t TBLPROPERTIES ('delta.enableTypeWidening' = 'true') AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT')")
    project.run().ok()
    spark.sql(f"ALTER TABLE delta.`{project.table('t')}` ALTER COLUMN id TYPE BIGINT")
    spark.sql(f"INSERT INTO delta.`{project.table('t')}` VALUES (3000000000)")
    project.json_lines("in/b.json", [{"id": 2}])
    project.run().ok()
    assert [row.id for row in spark.read.format("delta").load(str(project.table("t"))).orderBy("id").collect()] == [1, 2, 3000000000]
