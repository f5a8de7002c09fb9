"""Delta tables read without Silt: the log by hand, the rows by delta-rs and by DuckDB's Parquet reader."""
import json
import re
from decimal import Decimal
from pathlib import Path
from urllib.parse import unquote

DATA = Path(__file__).resolve().parents[1] / "data"


def commits(table):
    """[(version, [action])] from the JSON commits."""
    found = []
    for path in sorted((Path(table) / "_delta_log").glob("*.json")):
        if re.fullmatch(r"\d{20}\.json", path.name):
            lines = path.read_text(encoding="utf-8").split("\n")
            found.append((int(path.name[:20]), [json.loads(line, parse_float=Decimal) for line in lines if line]))
    return found


def actions(table, kind):
    return [(version, action[kind]) for version, listed in commits(table) for action in listed if kind in action]


def live(table):
    """path -> add action, replayed from the commits (for tables whose commits are all still there)."""
    files = {}
    for _, listed in commits(table):
        for action in listed:
            if "remove" in action:
                files.pop(action["remove"]["path"], None)
        for action in listed:
            if "add" in action:
                files[action["add"]["path"]] = action["add"]
    return files


def file_of(table, path):
    return Path(table) / unquote(path)


def delta_rs(table):
    """The table as Arrow, by delta-rs."""
    import pyarrow
    from deltalake import DeltaTable, QueryBuilder
    return pyarrow.table(QueryBuilder().register("t", DeltaTable(str(table))).execute("SELECT * FROM t").read_all())


def delta_rs_rows(table, *columns):
    """Rows as tuples of Python values."""
    arrow = delta_rs(table)
    return list(zip(*(arrow.column(name).to_pylist() for name in (columns or arrow.schema.names))))


def duckdb_rows(table, *columns):
    """The same by DuckDB: its Parquet reader over the live files, partition values as text from the log."""
    import duckdb
    rows = []
    for path, add in live(table).items():
        extra = [("NULL" if value is None else "'%s'" % value.replace("'", "''")) + ' AS "%s"' % key.replace('"', '""')
                 for key, value in (add.get("partitionValues") or {}).items()]
        chosen = ", ".join(f'"{name}"' for name in columns) or "*"
        file = str(file_of(table, path)).replace("'", "''")
        rows += duckdb.sql(f"SELECT {chosen} FROM (SELECT {', '.join(['*', *extra])} FROM read_parquet('{file}', hive_partitioning=false))").fetchall()
    return rows


def write_foreign(table, versions):
    """A table (id LONG) written by delta-rs: version v appends the row v."""
    import pyarrow
    from deltalake import write_deltalake
    for version in range(versions):
        write_deltalake(str(table), pyarrow.table({"id": pyarrow.array([version], pyarrow.int64())}), mode="append")


def put_commit(table, version, actions):
    log = Path(table) / "_delta_log"
    log.mkdir(parents=True, exist_ok=True)
    (log / f"{version:020d}.json").write_text("".join(json.dumps(action) + "\n" for action in actions))


def write_foreign_timestamps(table, values):
    """A table (t TIMESTAMP, id INT) partitioned by t, row n under the n-th of these partition values, written by hand."""
    import pyarrow
    import pyarrow.parquet
    fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in (("t", "timestamp"), ("id", "integer"))]
    put_commit(table, 0, [
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {"metaData": {"id": "00000000-0000-4000-8000-000000000001", "format": {"provider": "parquet", "options": {}},
                      "schemaString": json.dumps({"type": "struct", "fields": fields}), "partitionColumns": ["t"], "configuration": {},
                      "createdTime": 1767225600000}}])
    for number, value in enumerate(values, 1):
        path = Path(table) / f"part-{number}.parquet"
        pyarrow.parquet.write_table(pyarrow.table({"id": pyarrow.array([number], pyarrow.int32())}), path)
        put_commit(table, number, [{"add": {"path": path.name, "partitionValues": {"t": value}, "size": path.stat().st_size,
                                            "modificationTime": 1767225600000, "dataChange": True}}])
