"""Parquet files as a source: several in a batch, of several schemas, from several writers."""
import duckdb


def write(project, name, query):
    path = project.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def define(project, rest=""):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT *, _metadata.file_name AS file FROM STREAM read_files('in', format => 'parquet'{rest})")


def test_files_of_one_schema_are_read_in_one_batch_each_row_with_its_file(project):
    for number in range(5):
        write(project, f"in/{number}.parquet", f"SELECT {number}::BIGINT AS id")
    define(project)
    project.run().ok()
    assert project.rows("SELECT id, file FROM raw ORDER BY id") == [(n, f"{n}.parquet") for n in range(5)]


def test_files_of_several_schemas_are_read_in_one_batch(project):
    write(project, "in/a.parquet", "SELECT 1::BIGINT AS id, 'x' AS name")
    write(project, "in/b.parquet", "SELECT 'y' AS NAME, 2::INT AS id")
    write(project, "in/c.parquet", "SELECT 3::BIGINT AS id, 1.5::DOUBLE AS more")
    write(project, "in/d.parquet", "SELECT 4::BIGINT AS id, 'none' AS name WHERE false")
    define(project, ", schema => 'id BIGINT, name STRING, more DOUBLE'")
    project.run().ok()
    assert project.rows("SELECT id, name, more FROM raw ORDER BY id") == [(1, "x", None), (2, "y", None), (3, None, 1.5)]


def test_a_file_whose_name_is_a_pattern_is_itself(project):
    write(project, "in/a1.parquet", "SELECT 1::BIGINT AS id")
    write(project, "in/a[1].parquet", "SELECT 2::BIGINT AS id")
    write(project, "in/a*.parquet", "SELECT 3::BIGINT AS id")
    define(project)
    project.run().ok()
    assert project.rows("SELECT id, file FROM raw ORDER BY id") == [(1, "a1.parquet"), (2, "a[1].parquet"), (3, "a*.parquet")]


def test_unsigned_integers_keep_their_value(project):
    write(project, "in/a.parquet", "SELECT 255::UTINYINT AS a, 65535::USMALLINT AS b, 4294967295::UINTEGER AS c, 18446744073709551615::UBIGINT AS d")
    define(project)
    project.run().ok()
    assert project.rows("SELECT a, b, c, d FROM raw") == [(255, 65535, 4294967295, 18446744073709551615)]


def test_a_thousand_folders_of_a_partition_column_are_one_scan(project):
    write(project, "one.parquet", "SELECT 1::BIGINT AS id")
    content = (project.folder / "one.parquet").read_bytes()
    folders = [f"{n}" for n in range(1000)] + ["__HIVE_DEFAULT_PARTITION__"]
    for number in folders:
        project.file(f"in/n={number}/a.parquet", content)
    define(project, ", schema => 'id BIGINT, n INT', maxFilesPerTrigger => 2000")
    project.run().ok()
    assert project.rows("SELECT count(*), count(n), count(DISTINCT n), sum(n), min(file) FROM raw") == [(1001, 1000, 1000, 499500, "a.parquet")]


def test_new_fields_inside_of_columns_widen_the_table_in_the_same_run(project):
    write(project, "in/a.parquet", "SELECT {'x': 1} AS s, [{'k': 1}] AS l, MAP {'m': {'v': 1}} AS m")
    define(project)
    project.run().ok()
    write(project, "in/b.parquet", "SELECT {'y': 'new', 'x': 2} AS s, [{'n': 3, 'k': 2}] AS l, MAP {'m': {'v': 2, 'w': 4}} AS m, 5 AS added")
    project.run().ok()
    assert project.rows("SELECT s.x, s.y, l[0].k, l[0].n, m['m'].v, m['m'].w, added FROM raw ORDER BY 1") == [
        (1, None, 1, None, 1, None, None), (2, "new", 2, 3, 2, 4, 5)]


def test_an_instant_without_a_zone_is_in_utc_also_inside_of_structs_lists_and_maps(project):
    moment = "TIMESTAMP '2026-01-01 12:00:00'"
    write(project, "in/a.parquet", f"SELECT {moment} AS t, {{'t': {moment}}} AS s, [{moment}, NULL] AS l, MAP {{'k': {moment}}} AS m, [{{'t': {moment}}}, NULL] AS d")
    write(project, "in/b.parquet", "SELECT NULL::TIMESTAMP AS t, NULL::STRUCT(t TIMESTAMP) AS s, NULL::TIMESTAMP[] AS l, NULL::MAP(VARCHAR, TIMESTAMP) AS m, "
                                   "NULL::STRUCT(t TIMESTAMP)[] AS d")
    schema = "t TIMESTAMP, s STRUCT<t: TIMESTAMP>, l ARRAY<TIMESTAMP>, m MAP<STRING, TIMESTAMP>, d ARRAY<STRUCT<t: TIMESTAMP>>"
    query = (f"SELECT unix_seconds(t), unix_seconds(s.t), unix_seconds(l[0]), size(l), unix_seconds(m['k']), unix_seconds(d[0].t), d[1] IS NULL "
             f"FROM read_files('in', format => 'parquet', schema => '{schema}') ORDER BY 1 NULLS LAST")
    noon = 1767268800
    for zone in ("UTC", "America/New_York"):
        assert project.rows(query, zone=zone) == [(noon, noon, noon, 2, noon, noon, True), (None, None, None, None, None, None, True)]
