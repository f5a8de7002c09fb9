"""VARIANT columns: in tables made by hand, by pipelines and by files that are read whole."""
import json

import duckdb
import pyarrow.parquet as pq
import pytest
import readers
from driver import Members

WHOLE = "STREAM read_files('in', format => 'json', singleVariantColumn => 'v')"


def plain(value):
    if isinstance(value, Members):
        return {key: plain(item) for key, item in value}
    return [plain(item) for item in value] if isinstance(value, list) else value


def features(table):
    _, protocol = readers.actions(table, "protocol")[-1]
    return protocol["minReaderVersion"], protocol["minWriterVersion"], set(protocol["readerFeatures"]), set(protocol["writerFeatures"])


def test_a_table_with_variants_is_made_filled_and_looked_into(project):
    project.sql("CREATE TABLE t (id INT, v VARIANT, l ARRAY<VARIANT>, s STRUCT<v: VARIANT, i INT>, m MAP<STRING, VARIANT>)").ok()
    project.sql("""INSERT INTO t VALUES
        (1, parse_json('{"a":{"b":5},"l":[1,"x"]}'), array(parse_json('1'), NULL), named_struct('v', parse_json('"t"'), 'i', 1), map('k', parse_json('[2.50]'))),
        (2, NULL, NULL, NULL, NULL), (3, parse_json('null'), array(), named_struct('v', NULL, 'i', NULL), map())""").ok()
    project.sql("INSERT INTO t (id, v) VALUES (4, 70000)", "INSERT INTO t (id, v) VALUES (5, 'text')", "INSERT INTO t (id, v) VALUES (6, DATE'2026-01-02')").ok()
    project.expect("SELECT id, v:a.b::INT, v:l[1]::STRING, get(l, 0)::INT, s.v::STRING, m['k']:[0]::DECIMAL(3,1) FROM t ORDER BY id",
                   [(1, 5, "x", 1, "t", 2.5)] + [(id, None, None, None, None, None) for id in range(2, 7)])
    project.expect("SELECT id, v IS NULL, is_variant_null(v) FROM t ORDER BY id",
                   [(1, False, False), (2, True, False), (3, False, True), (4, False, False), (5, False, False), (6, False, False)])
    project.expect("SELECT schema_of_variant(v) FROM t WHERE id > 3 ORDER BY id", [("BIGINT",), ("STRING",), ("DATE",)])
    project.expect("SELECT id FROM t WHERE v:a.b::INT = 5", [(1,)])
    table = project.table("t")
    assert features(table) == (3, 7, {"variantType"}, {"variantType", "appendOnly", "invariants"})
    fields = json.loads(readers.actions(table, "metaData")[-1][1]["schemaString"])["fields"]
    assert [field["type"] for field in fields][:2] == ["integer", "variant"] and fields[2]["type"]["elementType"] == "variant"


def test_a_variant_is_two_binaries_in_the_files_and_has_a_null_count_only(project):
    project.sql("CREATE TABLE t (id INT, v VARIANT, s STRUCT<v: VARIANT>)", """INSERT INTO t VALUES (1, parse_json('{"b":1,"a":[true]}'), NULL), (2, NULL, NULL)""").ok()
    ((path, add),) = readers.live(project.table("t")).items()
    stats = json.loads(add["stats"])
    assert stats == {"numRecords": 2, "minValues": {"id": 1, "s": {}}, "maxValues": {"id": 2, "s": {}}, "nullCount": {"id": 0, "v": 1, "s": {"v": 2}}}
    values = pq.read_table(readers.file_of(project.table("t"), path)).column("v").to_pylist()
    assert values == [{"metadata": b"\x01\x02\x00\x01\x02ba", "value": b"\x02\x02\x01\x00\x02\x00\x07\x0c\x01\x03\x01\x00\x01\x04"}, None]


def test_a_variant_column_joins_a_table_and_goes_with_its_mapping(project):
    project.sql("CREATE TABLE t (id INT) TBLPROPERTIES ('delta.columnMapping.mode' = 'name')", "INSERT INTO t VALUES (1)",
                "ALTER TABLE t ADD COLUMN `the v` VARIANT", "INSERT INTO t VALUES (2, parse_json('{\"k\":[1]}'))", "ALTER TABLE t RENAME COLUMN `the v` TO w").ok()
    project.expect("SELECT id, w:k[0]::INT FROM t ORDER BY id", [(1, None), (2, 1)])
    reader, writer, read, written = features(project.table("t"))
    assert (reader, writer, read) == (3, 7, {"columnMapping", "variantType"}) and written >= read


@pytest.mark.parametrize("statement", ["CREATE TABLE u (id INT, v VARIANT) PARTITIONED BY (v)", "SELECT v FROM t GROUP BY v", "SELECT DISTINCT v FROM t", "SELECT v FROM t ORDER BY v",
                                       "SELECT max(v) FROM t", "SELECT v = v FROM t", "SELECT v FROM t UNION SELECT v FROM t"])
def test_a_variant_has_no_order(project, statement):
    project.sql("CREATE TABLE t (id INT, v VARIANT)").ok()
    project.sql(statement).refused(r"-c:1:\d+: error: .*(VARIANT|variant)")


def test_pipelines_keep_variants(project):
    project.file("in/a.json", '{"id":1,"payload":{"user":{"name":"x"},"n":[1,2]}}\n{"id":2,"payload":"text"}\n{"id":3}\n')
    project.define("CREATE STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT, payload VARIANT')",
                   "CREATE STREAMING TABLE copy AS SELECT id, payload AS p, payload:user AS user FROM STREAM raw",
                   "CREATE MATERIALIZED VIEW names AS SELECT id, payload:user.name::STRING AS name, payload FROM raw WHERE payload IS NOT NULL",
                   "CREATE MATERIALIZED VIEW totals AS SELECT payload:user.name::STRING AS name, count(*) AS n, max_by(payload, id) AS newest FROM raw GROUP BY 1")
    project.run().ok()
    project.file("in/b.json", '{"id":4,"payload":{"user":{"name":"x"},"late":true}}\n')
    project.run().ok()
    project.expect("SELECT id, p:n[1]::INT, user:name::STRING FROM copy ORDER BY id", [(1, 2, "x"), (2, None, None), (3, None, None), (4, None, "x")])
    assert [(id, name, plain(payload)) for id, name, payload in project.rows("SELECT id, name, payload FROM names ORDER BY id")] == [
        (1, "x", {"n": [1, 2], "user": {"name": "x"}}), (2, None, "text"), (4, "x", {"late": True, "user": {"name": "x"}})]
    project.expect("SELECT name, n, newest:late::BOOLEAN FROM totals ORDER BY name", [(None, 2, None), ("x", 2, True)])


def test_whole_records_are_one_column(project):
    project.file("in/a.json", '{"id":1,"a":{"b":[1,null]}}\n[1,2]\n5\nnull\n\n{"k":1,"k":2}\n{"half":\n{"late":9007199254740993.10}\n')
    project.define(f"CREATE STREAMING TABLE t AS SELECT v, _metadata.file_name AS file FROM {WHOLE}")
    project.run().ok()
    assert sorted(text for (text,) in project.rows("SELECT to_json(v) FROM t")) == ['5', '[1,2]', 'null', '{"a":{"b":[1,null]},"id":1}', '{"late":9007199254740993.1}']
    project.expect("SELECT line, reason FROM t_dead_letters ORDER BY line",
                   [(6, "an object that has a key twice, which a VARIANT cannot hold"), (7, "the record ends in the middle of a value")])
    project.file("in/b.json", '{"id":2,"new":{"column":1}}\n')
    project.run().ok()
    project.expect("SELECT v:new.column::INT, file FROM t WHERE v:id::INT = 2", [(1, "b.json")])
    fields = json.loads(readers.actions(project.table("t"), "metaData")[-1][1]["schemaString"])["fields"]
    assert [(field["name"], field["type"]) for field in fields] == [("v", "variant"), ("file", "string")], "a new member is no new column"


def test_whole_records_keep_columns_of_folders_and_corrupt_text(project):
    project.file("in/day=2026-01-02/a.json", '{"id":1}\nbroken\n')
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', singleVariantColumn => 'whole', mode => 'PERMISSIVE', "
                   "schema => 'whole VARIANT, _corrupt_record STRING')")
    project.run().ok()
    project.expect("SELECT whole:id::INT, _corrupt_record, day FROM t ORDER BY 1", [(None, "broken", "2026-01-02"), (1, None, "2026-01-02")])


def test_a_whole_file_may_be_an_array(project):
    project.file("in/a.json", '[{"a":1},\n {"a":2}]\n')
    project.expect("SELECT v:[1].a::INT FROM read_files('in', format => 'json', singleVariantColumn => 'v', multiLine => true)", [(2,)])
    project.expect("SELECT a FROM read_files('in', format => 'json', multiLine => true) ORDER BY a", [(1,), (2,)])


@pytest.mark.parametrize("options, text", [
    ("singleVariantColumn => 'v', schema => 'a INT'", "a schema is that column of type VARIANT"),
    ("singleVariantColumn => 'v', schema => 'v STRING'", "a schema is that column of type VARIANT"),
    ("singleVariantColumn => 'v', schemaHints => 'v STRING'", "singleVariantColumn they have no use"),
])
def test_the_schema_of_whole_records_is_known(project, options, text):
    project.file("in/a.json", '{"id":1}\n')
    project.define(f"CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', {options})")
    project.run().refused(r"pipeline.sql:1:\d+: error: ", text)


def test_what_cannot_be_a_variant_is_rescued(project):
    project.file("in/a.json", '{"id":1,"v":{"k":1,"k":2}}\n{"id":2,"v":{"k":1}}\n')
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schemaHints => 'v VARIANT')")
    project.run().ok()
    rows = project.rows("SELECT id, v IS NULL, _rescued_data:v FROM t ORDER BY id")
    assert rows[0][:2] == (1, True) and '"k":1,"k":2' in str(project.value("SELECT _rescued_data FROM t WHERE id = 1"))
    assert rows[1] == (2, False, None)


def test_duckdb_reads_the_files_as_structs(project):
    project.sql("CREATE TABLE t (v VARIANT)", "INSERT INTO t VALUES (parse_json('300'))").ok()
    ((path, _),) = readers.live(project.table("t")).items()
    assert duckdb.connect().execute("SELECT v.value FROM read_parquet(?)", [str(readers.file_of(project.table("t"), path))]).fetchall() == [(b"\x10\x2c\x01",)]


def test_bytes_that_are_no_variant_are_an_error(project):
    """A file that somebody wrote with bytes of no meaning: an error at the call, never a crash."""
    project.sql("CREATE TABLE t (v VARIANT)", "INSERT INTO t VALUES (parse_json('{\"a\":[1,2]}'))").ok()
    ((path, _),) = readers.live(project.table("t")).items()
    target = readers.file_of(project.table("t"), path)
    for parts in ("'\\x01\\x05'::BLOB, 'value': '\\x02\\x03\\x00'::BLOB", "'\\x01\\x00\\x00'::BLOB, 'value': NULL::BLOB", "''::BLOB, 'value': ''::BLOB"):
        duckdb.connect().execute(f"COPY (SELECT {{'metadata': {parts}}} AS v) TO '{target}' (FORMAT parquet)")
        for query in ("SELECT to_json(v) FROM t", "SELECT v::STRING FROM t", "SELECT v:a FROM t", "SELECT v:a[0]::INT FROM t", "SELECT schema_of_variant(v) FROM t",
                      "SELECT * FROM t, LATERAL variant_explode(v)"):
            assert project.sql(query).code == 1 and "make no sense" in project.sql(query).err, query
        assert project.sql("SELECT to_variant_object(array(v)) FROM t").code in (0, 1)
        assert set(dict(project.value("SELECT v FROM t"))) == {"metadata", "value"}, "as it is"


def test_the_items_of_an_array_have_the_type_that_they_have_in_common(project):
    """What Spark 4.2 answers."""
    known = {"[1, 2.5]": "DECIMAL(21,1)", "[1, 12345678901234567890]": "DECIMAL(20,0)", "[1.5, 1.0e3]": "DOUBLE", "[1, 1.0e3]": "DOUBLE",
             '[{"a":1},{"b":[1]},{"a":"x"}]': "OBJECT<a: VARIANT, b: ARRAY<BIGINT>>", '[[1],["x"],[]]': "ARRAY<VARIANT>", "[[1],[2.5]]": "ARRAY<DECIMAL(21,1)>",
             '[1,{"a":1}]': "VARIANT", "[0.00000000000000000000000000000000001, 12345678901]": "DOUBLE", "[null,null]": "VOID", "[[null],[1]]": "ARRAY<BIGINT>", "[true,1]": "VARIANT",
             '[{"a":{"b":1}},{"a":null},{"a":{"c":2}}]': "OBJECT<a: OBJECT<b: BIGINT, c: BIGINT>>"}
    for text, schema in known.items():
        project.expect(f"SELECT schema_of_variant(parse_json('{text}'))", [(f"ARRAY<{schema}>",)])
    scalars = {"DATE'2026-01-02', TIMESTAMP'2026-01-02 00:00:00'": "TIMESTAMP", "DATE'2026-01-02', TIMESTAMP_NTZ'2026-01-02 00:00:00'": "TIMESTAMP_NTZ",
               "TIMESTAMP_NTZ'2026-01-02 00:00:00', TIMESTAMP'2026-01-02 00:00:00'": "TIMESTAMP", "CAST(1 AS FLOAT), 1L": "FLOAT", "CAST(1 AS FLOAT), 1.5BD": "DOUBLE",
               "CAST(1 AS FLOAT), 1D": "DOUBLE", "X'01', 'x'": "VARIANT"}
    for values, schema in scalars.items():
        items = ", ".join(f"CAST({value} AS VARIANT)" for value in values.split(", "))
        project.expect(f"SELECT schema_of_variant(to_variant_object(array({items})))", [(f"ARRAY<{schema}>",)])
