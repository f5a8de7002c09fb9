#!/usr/bin/env python3
"""Reads tables that delta_sample wrote, with delta-rs and with the bare log, and compares every value.

usage: check_written.py DELTA_SAMPLE      (needs the packages deltalake and pyarrow; tests/e2e/test_written_tables.py runs it)
"""
import datetime as dt
import json
import math
import os
import subprocess
import sys
import tempfile
from decimal import Decimal
from urllib.parse import unquote

import pyarrow.parquet as pq
from deltalake import DeltaTable
from pyarrow import fs

UTC = dt.timezone.utc
AWKWARD = ["a/b", "a b", "50%", "x=y", "été", "a:b", "a%2Fb", "/end/", "..", ".", " ", "[*?]", "{}", "#", '"q"', "it's", "\\", "+", "&", "a%20b",
           "a+b", "😀", "__HIVE_DEFAULT_PARTITION__x", "tab\there", "null", "\x01"]
failures = 0


def check(what, got, want):
    global failures
    if got != want:
        failures += 1
        print(f"FAILED {what}\n  got      {got!r}\n  expected {want!r}")


def read(path, version=None):
    """The table as Arrow. Arrow's own file system, not delta-rs' one behind Python objects: a thread that still drops one of those when the
    interpreter ends is ended in the middle of a destructor, and the process aborts (3 of 100 runs on a busy machine)."""
    return DeltaTable(path, version=version).to_pyarrow_table(filesystem=fs.SubTreeFileSystem(path, fs.LocalFileSystem()))


def rows(path):
    return sorted(read(path).to_pylist(), key=lambda r: r["id"])


def log_actions(path):
    """All actions of the JSON commits, by version."""
    folder = os.path.join(path, "_delta_log")
    for name in sorted(n for n in os.listdir(folder) if n.endswith(".json")):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            yield int(name[:20]), [json.loads(line) for line in f]


def check_files(path):
    """Each path, decoded once, is a file of the table with the logged size."""
    for version, actions in log_actions(path):
        check(f"{path} {version} begins with commitInfo", next(iter(actions[0])), "commitInfo")
        for action in actions:
            if "add" in action:
                name = os.path.join(path, unquote(action["add"]["path"]))
                check(f"{name} exists", os.path.exists(name), True)
                if os.path.exists(name):
                    check(f"{name} size", os.path.getsize(name), action["add"]["size"])
                    check(f"{name} inside", os.path.realpath(name).startswith(os.path.realpath(path) + os.sep), True)


def check_types(path):
    got = rows(path)
    first, second, third = got
    check("nan", math.isnan(first.pop("f")), True)
    check("types 1", first, dict(
        id=1, b=True, y=127, h=32767, i=2147483647, d=math.inf, n=Decimal("12345678901234567890.123456789012345678"), m=Decimal("999.99"), s="é😀",
        x=b"\x00\xff", t=dt.date(9999, 12, 31), u=dt.datetime(2026, 1, 1, 0, 0, 0, 400, UTC), v=dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
        l=[1, None], p=[("k", 5), ("z", None)], r={"a": 1, "b": [{"c": "deep"}, None]}))
    check("types 2", second, dict(
        id=2, b=False, y=-128, h=-32768, i=-2147483648, f=-1.5, d=-1e300, n=Decimal("-0.000000000000000001"), m=Decimal("-999.99"), s="", x=b"",
        t=dt.date(1, 1, 1), u=dt.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC), v=dt.datetime(1, 1, 1), l=[], p=[], r={"a": None, "b": None}))
    check("types 3", {k: v for k, v in third.items() if v is not None}, {"id": 3})
    table = DeltaTable(path)
    check("protocol", (table.protocol().min_reader_version, table.protocol().min_writer_version, table.protocol().reader_features), (3, 7, ["timestampNtz"]))
    fields = {f.name: f for f in table.schema().fields}
    check("nullable", (fields["id"].nullable, fields["b"].nullable), (False, True))
    check("comment", fields["id"].metadata, {"comment": "the key"})
    stats = [json.loads(a["add"]["stats"]) for _, actions in log_actions(path) for a in actions if "add" in a]
    check("records", stats[0]["numRecords"], 3)
    check("nullCount", stats[0]["nullCount"]["r"]["a"], 2)


def check_partitions(path):
    got = rows(path)
    check("partition rows", len(got), len(AWKWARD) + 1)
    for row, value in zip(got, AWKWARD):
        check("partition value", (row["p"], row["d"], row["t"], row["n"]),
              (value, dt.date(2026, 1, 2), dt.datetime(2026, 1, 1, 10, 0, 0, 123456, UTC), Decimal("1.50")))
    check("null partition", (got[-1]["p"], got[-1]["d"], got[-1]["t"], got[-1]["n"]), (None, None, None, None))


def check_long(path):
    check("long", rows(path), [dict(id=i, s=f"row {i}") for i in range(16, 26)] + [dict(id=1000, s="start")])
    check("older version", read(path, version=12).num_rows, 12)
    check("txn", DeltaTable(path).transaction_version("query"), 25)
    log = os.path.join(path, "_delta_log")
    check("checkpoints", sorted(n for n in os.listdir(log) if "checkpoint.parquet" in n), [f"{v:020}.checkpoint.parquet" for v in (10, 20)])
    actions = pq.read_table(os.path.join(log, f"{20:020}.checkpoint.parquet")).to_pylist()
    kinds = [next(k for k, v in a.items() if v is not None) for a in actions]
    check("one action a row", all(sum(v is not None for v in a.values()) == 1 for a in actions), True)
    check("actions", {k: kinds.count(k) for k in set(kinds)}, dict(protocol=1, metaData=1, txn=1, add=6, remove=14))
    check("live files", sorted(a["add"]["path"] for a in actions if a["add"]), sorted(DeltaTable(path, version=20).file_uris())
          and sorted(os.path.basename(u) for u in DeltaTable(path, version=20).file_uris()))
    for version in range(20):  # what the checkpoint covers is not needed any more
        os.remove(os.path.join(log, f"{version:020}.json"))
    check("long, from the checkpoint", rows(path), [dict(id=i, s=f"row {i}") for i in range(16, 26)] + [dict(id=1000, s="start")])


def check_evolved(path):
    check("evolved", rows(path), [dict(id=1, n=None, z=None), dict(id=2, n=5, z=dt.datetime(2026, 1, 1))])
    table = DeltaTable(path)
    check("properties", table.metadata().configuration, {"delta.enableChangeDataFeed": "true", "my.key": "my value"})
    check("features", sorted(table.protocol().writer_features), ["appendOnly", "changeDataFeed", "checkConstraints", "generatedColumns", "invariants", "timestampNtz"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        for name, judge in (("types", check_types), ("partitions", check_partitions), ("long", check_long), ("evolved", check_evolved)):
            path = os.path.join(folder, name)
            check_files(path)
            judge(path)
    print("all values are right" if not failures else f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
