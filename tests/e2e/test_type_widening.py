"""Type widening: columns of Delta tables that get a wider type, by ALTER TABLE and by a pipeline; files of before stay as they are."""
import json
import signal
from decimal import Decimal

import pytest
import readers
from test_run import wait_for

WIDENS = "TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"
KEEPS = "TBLPROPERTIES ('delta.enableTypeWidening' = 'true', 'silt.quarantine' = 'table')"

# type, wider type, a value, its text as the wider type, a greater value of the wider type
PAIRS = [
    ("TINYINT", "SMALLINT", "-128", "-128", "300"), ("TINYINT", "INT", "127", "127", "2000000000"), ("TINYINT", "BIGINT", "1", "1", "3000000000"),
    ("SMALLINT", "INT", "-32768", "-32768", "40000"), ("SMALLINT", "BIGINT", "32767", "32767", "3000000000"),
    ("INT", "BIGINT", "-2147483648", "-2147483648", "3000000000"), ("FLOAT", "DOUBLE", "0.1", "0.10000000149011612", "1e300"),
    ("TINYINT", "DOUBLE", "-7", "-7.0", "0.5"), ("SMALLINT", "DOUBLE", "7", "7.0", "1e18"), ("INT", "DOUBLE", "2147483647", "2.147483647E9", "1e18"),
    ("TINYINT", "DECIMAL(10,0)", "5", "5", "9999999999"), ("SMALLINT", "DECIMAL(12,2)", "-5", "-5.00", "9999999999.99"),
    ("INT", "DECIMAL(38,10)", "2147483647", "2147483647.0000000000", "9999999999999999999999999999.5"), ("BIGINT", "DECIMAL(20,0)", "-9223372036854775808", "-9223372036854775808", "99999999999999999999"),
    ("BIGINT", "DECIMAL(22,2)", "9223372036854775807", "9223372036854775807.00", "99999999999999999999.99"),
    ("DECIMAL(5,2)", "DECIMAL(6,2)", "999.99", "999.99", "9999.99"), ("DECIMAL(5,2)", "DECIMAL(12,4)", "-999.99", "-999.9900", "99999999.9999"),
    ("DECIMAL(10,2)", "DECIMAL(20,5)", "12345678.91", "12345678.91000", "123456789012345.00001"), ("DECIMAL(18,0)", "DECIMAL(38,3)", "1", "1.000", "99999999999999999999999999999999999.125"),
    ("DATE", "TIMESTAMP_NTZ", "2020-02-29", "2020-02-29 00:00:00", "2024-02-29 12:00:00.000001"), ("DATE", "TIMESTAMP_NTZ", "0001-01-01", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"),
]


def cast(text, kind):
    return f"CAST('{text}' AS {kind})"


@pytest.fixture
def widened(project):
    """A table with a column for each pair: one file of the old types, one with no values, one of the new types."""
    columns = [f"c{i} {pair[0]}" for i, pair in enumerate(PAIRS)]
    project.sql(f"CREATE TABLE t (id INT, {', '.join(columns)}) {WIDENS}").ok()
    project.sql(f"INSERT INTO t SELECT 1, {', '.join(cast(pair[2], pair[0]) for pair in PAIRS)}", "INSERT INTO t (id) VALUES (2)").ok()
    for i, pair in enumerate(PAIRS):
        project.sql(f"ALTER TABLE t ALTER COLUMN c{i} TYPE {pair[1]}").ok()
    project.sql(f"INSERT INTO t SELECT 3, {', '.join(cast(pair[4], pair[1]) for pair in PAIRS)}").ok()
    return project


def test_files_of_before_are_read_as_the_wider_type(widened):
    for i, (_, _, _, old, new) in enumerate(PAIRS):
        kind = PAIRS[i][1]
        assert widened.rows(f"SELECT id, CAST(c{i} AS STRING) FROM t ORDER BY id") == [(1, old), (2, None), (3, widened.value(f"SELECT CAST({cast(new, kind)} AS STRING)"))], PAIRS[i]


def test_a_condition_finds_the_rows_of_all_files(widened):
    for i, (_, kind, _, old, new) in enumerate(PAIRS):
        was, now = cast(old, kind), cast(new, kind)
        for condition, ids in ((f"c{i} = {was}", [1]), (f"c{i} = {now}", [3]), (f"c{i} IN ({was}, {now})", [1, 3]), (f"c{i} IS NULL", [2]), (f"c{i} >= {now}", [3]),
                               (f"c{i} < {now}", [1]), (f"c{i} <> {was}", [3]), (f"c{i} BETWEEN {was} AND {now}", [1, 3])):
            if cast(new, kind) and widened.value(f"SELECT {now} > {was}") is False:
                continue
            assert [row[0] for row in widened.rows(f"SELECT id FROM t WHERE {condition} ORDER BY id")] == ids, (PAIRS[i], condition)


def test_an_older_version_has_the_types_of_its_time(widened):
    assert widened.rows("SELECT typeof(c6), CAST(c6 AS STRING), typeof(c19) FROM t VERSION AS OF 2 WHERE id = 1") == [("float", "0.1", "date")]
    assert widened.rows("SELECT typeof(c6), typeof(c19) FROM t WHERE id = 1") == [("double", "timestamp_ntz")]


def test_the_log_says_what_was_changed(project):
    project.sql(f"CREATE TABLE t (a INT COMMENT 'kept', s STRUCT<x: SMALLINT, l: ARRAY<STRUCT<y: INT>>>, m MAP<INT, ARRAY<FLOAT>>, n BIGINT) {WIDENS}").ok()
    project.sql("ALTER TABLE t ALTER COLUMN a TYPE BIGINT", "ALTER TABLE t CHANGE COLUMN a TYPE DECIMAL(20,0)", "ALTER TABLE t ALTER s.x TYPE INT",
                "ALTER TABLE t ALTER COLUMN s.l.element.y TYPE BIGINT", "ALTER TABLE t ALTER COLUMN m.key TYPE BIGINT, m.value.element TYPE DOUBLE").ok()
    fields = {field["name"]: field for field in json.loads(readers.actions(project.table("t"), "metaData")[-1][1]["schemaString"])["fields"]}
    assert fields["a"]["metadata"] == {"comment": "kept", "delta.typeChanges": [{"toType": "long", "fromType": "integer"}, {"toType": "decimal(20,0)", "fromType": "long"}]}
    inner = {field["name"]: field for field in fields["s"]["type"]["fields"]}
    assert inner["x"]["metadata"] == {"delta.typeChanges": [{"toType": "integer", "fromType": "short"}]}
    assert inner["l"]["type"]["elementType"]["fields"][0]["metadata"] == {"delta.typeChanges": [{"toType": "long", "fromType": "integer"}]}
    assert inner["l"]["metadata"] == {} and fields["s"]["metadata"] == {} and fields["n"]["metadata"] == {}
    assert fields["m"]["metadata"] == {"delta.typeChanges": [{"toType": "long", "fromType": "integer", "fieldPath": "key"},
                                                             {"toType": "double", "fromType": "float", "fieldPath": "value.element"}]}
    infos = [info for _, info in readers.actions(project.table("t"), "commitInfo")]
    assert [info["operation"] for info in infos] == ["CREATE TABLE"] + ["CHANGE COLUMN"] * 5
    assert json.loads(infos[4]["operationParameters"]["column"]) == {"name": "s.l.element.y", "type": "long", "nullable": True}
    protocol = readers.actions(project.table("t"), "protocol")[-1][1]
    assert protocol["readerFeatures"] == ["typeWidening"] and protocol["minReaderVersion"] == 3 and "typeWidening" in protocol["writerFeatures"]


@pytest.mark.parametrize("mapping", ["none", "name", "id"])
def test_nested_values_are_read_as_the_wider_type(project, mapping):
    project.sql("CREATE TABLE t (id INT, s STRUCT<x: SMALLINT, l: ARRAY<STRUCT<y: INT, z: STRING>>>, m MAP<INT, ARRAY<FLOAT>>) "
                f"TBLPROPERTIES ('delta.enableTypeWidening' = 'true', 'delta.columnMapping.mode' = '{mapping}')").ok()
    row = "named_struct('x', {0}, 'l', array(named_struct('y', {0}, 'z', 'a'), NULL)), map({0}, array({0}, NULL))"
    project.sql(f"INSERT INTO t SELECT 1, {row.format('7')}").ok()
    project.sql("ALTER TABLE t ALTER COLUMN s.x TYPE BIGINT", "ALTER TABLE t ALTER COLUMN s.l.element.y TYPE DECIMAL(12,2)", "ALTER TABLE t ALTER COLUMN m.key TYPE BIGINT",
                "ALTER TABLE t ALTER COLUMN m TYPE MAP<BIGINT, ARRAY<DOUBLE>>").ok()
    project.sql(f"INSERT INTO t SELECT 2, {row.format('3000000000')}").ok()
    project.expect("SELECT id, s.x, s.l[0].y, s.l[0].z, s.l[1], map_keys(m)[0], map_values(m)[0][0], map_values(m)[0][1] FROM t",
                   [[1, 7, Decimal("7.00"), "a", None, 7, 7.0, None], [2, 3000000000, Decimal("3000000000.00"), "a", None, 3000000000, 3e9, None]])
    assert project.rows("SELECT id FROM t WHERE s.x > 2147483647") == [(2,)] and project.rows("SELECT id FROM t WHERE s.x = 7") == [(1,)]


def test_partition_columns_and_mapped_columns_widen(project):
    project.sql("CREATE TABLE t (v INT, p INT, d DATE, e DECIMAL(5,2)) PARTITIONED BY (p, d, e) TBLPROPERTIES ('delta.enableTypeWidening' = 'true', 'delta.columnMapping.mode' = 'id')").ok()
    project.sql("INSERT INTO t VALUES (1, 7, DATE'2026-01-02', 1.5)", "ALTER TABLE t ALTER COLUMN p TYPE BIGINT, d TYPE TIMESTAMP_NTZ, e TYPE DECIMAL(7,3), v TYPE DOUBLE",
                "ALTER TABLE t RENAME COLUMN v TO w", "INSERT INTO t VALUES (0.5, 3000000000, TIMESTAMP_NTZ'2026-01-02 03:04:05', 1.125)").ok()
    project.expect("SELECT w, p, d, e FROM t", [[1.0, 7, "2026-01-02T00:00:00.000000", Decimal("1.500")], [0.5, 3000000000, "2026-01-02T03:04:05.000000", Decimal("1.125")]])
    assert project.rows("SELECT w FROM t WHERE p = 7 AND e = 1.5 AND d = TIMESTAMP_NTZ'2026-01-02 00:00:00'") == [(1.0,)]


def test_a_checkpoint_keeps_it(project):
    project.sql("CREATE TABLE t (id INT) TBLPROPERTIES ('delta.enableTypeWidening' = 'true', 'delta.checkpointInterval' = '1')").ok()
    project.sql("INSERT INTO t VALUES (1)", "ALTER TABLE t ALTER COLUMN id TYPE BIGINT", "INSERT INTO t VALUES (3000000000)").ok()
    for version in range(3):
        (project.table("t") / "_delta_log" / f"{version:020}.json").unlink()
    project.expect("SELECT id FROM t", [[1], [3000000000]])
    project.sql("ALTER TABLE t ALTER COLUMN id TYPE DECIMAL(20,0)").ok()
    metadata = json.loads(readers.actions(project.table("t"), "metaData")[-1][1]["schemaString"])["fields"][0]["metadata"]
    assert [change["fromType"] for change in metadata["delta.typeChanges"]] == ["integer", "long"]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_checkpoint_whose_parts_have_statistics_of_other_types(project, order):
    import duckdb
    project.sql("CREATE TABLE t (id INT, d DECIMAL(5,2)) TBLPROPERTIES ('delta.enableTypeWidening' = 'true', 'delta.checkpointInterval' = '4')").ok()
    project.sql("INSERT INTO t VALUES (1, 1.25)", "ALTER TABLE t ALTER COLUMN id TYPE BIGINT", "ALTER TABLE t ALTER COLUMN d TYPE DECIMAL(12,4)", "INSERT INTO t VALUES (3000000000, 2.3456)").ok()
    log = project.table("t") / "_delta_log"
    whole = log / f"{4:020}.checkpoint.parquet"
    parts = {1: "id := 1::INTEGER, d := 1.25::DECIMAL(5,2)", 2: "id := 3000000000::BIGINT, d := 2.3456::DECIMAL(12,4)"}
    for number, part in enumerate(order, 1):
        bounds = f"struct_pack({parts[part]})"
        duckdb.sql(f"COPY (SELECT * REPLACE (CASE WHEN add.path IS NOT NULL THEN struct_insert(struct_update(add, stats := NULL::VARCHAR), stats_parsed := struct_pack(numRecords := 1::BIGINT, "
                   f"minValues := {bounds}, maxValues := {bounds}, nullCount := struct_pack(id := 0::BIGINT, d := 0::BIGINT))) END AS add) FROM read_parquet('{whole}') "
                   f"WHERE CASE WHEN add.path IS NULL THEN {number} = 1 ELSE contains(add.stats, '3000000000') = ({part} = 2) END) "
                   f"TO '{log}/{4:020}.checkpoint.{number:010}.{2:010}.parquet' (FORMAT parquet)")
    whole.unlink()
    for commit in log.glob("0*.json"):
        if int(commit.stem) < 4:
            commit.unlink()
    project.expect("SELECT id, d FROM t", [[1, Decimal("1.2500")], [3000000000, Decimal("2.3456")]])
    for condition, ids in (("id = 3000000000", [3000000000]), ("d = 2.3456", [3000000000]), ("id = 1", [1])):
        assert [row[0] for row in project.rows(f"SELECT id FROM t WHERE {condition}")] == ids
    for number in range(4): # and what is written from it
        project.sql(f"INSERT INTO t VALUES ({number}, NULL)").ok()
    assert (log / f"{8:020}.checkpoint.parquet").exists()
    for commit in log.glob("0*.json"):
        if int(commit.stem) < 8:
            commit.unlink()
    assert project.value("SELECT count(*) FROM t") == 6


@pytest.mark.parametrize("change, text", [
    ("a TYPE BIGINT", "SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"), ("a TYPE STRING", "Types become wider only"), ("nope TYPE BIGINT", 'no column "nope"'),
    ("a TYPE INT, a TYPE STRING", "from int to string"),
])
def test_a_table_that_does_not_allow_it_is_left_alone(project, change, text):
    project.sql("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)").ok()
    project.sql(f"ALTER TABLE t ALTER COLUMN {change}").refused("-c:1:", text.replace("(", r"\(").replace(")", r"\)"))
    project.sql("ALTER TABLE t ALTER COLUMN a TYPE INT").ok()
    assert len(readers.commits(project.table("t"))) == 2


def test_refusals_have_the_error_classes_of_spark(project):
    project.sql("CREATE TABLE off (a INT)", f"CREATE TABLE t (a BIGINT, d DECIMAL(10,2), s STRUCT<x: INT>) {WIDENS}").ok()
    for change, code in (("off ALTER COLUMN a TYPE BIGINT", "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP"), ("off ALTER COLUMN a TYPE STRING", "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP"),
                         ("t ALTER COLUMN a TYPE DOUBLE", "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP"), ("t ALTER COLUMN a TYPE INT", "NOT_SUPPORTED_CHANGE_COLUMN"),
                         ("t ALTER COLUMN a TYPE DECIMAL(19,0)", "NOT_SUPPORTED_CHANGE_COLUMN"), ("t ALTER COLUMN d TYPE DECIMAL(10,3)", "NOT_SUPPORTED_CHANGE_COLUMN"),
                         ("t ALTER COLUMN s TYPE STRUCT<x: BIGINT>", "CANNOT_UPDATE_FIELD.STRUCT_TYPE")):
        done = project.silt("sql", "--log-format", "json", "-c", f"ALTER TABLE {change}")
        assert [error["code"] for error in map(json.loads, done.err.splitlines()) if error.get("level") == "error"] == [code], change


@pytest.mark.parametrize("change, text", [
    ("d TYPE INT", "from bigint to int"), ("d TYPE DOUBLE", "from bigint to double"), ("d TYPE DECIMAL(19,0)", r"from bigint to decimal\(19,0\)"), ("f TYPE FLOAT", "from decimal"),
    ("f TYPE DECIMAL(12,1)", "from decimal"), ("f TYPE DECIMAL(10,3)", "from decimal"), ("g TYPE TIMESTAMP", "from date to timestamp"), ("s TYPE STRUCT<x: BIGINT>", "its fields, one by one"),
    ("s.nope TYPE INT", r'no column "s.nope"'), ("l.x TYPE INT", r'no column "l.x"'), ("l TYPE ARRAY<STRING>", "from int to string"), ("l TYPE MAP<INT, INT>", "from array"),
    ("d TYPE", "a data type|a type"), ("d TYPE BIGINT d", "end of"),
])
def test_what_is_not_wider_is_refused(project, change, text):
    project.sql(f"CREATE TABLE t (d BIGINT, f DECIMAL(10,2), g DATE, s STRUCT<x: INT>, l ARRAY<INT>) {WIDENS}").ok()
    project.sql(f"ALTER TABLE t ALTER COLUMN {change}").refused("-c:1:", text)
    assert len(readers.commits(project.table("t"))) == 1


def test_a_change_that_the_protocol_does_not_know_is_refused(project):
    project.sql(f"CREATE TABLE t (a INT) {WIDENS}").ok()
    path = next((project.table("t") / "_delta_log").glob("*0.json"))
    text = path.read_text()
    path.write_text(text.replace(r'\"metadata\":{}', r'\"metadata\":{\"delta.typeChanges\":[{\"fromType\":\"string\",\"toType\":\"integer\"}]}'))
    assert path.read_text() != text
    project.sql("SELECT * FROM t").refused('column "a" was changed from string to integer')


def test_a_table_of_the_preview_is_read_and_filled_and_not_widened(project):
    project.sql(f"CREATE TABLE t (a INT, b INT) {WIDENS}", "INSERT INTO t VALUES (1, 1)", "ALTER TABLE t ALTER COLUMN a TYPE BIGINT").ok()
    for path in (project.table("t") / "_delta_log").glob("0*.json"):
        path.write_text(path.read_text().replace('"typeWidening"', '"typeWidening-preview"').replace(r'\"fromType\":\"integer\"', r'\"fromType\":\"integer\",\"tableVersion\":2'))
    project.sql("INSERT INTO t VALUES (3000000000, 2)", "ALTER TABLE t ADD COLUMN c INT").ok()
    project.expect("SELECT a, b FROM t", [[1, 1], [3000000000, 2]])
    project.sql("ALTER TABLE t ALTER COLUMN b TYPE BIGINT").refused("typeWidening-preview, not typeWidening", "DROP FEATURE", code=(1, 2))
    metadata = json.loads(readers.actions(project.table("t"), "metaData")[-1][1]["schemaString"])["fields"][0]["metadata"]
    assert metadata == {"delta.typeChanges": [{"toType": "long", "fromType": "integer", "tableVersion": 2}]}, "kept"


def test_a_stream_goes_on_when_its_source_widens(project):
    project.sql(f"CREATE TABLE s (id INT, x FLOAT) {WIDENS}", "INSERT INTO s VALUES (1, 0.5)").ok()
    project.define(f"CREATE STREAMING TABLE t {WIDENS} AS SELECT id, x, id + 1 AS y FROM STREAM s; CREATE MATERIALIZED VIEW v AS SELECT sum(id) AS n, max(x) AS x FROM t; "
                   "CREATE STREAMING TABLE u AS SELECT CAST(id AS STRING) AS id FROM STREAM t")
    project.run().ok()
    project.sql("INSERT INTO s VALUES (2, 1.5)", "ALTER TABLE s ALTER COLUMN id TYPE BIGINT, x TYPE DOUBLE", "INSERT INTO s VALUES (3000000000, 0.1)").ok()
    project.run().ok()
    project.expect("SELECT id, x, y, typeof(y) FROM t", [[1, 0.5, 2, "bigint"], [2, 1.5, 3, "bigint"], [3000000000, 0.1, 3000000001, "bigint"]])
    project.expect("SELECT n, x, typeof(x) FROM v", [[3000000003, 1.5, "double"]])
    project.expect("SELECT id FROM u", [["1"], ["2"], ["3000000000"]])
    changes = [info["operation"] for _, info in readers.actions(project.table("t"), "commitInfo")]
    assert changes == ["CREATE TABLE", "STREAMING UPDATE", "CHANGE COLUMN", "STREAMING UPDATE"]
    assert project.run().ok() and len(readers.commits(project.table("t"))) == 4


def test_without_the_property_a_wider_column_stops_before_it_is_read(project):
    project.sql(f"CREATE TABLE s (id INT) {WIDENS}", "INSERT INTO s VALUES (1)").ok()
    project.define("CREATE STREAMING TABLE t AS SELECT id FROM STREAM s")
    project.run().ok()
    project.sql("ALTER TABLE s ALTER COLUMN id TYPE BIGINT", "INSERT INTO s VALUES (3000000000)").ok()
    project.run().refused('column "id" of "spark_catalog.default.t" is bigint here and int in the table', "'delta.enableTypeWidening' = 'true'")
    project.define(f"CREATE STREAMING TABLE t {WIDENS} AS SELECT id FROM STREAM s")
    project.run().ok()
    project.expect("SELECT id FROM t", [[1], [3000000000]])


def test_a_table_that_is_wider_than_its_query_gets_files_of_its_own_type(project):
    project.json_lines("in/a.json", [{"id": 1, "s": {"x": 1}}])
    project.define(f"CREATE STREAMING TABLE t (id INT, s STRUCT<x: INT>, CONSTRAINT small EXPECT (id < 100) ON VIOLATION DROP ROW) {KEEPS} AS "
                   "SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT, s STRUCT<x: INT>')")
    project.run().ok()
    project.silt("sql", "--allow-managed-writes", "-c", "ALTER TABLE t ALTER COLUMN id TYPE BIGINT; ALTER TABLE t ALTER COLUMN s.x TYPE DOUBLE; INSERT INTO t VALUES (3000000000, NULL)").ok()
    project.json_lines("in/b.json", [{"id": 2, "s": {"x": 2}}, {"id": 200, "s": {"x": 3}}])
    project.run().ok()
    project.expect("SELECT id, s.x FROM t", [[1, 1.0], [2, 2.0], [3000000000, None]])
    project.expect("SELECT id, s.x FROM t_quarantine", [[200, 3.0]])
    import pyarrow.parquet
    last = readers.actions(project.table("t"), "add")[-1][1]
    schema = pyarrow.parquet.read_schema(readers.file_of(project.table("t"), last["path"]))
    assert str(schema.field("id").type) == "int64" and str(schema.field("s").type) == "struct<x: double>"
    audit = project.silt("audit", "t")
    assert "2 batches computed again, 2 rows; the table has 3: 1 row is in the table only, 0 are missing" in audit.out + audit.err, "the row that was inserted by hand"


def test_the_quarantine_widens_with_its_table(project):
    project.sql(f"CREATE TABLE s (id INT) {WIDENS}", "INSERT INTO s VALUES (-1), (1)").ok()
    project.define(f"CREATE STREAMING TABLE t (CONSTRAINT good EXPECT (id > 0) ON VIOLATION DROP ROW) {KEEPS} AS SELECT id FROM STREAM s")
    project.run().ok()
    project.sql("ALTER TABLE s ALTER COLUMN id TYPE BIGINT", "INSERT INTO s VALUES (-3000000000), (3000000000)").ok()
    project.run().ok()
    project.expect("SELECT id FROM t", [[1], [3000000000]])
    project.expect("SELECT id FROM t_quarantine", [[-1], [-3000000000]])


def test_a_declared_column_widens_when_its_declaration_does(project):
    project.json_lines("in/a.json", [{"id": 1}])
    text = "CREATE STREAMING TABLE t (id {0}) {1} AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id {0}')"
    project.define(text.format("INT", ""))
    project.run().ok()
    project.json_lines("in/b.json", [{"id": 3000000000}])
    project.define(text.format("BIGINT", ""))
    project.run().refused("declared with another type", "delta.enableTypeWidening")
    project.define(text.format("BIGINT", WIDENS))
    project.run().ok()
    project.expect("SELECT id FROM t", [[1], [3000000000]])
    project.define(text.format("STRING", WIDENS))
    project.run().refused("declared with another type", "cannot be changed")


def test_two_flows_of_one_table_get_the_wider_type(project):
    project.sql("CREATE TABLE a (id INT)", "CREATE TABLE b (id BIGINT)", "INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (3000000000)").ok()
    project.define(f"CREATE STREAMING TABLE t {WIDENS}; CREATE FLOW f AS INSERT INTO t BY NAME SELECT id FROM STREAM a; "
                   "CREATE FLOW g AS INSERT INTO t BY NAME SELECT id FROM STREAM b")
    project.run().ok()
    project.expect("SELECT id, typeof(id) FROM t", [[1, "bigint"], [3000000000, "bigint"]])


def test_copy_into_widens_with_merge_schema(project):
    project.sql(f"CREATE TABLE t (id INT, x DECIMAL(5,2)) {WIDENS}", "INSERT INTO t VALUES (1, 1.25)").ok()
    project.json_lines("in/a.json", [{"id": 3000000000, "x": 7}])
    copy = "COPY INTO t FROM (SELECT id, CAST(x AS DECIMAL(12,0)) AS x FROM 'in') FILEFORMAT = JSON"
    project.sql(copy).refused("is bigint here and int in")
    project.sql(f"{copy} COPY_OPTIONS ('mergeSchema' = 'true')").ok()
    project.expect("SELECT id, x, typeof(x) FROM t", [[1, Decimal("1.25"), "decimal(14,2)"], [3000000000, Decimal("7.00"), "decimal(14,2)"]])


# ---- read_files: addNewColumnsWithTypeWidening

MODE = "schemaEvolutionMode => 'addNewColumnsWithTypeWidening'"


def widening(project, options, properties=WIDENS, columns="*", name="t", folder="in"):
    project.define(f"CREATE OR REFRESH STREAMING TABLE {name} {properties} AS SELECT {columns} FROM STREAM read_files('{folder}', {options}, {MODE})", file=f"{name}.sql")


def rescued(text):
    """Rescued data without the file it comes from."""
    return text and {key: value for key, value in json.loads(text, parse_float=Decimal).items() if key != "_file_path"}


def kept_schemas(project):
    """Types of the columns, by number of the schema."""
    texts = [path.read_text() for path in sorted((project.folder / "storage").rglob("_schemas/0/*"), key=lambda path: int(path.name))]
    return [{field["name"]: field["type"] for field in json.loads(json.loads(text.split("\n", 1)[1])["dataSchemaJson"])["fields"]} for text in texts]


def test_json_numbers_get_room_in_the_same_run_and_the_rest_is_rescued(project):
    project.json_lines("in/1.json", [{"id": 1, "n": 1, "s": {"x": 1}, "l": [1]}])
    widening(project, "format => 'json'")
    project.run().ok()
    project.file("in/2.json", '{"id":2,"n":99999999999999999999,"s":{"x":-99999999999999999999},"l":[1,99999999999999999999],"new":true}\n{"id":3,"n":"text"}\n{"id":4,"n":1.5}\n')
    project.run().ok()
    project.file("in/3.json", f'{{"id":5,"n":{"9" * 30}}}\n{{"id":6,"n":{"9" * 45}}}\n')
    project.run().ok()
    project.expect("SELECT id, CAST(n AS STRING), CAST(s.x AS STRING), CAST(get(l, 1) AS STRING), new, typeof(n), typeof(s.x) FROM t",
                   [[i, n, x, l, new, "decimal(30,0)", "decimal(20,0)"] for i, n, x, l, new in [
                       (1, "1", "1", None, None), (2, "9" * 20, "-" + "9" * 20, "9" * 20, True), (3, None, None, None, None), (4, None, None, None, None),
                       (5, "9" * 30, None, None, None), (6, None, None, None, None)]])
    assert [(row[0], rescued(row[1])) for row in project.rows("SELECT id, _rescued_data FROM t WHERE _rescued_data IS NOT NULL ORDER BY id")] == [
        (3, {"n": "text"}), (4, {"n": Decimal("1.5")}), (6, {"n": int("9" * 45)})]
    assert [schema["n"] for schema in kept_schemas(project)] == ["long", "decimal(20,0)", "decimal(30,0)"]
    assert [info["operation"] for _, info in readers.actions(project.table("t"), "commitInfo")] == ["CREATE TABLE", "STREAMING UPDATE", "CHANGE COLUMN", "STREAMING UPDATE",
                                                                                                   "CHANGE COLUMN", "STREAMING UPDATE"]
    project.silt("audit", "t").ok()
    project.run("--full-refresh", "t").ok()
    assert project.rows("SELECT DISTINCT typeof(n), count(*) FROM t WHERE n IS NOT NULL GROUP BY ALL") == [("string", 6)], "inferred anew, from all files"


def test_fractions_widen_to_decimals_when_they_are_inferred_so(project):
    project.file("in/1.json", '{"a":1,"d":1.25}\n')
    widening(project, "format => 'json', prefersDecimal => true")
    project.run().ok()
    project.file("in/2.json", '{"a":0.125,"d":123.4567}\n{"a":9223372036854775807,"d":1e5}\n')
    project.run().ok()
    project.expect("SELECT a, d, typeof(a), typeof(d) FROM t", [[Decimal(a), d and Decimal(d), "decimal(23,3)", "decimal(7,4)"] for a, d in [
        ("1", "1.25"), ("0.125", "123.4567"), ("9223372036854775807", None)]])


def test_csv_numbers_get_room(project):
    project.file("in/1.csv", "id,n\n1,1\n")
    widening(project, "format => 'csv'")
    project.run().ok()
    project.file("in/2.csv", "n,id,more\n99999999999999999999,2,x\nabc,3,\n")
    project.run().ok()
    assert [(*row[:4], rescued(row[4])) for row in project.rows("SELECT id, CAST(n AS STRING), more, typeof(n), _rescued_data FROM t ORDER BY id")] == [
        (1, "1", None, "decimal(20,0)", None), (2, "9" * 20, "x", "decimal(20,0)", None), (3, None, None, "decimal(20,0)", {"n": "abc"})]


def parquet(project, path, query):
    import duckdb
    target = project.folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    duckdb.sql(f"COPY ({query}) TO '{target}' (FORMAT parquet)")


def test_parquet_columns_become_what_the_files_are(project):
    before = ("1::TINYINT AS b, 2::SMALLINT AS s, 3::INTEGER AS i, 4::BIGINT AS l, 0.1::FLOAT AS f, 1.25::DECIMAL(5,2) AS d, DATE '2026-01-02' AS day, 5::INTEGER AS x, "
              "{'a': 1::INTEGER, 'c': [1::SMALLINT]} AS n, MAP {'k': 1::INTEGER} AS m, 6::BIGINT AS text")
    after = ("30000::SMALLINT AS b, 3000000000::BIGINT AS s, 0.5::DOUBLE AS i, 99999999999999999999.5::DECIMAL(21,1) AS l, 1e300::DOUBLE AS f, 123456789012::DECIMAL(12,0) AS d, "
             "TIMESTAMP '2026-01-02 03:04:05' AS day, 1.125::DECIMAL(5,3) AS x, {'a': 3000000000::BIGINT, 'c': [70000::INTEGER]} AS n, MAP {'k': 3000000000::BIGINT} AS m, "
             "'six' AS text, 7::INTEGER AS more")
    parquet(project, "in/1.parquet", f"SELECT 1::INTEGER AS id, {before}")
    widening(project, "format => 'parquet'", "TBLPROPERTIES ('delta.enableTypeWidening' = 'true')")
    project.run().ok()
    parquet(project, "in/2.parquet", f"SELECT 2::INTEGER AS id, {after}")
    parquet(project, "in/3.parquet", f"SELECT 3::INTEGER AS id, {before}")
    project.run().ok()
    types = {"b": "smallint", "s": "bigint", "i": "double", "l": "decimal(21,1)", "f": "double", "d": "decimal(14,2)", "day": "timestamp_ntz", "x": "decimal(13,3)",
             "n": "struct<a:bigint,c:array<int>>", "m": "map<string,bigint>", "text": "bigint", "more": "int"}
    assert project.rows(f"SELECT {', '.join(f'typeof({name})' for name in types)} FROM t LIMIT 1") == [tuple(types.values())]
    shown = "id, b, s, i, CAST(l AS STRING), f, CAST(d AS STRING), CAST(day AS STRING), CAST(x AS STRING), n.a, n.c[0], m['k'], text, more"
    old = (1, 2, 3.0, "4.0", 0.10000000149011612, "1.25", "2026-01-02 00:00:00", "5.000", 1, 1, 1, 6, None)
    project.expect(f"SELECT {shown} FROM t", [
        [1, *old], [2, 30000, 3000000000, 0.5, "99999999999999999999.5", 1e300, "123456789012.00", "2026-01-02 03:04:05", "1.125", 3000000000, 70000, 3000000000, None, 7], [3, *old]])
    assert rescued(project.value("SELECT _rescued_data FROM t WHERE id = 2")) == {"text": "six"}


def test_parquet_files_of_the_first_look_get_the_wider_type(project):
    parquet(project, "in/1.parquet", "SELECT 1::INTEGER AS id, 0.5::FLOAT AS x")
    parquet(project, "in/2.parquet", "SELECT 2.5::DECIMAL(5,2) AS id, 1e300::DOUBLE AS x")
    widening(project, "format => 'parquet', rescuedDataColumn => ''")
    project.run().ok()
    project.expect("SELECT id, x, typeof(id), typeof(x) FROM t", [[Decimal(1), 0.5, "decimal(12,2)", "double"], [Decimal("2.5"), 1e300, "decimal(12,2)", "double"]])
    parquet(project, "in/3.parquet", "SELECT 3::BIGINT AS id")
    parquet(project, "in/4.parquet", "SELECT 'no number' AS id")
    project.run().refused('column "id" of ".*4.parquet" is string', code=1)
    (project.folder / "in/4.parquet").unlink()
    project.run().ok()
    assert project.rows("SELECT CAST(id AS STRING), typeof(id) FROM t WHERE id = 3") == [("3.00", "decimal(22,2)")]


def zigzag(number):
    number = (number << 1) ^ (number >> 63)
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def avro(fields, *values):
    """An Avro file of one record; fields: name and type, values: their bytes."""
    def text(data):
        return zigzag(len(data)) + data
    schema = json.dumps({"type": "record", "name": "r", "fields": [{"name": name, "type": kind} for name, kind in fields]}).encode()
    block = b"".join(values)
    return b"Obj\x01" + zigzag(1) + text(b"avro.schema") + text(schema) + zigzag(0) + b"0" * 16 + zigzag(1) + zigzag(len(block)) + block + b"0" * 16


def test_avro_columns_become_what_the_files_say(project):
    import struct
    decimal = {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 2}
    project.file("in/1.avro", avro([("id", "int"), ("n", "int"), ("f", "float"), ("l", "long"), ("t", "long")], zigzag(1), zigzag(7), struct.pack("<f", 0.5), zigzag(8), zigzag(9)))
    widening(project, "format => 'avro', rescuedDataColumn => '_rescued_data'")
    project.run().ok()
    project.file("in/2.avro", avro([("id", "long"), ("n", "double"), ("f", "double"), ("l", decimal), ("t", "string"), ("more", "int")], zigzag(3000000000), struct.pack("<d", 0.25),
                                   struct.pack("<d", 1e300), zigzag(2) + (12345).to_bytes(2, "big"), zigzag(3) + b"abc", zigzag(5)))
    project.run().ok()
    project.expect("SELECT id, n, f, CAST(l AS STRING), t, more, typeof(id), typeof(n), typeof(l) FROM t",
                   [[1, 7.0, 0.5, "8.00", 9, None, "bigint", "double", "decimal(22,2)"], [3000000000, 0.25, 1e300, "123.45", None, 5, "bigint", "double", "decimal(22,2)"]])
    assert [rescued(row[0]) for row in project.rows("SELECT _rescued_data FROM t ORDER BY id")] == [None, {"t": "abc"}]


def test_hinted_columns_keep_their_type(project):
    project.json_lines("in/1.json", [{"id": 1, "s": {"x": 1}}])
    widening(project, "format => 'json', schemaHints => 'id INT, s.x BIGINT'")
    project.run().ok()
    project.file("in/2.json", '{"id":3000000000,"s":{"x":99999999999999999999},"n":1}\n')
    project.run().ok()
    project.expect("SELECT id, s.x, n, typeof(id) FROM t", [[1, 1, None, "int"], [None, None, 1, "int"]])
    assert rescued(project.value("SELECT _rescued_data FROM t WHERE n = 1")) == {"id": 3000000000, "s": {"x": 99999999999999999999}}


def test_without_the_property_the_table_says_what_it_needs_and_nothing_is_lost(project):
    project.json_lines("in/1.json", [{"id": 1}])
    widening(project, "format => 'json'", "")
    project.run().ok()
    project.file("in/2.json", '{"id":99999999999999999999}\n')
    for _ in range(2):
        project.run().refused(r'column "id" of "spark_catalog.default.t" is decimal\(20,0\) here and bigint in the table', "2.json", "'delta.enableTypeWidening' = 'true'", code=1)
    assert [schema["id"] for schema in kept_schemas(project)] == ["long"]
    widening(project, "format => 'json'")
    project.run().ok()
    project.expect("SELECT CAST(id AS STRING) FROM t", [["1"], ["9" * 20]])


def test_a_query_that_keeps_the_type_needs_no_property(project):
    project.json_lines("in/1.json", [{"id": 1}])
    widening(project, "format => 'json'", "", "CAST(id AS STRING) AS id")
    project.run().ok()
    project.file("in/2.json", '{"id":99999999999999999999}\n')
    project.run().ok()
    project.expect("SELECT id FROM t", [["1"], ["9" * 20]])


def test_what_is_downstream_widens_in_the_same_run(project):
    project.json_lines("in/1.json", [{"id": 1}])
    project.define(f"CREATE STREAMING TABLE u {WIDENS} AS SELECT id, id * 2 AS twice FROM STREAM t; CREATE MATERIALIZED VIEW v AS SELECT max(id) AS id FROM u")
    widening(project, "format => 'json'")
    project.run().ok()
    project.file("in/2.json", '{"id":99999999999999999999}\n')
    project.run().ok()
    project.expect("SELECT CAST(id AS STRING), CAST(twice AS STRING) FROM u", [["1", "2"], ["9" * 20, "199999999999999999998"]])
    project.expect("SELECT CAST(id AS STRING) FROM v", [["9" * 20]])


def test_a_view_over_files_takes_the_wider_type(project):
    for i in range(1001): # more than the sample
        project.file(f"in/a{i:04}.json", '{"id":2}\n')
    project.file("in/z.json", '{"id":99999999999999999999}\n')
    project.define(f"CREATE MATERIALIZED VIEW v AS SELECT id FROM read_files('in', format => 'json', {MODE})")
    project.run().ok()
    assert project.rows("SELECT CAST(max(id) AS STRING), count(*) FROM v") == [("9" * 20, 1002)]
    query = f"SELECT _rescued_data FROM read_files('in', format => 'json', {MODE}) WHERE id IS NULL"
    assert rescued(project.value(query)) == {"id": int("9" * 20)}, "a query takes the schema of its sample"


def test_a_running_pipeline_widens_and_sees_what_others_widen(project):
    project.json_lines("in/1.json", [{"id": 1, "n": 1}])
    widening(project, "format => 'json', schemaHints => 'n INT'")
    process = project.start("--continuous")

    def holds(count):
        return project.silt("sql", "--format", "json", "-c", "SELECT count(*) AS n FROM t").out.strip() == f'{{"n":{count}}}'

    wait_for(lambda: holds(1))
    project.file("in/2.json", '{"id":99999999999999999999,"n":2}\n')
    wait_for(lambda: holds(2))
    project.silt("sql", "--allow-managed-writes", "-c", "ALTER TABLE t ALTER COLUMN n TYPE BIGINT; INSERT INTO t (id, n) VALUES (3, 3000000000)").ok()
    project.json_lines("in/4.json", [{"id": 4, "n": 4}])
    wait_for(lambda: holds(4))
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    project.expect("SELECT CAST(id AS STRING), n FROM t", [["1", 1], ["9" * 20, 2], ["3", 3000000000], ["4", 4]])
    import pyarrow.parquet
    last = readers.actions(project.table("t"), "add")[-1][1]
    assert str(pyarrow.parquet.read_schema(readers.file_of(project.table("t"), last["path"])).field("n").type) == "int64"
