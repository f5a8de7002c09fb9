"""VARIANT columns to and from Spark 4.2, which marks them in Parquet and shreds them when it is told to."""
import pytest

# What a VARIANT can hold, as Spark and Silt write it.
VALUES = [
    "CAST(NULL AS VARIANT)", "parse_json('null')", "CAST(true AS VARIANT)", "CAST(false AS VARIANT)", "CAST(1Y AS VARIANT)", "CAST(300S AS VARIANT)", "CAST(70000 AS VARIANT)",
    "CAST(-9007199254740993L AS VARIANT)", "CAST(1.5D AS VARIANT)", "CAST(CAST(0.1 AS FLOAT) AS VARIANT)", "CAST(1.50BD AS VARIANT)",
    "CAST(CAST('12345678901.2340' AS DECIMAL(18,4)) AS VARIANT)", "CAST(CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS VARIANT)",
    "CAST(DATE'1582-10-14' AS VARIANT)", "CAST(TIMESTAMP'2026-01-02 03:04:05.678901Z' AS VARIANT)", "CAST(TIMESTAMP_NTZ'2026-01-02 03:04:05.678901' AS VARIANT)",
    "CAST(X'00FF10' AS VARIANT)", "CAST('' AS VARIANT)", "CAST('short é😀' AS VARIANT)", "CAST(repeat('long ', 30) AS VARIANT)", "CAST(CAST('NaN' AS DOUBLE) AS VARIANT)",
    "CAST(CAST('-0.0' AS DOUBLE) AS VARIANT)", "parse_json('{}')", "parse_json('[]')", "parse_json('1.0e5')", "parse_json('12345678901234567890')",
    """parse_json('{"b":1,"a":{"z":[1,"x",null,{"y":2.50}],"e":{}},"c":[]}')""", "parse_json('[1,[2,[3,null]],{\"k\":true}]')",
    "to_variant_object(named_struct('d', DATE'2026-01-02', 'x', X'01', 'n', 1.5D))",
]
# A column that Spark shreds: a few fields that most objects have.
SHREDDED = """SELECT CAST(id AS INT) AS id, CASE id WHEN 1 THEN NULL WHEN 2 THEN parse_json('null') WHEN 3 THEN parse_json('{"odd":[1]}') ELSE
    parse_json('{"a":' || id || ',"b":"t' || id || '","c":{"d":' || id || '.50,"e":null}' || if(id % 3 = 0, ',"x":[1,"y",null,{"k":2}]', '') || if(id = 7, ',"rare":{"deep":[1.25]}', '')
    || '}') END AS v FROM range(1, 41)"""
COLUMNS = "id INT, v VARIANT, s STRUCT<v: VARIANT, i: INT>, a ARRAY<VARIANT>, m MAP<STRING, VARIANT>"
ASKED = "id, schema_of_variant(v), to_json(v), to_json(s.v), a[0] IS NULL, to_json(a[0]), a[1] IS NULL, to_json(m['k']), CAST(variant_get(v, '$.b', 'string') AS STRING), is_variant_null(v)"


def whole():
    rows = " UNION ALL ".join(f"SELECT {number} AS id, {value} AS v" for number, value in enumerate(VALUES))
    return nested(rows)


def nested(rows):
    return f"SELECT id, v, named_struct('v', v, 'i', id) AS s, array(v, NULL) AS a, map('k', v) AS m FROM ({rows})"


def asked_of(spark, table):
    return [tuple(row) for row in spark.sql(f"SELECT {ASKED} FROM delta.`{table}` ORDER BY id").collect()]


def asked_of_silt(project, table):
    return project.rows(f"SELECT {ASKED} FROM {table} ORDER BY id")


@pytest.fixture(params=["whole", "shredded"])
def kind(request, spark):
    settings = ("spark.sql.variant.writeShredding.enabled", "spark.sql.variant.inferShreddingSchema")
    before = [spark.conf.get(name) for name in settings]
    for name in settings:
        spark.conf.set(name, str(request.param == "shredded").lower())
    yield request.param
    for name, value in zip(settings, before):
        spark.conf.set(name, value)


def test_silt_streams_variants_of_spark_and_spark_reads_them_again(project, spark, kind):
    source = project.folder / "source"
    query = whole() if kind == "whole" else nested(SHREDDED)
    properties = "TBLPROPERTIES ('delta.enableVariantShredding' = 'true')" if kind == "shredded" else ""
    spark.sql(f"CREATE TABLE delta.`{source}` ({COLUMNS}) USING delta {properties}")
    spark.sql(f"INSERT INTO delta.`{source}` SELECT /*+ COALESCE(1) */ * FROM ({query})")
    (path,) = source.glob("*.parquet")
    content = path.read_bytes()
    assert b"\x0c\x20\x13\x01\x00" in content, "Spark marks the group"
    wanted = asked_of(spark, source)
    assert asked_of_silt(project, f"delta.`{source}`") == wanted

    project.define(f"CREATE STREAMING TABLE copy AS SELECT * FROM STREAM delta.`{source}`",
                   "CREATE STREAMING TABLE files AS SELECT * FROM STREAM read_files('source/*.parquet', format => 'parquet')")
    project.run().ok()
    for table in ("copy", "files"):
        assert asked_of(spark, project.table(table)) == wanted
        assert asked_of_silt(project, table) == wanted

    # Spark appends to the table of Silt, and Silt to that of Spark
    spark.sql(f"INSERT INTO delta.`{project.table('copy')}` SELECT id + 1000, v, s, a, m FROM delta.`{source}`")
    assert asked_of_silt(project, "copy") == asked_of(spark, project.table("copy")) and project.value("SELECT count(*) FROM copy") == 2 * len(wanted)
    project.sql(f"INSERT INTO delta.`{source}` SELECT id + 2000, v, s, a, m FROM copy WHERE id < 1000").ok()
    assert asked_of(spark, source)[len(wanted):] == [(row[0] + 2000, *row[1:]) for row in wanted] and asked_of_silt(project, f"delta.`{source}`") == asked_of(spark, source)
    project.run().ok()
    assert asked_of(spark, project.table("copy")) == asked_of_silt(project, "copy") and project.value("SELECT count(*) FROM copy") == 3 * len(wanted)


def test_silt_and_spark_say_the_same_of_files(project, spark, kind):
    query = whole() if kind == "whole" else nested(SHREDDED)
    spark.sql(query).coalesce(1).write.parquet(str(project.folder / "in"))
    (path,) = (project.folder / "in").glob("*.parquet")
    assert (b"typed_value" in path.read_bytes()) == (kind == "shredded")
    wanted = [tuple(row) for row in spark.sql(f"SELECT {ASKED} FROM parquet.`{project.folder}/in` ORDER BY id").collect()]
    assert asked_of_silt(project, f"parquet.`{project.folder}/in`") == wanted
    project.sql(f"CREATE TABLE loaded ({COLUMNS})", "COPY INTO loaded FROM 'in' FILEFORMAT = PARQUET").ok()
    assert asked_of(spark, project.table("loaded")) == wanted
